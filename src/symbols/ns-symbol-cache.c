/* The cache of downloaded and expanded symbol files, and the list of files that servers do not
 * have.
 *
 * The folder is a one-tier symbol store with lower-case names. Complete files are renamed into
 * place, so other programs never see a partial file. Two threads must not write the same file at a
 * time; the list of missing files is guarded by a lock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-cache.h"

#include "base/ns-hash.h"
#include "base/ns-small-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MISSING_FILE "missing.txt"
#define MISSING_SECONDS (G_GINT64_CONSTANT (7) * 24 * 3600)
#define MAX_MISSING_BYTES (16u << 20)
#define PART_PREFIX ".part-"

struct _NsSymbolCache
{
  char *folder;
  GMutex lock;
  GHashTable *missing; /* (nullable): "server\tname\tkey" to seconds since 1970 */
  gint64 opened_at;    /* files used since then are never removed */
};

static gboolean
set_error (GError **error, const char *path)
{
  g_set_error (error,
               NS_SYMBOL_ERROR,
               NS_SYMBOL_ERROR_OPEN,
               _ ("cannot write %s: %s"),
               path,
               g_strerror (errno));
  return FALSE;
}

/**
 * ns_symbol_cache_new:
 * @folder: (nullable): folder of the cache; %NULL: in the user's cache folder
 *
 * Creates and reads nothing before first use.
 *
 * Returns: (transfer full): a cache
 */
NsSymbolCache *
ns_symbol_cache_new (const char *folder)
{
  NsSymbolCache *self = g_new0 (NsSymbolCache, 1);

  self->folder = folder != NULL
                     ? g_strdup (folder)
                     : g_build_filename (g_get_user_cache_dir (), "netstitch", "symbols", NULL);
  self->opened_at = g_get_real_time () / G_USEC_PER_SEC;
  g_mutex_init (&self->lock);
  return self;
}

/**
 * ns_symbol_cache_free:
 * @self: (transfer full) (nullable): a cache
 */
void
ns_symbol_cache_free (NsSymbolCache *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->missing, g_hash_table_unref);
  g_mutex_clear (&self->lock);
  g_free (self->folder);
  g_free (self);
}

/**
 * ns_symbol_cache_get_folder:
 * @self: a cache
 *
 * Returns: (transfer none): path of its folder
 */
const char *
ns_symbol_cache_get_folder (const NsSymbolCache *self)
{
  return self->folder;
}

/**
 * ns_symbol_cache_begin:
 * @self: a cache
 * @folder: (nullable): another store that gets the file; %NULL: the cache itself
 * @part: (out) (transfer full): path of the temporary file
 * @error: return location
 *
 * Returns: file descriptor for writing; -1 and @error on failure
 */
int
ns_symbol_cache_begin (NsSymbolCache *self, const char *folder, char **part, GError **error)
{
  const char *root = folder != NULL ? folder : self->folder;
  int fd;

  if (g_mkdir_with_parents (root, 0700) != 0)
    {
      set_error (error, root);
      return -1;
    }
  *part = g_build_filename (root, PART_PREFIX "XXXXXX", NULL);
  fd = g_mkstemp_full (*part, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      set_error (error, root);
      g_clear_pointer (part, g_free);
    }
  return fd;
}

/* Creates and opens a folder in @parent; O_NOFOLLOW, as a symbolic link could lead out of the
 * cache. */
static int
enter_folder (int parent, const char *name)
{
  if (mkdirat (parent, name, 0700) != 0 && errno != EEXIST)
    return -1;
  return openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static gboolean
place_file (const char *root, const char *part, const char *name, const char *key)
{
  int root_fd = open (root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int name_fd = root_fd >= 0 ? enter_folder (root_fd, name) : -1;
  int key_fd = name_fd >= 0 ? enter_folder (name_fd, key) : -1;
  gboolean is_placed = key_fd >= 0 && renameat (AT_FDCWD, part, key_fd, name) == 0;
  int code = errno;

  if (key_fd >= 0)
    close (key_fd);
  if (name_fd >= 0)
    close (name_fd);
  if (root_fd >= 0)
    close (root_fd);
  errno = code;
  return is_placed;
}

/**
 * ns_symbol_cache_commit:
 * @self: a cache
 * @folder: (nullable): as given to ns_symbol_cache_begin()
 * @part: path of the complete temporary file
 * @name: safe name of the file
 * @key: key of the build
 * @error: return location
 *
 * Renames the file into place.
 *
 * Returns: (transfer full) (nullable): new path of the file; %NULL and @error on failure
 */
char *
ns_symbol_cache_commit (NsSymbolCache *self,
                        const char *folder,
                        const char *part,
                        const char *name,
                        const char *key,
                        GError **error)
{
  const char *root = folder != NULL ? folder : self->folder;
  g_autofree char *lower = g_utf8_strdown (name, -1);

  if (!place_file (root, part, lower, key))
    {
      set_error (error, root);
      return NULL;
    }
  return g_build_filename (root, lower, key, lower, NULL);
}

/**
 * ns_symbol_cache_abort:
 * @self: a cache
 * @part: path of a temporary file
 *
 * Removes an incomplete file.
 */
void
ns_symbol_cache_abort (NsSymbolCache *self, const char *part)
{
  g_unlink (part);
}

static char *
missing_key (const char *server, const char *name, const char *key)
{
  return g_strdup_printf ("%s\t%s\t%s", server, name, key);
}

static void
read_missing (NsSymbolCache *self)
{
  g_autofree char *path = g_build_filename (self->folder, MISSING_FILE, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  if (self->missing != NULL)
    return;
  self->missing = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, g_free);
  text = ns_small_file_read (path, MAX_MISSING_BYTES, NULL, NULL);
  if (text == NULL)
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *tab = strchr (lines[i], '\t');
      gint64 at = tab != NULL ? g_ascii_strtoll (lines[i], NULL, 10) : 0;

      if (at > 0 && at <= now && now - at < MISSING_SECONDS)
        g_hash_table_insert (self->missing, g_strdup (tab + 1), g_memdup2 (&at, sizeof at));
    }
}

static void
write_missing (NsSymbolCache *self)
{
  g_autofree char *path = g_build_filename (self->folder, MISSING_FILE, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, self->missing);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_string_append_printf (text,
                            "%" G_GINT64_FORMAT "\t%s\n",
                            *(const gint64 *) value,
                            (const char *) key);
  if (g_mkdir_with_parents (self->folder, 0700) == 0)
    g_file_set_contents_full (path,
                              text->str,
                              (gssize) text->len,
                              G_FILE_SET_CONTENTS_CONSISTENT,
                              0600,
                              NULL);
}

/**
 * ns_symbol_cache_is_missing:
 * @self: a cache
 * @server: address of a server
 * @name: safe name of a file
 * @key: key of the build
 *
 * Returns: %TRUE if the server did not have the file less than a week ago
 */
gboolean
ns_symbol_cache_is_missing (NsSymbolCache *self,
                            const char *server,
                            const char *name,
                            const char *key)
{
  g_autofree char *entry = missing_key (server, name, key);
  gboolean is_missing;

  g_mutex_lock (&self->lock);
  read_missing (self);
  is_missing = g_hash_table_contains (self->missing, entry);
  g_mutex_unlock (&self->lock);
  return is_missing;
}

/**
 * ns_symbol_cache_set_missing:
 * @self: a cache
 * @server: address of a server
 * @name: safe name of a file
 * @key: key of the build
 *
 * Records that the server does not have the file.
 */
void
ns_symbol_cache_set_missing (NsSymbolCache *self,
                             const char *server,
                             const char *name,
                             const char *key)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  g_mutex_lock (&self->lock);
  read_missing (self);
  g_hash_table_insert (self->missing,
                       missing_key (server, name, key),
                       g_memdup2 (&now, sizeof now));
  write_missing (self);
  g_mutex_unlock (&self->lock);
}

/**
 * ns_symbol_cache_forget_missing:
 * @self: a cache
 * @name: (nullable): safe name of a file; %NULL: all files
 *
 * Forgets which files servers did not have, so that they are asked again.
 */
void
ns_symbol_cache_forget_missing (NsSymbolCache *self, const char *name)
{
  g_autofree char *part = name != NULL ? g_strdup_printf ("\t%s\t", name) : NULL;
  GHashTableIter iter;
  gpointer entry;

  g_mutex_lock (&self->lock);
  read_missing (self);
  g_hash_table_iter_init (&iter, self->missing);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    if (part == NULL || strstr (entry, part) != NULL)
      g_hash_table_iter_remove (&iter);
  write_missing (self);
  g_mutex_unlock (&self->lock);
}

/* A file in the cache. */
typedef struct
{
  char *path;
  guint64 size;
  gint64 used_at;
} Cached;

static void
cached_clear (gpointer data)
{
  g_free (((Cached *) data)->path);
}

static void
list_files (const char *folder, guint depth, GArray *files)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  if (dir == NULL)
    return;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat info;

      if (lstat (path, &info) != 0)
        continue;
      if (S_ISDIR (info.st_mode) && depth < 2)
        list_files (path, depth + 1, files);
      else if (S_ISREG (info.st_mode) && depth == 2)
        {
          Cached file = { g_steal_pointer (&path),
                          (guint64) info.st_size,
                          MAX (info.st_atime, info.st_mtime) };

          g_array_append_val (files, file);
        }
    }
  g_dir_close (dir);
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const Cached *left = a;
  const Cached *right = b;

  return (left->used_at > right->used_at) - (left->used_at < right->used_at);
}

static GArray *
list_cached (NsSymbolCache *self, guint64 *n_bytes)
{
  GArray *files = g_array_new (FALSE, FALSE, sizeof (Cached));

  g_array_set_clear_func (files, cached_clear);
  list_files (self->folder, 0, files);
  *n_bytes = 0;
  for (guint i = 0; i < files->len; i++)
    *n_bytes += g_array_index (files, Cached, i).size;
  return files;
}

/**
 * ns_symbol_cache_trim:
 * @self: a cache
 * @max_bytes: size limit of the cache
 *
 * Removes the least recently used files, except those used since the cache was opened.
 */
void
ns_symbol_cache_trim (NsSymbolCache *self, guint64 max_bytes)
{
  guint64 n_bytes;
  g_autoptr (GArray) files = list_cached (self, &n_bytes);

  g_array_sort (files, compare_use);
  for (guint i = 0; i < files->len && n_bytes > max_bytes; i++)
    {
      const Cached *file = &g_array_index (files, Cached, i);

      if (file->used_at >= self->opened_at)
        break;
      if (g_unlink (file->path) == 0)
        n_bytes -= file->size;
    }
}
