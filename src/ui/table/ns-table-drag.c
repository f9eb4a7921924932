/* Drag source for the selected rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/table/ns-rows-content.h"
#include "ui/table/ns-table-private.h"

#include <glib/gi18n.h>

static guint
count_selected (NsTableView *self)
{
  return ns_session_export_count (self->session, self->table, NS_SESSION_SELECTED_ROWS);
}

/* Selects the row under the pointer if it is not selected, so that the dragged rows are the
 * selected ones. */
static GdkContentProvider *
prepare_cb (GtkDragSource *source, double x, double y, NsTableView *self)
{
  NsTableCell *cell = ns_table_view_get_cell_at (self, x, y);
  guint position;

  if (cell == NULL)
    return NULL;
  position = ns_table_cell_get_position (cell);
  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), position))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  return count_selected (self) > 0 ? ns_rows_content_new (self->session, self, NS_ROWS_DRAGGED)
                                   : NULL;
}

/* Shows the number of dragged rows at the pointer. */
static void
begin_cb (GtkDragSource *source, GdkDrag *drag, NsTableView *self)
{
  guint n_rows = count_selected (self);
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *text = g_strdup_printf (ngettext ("%s row", "%s rows", n_rows), count);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dragged-rows");
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), label);
}

/* Adds the drag source to the view. */
void
ns_table_view_add_drag (NsTableView *self)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "prepare", G_CALLBACK (prepare_cb), self);
  g_signal_connect (source, "drag-begin", G_CALLBACK (begin_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (source));
}
