/* A resolver and its search.
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
  char *key; /* what makes it one of its own */
  char *module;
  char *pdb;
  NsSymbolId id;      /* its texts are the two above */
  gboolean gives_way; /* the search does; of its thread */
  GMutex lock;        /* of what follows; never held for long, because the window asks */
  NsModuleInfo info;
  gboolean is_asked;   /* somebody has begun to look, or has looked */
  gboolean is_loading; /* and is not done */
  NsPdb *symbols;      /* these two are set once */
  NsPe *image;
  GCancellable *cancellable; /* (nullable): of the search that is or was under way */
  GMutex naming;             /* held while an address is named; taken before @lock */
} NsResolverModule;

struct _NsResolver
{
  GMutex lock; /* of the list of modules */
  GCond loaded;
  GPtrArray *modules; /* (element-type NsResolverModule) */
  GHashTable *by_key; /* number + 1 by key */
  NsSymbolPath *path;
  NsSymbolCache *cache;
  NsSymbolServers *servers;
  gboolean allow_network;
  gboolean cached_only;
  guint64 cache_bytes;
  gint is_trimmed; /* atomic: the cache was looked at */
  guint64 max_download_bytes;
  GThreadPool *pool;         /* (nullable) */
  GCancellable *cancellable; /* of searches that begin now; guarded, another one after a stop */
  NsResolverFunc func;
  gpointer func_data;
};

/* What a search came to. */
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
