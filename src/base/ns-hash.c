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
