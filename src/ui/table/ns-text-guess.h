/* Estimates the width of a text without a font.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint ns_text_guess_width (const char *text);

G_END_DECLS
