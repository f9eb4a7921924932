/* Context menu of a table row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GMenuModel *ns_row_menu_new (NsSession *session,
                             const NsField *field,
                             const NsFieldValue *value,
                             gboolean *has_value);

G_END_DECLS
