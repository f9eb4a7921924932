/* Page switch of the trace information for traces of several files.
 *
 * Each page shows some parts of the information. For a trace of one file, all parts are visible and
 * the switch is hidden.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-info-pages.h"

#include "ui/ns-accessible.h"

#include <glib/gi18n.h>

#define STATE_KEY "ns-info-pages"

typedef struct
{
  GtkWidget *box; /* contains the buttons */
  GtkWidget *buttons[NS_INFO_N_PAGES];
  GPtrArray *parts[NS_INFO_N_PAGES]; /* (element-type GtkWidget) */
  gboolean is_case;
} Pages;

static const char *const titles[NS_INFO_N_PAGES] = {
  [NS_INFO_QUESTIONS] = N_ ("Questions"),
  [NS_INFO_FILES] = N_ ("Files"),
  [NS_INFO_PROVIDERS] = N_ ("Providers"),
  [NS_INFO_LOSSES] = N_ ("Losses"),
};

static Pages *
get_pages (GtkWidget *self)
{
  return g_object_get_data (G_OBJECT (self), STATE_KEY);
}

static void
pages_free (gpointer data)
{
  Pages *self = data;
  guint i;

  for (i = 0; i < NS_INFO_N_PAGES; i++)
    g_ptr_array_unref (self->parts[i]);
  g_free (self);
}

static void
show_parts (const GPtrArray *parts, gboolean is_shown)
{
  guint i;

  for (i = 0; i < parts->len; i++)
    gtk_widget_set_visible (g_ptr_array_index (parts, i), is_shown);
}

static gboolean
has_card (GtkWidget *part)
{
  GtkWidget *child;

  if (gtk_widget_has_css_class (part, "card"))
    return TRUE;
  for (child = gtk_widget_get_first_child (part); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && has_card (child))
      return TRUE;
  return FALSE;
}

/* Shows the parts of the active page; a part may be on several pages. Hides columns without a
 * visible card, since they would take half of the width. */
static void
update (Pages *self)
{
  guint i;
  guint k;

  gtk_widget_set_visible (self->box, self->is_case);
  for (i = 0; i < NS_INFO_N_PAGES; i++)
    show_parts (self->parts[i], !self->is_case);
  for (i = 0; i < NS_INFO_N_PAGES; i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->buttons[i])))
      show_parts (self->parts[i], TRUE);
  for (i = 0; i < NS_INFO_N_PAGES && self->is_case; i++)
    for (k = 0; k < self->parts[i]->len; k++)
      if (!has_card (g_ptr_array_index (self->parts[i], k)))
        gtk_widget_set_visible (g_ptr_array_index (self->parts[i], k), FALSE);
}

/**
 * ns_info_pages_new:
 *
 * Returns: (transfer floating): a switch, hidden until ns_info_pages_set_case()
 */
GtkWidget *
ns_info_pages_new (void)
{
  /* The outer box fills the remaining width, so that the buttons keep their natural size. */
  GtkWidget *widget = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  Pages *self = g_new0 (Pages, 1);
  guint i;

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->box, "linked");
  gtk_widget_set_valign (self->box, GTK_ALIGN_CENTER);
  for (i = 0; i < NS_INFO_N_PAGES; i++)
    {
      /* Translators: a key. */
      g_autofree char *tip = g_strdup_printf (_ ("Alt+%u"), i + 1);

      self->parts[i] = g_ptr_array_new ();
      self->buttons[i] = gtk_toggle_button_new_with_label (_ (titles[i]));
      gtk_widget_set_tooltip_text (self->buttons[i], tip);
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->buttons[i]),
                                     GTK_TOGGLE_BUTTON (self->buttons[0]));
      gtk_box_append (GTK_BOX (self->box), self->buttons[i]);
      g_signal_connect_swapped (self->buttons[i], "toggled", G_CALLBACK (update), self);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->buttons[NS_INFO_FILES]), TRUE);
  gtk_widget_set_visible (self->box, FALSE);
  gtk_box_append (GTK_BOX (widget), self->box);
  g_object_set_data_full (G_OBJECT (widget), STATE_KEY, self, pages_free);
  return widget;
}

/**
 * ns_info_pages_add:
 * @self: a switch
 * @page: one of its pages
 * @part: a widget to show on @page
 */
void
ns_info_pages_add (GtkWidget *self, NsInfoPage page, GtkWidget *part)
{
  g_ptr_array_add (get_pages (self)->parts[page], part);
}

/**
 * ns_info_pages_set_case:
 * @self: a switch
 * @is_case: whether the trace has several files
 */
void
ns_info_pages_set_case (GtkWidget *self, gboolean is_case)
{
  get_pages (self)->is_case = is_case;
  update (get_pages (self));
}

/**
 * ns_info_pages_update:
 * @self: a switch
 *
 * Updates the visibility of all parts after cards were shown or hidden.
 */
void
ns_info_pages_update (GtkWidget *self)
{
  update (get_pages (self));
}

/**
 * ns_info_pages_show:
 * @self: a switch
 * @page: the page to show; ignored if out of range or if the switch is hidden
 */
void
ns_info_pages_show (GtkWidget *self, guint page)
{
  Pages *pages = get_pages (self);

  if (pages->is_case && page < NS_INFO_N_PAGES)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pages->buttons[page]), TRUE);
}
