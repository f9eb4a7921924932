/* Fields that rows of the layers above connections share (`providers.md` 0.8).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-tables.h"

G_BEGIN_DECLS

/* How many texts say what a link was found by. */
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
  gint64 status; /* a number of the layer's own family; NS_UNKNOWN: none was told */
  const char *evidence[NS_MAX_EVIDENCE]; /* what it stands on; NULL: nothing more */
  gint8 confidence;                      /* of the link to what is below; -1: there is none */
  NsBool opened_before_trace;
} NsLayerRow;

G_END_DECLS
