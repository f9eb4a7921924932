/* Shared by the files for tasks: threads with their runs, tasks with their state.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/tasks/ns-runs.h"

G_BEGIN_DECLS

/* Maximum number of runs of a thread, and of entries of a list with equal keys, that are
 * searched. */
#define NS_TASKS_MAX_STEPS 256

typedef enum
{
  NS_TASK_STATE_CREATED,
  NS_TASK_STATE_START_EXEC,
  NS_TASK_STATE_END_EXEC,
  NS_TASK_STATE_CANCELED,
  NS_TASK_STATE_FINISHED,
  NS_TASK_STATE_FAULTED,
} NsTaskState;

/* Kind-specific states of Windows pools. */
typedef enum
{
  NS_TASK_STATUS_NONE,
  NS_TASK_STATUS_ENQUEUE,
  NS_TASK_STATUS_DEQUEUE,
  NS_TASK_STATUS_START,
  NS_TASK_STATUS_STOP,
  NS_TASK_STATUS_CANCEL,
  NS_TASK_STATUS_SET,
  NS_TASK_STATUS_EXPIRATION,
  NS_TASK_STATUS_TIMER_CANCEL,
} NsTaskStatus;

/* Build state of one row of the task table. */
typedef struct
{
  guint32 submission; /* current submission */
  guint32 slot;       /* slot of its key */
  guint32 prev;       /* previous in that slot */
  guint32 next;
  guint32 older;      /* WinHTTP: older task with the same key */
  guint32 next_here;  /* next in a list of its thread: dequeued, expiring */
  guint32 thread;     /* thread that dequeued or expires it */
  NsRunId first_open; /* oldest open run */
  NsRunId last_open;  /* last run of the list that begins with @first_open; may have ended */
  guint32 n_open;
  guint32 n_runs;
  guint32 activity; /* WinHTTP: number of its activity ID */
  guint32 pool;     /* number of its pool or sub-queue */
  guint64 key;      /* task, timer, queue … */
  guint8 state;     /* #NsTaskState */
  guint8 status;    /* #NsTaskStatus */
  gboolean is_any_pool : 1;
  gboolean is_fired : 1;
  gboolean is_cancelled : 1; /* a timer that must not fire again */
} NsTaskInfo;

typedef struct
{
  guint32 tid;
  guint32 pid;
  guint32 creator_pid;
  guint32 creator_tid;
  guint64 start_address;
  gint64 create_ns;
  gint64 last_start_ns; /* begin of its latest run; its creation counts as one */
  NsRunId creation;
  NsRunId top;      /* innermost open run */
  guint32 dequeued; /* dequeued tasks, newest first */
  guint32 expiring; /* timers being served, newest first */
  guint32 frame;    /* innermost dispatch-queue frame */
  gboolean is_rundown : 1;
  gboolean is_alive : 1;
  gboolean is_adhoc : 1; /* its creation may be used as a link */
} NsTaskThread;

/* Tasks with one key that wait, oldest first. */
typedef struct
{
  guint32 head;
  guint32 tail;
  guint32 unseen_head; /* dequeued tasks whose enqueue may be logged late */
  guint32 unseen_tail;
} NsTaskSlot;

/* A dispatch queue that a thread is serving. */
typedef struct
{
  guint64 queue;
  NsRunId run;
  guint32 under;
  guint32 serial;
} NsTaskFrame;

struct _NsTasks
{
  NsRuns *runs;
  GArray *infos;   /* element-type NsTaskInfo, by row of the tasks */
  GArray *threads; /* element-type NsTaskThread */
  GArray *slots;   /* element-type NsTaskSlot */
  GArray *frames;  /* element-type NsTaskFrame */
  guint32 free_frame;
  guint32 frame_serial;
  NsMap *live;    /* living thread by tid */
  NsMap *spaces;  /* number of a pool, queue, etc. by kind, pid and address */
  NsMap *keys;    /* slot or task, by space number and address */
  NsMap *by_task; /* slot of a pool callback whose pool is unknown */
  NsMap *activities;
  GArray *counters; /* element-type NsIdleCounter */
  struct _NsTaskClasses *classes;
  struct _NsDotnetPool *dotnet;
  gboolean has_losses;
};

/* Threads and runs: ns-tasks.c. */
guint32 ns_tasks_get_thread (NsBuilder *builder, guint32 tid, guint32 pid, gint64 time_ns);
NsRow ns_tasks_add (NsBuilder *builder,
                    NsTaskKind kind,
                    const char *subtype,
                    guint32 pid,
                    guint64 context,
                    gint64 time_ns);
void ns_tasks_submit (NsBuilder *builder, NsRow task, const NsSubmission *submission);
void ns_tasks_submit_here (NsBuilder *builder, NsRow task, const NsRecord *record, NsStackId stack);
NsRunId ns_tasks_begin (NsBuilder *builder, NsRow task, const NsRecord *record);
NsRunId ns_tasks_begin_nested (NsBuilder *builder, NsRow task, const NsRecord *record);
void ns_tasks_end (NsBuilder *builder, NsRunId run, gint64 time_ns);
void ns_tasks_end_implicitly (NsBuilder *builder, NsRunId run, gint64 time_ns);
NsRunId ns_tasks_find_open (NsBuilder *builder, guint32 thread, NsTaskKind kind, NsRow task);
void ns_tasks_set_status (NsBuilder *builder, NsRow task, NsTaskStatus status);
void ns_tasks_finish_task (NsBuilder *builder, NsRow task, NsTaskState state, gint64 time_ns);

/* Keys: ns-tasks-keys.c. */
guint32 ns_tasks_space (NsTasks *self, NsTaskKind kind, guint32 pid, guint64 address);
guint32 ns_tasks_peek_space (const NsTasks *self, NsTaskKind kind, guint32 pid, guint64 address);
void ns_tasks_fetch (const NsBuilder *builder, NsRow task);
guint32 ns_tasks_slot (NsTasks *self, guint32 space, guint64 address);
void ns_tasks_slot_append (NsTasks *self, guint32 slot, NsRow task);
void ns_tasks_slot_remove (NsTasks *self, guint32 slot, NsRow task);

/* Frames of dispatch queues; also ends those without an end event. */
void ns_tasks_end_callback (NsBuilder *builder, NsRunId run, gint64 time_ns);
void ns_tasks_pop_frame (NsBuilder *builder, guint32 thread, gint64 time_ns);
void ns_tasks_drop_frames (NsBuilder *builder, guint32 thread, guint32 mark, gint64 time_ns);

/* Handlers of the pools, each in a file of its own. */
void
ns_pool_windows_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near);
void ns_pool_windows_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_timer_event (NsBuilder *builder, const NsRecord *record, guint pointer_size);
void ns_pool_office_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near);
void ns_pool_office_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_dispatch_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_idle_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_winhttp_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_webio_event (NsBuilder *builder, const NsRecord *record);
gboolean ns_pool_winhttp_has_stack (const NsRecord *record);
void ns_pool_dotnet_tasks_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_dotnet_framework_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_dotnet_clr_event (NsBuilder *builder, const NsRecord *record);
gboolean ns_pool_dotnet_has_stack (const NsRecord *record);
gboolean ns_pool_dotnet_clr_has_stack (const NsRecord *record);
void ns_pool_thread_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_kernel_process_event (NsBuilder *builder, const NsRecord *record);
void ns_pool_thread_rundown (NsBuilder *builder);
guint ns_pool_windows_layout (const NsRecord *record, gboolean *is_old);

/* State of the .NET pools while the trace is read: ns-pool-dotnet.c. */
typedef struct _NsDotnetPool NsDotnetPool;

NsDotnetPool *ns_dotnet_pool_new (void);
void ns_dotnet_pool_free (NsDotnetPool *self);

/* Kind of pool that threads with a start address serve: ns-task-classes.c. */
typedef struct _NsTaskClasses NsTaskClasses;

NsTaskClasses *ns_task_classes_new (void);
void ns_task_classes_free (NsTaskClasses *self);
void ns_task_classes_scan_windows (NsBuilder *builder, const NsRecord *record);
void ns_task_classes_scan_office (NsBuilder *builder, const NsRecord *record);
void ns_task_classes_scan_dispatch (NsBuilder *builder, const NsRecord *record);
void ns_task_classes_scan_idle (NsBuilder *builder, const NsRecord *record);
void ns_task_classes_resolve (NsBuilder *builder);
gboolean
ns_task_classes_is_adhoc (NsBuilder *builder, guint32 pid, guint64 start_address, gint64 time_ns);

static inline NsTaskInfo *
ns_tasks_info (const NsTasks *self, NsRow task)
{
  return &g_array_index (self->infos, NsTaskInfo, task - 1);
}

static inline NsTaskThread *
ns_tasks_thread (const NsTasks *self, guint32 thread)
{
  return &g_array_index (self->threads, NsTaskThread, thread - 1);
}

static inline NsTaskFrame *
ns_tasks_frame (const NsTasks *self, guint32 frame)
{
  return &g_array_index (self->frames, NsTaskFrame, frame - 1);
}

static inline NsTaskSlot *
ns_tasks_get_slot (const NsTasks *self, guint32 slot)
{
  return &g_array_index (self->slots, NsTaskSlot, slot - 1);
}

static inline NsTaskRow *
ns_tasks_row (NsBuilder *builder, NsRow task)
{
  return NS_ROW_AT (builder->trace->tasks, NsTaskRow, task);
}

G_END_DECLS
