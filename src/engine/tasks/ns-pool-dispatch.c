/* Dispatch queues of Office: callbacks posted to a queue, invoked by the thread that serves it.
 *
 * A thread that serves a queue has an open frame of the queue. Frames are kept apart from runs, so
 * that the worker that serves the queue is known even if the callback is not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"

#define CALLBACK_INVOKE 56

typedef enum
{
  ROLE_NONE,
  ROLE_POST,
  ROLE_POST_ALSO, /* may repeat what another event reported */
  ROLE_BEGIN,
  ROLE_END,
} Role;

static Role
role_of (guint id, const char **subtype)
{
  static const struct
  {
    guint8 id;
    guint8 role;
    const char *subtype;
  } table[] = {
    { 65, ROLE_POST, "UIQueue" },
    { 121, ROLE_POST, "UIQueue" },
    { 66, ROLE_BEGIN, "UIQueue" },
    { 67, ROLE_END, "UIQueue" },
    { 99, ROLE_POST, "ConcurrentQueue" },
    { 101, ROLE_BEGIN, "ConcurrentQueue" },
    { 102, ROLE_END, "ConcurrentQueue" },
    { 104, ROLE_POST, "LimitedConcurrentQueue" },
    { 105, ROLE_POST_ALSO, "LimitedConcurrentQueue" },
    { 113, ROLE_BEGIN, "LimitedConcurrentQueue" },
    { 114, ROLE_END, "LimitedConcurrentQueue" },
    { 116, ROLE_POST_ALSO, "LooperQueue" },
    { 117, ROLE_POST_ALSO, "LooperQueue" },
    { 119, ROLE_BEGIN, "LooperQueue" },
    { 120, ROLE_END, "LooperQueue" },
    { 133, ROLE_POST, "SequentialQueue" },
    { 129, ROLE_POST_ALSO, "SequentialQueue" },
    { 130, ROLE_BEGIN, "SequentialQueue" },
    { 131, ROLE_END, "SequentialQueue" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].id == id)
      {
        *subtype = table[i].subtype;
        return table[i].role;
      }
  return ROLE_NONE;
}

static guint32
push_frame (NsTasks *self, guint32 thread, guint64 queue)
{
  NsTaskFrame made = { .queue = queue };
  guint32 frame = self->free_frame;

  made.under = ns_tasks_thread (self, thread)->frame;
  made.serial = ++self->frame_serial;
  if (frame != 0)
    {
      self->free_frame = ns_tasks_frame (self, frame)->under;
      *ns_tasks_frame (self, frame) = made;
    }
  else
    {
      g_array_append_val (self->frames, made);
      frame = self->frames->len;
    }
  ns_tasks_thread (self, thread)->frame = frame;
  return frame;
}

static void
post (NsBuilder *builder,
      const NsRecord *record,
      guint32 slot,
      guint64 callback,
      const char *subtype,
      Role role)
{
  NsTasks *self = builder->tasks;
  NsRow task = role == ROLE_POST_ALSO ? ns_tasks_get_slot (self, slot)->tail : 0;
  guint n_steps = 0;

  for (; task != 0 && n_steps < NS_TASKS_MAX_STEPS; n_steps++)
    {
      if (ns_tasks_row (builder, task)->tid_create == record->tid)
        return;
      task = ns_tasks_info (self, task)->prev;
    }
  task = ns_tasks_add (builder,
                       NS_TASK_DISPATCH_QUEUE,
                       subtype,
                       record->pid,
                       callback,
                       record->time_ns);
  ns_tasks_row (builder, task)->callback = callback;
  ns_tasks_submit_here (builder, task, record, ns_stack_match_find (builder, record));
  ns_tasks_slot_append (self, slot, task);
}

static void
end_queue (NsBuilder *builder, guint32 thread, guint64 queue, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  guint32 frame = ns_tasks_thread (self, thread)->frame;
  gboolean is_last = FALSE;
  guint n_steps = 0;

  while (frame != 0 && n_steps++ < NS_TASKS_MAX_STEPS &&
         ns_tasks_frame (self, frame)->queue != queue)
    frame = ns_tasks_frame (self, frame)->under;
  if (frame == 0 || ns_tasks_frame (self, frame)->queue != queue)
    return;
  while (!is_last)
    {
      is_last = ns_tasks_thread (self, thread)->frame == frame;
      ns_tasks_pop_frame (builder, thread, time_ns);
    }
}

/* Begins the next callback of the served queue, which ends the previous one. */
static void
invoke (NsBuilder *builder, const NsRecord *record, guint32 thread, guint64 queue, guint64 callback)
{
  NsTasks *self = builder->tasks;
  guint32 frame = ns_tasks_thread (self, thread)->frame;
  guint32 slot;
  NsRunId run;
  NsRow task;

  if (queue == 0 || (frame != 0 && ns_tasks_frame (self, frame)->queue != queue))
    return;
  /* The begin of serving may lie before the trace. */
  if (frame == 0)
    frame = push_frame (self, thread, queue);
  run = ns_tasks_frame (self, frame)->run;
  ns_tasks_frame (self, frame)->run = 0;
  ns_tasks_end_callback (builder, run, record->time_ns);

  slot = ns_tasks_slot (self,
                        ns_tasks_space (self, NS_TASK_DISPATCH_QUEUE, record->pid, queue),
                        callback);
  task = ns_tasks_get_slot (self, slot)->head;
  if (task == 0)
    return;
  ns_tasks_slot_remove (self, slot, task);
  run = ns_tasks_begin (builder, task, record);
  ns_tasks_frame (self, frame)->run = run;
}

void
ns_pool_dispatch_event (NsBuilder *builder, const NsRecord *record)
{
  NsTasks *self = builder->tasks;
  const char *subtype = NULL;
  Role role = role_of (record->id, &subtype);
  guint32 thread;
  NsCursor cursor;
  guint64 queue;
  guint64 callback = 0;

  if ((record->flags & NS_RECORD_MANIFEST) == 0 ||
      (role == ROLE_NONE && record->id != CALLBACK_INVOKE))
    return;
  ns_record_cursor (record, &cursor);
  if (record->id == CALLBACK_INVOKE)
    ns_cursor_skip (&cursor, record->pointer_size);
  queue = ns_cursor_ptr (&cursor, record->pointer_size);
  if (role != ROLE_BEGIN && role != ROLE_END)
    callback = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor))
    {
      self->runs->n_skipped++;
      return;
    }
  thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  if (thread == 0)
    return;
  if (record->id == CALLBACK_INVOKE)
    invoke (builder, record, thread, queue, callback);
  else if (role == ROLE_BEGIN)
    push_frame (self, thread, queue);
  else if (role == ROLE_END)
    end_queue (builder, thread, queue, record->time_ns);
  else
    post (builder,
          record,
          ns_tasks_slot (self,
                         ns_tasks_space (self, NS_TASK_DISPATCH_QUEUE, record->pid, queue),
                         callback),
          callback,
          subtype,
          role);
}
