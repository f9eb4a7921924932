/* Playback of a trace: position, speed and end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "model/ns-playback.h"

#include <string.h>

/**
 * ns_playback_init:
 * @self: a playback
 * @whole: the time span to play
 *
 * Sets the position to the beginning.
 */
void
ns_playback_init (NsPlayback *self, NsTimeSpan whole)
{
  self->whole = whole;
  self->time_ns = whole.begin_ns;
  self->speed = 1;
  self->is_playing = FALSE;
}

/**
 * ns_playback_set_speed:
 * @self: a playback
 * @speed: seconds of the trace per second
 */
void
ns_playback_set_speed (NsPlayback *self, double speed)
{
  self->speed = CLAMP (speed, NS_PLAYBACK_MIN_SPEED, NS_PLAYBACK_MAX_SPEED);
}

/**
 * ns_playback_go:
 * @self: a playback
 * @time_ns: a position; clamped to the time span
 */
void
ns_playback_go (NsPlayback *self, gint64 time_ns)
{
  self->time_ns = CLAMP (time_ns, self->whole.begin_ns, self->whole.end_ns);
}

/**
 * ns_playback_advance:
 * @self: a playback
 * @passed_us: elapsed real time
 *
 * Advances the position while playing, and pauses at the end.
 *
 * Returns: whether the position has changed
 */
gboolean
ns_playback_advance (NsPlayback *self, gint64 passed_us)
{
  double left = (double) (self->whole.end_ns - self->time_ns);
  double step = (double) passed_us * 1000 * self->speed;

  if (!self->is_playing || passed_us <= 0)
    return FALSE;
  self->time_ns = step < left ? self->time_ns + (gint64) step : self->whole.end_ns;
  if (self->time_ns == self->whole.end_ns)
    self->is_playing = FALSE;
  return TRUE;
}

/**
 * ns_playback_step:
 * @self: a playback
 * @trace: the trace
 * @by: 1 for the next event, -1 for the previous one
 *
 * Moves to the time of an event and pauses.
 *
 * Returns: whether there was one
 */
gboolean
ns_playback_step (NsPlayback *self, const NsTrace *trace, int by)
{
  guint after = self->time_ns < G_MAXINT64 ? ns_trace_find_event_from (trace, self->time_ns + 1)
                                           : trace->events->len;
  gint64 time_ns;

  self->is_playing = FALSE;
  if (by < 0)
    {
      after = ns_trace_find_event_from (trace, self->time_ns);
      if (after == 0)
        return FALSE;
      after--;
    }
  else if (after >= trace->events->len)
    return FALSE;
  time_ns = ns_trace_get_event_time (trace, after);
  ns_playback_go (self, time_ns);
  return TRUE;
}

/**
 * ns_playback_dup_filter:
 * @self: a playback
 * @table: a table
 * @filter: its current filter, may be empty
 *
 * Returns: (transfer full): a filter for the rows that have begun by the playback position
 */
char *
ns_playback_dup_filter (const NsPlayback *self, NsTableId table, const char *filter)
{
  static const char *const begins[] = { "open_ns",  "time_ns", "create_ns", "start_ns",
                                        "begin_ns", "load_ns", "first_ns" };
  /* A finding is known at the end of its last row. */
  static const char *const ends[] = { "close_ns" };
  gboolean is_finding = table == NS_TABLE_FINDINGS;
  const char *const *ids = is_finding ? ends : begins;
  gsize n_ids = is_finding ? G_N_ELEMENTS (ends) : G_N_ELEMENTS (begins);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gsize i;

  g_ascii_formatd (number, sizeof number, "%.9f", (double) self->time_ns / 1e9);
  for (i = 0; i < n_ids; i++)
    {
      const NsField *field = ns_table_find_field (table, ids[i]);

      /* A row without a time existed before the trace began. */
      if (field != NULL && strcmp (field->id, ids[i]) == 0)
        return *filter != '\0' ? g_strdup_printf ("(%s) and not %s>%ss", filter, ids[i], number)
                               : g_strdup_printf ("not %s>%ss", ids[i], number);
    }
  return g_strdup (filter);
}
