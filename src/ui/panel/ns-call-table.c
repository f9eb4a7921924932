/* Call tree as a table: one line per node, with the totals of its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-theme.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-call-table.h"
#include "ui/panel/ns-flame-words.h"
#include "ui/table/ns-sort-mark.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define INDENT_PX 18
/* Deeper nodes are not indented further, so that their names stay visible. */
#define MAX_INDENT 40
/* Durations are shown in ms with one decimal: the step is 0.1 ms. */
#define SHOWN_NS 100000

typedef enum
{
  COLUMN_FRAME,
  COLUMN_ROWS,
  COLUMN_PERCENT,
  COLUMN_FAILED,
  COLUMN_TOTAL,
  COLUMN_POOL,
  COLUMN_QUEUED,
  COLUMN_P50,
  COLUMN_P95,
  COLUMN_SENT,
  COLUMN_RECEIVED,
  N_COLUMNS,
} Column;

static const struct
{
  const char *title;
  const char *tooltip;
  int width;
} columns[N_COLUMNS] = {
  [COLUMN_FRAME] = { N_ ("Frame"), N_ ("Function, or thread switch"), 240 },
  [COLUMN_ROWS] = { N_ ("Requests"), N_ ("Rows whose path includes it"), 96 },
  [COLUMN_PERCENT] = { N_ ("%"), N_ ("Its share of the width"), 60 },
  [COLUMN_FAILED] = { N_ ("Failed"), N_ ("Rows that failed"), 72 },
  [COLUMN_TOTAL] = { N_ ("Total (ms)"), N_ ("Sum of the durations of its rows"), 114 },
  [COLUMN_POOL] = { N_ ("Pool Wait (ms)"),
                    N_ ("Waits for pool threads, before and during its rows"),
                    126 },
  [COLUMN_QUEUED] = { N_ ("Queued (ms)"),
                      N_ ("Part of the total that was queued in a library"),
                      108 },
  [COLUMN_P50] = { N_ ("p50 (ms)"), N_ ("Median duration of its rows"), 90 },
  [COLUMN_P95] = { N_ ("p95 (ms)"), N_ ("95th percentile of the durations"), 96 },
  [COLUMN_SENT] = { N_ ("Sent (B)"), N_ ("Bytes sent"), 96 },
  [COLUMN_RECEIVED] = { N_ ("Recv (B)"), N_ ("Bytes received"), 108 },
};

struct _NsCallTable
{
  GtkWidget parent_instance;

  const NsCallTree *tree;
  NsCallNodes *nodes;
  GtkSingleSelection *selection;
  GtkWidget *scrolled;
  GtkWidget *view;
  double scale; /* column width relative to the default font */
};

enum
{
  SIGNAL_CHOSEN,    /* the selection changed */
  SIGNAL_ACTIVATED, /* a line was activated */
  SIGNAL_ONLY_ROWS,
  SIGNAL_MENU, /* context menu of the selected line, at a position */
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsCallTable, ns_call_table, GTK_TYPE_WIDGET)

/* Formats a duration in ms. A lower bound is rounded down, so that "at least" stays true. */
static char *
dup_milliseconds (gint64 span_ns, gboolean is_lower_bound)
{
  gint64 shown_ns = is_lower_bound ? span_ns - span_ns % SHOWN_NS : span_ns;

  return ns_words_at_least (ns_words_milliseconds (shown_ns), is_lower_bound);
}

static char *
percentile (NsCallTable *self, guint32 node, guint percent)
{
  gboolean is_lower_bound;
  gint64 span_ns = ns_call_tree_get_percentile (self->tree, node, percent, &is_lower_bound);

  return span_ns != NS_UNKNOWN ? dup_milliseconds (span_ns, is_lower_bound) : g_strdup ("");
}

static char *
cell_text (NsCallTable *self, Column column, guint32 node)
{
  const NsCallSums *sums = &g_array_index (self->tree->nodes, NsCallNode, node).total;
  guint64 whole = ns_call_tree_get_total (self->tree, 0);

  switch (column)
    {
    case COLUMN_FRAME:
      return ns_flame_words_dup_line (self->tree, node);
    case COLUMN_ROWS:
      return ns_words_count (sums->n_rows);
    case COLUMN_PERCENT:
      return g_strdup_printf ("%.0f",
                              whole > 0
                                  ? 100.0 * (double) ns_call_tree_get_total (self->tree, node) /
                                        (double) whole
                                  : 0);
    case COLUMN_FAILED:
      return sums->n_failed > 0 ? g_strdup_printf ("✕ %u", sums->n_failed) : g_strdup ("");
    case COLUMN_TOTAL:
      return dup_milliseconds (sums->duration_ns, sums->n_open > 0);
    case COLUMN_POOL:
      return sums->pool_ns > 0 ? ns_words_milliseconds (sums->pool_ns) : g_strdup ("");
    case COLUMN_QUEUED:
      return sums->queued_ns > 0 ? ns_words_milliseconds (sums->queued_ns) : g_strdup ("");
    case COLUMN_P50:
      return percentile (self, node, 50);
    case COLUMN_P95:
      return percentile (self, node, 95);
    case COLUMN_SENT:
      return ns_words_count (sums->sent);
    case COLUMN_RECEIVED:
    case N_COLUMNS:
    default:
      return ns_words_count (sums->received);
    }
}

static void
toggle (NsCallTable *self, guint position)
{
  g_autoptr (NsCallNodeItem) item = g_list_model_get_item (G_LIST_MODEL (self->nodes), position);
  guint32 selected = ns_call_table_get_selected (self);

  if (item == NULL)
    return;
  ns_call_nodes_set_open (self->nodes,
                          position,
                          !ns_call_nodes_is_open (self->nodes, ns_call_node_item_get_node (item)));
  if (selected == ns_call_node_item_get_node (item))
    gtk_single_selection_set_selected (self->selection, position);
}

static void
arrow_cb (GtkGestureClick *click, int n_press, double x, double y, GtkListItem *list_item)
{
  NsCallTable *self = g_object_get_data (G_OBJECT (list_item), "ns-table");

  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  toggle (self, gtk_list_item_get_position (list_item));
}

static void
setup_frame (GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  GtkWidget *arrow = gtk_image_new ();
  GtkWidget *label = gtk_label_new (NULL);
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_box_append (GTK_BOX (box), label);
  g_signal_connect_object (click, "pressed", G_CALLBACK (arrow_cb), item, 0);
  gtk_widget_add_controller (arrow, GTK_EVENT_CONTROLLER (click));
  g_object_set_data (G_OBJECT (box), "ns-item", item);
  gtk_list_item_set_child (item, box);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, NsCallTable *self)
{
  Column column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "ns-column"));
  GtkWidget *label;

  g_object_set_data (G_OBJECT (item), "ns-table", self);
  if (column == COLUMN_FRAME)
    {
      setup_frame (item);
      return;
    }
  label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  ns_text_direction_force_ltr (label);
  if (column == COLUMN_FAILED)
    gtk_widget_add_css_class (label, "failure");
  g_object_set_data (G_OBJECT (label), "ns-item", item);
  gtk_list_item_set_child (item, label);
}

/* Dims the module, so that the function name stands out. */
static void
dim_module (GtkLabel *label, const NsCallNode *node, const char *text)
{
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();
  const char *end = node->kind == NS_CALL_NODE_FRAME ? strchr (text, '!') : NULL;

  if (end != NULL)
    {
      PangoAttribute *dim = pango_attr_foreground_alpha_new (G_MAXUINT16 / 100 * 70);

      dim->end_index = (guint) (end - text) + 1;
      pango_attr_list_insert (list, dim);
    }
  gtk_label_set_attributes (label, list);
}

static void
bind_frame (NsCallTable *self, GtkListItem *item, guint32 node, const char *text)
{
  const NsCallNode *at = &g_array_index (self->tree->nodes, NsCallNode, node);
  GtkWidget *arrow = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *label = gtk_widget_get_next_sibling (arrow);
  const char *frame_classes[] = { at->kind == NS_CALL_NODE_THREAD_SWITCH ? "call-seam"
                                                                         : "stack-frame",
                                  NULL };
  gboolean is_open = ns_call_nodes_is_open (self->nodes, node);
  g_autofree char *sentence = ns_call_tree_describe (self->tree, node);

  gtk_widget_set_margin_start (arrow, INDENT_PX * (int) MIN (at->depth, MAX_INDENT));
  gtk_image_set_from_icon_name (GTK_IMAGE (arrow),
                                is_open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_widget_set_opacity (arrow, at->n_inside > 0 ? 1 : 0);
  gtk_label_set_text (GTK_LABEL (label), text);
  dim_module (GTK_LABEL (label), at, text);
  gtk_widget_set_tooltip_text (label, sentence);
  gtk_widget_set_css_classes (label, frame_classes);
  ns_accessible_set_row_name (gtk_list_item_get_child (item), sentence);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, NsCallTable *self)
{
  Column column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "ns-column"));
  guint32 node = ns_call_node_item_get_node (gtk_list_item_get_item (item));
  g_autofree char *text = NULL;

  if (self->tree == NULL || node >= self->tree->nodes->len)
    return;
  text = cell_text (self, column, node);
  if (column == COLUMN_FRAME)
    bind_frame (self, item, node, text);
  else
    gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), text);
}

static void
selected_cb (NsCallTable *self)
{
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static void
activate_cb (NsCallTable *self, guint position)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

/* Handles Right (expands the node, then moves to its first child) and Left (collapses it, then
 * moves to its parent). */
static gboolean
handle_arrow (NsCallTable *self, gboolean is_in)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  guint32 node = ns_call_table_get_selected (self);
  const NsCallNode *at;
  gboolean is_open;

  if (node == NS_CALL_TABLE_NONE)
    return FALSE;
  at = &g_array_index (self->tree->nodes, NsCallNode, node);
  is_open = ns_call_nodes_is_open (self->nodes, node);
  if (is_in && at->n_inside == 0)
    return TRUE;
  if (is_in && is_open)
    gtk_single_selection_set_selected (self->selection, position + 1);
  else if (is_in || is_open)
    {
      ns_call_nodes_set_open (self->nodes, position, is_in);
      gtk_single_selection_set_selected (self->selection, position);
    }
  else
    ns_call_table_select (self, at->parent);
  return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        NsCallTable *self)
{
  switch (keyval)
    {
    case GDK_KEY_Right:
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
      return handle_arrow (self, TRUE);
    case GDK_KEY_Left:
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      return handle_arrow (self, FALSE);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if ((state & GDK_SHIFT_MASK) == 0)
        return FALSE;
      g_signal_emit (self, signals[SIGNAL_ONLY_ROWS], 0);
      return TRUE;
    case GDK_KEY_Menu:
      g_signal_emit (self, signals[SIGNAL_MENU], 0, 48.0, 48.0);
      return TRUE;
    case GDK_KEY_F10:
      if ((state & GDK_SHIFT_MASK) == 0)
        return FALSE;
      g_signal_emit (self, signals[SIGNAL_MENU], 0, 48.0, 48.0);
      return TRUE;
    default:
      return FALSE;
    }
}

/* Finds the list item at a position. The picked widget is a cell's child or GTK's internal cell
 * widget around it. */
static GtkListItem *
item_at (NsCallTable *self, double x, double y)
{
  GtkWidget *picked = gtk_widget_pick (self->view, x, y, GTK_PICK_DEFAULT);
  GtkListItem *item = NULL;

  for (; picked != NULL && picked != self->view && item == NULL;
       picked = gtk_widget_get_parent (picked))
    {
      GtkWidget *child = gtk_widget_get_first_child (picked);

      item = g_object_get_data (G_OBJECT (picked), "ns-item");
      if (item == NULL && child != NULL)
        item = g_object_get_data (G_OBJECT (child), "ns-item");
    }
  return item;
}

static void
menu_cb (GtkGestureClick *click, int n_press, double x, double y, NsCallTable *self)
{
  GtkListItem *item = item_at (self, x, y);
  double menu_x;
  double menu_y;

  if (item == NULL)
    return;
  gtk_single_selection_set_selected (self->selection, gtk_list_item_get_position (item));
  if (gtk_widget_translate_coordinates (self->view, GTK_WIDGET (self), x, y, &menu_x, &menu_y))
    g_signal_emit (self, signals[SIGNAL_MENU], 0, menu_x, menu_y);
}

/* Aligns column titles with their cells; GTK aligns all titles at the start. */
static void
align_titles_cb (NsCallTable *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->view);
  GtkWidget *title = gtk_widget_get_first_child (header);
  guint column;

  for (column = 0; title != NULL && column < N_COLUMNS;
       column++, title = gtk_widget_get_next_sibling (title))
    {
      GtkWidget *box = gtk_widget_get_first_child (title);
      GtkWidget *label = box != NULL ? gtk_widget_get_first_child (box) : NULL;

      gtk_widget_set_tooltip_text (title, _ (columns[column].tooltip));
      if (label == NULL || !GTK_IS_LABEL (label) || column == COLUMN_FRAME)
        continue;
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      ns_text_direction_force_ltr (label);
    }
  ns_sort_mark_tint (GTK_COLUMN_VIEW (self->view));
}

/* Returns the column of the tree's weight: the children of a node are sorted by weight. */
static Column
get_sorted_column (const NsCallTree *tree)
{
  switch (tree->weight)
    {
    case NS_CALL_WEIGHT_COUNT:
      return COLUMN_ROWS;
    case NS_CALL_WEIGHT_DURATION:
      return COLUMN_TOTAL;
    case NS_CALL_WEIGHT_FAILURES:
      return COLUMN_FAILED;
    case NS_CALL_WEIGHT_BYTES:
    default:
      return COLUMN_PERCENT; /* bytes in both directions; no column has their sum */
    }
}

static void
update_titles (NsCallTable *self)
{
  GListModel *made = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  guint i;

  for (i = 0; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (made, i);
      gboolean is_sorted = self->tree != NULL && get_sorted_column (self->tree) == (Column) i;
      g_autofree char *title =
          g_strconcat (_ (columns[i].title), is_sorted ? " " NS_SORT_MARK_DOWN : NULL, NULL);

      if (g_strcmp0 (gtk_column_view_column_get_title (column), title) != 0)
        gtk_column_view_column_set_title (column, title);
    }
  ns_sort_mark_tint (GTK_COLUMN_VIEW (self->view));
}

static void
add_column (NsCallTable *self, Column column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *made = gtk_column_view_column_new (_ (columns[column].title), factory);

  g_object_set_data (G_OBJECT (factory), "ns-column", GUINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_column_set_expand (made, column == COLUMN_FRAME);
  gtk_column_view_column_set_fixed_width (made, columns[column].width);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), made);
  g_object_unref (made);
}

/* Scales the column widths with the font. */
static void
fit_columns (NsCallTable *self)
{
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint i;

  if (fabs (scale - self->scale) < 0.01)
    return;
  self->scale = scale;
  for (i = 0; i < N_COLUMNS; i++)
    {
      GListModel *made = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (made, i);

      gtk_column_view_column_set_fixed_width (column, (int) (columns[i].width * scale));
    }
}

static void
ns_call_table_dispose (GObject *object)
{
  NsCallTable *self = NS_CALL_TABLE (object);

  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_object (&self->nodes);
  G_OBJECT_CLASS (ns_call_table_parent_class)->dispose (object);
}

/* The sort mark is tinted in code, not by CSS, so a style change has to tint it again. */
static void
ns_call_table_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  NsCallTable *self = NS_CALL_TABLE (widget);

  GTK_WIDGET_CLASS (ns_call_table_parent_class)->css_changed (widget, change);
  if (self->scrolled == NULL)
    return;
  ns_sort_mark_tint (GTK_COLUMN_VIEW (self->view));
  fit_columns (self);
}

static guint
signal_new (NsCallTableClass *klass, const char *name)
{
  return g_signal_new (name,
                       G_TYPE_FROM_CLASS (klass),
                       G_SIGNAL_RUN_LAST,
                       0,
                       NULL,
                       NULL,
                       NULL,
                       G_TYPE_NONE,
                       0);
}

static void
ns_call_table_class_init (NsCallTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_call_table_dispose;
  GTK_WIDGET_CLASS (klass)->css_changed = ns_call_table_css_changed;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_CHOSEN] = signal_new (klass, "chosen");
  signals[SIGNAL_ACTIVATED] = signal_new (klass, "activated");
  signals[SIGNAL_ONLY_ROWS] = signal_new (klass, "only-rows");
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       G_TYPE_FROM_CLASS (klass),
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       2,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE);
}

static void
ns_call_table_init (NsCallTable *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  guint column;

  self->nodes = ns_call_nodes_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->nodes)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->view = gtk_column_view_new (GTK_SELECTION_MODEL (self->selection));
  gtk_widget_add_css_class (self->view, "ns-table");
  gtk_widget_add_css_class (self->view, "data-table");
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (self->view), _ ("Call tree"));
  for (column = 0; column < N_COLUMNS; column++)
    add_column (self, (Column) column);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, 0);
  gtk_widget_add_controller (self->view, keys);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (menu_cb), self, 0);
  gtk_widget_add_controller (self->view, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (self->view,
                           "map",
                           G_CALLBACK (align_titles_cb),
                           self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->selection,
                           "notify::selected",
                           G_CALLBACK (selected_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view,
                           "activate",
                           G_CALLBACK (activate_cb),
                           self,
                           G_CONNECT_SWAPPED);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), self->view);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

/**
 * ns_call_table_new:
 *
 * Returns: (transfer floating): an empty table
 */
GtkWidget *
ns_call_table_new (void)
{
  return g_object_new (NS_TYPE_CALL_TABLE, NULL);
}

/**
 * ns_call_table_set_tree:
 * @self: a table
 * @tree: (nullable): a tree, which must outlive its use by the table
 */
void
ns_call_table_set_tree (NsCallTable *self, const NsCallTree *tree)
{
  /* Cells bound during the update read from the new tree. */
  self->tree = tree;
  ns_call_nodes_set_tree (self->nodes, tree);
  update_titles (self);
}

/**
 * ns_call_table_get_selected:
 * @self: a table
 *
 * Returns: the node of the selected line, or %NS_CALL_TABLE_NONE
 */
guint32
ns_call_table_get_selected (NsCallTable *self)
{
  NsCallNodeItem *item = gtk_single_selection_get_selected_item (self->selection);

  return item != NULL && self->tree != NULL ? ns_call_node_item_get_node (item)
                                            : NS_CALL_TABLE_NONE;
}

/**
 * ns_call_table_select:
 * @self: a table
 * @node: a node, or %NS_CALL_TABLE_NONE
 *
 * Selects the line of a node and scrolls to it.
 */
void
ns_call_table_select (NsCallTable *self, guint32 node)
{
  GtkWidget *child;
  guint position;

  if (node == ns_call_table_get_selected (self))
    return;
  if (node == NS_CALL_TABLE_NONE || self->tree == NULL)
    {
      gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
      return;
    }
  position = ns_call_nodes_reveal (self->nodes, node);
  gtk_single_selection_set_selected (self->selection, position);
  if (gtk_widget_get_height (self->view) == 0)
    return;
  for (child = gtk_widget_get_first_child (self->view); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}
