/* The toggle button that pauses and resumes following a growing trace. It is visible only while a
 * trace is being written.
 *
 * It also reports to the follower whether the window is minimized.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-follow-button.h"

#include "ui/ns-help.h"

#include <glib/gi18n.h>

struct _NsFollowButton
{
  GtkToggleButton parent_instance;

  NsFollower *follower; /* (nullable) */
  GSimpleActionGroup *actions;
  GdkSurface *surface; /* (nullable): the surface whose state is watched */
};

enum
{
  PROP_0,
  PROP_FOLLOWER,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsFollowButton, ns_follow_button, GTK_TYPE_TOGGLE_BUTTON)

static void
show_state (NsFollowButton *self)
{
  NsFollower *follower = self->follower;
  GSimpleAction *action =
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "follow"));
  gboolean is_following = follower != NULL && ns_follower_is_following (follower);
  gboolean is_paused = follower != NULL && ns_follower_is_paused (follower);

  gtk_widget_set_visible (GTK_WIDGET (self), is_following || is_paused);
  gtk_button_set_label (GTK_BUTTON (self), is_paused ? _ ("Following · paused") : _ ("Following"));
  g_simple_action_set_state (action, g_variant_new_boolean (is_following));
  g_simple_action_set_enabled (action, follower != NULL && ns_follower_can_follow (follower));
}

/* Reports to the follower whether the window is minimized. Not every desktop sets that state. */
static void
show_unseen (NsFollowButton *self)
{
  if (self->follower != NULL && self->surface != NULL)
    ns_follower_set_unseen (self->follower,
                            (gdk_toplevel_get_state (GDK_TOPLEVEL (self->surface)) &
                             GDK_TOPLEVEL_STATE_MINIMIZED) != 0);
}

static void
follow_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsFollowButton *self = data;

  if (self->follower != NULL)
    ns_follower_set_paused (self->follower, !g_variant_get_boolean (state));
}

static const GActionEntry entries[] = {
  { "follow", NULL, NULL, "false", follow_cb, { 0 } },
};

/**
 * ns_follow_button_get_actions:
 * @self: a follow button
 *
 * Returns: (transfer none): the actions of the button: `follow`, whose state is whether the trace
 *   is followed; it is enabled while the trace can be followed
 */
GActionMap *
ns_follow_button_get_actions (NsFollowButton *self)
{
  g_return_val_if_fail (NS_IS_FOLLOW_BUTTON (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_follow_button_set_follower:
 * @self: a follow button
 * @follower: (nullable): the follower to show and control
 *
 * Sets the follower.
 */
void
ns_follow_button_set_follower (NsFollowButton *self, NsFollower *follower)
{
  g_return_if_fail (NS_IS_FOLLOW_BUTTON (self));

  if (self->follower == follower)
    return;
  if (self->follower != NULL)
    g_signal_handlers_disconnect_by_data (self->follower, self);
  g_set_object (&self->follower, follower);
  if (follower != NULL)
    {
      g_signal_connect_swapped (follower, "notify::following", G_CALLBACK (show_state), self);
      g_signal_connect_swapped (follower, "notify::paused", G_CALLBACK (show_state), self);
      g_signal_connect_swapped (follower, "notify::can-follow", G_CALLBACK (show_state), self);
    }
  show_state (self);
  show_unseen (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOWER]);
}

static void
ns_follow_button_realize (GtkWidget *widget)
{
  NsFollowButton *self = NS_FOLLOW_BUTTON (widget);
  GdkSurface *surface;

  GTK_WIDGET_CLASS (ns_follow_button_parent_class)->realize (widget);
  surface = gtk_native_get_surface (gtk_widget_get_native (widget));
  if (!GDK_IS_TOPLEVEL (surface))
    return;
  self->surface = g_object_ref (surface);
  g_signal_connect_swapped (surface, "notify::state", G_CALLBACK (show_unseen), self);
  show_unseen (self);
}

static void
ns_follow_button_unrealize (GtkWidget *widget)
{
  NsFollowButton *self = NS_FOLLOW_BUTTON (widget);

  if (self->surface != NULL)
    g_signal_handlers_disconnect_by_data (self->surface, self);
  g_clear_object (&self->surface);
  GTK_WIDGET_CLASS (ns_follow_button_parent_class)->unrealize (widget);
}

static void
ns_follow_button_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FOLLOWER)
    g_value_set_object (value, NS_FOLLOW_BUTTON (object)->follower);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_follow_button_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_FOLLOWER)
    ns_follow_button_set_follower (NS_FOLLOW_BUTTON (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_follow_button_dispose (GObject *object)
{
  NsFollowButton *self = NS_FOLLOW_BUTTON (object);

  if (self->follower != NULL)
    g_signal_handlers_disconnect_by_data (self->follower, self);
  g_clear_object (&self->follower);
  G_OBJECT_CLASS (ns_follow_button_parent_class)->dispose (object);
}

static void
ns_follow_button_finalize (GObject *object)
{
  g_object_unref (NS_FOLLOW_BUTTON (object)->actions);
  G_OBJECT_CLASS (ns_follow_button_parent_class)->finalize (object);
}

static void
ns_follow_button_class_init (NsFollowButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_follow_button_get_property;
  object_class->set_property = ns_follow_button_set_property;
  object_class->dispose = ns_follow_button_dispose;
  object_class->finalize = ns_follow_button_finalize;
  widget_class->realize = ns_follow_button_realize;
  widget_class->unrealize = ns_follow_button_unrealize;
  /**
   * NsFollowButton:follower:
   *
   * The follower of the trace.
   */
  properties[PROP_FOLLOWER] =
      g_param_spec_object ("follower",
                           NULL,
                           NULL,
                           NS_TYPE_FOLLOWER,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-follow-button.ui");
}

static void
ns_follow_button_init (NsFollowButton *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_init_template (GTK_WIDGET (self));
  ns_help_set_page (GTK_WIDGET (self), "follow");
  show_state (self);
}
