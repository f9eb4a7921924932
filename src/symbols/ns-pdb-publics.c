/* The public symbols of a PDB: the linker's names of functions and data.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include "base/ns-pages.h"

#include <string.h>

#define PUBLIC_NAME_AT 14
#define PUBLIC_IS_FUNCTION 2u
#define MAX_DISTANCE (1u << 20)
#define MIN_RECORD_SIZE 16u

/* Decodes the public at offset @at; %FALSE if there is none. */
static gboolean
read_public (const NsPdb *self, guint32 at, NsPdbPublic *public, gboolean *is_code)
{
  NsCursor cursor;
  NsPdbRecord record;
  const NsPdbSection *section;
  guint32 flags;
  guint32 offset;
  guint16 number;

  ns_cursor_init_bytes (&cursor, self->symrec);
  ns_cursor_seek (&cursor, at);
  if (!ns_pdb_next_record (&cursor, &record) || record.kind != NS_PDB_S_PUB32)
    return FALSE;
  ns_cursor_seek (&record.body, 4);
  flags = ns_cursor_u32 (&record.body);
  offset = ns_cursor_u32 (&record.body);
  number = ns_cursor_u16 (&record.body);
  if (!ns_cursor_ok (&record.body) ||
      memchr (record.body.data + PUBLIC_NAME_AT, 0, ns_cursor_left (&record.body)) == NULL)
    return FALSE;

  public->record = at;
  *is_code = ns_pdb_place (self, number, offset, &public->rva);
  if (*is_code)
    {
      section = &g_array_index (self->sections, NsPdbSection, number - 1);
      *is_code = (flags & PUBLIC_IS_FUNCTION) != 0 || section->is_code;
    }
  return TRUE;
}

static void
add_public (NsPdb *self, const NsPdbPublic *public, gboolean is_code)
{
  self->n_publics++;
  if (is_code)
    g_array_append_vals (self->publics, public, 1);
}

/* Reads the publics in the order of the address map; %FALSE if the map is damaged. */
static gboolean
follow_address_map (NsPdb *self, NsCursor *map)
{
  if (!ns_pages_make_room (self->publics, ns_cursor_left (map) / 4))
    return FALSE;
  while (ns_cursor_left (map) >= 4)
    {
      NsPdbPublic public;
      gboolean is_code;

      if (!read_public (self, ns_cursor_u32 (map), &public, &is_code))
        return FALSE;
      add_public (self, &public, is_code);
    }
  return TRUE;
}

static void
scan_records (NsPdb *self)
{
  NsCursor cursor;
  NsPdbRecord record;

  g_array_set_size (self->publics, 0);
  self->n_publics = 0;
  ns_cursor_init_bytes (&cursor, self->symrec);
  if (!ns_pages_make_room (self->publics, cursor.size / MIN_RECORD_SIZE))
    {
      ns_msf_set_short_of_memory (self->msf);
      return;
    }
  while (ns_pdb_next_record (&cursor, &record))
    {
      NsPdbPublic public;
      gboolean is_code;

      if (record.kind == NS_PDB_S_PUB32 && read_public (self, record.at, &public, &is_code))
        add_public (self, &public, is_code);
    }
  if (!ns_cursor_ok (&cursor))
    self->n_damaged++;
}

static int
compare_publics (gconstpointer a, gconstpointer b)
{
  const NsPdbPublic *left = a;
  const NsPdbPublic *right = b;

  if (left->rva != right->rva)
    return left->rva > right->rva ? 1 : -1;
  return (left->record > right->record) - (left->record < right->record);
}

static gboolean
use_address_map (NsPdb *self)
{
  g_autoptr (GBytes) bytes = NULL;
  NsCursor map;

  if (self->psi_stream == NS_MSF_NO_STREAM)
    return FALSE;
  ns_pdb_place_address_map (self);
  if (self->has_address_map)
    bytes = ns_msf_load (self->msf,
                         self->psi_stream,
                         self->address_map_at,
                         (gsize) self->n_address_map * 4,
                         NULL);
  ns_cursor_init_bytes (&map, bytes);
  if (bytes != NULL && follow_address_map (self, &map))
    return TRUE;
  self->n_damaged++;
  return FALSE;
}

/**
 * ns_pdb_read_publics:
 * @self: a PDB
 *
 * Reads all public symbols, once.
 */
void
ns_pdb_read_publics (NsPdb *self)
{
  gboolean is_sorted = TRUE;

  if (self->publics_read)
    return;
  ns_pdb_read_map (self);
  self->publics_read = TRUE;
  self->publics = g_array_new (FALSE, FALSE, sizeof (NsPdbPublic));
  if (self->symrec_stream == NS_MSF_NO_STREAM)
    return;
  self->symrec = ns_msf_load_all (self->msf, self->symrec_stream, NULL);
  if (self->symrec == NULL)
    {
      self->n_damaged++;
      return;
    }
  if (!use_address_map (self))
    scan_records (self);
  for (guint i = 1; i < self->publics->len && is_sorted; i++)
    is_sorted = g_array_index (self->publics, NsPdbPublic, i - 1).rva <=
                g_array_index (self->publics, NsPdbPublic, i).rva;
  if (!is_sorted)
    ns_pdb_sort (self->publics, compare_publics);
}

/**
 * ns_pdb_publics_clear:
 * @self: a PDB that is being freed
 *
 * Frees the public symbols.
 */
void
ns_pdb_publics_clear (NsPdb *self)
{
  g_clear_pointer (&self->publics, g_array_unref);
  g_clear_pointer (&self->symrec, g_bytes_unref);
}

static const char *
get_public_name (const NsPdb *self, const NsPdbPublic *public, gsize *n_name)
{
  NsCursor cursor;

  ns_cursor_init_bytes (&cursor, self->symrec);
  ns_cursor_seek (&cursor, (gsize) public->record + PUBLIC_NAME_AT);
  return ns_cursor_astr (&cursor, n_name);
}

/* Counts the publics before an address. */
static guint
count_before (const NsPdb *self, guint64 rva)
{
  const NsPdbPublic *publics = (const NsPdbPublic *) (gconstpointer) self->publics->data;
  guint low = 0;
  guint high = self->publics->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (publics[middle].rva < rva)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
find_stub (NsPdb *self, guint32 source, NsPdbFrame *frame)
{
  g_autofree char *label = NULL;
  guint32 at;

  if (source < self->stubs_rva || source - self->stubs_rva >= self->n_stub_bytes)
    return FALSE;
  at = (source - self->stubs_rva) / self->stub_size * self->stub_size;
  label = g_strdup_printf ("ILT+%u", at);
  frame->symbol = ns_pdb_keep_text (self, label, strlen (label));
  frame->offset = source - self->stubs_rva - at;
  frame->kind = NS_PDB_FRAME_STUB;
  return TRUE;
}

/* Finds the last public at or before @source among all publics; see ns_pdb_search_address_map(). */
static char *
search_publics (const NsPdb *self, guint32 source, gsize *n_name, guint32 *rva, gboolean *is_folded)
{
  const NsPdbPublic *publics = (const NsPdbPublic *) (gconstpointer) self->publics->data;
  guint end = count_before (self, (guint64) source + 1);
  const char *name;
  guint first;

  if (end == 0)
    return NULL;
  /* Of the publics that share the address, maybe thousands, the first wins. */
  first = count_before (self, publics[end - 1].rva);
  *rva = publics[first].rva;
  *is_folded = first + 1 < end;
  name = get_public_name (self, &publics[first], n_name);
  return name != NULL ? g_strndup (name, *n_name) : NULL;
}

/* Returns whether a public names the code at an address: in the same section and section
 * contribution, at most MAX_DISTANCE behind it. */
static gboolean
names_address (const NsPdb *self, guint32 rva, guint32 source)
{
  return source - rva <= MAX_DISTANCE &&
         ns_pdb_find_section (self, source) == ns_pdb_find_section (self, rva) &&
         ns_pdb_find_contribution (self, source) == ns_pdb_find_contribution (self, rva);
}

/**
 * ns_pdb_find_public:
 * @self: a PDB
 * @source: address in the image as it was linked
 * @frame: (out): name of the public or of the jump stub there
 *
 * Returns: %FALSE if no public names the address
 */
gboolean
ns_pdb_find_public (NsPdb *self, guint32 source, NsPdbFrame *frame)
{
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  gboolean is_folded = FALSE;
  gsize n_name = 0;
  guint32 rva = 0;

  ns_pdb_read_map (self);
  if (self->publics_read ||
      !ns_pdb_search_address_map (self, source, &name, &n_name, &rva, &is_folded))
    {
      ns_pdb_read_publics (self);
      name = search_publics (self, source, &n_name, &rva, &is_folded);
    }
  if (name == NULL || !names_address (self, rva, source))
    return find_stub (self, source, frame);

  text = ns_pdb_name_to_text (self, name, n_name, TRUE);
  frame->symbol = ns_pdb_keep_text (self, text, strlen (text));
  frame->offset = source - rva;
  frame->is_folded = is_folded;
  frame->kind = NS_PDB_FRAME_PUBLIC;
  return TRUE;
}

/**
 * ns_pdb_get_public:
 * @self: a PDB whose publics are read
 * @i: index of a public of code, by address
 * @function: (out): the public
 *
 * A public has no size: it ends with its section contribution or at the next public.
 *
 * Returns: %FALSE if @i is past the last
 */
gboolean
ns_pdb_get_public (const NsPdb *self, guint i, NsPdbFunction *function)
{
  const NsPdbPublic *publics = (const NsPdbPublic *) (gconstpointer) self->publics->data;
  const NsPdbContribution *contribution;
  const NsPdbSection *section;
  guint64 end = G_MAXUINT32;
  guint next = i;

  if (i >= self->publics->len)
    return FALSE;
  function->rva = publics[i].rva;
  function->symbol = get_public_name (self, &publics[i], &function->n_symbol);
  function->is_public = TRUE;

  while (next < self->publics->len && publics[next].rva == publics[i].rva)
    next++;
  if (next < self->publics->len)
    end = publics[next].rva;
  contribution = ns_pdb_find_contribution (self, function->rva);
  section = ns_pdb_find_section (self, function->rva);
  if (contribution != NULL)
    end = MIN (end, (guint64) contribution->rva + contribution->size);
  if (section != NULL)
    end = MIN (end, (guint64) section->rva + section->size);
  else
    end = function->rva;
  function->size = (guint32) (end - function->rva);
  return TRUE;
}
