/* Links from a row to related rows of other tables, with their confidence and evidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/activities/ns-link.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsRowLink:
 * @target: the table of the linked row
 * @row: the linked row, 0-based
 * @title: (nullable): relation of the linked row to this one; %NULL to show the table name
 * @confidence: an #NsConfidence, or %NS_LINK_NOT_JUDGED
 * @evidence: (nullable): how the link was found, as in the evidence of rows
 * @key: (nullable): field of the linked row with a pointer or handle that both rows have
 * @value: value of @key
 */
typedef struct
{
  NsTableId target;
  guint32 row;
  const char *title; /* to be translated */
  int confidence;
  const char *evidence;
  const NsField *key;
  guint64 value;
} NsRowLink;

GArray *ns_row_links_list (const NsTrace *trace, NsTableId table, guint32 row);
const char *ns_row_links_get_title (const NsTrace *trace, NsTableId target, guint32 row);

G_END_DECLS
