/* Fuzz target: a log of another tool, of the detected type, and as a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include "base/ns-fd.h"
#include "fuzz/ns-fuzz.h"
#include "side/ns-side.h"

#include <sys/mman.h>
#include <unistd.h>

/* 2026-11-20 08:41:30 UTC. */
#define MOMENT G_GUINT64_CONSTANT (134396376900000000)

static void
check_text (const char *text)
{
  if (text != NULL && !g_utf8_validate (text, -1, NULL))
    ns_fuzz_fail ("what a line tells is no text");
}

static void
line_cb (const NsSideLine *line, gpointer user_data)
{
  guint32 *n_lines = user_data;

  if (line->text == NULL || line->line == 0 || line->uncertainty_ns < 0 || line->duration_ns < -1)
    ns_fuzz_fail ("a line without a text, a number or a time");
  check_text (line->text);
  check_text (line->action);
  check_text (line->status);
  check_text (line->process);
  check_text (line->server);
  check_text (line->url);
  check_text (line->protocol);
  (*n_lines)++;
}

static void
read_log (const char *path, const char *time_columns)
{
  static const NsZone zone = { .bias_min = -60 };
  NsSideOptions options = {
    .zone = &zone,
    .near_filetime = MOMENT,
    .time_columns = time_columns,
  };
  guint32 n_lines = 0;
  g_autoptr (NsSideLog) log = ns_side_log_read (path, &options, line_cb, &n_lines);

  if (log->n_lines != n_lines || log->faults->len > NS_SIDE_MAX_FAULTS ||
      log->faults->len > log->n_faults)
    ns_fuzz_fail ("lines are not counted as they are told");
  check_text (log->refusal);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *path = NULL;
  g_autofree char *column = NULL;
  int fd = memfd_create ("log", MFD_CLOEXEC);

  if (fd < 0 || !ns_fd_write_all (fd, data, size))
    ns_fuzz_fail ("there is no file to read");
  path = g_strdup_printf ("/proc/self/fd/%d", fd);
  column = g_strconcat (path, "=time", NULL);
  read_log (path, NULL);
  read_log (path, column);
  close (fd);
  return 0;
}
