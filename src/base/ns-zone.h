/* Time zone of the traced machine: its offset from UTC and the changes to daylight saving time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"

G_BEGIN_DECLS

/**
 * NsZoneDate:
 * @year: 0 for every year
 * @month: 1 to 12; 0 if the clocks never change
 * @weekday: 0 for Sunday; used with year 0
 * @day: of the month; with year 0 the nth @weekday, 5 for the last one
 * @hour: in local time before the change
 * @minute: likewise
 * @second: likewise
 *
 * When the clocks change, as in SYSTEMTIME of TIME_ZONE_INFORMATION.
 */
typedef struct
{
  guint16 year;
  guint16 month;
  guint16 weekday;
  guint16 day;
  guint16 hour;
  guint16 minute;
  guint16 second;
} NsZoneDate;

/* Biases are the minutes to add to local time to get UTC, as in Windows. */
typedef struct
{
  gint32 bias_min;
  gint32 standard_bias_min;
  gint32 daylight_bias_min;
  NsZoneDate standard;
  NsZoneDate daylight;
} NsZone;

int ns_zone_get_offset_min (const NsZone *self, guint64 filetime);

G_END_DECLS
