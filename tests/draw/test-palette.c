/* Tests the contrast of the colours in every palette.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-palette.h"
#include "engine/catalog/ns-kinds.h"

#include <string.h>

static void
test_texts_and_marks_can_be_read (void)
{
  static const NsColorRole texts[] = { NS_COLOR_TEXT,    NS_COLOR_TEXT_DIM, NS_COLOR_ACCENT,
                                       NS_COLOR_FAILURE, NS_COLOR_WARNING,  NS_COLOR_LOST };
  static const NsColorRole grounds[] = { NS_COLOR_BASE, NS_COLOR_WINDOW };
  NsPaletteKind kind;

  for (kind = NS_PALETTE_LIGHT; kind <= NS_PALETTE_HIGH_CONTRAST_DARK; kind++)
    {
      NsPalette palette;
      guint i;
      guint k;

      ns_palette_init (&palette, kind);
      for (i = 0; i < G_N_ELEMENTS (texts); i++)
        for (k = 0; k < G_N_ELEMENTS (grounds); k++)
          g_assert_cmpfloat (ns_color_get_contrast (&palette.colors[texts[i]],
                                                    &palette.colors[grounds[k]]),
                             >=,
                             4.5);
      for (i = NS_COLOR_WINHTTP; i < NS_N_COLORS; i++)
        {
          g_assert_cmpfloat (ns_color_get_contrast (&palette.colors[i],
                                                    &palette.colors[NS_COLOR_BASE]),
                             >=,
                             3.0);
          g_assert_cmpfloat (ns_color_get_contrast (&palette.colors[i],
                                                    &palette.colors[NS_COLOR_SEL_ROW]),
                             >=,
                             3.0);
        }
    }
}

static void
test_every_role_has_a_name_in_css (void)
{
  g_autofree char *css = ns_palette_to_css (NS_PALETTE_DARK);
  guint role;

  for (role = 0; role < NS_N_COLORS; role++)
    {
      g_autofree char *line =
          g_strdup_printf ("@define-color %s ", ns_color_role_get_name ((NsColorRole) role));

      g_assert_nonnull (strstr (css, line));
    }
}

/* Adjacent layers are distinguishable by hue. */
static void
test_every_layer_has_a_hue (void)
{
  static const guint32 layers[] = { NS_LAYER_TCP,     NS_LAYER_UDP,      NS_LAYER_WINSOCK,
                                    NS_LAYER_WININET, NS_LAYER_WINHTTP,  NS_LAYER_DOTNET,
                                    NS_LAYER_LDAP,    NS_LAYER_CHROMIUM, NS_LAYER_QUIC,
                                    NS_LAYER_DNS,     NS_LAYER_BITS,     NS_LAYER_WFP,
                                    NS_LAYER_SMB,     NS_LAYER_RPC };
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    for (k = 0; k < i; k++)
      g_assert_cmpuint (ns_palette_get_protocol_role (layers[i]),
                        !=,
                        ns_palette_get_protocol_role (layers[k]));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/palette/texts-and-marks-can-be-read", test_texts_and_marks_can_be_read);
  g_test_add_func ("/palette/every-role-has-a-name-in-css", test_every_role_has_a_name_in_css);
  g_test_add_func ("/palette/every-layer-has-a-hue", test_every_layer_has_a_hue);
  return g_test_run ();
}
