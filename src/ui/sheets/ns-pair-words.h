/* What is said of requests that two machines recorded, and of their clocks.
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
char *ns_pair_words_clock (const NsPairs *pairs, char *const names[2]);

G_END_DECLS
