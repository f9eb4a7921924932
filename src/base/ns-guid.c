/* GUIDs in binary and in text form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-guid.h"

#include "base/ns-hash.h"

/* Index in the binary form of each byte of the text form. */
static const guint8 text_order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };

/**
 * ns_guid_is_zero:
 * @self: a GUID
 *
 * Returns: %TRUE if all 16 bytes are 0, which in a trace means "none"
 */
gboolean
ns_guid_is_zero (const NsGuid *self)
{
  return ns_guid_low (self) == 0 && ns_guid_high (self) == 0;
}

/**
 * ns_guid_hash:
 * @self: (type NsGuid): a GUID
 *
 * Returns: a hash for a #GHashTable
 */
guint
ns_guid_hash (gconstpointer self)
{
  guint64 words[2] = { ns_guid_low (self), ns_guid_high (self) };

  return ns_hash_bytes (ns_hash_get_key (), (const char *) words, sizeof words);
}

/**
 * ns_guid_to_text:
 * @self: a GUID
 * @text: (out): room for 36 characters and a NUL
 *
 * Writes the lower-case form without braces.
 *
 * Returns: (transfer none): @text
 */
const char *
ns_guid_to_text (const NsGuid *self, char text[NS_GUID_TEXT_SIZE])
{
  static const char digits[] = "0123456789abcdef";
  char *p = text;
  guint i;

  for (i = 0; i < 16; i++)
    {
      guint8 byte = self->bytes[text_order[i]];

      if (i == 4 || i == 6 || i == 8 || i == 10)
        *p++ = '-';
      *p++ = digits[byte >> 4];
      *p++ = digits[byte & 15];
    }
  *p = '\0';
  return text;
}

/**
 * ns_guid_from_text:
 * @self: (out): the GUID; all zero on failure
 * @text: 36 characters, of either case, with or without braces
 *
 * Returns: %TRUE if @text is a GUID
 */
gboolean
ns_guid_from_text (NsGuid *self, const char *text)
{
  const char *p = text;
  guint i;

  memset (self, 0, sizeof *self);
  if (text == NULL)
    return FALSE;
  if (*p == '{')
    p++;

  for (i = 0; i < 16; i++)
    {
      int high;
      int low;

      if (i == 4 || i == 6 || i == 8 || i == 10)
        if (*p++ != '-')
          return FALSE;
      high = g_ascii_xdigit_value (p[0]);
      low = high < 0 ? -1 : g_ascii_xdigit_value (p[1]);
      if (low < 0)
        {
          memset (self, 0, sizeof *self);
          return FALSE;
        }
      self->bytes[text_order[i]] = (guint8) (high << 4 | low);
      p += 2;
    }

  return *p == '\0' || (*p == '}' && *text == '{' && p[1] == '\0');
}
