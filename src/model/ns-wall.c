/* Clocks for showing times: relative to the trace, of the traced machine, UTC, or of this machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-wall.h"

#include <string.h>

#define NS_PER_MINUTE (60 * NS_PER_SECOND)
#define NS_PER_DAY (24 * 60 * NS_PER_MINUTE)
/* Offsets of the parts in an ISO 8601 text. */
#define MONTH_AT 5
#define CLOCK_AT 11
#define FRACTION_AT 20
#define THIN_SPACE "\342\200\211"

static const char *const names[NS_N_WALLS] = { "trace", "machine", "utc", "here" };

/**
 * ns_wall_get_name:
 * @self: a clock
 *
 * Returns: its name in actions and stored views
 */
const char *
ns_wall_get_name (NsWall self)
{
  g_return_val_if_fail (self < NS_N_WALLS, NULL);

  return names[self];
}

/**
 * ns_wall_from_name:
 * @name: a name from ns_wall_get_name()
 * @wall: (out): the clock
 *
 * Returns: whether there is such a clock
 */
gboolean
ns_wall_from_name (const char *name, NsWall *wall)
{
  guint i;

  for (i = 0; i < NS_N_WALLS; i++)
    if (g_strcmp0 (name, names[i]) == 0)
      {
        *wall = (NsWall) i;
        return TRUE;
      }
  return FALSE;
}

static int
offset_here_min (guint64 filetime)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  gint64 seconds = ((gint64) MIN (filetime, (guint64) G_MAXINT64) - NS_FILETIME_UNIX_EPOCH) /
                   NS_TICKS_PER_SECOND;
  int interval = g_time_zone_find_interval (zone, G_TIME_TYPE_UNIVERSAL, seconds);

  return interval < 0 ? 0 : g_time_zone_get_offset (zone, interval) / 60;
}

static int
offset_min (NsWall self, const NsTrace *trace, guint64 filetime)
{
  switch (self)
    {
    case NS_WALL_TRACED:
      return ns_zone_get_offset_min (&ns_etl_file_get_header (trace->file)->zone, filetime);
    case NS_WALL_HERE:
      return offset_here_min (filetime);
    case NS_WALL_TRACE:
    case NS_WALL_UTC:
    case NS_N_WALLS:
    default:
      return 0;
    }
}

static char *
stamp_of (NsWall self, const NsTrace *trace, gint64 time_ns)
{
  guint64 filetime = ns_etl_file_ns_to_filetime (trace->file, time_ns);

  return ns_time_filetime_to_iso (filetime, offset_min (self, trace, filetime), FALSE);
}

/**
 * ns_wall_get_base_ns:
 * @self: a clock
 * @trace: a trace
 *
 * Returns: ns from midnight by that clock to the start of the trace, or −1 for %NS_WALL_TRACE
 */
gint64
ns_wall_get_base_ns (NsWall self, const NsTrace *trace)
{
  guint64 filetime;
  gint64 ticks;

  if (self == NS_WALL_TRACE || trace->file == NULL)
    return -1;
  filetime = ns_etl_file_ns_to_filetime (trace->file, 0);
  ticks = (gint64) (filetime % (guint64) (NS_PER_DAY / 100));
  ticks += offset_min (self, trace, filetime) * (NS_PER_MINUTE / 100);
  return (ticks * 100 % NS_PER_DAY + NS_PER_DAY) % NS_PER_DAY;
}

/**
 * ns_wall_append:
 * @self: a clock other than %NS_WALL_TRACE
 * @trace: a trace
 * @time_ns: a time
 * @text: the string to append to
 *
 * Appends the time of day with microseconds, preceded by month and day if the trace began on
 * another day.
 */
void
ns_wall_append (NsWall self, const NsTrace *trace, gint64 time_ns, GString *text)
{
  g_autofree char *stamp = NULL;
  g_autofree char *first = NULL;

  if (self == NS_WALL_TRACE || trace->file == NULL)
    return;
  stamp = stamp_of (self, trace, time_ns);
  first = stamp_of (self, trace, 0);
  if (strlen (stamp) < FRACTION_AT + 6)
    return;
  if (strncmp (stamp, first, CLOCK_AT) != 0)
    g_string_append_printf (text, "%.5s ", stamp + MONTH_AT);
  g_string_append_len (text, stamp + CLOCK_AT, FRACTION_AT - CLOCK_AT + 3);
  g_string_append (text, THIN_SPACE);
  g_string_append_len (text, stamp + FRACTION_AT + 3, 3);
}

/**
 * ns_wall_describe:
 * @self: a clock
 * @trace: a trace
 * @time_ns: a time
 *
 * Returns: (transfer full) (nullable): date and time with milliseconds; %NULL for %NS_WALL_TRACE
 */
char *
ns_wall_describe (NsWall self, const NsTrace *trace, gint64 time_ns)
{
  g_autofree char *stamp = NULL;

  if (self == NS_WALL_TRACE || trace->file == NULL || !ns_time_is_set (time_ns))
    return NULL;
  stamp = stamp_of (self, trace, time_ns);
  if (strlen (stamp) < FRACTION_AT + 3)
    return NULL;
  return g_strdup_printf ("%.10s %.12s", stamp, stamp + CLOCK_AT);
}
