/* The whole trace in a strip: bytes, failures and rows of each small part of its time.
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
  double received[NS_OVERVIEW_N_BINS]; /* bytes, when they were moved; where the trace does not tell
                                          that, spread evenly over the life of each row */
  double sent[NS_OVERVIEW_N_BINS];
  guint32 failed[NS_OVERVIEW_N_BINS];
  guint32 opened[NS_OVERVIEW_N_BINS];
  guint32 connections[NS_OVERVIEW_N_BINS]; /* of the rows, open at any moment of the part */
  double counts[NS_OVERVIEW_N_BINS];       /* where neither is known: of rows that begin; where
                                              the trace has no activities: of all its events */
  double most_bytes;                       /* largest of received and sent */
  double peak_per_second;                  /* received bytes a second, at its highest */
  double sent_peak_per_second;             /* sent bytes a second, at its highest */
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
