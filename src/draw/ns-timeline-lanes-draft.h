/* The lanes of the timeline while their rows are being sorted: what its two halves share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "draw/ns-row-span.h"
#include "draw/ns-timeline-lanes.h"

G_BEGIN_DECLS

/* After so many rows it is asked whether to go on. */
#define NS_LANE_ROWS_BETWEEN 16384

/* A lane while its rows are still being counted. */
typedef struct
{
  NsLane lane;
  guint32 first_child; /* drafts, NS_LANE_NONE: none */
  guint32 last_child;
  guint32 next;
  guint32 final;    /* its number among the lanes */
  gboolean is_more; /* it has few rows and stands under the line of such */
  NsTimeSpan life;  /* of a connection: from the first of its bars to the end of the last */
  guint32 first_row;
} NsLaneDraft;

typedef struct
{
  const NsTrace *trace;
  const NsTimelineWords *words;
  const NsLaneOptions *options;
  NsMap *map;     /* (parent, key) → draft + 1 */
  GArray *drafts; /* NsLaneDraft */
  GArray *roots;  /* guint32: drafts of processes */
  guint32 *leaf;  /* draft of each row */
  GStringChunk *texts;
  guint n_connections; /* drafts */
  gboolean packs;      /* connections that do not overlap share a lane */
} NsLaneBuilder;

static inline gint64
ns_lane_open_of (const NsActivityRow *row)
{
  return row->open_ns == NS_TIME_NONE ? 0 : row->open_ns;
}

static inline gint64
ns_lane_close_of (const NsTrace *trace, const NsActivityRow *row)
{
  return MAX (ns_row_span_end (trace, row), ns_lane_open_of (row));
}

/* Whether a row had failed by the moment of a playback. */
static inline gboolean
ns_lane_has_failed (const NsLaneOptions *options, const NsTrace *trace, const NsActivityRow *row)
{
  return row->failed &&
         (!options->has_moment || ns_row_span_end (trace, row) <= options->moment_ns);
}

/* Of two passes over the rows, @pass is the one under way. */
static inline gboolean
ns_lane_goes_on (const NsLaneOptions *options, guint pass, guint done, guint n_rows)
{
  return options->progress == NULL || done % NS_LANE_ROWS_BETWEEN != 0 ||
         options->progress ((pass + (double) done / n_rows) / 2, options->progress_data);
}

gboolean ns_lane_assign_rows (NsLaneBuilder *self, const GArray *sorted);

G_END_DECLS
