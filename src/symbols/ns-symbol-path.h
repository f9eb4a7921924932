/* Parses symbol paths in the syntax of Windows debuggers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  NS_SYMBOL_PLACE_FOLDER,
  NS_SYMBOL_PLACE_CACHE, /* our cache, the default one */
  NS_SYMBOL_PLACE_SERVER,
} NsSymbolPlaceKind;

/* A store: a folder, our cache or a server. */
typedef struct
{
  NsSymbolPlaceKind kind;
  char *text;        /* (nullable): path or address */
  gboolean is_cache; /* keeps files that come from later places */
} NsSymbolPlace;

/* An entry: stores in order. Files of a later store are copied to the first. */
typedef struct
{
  gboolean is_flat;  /* a plain folder, which is never written to */
  GPtrArray *places; /* (element-type NsSymbolPlace) */
} NsSymbolEntry;

typedef struct
{
  GPtrArray *entries; /* (element-type NsSymbolEntry) */
  GPtrArray *notes;   /* (element-type utf8): what was skipped and why, for the user */
} NsSymbolPath;

NsSymbolPath *ns_symbol_path_parse (const char *text);
void ns_symbol_path_free (NsSymbolPath *self);
void ns_symbol_path_keep_caches (NsSymbolPath *self);
char *ns_symbol_path_to_text (const NsSymbolPath *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolPath, ns_symbol_path_free)

G_END_DECLS
