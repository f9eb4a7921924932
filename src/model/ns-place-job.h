/* Looks in a thread for the rows that a copied text tells of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "query/ns-place.h"

G_BEGIN_DECLS

/* Where it is: the rows of @table that pass @filter; for a moment, the row that began there. */
typedef struct
{
  NsTableId table;
  char *filter;       /* %NULL for a moment */
  guint32 row;        /* the first of them */
  gboolean is_hidden; /* none of them is shown */
} NsPlaceHit;

void ns_place_hit_clear (NsPlaceHit *self);
void ns_place_job_run_async (NsSession *session,
                             NsPlace *place,
                             NsTableId first,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean ns_place_job_run_finish (GAsyncResult *result, NsPlaceHit *hit, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsPlaceHit, ns_place_hit_clear)

G_END_DECLS
