/* Table of the differences between two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-comparison.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _NsCompareList NsCompareList;

NsCompareList *ns_compare_list_new (void);
void ns_compare_list_free (NsCompareList *self);
GtkWidget *ns_compare_list_get_view (NsCompareList *self);
GtkSelectionModel *ns_compare_list_get_selection (NsCompareList *self);
void ns_compare_list_show (NsCompareList *self, NsComparison *comparison);
const NsChange *ns_compare_list_get_chosen (NsCompareList *self);
const char *ns_compare_list_get_change_word (NsChangeKind kind);

G_END_DECLS
