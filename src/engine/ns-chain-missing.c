/* Why a stack is not there: what its likes have in this trace tells.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-chain-missing.h"

/* An event that queues work or opens something; its id, or its opcode where it has none. */
typedef struct
{
  guint8 what; /* #NsTaskKind or #NsTableId */
  guint16 id;
  NsGuid guid;
} Source;

/* clang-format off */
#define AFD NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6)
#define WEBIO NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d)
#define WINHTTP NS_GUID_INIT (0x7d44233d, 0x3055, 0x4b9c, 0xba, 0x64, 0x0d, 0x47, 0xca, 0x40, 0xa2, 0x32)
#define WININET NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe)
#define LDAP NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc)
#define URLMON NS_GUID_INIT (0x245f975d, 0x909d, 0x49ed, 0xb8, 0xf9, 0x9a, 0x75, 0x69, 0x1d, 0x6b, 0x6b)
#define THREAD NS_GUID_INIT (0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c)
#define POOL NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12)
#define OFFICE NS_GUID_INIT (0xa019725f, 0xcff1, 0x47e8, 0x8c, 0x9e, 0x8f, 0xe2, 0x63, 0x5b, 0x63, 0x88)
#define QUEUE NS_GUID_INIT (0x559a5658, 0x8100, 0x4d84, 0xb7, 0x56, 0x0a, 0x47, 0xa4, 0x76, 0x28, 0x0c)
#define IDLE NS_GUID_INIT (0x8736922d, 0xe8b2, 0x47eb, 0x85, 0x64, 0x23, 0xe7, 0x7e, 0x72, 0x8c, 0xf3)

static const Source task_sources[] = {
  { NS_TASK_DISPATCH_QUEUE, 65, QUEUE }, { NS_TASK_DISPATCH_QUEUE, 99, QUEUE },
  { NS_TASK_DISPATCH_QUEUE, 104, QUEUE }, { NS_TASK_DISPATCH_QUEUE, 121, QUEUE },
  { NS_TASK_DISPATCH_QUEUE, 133, QUEUE },
  { NS_TASK_OFFICE_POOL, 32, OFFICE }, { NS_TASK_OFFICE_POOL, 34, OFFICE },
  { NS_TASK_OFFICE_POOL, 35, OFFICE }, { NS_TASK_OFFICE_POOL, 62, OFFICE },
  { NS_TASK_IDLE, 36, IDLE }, { NS_TASK_IDLE, 50, IDLE },
  { NS_TASK_POOL, 32, POOL },
  { NS_TASK_TIMER, 42, POOL },
  { NS_TASK_WINHTTP, 59996, WINHTTP }, { NS_TASK_WINHTTP, 59996, WEBIO },
  { NS_TASK_THREAD, 1, THREAD },
};

static const Source table_sources[] = {
  { NS_TABLE_WINSOCK, 1000, AFD },
  { NS_TABLE_WEBIO, 5, WEBIO }, { NS_TABLE_WEBIO, 17, WEBIO },
  { NS_TABLE_WININET, 104, WININET }, { NS_TABLE_WININET, 1007, WININET },
  { NS_TABLE_LDAP, 30, LDAP },
  { NS_TABLE_URLMON, 805, URLMON },
};
/* clang-format on */

/* Whether the recording, or what became of the file, left something out. */
static gboolean
has_losses (const NsTrace *trace)
{
  const NsEtlHeader *header;
  const NsEtlReport *report;

  if (trace->file == NULL)
    return FALSE;
  header = ns_etl_file_get_header (trace->file);
  report = ns_etl_file_get_report (trace->file);
  return header->events_lost > 0 || header->buffers_lost > 0 || report->n_flag_events_lost > 0 ||
         report->n_flag_buffer_lost > 0 || report->n_bytes_dropped > 0 || trace->is_incomplete;
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

/* Of work that was queued, by the events that tell of its queuing. */
NsStackMissing
ns_chain_why_missing_of_task (const NsTrace *trace, NsTaskKind kind)
{
  return judge (trace, task_sources, G_N_ELEMENTS (task_sources), kind);
}

/* Of a row that opened something, by the events that tell of it. */
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
      return judge (trace, table_sources, G_N_ELEMENTS (table_sources), table);
    case NS_TABLE_TCP:
    case NS_TABLE_KERNEL_NETWORK:
    case NS_TABLE_DNS:
    case NS_TABLE_HTTP_SERVER:
    case NS_TABLE_PACKETS:
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
    case NS_TABLE_FINDINGS:
    case NS_N_TABLES:
    default:
      return NS_STACK_UNKNOWN;
    }
}
