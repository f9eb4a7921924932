/* Tests the lanes of the timeline and the boxes of a frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-lane-pack.h"
#include "draw/ns-row-span.h"
#include "draw/ns-timeline-list.h"
#include "draw/ns-timeline-paint.h"

#include "ns-fake-trace.h"

static const NsTimelineTexts words = { "connection",  "no server", "no process",
                                       "no activity", NULL,        "cache" };

static char *
lanes_to_text (const NsTimelineLanes *lanes)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < lanes->shown->len; i++)
    {
      const NsLane *lane = ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, i));

      g_string_append_printf (text,
                              "%s%.*s%s %u",
                              i > 0 ? "|" : "",
                              (int) lane->level,
                              "--",
                              lane->name,
                              lane->n_rows);
    }
  return g_string_free (text, FALSE);
}

static NsTrace *
small_trace (void)
{
  NsTrace *trace = fake_trace_new (1000);

  fake_trace_add (trace, 2, "b", 9, 0, 100);
  fake_trace_add (trace, 1, "a", 1, 200, 300);
  fake_trace_add (trace, 1, "a", 2, 100, 500);
  fake_trace_add (trace, 1, "c", 3, 400, NS_TIME_OPEN);
  return trace;
}

/* A connection has the same number in lanes, sentences, links and fields. */
static void
test_a_connection_has_one_number (void)
{
  NsTrace *trace = fake_trace_new (1000);
  NsTimelineTexts with_all = words;
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autofree char *text = NULL;
  NsActivityRow *row;

  fake_trace_add (trace, 1, "a", 7, 100, 200);
  fake_trace_add (trace, 1, "a", 3, 200, 300);
  fake_trace_add (trace, 1, "a", 0, 300, 400);
  row = fake_trace_add (trace, 1, "a", 0, 400, 500);
  row->connection = 0x1c0000;
  /* A row without a connection that is part of one with a connection. */
  fake_trace_add (trace, 1, "a", 0, 450, 500)->parent = 1;
  with_all.within = "within";
  with_all.unknown = "not known";
  lanes = ns_timeline_lanes_new (trace, NULL, &with_all);
  text = lanes_to_text (lanes);
  g_assert_cmpstr (text,
                   ==,
                   "one.exe 5|-a 5|--connection 7 1|--connection 3 1|--not known 1|"
                   "--connection 0x1c0000 1|--within 7 1");
  fake_trace_free (trace);
}

static void
test_rows_stand_under_process_and_server (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autofree char *text = lanes_to_text (lanes);

  g_assert_cmpstr (text,
                   ==,
                   "one.exe 3|-a 2|--connection 2 1|--connection 1 1|-c 1|other.exe 1|-b 1");
  fake_trace_free (trace);
}

/* Formats bars and columns of a frame, d for dim, with the search hits: "b0 dB1 dc3+2 c1*1". */
static char *
frame_to_text (const NsTimelineLanes *lanes, double width)
{
  NsTimelineLayout layout;
  g_autoptr (NsTimelineList) list = NULL;
  GString *text = g_string_new (NULL);
  guint i;

  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000 }, width);
  list = ns_timeline_list_new (lanes, &layout, 0, 100);
  for (i = 0; i < list->bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (list->bars, NsTimelineBar, i);

      g_string_append_printf (text, "%sb%u ", bar->is_dim ? "d" : "", bar->row);
    }
  for (i = 0; i < list->columns->len; i++)
    {
      const NsTimelineColumn *column = &g_array_index (list->columns, NsTimelineColumn, i);

      if (!column->is_profile)
        g_string_append_printf (text,
                                "%sc%u+%u*%u ",
                                column->is_dim ? "d" : "",
                                column->shown,
                                column->n_opened,
                                column->n_found);
    }
  return g_string_free (text, FALSE);
}

/* Rows that the filter rejects keep their place, are dim, and are not counted. */
static void
test_rows_that_are_not_kept_are_dim (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *wide = NULL;
  g_autofree char *narrow = NULL;
  g_autofree char *again = NULL;
  const guint32 row = 2;
  const NsLane *process;

  g_array_append_val (kept, row);
  ns_timeline_lanes_set_filter (lanes, kept);
  ns_timeline_lanes_set_found (lanes, kept);
  process = ns_timeline_lanes_get (lanes, 0);
  g_assert_cmpuint (process->n_rows, ==, 3);
  g_assert_cmpuint (process->n_matching, ==, 1);
  wide = frame_to_text (lanes, 1000);
  g_assert_cmpstr (wide, ==, "b2 db1 db3 db0 ");
  /* Too narrow for bars: columns have both counts, too. */
  narrow = frame_to_text (lanes, 3);
  g_assert_cmpstr (narrow, ==, "c2+1*1 dc3+1*0 dc4+1*0 dc6+1*0 ");
  /* Navigation from bar to bar skips them. */
  g_assert_cmpuint (ns_timeline_lanes_step (lanes, 0, 2, -1), ==, 2);
  g_assert_cmpuint (ns_timeline_lanes_step (lanes, 0, 99, 1), ==, 2);
  ns_timeline_lanes_set_filter (lanes, NULL);
  again = frame_to_text (lanes, 1000);
  g_assert_cmpstr (again, ==, "b2 b1 b3 b0 ");
  fake_trace_free (trace);
}

/* Highlighted rows make the others dim, but all are counted as before. */
static void
test_rows_that_do_not_stand_out_are_dim (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autofree char *wide = NULL;
  g_autofree char *narrow = NULL;
  g_autofree char *again = NULL;
  const guint8 lit[] = { 0, 0, 1, 0 };

  ns_timeline_lanes_set_highlighted (lanes, lit, G_N_ELEMENTS (lit));
  g_assert_cmpuint (ns_timeline_lanes_get (lanes, 0)->n_matching, ==, 3);
  wide = frame_to_text (lanes, 1000);
  g_assert_cmpstr (wide, ==, "b2 db1 db3 db0 ");
  narrow = frame_to_text (lanes, 3);
  g_assert_cmpstr (narrow, ==, "c2+1*0 dc3+1*0 dc4+1*0 dc6+1*0 ");
  /* They can still be navigated to. */
  g_assert_true (ns_timeline_lanes_is_kept (lanes, 1));
  ns_timeline_lanes_set_highlighted (lanes, NULL, 0);
  again = frame_to_text (lanes, 1000);
  g_assert_cmpstr (again, ==, "b2 b1 b3 b0 ");
  fake_trace_free (trace);
}

/* Blocks of a thousand rows in one place count the rows that are kept and found. */
static void
test_blocks_count_what_is_kept (void)
{
  NsTrace *trace = fake_trace_new (G_GINT64_CONSTANT (1000000000));
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (NsTimelineList) list = NULL;
  NsTimelineLayout layout;
  guint32 n_opened[2] = { 0, 0 };
  guint32 n_found = 0;
  guint32 i;

  for (i = 0; i < 1000; i++)
    {
      fake_trace_add (trace, 1, "a", 1, i, i + 1);
      if (i % 4 == 0)
        g_array_append_val (kept, i);
    }
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  ns_timeline_lanes_set_filter (lanes, kept);
  ns_timeline_lanes_set_found (lanes, kept);
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000000000 }, 1000);
  list = ns_timeline_list_new (lanes, &layout, 0, 100);
  for (i = 0; i < list->columns->len; i++)
    {
      const NsTimelineColumn *column = &g_array_index (list->columns, NsTimelineColumn, i);

      if (column->is_profile)
        continue;
      n_opened[column->is_dim ? 1 : 0] += column->n_opened;
      n_found += column->n_found;
    }
  g_assert_cmpuint (n_opened[0], ==, 250);
  g_assert_cmpuint (n_opened[1], ==, 750);
  g_assert_cmpuint (n_found, ==, 250);
  fake_trace_free (trace);
}

static const char *
state_name (const char *id)
{
  return id;
}

/* The lane head ends with a pin button and an eye button; the rest of the head folds the lane. */
static void
test_a_head_has_two_buttons (void)
{
  NsTimelineMetrics metrics;

  ns_timeline_metrics_init (&metrics, 1);
  g_assert_cmpint (ns_timeline_find_lane_button (&metrics, 234, 100), ==, NS_LANE_BUTTON_NONE);
  g_assert_cmpint (ns_timeline_find_lane_button (&metrics, 234, 198), ==, NS_LANE_BUTTON_PIN);
  g_assert_cmpint (ns_timeline_find_lane_button (&metrics, 234, 218), ==, NS_LANE_BUTTON_HIDE);
  /* The right edge resizes the names column. */
  g_assert_cmpint (ns_timeline_find_lane_button (&metrics, 234, 231), ==, NS_LANE_BUTTON_NONE);
}

/* State changes are above all rows and are not rows. */
static void
test_states_have_lanes_and_no_rows (void)
{
  NsTrace *trace = small_trace ();
  NsTimelineTexts with_states = words;
  g_autoptr (NsStateMarks) marks = g_atomic_rc_box_new0 (NsStateMarks);
  NsStateLane state = { .id = "tcp-state" };
  NsStateMark mark = { .time_ns = 400, .event = 7 };
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autofree char *text = NULL;
  NsTimelineLayout layout;

  state.marks = g_array_new (FALSE, FALSE, sizeof (NsStateMark));
  g_array_append_val (state.marks, mark);
  marks->lanes = g_array_new (FALSE, FALSE, sizeof (NsStateLane));
  g_array_append_val (marks->lanes, state);
  with_states.states = "states";
  with_states.state_name = state_name;
  lanes = ns_timeline_lanes_new_grouped (trace,
                                         NULL,
                                         &with_states,
                                         &(NsLaneOptions){ .states = marks });
  text = lanes_to_text (lanes);
  g_assert_cmpstr (text,
                   ==,
                   "states 0|-tcp-state 0|"
                   "one.exe 3|-a 2|--connection 2 1|--connection 1 1|-c 1|other.exe 1|-b 1");
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000 }, 1000);
  g_assert_null (ns_timeline_states_find_at (lanes, &layout, 0, 400));
  g_assert_null (ns_timeline_states_find_at (lanes, &layout, 1, 420));
  g_assert_null (ns_timeline_states_find_at (lanes, &layout, 2, 400));
  g_assert_cmpuint (ns_timeline_states_find_at (lanes, &layout, 1, 404)->event, ==, 7);
  g_array_unref (state.marks);
  fake_trace_free (trace);
}

static NsStateLane
connection_lane (const char *name, guint64 number)
{
  NsStateLane lane = { .id = "tcp-state", .name = (char *) name, .connection = number };
  /* SYN sent at 200, established at 300, closed at 600. */
  NsStateMark marks[] = { { 200, 1, NULL, 0, 2 }, { 300, 2, NULL, 2, 4 }, { 600, 3, NULL, 4, 0 } };

  lane.marks = g_array_new (FALSE, FALSE, sizeof (NsStateMark));
  g_array_append_vals (lane.marks, marks, G_N_ELEMENTS (marks));
  return lane;
}

/* The state changes of all connections share one lane, with a lane for each connection below it. */
static void
test_a_connection_has_a_lane_of_its_states (void)
{
  NsTrace *trace = small_trace ();
  NsTimelineTexts with_states = words;
  g_autoptr (NsStateMarks) marks = g_atomic_rc_box_new0 (NsStateMarks);
  NsStateLane lane;
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autofree char *text = NULL;
  NsTimelineLayout layout;
  guint i;

  marks->lanes = g_array_new (FALSE, FALSE, sizeof (NsStateLane));
  lane = connection_lane (NULL, 0);
  g_array_append_val (marks->lanes, lane);
  for (i = 0; i < 2; i++)
    {
      lane = connection_lane (i == 0 ? "a:443" : "b:80", i + 1);
      g_array_append_val (marks->lanes, lane);
    }
  with_states.states = "states";
  with_states.state_name = state_name;
  lanes = ns_timeline_lanes_new_grouped (trace,
                                         NULL,
                                         &with_states,
                                         &(NsLaneOptions){ .states = marks });
  text = lanes_to_text (lanes);
  g_assert_true (g_str_has_prefix (text, "states 0|-tcp-state 0|--a:443 0|--b:80 0|one.exe 3|"));
  g_assert_cmpuint (ns_timeline_lanes_get (lanes, 0)->n_children, ==, 1);
  g_assert_cmpuint (ns_timeline_lanes_get (lanes, 1)->n_children, ==, 2);
  g_assert_cmpuint (ns_timeline_lanes_get (lanes, 3)->parent, ==, 1);
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000 }, 1000);
  /* A state lasts from its change to the next; before the first and after the last change there is
   * none. */
  g_assert_cmpuint (ns_timeline_states_find_at (lanes, &layout, 2, 250)->event, ==, 1);
  g_assert_cmpuint (ns_timeline_states_find_at (lanes, &layout, 2, 450)->event, ==, 2);
  g_assert_null (ns_timeline_states_find_at (lanes, &layout, 2, 100));
  g_assert_null (ns_timeline_states_find_at (lanes, &layout, 2, 700));
  for (i = 0; i < marks->lanes->len; i++)
    g_array_unref (g_array_index (marks->lanes, NsStateLane, i).marks);
  fake_trace_free (trace);
}

static void
test_nothing_to_draw_gives_no_lane (void)
{
  NsTrace *trace = fake_trace_new (1000);
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autofree char *text = lanes_to_text (lanes);

  g_assert_cmpstr (text, ==, "");
  fake_trace_free (trace);
}

static void
test_lanes_fold (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autoptr (NsTimelineLanes) later = NULL;
  g_autofree char *folded = NULL;
  g_autofree char *kept = NULL;

  ns_timeline_lanes_set_folded (lanes, g_array_index (lanes->shown, guint32, 1), TRUE);
  folded = lanes_to_text (lanes);
  g_assert_cmpstr (folded, ==, "one.exe 3|-a 2|-c 1|other.exe 1|-b 1");
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 1), ==, 1);

  later = ns_timeline_lanes_new (trace, NULL, &words);
  ns_timeline_lanes_copy_folds (later, lanes);
  kept = lanes_to_text (later);
  g_assert_cmpstr (kept, ==, folded);
  fake_trace_free (trace);
}

/* A server with many connections shows them only after it is expanded. */
static void
test_a_lane_opens_with_so_many_only (void)
{
  guint n;

  for (n = NS_LANE_MAX_OPEN_CHILDREN; n <= NS_LANE_MAX_OPEN_CHILDREN + 1; n++)
    {
      NsTrace *trace = fake_trace_new (1000);
      g_autoptr (NsTimelineLanes) lanes = NULL;
      guint i;

      for (i = 1; i <= n; i++)
        fake_trace_add (trace, 1, "a", i, i, i + 10);
      lanes = ns_timeline_lanes_new (trace, NULL, &words);
      g_assert_cmpuint (lanes->lanes->len, ==, 2 + n);
      g_assert_cmpuint (lanes->shown->len, ==, n <= NS_LANE_MAX_OPEN_CHILDREN ? 2 + n : 2);
      fake_trace_free (trace);
    }
}

/* A lane that a filter hides for a while stays folded. */
static void
test_folds_outlive_a_filter (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (NsTimelineLanes) filtered = NULL;
  g_autoptr (NsTimelineLanes) later = NULL;
  g_autofree char *text = NULL;
  g_autofree char *kept = NULL;
  guint32 row = 3;

  ns_timeline_lanes_set_folded (lanes, g_array_index (lanes->shown, guint32, 1), TRUE);
  g_array_append_val (rows, row);
  filtered = ns_timeline_lanes_new (trace, rows, &words);
  ns_timeline_lanes_copy_folds (filtered, lanes);
  text = lanes_to_text (filtered);
  g_assert_cmpstr (text, ==, "one.exe 1|-c 1");

  later = ns_timeline_lanes_new (trace, NULL, &words);
  ns_timeline_lanes_copy_folds (later, filtered);
  kept = lanes_to_text (later);
  g_assert_cmpstr (kept, ==, "one.exe 3|-a 2|-c 1|other.exe 1|-b 1");
  fake_trace_free (trace);
}

static void
test_filtered_rows_have_no_lane (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autofree char *text = NULL;
  guint32 row = 3;

  g_array_append_val (rows, row);
  lanes = ns_timeline_lanes_new (trace, rows, &words);
  text = lanes_to_text (lanes);
  g_assert_cmpstr (text, ==, "one.exe 1|-c 1");
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 0), ==, NS_LANE_NONE);
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 3), ==, 1);
  fake_trace_free (trace);
}

static NsLaneMark
mark_of (const NsTimelineLanes *lanes, guint shown, gboolean is_hidden, gboolean is_pinned)
{
  const NsLane *lane = ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, shown));
  NsLaneMark mark = { lane->key, lane->kind, is_hidden, is_pinned };

  return mark;
}

static void
set_tcb (NsTrace *trace, NsRow row, guint64 tcb)
{
  g_array_set_size (trace->tcp, MAX (trace->tcp->len, row));
  g_array_index (trace->tcp, NsTcpRow, row - 1).tcb = tcb;
}

static char *
several (NsConnectionKind end, guint n, guint32 lowest, guint32 highest)
{
  static const char *names[] = { "things", "connections", "sockets", "flows" };

  if (end == NS_CONNECTION_KIND_NONE)
    return g_strdup_printf ("%u %s", n, names[end]);
  return g_strdup_printf ("%u %s: %u-%u", n, names[end], lowest, highest);
}

static NsTimelineLanes *
pack_lanes (const NsTrace *trace, gboolean is_unpacked)
{
  NsTimelineTexts with_several = words;

  with_several.several = several;
  return ns_timeline_lanes_new_grouped (trace,
                                        NULL,
                                        &with_several,
                                        &(NsLaneOptions){ .is_unpacked = is_unpacked });
}

/* Makes connections to "a", three of which are open at any time, and connections to "b", one at a
 * time. */
static NsTrace *
crowded_trace (void)
{
  NsTrace *trace = fake_trace_new (1000);
  guint i;

  for (i = 0; i < 9; i++)
    fake_trace_add (trace, 1, "a", i + 1, i * 100, i * 100 + 250);
  for (i = 0; i < 3; i++)
    fake_trace_add (trace, 1, "b", i + 20, i * 300, i * 300 + 200);
  return trace;
}

/* Connections of one server that do not overlap share a lane: first fit, ordered by first use. */
static void
test_connections_that_do_not_overlap_share_a_lane (void)
{
  NsTrace *trace = crowded_trace ();
  g_autoptr (NsTimelineLanes) lanes = pack_lanes (trace, FALSE);
  g_autoptr (NsTimelineLanes) apart = pack_lanes (trace, TRUE);
  g_autofree char *text = lanes_to_text (lanes);
  const NsLane *lane = ns_timeline_lanes_get (lanes, 2);
  gint64 last_ns = -1;
  guint i;

  g_assert_cmpstr (text,
                   ==,
                   "one.exe 12|-a 9|--3 connections: 1-7 3|--3 connections: 2-8 3|"
                   "--3 connections: 3-9 3|-b 3");
  g_assert_cmpuint (apart->lanes->len, ==, 1 + 1 + 9 + 1 + 3);
  /* Rows of one lane do not overlap. */
  for (i = lane->first; i < lane->first + lane->n_rows; i++)
    {
      g_assert_cmpint (lanes->open_ns[i], >=, last_ns);
      last_ns = lanes->close_ns[i];
    }
  /* Each bar is found in its lane. */
  g_assert_cmpuint (ns_timeline_lanes_find_bar (lanes, 3), ==, 2);
  g_assert_cmpuint (ns_timeline_lanes_find_bar (lanes, 4), ==, 3);
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 8), ==, 4);
  g_assert_cmpuint (ns_timeline_lanes_find_bar (lanes, 10), ==, 5);
  fake_trace_free (trace);
}

/* Few connections have a lane each. */
static void
test_few_connections_have_a_lane_each (void)
{
  NsTrace *trace = fake_trace_new (10000);
  guint i;

  for (i = 0; i <= NS_LANE_MAX_UNPACKED; i++)
    {
      g_autoptr (NsTimelineLanes) lanes = NULL;

      fake_trace_add (trace, 1, "a", i + 1, i * 100, i * 100 + 50);
      lanes = pack_lanes (trace, FALSE);
      g_assert_cmpuint (lanes->lanes->len,
                        ==,
                        i + 1 > NS_LANE_MAX_UNPACKED ? 2 : 2 + (i > 0 ? i + 1 : 0));
    }
  fake_trace_free (trace);
}

/* A shared lane has the time span and the number of each of its connections. */
static void
test_a_shared_lane_knows_its_connections (void)
{
  NsTrace *trace = crowded_trace ();
  g_autoptr (NsTimelineLanes) lanes = NULL;
  const NsLane *lane;
  g_autoptr (GString) text = g_string_new (NULL);
  NsActivityRow *row;
  guint i;

  /* A second row of connection 1, and a socket without a TCP row. */
  fake_trace_add (trace, 1, "a", 1, 260, 290);
  row = fake_trace_add (trace, 1, "b", 0, 900, 950);
  row->winsock = 4;
  lanes = pack_lanes (trace, FALSE);
  lane = ns_timeline_lanes_get (lanes, 2);
  g_assert_cmpuint (lane->n_lives, ==, 3);
  for (i = 0; i < lane->n_lives; i++)
    {
      const NsConnectionSpan *life =
          &g_array_index (lanes->connection_spans, NsConnectionSpan, lane->first_span + i);

      g_string_append_printf (text,
                              "%u:%d-%d ",
                              life->row,
                              (int) life->begin_ns,
                              (int) life->end_ns);
    }
  g_assert_cmpstr (text->str, ==, "0:0-290 3:300-550 6:600-850 ");
  g_assert_cmpuint (ns_timeline_lanes_find_life (lanes, lane, 0), ==, 0);
  g_assert_cmpuint (ns_timeline_lanes_find_life (lanes, lane, 291), ==, 1);
  g_assert_cmpuint (ns_timeline_lanes_find_life (lanes, lane, 851), ==, 3);
  /* Navigation from bar to bar, along the lane and along one connection. */
  g_assert_cmpuint (ns_timeline_lanes_step (lanes, 2, 12, 1), ==, 3);
  g_assert_cmpuint (ns_timeline_lanes_step_connection (lanes, trace, 2, 0, 1), ==, 12);
  g_assert_cmpuint (ns_timeline_lanes_step_connection (lanes, trace, 2, 12, 1), ==, 12);
  g_assert_cmpuint (ns_timeline_lanes_step_connection (lanes, trace, 2, 12, -1), ==, 0);
  /* A server with a single lane shows its own name. */
  lane = ns_timeline_lanes_get (lanes, lanes->lanes->len - 1);
  g_assert_cmpstr (lane->name, ==, "b");
  g_assert_cmpuint (lane->n_lives, ==, 4);
  g_assert_cmpuint (lane->n_rows, ==, 4);
  fake_trace_free (trace);
}

/* First fit needs exactly as many lines as spans overlap at most. */
static void
test_packing_needs_no_more_lines_than_overlap (void)
{
  enum
  {
    N = 200000
  };
  g_autofree NsTimeSpan *spans = g_new (NsTimeSpan, N);
  g_autofree guint32 *lines = g_new (guint32, N);
  g_autofree gint64 *ends = g_new (gint64, N);
  guint i;

  for (i = 0; i < N; i++)
    spans[i] = (NsTimeSpan){ i, i + 1 + (i * 7919) % 1000 };
  g_assert_cmpuint (ns_lane_pack (spans, N, lines), <=, 1000);
  for (i = 0; i < N; i++)
    ends[i] = G_MININT64;
  for (i = 0; i < N; i++)
    {
      g_assert_cmpint (ends[lines[i]], <=, spans[i].begin_ns);
      ends[lines[i]] = spans[i].end_ns;
    }
  /* All at the same time need a line each. */
  for (i = 0; i < N; i++)
    spans[i] = (NsTimeSpan){ 5, 5 };
  g_assert_cmpuint (ns_lane_pack (spans, N, lines), ==, N);
  g_assert_cmpuint (lines[N - 1], ==, N - 1);
  g_assert_cmpuint (ns_lane_pack (spans, 0, lines), ==, 0);
}

/* The process head stays at the top while its lanes scroll, until the next process replaces it. */
static void
test_a_process_stays_above_its_lanes (void)
{
  NsTrace *trace = crowded_trace ();
  g_autoptr (NsTimelineLanes) lanes = NULL;
  static const struct
  {
    double scroll;
    guint place;
    double offset;
  } cases[] = { { 0, NS_LANE_NONE, 0 }, { 1, 0, 0 },     { 24, 0, 0 },
                { 48, 0, 0 },           { 96, 0, 0 },    { 120, 0, 0 },
                { 130, 0, -10 },        { 143, 0, -23 }, { 144, NS_LANE_NONE, 0 },
                { 150, 6, 0 },          { 170, 6, 0 },   { 999, NS_LANE_NONE, 0 } };
  guint i;

  fake_trace_add (trace, 2, "c", 40, 0, 10);
  lanes = pack_lanes (trace, FALSE);
  g_assert_cmpuint (lanes->shown->len, ==, 8);
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double offset;

      g_assert_cmpuint (ns_timeline_lanes_find_head (lanes, 24, 240, cases[i].scroll, &offset),
                        ==,
                        cases[i].place);
      if (cases[i].place != NS_LANE_NONE)
        g_assert_cmpfloat (offset, ==, cases[i].offset);
      /* No head fits into the space. */
      g_assert_cmpuint (ns_timeline_lanes_find_head (lanes, 24, 71, cases[i].scroll, &offset),
                        ==,
                        NS_LANE_NONE);
    }
  /* A frame includes the boxes of the sticky head, although its lane is outside the view. */
  {
    g_autoptr (NsTimelineList) list = NULL;
    NsTimelineLayout layout;
    guint n_opened;
    guint n_failed;

    ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000 }, 1000);
    list = ns_timeline_list_new (lanes, &layout, 3, 2);
    g_assert_nonnull (list->head);
    g_assert_true (ns_timeline_list_count_at (list, 0, 500, &n_opened, &n_failed));
    g_assert_cmpuint (n_opened, ==, 12);
  }
  fake_trace_free (trace);
}

/* In a part of a trace the rows, strings and lanes have other numbers; keys identify the lanes. */
static void
test_lanes_are_known_by_what_they_are (void)
{
  NsTrace *trace = small_trace ();
  NsTrace *part = fake_trace_new (1000);
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autoptr (NsTimelineLanes) some = NULL;
  g_autoptr (GHashTable) keys = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint n_known = 0;
  guint i;

  fake_trace_add (part, 1, "c", 1, 400, NS_TIME_OPEN);
  fake_trace_add (part, 1, "a", 2, 100, 500);
  fake_trace_add (part, 1, "a", 3, 600, 700);
  set_tcb (trace, 1, 0x20);
  set_tcb (trace, 2, 0x10);
  set_tcb (trace, 3, 0x30);
  set_tcb (part, 1, 0x30);
  set_tcb (part, 2, 0x10);
  set_tcb (part, 3, 0x40);
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  some = ns_timeline_lanes_new (part, NULL, &words);
  for (i = 0; i < lanes->lanes->len; i++)
    g_hash_table_add (keys, &g_array_index (lanes->lanes, NsLane, i).key);
  g_assert_cmpuint (g_hash_table_size (keys), ==, lanes->lanes->len);
  /* All but the connection that the whole trace lacks: one.exe, c, a, and the other connection of
   * a. */
  for (i = 0; i < some->lanes->len; i++)
    n_known += g_hash_table_contains (keys, &g_array_index (some->lanes, NsLane, i).key) ? 1 : 0;
  g_assert_cmpuint (some->lanes->len, ==, 5);
  g_assert_cmpuint (n_known, ==, 4);
  fake_trace_free (part);
  fake_trace_free (trace);
}

static void
test_hidden_lanes_are_counted_and_pinned_ones_stand_first (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (NsLaneMark));
  g_autofree char *marked = NULL;
  g_autofree char *unmarked = NULL;
  NsLaneMark mark;

  mark = mark_of (lanes, 1, TRUE, FALSE); /* a */
  g_array_append_val (marks, mark);
  mark = mark_of (lanes, 5, FALSE, TRUE); /* other.exe */
  g_array_append_val (marks, mark);
  ns_timeline_lanes_mark (lanes, marks);
  marked = lanes_to_text (lanes);
  g_assert_cmpstr (marked, ==, "other.exe 1|-b 1|one.exe 3|-c 1");
  g_assert_cmpuint (lanes->n_hidden, ==, 1);
  /* Rows are found in pinned and other lanes, but not in hidden ones. */
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 0), ==, 1);
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 3), ==, 3);
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 1), ==, NS_LANE_NONE);

  g_array_set_size (marks, 0);
  ns_timeline_lanes_mark (lanes, marks);
  unmarked = lanes_to_text (lanes);
  g_assert_cmpstr (unmarked,
                   ==,
                   "one.exe 3|-a 2|--connection 2 1|--connection 1 1|-c 1|other.exe 1|-b 1");
  fake_trace_free (trace);
}

static void
test_lanes_can_be_by_other_things (void)
{
  static const char *const wanted[] = {
    "one.exe 3|-a 2|--connection 2 1|--connection 1 1|-c 1|other.exe 1|-b 1",
    "a 2|-one.exe 2|--connection 2 1|--connection 1 1|b 1|-other.exe 1|c 1|-one.exe 1",
  };
  NsTrace *trace = small_trace ();
  guint i;
  guint k;

  for (i = NS_LANES_BY_PROCESS; i < NS_N_LANE_GROUPINGS; i++)
    {
      g_autoptr (NsTimelineLanes) lanes =
          ns_timeline_lanes_new_grouped (trace,
                                         NULL,
                                         &words,
                                         &(NsLaneOptions){ .grouping = (NsLaneGrouping) i });
      g_autofree char *text = lanes_to_text (lanes);
      guint n_rows = 0;

      if (i < G_N_ELEMENTS (wanted))
        g_assert_cmpstr (text, ==, wanted[i]);
      /* Each row is below exactly one top-level lane. */
      for (k = 0; k < lanes->lanes->len; k++)
        if (ns_timeline_lanes_get (lanes, k)->level == 0)
          n_rows += ns_timeline_lanes_get (lanes, k)->n_rows;
      g_assert_cmpuint (n_rows, ==, 4);
    }
  fake_trace_free (trace);
}

static char *
more_cb (NsLaneKind kind, guint n_more)
{
  return g_strdup_printf ("%u more", n_more);
}

static void
test_servers_with_few_rows_fold_into_a_line (void)
{
  NsTimelineTexts with_more = words;
  NsTrace *trace = fake_trace_new (100000);
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autofree char *folded = NULL;
  g_autofree char *unfolded = NULL;
  guint32 more;
  guint i;
  guint k;

  /* s0 has one row, s11 has twelve, each on its own connection. */
  for (i = 0; i < 12; i++)
    for (k = 0; k <= i; k++)
      {
        g_autofree char *server = g_strdup_printf ("s%u", i);

        fake_trace_add (trace, 1, server, i + 1, i * 1000 + k, i * 1000 + k + 100);
      }
  with_more.more = more_cb;
  lanes = ns_timeline_lanes_new (trace, NULL, &with_more);
  folded = lanes_to_text (lanes);
  g_assert_cmpstr (folded,
                   ==,
                   "one.exe 78|-s4 5|-s5 6|-s6 7|-s7 8|-s8 9|-s9 10|-s10 11|-s11 12|-4 more 10");
  /* A row of a server that is folded away is found on the line "more". */
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 0), ==, 9);
  more = g_array_index (lanes->shown, guint32, 9);
  g_assert_cmpint (ns_timeline_lanes_get (lanes, more)->kind, ==, NS_LANE_MORE);
  ns_timeline_lanes_set_folded (lanes, more, FALSE);
  unfolded = lanes_to_text (lanes);
  g_assert_true (g_str_has_suffix (unfolded, "|-4 more 10|--s0 1|--s1 2|--s2 3|--s3 4"));
  g_assert_cmpuint (ns_timeline_lanes_reveal (lanes, 0), ==, 10);
  fake_trace_free (trace);
}

static void
test_lanes_can_be_by_activity_id (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autofree char *text = NULL;
  NsGuid id = NS_GUID_INIT (0x11111111, 0x2222, 0x3333, 4, 4, 4, 4, 4, 4, 4, 4);

  g_array_index (trace->activities, NsActivityRow, 1).activity_id = &id;
  g_array_index (trace->activities, NsActivityRow, 0).activity_id = &id;
  lanes = ns_timeline_lanes_new_grouped (trace,
                                         NULL,
                                         &words,
                                         &(NsLaneOptions){ .grouping = NS_LANES_BY_ACTIVITY });
  text = lanes_to_text (lanes);
  g_assert_cmpstr (text,
                   ==,
                   "11111111-2222-3333-0404-040404040404 2|-b 1|-a 1|no activity 2|-a 1|-c 1");
  fake_trace_free (trace);
}

static void
test_bars_stand_where_their_times_are (void)
{
  NsTrace *trace = small_trace ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autoptr (NsTimelineList) list = NULL;
  const NsTimelineBar *bar;
  NsTimelineLayout layout;
  NsTimeSpan whole = { 0, 1000 };

  ns_timeline_layout_init (&layout, whole, 500);
  list = ns_timeline_list_new (lanes, &layout, 0, 100);
  g_assert_cmpuint (list->bars->len, ==, 4);
  bar = ns_timeline_list_find_row (list, 2);
  g_assert_nonnull (bar);
  g_assert_cmpfloat (bar->x0, ==, 50);
  g_assert_cmpfloat (bar->x1, ==, 250);
  g_assert_true (ns_timeline_list_find_at (list, bar->shown, 51) == bar);
  g_assert_null (ns_timeline_list_find_at (list, bar->shown, 300));
  bar = ns_timeline_list_find_row (list, 3);
  g_assert_cmpfloat (bar->x1, ==, 500);
  fake_trace_free (trace);
}

/* If a thousand rows share a px, a selected one is still visible. */
static void
test_what_is_folded_can_have_a_bar (void)
{
  NsTrace *trace = fake_trace_new (1000000);
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autoptr (NsTimelineList) list = NULL;
  NsTimelineBar bar = { .row = 500 };
  NsTimelineLayout layout;
  guint n_before;
  guint i;

  for (i = 0; i < 1000; i++)
    fake_trace_add (trace, 1, "a", 1, i, i + 1);
  fake_trace_add (trace, 1, "a", 1, 400000, 900000);
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000000 }, 500);
  list = ns_timeline_list_new (lanes, &layout, 0, 100);
  n_before = list->bars->len;
  g_assert_null (ns_timeline_list_find_row (list, 500));
  bar.shown = ns_timeline_lanes_find_bar (lanes, 500);
  g_assert_cmpuint (bar.shown, ==, ns_timeline_list_find_row (list, 1000)->shown);
  ns_timeline_list_add_bar (list, &bar);
  ns_timeline_list_add_bar (list, &bar);
  g_assert_cmpuint (list->bars->len, ==, n_before + 1);
  g_assert_cmpuint (g_array_index (list->bars, NsTimelineBar, 0).row, ==, 500);
  bar.row = 1000;
  ns_timeline_list_add_bar (list, &bar);
  g_assert_cmpuint (list->bars->len, ==, n_before + 1);

  /* A row of a folded host, and one of a folded process. */
  g_assert_cmpuint (ns_timeline_lanes_find_bar (lanes, 5000), ==, NS_LANE_NONE);
  ns_timeline_lanes_set_folded (lanes, g_array_index (lanes->shown, guint32, 0), TRUE);
  g_assert_cmpuint (ns_timeline_lanes_find_bar (lanes, 500), ==, NS_LANE_NONE);
  fake_trace_free (trace);
}

static gboolean
count_down (double fraction, gpointer user_data)
{
  guint *n_left = user_data;

  g_assert_cmpfloat (fraction, <=, 1);
  return (*n_left)-- > 0;
}

/* Building stops early if its result is no longer needed. */
static void
test_building_can_be_stopped (void)
{
  NsTrace *trace = small_trace ();
  guint n_left = 0;
  const NsLaneOptions options = { .progress = count_down, .progress_data = &n_left };
  g_autoptr (NsTimelineLanes) whole = NULL;

  /* Stopped in the first pass, in the second pass, and not at all. */
  g_assert_null (ns_timeline_lanes_new_grouped (trace, NULL, &words, &options));
  n_left = 1;
  g_assert_null (ns_timeline_lanes_new_grouped (trace, NULL, &words, &options));
  n_left = 2;
  whole = ns_timeline_lanes_new_grouped (trace, NULL, &words, &options);
  g_assert_nonnull (whole);
  g_assert_cmpuint (n_left, ==, 0);
  fake_trace_free (trace);
}

static void
test_narrow_rows_fold_and_none_is_lost (void)
{
  NsTrace *trace = fake_trace_new (G_GINT64_CONSTANT (1000000));
  g_autoptr (NsTimelineLanes) lanes = NULL;
  g_autoptr (NsTimelineList) list = NULL;
  NsTimelineLayout layout;
  NsTimeSpan whole = { 0, 1000000 };
  guint n_opened = 0;
  guint n_failed = 0;
  guint i;

  for (i = 0; i < 10000; i++)
    {
      NsActivityRow *row = fake_trace_add (trace, 1, "a", 1, i * 100, i * 100 + 50);

      row->failed = i % 10 == 0;
    }
  fake_trace_add (trace, 1, "a", 1, 500000, 600000);
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  ns_timeline_layout_init (&layout, whole, 400);
  list = ns_timeline_list_new (lanes, &layout, 0, 100);
  g_assert_cmpuint (list->bars->len, ==, 1);
  for (i = 0; i < list->columns->len; i++)
    {
      const NsTimelineColumn *column = &g_array_index (list->columns, NsTimelineColumn, i);

      if (column->is_profile)
        continue;
      n_opened += column->n_opened;
      n_failed += column->n_failed;
    }
  g_assert_cmpuint (n_opened, ==, 10000);
  g_assert_cmpuint (n_failed, ==, 1000);
  /* The count at the pointer position. */
  g_assert_true (ns_timeline_list_count_at (list, 1, 300, &n_opened, &n_failed));
  g_assert_cmpuint (n_opened, ==, 10000);
  g_assert_cmpuint (n_failed, ==, 1000);
  g_assert_false (ns_timeline_list_count_at (list, 2, 300, &n_opened, &n_failed));
  fake_trace_free (trace);
}

static void
test_a_million_rows_give_few_boxes (void)
{
  NsTrace *trace = fake_trace_new (G_GINT64_CONSTANT (1000000000));
  g_autoptr (NsTimelineLanes) lanes = NULL;
  NsTimelineLayout layout;
  NsTimeSpan whole = { 0, 1000000000 };
  guint i;

  for (i = 0; i < 1000000; i++)
    fake_trace_add (trace,
                    i % 5,
                    "server",
                    i % 31,
                    (gint64) i * 1000,
                    (gint64) i * 1000 + i % 90000);
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  ns_timeline_layout_init (&layout, whole, 1200);
  for (i = 0; i < 12; i++)
    {
      g_autoptr (NsTimelineList) list = ns_timeline_list_new (lanes, &layout, 0, 30);

      g_assert_cmpuint (list->bars->len, <=, 30 * 2400);
      g_assert_cmpuint (list->columns->len, <=, 30 * 300);
      g_assert_cmpuint (list->bars->len + list->columns->len, >, 0);
      ns_timeline_layout_zoom (&layout, 700, 3);
    }
  fake_trace_free (trace);
}

static void
test_walking_a_lane_meets_each_bar (void)
{
  NsTrace *trace = fake_trace_new (1000);
  g_autoptr (NsTimelineLanes) lanes = NULL;
  guint32 row;

  fake_trace_add (trace, 1, "a", 1, 500, 600);
  fake_trace_add (trace, 1, "a", 1, 100, 200);
  fake_trace_add (trace, 1, "a", 1, 300, 400);
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  row = ns_timeline_lanes_step (lanes, 1, NS_LANE_NONE, 1);
  g_assert_cmpuint (row, ==, 1);
  row = ns_timeline_lanes_step (lanes, 1, row, 1);
  g_assert_cmpuint (row, ==, 2);
  row = ns_timeline_lanes_step (lanes, 1, row, 1);
  g_assert_cmpuint (row, ==, 0);
  g_assert_cmpuint (ns_timeline_lanes_step (lanes, 1, row, 1), ==, 0);
  g_assert_cmpuint (ns_timeline_lanes_step (lanes, 1, row, -1), ==, 2);
  fake_trace_free (trace);
}

static char *
first (gboolean of_connections, guint n_shown, guint n_all)
{
  return g_strdup_printf ("%s %u/%u", of_connections ? "connections" : "changes", n_shown, n_all);
}

/* A lane that shows only a part of its state changes or connections is marked. */
static void
test_a_lane_of_states_says_that_it_is_cut (void)
{
  static const struct
  {
    guint n_all;
    guint n_left_out;
    const char *all;
    const char *one;
  } cases[] = { { 3, 0, NULL, ":50001" },
                { 3, 5, "connections 1/6", ":50001" },
                { 4, 0, "changes 3/4", ":50001 changes 3/4" },
                { 4, 5, "changes 3/4", ":50001 changes 3/4" } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      NsTrace *trace = small_trace ();
      NsTimelineTexts with_states = words;
      g_autoptr (NsStateMarks) marks = g_atomic_rc_box_new0 (NsStateMarks);
      g_autoptr (NsTimelineLanes) lanes = NULL;
      guint k;

      marks->n_left_out = cases[i].n_left_out;
      marks->lanes = g_array_new (FALSE, FALSE, sizeof (NsStateLane));
      for (k = 0; k < 2; k++)
        {
          NsStateLane lane = connection_lane (k > 0 ? "a:443" : NULL, k);

          lane.n_all = cases[i].n_all;
          lane.detail = (char *) (k > 0 ? ":50001" : NULL);
          g_array_append_val (marks->lanes, lane);
        }
      with_states.states = "states";
      with_states.state_name = state_name;
      with_states.first = first;
      lanes = ns_timeline_lanes_new_grouped (trace,
                                             NULL,
                                             &with_states,
                                             &(NsLaneOptions){ .states = marks });
      g_assert_cmpstr (ns_timeline_lanes_get (lanes, 1)->detail, ==, cases[i].all);
      g_assert_cmpstr (ns_timeline_lanes_get (lanes, 2)->detail, ==, cases[i].one);
      g_assert_cmpint (ns_timeline_lanes_get (lanes, 0)->is_cut, ==, cases[i].all != NULL);
      g_assert_cmpint (ns_timeline_lanes_get (lanes, 1)->is_cut, ==, cases[i].all != NULL);
      g_assert_cmpint (ns_timeline_lanes_get (lanes, 2)->is_cut, ==, cases[i].n_all > 3);
      for (k = 0; k < 2; k++)
        g_array_unref (g_array_index (marks->lanes, NsStateLane, k).marks);
      fake_trace_free (trace);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/lanes/what-is-folded-can-have-a-bar", test_what_is_folded_can_have_a_bar);
  g_test_add_func ("/lanes/connections-that-do-not-overlap-share-a-lane",
                   test_connections_that_do_not_overlap_share_a_lane);
  g_test_add_func ("/lanes/few-connections-have-a-lane-each",
                   test_few_connections_have_a_lane_each);
  g_test_add_func ("/lanes/a-shared-lane-knows-its-connections",
                   test_a_shared_lane_knows_its_connections);
  g_test_add_func ("/lanes/packing-needs-no-more-lines-than-overlap",
                   test_packing_needs_no_more_lines_than_overlap);
  g_test_add_func ("/lanes/a-process-stays-above-its-lanes", test_a_process_stays_above_its_lanes);
  g_test_add_func ("/lanes/folds-outlive-a-filter", test_folds_outlive_a_filter);
  g_test_add_func ("/lanes/a-connection-has-one-number", test_a_connection_has_one_number);
  g_test_add_func ("/lanes/rows-stand-under-process-and-server",
                   test_rows_stand_under_process_and_server);
  g_test_add_func ("/lanes/nothing-to-draw-gives-no-lane", test_nothing_to_draw_gives_no_lane);
  g_test_add_func ("/lanes/rows-that-are-not-kept-are-dim", test_rows_that_are_not_kept_are_dim);
  g_test_add_func ("/lanes/rows-that-do-not-stand-out-are-dim",
                   test_rows_that_do_not_stand_out_are_dim);
  g_test_add_func ("/lanes/a-head-has-two-buttons", test_a_head_has_two_buttons);
  g_test_add_func ("/lanes/states-have-lanes-and-no-rows", test_states_have_lanes_and_no_rows);
  g_test_add_func ("/lanes/a-connection-has-a-lane-of-its-states",
                   test_a_connection_has_a_lane_of_its_states);
  g_test_add_func ("/lanes/blocks-count-what-is-kept", test_blocks_count_what_is_kept);
  g_test_add_func ("/lanes/building-can-be-stopped", test_building_can_be_stopped);
  g_test_add_func ("/lanes/lanes-fold", test_lanes_fold);
  g_test_add_func ("/lanes/a-lane-opens-with-so-many-only", test_a_lane_opens_with_so_many_only);
  g_test_add_func ("/lanes/they-are-known-by-what-they-are", test_lanes_are_known_by_what_they_are);
  g_test_add_func ("/lanes/hidden-lanes-are-counted-and-pinned-ones-stand-first",
                   test_hidden_lanes_are_counted_and_pinned_ones_stand_first);
  g_test_add_func ("/lanes/lanes-can-be-by-other-things", test_lanes_can_be_by_other_things);
  g_test_add_func ("/lanes/filtered-rows-have-no-lane", test_filtered_rows_have_no_lane);
  g_test_add_func ("/lanes/bars-stand-where-their-times-are",
                   test_bars_stand_where_their_times_are);
  g_test_add_func ("/lanes/narrow-rows-fold-and-none-is-lost",
                   test_narrow_rows_fold_and_none_is_lost);
  g_test_add_func ("/lanes/a-million-rows-give-few-boxes", test_a_million_rows_give_few_boxes);
  g_test_add_func ("/lanes/walking-a-lane-meets-each-bar", test_walking_a_lane_meets_each_bar);
  g_test_add_func ("/lanes/servers-with-few-rows-fold-into-a-line",
                   test_servers_with_few_rows_fold_into_a_line);
  g_test_add_func ("/lanes/can-be-by-activity-id", test_lanes_can_be_by_activity_id);
  g_test_add_func ("/lanes/a-lane-of-states-says-that-it-is-cut",
                   test_a_lane_of_states_says_that_it_is_cut);
  return g_test_run ();
}
