/* What a comparison has found out about values that many rows share.
 *
 * Values that have numbers are looked at once each: texts that the trace keeps once, what is told
 * of a process, sets of layers. Others are looked at row by row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-memo.h"

#include "query/ns-field-get.h"

/* Sets of layers are numbers up to this one. */
#define ALL_LAYERS ((guint) NS_LAYER_DNS * 2 - 1)

typedef enum
{
  KIND_TEXT,
  KIND_PROCESS,
  KIND_LAYERS,
} Kind;

struct _NsFilterMemo
{
  const NsField *field;
  Kind kind;
  NsVerdicts *verdicts; /* by number */
  guint last_number;
};

/**
 * ns_filter_memo_new: (skip)
 * @trace: a trace
 * @field: what a filter looks at
 *
 * Returns: (transfer full) (nullable): nothing found out yet; %NULL when the field's values have no
 *   numbers
 */
NsFilterMemo *
ns_filter_memo_new (const NsTrace *trace, const NsField *field)
{
  NsFilterMemo *self;
  guint last_number;
  Kind kind;

  if (field->get == ns_get_string)
    {
      kind = KIND_TEXT;
      last_number = ns_strings_get_size (trace->strings);
    }
  else if (field->get == ns_get_process || field->get == ns_get_process_with_pid)
    {
      kind = KIND_PROCESS;
      last_number = trace->processes->len;
    }
  else if (field->get == ns_get_layers || field->get == ns_get_layer)
    {
      kind = KIND_LAYERS;
      last_number = ALL_LAYERS;
    }
  else
    return NULL;
  self = g_new0 (NsFilterMemo, 1);
  self->field = field;
  self->kind = kind;
  self->last_number = last_number;
  self->verdicts = ns_verdicts_new (last_number);
  return self;
}

/**
 * ns_filter_memo_free: (skip)
 * @self: (transfer full) (nullable): what was found out
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
 * ns_filter_memo_find: (skip)
 * @self: what was found out
 * @trace: the trace it is about
 * @row: 0-based
 *
 * Returns: (transfer none) (nullable): the place of the verdict about the row's value, for
 *   ns_verdicts_get() and ns_verdicts_set() of number 0; %NULL when the value has no number
 */
NsVerdicts *
ns_filter_memo_find (const NsFilterMemo *self, const NsTrace *trace, guint row)
{
  guint number = 0;

  switch (self->kind)
    {
    case KIND_TEXT:
      number = ns_field_get_string_id (trace, row, self->field);
      if (number == NS_STRING_NONE)
        return NULL;
      break;
    case KIND_PROCESS:
      number = ns_field_get_process (trace, row, self->field);
      if (number == 0)
        return NULL;
      break;
    case KIND_LAYERS:
    default:
      number = ns_field_get_layers (trace, row, self->field);
      break;
    }
  return number <= self->last_number ? &self->verdicts[number] : NULL;
}
