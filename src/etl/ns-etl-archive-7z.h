/* Checks the size of a 7z archive's list of members before the archive is unpacked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

/* Maximum size of an unpacked list, in bytes: some 40,000 members with long names. */
#define NS_ETL_MAX_7Z_LIST (8u << 20)
/* libarchive allocates memory for as many members as the list announces. */
#define NS_ETL_MAX_7Z_MEMBERS 100000

gboolean ns_etl_archive_check_7z (const NsEtlSource *source, GError **error);

G_END_DECLS
