/* Menu button that lists the hidden frames and can show them again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-look.h"
#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/panel/ns-hidden-frames.h"

#include <glib/gi18n.h>
#include <string.h>

struct _NsHiddenFrames
{
  GtkWidget parent_instance;

  NsSession *session;
  gboolean with_system; /* also has a switch that hides all system frames */
  GtkWidget *button;
  GtkWidget *face;
  GtkWidget *count;
  GtkWidget *system;
  GtkWidget *list;
  GtkWidget *all;
};

G_DEFINE_FINAL_TYPE (NsHiddenFrames, ns_hidden_frames, GTK_TYPE_WIDGET)

static void
show_again_cb (GtkButton *button, NsHiddenFrames *self)
{
  g_autofree char *pattern = g_strdup (g_object_get_data (G_OBJECT (button), "ns-pattern"));

  if (self->session != NULL)
    ns_session_show_frames (self->session, pattern);
}

static void
all_cb (NsHiddenFrames *self)
{
  if (self->session != NULL)
    ns_session_show_frames (self->session, NULL);
}

static void
system_cb (NsHiddenFrames *self)
{
  if (self->session == NULL)
    return;
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->system)))
    ns_session_hide_frames (self->session, NS_CALL_HIDDEN_SYSTEM);
  else
    ns_session_show_frames (self->session, NS_CALL_HIDDEN_SYSTEM);
}

static void
add_line (NsHiddenFrames *self, const char *pattern)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (pattern);
  GtkWidget *again = gtk_button_new_from_icon_name ("view-reveal-symbolic");
  /* Translators: a function or a module. */
  g_autofree char *words = g_strdup_printf (_ ("Show %s again"), pattern);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "stack-frame");
  gtk_widget_set_tooltip_text (label, pattern);
  gtk_button_set_has_frame (GTK_BUTTON (again), FALSE);
  gtk_widget_set_tooltip_text (again, words);
  ns_accessible_set_name (again, words);
  g_object_set_data_full (G_OBJECT (again), "ns-pattern", g_strdup (pattern), g_free);
  g_signal_connect (again, "clicked", G_CALLBACK (show_again_cb), self);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), again);
  gtk_box_append (GTK_BOX (self->list), line);
}

static void
update (NsHiddenFrames *self)
{
  const char *const *hidden =
      self->session != NULL ? ns_session_get_hidden_frames (self->session) : NULL;
  g_autofree char *count = NULL;
  gboolean has_system = FALSE;
  GtkWidget *child;
  guint n_listed = 0;
  guint i;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  for (i = 0; hidden != NULL && hidden[i] != NULL; i++)
    if (strcmp (hidden[i], NS_CALL_HIDDEN_SYSTEM) == 0)
      has_system = TRUE;
    else
      {
        add_line (self, hidden[i]);
        n_listed++;
      }
  if (n_listed == 0)
    {
      child =
          gtk_label_new (_ ("No frame is hidden. The menu of a frame can hide it, or its module."));
      gtk_label_set_wrap (GTK_LABEL (child), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (child), 40);
      gtk_label_set_xalign (GTK_LABEL (child), 0);
      gtk_widget_add_css_class (child, "dim");
      gtk_box_append (GTK_BOX (self->list), child);
    }
  g_signal_handlers_block_by_func (self->system, system_cb, self);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->system), has_system);
  g_signal_handlers_unblock_by_func (self->system, system_cb, self);
  gtk_widget_set_sensitive (self->all, i > 0);
  count = i > 0 ? g_strdup_printf ("%u", i) : g_strdup ("");
  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_widget_set_visible (self->count, i > 0);
  gtk_widget_set_visible (GTK_WIDGET (self), self->with_system || i > 0);
}

static void
ns_hidden_frames_dispose (GObject *object)
{
  NsHiddenFrames *self = NS_HIDDEN_FRAMES (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_hidden_frames_parent_class)->dispose (object);
}

static void
ns_hidden_frames_class_init (NsHiddenFramesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_hidden_frames_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_hidden_frames_init (NsHiddenFrames *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->system = ns_accessible_check_button_new (_ ("Hide _system frames"));
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->all = ns_accessible_button_new (_ ("Show _All Again"));
  g_signal_connect_swapped (self->system, "toggled", G_CALLBACK (system_cb), self);
  g_signal_connect_swapped (self->all, "clicked", G_CALLBACK (all_cb), self);
  gtk_box_append (GTK_BOX (box), self->system);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), self->all);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  ns_help_set_popover_page (popover, "details");
  self->face = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  self->count = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (self->face), gtk_image_new_from_icon_name ("view-conceal-symbolic"));
  gtk_box_append (GTK_BOX (self->face), self->count);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->button), self->face);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->button), FALSE);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_widget_set_tooltip_text (self->button, _ ("Hidden frames"));
  ns_accessible_set_name (self->button, _ ("Hidden frames"));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
}

/**
 * ns_hidden_frames_new:
 * @with_system: whether the menu can hide system frames; without this, the button is visible only
 * while frames are hidden
 *
 * Returns: (transfer floating): a button
 */
GtkWidget *
ns_hidden_frames_new (gboolean with_system)
{
  NsHiddenFrames *self = g_object_new (NS_TYPE_HIDDEN_FRAMES, NULL);

  self->with_system = with_system;
  gtk_widget_set_visible (self->system, with_system);
  update (self);
  return GTK_WIDGET (self);
}

/**
 * ns_hidden_frames_set_session:
 * @self: a button
 * @session: (nullable): session whose hidden frames are listed
 */
void
ns_hidden_frames_set_session (NsHiddenFrames *self, NsSession *session)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session != NULL)
    g_signal_connect_swapped (session, "hidden-frames-changed", G_CALLBACK (update), self);
  update (self);
}
