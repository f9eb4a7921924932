/* Files with names of filters that lie beside a trace, in its folder or in its archive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

/**
 * NsEtlBeside:
 * @path: a file, or an archive
 * @member: (nullable): of the archive; %NULL: the file itself
 * @name: what it is called, without folders
 *
 * A file that lies beside a trace.
 */
typedef struct
{
  char *path;
  char *member;
  char *name;
} NsEtlBeside;

GPtrArray *ns_etl_file_list_filters (const NsEtlFile *self);
GBytes *ns_etl_beside_read (const NsEtlBeside *self, gsize max_bytes, char **damage);

G_END_DECLS
