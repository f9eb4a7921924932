/* Finds the symbol files of the modules of a trace and resolves addresses to functions and lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-resolver-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_THREADS 2

static void
module_free (gpointer data)
{
  NsResolverModule *module = data;

  ns_pdb_free (module->symbols);
  ns_pe_free (module->image);
  ns_module_info_clear (&module->info);
  g_clear_object (&module->cancellable);
  g_mutex_clear (&module->lock);
  g_mutex_clear (&module->naming);
  g_free (module->key);
  g_free (module->module);
  g_free (module->pdb);
  g_free (module);
}

static NsSymbolPath *
parse_path (const NsResolverOptions *options)
{
  const char *text = options->path != NULL ? options->path : "";
  g_autofree char *with_own = g_strconcat ("cache*;", text, NULL);
  NsSymbolPath *path = ns_symbol_path_parse (options->cached_only ? with_own : text);

  if (options->cached_only)
    ns_symbol_path_keep_caches (path);
  return path;
}

/**
 * ns_resolver_new:
 * @options: symbol path, limits and permissions
 *
 * Returns: (transfer full): a resolver without modules
 */
NsResolver *
ns_resolver_new (const NsResolverOptions *options)
{
  NsResolver *self = g_new0 (NsResolver, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->loaded);
  self->modules = g_ptr_array_new_with_free_func (module_free);
  self->by_key = g_hash_table_new (ns_hash_text, g_str_equal);
  self->path = parse_path (options);
  self->cache = ns_symbol_cache_new (options->cache_folder);
  self->servers = ns_symbol_servers_new ();
  self->allow_network = options->allow_network;
  self->cached_only = options->cached_only;
  self->max_download_bytes = options->max_download_bytes;
  self->cache_bytes =
      options->cache_bytes != 0 ? options->cache_bytes : NS_SYMBOL_CACHE_DEFAULT_BYTES;
  self->cancellable = g_cancellable_new ();
  return self;
}

/**
 * ns_resolver_stop:
 * @self: a resolver; no other thread may use it any more
 *
 * Cancels all searches and waits for their threads.
 */
void
ns_resolver_stop (NsResolver *self)
{
  ns_resolver_cancel (self);
  if (self->pool != NULL)
    g_thread_pool_free (self->pool, TRUE, TRUE);
  self->pool = NULL;
}

/**
 * ns_resolver_free:
 * @self: (transfer full) (nullable): a resolver
 *
 * Cancels all searches, waits for their threads, and frees the resolver.
 */
void
ns_resolver_free (NsResolver *self)
{
  if (self == NULL)
    return;
  ns_resolver_stop (self);
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->modules);
  ns_symbol_path_free (self->path);
  ns_symbol_cache_free (self->cache);
  ns_symbol_servers_free (self->servers);
  g_object_unref (self->cancellable);
  g_cond_clear (&self->loaded);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_resolver_set_func:
 * @self: a resolver not used by other threads yet
 * @func: (nullable): called when the state of a module changes
 * @user_data: for @func
 */
void
ns_resolver_set_func (NsResolver *self, NsResolverFunc func, gpointer user_data)
{
  self->func = func;
  self->func_data = user_data;
}

/**
 * ns_resolver_get_path:
 * @self: a resolver
 *
 * Returns: (transfer none): its symbol path
 */
const NsSymbolPath *
ns_resolver_get_path (const NsResolver *self)
{
  return self->path;
}

static NsResolverModule *
get_module (NsResolver *self, guint module)
{
  NsResolverModule *found;

  g_mutex_lock (&self->lock);
  g_assert (module < self->modules->len);
  found = g_ptr_array_index (self->modules, module);
  g_mutex_unlock (&self->lock);
  return found;
}

/**
 * ns_resolver_add:
 * @self: a resolver
 * @id: identity of a module in the trace
 *
 * Registers a module.
 *
 * Returns: number of the module; equal identities have one number
 */
guint
ns_resolver_add (NsResolver *self, const NsSymbolId *id)
{
  char guid[NS_GUID_TEXT_SIZE];
  g_autofree char *key = g_strdup_printf ("%s|%s|%s|%u|%u|%u|%d",
                                          id->module != NULL ? id->module : "",
                                          id->pdb != NULL ? id->pdb : "",
                                          ns_guid_to_text (&id->guid, guid),
                                          id->age,
                                          id->timestamp,
                                          id->image_size,
                                          id->has_guid);
  NsResolverModule *module;
  guint index;

  g_mutex_lock (&self->lock);
  index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, key));
  if (index == 0)
    {
      module = g_new0 (NsResolverModule, 1);
      g_mutex_init (&module->lock);
      g_mutex_init (&module->naming);
      module->resolver = self;
      module->index = self->modules->len;
      module->key = g_steal_pointer (&key);
      module->module = g_strdup (id->module);
      module->pdb = g_strdup (id->pdb);
      module->id = *id;
      module->id.module = module->module;
      module->id.pdb = module->pdb;
      g_ptr_array_add (self->modules, module);
      index = self->modules->len;
      g_hash_table_insert (self->by_key, module->key, GUINT_TO_POINTER (index));
    }
  g_mutex_unlock (&self->lock);
  return index - 1;
}

/**
 * ns_resolver_get_n_modules:
 * @self: a resolver
 *
 * Returns: number of registered modules
 */
guint
ns_resolver_get_n_modules (NsResolver *self)
{
  guint n_modules;

  g_mutex_lock (&self->lock);
  n_modules = self->modules->len;
  g_mutex_unlock (&self->lock);
  return n_modules;
}

/**
 * ns_resolver_get_name:
 * @self: a resolver
 * @module: number of a module
 *
 * Returns: (transfer none): file name of the image, else of its PDB, else `?`; untrusted
 */
const char *
ns_resolver_get_name (NsResolver *self, guint module)
{
  const NsResolverModule *found = get_module (self, module);

  if (found->module != NULL)
    return found->module;
  return found->pdb != NULL ? found->pdb : "?";
}

/* Claims the search of a module; %FALSE if another thread has or had it. */
static gboolean
claim (NsResolverModule *module)
{
  gboolean is_mine;

  g_mutex_lock (&module->lock);
  is_mine = !module->is_asked;
  module->is_asked = TRUE;
  module->is_loading = module->is_loading || is_mine;
  g_mutex_unlock (&module->lock);
  return is_mine;
}

/* Stores the result of a search and takes its strings. @may_ask_again resets the claim together
 * with the state, because callbacks may request the module at once. */
static void
end_search (NsResolverModule *module, const NsResolverResult *result, gboolean may_ask_again)
{
  g_mutex_lock (&module->lock);
  module->info.state = result->state;
  g_free (module->info.reason);
  module->info.reason = result->reason;
  g_free (module->info.file);
  module->info.file = result->file;
  module->symbols = result->symbols;
  module->image = result->image;
  module->is_loading = FALSE;
  module->is_asked = !may_ask_again;
  g_mutex_unlock (&module->lock);

  g_mutex_lock (&module->resolver->lock);
  g_cond_broadcast (&module->resolver->loaded);
  g_mutex_unlock (&module->resolver->lock);
  ns_resolver_report (module);
}

static void
load (NsResolverModule *module, gboolean yields)
{
  NsResolverResult result;

  module->yields = yields;
  g_mutex_lock (&module->resolver->lock);
  g_set_object (&module->cancellable, module->resolver->cancellable);
  g_mutex_unlock (&module->resolver->lock);
  ns_resolver_note_progress (module, NS_MODULE_SEARCHING, NULL, 0, 0);
  /* Trimmed at the first search, not in ns_resolver_new(), as listing a large cache takes time. */
  if (module->resolver->path->entries->len > 0 &&
      g_atomic_int_compare_and_exchange (&module->resolver->is_trimmed, FALSE, TRUE))
    ns_symbol_cache_trim (module->resolver->cache, module->resolver->cache_bytes);
  ns_resolver_search (module, &result);
  end_search (module, &result, FALSE);
}

static gboolean
is_loading (NsResolverModule *module)
{
  gboolean is_so;

  g_mutex_lock (&module->lock);
  is_so = module->is_loading;
  g_mutex_unlock (&module->lock);
  return is_so;
}

/**
 * ns_resolver_load:
 * @self: a resolver
 * @module: number of a module
 *
 * Searches for the symbols in the calling thread, or waits for the thread that does.
 */
void
ns_resolver_load (NsResolver *self, guint module)
{
  NsResolverModule *found = get_module (self, module);

  if (claim (found))
    {
      load (found, FALSE);
      return;
    }
  g_mutex_lock (&self->lock);
  while (is_loading (found))
    g_cond_wait (&self->loaded, &self->lock);
  g_mutex_unlock (&self->lock);
}

static void
work_cb (gpointer data, gpointer user_data)
{
  /* Background searches run at low priority. */
  load (data, TRUE);
}

/* Returns the thread pool, creating it on first use; %NULL if no thread can be created. The caller
 * holds the lock. */
static GThreadPool *
ensure_pool (NsResolver *self)
{
  if (self->pool == NULL)
    self->pool = g_thread_pool_new (work_cb, self, MAX_THREADS, TRUE, NULL);
  if (self->pool != NULL && g_thread_pool_get_num_threads (self->pool) == 0)
    g_thread_pool_free (g_steal_pointer (&self->pool), TRUE, FALSE);
  return self->pool;
}

/**
 * ns_resolver_request:
 * @self: a resolver
 * @module: number of a module
 *
 * Starts a search in the thread pool. If no thread can be created, the search fails at once and can
 * be requested again: the calling thread must not wait for servers.
 */
void
ns_resolver_request (NsResolver *self, guint module)
{
  NsResolverModule *found = get_module (self, module);
  GThreadPool *pool;

  if (!claim (found))
    return;
  g_mutex_lock (&self->lock);
  pool = ensure_pool (self);
  if (pool != NULL)
    g_thread_pool_push (pool, found, NULL);
  g_mutex_unlock (&self->lock);
  if (pool == NULL)
    {
      NsResolverResult result = { .state = NS_MODULE_FAILED };

      result.reason = g_strdup (_ ("no thread could be started to search for them; try again"));
      end_search (found, &result, TRUE);
    }
}

/**
 * ns_resolver_cancel:
 * @self: a resolver
 *
 * Cancels running searches and blocks new ones until ns_resolver_retry().
 */
void
ns_resolver_cancel (NsResolver *self)
{
  g_autoptr (GCancellable) cancellable = NULL;

  g_mutex_lock (&self->lock);
  cancellable = g_object_ref (self->cancellable);
  g_mutex_unlock (&self->lock);
  g_cancellable_cancel (cancellable);
}

/* Replaces the cancellable, so that new searches are not cancelled. */
static void
go_on (NsResolver *self)
{
  g_mutex_lock (&self->lock);
  if (g_cancellable_is_cancelled (self->cancellable))
    {
      g_object_unref (self->cancellable);
      self->cancellable = g_cancellable_new ();
    }
  g_mutex_unlock (&self->lock);
}

/* Resets a module to its unsearched state; %FALSE if it is found or being searched for. */
static gboolean
forget_result (NsResolverModule *module)
{
  gboolean is_forgotten;

  g_mutex_lock (&module->lock);
  is_forgotten = !module->is_loading && module->info.state != NS_MODULE_FOUND;
  if (is_forgotten)
    {
      module->is_asked = FALSE;
      module->info.state = NS_MODULE_WAITING;
      g_clear_pointer (&module->info.reason, g_free);
    }
  g_mutex_unlock (&module->lock);
  return is_forgotten;
}

/**
 * ns_resolver_retry:
 * @self: a resolver
 *
 * Makes all modules without symbols searchable again, also on servers that did not have them.
 */
void
ns_resolver_retry (NsResolver *self)
{
  go_on (self);
  ns_symbol_cache_forget_missing (self->cache, NULL);
  for (guint i = 0; i < ns_resolver_get_n_modules (self); i++)
    forget_result (get_module (self, i));
}

static void
forget_missing (NsResolver *self, const char *unsafe_name)
{
  g_autofree char *name = unsafe_name != NULL ? ns_symbol_safe_name (unsafe_name) : NULL;

  if (name != NULL)
    ns_symbol_cache_forget_missing (self->cache, name);
}

/**
 * ns_resolver_retry_module:
 * @self: a resolver
 * @module: number of a module
 *
 * Starts another search for one module in the thread pool, also on servers that did not have it and
 * after ns_resolver_cancel().
 *
 * Returns: %FALSE if its symbols are found or being searched for
 */
gboolean
ns_resolver_retry_module (NsResolver *self, guint module)
{
  NsResolverModule *found = get_module (self, module);

  if (!forget_result (found))
    return FALSE;
  go_on (self);
  forget_missing (self, found->pdb);
  forget_missing (self, found->module);
  ns_resolver_request (self, module);
  return TRUE;
}

/**
 * ns_resolver_get_info:
 * @self: a resolver
 * @module: number of a module
 * @info: (out): a copy of its state
 */
void
ns_resolver_get_info (NsResolver *self, guint module, NsModuleInfo *info)
{
  NsResolverModule *found = get_module (self, module);

  g_mutex_lock (&found->lock);
  *info = found->info;
  info->reason = g_strdup (found->info.reason);
  info->file = g_strdup (found->info.file);
  g_mutex_unlock (&found->lock);
}

/**
 * ns_module_info_clear:
 * @info: a copy of a module's state
 *
 * Frees its strings.
 */
void
ns_module_info_clear (NsModuleInfo *info)
{
  g_clear_pointer (&info->reason, g_free);
  g_clear_pointer (&info->file, g_free);
}

/**
 * ns_module_state_to_text:
 * @state: a state
 *
 * Returns: (transfer none): name of the state in machine-readable output
 */
const char *
ns_module_state_to_text (NsModuleState state)
{
  switch (state)
    {
    case NS_MODULE_SEARCHING:
      return "searching";
    case NS_MODULE_DOWNLOADING:
      return "downloading";
    case NS_MODULE_FOUND:
      return "found";
    case NS_MODULE_NOT_FOUND:
      return "not found";
    case NS_MODULE_NO_MATCH:
      return "no match";
    case NS_MODULE_NO_IDENTITY:
      return "no identity";
    case NS_MODULE_REFUSED:
      return "refused";
    case NS_MODULE_FAILED:
      return "failed";
    case NS_MODULE_WAITING:
    default:
      return "waiting";
    }
}

static guint
lookup_export (NsPe *image, guint32 rva, NsPdbFrame *frame)
{
  memset (frame, 0, sizeof *frame);
  frame->symbol = ns_pe_lookup (image, rva, &frame->offset);
  frame->kind = NS_PDB_FRAME_EXPORT;
  return frame->symbol != NULL ? 1 : 0;
}

/**
 * ns_resolver_lookup:
 * @self: a resolver
 * @module: number of a module whose search has ended
 * @rva: address relative to the image base
 * @is_return: whether it is a return address; then the call before it is looked up
 * @frames: (out caller-allocates) (array length=max_frames): functions at the address, innermost
 *   first
 * @max_frames: capacity of @frames
 *
 * Strings live as long as the resolver. Offsets count up to @rva itself, also for return addresses.
 *
 * Returns: number of frames; 0: nothing is known of the address
 */
guint
ns_resolver_lookup (NsResolver *self,
                    guint module,
                    guint32 rva,
                    gboolean is_return,
                    NsPdbFrame *frames,
                    guint max_frames)
{
  NsResolverModule *found = get_module (self, module);
  guint32 before = is_return && rva > 0 ? 1 : 0;
  guint n_frames = 0;
  NsPdb *symbols;
  NsPe *image;

  g_mutex_lock (&found->lock);
  symbols = found->symbols;
  image = found->image;
  g_mutex_unlock (&found->lock);
  /* A lookup may read the file, so it holds a lock of its own and ns_resolver_get_info() does not
   * wait. */
  g_mutex_lock (&found->naming);
  if (symbols != NULL)
    {
      guint n_damaged;

      n_frames = ns_pdb_lookup (symbols, rva - before, frames, max_frames);
      n_damaged = ns_pdb_get_n_damaged (symbols);
      g_mutex_lock (&found->lock);
      found->info.n_damaged = n_damaged;
      g_mutex_unlock (&found->lock);
    }
  else if (image != NULL)
    n_frames = lookup_export (image, rva - before, frames);
  g_mutex_unlock (&found->naming);
  for (guint i = 0; i < n_frames; i++)
    frames[i].offset += before;
  return n_frames;
}
