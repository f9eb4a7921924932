/* The test of a filter that is a word: some text of the row contains it.
 *
 * A word is looked for in all columns, so most of the work is not to look: not into columns that
 * are written with other letters, and not twice into a text that the trace keeps once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-word.h"

#include "query/ns-field-get.h"
#include "query/ns-filter-text.h"
#include "query/ns-verdicts.h"

#include <string.h>

/* All that addresses and identifiers are written with, letters in lower case. */
#define IP_LETTERS "0123456789abcdef.:[]"
#define GUID_LETTERS "0123456789abcdef-{}"
#define NUMBER_LETTERS "0123456789"

/* Sets of layers are numbers up to this one. */
#define ALL_LAYERS ((guint) NS_LAYER_DNS * 2 - 1)

struct _NsFilterWord
{
  char *word;
  gboolean is_pattern;
  GPtrArray *fields; /* (element-type NsField): where it may be */
  GPtrArray
      *processes; /* (element-type NsField): the same for what is told of an activity's process */
  NsVerdicts *verdicts;         /* (nullable): about the texts of the trace that is filtered */
  guint n_texts;                /* below this number a text has a verdict */
  NsVerdicts *process_verdicts; /* by row of a process */
  NsVerdicts *layer_verdicts;   /* by set of layers */
};

/* Frames and reasons are looked for only where they are asked for. */
static gboolean
is_costly (const NsField *field)
{
  static const char *const costly[] = { "why",  "error_text",   "drop_reason", "subject",
                                        "mark", "process_tree", "stack_path",  NULL };

  return field->get == ns_get_full_stack || field->get == ns_get_part_of_stack ||
         g_strv_contains (costly, field->id);
}

/* Whether a text of no other letters may hold the word. */
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

/* Whether the field is the same for all activities of a process. */
static gboolean
is_of_process (NsTableId table, const NsField *field)
{
  static const char *const ids[] = { "process", "process_pid", "package", "command_line", NULL };

  return table == NS_TABLE_ACTIVITIES && g_strv_contains (ids, field->id);
}

static gboolean
may_be_in (const NsFilterWord *self, const NsField *field)
{
  if (is_costly (field))
    return FALSE;
  if (field->type == NS_TYPE_IP || field->get == ns_get_ip_port || field->get == ns_get_ip_port_of)
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
 * @word: what to look for
 * @is_pattern: `*` and `?` stand for others, and @word for a whole text
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
    if (may_be_in (self, &fields[i]))
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
 * @trace: what ns_filter_word_matches() will be asked about, until ns_filter_word_forget()
 *
 * From now on each text of the trace, and each process, is looked at once.
 */
void
ns_filter_word_prepare (NsFilterWord *self, const NsTrace *trace)
{
  self->verdicts = ns_verdicts_new (ns_strings_get_size (trace->strings));
  self->n_texts = ns_strings_get_size (trace->strings);
  self->process_verdicts = ns_verdicts_new (trace->processes->len);
  self->layer_verdicts = ns_verdicts_new (ALL_LAYERS);
}

/**
 * ns_filter_word_forget: (skip)
 * @self: a test
 *
 * Ends what ns_filter_word_prepare() began.
 */
void
ns_filter_word_forget (NsFilterWord *self)
{
  g_clear_pointer (&self->verdicts, g_free);
  g_clear_pointer (&self->process_verdicts, g_free);
  g_clear_pointer (&self->layer_verdicts, g_free);
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
is_in_field (const NsFilterWord *self, const NsField *field, const NsTrace *trace, guint row)
{
  NsFieldValue value;
  gboolean is_match;

  ns_field_get (trace, field, row, &value);
  is_match = is_in_value (self, field, &value);
  ns_field_value_clear (&value);
  return is_match;
}

/* What is known by the number of what the row has there; 0: it is to be found out. */
static NsVerdicts *
find_verdict (const NsFilterWord *self, const NsField *field, const NsTrace *trace, guint row)
{
  guint number;

  if (self->verdicts == NULL)
    return NULL;
  if (field->get == ns_get_string)
    {
      number = ns_field_get_string_id (trace, row, field);
      return number < self->n_texts ? &self->verdicts[number] : NULL;
    }
  if (field->get == ns_get_layers)
    {
      number = ns_field_get_layers (trace, row, field);
      return number <= ALL_LAYERS ? &self->layer_verdicts[number] : NULL;
    }
  return NULL;
}

static gboolean
is_in_fields (const NsFilterWord *self, const GPtrArray *fields, const NsTrace *trace, guint row)
{
  gboolean is_match = FALSE;
  guint i;

  for (i = 0; i < fields->len && !is_match; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);
      NsVerdicts *known = find_verdict (self, field, trace, row);
      guint8 verdict = known != NULL ? ns_verdicts_get (known, 0) : 0;

      is_match = verdict != 0 ? verdict == NS_VERDICT_YES : is_in_field (self, field, trace, row);
      if (known != NULL && verdict == 0)
        ns_verdicts_set (known, 0, is_match ? NS_VERDICT_YES : NS_VERDICT_NO);
    }
  return is_match;
}

/* What is told of the process of an activity. */
static gboolean
is_in_process (const NsFilterWord *self, const NsTrace *trace, guint row)
{
  const NsActivityRow *activity;
  NsRow process = 0;
  guint8 verdict;

  if (self->processes->len == 0 || self->process_verdicts == NULL)
    return is_in_fields (self, self->processes, trace, row);
  activity = &g_array_index (trace->activities, NsActivityRow, row);
  if (activity->pid != NS_PID_UNKNOWN)
    process = ns_trace_find_process (trace, activity->pid, activity->open_ns);
  if (process == 0 || process > trace->processes->len)
    return is_in_fields (self, self->processes, trace, row);
  verdict = ns_verdicts_get (self->process_verdicts, process);
  if (verdict == 0)
    {
      verdict = is_in_fields (self, self->processes, trace, row) ? NS_VERDICT_YES : NS_VERDICT_NO;
      ns_verdicts_set (self->process_verdicts, process, verdict);
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
  return is_in_fields (self, self->fields, trace, row) || is_in_process (self, trace, row);
}
