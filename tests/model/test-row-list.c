/* Tests the list model of rows: change signals, items, expansion of groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-list.h"

static void
show (NsRowList *list, const char *text)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      guint32 row = (guint32) g_ascii_strtoull (words[i], NULL, 10);

      if (*words[i] != '\0')
        g_array_append_val (rows, row);
    }
  ns_row_list_set_rows (list, rows);
}

static char *
list_to_text (NsRowList *list)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (NsRowItem) item = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_string_append_printf (text, "%s%u", i > 0 ? " " : "", ns_row_item_get_row (item));
    }
  return g_string_free (text, FALSE);
}

static void
items_changed_cb (GListModel *list, guint position, guint removed, guint added, GString *changes)
{
  g_string_append_printf (changes, "%u-%u+%u;", position, removed, added);
}

static void
contents_changed_cb (NsRowList *list, guint position, guint n_items, GString *changes)
{
  g_string_append_printf (changes, "%u~%u;", position, n_items);
}

/* GTK queries every item of an items-changed signal, so sorting a million rows must not emit
 * one. */
static void
test_tells_of_places_at_the_end_only (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autofree char *text = NULL;

  g_signal_connect (list, "items-changed", G_CALLBACK (items_changed_cb), changes);
  g_signal_connect (list, "contents-changed", G_CALLBACK (contents_changed_cb), changes);
  show (list, "1 2 3 4 5");
  show (list, "5 4 3 2 1");
  show (list, "5 4 9 2 1");
  show (list, "5 4 9 2 1");
  show (list, "5 4 7");
  show (list, "5 4 7 8");
  text = list_to_text (list);
  g_assert_cmpstr (text, ==, "5 4 7 8");
  g_assert_cmpstr (changes->str, ==, "0-0+5;0~5;2~1;3-2+0;2~1;3-0+1;");
}

static void
test_a_place_is_one_object_while_it_is_held (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (NsRowItem) item = NULL;
  g_autoptr (NsRowItem) again = NULL;

  show (list, "4 0 6");
  item = g_list_model_get_item (G_LIST_MODEL (list), 1);
  show (list, "6 4");
  again = g_list_model_get_item (G_LIST_MODEL (list), 1);
  g_assert_true (item == again);
  g_assert_cmpuint (ns_row_item_get_row (item), ==, 4);
  g_assert_cmpuint (ns_row_list_find (list, 4), ==, 1);
  g_assert_cmpuint (ns_row_list_find (list, 0), ==, G_MAXUINT);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 2));
  show (list, "6");
  g_assert_cmpuint (ns_row_item_get_row (item), ==, NS_ROW_NOT_A_ROW);
}

/* Makes two groups of two groups each, with two rows in each of these. */
static NsGroups *
make_groups (void)
{
  NsGroups *groups = g_new0 (NsGroups, 1);
  guint32 i;

  groups->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  groups->groups = g_array_new (FALSE, TRUE, sizeof (NsGroup));
  groups->n_fields = 2;
  for (i = 0; i < 8; i++)
    {
      NsGroup group = { .begin = i, .end = i + (i % 4 == 0 ? 4 : 2) };
      guint32 row = 10 + i;

      g_array_append_val (groups->rows, row);
      if (i % 4 == 0)
        g_array_append_val (groups->groups, group);
      group.depth = 1;
      group.end = i + 2;
      if (i % 2 == 0)
        g_array_append_val (groups->groups, group);
    }
  return groups;
}

/* Formats each group as its first row, in as many brackets as its depth. */
static char *
groups_to_text (NsRowList *list)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      const NsGroup *group = ns_row_list_get_group_at (list, i);

      if (group == NULL)
        g_string_append_printf (text, "%u ", ns_row_list_get_row_at (list, i));
      else if (group == &ns_row_list_get_groups (list)->total)
        g_string_append (text, "all");
      else
        g_string_append_printf (text, group->depth == 0 ? "[%u] " : "[[%u]] ", group->begin + 10);
    }
  return g_string_free (text, FALSE);
}

static void
assert_groups (NsRowList *list, const char *expected)
{
  g_autofree char *text = groups_to_text (list);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_groups_open_and_close (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();

  ns_row_list_set_groups (list, make_groups ());
  assert_groups (list, "[10] [14] all");
  ns_row_list_set_open (list, ns_row_list_get_group_at (list, 0), TRUE);
  assert_groups (list, "[10] [[10]] [[12]] [14] all");
  ns_row_list_set_open (list, ns_row_list_get_group_at (list, 2), TRUE);
  assert_groups (list, "[10] [[10]] [[12]] 12 13 [14] all");
  g_assert_cmpuint (ns_row_list_get_parent_at (list, 4), ==, 2);
  g_assert_cmpuint (ns_row_list_get_parent_at (list, 2), ==, 0);
  g_assert_cmpuint (ns_row_list_get_parent_at (list, 5), ==, G_MAXUINT);
  ns_row_list_set_open (list, ns_row_list_get_group_at (list, 0), FALSE);
  assert_groups (list, "[10] [14] all");
  g_assert_cmpuint (ns_row_list_get_rows (list)->len, ==, 8);
  g_assert_cmpuint (ns_row_list_find (list, 15), ==, G_MAXUINT);
  g_assert_true (ns_row_list_reveal (list, 15));
  assert_groups (list, "[10] [14] [[14]] 14 15 [[16]] all");
  ns_row_list_set_all_open (list, TRUE);
  assert_groups (list, "[10] [[10]] 10 11 [[12]] 12 13 [14] [[14]] 14 15 [[16]] 16 17 all");
  ns_row_list_set_all_open (list, FALSE);
  assert_groups (list, "[10] [14] all");
}

static void
test_an_item_may_outlive_its_list (void)
{
  NsRowList *list = ns_row_list_new ();
  g_autoptr (NsRowItem) item = NULL;

  show (list, "3");
  item = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_object_unref (list);
  g_assert_cmpuint (ns_row_item_get_row (item), ==, 3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/row-list/tells-of-places-at-the-end-only",
                   test_tells_of_places_at_the_end_only);
  g_test_add_func ("/row-list/a-place-is-one-object-while-it-is-held",
                   test_a_place_is_one_object_while_it_is_held);
  g_test_add_func ("/row-list/groups-open-and-close", test_groups_open_and_close);
  g_test_add_func ("/row-list/an-item-may-outlive-its-list", test_an_item_may_outlive_its_list);
  return g_test_run ();
}
