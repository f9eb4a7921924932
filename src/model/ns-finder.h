/* Finds a text in the rows that are shown, and walks from hit to hit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Rows more than these are not counted; the search says "at least". */
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
/* The moments at which the rows began, where they are known; (element-type gint64). */
const GArray *ns_finder_get_times (NsFinder *self);
guint ns_finder_get_current (NsFinder *self);
gboolean ns_finder_go (NsFinder *self, int by, guint32 *row);
gboolean ns_finder_start_at (NsFinder *self, guint position, guint32 *row);
/* Whether a text has what is looked for. */
gboolean ns_finder_is_in (const char *text, const char *wanted);

G_END_DECLS
