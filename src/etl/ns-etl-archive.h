/* A trace inside a .zip, .cab, .7z, .gz or .wpapk file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

/**
 * NsEtlArchiveRest:
 * @NS_ETL_ARCHIVE_WHOLE: nothing
 * @NS_ETL_ARCHIVE_CUT: the archive is cut off, or damaged, behind the trace, which is whole
 * @NS_ETL_ARCHIVE_UNLISTED: there are more members than are looked at
 * @NS_ETL_ARCHIVE_SAME_NAME: others have the name of the trace, which is the first of them
 *
 * What is to be said of an archive besides the trace that was taken out of it.
 */
typedef enum
{
  NS_ETL_ARCHIVE_WHOLE,
  NS_ETL_ARCHIVE_CUT,
  NS_ETL_ARCHIVE_UNLISTED,
  NS_ETL_ARCHIVE_SAME_NAME,
} NsEtlArchiveRest;

/**
 * NsEtlArchiveOthers:
 * @n_logs: members that are named as logs of other tools are
 * @n_filters: members that are named as what has names of filters is
 * @n_archives: archives
 *
 * What else an archive holds than traces, by the names of its members.
 */
typedef struct
{
  guint n_logs;
  guint n_filters;
  guint n_archives;
} NsEtlArchiveOthers;

gboolean ns_etl_archive_has_trace_name (const char *name);
gboolean ns_etl_archive_has_log_name (const char *name);
const char *const *ns_etl_archive_get_filters_names (void);
guint ns_etl_archive_find_filters_name (const char *name);
gboolean ns_etl_archive_has_name (const char *name);
gboolean ns_etl_archive_is_one (const NsEtlSource *source);
char **ns_etl_archive_list (const NsEtlSource *source, NsEtlArchiveOthers *others, GError **error);
NsEtlSource *ns_etl_archive_open_member (const NsEtlSource *source,
                                         const char *member,
                                         NsEtlArchiveRest *rest,
                                         GError **error);

GBytes *ns_etl_archive_read_member (const NsEtlSource *source,
                                    const char *member,
                                    gsize max_bytes,
                                    gboolean *is_cut,
                                    GError **error);
GBytes *ns_etl_archive_read_small (const NsEtlSource *source,
                                   const char *member,
                                   gsize max_bytes,
                                   gboolean *is_cut);

/* For tests: an archive may unpack to so much whatever its size; tells what it was before. */
guint64 ns_etl_archive_set_unpacked_anyway (guint64 n_bytes);

G_END_DECLS
