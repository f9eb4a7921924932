/* The cache of downloaded and expanded symbol files, and the list of files that servers do not
 * have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-symbol-error.h"

G_BEGIN_DECLS

typedef struct _NsSymbolCache NsSymbolCache;

#define NS_SYMBOL_CACHE_DEFAULT_BYTES (G_GUINT64_CONSTANT (10) << 30)

NsSymbolCache *ns_symbol_cache_new (const char *folder);
void ns_symbol_cache_free (NsSymbolCache *self);
const char *ns_symbol_cache_get_folder (const NsSymbolCache *self);
int ns_symbol_cache_begin (NsSymbolCache *self, const char *folder, char **part, GError **error);
char *ns_symbol_cache_commit (NsSymbolCache *self,
                              const char *folder,
                              const char *part,
                              const char *name,
                              const char *key,
                              GError **error);
void ns_symbol_cache_abort (NsSymbolCache *self, const char *part);
gboolean ns_symbol_cache_is_missing (NsSymbolCache *self,
                                     const char *server,
                                     const char *name,
                                     const char *key);
void ns_symbol_cache_set_missing (NsSymbolCache *self,
                                  const char *server,
                                  const char *name,
                                  const char *key);
void ns_symbol_cache_forget_missing (NsSymbolCache *self, const char *name);
void ns_symbol_cache_trim (NsSymbolCache *self, guint64 max_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolCache, ns_symbol_cache_free)

G_END_DECLS
