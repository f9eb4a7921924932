/* Name, totals and path of the selected node of a flame graph.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-flame-legend.h"
#include "ui/panel/ns-flame-private.h"
#include "ui/panel/ns-flame-words.h"

#include <glib/gi18n.h>

/* Maximum number of path steps shown; those between the first one and these are left out. */
#define MAX_CRUMBS 6

static void
crumb_cb (GtkButton *button, NsFlameView *self)
{
  ns_flame_area_zoom_to (self->area,
                         GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ns-node")));
}

static void
add_crumb (NsFlameView *self, const NsCallTree *tree, guint32 node, gboolean is_last)
{
  guint n_rows = g_array_index (tree->nodes, NsCallNode, node).total.n_rows;
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *name = ns_flame_words_dup_name (tree, node);
  g_autofree char *text = g_strdup_printf ("%s %s", name, count);
  g_autofree char *tip = ns_words_tooltip (text);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "crumb");
  gtk_widget_add_css_class (button, is_last ? "last" : "link");
  gtk_widget_set_sensitive (button, !is_last);
  gtk_widget_set_tooltip_text (button, tip);
  ns_accessible_set_name (button, text);
  g_object_set_data (G_OBJECT (button), "ns-node", GUINT_TO_POINTER (node));
  g_signal_connect (button, "clicked", G_CALLBACK (crumb_cb), self);
  if (node != 0)
    gtk_box_append (GTK_BOX (self->crumbs), gtk_label_new ("›"));
  gtk_box_append (GTK_BOX (self->crumbs), button);
}

/* Updates the path from the root to the node that fills the width. */
void
ns_flame_view_update_crumbs (NsFlameView *self)
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

static guint64
get_sum (const NsCallSums *sums, NsFlameSum sum)
{
  switch (sum)
    {
    case NS_FLAME_SUM_FAILED:
      return sums->n_failed;
    case NS_FLAME_SUM_DURATION:
      return (guint64) sums->duration_ns;
    case NS_FLAME_SUM_QUEUED:
      return (guint64) sums->pool_ns;
    case NS_FLAME_SUM_RECEIVED:
      return sums->received;
    case NS_FLAME_SUM_ROWS:
    case NS_FLAME_N_SUMS:
    default:
      return sums->n_rows;
    }
}

static void
update_card (NsFlameView *self, const NsCallTree *tree, guint32 node)
{
  const NsCallSums *all = &g_array_index (tree->nodes, NsCallNode, 0).total;
  const NsCallSums *sums = &g_array_index (tree->nodes, NsCallNode, node).total;
  guint i;

  for (i = 0; i < NS_FLAME_N_SUMS; i++)
    {
      guint64 value = get_sum (sums, (NsFlameSum) i);
      guint64 whole = get_sum (all, (NsFlameSum) i);
      gboolean is_time = i == NS_FLAME_SUM_DURATION || i == NS_FLAME_SUM_QUEUED;
      gboolean is_least = i == NS_FLAME_SUM_DURATION && sums->n_open > 0;
      g_autofree char *text =
          is_time ? ns_words_duration_at_least ((gint64) value, is_least) : ns_words_count (value);
      g_autofree char *share =
          whole > 0 ? g_strdup_printf (_ ("%.0f %%"), 100.0 * (double) value / (double) whole)
                    : g_strdup ("");

      gtk_label_set_text (GTK_LABEL (self->values[i]), text);
      gtk_label_set_text (GTK_LABEL (self->shares[i]), share);
    }
}

/* Returns a text such as `148 rows · Σ 61.204 s · ✕ 12`. */
static char *
dup_sums (const NsCallSums *sums)
{
  g_autofree char *count = ns_words_count (sums->n_rows);
  g_autofree char *duration = ns_words_duration_at_least (sums->duration_ns, sums->n_open > 0);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, ngettext ("%s row", "%s rows", sums->n_rows), count);
  g_string_append_printf (text, " · Σ %s", duration);
  if (sums->n_failed > 0)
    g_string_append_printf (text, " · ✕ %u", sums->n_failed);
  return g_string_free (text, FALSE);
}

static void
show_node (NsFlameView *self, const NsCallTree *tree, guint32 node)
{
  const NsCallNode *at = &g_array_index (tree->nodes, NsCallNode, node);
  g_autofree char *name = ns_flame_words_dup_name (tree, node);
  g_autofree char *sentence = ns_call_tree_describe (tree, node);
  g_autofree char *tip = ns_words_tooltip (sentence);

  gtk_label_set_text (GTK_LABEL (self->name), name);
  gtk_widget_set_tooltip_text (self->name, tip);
  if (self->is_page)
    {
      g_autofree char *sums = dup_sums (&at->total);

      gtk_label_set_text (GTK_LABEL (self->sums), sums);
    }
  else
    update_card (self, tree, node);
}

/**
 * ns_flame_view_count:
 * @self: a page
 * @n_rows: (out): number of operations in the tree; 0 without a tree
 * @n_with_stack: (out): number of those that have a call stack
 *
 * Counts the operations in the tree.
 *
 * Returns: whether there is a tree
 */
gboolean
ns_flame_view_count (NsFlameView *self, guint *n_rows, guint *n_with_stack)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 i;

  *n_rows = tree != NULL ? g_array_index (tree->nodes, NsCallNode, 0).total.n_rows : 0;
  *n_with_stack = *n_rows;
  /* Nodes for operations without a stack are children of the root. */
  for (i = 1; tree != NULL && i < tree->nodes->len;
       i += g_array_index (tree->nodes, NsCallNode, i).n_inside + 1)
    if (g_array_index (tree->nodes, NsCallNode, i).kind == NS_CALL_NODE_NOTE)
      *n_with_stack -= g_array_index (tree->nodes, NsCallNode, i).total.n_rows;
  return tree != NULL;
}

/* Shows how many operations have no call stack. */
static void
update_no_stack (NsFlameView *self)
{
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;
  guint n_with_stack;
  guint n_rows;

  if (self->no_stack == NULL)
    return;
  ns_flame_view_count (self, &n_rows, &n_with_stack);
  n_rows -= n_with_stack;
  count = ns_words_count (n_rows);
  text = g_strdup_printf (ngettext ("%s row has no stack", "%s rows have no stack", n_rows), count);
  gtk_label_set_text (GTK_LABEL (self->no_stack), text);
  gtk_widget_set_visible (self->no_stack, n_rows > 0);
}

/* Returns the selected node, or NS_FLAME_NONE. */
guint32
ns_flame_view_get_chosen (NsFlameView *self, const NsCallTree **tree)
{
  *tree = ns_flame_area_get_tree (self->area);
  return *tree != NULL ? ns_flame_area_get_selected (self->area) : NS_FLAME_NONE;
}

/* Returns the selected node if it is a frame, otherwise NULL. */
const NsCallNode *
ns_flame_view_get_chosen_frame (NsFlameView *self, const NsCallTree **tree)
{
  guint32 node = ns_flame_view_get_chosen (self, tree);
  const NsCallNode *at =
      node != NS_FLAME_NONE ? &g_array_index ((*tree)->nodes, NsCallNode, node) : NULL;

  return at != NULL && at->kind == NS_CALL_NODE_FRAME ? at : NULL;
}

/* Enables the actions that apply to the selected node. */
static void
update_actions (NsFlameView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const NsCallTree *tree;
  guint32 node = ns_flame_view_get_chosen (self, &tree);
  const NsCallNode *frame = ns_flame_view_get_chosen_frame (self, &tree);
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

/* Lets the label of a button shrink in a narrow window. */
void
ns_flame_view_ellipsize (GtkWidget *button)
{
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));

  if (GTK_IS_LABEL (label))
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
}

/* Updates the texts about the selected node, and its actions. */
void
ns_flame_view_update_chosen (NsFlameView *self)
{
  const NsCallTree *tree = ns_flame_area_get_tree (self->area);
  guint32 node = ns_flame_area_get_selected (self->area);
  gboolean is_chosen = tree != NULL && node != NS_FLAME_NONE;
  g_autofree char *only = NULL;

  if (is_chosen && node != 0)
    {
      guint n_rows = g_array_index (tree->nodes, NsCallNode, node).total.n_rows;
      g_autofree char *count = ns_words_count (n_rows);

      /* Translators: a number of rows */
      only = g_strdup_printf (ngettext ("Only _This %s Row", "Only _These %s Rows", n_rows), count);
    }
  if (is_chosen)
    show_node (self, tree, node);
  else
    {
      gtk_label_set_text (GTK_LABEL (self->name), _ ("Select a frame to see its details here."));
      gtk_widget_set_tooltip_text (self->name, NULL);
      if (self->is_page)
        gtk_label_set_text (GTK_LABEL (self->sums), "");
    }
  if (self->card != NULL)
    gtk_widget_set_visible (self->card, is_chosen);
  gtk_button_set_label (GTK_BUTTON (self->only_rows), only != NULL ? only : _ ("Only _These Rows"));
  if (self->is_page)
    ns_flame_view_ellipsize (self->only_rows);
  update_no_stack (self);
  update_actions (self);
  if (self->table != NULL && tree != NULL)
    ns_call_table_select (self->table, node);
}

static gboolean
laid_out_cb (GtkWidget *area, GdkFrameClock *clock, gpointer data)
{
  NsFlameView *self = data;

  if (gtk_widget_get_width (area) == 0)
    return G_SOURCE_CONTINUE;
  self->legend_id = 0;
  ns_flame_view_update_legend (self);
  return G_SOURCE_REMOVE;
}

/* Updates the legend of the colours. */
void
ns_flame_view_update_legend (NsFlameView *self)
{
  g_autoptr (GArray) lines = NULL;

  if (self->legend == NULL)
    return;
  /* The colours in use are known only after the area has been allocated. */
  if (gtk_widget_get_width (GTK_WIDGET (self->area)) == 0)
    {
      if (self->legend_id == 0)
        self->legend_id =
            gtk_widget_add_tick_callback (GTK_WIDGET (self->area), laid_out_cb, self, NULL);
      return;
    }
  lines = ns_flame_area_list_legend (self->area);
  ns_flame_legend_widget_update (self->legend, lines, ns_flame_area_get_color (self->area));
}
