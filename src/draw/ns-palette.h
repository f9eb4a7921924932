/* The colours of the program by role; painters name roles and never use RGB values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

typedef enum
{
  NS_COLOR_WINDOW,
  NS_COLOR_HEADER,
  NS_COLOR_BASE,
  NS_COLOR_BASE_ALT,
  NS_COLOR_BORDER,
  NS_COLOR_GRID,
  NS_COLOR_TEXT,
  NS_COLOR_TEXT_DIM,
  NS_COLOR_TEXT_STRONG,
  NS_COLOR_ACCENT,
  NS_COLOR_SEL_ROW,
  NS_COLOR_SEL_SPAN,
  NS_COLOR_HOVER_ROW,
  NS_COLOR_FOCUS,
  NS_COLOR_CHIP,
  NS_COLOR_TIP,
  NS_COLOR_TIP_TEXT,
  NS_COLOR_FAILURE,
  NS_COLOR_WARNING,
  NS_COLOR_OK,
  NS_COLOR_LOST,
  NS_COLOR_FIND,
  NS_COLOR_WINHTTP,
  NS_COLOR_WININET,
  NS_COLOR_CHROMIUM,
  NS_COLOR_LDAP,
  NS_COLOR_WINSOCK,
  NS_COLOR_TCP,
  NS_COLOR_UDP,
  NS_COLOR_QUIC,
  NS_COLOR_DNS,
  NS_COLOR_BITS,
  NS_COLOR_WFP,
  NS_COLOR_SMB,
  NS_COLOR_RPC,
  NS_COLOR_DOTNET,
  NS_N_COLORS,
} NsColorRole;

typedef enum
{
  NS_PALETTE_LIGHT,
  NS_PALETTE_DARK,
  NS_PALETTE_HIGH_CONTRAST,
  NS_PALETTE_HIGH_CONTRAST_DARK,
} NsPaletteKind;

/* Components from 0 to 1. */
typedef struct
{
  double red;
  double green;
  double blue;
} NsColor;

typedef struct
{
  NsColor colors[NS_N_COLORS];
  gboolean is_high_contrast;
} NsPalette;

void ns_palette_init (NsPalette *self, NsPaletteKind kind);
const char *ns_color_role_get_name (NsColorRole role);
char *ns_palette_to_css (NsPaletteKind kind);
NsColorRole ns_palette_get_process_role (const char *name);
NsColorRole ns_palette_get_protocol_role (guint32 protocol);
NsColor ns_color_mix (const NsColor *over, const NsColor *under, double part);
double ns_color_get_luminance (const NsColor *self);
double ns_color_get_contrast (const NsColor *a, const NsColor *b);

G_END_DECLS
