/* Follows a trace that is still being written: watches its file and reloads it when it has grown.
 *
 * Correlation needs the whole trace, so each reload starts from the beginning, in a low-priority
 * thread. The next reload follows as soon as the findings are computed and the window has had time
 * for its user. A trace that is not visible is being loaded at most a fifth of the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-follower.h"

#include "model/ns-sched-job.h"
#include "model/ns-session-findings.h"
#include "model/ns-signal.h"
#include "model/ns-trace-loader.h"

/* Interval for polling the file size, for shares that report no changes. */
#define FOLLOW_EVERY_MS 400
/* Minimum pause after a reload: FOLLOW_ROOM times the time it took to show it, at least
 * FOLLOW_ROOM_US. */
#define FOLLOW_ROOM 3
#define FOLLOW_ROOM_US 50000
/* Pause after a reload, as a multiple of its duration, while the trace is not visible or its
 * findings are being computed. */
#define FOLLOW_PAUSES 4
/* Delay before looking for data that was written during a reload. */
#define FOLLOW_SOON_MS 100
/* Rate limit of change notifications for the file. */
#define REPORT_EVERY_MS 200

struct _NsFollower
{
  GObject parent_instance;

  NsViewContext *view;
  NsSession *session;     /* (nullable) */
  GFileMonitor *monitor;  /* watches the file; (nullable) */
  GCancellable *watching; /* while the monitor is being created */
  gboolean can_follow;
  gboolean is_paused;
  gboolean is_unseen;
  guint look_id; /* 0 if the trace is not followed */
  guint soon_id;
  GCancellable *reading; /* running reload */
  guint64 size;          /* file size at the last load */
  gint64 modified_us;    /* modification time at the last load; 0: not known */
  gint64 began_us;
  gint64 ended_us; /* end of the last load, including the time to show it */
  gint64 took_us;
  gint64 room_us;
};

enum
{
  SIGNAL_GROWN,
  SIGNAL_COMPLETE,
  SIGNAL_FILE_CHANGED,
  SIGNAL_FILE_GONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_CAN_FOLLOW,
  PROP_FOLLOWING,
  PROP_PAUSED,
  PROP_UNSEEN,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsFollower, ns_follower, G_TYPE_OBJECT)

/* Returns whether the logger has not yet written the end time. */
static gboolean
is_unclosed (NsFollower *self)
{
  NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  const NsEtlHeader *header =
      trace != NULL && trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;

  return header != NULL && header->end_filetime == 0;
}

static void
stop_looking (NsFollower *self)
{
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_handle_id (&self->look_id, g_source_remove);
  g_clear_handle_id (&self->soon_id, g_source_remove);
}

static void
notify_state (NsFollower *self)
{
  GObject *object = G_OBJECT (self);

  g_object_freeze_notify (object);
  g_object_notify_by_pspec (object, properties[PROP_CAN_FOLLOW]);
  g_object_notify_by_pspec (object, properties[PROP_FOLLOWING]);
  g_object_notify_by_pspec (object, properties[PROP_PAUSED]);
  g_object_thaw_notify (object);
}

/* Returns whether a reload may start. It waits for the findings, which would otherwise never be
 * finished and shown. */
static gboolean
is_due (NsFollower *self)
{
  gint64 pause_us = self->room_us;
  gboolean is_bad;
  guint n_found;

  if (self->is_unseen || !ns_session_count_findings (self->session, &n_found, &is_bad))
    pause_us = MAX (pause_us, FOLLOW_PAUSES * self->took_us);
  return g_get_monotonic_time () >= self->ended_us + pause_us;
}

static void look (NsFollower *self);

static gboolean
soon_cb (gpointer data)
{
  NsFollower *self = data;

  self->soon_id = 0;
  look (self);
  return G_SOURCE_REMOVE;
}

static void
look_soon (NsFollower *self)
{
  if (self->look_id != 0 && self->soon_id == 0)
    self->soon_id = g_timeout_add (FOLLOW_SOON_MS, soon_cb, self);
}

static void
show_grown (NsFollower *self, NsTrace *trace)
{
  gint64 began_us = g_get_monotonic_time ();
  gint64 now_us;

  g_signal_emit (self, signals[SIGNAL_GROWN], 0, trace);
  now_us = g_get_monotonic_time ();
  self->room_us = MAX (FOLLOW_ROOM * (now_us - began_us), FOLLOW_ROOM_US);
  self->ended_us = now_us;
  look_soon (self);
}

/* Ends following if the trace is complete. The header is closed after the last buffers, so the size
 * may have been queried before those were written; the trace is complete if nothing was written
 * since. */
static void
end_if_complete (NsFollower *self)
{
  if (is_unclosed (self))
    return;
  ns_follower_stop (self);
  g_signal_emit (self, signals[SIGNAL_COMPLETE], 0);
}

static void
grown_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsFollower) self = data;
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);

  if (self->reading == NULL || g_task_get_cancellable (G_TASK (result)) != self->reading)
    {
      g_clear_pointer (&trace, ns_trace_unref);
      return;
    }
  g_clear_object (&self->reading);
  self->ended_us = g_get_monotonic_time ();
  self->took_us = self->ended_us - self->began_us;
  if (trace != NULL)
    {
      ns_sched_job_watch (trace);
      show_grown (self, trace);
      ns_trace_unref (trace);
    }
}

static void
read_grown (NsFollower *self, guint64 size)
{
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (ns_session_get_file (self->session));

  self->began_us = g_get_monotonic_time ();
  self->reading = g_cancellable_new ();
  ns_trace_loader_set_view (loader, self->view);
  /* A partially written buffer is left for the next load. */
  ns_trace_loader_set_max_bytes (loader, size);
  ns_trace_loader_load_async (loader, self->reading, grown_cb, g_object_ref (self));
}

static void
size_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsFollower) self = data;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);
  guint64 size;
  gint64 modified_us;

  if (info == NULL || self->look_id == 0 || self->reading != NULL ||
      !g_file_equal (G_FILE (source), ns_session_get_file (self->session)))
    return;
  size = (guint64) g_file_info_get_size (info);
  modified_us = ns_trace_loader_time_of (info);
  if (self->modified_us == 0)
    self->modified_us = modified_us;
  /* Closing the trace rewrites the header without growth. */
  if (size == self->size && modified_us == self->modified_us)
    {
      end_if_complete (self);
      return;
    }
  if (!is_due (self))
    {
      look_soon (self);
      return;
    }
  self->size = size;
  self->modified_us = modified_us;
  read_grown (self, size);
}

static void
look (NsFollower *self)
{
  if (self->reading != NULL)
    return;
  g_file_query_info_async (ns_session_get_file (self->session),
                           G_FILE_ATTRIBUTE_STANDARD_SIZE "," NS_TRACE_LOADER_TIME_ATTRIBUTES,
                           G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_LOW,
                           NULL,
                           size_cb,
                           g_object_ref (self));
}

static gboolean
look_cb (gpointer data)
{
  look (data);
  return G_SOURCE_CONTINUE;
}

/* Starts polling for data written after a load of @size bytes. */
static void
start_looking (NsFollower *self, guint64 size)
{
  self->size = size;
  self->ended_us = 0;
  self->took_us = 0;
  self->room_us = 0;
  self->look_id = g_timeout_add (FOLLOW_EVERY_MS, look_cb, self);
}

/* Stops watching the file. */
static void
stop_watching (NsFollower *self)
{
  g_cancellable_cancel (self->watching);
  g_clear_object (&self->watching);
  g_clear_object (&self->monitor);
}

static void
file_changed_cb (GFileMonitor *monitor,
                 GFile *file,
                 GFile *other,
                 GFileMonitorEvent event,
                 NsFollower *self)
{
  /* When following, growth is handled by a reload. */
  if (self->look_id != 0)
    look (self);
  else if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || event == G_FILE_MONITOR_EVENT_CREATED)
    g_signal_emit (self, signals[SIGNAL_FILE_CHANGED], 0);
  else if (event == G_FILE_MONITOR_EVENT_DELETED)
    g_signal_emit (self, signals[SIGNAL_FILE_GONE], 0);
}

/* Creates the monitor. Its events arrive in the main loop, because this thread has no main
 * context. */
static void
watch_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  GFileMonitor *monitor = g_file_monitor_file (task_data, G_FILE_MONITOR_NONE, NULL, &error);

  if (monitor != NULL)
    g_task_return_pointer (task, monitor, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
watched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsFollower *self = NS_FOLLOWER (source);
  GFileMonitor *monitor = g_task_propagate_pointer (G_TASK (result), NULL);

  /* Another file or a reload is shown by now, or the location cannot be watched. */
  if (monitor == NULL)
    return;
  g_clear_object (&self->watching);
  self->monitor = monitor;
  g_file_monitor_set_rate_limit (monitor, REPORT_EVERY_MS);
  g_signal_connect_object (monitor, "changed", G_CALLBACK (file_changed_cb), self, 0);
}

/* Creates the monitor in a thread: in a folder with many files that takes longer than a frame. */
static void
start_watching (NsFollower *self)
{
  GFile *file = ns_session_get_file (self->session);
  g_autoptr (GTask) task = NULL;

  if (file == NULL)
    return;
  self->watching = g_cancellable_new ();
  task = g_task_new (self, self->watching, watched_cb, NULL);
  g_task_set_source_tag (task, start_watching);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, watch_worker);
}

/**
 * ns_follower_set_session:
 * @self: a follower
 * @session: (nullable): the session whose file is watched; while a trace is followed or paused, the
 *   session of a reload
 */
void
ns_follower_set_session (NsFollower *self, NsSession *session)
{
  g_return_if_fail (NS_IS_FOLLOWER (self));

  stop_watching (self);
  if (session == NULL)
    ns_follower_stop (self);
  g_set_object (&self->session, session);
  if (session != NULL)
    start_watching (self);
}

/**
 * ns_follower_begin:
 * @self: a follower with a session
 * @n_bytes: size of its file when it was opened
 * @modified_us: modification time of the file, µs since 1970; 0 if not known
 *
 * Follows the trace if it is still being written and is a local file. Archive members and remote
 * files are not followed, since each reload would have to fetch the whole file.
 */
void
ns_follower_begin (NsFollower *self, guint64 n_bytes, gint64 modified_us)
{
  GFile *file;
  g_autofree char *path = NULL;

  g_return_if_fail (NS_IS_FOLLOWER (self));
  g_return_if_fail (self->session != NULL);

  ns_follower_stop (self);
  file = ns_session_get_file (self->session);
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path == NULL || !is_unclosed (self) ||
      ns_etl_file_get_size (ns_session_get_trace (self->session)->file) != n_bytes)
    return;
  self->can_follow = TRUE;
  self->modified_us = modified_us;
  start_looking (self, n_bytes);
  notify_state (self);
}

/**
 * ns_follower_stop:
 * @self: a follower
 *
 * Stops following; the file is still watched.
 */
void
ns_follower_stop (NsFollower *self)
{
  g_return_if_fail (NS_IS_FOLLOWER (self));

  stop_looking (self);
  self->can_follow = FALSE;
  self->is_paused = FALSE;
  notify_state (self);
}

/**
 * ns_follower_can_follow:
 * @self: a follower
 *
 * Returns: whether the trace is followed, or following is paused
 */
gboolean
ns_follower_can_follow (NsFollower *self)
{
  g_return_val_if_fail (NS_IS_FOLLOWER (self), FALSE);

  return self->can_follow;
}

/**
 * ns_follower_is_following:
 * @self: a follower
 *
 * Returns: whether new data is shown as it is written
 */
gboolean
ns_follower_is_following (NsFollower *self)
{
  g_return_val_if_fail (NS_IS_FOLLOWER (self), FALSE);

  return self->look_id != 0;
}

/**
 * ns_follower_is_paused:
 * @self: a follower
 *
 * Returns: whether following is paused
 */
gboolean
ns_follower_is_paused (NsFollower *self)
{
  g_return_val_if_fail (NS_IS_FOLLOWER (self), FALSE);

  return self->is_paused;
}

/**
 * ns_follower_set_paused:
 * @self: a follower
 * @is_paused: whether to pause following
 *
 * Does nothing unless a trace is followed. Data written during the pause is shown after it.
 */
void
ns_follower_set_paused (NsFollower *self, gboolean is_paused)
{
  g_return_if_fail (NS_IS_FOLLOWER (self));

  is_paused = is_paused != FALSE;
  if (!self->can_follow || self->is_paused == is_paused)
    return;
  self->is_paused = is_paused;
  if (is_paused)
    stop_looking (self);
  else
    start_looking (self, 0);
  notify_state (self);
}

/**
 * ns_follower_set_unseen:
 * @self: a follower
 * @is_unseen: whether the trace is not visible, so that it is reloaded less often
 */
void
ns_follower_set_unseen (NsFollower *self, gboolean is_unseen)
{
  g_return_if_fail (NS_IS_FOLLOWER (self));

  is_unseen = is_unseen != FALSE;
  if (self->is_unseen == is_unseen)
    return;
  self->is_unseen = is_unseen;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_UNSEEN]);
}

static void
ns_follower_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  NsFollower *self = NS_FOLLOWER (object);

  switch (id)
    {
    case PROP_CAN_FOLLOW:
      g_value_set_boolean (value, self->can_follow);
      break;
    case PROP_FOLLOWING:
      g_value_set_boolean (value, self->look_id != 0);
      break;
    case PROP_PAUSED:
      g_value_set_boolean (value, self->is_paused);
      break;
    case PROP_UNSEEN:
      g_value_set_boolean (value, self->is_unseen);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ns_follower_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PAUSED)
    ns_follower_set_paused (NS_FOLLOWER (object), g_value_get_boolean (value));
  else if (id == PROP_UNSEEN)
    ns_follower_set_unseen (NS_FOLLOWER (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_follower_dispose (GObject *object)
{
  NsFollower *self = NS_FOLLOWER (object);

  stop_looking (self);
  stop_watching (self);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_follower_parent_class)->dispose (object);
}

static void
ns_follower_finalize (GObject *object)
{
  g_clear_pointer (&NS_FOLLOWER (object)->view, ns_view_context_unref);
  G_OBJECT_CLASS (ns_follower_parent_class)->finalize (object);
}

static void
add_properties (GObjectClass *object_class)
{
  /**
   * NsFollower:can-follow:
   *
   * Whether the trace is followed, or following is paused.
   */
  properties[PROP_CAN_FOLLOW] = g_param_spec_boolean ("can-follow",
                                                      NULL,
                                                      NULL,
                                                      FALSE,
                                                      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * NsFollower:following:
   *
   * Whether new data is shown as it is written.
   */
  properties[PROP_FOLLOWING] = g_param_spec_boolean ("following",
                                                     NULL,
                                                     NULL,
                                                     FALSE,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * NsFollower:paused:
   *
   * Whether following is paused.
   */
  properties[PROP_PAUSED] =
      g_param_spec_boolean ("paused",
                            NULL,
                            NULL,
                            FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  /**
   * NsFollower:unseen:
   *
   * Whether the trace is not visible.
   */
  properties[PROP_UNSEEN] =
      g_param_spec_boolean ("unseen",
                            NULL,
                            NULL,
                            FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
add_signals (void)
{
  /**
   * NsFollower::grown:
   * @self: the follower
   * @trace: (type gpointer): the reloaded trace
   *
   * Emitted after a reload. The handler sets the new session on the follower; the pause before the
   * next reload depends on the time it took.
   */
  signals[SIGNAL_GROWN] = g_signal_new ("grown",
                                        NS_TYPE_FOLLOWER,
                                        G_SIGNAL_RUN_LAST,
                                        0,
                                        NULL,
                                        NULL,
                                        NULL,
                                        G_TYPE_NONE,
                                        1,
                                        G_TYPE_POINTER);
  /**
   * NsFollower::complete:
   * @self: the follower
   *
   * Emitted when the trace is closed and completely shown; following has ended.
   */
  signals[SIGNAL_COMPLETE] = ns_signal_new (NS_TYPE_FOLLOWER, "complete", G_TYPE_NONE, 0);
  /**
   * NsFollower::file-changed:
   * @self: the follower
   *
   * Emitted when a file that is not followed has changed since it was loaded.
   */
  signals[SIGNAL_FILE_CHANGED] = ns_signal_new (NS_TYPE_FOLLOWER, "file-changed", G_TYPE_NONE, 0);
  /**
   * NsFollower::file-gone:
   * @self: the follower
   *
   * Emitted when the file was deleted.
   */
  signals[SIGNAL_FILE_GONE] = ns_signal_new (NS_TYPE_FOLLOWER, "file-gone", G_TYPE_NONE, 0);
}

static void
ns_follower_class_init (NsFollowerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_follower_get_property;
  object_class->set_property = ns_follower_set_property;
  object_class->dispose = ns_follower_dispose;
  object_class->finalize = ns_follower_finalize;
  add_properties (object_class);
  add_signals ();
}

static void
ns_follower_init (NsFollower *self)
{
}

/**
 * ns_follower_new:
 * @view: settings for reading traces
 *
 * Returns: (transfer full): a follower without a session
 */
NsFollower *
ns_follower_new (NsViewContext *view)
{
  NsFollower *self = g_object_new (NS_TYPE_FOLLOWER, NULL);

  self->view = ns_view_context_ref (view);
  return self;
}
