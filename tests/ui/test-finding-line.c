/* Unit tests of the line that shows the selected finding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-findings.h"
#include "ui/ns-finding-line.h"
#include "ui/ns-finding-words.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsFindingLine *line;
  NsSession *session;
  char *filter;
  char *message;
  char *pasted;
} World;

static void
filter_cb (World *world, const char *text)
{
  g_free (world->filter);
  world->filter = g_strdup (text);
}

static void
message_cb (World *world, const char *text)
{
  g_free (world->message);
  world->message = g_strdup (text);
}

static gboolean
is_known (gpointer data)
{
  NsFindingSums sums;

  return ns_session_sum_findings (data, &sums) && !ns_session_is_busy (data, NS_TABLE_FINDINGS);
}

static gboolean
is_high (gpointer data)
{
  return gtk_widget_get_height (data) >= 600;
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  ns_session_look_for_findings (world->session);
  stage_wait (is_known, world->session, "findings are looked for");
  world->line = g_object_new (NS_TYPE_FINDING_LINE, "session", world->session, NULL);
  g_signal_connect_swapped (world->line, "filter", G_CALLBACK (filter_cb), world);
  g_signal_connect_swapped (world->line, "message", G_CALLBACK (message_cb), world);
  world->window = stage_show (GTK_WIDGET (world->line), ns_finding_line_get_actions (world->line));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 600);
  stage_wait (is_high, world->window, "the window has room");
  ns_session_set_front (world->session, NS_TABLE_FINDINGS);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
  g_free (world->filter);
  g_free (world->message);
  g_free (world->pasted);
}

/* Selects the first finding that refers to rows. */
static guint32
select_finding (World *world)
{
  guint n_findings = ns_session_count_all (world->session, NS_TABLE_FINDINGS);
  guint32 row;

  for (row = 0; row < n_findings; row++)
    if (ns_session_finding_has_rows (world->session, row))
      {
        ns_session_select (world->session, NS_TABLE_FINDINGS, &row, 1);
        return row;
      }
  g_assert_not_reached ();
}

static GtkWidget *
get_button (World *world)
{
  return stage_find (GTK_WIDGET (world->line), GTK_TYPE_BUTTON, NULL);
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  ((World *) data)->pasted = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_pasted (gpointer data)
{
  return ((World *) data)->pasted != NULL;
}

static void
test_tells_of_the_selected_finding (World *world, gconstpointer data)
{
  g_autofree char *words = NULL;

  g_assert_false (gtk_widget_get_visible (get_button (world)));
  select_finding (world);
  g_assert_true (gtk_widget_get_visible (get_button (world)));
  words = g_strdup_printf ("%u row", ns_session_count_marked (world->session));
  g_assert_true (g_str_has_prefix (gtk_button_get_label (GTK_BUTTON (get_button (world))), words));
  ns_session_select (world->session, NS_TABLE_FINDINGS, NULL, 0);
  g_assert_false (gtk_widget_get_visible (get_button (world)));
}

static void
test_shows_its_rows (World *world, gconstpointer data)
{
  g_autofree char *wanted = NULL;
  NsTableId table;
  guint32 row;

  row = select_finding (world);
  wanted = ns_session_dup_finding_filter (world->session, row, &table);
  g_signal_emit_by_name (get_button (world), "clicked");
  g_assert_cmpstr (world->filter, ==, wanted);
  g_assert_cmpint (ns_session_get_front (world->session), ==, table);
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  stage_act (world->window, "show-rows", g_variant_new_string ("failed=true"));
  g_assert_cmpstr (world->filter, ==, "failed=true");
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
}

static void
test_hides_its_rule (World *world, gconstpointer data)
{
  guint32 row = select_finding (world);
  g_autofree char *wanted =
      g_strdup_printf ("-id:%s", ns_session_get_finding (world->session, row)->rule);

  stage_act (world->window, "hide-rule", NULL);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_FINDINGS), ==, wanted);
}

/* Possible only while the findings are shown. */
static void
test_copies_it (World *world, gconstpointer data)
{
  select_finding (world);
  ns_session_set_front (world->session, NS_TABLE_ACTIVITIES);
  g_assert_false (ns_finding_line_copy (world->line, TRUE));
  g_assert_null (world->message);
  ns_session_set_front (world->session, NS_TABLE_FINDINGS);
  stage_act (world->window, "copy-finding", NULL);
  g_assert_cmpstr (world->message, ==, "Copied");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (world->window), NULL, pasted_cb, world);
  stage_wait (is_pasted, world, "the clipboard is read");
  g_assert_cmpuint (strlen (world->pasted), >, 40);
}

static void
test_words_count_them (World *world, gconstpointer data)
{
  g_autofree char *count = ns_finding_words_count (world->session);
  g_autofree char *none = ns_finding_words_sums (world->session, 0);
  g_autofree char *one = NULL;
  g_autofree char *wanted = NULL;

  wanted = g_strdup_printf ("%u", ns_session_count_all (world->session, NS_TABLE_FINDINGS));
  g_assert_cmpstr (count, ==, wanted);
  g_assert_nonnull (strstr (none, "problem"));
  select_finding (world);
  one = ns_finding_words_sums (world->session, 1);
  g_assert_true (g_str_has_prefix (one, "1 finding selected   "));
  g_assert_true (g_str_has_suffix (one, none));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "tells-of-the-selected-finding", test_tells_of_the_selected_finding },
    { "shows-its-rows", test_shows_its_rows },
    { "hides-its-rule", test_hides_its_rule },
    { "copies-it", test_copies_it },
    { "words-count-them", test_words_count_them },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/finding-line/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
