/* Chains as JSON and as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-chain.h"

G_BEGIN_DECLS

/* Between the frames of a stack that stands in one cell, outermost first. */
#define NS_EXPORT_CHAIN_SEPARATOR " > "

/* What symbols say of an address; the texts belong to who resolved it. */
typedef struct
{
  const char *symbol;  /* NULL: not known */
  guint64 offset;      /* in the function, bytes */
  const char *file;    /* NULL: not known */
  guint32 line;        /* 0: not known */
  const char *inlined; /* NULL: nothing was put into it there, or that is not told */
} NsExportSymbol;

/**
 * NsExportSymbolFunc:
 * @image: row of the image that holds the address
 * @rva: address in that image
 * @is_return: whether it is a return address, so that the call stands before it
 * @symbol: (out): what is known; valid until the next call
 * @user_data: the resolver's
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
 * @resolve: (nullable): tells symbols
 * @resolve_data: for @resolve
 * @is_redacted: names of source files, which tell of who built a program, are left out
 *
 * How chains are written.
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
