/* Processes, threads and images: lifetimes and load addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/system/ns-kernel-private.h"

/* clang-format off */
static const NsProviderOps ops[] = {
  { NS_GUID_PROCESS,
    ns_kernel_read_process, NULL },
  { NS_GUID_THREAD,
    ns_kernel_read_thread, NULL },
  { NS_GUID_IMAGE,
    ns_kernel_read_image, NULL },
  /* ImageID, written by a merge. */
  { NS_GUID_IMAGE_ID,
    ns_kernel_read_image_id, NULL },
  /* SystemConfigEx, written by a merge. */
  { NS_GUID_SYSTEM_CONFIG_EX,
    ns_kernel_read_system_config, NULL },
  /* EventTrace. */
  { NS_GUID_EVENT_TRACE,
    ns_kernel_read_event_trace, NULL },
  /* Microsoft-Windows-Kernel-Process. */
  { NS_GUID_KERNEL_PROCESS,
    ns_kernel_read_manifest, NULL },
};
/* clang-format on */

/* All three begin with the members of NsKernelFact. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (NsProcessFact, kind) == G_STRUCT_OFFSET (NsKernelFact, kind));
G_STATIC_ASSERT (G_STRUCT_OFFSET (NsImageFact, kind) == G_STRUCT_OFFSET (NsKernelFact, kind));
G_STATIC_ASSERT (G_STRUCT_OFFSET (NsThreadFact, kind) == G_STRUCT_OFFSET (NsKernelFact, kind));

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

static const NsPartTable tables[] = {
  NS_PART_TABLE (processes, NsProcessRow, NULL),
  NS_PART_TABLE (threads, NsThreadRow, NULL),
  NS_PART_TABLE (images, NsImageRow, NULL),
};

const NsPart ns_kernel_part = {
  .name = "kernel",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .learned = scanned,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
