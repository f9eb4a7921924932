/* Filter test for a word: a text of the row contains it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef struct _NsFilterWord NsFilterWord;

NsFilterWord *ns_filter_word_new (NsTableId table, const char *word, gboolean is_pattern);
void ns_filter_word_free (NsFilterWord *self);
gboolean ns_filter_word_reads_field (const NsFilterWord *self, const NsField *field);
void ns_filter_word_prepare (NsFilterWord *self, const NsTrace *trace);
void ns_filter_word_forget (NsFilterWord *self);
gboolean ns_filter_word_matches (const NsFilterWord *self, const NsTrace *trace, guint row);

G_END_DECLS
