/* A trace inside a .zip, .cab, .7z, .gz or .wpapk file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

gboolean ns_etl_archive_is_one (const NsEtlSource *source);
char **ns_etl_archive_list (const NsEtlSource *source, GError **error);
NsEtlSource *ns_etl_archive_open_member (const NsEtlSource *source,
                                         const char *member,
                                         gboolean *is_cut_behind,
                                         GError **error);

GBytes *ns_etl_archive_read_small (const NsEtlSource *source,
                                   const char *member,
                                   gsize max_bytes,
                                   gboolean *is_cut);

/* For tests: an archive may unpack to so much whatever its size; tells what it was before. */
guint64 ns_etl_archive_set_unpacked_anyway (guint64 n_bytes);

G_END_DECLS
