/* Files with names of WFP filters in the folder or archive of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-beside.h"

#include "base/ns-hash.h"
#include "etl/ns-etl-archive-private.h"
#include "etl/ns-etl-file-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of files that are listed. */
#define MAX_LISTED 64
/* Distance of members that belong to no input. */
#define TOO_FAR G_MAXUINT
/* Distances of files below the trace's folder start here: they rank after those above it. */
#define BELOW (G_MAXUINT / 2)

typedef struct
{
  const NsEtlFile *file;
  GHashTable *seen; /* paths of folders and archives already searched */
  GPtrArray *found; /* (element-type NsEtlBeside) */
} Search;

/* A candidate of one archive. */
typedef struct
{
  char *member;
  char *name;
  guint64 rank; /* the lowest rank comes first */
} Found;

static void
beside_free (gpointer data)
{
  NsEtlBeside *self = data;

  g_free (self->path);
  g_free (self->member);
  g_free (self->name);
  g_free (self);
}

static void
found_clear (gpointer data)
{
  Found *self = data;

  g_free (self->member);
  g_free (self->name);
}

static void
add (Search *self, const char *path, const char *member, const char *name)
{
  NsEtlBeside *one;

  if (self->found->len >= MAX_LISTED)
    return;
  one = g_new0 (NsEtlBeside, 1);
  one->path = g_strdup (path);
  one->member = g_strdup (member);
  one->name = g_path_get_basename (name);
  g_ptr_array_add (self->found, one);
}

static gsize
find_folder_length (const char *member)
{
  const char *slash = strrchr (member, '/');

  return slash != NULL ? (gsize) (slash - member) + 1 : 0;
}

static guint
count_folders (const char *member, gsize from)
{
  guint n = 0;

  for (member += from; *member != '\0'; member++)
    n += *member == '/';
  return n;
}

/* Returns the number of folders between a trace and another member in, above or below its folder.
 * Members elsewhere may belong to another computer: TOO_FAR. */
static guint
find_distance (const char *trace, const char *member)
{
  gsize own = find_folder_length (trace);
  gsize other = find_folder_length (member);

  if (strncmp (trace, member, MIN (own, other)) != 0)
    return TOO_FAR;
  return own >= other ? count_folders (trace, other) : BELOW + count_folders (member, own);
}

/* Returns the distance to the nearest trace of the archive. If the archive has none, its members
 * accompany the named trace. */
static guint
find_least_distance (const Search *self, const char *path, const char *member)
{
  guint n_inputs = ns_etl_file_get_n_inputs (self->file);
  gboolean has_trace = FALSE;
  guint least = TOO_FAR;
  guint i;

  for (i = 0; i < n_inputs; i++)
    {
      const NsEtlFile *input = ns_etl_file_get_input (self->file, i);

      if (input->inside == NULL || strcmp (input->path, path) != 0)
        continue;
      has_trace = TRUE;
      least = MIN (least, find_distance (input->inside, member));
    }
  return has_trace ? least : count_folders (member, 0);
}

static gint
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *first = a;
  const Found *second = b;

  return (first->rank > second->rank) - (first->rank < second->rank);
}

static void
list_members (const Search *self, const NsEtlSource *source, const char *path, GArray *found)
{
  g_autoptr (NsEtlArchiveRead) archive = ns_etl_archive_open (source, NULL);
  struct archive_entry *entry;
  guint n_members = 0;
  int result;

  while (archive != NULL && found->len < MAX_LISTED && n_members++ < NS_ETL_MAX_MEMBERS &&
         (result = archive_read_next_header (archive, &entry)) >= ARCHIVE_WARN &&
         result != ARCHIVE_EOF)
    {
      g_autofree char *member = ns_etl_archive_dup_member_name (entry);
      g_autofree char *name = ns_etl_archive_dup_plain_name (source, archive, member);
      guint place = ns_etl_archive_find_filters_name (name);
      guint distance = place > 0 && archive_entry_filetype (entry) != AE_IFDIR
                           ? find_least_distance (self, path, member)
                           : TOO_FAR;
      Found one = { .rank = (guint64) distance << 32 | place };

      if (distance == TOO_FAR)
        continue;
      one.member = g_steal_pointer (&member);
      one.name = g_steal_pointer (&name);
      g_array_append_val (found, one);
    }
}

/* Searches an archive. Returns: %FALSE: it is no archive */
static gboolean
look_into_archive (Search *self, const char *path)
{
  g_autoptr (NsEtlSource) source = ns_etl_source_open (path, NULL);
  g_autoptr (GArray) found = NULL;
  guint i;

  if (source == NULL || !ns_etl_archive_is_one (source))
    return FALSE;
  if (!g_hash_table_add (self->seen, g_strdup (path)))
    return TRUE;
  found = g_array_new (FALSE, FALSE, sizeof (Found));
  g_array_set_clear_func (found, found_clear);
  list_members (self, source, path, found);
  g_array_sort (found, compare_found);
  for (i = 0; i < found->len; i++)
    {
      const Found *one = &g_array_index (found, Found, i);

      add (self, path, one->member, one->name);
    }
  return TRUE;
}

static void
look_into_folder (Search *self, const char *path)
{
  const char *const *names = ns_etl_archive_get_filters_names ();
  guint i;

  if (!g_hash_table_add (self->seen, g_strdup (path)))
    return;
  for (i = 0; names[i] != NULL; i++)
    {
      g_autofree char *full = g_build_filename (path, names[i], NULL);

      if (g_file_test (full, G_FILE_TEST_IS_REGULAR))
        add (self, full, NULL, names[i]);
    }
}

/* Searches around an input; a case may have been opened by the name of its folder. */
static void
look_around (Search *self, const char *path)
{
  g_autofree char *folder = NULL;

  if (path == NULL)
    return;
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      look_into_folder (self, path);
      return;
    }
  look_into_archive (self, path);
  folder = g_path_get_dirname (path);
  look_into_folder (self, folder);
}

/**
 * ns_etl_file_list_filters:
 * @self: a trace
 *
 * Searches files with names of Windows Filtering Platform filters by their file names: beside each
 * input, that is, in its folder, or within an archive in its folder, those above and those below;
 * then in the archives that were named along with the trace.
 *
 * Returns: (transfer full) (element-type NsEtlBeside): the files, the nearest first
 */
GPtrArray *
ns_etl_file_list_filters (const NsEtlFile *self)
{
  Search search = { .file = self,
                    .seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL),
                    .found = g_ptr_array_new_with_free_func (beside_free) };
  guint n_inputs = ns_etl_file_get_n_inputs (self);
  guint i;

  for (i = 0; i < n_inputs; i++)
    look_around (&search, ns_etl_file_get_path (ns_etl_file_get_input (self, i)));
  for (i = 0; self->log_archives != NULL && i < self->log_archives->len; i++)
    look_into_archive (&search, g_ptr_array_index (self->log_archives, i));
  g_hash_table_unref (search.seen);
  return search.found;
}

static GBytes *
read_file (const NsEtlSource *source, gsize max_bytes, gboolean *is_cut, GError **error)
{
  guint64 size = ns_etl_source_get_size (source);
  gsize n_bytes = (gsize) MIN (size, max_bytes);
  g_autofree guint8 *data = g_try_malloc (MAX (n_bytes, 1));
  gsize n_read = 0;

  *is_cut = size > max_bytes || data == NULL;
  if (data != NULL && n_bytes > 0 && !ns_etl_source_read (source, 0, data, n_bytes, &n_read, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), n_read);
}

/**
 * ns_etl_beside_read:
 * @self: a file beside a trace
 * @max_bytes: maximum size
 * @damage: (out) (transfer full) (nullable): why it was not read, one line without a full stop
 *
 * Returns: (transfer full) (nullable): the contents; %NULL: it cannot be read completely
 */
GBytes *
ns_etl_beside_read (const NsEtlBeside *self, gsize max_bytes, char **damage)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsEtlSource) source = ns_etl_source_open (self->path, &error);
  g_autoptr (GBytes) bytes = NULL;
  gboolean is_cut = FALSE;

  *damage = NULL;
  if (source != NULL && self->member != NULL)
    bytes = ns_etl_archive_read_member (source, self->member, max_bytes, &is_cut, &error);
  else if (source != NULL)
    bytes = read_file (source, max_bytes, &is_cut, &error);
  if (bytes == NULL)
    *damage = g_strdup (error->message);
  else if (is_cut)
    *damage = g_strdup (_ ("it exceeds the maximum size, or is damaged"));
  return *damage == NULL ? g_steal_pointer (&bytes) : NULL;
}
