/* Look-up of processes and threads by ID and time, and of images by address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-trace-lookup.h"

#include "base/ns-text.h"
#include "engine/trace/ns-methods.h"

/* Initial buffer size for the text of a frame. */
#define FRAME_TEXT_BYTES 48

/* Sort key and lifetime of a row. */
typedef struct
{
  guint64 id;
  gint64 begin_ns;
  gint64 end_ns;
} Life;

typedef Life (*LifeFunc) (const NsTrace *trace, NsRow row);

static Life
process_life (const NsTrace *trace, NsRow row)
{
  const NsProcessRow *process = NS_ROW_AT (trace->processes, NsProcessRow, row);

  return (Life){ process->pid, process->start_ns, process->end_ns };
}

static Life
thread_life (const NsTrace *trace, NsRow row)
{
  const NsThreadRow *thread = NS_ROW_AT (trace->threads, NsThreadRow, row);

  return (Life){ thread->tid, thread->start_ns, thread->end_ns };
}

static const NsImageRow *
image_of (const NsTrace *trace, NsRow row)
{
  return NS_ROW_AT (trace->images, NsImageRow, row);
}

static int
compare_lives (const Life *a, const Life *b)
{
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  if (a->begin_ns != b->begin_ns)
    return a->begin_ns < b->begin_ns ? -1 : 1;
  return a->end_ns < b->end_ns ? -1 : a->end_ns > b->end_ns;
}

static int
compare_processes (gconstpointer a, gconstpointer b, gpointer trace)
{
  Life x = process_life (trace, *(const NsRow *) a);
  Life y = process_life (trace, *(const NsRow *) b);

  return compare_lives (&x, &y);
}

static int
compare_threads (gconstpointer a, gconstpointer b, gpointer trace)
{
  Life x = thread_life (trace, *(const NsRow *) a);
  Life y = thread_life (trace, *(const NsRow *) b);

  return compare_lives (&x, &y);
}

static int
compare_images (gconstpointer a, gconstpointer b, gpointer trace)
{
  const NsImageRow *x = image_of (trace, *(const NsRow *) a);
  const NsImageRow *y = image_of (trace, *(const NsRow *) b);

  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (x->base != y->base)
    return x->base < y->base ? -1 : 1;
  if (x->load_ns != y->load_ns)
    return x->load_ns < y->load_ns ? -1 : 1;
  return x->unload_ns < y->unload_ns ? -1 : x->unload_ns > y->unload_ns;
}

static NsTraceIndex *
index_of (NsTrace *trace)
{
  if (trace->index == NULL)
    trace->index = g_new0 (NsTraceIndex, 1);
  return trace->index;
}

static void
sort_rows (GArray **index, guint n_rows, GCompareDataFunc compare, NsTrace *trace)
{
  NsRow row;

  g_clear_pointer (index, g_array_unref);
  *index = g_array_sized_new (FALSE, FALSE, sizeof (NsRow), n_rows);
  for (row = 1; row <= n_rows; row++)
    g_array_append_val (*index, row);
  g_array_sort_with_data (*index, compare, trace);
}

/* Sorts the rows and keeps their keys beside them: a look-up need not read the rows. */
static void
sort_lives (GArray **index,
            guint n_rows,
            GCompareDataFunc compare,
            LifeFunc life_of,
            NsTrace *trace)
{
  g_autoptr (GArray) rows = NULL;
  guint i;

  sort_rows (&rows, n_rows, compare, trace);
  g_clear_pointer (index, g_array_unref);
  *index = g_array_sized_new (FALSE, FALSE, sizeof (NsTraceLife), n_rows);
  for (i = 0; i < n_rows; i++)
    {
      NsRow row = g_array_index (rows, NsRow, i);
      Life life = life_of (trace, row);
      NsTraceLife key = { life.begin_ns, (guint32) life.id, row };

      g_array_append_val (*index, key);
    }
}

void
ns_trace_index_processes (NsTrace *trace)
{
  sort_lives (&index_of (trace)->processes,
              trace->processes->len,
              compare_processes,
              process_life,
              trace);
}

void
ns_trace_index_threads (NsTrace *trace)
{
  sort_lives (&index_of (trace)->threads, trace->threads->len, compare_threads, thread_life, trace);
}

static guint64
image_end (const NsImageRow *image)
{
  return image->base + image->size < image->base ? G_MAXUINT64 : image->base + image->size;
}

void
ns_trace_index_images (NsTrace *trace)
{
  NsTraceIndex *self = index_of (trace);
  guint32 pid = 0;
  guint64 reach = 0;
  guint i;

  sort_rows (&self->images, trace->images->len, compare_images, trace);
  g_clear_pointer (&self->reach, g_array_unref);
  self->reach = g_array_sized_new (FALSE, FALSE, sizeof (guint64), trace->images->len);
  for (i = 0; i < self->images->len; i++)
    {
      const NsImageRow *image = image_of (trace, g_array_index (self->images, NsRow, i));

      if (i == 0 || image->pid != pid)
        reach = 0;
      pid = image->pid;
      reach = MAX (reach, image_end (image));
      g_array_append_val (self->reach, reach);
    }
}

void
ns_trace_index_free (NsTraceIndex *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->processes, g_array_unref);
  g_clear_pointer (&self->threads, g_array_unref);
  g_clear_pointer (&self->images, g_array_unref);
  g_clear_pointer (&self->reach, g_array_unref);
  g_free (self);
}

/* Returns how far a time lies outside a lifetime; 0: inside, ends included. */
static guint64
distance (gint64 begin_ns, gint64 end_ns, gint64 time_ns)
{
  if (time_ns < begin_ns)
    return (guint64) begin_ns - (guint64) time_ns;
  if (time_ns > end_ns)
    return (guint64) time_ns - (guint64) end_ns;
  return 0;
}

/* Returns the last row with that ID that began by then, if it still lived; else the nearest one.
 * If a lifetime contains the time, @next_ns is the begin of the next one with the ID. */
static NsRow
find_life (const NsTrace *trace,
           const GArray *index,
           LifeFunc life_of,
           guint32 id,
           gint64 time_ns,
           gint64 *next_ns)
{
  const NsTraceLife *keys = index != NULL ? (const NsTraceLife *) (gpointer) index->data : NULL;
  guint low = 0;
  guint high = index != NULL ? index->len : 0;
  NsRow before = 0;
  NsRow after = 0;
  Life life;
  guint64 far;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const NsTraceLife *key = &keys[middle];

      if (key->id < id || (key->id == id && key->begin_ns <= time_ns))
        low = middle + 1;
      else
        high = middle;
    }
  *next_ns = G_MAXINT64;
  if (low > 0 && keys[low - 1].id == id)
    before = keys[low - 1].row;
  if (index != NULL && low < index->len && keys[low].id == id)
    {
      after = keys[low].row;
      *next_ns = keys[low].begin_ns;
    }
  if (before == 0 || after == 0)
    return before != 0 ? before : after;

  life = life_of (trace, before);
  far = distance (life.begin_ns, life.end_ns, time_ns);
  life = life_of (trace, after);
  return far <= distance (life.begin_ns, life.end_ns, time_ns) ? before : after;
}

/**
 * ns_trace_find_process:
 * @self: a trace
 * @pid: process id
 * @time_ns: a time
 *
 * Returns: the process that had the ID then, or whose lifetime is nearest; 0: there is none
 */
NsRow
ns_trace_find_process (const NsTrace *self, guint32 pid, gint64 time_ns)
{
  gint64 next_ns;

  if (self->index == NULL)
    return 0;
  return find_life (self, self->index->processes, process_life, pid, time_ns, &next_ns);
}

/**
 * ns_trace_find_thread:
 * @self: a trace
 * @tid: thread id
 * @time_ns: a time
 *
 * Returns: the thread that had the ID then, or whose lifetime is nearest; 0: there is none
 */
NsRow
ns_trace_find_thread (const NsTrace *self, guint32 tid, gint64 time_ns)
{
  gint64 next_ns;

  if (self->index == NULL)
    return 0;
  return find_life (self, self->index->threads, thread_life, tid, time_ns, &next_ns);
}

/**
 * ns_trace_is_main_thread:
 * @self: a trace
 * @thread: row of a thread, or 0
 *
 * The first thread of a process is created by another process.
 *
 * Returns: whether it is known to be the first thread of its process
 */
gboolean
ns_trace_is_main_thread (const NsTrace *self, NsRow thread)
{
  const NsThreadRow *row = thread != 0 ? NS_ROW_AT (self->threads, NsThreadRow, thread) : NULL;

  return row != NULL && !row->before_trace && row->creator_pid != 0 &&
         row->creator_pid != NS_PID_UNKNOWN && row->creator_pid != row->pid;
}

static inline NsRow
recent (NsTraceRecent *self,
        const NsTrace *trace,
        const GArray *index,
        LifeFunc life_of,
        guint32 id,
        gint64 time_ns)
{
  guint slot = (id * 0x9e3779b1u >> 16) % NS_TRACE_RECENT_SIZE;
  gint64 next_ns = G_MAXINT64;
  NsRow row;

  if (self->slots[slot].id == id && self->slots[slot].is_used &&
      self->slots[slot].begin_ns <= time_ns && time_ns <= self->slots[slot].end_ns)
    return self->slots[slot].row;
  row = find_life (trace, index, life_of, id, time_ns, &next_ns);
  if (row != 0)
    {
      Life life = life_of (trace, row);

      if (life.begin_ns <= time_ns && time_ns <= life.end_ns && time_ns < next_ns)
        {
          self->slots[slot].id = id;
          self->slots[slot].row = row;
          self->slots[slot].is_used = TRUE;
          self->slots[slot].begin_ns = life.begin_ns;
          self->slots[slot].end_ns = MIN (life.end_ns, next_ns - 1);
        }
    }
  else
    {
      self->slots[slot].id = id;
      self->slots[slot].row = 0;
      self->slots[slot].is_used = TRUE;
      self->slots[slot].begin_ns = G_MININT64;
      self->slots[slot].end_ns = G_MAXINT64;
    }
  return row;
}

/**
 * ns_trace_recent_process:
 * @self: cached results
 * @trace: a trace
 * @pid: process id
 * @time_ns: a time
 *
 * Returns: the result of ns_trace_find_process(), faster if it is cached
 */
NsRow
ns_trace_recent_process (NsTraceRecent *self, const NsTrace *trace, guint32 pid, gint64 time_ns)
{
  if (trace->index == NULL)
    return 0;
  return recent (self, trace, trace->index->processes, process_life, pid, time_ns);
}

/**
 * ns_trace_recent_thread:
 * @self: cached results
 * @trace: a trace
 * @tid: thread id
 * @time_ns: a time
 *
 * Returns: the result of ns_trace_find_thread(), faster if it is cached
 */
NsRow
ns_trace_recent_thread (NsTraceRecent *self, const NsTrace *trace, guint32 tid, gint64 time_ns)
{
  if (trace->index == NULL)
    return 0;
  return recent (self, trace, trace->index->threads, thread_life, tid, time_ns);
}

/* Returns the number of images sorted before an image of that process, address and time. */
static guint
images_before (const NsTrace *self, guint32 pid, guint64 address)
{
  guint low = 0;
  guint high = self->index->images->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const NsImageRow *image = image_of (self, g_array_index (self->index->images, NsRow, middle));

      if (image->pid < pid || (image->pid == pid && image->base <= address))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static NsRow
find_image_of (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns)
{
  guint i = images_before (self, pid, address);
  guint n_steps = 0;
  guint64 best_distance = G_MAXUINT64;
  NsRow best = 0;

  for (; i > 0 && n_steps < NS_TRACE_MAX_IMAGE_STEPS; i--, n_steps++)
    {
      NsRow row = g_array_index (self->index->images, NsRow, i - 1);
      const NsImageRow *image = image_of (self, row);
      guint64 far;

      if (image->pid != pid || g_array_index (self->index->reach, guint64, i - 1) <= address)
        break;
      if (image_end (image) <= address)
        continue;
      far = distance (image->load_ns, image->unload_ns, time_ns);
      if (far == 0)
        return row;
      if (far < best_distance || best == 0)
        {
          best_distance = far;
          best = row;
        }
    }
  return best;
}

/**
 * ns_trace_find_image:
 * @self: a trace
 * @pid: process whose address it is
 * @address: an address
 * @time_ns: a time
 *
 * Kernel images are found for every process.
 *
 * Returns: the image that contained the address then, or at the nearest time; 0: there is none
 */
NsRow
ns_trace_find_image (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns)
{
  NsRow row = 0;

  if (self->index == NULL || self->index->images == NULL)
    return 0;
  if (ns_trace_is_kernel_address (self, address))
    row = find_image_of (self, 0, address, time_ns);
  return row != 0 ? row : find_image_of (self, pid, address, time_ns);
}

/**
 * ns_trace_get_process_name:
 * @self: a trace
 * @pid: process id
 * @time_ns: a time
 *
 * Returns: (transfer none) (nullable): file name of its program; %NULL if unknown
 */
const char *
ns_trace_get_process_name (const NsTrace *self, guint32 pid, gint64 time_ns)
{
  NsRow row = ns_trace_find_process (self, pid, time_ns);
  NsString name = row != 0 ? NS_ROW_AT (self->processes, NsProcessRow, row)->name : 0;

  return name != NS_STRING_NONE ? ns_trace_text (self, name) : NULL;
}

/**
 * ns_trace_is_kernel_address:
 * @self: a trace
 * @address: an address
 *
 * Returns: whether it lies in the kernel's half of the address space, by the pointer size of the
 *   log
 */
gboolean
ns_trace_is_kernel_address (const NsTrace *self, guint64 address)
{
  return ns_etl_file_get_header (self->file)->pointer_size == 4
             ? address >= G_GUINT64_CONSTANT (0x80000000)
             : address >= G_GUINT64_CONSTANT (0xffff000000000000);
}

/**
 * ns_trace_frame_to_text:
 * @self: a trace
 * @pid: process whose address it is
 * @address: an address
 * @time_ns: a time
 *
 * Returns: (transfer full): `module+0x12f0`, the name of a JIT-compiled method, `[JS] 0x1f…` in
 *   script code, or `0x7ff8…` if the address is unknown
 */
char *
ns_trace_frame_to_text (const NsTrace *self, guint32 pid, guint64 address, gint64 time_ns)
{
  const NsMethodRow *method = ns_methods_find (self, pid, address, time_ns);
  NsRow row = method == NULL ? ns_trace_find_image (self, pid, address, time_ns) : 0;
  GString *text = g_string_sized_new (FRAME_TEXT_BYTES);
  const NsImageRow *image;

  if (method != NULL)
    ns_method_append_text (method, self, address, text);
  else if (row == 0 || image_of (self, row)->name == NS_STRING_NONE)
    {
      if (row == 0 && ns_methods_is_script (self, pid, address))
        g_string_append (text, "[JS] ");
      ns_text_append_hex (text, address);
    }
  else
    {
      image = image_of (self, row);
      ns_text_append_text (text, ns_trace_text (self, image->name));
      ns_text_append (text, "+", 1);
      ns_text_append_hex (text, address - image->base);
    }
  return g_string_free (text, FALSE);
}
