/* Label with the summary sentence of a row: main parts are bold, and rows and frames are links.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/panel/ns-summary.h"

#include <string.h>

/* Prefixes of link URIs. */
#define ROW_LINK "row:"
#define FRAME_LINK "frame:"

/* Appends escaped text, with no-break spaces between numbers and units. */
static void
append_text (GString *markup, const char *text, gsize length)
{
  g_autofree char *some = g_strndup (text, length);
  g_autofree char *kept = ns_words_keep_units (some);
  g_autofree char *escaped = g_markup_escape_text (kept, -1);

  g_string_append (markup, escaped);
}

static void
append_part (GString *markup, const NsSentencePart *part, const char *text, const char *failure)
{
  const char *end = "</a>";

  switch (part->kind)
    {
    case NS_SENTENCE_ROW:
      g_string_append_printf (markup,
                              "<a href=\"" ROW_LINK "%s/%u\">",
                              ns_table_get_name (part->table),
                              part->row);
      break;
    case NS_SENTENCE_FRAME:
      g_string_append_printf (markup,
                              "<a href=\"" FRAME_LINK "%" G_GINT64_MODIFIER "x\">",
                              part->address);
      break;
    case NS_SENTENCE_FAILURE:
      g_string_append_printf (markup, "<span weight=\"bold\" foreground=\"%s\">", failure);
      end = "</span>";
      break;
    case NS_SENTENCE_STRONG:
    default:
      g_string_append (markup, "<b>");
      end = "</b>";
      break;
    }
  append_text (markup, text + part->begin, part->end - part->begin);
  g_string_append (markup, end);
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const NsSentencePart *one = a;
  const NsSentencePart *other = b;

  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

/* Returns the colour of failures for Pango markup. */
static char *
dup_failure (GtkWidget *label)
{
  GdkRGBA color;

  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (label), "ns_failure", &color))
    gtk_style_context_get_color (gtk_widget_get_style_context (label), &color);
  return g_strdup_printf ("#%02x%02x%02x",
                          (guint) (color.red * 255 + 0.5),
                          (guint) (color.green * 255 + 0.5),
                          (guint) (color.blue * 255 + 0.5));
}

static gboolean
activate_link_cb (GtkLabel *label, const char *uri)
{
  const char *slash = strchr (uri, '/');

  if (g_str_has_prefix (uri, FRAME_LINK))
    return gtk_widget_activate_action (GTK_WIDGET (label),
                                       "panel.frame",
                                       "t",
                                       g_ascii_strtoull (uri + strlen (FRAME_LINK), NULL, 16));
  if (g_str_has_prefix (uri, ROW_LINK) && slash != NULL)
    {
      const char *name = uri + strlen (ROW_LINK);
      g_autofree char *table = g_strndup (name, (gsize) (slash - name));

      gtk_widget_activate_action (GTK_WIDGET (label),
                                  "win.go-to",
                                  "(su)",
                                  table,
                                  (guint32) g_ascii_strtoull (slash + 1, NULL, 10));
    }
  /* Handled: never pass a link on to another program. */
  return TRUE;
}

/**
 * ns_summary_new:
 *
 * Returns: (transfer floating): an empty label
 */
GtkWidget *
ns_summary_new (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_add_css_class (label, "summary");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  g_signal_connect (label, "activate-link", G_CALLBACK (activate_link_cb), NULL);
  return label;
}

/**
 * ns_summary_set_row:
 * @label: a label of ns_summary_new()
 * @trace: a trace
 * @table: a table
 * @row: row of @table, 0-based
 *
 * Shows the summary sentence of the row.
 */
void
ns_summary_set_row (GtkWidget *label, const NsTrace *trace, NsTableId table, guint32 row)
{
  g_autoptr (GArray) parts = NULL;
  g_autofree char *text = ns_sentence_new_parts (trace, table, row, &parts);
  g_autofree char *failure = dup_failure (label);
  g_autoptr (GString) markup = g_string_sized_new (512);
  guint done = 0;
  guint i;

  g_array_sort (parts, compare_parts);
  for (i = 0; i < parts->len; i++)
    {
      const NsSentencePart *part = &g_array_index (parts, NsSentencePart, i);

      append_text (markup, text + done, part->begin - done);
      append_part (markup, part, text, failure);
      done = part->end;
    }
  append_text (markup, text + done, strlen (text) - done);
  gtk_label_set_markup (GTK_LABEL (label), markup->str);
}

/**
 * ns_summary_set_text:
 * @label: a label of ns_summary_new()
 * @text: plain text
 *
 * Shows @text instead of a summary.
 */
void
ns_summary_set_text (GtkWidget *label, const char *text)
{
  g_autofree char *kept = ns_words_keep_units (text);

  gtk_label_set_text (GTK_LABEL (label), kept);
}
