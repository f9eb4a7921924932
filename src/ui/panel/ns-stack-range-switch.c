/* Switch between parts of a call stack: four linked toggle buttons. The switches of the overview
 * and of the stack page are bound to each other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-stack-range-switch.h"

#include <glib/gi18n.h>

struct _NsStackRangeSwitch
{
  GtkWidget parent_instance;

  NsStackRange range;
  GtkWidget *box;
  GtkWidget *buttons[NS_N_STACK_RANGES];
};

enum
{
  PROP_0,
  PROP_PART,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (NsStackRangeSwitch, ns_stack_range_switch, GTK_TYPE_WIDGET)

static void
toggled_cb (GtkToggleButton *button, NsStackRangeSwitch *self)
{
  guint i;

  if (!gtk_toggle_button_get_active (button))
    return;
  for (i = 0; i < NS_N_STACK_RANGES; i++)
    if (self->buttons[i] == GTK_WIDGET (button))
      self->range = (NsStackRange) i;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PART]);
}

static void
ns_stack_range_switch_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int (value, (int) NS_STACK_RANGE_SWITCH (object)->range);
}

static void
ns_stack_range_switch_set_property (GObject *object,
                                    guint id,
                                    const GValue *value,
                                    GParamSpec *pspec)
{
  ns_stack_range_switch_set_range (NS_STACK_RANGE_SWITCH (object),
                                   (NsStackRange) g_value_get_int (value));
}

static void
ns_stack_range_switch_dispose (GObject *object)
{
  NsStackRangeSwitch *self = NS_STACK_RANGE_SWITCH (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_stack_range_switch_parent_class)->dispose (object);
}

static void
ns_stack_range_switch_class_init (NsStackRangeSwitchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_stack_range_switch_get_property;
  object_class->set_property = ns_stack_range_switch_set_property;
  object_class->dispose = ns_stack_range_switch_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  /**
   * NsStackRangeSwitch:part:
   *
   * The selected #NsStackRange.
   */
  properties[PROP_PART] =
      g_param_spec_int ("part",
                        NULL,
                        NULL,
                        NS_STACK_RANGE_FIRST,
                        NS_STACK_RANGE_FULL,
                        NS_STACK_RANGE_FULL,
                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
ns_stack_range_switch_init (NsStackRangeSwitch *self)
{
  static const struct
  {
    const char *label;
    const char *tooltip;
  } words[NS_N_STACK_RANGES] = {
    [NS_STACK_RANGE_FIRST] = { N_ ("First"), N_ ("Start of the work (1)") },
    [NS_STACK_RANGE_MIDDLE] = { N_ ("Middle"), N_ ("Stacks in between (2)") },
    [NS_STACK_RANGE_LAST] = { N_ ("Last"), N_ ("The network call itself (3)") },
    [NS_STACK_RANGE_FULL] = { N_ ("Full"), N_ ("The whole path (4)") },
  };
  guint i;

  self->range = NS_STACK_RANGE_FULL;
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->box, "linked");
  for (i = 0; i < NS_N_STACK_RANGES; i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (_ (words[i].label));

      self->buttons[i] = button;
      gtk_widget_set_tooltip_text (button, _ (words[i].tooltip));
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button),
                                     GTK_TOGGLE_BUTTON (self->buttons[0]));
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), i == self->range);
      gtk_box_append (GTK_BOX (self->box), button);
    }
  for (i = 0; i < NS_N_STACK_RANGES; i++)
    g_signal_connect (self->buttons[i], "toggled", G_CALLBACK (toggled_cb), self);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * ns_stack_range_switch_new:
 *
 * Returns: (transfer floating): the buttons, with the whole path selected
 */
GtkWidget *
ns_stack_range_switch_new (void)
{
  return g_object_new (NS_TYPE_STACK_RANGE_SWITCH, NULL);
}

/**
 * ns_stack_range_switch_get_range:
 * @self: the buttons
 *
 * Returns: the selected part
 */
NsStackRange
ns_stack_range_switch_get_range (NsStackRangeSwitch *self)
{
  return self->range;
}

/**
 * ns_stack_range_switch_set_range:
 * @self: the buttons
 * @range: a part
 *
 * Selects a part of the path.
 */
void
ns_stack_range_switch_set_range (NsStackRangeSwitch *self, NsStackRange range)
{
  g_return_if_fail ((guint) range < NS_N_STACK_RANGES);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[range]), TRUE);
}
