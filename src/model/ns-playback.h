/* Playback of a trace: position, speed and end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Limits of the speed, in seconds of the trace per second. */
#define NS_PLAYBACK_MIN_SPEED 0.1
#define NS_PLAYBACK_MAX_SPEED 1000.0

/**
 * NsPlayback:
 * @time_ns: the position
 * @whole: the time span to play
 * @speed: seconds of the trace per second
 * @is_playing: whether the position advances
 */
typedef struct
{
  gint64 time_ns;
  NsTimeSpan whole;
  double speed;
  gboolean is_playing;
} NsPlayback;

void ns_playback_init (NsPlayback *self, NsTimeSpan whole);
void ns_playback_set_speed (NsPlayback *self, double speed);
void ns_playback_go (NsPlayback *self, gint64 time_ns);
gboolean ns_playback_advance (NsPlayback *self, gint64 passed_us);
gboolean ns_playback_step (NsPlayback *self, const NsTrace *trace, int by);
char *ns_playback_dup_filter (const NsPlayback *self, NsTableId table, const char *filter);

G_END_DECLS
