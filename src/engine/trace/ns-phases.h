/* Divides the time of a request into phases that do not overlap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/* Maximum number of spans per request; the time of further ones counts as "other". */
#define NS_PHASES_MAX_SPANS 128

/* Measured spans of one request, in any order; they may overlap and extend beyond it. */
typedef struct
{
  guint n_spans;
  struct
  {
    NsPhase phase;
    gint64 begin_ns;
    gint64 end_ns;
  } spans[NS_PHASES_MAX_SPANS];
} NsPhases;

void ns_phases_init (NsPhases *self);
void ns_phases_add (NsPhases *self, NsPhase phase, gint64 begin_ns, gint64 end_ns);
void ns_phases_split (const NsPhases *self,
                      gint64 open_ns,
                      gint64 close_ns,
                      gint64 durations[NS_N_PHASES]);

G_END_DECLS
