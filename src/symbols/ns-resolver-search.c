/* Searches the symbol path for the symbols of one module.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"
#include "base/ns-meanwhile.h"
#include "symbols/ns-resolver-private.h"
#include "symbols/ns-symbol-cabinet.h"
#include "symbols/ns-symbol-store.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES (64u << 10)

/* A search in progress. */
typedef struct
{
  NsResolverModule *module;
  NsResolver *resolver;
  NsResolverResult *result;
  const char *name; /* file name, checked by ns_symbol_safe_name() */
  const char *key;  /* (nullable): folder name of the build in stores */
  gboolean want_image;
  char *limit; /* (nullable) (owned): the limit that a matching image exceeds */
} Search;

/* Returns the rank of a failure: the most specific one is reported. */
static guint
weigh (NsModuleState state)
{
  switch (state)
    {
    case NS_MODULE_NO_MATCH:
      return 5;
    case NS_MODULE_FAILED:
      return 4;
    case NS_MODULE_REFUSED:
      return 3;
    case NS_MODULE_NO_IDENTITY:
      return 2;
    case NS_MODULE_NOT_FOUND:
      return 1;
    case NS_MODULE_WAITING:
    case NS_MODULE_SEARCHING:
    case NS_MODULE_DOWNLOADING:
    case NS_MODULE_FOUND:
    default:
      return 0;
    }
}

static void
note (Search *self, NsModuleState state, const char *reason)
{
  NsResolverResult *result = self->result;

  if (weigh (state) <= weigh (result->state))
    return;
  result->state = state;
  g_free (result->reason);
  result->reason = g_strdup (reason);
}

static void
note_error (Search *self, const GError *error)
{
  if (g_error_matches (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_NOT_FOUND))
    note (self, NS_MODULE_NOT_FOUND, error->message);
  else if (g_error_matches (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_MISMATCH))
    note (self, NS_MODULE_NO_MATCH, error->message);
  else if (g_error_matches (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_REFUSED))
    note (self, NS_MODULE_REFUSED, error->message);
  else
    note (self, NS_MODULE_FAILED, error->message);
  if (self->want_image && self->limit == NULL &&
      g_error_matches (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_LIMIT))
    self->limit = g_strdup (error->message);
}

static gboolean
set_mismatch (GError **error, const char *path)
{
  g_set_error (error,
               NS_SYMBOL_ERROR,
               NS_SYMBOL_ERROR_MISMATCH,
               _ ("%s belongs to another build"),
               path);
  return FALSE;
}

/* Opens @path and checks that it is of the build in the trace. */
static gboolean
verify (Search *self, const char *path, GError **error)
{
  const NsSymbolId *id = &self->module->id;

  if (self->want_image)
    {
      g_autoptr (NsPe) image = ns_pe_open (path, error);

      if (image == NULL)
        return FALSE;
      if (!ns_pe_matches (image, id->timestamp, id->image_size))
        return set_mismatch (error, path);
      if (!ns_pe_read_names (image, error))
        {
          g_prefix_error (error, _ ("cannot read %s: "), path);
          return FALSE;
        }
      g_clear_pointer (&self->result->image, ns_pe_free);
      self->result->image = g_steal_pointer (&image);
    }
  else
    {
      g_autoptr (NsPdb) symbols = ns_pdb_open (path, error);

      if (symbols == NULL)
        return FALSE;
      if (!ns_pdb_matches (symbols, &id->guid, id->age))
        return set_mismatch (error, path);
      g_clear_pointer (&self->result->symbols, ns_pdb_free);
      self->result->symbols = g_steal_pointer (&symbols);
    }
  return TRUE;
}

static gboolean
finish (Search *self, char *file)
{
  self->result->state = NS_MODULE_FOUND;
  g_free (self->result->file);
  self->result->file = file;
  g_clear_pointer (&self->result->reason, g_free);
  return TRUE;
}

/* Creates a temporary file in @folder, or in the cache if that is not writable; then @folder
 * becomes %NULL. */
static int
begin (Search *self, const char **folder, char **part, GError **error)
{
  int fd = ns_symbol_cache_begin (self->resolver->cache, *folder, part, NULL);

  if (fd >= 0)
    return fd;
  *folder = NULL;
  return ns_symbol_cache_begin (self->resolver->cache, NULL, part, error);
}

/* Moves a temporary file to its place after verification; @folder %NULL: our cache. */
static gboolean
commit_file (Search *self, const char *folder, const char *part, GError **error)
{
  NsSymbolCache *cache = self->resolver->cache;
  char *path = NULL;

  if (verify (self, part, error))
    path = ns_symbol_cache_commit (cache, folder, part, self->name, self->key, error);
  if (path == NULL)
    {
      ns_symbol_cache_abort (cache, part);
      return FALSE;
    }
  return finish (self, path);
}

/* Expands a cabinet into our cache or @folder, and uses the file. */
static gboolean
use_cabinet (Search *self, const char *folder, const char *path, GError **error)
{
  g_autofree char *part = NULL;
  int fd = begin (self, &folder, &part, error);
  gboolean is_expanded;

  if (fd < 0)
    return FALSE;
  is_expanded = ns_symbol_cabinet_expand (path, fd, self->module->cancellable, error);
  close (fd);
  if (!is_expanded)
    {
      g_prefix_error (error, "%s: ", path);
      ns_symbol_cache_abort (self->resolver->cache, part);
      return FALSE;
    }
  return commit_file (self, folder, part, error);
}

static gboolean
copy_bytes (int from, int to, GCancellable *cancellable)
{
  g_autofree guint8 *block = g_malloc (COPY_BYTES);
  ssize_t n = 1;

  while (!g_cancellable_is_cancelled (cancellable) && (n = read (from, block, COPY_BYTES)) > 0)
    if (!ns_fd_write_all (to, block, (gsize) n))
      return FALSE;
  return n == 0;
}

/* Copies a file from a later store of the entry to the first; failures are ignored. */
static void
scroll_near (Search *self, const char *folder, const char *path)
{
  NsSymbolCache *cache = self->resolver->cache;
  g_autofree char *part = NULL;
  int from = open (path, O_RDONLY | O_CLOEXEC);
  int to = from >= 0 ? ns_symbol_cache_begin (cache, folder, &part, NULL) : -1;
  gboolean is_copied = to >= 0 && copy_bytes (from, to, self->module->cancellable);

  if (from >= 0)
    close (from);
  if (to < 0)
    return;
  close (to);
  if (is_copied)
    g_free (ns_symbol_cache_commit (cache, folder, part, self->name, self->key, NULL));
  else
    ns_symbol_cache_abort (cache, part);
}

/* Returns the folder that gets copies, the first of the entry; %NULL: our cache. */
static const char *
get_nearest (const NsSymbolEntry *entry)
{
  const NsSymbolPlace *place = entry->places->len > 0 ? g_ptr_array_index (entry->places, 0) : NULL;

  return !entry->is_flat && place != NULL && place->kind == NS_SYMBOL_PLACE_FOLDER ? place->text
                                                                                   : NULL;
}

static gboolean
try_candidate (Search *self,
               const NsSymbolEntry *entry,
               guint number,
               const NsSymbolCandidate *candidate,
               GError **error)
{
  const char *nearest = get_nearest (entry);

  if (candidate->is_compressed && self->key != NULL)
    return use_cabinet (self, nearest, candidate->path, error);
  if (!verify (self, candidate->path, error))
    return FALSE;
  finish (self, g_strdup (candidate->path));
  if (number > 0 && !entry->is_flat && self->key != NULL)
    scroll_near (self, nearest, candidate->path);
  return TRUE;
}

/* Runs the parsing of files at low priority in a thread of its own if the search asks for it. A
 * thread cannot raise its priority again without privileges, and network requests and callbacks
 * start shared threads that would inherit it, so neither runs there. */
static void
do_work (const Search *self, GThreadFunc func, gpointer data)
{
  if (self->module->yields)
    ns_meanwhile_do_behind ("symbols", func, data);
  else
    func (data);
}

static gboolean
search_folder_now (Search *self, const NsSymbolEntry *entry, guint number, const char *folder)
{
  g_autofree char *refused = NULL;
  g_autoptr (GPtrArray) candidates = ns_symbol_store_find (folder,
                                                           self->name,
                                                           self->key,
                                                           self->module->module,
                                                           entry->is_flat,
                                                           &refused);

  if (refused != NULL)
    {
      g_autofree char *reason =
          g_strdup_printf (_ ("the store refers to %s, which is outside the store"), refused);

      note (self, NS_MODULE_REFUSED, reason);
    }
  for (guint i = 0; i < candidates->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (g_cancellable_is_cancelled (self->module->cancellable))
        return FALSE;
      if (try_candidate (self, entry, number, g_ptr_array_index (candidates, i), &error))
        return TRUE;
      note_error (self, error);
    }
  return FALSE;
}

/* Arguments of a search in a folder, or of the use of a fetched file. */
typedef struct
{
  Search *search;
  const NsSymbolEntry *entry;
  guint number;
  const char *folder;
  const char *part;
  gboolean is_compressed;
  GError *error;
  gboolean is_found;
} Work;

static gpointer
search_folder_cb (gpointer data)
{
  Work *work = data;

  work->is_found = search_folder_now (work->search, work->entry, work->number, work->folder);
  return NULL;
}

static gboolean
search_folder (Search *self, const NsSymbolEntry *entry, guint number, const char *folder)
{
  Work work = { .search = self, .entry = entry, .number = number, .folder = folder };

  do_work (self, search_folder_cb, &work);
  return work.is_found;
}

static gpointer
use_fetched_cb (gpointer data)
{
  Work *work = data;

  if (work->is_compressed)
    {
      work->is_found = use_cabinet (work->search, work->folder, work->part, &work->error);
      ns_symbol_cache_abort (work->search->resolver->cache, work->part);
    }
  else
    work->is_found = commit_file (work->search, work->folder, work->part, &work->error);
  return NULL;
}

/* Arguments of the progress callback of a fetch. */
typedef struct
{
  NsResolverModule *module;
  const char *server;
} Fetching;

static void
progress_cb (guint64 n_done, guint64 n_total, gpointer user_data)
{
  const Fetching *fetching = user_data;

  ns_resolver_note_progress (fetching->module,
                             NS_MODULE_DOWNLOADING,
                             fetching->server,
                             n_done,
                             n_total);
}

static gboolean
fetch (Search *self, const NsSymbolEntry *entry, const char *server, GError **error)
{
  NsResolver *resolver = self->resolver;
  const char *nearest = get_nearest (entry);
  g_autofree char *part = NULL;
  Fetching fetching = { self->module, server };
  NsSymbolFetch wanted = {
    .server = server,
    .name = self->name,
    .key = self->key,
    .max_bytes = resolver->max_download_bytes,
    .progress = progress_cb,
    .user_data = &fetching,
    .cancellable = self->module->cancellable,
  };
  gboolean is_fetched;

  wanted.fd = begin (self, &nearest, &part, error);
  if (wanted.fd < 0)
    return FALSE;
  /* From here on the module shows as downloading, even before the first byte. */
  progress_cb (0, 0, &fetching);
  is_fetched = ns_symbol_servers_fetch (resolver->servers, &wanted, error);
  if (!is_fetched)
    ns_resolver_note_progress (self->module, NS_MODULE_SEARCHING, NULL, 0, 0);
  fsync (wanted.fd);
  close (wanted.fd);
  if (is_fetched)
    {
      Work work = { .search = self,
                    .folder = nearest,
                    .part = part,
                    .is_compressed = wanted.is_compressed };

      do_work (self, use_fetched_cb, &work);
      if (work.error != NULL)
        g_propagate_error (error, work.error);
      return work.is_found;
    }
  ns_symbol_cache_abort (resolver->cache, part);
  return FALSE;
}

static gboolean
search_server (Search *self, const NsSymbolEntry *entry, const char *server)
{
  NsResolver *resolver = self->resolver;
  g_autoptr (GError) error = NULL;

  if (self->key == NULL)
    return FALSE;
  if (!resolver->allow_network)
    {
      note (self,
            NS_MODULE_REFUSED,
            _ ("servers are not contacted: network access is not allowed"));
      return FALSE;
    }
  if (ns_symbol_cache_is_missing (resolver->cache, server, self->name, self->key))
    {
      note (self, NS_MODULE_NOT_FOUND, _ ("the server did not have it when last contacted"));
      return FALSE;
    }
  if (fetch (self, entry, server, &error))
    return TRUE;
  if (g_error_matches (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_NOT_FOUND))
    ns_symbol_cache_set_missing (resolver->cache, server, self->name, self->key);
  note_error (self, error);
  return FALSE;
}

static gboolean
search_entry (Search *self, const NsSymbolEntry *entry)
{
  for (guint i = 0; i < entry->places->len; i++)
    {
      const NsSymbolPlace *place = g_ptr_array_index (entry->places, i);

      if (g_cancellable_is_cancelled (self->module->cancellable))
        return FALSE;
      if (place->kind == NS_SYMBOL_PLACE_SERVER)
        {
          if (search_server (self, entry, place->text))
            return TRUE;
        }
      else if (search_folder (self,
                              entry,
                              i,
                              place->kind == NS_SYMBOL_PLACE_CACHE
                                  ? ns_symbol_cache_get_folder (self->resolver->cache)
                                  : place->text))
        return TRUE;
    }
  return FALSE;
}

static gboolean
search_path (Search *self)
{
  const NsSymbolPath *path = self->resolver->path;

  for (guint i = 0; i < path->entries->len; i++)
    if (search_entry (self, g_ptr_array_index (path->entries, i)))
      return TRUE;
  return FALSE;
}

static gboolean
search_symbols (NsResolverModule *module, NsResolverResult *result)
{
  g_autofree char *name = NULL;
  char key[NS_SYMBOL_KEY_SIZE];
  Search search = { module, module->resolver, result, NULL, key, FALSE, NULL };

  if (!module->id.has_guid || ns_guid_is_zero (&module->id.guid) || module->pdb == NULL)
    {
      note (&search, NS_MODULE_NO_IDENTITY, _ ("no debug ID in the trace (not merged)"));
      return FALSE;
    }
  name = ns_symbol_safe_name (module->pdb);
  if (name == NULL)
    {
      note (&search, NS_MODULE_REFUSED, _ ("the name of its PDB is not a safe file name"));
      return FALSE;
    }
  search.name = name;
  ns_symbol_pdb_key (&module->id.guid, module->id.age, key);
  return search_path (&search);
}

/* Searches for the image itself, to use its exports. */
static gboolean
search_image (NsResolverModule *module, NsResolverResult *result)
{
  g_autofree char *name = module->module != NULL ? ns_symbol_safe_name (module->module) : NULL;
  char key[NS_SYMBOL_KEY_SIZE];
  NsResolverResult own = { 0 };
  Search search = { module, module->resolver, &own, name, key, TRUE, NULL };
  Search symbols = { module, module->resolver, result, name, key, FALSE, NULL };
  gboolean is_found;

  if (name == NULL || module->id.timestamp == 0)
    return FALSE;
  if (module->id.image_size != 0)
    ns_symbol_image_key (module->id.timestamp, module->id.image_size, key);
  else
    search.key = NULL;
  is_found = search_path (&search);
  /* The reason for missing symbols is reported rather than that for a missing image, except if the
   * matching image exceeds a limit. */
  if (!is_found && search.limit != NULL)
    note (&symbols, NS_MODULE_FAILED, search.limit);
  g_free (search.limit);
  if (!is_found)
    {
      g_free (own.reason);
      return FALSE;
    }
  result->image = own.image;
  result->file = own.file;
  result->state = NS_MODULE_FOUND;
  g_free (result->reason);
  result->reason = g_strdup (_ ("exports of the image only"));
  return TRUE;
}

/**
 * ns_resolver_search:
 * @module: a module that no other thread searches for
 * @result: (out): the symbols or image, or the reason why there are none
 *
 * Searches all entries of the symbol path, for symbols first, then for the image.
 */
void
ns_resolver_search (NsResolverModule *module, NsResolverResult *result)
{
  memset (result, 0, sizeof *result);
  result->state = NS_MODULE_SEARCHING;
  if (module->resolver->path->entries->len == 0 && module->id.has_guid)
    {
      result->state = NS_MODULE_WAITING;
      result->reason = g_strdup (_ ("there is no symbol path"));
      return;
    }
  if (search_symbols (module, result) || search_image (module, result))
    return;
  if (g_cancellable_is_cancelled (module->cancellable))
    {
      result->state = NS_MODULE_WAITING;
      g_free (result->reason);
      result->reason = g_strdup (_ ("stopped"));
    }
  else if (result->state == NS_MODULE_SEARCHING)
    {
      result->state = NS_MODULE_NOT_FOUND;
      result->reason =
          g_strdup (module->resolver->cached_only
                        ? _ ("not in the symbol cache, and only cached symbols are used")
                        : _ ("not found in the symbol path"));
    }
}

void
ns_resolver_report (NsResolverModule *module)
{
  NsResolver *self = module->resolver;

  if (self->func != NULL)
    self->func (self, module->index, self->func_data);
}

/* Updates the state during a search; @server is the server in use, if any. */
void
ns_resolver_note_progress (NsResolverModule *module,
                           NsModuleState state,
                           const char *server,
                           guint64 n_done,
                           guint64 n_total)
{
  g_mutex_lock (&module->lock);
  module->info.state = state;
  if (g_strcmp0 (module->info.reason, server) != 0)
    {
      g_free (module->info.reason);
      module->info.reason = g_strdup (server);
    }
  module->info.n_done = n_done;
  module->info.n_total = n_total;
  g_mutex_unlock (&module->lock);
  ns_resolver_report (module);
}
