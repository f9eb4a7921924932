/* Claims about the list of rows: it tells of the middle only, and a row is one object.
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
changed_cb (GListModel *list, guint position, guint removed, guint added, GString *changes)
{
  g_string_append_printf (changes, "%u-%u+%u;", position, removed, added);
}

static void
test_tells_of_the_middle_only (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autofree char *text = NULL;

  g_signal_connect (list, "items-changed", G_CALLBACK (changed_cb), changes);
  show (list, "1 2 3 4 5");
  show (list, "1 2 9 5");
  show (list, "1 2 9 5");
  show (list, "");
  show (list, "7 7");
  show (list, "7 7 7");
  text = list_to_text (list);
  g_assert_cmpstr (text, ==, "7 7 7");
  g_assert_cmpstr (changes->str, ==, "0-0+5;2-2+1;0-4+0;0-0+2;2-0+1;");
}

static void
test_a_row_is_one_object_while_it_is_held (void)
{
  g_autoptr (NsRowList) list = ns_row_list_new ();
  g_autoptr (NsRowItem) item = NULL;
  g_autoptr (NsRowItem) moved = NULL;

  show (list, "4 0 6");
  item = g_list_model_get_item (G_LIST_MODEL (list), 2);
  show (list, "6 4");
  moved = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_true (item == moved);
  g_assert_cmpuint (ns_row_list_find (list, 4), ==, 1);
  g_assert_cmpuint (ns_row_list_find (list, 0), ==, G_MAXUINT);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 2));
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
  g_test_add_func ("/row-list/tells-of-the-middle-only", test_tells_of_the_middle_only);
  g_test_add_func ("/row-list/a-row-is-one-object-while-it-is-held",
                   test_a_row_is_one_object_while_it_is_held);
  g_test_add_func ("/row-list/an-item-may-outlive-its-list", test_an_item_may_outlive_its_list);
  return g_test_run ();
}
