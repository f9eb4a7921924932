/* Filter test for frames in the chain of a row: `stack:foo.dll!*`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef struct _NsFilterStack NsFilterStack;

/* Returns whether a text, such as `foo.dll+0x1f`, matches. */
typedef gboolean (*NsFilterStackFunc) (const char *text, gconstpointer user_data);

NsFilterStack *ns_filter_stack_new (void);
void ns_filter_stack_free (NsFilterStack *self);
gboolean ns_filter_stack_matches (NsFilterStack *self,
                                  const NsTrace *trace,
                                  guint row,
                                  NsFilterStackFunc is_match,
                                  gconstpointer match_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilterStack, ns_filter_stack_free)

G_END_DECLS
