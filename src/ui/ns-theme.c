/* Style sheet, palette as CSS colours, choice of light or dark, and scale of the desktop's font.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-layout.h"
#include "ui/ns-theme.h"

#include <string.h>

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
/* Width of a digit in the body font for which the column widths were designed. */
#define DIGIT_PX 8.9
#define OWNED "ns-theme"

/* Settings of the desktop and of the user, for a display, which owns them. */
typedef struct
{
  GtkCssProvider *colors;
  GtkCssProvider *sizes; /* for larger fonts */
  GDBusConnection *bus;
  char *style;          /* "system", "light" or "dark" */
  gboolean wants_dark;  /* gtk-application-prefer-dark-theme at startup */
  guint32 color_scheme; /* from the portal: 0 no preference, 1 dark, 2 light */
  guint32 contrast;     /* from the portal: 0 no preference, 1 high */
  double scale;         /* height of the desktop's font over the design's, at least 1 */
} Theme;

static void
theme_free (gpointer data)
{
  Theme *self = data;

  g_clear_object (&self->colors);
  g_clear_object (&self->sizes);
  g_clear_object (&self->bus);
  g_free (self->style);
  g_free (self);
}

/* Returns what the display owns, without style sheets until ns_theme_install(). */
static Theme *
get_theme (void)
{
  GObject *display = G_OBJECT (gdk_display_get_default ());
  Theme *self = g_object_get_data (display, OWNED);

  if (self != NULL)
    return self;
  self = g_new0 (Theme, 1);
  g_object_set_data_full (display, OWNED, self, theme_free);
  return self;
}

/* Returns whether the loaded theme is dark, by its colours. The theme name is not reliable: GTK
 * falls back to its own light theme if a theme is not installed. */
static gboolean
is_theme_dark (gboolean otherwise)
{
  GtkWidget *probe = g_object_ref_sink (gtk_label_new (NULL));
  GtkStyleContext *context = gtk_widget_get_style_context (probe);
  GdkRGBA ground;
  GdkRGBA text;

  if (gtk_style_context_lookup_color (context, "theme_bg_color", &ground) &&
      gtk_style_context_lookup_color (context, "theme_fg_color", &text))
    otherwise = ground.red + ground.green + ground.blue < text.red + text.green + text.blue;
  g_object_unref (probe);
  return otherwise;
}

static NsPaletteKind
find_kind (GtkSettings *settings)
{
  g_autofree char *name = NULL;
  const char *forced = g_getenv ("GTK_THEME");
  gboolean prefers_dark;
  gboolean is_dark;
  gboolean is_high;

  g_object_get (settings,
                "gtk-theme-name",
                &name,
                "gtk-application-prefer-dark-theme",
                &prefers_dark,
                NULL);
  if (forced != NULL && *forced != '\0')
    {
      g_free (name);
      name = g_strdup (forced);
      prefers_dark = FALSE;
    }
  if (name == NULL)
    name = g_strdup ("Default");
  is_dark = prefers_dark || g_str_has_suffix (name, "dark") || g_str_has_suffix (name, "Inverse");
  is_dark = is_theme_dark (is_dark);
  is_high = get_theme ()->contrast == 1 || strstr (name, "-hc") != NULL ||
            strstr (name, ":hc") != NULL || g_str_has_prefix (name, "HighContrast");
  if (is_high)
    return is_dark ? NS_PALETTE_HIGH_CONTRAST_DARK : NS_PALETTE_HIGH_CONTRAST;
  return is_dark ? NS_PALETTE_DARK : NS_PALETTE_LIGHT;
}

/* Style sheet for high contrast: outlines all buttons and entries, which themes may draw with a
 * shade only. */
static const char outlines[] =
    "button:not(.flat):not(.link):not(.close):not(.minimize):not(.maximize), entry, spinbutton,"
    " tooltip, checkbutton > check, checkbutton > radio { border: 1px solid @ns_border; }\n"
    /* A darker shade alone would not show which of two linked buttons is checked. */
    ".linked > button.toggle:checked { background: @ns_text; color: @ns_window; }\n";

static void
load_colors (Theme *self)
{
  NsPaletteKind kind = find_kind (gtk_settings_get_default ());
  g_autofree char *colors = ns_palette_to_css (kind);
  g_autofree char *css = g_strconcat (colors, kind > NS_PALETTE_DARK ? outlines : "", NULL);

  gtk_css_provider_load_from_data (self->colors, css, -1);
}

static void
apply_style (Theme *self)
{
  /* 0: the portal has no preference, so GTK's setting decides. */
  gboolean is_dark = self->color_scheme != 0 ? self->color_scheme == 1 : self->wants_dark;

  if (g_strcmp0 (self->style, "dark") == 0)
    is_dark = TRUE;
  else if (g_strcmp0 (self->style, "light") == 0)
    is_dark = FALSE;
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", is_dark, NULL);
  load_colors (self);
}

static void
take_portal_value (const char *key, GVariant *value)
{
  Theme *self = get_theme ();
  g_autoptr (GVariant) inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *next = g_variant_get_variant (inner);

      g_variant_unref (inner);
      inner = next;
    }
  if (!g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
    return;
  if (strcmp (key, "color-scheme") == 0)
    self->color_scheme = g_variant_get_uint32 (inner);
  else if (strcmp (key, "contrast") == 0)
    self->contrast = g_variant_get_uint32 (inner);
  apply_style (self);
}

static void
portal_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  if (reply == NULL)
    return;
  g_variant_get (reply, "(v)", &value);
  take_portal_value (user_data, value);
}

static void
portal_changed_cb (GDBusConnection *bus,
                   const char *sender,
                   const char *path,
                   const char *interface,
                   const char *signal,
                   GVariant *parameters,
                   gpointer user_data)
{
  const char *name;
  const char *key;
  g_autoptr (GVariant) value = NULL;

  g_variant_get (parameters, "(&s&sv)", &name, &key, &value);
  if (strcmp (name, APPEARANCE) == 0)
    take_portal_value (key, value);
}

static void
bus_ready_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  static const char *const keys[] = { "color-scheme", "contrast" };
  Theme *self = get_theme ();
  guint i;

  self->bus = g_bus_get_finish (result, NULL);
  if (self->bus == NULL)
    return;
  g_dbus_connection_signal_subscribe (self->bus,
                                      PORTAL_NAME,
                                      PORTAL_SETTINGS,
                                      "SettingChanged",
                                      PORTAL_PATH,
                                      NULL,
                                      G_DBUS_SIGNAL_FLAGS_NONE,
                                      portal_changed_cb,
                                      NULL,
                                      NULL);
  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    g_dbus_connection_call (self->bus,
                            PORTAL_NAME,
                            PORTAL_PATH,
                            PORTAL_SETTINGS,
                            "Read",
                            g_variant_new ("(ss)", APPEARANCE, keys[i]),
                            G_VARIANT_TYPE ("(v)"),
                            G_DBUS_CALL_FLAGS_NONE,
                            -1,
                            NULL,
                            portal_read_cb,
                            (gpointer) keys[i]);
}

static PangoFontDescription *
scaled_font (const PangoFontDescription *body, double factor)
{
  PangoFontDescription *font = pango_font_description_copy (body);
  int size = pango_font_description_get_size (font);

  if (pango_font_description_get_size_is_absolute (font))
    pango_font_description_set_absolute_size (font, size * factor);
  else
    pango_font_description_set_size (font, (int) (size * factor));
  return font;
}

/* Returns the line height of the dense font over that of the design; 1 below a factor of 1.15. */
static double
find_scale (PangoContext *context, const PangoFontDescription *dense)
{
  PangoFontMetrics *metrics = pango_context_get_metrics (context, dense, NULL);
  int height = pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics);
  /* The line height of the design is 18 px; fonts of 13.3 px commonly have 17 px. */
  double scale = (double) height / PANGO_SCALE / 18.0;

  pango_font_metrics_unref (metrics);
  return scale < 1.15 ? 1 : scale;
}

/* Computes the scale of the desktop's font, and loads the heights of the style sheet scaled by it.
 */
static void
load_sizes (Theme *self)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoFontDescription *body;
  PangoFontDescription *dense;
  g_autofree char *name = NULL;
  g_autofree char *css = NULL;
  int dpi;

  g_object_get (gtk_settings_get_default (), "gtk-font-name", &name, "gtk-xft-dpi", &dpi, NULL);
  /* Unrounded metrics, as GTK uses for its widgets. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (context, options);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
  pango_cairo_context_set_resolution (context, dpi > 0 ? dpi / 1024.0 : 96);
  body = pango_font_description_from_string (name != NULL ? name : "Sans 10");
  dense = scaled_font (body, 0.91);
  self->scale = find_scale (context, dense);
  css = ns_timeline_metrics_to_css (self->scale);
  gtk_css_provider_load_from_data (self->sizes, css, -1);
  pango_font_description_free (dense);
  pango_font_description_free (body);
  g_object_unref (context);
}

/**
 * ns_theme_install:
 *
 * Loads the style sheet for the default display, and updates it when the desktop's font, theme,
 * colour scheme or contrast changes.
 */
void
ns_theme_install (void)
{
  Theme *self = get_theme ();
  GdkDisplay *display = gdk_display_get_default ();
  GtkSettings *settings = gtk_settings_get_default ();
  g_autoptr (GtkCssProvider) sheet = gtk_css_provider_new ();

  g_object_get (settings, "gtk-application-prefer-dark-theme", &self->wants_dark, NULL);
  self->colors = gtk_css_provider_new ();
  load_colors (self);
  gtk_style_context_add_provider_for_display (display,
                                              GTK_STYLE_PROVIDER (self->colors),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_css_provider_load_from_resource (sheet, "/org/netstitch/Netstitch/style.css");
  gtk_style_context_add_provider_for_display (display,
                                              GTK_STYLE_PROVIDER (sheet),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  self->sizes = gtk_css_provider_new ();
  load_sizes (self);
  gtk_style_context_add_provider_for_display (display,
                                              GTK_STYLE_PROVIDER (self->sizes),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_signal_connect_swapped (settings, "notify::gtk-font-name", G_CALLBACK (load_sizes), self);
  g_signal_connect_swapped (settings, "notify::gtk-xft-dpi", G_CALLBACK (load_sizes), self);
  g_signal_connect_swapped (settings, "notify::gtk-theme-name", G_CALLBACK (load_colors), self);
  g_bus_get (G_BUS_TYPE_SESSION, NULL, bus_ready_cb, NULL);
}

/**
 * ns_theme_get_scale:
 *
 * Returns: the line height of the desktop's font over that of the design, at least 1
 */
double
ns_theme_get_scale (void)
{
  return MAX (get_theme ()->scale, 1);
}

/**
 * ns_theme_set_style:
 * @style: `system`, `light` or `dark`
 *
 * Applies the user's choice of style; `system` follows the desktop.
 */
void
ns_theme_set_style (const char *style)
{
  Theme *self = get_theme ();

  g_free (self->style);
  self->style = g_strdup (style);
  apply_style (self);
}

/**
 * ns_theme_get_width_scale:
 * @widget: a widget
 *
 * Returns: the digit width of the font of @widget over that of the design, at least 1
 */
double
ns_theme_get_width_scale (GtkWidget *widget)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int width = pango_font_metrics_get_approximate_digit_width (metrics);

  pango_font_metrics_unref (metrics);
  return MAX ((double) width / PANGO_SCALE / DIGIT_PX, 1);
}

/**
 * ns_theme_look_read:
 * @self: a look, zeroed before its first use
 * @widget: the widget to take the style from
 *
 * Reads colours and fonts; must be called again when the style of @widget changes.
 */
void
ns_theme_look_read (NsThemeLook *self, GtkWidget *widget)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  PangoContext *pango = gtk_widget_get_pango_context (widget);
  guint role;

  self->kind = find_kind (gtk_widget_get_settings (widget));
  ns_palette_init (&self->palette, self->kind);
  for (role = 0; role < NS_N_COLORS; role++)
    {
      GdkRGBA rgba;

      if (!gtk_style_context_lookup_color (context, ns_color_role_get_name (role), &rgba))
        continue;
      self->palette.colors[role] = (NsColor){ rgba.red, rgba.green, rgba.blue };
    }
  g_clear_pointer (&self->dense, pango_font_description_free);
  g_clear_pointer (&self->caption, pango_font_description_free);
  self->dense = scaled_font (pango_context_get_font_description (pango), 0.91);
  self->caption = scaled_font (pango_context_get_font_description (pango), 0.82);
  self->scale = find_scale (pango, self->dense);
}

/**
 * ns_theme_look_clear:
 * @self: a look
 *
 * Frees the fonts of @self.
 */
void
ns_theme_look_clear (NsThemeLook *self)
{
  g_clear_pointer (&self->dense, pango_font_description_free);
  g_clear_pointer (&self->caption, pango_font_description_free);
}

/**
 * ns_theme_look_begin:
 * @self: a look that has been read
 * @paint: (out caller-allocates): a painter on @cr
 * @cr: the cairo context to draw to
 *
 * Initializes a painter that draws to @cr with the colours and fonts of @self.
 */
void
ns_theme_look_begin (NsThemeLook *self, NsPaint *paint, cairo_t *cr)
{
  memset (paint, 0, sizeof *paint);
  paint->cr = cr;
  paint->palette = &self->palette;
  paint->dense = self->dense;
  paint->caption = self->caption;
  paint->scale = self->scale;
}
