/* Opens a trace: loads it in parts, and mounts its location if needed.
 *
 * Only one operation runs at a time; starting another one cancels it, and no more signals are
 * emitted for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-opening.h"

#include "model/ns-signal.h"

struct _NsOpening
{
  GObject parent_instance;

  GCancellable *cancellable; /* of the running operation; NULL if there is none */
  NsTraceLoader *loader;     /* (nullable) */
  gboolean has_part;         /* a part of the trace was shown, but not yet all of it */
  gboolean was_mounted;      /* the location was mounted for this attempt */
  guint64 n_bytes;           /* size of the last opened file; 0: not known */
};

enum
{
  SIGNAL_PROGRESS,
  SIGNAL_PART,
  SIGNAL_LOADED,
  SIGNAL_STOPPED,
  SIGNAL_NOT_MOUNTED,
  SIGNAL_MOUNTED,
  SIGNAL_MOUNT_FAILED,
  SIGNAL_FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_BUSY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsOpening, ns_opening, G_TYPE_OBJECT)

static void
set_cancellable (NsOpening *self, GCancellable *cancellable)
{
  gboolean was_busy = self->cancellable != NULL;

  g_set_object (&self->cancellable, cancellable);
  if (was_busy != (cancellable != NULL))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
drop_loader (NsOpening *self)
{
  if (self->loader != NULL)
    g_signal_handlers_disconnect_by_data (self->loader, self);
  g_clear_object (&self->loader);
}

static void
progress_cb (NsOpening *self)
{
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, self->loader);
}

static void
beginning_cb (NsOpening *self, NsTrace *trace)
{
  gboolean is_first = !self->has_part;

  self->has_part = TRUE;
  g_signal_emit (self, signals[SIGNAL_PART], 0, trace, is_first);
  progress_cb (self);
}

static void
report_failure (NsOpening *self, const GError *error)
{
  gboolean was_mounted = self->was_mounted;

  /* A share is mounted on demand, once per attempt. */
  self->was_mounted = FALSE;
  if (!was_mounted && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_MOUNTED))
    g_signal_emit (self, signals[SIGNAL_NOT_MOUNTED], 0);
  else
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsOpening) self = user_data;
  NsTraceLoader *loader = NS_TRACE_LOADER (source);
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_loader_load_finish (loader, result, &error);
  gboolean was_stopped = g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));
  gboolean had_part = self->has_part;

  if (loader == self->loader)
    {
      drop_loader (self);
      set_cancellable (self, NULL);
      if (trace != NULL)
        {
          self->has_part = FALSE;
          self->was_mounted = FALSE;
          self->n_bytes = ns_trace_loader_get_size (loader);
          g_signal_emit (self,
                         signals[SIGNAL_LOADED],
                         0,
                         trace,
                         had_part,
                         ns_trace_loader_get_modified (loader));
        }
      else if (was_stopped)
        g_signal_emit (self, signals[SIGNAL_STOPPED], 0);
      else
        report_failure (self, error);
    }
  g_clear_pointer (&trace, ns_trace_unref);
}

/**
 * ns_opening_begin:
 * @self: an opening
 * @loader: a loader that was not started
 *
 * Starts @loader and cancels the previous operation.
 */
void
ns_opening_begin (NsOpening *self, NsTraceLoader *loader)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_return_if_fail (NS_IS_OPENING (self));
  g_return_if_fail (NS_IS_TRACE_LOADER (loader));

  ns_opening_cancel (self);
  drop_loader (self);
  self->has_part = FALSE;
  self->loader = g_object_ref (loader);
  g_signal_connect_swapped (loader, "notify::fraction", G_CALLBACK (progress_cb), self);
  g_signal_connect_swapped (loader, "beginning", G_CALLBACK (beginning_cb), self);
  set_cancellable (self, cancellable);
  ns_trace_loader_load_async (loader, cancellable, loaded_cb, g_object_ref (self));
}

/* A mount operation and the attempt it belongs to. */
typedef struct
{
  NsOpening *opening;
  GCancellable *cancellable;
} Mount;

static void
mount_free (Mount *mount)
{
  g_object_unref (mount->opening);
  g_object_unref (mount->cancellable);
  g_free (mount);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Mount, mount_free)

static void
mounted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Mount) mount = user_data;
  NsOpening *self = mount->opening;
  g_autoptr (GError) error = NULL;
  gboolean is_there = g_file_mount_enclosing_volume_finish (G_FILE (source), result, &error);

  /* Another file was requested in the meantime. */
  if (self->cancellable != mount->cancellable)
    return;
  set_cancellable (self, NULL);
  if (is_there || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_ALREADY_MOUNTED))
    {
      self->was_mounted = TRUE;
      g_signal_emit (self, signals[SIGNAL_MOUNTED], 0);
    }
  /* Cancelled, or the password dialog was closed. */
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED_HANDLED))
    g_signal_emit (self, signals[SIGNAL_STOPPED], 0);
  else
    g_signal_emit (self, signals[SIGNAL_MOUNT_FAILED], 0, error);
}

/**
 * ns_opening_mount:
 * @self: an opening that is not busy
 * @file: a file
 * @operation: asks the user for credentials
 *
 * Mounts the location of @file.
 */
void
ns_opening_mount (NsOpening *self, GFile *file, GMountOperation *operation)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Mount *mount;

  g_return_if_fail (NS_IS_OPENING (self));
  g_return_if_fail (self->cancellable == NULL);

  set_cancellable (self, cancellable);
  mount = g_new (Mount, 1);
  mount->opening = g_object_ref (self);
  mount->cancellable = g_object_ref (cancellable);
  g_file_mount_enclosing_volume (file,
                                 G_MOUNT_MOUNT_NONE,
                                 operation,
                                 cancellable,
                                 mounted_cb,
                                 mount);
}

/**
 * ns_opening_cancel:
 * @self: an opening
 *
 * Cancels the running operation, which may take a moment.
 */
void
ns_opening_cancel (NsOpening *self)
{
  g_return_if_fail (NS_IS_OPENING (self));

  g_cancellable_cancel (self->cancellable);
}

/**
 * ns_opening_is_busy:
 * @self: an opening
 *
 * Returns: whether an operation is running
 */
gboolean
ns_opening_is_busy (NsOpening *self)
{
  g_return_val_if_fail (NS_IS_OPENING (self), FALSE);

  return self->cancellable != NULL;
}

/**
 * ns_opening_is_cancelled:
 * @self: an opening
 *
 * Returns: whether the running operation was cancelled and has not ended yet
 */
gboolean
ns_opening_is_cancelled (NsOpening *self)
{
  g_return_val_if_fail (NS_IS_OPENING (self), FALSE);

  return self->cancellable != NULL && g_cancellable_is_cancelled (self->cancellable);
}

/**
 * ns_opening_has_part:
 * @self: an opening
 *
 * Returns: whether only a part of the trace was provided, because loading continues or was
 *   cancelled
 */
gboolean
ns_opening_has_part (NsOpening *self)
{
  g_return_val_if_fail (NS_IS_OPENING (self), FALSE);

  return self->has_part;
}

static void
ns_opening_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, NS_OPENING (object)->cancellable != NULL);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_opening_dispose (GObject *object)
{
  NsOpening *self = NS_OPENING (object);

  drop_loader (self);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (ns_opening_parent_class)->dispose (object);
}

static void
add_signals_of_reading (void)
{
  /**
   * NsOpening::progress:
   * @self: the opening
   * @loader: the loader of the trace
   *
   * Emitted when the progress of @loader has changed.
   */
  signals[SIGNAL_PROGRESS] =
      ns_signal_new (NS_TYPE_OPENING, "progress", G_TYPE_NONE, 1, NS_TYPE_TRACE_LOADER);
  /**
   * NsOpening::part:
   * @self: the opening
   * @trace: (type gpointer): the part of the trace that was loaded so far
   * @is_first: whether it is the first part
   *
   * Emitted when a part of the file is loaded.
   */
  signals[SIGNAL_PART] =
      ns_signal_new (NS_TYPE_OPENING, "part", G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  /**
   * NsOpening::loaded:
   * @self: the opening
   * @trace: (type gpointer): the complete trace
   * @had_part: whether a part was provided before
   * @modified_us: modification time of the file, µs since 1970; 0 if not known
   *
   * Emitted when the file is loaded completely.
   */
  signals[SIGNAL_LOADED] = ns_signal_new (NS_TYPE_OPENING,
                                          "loaded",
                                          G_TYPE_NONE,
                                          3,
                                          G_TYPE_POINTER,
                                          G_TYPE_BOOLEAN,
                                          G_TYPE_INT64);
  /**
   * NsOpening::stopped:
   * @self: the opening
   *
   * Emitted after the operation was cancelled.
   */
  signals[SIGNAL_STOPPED] = ns_signal_new (NS_TYPE_OPENING, "stopped", G_TYPE_NONE, 0);
  /**
   * NsOpening::failed:
   * @self: the opening
   * @error: why the trace could not be loaded
   *
   * Emitted when loading failed.
   */
  signals[SIGNAL_FAILED] = ns_signal_new (NS_TYPE_OPENING, "failed", G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
add_signals_of_mounting (void)
{
  /**
   * NsOpening::not-mounted:
   * @self: the opening
   *
   * Emitted when the location of the file has to be mounted with ns_opening_mount().
   */
  signals[SIGNAL_NOT_MOUNTED] = ns_signal_new (NS_TYPE_OPENING, "not-mounted", G_TYPE_NONE, 0);
  /**
   * NsOpening::mounted:
   * @self: the opening
   *
   * Emitted when the location is mounted, so that the file can be opened.
   */
  signals[SIGNAL_MOUNTED] = ns_signal_new (NS_TYPE_OPENING, "mounted", G_TYPE_NONE, 0);
  /**
   * NsOpening::mount-failed:
   * @self: the opening
   * @error: why the location could not be mounted
   *
   * Emitted when mounting failed.
   */
  signals[SIGNAL_MOUNT_FAILED] =
      ns_signal_new (NS_TYPE_OPENING, "mount-failed", G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
ns_opening_class_init (NsOpeningClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_opening_get_property;
  object_class->dispose = ns_opening_dispose;
  /**
   * NsOpening:busy:
   *
   * Whether an operation is running.
   */
  properties[PROP_BUSY] =
      g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  add_signals_of_reading ();
  add_signals_of_mounting ();
}

static void
ns_opening_init (NsOpening *self)
{
}

/**
 * ns_opening_new:
 *
 * Returns: (transfer full): an idle opening
 */
NsOpening *
ns_opening_new (void)
{
  return g_object_new (NS_TYPE_OPENING, NULL);
}

/**
 * ns_opening_get_size:
 * @self: an opening
 *
 * Returns: size of the last opened file before it was loaded, in bytes; 0 if not known
 */
guint64
ns_opening_get_size (NsOpening *self)
{
  g_return_val_if_fail (NS_IS_OPENING (self), 0);

  return self->n_bytes;
}
