/* Reads Windows images (PE files): names addresses by exports when there is no PDB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "symbols/ns-symbol-source.h"

G_BEGIN_DECLS

typedef struct _NsPe NsPe;

#define NS_PE_MAX_SECTIONS 96u
#define NS_PE_MAX_EXPORTS 1000000u
#define NS_PE_MAX_NAME_BYTES (64u << 20) /* total of all exports */
#define NS_PE_MAX_FUNCTIONS 8000000u
#define NS_PE_MAX_CHAIN 32u

/**
 * NsPeIdentity:
 * @timestamp: TimeDateStamp of the header; a hash in reproducible builds
 * @image_size: SizeOfImage: bytes in memory
 * @machine: #IMAGE_FILE_MACHINE
 * @has_pdb: whether the debug directory names a PDB
 * @guid: GUID of the PDB
 * @age: age of the PDB
 * @pdb: (nullable): path of the PDB at build time
 *
 * Identity of an image and of its PDB.
 */
typedef struct
{
  guint32 timestamp;
  guint32 image_size;
  guint16 machine;
  gboolean has_pdb;
  NsGuid guid;
  guint32 age;
  char *pdb;
} NsPeIdentity;

NsPe *ns_pe_open (const char *path, GError **error);
NsPe *ns_pe_new (NsSymbolSource *source, GError **error);
void ns_pe_free (NsPe *self);
const NsPeIdentity *ns_pe_get_identity (const NsPe *self);
gboolean ns_pe_matches (const NsPe *self, guint32 timestamp, guint32 image_size);
gboolean ns_pe_read_names (NsPe *self, GError **error);
const char *ns_pe_lookup (NsPe *self, guint32 rva, guint32 *offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPe, ns_pe_free)

G_END_DECLS
