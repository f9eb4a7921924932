/* The identity of a module's symbols, and their names in symbol stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-id.h"

/* Returns whether the name is a reserved device name of Windows, with any extension. */
static gboolean
is_device (const char *name)
{
  static const char *const devices[] = { "con", "prn", "aux", "nul" };
  gsize n_stem = strcspn (name, ".");

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (n_stem == 3 && g_ascii_strncasecmp (name, devices[i], 3) == 0)
      return TRUE;
  return n_stem == 4 && g_ascii_isdigit (name[3]) &&
         (g_ascii_strncasecmp (name, "com", 3) == 0 || g_ascii_strncasecmp (name, "lpt", 3) == 0);
}

/**
 * ns_symbol_safe_name:
 * @path: a name from a trace: untrusted, maybe a path of another machine
 *
 * Returns: (transfer full) (nullable): the file name without folders, safe to use in a folder;
 *   %NULL if it is not safe or empty
 */
char *
ns_symbol_safe_name (const char *path)
{
  const char *name = path;
  gsize n_name;

  for (const char *p = path; *p != '\0'; p++)
    if (*p == '/' || *p == '\\')
      name = p + 1;
  n_name = strlen (name);
  if (n_name == 0 || n_name > NS_SYMBOL_MAX_NAME || name[0] == '-' || name[0] == '.' ||
      name[n_name - 1] == '.' || name[n_name - 1] == ' ' || is_device (name) ||
      !g_utf8_validate (name, (gssize) n_name, NULL))
    return NULL;
  for (const char *p = name; *p != '\0'; p++)
    if ((guchar) *p < 0x20 || *p == 0x7f || strchr (":*?\"<>|", *p) != NULL)
      return NULL;
  return g_strdup (name);
}

/**
 * ns_symbol_pdb_key:
 * @guid: GUID of a PDB
 * @age: age of the PDB
 * @key: (out caller-allocates): buffer for the key
 *
 * Returns: (transfer none): @key, the folder name of that build in symbol stores
 */
const char *
ns_symbol_pdb_key (const NsGuid *guid, guint32 age, char key[NS_SYMBOL_KEY_SIZE])
{
  const guint8 *b = guid->bytes;

  g_snprintf (key,
              NS_SYMBOL_KEY_SIZE,
              "%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%02X%x",
              b[3],
              b[2],
              b[1],
              b[0],
              b[5],
              b[4],
              b[7],
              b[6],
              b[8],
              b[9],
              b[10],
              b[11],
              b[12],
              b[13],
              b[14],
              b[15],
              age);
  return key;
}

/**
 * ns_symbol_image_key:
 * @timestamp: timestamp of an image
 * @image_size: its size in memory in bytes
 * @key: (out caller-allocates): buffer for the key
 *
 * Returns: (transfer none): @key, the folder name of that image in symbol stores
 */
const char *
ns_symbol_image_key (guint32 timestamp, guint32 image_size, char key[NS_SYMBOL_KEY_SIZE])
{
  g_snprintf (key, NS_SYMBOL_KEY_SIZE, "%08X%x", timestamp, image_size);
  return key;
}
