/* Cache of the results of a comparison, for values that many rows have.
 *
 * Values with a number are compared once: interned texts, process properties, sets of layers.
 * Other values are compared row by row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-memo.h"

#include "query/ns-field-column.h"
#include "query/ns-field-get.h"

/* Largest set of layers, as a number. */
#define ALL_LAYERS ((guint) NS_LAYER_DNS * 2 - 1)

struct _NsFilterMemo
{
  const NsField *field;
  NsColumnKind kind;
  const NsColumn *column; /* (nullable): column of the field */
  NsVerdicts *verdicts;   /* by number */
  guint last_number;
};

/**
 * ns_filter_memo_new: (skip)
 * @trace: a trace
 * @field: the field of a comparison
 *
 * Returns: (transfer full) (nullable): an empty memo; %NULL if the field's values have no numbers
 */
NsFilterMemo *
ns_filter_memo_new (const NsTrace *trace, const NsField *field)
{
  NsFilterMemo *self;
  NsColumnKind kind = ns_field_get_column_kind (field);
  guint last_number;

  if (kind == NS_COLUMN_KIND_TEXT)
    last_number = ns_strings_get_size (trace->strings);
  else if (kind == NS_COLUMN_KIND_PROCESS)
    last_number = trace->processes->len;
  else if (kind == NS_COLUMN_KIND_LAYERS)
    last_number = ALL_LAYERS;
  else
    return NULL;
  self = g_new0 (NsFilterMemo, 1);
  self->field = field;
  self->kind = kind;
  self->column = ns_field_get_column (trace, field);
  self->last_number = last_number;
  self->verdicts = ns_verdicts_new (last_number);
  return self;
}

/**
 * ns_filter_memo_free: (skip)
 * @self: (transfer full) (nullable): a memo
 */
void
ns_filter_memo_free (NsFilterMemo *self)
{
  if (self == NULL)
    return;
  g_free (self->verdicts);
  g_free (self);
}

/**
 * ns_filter_memo_has_column: (skip)
 * @self: a memo
 *
 * Returns: whether it finds the numbers of values without reading rows
 */
gboolean
ns_filter_memo_has_column (const NsFilterMemo *self)
{
  return self->column != NULL;
}

/**
 * ns_filter_memo_get_value: (skip)
 * @self: a memo
 * @trace: its trace
 * @row: 0-based
 * @value: (out caller-allocates): the row's value
 *
 * Finds texts by their numbers, without reading rows.
 *
 * Returns: %FALSE if the caller must read the row
 */
gboolean
ns_filter_memo_get_value (const NsFilterMemo *self,
                          const NsTrace *trace,
                          guint row,
                          NsFieldValue *value)
{
  NsString id;

  if (self->kind != NS_COLUMN_KIND_TEXT || self->column == NULL)
    return FALSE;
  id = (NsString) ns_field_get_value_number (trace, self->field, self->kind, self->column, row);
  *value = (NsFieldValue){ .type = self->field->type };
  ns_field_set_chars (value, id == NS_STRING_NONE ? NULL : ns_trace_text (trace, id));
  return TRUE;
}

/**
 * ns_filter_memo_find: (skip)
 * @self: a memo
 * @trace: its trace
 * @row: 0-based
 *
 * "No text" and "no layer" are values like others. Each unknown process is a separate value.
 *
 * Returns: (transfer none) (nullable): the slot of the verdict about the row's value, for
 *   ns_verdicts_get() and ns_verdicts_set() with number 0; %NULL if the value has no number
 */
NsVerdicts *
ns_filter_memo_find (const NsFilterMemo *self, const NsTrace *trace, guint row)
{
  guint64 number = ns_field_get_value_number (trace, self->field, self->kind, self->column, row);

  if (self->kind == NS_COLUMN_KIND_PROCESS && number == 0)
    return NULL;
  return number <= self->last_number ? &self->verdicts[number] : NULL;
}
