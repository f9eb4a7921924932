/* Measures the processing of a whole trace against the minimum cost of reading it.
 *
 * bench-scale SIZE CLI: generates a trace of SIZE megabytes (or takes the file SIZE, which must
 * have buffers of 64 KiB), then measures a bare walk over it, the verbs info and activities, the
 * decoding of every field, LZ77 against memcpy, and sorting. Prints one line per measurement: name,
 * milliseconds, baseline, ratio.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"
#include "engine/trace/ns-trace.h"
#include "etl/ns-etl-lz77.h"
#include "query/ns-order.h"
#include "schema/ns-payload.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define N_ROUNDS 3
#define N_SORTED 1000000
#define N_PACKED (8u << 20)
#define HEADER_SIZE 0x48

static double
seconds_since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
}

static void
tell (const char *what, double seconds, const char *against, double base_s)
{
  g_print ("%s\t%.1f\t%s\t%.2f\n", what, seconds * 1e3, against, seconds / base_s);
}

/* Reads each buffer and steps from header to header. */
static guint64
walk_bare (int fd, guint32 buffer_size, guint8 *room)
{
  guint64 n_records = 0;
  off_t offset = 0;

  for (; pread (fd, room, buffer_size, offset) == (ssize_t) buffer_size; offset += buffer_size)
    {
      guint32 end;
      guint32 pos = HEADER_SIZE;

      memcpy (&end, room + 0x30, sizeof end);
      while (pos + 8 <= end && end <= buffer_size)
        {
          guint16 sizes[4];
          gboolean is_group;

          memcpy (sizes, room + pos, sizeof sizes);
          is_group =
              (sizes[1] & 0xff) < 5 || (sizes[1] & 0xff) == 0x10 || (sizes[1] & 0xff) == 0x11;
          pos += (sizes[is_group ? 2 : 0] + 7u) & ~7u;
          n_records++;
        }
    }
  return n_records;
}

static double
measure_bare (const char *path)
{
  guint8 *room = g_malloc (0x10000);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  double best = G_MAXDOUBLE;
  guint64 n_records = 0;
  guint i;

  for (i = 0; i < N_ROUNDS; i++)
    {
      gint64 begin_us = g_get_monotonic_time ();

      n_records = walk_bare (fd, 0x10000, room);
      best = MIN (best, seconds_since (begin_us));
    }
  close (fd);
  g_free (room);
  g_print ("bare walk of %" G_GUINT64_FORMAT " records\t%.1f\t\t1.00\n", n_records, best * 1e3);
  return best;
}

static void
measure_verb (const char *cli, const char *verb, const char *path, double bare_s)
{
  const char *argv[] = { cli, verb, path, NULL };
  double best = G_MAXDOUBLE;
  guint i;

  for (i = 0; i < N_ROUNDS; i++)
    {
      gint64 begin_us = g_get_monotonic_time ();
      g_autoptr (GError) error = NULL;
      int status;

      if (!g_spawn_sync (NULL,
                         (char **) argv,
                         NULL,
                         G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_SEARCH_PATH,
                         NULL,
                         NULL,
                         NULL,
                         NULL,
                         &status,
                         &error) ||
          !g_spawn_check_wait_status (status, &error))
        g_error ("%s: %s", cli, error->message);
      best = MIN (best, seconds_since (begin_us));
    }
  tell (verb, best, "bare walk", bare_s);
}

typedef struct
{
  NsSchemas *schemas;
  guint64 n_values;
} Work;

static gboolean
value_cb (const NsPayloadItem *item, gpointer user_data)
{
  ((Work *) user_data)->n_values += item->size > 0;
  return TRUE;
}

static gboolean
decode_cb (const NsRecord *record, gpointer user_data)
{
  Work *work = user_data;

  ns_schemas_learn (work->schemas, record);
  ns_payload_walk (ns_schemas_find (work->schemas, record), record, value_cb, work);
  return TRUE;
}

static void
measure_decode (const char *path, double bare_s)
{
  g_autoptr (NsEtlFile) file = ns_etl_file_open (path, NULL, NULL);
  Work work = { .schemas = ns_schemas_new (NULL) };
  gint64 begin_us = g_get_monotonic_time ();

  ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, decode_cb, &work, NULL, NULL, NULL);
  tell ("every field of every event", seconds_since (begin_us), "bare walk", bare_s);
  ns_schemas_free (work.schemas);
}

static void
measure_lz77 (const char *path)
{
  guint8 *data = g_malloc (N_PACKED);
  guint8 *room = g_malloc (N_PACKED);
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gssize size = read (fd, data, N_PACKED);
  double copy_s = G_MAXDOUBLE;
  double best = G_MAXDOUBLE;
  g_autofree char *what = NULL;
  guint i;

  close (fd);
  g_assert_cmpint (size, >, 0);
  ns_etl_lz77_compress (data, (gsize) size, packed);
  for (i = 0; i < N_ROUNDS * 4; i++)
    {
      gint64 begin_us = g_get_monotonic_time ();

      g_assert_true (ns_etl_lz77_expand (packed->data, packed->len, room, (gsize) size));
      best = MIN (best, seconds_since (begin_us));
      begin_us = g_get_monotonic_time ();
      memcpy (room, data, (gsize) size);
      copy_s = MIN (copy_s, seconds_since (begin_us));
    }
  what = g_strdup_printf ("LZ77, %.0f MB/s", (double) size / best / 1e6);
  tell (what, best, "memcpy", copy_s);
  g_free (data);
  g_free (room);
}

static void
measure_sort (const char *path, double bare_s)
{
  static const char *const orders[] = { "-time_ns", "provider,-id", "process" };
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = ns_trace_open (path, &options, NULL, NULL, &error);
  guint n = MIN (trace->events->len, N_SORTED);
  guint i;
  guint row;

  for (i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (GArray) keys = ns_order_parse (NS_TABLE_EVENTS, orders[i], &error);
      g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
      g_autofree char *what = g_strdup_printf ("sort of %u events by %s", n, orders[i]);
      gint64 begin_us;

      g_assert_no_error (error);
      for (row = 0; row < n; row++)
        g_array_append_val (rows, row);
      begin_us = g_get_monotonic_time ();
      ns_order_sort (trace,
                     (const NsOrderKey *) (gpointer) keys->data,
                     keys->len,
                     rows,
                     NULL,
                     NULL);
      tell (what, seconds_since (begin_us), "bare walk", bare_s);
    }
}

int
main (int argc, char *argv[])
{
  BigTraceOptions options = { .seed = 1, .n_cpus = 16, .n_processes = 50 };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  BigTraceCounts counts;
  gboolean is_made;
  double bare_s;

  if (argc != 3)
    {
      g_printerr ("bench-scale MEGABYTES|FILE CLI\n");
      return 1;
    }
  options.size = g_ascii_strtoull (argv[1], NULL, 10) * 1000000;
  is_made = options.size > 0;
  path = is_made ? g_strdup_printf ("%s/bench-scale-%d.etl", g_get_tmp_dir (), (int) getpid ())
                 : g_strdup (argv[1]);
  if (is_made)
    {
      if (!big_trace_write (&options, path, &counts, &error))
        g_error ("%s", error->message);
      g_print ("# %s MB, %" G_GUINT64_FORMAT " records, %" G_GUINT64_FORMAT " connections\n",
               argv[1],
               counts.n_records,
               counts.n_connections);
    }
  bare_s = measure_bare (path);
  measure_verb (argv[2], "info", path, bare_s);
  measure_verb (argv[2], "activities", path, bare_s);
  measure_decode (path, bare_s);
  measure_lz77 (path);
  measure_sort (path, bare_s);
  if (is_made)
    g_unlink (path);
  return 0;
}
