/* Converts raw times of a trace to nanoseconds since its start and to wall-clock time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-clock.h"

/* Frequency of the performance counter since Windows 10, assumed if the file lacks it. */
#define DEFAULT_FREQUENCY 10000000
#define HZ_PER_MHZ 1000000

/* Fixed-point format of the drift of two clocks: 2^40 is 1. Real clocks drift by less than 0.1. */
#define GAIN_BITS 40
#define MAX_DRIFT 0.1

/**
 * ns_etl_clock_init:
 * @self: (out): a clock
 * @header: the trace header
 *
 * Returns: %FALSE if the file lacks the frequency of its clock and a default was assumed
 */
gboolean
ns_etl_clock_init (NsEtlClock *self, const NsEtlHeader *header)
{
  gboolean is_given = TRUE;

  self->base = header->base_raw;
  self->start_filetime = header->start_filetime;
  self->kind = (NsClock) header->clock;
  if (header->clock < NS_CLOCK_QPC || header->clock > NS_CLOCK_CYCLE)
    self->kind = header->frequency != 0 ? NS_CLOCK_QPC : NS_CLOCK_SYSTEM;

  switch (self->kind)
    {
    case NS_CLOCK_SYSTEM:
      self->frequency = NS_TICKS_PER_SECOND;
      if (self->start_filetime != 0)
        self->base = self->start_filetime;
      else
        self->start_filetime = self->base;
      break;
    case NS_CLOCK_CYCLE:
      self->frequency = (guint64) header->cpu_mhz * HZ_PER_MHZ;
      break;
    case NS_CLOCK_QPC:
    default:
      self->frequency = header->frequency;
      break;
    }
  if (self->frequency == 0 || self->frequency > G_MAXINT64)
    {
      self->frequency = DEFAULT_FREQUENCY;
      is_given = FALSE;
    }

  self->ns_per_count = 0;
  self->max_counts = 0;
  self->zero_ns = 0;
  self->gain = 0;
  self->is_aligned = FALSE;
  if (NS_PER_SECOND % (gint64) self->frequency == 0)
    {
      self->ns_per_count = NS_PER_SECOND / (gint64) self->frequency;
      self->max_counts = NS_TIME_MAX / self->ns_per_count;
    }
  return is_given;
}

/* Converts to units since the start, rounded down and saturated within the limits of the type. */
static gint64
divide (const NsEtlClock *self, guint64 raw, gint64 per_second)
{
  gint64 counts = ns_etl_clock_get_counts (self, raw);
  gint64 frequency = (gint64) self->frequency;
  gint64 seconds = counts / frequency;
  gint64 rest = counts % frequency;
  gint64 units;

  if (rest < 0)
    {
      rest += frequency;
      seconds--;
    }
  /* Splits off whole seconds: counts × units would overflow after 25 hours at 10 MHz. */
  if (rest < G_MAXINT64 / per_second)
    rest = rest * per_second / frequency;
  else
    rest = (gint64) ((__int128) rest * per_second / frequency);
  if (__builtin_mul_overflow (seconds, per_second, &units) ||
      __builtin_add_overflow (units, rest, &units))
    units = seconds < 0 ? G_MININT64 : G_MAXINT64;
  return CLAMP (units, G_MININT64 + 1, G_MAXINT64 - 1);
}

/**
 * ns_etl_clock_align:
 * @self: (inout): a clock
 * @alignment: the mapping to the clock of another machine
 *
 * Makes @self return times of the other clock.
 */
void
ns_etl_clock_align (NsEtlClock *self, const NsEtlAlignment *alignment)
{
  self->is_aligned = TRUE;
  self->zero_ns = CLAMP (alignment->zero_ns, -NS_TIME_MAX, NS_TIME_MAX);
  self->gain = (gint64) (CLAMP (alignment->drift, -MAX_DRIFT, MAX_DRIFT) *
                         (double) (G_GINT64_CONSTANT (1) << GAIN_BITS));
  self->start_filetime = alignment->zero_filetime;
  /* Disables the fast path of ns_etl_clock_to_ns(). */
  self->max_counts = 0;
}

/**
 * ns_etl_clock_to_ns_by_division:
 * @self: a clock
 * @raw: raw time of an event
 *
 * Like ns_etl_clock_to_ns(), for all clocks and times.
 *
 * Returns: nanoseconds since the start, rounded down, within ±%NS_TIME_MAX
 */
gint64
ns_etl_clock_to_ns_by_division (const NsEtlClock *self, guint64 raw)
{
  gint64 time_ns = CLAMP (divide (self, raw, NS_PER_SECOND), -NS_TIME_MAX, NS_TIME_MAX);
  __int128 aligned;

  if (!self->is_aligned)
    return time_ns;
  aligned = (__int128) self->zero_ns + time_ns + (((__int128) time_ns * self->gain) >> GAIN_BITS);
  return (gint64) CLAMP (aligned, -NS_TIME_MAX, NS_TIME_MAX);
}

/**
 * ns_etl_clock_to_filetime:
 * @self: a clock
 * @raw: raw time of an event
 *
 * Returns: 100 ns since 1601, UTC, rounded down
 */
guint64
ns_etl_clock_to_filetime (const NsEtlClock *self, guint64 raw)
{
  if (self->is_aligned)
    {
      gint64 time_ns = ns_etl_clock_to_ns_by_division (self, raw);

      return self->start_filetime + (guint64) (time_ns / 100 - (time_ns % 100 < 0));
    }
  if (self->kind == NS_CLOCK_SYSTEM)
    return raw;
  return self->start_filetime + (guint64) divide (self, raw, NS_TICKS_PER_SECOND);
}
