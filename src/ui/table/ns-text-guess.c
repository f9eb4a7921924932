/* Estimates the width of a text without a font, to select the texts to measure.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-text-guess.h"

#include <string.h>

/* Typical widths in screen fonts, in tenths of a digit. */
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
 * Estimates which of two texts is wider: capitals and broad letters count more.
 *
 * Returns: the approximate width, in tenths of a digit
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
