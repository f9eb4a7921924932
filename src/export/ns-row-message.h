/* Builds messages from the bytes of a row: joins, parses and decodes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-row-content.h"

G_BEGIN_DECLS

void ns_row_message_find_all (NsRowContent *content, gsize max_decoded);
void ns_row_message_mask_parts (NsRowContent *content);
char *ns_row_message_dup_note (const NsContentMessage *self);
void ns_row_message_clear (gpointer message);

G_END_DECLS
