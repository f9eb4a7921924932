/* Makes untrusted texts safe to show.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_plain_is_disturbing (gunichar c);
void ns_plain_make (char *text);

G_END_DECLS
