/* Settings of a user of traces: how they are displayed, judged and masked.
 *
 * One object per user: the window has one, a run of the command line has one, and a program that
 * opens two traces may use one for each. Settings that affect rows apply to traces opened
 * afterwards; display settings apply at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-provider-labels.h"
#include "base/ns-secrets.h"
#include "engine/trace/ns-geo.h"
#include "engine/trace/ns-named-ranges.h"
#include "engine/trace/ns-trace.h"
#include "schema/ns-schema-data.h"

G_BEGIN_DECLS

/* Options for displaying chains. */
typedef enum
{
  NS_CHAIN_VIEW_DEFAULT = 0,
  NS_CHAIN_VIEW_SINGLE_TWICE = 1 << 0, /* show a single stack in both columns */
  NS_CHAIN_VIEW_TRACING = 1 << 1,      /* show the frames of ETW logging */
} NsChainView;

/**
 * NsSymbolSettings:
 * @path: (nullable): symbol path; %NULL or empty: that of `_NT_SYMBOL_PATH`
 * @cache_folder: (nullable): folder for downloaded files; %NULL or empty: the user's cache folder
 * @cache_bytes: its maximum size; 0: the default
 * @servers: (nullable): the only hosts that may be contacted, with the user's consent
 * @cached_only: use only caches, not servers, stores or other folders
 *
 * Settings for symbols.
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
void ns_view_context_take_shared (NsViewContext *self, gpointer shared, GDestroyNotify free_shared);
gpointer ns_view_context_get_shared (NsViewContext *self);
void ns_view_context_set_chain_view (NsViewContext *self, NsChainView view);
NsChainView ns_view_context_get_chain_view (NsViewContext *self);
void ns_view_context_set_secrets (NsViewContext *self, NsSecrets *secrets);
NsSecrets *ns_view_context_dup_secrets (NsViewContext *self);
void ns_view_context_set_thresholds (NsViewContext *self, NsThresholds *thresholds);
NsThresholds *ns_view_context_dup_thresholds (NsViewContext *self);
NsNamedRanges *ns_view_context_get_ranges (NsViewContext *self);
NsProviderLabels *ns_view_context_get_labels (NsViewContext *self);
NsSchemaData *ns_view_context_get_schemas (NsViewContext *self);
void ns_view_context_set_guards_formulas (NsViewContext *self, gboolean guards_formulas);
gboolean ns_view_context_guards_formulas (NsViewContext *self);
void ns_view_context_set_symbols (NsViewContext *self, const NsSymbolSettings *settings);
NsSymbolSettings *ns_view_context_dup_symbols (NsViewContext *self);
void ns_symbol_settings_unref (NsSymbolSettings *settings);
void ns_view_context_set_geo (NsViewContext *self, NsGeo *geo);
NsGeo *ns_view_context_dup_geo (NsViewContext *self);

/* Named ranges of a trace: its own, and those of its view context. */
char **ns_trace_list_named_ranges (const NsTrace *trace);
gboolean ns_trace_has_named_range (const NsTrace *trace, const char *name);
gboolean
ns_trace_is_in_named_range (const NsTrace *trace, const char *name, gint64 begin_ns, gint64 end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSymbolSettings, ns_symbol_settings_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsViewContext, ns_view_context_unref)

G_END_DECLS
