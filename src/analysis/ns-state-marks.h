/* Collects state changes recorded by events, for the lanes of a timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of marks kept per lane; the first ones are kept. */
#define NS_STATE_MARKS_MAX 50000

/* A state change. */
typedef struct
{
  gint64 time_ns;
  guint32 event; /* row of the table of events */
  char *text;    /* object and new state */
  guint8 before; /* for a connection's lane: number of the old state */
  guint8 after;  /* likewise: number of the new state */
} NsStateMark;

/* A lane: state changes of one kind. */
typedef struct
{
  const char *id;     /* from ns_event_mark_get_lane() */
  GArray *marks;      /* NsStateMark, the earliest first */
  guint n_all;        /* number of changes, including those not kept */
  char *name;         /* (nullable): name of the connection, for its lane only */
  char *detail;       /* (nullable): likewise, its local port */
  guint parent;       /* for a connection's lane: index of the lane of all connections */
  guint64 connection; /* likewise: its number, the same each time the trace is read */
} NsStateLane;

/* The lanes of a trace. Immutable, so any thread may read them. */
typedef struct
{
  GArray *lanes;    /* NsStateLane, without empty ones; those of connections last */
  guint n_left_out; /* number of connections without a lane, as there are too many */
} NsStateMarks;

gboolean ns_state_marks_may_be (const NsTrace *trace);
NsStateMarks *
ns_state_marks_find (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data);
NsStateMarks *ns_state_marks_ref (NsStateMarks *self);
void ns_state_marks_unref (NsStateMarks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsStateMarks, ns_state_marks_unref)

G_END_DECLS
