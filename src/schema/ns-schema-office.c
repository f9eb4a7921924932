/* Layouts of Office events about its thread pool, its dispatch queues and idle work. From the
 * manifests compiled into its libraries; all events have version 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-provider-guids.h"
#include "schema/ns-schema-office.h"

#include "schema/ns-schema-layout.h"
#include "schema/ns-schema-names.h"

enum
{
  POOL,
  DISPATCH,
  IDLE,
  N_PROVIDERS,
};

typedef struct
{
  guint8 provider;
  guint8 id;
  const char *task;
  const char *opcode; /* %NULL: none */
  const char *layout;
} Row;

static const NsGuid providers[N_PROVIDERS] = {
  [POOL] = NS_GUID_OFFICE_THREADPOOL,
  [DISPATCH] = NS_GUID_OFFICE_DISPATCH_QUEUE,
  [IDLE] = NS_GUID_OFFICE_EVENTS,
};

/* clang-format off */
/* Sorted by provider and id. */
static const Row rows[] = {
  { POOL, 32, "TPWorkerCreate", NULL, "ptr worker ptr callback u32 workerType" },
  { POOL, 33, "TPWorkerDestroy", NULL, "ptr pointer" },
  { POOL, 34, "TPWorkerSubmit", NULL, "ptr pointer" },
  { POOL, 35, "TPWaiterSubmit", NULL, "ptr pointer u32 delay ptr startEvt" },
  { POOL, 37, "TPWorkerCancel", NULL, "ptr pointer" },
  { POOL, 38, "TPWaiterCancel", NULL, "ptr pointer" },
  { POOL, 39, "TPTimerCancel", NULL, "ptr pointer" },
  { POOL, 40, "TPWorkerStartExec", NULL, "ptr worker" },
  { POOL, 41, "TPWorkerEndExec", NULL, "ptr worker" },
  { POOL, 48, "TPPortPacketPosted", NULL, "u32 key u32 PacketId" },
  { POOL, 49, "TPPortPacketReceivedIO", NULL, "u32 key u32 PacketId" },
  { POOL, 50, "TPPortPacketReceivedWorker", NULL, "u32 key u32 PacketId" },
  { POOL, 51, "TPWaiterFired", NULL, "ptr pointer u32 reason" },
  { POOL, 52, "TPTimerFired", NULL, "ptr pointer" },
  { POOL, 53, "TPPortPacketPostFailed", NULL, "u32 key u32 PacketId" },
  { POOL, 54, "TPPortAssociateFile", NULL, "u32 key u32 PacketId" },
  { POOL, 55, "TPPortPacketReceivedFailure", NULL, "u32 key u32 PacketId" },
  { POOL, 56, "TPPortPacketRePosted", NULL, "u32 key u32 PacketId" },
  { POOL, 57, "TPIdleSubmitWorker", NULL, "bool BoolArg" },
  { POOL, 58, "TPIdleStartProcessItem", NULL, "bool BoolArg" },
  { POOL, 59, "TPIdleUpdateRegistration", NULL, "" },
  { POOL, 60, "TPIdleDoUpdate", NULL, "u32 Before u32 After" },
  { POOL, 61, "TPIdleAfterUpdate", NULL, "bool BoolArg" },
  { POOL, 62, "TPTimerSubmit", NULL, "ptr pointer u32 delay u32 tolerabledelay u32 period" },
  { POOL, 64, "SharedLockInit", NULL, "ptr Address u64 AllocIndex" },
  { POOL, 65, "SharedLockClose", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 66, "SharedLockAcquire", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 67, "SharedLockRelease", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 68, "SharedLockWait", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 70, "ReadWriteLockInit", NULL, "ptr Address u64 AllocIndex u32 GroupId u32 RecursionCount u32 ContentionCount" },
  { POOL, 71, "ReadWriteLockClose", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 72, "ReadWriteLockReadAcquire", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 73, "ReadWriteLockReadWait", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 74, "ReadWriteLockWriteAcquire", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 75, "ReadWriteLockWriteWait", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 76, "ReadWriteLockUpgrade", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 77, "ReadWriteLockDowngrade", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 78, "ReadWriteLockRelease", NULL, "ptr Address u32 RecursionCount u32 ContentionCount" },
  { POOL, 96, "TPTimerWheelStartEnumeration", NULL, "ptr ID" },
  { POOL, 97, "TPTimerWheelEndEnumeration", NULL, "" },
  { POOL, 98, "TPTimerWheelBeforeChange", NULL, "ptr ID" },
  { POOL, 99, "TPTimerWheelChanged", NULL, "" },
  { POOL, 100, "TPIdleEndProcessItem", NULL, "" },
  { DISPATCH, 32, "SyncCall", "Start", "i32 callSite ptr Dest i32 BQAction i32 State" },
  { DISPATCH, 33, "SyncCall", "Stop", "i32 State" },
  { DISPATCH, 34, "SyncCall", "Start", "ptr Dest i32 State" },
  { DISPATCH, 35, "SyncCall", "Stop", "i32 State" },
  { DISPATCH, 36, "Idle", "Stop", "" },
  { DISPATCH, 37, "Idle", "Stop", "i32 State" },
  { DISPATCH, 38, "Idle", "Start", "i32 State" },
  { DISPATCH, 39, "Idle", "Start", "i32 State" },
  { DISPATCH, 48, "CallbackQueue", NULL, "ptr queue ptr callback i32 queueSize" },
  { DISPATCH, 49, "CallbackQueue", NULL, "ptr queue ptr callback i32 queueSize" },
  { DISPATCH, 50, "CallbackQueue", NULL, "ptr queue" },
  { DISPATCH, 56, "CallbackContext", "Invoke", "ptr callbackContext ptr queue ptr callback bool isIdle" },
  { DISPATCH, 57, "CallbackContext", NULL, "ptr callbackContext ptr callback" },
  { DISPATCH, 58, "CallbackContext", NULL, "ptr callbackContext ptr callback" },
  { DISPATCH, 64, "UIQueue", "Create", "ptr queue ptr throttlerMixin ptr queueMixin" },
  { DISPATCH, 65, "UIQueue", "Post", "ptr queue ptr callback" },
  { DISPATCH, 66, "UIQueue", "InvokeStart", "ptr queue" },
  { DISPATCH, 67, "UIQueue", "InvokeEnd", "ptr queue" },
  { DISPATCH, 68, "UIQueue", "IdleInvokeStart", "ptr queue" },
  { DISPATCH, 69, "UIQueue", "IdleInvokeEnd", "ptr queue" },
  { DISPATCH, 70, "UIQueue", "RunAsync", "ptr queue" },
  { DISPATCH, 71, "UIQueue", "RunAsync", "ptr queue" },
  { DISPATCH, 72, "UIQueue", "ShouldYield", "ptr queue bool shouldYield" },
  { DISPATCH, 80, "IdleMixin", NULL, "ptr mixin i32 maxConcurrency ptr ownerQueue" },
  { DISPATCH, 81, "IdleMixin", NULL, "ptr mixin" },
  { DISPATCH, 82, "IdleMixin", NULL, "ptr mixin" },
  { DISPATCH, 83, "IdleMixin", NULL, "ptr mixin" },
  { DISPATCH, 84, "IdleMixin", NULL, "ptr mixin ptr callback" },
  { DISPATCH, 85, "IdleMixin", "InvokeStart", "ptr mixin" },
  { DISPATCH, 86, "IdleMixin", "InvokeEnd", "ptr mixin" },
  { DISPATCH, 87, "IdleMixin", NULL, "ptr mixin i32 count" },
  { DISPATCH, 88, "IdleMixin", NULL, "ptr mixin" },
  { DISPATCH, 89, "IdleMixin", NULL, "ptr mixin i32 callbackCount" },
  { DISPATCH, 96, "Shutdown", NULL, "ptr callback ptr shutdownListener i32 isUserInitiated" },
  { DISPATCH, 97, "ConcurrentQueue", "Create", "ptr queue ptr throttlerMixin ptr queueMixin" },
  { DISPATCH, 98, "ConcurrentQueue", "Post", "ptr queue ptr callback" },
  { DISPATCH, 99, "ConcurrentQueue", "PostIdle", "ptr queue ptr callback" },
  { DISPATCH, 100, "ConcurrentQueue", "ShouldYield", "ptr queue bool shouldYield" },
  { DISPATCH, 101, "ConcurrentQueue", "InvokeStart", "ptr queue" },
  { DISPATCH, 102, "ConcurrentQueue", "InvokeEnd", "ptr queue" },
  { DISPATCH, 103, "LimitedConcurrentQueue", "Create", "ptr queue ptr throttlerMixin ptr queueMixin i32 maxConcurrency" },
  { DISPATCH, 104, "LimitedConcurrentQueue", "Post", "ptr queue ptr callback" },
  { DISPATCH, 105, "LimitedConcurrentQueue", "PostIdle", "ptr queue ptr callback" },
  { DISPATCH, 112, "LimitedConcurrentQueue", "ShouldYield", "ptr queue bool shouldYield" },
  { DISPATCH, 113, "LimitedConcurrentQueue", "InvokeStart", "ptr queue" },
  { DISPATCH, 114, "LimitedConcurrentQueue", "InvokeEnd", "ptr queue" },
  { DISPATCH, 115, "LooperQueue", "Create", "ptr queue ptr throttlerMixin ptr queueMixin" },
  { DISPATCH, 116, "LooperQueue", "Post", "ptr queue ptr callback" },
  { DISPATCH, 117, "LooperQueue", "PostIdle", "ptr queue ptr callback" },
  { DISPATCH, 118, "LooperQueue", "ShouldYield", "ptr queue bool shouldYield" },
  { DISPATCH, 119, "LooperQueue", "InvokeStart", "ptr queue" },
  { DISPATCH, 120, "LooperQueue", "InvokeEnd", "ptr queue" },
  { DISPATCH, 121, "UIQueue", "PostIdle", "ptr queue ptr callback" },
  { DISPATCH, 128, "SequentialQueue", "Create", "ptr queue ptr throttlerMixin ptr queueMixin" },
  { DISPATCH, 129, "SequentialQueue", "Post", "ptr queue ptr callback" },
  { DISPATCH, 130, "SequentialQueue", "InvokeStart", "ptr queue" },
  { DISPATCH, 131, "SequentialQueue", "InvokeEnd", "ptr queue" },
  { DISPATCH, 132, "SequentialQueue", "RunAsync", "ptr queue" },
  { DISPATCH, 133, "SequentialQueue", "PostIdle", "ptr queue ptr callback" },
  { DISPATCH, 134, "SequentialQueue", "ShouldYield", "ptr queue bool shouldYield" },
  { DISPATCH, 135, "QueueSize", NULL, "ptr queue i32 queueSize" },
  { DISPATCH, 136, "QueueSize", NULL, "ptr queue i32 queueSize" },
  { DISPATCH, 137, "QueueSize", NULL, "ptr queue i32 queueSize" },
  { DISPATCH, 144, "QueueSize", NULL, "ptr queue i32 queueSize" },
  { DISPATCH, 145, "QueueSize", NULL, "ptr queue i32 queueSize" },
  { IDLE, 6, "CodeMarker", NULL, "u32 dwCodeMarker i32 dwModuleId" },
  { IDLE, 36, "IdleRegisterTask", NULL, "u64 cookie u32 dwID wstr wzName u32 priority u32 scheduler u32 grfTaskFlags u32 msecRelease u32 msecDeadline" },
  { IDLE, 37, "IdleDeregisterTask", NULL, "u64 cookie u32 dwID wstr wzName" },
  { IDLE, 38, "IdleModifyTask", NULL, "i64 cookie u32 dwID wstr wzName u32 grfModifyFlags u32 priority u32 scheduler u32 grfTaskFlags u32 msecRelease u32 msecDeadline" },
  { IDLE, 39, "IdleStartExecution", NULL, "bool fTimerOnly bool fTracking bool fResuming" },
  { IDLE, 40, "IdleEndExecution", NULL, "" },
  { IDLE, 41, "IdlePreemption", NULL, "" },
  { IDLE, 42, "IdleReleaseTask", NULL, "u64 cookie u32 dwID wstr wzName" },
  { IDLE, 43, "IdleDemoteTask", NULL, "u64 cookie u32 dwID wstr wzName" },
  { IDLE, 44, "IdleExecuteTask", NULL, "u64 cookie u32 dwID wstr wzName u64 msecsRunIntervalAvg" },
  { IDLE, 45, "IdleTimerFired", NULL, "" },
  { IDLE, 46, "IdleScheduleTimer", NULL, "u32 msecDelay u32 msecsTolerableDelay u32 dwID wstr wzFirstTaskName" },
  { IDLE, 50, "IdleUpdateQueued", NULL, "u64 cookie u32 grfUpdateType" },
};
/* clang-format on */

static NsSchema *
make (const Row *row)
{
  NsSchemaField fields[NS_SCHEMA_LAYOUT_MAX_FIELDS];
  NsSchema *schema = g_new0 (NsSchema, 1);
  g_autofree char *name = NULL;

  if (row->opcode != NULL)
    name = g_strconcat (row->task, "/", row->opcode, NULL);
  schema->source = NS_SCHEMA_BUILTIN;
  schema->provider_name = ns_schema_names_find (&providers[row->provider]);
  schema->task_name = row->task;
  schema->opcode_name = row->opcode;
  schema->event_name = name != NULL ? g_intern_string (name) : row->task;
  schema->n_fields = schema->n_top = ns_schema_layout_parse (row->layout, fields);
  schema->fields = g_memdup2 (fields, schema->n_fields * sizeof fields[0]);
  return schema;
}

static int
compare (const Row *row, guint provider, guint16 id)
{
  if (row->provider != provider)
    return row->provider < provider ? -1 : 1;
  return row->id < id ? -1 : row->id > id;
}

static int
find_row (guint provider, guint16 id)
{
  guint begin = 0;
  guint end = G_N_ELEMENTS (rows);

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;
      int order = compare (&rows[middle], provider, id);

      if (order == 0)
        return (int) middle;
      if (order < 0)
        begin = middle + 1;
      else
        end = middle;
    }
  return -1;
}

struct _NsSchemaOffice
{
  NsSchema *made[G_N_ELEMENTS (rows)]; /* NULL: not created yet */
};

/**
 * ns_schema_office_new:
 *
 * Returns: (transfer full): the layouts, for one thread at a time
 */
NsSchemaOffice *
ns_schema_office_new (void)
{
  return g_new0 (NsSchemaOffice, 1);
}

/**
 * ns_schema_office_free:
 * @self: (transfer full) (nullable): layouts
 */
void
ns_schema_office_free (NsSchemaOffice *self)
{
  guint i;

  for (i = 0; self != NULL && i < G_N_ELEMENTS (self->made); i++)
    if (self->made[i] != NULL)
      {
        g_free ((NsSchemaField *) self->made[i]->fields);
        g_free (self->made[i]);
      }
  g_free (self);
}

/**
 * ns_schema_office_find:
 * @self: layouts
 * @provider: provider of the event
 * @id: its event ID
 *
 * Returns: (transfer none) (nullable): the layout, valid as long as @self
 */
const NsSchema *
ns_schema_office_find (NsSchemaOffice *self, const NsGuid *provider, guint16 id)
{
  guint which = 0;
  int number;

  while (which < N_PROVIDERS && !ns_guid_equal (provider, &providers[which]))
    which++;
  number = which < N_PROVIDERS ? find_row (which, id) : -1;
  if (number < 0)
    return NULL;
  if (self->made[number] == NULL)
    self->made[number] = make (&rows[number]);
  return self->made[number];
}
