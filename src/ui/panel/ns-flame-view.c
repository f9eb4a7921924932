/* Flame graph page: the call tree of the rows shown, and filters by its frames.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-accessible.h"
#include "ui/panel/ns-flame-private.h"
#include "ui/panel/ns-flame-words.h"
#include "ui/panel/ns-hidden-frames.h"

#include <glib/gi18n.h>

/* Delay that collects new function names before the tree is built again. */
#define NAMES_MS 300

G_DEFINE_FINAL_TYPE (NsFlameView, ns_flame_view, GTK_TYPE_WIDGET)

/* Adds a filter condition with a readable name. */
static void
add_condition (NsFlameView *self, const char *filter, const char *name)
{
  if (filter != NULL && self->session != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.add-named-condition", "(ss)", filter, name);
}

/* Filters the rows by the path of the selected node. */
static void
only_rows (NsFlameView *self)
{
  const NsCallTree *tree;
  guint32 node = ns_flame_view_get_chosen (self, &tree);
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
  guint32 node = ns_flame_view_get_chosen (self, &tree);
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
  only_rows (NS_FLAME_VIEW (widget));
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
  guint32 node = ns_flame_view_get_chosen (self, &tree);

  if (node != NS_FLAME_NONE)
    ns_flame_area_zoom_to (self->area, node);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  const NsCallTree *tree;
  guint32 node = ns_flame_view_get_chosen (NS_FLAME_VIEW (widget), &tree);
  const NsCallNode *frame = ns_flame_view_get_chosen_frame (NS_FLAME_VIEW (widget), &tree);
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
  const NsCallNode *frame = ns_flame_view_get_chosen_frame (self, &tree);

  if (frame != NULL && self->session != NULL)
    ns_session_hide_frames (self->session, ns_strings_get (tree->names, frame->name));
}

static void
hide_module_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsFlameView *self = NS_FLAME_VIEW (widget);
  const NsCallTree *tree;
  const NsCallNode *frame = ns_flame_view_get_chosen_frame (self, &tree);
  g_autofree char *pattern = NULL;

  if (frame == NULL || frame->module == NULL || self->session == NULL)
    return;
  pattern = g_strdup_printf ("%s!*", frame->module);
  ns_session_hide_frames (self->session, pattern);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "flame.only", NULL, only_cb);
  gtk_widget_class_install_action (widget_class, "flame.function", NULL, function_cb);
  gtk_widget_class_install_action (widget_class, "flame.without", NULL, without_cb);
  gtk_widget_class_install_action (widget_class, "flame.inside", NULL, inside_cb);
  gtk_widget_class_install_action (widget_class, "flame.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "flame.hide-function", NULL, hide_function_cb);
  gtk_widget_class_install_action (widget_class, "flame.hide-module", NULL, hide_module_cb);
}

/* Builds the context menu of a frame. */
static void
build_menu (NsFlameView *self)
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
  self->menu = ns_accessible_menu_new (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
}

/* Opens the context menu of the selected frame at a position of the graph or the table. */
static void
menu_cb (GtkWidget *over, double x, double y, NsFlameView *self)
{
  double menu_x;
  double menu_y;

  if (!gtk_widget_translate_coordinates (over, GTK_WIDGET (self), x, y, &menu_x, &menu_y))
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle){ (int) menu_x, (int) menu_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
map_cb (NsFlameView *self)
{
  if (self->is_stale)
    ns_flame_view_make_tree (self);
}

static void
rows_changed_cb (NsFlameView *self, guint table)
{
  /* The tree does not depend on the sort order. */
  if (table == self->table_of_rows && !ns_session_is_busy (self->session, self->table_of_rows) &&
      ns_session_get_set (self->session, self->table_of_rows) != self->set)
    ns_flame_view_make_tree (self);
}

static gboolean
names_due_cb (gpointer data)
{
  NsFlameView *self = data;

  self->names_id = 0;
  ns_flame_view_make_tree (self);
  return G_SOURCE_REMOVE;
}

/* Names arrive in many batches; the tree is built again once for several of them. */
static void
symbols_changed_cb (NsFlameView *self)
{
  guint n_named;
  guint n_asked;

  ns_symbol_job_count (ns_symbol_job_get_for_session (self->session), &n_named, &n_asked);
  if (n_named == self->n_named)
    return;
  self->n_named = n_named;
  if (self->names_id == 0)
    self->names_id = g_timeout_add (NAMES_MS, names_due_cb, self);
}

/**
 * ns_flame_view_end_search:
 * @self: a page
 *
 * Clears the search entry and moves the focus to the graph.
 *
 * Returns: whether a search was active
 */
gboolean
ns_flame_view_end_search (NsFlameView *self)
{
  g_return_val_if_fail (NS_IS_FLAME_VIEW (self), FALSE);

  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) == '\0')
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->area));
  return TRUE;
}

/* Esc ends the search; without a search, it closes the page. */
static gboolean
key_cb (GtkEventControllerKey *keys,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        NsFlameView *self)
{
  if (keyval != GDK_KEY_Escape)
    return FALSE;
  if (ns_flame_view_end_search (self))
    return TRUE;
  return self->is_page && gtk_widget_activate_action (GTK_WIDGET (self), "win.call-tree", NULL);
}

static void
forget_session (NsFlameView *self)
{
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
  g_clear_handle_id (&self->names_id, g_source_remove);
  self->n_named = 0;
  if (self->session == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (ns_symbol_job_get_for_session (self->session), self);
  g_clear_object (&self->session);
}

static void
ns_flame_view_dispose (GObject *object)
{
  NsFlameView *self = NS_FLAME_VIEW (object);

  forget_session (self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_flame_view_parent_class)->dispose (object);
}

/* Focuses the graph, which handles arrows and Esc. */
static gboolean
ns_flame_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (NS_FLAME_VIEW (widget)->area));
}

static void
ns_flame_view_class_init (NsFlameViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->grab_focus = ns_flame_view_grab_focus;
  G_OBJECT_CLASS (klass)->dispose = ns_flame_view_dispose;
  /* NsFlameView::made: emitted when another tree is shown. */
  g_signal_new ("made",
                G_TYPE_FROM_CLASS (klass),
                G_SIGNAL_RUN_LAST,
                0,
                NULL,
                NULL,
                NULL,
                G_TYPE_NONE,
                0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  install_actions (GTK_WIDGET_CLASS (klass));
}

static void
ns_flame_view_init (NsFlameView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->is_stale = TRUE;
  self->shown = NS_CALL_STACK_FULL;
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_after (self, "map", G_CALLBACK (map_cb), NULL);
}

static void
build (NsFlameView *self)
{
  ns_flame_view_build (self);
  g_signal_connect_swapped (self->area, "only-rows", G_CALLBACK (only_rows), self);
  g_signal_connect (self->area, "menu", G_CALLBACK (menu_cb), self);
  if (self->table != NULL)
    {
      g_signal_connect_swapped (self->table, "only-rows", G_CALLBACK (only_rows), self);
      g_signal_connect (self->table, "menu", G_CALLBACK (menu_cb), self);
    }
  build_menu (self);
}

/**
 * ns_flame_view_new:
 *
 * Returns: (transfer floating): an empty page for the side panel
 */
GtkWidget *
ns_flame_view_new (void)
{
  NsFlameView *self = g_object_new (NS_TYPE_FLAME_VIEW, NULL);

  build (self);
  return GTK_WIDGET (self);
}

/**
 * ns_flame_view_new_page:
 *
 * Returns: (transfer floating): an empty page for the window, with the tree also as a table
 */
GtkWidget *
ns_flame_view_new_page (void)
{
  NsFlameView *self = g_object_new (NS_TYPE_FLAME_VIEW, NULL);

  self->is_page = TRUE;
  build (self);
  return GTK_WIDGET (self);
}

/**
 * ns_flame_view_search:
 * @self: a page
 *
 * Focuses the search entry.
 */
void
ns_flame_view_search (NsFlameView *self)
{
  gtk_widget_grab_focus (self->search);
  gtk_editable_select_region (GTK_EDITABLE (self->search), 0, -1);
}

/**
 * ns_flame_view_set_session:
 * @self: a page
 * @session: (nullable): session whose rows are shown
 */
void
ns_flame_view_set_session (NsFlameView *self, NsSession *session)
{
  forget_session (self);
  ns_flame_view_show_tree (self, NULL);
  ns_hidden_frames_set_session (NS_HIDDEN_FRAMES (self->hidden), session);
  if (session != NULL)
    {
      self->session = g_object_ref (session);
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
      g_signal_connect_swapped (session,
                                "notify::front",
                                G_CALLBACK (ns_flame_view_make_tree),
                                self);
      g_signal_connect_swapped (session,
                                "hidden-frames-changed",
                                G_CALLBACK (ns_flame_view_make_tree),
                                self);
      g_signal_connect_object (ns_symbol_job_get_for_session (session),
                               "changed",
                               G_CALLBACK (symbols_changed_cb),
                               self,
                               G_CONNECT_SWAPPED);
    }
  ns_flame_view_make_tree (self);
}

/**
 * ns_flame_view_only_frame:
 * @self: a page
 * @name: name of a frame in the tree
 *
 * Filters the rows by the path of the first frame with this name.
 *
 * Returns: whether the tree has such a frame
 */
gboolean
ns_flame_view_only_frame (NsFlameView *self, const char *name)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node;

  for (node = 0; tree != NULL && node < tree->nodes->len; node++)
    if (g_str_equal (ns_call_tree_get_name (tree, node), name))
      {
        ns_flame_area_select (self->area, node);
        only_rows (self);
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_flame_view_get_foot:
 * @self: a page of the window
 *
 * Returns: (transfer none): its last line, a box with space at the end
 */
GtkWidget *
ns_flame_view_get_foot (NsFlameView *self)
{
  return gtk_widget_get_last_child (self->box);
}

/**
 * ns_flame_view_set_narrow:
 * @self: a page of the window
 * @is_narrow: whether the window is narrow
 *
 * Hides labels whose text is also in drop-downs and tooltips.
 */
void
ns_flame_view_set_narrow (NsFlameView *self, gboolean is_narrow)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->wide_only_labels); i++)
    if (self->wide_only_labels[i] != NULL)
      gtk_widget_set_visible (self->wide_only_labels[i], !is_narrow);
  /* A narrower entry leaves width for the labels of the buttons. */
  if (self->is_page)
    gtk_editable_set_max_width_chars (GTK_EDITABLE (self->search),
                                      is_narrow ? NARROW_SEARCH_CHARS : SEARCH_CHARS);
}

/**
 * ns_flame_view_export_async:
 * @self: a page with a session
 * @path: path of the file
 * @callback: called at the end, for ns_call_tree_job_write_finish()
 * @user_data: for @callback
 *
 * Writes the tree with the options of the page: rows, direction and hidden frames.
 */
void
ns_flame_view_export_async (NsFlameView *self,
                            const char *path,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  NsCallTreeOptions options;
  const GArray *rows = ns_flame_view_get_rows (self, &options);

  ns_call_tree_job_write_async (ns_session_get_trace (self->session),
                                rows,
                                &options,
                                path,
                                NULL,
                                callback,
                                user_data);
}
