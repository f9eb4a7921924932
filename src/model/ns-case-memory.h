/* Remembers the list of files of a trace after files were added or removed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_case_memory_keep (const GPtrArray *named, const GPtrArray *files);
GPtrArray *ns_case_memory_read (const GPtrArray *named);
guint ns_case_memory_count_others (const GPtrArray *files, const GPtrArray *others);

G_END_DECLS
