/* Dialog that asks for a label for a provider without a known name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_name_sheet_ask (GtkWindow *parent, NsSession *session, guint row);

G_END_DECLS
