/* Shared parts of the archive readers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-archive.h"

#include <archive.h>
#include <archive_entry.h>

G_BEGIN_DECLS

/* Maximum number of members that are read. */
#define NS_ETL_MAX_MEMBERS 100000
/* Maximum ratio of the unpacked size to the size of an archive, unless a minimum limit is
 * higher. */
#define NS_ETL_MAX_UNPACKED_RATIO 200

typedef struct archive NsEtlArchiveRead;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlArchiveRead, archive_read_free)

/* State of reading a member. @data: the @n_bytes of the current block that are not handed out yet,
 * from @offset of the member on. */
typedef struct
{
  NsEtlArchiveRead *archive;
  const void *data;
  gsize n_bytes;
  la_int64_t offset;
  gboolean has_ended;
  gboolean is_damaged;
} NsEtlMember;

NsEtlArchiveRead *ns_etl_archive_open (const NsEtlSource *source, GError **error);
char *ns_etl_archive_dup_member_name (struct archive_entry *entry);
char *ns_etl_archive_dup_plain_name (const NsEtlSource *source,
                                     NsEtlArchiveRead *archive,
                                     const char *name);
gboolean
ns_etl_archive_next_bytes (NsEtlMember *self, guint64 place, const void **data, gsize *n_bytes);

G_END_DECLS
