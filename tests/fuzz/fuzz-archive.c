/* Fuzz target: an archive, its list and each of its members.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive.h"
#include "fuzz/ns-fuzz.h"

#define MAX_OPENED 4

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (NsEtlSource) source = ns_etl_source_new_bytes (bytes, "fuzz");
  g_autoptr (NsEtlSource) best = NULL;
  g_auto (GStrv) members = NULL;
  NsEtlArchiveRest rest = NS_ETL_ARCHIVE_WHOLE;
  NsEtlArchiveOthers others;
  guint i;

  if (!ns_etl_archive_is_one (source))
    return 0;
  best = ns_etl_archive_open_member (source, NULL, &rest, NULL);
  members = ns_etl_archive_list (source, &others, NULL);
  for (i = 0; members != NULL && members[i] != NULL && i < MAX_OPENED; i++)
    {
      g_autoptr (NsEtlSource) member = ns_etl_archive_open_member (source, members[i], &rest, NULL);

      if (member != NULL)
        {
          guint8 first[64];
          gsize n_read;

          ns_etl_source_read (member, 0, first, sizeof first, &n_read, NULL);
        }
    }
  return 0;
}
