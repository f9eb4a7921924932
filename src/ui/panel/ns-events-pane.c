/* Table of events or packets, with the fields and bytes of the selected row below it.
 *
 * A row is decoded only when it is selected and the pane is visible.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-events-pane.h"

#include "model/ns-dissection.h"
#include "model/ns-packet-fields.h"
#include "ui/ns-accessible.h"
#include "ui/ns-settings.h"
#include "ui/panel/ns-event-fields.h"

#include <glib/gi18n.h>

#define SHARE_KEY "event-pane-share"
#define DEFAULT_SHARE 0.5

struct _NsEventsPane
{
  GtkWidget parent_instance;

  NsSession *session;
  GtkWidget *box;
  GtkWidget *paned;
  NsTableId kind; /* NS_TABLE_EVENTS or NS_TABLE_PACKETS */
  GtkWidget *table;
  GtkWidget *fields;
  GtkWidget *folded;    /* button shown instead of a hidden pane */
  GtkWidget *by_tshark; /* (nullable): packets only; toggles dissection by Wireshark */
  NsSharkd *sharkd;     /* (nullable): created at the first dissection */
  GCancellable *job;
  guint update_id;
  gboolean is_placed; /* whether the splitter position has been restored */
};

G_DEFINE_FINAL_TYPE (NsEventsPane, ns_events_pane, GTK_TYPE_WIDGET)

/* Finds the selected row; the first one of several. */
static gboolean
get_chosen (NsEventsPane *self, guint32 *row)
{
  const GArray *selected = self->session != NULL ? ns_session_get_selected (self->session) : NULL;

  if (selected == NULL || selected->len == 0 ||
      ns_session_get_selected_table (self->session) != self->kind)
    return FALSE;
  *row = g_array_index (selected, guint32, 0);
  return *row < ns_table_get_n_rows (ns_session_get_trace (self->session), self->kind);
}

static NsEventFacts *
read_row (NsEventsPane *self, guint32 row)
{
  const NsTrace *trace = ns_session_get_trace (self->session);

  return self->kind == NS_TABLE_PACKETS ? ns_packet_fields_new (trace, row)
                                        : ns_event_facts_new (trace, row);
}

/* Returns the text shown instead of the fields. */
static const char *
get_note (NsEventsPane *self, gboolean is_chosen)
{
  if (self->kind == NS_TABLE_PACKETS)
    return _ ("Select a packet to see its fields and its bytes here.");
  return is_chosen ? _ ("The file no longer contains this event.")
                   : _ ("Select an event to see its fields and its bytes here.");
}

static void
forget_job (NsEventsPane *self)
{
  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
}

static void
dissected_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsEventsPane) self = data;
  g_autoptr (GError) error = NULL;
  NsEventFacts *facts = ns_dissection_run_finish (result, &error);

  /* The answer is for a packet that is no longer shown. */
  if (self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    {
      ns_event_facts_free (facts);
      return;
    }
  g_clear_object (&self->job);
  if (facts != NULL)
    ns_event_fields_set_facts (NS_EVENT_FIELDS (self->fields), facts);
  ns_event_fields_set_message (NS_EVENT_FIELDS (self->fields),
                               facts != NULL ? _ ("Fields: Wireshark") : error->message);
}

/* Starts a dissection by Wireshark; our own fields are shown until it ends. */
static void
dissect (NsEventsPane *self, guint32 row)
{
  if (self->by_tshark == NULL ||
      !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->by_tshark)))
    return;
  self->job = g_cancellable_new ();
  if (self->sharkd == NULL)
    self->sharkd = ns_sharkd_new ();
  ns_dissection_run_async (self->sharkd,
                           ns_session_get_trace (self->session),
                           row,
                           self->job,
                           dissected_cb,
                           g_object_ref (self));
}

static gboolean
update_cb (gpointer data)
{
  NsEventsPane *self = data;
  NsEventFields *fields = NS_EVENT_FIELDS (self->fields);
  NsEventFacts *facts = NULL;
  gboolean is_chosen;
  guint32 row;

  self->update_id = 0;
  forget_job (self);
  is_chosen = get_chosen (self, &row);
  if (is_chosen)
    facts = read_row (self, row);
  ns_event_fields_set_note (fields, get_note (self, is_chosen));
  ns_event_fields_set_facts (fields, facts);
  if (self->kind == NS_TABLE_PACKETS)
    ns_event_fields_set_message (fields, NULL);
  if (facts != NULL)
    dissect (self, row);
  return G_SOURCE_REMOVE;
}

/* Coalesces changes of one main loop iteration into one update; skipped while the pane is not
 * mapped. */
static void
queue_update (NsEventsPane *self)
{
  if (self->update_id == 0 && self->fields != NULL && gtk_widget_get_mapped (self->fields))
    self->update_id = g_idle_add (update_cb, self);
}

static void
save_share (NsEventsPane *self)
{
  GSettings *settings = ns_settings_get ();
  int height = gtk_widget_get_height (self->paned);
  double share;

  if (settings == NULL || height <= 0 || !gtk_widget_get_visible (self->fields))
    return;
  share = 1 - (double) gtk_paned_get_position (GTK_PANED (self->paned)) / height;
  g_settings_set_double (settings, SHARE_KEY, CLAMP (share, 0.1, 0.9));
}

/* Saves the splitter position after the user has moved it. */
static void
handle_moved_cb (NsEventsPane *self)
{
  if (self->is_placed)
    save_share (self);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double x, double y, NsEventsPane *self)
{
  handle_moved_cb (self);
}

static void
ns_events_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsEventsPane *self = NS_EVENTS_PANE (widget);
  GSettings *settings = ns_settings_get ();

  if (!self->is_placed && height > 0 && gtk_widget_get_visible (self->fields))
    {
      double share = settings != NULL ? g_settings_get_double (settings, SHARE_KEY) : DEFAULT_SHARE;

      self->is_placed = TRUE;
      gtk_paned_set_position (GTK_PANED (self->paned), (int) (height * (1 - share)));
    }
  gtk_widget_allocate (self->box, width, height, baseline, NULL);
}

static void
ns_events_pane_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  gtk_widget_measure (NS_EVENTS_PANE (widget)->box,
                      orientation,
                      for_size,
                      minimum,
                      natural,
                      NULL,
                      NULL);
}

static void
ns_events_pane_dispose (GObject *object)
{
  NsEventsPane *self = NS_EVENTS_PANE (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  forget_job (self);
  if (self->sharkd != NULL)
    ns_sharkd_close (self->sharkd);
  g_clear_pointer (&self->sharkd, ns_sharkd_unref);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  if (self->fields != NULL)
    g_signal_handlers_disconnect_by_data (self->fields, self);
  self->fields = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_events_pane_parent_class)->dispose (object);
}

static void
ns_events_pane_class_init (NsEventsPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_events_pane_dispose;
  widget_class->measure = ns_events_pane_measure;
  widget_class->size_allocate = ns_events_pane_size_allocate;
}

/* Builds the button that is shown instead of a hidden pane and shows it again. */
static GtkWidget *
build_folded (void)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("pan-up-symbolic"));
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Fields and bytes")));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "folded-pane");
  gtk_widget_set_tooltip_text (button, _ ("Show the fields and the bytes of the event (Shift+F9)"));
  ns_accessible_set_name (button, _ ("Fields and bytes"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.event-pane");
  gtk_widget_set_visible (button, FALSE);
  return button;
}

static gboolean
has_focus (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

/* Moves the focus on Tab from the table to the fields and back; NsEventFields handles Tab
 * inside. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsEventsPane *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  if (key == GDK_KEY_Tab && has_focus (self->table))
    return gtk_widget_get_visible (self->fields) && gtk_widget_grab_focus (self->fields);
  if (key == GDK_KEY_ISO_Left_Tab && ns_event_fields_is_list_focus (NS_EVENT_FIELDS (self->fields)))
    return gtk_widget_grab_focus (self->table);
  return FALSE;
}

static void
ns_events_pane_init (NsEventsPane *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  self->fields = ns_event_fields_new ();
  ns_event_fields_add_fold (NS_EVENT_FIELDS (self->fields));
  ns_accessible_set_name (GTK_WIDGET (self->fields), _ ("Fields and bytes of the event"));
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_wide_handle (GTK_PANED (self->paned), TRUE);
  gtk_paned_set_end_child (GTK_PANED (self->paned), self->fields);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_vexpand (self->paned, TRUE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (self->paned, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (self->paned, "accept-position", G_CALLBACK (handle_moved_cb), self);
  self->folded = build_folded ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), self->paned);
  gtk_box_append (GTK_BOX (self->box), self->folded);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect_object (self->fields,
                           "map",
                           G_CALLBACK (queue_update),
                           self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

/**
 * ns_events_pane_new:
 * @kind: %NS_TABLE_EVENTS or %NS_TABLE_PACKETS
 * @table: the table of these rows
 * @session: session whose selection is shown
 *
 * Returns: (transfer floating): the table with the pane
 */
GtkWidget *
ns_events_pane_new (NsTableId kind, GtkWidget *table, NsSession *session)
{
  NsEventsPane *self = g_object_new (NS_TYPE_EVENTS_PANE, NULL);

  self->kind = kind;
  self->table = table;
  ns_event_fields_set_note (NS_EVENT_FIELDS (self->fields), get_note (self, FALSE));
  if (kind == NS_TABLE_PACKETS)
    {
      ns_accessible_set_name (self->fields, _ ("Fields and bytes of the packet"));
      ns_event_fields_set_for_packets (NS_EVENT_FIELDS (self->fields));
      self->by_tshark = gtk_toggle_button_new_with_label (_ ("Wireshark's Fields"));
      gtk_widget_add_css_class (self->by_tshark, "flat");
      gtk_widget_set_tooltip_text (self->by_tshark,
                                   _ ("Let Wireshark (sharkd or tshark) dissect packets"));
      ns_accessible_set_name (self->by_tshark, _ ("Wireshark's Fields"));
      g_signal_connect_swapped (self->by_tshark, "toggled", G_CALLBACK (queue_update), self);
      ns_event_fields_add_button (NS_EVENT_FIELDS (self->fields), self->by_tshark);
    }
  gtk_paned_set_start_child (GTK_PANED (self->paned), table);
  ns_events_pane_set_session (self, session);
  return GTK_WIDGET (self);
}

/**
 * ns_events_pane_set_session:
 * @self: a pane
 * @session: session whose selection is shown
 */
void
ns_events_pane_set_session (NsEventsPane *self, NsSession *session)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (queue_update), self);
  queue_update (self);
}

/**
 * ns_events_pane_get_fields:
 * @self: a pane
 *
 * Returns: (transfer none): the #NsEventFields of the pane
 */
GtkWidget *
ns_events_pane_get_fields (NsEventsPane *self)
{
  return self->fields;
}

/**
 * ns_events_pane_set_shown:
 * @self: a pane
 * @is_shown: whether fields and bytes are shown
 */
void
ns_events_pane_set_shown (NsEventsPane *self, gboolean is_shown)
{
  gtk_widget_set_visible (self->fields, is_shown);
  gtk_widget_set_visible (self->folded, !is_shown);
}
