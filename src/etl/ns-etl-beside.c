/* Files that lie beside a trace, in its folder or in its archive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-beside.h"

#include "etl/ns-etl-archive.h"
#include "etl/ns-etl-source.h"

/* Where the archive has the trace in a folder, that is where the others stand, too. */
static GBytes *
read_member (const NsEtlSource *archive,
             const char *member,
             const char *name,
             gsize max_bytes,
             gboolean *is_cut)
{
  g_autofree char *folder = member != NULL ? g_path_get_dirname (member) : NULL;
  g_autofree char *path = NULL;

  if (folder == NULL || *folder == '.')
    return ns_etl_archive_read_small (archive, name, max_bytes, is_cut);
  path = g_strconcat (folder, "/", name, NULL);
  return ns_etl_archive_read_small (archive, path, max_bytes, is_cut);
}

static GBytes *
read_file (const char *path, gsize max_bytes, gboolean *is_cut)
{
  g_autoptr (NsEtlSource) source = ns_etl_source_open (path, NULL);
  guint64 size = source != NULL ? ns_etl_source_get_size (source) : 0;
  gsize n_bytes = (gsize) MIN (size, max_bytes);
  g_autofree guint8 *data = NULL;
  gsize n_read = 0;

  *is_cut = size > max_bytes;
  if (n_bytes == 0 || (data = g_try_malloc (n_bytes)) == NULL ||
      !ns_etl_source_read (source, 0, data, n_bytes, &n_read, NULL))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), n_read);
}

/**
 * ns_etl_file_read_beside:
 * @self: a trace
 * @name: name of a file
 * @max_bytes: no more of it is read
 * @is_cut: (out): whether there is more of it, or the archive is damaged there
 *
 * Returns: (transfer full) (nullable): what a file of that name holds that lies beside the trace,
 *   in its folder or in its zip archive; %NULL: there is none
 */
GBytes *
ns_etl_file_read_beside (const NsEtlFile *self, const char *name, gsize max_bytes, gboolean *is_cut)
{
  const char *path = ns_etl_file_get_path (self);
  g_autoptr (NsEtlSource) source = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *beside = NULL;

  *is_cut = FALSE;
  if (path == NULL)
    return NULL;
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    folder = g_strdup (path);
  else
    {
      source = ns_etl_source_open (path, NULL);
      if (source != NULL && ns_etl_archive_is_one (source))
        return read_member (source, ns_etl_file_get_member (self), name, max_bytes, is_cut);
      folder = g_path_get_dirname (path);
    }
  beside = g_build_filename (folder, name, NULL);
  return g_file_test (beside, G_FILE_TEST_IS_REGULAR) ? read_file (beside, max_bytes, is_cut)
                                                      : NULL;
}
