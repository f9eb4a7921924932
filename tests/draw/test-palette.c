/* Claims about the colours: they can be read, in every palette.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-palette.h"

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/palette/texts-and-marks-can-be-read", test_texts_and_marks_can_be_read);
  g_test_add_func ("/palette/every-role-has-a-name-in-css", test_every_role_has_a_name_in_css);
  return g_test_run ();
}
