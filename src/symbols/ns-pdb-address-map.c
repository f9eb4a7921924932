/* Finds the public symbol nearest to an address without loading all of them.
 *
 * The linker writes an address map: the publics ordered by address. A binary search through it
 * reads about twenty records of a file that may have a million.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include <string.h>

#define PSI_HEADER_SIZE 28
#define PUBLIC_HEAD_SIZE 14
#define BEGIN_SIZE 240

/* Reads where the jump stubs of incremental linking lie: one table of equal entries. */
static void
place_stubs (NsPdb *self, NsCursor *head)
{
  guint32 n_stubs = ns_cursor_u32 (head);
  guint32 offset;
  guint16 section;

  self->stub_size = ns_cursor_u32 (head);
  section = ns_cursor_u16 (head);
  ns_cursor_skip (head, 2);
  offset = ns_cursor_u32 (head);
  if (n_stubs > 0 && self->stub_size > 0 && self->stub_size < 4096 &&
      n_stubs < G_MAXINT32 / self->stub_size &&
      ns_pdb_place (self, section, offset, &self->stubs_rva))
    self->n_stub_bytes = n_stubs * self->stub_size;
}

/**
 * ns_pdb_place_address_map:
 * @self: a PDB whose map is read
 *
 * Locates the address map in the stream of publics, once; it may be empty.
 */
void
ns_pdb_place_address_map (NsPdb *self)
{
  guint8 bytes[PSI_HEADER_SIZE];
  NsCursor cursor;
  guint64 at;
  guint32 n_map;
  guint32 size;

  if (self->address_map_placed)
    return;
  self->address_map_placed = TRUE;
  if (self->psi_stream == NS_MSF_NO_STREAM ||
      !ns_msf_read (self->msf, self->psi_stream, 0, bytes, sizeof bytes, NULL))
    return;
  ns_cursor_init (&cursor, bytes, sizeof bytes);
  at = (guint64) PSI_HEADER_SIZE + ns_cursor_u32 (&cursor);
  n_map = ns_cursor_u32 (&cursor);
  place_stubs (self, &cursor);
  if (!ns_msf_get_stream_size (self->msf, self->psi_stream, &size) || at + n_map > size)
    return;
  self->address_map_at = (guint32) at;
  self->n_address_map = n_map / 4;
  self->has_address_map = TRUE;
}

/* A decoded entry of the address map with the public it refers to. */
typedef struct
{
  guint32 record;
  gint64 place;
  guint n_name;  /* bytes of the name and its padding */
  guint n_begin; /* bytes of these that are in @begin */
  char begin[BEGIN_SIZE];
} Entry;

static gint64
place_of (guint section, guint32 offset)
{
  return (gint64) ((guint64) section << 32 | offset);
}

static gboolean
read_entry (NsPdb *self, guint i, Entry *entry)
{
  guint8 bytes[PUBLIC_HEAD_SIZE + BEGIN_SIZE];
  NsCursor cursor;
  guint32 n_stream;
  guint32 offset;
  guint16 length;
  guint16 kind;

  if (!ns_msf_read_short (self->msf, self->psi_stream, self->address_map_at + i * 4, bytes, 4) ||
      !ns_msf_get_stream_size (self->msf, self->symrec_stream, &n_stream))
    return FALSE;
  ns_cursor_init (&cursor, bytes, 4);
  entry->record = ns_cursor_u32 (&cursor);
  if (entry->record >= n_stream || n_stream - entry->record < PUBLIC_HEAD_SIZE)
    return FALSE;
  /* Publics are not stored by address, so the next record is far away: this read includes the
   * name. */
  ns_cursor_init (&cursor, bytes, MIN (sizeof bytes, n_stream - entry->record));
  if (!ns_msf_read (self->msf, self->symrec_stream, entry->record, bytes, cursor.size, NULL))
    return FALSE;
  length = ns_cursor_u16 (&cursor);
  kind = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 4);
  offset = ns_cursor_u32 (&cursor);
  entry->place = place_of (ns_cursor_u16 (&cursor), offset);
  if (kind != NS_PDB_S_PUB32 || length + 2 <= PUBLIC_HEAD_SIZE)
    return FALSE;
  entry->n_name = length + 2u - PUBLIC_HEAD_SIZE;
  entry->n_begin = (guint) MIN (ns_cursor_left (&cursor), entry->n_name);
  memcpy (entry->begin, bytes + PUBLIC_HEAD_SIZE, entry->n_begin);
  return TRUE;
}

/* State of the search: entries before @low lie at or before the wanted place, those from @high on
 * behind it. */
typedef struct
{
  guint low;
  guint high;
  gint64 lowest;  /* no entry from @low on lies before this */
  gint64 highest; /* no entry before @high lies behind this */
  Entry before;   /* the entry before @low, if it was read */
  gboolean has_before;
} Range;

/* Interpolates where to look next, as functions are spread evenly; every third step bisects, for
 * the case that they are not. */
static guint
choose (const Range *range, gint64 wanted, guint i)
{
  guint n_left = range->high - range->low;
  double share;

  if (i % 3 == 2 || range->highest <= range->lowest || wanted <= range->lowest)
    return range->low + n_left / 2;
  share = (double) (wanted - range->lowest) / (double) (range->highest - range->lowest);
  return range->low + MIN ((guint) (share * n_left), n_left - 1);
}

/* Searches until @range is empty; %FALSE if the table is damaged or not sorted. */
static gboolean
narrow (NsPdb *self, gint64 wanted, Range *range)
{
  for (guint i = 0; range->low < range->high; i++)
    {
      guint middle = choose (range, wanted, i);
      Entry entry;

      if (!read_entry (self, middle, &entry) || entry.place < range->lowest ||
          entry.place > range->highest)
        return FALSE;
      if (entry.place <= wanted)
        {
          range->lowest = entry.place;
          range->low = middle + 1;
          range->before = entry;
          range->has_before = TRUE;
        }
      else
        {
          range->highest = entry.place;
          range->high = middle;
        }
    }
  return TRUE;
}

/* Finds the entries of section @number; most searches hit the same section, so they are kept. */
static gboolean
find_section (NsPdb *self, guint number)
{
  Range first = { 0, self->n_address_map, 0, G_MAXINT64, .has_before = FALSE };
  Range end = first;

  if (self->map_section == number)
    return TRUE;
  if (!narrow (self, place_of (number, 0) - 1, &first) ||
      !narrow (self, place_of (number, G_MAXUINT32), &end))
    return FALSE;
  self->map_section = number;
  self->map_first = first.low;
  self->map_end = end.low;
  return TRUE;
}

static char *
dup_name (const NsPdb *self, const Entry *entry, gsize *n_name)
{
  g_autofree char *name = NULL;

  *n_name = strnlen (entry->begin, entry->n_begin);
  if (*n_name < entry->n_begin)
    return g_strndup (entry->begin, *n_name);
  name = g_malloc (entry->n_name);
  if (!ns_msf_read (self->msf,
                    self->symrec_stream,
                    entry->record + PUBLIC_HEAD_SIZE,
                    name,
                    entry->n_name,
                    NULL))
    return NULL;
  *n_name = strnlen (name, entry->n_name);
  return *n_name < entry->n_name ? g_steal_pointer (&name) : NULL;
}

/* Finds the first of the entries that share the place of @found, number @i, by binary search:
 * linkers fold thousands of identical functions into one place. */
static gboolean
find_first_alias (NsPdb *self, guint i, Entry *found, gboolean *is_folded)
{
  Range range = { self->map_first, i, 0, found->place, .has_before = FALSE };
  Entry alias;

  *is_folded = FALSE;
  if (i == self->map_first)
    return TRUE;
  /* Most functions are not folded. */
  if (!read_entry (self, i - 1, &alias))
    return FALSE;
  if (alias.place != found->place)
    return TRUE;
  *is_folded = TRUE;
  return narrow (self, found->place - 1, &range) &&
         (range.low == i || read_entry (self, range.low, found));
}

/**
 * ns_pdb_search_address_map:
 * @self: a PDB whose map is read
 * @source: address in the image as it was linked
 * @name: (out) (transfer full) (nullable): decorated name of the last public at or before it in its
 *   section; %NULL: there is none
 * @n_name: (out): length of @name in bytes
 * @rva: (out): address of that public, in the image as it was linked
 * @is_folded: (out): whether other publics share its address
 *
 * Returns: %FALSE if the address map cannot answer and all publics have to be read
 */
gboolean
ns_pdb_search_address_map (NsPdb *self,
                           guint32 source,
                           char **name,
                           gsize *n_name,
                           guint32 *rva,
                           gboolean *is_folded)
{
  const NsPdbSection *section = ns_pdb_find_section (self, source);
  const NsPdbSection *sections = (const NsPdbSection *) (gconstpointer) self->sections->data;
  Range range = { .has_before = FALSE };
  guint number;

  *name = NULL;
  ns_pdb_place_address_map (self);
  /* Outside of code sections a public may be data, which names no code. */
  if (self->n_address_map == 0 || section == NULL || !section->is_code)
    return FALSE;
  number = (guint) (section - sections) + 1;
  if (!find_section (self, number))
    return FALSE;
  range.low = self->map_first;
  range.high = self->map_end;
  range.lowest = place_of (number, 0);
  range.highest = place_of (number, section->size);
  if (!narrow (self, place_of (number, source - section->rva), &range))
    return FALSE;
  if (range.low == self->map_first)
    return TRUE;
  if (!range.has_before || !find_first_alias (self, range.low - 1, &range.before, is_folded))
    return FALSE;
  *rva = section->rva + (guint32) range.before.place;
  *name = dup_name (self, &range.before, n_name);
  return *name != NULL;
}
