/* Opens a PDB, reads its identity, and locates its tables.
 *
 * Layout: the Microsoft PDB sources published as microsoft-pdb, and LLVM's description of the
 * format (docs/PDB).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-pdb-private.h"

#include "base/ns-plain.h"

#include <glib/gi18n-lib.h>

#define INFO_WITH_GUID 20000404u
#define FEATURE_FASTLINK 0x494e494du
#define MAX_INFO_BYTES (16u << 20)
#define DBI_HEADER_SIZE 64u
#define DBI_IS_STRIPPED 2u

/* Positions of streams in DBI's optional debug header. */
enum
{
  HEADER_OMAP_TO_SOURCE = 3,
  HEADER_OMAP_FROM_SOURCE = 4,
  HEADER_SECTIONS = 5,
  HEADER_ORIGINAL_SECTIONS = 10,
  N_HEADERS = 11,
};

static gboolean
read_info (NsPdb *self, GError **error)
{
  NsCursor cursor;
  guint32 version;
  guint32 size;

  if (!ns_msf_get_stream_size (self->msf, NS_PDB_STREAM_INFO, &size) || size < 12)
    {
      g_set_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED, _ ("it has no debug ID"));
      return FALSE;
    }
  self->info = ns_msf_load (self->msf, NS_PDB_STREAM_INFO, 0, MIN (size, MAX_INFO_BYTES), error);
  if (self->info == NULL)
    return FALSE;

  ns_cursor_init_bytes (&cursor, self->info);
  version = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  self->identity.info_age = ns_cursor_u32 (&cursor);
  self->identity.age = self->identity.info_age;
  if (version < INFO_WITH_GUID)
    {
      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_TOO_OLD,
                   _ ("a PDB of version %u has no GUID"),
                   version);
      return FALSE;
    }
  ns_cursor_guid (&cursor, &self->identity.guid);
  if (!ns_cursor_ok (&cursor))
    {
      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_DAMAGED,
                   _ ("its debug ID is truncated"));
      return FALSE;
    }

  /* Feature codes are at the end of the stream; no other value there equals this one. */
  ns_cursor_seek (&cursor, size >= 8 ? cursor.size - MIN (cursor.size, 64) / 4 * 4 : 0);
  while (ns_cursor_left (&cursor) >= 4)
    if (ns_cursor_u32 (&cursor) == FEATURE_FASTLINK)
      self->identity.is_fastlink = TRUE;
  return TRUE;
}

static void
read_debug_headers (NsPdb *self, guint32 at, guint32 n_bytes)
{
  guint8 bytes[N_HEADERS * 2];
  guint32 streams[N_HEADERS];
  NsCursor cursor;
  guint n_headers = MIN (n_bytes / 2, N_HEADERS);

  for (guint i = 0; i < N_HEADERS; i++)
    streams[i] = NS_MSF_NO_STREAM;
  if (ns_msf_read (self->msf, NS_PDB_STREAM_DBI, at, bytes, (gsize) n_headers * 2, NULL))
    {
      ns_cursor_init (&cursor, bytes, (gsize) n_headers * 2);
      for (guint i = 0; i < n_headers; i++)
        streams[i] = ns_cursor_u16 (&cursor);
    }
  else
    self->n_damaged++;
  self->omap_to_source = streams[HEADER_OMAP_TO_SOURCE];
  self->omap_from_source = streams[HEADER_OMAP_FROM_SOURCE];
  self->section_stream = streams[HEADER_SECTIONS];
  self->original_section_stream = streams[HEADER_ORIGINAL_SECTIONS];
}

/* Determines the offsets of the DBI substreams, which follow each other; the last two are stored in
 * another order than their sizes. */
static gboolean
place_substreams (NsPdb *self, const guint32 sizes[7], guint32 n_stream, GError **error)
{
  guint64 at = DBI_HEADER_SIZE;
  guint32 begins[7];

  for (guint i = 0; i < 7; i++)
    {
      begins[i] = (guint32) at;
      at += sizes[i];
      if (sizes[i] > G_MAXINT32 || at > n_stream)
        {
          g_set_error (error,
                       NS_SYMBOL_ERROR,
                       NS_SYMBOL_ERROR_DAMAGED,
                       _ ("part %u of its debug information ends beyond its stream of %u bytes"),
                       i,
                       n_stream);
          return FALSE;
        }
    }
  self->module_list_at = begins[0];
  self->n_module_list = sizes[0];
  self->contributions_at = begins[1];
  self->n_contributions = sizes[1];
  read_debug_headers (self, begins[6], sizes[6]);
  return TRUE;
}

static gboolean
read_dbi (NsPdb *self, GError **error)
{
  guint8 head[DBI_HEADER_SIZE];
  guint32 sizes[7];
  NsCursor cursor;
  guint32 n_stream;

  self->psi_stream = NS_MSF_NO_STREAM;
  self->symrec_stream = NS_MSF_NO_STREAM;
  self->section_stream = NS_MSF_NO_STREAM;
  self->original_section_stream = NS_MSF_NO_STREAM;
  self->omap_to_source = NS_MSF_NO_STREAM;
  self->omap_from_source = NS_MSF_NO_STREAM;
  /* A PDB with types only has no DBI stream. */
  if (!ns_msf_get_stream_size (self->msf, NS_PDB_STREAM_DBI, &n_stream) || n_stream == 0)
    return TRUE;
  if (!ns_msf_read (self->msf, NS_PDB_STREAM_DBI, 0, head, sizeof head, error))
    return FALSE;

  ns_cursor_init (&cursor, head, sizeof head);
  if (ns_cursor_u32 (&cursor) != G_MAXUINT32)
    {
      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_DAMAGED,
                   _ ("its debug information has an invalid header"));
      return FALSE;
    }
  ns_cursor_skip (&cursor, 4);
  self->identity.age = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  self->psi_stream = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2);
  self->symrec_stream = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2);
  for (guint i = 0; i < 5; i++)
    sizes[i] = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  sizes[6] = ns_cursor_u32 (&cursor);
  sizes[5] = ns_cursor_u32 (&cursor);
  self->identity.is_stripped = (ns_cursor_u16 (&cursor) & DBI_IS_STRIPPED) != 0;
  self->identity.machine = ns_cursor_u16 (&cursor);
  self->has_code = TRUE;
  return place_substreams (self, sizes, n_stream, error);
}

static NsPdb *
pdb_new (NsMsf *msf, GError **error)
{
  g_autoptr (NsPdb) self = g_new0 (NsPdb, 1);

  self->pinned = NS_PDB_NO_MODULE;
  self->texts = ns_strings_new ();
  self->id_names = ns_map_new ();
  self->types.stream = NS_PDB_STREAM_TYPES;
  self->ids.stream = NS_PDB_STREAM_IDS;
  self->msf = msf;
  if (self->msf == NULL || !read_info (self, error) || !read_dbi (self, error) ||
      !ns_pdb_read_modules (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * ns_pdb_ensure_twin:
 * @self: a PDB
 *
 * Makes NsPdb.twin, a second PDB over the same bytes for another thread; its texts live as long as
 * @self.
 *
 * Returns: %FALSE if the file cannot be opened again
 */
gboolean
ns_pdb_ensure_twin (NsPdb *self)
{
  NsPdb *twin;

  if (self->twin != NULL)
    return TRUE;
  ns_pdb_read_map (self);
  twin = pdb_new (ns_msf_dup (self->msf), NULL);
  if (twin == NULL)
    return FALSE;
  /* Damage that both see is counted once, in @self. */
  twin->n_damaged = 0;
  ns_pdb_share_map (twin, self);
  self->twin = twin;
  return TRUE;
}

/**
 * ns_pdb_new:
 * @source: (transfer full): the bytes of a file
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the PDB; %NULL and @error if it cannot be read
 */
NsPdb *
ns_pdb_new (NsSymbolSource *source, GError **error)
{
  return pdb_new (ns_msf_new (source, error), error);
}

/**
 * ns_pdb_open:
 * @path: path of a file
 * @error: return location; the message names @path
 *
 * Returns: (transfer full) (nullable): the PDB; %NULL and @error if it cannot be read
 */
NsPdb *
ns_pdb_open (const char *path, GError **error)
{
  NsSymbolSource *source = ns_symbol_source_open (path, error);
  NsPdb *self;

  if (source == NULL)
    return NULL;
  self = ns_pdb_new (source, error);
  if (self == NULL)
    g_prefix_error (error, _ ("cannot read %s: "), path);
  return self;
}

/**
 * ns_pdb_free:
 * @self: (transfer full) (nullable): a PDB
 */
void
ns_pdb_free (NsPdb *self)
{
  if (self == NULL)
    return;
  ns_pdb_free (self->twin);
  ns_pdb_modules_clear (self);
  ns_pdb_map_clear (self);
  ns_pdb_publics_clear (self);
  ns_pdb_types_clear (self);
  g_clear_pointer (&self->info, g_bytes_unref);
  g_clear_pointer (&self->names, g_bytes_unref);
  ns_map_free (self->id_names);
  ns_strings_free (self->texts);
  ns_msf_free (self->msf);
  g_free (self);
}

/**
 * ns_pdb_get_identity:
 * @self: a PDB
 *
 * Returns: (transfer none): GUID, ages and machine of the PDB
 */
const NsPdbIdentity *
ns_pdb_get_identity (const NsPdb *self)
{
  return &self->identity;
}

/**
 * ns_pdb_matches:
 * @self: a PDB
 * @guid: GUID in the image's debug directory
 * @age: age in the image's debug directory
 *
 * The age grows each time the linker rewrites the PDB: an equal or higher age matches, a lower one
 * does not.
 *
 * Returns: %TRUE if the PDB belongs to that image
 */
gboolean
ns_pdb_matches (const NsPdb *self, const NsGuid *guid, guint32 age)
{
  return !ns_guid_is_zero (guid) && ns_guid_equal (&self->identity.guid, guid) &&
         age <= MAX (self->identity.age, self->identity.info_age);
}

/**
 * ns_pdb_get_n_damaged:
 * @self: a PDB
 *
 * Returns: number of parts that could not be read so far
 */
guint
ns_pdb_get_n_damaged (const NsPdb *self)
{
  return self->n_damaged;
}

/**
 * ns_pdb_is_short_of_memory:
 * @self: a PDB
 *
 * Returns: whether a part was not read so far because memory was short
 */
gboolean
ns_pdb_is_short_of_memory (const NsPdb *self)
{
  return ns_msf_is_short_of_memory (self->msf) ||
         (self->twin != NULL && ns_msf_is_short_of_memory (self->twin->msf));
}

/**
 * ns_pdb_machine_to_text:
 * @machine: an IMAGE_FILE_MACHINE value
 *
 * Returns: (transfer none) (nullable): name of the architecture; %NULL: unknown
 */
const char *
ns_pdb_machine_to_text (guint16 machine)
{
  switch (machine)
    {
    case 0x014c:
      return "x86";
    case 0x8664:
      return "x64";
    case 0xaa64:
      return "ARM64";
    case 0xa641:
      return "ARM64EC";
    case 0xa64e:
      return "ARM64X";
    case 0x01c0:
    case 0x01c4:
      return "ARM";
    default:
      return NULL;
    }
}
