/* A moment that goes through a trace: how far it is, how fast it goes, where it stops.
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
 * @whole: what to go through
 *
 * Stands at the beginning.
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
 * @speed: seconds of the trace in a second
 */
void
ns_playback_set_speed (NsPlayback *self, double speed)
{
  self->speed = CLAMP (speed, NS_PLAYBACK_MIN_SPEED, NS_PLAYBACK_MAX_SPEED);
}

/**
 * ns_playback_go:
 * @self: a playback
 * @time_ns: a moment; one outside is moved to the nearer end
 */
void
ns_playback_go (NsPlayback *self, gint64 time_ns)
{
  self->time_ns = CLAMP (time_ns, self->whole.begin_ns, self->whole.end_ns);
}

/**
 * ns_playback_advance:
 * @self: a playback
 * @passed_us: how much time has gone by outside
 *
 * Moves on if it plays, and pauses at the end.
 *
 * Returns: whether the moment is another now
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
 * @by: 1 for the next event, -1 for the one before
 *
 * Goes to a moment at which something was recorded, and pauses.
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
 * @filter: what it is filtered by besides, maybe empty
 *
 * Returns: (transfer full): a filter that keeps what had begun by the moment
 */
char *
ns_playback_dup_filter (const NsPlayback *self, NsTableId table, const char *filter)
{
  static const char *const begins[] = { "open_ns",  "time_ns", "create_ns", "start_ns",
                                        "begin_ns", "load_ns", "first_ns" };
  /* What went wrong is found when the last of its rows has come to its end. */
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

      /* Without a time it was there before the trace began. */
      if (field != NULL && strcmp (field->id, ids[i]) == 0)
        return *filter != '\0' ? g_strdup_printf ("(%s) and not %s>%ss", filter, ids[i], number)
                               : g_strdup_printf ("not %s>%ss", ids[i], number);
    }
  return g_strdup (filter);
}
