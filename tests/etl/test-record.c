/* Tests the record header types and the fields read from each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-parse.h"
#include "etl/ns-etl-writer.h"

#include <string.h>

#define PROVIDER NS_GUID_INIT (0x11111111, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

/* Formats the records of a trace as text, without the trace header. */
static gboolean
describe (const NsRecord *record, gpointer user_data)
{
  GString *text = user_data;
  char guid[NS_GUID_TEXT_SIZE];

  if (record->group == 0 && record->flags & NS_RECORD_GROUP && record->opcode == 0)
    return TRUE;
  g_string_append_printf (text,
                          "%s %.8s id=%u op=%u v=%u pid=%d tid=%d ptr=%u +%" G_GINT64_FORMAT
                          " %u bytes",
                          ns_record_kind_to_text (record->kind),
                          ns_guid_to_text (&record->guid, guid),
                          record->id,
                          record->opcode,
                          record->version,
                          (int) record->pid,
                          (int) record->tid,
                          record->pointer_size,
                          record->time_ns,
                          record->payload_size);
  if (record->n_extended > 0)
    g_string_append_printf (text, " %u items", record->n_extended);
  if ((record->flags & NS_RECORD_HAS_TIME) == 0)
    g_string_append (text, " no time");
  if (record->flags & NS_RECORD_BAD_EXTENDED)
    g_string_append (text, " bad");
  g_string_append (text, "; ");
  return TRUE;
}

static void
assert_records (NsEtlWriter *writer, const char *expected)
{
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "test", NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_nonnull (file);
  g_assert_true (
      ns_etl_file_walk (file, NS_ETL_WALK_TIME_ORDER, NULL, describe, text, NULL, NULL, NULL));
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_kernel_records_name_their_group (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  guint64 raw = ns_etl_writer_get_base_raw (writer);
  NsEtlWriterGroup group = { .raw = raw + 1,
                             .group = 3,
                             .opcode = 1,
                             .version = 4,
                             .pid = 5,
                             .tid = 6,
                             .payload = payload };

  ns_etl_bytes_u32 (payload, 1);
  ns_etl_writer_add_group (writer, &group);
  group.opcode = 10; /* an image load event in the process group */
  group.kind = NS_RECORD_COMPACT32;
  ns_etl_writer_add_group (writer, &group);
  group.group = 6;
  group.kind = NS_RECORD_PERFINFO32;
  ns_etl_writer_add_group (writer, &group);
  group.group = 0x77;
  group.kind = NS_RECORD_PERFINFO64;
  ns_etl_writer_add_group (writer, &group);
  assert_records (writer,
                  "SYSTEM64 3d6fa8d0 id=0 op=1 v=4 pid=5 tid=6 ptr=8 +100 4 bytes; "
                  "COMPACT32 2cb15d1d id=0 op=10 v=4 pid=5 tid=6 ptr=4 +100 4 bytes; "
                  "PERFINFO32 9a280ac0 id=0 op=10 v=4 pid=-1 tid=-1 ptr=4 +100 4 bytes; "
                  "PERFINFO64 00000000 id=0 op=10 v=4 pid=-1 tid=-1 ptr=8 +100 4 bytes; ");
}

static void
test_counters_stand_before_the_payload (void)
{
  static const guint8 record[] = { 2, 0x82, 0x11, 0xc0, 44, 0, 46, 15, 0x50, 0x42, 0x0f, 0, 0, 0, 0,
                                   0, 1,    1,    1,    1,  1, 1,  1,  1,    2,    2,    2, 2, 2, 2,
                                   2, 2,    3,    3,    3,  3, 3,  3,  3,    3,    9,    9, 9, 9 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);

  /* PEBS index and two counters: 24 bytes after a header of 16. */
  g_assert_true (ns_etl_writer_add_bytes (writer, 0, 1000016, record, sizeof record));
  assert_records (writer, "PERFINFO64 ce1dbfb4 id=0 op=46 v=2 pid=-1 tid=-1 ptr=8 +1600 4 bytes; ");
}

static void
test_events_have_items_before_the_payload (void)
{
  static const guint64 stack[] = { 1, 2, 3 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl ("e", NULL);
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + 3,
                             .guid = PROVIDER,
                             .id = 9,
                             .opcode = 2,
                             .version = 1,
                             .pid = 70000,
                             .tid = 80000,
                             .payload = payload };

  ns_etl_bytes_astr (payload, "abc");
  ns_etl_writer_add_event (writer, &event);
  event.is_32bit = TRUE;
  event.stack = stack;
  event.n_stack = 3;
  event.schema_tl = schema;
  event.related.bytes[0] = 1;
  ns_etl_writer_add_event (writer, &event);
  assert_records (
      writer,
      "EVENT64 11111111 id=9 op=2 v=1 pid=70000 tid=80000 ptr=8 +300 4 bytes; "
      "EVENT32 11111111 id=9 op=2 v=1 pid=70000 tid=80000 ptr=4 +300 4 bytes 3 items; ");
}

/* Writes an event with @n_items empty extended data items, each linked to a next one. */
static void
add_event_with_items (NsEtlWriter *writer, guint n_items)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 raw = ns_etl_writer_get_base_raw (writer) + 3;
  guint i;

  ns_etl_bytes_u32 (bytes, 0xc0130000u | (0x50 + n_items * 8));
  ns_etl_bytes_u32 (bytes, 1); /* EXTENDED_INFO */
  ns_etl_bytes_u64 (bytes, 0);
  ns_etl_bytes_u64 (bytes, raw);
  ns_etl_bytes_zero (bytes, 0x50 - 0x18);
  for (i = 1; i <= n_items; i++)
    {
      ns_etl_bytes_u32 (bytes, 0);
      ns_etl_bytes_u32 (bytes, i < n_items);
    }
  ns_etl_writer_add_bytes (writer, 0, raw, bytes->data, bytes->len);
}

static gboolean
note_items (const NsRecord *record, gpointer user_data)
{
  if (record->flags & NS_RECORD_MANIFEST)
    g_string_append_printf (user_data,
                            "%u%s ",
                            record->n_extended,
                            record->flags & NS_RECORD_BAD_EXTENDED ? "!" : "");
  return TRUE;
}

static void
test_no_event_has_more_than_so_many_items (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;

  add_event_with_items (writer, NS_ETL_MAX_ITEMS);
  add_event_with_items (writer, NS_ETL_MAX_ITEMS + 1);
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "test", NULL);
  g_assert_true (ns_etl_file_walk (file, 0, NULL, note_items, text, NULL, NULL, NULL));
  g_assert_cmpstr (text->str, ==, "32 0! ");
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_bad_items, ==, 1);
}

static void
test_items_past_the_record_are_dropped_with_the_payload (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  g_autoptr (GByteArray) item = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree guint8 *copy = NULL;
  NsEtlWriterItem items[] = { { NS_EXT_SID, item } };
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer),
                             .guid = PROVIDER,
                             .items = items,
                             .n_items = 1 };
  gsize size;
  guint8 *found;

  ns_etl_bytes_data (item, "ITEMDATA", 8);
  ns_etl_writer_add_event (writer, &event);
  bytes = ns_etl_writer_finish (writer);
  size = g_bytes_get_size (bytes);
  copy = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  for (found = copy; found < copy + size - 8 && memcmp (found, "ITEMDATA", 8) != 0; found++)
    ;
  g_assert_true (found < copy + size - 8);
  found[-2] = 200; /* DataSize */
  g_clear_pointer (&bytes, g_bytes_unref);
  bytes = g_bytes_new (copy, size);
  file = ns_etl_file_open_bytes (bytes, "test", NULL);
  g_assert_true (ns_etl_file_walk (file, 0, NULL, describe, text, NULL, NULL, NULL));
  g_assert_cmpstr (text->str,
                   ==,
                   "EVENT64 11111111 id=0 op=0 v=0 pid=0 tid=0 ptr=8 +0 0 bytes bad; ");
  g_assert_cmpuint (ns_etl_file_get_report (file)->n_bad_items, ==, 1);
}

static void
test_classic_records_carry_their_class (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull full = { .raw = ns_etl_writer_get_base_raw (writer),
                           .guid = PROVIDER,
                           .opcode = 32,
                           .version = 300,
                           .pid = 1,
                           .tid = 2,
                           .payload = payload };

  ns_etl_bytes_u64 (payload, 1);
  ns_etl_writer_add_full (writer, &full);
  full.kind = NS_RECORD_INSTANCE32;
  ns_etl_writer_add_full (writer, &full);
  assert_records (writer,
                  "FULL64 11111111 id=0 op=32 v=300 pid=1 tid=2 ptr=8 +0 8 bytes; "
                  "INSTANCE32 11111111 id=0 op=32 v=300 pid=1 tid=2 ptr=4 +0 8 bytes; ");
}

static void
test_messages_have_what_their_flags_say (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterMessage message = { .raw = ns_etl_writer_get_base_raw (writer) + 7,
                                 .guid = PROVIDER,
                                 .number = 43,
                                 .pid = 1,
                                 .tid = 2,
                                 .payload = payload };

  ns_etl_bytes_u16 (payload, 1);
  ns_etl_writer_add_message (writer, &message);
  message.flags = 0x42; /* no time: keeps its place after the previous record */
  ns_etl_writer_add_message (writer, &message);
  message.flags = 0xaf; /* a component instead of the GUID, and a sequence number */
  message.raw++;
  ns_etl_writer_add_message (writer, &message);
  assert_records (writer,
                  "MESSAGE 11111111 id=43 op=0 v=0 pid=1 tid=2 ptr=8 +700 2 bytes; "
                  "MESSAGE 11111111 id=43 op=0 v=0 pid=-1 tid=-1 ptr=4 +700 2 bytes no time; "
                  "MESSAGE 00000000 id=43 op=0 v=0 pid=1 tid=2 ptr=8 +800 2 bytes; ");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/record/no-event-has-more-than-so-many-items",
                   test_no_event_has_more_than_so_many_items);
  g_test_add_func ("/record/kernel-records-name-their-group", test_kernel_records_name_their_group);
  g_test_add_func ("/record/counters-stand-before-the-payload",
                   test_counters_stand_before_the_payload);
  g_test_add_func ("/record/events-have-items-before-the-payload",
                   test_events_have_items_before_the_payload);
  g_test_add_func ("/record/items-past-the-record-are-dropped-with-the-payload",
                   test_items_past_the_record_are_dropped_with_the_payload);
  g_test_add_func ("/record/classic-records-carry-their-class",
                   test_classic_records_carry_their_class);
  g_test_add_func ("/record/messages-have-what-their-flags-say",
                   test_messages_have_what_their_flags_say);
  return g_test_run ();
}
