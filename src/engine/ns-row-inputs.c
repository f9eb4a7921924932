/* Which file of a case a row comes from, by the time of its record.
 *
 * Records come in order of time; noted is where another file goes on. Rows know the time of the
 * record that they begin with, so that they need no member for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-row-inputs.h"

typedef struct
{
  gint64 time_ns; /* of the first record of the stretch */
  guint32 input;
} Stretch;

struct _NsRowInputs
{
  const NsEtlFile *file;
  GArray *stretches; /* Stretch, in order of time */
  char **names;
  guint32 first_buffer; /* of the input of the last stretch, */
  guint32 end_buffer;   /* and the first one behind it that is known to be of another */
};

/**
 * ns_row_inputs_new:
 * @file: a trace; it must live longer
 *
 * Returns: (transfer full) (nullable): what knows the files of rows; %NULL if there is one file
 * only
 */
NsRowInputs *
ns_row_inputs_new (const NsEtlFile *file)
{
  guint n_inputs = file != NULL ? ns_etl_file_get_n_inputs (file) : 1;
  NsRowInputs *self;
  guint i;

  if (n_inputs < 2)
    return NULL;
  self = g_new0 (NsRowInputs, 1);
  self->file = file;
  self->stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->names = g_new0 (char *, n_inputs + 1);
  for (i = 0; i < n_inputs; i++)
    self->names[i] = ns_etl_file_dup_input_name (file, i);
  return self;
}

/**
 * ns_row_inputs_free:
 * @self: (transfer full) (nullable): of a trace
 */
void
ns_row_inputs_free (NsRowInputs *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->stretches);
  g_strfreev (self->names);
  g_free (self);
}

/**
 * ns_row_inputs_note:
 * @self: of a trace
 * @record: the next one in order of time that a row may come from
 */
void
ns_row_inputs_note (NsRowInputs *self, const NsRecord *record)
{
  guint32 buffer = record->ref.buffer;
  const Stretch *last = NULL;
  Stretch stretch;

  if (self->stretches->len > 0)
    {
      last = &g_array_index (self->stretches, Stretch, self->stretches->len - 1);
      if (buffer >= self->first_buffer && buffer < self->end_buffer)
        return;
    }
  stretch.input = ns_etl_file_find_input (self->file, buffer);
  stretch.time_ns = last != NULL ? MAX (last->time_ns, record->time_ns) : record->time_ns;
  if (last != NULL && last->input == stretch.input)
    {
      self->first_buffer = MIN (self->first_buffer, buffer);
      self->end_buffer = MAX (self->end_buffer, buffer + 1);
      return;
    }
  self->first_buffer = buffer;
  self->end_buffer = buffer + 1;
  g_array_append_val (self->stretches, stretch);
}

/**
 * ns_row_inputs_find:
 * @self: (nullable): of a trace
 * @time_ns: when the record of a row was written
 *
 * Of files that wrote something at the same moment the first one in order is told.
 *
 * Returns: (transfer none) (nullable): the name of the file that it stands in; %NULL if there is
 *   one only, or the moment is before all records
 */
const char *
ns_row_inputs_find (const NsRowInputs *self, gint64 time_ns)
{
  guint low = 0;
  guint high;

  if (self == NULL || !ns_time_is_set (time_ns))
    return NULL;
  high = self->stretches->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->stretches, Stretch, middle).time_ns <= time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  while (low > 1 && g_array_index (self->stretches, Stretch, low - 2).time_ns == time_ns)
    low--;
  return low > 0 ? self->names[g_array_index (self->stretches, Stretch, low - 1).input] : NULL;
}
