/* Processes: records merged into one row for each lifetime.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/system/ns-kernel-private.h"
#include "engine/trace/ns-trace-lookup.h"

#include <string.h>

typedef struct
{
  NsBuilder *builder;
  GArray *rows;
  NsMap *last; /* newest row of each pid, whether running or ended */
} Fold;

static NsProcessRow *
last_row (Fold *self, guint32 pid)
{
  guint32 row = ns_map_get (self->last, pid, 0);

  return row != 0 ? NS_ROW_AT (self->rows, NsProcessRow, row) : NULL;
}

/* Copies the values that the row lacks. */
static void
fill (NsProcessRow *row, const NsProcessFact *fact)
{
  const NsProcessRow *from = &fact->row;

  if (row->name == NS_STRING_NONE)
    row->name = from->name;
  if (row->path == NS_STRING_NONE)
    row->path = from->path;
  if (row->command_line == NS_STRING_NONE)
    row->command_line = from->command_line;
  if (row->package == NS_STRING_NONE)
    row->package = from->package;
  if (row->app_id == NS_STRING_NONE)
    row->app_id = from->app_id;
  if (row->user_sid == NS_STRING_NONE)
    row->user_sid = from->user_sid;
  if (row->session_id == G_MAXUINT32)
    row->session_id = from->session_id;
  if (row->parent_pid == NS_PID_UNKNOWN)
    row->parent_pid = from->parent_pid;
  if (row->pointer_size == 0)
    row->pointer_size = from->pointer_size;
  if (row->unique_key == 0)
    row->unique_key = from->unique_key;
  if (fact->has_exit_status && !row->has_exit_status)
    {
      row->exit_status = from->exit_status;
      row->has_exit_status = TRUE;
    }
}

static NsProcessRow *
add (Fold *self, const NsProcessFact *fact, gint64 start_ns)
{
  NsProcessRow row = { .pid = fact->row.pid,
                       .parent_pid = NS_PID_UNKNOWN,
                       .session_id = G_MAXUINT32,
                       .start_ns = start_ns,
                       .end_ns = NS_TIME_OPEN };

  row.before_trace = start_ns == NS_TIME_NONE || start_ns < 0;
  fill (&row, fact);
  g_array_append_val (self->rows, row);
  ns_map_set (self->last, row.pid, 0, self->rows->len);
  return &g_array_index (self->rows, NsProcessRow, self->rows->len - 1);
}

/* Returns whether both describe the same process; unknown values match any. */
static gboolean
is_same (const NsProcessRow *row, const NsProcessFact *fact)
{
  if (row->unique_key != 0 && fact->row.unique_key != 0)
    return row->unique_key == fact->row.unique_key;
  return row->parent_pid == NS_PID_UNKNOWN || fact->row.parent_pid == NS_PID_UNKNOWN ||
         row->parent_pid == fact->row.parent_pid;
}

static gboolean
is_near (gint64 a, gint64 b)
{
  return ns_time_is_set (a) && ns_time_is_set (b) && ABS (a - b) <= NS_KERNEL_DUPLICATE_NS;
}

static void
fold_start (Fold *self, NsProcessRow *row, const NsProcessFact *fact)
{
  if (row != NULL && row->end_ns == NS_TIME_OPEN && is_same (row, fact))
    {
      /* The process was created while the rundown was written, so both record it. */
      if (row->before_trace && row->start_ns == NS_TIME_NONE)
        {
          row->start_ns = fact->time_ns;
          row->before_trace = FALSE;
          fill (row, fact);
          return;
        }
      if (is_near (row->start_ns, fact->time_ns))
        {
          fill (row, fact);
          return;
        }
    }
  /* The pid was reused; the end of the old process was not recorded. */
  if (row != NULL && row->end_ns == NS_TIME_OPEN)
    row->end_ns = fact->time_ns;
  add (self, fact, fact->time_ns);
}

static void
fold_end (Fold *self, NsProcessRow *row, const NsProcessFact *fact)
{
  if (row != NULL && (row->end_ns == NS_TIME_OPEN || is_near (row->end_ns, fact->time_ns)))
    {
      if (row->end_ns == NS_TIME_OPEN)
        row->end_ns = fact->time_ns;
      fill (row, fact);
      return;
    }
  row = add (self, fact, fact->create_ns < 0 ? fact->create_ns : NS_TIME_NONE);
  row->before_trace = TRUE;
  row->end_ns = fact->time_ns;
}

static void
fold_defunct (Fold *self, NsProcessRow *row, const NsProcessFact *fact)
{
  gint64 end_ns = fact->exit_ns != NS_TIME_NONE ? fact->exit_ns : fact->time_ns;

  if (row != NULL && is_same (row, fact))
    {
      fill (row, fact);
      if (row->end_ns == NS_TIME_OPEN)
        row->end_ns = MAX (end_ns, row->start_ns);
      return;
    }
  /* The pid may belong to a newer running process, which stays the newest row. */
  if (row != NULL && row->end_ns == NS_TIME_OPEN)
    {
      guint32 latest = ns_map_get (self->last, fact->row.pid, 0);

      add (self, fact, NS_TIME_NONE)->end_ns = end_ns;
      ns_map_set (self->last, fact->row.pid, 0, latest);
      return;
    }
  add (self, fact, NS_TIME_NONE)->end_ns = end_ns;
}

static void
fold (Fold *self, const NsProcessFact *fact)
{
  NsProcessRow *row = last_row (self, fact->row.pid);

  switch ((NsFactKind) fact->kind)
    {
    case NS_FACT_RUNDOWN:
      if (row != NULL && is_same (row, fact))
        fill (row, fact);
      else
        add (self, fact, fact->create_ns < 0 ? fact->create_ns : NS_TIME_NONE)->before_trace = TRUE;
      break;
    case NS_FACT_START:
      fold_start (self, row, fact);
      break;
    case NS_FACT_END:
      fold_end (self, row, fact);
      break;
    case NS_FACT_RUNDOWN_END:
      if (row != NULL && (row->end_ns == NS_TIME_OPEN || is_same (row, fact)))
        fill (row, fact);
      else
        add (self, fact, NS_TIME_NONE)->before_trace = TRUE;
      break;
    case NS_FACT_DEFUNCT:
      fold_defunct (self, row, fact);
      break;
    case NS_FACT_NAME:
    case NS_FACT_ID:
    default:
      break;
    }
}

static gboolean
is_program (const char *path)
{
  gsize n = strlen (path);

  return n >= 4 && g_ascii_strcasecmp (path + n - 4, ".exe") == 0;
}

/* Maximum length of the name in a process end event. */
#define SHORT_NAME 14

static gboolean
is_name_of (const char *process, const char *image)
{
  gsize n = strlen (process);

  return g_ascii_strcasecmp (process, image) == 0 ||
         (n == SHORT_NAME && g_ascii_strncasecmp (process, image, n) == 0 && is_program (image));
}

/* Adds processes without records of their own: named by the first program among their images. */
static void
add_from_images (Fold *self)
{
  NsKernel *kernel = self->builder->kernel;
  guint i;

  for (i = 0; i < kernel->images->len; i++)
    {
      const NsImageFact *image = &g_array_index (kernel->images, NsImageFact, i);
      NsProcessFact fact = { .row.pid = image->row.pid,
                             .row.parent_pid = NS_PID_UNKNOWN,
                             .row.session_id = G_MAXUINT32 };

      if (image->row.pid == 0 || image->row.pid == 4 || image->row.path == NS_STRING_NONE ||
          last_row (self, image->row.pid) != NULL ||
          !is_program (ns_trace_text (self->builder->trace, image->row.path)))
        continue;
      fact.row.path = image->row.path;
      fact.row.name = ns_kernel_base_name (self->builder, image->row.path);
      /* A process without a start event is from before the trace, if processes were recorded at
       * all. */
      add (self,
           &fact,
           image->kind == NS_FACT_START && kernel->processes->len == 0 ? image->time_ns
                                                                       : NS_TIME_NONE);
    }
}

/* Latest start of a process that belongs to the trace. */
#define MAX_LATER_TICKS ((guint64) G_MAXINT64 / 100)

/* Adds names and start times from the capture kit's lists for processes that the trace lacks. */
static void
add_from_list (Fold *self)
{
  const NsTrace *trace = self->builder->trace;
  guint64 begin = ns_etl_file_ns_to_filetime (trace->file, 0);
  guint n_listed = 0;
  const NsCaptureKitProcess *listed =
      trace->capture != NULL ? ns_capture_kit_get_processes (trace->capture, &n_listed) : NULL;
  guint i;

  for (i = 0; i < n_listed; i++)
    {
      NsProcessFact fact = { .row.pid = listed[i].pid,
                             .row.parent_pid = NS_PID_UNKNOWN,
                             .row.session_id = G_MAXUINT32 };
      NsProcessRow *row = last_row (self, listed[i].pid);
      gboolean is_later = listed[i].is_late && listed[i].start_filetime > begin &&
                          listed[i].start_filetime - begin < MAX_LATER_TICKS;
      NsString name = ns_strings_add (trace->strings, listed[i].name);

      if (row != NULL && row->name == NS_STRING_NONE)
        {
          row->name = name;
          row->from_list = TRUE;
          continue;
        }
      /* Skip recorded processes: the trace itself shows whether their pid was reused. */
      if (row != NULL && (!row->from_list || !is_later))
        continue;
      fact.row.name = name;
      row = add (self,
                 &fact,
                 is_later ? (gint64) (listed[i].start_filetime - begin) * 100 : NS_TIME_NONE);
      row->before_trace = !is_later;
      row->from_list = TRUE;
    }
}

void
ns_kernel_fold_processes (NsBuilder *builder)
{
  Fold self = { .builder = builder, .rows = builder->trace->processes };
  GArray *facts = builder->kernel->processes;
  guint i;

  self.last = ns_map_new ();
  g_array_sort (facts, ns_kernel_compare_facts);
  for (i = 0; i < facts->len; i++)
    fold (&self, &g_array_index (facts, NsProcessFact, i));
  /* Sort by time, as buffers of processors are in any order: the earliest image names the process.
   */
  g_array_sort (builder->kernel->images, ns_kernel_compare_facts);
  add_from_images (&self);
  add_from_list (&self);
  ns_map_free (self.last);
  ns_trace_index_processes (builder->trace);
}

/* Sets the program path, and whether it is 32-bit, after the images are complete. */
void
ns_kernel_finish_processes (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint log_size = ns_etl_file_get_header (trace->file)->pointer_size;
  guint i;

  for (i = 0; i < trace->images->len; i++)
    {
      const NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);
      NsProcessRow *process;

      if (image->process == 0 || image->name == NS_STRING_NONE)
        continue;
      process = NS_ROW_AT (trace->processes, NsProcessRow, image->process);
      if (process->pointer_size == 0 && log_size == 8 &&
          g_ascii_strcasecmp (ns_trace_text (trace, image->name), "wow64.dll") == 0)
        process->pointer_size = 4;
      if (process->path != NS_STRING_NONE || process->name == NS_STRING_NONE ||
          !is_name_of (ns_trace_text (trace, process->name), ns_trace_text (trace, image->name)))
        continue;
      process->path = image->path;
      process->name = image->name;
    }
  for (i = 0; i < trace->processes->len; i++)
    {
      NsProcessRow *process = &g_array_index (trace->processes, NsProcessRow, i);
      g_autofree char *dos = NULL;

      if (process->pointer_size == 0 && log_size == 4)
        process->pointer_size = 4;
      if (process->path == NS_STRING_NONE)
        continue;
      dos = ns_kernel_paths_to_dos (builder->kernel->paths, ns_trace_text (trace, process->path));
      process->path = ns_strings_add (trace->strings, dos);
    }
}
