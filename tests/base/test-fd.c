/* Tests writing to file descriptors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* More than a pipe buffer holds. */
#define N_BYTES ((gsize) 1 << 20)

static gpointer
read_slowly (gpointer data)
{
  int fd = GPOINTER_TO_INT (data);
  GByteArray *all = g_byte_array_new ();
  guint8 block[5000];
  ssize_t n;

  while ((n = read (fd, block, sizeof block)) > 0)
    g_byte_array_append (all, block, (guint) n);
  return all;
}

static void
parts_are_followed_by_the_rest (void)
{
  g_autofree guint8 *data = g_malloc (N_BYTES);
  g_autoptr (GByteArray) all = NULL;
  GThread *reader;
  int ends[2];
  gsize i;

  for (i = 0; i < N_BYTES; i++)
    data[i] = (guint8) (i * 7 >> 3);
  g_assert_cmpint (pipe (ends), ==, 0);
  reader = g_thread_new ("reader", read_slowly, GINT_TO_POINTER (ends[0]));
  g_assert_true (ns_fd_write_all (ends[1], data, N_BYTES));
  close (ends[1]);
  all = g_thread_join (reader);
  close (ends[0]);
  g_assert_cmpmem (all->data, all->len, data, N_BYTES);
}

static void
full_disk_is_told (void)
{
  int fd = open ("/dev/full", O_WRONLY | O_CLOEXEC);

  if (fd < 0)
    {
      g_test_skip ("no /dev/full here");
      return;
    }
  g_assert_false (ns_fd_write_all (fd, "x", 1));
  g_assert_cmpint (errno, ==, ENOSPC);
  g_assert_true (ns_fd_write_all (fd, NULL, 0));
  close (fd);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fd/parts-are-followed-by-the-rest", parts_are_followed_by_the_rest);
  g_test_add_func ("/fd/full-disk-is-told", full_disk_is_told);
  return g_test_run ();
}
