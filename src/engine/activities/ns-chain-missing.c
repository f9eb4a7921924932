/* Explains a missing stack: whether events of its kind have stacks in this trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain-missing.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/ns-missing.h"

/* An event that queues work or begins an operation: its event ID, or its opcode if it has none. */
typedef struct
{
  guint8 what; /* #NsTaskKind or #NsTableId */
  guint16 id;
  NsGuid guid;
} Source;

/* clang-format off */

static const Source task_sources[] = {
  { NS_TASK_DISPATCH_QUEUE, 65, NS_GUID_OFFICE_DISPATCH_QUEUE }, { NS_TASK_DISPATCH_QUEUE, 99, NS_GUID_OFFICE_DISPATCH_QUEUE },
  { NS_TASK_DISPATCH_QUEUE, 104, NS_GUID_OFFICE_DISPATCH_QUEUE }, { NS_TASK_DISPATCH_QUEUE, 121, NS_GUID_OFFICE_DISPATCH_QUEUE },
  { NS_TASK_DISPATCH_QUEUE, 133, NS_GUID_OFFICE_DISPATCH_QUEUE },
  { NS_TASK_OFFICE_POOL, 32, NS_GUID_OFFICE_THREADPOOL }, { NS_TASK_OFFICE_POOL, 34, NS_GUID_OFFICE_THREADPOOL },
  { NS_TASK_OFFICE_POOL, 35, NS_GUID_OFFICE_THREADPOOL }, { NS_TASK_OFFICE_POOL, 62, NS_GUID_OFFICE_THREADPOOL },
  { NS_TASK_IDLE, 36, NS_GUID_OFFICE_EVENTS }, { NS_TASK_IDLE, 50, NS_GUID_OFFICE_EVENTS },
  { NS_TASK_POOL, 32, NS_GUID_THREAD_POOL },
  { NS_TASK_TIMER, 42, NS_GUID_THREAD_POOL },
  { NS_TASK_WINHTTP, 59996, NS_GUID_WINHTTP }, { NS_TASK_WINHTTP, 59996, NS_GUID_WEBIO },
  { NS_TASK_DOTNET_TASK, 7, NS_GUID_DOTNET_TASKS }, { NS_TASK_DOTNET_TASK, 10, NS_GUID_DOTNET_TASKS },
  { NS_TASK_DOTNET_TASK, 12, NS_GUID_DOTNET_TASKS },
  { NS_TASK_DOTNET_POOL, 30, NS_GUID_DOTNET_FRAMEWORK }, { NS_TASK_DOTNET_POOL, 150, NS_GUID_DOTNET_FRAMEWORK },
  { NS_TASK_DOTNET_POOL, 61, NS_GUID_DOTNET_RUNTIME }, { NS_TASK_DOTNET_POOL, 65, NS_GUID_DOTNET_RUNTIME },
  { NS_TASK_THREAD, 1, NS_GUID_THREAD },
};

static const Source table_sources[] = {
  { NS_TABLE_WINSOCK, 1000, NS_GUID_WINSOCK_AFD },
  { NS_TABLE_WEBIO, 5, NS_GUID_WEBIO }, { NS_TABLE_WEBIO, 17, NS_GUID_WEBIO },
  { NS_TABLE_WININET, 104, NS_GUID_WININET }, { NS_TABLE_WININET, 1007, NS_GUID_WININET },
  { NS_TABLE_LDAP, 30, NS_GUID_LDAP_CLIENT },
  { NS_TABLE_URLMON, 805, NS_GUID_URLMON },
  { NS_TABLE_DOTNET, 1, NS_GUID_DOTNET_HTTP }, { NS_TABLE_DOTNET, 140, NS_GUID_DOTNET_FRAMEWORK },
  { NS_TABLE_BITS, 59, NS_GUID_BITS_CLIENT },
  { NS_TABLE_SMB, 32004, NS_GUID_SMB_CLIENT }, { NS_TABLE_SMB, 30406, NS_GUID_SMB_CLIENT },
  { NS_TABLE_RPC, 5, NS_GUID_RPC }, { NS_TABLE_RPC, 6, NS_GUID_RPC },
  { NS_TABLE_CAPI2, 10, NS_GUID_CAPI2 }, { NS_TABLE_CAPI2, 52, NS_GUID_CAPI2 },
};
/* clang-format on */

/* Returns whether records were lost, in the recording or in the file. */
static gboolean
has_losses (const NsTrace *trace)
{
  NsMissing missing;

  if (trace->file == NULL)
    return FALSE;
  ns_missing_count (trace, &missing);
  return ns_missing_has_losses (&missing) || ns_missing_has_gaps (&missing) ||
         ns_etl_file_get_report (trace->file)->n_bytes_dropped > 0 || trace->is_incomplete;
}

static NsStackMissing
judge (const NsTrace *trace, const Source *sources, guint n_sources, guint what)
{
  guint64 n_events = 0;
  guint64 n_stacks = 0;
  guint i;
  guint j;

  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);
      const NsGuid *guid = &g_array_index (trace->providers, NsProviderRow, kind->provider).guid;

      for (j = 0; j < n_sources; j++)
        if (sources[j].what == what && sources[j].id == kind->id &&
            ns_guid_equal (&sources[j].guid, guid))
          {
            n_events += kind->n_events;
            n_stacks += kind->n_stacks;
          }
    }
  if (n_events == 0)
    return NS_STACK_UNKNOWN;
  if (n_stacks > 0)
    return has_losses (trace) ? NS_STACK_LOST : NS_STACK_UNKNOWN;
  return trace->n_stacks_attached > 0 ? NS_STACK_NOT_STACK_ENABLED : NS_STACK_NOT_ENABLED;
}

/* Explains the missing stack of queued work by the events that record the queuing. */
NsStackMissing
ns_chain_why_missing_of_task (const NsTrace *trace, NsTaskKind kind)
{
  return judge (trace, task_sources, G_N_ELEMENTS (task_sources), kind);
}

/* Explains the missing stack of a row by the events that record its begin. */
NsStackMissing
ns_chain_why_missing_of_table (const NsTrace *trace, NsTableId table)
{
  switch (table)
    {
    case NS_TABLE_WINSOCK:
    case NS_TABLE_WEBIO:
    case NS_TABLE_WININET:
    case NS_TABLE_LDAP:
    case NS_TABLE_URLMON:
    case NS_TABLE_DOTNET:
    case NS_TABLE_BITS:
    case NS_TABLE_CAPI2:
    case NS_TABLE_SMB:
    case NS_TABLE_RPC:
      return judge (trace, table_sources, G_N_ELEMENTS (table_sources), table);
    case NS_TABLE_TCP:
    case NS_TABLE_KERNEL_NETWORK:
    case NS_TABLE_DNS:
    case NS_TABLE_HTTP_SERVER:
    case NS_TABLE_PACKETS:
    case NS_TABLE_FLOWS:
    case NS_TABLE_WFP:
    case NS_TABLE_QUIC:
      return NS_STACK_NOT_STACK_ENABLED;
    case NS_TABLE_ACTIVITIES:
    case NS_TABLE_CHROMIUM:
    case NS_TABLE_TASKS:
    case NS_TABLE_CALLS:
    case NS_TABLE_PROCESSES:
    case NS_TABLE_THREADS:
    case NS_TABLE_IMAGES:
    case NS_TABLE_PROVIDERS:
    case NS_TABLE_EVENTS:
    case NS_TABLE_SPANS:
    case NS_TABLE_LOG:
    case NS_TABLE_FINDINGS:
    case NS_N_TABLES:
    default:
      return NS_STACK_UNKNOWN;
    }
}
