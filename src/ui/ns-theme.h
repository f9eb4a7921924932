/* Style sheet, palette as CSS colours, choice of light or dark, and scale of the desktop's font.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fonts and colours of a widget, for painting. */
typedef struct
{
  NsPaletteKind kind;
  NsPalette palette;
  PangoFontDescription *dense;
  PangoFontDescription *caption;
  double scale;
} NsThemeLook;

void ns_theme_install (void);
void ns_theme_set_style (const char *style);
double ns_theme_get_scale (void);
double ns_theme_get_width_scale (GtkWidget *widget);
void ns_theme_look_read (NsThemeLook *self, GtkWidget *widget);
void ns_theme_look_clear (NsThemeLook *self);
void ns_theme_look_begin (NsThemeLook *self, NsPaint *paint, cairo_t *cr);

G_END_DECLS
