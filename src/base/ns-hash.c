/* Hashes of what strangers wrote, by numbers that they cannot know.
 *
 * Who knows how a hash is made can write a small file whose texts all have the same one: each look
 * into a table of them goes through all, and the file takes hours to open. So the numbers that go
 * into our hashes are other ones in each run. No result may depend on them: tables are looked into,
 * and where one is gone through, what was found is put in order.
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
 * From any thread.
 *
 * Returns: (transfer none): what goes into the hashes of this run
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
 * A #GHashFunc, in the place of g_str_hash() for texts from files.
 *
 * Returns: its hash, in this run of the program
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
 * A #GHashFunc, in the place of g_int64_hash() for numbers from files.
 *
 * Returns: its hash, in this run of the program
 */
guint
ns_hash_int64 (gconstpointer number)
{
  return ns_hash_bytes (ns_hash_get_key (), number, sizeof (gint64));
}

/**
 * ns_hash_folded:
 * @text: a text
 * @n: how many of its bytes
 *
 * Returns: a hash of them, equal for texts that differ in the case of ASCII letters only
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
