/* Filter test for a word: a text of the row contains it.
 *
 * A word is searched in all columns. For speed, columns whose values cannot contain its letters
 * are skipped, and so are texts that were searched before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-word.h"

#include "query/ns-field-get.h"
#include "query/ns-filter-memo.h"
#include "query/ns-filter-text.h"

#include <string.h>

/* All characters of addresses and identifiers; letters in lower case. */
#define IP_LETTERS "0123456789abcdef.:[]"
#define GUID_LETTERS "0123456789abcdef-{}"
#define NUMBER_LETTERS "0123456789"

struct _NsFilterWord
{
  char *word;
  gboolean is_pattern;
  GPtrArray *fields;    /* (element-type NsField): fields that may contain it */
  GPtrArray *processes; /* (element-type NsField): likewise, fields of an activity's process */
  GPtrArray *memos;     /* (element-type NsFilterMemo) (nullable): by field; NULL: it has none */
  NsFilterMemo *process_memo; /* (nullable): shared by all process fields */
};

/* Returns whether the field is searched only if the filter names it: frames and reasons, and the
 * machine, which all rows of a trace have in common. */
static gboolean
is_asked_for (const NsField *field)
{
  static const char *const asked_for[] = { "why",        "error_text", "drop_reason",
                                           "subject",    "mark",       "process_tree",
                                           "stack_path", "machine",    NULL };

  return field->get == ns_get_full_stack || field->get == ns_get_part_of_stack ||
         g_strv_contains (asked_for, field->id);
}

/* Returns whether a text of only these characters may contain the word. */
static gboolean
may_be_of (const NsFilterWord *self, const char *letters)
{
  const char *c;

  for (c = self->word; *c != '\0'; c++)
    if ((guchar) *c >= 0x80)
      return TRUE;
    else if (strchr (letters, g_ascii_tolower (*c)) == NULL &&
             !(self->is_pattern && (*c == '*' || *c == '?')))
      return FALSE;
  return TRUE;
}

/* Returns whether the field is the same for all activities of a process. */
static gboolean
is_of_process (NsTableId table, const NsField *field)
{
  static const char *const ids[] = { "process", "process_pid", "package", "command_line", NULL };

  return table == NS_TABLE_ACTIVITIES && g_strv_contains (ids, field->id);
}

static gboolean
may_be_in (const NsFilterWord *self, const NsField *field)
{
  if (is_asked_for (field))
    return FALSE;
  if (field->type == NS_TYPE_IP || field->get == ns_get_ip_port ||
      field->get == ns_get_ip_port_of || field->get == ns_get_packet_end)
    return may_be_of (self, IP_LETTERS);
  if (field->get == ns_get_guid || field->get == ns_get_guid_of)
    return may_be_of (self, GUID_LETTERS);
  if (field->type == NS_TYPE_LIST && field->of_numbers)
    return may_be_of (self, NUMBER_LETTERS);
  return field->type == NS_TYPE_TEXT || field->type == NS_TYPE_LIST || field->type == NS_TYPE_GUID;
}

/**
 * ns_filter_word_new: (skip)
 * @table: a table
 * @word: the text to search
 * @is_pattern: whether `*` and `?` are wildcards, and @word is compared with the whole text
 *
 * Returns: (transfer full): the test
 */
NsFilterWord *
ns_filter_word_new (NsTableId table, const char *word, gboolean is_pattern)
{
  NsFilterWord *self = g_new0 (NsFilterWord, 1);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  self->word = g_strdup (word);
  self->is_pattern = is_pattern;
  self->fields = g_ptr_array_new ();
  self->processes = g_ptr_array_new ();
  for (i = 0; i < n_fields; i++)
    /* Findings are computed only if the filter names the field, not for a word. */
    if (strcmp (fields[i].id, "finding") != 0 && may_be_in (self, &fields[i]))
      g_ptr_array_add (is_of_process (table, &fields[i]) ? self->processes : self->fields,
                       (gpointer) &fields[i]);
  return self;
}

/**
 * ns_filter_word_free: (skip)
 * @self: (transfer full) (nullable): a test
 */
void
ns_filter_word_free (NsFilterWord *self)
{
  if (self == NULL)
    return;
  ns_filter_word_forget (self);
  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->processes);
  g_free (self->word);
  g_free (self);
}

/**
 * ns_filter_word_reads_field: (skip)
 * @self: a test
 * @field: a field of its table
 *
 * Returns: %TRUE if the word may be in the field
 */
gboolean
ns_filter_word_reads_field (const NsFilterWord *self, const NsField *field)
{
  return g_ptr_array_find (self->fields, field, NULL) ||
         g_ptr_array_find (self->processes, field, NULL);
}

/**
 * ns_filter_word_prepare: (skip)
 * @self: a test
 * @trace: the trace to be filtered, until ns_filter_word_forget()
 *
 * From now on each text of the trace, and each process, is searched once.
 */
void
ns_filter_word_prepare (NsFilterWord *self, const NsTrace *trace)
{
  guint i;

  self->memos = g_ptr_array_new ();
  for (i = 0; i < self->fields->len; i++)
    g_ptr_array_add (self->memos, ns_filter_memo_new (trace, g_ptr_array_index (self->fields, i)));
  for (i = 0; i < self->processes->len && self->process_memo == NULL; i++)
    self->process_memo = ns_filter_memo_new (trace, g_ptr_array_index (self->processes, i));
}

/**
 * ns_filter_word_forget: (skip)
 * @self: a test
 *
 * Ends the effect of ns_filter_word_prepare().
 */
void
ns_filter_word_forget (NsFilterWord *self)
{
  guint i;

  for (i = 0; self->memos != NULL && i < self->memos->len; i++)
    ns_filter_memo_free (g_ptr_array_index (self->memos, i));
  g_clear_pointer (&self->memos, g_ptr_array_unref);
  g_clear_pointer (&self->process_memo, ns_filter_memo_free);
}

static gboolean
is_in_text (const NsFilterWord *self, const char *text)
{
  return self->is_pattern ? ns_filter_text_is_like (text, self->word)
                          : ns_filter_text_contains (text, self->word);
}

static gboolean
is_in_value (const NsFilterWord *self, const NsField *field, const NsFieldValue *value)
{
  g_autoptr (GString) text = NULL;
  char ip[NS_IP_TEXT_SIZE];

  if (value->is_null)
    return FALSE;
  if (value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID)
    return is_in_text (self, value->v.text);
  if (value->type == NS_TYPE_IP)
    return is_in_text (self, ns_ip_to_text (&value->v.ip, ip));
  text = g_string_new (NULL);
  ns_field_append_raw (field, value, text);
  return is_in_text (self, text->str);
}

static gboolean
is_in_field (const NsFilterWord *self,
             const NsFilterMemo *memo,
             const NsField *field,
             const NsTrace *trace,
             guint row)
{
  NsFieldValue value;
  gboolean is_match;

  if (memo == NULL || !ns_filter_memo_get_value (memo, trace, row, &value))
    ns_field_get (trace, field, row, &value);
  is_match = is_in_value (self, field, &value);
  ns_field_value_clear (&value);
  return is_match;
}

static gboolean
is_remembered (const NsFilterWord *self, guint at, const NsTrace *trace, guint row)
{
  const NsField *field = g_ptr_array_index (self->fields, at);
  const NsFilterMemo *memo = self->memos != NULL ? g_ptr_array_index (self->memos, at) : NULL;
  NsVerdicts *known = memo != NULL ? ns_filter_memo_find (memo, trace, row) : NULL;
  guint8 verdict = known != NULL ? ns_verdicts_get (known, 0) : 0;
  gboolean is_match;

  if (verdict != 0)
    return verdict == NS_VERDICT_YES;
  is_match = is_in_field (self, memo, field, trace, row);
  if (known != NULL)
    ns_verdicts_set (known, 0, is_match ? NS_VERDICT_YES : NS_VERDICT_NO);
  return is_match;
}

static gboolean
is_in_process_fields (const NsFilterWord *self, const NsTrace *trace, guint row)
{
  guint i;

  for (i = 0; i < self->processes->len; i++)
    if (is_in_field (self, NULL, g_ptr_array_index (self->processes, i), trace, row))
      return TRUE;
  return FALSE;
}

/* Searches the fields of an activity's process. */
static gboolean
is_in_process (const NsFilterWord *self, const NsTrace *trace, guint row)
{
  NsVerdicts *known =
      self->process_memo != NULL ? ns_filter_memo_find (self->process_memo, trace, row) : NULL;
  guint8 verdict = known != NULL ? ns_verdicts_get (known, 0) : 0;

  if (verdict == 0)
    {
      verdict = is_in_process_fields (self, trace, row) ? NS_VERDICT_YES : NS_VERDICT_NO;
      if (known != NULL)
        ns_verdicts_set (known, 0, verdict);
    }
  return verdict == NS_VERDICT_YES;
}

/**
 * ns_filter_word_matches: (skip)
 * @self: a test
 * @trace: a trace
 * @row: a row of the table, 0-based
 *
 * Returns: %TRUE if some text of the row contains the word
 */
gboolean
ns_filter_word_matches (const NsFilterWord *self, const NsTrace *trace, guint row)
{
  guint i;

  for (i = 0; i < self->fields->len; i++)
    if (is_remembered (self, i, trace, row))
      return TRUE;
  return is_in_process (self, trace, row);
}
