/* Texts about paired requests of two machines and about their clock alignment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-pairing.h"

G_BEGIN_DECLS

char *ns_pair_words_request (const NsTrace *trace, NsRow row);
char *ns_pair_words_end (const NsPairs *pairs, char *const names[2], guint machine, NsRow row);
char *ns_pair_words_part (const NsPairRow *row, guint part);
gint64 ns_pair_words_get_total (const NsPairs *pairs, const NsPairRow *row);
char *ns_pair_words_start (const NsPairRow *row);
int ns_pair_words_get_confidence (const NsPairs *pairs, const NsPairRow *row);
const char *ns_pair_words_get_sure (const NsPairs *pairs, const NsPairRow *row);
char *ns_pair_words_clock (const NsPairs *pairs, char *const names[2]);
char *ns_pair_words_clock_note (const NsPairs *pairs, char *const names[2], gboolean is_narrow);
char *ns_pair_words_rows_note (const NsPairs *pairs, char *const names[2], const GArray *rows);
char *ns_pair_words_correction (const NsPairs *pairs);
char *ns_pair_words_nothing (const NsPairs *pairs, char *const names[2]);
char *ns_pair_words_sentence (const NsPairs *pairs, const NsPairRow *row, char *const names[2]);

G_END_DECLS
