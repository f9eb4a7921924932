/* Back and forward navigation of a session: zoom, selected time span, table in front, conditions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-history.h"

#include "model/ns-history.h"
#include "model/ns-session-conditions.h"
#include "model/ns-session-state.h"

struct _NsSessionHistory
{
  GObject parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsHistory *steps;   /* NULL without a session, unless is_held */
  NsTimeSpan visible; /* the zoom at the last step */
  gboolean is_going;
  gboolean is_paused;
  gboolean is_held; /* steps are kept for the session of a reload */
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_PAUSED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsSessionHistory, ns_session_history, G_TYPE_OBJECT)

static void
changed (NsSessionHistory *self)
{
  static const struct
  {
    const char *name;
    int by;
  } ways[] = { { "back", -1 }, { "forward", 1 } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), ways[i].name);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action),
                                   ns_session_history_can_go (self, ways[i].by));
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Records the current state as a step. */
static void
record (NsSessionHistory *self, NsHistoryKind kind)
{
  if (self->is_going || self->is_paused)
    return;
  ns_history_record (self->steps,
                     kind,
                     g_get_monotonic_time (),
                     ns_session_dup_state (self->session));
  changed (self);
}

static void
conditions_changed_cb (NsSessionHistory *self, guint table, guint how)
{
  switch (how)
    {
    case NS_CONDITIONS_SET:
      record (self, NS_HISTORY_FILTER);
      break;
    case NS_CONDITIONS_TYPED:
      record (self, NS_HISTORY_TYPING);
      break;
    case NS_CONDITIONS_PUT:
    default:
      /* The same state in another representation. */
      if (!self->is_going)
        ns_history_amend (self->steps, ns_session_dup_state (self->session));
      break;
    }
}

static void
spans_changed_cb (NsSessionHistory *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gboolean is_zoom =
      visible.begin_ns != self->visible.begin_ns || visible.end_ns != self->visible.end_ns;

  self->visible = visible;
  record (self, is_zoom ? NS_HISTORY_ZOOM : NS_HISTORY_SPAN);
}

static void
go (NsSessionHistory *self, int by)
{
  g_autoptr (GVariant) state = NULL;

  if (self->session == NULL || !ns_session_history_can_go (self, by))
    return;
  state = g_variant_ref (ns_history_go (self->steps, by));
  self->is_going = TRUE;
  ns_session_restore_state (self->session, state);
  self->is_going = FALSE;
  changed (self);
}

static void
back_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go (data, -1);
}

static void
forward_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go (data, 1);
}

static const GActionEntry entries[] = {
  { "back", back_cb, NULL, NULL, NULL, { 0 } },
  { "forward", forward_cb, NULL, NULL, NULL, { 0 } },
};

/**
 * ns_session_history_get_actions:
 * @self: a history
 *
 * Returns: (transfer none): the actions `back` and `forward`
 */
GActionMap *
ns_session_history_get_actions (NsSessionHistory *self)
{
  g_return_val_if_fail (NS_IS_SESSION_HISTORY (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_session_history_can_go:
 * @self: a history
 * @by: −1 for back, 1 for forward
 *
 * Returns: whether there is such a step
 */
gboolean
ns_session_history_can_go (NsSessionHistory *self, int by)
{
  g_return_val_if_fail (NS_IS_SESSION_HISTORY (self), FALSE);

  return self->steps != NULL && ns_history_can_go (self->steps, by);
}

static void
set_paused (NsSessionHistory *self, gboolean is_paused)
{
  if (self->is_paused == is_paused)
    return;
  self->is_paused = is_paused;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAUSED]);
}

static void
watch (NsSessionHistory *self, NsSession *session)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session == NULL)
    return;
  self->visible = ns_session_get_visible (session);
  g_signal_connect_swapped (session,
                            "conditions-changed",
                            G_CALLBACK (conditions_changed_cb),
                            self);
  g_signal_connect_swapped (session, "spans-changed", G_CALLBACK (spans_changed_cb), self);
}

/**
 * ns_session_history_set_session:
 * @self: a history
 * @session: (nullable): the session to record
 *
 * Starts a new history with the state of @session; while the steps are held, only disconnects from
 * the previous session.
 */
void
ns_session_history_set_session (NsSessionHistory *self, NsSession *session)
{
  g_return_if_fail (NS_IS_SESSION_HISTORY (self));

  watch (self, session);
  if (self->is_held)
    return;
  g_clear_pointer (&self->steps, ns_history_free);
  if (session != NULL)
    self->steps = ns_history_new (ns_session_dup_state (session));
  changed (self);
}

/**
 * ns_session_history_hold:
 * @self: a history
 *
 * Keeps the steps while the trace is reloaded, until ns_session_history_resume().
 */
void
ns_session_history_hold (NsSessionHistory *self)
{
  g_return_if_fail (NS_IS_SESSION_HISTORY (self));

  self->is_held = TRUE;
}

/**
 * ns_session_history_resume:
 * @self: a history that is held
 * @session: the session of the reloaded trace
 *
 * Continues with the steps that were held.
 */
void
ns_session_history_resume (NsSessionHistory *self, NsSession *session)
{
  g_return_if_fail (NS_IS_SESSION_HISTORY (self) && self->is_held);

  self->is_held = FALSE;
  watch (self, session);
  changed (self);
}

static void
ns_session_history_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PAUSED)
    g_value_set_boolean (value, NS_SESSION_HISTORY (object)->is_paused);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_session_history_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PAUSED)
    set_paused (NS_SESSION_HISTORY (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_session_history_finalize (GObject *object)
{
  NsSessionHistory *self = NS_SESSION_HISTORY (object);

  watch (self, NULL);
  g_clear_pointer (&self->steps, ns_history_free);
  g_object_unref (self->actions);
  G_OBJECT_CLASS (ns_session_history_parent_class)->finalize (object);
}

static void
ns_session_history_class_init (NsSessionHistoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_session_history_get_property;
  object_class->set_property = ns_session_history_set_property;
  object_class->finalize = ns_session_history_finalize;
  /**
   * NsSessionHistory:paused:
   *
   * Whether changes are not recorded, for example those made by a playback.
   */
  properties[PROP_PAUSED] =
      g_param_spec_boolean ("paused",
                            NULL,
                            NULL,
                            FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsSessionHistory::changed:
   * @self: the history
   *
   * Emitted when a step was recorded or navigated to.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          NS_TYPE_SESSION_HISTORY,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
}

static void
ns_session_history_init (NsSessionHistory *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  changed (self);
}

/**
 * ns_session_history_new:
 *
 * Returns: (transfer full): a history without a session
 */
NsSessionHistory *
ns_session_history_new (void)
{
  return g_object_new (NS_TYPE_SESSION_HISTORY, NULL);
}
