/* The master table: collects the rows of each layer, sorts them, and sets the layers' references
 * to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activities.h"

#include "base/ns-pages.h"
#include "engine/activities/ns-queue-phase.h"
#include "engine/app/bits/ns-bits.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/app/webio/ns-webio.h"
#include "engine/app/wfp/ns-wfp.h"
#include "engine/app/wininet/ns-wininet.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/tasks/ns-runs.h"
#include "engine/tasks/ns-tasks.h"

/* Returns the element of a table by its row number, which must not be 0. */
#define ROW(table, Type, row) (&g_array_index ((table), Type, (row) -1))

/* Maps the `activity` member at @offset of each row of a table to the new row numbers. */
static void
rename_in_table (GArray *table, gsize offset, const NsRow *renamed, guint n_renamed)
{
  gsize size = g_array_get_element_size (table);
  guint i;

  for (i = 0; i < table->len; i++)
    {
      NsRow *activity = (NsRow *) (gpointer) (table->data + i * size + offset);

      *activity = *activity <= n_renamed ? renamed[*activity] : 0;
    }
}

static void
rename_rows (NsTrace *trace, const NsRow *renamed)
{
  guint n = trace->activities->len;

#define RENAME(table, Type)                                                                        \
  rename_in_table (trace->table, G_STRUCT_OFFSET (Type, activity), renamed, n)
#define RENAME_LAYER(table, Type)                                                                  \
  rename_in_table (trace->table, G_STRUCT_OFFSET (Type, layer.activity), renamed, n)
  RENAME (dns, NsDnsRow);
  RENAME (tcp, NsTcpRow);
  RENAME (winsock, NsWinsockRow);
  RENAME (webio, NsWebioRow);
  RENAME (wininet, NsWininetRow);
  RENAME (ldap, NsLdapRow);
  RENAME (urlmon, NsUrlmonRow);
  RENAME (chromium, NsChromiumRow);
  RENAME (dotnet, NsDotnetRow);
  RENAME (http_server, NsHttpServerRow);
  RENAME (kernel_network, NsKernelNetworkRow);
  RENAME (flows, NsFlowRow);
  RENAME_LAYER (bits, NsBitsRow);
  RENAME_LAYER (wfp, NsWfpRow);
  RENAME_LAYER (smb, NsSmbRow);
  RENAME_LAYER (rpc, NsRpcRow);
  RENAME_LAYER (quic, NsQuicRow);
#undef RENAME_LAYER
#undef RENAME
}

static inline NsRow
activity_of_tcp (const NsTrace *trace, NsRow tcp)
{
  return tcp != 0 ? ROW (trace->tcp, NsTcpRow, tcp)->activity : 0;
}

/* Sets the operation of rows that only refer to a row of a layer. */
static void
assign_referring_rows (NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      NsWinsockRow *row = ROW (trace->winsock, NsWinsockRow, i + 1);

      if (row->activity == 0)
        row->activity = activity_of_tcp (trace, row->tcp);
    }
  for (i = 0; i < trace->kernel_network->len; i++)
    {
      NsKernelNetworkRow *row = ROW (trace->kernel_network, NsKernelNetworkRow, i + 1);

      if (row->activity == 0)
        row->activity = activity_of_tcp (trace, row->tcp);
    }
  for (i = 0; i < trace->activities->len; i++)
    {
      NsRow dns = ROW (trace->activities, NsActivityRow, i + 1)->dns;

      if (dns != 0 && ROW (trace->dns, NsDnsRow, dns)->activity == 0)
        ROW (trace->dns, NsDnsRow, dns)->activity = i + 1;
    }
}

/* Frees the state of requests before sockets and connections are added, which are most rows of a
 * large trace and do not need it. */
static void
drop_request_state (NsBuilder *builder)
{
  ns_wininet_drop (builder);
  ns_webio_drop (builder);
  if (builder->trace->kernel_network->len == 0 && builder->trace->packets->len == 0)
    ns_host_names_drop (builder);
  ns_pages_give_back (ns_etl_file_get_size (builder->trace->file));
}

/* Sets the chain fields of all rows: the link, if it is a run whose queuing was recorded, and
 * the thread of the stack. Chains may be as long as the trace, so they are not walked here. */
static void
link_rows (NsBuilder *builder)
{
  const NsRuns *runs = builder->trace->runs;
  GArray *activities = builder->trace->activities;
  guint i;

  for (i = 0; i < activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (activities, NsActivityRow, i);

      if (row->stack != 0 && (row->stack_tid == 0 || row->stack_tid == NS_PID_UNKNOWN))
        row->stack_tid = row->tid;
      if (!ns_runs_is_link (runs, row->link))
        {
          row->link = 0;
          continue;
        }
      if (row->stack_tid == 0)
        row->stack_tid = row->tid;
      ns_tasks_use_link (builder, row->link);
    }
}

static void
gather (NsBuilder *builder)
{
  static void (*const layers[]) (NsBuilder *) = {
    ns_activities_add_chromium, ns_activities_add_wininet,
    ns_activities_add_webio,    ns_activities_add_dotnet,
    ns_activities_add_quic,     drop_request_state,
    ns_activities_add_winsock,  ns_activities_add_hints,
    ns_activities_add_tcp,      ns_activities_add_kernel_network,
    ns_activities_add_flows,    ns_activities_add_ldap,
    ns_activities_add_urlmon,   ns_activities_add_http_server,
    ns_activities_add_bits,     ns_activities_add_wfp,
    ns_activities_add_smb,      ns_activities_add_rpc,
  };
  g_autofree NsRow *renamed = NULL;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    layers[i](builder);
  renamed = ns_activities_order (builder->trace);
  rename_rows (builder->trace, renamed);
  assign_referring_rows (builder->trace);
  link_rows (builder);
  ns_queue_phase_set_all (builder);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (activities, NsActivityRow, NULL),
};

const NsPart ns_activities_part = {
  .name = "activities",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .gather = gather,
};
