/* Expands the compressed files of symbol stores: cabinets with one file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

#include "symbols/ns-symbol-error.h"

G_BEGIN_DECLS

#define NS_SYMBOL_MAX_EXPANDED (G_GUINT64_CONSTANT (8) << 30)

gboolean
ns_symbol_cabinet_expand (const char *path, int to_fd, GCancellable *cancellable, GError **error);

G_END_DECLS
