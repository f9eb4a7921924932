/* The fields of one record and its bytes, each showing what is chosen in the other.
 *
 * Side by side where there is room, else one above the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-list.h"
#include "ui/ns-spoken.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-hex-view.h"

#include <glib/gi18n.h>

/* From this width on the bytes stand beside the fields. */
#define WIDE_PX 660
/* More of a value is not shown in its cell. */
#define MAX_SHOWN 400
#define MIN_VALUE_PX 72

typedef enum
{
  COLUMN_NAME,
  COLUMN_VALUE,
  COLUMN_TYPE,
  COLUMN_AT,
  COLUMN_SIZE,
  N_COLUMNS
} Column;

struct _NsEventFields
{
  GtkWidget parent_instance;

  NsEventFacts *facts;
  NsRowList *rows; /* numbers of facts, those of the payload first */
  GtkSingleSelection *selection;
  GtkWidget *paned;
  GtkWidget *view;
  GtkWidget *hex;
  GtkWidget *about;
  guint turn_id;
  gboolean is_syncing;
};

G_DEFINE_FINAL_TYPE (NsEventFields, ns_event_fields, GTK_TYPE_WIDGET)

static const NsEventFact *
get_fact (NsEventFields *self, guint which)
{
  if (self->facts == NULL || which >= self->facts->facts->len)
    return NULL;
  return &g_array_index (self->facts->facts, NsEventFact, which);
}

static char *
cell_text (const NsEventFact *fact, Column column)
{
  switch (column)
    {
    case COLUMN_NAME:
      return g_strdup_printf ("%*s%s", 2 * fact->depth, "", fact->name);
    case COLUMN_VALUE:
      return g_utf8_substring (fact->value, 0, MIN (g_utf8_strlen (fact->value, -1), MAX_SHOWN));
    case COLUMN_TYPE:
      return g_strdup (fact->type);
    case COLUMN_AT:
      return g_strdup_printf ("%u", fact->offset);
    case COLUMN_SIZE:
      return g_strdup_printf ("%u", fact->size);
    case N_COLUMNS:
    default:
      return g_strdup ("");
    }
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *cell = gtk_inscription_new (NULL);

  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), 1);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (cell), 6);
  gtk_inscription_set_xalign (GTK_INSCRIPTION (cell),
                              GPOINTER_TO_UINT (column) >= COLUMN_AT ? 1 : 0);
  gtk_widget_set_valign (cell, GTK_ALIGN_CENTER);
  gtk_list_item_set_child (item, cell);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  NsEventFields *self = g_object_get_data (G_OBJECT (factory), "ns-fields");
  guint32 which = ns_row_item_get_row (NS_ROW_ITEM (gtk_list_item_get_item (item)));
  const NsEventFact *fact = get_fact (self, which);
  g_autofree char *text = NULL;
  g_autofree char *value = NULL;
  g_autofree char *spoken = NULL;

  if (fact == NULL)
    return;
  text = cell_text (fact, GPOINTER_TO_UINT (column));
  g_strdelimit (text, "\n\r\t", ' ');
  gtk_inscription_set_text (GTK_INSCRIPTION (cell), text);
  if (fact->part == NS_EVENT_PART_FIELD)
    gtk_widget_remove_css_class (cell, "dim");
  else
    gtk_widget_add_css_class (cell, "dim");
  gtk_widget_set_tooltip_text (cell, GPOINTER_TO_UINT (column) == COLUMN_VALUE ? text : NULL);
  value = cell_text (fact, COLUMN_VALUE);
  /* Translators: a field of an event as it is spoken: its name and its value. */
  spoken = g_strdup_printf (_ ("%s: %s"), fact->name, value);
  ns_spoken_set_cell_name (cell, text, spoken);
}

static void
scroll_to (NsEventFields *self, guint position)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (self->view); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

static void
update_copying (NsEventFields *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self),
                                 "event.copy-value",
                                 get_fact (self, ns_event_fields_get_chosen (self)) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "event.copy-hex", self->facts != NULL);
}

/* A field was chosen in the list. */
static void
selected_cb (NsEventFields *self)
{
  if (self->is_syncing)
    return;
  ns_hex_view_choose (NS_HEX_VIEW (self->hex), ns_event_fields_get_chosen (self));
  update_copying (self);
}

static void
select_fact (NsEventFields *self, guint fact)
{
  guint position =
      fact == NS_EVENT_FACT_NONE ? GTK_INVALID_LIST_POSITION : ns_row_list_find (self->rows, fact);

  self->is_syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->is_syncing = FALSE;
  if (position != GTK_INVALID_LIST_POSITION)
    scroll_to (self, position);
  update_copying (self);
}

/* A byte was chosen. */
static void
byte_chosen_cb (NsEventFields *self, guint fact)
{
  select_fact (self, fact);
}

static void
copy_value_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsEventFields *self = NS_EVENT_FIELDS (widget);
  const NsEventFact *fact = get_fact (self, ns_event_fields_get_chosen (self));

  if (fact != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), fact->value);
}

/* The bytes of the chosen field; without one, all of the record. */
static void
copy_hex_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsEventFields *self = NS_EVENT_FIELDS (widget);
  const NsEventFact *fact = get_fact (self, ns_event_fields_get_chosen (self));
  g_autofree char *text = NULL;

  if (self->facts == NULL)
    return;
  text = ns_event_facts_bytes_to_text (self->facts,
                                       fact != NULL ? fact->offset : 0,
                                       fact != NULL ? fact->size : self->facts->n_bytes);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* The values take the room that the other columns leave. */
static void
fit_values (NsEventFields *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  g_autoptr (GtkColumnViewColumn) values = g_list_model_get_item (columns, COLUMN_VALUE);
  int width = gtk_widget_get_width (gtk_widget_get_parent (self->view));
  guint i;

  for (i = 0; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (i != COLUMN_VALUE && gtk_column_view_column_get_visible (column))
        width -= gtk_column_view_column_get_fixed_width (column);
    }
  gtk_column_view_column_set_fixed_width (values, MAX (width, MIN_VALUE_PX));
}

static gboolean
turn_cb (gpointer data)
{
  NsEventFields *self = data;
  gboolean is_wide = gtk_widget_get_width (GTK_WIDGET (self)) >= WIDE_PX;
  GtkOrientation orientation = is_wide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL;

  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  guint i;

  self->turn_id = 0;
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned)) == orientation)
    {
      fit_values (self);
      return G_SOURCE_REMOVE;
    }
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), orientation);
  gtk_paned_set_position (GTK_PANED (self->paned), -1);
  for (i = COLUMN_AT; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_visible (column, is_wide);
    }
  return G_SOURCE_REMOVE;
}

static void
queue_turn (NsEventFields *self)
{
  if (self->turn_id == 0 && self->hex != NULL)
    self->turn_id = g_idle_add (turn_cb, self);
}

static void
ns_event_fields_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsEventFields *self = NS_EVENT_FIELDS (widget);
  GtkWidget *box = gtk_widget_get_first_child (widget);

  gtk_widget_allocate (box, width, height, baseline, NULL);
  queue_turn (self);
}

static void
ns_event_fields_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget),
                      orientation,
                      for_size,
                      minimum,
                      natural,
                      NULL,
                      NULL);
}

static GtkWidget *
build_list (NsEventFields *self)
{
  static const struct
  {
    const char *title;
    int width;
  } columns[N_COLUMNS] = {
    [COLUMN_NAME] = { N_ ("Field"), 114 }, [COLUMN_VALUE] = { N_ ("Value"), 96 },
    [COLUMN_TYPE] = { N_ ("Type"), 84 },   [COLUMN_AT] = { N_ ("At"), 42 },
    [COLUMN_SIZE] = { N_ ("Size"), 48 },
  };
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  guint i;

  self->view =
      gtk_column_view_new (GTK_SELECTION_MODEL (g_object_ref (G_OBJECT (self->selection))));
  gtk_widget_add_css_class (self->view, "ns-table");
  for (i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_object_set_data (G_OBJECT (factory), "ns-fields", self);
      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (_ (columns[i].title), factory);
      gtk_column_view_column_set_resizable (column, TRUE);
      /* Where there is little room the marked bytes tell. */
      gtk_column_view_column_set_visible (column, i < COLUMN_AT);
      gtk_column_view_column_set_fixed_width (column, columns[i].width);
      gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
    }
  ns_spoken_set_table_name (GTK_COLUMN_VIEW (self->view), _ ("Fields of the event"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                            "notify::page-size",
                            G_CALLBACK (queue_turn),
                            self);
  gtk_widget_set_size_request (scrolled, 280, 96);
  return scrolled;
}

static GtkWidget *
button_new (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *
build_bytes (NsEventFields *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->about = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->about), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->about), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->about, TRUE);
  gtk_box_append (GTK_BOX (bar), self->about);
  gtk_box_append (GTK_BOX (bar),
                  button_new (_ ("Copy Hex"),
                              "event.copy-hex",
                              _ ("Copy the bytes of the chosen field, or all of the record")));
  gtk_box_append (GTK_BOX (bar),
                  button_new (_ ("Copy Value"),
                              "event.copy-value",
                              _ ("Copy the value of the chosen field (Ctrl+C)")));
  gtk_widget_add_css_class (bar, "bytes-bar");
  self->hex = ns_hex_view_new ();
  g_signal_connect_swapped (self->hex, "chosen", G_CALLBACK (byte_chosen_cb), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->hex);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), scrolled);
  return box;
}

static void
ns_event_fields_dispose (GObject *object)
{
  NsEventFields *self = NS_EVENT_FIELDS (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  if (self->hex != NULL)
    ns_hex_view_set_facts (NS_HEX_VIEW (self->hex), NULL);
  self->hex = NULL;
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  g_clear_handle_id (&self->turn_id, g_source_remove);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->facts, ns_event_facts_free);
  G_OBJECT_CLASS (ns_event_fields_parent_class)->dispose (object);
}

static void
ns_event_fields_class_init (NsEventFieldsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_event_fields_dispose;
  widget_class->measure = ns_event_fields_measure;
  widget_class->size_allocate = ns_event_fields_size_allocate;
  gtk_widget_class_install_action (widget_class, "event.copy-value", NULL, copy_value_cb);
  gtk_widget_class_install_action (widget_class, "event.copy-hex", NULL, copy_hex_cb);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_c,
                                       GDK_CONTROL_MASK,
                                       "event.copy-value",
                                       NULL);
}

static void
ns_event_fields_init (NsEventFields *self)
{
  self->rows = ns_row_list_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (G_OBJECT (self->rows))));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned), build_list (self));
  gtk_paned_set_end_child (GTK_PANED (self->paned), build_bytes (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selected_cb), self);
  update_copying (self);
}

/**
 * ns_event_fields_new:
 *
 * Returns: (transfer floating): a widget without a record
 */
GtkWidget *
ns_event_fields_new (void)
{
  return g_object_new (NS_TYPE_EVENT_FIELDS, NULL);
}

/* The fields of the payload come first: they are what one looks for. */
static GArray *
list_rows (const NsEventFacts *facts)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint is_header;
  guint32 i;

  for (is_header = 0; facts != NULL && is_header < 2; is_header++)
    for (i = 0; i < facts->facts->len; i++)
      if ((g_array_index (facts->facts, NsEventFact, i).part != NS_EVENT_PART_FIELD) ==
          (is_header != 0))
        g_array_append_val (rows, i);
  return rows;
}

static char *
about_bytes (const NsEventFacts *facts)
{
  if (facts->is_bad)
    return g_strdup_printf (_ ("%u bytes · a length in it is wrong"), facts->n_bytes);
  if (facts->is_short)
    return g_strdup_printf (_ ("%u bytes · ends before its last field"), facts->n_bytes);
  if (facts->is_cut)
    return g_strdup_printf (_ ("%u bytes · first %u fields"), facts->n_bytes, facts->facts->len);
  return g_strdup_printf (_ ("%u bytes · payload at %u"), facts->n_bytes, facts->payload_at);
}

/**
 * ns_event_fields_set_facts:
 * @self: the widget
 * @facts: (transfer full) (nullable): the record to show
 */
void
ns_event_fields_set_facts (NsEventFields *self, NsEventFacts *facts)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) rows = list_rows (facts);
  g_autofree char *about = facts != NULL ? about_bytes (facts) : NULL;

  self->is_syncing = TRUE;
  /* The same number is another field now, so the list must forget it first. */
  ns_row_list_set_rows (self->rows, none);
  ns_hex_view_set_facts (NS_HEX_VIEW (self->hex), facts);
  g_clear_pointer (&self->facts, ns_event_facts_free);
  self->facts = facts;
  ns_row_list_set_rows (self->rows, rows);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->is_syncing = FALSE;
  gtk_label_set_text (GTK_LABEL (self->about), about != NULL ? about : "");
  update_copying (self);
}

/**
 * ns_event_fields_get_facts:
 * @self: the widget
 *
 * Returns: (nullable): what it shows
 */
const NsEventFacts *
ns_event_fields_get_facts (NsEventFields *self)
{
  return self->facts;
}

/**
 * ns_event_fields_choose:
 * @self: the widget
 * @fact: number of a fact
 *
 * Chooses a field, as if it had been clicked.
 */
void
ns_event_fields_choose (NsEventFields *self, guint fact)
{
  select_fact (self, fact);
  ns_hex_view_choose (NS_HEX_VIEW (self->hex), fact);
}

/**
 * ns_event_fields_choose_byte:
 * @self: the widget
 * @byte: a byte of the record
 *
 * Chooses a byte, as if it had been clicked.
 */
void
ns_event_fields_choose_byte (NsEventFields *self, guint32 byte)
{
  if (self->facts != NULL && byte < self->facts->n_bytes)
    ns_event_fields_choose (self, ns_event_facts_find (self->facts, byte));
}

/**
 * ns_event_fields_get_chosen:
 * @self: the widget
 *
 * Returns: number of the fact that is chosen, or %NS_EVENT_FACT_NONE
 */
guint
ns_event_fields_get_chosen (NsEventFields *self)
{
  gpointer item = gtk_single_selection_get_selected_item (self->selection);

  return item != NULL ? ns_row_item_get_row (NS_ROW_ITEM (item)) : NS_EVENT_FACT_NONE;
}
