/* Text matching for filters: substrings and wildcards.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *ns_filter_text_find (const char *text, const char *part);
gboolean ns_filter_text_contains (const char *text, const char *part);
gboolean ns_filter_text_is_like (const char *text, const char *pattern);

G_END_DECLS
