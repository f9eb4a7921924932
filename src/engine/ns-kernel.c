/* Processes, threads and images: who lived when, and what was loaded where.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-kernel-private.h"

/* clang-format off */
static const NsProviderOps ops[] = {
  { NS_GUID_INIT (0x3d6fa8d0, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c),
    ns_kernel_read_process, NULL },
  { NS_GUID_INIT (0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c),
    ns_kernel_read_thread, NULL },
  { NS_GUID_INIT (0x2cb15d1d, 0x5fc1, 0x11d2, 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18),
    ns_kernel_read_image, NULL },
  /* ImageID, written by a merge. */
  { NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde),
    ns_kernel_read_image_id, NULL },
  /* SystemConfigEx, written by a merge. */
  { NS_GUID_INIT (0x9b79ee91, 0xb5fd, 0x41c0, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0),
    ns_kernel_read_system_config, NULL },
  /* EventTrace. */
  { NS_GUID_INIT (0x68fdd900, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3),
    ns_kernel_read_event_trace, NULL },
  /* Microsoft-Windows-Kernel-Process. */
  { NS_GUID_INIT (0x22fb2cd6, 0x0e7b, 0x422b, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16),
    ns_kernel_read_manifest, NULL },
};
/* clang-format on */

/* All three begin as NsKernelFact does. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (NsProcessFact, kind) == G_STRUCT_OFFSET (NsKernelFact, kind));
G_STATIC_ASSERT (G_STRUCT_OFFSET (NsImageFact, kind) == G_STRUCT_OFFSET (NsKernelFact, kind));
G_STATIC_ASSERT (G_STRUCT_OFFSET (NsThreadFact, kind) == G_STRUCT_OFFSET (NsKernelFact, kind));

/* Rundowns go first: they tell what was there before everything else. */
int
ns_kernel_compare_facts (gconstpointer a, gconstpointer b)
{
  const NsKernelFact *x = a;
  const NsKernelFact *y = b;
  gboolean x_first = x->kind == NS_FACT_RUNDOWN;
  gboolean y_first = y->kind == NS_FACT_RUNDOWN;

  if (x_first != y_first)
    return y_first - x_first;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void
start (NsBuilder *builder)
{
  NsKernel *self = g_new0 (NsKernel, 1);

  self->processes = g_array_new (FALSE, FALSE, sizeof (NsProcessFact));
  self->threads = g_array_new (FALSE, FALSE, sizeof (NsThreadFact));
  self->images = g_array_new (FALSE, FALSE, sizeof (NsImageFact));
  self->debug = g_array_new (FALSE, FALSE, sizeof (NsDebugFact));
  self->paths = ns_kernel_paths_new ();
  builder->kernel = self;
}

static void
scanned (NsBuilder *builder)
{
  NsKernel *self = builder->kernel;

  ns_kernel_fold_processes (builder);
  ns_kernel_fold_threads (builder);
  ns_kernel_fold_images (builder);
  ns_kernel_finish_processes (builder);
  g_array_set_size (self->processes, 0);
  g_array_set_size (self->threads, 0);
  g_array_set_size (self->images, 0);
  g_array_set_size (self->debug, 0);
}

static void
stop (NsBuilder *builder)
{
  NsKernel *self = builder->kernel;

  g_array_unref (self->processes);
  g_array_unref (self->threads);
  g_array_unref (self->images);
  g_array_unref (self->debug);
  ns_kernel_paths_free (self->paths);
  g_clear_pointer (&builder->kernel, g_free);
}

const NsPart ns_kernel_part = {
  .name = "kernel",
  .start = start,
  .scanned = scanned,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
