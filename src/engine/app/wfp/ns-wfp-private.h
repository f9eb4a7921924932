/* Shared by the files of the WFP part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/app/wfp/ns-wfp.h"
#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* A failed connect: event 1020, 1034 or 1035 of TCPIP. */
typedef struct
{
  gint64 time_ns;
  guint64 key;
} NsWfpFailure;

void ns_wfp_link_rows (NsTrace *trace, const GArray *failures);
void ns_wfp_name_rows (NsTrace *trace, const char *names_path);

G_END_DECLS
