/* The tables of traces in an SQLite database.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-extract.h"

G_BEGIN_DECLS

typedef struct _NsExtractSqlite NsExtractSqlite;

NsExtractSqlite *ns_extract_sqlite_new (const char *path,
                                        const NsExtractSchema *schema,
                                        guint32 tables,
                                        guint mode,
                                        gboolean has_tables,
                                        GError **error);
void ns_extract_sqlite_free (NsExtractSqlite *self);
gboolean ns_extract_sqlite_has (NsExtractSqlite *self, const char *id);
char *ns_extract_sqlite_read_note (NsExtractSqlite *self, const char *name);
void ns_extract_sqlite_write_note (NsExtractSqlite *self, const char *name, const char *text);
void ns_extract_sqlite_remove_failure (NsExtractSqlite *self, const char *id);
gboolean ns_extract_sqlite_write (NsExtractSqlite *self,
                                  NsExtract *extract,
                                  const char *id,
                                  guint64 *n_rows,
                                  GError **error);
gboolean ns_extract_sqlite_write_failure (NsExtractSqlite *self,
                                          const NsExtractOptions *options,
                                          const char *reason,
                                          GError **error);

G_END_DECLS
