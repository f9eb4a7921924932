/* Chains as JSON and as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/activities/ns-chain.h"

G_BEGIN_DECLS

/* Separator of frames in a cell, outermost first. */
#define NS_EXPORT_CHAIN_SEPARATOR " > "

/* Symbol of an address; the resolver owns its texts. */
typedef struct
{
  const char *symbol;  /* NULL: unknown */
  guint64 offset;      /* offset within the function, in bytes */
  const char *file;    /* NULL: unknown */
  guint32 line;        /* 0: not known */
  const char *inlined; /* NULL: no inlined functions, or unknown */
} NsExportSymbol;

/**
 * NsExportSymbolFunc:
 * @image: row of the image that contains the address
 * @rva: address relative to the image
 * @is_return: whether it is a return address, so that the call precedes it
 * @symbol: (out): the symbol; valid until the next call
 * @user_data: user data of the resolver
 *
 * Returns: %TRUE if a symbol was found
 */
typedef gboolean (*NsExportSymbolFunc) (NsRow image,
                                        guint64 rva,
                                        gboolean is_return,
                                        NsExportSymbol *symbol,
                                        gpointer user_data);

/**
 * NsExportChains:
 * @trace: a trace
 * @resolve: (nullable): symbol resolver
 * @resolve_data: for @resolve
 * @is_redacted: whether to leave out names of source files, which reveal who built a program
 *
 * Settings for writing chains.
 */
typedef struct
{
  const NsTrace *trace;
  NsExportSymbolFunc resolve;
  gpointer resolve_data;
  gboolean is_redacted;
} NsExportChains;

gboolean ns_export_chains_resolve (const NsExportChains *self,
                                   NsRow image,
                                   guint64 rva,
                                   gboolean is_return,
                                   NsExportSymbol *symbol);
void ns_export_chain_append_frame (const NsExportChains *self,
                                   const NsChainElement *element,
                                   guint64 address,
                                   GString *text);
void ns_export_chain_append_json (const NsExportChains *self, NsRow activity, GString *text);
void ns_export_chain_append_text (const NsExportChains *self, NsRow activity, GString *text);
void ns_export_chain_append_cell (const NsExportChains *self,
                                  const NsChain *chain,
                                  NsChainColumn column,
                                  GString *text);

G_END_DECLS
