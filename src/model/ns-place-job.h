/* Finds, in a thread, the rows that a copied text refers to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "query/ns-place.h"

G_BEGIN_DECLS

/* A location: the rows of table that pass filter; for a time, the row that begins there. */
typedef struct
{
  NsTableId table;
  char *filter;       /* %NULL for a time */
  guint32 row;        /* the first matching row */
  gboolean is_hidden; /* no matching row is shown */
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
