/* Hash functions with random keys, for data from untrusted files.
 *
 * With a known hash function, a small file could contain many texts with the same hash; each table
 * look-up would then be linear, and the file would take hours to open. The keys are therefore
 * random in each run. No result may depend on them: wherever a table is iterated, the result is
 * sorted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"

static guint64
draw_number (void)
{
  return (guint64) g_random_int () << 32 | g_random_int ();
}

/**
 * ns_hash_get_key:
 *
 * Can be called from any thread.
 *
 * Returns: (transfer none): the key of this run
 */
const NsHashKey *
ns_hash_get_key (void)
{
  static NsHashKey key;
  static gsize is_drawn;

  if (g_once_init_enter (&is_drawn))
    {
      key.start = draw_number ();
      key.factor = draw_number () | 1;
      g_once_init_leave (&is_drawn, 1);
    }
  return &key;
}

/**
 * ns_hash_text:
 * @text: a text
 *
 * A #GHashFunc to use instead of g_str_hash() for texts from files.
 *
 * Returns: its hash, different in each run
 */
guint
ns_hash_text (gconstpointer text)
{
  return ns_hash_bytes (ns_hash_get_key (), text, strlen (text));
}

/**
 * ns_hash_int64:
 * @number: (type gint64): a number
 *
 * A #GHashFunc to use instead of g_int64_hash() for numbers from files.
 *
 * Returns: its hash, different in each run
 */
guint
ns_hash_int64 (gconstpointer number)
{
  return ns_hash_bytes (ns_hash_get_key (), number, sizeof (gint64));
}

/**
 * ns_hash_folded:
 * @text: a text
 * @n: number of bytes
 *
 * Returns: a hash that is equal for texts that differ only in the case of ASCII letters
 */
guint
ns_hash_folded (const char *text, gsize n)
{
  const NsHashKey *key = ns_hash_get_key ();
  guint64 hash = key->start ^ n;
  gsize i;

  for (i = 0; i < n; i++)
    {
      hash = (hash ^ (guchar) g_ascii_tolower (text[i])) * key->factor;
      hash ^= hash >> 29;
    }
  return (guint) (hash >> 32);
}
