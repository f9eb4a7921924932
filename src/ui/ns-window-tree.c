/* The call tree over the whole window, in place of the timeline and the tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-filter.h"
#include "ui/panel/ns-flame-view.h"
#include "ui/panel/ns-stack-view.h"

/* Shows the tree or the rows; the keyboard goes where something can be done. */
void
ns_window_show_tree (NsWindow *self, gboolean is_tree)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "call-tree");

  if (is_tree == gtk_widget_get_visible (self->call_tree))
    return;
  gtk_widget_set_visible (self->call_tree, is_tree);
  gtk_widget_set_visible (self->panel_overlay, !is_tree);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_tree));
  gtk_widget_child_focus (is_tree ? self->call_tree : self->tables, GTK_DIR_TAB_FORWARD);
}

static void
call_tree_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  ns_window_show_tree (data, g_variant_get_boolean (state));
}

static GtkWidget *
find_around_focus (NsWindow *self, GType type)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  return focus != NULL ? gtk_widget_get_ancestor (focus, type) : NULL;
}

/* Searches the flame graph that has the keyboard, or the one that is all there is. */
gboolean
ns_window_search_tree (NsWindow *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_FLAME_VIEW);

  if (view == NULL && gtk_widget_get_visible (self->call_tree))
    view = self->call_tree;
  if (view != NULL)
    ns_flame_view_search (NS_FLAME_VIEW (view));
  return view != NULL;
}

/* Copies the chosen frame when the keyboard is in a stack. */
gboolean
ns_window_copy_frame (NsWindow *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_STACK_VIEW);

  return view != NULL && ns_stack_view_copy_frame (NS_STACK_VIEW (view));
}

/* One condition more for the rows, from wherever it was chosen. */
static void
add_condition (NsWindow *self, const char *condition, const char *name)
{
  ns_window_show_tree (self, FALSE);
  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_window_add_condition (self, condition, name);
}

static void
add_condition_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  add_condition (data, g_variant_get_string (parameter, NULL), NULL);
}

static void
add_named_condition_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *condition;
  const char *name;

  g_variant_get (parameter, "(&s&s)", &condition, &name);
  add_condition (data, condition, name);
}

/* Of the tree that is shown, by the name of a frame. */
static void
only_frame_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (gtk_widget_get_visible (self->call_tree))
    ns_flame_view_only_frame (NS_FLAME_VIEW (self->call_tree),
                              g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "add-condition", add_condition_cb, "s", NULL, NULL, { 0 } },
  { "add-named-condition", add_named_condition_cb, "(ss)", NULL, NULL, { 0 } },
  { "only-frame", only_frame_cb, "s", NULL, NULL, { 0 } },
  { "call-tree", NULL, NULL, "false", call_tree_cb, { 0 } },
};

/* Shows the rows of another trace, or of none, in the tree. */
void
ns_window_set_tree_session (NsWindow *self, NsSession *session)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "call-tree");

  ns_flame_view_set_session (NS_FLAME_VIEW (self->call_tree), session);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), session != NULL);
  action = g_action_map_lookup_action (G_ACTION_MAP (self), "add-condition");
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), session != NULL);
  action = g_action_map_lookup_action (G_ACTION_MAP (self), "add-named-condition");
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), session != NULL);
}

/* Adds the page and its action to a new window. */
void
ns_window_add_tree (NsWindow *self)
{
  GtkWidget *box = gtk_widget_get_parent (self->panel_overlay);

  self->call_tree = ns_flame_view_new_page ();
  gtk_widget_set_visible (self->call_tree, FALSE);
  gtk_widget_set_vexpand (self->call_tree, TRUE);
  gtk_box_insert_child_after (GTK_BOX (box), self->call_tree, self->panel_overlay);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ns_window_set_tree_session (self, NULL);
}
