/* Converts kernel paths to drive letters and folders.
 *
 * The volumes come from the SystemConfigEx records that a merge adds to a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-kernel-paths.h"

#include <string.h>

typedef struct
{
  char *nt; /* without a trailing backslash */
  char *dos;
} Volume;

struct _NsKernelPaths
{
  GArray *volumes; /* element-type Volume, longest first */
  char *windows;   /* (nullable) */
};

static void
volume_clear (gpointer data)
{
  Volume *volume = data;

  g_free (volume->nt);
  g_free (volume->dos);
}

/**
 * ns_kernel_paths_new:
 *
 * Returns: (transfer full): a map without volumes
 */
NsKernelPaths *
ns_kernel_paths_new (void)
{
  NsKernelPaths *self = g_new0 (NsKernelPaths, 1);

  self->volumes = g_array_new (FALSE, FALSE, sizeof (Volume));
  g_array_set_clear_func (self->volumes, volume_clear);
  return self;
}

/**
 * ns_kernel_paths_free:
 * @self: (transfer full) (nullable): a map
 */
void
ns_kernel_paths_free (NsKernelPaths *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->volumes);
  g_free (self->windows);
  g_free (self);
}

static char *
without_last_backslash (const char *path)
{
  gsize n = strlen (path);

  return g_strndup (path, n > 0 && path[n - 1] == '\\' ? n - 1 : n);
}

/* Sorts the longest prefix first: HarddiskVolume1 is a prefix of HarddiskVolume10. */
static int
compare_volumes (gconstpointer a, gconstpointer b)
{
  gsize n_a = strlen (((const Volume *) a)->nt);
  gsize n_b = strlen (((const Volume *) b)->nt);

  return (n_a < n_b) - (n_a > n_b);
}

/**
 * ns_kernel_paths_add_volume:
 * @self: a map
 * @nt_path: kernel prefix
 * @dos_path: its replacement, may be empty
 */
void
ns_kernel_paths_add_volume (NsKernelPaths *self, const char *nt_path, const char *dos_path)
{
  Volume volume;

  if (*nt_path == '\0' || self->volumes->len >= NS_KERNEL_PATHS_MAX_VOLUMES)
    return;
  volume.nt = without_last_backslash (nt_path);
  volume.dos = without_last_backslash (dos_path);
  g_array_append_val (self->volumes, volume);
  g_array_sort (self->volumes, compare_volumes);
}

/**
 * ns_kernel_paths_set_windows:
 * @self: a map
 * @directory: the Windows folder, such as `C:\Windows`
 */
void
ns_kernel_paths_set_windows (NsKernelPaths *self, const char *directory)
{
  g_free (self->windows);
  self->windows = without_last_backslash (directory);
}

static gboolean
has_prefix (const char *path, const char *prefix)
{
  gsize n = strlen (prefix);

  return g_ascii_strncasecmp (path, prefix, n) == 0 && (path[n] == '\\' || path[n] == '\0');
}

/**
 * ns_kernel_paths_to_dos:
 * @self: a map
 * @nt_path: a kernel path
 *
 * Returns: (transfer full): the path with a drive letter if it is known, else unchanged
 */
char *
ns_kernel_paths_to_dos (const NsKernelPaths *self, const char *nt_path)
{
  guint i;

  if (g_str_has_prefix (nt_path, "\\??\\") && nt_path[4] != '\0')
    return g_strdup (nt_path + 4);
  if (self->windows != NULL && has_prefix (nt_path, "\\SystemRoot"))
    return g_strconcat (self->windows, nt_path + strlen ("\\SystemRoot"), NULL);
  /* Early boot images have no volume: `\Windows\System32\ntdll.dll`. */
  if (self->windows != NULL && self->windows[0] != '\0' && self->windows[1] == ':' &&
      has_prefix (nt_path, self->windows + 2))
    return g_strdup_printf ("%c:%s", self->windows[0], nt_path);

  for (i = 0; i < self->volumes->len; i++)
    {
      const Volume *volume = &g_array_index (self->volumes, Volume, i);

      if (*volume->nt != '\0' && *volume->dos != '\0' && has_prefix (nt_path, volume->nt))
        return g_strconcat (volume->dos, nt_path + strlen (volume->nt), NULL);
    }
  return g_strdup (nt_path);
}
