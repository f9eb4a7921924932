/* Private structures of a PDB, shared by the ns-pdb-*.c files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "base/ns-map.h"
#include "base/ns-strings.h"
#include "symbols/ns-msf.h"
#include "symbols/ns-pdb.h"

G_BEGIN_DECLS

/* Numbers of the fixed streams. */
enum
{
  NS_PDB_STREAM_INFO = 1,
  NS_PDB_STREAM_TYPES = 2,
  NS_PDB_STREAM_DBI = 3,
  NS_PDB_STREAM_IDS = 4,
};

#define NS_PDB_NO_MODULE G_MAXUINT32
#define NS_PDB_N_FILES 8u

/* Record kind of a public symbol. */
#define NS_PDB_S_PUB32 0x110eu

typedef struct
{
  guint32 rva;
  guint32 size;
  gboolean is_code;
} NsPdbSection;

/* A section contribution: the module that a range of the image comes from. */
typedef struct
{
  guint32 rva;
  guint32 size;
  guint32 module;
} NsPdbContribution;

/* An OMAP entry: maps addresses of a rewritten image to those as linked, or back. */
typedef struct
{
  guint32 from;
  guint32 to; /* 0: unmapped */
} NsPdbOmap;

typedef struct
{
  guint32 rva;
  guint32 record; /* offset in the symbol records */
} NsPdbPublic;

/* A function or other named range of code. */
typedef struct
{
  guint32 rva;
  guint32 size;
  guint32 record;  /* offset of its record in the module's stream */
  guint32 name;    /* offset of its name there */
  guint32 max_end; /* largest end of this and all before */
} NsPdbProc;

/* A line table: C13 bytes [at, at + n_bytes). */
typedef struct
{
  guint32 rva;
  guint32 size;
  guint32 at;
  guint32 n_bytes;
  gboolean has_columns;
} NsPdbLines;

typedef struct
{
  guint32 id;
  guint32 file; /* offset in the checksums subsection */
  guint32 line;
} NsPdbInlinee;

/* A module whose stream is in memory. The buffer is reused from module to module, as allocations of
 * this size come from the system page by page each time. */
typedef struct
{
  guint index;
  guint n_damaged;
  guint32 sym_size;
  guint8 *data;
  gsize size;
  gsize n_room;
  GArray *procs;    /* (element-type NsPdbProc): by address */
  GArray *lines;    /* (element-type NsPdbLines): by address */
  GArray *inlinees; /* (element-type NsPdbInlinee): by id */
  NsCursor c13;
  NsCursor checksums;
  NsCursor imports;
  NsCursor exports;
  struct
  {
    guint32 checksum;
    const char *name;      /* (nullable): not looked up yet */
  } files[NS_PDB_N_FILES]; /* cache of recently used files */
} NsPdbModule;

typedef struct
{
  guint32 stream;
  guint32 sym_size;
  guint32 c11_size;
  guint32 c13_size;
  const char *name; /* in the module list's bytes */
  gsize n_name;
  gboolean is_damaged; /* could not be read; not tried again */
  NsPdbModule *loaded; /* (nullable) */
  guint64 used;        /* value of NsPdb.clock at the last use, for eviction */
} NsPdbModuleInfo;

/* Type or item records, found by their index number. */
typedef struct
{
  gboolean is_read;
  gboolean is_usable;
  guint stream;
  guint32 begin;
  guint32 end;
  guint32 header_size;
  guint32 n_record_bytes;
  GArray *index; /* (element-type guint32): pairs of index number and offset */
  GBytes *window;
  guint32 window_at;
} NsPdbRecords;

struct _NsPdb
{
  NsPdb *twin; /* (nullable): a second PDB over the same bytes, for another thread */
  NsMsf *msf;
  NsStrings *texts;
  NsPdbIdentity identity;
  guint n_damaged;
  gboolean has_code; /* there is a DBI stream */

  guint32 psi_stream;
  guint32 symrec_stream;
  guint32 module_list_at;
  guint32 n_module_list;
  guint32 contributions_at;
  guint32 n_contributions;
  guint32 section_stream;
  guint32 original_section_stream;
  guint32 omap_to_source;
  guint32 omap_from_source;

  GBytes *info;
  GBytes *names; /* (nullable): the bytes of the string table */
  NsCursor names_text;
  gboolean names_read;

  GBytes *module_list;
  GArray *modules; /* (element-type NsPdbModuleInfo) */
  guint64 n_loaded_bytes;
  guint64 clock;
  NsPdbModule *spare; /* (nullable): buffer for the next module */
  guint pinned;       /* number of the module in use by a lookup, which is not unloaded */

  gboolean map_read;
  GArray *sections;      /* (element-type NsPdbSection) */
  GArray *contributions; /* (element-type NsPdbContribution) */
  GArray *to_source;     /* (element-type NsPdbOmap) */
  GArray *from_source;   /* (element-type NsPdbOmap) */

  gboolean address_map_placed;
  gboolean has_address_map;
  guint32 address_map_at; /* offset in the stream of publics */
  guint32 n_address_map;  /* entries */
  guint map_section;      /* the section of the next two; 0: not known */
  guint map_first;
  guint map_end;

  gboolean publics_read;
  GBytes *symrec;
  GArray *publics; /* (element-type NsPdbPublic): of code, by address */
  guint n_publics;
  guint32 stubs_rva;
  guint32 n_stub_bytes;
  guint32 stub_size;

  NsPdbRecords types;
  NsPdbRecords ids;
  NsMap *id_names; /* item number (and module + 1 for numbers local to a module) to text */
};

/* One symbol record. */
typedef struct
{
  guint32 at; /* offset of its length field */
  guint16 kind;
  NsCursor body; /* begins at the length field, ends with the record */
} NsPdbRecord;

/* ns-pdb.c */
char *ns_pdb_dup_text (const char *text, gsize n_bytes);
const char *ns_pdb_keep_text (NsPdb *self, const char *text, gsize n_bytes);
const char *ns_pdb_get_name (NsPdb *self, guint32 offset);
gboolean ns_pdb_next_record (NsCursor *cursor, NsPdbRecord *record);
gboolean ns_pdb_ensure_twin (NsPdb *self);
void ns_pdb_sort (GArray *array, GCompareFunc compare);

/* ns-pdb-map.c */
void ns_pdb_read_map (NsPdb *self);
void ns_pdb_share_map (NsPdb *self, const NsPdb *other);
void ns_pdb_map_clear (NsPdb *self);
gboolean ns_pdb_place (const NsPdb *self, guint section, guint32 offset, guint32 *rva);
const NsPdbSection *ns_pdb_find_section (const NsPdb *self, guint32 rva);
const NsPdbContribution *ns_pdb_find_contribution (const NsPdb *self, guint32 rva);
gboolean ns_pdb_to_source (const NsPdb *self, guint32 rva, guint32 *source);
gboolean ns_pdb_from_source (const NsPdb *self, guint32 source, guint32 *rva);

/* ns-pdb-address-map.c */
void ns_pdb_place_address_map (NsPdb *self);
gboolean ns_pdb_search_address_map (NsPdb *self,
                                    guint32 source,
                                    char **name,
                                    gsize *n_name,
                                    guint32 *rva,
                                    gboolean *is_folded);

/* ns-pdb-publics.c */
void ns_pdb_read_publics (NsPdb *self);
void ns_pdb_publics_clear (NsPdb *self);
gboolean ns_pdb_find_public (NsPdb *self, guint32 source, NsPdbFrame *frame);
gboolean ns_pdb_get_public (const NsPdb *self, guint i, NsPdbFunction *function);

/* ns-pdb-lookup.c */
guint ns_pdb_lookup_in_module (NsPdb *self,
                               guint32 index,
                               guint32 source,
                               NsPdbFrame *frames,
                               guint max_frames);

/* ns-pdb-module.c */
gboolean ns_pdb_read_modules (NsPdb *self, GError **error);
void ns_pdb_modules_clear (NsPdb *self);
NsPdbModule *ns_pdb_load_module (NsPdb *self, guint index);
void ns_pdb_unload_module (NsPdb *self, guint index);
gboolean ns_pdb_module_read (NsPdbModule *module, const NsPdb *self, guint index);
NsPdbModule *ns_pdb_module_new (void);
void ns_pdb_module_free (NsPdbModule *self);
const NsPdbProc *
ns_pdb_module_find_proc (const NsPdbModule *self, guint32 rva, gboolean *is_folded);
guint ns_pdb_find_module_named (const NsPdb *self, const char *name);
void ns_pdb_foreach_proc (NsPdb *self,
                          void (*func) (const NsPdbProc *proc, const char *stream, gpointer data),
                          gpointer data);

/* ns-pdb-lines.c */
void ns_pdb_module_index_c13 (const NsPdb *self, NsPdbModule *module);
gboolean ns_pdb_module_find_line (NsPdb *self,
                                  NsPdbModule *module,
                                  guint32 rva,
                                  const char **file,
                                  guint32 *line);
const NsPdbInlinee *ns_pdb_module_find_inlinee (const NsPdbModule *module, guint32 id);
const char *ns_pdb_module_get_file (NsPdb *self, NsPdbModule *module, guint32 checksum);

/* ns-pdb-inlines.c */
guint ns_pdb_module_find_inlines (NsPdb *self,
                                  NsPdbModule *module,
                                  const NsPdbProc *proc,
                                  guint32 rva,
                                  NsPdbFrame *frames,
                                  guint max_frames);

/* ns-pdb-types.c */
const char *ns_pdb_get_inlinee_name (NsPdb *self, NsPdbModule *module, guint32 id);
void ns_pdb_types_clear (NsPdb *self);

static inline void
ns_cursor_init_bytes (NsCursor *cursor, GBytes *bytes)
{
  gsize size = 0;
  const guint8 *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  ns_cursor_init (cursor, data, size);
}

static inline void
ns_cursor_init_module (NsCursor *cursor, const NsPdbModule *module)
{
  ns_cursor_init (cursor, module->data, module->size);
}

G_END_DECLS
