/* Rule about user-interface threads that were blocked by the network: D38.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>

#define BLOCKED_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D38_BLOCKED)
#define BLOCKED_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D38_PROBLEM)

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* Flags of a thread, according to its call stacks. */
enum
{
  HAS_WINDOWS = 1, /* it handles window messages */
  PUMPS = 2,       /* and COM, which dispatches window messages while it waits */
};

/* Modules that show a user-interface thread, and all others. */
typedef enum
{
  IS_OTHER,
  IS_COM,
  IS_USER,
} Module;

/* Returns the module kinds, indexed by image from 1 on; (transfer full) (nullable): %NULL: no
 * process loaded user32.dll. */
static guint8 *
list_modules (const NsTrace *trace)
{
  g_autofree guint8 *modules = g_new0 (guint8, trace->images->len + 1);
  gboolean has_user = FALSE;
  guint i;

  for (i = 0; i < trace->images->len; i++)
    {
      const char *name = ns_trace_text (trace, g_array_index (trace->images, NsImageRow, i).name);

      if (name == NULL)
        continue;
      if (g_ascii_strcasecmp (name, "user32.dll") == 0)
        modules[i + 1] = IS_USER;
      else if (g_ascii_strcasecmp (name, "combase.dll") == 0 ||
               g_ascii_strcasecmp (name, "ole32.dll") == 0)
        modules[i + 1] = IS_COM;
      has_user |= modules[i + 1] == IS_USER;
    }
  return has_user ? g_steal_pointer (&modules) : NULL;
}

/* Classifies a call stack: code called by user32.dll handles a window message. */
static guint
read_stack (const NsTrace *trace,
            const guint8 *modules,
            NsStackId stack,
            guint32 pid,
            gint64 time_ns)
{
  guint n_frames = 0;
  const guint64 *frames = stack != 0 ? ns_stacks_get (trace->stacks, stack, &n_frames) : NULL;
  guint found = 0;
  guint i;

  for (i = 1; i < n_frames; i++)
    {
      Module module;

      if (ns_trace_is_kernel_address (trace, frames[i]))
        continue;
      module = modules[ns_trace_find_image (trace, pid, frames[i], time_ns)];
      if (module == IS_COM)
        found |= PUMPS;
      else if (module == IS_USER)
        return found | HAS_WINDOWS;
    }
  return 0;
}

/* Returns whether a call blocked its thread: a look-up always does, a connect or receive if it
 * began and ended on the same thread. */
static gboolean
is_blocking (const NsFindings *self, const NsCallRow *call)
{
  gboolean is_name = call->kind == NS_CALL_GETADDRINFO;

  if (!is_name && (call->tid != call->tid_done ||
                   (call->kind != NS_CALL_CONNECT && call->kind != NS_CALL_RECV)))
    return FALSE;
  return ns_time_is_set (call->open_ns) && ns_time_is_set (call->close_ns) &&
         ns_time_between (call->open_ns, call->close_ns) >= BLOCKED_NS (self);
}

static gint64
thread_key (guint32 pid, guint32 tid)
{
  return (gint64) ((guint64) pid << 32 | tid);
}

/* A thread with blocking calls. */
typedef struct
{
  guint found;   /* flags from its call stacks */
  GArray *times; /* (element-type gint64): times of its records, ascending */
} BlockedThread;

static void
blocked_thread_free (gpointer data)
{
  BlockedThread *self = data;

  g_array_unref (self->times);
  g_free (self);
}

static void
add_time (GHashTable *threads, guint32 pid, guint32 tid, gint64 time_ns)
{
  gint64 key = thread_key (pid, tid);
  BlockedThread *thread = ns_time_is_set (time_ns) ? g_hash_table_lookup (threads, &key) : NULL;

  if (thread != NULL)
    g_array_append_val (thread->times, time_ns);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

/* Collects the times at which the threads began calls and operations, or logged failures. */
static void
collect_times (const NsTrace *trace, GHashTable *threads)
{
  GHashTableIter iter;
  gpointer thread;
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);

      add_time (threads, call->pid, call->tid, call->open_ns);
    }
  for (i = 0; i < trace->activities->len; i++)
    add_time (threads, ROW (trace, i)->pid, ROW (trace, i)->tid, ROW (trace, i)->open_ns);
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      add_time (threads, sign->pid, sign->tid, sign->time_ns);
    }
  g_hash_table_iter_init (&iter, threads);
  while (g_hash_table_iter_next (&iter, NULL, &thread))
    g_array_sort (((BlockedThread *) thread)->times, compare_times);
}

/* Returns whether the thread did something else between the start and the end of the call. */
static gboolean
is_busy (const BlockedThread *thread, const NsCallRow *call)
{
  guint low = 0;
  guint high = thread->times->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (thread->times, gint64, middle) <= call->open_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low < thread->times->len && g_array_index (thread->times, gint64, low) < call->close_ns;
}

/* Returns the threads with blocking calls: process and thread → BlockedThread; (transfer full). */
static GHashTable *
list_threads (const NsFindings *self)
{
  const NsTrace *trace = self->trace;
  GHashTable *threads =
      g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, blocked_thread_free);
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      gint64 key = thread_key (call->pid, call->tid);
      BlockedThread *thread;

      if (!is_blocking (self, call) || g_hash_table_contains (threads, &key))
        continue;
      thread = g_new0 (BlockedThread, 1);
      thread->times = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (threads, g_memdup2 (&key, sizeof key), thread);
    }
  return threads;
}

/* Determines which of the threads handle window messages. */
static void
classify_threads (const NsTrace *trace, const guint8 *modules, GHashTable *threads)
{
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = ROW (trace, i);
      gint64 key = thread_key (row->pid, row->stack_tid);
      BlockedThread *thread = row->stack != 0 ? g_hash_table_lookup (threads, &key) : NULL;

      if (thread != NULL && thread->found == 0)
        thread->found = read_stack (trace, modules, row->stack, row->pid, row->open_ns);
    }
}

static void
report_blocked_windows (NsFindings *self, NsFindingGroup *group)
{
  gboolean pumps = (group->sum_a & PUMPS) != 0;

  ns_findings_report_sentence (
      self,
      group,
      pumps                                      ? NS_SEVERITY_INFO
      : group->worst_ns >= BLOCKED_BAD_NS (self) ? NS_SEVERITY_PROBLEM
                                                 : NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: do not translate the words in braces; the subject is a function. */
      _ ("{process}: a UI thread was in {subject} for up to {longest}{times}."),
      NULL);
}

void
ns_find_blocked_windows (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree guint8 *modules = list_modules (trace);
  g_autoptr (GHashTable) threads = NULL;
  guint i;

  if (modules == NULL)
    return;
  threads = list_threads (self);
  if (g_hash_table_size (threads) == 0)
    return;
  classify_threads (trace, modules, threads);
  collect_times (trace, threads);
  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      gint64 key = thread_key (call->pid, call->tid);
      const BlockedThread *thread = g_hash_table_lookup (threads, &key);
      NsFindingGroup *group;

      if (thread == NULL || thread->found == 0 || !is_blocking (self, call) ||
          (call->kind != NS_CALL_GETADDRINFO && is_busy (thread, call)))
        continue;
      group = ns_findings_group (self, call->pid, ns_call_kind_to_text (call->kind), NULL);
      group->sum_a |= thread->found;
      ns_findings_mark_at (self, group, call->open_ns);
      ns_findings_add (group, NS_TABLE_CALLS, i + 1, call->activity, call->open_ns, call->close_ns);
    }
  ns_findings_report_groups (self, report_blocked_windows);
}
