/* Iterates the records of a PDB, and makes displayable text of its names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-plain.h"
#include "symbols/ns-pdb-private.h"
#include "symbols/ns-undecorate.h"

#include <string.h>

#define NAMES_MAGIC 0xeffeeffeu
#define MACHINE_X86 0x14c

/**
 * ns_pdb_next_record:
 * @cursor: a position in symbol records
 * @record: (out): the next record
 *
 * Returns: %FALSE at the end, or if the record does not fit
 */
gboolean
ns_pdb_next_record (NsCursor *cursor, NsPdbRecord *record)
{
  guint16 length;

  if (ns_cursor_left (cursor) < 4)
    return FALSE;
  record->at = (guint32) cursor->pos;
  length = ns_cursor_u16 (cursor);
  record->kind = ns_cursor_u16 (cursor);
  if (length < 2)
    cursor->failed = TRUE;
  cursor->pos = record->at;
  return ns_cursor_sub (cursor, (gsize) length + 2, &record->body);
}

/**
 * ns_pdb_sort:
 * @array: the array to sort
 * @compare: its order
 *
 * Sorts only if needed: compilers write most tables in order, and checking is cheaper than sorting.
 */
void
ns_pdb_sort (GArray *array, GCompareFunc compare)
{
  gsize size = g_array_get_element_size (array);

  for (guint i = 1; i < array->len; i++)
    if (compare (array->data + (i - 1) * size, array->data + i * size) > 0)
      {
        g_array_sort (array, compare);
        return;
      }
}

static void
append_escaped (GString *out, const char *text, gsize n_bytes)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) n_bytes);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (ns_plain_is_disturbing (c))
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_unichar (out, c);
    }
}

/* Returns whether the text is printable ASCII; cuts @n_bytes at the first NUL. */
static gboolean
is_plain (const char *text, gsize *n_bytes)
{
  gsize i = 0;

  *n_bytes = strnlen (text, MIN (*n_bytes, NS_PDB_MAX_NAME));
  while (i < *n_bytes && text[i] >= 0x20 && text[i] < 0x7f)
    i++;
  return i == *n_bytes;
}

/**
 * ns_pdb_dup_text:
 * @text: (array length=n_bytes): untrusted bytes
 * @n_bytes: number of bytes; a NUL ends the text earlier
 *
 * Returns: (transfer full): displayable text
 */
char *
ns_pdb_dup_text (const char *text, gsize n_bytes)
{
  GString *escaped;

  if (is_plain (text, &n_bytes))
    return g_strndup (text, n_bytes);
  escaped = g_string_new (NULL);
  append_escaped (escaped, text, n_bytes);
  return g_string_free (escaped, FALSE);
}

/**
 * ns_pdb_keep_text:
 * @self: a PDB
 * @text: (array length=n_bytes): untrusted bytes
 * @n_bytes: number of bytes; a NUL ends the text earlier
 *
 * Returns: (transfer none): displayable text that lives as long as the PDB
 */
const char *
ns_pdb_keep_text (NsPdb *self, const char *text, gsize n_bytes)
{
  g_autofree char *clean = NULL;

  if (is_plain (text, &n_bytes))
    return ns_strings_get (self->texts, ns_strings_add_len (self->texts, text, n_bytes));
  clean = ns_pdb_dup_text (text, n_bytes);
  return ns_strings_get (self->texts, ns_strings_add (self->texts, clean));
}

/* Returns the number of a named stream, from the map at the end of the info stream. */
static guint32
find_named_stream (const NsPdb *self, const char *wanted)
{
  NsCursor cursor;
  NsCursor keys;
  guint32 n_entries;

  ns_cursor_init_bytes (&cursor, self->info);
  ns_cursor_seek (&cursor, 28);
  if (!ns_cursor_sub (&cursor, ns_cursor_u32 (&cursor), &keys))
    return NS_MSF_NO_STREAM;
  n_entries = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  ns_cursor_skip (&cursor, (gsize) ns_cursor_u32 (&cursor) * 4);
  ns_cursor_skip (&cursor, (gsize) ns_cursor_u32 (&cursor) * 4);
  for (guint32 i = 0; i < n_entries && ns_cursor_left (&cursor) >= 8; i++)
    {
      guint32 key = ns_cursor_u32 (&cursor);
      guint32 stream = ns_cursor_u32 (&cursor);
      gsize n_name;
      const char *name;

      ns_cursor_seek (&keys, key);
      name = ns_cursor_astr (&keys, &n_name);
      if (name != NULL && n_name == strlen (wanted) && memcmp (name, wanted, n_name) == 0)
        return stream;
      keys.failed = FALSE;
    }
  return NS_MSF_NO_STREAM;
}

static void
read_names (NsPdb *self)
{
  NsCursor cursor;
  guint32 stream = find_named_stream (self, "/names");
  guint32 size;

  self->names_read = TRUE;
  ns_cursor_init (&self->names_text, NULL, 0);
  if (!ns_msf_get_stream_size (self->msf, stream, &size))
    return;
  self->names = ns_msf_load_all (self->msf, stream, NULL);
  ns_cursor_init_bytes (&cursor, self->names);
  if (ns_cursor_u32 (&cursor) != NAMES_MAGIC)
    cursor.failed = TRUE;
  ns_cursor_skip (&cursor, 4);
  if (!ns_cursor_sub (&cursor, ns_cursor_u32 (&cursor), &self->names_text))
    {
      ns_cursor_init (&self->names_text, NULL, 0);
      self->n_damaged++;
    }
}

/**
 * ns_pdb_get_name:
 * @self: a PDB
 * @offset: offset in the PDB's string table
 *
 * Returns: (transfer none) (nullable): the string there
 */
const char *
ns_pdb_get_name (NsPdb *self, guint32 offset)
{
  NsCursor cursor;
  const char *text;
  gsize n_text;

  if (!self->names_read)
    read_names (self);
  cursor = self->names_text;
  ns_cursor_seek (&cursor, offset);
  text = ns_cursor_astr (&cursor, &n_text);
  return text != NULL && n_text > 0 ? ns_pdb_keep_text (self, text, n_text) : NULL;
}

/**
 * ns_pdb_name_to_text:
 * @self: a PDB
 * @name: (array length=n_bytes): a name as the PDB stores it
 * @n_bytes: length of the name
 * @is_public: whether it is a linker name, which may be decorated
 *
 * Returns: (transfer full): the undecorated, displayable name
 */
char *
ns_pdb_name_to_text (const NsPdb *self, const char *name, gsize n_bytes, gboolean is_public)
{
  g_autofree char *plain = NULL;

  if (is_public)
    {
      plain = ns_undecorate (name, n_bytes, self->identity.machine == MACHINE_X86);
      name = plain;
      n_bytes = strlen (plain);
    }
  return ns_pdb_dup_text (name, n_bytes);
}
