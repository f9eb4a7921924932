/* The fields of a record that filters know, when records stream by and are no rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* They have no reader of their own: whoever holds the record reads it. */
const NsField *ns_record_fields_get (guint *n_fields);
const NsField *ns_record_fields_find (const char *name);

G_END_DECLS
