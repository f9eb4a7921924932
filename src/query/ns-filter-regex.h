/* A regular expression that is asked about very many texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsFilterRegex NsFilterRegex;

NsFilterRegex *ns_filter_regex_new (const char *pattern, GError **error);
void ns_filter_regex_free (NsFilterRegex *self);
void ns_filter_regex_prepare (NsFilterRegex *self);
gboolean ns_filter_regex_matches (const NsFilterRegex *self, const char *text);
char *ns_filter_regex_dup_literal (const char *pattern);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilterRegex, ns_filter_regex_free)

G_END_DECLS
