/* Appends elements of Tcl lists to a text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ns_tcl_quote_tail (GString *text, gsize begin);

G_END_DECLS
