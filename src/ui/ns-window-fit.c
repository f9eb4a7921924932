/* How a window makes do with its size: the panel is beside the rest, or a drawer over it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/ns-window-private.h"
#include "ui/panel/ns-flame-view.h"

#include <glib/gi18n.h>

/* The width of the panel, and the least one. */
#define PANEL_PX 348
#define PANEL_MIN_PX 288
/* Below this width the panel is a drawer; so much more at twice the normal font. */
#define PANEL_MIN_WINDOW_PX 1000
#define PANEL_MIN_WINDOW_MORE_PX 800
/* Below this width, times the font, icons do without words: 900, less what a frame may take. */
#define WORDS_MIN_WINDOW_PX 880
/* What stays to be seen beside a drawer. */
#define BESIDE_DRAWER_PX 60

/* Whether the panel would take the room of the rest. */
static gboolean
is_too_narrow (NsWindow *self, int width)
{
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));

  return width < PANEL_MIN_WINDOW_PX + (int) (PANEL_MIN_WINDOW_MORE_PX * (scale - 1));
}

static gboolean
is_too_tight (NsWindow *self, int width)
{
  return width < (int) (WORDS_MIN_WINDOW_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
}

/* A drawer is as wide as it was asked to be: long names in it take nothing more of the rest. */
static gboolean
place_drawer_cb (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, NsWindow *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (overlay));
  int wanted;
  int least;

  if (child != self->panel)
    return FALSE;
  gtk_widget_get_size_request (child, &wanted, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  place->width = MAX (wanted, least);
  place->height = gtk_widget_get_height (GTK_WIDGET (overlay));
  place->x = gtk_widget_get_direction (GTK_WIDGET (overlay)) == GTK_TEXT_DIR_RTL
                 ? 0
                 : width - place->width;
  place->y = 0;
  return TRUE;
}

/* Puts the panel where it belongs, without showing or hiding it. */
static void
place_panel (NsWindow *self, int width)
{
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  gboolean is_drawer = gtk_widget_get_parent (self->panel) == self->panel_overlay;

  if (self->is_narrow)
    gtk_widget_set_size_request (self->panel,
                                 MIN ((int) (PANEL_PX * scale),
                                      MAX (width - BESIDE_DRAWER_PX, PANEL_MIN_PX)),
                                 -1);
  if (is_drawer == self->is_narrow)
    return;
  g_object_ref (self->panel);
  if (self->is_narrow)
    {
      gtk_paned_set_end_child (GTK_PANED (self->panel_paned), NULL);
      gtk_widget_set_halign (self->panel, GTK_ALIGN_END);
      gtk_widget_add_css_class (self->panel, "drawer");
      gtk_overlay_add_overlay (GTK_OVERLAY (self->panel_overlay), self->panel);
    }
  else
    {
      gtk_overlay_remove_overlay (GTK_OVERLAY (self->panel_overlay), self->panel);
      gtk_widget_remove_css_class (self->panel, "drawer");
      gtk_widget_set_halign (self->panel, GTK_ALIGN_FILL);
      gtk_widget_set_size_request (self->panel, PANEL_MIN_PX, -1);
      gtk_paned_set_end_child (GTK_PANED (self->panel_paned), self->panel);
      gtk_paned_set_resize_end_child (GTK_PANED (self->panel_paned), FALSE);
      gtk_paned_set_shrink_end_child (GTK_PANED (self->panel_paned), FALSE);
      /* Where the handle was is a place in a window that was narrower. */
      gtk_paned_set_position (GTK_PANED (self->panel_paned), width - (int) (PANEL_PX * scale));
    }
  g_object_unref (self->panel);
}

/* What an icon says as well needs no word where there is little room. */
static void
spare_words (NsWindow *self)
{
  ns_filter_bar_set_narrow (self->filter_bar, self->is_narrow);
  ns_crumb_bar_set_narrow (self->crumb_bar, self->is_narrow);
  if (self->call_tree != NULL)
    ns_flame_view_set_narrow (NS_FLAME_VIEW (self->call_tree), self->is_narrow);
  gtk_widget_set_visible (self->open_word, !self->is_tight);
  ns_window_update_symbols (self);
  ns_window_update_pairs (self, FALSE);
}

static gboolean
fit_cb (gpointer data)
{
  NsWindow *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  gboolean is_narrow = is_too_narrow (self, width);

  self->fit_id = 0;
  self->is_tight = is_too_tight (self, width);
  gtk_widget_set_visible (self->open_word, !self->is_tight);
  if (is_narrow == self->is_narrow)
    return G_SOURCE_REMOVE;
  self->is_narrow = is_narrow;
  if (is_narrow)
    self->was_panel_shown = gtk_widget_get_visible (self->panel);
  gtk_widget_set_visible (self->panel, !is_narrow && self->was_panel_shown);
  place_panel (self, width);
  spare_words (self);
  if (self->session != NULL)
    ns_window_update_title (self);
  ns_window_update_actions (self);
  return G_SOURCE_REMOVE;
}

/* A window that gets narrow gives the room of the panel to the rest, until it is wide again. */
void
ns_window_fit (NsWindow *self, int width)
{
  if ((is_too_narrow (self, width) != self->is_narrow ||
       is_too_tight (self, width) != self->is_tight) &&
      self->fit_id == 0)
    self->fit_id = g_idle_add (fit_cb, self);
}

/* Gives a new window the size of the last one. The timeline gets the larger part of a large window;
 * of one of 600 px it has six lanes.
 */
void
ns_window_restore_size (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();
  int width = 1400;
  int height = 900;

  if (settings != NULL)
    {
      g_settings_get (settings, "window-size", "(ii)", &width, &height);
      if (g_settings_get_boolean (settings, "window-maximized"))
        gtk_window_maximize (GTK_WINDOW (self));
    }
  gtk_window_set_default_size (GTK_WINDOW (self), MAX (width, 600), MAX (height, 400));
  g_signal_connect_object (self->panel_overlay,
                           "get-child-position",
                           G_CALLBACK (place_drawer_cb),
                           self,
                           0);
  gtk_paned_set_position (GTK_PANED (self->main_paned), MAX (height * 53 / 100 - 90, 120));
  self->was_panel_shown = settings == NULL || g_settings_get_boolean (settings, "panel-shown");
  self->is_narrow = is_too_narrow (self, width);
  self->is_tight = is_too_tight (self, width);
  gtk_widget_set_visible (self->panel, self->was_panel_shown && !self->is_narrow);
  place_panel (self, width);
  spare_words (self);
  gtk_paned_set_position (GTK_PANED (self->panel_paned), width - PANEL_PX);
}

/* Remembers the size; a drawer that is closed says nothing of the panel in a wide window. */
void
ns_window_save_size (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();
  gboolean is_shown =
      self->is_narrow ? self->was_panel_shown : gtk_widget_get_visible (self->panel);
  int width;
  int height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings,
                          "window-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (settings, "panel-shown", is_shown);
}
