/* A map from a key of two 64-bit words to a list of numbers, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsLists NsMultiMap;

NsMultiMap *ns_multi_map_new (void);
void ns_multi_map_free (NsMultiMap *self);
void ns_multi_map_add (NsMultiMap *self, guint64 a, guint64 b, guint32 value);
void ns_multi_map_expect (const NsMultiMap *self, guint64 a, guint64 b);

/* Iteration: `for (n = ns_multi_map_first (l, a, b); n != 0; n = ns_multi_map_next (l, n))`. */
guint32 ns_multi_map_first (const NsMultiMap *self, guint64 a, guint64 b);
guint32 ns_multi_map_next (const NsMultiMap *self, guint32 node);
guint32 ns_multi_map_get (const NsMultiMap *self, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsMultiMap, ns_multi_map_free)

G_END_DECLS
