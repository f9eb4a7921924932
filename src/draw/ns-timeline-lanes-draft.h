/* Draft lanes, which exist while rows are grouped; shared by the two files that build lanes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "draw/ns-row-span.h"
#include "draw/ns-timeline-lanes.h"

G_BEGIN_DECLS

/* Number of rows between two progress reports. */
#define NS_LANE_ROWS_BETWEEN 16384

/* A lane while its rows are being counted. */
typedef struct
{
  NsLane lane;
  guint32 first_child; /* index of a draft, or NS_LANE_NONE */
  guint32 last_child;
  guint32 next;
  guint32 final;    /* index of the finished lane */
  gboolean is_more; /* whether it has few rows and belongs to the "more" lane */
  NsTimeSpan life;  /* from the first bar of a connection to the end of its last one */
  guint32 first_row;
} NsLaneDraft;

typedef struct
{
  const NsTrace *trace;
  const NsTimelineTexts *words;
  const NsLaneOptions *options;
  NsMap *map;     /* maps (parent, key) to the index of a draft + 1 */
  GArray *drafts; /* (element-type NsLaneDraft) */
  GArray *roots;  /* (element-type guint32): drafts of the outermost lanes */
  guint32 *leaf;  /* draft of each row */
  GStringChunk *texts;
  guint n_connections; /* number of drafts of connections */
  gboolean packs;      /* whether connections that do not overlap share a lane */
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

/* Returns whether a row has failed, and has ended by the playback time. */
static inline gboolean
ns_lane_has_failed (const NsLaneOptions *options, const NsTrace *trace, const NsActivityRow *row)
{
  return row->failed &&
         (!options->has_moment || ns_row_span_end (trace, row) <= options->moment_ns);
}

/* Reports progress and returns whether to continue; @pass is 0 or 1 of two passes over the rows. */
static inline gboolean
ns_lane_goes_on (const NsLaneOptions *options, guint pass, guint done, guint n_rows)
{
  return options->progress == NULL || done % NS_LANE_ROWS_BETWEEN != 0 ||
         options->progress ((pass + (double) done / n_rows) / 2, options->progress_data);
}

gboolean ns_lane_assign_rows (NsLaneBuilder *self, const GArray *sorted);

G_END_DECLS
