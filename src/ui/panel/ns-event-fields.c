/* Fields and bytes of one event; a selection in one highlights the same range in the other.
 *
 * The bytes are beside the fields in a wide widget, below them in a narrow one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-byte-text.h"
#include "ui/ns-accessible.h"
#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-event-list.h"
#include "ui/panel/ns-event-words.h"
#include "ui/panel/ns-hex-view.h"

#include <glib/gi18n.h>

/* Minimum width for the bytes beside the fields. */
#define WIDE_PX 660
/* Minimum height for the hint; a lower widget needs the room for fields. */
#define HINT_MIN_PX 260
/* Share of the width for the fields, with the bytes beside them. */
#define FIELDS_SHARE 0.44

struct _NsEventFields
{
  GtkWidget parent_instance;

  NsEventFacts *facts;
  gboolean is_whole; /* includes the event header */
  GtkWidget *stack;  /* shows empty_page or paned */
  GtkWidget *empty_page;
  GtkWidget *empty; /* text of empty_page */
  GtkWidget *paned;
  GtkWidget *list;
  GtkWidget *decoded;
  GtkWidget *hint;
  GtkWidget *filter;
  GtkWidget *bar;
  GtkWidget *whole;
  GtkWidget *hex;
  GtkWidget *about;
  guint orientation_id;
};

enum
{
  PROP_0,
  PROP_WHOLE,
  N_PROPS
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsEventFields, ns_event_fields, GTK_TYPE_WIDGET)

static const NsEventFact *
get_fact (NsEventFields *self, guint which)
{
  if (self->facts == NULL || which >= self->facts->facts->len)
    return NULL;
  return &g_array_index (self->facts->facts, NsEventFact, which);
}

/* Returns the offset of the first byte shown. */
static guint32
get_first (NsEventFields *self)
{
  return self->facts != NULL && !self->is_whole ? self->facts->payload_at : 0;
}

/* Updates the actions and the filter button for the selected field. */
static void
update_chosen (NsEventFields *self)
{
  static const char *const of_bytes[] = { "event.copy-hex", "event.copy-c", "event.copy-base64" };
  guint chosen = ns_event_fields_get_chosen (self);
  g_autofree char *condition =
      self->facts != NULL ? ns_event_facts_to_filter (self->facts, chosen) : NULL;
  guint i;

  gtk_widget_action_set_enabled (GTK_WIDGET (self),
                                 "event.copy-value",
                                 get_fact (self, chosen) != NULL);
  for (i = 0; i < G_N_ELEMENTS (of_bytes); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_bytes[i], self->facts != NULL);
  gtk_widget_set_visible (self->filter, condition != NULL);
  if (condition != NULL)
    {
      /* Translators: a button that shows only the events that pass this filter. */
      g_autofree char *text = g_strdup_printf (_ ("Filter: %s"), condition);

      gtk_label_set_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->filter))), text);
      ns_accessible_set_name (self->filter, text);
      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->filter), "s", condition);
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
field_chosen_cb (NsEventFields *self, guint fact)
{
  ns_hex_view_choose (NS_HEX_VIEW (self->hex), fact);
  update_chosen (self);
}

static void
byte_chosen_cb (NsEventFields *self, guint fact)
{
  ns_event_list_choose (NS_EVENT_LIST (self->list), fact);
  update_chosen (self);
}

static void
field_hovered_cb (NsEventFields *self, guint fact)
{
  if (self->hex != NULL)
    ns_hex_view_hover (NS_HEX_VIEW (self->hex), fact);
}

static void
byte_hovered_cb (NsEventFields *self, guint fact)
{
  ns_event_list_hover (NS_EVENT_LIST (self->list), fact);
}

static void
copy_value_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsEventFields *self = NS_EVENT_FIELDS (widget);
  const NsEventFact *fact = get_fact (self, ns_event_fields_get_chosen (self));

  if (fact != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), fact->value);
}

/* Copies the bytes of the selected field; without one, all bytes shown. */
static void
copy_bytes_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsEventFields *self = NS_EVENT_FIELDS (widget);
  const NsEventFact *fact = get_fact (self, ns_event_fields_get_chosen (self));
  NsByteForm form = NS_BYTE_FORM_HEX;
  g_autofree char *text = NULL;
  guint32 offset;

  if (self->facts == NULL)
    return;
  if (g_str_equal (action, "event.copy-c"))
    form = NS_BYTE_FORM_C;
  else if (g_str_equal (action, "event.copy-base64"))
    form = NS_BYTE_FORM_BASE64;
  offset = fact != NULL ? fact->offset : get_first (self);
  text = ns_byte_text_format (self->facts->bytes + offset,
                              fact != NULL ? fact->size : self->facts->n_bytes - offset,
                              form);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static gboolean
update_orientation_cb (gpointer data)
{
  NsEventFields *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  gboolean is_wide = width >= (int) (WIDE_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
  GtkOrientation orientation = is_wide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL;

  self->orientation_id = 0;
  gtk_widget_set_visible (self->hint,
                          is_wide && gtk_widget_get_height (GTK_WIDGET (self)) >=
                                         (int) (HINT_MIN_PX * ns_theme_get_scale ()));
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->paned)) == orientation)
    return G_SOURCE_REMOVE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), orientation);
  gtk_paned_set_position (GTK_PANED (self->paned), is_wide ? (int) (width * FIELDS_SHARE) : -1);
  ns_event_list_set_wide (NS_EVENT_LIST (self->list), is_wide);
  return G_SOURCE_REMOVE;
}

static void
queue_turn (NsEventFields *self)
{
  if (self->orientation_id == 0 && self->hex != NULL)
    self->orientation_id = g_idle_add (update_orientation_cb, self);
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
note_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, "caption");
  return label;
}

/* Builds the list of fields, with decoder name, hint and filter button below it. */
static GtkWidget *
build_fields (NsEventFields *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *notes = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *label = gtk_label_new (NULL);

  self->decoded = note_new (NULL);
  gtk_label_set_selectable (GTK_LABEL (self->decoded), TRUE);
  /* Tab goes from the fields to the bytes, without a stop at this label. */
  gtk_widget_set_focusable (self->decoded, FALSE);
  self->hint =
      note_new (_ ("Click a field to highlight its bytes. Click a byte to select its field."));
  gtk_widget_set_visible (self->hint, FALSE);
  self->filter = gtk_button_new ();
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_button_set_child (GTK_BUTTON (self->filter), label);
  gtk_widget_add_css_class (self->filter, "inline-link");
  gtk_widget_set_halign (self->filter, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->filter, _ ("Show only events that also have this value"));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->filter), "s", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->filter), "win.filter-events");
  gtk_widget_set_visible (self->filter, FALSE);
  gtk_box_append (GTK_BOX (notes), self->decoded);
  gtk_box_append (GTK_BOX (notes), self->hint);
  gtk_box_append (GTK_BOX (notes), self->filter);
  gtk_widget_add_css_class (notes, "event-notes");
  self->list = ns_event_list_new ();
  g_signal_connect_swapped (self->list, "chosen", G_CALLBACK (field_chosen_cb), self);
  g_signal_connect_swapped (self->list, "hovered", G_CALLBACK (field_hovered_cb), self);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), notes);
  gtk_widget_add_css_class (box, "event-fields");
  return box;
}

static GtkWidget *
build_copy_button (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  g_menu_append (menu, _ ("Copy _Value"), "event.copy-value");
  g_menu_append (menu, _ ("Copy as _Hex"), "event.copy-hex");
  g_menu_append (menu, _ ("Copy as _C Array"), "event.copy-c");
  g_menu_append (menu, _ ("Copy as _Base64"), "event.copy-base64");
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("edit-copy-symbolic"));
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Copy as")));
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), box);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (
      button,
      _ ("Copy the value or the bytes of the selected field, or all bytes"));
  ns_accessible_set_name (button, _ ("Copy as"));
  ns_accessible_set_menu_name (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))),
                               _ ("Copy as"));
  return button;
}

static GtkWidget *
build_bytes (NsEventFields *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->whole = gtk_toggle_button_new_with_label (_ ("Header"));
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->about = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->about), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->about), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->about, "bytes-title");
  gtk_widget_set_hexpand (self->about, TRUE);
  gtk_box_append (GTK_BOX (self->bar), self->about);
  gtk_widget_add_css_class (self->whole, "flat");
  gtk_widget_set_tooltip_text (self->whole, _ ("Also show the header of the record"));
  ns_accessible_set_name (self->whole, _ ("Header"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->whole), "event.whole");
  gtk_box_append (GTK_BOX (self->bar), self->whole);
  gtk_box_append (GTK_BOX (self->bar), build_copy_button ());
  gtk_widget_add_css_class (self->bar, "bytes-bar");
  self->hex = ns_hex_view_new ();
  g_signal_connect_swapped (self->hex, "chosen", G_CALLBACK (byte_chosen_cb), self);
  g_signal_connect_swapped (self->hex, "hovered", G_CALLBACK (byte_hovered_cb), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->hex);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), scrolled);
  return box;
}

/* Fills the list and the hex view from the facts. */
static void
show_facts (NsEventFields *self)
{
  g_autofree char *about = NULL;
  g_autofree char *decoded = NULL;

  ns_event_list_set_facts (NS_EVENT_LIST (self->list), self->facts, self->is_whole);
  ns_hex_view_set_facts (NS_HEX_VIEW (self->hex), self->facts, get_first (self));
  if (self->facts != NULL)
    {
      about = ns_event_words_bytes (self->facts, self->is_whole);
      decoded = ns_event_words_decoded_by (self->facts);
      gtk_label_set_text (GTK_LABEL (self->about), about);
      gtk_widget_set_tooltip_text (self->about, about);
      gtk_label_set_text (GTK_LABEL (self->decoded), decoded);
    }
  gtk_stack_set_visible_child (GTK_STACK (self->stack),
                               self->facts != NULL ? self->paned : self->empty_page);
}

static void
set_whole (NsEventFields *self, gboolean is_whole)
{
  guint chosen = ns_event_fields_get_chosen (self);

  if (self->is_whole == is_whole)
    return;
  self->is_whole = is_whole;
  show_facts (self);
  if (ns_event_list_has (NS_EVENT_LIST (self->list), chosen))
    ns_event_fields_select (self, chosen);
  else
    update_chosen (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WHOLE]);
}

static void
ns_event_fields_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_WHOLE)
    g_value_set_boolean (value, NS_EVENT_FIELDS (object)->is_whole);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
ns_event_fields_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  if (prop_id == PROP_WHOLE)
    set_whole (NS_EVENT_FIELDS (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
ns_event_fields_dispose (GObject *object)
{
  NsEventFields *self = NS_EVENT_FIELDS (object);

  if (self->hex != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->list, self);
      g_signal_handlers_disconnect_by_data (self->hex, self);
      ns_event_list_set_facts (NS_EVENT_LIST (self->list), NULL, FALSE);
      ns_hex_view_set_facts (NS_HEX_VIEW (self->hex), NULL, 0);
    }
  self->hex = NULL;
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_handle_id (&self->orientation_id, g_source_remove);
  g_clear_pointer (&self->facts, ns_event_facts_free);
  G_OBJECT_CLASS (ns_event_fields_parent_class)->dispose (object);
}

/* Focuses the list of fields. */
static gboolean
ns_event_fields_grab_focus (GtkWidget *widget)
{
  NsEventFields *self = NS_EVENT_FIELDS (widget);

  if (self->facts == NULL)
    return FALSE;
  return gtk_widget_grab_focus (self->list) || gtk_widget_child_focus (widget, GTK_DIR_TAB_FORWARD);
}

/* Moves the focus from the fields to the bytes; by default, Tab goes from row to row of the
 * list. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsEventFields *self)
{
  return key == GDK_KEY_Tab && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) == 0 &&
         ns_event_fields_is_list_focus (self) && gtk_widget_grab_focus (self->hex);
}

static void
ns_event_fields_class_init (NsEventFieldsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  guint i;
  static const char *const of_bytes[] = { "event.copy-hex", "event.copy-c", "event.copy-base64" };

  object_class->dispose = ns_event_fields_dispose;
  object_class->get_property = ns_event_fields_get_property;
  object_class->set_property = ns_event_fields_set_property;
  widget_class->measure = ns_event_fields_measure;
  widget_class->size_allocate = ns_event_fields_size_allocate;
  widget_class->grab_focus = ns_event_fields_grab_focus;

  /**
   * NsEventFields:whole:
   *
   * Whether the event header is included.
   */
  properties[PROP_WHOLE] =
      g_param_spec_boolean ("whole",
                            NULL,
                            NULL,
                            FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * NsEventFields::changed:
   * @self: the widget
   *
   * Emitted when another event is shown or another field is selected.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          NS_TYPE_EVENT_FIELDS,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
  gtk_widget_class_install_property_action (widget_class, "event.whole", "whole");
  gtk_widget_class_install_action (widget_class, "event.copy-value", NULL, copy_value_cb);
  for (i = 0; i < G_N_ELEMENTS (of_bytes); i++)
    gtk_widget_class_install_action (widget_class, of_bytes[i], NULL, copy_bytes_cb);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_c,
                                       GDK_CONTROL_MASK,
                                       "event.copy-value",
                                       NULL);
}

static void
ns_event_fields_init (NsEventFields *self)
{
  GSettings *settings = ns_settings_get ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_wide_handle (GTK_PANED (self->paned), TRUE);
  gtk_paned_set_start_child (GTK_PANED (self->paned), build_fields (self));
  gtk_paned_set_end_child (GTK_PANED (self->paned), build_bytes (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  self->empty = gtk_label_new (_ ("Select an event to see its fields and its bytes here."));
  gtk_label_set_wrap (GTK_LABEL (self->empty), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->empty), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->empty, "dim");
  self->stack = gtk_stack_new ();
  gtk_widget_add_css_class (self->stack, "event-fields");
  self->empty_page = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand (self->empty, TRUE);
  gtk_box_append (GTK_BOX (self->empty_page), self->empty);
  gtk_stack_add_child (GTK_STACK (self->stack), self->empty_page);
  gtk_stack_add_child (GTK_STACK (self->stack), self->paned);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  update_chosen (self);
  if (settings != NULL)
    g_settings_bind (settings, "event-header", self, "whole", G_SETTINGS_BIND_DEFAULT);
}

/**
 * ns_event_fields_new:
 *
 * Returns: (transfer floating): an empty widget
 */
GtkWidget *
ns_event_fields_new (void)
{
  return g_object_new (NS_TYPE_EVENT_FIELDS, NULL);
}

/**
 * ns_event_fields_set_facts:
 * @self: the widget
 * @facts: (transfer full) (nullable): the event to show
 */
void
ns_event_fields_set_facts (NsEventFields *self, NsEventFacts *facts)
{
  ns_event_list_set_facts (NS_EVENT_LIST (self->list), NULL, FALSE);
  ns_hex_view_set_facts (NS_HEX_VIEW (self->hex), NULL, 0);
  g_clear_pointer (&self->facts, ns_event_facts_free);
  self->facts = facts;
  show_facts (self);
  update_chosen (self);
}

/**
 * ns_event_fields_set_note:
 * @self: the widget
 * @note: text shown while there is no event
 */
void
ns_event_fields_set_note (NsEventFields *self, const char *note)
{
  gtk_label_set_text (GTK_LABEL (self->empty), note);
}

/**
 * ns_event_fields_set_for_packets:
 * @self: the widget
 *
 * Sets the widget up for packets, which have no event header and no decoder name.
 */
void
ns_event_fields_set_for_packets (NsEventFields *self)
{
  gtk_widget_set_visible (self->whole, FALSE);
  gtk_widget_set_visible (self->decoded, FALSE);
  ns_event_list_set_name (NS_EVENT_LIST (self->list), _ ("Fields of the packet"));
}

/**
 * ns_event_fields_add_button:
 * @self: the widget
 * @button: (transfer floating): button to insert before the others above the bytes
 */
void
ns_event_fields_add_button (NsEventFields *self, GtkWidget *button)
{
  gtk_box_insert_child_after (GTK_BOX (self->bar), button, self->about);
}

/**
 * ns_event_fields_set_message:
 * @self: the widget
 * @message: (nullable): text below the fields; %NULL hides it
 */
void
ns_event_fields_set_message (NsEventFields *self, const char *message)
{
  gtk_label_set_text (GTK_LABEL (self->decoded), message != NULL ? message : "");
  gtk_widget_set_visible (self->decoded, message != NULL);
}

static GtkWidget *
fold_button_new (void)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("pan-down-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Fold fields and bytes (Shift+F9)"));
  ns_accessible_set_name (button, _ ("Fold fields and bytes"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.event-pane");
  return button;
}

/**
 * ns_event_fields_add_fold:
 * @self: the widget
 *
 * Adds a button that hides the pane.
 */
void
ns_event_fields_add_fold (NsEventFields *self)
{
  GtkWidget *button = fold_button_new ();

  gtk_box_append (GTK_BOX (self->bar), button);
  button = fold_button_new ();
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "bytes-fold");
  gtk_box_append (GTK_BOX (self->empty_page), button);
}

/**
 * ns_event_fields_get_facts:
 * @self: the widget
 *
 * Returns: (nullable): the event shown
 */
const NsEventFacts *
ns_event_fields_get_facts (NsEventFields *self)
{
  return self->facts;
}

/**
 * ns_event_fields_select:
 * @self: the widget
 * @fact: index of a fact
 *
 * Selects a field, like a click; a field of the header makes the header visible.
 */
void
ns_event_fields_select (NsEventFields *self, guint fact)
{
  const NsEventFact *chosen = get_fact (self, fact);

  if (chosen != NULL && chosen->part != NS_EVENT_PART_FIELD)
    set_whole (self, TRUE);
  ns_event_list_choose (NS_EVENT_LIST (self->list), fact);
  ns_hex_view_choose (NS_HEX_VIEW (self->hex), fact);
  update_chosen (self);
}

/**
 * ns_event_fields_choose_byte:
 * @self: the widget
 * @byte: offset of a byte in the event
 *
 * Selects the field at a byte, like a click.
 */
void
ns_event_fields_choose_byte (NsEventFields *self, guint32 byte)
{
  if (self->facts != NULL && byte < self->facts->n_bytes)
    ns_event_fields_select (self, ns_event_facts_find (self->facts, byte));
}

/**
 * ns_event_fields_get_chosen:
 * @self: the widget
 *
 * Returns: index of the selected fact, or %NS_EVENT_FACT_NONE
 */
guint
ns_event_fields_get_chosen (NsEventFields *self)
{
  return ns_event_list_get_chosen (NS_EVENT_LIST (self->list));
}

/**
 * ns_event_fields_choose_name:
 * @self: the widget
 * @name: name of a field; selects the first with this name
 */
void
ns_event_fields_choose_name (NsEventFields *self, const char *name)
{
  guint i;

  for (i = 0; get_fact (self, i) != NULL; i++)
    if (g_strcmp0 (get_fact (self, i)->name, name) == 0)
      {
        ns_event_fields_select (self, i);
        return;
      }
}

/**
 * ns_event_fields_fold_name:
 * @self: the widget
 * @name: name of a field; collapses or expands the first with this name
 */
void
ns_event_fields_fold_name (NsEventFields *self, const char *name)
{
  NsEventList *list = NS_EVENT_LIST (self->list);
  guint i;

  for (i = 0; get_fact (self, i) != NULL; i++)
    if (g_strcmp0 (get_fact (self, i)->name, name) == 0)
      {
        ns_event_list_collapse (list, i, !ns_event_list_is_folded (list, i));
        return;
      }
}

/**
 * ns_event_fields_get_state:
 * @self: the widget
 *
 * Returns: (transfer floating): `(uussuu)`: number of bytes and facts, then name, value, offset and
 * size of the selected fact
 */
GVariant *
ns_event_fields_get_state (NsEventFields *self)
{
  const NsEventFact *fact = get_fact (self, ns_event_fields_get_chosen (self));

  return g_variant_new ("(uussuu)",
                        self->facts != NULL ? self->facts->n_bytes : 0,
                        self->facts != NULL ? self->facts->facts->len : 0,
                        fact != NULL ? fact->name : "",
                        fact != NULL ? fact->value : "",
                        fact != NULL ? fact->offset : 0,
                        fact != NULL ? fact->size : 0);
}

/**
 * ns_event_fields_is_list_focus:
 * @self: the widget
 *
 * Returns: whether the focus is in the list of fields
 */
gboolean
ns_event_fields_is_list_focus (NsEventFields *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  return focus != NULL && gtk_widget_is_ancestor (focus, self->list);
}
