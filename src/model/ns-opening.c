/* The opening of a trace: reading it once, part by part, and connecting to the place it lies at.
 *
 * One goes on at a time: who begins another is told nothing more of the one before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-opening.h"

#include "model/ns-signal.h"

struct _NsOpening
{
  GObject parent_instance;

  GCancellable *cancellable; /* of what goes on; NULL: nothing does */
  NsTraceLoader *loader;     /* (nullable) */
  gboolean has_part;         /* the first part of the trace was shown, and nothing more yet */
  gboolean was_mounted;      /* its place was connected to for this try */
  guint64 n_bytes;           /* of the file that was opened last; 0: not known */
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
tell_failure (NsOpening *self, const GError *error)
{
  gboolean was_mounted = self->was_mounted;

  /* A share of a server is connected to when something on it is opened, once for each try. */
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
        tell_failure (self, error);
    }
  g_clear_pointer (&trace, ns_trace_unref);
}

/**
 * ns_opening_begin:
 * @self: an opening
 * @loader: what reads a trace, and was not started
 *
 * Has it read. What went on before is stopped.
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

/* What connects to a place, and for which try. */
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

  /* Another file was asked for meanwhile. */
  if (self->cancellable != mount->cancellable)
    return;
  set_cancellable (self, NULL);
  if (is_there || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_ALREADY_MOUNTED))
    {
      self->was_mounted = TRUE;
      g_signal_emit (self, signals[SIGNAL_MOUNTED], 0);
    }
  /* Stopped, or the question for a name and a password was put away. */
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
 * @operation: asks the user for what is needed to connect
 *
 * Connects to the place that @file lies at.
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
 * Has what goes on stop soon.
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
 * Returns: whether something goes on
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
 * Returns: whether what goes on stops soon
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
 * Returns: whether the first part of the trace was given and not all of it, be it that more is read
 *   or that reading was stopped
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
   * @loader: what reads the trace, and knows how far it is
   */
  signals[SIGNAL_PROGRESS] =
      ns_signal_new (NS_TYPE_OPENING, "progress", G_TYPE_NONE, 1, NS_TYPE_TRACE_LOADER);
  /**
   * NsOpening::part:
   * @self: the opening
   * @trace: (type gpointer): a trace of the first part of the file; a later one tells more
   * @is_first: whether it is the first one
   */
  signals[SIGNAL_PART] =
      ns_signal_new (NS_TYPE_OPENING, "part", G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  /**
   * NsOpening::loaded:
   * @self: the opening
   * @trace: (type gpointer): all of it
   * @had_part: whether a part was given before
   * @modified_us: when the file had been written last, µs since 1970; 0: not known
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
   * It was cancelled.
   */
  signals[SIGNAL_STOPPED] = ns_signal_new (NS_TYPE_OPENING, "stopped", G_TYPE_NONE, 0);
  /**
   * NsOpening::failed:
   * @self: the opening
   * @error: why the trace could not be read
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
   * The file lies at a place that has to be connected to, by ns_opening_mount().
   */
  signals[SIGNAL_NOT_MOUNTED] = ns_signal_new (NS_TYPE_OPENING, "not-mounted", G_TYPE_NONE, 0);
  /**
   * NsOpening::mounted:
   * @self: the opening
   *
   * The place is connected to: the file can be read.
   */
  signals[SIGNAL_MOUNTED] = ns_signal_new (NS_TYPE_OPENING, "mounted", G_TYPE_NONE, 0);
  /**
   * NsOpening::mount-failed:
   * @self: the opening
   * @error: why the place could not be connected to
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
   * Whether something goes on.
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
 * Returns: (transfer full): an opening of nothing yet
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
 * Returns: the bytes of the file of the last trace, as it was about to be read; 0: not known
 */
guint64
ns_opening_get_size (NsOpening *self)
{
  g_return_val_if_fail (NS_IS_OPENING (self), 0);

  return self->n_bytes;
}
