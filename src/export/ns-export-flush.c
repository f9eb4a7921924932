/* Writes a text in pieces while it is produced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-flush.h"

/**
 * ns_export_flush:
 * @text: text to write; empty afterwards, if it was written
 * @at_least: minimum number of bytes to write; 0: write all
 * @write: receives the text
 * @write_data: for @write
 * @error: error of @write
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_flush (GString *text,
                 gsize at_least,
                 NsExportWriteFunc write,
                 gpointer write_data,
                 GError **error)
{
  gboolean ok;

  if (text->len < at_least || text->len == 0)
    return TRUE;
  ok = write (text->str, text->len, write_data, error);
  g_string_truncate (text, 0);
  return ok;
}
