/* Finds a symbol file in a folder: a symbol store of one or two tiers, or a plain folder.
 *
 * Names come from Windows, where case does not matter: each path component is tried as given, in
 * lower case, and then by listing the folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-store.h"

#include "base/ns-small-file.h"

#include <gio/gio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTER_BYTES 4096
#define MAX_ENTRIES 1000000u

static void
candidate_free (gpointer data)
{
  NsSymbolCandidate *candidate = data;

  g_free (candidate->path);
  g_free (candidate);
}

static char *
scan_folder (const char *folder, const char *name)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *entry;
  char *found = NULL;

  if (dir == NULL)
    return NULL;
  for (guint i = 0; i < MAX_ENTRIES && found == NULL && (entry = g_dir_read_name (dir)) != NULL;
       i++)
    if (g_ascii_strcasecmp (entry, name) == 0)
      found = g_build_filename (folder, entry, NULL);
  g_dir_close (dir);
  return found;
}

/* Returns the entry of @folder named @name in any case; %NULL: there is none. */
static char *
find_child (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  g_free (path);
  path = g_build_filename (folder, lower, NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  return scan_folder (folder, name);
}

static void
add (GPtrArray *candidates, char *path, gboolean is_compressed)
{
  NsSymbolCandidate *candidate;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_free (path);
      return;
    }
  candidate = g_new0 (NsSymbolCandidate, 1);
  candidate->path = path;
  candidate->is_compressed = is_compressed;
  g_ptr_array_add (candidates, candidate);
}

/* Follows a file.ptr of a store, which names the file's location; it must lie in the same store. */
static void
follow_pointer (GPtrArray *candidates, const char *root, const char *pointer, char **refused)
{
  g_autofree char *text = NULL;
  char *real_root = realpath (root, NULL);
  char *real_target = NULL;

  if (real_root != NULL)
    text = ns_small_file_read (pointer, MAX_POINTER_BYTES, NULL, NULL);
  if (text != NULL)
    {
      const char *target = g_strstrip (text);

      if (g_ascii_strncasecmp (target, "PATH:", 5) == 0)
        target = g_strchug (text + (target - text) + 5);
      real_target = g_ascii_strncasecmp (target, "MSG:", 4) != 0 && g_path_is_absolute (target)
                        ? realpath (target, NULL)
                        : NULL;
      if (real_target != NULL && g_str_has_prefix (real_target, real_root) &&
          real_target[strlen (real_root)] == '/')
        add (candidates, g_strdup (real_target), g_str_has_suffix (real_target, "_"));
      else if (*refused == NULL)
        *refused = g_utf8_make_valid (target, -1);
    }
  free (real_root);
  free (real_target);
}

/* Returns the name of the compressed form of a file, in which `_` replaces the last letter. */
static char *
dup_compressed_name (const char *name)
{
  char *compressed = g_strdup (name);

  compressed[strlen (compressed) - 1] = '_';
  return compressed;
}

/* Looks for `folder/name/key/…`; @tier is the root, or the folder of the first two letters. */
static void
look_in_tier (GPtrArray *candidates,
              const char *root,
              const char *tier,
              const char *name,
              const char *key,
              char **refused)
{
  g_autofree char *named = find_child (tier, name);
  g_autofree char *keyed = named != NULL ? find_child (named, key) : NULL;
  g_autofree char *compressed = dup_compressed_name (name);
  g_autofree char *pointer = NULL;

  if (keyed == NULL)
    return;
  add (candidates, find_child (keyed, name), FALSE);
  add (candidates, find_child (keyed, compressed), TRUE);
  pointer = find_child (keyed, "file.ptr");
  if (pointer != NULL)
    follow_pointer (candidates, root, pointer, refused);
}

static char *
find_second_tier (const char *root, const char *name)
{
  char letters[9] = { 0 };

  g_utf8_strncpy (letters, name, 2);
  return find_child (root, letters);
}

static void
look_in_flat (GPtrArray *candidates, const char *root, const char *name, const char *module)
{
  const char *dot = module != NULL ? strrchr (module, '.') : NULL;
  g_autofree char *symbols = NULL;
  g_autofree char *extension = NULL;

  if (dot == NULL || dot[1] == '\0' || strchr (dot, '/') != NULL || strchr (dot, '\\') != NULL)
    return;
  symbols = find_child (root, "symbols");
  if (symbols != NULL)
    {
      extension = find_child (symbols, dot + 1);
      if (extension != NULL)
        add (candidates, find_child (extension, name), FALSE);
      g_clear_pointer (&extension, g_free);
    }
  extension = find_child (root, dot + 1);
  if (extension != NULL)
    add (candidates, find_child (extension, name), FALSE);
}

/**
 * ns_symbol_store_find:
 * @root: a folder
 * @name: safe name of a file
 * @key: (nullable): key of the build
 * @module: (nullable): name of the module, for folders named by its extension
 * @is_flat: whether @root may be a plain folder that holds the file itself
 * @refused: (inout): target of a file.ptr that leads out of the store
 *
 * Returns: (transfer full) (element-type NsSymbolCandidate): files to try, in order
 */
GPtrArray *
ns_symbol_store_find (const char *root,
                      const char *name,
                      const char *key,
                      const char *module,
                      gboolean is_flat,
                      char **refused)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_autofree char *mark = g_build_filename (root, "index2.txt", NULL);
  g_autofree char *tier = NULL;

  if (is_flat)
    add (candidates, find_child (root, name), FALSE);
  if (key != NULL)
    {
      look_in_tier (candidates, root, root, name, key, refused);
      if (is_flat || g_file_test (mark, G_FILE_TEST_EXISTS))
        tier = find_second_tier (root, name);
      if (tier != NULL)
        look_in_tier (candidates, root, tier, name, key, refused);
    }
  if (is_flat)
    look_in_flat (candidates, root, name, module);
  return candidates;
}
