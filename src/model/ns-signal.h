/* Creates simple signals: run last, without accumulator or default handler.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

guint ns_signal_new (GType type, const char *name, GType returned, guint n_params, ...);

G_END_DECLS
