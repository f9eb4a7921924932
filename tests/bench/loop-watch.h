/* The log format of the preloaded main loop watcher.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The file to write to; without it the watcher does nothing. */
#define LOOP_WATCH_FILE "LOOP_WATCH_FILE"
#define LOOP_WATCH_MAX_RECORDS 400000
/* Shorter ones are not worth a line. */
#define LOOP_WATCH_LEAST_US 200

typedef enum
{
  LOOP_WATCH_ROUND, /* all that was done between two times of waiting */
  LOOP_WATCH_FRAME, /* from before to after the paint of a frame; part of a round */
} LoopWatchKind;

/* One stretch of work. */
typedef struct
{
  gint64 end_us; /* by g_get_monotonic_time () */
  guint32 wall_us;
  guint32 cpu_us; /* of the main thread alone */
  guint32 kind;   /* LoopWatchKind */
  guint32 padding;
} LoopWatchRecord;

/* The file as a whole; @n_records is written last. */
typedef struct
{
  gint n_records;
  gint padding;
  LoopWatchRecord records[LOOP_WATCH_MAX_RECORDS];
} LoopWatchLog;

G_END_DECLS
