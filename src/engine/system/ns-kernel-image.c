/* Images: records merged into one row for each load, with the debug ID.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/system/ns-kernel-private.h"
#include "engine/trace/ns-trace-lookup.h"

typedef struct
{
  NsTrace *trace;
  GArray *rows;
  NsMap *last; /* the latest row of a process and base */
} Fold;

static int
compare_facts (gconstpointer a, gconstpointer b)
{
  const NsImageFact *x = a;
  const NsImageFact *y = b;
  gboolean x_last = x->kind == NS_FACT_ID;
  gboolean y_last = y->kind == NS_FACT_ID;

  return x_last != y_last ? x_last - y_last : ns_kernel_compare_facts (a, b);
}

static void
fill (NsImageRow *row, const NsImageRow *from)
{
  if (row->size == 0)
    row->size = from->size;
  if (row->path == NS_STRING_NONE)
    row->path = from->path;
  if (row->timestamp == 0)
    row->timestamp = from->timestamp;
  if (row->checksum == 0)
    row->checksum = from->checksum;
}

static NsImageRow *
add (Fold *self, const NsImageRow *from, gint64 load_ns)
{
  NsImageRow row = *from;

  row.load_ns = load_ns;
  row.unload_ns = NS_TIME_OPEN;
  row.before_trace = load_ns == NS_TIME_NONE;
  g_array_append_val (self->rows, row);
  ns_map_set (self->last, row.pid, row.base, self->rows->len);
  return &g_array_index (self->rows, NsImageRow, self->rows->len - 1);
}

static gboolean
is_same (const NsImageRow *row, const NsImageRow *from)
{
  return row->size == from->size &&
         (row->timestamp == 0 || from->timestamp == 0 || row->timestamp == from->timestamp);
}

static gboolean
is_near (gint64 a, gint64 b)
{
  return ns_time_is_set (a) && ns_time_is_set (b) && ABS (a - b) <= NS_KERNEL_DUPLICATE_NS;
}

static void
fold_load (Fold *self, NsImageRow *row, const NsImageFact *fact, const NsImageRow *from)
{
  if (row != NULL && row->unload_ns == NS_TIME_OPEN && is_same (row, from))
    {
      if (row->before_trace)
        {
          row->load_ns = fact->time_ns;
          row->before_trace = FALSE;
          fill (row, from);
          return;
        }
      if (is_near (row->load_ns, fact->time_ns))
        {
          fill (row, from);
          return;
        }
    }
  if (row != NULL && row->unload_ns == NS_TIME_OPEN)
    row->unload_ns = fact->time_ns;
  add (self, from, fact->time_ns);
}

static void
fold (Fold *self, const NsImageFact *fact)
{
  NsImageRow from = fact->row;
  guint32 number;
  NsImageRow *row;

  from.is_kernel =
      (from.pid == 0 || from.pid == 4) && ns_trace_is_kernel_address (self->trace, from.base);
  if (from.is_kernel)
    from.pid = 0;
  number = ns_map_get (self->last, from.pid, from.base);
  row = number != 0 ? NS_ROW_AT (self->rows, NsImageRow, number) : NULL;

  switch ((NsFactKind) fact->kind)
    {
    case NS_FACT_START:
      fold_load (self, row, fact, &from);
      break;
    case NS_FACT_END:
      if (row != NULL &&
          (row->unload_ns == NS_TIME_OPEN || is_near (row->unload_ns, fact->time_ns)))
        {
          if (row->unload_ns == NS_TIME_OPEN)
            row->unload_ns = fact->time_ns;
          fill (row, &from);
        }
      else
        add (self, &from, NS_TIME_NONE)->unload_ns = fact->time_ns;
      break;
    case NS_FACT_RUNDOWN:
    case NS_FACT_RUNDOWN_END:
      if (row != NULL && is_same (row, &from))
        fill (row, &from);
      else
        add (self, &from, NS_TIME_NONE);
      break;
    case NS_FACT_ID:
      if (row != NULL)
        fill (row, &from);
      else
        add (self, &from, NS_TIME_NONE);
      break;
    case NS_FACT_DEFUNCT:
    case NS_FACT_NAME:
    default:
      break;
    }
}

/* Sets drive paths, names and processes of the rows; an image is unloaded at the latest when its
 * process ends. */
static void
finish_rows (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->images->len; i++)
    {
      NsImageRow *row = &g_array_index (trace->images, NsImageRow, i);
      gint64 moment = row->load_ns != NS_TIME_NONE     ? row->load_ns
                      : row->unload_ns != NS_TIME_OPEN ? row->unload_ns
                                                       : 0;
      const NsProcessRow *process;

      if (row->path != NS_STRING_NONE)
        {
          g_autofree char *dos =
              ns_kernel_paths_to_dos (builder->kernel->paths, ns_trace_text (trace, row->path));

          row->path = ns_strings_add (trace->strings, dos);
          row->name = ns_kernel_base_name (builder, row->path);
        }
      if (row->is_kernel)
        continue;
      row->process = ns_trace_find_process (trace, row->pid, moment);
      if (row->process == 0)
        continue;
      process = NS_ROW_AT (trace->processes, NsProcessRow, row->process);
      if (row->unload_ns == NS_TIME_OPEN && process->end_ns != NS_TIME_OPEN &&
          (row->load_ns == NS_TIME_NONE || process->end_ns >= row->load_ns))
        row->unload_ns = process->end_ns;
    }
}

static void
join_debug (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  GArray *facts = builder->kernel->debug;
  guint i;

  for (i = 0; i < facts->len; i++)
    {
      const NsDebugFact *fact = &g_array_index (facts, NsDebugFact, i);
      NsRow number = ns_trace_find_image (trace, fact->pid, fact->base, fact->time_ns);
      NsImageRow *row;

      if (number == 0)
        continue;
      row = NS_ROW_AT (trace->images, NsImageRow, number);
      if (row->base != fact->base || (fact->is_il && row->has_guid))
        continue;
      row->guid = fact->guid;
      row->age = fact->age;
      row->has_guid = !ns_guid_is_zero (&fact->guid);
      if (fact->pdb != NS_STRING_NONE)
        row->pdb = fact->pdb;
    }
}

/* Sets the debug ID of the kernel image, which is recorded even in traces that were not merged. */
static void
join_kernel (NsBuilder *builder)
{
  const NsKernel *kernel = builder->kernel;
  GArray *images = builder->trace->images;
  guint i;

  if (kernel->kernel_pdb == NS_STRING_NONE)
    return;
  for (i = 0; i < images->len; i++)
    {
      NsImageRow *row = &g_array_index (images, NsImageRow, i);
      const char *name =
          row->name != NS_STRING_NONE ? ns_trace_text (builder->trace, row->name) : "";

      if (!row->is_kernel || row->has_guid ||
          (g_ascii_strncasecmp (name, "ntoskrnl", 8) != 0 &&
           g_ascii_strncasecmp (name, "ntkrnl", 6) != 0))
        continue;
      row->pdb = kernel->kernel_pdb;
      row->guid = kernel->kernel_guid;
      row->age = kernel->kernel_age;
      row->has_guid = !ns_guid_is_zero (&row->guid);
    }
}

void
ns_kernel_fold_images (NsBuilder *builder)
{
  Fold self = { .trace = builder->trace, .rows = builder->trace->images };
  GArray *facts = builder->kernel->images;
  guint i;

  self.last = ns_map_new ();
  g_array_sort (facts, compare_facts);
  for (i = 0; i < facts->len; i++)
    fold (&self, &g_array_index (facts, NsImageFact, i));
  ns_map_free (self.last);
  finish_rows (builder);
  ns_trace_index_images (builder->trace);
  join_debug (builder);
  join_kernel (builder);
}
