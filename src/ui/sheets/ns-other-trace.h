/* Selection of a second trace for windows that compare or pair two traces: an open trace or any
 * file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NsOtherTraceFunc:
 * @sheet: (type GtkWindow): the window
 * @file: the chosen file
 */
typedef void (*NsOtherTraceFunc) (gpointer sheet, GFile *file);

NsTrace *ns_other_trace_find (GtkWindow *sheet, GFile *file);
GtkWidget *ns_other_trace_button_new (GtkWindow *sheet,
                                      const char *label,
                                      const char *name,
                                      const char *with,
                                      const char *choose);
void ns_other_trace_choose (GtkWindow *sheet,
                            const char *title,
                            const char *accept,
                            NsOtherTraceFunc func);
void ns_other_trace_begin (GtkWindow *sheet,
                           GFile *ours,
                           GFile *file,
                           NsOtherTraceFunc func,
                           const char *choose);
gpointer ns_other_trace_sheet_new (GType type, GtkWindow *parent);
void ns_other_trace_go_to (GtkWindow *sheet, GFile *file, NsRow row);

G_END_DECLS
