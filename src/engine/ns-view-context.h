/* Settings of the reader of a trace: how it is shown, judged and masked.
 *
 * One object for each reader: the window has one, a run of the command line has one, and a program
 * that opens two traces may give each its own. What decides on rows counts for traces that are
 * opened from then on; what only decides how they are shown counts at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"
#include "engine/ns-geo.h"
#include "engine/ns-named-ranges.h"
#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* How the reader wants chains shown. */
typedef enum
{
  NS_CHAIN_VIEW_DEFAULT = 0,
  NS_CHAIN_VIEW_SINGLE_TWICE = 1 << 0, /* a single stack is also the first one */
  NS_CHAIN_VIEW_TRACING = 1 << 1,      /* the frames of the logging itself are shown */
} NsChainView;

/**
 * NsSymbolSettings:
 * @path: (nullable): where to look; %NULL or empty: what `_NT_SYMBOL_PATH` says
 * @cache_folder: (nullable): where fetched files go; %NULL or empty: the user's folder for caches
 * @cache_bytes: what it may hold; 0: the default
 * @servers: (nullable): hosts the user agreed to ask; no other is
 * @cached_only: no server is asked all the same, nor is any store or folder looked in but caches
 *
 * What the user wants of symbols.
 */
typedef struct
{
  const char *path;
  const char *cache_folder;
  guint64 cache_bytes;
  const char *const *servers;
  gboolean cached_only;
} NsSymbolSettings;

NsViewContext *ns_view_context_new (void);
NsViewContext *ns_view_context_ref (NsViewContext *self);
void ns_view_context_unref (NsViewContext *self);
void ns_view_context_set_chain_view (NsViewContext *self, NsChainView view);
NsChainView ns_view_context_get_chain_view (NsViewContext *self);
void ns_view_context_set_secrets (NsViewContext *self, NsSecrets *secrets);
NsSecrets *ns_view_context_dup_secrets (NsViewContext *self);
void ns_view_context_set_thresholds (NsViewContext *self, NsThresholds *thresholds);
NsThresholds *ns_view_context_dup_thresholds (NsViewContext *self);
NsNamedRanges *ns_view_context_get_ranges (NsViewContext *self);
void ns_view_context_set_guards_formulas (NsViewContext *self, gboolean guards_formulas);
gboolean ns_view_context_guards_formulas (NsViewContext *self);
void ns_view_context_set_symbols (NsViewContext *self, const NsSymbolSettings *settings);
NsSymbolSettings *ns_view_context_dup_symbols (NsViewContext *self);
void ns_symbol_settings_unref (NsSymbolSettings *settings);
void ns_view_context_set_geo (NsViewContext *self, NsGeo *geo);
NsGeo *ns_view_context_dup_geo (NsViewContext *self);

/* Of a trace: its own ranges and those of its view context. */
char **ns_trace_list_named_ranges (const NsTrace *trace);
gboolean ns_trace_has_named_range (const NsTrace *trace, const char *name);
gboolean
ns_trace_is_in_named_range (const NsTrace *trace, const char *name, gint64 begin_ns, gint64 end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolSettings, ns_symbol_settings_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsViewContext, ns_view_context_unref)

G_END_DECLS
