/* Pairs the requests in the trace of a session with those of another machine, in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-pairs.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

#define NS_TYPE_PAIRING (ns_pairing_get_type ())
G_DECLARE_FINAL_TYPE (NsPairing, ns_pairing, NS, PAIRING, GObject)

NsPairing *ns_pairing_new (NsTrace *trace, GFile *file, NsTrace *other);
void ns_pairing_set_offset (NsPairing *self, const gint64 *offset_ns);
void ns_pairing_set_needs_ends (NsPairing *self, gboolean needs_ends);
gboolean ns_pairing_is_of (NsPairing *self, const NsTrace *trace);
const NsPairRow *ns_pairing_find (NsPairing *self, NsRow row);
NsRow ns_pairing_find_unpaired (NsPairing *self, NsRow row);
double ns_pairing_get_fraction (NsPairing *self);
const NsPairs *ns_pairing_get_pairs (NsPairing *self);
char *ns_pairing_dup_machine (NsPairing *self, guint machine);
gint64 ns_pairing_get_ahead (NsPairing *self);
void ns_pairing_run_async (NsPairing *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean ns_pairing_run_finish (NsPairing *self, GAsyncResult *result, GError **error);

G_END_DECLS
