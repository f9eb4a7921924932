/* The flame page: the code paths of the rows shown, and the rows of one frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"
#include "model/ns-symbol-job.h"
#include "ui/panel/ns-flame-private.h"
#include "ui/panel/ns-hidden-frames.h"

#include <glib/gi18n.h>
#include <string.h>

/* So long are words about finds that have the smaller room. */
#define FEW_FINDS_CHARS 14

/* How long names are gathered before the picture changes. */
#define NAMES_MS 300

enum
{
  SIGNAL_MADE, /* there is another tree */
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsFlameView, ns_flame_view, GTK_TYPE_WIDGET)

static void
show_tree (NsFlameView *self, NsCallTree *tree)
{
  const NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;

  /* The table must not ask the tree that goes. */
  if (self->table != NULL)
    ns_call_table_set_tree (self->table, NULL);
  ns_flame_area_set_tree (self->area, trace, tree);
  if (self->table != NULL)
    ns_call_table_set_tree (self->table, tree);
  ns_flame_view_update_chosen (self);
  ns_flame_view_update_crumbs (self);
  ns_flame_view_update_legend (self);
  g_signal_emit (self, signals[SIGNAL_MADE], 0);
}

/* What is typed ends where the words about it begin. */
static void
set_finds_room (NsFlameView *self, guint n_chars)
{
  static const char *const rooms[] = { "some-finds", "many-finds" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rooms); i++)
    gtk_widget_remove_css_class (self->search, rooms[i]);
  if (n_chars > 0)
    gtk_widget_add_css_class (self->search, rooms[n_chars > FEW_FINDS_CHARS ? 1 : 0]);
}

/* Says how much the search has found, and which of it is chosen. */
void
ns_flame_view_find (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *text = NULL;
  NsFlameFinds finds;
  guint64 whole;
  guint place;

  ns_flame_area_search (self->area, wanted, &finds);
  place = ns_flame_area_get_find_place (self->area);
  if (*wanted != '\0' && tree != NULL)
    {
      double share;

      whole = ns_call_tree_get_total (tree, 0);
      share = whole > 0 ? 100.0 * (double) finds.weight / (double) whole : 0;
      /* Translators: which of the found frames is chosen, how many there are, and their part of
       * everything; and the same when none is chosen. */
      text = place > 0 ? g_strdup_printf (_ ("%u of %u · %.0f %%"), place, finds.n_found, share)
                       : g_strdup_printf (_ ("%u · %.0f %%"), finds.n_found, share);
    }
  gtk_label_set_text (GTK_LABEL (self->finds), text != NULL ? text : "");
  set_finds_room (self, text != NULL ? (guint) g_utf8_strlen (text, -1) : 0);
  ns_flame_view_update_legend (self);
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsFlameView) self = user_data;
  g_autoptr (GError) error = NULL;
  NsCallTree *tree = ns_call_tree_job_run_finish (result, &error);

  if (tree == NULL)
    return;
  if (self->session == NULL)
    {
      ns_call_tree_free (tree);
      return;
    }
  g_clear_object (&self->making);
  show_tree (self, tree);
  ns_flame_view_find (self);
}

/* How the tree is to be made. */
static NsCallTreeOptions
get_options (NsFlameView *self)
{
  return (NsCallTreeOptions){
    .stack = self->shown,
    .hidden = ns_session_get_hidden_frames (self->session),
    .weight = (NsCallWeight) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->weight)),
  };
}

/* Makes it of the rows there are now, behind the window's back. */
void
ns_flame_view_make_tree (NsFlameView *self)
{
  NsCallTreeOptions options;
  NsRowList *rows;

  if (self->session == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      self->set = G_MAXUINT;
      return;
    }
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
  self->is_stale = FALSE;
  self->set = ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES)
                  ? G_MAXUINT
                  : ns_session_get_set (self->session, NS_TABLE_ACTIVITIES);
  self->making = g_cancellable_new ();
  options = get_options (self);
  rows = ns_session_get_rows (self->session, NS_TABLE_ACTIVITIES);
  ns_call_tree_job_run_async (ns_session_get_trace (self->session),
                              ns_row_list_get_rows (rows),
                              &options,
                              self->making,
                              made_cb,
                              g_object_ref (self));
}

/* Shows another part of the paths, or the other end first. */
void
ns_flame_view_set_stack (NsFlameView *self, NsCallStack stack)
{
  if (self->shown == stack)
    return;
  self->shown = stack;
  ns_flame_view_make_tree (self);
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
  /* Sums do not depend on an order. */
  if (table == NS_TABLE_ACTIVITIES && !ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES) &&
      ns_session_get_set (self->session, NS_TABLE_ACTIVITIES) != self->set)
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

/* Names come in many batches; the tree is made anew for several of them at once. */
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
 * Empties the entry for searches, and brings the keyboard back to the graph.
 *
 * Returns: whether there was a search
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

/* Esc first ends the search, then leaves the page. */
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

/* The keyboard goes to the graph, where arrows walk and Esc leaves the page. */
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
  signals[SIGNAL_MADE] = g_signal_new ("made",
                                       G_TYPE_FROM_CLASS (klass),
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  ns_flame_view_install_actions (GTK_WIDGET_CLASS (klass));
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

/**
 * ns_flame_view_new:
 *
 * Returns: (transfer floating): an empty page of the panel
 */
GtkWidget *
ns_flame_view_new (void)
{
  NsFlameView *self = g_object_new (NS_TYPE_FLAME_VIEW, NULL);

  ns_flame_view_build (self);
  return GTK_WIDGET (self);
}

/**
 * ns_flame_view_new_page:
 *
 * Returns: (transfer floating): an empty page of the window, with the tree as a table
 */
GtkWidget *
ns_flame_view_new_page (void)
{
  NsFlameView *self = g_object_new (NS_TYPE_FLAME_VIEW, NULL);

  self->is_page = TRUE;
  ns_flame_view_build (self);
  return GTK_WIDGET (self);
}

/**
 * ns_flame_view_search:
 * @self: a page
 *
 * Brings the keyboard to the search for frames.
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
 * @session: (nullable): whose rows to show
 */
void
ns_flame_view_set_session (NsFlameView *self, NsSession *session)
{
  forget_session (self);
  show_tree (self, NULL);
  ns_hidden_frames_set_session (NS_HIDDEN_FRAMES (self->hidden), session);
  if (session != NULL)
    {
      self->session = g_object_ref (session);
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
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
 * Filters the table by that frame.
 *
 * Returns: whether the tree has it
 */
gboolean
ns_flame_view_only_frame (NsFlameView *self, const char *name)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node;

  for (node = 0; tree != NULL && node < tree->nodes->len; node++)
    if (g_str_equal (ns_call_tree_get_name (tree, node), name))
      {
        ns_flame_area_choose (self->area, node);
        ns_flame_view_only_rows (self);
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_flame_view_count:
 * @self: a page
 * @n_rows: (out): rows that the tree is made of; 0 while there is none
 * @n_with_stack: (out): those of them that have a code path
 *
 * Tells how much of the rows the picture can speak of.
 */
void
ns_flame_view_count (NsFlameView *self, guint *n_rows, guint *n_with_stack)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 i;

  *n_rows = tree != NULL ? g_array_index (tree->nodes, NsCallNode, 0).total.n_rows : 0;
  *n_with_stack = *n_rows;
  /* What is missing stands directly below the root. */
  for (i = 1; tree != NULL && i < tree->nodes->len;
       i += g_array_index (tree->nodes, NsCallNode, i).n_inside + 1)
    if (g_array_index (tree->nodes, NsCallNode, i).kind == NS_CALL_NODE_NOTE)
      *n_with_stack -= g_array_index (tree->nodes, NsCallNode, i).total.n_rows;
}

/**
 * ns_flame_view_get_foot:
 * @self: a page of the window
 *
 * Returns: (transfer none): its last line, a box with room at the end
 */
GtkWidget *
ns_flame_view_get_foot (NsFlameView *self)
{
  return gtk_widget_get_last_child (self->box);
}

/**
 * ns_flame_view_set_narrow:
 * @self: a page of the window
 * @is_narrow: whether there is little room
 *
 * Leaves out the words that lists and tooltips say as well.
 */
void
ns_flame_view_set_narrow (NsFlameView *self, gboolean is_narrow)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->spare); i++)
    if (self->spare[i] != NULL)
      gtk_widget_set_visible (self->spare[i], !is_narrow);
  /* What the entry need not have is for the words of the buttons. */
  if (self->is_page)
    gtk_editable_set_max_width_chars (GTK_EDITABLE (self->search),
                                      is_narrow ? NARROW_SEARCH_CHARS : SEARCH_CHARS);
}

/**
 * ns_flame_view_export_async:
 * @self: a page with a session
 * @path: where to
 * @callback: called when it has ended, for ns_call_tree_job_write_finish()
 * @user_data: for @callback
 *
 * Writes the tree as it is shown: of these rows, from this end, without what is hidden.
 */
void
ns_flame_view_export_async (NsFlameView *self,
                            const char *path,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  NsCallTreeOptions options = get_options (self);
  NsRowList *rows = ns_session_get_rows (self->session, NS_TABLE_ACTIVITIES);

  ns_call_tree_job_write_async (ns_session_get_trace (self->session),
                                ns_row_list_get_rows (rows),
                                &options,
                                path,
                                NULL,
                                callback,
                                user_data);
}
