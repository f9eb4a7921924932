/* Internals of NsSession, shared by the ns-session-*.c files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

/* State of one table. */
typedef struct
{
  NsRowList *rows;
  gboolean has_rows; /* rows is filled */
  char *filter;
  NsFilterChips *chips;    /* conditions that filter was made from */
  char *incomplete_reason; /* (nullable): which values the filter did not compare */
  GArray *order;           /* NsOrderKey */
  NsGrouping *grouping;
  GCancellable *job;
  guint n_folds;         /* number of times that groups were expanded or collapsed */
  gboolean wants_reveal; /* expand the groups of the selected row when the query is done */
  guint set;             /* changes with the set of shown rows, not with their order */
} NsSessionView;

struct _NsSession
{
  GObject parent_instance;

  NsTrace *trace;
  GFile *file;
  NsDamage *damage;
  NsSessionView views[NS_N_TABLES];
  NsTimeSpan whole;
  gint64 frontier_ns; /* end of the loaded part; 0: all is loaded */
  NsTimeSpan visible;
  NsTimeSpan span;     /* selected time span; empty if none */
  gboolean has_moment; /* a playback is active; its position is moment_ns */
  gint64 moment_ns;
  NsWall wall;
  NsTableId front;
  NsTableId selected_table;
  gboolean is_selecting_again;
  GArray *selected;  /* guint32 */
  GArray *wanted;    /* guint32: the selection before a filter hid some of it; empty if nothing is
                      * hidden */
  guint8 *marked;    /* one byte per activity */
  GPtrArray *hidden; /* (nullable): hidden frames, NULL-terminated */
  char *followed;    /* (nullable): name of the followed condition */
  GCancellable *spreading; /* applying the followed condition to the other tables */
  GCancellable *counting;  /* counting the conditions of the table in front */
  gboolean is_count_due;   /* start counting after the query of the table in front */
};

void ns_session_query (NsSession *self, NsTableId table);
void ns_session_prune (NsSession *self, NsTableId table);
void
ns_session_apply_selection (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows);
void ns_session_emit_rows_changed (NsSession *self, NsTableId table);
void ns_session_emit_selection_changed (NsSession *self);
gboolean ns_session_find_followed (NsSession *self, NsTableId table, guint *index);
void ns_session_drop_followed (NsSession *self);

G_END_DECLS
