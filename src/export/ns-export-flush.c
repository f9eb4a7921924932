/* Writes a text in pieces while it is made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-flush.h"

/**
 * ns_export_flush:
 * @text: what is to be written; empty afterwards, if it was
 * @at_least: bytes below which it waits for more; 0: it is written now
 * @write: where it goes
 * @write_data: for @write
 * @error: the error of @write
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
