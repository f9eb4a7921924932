/* Tests reading a whole trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define PROVIDER NS_GUID_INIT (0x12345678, 0x1234, 0x5678, 1, 2, 3, 4, 5, 6, 7, 8)

static void
add_event (NsEtlWriter *writer, guint cpu, guint64 raw, guint16 id)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .cpu = cpu,
                             .raw = raw,
                             .guid = PROVIDER,
                             .id = id,
                             .pid = 7,
                             .tid = 8,
                             .payload = payload };

  ns_etl_bytes_u32 (payload, id);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static NsEtlFile *
open_bytes (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, "test", &error);

  g_assert_no_error (error);
  return file;
}

static NsEtlFile *
finish (NsEtlWriter *writer)
{
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);

  return open_bytes (bytes);
}

/* Formats each record: the first letter of its header type or the event ID, then the processor. */
static gboolean
describe (const NsRecord *record, gpointer user_data)
{
  GString *text = user_data;

  if (record->flags & NS_RECORD_MANIFEST)
    g_string_append_printf (text, "%u@%u ", record->id, record->cpu);
  return TRUE;
}

static void
assert_order (NsEtlFile *file, NsEtlWalkFlags flags, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_etl_file_walk (file, flags, NULL, describe, text, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

/* Makes many small buffers of several processors with overlapping times. */
static GBytes *
make_long_bytes (gboolean is_compressed, guint n_events)
{
  NsEtlWriterOptions options = { .buffer_size = 1024, .is_compressed = is_compressed };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  guint64 base = ns_etl_writer_get_base_raw (writer);
  guint i;

  for (i = 0; i < n_events; i++)
    add_event (writer, i * 7 % 5, base + 10 * i + (i * 13 % 60), (guint16) i);
  return ns_etl_writer_finish (writer);
}

static NsEtlFile *
make_long_file (gboolean is_compressed, guint n_events)
{
  g_autoptr (GBytes) bytes = make_long_bytes (is_compressed, n_events);

  return open_bytes (bytes);
}

static gboolean
describe_all (const NsRecord *record, gpointer user_data)
{
  guint32 bytes = 0;

  if (record->payload_size >= 4)
    memcpy (&bytes, record->payload, sizeof bytes);
  g_string_append_printf (user_data,
                          "%u:%u:%u@%u %u\n",
                          record->ref.buffer,
                          record->ref.offset,
                          record->id,
                          record->cpu,
                          bytes);
  return TRUE;
}

static char *
list_walk (NsEtlFile *file, NsEtlWalkFlags flags)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_etl_file_walk (file, flags, NULL, describe_all, text, NULL, NULL, &error));
  g_assert_no_error (error);
  return g_string_free (text, FALSE);
}

static void
test_reading_ahead_changes_nothing (void)
{
  static const NsEtlWalkFlags orders[] = { NS_ETL_WALK_FILE_ORDER, NS_ETL_WALK_TIME_ORDER };
  guint i;
  guint j;

  for (i = 0; i < 2; i++)
    for (j = 0; j < G_N_ELEMENTS (orders); j++)
      {
        g_autoptr (NsEtlFile) plain = make_long_file (i == 1, 5000);
        g_autoptr (NsEtlFile) ahead = make_long_file (i == 1, 5000);
        g_autofree char *expected = list_walk (plain, orders[j]);
        g_autofree char *got = list_walk (ahead, orders[j] | NS_ETL_WALK_READ_AHEAD);

        g_assert_cmpstr (got, ==, expected);
        g_assert_cmpuint (ns_etl_file_get_report (ahead)->n_records, ==, 5001);
        g_assert_cmpuint (ns_etl_file_get_report (ahead)->n_buffers,
                          ==,
                          ns_etl_file_get_report (plain)->n_buffers);
      }
}

/* Writes @bytes to a file, takes ownership of them, and returns the path. */
static char *
store (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  char *path = NULL;
  int fd = g_file_open_tmp ("file-XXXXXX.etl", &path, &error);

  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_set_contents (path,
                                      g_bytes_get_data (bytes, NULL),
                                      (gssize) g_bytes_get_size (bytes),
                                      NULL));
  g_bytes_unref (bytes);
  return path;
}

/* A file read by loader threads has the same records as the same bytes in memory. */
static void
test_reading_from_the_disk_changes_nothing (void)
{
  static const NsEtlWalkFlags orders[] = { NS_ETL_WALK_FILE_ORDER, NS_ETL_WALK_TIME_ORDER };
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *path = store (make_long_bytes (FALSE, 5000));
      g_autoptr (NsEtlFile) plain = make_long_file (FALSE, 5000);
      g_autoptr (NsEtlFile) stored = NULL;
      g_autofree char *expected = NULL;
      g_autofree char *got = NULL;

      stored = ns_etl_file_open (path, NULL, &error);
      g_assert_no_error (error);
      expected = list_walk (plain, orders[i]);
      got = list_walk (stored, orders[i] | NS_ETL_WALK_READ_AHEAD);
      g_assert_cmpstr (got, ==, expected);
      g_unlink (path);
    }
}

/* Locations of records in the order in which the tap saw them. */
typedef struct
{
  GArray *shown;  /* NsRecordRef */
  GArray *handed; /* NsRecordRef */
  guint n_near;   /* seen twice */
  guint n_early;  /* of these, seen before delivery */
} TapLog;

static void
look_ahead (const NsRecord *record, gboolean is_near, gpointer user_data)
{
  TapLog *self = user_data;

  if (is_near)
    {
      const NsRecordRef *far = &g_array_index (self->shown, NsRecordRef, self->n_near++);

      g_assert_cmpuint (self->n_near, <=, self->shown->len);
      g_assert_cmpmem (far, sizeof *far, &record->ref, sizeof record->ref);
      self->n_early += self->n_near > self->handed->len;
      return;
    }
  g_array_append_val (self->shown, record->ref);
}

static gboolean
hand_out (const NsRecord *record, gpointer user_data)
{
  g_array_append_val (((TapLog *) user_data)->handed, record->ref);
  return TRUE;
}

static void
test_records_are_shown_before_they_are_handed_out (void)
{
  g_autoptr (NsEtlFile) file = make_long_file (FALSE, 5000);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (NsRecordRef));
  g_autoptr (GArray) handed = g_array_new (FALSE, FALSE, sizeof (NsRecordRef));
  TapLog tap_log = { shown, handed, 0, 0 };
  guint at = 0;
  guint i;

  if (g_get_num_processors () < 2)
    {
      g_test_skip ("nothing is read ahead on one processor");
      return;
    }
  ns_etl_file_set_ahead (file, look_ahead, &tap_log);
  g_assert_true (ns_etl_file_walk (file,
                                   NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD,
                                   NULL,
                                   hand_out,
                                   &tap_log,
                                   NULL,
                                   NULL,
                                   NULL));
  g_assert_cmpuint (handed->len, ==, 5001);
  /* All records, in order. */
  g_assert_cmpuint (shown->len, ==, handed->len);
  g_assert_cmpuint (tap_log.n_near, ==, shown->len);
  g_assert_cmpuint (tap_log.n_early, ==, shown->len);
  for (i = 0; i < shown->len; i++)
    {
      const NsRecordRef *ref = &g_array_index (shown, NsRecordRef, i);

      while (at < handed->len &&
             memcmp (&g_array_index (handed, NsRecordRef, at), ref, sizeof *ref) != 0)
        at++;
      g_assert_cmpuint (at, <, handed->len);
    }
}

/* Passes every third record with its number as note, and attaches the maximum number of bytes to
 * most of those. */
static gboolean
pass_thirds (const NsRecord *record, NsRecordTap *tap, gpointer user_data)
{
  TapLog *self = user_data;

  g_assert_false (record->is_tapped);
  g_array_append_val (self->shown, record->ref);
  tap->note = self->shown->len;
  memset (tap->room, self->shown->len & 0xff, NS_RECORD_TAP_BYTES);
  if (self->shown->len % 5 != 0)
    tap->n_bytes = NS_RECORD_TAP_BYTES;
  return self->shown->len % 3 == 0;
}

static gboolean
take_tapped (const NsRecord *record, gpointer user_data)
{
  TapLog *self = user_data;
  guint8 made[NS_RECORD_TAP_BYTES];

  g_array_append_val (self->handed, record->ref);
  g_assert_true (record->is_tapped);
  g_assert_cmpuint (record->note, ==, 3 * self->handed->len);
  g_assert_cmpint (record->made != NULL, ==, record->note % 5 != 0);
  memset (made, record->note & 0xff, sizeof made);
  if (record->made != NULL)
    g_assert_cmpmem (record->made, sizeof made, made, sizeof made);
  return TRUE;
}

static void
test_tap_keeps_records_back (void)
{
  static const guint lengths[] = { 20, 20000 }; /* for one thread and for two */
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (NsEtlFile) file = make_long_file (FALSE, lengths[i]);
      g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (NsRecordRef));
      g_autoptr (GArray) handed = g_array_new (FALSE, FALSE, sizeof (NsRecordRef));
      TapLog tap_log = { shown, handed, 0, 0 };

      ns_etl_file_set_tap (file, pass_thirds, &tap_log);
      g_assert_true (ns_etl_file_walk (file,
                                       NS_ETL_WALK_FILE_ORDER | NS_ETL_WALK_READ_AHEAD,
                                       NULL,
                                       take_tapped,
                                       &tap_log,
                                       NULL,
                                       NULL,
                                       NULL));
      g_assert_cmpuint (shown->len, ==, lengths[i] + 1);
      g_assert_cmpuint (handed->len, ==, (lengths[i] + 1) / 3);
      g_assert_cmpuint (ns_etl_file_get_report (file)->n_records, ==, lengths[i] + 1);
      for (k = 0; k < handed->len; k++)
        g_assert_cmpmem (&g_array_index (handed, NsRecordRef, k),
                         sizeof (NsRecordRef),
                         &g_array_index (shown, NsRecordRef, 3 * k + 2),
                         sizeof (NsRecordRef));
    }
}

static gboolean
stop_at_thousand (const NsRecord *record, gpointer user_data)
{
  return ++*(guint *) user_data < 1000;
}

static gboolean
never_on (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_reading_ahead_stops_when_told (void)
{
  g_autoptr (NsEtlFile) file = make_long_file (FALSE, 20000);
  g_autoptr (NsEtlFile) other = make_long_file (FALSE, 20000);
  g_autoptr (GError) error = NULL;
  guint n_records = 0;

  g_assert_true (ns_etl_file_walk (file,
                                   NS_ETL_WALK_FILE_ORDER | NS_ETL_WALK_READ_AHEAD,
                                   NULL,
                                   stop_at_thousand,
                                   &n_records,
                                   NULL,
                                   NULL,
                                   &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_records, ==, 1000);

  g_assert_false (ns_etl_file_walk (other,
                                    NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD,
                                    NULL,
                                    stop_at_thousand,
                                    &n_records,
                                    never_on,
                                    NULL,
                                    &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED);
}

static void
test_processors_are_merged_by_time (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = 1024 });
  guint64 base = ns_etl_writer_get_base_raw (writer);
  g_autoptr (NsEtlFile) file = NULL;

  add_event (writer, 1, base + 10, 1);
  add_event (writer, 0, base + 20, 2);
  add_event (writer, 1, base + 30, 3);
  add_event (writer, 0, base + 30, 4);
  add_event (writer, 2, base + 5, 5);
  file = finish (writer);
  assert_order (file, NS_ETL_WALK_FILE_ORDER, "2@0 4@0 1@1 3@1 5@2 ");
  assert_order (file, NS_ETL_WALK_TIME_ORDER, "5@2 1@1 2@0 4@0 3@1 ");
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_records, ==, 6);
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_buffers, ==, 4);
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_out_of_order, ==, 0);
}

static void
test_order_is_exact_however_the_file_is_ordered (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = 1024 });
  guint64 base = ns_etl_writer_get_base_raw (writer);
  g_autoptr (NsEtlFile) file = NULL;

  add_event (writer, 0, base + 50, 1);
  add_event (writer, 0, base + 10, 2);
  add_event (writer, 0, base + 70, 3);
  ns_etl_writer_next_buffer (writer, 0);
  add_event (writer, 0, base + 60, 4);
  add_event (writer, 0, base + 80, 5);
  ns_etl_writer_next_buffer (writer, 0);
  add_event (writer, 0, base + 5, 6);
  add_event (writer, 1, base + 65, 7);
  file = finish (writer);
  assert_order (file, NS_ETL_WALK_TIME_ORDER, "6@0 2@0 1@0 4@0 7@1 3@0 5@0 ");
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_out_of_order, ==, 3);
}

static void
test_the_zone_of_the_traced_machine_is_read (void)
{
  NsEtlHeader like = {
    .zone = { .bias_min = -60,
              .daylight_bias_min = -60,
              .standard = { .month = 10, .day = 5, .hour = 3 },
              .daylight = { .month = 3, .day = 5, .hour = 2, .minute = 30, .second = 15 } },
  };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&(NsEtlWriterOptions){ .like = &like });
  g_autoptr (NsEtlFile) file = NULL;
  const NsZone *zone;

  add_event (writer, 0, ns_etl_writer_get_base_raw (writer), 1);
  file = finish (writer);
  zone = &ns_etl_file_get_header (file)->zone;
  g_assert_cmpint (zone->bias_min, ==, -60);
  g_assert_cmpint (zone->standard_bias_min, ==, 0);
  g_assert_cmpint (zone->daylight_bias_min, ==, -60);
  g_assert_cmpuint (zone->standard.month, ==, 10);
  g_assert_cmpuint (zone->standard.hour, ==, 3);
  g_assert_cmpuint (zone->daylight.month, ==, 3);
  g_assert_cmpuint (zone->daylight.day, ==, 5);
  g_assert_cmpuint (zone->daylight.minute, ==, 30);
  g_assert_cmpuint (zone->daylight.second, ==, 15);
}

static guint
rank_of_id (const NsRecord *record)
{
  return record->id;
}

static void
test_rank_decides_between_processors_only (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  guint64 base = ns_etl_writer_get_base_raw (writer);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (NsEtlFile) file = NULL;

  add_event (writer, 0, base + 10, 9);
  add_event (writer, 0, base + 10, 1);
  add_event (writer, 1, base + 10, 5);
  file = finish (writer);
  g_assert_true (ns_etl_file_walk (file,
                                   NS_ETL_WALK_TIME_ORDER,
                                   rank_of_id,
                                   describe,
                                   text,
                                   NULL,
                                   NULL,
                                   NULL));
  g_assert_cmpstr (text->str, ==, "5@1 9@0 1@0 ");
}

typedef struct
{
  NsEtlReader *reader;
  guint n_timeless;
} Again;

static gboolean
read_again (const NsRecord *record, gpointer user_data)
{
  Again *self = user_data;
  NsRecord alone;

  g_assert_true (ns_etl_reader_read (self->reader, record->ref, &alone));
  g_assert_cmpuint (alone.raw, ==, record->raw);
  self->n_timeless += record->id == 77;
  return TRUE;
}

/* Message records may have no time. A message alone in its buffer takes the time of the previous
 * buffer, in the first walk, too. */
static void
test_a_record_without_a_time_reads_the_same_alone (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  guint64 raw = ns_etl_writer_get_base_raw (writer) + 5000;
  NsEtlWriterMessage message = { .guid = PROVIDER, .raw = raw, .number = 77, .flags = 0xa2 };
  g_autoptr (NsEtlFile) file = NULL;
  guint i;

  add_event (writer, 0, raw, 1);
  ns_etl_writer_next_buffer (writer, 0);
  g_assert_true (ns_etl_writer_add_message (writer, &message));
  file = finish (writer);
  for (i = 0; i < 2; i++)
    {
      Again again = { .reader = ns_etl_reader_new (file) };

      g_assert_true (ns_etl_file_walk (file,
                                       NS_ETL_WALK_FILE_ORDER,
                                       NULL,
                                       read_again,
                                       &again,
                                       NULL,
                                       NULL,
                                       NULL));
      g_assert_cmpuint (again.n_timeless, ==, 1);
      ns_etl_reader_free (again.reader);
    }
}

/* Formats the report of each processor: its time span, and the intervals with losses, in ticks from
 * @base. */
static char *
describe_processors (NsEtlFile *file, guint64 base)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < report->processors->len; i++)
    {
      const NsEtlProcessor *one = &g_array_index (report->processors, NsEtlProcessor, i);

      if (one->n_records > 0)
        g_string_append_printf (text,
                                "%u:%u-%u!%u ",
                                i,
                                (guint) (one->first_raw - base),
                                (guint) (one->last_raw - base),
                                one->n_losses);
    }
  for (i = 0; i < report->losses->len; i++)
    {
      const NsEtlLoss *loss = &g_array_index (report->losses, NsEtlLoss, i);

      g_string_append_printf (text,
                              "lost@%u:%u-%u ",
                              loss->cpu,
                              (guint) (loss->begin_raw - base),
                              (guint) (loss->end_raw - base));
    }
  return g_string_free (text, FALSE);
}

/* Buffer flags at 0x34: 2, events were lost before; 4, a buffer was lost before. */
static void
test_a_loss_lies_between_two_buffers_of_its_processor (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = 1024 });
  guint64 base = ns_etl_writer_get_base_raw (writer);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  g_autofree guint8 *data = NULL;
  gsize n_bytes;
  guint walk;

  add_event (writer, 1, base + 10, 1);
  add_event (writer, 1, base + 20, 2);
  ns_etl_writer_next_buffer (writer, 1);
  add_event (writer, 2, base + 30, 3);
  ns_etl_writer_next_buffer (writer, 2);
  add_event (writer, 1, base + 70, 4);
  add_event (writer, 1, base + 90, 5);
  ns_etl_writer_next_buffer (writer, 1);
  add_event (writer, 2, base + 5, 6); /* a circular file wraps */
  bytes = ns_etl_writer_finish (writer);
  data = g_memdup2 (g_bytes_get_data (bytes, &n_bytes), g_bytes_get_size (bytes));
  g_assert_cmpuint (n_bytes, ==, 5 * 1024);
  data[3 * 1024 + 0x34] |= 2;
  data[4 * 1024 + 0x34] |= 4;
  g_clear_pointer (&bytes, g_bytes_unref);
  bytes = g_bytes_new (data, n_bytes);
  file = ns_etl_file_open_bytes (bytes, "test", NULL);
  g_assert_nonnull (file);

  /* Each buffer counts once, however often the file is walked. */
  for (walk = 0; walk < 2; walk++)
    {
      g_autofree char *text = NULL;

      assert_order (file, NS_ETL_WALK_TIME_ORDER, "6@2 1@1 2@1 3@2 4@1 5@1 ");
      text = describe_processors (file, base);
      g_assert_cmpstr (text, ==, "0:0-0!0 1:10-90!1 2:5-30!1 lost@1:20-70 lost@2:5-5 ");
    }
}

#define FIRST_ID 4711

/* Checks the alignment of the first payload in a buffer, after buffer and event header. */
static gboolean
check_place (const NsRecord *record, gpointer user_data)
{
  guint *n_checked = user_data;

  if (record->id == FIRST_ID)
    {
      g_assert_cmpuint (GPOINTER_TO_SIZE (record->payload) % 64, ==, (0x48 + 0x50) % 64);
      (*n_checked)++;
    }
  return TRUE;
}

/* Unaligned buffers make copies several times slower on some processors, and malloc() does not
 * align large blocks. */
static void
test_buffers_are_read_to_aligned_places (void)
{
  const NsEtlWriterOptions options = { .buffer_size = 256 << 10 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  guint n_checked = 0;
  guint i;

  for (i = 0; i < 8; i++)
    {
      ns_etl_writer_next_buffer (writer, 0);
      add_event (writer, 0, ns_etl_writer_get_base_raw (writer) + i, FIRST_ID);
    }
  path = store (ns_etl_writer_finish (writer));
  file = ns_etl_file_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ns_etl_file_walk (file, 0, NULL, check_place, &n_checked, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_checked, ==, 8);
  g_unlink (path);
}

/* Opening a file of another type names that type. */
static void
test_another_kind_of_file_is_named (void)
{
  static const struct
  {
    const char *bytes;
    gsize n_bytes;
    const char *expected;
  } files[] = {
    { "\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a", 12, "packet capture (pcapng)" },
    { "\xd4\xc3\xb2\xa1\x02\0\x04\0", 8, "packet capture (pcap)" },
    { "\xa1\xb2\x3c\x4d\0\x02\0\x04", 8, "packet capture (pcap)" },
    { "ElfFile\0\0", 9, "event log" },
    { "SELECT *\r\n  FROM load;\n", 23, "text file" },
    { "\x01\0\0\0", 4, "too short" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (files[i].bytes, files[i].n_bytes);
      g_autoptr (GError) error = NULL;

      g_assert_null (ns_etl_file_open_bytes (bytes, "test", &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_NOT_A_TRACE);
      g_assert_nonnull (strstr (error->message, files[i].expected));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/file/reading-ahead-changes-nothing", test_reading_ahead_changes_nothing);
  g_test_add_func ("/file/reading-from-the-disk-changes-nothing",
                   test_reading_from_the_disk_changes_nothing);
  g_test_add_func ("/file/buffers-are-read-to-aligned-places",
                   test_buffers_are_read_to_aligned_places);
  g_test_add_func ("/file/records-are-shown-before-they-are-handed-out",
                   test_records_are_shown_before_they_are_handed_out);
  g_test_add_func ("/file/tap-keeps-records-back", test_tap_keeps_records_back);
  g_test_add_func ("/file/reading-ahead-stops-when-told", test_reading_ahead_stops_when_told);
  g_test_add_func ("/file/processors-are-merged-by-time", test_processors_are_merged_by_time);
  g_test_add_func ("/file/order-is-exact-however-the-file-is-ordered",
                   test_order_is_exact_however_the_file_is_ordered);
  g_test_add_func ("/file/the-zone-of-the-traced-machine-is-read",
                   test_the_zone_of_the_traced_machine_is_read);
  g_test_add_func ("/file/a-record-without-a-time-reads-the-same-alone",
                   test_a_record_without_a_time_reads_the_same_alone);
  g_test_add_func ("/file/rank-decides-between-processors-only",
                   test_rank_decides_between_processors_only);
  g_test_add_func ("/file/a-loss-lies-between-two-buffers-of-its-processor",
                   test_a_loss_lies_between_two_buffers_of_its_processor);
  g_test_add_func ("/file/another-kind-of-file-is-named", test_another_kind_of_file_is_named);
  return g_test_run ();
}
