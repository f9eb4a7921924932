/* Claims about files that are no traces, change while they are read, or are damaged anywhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_CONNECTIONS 200
#define N_OPENED 100
#define N_WARM 20
/* What the allocator may keep for itself from one opening to the next. */
#define MAX_GROWTH (256 * 1024)

typedef struct
{
  char *dir;
  char *path;
} Fixture;

static GBytes *
make_bytes (guint n_connections)
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
  return ns_etl_writer_finish (story->writer);
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

/* Opening one for reading would wait until somebody writes to it. */
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
  /* Root may read all: so be nobody for a moment. */
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

/* What stands in the records' part of a file, counted here by the sizes that records tell alone. */
typedef struct
{
  guint64 n_records;
  guint64 n_left; /* bytes behind what can be no record */
} Counted;

static guint32
u32_at (const char *data, gsize at)
{
  guint32 value;

  memcpy (&value, data + at, sizeof value);
  return GUINT32_FROM_LE (value);
}

/* The size of the record there, as its header has it; 0: it is none. */
static guint
size_at (const char *data, gsize at, gsize left)
{
  static const guint8 least[] = {
    0,    0x20, 0x20, 0x18, 0x18, 0,    0,    0,    0,    0,    0x30,
    0x48, 8,    8,    8,    0,    0x10, 0x10, 0x50, 0x50, 0x30, 0x48
  };
  guint32 first = u32_at (data, at);
  guint kind = (first >> 16) & 0xff;
  gboolean is_group = kind < 5 || kind == 0x10 || kind == 0x11;
  guint size = (is_group ? u32_at (data, at + 4) : first) & 0xffff;
  guint header = 8;

  if (first >> 24 == 0x90)
    size = first & 0xffff;
  else if (first >> 24 != 0xc0 || kind >= G_N_ELEMENTS (least) || least[kind] == 0)
    return 0;
  else
    header = least[kind] + (is_group ? ((first >> 15) & 1) * 8 + ((first >> 8) & 7) * 8 : 0);
  return size < header || size > left ? 0 : size;
}

static void
count_buffer (const char *data, gsize end, Counted *counted)
{
  gsize at = 0x48;

  while (at + 8 <= end && u32_at (data, at) != G_MAXUINT32)
    {
      guint size = size_at (data, at, end - at);

      if (size == 0)
        break;
      counted->n_records++;
      at += (size + 7) & ~7u;
    }
  if (at < end)
    counted->n_left += end - at;
}

/* Buffers one behind the other, the first as long as it says; FALSE where it is not so simple. */
static gboolean
count_file (const char *data, gsize size, guint32 buffer_size, Counted *counted)
{
  gsize at = 0;

  while (at < size)
    {
      gsize length = at == 0 ? u32_at (data, 0) : buffer_size;

      if (length < 0x48 || length > size - at || u32_at (data, at + 0x30) > length)
        return FALSE;
      if (u32_at (data, at) != 0)
        count_buffer (data + at, u32_at (data, at + 0x30), counted);
      at += length;
    }
  return TRUE;
}

/* Records that were handed out, and those that were stepped over and told, are those in the file;
 * and the bytes that are told to be left out are those behind the last of them.
 */
static void
assert_adds_up (const char *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "counted", NULL);
  const NsEtlReport *report = ns_etl_file_get_report (file);
  Counted counted = { 0, 0 };
  guint64 n_handed_out = count_records (file);

  if ((ns_etl_file_get_header (file)->mode & 0x04000000) != 0 ||
      !count_file (data, size, ns_etl_file_get_header (file)->buffer_size, &counted))
    return;
  g_assert_cmpuint (n_handed_out, ==, report->n_records);
  g_assert_cmpuint (report->n_records + report->n_unknown_kind, ==, counted.n_records);
  g_assert_cmpuint (report->n_bytes_dropped, ==, counted.n_left);
}

/* A byte of a record behind the first buffer, whose header is left alone like that of the others.
 */
static gsize
choose_record_byte (const char *data, gsize size, guint32 buffer_size, GRand *rand)
{
  gsize first = u32_at (data, 0);
  gsize at;

  do
    at = (gsize) g_rand_int_range (rand, (gint32) first, (gint32) size);
  while ((at - first) % buffer_size < 0x48);
  return at;
}

static void
test_what_is_read_and_told_adds_up (Fixture *f, gconstpointer user_data)
{
  g_autoptr (GBytes) bytes = make_bytes (N_CONNECTIONS);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "made", NULL);
  guint32 buffer_size = ns_etl_file_get_header (file)->buffer_size;
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  gsize size = g_bytes_get_size (bytes);
  g_autofree char *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  Counted counted = { 0, 0 };
  guint i;

  g_assert_true (count_file (copy, size, buffer_size, &counted));
  g_assert_cmpuint (counted.n_records, >, 4 * N_CONNECTIONS);
  for (i = 0; i < 400; i++)
    {
      assert_adds_up (copy, size);
      copy[choose_record_byte (copy, size, buffer_size, rand)] ^=
          (char) g_rand_int_range (rand, 1, 255);
      if (i % 8 == 7)
        memcpy (copy, g_bytes_get_data (bytes, NULL), size);
    }
}

/* Every record that is in the file is in the table of events, whatever is wrong with it. */
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

      /* Always the same damage: what is kept once shall not count. */
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

static void
explain_file (const char *path, guint n_changes)
{
  g_autofree char *text = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  gsize size;
  guint i;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  assert_adds_up (text, size);
  for (i = 0; i <= n_changes; i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (NsTrace) trace = NULL;
      int fd = g_file_open_tmp ("hostile-XXXXXX.etl", &name, NULL);

      g_assert_cmpint (write (fd, text, size), ==, size);
      close (fd);
      trace = open_trace (name, NULL);
      if (i == 0)
        g_assert_nonnull (trace);
      if (trace != NULL)
        assert_all_explained (trace);
      g_unlink (name);
      text[g_rand_int_range (rand, 0, (gint32) size)] ^= (char) g_rand_int_range (rand, 1, 255);
    }
}

static void
test_real_traces_are_explained_whole (void)
{
  const char *dir = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autoptr (GDir) files = dir != NULL ? g_dir_open (dir, 0, NULL) : NULL;
  const char *name;

  if (files == NULL)
    {
      g_test_skip ("no traces");
      return;
    }
  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);
      GStatBuf info;

      if (g_str_has_suffix (name, ".etl") && g_stat (path, &info) == 0)
        explain_file (path, info.st_size < 400000 ? 12 : 1);
    }
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
  ADD ("/hostile/a-file-only-to-be-read-opens", test_a_file_only_to_be_read_opens);
  ADD ("/hostile/a-file-cut-while-open-gives-the-rest", test_a_file_cut_while_open_gives_the_rest);
  ADD ("/hostile/a-file-removed-while-open-stays", test_a_file_removed_while_open_stays);
  ADD ("/hostile/it-can-be-stopped-whenever-it-asks", test_it_can_be_stopped_whenever_it_asks);
  ADD ("/hostile/a-full-disk-is-told", test_a_full_disk_is_told);
  ADD ("/hostile/a-streamed-trace-is-the-same", test_a_streamed_trace_is_the_same);
  ADD ("/hostile/a-hundred-openings-leave-nothing", test_a_hundred_openings_leave_nothing);
  ADD ("/hostile/what-is-read-and-told-adds-up", test_what_is_read_and_told_adds_up);
  g_test_add_func ("/hostile/real-traces-are-explained-whole",
                   test_real_traces_are_explained_whole);
  return g_test_run ();
}
