/* Time zone of the traced machine, with daylight saving time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-zone.h"

#define TICKS_PER_MINUTE (60 * NS_TICKS_PER_SECOND)
#define TICKS_PER_DAY (86400 * NS_TICKS_PER_SECOND)
/* Maximum offset from UTC. */
#define MAX_OFFSET_MIN (24 * 60)
/* 1601-01-01 was a Monday. */
#define FIRST_WEEKDAY 1

static gboolean
is_leap (gint64 year)
{
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static guint
days_in_month (gint64 year, guint month)
{
  static const guint8 days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

  return days[month - 1] + (month == 2 && is_leap (year) ? 1 : 0);
}

/* Returns the days from 1601-01-01 to the first of a month. */
static gint64
days_to_month (gint64 year, guint month)
{
  gint64 years = year - 1601;
  gint64 days = years * 365 + years / 4 - years / 100 + years / 400;
  guint i;

  for (i = 1; i < month; i++)
    days += days_in_month (year, i);
  return days;
}

static gint64
year_of (gint64 ticks)
{
  gint64 days = MAX (ticks, 0) / TICKS_PER_DAY;
  gint64 year = 1601 + days / 366;

  while (days_to_month (year + 1, 1) <= days)
    year++;
  return year;
}

static gboolean
is_valid (const NsZoneDate *date)
{
  return date->month >= 1 && date->month <= 12 && date->day >= 1 &&
         date->day <= (date->year == 0 ? 5 : 31) && date->weekday <= 6 && date->hour <= 23 &&
         date->minute <= 59 && date->second <= 59;
}

/* Returns when the clocks change in a year, in local time before the change, in 100 ns since
 * 1601. */
static gint64
find_change (const NsZoneDate *date, gint64 year)
{
  gint64 first = days_to_month (year, date->month);
  guint day = date->day - 1u;

  if (date->year == 0)
    {
      guint weekday = (guint) ((first + FIRST_WEEKDAY) % 7);

      day = (date->weekday + 7u - weekday) % 7u + 7u * (date->day - 1u);
      while (day >= days_in_month (year, date->month))
        day -= 7;
    }
  return (first + day) * TICKS_PER_DAY +
         (date->hour * 3600 + date->minute * 60 + date->second) * NS_TICKS_PER_SECOND;
}

static gboolean
is_summer (const NsZone *self, gint64 ticks)
{
  gint64 standard_min = (gint64) self->bias_min + self->standard_bias_min;
  gint64 daylight_min = (gint64) self->bias_min + self->daylight_bias_min;
  gint64 year = year_of (ticks - standard_min * TICKS_PER_MINUTE);
  gint64 begin;
  gint64 end;

  if (!is_valid (&self->standard) || !is_valid (&self->daylight))
    return FALSE;
  /* A date with a year applies to that year only. */
  if ((self->standard.year != 0 && self->standard.year != year) ||
      (self->daylight.year != 0 && self->daylight.year != year))
    return FALSE;
  begin = find_change (&self->daylight, year) + standard_min * TICKS_PER_MINUTE;
  end = find_change (&self->standard, year) + daylight_min * TICKS_PER_MINUTE;
  /* In the southern hemisphere the year begins and ends in daylight saving time. */
  if (begin < end)
    return ticks >= begin && ticks < end;
  return ticks >= begin || ticks < end;
}

/**
 * ns_zone_get_offset_min:
 * @self: a zone
 * @filetime: a time, 100 ns since 1601-01-01 UTC
 *
 * Returns: minutes to add to UTC to get the local time
 */
int
ns_zone_get_offset_min (const NsZone *self, guint64 filetime)
{
  gint64 ticks = (gint64) MIN (filetime, (guint64) G_MAXINT64 / 2);
  gint64 offset = -(gint64) self->bias_min;

  offset -= is_summer (self, ticks) ? self->daylight_bias_min : self->standard_bias_min;
  return (int) CLAMP (offset, -MAX_OFFSET_MIN, MAX_OFFSET_MIN);
}
