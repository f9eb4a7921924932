/* Drag of column titles onto the group bar.
 *
 * GTK reorders columns with its own gesture, horizontally only. This gesture runs in parallel; a
 * column dropped on the group bar is added to the grouping and keeps its position.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-group-bar.h"
#include "ui/table/ns-table-private.h"

#define DROP_CLASS "drop"

/* The group bar is shown when a title is dragged this far above the titles. */
#define OFFER_PX 6

static guint
find_column (NsTableView *self, GtkColumnViewColumn *wanted)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint n_columns = g_list_model_get_n_items (columns);
  guint i;

  for (i = 0; i < n_columns; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (column == wanted)
        break;
    }
  return i;
}

/* Returns the pointer position in the coordinates of @widget. */
static gboolean
find_pointer (NsTableView *self, GtkGestureDrag *drag, GtkWidget *widget, double *x, double *y)
{
  double begin_x;
  double begin_y;
  double dx;
  double dy;

  return gtk_gesture_drag_get_start_point (drag, &begin_x, &begin_y) &&
         gtk_gesture_drag_get_offset (drag, &dx, &dy) &&
         gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                           widget,
                                           begin_x + dx,
                                           begin_y + dy,
                                           x,
                                           y);
}

static gboolean
is_over_bar (NsTableView *self, GtkGestureDrag *drag)
{
  double x;
  double y;

  return gtk_widget_get_visible (self->group_bar) &&
         find_pointer (self, drag, self->group_bar, &x, &y) &&
         gtk_widget_contains (self->group_bar, x, y);
}

static gboolean
can_group_by (NsTableView *self, const NsField *field)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);

  return field != NULL && !g_ptr_array_find (grouping->fields, field, NULL);
}

static void
begin_cb (GtkGestureDrag *drag, double x, double y, NsTableView *self)
{
  GtkColumnViewColumn *column = ns_table_view_get_column_at (self, x, y);

  /* Do not deny the sequence: the same press may resize or move a column. */
  if (column == NULL || !can_group_by (self, ns_table_view_get_field (column)))
    column = NULL;
  self->dragged = column;
  self->dragged_from = find_column (self, column);
}

static void
update_cb (GtkGestureDrag *drag, double dx, double dy, NsTableView *self)
{
  double x;
  double y;

  if (self->dragged == NULL)
    return;
  /* The group bar is hidden while there is no grouping. */
  if (find_pointer (self, drag, GTK_WIDGET (self->view), &x, &y) && y < -OFFER_PX)
    gtk_widget_set_visible (self->group_bar, TRUE);
  if (is_over_bar (self, drag))
    gtk_widget_add_css_class (self->group_bar, DROP_CLASS);
  else
    gtk_widget_remove_css_class (self->group_bar, DROP_CLASS);
}

/* Adds the column to the grouping, in an idle callback after GTK has moved the column. */
static gboolean
dropped_cb (gpointer data)
{
  g_autoptr (NsTableView) self = data;
  GtkColumnViewColumn *column = self->dragged;

  self->dragged = NULL;
  if (column == NULL || self->session == NULL)
    return G_SOURCE_REMOVE;
  if (find_column (self, column) != self->dragged_from)
    gtk_column_view_insert_column (self->view, self->dragged_from, column);
  ns_session_add_group (self->session, self->table, ns_table_view_get_field (column));
  return G_SOURCE_REMOVE;
}

static void
end_cb (GtkGestureDrag *drag, double dx, double dy, NsTableView *self)
{
  gboolean is_dropped;

  /* The view is being disposed. */
  if (self->box == NULL)
    return;
  is_dropped = self->dragged != NULL && is_over_bar (self, drag);
  gtk_widget_remove_css_class (self->group_bar, DROP_CLASS);
  if (is_dropped)
    g_idle_add (dropped_cb, g_object_ref (self));
  else
    {
      self->dragged = NULL;
      ns_group_bar_update (self->group_bar, self->session, self->table);
    }
}

static void
cancel_cb (GtkGesture *drag, GdkEventSequence *sequence, NsTableView *self)
{
  if (self->box != NULL)
    gtk_widget_remove_css_class (self->group_bar, DROP_CLASS);
  self->dragged = NULL;
}

/* Returns GTK's gesture for moving columns; both are put into one gesture group, so that they share
 * a claimed sequence. */
static GtkGesture *
find_other (NsTableView *self)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (self->view));
  guint i;

  for (i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (GTK_IS_GESTURE_DRAG (one))
        return GTK_GESTURE (one);
    }
  return NULL;
}

/* Adds the gesture to the view. */
void
ns_table_view_add_title_drag (NsTableView *self)
{
  GtkGesture *other = find_other (self);
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (cancel_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (drag));
  if (other != NULL)
    gtk_gesture_group (drag, other);
}
