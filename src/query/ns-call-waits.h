/* How long the work of many rows waited at the thread switches of a call tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-call-tree.h"

G_BEGIN_DECLS

/* One path through one seam. */
typedef struct
{
  guint32 node;
  guint32 path;   /* its number */
  guint32 n_rows; /* how many rows took that path */
  guint32 tid;    /* who handed the work over */
  gint64 wait_ns; /* NS_UNKNOWN: not known */
} NsCallWait;

void ns_call_waits_settle (GArray *waits, NsCallTree *tree);

G_END_DECLS
