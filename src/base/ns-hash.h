/* Hash functions with random keys, for data from untrusted files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * NsHashKey:
 * @start: initial value of a hash
 * @factor: multiplier, odd
 *
 * The random key of one run of the program.
 */
typedef struct
{
  guint64 start;
  guint64 factor;
} NsHashKey;

const NsHashKey *ns_hash_get_key (void);
guint ns_hash_text (gconstpointer text);
guint ns_hash_int64 (gconstpointer number);
guint ns_hash_folded (const char *text, gsize n);

/* Returns the hash of the @n bytes at @text. */
static inline guint32
ns_hash_bytes (const NsHashKey *key, const char *text, gsize n)
{
  guint64 h = key->start ^ n;

  while (n >= 8)
    {
      guint64 word;

      memcpy (&word, text, 8);
      h = (h ^ word) * key->factor;
      h ^= h >> 29;
      text += 8;
      n -= 8;
    }
  while (n-- > 0)
    h = (h ^ (guint8) *text++) * G_GUINT64_CONSTANT (0x100000001b3);
  h ^= h >> 32;
  return (guint32) (h * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53) >> 32);
}

G_END_DECLS
