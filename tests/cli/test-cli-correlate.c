/* Tests the verb `correlate`: events of an activity, of its parents and of its children.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-events.h"
#include "engine/activities/ns-activity-ids.h"
#include "etl/ns-etl-writer.h"

#include <string.h>

#define BASE 1000000

static gboolean
write_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static NsGuid
guid_of (guint number)
{
  NsGuid guid = { { 0 } };
  guint32 little = GUINT32_TO_LE (number);

  memcpy (guid.bytes, &little, sizeof little);
  return guid;
}

/* Makes events from pairs of activity ID and related activity ID, 1 ms apart; 0 is none. */
static NsEtlFile *
make_trace (const guint *ids, guint n_pairs)
{
  NsEtlWriterOptions options = { .base_raw = BASE };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  NsEtlFile *file;
  guint i;

  for (i = 0; i < n_pairs; i++)
    {
      NsEtlWriterEvent event = { .raw = BASE + 10000 * (guint64) (i + 1), .id = (guint16) i };

      event.guid = guid_of (0x77);
      event.activity = guid_of (ids[2 * i]);
      event.related = guid_of (ids[2 * i + 1]);
      g_assert_true (ns_etl_writer_add_event (writer, &event));
    }
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "made.etl", &error);
  g_assert_no_error (error);
  return file;
}

/* 1 starts 2 and 5, 2 starts 3; 4 has no relatives; 6 and 7 each claim to have started the
 * other. */
static const guint story[] = { 1, 0, 4, 0, 2, 1, 3, 2, 0, 0, 6, 7, 7, 6, 5, 1, 3, 0, 4, 0, 6, 6 };

static void
assert_correlates (const NsCliEvents *asked, const char *expected)
{
  g_autoptr (NsEtlFile) file = make_trace (story, G_N_ELEMENTS (story) / 2);
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_cli_events_print (asked, file, schemas, write_cb, text, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_the_whole_tree_is_printed (void)
{
  static const char tree[] = "n,depth\r\n1,0\r\n3,1\r\n4,2\r\n8,1\r\n9,2\r\n";
  NsCliEvents asked = { .format = "csv", .columns = "n,depth", .limit = -1 };

  asked.activity = "{00000001-0000-0000-0000-000000000000}";
  assert_correlates (&asked, tree);
  asked.activity = "00000003-0000-0000-0000-000000000000";
  assert_correlates (&asked, tree);
  asked.activity = NULL;
  asked.event = "8";
  assert_correlates (&asked, tree);
  asked.event = "2";
  assert_correlates (&asked, "n,depth\r\n2,0\r\n10,0\r\n");
}

/* Makes a WinINet event, a TCPIP event and the event that relates their activities: ID 60003 of
 * Microsoft-Windows-Networking-Correlation, a transfer. */
static NsEtlFile *
make_transfer (void)
{
  static const NsGuid wininet =
      NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe);
  static const NsGuid tcpip =
      NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a);
  static const NsGuid correlation =
      NS_GUID_INIT (0x83ed54f0, 0x4d48, 0x4e45, 0xb1, 0x6e, 0x72, 0x6f, 0xfd, 0x1f, 0xa4, 0xaf);
  NsEtlWriterOptions options = { .base_raw = BASE };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  NsEtlFile *file;
  NsEtlWriterEvent events[] = {
    { .guid = wininet, .id = 1007, .activity = guid_of (1) },
    { .guid = correlation,
      .id = 60003,
      .activity = guid_of (2),
      .related = guid_of (1),
      .payload = payload },
    { .guid = tcpip, .id = 1159, .activity = guid_of (2) },
    { .guid = tcpip, .id = 1159, .activity = guid_of (3) },
  };
  guint i;

  ns_etl_bytes_data (payload, wininet.bytes, sizeof wininet.bytes);
  ns_etl_bytes_u32 (payload, 77);
  for (i = 0; i < G_N_ELEMENTS (events); i++)
    {
      events[i].raw = BASE + 10000 * (guint64) (i + 1);
      g_assert_true (ns_etl_writer_add_event (writer, &events[i]));
    }
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "made.etl", &error);
  g_assert_no_error (error);
  return file;
}

static void
test_transfers_of_the_network_link_its_layers (void)
{
  g_autoptr (NsEtlFile) file = make_transfer ();
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  NsCliEvents asked = { .format = "csv",
                        .columns = "n,id,provider_name,depth",
                        .limit = -1,
                        .activity = "{00000001-0000-0000-0000-000000000000}" };

  g_assert_true (ns_cli_events_print (&asked, file, schemas, write_cb, text, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (text->str,
                   ==,
                   "n,id,provider_name,depth\r\n"
                   "1,1007,Microsoft-Windows-WinINet,0\r\n"
                   "2,60003,Microsoft-Windows-Networking-Correlation,1\r\n"
                   "3,1159,Microsoft-Windows-TCPIP,1\r\n");
}

static void
test_a_loop_is_one_tree (void)
{
  NsCliEvents asked = { .format = "csv", .columns = "n,depth", .limit = -1, .event = "7" };

  assert_correlates (&asked, "n,depth\r\n6,1\r\n7,0\r\n11,1\r\n");
}

static void
test_filters_and_limits_hold_within_the_tree (void)
{
  NsCliEvents asked = { .format = "csv",
                        .columns = "n",
                        .limit = 2,
                        .offset = 1,
                        .event = "1",
                        .filter = "n > 1" };

  assert_correlates (&asked, "n\r\n4\r\n8\r\n");
}

static void
assert_refused (const NsCliEvents *asked, const char *why)
{
  g_autoptr (NsEtlFile) file = make_trace (story, G_N_ELEMENTS (story) / 2);
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (ns_cli_events_print (asked, file, schemas, write_cb, text, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_nonnull (strstr (error->message, why));
  g_assert_cmpuint (text->len, ==, 0);
}

static void
test_what_is_not_there_is_said (void)
{
  NsCliEvents nowhere = { .format = "csv", .limit = -1 };
  NsCliEvents nothing = { .format = "csv", .limit = -1, .event = "5" };
  NsCliEvents beyond = { .format = "csv", .limit = -1, .event = "500" };
  NsCliEvents wrong = { .format = "csv", .limit = -1, .activity = "me" };

  nowhere.activity = "00000009-0000-0000-0000-000000000000";
  assert_refused (&nowhere, "00000009-");
  assert_refused (&nothing, "record 5");
  assert_refused (&beyond, "record 500");
  assert_refused (&wrong, "me");
}

static gboolean
add_cb (const NsRecord *record, gpointer user_data)
{
  ns_activity_ids_add (user_data, record);
  return TRUE;
}

/* Depth and loop detection must not take longer for each further link. */
static void
test_a_long_chain_keeps_its_depth (void)
{
  const guint n = 50000;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (NsActivityIds) forest = ns_activity_ids_new ();
  g_autoptr (NsEtlFile) file = NULL;
  NsGuid first = guid_of (1);
  NsGuid last = guid_of (n);
  NsGuid parent;
  guint i;

  for (i = n; i > 1; i--)
    {
      guint pair[2] = { i, i - 1 };

      g_array_append_vals (ids, pair, 2);
    }
  g_array_append_vals (ids, (guint[]){ 1, n }, 2); /* and back to the first */
  file = make_trace ((const guint *) (gconstpointer) ids->data, ids->len / 2);
  g_assert_true (
      ns_etl_file_walk (file, NS_ETL_WALK_TIME_ORDER, NULL, add_cb, forest, NULL, NULL, NULL));
  ns_activity_ids_settle (forest);
  g_assert_cmpuint (ns_activity_ids_get_size (forest), ==, n);
  g_assert_cmpuint (ns_activity_ids_get_tree (forest, &first),
                    ==,
                    ns_activity_ids_get_tree (forest, &last));
  g_assert_cmpuint (ns_activity_ids_get_depth (forest, &last), ==, n - 1);
  g_assert_cmpuint (ns_activity_ids_get_depth (forest, &first), ==, 0);
  g_assert_true (ns_activity_ids_get_parent (forest, &last, &parent));
  g_assert_false (ns_activity_ids_get_parent (forest, &first, &parent));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/correlate/tree", test_the_whole_tree_is_printed);
  g_test_add_func ("/cli/correlate/transfer", test_transfers_of_the_network_link_its_layers);
  g_test_add_func ("/cli/correlate/loop", test_a_loop_is_one_tree);
  g_test_add_func ("/cli/correlate/filter", test_filters_and_limits_hold_within_the_tree);
  g_test_add_func ("/cli/correlate/absent", test_what_is_not_there_is_said);
  g_test_add_func ("/cli/correlate/long-chain", test_a_long_chain_keeps_its_depth);
  return g_test_run ();
}
