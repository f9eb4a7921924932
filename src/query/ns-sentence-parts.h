/* What sentences of rows are put together from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* A sentence on its way: clauses with commas between. */
typedef struct
{
  const NsTrace *trace;
  NsTableId table;
  guint row;
  GString *text;
  guint n_clauses;
} NsSentence;

char *ns_sentence_dup (const NsSentence *self, const char *id);
gboolean ns_sentence_get_number (const NsSentence *self, const char *id, gint64 *number);
gboolean ns_sentence_is_true (const NsSentence *self, const char *id);
char *ns_sentence_dup_moment (const NsSentence *self, const char *id);
char *ns_sentence_dup_span (const NsSentence *self, const char *id);
char *ns_sentence_dup_bytes (const NsSentence *self, const char *id);
char *ns_sentence_dup_subject (const NsSentence *self);
char *ns_sentence_dup_peer (const NsSentence *self);
char *ns_sentence_span_to_text (gint64 span_ns);
void ns_sentence_add (NsSentence *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* ns-sentence-activity.c */
void ns_sentence_add_activity (NsSentence *self);

G_END_DECLS
