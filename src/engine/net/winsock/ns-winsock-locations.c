/* Locations in the socket driver at which the process in the event header is the socket's.
 *
 * An event is logged by the thread that runs at that point of the driver; its Location field
 * identifies the point. Some locations are known to run always in the socket's own process, or in
 * any process. The others are classified by the trace: a location is reliable if many events agree
 * with the process that created their sockets, and none disagrees.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-winsock-locations.h"

#include "base/ns-map.h"

/* Minimum number of agreeing events for a reliable location. */
#define NS_WINSOCK_MIN_SAMPLES 20
/* Maximum number of samples (locations times processes); later ones are ignored. */
#define NS_WINSOCK_MAX_SAMPLES 65536

typedef struct
{
  guint64 process;
  guint64 location;
  guint32 pid;
  guint32 n;
} Sample;

struct _NsWinsockLocations
{
  NsMap *owners;   /* process object → pid + 1 of its sockets' creator; 1: they differ */
  NsMap *by_key;   /* sample → index */
  GArray *samples; /* Sample */
  NsMap *learned;  /* location → 1 reliable, 2 not */
};

typedef struct
{
  guint16 id;
  guint8 is_exit;
  guint16 location;
} Place;

/* clang-format off */
static const Place reliable[] = {
  { NS_AFD_CREATE, 0, 1002 }, { NS_AFD_CREATE, 0, 1006 }, { NS_AFD_CREATE, 0, 1015 },
  { NS_AFD_CREATE, 1, 1012 }, { NS_AFD_CREATE, 1, 1013 },
  { NS_AFD_CONNECT_ADDRESS, 0, 5023 }, { NS_AFD_CONNECT_ADDRESS, 0, 5502 },
  { NS_AFD_CONNECT_EX_ADDRESS, 0, 5031 },
  { NS_AFD_BIND_ADDRESS, 0, 7010 }, { NS_AFD_BIND_ADDRESS, 1, 7022 },
  { NS_AFD_SEND, 0, 3003 }, { NS_AFD_SEND, 0, 3047 }, { NS_AFD_SEND, 0, 3058 },
  { NS_AFD_SEND, 0, 3100 },
  { NS_AFD_SEND, 1, 3014 }, { NS_AFD_SEND, 1, 3051 }, { NS_AFD_SEND, 1, 3201 },
  { NS_AFD_SEND_MESSAGE_ADDRESS, 0, 3100 }, { NS_AFD_SEND_MESSAGE_ADDRESS, 0, 3044 },
  { NS_AFD_SEND_MESSAGE_ADDRESS, 1, 3200 }, { NS_AFD_SEND_MESSAGE_ADDRESS, 1, 3045 },
  { NS_AFD_RECEIVE, 0, 4106 }, { NS_AFD_RECEIVE, 0, 4115 }, { NS_AFD_RECEIVE, 0, 4117 },
  { NS_AFD_RECEIVE, 0, 4200 },
  { NS_AFD_RECEIVE, 1, 4109 }, { NS_AFD_RECEIVE, 1, 4110 }, { NS_AFD_RECEIVE, 1, 4111 },
  { NS_AFD_RECEIVE, 1, 4116 }, { NS_AFD_RECEIVE, 1, 4118 }, { NS_AFD_RECEIVE, 1, 4122 },
  { NS_AFD_RECEIVE_FROM_ADDRESS, 1, 4201 }, { NS_AFD_RECEIVE_MESSAGE_ADDRESS, 1, 4201 },
  { NS_AFD_CLOSE, 0, 2000 }, { NS_AFD_CLOSE, 0, 2001 },
  { NS_AFD_CLOSE, 1, 2000 }, { NS_AFD_CLOSE, 1, 2001 },
  { NS_AFD_ABORT, 0, 8000 }, { NS_AFD_ABORT, 0, 8004 },
  { NS_AFD_ABORT, 1, 8000 }, { NS_AFD_ABORT, 1, 8004 },
};

static const Place arbitrary[] = {
  { NS_AFD_ACCEPT_EX_ADDRESS, 1, 6101 },
  { NS_AFD_SEND, 0, 3006 }, { NS_AFD_SEND, 0, 3056 },
  { NS_AFD_SEND, 1, 3018 }, { NS_AFD_SEND, 1, 3023 }, { NS_AFD_SEND, 1, 3024 },
  { NS_AFD_SEND, 1, 3025 }, { NS_AFD_SEND, 1, 3073 },
  { NS_AFD_SEND_MESSAGE_ADDRESS, 1, 3102 },
  { NS_AFD_RECEIVE, 0, 4107 }, { NS_AFD_RECEIVE, 1, 4114 }, { NS_AFD_RECEIVE, 1, 4123 },
  { NS_AFD_RECEIVE_FROM_ADDRESS, 1, 4052 }, { NS_AFD_RECEIVE_MESSAGE_ADDRESS, 1, 4052 },
  { NS_AFD_ABORT, 0, 8016 }, { NS_AFD_ABORT, 0, 8028 },
  { NS_AFD_ABORT, 1, 8016 }, { NS_AFD_ABORT, 1, 8028 },
};
/* clang-format on */

static guint64
location_key (guint16 id, gboolean is_exit, guint32 location)
{
  return (guint64) id << 40 | (guint64) (is_exit != FALSE) << 32 | location;
}

/**
 * ns_winsock_locations_new:
 *
 * Returns: (transfer full): the locations known in advance
 */
NsWinsockLocations *
ns_winsock_locations_new (void)
{
  NsWinsockLocations *self = g_new0 (NsWinsockLocations, 1);
  guint i;

  self->owners = ns_map_new ();
  self->by_key = ns_map_new ();
  self->samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  self->learned = ns_map_new ();
  for (i = 0; i < G_N_ELEMENTS (reliable); i++)
    ns_map_set (self->learned,
                location_key (reliable[i].id, reliable[i].is_exit, reliable[i].location),
                0,
                1);
  for (i = 0; i < G_N_ELEMENTS (arbitrary); i++)
    ns_map_set (self->learned,
                location_key (arbitrary[i].id, arbitrary[i].is_exit, arbitrary[i].location),
                0,
                2);
  return self;
}

/**
 * ns_winsock_locations_free:
 * @self: (transfer full) (nullable): the locations
 */
void
ns_winsock_locations_free (NsWinsockLocations *self)
{
  if (self == NULL)
    return;
  ns_map_free (self->owners);
  ns_map_free (self->by_key);
  ns_map_free (self->learned);
  g_array_unref (self->samples);
  g_free (self);
}

/**
 * ns_winsock_locations_sample:
 * @self: the locations
 * @record: a record of the first walk
 * @event: its fields
 *
 * Takes a sample of the event.
 */
void
ns_winsock_locations_sample (NsWinsockLocations *self,
                             const NsRecord *record,
                             const NsAfdEvent *event)
{
  guint64 location = location_key (record->id, event->is_exit, event->location);
  Sample sample = { event->process, location, record->pid, 1 };
  guint32 at;

  if (record->id == NS_AFD_CREATE && !event->is_exit)
    {
      guint32 pid = event->pid != 0 ? event->pid : record->pid;
      guint32 old = ns_map_get (self->owners, event->process, 0);

      ns_map_set (self->owners, event->process, 0, old == 0 || old == pid + 1 ? pid + 1 : 1);
      return;
    }
  if (record->pid == NS_PID_UNKNOWN || record->pid == 0 ||
      ns_map_get (self->learned, location, 0) != 0)
    return;
  at = ns_map_get (self->by_key, event->process, location << 16 ^ record->pid);
  if (at != 0 && g_array_index (self->samples, Sample, at - 1).pid == record->pid &&
      g_array_index (self->samples, Sample, at - 1).location == location)
    {
      g_array_index (self->samples, Sample, at - 1).n++;
      return;
    }
  if (self->samples->len == NS_WINSOCK_MAX_SAMPLES)
    return;
  g_array_append_val (self->samples, sample);
  ns_map_set (self->by_key, event->process, location << 16 ^ record->pid, self->samples->len);
}

/**
 * ns_winsock_locations_learn:
 * @self: the locations
 *
 * Classifies the locations that are not known in advance. Must be called after the first walk.
 */
void
ns_winsock_locations_learn (NsWinsockLocations *self)
{
  g_autoptr (NsMap) agree = ns_map_new ();
  g_autoptr (NsMap) disagree = ns_map_new ();
  guint i;

  for (i = 0; i < self->samples->len; i++)
    {
      const Sample *sample = &g_array_index (self->samples, Sample, i);
      guint32 owner = ns_map_get (self->owners, sample->process, 0);
      NsMap *map = owner == sample->pid + 1 ? agree : disagree;

      if (owner > 1)
        ns_map_set (map,
                    sample->location,
                    0,
                    MIN (ns_map_get (map, sample->location, 0) + sample->n, G_MAXINT32));
    }
  for (i = 0; i < self->samples->len; i++)
    {
      guint64 location = g_array_index (self->samples, Sample, i).location;

      if (ns_map_get (disagree, location, 0) == 0 &&
          ns_map_get (agree, location, 0) >= NS_WINSOCK_MIN_SAMPLES)
        ns_map_set (self->learned, location, 0, 1);
    }
}

/**
 * ns_winsock_locations_is_reliable:
 * @self: the locations
 * @record: a record
 * @event: its fields
 *
 * Returns: %TRUE if the header's process is that of the socket
 */
gboolean
ns_winsock_locations_is_reliable (const NsWinsockLocations *self,
                                  const NsRecord *record,
                                  const NsAfdEvent *event)
{
  guint64 location = location_key (record->id, event->is_exit, event->location);

  if (record->pid == 0 || record->pid == NS_PID_UNKNOWN)
    return FALSE;
  if (record->id == NS_AFD_CLOSE && record->pid == 4)
    return FALSE;
  return ns_map_get (self->learned, location, 0) == 1;
}

/**
 * ns_winsock_locations_is_double:
 * @event: the fields of the exit of a send
 *
 * Returns: %TRUE if the enclosing operation reports the same bytes
 */
gboolean
ns_winsock_locations_is_double (const NsAfdEvent *event)
{
  return event->location == 3073 || event->location == 3024;
}
