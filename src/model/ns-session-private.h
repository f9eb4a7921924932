/* What the halves of a session share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

/* How one table is looked at. */
typedef struct
{
  NsRowList *rows;
  gboolean has_rows; /* @rows were asked for, and filled */
  char *filter;
  NsFilterChips *chips; /* what the user made @filter of */
  char *given_up;       /* (nullable): what it did not compare to the end */
  GArray *order;        /* NsOrderKey */
  NsGrouping *grouping;
  GCancellable *job;
  guint n_folds;         /* how often groups were opened or closed */
  gboolean wants_reveal; /* of the row that is selected, when the rows have come */
  guint set; /* another number when other rows are asked for; an order asks for the same */
} NsSessionView;

struct _NsSession
{
  GObject parent_instance;

  NsTrace *trace;
  GFile *file;
  NsDamage *damage;
  NsSessionView views[NS_N_TABLES];
  NsTimeSpan whole;
  gint64 frontier_ns; /* what is behind it was not read; 0: all was */
  NsTimeSpan visible;
  NsTimeSpan span;     /* selected; empty: none */
  gboolean has_moment; /* of a playback */
  gint64 moment_ns;
  NsWall wall;
  NsTableId front;
  NsTableId selected_table;
  gboolean is_selecting_again;
  GArray *selected;  /* guint32 */
  GArray *wanted;    /* guint32: what was selected before a filter hid some of it; empty: nothing is
                        hidden */
  guint8 *marked;    /* one for each activity */
  GPtrArray *hidden; /* (nullable): texts, then NULL: frames that are left out */
  char *followed;    /* (nullable): the name of the condition that each table has */
  GCancellable *spreading; /* it to the other tables */
  GCancellable *counting;  /* of the conditions of the table in front */
  gboolean is_count_due;   /* once its rows are there */
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
