/* Unit tests of the filter bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-conditions.h"
#include "ui/ns-chip.h"
#include "ui/ns-filter-bar.h"
#include "ui/ns-filter-entry.h"

typedef struct
{
  GtkWidget *window;
  NsFilterBar *bar;
  NsSession *session;
  char *message;
  guint n_changes[NS_CONDITIONS_PUT + 1];
} World;

static void
message_cb (World *world, const char *text)
{
  g_free (world->message);
  world->message = g_strdup (text);
}

static void
conditions_cb (World *world, guint table, guint how)
{
  world->n_changes[how]++;
}

static gboolean
is_shown (gpointer data)
{
  return gtk_widget_get_width (data) > 0;
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  g_signal_connect_swapped (world->session,
                            "conditions-changed",
                            G_CALLBACK (conditions_cb),
                            world);
  world->bar = g_object_new (NS_TYPE_FILTER_BAR, "session", world->session, NULL);
  g_signal_connect_swapped (world->bar, "message", G_CALLBACK (message_cb), world);
  world->window = stage_show (GTK_WIDGET (world->bar), ns_filter_bar_get_actions (world->bar));
  stage_wait (is_shown, world->bar, "the bar is there");
}

static void
tear_down (World *world, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (world->session, world);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
  g_free (world->message);
}

static void
act (World *world, const char *action, const char *text)
{
  stage_act (GTK_WIDGET (world->bar), action, text != NULL ? g_variant_new_string (text) : NULL);
}

static void
act_on_chip (World *world, const char *action, guint number)
{
  stage_act (GTK_WIDGET (world->bar), action, g_variant_new_uint32 (number));
}

static const char *
get_filter (World *world, NsTableId table)
{
  return ns_session_get_filter (world->session, table);
}

static const char *
get_typed (World *world)
{
  return gtk_editable_get_text (GTK_EDITABLE (ns_filter_bar_get_entry (world->bar)));
}

static gboolean
is_wrong (World *world)
{
  return stage_find (GTK_WIDGET (world->bar), GTK_TYPE_BOX, "error") != NULL;
}

static guint
count_chips (World *world)
{
  GtkWidget *chip = stage_find (GTK_WIDGET (world->bar), NS_TYPE_CHIP, NULL);
  guint n_chips = 0;

  for (; chip != NULL; chip = gtk_widget_get_next_sibling (chip))
    n_chips++;
  return n_chips;
}

static gboolean
can_clear (World *world)
{
  return gtk_widget_get_visible (stage_find_button (GTK_WIDGET (world->bar), "Show all rows"));
}

static gboolean
is_filtered (gpointer data)
{
  return *get_filter (data, NS_TABLE_ACTIVITIES) != '\0';
}

static gboolean
is_counted (gpointer data)
{
  GtkWidget *label = stage_find (GTK_WIDGET (((World *) data)->bar), GTK_TYPE_LABEL, "chip-count");

  return label != NULL && g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), "…") != 0;
}

static gboolean
is_followed (gpointer data)
{
  return *get_filter (data, NS_TABLE_TCP) != '\0' && *get_filter (data, NS_TABLE_EVENTS) != '\0';
}

/* Typed text is applied after a pause in typing. */
static void
test_applies_what_is_typed (World *world, gconstpointer data)
{
  gtk_editable_set_text (GTK_EDITABLE (ns_filter_bar_get_entry (world->bar)), "failed=true");
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "");
  g_assert_true (can_clear (world));
  stage_wait (is_filtered, world, "the filter is applied");
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true");
  g_assert_cmpuint (world->n_changes[NS_CONDITIONS_TYPED], ==, 1);
  g_assert_cmpuint (world->n_changes[NS_CONDITIONS_SET], ==, 0);
  g_assert_cmpuint (count_chips (world), ==, 0);
}

static void
test_makes_chips_of_it (World *world, gconstpointer data)
{
  act (world, "type-filter", "failed=true pid=4");
  g_assert_cmpstr (get_typed (world), ==, "failed=true pid=4");
  act (world, "chip-take", NULL);
  g_assert_cmpstr (get_typed (world), ==, "");
  g_assert_cmpuint (count_chips (world), ==, 2);
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true pid=4");
  act_on_chip (world, "chip-toggle", 1);
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true");
  g_assert_cmpuint (count_chips (world), ==, 2);
  act_on_chip (world, "chip-remove", 0);
  g_assert_cmpuint (count_chips (world), ==, 1);
  act_on_chip (world, "chip-edit", 0);
  g_assert_cmpuint (count_chips (world), ==, 0);
  g_assert_cmpstr (get_typed (world), ==, "pid=4");
}

static void
test_counts_what_a_chip_leaves (World *world, gconstpointer data)
{
  GtkWidget *label;
  g_autofree char *wanted = NULL;

  act (world, "set-filter", "failed=true");
  stage_wait (is_counted, world, "the condition is counted");
  label = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_LABEL, "chip-count");
  wanted = g_strdup_printf ("%u", ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, wanted);
}

static void
test_leaves_rows_when_it_is_wrong (World *world, gconstpointer data)
{
  act (world, "set-filter", "failed=true");
  act (world, "type-filter", "pid=many");
  g_assert_true (is_wrong (world));
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true");
  act (world, "chip-take", NULL);
  g_assert_cmpuint (count_chips (world), ==, 1);
  act (world, "type-filter", "");
  g_assert_false (is_wrong (world));
}

static void
test_escape_takes_what_is_wrong_back (World *world, gconstpointer data)
{
  act (world, "type-filter", "status>=400");
  act (world, "type-filter", "status>=400x");
  g_assert_true (is_wrong (world));
  g_assert_true (ns_filter_bar_escape (world->bar));
  g_assert_false (is_wrong (world));
  g_assert_cmpstr (get_typed (world), ==, "status>=400");
  g_assert_false (ns_filter_bar_escape (world->bar));
  g_assert_cmpstr (get_typed (world), ==, "status>=400");
}

static void
test_clears_and_takes_back (World *world, gconstpointer data)
{
  g_assert_false (can_clear (world));
  act (world, "set-filter", "failed=true");
  g_assert_true (can_clear (world));
  g_signal_emit_by_name (stage_find_button (GTK_WIDGET (world->bar), "Show all rows"), "clicked");
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "");
  g_assert_cmpuint (count_chips (world), ==, 0);
  g_assert_false (can_clear (world));
  act (world, "undo-filter", NULL);
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true");
  g_assert_cmpuint (count_chips (world), ==, 1);
  ns_session_set_visible (world->session, (NsTimeSpan){ 0, 1000 });
  act (world, "whole-trace", NULL);
  g_assert_cmpuint (count_chips (world), ==, 0);
  g_assert_cmpint (ns_session_get_visible (world->session).end_ns, >, 1000);
}

static void
test_each_table_has_its_own (World *world, gconstpointer data)
{
  act (world, "set-filter", "failed=true");
  act (world, "type-filter", "pid=4");
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  g_assert_cmpuint (count_chips (world), ==, 0);
  g_assert_cmpstr (get_typed (world), ==, "");
  act (world, "set-filter", "pid=4");
  g_assert_cmpstr (get_filter (world, NS_TABLE_EVENTS), ==, "pid=4");
  ns_session_set_front (world->session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_chips (world), ==, 1);
  g_assert_cmpstr (get_typed (world), ==, "pid=4");
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true pid=4");
}

static void
test_shows_what_others_set (World *world, gconstpointer data)
{
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true pid=4", NULL, NULL);
  g_assert_cmpuint (count_chips (world), ==, 0);
  ns_session_take_filters (world->session);
  g_assert_cmpuint (count_chips (world), ==, 2);
}

static void
test_shows_conditions_of_values (World *world, gconstpointer data)
{
  ns_session_filter_value (world->session, NS_FILTER_ONLY_VALUE, "pid", "pid=4", NULL);
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "pid=4");
  ns_session_filter_value (world->session, NS_FILTER_ALSO_VALUE, "pid", "pid=8", NULL);
  g_assert_cmpuint (count_chips (world), ==, 1);
  ns_session_filter_value (world->session, NS_FILTER_WITHOUT_VALUE, "failed", "failed=true", NULL);
  g_assert_cmpuint (count_chips (world), ==, 2);
  g_assert_true (g_str_has_suffix (get_filter (world, NS_TABLE_ACTIVITIES), "-failed=true"));
}

static guint32
find_connection (World *world)
{
  const GArray *rows = ns_session_get_trace (world->session)->activities;
  guint32 i;

  for (i = 0; i < rows->len; i++)
    if (g_array_index (rows, NsActivityRow, i).tcp != 0)
      return i;
  g_assert_not_reached ();
}

/* If one table loses the condition of a followed row, the other tables lose it, too. */
static void
test_follows_through_all_tables (World *world, gconstpointer data)
{
  guint32 row;

  act (world, "follow-connection", NULL);
  g_assert_cmpstr (world->message, ==, "This row has nothing to follow.");
  row = find_connection (world);
  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  act (world, "follow-connection", NULL);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_chips (world), ==, 1);
  stage_wait (is_followed, world, "other tables have it");
  act_on_chip (world, "chip-remove", 0);
  g_assert_cmpstr (get_filter (world, NS_TABLE_TCP), ==, "");
  g_assert_cmpstr (get_filter (world, NS_TABLE_EVENTS), ==, "");
}

static void
test_spares_its_words (World *world, gconstpointer data)
{
  GtkEntry *entry = GTK_ENTRY (ns_filter_bar_get_entry (world->bar));

  ns_filter_bar_set_narrow (world->bar, TRUE);
  g_assert_cmpstr (gtk_entry_get_placeholder_text (entry), ==, "Add a filter");
  ns_filter_bar_set_narrow (world->bar, FALSE);
  g_assert_true (g_str_has_prefix (gtk_entry_get_placeholder_text (entry), "Add a filter: "));
}

static void
test_does_nothing_without_a_session (World *world, gconstpointer data)
{
  static const char *const actions[] = { "undo-filter",       "chip-take",      "whole-trace",
                                         "follow-connection", "follow-process", NULL };
  guint i;

  act (world, "set-filter", "failed=true");
  ns_filter_bar_set_session (world->bar, NULL);
  for (i = 0; actions[i] != NULL; i++)
    act (world, actions[i], NULL);
  act (world, "set-filter", "");
  act (world, "type-filter", "pid=4");
  act_on_chip (world, "chip-remove", 0);
  act_on_chip (world, "chip-edit", 0);
  g_assert_cmpstr (get_filter (world, NS_TABLE_ACTIVITIES), ==, "failed=true");
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "applies-what-is-typed", test_applies_what_is_typed },
    { "makes-chips-of-it", test_makes_chips_of_it },
    { "counts-what-a-chip-leaves", test_counts_what_a_chip_leaves },
    { "leaves-rows-when-it-is-wrong", test_leaves_rows_when_it_is_wrong },
    { "escape-takes-what-is-wrong-back", test_escape_takes_what_is_wrong_back },
    { "clears-and-takes-back", test_clears_and_takes_back },
    { "each-table-has-its-own", test_each_table_has_its_own },
    { "shows-what-others-set", test_shows_what_others_set },
    { "shows-conditions-of-values", test_shows_conditions_of_values },
    { "follows-through-all-tables", test_follows_through_all_tables },
    { "spares-its-words", test_spares_its_words },
    { "does-nothing-without-a-session", test_does_nothing_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/filter-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
