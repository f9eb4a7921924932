/* Packed columns of fields: numbers for their values, read without touching rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-columns.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Meaning of a column's numbers. */
typedef enum
{
  NS_COLUMN_KIND_NONE,    /* the field has no column */
  NS_COLUMN_KIND_NUMBER,  /* in the order of the values, see ns_field_value_to_number() */
  NS_COLUMN_KIND_TEXT,    /* NsString */
  NS_COLUMN_KIND_PROCESS, /* NsRow of the process; 0: unknown, read the row */
  NS_COLUMN_KIND_LAYERS,  /* bits of NsLayers */
} NsColumnKind;

NsColumnKind ns_field_get_column_kind (const NsField *field);
gboolean ns_field_is_of_process (const NsField *field);
gboolean ns_field_has_one_tree (const NsTrace *trace, NsRow process);
const NsColumn *ns_field_get_column (const NsTrace *trace, const NsField *field);
guint64 ns_field_get_value_number (const NsTrace *trace,
                                   const NsField *field,
                                   NsColumnKind kind,
                                   const NsColumn *column,
                                   guint row);

/* Maps a known value of a numeric type to an unsigned number of the same order. */
static inline guint64
ns_field_value_to_number (const NsFieldValue *value)
{
  if (value->type == NS_TYPE_INT || value->type == NS_TYPE_TIME || value->type == NS_TYPE_DURATION)
    return (guint64) value->v.i ^ G_GUINT64_CONSTANT (1) << 63;
  return value->v.u;
}

G_END_DECLS
