/* Times and durations: nanoseconds since the first event of the trace, and their conversion to
 * clock time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The time is not known. */
#define NS_TIME_NONE G_MININT64
/* End time of an activity that had not ended when the trace ended. */
#define NS_TIME_OPEN G_MAXINT64

/* Times of events are within ± this value (146 years), even in a damaged file, so the difference of
 * two times never overflows. */
#define NS_TIME_MAX (G_MAXINT64 / 2)

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)
/* 100 ns ticks of a FILETIME in a second. */
#define NS_TICKS_PER_SECOND G_GINT64_CONSTANT (10000000)
/* FILETIME (100 ns since 1601) of the Unix epoch. */
#define NS_FILETIME_UNIX_EPOCH G_GINT64_CONSTANT (116444736000000000)

/* A half-open interval: begin_ns is included, end_ns is not. */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns;
} NsTimeSpan;

static inline gboolean
ns_time_is_set (gint64 time_ns)
{
  return time_ns != NS_TIME_NONE && time_ns != NS_TIME_OPEN;
}

/* Returns the sum of two non-negative durations, limited to G_MAXINT64: rows of a damaged file may
 * be very long. */
static inline gint64
ns_time_sum (gint64 one_ns, gint64 other_ns)
{
  return one_ns > G_MAXINT64 - other_ns ? G_MAXINT64 : one_ns + other_ns;
}

/* Returns the time from one moment to another; 0 if one of them is not known. */
static inline gint64
ns_time_between (gint64 from_ns, gint64 to_ns)
{
  if (!ns_time_is_set (from_ns) || !ns_time_is_set (to_ns))
    return 0;
  return CLAMP (to_ns, -NS_TIME_MAX, NS_TIME_MAX) - CLAMP (from_ns, -NS_TIME_MAX, NS_TIME_MAX);
}

/* Returns the time @length_ns later, or earlier if negative, limited to the range of events;
 * returns @time_ns if that is not known. */
static inline gint64
ns_time_after (gint64 time_ns, gint64 length_ns)
{
  if (!ns_time_is_set (time_ns))
    return time_ns;
  time_ns = CLAMP (time_ns, -NS_TIME_MAX, NS_TIME_MAX);
  if (length_ns > 0)
    return length_ns > NS_TIME_MAX - time_ns ? NS_TIME_MAX : time_ns + length_ns;
  return length_ns < -NS_TIME_MAX - time_ns ? -NS_TIME_MAX : time_ns + length_ns;
}

char *ns_time_filetime_to_iso (guint64 filetime, int offset_min, gboolean utc);
gboolean ns_time_filetime_from_iso (const char *text, guint64 *filetime);
char *ns_time_seconds_to_text (gint64 time_ns, guint n_digits);

G_END_DECLS
