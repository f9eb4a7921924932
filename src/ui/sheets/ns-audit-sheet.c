/* Window that lists the processes of a trace and the hosts that each of them talked to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-audit-sheet.h"
#include "ui/sheets/ns-sheet.h"
#include "ui/table/ns-table-dress.h"

#include <glib/gi18n.h>

/* Left margin of hosts, which are listed below their process. */
#define INDENT 18

struct _NsAuditSheet
{
  GtkWindow parent_instance;

  NsTrace *trace; /* the trace that @audit is made from */
  NsAudit *audit; /* NULL while the job runs */
  GCancellable *job;
  char *filter; /* the filter of the table at the time; (nullable) */
  GtkWidget *summary;
  GtkWidget *copy;
  GtkStringList *lines; /* one string per report line: its cells, separated by tabs */
};

/* The cells of a line, in the order of the columns. */
enum
{
  CELL_NAME,
  CELL_PORT,
  CELL_PROTOCOL,
  CELL_CODE,
  CELL_ROWS,
  CELL_FAILED,
  CELL_SENT,
  CELL_RECEIVED,
  CELL_FIRST,
  CELL_LAST,
  N_CELLS,
  CELL_IS_PROCESS = N_CELLS, /* not shown; empty for a host */
  N_PARTS,
};

/* clang-format off */
static const struct
{
  const char *title;
  int width; /* 0: takes the remaining width */
  float xalign;
} columns[N_CELLS] = {
  { N_("Process or host"), 0, 0 },
  { N_("Port"), 60, 1 },
  { N_("Protocol"), 110, 0 },
  { N_("Called by"), 150, 0 },
  { N_("Operations"), 90, 1 },
  { N_("Failed"), 70, 1 },
  { N_("Sent (B)"), 100, 1 },
  { N_("Recv (B)"), 100, 1 },
  { N_("First"), 90, 1 },
  { N_("Last"), 90, 1 },
};
/* clang-format on */

G_DEFINE_FINAL_TYPE (NsAuditSheet, ns_audit_sheet, GTK_TYPE_WINDOW)

static char *
dup_name (const NsAuditLine *line)
{
  if (line->is_process)
    return line->pid == NS_PID_UNKNOWN ? g_strdup (_ ("process unknown"))
                                       : ns_audit_dup_process (line);
  return g_strdup (line->host != NULL ? line->host : _ ("no server known"));
}

/* Joins the cells of a line with tabs. Tabs inside a cell become spaces. */
static char *
line_to_text (const NsAuditLine *line)
{
  g_autofree char *name = dup_name (line);
  g_autofree char *port = line->port != 0 ? g_strdup_printf ("%u", line->port) : g_strdup ("");
  g_autofree char *layers = ns_audit_dup_layers (line);
  g_autofree char *n_rows = ns_words_count (line->n_rows);
  g_autofree char *n_failed = line->n_failed > 0 ? ns_words_count (line->n_failed) : g_strdup ("");
  g_autofree char *sent = ns_words_count (line->sent);
  g_autofree char *received = ns_words_count (line->received);
  g_autofree char *first =
      ns_time_is_set (line->open_ns) ? ns_words_seconds (line->open_ns) : g_strdup ("");
  g_autofree char *last =
      ns_time_is_set (line->close_ns) ? ns_words_seconds (line->close_ns) : g_strdup ("");
  const char *cells[] = {
    name,     port,  layers, line->code != NULL ? line->code : "", n_rows, n_failed, sent,
    received, first, last,   line->is_process ? "1" : "",          NULL
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; cells[i] != NULL; i++)
    {
      g_autofree char *cell = g_strdelimit (g_strdup (cells[i]), "\t", ' ');

      g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", cell);
    }
  return g_strdup (text->str);
}

/* Explains why the list is empty and how to change that. */
static char *
dup_nothing (NsAuditSheet *self)
{
  guint n_rows = ns_table_get_n_rows (self->trace, NS_TABLE_ACTIVITIES);
  g_autofree char *why = NULL;
  g_autofree char *n = NULL;

  if (n_rows > 0)
    {
      n = ns_words_count (n_rows);
      /* Translators: an expression of the filter language, and a number. */
      return g_strdup_printf (
          ngettext ("No operation matches the filter: %s. Without it there is %s.",
                    "No operation matches the filter: %s. Without it there are %s.",
                    n_rows),
          self->filter != NULL ? self->filter : "",
          n);
    }
  why = ns_table_describe_empty (self->trace, NS_TABLE_ACTIVITIES, NULL);
  /* Translators: a sentence follows that says which providers are missing. */
  return g_strdup_printf (_ ("No network operations, so nothing to list. %s"), why);
}

static void
show (NsAuditSheet *self)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_free);
  guint n_lines = ns_audit_get_n_lines (self->audit);
  g_autofree char *operations = NULL;
  g_autofree char *summary = NULL;
  g_autofree char *n = NULL;
  guint n_processes = 0;
  guint n_rows = 0;
  guint i;

  for (i = 0; i < n_lines; i++)
    {
      const NsAuditLine *line = ns_audit_get_line (self->audit, i);

      n_processes += line->is_process != 0;
      n_rows += line->is_process ? line->n_rows : 0;
      g_ptr_array_add (added, line_to_text (line));
    }
  g_ptr_array_add (added, NULL);
  gtk_string_list_splice (self->lines, 0, 0, (const char *const *) added->pdata);
  gtk_widget_set_sensitive (self->copy, n_lines > 0);
  if (n_lines == 0)
    {
      summary = dup_nothing (self);
      gtk_label_set_text (GTK_LABEL (self->summary), summary);
      return;
    }
  n = ns_words_count (n_rows);
  operations = g_strdup_printf (ngettext ("%s operation", "%s operations", n_rows), n);
  /* Translators: “27 operations of 4 processes” */
  summary = g_strdup_printf (ngettext ("%s of %u process", "%s of %u processes", n_processes),
                             operations,
                             n_processes);
  if (self->filter != NULL && *self->filter != '\0')
    {
      /* Translators: the same, and an expression of the filter language. */
      g_autofree char *filtered = g_strdup_printf (_ ("%s · filter: %s"), summary, self->filter);

      gtk_label_set_text (GTK_LABEL (self->summary), filtered);
    }
  else
    gtk_label_set_text (GTK_LABEL (self->summary), summary);
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsAuditSheet) self = user_data;
  g_autoptr (NsAudit) audit = ns_audit_job_run_finish (result, NULL);

  /* The sheet was closed before the job finished. */
  if (audit == NULL || self->job == NULL)
    return;
  g_clear_object (&self->job);
  self->audit = g_steal_pointer (&audit);
  show (self);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer cell)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), columns[GPOINTER_TO_INT (cell)].xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  ns_text_direction_force_ltr (label);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer cell)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  g_auto (GStrv) cells = g_strsplit (text, "\t", N_PARTS);
  GtkWidget *label = gtk_list_item_get_child (item);
  const char *shown = cells[GPOINTER_TO_INT (cell)];
  gboolean is_process = *cells[CELL_IS_PROCESS] != '\0';
  g_autofree char *spoken = g_strjoin (" ",
                                       cells[CELL_NAME],
                                       cells[CELL_PORT],
                                       cells[CELL_PROTOCOL],
                                       cells[CELL_CODE],
                                       NULL);

  gtk_label_set_text (GTK_LABEL (label), shown);
  gtk_widget_set_tooltip_text (label, *shown != '\0' ? shown : NULL);
  if (GPOINTER_TO_INT (cell) == CELL_NAME)
    gtk_widget_set_margin_start (label, is_process ? 0 : INDENT);
  if (is_process)
    gtk_widget_add_css_class (label, "section-title");
  else
    gtk_widget_remove_css_class (label, "section-title");
  ns_accessible_set_cell_name (label, shown, spoken);
}

/* Filters the operations table of the trace's window to the rows of the activated line. */
static void
activated_cb (GtkColumnView *view, guint position, NsAuditSheet *self)
{
  g_autofree char *filter = ns_audit_job_dup_filter (ns_audit_get_line (self->audit, position));

  if (filter != NULL)
    gtk_widget_activate_action (GTK_WIDGET (gtk_window_get_transient_for (GTK_WINDOW (self))),
                                "win.show-operations",
                                "s",
                                filter);
}

static void
copy_cb (NsAuditSheet *self)
{
  g_autofree char *text = ns_audit_job_to_text (self->audit);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
ns_audit_sheet_dispose (GObject *object)
{
  NsAuditSheet *self = NS_AUDIT_SHEET (object);

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  gtk_window_set_child (GTK_WINDOW (self), NULL);
  g_clear_object (&self->lines);
  g_clear_pointer (&self->audit, ns_audit_free);
  g_clear_pointer (&self->trace, ns_trace_unref);
  g_clear_pointer (&self->filter, g_free);
  G_OBJECT_CLASS (ns_audit_sheet_parent_class)->dispose (object);
}

static void
ns_audit_sheet_class_init (NsAuditSheetClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_audit_sheet_dispose;
  ns_sheet_class_close_on_escape (GTK_WIDGET_CLASS (klass));
}

static GtkWidget *
build_view (NsAuditSheet *self)
{
  GtkWidget *view = gtk_column_view_new (
      GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->lines)))));
  guint right = 0;
  int i;

  ns_accessible_set_name (GTK_WIDGET (view), _ ("Processes and hosts"));
  for (i = 0; i < N_CELLS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column =
          gtk_column_view_column_new (_ (columns[i].title), factory);

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GINT_TO_POINTER (i));
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width > 0)
        gtk_column_view_column_set_fixed_width (column, columns[i].width);
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (GTK_COLUMN_VIEW (view), column);
      right |= columns[i].xalign > 0 ? 1u << i : 0;
    }
  ns_table_apply_style (GTK_COLUMN_VIEW (view), right);
  g_signal_connect_object (view, "activate", G_CALLBACK (activated_cb), self, 0);
  return view;
}

static void
ns_audit_sheet_init (NsAuditSheet *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->lines = gtk_string_list_new (NULL);
  self->copy = ns_accessible_button_new (_ ("_Copy as Table"));
  gtk_widget_set_sensitive (self->copy, FALSE);
  g_signal_connect_object (self->copy, "clicked", G_CALLBACK (copy_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (buttons), self->copy);
  self->summary = ns_sheet_build_list (GTK_WINDOW (self), build_view (self), buttons, "audit");
  gtk_label_set_label (GTK_LABEL (self->summary), _ ("Summarizing…"));
  gtk_window_set_title (GTK_WINDOW (self), _ ("Processes and Hosts"));
  gtk_window_set_default_size (GTK_WINDOW (self), 1100, 560);
}

/**
 * ns_audit_sheet_new:
 * @parent: the window of the trace
 * @session: the session of the trace
 *
 * Returns: (transfer none): a window that lists the processes and hosts of the filtered operations
 */
GtkWindow *
ns_audit_sheet_new (GtkWindow *parent, NsSession *session)
{
  NsAuditSheet *self = g_object_new (NS_TYPE_AUDIT_SHEET,
                                     "transient-for",
                                     parent,
                                     "destroy-with-parent",
                                     TRUE,
                                     "application",
                                     gtk_window_get_application (parent),
                                     NULL);

  self->trace = ns_trace_ref (ns_session_get_trace (session));
  self->filter = g_strdup (ns_session_get_filter (session, NS_TABLE_ACTIVITIES));
  self->job = g_cancellable_new ();
  ns_audit_job_run_async (session, self->job, made_cb, g_object_ref (self));
  return GTK_WINDOW (self);
}
