/* Measures walks over a trace: in file order, in time order, the verb info, and a bare walk as
 * baseline.
 *
 * bench-walk [TRACE]: generates a trace of a few million records by default.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-survey.h"
#include "etl/ns-etl-lz77.h"
#include "etl/ns-etl-writer.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define N_RECORDS 2000000
#define N_CPUS 8
#define N_PROVIDERS 7
#define N_ROUNDS 5
#define HEADER_SIZE 0x48

/* Makes records of several providers on several processors, in bursts, as real sessions have
 * them. */
static GBytes *
make_trace (gboolean is_compressed, guint n_records)
{
  NsEtlWriterOptions options = { .is_compressed = is_compressed };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint64 raw = ns_etl_writer_get_base_raw (writer);
  guint cpu = 0;
  guint i;

  for (i = 0; i < 16; i++)
    ns_etl_bytes_u32 (payload, i * 7);
  for (i = 0; i < n_records; i++)
    {
      NsEtlWriterEvent event = { .guid = NS_GUID_INIT (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                                 .payload = payload };

      if (g_rand_int_range (rand, 0, 6) == 0)
        cpu = (guint) g_rand_int_range (rand, 0, N_CPUS);
      raw += (guint64) g_rand_int_range (rand, 1, 50);
      event.cpu = cpu;
      event.raw = raw;
      event.guid.bytes[15] = (guint8) (i / 3 % N_PROVIDERS);
      event.id = (guint16) (i % 40);
      event.pid = 100 + cpu;
      event.tid = 1000 + i % 90;
      ns_etl_writer_add_event (writer, &event);
    }
  return ns_etl_writer_finish (writer);
}

static gboolean
count_cb (const NsRecord *record, gpointer user_data)
{
  guint64 *sum = user_data;

  sum[0]++;
  sum[1] += record->id + record->pid;
  return TRUE;
}

static double
walk (const char *path, NsEtlWalkFlags flags, guint64 *n_records)
{
  double best = G_MAXDOUBLE;
  guint round;

  for (round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (NsEtlFile) file = ns_etl_file_open (path, NULL, NULL);
      g_autoptr (GTimer) timer = g_timer_new ();
      guint64 sum[2] = { 0, 0 };

      g_assert_nonnull (file);
      ns_etl_file_walk (file, flags, NULL, count_cb, sum, NULL, NULL, NULL);
      best = MIN (best, g_timer_elapsed (timer, NULL));
      *n_records = sum[0];
    }
  return best;
}

static double
survey (const char *path)
{
  double best = G_MAXDOUBLE;
  guint round;

  for (round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (NsEtlFile) file = ns_etl_file_open (path, NULL, NULL);
      g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
      g_autoptr (GTimer) timer = g_timer_new ();
      g_autoptr (NsSurvey) counts G_GNUC_UNUSED =
          ns_survey_new (file, schemas, NULL, NULL, NULL, NULL);

      best = MIN (best, g_timer_elapsed (timer, NULL));
    }
  return best;
}

/* Reads each buffer and only steps from header to header: the minimum cost of disk and memory. */
static guint64
walk_bare_once (int fd, guint32 buffer_size, guint8 *room)
{
  guint64 n_records = 0;
  off_t offset = 0;

  while (pread (fd, room, buffer_size, offset) == (ssize_t) buffer_size)
    {
      guint32 end;
      guint32 pos = HEADER_SIZE;

      memcpy (&end, room + 0x30, sizeof end);
      while (pos + 8 <= end && end <= buffer_size)
        {
          guint16 sizes[4];

          memcpy (sizes, room + pos, sizeof sizes);
          pos += (((sizes[1] & 0xff) < 5 || (sizes[1] & 0xff) == 0x10 || (sizes[1] & 0xff) == 0x11
                       ? sizes[2]
                       : sizes[0]) +
                  7u) &
                 ~7u;
          n_records++;
        }
      offset += buffer_size;
    }
  return n_records;
}

static double
walk_bare (const char *path, guint32 buffer_size)
{
  g_autofree guint8 *room = g_malloc (buffer_size);
  int fd = g_open (path, O_RDONLY, 0);
  double best = G_MAXDOUBLE;
  guint64 n_records = 0;
  guint round;

  for (round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GTimer) timer = g_timer_new ();

      n_records = walk_bare_once (fd, buffer_size, room);
      best = MIN (best, g_timer_elapsed (timer, NULL));
    }
  close (fd);
  g_print ("  %-22s %8.2f ms  %7.1f M records/s\n",
           "bare walk",
           best * 1e3,
           (double) n_records / best / 1e6);
  return best;
}

static void
report (const char *what, double seconds, guint64 n_records, double bare)
{
  g_print ("  %-22s %8.2f ms  %7.1f M records/s",
           what,
           seconds * 1e3,
           (double) n_records / seconds / 1e6);
  if (bare > 0)
    g_print ("  %5.2f x bare walk", seconds / bare);
  g_print ("\n");
}

static void
bench_trace (const char *path)
{
  g_autoptr (NsEtlFile) file = ns_etl_file_open (path, NULL, NULL);
  guint64 n_records = 0;
  double bare = 0;
  double seconds;

  if (file == NULL)
    {
      g_printerr ("cannot open %s\n", path);
      return;
    }
  seconds = walk (path, NS_ETL_WALK_FILE_ORDER, &n_records);
  g_print ("%s: %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT " records\n",
           path,
           ns_etl_file_get_size (file),
           n_records);
  if ((ns_etl_file_get_header (file)->mode & 0x04000000) == 0)
    bare = walk_bare (path, ns_etl_file_get_header (file)->buffer_size);
  report ("file order", seconds, n_records, bare);
  seconds = walk (path, NS_ETL_WALK_TIME_ORDER, &n_records);
  report ("time order", seconds, n_records, bare);
  report ("info", survey (path), n_records, bare);
}

static void
bench_made (gboolean is_compressed)
{
  g_autoptr (GBytes) bytes = make_trace (is_compressed, is_compressed ? N_RECORDS / 8 : N_RECORDS);
  g_autofree char *path = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  int fd = g_file_open_tmp ("bench-XXXXXX.etl", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_true (g_file_set_contents (path, data, (gssize) size, NULL));
  bench_trace (path);
  g_unlink (path);
}

static void
bench_lz77 (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE, N_RECORDS / 50);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *room = g_malloc (size);
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  double best = G_MAXDOUBLE;
  guint round;

  ns_etl_lz77_compress (data, size, packed);
  for (round = 0; round < N_ROUNDS * 4; round++)
    {
      g_autoptr (GTimer) timer = g_timer_new ();

      g_assert_true (ns_etl_lz77_expand (packed->data, packed->len, room, size));
      best = MIN (best, g_timer_elapsed (timer, NULL));
    }
  g_print ("LZ77: %" G_GSIZE_FORMAT " bytes from %u, %.0f MB/s\n",
           size,
           packed->len,
           (double) size / best / 1e6);
}

int
main (int argc, char *argv[])
{
  int i;

  for (i = 1; i < argc; i++)
    bench_trace (argv[i]);
  if (argc > 1)
    return 0;
  bench_lz77 ();
  bench_made (FALSE);
  bench_made (TRUE);
  return 0;
}
