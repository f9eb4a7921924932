/* Files with names of WFP filters in the folder or archive of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

/**
 * NsEtlBeside:
 * @path: path of a file or an archive
 * @member: (nullable): member of the archive; %NULL: the file itself
 * @name: its name without folders
 *
 * A file beside a trace.
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
