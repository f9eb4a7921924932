/* Helpers for layers that add rows to the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* Address families of sockets whose addresses are not an NsIp. */
enum
{
  NS_AF_UNIX = 1,
  NS_AF_BTH = 32,
};

void ns_activities_init (NsActivityRow *row, guint32 protocol, NsTableId table, NsRow source);
NsRow ns_activities_append (NsBuilder *builder, NsActivityRow *row);
void ns_activities_set_error (NsActivityRow *row, guint32 error, NsCodeFamily family);
void ns_activities_set_connect_error (NsBuilder *builder, NsActivityRow *row, NsRow tcp);
NsString
ns_activities_join (NsBuilder *builder, const char *left, const char *right, const char *between);
NsString ns_activities_flow_method (NsBuilder *builder, guint16 port);
const char *ns_activities_protocol_name (guint32 family, guint32 protocol);

/* Functions that add the rows of each layer; ns-activities.c calls them in its own order. */
void ns_activities_add_chromium (NsBuilder *builder);
void ns_activities_add_wininet (NsBuilder *builder);
void ns_activities_add_webio (NsBuilder *builder);
void ns_activities_add_dotnet (NsBuilder *builder);
void ns_activities_add_winsock (NsBuilder *builder);
void ns_activities_add_hints (NsBuilder *builder);
void ns_activities_add_tcp (NsBuilder *builder);
void ns_activities_add_kernel_network (NsBuilder *builder);
void ns_activities_add_flows (NsBuilder *builder);
void ns_activities_add_ldap (NsBuilder *builder);
void ns_activities_add_http_server (NsBuilder *builder);
void ns_activities_add_urlmon (NsBuilder *builder);
void ns_activities_add_bits (NsBuilder *builder);
void ns_activities_add_wfp (NsBuilder *builder);
void ns_activities_add_smb (NsBuilder *builder);
void ns_activities_add_rpc (NsBuilder *builder);
void ns_activities_add_quic (NsBuilder *builder);

G_END_DECLS
