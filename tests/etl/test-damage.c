/* Tests damaged traces: only the damaged part is lost, and the loss is reported.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <string.h>

#define BUFFER_SIZE 1024
#define HEADER_SIZE 0x48
#define N_RECORDS 60

/* Location of each record of an undamaged trace. */
typedef struct
{
  guint buffer;
  gsize begin; /* offset in the file */
  gsize end;
} Place;

static GBytes *
make_trace (gboolean is_compressed)
{
  NsEtlWriterOptions options = { .buffer_size = BUFFER_SIZE, .is_compressed = is_compressed };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  guint i;

  for (i = 0; i < N_RECORDS; i++)
    {
      NsEtlWriterEvent event = { .cpu = i % 2,
                                 .raw = ns_etl_writer_get_base_raw (writer) + i * 10,
                                 .guid = NS_GUID_INIT (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                                 .id = (guint16) i,
                                 .payload = payload };

      ns_etl_bytes_u8 (payload, (guint8) i);
      g_assert_true (ns_etl_writer_add_event (writer, &event));
    }
  return ns_etl_writer_finish (writer);
}

static NsEtlFile *
open_copy (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  return ns_etl_file_open_bytes (bytes, "test", NULL);
}

static gboolean
count_cb (const NsRecord *record, gpointer user_data)
{
  (*(guint *) user_data)++;
  return TRUE;
}

static guint
count (NsEtlFile *file, NsEtlWalkFlags flags)
{
  guint n = 0;
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_etl_file_walk (file, flags, NULL, count_cb, &n, NULL, NULL, &error));
  g_assert_no_error (error);
  return n;
}

static gboolean
note_cb (const NsRecord *record, gpointer user_data)
{
  gsize begin = (gsize) record->ref.buffer * BUFFER_SIZE + record->ref.offset;
  Place place = { record->ref.buffer, begin, begin + record->size };

  g_array_append_val ((GArray *) user_data, place);
  return TRUE;
}

static GArray *
list_places (const guint8 *data, gsize size)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (NsEtlFile) file = open_copy (data, size);

  g_assert_nonnull (file);
  g_assert_true (ns_etl_file_walk (file, 0, NULL, note_cb, places, NULL, NULL, NULL));
  g_assert_cmpuint (places->len, ==, N_RECORDS + 1);
  g_assert_cmpuint (ns_etl_file_get_report (file)->damage->len, ==, 0);
  return places;
}

static void
test_a_cut_file_gives_every_record_before_the_cut (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autoptr (GArray) places = list_places (data, size);
  gsize cut;

  for (cut = BUFFER_SIZE; cut < size; cut++)
    {
      g_autoptr (NsEtlFile) file = open_copy (data, cut);
      guint n_expected = 0;
      guint i;

      g_assert_nonnull (file);
      for (i = 0; i < places->len; i++)
        n_expected += g_array_index (places, Place, i).end <= cut;
      g_assert_cmpuint (count (file, NS_ETL_WALK_FILE_ORDER), ==, n_expected);
      g_assert_cmpuint (count (file, NS_ETL_WALK_TIME_ORDER), ==, n_expected);
      g_assert_cmpuint (ns_etl_file_get_report (file)->damage->len > 0, ==, cut % BUFFER_SIZE != 0);
    }
}

static void
test_too_short_a_file_is_refused (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  gsize cut;

  for (cut = 0; cut < HEADER_SIZE + 0x20 + 0x118; cut++)
    {
      g_autoptr (GBytes) part = g_bytes_new (data, cut);
      g_autoptr (GError) error = NULL;

      g_assert_null (ns_etl_file_open_bytes (part, "test", &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_NOT_A_TRACE);
      g_assert_nonnull (strstr (error->message, "test"));
    }
}

static guint
count_outside (const GArray *places, guint buffer)
{
  guint n = 0;
  guint i;

  for (i = 0; i < places->len; i++)
    n += g_array_index (places, Place, i).buffer != buffer;
  return n;
}

/* Returns whether the byte is the marker of a record header. */
static gboolean
is_marker (const GArray *places, gsize at)
{
  guint i;

  for (i = 0; i < places->len; i++)
    if (g_array_index (places, Place, i).begin + 3 == at)
      return TRUE;
  return FALSE;
}

static void
test_a_wrong_byte_costs_its_buffer_only (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autoptr (GArray) places = list_places (data, size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  gsize at;

  for (at = BUFFER_SIZE; at < size; at++)
    {
      g_autoptr (NsEtlFile) file = NULL;
      guint n;

      copy[at] ^= 0xff;
      file = open_copy (copy, size);
      g_assert_nonnull (file);
      n = count (file, NS_ETL_WALK_FILE_ORDER);
      g_assert_cmpuint (n, >=, count_outside (places, (guint) (at / BUFFER_SIZE)));
      g_assert_cmpuint (n, <=, places->len);
      if (is_marker (places, at))
        g_assert_cmpuint (ns_etl_file_get_report (file)->n_bytes_dropped, >, 0);
      g_assert_cmpuint (count (file, NS_ETL_WALK_TIME_ORDER), ==, n);
      copy[at] ^= 0xff;
    }
}

static void
test_compressed_buffers_cost_themselves_only (void)
{
  g_autoptr (GBytes) bytes = make_trace (TRUE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  gsize at;

  for (at = BUFFER_SIZE; at < size; at++)
    {
      g_autoptr (NsEtlFile) file = NULL;
      guint n;

      copy[at] ^= 0x55;
      file = open_copy (copy, size);
      g_assert_nonnull (file);
      n = count (file, NS_ETL_WALK_FILE_ORDER);
      g_assert_cmpuint (count (file, NS_ETL_WALK_TIME_ORDER), ==, n);
      g_assert_cmpuint (ns_etl_file_get_report (file)->n_records, ==, n);
      copy[at] ^= 0x55;
    }
}

static void
assert_damage (NsEtlFile *file, guint n_records, guint64 offset, guint64 n_dropped)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  const NsEtlDamage *damage;

  g_assert_cmpuint (count (file, NS_ETL_WALK_FILE_ORDER), ==, n_records);
  g_assert_cmpuint (report->damage->len, ==, 1);
  damage = g_ptr_array_index (report->damage, 0);
  g_assert_cmpuint (damage->offset, ==, offset);
  g_assert_cmpuint (report->n_bytes_dropped, ==, n_dropped);
  g_assert_cmpuint (report->n_damaged, ==, 1);
}

static void
test_the_place_and_the_bytes_of_damage_are_told (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autoptr (GArray) places = list_places (data, size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  g_autoptr (NsEtlFile) bad_size = NULL;
  g_autoptr (NsEtlFile) bad_marker = NULL;
  guint32 filled;
  guint n_second;

  copy[BUFFER_SIZE] ^= 1; /* BufferSize of the second buffer */
  bad_size = open_copy (copy, size);
  n_second = places->len - count_outside (places, 1);
  assert_damage (bad_size, places->len - n_second, BUFFER_SIZE, BUFFER_SIZE);
  copy[BUFFER_SIZE] ^= 1;

  copy[BUFFER_SIZE + HEADER_SIZE + 3] = 0; /* marker of its first record */
  bad_marker = open_copy (copy, size);
  memcpy (&filled, copy + BUFFER_SIZE + 0x30, sizeof filled);
  assert_damage (bad_marker,
                 places->len - n_second,
                 BUFFER_SIZE + HEADER_SIZE,
                 GUINT32_FROM_LE (filled) - HEADER_SIZE);
}

static void
test_buffers_never_written_are_no_damage (void)
{
  g_autoptr (GBytes) bytes = make_trace (FALSE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *longer = g_malloc0 (size + 3 * BUFFER_SIZE);
  g_autoptr (NsEtlFile) file = NULL;

  memcpy (longer, data, size);
  file = open_copy (longer, size + 3 * BUFFER_SIZE);
  g_assert_cmpuint (count (file, NS_ETL_WALK_TIME_ORDER), ==, N_RECORDS + 1);
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_empty, ==, 3);
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_buffers, ==, size / BUFFER_SIZE);
  g_assert_cmpuint (ns_etl_file_get_report (file)->damage->len, ==, 0);
}

static void
test_a_wrong_size_ends_a_compressed_file (void)
{
  g_autoptr (GBytes) bytes = make_trace (TRUE);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  g_autoptr (NsEtlFile) file = NULL;

  copy[BUFFER_SIZE + 3] = 0xff;
  file = open_copy (copy, size);
  assert_damage (file, 1, BUFFER_SIZE, size - BUFFER_SIZE);
}

#define STRAY_BASE (G_GUINT64_CONSTANT (1) << 60)

/* Makes a trace with @n_strays records at the extremes of time, and the others within a second. */
static NsEtlFile *
make_strays (guint n_strays, gboolean is_open)
{
  NsEtlWriterOptions options = {
    .start_filetime = G_GUINT64_CONSTANT (133500000000000000),
    .end_filetime = G_GUINT64_CONSTANT (133500000010000000),
    .base_raw = STRAY_BASE,
    .is_open = is_open,
  };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = NULL;
  guint i;

  for (i = 0; i < N_RECORDS; i++)
    {
      NsEtlWriterEvent event = { .raw = STRAY_BASE + i * 10, .id = (guint16) i };

      if (i < n_strays)
        event.raw = i % 2 == 0 ? G_MAXUINT64 - i : i;
      g_assert_true (ns_etl_writer_add_event (writer, &event));
    }
  bytes = ns_etl_writer_finish (writer);
  return ns_etl_file_open_bytes (bytes, "test", NULL);
}

static void
assert_strays (guint n_strays, gboolean is_open, guint n_told)
{
  g_autoptr (NsEtlFile) file = make_strays (n_strays, is_open);
  const NsEtlReport *report = ns_etl_file_get_report (file);

  g_assert_cmpuint (count (file, 0), ==, N_RECORDS + 1);
  g_assert_cmpuint (count (file, NS_ETL_WALK_TIME_ORDER), ==, N_RECORDS + 1);
  g_assert_cmpuint (report->n_strays, ==, n_told);
  g_assert_cmpuint (report->damage->len, ==, n_told > 0 ? 1 : 0);
  g_assert_cmpint (ns_etl_file_is_stray (file, G_MAXUINT64), ==, n_told > 0);
  g_assert_cmpint (ns_etl_file_is_stray (file, 1), ==, n_told > 0);
  g_assert_false (ns_etl_file_is_stray (file, STRAY_BASE + 10000000));
}

static void
test_times_that_cannot_be_are_told (void)
{
  assert_strays (0, FALSE, 0);
  assert_strays (1, FALSE, 1);
  assert_strays (5, FALSE, 5);
  assert_strays (5, TRUE, 5);
  /* If nearly all times are outside, the header is wrong. */
  assert_strays (40, FALSE, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/damage/a-cut-file-gives-every-record-before-the-cut",
                   test_a_cut_file_gives_every_record_before_the_cut);
  g_test_add_func ("/damage/times-that-cannot-be-are-told", test_times_that_cannot_be_are_told);
  g_test_add_func ("/damage/too-short-a-file-is-refused", test_too_short_a_file_is_refused);
  g_test_add_func ("/damage/a-wrong-byte-costs-its-buffer-only",
                   test_a_wrong_byte_costs_its_buffer_only);
  g_test_add_func ("/damage/compressed-buffers-cost-themselves-only",
                   test_compressed_buffers_cost_themselves_only);
  g_test_add_func ("/damage/the-place-and-the-bytes-of-damage-are-told",
                   test_the_place_and_the_bytes_of_damage_are_told);
  g_test_add_func ("/damage/buffers-never-written-are-no-damage",
                   test_buffers_never_written_are_no_damage);
  g_test_add_func ("/damage/a-wrong-size-ends-a-compressed-file",
                   test_a_wrong_size_ends_a_compressed_file);
  return g_test_run ();
}
