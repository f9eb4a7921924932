/* Writing to an open file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"

#include <errno.h>
#include <unistd.h>

/**
 * ns_fd_write_all:
 * @fd: where to
 * @data: (array length=n_bytes): bytes
 * @n_bytes: how many
 *
 * Repeats the call after a signal, and after a part was written.
 *
 * Returns: %FALSE if not all could be written; `errno` says why
 */
gboolean
ns_fd_write_all (int fd, gconstpointer data, gsize n_bytes)
{
  const guint8 *rest = data;

  while (n_bytes > 0)
    {
      ssize_t n = write (fd, rest, n_bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n == 0)
        errno = EIO;
      if (n <= 0)
        return FALSE;
      rest += n;
      n_bytes -= (gsize) n;
    }
  return TRUE;
}
