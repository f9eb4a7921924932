/* Named time ranges for the filter `range:"A"`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"

G_BEGIN_DECLS

/* Maximum number of ranges in a list. */
#define NS_NAMED_RANGES_MAX 10000

/* A range. Several ranges may have the same name, which then stands for their union. */
typedef struct
{
  const char *name;
  NsTimeSpan span;
} NsNamedRange;

/* A list of ranges; thread-safe. */
typedef struct _NsNamedRanges NsNamedRanges;

NsNamedRanges *ns_named_ranges_new (void);
void ns_named_ranges_free (NsNamedRanges *self);
void ns_named_ranges_set (NsNamedRanges *self, const NsNamedRange *ranges, guint n_ranges);
gboolean ns_named_ranges_parse (NsNamedRanges *self, const char *text, GError **error);
gboolean ns_named_ranges_has (NsNamedRanges *self, const char *name);

gboolean
ns_named_ranges_contain (NsNamedRanges *self, const char *name, gint64 begin_ns, gint64 end_ns);
void ns_named_ranges_add_names (NsNamedRanges *self, GStrvBuilder *names, GHashTable *seen);

G_END_DECLS
