/* The log format of the preloaded main loop watcher.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Environment variable with the file to write to; without it the watcher does nothing. */
#define LOOP_WATCH_FILE "LOOP_WATCH_FILE"
#define LOOP_WATCH_MAX_RECORDS 400000
/* Shorter iterations are not logged. */
#define LOOP_WATCH_LEAST_US 200

typedef enum
{
  LOOP_WATCH_ROUND, /* one iteration of the main loop, between two polls */
  LOOP_WATCH_FRAME, /* from before to after the paint of a frame; part of an iteration */
} LoopWatchKind;

/* One logged interval. */
typedef struct
{
  gint64 end_us; /* g_get_monotonic_time () */
  guint32 wall_us;
  guint32 cpu_us; /* processor time of the main thread only */
  guint32 kind;   /* LoopWatchKind */
  guint32 padding;
} LoopWatchRecord;

/* The mapped log file; @n_records is written last. */
typedef struct
{
  gint n_records;
  gint padding;
  LoopWatchRecord records[LOOP_WATCH_MAX_RECORDS];
} LoopWatchLog;

G_END_DECLS
