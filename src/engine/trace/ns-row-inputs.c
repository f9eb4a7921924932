/* Finds the file of a case that a row comes from, by the time of its record.
 *
 * Records come in time order; the times at which the file changes are stored. A row has the time
 * of its first record, so it needs no member for the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-row-inputs.h"

/* Consecutive records of one file (stretches), within 2^32 ns of the first stretch of their
 * block. If files were recorded at the same time, nearly each record begins a stretch, so a
 * stretch takes only six bytes. */
typedef struct
{
  gint64 time_ns; /* begin of the first stretch */
  guint first;    /* index of the first stretch */
} Block;

struct _NsRowInputs
{
  const NsEtlFile *file;
  GArray *blocks; /* Block, in time order */
  GArray *begins; /* guint32, by stretch: begin relative to its block */
  GArray *inputs; /* guint16, by stretch */
  gint64 last_ns; /* begin of the last stretch */
  char **names;
  guint32 first_buffer; /* of the last stretch's file: first known buffer */
  guint32 end_buffer;   /* and end of the known buffers */
};

/**
 * ns_row_inputs_new:
 * @file: a trace; it must outlive the result
 *
 * Returns: (transfer full) (nullable): an empty index; %NULL if there is only one file
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
  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  self->begins = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (guint16));
  self->names = g_new0 (char *, n_inputs + 1);
  for (i = 0; i < n_inputs; i++)
    self->names[i] = ns_etl_file_dup_input_name (file, i);
  return self;
}

/**
 * ns_row_inputs_free:
 * @self: (transfer full) (nullable): an index
 */
void
ns_row_inputs_free (NsRowInputs *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->blocks);
  g_array_unref (self->begins);
  g_array_unref (self->inputs);
  g_strfreev (self->names);
  g_free (self);
}

static void
add_stretch (NsRowInputs *self, gint64 time_ns, guint16 input)
{
  const Block *block =
      self->blocks->len > 0 ? &g_array_index (self->blocks, Block, self->blocks->len - 1) : NULL;
  guint32 begin = 0;

  if (block == NULL || time_ns - block->time_ns > G_MAXUINT32)
    {
      Block next = { time_ns, self->begins->len };

      g_array_append_val (self->blocks, next);
    }
  else
    begin = (guint32) (time_ns - block->time_ns);
  g_array_append_val (self->begins, begin);
  g_array_append_val (self->inputs, input);
  self->last_ns = time_ns;
}

/**
 * ns_row_inputs_note:
 * @self: an index
 * @record: the next record, in time order, that may belong to a row
 */
void
ns_row_inputs_note (NsRowInputs *self, const NsRecord *record)
{
  guint32 buffer = record->ref.buffer;
  guint n = self->inputs->len;
  guint16 input;

  if (n > 0 && buffer >= self->first_buffer && buffer < self->end_buffer)
    return;
  /* The file rarely changes between records. */
  input = (guint16) ns_etl_file_find_input (self->file, buffer);
  if (n > 0 && g_array_index (self->inputs, guint16, n - 1) == input)
    {
      self->first_buffer = MIN (self->first_buffer, buffer);
      self->end_buffer = MAX (self->end_buffer, buffer + 1);
      return;
    }
  self->first_buffer = buffer;
  self->end_buffer = buffer + 1;
  add_stretch (self, n > 0 ? MAX (self->last_ns, record->time_ns) : record->time_ns, input);
}

/* Returns the number of blocks that begin at a time or before. */
static guint
count_blocks (const NsRowInputs *self, gint64 time_ns)
{
  guint low = 0;
  guint high = self->blocks->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->blocks, Block, middle).time_ns <= time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * ns_row_inputs_find:
 * @self: (nullable): an index
 * @time_ns: time of a row's record
 *
 * If several files have records with this time, the first of them is returned.
 *
 * Returns: (transfer none) (nullable): the name of its file; %NULL if there is only one, or if the
 *   time is before all records
 */
const char *
ns_row_inputs_find (const NsRowInputs *self, gint64 time_ns)
{
  const Block *block;
  guint n_blocks;
  guint32 begin;
  guint low;
  guint high;

  if (self == NULL || !ns_time_is_set (time_ns))
    return NULL;
  n_blocks = count_blocks (self, time_ns);
  if (n_blocks == 0)
    return NULL;
  block = &g_array_index (self->blocks, Block, n_blocks - 1);
  begin = (guint32) MIN (time_ns - block->time_ns, G_MAXUINT32);
  low = block->first;
  high = n_blocks < self->blocks->len ? g_array_index (self->blocks, Block, n_blocks).first
                                      : self->begins->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->begins, guint32, middle) <= begin)
        low = middle + 1;
      else
        high = middle;
    }
  /* Stretches with the same begin are in the same block. */
  while (low > block->first + 1 && g_array_index (self->begins, guint32, low - 2) == begin)
    low--;
  return self->names[g_array_index (self->inputs, guint16, low - 1)];
}
