/* Demangles linker symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits for untrusted names: length and memory in bytes, nesting, number of arguments. */
#define NS_UNDECORATE_MAX_NAME (64u << 10)
#define NS_UNDECORATE_MAX_MEMORY (4u << 20)
#define NS_UNDECORATE_MAX_DEPTH 96u
#define NS_UNDECORATE_MAX_ARGUMENTS 2000u

char *ns_undecorate (const char *name, gsize n_bytes, gboolean is_x86);

G_END_DECLS
