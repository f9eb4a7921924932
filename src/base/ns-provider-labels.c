/* Labels that the user gave to unnamed providers, kept across traces.
 *
 * The labels are stored in a key file in the user's configuration, shared by the window and the
 * command line. In memory they are an immutable map: a change creates a new map and replaces the
 * pointer, so other threads read without a lock. Old maps are kept as long as the labels, because
 * another thread may still read them; there is one for each change.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-provider-labels.h"

#include "base/ns-error.h"
#include "base/ns-hash.h"
#include "base/ns-small-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define GROUP "Provider Names"
/* Maximum size of the file and of a label, in bytes. */
#define NS_PROVIDER_LABELS_MAX_FILE (4 << 20)
#define NS_PROVIDER_LABELS_MAX_NAME 200

struct _NsProviderLabels
{
  gsize is_read;     /* whether the file was read */
  GHashTable *names; /* const char * (GUID, interned) → const char * (interned); atomic */
  GSList *kept;      /* (element-type GHashTable): earlier maps */
};

static char *
get_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "netstitch", "provider-names.ini", NULL);
}

/* Reads the file; returns an empty key file if it does not exist. */
static GKeyFile *
read_file (const char *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) wrong = NULL;
  g_autofree char *text = NULL;
  gsize n_bytes = 0;

  text = ns_small_file_read (path, NS_PROVIDER_LABELS_MAX_FILE, &n_bytes, &wrong);
  if (text == NULL && g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return g_steal_pointer (&file);
  if (text == NULL ||
      !g_key_file_load_from_data (file, text, n_bytes, G_KEY_FILE_KEEP_COMMENTS, &wrong))
    {
      g_propagate_error (error, g_steal_pointer (&wrong));
      return NULL;
    }
  return g_steal_pointer (&file);
}

/* Returns the name on one line without control characters; %NULL if nothing is left. */
static char *
clean (const char *name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *p;

  if (name == NULL || !g_utf8_validate (name, -1, NULL))
    return NULL;
  for (p = name; *p != '\0' && text->len < NS_PROVIDER_LABELS_MAX_NAME; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (text, g_unichar_isprint (c) ? c : ' ');
    }
  g_strstrip (text->str);
  return *text->str != '\0' ? g_strdup (text->str) : NULL;
}

static GHashTable *
make_map (GKeyFile *file)
{
  GHashTable *map = g_hash_table_new (ns_hash_text, g_str_equal);
  g_auto (GStrv) keys = g_key_file_get_keys (file, GROUP, NULL, NULL);
  guint i;

  for (i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_string (file, GROUP, keys[i], NULL);
      g_autofree char *name = clean (value);
      char text[NS_GUID_TEXT_SIZE];
      NsGuid guid;

      if (name != NULL && ns_guid_from_text (&guid, keys[i]))
        g_hash_table_insert (map,
                             (gpointer) g_intern_string (ns_guid_to_text (&guid, text)),
                             (gpointer) g_intern_string (name));
    }
  return map;
}

static GHashTable *
get_map (NsProviderLabels *self)
{
  if (g_once_init_enter (&self->is_read))
    {
      g_autofree char *path = get_path ();
      g_autoptr (GKeyFile) file = read_file (path, NULL);

      if (file != NULL)
        g_atomic_pointer_set (&self->names, make_map (file));
      g_once_init_leave (&self->is_read, 1);
    }
  return g_atomic_pointer_get (&self->names);
}

/**
 * ns_provider_labels_new:
 *
 * Does not read the file yet.
 *
 * Returns: (transfer full): the labels of the user
 */
NsProviderLabels *
ns_provider_labels_new (void)
{
  return g_new0 (NsProviderLabels, 1);
}

/**
 * ns_provider_labels_free:
 * @self: (transfer full) (nullable): labels
 */
void
ns_provider_labels_free (NsProviderLabels *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_slist_free_full (self->kept, (GDestroyNotify) g_hash_table_unref);
  g_free (self);
}

/**
 * ns_provider_labels_find:
 * @self: labels
 * @guid: a provider
 *
 * Can be called from any thread. Reads the file at the first call; a file that cannot be read gives
 * no labels.
 *
 * Returns: (transfer none) (nullable): the label given by the user, valid until the program ends
 */
const char *
ns_provider_labels_find (NsProviderLabels *self, const NsGuid *guid)
{
  GHashTable *map = get_map (self);
  char text[NS_GUID_TEXT_SIZE];

  if (map == NULL || g_hash_table_size (map) == 0)
    return NULL;
  return g_hash_table_lookup (map, ns_guid_to_text (guid, text));
}

/**
 * ns_provider_labels_set:
 * @self: labels
 * @guid: a provider
 * @name: (nullable): the new label; %NULL or a blank one removes the label
 * @error: %G_FILE_ERROR, %G_KEY_FILE_ERROR: the file could not be read or written
 *
 * Stores a label; main thread only. Changes that other programs made to the file are kept.
 *
 * Returns: %TRUE if it was stored
 */
gboolean
ns_provider_labels_set (NsProviderLabels *self,
                        const NsGuid *guid,
                        const char *name,
                        GError **error)
{
  GHashTable *old = get_map (self);
  g_autofree char *cleaned = clean (name);
  g_autofree char *path = get_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GKeyFile) file = NULL;
  g_autofree char *data = NULL;
  char text[NS_GUID_TEXT_SIZE];
  gsize size;

  file = read_file (path, error);
  if (file == NULL)
    return FALSE;
  ns_guid_to_text (guid, text);
  if (cleaned != NULL)
    g_key_file_set_string (file, GROUP, text, cleaned);
  else
    g_key_file_remove_key (file, GROUP, text, NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      int code = errno;

      g_set_error (error,
                   G_FILE_ERROR,
                   g_file_error_from_errno (code),
                   "%s: %s",
                   folder,
                   g_strerror (code));
      return FALSE;
    }
  data = g_key_file_to_data (file, &size, NULL);
  if (!g_file_set_contents_full (path,
                                 data,
                                 (gssize) size,
                                 G_FILE_SET_CONTENTS_CONSISTENT,
                                 0600,
                                 error))
    return FALSE;
  /* Another thread may still read the old map. */
  if (old != NULL)
    self->kept = g_slist_prepend (self->kept, old);
  g_atomic_pointer_set (&self->names, make_map (file));
  return TRUE;
}
