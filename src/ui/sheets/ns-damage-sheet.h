/* List of the readable and the missing parts of a damaged trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_DAMAGE_SHEET (ns_damage_sheet_get_type ())
G_DECLARE_FINAL_TYPE (NsDamageSheet, ns_damage_sheet, NS, DAMAGE_SHEET, GtkWidget)

void ns_damage_sheet_set_session (NsDamageSheet *self, NsSession *session);

G_END_DECLS
