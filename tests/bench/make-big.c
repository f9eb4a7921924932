/* Writes a large trace: make-big [--seed N] [--cpus N] [--processes N] [--compressed] SIZE FILE, or
 * make-big [...] --rows N FILE for N rows in a small file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"

#include <stdlib.h>

/* Parses `100M`, `1G` or a number of bytes; units are powers of 1000. */
static guint64
parse_size (const char *text)
{
  char *end;
  guint64 size = g_ascii_strtoull (text, &end, 10);

  if (*end == 'G')
    return size * 1000000000;
  if (*end == 'M')
    return size * 1000000;
  return *end == '\0' ? size : 0;
}

int
main (int argc, char *argv[])
{
  int seed = 1;
  int n_cpus = 16;
  int n_processes = 50;
  int n_rows = 0;
  gboolean is_compressed = FALSE;
  const GOptionEntry entries[] = {
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "the same seed makes the same trace", "N" },
    { "cpus", 0, 0, G_OPTION_ARG_INT, &n_cpus, "processors", "N" },
    { "processes", 0, 0, G_OPTION_ARG_INT, &n_processes, "processes", "N" },
    { "compressed", 0, 0, G_OPTION_ARG_NONE, &is_compressed, "write compressed buffers", NULL },
    { "rows", 0, 0, G_OPTION_ARG_INT, &n_rows, "as many short connections, no SIZE", "N" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("SIZE FILE");
  g_autoptr (GError) error = NULL;
  BigTraceCounts counts;
  BigTraceOptions options = { 0 };

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || n_cpus < 1 || n_processes < 1 ||
      n_rows < 0 || argc != (n_rows > 0 ? 2 : 3) || (n_rows == 0 && parse_size (argv[1]) == 0))
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

      g_printerr ("%s", error != NULL ? error->message : help);
      return EXIT_FAILURE;
    }
  options.size = n_rows > 0 ? 0 : parse_size (argv[1]);
  options.n_connections = (guint) n_rows;
  options.seed = (guint32) seed;
  options.n_cpus = (guint) n_cpus;
  options.n_processes = (guint) n_processes;
  options.is_compressed = is_compressed;
  if (!big_trace_write (&options, argv[argc - 1], &counts, &error))
    {
      g_printerr ("%s: %s\n", argv[argc - 1], error->message);
      return EXIT_FAILURE;
    }
  g_print ("%s: %" G_GUINT64_FORMAT " records, %" G_GUINT64_FORMAT " connections\n",
           argv[argc - 1],
           counts.n_records,
           counts.n_connections);
  return EXIT_SUCCESS;
}
