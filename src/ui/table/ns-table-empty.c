/* Placeholder for a table without rows: the reason and a button with a remedy. A filter without
 * matches is distinguished from a trace without such events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-empty.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-moment.h"

#include <glib/gi18n.h>

/* Height of the column titles, which stay visible above the placeholder. */
#define TITLES_PX 30

/**
 * ns_table_empty_new:
 *
 * Returns: (transfer floating): a placeholder with a sentence and a button, hidden
 */
GtkWidget *
ns_table_empty_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *sentence = gtk_label_new (NULL);
  GtkWidget *button = gtk_button_new ();

  gtk_label_set_wrap (GTK_LABEL (sentence), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (sentence), 60);
  gtk_label_set_justify (GTK_LABEL (sentence), GTK_JUSTIFY_CENTER);
  gtk_box_append (GTK_BOX (box), sentence);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), button);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_top (box, TITLES_PX);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_visible (box, FALSE);
  return box;
}

/* Returns the layer that a recording needs for the table, besides the default layers. */
static const char *
layers_of (NsTableId table)
{
  switch ((guint) table)
    {
    case NS_TABLE_CHROMIUM:
    case NS_TABLE_CHROMIUM_EVENTS:
      return "browsers";
    case NS_TABLE_TASKS:
      return "office";
    case NS_TABLE_HTTP_SERVER:
      return "server";
    case NS_TABLE_LDAP:
      return "ldap";
    case NS_TABLE_KERNEL_NETWORK:
      return "counters";
    case NS_TABLE_DNS:
      return "names";
    case NS_TABLE_WFP:
      return "environment";
    case NS_TABLE_SMB:
    case NS_TABLE_RPC:
      return "files";
    case NS_TABLE_CAPI2:
      return "tls";
    case NS_TABLE_QUIC:
      return "quic";
    case NS_TABLE_TCP:
      return "connections";
    case NS_TABLE_WINSOCK:
      return "sockets";
    case NS_TABLE_WEBIO:
    case NS_TABLE_WININET:
    case NS_TABLE_URLMON:
    case NS_TABLE_BITS:
    case NS_TABLE_DOTNET:
      return "http";
    case NS_TABLE_PACKETS:
    case NS_TABLE_FLOWS:
      return "packets";
    default:
      return "";
    }
}

/* Sets the action of the button. The target is set before the name, because GTK queries the action
 * with the current target. */
static void
lead_to (GtkWidget *button, const char *action, const char *target)
{
  GtkActionable *actionable = GTK_ACTIONABLE (button);

  gtk_actionable_set_action_name (actionable, NULL);
  gtk_actionable_set_action_target_value (actionable,
                                          target != NULL ? g_variant_new_string (target) : NULL);
  gtk_actionable_set_action_name (actionable, action);
}

static void
report_nothing_found (NsSession *session, GtkLabel *sentence)
{
  gboolean is_part = ns_session_get_trace (session)->is_incomplete;
  NsFindingSums sums;
  g_autofree char *text = NULL;

  ns_session_sum_findings (session, &sums);
  /* Translators: two numbers of checks. */
  text = g_strdup_printf (is_part ? _ ("Nothing found so far by %u checks; %u could not be judged.")
                                  : _ ("Nothing found by %u checks; %u could not be judged."),
                          sums.n_fine,
                          sums.n_unjudged);
  gtk_label_set_text (sentence, text);
}

/**
 * ns_table_empty_update:
 * @empty: made by ns_table_empty_new()
 * @session: the session
 * @table: the table
 * @n_shown: number of rows the table shows
 *
 * Shows why the table is empty, or hides @empty.
 */
void
ns_table_empty_update (GtkWidget *empty, NsSession *session, NsTableId table, guint n_shown)
{
  GtkWidget *sentence = gtk_widget_get_first_child (empty);
  GtkWidget *button = gtk_widget_get_last_child (empty);
  NsTrace *trace = ns_session_get_trace (session);
  gboolean is_empty = n_shown == 0 && !ns_session_is_busy (session, table);
  gboolean is_recorded = TRUE;
  g_autofree char *layers = NULL;
  g_autofree char *why = NULL;

  gtk_widget_set_visible (empty, is_empty);
  if (!is_empty)
    return;
  if (ns_table_get_n_rows (trace, table) > 0 && ns_session_get_moment (session) != G_MAXINT64)
    {
      gtk_label_set_text (GTK_LABEL (sentence),
                          _ ("No such row has started at this playback position."));
      gtk_button_set_label (GTK_BUTTON (button), _ ("End Playback"));
      lead_to (button, "win.playback", NULL);
      gtk_widget_set_visible (button, TRUE);
      return;
    }
  if (table == NS_TABLE_FINDINGS && *ns_session_get_filter (session, table) == '\0')
    {
      report_nothing_found (session, GTK_LABEL (sentence));
      layers = ns_session_dup_missing_layers (session);
      gtk_button_set_label (GTK_BUTTON (button), _ ("Record What Is Missing…"));
      lead_to (button, "win.recipe", layers);
      gtk_widget_set_visible (button, TRUE);
      return;
    }
  if (ns_table_get_n_rows (trace, table) > 0)
    {
      gtk_label_set_text (GTK_LABEL (sentence), _ ("No row matches the filter."));
      gtk_button_set_label (GTK_BUTTON (button), _ ("Show All Rows"));
      lead_to (button, "win.set-filter", "");
      gtk_widget_set_visible (button, TRUE);
      return;
    }
  why = ns_table_describe_empty (trace, table, &is_recorded);
  gtk_label_set_text (GTK_LABEL (sentence), why);
  gtk_button_set_label (GTK_BUTTON (button), _ ("How to Record This"));
  lead_to (button, "win.recipe", layers_of (table));
  gtk_widget_set_visible (button, !is_recorded);
}
