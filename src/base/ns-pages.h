/* Large allocations straight from the system, returned to it when freed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gpointer ns_pages_new (gsize n_bytes);
void ns_pages_free (gpointer pages, gsize n_bytes);
void ns_pages_give_back (guint64 n_bytes);
gboolean ns_pages_have_room (guint64 n_bytes);
gboolean ns_pages_make_room (GArray *array, guint64 n_items);

G_END_DECLS
