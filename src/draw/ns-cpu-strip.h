/* States of a thread (running, ready, waiting) over the visible time: a strip below the lanes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-paint.h"
#include "draw/ns-timeline-layout.h"
#include "engine/system/ns-sched.h"

G_BEGIN_DECLS

/* Maximum number of columns; a wider strip ends there. */
#define NS_CPU_STRIP_MAX_COLUMNS 16384

/* Shares of the time of one px; the rest of 1 is unknown. */
typedef struct
{
  float running;
  float ready;
  float waiting;
} NsCpuColumn;

/* A thread during the lifetime of its thread ID. */
typedef struct
{
  const NsSchedThread *thread; /* (nullable) */
  gint64 interval_ns;          /* sampling interval */
  NsTimeSpan life;
} NsCpuThread;

GArray *ns_cpu_strip_list_columns (const NsCpuThread *thread, const NsTimelineLayout *layout);
double ns_cpu_strip_get_running (const NsCpuThread *thread, NsTimeSpan span);
void ns_cpu_strip_paint (NsPaint *paint,
                         const GArray *columns,
                         const char *title,
                         double names_width,
                         gboolean is_mirrored,
                         double width,
                         double height);

G_END_DECLS
