/* Reads a trace from a .zip, .cab, .7z, .gz or .wpapk file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

/**
 * NsEtlArchiveRest:
 * @NS_ETL_ARCHIVE_WHOLE: nothing to report
 * @NS_ETL_ARCHIVE_CUT: the archive is truncated or damaged after the trace, which is complete
 * @NS_ETL_ARCHIVE_UNLISTED: the archive has more members than are read
 * @NS_ETL_ARCHIVE_SAME_NAME: several members have the name of the trace, which is the first of them
 *
 * What to report about an archive besides the trace that was read from it.
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
 * @n_logs: number of members that are named like logs of other tools
 * @n_filters: number of members that are named like files with names of WFP filters
 * @n_archives: number of archives
 *
 * Other members of an archive than traces, by their names.
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
char *ns_etl_archive_dup_unpacked_name (const char *name);
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

G_END_DECLS
