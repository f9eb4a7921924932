/* Section about a DNS query: servers tried, answers, and the address that was used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-names-section.h"

#include <glib/gi18n.h>

/* Limit of lines in the panel; the table has all addresses. */
#define MAX_LINES 100

struct _NsNamesSection
{
  GtkWidget parent_instance;

  NsTrace *trace;   /* trace of @tree, or of the running job */
  NsNameTree *tree; /* (nullable) */
  GCancellable *job;
  NsRow row; /* the row shown, or waiting for the tree */
  GtkWidget *box;
  GtkWidget *note;
  GtkWidget *grid;
};

G_DEFINE_FINAL_TYPE (NsNamesSection, ns_names_section, GTK_TYPE_WIDGET)

static void
clear_grid (NsNamesSection *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
}

static const char *
get_state (NsNameState state)
{
  switch (state)
    {
    case NS_NAME_STATE_LISTED:
      /* Translators: a name server that an adapter is set up with. */
      return _ ("configured");
    case NS_NAME_STATE_SILENT:
      return _ ("no reply");
    case NS_NAME_STATE_TIMED_OUT:
      return _ ("timed out");
    case NS_NAME_STATE_ANSWERED:
      return _ ("answered");
    case NS_NAME_STATE_TRIED:
      return _ ("tried");
    case NS_NAME_STATE_FAILED:
      return _ ("failed");
    case NS_NAME_STATE_CONNECTED:
      return _ ("connected");
    case NS_NAME_STATE_NONE:
    default:
      return _ ("not used");
    }
}

/* Returns the symbol shown before the state; a screen reader reads only the state. */
static const char *
get_sign (NsNameState state)
{
  switch (state)
    {
    case NS_NAME_STATE_ANSWERED:
    case NS_NAME_STATE_CONNECTED:
      return "✓";
    case NS_NAME_STATE_SILENT:
    case NS_NAME_STATE_TIMED_OUT:
    case NS_NAME_STATE_FAILED:
      return "✗";
    case NS_NAME_STATE_NONE:
    case NS_NAME_STATE_LISTED:
    case NS_NAME_STATE_TRIED:
    default:
      return "·";
    }
}

/* Creates a label; a link if the line has a connection or socket. */
static GtkWidget *
text_new (const NsNameLine *line, const char *text)
{
  NsTableId target = line->tcp != 0 ? NS_TABLE_TCP : NS_TABLE_WINSOCK;
  NsRow row = line->tcp != 0 ? line->tcp : line->winsock;
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *button;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (label, text);
  gtk_widget_set_hexpand (label, TRUE);
  if (row == 0)
    {
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      return label;
    }
  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.go-to");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button),
                                    "(su)",
                                    ns_table_get_name (target),
                                    row - 1);
  return button;
}

static void
add_line (NsNamesSection *self, const NsNameLine *line, int place)
{
  gboolean is_server = line->kind == NS_NAME_LINE_SERVER;
  const char *kind = is_server ? _ ("Name server") : _ ("Address");
  const char *state = get_state (line->state);
  g_autofree char *length = line->span_ns >= 0 ? ns_words_duration (line->span_ns) : g_strdup ("");
  g_autofree char *text = line->note != NULL ? g_strdup_printf ("%s (%s)", line->text, line->note)
                                             : g_strdup (line->text);
  g_autofree char *shown = g_strdup_printf ("%s %s", get_sign (line->state), state);
  g_autofree char *spoken = g_strdup_printf ("%s %s: %s %s", kind, text, state, length);
  GtkWidget *kind_label = gtk_label_new (kind);
  GtkWidget *text_label = text_new (line, text);
  GtkWidget *state_label = gtk_label_new (shown);
  GtkWidget *length_label = gtk_label_new (length);

  gtk_label_set_xalign (GTK_LABEL (kind_label), 0);
  gtk_label_set_xalign (GTK_LABEL (state_label), 0);
  gtk_label_set_xalign (GTK_LABEL (length_label), 1);
  gtk_widget_add_css_class (kind_label, "dim");
  if (line->state != NS_NAME_STATE_CONNECTED)
    gtk_widget_add_css_class (state_label, "dim");
  ns_accessible_set_name (text_label, g_strchomp (spoken));
  gtk_grid_attach (GTK_GRID (self->grid), kind_label, 0, place, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), text_label, 1, place, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), state_label, 2, place, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), length_label, 3, place, 1, 1);
}

static void
show (NsNamesSection *self)
{
  g_autoptr (GArray) lines = ns_name_tree_list (self->tree, self->row);
  guint n_shown = MIN (lines->len, MAX_LINES);
  g_autofree char *note = NULL;
  guint i;

  clear_grid (self);
  for (i = 1; i < n_shown; i++)
    add_line (self, &g_array_index (lines, NsNameLine, i), (int) i);
  if (lines->len == 1)
    note = g_strdup (_ ("No server and no address was recorded for this name."));
  else if (n_shown < lines->len)
    note = g_strdup_printf (ngettext ("%u more is not shown.",
                                      "%u more are not shown.",
                                      lines->len - n_shown),
                            lines->len - n_shown);
  gtk_label_set_text (GTK_LABEL (self->note), note);
  gtk_widget_set_visible (self->note, note != NULL);
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsNamesSection) self = user_data;
  g_autoptr (NsNameTree) tree = ns_names_job_run_finish (result, NULL);

  /* The answer is for a trace that is no longer shown. */
  if (tree == NULL || self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    return;
  g_clear_object (&self->job);
  self->tree = g_steal_pointer (&tree);
  if (self->row != 0)
    show (self);
}

static void
forget (NsNamesSection *self)
{
  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->tree, ns_name_tree_free);
  g_clear_pointer (&self->trace, ns_trace_unref);
  self->row = 0;
}

static void
make_tree (NsNamesSection *self, NsTrace *trace)
{
  forget (self);
  clear_grid (self);
  gtk_label_set_text (GTK_LABEL (self->note), _ ("Searching for uses of this name…"));
  gtk_widget_set_visible (self->note, TRUE);
  self->trace = ns_trace_ref (trace);
  self->job = g_cancellable_new ();
  ns_names_job_run_async (trace, self->job, made_cb, g_object_ref (self));
}

static void
ns_names_section_dispose (GObject *object)
{
  NsNamesSection *self = NS_NAMES_SECTION (object);

  forget (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_names_section_parent_class)->dispose (object);
}

static void
ns_names_section_class_init (NsNamesSectionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_names_section_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_names_section_init (NsNamesSection *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 3);
  self->note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_box_append (GTK_BOX (self->box), self->grid);
  gtk_box_append (GTK_BOX (self->box), self->note);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * ns_names_section_new:
 *
 * Returns: (transfer floating): an empty section
 */
GtkWidget *
ns_names_section_new (void)
{
  return g_object_new (NS_TYPE_NAMES_SECTION, NULL);
}

/**
 * ns_names_section_set_name:
 * @self: a section
 * @trace: (nullable): a trace
 * @row: row of the DNS table, 1-based; 0 clears the section
 *
 * Shows the resolution of the name. The first call for a trace starts a job, so the lines show up
 * later.
 *
 * Returns: whether the row exists
 */
gboolean
ns_names_section_set_name (NsNamesSection *self, NsTrace *trace, NsRow row)
{
  g_return_val_if_fail (NS_IS_NAMES_SECTION (self), FALSE);

  if (trace == NULL)
    forget (self);
  if (trace == NULL || row == 0 || row > ns_trace_get_n_rows (trace, NS_TABLE_DNS))
    {
      self->row = 0;
      return FALSE;
    }
  if (self->trace != trace)
    make_tree (self, trace);
  self->row = row;
  if (self->tree != NULL)
    show (self);
  return TRUE;
}
