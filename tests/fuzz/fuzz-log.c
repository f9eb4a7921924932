/* Makes GLib warnings fatal in fuzz targets.
 *
 * A failed g_return_if_fail() did nothing, which a test would report by aborting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"

#define COMPLAINTS (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)

int LLVMFuzzerInitialize (int *argc, char ***argv);

static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  g_log_writer_default (level, fields, n_fields, data);
  if ((level & COMPLAINTS) != 0)
    ns_fuzz_fail ("something complained");
  return G_LOG_WRITER_HANDLED;
}

/* Called by libFuzzer before the first input. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_log_set_writer_func (log_cb, NULL, NULL);
  return 0;
}
