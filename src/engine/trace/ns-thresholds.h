/* Thresholds of the rules of findings, for one view context and its traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Thresholds, described with their default values in data/thresholds. */
typedef enum
{
  NS_THRESHOLD_D01_SLOW,
  NS_THRESHOLD_D01_PROBLEM,
  NS_THRESHOLD_D02_NEXT,
  NS_THRESHOLD_D02_PROBLEM,
  NS_THRESHOLD_D02_CLOSED,
  NS_THRESHOLD_D04_TOGETHER,
  NS_THRESHOLD_D04_SUFFIXES,
  NS_THRESHOLD_D04_COST,
  NS_THRESHOLD_D04_PROBLEM,
  NS_THRESHOLD_D04_FAILING,
  NS_THRESHOLD_D04_FAILING_WITHIN,
  NS_THRESHOLD_D05_DELAY,
  NS_THRESHOLD_D05_PROBLEM,
  NS_THRESHOLD_D06_TOGETHER,
  NS_THRESHOLD_D06_DELAY,
  NS_THRESHOLD_D06_FACTOR,
  NS_THRESHOLD_D06_PROBLEM,
  NS_THRESHOLD_D07_QUESTIONS,
  NS_THRESHOLD_D07_WITHIN,
  NS_THRESHOLD_D08_CONNECTS,
  NS_THRESHOLD_D08_WITHIN,
  NS_THRESHOLD_D09_SILENT,
  NS_THRESHOLD_D10_PROBLEM,
  NS_THRESHOLD_D11_PROBLEM,
  NS_THRESHOLD_D16_AFTER,
  NS_THRESHOLD_D17_AGAIN,
  NS_THRESHOLD_D17_SENT,
  NS_THRESHOLD_D17_SHARE,
  NS_THRESHOLD_D17_PROBLEM,
  NS_THRESHOLD_D18_CLOSED,
  NS_THRESHOLD_D19_SENT,
  NS_THRESHOLD_D19_SHARE,
  NS_THRESHOLD_D21_DROPS,
  NS_THRESHOLD_D22_BYTES,
  NS_THRESHOLD_D22_GAP,
  NS_THRESHOLD_D22_SENDS,
  NS_THRESHOLD_D22_SHARE,
  NS_THRESHOLD_D23_WAITS,
  NS_THRESHOLD_D23_ROUND_TRIPS,
  NS_THRESHOLD_D23_SHORT_FROM,
  NS_THRESHOLD_D23_SHORT_TO,
  NS_THRESHOLD_D23_LONG_FROM,
  NS_THRESHOLD_D23_LONG_TO,
  NS_THRESHOLD_D24_ROUND_TRIPS,
  NS_THRESHOLD_D24_MARGIN,
  NS_THRESHOLD_D24_PROBLEM,
  NS_THRESHOLD_D25_SLOW,
  NS_THRESHOLD_D25_PROBLEM,
  NS_THRESHOLD_D26_EXPIRES,
  NS_THRESHOLD_D27_SLOW,
  NS_THRESHOLD_D27_PROBLEM,
  NS_THRESHOLD_D28_ANSWERS,
  NS_THRESHOLD_D28_SHARE,
  NS_THRESHOLD_D29_GAP,
  NS_THRESHOLD_D29_SHARE,
  NS_THRESHOLD_D30_CLIENT_ERRORS,
  NS_THRESHOLD_D31_HOPS,
  NS_THRESHOLD_D32_CONNECTIONS,
  NS_THRESHOLD_D32_SHARE,
  NS_THRESHOLD_D33_OPEN,
  NS_THRESHOLD_D33_GROWING,
  NS_THRESHOLD_D33_UNUSED,
  NS_THRESHOLD_D34_WAIT,
  NS_THRESHOLD_D35_DELAY,
  NS_THRESHOLD_D35_LONGEST,
  NS_THRESHOLD_D35_PROBLEM,
  NS_THRESHOLD_D36_DELAY,
  NS_THRESHOLD_D37_WAIT,
  NS_THRESHOLD_D37_PROBLEM,
  NS_THRESHOLD_D38_BLOCKED,
  NS_THRESHOLD_D38_PROBLEM,
  NS_THRESHOLD_D39_REPEATS,
  NS_THRESHOLD_D39_JITTER,
  NS_THRESHOLD_D39_SHORTEST,
  NS_THRESHOLD_D39_LONGEST,
  NS_THRESHOLD_D39_FAILURES,
  NS_THRESHOLD_D40_IDLE,
  NS_THRESHOLD_D40_AGAIN,
  NS_THRESHOLD_D41_PORTS,
  NS_THRESHOLD_D41_SHARE,
  NS_THRESHOLD_D41_WITHIN,
  NS_THRESHOLD_D42_SLOW,
  NS_THRESHOLD_D42_PROBLEM,
  NS_THRESHOLD_D43_WAIT,
  NS_THRESHOLD_D43_ROUND_TRIPS,
  NS_THRESHOLD_D43_PROBLEM,
  NS_THRESHOLD_D43_HELD_BACK,
  NS_THRESHOLD_D44_PROBLEM,
  NS_THRESHOLD_D46_SILENCE,
  NS_THRESHOLD_D46_LONG,
  NS_THRESHOLD_D46_AFTER,
  NS_THRESHOLD_D46_LOUD,
  NS_THRESHOLD_D47_REQUESTS,
  NS_THRESHOLD_D47_SILENT,
  NS_N_THRESHOLDS,
} NsThreshold;

/**
 * NsThresholds:
 * @ref_count: number of references
 * @values: current values, by #NsThreshold; times in nanoseconds, shares as written in
 *   data/thresholds
 * @shipped: the default values
 *
 * Thresholds of a trace's findings. Immutable once shared with a view context or a trace.
 */
typedef struct
{
  gatomicrefcount ref_count;
  gint64 values[NS_N_THRESHOLDS];
  gint64 shipped[NS_N_THRESHOLDS];
} NsThresholds;

NsThresholds *ns_thresholds_new (void);
NsThresholds *ns_thresholds_ref (NsThresholds *self);
void ns_thresholds_unref (NsThresholds *self);

gboolean ns_thresholds_add (NsThresholds *self,
                            const char *name,
                            const char *text,
                            gsize n_bytes,
                            GError **error);
gboolean ns_thresholds_add_file (NsThresholds *self, const char *path, GError **error);
gboolean ns_thresholds_add_default_file (NsThresholds *self, GError **error);

const char *ns_threshold_get_key (NsThreshold threshold);
GPtrArray *ns_thresholds_list (const NsThresholds *self, const char *rule);
char *ns_thresholds_describe (const NsThresholds *self, const char *rule);
char *ns_thresholds_describe_changes (const NsThresholds *self, const char *rule);

/**
 * ns_threshold_get_ns:
 * @self: thresholds
 * @threshold: one that is a time
 *
 * Returns: its value, in nanoseconds
 */
static inline gint64
ns_threshold_get_ns (const NsThresholds *self, NsThreshold threshold)
{
  return self->values[threshold];
}

/**
 * ns_threshold_get:
 * @self: thresholds
 * @threshold: one that is a count, a factor, a length in bytes, or a share
 *
 * Returns: its value; for a share in percent, or in per mille if it has a decimal
 */
static inline guint
ns_threshold_get (const NsThresholds *self, NsThreshold threshold)
{
  return (guint) self->values[threshold];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsThresholds, ns_thresholds_unref)

G_END_DECLS
