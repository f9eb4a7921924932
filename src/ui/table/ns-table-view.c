/* One table of a session: columns from the table of fields, rows from the session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-empty.h"
#include "ui/table/ns-table-view.h"

#include <glib/gi18n.h>
#include <math.h>

/* A press on a title that moved less sorts; nearer to the edge it sizes the column. */
#define PRESS_PX 6
#define TITLE_EDGE_PX 6
#define MIN_COLUMN_PX 24
#define WIDE_MIN_PX 120
/* Selected rows looked for one by one. */
#define FEW_ROWS 16

struct _NsTableView
{
  GtkWidget parent_instance;

  NsSession *session;
  NsTableId table;
  GtkWidget *scrolled;
  GtkWidget *empty; /* instead of rows: why there are none */
  GtkColumnView *view;
  GtkMultiSelection *selection;
  gboolean is_syncing; /* the selection is being copied from the session */
  double press_x;
  const NsField *pressed;
};

enum
{
  SIGNAL_MENU,
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTableView, ns_table_view, GTK_TYPE_WIDGET)

/**
 * ns_table_view_get_field:
 * @column: a column of a table
 *
 * Returns: (nullable): the field it shows; %NULL for the column of marks
 */
const NsField *
ns_table_view_get_field (GtkColumnViewColumn *column)
{
  return g_object_get_data (G_OBJECT (column), "ns-field");
}

static guint
find_key (const GArray *order, const NsField *field)
{
  guint i;

  for (i = 0; i < order->len; i++)
    if (g_array_index (order, NsOrderKey, i).field == field)
      return i;
  return G_MAXUINT;
}

/* The title says by itself how the table is sorted. */
static void
update_titles (NsTableView *self)
{
  static const char *const digits[] = { "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉" };
  const GArray *order = ns_session_get_order (self->session, self->table);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      g_autofree char *title = NULL;
      guint key;

      if (field == NULL)
        continue;
      key = find_key (order, field);
      if (key == G_MAXUINT)
        title = g_strdup (_ (field->title));
      else
        title = g_strdup_printf ("%s %s%s",
                                 _ (field->title),
                                 g_array_index (order, NsOrderKey, key).descending ? "▼" : "▲",
                                 order->len > 1 ? digits[MIN (key, 8)] : "");
      if (g_strcmp0 (gtk_column_view_column_get_title (column), title) != 0)
        gtk_column_view_column_set_title (column, title);
    }
}

/* Where selected rows stand now; many are found in one walk over the list. */
static void
find_positions (NsRowList *rows, const GArray *selected, GtkBitset *positions)
{
  const GArray *shown = ns_row_list_get_rows (rows);
  g_autoptr (GHashTable) wanted = NULL;
  guint i;

  if (selected->len <= FEW_ROWS)
    {
      for (i = 0; i < selected->len; i++)
        {
          guint position = ns_row_list_find (rows, g_array_index (selected, guint32, i));

          if (position != G_MAXUINT)
            gtk_bitset_add (positions, position);
        }
      return;
    }
  wanted = g_hash_table_new (NULL, NULL);
  for (i = 0; i < selected->len; i++)
    g_hash_table_add (wanted, GUINT_TO_POINTER (g_array_index (selected, guint32, i)));
  for (i = 0; i < shown->len; i++)
    if (g_hash_table_contains (wanted, GUINT_TO_POINTER (g_array_index (shown, guint32, i))))
      gtk_bitset_add (positions, i);
}

static void
select_in_view (NsTableView *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (rows));
  g_autoptr (GtkBitset) wanted = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) mask = gtk_bitset_new_range (0, n_rows);
  g_autoptr (GtkBitset) now = NULL;

  find_positions (rows, selected, wanted);
  now = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_equals (now, wanted))
    return;
  self->is_syncing = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), wanted, mask);
  self->is_syncing = FALSE;
  if (!gtk_bitset_is_empty (wanted))
    ns_table_view_scroll_to (self, gtk_bitset_get_minimum (wanted));
}

static void
session_selected_cb (NsTableView *self)
{
  if (ns_session_get_selected_table (self->session) == self->table && !self->is_syncing)
    select_in_view (self);
}

static void
update_empty (NsTableView *self)
{
  ns_table_empty_update (self->empty,
                         self->session,
                         self->table,
                         g_list_model_get_n_items (G_LIST_MODEL (self->selection)));
}

static void
rows_changed_cb (NsTableView *self, guint table)
{
  g_autoptr (GtkBitset) bits = NULL;

  if (table != self->table)
    return;
  update_titles (self);
  update_empty (self);
  if (ns_session_is_busy (self->session, self->table))
    return;
  if (ns_session_get_selected_table (self->session) == self->table)
    select_in_view (self);
  /* Another order is read from its top. */
  bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_is_empty (bits) && g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0)
    ns_table_view_scroll_to (self, 0);
}

static void
view_selected_cb (NsTableView *self)
{
  g_autoptr (GtkBitset) bits = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  const GArray *shown;
  GtkBitsetIter iter;
  guint position;

  if (self->is_syncing || ns_session_is_busy (self->session, self->table))
    return;
  shown = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table));
  bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_iter_init_first (&iter, bits, &position))
    do
      if (position < shown->len)
        g_array_append_val (rows, g_array_index (shown, guint32, position));
    while (gtk_bitset_iter_next (&iter, &position));
  self->is_syncing = TRUE;
  ns_session_select (self->session,
                     self->table,
                     (const guint32 *) (gpointer) rows->data,
                     rows->len);
  self->is_syncing = FALSE;
}

static GtkWidget *
get_header (NsTableView *self)
{
  return gtk_widget_get_first_child (GTK_WIDGET (self->view));
}

/* The column whose title is under a point of the view, but not its edges. */
static GtkColumnViewColumn *
column_at (NsTableView *self, double x, double y, gboolean without_edges)
{
  GtkWidget *header = get_header (self);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      double title_x;
      double title_y;

      if (!gtk_column_view_column_get_visible (column))
        continue;
      while (title != NULL && !gtk_widget_get_visible (title))
        title = gtk_widget_get_next_sibling (title);
      if (title == NULL)
        return NULL;
      if (gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                            title,
                                            x,
                                            y,
                                            &title_x,
                                            &title_y) &&
          title_y >= 0 && title_y < gtk_widget_get_height (title) && title_x >= 0 &&
          title_x < gtk_widget_get_width (title))
        {
          if (without_edges &&
              (title_x < TITLE_EDGE_PX || title_x >= gtk_widget_get_width (title) - TITLE_EDGE_PX))
            return NULL;
          return column;
        }
      title = gtk_widget_get_next_sibling (title);
    }
  return NULL;
}

static void
title_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  self->press_x = x;
}

static void
title_released_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkColumnViewColumn *column;
  const NsField *field;

  if (fabs (x - self->press_x) > PRESS_PX)
    return;
  column = column_at (self, x, y, TRUE);
  field = column != NULL ? ns_table_view_get_field (column) : NULL;
  if (field != NULL)
    ns_session_toggle_order (self->session, self->table, field, (state & GDK_SHIFT_MASK) != 0);
}

static NsTableCell *
cell_at (NsTableView *self, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT);
  GtkWidget *child;

  if (widget == NULL)
    return NULL;
  while (widget != NULL && !NS_IS_TABLE_CELL (widget))
    {
      /* The padding of a cell belongs to the cell. */
      child = gtk_widget_get_first_child (widget);
      if (child != NULL && NS_IS_TABLE_CELL (child))
        return NS_TABLE_CELL (child);
      widget = gtk_widget_get_parent (widget);
    }
  return widget != NULL ? NS_TABLE_CELL (widget) : NULL;
}

static void
menu_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  NsTableCell *cell = cell_at (self, x, y);
  double own_x;
  double own_y;

  if (cell == NULL)
    return;
  self->pressed = ns_table_cell_get_field (cell);
  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection),
                                        ns_table_cell_get_position (cell)))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection),
                                     ns_table_cell_get_position (cell),
                                     TRUE);
  gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                    GTK_WIDGET (self),
                                    x,
                                    y,
                                    &own_x,
                                    &own_y);
  g_signal_emit (self, signals[SIGNAL_MENU], 0, own_x, own_y);
}

static gboolean
tooltip_cb (NsTableView *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  GtkColumnViewColumn *column = column_at (self, x, y, FALSE);
  NsTableCell *cell;

  if (column != NULL)
    {
      const NsField *field = ns_table_view_get_field (column);

      if (field == NULL || field->tooltip == NULL)
        return FALSE;
      gtk_tooltip_set_text (tooltip, _ (field->tooltip));
      return TRUE;
    }
  cell = cell_at (self, x, y);
  if (cell == NULL)
    return FALSE;
  text = ns_sentence_new (ns_session_get_trace (self->session),
                          self->table,
                          ns_table_cell_get_row (cell));
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* The column that takes the room the others leave. */
static gboolean
is_wide (const NsField *field)
{
  return field != NULL && g_strcmp0 (field->id, "url") == 0;
}

static void
add_column (NsTableView *self, const NsField *field, gboolean is_shown, int width)
{
  GtkListItemFactory *factory = ns_table_cell_factory_new (self->session, self->table, field);
  GtkColumnViewColumn *column =
      gtk_column_view_column_new (field != NULL ? _ (field->title) : "", factory);

  g_object_set_data (G_OBJECT (column), "ns-field", (gpointer) field);
  gtk_column_view_column_set_resizable (column, field != NULL);
  gtk_column_view_column_set_fixed_width (column, MAX (width, MIN_COLUMN_PX));
  gtk_column_view_column_set_visible (column, is_shown);
  gtk_column_view_column_set_expand (column, is_wide (field));
  gtk_column_view_append_column (self->view, column);
  g_object_unref (column);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const NsField *field_a = *(const NsField *const *) a;
  const NsField *field_b = *(const NsField *const *) b;
  int place_a = field_a->place != 0 ? field_a->place : 1000;
  int place_b = field_b->place != 0 ? field_b->place : 1000;

  if (place_a != place_b)
    return place_a - place_b;
  return field_a < field_b ? -1 : field_a > field_b;
}

/* What was remembered of this table: (ids in order, width, shown). */
static GVariant *
dup_remembered (NsTableView *self)
{
  GSettings *settings = ns_settings_get ();
  g_autoptr (GVariant) all = settings != NULL ? g_settings_get_value (settings, "columns") : NULL;

  if (all == NULL)
    return NULL;
  return g_variant_lookup_value (all, ns_table_get_name (self->table), G_VARIANT_TYPE ("a(sib)"));
}

static void
add_columns (NsTableView *self)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GVariant) remembered = dup_remembered (self);
  guint n_fields;
  const NsField *all = ns_table_get_fields (self->table, &n_fields);
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint i;

  if (self->table == NS_TABLE_ACTIVITIES)
    add_column (self, NULL, TRUE, 26);
  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (fields, (gpointer) &all[i]);
  if (remembered != NULL)
    {
      GVariantIter iter;
      const char *id;
      int width;
      gboolean is_shown;

      g_variant_iter_init (&iter, remembered);
      while (g_variant_iter_next (&iter, "(&sib)", &id, &width, &is_shown))
        {
          const NsField *field = ns_table_find_field (self->table, id);

          if (field != NULL && g_ptr_array_remove (fields, (gpointer) field))
            add_column (self, field, is_shown, CLAMP (width, MIN_COLUMN_PX, 2000));
        }
    }
  g_ptr_array_sort (fields, compare_places);
  for (i = 0; i < fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);

      add_column (self,
                  field,
                  field->is_shown && remembered == NULL,
                  (int) ((is_wide (field) ? WIDE_MIN_PX : field->width) * scale));
    }
}

static void
remember_columns (NsTableView *self)
{
  GSettings *settings = ns_settings_get ();
  GListModel *columns = gtk_column_view_get_columns (self->view);
  g_autoptr (GVariant) all = NULL;
  GVariantDict dict;
  GVariantBuilder builder;
  guint i;

  if (settings == NULL)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sib)"));
  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      int width;

      if (field == NULL)
        continue;
      width = gtk_column_view_column_get_fixed_width (column);
      g_variant_builder_add (&builder,
                             "(sib)",
                             field->id,
                             width > 0 ? width : field->width,
                             gtk_column_view_column_get_visible (column));
    }
  all = g_settings_get_value (settings, "columns");
  g_variant_dict_init (&dict, all);
  g_variant_dict_insert_value (&dict,
                               ns_table_get_name (self->table),
                               g_variant_builder_end (&builder));
  g_settings_set_value (settings, "columns", g_variant_dict_end (&dict));
}

static void
activate_cb (NsTableView *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
build_view (NsTableView *self)
{
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  GtkGesture *titles = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();

  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (rows)));
  self->view =
      GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection))));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "ns-table");
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (ns_table_get_title (self->table)),
                                  -1);
  add_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (titles), GTK_PHASE_CAPTURE);
  g_signal_connect (titles, "pressed", G_CALLBACK (title_pressed_cb), self);
  g_signal_connect (titles, "released", G_CALLBACK (title_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (titles));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (menu), GTK_PHASE_CAPTURE);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (menu));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
  g_signal_connect_swapped (self->view, "query-tooltip", G_CALLBACK (tooltip_cb), self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->selection,
                            "selection-changed",
                            G_CALLBACK (view_selected_cb),
                            self);
}

static void
ns_table_view_dispose (GObject *object)
{
  NsTableView *self = NS_TABLE_VIEW (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (self->selection, self);
      remember_columns (self);
    }
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_pointer (&self->empty, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_table_view_parent_class)->dispose (object);
}

static void
ns_table_view_class_init (NsTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_table_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       NS_TYPE_TABLE_VIEW,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       2,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated",
                                            NS_TYPE_TABLE_VIEW,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            0);
}

static void
ns_table_view_init (NsTableView *self)
{
  self->scrolled = gtk_scrolled_window_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  self->empty = ns_table_empty_new ();
  gtk_widget_set_parent (self->empty, GTK_WIDGET (self));
}

/**
 * ns_table_view_new:
 * @session: the session
 * @table: which of its tables
 *
 * Returns: (transfer floating): a view of it
 */
NsTableView *
ns_table_view_new (NsSession *session, NsTableId table)
{
  NsTableView *self = g_object_new (NS_TYPE_TABLE_VIEW, NULL);

  self->session = g_object_ref (session);
  self->table = table;
  build_view (self);
  g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (session_selected_cb), self);
  update_titles (self);
  update_empty (self);
  session_selected_cb (self);
  return self;
}

/**
 * ns_table_view_get_table:
 * @self: a view
 *
 * Returns: the table it shows
 */
NsTableId
ns_table_view_get_table (NsTableView *self)
{
  return self->table;
}

/**
 * ns_table_view_list_columns:
 * @self: a view
 *
 * Returns: (transfer container) (element-type GtkColumnViewColumn): all its columns but the marks,
 *   in their order, shown or not
 */
GPtrArray *
ns_table_view_list_columns (NsTableView *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      GtkColumnViewColumn *column = g_list_model_get_item (columns, i);

      if (ns_table_view_get_field (column) != NULL)
        g_ptr_array_add (list, column);
      else
        g_object_unref (column);
    }
  return list;
}

/**
 * ns_table_view_list_fields:
 * @self: a view
 *
 * Returns: (transfer container) (element-type NsField): the fields shown, from left to right
 */
GPtrArray *
ns_table_view_list_fields (NsTableView *self)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (self);
  GPtrArray *fields = g_ptr_array_new ();
  guint i;

  for (i = 0; i < columns->len; i++)
    if (gtk_column_view_column_get_visible (g_ptr_array_index (columns, i)))
      g_ptr_array_add (fields, (gpointer) ns_table_view_get_field (g_ptr_array_index (columns, i)));
  return fields;
}

/* A list that has no size yet would lose its rows by scrolling. */
static gboolean
scroll_later_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer position)
{
  NsTableView *self = NS_TABLE_VIEW (widget);

  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    return G_SOURCE_CONTINUE;
  ns_table_view_scroll_to (self, GPOINTER_TO_UINT (position));
  return G_SOURCE_REMOVE;
}

/**
 * ns_table_view_scroll_to:
 * @self: a view
 * @position: a row, counted from the top
 *
 * Scrolls the least it must; GTK 4.8 can do so through the action of the inner list only.
 */
void
ns_table_view_scroll_to (NsTableView *self, guint position)
{
  GtkWidget *child;

  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    {
      gtk_widget_add_tick_callback (GTK_WIDGET (self),
                                    scroll_later_cb,
                                    GUINT_TO_POINTER (position),
                                    NULL);
      return;
    }
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/**
 * ns_table_view_select_all:
 * @self: a view
 */
void
ns_table_view_select_all (NsTableView *self)
{
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->selection));
}

/**
 * ns_table_view_get_pressed_field:
 * @self: a view
 *
 * Returns: (nullable): the field of the cell the menu was asked for on
 */
const NsField *
ns_table_view_get_pressed_field (NsTableView *self)
{
  return self->pressed;
}

/* All cells on the screen are below the list; they are few. */
static void
mark_cells (GtkWidget *widget, const char *text)
{
  GtkWidget *row;
  GtkWidget *cell;

  for (row = gtk_widget_get_first_child (widget); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    for (cell = gtk_widget_get_first_child (row); cell != NULL;
         cell = gtk_widget_get_next_sibling (cell))
      {
        GtkWidget *child = gtk_widget_get_first_child (cell);

        if (child != NULL && NS_IS_TABLE_CELL (child))
          ns_table_cell_mark_found (NS_TABLE_CELL (child), text);
      }
}

/**
 * ns_table_view_set_found:
 * @self: a view
 * @text: (nullable): what is looked for
 */
void
ns_table_view_set_found (NsTableView *self, const char *text)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GtkWidget *child;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      ns_table_cell_factory_set_found (gtk_column_view_column_get_factory (column), text);
    }
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      mark_cells (child, text);
}
