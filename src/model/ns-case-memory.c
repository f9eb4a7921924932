/* Remembers the list of files of a trace after files were added or removed.
 *
 * It is stored with the views, by the opened files in any order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-case-memory.h"

#include "export/ns-view-file.h"

#include <string.h>

#define FILES "files" /* as: list of URIs */
/* Prefix of the keys, which no view of a trace has. */
#define KEY_PREFIX "case-"
/* Maximum number of files stored for a trace. */
#define MAX_FILES 1024

static gint
compare_uris (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the URIs in order; the first one names the trace. */
static GPtrArray *
list_uris (const GPtrArray *files)
{
  GPtrArray *uris = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < files->len; i++)
    g_ptr_array_add (uris, g_file_get_uri (g_ptr_array_index (files, i)));
  return uris;
}

/* Returns a key that does not depend on the order of the files. */
static char *
make_key (const GPtrArray *files)
{
  g_autoptr (GPtrArray) uris = list_uris (files);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint i;

  g_ptr_array_sort (uris, compare_uris);
  for (i = 0; i < uris->len; i++)
    {
      const char *uri = g_ptr_array_index (uris, i);

      g_checksum_update (sum, (const guchar *) uri, (gssize) strlen (uri) + 1);
    }
  return g_strconcat (KEY_PREFIX, g_checksum_get_string (sum), NULL);
}

static gboolean
has_file (const GPtrArray *files, GFile *file)
{
  return g_ptr_array_find_with_equal_func ((GPtrArray *) files,
                                           file,
                                           (GEqualFunc) g_file_equal,
                                           NULL);
}

/**
 * ns_case_memory_count_others:
 * @files: (element-type GFile): files
 * @others: (element-type GFile): files and folders
 *
 * Returns: the number of @files that are neither in @others nor in a folder of @others
 */
guint
ns_case_memory_count_others (const GPtrArray *files, const GPtrArray *others)
{
  guint n = 0;
  guint i;
  guint k;

  for (i = 0; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      gboolean is_there = has_file (others, file);

      for (k = 0; k < others->len && !is_there; k++)
        is_there = g_file_has_prefix (file, g_ptr_array_index (others, k));
      n += is_there ? 0 : 1;
    }
  return n;
}

/**
 * ns_case_memory_keep:
 * @named: (element-type GFile): the opened files
 * @files: (element-type GFile): the files read in their place
 *
 * Stores @files for the next time that @named is opened. More than 1024 files are not stored.
 */
void
ns_case_memory_keep (const GPtrArray *named, const GPtrArray *files)
{
  g_autofree char *key = make_key (named);
  g_autoptr (GPtrArray) uris = list_uris (files);
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *same = make_key (files);
  GVariantDict dict;

  if (strcmp (same, key) == 0 || uris->len > MAX_FILES)
    {
      ns_view_file_forget (key);
      return;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict,
                               FILES,
                               g_variant_new_strv ((const char *const *) uris->pdata,
                                                   (gssize) uris->len));
  view = g_variant_ref_sink (g_variant_dict_end (&dict));
  if (!ns_view_file_write (key, view, &error))
    g_info ("the files of a trace were not kept: %s", error->message);
}

/**
 * ns_case_memory_read:
 * @named: (element-type GFile): the opened files
 *
 * Returns: (transfer full) (nullable) (element-type GFile): the files read in their place last
 *   time; %NULL if there were no others
 */
GPtrArray *
ns_case_memory_read (const GPtrArray *named)
{
  g_autofree char *key = make_key (named);
  g_autoptr (GVariant) view = ns_view_file_read (key);
  g_autofree const char **uris = NULL;
  GPtrArray *files;
  guint i;

  if (view == NULL || !g_variant_lookup (view, FILES, "^a&s", &uris))
    return NULL;
  files = g_ptr_array_new_with_free_func (g_object_unref);
  for (i = 0; uris[i] != NULL && i < MAX_FILES; i++)
    g_ptr_array_add (files, g_file_new_for_uri (uris[i]));
  return files;
}
