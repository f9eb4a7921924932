/* A chip: a filter condition or a column, with its row count; a click switches it on or off.
 *
 * A chip activates the window actions `PREFIX-toggle`, `PREFIX-remove` and `PREFIX-edit` with its
 * index as parameter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-chip.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

struct _NsChip
{
  GtkWidget parent_instance;

  char *prefix;
  guint index;
  GtkWidget *handle; /* drag handle, shown by ns_chip_show_handle() */
  GtkWidget *button;
  GtkWidget *text;
  GtkWidget *count;
  GtkWidget *close;
};

G_DEFINE_FINAL_TYPE (NsChip, ns_chip, GTK_TYPE_WIDGET)

static void
activate (NsChip *self, const char *verb)
{
  g_autofree char *name = g_strdup_printf ("win.%s-%s", self->prefix, verb);

  gtk_widget_activate_action (GTK_WIDGET (self), name, "u", self->index);
}

static void
clicked_cb (NsChip *self)
{
  activate (self, "toggle");
}

static void
closed_cb (NsChip *self)
{
  activate (self, "remove");
}

/* Handles the keys of a chip; the arrow keys move the focus to its neighbours. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsChip *self)
{
  GtkWidget *to = NULL;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Delete:
    case GDK_KEY_KP_Delete:
    case GDK_KEY_BackSpace:
      activate (self, "remove");
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      activate (self, "edit");
      return TRUE;
    case GDK_KEY_Left:
      to = gtk_widget_get_prev_sibling (GTK_WIDGET (self));
      break;
    case GDK_KEY_Right:
      to = gtk_widget_get_next_sibling (GTK_WIDGET (self));
      if (to == NULL)
        return gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-filter", NULL);
      break;
    default:
      return FALSE;
    }
  return to != NULL && gtk_widget_grab_focus (to);
}

static gboolean
ns_chip_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (NS_CHIP (widget)->button);
}

static void
ns_chip_dispose (GObject *object)
{
  NsChip *self = NS_CHIP (object);

  g_clear_pointer (&self->handle, gtk_widget_unparent);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_pointer (&self->close, gtk_widget_unparent);
  g_clear_pointer (&self->prefix, g_free);
  G_OBJECT_CLASS (ns_chip_parent_class)->dispose (object);
}

static void
ns_chip_class_init (NsChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_chip_dispose;
  widget_class->grab_focus = ns_chip_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "chip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ns_chip_init (NsChip *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->text = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->text), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (self->text), 48);
  self->count = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->count, "chip-count");
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), self->count);
  self->button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->button), box);
  gtk_widget_add_css_class (self->button, "chip-body");
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (clicked_cb), self);
  self->handle = gtk_image_new_from_icon_name ("list-drag-handle-symbolic");
  gtk_widget_set_visible (self->handle, FALSE);
  gtk_widget_add_css_class (self->handle, "chip-handle");
  gtk_widget_set_parent (self->handle, GTK_WIDGET (self));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  self->close = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_add_css_class (self->close, "chip-close");
  gtk_widget_set_tooltip_text (self->close, _ ("Remove (Delete)"));
  gtk_widget_set_focusable (self->close, FALSE);
  g_signal_connect_swapped (self->close, "clicked", G_CALLBACK (closed_cb), self);
  gtk_widget_set_parent (self->close, GTK_WIDGET (self));
  /* Captures Enter, which edits, before the button handles it as a click. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

/**
 * ns_chip_new:
 * @prefix: prefix of the action names
 * @index: the parameter of the actions
 *
 * Returns: (transfer floating): a chip without text
 */
NsChip *
ns_chip_new (const char *prefix, guint index)
{
  NsChip *self = g_object_new (NS_TYPE_CHIP, NULL);

  self->prefix = g_strdup (prefix);
  self->index = index;
  return self;
}

static char *
dup_spoken (const char *text, const char *count, guint n_rows, gboolean is_on)
{
  g_autofree char *rows = n_rows != G_MAXUINT
                              ? g_strdup_printf (ngettext ("%s row", "%s rows", n_rows), count)
                              : g_strdup (_ ("being counted"));

  /* Translators: a condition of the filter, and how many rows it leaves: “status=503, 1 row” */
  return g_strdup_printf (is_on ? _ ("%s, %s") : _ ("%s, %s, switched off"), text, rows);
}

/**
 * ns_chip_set:
 * @self: a chip
 * @text: the condition or column name
 * @count: (nullable): the formatted number of rows that the condition leaves
 * @n_rows: the same number, or G_MAXUINT if the rows are not counted yet
 * @is_on: whether the chip is enabled; a disabled one is struck through
 *
 * Updates the content of a chip.
 */
void
ns_chip_set (NsChip *self, const char *text, const char *count, guint n_rows, gboolean is_on)
{
  g_autofree char *spoken = NULL;

  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_label_set_text (GTK_LABEL (self->count), count != NULL ? count : "");
  gtk_widget_set_visible (self->count, count != NULL);
  if (is_on)
    gtk_widget_remove_css_class (GTK_WIDGET (self), "off");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "off");
  gtk_widget_set_tooltip_text (self->button, text);
  spoken = count != NULL ? dup_spoken (text, count, n_rows, is_on) : g_strdup (text);
  ns_accessible_set_name (GTK_WIDGET (self->button), spoken);
  ns_accessible_set_name (GTK_WIDGET (self->close), _ ("Remove"));
}

static void
show_condition (NsChip *self, const NsFilterChip *chip)
{
  g_autofree char *count = chip->is_counted ? ns_words_count (chip->n_rows) : g_strdup ("…");

  ns_chip_set (self,
               ns_filter_chip_get_label (chip),
               count,
               chip->is_counted ? chip->n_rows : G_MAXUINT,
               chip->is_on);
  if (chip->name != NULL)
    gtk_widget_set_tooltip_text (self->button, chip->text);
}

/**
 * ns_chip_fill_box:
 * @box: a box that contains only chips
 * @chips: (nullable): filter conditions
 *
 * Updates @box to show one chip per condition. Existing widgets are reused and keep the focus.
 */
void
ns_chip_fill_box (GtkBox *box, NsFilterChips *chips)
{
  guint n_chips = chips != NULL ? ns_filter_chips_get_n_chips (chips) : 0;
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (box));
  guint i;

  for (i = 0; i < n_chips; i++)
    {
      if (child == NULL)
        {
          child = GTK_WIDGET (ns_chip_new ("chip", i));
          gtk_box_append (box, child);
        }
      show_condition (NS_CHIP (child), ns_filter_chips_get_chip (chips, i));
      child = gtk_widget_get_next_sibling (child);
    }
  while (child != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (child);

      gtk_box_remove (box, child);
      child = next;
    }
}

/**
 * ns_chip_show_handle:
 * @self: a chip that can be dragged
 *
 * Shows the drag handle.
 */
void
ns_chip_show_handle (NsChip *self)
{
  g_return_if_fail (NS_IS_CHIP (self));

  gtk_widget_set_visible (self->handle, TRUE);
}
