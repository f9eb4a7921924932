/* Symbols of the modules of a trace: finding their files, and naming addresses in them.
 *
 * A module is registered once and known by a number from then on. Its symbols are looked for when
 * that is asked for, in the caller's thread or by a pool of the resolver's own. All functions may
 * be called from any thread. Nothing goes over the network unless that was allowed.
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

/* Levels of one address: inlined functions and the one that holds them. */
#define NS_RESOLVER_MAX_LEVELS (NS_PDB_MAX_INLINE_DEPTH + 1)

/**
 * NsModuleState:
 * @NS_MODULE_WAITING: not looked for yet
 * @NS_MODULE_SEARCHING: being looked for
 * @NS_MODULE_DOWNLOADING: on its way
 * @NS_MODULE_FOUND: its addresses can be named
 * @NS_MODULE_NOT_FOUND: nowhere along the path
 * @NS_MODULE_NO_MATCH: only symbols of other builds are there
 * @NS_MODULE_NO_IDENTITY: the trace does not tell which build it is
 * @NS_MODULE_REFUSED: not done for safety, or because the user did not agree
 * @NS_MODULE_FAILED: a file or a server could not be used
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
 * @state: how far it is
 * @reason: (nullable): why it is so, for people; while it is on its way, the server it comes from
 * @file: (nullable): file the symbols come from
 * @n_done: bytes fetched
 * @n_total: bytes to be fetched; 0: unknown
 * @n_damaged: parts of the file that could not be read
 *
 * A copy, to be cleared with ns_module_info_clear().
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
 * @path: (nullable): where to look; %NULL: nowhere
 * @cache_folder: (nullable): where files of our own go; %NULL: the user's folder for caches
 * @cache_bytes: what the cache may hold; 0: the default
 * @allow_network: the user agreed that servers of @path are asked
 * @cached_only: of @path only its caches count, and our own: no server, no store, no plain folder
 * @max_download_bytes: larger files are not fetched; 0: the default
 *
 * What a resolver may do.
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
 * @module: number of a module whose state has changed
 * @user_data: the caller's
 *
 * Called in any thread, without locks.
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
