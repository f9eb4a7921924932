/* Tests the context menu of rows, which names the value it was opened on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-row-menu.h"

/* (transfer full): the label of an action, which occurs once in the menu. */
static char *
dup_label (GMenuModel *menu, const char *wanted)
{
  char *found = NULL;
  int i;
  int k;

  for (i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      for (k = 0; k < g_menu_model_get_n_items (section); k++)
        {
          g_autofree char *action = NULL;

          g_menu_model_get_item_attribute (section, k, G_MENU_ATTRIBUTE_ACTION, "s", &action);
          if (g_strcmp0 (action, wanted) == 0)
            {
              g_assert_null (found);
              g_menu_model_get_item_attribute (section, k, G_MENU_ATTRIBUTE_LABEL, "s", &found);
            }
        }
    }
  g_assert_nonnull (found);
  return found;
}

static void
test_says_the_value_and_how_many_rows_have_it (void)
{
  g_autoptr (NsSession) session = stage_session_new ();
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "process");
  NsFieldValue value = { 0 };
  const NsField *shown = ns_field_get_shown (ns_session_get_trace (session), field, 0, &value);
  g_autofree char *condition = ns_filter_from_value (shown, &value);
  guint n_all = ns_session_count_rows (session, NS_TABLE_ACTIVITIES);
  g_autoptr (GMenuModel) menu = NULL;
  g_autofree char *only = NULL;
  g_autofree char *without = NULL;
  g_autofree char *copy = NULL;
  g_autofree char *with_rows = NULL;
  g_autofree char *without_rows = NULL;
  gboolean has_value = FALSE;
  guint n_with = 0;
  guint i;

  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, condition, NULL, NULL);

  for (i = 0; i < n_all; i++)
    n_with += ns_filter_matches (filter, ns_session_get_trace (session), i) ? 1 : 0;
  g_assert_cmpuint (n_with, >, 1);
  g_assert_cmpuint (n_with + 1, <, n_all);
  menu = ns_row_menu_new (session, shown, &value, &has_value);
  g_assert_true (has_value);
  only = dup_label (menu, "win.only-value");
  without = dup_label (menu, "win.without-value");
  copy = dup_label (menu, "win.copy-value");
  with_rows = g_strdup_printf (" · %u rows", n_with);
  without_rows = g_strdup_printf (" · %u rows", n_all - n_with);
  g_assert_true (g_str_has_prefix (only, "_Only "));
  g_assert_true (g_str_has_suffix (only, with_rows));
  g_assert_true (g_str_has_prefix (without, "_Without "));
  g_assert_true (g_str_has_suffix (without, without_rows));
  /* Items that do not use the value keep their label. */
  g_assert_cmpstr (copy, ==, "Copy _Value");
  ns_field_value_clear (&value);
}

static void
test_says_nothing_without_a_value (void)
{
  g_autoptr (NsSession) session = stage_session_new ();
  gboolean has_value = TRUE;
  g_autoptr (GMenuModel) menu = ns_row_menu_new (session, NULL, NULL, &has_value);
  g_autofree char *only = dup_label (menu, "win.only-value");

  g_assert_false (has_value);
  g_assert_cmpstr (only, ==, "_Only This Value");
}

static void
add_tests (void)
{
  g_test_add_func ("/row-menu/says-the-value-and-how-many-rows-have-it",
                   test_says_the_value_and_how_many_rows_have_it);
  g_test_add_func ("/row-menu/says-nothing-without-a-value", test_says_nothing_without_a_value);
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
