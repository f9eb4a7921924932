/* An open trace with its view state: time spans, filters, orders and the selection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/activities/ns-chain.h"
#include "engine/trace/ns-event-index.h"
#include "model/ns-damage.h"
#include "model/ns-filter-chips.h"
#include "model/ns-grouping.h"
#include "model/ns-row-list.h"
#include "model/ns-wall.h"
#include "query/ns-filter.h"
#include "query/ns-order.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Totals over the selected rows. Fields that the table does not have, or that are not known for any
 * row at the playback position, are missing. */
typedef struct
{
  guint n_rows;
  gboolean is_partial;     /* some rows have not ended by the playback position: the sums are lower
                            * bounds */
  gboolean is_lower_bound; /* some rows never ended: their durations are lower bounds */
  gboolean has_bytes;
  gboolean has_duration;
  guint64 sent;
  guint64 received;
  gint64 duration_ns;
  gint64 union_ns; /* busy time: at least one of the rows was running */
} NsSessionSums;

#define NS_TYPE_SESSION (ns_session_get_type ())
G_DECLARE_FINAL_TYPE (NsSession, ns_session, NS, SESSION, GObject)

NsSession *ns_session_new (NsTrace *trace, GFile *file);
void ns_session_look_for_findings (NsSession *self);
NsTrace *ns_session_get_trace (NsSession *self);
GFile *ns_session_get_file (NsSession *self);
const NsDamage *ns_session_get_damage (NsSession *self);
NsTimeSpan ns_session_get_whole (NsSession *self);
gint64 ns_session_get_frontier (NsSession *self);
NsTimeSpan ns_session_get_first_view (NsSession *self);

NsTableId ns_session_get_front (NsSession *self);
void ns_session_set_front (NsSession *self, NsTableId table);
void ns_session_show_table (NsSession *self, NsTableId table);
NsRowList *ns_session_get_rows (NsSession *self, NsTableId table);
guint ns_session_count_all (NsSession *self, NsTableId table);
guint ns_session_count_rows (NsSession *self, NsTableId table);
NsTableId ns_session_find_first_table (NsSession *self);
gboolean ns_session_is_busy (NsSession *self, NsTableId table);
guint ns_session_get_set (NsSession *self, NsTableId table);
const char *ns_session_get_filter (NsSession *self, NsTableId table);
NsFilterChips *ns_session_get_chips (NsSession *self, NsTableId table);
const char *ns_session_get_incomplete_reason (NsSession *self, NsTableId table);
gboolean ns_session_set_filter (NsSession *self,
                                NsTableId table,
                                const char *text,
                                NsFilterSpan *where,
                                GError **error);
void ns_session_names_changed (NsSession *self);
const GArray *ns_session_get_order (NsSession *self, NsTableId table);
void ns_session_set_order (NsSession *self, NsTableId table, const GArray *order);
void
ns_session_toggle_order (NsSession *self, NsTableId table, const NsField *field, gboolean add_key);

const NsGrouping *ns_session_get_grouping (NsSession *self, NsTableId table);
void ns_session_copy_grouping (NsSession *self, NsTableId table, const NsGrouping *grouping);
void ns_session_set_grouping (NsSession *self,
                              NsTableId table,
                              const NsField *const *fields,
                              guint n_fields);
void ns_session_add_group (NsSession *self, NsTableId table, const NsField *field);
void ns_session_group_by (NsSession *self, NsTableId table, const char *names);
void
ns_session_order_groups (NsSession *self, NsTableId table, NsGroupOrder order, gboolean descending);
void
ns_session_open_group (NsSession *self, NsTableId table, const NsGroup *group, gboolean is_open);
void ns_session_fold_groups (NsSession *self, NsTableId table, NsFolds folds);
void ns_session_reveal (NsSession *self, NsTableId table, guint32 row);

void ns_session_select (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows);
void ns_session_select_again (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows);
gboolean ns_session_is_selecting_again (NsSession *self);
gboolean ns_session_can_name_provider (NsSession *self, guint row);
gboolean ns_session_name_provider (NsSession *self, guint row, const char *name, GError **error);
const char *ns_session_get_provider_label (NsSession *self, guint row);
NsTableId ns_session_get_selected_table (NsSession *self);
const GArray *ns_session_get_selected (NsSession *self);
const guint8 *ns_session_get_marked (NsSession *self);
guint32 ns_session_get_activity (NsSession *self);
gboolean ns_session_is_selection_hidden (NsSession *self);
void ns_session_get_sums (NsSession *self, NsSessionSums *sums);
void ns_session_get_sums_async (NsSession *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean ns_session_get_sums_finish (NsSession *self,
                                     GAsyncResult *result,
                                     NsSessionSums *sums,
                                     GError **error);

NsTimeSpan ns_session_get_visible (NsSession *self);
void ns_session_set_visible (NsSession *self, NsTimeSpan span);
NsTimeSpan ns_session_get_span (NsSession *self);
void ns_session_set_span (NsSession *self, NsTimeSpan span);
NsWall ns_session_get_wall (NsSession *self);
void ns_session_set_wall (NsSession *self, NsWall wall);

const char *const *ns_session_get_hidden_frames (NsSession *self);
void ns_session_hide_frames (NsSession *self, const char *pattern);
void ns_session_show_frames (NsSession *self, const char *pattern);

const NsField *ns_session_get_begin_field (NsTableId table);
gboolean ns_session_get_row_span (NsSession *self, NsTableId table, guint row, NsTimeSpan *span);

G_END_DECLS
