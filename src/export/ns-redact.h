/* Stand-ins for what tells of people and places in rows that are passed on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-rows.h"
#include "export/ns-redact-scan.h"

G_BEGIN_DECLS

/**
 * NsRedactName:
 * @kind: what it is
 * @text: as the trace has it
 * @stand_in: what is written in its place
 * @n_places: in how many places of the rows
 *
 * Something that is replaced, everywhere by the same.
 */
typedef struct
{
  NsRedactKind kind;
  char *text;
  char *stand_in;
  guint64 n_places;
} NsRedactName;

typedef struct _NsRedact NsRedact;

gboolean ns_redact_is_possible (NsTableId table);
NsRedact *ns_redact_new (const NsExportRows *rows);
void ns_redact_free (NsRedact *self);
const GPtrArray *ns_redact_get_names (const NsRedact *self, NsRedactKind kind);
void ns_redact_apply (const NsRedact *self, const NsField *field, NsFieldValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRedact, ns_redact_free)

G_END_DECLS
