/* Selects the database for the locations of IP addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-view-context.h"

G_BEGIN_DECLS

gboolean ns_places_use (NsViewContext *view, const char *path, GError **error);

G_END_DECLS
