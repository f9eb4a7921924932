/* Marks in a sentence: the ranges of its text that are links or values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-sentence-parts.h"

/* Delimiters of a range: begin, which is followed by the range's number, and end. Texts of files
 * may also contain these bytes. */
#define BEGIN '\001'
#define END '\002'
#define FIRST_NUMBER 0x20
#define MAX_PARTS 64

/* Replaces bytes of a text that would be parsed as marks. */
static void
clean (char *text)
{
  for (; *text != '\0'; text++)
    if (*text == BEGIN || *text == END)
      *text = ' ';
}

static char *
mark (NsSentence *self, char *text, const NsSentencePart *part)
{
  g_autofree char *plain = text;
  guint number;

  if (self->parts == NULL || self->parts->len == MAX_PARTS || text == NULL)
    return g_steal_pointer (&plain);
  clean (plain);
  number = self->parts->len;
  g_array_append_val (self->parts, *part);
  return g_strdup_printf ("%c%c%s%c", BEGIN, (char) (FIRST_NUMBER + number), plain, END);
}

/**
 * ns_sentence_mark: (skip)
 * @self: a sentence
 * @text: (transfer full) (nullable): text for the sentence
 * @kind: the kind of mark
 *
 * Returns: (transfer full) (nullable): @text, marked if marks are requested
 */
char *
ns_sentence_mark (NsSentence *self, char *text, NsSentencePartKind kind)
{
  return mark (self, text, &(NsSentencePart){ .kind = kind });
}

/**
 * ns_sentence_mark_row: (skip)
 * @self: a sentence
 * @text: (transfer full): text for the sentence
 * @table: a table
 * @row: row that it refers to, 1-based; 0: none
 *
 * Returns: (transfer full): @text, marked if marks are requested and there is a row
 */
char *
ns_sentence_mark_row (NsSentence *self, char *text, NsTableId table, NsRow row)
{
  NsSentencePart part = { .kind = NS_SENTENCE_ROW, .table = table, .row = row - 1 };

  return row > 0 && row <= ns_table_get_n_rows (self->trace, table) ? mark (self, text, &part)
                                                                    : text;
}

/**
 * ns_sentence_mark_frame: (skip)
 * @self: a sentence
 * @text: (transfer full): text for the sentence
 * @address: a frame of the row's stacks
 *
 * Returns: (transfer full): @text, marked if marks are requested
 */
char *
ns_sentence_mark_frame (NsSentence *self, char *text, guint64 address)
{
  return mark (self, text, &(NsSentencePart){ .kind = NS_SENTENCE_FRAME, .address = address });
}

/**
 * ns_sentence_take_marks: (skip)
 * @self: a complete sentence
 *
 * Removes the marks from its text and stores their ranges in its parts. Marked text that is not in
 * the sentence is dropped.
 */
void
ns_sentence_take_marks (NsSentence *self)
{
  g_autoptr (GString) plain = NULL;
  NsSentencePart *open = NULL;
  const char *here;
  guint i;

  if (self->parts == NULL)
    return;
  plain = g_string_sized_new (self->text->len);
  for (here = self->text->str; *here != '\0'; here++)
    if (*here == BEGIN && here[1] >= FIRST_NUMBER &&
        (guint) (here[1] - FIRST_NUMBER) < self->parts->len)
      {
        open = &g_array_index (self->parts, NsSentencePart, here[1] - FIRST_NUMBER);
        open->begin = (guint) plain->len;
        here++;
      }
    else if (*here == END && open != NULL)
      {
        open->end = (guint) plain->len;
        open = NULL;
      }
    else
      g_string_append_c (plain, *here);
  for (i = self->parts->len; i-- > 0;)
    if (g_array_index (self->parts, NsSentencePart, i).end <=
        g_array_index (self->parts, NsSentencePart, i).begin)
      g_array_remove_index (self->parts, i);
  g_string_assign (self->text, plain->str);
}
