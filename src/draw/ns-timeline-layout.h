/* Maps times to px on the timeline: arithmetic without GTK, so that tests can cover it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"
#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/**
 * NsTimelineLayout:
 * @begin_ns: start of the visible time
 * @end_ns: end of the visible time
 * @whole: time span of the trace
 * @open_end_ns: end of the bars of rows that have not ended: the end of @whole, unless the last
 *   part of the trace is missing
 * @width: width in px, more than 0
 */
typedef struct
{
  gint64 begin_ns;
  gint64 end_ns;
  NsTimeSpan whole;
  gint64 open_end_ns;
  double width;
} NsTimelineLayout;

/* Sizes at the normal font, times the scale; heights are multiples of 6 px, bars of 2 px. */
typedef struct
{
  double scale;
  double lane;
  double bar;    /* height of the send, wait and receive phases */
  double setup;  /* height of the proxy, DNS, connect and TLS phases */
  double queued; /* height of the pool and queue phases */
  double ruler;
  double overview;
  double indent;
} NsTimelineMetrics;

/* The box of one phase of a bar, in px. */
typedef struct
{
  NsPhase phase;
  gboolean is_traced;
  double x0;
  double x1;
} NsPhaseBox;

void ns_timeline_layout_init (NsTimelineLayout *self, NsTimeSpan whole, double width);
double ns_timeline_layout_x_at (const NsTimelineLayout *self, gint64 time_ns);
gint64 ns_timeline_layout_time_at (const NsTimelineLayout *self, double x);
void ns_timeline_layout_show (NsTimelineLayout *self, NsTimeSpan span);
void ns_timeline_layout_zoom (NsTimelineLayout *self, double x, double factor);
void ns_timeline_layout_pan (NsTimelineLayout *self, double dx);
gint64 ns_timeline_layout_get_step (const NsTimelineLayout *self, double min_px);
gint64 ns_timeline_layout_get_clock_step (const NsTimelineLayout *self, double min_px);
char *ns_timeline_layout_tick_to_text (gint64 time_ns, gint64 step_ns);
char *ns_timeline_layout_clock_to_text (gint64 clock_ns, gint64 step_ns);

double ns_timeline_metrics_get_overview (double scale);
void ns_timeline_metrics_init (NsTimelineMetrics *self, double scale);
char *ns_timeline_metrics_to_css (double scale);
guint ns_timeline_split_bar (const NsActivityRow *row,
                             gint64 end_ns,
                             double x0,
                             double x1,
                             NsPhaseBox boxes[NS_N_PHASES + 1]);
gboolean ns_timeline_is_rest_traced (const NsActivityRow *row);
NsPhase ns_timeline_get_failed_phase (const NsActivityRow *row);
guint ns_timeline_show_failure (const NsActivityRow *row,
                                double least,
                                NsPhaseBox boxes[NS_N_PHASES + 1],
                                guint *n_boxes);

G_END_DECLS
