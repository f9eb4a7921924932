/* Lists of numbers under a key of two 64-bit words, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsLists NsLists;

NsLists *ns_lists_new (void);
void ns_lists_free (NsLists *self);
void ns_lists_add (NsLists *self, guint64 a, guint64 b, guint32 value);
void ns_lists_expect (const NsLists *self, guint64 a, guint64 b);

/* Walk: `for (n = ns_lists_first (l, a, b); n != 0; n = ns_lists_next (l, n))`. */
guint32 ns_lists_first (const NsLists *self, guint64 a, guint64 b);
guint32 ns_lists_next (const NsLists *self, guint32 node);
guint32 ns_lists_get (const NsLists *self, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsLists, ns_lists_free)

G_END_DECLS
