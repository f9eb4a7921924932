/* The tables of a trace as files in a folder, or in a database.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-file.h"
#include "export/ns-extract.h"

G_BEGIN_DECLS

typedef enum
{
  NS_EXTRACT_PARQUET, /* a folder with one Parquet file per table and trace */
  NS_EXTRACT_JSONL,   /* likewise, as JSON lines */
  NS_EXTRACT_SQLITE,  /* one file with all tables of all traces */
} NsExtractForm;

typedef struct _NsExtractTarget NsExtractTarget;

gboolean ns_extract_form_from_name (const char *name, NsExtractForm *form);
NsExtractTarget *ns_extract_target_new (NsExtractForm form,
                                        const char *path,
                                        guint32 tables,
                                        guint mode,
                                        GError **error);
void ns_extract_target_free (NsExtractTarget *self);
const NsExtractSchema *ns_extract_target_get_schema (const NsExtractTarget *self);
void ns_extract_target_close_database (NsExtractTarget *self);
gboolean ns_extract_target_begin (NsExtractTarget *self, GError **error);
gboolean ns_extract_target_has (NsExtractTarget *self, const char *id, const char *options);
void ns_extract_target_expect_options (NsExtractTarget *self, const char *id, const char *options);
void ns_extract_target_store_options (NsExtractTarget *self, const char *id, const char *options);
void ns_extract_target_replace_failure (NsExtractTarget *self, const char *path, const char *id);
gboolean ns_extract_target_write (NsExtractTarget *self,
                                  NsExtract *extract,
                                  const char *id,
                                  guint64 *n_rows,
                                  GError **error);
gboolean ns_extract_target_commit (NsExtractTarget *self, GError **error);
void ns_extract_target_remove_remains (NsExtractTarget *self, const char *id);
gboolean ns_extract_write_table (NsExtract *extract,
                                 NsExtractTableId id,
                                 NsExportFile *file,
                                 guint64 *n_rows,
                                 GError **error);
gboolean ns_extract_target_write_failure (NsExtractTarget *self,
                                          const NsExtractOptions *options,
                                          const char *reason,
                                          GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsExtractTarget, ns_extract_target_free)

G_END_DECLS
