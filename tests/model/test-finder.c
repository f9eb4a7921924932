/* Tests the text search in rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-finder.h"
#include "model/ns-trace-loader.h"

typedef struct
{
  NsTrace *trace;
  NsFinder *finder;
  GArray *rows;
  GPtrArray *fields;
} World;

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsTrace **trace = user_data;

  *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, NULL);
  g_assert_nonnull (*trace);
}

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  guint32 row;

  world->trace = NULL;
  ns_trace_loader_load_async (loader, NULL, loaded_cb, &world->trace);
  while (world->trace == NULL)
    g_main_context_iteration (NULL, TRUE);
  world->finder = ns_finder_new ();
  world->fields = ns_table_list_columns (NS_TABLE_ACTIVITIES);
  world->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  /* In descending order, as in a sorted table. */
  for (row = world->trace->activities->len; row-- > 0;)
    g_array_append_val (world->rows, row);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->finder);
  g_ptr_array_unref (world->fields);
  g_array_unref (world->rows);
  ns_trace_unref (world->trace);
}

static const GArray *
find (World *world, const char *text)
{
  ns_finder_search (world->finder,
                    world->trace,
                    NS_TABLE_ACTIVITIES,
                    world->rows,
                    world->fields,
                    text);
  while (ns_finder_is_busy (world->finder))
    g_main_context_iteration (NULL, TRUE);
  return ns_finder_get_hits (world->finder);
}

static void
test_hits_are_in_the_order_shown (World *world, gconstpointer data)
{
  const GArray *hits = find (world, "MAIL.example");
  guint i;

  g_assert_cmpuint (hits->len, ==, 7);
  for (i = 1; i < hits->len; i++)
    g_assert_cmpuint (g_array_index (hits, guint32, i), <, g_array_index (hits, guint32, i - 1));
}

static void
test_only_what_is_shown_is_found (World *world, gconstpointer data)
{
  g_assert_cmpuint (find (world, "no such text")->len, ==, 0);
  g_assert_cmpuint (find (world, "mail.example")->len, ==, 7);
  g_ptr_array_set_size (world->fields, 1);
  g_assert_cmpuint (find (world, "mail.example")->len, ==, 0);
  g_assert_cmpuint (find (world, "")->len, ==, 0);
}

static void
test_the_walk_comes_round (World *world, gconstpointer data)
{
  const GArray *hits = find (world, "mail.example");
  guint32 first;
  guint32 row;
  guint i;

  g_assert_true (ns_finder_go (world->finder, 1, &first));
  g_assert_cmpuint (ns_finder_get_current (world->finder), ==, 0);
  g_assert_true (ns_finder_go (world->finder, -1, &row));
  g_assert_cmpuint (ns_finder_get_current (world->finder), ==, hits->len - 1);
  for (i = 0; i < hits->len; i++)
    g_assert_true (ns_finder_go (world->finder, 1, &row));
  g_assert_cmpuint (ns_finder_get_current (world->finder), ==, hits->len - 1);
  g_assert_true (ns_finder_go (world->finder, 1, &row));
  g_assert_cmpuint (row, ==, first);
}

static void
test_the_walk_begins_where_one_is (World *world, gconstpointer data)
{
  const GArray *hits = find (world, "mail.example");
  guint32 second = g_array_index (hits, guint32, 1);
  guint32 row;

  g_assert_true (ns_finder_start_at (world->finder, world->rows->len - 1 - second, &row));
  g_assert_cmpuint (row, ==, second);
  g_assert_true (ns_finder_start_at (world->finder, world->rows->len, &row));
  g_assert_cmpuint (row, ==, g_array_index (hits, guint32, 0));
}

static void
test_every_hit_has_its_time (World *world, gconstpointer data)
{
  const GArray *hits = find (world, "mail.example");
  const GArray *times = ns_finder_get_times (world->finder);
  guint i;

  g_assert_cmpuint (times->len, ==, hits->len);
  for (i = 0; i < hits->len; i++)
    g_assert_cmpint (g_array_index (times, gint64, i),
                     ==,
                     g_array_index (world->trace->activities,
                                    NsActivityRow,
                                    g_array_index (hits, guint32, i))
                         .open_ns);
}

/* `OLMAPI32.DLL+0x3c1` is in no cell, but in the call stack of the requests of one program. */
static void
test_frames_are_found (World *world, gconstpointer data)
{
  const GArray *hits = find (world, "olmapi32.dll+0x3c1");
  guint i;

  g_assert_cmpuint (hits->len, >, 0);
  for (i = 0; i < hits->len; i++)
    {
      guint32 row = g_array_index (hits, guint32, i);

      g_assert_cmpuint (g_array_index (world->trace->activities, NsActivityRow, row).pid, ==, 4312);
    }
  g_assert_cmpuint (find (world, "olmapi32.dll+0x3c12345")->len, ==, 0);
}

static void
test_rows_are_found_by_what_they_are (World *world, gconstpointer data)
{
  const GArray *hits;

  ns_finder_search_matching (world->finder,
                             world->trace,
                             NS_TABLE_ACTIVITIES,
                             world->rows,
                             "4312",
                             "pid=4312");
  while (ns_finder_is_busy (world->finder))
    g_main_context_iteration (NULL, TRUE);
  hits = ns_finder_get_hits (world->finder);
  g_assert_cmpuint (hits->len, ==, 9);
  g_assert_cmpstr (ns_finder_get_text (world->finder), ==, "4312");
  g_assert_cmpstr (ns_finder_get_filter (world->finder), ==, "pid=4312");
  find (world, "mail.example");
  g_assert_null (ns_finder_get_filter (world->finder));
}

/* Keyboards only have a hyphen, so it matches the minus sign. */
static void
test_a_minus_is_found_by_either_sign (World *world, gconstpointer data)
{
  g_array_index (world->trace->activities, NsActivityRow, 2).open_ns = -608000;
  g_assert_cmpuint (find (world, "-0.000")->len, ==, 1);
  g_assert_cmpuint (find (world, "−0.000")->len, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/finder/" name, World, NULL, set_up, func, tear_down)
  ADD ("hits-are-in-the-order-shown", test_hits_are_in_the_order_shown);
  ADD ("only-what-is-shown-is-found", test_only_what_is_shown_is_found);
  ADD ("the-walk-comes-round", test_the_walk_comes_round);
  ADD ("the-walk-begins-where-one-is", test_the_walk_begins_where_one_is);
  ADD ("every-hit-has-its-time", test_every_hit_has_its_time);
  ADD ("frames-are-found", test_frames_are_found);
  ADD ("rows-are-found-by-what-they-are", test_rows_are_found_by_what_they_are);
  ADD ("a-minus-is-found-by-either-sign", test_a_minus_is_found_by_either_sign);
#undef ADD
  return g_test_run ();
}
