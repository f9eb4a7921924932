/* Maps addresses of a PDB's image: sections, section contributions of modules, OMAP tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include "base/ns-pages.h"

#define SECTION_HEADER_SIZE 40
#define SECTION_EXECUTE 0x20000000u
#define CONTRIBUTIONS_V1 0xf12eba2du
#define CONTRIBUTIONS_V2 0xf13151e4u
#define MAX_SECTIONS 65535u
#define MAX_OMAP_BYTES (256u << 20)
/* Contributions read at a time. */
#define N_PIECE 1024u

static GBytes *
load_optional (NsPdb *self, guint32 stream, gsize max_bytes)
{
  guint32 size;
  GBytes *bytes;

  if (stream == NS_MSF_NO_STREAM)
    return NULL;
  if (ns_msf_get_stream_size (self->msf, stream, &size) && size <= max_bytes)
    {
      bytes = ns_msf_load_all (self->msf, stream, NULL);
      if (bytes != NULL)
        return bytes;
    }
  self->n_damaged++;
  return NULL;
}

static void
read_sections (NsPdb *self, guint32 stream)
{
  g_autoptr (GBytes) bytes = load_optional (self, stream, MAX_SECTIONS * SECTION_HEADER_SIZE);
  NsCursor cursor;

  ns_cursor_init_bytes (&cursor, bytes);
  while (ns_cursor_left (&cursor) >= SECTION_HEADER_SIZE)
    {
      NsPdbSection section;
      guint32 n_raw;

      ns_cursor_skip (&cursor, 8);
      section.size = ns_cursor_u32 (&cursor);
      section.rva = ns_cursor_u32 (&cursor);
      n_raw = ns_cursor_u32 (&cursor);
      section.size = MAX (section.size, n_raw);
      ns_cursor_skip (&cursor, 16);
      section.is_code = (ns_cursor_u32 (&cursor) & SECTION_EXECUTE) != 0;
      g_array_append_val (self->sections, section);
    }
}

static GArray *
read_omap (NsPdb *self, guint32 stream)
{
  g_autoptr (GBytes) bytes = load_optional (self, stream, MAX_OMAP_BYTES);
  g_autoptr (GArray) omap = NULL;
  NsCursor cursor;
  guint32 last = 0;

  if (bytes == NULL)
    return NULL;
  omap = g_array_new (FALSE, FALSE, sizeof (NsPdbOmap));
  ns_cursor_init_bytes (&cursor, bytes);
  if (!ns_pages_make_room (omap, cursor.size / 8))
    {
      ns_msf_set_short_of_memory (self->msf);
      return NULL;
    }
  while (ns_cursor_left (&cursor) >= 8)
    {
      NsPdbOmap entry;

      entry.from = ns_cursor_u32 (&cursor);
      entry.to = ns_cursor_u32 (&cursor);
      if (entry.from < last)
        {
          self->n_damaged++;
          return NULL;
        }
      last = entry.from;
      g_array_append_val (omap, entry);
    }
  return omap->len > 0 ? g_steal_pointer (&omap) : NULL;
}

static int
compare_contributions (gconstpointer a, gconstpointer b)
{
  const NsPdbContribution *left = a;
  const NsPdbContribution *right = b;

  return (left->rva > right->rva) - (left->rva < right->rva);
}

/* Returns the size of a section contribution entry; 0: unknown version. */
static gsize
get_entry_size (const NsPdb *self)
{
  guint8 bytes[4];
  NsCursor cursor;

  if (!ns_msf_read (self->msf, NS_PDB_STREAM_DBI, self->contributions_at, bytes, 4, NULL))
    return 0;
  ns_cursor_init (&cursor, bytes, sizeof bytes);
  switch (ns_cursor_u32 (&cursor))
    {
    case CONTRIBUTIONS_V1:
      return 28;
    case CONTRIBUTIONS_V2:
      return 32;
    default:
      return 0;
    }
}

/* Appends the contributions in @cursor; %FALSE if their addresses do not ascend. */
static gboolean
append_contributions (NsPdb *self, NsCursor *cursor, gsize n_entry, guint32 *last)
{
  gboolean is_sorted = TRUE;

  while (ns_cursor_left (cursor) >= n_entry)
    {
      NsPdbContribution entry;
      guint16 section = ns_cursor_u16 (cursor);
      guint32 offset;

      ns_cursor_skip (cursor, 2);
      offset = ns_cursor_u32 (cursor);
      entry.size = ns_cursor_u32 (cursor);
      ns_cursor_skip (cursor, 4);
      entry.module = ns_cursor_u16 (cursor);
      ns_cursor_skip (cursor, n_entry - 18);
      if (entry.size == 0 || entry.size > G_MAXINT32 ||
          !ns_pdb_place (self, section, offset, &entry.rva))
        continue;
      is_sorted = is_sorted && entry.rva >= *last;
      *last = entry.rva;
      g_array_append_val (self->contributions, entry);
    }
  return is_sorted;
}

/* Reads the section contributions. The table may have megabytes, so it is read in pieces that fit
 * the processor's cache. */
static void
read_contributions (NsPdb *self)
{
  guint8 bytes[N_PIECE * 32];
  gsize n_entry;
  gsize n_left;
  guint32 at = self->contributions_at + 4;
  guint32 last = 0;
  gboolean is_sorted = TRUE;

  if (self->n_contributions < 4)
    return;
  n_entry = get_entry_size (self);
  n_left = n_entry > 0 ? (self->n_contributions - 4) / n_entry : 0;
  if (n_entry == 0 || n_left > NS_PDB_MAX_CONTRIBUTIONS ||
      !ns_msf_may_load (self->msf, self->n_contributions))
    {
      self->n_damaged++;
      return;
    }
  if (!ns_pages_make_room (self->contributions, n_left))
    {
      ns_msf_set_short_of_memory (self->msf);
      return;
    }
  while (n_left > 0)
    {
      gsize n_here = MIN (n_left, N_PIECE);
      NsCursor cursor;

      if (!ns_msf_read (self->msf, NS_PDB_STREAM_DBI, at, bytes, n_here * n_entry, NULL))
        {
          self->n_damaged++;
          break;
        }
      ns_cursor_init (&cursor, bytes, n_here * n_entry);
      is_sorted = append_contributions (self, &cursor, n_entry, &last) && is_sorted;
      at += (guint32) (n_here * n_entry);
      n_left -= n_here;
    }
  if (!is_sorted)
    ns_pdb_sort (self->contributions, compare_contributions);
}

/**
 * ns_pdb_read_map:
 * @self: a PDB
 *
 * Reads sections, section contributions and OMAP tables, once.
 */
void
ns_pdb_read_map (NsPdb *self)
{
  if (self->map_read)
    return;
  self->map_read = TRUE;
  self->sections = g_array_new (FALSE, FALSE, sizeof (NsPdbSection));
  self->contributions = g_array_new (FALSE, FALSE, sizeof (NsPdbContribution));
  if (self->omap_to_source != NS_MSF_NO_STREAM && self->omap_from_source != NS_MSF_NO_STREAM)
    {
      self->to_source = read_omap (self, self->omap_to_source);
      self->from_source = read_omap (self, self->omap_from_source);
      if (self->to_source == NULL || self->from_source == NULL)
        {
          g_clear_pointer (&self->to_source, g_array_unref);
          g_clear_pointer (&self->from_source, g_array_unref);
        }
    }
  /* The symbols of a rewritten image refer to its sections as they were linked. */
  if (self->to_source != NULL && self->original_section_stream != NS_MSF_NO_STREAM)
    read_sections (self, self->original_section_stream);
  else
    read_sections (self, self->section_stream);
  if (self->has_code && self->sections->len == 0)
    self->n_damaged++;
  read_contributions (self);
}

/**
 * ns_pdb_share_map:
 * @self: a PDB
 * @other: a PDB over the same bytes, whose map is read
 *
 * Makes @self use the tables of @other, which do not change after they are read.
 */
void
ns_pdb_share_map (NsPdb *self, const NsPdb *other)
{
  self->map_read = TRUE;
  self->sections = g_array_ref (other->sections);
  self->contributions = g_array_ref (other->contributions);
  if (other->to_source == NULL)
    return;
  self->to_source = g_array_ref (other->to_source);
  self->from_source = g_array_ref (other->from_source);
}

/**
 * ns_pdb_map_clear:
 * @self: a PDB that is being freed
 *
 * Frees the tables.
 */
void
ns_pdb_map_clear (NsPdb *self)
{
  g_clear_pointer (&self->sections, g_array_unref);
  g_clear_pointer (&self->contributions, g_array_unref);
  g_clear_pointer (&self->to_source, g_array_unref);
  g_clear_pointer (&self->from_source, g_array_unref);
}

/**
 * ns_pdb_place:
 * @self: a PDB
 * @section: number of a section, from 1
 * @offset: offset in the section
 * @rva: (out): address in the image as it was linked
 *
 * Returns: %FALSE if the section does not exist, as for constants
 */
gboolean
ns_pdb_place (const NsPdb *self, guint section, guint32 offset, guint32 *rva)
{
  const NsPdbSection *header;

  if (section == 0 || section > self->sections->len)
    return FALSE;
  header = &g_array_index (self->sections, NsPdbSection, section - 1);
  *rva = header->rva + offset;
  return offset <= G_MAXUINT32 - header->rva;
}

/**
 * ns_pdb_find_section:
 * @self: a PDB
 * @rva: address in the image as it was linked
 *
 * Returns: (transfer none) (nullable): the section that holds it
 */
const NsPdbSection *
ns_pdb_find_section (const NsPdb *self, guint32 rva)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      const NsPdbSection *section = &g_array_index (self->sections, NsPdbSection, i);

      if (rva >= section->rva && rva - section->rva < section->size)
        return section;
    }
  return NULL;
}

/**
 * ns_pdb_find_contribution:
 * @self: a PDB
 * @rva: address in the image as it was linked
 *
 * Returns: (transfer none) (nullable): the section contribution that holds it
 */
const NsPdbContribution *
ns_pdb_find_contribution (const NsPdb *self, guint32 rva)
{
  guint low = 0;
  guint high = self->contributions->len;
  const NsPdbContribution *found;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->contributions, NsPdbContribution, middle).rva <= rva)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  found = &g_array_index (self->contributions, NsPdbContribution, low - 1);
  return rva - found->rva < found->size ? found : NULL;
}

static gboolean
translate (const GArray *omap, guint32 from, guint32 *to)
{
  guint low = 0;
  guint high = omap->len;
  const NsPdbOmap *entry;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (omap, NsPdbOmap, middle).from <= from)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return FALSE;
  entry = &g_array_index (omap, NsPdbOmap, low - 1);
  *to = entry->to + (from - entry->from);
  return entry->to != 0;
}

/**
 * ns_pdb_to_source:
 * @self: a PDB
 * @rva: address in the image as it runs
 * @source: (out): the same address in the image as it was linked
 *
 * Returns: %FALSE if the code was added after linking
 */
gboolean
ns_pdb_to_source (const NsPdb *self, guint32 rva, guint32 *source)
{
  *source = rva;
  return self->to_source == NULL || translate (self->to_source, rva, source);
}

/**
 * ns_pdb_from_source:
 * @self: a PDB
 * @source: address in the image as it was linked
 * @rva: (out): the same address in the image as it runs
 *
 * Returns: %FALSE if the code was removed after linking
 */
gboolean
ns_pdb_from_source (const NsPdb *self, guint32 source, guint32 *rva)
{
  *rva = source;
  return self->from_source == NULL || translate (self->from_source, source, rva);
}
