/* Writing elements of a Tcl list into a string.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ns_tcl_quote_tail (GString *text, gsize begin);

G_END_DECLS
