/* A chip: a filter condition or a column, with its row count; a click switches it on or off.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-filter-chips.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_CHIP (ns_chip_get_type ())
G_DECLARE_FINAL_TYPE (NsChip, ns_chip, NS, CHIP, GtkWidget)

NsChip *ns_chip_new (const char *prefix, guint index);
void ns_chip_set (NsChip *self, const char *text, const char *count, guint n_rows, gboolean is_on);
void ns_chip_show_handle (NsChip *self);
void ns_chip_fill_box (GtkBox *box, NsFilterChips *chips);

G_END_DECLS
