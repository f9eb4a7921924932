/* Loads a trace in a thread, with progress and cancellation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-trace-loader.h"

#include "base/ns-meanwhile.h"
#include "model/ns-fetched.h"
#include "model/ns-log-clocks.h"

#include <glib/gstdio.h>

/* Minimum interval between progress notifications. */
#define NS_LOADER_NEWS_US (G_USEC_PER_SEC / 10)
/* The first part of a file is shown while the rest is read, then a part that is larger by
 * NS_LOADER_GROWTH, as long as it is small compared to the file (by NS_LOADER_LITTLE). Smaller
 * files are read at once. */
#define NS_LOADER_FIRST_BYTES (1 << 20)
#define NS_LOADER_GROWTH 8
#define NS_LOADER_LITTLE 4

struct _NsTraceLoader
{
  GObject parent_instance;

  GFile *file;
  char **beside;       /* paths of files to read as one trace with it; NULL for none */
  char *offsets;       /* of logs, in the format of NsTraceOptions; NULL to use the stored ones */
  char *time_columns;  /* likewise */
  NsViewContext *view; /* NULL for the defaults */
  guint64 max_bytes;   /* 0 for all */
  double fraction;
  gboolean is_fetching;
  gint64 modified_us; /* set by the thread, valid after it has ended */
  guint64 n_bytes;    /* likewise */
};

enum
{
  SIGNAL_BEGINNING,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_FILE,
  PROP_FRACTION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsTraceLoader, ns_trace_loader, G_TYPE_OBJECT)

/* Data of the worker; owns no state of the loader. */
typedef struct
{
  GTask *task; /* borrowed; outlives the worker */
  gint64 last_news_us;
  gboolean is_fetching;
} Worker;

typedef struct
{
  NsTraceLoader *loader;
  double fraction;
  gboolean is_fetching;
} Progress;

static void
progress_free (gpointer data)
{
  Progress *progress = data;

  g_object_unref (progress->loader);
  g_free (progress);
}

/* A part of the trace on its way to the main thread. */
typedef struct
{
  GTask *task;
  NsTrace *trace;
} Beginning;

static void
beginning_free (gpointer data)
{
  Beginning *beginning = data;

  g_object_unref (beginning->task);
  ns_trace_unref (beginning->trace);
  g_free (beginning);
}

static gboolean
beginning_arrived_cb (gpointer data)
{
  Beginning *beginning = data;

  if (!g_cancellable_is_cancelled (g_task_get_cancellable (beginning->task)))
    g_signal_emit (g_task_get_source_object (beginning->task),
                   signals[SIGNAL_BEGINNING],
                   0,
                   beginning->trace);
  return G_SOURCE_REMOVE;
}

static gboolean
progress_arrived_cb (gpointer data)
{
  Progress *progress = data;

  progress->loader->fraction = progress->fraction;
  progress->loader->is_fetching = progress->is_fetching;
  g_object_notify_by_pspec (G_OBJECT (progress->loader), properties[PROP_FRACTION]);
  return G_SOURCE_REMOVE;
}

static gboolean
worker_progress (double fraction, gpointer user_data)
{
  Worker *worker = user_data;
  gint64 now_us = g_get_monotonic_time ();
  Progress *progress;

  if (g_cancellable_is_cancelled (g_task_get_cancellable (worker->task)))
    return FALSE;
  if (now_us - worker->last_news_us < NS_LOADER_NEWS_US)
    return TRUE;
  worker->last_news_us = now_us;
  progress = g_new (Progress, 1);
  progress->loader = g_object_ref (g_task_get_source_object (worker->task));
  progress->fraction = CLAMP (fraction, 0, 1);
  progress->is_fetching = worker->is_fetching;
  g_main_context_invoke_full (g_task_get_context (worker->task),
                              G_PRIORITY_LOW,
                              progress_arrived_cb,
                              progress,
                              progress_free);
  return TRUE;
}

static gboolean
beginning_progress (double fraction, gpointer user_data)
{
  Worker *worker = user_data;

  return !g_cancellable_is_cancelled (g_task_get_cancellable (worker->task));
}

/* Loads and shows the first parts of a file. Not used for archives, which would be unpacked each
 * time. */
static void
send_beginnings (Worker *worker, const char *path, const NsTraceOptions *whole)
{
  NsTraceOptions options = *whole;
  g_auto (GStrv) members = NULL;
  guint64 n_bytes;
  GStatBuf about;

  if (g_stat (path, &about) != 0 || !S_ISREG (about.st_mode) ||
      (guint64) about.st_size < (guint64) NS_LOADER_FIRST_BYTES * NS_LOADER_LITTLE)
    return;
  members = ns_etl_file_list_members (path, NULL);
  if (members == NULL || members[0] != NULL)
    return;
  for (n_bytes = NS_LOADER_FIRST_BYTES;
       n_bytes * NS_LOADER_LITTLE <= (guint64) about.st_size && beginning_progress (0, worker);
       n_bytes *= NS_LOADER_GROWTH)
    {
      Beginning *beginning;
      NsTrace *trace;

      options.max_bytes = n_bytes;
      trace = ns_trace_open (path, &options, beginning_progress, worker, NULL);
      if (trace == NULL)
        return;
      beginning = g_new (Beginning, 1);
      beginning->task = g_object_ref (worker->task);
      beginning->trace = trace;
      g_main_context_invoke_full (g_task_get_context (worker->task),
                                  G_PRIORITY_DEFAULT,
                                  beginning_arrived_cb,
                                  beginning,
                                  beginning_free);
    }
}

/* Returns the path; a file without a local path is copied first, to @fetched. */
static const char *
get_path (GTask *task, Worker *worker, NsFetched **fetched, GError **error)
{
  const char *path = g_task_get_task_data (task);

  if (path != NULL)
    return path;
  worker->is_fetching = TRUE;
  *fetched = ns_fetched_new (NS_TRACE_LOADER (g_task_get_source_object (task))->file,
                             worker_progress,
                             worker,
                             g_task_get_cancellable (task),
                             error);
  worker->is_fetching = FALSE;
  /* Report the start of the loading at once. */
  worker->last_news_us = 0;
  return *fetched != NULL ? ns_fetched_get_path (*fetched) : NULL;
}

/* Queries the size and the modification time of the file; 0 if not known. */
static void
look_at_file (NsTraceLoader *self)
{
  g_autoptr (GFileInfo) info =
      g_file_query_info (self->file,
                         G_FILE_ATTRIBUTE_STANDARD_SIZE "," NS_TRACE_LOADER_TIME_ATTRIBUTES,
                         G_FILE_QUERY_INFO_NONE,
                         NULL,
                         NULL);

  self->modified_us = info != NULL ? ns_trace_loader_time_of (info) : 0;
  self->n_bytes = info != NULL ? (guint64) MAX (g_file_info_get_size (info), 0) : 0;
}

/* Loads the trace again if clock corrections are stored for it, which are known only after the
 * first load. @trace: (transfer full): the first load. */
static NsTrace *
open_corrected (NsTrace *trace,
                const char *path,
                NsTraceOptions *options,
                Worker *worker,
                GError **error)
{
  g_autofree char *offsets = ns_log_clocks_find_inputs (trace, options->offsets);

  if (offsets == NULL)
    return trace;
  ns_trace_unref (trace);
  options->offsets = offsets;
  trace = ns_trace_open (path, options, worker_progress, worker, error);
  options->offsets = NULL;
  return trace;
}

static gpointer
load (gpointer data)
{
  GTask *task = data;
  NsTraceLoader *self = g_task_get_source_object (task);
  NsTraceOptions options = { .want_events = TRUE, .want_moves = TRUE };
  Worker worker = { task, g_get_monotonic_time (), FALSE };
  g_autoptr (NsFetched) fetched = NULL;
  GError *error = NULL;
  const char *path = get_path (task, &worker, &fetched, &error);
  NsTrace *trace = NULL;

  options.max_bytes = self->max_bytes;
  options.beside = (const char *const *) self->beside;
  options.offsets = self->offsets;
  options.time_columns = self->time_columns;
  options.view = self->view;
  options.ask_logs = ns_log_clocks_ask;
  /* Before reading: data written from now on may be missing. */
  look_at_file (self);
  if (path != NULL && options.max_bytes == 0 && self->beside == NULL)
    send_beginnings (&worker, path, &options);
  if (path != NULL)
    trace = ns_trace_open (path, &options, worker_progress, &worker, &error);
  if (trace != NULL && options.max_bytes == 0)
    trace = open_corrected (trace, path, &options, &worker, &error);
  /* A cancelled task has returned already; a second error would leak. */
  if (!g_task_set_return_on_cancel (task, FALSE))
    {
      g_clear_pointer (&trace, ns_trace_unref);
      g_clear_error (&error);
    }
  else if (trace == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, trace, (GDestroyNotify) ns_trace_unref);
  return NULL;
}

/* Uses a separate thread, because the priority of a task thread cannot be raised again. */
static void
load_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  ns_meanwhile_do_behind ("ns-load", load, task);
}

static void
ns_trace_loader_dispose (GObject *object)
{
  g_clear_object (&NS_TRACE_LOADER (object)->file);
  g_clear_pointer (&NS_TRACE_LOADER (object)->beside, g_strfreev);
  g_clear_pointer (&NS_TRACE_LOADER (object)->offsets, g_free);
  g_clear_pointer (&NS_TRACE_LOADER (object)->time_columns, g_free);
  g_clear_pointer (&NS_TRACE_LOADER (object)->view, ns_view_context_unref);
  G_OBJECT_CLASS (ns_trace_loader_parent_class)->dispose (object);
}

static void
ns_trace_loader_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  NsTraceLoader *self = NS_TRACE_LOADER (object);

  switch (prop_id)
    {
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    case PROP_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
ns_trace_loader_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  NsTraceLoader *self = NS_TRACE_LOADER (object);

  switch (prop_id)
    {
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
ns_trace_loader_class_init (NsTraceLoaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_trace_loader_dispose;
  object_class->get_property = ns_trace_loader_get_property;
  object_class->set_property = ns_trace_loader_set_property;
  properties[PROP_FILE] =
      g_param_spec_object ("file",
                           NULL,
                           NULL,
                           G_TYPE_FILE,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_FRACTION] = g_param_spec_double ("fraction",
                                                   NULL,
                                                   NULL,
                                                   0,
                                                   1,
                                                   0,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * NsTraceLoader::beginning:
   * @self: the loader
   * @trace: (type gpointer): the part of the file that was loaded so far
   *
   * Emitted when a part can be shown while the rest is read.
   */
  signals[SIGNAL_BEGINNING] = g_signal_new ("beginning",
                                            NS_TYPE_TRACE_LOADER,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            1,
                                            G_TYPE_POINTER);
}

static void
ns_trace_loader_init (NsTraceLoader *self)
{
}

/**
 * ns_trace_loader_new:
 * @file: the trace, or a container with a trace
 *
 * Returns: (transfer full): a loader that is not started
 */
NsTraceLoader *
ns_trace_loader_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (NS_TYPE_TRACE_LOADER, "file", file, NULL);
}

/**
 * ns_trace_loader_get_fraction:
 * @self: a loader
 *
 * Returns: the progress, 0 to 1
 */
double
ns_trace_loader_get_fraction (NsTraceLoader *self)
{
  g_return_val_if_fail (NS_IS_TRACE_LOADER (self), 0);

  return self->fraction;
}

/**
 * ns_trace_loader_is_fetching:
 * @self: a loader
 *
 * Returns: whether ns_trace_loader_get_fraction() is the progress of copying a remote file
 */
gboolean
ns_trace_loader_is_fetching (NsTraceLoader *self)
{
  g_return_val_if_fail (NS_IS_TRACE_LOADER (self), FALSE);

  return self->is_fetching;
}

/**
 * ns_trace_loader_get_modified:
 * @self: a loader that has ended
 *
 * Returns: modification time of its file before it was read, µs since 1970; 0 if not known
 */
gint64
ns_trace_loader_get_modified (NsTraceLoader *self)
{
  g_return_val_if_fail (NS_IS_TRACE_LOADER (self), 0);

  return self->modified_us;
}

/**
 * ns_trace_loader_get_size:
 * @self: a loader that has ended
 *
 * Returns: size of its file before it was read, in bytes; 0 if not known
 */
guint64
ns_trace_loader_get_size (NsTraceLoader *self)
{
  g_return_val_if_fail (NS_IS_TRACE_LOADER (self), 0);

  return self->n_bytes;
}

/**
 * ns_trace_loader_time_of:
 * @info: information about a file, with %NS_TRACE_LOADER_TIME_ATTRIBUTES
 *
 * Returns: its modification time, µs since 1970
 */
gint64
ns_trace_loader_time_of (GFileInfo *info)
{
  g_return_val_if_fail (G_IS_FILE_INFO (info), 0);

  return (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) *
             G_USEC_PER_SEC +
         g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
}

/**
 * ns_trace_loader_set_max_bytes:
 * @self: a loader that is not started
 * @max_bytes: read only whole buffers up to this offset, for a file that is still being written
 */
void
ns_trace_loader_set_max_bytes (NsTraceLoader *self, guint64 max_bytes)
{
  g_return_if_fail (NS_IS_TRACE_LOADER (self));

  self->max_bytes = max_bytes;
}

/**
 * ns_trace_loader_set_beside:
 * @self: a loader that is not started
 * @files: (element-type GFile): files to read as one trace with its file; those without a local
 *   path are ignored
 */
void
ns_trace_loader_set_beside (NsTraceLoader *self, const GPtrArray *files)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  guint i;

  g_return_if_fail (NS_IS_TRACE_LOADER (self));

  for (i = 0; i < files->len; i++)
    {
      char *path = g_file_get_path (g_ptr_array_index (files, i));

      if (path != NULL)
        g_ptr_array_add (paths, path);
    }
  g_clear_pointer (&self->beside, g_strfreev);
  if (paths->len == 0)
    return;
  g_ptr_array_add (paths, NULL);
  self->beside = (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

/**
 * ns_trace_loader_set_log_clocks:
 * @self: a loader that is not started
 * @offsets: (nullable): in the format of #NsTraceOptions
 * @time_columns: (nullable): likewise
 *
 * Overrides the time settings that are stored with the view of the trace.
 */
void
ns_trace_loader_set_log_clocks (NsTraceLoader *self, const char *offsets, const char *time_columns)
{
  g_return_if_fail (NS_IS_TRACE_LOADER (self));

  g_free (self->offsets);
  g_free (self->time_columns);
  self->offsets = g_strdup (offsets);
  self->time_columns = g_strdup (time_columns);
}

/**
 * ns_trace_loader_set_view:
 * @self: a loader that is not started
 * @view: settings for reading the trace
 */
void
ns_trace_loader_set_view (NsTraceLoader *self, NsViewContext *view)
{
  g_return_if_fail (NS_IS_TRACE_LOADER (self));

  g_clear_pointer (&self->view, ns_view_context_unref);
  self->view = ns_view_context_ref (view);
}

/**
 * ns_trace_loader_load_async:
 * @self: a loader
 * @cancellable: (nullable): cancels the load
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Opens, reads and correlates the trace in a thread. A file without a local path, such as one on a
 * server, is copied first. When cancelled, @callback is called at once, while the thread may still
 * be running.
 */
void
ns_trace_loader_load_async (NsTraceLoader *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *path = NULL;

  g_return_if_fail (NS_IS_TRACE_LOADER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ns_trace_loader_load_async);
  path = g_file_get_path (self->file);
  g_task_set_task_data (task, g_steal_pointer (&path), g_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, load_worker);
}

/**
 * ns_trace_loader_load_finish:
 * @self: a loader
 * @result: passed to the callback
 * @error: %NS_TRACE_ERROR, or %G_IO_ERROR
 *
 * Returns: (transfer full) (nullable): the trace
 */
NsTrace *
ns_trace_loader_load_finish (NsTraceLoader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
