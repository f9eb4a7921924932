/* The flame page: the code paths of the rows shown, and the rows of one frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-spoken.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-call-table.h"
#include "ui/panel/ns-flame-area.h"
#include "ui/panel/ns-flame-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* Steps of the way that are shown; what is between the first and these is left out. */
#define MAX_CRUMBS 6

/* How long names are gathered before the picture changes. */
#define NAMES_MS 300

struct _NsFlameView
{
  GtkWidget parent_instance;

  NsSession *session;
  gboolean is_page; /* has the window to itself, with the tree as a table below */
  GCancellable *making;
  guint n_named; /* frames with a name when the tree was made */
  guint names_id;
  gboolean is_stale; /* the rows or the options have changed since the tree was made */
  GtkWidget *box;
  GtkWidget *stack;
  GtkWidget *weight;
  GtkWidget *search;
  GtkWidget *finds;
  GtkWidget *crumbs;
  NsFlameArea *area;
  NsCallTable *table; /* NULL in the panel */
  GtkWidget *sentence;
  GtkWidget *only_rows;
  GtkWidget *function_rows;
};

G_DEFINE_FINAL_TYPE (NsFlameView, ns_flame_view, GTK_TYPE_WIDGET)

static void
crumb_cb (GtkButton *button, NsFlameView *self)
{
  ns_flame_area_look_inside (self->area,
                             GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ns-node")));
}

static void
add_crumb (NsFlameView *self, const NsCallTree *tree, guint32 node, gboolean is_last)
{
  guint n_rows = g_array_index (tree->nodes, NsCallNode, node).total.n_rows;
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *text =
      g_strdup_printf ("%s %s", node != 0 ? ns_call_tree_get_name (tree, node) : _ ("all"), count);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "crumb");
  gtk_widget_set_sensitive (button, !is_last);
  gtk_widget_set_tooltip_text (button, text);
  ns_spoken_set_name (button, text);
  g_object_set_data (G_OBJECT (button), "ns-node", GUINT_TO_POINTER (node));
  g_signal_connect (button, "clicked", G_CALLBACK (crumb_cb), self);
  if (node != 0)
    gtk_box_append (GTK_BOX (self->crumbs), gtk_label_new ("›"));
  gtk_box_append (GTK_BOX (self->crumbs), button);
}

/* The way from everything to what fills the width. */
static void
update_crumbs (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 way[MAX_CRUMBS];
  GtkWidget *child;
  guint32 node;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (self->crumbs)) != NULL)
    gtk_box_remove (GTK_BOX (self->crumbs), child);
  if (tree == NULL)
    return;
  node = ns_flame_area_get_focus (self->area);
  for (; node != 0 && n < MAX_CRUMBS; node = g_array_index (tree->nodes, NsCallNode, node).parent)
    way[n++] = node;
  add_crumb (self, tree, 0, n == 0);
  if (node != 0)
    gtk_box_append (GTK_BOX (self->crumbs), gtk_label_new ("› …"));
  for (; n > 0; n--)
    add_crumb (self, tree, way[n - 1], n == 1);
}

static void
update_chosen (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node = ns_flame_area_get_selected (self->area);
  g_autofree char *sentence = NULL;
  g_autofree char *filter = NULL;
  g_autofree char *through = NULL;
  g_autofree char *only = NULL;

  if (tree != NULL && node != NS_FLAME_NONE)
    {
      guint n_rows = g_array_index (tree->nodes, NsCallNode, node).total.n_rows;
      g_autofree char *count = ns_words_count (n_rows);

      sentence = ns_call_tree_describe (tree, node);
      filter = ns_call_tree_get_filter (tree, node);
      through = ns_call_tree_get_function_filter (tree, node);
      if (filter != NULL)
        /* Translators: a number of rows */
        only =
            g_strdup_printf (ngettext ("Only _This %s Row", "Only _These %s Rows", n_rows), count);
    }
  gtk_label_set_text (GTK_LABEL (self->sentence),
                      sentence != NULL ? sentence : _ ("Choose a frame to read about it here."));
  gtk_button_set_label (GTK_BUTTON (self->only_rows), only != NULL ? only : _ ("Only _These Rows"));
  gtk_widget_set_sensitive (self->only_rows, filter != NULL);
  gtk_widget_set_sensitive (self->function_rows, through != NULL);
  if (self->table != NULL && tree != NULL)
    ns_call_table_select (self->table, node);
}

/* Another box was chosen, or another one fills the width. */
static void
chosen_cb (NsFlameView *self)
{
  update_chosen (self);
  update_crumbs (self);
}

static void
line_chosen_cb (NsFlameView *self)
{
  guint32 node = ns_call_table_get_selected (self->table);

  if (node != NS_CALL_TABLE_NONE)
    ns_flame_area_choose (self->area, node);
}

static void
line_activated_cb (NsFlameView *self)
{
  guint32 node = ns_call_table_get_selected (self->table);

  if (node != NS_CALL_TABLE_NONE)
    ns_flame_area_look_inside (self->area, node);
}

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
  chosen_cb (self);
}

static void
search_cb (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *text = NULL;
  NsFlameFinds finds;
  guint64 whole;

  ns_flame_area_search (self->area, wanted, &finds);
  if (*wanted != '\0' && tree != NULL)
    {
      whole = ns_call_tree_get_total (tree, 0);
      /* Translators: frames found by a search, and their part of everything. */
      text = g_strdup_printf (ngettext ("%u frame, %.0f %%", "%u frames, %.0f %%", finds.n_found),
                              finds.n_found,
                              whole > 0 ? 100.0 * (double) finds.weight / (double) whole : 0);
    }
  gtk_label_set_text (GTK_LABEL (self->finds), text != NULL ? text : "");
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
  search_cb (self);
}

static void
make_tree (NsFlameView *self)
{
  NsCallTreeOptions options = { 0 };
  NsRowList *rows;

  if (self->session == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->is_stale = TRUE;
      return;
    }
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
  self->is_stale = FALSE;
  self->making = g_cancellable_new ();
  options.stack = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->stack)) == 0
                      ? NS_CALL_STACK_FIRST
                      : NS_CALL_STACK_FULL;
  options.weight = (NsCallWeight) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->weight));
  rows = ns_session_get_rows (self->session, NS_TABLE_ACTIVITIES);
  ns_call_tree_job_run_async (ns_session_get_trace (self->session),
                              ns_row_list_get_rows (rows),
                              &options,
                              self->making,
                              made_cb,
                              g_object_ref (self));
}

static void
map_cb (NsFlameView *self)
{
  if (self->is_stale)
    make_tree (self);
}

static void
rows_changed_cb (NsFlameView *self, guint table)
{
  if (table == NS_TABLE_ACTIVITIES && !ns_session_is_busy (self->session, NS_TABLE_ACTIVITIES))
    make_tree (self);
}

static gboolean
names_due_cb (gpointer data)
{
  NsFlameView *self = data;

  self->names_id = 0;
  make_tree (self);
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

/* One condition more, called so that it can be read. */
static void
add_condition (NsFlameView *self, const char *filter, const char *name)
{
  if (filter != NULL && self->session != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.add-named-condition", "(ss)", filter, name);
}

/* The rows of the chosen node: those that came the same way. */
static void
only_rows_cb (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node = ns_flame_area_get_selected (self->area);
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;

  if (tree == NULL || node == NS_FLAME_NONE)
    return;
  filter = ns_call_tree_get_filter (tree, node);
  /* Translators: rows below one place of a call tree; a function. */
  name = g_strdup_printf (_ ("below %s"), ns_call_tree_get_name (tree, node));
  add_condition (self, filter, name);
}

/* Those that came through the chosen function by any way. */
static void
function_rows_cb (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node = ns_flame_area_get_selected (self->area);
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;

  if (tree == NULL || node == NS_FLAME_NONE)
    return;
  filter = ns_call_tree_get_function_filter (tree, node);
  /* Translators: rows that came through a function. */
  name = g_strdup_printf (_ ("through %s"), ns_call_tree_get_name (tree, node));
  add_condition (self, filter, name);
}

static void
show_scrollbar_cb (GtkAdjustment *adjustment, GtkWidget *scrollbar)
{
  gtk_widget_set_opacity (
      scrollbar,
      gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) ? 1 : 0);
}

static GtkWidget *
drop_down_new (NsFlameView *self, const char *const *words, const char *label)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  GtkWidget *drop_down;
  guint i;

  for (i = 0; words[i] != NULL; i++)
    gtk_string_list_append (list, _ (words[i]));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&list)), NULL);
  gtk_widget_set_hexpand (drop_down, TRUE);
  ns_spoken_set_name (drop_down, label);
  /* What is pressed is a button inside. */
  ns_spoken_set_name (gtk_widget_get_first_child (drop_down), label);
  gtk_widget_set_tooltip_text (drop_down, label);
  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (make_tree), self);
  return drop_down;
}

static void
make_controls (NsFlameView *self)
{
  static const char *const stacks[] = { N_ ("First stack"), N_ ("Whole path"), NULL };
  static const char *const weights[] = { N_ ("Requests"),
                                         N_ ("Bytes"),
                                         N_ ("Time"),
                                         N_ ("Failures"),
                                         NULL };

  self->stack = drop_down_new (self, stacks, _ ("Which stack"));
  self->weight = drop_down_new (self, weights, _ ("What the width means"));
  self->search = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->search, TRUE);
  ns_spoken_set_name (self->search, _ ("Search frames"));
  gtk_widget_set_tooltip_text (self->search, _ ("Search frames (Ctrl+F)"));
  self->finds = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->finds, "caption");
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_cb), self);
}

static GtkWidget *
build_panel_controls (NsFlameView *self)
{
  GtkWidget *controls = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (controls), 6);
  gtk_grid_set_column_spacing (GTK_GRID (controls), 6);
  gtk_grid_attach (GTK_GRID (controls), self->stack, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->weight, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->search, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->finds, 1, 1, 1, 1);
  return controls;
}

/* One line: what it is, how it is made, what to find, and the way back. */
static GtkWidget *
build_page_controls (NsFlameView *self)
{
  GtkWidget *controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (_ ("Call tree"));
  GtkWidget *width = gtk_label_new_with_mnemonic (_ ("_Width"));
  GtkWidget *space = gtk_label_new (NULL);
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  gtk_widget_add_css_class (title, "section-title");
  gtk_widget_add_css_class (width, "dim");
  gtk_label_set_mnemonic_widget (GTK_LABEL (width), self->weight);
  gtk_widget_set_hexpand (self->stack, FALSE);
  gtk_widget_set_hexpand (self->weight, FALSE);
  gtk_widget_set_hexpand (self->search, FALSE);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 28);
  gtk_button_set_has_frame (GTK_BUTTON (close), FALSE);
  gtk_widget_set_tooltip_text (close, _ ("Back to the table (Esc)"));
  ns_spoken_set_name (close, _ ("Back to the table"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (close), "win.call-tree");
  gtk_box_append (GTK_BOX (controls), title);
  gtk_box_append (GTK_BOX (controls), self->stack);
  gtk_box_append (GTK_BOX (controls), width);
  gtk_box_append (GTK_BOX (controls), self->weight);
  gtk_box_append (GTK_BOX (controls), space);
  gtk_box_append (GTK_BOX (controls), self->finds);
  gtk_box_append (GTK_BOX (controls), self->search);
  gtk_box_append (GTK_BOX (controls), close);
  return controls;
}

static GtkWidget *
build_picture (NsFlameView *self)
{
  GtkWidget *picture = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkAdjustment *adjustment;
  GtkWidget *scrollbar;

  self->area = ns_flame_area_new ();
  adjustment = ns_flame_area_get_adjustment (self->area);
  gtk_widget_set_hexpand (GTK_WIDGET (self->area), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->area), TRUE);
  g_signal_connect_swapped (self->area, "chosen", G_CALLBACK (chosen_cb), self);
  g_signal_connect_swapped (self->area, "only-rows", G_CALLBACK (only_rows_cb), self);
  scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, adjustment);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (show_scrollbar_cb), scrollbar, 0);
  gtk_box_append (GTK_BOX (picture), GTK_WIDGET (self->area));
  gtk_box_append (GTK_BOX (picture), scrollbar);
  return picture;
}

/* The picture above, the same tree as a table below. */
static GtkWidget *
build_halves (NsFlameView *self, GtkWidget *picture)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->table = NS_CALL_TABLE (ns_call_table_new ());
  g_signal_connect_swapped (self->table, "chosen", G_CALLBACK (line_chosen_cb), self);
  g_signal_connect_swapped (self->table, "activated", G_CALLBACK (line_activated_cb), self);
  g_signal_connect_swapped (self->table, "only-rows", G_CALLBACK (only_rows_cb), self);
  gtk_widget_set_size_request (GTK_WIDGET (self->table), -1, 120);
  gtk_paned_set_start_child (GTK_PANED (paned), picture);
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->table));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  return paned;
}

/* What is chosen, and what can be done with it. */
static GtkWidget *
build_foot (NsFlameView *self)
{
  GtkWidget *foot =
      gtk_box_new (self->is_page ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *large = gtk_button_new_with_mnemonic (_ ("Open _Large"));

  self->sentence = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->sentence), 0);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->sentence), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  self->only_rows = gtk_button_new_with_mnemonic (_ ("Only _These Rows"));
  gtk_widget_set_tooltip_text (self->only_rows,
                               _ ("Filter the table by the way to the chosen frame (Shift+Enter)"));
  g_signal_connect_swapped (self->only_rows, "clicked", G_CALLBACK (only_rows_cb), self);
  self->function_rows = gtk_button_new_with_mnemonic (_ ("Rows through This _Function"));
  gtk_widget_set_tooltip_text (self->function_rows,
                               _ ("All rows that came through this function, by any way"));
  g_signal_connect_swapped (self->function_rows, "clicked", G_CALLBACK (function_rows_cb), self);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (large), "win.call-tree");
  gtk_widget_set_tooltip_text (large,
                               _ ("Flame graph and call tree over the whole window (Ctrl+T)"));
  gtk_widget_set_visible (large, !self->is_page);
  gtk_box_append (GTK_BOX (buttons), self->only_rows);
  gtk_box_append (GTK_BOX (buttons), self->function_rows);
  gtk_box_append (GTK_BOX (buttons), large);
  gtk_box_append (GTK_BOX (foot), self->sentence);
  gtk_box_append (GTK_BOX (foot), buttons);
  return foot;
}

static void
build (NsFlameView *self)
{
  GtkWidget *picture = build_picture (self);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_add_css_class (self->box, self->is_page ? "call-tree-page" : "section");
  self->crumbs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  gtk_widget_set_overflow (self->crumbs, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (self->crumbs, "caption");
  make_controls (self);
  gtk_box_append (GTK_BOX (self->box),
                  self->is_page ? build_page_controls (self) : build_panel_controls (self));
  gtk_box_append (GTK_BOX (self->box), self->crumbs);
  gtk_box_append (GTK_BOX (self->box), self->is_page ? build_halves (self, picture) : picture);
  gtk_box_append (GTK_BOX (self->box), build_foot (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  chosen_cb (self);
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
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    {
      gtk_editable_set_text (GTK_EDITABLE (self->search), "");
      gtk_widget_grab_focus (GTK_WIDGET (self->area));
      return TRUE;
    }
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
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_flame_view_parent_class)->dispose (object);
}

static void
ns_flame_view_class_init (NsFlameViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_flame_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_flame_view_init (NsFlameView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->is_stale = TRUE;
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

  build (self);
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
  build (self);
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
  if (session != NULL)
    {
      self->session = g_object_ref (session);
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
      g_signal_connect_object (ns_symbol_job_get_for_session (session),
                               "changed",
                               G_CALLBACK (symbols_changed_cb),
                               self,
                               G_CONNECT_SWAPPED);
    }
  make_tree (self);
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
        only_rows_cb (self);
        return TRUE;
      }
  return FALSE;
}
