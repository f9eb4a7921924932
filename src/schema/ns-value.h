/* Formats payload values, for the other files of this folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-payload.h"

G_BEGIN_DECLS

void ns_value_append_exact (const NsPayloadItem *item, const NsSecrets *secrets, GString *text);

void ns_value_append_int (GString *text, gint64 value);
void ns_value_append_uint (GString *text, guint64 value);
void ns_value_append_hex (GString *text, guint64 value);
void ns_value_append_bytes (GString *text, const guint8 *data, gsize size);
void ns_value_append_sid (GString *text, const guint8 *data, gsize size);
void ns_value_append_systemtime (GString *text, const guint8 *data, gsize size);
void ns_value_append_address (GString *text, const guint8 *data, gsize size);
void ns_value_append_socket_address (GString *text, const guint8 *data, gsize size);
gboolean ns_value_is_socket_address (const guint8 *data, gsize size);

G_END_DECLS
