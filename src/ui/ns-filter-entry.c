/* The filter entry: syntax highlighting, error marks, and completion.
 *
 * The completion popover never takes the focus, so that typing continues while it is open.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-filter-entry.h"

#include "draw/ns-palette.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

#define WRONG_LINE_PX 2
#define LIST_HEIGHT_PX 264
#define LIST_WIDTH_PX 300
#define FEW_OFFERS 3u

struct _NsFilterEntry
{
  GtkEntry parent_instance;

  NsTrace *trace; /* (nullable) */
  NsTableId table;
  gboolean is_setting;

  gboolean has_error;
  NsFilterSpan error_span;

  GtkWidget *popover;
  GtkWidget *reason;
  GtkWidget *cut_note; /* note that the list of values is incomplete */
  GtkWidget *scrolled;
  GtkSingleSelection *selection; /* strings, parallel to offers */
  GPtrArray *offers;             /* NsFilterOffer */
  gboolean are_offers_cut;
  NsFilterPlace place;
  guint late_source; /* idle source that updates the offers after the cursor has moved; 0 if none */

  const NsField *values_field; /* field of the values; NULL if none was requested */
  GPtrArray *values;           /* NsFilterValue; NULL until counted */
  gboolean are_values_cut;
  GCancellable *counting;
  guint wanted_offer; /* offer to insert once the values are counted; G_MAXUINT for none */
};

G_DEFINE_FINAL_TYPE (NsFilterEntry, ns_filter_entry, GTK_TYPE_ENTRY)

static void update_offers (NsFilterEntry *self, gboolean is_asked);
static void take_wanted_offer (NsFilterEntry *self);

static const char *
get_text (NsFilterEntry *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self));
}

/* Converts a byte offset of the text to a character offset. */
static int
get_offset (NsFilterEntry *self, gsize n_bytes)
{
  const char *text = get_text (self);

  return (int) g_utf8_pointer_to_offset (text, text + MIN (n_bytes, strlen (text)));
}

static void
add_color (NsFilterEntry *self, PangoAttrList *list, const NsFilterToken *token, NsColorRole role)
{
  GdkRGBA rgba;
  PangoAttribute *attribute;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)),
                                       ns_color_role_get_name (role),
                                       &rgba))
    return;
  attribute = pango_attr_foreground_new ((guint16) (rgba.red * G_MAXUINT16),
                                         (guint16) (rgba.green * G_MAXUINT16),
                                         (guint16) (rgba.blue * G_MAXUINT16));
  attribute->start_index = (guint) token->begin;
  attribute->end_index = (guint) token->end;
  pango_attr_list_insert (list, attribute);
}

static void
add_weight (PangoAttrList *list, const NsFilterToken *token)
{
  PangoAttribute *attribute = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

  attribute->start_index = (guint) token->begin;
  attribute->end_index = (guint) token->end;
  pango_attr_list_insert (list, attribute);
}

/* Highlights the syntax: fields in the accent colour, operators and brackets dim, keywords bold. */
static void
color_words (NsFilterEntry *self)
{
  PangoAttrList *list = pango_attr_list_new ();
  g_autoptr (GArray) tokens = ns_filter_list_tokens (self->table, get_text (self));
  guint i;

  for (i = 0; i < tokens->len; i++)
    {
      const NsFilterToken *token = &g_array_index (tokens, NsFilterToken, i);

      if (token->kind == NS_FILTER_TOKEN_FIELD)
        add_color (self, list, token, NS_COLOR_ACCENT);
      else if (token->kind == NS_FILTER_TOKEN_OPERATOR || token->kind == NS_FILTER_TOKEN_BRACKET)
        add_color (self, list, token, NS_COLOR_TEXT_DIM);
      else if (token->kind == NS_FILTER_TOKEN_KEYWORD)
        add_weight (list, token);
    }
  gtk_entry_set_attributes (GTK_ENTRY (self), list);
  pango_attr_list_unref (list);
}

/* Computes the rectangle of a byte range of the text, in widget coordinates. */
static gboolean
find_extents (NsFilterEntry *self, gsize begin, gsize end, graphene_rect_t *place)
{
  GtkWidget *text = GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (self)));
  graphene_rect_t bounds;
  graphene_rect_t first;
  graphene_rect_t last;
  float left;
  float right;

  if (!gtk_widget_compute_bounds (text, GTK_WIDGET (self), &bounds))
    return FALSE;
  gtk_text_compute_cursor_extents (GTK_TEXT (text), (gsize) get_offset (self, begin), &first, NULL);
  gtk_text_compute_cursor_extents (GTK_TEXT (text), (gsize) get_offset (self, end), &last, NULL);
  left = bounds.origin.x + CLAMP (MIN (first.origin.x, last.origin.x), 0, bounds.size.width);
  right = bounds.origin.x + CLAMP (MAX (first.origin.x, last.origin.x), 0, bounds.size.width);
  graphene_rect_init (place,
                      left,
                      bounds.origin.y + first.origin.y,
                      right - left,
                      first.size.height);
  return TRUE;
}

static void
ns_filter_entry_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsFilterEntry *self = NS_FILTER_ENTRY (widget);
  graphene_rect_t place;
  GdkRGBA color;

  GTK_WIDGET_CLASS (ns_filter_entry_parent_class)->snapshot (widget, snapshot);
  if (!self->has_error ||
      !find_extents (self, self->error_span.begin, self->error_span.end, &place) ||
      !gtk_style_context_lookup_color (gtk_widget_get_style_context (widget),
                                       ns_color_role_get_name (NS_COLOR_FAILURE),
                                       &color))
    return;
  /* An error at a missing token has an empty range, which needs a minimum width. */
  place.size.width = MAX (place.size.width, 6);
  place.origin.y += place.size.height - 1;
  place.size.height = WRONG_LINE_PX;
  gtk_snapshot_append_color (snapshot, &color, &place);
}

static void
ns_filter_entry_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ns_filter_entry_parent_class)->css_changed (widget, change);
  if (gtk_widget_get_realized (widget))
    color_words (NS_FILTER_ENTRY (widget));
}

static void
ns_filter_entry_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsFilterEntry *self = NS_FILTER_ENTRY (widget);

  GTK_WIDGET_CLASS (ns_filter_entry_parent_class)->size_allocate (widget, width, height, baseline);
  gtk_popover_present (GTK_POPOVER (self->popover));
}

static gboolean
has_focus (NsFilterEntry *self)
{
  return gtk_widget_has_focus (GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (self))));
}

/* Returns whether the offered values are incomplete. */
static gboolean
lacks_values (NsFilterEntry *self)
{
  return self->offers->len > 0 && self->place.wants == NS_FILTER_WANTS_VALUE &&
         self->values != NULL && (self->are_values_cut || self->are_offers_cut);
}

/* Shows the popover at the word being completed or at the error, or hides it when it has no
 * content. */
static void
show_popover (NsFilterEntry *self)
{
  gsize at = self->offers->len > 0 ? self->place.begin : self->error_span.begin;
  gboolean has_reason = gtk_widget_get_visible (self->reason);
  graphene_rect_t place;
  GdkRectangle rectangle;

  gtk_widget_set_visible (self->scrolled, self->offers->len > 0);
  /* A scroll bar would request the height of its slider, which exceeds that of a few offers. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled),
                                  GTK_POLICY_NEVER,
                                  self->offers->len > FEW_OFFERS ? GTK_POLICY_AUTOMATIC
                                                                 : GTK_POLICY_NEVER);
  gtk_widget_set_visible (self->cut_note, lacks_values (self));
  if ((self->offers->len == 0 && !has_reason) || !has_focus (self) ||
      !find_extents (self, at, at, &place))
    {
      gtk_popover_popdown (GTK_POPOVER (self->popover));
      return;
    }
  rectangle =
      (GdkRectangle){ (int) place.origin.x, 0, 1, gtk_widget_get_height (GTK_WIDGET (self)) };
  /* The popover starts below the word. The anchor extends to the end of the entry: GDK needs a
   * monitor at the anchor, and the word alone may be off screen when the window is. */
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_LTR)
    rectangle.width = MAX (gtk_widget_get_width (GTK_WIDGET (self)) - rectangle.x, 1);
  gtk_widget_set_halign (self->popover, rectangle.width > 1 ? GTK_ALIGN_START : GTK_ALIGN_FILL);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &rectangle);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
set_offers (NsFilterEntry *self, GPtrArray *offers)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);
  guint i;

  g_clear_handle_id (&self->late_source, g_source_remove);
  g_clear_pointer (&self->offers, g_ptr_array_unref);
  self->offers = offers;
  for (i = 0; i < offers->len; i++)
    gtk_string_list_append (texts, ((NsFilterOffer *) g_ptr_array_index (offers, i))->text);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (texts));
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
}

/* Updates the offers after values were counted, and restores the selection. */
static void
renew_offers (NsFilterEntry *self)
{
  guint selected = gtk_single_selection_get_selected (self->selection);
  g_autofree char *text =
      selected < self->offers->len
          ? g_strdup (((NsFilterOffer *) g_ptr_array_index (self->offers, selected))->text)
          : NULL;
  guint i;

  update_offers (self, TRUE);
  for (i = 0; text != NULL && i < self->offers->len; i++)
    if (strcmp (((NsFilterOffer *) g_ptr_array_index (self->offers, i))->text, text) == 0)
      gtk_single_selection_set_selected (self->selection, i);
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsFilterEntry) self = user_data;
  gboolean is_cut = FALSE;
  g_autoptr (GPtrArray) values = ns_filter_values_list_finish (result, &is_cut, NULL);

  if (values == NULL || self->counting != g_task_get_cancellable (G_TASK (result)))
    return;
  g_clear_object (&self->counting);
  self->values = g_steal_pointer (&values);
  self->are_values_cut = is_cut;
  if (self->place.wants == NS_FILTER_WANTS_VALUE && has_focus (self))
    renew_offers (self);
  take_wanted_offer (self);
}

static void
forget_values (NsFilterEntry *self)
{
  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  self->values_field = NULL;
}

/* Counts the values of the field being typed, once per field. */
static void
count_values (NsFilterEntry *self)
{
  if (self->place.wants != NS_FILTER_WANTS_VALUE || self->place.field == self->values_field)
    return;
  forget_values (self);
  self->values_field = self->place.field;
  self->counting = g_cancellable_new ();
  ns_filter_values_list_async (self->trace,
                               self->table,
                               self->values_field,
                               self->counting,
                               counted_cb,
                               g_object_ref (self));
}

/* Returns whether the only offer equals the word that is already typed. */
static gboolean
is_complete (NsFilterEntry *self, const GPtrArray *offers)
{
  const NsFilterOffer *offer;
  g_autofree char *text = NULL;

  if (offers->len != 1)
    return FALSE;
  offer = g_ptr_array_index (offers, 0);
  text = g_strchomp (g_strdup (offer->text));
  return strlen (text) == self->place.end - self->place.begin &&
         strncmp (get_text (self) + self->place.begin, text, strlen (text)) == 0;
}

/* Updates the offers. An empty word is completed only on request (is_asked). */
static void
update_offers (NsFilterEntry *self, gboolean is_asked)
{
  const char *text = get_text (self);
  int position = gtk_editable_get_position (GTK_EDITABLE (self));
  g_autoptr (GPtrArray) offers = NULL;
  g_autoptr (GPtrArray) ranges = NULL;

  ns_filter_place_clear (&self->place);
  memset (&self->place, 0, sizeof self->place);
  if (self->trace != NULL)
    ns_filter_place_init (&self->place,
                          self->table,
                          text,
                          (gsize) (g_utf8_offset_to_pointer (text, position) - text));
  count_values (self);
  if (self->place.wants == NS_FILTER_WANTS_RANGE)
    ranges = ns_filter_list_ranges (self->trace);
  offers = ns_filter_place_list_offers (&self->place,
                                        ranges != NULL ? ranges : self->values,
                                        &self->are_offers_cut);
  if (!is_asked && (is_complete (self, offers) ||
                    (self->place.wants == NS_FILTER_WANTS_FIELD && *self->place.part == '\0')))
    g_ptr_array_set_size (offers, 0);
  set_offers (self, g_steal_pointer (&offers));
  show_popover (self);
}

static void
clear_offers (NsFilterEntry *self)
{
  set_offers (self, g_ptr_array_new ());
  show_popover (self);
}

static void
insert_offer (NsFilterEntry *self, guint position)
{
  GtkEditable *editable = GTK_EDITABLE (self);
  const NsFilterOffer *offer;
  g_autofree char *text = NULL;
  int begin = get_offset (self, self->place.begin);
  int end = get_offset (self, self->place.end);
  gboolean is_spaced;

  if (position >= self->offers->len)
    return;
  offer = g_ptr_array_index (self->offers, position);
  text = g_strdup (offer->text);
  is_spaced = g_ascii_isspace (get_text (self)[self->place.end]);
  if (is_spaced)
    g_strchomp (text);
  self->is_setting = TRUE;
  gtk_editable_delete_text (editable, begin, end);
  gtk_editable_insert_text (editable, text, -1, &begin);
  gtk_editable_set_position (editable, begin + is_spaced);
  self->is_setting = FALSE;
  color_words (self);
  update_offers (self, FALSE);
}

static void
take_wanted_offer (NsFilterEntry *self)
{
  guint wanted = self->wanted_offer;

  if (wanted == G_MAXUINT || self->counting != NULL)
    return;
  self->wanted_offer = G_MAXUINT;
  update_offers (self, TRUE);
  insert_offer (self, wanted);
}

static void
activated_cb (GtkListView *list, guint position, NsFilterEntry *self)
{
  insert_offer (self, position);
}

static void
choose (NsFilterEntry *self, int by)
{
  guint selected = gtk_single_selection_get_selected (self->selection);
  guint n_offers = self->offers->len;

  if (selected == GTK_INVALID_LIST_POSITION)
    selected = by > 0 ? 0 : n_offers - 1;
  else if (by < 0 && selected == 0)
    selected = GTK_INVALID_LIST_POSITION;
  else
    selected = MIN (selected + (guint) by, n_offers - 1);
  gtk_single_selection_set_selected (self->selection, selected);
  if (selected != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (gtk_scrolled_window_get_child (
                                    GTK_SCROLLED_WINDOW (self->scrolled)),
                                "list.scroll-to-item",
                                "u",
                                selected);
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsFilterEntry *self)
{
  guint selected;
  gboolean has_offers;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
    return FALSE;
  /* A pending update runs first, so that the key acts on the current offers. */
  if (self->late_source != 0)
    update_offers (self, FALSE);
  selected = gtk_single_selection_get_selected (self->selection);
  has_offers = self->offers->len > 0;
  switch (key)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      if (!has_offers || !gtk_widget_get_visible (self->popover))
        update_offers (self, TRUE);
      if (self->offers->len > 0)
        choose (self, 1);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      if (has_offers)
        choose (self, -1);
      return has_offers;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_Tab:
      if (has_offers && selected != GTK_INVALID_LIST_POSITION)
        {
          insert_offer (self, selected);
          return TRUE;
        }
      if (key != GDK_KEY_Tab)
        clear_offers (self);
      return FALSE;
    default:
      return FALSE;
    }
}

static gboolean
look_again_cb (gpointer user_data)
{
  NsFilterEntry *self = user_data;

  self->late_source = 0;
  if (has_focus (self))
    update_offers (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
changed_cb (NsFilterEntry *self)
{
  /* The new text may be valid. The error text stays until the text is parsed after the typing
   * delay, to avoid flicker. */
  self->has_error = FALSE;
  if (self->is_setting)
    return;
  color_words (self);
  if (!has_focus (self))
    return;
  update_offers (self, FALSE);
  /* GTK emits "changed" before it moves the cursor, so the offers are updated again in an idle
   * callback that runs before the next frame. */
  self->late_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, look_again_cb, self, NULL);
}

static void
focus_left_cb (NsFilterEntry *self)
{
  clear_offers (self);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static void
set_up_offer (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *text = gtk_label_new (NULL);
  GtkWidget *detail = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 48);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_widget_add_css_class (detail, "dim");
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), detail);
  gtk_list_item_set_child (item, box);
}

static void
bind_offer (GtkSignalListItemFactory *factory, GtkListItem *item, NsFilterEntry *self)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  guint position = gtk_list_item_get_position (item);
  const NsFilterOffer *offer;
  g_autofree char *detail = NULL;
  g_autofree char *spoken = NULL;
  g_autofree char *text = NULL;

  if (position >= self->offers->len)
    return;
  offer = g_ptr_array_index (self->offers, position);
  text = g_strchomp (g_strdup (offer->text));
  detail = offer->n_rows > 0 ? ns_words_count (offer->n_rows) : g_strdup (offer->detail);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (box)), text);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (box)), detail);
  /* Translators: a completion of a filter, and its meaning or how many rows have it. */
  spoken = g_strdup_printf (_ ("%s, %s"), text, detail);
  ns_accessible_set_row_name (box, *detail != '\0' ? spoken : text);
}

static GtkWidget *
list_new (NsFilterEntry *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list;

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_offer), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_offer), self);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (list), TRUE);
  ns_accessible_set_name (GTK_WIDGET (list), _ ("Completions"));
  g_signal_connect (list, "activate", G_CALLBACK (activated_cb), self);
  return list;
}

/* Returns the note below an incomplete list of values. */
static GtkWidget *
cut_note_new (void)
{
  GtkWidget *note =
      gtk_label_new (_ ("Not all values are listed here; you can type any other value."));

  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 40);
  gtk_widget_add_css_class (note, "dim");
  gtk_widget_add_css_class (note, "note");
  gtk_widget_set_visible (note, FALSE);
  return note;
}

static void
make_popover (NsFilterEntry *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->popover = gtk_popover_new ();
  gtk_popover_set_autohide (GTK_POPOVER (self->popover), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->popover), GTK_POS_BOTTOM);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_widget_set_can_focus (self->popover, FALSE);
  gtk_widget_add_css_class (self->popover, "filter-help");
  self->reason = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  gtk_label_set_xalign (GTK_LABEL (self->reason), 0);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->reason), 56);
  gtk_widget_add_css_class (self->reason, "failure");
  gtk_widget_set_visible (self->reason, FALSE);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scrolled), LIST_HEIGHT_PX);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (self->scrolled), LIST_WIDTH_PX);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), list_new (self));
  gtk_box_append (GTK_BOX (box), self->reason);
  self->cut_note = cut_note_new ();
  gtk_box_append (GTK_BOX (box), self->scrolled);
  gtk_box_append (GTK_BOX (box), self->cut_note);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
}

static void
ns_filter_entry_dispose (GObject *object)
{
  NsFilterEntry *self = NS_FILTER_ENTRY (object);

  forget_values (self);
  g_clear_handle_id (&self->late_source, g_source_remove);
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_pointer (&self->offers, g_ptr_array_unref);
  g_clear_pointer (&self->trace, ns_trace_unref);
  ns_filter_place_clear (&self->place);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (ns_filter_entry_parent_class)->dispose (object);
}

static void
ns_filter_entry_class_init (NsFilterEntryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_filter_entry_dispose;
  widget_class->snapshot = ns_filter_entry_snapshot;
  widget_class->size_allocate = ns_filter_entry_size_allocate;
  widget_class->css_changed = ns_filter_entry_css_changed;
}

static void
ns_filter_entry_init (NsFilterEntry *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->offers = g_ptr_array_new ();
  self->wanted_offer = G_MAXUINT;
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  make_popover (self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_left_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  g_signal_connect (self, "changed", G_CALLBACK (changed_cb), NULL);
}

/**
 * ns_filter_entry_set_table:
 * @self: a filter entry
 * @trace: (nullable): the trace whose values are offered
 * @table: the table to filter
 *
 * Sets the source of completions. Values that are currently offered are counted again in @trace.
 */
void
ns_filter_entry_set_table (NsFilterEntry *self, NsTrace *trace, NsTableId table)
{
  gboolean is_offering;

  g_return_if_fail (NS_IS_FILTER_ENTRY (self));

  if (self->trace == trace && self->table == table)
    return;
  is_offering = self->table == table && trace != NULL &&
                self->place.wants == NS_FILTER_WANTS_VALUE &&
                (self->counting != NULL || self->offers->len > 0);
  forget_values (self);
  g_clear_pointer (&self->trace, ns_trace_unref);
  self->trace = trace != NULL ? ns_trace_ref (trace) : NULL;
  self->table = table;
  color_words (self);
  if (is_offering)
    count_values (self);
}

/**
 * ns_filter_entry_set_text:
 * @self: a filter entry
 * @text: the new text
 *
 * Sets the text without offering completions.
 */
void
ns_filter_entry_set_text (NsFilterEntry *self, const char *text)
{
  g_autofree char *copy = g_strdup (text);

  g_return_if_fail (NS_IS_FILTER_ENTRY (self));

  self->is_setting = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self), copy);
  gtk_editable_set_position (GTK_EDITABLE (self), -1);
  self->is_setting = FALSE;
  color_words (self);
  clear_offers (self);
}

/**
 * ns_filter_entry_set_error:
 * @self: a filter entry
 * @where: (nullable): the byte range of the error; %NULL to clear the error
 * @reason: (nullable): the error message
 *
 * Marks a syntax error in the text.
 */
void
ns_filter_entry_set_error (NsFilterEntry *self, const NsFilterSpan *where, const char *reason)
{
  g_return_if_fail (NS_IS_FILTER_ENTRY (self));

  self->has_error = where != NULL;
  if (where != NULL)
    self->error_span = *where;
  gtk_label_set_text (GTK_LABEL (self->reason), reason != NULL ? reason : "");
  gtk_widget_set_visible (self->reason, where != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self),
                               reason != NULL ? reason
                                              : _ ("Show only the rows that match (Ctrl+L); Enter "
                                                   "adds a condition, Down lists completions"));
  if (where != NULL)
    gtk_accessible_update_state (GTK_ACCESSIBLE (self),
                                 GTK_ACCESSIBLE_STATE_INVALID,
                                 GTK_ACCESSIBLE_INVALID_TRUE,
                                 -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_INVALID);
  show_popover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_filter_entry_popdown:
 * @self: a filter entry
 *
 * Closes the completion popover.
 *
 * Returns: whether it listed completions, not only the reason of an error
 */
gboolean
ns_filter_entry_popdown (NsFilterEntry *self)
{
  gboolean has_offers;

  g_return_val_if_fail (NS_IS_FILTER_ENTRY (self), FALSE);

  has_offers = gtk_widget_get_visible (self->popover) && self->offers->len > 0;
  clear_offers (self);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  return has_offers;
}

/**
 * ns_filter_entry_take_offer:
 * @self: a filter entry
 * @position: index of a completion at the end of the text, from 0
 *
 * Inserts a completion as a click in the list does, once the values are counted.
 */
void
ns_filter_entry_take_offer (NsFilterEntry *self, guint position)
{
  g_return_if_fail (NS_IS_FILTER_ENTRY (self));

  gtk_editable_set_position (GTK_EDITABLE (self), -1);
  self->wanted_offer = position;
  update_offers (self, TRUE);
  take_wanted_offer (self);
}

/**
 * ns_filter_entry_find_other_text:
 * @self: a filter entry in a window
 *
 * Returns: (transfer none) (nullable) (type GtkText): the text widget of another entry that has
 *   the focus
 */
GtkWidget *
ns_filter_entry_find_other_text (NsFilterEntry *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return GTK_IS_TEXT (focus) && !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)) ? focus : NULL;
}
