/* Lanes of the timeline by process, remote host and connection, with the rows of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-state-marks.h"
#include "base/ns-error.h"
#include "draw/ns-lane-connection.h"

G_BEGIN_DECLS

#define NS_LANE_NONE G_MAXUINT32
/* Rows in a block of a track; a block too narrow to be visible is skipped as a whole. */
#define NS_LANE_BLOCK 64
/* A lane with more children than this is folded initially. */
#define NS_LANE_MAX_OPEN_CHILDREN 8

/* Maximum number of connections with a lane each; beyond it, those that do not overlap share
 * one. */
#define NS_LANE_MAX_UNPACKED 8

typedef enum
{
  NS_LANE_PROCESS,
  NS_LANE_SERVER,
  NS_LANE_CONNECTION,
  NS_LANE_GROUP, /* a protocol, a thread or an activity ID */
  NS_LANE_MORE,  /* the remaining lanes of a parent, folded initially */
  /* state changes of one kind or one connection, or the parent of such lanes; has no rows */
  NS_LANE_STATE,
  NS_LANE_LOG, /* lines of a log opened beside the trace; has no rows */
} NsLaneKind;

/* Grouping of the lanes, from the outside in. */
typedef enum
{
  NS_LANES_BY_PROCESS,  /* process, server, connection */
  NS_LANES_BY_SERVER,   /* server, process, connection */
  NS_LANES_BY_PROTOCOL, /* protocol, server, connection */
  NS_LANES_BY_THREAD,   /* thread, server, connection */
  NS_LANES_BY_ACTIVITY, /* activity ID, server, connection */
  NS_N_LANE_GROUPINGS,
} NsLaneGrouping;

/* Whether a lane is hidden or pinned; kept while a filter leaves it no rows. */
typedef struct
{
  guint64 key;
  NsLaneKind kind;
  gboolean is_hidden;
  gboolean is_pinned;
} NsLaneMark;

/* Returns: (transfer full): "14 more servers" */
typedef char *(*NsLaneMoreFunc) (NsLaneKind kind, guint n_more);

/* Returns: the name of the lane of a kind of state */
typedef const char *(*NsLaneStateFunc) (const char *id);

/* Returns: (transfer full): a note that only the first changes, or connections, are shown */
typedef char *(*NsLaneFirstFunc) (gboolean of_connections, guint n_shown, guint n_all);

/* Returns: (transfer full): a number with digit grouping */
typedef char *(*NsLaneCountFunc) (guint64 number);

/* Returns: (transfer full): "3 connections: 7 – 24", without the range if @end is
 * %NS_CONNECTION_KIND_NONE */
typedef char *(*NsLaneSeveralFunc) (NsConnectionKind end, guint n, guint32 lowest, guint32 highest);

/* A lane that the user folded or unfolded; kept while a filter leaves it no rows. */
typedef struct
{
  guint64 key;
  NsLaneKind kind;
  gboolean is_folded;
} NsLaneFold;

/* Translated texts for the lanes. */
typedef struct
{
  const char *connection; /* "connection", followed by its row in the TCP table, or its pointer */
  const char *no_server;
  const char *no_process;
  const char *no_activity; /* (nullable): for rows without an activity ID */
  NsLaneMoreFunc more;     /* (nullable): NULL: no "more" lanes */
  const char *cache;       /* "cache", for responses that needed no network */
  const char *states;      /* (nullable): name of the parent of state lanes; NULL: no state lanes */
  NsLaneStateFunc state_name;
  NsLaneFirstFunc first; /* (nullable): added to the name of a state lane that is cut off */
  NsLaneCountFunc count; /* (nullable): NULL: numbers without digit grouping */
  const char *socket;    /* "socket", followed by its row in the WinSock table */
  /* "flow", followed by its row in the table of flows counted by the kernel */
  const char *flow;
  NsLaneSeveralFunc several; /* (nullable): NULL: each connection has a lane of its own */
  /* "within connection", followed by the connection of the parent of the row */
  const char *within;
  const char *unknown; /* "connection not known" */
} NsTimelineTexts;

typedef struct
{
  gint64 longest_ns; /* longest duration of its rows */
  gint64 reach_ns;   /* latest end of the rows of this and all previous blocks of the lane */
  guint32 n_failed;
  guint32 n_matching; /* rows that match the filter */
  guint32 n_kept_failed;
  /* highlighted rows that match the filter; equal to @n_matching if there is no highlighting */
  guint32 n_lit;
  guint32 n_lit_failed;
  guint32 n_found; /* rows that match the search */
} NsLaneBlock;

/* Lifetime of one of several connections that share a lane. */
typedef struct
{
  gint64 begin_ns; /* start of its first bar */
  gint64 end_ns;   /* latest end of its bars */
  guint32 row;     /* activity of its first bar */
} NsConnectionSpan;

/* A line of a log on the timeline. */
typedef struct
{
  gint64 time_ns;
  gint64 uncertainty_ns;
  guint32 row;        /* index in the table of log lines */
  guint32 n_failed;   /* failures of its lane up to and including this line */
  guint32 n_matching; /* lines that match the filter, likewise */
  gboolean failed;
  gboolean is_matching;
} NsLogMark;

typedef struct
{
  NsLaneKind kind;
  guint8 level;       /* 0: outermost */
  guint32 parent;     /* index of a lane, or NS_LANE_NONE */
  guint64 key;        /* identifies the lane in a trace, independent of the filter */
  const char *name;   /* @name and @detail are owned by the NsTimelineLanes */
  const char *detail; /* (nullable): process ID, `:port` */
  guint32 protocol;
  gint8 reused; /* whether a connection was reused; -1: unknown */
  gboolean is_folded;
  gboolean is_hidden;
  gboolean is_pinned;
  gboolean is_cut; /* whether more state changes or connections exist than are shown */
  guint n_children;
  guint n_rows;
  guint n_matching; /* rows of @n_rows that match the filter */
  guint n_failed;
  guint first;       /* index of its first row in the tracks */
  guint first_block; /* index of its first block */
  /* index among the state lanes or logs of the trace; G_MAXUINT: parent of all state lanes */
  guint state;
  guint first_span; /* index of its first connection in @connection_spans, if it has several */
  guint n_lives;    /* 0: the lane has one connection, or its connections are child lanes */
  guint first_mark; /* index of the first line of a log in @log_marks */
  guint n_marks;
  guint n_matching_marks; /* lines that match the filter */
  gint64 longest_ns;      /* maximum uncertainty of the times of these lines */
} NsLane;

/* All lanes. Each lane has a track: its rows, sorted by open time. */
typedef struct
{
  GArray *lanes;            /* (element-type NsLane): parents before their children */
  GArray *shown;            /* (element-type guint32): visible lanes, from top to bottom */
  guint n_pinned;           /* number of pinned lanes, which are the first of @shown */
  GArray *connection_spans; /* (element-type NsConnectionSpan): by lane and time; those of a lane do
                               not overlap */
  guint n_hidden;           /* hidden lanes, without the descendants of those */
  GArray *turned;           /* (element-type NsLaneFold) */
  GArray *marked;           /* (element-type guint32): hidden or pinned lanes */
  GStringChunk *texts;
  guint32 *leaf;  /* lane of the bar of each activity; NS_LANE_NONE if filtered out */
  guint n_leaves; /* length of @leaf */
  guint32 *rows;  /* tracks of all lanes: 0-based activities */
  gint64 *open_ns;
  gint64 *close_ns;
  guint8 *failed;
  NsLaneBlock *blocks;
  /* (nullable): 1 for each activity that matches the filter; NULL: all that have a lane */
  guint8 *matches_filter;
  guint8 *highlighted;  /* (nullable): 1 for each highlighted activity; NULL: no highlighting */
  NsStateMarks *states; /* (nullable) */
  GArray *log_marks;    /* (element-type NsLogMark): grouped by lane, sorted by time */
  /* (nullable): 1 for each activity that matches the search; NULL: no search */
  guint8 *found;
} NsTimelineLanes;

/**
 * NsLaneOptions: (skip)
 * @grouping: grouping of the lanes
 * @states: (nullable): state changes, shown in lanes above all others
 * @has_moment: whether the trace is played back
 * @moment_ns: playback time; rows that end later do not count as failed
 * @is_unpacked: whether each connection has a lane of its own, whatever their number
 * @log_rows: (nullable) (element-type guint32): log lines that match the filter; %NULL: all
 * @dims_logs: whether lines that do not match are shown dimmed instead of left out
 * @progress: (nullable): reports progress; returns whether to continue
 * @progress_data: user data of @progress
 */
typedef struct
{
  NsLaneGrouping grouping;
  NsStateMarks *states;
  gboolean has_moment;
  gint64 moment_ns;
  gboolean is_unpacked;
  const GArray *log_rows;
  gboolean dims_logs;
  NsProgressFunc progress;
  gpointer progress_data;
} NsLaneOptions;

NsTimelineLanes *
ns_timeline_lanes_new (const NsTrace *trace, const GArray *rows, const NsTimelineTexts *words);
NsTimelineLanes *ns_timeline_lanes_new_grouped (const NsTrace *trace,
                                                const GArray *rows,
                                                const NsTimelineTexts *words,
                                                const NsLaneOptions *options);
void ns_timeline_lanes_set_filter (NsTimelineLanes *self, const GArray *rows);
void ns_timeline_lanes_set_found (NsTimelineLanes *self, const GArray *rows);
void ns_timeline_lanes_set_highlighted (NsTimelineLanes *self, const guint8 *rows, guint n_rows);
gboolean ns_timeline_lanes_is_dim (const NsTimelineLanes *self, guint row);
gboolean ns_timeline_lanes_is_kept (const NsTimelineLanes *self, guint row);
void ns_timeline_lanes_add_states (NsTimelineLanes *self,
                                   const NsTimelineTexts *words,
                                   NsStateMarks *states);
guint8 *ns_timeline_lanes_flag (const GArray *rows, guint n_all);
void ns_timeline_lanes_add_logs (NsTimelineLanes *self,
                                 const NsTrace *trace,
                                 const GArray *rows,
                                 gboolean is_dimmed);
guint32 ns_timeline_lanes_find_log (const NsTimelineLanes *self, guint log);
guint ns_timeline_lanes_find_line (const NsTimelineLanes *self, guint32 row);
void ns_timeline_lanes_list_shown (NsTimelineLanes *self);
void ns_timeline_lanes_mark (NsTimelineLanes *self, const GArray *marks);
void ns_timeline_lanes_free (NsTimelineLanes *self);
const NsLane *ns_timeline_lanes_get (const NsTimelineLanes *self, guint32 lane);
void ns_timeline_lanes_set_folded (NsTimelineLanes *self, guint32 lane, gboolean is_folded);
void ns_timeline_lanes_copy_folds (NsTimelineLanes *self, const NsTimelineLanes *other);
guint ns_timeline_lanes_find_shown (const NsTimelineLanes *self, guint32 lane);
guint ns_timeline_lanes_reveal (NsTimelineLanes *self, guint row);
guint ns_timeline_lanes_find_bar (const NsTimelineLanes *self, guint row);
guint32 ns_timeline_lanes_step (const NsTimelineLanes *self, guint32 lane, guint row, int by);
guint32 ns_timeline_lanes_step_connection (const NsTimelineLanes *self,
                                           const NsTrace *trace,
                                           guint32 lane,
                                           guint row,
                                           int by);
guint ns_timeline_lanes_find_life (const NsTimelineLanes *self, const NsLane *lane, gint64 time_ns);
guint ns_timeline_lanes_find_head (const NsTimelineLanes *self,
                                   double lane_px,
                                   double height,
                                   double scroll,
                                   double *offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTimelineLanes, ns_timeline_lanes_free)

G_END_DECLS
