/* The target of extracted tables, shared by the files that write it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-file.h"
#include "export/ns-extract-sqlite.h"
#include "export/ns-extract-write.h"
#include "export/ns-parquet.h"

G_BEGIN_DECLS

struct _NsExtractTarget
{
  NsExtractForm form;
  char *path;
  NsExtractSchema *schema;
  NsParquetPool *pool; /* memory for the files, which are written one after the other */
  guint32 tables;      /* one bit per table */
  guint mode;
  GHashTable *done; /* (element-type utf8): identities of complete traces; NULL: not searched yet */
  GHashTable *remains;       /* by folder that was searched: (element-type utf8 GPtrArray) */
  NsExtractSqlite *database; /* NULL: a folder, or closed */
  gboolean has_tables;       /* the database was open before */
  GPtrArray *written;        /* (element-type NsExportFile): of complete traces, not renamed yet */
};

gboolean ns_extract_target_open_database (NsExtractTarget *self, GError **error);
void ns_extract_target_remove_failure (NsExtractTarget *self, const char *id);
const char *ns_extract_form_to_name (NsExtractForm form);

G_END_DECLS
