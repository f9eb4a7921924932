/* Arena allocator: pieces of memory that are freed all at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsArena NsArena;

NsArena *ns_arena_new (gsize block_bytes);
void ns_arena_free (NsArena *self);
gpointer ns_arena_alloc (NsArena *self, gsize n_bytes);
gpointer ns_arena_dup (NsArena *self, gconstpointer data, gsize n_bytes);
char *ns_arena_strndup (NsArena *self, const char *text, gsize n_bytes);
gsize ns_arena_get_size (NsArena *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsArena, ns_arena_free)

#define ns_arena_new0(self, Type) ((Type *) ns_arena_alloc ((self), sizeof (Type)))

G_END_DECLS
