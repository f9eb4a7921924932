/* How wide a text is, about: enough to tell which of many texts is to be measured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-text-guess.h"

#include <string.h>

/* In tenths of the width of a digit, as fonts for screens commonly have them. */
#define NARROW 5
#define USUAL 10
#define CAPITAL 12
#define BROAD 15
#define FULL 20

static guint
guess_letter (gunichar letter)
{
  if (letter < 0x80 && strchr ("ijlI.,:;|!'()[]/ ", (int) letter) != NULL)
    return NARROW;
  if (letter < 0x80 && strchr ("mwMW@%", (int) letter) != NULL)
    return BROAD;
  if (g_unichar_iswide (letter))
    return FULL;
  if (g_unichar_iszerowidth (letter))
    return 0;
  return g_unichar_isupper (letter) ? CAPITAL : USUAL;
}

/**
 * ns_text_guess_width:
 * @text: UTF-8
 *
 * Tells without a font, and so at once, which of two texts is likely to be wider: of as many
 * letters, capitals and broad ones take more room.
 *
 * Returns: its width in tenths of that of a digit, about
 */
guint
ns_text_guess_width (const char *text)
{
  guint width = 0;

  g_return_val_if_fail (text != NULL, 0);

  for (; *text != '\0'; text = g_utf8_next_char (text))
    width += guess_letter (g_utf8_get_char (text));
  return width;
}
