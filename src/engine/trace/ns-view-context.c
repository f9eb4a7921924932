/* Settings of a user of traces. One thread, that of the owner, changes them; other threads that
 * format rows meanwhile get either the old or the new value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-view-context.h"

#include "base/ns-hash.h"
#include "schema/ns-schema-builtin.h"

struct _NsViewContext
{
  gatomicrefcount ref_count;
  gint chain_view;          /* NsChainView, atomic */
  gint guards_formulas;     /* atomic */
  NsProviderLabels *labels; /* thread-safe */
  NsSchemaData *schemas;    /* (mutex lock): built-in; NULL: not opened, or invalid */
  NsNamedRanges *ranges;    /* has its own lock */
  GMutex lock; /* guards the members below; the objects that they point to are immutable */
  NsSecrets *secrets;
  NsThresholds *thresholds;
  NsSymbolSettings *symbols;
  NsGeo *geo;
  gpointer shared; /* of a higher room; main thread only, like the next */
  GDestroyNotify free_shared;
};

static NsSymbolSettings *
settings_new (const NsSymbolSettings *settings)
{
  NsSymbolSettings *self = g_atomic_rc_box_new (NsSymbolSettings);

  *self = *settings;
  self->path = g_strdup (settings->path);
  self->cache_folder = g_strdup (settings->cache_folder);
  self->servers = (const char *const *) g_strdupv ((char **) settings->servers);
  return self;
}

static void
settings_clear (gpointer data)
{
  NsSymbolSettings *self = data;

  g_free ((char *) self->path);
  g_free ((char *) self->cache_folder);
  g_strfreev ((char **) self->servers);
}

/**
 * ns_symbol_settings_unref:
 * @settings: (transfer full): a result of ns_view_context_dup_symbols()
 */
void
ns_symbol_settings_unref (NsSymbolSettings *settings)
{
  g_atomic_rc_box_release_full (settings, settings_clear);
}

/**
 * ns_view_context_new:
 *
 * Returns: (transfer full): a view context with the defaults
 */
NsViewContext *
ns_view_context_new (void)
{
  NsViewContext *self = g_new0 (NsViewContext, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->chain_view = NS_CHAIN_VIEW_DEFAULT;
  self->guards_formulas = TRUE;
  self->labels = ns_provider_labels_new ();
  self->ranges = ns_named_ranges_new ();
  self->thresholds = ns_thresholds_new ();
  self->symbols = settings_new (&(NsSymbolSettings){ 0 });
  return self;
}

/**
 * ns_view_context_ref:
 * @self: a view context
 *
 * Returns: (transfer full): @self
 */
NsViewContext *
ns_view_context_ref (NsViewContext *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * ns_view_context_unref:
 * @self: (transfer full) (nullable): a view context
 */
void
ns_view_context_unref (NsViewContext *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->free_shared != NULL)
    self->free_shared (self->shared);
  ns_provider_labels_free (self->labels);
  ns_schema_data_unref (self->schemas);
  ns_named_ranges_free (self->ranges);
  ns_secrets_unref (self->secrets);
  ns_thresholds_unref (self->thresholds);
  ns_symbol_settings_unref (self->symbols);
  ns_geo_unref (self->geo);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_view_context_take_shared:
 * @self: a view context
 * @shared: (transfer full): an object of a higher room that all users of the context share
 * @free_shared: frees it together with @self
 *
 * Called once, by the main thread.
 */
void
ns_view_context_take_shared (NsViewContext *self, gpointer shared, GDestroyNotify free_shared)
{
  g_return_if_fail (self->shared == NULL);

  self->shared = shared;
  self->free_shared = free_shared;
}

/**
 * ns_view_context_get_shared:
 * @self: a view context
 *
 * Called by the main thread.
 *
 * Returns: (transfer none) (nullable): the object of ns_view_context_take_shared()
 */
gpointer
ns_view_context_get_shared (NsViewContext *self)
{
  return self->shared;
}

/**
 * ns_view_context_get_labels:
 * @self: a view context
 *
 * Returns: (transfer none): the labels that the user gave to unnamed providers, read at the first
 *   look
 */
NsProviderLabels *
ns_view_context_get_labels (NsViewContext *self)
{
  return self->labels;
}

/**
 * ns_view_context_get_schemas:
 * @self: a view context
 *
 * Thread-safe.
 *
 * Returns: (transfer none) (nullable): the built-in schemas, which its traces share; opened by the
 *   first call
 */
NsSchemaData *
ns_view_context_get_schemas (NsViewContext *self)
{
  NsSchemaData *schemas;

  g_mutex_lock (&self->lock);
  if (self->schemas == NULL)
    self->schemas = ns_schema_builtin_new ();
  schemas = self->schemas;
  g_mutex_unlock (&self->lock);
  return schemas;
}

/**
 * ns_view_context_set_chain_view:
 * @self: a view context
 * @view: display options of chains made from now on
 */
void
ns_view_context_set_chain_view (NsViewContext *self, NsChainView view)
{
  g_atomic_int_set (&self->chain_view, (gint) view);
}

/**
 * ns_view_context_get_chain_view:
 * @self: a view context
 *
 * Returns: the display options of chains
 */
NsChainView
ns_view_context_get_chain_view (NsViewContext *self)
{
  return (NsChainView) g_atomic_int_get (&self->chain_view);
}

/**
 * ns_view_context_set_guards_formulas:
 * @self: a view context
 * @guards_formulas: whether texts in tables for spreadsheets that begin like a formula get a
 *   leading apostrophe, so that spreadsheets do not evaluate them; the default
 */
void
ns_view_context_set_guards_formulas (NsViewContext *self, gboolean guards_formulas)
{
  g_atomic_int_set (&self->guards_formulas, guards_formulas);
}

/**
 * ns_view_context_guards_formulas:
 * @self: a view context
 *
 * Returns: whether texts that begin like a formula get a leading apostrophe
 */
gboolean
ns_view_context_guards_formulas (NsViewContext *self)
{
  return g_atomic_int_get (&self->guards_formulas);
}

/**
 * ns_view_context_set_secrets:
 * @self: a view context
 * @secrets: (transfer full) (nullable): definition of secrets for traces opened from now on, whose
 *   rows never contain them; %NULL: the defaults
 */
void
ns_view_context_set_secrets (NsViewContext *self, NsSecrets *secrets)
{
  NsSecrets *before;

  g_mutex_lock (&self->lock);
  before = self->secrets;
  self->secrets = secrets;
  g_mutex_unlock (&self->lock);
  ns_secrets_unref (before);
}

/**
 * ns_view_context_dup_secrets:
 * @self: a view context
 *
 * Returns: (transfer full) (nullable): the definition of secrets for traces opened now
 */
NsSecrets *
ns_view_context_dup_secrets (NsViewContext *self)
{
  NsSecrets *secrets;

  g_mutex_lock (&self->lock);
  secrets = ns_secrets_ref (self->secrets);
  g_mutex_unlock (&self->lock);
  return secrets;
}

/**
 * ns_view_context_set_thresholds:
 * @self: a view context
 * @thresholds: (transfer full): thresholds for traces opened from now on
 */
void
ns_view_context_set_thresholds (NsViewContext *self, NsThresholds *thresholds)
{
  NsThresholds *before;

  g_mutex_lock (&self->lock);
  before = self->thresholds;
  self->thresholds = thresholds;
  g_mutex_unlock (&self->lock);
  ns_thresholds_unref (before);
}

/**
 * ns_view_context_dup_thresholds:
 * @self: a view context
 *
 * Returns: (transfer full): thresholds for traces opened now
 */
NsThresholds *
ns_view_context_dup_thresholds (NsViewContext *self)
{
  NsThresholds *thresholds;

  g_mutex_lock (&self->lock);
  thresholds = ns_thresholds_ref (self->thresholds);
  g_mutex_unlock (&self->lock);
  return thresholds;
}

/**
 * ns_view_context_get_ranges:
 * @self: a view context
 *
 * Returns: (transfer none): named ranges that apply to all its traces
 */
NsNamedRanges *
ns_view_context_get_ranges (NsViewContext *self)
{
  return self->ranges;
}

/**
 * ns_view_context_set_symbols:
 * @self: a view context
 * @settings: symbol settings for look-ups begun from now on; copied
 */
void
ns_view_context_set_symbols (NsViewContext *self, const NsSymbolSettings *settings)
{
  NsSymbolSettings *before;

  g_mutex_lock (&self->lock);
  before = self->symbols;
  self->symbols = settings_new (settings);
  g_mutex_unlock (&self->lock);
  ns_symbol_settings_unref (before);
}

/**
 * ns_view_context_dup_symbols:
 * @self: a view context
 *
 * Returns: (transfer full): the symbol settings, immutable; while a reference is held,
 *   ns_view_context_set_symbols() never makes another one at the same address
 */
NsSymbolSettings *
ns_view_context_dup_symbols (NsViewContext *self)
{
  NsSymbolSettings *settings;

  g_mutex_lock (&self->lock);
  settings = g_atomic_rc_box_acquire (self->symbols);
  g_mutex_unlock (&self->lock);
  return settings;
}

/**
 * ns_view_context_set_geo:
 * @self: a view context
 * @geo: (transfer full) (nullable): GeoIP database; %NULL: none
 */
void
ns_view_context_set_geo (NsViewContext *self, NsGeo *geo)
{
  NsGeo *before;

  g_mutex_lock (&self->lock);
  before = self->geo;
  self->geo = geo;
  g_mutex_unlock (&self->lock);
  ns_geo_unref (before);
}

/**
 * ns_view_context_dup_geo:
 * @self: a view context
 *
 * Returns: (transfer full) (nullable): the GeoIP database
 */
NsGeo *
ns_view_context_dup_geo (NsViewContext *self)
{
  NsGeo *geo;

  g_mutex_lock (&self->lock);
  geo = ns_geo_ref (self->geo);
  g_mutex_unlock (&self->lock);
  return geo;
}

/**
 * ns_trace_list_named_ranges:
 * @trace: a trace
 *
 * Returns: (transfer full): the names of its ranges and of those of its view context, each once
 */
char **
ns_trace_list_named_ranges (const NsTrace *trace)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);

  ns_named_ranges_add_names (ns_view_context_get_ranges (trace->view), names, seen);
  ns_named_ranges_add_names (trace->ranges, names, seen);
  return g_strv_builder_end (names);
}

/**
 * ns_trace_has_named_range:
 * @trace: a trace
 * @name: see ns_named_ranges_has()
 *
 * Returns: whether the trace or its view context has such a range
 */
gboolean
ns_trace_has_named_range (const NsTrace *trace, const char *name)
{
  return ns_named_ranges_has (trace->ranges, name) ||
         ns_named_ranges_has (ns_view_context_get_ranges (trace->view), name);
}

/**
 * ns_trace_is_in_named_range:
 * @trace: a trace
 * @name: name of a range
 * @begin_ns: begin of an interval
 * @end_ns: its end
 *
 * Returns: whether the interval lies within one of the ranges of that name, ends included
 */
gboolean
ns_trace_is_in_named_range (const NsTrace *trace, const char *name, gint64 begin_ns, gint64 end_ns)
{
  return ns_named_ranges_contain (trace->ranges, name, begin_ns, end_ns) ||
         ns_named_ranges_contain (ns_view_context_get_ranges (trace->view), name, begin_ns, end_ns);
}
