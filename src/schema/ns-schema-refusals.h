/* Event descriptions in a trace that were rejected: provider, position and reason.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

typedef struct _NsSchemaRefusals NsSchemaRefusals;

NsSchemaRefusals *ns_schema_refusals_new (void);
void ns_schema_refusals_free (NsSchemaRefusals *self);
void ns_schema_refusals_add (NsSchemaRefusals *self, const NsRecord *record, const char *why);
void ns_schema_refusals_report (const NsSchemaRefusals *self, NsEtlFile *file);

G_END_DECLS
