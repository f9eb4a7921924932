/* The program's settings, and what else its windows share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-handed-files.h"
#include "model/ns-trace-loader.h"

G_BEGIN_DECLS

void ns_settings_choose_backend (void);
GSettings *ns_settings_get (void);
NsViewContext *ns_settings_get_view (void);
NsHandedFiles *ns_settings_get_handed_files (void);
void ns_settings_apply_symbols (void);
void ns_settings_apply_stacks (void);
gboolean ns_settings_apply_places (GError **error);
gsize ns_settings_get_payload_bytes (void);
void ns_settings_add_symbol_folder (const char *folder);

G_END_DECLS
