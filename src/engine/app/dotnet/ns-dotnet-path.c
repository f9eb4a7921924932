/* Activity IDs of .NET's EventSource.
 *
 * The layout is that of ActivityTracker.cs in dotnet/runtime: twelve bytes of nibbles, and a check
 * word. Paths are compared as lists of numbers, since a list can be encoded in several ways.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-path.h"

#include "base/ns-cursor.h"

#include <string.h>

#define PATH_BYTES 12
#define CHECK_SEED 0x599D99ADu
/* Last four bytes of the ID of a task. */
#define TASK_MARK 0xb5d7dcffu

enum
{
  NIBBLE_END = 0,
  NIBBLE_LAST_NUMBER = 10,
  NIBBLE_OVERFLOW = 11,
  NIBBLE_ONE_BYTE = 12,
};

/* Position of the next nibble. */
typedef struct
{
  const guint8 *bytes;
  guint place; /* in nibbles, the high one of each byte first */
} Reader;

static gboolean
next_nibble (Reader *self, guint *nibble)
{
  if (self->place >= 2 * PATH_BYTES)
    return FALSE;
  *nibble =
      self->place % 2 == 0 ? self->bytes[self->place / 2] >> 4 : self->bytes[self->place / 2] & 0xf;
  self->place++;
  return TRUE;
}

/* Reads a number from the bytes after its code. If the code is in the high nibble, the low
 * nibble holds the highest bits of the number; the writer then still counts the second byte of a
 * number that needs two. */
static gboolean
read_long (Reader *self, guint code, guint64 *number)
{
  guint n_bytes = code - NIBBLE_ONE_BYTE + 1;
  gboolean has_rest = self->place % 2 != 0;
  guint rest = has_rest ? self->bytes[self->place / 2] & 0xf : 0;
  guint first = (self->place + 1) / 2;
  guint i;

  if (first + n_bytes > PATH_BYTES)
    return FALSE;
  *number = rest;
  for (i = n_bytes; i > 0; i--)
    *number = *number << 8 | self->bytes[first + i - 1];
  first += n_bytes;
  if (code == NIBBLE_ONE_BYTE && rest != 0 && first < PATH_BYTES && self->bytes[first] == 0)
    first++;
  self->place = 2 * first;
  return TRUE;
}

/* Reads the numbers of a path; returns %FALSE if the bytes are not a path. */
static gboolean
read_numbers (NsDotnetPath *self, const guint8 *bytes)
{
  Reader reader = { bytes, 0 };
  guint nibble;

  while (next_nibble (&reader, &nibble) && nibble != NIBBLE_END)
    {
      guint64 number = nibble;
      guint64 mark = 0;

      if (self->n == NS_DOTNET_PATH_MAX)
        return FALSE;
      if (nibble == NIBBLE_OVERFLOW)
        {
          mark = NS_DOTNET_PATH_OVERFLOW;
          if (!next_nibble (&reader, &nibble) || nibble < NIBBLE_ONE_BYTE)
            return FALSE;
        }
      if (nibble > NIBBLE_LAST_NUMBER && !read_long (&reader, nibble, &number))
        return FALSE;
      self->numbers[self->n++] = number | mark;
    }
  return self->n > 0;
}

/**
 * ns_dotnet_path_decode: (skip)
 * @self: (out): the decoded ID
 * @id: an activity ID
 * @pid: the process that wrote it
 *
 * Returns: the kind of ID
 */
NsDotnetIdKind
ns_dotnet_path_decode (NsDotnetPath *self, const NsGuid *id, guint32 pid)
{
  NsCursor cursor;
  guint32 sum = CHECK_SEED;
  guint32 check;
  guint i;

  self->n = 0;
  self->kind = NS_DOTNET_ID_NONE;
  if (ns_guid_is_zero (id))
    return self->kind;
  ns_cursor_init (&cursor, id->bytes, sizeof id->bytes);
  for (i = 0; i < 3; i++)
    sum += ns_cursor_u32 (&cursor);
  check = ns_cursor_u32 (&cursor);
  self->kind = NS_DOTNET_ID_OPAQUE;
  if (check == sum || check == (sum ^ pid))
    self->kind = read_numbers (self, id->bytes) ? NS_DOTNET_ID_PATH : NS_DOTNET_ID_OPAQUE;
  else if (check == TASK_MARK)
    self->kind = NS_DOTNET_ID_TASK;
  if (self->kind != NS_DOTNET_ID_PATH)
    self->n = 0;
  return self->kind;
}

static gboolean
has_prefix (const NsDotnetPath *self, const NsDotnetPath *prefix, guint n)
{
  return memcmp (self->numbers, prefix->numbers, n * sizeof *self->numbers) == 0;
}

/**
 * ns_dotnet_path_is_below: (skip)
 * @self: a decoded ID
 * @other: a decoded ID of the same process
 *
 * Returns: whether both are paths and @self continues @other
 */
gboolean
ns_dotnet_path_is_below (const NsDotnetPath *self, const NsDotnetPath *other)
{
  return other->n > 0 && self->n > other->n && has_prefix (self, other, other->n);
}

/**
 * ns_dotnet_path_has_same_parent: (skip)
 * @self: a decoded ID
 * @other: a decoded ID of the same process
 *
 * Returns: whether both are paths that differ in their last number at most
 */
gboolean
ns_dotnet_path_has_same_parent (const NsDotnetPath *self, const NsDotnetPath *other)
{
  return self->n > 1 && self->n == other->n && has_prefix (self, other, self->n - 1);
}

/**
 * ns_dotnet_path_to_text: (skip)
 * @self: a decoded ID
 * @pid: its process
 *
 * Returns: (transfer full) (nullable): `/#1234/1/1/`, as PerfView writes it; %NULL for no path
 */
char *
ns_dotnet_path_to_text (const NsDotnetPath *self, guint32 pid)
{
  GString *text;
  guint i;

  if (self->n == 0)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "/#%u/", pid);
  for (i = 0; i < self->n; i++)
    g_string_append_printf (text,
                            "%s%" G_GUINT64_FORMAT "/",
                            self->numbers[i] & NS_DOTNET_PATH_OVERFLOW ? "$" : "",
                            self->numbers[i] & ~NS_DOTNET_PATH_OVERFLOW);
  return g_string_free (text, FALSE);
}
