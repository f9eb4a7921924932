/* The flame page: the code paths of the rows shown, and the rows of one frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-spoken.h"
#include "ui/panel/ns-flame-area.h"
#include "ui/panel/ns-flame-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* How long names are gathered before the picture changes. */
#define NAMES_MS 300

struct _NsFlameView
{
  GtkWidget parent_instance;

  NsSession *session;
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
  GtkWidget *sentence;
  GtkWidget *only_rows;
};

G_DEFINE_FINAL_TYPE (NsFlameView, ns_flame_view, GTK_TYPE_WIDGET)

/* The way from everything to what fills the width. */
static void
update_crumbs (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  g_autoptr (GString) text = g_string_new (NULL);
  guint32 node;

  if (tree == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->crumbs), "");
      return;
    }
  for (node = ns_flame_area_get_focus (self->area);;
       node = g_array_index (tree->nodes, NsCallNode, node).parent)
    {
      g_autofree char *part =
          g_strdup_printf ("%s%s %u",
                           node != 0 ? " › " : "",
                           node != 0 ? ns_call_tree_get_name (tree, node) : _ ("all"),
                           g_array_index (tree->nodes, NsCallNode, node).total.n_rows);

      g_string_prepend (text, part);
      if (node == 0)
        break;
    }
  gtk_label_set_text (GTK_LABEL (self->crumbs), text->str);
}

static void
update_chosen (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node = ns_flame_area_get_selected (self->area);
  g_autofree char *sentence = NULL;
  g_autofree char *filter = NULL;

  if (tree != NULL && node != NS_FLAME_NONE)
    {
      sentence = ns_call_tree_describe (tree, node);
      filter = ns_call_tree_get_filter (tree, node);
    }
  gtk_label_set_text (GTK_LABEL (self->sentence),
                      sentence != NULL ? sentence : _ ("Choose a frame to read about it here."));
  gtk_widget_set_sensitive (self->only_rows, filter != NULL);
  update_crumbs (self);
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
  ns_flame_area_set_tree (self->area, ns_session_get_trace (self->session), tree);
  search_cb (self);
  update_chosen (self);
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

/* Requests through the chosen frame, of those shown. */
static void
only_rows_cb (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node = ns_flame_area_get_selected (self->area);
  g_autofree char *filter = NULL;
  g_autofree char *text = NULL;
  const char *before;

  if (tree == NULL || node == NS_FLAME_NONE || self->session == NULL)
    return;
  filter = ns_call_tree_get_filter (tree, node);
  if (filter == NULL)
    return;
  before = ns_session_get_filter (self->session, NS_TABLE_ACTIVITIES);
  if (strstr (before, " or ") != NULL)
    text = g_strdup_printf ("(%s) %s", before, filter);
  else
    text = g_strstrip (g_strdup_printf ("%s %s", before, filter));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-tab", "s", "activities");
  gtk_widget_activate_action (GTK_WIDGET (self), "win.set-filter", "s", text);
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

static GtkWidget *
build_controls (NsFlameView *self)
{
  static const char *const stacks[] = { N_ ("First stack"), N_ ("Whole path"), NULL };
  static const char *const weights[] = { N_ ("Requests"),
                                         N_ ("Bytes"),
                                         N_ ("Time"),
                                         N_ ("Failures"),
                                         NULL };
  GtkWidget *controls = gtk_grid_new ();

  self->stack = drop_down_new (self, stacks, _ ("Which stack"));
  self->weight = drop_down_new (self, weights, _ ("What the width means"));
  self->search = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->search, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Search frames"),
                                  -1);
  self->finds = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->finds, "caption");
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_cb), self);
  gtk_grid_set_row_spacing (GTK_GRID (controls), 6);
  gtk_grid_set_column_spacing (GTK_GRID (controls), 6);
  gtk_grid_attach (GTK_GRID (controls), self->stack, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->weight, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->search, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->finds, 1, 1, 1, 1);
  return controls;
}

static void
build_page (NsFlameView *self)
{
  GtkWidget *picture = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *scrollbar;

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_add_css_class (self->box, "section");
  self->crumbs = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->crumbs), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->crumbs), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (self->crumbs, "caption");
  self->area = ns_flame_area_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self->area), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->area), TRUE);
  g_signal_connect_swapped (self->area, "chosen", G_CALLBACK (update_chosen), self);
  g_signal_connect_swapped (self->area, "only-rows", G_CALLBACK (only_rows_cb), self);
  self->sentence = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->sentence), 0);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->sentence), PANGO_WRAP_WORD_CHAR);
  self->only_rows = gtk_button_new_with_mnemonic (_ ("Only _These Rows"));
  gtk_widget_set_halign (self->only_rows, GTK_ALIGN_START);
  g_signal_connect_swapped (self->only_rows, "clicked", G_CALLBACK (only_rows_cb), self);
  gtk_box_append (GTK_BOX (picture), GTK_WIDGET (self->area));
  scrollbar =
      gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, ns_flame_area_get_adjustment (self->area));
  g_signal_connect_object (ns_flame_area_get_adjustment (self->area),
                           "changed",
                           G_CALLBACK (show_scrollbar_cb),
                           scrollbar,
                           0);
  gtk_box_append (GTK_BOX (picture), scrollbar);
  gtk_box_append (GTK_BOX (self->box), build_controls (self));
  gtk_box_append (GTK_BOX (self->box), self->crumbs);
  gtk_box_append (GTK_BOX (self->box), picture);
  gtk_box_append (GTK_BOX (self->box), self->sentence);
  gtk_box_append (GTK_BOX (self->box), self->only_rows);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
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
  self->is_stale = TRUE;
  build_page (self);
  update_chosen (self);
  g_signal_connect_after (self, "map", G_CALLBACK (map_cb), NULL);
}

/**
 * ns_flame_view_new:
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
ns_flame_view_new (void)
{
  return g_object_new (NS_TYPE_FLAME_VIEW, NULL);
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
  ns_flame_area_set_tree (self->area, NULL, NULL);
  update_chosen (self);
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
