/* The rows of other tables that a row names: how sure each link is, and what it stands on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/activities/ns-link.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsRowLink:
 * @target: the table of the row it leads to
 * @row: that row, 0-based
 * @title: (nullable): what that row is to this one; %NULL: its table says so
 * @confidence: an #NsConfidence, or %NS_LINK_NOT_JUDGED
 * @evidence: (nullable): what its layer found it by, as in the evidence of rows
 * @key: (nullable): field of that row whose pointer or handle both rows have
 * @value: of @key
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

G_END_DECLS
