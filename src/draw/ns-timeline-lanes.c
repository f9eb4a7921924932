/* The lanes of the timeline: sorts the rows of a trace into processes, hosts and connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "draw/ns-row-span.h"
#include "draw/ns-timeline-lanes.h"
#include "engine/ns-activity-below.h"
#include "query/ns-field-get.h"

#include <string.h>

/* Lanes below a process that stand beside each other before the rest folds into a line. */
#define MAX_BESIDE 8
/* Names of so many bytes are kept together: a million of them are given back in no time. */
#define TEXTS_BLOCK (256 << 10)
/* After so many rows it is asked whether to go on. */
#define ROWS_BETWEEN 16384

/* A lane while its rows are still being counted. */
typedef struct
{
  NsLane lane;
  guint32 first_child; /* drafts, NS_LANE_NONE: none */
  guint32 last_child;
  guint32 next;
  guint32 final;    /* its number among the lanes */
  gboolean is_more; /* it has few rows and stands under the line of such */
} Draft;

typedef struct
{
  const NsTrace *trace;
  const NsTimelineWords *words;
  const NsLaneOptions *options;
  NsMap *map;     /* (parent, key) → draft + 1 */
  GArray *drafts; /* Draft */
  GArray *roots;  /* guint32: drafts of processes */
  guint32 *leaf;  /* draft of each row */
  GStringChunk *texts;
} Builder;

static gint64
open_of (const NsActivityRow *row)
{
  return row->open_ns == NS_TIME_NONE ? 0 : row->open_ns;
}

static gint64
close_of (const NsTrace *trace, const NsActivityRow *row)
{
  return MAX (ns_row_span_end (trace, row), open_of (row));
}

static int
compare_by_open (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const NsActivityRow *rows = user_data;
  guint32 row_a = *(const guint32 *) a;
  guint32 row_b = *(const guint32 *) b;
  gint64 open_a = open_of (&rows[row_a]);
  gint64 open_b = open_of (&rows[row_b]);

  if (open_a != open_b)
    return open_a < open_b ? -1 : 1;
  return row_a < row_b ? -1 : row_a > row_b;
}

/* All rows, or those asked for, by their opening. Most traces have them so already. */
static GArray *
sort_rows (const NsTrace *trace, const GArray *rows)
{
  const NsActivityRow *activities = (const NsActivityRow *) (gpointer) trace->activities->data;
  guint n_rows = rows != NULL ? rows->len : trace->activities->len;
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  gboolean is_sorted = TRUE;
  guint i;

  g_array_set_size (sorted, n_rows);
  for (i = 0; i < n_rows; i++)
    {
      guint32 row = rows != NULL ? g_array_index (rows, guint32, i) : i;

      g_array_index (sorted, guint32, i) = row;
      if (i > 0 && is_sorted)
        is_sorted =
            compare_by_open (&g_array_index (sorted, guint32, i - 1), &row, (gpointer) activities) <
            0;
    }
  if (!is_sorted)
    g_array_sort_with_data (sorted, compare_by_open, (gpointer) activities);
  return sorted;
}

static guint32
find_draft (Builder *self, guint32 parent, guint64 key)
{
  return ns_map_get (self->map, parent, key) - 1;
}

static guint32
add_draft (Builder *self,
           guint32 parent,
           guint64 key,
           NsLaneKind kind,
           const char *name,
           const char *detail)
{
  Draft draft = {
    .lane = { .kind = kind,
              .level = parent == NS_LANE_NONE
                           ? 0
                           : (guint8) (g_array_index (self->drafts, Draft, parent).lane.level + 1),
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
      Draft *above = &g_array_index (self->drafts, Draft, parent);

      draft.lane.key = ns_map_mix (above->lane.key, key);
      if (above->last_child == NS_LANE_NONE)
        above->first_child = number;
      else
        g_array_index (self->drafts, Draft, above->last_child).next = number;
      above->last_child = number;
      above->lane.n_children++;
    }
  g_array_append_val (self->drafts, draft);
  ns_map_set (self->map, parent, key, number + 1);
  return number;
}

/* Gives a lane the key that it is known by where rows and texts have other numbers: in a part of
 * the trace, or when it is opened again after it grew. Lanes are told apart by what they were found
 * with, so two that are known by one key have one mark, no more.
 */
static guint32
know_by (Builder *self, guint32 number, guint64 key)
{
  Draft *draft = &g_array_index (self->drafts, Draft, number);

  draft->lane.key =
      draft->lane.parent == NS_LANE_NONE
          ? key
          : ns_map_mix (g_array_index (self->drafts, Draft, draft->lane.parent).lane.key, key);
  return number;
}

/* What is written after a name: a number behind @prefix, or nothing. */
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

/* When a process was started; 0: before the trace, or not known. */
static guint64
get_start (Builder *self, NsRow process)
{
  const NsProcessRow *row;

  if (process == 0)
    return 0;
  row = &g_array_index (self->trace->processes, NsProcessRow, process - 1);
  return row->before_trace ? 0 : (guint64) row->start_ns;
}

static guint32
find_process_lane (Builder *self, guint32 parent, const NsActivityRow *row)
{
  NsRow process =
      row->pid == NS_PID_UNKNOWN ? 0 : ns_trace_find_process (self->trace, row->pid, open_of (row));
  guint64 key = process != 0 ? process : (G_GUINT64_CONSTANT (1) << 40 | row->pid);
  guint32 lane = find_draft (self, parent, key);
  const char *name = NULL;
  Detail detail;

  if (lane != NS_LANE_NONE)
    return lane;
  if (row->pid != NS_PID_UNKNOWN)
    name = ns_trace_get_process_name (self->trace, row->pid, open_of (row));
  if (name == NULL || *name == '\0')
    name = self->words->no_process;
  lane = add_draft (self,
                    parent,
                    key,
                    NS_LANE_PROCESS,
                    name,
                    print_detail (&detail, "", row->pid, row->pid != NS_PID_UNKNOWN));
  return know_by (self, lane, ns_map_mix (row->pid, get_start (self, process)));
}

static guint32
find_server_lane (Builder *self, guint32 parent, const NsActivityRow *row)
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
  return know_by (self, lane, key);
}

static guint32
find_protocol_lane (Builder *self, const NsActivityRow *row)
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
find_thread_lane (Builder *self, const NsActivityRow *row)
{
  guint64 key = (guint64) row->pid << 32 | row->tid;
  guint32 lane = find_draft (self, NS_LANE_NONE, key);
  const char *process = NULL;
  Detail detail;

  if (lane != NS_LANE_NONE)
    return lane;
  if (row->pid != NS_PID_UNKNOWN)
    process = ns_trace_get_process_name (self->trace, row->pid, open_of (row));
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
find_activity_lane (Builder *self, const NsActivityRow *row)
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

/* The lane above the connection's: how many levels there are is the grouping's matter. */
static guint32
find_upper_lane (Builder *self, const NsActivityRow *row)
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

static guint64
connection_key (const NsActivityRow *row)
{
  if (row->tcp != 0)
    return G_GUINT64_CONSTANT (1) << 40 | row->tcp;
  if (row->winsock != 0)
    return G_GUINT64_CONSTANT (2) << 40 | row->winsock;
  if (row->kernel_network != 0)
    return G_GUINT64_CONSTANT (3) << 40 | row->kernel_network;
  if (row->connection != 0)
    return ns_map_mix (4, row->connection);
  if (row->socket != 0)
    return ns_map_mix (5, row->socket);
  return 0;
}

/* What of it is the same in a part of the trace. */
static guint64
connection_identity (Builder *self, const NsActivityRow *row)
{
  guint64 ends = ns_map_mix (ns_endpoint_hash (row->remote), row->local->port);

  if (row->tcp == 0 && row->winsock == 0 && row->kernel_network == 0)
    return connection_key (row);
  return ns_map_mix (ends, ns_activity_get_tcb (self->trace, row));
}

/* The number that sentences, fields and links have for it, too: of its row in the table below. */
static void
print_connection (const NsTimelineWords *words, const NsActivityRow *row, char *name, gsize size)
{
  const char *connection = words->connection != NULL ? words->connection : "";

  if (row->tcp != 0)
    g_snprintf (name, size, "%s %u", connection, row->tcp);
  else if (row->winsock != 0)
    g_snprintf (name, size, "%s %u", words->socket != NULL ? words->socket : "", row->winsock);
  else if (row->kernel_network != 0)
    g_snprintf (name, size, "%s %u", words->flow != NULL ? words->flow : "", row->kernel_network);
  else if (row->connection != 0)
    g_snprintf (name, size, "%s 0x%" G_GINT64_MODIFIER "x", connection, row->connection);
  else if (row->socket != 0)
    g_snprintf (name, size, "%s :%u", words->socket != NULL ? words->socket : "", row->socket);
  else
    g_snprintf (name, size, "%s", connection);
}

static guint32
find_connection_lane (Builder *self, guint32 parent, const NsActivityRow *row)
{
  guint64 key = connection_key (row);
  guint32 lane = find_draft (self, parent, key);
  char name[128];
  Detail detail;

  if (lane != NS_LANE_NONE)
    return lane;
  print_connection (self->words, row, name, sizeof name);
  lane = add_draft (self,
                    parent,
                    key,
                    NS_LANE_CONNECTION,
                    name,
                    print_detail (&detail, ":", row->local->port, row->local->port != 0));
  return know_by (self, lane, connection_identity (self, row));
}

/* Whether a row had failed by the moment of a playback. */
static gboolean
has_failed (const NsLaneOptions *options, const NsTrace *trace, const NsActivityRow *row)
{
  return row->failed &&
         (!options->has_moment || ns_row_span_end (trace, row) <= options->moment_ns);
}

static void
count_row (Builder *self, guint32 number, const NsActivityRow *row)
{
  guint n_failed = has_failed (self->options, self->trace, row) ? 1 : 0;

  while (number != NS_LANE_NONE)
    {
      NsLane *lane = &g_array_index (self->drafts, Draft, number).lane;

      lane->n_rows++;
      lane->n_failed += n_failed;
      if (lane->protocol == 0 || row->protocol > lane->protocol)
        lane->protocol = row->protocol;
      if (lane->kind == NS_LANE_CONNECTION && lane->n_rows == 1)
        lane->reused = row->reused;
      number = lane->parent;
    }
}

/* Of two passes over the rows, @pass is the one under way. */
static gboolean
goes_on (const NsLaneOptions *options, guint pass, guint done, guint n_rows)
{
  return options->progress == NULL || done % ROWS_BETWEEN != 0 ||
         options->progress ((pass + (double) done / n_rows) / 2, options->progress_data);
}

/* FALSE when stopped. */
static gboolean
assign_rows (Builder *self, const GArray *sorted)
{
  guint i;

  for (i = 0; i < sorted->len; i++)
    {
      guint32 number = g_array_index (sorted, guint32, i);
      const NsActivityRow *row = &g_array_index (self->trace->activities, NsActivityRow, number);
      guint32 lane;

      if (!goes_on (self->options, 0, i, sorted->len))
        return FALSE;
      lane = find_connection_lane (self, find_upper_lane (self, row), row);
      self->leaf[number] = lane;
      count_row (self, lane, row);
    }
  return TRUE;
}

static int
compare_by_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  GArray *drafts = user_data;
  guint32 number_a = *(const guint32 *) a;
  guint32 number_b = *(const guint32 *) b;
  guint n_a = g_array_index (drafts, Draft, number_a).lane.n_rows;
  guint n_b = g_array_index (drafts, Draft, number_b).lane.n_rows;

  if (n_a != n_b)
    return n_a > n_b ? -1 : 1;
  return number_a < number_b ? -1 : number_a > number_b;
}

static void
emit_lane (Builder *self, NsTimelineLanes *lanes, guint32 number, guint32 parent, guint shift);

/* The line that stands for the lanes with the fewest rows. */
static guint32
emit_more (Builder *self, NsTimelineLanes *lanes, const Draft *above, const GArray *others)
{
  const Draft *first = &g_array_index (self->drafts, Draft, g_array_index (others, guint32, 0));
  NsLane lane = { .kind = NS_LANE_MORE,
                  .level = 1,
                  .parent = above->final,
                  .key = ns_map_mix (above->lane.key, NS_LANE_MORE),
                  .reused = -1,
                  .is_folded = TRUE,
                  .n_children = others->len };
  g_autofree char *name = self->words->more (first->lane.kind, others->len);
  guint i;

  lane.name = g_string_chunk_insert (self->texts, name);
  for (i = 0; i < others->len; i++)
    {
      const NsLane *one =
          &g_array_index (self->drafts, Draft, g_array_index (others, guint32, i)).lane;

      lane.n_rows += one->n_rows;
      lane.n_failed += one->n_failed;
      lane.protocol = MAX (lane.protocol, one->protocol);
    }
  g_array_append_val (lanes->lanes, lane);
  return lanes->lanes->len - 1;
}

/* The lanes below one: those with the most rows, in their order, and a line for all others. */
static void
emit_most_and_more (Builder *self, NsTimelineLanes *lanes, guint32 number)
{
  const Draft *above = &g_array_index (self->drafts, Draft, number);
  g_autoptr (GArray) by_rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 more;
  guint32 child;
  guint i;

  for (child = above->first_child; child != NS_LANE_NONE;
       child = g_array_index (self->drafts, Draft, child).next)
    g_array_append_val (by_rows, child);
  g_array_sort_with_data (by_rows, compare_by_rows, self->drafts);
  for (i = 0; i < by_rows->len; i++)
    g_array_index (self->drafts, Draft, g_array_index (by_rows, guint32, i)).is_more =
        i >= MAX_BESIDE;
  for (child = above->first_child; child != NS_LANE_NONE;
       child = g_array_index (self->drafts, Draft, child).next)
    if (g_array_index (self->drafts, Draft, child).is_more)
      g_array_append_val (others, child);
    else
      emit_lane (self, lanes, child, above->final, 0);
  more = emit_more (self, lanes, above, others);
  for (i = 0; i < others->len; i++)
    emit_lane (self, lanes, g_array_index (others, guint32, i), more, 1);
}

/* Appends a draft and what is under it; a host with one connection swallows it. */
static void
emit_lane (Builder *self, NsTimelineLanes *lanes, guint32 number, guint32 parent, guint shift)
{
  Draft *draft = &g_array_index (self->drafts, Draft, number);
  guint32 child = draft->first_child;
  NsLane lane = draft->lane;

  draft->final = lanes->lanes->len;
  lane.parent = parent;
  if (lane.level == 1 && lane.n_children == 1)
    {
      Draft *only = &g_array_index (self->drafts, Draft, child);

      only->final = draft->final;
      lane.reused = only->lane.reused;
      lane.n_children = 0;
      child = NS_LANE_NONE;
    }
  lane.is_folded = lane.level == 1 && lane.n_children > NS_LANE_MAX_OPEN_CHILDREN;
  lane.level = (guint8) (lane.level + shift);
  g_array_append_val (lanes->lanes, lane);
  if (draft->lane.level == 0 && lane.n_children > MAX_BESIDE + 1 && self->words->more != NULL)
    {
      emit_most_and_more (self, lanes, number);
      return;
    }

  /* Four levels at most: the depth is ours, not the data's. */
  for (; child != NS_LANE_NONE; child = g_array_index (self->drafts, Draft, child).next)
    emit_lane (self, lanes, child, draft->final, shift);
}

/* Gives each lane its stretch of the tracks and of the blocks. */
static void
allocate_tracks (NsTimelineLanes *self)
{
  guint n_rows = 0;
  guint n_blocks = 0;
  guint i;

  for (i = 0; i < self->lanes->len; i++)
    {
      NsLane *lane = &g_array_index (self->lanes, NsLane, i);

      lane->first = n_rows;
      lane->first_block = n_blocks;
      n_rows += lane->n_rows;
      n_blocks += (lane->n_rows + NS_LANE_BLOCK - 1) / NS_LANE_BLOCK;
    }
  self->rows = g_new (guint32, n_rows);
  self->open_ns = g_new (gint64, n_rows);
  self->close_ns = g_new (gint64, n_rows);
  self->failed = g_new (guint8, n_rows);
  self->blocks = g_new0 (NsLaneBlock, n_blocks);
}

static void
put_row (NsTimelineLanes *self, NsLane *lane, guint nth, guint32 number, gboolean failed)
{
  NsLaneBlock *block = &self->blocks[lane->first_block + nth / NS_LANE_BLOCK];
  guint at = lane->first + nth;

  if (nth % NS_LANE_BLOCK == 0)
    block->reach_ns = nth > 0 ? block[-1].reach_ns : G_MININT64;
  self->rows[at] = number;
  self->failed[at] = failed ? 1 : 0;
  block->n_failed += failed ? 1 : 0;
  block->longest_ns = MAX (block->longest_ns, self->close_ns[at] - self->open_ns[at]);
  block->reach_ns = MAX (block->reach_ns, self->close_ns[at]);
}

/* FALSE when stopped. */
static gboolean
fill_tracks (NsTimelineLanes *self,
             const NsTrace *trace,
             const GArray *sorted,
             const NsLaneOptions *options)
{
  g_autofree guint *n_put = g_new0 (guint, self->lanes->len);
  guint i;

  for (i = 0; i < sorted->len; i++)
    {
      guint32 number = g_array_index (sorted, guint32, i);
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, number);
      guint32 at = self->leaf[number];
      gboolean failed = has_failed (options, trace, row);

      if (!goes_on (options, 1, i, sorted->len))
        return FALSE;
      while (at != NS_LANE_NONE)
        {
          NsLane *lane = &g_array_index (self->lanes, NsLane, at);

          self->open_ns[lane->first + n_put[at]] = open_of (row);
          self->close_ns[lane->first + n_put[at]] = close_of (trace, row);
          put_row (self, lane, n_put[at]++, number, failed);
          at = lane->parent;
        }
    }
  return TRUE;
}

/**
 * ns_timeline_lanes_new:
 * @trace: an opened trace; must outlive the call only
 * @rows: (nullable) (element-type guint32): activities to show, 0-based; %NULL for all
 * @words: texts for lanes without a name of their own
 *
 * Sorts rows into lanes: processes with the most rows first, hosts and connections by their first
 * row. Takes time in proportion to the rows, and time only once: a frame looks at blocks.
 *
 * Returns: (transfer full): the lanes
 */
NsTimelineLanes *
ns_timeline_lanes_new (const NsTrace *trace, const GArray *rows, const NsTimelineWords *words)
{
  const NsLaneOptions options = { .grouping = NS_LANES_BY_PROCESS };

  return ns_timeline_lanes_new_grouped (trace, rows, words, &options);
}

/**
 * ns_timeline_lanes_new_grouped:
 * @trace: an opened trace; must outlive the call only
 * @rows: (nullable) (element-type guint32): activities to show, 0-based; %NULL for all
 * @words: texts for lanes without a name of their own
 * @options: what else is wanted of them
 *
 * As ns_timeline_lanes_new(), which has processes outermost. Connections are always innermost.
 *
 * Returns: (transfer full) (nullable): the lanes; %NULL when stopped
 */
NsTimelineLanes *
ns_timeline_lanes_new_grouped (const NsTrace *trace,
                               const GArray *rows,
                               const NsTimelineWords *words,
                               const NsLaneOptions *options)
{
  g_autoptr (NsTimelineLanes) self = g_new0 (NsTimelineLanes, 1);
  g_autoptr (GArray) sorted = sort_rows (trace, rows);
  g_autoptr (NsMap) map = ns_map_new ();
  g_autoptr (GArray) drafts = g_array_new (FALSE, TRUE, sizeof (Draft));
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (guint32));
  Builder builder = { trace, words, options, map, drafts, roots, NULL, NULL };
  guint i;

  self->n_leaves = trace->activities->len;
  self->leaf = g_new (guint32, self->n_leaves);
  if (self->n_leaves > 0)
    memset (self->leaf, 0xff, sizeof (guint32) * self->n_leaves);
  self->lanes = g_array_new (FALSE, FALSE, sizeof (NsLane));
  self->turned = g_array_new (FALSE, FALSE, sizeof (NsLaneFold));
  self->marked = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->texts = g_string_chunk_new (TEXTS_BLOCK);
  self->shown = g_array_new (FALSE, FALSE, sizeof (guint32));

  builder.leaf = self->leaf;
  builder.texts = self->texts;
  if (!assign_rows (&builder, sorted))
    return NULL;
  g_array_sort_with_data (roots, compare_by_rows, drafts);
  if (options->states != NULL && words->states != NULL)
    ns_timeline_lanes_add_states (self, words, options->states);
  for (i = 0; i < roots->len; i++)
    emit_lane (&builder, self, g_array_index (roots, guint32, i), NS_LANE_NONE, 0);
  for (i = 0; i < self->n_leaves; i++)
    if (self->leaf[i] != NS_LANE_NONE)
      self->leaf[i] = g_array_index (drafts, Draft, self->leaf[i]).final;

  allocate_tracks (self);
  if (!fill_tracks (self, trace, sorted, options))
    return NULL;
  ns_timeline_lanes_keep (self, NULL);
  ns_timeline_lanes_list_shown (self);
  return g_steal_pointer (&self);
}

/**
 * ns_timeline_lanes_free:
 * @self: (transfer full) (nullable): lanes
 */
void
ns_timeline_lanes_free (NsTimelineLanes *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lanes);
  g_array_unref (self->shown);
  g_array_unref (self->turned);
  g_array_unref (self->marked);
  g_string_chunk_free (self->texts);
  g_free (self->leaf);
  g_free (self->rows);
  g_free (self->open_ns);
  g_free (self->close_ns);
  g_free (self->failed);
  g_free (self->blocks);
  g_free (self->kept);
  ns_state_marks_unref (self->states);
  g_free (self->found);
  g_free (self);
}

/**
 * ns_timeline_lanes_get:
 * @self: lanes
 * @lane: which
 *
 * Returns: the lane
 */
const NsLane *
ns_timeline_lanes_get (const NsTimelineLanes *self, guint32 lane)
{
  return &g_array_index (self->lanes, NsLane, lane);
}
