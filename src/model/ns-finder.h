/* Searches the shown rows for a text and steps through the matches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Maximum number of matches; beyond it the search reports "at least". */
#define NS_FINDER_MAX_HITS 100000

#define NS_TYPE_FINDER (ns_finder_get_type ())
G_DECLARE_FINAL_TYPE (NsFinder, ns_finder, NS, FINDER, GObject)

NsFinder *ns_finder_new (void);
void ns_finder_search (NsFinder *self,
                       NsTrace *trace,
                       NsTableId table,
                       const GArray *rows,
                       const GPtrArray *fields,
                       const char *text);
void ns_finder_search_matching (NsFinder *self,
                                NsTrace *trace,
                                NsTableId table,
                                const GArray *rows,
                                const char *text,
                                const char *filter);
void ns_finder_clear (NsFinder *self);
const char *ns_finder_get_text (NsFinder *self);
const char *ns_finder_get_filter (NsFinder *self);
NsTableId ns_finder_get_table (NsFinder *self);
gboolean ns_finder_is_busy (NsFinder *self);
gboolean ns_finder_is_capped (NsFinder *self);
const GArray *ns_finder_get_hits (NsFinder *self);
/* Returns the known start times of the matching rows; (element-type gint64). */
const GArray *ns_finder_get_times (NsFinder *self);
guint ns_finder_get_current (NsFinder *self);
gboolean ns_finder_go (NsFinder *self, int by, guint32 *row);
gboolean ns_finder_start_at (NsFinder *self, guint position, guint32 *row);
/* Returns whether a text contains the search text. */
gboolean ns_finder_is_in (const char *text, const char *wanted);

G_END_DECLS
