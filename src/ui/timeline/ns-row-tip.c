/* Tooltip of a bar: the sentence of its row, with its main parts in bold, and a line of values that
 * the bar does not show.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"
#include "ui/ns-words.h"
#include "ui/timeline/ns-row-tip.h"

#include <glib/gi18n.h>
#include <string.h>

/* Returns whether a byte of the sentence is bold. Links are not marked, since a tooltip cannot
 * be clicked. */
static gboolean
is_strong (const GArray *parts, gsize at)
{
  guint i;

  for (i = 0; i < parts->len; i++)
    {
      const NsSentencePart *part = &g_array_index (parts, NsSentencePart, i);

      if ((part->kind == NS_SENTENCE_STRONG || part->kind == NS_SENTENCE_FAILURE) &&
          at >= part->begin && at < part->end)
        return TRUE;
    }
  return FALSE;
}

/* Appends the wrapped sentence. A line break replaces a blank of the sentence or is inserted. */
static void
append_sentence (GString *markup, const char *sentence, const GArray *parts)
{
  g_autofree char *lines = ns_words_tooltip (sentence);
  gboolean was_strong = FALSE;
  const char *at;
  gsize done = 0;

  for (at = lines; *at != '\0'; at = g_utf8_next_char (at))
    {
      gsize n_bytes = (gsize) (g_utf8_next_char (at) - at);
      gboolean is_extra = *at == '\n' && sentence[done] != '\n' && sentence[done] != ' ';
      gboolean strong = is_extra ? was_strong : is_strong (parts, done);
      g_autofree char *escaped = g_markup_escape_text (at, (gssize) n_bytes);

      if (strong != was_strong)
        g_string_append (markup, strong ? "<b>" : "</b>");
      g_string_append (markup, escaped);
      was_strong = strong;
      done += is_extra ? 0 : n_bytes;
    }
  if (was_strong)
    g_string_append (markup, "</b>");
}

/* Returns the value of a field as text, empty if unknown. */
static char *
dup_value (const NsTrace *trace, const char *id, guint32 row)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, id);
  GString *text = g_string_new (NULL);
  NsFieldValue value;

  ns_field_get (trace, field, row, &value);
  ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  return g_string_free (text, FALSE);
}

static void
append_figures (GString *markup, const NsTrace *trace, guint32 row)
{
  const NsActivityRow *one = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, row + 1);
  g_autofree char *protocol = dup_value (trace, "protocol", row);
  g_autofree char *sent = dup_value (trace, "sent", row);
  g_autofree char *received = dup_value (trace, "received", row);
  g_autoptr (GString) line = g_string_new (protocol);
  g_autofree char *escaped = NULL;

  if (*sent != '\0')
    /* Translators: a part of a line of figures; a number of bytes. */
    g_string_append_printf (line, _ (" · sent %s B"), sent);
  if (*received != '\0')
    /* Translators: likewise. */
    g_string_append_printf (line, _ (" · received %s B"), received);
  if (one->confidence >= 0)
    /* Translators: likewise; a word such as “certain”. */
    g_string_append_printf (line,
                            _ (" · confidence: %s"),
                            ns_words_get_confidence (one->confidence));
  escaped = g_markup_escape_text (line->str, -1);
  g_string_append_printf (markup, "\n<span size=\"82%%\" alpha=\"75%%\">%s</span>", escaped);
}

/**
 * ns_row_tip_new:
 * @session: a session
 * @row: one of its activities
 *
 * Returns the tooltip of a row. If the row has not ended at the playback time, it omits the values
 * that are known only at the end.
 *
 * Returns: (transfer full) (nullable): markup for a tooltip
 */
char *
ns_row_tip_new (NsSession *session, guint32 row)
{
  const NsTrace *trace = ns_session_get_trace (session);
  g_autofree char *words = ns_words_row (session, NS_TABLE_ACTIVITIES, row);
  g_autofree char *sentence = NULL;
  g_autoptr (GArray) parts = NULL;
  g_autoptr (GString) markup = NULL;

  if (words == NULL)
    return NULL;
  markup = g_string_sized_new (512);
  sentence = ns_sentence_new_parts (trace, NS_TABLE_ACTIVITIES, row, &parts);
  if (!g_str_has_prefix (words, sentence))
    g_array_set_size (parts, 0);
  append_sentence (markup, words, parts);
  if (ns_session_has_ended (session, NS_TABLE_ACTIVITIES, row))
    append_figures (markup, trace, row);
  return g_string_free (g_steal_pointer (&markup), FALSE);
}
