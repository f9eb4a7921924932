/* Converts raw times between the clocks of two traces, for inputs of a case with different clocks.
 *
 * The wall-clock times at the start of both traces connect the clocks. Times are converted once,
 * when a buffer is read, so that all readers, and the event times that stack records contain, use
 * one clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-scale.h"

#include "etl/ns-etl-buffer.h"
#include "etl/ns-etl-parse.h"

#include <string.h>

/* Hook group of kernel stacks, and its records that contain the time of another event. */
#define GROUP_STACK_WALK 0x18
#define TYPE_STACK_WALK 32
#define TYPE_STACK_KEY_KERNEL 37
#define TYPE_STACK_KEY_USER 38

/**
 * ns_etl_scale_init:
 * @self: (out): a scale
 * @from: the clock to convert from
 * @to: the clock to convert to
 *
 * Connects the clocks by the traces' wall-clock start times, with their accuracy.
 */
void
ns_etl_scale_init (NsEtlScale *self, const NsEtlClock *from, const NsEtlClock *to)
{
  gint64 apart = (gint64) (from->start_filetime - to->start_filetime);

  self->from = from->base;
  self->from_frequency = from->frequency;
  self->to_frequency = to->frequency;
  self->to = to->base + (guint64) ((__int128) apart * (gint64) to->frequency / NS_TICKS_PER_SECOND);
}

/**
 * ns_etl_scale_convert:
 * @self: a scale
 * @raw: raw time of the source clock
 *
 * Returns: raw time of the target clock, saturated
 */
guint64
ns_etl_scale_convert (const NsEtlScale *self, guint64 raw)
{
  __int128 counts = (__int128) raw - (__int128) self->from;
  __int128 there = (__int128) self->to;

  if (self->from_frequency == self->to_frequency)
    there += counts;
  else
    there += counts * (__int128) self->to_frequency / (__int128) self->from_frequency;
  return there < 0 ? 0 : there > G_MAXUINT64 ? G_MAXUINT64 : (guint64) there;
}

static void
convert_at (const NsEtlScale *self, guint8 *data, gsize at)
{
  guint64 raw;

  memcpy (&raw, data + at, sizeof raw);
  raw = GUINT64_TO_LE (ns_etl_scale_convert (self, GUINT64_FROM_LE (raw)));
  memcpy (data + at, &raw, sizeof raw);
}

/* Returns whether the payload of a record begins with the time of the event that it belongs to. */
static gboolean
names_an_event (const NsEtlStep *step, guint group, guint type)
{
  return group == GROUP_STACK_WALK && step->size >= step->header_size + sizeof (guint64) &&
         (type == TYPE_STACK_WALK || type == TYPE_STACK_KEY_KERNEL || type == TYPE_STACK_KEY_USER);
}

/**
 * ns_etl_scale_apply:
 * @self: a scale
 * @data: (inout) (array): a buffer, from its header on
 * @end: offset of the end of its records
 *
 * Converts the times of all records of a buffer, and the event times in stack records.
 */
void
ns_etl_scale_apply (const NsEtlScale *self, guint8 *data, gsize end)
{
  gsize pos = NS_ETL_BUFFER_HEADER_SIZE;
  NsEtlStepKind kind;
  NsEtlStep step;

  while ((kind = ns_etl_parse_step (data, end, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      guint group;
      guint type;

      pos = ns_etl_step_next (&step);
      if (kind != NS_ETL_STEP_RECORD || !step.has_time)
        continue;
      convert_at (self, data, ns_etl_parse_time_at (data, end, &step));
      if (ns_etl_parse_hook (data, end, &step, &group, &type) &&
          names_an_event (&step, group, type))
        convert_at (self, data, step.pos + step.header_size);
    }
}
