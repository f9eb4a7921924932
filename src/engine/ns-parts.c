/* The list of all parts of the engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-parts.h"

#include "engine/ns-builder.h"

/* In the order of their calls: a part stands after those it asks. */
static const NsPart *const parts[] = {
  &ns_kernel_part,     &ns_methods_part,    &ns_stack_match_part, &ns_providers_part,
  &ns_tasks_part,      &ns_host_names_part, &ns_winsock_part,     &ns_tcpip_part,
  &ns_webio_part,      &ns_wininet_part,    &ns_chromium_part,    &ns_ldap_part,
  &ns_urlmon_part,     &ns_dotnet_part,     &ns_http_server_part, &ns_kernel_network_part,
  &ns_packets_part,    &ns_bits_part,       &ns_wfp_part,         &ns_capi2_part,
  &ns_quic_part,       &ns_smb_part,        &ns_rpc_part,         &ns_tls_part,
  &ns_hidden_part,     &ns_calls_part,      &ns_app_spans_part,   &ns_signs_part,
  &ns_activities_part, &ns_log_part,
};

/**
 * ns_trace_build:
 * @file: (transfer full): an open trace file
 * @schemas: (transfer full): schemas to decode with and to add to
 * @options: how to build
 * @progress: (nullable): called with the progress; %FALSE stops
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR
 *
 * Reads the whole trace and correlates it.
 *
 * Returns: (transfer full) (nullable): the trace, %NULL when it cannot be read or was cancelled
 */
NsTrace *
ns_trace_build (NsEtlFile *file,
                NsSchemas *schemas,
                const NsTraceOptions *options,
                NsProgressFunc progress,
                gpointer progress_data,
                GError **error)
{
  return ns_builder_build (file,
                           schemas,
                           parts,
                           G_N_ELEMENTS (parts),
                           options,
                           progress,
                           progress_data,
                           error);
}
