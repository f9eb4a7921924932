/* Finds the lane of each row: its process, server and connection, or those of another grouping.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-lanes-draft.h"
#include "query/ns-field-get.h"

static guint32
find_draft (NsLaneBuilder *self, guint32 parent, guint64 key)
{
  return ns_map_get (self->map, parent, key) - 1;
}

static guint32
add_draft (NsLaneBuilder *self,
           guint32 parent,
           guint64 key,
           NsLaneKind kind,
           const char *name,
           const char *detail)
{
  NsLaneDraft draft = {
    .lane = { .kind = kind,
              .level =
                  parent == NS_LANE_NONE
                      ? 0
                      : (guint8) (g_array_index (self->drafts, NsLaneDraft, parent).lane.level + 1),
              .parent = parent,
              .key = key,
              .name = g_string_chunk_insert (self->texts, name),
              .detail = detail != NULL ? g_string_chunk_insert (self->texts, detail) : NULL },
    .first_child = NS_LANE_NONE,
    .last_child = NS_LANE_NONE,
    .next = NS_LANE_NONE,
  };
  guint32 number = self->drafts->len;

  draft.lane.reused = -1;
  if (parent == NS_LANE_NONE)
    g_array_append_val (self->roots, number);
  else
    {
      NsLaneDraft *above = &g_array_index (self->drafts, NsLaneDraft, parent);

      draft.lane.key = ns_map_mix (above->lane.key, key);
      if (above->last_child == NS_LANE_NONE)
        above->first_child = number;
      else
        g_array_index (self->drafts, NsLaneDraft, above->last_child).next = number;
      above->last_child = number;
      above->lane.n_children++;
    }
  g_array_append_val (self->drafts, draft);
  ns_map_set (self->map, parent, key, number + 1);
  return number;
}

/* Sets the persistent key of a lane, which stays the same when rows and texts get other numbers:
 * in a part of the trace, or after it has grown. Lanes are built by their lookup keys, so that
 * two lanes with the same persistent key stay separate, but are hidden and pinned together. */
static guint32
set_key (NsLaneBuilder *self, guint32 number, guint64 key)
{
  NsLaneDraft *draft = &g_array_index (self->drafts, NsLaneDraft, number);

  draft->lane.key =
      draft->lane.parent == NS_LANE_NONE
          ? key
          : ns_map_mix (g_array_index (self->drafts, NsLaneDraft, draft->lane.parent).lane.key,
                        key);
  return number;
}

/* Text after a name: a prefix and a number. */
typedef struct
{
  char text[16];
} Detail;

static const char *
print_detail (Detail *detail, const char *prefix, guint32 number, gboolean is_there)
{
  if (!is_there)
    return NULL;
  g_snprintf (detail->text, sizeof detail->text, "%s%u", prefix, number);
  return detail->text;
}

/* Returns the start time of a process; 0 if it started before the trace, or the time is unknown. */
static guint64
get_start (NsLaneBuilder *self, NsRow process)
{
  const NsProcessRow *row;

  if (process == 0)
    return 0;
  row = NS_ROW_AT (self->trace->processes, NsProcessRow, process);
  return row->before_trace ? 0 : (guint64) row->start_ns;
}

static guint32
find_process_lane (NsLaneBuilder *self, guint32 parent, const NsActivityRow *row)
{
  NsRow process = row->pid == NS_PID_UNKNOWN
                      ? 0
                      : ns_trace_find_process (self->trace, row->pid, ns_lane_open_of (row));
  guint64 key = process != 0 ? process : (G_GUINT64_CONSTANT (1) << 40 | row->pid);
  guint32 lane = find_draft (self, parent, key);
  const char *name = NULL;
  Detail detail;

  if (lane != NS_LANE_NONE)
    return lane;
  if (row->pid != NS_PID_UNKNOWN)
    name = ns_trace_get_process_name (self->trace, row->pid, ns_lane_open_of (row));
  if (name == NULL || *name == '\0')
    name = self->words->no_process;
  lane = add_draft (self,
                    parent,
                    key,
                    NS_LANE_PROCESS,
                    name,
                    print_detail (&detail, "", row->pid, row->pid != NS_PID_UNKNOWN));
  return set_key (self, lane, ns_map_mix (row->pid, get_start (self, process)));
}

static guint32
find_server_lane (NsLaneBuilder *self, guint32 parent, const NsActivityRow *row)
{
  guint64 key;
  guint32 lane;
  char text[NS_IP_TEXT_SIZE];
  const char *name = NULL;
  Detail detail;

  if (row->server > NS_STRING_EMPTY)
    key = (guint64) row->server << 16 | row->remote->port;
  else if (!ns_ip_is_empty (&row->remote->ip))
    key = ns_endpoint_hash (row->remote) | G_GUINT64_CONSTANT (1) << 63;
  else
    key = 0;
  lane = find_draft (self, parent, key);
  if (lane != NS_LANE_NONE)
    return lane;

  if (row->server > NS_STRING_EMPTY)
    name = ns_trace_text (self->trace, row->server);
  else if (!ns_ip_is_empty (&row->remote->ip))
    name = ns_ip_to_text (&row->remote->ip, text);
  else
    name = self->words->no_server;
  lane = add_draft (self,
                    parent,
                    key,
                    NS_LANE_SERVER,
                    name,
                    print_detail (&detail, ":", row->remote->port, row->remote->port != 0));
  if (row->server > NS_STRING_EMPTY)
    key = ns_map_mix (g_str_hash (name), row->remote->port);
  return set_key (self, lane, key);
}

static guint32
find_protocol_lane (NsLaneBuilder *self, const NsActivityRow *row)
{
  guint64 key = row->protocol;
  guint32 lane = find_draft (self, NS_LANE_NONE, key);

  if (lane != NS_LANE_NONE)
    return lane;
  return add_draft (self,
                    NS_LANE_NONE,
                    key,
                    NS_LANE_GROUP,
                    ns_field_layer_to_text (row->protocol),
                    NULL);
}

static guint32
find_thread_lane (NsLaneBuilder *self, const NsActivityRow *row)
{
  guint64 key = (guint64) row->pid << 32 | row->tid;
  guint32 lane = find_draft (self, NS_LANE_NONE, key);
  const char *process = NULL;
  Detail detail;

  if (lane != NS_LANE_NONE)
    return lane;
  if (row->pid != NS_PID_UNKNOWN)
    process = ns_trace_get_process_name (self->trace, row->pid, ns_lane_open_of (row));
  if (process == NULL || *process == '\0')
    process = self->words->no_process;
  return add_draft (self,
                    NS_LANE_NONE,
                    key,
                    NS_LANE_GROUP,
                    process,
                    print_detail (&detail, "", row->tid, row->tid != NS_PID_UNKNOWN));
}

static guint32
find_activity_lane (NsLaneBuilder *self, const NsActivityRow *row)
{
  const NsGuid *id = row->activity_id;
  guint64 key = id != NULL ? ns_map_mix (ns_guid_low (id), ns_guid_high (id)) : 0;
  guint32 lane = find_draft (self, NS_LANE_NONE, key);
  char text[NS_GUID_TEXT_SIZE];

  if (lane != NS_LANE_NONE)
    return lane;
  if (id == NULL)
    return add_draft (self,
                      NS_LANE_NONE,
                      key,
                      NS_LANE_GROUP,
                      self->words->no_activity != NULL ? self->words->no_activity : "",
                      NULL);
  ns_guid_to_text (id, text);
  return add_draft (self, NS_LANE_NONE, key, NS_LANE_GROUP, text, NULL);
}

/* Returns the parent of the connection lane; the number of levels depends on the grouping. */
static guint32
find_upper_lane (NsLaneBuilder *self, const NsActivityRow *row)
{
  switch (self->options->grouping)
    {
    case NS_LANES_BY_SERVER:
      return find_process_lane (self, find_server_lane (self, NS_LANE_NONE, row), row);
    case NS_LANES_BY_PROTOCOL:
      return find_server_lane (self, find_protocol_lane (self, row), row);
    case NS_LANES_BY_THREAD:
      return find_server_lane (self, find_thread_lane (self, row), row);
    case NS_LANES_BY_ACTIVITY:
      return find_server_lane (self, find_activity_lane (self, row), row);
    case NS_LANES_BY_PROCESS:
    case NS_N_LANE_GROUPINGS:
    default:
      return find_server_lane (self, find_process_lane (self, NS_LANE_NONE, row), row);
    }
}

/* Returns the parent activity of a row without a connection, if the parent has a row in the
 * connection table, else NULL. */
static const NsActivityRow *
find_whole (const NsTrace *trace, const NsActivityRow *row)
{
  const NsActivityRow *whole;
  guint32 number;

  if (row->parent == 0 || row->parent > trace->activities->len || ns_lane_connection_key (row) != 0)
    return NULL;
  whole = NS_ROW_AT (trace->activities, NsActivityRow, row->parent);
  return ns_lane_connection_number (whole, &number) == NS_CONNECTION_KIND_CONNECTION ? whole : NULL;
}

/* Writes the name of a connection lane for rows that do not name a connection. */
static void
print_unknown (const NsTimelineTexts *words, const NsActivityRow *whole, char *name, gsize size)
{
  guint32 number;

  if (whole != NULL && words->within != NULL)
    {
      ns_lane_connection_number (whole, &number);
      g_snprintf (name, size, "%s %u", words->within, number);
    }
  else
    g_snprintf (name,
                size,
                "%s",
                words->unknown != NULL      ? words->unknown
                : words->connection != NULL ? words->connection
                                            : "");
}

/* Writes the name of a connection lane with the number of its row in the table below, as used in
 * sentences, fields and links. */
static void
print_connection (const NsTimelineTexts *words,
                  const NsActivityRow *row,
                  const NsActivityRow *whole,
                  char *name,
                  gsize size)
{
  const char *connection = words->connection != NULL ? words->connection : "";
  const char *socket = words->socket != NULL ? words->socket : "";
  const char *flow = words->flow != NULL ? words->flow : "";
  guint32 number;
  NsConnectionKind end = ns_lane_connection_number (row, &number);

  if (end != NS_CONNECTION_KIND_NONE)
    g_snprintf (name,
                size,
                "%s %u",
                end == NS_CONNECTION_KIND_CONNECTION ? connection
                : end == NS_CONNECTION_KIND_SOCKET   ? socket
                                                     : flow,
                number);
  else if (row->connection != 0)
    g_snprintf (name, size, "%s 0x%" G_GINT64_MODIFIER "x", connection, row->connection);
  else if (row->socket != 0)
    g_snprintf (name, size, "%s :%u", socket, row->socket);
  else
    print_unknown (words, whole, name, size);
}

static guint32
find_connection_lane (NsLaneBuilder *self, guint32 parent, const NsActivityRow *row)
{
  const NsActivityRow *whole = find_whole (self->trace, row);
  guint64 key =
      whole != NULL ? ns_map_mix (6, ns_lane_connection_key (whole)) : ns_lane_connection_key (row);
  guint32 lane = find_draft (self, parent, key);
  char name[128];
  Detail detail;

  if (lane != NS_LANE_NONE)
    return lane;
  print_connection (self->words, row, whole, name, sizeof name);
  lane = add_draft (self,
                    parent,
                    key,
                    NS_LANE_CONNECTION,
                    name,
                    print_detail (&detail, ":", row->local->port, row->local->port != 0));
  self->n_connections++;
  return set_key (self,
                  lane,
                  whole != NULL ? ns_map_mix (6, ns_lane_connection_identity (self->trace, whole))
                                : ns_lane_connection_identity (self->trace, row));
}

/* Extends the time in which a connection is used. Rows are sorted by open time. */
static void
count_life (NsLaneBuilder *self, NsLaneDraft *draft, guint32 number, const NsActivityRow *row)
{
  if (draft->lane.n_rows == 0)
    {
      draft->first_row = number;
      draft->life = (NsTimeSpan){ ns_lane_open_of (row), ns_lane_open_of (row) };
    }
  draft->life.end_ns = MAX (draft->life.end_ns, ns_lane_close_of (self->trace, row));
}

static void
count_row (NsLaneBuilder *self, guint32 number, const NsActivityRow *row)
{
  guint n_failed = ns_lane_has_failed (self->options, self->trace, row) ? 1 : 0;

  while (number != NS_LANE_NONE)
    {
      NsLane *lane = &g_array_index (self->drafts, NsLaneDraft, number).lane;

      lane->n_rows++;
      lane->n_failed += n_failed;
      if (lane->protocol == 0 || row->protocol > lane->protocol)
        lane->protocol = row->protocol;
      if (lane->kind == NS_LANE_CONNECTION && lane->n_rows == 1)
        lane->reused = row->reused;
      number = lane->parent;
    }
}

/* Finds the lane of each row, the outermost level first. Returns FALSE if cancelled. */
gboolean
ns_lane_assign_rows (NsLaneBuilder *self, const GArray *sorted)
{
  guint i;

  for (i = 0; i < sorted->len; i++)
    {
      guint32 number = g_array_index (sorted, guint32, i);
      const NsActivityRow *row = &g_array_index (self->trace->activities, NsActivityRow, number);
      guint32 lane;

      if (!ns_lane_goes_on (self->options, 0, i, sorted->len))
        return FALSE;
      lane = find_connection_lane (self, find_upper_lane (self, row), row);
      self->leaf[number] = lane;
      count_life (self, &g_array_index (self->drafts, NsLaneDraft, lane), number, row);
      count_row (self, lane, row);
    }
  return TRUE;
}
