/* An open trace with its view state: table in front, time spans, clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"

enum
{
  SIGNAL_ROWS_CHANGED,
  SIGNAL_SELECTION_CHANGED,
  SIGNAL_SPANS_CHANGED,
  SIGNAL_CLOCK_CHANGED,
  SIGNAL_NAMES_CHANGED,
  SIGNAL_SHOW_TABLE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_FRONT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsSession, ns_session, G_TYPE_OBJECT)

static void
ns_session_finalize (GObject *object)
{
  NsSession *self = NS_SESSION (object);
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsSessionView *view = &self->views[table];

      g_cancellable_cancel (view->job);
      g_clear_object (&view->job);
      g_clear_object (&view->rows);
      g_free (view->filter);
      ns_filter_chips_free (view->chips);
      g_free (view->incomplete_reason);
      g_array_unref (view->order);
      ns_grouping_free (view->grouping);
    }
  g_array_unref (self->selected);
  g_array_unref (self->wanted);
  g_free (self->marked);
  g_clear_pointer (&self->hidden, g_ptr_array_unref);
  g_cancellable_cancel (self->spreading);
  g_clear_object (&self->spreading);
  g_free (self->followed);
  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
  g_clear_object (&self->file);
  g_clear_pointer (&self->damage, ns_damage_free);
  g_clear_pointer (&self->trace, ns_trace_unref);
  G_OBJECT_CLASS (ns_session_parent_class)->finalize (object);
}

static void
ns_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FRONT)
    g_value_set_uint (value, NS_SESSION (object)->front);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_session_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FRONT)
    ns_session_set_front (NS_SESSION (object), (NsTableId) g_value_get_uint (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
show_table_cb (NsSession *self, guint table)
{
  ns_session_set_front (self, (NsTableId) table);
}

static void
ns_session_class_init (NsSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = ns_session_finalize;
  object_class->get_property = ns_session_get_property;
  object_class->set_property = ns_session_set_property;

  /**
   * NsSession:front:
   *
   * The table in front: an #NsTableId.
   */
  properties[PROP_FRONT] =
      g_param_spec_uint ("front",
                         NULL,
                         NULL,
                         0,
                         NS_N_TABLES - 1,
                         NS_TABLE_ACTIVITIES,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * NsSession::rows-changed:
   * @self: the session
   * @table: a table
   *
   * Emitted when the rows, filter or order of @table have changed, or a query was started.
   */
  signals[SIGNAL_ROWS_CHANGED] = g_signal_new ("rows-changed",
                                               NS_TYPE_SESSION,
                                               G_SIGNAL_RUN_LAST,
                                               0,
                                               NULL,
                                               NULL,
                                               NULL,
                                               G_TYPE_NONE,
                                               1,
                                               G_TYPE_UINT);
  signals[SIGNAL_SELECTION_CHANGED] = g_signal_new ("selection-changed",
                                                    NS_TYPE_SESSION,
                                                    G_SIGNAL_RUN_LAST,
                                                    0,
                                                    NULL,
                                                    NULL,
                                                    NULL,
                                                    G_TYPE_NONE,
                                                    0);
  signals[SIGNAL_CLOCK_CHANGED] = g_signal_new ("clock-changed",
                                                NS_TYPE_SESSION,
                                                G_SIGNAL_RUN_LAST,
                                                0,
                                                NULL,
                                                NULL,
                                                NULL,
                                                G_TYPE_NONE,
                                                0);
  /**
   * NsSession::names-changed:
   * @self: the session
   *
   * Emitted when the user has renamed something.
   */
  signals[SIGNAL_NAMES_CHANGED] = g_signal_new ("names-changed",
                                                NS_TYPE_SESSION,
                                                G_SIGNAL_RUN_LAST,
                                                0,
                                                NULL,
                                                NULL,
                                                NULL,
                                                G_TYPE_NONE,
                                                0);
  /**
   * NsSession::show-table:
   * @self: the session
   * @table: the table to show
   *
   * Emitted to show a table, even if it is in front already but hidden by another pane.
   */
  signals[SIGNAL_SHOW_TABLE] = g_signal_new_class_handler ("show-table",
                                                           NS_TYPE_SESSION,
                                                           G_SIGNAL_RUN_LAST,
                                                           G_CALLBACK (show_table_cb),
                                                           NULL,
                                                           NULL,
                                                           NULL,
                                                           G_TYPE_NONE,
                                                           1,
                                                           G_TYPE_UINT);
  signals[SIGNAL_SPANS_CHANGED] = g_signal_new ("spans-changed",
                                                NS_TYPE_SESSION,
                                                G_SIGNAL_RUN_LAST,
                                                0,
                                                NULL,
                                                NULL,
                                                NULL,
                                                G_TYPE_NONE,
                                                0);
  /* The following signals are emitted by name, in the files they belong to. */
  /**
   * NsSession::conditions-changed:
   * @self: the session
   * @table: a table
   * @how: an #NsConditionsChange
   *
   * Emitted when the filter conditions of @table have changed.
   */
  g_signal_new ("conditions-changed",
                NS_TYPE_SESSION,
                G_SIGNAL_RUN_LAST,
                0,
                NULL,
                NULL,
                NULL,
                G_TYPE_NONE,
                2,
                G_TYPE_UINT,
                G_TYPE_UINT);
  /**
   * NsSession::conditions-counted:
   * @self: the session
   *
   * Emitted when more row counts of the conditions of the table in front are known.
   */
  g_signal_new ("conditions-counted",
                NS_TYPE_SESSION,
                G_SIGNAL_RUN_LAST,
                0,
                NULL,
                NULL,
                NULL,
                G_TYPE_NONE,
                0);
  /**
   * NsSession::hidden-frames-changed:
   * @self: the session
   *
   * Emitted when other frames are hidden in call stacks and trees.
   */
  g_signal_new ("hidden-frames-changed",
                NS_TYPE_SESSION,
                G_SIGNAL_RUN_LAST,
                0,
                NULL,
                NULL,
                NULL,
                G_TYPE_NONE,
                0);
  /**
   * NsSession::moment-changed:
   * @self: the session
   *
   * Emitted when the playback position has changed.
   */
  g_signal_new ("moment-changed",
                NS_TYPE_SESSION,
                G_SIGNAL_RUN_LAST,
                0,
                NULL,
                NULL,
                NULL,
                G_TYPE_NONE,
                0);
}

static void
ns_session_init (NsSession *self)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      self->views[table].rows = ns_row_list_new ();
      self->views[table].filter = g_strdup ("");
      self->views[table].chips = ns_filter_chips_new ((NsTableId) table);
      self->views[table].order = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
      self->views[table].grouping = ns_grouping_new ();
    }
  self->wanted = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->selected = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/* Emits NsSession::rows-changed. */
void
ns_session_emit_rows_changed (NsSession *self, NsTableId table)
{
  g_signal_emit (self, signals[SIGNAL_ROWS_CHANGED], 0, (guint) table);
}

/* Emits NsSession::selection-changed. */
void
ns_session_emit_selection_changed (NsSession *self)
{
  g_signal_emit (self, signals[SIGNAL_SELECTION_CHANGED], 0);
}

/* Returns the time span from the first to the last event, including missing data at the end. */
static NsTimeSpan
find_whole (const NsTrace *trace, const NsDamage *damage)
{
  return (NsTimeSpan){ 0, MAX (MAX (damage->end_ns, trace->rows_end_ns), 1) };
}

/* Returns the duration of the recording for a partially loaded file, according to its header; 0 if
 * not known. */
static gint64
find_duration (const NsTrace *trace)
{
  const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  guint64 filetimes;

  if (!trace->is_incomplete || header == NULL || header->end_filetime <= header->start_filetime)
    return 0;
  filetimes = header->end_filetime - header->start_filetime;
  return filetimes < G_MAXINT64 / 100 ? (gint64) filetimes * 100 : 0;
}

/* Sets the end of the loaded part if the duration of the recording is known. */
static void
find_frontier (NsSession *self)
{
  gint64 end_ns = find_duration (self->trace);

  if (end_ns <= self->whole.end_ns)
    return;
  self->frontier_ns = self->whole.end_ns;
  self->whole.end_ns = end_ns;
}

/**
 * ns_session_new:
 * @trace: (transfer full): an opened trace
 * @file: (nullable): its file
 *
 * Returns: (transfer full): a session that shows the whole trace
 */
NsSession *
ns_session_new (NsTrace *trace, GFile *file)
{
  NsSession *self = g_object_new (NS_TYPE_SESSION, NULL);

  self->trace = trace;
  g_set_object (&self->file, file);
  self->damage = ns_damage_look (trace);
  self->whole = find_whole (trace, self->damage);
  find_frontier (self);
  self->visible = ns_session_get_first_view (self);
  self->marked = g_new0 (guint8, MAX (trace->activities->len, 1));
  return self;
}

/**
 * ns_session_get_trace:
 * @self: a session
 *
 * Returns: (transfer none): its trace, which never changes
 */
NsTrace *
ns_session_get_trace (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->trace;
}

/**
 * ns_session_get_damage:
 * @self: a session
 *
 * Returns: (transfer none): the damage of its trace
 */
const NsDamage *
ns_session_get_damage (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->damage;
}

/**
 * ns_session_get_file:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the file of the trace
 */
GFile *
ns_session_get_file (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  return self->file;
}

/**
 * ns_session_get_front:
 * @self: a session
 *
 * Returns: the table in front
 */
NsTableId
ns_session_get_front (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NS_TABLE_ACTIVITIES);

  return self->front;
}

/**
 * ns_session_set_front:
 * @self: a session
 * @table: the table to bring to the front
 */
void
ns_session_set_front (NsSession *self, NsTableId table)
{
  g_return_if_fail (NS_IS_SESSION (self) && table < NS_N_TABLES);

  if (self->front == table)
    return;
  self->front = table;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRONT]);
}

/**
 * ns_session_show_table:
 * @self: a session
 * @table: a table
 *
 * Emits #NsSession::show-table; the default handler brings @table to the front.
 */
void
ns_session_show_table (NsSession *self, NsTableId table)
{
  g_return_if_fail (NS_IS_SESSION (self) && table < NS_N_TABLES);

  g_signal_emit (self, signals[SIGNAL_SHOW_TABLE], 0, (guint) table);
}

/**
 * ns_session_get_chips:
 * @self: a session
 * @table: a table
 *
 * Returns the conditions set by the user. Filters set by other means, such as a playback, do not
 *   change them.
 *
 * Returns: (transfer none): the conditions of the filter of @table
 */
NsFilterChips *
ns_session_get_chips (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self) && table < NS_N_TABLES, NULL);

  return self->views[table].chips;
}

/**
 * ns_session_get_whole:
 * @self: a session
 *
 * Returns: the time span of the trace
 */
NsTimeSpan
ns_session_get_whole (NsSession *self)
{
  return self->whole;
}

/**
 * ns_session_get_frontier:
 * @self: a session
 *
 * Returns: end of the loaded part of the trace; 0 if all of it is loaded
 */
gint64
ns_session_get_frontier (NsSession *self)
{
  return self->frontier_ns;
}

/**
 * ns_session_get_first_view:
 * @self: a session
 *
 * Returns: the initial zoom: the loaded part, and enough of the rest for a label
 */
NsTimeSpan
ns_session_get_first_view (NsSession *self)
{
  NsTimeSpan view = self->whole;

  if (self->frontier_ns > 0)
    view.end_ns = MIN (view.end_ns, self->frontier_ns + self->frontier_ns / 4);
  return view;
}

/**
 * ns_session_get_visible:
 * @self: a session
 *
 * Returns: the visible time span of the timeline (the zoom)
 */
NsTimeSpan
ns_session_get_visible (NsSession *self)
{
  return self->visible;
}

/**
 * ns_session_set_visible:
 * @self: a session
 * @span: the visible time span; does not affect any counts
 */
void
ns_session_set_visible (NsSession *self, NsTimeSpan span)
{
  if (span.begin_ns == self->visible.begin_ns && span.end_ns == self->visible.end_ns)
    return;
  self->visible = span;
  g_signal_emit (self, signals[SIGNAL_SPANS_CHANGED], 0);
}

/**
 * ns_session_get_wall:
 * @self: a session
 *
 * Returns: the clock that times are shown in
 */
NsWall
ns_session_get_wall (NsSession *self)
{
  return self->wall;
}

/**
 * ns_session_set_wall:
 * @self: a session
 * @wall: the clock to show times in
 */
void
ns_session_set_wall (NsSession *self, NsWall wall)
{
  g_return_if_fail (wall < NS_N_WALLS);

  if (self->wall == wall)
    return;
  self->wall = wall;
  g_signal_emit (self, signals[SIGNAL_CLOCK_CHANGED], 0);
}

/**
 * ns_session_get_span:
 * @self: a session
 *
 * Returns: the selected time span; an empty one if there is none
 */
NsTimeSpan
ns_session_get_span (NsSession *self)
{
  return self->span;
}

/**
 * ns_session_set_span:
 * @self: a session
 * @span: the time span to select; an empty one clears the selection
 */
void
ns_session_set_span (NsSession *self, NsTimeSpan span)
{
  if (span.begin_ns == self->span.begin_ns && span.end_ns == self->span.end_ns)
    return;
  self->span = span;
  g_signal_emit (self, signals[SIGNAL_SPANS_CHANGED], 0);
}
