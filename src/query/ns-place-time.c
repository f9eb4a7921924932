/* Parses times as users and logs write them; a time without a zone is in the time zone of the
 * traced machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-place-time.h"

#include <stdio.h>
#include <string.h>

#define MAX_STAMP_BYTES 64
/* Number of digits of a present-day FILETIME, and of a time in milliseconds since 1970. */
#define FILETIME_DIGITS 18
#define UNIX_MS_DIGITS 13
#define TICKS_PER_MS (NS_TICKS_PER_SECOND / 1000)

/* Returns the UTC offset of the traced machine's clock at a time, in ticks. */
static gint64
get_offset (const NsTrace *trace, guint64 filetime)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);

  return ns_zone_get_offset_min (&header->zone, filetime) * 60 * NS_TICKS_PER_SECOND;
}

/* Converts a local time to UTC; near a daylight saving change to either of the two possible
 * times. */
static guint64
from_local (const NsTrace *trace, guint64 local)
{
  guint64 near = local - (guint64) get_offset (trace, local);

  return local - (guint64) get_offset (trace, near);
}

static gboolean
set_filetime (const NsTrace *trace, guint64 filetime, gint64 *time_ns)
{
  gint64 ticks = (gint64) (filetime - ns_etl_file_ns_to_filetime (trace->file, 0));

  if (ticks > NS_TIME_MAX / 100 || ticks < -NS_TIME_MAX / 100)
    return FALSE;
  *time_ns = ticks * 100;
  return TRUE;
}

/* Returns whether the time of day is followed by a zone. */
static gboolean
has_zone (const char *text)
{
  const char *clock = strchr (text, 'T');

  return clock != NULL && strpbrk (clock + 1, "Z+-") != NULL;
}

/* Parses `2024-01-31T12:00:05.123`; also with a space in place of the T, and a comma in place of
 * the point. */
static gboolean
parse_iso (const NsTrace *trace, const char *text, gint64 *time_ns)
{
  g_autofree char *stamp = g_strdup (text);
  char *space = strchr (stamp, ' ');
  guint64 filetime;
  gboolean is_local;

  if (space != NULL)
    {
      *space = 'T';
      /* Some logs have a space before `+0200` or `UTC`. */
      space = strchr (space + 1, ' ');
    }
  if (space != NULL && (strcmp (space, " UTC") == 0 || strcmp (space, " GMT") == 0))
    strcpy (space, "Z");
  else if (space != NULL)
    memmove (space, space + 1, strlen (space));
  is_local = !has_zone (stamp);
  if (!ns_time_filetime_from_iso (stamp, &filetime))
    return FALSE;
  if (is_local)
    filetime = from_local (trace, filetime);
  return set_filetime (trace, filetime, time_ns);
}

static int
find_month (const char *name)
{
  static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const char *found = strlen (name) == 3 ? strstr (names, name) : NULL;

  return found != NULL && (found - names) % 3 == 0 ? (int) (found - names) / 3 + 1 : 0;
}

/* Parses `[31/Jan/2024:12:00:05 +0100]` of web servers and `Wed, 31 Jan 2024 12:00:05 GMT` of
 * HTTP. */
static gboolean
parse_server_log (const NsTrace *trace, const char *text, gint64 *time_ns)
{
  g_autofree char *iso = NULL;
  char month[4] = "";
  char zone[8] = "";
  int day;
  int year;
  int hour;
  int minute;
  int second;

  text += *text == '[';
  if (sscanf (text,
              "%2d/%3[A-Za-z]/%4d:%2d:%2d:%2d %7[^]]",
              &day,
              month,
              &year,
              &hour,
              &minute,
              &second,
              zone) < 6 &&
      sscanf (text,
              "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d %7s",
              &day,
              month,
              &year,
              &hour,
              &minute,
              &second,
              zone) < 6)
    return FALSE;
  if (find_month (month) == 0)
    return FALSE;
  iso = g_strdup_printf ("%04d-%02d-%02dT%02d:%02d:%02d%s",
                         year,
                         find_month (month),
                         day,
                         hour,
                         minute,
                         second,
                         strcmp (zone, "GMT") == 0 || strcmp (zone, "UTC") == 0 ? "Z" : zone);
  return parse_iso (trace, iso, time_ns);
}

/* Parses `12:00:05.123`: on the day of the trace's start, in the time zone of the traced
 * machine. */
static gboolean
parse_clock (const NsTrace *trace, const char *text, gint64 *time_ns)
{
  g_autofree char *begin = NULL;
  g_autofree char *iso = NULL;
  guint64 start;

  if (strspn (text, "0123456789:.,") != strlen (text) || strchr (text, ':') == NULL ||
      strlen (text) < strlen ("00:00:00") || text[2] != ':' || text[5] != ':')
    return FALSE;
  start = ns_etl_file_ns_to_filetime (trace->file, 0);
  begin = ns_time_filetime_to_iso (start + (guint64) get_offset (trace, start), 0, FALSE);
  iso = g_strdup_printf ("%.10sT%s", begin, text);
  return parse_iso (trace, iso, time_ns);
}

/* Parses `12.104 s`, `350ms`, `t=2.5s`: since the start of the trace. A number without a unit
 * needs a decimal point. */
static gboolean
parse_since_start (const char *text, gint64 *time_ns)
{
  char *unit;
  double value;

  if (g_str_has_prefix (text, "t="))
    text += strlen ("t=");
  if (!g_ascii_isdigit (*text))
    return FALSE;
  value = g_ascii_strtod (text, &unit);
  if (*unit == '\0' && strchr (text, '.') == NULL)
    return FALSE;
  unit += strspn (unit, " ");
  if (strcmp (unit, "ms") == 0)
    value /= 1e3;
  else if (strcmp (unit, "us") == 0 || strcmp (unit, "\302\265s") == 0)
    value /= 1e6;
  else if (*unit != '\0' && strcmp (unit, "s") != 0)
    return FALSE;
  if (!(value >= 0 && value < 9e9))
    return FALSE;
  *time_ns = (gint64) (value * 1e9 + 0.5);
  return TRUE;
}

/* Parses FILETIMEs and Unix times. */
static gboolean
parse_epoch (const NsTrace *trace, const char *text, gint64 *time_ns)
{
  gsize length = strlen (text);
  guint64 number;

  if ((length != FILETIME_DIGITS && length != UNIX_MS_DIGITS) ||
      !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &number, NULL))
    return FALSE;
  if (length == UNIX_MS_DIGITS)
    number = number * TICKS_PER_MS + NS_FILETIME_UNIX_EPOCH;
  return set_filetime (trace, number, time_ns);
}

/**
 * ns_place_parse_time: (skip)
 * @trace: a trace
 * @text: a text
 * @time_ns: (out): the time
 *
 * Returns: %TRUE if @text is a time, inside or outside of the trace
 */
gboolean
ns_place_parse_time (const NsTrace *trace, const char *text, gint64 *time_ns)
{
  if (strlen (text) > MAX_STAMP_BYTES || trace->file == NULL)
    return FALSE;
  return parse_since_start (text, time_ns) || parse_epoch (trace, text, time_ns) ||
         parse_clock (trace, text, time_ns) || parse_server_log (trace, text, time_ns) ||
         parse_iso (trace, text, time_ns);
}
