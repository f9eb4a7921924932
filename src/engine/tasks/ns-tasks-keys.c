/* Keys of tasks: addresses in a process, which are reused, and the tasks that wait under each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/tasks/ns-tasks-private.h"

/* Returns the number of a pool, queue etc., added if needed; the same for the same address in
 * the same process. */
guint32
ns_tasks_space (NsTasks *self, NsTaskKind kind, guint32 pid, guint64 address)
{
  guint64 who = (guint64) kind << 32 | pid;
  guint32 space = ns_map_get (self->spaces, who, address);

  if (space == 0)
    {
      space = ns_map_get_size (self->spaces) + 1;
      ns_map_set (self->spaces, who, address, space);
    }
  return space;
}

/* Returns the number of a pool, queue etc.; 0 if there is none yet. */
guint32
ns_tasks_peek_space (const NsTasks *self, NsTaskKind kind, guint32 pid, guint64 address)
{
  return ns_map_get (self->spaces, (guint64) kind << 32 | pid, address);
}

/* Prefetches the state of a task that an event will soon refer to. */
void
ns_tasks_fetch (const NsBuilder *builder, NsRow task)
{
  ns_fetch (ns_tasks_info (builder->tasks, task), sizeof (NsTaskInfo));
  ns_fetch (NS_ROW_AT (builder->trace->tasks, NsTaskRow, task), sizeof (NsTaskRow));
}

/* Returns the slot of tasks waiting under this address of the space. */
guint32
ns_tasks_slot (NsTasks *self, guint32 space, guint64 address)
{
  NsTaskSlot made = { 0 };
  guint32 slot = ns_map_get (self->keys, space, address);

  if (slot != 0)
    return slot;
  g_array_append_val (self->slots, made);
  ns_map_set (self->keys, space, address, self->slots->len);
  return self->slots->len;
}

void
ns_tasks_slot_append (NsTasks *self, guint32 number, NsRow task)
{
  NsTaskSlot *slot = ns_tasks_get_slot (self, number);
  NsTaskInfo *info = ns_tasks_info (self, task);

  info->slot = number;
  info->prev = slot->tail;
  info->next = 0;
  if (slot->tail != 0)
    ns_tasks_info (self, slot->tail)->next = task;
  else
    slot->head = task;
  slot->tail = task;
}

void
ns_tasks_slot_remove (NsTasks *self, guint32 number, NsRow task)
{
  NsTaskSlot *slot = ns_tasks_get_slot (self, number);
  NsTaskInfo *info = ns_tasks_info (self, task);

  if (info->prev != 0)
    ns_tasks_info (self, info->prev)->next = info->next;
  else
    slot->head = info->next;
  if (info->next != 0)
    ns_tasks_info (self, info->next)->prev = info->prev;
  else
    slot->tail = info->prev;
  info->prev = 0;
  info->next = 0;
}
