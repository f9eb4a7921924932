/* What a PDB says of the addresses of its image: functions, lines, inlined calls.
 *
 * Nothing is read before it is needed: opening takes the directory and two headers, a lookup the
 * part of the module that holds the address. Not for several threads at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "symbols/ns-symbol-source.h"

G_BEGIN_DECLS

typedef struct _NsPdb NsPdb;

/* Caps on what a file may ask for. */
#define NS_PDB_MAX_MODULES 65535u
#define NS_PDB_MAX_CONTRIBUTIONS 100000000u
#define NS_PDB_MAX_INLINE_DEPTH 64u
#define NS_PDB_MAX_NAME 4096u
#define NS_PDB_MAX_LOADED_BYTES (16u << 20)

/**
 * NsPdbIdentity:
 * @guid: of the build
 * @age: the age that images of this build carry
 * @info_age: how often the file was written; at least @age
 * @machine: #IMAGE_FILE_MACHINE of the image; 0: unknown
 * @is_stripped: private symbols were taken out
 * @is_fastlink: private symbols stayed in the object files
 * @n_modules: object files and libraries it was linked from
 *
 * What a PDB says of itself.
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
  NS_PDB_FRAME_INLINE, /* its code stands inside another function */
  NS_PDB_FRAME_PUBLIC, /* a linker's symbol at or before the address */
  NS_PDB_FRAME_STUB,   /* a jump the linker made */
  NS_PDB_FRAME_EXPORT, /* from the image itself */
} NsPdbFrameKind;

/* One level of code at an address. Texts live as long as the PDB. */
typedef struct
{
  const char *symbol;
  const char *file; /* (nullable): path at build time */
  guint32 line;     /* 0: unknown */
  guint32 offset;   /* bytes since the function's first */
  NsPdbFrameKind kind;
  gboolean is_folded; /* other functions have the same code */
} NsPdbFrame;

/* A function in a listing; the text is valid during the call only. */
typedef struct
{
  guint32 rva;
  guint32 size;
  const char *symbol;
  gsize n_symbol; /* its bytes; hostile, not checked to be text */
  gboolean is_public;
} NsPdbFunction;

typedef void (*NsPdbFunctionFunc) (const NsPdbFunction *function, gpointer user_data);

/**
 * NsPdbFramesFunc:
 * @i: which of the addresses it is
 * @frames: (array length=n_frames): the levels there, innermost first
 * @n_frames: 0: nothing is known of that address
 * @user_data: the caller's
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
