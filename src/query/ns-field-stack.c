/* The chain of a row as a list of frames, for columns and exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain.h"
#include "engine/trace/ns-namer.h"
#include "query/ns-call-path.h"
#include "query/ns-field-get.h"

typedef struct
{
  const NsTrace *trace;
  GPtrArray *list;
} Frames;

static void
add_row_cb (const NsChainRow *row, gpointer user_data)
{
  Frames *self = user_data;
  const guint64 *frames;
  guint n_frames;

  if (row->kind != NS_CHAIN_ROW_FRAME)
    {
      g_ptr_array_add (self->list, g_strdup (row->text));
      return;
    }
  frames = ns_stacks_get (self->trace->stacks, row->element->stack, &n_frames);
  g_ptr_array_add (self->list,
                   ns_trace_frame_to_name (self->trace,
                                           ns_stacks_get_pid (self->trace->stacks,
                                                              row->element->stack),
                                           row->address,
                                           row->element->time_ns,
                                           n_frames > 0 && row->address != frames[0]));
}

static void
get_stack (const NsTrace *trace, guint row, NsChainColumn column, NsFieldValue *value)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, row + 1);
  Frames frames = { trace, g_ptr_array_new_with_free_func (g_free) };

  if (chain != NULL)
    ns_chain_walk (chain, trace, column, add_row_cb, &frames);
  value->list = frames.list;
  value->is_null = frames.list->len == 0;
}

void
ns_get_full_stack (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  get_stack (trace, row, NS_CHAIN_FULL, value);
}

void
ns_get_part_of_stack (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  get_stack (trace, row, (NsChainColumn) field->extra, value);
}

void
ns_get_stack_path (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, row + 1);
  g_autoptr (NsStrings) names = NULL;
  g_autoptr (NsCallFrames) frames = NULL;

  value->is_null = chain == NULL;
  if (chain == NULL)
    return;
  names = ns_strings_new ();
  frames = ns_call_frames_new (trace, names, NULL);
  value->owned = ns_call_path_to_text (trace, frames, names, chain);
  value->is_null = *value->owned == '\0';
  value->v.text = value->owned;
}

void
ns_get_first_thread (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, row + 1);
  guint32 tid = chain != NULL ? ns_chain_get_first_thread (chain) : NS_PID_UNKNOWN;

  value->is_null = tid == NS_PID_UNKNOWN;
  value->v.u = tid;
}

static gboolean
is_of (const NsField *field, const NsFieldTable *table)
{
  return field >= table->fields && field < table->fields + table->n_fields;
}

/**
 * ns_field_may_share: (skip)
 * @field: a field
 *
 * Records are read in sequence, and the function-name callback may not be parallel.
 *
 * Returns: whether two threads may read the field at the same time, and are faster than one
 */
gboolean
ns_field_may_share (const NsField *field)
{
  return !is_of (field, &ns_fields_events) && !is_of (field, &ns_fields_chromium_events) &&
         field->get != ns_get_full_stack && field->get != ns_get_part_of_stack &&
         field->get != ns_get_stack_path;
}
