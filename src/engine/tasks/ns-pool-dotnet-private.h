/* Shared by the files for .NET tasks and the .NET thread pool.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/tasks/ns-tasks-private.h"

G_BEGIN_DECLS

/* Events of FrameworkEventSource; trimmed programs number them differently. */
enum
{
  NS_DOTNET_ENQUEUE_WORK = 30,
  NS_DOTNET_DEQUEUE_WORK = 31,
  NS_DOTNET_TRANSFER_SEND = 150,
  NS_DOTNET_TRANSFER_RECEIVE = 151,
  NS_DOTNET_TRANSFER_HANDLED = 152,
};

/* Key spaces of tasks. */
typedef enum
{
  NS_DOTNET_SPACE_TASK,
  NS_DOTNET_SPACE_AWAIT,
  NS_DOTNET_SPACE_CONTINUATION,
  NS_DOTNET_SPACE_WORK,
  NS_DOTNET_SPACE_CLR_WORK,
  NS_DOTNET_SPACE_IO,
  NS_DOTNET_SPACE_TRANSFER, /* one space per kind of transfer, from here on */
  NS_DOTNET_N_SPACES = 1 << 8,
} NsDotnetSpace;

/* A thread of a .NET process. */
typedef struct
{
  NsRunId item;       /* run of the work item taken from the pool */
  gint64 dequeued_ns; /* time of the matching dequeue event */
  gint64 enqueued_ns; /* time of the last enqueue event of the framework; NS_TIME_NONE: matched by
                         the runtime's event */
  NsRow enqueued;
  guint32 started_id; /* task that it started before the task's scheduling was logged */
  gint64 started_ns;
} NsDotnetWorker;

struct _NsDotnetPool
{
  GArray *workers; /* NsDotnetWorker */
  NsMap *worker_of;
  NsMap *blocked; /* blocking waits, by thread and task */
  NsMap *labels;
  NsMap *running;   /* running task by its ID */
  NsMap *aliases;   /* task by the runtime's number for it */
  NsMap *unmatched; /* thread that started a task before its scheduling was logged, by task ID */
};

/* Properties of a kind of queued work. */
typedef struct
{
  NsTaskKind kind;
  const char *subtype;
  NsTaskEvidence evidence;
  guint space;
  gboolean is_queue; /* several items with one key may wait */
} NsDotnetWay;

/* ns-pool-dotnet: enqueue, begin and end of work of any kind. */
void ns_pool_dotnet_begin_item (NsBuilder *builder, const NsRecord *record, NsRunId run);
NsRow ns_pool_dotnet_submit (NsBuilder *builder,
                             const NsRecord *record,
                             const NsDotnetWay *way,
                             guint64 key);
NsRow ns_pool_dotnet_get_head (NsBuilder *builder, guint32 space, guint64 key);
void ns_pool_dotnet_leave_item (NsBuilder *builder, const NsRecord *record);
guint ns_pool_dotnet_get_id (const NsRecord *record);
NsDotnetWorker *ns_pool_dotnet_get_worker (NsBuilder *builder, const NsRecord *record);
void ns_pool_dotnet_stop_waiting (NsBuilder *builder, NsRow task);
NsTaskEvidence ns_pool_dotnet_get_evidence (NsBuilder *builder, NsRow task);
guint32 ns_pool_dotnet_get_space (NsBuilder *builder, const NsRecord *record, guint space);
NsRunId ns_pool_dotnet_begin (NsBuilder *builder,
                              const NsRecord *record,
                              const NsDotnetWay *way,
                              guint64 key,
                              gboolean stays);
void ns_pool_dotnet_skip (NsBuilder *builder);

G_END_DECLS
