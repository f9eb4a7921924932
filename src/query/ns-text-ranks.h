/* Ranks of texts among all texts of a column, so that sorting compares numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsTextRanks NsTextRanks;

NsTextRanks *ns_text_ranks_new (void);
void ns_text_ranks_free (NsTextRanks *self);
guint ns_text_ranks_add (NsTextRanks *self, const char *text, gboolean is_owned);
guint ns_text_ranks_append (NsTextRanks *self, const char *text, gsize n_bytes);
guint ns_text_ranks_join (NsTextRanks *self, NsTextRanks *other);
void ns_text_ranks_sort (NsTextRanks *self);
guint64 ns_text_ranks_get_last (const NsTextRanks *self);
guint64 ns_text_ranks_get (const NsTextRanks *self, guint number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTextRanks, ns_text_ranks_free)

G_END_DECLS
