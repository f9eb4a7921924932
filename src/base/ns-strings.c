/* String table: stores each text once, identified by a number.
 *
 * Texts come from untrusted files: invalid UTF-8 or UTF-16 is replaced by U+FFFD, and a text ends
 * at its first NUL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"
#include "base/ns-hash.h"
#include "base/ns-strings.h"

#include <string.h>

#define SHORT_TEXT 1024
#define FIRST_ENTRIES 32

typedef struct
{
  const char *text;
  guint32 length;
  guint32 hash;
} Entry;

struct _NsStrings
{
  NsArena *arena;
  GArray *entries; /* element-type Entry */
  guint32 *slots;  /* entry numbers by hash, 0: free */
  guint32 mask;
  NsHashKey key;
};

static guint32
hash_bytes (const NsStrings *self, const char *text, gsize n)
{
  return ns_hash_bytes (&self->key, text, n);
}

/**
 * ns_strings_new:
 *
 * Returns: (transfer full): a table that contains only the empty text
 */
NsStrings *
ns_strings_new (void)
{
  NsStrings *self = g_new0 (NsStrings, 1);
  Entry none = { "", 0, 0 };

  self->arena = ns_arena_new (64 * 1024);
  self->entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), FIRST_ENTRIES);
  g_array_append_val (self->entries, none);
  self->key = *ns_hash_get_key ();
  self->mask = 2 * FIRST_ENTRIES - 1;
  self->slots = g_new0 (guint32, self->mask + 1);
  ns_strings_add_len (self, "", 0);
  return self;
}

/**
 * ns_strings_free:
 * @self: (transfer full) (nullable): a table
 */
void
ns_strings_free (NsStrings *self)
{
  if (self == NULL)
    return;
  ns_arena_free (self->arena);
  g_array_unref (self->entries);
  g_free (self->slots);
  g_free (self);
}

static guint32
probe (const NsStrings *self, const char *text, gsize n, guint32 hash)
{
  guint32 i = hash & self->mask;

  for (; self->slots[i] != 0; i = (i + 1) & self->mask)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, self->slots[i]);

      if (entry->hash == hash && entry->length == n && memcmp (entry->text, text, n) == 0)
        break;
    }
  return i;
}

static void
grow (NsStrings *self)
{
  guint32 id;

  self->mask = self->mask * 2 + 1;
  g_free (self->slots);
  self->slots = g_new0 (guint32, (gsize) self->mask + 1);
  for (id = 1; id < self->entries->len; id++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, id);

      self->slots[probe (self, entry->text, entry->length, entry->hash)] = id;
    }
}

static NsString
add_valid (NsStrings *self, const char *text, gsize n)
{
  guint32 hash = hash_bytes (self, text, n);
  guint32 slot = probe (self, text, n, hash);
  Entry entry;

  if (self->slots[slot] != 0)
    return self->slots[slot];

  entry.text = ns_arena_strndup (self->arena, text, n);
  entry.length = (guint32) n;
  entry.hash = hash;
  g_array_append_val (self->entries, entry);
  self->slots[slot] = self->entries->len - 1;
  if (self->entries->len > self->mask / 2)
    grow (self);
  return self->entries->len - 1;
}

/**
 * ns_strings_add:
 * @self: a table
 * @text: (nullable): UTF-8 text; %NULL for no text
 *
 * Returns: the number of @text, the same for equal texts
 */
NsString
ns_strings_add (NsStrings *self, const char *text)
{
  return text != NULL ? ns_strings_add_len (self, text, strlen (text)) : NS_STRING_NONE;
}

/**
 * ns_strings_add_len:
 * @self: a table
 * @text: (array length=n_bytes) (nullable): bytes of a text, which ends at the first NUL
 * @n_bytes: number of bytes
 *
 * Returns: the number of the text; invalid UTF-8 is replaced
 */
NsString
ns_strings_add_len (NsStrings *self, const char *text, gsize n_bytes)
{
  const char *nul;

  if (text == NULL)
    return NS_STRING_NONE;
  nul = n_bytes > 0 ? memchr (text, 0, n_bytes) : NULL;
  if (nul != NULL)
    n_bytes = (gsize) (nul - text);
  if (!g_utf8_validate_len (text, n_bytes, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (text, (gssize) n_bytes);

      return add_valid (self, valid, strlen (valid));
    }
  return add_valid (self, text, n_bytes);
}

/* Converts UTF-16LE to UTF-8; @out must have space for 3 bytes per unit. */
static gsize
convert_utf16 (const guint8 *bytes, gsize n_bytes, char *out)
{
  gsize n_units = n_bytes / 2;
  gsize n = 0;
  gsize i;

  for (i = 0; i < n_units; i++)
    {
      gunichar c = (gunichar) (bytes[2 * i] | bytes[2 * i + 1] << 8);

      if (c == 0)
        break;
      if (c < 0x80)
        {
          out[n++] = (char) c;
          continue;
        }
      if (c >= 0xd800 && c < 0xe000)
        {
          gunichar low =
              i + 1 < n_units ? (gunichar) (bytes[2 * i + 2] | bytes[2 * i + 3] << 8) : 0;

          if (c < 0xdc00 && low >= 0xdc00 && low < 0xe000)
            {
              c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
              i++;
            }
          else
            c = 0xfffd;
        }
      n += (gsize) g_unichar_to_utf8 (c, out + n);
    }
  return n;
}

/**
 * ns_strings_add_utf16:
 * @self: a table
 * @bytes: (array length=n_bytes) (nullable): UTF-16LE, not aligned; ends at the first NUL unit
 * @n_bytes: number of bytes
 *
 * Returns: the number of the text; lone surrogates are replaced by U+FFFD
 */
NsString
ns_strings_add_utf16 (NsStrings *self, const guint8 *bytes, gsize n_bytes)
{
  char buffer[SHORT_TEXT * 3];
  g_autofree char *heap = NULL;
  char *out = buffer;

  if (bytes == NULL)
    return NS_STRING_NONE;
  if (n_bytes / 2 > SHORT_TEXT)
    out = heap = g_malloc (n_bytes / 2 * 3);
  return add_valid (self, out, convert_utf16 (bytes, n_bytes, out));
}

/**
 * ns_strings_find:
 * @self: a table
 * @text: UTF-8 text
 *
 * Returns: its number, 0 if it is not in the table
 */
NsString
ns_strings_find (const NsStrings *self, const char *text)
{
  gsize n = strlen (text);

  return self->slots[probe (self, text, n, hash_bytes (self, text, n))];
}

/**
 * ns_strings_get:
 * @self: a table
 * @id: a number
 *
 * Returns: (transfer none) (nullable): the text; %NULL for %NS_STRING_NONE
 */
const char *
ns_strings_get (const NsStrings *self, NsString id)
{
  if (id == NS_STRING_NONE || id >= self->entries->len)
    return NULL;
  return g_array_index (self->entries, Entry, id).text;
}

/**
 * ns_strings_get_length:
 * @self: a table
 * @id: a number
 *
 * Returns: length of the text in bytes, without NUL
 */
gsize
ns_strings_get_length (const NsStrings *self, NsString id)
{
  return id < self->entries->len ? g_array_index (self->entries, Entry, id).length : 0;
}

/**
 * ns_strings_get_size:
 * @self: a table
 *
 * Returns: the largest number in use, plus 1
 */
guint
ns_strings_get_size (const NsStrings *self)
{
  return self->entries->len;
}

/**
 * ns_utf8_from_utf16:
 * @bytes: (array length=n_bytes): UTF-16LE, not aligned; ends at the first NUL unit
 * @n_bytes: number of bytes
 *
 * Returns: (transfer full): valid UTF-8
 */
char *
ns_utf8_from_utf16 (const guint8 *bytes, gsize n_bytes)
{
  char *out = g_malloc (n_bytes / 2 * 3 + 1);

  out[convert_utf16 (bytes, n_bytes, out)] = '\0';
  return out;
}

/**
 * ns_utf8_from_bytes:
 * @bytes: (array length=n_bytes): text in an unknown 8-bit encoding, interpreted as UTF-8
 * @n_bytes: number of bytes; the text ends at the first NUL
 *
 * Returns: (transfer full): valid UTF-8
 */
char *
ns_utf8_from_bytes (const char *bytes, gsize n_bytes)
{
  const char *nul = n_bytes > 0 ? memchr (bytes, 0, n_bytes) : NULL;

  if (nul != NULL)
    n_bytes = (gsize) (nul - bytes);
  return n_bytes > 0 ? g_utf8_make_valid (bytes, (gssize) n_bytes) : g_strdup ("");
}
