/* How secrets are found in texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/ns-secret-names.h"

G_BEGIN_DECLS

/* Nothing that is looked for around a name is farther away. */
#define NS_SECRETS_REACH 512

/* From here to there a text is secret. */
typedef struct
{
  gsize begin;
  gsize end;
} NsSecretRange;

typedef struct
{
  const char *text;
  gsize size;
  GArray *ranges; /* NsSecretRange, in order, without overlaps; NULL: none yet */
} NsSecretFinder;

void ns_secret_finder_add (NsSecretFinder *self, gsize begin, gsize end);
gsize ns_secret_finder_add_word (NsSecretFinder *self, gsize at, const char *enders);
gsize ns_secret_finder_skip_blanks (const NsSecretFinder *self, gsize at);
gsize ns_secret_finder_get_line_end (const NsSecretFinder *self, gsize at);

/* What begins at a place, if something does: where to go on, or 0. */
gsize ns_secrets_find_named (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_assigned (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_element (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_protocol_line (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_simple_bind (NsSecretFinder *self, gsize at);
gsize ns_secrets_find_switch (NsSecretFinder *self, gsize at);
void ns_secrets_find_in_command (NsSecretFinder *self);
void ns_secrets_find_binary (NsSecretFinder *self);

G_END_DECLS
