/* Lanes of the timeline: groups the rows of a trace by process, host and connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-lane-pack.h"
#include "draw/ns-timeline-lanes-draft.h"

#include <string.h>

/* Maximum number of lanes shown below a process; the others are folded into a "more" lane. */
#define MAX_BESIDE 8
/* Block size of the string chunk of lane names; large blocks make freeing a million names fast. */
#define TEXTS_BLOCK (256 << 10)

static int
compare_by_open (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const NsActivityRow *rows = user_data;
  guint32 row_a = *(const guint32 *) a;
  guint32 row_b = *(const guint32 *) b;
  gint64 open_a = ns_lane_open_of (&rows[row_a]);
  gint64 open_b = ns_lane_open_of (&rows[row_b]);

  if (open_a != open_b)
    return open_a < open_b ? -1 : 1;
  return row_a < row_b ? -1 : row_a > row_b;
}

/* Returns @rows, or all activities, sorted by open time. Most traces have them in that order. */
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

static int
compare_by_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  GArray *drafts = user_data;
  guint32 number_a = *(const guint32 *) a;
  guint32 number_b = *(const guint32 *) b;
  guint n_a = g_array_index (drafts, NsLaneDraft, number_a).lane.n_rows;
  guint n_b = g_array_index (drafts, NsLaneDraft, number_b).lane.n_rows;

  if (n_a != n_b)
    return n_a > n_b ? -1 : 1;
  return number_a < number_b ? -1 : number_a > number_b;
}

static void emit_lane (NsLaneBuilder *self,
                       NsTimelineLanes *lanes,
                       guint32 number,
                       guint32 parent,
                       guint shift);

/* Adds the lane that stands for the lanes with the fewest rows. Returns its index. */
static guint32
emit_more (NsLaneBuilder *self,
           NsTimelineLanes *lanes,
           const NsLaneDraft *above,
           const GArray *others)
{
  const NsLaneDraft *first =
      &g_array_index (self->drafts, NsLaneDraft, g_array_index (others, guint32, 0));
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
          &g_array_index (self->drafts, NsLaneDraft, g_array_index (others, guint32, i)).lane;

      lane.n_rows += one->n_rows;
      lane.n_failed += one->n_failed;
      lane.protocol = MAX (lane.protocol, one->protocol);
    }
  g_array_append_val (lanes->lanes, lane);
  return lanes->lanes->len - 1;
}

/* Adds the children of a lane: those with the most rows, in their order, and a "more" lane for
 * the others. */
static void
emit_most_and_more (NsLaneBuilder *self, NsTimelineLanes *lanes, guint32 number)
{
  const NsLaneDraft *above = &g_array_index (self->drafts, NsLaneDraft, number);
  g_autoptr (GArray) by_rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 more;
  guint32 child;
  guint i;

  for (child = above->first_child; child != NS_LANE_NONE;
       child = g_array_index (self->drafts, NsLaneDraft, child).next)
    g_array_append_val (by_rows, child);
  g_array_sort_with_data (by_rows, compare_by_rows, self->drafts);
  for (i = 0; i < by_rows->len; i++)
    g_array_index (self->drafts, NsLaneDraft, g_array_index (by_rows, guint32, i)).is_more =
        i >= MAX_BESIDE;
  for (child = above->first_child; child != NS_LANE_NONE;
       child = g_array_index (self->drafts, NsLaneDraft, child).next)
    if (g_array_index (self->drafts, NsLaneDraft, child).is_more)
      g_array_append_val (others, child);
    else
      emit_lane (self, lanes, child, above->final, 0);
  more = emit_more (self, lanes, above, others);
  for (i = 0; i < others->len; i++)
    emit_lane (self, lanes, g_array_index (others, guint32, i), more, 1);
}

/* Adds a connection to a lane that it shares with others. Connections are added by start. */
static void
share_lane (NsTimelineLanes *lanes, NsLane *lane, const NsLaneDraft *one)
{
  NsConnectionSpan span = { one->life.begin_ns, one->life.end_ns, one->first_row };

  if (lane->n_lives++ == 0)
    lane->first_span = lanes->connection_spans->len;
  g_array_append_val (lanes->connection_spans, span);
}

/* Sets a name such as "3 connections: 7 – 24". */
static void
name_shared_lane (NsLaneBuilder *self, const NsTimelineLanes *lanes, NsLane *lane)
{
  NsConnectionKind end = NS_CONNECTION_KIND_NONE;
  guint32 lowest = G_MAXUINT32;
  guint32 highest = 0;
  g_autofree char *name = NULL;
  guint i;

  for (i = 0; i < lane->n_lives; i++)
    {
      const NsConnectionSpan *span =
          &g_array_index (lanes->connection_spans, NsConnectionSpan, lane->first_span + i);
      guint32 number;
      NsConnectionKind one = ns_lane_connection_number (&g_array_index (self->trace->activities,
                                                                        NsActivityRow,
                                                                        span->row),
                                                        &number);

      if (i == 0)
        end = one;
      /* Numbers of different tables form no range. */
      else if (one != end)
        end = NS_CONNECTION_KIND_NONE;
      lowest = MIN (lowest, number);
      highest = MAX (highest, number);
    }
  name = self->words->several (end, lane->n_lives, lowest, highest);
  lane->name = g_string_chunk_insert (self->texts, name);
  lane->detail = NULL;
}

/* Adds the rows of a connection to a lane, and its lifetime if the lane is shared. */
static void
take_connection (NsLaneBuilder *self,
                 NsTimelineLanes *lanes,
                 NsLane *lane,
                 NsLaneDraft *one,
                 gboolean is_shared)
{
  lane->n_rows += one->lane.n_rows;
  lane->n_failed += one->lane.n_failed;
  lane->protocol = MAX (lane->protocol, one->lane.protocol);
  if (one->lane.reused != lane->reused)
    lane->reused = -1;
  if (is_shared)
    share_lane (lanes, lane, one);
}

/* Adds a lane for the connections in @members, which are drafts sorted by first use. */
static void
emit_connections (NsLaneBuilder *self,
                  NsTimelineLanes *lanes,
                  const guint32 *members,
                  guint n_members,
                  guint32 parent)
{
  NsLane lane = g_array_index (self->drafts, NsLaneDraft, members[0]).lane;
  guint i;

  lane.parent = parent;
  lane.level = (guint8) (g_array_index (lanes->lanes, NsLane, parent).level + 1);
  lane.n_rows = 0;
  lane.n_failed = 0;
  for (i = 0; i < n_members; i++)
    {
      NsLaneDraft *one = &g_array_index (self->drafts, NsLaneDraft, members[i]);

      one->final = lanes->lanes->len;
      take_connection (self, lanes, &lane, one, n_members > 1);
    }
  if (n_members > 1)
    name_shared_lane (self, lanes, &lane);
  g_array_append_val (lanes->lanes, lane);
}

/* Connections of a server with the line of each; those that do not overlap share a line. */
typedef struct
{
  GArray *drafts; /* (element-type guint32) */
  guint32 *lines;
  guint n_lines;
} Packing;

static void
packing_clear (Packing *packing)
{
  g_clear_pointer (&packing->drafts, g_array_unref);
  g_clear_pointer (&packing->lines, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Packing, packing_clear)

static void
pack (NsLaneBuilder *self, const NsLaneDraft *server, Packing *packing)
{
  g_autofree NsTimeSpan *spans = g_new (NsTimeSpan, server->lane.n_children);
  guint n = 0;
  guint32 child;

  packing->drafts = g_array_sized_new (FALSE, FALSE, sizeof (guint32), server->lane.n_children);
  packing->lines = g_new (guint32, server->lane.n_children);
  for (child = server->first_child; child != NS_LANE_NONE;
       child = g_array_index (self->drafts, NsLaneDraft, child).next)
    {
      g_array_append_val (packing->drafts, child);
      spans[n++] = g_array_index (self->drafts, NsLaneDraft, child).life;
    }
  packing->n_lines = ns_lane_pack (spans, n, packing->lines);
}

/* Adds a lane for each line, with its connections sorted by first use. */
static void
emit_lines (NsLaneBuilder *self, NsTimelineLanes *lanes, const Packing *packing, guint32 parent)
{
  g_autofree guint *ends = g_new0 (guint, packing->n_lines + 1);
  g_autofree guint32 *members = g_new (guint32, packing->drafts->len);
  guint i;

  for (i = 0; i < packing->drafts->len; i++)
    ends[packing->lines[i] + 1]++;
  for (i = 0; i < packing->n_lines; i++)
    ends[i + 1] += ends[i];
  for (i = 0; i < packing->drafts->len; i++)
    members[ends[packing->lines[i]]++] = g_array_index (packing->drafts, guint32, i);
  for (i = 0; i < packing->n_lines; i++)
    {
      guint begin = i > 0 ? ends[i - 1] : 0;

      emit_connections (self, lanes, members + begin, ends[i] - begin, parent);
    }
}

/* Merges the connections of a server into its own lane, which is their only line. */
static void
swallow_connections (NsLaneBuilder *self, NsTimelineLanes *lanes, NsLaneDraft *server, NsLane *lane)
{
  gboolean is_shared = lane->n_children > 1;
  guint32 child;

  lane->n_children = 0;
  lane->reused = g_array_index (self->drafts, NsLaneDraft, server->first_child).lane.reused;
  lane->n_rows = 0;
  lane->n_failed = 0;
  for (child = server->first_child; child != NS_LANE_NONE;
       child = g_array_index (self->drafts, NsLaneDraft, child).next)
    {
      NsLaneDraft *one = &g_array_index (self->drafts, NsLaneDraft, child);

      one->final = server->final;
      take_connection (self, lanes, lane, one, is_shared);
    }
}

/* Adds the lane of a draft and its descendants. A host with one connection is merged with it. */
static void
emit_lane (NsLaneBuilder *self, NsTimelineLanes *lanes, guint32 number, guint32 parent, guint shift)
{
  NsLaneDraft *draft = &g_array_index (self->drafts, NsLaneDraft, number);
  guint32 child = draft->first_child;
  NsLane lane = draft->lane;
  g_auto (Packing) packing = { NULL, NULL, 0 };

  draft->final = lanes->lanes->len;
  lane.parent = parent;
  if (lane.level == 1 && lane.n_children > 1 && self->packs)
    {
      pack (self, draft, &packing);
      lane.n_children = packing.n_lines;
    }
  if (lane.level == 1 && lane.n_children == 1)
    {
      lane.n_children = draft->lane.n_children;
      swallow_connections (self, lanes, draft, &lane);
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
  if (packing.n_lines > 1)
    {
      emit_lines (self, lanes, &packing, draft->final);
      return;
    }

  /* The depth is at most four levels and does not depend on the data. */
  for (; child != NS_LANE_NONE; child = g_array_index (self->drafts, NsLaneDraft, child).next)
    emit_lane (self, lanes, child, draft->final, shift);
}

/* Assigns each lane its ranges of the tracks and of the blocks. */
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

/* Adds each row to the tracks of its lane and of the ancestors. Returns FALSE if cancelled. */
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
      gboolean failed = ns_lane_has_failed (options, trace, row);

      if (!ns_lane_goes_on (options, 1, i, sorted->len))
        return FALSE;
      while (at != NS_LANE_NONE)
        {
          NsLane *lane = &g_array_index (self->lanes, NsLane, at);

          self->open_ns[lane->first + n_put[at]] = ns_lane_open_of (row);
          self->close_ns[lane->first + n_put[at]] = ns_lane_close_of (trace, row);
          put_row (self, lane, n_put[at]++, number, failed);
          at = lane->parent;
        }
    }
  return TRUE;
}

/**
 * ns_timeline_lanes_new:
 * @trace: an opened trace; not kept
 * @rows: (nullable) (element-type guint32): activities to show, 0-based; %NULL for all
 * @words: texts for lanes without a name of their own
 *
 * Groups rows into lanes: processes by number of rows, hosts and connections by their first row.
 * Takes time in proportion to the number of rows; a frame reads blocks of rows only.
 *
 * Returns: (transfer full): the lanes
 */
NsTimelineLanes *
ns_timeline_lanes_new (const NsTrace *trace, const GArray *rows, const NsTimelineTexts *words)
{
  const NsLaneOptions options = { .grouping = NS_LANES_BY_PROCESS };

  return ns_timeline_lanes_new_grouped (trace, rows, words, &options);
}

/**
 * ns_timeline_lanes_new_grouped:
 * @trace: an opened trace; not kept
 * @rows: (nullable) (element-type guint32): activities to show, 0-based; %NULL for all
 * @words: texts for lanes without a name of their own
 * @options: grouping and other options
 *
 * Like ns_timeline_lanes_new(), which groups by process first. Connections are always innermost. If
 * there are more than %NS_LANE_MAX_UNPACKED of them, connections of one server that do not overlap
 * share a lane (first fit by first use); this depends on their rows, not on the visible range.
 *
 * Returns: (transfer full) (nullable): the lanes; %NULL if cancelled
 */
NsTimelineLanes *
ns_timeline_lanes_new_grouped (const NsTrace *trace,
                               const GArray *rows,
                               const NsTimelineTexts *words,
                               const NsLaneOptions *options)
{
  g_autoptr (NsTimelineLanes) self = g_new0 (NsTimelineLanes, 1);
  g_autoptr (GArray) sorted = sort_rows (trace, rows);
  g_autoptr (NsMap) map = ns_map_new ();
  g_autoptr (GArray) drafts = g_array_new (FALSE, TRUE, sizeof (NsLaneDraft));
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (guint32));
  NsLaneBuilder builder = { trace, words, options, map, drafts, roots };
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
  self->connection_spans = g_array_new (FALSE, FALSE, sizeof (NsConnectionSpan));
  self->log_marks = g_array_new (FALSE, TRUE, sizeof (NsLogMark));

  builder.leaf = self->leaf;
  builder.texts = self->texts;
  if (!ns_lane_assign_rows (&builder, sorted))
    return NULL;
  builder.packs = !options->is_unpacked && words->several != NULL &&
                  builder.n_connections > NS_LANE_MAX_UNPACKED;
  g_array_sort_with_data (roots, compare_by_rows, drafts);
  if (options->states != NULL && words->states != NULL)
    ns_timeline_lanes_add_states (self, words, options->states);
  for (i = 0; i < roots->len; i++)
    emit_lane (&builder, self, g_array_index (roots, guint32, i), NS_LANE_NONE, 0);
  ns_timeline_lanes_add_logs (self, trace, options->log_rows, options->dims_logs);
  for (i = 0; i < self->n_leaves; i++)
    if (self->leaf[i] != NS_LANE_NONE)
      self->leaf[i] = g_array_index (drafts, NsLaneDraft, self->leaf[i]).final;

  allocate_tracks (self);
  if (!fill_tracks (self, trace, sorted, options))
    return NULL;
  ns_timeline_lanes_set_filter (self, NULL);
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
  g_array_unref (self->connection_spans);
  g_array_unref (self->log_marks);
  g_string_chunk_free (self->texts);
  g_free (self->leaf);
  g_free (self->rows);
  g_free (self->open_ns);
  g_free (self->close_ns);
  g_free (self->failed);
  g_free (self->blocks);
  g_free (self->matches_filter);
  ns_state_marks_unref (self->states);
  g_free (self->highlighted);
  g_free (self->found);
  g_free (self);
}
