/* Finds the symbol files of the modules of a trace and resolves addresses to functions and lines.
 *
 * A module is registered once and has a number from then on. Symbols are searched for on request,
 * in the calling thread or a thread pool. Thread-safe. The network is used only if the options
 * allow it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "symbols/ns-pdb.h"
#include "symbols/ns-symbol-id.h"
#include "symbols/ns-symbol-path.h"

G_BEGIN_DECLS

typedef struct _NsResolver NsResolver;

/* Most frames at one address: inlined functions and the function that holds them. */
#define NS_RESOLVER_MAX_LEVELS (NS_PDB_MAX_INLINE_DEPTH + 1)

/**
 * NsModuleState:
 * @NS_MODULE_WAITING: not searched for yet
 * @NS_MODULE_SEARCHING: being searched for
 * @NS_MODULE_DOWNLOADING: being downloaded
 * @NS_MODULE_FOUND: found; addresses can be resolved
 * @NS_MODULE_NOT_FOUND: not found on the symbol path
 * @NS_MODULE_NO_MATCH: only symbols of other builds were found
 * @NS_MODULE_NO_IDENTITY: the trace does not identify the build
 * @NS_MODULE_REFUSED: refused for safety or for lack of the user's consent
 * @NS_MODULE_FAILED: a file or server failed
 */
typedef enum
{
  NS_MODULE_WAITING,
  NS_MODULE_SEARCHING,
  NS_MODULE_DOWNLOADING,
  NS_MODULE_FOUND,
  NS_MODULE_NOT_FOUND,
  NS_MODULE_NO_MATCH,
  NS_MODULE_NO_IDENTITY,
  NS_MODULE_REFUSED,
  NS_MODULE_FAILED,
} NsModuleState;

/**
 * NsModuleInfo:
 * @state: state of the search
 * @reason: (nullable): reason for the state, in words; during a download, the server
 * @file: (nullable): path of the symbol file
 * @n_done: bytes downloaded
 * @n_total: bytes to download; 0: unknown
 * @n_damaged: parts of the file that could not be read
 *
 * State of a module, a copy. Free with ns_module_info_clear().
 */
typedef struct
{
  NsModuleState state;
  char *reason;
  char *file;
  guint64 n_done;
  guint64 n_total;
  guint n_damaged;
} NsModuleInfo;

/**
 * NsResolverOptions:
 * @path: (nullable): symbol path; %NULL: empty
 * @cache_folder: (nullable): folder of our cache; %NULL: in the user's cache folder
 * @cache_bytes: size limit of the cache; 0: the default
 * @allow_network: whether the user allowed requests to the servers of @path
 * @cached_only: whether only caches are used, those of @path and our own: no servers, stores or
 *   plain folders
 * @max_download_bytes: largest file to download; 0: the default
 *
 * Settings of a resolver.
 */
typedef struct
{
  const char *path;
  const char *cache_folder;
  guint64 cache_bytes;
  gboolean allow_network;
  gboolean cached_only;
  guint64 max_download_bytes;
} NsResolverOptions;

/**
 * NsResolverFunc:
 * @self: a resolver
 * @module: number of a module whose state changed
 * @user_data: the caller's data
 *
 * Called in any thread, without locks held.
 */
typedef void (*NsResolverFunc) (NsResolver *self, guint module, gpointer user_data);

NsResolver *ns_resolver_new (const NsResolverOptions *options);
void ns_resolver_stop (NsResolver *self);
void ns_resolver_free (NsResolver *self);
void ns_resolver_set_func (NsResolver *self, NsResolverFunc func, gpointer user_data);
const NsSymbolPath *ns_resolver_get_path (const NsResolver *self);
guint ns_resolver_add (NsResolver *self, const NsSymbolId *id);
guint ns_resolver_get_n_modules (NsResolver *self);
const char *ns_resolver_get_name (NsResolver *self, guint module);
void ns_resolver_load (NsResolver *self, guint module);
void ns_resolver_request (NsResolver *self, guint module);
void ns_resolver_retry (NsResolver *self);
gboolean ns_resolver_retry_module (NsResolver *self, guint module);
void ns_resolver_cancel (NsResolver *self);
void ns_resolver_get_info (NsResolver *self, guint module, NsModuleInfo *info);
void ns_module_info_clear (NsModuleInfo *info);
const char *ns_module_state_to_text (NsModuleState state);
guint ns_resolver_lookup (NsResolver *self,
                          guint module,
                          guint32 rva,
                          gboolean is_return,
                          NsPdbFrame *frames,
                          guint max_frames);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsResolver, ns_resolver_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsModuleInfo, ns_module_info_clear)

G_END_DECLS
