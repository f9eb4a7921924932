/* Section shown while no row is selected: the first findings, and whether the trace is complete.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-health-section.h"
#include "ui/sheets/ns-info-facts.h"

#include <glib/gi18n.h>

#define N_SHOWN 3

static void
add_words (GtkWidget *box, const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (box), label);
}

static void
add_link (GtkWidget *box, const char *text, const char *action)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_button_set_child (GTK_BUTTON (button), label);
  ns_accessible_set_name (button, text);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);
}

static void
add_findings (GtkWidget *box, NsSession *session)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_FINDINGS));
  gboolean is_bad;
  guint n_found;
  guint i;

  add_words (box, _ ("Findings"), "section-title");
  if (!ns_session_count_findings (session, &n_found, &is_bad))
    {
      add_words (box, _ ("Looking for findings…"), "dim");
      return;
    }
  if (n_found == 0)
    add_words (box, _ ("Nothing was found."), "dim");
  for (i = 0; i < MIN (MIN (n_found, rows->len), N_SHOWN); i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      g_autofree char *text = ns_brief_new (ns_session_get_trace (session), NS_TABLE_FINDINGS, row);
      g_autofree char *action = g_strdup_printf ("win.go-to(('findings', uint32 %u))", row);

      add_link (box, text, action);
    }
  if (n_found > MIN (rows->len, N_SHOWN))
    {
      /* A filter or a playback hides some findings; the tab shows the same count. */
      g_autofree char *all =
          rows->len < n_found
              ? g_strdup_printf (ngettext ("%u of %u finding…", "%u of %u findings…", n_found),
                                 rows->len,
                                 n_found)
              : g_strdup_printf (ngettext ("%u finding…", "All %u findings…", n_found), n_found);

      add_link (box, all, "win.show-tab('findings')");
    }
}

static void
add_health (GtkWidget *box, NsSession *session)
{
  const NsTrace *trace = ns_session_get_trace (session);
  const NsDamage *damage = ns_session_get_damage (session);
  const NsMissing *lost = &damage->missing;
  g_autofree char *missing = trace->file != NULL ? ns_info_facts_dup_missing (trace) : NULL;
  gboolean is_whole = TRUE;

  add_words (box, _ ("Trace"), "section-title");
  if (missing != NULL)
    {
      add_words (box, missing, "warning-text");
      is_whole = FALSE;
    }
  if (ns_missing_has_losses (lost))
    {
      gulong n_lost = (gulong) (lost->n_events > 0 ? lost->n_events : lost->n_buffers);
      g_autofree char *n = ns_words_count (n_lost);
      g_autofree char *text =
          g_strdup_printf (lost->n_events > 0 ? ngettext ("%s event was lost while recording.",
                                                          "%s events were lost while recording.",
                                                          n_lost)
                                              : ngettext ("%s buffer was lost while recording.",
                                                          "%s buffers were lost while recording.",
                                                          n_lost),
                           n);

      add_words (box, text, "warning-text");
      is_whole = FALSE;
    }
  if (ns_missing_has_gaps (lost))
    {
      g_autofree char *n = ns_words_count (lost->n_gap_buffers);
      g_autofree char *text =
          g_strdup_printf (ngettext ("%s buffer is missing: its number does not occur in the file.",
                                     "%s buffers are missing: their numbers do not occur in the "
                                     "file.",
                                     (gulong) lost->n_gap_buffers),
                           n);

      add_words (box, text, "warning-text");
      is_whole = FALSE;
    }
  if (trace->is_incomplete)
    {
      add_words (box, _ ("Only a part of the file has been read."), "warning-text");
      is_whole = FALSE;
    }
  else if (damage->is_cut)
    {
      add_words (box, _ ("Only a part of the file could be read."), "warning-text");
      is_whole = FALSE;
    }
  else if (damage->is_damaged && !damage->is_whole)
    {
      add_words (box, _ ("The file is damaged: parts of it could not be read."), "warning-text");
      is_whole = FALSE;
    }
  if (is_whole)
    add_words (box, _ ("The file is complete, and no events were lost."), NULL);
  add_link (box, _ ("What This Trace Can Answer…"), "win.info");
}

/**
 * ns_health_section_new:
 *
 * Returns: (transfer floating): an empty section
 */
GtkWidget *
ns_health_section_new (void)
{
  return gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
}

/**
 * ns_health_section_set_session:
 * @section: a widget made by ns_health_section_new()
 * @session: (nullable): session to show; %NULL clears the section
 */
void
ns_health_section_set_session (GtkWidget *section, NsSession *session)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (section)) != NULL)
    gtk_box_remove (GTK_BOX (section), child);
  if (session == NULL)
    return;
  add_findings (section, session);
  add_health (section, session);
}
