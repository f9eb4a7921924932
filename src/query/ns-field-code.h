/* Texts for numbers in rows: status codes, kinds of queued work, DNS record types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

char *ns_field_code_to_text (NsCodeFamily family, guint32 code);
char *ns_field_code_to_words (NsCodeFamily family, guint32 code);
const char *ns_field_link_to_text (const NsTrace *trace, NsRunId link);
const char *ns_field_task_kind_to_text (NsTaskKind kind);
const char *ns_field_dns_type_to_text (guint32 type);
const char *ns_field_ip_protocol_to_text (guint32 family, guint32 protocol);
const char *ns_field_socket_type_to_text (guint32 socket_type);
const char *ns_field_ldap_scope_to_text (guint32 scope);

G_END_DECLS
