/* The errors a trace, a schema or a query can end in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"

G_DEFINE_QUARK (ns_trace_error, ns_trace_error)
