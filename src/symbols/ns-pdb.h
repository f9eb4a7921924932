/* Reads a PDB: names functions, source lines and inlined calls at addresses of its image.
 *
 * Everything is read on demand: opening reads the directory and two headers, a lookup reads the
 * module that holds the address. Not thread-safe.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "symbols/ns-symbol-source.h"

G_BEGIN_DECLS

typedef struct _NsPdb NsPdb;

/* Limits for untrusted files; sizes and lengths in bytes. */
#define NS_PDB_MAX_MODULES 65535u
#define NS_PDB_MAX_CONTRIBUTIONS 100000000u
#define NS_PDB_MAX_INLINE_DEPTH 64u
#define NS_PDB_MAX_NAME 4096u
#define NS_PDB_MAX_LOADED_BYTES (16u << 20)

/**
 * NsPdbIdentity:
 * @guid: GUID of the build
 * @age: age that images of this build have in their debug directory
 * @info_age: number of times that the file was written; at least @age
 * @machine: #IMAGE_FILE_MACHINE of the image; 0: unknown
 * @is_stripped: whether private symbols were removed
 * @is_fastlink: whether private symbols stayed in the object files (/DEBUG:FASTLINK)
 * @n_modules: number of object files and library members that were linked
 *
 * Build identity and kind of a PDB.
 */
typedef struct
{
  NsGuid guid;
  guint32 age;
  guint32 info_age;
  guint16 machine;
  gboolean is_stripped;
  gboolean is_fastlink;
  guint n_modules;
} NsPdbIdentity;

typedef enum
{
  NS_PDB_FRAME_FUNCTION,
  NS_PDB_FRAME_INLINE, /* inlined into another function */
  NS_PDB_FRAME_PUBLIC, /* linker symbol at or before the address */
  NS_PDB_FRAME_STUB,   /* jump stub made by the linker */
  NS_PDB_FRAME_EXPORT, /* export of the image */
} NsPdbFrameKind;

/* One function at an address, inlined or not. Strings live as long as the PDB. */
typedef struct
{
  const char *symbol;
  const char *file; /* (nullable): path at compile time */
  guint32 line;     /* 0: unknown */
  guint32 offset;   /* bytes from the start of the function */
  NsPdbFrameKind kind;
  gboolean is_folded; /* identical code folding: other functions have the same code */
} NsPdbFrame;

/* A function in a listing; @symbol is valid during the call only. */
typedef struct
{
  guint32 rva;
  guint32 size;
  const char *symbol;
  gsize n_symbol; /* length of @symbol in bytes; untrusted bytes, maybe not UTF-8 */
  gboolean is_public;
} NsPdbFunction;

typedef void (*NsPdbFunctionFunc) (const NsPdbFunction *function, gpointer user_data);

/**
 * NsPdbFramesFunc:
 * @i: index of the address
 * @frames: (array length=n_frames): functions at the address, innermost first
 * @n_frames: number of frames; 0: nothing is known of the address
 * @user_data: the caller's data
 */
typedef void (*NsPdbFramesFunc) (guint i,
                                 const NsPdbFrame *frames,
                                 guint n_frames,
                                 gpointer user_data);

NsPdb *ns_pdb_open (const char *path, GError **error);
NsPdb *ns_pdb_new (NsSymbolSource *source, GError **error);
void ns_pdb_free (NsPdb *self);
const NsPdbIdentity *ns_pdb_get_identity (const NsPdb *self);
gboolean ns_pdb_matches (const NsPdb *self, const NsGuid *guid, guint32 age);
guint ns_pdb_get_n_damaged (const NsPdb *self);
gboolean ns_pdb_is_short_of_memory (const NsPdb *self);
guint ns_pdb_get_n_publics (NsPdb *self);
guint ns_pdb_lookup (NsPdb *self, guint32 rva, NsPdbFrame *frames, guint max_frames);
void ns_pdb_lookup_many (NsPdb *self,
                         const guint32 *rvas,
                         guint n_rvas,
                         NsPdbFramesFunc func,
                         gpointer user_data);
void ns_pdb_foreach_function (NsPdb *self, NsPdbFunctionFunc func, gpointer user_data);
const char *ns_pdb_machine_to_text (guint16 machine);
char *ns_pdb_name_to_text (const NsPdb *self, const char *name, gsize n_bytes, gboolean is_public);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPdb, ns_pdb_free)

G_END_DECLS
