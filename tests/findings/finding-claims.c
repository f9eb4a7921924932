/* Cases for the rules: rows, and the expected findings of each rule.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "finding-claims.h"

#include "etl/ns-provider-guids.h"

#include <string.h>

#define PID FINDING_PID

NsString
row_text (NsTrace *trace, const char *chars)
{
  return ns_strings_add (trace->strings, chars);
}

NsEndpoint
row_endpoint (const char *chars)
{
  NsEndpoint result = { 0 };

  g_assert_true (ns_endpoint_from_text (&result, chars));
  return result;
}

const NsEndpoint *
row_end (NsTrace *trace, const char *chars)
{
  const NsEndpoint end = row_endpoint (chars);

  return ns_endpoint_pool_add (trace->ends, &end);
}

NsDnsRow *
row_add_name (NsTrace *trace, const char *name, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsDnsRow *row = test_trace_add (trace->dns);

  row->query = row_text (trace, name);
  row->type = 1;
  row->status = status;
  row->has_status = TRUE;
  row->source = NS_DNS_FROM_NETWORK;
  row->pid = PID;
  row->open_ns = open_ns;
  row->close_ns = open_ns + length_ns;
  return row;
}

NsTcpRow *
row_add_tcp (NsTrace *trace, const char *remote, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsTcpRow *row = test_trace_add_tcp (trace);

  row->pid = PID;
  row->remote = row_end (trace, remote);
  row->server = row_text (trace, "host.test");
  row->state = status == 0 ? NS_TCP_CLOSE : NS_TCP_CONNECT_FAIL;
  row->status = status;
  test_extra (row)->rtt_us = NS_UNKNOWN;
  row->open_ns = open_ns;
  row->close_ns = open_ns + length_ns;
  row->shutdown_ns = row->first_data_ns = row->last_data_ns = NS_TIME_NONE;
  row->activity = 1;
  return row;
}

NsActivityRow *
row_add_request (NsTrace *trace, const char *url, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", open_ns);

  row->protocol = row->layers = NS_LAYER_WINHTTP;
  row->pid = PID;
  row->url = row_text (trace, url);
  row->method = row_text (trace, "GET");
  row->http_status = status;
  row->close_ns = open_ns + length_ns;
  row->failed = status >= 400;
  test_trace_add (trace->webio);
  row->webio = trace->activities->len;
  return row;
}

/* Returns the kind of a call with that name. */
static NsCallKind
kind_of_call (const char *name)
{
  NsCallKind kind;

  for (kind = NS_CALL_UNKNOWN + 1; ns_call_kind_to_text (kind) != NULL; kind++)
    if (strcmp (ns_call_kind_to_text (kind), name) == 0)
      return kind;
  g_error ("there is no call “%s”", name);
}

NsCallRow *
row_add_call (NsTrace *trace, const char *call, guint32 status, gint64 open_ns, gint64 length)
{
  NsCallRow *row;

  if (trace->winsock->len == 0)
    {
      NsWinsockRow *socket = test_trace_add_winsock (trace);

      socket->pid = PID;
      socket->socket_type = 1;
      socket->remote = row_end (trace, "192.0.2.1:443");
    }
  row = test_trace_add (trace->calls);
  row->kind = (guint8) kind_of_call (call);
  row->pid = PID;
  row->winsock = 1;
  row->remote = row_endpoint ("192.0.2.1:443");
  row->status = status;
  row->status_family = NS_CODE_NTSTATUS;
  row->has_status = TRUE;
  row->length = length;
  row->open_ns = open_ns;
  row->close_ns = open_ns + MS / 10;
  return row;
}

NsSign *
row_add_sign (NsTrace *trace, NsSignSource source, guint16 id, gint64 time_ns, gint64 value)
{
  NsSign *sign = test_trace_add (trace->signs);

  sign->source = (guint8) source;
  sign->id = id;
  sign->time_ns = time_ns;
  sign->value = value;
  sign->count = NS_UNKNOWN;
  sign->name = sign->words = NS_STRING_NONE;
  sign->pid = PID;
  sign->event = trace->signs->len + 10;
  return sign;
}

static void
put_u16 (guint8 *at, guint value)
{
  at[0] = (guint8) (value >> 8);
  at[1] = (guint8) value;
}

static void
put_u32 (guint8 *at, guint32 value)
{
  put_u16 (at, value >> 16);
  put_u16 (at + 2, value & 0xffff);
}

/* Adds a packet between port 50000 of 192.0.2.7 and port 80 of 192.0.2.1: IPv4 without a link
 * header. */
NsPacketRow *
row_add_packet (NsTrace *trace, const RowPacket *packet)
{
  static const guint8 here[] = { 192, 0, 2, 7 };
  static const guint8 there[] = { 192, 0, 2, 1 };
  guint8 head[40] = { 0x45 };
  NsPacketRow *row = test_trace_add (trace->packets);

  put_u16 (head + 2, sizeof head + packet->n_bytes);
  put_u16 (head + 4,
           trace->packets->len); /* a unique IP ID, so that no packet counts as a duplicate */
  head[8] = 64;
  head[9] = 6;
  memcpy (head + 12, packet->is_sent ? here : there, 4);
  memcpy (head + 16, packet->is_sent ? there : here, 4);
  put_u16 (head + 20, packet->is_sent ? 50000 : 80);
  put_u16 (head + 22, packet->is_sent ? 80 : 50000);
  put_u32 (head + 24, packet->seq);
  put_u32 (head + 28, packet->ack);
  head[32] = 0x50;
  head[33] = packet->flags;
  put_u16 (head + 34, packet->window);
  row->time_ns = packet->time_ns;
  row->direction = packet->is_sent ? -1 : 1;
  row->link = NS_PACKET_RAW_IP;
  row->data = trace->packet_bytes->len;
  row->length = row->captured = (guint32) sizeof head + packet->n_bytes;
  g_byte_array_append (trace->packet_bytes, head, sizeof head);
  if (packet->bytes != NULL)
    g_byte_array_append (trace->packet_bytes, (const guint8 *) packet->bytes, packet->n_bytes);
  else
    g_byte_array_set_size (trace->packet_bytes, trace->packet_bytes->len + packet->n_bytes);
  return row;
}

/* Notes that the provider wrote an event with this ID. */
void
row_add_kind (NsTrace *trace, const NsGuid *guid, guint16 id, guint8 level, guint64 keyword)
{
  NsKindRow *kind;
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    if (ns_guid_equal (&g_array_index (trace->providers, NsProviderRow, i).guid, guid))
      break;
  if (i == trace->providers->len)
    {
      NsProviderRow *row = test_trace_add (trace->providers);

      row->guid = *guid;
      row->n_events = 1;
      row->name = NS_STRING_NONE;
    }
  kind = test_trace_add (trace->kinds);
  kind->provider = i;
  kind->id = id;
  kind->level = level;
  kind->keyword = keyword;
  kind->is_manifest = TRUE;
  kind->n_events = kind->n_stacks = 1;
}

/* clang-format off */
static const struct
{
  NsGuid guid;
  guint16 ids[16];
} kinds[] = {
  { NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a), { 1002, 1021, 1034, 1044, 1050, 1084, 1102, 1159, 1183, 1184, 1186, 1187, 1214, 1332, 1477 } },
  { NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6), { 1000, 1001, 1003, 1004, 1018, 1021, 1030 } },
  { NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d), { 3006, 3008, 3009, 3010, 3011 } },
  { NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d), { 17, 101, 102, 104, 135, 200, 213, 216, 700, 712 } },
  { NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56), { 1000, 1001 } },
  { NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc), { 30 } },
  { NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12), { 32, 34 } },
  { NS_GUID_SMB_CLIENT, { 30407 } },
  { NS_GUID_RPC, { 7 } },
  { NS_GUID_BITS_CLIENT, { 60 } },
};
/* clang-format on */

/* Notes that all events that rules depend on were recorded. */
void
row_record_all (NsTrace *trace)
{
  guint i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (j = 0; j < G_N_ELEMENTS (kinds[i].ids) && kinds[i].ids[j] != 0; j++)
      row_add_kind (trace, &kinds[i].guid, kinds[i].ids[j], 4, 0);
}

/* Returns the only finding of @rule. */
const NsFindingRow *
finding_of (NsTrace *trace, const char *rule)
{
  const GArray *findings = ns_findings_get (trace);
  const NsFindingRow *found = NULL;
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (strcmp (row->rule, rule) == 0)
        {
          g_assert_null (found);
          found = row;
        }
    }
  g_assert_nonnull (found);
  return found;
}

static void
test_a_rule_finds_what_it_is_for (gconstpointer user_data)
{
  const FindingClaim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  claim->make (trace, FALSE);
  row = finding_of (trace, claim->rule);
  if (row->verdict != NS_VERDICT_FOUND)
    g_error ("%s says: %s", claim->rule, row->text);
  g_assert_cmpint (row->severity, ==, claim->severity);
  g_assert_cmpint (row->cost_ns, ==, claim->cost_ns);
  if (strstr (row->text, claim->said) == NULL)
    g_error ("%s says: %s", claim->rule, row->text);
  g_assert_true (g_str_has_suffix (row->text, "."));
  if (strcmp (claim->rule, "D45") != 0)
    g_assert_cmpuint (row->refs->len + row->marks->len, >, 0);
  test_trace_free (trace);
}

static void
test_a_rule_lets_a_near_miss_be (gconstpointer user_data)
{
  const FindingClaim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);

  claim->make (trace, TRUE);
  row_record_all (trace);
  if (finding_of (trace, claim->rule)->verdict != NS_VERDICT_NOT_FOUND)
    g_error ("%s says: %s", claim->rule, finding_of (trace, claim->rule)->text);
  g_assert_cmpint (finding_of (trace, claim->rule)->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* A rule never reports "no problem" for something that was not recorded. */
static void
test_a_rule_does_not_judge_what_was_not_recorded (gconstpointer user_data)
{
  const FindingClaim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row = finding_of (trace, claim->rule);

  if (strcmp (claim->rule, "D45") == 0)
    g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  else if (strcmp (claim->rule, "D44") == 0 || strcmp (claim->rule, "D46") == 0)
    g_assert_cmpint (row->verdict, ==, NS_VERDICT_NOT_FOUND);
  else
    {
      g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
      g_assert_cmpuint (row->needs->len, >, 0);
      g_assert_nonnull (strstr (row->text, g_ptr_array_index (row->needs, 0)));
    }
  test_trace_free (trace);
}

void
finding_claim_add (const FindingClaim *claim, const char *evidence)
{
  g_autofree char *found = g_strdup_printf ("/findings/%s/%s/found", claim->rule, evidence);
  g_autofree char *near = g_strdup_printf ("/findings/%s/%s/near-miss", claim->rule, evidence);

  g_test_add_data_func (found, claim, test_a_rule_finds_what_it_is_for);
  g_test_add_data_func (near, claim, test_a_rule_lets_a_near_miss_be);
}

/* Adds tests for each rule: it fires, it does not fire at a near miss, and it gives no verdict
 * without its events. */
void
finding_claims_add (const FindingClaim *claims, guint n_claims)
{
  guint i;

  for (i = 0; i < n_claims; i++)
    {
      g_autofree char *found = g_strdup_printf ("/findings/%s/found", claims[i].rule);
      g_autofree char *near = g_strdup_printf ("/findings/%s/near-miss", claims[i].rule);
      g_autofree char *unjudged = g_strdup_printf ("/findings/%s/not-recorded", claims[i].rule);

      g_test_add_data_func (found, &claims[i], test_a_rule_finds_what_it_is_for);
      g_test_add_data_func (near, &claims[i], test_a_rule_lets_a_near_miss_be);
      g_test_add_data_func (unjudged, &claims[i], test_a_rule_does_not_judge_what_was_not_recorded);
    }
}
