/* Dialog that corrects the clock of a log or of a trace file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-log-clocks.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_log_sheet_ask (GtkWindow *parent, const NsLogClock *clock, char **columns);

G_END_DECLS
