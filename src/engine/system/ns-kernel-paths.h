/* Converts kernel paths to drive letters and folders.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of volumes kept. */
#define NS_KERNEL_PATHS_MAX_VOLUMES 256

typedef struct _NsKernelPaths NsKernelPaths;

NsKernelPaths *ns_kernel_paths_new (void);
void ns_kernel_paths_free (NsKernelPaths *self);
void ns_kernel_paths_add_volume (NsKernelPaths *self, const char *nt_path, const char *dos_path);
void ns_kernel_paths_set_windows (NsKernelPaths *self, const char *directory);
char *ns_kernel_paths_to_dos (const NsKernelPaths *self, const char *nt_path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsKernelPaths, ns_kernel_paths_free)

G_END_DECLS
