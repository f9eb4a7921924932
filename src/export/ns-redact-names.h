/* The table of replaced names, each with its stand-in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-redact-scan.h"

G_BEGIN_DECLS

/**
 * NsRedactName:
 * @kind: its kind
 * @text: as in the trace
 * @stand_in: (nullable): its replacement; %NULL until the names are closed
 * @n_places: number of occurrences in the rows
 *
 * A name that is replaced, always by the same stand-in.
 */
typedef struct
{
  NsRedactKind kind;
  char *text;
  char *stand_in;
  guint64 n_places;
} NsRedactName;

typedef struct _NsRedactNames NsRedactNames;

NsRedactNames *ns_redact_names_new (void);
void ns_redact_names_free (NsRedactNames *self);
NsRedactName *
ns_redact_names_add (NsRedactNames *self, NsRedactKind kind, const char *text, gsize size);
NsRedactName *
ns_redact_names_find (const NsRedactNames *self, NsRedactKind kind, const char *text, gsize size);
const GPtrArray *ns_redact_names_get_all (const NsRedactNames *self, NsRedactKind kind);
void ns_redact_names_close (NsRedactNames *self);
NsRedactName *
ns_redact_names_find_short (const NsRedactNames *self, const char *text, gsize begin, gsize *end);
gsize ns_redact_names_find_path_end (const NsRedactNames *self, const char *text, gsize size);
const char *ns_redact_kind_to_text (NsRedactKind kind);

G_END_DECLS
