/* The command line: the columns of what differs between two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-rows.h"
#include "query/ns-difference.h"

G_BEGIN_DECLS

/* Two traces, and an operation that differs. */
typedef struct
{
  const NsTrace *before;
  const NsTrace *after;
  const NsChange *change;
} NsCliDiff;

typedef struct _NsCliDiffColumn NsCliDiffColumn;

/* A value: a text, else a number where it is known. */
typedef struct
{
  char *text; /* (nullable) */
  gint64 number;
  gboolean is_number;
} NsCliDiffCell;

const NsCliDiffColumn *ns_cli_diff_column_find (const char *id);
GPtrArray *ns_cli_diff_columns_parse (const char *text, GError **error);
const char *ns_cli_diff_column_get_id (const NsCliDiffColumn *self);
NsCliDiffCell ns_cli_diff_column_get (const NsCliDiffColumn *self, const NsCliDiff *diff);
void ns_cli_diff_cell_add (const NsCliDiffCell *self, NsCliRows *rows);
int ns_cli_diff_cell_compare (const NsCliDiffCell *self,
                              const NsCliDiffCell *other,
                              gboolean is_descending);
void ns_cli_diff_cell_clear (NsCliDiffCell *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsCliDiffCell, ns_cli_diff_cell_clear)

G_END_DECLS
