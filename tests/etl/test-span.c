/* Tests reading a time span of a trace.
 *
 * The result equals that span of a complete walk, with fewer bytes read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 1024
#define HEADER_SIZE 0x48
#define N_EVENTS 600
#define N_MUTANTS 150

/* A delivered record and its index. */
typedef struct
{
  guint64 n;
  guint64 raw;
  gint64 time_ns;
  NsRecordRef ref;
} Met;

typedef struct
{
  GArray *met; /* element-type Met */
  guint64 n_before;
} Walk;

static GBytes *
make_trace (gboolean is_compressed, guint32 mode)
{
  NsEtlWriterOptions options = { .buffer_size = BUFFER_SIZE,
                                 .is_compressed = is_compressed,
                                 .mode = mode };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  guint64 base = ns_etl_writer_get_base_raw (writer);
  guint i;

  for (i = 0; i < N_EVENTS; i++)
    {
      /* Some times go backwards, also across buffers of one processor, and some records have no
       * time. */
      NsEtlWriterEvent event = { .cpu = i * 7 % 5,
                                 .raw = base + 100 * i + i * 13 % 900,
                                 .guid = NS_GUID_INIT (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                                 .id = (guint16) i };
      NsEtlWriterMessage message = { .cpu = i % 5, .flags = 2, .number = (guint16) i };

      g_assert_true (ns_etl_writer_add_event (writer, &event));
      if (i % 11 == 3)
        ns_etl_writer_add_message (writer, &message);
    }
  return ns_etl_writer_finish (writer);
}

static gboolean
meet (const NsRecord *record, gpointer user_data)
{
  Walk *self = user_data;
  Met met = { self->n_before + self->met->len, record->raw, record->time_ns, record->ref };

  g_array_append_val (self->met, met);
  return TRUE;
}

static GArray *
read_all (NsEtlFile *file)
{
  Walk walk = { g_array_new (FALSE, FALSE, sizeof (Met)), 0 };

  g_assert_true (
      ns_etl_file_walk (file, NS_ETL_WALK_TIME_ORDER, NULL, meet, &walk, NULL, NULL, NULL));
  return walk.met;
}

static GArray *
read_span (NsEtlFile *file, const NsTimeSpan *span)
{
  Walk walk = { g_array_new (FALSE, FALSE, sizeof (Met)), G_MAXUINT64 };

  g_assert_true (ns_etl_file_walk_span (file, span, &walk.n_before, meet, &walk, NULL, NULL, NULL));
  return walk.met;
}

static void
assert_span (NsEtlFile *file, const GArray *all, gint64 begin_ns, gint64 end_ns)
{
  const NsTimeSpan span = { begin_ns, end_ns };
  g_autoptr (GArray) part = read_span (file, &span);
  guint n = 0;
  guint i;

  for (i = 0; i < all->len; i++)
    {
      const Met *expected = &g_array_index (all, Met, i);
      const Met *met = &g_array_index (part, Met, n);

      if (expected->time_ns < begin_ns || expected->time_ns >= end_ns)
        continue;
      g_assert_cmpuint (n++, <, part->len);
      g_assert_cmpuint (met->n, ==, expected->n);
      g_assert_cmpuint (met->raw, ==, expected->raw);
      g_assert_cmpuint (met->ref.buffer, ==, expected->ref.buffer);
      g_assert_cmpuint (met->ref.offset, ==, expected->ref.offset);
    }
  g_assert_cmpuint (n, ==, part->len);
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *) a;
  guint64 right = *(const guint64 *) b;

  return left < right ? -1 : left > right;
}

/* Lists the damage by file offset; its order in the report depends on the walk. */
static GArray *
list_damage (const NsEtlReport *report)
{
  GArray *offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint i;

  for (i = 0; i < report->damage->len; i++)
    g_array_append_val (offsets,
                        ((const NsEtlDamage *) g_ptr_array_index (report->damage, i))->offset);
  g_array_sort (offsets, compare_offsets);
  return offsets;
}

static void
assert_same_report (NsEtlFile *one, NsEtlFile *other)
{
  const NsEtlReport *report = ns_etl_file_get_report (one);
  const NsEtlReport *again = ns_etl_file_get_report (other);
  g_autoptr (GArray) damage = list_damage (report);
  g_autoptr (GArray) damage_again = list_damage (again);

  g_assert_cmpuint (report->n_records, ==, again->n_records);
  g_assert_cmpuint (report->n_bad_items, ==, again->n_bad_items);
  g_assert_cmpuint (report->n_bytes_dropped, ==, again->n_bytes_dropped);
  g_assert_cmpmem (damage->data,
                   damage->len * sizeof (guint64),
                   damage_again->data,
                   damage_again->len * sizeof (guint64));
}

/* Spans that begin and end at record times, between them, outside, and empty ones. */
static void
assert_spans (NsEtlFile *file, NsEtlFile *fresh)
{
  g_autoptr (GArray) all = read_all (file);
  gint64 times[9];
  guint i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (times); i++)
    times[i] =
        all->len > 0 ? g_array_index (all, Met, (guint64) (all->len - 1) * i / 8).time_ns : 0;
  /* The first walk over a file and a later one have the same report. */
  assert_span (fresh, all, times[3], times[5]);
  assert_same_report (file, fresh);
  for (i = 0; i + 1 < G_N_ELEMENTS (times); i++)
    for (j = i; j < G_N_ELEMENTS (times); j += 3)
      assert_span (fresh, all, times[i], times[j] + (i % 2));
  assert_span (fresh, all, G_MININT64, times[1]);
  assert_span (fresh, all, times[7], G_MAXINT64);
  assert_span (fresh, all, G_MININT64, G_MAXINT64);
  assert_span (fresh, all, G_MAXINT64, G_MININT64);
  assert_same_report (file, fresh);
}

static void
assert_spans_of_bytes (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "test", NULL);
  g_autoptr (NsEtlFile) fresh = ns_etl_file_open_bytes (bytes, "test", NULL);

  if (file != NULL)
    assert_spans (file, fresh);
}

static void
test_a_part_is_a_part_of_the_whole (void)
{
  guint i;

  for (i = 0; i < 4; i++)
    {
      g_autoptr (GBytes) bytes = make_trace (i % 2 != 0, i < 2 ? 0 : 0x10000000);
      gsize size;
      const guint8 *data = g_bytes_get_data (bytes, &size);

      g_assert_cmpuint (size, >, 20 * BUFFER_SIZE / 2);
      assert_spans_of_bytes (data, size);
    }
}

static void
test_damage_changes_nothing (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  guint i;

  for (i = 0; i < N_MUTANTS; i++)
    {
      g_autoptr (GBytes) bytes = make_trace (i % 4 == 3, 0);
      gsize size;
      const guint8 *data = g_bytes_get_data (bytes, &size);
      g_autofree guint8 *copy = g_memdup2 (data, size);
      guint n_changes = 1 + i % 5;

      while (n_changes-- > 0)
        copy[g_rand_int_range (rand, BUFFER_SIZE / 4, (gint32) size)] ^=
            (guint8) g_rand_int_range (rand, 1, 256);
      if (i % 7 == 0)
        size = (gsize) g_rand_int_range (rand, BUFFER_SIZE, (gint32) size);
      assert_spans_of_bytes (copy, size);
    }
}

static guint
check_folder (const char *path)
{
  g_autoptr (GDir) dir = path != NULL ? g_dir_open (path, 0, NULL) : NULL;
  const char *name;
  guint n_checked = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *place = g_build_filename (path, name, NULL);
      g_autoptr (NsEtlFile) file = NULL;
      g_autoptr (NsEtlFile) fresh = NULL;

      if (!g_str_has_suffix (name, ".etl") && !g_str_has_suffix (name, ".zip"))
        continue;
      file = ns_etl_file_open (place, NULL, NULL);
      fresh = ns_etl_file_open (place, NULL, NULL);
      if (file == NULL)
        continue;
      g_test_message ("%s", name);
      assert_spans (file, fresh);
      n_checked++;
    }
  return n_checked;
}

static void
test_traces_there_are_agree (void)
{
  const char *traces = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *made = traces != NULL ? g_build_filename (traces, "synthetic", NULL) : NULL;

  if (check_folder (traces) + check_folder (made) == 0)
    g_test_skip ("no traces");
}

/* After the first walk the buffers outside the span are overwritten with copies of those inside.
 * Reading them again would deliver records twice. */
static void
test_buffers_outside_are_not_read_again (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE, 0);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree char *path = NULL;
  g_autofree guint8 *changed = g_memdup2 (data, size);
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (GArray) all = NULL;
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL);
  int fd = g_file_open_tmp ("span-XXXXXX.etl", &path, NULL);
  gint64 begin_ns;
  gint64 end_ns;
  guint a_buffer = 0;
  guint i;

  g_assert_cmpint (write (fd, data, size), ==, size);
  file = ns_etl_file_open (path, NULL, NULL);
  all = read_all (file);
  begin_ns = g_array_index (all, Met, all->len / 2).time_ns;
  end_ns = g_array_index (all, Met, all->len / 2 + 20).time_ns;
  for (i = 0; i < all->len; i++)
    {
      const Met *met = &g_array_index (all, Met, i);

      if (met->time_ns >= begin_ns && met->time_ns < end_ns)
        {
          a_buffer = met->ref.buffer;
          g_hash_table_add (inside, GUINT_TO_POINTER (a_buffer));
        }
    }
  g_assert_cmpuint (g_hash_table_size (inside), <, size / BUFFER_SIZE / 4);
  for (i = 1; i < size / BUFFER_SIZE; i++)
    if (!g_hash_table_contains (inside, GUINT_TO_POINTER (i)))
      memcpy (changed + i * BUFFER_SIZE, data + a_buffer * BUFFER_SIZE, BUFFER_SIZE);
  g_assert_cmpint (pwrite (fd, changed, size, 0), ==, size);
  assert_span (file, all, begin_ns, end_ns);
  close (fd);
  g_remove (path);
}

static gboolean
stop_cb (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_it_stops_when_told (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE, 0);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "test", NULL);
  const NsTimeSpan span = { 0, G_MAXINT64 };
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (Met));
  g_autoptr (GError) error = NULL;
  Walk walk = { met, 0 };

  g_assert_false (
      ns_etl_file_walk_span (file, &span, &walk.n_before, meet, &walk, stop_cb, NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED);
  g_assert_cmpuint (met->len, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span/a-part-is-a-part-of-the-whole", test_a_part_is_a_part_of_the_whole);
  g_test_add_func ("/span/damage-changes-nothing", test_damage_changes_nothing);
  g_test_add_func ("/span/buffers-outside-are-not-read-again",
                   test_buffers_outside_are_not_read_again);
  g_test_add_func ("/span/it-stops-when-told", test_it_stops_when_told);
  g_test_add_func ("/span/traces-there-are-agree", test_traces_there_are_agree);
  return g_test_run ();
}
