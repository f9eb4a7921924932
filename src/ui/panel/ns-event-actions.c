/* Actions on the selected event: select a byte or a field, in the pane below the table or in the
 * side panel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-event-actions.h"

#include "model/ns-session-conditions.h"
#include "model/ns-signal.h"
#include "ui/ns-action-map.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-event-words.h"

#include <glib/gi18n.h>

struct _NsEventActions
{
  GObject parent_instance;

  NsTraceTabs *tabs; /* not owned; tabs and panel outlive the actions */
  NsDetailsPanel *panel;
  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
};

enum
{
  SIGNAL_MESSAGE,
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsEventActions, ns_event_actions, G_TYPE_OBJECT)

/* Returns the field widget of the selected event: below the front table, or in the side panel. */
static NsEventFields *
get_fields (NsEventActions *self)
{
  GtkWidget *fields = ns_trace_tabs_peek_fields (self->tabs);

  if (fields != NULL &&
      ns_session_get_selected_table (self->session) == ns_session_get_front (self->session))
    return NS_EVENT_FIELDS (fields);
  return NS_EVENT_FIELDS (ns_details_panel_get_event_fields (self->panel));
}

/**
 * ns_event_actions_has_record:
 * @self: the actions, with a session
 *
 * Returns: whether an event is shown that has fields
 */
gboolean
ns_event_actions_has_record (NsEventActions *self)
{
  const NsEventFacts *facts;

  g_return_val_if_fail (NS_IS_EVENT_ACTIONS (self), FALSE);

  facts = ns_event_fields_get_facts (get_fields (self));
  return facts != NULL && facts->facts->len > 0;
}

/**
 * ns_event_actions_dup_status:
 * @self: the actions, with a session
 * @n_events: number of selected events or packets
 *
 * Returns: (transfer full): text with the count; for a single event also the selected field. With
 * several events the field would read like a sum over them
 */
char *
ns_event_actions_dup_status (NsEventActions *self, guint n_events)
{
  gboolean is_packets = ns_session_get_selected_table (self->session) == NS_TABLE_PACKETS;
  g_autofree char *count = ns_words_count (n_events);
  g_autofree char *text =
      g_strdup_printf (is_packets ? ngettext ("%s packet selected", "%s packets selected", n_events)
                                  : ngettext ("%s event selected", "%s events selected", n_events),
                       count);
  NsEventFields *fields = get_fields (self);
  const NsEventFacts *facts = ns_event_fields_get_facts (fields);
  const GArray *selected = ns_session_get_selected (self->session);
  g_autofree char *chosen = NULL;

  /* The widget may still show the previously selected event. */
  if (facts == NULL || facts->is_packet != is_packets || selected->len != 1 ||
      facts->row != g_array_index (selected, guint32, 0))
    return g_steal_pointer (&text);
  chosen = ns_event_words_chosen (facts, ns_event_fields_get_chosen (fields));
  return g_strdup_printf ("%s   %s", text, chosen);
}

/* Publishes the selected field as the state of the action `event`, for tests and scripts. */
static void
fields_changed_cb (NsEventActions *self)
{
  if (self->session == NULL)
    return;
  ns_action_map_set_state (G_ACTION_MAP (self->actions),
                           "event",
                           ns_event_fields_get_state (get_fields (self)));
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
choose_byte_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsEventActions *self = data;

  if (self->session != NULL)
    ns_event_fields_choose_byte (get_fields (self), g_variant_get_uint32 (parameter));
}

static void
choose_field_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsEventActions *self = data;

  if (self->session != NULL)
    ns_event_fields_choose_name (get_fields (self), g_variant_get_string (parameter, NULL));
}

static void
fold_field_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsEventActions *self = data;

  if (self->session != NULL)
    ns_event_fields_fold_name (get_fields (self), g_variant_get_string (parameter, NULL));
}

/* Shows the events table, filtered by the value of the selected field. */
static void
filter_events_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsEventActions *self = data;
  g_autoptr (GError) error = NULL;

  if (self->session == NULL)
    return;
  ns_trace_tabs_show_table (self->tabs, NS_TABLE_EVENTS);
  if (!ns_session_add_condition (self->session,
                                 g_variant_get_string (parameter, NULL),
                                 NULL,
                                 &error))
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, error->message);
}

static const GActionEntry entries[] = {
  { "choose-byte", choose_byte_cb, "u", NULL, NULL, { 0 } },
  { "choose-field", choose_field_cb, "s", NULL, NULL, { 0 } },
  { "fold-field", fold_field_cb, "s", NULL, NULL, { 0 } },
  { "filter-events", filter_events_cb, "s", NULL, NULL, { 0 } },
};

/**
 * ns_event_actions_get_actions:
 * @self: the actions
 *
 * Returns: (transfer none): the actions: `choose-byte`, `choose-field` and `fold-field` in the
 *   shown event, `filter-events` by one of its fields. The state of `event` is that of
 *   ns_event_fields_get_state()
 */
GActionMap *
ns_event_actions_get_actions (NsEventActions *self)
{
  g_return_val_if_fail (NS_IS_EVENT_ACTIONS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_event_actions_set_session:
 * @self: the actions
 * @session: (nullable): session of the shown events
 */
void
ns_event_actions_set_session (NsEventActions *self, NsSession *session)
{
  g_return_if_fail (NS_IS_EVENT_ACTIONS (self));

  g_set_object (&self->session, session);
}

static void
ns_event_actions_dispose (GObject *object)
{
  g_clear_object (&NS_EVENT_ACTIONS (object)->session);
  G_OBJECT_CLASS (ns_event_actions_parent_class)->dispose (object);
}

static void
ns_event_actions_finalize (GObject *object)
{
  g_object_unref (NS_EVENT_ACTIONS (object)->actions);
  G_OBJECT_CLASS (ns_event_actions_parent_class)->finalize (object);
}

static void
ns_event_actions_class_init (NsEventActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_event_actions_dispose;
  object_class->finalize = ns_event_actions_finalize;
  /**
   * NsEventActions::message:
   * @self: the actions
   * @text: text to show in the status bar
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_EVENT_ACTIONS, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsEventActions::changed:
   * @self: the actions
   *
   * Emitted when another event is shown or another field is selected.
   */
  signals[SIGNAL_CHANGED] = ns_signal_new (NS_TYPE_EVENT_ACTIONS, "changed", G_TYPE_NONE, 0);
}

static void
ns_event_actions_init (NsEventActions *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
}

/**
 * ns_event_actions_new:
 * @tabs: tables; not owned, must outlive the actions
 * @panel: panel that shows the event if the tables do not; not owned, must outlive the actions
 *
 * Returns: (transfer full): actions without a session
 */
NsEventActions *
ns_event_actions_new (NsTraceTabs *tabs, NsDetailsPanel *panel)
{
  NsEventActions *self = g_object_new (NS_TYPE_EVENT_ACTIONS, NULL);
  GtkWidget *fields = ns_details_panel_get_event_fields (panel);

  self->tabs = tabs;
  self->panel = panel;
  ns_action_map_add_state (G_ACTION_MAP (self->actions),
                           "event",
                           ns_event_fields_get_state (NS_EVENT_FIELDS (fields)));
  g_signal_connect_object (fields,
                           "changed",
                           G_CALLBACK (fields_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tabs,
                           "fields-changed",
                           G_CALLBACK (fields_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  return self;
}
