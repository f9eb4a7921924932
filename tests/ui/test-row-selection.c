/* Tests the selection of rows, and the number of rows reported to GTK at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-row-selection.h"

static void
show (NsRowList *list, guint n_rows)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 0; i < n_rows; i++)
    g_array_append_val (rows, i);
  ns_row_list_set_rows (list, rows);
}

static void
items_changed_cb (GListModel *model, guint position, guint removed, guint added, GString *changes)
{
  g_string_append_printf (changes, "%u-%u+%u;", position, removed, added);
}

static void
held_back_cb (NsRowSelection *selection, GString *changes)
{
  g_string_append (changes, "held;");
}

/* Asserts the changes reported since the last call, and the current number of reported rows. */
static void
assert_told (NsRowSelection *selection, GString *changes, const char *expected)
{
  g_string_append_printf (changes, "%u", g_list_model_get_n_items (G_LIST_MODEL (selection)));
  g_assert_cmpstr (changes->str, ==, expected);
  g_string_truncate (changes, 0);
}

static NsRowSelection *
watch (NsRowList *list, GString *changes)
{
  NsRowSelection *selection = ns_row_selection_new (list);

  g_signal_connect (selection, "items-changed", G_CALLBACK (items_changed_cb), changes);
  g_signal_connect (selection, "held-back", G_CALLBACK (held_back_cb), changes);
  return selection;
}

static void
test_long_lists_are_told_by_and_by (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autoptr (NsRowSelection) selection = NULL;
  guint n_calls;

  show (list, 1000000);
  selection = watch (list, changes);
  g_assert_true (ns_row_selection_is_holding_back (selection));
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (selection), 40));
  assert_told (selection, changes, "40");
  ns_row_selection_report_more (selection);
  assert_told (selection, changes, "40-0+40;80");
  for (n_calls = 0; ns_row_selection_is_holding_back (selection); n_calls++)
    ns_row_selection_report_more (selection);
  g_assert_cmpuint (n_calls, ==, 5);
  assert_told (selection, changes, "80-0+40;120-0+40;160-0+40;200-0+40;240-0+999760;1000000");
  ns_row_selection_report_more (selection);
  assert_told (selection, changes, "1000000");
}

/* Only a list that grows from a few rows is reported in steps, because GTK creates widgets for its
 * first rows at once. */
static void
test_only_lists_that_were_short_are_held_back (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autoptr (NsRowSelection) selection = NULL;

  show (list, 3);
  selection = watch (list, changes);
  g_assert_false (ns_row_selection_is_holding_back (selection));
  show (list, 43);
  assert_told (selection, changes, "3-0+40;43");
  show (list, 1000);
  assert_told (selection, changes, "43-0+40;held;83");
  show (list, 60);
  assert_told (selection, changes, "60-23+0;60");
  show (list, 900);
  assert_told (selection, changes, "60-0+23;83");
  while (ns_row_selection_is_holding_back (selection))
    ns_row_selection_report_more (selection);
  g_string_truncate (changes, 0);
  show (list, 500);
  show (list, 1000);
  assert_told (selection, changes, "500-400+0;500-0+500;1000");
}

/* Selecting a row that was not reported yet reports all rows. */
static void
test_who_selects_is_told_of_all (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autoptr (NsRowSelection) selection = NULL;
  g_autoptr (NsRowSelection) other = NULL;
  GtkSelectionModel *model;
  g_autoptr (GtkBitset) bits = NULL;

  show (list, 1000);
  selection = watch (list, changes);
  model = GTK_SELECTION_MODEL (selection);
  gtk_selection_model_select_item (model, 39, TRUE);
  assert_told (selection, changes, "40");
  gtk_selection_model_select_item (model, 700, FALSE);
  g_assert_true (gtk_selection_model_is_selected (model, 39));
  g_assert_true (gtk_selection_model_is_selected (model, 700));
  assert_told (selection, changes, "40-0+960;1000");

  other = ns_row_selection_new (list);
  g_assert_true (ns_row_selection_is_holding_back (other));
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (other));
  bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (other));
  g_assert_cmpuint (gtk_bitset_get_size (bits), ==, 1000);
}

static gboolean
shortened_cb (NsRowSelection *selection, guint n_rows, GString *changes)
{
  g_string_append_printf (changes, "cut %u;", n_rows);
  return n_rows < 500;
}

/* A shortened list is reported anew, because GTK would keep widgets for removed rows. */
static void
test_rows_can_be_told_anew (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autoptr (NsRowSelection) selection = NULL;

  show (list, 1000);
  selection = watch (list, changes);
  ns_row_selection_report (selection, 999);
  g_signal_connect (selection, "shortened", G_CALLBACK (shortened_cb), changes);
  g_string_truncate (changes, 0);
  show (list, 600);
  assert_told (selection, changes, "cut 600;600-400+0;600");
  g_string_truncate (changes, 0);
  show (list, 30);
  assert_told (selection, changes, "cut 30;0-600+0;0-0+30;30");
  g_assert_false (ns_row_selection_is_holding_back (selection));
  show (list, 60);
  g_string_truncate (changes, 0);
  show (list, 50);
  assert_told (selection, changes, "cut 50;0-60+0;0-0+40;held;40");
  g_assert_true (ns_row_selection_is_holding_back (selection));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-selection/long-lists-are-told-by-and-by",
                   test_long_lists_are_told_by_and_by);
  g_test_add_func ("/row-selection/only-lists-that-were-short-are-held-back",
                   test_only_lists_that_were_short_are_held_back);
  g_test_add_func ("/row-selection/rows-can-be-told-anew", test_rows_can_be_told_anew);
  g_test_add_func ("/row-selection/who-selects-is-told-of-all", test_who_selects_is_told_of_all);
  return g_test_run ();
}
