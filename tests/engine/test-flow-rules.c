/* Tests the owner and failure of conversations, and the limit on their number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-table.h"
#include "engine/net/flows/ns-flow.h"
#include "story.h"

#include <string.h>

#define WHOLE G_GUINT64_CONSTANT (0xc0000000)
#define SEND G_GUINT64_CONSTANT (0x100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x200000000)
#define ETHERNET "0001020304050607080908090800"
#define HERE "0a000005"
#define THERE "01020304"
#define DATA "2e2e2e2e"

enum
{
  TCP = 6,
  UDP = 17,
};

static void
tell_frame (Story *story, double ms, gboolean is_in, const char *hex)
{
  story->keyword = WHOLE | (is_in ? RECEIVE : SEND);
  story_write (story, ms, STORY_NDIS, 1001, "ddX", 7, 7, hex);
  story->keyword = 0;
}

/* Writes a segment between 10.0.0.5:@here and 1.2.3.4:@there. */
static void
tell_segment (Story *story,
              double ms,
              gboolean is_in,
              const guint16 ports[2],
              const char *flags_and_numbers,
              const char *data)
{
  g_autofree char *hex = g_strdup_printf (ETHERNET "4500%04x1234000040060000%s%s%04x%04x%s%s",
                                          40 + (guint) strlen (data) / 2,
                                          is_in ? THERE : HERE,
                                          is_in ? HERE : THERE,
                                          ports[is_in],
                                          ports[!is_in],
                                          flags_and_numbers,
                                          data);

  tell_frame (story, ms, is_in, hex);
}

static void
tell_datagram (Story *story, double ms, gboolean is_in, const guint16 ports[2])
{
  g_autofree char *hex = g_strdup_printf (ETHERNET "45000020123400004011"
                                                   "0000%s%s%04x%04x000c0000" DATA,
                                          is_in ? THERE : HERE,
                                          is_in ? HERE : THERE,
                                          ports[is_in],
                                          ports[!is_in]);

  tell_frame (story, ms, is_in, hex);
}

static const NsFlowRow *
flow_at (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->flows->len, >, n);
  return &g_array_index (trace->flows, NsFlowRow, n);
}

/* TCP header without ports: sequence number, acknowledgment, header length and flags, window,
 * checksum, urgent pointer. */
#define SYN_ACK "00001388000003e95012ffff00000000"
#define ACK "000003e9000013895010ffff00000000"
#define RST_ACK "000003e9000013895014ffff00000000"
#define PEERS_RST_ACK "00001389000003e95014ffff00000000"

/* The client of a TCP connection follows from the handshake, else from a well-known port, else from
 * the higher port. For UDP it is the first sender, unless the sender has a well-known port. */
static void
test_who_is_the_client (void)
{
  static const struct
  {
    guint protocol;
    gboolean is_in; /* direction of the first packet */
    guint16 ports[2];
    const char *begin;
    NsFlowClient by;
    guint16 client;
  } cases[] = {
    { TCP, TRUE, { 50001, 9000 }, SYN_ACK, NS_FLOW_CLIENT_SYN_ACK, 50001 },
    { TCP, TRUE, { 443, 60000 }, SYN_ACK, NS_FLOW_CLIENT_SYN_ACK, 443 },
    { TCP, TRUE, { 40001, 443 }, ACK, NS_FLOW_CLIENT_PORT, 40001 },
    { TCP, FALSE, { 443, 40001 }, ACK, NS_FLOW_CLIENT_PORT, 40001 },
    { TCP, FALSE, { 40001, 40002 }, ACK, NS_FLOW_CLIENT_PORT, 40002 },
    { UDP, TRUE, { 40001, 40002 }, NULL, NS_FLOW_CLIENT_FIRST, 40002 },
    { UDP, TRUE, { 40001, 123 }, NULL, NS_FLOW_CLIENT_PORT, 40001 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      const NsFlowRow *flow;

      if (cases[i].protocol == UDP)
        tell_datagram (story, 10, cases[i].is_in, cases[i].ports);
      else
        tell_segment (story, 10, cases[i].is_in, cases[i].ports, cases[i].begin, DATA);
      trace = story_open (story, 100);
      flow = flow_at (trace, 0);
      g_assert_cmpuint (flow->client_by, ==, cases[i].by);
      g_assert_cmpuint (flow->client.port, ==, cases[i].client);
      if (cases[i].protocol == TCP)
        g_assert_cmpuint (flow->start,
                          ==,
                          cases[i].by == NS_FLOW_CLIENT_SYN_ACK ? NS_FLOW_START_SYN_ACK
                                                                : NS_FLOW_START_MIDDLE);
    }
}

/* The error code tells which side reset the connection; it is the one that Windows would return. */
static void
test_whose_reset_it_was (void)
{
  static const guint16 ports[2] = { 50001, 9000 };
  guint is_own;

  for (is_own = 0; is_own < 2; is_own++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      tell_segment (story, 10, TRUE, ports, SYN_ACK, "");
      tell_segment (story, 11, FALSE, ports, ACK, "");
      tell_segment (story, 20, is_own == 0, ports, is_own ? RST_ACK : PEERS_RST_ACK, "");
      trace = story_open (story, 100);
      g_assert_cmpuint (flow_at (trace, 0)->end, ==, NS_FLOW_END_RST);
      g_assert_cmpuint (story_activity (trace, 0)->error, ==, is_own ? 10053 : 10054);
      g_assert_true (story_activity (trace, 0)->failed);
    }
}

/* ICMP unreachable: code 0 means network unreachable, other codes host unreachable. */
static void
test_what_is_unreachable (void)
{
  static const guint16 ports[2] = { 50001, 9000 };
  guint code;

  for (code = 0; code < 2; code++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      g_autofree char *error =
          g_strdup_printf (ETHERNET "4500003812340000400100000a000009" HERE "03%02x000000000000"
                                    "45000020123400004011"
                                    "0000" HERE THERE "c3512328000c0000",
                           code);

      tell_datagram (story, 10, FALSE, ports);
      tell_frame (story, 11, TRUE, error);
      trace = story_open (story, 100);
      g_assert_cmpuint (trace->flows->len, ==, 1);
      g_assert_cmpuint (story_activity (trace, 0)->error, ==, code == 0 ? 10051 : 10065);
    }
}

/* The endpoints of a flow are forgotten after ten seconds. An ICMP error that quotes them later
 * makes a row of its own. */
static void
test_an_old_conversation_is_not_meant (void)
{
  static const guint16 ports[2] = { 50001, 9000 };
  static const char error[] = ETHERNET "4500003812340000400100000a000009" HERE "0301000000000000"
                                       "45000020123400004011"
                                       "0000" HERE THERE "c3512328000c0000";
  double ms;

  for (ms = 9000; ms < 12000; ms += 2000)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      tell_datagram (story, 10, FALSE, ports);
      tell_frame (story, ms, TRUE, error);
      trace = story_open (story, 20000);
      g_assert_cmpuint (trace->flows->len, ==, ms < 10000 ? 1 : 2);
      g_assert_cmpuint (ns_flow_get_more (flow_at (trace, trace->flows->len - 1))->n_icmp_errors,
                        ==,
                        1);
    }
}

/* Above the limit the flow with the longest idle time is closed; more recent flows stay open. */
static void
test_so_many_are_open_at_once (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  for (i = 0; i <= NS_FLOW_TABLE_MAX; i++)
    {
      const guint16 ports[2] = { (guint16) (1024 + i % 50000), (guint16) (50000 + i / 50000) };

      tell_datagram (story, 10 + i * 0.01, FALSE, ports);
    }
  tell_datagram (story,
                 3000,
                 FALSE,
                 (const guint16[2]){ 1024 + NS_FLOW_TABLE_MAX % 50000,
                                     50000 + NS_FLOW_TABLE_MAX / 50000 });
  tell_datagram (story, 3001, FALSE, (const guint16[2]){ 1024, 50000 });
  trace = story_open (story, 4000);
  g_assert_cmpuint (trace->packets->len, ==, NS_FLOW_TABLE_MAX + 3);
  g_assert_cmpuint (trace->flows->len, ==, NS_FLOW_TABLE_MAX + 2);
  g_assert_cmpuint (flow_at (trace, NS_FLOW_TABLE_MAX)->ways[0].n_packets, ==, 2);
  g_assert_cmpuint (flow_at (trace, NS_FLOW_TABLE_MAX + 1)->client.port, ==, 1024);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/flow-rules/who-is-the-client", test_who_is_the_client);
  g_test_add_func ("/flow-rules/whose-reset-it-was", test_whose_reset_it_was);
  g_test_add_func ("/flow-rules/what-is-unreachable", test_what_is_unreachable);
  g_test_add_func ("/flow-rules/an-old-conversation-is-not-meant",
                   test_an_old_conversation_is_not_meant);
  g_test_add_func ("/flow-rules/so-many-are-open-at-once", test_so_many_are_open_at_once);
  return g_test_run ();
}
