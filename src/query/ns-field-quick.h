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
  NS_FIELD_QUICK_U32,
  NS_FIELD_QUICK_U64,
  NS_FIELD_QUICK_BOOL,
  NS_FIELD_QUICK_TIME,
  NS_FIELD_QUICK_STRING,
} NsFieldQuickKind;

/**
 * NsFieldQuick:
 * @kind: kind of the member
 * @has_unknown: whether a number stands for "unknown"
 * @unknown: that number
 * @first: the member of the first row
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
  const guint8 *first;
  gsize row_bytes;
  const NsTrace *trace;
} NsFieldQuick;

void ns_field_quick_init (NsFieldQuick *self, const NsTrace *trace, const NsField *field);
void ns_field_quick_append (const NsFieldQuick *self, guint row, GString *text);
const char *ns_field_quick_get_text (const NsFieldQuick *self, guint row);

G_END_DECLS
