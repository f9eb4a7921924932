/* The colours of the program by role, in light, dark and high contrast.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-palette.h"

#include <math.h>

typedef struct
{
  const char *name;
  const char *theme_name; /* colour of the GTK theme, if it defines one; NULL: none */
  guint32 rgb[3];         /* light, dark, high contrast */
} RoleColors;

/* clang-format off */
static const RoleColors roles[NS_N_COLORS] = {
  [NS_COLOR_WINDOW]      = { "ns_window",      "theme_bg_color",   { 0xf6f5f4, 0x353535, 0xffffff } },
  [NS_COLOR_HEADER]      = { "ns_header",      NULL,               { 0xebe9e6, 0x2e2e2e, 0xffffff } },
  [NS_COLOR_BASE]        = { "ns_base",        "theme_base_color", { 0xffffff, 0x2a2a2a, 0xffffff } },
  [NS_COLOR_BASE_ALT]    = { "ns_base_alt",    NULL,               { 0xf8f7f6, 0x303030, 0xffffff } },
  [NS_COLOR_BORDER]      = { "ns_border",      "borders",          { 0xd0cbc7, 0x191919, 0x000000 } },
  [NS_COLOR_GRID]        = { "ns_grid",        NULL,               { 0xe9e6e3, 0x3d3d3d, 0x8a8a8a } },
  [NS_COLOR_TEXT]        = { "ns_text",        "theme_fg_color",   { 0x2e3436, 0xeeeeec, 0x000000 } },
  [NS_COLOR_TEXT_DIM]    = { "ns_text_dim",    NULL,               { 0x585d60, 0xb7b9b6, 0x000000 } },
  [NS_COLOR_TEXT_STRONG] = { "ns_text_strong", NULL,               { 0x101314, 0xffffff, 0x000000 } },
  [NS_COLOR_ACCENT]      = { "ns_accent",      NULL,               { 0x1a63c0, 0x84b6f2, 0x0000c0 } },
  [NS_COLOR_SEL_ROW]     = { "ns_sel_row",     NULL,               { 0xd6e6f9, 0x263a55, 0xcfe0ff } },
  [NS_COLOR_SEL_SPAN]    = { "ns_sel_span",    NULL,               { 0x1a63c0, 0x84b6f2, 0x0000c0 } },
  [NS_COLOR_HOVER_ROW]   = { "ns_hover_row",   NULL,               { 0xefedeb, 0x3b3b3b, 0xe6e6e6 } },
  [NS_COLOR_FOCUS]       = { "ns_focus",       NULL,               { 0x1a63c0, 0x84b6f2, 0x000000 } },
  [NS_COLOR_CHIP]        = { "ns_chip",        NULL,               { 0xdfe9f5, 0x34455a, 0xffffff } },
  [NS_COLOR_TIP]         = { "ns_tip",         NULL,               { 0x26282a, 0x101112, 0x000000 } },
  [NS_COLOR_TIP_TEXT]    = { "ns_tip_text",    NULL,               { 0xf6f5f4, 0xf6f5f4, 0xffffff } },
  [NS_COLOR_FAILURE]     = { "ns_failure",     NULL,               { 0xa8201a, 0xff8a73, 0xa00000 } },
  [NS_COLOR_WARNING]     = { "ns_warning",     NULL,               { 0x8a5300, 0xf0b44c, 0x6b3d00 } },
  [NS_COLOR_OK]          = { "ns_ok",          NULL,               { 0x1f6f3a, 0x7bd08e, 0x005a1e } },
  [NS_COLOR_LOST]        = { "ns_lost",        NULL,               { 0x8a4b6b, 0xd993b6, 0x5e0038 } },
  [NS_COLOR_FIND]        = { "ns_find",        NULL,               { 0xffe36e, 0x6d5a00, 0xffff00 } },
  [NS_COLOR_WINHTTP]     = { "ns_winhttp",     NULL,               { 0x1a5fb4, 0x6fb0f5, 0x00389c } },
  [NS_COLOR_WININET]     = { "ns_wininet",     NULL,               { 0x0a7460, 0x3fc0a2, 0x00543f } },
  [NS_COLOR_CHROMIUM]    = { "ns_chromium",    NULL,               { 0x9346c4, 0xbd86e6, 0x7a1fb8 } },
  [NS_COLOR_LDAP]        = { "ns_ldap",        NULL,               { 0x966200, 0xe3ab4a, 0x6a4000 } },
  [NS_COLOR_WINSOCK]     = { "ns_winsock",     NULL,               { 0x4c5a67, 0xaab7c4, 0x303a44 } },
  [NS_COLOR_TCP]         = { "ns_tcp",         NULL,               { 0x667047, 0xc6d09c, 0x4c5a1a } },
  [NS_COLOR_UDP]         = { "ns_udp",         NULL,               { 0x7c3a4c, 0xdfa0b0, 0x5c1030 } },
  [NS_COLOR_QUIC]        = { "ns_quic",        NULL,               { 0x00768f, 0x5cc9de, 0x005a70 } },
  [NS_COLOR_DNS]         = { "ns_dns",         NULL,               { 0x22266f, 0xd5d8ff, 0x000050 } },
  [NS_COLOR_BITS]        = { "ns_bits",        NULL,               { 0xa8287c, 0xf08bc8, 0x8a0060 } },
  [NS_COLOR_WFP]         = { "ns_wfp",         NULL,               { 0x84452c, 0xe0a487, 0x5a2a14 } },
  [NS_COLOR_SMB]         = { "ns_smb",         NULL,               { 0x2f7018, 0x9bd873, 0x1c5200 } },
  [NS_COLOR_RPC]         = { "ns_rpc",         NULL,               { 0x5b48b8, 0xaea2f2, 0x40309c } },
  [NS_COLOR_DOTNET]      = { "ns_dotnet",      NULL,               { 0x666600, 0xdce03c, 0x4a4a00 } },
};
/* clang-format on */

static guint32
role_rgb (NsColorRole role, NsPaletteKind kind)
{
  if (kind != NS_PALETTE_HIGH_CONTRAST_DARK)
    return roles[role].rgb[kind];

  /* Dark values on pure black, with lines of 60 % white. */
  switch ((guint) role)
    {
    case NS_COLOR_BASE:
    case NS_COLOR_BASE_ALT:
    case NS_COLOR_WINDOW:
    case NS_COLOR_HEADER:
      return 0x000000;
    case NS_COLOR_TEXT:
    case NS_COLOR_TEXT_DIM:
    case NS_COLOR_FOCUS:
      return 0xffffff;
    case NS_COLOR_BORDER:
    case NS_COLOR_GRID:
      return 0x999999;
    default:
      return roles[role].rgb[NS_PALETTE_DARK];
    }
}

/**
 * ns_palette_init:
 * @self: (out caller-allocates): the palette
 * @kind: the kind
 *
 * Sets the default colours, which apply where the theme defines none.
 */
void
ns_palette_init (NsPalette *self, NsPaletteKind kind)
{
  guint role;

  for (role = 0; role < NS_N_COLORS; role++)
    {
      guint32 rgb = role_rgb (role, kind);

      self->colors[role].red = (rgb >> 16 & 0xff) / 255.0;
      self->colors[role].green = (rgb >> 8 & 0xff) / 255.0;
      self->colors[role].blue = (rgb & 0xff) / 255.0;
    }
  self->is_high_contrast =
      kind == NS_PALETTE_HIGH_CONTRAST || kind == NS_PALETTE_HIGH_CONTRAST_DARK;
}

/**
 * ns_color_role_get_name:
 * @role: a role
 *
 * Returns: the name of the role in CSS
 */
const char *
ns_color_role_get_name (NsColorRole role)
{
  g_return_val_if_fail (role < NS_N_COLORS, NULL);

  return roles[role].name;
}

/**
 * ns_palette_to_css:
 * @kind: the kind of palette
 *
 * Background, text and border colours refer to the theme, except in high contrast.
 *
 * Returns: (transfer full): `@define-color` lines for all roles
 */
char *
ns_palette_to_css (NsPaletteKind kind)
{
  GString *css = g_string_new (NULL);
  guint role;

  for (role = 0; role < NS_N_COLORS; role++)
    if (roles[role].theme_name != NULL && kind <= NS_PALETTE_DARK)
      g_string_append_printf (css,
                              "@define-color %s @%s;\n",
                              roles[role].name,
                              roles[role].theme_name);
    else
      g_string_append_printf (css,
                              "@define-color %s #%06x;\n",
                              roles[role].name,
                              role_rgb (role, kind));
  return g_string_free (css, FALSE);
}

/**
 * ns_palette_get_process_role:
 * @name: displayed name of a process
 *
 * Returns: the colour of the process, from a hash of its name; several processes may share one
 */
NsColorRole
ns_palette_get_process_role (const char *name)
{
  return (NsColorRole) (NS_COLOR_WINHTTP + g_str_hash (name) % (NS_COLOR_BITS - NS_COLOR_WINHTTP));
}

/**
 * ns_palette_get_protocol_role:
 * @protocol: one bit of #NsLayers
 *
 * Returns: the colour of a protocol
 */
NsColorRole
ns_palette_get_protocol_role (guint32 protocol)
{
  if (protocol & NS_LAYER_LDAP)
    return NS_COLOR_LDAP;
  if (protocol & NS_LAYER_CHROMIUM)
    return NS_COLOR_CHROMIUM;
  if (protocol & NS_LAYER_WFP)
    return NS_COLOR_WFP;
  if (protocol & NS_LAYER_SMB)
    return NS_COLOR_SMB;
  if (protocol & NS_LAYER_RPC)
    return NS_COLOR_RPC;
  if (protocol & NS_LAYER_BITS)
    return NS_COLOR_BITS;
  if (protocol & NS_LAYER_DOTNET)
    return NS_COLOR_DOTNET;
  if (protocol & (NS_LAYER_WINHTTP | NS_LAYER_HTTP_SERVER))
    return NS_COLOR_WINHTTP;
  if (protocol & (NS_LAYER_WININET | NS_LAYER_URLMON))
    return NS_COLOR_WININET;
  if (protocol & NS_LAYER_QUIC)
    return NS_COLOR_QUIC;
  if (protocol & NS_LAYER_DNS)
    return NS_COLOR_DNS;
  if (protocol & NS_LAYER_WINSOCK)
    return NS_COLOR_WINSOCK;
  if (protocol & NS_LAYER_UDP)
    return NS_COLOR_UDP;
  return NS_COLOR_TCP;
}

/**
 * ns_color_mix:
 * @over: a colour
 * @under: the background colour
 * @part: share of @over, 0 to 1
 *
 * Returns: the mixed colour
 */
NsColor
ns_color_mix (const NsColor *over, const NsColor *under, double part)
{
  NsColor mixed = {
    under->red + (over->red - under->red) * part,
    under->green + (over->green - under->green) * part,
    under->blue + (over->blue - under->blue) * part,
  };

  return mixed;
}

static double
linear (double component)
{
  return component <= 0.03928 ? component / 12.92 : pow ((component + 0.055) / 1.055, 2.4);
}

/**
 * ns_color_get_luminance:
 * @self: a colour
 *
 * Returns: its relative luminance, 0 to 1, as WCAG 2 defines it
 */
double
ns_color_get_luminance (const NsColor *self)
{
  return 0.2126 * linear (self->red) + 0.7152 * linear (self->green) + 0.0722 * linear (self->blue);
}

/**
 * ns_color_get_contrast:
 * @a: a colour
 * @b: another
 *
 * Returns: their contrast, 1 to 21, as WCAG 2 defines it
 */
double
ns_color_get_contrast (const NsColor *a, const NsColor *b)
{
  double la = ns_color_get_luminance (a);
  double lb = ns_color_get_luminance (b);

  return (MAX (la, lb) + 0.05) / (MIN (la, lb) + 0.05);
}
