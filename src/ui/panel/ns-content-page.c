/* Page of the headers or the payload of a row, as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-byte-text.h"
#include "base/ns-secrets.h"
#include "model/ns-row-job.h"
#include "ui/ns-accessible.h"
#include "ui/ns-settings.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-content-page.h"

#include <glib/gi18n.h>
#include <string.h>

/* Limits of the page: laying out more text would take long. */
#define MAX_PARTS 500
#define MAX_DUMP_BYTES (64 * 1024)

/* Character range of the buffer that shows some bytes, as a hex dump or as text. */
typedef struct
{
  const guint8 *data;
  gsize n_bytes;
  gboolean is_dump;
  gsize begin;
  gsize end;
} ByteRange;

struct _NsContentPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *head;
  GtkWidget *note;
  GtkWidget *text;
  GtkTextBuffer *buffer; /* buffer of @text */
  gboolean shows_bytes;
  GtkWidget *copy_button;
  GtkWidget *view;     /* (nullable): drop-down, decoded or as recorded */
  NsRowContent *found; /* (nullable): the content shown */
  GArray *ranges;      /* of ByteRange, in text order */
  NsTrace *trace;
  NsTableId table;
  guint32 row;
  gsize max_bytes; /* payload limit when the row was set */
  GCancellable *job;
};

G_DEFINE_FINAL_TYPE (NsContentPage, ns_content_page, GTK_TYPE_WIDGET)

static const char *
get_title (NsContentKind kind)
{
  switch (kind)
    {
    case NS_CONTENT_REQUEST:
      return _ ("Request");
    case NS_CONTENT_RESPONSE:
      return _ ("Response");
    case NS_CONTENT_SENT:
      return _ ("Sent");
    case NS_CONTENT_RECEIVED:
      return _ ("Received");
    case NS_CONTENT_BYTES:
    default:
      return _ ("Bytes");
    }
}

static void
insert (NsContentPage *self, const char *text, const char *tag)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert_with_tags_by_name (self->buffer, &end, text, -1, tag, NULL);
}

/* Inserts kind, time, name and size of a part or message. */
static void
insert_title (NsContentPage *self,
              NsContentKind kind,
              gint64 time_ns,
              const char *name,
              gsize n_bytes)
{
  g_autofree char *time = ns_words_seconds (time_ns);
  g_autofree char *count = ns_words_count (n_bytes);
  /* Translators: a time, the name of a field, and a number. */
  g_autofree char *where = g_strdup_printf (_ ("%s · %s · %s bytes"), time, name, count);

  if (gtk_text_buffer_get_char_count (self->buffer) > 0)
    insert (self, "\n", "code");
  insert (self, get_title (kind), "title");
  insert (self, "\n", "title");
  insert (self, where, "note");
}

/* Inserts @text with CRLF as LF, and ends it with a newline. */
static void
insert_lines (NsContentPage *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_autofree char *joined = g_strjoinv ("\n", lines);

  insert (self, joined, "code");
  if (!g_str_has_suffix (joined, "\n"))
    insert (self, "\n", "code");
}

/* Inserts bytes as @text, or as a hex dump if @text is %NULL, and records their place. */
static void
insert_bytes (NsContentPage *self, const guint8 *data, gsize n_bytes, const char *text)
{
  ByteRange range = { .data = data, .n_bytes = n_bytes, .is_dump = text == NULL };
  g_autofree char *dump = text == NULL ? ns_byte_text_dump (data, n_bytes) : NULL;

  range.begin = (gsize) gtk_text_buffer_get_char_count (self->buffer);
  insert_lines (self, text != NULL ? text : dump);
  range.end = (gsize) gtk_text_buffer_get_char_count (self->buffer);
  g_array_append_val (self->ranges, range);
}

static void
insert_part (NsContentPage *self, const NsContentPart *part)
{
  g_autofree char *text = NULL;

  if (!self->shows_bytes)
    text = g_utf8_make_valid ((const char *) part->data, (gssize) part->n_bytes);
  insert_title (self, part->kind, part->time_ns, part->name, part->n_all);
  insert (self, "\n", "note");
  insert_bytes (self, part->data, part->n_bytes, text);
}

/* Inserts a message after transfer and content decoding. */
static void
insert_message (NsContentPage *self, const NsContentMessage *message)
{
  gsize n_shown = MIN (message->body->len, MAX_DUMP_BYTES);
  g_autofree char *note = ns_row_message_dup_note (message);

  insert_title (self, message->kind, message->time_ns, message->name, message->body->len);
  if (message->codings != NULL)
    {
      insert (self, " · ", "note");
      insert (self, message->codings, "note");
    }
  if (message->charset != NULL)
    {
      insert (self, " · ", "note");
      insert (self, message->charset, "note");
    }
  insert (self, "\n", "note");
  if (message->head != NULL)
    insert_lines (self, message->head);
  if (message->head != NULL && message->body->len > 0)
    insert (self, "\n", "code");
  if (message->body->len > 0)
    insert_bytes (self, message->body->data, n_shown, message->text);
  if (note != NULL)
    {
      insert (self, note, "note");
      insert (self, "\n", "note");
    }
}

static void
set_can_copy (NsContentPage *self, gboolean can_copy)
{
  static const char *const names[] = { "payload.copy-hex",
                                       "payload.copy-c",
                                       "payload.copy-base64" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), names[i], can_copy);
  gtk_widget_set_visible (self->copy_button, can_copy);
}

static gboolean
is_decoded (NsContentPage *self)
{
  return self->view != NULL && gtk_drop_down_get_selected (GTK_DROP_DOWN (self->view)) == 0;
}

static guint
insert_parts (NsContentPage *self, const NsRowContent *found)
{
  guint n_shown = 0;
  guint i;

  for (i = 0; i < found->parts->len; i++)
    {
      const NsContentPart *part = &g_array_index (found->parts, NsContentPart, i);

      if (ns_row_content_is_text (part) == self->shows_bytes)
        continue;
      insert_part (self, part);
      n_shown++;
    }
  return n_shown;
}

static guint
insert_messages (NsContentPage *self, const NsRowContent *found)
{
  guint i;

  for (i = 0; i < found->messages->len; i++)
    insert_message (self, &g_array_index (found->messages, NsContentMessage, i));
  return found->messages->len;
}

static void
show_found (NsContentPage *self, const NsRowContent *found)
{
  guint n_shown = is_decoded (self) ? insert_messages (self, found) : insert_parts (self, found);
  GtkTextIter start;

  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_place_cursor (self->buffer, &start);
  if (self->shows_bytes && self->max_bytes == 0)
    gtk_label_set_text (GTK_LABEL (self->note),
                        _ ("Payloads are not loaded: loading is disabled in the preferences."));
  else if (n_shown == 0)
    gtk_label_set_text (GTK_LABEL (self->note),
                        self->shows_bytes ? _ ("No record or packet of this row has a payload.")
                                          : _ ("No record of this row contains headers."));
  else if (found->is_cut)
    {
      g_autofree char *size = g_format_size_full (self->max_bytes, G_FORMAT_SIZE_IEC_UNITS);
      /* Translators: a size, such as “64 KiB”. */
      g_autofree char *text = g_strdup_printf (_ ("The first %s are shown."), size);

      gtk_label_set_text (GTK_LABEL (self->note), text);
    }
  else
    gtk_label_set_text (GTK_LABEL (self->note),
                        ns_secrets_are_shown (found->secrets)
                            ? _ ("As recorded in the trace, including secrets.")
                            : _ ("Passwords, cookies and tokens are hidden."));
  gtk_widget_set_visible (self->text, n_shown > 0);
  set_can_copy (self, self->shows_bytes && n_shown > 0);
}

/* Appends the bytes of a place that are in the selection; of a text place, its selected
 * characters. */
static void
append_marked (NsContentPage *self, const ByteRange *range, gsize from, gsize to, GByteArray *bytes)
{
  gsize begin = MAX (from, range->begin);
  gsize end = CLAMP (to, begin, range->end);
  gsize n_bytes;

  if (range->is_dump)
    {
      gsize first = ns_byte_text_find (range->n_bytes,
                                       begin - range->begin,
                                       MAX (to, range->begin) - range->begin,
                                       &n_bytes);

      g_byte_array_append (bytes, range->data + first, (guint) n_bytes);
    }
  else
    {
      GtkTextIter begin_iter;
      GtkTextIter end_iter;
      g_autofree char *text = NULL;

      gtk_text_buffer_get_iter_at_offset (self->buffer, &begin_iter, (int) begin);
      gtk_text_buffer_get_iter_at_offset (self->buffer, &end_iter, (int) end);
      text = gtk_text_buffer_get_text (self->buffer, &begin_iter, &end_iter, FALSE);
      g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
    }
}

/* Returns the selected bytes; without a selection, the payload at the cursor. */
static GByteArray *
get_chosen_bytes (NsContentPage *self)
{
  GByteArray *bytes = g_byte_array_new ();
  GtkTextIter begin;
  GtkTextIter end;
  gboolean is_marked = gtk_text_buffer_get_selection_bounds (self->buffer, &begin, &end);
  gsize from = (gsize) gtk_text_iter_get_offset (&begin);
  gsize to = (gsize) gtk_text_iter_get_offset (&end);
  guint i;

  for (i = 0; i < self->ranges->len; i++)
    {
      const ByteRange *range = &g_array_index (self->ranges, ByteRange, i);

      if (from >= range->end && (is_marked || i + 1 < self->ranges->len))
        continue;
      if (is_marked)
        append_marked (self, range, from, to, bytes);
      else
        g_byte_array_append (bytes, range->data, (guint) range->n_bytes);
      if (!is_marked || to < range->end)
        break;
    }
  return bytes;
}

static void
copy_as (GtkWidget *widget, NsByteForm form)
{
  g_autoptr (GByteArray) bytes = get_chosen_bytes (NS_CONTENT_PAGE (widget));
  g_autofree char *text = NULL;

  if (bytes->len == 0)
    return;
  text = ns_byte_text_format (bytes->data, bytes->len, form);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
copy_hex_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  copy_as (widget, NS_BYTE_FORM_HEX);
}

static void
copy_c_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  copy_as (widget, NS_BYTE_FORM_C);
}

static void
copy_base64_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  copy_as (widget, NS_BYTE_FORM_BASE64);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsContentPage) self = user_data;
  g_autoptr (NsRowContent) found = ns_row_job_find_content_finish (result, NULL);

  /* The answer is for a row that is no longer shown. */
  if (found == NULL || self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    return;
  g_clear_object (&self->job);
  show_found (self, found);
  self->found = g_steal_pointer (&found);
}

/* Reads the row again after the payload limit has changed. */
static void
limit_changed_cb (NsContentPage *self)
{
  g_autoptr (NsTrace) trace = g_steal_pointer (&self->trace);

  if (trace != NULL)
    ns_content_page_set_row (self, trace, self->table, self->row);
}

/* Shows the content again after a switch between decoded and recorded. */
static void
view_chosen_cb (NsContentPage *self)
{
  if (self->found == NULL)
    return;
  gtk_text_buffer_set_text (self->buffer, "", 0);
  g_array_set_size (self->ranges, 0);
  show_found (self, self->found);
}

static void
ns_content_page_dispose (GObject *object)
{
  NsContentPage *self = NS_CONTENT_PAGE (object);

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->trace, ns_trace_unref);
  g_clear_pointer (&self->found, ns_row_content_free);
  g_clear_pointer (&self->ranges, g_array_unref);
  G_OBJECT_CLASS (ns_content_page_parent_class)->dispose (object);
}

static void
ns_content_page_class_init (NsContentPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_content_page_dispose;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "payload.copy-hex", NULL, copy_hex_cb);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "payload.copy-c", NULL, copy_c_cb);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass),
                                   "payload.copy-base64",
                                   NULL,
                                   copy_base64_cb);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static gboolean
view_from_text_cb (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_uint (value, g_strcmp0 (g_variant_get_string (variant, NULL), "decoded") != 0);
  return TRUE;
}

static GVariant *
view_to_text_cb (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (g_value_get_uint (value) == 0 ? "decoded" : "recorded");
}

/* Builds the drop-down that switches between decoded and recorded payload. */
static void
build_view (NsContentPage *self)
{
  static const char *const views[] = { N_ ("Decoded"), N_ ("As recorded"), NULL };

  self->view = ns_accessible_drop_down_new (views, _ ("Payload display mode"));
  gtk_widget_set_valign (self->view, GTK_ALIGN_CENTER);
  g_signal_connect_object (self->view,
                           "notify::selected",
                           G_CALLBACK (view_chosen_cb),
                           self,
                           G_CONNECT_SWAPPED);
  if (ns_settings_get () != NULL)
    g_settings_bind_with_mapping (ns_settings_get (),
                                  "payload-view",
                                  self->view,
                                  "selected",
                                  G_SETTINGS_BIND_DEFAULT,
                                  view_from_text_cb,
                                  view_to_text_cb,
                                  NULL,
                                  NULL);
  gtk_box_insert_child_after (GTK_BOX (self->head), self->view, self->note);
}

/* Builds the menu of copy formats, for the button and for the context menu of the text. */
static void
build_copy (NsContentPage *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _ ("Copy as _Hex"), "payload.copy-hex");
  g_menu_append (menu, _ ("Copy as _C Array"), "payload.copy-c");
  g_menu_append (menu, _ ("Copy as _Base64"), "payload.copy-base64");
  gtk_text_view_set_extra_menu (GTK_TEXT_VIEW (self->text), G_MENU_MODEL (menu));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->copy_button), G_MENU_MODEL (menu));
  ns_accessible_set_menu_name (GTK_WIDGET (gtk_menu_button_get_popover (
                                   GTK_MENU_BUTTON (self->copy_button))),
                               _ ("Copy bytes"));
}

static void
ns_content_page_init (NsContentPage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->note = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  self->text = gtk_text_view_new ();
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->text), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->text), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->text), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (self->text), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->text), 6);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->text), FALSE);
  gtk_text_buffer_create_tag (self->buffer, "title", "weight", PANGO_WEIGHT_BOLD, NULL);
  gtk_text_buffer_create_tag (self->buffer, "note", "scale", 0.9, NULL);
  gtk_text_buffer_create_tag (self->buffer, "code", "family", "monospace", "scale", 0.9, NULL);
  gtk_widget_add_css_class (self->text, "content");
  gtk_widget_set_visible (self->text, FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->text);
  gtk_widget_set_vexpand (scrolled, TRUE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (self->note, TRUE);
  self->copy_button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->copy_button), "edit-copy-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->copy_button), FALSE);
  gtk_widget_set_valign (self->copy_button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->copy_button,
                               _ ("Copy the selected bytes, or those at the cursor"));
  ns_accessible_set_name (self->copy_button, _ ("Copy bytes"));
  self->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->head, "row-events-head");
  gtk_box_append (GTK_BOX (self->head), self->note);
  gtk_box_append (GTK_BOX (self->head), self->copy_button);
  gtk_box_append (GTK_BOX (self->box), self->head);
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (ByteRange));
  if (ns_settings_get () != NULL)
    {
      g_signal_connect_object (ns_settings_get (),
                               "changed::payload-kib",
                               G_CALLBACK (limit_changed_cb),
                               self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (ns_settings_get (),
                               "changed::payload-never",
                               G_CALLBACK (limit_changed_cb),
                               self,
                               G_CONNECT_SWAPPED);
    }
  set_can_copy (self, FALSE);
}

/**
 * ns_content_page_new:
 * @shows_bytes: whether the page shows payload rather than headers
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
ns_content_page_new (gboolean shows_bytes)
{
  NsContentPage *self = g_object_new (NS_TYPE_CONTENT_PAGE, NULL);

  self->shows_bytes = shows_bytes;
  if (shows_bytes)
    {
      build_view (self);
      build_copy (self);
    }
  ns_accessible_set_name (GTK_WIDGET (self->text),
                          shows_bytes ? _ ("Bytes of the row") : _ ("Headers of the row"));
  return GTK_WIDGET (self);
}

/**
 * ns_content_page_clear:
 * @self: a page
 * @note: text shown instead of content
 *
 * Cancels a running search and shows only @note.
 */
void
ns_content_page_clear (NsContentPage *self, const char *note)
{
  g_return_if_fail (NS_IS_CONTENT_PAGE (self));

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->trace, ns_trace_unref);
  gtk_text_buffer_set_text (self->buffer, "", 0);
  g_clear_pointer (&self->found, ns_row_content_free);
  g_array_set_size (self->ranges, 0);
  set_can_copy (self, FALSE);
  gtk_widget_set_visible (self->text, FALSE);
  gtk_label_set_text (GTK_LABEL (self->note), note);
}

/**
 * ns_content_page_set_row:
 * @self: a page
 * @trace: the trace
 * @table: a table
 * @row: row of @table, 0-based
 *
 * Starts a search for the headers or payload of a row and shows them when the search ends.
 */
void
ns_content_page_set_row (NsContentPage *self, NsTrace *trace, NsTableId table, guint32 row)
{
  NsRowContentOptions options = { .max_parts = MAX_PARTS };

  g_return_if_fail (NS_IS_CONTENT_PAGE (self));

  if (self->trace == trace && self->table == table && self->row == row)
    return;
  ns_content_page_clear (self, "");
  self->trace = ns_trace_ref (trace);
  self->table = table;
  self->row = row;
  self->max_bytes = ns_settings_get_payload_bytes ();
  options.max_bytes = self->max_bytes;
  options.max_decoded = self->max_bytes;
  self->job = g_cancellable_new ();
  gtk_label_set_text (GTK_LABEL (self->note), _ ("Searching the records of this row…"));
  ns_row_job_find_content_async (trace,
                                 table,
                                 row,
                                 &options,
                                 self->job,
                                 found_cb,
                                 g_object_ref (self));
}
