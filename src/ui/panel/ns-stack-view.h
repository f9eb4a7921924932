/* Call stack of a row: the stacks of all threads involved with the thread switches between them,
 * newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "model/ns-symbol-job.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_STACK_VIEW (ns_stack_view_get_type ())
G_DECLARE_FINAL_TYPE (NsStackView, ns_stack_view, NS, STACK_VIEW, GtkWidget)

GtkWidget *ns_stack_view_new (void);
void ns_stack_view_set_session (NsStackView *self, NsSession *session);
void ns_stack_view_set_symbols (NsStackView *self, NsSymbolJob *symbols);
void ns_stack_view_set_activity (NsStackView *self, NsTrace *trace, guint32 activity);
void ns_stack_view_set_task (NsStackView *self, NsTrace *trace, guint32 row);
guint ns_stack_view_set_event (NsStackView *self, NsTrace *trace, guint32 row);
gboolean ns_stack_view_copy_frame (NsStackView *self);
void ns_stack_view_choose_frame (NsStackView *self, guint64 address);
char *ns_stack_view_to_text (NsStackView *self);
GtkWidget *ns_stack_view_get_parts (NsStackView *self);

G_END_DECLS
