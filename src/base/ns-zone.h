/* The zone of the traced machine: how far its clocks were from UTC, and when they were changed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"

G_BEGIN_DECLS

/**
 * NsZoneDate:
 * @year: 0 when it is so in every year
 * @month: 1 to 12; 0 when the clocks are never changed
 * @weekday: 0 for Sunday; of a date of every year
 * @day: of the month; of a date of every year the nth @weekday, 5 for the last one
 * @hour: by the clock before it is changed
 * @minute: likewise
 * @second: likewise
 *
 * When clocks are changed, as SYSTEMTIME in TIME_ZONE_INFORMATION says it.
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

/* Minutes are what is to be added to local time for UTC, as Windows has it. */
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
