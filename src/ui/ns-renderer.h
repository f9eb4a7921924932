/* Choice of the GSK renderer: OpenGL with a graphics card, otherwise cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_renderer_has_card (const char *dev);
void ns_renderer_choose (void);

G_END_DECLS
