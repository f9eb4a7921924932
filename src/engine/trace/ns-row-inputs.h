/* Finds the file of a case that a row comes from, by the time of its record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

typedef struct _NsRowInputs NsRowInputs;

NsRowInputs *ns_row_inputs_new (const NsEtlFile *file);
void ns_row_inputs_free (NsRowInputs *self);
void ns_row_inputs_note (NsRowInputs *self, const NsRecord *record);
const char *ns_row_inputs_find (const NsRowInputs *self, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRowInputs, ns_row_inputs_free)

G_END_DECLS
