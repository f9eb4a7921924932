/* Parses times in logs.
 *
 * A timestamp without a zone is UTC in the W3C format, and in all others local time of the traced
 * machine, whose zone is in the trace header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <string.h>

#define TICKS_PER_MINUTE (60 * NS_TICKS_PER_SECOND)
#define TICKS_PER_DAY (G_GINT64_CONSTANT (86400) * NS_TICKS_PER_SECOND)
#define DAYS_TO_1601 (-134774) /* from 1970 */
#define MAX_FRACTION 9
#define MAX_DIGITS 19

typedef struct
{
  gint64 year;
  guint month;
  guint day;
  guint hour;
  guint minute;
  guint second;
  gint64 ticks; /* fraction of a second */
  guint n_fraction;
  gboolean has_seconds;
  gboolean has_zone;
  int offset_min;
} Stamp;

/* Returns the days since 1970-01-01 of a date in the Gregorian calendar:
 * http://howardhinnant.github.io/date_algorithms.html */
static gint64
days_of (gint64 year, guint month, guint day)
{
  gint64 y = month <= 2 ? year - 1 : year;
  gint64 era = y / 400;
  gint64 year_of_era = y - era * 400;
  gint64 day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719468;
}

static gboolean
take_number (const char **at, guint max_digits, gint64 *number, guint *n_digits)
{
  const char *p = *at;

  *number = 0;
  while (g_ascii_isdigit (*p) && (guint) (p - *at) < max_digits)
    *number = *number * 10 + g_ascii_digit_value (*p++);
  *n_digits = (guint) (p - *at);
  *at = p;
  return *n_digits > 0;
}

static gboolean
take_two (const char **at, guint max, guint *number)
{
  guint n_digits;
  gint64 value;

  if (!take_number (at, 2, &value, &n_digits) || value > max)
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

static void
take_fraction (const char **at, Stamp *stamp)
{
  gint64 unit = NS_TICKS_PER_SECOND / 10;

  if ((**at != '.' && **at != ',') || !g_ascii_isdigit ((*at)[1]))
    return;
  for ((*at)++; g_ascii_isdigit (**at); (*at)++, unit /= 10)
    {
      stamp->ticks += g_ascii_digit_value (**at) * unit;
      stamp->n_fraction = MIN (stamp->n_fraction + 1, MAX_FRACTION);
    }
}

/* Parses `9:41`, `09:41:30.123`, `9:41:30 PM`. */
static gboolean
take_time_of_day (const char **at, Stamp *stamp)
{
  const char *p;

  if (!take_two (at, 24, &stamp->hour) || **at != ':')
    return FALSE;
  (*at)++;
  if (!take_two (at, 59, &stamp->minute))
    return FALSE;
  if (**at == ':')
    {
      (*at)++;
      if (!take_two (at, 60, &stamp->second))
        return FALSE;
      stamp->has_seconds = TRUE;
      take_fraction (at, stamp);
    }
  for (p = *at;
       *p == ' ' || g_str_has_prefix (p, "\xc2\xa0") || g_str_has_prefix (p, "\xe2\x80\xaf");)
    p = g_utf8_next_char (p);
  if (g_ascii_strncasecmp (p, "am", 2) == 0 || g_ascii_strncasecmp (p, "pm", 2) == 0)
    {
      if (stamp->hour == 0 || stamp->hour > 12)
        return FALSE;
      stamp->hour = stamp->hour % 12 + (g_ascii_tolower (*p) == 'p' ? 12 : 0);
      *at = p + 2;
    }
  return TRUE;
}

/* Parses `Z`, `UTC`, `+01:00`, `-0530`, `+02`, or nothing. */
static gboolean
take_zone (const char **at, Stamp *stamp)
{
  const char *p = *at;
  guint minutes = 0;
  gboolean is_west;
  guint hours;

  while (*p == ' ')
    p++;
  if (g_ascii_strncasecmp (p, "utc", 3) == 0 || g_ascii_strncasecmp (p, "gmt", 3) == 0)
    {
      stamp->has_zone = TRUE;
      *at = p + 3;
      return TRUE;
    }
  if (*p == 'Z' || *p == 'z')
    {
      stamp->has_zone = TRUE;
      *at = p + 1;
      return TRUE;
    }
  if (*p != '+' && *p != '-')
    return TRUE;
  is_west = *p++ == '-';
  if (!take_two (&p, 15, &hours))
    return FALSE;
  if (*p == ':')
    p++;
  if (g_ascii_isdigit (*p) && !take_two (&p, 59, &minutes))
    return FALSE;
  stamp->offset_min = (int) (hours * 60 + minutes) * (is_west ? -1 : 1);
  stamp->has_zone = TRUE;
  *at = p;
  return TRUE;
}

/* Parses `2026-11-20`, `2026/11/20`, `11/20/2026`, `20.11.2026`. */
static gboolean
take_date (const char **at, Stamp *stamp)
{
  guint n_digits;
  gint64 first;
  gint64 second;
  gint64 third;
  char mark;

  if (!take_number (at, 4, &first, &n_digits))
    return FALSE;
  mark = **at;
  if (mark != '-' && mark != '/' && mark != '.')
    return FALSE;
  (*at)++;
  stamp->year = n_digits == 4 ? first : 0;
  if (!take_number (at, 2, &second, &n_digits) || **at != mark)
    return FALSE;
  (*at)++;
  if (!take_number (at, 4, &third, &n_digits))
    return FALSE;
  if (stamp->year != 0)
    {
      stamp->month = (guint) second;
      stamp->day = (guint) third;
    }
  else
    {
      /* With points the day comes first; with slashes the month, unless it is greater than 12. */
      gboolean is_day_first = mark != '/' || first > 12;

      stamp->year = n_digits <= 2 ? third + 2000 : third;
      stamp->month = (guint) (is_day_first ? second : first);
      stamp->day = (guint) (is_day_first ? first : second);
    }
  return stamp->year >= 1601 && stamp->month >= 1 && stamp->month <= 12 && stamp->day >= 1 &&
         stamp->day <= 31;
}

static gint64
unit_of (const Stamp *stamp)
{
  gint64 unit = NS_PER_SECOND;
  guint i;

  if (!stamp->has_seconds)
    return 60 * NS_PER_SECOND;
  for (i = 0; i < stamp->n_fraction; i++)
    unit /= 10;
  return MAX (unit, 100);
}

static gint64
time_of_day (const Stamp *stamp)
{
  return ((gint64) stamp->hour * 3600 + stamp->minute * 60 + stamp->second) * NS_TICKS_PER_SECOND +
         stamp->ticks;
}

/* Converts local time to UTC; an ambiguous time in autumn becomes either of both. */
static guint64
time_from_local (const NsZone *zone, guint64 local)
{
  gint64 offset;
  guint64 utc;

  if (zone == NULL)
    return local;
  offset = ns_zone_get_offset_min (zone, local) * TICKS_PER_MINUTE;
  utc = (gint64) local > offset ? (guint64) ((gint64) local - offset) : 0;
  offset = ns_zone_get_offset_min (zone, utc) * TICKS_PER_MINUTE;
  return (gint64) local > offset ? (guint64) ((gint64) local - offset) : 0;
}

static gboolean
finish (const Stamp *stamp,
        NsSideClock clock,
        const NsSideOptions *options,
        guint64 *filetime,
        gint64 *uncertainty_ns)
{
  gint64 ticks = (days_of (stamp->year, stamp->month, stamp->day) - DAYS_TO_1601) * TICKS_PER_DAY +
                 time_of_day (stamp) - (gint64) stamp->offset_min * TICKS_PER_MINUTE;

  if (ticks < 0)
    return FALSE;
  *filetime = (guint64) ticks;
  if (!stamp->has_zone && clock == NS_SIDE_CLOCK_LOCAL)
    *filetime = time_from_local (options->zone, *filetime);
  *uncertainty_ns = unit_of (stamp) / 2;
  return TRUE;
}

/* Parses a count since 1970 or 1601; its magnitude tells the unit unambiguously for centuries. */
static gboolean
parse_count (const char *text, guint64 *filetime, gint64 *uncertainty_ns)
{
  gint64 per_second = 1;
  const char *p = text;
  Stamp stamp = { .has_seconds = TRUE };
  guint n_digits;
  gint64 number;

  if (!take_number (&p, MAX_DIGITS - 1, &number, &n_digits) || g_ascii_isdigit (*p) || n_digits < 9)
    return FALSE;
  if (number >= NS_FILETIME_UNIX_EPOCH && number < 3 * NS_FILETIME_UNIX_EPOCH)
    {
      *filetime = (guint64) number;
      *uncertainty_ns = 50;
      return *p == '\0';
    }
  if (n_digits >= 12 && n_digits < 15)
    per_second = 1000;
  else if (n_digits >= 15)
    per_second = 1000000;
  if (per_second == 1)
    take_fraction (&p, &stamp);
  while (*p == ' ')
    p++;
  if (*p != '\0' || number / per_second > G_MAXINT32 * G_GINT64_CONSTANT (64))
    return FALSE;
  *filetime = (guint64) (number / per_second * NS_TICKS_PER_SECOND +
                         number % per_second * (NS_TICKS_PER_SECOND / per_second) + stamp.ticks +
                         NS_FILETIME_UNIX_EPOCH);
  *uncertainty_ns = per_second == 1 ? unit_of (&stamp) / 2 : NS_PER_SECOND / per_second / 2;
  return TRUE;
}

/**
 * ns_side_time_parse: (skip)
 * @text: a date with a time of day, or a count of seconds, ms, µs since 1970, or a FILETIME
 * @clock: the clock of a timestamp without a zone
 * @options: the zone
 * @filetime: (out): the time
 * @uncertainty_ns: (out): half of its unit
 *
 * Returns: whether it is a time
 */
gboolean
ns_side_time_parse (const char *text,
                    NsSideClock clock,
                    const NsSideOptions *options,
                    guint64 *filetime,
                    gint64 *uncertainty_ns)
{
  const char *p = text;
  Stamp stamp = { 0 };

  while (*p == ' ' || *p == '[')
    p++;
  if (parse_count (p, filetime, uncertainty_ns))
    return TRUE;
  if (!take_date (&p, &stamp))
    return FALSE;
  if (*p == 'T' || *p == 't')
    p++;
  while (*p == ' ' || *p == ',')
    p++;
  if (!take_time_of_day (&p, &stamp) || !take_zone (&p, &stamp))
    return FALSE;
  return finish (&stamp, clock, options, filetime, uncertainty_ns);
}

/**
 * ns_side_time_parse_of_day: (skip)
 * @text: a local time of day
 * @options: the zone, and a time of the trace
 * @filetime: (out): the nearest such time to the trace
 * @uncertainty_ns: (out): half of its unit
 *
 * Returns: whether it is a time of day
 */
gboolean
ns_side_time_parse_of_day (const char *text,
                           const NsSideOptions *options,
                           guint64 *filetime,
                           gint64 *uncertainty_ns)
{
  gint64 offset =
      options->zone != NULL
          ? ns_zone_get_offset_min (options->zone, options->near_filetime) * TICKS_PER_MINUTE
          : 0;
  gint64 near = (gint64) options->near_filetime + offset;
  const char *p = text;
  Stamp stamp = { 0 };
  gint64 local;

  while (*p == ' ')
    p++;
  if (!take_time_of_day (&p, &stamp))
    return FALSE;
  local = near / TICKS_PER_DAY * TICKS_PER_DAY + time_of_day (&stamp);
  if (local - near > TICKS_PER_DAY / 2)
    local -= TICKS_PER_DAY;
  else if (near - local > TICKS_PER_DAY / 2)
    local += TICKS_PER_DAY;
  *filetime = time_from_local (options->zone, (guint64) MAX (local, 0));
  *uncertainty_ns = unit_of (&stamp) / 2;
  return TRUE;
}

/**
 * ns_side_time_parse_short: (skip)
 * @text: `Nov 20 09:41:30` (RFC 3164), local time
 * @options: the zone, and a time of the trace, which decides the year: the nearest one is taken
 * @end: (out): end of the timestamp
 * @filetime: (out): the time
 *
 * Returns: whether it is such a timestamp
 */
gboolean
ns_side_time_parse_short (const char *text,
                          const NsSideOptions *options,
                          const char **end,
                          guint64 *filetime)
{
  static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  gint64 best_apart = G_MAXINT64;
  gint64 uncertainty_ns;
  const char *p = text;
  Stamp stamp = { 0 };
  gint64 year;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (months) && strncmp (p, months[i], 3) != 0; i++)
    ;
  if (i == G_N_ELEMENTS (months) || p[3] != ' ')
    return FALSE;
  stamp.month = i + 1;
  for (p += 4; *p == ' ';)
    p++;
  if (!take_two (&p, 31, &stamp.day) || stamp.day == 0 || *p != ' ')
    return FALSE;
  p++;
  if (!take_time_of_day (&p, &stamp) || !stamp.has_seconds)
    return FALSE;
  *end = p;
  /* The mean length of a year is precise enough to select three candidates. */
  year = 1601 + (gint64) (options->near_filetime / (guint64) TICKS_PER_DAY) * 400 / 146097;
  for (stamp.year = MAX (year - 1, 1601); stamp.year <= year + 1; stamp.year++)
    {
      guint64 moment;
      gint64 apart;

      if (!finish (&stamp, NS_SIDE_CLOCK_LOCAL, options, &moment, &uncertainty_ns))
        continue;
      apart = ABS ((gint64) moment - (gint64) options->near_filetime);
      if (apart < best_apart)
        {
          best_apart = apart;
          *filetime = moment;
        }
    }
  return best_apart < G_MAXINT64;
}
