/* Texts of the user interface: errors with advice, counts, sizes, durations and names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

const char *ns_words_get_error_title (const GError *error);
char *ns_words_file (GFile *file);
const char *ns_words_get_error_help (const GError *error);
char *ns_words_count (guint64 number);
char *ns_words_byte (const NsTrace *trace, guint64 offset);
char *ns_words_values (const NsField *field, guint n_values);
char *ns_words_seconds (gint64 time_ns);
char *ns_words_span (gint64 length_ns);
guint ns_words_count_digits (gint64 length_ns);
char *ns_words_duration (gint64 span_ns);
char *ns_words_milliseconds (gint64 span_ns);
char *ns_words_duration_at_least (gint64 span_ns, gboolean is_lower_bound);
char *ns_words_at_least (char *amount, gboolean is_lower_bound);
char *ns_words_row (NsSession *session, NsTableId table, guint32 row);
char *ns_words_selected_in (guint n_rows, const char *title);
char *ns_words_sums (const NsSessionSums *sums);
const char *ns_words_get_phase (NsPhase phase);
const char *ns_words_get_layer_phase (guint32 layer, NsPhase phase);
const char *ns_words_get_task_kind (NsTaskKind kind);
const char *ns_words_get_missing_stack (NsStackMissing missing);
const char *ns_words_get_missing_reason (NsStackMissing missing);
const char *ns_words_get_confidence (int confidence);
char *ns_words_keep_units (const char *text);
char *ns_words_frame (const char *name);
char *ns_words_tooltip (const char *text);

G_END_DECLS
