/* Times and durations: nanoseconds since the first event of the trace, and their conversion to
 * clock time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-time.h"

#include <string.h>

/* Converts days since 1601-01-01 to a date of the proleptic Gregorian calendar. */
static void
civil_from_days (gint64 days, gint64 *year, guint *month, guint *day)
{
  gint64 z = days + 584694; /* days from 0000-03-01 to 1601-01-01 */
  gint64 era = z / 146097;
  guint doe = (guint) (z - era * 146097);
  guint yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  guint doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  guint mp = (5 * doy + 2) / 153;

  *day = doy - (153 * mp + 2) / 5 + 1;
  *month = mp < 10 ? mp + 3 : mp - 9;
  *year = (gint64) yoe + era * 400 + (*month <= 2 ? 1 : 0);
}

/**
 * ns_time_filetime_to_iso:
 * @filetime: 100 ns since 1601-01-01 UTC
 * @offset_min: minutes to add; 0 for UTC
 * @utc: whether to append `Z`
 *
 * Writes ISO 8601 with seven digits after the decimal point, the full resolution of a FILETIME.
 *
 * Returns: (transfer full): the text
 */
char *
ns_time_filetime_to_iso (guint64 filetime, int offset_min, gboolean utc)
{
  const gint64 ticks_per_day = NS_TICKS_PER_SECOND * 86400;
  gint64 ticks =
      (gint64) MIN (filetime, (guint64) G_MAXINT64 / 2) + offset_min * NS_TICKS_PER_SECOND * 60;
  gint64 year;
  gint64 in_day;
  guint month;
  guint day;
  guint second;

  ticks = MAX (ticks, 0);
  civil_from_days (ticks / ticks_per_day, &year, &month, &day);
  in_day = ticks % ticks_per_day;
  second = (guint) (in_day / NS_TICKS_PER_SECOND);
  return g_strdup_printf ("%04" G_GINT64_FORMAT "-%02u-%02uT%02u:%02u:%02u.%07u%s",
                          year,
                          month,
                          day,
                          second / 3600,
                          second / 60 % 60,
                          second % 60,
                          (guint) (in_day % NS_TICKS_PER_SECOND),
                          utc ? "Z" : "");
}

/**
 * ns_time_filetime_from_iso:
 * @text: an ISO 8601 date and time; UTC if it has no zone
 * @filetime: (out): 100 ns since 1601-01-01 UTC
 *
 * Returns: %TRUE if @text is valid and not before 1601
 */
gboolean
ns_time_filetime_from_iso (const char *text, guint64 *filetime)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) stamp = NULL;
  const char *point;
  gint64 ticks;

  *filetime = 0;
  stamp = g_date_time_new_from_iso8601 (text, utc);
  if (stamp == NULL)
    return FALSE;

  ticks = g_date_time_to_unix (stamp) * NS_TICKS_PER_SECOND + NS_FILETIME_UNIX_EPOCH;
  /* GDateTime keeps microseconds only, so the fraction is parsed here. */
  point = strpbrk (text, ".,");
  if (point != NULL)
    {
      gint64 unit = NS_TICKS_PER_SECOND / 10;

      for (point++; g_ascii_isdigit (*point); point++, unit /= 10)
        ticks += g_ascii_digit_value (*point) * unit;
    }
  if (ticks < 0)
    return FALSE;
  *filetime = (guint64) ticks;
  return TRUE;
}

/**
 * ns_time_seconds_to_text:
 * @time_ns: nanoseconds, of either sign
 * @n_digits: digits after the decimal point, 0 to 9; further digits are truncated
 *
 * Returns: (transfer full): seconds with a decimal point, independent of the locale
 */
char *
ns_time_seconds_to_text (gint64 time_ns, guint n_digits)
{
  guint64 value = time_ns < 0 ? -(guint64) time_ns : (guint64) time_ns;
  guint64 divisor = 1;
  guint i;

  n_digits = MIN (n_digits, 9);
  for (i = n_digits; i < 9; i++)
    divisor *= 10;
  if (n_digits == 0)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT, time_ns < 0 ? "-" : "", value / NS_PER_SECOND);
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT,
                          time_ns < 0 ? "-" : "",
                          value / NS_PER_SECOND,
                          (int) n_digits,
                          value % NS_PER_SECOND / divisor);
}
