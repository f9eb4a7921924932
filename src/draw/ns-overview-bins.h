/* Bytes, failures and rows over equal parts of the trace for the overview strip.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

#define NS_OVERVIEW_N_BINS 1024

typedef struct
{
  NsTimeSpan whole;
  /* bytes by transfer time; spread evenly over the life of a row without transfer times */
  double received[NS_OVERVIEW_N_BINS];
  double sent[NS_OVERVIEW_N_BINS];
  guint32 failed[NS_OVERVIEW_N_BINS];
  guint32 opened[NS_OVERVIEW_N_BINS];
  /* connections of the rows that were open during the part */
  guint32 connections[NS_OVERVIEW_N_BINS];
  /* begun rows if there are neither bytes nor connections; all events if the trace has no
   * activities */
  double counts[NS_OVERVIEW_N_BINS];
  double most_bytes;           /* maximum of received and sent */
  double peak_per_second;      /* maximum of received bytes per second */
  double sent_peak_per_second; /* maximum of sent bytes per second */
  guint32 most_opened;
  guint32 most_connections;
  double most_counts;
  double peak_counts_per_second;
  gboolean counts_events;
  guint n_failed;
  guint n_rows;
} NsOverviewBins;

void ns_overview_bins_init (NsOverviewBins *self,
                            const NsTrace *trace,
                            const GArray *rows,
                            NsTimeSpan whole);
void ns_overview_bins_init_until (NsOverviewBins *self,
                                  const NsTrace *trace,
                                  const GArray *rows,
                                  NsTimeSpan whole,
                                  gint64 moment_ns);

G_END_DECLS
