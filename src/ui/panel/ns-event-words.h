/* Texts about one event: who decoded its fields, and where its bytes are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-event-facts.h"

G_BEGIN_DECLS

char *ns_event_words_decoded_by (const NsEventFacts *facts);
char *ns_event_words_bytes (const NsEventFacts *facts, gboolean is_whole);
char *ns_event_words_chosen (const NsEventFacts *facts, guint fact);

G_END_DECLS
