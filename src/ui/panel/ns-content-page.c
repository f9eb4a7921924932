/* The headers of a row, or its bytes, as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "model/ns-row-content.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-content-page.h"

#include <glib/gi18n.h>

struct _NsContentPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *note;
  GtkWidget *text;
  GtkTextBuffer *buffer; /* of @text */
  gboolean shows_bytes;
  NsTrace *trace;
  NsTableId table;
  guint32 row;
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

/* What it is, when it was seen, and where that stands. */
static void
insert_title (NsContentPage *self, const NsContentPart *part)
{
  g_autofree char *time = ns_words_seconds (part->time_ns);
  g_autofree char *n_bytes = ns_words_count (part->n_all);
  /* Translators: a moment, the name of a field, and a number. */
  g_autofree char *where = g_strdup_printf (_ ("%s · %s · %s bytes"), time, part->name, n_bytes);

  if (gtk_text_buffer_get_char_count (self->buffer) > 0)
    insert (self, "\n", "code");
  insert (self, get_title (part->kind), "title");
  insert (self, "\n", "title");
  insert (self, where, "note");
  insert (self, "\n", "note");
}

static void
insert_part (NsContentPage *self, const NsContentPart *part)
{
  g_autofree char *text =
      self->shows_bytes ? ns_row_content_dump (part->data, part->n_bytes)
                        : g_utf8_make_valid ((const char *) part->data, (gssize) part->n_bytes);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_autofree char *joined = g_strjoinv ("\n", lines);

  insert_title (self, part);
  insert (self, joined, "code");
  if (!g_str_has_suffix (joined, "\n"))
    insert (self, "\n", "code");
}

static void
show_parts (NsContentPage *self, const NsRowContent *found)
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
  if (n_shown == 0)
    gtk_label_set_text (GTK_LABEL (self->note),
                        self->shows_bytes ? _ ("No record or packet of this row holds bytes.")
                                          : _ ("No record of this row holds headers."));
  else if (found->is_cut)
    {
      g_autofree char *size =
          g_format_size_full (NS_ROW_CONTENT_MAX_BYTES, G_FORMAT_SIZE_IEC_UNITS);
      /* Translators: a size, such as “64 KiB”. */
      g_autofree char *text = g_strdup_printf (_ ("The first %s are shown."), size);

      gtk_label_set_text (GTK_LABEL (self->note), text);
    }
  else
    gtk_label_set_text (GTK_LABEL (self->note),
                        self->shows_bytes ? _ ("As packets and records hold it; secrets included.")
                        : ns_secrets_are_shown ()
                            ? _ ("As records hold them; secrets included.")
                            : _ ("Passwords, cookies and tokens are hidden."));
  gtk_widget_set_visible (self->text, n_shown > 0);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsContentPage) self = user_data;
  g_autoptr (NsRowContent) found = ns_row_content_run_finish (result, NULL);

  /* The answer for a row that is no longer shown. */
  if (found == NULL || self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    return;
  g_clear_object (&self->job);
  show_parts (self, found);
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
  G_OBJECT_CLASS (ns_content_page_parent_class)->dispose (object);
}

static void
ns_content_page_class_init (NsContentPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_content_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_content_page_init (NsContentPage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->note = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_widget_add_css_class (self->note, "row-events-head");
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
  gtk_box_append (GTK_BOX (self->box), self->note);
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * ns_content_page_new:
 * @shows_bytes: bytes rather than headers
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
ns_content_page_new (gboolean shows_bytes)
{
  NsContentPage *self = g_object_new (NS_TYPE_CONTENT_PAGE, NULL);

  self->shows_bytes = shows_bytes;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  shows_bytes ? _ ("Bytes of the row") : _ ("Headers of the row"),
                                  -1);
  return GTK_WIDGET (self);
}

/**
 * ns_content_page_clear:
 * @self: a page
 *
 * Shows nothing, and stops a search.
 */
void
ns_content_page_clear (NsContentPage *self)
{
  g_return_if_fail (NS_IS_CONTENT_PAGE (self));

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->trace, ns_trace_unref);
  gtk_text_buffer_set_text (self->buffer, "", 0);
  gtk_widget_set_visible (self->text, FALSE);
  gtk_label_set_text (GTK_LABEL (self->note), "");
}

/**
 * ns_content_page_set_row:
 * @self: a page
 * @trace: the trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Looks for what a row holds, and shows it when it is found.
 */
void
ns_content_page_set_row (NsContentPage *self, NsTrace *trace, NsTableId table, guint32 row)
{
  g_return_if_fail (NS_IS_CONTENT_PAGE (self));

  if (self->trace == trace && self->table == table && self->row == row)
    return;
  ns_content_page_clear (self);
  self->trace = ns_trace_ref (trace);
  self->table = table;
  self->row = row;
  self->job = g_cancellable_new ();
  gtk_label_set_text (GTK_LABEL (self->note), _ ("Looking through the records of this row…"));
  ns_row_content_run_async (trace, table, row, self->job, found_cb, g_object_ref (self));
}
