/* Tests filters composed of conditions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-filter-chips.h"
#include "model/ns-trace-loader.h"

#include <string.h>

#define assert_filter(chips, wanted)                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *_text = ns_filter_chips_to_filter (chips);                                    \
    g_assert_cmpstr (_text, ==, wanted);                                                           \
  }                                                                                                \
  G_STMT_END

/* Formats the conditions, disabled ones in square brackets, and the draft. */
static char *
describe (const NsFilterChips *chips)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < ns_filter_chips_get_n_chips (chips); i++)
    {
      const NsFilterChip *chip = ns_filter_chips_get_chip (chips, i);

      g_string_append_printf (text, chip->is_on ? "%s; " : "[%s]; ", chip->text);
    }
  g_string_append (text, ns_filter_chips_get_draft (chips));
  return g_string_free (text, FALSE);
}

#define assert_chips(chips, wanted)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *_text = describe (chips);                                                     \
    g_assert_cmpstr (_text, ==, wanted);                                                           \
  }                                                                                                \
  G_STMT_END

static void
test_a_text_becomes_one_chip_a_condition (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  g_assert_true (
      ns_filter_chips_set_draft (chips, "duration>20ms and -server:\"a b\" failed", NULL, NULL));
  assert_chips (chips, "duration>20ms and -server:\"a b\" failed");
  g_assert_true (ns_filter_chips_take_draft (chips, NULL, NULL));
  assert_chips (chips, "duration>20ms; -server:\"a b\"; failed; ");
  assert_filter (chips, "duration>20ms -server:\"a b\" failed");
}

static void
test_what_or_binds_stays_together (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  g_assert_true (ns_filter_chips_set_text (chips, "pid=1 or pid=2", NULL, NULL));
  assert_chips (chips, "(pid=1 or pid=2); ");
  g_assert_true (ns_filter_chips_set_draft (chips, "failed or sent>1", NULL, NULL));
  assert_filter (chips, "(pid=1 or pid=2) (failed or sent>1)");
  g_assert_true (ns_filter_chips_take_draft (chips, NULL, NULL));
  assert_chips (chips, "(pid=1 or pid=2); (failed or sent>1); ");
}

static void
test_a_wrong_text_changes_nothing (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
  g_autoptr (GError) error = NULL;
  NsFilterSpan where;

  g_assert_true (ns_filter_chips_set_text (chips, "failed", NULL, NULL));
  g_assert_false (ns_filter_chips_set_draft (chips, "pid=1 nosuch>3", &where, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_cmpuint (where.begin, ==, 6);
  assert_chips (chips, "failed; ");
  g_assert_false (ns_filter_chips_set_text (chips, "(", NULL, NULL));
  assert_chips (chips, "failed; ");
}

static void
test_a_chip_switched_off_is_not_lost (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  ns_filter_chips_set_text (chips, "failed pid=4", NULL, NULL);
  ns_filter_chips_toggle (chips, 0);
  assert_chips (chips, "[failed]; pid=4; ");
  assert_filter (chips, "pid=4");
  ns_filter_chips_toggle (chips, 0);
  assert_filter (chips, "failed pid=4");
}

static void
test_a_chip_comes_back_as_text (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
  g_autofree char *text = NULL;

  ns_filter_chips_set_text (chips, "failed pid=4", NULL, NULL);
  text = ns_filter_chips_edit (chips, 1);
  g_assert_cmpstr (text, ==, "pid=4");
  assert_chips (chips, "failed; pid=4");
  assert_filter (chips, "failed pid=4");
}

static void
test_also_joins_values_of_one_field (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  ns_filter_chips_add (chips, "failed", NULL);
  ns_filter_chips_add (chips, "server=\"a\"", NULL);
  ns_filter_chips_add_also (chips, "server", "server=\"b\"");
  assert_chips (chips, "failed; (server=\"a\" or server=\"b\"); ");
  ns_filter_chips_add_also (chips, "server", "server=\"c\"");
  assert_chips (chips, "failed; (server=\"a\" or server=\"b\" or server=\"c\"); ");
  ns_filter_chips_set_text (chips, "failed sent>1", NULL, NULL);
  ns_filter_chips_add_also (chips, "server", "server=\"b\"");
  assert_chips (chips, "(failed sent>1 or server=\"b\"); ");
}

static void
test_changes_are_taken_back_one_by_one (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  g_assert_false (ns_filter_chips_undo (chips));
  ns_filter_chips_set_text (chips, "failed pid=4", NULL, NULL);
  ns_filter_chips_toggle (chips, 1);
  ns_filter_chips_remove (chips, 0);
  assert_chips (chips, "[pid=4]; ");
  g_assert_true (ns_filter_chips_undo (chips));
  assert_chips (chips, "failed; [pid=4]; ");
  g_assert_true (ns_filter_chips_undo (chips));
  assert_chips (chips, "failed; pid=4; ");
  g_assert_true (ns_filter_chips_undo (chips));
  assert_chips (chips, "");
  g_assert_false (ns_filter_chips_can_undo (chips));
}

static void
test_what_is_typed_in_one_go_is_one_change (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  ns_filter_chips_set_draft (chips, "f", NULL, NULL);
  ns_filter_chips_set_draft (chips, "failed", NULL, NULL);
  ns_filter_chips_take_draft (chips, NULL, NULL);
  assert_chips (chips, "failed; ");
  ns_filter_chips_undo (chips);
  assert_chips (chips, "");
}

static void
test_only_a_filter_is_offered_to_be_taken_back (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);

  g_assert_false (ns_filter_chips_has_filtered (chips));
  ns_filter_chips_set_draft (chips, "p", NULL, NULL);
  g_assert_false (ns_filter_chips_has_filtered (chips));
  ns_filter_chips_set_draft (chips, "", NULL, NULL);
  assert_chips (chips, "");
  g_assert_false (ns_filter_chips_has_filtered (chips));
  ns_filter_chips_set_draft (chips, "pid=4", NULL, NULL);
  g_assert_true (ns_filter_chips_has_filtered (chips));
  ns_filter_chips_take_draft (chips, NULL, NULL);
  g_assert_true (ns_filter_chips_has_filtered (chips));
  ns_filter_chips_toggle (chips, 0);
  assert_filter (chips, "");
  g_assert_true (ns_filter_chips_has_filtered (chips));
  /* A removed condition can be restored. */
  ns_filter_chips_keep (chips, 0);
  g_assert_true (ns_filter_chips_has_filtered (chips));
  while (ns_filter_chips_undo (chips))
    continue;
  assert_chips (chips, "");
  g_assert_false (ns_filter_chips_has_filtered (chips));
}

/* A word that may become a field name filters nothing until the user commits it. */
static void
test_a_word_that_may_become_a_field_filters_nothing (void)
{
  static const struct
  {
    const char *draft;
    const char *filter;
  } typed[] = {
    { "p", "pid=4" },
    { "process", "pid=4" },
    { "-proc", "pid=4" },
    { "failed and dur", "pid=4 failed" },
    { "failed durat", "pid=4 failed" },
    { "process i", "pid=4" },
    { "process in (a)", "pid=4 process in (a)" },
    { "process:a", "pid=4 process:a" },
    { "mail", "pid=4 mail" },
    { "process x", "pid=4 process x" },
    { "\"process\"", "pid=4 \"process\"" },
    { "failed", "pid=4 failed" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
      g_autofree char *filter = NULL;
      g_autofree char *taken = NULL;
      g_autofree char *whole = g_strdup_printf ("pid=4 %s", typed[i].draft);

      g_assert_true (ns_filter_chips_set_text (chips, "pid=4", NULL, NULL));
      g_assert_true (ns_filter_chips_set_draft (chips, typed[i].draft, NULL, NULL));
      filter = ns_filter_chips_to_filter (chips);
      g_assert_cmpstr (filter, ==, typed[i].filter);
      /* An incomplete condition leaves the filter unchanged. */
      g_assert_false (ns_filter_chips_set_draft (chips, "process:", NULL, NULL));
      g_assert_cmpstr (ns_filter_chips_get_draft (chips), ==, typed[i].draft);
      g_assert_true (ns_filter_chips_take_draft (chips, NULL, NULL));
      taken = ns_filter_chips_to_filter (chips);
      if (strstr (typed[i].draft, " and ") == NULL)
        g_assert_cmpstr (taken, ==, whole);
    }
}

static void
test_a_state_comes_back_whole (void)
{
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
  g_autoptr (NsFilterChips) other = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
  g_autoptr (GVariant) state = NULL;

  ns_filter_chips_set_text (chips, "failed pid=4", NULL, NULL);
  ns_filter_chips_toggle (chips, 0);
  ns_filter_chips_set_draft (chips, "sent>1", NULL, NULL);
  state = g_variant_ref_sink (ns_filter_chips_to_state (chips));
  ns_filter_chips_set_state (other, state);
  assert_chips (other, "[failed]; pid=4; sent>1");
}

typedef struct
{
  NsTrace *trace;
  NsFilterChips *chips;
  gboolean is_done;
} World;

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  World *world = user_data;

  world->trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, NULL);
  world->is_done = TRUE;
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  World *world = user_data;

  g_assert_true (ns_filter_chips_count_finish (world->chips, result, NULL));
  world->is_done = TRUE;
}

static void
wait_for (World *world)
{
  while (!world->is_done)
    g_main_context_iteration (NULL, TRUE);
  world->is_done = FALSE;
}

static guint
count_rows (World *world, const char *text)
{
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, NULL);
  g_autoptr (GArray) rows = ns_filter_run (filter, world->trace, NS_TABLE_ACTIVITIES, NULL, NULL);

  return rows->len;
}

static void
test_each_chip_counts_what_is_left (void)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
  World world = { NULL, chips, FALSE };

  ns_trace_loader_load_async (loader, NULL, loaded_cb, &world);
  wait_for (&world);
  g_assert_nonnull (world.trace);
  ns_filter_chips_set_text (chips, "sent>0 failed=true server:mail", NULL, NULL);
  ns_filter_chips_toggle (chips, 1);
  ns_filter_chips_count_async (chips, world.trace, NULL, counted_cb, &world);
  wait_for (&world);
  g_assert_true (ns_filter_chips_get_chip (chips, 2)->is_counted);
  g_assert_cmpuint (ns_filter_chips_get_chip (chips, 0)->n_rows, ==, count_rows (&world, "sent>0"));
  g_assert_cmpuint (ns_filter_chips_get_chip (chips, 1)->n_rows,
                    ==,
                    count_rows (&world, "sent>0 failed=true"));
  g_assert_cmpuint (ns_filter_chips_get_chip (chips, 2)->n_rows,
                    ==,
                    count_rows (&world, "sent>0 server:mail"));

  /* The number of remaining rows is known once they are computed. */
  ns_filter_chips_toggle (chips, 2);
  ns_filter_chips_toggle (chips, 2);
  g_assert_false (ns_filter_chips_get_chip (chips, 2)->is_counted);
  ns_filter_chips_take_count (chips, count_rows (&world, "sent>0 server:mail"));
  g_assert_false (ns_filter_chips_get_chip (chips, 0)->is_counted);
  g_assert_true (ns_filter_chips_get_chip (chips, 2)->is_counted);
  g_assert_cmpuint (ns_filter_chips_get_chip (chips, 2)->n_rows,
                    ==,
                    count_rows (&world, "sent>0 server:mail"));
  ns_filter_chips_set_draft (chips, "failed=false", NULL, NULL);
  ns_filter_chips_toggle (chips, 0);
  ns_filter_chips_take_count (chips, 1);
  g_assert_false (ns_filter_chips_get_chip (chips, 2)->is_counted);
  ns_trace_unref (world.trace);
}

static void
test_so_many_changes_are_taken_back_only (void)
{
  guint n;

  for (n = NS_FILTER_CHIPS_MAX_UNDO - 1; n <= NS_FILTER_CHIPS_MAX_UNDO + 1; n++)
    {
      g_autoptr (NsFilterChips) chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
      guint n_undone = 0;
      guint i;

      for (i = 0; i < n; i++)
        {
          g_autofree char *text = g_strdup_printf ("pid=%u", i + 1);

          g_assert_true (ns_filter_chips_set_draft (chips, text, NULL, NULL));
          if (i + 1 < n)
            g_assert_true (ns_filter_chips_take_draft (chips, NULL, NULL));
        }
      while (ns_filter_chips_undo (chips))
        n_undone++;
      g_assert_cmpuint (n_undone, ==, MIN (n, NS_FILTER_CHIPS_MAX_UNDO));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter-chips/so-many-changes-are-taken-back-only",
                   test_so_many_changes_are_taken_back_only);
  g_test_add_func ("/filter-chips/a-text-becomes-one-chip-a-condition",
                   test_a_text_becomes_one_chip_a_condition);
  g_test_add_func ("/filter-chips/what-or-binds-stays-together", test_what_or_binds_stays_together);
  g_test_add_func ("/filter-chips/a-wrong-text-changes-nothing", test_a_wrong_text_changes_nothing);
  g_test_add_func ("/filter-chips/a-chip-switched-off-is-not-lost",
                   test_a_chip_switched_off_is_not_lost);
  g_test_add_func ("/filter-chips/a-chip-comes-back-as-text", test_a_chip_comes_back_as_text);
  g_test_add_func ("/filter-chips/also-joins-values-of-one-field",
                   test_also_joins_values_of_one_field);
  g_test_add_func ("/filter-chips/changes-are-taken-back-one-by-one",
                   test_changes_are_taken_back_one_by_one);
  g_test_add_func ("/filter-chips/what-is-typed-in-one-go-is-one-change",
                   test_what_is_typed_in_one_go_is_one_change);
  g_test_add_func ("/filter-chips/only-a-filter-is-offered-to-be-taken-back",
                   test_only_a_filter_is_offered_to_be_taken_back);
  g_test_add_func ("/filter-chips/a-word-that-may-become-a-field-filters-nothing",
                   test_a_word_that_may_become_a_field_filters_nothing);
  g_test_add_func ("/filter-chips/a-state-comes-back-whole", test_a_state_comes_back_whole);
  g_test_add_func ("/filter-chips/each-chip-counts-what-is-left",
                   test_each_chip_counts_what_is_left);
  return g_test_run ();
}
