/* Private structures of the resolver, shared with its search.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-pe.h"
#include "symbols/ns-resolver.h"
#include "symbols/ns-symbol-cache.h"
#include "symbols/ns-symbol-server.h"

G_BEGIN_DECLS

typedef struct
{
  NsResolver *resolver;
  guint index;
  char *key; /* identifies the module, see ns_resolver_add() */
  char *module;
  char *pdb;
  NsSymbolId id;   /* its strings are @module and @pdb */
  gboolean yields; /* whether the search runs at low priority; used by its thread only */
  GMutex lock;     /* guards the members below; held briefly, as the main thread takes it */
  NsModuleInfo info;
  gboolean is_asked;   /* a search has started or ended */
  gboolean is_loading; /* a search is running */
  NsPdb *symbols;      /* this and @image are set once */
  NsPe *image;
  GCancellable *cancellable; /* (nullable): of the last search */
  GMutex naming;             /* held during a lookup; taken before @lock */
} NsResolverModule;

struct _NsResolver
{
  GMutex lock; /* guards the list of modules */
  GCond loaded;
  GPtrArray *modules; /* (element-type NsResolverModule) */
  GHashTable *by_key; /* module number + 1 by key */
  NsSymbolPath *path;
  NsSymbolCache *cache;
  NsSymbolServers *servers;
  gboolean allow_network;
  gboolean cached_only;
  guint64 cache_bytes;
  gint is_trimmed; /* atomic: the cache was trimmed */
  guint64 max_download_bytes;
  GThreadPool *pool;         /* (nullable) */
  GCancellable *cancellable; /* for new searches; guarded by @lock, replaced after a cancel */
  NsResolverFunc func;
  gpointer func_data;
};

/* The result of a search. */
typedef struct
{
  NsModuleState state;
  char *reason;
  char *file;
  NsPdb *symbols;
  NsPe *image;
} NsResolverResult;

/* ns-resolver-search.c */
void ns_resolver_search (NsResolverModule *module, NsResolverResult *result);
void ns_resolver_report (NsResolverModule *module);
void ns_resolver_note_progress (NsResolverModule *module,
                                NsModuleState state,
                                const char *server,
                                guint64 n_done,
                                guint64 n_total);

G_END_DECLS
