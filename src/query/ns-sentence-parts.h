/* Building blocks of sentences.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* A sentence that is being written: clauses separated by commas. */
struct _NsSentence
{
  const NsTrace *trace;
  NsTableId table;
  guint row;
  GString *text;
  guint n_clauses;
  GArray *parts; /* (nullable): NsSentencePart, in order of marking; NULL: not requested */
};

char *ns_sentence_dup (const NsSentence *self, const char *id);
gboolean ns_sentence_get_number (const NsSentence *self, const char *id, gint64 *number);
gboolean ns_sentence_is_true (const NsSentence *self, const char *id);
void ns_sentence_add_end (NsSentence *self, const char *span);
void ns_sentence_add_close (NsSentence *self);
char *ns_sentence_dup_when (NsSentence *self, const char *id);
char *ns_sentence_dup_moment (NsSentence *self, const char *id);
char *ns_sentence_dup_span (NsSentence *self, const char *id);
char *ns_sentence_dup_bytes (const NsSentence *self, const char *id);
char *ns_sentence_dup_subject (NsSentence *self);
char *ns_sentence_dup_peer (const NsSentence *self);
char *ns_sentence_span_to_text (gint64 span_ns);
void ns_sentence_add (NsSentence *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

char *ns_brief_join (const char *separator, char *first, char *second);
char *ns_brief_dup_path (const NsSentence *self);

/* ns-sentence-marks.c: marks ranges of the text. The marks are part of the text itself, since
 * translations may reorder it. */
char *ns_sentence_mark (NsSentence *self, char *text, NsSentencePartKind kind);
char *ns_sentence_mark_row (NsSentence *self, char *text, NsTableId table, NsRow row);
char *ns_sentence_mark_frame (NsSentence *self, char *text, guint64 address);
void ns_sentence_take_marks (NsSentence *self);

/* ns-sentence-activity.c */
void ns_sentence_add_activity (NsSentence *self);
gboolean ns_sentence_is_of_layer (const NsActivityRow *row);
void ns_sentence_add_layer (NsSentence *self,
                            const NsActivityRow *row,
                            const char *subject,
                            const char *peer,
                            const char *when);
void ns_sentence_add_layer_facts (NsSentence *self, const NsActivityRow *row);
void ns_sentence_add_unanswered (NsSentence *self, guint32 operation);

G_END_DECLS
