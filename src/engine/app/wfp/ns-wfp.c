/* Drops and blocked connects, from Microsoft-Windows-WFP and from TCPIP's inspection events.
 *
 * Layouts: Windows' manifests of the builds 7600 to 18990 (`providers.md` 3, `correlation.md`
 * 1.1). The process in the event header is never that of the packet.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "engine/app/wfp/ns-wfp-private.h"
#include "engine/build/ns-activities-row.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/tcpip/ns-tcpip-payload.h"
#include "engine/system/ns-kernel-private.h"
#include "engine/trace/ns-take-text.h"
#include "schema/ns-value.h"
#include "wire/ns-sockaddr.h"

#include <string.h>

enum
{
  WFP_DROP = 1001,
  WFP_IPSEC_DROP = 1003,
  WFP_DOS_DROP = 1011,
  WFP_MAC_DROP = 1029,
};

enum
{
  TCPIP_INSPECT_FAIL_LATE = 1035,
  TCPIP_TRANSPORT_DROP = 1214,
  TCPIP_NETWORK_DROP = 1215,
  TCPIP_INSPECT = 1454,
};

/* FWP_DIRECTION, with values added by the WFP engine. */
enum
{
  DIRECTION_IN = 0x3900,
  DIRECTION_OUT,
  DIRECTION_FORWARD,
  DIRECTION_BOTH,
};

/* Maximum number of processes per image; with more of them, the image does not identify a
 * process. */
#define MAX_PROCESSES_OF_IMAGE 256

struct _NsWfp
{
  GArray *failures; /* NsWfpFailure */
};

static void
wfp_start (NsBuilder *builder)
{
  builder->wfp = g_new0 (NsWfp, 1);
  builder->wfp->failures = g_array_new (FALSE, FALSE, sizeof (NsWfpFailure));
}

static void
wfp_stop (NsBuilder *builder)
{
  g_array_unref (builder->wfp->failures);
  g_clear_pointer (&builder->wfp, g_free);
}

static NsWfpRow
row_new (const NsRecord *record, NsWfpKind kind)
{
  return (NsWfpRow){ .layer = { .pid = NS_PID_UNKNOWN,
                                .tid = NS_PID_UNKNOWN,
                                .open_ns = record->time_ns,
                                .close_ns = record->time_ns,
                                .status = NS_UNKNOWN,
                                .confidence = -1 },
                     .kind = kind,
                     .layer_id = NS_WFP_NO_LAYER,
                     .count = 1,
                     .loopback = -1 };
}

static const char *
direction_to_text (guint32 direction)
{
  static const char *const texts[] = { "in", "out", "forward", "both" };

  return direction >= DIRECTION_IN && direction <= DIRECTION_BOTH ? texts[direction - DIRECTION_IN]
                                                                  : NULL;
}

static void
take_direction (NsCursor *cursor, NsWfpRow *row)
{
  guint32 direction = ns_cursor_u32 (cursor);

  if (ns_cursor_ok (cursor))
    row->direction = direction_to_text (direction);
}

static void
take_status (NsCursor *cursor, NsWfpRow *row)
{
  guint32 status = ns_cursor_u32 (cursor);

  if (ns_cursor_ok (cursor))
    row->layer.status = status;
}

/* Formats a SID: revision, number of subauthorities, six bytes of authority, subauthorities. */
static NsString
take_sid (NsBuilder *builder, NsCursor *cursor)
{
  gsize left = ns_cursor_left (cursor);
  const guint8 *sid = ns_cursor_take (cursor, 2);
  g_autoptr (GString) text = NULL;
  gsize size;

  if (sid == NULL)
    return NS_STRING_NONE;
  size = 8 + 4 * (gsize) sid[1];
  if (size > left || ns_cursor_take (cursor, size - 2) == NULL)
    return NS_STRING_NONE;
  text = g_string_new (NULL);
  ns_value_append_sid (text, sid, size);
  return text->len > 0 ? ns_strings_add_len (builder->trace->strings, text->str, text->len)
                       : NS_STRING_NONE;
}

static void
take_filter (NsCursor *cursor, NsWfpRow *row)
{
  row->filter = ns_cursor_u64 (cursor);
  row->has_filter = ns_cursor_ok (cursor);
  row->layer_id = ns_cursor_u16 (cursor);
  if (!ns_cursor_ok (cursor))
    row->layer_id = NS_WFP_NO_LAYER;
}

static void
take_ends (NsCursor *cursor, NsWfpRow *row)
{
  ns_sockaddr_take_counted (cursor, &row->local);
  ns_sockaddr_take_counted (cursor, &row->remote);
}

static void
wfp_event (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  NsWfpRow row;

  if (record->id != WFP_DROP && record->id != WFP_IPSEC_DROP && record->id != WFP_DOS_DROP &&
      record->id != WFP_MAC_DROP)
    return;
  row = row_new (record, NS_WFP_DROP);
  ns_record_cursor (record, &cursor);
  ns_cursor_u64 (&cursor); /* time, by its own clock */
  if (!ns_cursor_ok (&cursor))
    return;
  take_ends (&cursor, &row);
  if (record->id == WFP_MAC_DROP)
    {
      row.kind = NS_WFP_MAC_DROP;
      ns_cursor_skip (&cursor, 2 + 4 + 4 + 2); /* EtherType, MediaType, InterfaceType, VlanTag */
      take_filter (&cursor, &row);
      g_array_append_val (builder->trace->wfp, row);
      return;
    }

  ns_cursor_u32 (&cursor); /* ScopeId */
  row.app = ns_take_text (builder->trace->strings, &cursor);
  row.user = take_sid (builder, &cursor);
  if (record->id == WFP_DROP)
    {
      guint32 loopback;

      ns_cursor_skip (&cursor, 3 * 4); /* ReauthReason, OriginalProfile, CurrentProfile */
      take_direction (&cursor, &row);
      loopback = ns_cursor_u32 (&cursor);
      row.loopback = ns_cursor_ok (&cursor) ? (gint8) (loopback != 0) : -1;
      take_filter (&cursor, &row);
    }
  else if (record->id == WFP_IPSEC_DROP)
    {
      row.kind = NS_WFP_IPSEC_DROP;
      take_status (&cursor, &row);
      take_direction (&cursor, &row);
      ns_cursor_u32 (&cursor); /* SPI */
      take_filter (&cursor, &row);
    }
  else
    {
      row.kind = NS_WFP_DOS_DROP;
      ns_cursor_skip (&cursor, 2 * 4); /* numbers of Internet and intranet hosts */
      take_status (&cursor, &row);
      take_direction (&cursor, &row);
    }
  g_array_append_val (builder->trace->wfp, row);
}

/* Returns the name of a drop reason that is due to inspection, if it is one. */
static const char *
inspection_to_text (guint32 reason)
{
  if (reason == 9)
    return "inspection";
  if (reason == 0x109)
    return "IPSNPI client";
  if (reason >= 0x10f && reason <= 0x119)
    return "IPSNPI";
  return NULL;
}

static void
read_transport_drop (NsBuilder *builder, const NsRecord *record)
{
  NsWfpRow row = row_new (record, NS_WFP_DROP);
  NsCursor cursor;
  guint32 protocol;

  ns_record_cursor (record, &cursor);
  protocol = ns_cursor_u32 (&cursor);
  ns_cursor_u32 (&cursor); /* AddressFamily */
  take_ends (&cursor, &row);
  row.reason = inspection_to_text (ns_cursor_u32 (&cursor));
  row.count = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || row.reason == NULL)
    return;
  row.is_tcpip = TRUE;
  row.protocol = ns_activities_protocol_name (NS_AF_INET, protocol);
  g_array_append_val (builder->trace->wfp, row);
}

static void
take_v6 (NsCursor *cursor, NsEndpoint *end)
{
  guint32 n_bytes = ns_cursor_u32 (cursor);
  const guint8 *bytes = ns_cursor_take (cursor, n_bytes);

  if (bytes != NULL && n_bytes == 16)
    end->ip = ns_ip_from_v6 (bytes);
}

/* Reads a drop. The source is stored as local endpoint; ns_wfp_link_rows() determines the local
 * one. */
static void
read_network_drop (NsBuilder *builder, const NsRecord *record)
{
  NsWfpRow row = row_new (record, NS_WFP_DROP);
  const guint8 *source;
  const guint8 *destination;
  guint32 family;
  guint32 protocol;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  ns_cursor_u32 (&cursor); /* IPTransportProtocol */
  family = ns_cursor_u32 (&cursor);
  source = ns_cursor_take (&cursor, 4);
  destination = ns_cursor_take (&cursor, 4);
  if (family == NS_AF_INET && source != NULL && destination != NULL)
    {
      row.local.ip = ns_ip_from_v4 (source);
      row.remote.ip = ns_ip_from_v4 (destination);
      ns_cursor_skip (&cursor, ns_cursor_u32 (&cursor));
      ns_cursor_skip (&cursor, ns_cursor_u32 (&cursor));
    }
  else
    {
      take_v6 (&cursor, &row.local);
      take_v6 (&cursor, &row.remote);
    }
  row.reason = inspection_to_text (ns_cursor_u32 (&cursor));
  row.count = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || row.reason == NULL)
    return;
  protocol = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor))
    row.protocol = ns_activities_protocol_name (NS_AF_INET, protocol);
  row.is_tcpip = TRUE;
  g_array_append_val (builder->trace->wfp, row);
}

static void
read_inspection (NsBuilder *builder, const NsRecord *record)
{
  NsWfpRow row = row_new (record, NS_WFP_INSPECTION_DROP);
  NsCursor cursor;
  guint32 action;

  ns_record_cursor (record, &cursor);
  row.key = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_ptr (&cursor, record->pointer_size); /* InspectHandle */
  ns_cursor_u32 (&cursor);                       /* InspectType */
  action = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || (action != 0 && action != 3))
    return;
  take_status (&cursor, &row);
  row.is_tcpip = TRUE;
  row.reason = action == 3 ? "dropped, told by ICMP" : "dropped";
  g_array_append_val (builder->trace->wfp, row);
}

static void
read_failure (NsBuilder *builder, const NsRecord *record)
{
  NsRecord same = *record;
  NsWfpFailure failure;
  NsTcpipEvent event;
  NsWfpRow row;

  /* All three events have the same layout. */
  same.id = NS_TCPIP_CONNECT_INSPECT_FAIL;
  if (!ns_tcpip_event_read (&same, &event))
    return;
  failure = (NsWfpFailure){ record->time_ns, event.key };
  g_array_append_val (builder->wfp->failures, failure);
  if (record->id == NS_TCPIP_CONNECT_FAILURE)
    return;
  row = row_new (record, NS_WFP_CONNECT_BLOCKED);
  row.is_tcpip = TRUE;
  row.key = event.key;
  row.local = event.local;
  row.remote = event.remote;
  row.direction = "out";
  row.protocol = "TCP";
  row.layer.status = event.status;
  if (event.pid != 0)
    row.layer.pid = event.pid;
  g_array_append_val (builder->trace->wfp, row);
}

static void
tcpip_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case NS_TCPIP_CONNECT_INSPECT_FAIL:
    case NS_TCPIP_CONNECT_FAILURE:
    case TCPIP_INSPECT_FAIL_LATE:
      read_failure (builder, record);
      break;
    case TCPIP_TRANSPORT_DROP:
      read_transport_drop (builder, record);
      break;
    case TCPIP_NETWORK_DROP:
      read_network_drop (builder, record);
      break;
    case TCPIP_INSPECT:
      read_inspection (builder, record);
      break;
    default:
      break;
    }
}

/* Returns the path after the volume: `\windows\a.exe` of `C:\windows\a.exe` and of
 * `\device\harddiskvolume3\windows\a.exe`. */
static const char *
skip_volume (const char *path)
{
  static const char device[] = "\\device\\";
  const char *end;

  if (g_ascii_isalpha (path[0]) && path[1] == ':')
    return path + 2;
  if (g_ascii_strncasecmp (path, device, strlen (device)) != 0)
    return path;
  end = strchr (path + strlen (device), '\\');
  return end != NULL ? end : path;
}

/* Returns whether the paths are equal; volumes are compared if their drive letters are known. */
static gboolean
is_image (const char *path, const char *app, const char *app_dos)
{
  gboolean is_same_form = (path[0] == '\\') == (app_dos[0] == '\\');

  return g_ascii_strcasecmp (path, app) == 0 || g_ascii_strcasecmp (path, app_dos) == 0 ||
         (!is_same_form && g_ascii_strcasecmp (skip_volume (path), skip_volume (app)) == 0);
}

static gboolean
runs_at (const NsProcessRow *process, gint64 time_ns)
{
  return !(ns_time_is_set (process->start_ns) && process->start_ns > time_ns) &&
         !(ns_time_is_set (process->end_ns) && process->end_ns < time_ns);
}

static void
list_free (gpointer list)
{
  g_array_unref (list);
}

/* Returns the rows of processes by image path without volume: (element-type utf8 GArray). */
static GHashTable *
index_images (const NsTrace *trace)
{
  GHashTable *images = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, list_free);
  guint32 i;

  for (i = 0; i < trace->processes->len; i++)
    {
      const NsProcessRow *process = &g_array_index (trace->processes, NsProcessRow, i);
      const char *path =
          process->path != NS_STRING_NONE ? ns_trace_text (trace, process->path) : "";
      g_autofree char *key = g_ascii_strdown (skip_volume (path), -1);
      GArray *rows = g_hash_table_lookup (images, key);

      if (rows == NULL)
        {
          rows = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (images, g_steal_pointer (&key), rows);
        }
      if (rows->len < MAX_PROCESSES_OF_IMAGE)
        g_array_append_val (rows, i);
    }
  return images;
}

/* W1: returns the only process with the image that ran then; %NS_PID_UNKNOWN if there are several.
 */
static guint32
find_pid (NsBuilder *builder, GHashTable *images, const char *app, gint64 time_ns)
{
  const NsTrace *trace = builder->trace;
  g_autofree char *dos = ns_kernel_paths_to_dos (builder->kernel->paths, app);
  g_autofree char *key = g_ascii_strdown (skip_volume (app), -1);
  const GArray *rows = g_hash_table_lookup (images, key);
  guint32 pid = NS_PID_UNKNOWN;
  guint i;

  for (i = 0; rows != NULL && i < rows->len; i++)
    {
      const NsProcessRow *process =
          &g_array_index (trace->processes, NsProcessRow, g_array_index (rows, guint32, i));

      if (!runs_at (process, time_ns) || !is_image (ns_trace_text (trace, process->path), app, dos))
        continue;
      if (pid != NS_PID_UNKNOWN && pid != process->pid)
        return NS_PID_UNKNOWN;
      pid = process->pid;
    }
  return rows != NULL && rows->len == MAX_PROCESSES_OF_IMAGE ? NS_PID_UNKNOWN : pid;
}

static void
find_processes (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  g_autoptr (GHashTable) images = index_images (trace);
  guint i;

  for (i = 0; i < trace->wfp->len; i++)
    {
      NsWfpRow *row = &g_array_index (trace->wfp, NsWfpRow, i);

      if (row->app != NS_STRING_NONE)
        row->layer.pid =
            find_pid (builder, images, ns_trace_text (trace, row->app), row->layer.open_ns);
    }
}

/* Links the drops, once the rows of connections are written. */
static void
wfp_gather (NsBuilder *builder)
{
  if (builder->trace->wfp->len == 0)
    return;
  find_processes (builder);
  ns_wfp_name_rows (builder->trace, builder->options.wfp_names);
  ns_wfp_link_rows (builder->trace, builder->wfp->failures);
}

static const NsProviderOps wfp_ops[] = {
  { NS_GUID_WFP, .correlate = wfp_event },
  { NS_GUID_TCPIP, .correlate = tcpip_event },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (wfp, NsWfpRow, NULL),
};

const NsPart ns_wfp_part = {
  .name = "wfp",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = wfp_start,
  .write = wfp_gather,
  .stop = wfp_stop,
  .ops = wfp_ops,
  .n_ops = G_N_ELEMENTS (wfp_ops),
};
