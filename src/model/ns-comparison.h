/* Compares the trace of a session with another one, in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-difference-cells.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

#define NS_TYPE_COMPARISON (ns_comparison_get_type ())
G_DECLARE_FINAL_TYPE (NsComparison, ns_comparison, NS, COMPARISON, GObject)

NsComparison *ns_comparison_new (NsTrace *trace, GFile *file, NsTrace *other);
void ns_comparison_swap (NsComparison *self);
double ns_comparison_get_fraction (NsComparison *self);
gboolean ns_comparison_is_ours_first (NsComparison *self);
guint ns_comparison_get_n_changes (NsComparison *self);
guint ns_comparison_count_kind (NsComparison *self, NsChangeKind kind);
void ns_comparison_count (NsComparison *self, guint *n_before, guint *n_after);
const NsChange *ns_comparison_get_change (NsComparison *self, guint nth);
NsDifferenceCell
ns_comparison_get_cell (NsComparison *self, guint nth, const NsDifferenceColumn *column);
char *ns_comparison_to_text (NsComparison *self);
void ns_comparison_run_async (NsComparison *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean ns_comparison_run_finish (NsComparison *self, GAsyncResult *result, GError **error);

G_END_DECLS
