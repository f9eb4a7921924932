/* Section that lists the layers of the network stack at which a packet was captured, dropped or
 * changed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-appearances-section.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Limit of lines in the panel; the command line lists all appearances. */
#define MAX_LINES 100

struct _NsAppearancesSection
{
  GtkWidget parent_instance;

  GCancellable *job;
  GtkWidget *grid;
};

G_DEFINE_FINAL_TYPE (NsAppearancesSection, ns_appearances_section, GTK_TYPE_WIDGET)

static void
clear_grid (NsAppearancesSection *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
}

static void
add_label (NsAppearancesSection *self, const char *text, int column, int line, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 2 ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (label, text);
  gtk_widget_set_hexpand (label, column == 1);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_grid_attach (GTK_GRID (self->grid), label, column, line, 1, 1);
}

static void
show (NsAppearancesSection *self, const GArray *lines)
{
  guint i;

  for (i = 0; i < MIN (lines->len, MAX_LINES); i++)
    {
      const NsAppearanceLine *line = &g_array_index (lines, NsAppearanceLine, i);
      g_autofree char *after = ns_words_duration (line->after_ns);
      g_autofree char *place = g_strdup_printf ("%s %s",
                                                line->is_drop  ? "✗"
                                                : line->is_row ? "●"
                                                               : "○",
                                                line->place);

      add_label (self, place, 0, (int) i, NULL);
      add_label (self, line->fate != NULL ? line->fate : "", 1, (int) i, NULL);
      add_label (self, after, 2, (int) i, "dim");
    }
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsAppearancesSection) self = data;
  g_autoptr (GArray) lines = ns_appearances_job_run_finish (result, NULL);

  /* The answer is for a packet that is no longer shown. */
  if (lines == NULL || self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    return;
  g_clear_object (&self->job);
  show (self, lines);
}

static void
forget (NsAppearancesSection *self)
{
  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
}

static void
ns_appearances_section_dispose (GObject *object)
{
  NsAppearancesSection *self = NS_APPEARANCES_SECTION (object);

  forget (self);
  g_clear_pointer (&self->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_appearances_section_parent_class)->dispose (object);
}

static void
ns_appearances_section_class_init (NsAppearancesSectionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_appearances_section_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_appearances_section_init (NsAppearancesSection *self)
{
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 3);
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
}

/**
 * ns_appearances_section_new:
 *
 * Returns: (transfer floating): an empty section
 */
GtkWidget *
ns_appearances_section_new (void)
{
  return g_object_new (NS_TYPE_APPEARANCES_SECTION, NULL);
}

/**
 * ns_appearances_section_set_packet:
 * @self: a section
 * @trace: (nullable): a trace
 * @packet: row of a packet, 1-based; 0 clears the section
 *
 * Lists the appearances of a packet; a job collects them, so they show up later.
 *
 * Returns: whether the packet has several appearances or was dropped
 */
gboolean
ns_appearances_section_set_packet (NsAppearancesSection *self, NsTrace *trace, NsRow packet)
{
  const NsPacketRow *row;

  forget (self);
  clear_grid (self);
  if (trace == NULL || ns_trace_get_n_rows (trace, NS_TABLE_EVENTS) == 0)
    return FALSE;
  row = ns_trace_get_row (trace, NS_TABLE_PACKETS, packet);
  if (row == NULL)
    return FALSE;
  if (row->appearances < 2 && !row->dropped)
    return FALSE;
  self->job = g_cancellable_new ();
  ns_appearances_job_run_async (trace, packet, self->job, read_cb, g_object_ref (self));
  return TRUE;
}
