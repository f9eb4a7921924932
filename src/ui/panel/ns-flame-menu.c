/* What can be done with a frame of a flame graph or a call tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-spoken.h"
#include "ui/panel/ns-flame-private.h"
#include "ui/panel/ns-flame-words.h"

#include <glib/gi18n.h>

/* The chosen node, or %NS_FLAME_NONE. */
static guint32
get_chosen (NsFlameView *self, const NsCallTree **tree)
{
  *tree = ns_flame_area_get_tree (self->area);
  return *tree != NULL ? ns_flame_area_get_selected (self->area) : NS_FLAME_NONE;
}

static const NsCallNode *
get_chosen_frame (NsFlameView *self, const NsCallTree **tree)
{
  guint32 node = get_chosen (self, tree);
  const NsCallNode *at =
      node != NS_FLAME_NONE ? &g_array_index ((*tree)->nodes, NsCallNode, node) : NULL;

  return at != NULL && at->kind == NS_CALL_NODE_FRAME ? at : NULL;
}

/* One condition more, called so that it can be read. */
static void
add_condition (NsFlameView *self, const char *filter, const char *name)
{
  if (filter != NULL && self->session != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.add-named-condition", "(ss)", filter, name);
}

/* The rows of the chosen node: those that came the same way. */
void
ns_flame_view_only_rows (NsFlameView *self)
{
  const NsCallTree *tree;
  guint32 node = get_chosen (self, &tree);
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;
  g_autofree char *what = NULL;

  if (node == NS_FLAME_NONE || node == 0)
    return;
  filter = ns_call_tree_get_filter (tree, node);
  what = ns_flame_words_dup_name (tree, node);
  /* Translators: rows below one place of a call tree; a function. */
  name = g_strdup_printf (_ ("below %s"), what);
  add_condition (self, filter, name);
}

static void
filter_by_function (NsFlameView *self, gboolean is_without)
{
  const NsCallTree *tree;
  guint32 node = get_chosen (self, &tree);
  g_autofree char *filter = NULL;
  g_autofree char *without = NULL;
  g_autofree char *name = NULL;

  if (node == NS_FLAME_NONE)
    return;
  filter = ns_call_tree_get_function_filter (tree, node);
  if (filter == NULL)
    return;
  without = g_strdup_printf ("-%s", filter);
  if (is_without)
    /* Translators: rows that did not come through a function. */
    name = g_strdup_printf (_ ("not through %s"), ns_call_tree_get_name (tree, node));
  else
    /* Translators: rows that came through a function. */
    name = g_strdup_printf (_ ("through %s"), ns_call_tree_get_name (tree, node));
  add_condition (self, is_without ? without : filter, name);
}

static void
only_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ns_flame_view_only_rows (NS_FLAME_VIEW (widget));
}

static void
function_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  filter_by_function (NS_FLAME_VIEW (widget), FALSE);
}

static void
without_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  filter_by_function (NS_FLAME_VIEW (widget), TRUE);
}

static void
inside_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsFlameView *self = NS_FLAME_VIEW (widget);
  const NsCallTree *tree;
  guint32 node = get_chosen (self, &tree);

  if (node != NS_FLAME_NONE)
    ns_flame_area_look_inside (self->area, node);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  const NsCallTree *tree;
  guint32 node = get_chosen (NS_FLAME_VIEW (widget), &tree);
  const NsCallNode *frame = get_chosen_frame (NS_FLAME_VIEW (widget), &tree);
  g_autofree char *name = NULL;

  if (node == NS_FLAME_NONE)
    return;
  name = frame != NULL ? g_strdup (ns_call_tree_get_name (tree, node))
                       : ns_flame_words_dup_name (tree, node);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), name);
}

static void
hide_function_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsFlameView *self = NS_FLAME_VIEW (widget);
  const NsCallTree *tree;
  const NsCallNode *frame = get_chosen_frame (self, &tree);

  if (frame != NULL && self->session != NULL)
    ns_session_hide_frames (self->session, ns_strings_get (tree->names, frame->name));
}

static void
hide_module_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsFlameView *self = NS_FLAME_VIEW (widget);
  const NsCallTree *tree;
  const NsCallNode *frame = get_chosen_frame (self, &tree);
  g_autofree char *pattern = NULL;

  if (frame == NULL || frame->module == NULL || self->session == NULL)
    return;
  pattern = g_strdup_printf ("%s!*", frame->module);
  ns_session_hide_frames (self->session, pattern);
}

/* What the class of the page can do. */
void
ns_flame_view_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "flame.only", NULL, only_cb);
  gtk_widget_class_install_action (widget_class, "flame.function", NULL, function_cb);
  gtk_widget_class_install_action (widget_class, "flame.without", NULL, without_cb);
  gtk_widget_class_install_action (widget_class, "flame.inside", NULL, inside_cb);
  gtk_widget_class_install_action (widget_class, "flame.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "flame.hide-function", NULL, hide_function_cb);
  gtk_widget_class_install_action (widget_class, "flame.hide-module", NULL, hide_module_cb);
}

/* Only what makes sense for the chosen node can be pressed. */
void
ns_flame_view_update_actions (NsFlameView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const NsCallTree *tree;
  guint32 node = get_chosen (self, &tree);
  const NsCallNode *frame = get_chosen_frame (self, &tree);
  g_autofree char *filter = node != NS_FLAME_NONE ? ns_call_tree_get_filter (tree, node) : NULL;

  gtk_widget_action_set_enabled (widget, "flame.only", filter != NULL);
  gtk_widget_action_set_enabled (widget, "flame.function", frame != NULL);
  gtk_widget_action_set_enabled (widget, "flame.without", frame != NULL);
  gtk_widget_action_set_enabled (widget, "flame.inside", node != NS_FLAME_NONE);
  gtk_widget_action_set_enabled (widget, "flame.copy", node != NS_FLAME_NONE);
  gtk_widget_action_set_enabled (widget, "flame.hide-function", frame != NULL);
  gtk_widget_action_set_enabled (widget,
                                 "flame.hide-module",
                                 frame != NULL && frame->module != NULL);
}

/* Makes the menu of a frame. */
void
ns_flame_view_build_menu (NsFlameView *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) rows = g_menu_new ();
  g_autoptr (GMenu) look = g_menu_new ();
  g_autoptr (GMenu) hide = g_menu_new ();

  g_menu_append (rows, _ ("_Only These Rows"), "flame.only");
  g_menu_append (rows, _ ("Rows through This _Function"), "flame.function");
  g_menu_append (rows, _ ("_Without Rows through It"), "flame.without");
  g_menu_append (look, _ ("_Look Inside"), "flame.inside");
  g_menu_append (look, _ ("_Copy Frame"), "flame.copy");
  g_menu_append (hide, _ ("_Hide This Function"), "flame.hide-function");
  g_menu_append (hide, _ ("Hide Its _Module"), "flame.hide-module");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rows));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (look));
  g_menu_append_section (menu, _ ("Hide frames like this"), G_MENU_MODEL (hide));
  self->menu = ns_spoken_menu_new (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
}

/* Shows it for the chosen frame, at a place of @over. */
void
ns_flame_view_popup_menu (NsFlameView *self, GtkWidget *over, double x, double y)
{
  double menu_x;
  double menu_y;

  if (!gtk_widget_translate_coordinates (over, GTK_WIDGET (self), x, y, &menu_x, &menu_y))
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle){ (int) menu_x, (int) menu_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}
