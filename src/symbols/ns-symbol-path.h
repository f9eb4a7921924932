/* The path along which symbols are looked for, as Windows debuggers write it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  NS_SYMBOL_PLACE_FOLDER,
  NS_SYMBOL_PLACE_CACHE, /* the default one */
  NS_SYMBOL_PLACE_SERVER,
} NsSymbolPlaceKind;

/* One store. */
typedef struct
{
  NsSymbolPlaceKind kind;
  char *text;        /* (nullable): folder or address */
  gboolean is_cache; /* what came from elsewhere is kept there */
} NsSymbolPlace;

/* One entry: stores, nearest first. What a later one has is copied to folders before it. */
typedef struct
{
  gboolean is_flat;  /* a plain folder, which is only read */
  GPtrArray *places; /* (element-type NsSymbolPlace) */
} NsSymbolEntry;

typedef struct
{
  GPtrArray *entries; /* (element-type NsSymbolEntry) */
  GPtrArray *notes;   /* (element-type utf8): what was left out, for people */
} NsSymbolPath;

NsSymbolPath *ns_symbol_path_parse (const char *text);
void ns_symbol_path_free (NsSymbolPath *self);
void ns_symbol_path_keep_caches (NsSymbolPath *self);
char *ns_symbol_path_to_text (const NsSymbolPath *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolPath, ns_symbol_path_free)

G_END_DECLS
