/* Tests files that are no traces, change while they are read, or are damaged anywhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "engine/open/ns-event-read.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_CONNECTIONS 200
#define N_OPENED 100
#define N_WARM 20
#define N_OVERWRITTEN 100
/* Memory that the allocator may retain between two openings. */
#define MAX_GROWTH (256 * 1024)

typedef struct
{
  char *dir;
  char *path;
} Fixture;

static GBytes *
make_bytes_as (guint n_connections, const NsEtlWriterOptions *options)
{
  g_autoptr (Story) story = story_new ();
  guint i;

  for (i = 0; i < n_connections; i++)
    {
      guint64 endpoint = 0xffffa000 + (guint64) i * 0x10;

      story_socket (story, i, endpoint, 50000 + i % 1000, "198.51.100.7:443");
      story_socket_bytes (story, i + 0.3, 1003, endpoint, 100 + i);
      story_tcp_connect (story, i + 0.4, endpoint + 1, "10.0.0.5:50001", "198.51.100.7:443");
      story_socket_close (story, i + 0.8, endpoint);
    }
  if (options != NULL)
    return story_finish_as (story, options);
  return ns_etl_writer_finish (story->writer);
}

static GBytes *
make_bytes (guint n_connections)
{
  return make_bytes_as (n_connections, NULL);
}

static void
put_file (const Fixture *f, const GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data ((GBytes *) bytes, &size);

  g_assert_true (g_file_set_contents (f->path, data, (gssize) size, NULL));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->dir = g_dir_make_tmp ("hostile-XXXXXX", NULL);
  f->path = g_build_filename (f->dir, "trace.etl", NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_chmod (f->path, 0600);
  g_remove (f->path);
  g_rmdir (f->dir);
  g_free (f->path);
  g_free (f->dir);
}

static NsTrace *
open_trace (const char *path, GError **error)
{
  const NsTraceOptions options = { .want_events = TRUE };

  return ns_trace_open (path, &options, NULL, NULL, error);
}

static void
assert_refused (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = open_trace (path, &error);

  g_assert_null (trace);
  g_assert_nonnull (error);
  g_assert_true (error->domain == NS_TRACE_ERROR);
  g_assert_cmpstr (error->message, !=, "");
}

static void
test_an_empty_file_is_refused (Fixture *f, gconstpointer data)
{
  g_assert_true (g_file_set_contents (f->path, "", 0, NULL));
  assert_refused (f->path);
}

static void
test_a_folder_is_refused (Fixture *f, gconstpointer data)
{
  assert_refused (f->dir);
}

/* Opening a FIFO for reading would block until there is a writer. */
static void
test_a_pipe_is_refused_at_once (Fixture *f, gconstpointer data)
{
  g_assert_cmpint (mkfifo (f->path, 0600), ==, 0);
  assert_refused (f->path);
}

static void
test_a_file_not_to_be_read_is_refused (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = make_bytes (1);

  gboolean is_root = geteuid () == 0;

  put_file (f, bytes);
  g_assert_cmpint (g_chmod (f->path, 0), ==, 0);
  g_assert_cmpint (g_chmod (f->dir, 0755), ==, 0);
  /* Root may read every file, so the test drops its privileges for a moment. */
  if (is_root && seteuid (65534) != 0)
    {
      g_test_skip ("root may read all");
      return;
    }
  assert_refused (f->path);
  if (is_root)
    g_assert_cmpint (seteuid (0), ==, 0);
}

static void
test_a_terabyte_of_nothing_is_refused (Fixture *f, gconstpointer data)
{
  int fd = g_open (f->path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  gboolean is_sparse = ftruncate (fd, (off_t) 1 << 40) == 0;

  close (fd);
  if (is_sparse)
    assert_refused (f->path);
  else
    g_test_skip ("the file system has no files that large");
}

/* Writes a valid beginning, followed by a terabyte of zeros. Returns FALSE if the file system has
 * no files that large. */
static gboolean
put_terabyte (const Fixture *f, guint32 buffer_size)
{
  const NsEtlWriterOptions options = { .buffer_size = buffer_size };
  g_autoptr (GBytes) bytes = make_bytes_as (10, &options);

  put_file (f, bytes);
  if (truncate (f->path, (off_t) 1 << 40) == 0)
    return TRUE;
  g_test_skip ("the file system has no files that large");
  return FALSE;
}

static gboolean
stop_at_once_cb (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_a_terabyte_behind_a_beginning_can_be_stopped (Fixture *f, gconstpointer data)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = NULL;

  if (!put_terabyte (f, 0x10000))
    return;
  trace = ns_trace_open (f->path, &options, stop_at_once_cb, NULL, &error);
  g_assert_null (trace);
  /* A machine with too little memory for the buffer index reports this limit instead. */
  if (!g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT))
    g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED);
}

/* Opens the trace with an address space limit. */
static void
open_with_little_memory (const char *path)
{
  const struct rlimit limit = { 512 << 20, 512 << 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = NULL;

  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  trace = open_trace (path, &error);
  g_assert_null (trace);
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT);
}

/* The logger preallocated the file up to its maximum size; most of it was never written. */
static void
read_with_little_memory (const char *path)
{
  const struct rlimit limit = { 768 << 20, 768 << 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = NULL;

  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  trace = open_trace (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (trace->winsock->len, ==, 10);
  g_assert_cmpuint (ns_etl_file_get_report (trace->file)->n_empty, >, 1000);
}

static void
test_what_was_never_written_takes_no_memory (Fixture *f, gconstpointer data)
{
  const NsEtlWriterOptions options = { .buffer_size = 0x10000 };
  g_autoptr (GBytes) bytes = make_bytes_as (10, &options);

  if (g_test_subprocess ())
    {
      read_with_little_memory (g_getenv ("NETSTITCH_TEST_SPARSE"));
      return;
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("the sanitizer needs all the room there is");
  return;
#endif
  put_file (f, bytes);
  g_assert_cmpint (truncate (f->path, (off_t) 3 << 29), ==, 0);
  g_setenv ("NETSTITCH_TEST_SPARSE", f->path, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* The index of a thousand million buffers needs memory in proportion to the file size. */
static void
test_more_buffers_than_memory_are_refused (Fixture *f, gconstpointer data)
{
  const char *path = g_getenv ("NETSTITCH_TEST_TERABYTE");

  if (g_test_subprocess ())
    {
      open_with_little_memory (path);
      return;
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("the sanitizer needs all the room there is");
  return;
#endif
  if (!put_terabyte (f, 0x400))
    return;
  g_setenv ("NETSTITCH_TEST_TERABYTE", f->path, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_a_file_only_to_be_read_opens (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = make_bytes (10);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = NULL;

  put_file (f, bytes);
  g_assert_cmpint (g_chmod (f->path, 0400), ==, 0);
  g_assert_cmpint (g_chmod (f->dir, 0500), ==, 0);
  trace = open_trace (f->path, &error);
  g_chmod (f->dir, 0700);
  g_assert_no_error (error);
  g_assert_cmpuint (trace->winsock->len, ==, 10);
}

static gboolean
count_cb (const NsRecord *record, gpointer user_data)
{
  ++*(guint64 *) user_data;
  return TRUE;
}

static guint64
count_records (NsEtlFile *file)
{
  guint64 n = 0;

  ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, count_cb, &n, NULL, NULL, NULL);
  return n;
}

static void
test_a_file_cut_while_open_gives_the_rest (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = make_bytes (N_CONNECTIONS);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  guint64 n_whole;
  guint64 n_cut;

  put_file (f, bytes);
  file = ns_etl_file_open (f->path, NULL, &error);
  g_assert_no_error (error);
  n_whole = count_records (file);
  g_assert_cmpint (truncate (f->path, (off_t) g_bytes_get_size (bytes) / 2), ==, 0);
  n_cut = count_records (file);
  g_assert_cmpuint (n_cut, >, 0);
  g_assert_cmpuint (n_cut, <, n_whole);
}

static void
test_a_file_removed_while_open_stays (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = make_bytes (N_CONNECTIONS);
  g_autoptr (NsEtlFile) file = NULL;
  guint64 n;

  put_file (f, bytes);
  file = ns_etl_file_open (f->path, NULL, NULL);
  n = count_records (file);
  g_assert_cmpint (g_unlink (f->path), ==, 0);
  g_assert_cmpuint (n, >, N_CONNECTIONS);
  g_assert_cmpuint (count_records (file), ==, n);
}

/* Calls every function that a viewer calls on an open trace. */
static void
read_everything (const NsTrace *trace)
{
  const NsTimeSpan span = { 5000000, 20000000 };
  guint64 n = 0;
  guint64 n_before;
  NsEvent event;
  guint i;

  for (i = 0; i < trace->events->len; i++)
    if (ns_event_read (trace, i, &event))
      n += event.record->payload_size > 0 ? event.record->payload[0] : 0;
  ns_etl_file_walk (trace->file, NS_ETL_WALK_TIME_ORDER, NULL, count_cb, &n, NULL, NULL, NULL);
  ns_etl_file_walk_span (trace->file, &span, &n_before, count_cb, &n, NULL, NULL, NULL);
  count_records (trace->file);
}

static void
overwrite_while_open (const Fixture *f, gboolean is_compressed)
{
  const NsEtlWriterOptions options = { .buffer_size = 2048, .is_compressed = is_compressed };
  g_autoptr (GBytes) bytes = make_bytes_as (N_CONNECTIONS / 4, &options);
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (NsTrace) trace = NULL;
  guint i;
  int fd;

  put_file (f, bytes);
  trace = open_trace (f->path, NULL);
  g_assert_nonnull (trace);
  fd = g_open (f->path, O_WRONLY | O_CLOEXEC, 0);
  for (i = 0; i < N_OVERWRITTEN; i++)
    {
      const char *data = g_bytes_get_data (bytes, NULL);
      gint32 size = (gint32) g_bytes_get_size (bytes);
      gint32 from = g_rand_int_range (rand, 0, size - 64);
      gint32 to = g_rand_int_range (rand, 0, size - 64);

      /* Bytes copied from another offset are plausible where random bytes are not. */
      g_assert_cmpint (pwrite (fd, data + from, 64, to), ==, 64);
      read_everything (trace);
      if (i % 8 == 7)
        g_assert_cmpint (ftruncate (fd, g_rand_int_range (rand, 0, size)), ==, 0);
    }
  close (fd);
}

static void
test_a_file_overwritten_while_open_harms_nobody (Fixture *f, gconstpointer data)
{
  overwrite_while_open (f, FALSE);
  overwrite_while_open (f, TRUE);
}

typedef struct
{
  guint n_calls;
  guint stop_at;
} Stopper;

static gboolean
stop_cb (double fraction, gpointer user_data)
{
  Stopper *self = user_data;

  return ++self->n_calls != self->stop_at;
}

static void
test_it_can_be_stopped_whenever_it_asks (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = make_bytes (N_CONNECTIONS);
  const NsTraceOptions options = { .want_events = TRUE };
  Stopper stopper = { 0, 0 };
  gboolean was_stopped;

  put_file (f, bytes);
  do
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (NsTrace) trace = NULL;

      stopper.n_calls = 0;
      stopper.stop_at++;
      trace = ns_trace_open (f->path, &options, stop_cb, &stopper, &error);
      was_stopped = stopper.n_calls == stopper.stop_at;
      g_assert_true ((trace == NULL) == was_stopped);
      if (was_stopped)
        g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED);
      g_assert_cmpuint (stopper.n_calls, <=, stopper.stop_at);
    }
  while (was_stopped);
  g_assert_cmpuint (stopper.stop_at, >, 1);
}

static void
test_a_full_disk_is_told (Fixture *f, gconstpointer data)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GError) error = NULL;
  int fd = g_open ("/dev/full", O_WRONLY | O_CLOEXEC, 0);

  if (fd < 0)
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  ns_etl_writer_stream_to_fd (story->writer, fd);
  story_socket (story, 1, 0xa0, 50001, "198.51.100.7:443");
  g_assert_false (ns_etl_writer_finish_stream (story->writer, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE);
  close (fd);
}

static void
test_a_streamed_trace_is_the_same (Fixture *f, gconstpointer data)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *streamed = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  int fd = g_open (f->path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

  ns_etl_writer_stream_to_fd (story->writer, fd);
  story_socket (story, 1, 0xa0, 50001, "198.51.100.7:443");
  g_assert_true (ns_etl_writer_finish_stream (story->writer, &error));
  close (fd);
  story_free (g_steal_pointer (&story));

  story = story_new ();
  story_socket (story, 1, 0xa0, 50001, "198.51.100.7:443");
  bytes = ns_etl_writer_finish (story->writer);
  g_assert_true (g_file_get_contents (f->path, &streamed, &size, NULL));
  g_assert_cmpmem (streamed, size, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* Asserts that the event table has every record of the file, whatever its damage. */
static void
assert_all_explained (const NsTrace *trace)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);

  g_assert_cmpuint (trace->events->len, ==, trace->n_records);
  g_assert_cmpuint (trace->events->len, ==, report->n_records);
  if (report->n_bytes_dropped > 0)
    g_assert_cmpuint (report->damage->len, >, 0);
}

static void
test_a_hundred_openings_leave_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) bytes = make_bytes (N_CONNECTIONS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  gsize size = g_bytes_get_size (bytes);
  guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  gsize used_before = 0;
  guint n_opened = 0;
  guint i;

  for (i = 0; i < N_OPENED; i++)
    {
      g_autoptr (GBytes) changed = NULL;
      g_autoptr (NsTrace) trace = NULL;

      /* The damage repeats after N_WARM files, so data that is cached once does not count as
       * growth. */
      memcpy (copy, g_bytes_get_data (bytes, NULL), size);
      copy[0x800 + i % N_WARM * 97] ^= 0x41;
      changed = g_bytes_new (copy, size);
      put_file (f, changed);
      trace = open_trace (f->path, NULL);
      if (trace != NULL)
        {
          assert_all_explained (trace);
          n_opened++;
        }
      if (i == N_WARM)
        used_before = mallinfo2 ().uordblks;
    }
  g_assert_cmpuint (n_opened, >, N_OPENED / 2);
  g_assert_cmpuint (mallinfo2 ().uordblks, <, used_before + MAX_GROWTH);
  g_free (copy);
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/hostile/an-empty-file-is-refused", test_an_empty_file_is_refused);
  ADD ("/hostile/a-folder-is-refused", test_a_folder_is_refused);
  ADD ("/hostile/a-pipe-is-refused-at-once", test_a_pipe_is_refused_at_once);
  ADD ("/hostile/a-file-not-to-be-read-is-refused", test_a_file_not_to_be_read_is_refused);
  ADD ("/hostile/a-terabyte-of-nothing-is-refused", test_a_terabyte_of_nothing_is_refused);
  ADD ("/hostile/a-terabyte-behind-a-beginning-can-be-stopped",
       test_a_terabyte_behind_a_beginning_can_be_stopped);
  ADD ("/hostile/what-was-never-written-takes-no-memory",
       test_what_was_never_written_takes_no_memory);
  ADD ("/hostile/more-buffers-than-memory-are-refused", test_more_buffers_than_memory_are_refused);
  ADD ("/hostile/a-file-overwritten-while-open-harms-nobody",
       test_a_file_overwritten_while_open_harms_nobody);
  ADD ("/hostile/a-file-only-to-be-read-opens", test_a_file_only_to_be_read_opens);
  ADD ("/hostile/a-file-cut-while-open-gives-the-rest", test_a_file_cut_while_open_gives_the_rest);
  ADD ("/hostile/a-file-removed-while-open-stays", test_a_file_removed_while_open_stays);
  ADD ("/hostile/it-can-be-stopped-whenever-it-asks", test_it_can_be_stopped_whenever_it_asks);
  ADD ("/hostile/a-full-disk-is-told", test_a_full_disk_is_told);
  ADD ("/hostile/a-streamed-trace-is-the-same", test_a_streamed_trace_is_the_same);
  ADD ("/hostile/a-hundred-openings-leave-nothing", test_a_hundred_openings_leave_nothing);
  return g_test_run ();
}
