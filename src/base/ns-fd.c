/* Writing to a file descriptor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"

#include <errno.h>
#include <unistd.h>

/**
 * ns_fd_write_all:
 * @fd: a file descriptor
 * @data: (array length=n_bytes): bytes
 * @n_bytes: number of bytes
 *
 * Writes all of @data, with retries after a signal or a partial write.
 *
 * Returns: %FALSE if not everything could be written; `errno` is set
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
