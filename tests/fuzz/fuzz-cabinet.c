/* Fuzz target: a compressed file (cabinet) of a symbol store.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include "base/ns-fd.h"
#include "fuzz/ns-fuzz.h"
#include "symbols/ns-symbol-cabinet.h"

#include <sys/mman.h>
#include <unistd.h>

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int from = memfd_create ("cabinet", MFD_CLOEXEC);
  int to = memfd_create ("expanded", MFD_CLOEXEC);

  if (from < 0 || to < 0 || !ns_fd_write_all (from, data, size))
    ns_fuzz_fail ("there is no file to read");
  path = g_strdup_printf ("/proc/self/fd/%d", from);
  if (ns_symbol_cabinet_expand (path, to, NULL, &error) != (error == NULL))
    ns_fuzz_fail ("refused without a reason");
  close (from);
  close (to);
  return 0;
}
