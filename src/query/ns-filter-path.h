/* Filter test for code paths that begin with given steps: `stack_path="a!b;a!c"`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef struct _NsFilterPath NsFilterPath;

NsFilterPath *ns_filter_path_new (const char *path);
void ns_filter_path_free (NsFilterPath *self);
gboolean ns_filter_path_matches (NsFilterPath *self, const NsTrace *trace, guint row);

G_END_DECLS
