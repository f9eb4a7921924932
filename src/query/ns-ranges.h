/* Named ranges of time, for the filter `range:"A"`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* Ranges of one trace that are kept. */
#define NS_RANGES_MAX 10000

/* Several may have one name: what is in any of them is in the range. */
typedef struct
{
  const char *name;
  NsTimeSpan span;
} NsRange;

void ns_ranges_set (const NsTrace *trace, const NsRange *ranges, guint n_ranges);
gboolean ns_ranges_parse (const char *text, GError **error);
char **ns_ranges_list_names (const NsTrace *trace);
gboolean ns_ranges_has (const NsTrace *trace, const char *name);
gboolean ns_ranges_contain (const NsTrace *trace, const char *name, gint64 begin_ns, gint64 end_ns);

G_END_DECLS
