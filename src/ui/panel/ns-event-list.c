/* List of the fields of one event: name, type, value, offset and size.
 *
 * A field with children can be collapsed. It stays collapsed in the next event that has a field of
 * the same name at the same depth.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-event-list.h"

#include "base/ns-hash.h"
#include "model/ns-row-list.h"
#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-theme.h"

#include <glib/gi18n.h>

/* Maximum characters of a value in its cell. */
#define MAX_SHOWN 400
#define MIN_VALUE_PX 72
/* Spaces per level: the name of a child begins after the arrow of its parent. */
#define INDENT 4
/* Minimum width for the columns At and Size, in px at the default font size. */
#define PLACES_MIN_PX 384

typedef enum
{
  COLUMN_NAME,
  COLUMN_TYPE,
  COLUMN_VALUE,
  COLUMN_AT,
  COLUMN_SIZE,
  N_COLUMNS
} Column;

/* Default widths of the columns, in px at the default font size. */
static const struct
{
  const char *title;
  int width;
} column_looks[N_COLUMNS] = {
  [COLUMN_NAME] = { N_ ("Field"), 138 }, [COLUMN_TYPE] = { N_ ("Type"), 90 },
  [COLUMN_VALUE] = { N_ ("Value"), 96 }, [COLUMN_AT] = { N_ ("At"), 42 },
  [COLUMN_SIZE] = { N_ ("Size"), 42 },
};

struct _NsEventList
{
  GtkWidget parent_instance;

  const NsEventFacts *facts; /* borrowed; the owner clears it before freeing it */
  gboolean is_whole;         /* includes the event header */
  NsRowList *rows;           /* indexes of facts, payload first */
  GHashTable *folded;        /* (element-type utf8): set of depth and name of collapsed fields */
  GtkSingleSelection *selection;
  GtkWidget *scrolled;
  GtkWidget *view;
  guint fit_id;
  gboolean is_wide;
  gboolean is_syncing;
};

enum
{
  SIGNAL_CHOSEN,
  SIGNAL_HOVERED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsEventList, ns_event_list, GTK_TYPE_WIDGET)

static const NsEventFact *
get_fact (NsEventList *self, guint which)
{
  if (self->facts == NULL || which >= self->facts->facts->len)
    return NULL;
  return &g_array_index (self->facts->facts, NsEventFact, which);
}

static gboolean
has_below (NsEventList *self, guint which)
{
  const NsEventFact *fact = get_fact (self, which);
  const NsEventFact *next = fact != NULL ? get_fact (self, which + 1) : NULL;

  return next != NULL && next->depth > fact->depth && next->part == fact->part;
}

static char *
dup_fold (const NsEventFact *fact)
{
  return g_strdup_printf ("%u %s", fact->depth, fact->name);
}

static gboolean
is_folded (NsEventList *self, guint which)
{
  g_autofree char *fold = NULL;

  if (!has_below (self, which))
    return FALSE;
  fold = dup_fold (get_fact (self, which));
  return g_hash_table_contains (self->folded, fold);
}

/* Returns the parent field, or %NS_EVENT_FACT_NONE. */
static guint
get_above (NsEventList *self, guint which)
{
  const NsEventFact *fact = get_fact (self, which);
  guint i;

  for (i = which; fact != NULL && fact->depth > 0 && i-- > 0;)
    if (get_fact (self, i)->part == fact->part && get_fact (self, i)->depth < fact->depth)
      return i;
  return NS_EVENT_FACT_NONE;
}

static char *
cell_text (NsEventList *self, guint which, Column column)
{
  const NsEventFact *fact = get_fact (self, which);
  guint32 first = self->is_whole ? 0 : self->facts->payload_at;

  switch (column)
    {
    case COLUMN_NAME:
      return g_strdup_printf ("%*s%s%s",
                              INDENT * fact->depth,
                              "",
                              !has_below (self, which)  ? ""
                              : is_folded (self, which) ? "\342\226\270 "
                                                        : "\342\226\276 ",
                              fact->name);
    case COLUMN_VALUE:
      return g_utf8_substring (fact->value, 0, MIN (g_utf8_strlen (fact->value, -1), MAX_SHOWN));
    case COLUMN_TYPE:
      return g_strdup (fact->type);
    case COLUMN_AT:
      return g_strdup_printf ("%u", fact->offset - MIN (first, fact->offset));
    case COLUMN_SIZE:
      return g_strdup_printf ("%u", fact->size);
    case N_COLUMNS:
    default:
      return g_strdup ("");
    }
}

/* Reports the field under the pointer, so that its bytes are highlighted. */
static void
cell_enter_cb (GtkEventControllerMotion *motion, double x, double y, NsEventList *self)
{
  GtkWidget *cell = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (motion));

  g_signal_emit (self,
                 signals[SIGNAL_HOVERED],
                 0,
                 GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "ns-fact")));
}

static void
cell_leave_cb (GtkEventControllerMotion *motion, NsEventList *self)
{
  g_signal_emit (self, signals[SIGNAL_HOVERED], 0, NS_EVENT_FACT_NONE);
}

/* Collapses or expands a field at a click on the arrow before its name. */
static void
cell_pressed_cb (GtkGestureClick *click, int n_press, double x, double y, NsEventList *self)
{
  GtkWidget *cell = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));
  guint which = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "ns-fact"));
  const NsEventFact *fact = get_fact (self, which);
  g_autofree char *arrow = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  int width;

  if (!has_below (self, which))
    return;
  arrow = g_strdup_printf ("%*s\342\226\276 ", INDENT * fact->depth, "");
  layout = gtk_widget_create_pango_layout (cell, arrow);
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (x <= width)
    {
      gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
      ns_event_list_collapse (self, which, !is_folded (self, which));
    }
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *cell = gtk_inscription_new (NULL);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  NsEventList *self = g_object_get_data (G_OBJECT (factory), "ns-list");

  g_signal_connect_object (motion, "enter", G_CALLBACK (cell_enter_cb), self, 0);
  g_signal_connect_object (motion, "leave", G_CALLBACK (cell_leave_cb), self, 0);
  gtk_widget_add_controller (cell, motion);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), 1);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (cell), 6);
  gtk_inscription_set_xalign (GTK_INSCRIPTION (cell),
                              GPOINTER_TO_UINT (column) >= COLUMN_AT ? 1 : 0);
  gtk_widget_set_valign (cell, GTK_ALIGN_CENTER);
  ns_text_direction_force_ltr (cell);
  if (GPOINTER_TO_UINT (column) == COLUMN_NAME)
    {
      GtkGesture *click = gtk_gesture_click_new ();

      g_signal_connect_object (click, "pressed", G_CALLBACK (cell_pressed_cb), self, 0);
      gtk_widget_add_controller (cell, GTK_EVENT_CONTROLLER (click));
    }
  if (GPOINTER_TO_UINT (column) == COLUMN_VALUE)
    gtk_widget_add_css_class (cell, "code");
  gtk_list_item_set_child (item, cell);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  NsEventList *self = g_object_get_data (G_OBJECT (factory), "ns-list");
  guint32 which = ns_row_item_get_row (NS_ROW_ITEM (gtk_list_item_get_item (item)));
  const NsEventFact *fact = get_fact (self, which);
  gboolean is_plain =
      GPOINTER_TO_UINT (column) == COLUMN_NAME || GPOINTER_TO_UINT (column) == COLUMN_VALUE;
  g_autofree char *text = NULL;
  g_autofree char *value = NULL;
  g_autofree char *spoken = NULL;

  if (fact == NULL)
    return;
  g_object_set_data (G_OBJECT (cell), "ns-fact", GUINT_TO_POINTER (which));
  text = cell_text (self, which, GPOINTER_TO_UINT (column));
  g_strdelimit (text, "\n\r\t", ' ');
  gtk_inscription_set_text (GTK_INSCRIPTION (cell), text);
  if (fact->part == NS_EVENT_PART_FIELD && is_plain)
    gtk_widget_remove_css_class (cell, "dim");
  else
    gtk_widget_add_css_class (cell, "dim");
  gtk_widget_set_tooltip_text (cell, GPOINTER_TO_UINT (column) == COLUMN_VALUE ? text : NULL);
  value = cell_text (self, which, COLUMN_VALUE);
  /* Translators: a field of an event as screen readers announce it: its name and its value. */
  spoken = g_strdup_printf (_ ("%s: %s"), fact->name, value);
  ns_accessible_set_cell_name (cell, text, spoken);
  if (has_below (self, which))
    gtk_accessible_update_state (GTK_ACCESSIBLE (cell),
                                 GTK_ACCESSIBLE_STATE_EXPANDED,
                                 !is_folded (self, which),
                                 -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_STATE_EXPANDED);
}

static GtkWidget *
get_list (NsEventList *self)
{
  GtkWidget *child = gtk_widget_get_first_child (self->view);

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Shows the columns At and Size if there is room; otherwise, the highlight in the hex view is
 * enough. */
static void
show_places (NsEventList *self, int width)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  gboolean has_room = self->is_wide &&
                      width >= (int) (PLACES_MIN_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
  guint i;

  for (i = COLUMN_AT; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_visible (column, has_room);
    }
}

/* Gives the value column the width that the other columns leave. */
static gboolean
fit_cb (gpointer data)
{
  NsEventList *self = data;
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  g_autoptr (GtkColumnViewColumn) values = g_list_model_get_item (columns, COLUMN_VALUE);
  int width = gtk_widget_get_width (self->scrolled);
  guint i;

  self->fit_id = 0;
  show_places (self, width);
  for (i = 0; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (i != COLUMN_VALUE && gtk_column_view_column_get_visible (column))
        width -= gtk_column_view_column_get_fixed_width (column);
    }
  gtk_column_view_column_set_fixed_width (values, MAX (width, MIN_VALUE_PX));
  return G_SOURCE_REMOVE;
}

static void
queue_fit (NsEventList *self)
{
  if (self->fit_id == 0 && self->view != NULL)
    self->fit_id = g_idle_add (fit_cb, self);
}

/* Hides the type column if no field has a type, as in packets. */
static void
show_types (NsEventList *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  g_autoptr (GtkColumnViewColumn) types = g_list_model_get_item (columns, COLUMN_TYPE);
  gboolean has_types = FALSE;
  guint i;

  for (i = 0; i < self->facts->facts->len && !has_types; i++)
    has_types = get_fact (self, i)->type != NULL && *get_fact (self, i)->type != '\0';
  if (gtk_column_view_column_get_visible (types) == has_types)
    return;
  gtk_column_view_column_set_visible (types, has_types);
  queue_fit (self);
}

static void
selected_cb (NsEventList *self)
{
  if (!self->is_syncing)
    g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, ns_event_list_get_chosen (self));
}

/* Collapses or expands a field on Enter or double click. */
static void
activated_cb (NsEventList *self, guint position)
{
  g_autoptr (NsRowItem) item = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

  if (item != NULL)
    ns_event_list_collapse (self,
                            ns_row_item_get_row (item),
                            !is_folded (self, ns_row_item_get_row (item)));
}

/* Left collapses the field or moves to its parent; Right expands it. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint keyval,
        guint keycode,
        GdkModifierType modifiers,
        NsEventList *self)
{
  guint chosen = ns_event_list_get_chosen (self);
  gboolean is_fold = keyval == GDK_KEY_Left;

  if ((keyval != GDK_KEY_Left && keyval != GDK_KEY_Right) ||
      (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0 || chosen == NS_EVENT_FACT_NONE)
    return GDK_EVENT_PROPAGATE;
  if (has_below (self, chosen) && is_folded (self, chosen) != is_fold)
    {
      ns_event_list_collapse (self, chosen, is_fold);
      return GDK_EVENT_STOP;
    }
  if (!is_fold || get_above (self, chosen) == NS_EVENT_FACT_NONE)
    return GDK_EVENT_PROPAGATE;
  ns_event_list_choose (self, get_above (self, chosen));
  selected_cb (self);
  return GDK_EVENT_STOP;
}

static void
scale_columns (NsEventList *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint i;

  for (i = 0; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_fixed_width (column, (int) (column_looks[i].width * scale));
    }
  queue_fit (self);
}

static void
add_column (NsEventList *self, Column which)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_object_set_data (G_OBJECT (factory), "ns-list", self);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (which));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (which));
  column = gtk_column_view_column_new (_ (column_looks[which].title), factory);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
}

static void
ns_event_list_dispose (GObject *object)
{
  NsEventList *self = NS_EVENT_LIST (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  self->facts = NULL;
  self->view = NULL;
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->folded, g_hash_table_unref);
  G_OBJECT_CLASS (ns_event_list_parent_class)->dispose (object);
}

static gboolean
ns_event_list_grab_focus (GtkWidget *widget)
{
  NsEventList *self = NS_EVENT_LIST (widget);
  GtkWidget *list = get_list (self);

  return list != NULL &&
         (gtk_widget_grab_focus (list) || gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD));
}

static void
ns_event_list_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  NsEventList *self = NS_EVENT_LIST (widget);

  GTK_WIDGET_CLASS (ns_event_list_parent_class)->css_changed (widget, change);
  if (self->view != NULL)
    scale_columns (self);
}

static void
ns_event_list_class_init (NsEventListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  guint i;
  static const char
      *const names[N_SIGNALS] = { [SIGNAL_CHOSEN] = "chosen", [SIGNAL_HOVERED] = "hovered" };

  G_OBJECT_CLASS (klass)->dispose = ns_event_list_dispose;
  widget_class->grab_focus = ns_event_list_grab_focus;
  widget_class->css_changed = ns_event_list_css_changed;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);

  /* NsEventList::chosen, ::hovered: emitted with the index of the fact that was selected, or that
   * is under the pointer, or with %NS_EVENT_FACT_NONE. */
  for (i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i],
                               NS_TYPE_EVENT_LIST,
                               G_SIGNAL_RUN_LAST,
                               0,
                               NULL,
                               NULL,
                               NULL,
                               G_TYPE_NONE,
                               1,
                               G_TYPE_UINT);
}

static void
ns_event_list_init (NsEventList *self)
{
  GtkEventController *keys;
  guint i;

  self->rows = ns_row_list_new ();
  self->folded = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (G_OBJECT (self->rows))));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->view =
      gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (G_OBJECT (self->selection))));
  gtk_widget_add_css_class (self->view, "ns-table");
  for (i = 0; i < N_COLUMNS; i++)
    add_column (self, (Column) i);
  show_places (self, 0);
  scale_columns (self);
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (self->view), _ ("Fields of the event"));
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), self->view);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (
                                GTK_SCROLLED_WINDOW (self->scrolled)),
                            "notify::page-size",
                            G_CALLBACK (queue_fit),
                            self);
  gtk_widget_set_size_request (self->scrolled, 280, 72);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selected_cb), self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activated_cb), self);
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/**
 * ns_event_list_new:
 *
 * Returns: (transfer floating): an empty list
 */
GtkWidget *
ns_event_list_new (void)
{
  return g_object_new (NS_TYPE_EVENT_LIST, NULL);
}

/* Lists the visible facts: payload first, then the header; children of collapsed fields are
 * skipped. */
static GArray *
list_rows (NsEventList *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_turns = self->is_whole ? 2 : 1;
  guint turn;
  guint32 i;

  for (turn = 0; self->facts != NULL && turn < n_turns; turn++)
    {
      guint depth = G_MAXUINT; /* of the enclosing collapsed field */

      for (i = 0; i < self->facts->facts->len; i++)
        {
          const NsEventFact *fact = get_fact (self, i);

          if ((fact->part == NS_EVENT_PART_FIELD) != (turn == 0))
            continue;
          if (fact->depth > depth)
            continue;
          depth = is_folded (self, i) ? fact->depth : G_MAXUINT;
          g_array_append_val (rows, i);
        }
    }
  return rows;
}

/* Lists the rows again. The list is emptied first because the same index may be another field
 * now. */
static void
set_rows (NsEventList *self)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) rows = list_rows (self);

  ns_row_list_set_rows (self->rows, none);
  ns_row_list_set_rows (self->rows, rows);
}

/* Expands all ancestors of a field. */
static void
unfold_around (NsEventList *self, guint fact)
{
  guint above;

  for (above = get_above (self, fact); above != NS_EVENT_FACT_NONE; above = get_above (self, above))
    {
      g_autofree char *fold = dup_fold (get_fact (self, above));

      g_hash_table_remove (self->folded, fold);
    }
  self->is_syncing = TRUE;
  set_rows (self);
  self->is_syncing = FALSE;
}

/**
 * ns_event_list_collapse:
 * @self: a list
 * @fact: index of a fact
 * @is_fold: %TRUE to collapse, %FALSE to expand
 *
 * Collapses or expands a field with children. If the selected field gets hidden, the collapsed one
 * is selected.
 */
void
ns_event_list_collapse (NsEventList *self, guint fact, gboolean is_fold)
{
  guint chosen = ns_event_list_get_chosen (self);
  char *fold;

  if (!has_below (self, fact))
    return;
  fold = dup_fold (get_fact (self, fact));
  if (is_fold)
    g_hash_table_add (self->folded, fold);
  else
    {
      g_hash_table_remove (self->folded, fold);
      g_free (fold);
    }
  self->is_syncing = TRUE;
  set_rows (self);
  self->is_syncing = FALSE;
  if (chosen != NS_EVENT_FACT_NONE && ns_event_list_has (self, chosen))
    ns_event_list_choose (self, chosen);
  else
    {
      ns_event_list_choose (self, fact);
      if (chosen != NS_EVENT_FACT_NONE)
        selected_cb (self);
    }
}

/**
 * ns_event_list_is_folded:
 * @self: a list
 * @fact: index of a fact
 *
 * Returns: whether the field is collapsed
 */
gboolean
ns_event_list_is_folded (NsEventList *self, guint fact)
{
  return is_folded (self, fact);
}

/**
 * ns_event_list_set_name:
 * @self: a list
 * @name: accessible name
 */
void
ns_event_list_set_name (NsEventList *self, const char *name)
{
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (self->view), name);
}

/**
 * ns_event_list_set_facts:
 * @self: a list
 * @facts: (nullable): the event to show; must live until the next call or the end of the list
 * @is_whole: whether to list the event header, too
 */
void
ns_event_list_set_facts (NsEventList *self, const NsEventFacts *facts, gboolean is_whole)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->is_syncing = TRUE;
  ns_row_list_set_rows (self->rows, none);
  self->facts = facts;
  self->is_whole = is_whole;
  if (facts != NULL)
    show_types (self);
  set_rows (self);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->is_syncing = FALSE;
}

/**
 * ns_event_list_set_wide:
 * @self: a list
 * @is_wide: whether to show the columns At and Size if there is room
 */
void
ns_event_list_set_wide (NsEventList *self, gboolean is_wide)
{
  self->is_wide = is_wide;
  queue_fit (self);
}

/**
 * ns_event_list_has:
 * @self: a list
 * @fact: index of a fact
 *
 * Returns: whether the fact is listed
 */
gboolean
ns_event_list_has (NsEventList *self, guint fact)
{
  return fact != NS_EVENT_FACT_NONE &&
         ns_row_list_find (self->rows, fact) != GTK_INVALID_LIST_POSITION;
}

/**
 * ns_event_list_choose:
 * @self: a list
 * @fact: index of a fact, or %NS_EVENT_FACT_NONE
 *
 * Selects a field and scrolls to it, without emitting `chosen`. Expands its ancestors.
 */
void
ns_event_list_choose (NsEventList *self, guint fact)
{
  guint above = get_above (self, fact);
  gboolean has_fact = ns_event_list_has (self, fact);
  guint position = has_fact ? ns_row_list_find (self->rows, fact) : GTK_INVALID_LIST_POSITION;
  GtkWidget *list = get_list (self);

  if (fact != NS_EVENT_FACT_NONE && !has_fact && above != NS_EVENT_FACT_NONE)
    {
      unfold_around (self, fact);
      has_fact = ns_event_list_has (self, fact);
      position = has_fact ? ns_row_list_find (self->rows, fact) : GTK_INVALID_LIST_POSITION;
    }
  self->is_syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->is_syncing = FALSE;
  if (has_fact && list != NULL)
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
}

/**
 * ns_event_list_get_chosen:
 * @self: a list
 *
 * Returns: index of the selected fact, or %NS_EVENT_FACT_NONE
 */
guint
ns_event_list_get_chosen (NsEventList *self)
{
  gpointer item = gtk_single_selection_get_selected_item (self->selection);

  return item != NULL ? ns_row_item_get_row (NS_ROW_ITEM (item)) : NS_EVENT_FACT_NONE;
}

/**
 * ns_event_list_hover:
 * @self: a list
 * @fact: index of the fact whose bytes are under the pointer, or %NS_EVENT_FACT_NONE
 *
 * Gives the row of the fact the hover style.
 */
void
ns_event_list_hover (NsEventList *self, guint fact)
{
  GtkWidget *list = get_list (self);
  GtkWidget *row = list != NULL ? gtk_widget_get_first_child (list) : NULL;

  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *first = gtk_widget_get_first_child (row);
      GtkWidget *cell = first != NULL ? gtk_widget_get_first_child (first) : NULL;

      if (cell != NULL && fact != NS_EVENT_FACT_NONE &&
          GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (cell), "ns-fact")) == fact)
        gtk_widget_add_css_class (row, "hovered");
      else
        gtk_widget_remove_css_class (row, "hovered");
    }
}
