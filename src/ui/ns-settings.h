/* What the program remembers; it works without any, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GSettings *ns_settings_get (void);

G_END_DECLS
