/* Generates traces of any size with the shape of a real recording of network events.
 *
 * Some hundred connections are open at any moment, each at its own step of a script; a heap over
 * the times of their next steps picks the next event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"

#include "big-events.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define N_LIVES 400
/* In ticks of 100 ns: a step takes up to 80 ms, which gives about 10 000 events per second. */
#define MAX_STEP 800000

typedef struct
{
  BigSink sink;
  const BigTraceOptions *options;
  BigLife lives[N_LIVES];
  guint heap[N_LIVES];
  guint n_connections;
} Big;

static guint
below (Big *self, guint n)
{
  return (guint) g_rand_int_range (self->sink.rand, 0, (gint32) n);
}

static void
sink_top (Big *self)
{
  guint at = 0;
  guint item = self->heap[0];

  for (;;)
    {
      guint child = at * 2 + 1;

      if (child >= N_LIVES)
        break;
      if (child + 1 < N_LIVES &&
          self->lives[self->heap[child + 1]].due < self->lives[self->heap[child]].due)
        child++;
      if (self->lives[self->heap[child]].due >= self->lives[item].due)
        break;
      self->heap[at] = self->heap[child];
      at = child;
    }
  self->heap[at] = item;
}

static void
begin_life (Big *self, BigLife *life)
{
  guint process = below (self, self->options->n_processes);

  life->next = self->sink.is_dense ? big_dense_scripts[below (self, n_big_dense_scripts)]
                                   : big_scripts[below (self, n_big_scripts)];
  life->number = ++self->n_connections;
  life->pid = big_pid (process);
  life->tid = big_tid (process, below (self, BIG_N_THREADS));
  life->cpu = below (self, self->options->n_cpus);
}

static gboolean
is_done (Big *self)
{
  if (self->sink.is_dense)
    return self->n_connections >= self->options->n_connections;
  return ns_etl_writer_get_size (self->sink.writer) >= self->options->size;
}

static void
write_records (Big *self)
{
  guint64 begin = self->sink.raw;
  guint i;

  for (i = 0; i < N_LIVES; i++)
    {
      begin_life (self, &self->lives[i]);
      self->lives[i].due = begin + (guint64) i * MAX_STEP / N_LIVES;
      self->heap[i] = i;
    }
  while (!is_done (self))
    {
      BigLife *life = &self->lives[self->heap[0]];

      self->sink.raw = MAX (self->sink.raw + 1, life->due);
      big_step (&self->sink, life, *life->next++);
      if (!self->sink.is_dense && below (self, 6) == 0)
        {
          self->sink.raw++;
          big_background (&self->sink, life->pid, life->tid);
        }
      if (*life->next == '\0')
        begin_life (self, life);
      else if (below (self, 8) == 0)
        life->cpu = below (self, self->options->n_cpus);
      life->due = self->sink.raw + 1 + below (self, MAX_STEP);
      sink_top (self);
    }
}

/**
 * big_trace_write:
 * @options: size and shape of the trace
 * @path: the file to write
 * @counts: (out): counts of the generated trace
 * @error: return location for an error
 *
 * Writes a generated trace.
 *
 * Returns: %TRUE on success
 */
gboolean
big_trace_write (const BigTraceOptions *options,
                 const char *path,
                 BigTraceCounts *counts,
                 GError **error)
{
  NsEtlWriterOptions writer = { .is_compressed = options->is_compressed,
                                .n_processors = options->n_cpus };
  g_autofree Big *self = g_new0 (Big, 1);
  int fd = g_open (path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  gboolean ok;

  if (fd < 0)
    {
      g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, g_strerror (errno));
      return FALSE;
    }
  self->options = options;
  self->sink.writer = ns_etl_writer_new (&writer);
  self->sink.rand = g_rand_new_with_seed (options->seed);
  self->sink.payload = g_byte_array_new ();
  self->sink.raw = ns_etl_writer_get_base_raw (self->sink.writer);
  self->sink.n_cpus = options->n_cpus;
  self->sink.is_dense = options->n_connections > 0;
  ns_etl_writer_stream_to_fd (self->sink.writer, fd);
  big_rundown (&self->sink, options->n_processes, BIG_N_THREADS);
  write_records (self);
  ok = ns_etl_writer_finish_stream (self->sink.writer, error);
  ok = close (fd) == 0 && ok;
  counts->n_records = self->sink.n_records;
  counts->n_connections = self->n_connections;
  ns_etl_writer_free (self->sink.writer);
  g_rand_free (self->sink.rand);
  g_byte_array_unref (self->sink.payload);
  return ok;
}

/**
 * big_trace_bench:
 * @argc: of main()
 * @argv: of main(): the program, and the number of rows of the trace
 * @run: (scope call): the function to run on the trace
 *
 * Runs a benchmark on a generated dense trace, or on the one that `NETSTITCH_BIG` names.
 *
 * Returns: the exit status for main()
 */
int
big_trace_bench (int argc, char *argv[], void (*run) (const char *path, guint n_connections))
{
  BigTraceOptions options = { .seed = 1, .n_cpus = 16, .n_processes = 50 };
  const char *given = g_getenv ("NETSTITCH_BIG");
  g_autofree char *name = g_path_get_basename (argv[0]);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  BigTraceCounts counts;

  if (argc != 2)
    {
      g_printerr ("%s ROWS\n", name);
      return 1;
    }
  options.n_connections = (guint) g_ascii_strtoull (argv[1], NULL, 10);
  path = g_strdup_printf ("%s/%s-%d.etl", g_get_tmp_dir (), name, (int) getpid ());
  if (given == NULL && !big_trace_write (&options, path, &counts, &error))
    g_error ("%s", error->message);
  run (given != NULL ? given : path, options.n_connections);
  if (given == NULL)
    g_unlink (path);
  return 0;
}
