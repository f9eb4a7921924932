/* Saves a recording profile, so that the next trace tells more.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_recipe_file_save (const char *path, GError **error);

G_END_DECLS
