/* The filter entry: syntax highlighting, error marks, and completion.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-filter-values-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FILTER_ENTRY (ns_filter_entry_get_type ())
G_DECLARE_FINAL_TYPE (NsFilterEntry, ns_filter_entry, NS, FILTER_ENTRY, GtkEntry)

void ns_filter_entry_set_table (NsFilterEntry *self, NsTrace *trace, NsTableId table);
void ns_filter_entry_set_text (NsFilterEntry *self, const char *text);
void ns_filter_entry_set_error (NsFilterEntry *self, const NsFilterSpan *where, const char *reason);
void ns_filter_entry_take_offer (NsFilterEntry *self, guint position);
gboolean ns_filter_entry_popdown (NsFilterEntry *self);
GtkWidget *ns_filter_entry_find_other_text (NsFilterEntry *self);

G_END_DECLS
