/* Finds a symbol file in a folder: a symbol store of one or two tiers, or a plain folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-symbol-error.h"

G_BEGIN_DECLS

/* A file that may be the wanted one. */
typedef struct
{
  char *path;
  gboolean is_compressed; /* a cabinet that holds it */
} NsSymbolCandidate;

GPtrArray *ns_symbol_store_find (const char *root,
                                 const char *name,
                                 const char *key,
                                 const char *module,
                                 gboolean is_flat,
                                 char **refused);

G_END_DECLS
