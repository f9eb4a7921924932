/* Saved views of traces: in the user's state folder, identified by the trace's content, or as a
 * companion file of a hand-over file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-view-file.h"

#include "base/ns-small-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define FORMAT_VERSION 1

static void
add_number (GChecksum *sum, guint64 number)
{
  guint64 bytes = GUINT64_TO_LE (number);

  g_checksum_update (sum, (const guchar *) &bytes, sizeof bytes);
}

static int
compare_digests (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Adds the files of a case to the checksum. If their clocks can be adjusted, merged times and
 * duplicates depend on user settings, so the files are identified individually. */
static void
add_inputs (GChecksum *sum, const NsEtlFile *file)
{
  g_autoptr (GPtrArray) digests = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (file); i++)
    {
      const NsEtlFile *input = ns_etl_file_get_input (file, i);
      const NsEtlHeader *header = ns_etl_file_get_header (input);
      g_autoptr (GChecksum) one = g_checksum_new (G_CHECKSUM_SHA256);

      add_number (one, header->start_filetime);
      add_number (one, header->end_filetime);
      add_number (one, header->boot_filetime);
      add_number (one, header->buffers_written);
      add_number (one,
                  ns_etl_file_get_report (input)->n_records + ns_etl_file_get_n_duplicates (input));
      g_checksum_update (one,
                         (const guchar *) header->session,
                         (gssize) strlen (header->session) + 1);
      g_ptr_array_add (digests, g_strdup (g_checksum_get_string (one)));
    }
  g_ptr_array_sort (digests, compare_digests);
  for (i = 0; i < digests->len; i++)
    g_checksum_update (sum, g_ptr_array_index (digests, i), -1);
}

static gboolean
has_clocks (const NsEtlFile *file)
{
  guint i;

  for (i = 0; file != NULL && i < ns_etl_file_get_n_inputs (file); i++)
    if (ns_etl_file_can_shift (file, i, NULL))
      return TRUE;
  return FALSE;
}

/**
 * ns_view_file_identify:
 * @trace: an opened trace
 *
 * Identifies a trace by its content, so that a copy or a renamed file is recognized: by its header,
 * number and time span of its records, and records per provider. A case with several clocks is
 * recognized with any clock corrections.
 *
 * Returns: (transfer full): lower-case hexadecimal digits
 */
char *
ns_view_file_identify (const NsTrace *trace)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  guint i;

  if (has_clocks (trace->file))
    {
      add_inputs (sum, trace->file);
      return g_strdup (g_checksum_get_string (sum));
    }
  if (header != NULL)
    {
      add_number (sum, header->start_filetime);
      add_number (sum, header->end_filetime);
      add_number (sum, header->boot_filetime);
      add_number (sum, header->base_raw);
      add_number (sum, header->buffers_written);
      g_checksum_update (sum,
                         (const guchar *) header->session,
                         (gssize) strlen (header->session) + 1);
    }
  add_number (sum, trace->n_records);
  add_number (sum, (guint64) trace->end_ns);
  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      g_checksum_update (sum, (const guchar *) &row->guid, sizeof row->guid);
      add_number (sum, row->n_events);
    }
  return g_strdup (g_checksum_get_string (sum));
}

static char *
path_of (const char *key)
{
  g_autofree char *name = g_strconcat (key, ".view", NULL);

  return g_build_filename (g_get_user_state_dir (), "netstitch", "views", name, NULL);
}

/**
 * ns_view_file_parse:
 * @text: untrusted text of a saved view
 *
 * Returns: (transfer full) (nullable): an `a{sv}`; %NULL if its format or version is unknown
 */
GVariant *
ns_view_file_parse (const char *text)
{
  g_autoptr (GVariant) view = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, NULL);
  gint32 version = 0;

  if (view == NULL || !g_variant_lookup (view, "version", "i", &version) ||
      version != FORMAT_VERSION)
    return NULL;
  return g_steal_pointer (&view);
}

/**
 * ns_view_file_to_text:
 * @view: (transfer none): an `a{sv}`
 *
 * Returns: (transfer full): @view with its format version, for ns_view_file_parse()
 */
char *
ns_view_file_to_text (GVariant *view)
{
  g_autoptr (GVariant) whole = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, view);
  g_variant_dict_insert (&dict, "version", "i", FORMAT_VERSION);
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  return g_variant_print (whole, TRUE);
}

/**
 * ns_view_file_get_embedded:
 * @trace: a trace
 *
 * Returns: (transfer full) (nullable): the view embedded in a hand-over file; %NULL if there is
 *   none, or its format or version is unknown
 */
GVariant *
ns_view_file_get_embedded (const NsTrace *trace)
{
  GBytes *bytes =
      trace->file != NULL ? ns_etl_file_get_companion (trace->file, NS_ETL_COMPANION_VIEW) : NULL;
  g_autofree char *text = NULL;

  if (bytes == NULL)
    return NULL;
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return g_utf8_validate (text, -1, NULL) ? ns_view_file_parse (text) : NULL;
}

/**
 * ns_view_file_read:
 * @key: identifier of a trace
 *
 * Returns: (transfer full) (nullable): an `a{sv}` as written; %NULL if there is none, or its format
 *   or version is unknown
 */
GVariant *
ns_view_file_read (const char *key)
{
  g_autofree char *path = path_of (key);
  g_autofree char *text = ns_small_file_read (path, NS_VIEW_FILE_MAX_BYTES, NULL, NULL);

  return text != NULL ? ns_view_file_parse (text) : NULL;
}

/**
 * ns_view_file_write:
 * @key: identifier of a trace
 * @view: (transfer none): an `a{sv}`
 * @error: return location
 *
 * Writes @view with its format version, completely or not at all, readable by the owner only.
 *
 * Returns: whether it was written
 */
gboolean
ns_view_file_write (const char *key, GVariant *view, GError **error)
{
  g_autofree char *path = path_of (key);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = ns_view_file_to_text (view);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      int number = errno;

      g_set_error (error,
                   G_FILE_ERROR,
                   (int) g_file_error_from_errno (number),
                   "%s: %s",
                   folder,
                   g_strerror (number));
      return FALSE;
    }
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/**
 * ns_view_file_forget:
 * @key: identifier of a trace
 */
void
ns_view_file_forget (const char *key)
{
  g_autofree char *path = path_of (key);

  g_unlink (path);
}
