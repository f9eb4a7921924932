/* The bytes of a symbol file, read in pieces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-symbol-error.h"

G_BEGIN_DECLS

typedef struct _NsSymbolSource NsSymbolSource;

/* File type by magic number; the file name is ignored. */
typedef enum
{
  NS_SYMBOL_FILE_UNKNOWN,
  NS_SYMBOL_FILE_MSF,      /* container of PDBs since 2002 */
  NS_SYMBOL_FILE_MSFZ,     /* compressed variant of it */
  NS_SYMBOL_FILE_OLD_MSF,  /* container of PDBs before 2002 */
  NS_SYMBOL_FILE_PORTABLE, /* portable PDB: managed code only */
  NS_SYMBOL_FILE_CABINET,
  NS_SYMBOL_FILE_PE,
  NS_SYMBOL_FILE_TEXT, /* a web page or other text */
} NsSymbolFileKind;

NsSymbolSource *ns_symbol_source_open (const char *path, GError **error);
NsSymbolSource *ns_symbol_source_new_for_memory (const guint8 *data, gsize n_bytes);
NsSymbolSource *ns_symbol_source_dup (const NsSymbolSource *self);
void ns_symbol_source_free (NsSymbolSource *self);
guint64 ns_symbol_source_get_size (const NsSymbolSource *self);
gboolean ns_symbol_source_read (const NsSymbolSource *self,
                                guint64 offset,
                                gpointer buffer,
                                gsize n_bytes,
                                GError **error);
NsSymbolFileKind ns_symbol_source_get_kind (const NsSymbolSource *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolSource, ns_symbol_source_free)

G_END_DECLS
