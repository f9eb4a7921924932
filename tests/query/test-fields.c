/* Tests the table of fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-marks.h"
#include "ns-test-trace.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/open/ns-log.h"
#include "engine/trace/ns-event-index.h"
#include "query/ns-fields.h"

#include <string.h>

/* The field IDs that scripts rely on, in order. */
static const struct
{
  NsTableId table;
  const char *keys;
} contract[] = {
  { NS_TABLE_ACTIVITIES,
    "id parent protocol layers process pid tid first_tid server server_alt url method status "
    "http_status error ip port local_ip local_port service address_kind sent received posted "
    "open_ns close_ns duration_ns opened_before_trace still_open inferred reused request "
    "connection socket tcb link_type chain_depth stack_count confidence phases" },
  { NS_TABLE_DNS,
    "id query type status status_text addresses aliases server process pid tid open_ns close_ns "
    "duration_ns source activity" },
  { NS_TABLE_TCP,
    "id tcb protocol owner process pid tid ip port local_ip local_port posted sent received "
    "retransmits retransmitted_bytes rtt_us open_ns shutdown_ns close_ns duration_ns state status "
    "server activity" },
  { NS_TABLE_WINSOCK,
    "id endpoint process pid tid_open tid_close protocol socket_type ip port local_port sent "
    "received open_ns close_ns duration_ns status tcp dns server activity" },
  { NS_TABLE_WEBIO,
    "id request session connection socket method url server status http_status sent received "
    "process pid tid open_ns close_ns duration_ns tcp error activity" },
  { NS_TABLE_WININET,
    "id request connect context method url server server_port ip port local_port sent received "
    "status http_status from_cache process pid tid open_ns close_ns duration_ns tcp activity" },
  { NS_TABLE_LDAP,
    "id base scope filter attributes server ip port status process pid tid open_ns close_ns "
    "duration_ns activity" },
  { NS_TABLE_URLMON,
    "id url bytes last_message abort_reason process pid tid open_ns close_ns duration_ns wininet "
    "activity" },
  { NS_TABLE_BITS,
    "id transfer job title url server peer proxy bytes_total transferred from_peer attempt status "
    "error job_process job_pid requests process pid tid open_ns close_ns duration_ns "
    "opened_before_trace still_open confidence evidence activity" },
  { NS_TABLE_WFP,
    "id source kind direction protocol local_ip local_port ip port app user filter filter_name "
    "filter_provider layer layer_name reason loopback count status error tcp process pid tid "
    "open_ns "
    "close_ns duration_ns opened_before_trace still_open confidence evidence activity" },
  { NS_TABLE_CAPI2,
    "id kind parent task seq subject url status error http process pid tid open_ns close_ns "
    "duration_ns opened_before_trace still_open confidence evidence activity" },
  { NS_TABLE_QUIC,
    "id kind parent connection stream stream_id server_side correlation version local_ip "
    "local_port ip port server source_cids destination_cids handshake_ns rtt_us "
    "congestion_control sent received packets_sent packets_received packets_lost "
    "packets_spurious_lost packets_dropped packets_reordered congestion_events paths shutdown "
    "shutdown_by status error error_text udp process pid tid open_ns close_ns duration_ns "
    "opened_before_trace still_open confidence evidence activity" },
  { NS_TABLE_SMB,
    "id kind parent command server share file message_id async_id session tree connection "
    "transport "
    "ip port commands credit_charge credits_requested credits_granted credit_wait_ns interim "
    "retries sent received status error reason signed encrypted sent_ns response_ns "
    "before_wire_ns wire_ns after_wire_ns tcp quic process pid tid open_ns close_ns duration_ns "
    "opened_before_trace still_open confidence evidence activity" },
  { NS_TABLE_RPC,
    "id side interface interface_name opnum protocol address endpoint auth_level auth_service "
    "status error extended_error blocked activity_id peer smb ip port tcp process pid tid open_ns "
    "close_ns duration_ns opened_before_trace still_open confidence evidence activity" },
  { NS_TABLE_CHROMIUM,
    "id channel request session connection socket method url server ip port transport status "
    "http_status error priority origin sent received process pid tid open_ns close_ns duration_ns "
    "tcp activity" },
  { NS_TABLE_DOTNET,
    "id runtime request path scheme host port url http_version version_policy http_status error "
    "exception failed_phase error_code cause redirects hops connection reused tls_version "
    "queued_ns "
    "content_length ip remote_port tcp winsock dns evidence confidence process pid tid open_ns "
    "close_ns duration_ns opened_before_trace still_open activity" },
  { NS_TABLE_KERNEL_NETWORK,
    "id process pid protocol ip port local_ip local_port sent received retransmits connects "
    "accepts disconnects open_ns close_ns duration_ns activity" },
  { NS_TABLE_TASKS,
    "id kind subtype pid tid_create tid_run create_ns start_ns stop_ns destroy_ns queued_ns "
    "running_ns context status period_ms parent stack_depth used" },
  { NS_TABLE_CALLS,
    "id call params endpoint ip port length ret status status_text pid caller_tid done_tid open_ns "
    "close_ns duration_ns pending activity" },
  { NS_TABLE_PACKETS,
    "id time_ns interface direction length captured src dst src_port dst_port protocol info "
    "dropped drop_reason pid activity" },
  { NS_TABLE_FLOWS,
    "id kind app client_ip client_port server_ip server_port server direction client_by interface "
    "open_ns close_ns duration_ns opened_before_trace still_open start end packets packets_c2s "
    "packets_s2c wire_c2s wire_s2c payload_c2s payload_s2c missing_c2s missing_s2c "
    "truncated_packets dropped_packets drop_reason syn_rtt_ns handshake_ns syn_retries" },
  { NS_TABLE_PROCESSES,
    "id pid name path command_line parent_pid package session_id pointer_size start_ns end_ns "
    "before_trace events" },
  { NS_TABLE_THREADS,
    "id tid pid process name start_address creator_pid creator_tid start_ns end_ns before_trace "
    "events" },
  { NS_TABLE_IMAGES,
    "id pid process base size name path timestamp checksum load_ns unload_ns before_trace pdb guid "
    "age kernel" },
  { NS_TABLE_PROVIDERS, "guid name kind schema events bytes stacks first_ns last_ns" },
};

static void
test_every_key_of_the_contract_is_there_in_its_order (void)
{
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (contract); i++)
    {
      g_auto (GStrv) keys = g_strsplit (contract[i].keys, " ", -1);
      const NsField *last = NULL;

      for (k = 0; keys[k] != NULL; k++)
        {
          const NsField *field = ns_table_find_field (contract[i].table, keys[k]);

          g_assert_nonnull (field);
          g_assert_cmpstr (field->id, ==, keys[k]);
          g_assert_true (field->in_json);
          g_assert_true (last == NULL || field > last);
          last = field;
        }
    }
}

static void
test_ids_are_unique_and_places_are_a_row_without_holes (void)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (GPtrArray) columns = ns_table_list_columns (table);
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);
      NsTableId found;
      guint i;

      g_assert_true (ns_table_from_name (ns_table_get_name (table), &found));
      g_assert_cmpint (found, ==, table);
      for (i = 0; i < n_fields; i++)
        g_assert_true (g_hash_table_add (ids, (gpointer) fields[i].id));
      g_assert_cmpuint (columns->len, >, 0);
      for (i = 0; i < columns->len; i++)
        g_assert_cmpuint (((const NsField *) g_ptr_array_index (columns, i))->place, ==, i + 1);
    }
}

static char *
get_text (NsTrace *trace,
          NsTableId table,
          const char *id,
          void (*append) (const NsField *, const NsFieldValue *, GString *))
{
  const NsField *field = ns_table_find_field (table, id);
  GString *text = g_string_new (NULL);
  NsFieldValue value;

  g_assert_nonnull (field);
  ns_field_get (trace, field, ns_table_get_n_rows (trace, table) - 1, &value);
  append (field, &value, text);
  ns_field_value_clear (&value);
  return g_string_free (text, FALSE);
}

static void
assert_json (NsTrace *trace, NsTableId table, const char *id, const char *expected)
{
  g_autofree char *text = get_text (trace, table, id, ns_field_append_json);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_human (NsTrace *trace, NsTableId table, const char *id, const char *expected)
{
  g_autofree char *text = get_text (trace, table, id, ns_field_append_human);

  g_assert_cmpstr (text, ==, expected);
}

/* Reads every field of every row; no getter may access more than the row has. */
static void
read_all (NsTrace *trace, NsTableId table)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint row;
  guint i;

  for (row = 0; row < ns_table_get_n_rows (trace, table); row++)
    for (i = 0; i < n_fields; i++)
      {
        g_autoptr (GString) text = g_string_new (NULL);
        NsFieldValue value;

        ns_field_get (trace, &fields[i], row, &value);
        ns_field_append_json (&fields[i], &value, text);
        ns_field_append_human (&fields[i], &value, text);
        ns_field_value_clear (&value);
        g_assert_cmpuint (text->len, >, 0);
      }
}

static void
test_what_is_unknown_is_null_and_an_empty_cell (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsActivityRow *row = test_trace_add_activity (trace, NULL, 0);

  row->socket = 0;
  assert_json (trace, NS_TABLE_ACTIVITIES, "pid", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "process", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "server", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "ip", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "port", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "posted", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "reused", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "confidence", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "tcb", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "error", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "rtt_us", "null");
  assert_human (trace, NS_TABLE_ACTIVITIES, "posted", "");
  assert_human (trace, NS_TABLE_ACTIVITIES, "process_pid", "");
  assert_json (
      trace,
      NS_TABLE_ACTIVITIES,
      "phases",
      "{\"pool_ns\":null,\"queue_ns\":null,\"proxy_ns\":null,\"dns_ns\":null,\"connect_ns\":null,"
      "\"tls_ns\":null,\"send_ns\":null,\"wait_ns\":null,\"receive_ns\":null,"
      "\"other_ns\":null}");
  test_trace_free (trace);
}

/* In a window of 1400 px with the panel, all columns up to the start time fit; the address column
 * shrinks. */
static void
test_first_columns_fit_beside_the_panel (void)
{
  const guint n_seen = 10;
  const int address_px = 108;
  const int room_px = 1020;
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint n_found = 0;
  int width = 0;
  guint i;

  for (i = 0; i < n_fields; i++)
    if (fields[i].place > 0 && fields[i].place <= n_seen)
      {
        width += strcmp (fields[i].id, "url") == 0 ? address_px : fields[i].width;
        n_found++;
      }
  g_assert_cmpuint (n_found, ==, n_seen);
  g_assert_cmpint (width, <=, room_px);
}

/* Each number is written in full. */
static void
test_phases_are_written_one_by_one (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  gint64 *phases = test_phases (test_trace_add_activity (trace, "a.example", 100000));

  phases[NS_PHASE_QUEUE] = 0;
  phases[NS_PHASE_DNS] = 1234567890123;
  phases[NS_PHASE_CONNECT] = G_MAXINT64;
  phases[NS_PHASE_RECEIVE] = G_MININT64;
  phases[NS_PHASE_OTHER] = 10;
  assert_json (trace,
               NS_TABLE_ACTIVITIES,
               "phases",
               "{\"pool_ns\":null,\"queue_ns\":0,\"proxy_ns\":null,\"dns_ns\":1234567890123,"
               "\"connect_ns\":9223372036854775807,\"tls_ns\":null,\"send_ns\":null,"
               "\"wait_ns\":null,\"receive_ns\":-9223372036854775808,\"other_ns\":10}");
  test_trace_free (trace);
}

/* Text output has words where filters and scripts have numbers. */
static void
test_phases_and_confidence_are_told_in_words (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = test_trace_add_activity (trace, "a.example", 100000);
  gint64 *phases = test_phases (row);

  phases[NS_PHASE_QUEUE] = 300000;
  phases[NS_PHASE_TLS] = NS_UNKNOWN;
  phases[NS_PHASE_WAIT] = 1234567000;
  row->confidence = NS_CONFIDENCE_LIKELY;
  assert_human (trace, NS_TABLE_ACTIVITIES, "phases", "queue 0.300 ms, wait 1,234.567 ms");
  assert_human (trace, NS_TABLE_ACTIVITIES, "confidence", "2 · likely");
  assert_json (trace, NS_TABLE_ACTIVITIES, "confidence", "2");
  test_trace_free (trace);
}

static void
test_a_row_that_never_closed_lasts_at_least_to_the_end_of_the_trace (void)
{
  NsTrace *trace = test_trace_new (420104000);

  test_trace_add_activity (trace, "a.example", 100000);
  assert_json (trace, NS_TABLE_ACTIVITIES, "close_ns", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "still_open", "true");
  assert_json (trace, NS_TABLE_ACTIVITIES, "duration_ns", "420004000");
  assert_human (trace, NS_TABLE_ACTIVITIES, "duration_ns", "≥ 420.004");
  test_trace_free (trace);
}

static void
test_numbers_are_raw_in_json_and_grouped_in_cells (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = test_trace_add_activity (trace, "a \"b\"\n.example", 12104377123);

  row->close_ns = row->open_ns + 1212408999;
  row->sent = 34811904;
  test_trace_add_tcp (trace)->tcb = G_GUINT64_CONSTANT (0xffffaa0000001000);
  row->tcp = trace->tcp->len;
  row->remote = test_trace_end (trace, "2001:db8::44", 443);
  row->protocol = NS_LAYER_WINHTTP | NS_LAYER_TCP;
  row->layers = NS_LAYER_WINHTTP | NS_LAYER_TCP | NS_LAYER_DNS;
  row->error = 0xc0000236;
  row->error_family = NS_CODE_NTSTATUS;
  assert_json (trace, NS_TABLE_ACTIVITIES, "id", "1");
  assert_json (trace, NS_TABLE_ACTIVITIES, "server", "\"a \\\"b\\\"\\n.example\"");
  assert_json (trace, NS_TABLE_ACTIVITIES, "open_ns", "12104377123");
  assert_json (trace, NS_TABLE_ACTIVITIES, "duration_ns", "1212408999");
  assert_json (trace, NS_TABLE_ACTIVITIES, "tcb", "\"0xffffaa0000001000\"");
  assert_json (trace, NS_TABLE_ACTIVITIES, "ip", "\"2001:db8::44\"");
  assert_json (trace, NS_TABLE_ACTIVITIES, "protocol", "\"WinHTTP\"");
  assert_json (trace, NS_TABLE_ACTIVITIES, "layers", "[\"WinHTTP\",\"TCP\",\"DNS\"]");
  assert_json (trace, NS_TABLE_ACTIVITIES, "error", "\"STATUS_CONNECTION_REFUSED (0xc0000236)\"");
  assert_human (trace,
                NS_TABLE_ACTIVITIES,
                "open_ns",
                "12.104\xe2\x80\x89"
                "377");
  assert_human (trace, NS_TABLE_ACTIVITIES, "duration_ns", "1,212.409");
  assert_human (trace, NS_TABLE_ACTIVITIES, "sent", "34,811,904");
  assert_human (trace, NS_TABLE_ACTIVITIES, "ip_port", "[2001:db8::44]:443");
  test_trace_free (trace);
}

static void
test_counts_are_grouped_and_identifiers_are_not (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsTcpRow *tcp = test_trace_add_tcp (trace);
  NsProviderRow *provider = test_trace_add (trace->providers);
  const NsField *events = ns_table_find_field (NS_TABLE_PROVIDERS, "events");

  tcp->pid = 43125;
  tcp->local = ns_endpoint_pool_add_port (trace->ends, 50115);
  test_extra (tcp)->retransmits = 12345;
  provider->n_events = 1234567;
  assert_human (trace, NS_TABLE_TCP, "retransmits", "12,345");
  assert_json (trace, NS_TABLE_TCP, "retransmits", "12345");
  assert_human (trace, NS_TABLE_TCP, "pid", "43125");
  assert_human (trace, NS_TABLE_TCP, "local_port", "50115");
  assert_human (trace, NS_TABLE_PROVIDERS, events->id, "1,234,567");
  test_trace_free (trace);
}

static void
test_a_share_of_stacks_is_0_only_for_none_and_100_only_for_all (void)
{
  static const struct
  {
    guint64 n_events;
    guint64 n_stacks;
    const char *percent;
  } cases[] = {
    { 0, 0, "" },     { 88, 0, "0" },      { 88, 88, "100" }, { 100, 61, "61" },
    { 1000, 1, "1" }, { 1000, 999, "99" }, { 3, 4, "100" }, /* a damaged trace may have a larger
                                                               count */
  };
  NsTrace *trace = test_trace_new (20000000000);
  NsProviderRow *provider = test_trace_add (trace->providers);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      provider->n_events = cases[i].n_events;
      provider->n_stacks = cases[i].n_stacks;
      assert_human (trace, NS_TABLE_PROVIDERS, "stack_percent", cases[i].percent);
    }
  test_trace_free (trace);
}

static void
test_cells_write_numbers_as_the_language_does (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = test_trace_add_activity (trace, "a.example", 12104377123);

  row->close_ns = row->open_ns + 1212408999;
  row->sent = 34811904;
  test_marks_set (".", ",");
  assert_human (trace, NS_TABLE_ACTIVITIES, "sent", "34.811.904");
  assert_human (trace, NS_TABLE_ACTIVITIES, "duration_ns", "1.212,409");
  assert_human (trace,
                NS_TABLE_ACTIVITIES,
                "open_ns",
                "12,104\xe2\x80\x89"
                "377");
  assert_json (trace, NS_TABLE_ACTIVITIES, "sent", "34811904");
  /* The C locale has no thousands separator. */
  test_marks_set ("", ".");
  assert_human (trace, NS_TABLE_ACTIVITIES, "sent", "34,811,904");
  test_trace_free (trace);
}

static void
test_bytes_that_http_sys_did_not_count_are_unknown (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsActivityRow *row = test_trace_add_activity (trace, "a.example", 0);
  NsHttpServerRow *request = test_trace_add (trace->http_server);

  assert_json (trace, NS_TABLE_ACTIVITIES, "sent", "0");
  row->source_table = NS_TABLE_HTTP_SERVER;
  assert_json (trace, NS_TABLE_ACTIVITIES, "sent", "null");
  assert_human (trace, NS_TABLE_ACTIVITIES, "received", "");
  assert_json (trace, NS_TABLE_HTTP_SERVER, "sent", "null");
  assert_json (trace, NS_TABLE_HTTP_SERVER, "received", "null");
  row->sent = 512;
  request->sent = 512;
  assert_json (trace, NS_TABLE_ACTIVITIES, "sent", "512");
  assert_json (trace, NS_TABLE_HTTP_SERVER, "sent", "512");
  test_trace_free (trace);
}

static void
test_a_connection_shut_down_only_has_no_close_but_a_duration (void)
{
  NsTrace *trace = test_trace_new (900);
  NsTcpRow *row = test_trace_add_tcp (trace);

  row->pid = row->tid = NS_PID_UNKNOWN;
  row->open_ns = 100;
  row->shutdown_ns = 400;
  row->close_ns = NS_TIME_OPEN;
  test_extra (row)->rtt_us = NS_UNKNOWN;
  assert_json (trace, NS_TABLE_TCP, "close_ns", "null");
  assert_json (trace, NS_TABLE_TCP, "shutdown_ns", "400");
  assert_json (trace, NS_TABLE_TCP, "duration_ns", "300");
  assert_json (trace, NS_TABLE_TCP, "still_open", "false");
  row->shutdown_ns = NS_TIME_NONE;
  assert_json (trace, NS_TABLE_TCP, "duration_ns", "800");
  assert_json (trace, NS_TABLE_TCP, "still_open", "true");
  test_trace_free (trace);
}

static void
test_a_flow_is_found_in_other_viewers (void)
{
  NsTrace *trace = test_trace_new (900);
  NsTcpRow *row = test_trace_add_tcp (trace);

  row->local = test_trace_end (trace, "10.0.0.5", 50001);
  row->remote = test_trace_end (trace, "1.2.3.4", 443);
  assert_human (
      trace,
      NS_TABLE_TCP,
      "wireshark",
      "ip.addr == 10.0.0.5 && ip.addr == 1.2.3.4 && tcp.port == 50001 && tcp.port == 443");
  row->is_udp = TRUE;
  row->local = test_trace_end (trace, "fe80::1", 5353);
  row->remote = test_trace_end (trace, "ff02::fb", 5353);
  assert_human (trace,
                NS_TABLE_TCP,
                "netmon",
                "IPv6.Address == fe80::1 AND IPv6.Address == ff02::fb AND UDP.Port == 5353 "
                "AND UDP.Port == 5353");
  test_trace_free (trace);
}

static void
test_rows_of_zeros_can_be_read_in_every_table (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsDotnetRow *dotnet;
  NsLogRow *log;

  dotnet = test_trace_add (trace->dotnet);
  dotnet->remote = &ns_endpoint_pool_none;
  log = test_trace_add (trace->log);
  log->remote = log->local = &ns_endpoint_pool_none;
  test_trace_add (trace->activities);
  test_trace_add (trace->dns);
  test_trace_add_tcp (trace);
  test_trace_add_winsock (trace);
  test_trace_add (trace->webio);
  test_trace_add (trace->wininet);
  test_trace_add (trace->ldap);
  test_trace_add (trace->urlmon);
  test_trace_add (trace->chromium);
  test_trace_add (trace->chromium_events);
  test_trace_add (trace->http_server);
  test_trace_add (trace->bits);
  test_trace_add (trace->wfp);
  test_trace_add (trace->capi2);
  test_trace_add (trace->quic);
  test_trace_add (trace->smb);
  test_trace_add (trace->rpc);
  test_trace_add (trace->kernel_network);
  test_trace_add (trace->tasks);
  test_trace_add (trace->calls);
  test_trace_add (trace->packets);
  test_trace_add (trace->flows);
  test_trace_add (trace->processes);
  test_trace_add (trace->threads);
  test_trace_add (trace->images);
  test_trace_add (trace->providers);
  ns_trace_add_event (trace, (NsRecordRef){ 0, 0 }, 0, 0, 0);
  test_trace_add (trace->spans);
  for (guint table = 0; table < NS_N_TABLES; table++)
    {
      g_assert_cmpuint (ns_table_get_n_rows (trace, table), >=, 1);
      read_all (trace, table);
    }
  test_trace_free (trace);
}

/* A frame without IP has physical addresses as endpoints. */
static void
test_frames_without_ip_have_physical_addresses (void)
{
  static const guint8 frame[] = { 1,    0x80, 0xc2, 0,    0, 0, 0, 1, 2, 3,
                                  0xab, 5,    0,    0x27, 1, 1, 3, 0, 0, 0 };
  NsTrace *trace = test_trace_new (10);
  NsPacketRow *row = test_trace_add (trace->packets);

  row->captured = row->length = sizeof frame;
  g_byte_array_append (trace->packet_bytes, frame, sizeof frame);
  assert_json (trace, NS_TABLE_PACKETS, "src_text", "\"00:01:02:03:ab:05\"");
  assert_json (trace, NS_TABLE_PACKETS, "dst_text", "\"01:80:c2:00:00:00\"");
  row->captured = 11;
  assert_json (trace, NS_TABLE_PACKETS, "src_text", "null");
  test_trace_free (trace);
}

static void
test_packets_without_ports_tell_none (void)
{
  NsTrace *trace = test_trace_new (1000);
  const NsEndpoint *src = test_trace_end (trace, "2001:db8::4", 0);

  test_trace_add_packet (trace, src, test_trace_end (trace, "2001:db8::1", 0));
  assert_json (trace, NS_TABLE_PACKETS, "src_text", "\"2001:db8::4\"");
  assert_json (trace, NS_TABLE_PACKETS, "dst_text", "\"2001:db8::1\"");
  assert_json (trace, NS_TABLE_PACKETS, "dst_port", "null");
  g_array_set_size (trace->packets, 0);
  test_trace_add_packet (trace, src, test_trace_end (trace, "2001:db8::1", 53));
  assert_json (trace, NS_TABLE_PACKETS, "dst_port", "53");
  assert_json (trace, NS_TABLE_PACKETS, "dst_text", "\"[2001:db8::1]:53\"");
  test_trace_free (trace);
}

/* An ICMP conversation, and its row in the activity table. */
static void
test_rows_without_ports_tell_none (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsFlowRow *flow = test_trace_add (trace->flows);
  NsActivityRow *row = test_trace_add (trace->activities);
  NsEndpoint remote = { 0 };

  g_assert_true (ns_ip_from_text (&remote.ip, "10.9.1.14"));
  flow->client.ip = flow->server.ip = remote.ip;
  row->remote = &remote;
  assert_json (trace, NS_TABLE_FLOWS, "server_ip_port", "\"10.9.1.14\"");
  assert_json (trace, NS_TABLE_FLOWS, "server_port", "null");
  assert_json (trace, NS_TABLE_ACTIVITIES, "ip_port", "\"10.9.1.14\"");
  assert_json (trace, NS_TABLE_ACTIVITIES, "port", "null");
  remote.port = 443;
  assert_json (trace, NS_TABLE_ACTIVITIES, "ip_port", "\"10.9.1.14:443\"");
  assert_json (trace, NS_TABLE_ACTIVITIES, "port", "443");
  test_trace_free (trace);
}

static void
test_moments_of_records_have_room_for_seven_digits (void)
{
  for (guint table = 0; table < NS_N_TABLES; table++)
    {
      const NsField *field = ns_table_find_field (table, "time_ns");

      if (field != NULL && field->is_shown)
        g_assert_cmpuint (field->width, >=, 102);
    }
}

static void
test_a_call_that_has_not_returned_returned_nothing (void)
{
  NsTrace *trace = test_trace_new (1000);

  test_trace_add (trace->calls);
  g_array_index (trace->calls, NsCallRow, 0).ret = G_MININT64;
  assert_json (trace, NS_TABLE_CALLS, "ret", "null");
  g_array_index (trace->calls, NsCallRow, 0).ret = -1;
  assert_json (trace, NS_TABLE_CALLS, "ret", "-1");
  test_trace_free (trace);
}

static void
assert_shown (const NsTrace *trace, NsTableId table, const char *id, const char *expected)
{
  const NsField *field = ns_table_find_field (table, id);
  g_autoptr (GString) text = g_string_new (NULL);
  NsFieldValue value = { 0 };

  ns_field_get (trace, field, 0, &value);
  ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  g_assert_cmpstr (text->str, ==, expected);
}

/* Numbers have thousands separators in every column. */
static void
test_digits_of_a_call_are_grouped_alike (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsCallRow *call;

  test_trace_add (trace->calls);
  call = &g_array_index (trace->calls, NsCallRow, 0);
  call->length = call->asked = call->ret = 2148;
  assert_shown (trace, NS_TABLE_CALLS, "length", "2,148");
  assert_shown (trace, NS_TABLE_CALLS, "params", "2,148 B");
  assert_shown (trace, NS_TABLE_CALLS, "ret", "2,148");
  call->ret = -1234567;
  assert_shown (trace, NS_TABLE_CALLS, "ret", "−1,234,567");
  call->asked = 12;
  assert_shown (trace, NS_TABLE_CALLS, "params", "12 B");
  assert_json (trace, NS_TABLE_CALLS, "params", "\"12 B\"");
  test_trace_free (trace);
}

/* A negative time has a minus sign, not a hyphen. */
static void
test_moments_before_the_trace_have_a_minus (void)
{
  NsTrace *trace = test_trace_new (1000);

  test_trace_add (trace->activities);
  g_array_index (trace->activities, NsActivityRow, 0).open_ns = -608000;
  assert_shown (trace,
                NS_TABLE_ACTIVITIES,
                "open_ns",
                "−0.000\xe2\x80\x89"
                "608");
  assert_json (trace, NS_TABLE_ACTIVITIES, "open_ns", "-608000");
  test_trace_free (trace);
}

static void
test_short_forms_name_fields (void)
{
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_ACTIVITIES, "duration")->id, ==, "duration_ns");
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_ACTIVITIES, "recv")->id, ==, "received");
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_ACTIVITIES, "dns")->id, ==, "dns");
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_PROCESSES, "proc")->id, ==, "name");
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_CALLS, "t")->id, ==, "open_ns");
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_PACKETS, "t")->id, ==, "time_ns");
  g_assert_cmpstr (ns_table_find_field (NS_TABLE_CALLS, "dur")->id, ==, "duration_ns");
  g_assert_null (ns_table_find_field (NS_TABLE_ACTIVITIES, "nonsense"));
}

/* An empty table names the missing provider, or says that the provider was recorded. */
static void
test_an_empty_table_names_what_is_missing (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsProviderRow *provider;
  gboolean is_recorded = TRUE;
  g_autofree char *missing = ns_table_describe_empty (trace, NS_TABLE_WININET, &is_recorded);
  g_autofree char *in_vain = NULL;
  g_autofree char *nothing = NULL;
  g_autofree char *needs = NULL;

  g_assert_cmpstr (missing, ==, "This trace has no events of: Microsoft-Windows-WinINet.");
  g_assert_false (is_recorded);

  provider = test_trace_add (trace->providers);
  provider->guid = *ns_catalog_get_guid (NS_PROVIDER_WININET);
  provider->name = ns_strings_add (trace->strings, "Microsoft-Windows-WinINet");
  provider->n_events = 3;
  in_vain = ns_table_describe_empty (trace, NS_TABLE_WININET, &is_recorded);
  g_assert_cmpstr (in_vain,
                   ==,
                   "Microsoft-Windows-WinINet was recorded, but none of its events creates a row "
                   "in this table.");
  g_assert_true (is_recorded);
  needs = ns_table_get_needs (NS_TABLE_ACTIVITIES);
  g_assert_cmpstr (needs,
                   ==,
                   "Microsoft-Windows-TCPIP, Microsoft-Windows-Winsock-AFD, "
                   "Microsoft-Windows-WinINet, Microsoft-Windows-WebIO");

  nothing = ns_table_describe_empty (trace, NS_TABLE_EVENTS, &is_recorded);
  g_assert_cmpstr (nothing, ==, "This trace contains no events.");
  test_trace_free (trace);
}

static void
test_what_was_not_traced_is_said (void)
{
  NsTrace *trace = test_trace_new (1000);

  g_assert_cmpstr (ns_field_get_unknown (trace,
                                         ns_table_find_field (NS_TABLE_ACTIVITIES, "cpu_percent")),
                   ==,
                   "not traced");
  g_assert_cmpstr (ns_field_get_unknown (trace,
                                         ns_table_find_field (NS_TABLE_ACTIVITIES, "readied_by")),
                   ==,
                   "not traced");
  g_assert_null (ns_field_get_unknown (trace, ns_table_find_field (NS_TABLE_ACTIVITIES, "server")));
  test_trace_free (trace);
}

/* Pending calls have not failed; success codes are no errors. */
static void
test_calls_fail_by_their_code_or_what_they_returned (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsCallRow *call;

  call = test_trace_add (trace->calls);
  call->ret = G_MININT64;
  call->status_family = NS_CODE_NTSTATUS;
  assert_json (trace, NS_TABLE_CALLS, "failed", "false");
  call->has_status = TRUE;
  assert_json (trace, NS_TABLE_CALLS, "failed", "false");
  call->status = 0xc0000236;
  assert_json (trace, NS_TABLE_CALLS, "failed", "true");
  call->has_status = FALSE;
  call->ret = -1;
  assert_json (trace, NS_TABLE_CALLS, "failed", "true");
  call->pending = TRUE;
  assert_json (trace, NS_TABLE_CALLS, "failed", "false");
  assert_json (trace, NS_TABLE_CALLS, "status_text", "\"pending\"");
  test_trace_free (trace);
}

/* Windows IDs may have six digits, and a truncated ID would be misleading. */
static void
test_identifiers_have_room_for_six_digits (void)
{
  const char *const ids[] = { "pid", "tid", "tid_open", "tid_close", "caller_tid", NULL };
  const int six_digits_px = 68;
  guint n_found = 0;
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);
      guint i;

      for (i = 0; i < n_fields; i++)
        if (g_strv_contains (ids, fields[i].id))
          {
            g_assert_cmpint (fields[i].width, >=, six_digits_px);
            n_found++;
          }
    }
  g_assert_cmpuint (n_found, >, 20);
}

static void
test_a_provider_without_a_name_has_its_guid (void)
{
  guint table;
  guint i;
  guint n_found = 0;
  guint n_servers = 0;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);

      for (i = 0; i < n_fields; i++)
        {
          const NsField *stand_in = ns_field_get_stand_in (&fields[i]);

          if (stand_in == NULL)
            continue;
          g_assert_true (stand_in == ns_table_find_field (table, stand_in->id));
          if (stand_in->type == NS_TYPE_IP)
            {
              g_assert_cmpstr (fields[i].title, ==, "Server");
              n_servers++;
              continue;
            }
          n_found++;
          g_assert_cmpstr (fields[i].title, ==, "Provider");
          g_assert_true (stand_in->type == NS_TYPE_GUID);
        }
    }
  g_assert_cmpuint (n_found, ==, 2);
  g_assert_cmpuint (n_servers, ==, 8);
}

/* Time, place, source and content, in the usual order of a log. */
static void
test_columns_of_events_stand_as_one_reads_them (void)
{
  g_autoptr (GPtrArray) columns = ns_table_list_columns (NS_TABLE_EVENTS);
  g_autofree char *ids = ns_fields_to_text (columns);

  g_assert_cmpstr (ids,
                   ==,
                   "n,time_ns,cpu,process_pid,tid,provider_name,id,name,details,stack_depth");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/fields/columns-of-events-stand-as-one-reads-them",
                   test_columns_of_events_stand_as_one_reads_them);
  g_test_add_func ("/fields/every-key-of-the-contract-is-there-in-its-order",
                   test_every_key_of_the_contract_is_there_in_its_order);
  g_test_add_func ("/fields/ids-are-unique-and-places-are-a-row-without-holes",
                   test_ids_are_unique_and_places_are_a_row_without_holes);
  g_test_add_func ("/fields/a-call-that-has-not-returned-returned-nothing",
                   test_a_call_that_has_not_returned_returned_nothing);
  g_test_add_func ("/fields/what-is-unknown-is-null-and-an-empty-cell",
                   test_what_is_unknown_is_null_and_an_empty_cell);
  g_test_add_func ("/fields/phases-and-confidence-are-told-in-words",
                   test_phases_and_confidence_are_told_in_words);
  g_test_add_func ("/fields/a-row-that-never-closed-lasts-at-least-to-the-end-of-the-trace",
                   test_a_row_that_never_closed_lasts_at_least_to_the_end_of_the_trace);
  g_test_add_func ("/fields/calls-fail-by-their-code-or-what-they-returned",
                   test_calls_fail_by_their_code_or_what_they_returned);
  g_test_add_func ("/fields/numbers-are-raw-in-json-and-grouped-in-cells",
                   test_numbers_are_raw_in_json_and_grouped_in_cells);
  g_test_add_func ("/fields/counts-are-grouped-and-identifiers-are-not",
                   test_counts_are_grouped_and_identifiers_are_not);
  g_test_add_func ("/fields/share-of-stacks",
                   test_a_share_of_stacks_is_0_only_for_none_and_100_only_for_all);
  g_test_add_func ("/fields/cells-write-numbers-as-the-language-does",
                   test_cells_write_numbers_as_the_language_does);
  g_test_add_func ("/fields/bytes-that-http-sys-did-not-count-are-unknown",
                   test_bytes_that_http_sys_did_not_count_are_unknown);
  g_test_add_func ("/fields/a-connection-shut-down-only-has-no-close-but-a-duration",
                   test_a_connection_shut_down_only_has_no_close_but_a_duration);
  g_test_add_func ("/fields/rows-of-zeros-can-be-read-in-every-table",
                   test_rows_of_zeros_can_be_read_in_every_table);
  g_test_add_func ("/fields/a-flow-is-found-in-other-viewers",
                   test_a_flow_is_found_in_other_viewers);
  g_test_add_func ("/fields/first-columns-fit-beside-the-panel",
                   test_first_columns_fit_beside_the_panel);
  g_test_add_func ("/fields/phases-are-written-one-by-one", test_phases_are_written_one_by_one);
  g_test_add_func ("/fields/digits-of-a-call-are-grouped-alike",
                   test_digits_of_a_call_are_grouped_alike);
  g_test_add_func ("/fields/moments-before-the-trace-have-a-minus",
                   test_moments_before_the_trace_have_a_minus);
  g_test_add_func ("/fields/short-forms-name-fields", test_short_forms_name_fields);
  g_test_add_func ("/fields/an-empty-table-names-what-is-missing",
                   test_an_empty_table_names_what_is_missing);
  g_test_add_func ("/fields/what-was-not-traced-is-said", test_what_was_not_traced_is_said);
  g_test_add_func ("/fields/frames-without-ip-have-physical-addresses",
                   test_frames_without_ip_have_physical_addresses);
  g_test_add_func ("/fields/packets-without-ports-tell-none", test_packets_without_ports_tell_none);
  g_test_add_func ("/fields/rows-without-ports-tell-none", test_rows_without_ports_tell_none);
  g_test_add_func ("/fields/moments-of-records-have-room-for-seven-digits",
                   test_moments_of_records_have_room_for_seven_digits);
  g_test_add_func ("/fields/identifiers-have-room-for-six-digits",
                   test_identifiers_have_room_for_six_digits);
  g_test_add_func ("/fields/a-provider-without-a-name-has-its-guid",
                   test_a_provider_without_a_name_has_its_guid);
  return g_test_run ();
}
