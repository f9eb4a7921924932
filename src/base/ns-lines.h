/* Line wrapping of long texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ns_lines_wrap (const char *text, guint n_chars);

G_END_DECLS
