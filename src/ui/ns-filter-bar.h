/* The filter of the table that is looked at: its conditions, the entry for more, saved filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NsValueFilter:
 * @NS_FILTER_ONLY_VALUE: keeps only rows with a value
 * @NS_FILTER_WITHOUT_VALUE: keeps those without it
 * @NS_FILTER_ALSO_VALUE: keeps those with it, too
 */
typedef enum
{
  NS_FILTER_ONLY_VALUE,
  NS_FILTER_WITHOUT_VALUE,
  NS_FILTER_ALSO_VALUE,
} NsValueFilter;

#define NS_TYPE_FILTER_BAR (ns_filter_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsFilterBar, ns_filter_bar, NS, FILTER_BAR, GtkBox)

GActionMap *ns_filter_bar_get_actions (NsFilterBar *self);
void ns_filter_bar_set_session (NsFilterBar *self, NsSession *session);
void ns_filter_bar_set_narrow (NsFilterBar *self, gboolean is_narrow);
GtkWidget *ns_filter_bar_get_entry (NsFilterBar *self);
gboolean ns_filter_bar_close_offers (NsFilterBar *self);
void ns_filter_bar_set_text (NsFilterBar *self, const char *text);
void ns_filter_bar_add_condition (NsFilterBar *self, const char *condition, const char *name);
void ns_filter_bar_add_value (NsFilterBar *self,
                              NsValueFilter how,
                              const char *field,
                              const char *condition);

G_END_DECLS
