/* The identity of a module's symbols, and their names in symbol stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

#define NS_SYMBOL_MAX_NAME 255u
/* 32 digits of the GUID, 8 of the age, NUL. */
#define NS_SYMBOL_KEY_SIZE 41

/**
 * NsSymbolId:
 * @module: (nullable): file name of the image
 * @pdb: (nullable): name of its PDB in the trace; untrusted, may be a path
 * @guid: GUID of the PDB
 * @age: age of the PDB
 * @has_guid: whether @pdb, @guid and @age are known
 * @timestamp: timestamp of the image; 0: unknown
 * @image_size: size of the image in memory in bytes; 0: unknown
 *
 * Identity of a module in a trace.
 */
typedef struct
{
  const char *module;
  const char *pdb;
  NsGuid guid;
  guint32 age;
  gboolean has_guid;
  guint32 timestamp;
  guint32 image_size;
} NsSymbolId;

char *ns_symbol_safe_name (const char *path);
const char *ns_symbol_pdb_key (const NsGuid *guid, guint32 age, char key[NS_SYMBOL_KEY_SIZE]);
const char *
ns_symbol_image_key (guint32 timestamp, guint32 image_size, char key[NS_SYMBOL_KEY_SIZE]);

G_END_DECLS
