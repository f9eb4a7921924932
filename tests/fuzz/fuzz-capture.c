/* Fuzz target: a .pcap or .pcapng file, its packets and the trace built from them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-capture-file.h"
#include "etl/ns-etl-file.h"
#include "fuzz/ns-fuzz.h"

static gboolean
see (const NsRecord *record, gpointer user_data)
{
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (NsEtlSource) source = ns_etl_source_new_bytes (bytes, "fuzz");
  NsEtlFile *file;

  if (!ns_capture_file_is_one (source))
    return 0;
  file = ns_etl_file_open_bytes (bytes, "fuzz", NULL);
  if (file != NULL)
    ns_etl_file_walk (file, NS_ETL_WALK_TIME_ORDER, NULL, see, NULL, NULL, NULL, NULL);
  ns_etl_file_free (file);
  return 0;
}
