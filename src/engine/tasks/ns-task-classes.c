/* Start addresses of pool threads.
 *
 * The creation of a pool thread does not explain the work that it runs. Start addresses are
 * collected in the first walk, so that the class does not depend on a thread's history.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/tasks/ns-tasks-private.h"

#include <string.h>

typedef enum
{
  CLASS_IDLE = 1,
  CLASS_DISPATCH = 2,
  CLASS_OFFICE = 3,
  CLASS_WINDOWS = 4,
} Class;

/* Minimum time between two notes for a thread ID, which may have been reused after it. */
#define NOTE_EVERY_NS (NS_PER_SECOND / 10)

/* Events seen of a callback: its dequeue and its start. */
#define SEEN_DEQUEUE 1
#define SEEN_START 2

typedef struct
{
  guint32 tid;
  guint8 class;
  gint64 time_ns;
} Note;

struct _NsTaskClasses
{
  GArray *notes;  /* element-type Note */
  NsMap *noted;   /* (thread and class, time interval) → 1: noted */
  NsMap *halves;  /* dequeues and starts waiting for their counterpart, by thread and callback */
  NsMap *classes; /* by module and offset, or process and address */
  GArray *lowers; /* element-type NsString: by image row, its lower-case name once known */
};

NsTaskClasses *
ns_task_classes_new (void)
{
  NsTaskClasses *self = g_new0 (NsTaskClasses, 1);

  self->notes = g_array_new (FALSE, FALSE, sizeof (Note));
  self->noted = ns_map_new ();
  self->halves = ns_map_new ();
  self->classes = ns_map_new ();
  self->lowers = g_array_new (FALSE, TRUE, sizeof (NsString));
  return self;
}

void
ns_task_classes_free (NsTaskClasses *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->notes, g_array_unref);
  ns_map_free (self->noted);
  ns_map_free (self->halves);
  ns_map_free (self->classes);
  g_array_unref (self->lowers);
  g_free (self);
}

static void
note (NsBuilder *builder, const NsRecord *record, Class class)
{
  NsTaskClasses *self = builder->tasks->classes;
  Note made = { record->tid, (guint8) class, record->time_ns };
  guint64 who = (guint64) class << 32 | record->tid;
  guint64 when = (guint64) (record->time_ns / NOTE_EVERY_NS);

  if (record->tid == NS_PID_UNKNOWN || ns_map_get (self->noted, who, when) != 0)
    return;
  ns_map_set (self->noted, who, when, 1);
  g_array_append_val (self->notes, made);
}

void
ns_task_classes_scan_windows (NsBuilder *builder, const NsRecord *record)
{
  NsTaskClasses *self = builder->tasks->classes;
  gboolean is_old;
  guint size;
  NsCursor cursor;
  guint64 pool;
  guint64 task;
  guint64 key;
  guint32 half;

  if (record->opcode == 48)
    note (builder, record, CLASS_WINDOWS);
  if (record->opcode != 33 && record->opcode != 34)
    return;
  size = ns_pool_windows_layout (record, &is_old);
  if (size == 0)
    return;
  ns_record_cursor (record, &cursor);
  pool = ns_cursor_ptr (&cursor, size);
  task = is_old ? pool : ns_cursor_ptr (&cursor, size);
  /* A thread that closes a pool dequeues callbacks too, but does not start them. The pool is not
   * part of the key, as the old layout of one half lacks it. */
  key = (guint64) record->pid << 32 | record->tid;
  half = ns_map_get (self->halves, key, task);
  if (half == (record->opcode == 33 ? SEEN_START : SEEN_DEQUEUE))
    {
      ns_map_take (self->halves, key, task);
      note (builder, record, CLASS_WINDOWS);
    }
  else
    ns_map_set (self->halves, key, task, record->opcode == 33 ? SEEN_DEQUEUE : SEEN_START);
}

void
ns_task_classes_scan_office (NsBuilder *builder, const NsRecord *record)
{
  if (record->id == 40)
    note (builder, record, CLASS_OFFICE);
}

void
ns_task_classes_scan_dispatch (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case 66:
    case 101:
    case 113:
    case 119:
    case 130:
      note (builder, record, CLASS_DISPATCH);
      break;
    default:
      break;
    }
}

void
ns_task_classes_scan_idle (NsBuilder *builder, const NsRecord *record)
{
  if (record->id == 39)
    note (builder, record, CLASS_IDLE);
}

/* Returns whether the module is a C runtime, in which all threads of _beginthreadex() and
 * std::thread start. @module: in lower case. */
static gboolean
is_c_runtime (const char *module)
{
  return strcmp (module, "ucrtbase.dll") == 0 || strcmp (module, "ucrtbased.dll") == 0 ||
         (g_str_has_prefix (module, "msvcr") && g_str_has_suffix (module, ".dll"));
}

/* Returns the lower-case name of an image, cached as many threads have it; %NS_STRING_NONE:
 * none. */
static NsString
lower_of (NsBuilder *builder, NsRow row)
{
  NsTrace *trace = builder->trace;
  GArray *lowers = builder->tasks->classes->lowers;
  NsString name = NS_ROW_AT (trace->images, NsImageRow, row)->name;
  g_autofree char *lower = NULL;

  if (name == NS_STRING_NONE)
    return NS_STRING_NONE;
  if (lowers->len < row)
    g_array_set_size (lowers, trace->images->len);
  if (g_array_index (lowers, NsString, row - 1) == NS_STRING_NONE)
    {
      lower = g_ascii_strdown (ns_trace_text (trace, name), -1);
      g_array_index (lowers, NsString, row - 1) = ns_strings_add (trace->strings, lower);
    }
  return g_array_index (lowers, NsString, row - 1);
}

/* Computes the key of a start address, the same for the same code in any process. @module: (out)
 * (nullable): its image, in lower case. */
static gboolean
key_of (NsBuilder *builder,
        guint32 pid,
        guint64 address,
        gint64 time_ns,
        guint64 key[2],
        const char **module)
{
  NsTrace *trace = builder->trace;
  NsRow row = address != 0 ? ns_trace_find_image (trace, pid, address, time_ns) : 0;
  NsString lower = row != 0 ? lower_of (builder, row) : NS_STRING_NONE;

  *module = NULL;
  if (address == 0)
    return FALSE;
  key[0] = pid;
  key[1] = address;
  if (lower == NS_STRING_NONE)
    return TRUE;
  *module = ns_trace_text (trace, lower);
  key[0] = (guint64) 1 << 32 | lower;
  key[1] = address - NS_ROW_AT (trace->images, NsImageRow, row)->base;
  return TRUE;
}

/* Determines the class of each start address, between the walks, when threads and images are
 * known. */
void
ns_task_classes_resolve (NsBuilder *builder)
{
  NsTaskClasses *self = builder->tasks->classes;
  guint i;

  for (i = 0; i < self->notes->len; i++)
    {
      const Note *made = &g_array_index (self->notes, Note, i);
      NsRow row = ns_trace_find_thread (builder->trace, made->tid, made->time_ns);
      const NsThreadRow *thread;
      const char *module;
      guint64 key[2];

      if (row == 0)
        continue;
      thread = NS_ROW_AT (builder->trace->threads, NsThreadRow, row);
      if (!key_of (builder, thread->pid, thread->start_address, made->time_ns, key, &module) ||
          (module != NULL && is_c_runtime (module)))
        continue;
      if (ns_map_get (self->classes, key[0], key[1]) < made->class)
        ns_map_set (self->classes, key[0], key[1], made->class);
    }
  g_clear_pointer (&self->notes, g_array_unref);
  g_clear_pointer (&self->noted, ns_map_free);
  g_clear_pointer (&self->halves, ns_map_free);
}

/* Returns whether a thread with this start address serves no pool and only does work of its
 * creator. */
gboolean
ns_task_classes_is_adhoc (NsBuilder *builder, guint32 pid, guint64 start_address, gint64 time_ns)
{
  static const char *const dispatchers[] = { "ntdll.dll",
                                             "clr.dll",
                                             "coreclr.dll",
                                             "mscorwks.dll" };
  NsTaskClasses *self = builder->tasks->classes;
  const char *module;
  guint64 key[2];
  guint i;

  if (!key_of (builder, pid, start_address, time_ns, key, &module))
    return TRUE;
  for (i = 0; module != NULL && i < G_N_ELEMENTS (dispatchers); i++)
    if (strcmp (module, dispatchers[i]) == 0)
      return FALSE;
  return ns_map_get (self->classes, key[0], key[1]) == 0;
}
