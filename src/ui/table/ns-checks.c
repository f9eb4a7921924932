/* Summary of the checks below the findings: one expander for the rules that could not be judged,
 * one for the rules that found nothing, and the totals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-checks.h"

#include "ui/ns-severity-icon.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Maximum number of rule titles in the label of a collapsed expander. */
#define MAX_NAMED 4
#define MIN_ROOM_PX 24
#define SUMMARY_CHARS 110

/* Creates one line of an expanded list. */
static GtkWidget *
entry_new (const NsFindingRow *row)
{
  g_autofree char *text = NULL;
  GtkWidget *label = gtk_label_new (NULL);

  text = g_markup_printf_escaped ("<b>%s %s</b> – %s", row->rule, row->title, row->text);
  gtk_label_set_markup (GTK_LABEL (label), text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

/* Fills the list when the expander is opened and drops it when it is closed. */
static void
expanded_cb (GtkExpander *expander, GParamSpec *pspec, gpointer data)
{
  NsSession *session = g_object_get_data (G_OBJECT (expander), "ns-session");
  NsVerdict verdict = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (expander), "ns-verdict"));
  g_autoptr (GPtrArray) checks = NULL;
  GtkWidget *list;
  guint i;

  if (!gtk_expander_get_expanded (expander) || session == NULL)
    {
      gtk_expander_set_child (expander, NULL);
      return;
    }
  list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_widget_add_css_class (list, "checks-list");
  checks = ns_session_list_checks (session, verdict);
  for (i = 0; i < checks->len; i++)
    gtk_box_append (GTK_BOX (list), entry_new (g_ptr_array_index (checks, i)));
  gtk_expander_set_child (expander, list);
  g_object_bind_property (expander, "expanded", list, "can-focus", G_BINDING_SYNC_CREATE);
}

/* Creates the button that opens the recording recipe; ns_checks_update() sets the layers to
 * record. */
static GtkWidget *
record_new (void)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Record What Is Missing…"));

  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.recipe");
  gtk_widget_add_css_class (button, "inline-link");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  return button;
}

static GtkWidget *
line_new (NsSeverityMark mark, NsVerdict verdict)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *icon = ns_severity_icon_new (mark);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *expander = gtk_expander_new (NULL);

  gtk_widget_add_css_class (line, "checks-line");
  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (line), icon);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_expander_set_label_widget (GTK_EXPANDER (expander), label);
  gtk_widget_set_hexpand (expander, TRUE);
  g_object_set_data (G_OBJECT (expander), "ns-verdict", GUINT_TO_POINTER (verdict));
  g_signal_connect (expander, "notify::expanded", G_CALLBACK (expanded_cb), NULL);
  gtk_box_append (GTK_BOX (line), expander);
  if (verdict == NS_VERDICT_UNJUDGED)
    gtk_box_append (GTK_BOX (line), record_new ());
  return line;
}

/**
 * ns_checks_new:
 *
 * Creates the summary of the checks, hidden until the findings are computed.
 *
 * Returns: (transfer floating): the widget
 */
GtkWidget *
ns_checks_new (void)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *summary = gtk_label_new (NULL);

  gtk_box_append (GTK_BOX (box), line_new (NS_SEVERITY_MARK_UNJUDGED, NS_VERDICT_UNJUDGED));
  gtk_box_append (GTK_BOX (box), line_new (NS_SEVERITY_MARK_FINE, NS_VERDICT_NOT_FOUND));
  gtk_label_set_xalign (GTK_LABEL (summary), 0);
  gtk_label_set_wrap (GTK_LABEL (summary), TRUE);
  /* The natural height is measured for a label of this width; in a narrower view the content
   * scrolls. */
  gtk_label_set_max_width_chars (GTK_LABEL (summary), SUMMARY_CHARS);
  gtk_widget_set_halign (summary, GTK_ALIGN_START);
  gtk_widget_add_css_class (summary, "caption");
  gtk_widget_add_css_class (summary, "checks-summary");
  gtk_box_append (GTK_BOX (box), summary);
  gtk_widget_add_css_class (scrolled, "checks");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), MIN_ROOM_PX);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_visible (scrolled, FALSE);
  return scrolled;
}

static GtkWidget *
get_box (GtkWidget *checks)
{
  GtkWidget *view = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (checks));

  return GTK_IS_VIEWPORT (view) ? gtk_viewport_get_child (GTK_VIEWPORT (view)) : view;
}

static void
update_line (GtkWidget *line, NsSession *session, guint n, const char *words, const char *more)
{
  GtkWidget *icon = gtk_widget_get_first_child (line);
  GtkExpander *expander = GTK_EXPANDER (gtk_widget_get_next_sibling (icon));
  g_autofree char *markup = NULL;

  gtk_widget_set_visible (line, n > 0);
  g_object_set_data_full (G_OBJECT (expander),
                          "ns-session",
                          g_object_ref (session),
                          g_object_unref);
  markup = g_markup_printf_escaped ("<b>%s</b> <span alpha=\"75%%\">%s</span>", words, more);
  gtk_label_set_markup (GTK_LABEL (gtk_expander_get_label_widget (expander)), markup);
  /* The list may still show the findings of an earlier load. */
  if (gtk_expander_get_expanded (expander))
    expanded_cb (expander, NULL, NULL);
}

/* Returns, for example, “– Slow name resolution, Connection refused …”. */
static char *
dup_titles (NsSession *session)
{
  g_autoptr (GPtrArray) checks = ns_session_list_checks (session, NS_VERDICT_NOT_FOUND);
  GString *text = g_string_new ("– ");
  guint i;

  for (i = 0; i < checks->len && i < MAX_NAMED; i++)
    g_string_append_printf (text,
                            "%s%s",
                            i > 0 ? ", " : "",
                            ((const NsFindingRow *) g_ptr_array_index (checks, i))->title);
  if (checks->len > MAX_NAMED)
    g_string_append (text, " …");
  return g_string_free (text, FALSE);
}

static char *
dup_summary (const NsFindingSums *sums, gboolean is_part)
{
  if (is_part)
    /* Translators: four numbers; the last three add up to the first. */
    return g_strdup_printf (_ ("%u checks so far, on the part of the file that was read: %u found "
                               "something, %u could not be judged, %u found nothing."),
                            sums->n_checks,
                            sums->n_found,
                            sums->n_unjudged,
                            sums->n_fine);

  /* Translators: four numbers; the last three add up to the first. */
  return g_strdup_printf (
      _ ("%u checks: %u found something, %u could not be judged, %u found nothing. Cost is time on "
         "the path of a request, overlaps counted once; the costs of two findings may include the "
         "same time, so they are not summed."),
      sums->n_checks,
      sums->n_found,
      sums->n_unjudged,
      sums->n_fine);
}

/**
 * ns_checks_update:
 * @checks: made by ns_checks_new()
 * @session: (nullable): the session whose findings are listed above
 *
 * Shows how many rules could not be judged, with the missing providers, and how many found nothing.
 * Hides @checks while the findings are not computed.
 */
void
ns_checks_update (GtkWidget *checks, NsSession *session)
{
  GtkWidget *box = get_box (checks);
  GtkWidget *unjudged = gtk_widget_get_first_child (box);
  g_autofree char *n_unjudged = NULL;
  g_autofree char *n_fine = NULL;
  g_autofree char *missing = NULL;
  g_autofree char *layers = NULL;
  g_autofree char *why = NULL;
  g_autofree char *titles = NULL;
  g_autofree char *summary = NULL;
  gboolean is_part;
  NsFindingSums sums;

  if (session == NULL || !ns_session_sum_findings (session, &sums))
    {
      gtk_widget_set_visible (checks, FALSE);
      return;
    }
  is_part = ns_session_get_trace (session)->is_incomplete;
  n_unjudged = g_strdup_printf (
      ngettext ("%u check could not be judged:", "%u checks could not be judged:", sums.n_unjudged),
      sums.n_unjudged);
  n_fine =
      g_strdup_printf (ngettext ("%u check found nothing", "%u checks found nothing", sums.n_fine),
                       sums.n_fine);
  missing = ns_session_dup_missing (session);
  /* Translators: names of providers of events, each with a number of checks. */
  why = g_strdup_printf (_ ("not recorded – %s"), missing);
  titles = dup_titles (session);
  summary = dup_summary (&sums, is_part);
  update_line (unjudged, session, sums.n_unjudged, n_unjudged, why);
  layers = ns_session_dup_missing_layers (session);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (gtk_widget_get_last_child (unjudged)),
                                    "s",
                                    layers);
  /* A rule can only be said to have found nothing once the whole file is read. */
  update_line (gtk_widget_get_next_sibling (unjudged),
               session,
               is_part ? 0 : sums.n_fine,
               n_fine,
               titles);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (box)), summary);
  gtk_widget_set_visible (checks, TRUE);
}
