/* Resolves the frames of a trace in the background and reports them in batches.
 *
 * A request never waits: known names are returned at once. The others are searched for by the
 * threads of the resolver, looked up by one thread of this job, and reported with one signal for
 * many.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "base/ns-meanwhile.h"
#include "engine/activities/ns-chain-images.h"
#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-methods.h"
#include "engine/trace/ns-namer.h"
#include "model/ns-symbol-job-private.h"
#include "model/ns-symbol-settings.h"

#include <glib/gi18n.h>
#include <string.h>

/* Time for which new names are collected before the signal is emitted. */
#define BATCH_MS 100
#define NO_MODULE G_MAXUINT
#define INLINED_SEPARATOR " > "

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsSymbolJob, ns_symbol_job, G_TYPE_OBJECT)

guint64
ns_symbol_job_wanted_of (guint32 rva, gboolean is_return)
{
  return (guint64) rva << 1 | (is_return ? 1 : 0);
}

char *
ns_symbol_job_key_of (guint module, guint64 wanted)
{
  return g_strdup_printf ("%u:%" G_GINT64_MODIFIER "x", module, wanted);
}

static gboolean
batch_cb (gpointer data)
{
  NsSymbolJob *self = data;

  g_mutex_lock (&self->lock);
  self->batch_id = 0;
  g_mutex_unlock (&self->lock);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* Schedules the signal; requires the lock. */
void
ns_symbol_job_queue_batch (NsSymbolJob *self)
{
  if (self->batch_id == 0 && self->pool != NULL)
    /* Hold a reference: a worker may drop the last one when its trace is freed. */
    self->batch_id = g_timeout_add_full (G_PRIORITY_DEFAULT,
                                         BATCH_MS,
                                         batch_cb,
                                         g_object_ref (self),
                                         g_object_unref);
}

/* Creates a name; texts from symbol files may be invalid UTF-8. */
static NsSymbolName *
name_new (const char *text, guint32 offset, const char *file, guint32 line, const char *inlined)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *valid_file = file != NULL ? g_utf8_make_valid (file, -1) : g_strdup ("");
  gsize n_text = strlen (valid) + 1;
  gsize n_file = strlen (valid_file) + 1;
  NsSymbolName *name = g_malloc (sizeof (NsSymbolName) + n_text + n_file);

  name->offset = offset;
  name->line = file != NULL ? line : 0;
  name->file = n_text;
  memcpy (name->text, valid, n_text);
  memcpy (name->text + n_text, valid_file, n_file);
  name->inlined = inlined != NULL ? g_utf8_make_valid (inlined, -1) : NULL;
  return name;
}

static void
name_free (gpointer data)
{
  g_free (((NsSymbolName *) data)->inlined);
  g_free (data);
}

static NsSymbolName *
name_nothing (void)
{
  return name_new ("", 0, NULL, 0, NULL);
}

static NsSymbolName *
name_address (NsResolver *resolver, guint module, guint64 wanted)
{
  NsPdbFrame frames[NS_RESOLVER_MAX_LEVELS];
  guint n_frames = ns_resolver_lookup (resolver,
                                       module,
                                       (guint32) (wanted >> 1),
                                       (wanted & 1) != 0,
                                       frames,
                                       G_N_ELEMENTS (frames));
  g_autoptr (GString) inlined = g_string_new (NULL);
  const NsPdbFrame *frame;

  if (n_frames == 0)
    return name_nothing ();
  for (guint i = n_frames - 1; i > 0; i--)
    g_string_append_printf (inlined,
                            "%s%s",
                            inlined->len > 0 ? INLINED_SEPARATOR : "",
                            frames[i - 1].symbol);
  frame = &frames[n_frames - 1];
  return name_new (frame->symbol,
                   (guint32) frame->offset,
                   frame->file,
                   frame->line,
                   inlined->len > 0 ? inlined->str : NULL);
}

static int
compare_wanted (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *) a;
  guint64 right = *(const guint64 *) b;

  return (left > right) - (left < right);
}

/* Resolves the requested addresses of a module whose search has ended; runs in the job's thread. */
static void
work (gpointer data, gpointer user_data)
{
  NsSymbolJob *self = user_data;
  guint module = GPOINTER_TO_UINT (data) - 1;
  g_auto (NsModuleInfo) info = { 0 };
  GArray *wanted;
  guint i;

  ns_resolver_get_info (self->resolver, module, &info);
  if (info.state == NS_MODULE_WAITING || info.state == NS_MODULE_SEARCHING ||
      info.state == NS_MODULE_DOWNLOADING)
    return;
  g_mutex_lock (&self->lock);
  wanted = g_array_index (self->modules, NsSymbolWanted, module).wanted;
  g_array_index (self->modules, NsSymbolWanted, module).wanted =
      g_array_new (FALSE, FALSE, sizeof (guint64));
  g_mutex_unlock (&self->lock);
  /* In ascending order, so that each part of the file is read once. */
  g_array_sort (wanted, compare_wanted);
  for (i = 0; i < wanted->len && !g_atomic_int_get (&self->is_stopping); i++)
    {
      guint64 one = g_array_index (wanted, guint64, i);
      NsSymbolName *name = info.state == NS_MODULE_FOUND
                               ? name_address (self->resolver, module, one)
                               : name_nothing ();

      g_mutex_lock (&self->lock);
      self->n_named += *name->text != '\0' ? 1 : 0;
      self->n_open--;
      g_hash_table_replace (self->names, ns_symbol_job_key_of (module, one), name);
      g_mutex_unlock (&self->lock);
    }
  g_mutex_lock (&self->lock);
  /* The signal for the end of the search may have been emitted before this. */
  if (wanted->len > 0)
    ns_symbol_job_queue_batch (self);
  if (self->n_open == 0)
    g_cond_broadcast (&self->settled);
  g_mutex_unlock (&self->lock);
  g_array_unref (wanted);
}

/* Handles a state change of a module; in any thread. */
static void
state_changed_cb (NsResolver *resolver, guint module, gpointer user_data)
{
  NsSymbolJob *self = user_data;

  g_mutex_lock (&self->lock);
  if (self->pool != NULL)
    {
      g_thread_pool_push (self->pool, GUINT_TO_POINTER (module + 1), NULL);
      ns_symbol_job_queue_batch (self);
    }
  g_mutex_unlock (&self->lock);
}

/* Stops all threads; names are kept. */
static void
stop_threads (NsSymbolJob *self)
{
  GThreadPool *pool;

  g_mutex_lock (&self->lock);
  pool = g_steal_pointer (&self->pool);
  g_mutex_unlock (&self->lock);
  g_atomic_int_set (&self->is_stopping, TRUE);
  if (self->resolver != NULL)
    ns_resolver_cancel (self->resolver);
  if (pool != NULL)
    g_thread_pool_free (pool, TRUE, TRUE);
  g_atomic_int_set (&self->is_stopping, FALSE);
  if (self->resolver != NULL)
    ns_resolver_stop (self->resolver);
  g_clear_handle_id (&self->batch_id, g_source_remove);
}

/* Data from before a reconfiguration. */
typedef struct
{
  NsResolver *resolver;
  GHashTable *names;
} Old;

static gpointer
throw_away (gpointer data)
{
  Old *old = data;

  ns_resolver_free (old->resolver);
  g_hash_table_unref (old->names);
  g_free (old);
  return NULL;
}

static GHashTable *
names_new (void)
{
  return g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, name_free);
}

static void
clear_module (gpointer data)
{
  g_array_unref (((NsSymbolWanted *) data)->wanted);
}

/**
 * ns_symbol_job_configure:
 * @self: a job
 *
 * Starts again with the current settings; the names have to be requested again.
 */
void
ns_symbol_job_configure (NsSymbolJob *self)
{
  NsResolverOptions options;
  NsSymbolSettings *settings = ns_view_context_dup_symbols (self->trace->view);
  g_autofree char *path = ns_symbol_settings_dup_path (settings, &options);
  Old *old = g_new0 (Old, 1);

  stop_threads (self);
  self->is_online = options.allow_network;
  self->is_cached_only = options.cached_only;
  g_clear_pointer (&self->settings, ns_symbol_settings_unref);
  self->settings = settings;
  g_rw_lock_writer_lock (&self->resolver_lock);
  g_mutex_lock (&self->lock);
  old->resolver = g_steal_pointer (&self->resolver);
  old->names = self->names;
  self->names = names_new ();
  g_array_set_size (self->modules, 0);
  ns_map_free (self->by_image);
  self->by_image = ns_map_new ();
  self->n_asked = 0;
  self->n_named = 0;
  self->n_open = 0;
  g_cond_broadcast (&self->settled);
  self->pool = g_thread_pool_new (work, self, 1, FALSE, NULL);
  g_mutex_unlock (&self->lock);
  self->resolver = ns_resolver_new (&options);
  ns_resolver_set_func (self->resolver, state_changed_cb, self);
  g_rw_lock_writer_unlock (&self->resolver_lock);
  /* Freeing a hundred thousand names and two hundred files takes a while. */
  ns_meanwhile_leave ("old symbols", throw_away, old);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Returns the module of an image, created if needed; requires the lock. */
static guint
ensure_module (NsSymbolJob *self, NsRow row)
{
  guint32 known = ns_map_get (self->by_image, row, 0);
  const NsImageRow *image = NS_ROW_AT (self->trace->images, NsImageRow, row);
  NsSymbolId id = {
    .guid = image->guid,
    .age = image->age,
    .has_guid = image->has_guid,
    .timestamp = image->timestamp,
    .image_size = image->size <= G_MAXUINT32 ? (guint32) image->size : 0,
  };
  guint module;

  if (known != 0)
    return known - 1;
  if (image->name != NS_STRING_NONE)
    id.module = ns_trace_text (self->trace, image->name);
  if (image->pdb != NS_STRING_NONE)
    id.pdb = ns_trace_text (self->trace, image->pdb);
  module = ns_resolver_add (self->resolver, &id);
  ns_map_set (self->by_image, row, 0, module + 1);
  while (self->modules->len <= module)
    {
      NsSymbolWanted fresh = { row, g_array_new (FALSE, FALSE, sizeof (guint64)) };

      g_array_append_val (self->modules, fresh);
    }
  return module;
}

/* Returns the name of an address if it is known, and requests it otherwise. Can be called from any
 * thread. */
static gboolean
find_name (NsSymbolJob *self,
           NsRow row,
           guint64 rva,
           gboolean is_return,
           GString *text,
           guint32 *offset,
           char **inlined)
{
  guint64 wanted = ns_symbol_job_wanted_of ((guint32) rva, is_return);
  g_autofree char *key = NULL;
  const NsSymbolName *name;
  NsEmbeddedLabel embedded;
  gboolean is_named;
  guint module;

  if (rva > G_MAXUINT32)
    return FALSE;
  if (ns_trace_find_embedded_label (self->trace, row, rva, is_return, &embedded))
    {
      g_string_append (text, embedded.symbol);
      *offset = embedded.offset;
      if (inlined != NULL)
        *inlined = g_strdup (embedded.inlined);
      return TRUE;
    }
  g_rw_lock_reader_lock (&self->resolver_lock);
  if (self->resolver == NULL)
    {
      g_rw_lock_reader_unlock (&self->resolver_lock);
      return FALSE;
    }
  g_mutex_lock (&self->lock);
  module = ensure_module (self, row);
  key = ns_symbol_job_key_of (module, wanted);
  name = g_hash_table_lookup (self->names, key);
  is_named = name != NULL && *name->text != '\0';
  if (is_named)
    {
      g_string_append (text, name->text);
      *offset = name->offset;
      if (inlined != NULL)
        *inlined = g_strdup (name->inlined);
    }
  if (name == NULL && self->pool != NULL)
    {
      /* The empty name prevents a second request. */
      g_hash_table_insert (self->names, g_steal_pointer (&key), name_nothing ());
      g_array_append_val (g_array_index (self->modules, NsSymbolWanted, module).wanted, wanted);
      self->n_asked++;
      self->n_open++;
      g_thread_pool_push (self->pool, GUINT_TO_POINTER (module + 1), NULL);
      ns_symbol_job_queue_batch (self);
    }
  g_mutex_unlock (&self->lock);
  if (name == NULL)
    ns_resolver_request (self->resolver, module);
  g_rw_lock_reader_unlock (&self->resolver_lock);
  return is_named;
}

/* The trace may outlive the job. */
static gboolean
namer_cb (NsRow image,
          guint64 rva,
          gboolean is_return,
          GString *name,
          guint32 *offset,
          gpointer user_data)
{
  g_autoptr (NsSymbolJob) self = g_weak_ref_get (user_data);

  return self != NULL && find_name (self, image, rva, is_return, name, offset, NULL);
}

static void
weak_ref_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
resolve_names (NsSymbolJob *self)
{
  GWeakRef *ref = g_new0 (GWeakRef, 1);

  g_weak_ref_init (ref, self);
  ns_trace_set_namer (self->trace, namer_cb, ref, weak_ref_free);
}

/**
 * ns_symbol_job_name_frame:
 * @self: a job
 * @pid: process of the stack
 * @address: address of the frame
 * @time_ns: time of the stack
 * @is_return: whether it is a return address: all but the newest frame
 * @is_named: (out): whether a function is known
 *
 * Never waits. Unknown names are requested; #NsSymbolJob::changed is emitted when they may be
 * known.
 *
 * Functions that were inlined at the address are appended. Methods that were compiled at run time
 * have their names in the trace.
 *
 * Returns: (transfer full): module and function, or module and offset
 */
char *
ns_symbol_job_name_frame (NsSymbolJob *self,
                          guint32 pid,
                          guint64 address,
                          gint64 time_ns,
                          gboolean is_return,
                          gboolean *is_named)
{
  const NsMethodRow *method =
      ns_methods_find (self->trace, pid, address - (is_return ? 1 : 0), time_ns);
  NsRow row = method == NULL ? ns_trace_find_image (self->trace, pid, address, time_ns) : 0;
  const NsImageRow *image = row != 0 ? NS_ROW_AT (self->trace->images, NsImageRow, row) : NULL;
  g_autofree char *inlined = NULL;
  GString *text;
  guint32 offset;

  *is_named = method != NULL;
  if (method != NULL)
    {
      text = g_string_new (NULL);
      ns_method_append_text (method, self->trace, address, text);
      return g_string_free (text, FALSE);
    }
  if (image == NULL)
    return ns_trace_frame_to_text (self->trace, pid, address, time_ns);
  text =
      g_string_new (image->name != NS_STRING_NONE ? ns_trace_text (self->trace, image->name) : "?");
  g_string_append_c (text, '!');
  *is_named = find_name (self, row, address - image->base, is_return, text, &offset, &inlined);
  if (!*is_named)
    {
      g_string_free (text, TRUE);
      return ns_trace_frame_to_text (self->trace, pid, address, time_ns);
    }
  if (offset != 0)
    g_string_append_printf (text, "+0x%x", offset);
  if (inlined != NULL)
    /* Translators: after a function, those that the compiler put into it at this place. */
    g_string_append_printf (text, _ (" (inlined: %s)"), inlined);
  return g_string_free (text, FALSE);
}

/* Formats a source location with the last part of the path, which usually is a Windows path. */
static char *
place_to_text (const char *file, guint32 line)
{
  const char *at;

  for (at = file; *at != '\0'; at++)
    if (*at == '\\' || *at == '/')
      file = at + 1;
  return g_strdup_printf ("%s:%u", file, line);
}

/**
 * ns_symbol_job_dup_source:
 * @self: a job
 * @pid: process of the stack
 * @address: address of the frame
 * @time_ns: time of the stack
 * @is_return: whether it is a return address
 *
 * Returns: (transfer full) (nullable): `file.cpp:12`, if it is known
 */
char *
ns_symbol_job_dup_source (NsSymbolJob *self,
                          guint32 pid,
                          guint64 address,
                          gint64 time_ns,
                          gboolean is_return)
{
  NsRow row = ns_trace_find_image (self->trace, pid, address, time_ns);
  g_autofree char *key = NULL;
  const NsSymbolName *name;
  NsEmbeddedLabel embedded;
  char *text = NULL;
  guint32 module;
  guint64 rva;

  if (row == 0)
    return NULL;
  rva = address - NS_ROW_AT (self->trace->images, NsImageRow, row)->base;
  if (ns_trace_find_embedded_label (self->trace, row, rva, is_return, &embedded))
    return embedded.line != 0 ? place_to_text (embedded.file, embedded.line) : NULL;
  g_mutex_lock (&self->lock);
  module = ns_map_get (self->by_image, row, 0);
  if (module != 0 && rva <= G_MAXUINT32)
    {
      key = ns_symbol_job_key_of (module - 1, ns_symbol_job_wanted_of ((guint32) rva, is_return));
      name = g_hash_table_lookup (self->names, key);
      if (name != NULL && name->line != 0)
        text = place_to_text (name->text + name->file, name->line);
    }
  g_mutex_unlock (&self->lock);
  return text;
}

static void
list_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, ns_chain_list_images (task_data), (GDestroyNotify) g_array_unref);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsSymbolJob *self = NS_SYMBOL_JOB (source);
  g_autoptr (GArray) images = g_task_propagate_pointer (G_TASK (result), NULL);
  guint i;

  for (i = 0; images != NULL && i < images->len; i++)
    {
      guint module;

      g_mutex_lock (&self->lock);
      module = ensure_module (self, g_array_index (images, NsChainImage, i).image);
      g_mutex_unlock (&self->lock);
      ns_resolver_request (self->resolver, module);
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/**
 * ns_symbol_job_request_all:
 * @self: a job
 *
 * Requests the symbols of all modules that occur in shown call stacks.
 */
void
ns_symbol_job_request_all (NsSymbolJob *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, listed_cb, NULL);

  g_task_set_source_tag (task, ns_symbol_job_request_all);
  g_task_set_task_data (task, ns_trace_ref (self->trace), (GDestroyNotify) ns_trace_unref);
  g_task_run_in_thread (task, list_worker);
}

/**
 * ns_symbol_job_retry:
 * @self: a job
 *
 * Searches again for symbols that were not found.
 */
void
ns_symbol_job_retry (NsSymbolJob *self)
{
  ns_symbol_job_configure (self);
  ns_resolver_retry (self->resolver);
  ns_symbol_job_request_all (self);
}

/**
 * ns_symbol_job_stop:
 * @self: a job
 *
 * Cancels the search; ns_symbol_job_retry() continues it.
 */
void
ns_symbol_job_stop (NsSymbolJob *self)
{
  ns_resolver_cancel (self->resolver);
}

/**
 * ns_symbol_job_is_online:
 * @self: a job
 *
 * Returns: whether symbol servers may be used
 */
gboolean
ns_symbol_job_is_online (NsSymbolJob *self)
{
  return self->is_online;
}

/**
 * ns_symbol_job_is_cached_only:
 * @self: a job
 *
 * Returns: whether only symbols in the cache are used
 */
gboolean
ns_symbol_job_is_cached_only (NsSymbolJob *self)
{
  return self->is_cached_only;
}

/**
 * ns_symbol_job_count:
 * @self: a job
 * @n_named: (out): number of resolved addresses
 * @n_asked: (out): number of requested addresses
 */
void
ns_symbol_job_count (NsSymbolJob *self, guint *n_named, guint *n_asked)
{
  g_mutex_lock (&self->lock);
  *n_named = self->n_named;
  *n_asked = self->n_asked;
  g_mutex_unlock (&self->lock);
}

/* Stops the threads before finalization, because they schedule signals until they have ended. */
static void
ns_symbol_job_dispose (GObject *object)
{
  stop_threads (NS_SYMBOL_JOB (object));
  G_OBJECT_CLASS (ns_symbol_job_parent_class)->dispose (object);
}

static void
ns_symbol_job_finalize (GObject *object)
{
  NsSymbolJob *self = NS_SYMBOL_JOB (object);

  ns_resolver_free (self->resolver);
  g_hash_table_unref (self->names);
  g_array_unref (self->modules);
  ns_map_free (self->by_image);
  g_clear_pointer (&self->settings, ns_symbol_settings_unref);
  g_clear_pointer (&self->trace, ns_trace_unref);
  g_cond_clear (&self->settled);
  g_mutex_clear (&self->lock);
  g_rw_lock_clear (&self->resolver_lock);
  G_OBJECT_CLASS (ns_symbol_job_parent_class)->finalize (object);
}

static void
ns_symbol_job_class_init (NsSymbolJobClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_symbol_job_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_symbol_job_finalize;

  /**
   * NsSymbolJob::changed:
   * @self: the job
   *
   * Emitted once for several changes of names or of module states.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          NS_TYPE_SYMBOL_JOB,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
}

static void
ns_symbol_job_init (NsSymbolJob *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->settled);
  g_rw_lock_init (&self->resolver_lock);
  self->by_image = ns_map_new ();
  self->modules = g_array_new (FALSE, FALSE, sizeof (NsSymbolWanted));
  g_array_set_clear_func (self->modules, clear_module);
  self->names = names_new ();
}

/**
 * ns_symbol_job_get_for_session:
 * @session: a session
 *
 * Returns: (transfer none): the job of @session, which owns it
 */
NsSymbolJob *
ns_symbol_job_get_for_session (NsSession *session)
{
  NsSymbolJob *self = g_object_get_data (G_OBJECT (session), "ns-symbol-job");

  if (self != NULL)
    return self;
  self = g_object_new (NS_TYPE_SYMBOL_JOB, NULL);
  self->trace = ns_trace_ref (ns_session_get_trace (session));
  resolve_names (self);
  ns_symbol_job_configure (self);
  g_object_set_data_full (G_OBJECT (session), "ns-symbol-job", self, g_object_unref);
  return self;
}
