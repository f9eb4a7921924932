/* The lanes of the timeline: process, remote host, connection, and the rows that run in each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-state-marks.h"
#include "base/ns-error.h"
#include "draw/ns-lane-connection.h"

G_BEGIN_DECLS

#define NS_LANE_NONE G_MAXUINT32
/* Rows in a block of a track: what is skipped at once when it is too narrow to be seen. */
#define NS_LANE_BLOCK 64
/* A lane with more children than this starts folded. */
#define NS_LANE_MAX_OPEN_CHILDREN 8

/* So many connections have a lane each; of more those that do not overlap share one. */
#define NS_LANE_MAX_UNPACKED 8

typedef enum
{
  NS_LANE_PROCESS,
  NS_LANE_SERVER,
  NS_LANE_CONNECTION,
  NS_LANE_GROUP, /* a protocol, a thread or an activity id */
  NS_LANE_MORE,  /* what is left of the lanes below one, folded at first */
  NS_LANE_STATE, /* changes of one kind of state, of one connection, or the lane above: no rows */
  NS_LANE_LOG,   /* lines of a log that was opened beside the trace: no rows */
} NsLaneKind;

/* What the outermost lanes are. */
typedef enum
{
  NS_LANES_BY_PROCESS,  /* process, server, connection */
  NS_LANES_BY_SERVER,   /* server, process, connection */
  NS_LANES_BY_PROTOCOL, /* protocol, server, connection */
  NS_LANES_BY_THREAD,   /* thread, server, connection */
  NS_LANES_BY_ACTIVITY, /* activity id, server, connection */
  NS_N_LANE_GROUPINGS,
} NsLaneGrouping;

/* How one lane is wanted, whether or not the filter leaves it any rows. */
typedef struct
{
  guint64 key;
  NsLaneKind kind;
  gboolean is_hidden;
  gboolean is_pinned;
} NsLaneMark;

/* Returns: (transfer full): "14 more servers" */
typedef char *(*NsLaneMoreFunc) (NsLaneKind kind, guint n_more);

/* Returns: what the lane of a kind of state is called */
typedef const char *(*NsLaneStateFunc) (const char *id);

/* Returns: (transfer full): that only the first of so many changes, or connections, are shown */
typedef char *(*NsLaneFirstFunc) (gboolean of_connections, guint n_shown, guint n_all);

/* Returns: (transfer full): a number as people write it */
typedef char *(*NsLaneCountFunc) (guint64 number);

/* Returns: (transfer full): "3 connections: 7 – 24"; without the numbers when they are of no table
 */
typedef char *(*NsLaneSeveralFunc) (NsLaneEnd end, guint n, guint32 lowest, guint32 highest);

/* A lane that was folded or unfolded by hand, whether or not the filter leaves it any rows. */
typedef struct
{
  guint64 key;
  NsLaneKind kind;
  gboolean is_folded;
} NsLaneFold;

/* Texts the lanes need from whoever speaks to people. */
typedef struct
{
  const char *connection; /* "connection", its row of the TCP table follows, or its pointer */
  const char *no_server;
  const char *no_process;
  const char *no_activity; /* (nullable): rows without an activity id */
  NsLaneMoreFunc more;     /* (nullable): without it all lanes stand beside each other */
  const char *cache;       /* "cache", where no network was needed */
  const char *states;      /* (nullable): above the lanes of states; NULL: there are none */
  NsLaneStateFunc state_name;
  NsLaneFirstFunc first;     /* (nullable): behind the name of a lane of states that is cut */
  NsLaneCountFunc count;     /* (nullable): without it numbers are digits only */
  const char *socket;        /* "socket", its row of the WinSock table follows */
  const char *flow;          /* "flow", its row of the kernel's own counting follows */
  NsLaneSeveralFunc several; /* (nullable): without it each connection has a lane of its own */
  const char *within;        /* "within connection", that of what the row is a part of follows */
  const char *unknown;       /* "connection not known" */
} NsTimelineWords;

typedef struct
{
  gint64 longest_ns; /* of its rows */
  gint64 reach_ns;   /* latest end of these and all blocks before it in the lane */
  guint32 n_failed;
  guint32 n_kept; /* by the filter */
  guint32 n_kept_failed;
  guint32 n_lit; /* of those kept; all of them where none stands out */
  guint32 n_lit_failed;
  guint32 n_found; /* by a search */
} NsLaneBlock;

/* One of several connections that share a lane. */
typedef struct
{
  gint64 begin_ns; /* of its first bar */
  gint64 end_ns;   /* the latest of its bars */
  guint32 row;     /* the activity of its first bar */
} NsLaneLife;

/* A line of a log. */
typedef struct
{
  gint64 time_ns;
  gint64 uncertainty_ns;
  guint32 row;      /* of the table of lines, 0-based */
  guint32 n_failed; /* of its lane, up to this one and with it */
  guint32 n_kept;   /* likewise, by the filter */
  gboolean failed;
  gboolean is_kept;
} NsLogMark;

typedef struct
{
  NsLaneKind kind;
  guint8 level;       /* 0: outermost */
  guint32 parent;     /* lane, or NS_LANE_NONE */
  guint64 key;        /* the same for the same lane of the same trace, whatever the filter */
  const char *name;   /* both belong to the lanes as a whole */
  const char *detail; /* (nullable): pid, `:port` */
  guint32 protocol;
  gint8 reused; /* of a connection; -1 unknown */
  gboolean is_folded;
  gboolean is_hidden;
  gboolean is_pinned;
  gboolean is_cut; /* of states: there are more than are shown */
  guint n_children;
  guint n_rows;
  guint n_kept; /* of @n_rows, by the filter */
  guint n_failed;
  guint first;       /* of its rows in the tracks */
  guint first_block; /* of its blocks */
  guint state;       /* of a lane of states or of a log: which, of those of the trace */
  guint first_life;  /* of its connections, if it has several */
  guint n_lives;     /* 0: it is of one connection, or those below it have lanes of their own */
  guint first_mark;  /* of a lane of a log: of its lines among the marks */
  guint n_marks;
  guint n_kept_marks; /* by the filter */
  gint64 longest_ns;  /* likewise: how far the times of its lines are off at most */
} NsLane;

/* Rows stand in the tracks once for each lane they belong to, sorted by their opening. */
typedef struct
{
  GArray *lanes;  /* (element-type NsLane), parents before their children */
  GArray *shown;  /* (element-type guint32): lanes that are seen, top to bottom */
  guint n_pinned; /* of @shown: the first so many are pinned */
  GArray *lives;  /* (element-type NsLaneLife): by lane and time; those of a lane do not overlap */
  guint n_hidden; /* lanes hidden by themselves, not with one above */
  GArray *turned; /* (element-type NsLaneFold) */
  GArray *marked; /* (element-type guint32): those hidden or pinned */
  GStringChunk *texts;
  guint32 *leaf;  /* the lane of each activity's bar, NS_LANE_NONE when filtered out */
  guint n_leaves; /* length of @leaf */
  guint32 *rows;  /* the tracks: activity, 0-based */
  gint64 *open_ns;
  gint64 *close_ns;
  guint8 *failed;
  NsLaneBlock *blocks;
  guint8
      *kept; /* (nullable): 1 for each activity that the filter keeps; NULL: all that have a lane */
  guint8 *lit;          /* (nullable): 1 for each activity that stands out; NULL: all do */
  NsStateMarks *states; /* (nullable) */
  GArray *log_marks;    /* NsLogMark: those of a lane stand together, by time */
  guint8 *found;        /* (nullable): 1 for each activity that a search found; NULL: none */
} NsTimelineLanes;

/**
 * NsLaneOptions: (skip)
 * @grouping: what the outermost lanes are
 * @states: (nullable): changes of state, which get lanes of their own above all others
 * @has_moment: whether a trace is played back
 * @moment_ns: the moment of that: what had not ended by then had not failed
 * @is_unpacked: whether each connection has a lane of its own, however many there are
 * @log_rows: (nullable) (element-type guint32): lines of logs that a filter keeps; %NULL: all
 * @dims_logs: whether the lines that it does not keep are there, dim
 * @progress: (nullable): told how far it is, and asked whether to go on
 * @progress_data: for @progress
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
ns_timeline_lanes_new (const NsTrace *trace, const GArray *rows, const NsTimelineWords *words);
NsTimelineLanes *ns_timeline_lanes_new_grouped (const NsTrace *trace,
                                                const GArray *rows,
                                                const NsTimelineWords *words,
                                                const NsLaneOptions *options);
void ns_timeline_lanes_keep (NsTimelineLanes *self, const GArray *rows);
void ns_timeline_lanes_set_found (NsTimelineLanes *self, const GArray *rows);
void ns_timeline_lanes_light (NsTimelineLanes *self, const guint8 *rows, guint n_rows);
gboolean ns_timeline_lanes_is_dim (const NsTimelineLanes *self, guint row);
gboolean ns_timeline_lanes_is_kept (const NsTimelineLanes *self, guint row);
void ns_timeline_lanes_add_states (NsTimelineLanes *self,
                                   const NsTimelineWords *words,
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
