/* Tests the tables of the real window: groups, columns, sorting and selections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "window-driver.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_ROWS 27

/* Returns whether the current table has this number of items and groups. */
static gboolean
places_are (guint n_places, guint n_groups)
{
  g_autoptr (GVariant) value = driver_read_action (1, "places");
  guint places;
  guint groups;

  if (value == NULL)
    return FALSE;
  g_variant_get (value, "(uu)", &places, &groups);
  return places == n_places && groups == n_groups;
}

static void
wait_for_places (guint n_places, guint n_groups)
{
  gint64 until_us = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (!places_are (n_places, n_groups))
    {
      g_autoptr (GVariant) value = driver_read_action (1, "places");
      g_autofree char *text = value != NULL ? g_variant_print (value, FALSE) : NULL;

      if (g_get_monotonic_time () > until_us)
        g_error ("%u places of %u groups never came: %s", n_places, n_groups, text);
      g_usleep (20000);
    }
}

static void
test_opens (void)
{
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (N_ROWS), "all rows are shown");
  wait_for_places (N_ROWS, 0);
}

/* Outer groups are expanded initially; the totals row follows the last group. */
static void
test_groups_open_and_close (void)
{
  driver_act (1, "group-by", g_variant_new_string ("process"));
  wait_for_places (4 + 1, 4);
  driver_act (1, "toggle-group", g_variant_new_uint32 (0));
  wait_for_places (4 + 1 + 9, 4);
  driver_act (1, "toggle-group", g_variant_new_uint32 (0));
  wait_for_places (4 + 1, 4);
  driver_act (1, "expand-groups", NULL);
  wait_for_places (4 + 1 + N_ROWS, 4);
  driver_act (1, "fold-groups", NULL);
  wait_for_places (4 + 1, 4);
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (N_ROWS), "closed groups lose no row");
}

/* Expanded groups stay expanded when the filter changes. */
static void
test_a_filter_keeps_groups_open (void)
{
  driver_act (1, "toggle-group", g_variant_new_uint32 (0));
  wait_for_places (4 + 1 + 9, 4);
  driver_act (1, "set-filter", g_variant_new_string ("failed=true"));
  wait_for_places (2 + 1 + 2, 2);
  driver_act (1, "set-filter", g_variant_new_string (""));
  wait_for_places (4 + 1 + 9, 4);
}

static void
test_a_row_in_a_closed_group_is_revealed (void)
{
  driver_act (1, "fold-groups", NULL);
  wait_for_places (4 + 1, 4);
  driver_act (1, "go-to", g_variant_new ("(su)", "activities", 0));
  wait_for_places (4 + 1 + 9, 4);
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (1), "the row is selected");
  /* The user closes the group again, so it stays closed. */
  driver_act (1, "fold-groups", NULL);
  wait_for_places (4 + 1, 4);
}

static void
test_groups_inside_groups (void)
{
  driver_act (1, "group-by", g_variant_new_string ("process,server,no-such-field"));
  driver_act (1, "fold-groups", NULL);
  driver_act (1, "group-by", g_variant_new_string (""));
  wait_for_places (N_ROWS, 0);
  driver_act (1, "group-by", g_variant_new_string ("failed,process"));
  wait_for_places (1 + 2 + 6, 8);
  driver_act (1, "group-move", g_variant_new ("(uu)", 1, 0));
  wait_for_places (1 + 4 + 6, 10);
  driver_act (1, "group-remove", g_variant_new_uint32 (1));
  wait_for_places (4 + 1, 4);
  driver_act (1, "group-remove", g_variant_new_uint32 (0));
  wait_for_places (N_ROWS, 0);
}

/* A large selection includes rows outside the visible area. */
static void
test_all_rows_are_selected (void)
{
  driver_act (1, "select-all", NULL);
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (N_ROWS), "all rows are selected");
  driver_act (1, "sort", g_variant_new_string ("-duration_ns"));
  driver_act (1, "group-by", g_variant_new_string ("process"));
  wait_for_places (4 + 1, 4);
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (N_ROWS), "they still are");
  driver_act (1, "group-by", g_variant_new_string (""));
  wait_for_places (N_ROWS, 0);
}

/* Returns the names of the visible columns, taken from an export. */
static char *
read_columns (void)
{
  g_autofree char *path = g_build_filename (driver_get_folder (), "columns.csv", NULL);
  gint64 until_us = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  char *text = NULL;

  g_unlink (path);
  driver_act (1, "export-to", g_variant_new_string (path));
  while (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (20000);
    }
  text[strcspn (text, "\r\n")] = '\0';
  return text;
}

static void
assert_columns (const char *expected)
{
  g_autofree char *columns = read_columns ();

  g_assert_cmpstr (columns, ==, expected);
}

static void
test_columns_are_shown_moved_and_reset (void)
{
  g_autofree char *ours = read_columns ();

  g_assert_true (g_str_has_prefix (ours, "process_pid,server,protocol,method,"));
  driver_act (1, "move-column", g_variant_new ("(si)", "server", 1));
  driver_act (1, "show-column", g_variant_new ("(sb)", "method", FALSE));
  /* Changing the grouping does not change the column selection. */
  driver_act (1, "group-by", g_variant_new_string ("server"));
  driver_act (1, "group-by", g_variant_new_string (""));
  wait_for_places (N_ROWS, 0);
  {
    g_autofree char *now = read_columns ();

    g_assert_true (g_str_has_prefix (now, "process_pid,protocol,server,url,"));
  }
  driver_act (1, "reset-columns", NULL);
  assert_columns (ours);
}

static char *
read_clipboard (const char *target)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) xclip = NULL;
  char *text = NULL;

  g_subprocess_launcher_setenv (launcher, "DISPLAY", driver_get_display (), TRUE);
  xclip = g_subprocess_launcher_spawn (launcher,
                                       NULL,
                                       "xclip",
                                       "-selection",
                                       "clipboard",
                                       "-o",
                                       "-t",
                                       target,
                                       NULL);
  if (xclip != NULL)
    g_subprocess_communicate_utf8 (xclip, NULL, NULL, &text, NULL, NULL);
  return text;
}

static guint
count_of (const char *text, const char *part)
{
  guint n = 0;

  while ((text = strstr (text, part)) != NULL)
    {
      text += strlen (part);
      n++;
    }
  return n;
}

/* A spreadsheet takes the text format, a document the HTML table; both have the same cells. */
static void
test_rows_are_copied_as_text_and_as_a_table (void)
{
  const guint32 rows[] = { 0 };
  const guint32 others[] = { 1, 2 };
  g_autofree char *program = g_find_program_in_path ("xclip");
  g_autofree char *text = NULL;
  g_autofree char *html = NULL;
  g_autofree char *markdown = NULL;
  g_autofree char *json = NULL;

  if (program == NULL)
    {
      g_test_skip ("there is no xclip to look at the clipboard with");
      return;
    }
  driver_act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, rows, 1, 4));
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (1), "a row is selected");
  driver_act (1, "copy", NULL);
  /* A later selection does not change the copied rows. */
  driver_act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, others, 2, 4));
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (2), "others are selected");
  text = read_clipboard ("UTF8_STRING");
  html = read_clipboard ("text/html");
  g_assert_nonnull (strstr (text, "Server\tProtocol\t"));
  g_assert_nonnull (strstr (text, "\tmail.example.com\tWinHTTP\t"));
  g_assert_nonnull (strstr (html, "<th>Server</th><th>Protocol</th>"));
  g_assert_nonnull (strstr (html, "<td>mail.example.com</td><td>WinHTTP</td>"));
  g_assert_cmpuint (count_of (text, "\t"), ==, count_of (html, "</t") - 5);
  g_assert_cmpuint (count_of (html, "<tr>"), ==, 2);
  driver_act (1, "copy-markdown", NULL);
  markdown = read_clipboard ("UTF8_STRING");
  g_assert_true (g_str_has_prefix (markdown, "| "));
  g_assert_cmpuint (count_of (markdown, "\n"), ==, 4);
  driver_act (1, "copy-json", NULL);
  json = read_clipboard ("UTF8_STRING");
  g_assert_nonnull (strstr (json, "\"server\""));
}

static gboolean
table_is (const DriverState *state, gconstpointer name)
{
  return strcmp (state->table, name) == 0;
}

/* A closed tab is skipped by number shortcuts, and opens again when its table is requested. */
static void
test_tabs_are_taken_away_and_come_back (void)
{
  driver_act (1, "show-tab", g_variant_new_string ("dns"));
  driver_wait_for (1, table_is, "dns", "the names are in front");
  driver_act (1, "toggle-tab", g_variant_new_string ("dns"));
  driver_wait_for (1, table_is, "activities", "the operations are in front, there is no other tab");
  driver_act (1, "nth-tab", g_variant_new_int32 (2));
  driver_wait_for (1, table_is, "tcp", "the tab behind the findings is another one");
  driver_act (1, "toggle-tab", g_variant_new_string ("activities"));
  driver_act (1, "nth-tab", g_variant_new_int32 (0));
  driver_wait_for (1, table_is, "activities", "the first tab cannot be taken away");
  driver_act (1, "show-tab", g_variant_new_string ("dns"));
  driver_wait_for (1, table_is, "dns", "the names are back");
  driver_act (1, "nth-tab", g_variant_new_int32 (0));
  driver_act (1, "nth-tab", g_variant_new_int32 (2));
  driver_wait_for (1, table_is, "dns", "their tab is back");
  driver_act (1, "show-tab", g_variant_new_string ("activities"));
}

static void
add_tests (void)
{
  g_test_add_func ("/tables/opens", test_opens);
  g_test_add_func ("/tables/groups-open-and-close", test_groups_open_and_close);
  g_test_add_func ("/tables/a-filter-keeps-groups-open", test_a_filter_keeps_groups_open);
  g_test_add_func ("/tables/a-row-in-a-closed-group-is-revealed",
                   test_a_row_in_a_closed_group_is_revealed);
  g_test_add_func ("/tables/groups-inside-groups", test_groups_inside_groups);
  g_test_add_func ("/tables/columns-are-shown-moved-and-reset",
                   test_columns_are_shown_moved_and_reset);
  g_test_add_func ("/tables/rows-are-copied-as-text-and-as-a-table",
                   test_rows_are_copied_as_text_and_as_a_table);
  g_test_add_func ("/tables/tabs-are-taken-away-and-come-back",
                   test_tabs_are_taken_away_and_come_back);
  g_test_add_func ("/tables/all-rows-are-selected", test_all_rows_are_selected);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  return driver_run ("tables", add_tests);
}
