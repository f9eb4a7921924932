/* The filter, the history and what is saved of them, in the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-window-private.h"

G_BEGIN_DECLS

typedef enum
{
  NS_WINDOW_ONLY_VALUE,
  NS_WINDOW_WITHOUT_VALUE,
  NS_WINDOW_ALSO_VALUE,
} NsWindowValueFilter;

void ns_window_add_filter (NsWindow *self);
void ns_window_enable_filter (NsWindow *self, gboolean has_trace);
void ns_window_reset_filters (NsWindow *self);
void ns_window_show_chips (NsWindow *self);
void ns_window_count_chips (NsWindow *self);
void ns_window_names_changed (NsWindow *self);
void ns_window_take_filters (NsWindow *self);
void ns_window_update_crumbs (NsWindow *self);
void ns_window_filter_value (NsWindow *self,
                             NsWindowValueFilter how,
                             const char *field,
                             const char *condition);

void ns_window_add_condition (NsWindow *self, const char *condition, const char *name);
void ns_window_set_named_filter (NsWindow *self, const char *condition, const char *name);

void ns_window_add_filter_follow (NsWindow *self);
void ns_window_enable_filter_follow (NsWindow *self, gboolean has_row);
void ns_window_check_followed (NsWindow *self);
void ns_window_forget_followed (NsWindow *self);

void ns_window_add_history (NsWindow *self);
void ns_window_enable_history (NsWindow *self, gboolean has_trace);
void ns_window_reset_history (NsWindow *self);
void ns_window_record (NsWindow *self, NsHistoryKind kind);
void ns_window_record_spans (NsWindow *self);
void ns_window_amend (NsWindow *self);
void ns_window_take_asked_view (NsWindow *self);
void ns_window_save_chips (NsWindow *self, GVariantDict *view);
void ns_window_restore_chips (NsWindow *self, GVariant *view);

void ns_window_add_go (NsWindow *self);
void ns_window_enable_go (NsWindow *self, gboolean has_trace);
void ns_window_go_to_text (NsWindow *self, const char *text);

void ns_window_add_copy (NsWindow *self);
void ns_window_enable_copy (NsWindow *self, gboolean has_trace);

G_END_DECLS
