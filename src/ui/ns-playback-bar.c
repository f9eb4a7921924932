/* Playback bar: moves a playback position (the moment of the session) through the trace, and limits
 * the tables and the timeline to what had begun by then.
 *
 * The bar owns the actions; its buttons use them with the "win." prefix, so the window must add
 * them to its own action map.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-playback-bar.h"

#include "model/ns-playback.h"
#include "model/ns-session-findings.h"
#include "model/ns-session-moment.h"
#include "ui/ns-accessible.h"

#include <glib/gi18n.h>
#include <math.h>

#define TICK_MS 100
/* Steps of the position slider for an arrow key and a page key, as parts of the trace. */
#define PLACE_STEP 0.005
#define PLACE_PAGE 0.05
/* After the view has scrolled, the position is 1 / PAGE_EDGE of the view away from the edge that it
 * moves away from. */
#define PAGE_EDGE 10
/* Tables in the background are updated during playback only up to this number of rows. */
#define MAX_PLAYED_ROWS 50000

struct _NsPlaybackBar
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsPlayback playback;
  guint tick_id; /* timeout of TICK_MS; 0: no playback is active */
  gint64 ticked_us;
  gint64 limited_ns[NS_N_TABLES]; /* the position that each table was last limited to */
  gboolean is_turning;            /* the bar itself is scrolling the view */
  gboolean is_held;               /* the trace is being reloaded */
  gboolean resumes;               /* playback was active before the reload */
  NsPlayback before_reload;       /* state before the reload */

  GtkWidget *play_button;
  GtkWidget *speed;
  GtkWidget *position; /* GtkScale: the position, in seconds */
  GtkWidget *time;
};

enum
{
  SIGNAL_LIMITED,
  SIGNAL_MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_SESSION,
  PROP_ACTIVE,
  PROP_TURNING,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsPlaybackBar, ns_playback_bar, GTK_TYPE_BOX)

static GSimpleAction *
get_action (NsPlaybackBar *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name));
}

/* Returns whether a table is updated now: while playing, the table in front, the operations and
 * tables of up to MAX_PLAYED_ROWS rows; when paused, all tables. The findings are left out until
 * the rules have run. */
static gboolean
is_updated (NsPlaybackBar *self, NsTableId table)
{
  guint n_found;
  gboolean is_bad;

  if (table == NS_TABLE_FINDINGS && !ns_session_count_findings (self->session, &n_found, &is_bad))
    return FALSE;
  return !self->playback.is_playing || table == ns_session_get_front (self->session) ||
         table == NS_TABLE_ACTIVITIES ||
         ns_table_get_n_rows (ns_session_get_trace (self->session), table) <= MAX_PLAYED_ROWS;
}

/**
 * ns_playback_bar_get_count_state:
 * @self: a bar with a session
 * @table: a table
 *
 * Returns: whether the number of rows of @table is up to date
 */
NsCountState
ns_playback_bar_get_count_state (NsPlaybackBar *self, NsTableId table)
{
  gboolean is_busy = ns_session_is_busy (self->session, table);

  if (self->tick_id == 0)
    return is_busy ? NS_COUNT_STATE_UNKNOWN : NS_COUNT_STATE_KNOWN;
  if (self->playback.is_playing && is_updated (self, table))
    return is_busy ? NS_COUNT_STATE_PENDING : NS_COUNT_STATE_KNOWN;
  return is_busy || self->limited_ns[table] != self->playback.time_ns ? NS_COUNT_STATE_UNKNOWN
                                                                      : NS_COUNT_STATE_KNOWN;
}

static void
limit_table (NsPlaybackBar *self, NsTableId table)
{
  g_autofree char *own = ns_filter_chips_to_filter (ns_session_get_chips (self->session, table));
  g_autofree char *text = ns_playback_dup_filter (&self->playback, table, own);

  /* A new filter would cancel the one that is still running. */
  if (ns_session_is_busy (self->session, table))
    return;
  self->limited_ns[table] = self->playback.time_ns;
  ns_session_set_filter (self->session, table, text, NULL, NULL);
  g_signal_emit (self, signals[SIGNAL_LIMITED], 0, (guint) table);
}

static void
limit_tables (NsPlaybackBar *self)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (is_updated (self, (NsTableId) table))
      limit_table (self, (NsTableId) table);
}

static gboolean
is_in_view (NsPlaybackBar *self, gint64 time_ns)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);

  return time_ns >= visible.begin_ns && time_ns <= visible.end_ns;
}

static void
set_turning (NsPlaybackBar *self, gboolean is_turning)
{
  self->is_turning = is_turning;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TURNING]);
}

/* Scrolls the view to the position, if that is out of view. NsPlaybackBar:turning keeps the scroll
 * out of the navigation history. */
static void
scroll_view (NsPlaybackBar *self, gboolean is_forward)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  NsTimeSpan whole = ns_session_get_whole (self->session);
  gint64 length_ns = visible.end_ns - visible.begin_ns;
  gint64 before_ns = is_forward ? length_ns / PAGE_EDGE : length_ns - length_ns / PAGE_EDGE;
  gint64 begin_ns;

  if (is_in_view (self, self->playback.time_ns))
    return;
  begin_ns = CLAMP (self->playback.time_ns - before_ns, whole.begin_ns, whole.end_ns - length_ns);
  set_turning (self, TRUE);
  ns_session_set_visible (self->session, (NsTimeSpan){ begin_ns, begin_ns + length_ns });
  set_turning (self, FALSE);
}

static void
show_position (NsPlaybackBar *self, const char *time)
{
  gtk_label_set_text (GTK_LABEL (self->time), time);
  gtk_range_set_value (GTK_RANGE (self->position),
                       (double) self->playback.time_ns / (double) NS_PER_SECOND);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->position),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  time,
                                  -1);
}

static void
show_moment (NsPlaybackBar *self)
{
  /* Translators: seconds; each event is a time of its own. */
  g_autofree char *time =
      g_strdup_printf (_ ("%.6f s"), (double) self->playback.time_ns / (double) NS_PER_SECOND);

  limit_tables (self);
  ns_session_set_moment (self->session, self->playback.time_ns);
  show_position (self, time);
  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (self->play_button)),
                 self->playback.is_playing ? "media-playback-pause-symbolic"
                                           : "media-playback-start-symbolic") != 0)
    gtk_button_set_icon_name (GTK_BUTTON (self->play_button),
                              self->playback.is_playing ? "media-playback-pause-symbolic"
                                                        : "media-playback-start-symbolic");
  g_simple_action_set_state (get_action (self, "play"),
                             g_variant_new_boolean (self->playback.is_playing));
}

static gboolean
tick_cb (gpointer data)
{
  NsPlaybackBar *self = data;
  gint64 now_us = g_get_monotonic_time ();
  gboolean was_in_view = is_in_view (self, self->playback.time_ns);

  ns_playback_advance (&self->playback, now_us - self->ticked_us);
  self->ticked_us = now_us;
  /* If the user has scrolled the position out of view, the view does not follow it. */
  if (was_in_view)
    scroll_view (self, TRUE);
  show_moment (self);
  return G_SOURCE_CONTINUE;
}

/* Ends playback and shows all rows again. */
static void
stop (NsPlaybackBar *self)
{
  guint table;

  if (self->tick_id == 0)
    return;
  g_clear_handle_id (&self->tick_id, g_source_remove);
  self->playback.is_playing = FALSE;
  /* During a reload the bar stays visible, since hiding it would drop the focus. */
  gtk_widget_set_visible (GTK_WIDGET (self), self->is_held);
  ns_session_set_moment (self->session, G_MAXINT64);
  for (table = 0; table < NS_N_TABLES; table++)
    {
      g_autofree char *own =
          ns_filter_chips_to_filter (ns_session_get_chips (self->session, table));

      ns_session_set_filter (self->session, (NsTableId) table, own, NULL, NULL);
    }
  g_simple_action_set_state (get_action (self, "playback"), g_variant_new_boolean (FALSE));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

/* Starts playback of the session at a position, with the speed that was chosen before. */
static void
start (NsPlaybackBar *self, gint64 time_ns)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  double begin = (double) whole.begin_ns / (double) NS_PER_SECOND;
  double end = (double) whole.end_ns / (double) NS_PER_SECOND;
  double speed = self->playback.speed;

  ns_playback_init (&self->playback, whole);
  ns_playback_set_speed (&self->playback, speed);
  ns_playback_go (&self->playback, time_ns);
  gtk_range_set_range (GTK_RANGE (self->position), begin, MAX (end, begin + 1e-6));
  gtk_range_set_increments (GTK_RANGE (self->position),
                            (end - begin) * PLACE_STEP,
                            (end - begin) * PLACE_PAGE);
  self->ticked_us = g_get_monotonic_time ();
  self->tick_id = g_timeout_add (TICK_MS, tick_cb, self);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  g_simple_action_set_state (get_action (self, "playback"), g_variant_new_boolean (TRUE));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

static void
playback_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsPlaybackBar *self = data;

  if (!g_variant_get_boolean (state))
    {
      stop (self);
      return;
    }
  if (self->session == NULL || self->tick_id != 0)
    return;
  start (self, ns_session_get_visible (self->session).begin_ns);
  gtk_widget_grab_focus (self->play_button);
  show_moment (self);
}

/**
 * ns_playback_bar_begin_reload:
 * @self: a bar
 *
 * Prepares for a reload of the trace: the bar stays visible and keeps the focus until
 * ns_playback_bar_resume() is called.
 */
void
ns_playback_bar_begin_reload (NsPlaybackBar *self)
{
  g_return_if_fail (NS_IS_PLAYBACK_BAR (self));

  self->is_held = TRUE;
  self->resumes = self->tick_id != 0;
  self->before_reload = self->playback;
}

/**
 * ns_playback_bar_resume:
 * @self: a bar that is held
 *
 * Continues the playback in the session of the reloaded trace, which may be longer.
 */
void
ns_playback_bar_resume (NsPlaybackBar *self)
{
  g_return_if_fail (NS_IS_PLAYBACK_BAR (self));

  self->is_held = FALSE;
  if (!self->resumes || self->session == NULL)
    return;
  self->resumes = FALSE;
  start (self, self->before_reload.time_ns);
  self->playback.is_playing = self->before_reload.is_playing;
  show_moment (self);
}

static void
play_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsPlaybackBar *self = data;

  if (self->tick_id == 0)
    return;
  self->playback.is_playing = g_variant_get_boolean (state);
  if (self->playback.is_playing && self->playback.time_ns >= self->playback.whole.end_ns)
    ns_playback_go (&self->playback, self->playback.whole.begin_ns);
  if (self->playback.is_playing)
    scroll_view (self, TRUE);
  show_moment (self);
}

static void
step_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsPlaybackBar *self = data;

  if (self->tick_id == 0)
    return;
  if (!ns_playback_step (&self->playback,
                         ns_session_get_trace (self->session),
                         g_variant_get_int32 (parameter)))
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, _ ("No more events in that direction"));
  scroll_view (self, g_variant_get_int32 (parameter) > 0);
  show_moment (self);
}

static void
at_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsPlaybackBar *self = data;

  if (self->tick_id == 0)
    return;
  ns_playback_go (&self->playback, g_variant_get_int64 (parameter));
  scroll_view (self, TRUE);
  show_moment (self);
}

/* Handles #GtkRange::change-value of the position slider, dragged or moved by keys. */
static gboolean
position_cb (GtkRange *position, GtkScrollType scroll, double value, NsPlaybackBar *self)
{
  if (self->tick_id == 0)
    return TRUE;
  ns_playback_go (&self->playback, (gint64) round (value * (double) NS_PER_SECOND));
  scroll_view (self, TRUE);
  show_moment (self);
  return TRUE;
}

static void
show_speed (NsPlaybackBar *self, const char *speed)
{
  g_autofree char *label = g_strdup_printf ("× %s", speed);
  /* Translators: the name of a button; %s is a number with a sign: "× 10". */
  g_autofree char *name = g_strdup_printf (_ ("Speed %s"), label);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->speed), label);
  ns_accessible_set_name (self->speed, name);
  gtk_widget_set_tooltip_text (self->speed, name);
}

static void
speed_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsPlaybackBar *self = data;

  ns_playback_set_speed (&self->playback,
                         g_ascii_strtod (g_variant_get_string (state, NULL), NULL));
  show_speed (self, g_variant_get_string (state, NULL));
  g_simple_action_set_state (action, state);
}

static const GActionEntry entries[] = {
  { "playback", NULL, NULL, "false", playback_cb, { 0 } },
  { "play", NULL, NULL, "false", play_cb, { 0 } },
  { "play-step", step_cb, "i", NULL, NULL, { 0 } },
  { "play-at", at_cb, "x", NULL, NULL, { 0 } },
  { "play-speed", NULL, "s", "'1'", speed_cb, { 0 } },
};

/**
 * ns_playback_bar_get_actions:
 * @self: a bar
 *
 * Returns: (transfer none): the actions `playback`, `play`, `play-step`, `play-at` and `play-speed`
 */
GActionMap *
ns_playback_bar_get_actions (NsPlaybackBar *self)
{
  g_return_val_if_fail (NS_IS_PLAYBACK_BAR (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_playback_bar_set_session:
 * @self: a bar
 * @session: (nullable): the session to play back
 *
 * Sets the session, and ends the playback of the previous one.
 */
void
ns_playback_bar_set_session (NsPlaybackBar *self, NsSession *session)
{
  g_return_if_fail (NS_IS_PLAYBACK_BAR (self));

  if (self->session == session)
    return;
  stop (self);
  g_set_object (&self->session, session);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

/**
 * ns_playback_bar_is_active:
 * @self: a bar
 *
 * Returns: whether a playback is active, running or paused
 */
gboolean
ns_playback_bar_is_active (NsPlaybackBar *self)
{
  g_return_val_if_fail (NS_IS_PLAYBACK_BAR (self), FALSE);

  return self->tick_id != 0;
}

static void
ns_playback_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  NsPlaybackBar *self = NS_PLAYBACK_BAR (object);

  switch (id)
    {
    case PROP_SESSION:
      g_value_set_object (value, self->session);
      break;
    case PROP_ACTIVE:
      g_value_set_boolean (value, self->tick_id != 0);
      break;
    case PROP_TURNING:
      g_value_set_boolean (value, self->is_turning);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ns_playback_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_playback_bar_set_session (NS_PLAYBACK_BAR (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_playback_bar_dispose (GObject *object)
{
  NsPlaybackBar *self = NS_PLAYBACK_BAR (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_playback_bar_parent_class)->dispose (object);
}

static void
ns_playback_bar_finalize (GObject *object)
{
  g_object_unref (NS_PLAYBACK_BAR (object)->actions);
  G_OBJECT_CLASS (ns_playback_bar_parent_class)->finalize (object);
}

static void
add_properties (GObjectClass *object_class)
{
  /**
   * NsPlaybackBar:session:
   *
   * The session that is played back.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  /**
   * NsPlaybackBar:active:
   *
   * Whether a playback is active, running or paused.
   */
  properties[PROP_ACTIVE] =
      g_param_spec_boolean ("active", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * NsPlaybackBar:turning:
   *
   * Whether the view is being scrolled by the playback rather than by the user. Such a change is
   * not added to the navigation history.
   */
  properties[PROP_TURNING] = g_param_spec_boolean ("turning",
                                                   NULL,
                                                   NULL,
                                                   FALSE,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
add_signals (GType type)
{
  /**
   * NsPlaybackBar::limited:
   * @self: the bar
   * @table: the #NsTableId
   *
   * Emitted when a new filter limits the rows of @table to the playback position.
   */
  signals[SIGNAL_LIMITED] = g_signal_new ("limited",
                                          type,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_UINT);
  /**
   * NsPlaybackBar::message:
   * @self: the bar
   * @text: the message to show to the user
   */
  signals[SIGNAL_MESSAGE] = g_signal_new ("message",
                                          type,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_STRING);
}

static void
ns_playback_bar_class_init (NsPlaybackBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_playback_bar_get_property;
  object_class->set_property = ns_playback_bar_set_property;
  object_class->dispose = ns_playback_bar_dispose;
  object_class->finalize = ns_playback_bar_finalize;
  add_properties (object_class);
  add_signals (NS_TYPE_PLAYBACK_BAR);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-playback-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsPlaybackBar, play_button);
  gtk_widget_class_bind_template_child (widget_class, NsPlaybackBar, speed);
  gtk_widget_class_bind_template_child (widget_class, NsPlaybackBar, position);
  gtk_widget_class_bind_template_child (widget_class, NsPlaybackBar, time);
  gtk_widget_class_bind_template_callback (widget_class, position_cb);
}

static void
ns_playback_bar_init (NsPlaybackBar *self)
{
  GtkMenuButton *speed;

  self->playback.speed = 1;
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* Time runs from left to right in right-to-left locales, too. */
  gtk_widget_set_direction (self->position, GTK_TEXT_DIR_LTR);
  speed = GTK_MENU_BUTTON (self->speed);
  ns_accessible_set_menu_name (GTK_WIDGET (gtk_menu_button_get_popover (speed)), _ ("Speed"));
  show_speed (self, "1");
}
