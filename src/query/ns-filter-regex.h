/* A regular expression for matching many texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsFilterRegex NsFilterRegex;

/**
 * NsFilterLiterals: (skip)
 * @texts: literals that every match contains, in this order, in any case
 * @n_last: length of the last one, in bytes
 * @is_at_end: whether the last one is at the end of the text
 */
typedef struct
{
  char **texts;
  gsize n_last;
  gboolean is_at_end;
} NsFilterLiterals;

NsFilterRegex *ns_filter_regex_new (const char *pattern, GError **error);
void ns_filter_regex_free (NsFilterRegex *self);
void ns_filter_regex_prepare (NsFilterRegex *self);
guint ns_filter_regex_count_given_up (const NsFilterRegex *self);
gboolean ns_filter_regex_matches (const NsFilterRegex *self, const char *text);

NsFilterLiterals *ns_filter_literals_new (const char *pattern);
void ns_filter_literals_free (NsFilterLiterals *self);
gboolean ns_filter_literals_are_in (const NsFilterLiterals *self, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilterRegex, ns_filter_regex_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFilterLiterals, ns_filter_literals_free)

G_END_DECLS
