/* Fast reading of plain members of rows, for exports of millions of cells.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FIELD_QUICK_NONE, /* can only be read with ns_field_get() */
  NS_FIELD_QUICK_ID,   /* number of the row, from 1 */
  NS_FIELD_QUICK_U32,
  NS_FIELD_QUICK_U64,
  NS_FIELD_QUICK_BOOL,
  NS_FIELD_QUICK_TIME,
  NS_FIELD_QUICK_SPAN,       /* from one member to another, or to the end of the trace */
  NS_FIELD_QUICK_STILL_OPEN, /* whether the member means that it did not end */
  NS_FIELD_QUICK_PORT,       /* of the endpoint that the member points to */
  NS_FIELD_QUICK_PHASE,      /* of the table of activities */
  NS_FIELD_QUICK_STRING,
  NS_FIELD_QUICK_NAME,    /* text of a number in a byte */
  NS_FIELD_QUICK_LAYER,   /* text of a layer set */
  NS_FIELD_QUICK_UNKNOWN, /* unknown in every row of this trace */
} NsFieldQuickKind;

/* Text of a number; (nullable) (transfer none), lives as long as the program. */
typedef const char *(*NsFieldNameFunc) (guint number);

/**
 * NsFieldQuick:
 * @kind: kind of the member
 * @has_unknown: whether a number stands for "unknown"
 * @unknown: that number, or the number of the phase
 * @to_text: for NS_FIELD_QUICK_NAME
 * @first: the member of the first row
 * @second: for NS_FIELD_QUICK_SPAN: distance from it to the other member, in bytes
 * @row_bytes: distance between two rows, in bytes
 * @trace: owner of the texts
 *
 * Location of the values of a field, valid until a row is added.
 */
typedef struct
{
  NsFieldQuickKind kind;
  gboolean has_unknown;
  guint64 unknown;
  NsFieldNameFunc to_text;
  const guint8 *first;
  gssize second;
  gsize row_bytes;
  const NsTrace *trace;
} NsFieldQuick;

void ns_field_quick_init (NsFieldQuick *self, const NsTrace *trace, const NsField *field);
void ns_field_quick_read_numbers (const NsFieldQuick *self,
                                  const guint32 *rows,
                                  guint n_rows,
                                  guint8 *is_known,
                                  gint64 *numbers);
void ns_field_quick_append (const NsFieldQuick *self, guint row, GString *text);
const char *ns_field_quick_get_text (const NsFieldQuick *self, guint row);

/* Returns whether ns_field_quick_get_text() reads the values. */
static inline gboolean
ns_field_quick_is_text (const NsFieldQuick *self)
{
  return self->kind == NS_FIELD_QUICK_STRING || self->kind == NS_FIELD_QUICK_NAME ||
         self->kind == NS_FIELD_QUICK_LAYER;
}

G_END_DECLS
