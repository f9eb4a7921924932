/* Collects the changes of state in events, for the lanes of a timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* Marks of one lane that are kept; the first ones count. */
#define NS_STATE_MARKS_MAX 50000

/* One change of state. */
typedef struct
{
  gint64 time_ns;
  guint32 event; /* row of the table of events */
  char *text;    /* whose state, and what it is now */
  guint8 before; /* of one connection's lane: the number of the state it had */
  guint8 after;  /* likewise: of the one it has from here on */
} NsStateMark;

/* A kind of state that the trace tells of. */
typedef struct
{
  const char *id;     /* as ns_event_mark_get_lane() has it */
  GArray *marks;      /* NsStateMark, the earliest first */
  guint n_all;        /* changes there are, those past the last mark, too */
  char *name;         /* (nullable): whose states they are; of one connection's lane only */
  char *detail;       /* (nullable): likewise, its own port */
  guint parent;       /* of one connection's lane: the lane of all of them */
  guint64 connection; /* likewise: its number, the same whenever the trace is read */
} NsStateLane;

/* Made once, then only read: any thread may. */
typedef struct
{
  GArray *lanes;    /* NsStateLane, those without marks left out; those of connections last */
  guint n_left_out; /* connections without a lane, since there are too many */
} NsStateMarks;

gboolean ns_state_marks_may_be (const NsTrace *trace);
NsStateMarks *
ns_state_marks_find (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data);
NsStateMarks *ns_state_marks_ref (NsStateMarks *self);
void ns_state_marks_unref (NsStateMarks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsStateMarks, ns_state_marks_unref)

G_END_DECLS
