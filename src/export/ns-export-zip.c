/* Writes a zip archive sequentially.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>

#define MEMBER_MODE 0600

struct _NsExportZip
{
  struct archive *archive;
  NsExportWriteFunc write;
  gpointer write_data;
  gint64 time;
  GError *error;
  gboolean is_over; /* writing has stopped */
};

/* Writes data of libarchive. Always succeeds, as libarchive leaks memory if its close reports an
 * error. */
static la_ssize_t
write_cb (struct archive *archive, void *user_data, const void *data, size_t n_bytes)
{
  NsExportZip *self = user_data;

  if (!self->is_over && !self->write (data, n_bytes, self->write_data, &self->error))
    self->is_over = TRUE;
  return (la_ssize_t) n_bytes;
}

/* Sets the writer's error, else that of libarchive. */
static gboolean
fail (NsExportZip *self, GError **error)
{
  const char *words = archive_error_string (self->archive);

  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_WRITE,
                 _ ("the archive cannot be written: %s"),
                 words != NULL ? words : "?");
  return FALSE;
}

/**
 * ns_export_zip_new:
 * @write: receives the archive
 * @write_data: for @write
 * @time: modification time of its files, seconds since 1970
 * @error: %NS_TRACE_ERROR_WRITE, or the error of @write
 *
 * Returns: (transfer full) (nullable): an archive without files
 */
NsExportZip *
ns_export_zip_new (NsExportWriteFunc write, gpointer write_data, gint64 time, GError **error)
{
  g_autoptr (NsExportZip) self = g_new0 (NsExportZip, 1);

  self->archive = archive_write_new ();
  self->write = write;
  self->write_data = write_data;
  self->time = time;
  if (archive_write_set_format_zip (self->archive) == ARCHIVE_OK &&
      archive_write_zip_set_compression_deflate (self->archive) == ARCHIVE_OK &&
      archive_write_set_bytes_in_last_block (self->archive, 1) == ARCHIVE_OK &&
      archive_write_open (self->archive, self, NULL, write_cb, NULL) == ARCHIVE_OK)
    return g_steal_pointer (&self);
  fail (self, error);
  return NULL;
}

/**
 * ns_export_zip_free: (skip)
 * @self: (transfer full): an archive
 *
 * An archive that was not closed lacks its central directory.
 */
void
ns_export_zip_free (NsExportZip *self)
{
  /* Prevent that freeing writes the end of an incomplete archive. */
  self->is_over = TRUE;
  archive_write_free (self->archive);
  g_clear_error (&self->error);
  g_free (self);
}

/**
 * ns_export_zip_add:
 * @self: an archive
 * @name: name of the file in it
 * @data: its contents
 * @n_bytes: number of bytes
 * @error: %NS_TRACE_ERROR_WRITE, or the error of the writer
 *
 * Returns: %FALSE if it could not be written
 */
gboolean
ns_export_zip_add (NsExportZip *self,
                   const char *name,
                   const void *data,
                   gsize n_bytes,
                   GError **error)
{
  struct archive_entry *entry = archive_entry_new ();
  gboolean ok;

  archive_entry_set_pathname (entry, name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, MEMBER_MODE);
  archive_entry_set_size (entry, (la_int64_t) n_bytes);
  archive_entry_set_mtime (entry, (time_t) self->time, 0);
  ok = archive_write_header (self->archive, entry) == ARCHIVE_OK &&
       archive_write_data (self->archive, data, n_bytes) == (la_ssize_t) n_bytes &&
       self->error == NULL;
  archive_entry_free (entry);
  return ok || fail (self, error);
}

/**
 * ns_export_zip_close:
 * @self: an archive
 * @error: %NS_TRACE_ERROR_WRITE, or the error of the writer
 *
 * Writes the central directory.
 *
 * Returns: %FALSE if it could not be written
 */
gboolean
ns_export_zip_close (NsExportZip *self, GError **error)
{
  return (archive_write_close (self->archive) == ARCHIVE_OK && self->error == NULL) ||
         fail (self, error);
}
