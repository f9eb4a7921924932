/* Converts the bytes of a log to valid UTF-8.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-small-file.h"
#include "base/ns-strings.h"
#include "side/ns-side-private.h"

#include <string.h>

static void
swap_pairs (guint8 *bytes, gsize n_bytes)
{
  gsize i;

  for (i = 0; i + 1 < n_bytes; i += 2)
    {
      guint8 first = bytes[i];

      bytes[i] = bytes[i + 1];
      bytes[i + 1] = first;
    }
}

/**
 * ns_side_text_from_bytes: (skip)
 * @bytes: (transfer full): contents of a file
 * @n_bytes: size in bytes
 * @n_text: (out): size of the text in bytes
 *
 * Detects UTF-16 by its byte order mark. Invalid UTF-8 and NUL bytes become U+FFFD.
 *
 * Returns: (transfer full): the text, without a byte order mark
 */
char *
ns_side_text_from_bytes (char *bytes, gsize n_bytes, gsize *n_text)
{
  g_autofree char *owned = bytes;
  gboolean is_big = n_bytes >= 2 && memcmp (bytes, "\xfe\xff", 2) == 0;
  char *text;

  if (is_big || (n_bytes >= 2 && memcmp (bytes, "\xff\xfe", 2) == 0))
    {
      /* NUL characters would end the text. */
      gsize i;

      for (i = 2; i + 1 < n_bytes; i += 2)
        if (bytes[i] == 0 && bytes[i + 1] == 0)
          bytes[is_big ? i + 1 : i] = '?';
      if (is_big)
        swap_pairs ((guint8 *) bytes, n_bytes);
      text = ns_utf8_from_utf16 ((const guint8 *) bytes + 2, (n_bytes - 2) & ~(gsize) 1);
      *n_text = strlen (text);
      return text;
    }
  if (n_bytes >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0)
    {
      memmove (bytes, bytes + 3, n_bytes - 3);
      n_bytes -= 3;
      bytes[n_bytes] = '\0';
    }
  if (g_utf8_validate (bytes, (gssize) n_bytes, NULL))
    {
      *n_text = n_bytes;
      return g_steal_pointer (&owned);
    }
  text = g_utf8_make_valid (bytes, (gssize) n_bytes);
  *n_text = strlen (text);
  return text;
}

/**
 * ns_side_text_read: (skip)
 * @path: a file
 * @max_bytes: maximum size
 * @n_bytes: (out): size of the text in bytes
 * @error: why it cannot be read
 *
 * Returns: (transfer full) (nullable): its contents, converted like in ns_side_text_from_bytes();
 *   %NULL with @error set if it cannot be read
 */
char *
ns_side_text_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error)
{
  gsize n_read;
  char *bytes = ns_small_file_read (path, max_bytes, &n_read, error);

  return bytes != NULL ? ns_side_text_from_bytes (bytes, n_read, n_bytes) : NULL;
}
