/* The findings of the window: how many there are, and the way to the rows of one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "ui/ns-severity-icon.h"
#include "ui/ns-theme.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-finding-section.h"
#include "ui/table/ns-checks.h"

#include <glib/gi18n.h>

/* A window less high, at the usual size of letters, has no room for a line that others say, too. */
#define LINE_LEAST_PX 400

/* How the tab counts them. */
char *
ns_window_dup_findings_count (NsWindow *self)
{
  NsFindingSums sums;

  if (!ns_session_sum_findings (self->session, &sums))
    return g_strdup ("…");
  return ns_words_count (sums.n_findings);
}

/* The mark of the tab, and the lines below the table. */
void
ns_window_update_findings (NsWindow *self)
{
  static const NsSeverityMark marks[] = { [NS_SEVERITY_INFO] = NS_SEVERITY_MARK_NOTE,
                                          [NS_SEVERITY_WARNING] = NS_SEVERITY_MARK_WARNING,
                                          [NS_SEVERITY_PROBLEM] = NS_SEVERITY_MARK_PROBLEM };
  NsFindingSums sums;
  gboolean is_known = ns_session_sum_findings (self->session, &sums);

  ns_severity_icon_set (NS_SEVERITY_ICON (self->findings_icon),
                        is_known && sums.n_findings > 0 ? marks[sums.worst]
                                                        : NS_SEVERITY_MARK_NONE);
  if (self->checks != NULL)
    ns_checks_update (self->checks, self->session);
  if (is_known && self->table == NS_TABLE_FINDINGS &&
      ns_session_get_selected (self->session)->len == 0)
    ns_window_update_sums (self);
}

static void
append_number (GString *text, guint n, const char *format)
{
  g_autofree char *number = ns_words_count (n);
  g_auto (GStrv) parts = g_strsplit (format, "{n}", 2);

  if (n > 0)
    g_string_append_printf (text,
                            "%s%s%s%s",
                            text->len > 0 ? ", " : "",
                            parts[0],
                            number,
                            parts[0] != NULL && parts[1] != NULL ? parts[1] : "");
}

/* “3 problems, 3 warnings, 2 notes” */
static char *
dup_severities (const NsFindingSums *sums)
{
  guint n_problems = sums->n_of[NS_SEVERITY_PROBLEM];
  guint n_warnings = sums->n_of[NS_SEVERITY_WARNING];
  guint n_notes = sums->n_of[NS_SEVERITY_INFO];
  GString *text = g_string_new (NULL);

  /* Translators: {n} is a number. */
  append_number (text, n_problems, ngettext ("{n} problem", "{n} problems", n_problems));
  append_number (text, n_warnings, ngettext ("{n} warning", "{n} warnings", n_warnings));
  append_number (text, n_notes, ngettext ("{n} note", "{n} notes", n_notes));
  return g_string_free (text, FALSE);
}

/* Operations that the selected findings are about, each once. */
static guint
count_marked (NsWindow *self)
{
  const guint8 *marked = ns_session_get_marked (self->session);
  guint n_rows = ns_session_get_trace (self->session)->activities->len;
  guint n_marked = 0;
  guint i;

  for (i = 0; marked != NULL && i < n_rows; i++)
    n_marked += marked[i] != 0;
  return n_marked;
}

/* What the status bar says while the findings are in front: what is read first, then more behind
 * wider spaces. */
char *
ns_window_dup_finding_sums (NsWindow *self, guint n_selected)
{
  g_autofree char *severities = NULL;
  g_autofree char *selected = ns_words_count (n_selected);
  g_autofree char *rows = NULL;
  GString *text = g_string_new (NULL);
  NsFindingSums sums;

  if (!ns_session_sum_findings (self->session, &sums))
    return g_string_free (text, FALSE);
  severities = dup_severities (&sums);
  if (n_selected > 0)
    {
      guint n_rows = count_marked (self);

      rows = ns_words_count (n_rows);
      g_string_append_printf (text,
                              ngettext ("%s finding selected", "%s findings selected", n_selected),
                              selected);
      g_string_append_printf (text, ngettext ("   %s row", "   %s rows", n_rows), rows);
    }
  if (*severities != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "   " : "", severities);
  if (text->len == 0)
    g_string_append (text, _ ("Nothing was found."));
  return g_string_free (text, FALSE);
}

/* Shows the rows of the finding that is selected, and nothing else, in the table they are of. */
void
ns_window_show_finding (NsWindow *self)
{
  const GArray *selected;
  g_autofree char *filter = NULL;
  NsTableId table;

  if (self->session == NULL || ns_session_get_selected_table (self->session) != NS_TABLE_FINDINGS)
    return;
  selected = ns_session_get_selected (self->session);
  if (selected->len == 0)
    return;
  filter =
      ns_session_dup_finding_filter (self->session, g_array_index (selected, guint32, 0), &table);
  if (filter == NULL)
    {
      ns_window_say (self, _ ("This finding is about no row."));
      return;
    }
  ns_window_show_table (self, table);
  ns_filter_bar_set_text (self->filter_bar, filter);
}

/* The finding that is selected while the findings are in front; %G_MAXUINT32: none is. */
guint32
ns_window_get_finding (NsWindow *self)
{
  const GArray *selected;

  if (self->session == NULL || self->table != NS_TABLE_FINDINGS ||
      ns_session_get_selected_table (self->session) != NS_TABLE_FINDINGS)
    return G_MAXUINT32;
  selected = ns_session_get_selected (self->session);
  return selected->len > 0 ? g_array_index (selected, guint32, 0) : G_MAXUINT32;
}

/* Copies the finding that is selected, in words; returns whether one is. */
gboolean
ns_window_copy_finding (NsWindow *self, gboolean with_evidence)
{
  guint32 finding = ns_window_get_finding (self);
  g_autofree char *text = NULL;

  if (finding == G_MAXUINT32)
    return FALSE;
  text = ns_finding_section_to_text (self->session, finding, with_evidence);
  if (text == NULL)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  ns_window_say (self, _ ("Copied"));
  return TRUE;
}

/* While a finding is selected, its rows stand out; this says so, and offers to see no others. */
void
ns_window_update_finding_line (NsWindow *self)
{
  const GArray *selected = self->session != NULL ? ns_session_get_selected (self->session) : NULL;
  gboolean is_there = selected != NULL && selected->len > 0 &&
                      ns_session_get_selected_table (self->session) == NS_TABLE_FINDINGS;
  guint n_rows = is_there ? count_marked (self) : 0;
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *text =
      g_strdup_printf (ngettext ("%s row of this finding at full strength, all others dimmed · "
                                 "Only these rows",
                                 "%s rows of this finding at full strength, all others dimmed · "
                                 "Only these rows",
                                 n_rows),
                       count);

  gtk_button_set_label (GTK_BUTTON (self->finding_line), text);
  /* The panel offers it, too: where there is hardly room for lanes and rows it is left to that. */
  gtk_widget_set_visible (self->finding_line,
                          n_rows > 0 && gtk_widget_get_height (GTK_WIDGET (self)) >=
                                            LINE_LEAST_PX * ns_theme_get_scale ());
}

static void
hide_rule_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint32 row = ns_window_get_finding (self);
  const NsFindingRow *finding =
      row != G_MAXUINT32 ? ns_session_get_finding (self->session, row) : NULL;
  g_autofree char *condition = NULL;

  if (finding == NULL)
    return;
  condition = g_strdup_printf ("-id:%s", finding->rule);
  ns_window_add_condition (self, condition, NULL);
}

static void
copy_finding_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_copy_finding (data, TRUE);
}

/* Activities that a filter leaves, whatever table is in front. */
static void
show_rows_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session == NULL)
    return;
  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_filter_bar_set_text (self->filter_bar, g_variant_get_string (parameter, NULL));
}

static void
show_finding_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_show_finding (data);
}

static const GActionEntry entries[] = {
  { "show-finding", show_finding_cb, NULL, NULL, NULL, { 0 } },
  { "show-rows", show_rows_cb, "s", NULL, NULL, { 0 } },
  { "copy-finding", copy_finding_cb, NULL, NULL, NULL, { 0 } },
  { "hide-rule", hide_rule_cb, NULL, NULL, NULL, { 0 } },
};

void
ns_window_add_findings (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
