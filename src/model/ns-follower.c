/* A trace that is still being written: its file is watched, and read again when it has grown.
 *
 * Correlation looks at the whole trace, so each time the file has grown it is read again from its
 * beginning, in a thread that gives way to all else. What comes meanwhile is there after the next
 * reading, which follows as soon as the findings are known and who shows it has had time for its
 * user. What nobody can see is read a fifth of the time at most.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-follower.h"

#include "model/ns-sched-job.h"
#include "model/ns-session-findings.h"
#include "model/ns-signal.h"
#include "model/ns-trace-loader.h"

/* How often the file is asked for its size; also on shares that tell nothing of changes. */
#define FOLLOW_EVERY_MS 400
/* The user has the window for so many times as long as it took to show what was read, at least. */
#define FOLLOW_ROOM 3
#define FOLLOW_ROOM_US 50000
/* Unseen, and at most while findings are looked for, it pauses so many times as long as it took. */
#define FOLLOW_PAUSES 4
/* What came while it was read is looked for so soon: it may be the last for a while. */
#define FOLLOW_SOON_MS 100
/* How often it is told of a file that changes all the time. */
#define TOLD_EVERY_MS 200

struct _NsFollower
{
  GObject parent_instance;

  NsViewContext *view;
  NsSession *session;     /* (nullable) */
  GFileMonitor *monitor;  /* of its file; (nullable) */
  GCancellable *watching; /* while it is made */
  gboolean can_follow;
  gboolean is_paused;
  gboolean is_unseen;
  guint look_id; /* 0: it is not followed */
  guint soon_id;
  GCancellable *reading; /* a reading of the file that has grown */
  guint64 size;          /* as it was read last */
  gint64 modified_us;    /* likewise; 0: not known */
  gint64 began_us;
  gint64 ended_us; /* the last reading, and what was shown of it */
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

/* Whether the logger has not written yet when it ended. */
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

/* Findings of a reading that is replaced would be looked for again and again, and never shown. */
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

/* The header of a trace is closed behind its last buffers: who saw it closed may have asked for the
 * size of the file before those came. It is complete when nothing has come since. */
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
  /* A buffer that is being written is left for the next time. */
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
  /* The header is written once more when the trace is closed, without any growth. */
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

/* Begins to look for what was written since a reading of so many bytes. */
static void
start_looking (NsFollower *self, guint64 size)
{
  self->size = size;
  self->ended_us = 0;
  self->took_us = 0;
  self->room_us = 0;
  self->look_id = g_timeout_add (FOLLOW_EVERY_MS, look_cb, self);
}

/* Lets the file be. */
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
  /* Growth is followed. */
  if (self->look_id != 0)
    look (self);
  else if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || event == G_FILE_MONITOR_EVENT_CREATED)
    g_signal_emit (self, signals[SIGNAL_FILE_CHANGED], 0);
  else if (event == G_FILE_MONITOR_EVENT_DELETED)
    g_signal_emit (self, signals[SIGNAL_FILE_GONE], 0);
}

/* Its events come to the main loop: this thread has none of its own. */
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

  /* Another file is shown by now, or the same one anew; or files there cannot be watched. */
  if (monitor == NULL)
    return;
  g_clear_object (&self->watching);
  self->monitor = monitor;
  g_file_monitor_set_rate_limit (monitor, TOLD_EVERY_MS);
  g_signal_connect_object (monitor, "changed", G_CALLBACK (file_changed_cb), self, 0);
}

/* To begin with that takes longer than a frame in a folder of many files. */
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
 * @session: (nullable): whose file is watched from now on; while a trace is followed, or that is
 *   paused, a later reading of it
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
 * @n_bytes: the size of its file when it was opened
 * @modified_us: when the file had been written last, µs since 1970; 0: not known
 *
 * Follows the trace, if it is still being written and no member of an archive. One that is fetched
 * would have to be fetched whole each time.
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
 * Follows nothing any more; the file is still watched.
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
 * Returns: whether the trace is followed, or that is paused
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
 * Returns: whether what is written is shown as it comes
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
 * @is_paused: whether what is shown stays as it is for a while
 *
 * Does nothing unless a trace is followed. What came meanwhile is shown when it goes on.
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
 * @is_unseen: whether nobody can see what it finds, which may therefore come later
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
   * Whether the trace is followed, or that is paused.
   */
  properties[PROP_CAN_FOLLOW] = g_param_spec_boolean ("can-follow",
                                                      NULL,
                                                      NULL,
                                                      FALSE,
                                                      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * NsFollower:following:
   *
   * Whether what is written is shown as it comes.
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
   * Whether nobody can see what it finds.
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
   * @trace: (type gpointer): a later reading of the trace that is followed
   *
   * Who shows it gives the follower the session of it, and is given time for as long as that took.
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
   * The trace was closed and all of it is shown: it is not followed any more.
   */
  signals[SIGNAL_COMPLETE] = ns_signal_new (NS_TYPE_FOLLOWER, "complete", G_TYPE_NONE, 0);
  /**
   * NsFollower::file-changed:
   * @self: the follower
   *
   * The file is another one than was read, and is not followed.
   */
  signals[SIGNAL_FILE_CHANGED] = ns_signal_new (NS_TYPE_FOLLOWER, "file-changed", G_TYPE_NONE, 0);
  /**
   * NsFollower::file-gone:
   * @self: the follower
   *
   * There is no file any more.
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
 * @view: what the reader of the trace wants
 *
 * Returns: (transfer full): a follower of nothing yet
 */
NsFollower *
ns_follower_new (NsViewContext *view)
{
  NsFollower *self = g_object_new (NS_TYPE_FOLLOWER, NULL);

  self->view = ns_view_context_ref (view);
  return self;
}
