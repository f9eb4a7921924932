/* Why symbols cannot be had from a file or a place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-error.h"

G_DEFINE_QUARK (ns_symbol_error, ns_symbol_error)
