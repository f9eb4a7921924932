/* Members that rows of the layers above connections share (`providers.md` 0.8).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/* Maximum number of evidence texts. */
#define NS_MAX_EVIDENCE 3

typedef struct
{
  guint32 pid;
  guint32 tid;
  gint64 open_ns;
  gint64 close_ns;
  NsStackId stack;
  NsRunId link;
  NsRow activity;
  gint64 status; /* in the layer's own status family; NS_UNKNOWN: not recorded */
  const char *evidence[NS_MAX_EVIDENCE]; /* evidence of the link; NULL: no more */
  gint8 confidence; /* confidence of the link to the lower layer; -1: no link */
  NsBool opened_before_trace;
} NsLayerRow;

G_END_DECLS
