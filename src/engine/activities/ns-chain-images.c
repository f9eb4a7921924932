/* Lists the images in the stacks of the master table, whose symbols are worth loading.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain-images.h"
#include "engine/tasks/ns-runs.h"

typedef struct
{
  const NsTrace *trace;
  guint32 *counts; /* by row of the images */
  guint8 *is_seen; /* by stack */
} Search;

/* Counts the frames of a stack when it is first used. */
static void
count_stack (Search *self, NsStackId stack, gint64 time_ns)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, stack, &n_frames);
  guint i;

  if (n_frames == 0 || self->is_seen[stack])
    return;
  self->is_seen[stack] = TRUE;
  for (i = 0; i < n_frames; i++)
    {
      NsRow row = ns_trace_find_image (self->trace,
                                       ns_stacks_get_pid (self->trace->stacks, stack),
                                       frames[i],
                                       time_ns);

      if (row != 0)
        self->counts[row]++;
    }
}

static int
compare_images (gconstpointer a, gconstpointer b)
{
  const NsChainImage *x = a;
  const NsChainImage *y = b;

  if (x->n_frames != y->n_frames)
    return x->n_frames > y->n_frames ? -1 : 1;
  return x->image < y->image ? -1 : x->image > y->image;
}

/**
 * ns_chain_list_images:
 * @trace: a trace
 *
 * Counts the frames of the stacks in the chains of the master table, each stack once.
 *
 * Returns: (transfer full) (element-type NsChainImage): the images, by number of frames, largest
 *   first
 */
GArray *
ns_chain_list_images (const NsTrace *trace)
{
  g_autofree guint32 *counts = g_new0 (guint32, trace->images->len + 1);
  g_autofree guint8 *is_seen = g_new0 (guint8, ns_stacks_get_size (trace->stacks) + 1);
  GArray *images = g_array_new (FALSE, FALSE, sizeof (NsChainImage));
  Search search = { trace, counts, is_seen };
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      count_stack (&search, row->stack, row->open_ns);
    }
  for (i = 1; trace->runs != NULL && i <= trace->runs->runs->len; i++)
    if (ns_runs_get (trace->runs, i)->is_used)
      {
        const NsSubmission *origin = ns_runs_get_origin (trace->runs, i);

        count_stack (&search, origin->stack, origin->time_ns);
      }
  for (i = 1; i <= trace->images->len; i++)
    {
      NsChainImage image = { i, counts[i] };

      if (counts[i] > 0)
        g_array_append_val (images, image);
    }
  g_array_sort (images, compare_images);
  return images;
}
