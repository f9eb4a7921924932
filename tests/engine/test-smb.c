/* Tests the SMB client: one row per command, its owner, and its transport.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-link.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/net/packets/ns-packet-info.h"
#include "engine/net/packets/ns-packet-mask.h"
#include "engine/net/packets/ns-packet-row.h"

#include "story.h"

#define SERVER "10.0.0.9:445"
#define VC P (0xffffd10000001000)
#define VC_OTHER P (0xffffd10000002000)
#define RX P (0xffffd10000003000)
#define EXCHANGE P (0xffffd10000005000)
#define TCB P (0xffffaa0000004000)
#define SESSION P (0x400000000011)
#define TREE 5
#define MS 1000000

static const NsSmbRow *
smb_row (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->smb->len, >, n);
  return &g_array_index (trace->smb, NsSmbRow, n);
}

/* Returns the nth row of a kind. */
static const NsSmbRow *
nth (const NsTrace *trace, NsSmbKind kind, guint n)
{
  guint i;

  for (i = 0; i < trace->smb->len; i++)
    if (smb_row (trace, i)->kind == kind && n-- == 0)
      return smb_row (trace, i);
  g_assert_not_reached ();
}

static void
set_process (Story *story, guint32 pid, guint32 tid)
{
  story->pid = pid;
  story->tid = tid;
}

static void
report_tcp (Story *story, double ms, guint64 tcb, const char *local, const char *remote)
{
  story_write (story, ms, STORY_TCPIP, 1002, "pSSdd", tcb, local, remote, 2, 0);
  story_write (story, ms + 0.01, STORY_TCPIP, 1031, "SSdddpq", local, remote, 0, 4, 0, tcb, P (0));
  story_write (story, ms + 0.02, STORY_TCPIP, 1033, "SSdddpq", local, remote, 0, 4, 0, tcb, P (0));
  story_write (story, ms + 0.03, STORY_TCPIP, 1074, "pdd", tcb, 300, 1);
}

static void
report_connect (Story *story, double ms, guint64 vc, const char *remote)
{
  story_write (story, ms, STORY_SMB, 30203, "Sppd", remote, vc, vc + 0x77, 1);
}

static void
report_connected (Story *story, double ms, guint64 vc, guint status)
{
  story_write (story, ms, STORY_SMB, 30204, "ppdd", vc, vc + 0x77, status, 1);
}

static void
report_send (Story *story, double ms, guint64 vc, const char *command, guint64 message)
{
  story_write (story,
               ms,
               STORY_SMB,
               30406,
               "daqqdhhdp",
               1,
               command,
               message,
               SESSION,
               TREE,
               1,
               1,
               120,
               vc);
}

static void
report_answer (Story *story,
               double ms,
               guint id,
               guint64 vc,
               guint64 message,
               guint64 async,
               guint status)
{
  story_write (story,
               ms,
               STORY_SMB,
               id,
               "aqqqdhdp",
               "Read",
               message,
               async,
               SESSION,
               TREE,
               1,
               status,
               vc);
}

static void
report_begin (Story *story, double ms, guint64 rx, const char *path, guint major)
{
  story_write (story, ms, STORY_SMB, 32004, "qUbb", rx, path, major, 0);
}

static void
report_share (Story *story, double ms)
{
  story_write_version (story, ms, STORY_SMB, 30806, 2, "dqdUS", 0, SESSION, 0, "srv1", SERVER);
  story_write_version (story,
                       ms + 0.1,
                       STORY_SMB,
                       30808,
                       3,
                       "dqdUSdd",
                       0,
                       SESSION,
                       TREE,
                       "\\srv1\\data",
                       SERVER,
                       1,
                       0);
}

static void
report_connection (Story *story)
{
  set_process (story, 4, 20);
  report_connect (story, 1, VC, SERVER);
  report_tcp (story, 1.2, TCB, "10.0.0.5:50440", SERVER);
  set_process (story, 4, 24);
  report_connected (story, 6, VC, 0);
  report_share (story, 8);
}

static void
test_a_read_is_an_operation_with_its_command (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *op;
  const NsSmbRow *command;

  report_connection (story);
  set_process (story, 100, 40);
  report_begin (story, 20, RX, "\\SRV1\\data\\a\\report.docx", 3);
  story_write (story, 20.1, STORY_SMB, 30105, "ppdpddd", P (0x10), P (0x99), 1, P (0), 0, 0, 0);
  story_write (story, 20.3, STORY_SMB, 30106, "ppdpddd", P (0x10), P (0x99), 1, P (0), 0, 0, 0);
  report_send (story, 20.5, VC, "SMB2 READ", 7);
  story_write (story, 20.6, STORY_SMB, 30103, "ppp", RX, EXCHANGE, P (1));
  report_send (story, 21, VC, "Read", 8);
  set_process (story, 4, 24);
  report_answer (story, 25, 30407, VC, 7, P (0), 0);
  report_answer (story, 27, 30407, VC, 8, P (0), 0);
  story_write (story, 28, STORY_SMB, 30104, "ppdd", RX, EXCHANGE, 3, 0);
  set_process (story, 100, 40);
  story_write_version (story,
                       30,
                       STORY_SMB,
                       32008,
                       2,
                       "qbqqqq",
                       RX,
                       0,
                       P (0),
                       P (0),
                       P (65536),
                       P (7));
  report_send (story, 40, VC, "Read", 9);
  trace = story_open (story, 100);

  op = nth (trace, NS_SMB_OPERATION, 0);
  story_assert_text (trace, op->command, "Read");
  story_assert_text (trace, op->server, "SRV1");
  story_assert_text (trace, op->share, "data");
  story_assert_text (trace, op->file, "a\\report.docx");
  g_assert_cmpuint (op->n_commands, ==, 2);
  g_assert_cmpint (op->credit_wait_ns, ==, MS / 5);
  g_assert_cmpint (op->before_wire_ns, ==, MS / 2);
  g_assert_cmpint (op->wire_ns, ==, 13 * MS / 2);
  g_assert_cmpint (op->after_wire_ns, ==, 3 * MS);
  g_assert_cmpint (op->received, ==, 65536);
  g_assert_cmpint (op->layer.status, ==, 0);
  g_assert_cmpint (op->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (op->tcp, ==, 1);
  command = nth (trace, NS_SMB_COMMAND, 0);
  g_assert_true (smb_row (trace, command->parent - 1) == op);
  g_assert_cmpstr (command->layer.evidence[0], ==, "exchange");
  g_assert_cmpstr (command->layer.evidence[1], ==, "connecting thread");
  story_assert_text (trace, command->command, "Read");
  story_assert_text (trace, command->file, "a\\report.docx");
  g_assert_cmpstr (nth (trace, NS_SMB_COMMAND, 1)->layer.evidence[0], ==, "thread");
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_SMB, 4, NS_TABLE_TCP, 1),
                   ==,
                   NS_CONFIDENCE_LIKELY);
  /* The operation of this command has ended. */
  g_assert_cmpuint (nth (trace, NS_SMB_COMMAND, 2)->parent, ==, 0);
  story_assert_text (trace, nth (trace, NS_SMB_COMMAND, 2)->share, "data");
  g_assert_cmpint (nth (trace, NS_SMB_TREE, 0)->is_signed, ==, 1);
  g_assert_cmpint (nth (trace, NS_SMB_SESSION, 0)->is_signed, ==, -1);
}

static void
test_an_interim_answer_is_not_the_last (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  report_connection (story);
  set_process (story, 100, 40);
  report_send (story, 20, VC, "Change notify", 1);
  report_send (story, 21, VC, "Read", 2);
  report_send (story, 22, VC, "Read", 2);
  report_answer (story, 23, 30408, VC, 1, P (0x900), 0x103);
  report_answer (story, 24, 30407, VC, 2, P (0x901), 0x103);
  report_answer (story, 25, 30409, VC, 77, P (0x900), 0xc0000120);
  report_answer (story, 26, 30409, VC, 2, P (0x901), 0x80000005);
  report_answer (story, 27, 30407, VC, G_MAXUINT64, P (0), 0);
  trace = story_open (story, 100);

  row = nth (trace, NS_SMB_COMMAND, 0);
  g_assert_true (row->is_interim);
  g_assert_cmpuint (row->async_id, ==, 0x900);
  g_assert_cmpint (row->response_ns, ==, 25 * MS);
  g_assert_false (ns_smb_row_fails (row, "Change notify"));
  g_assert_true (ns_smb_row_fails (row, "Read"));
  row = nth (trace, NS_SMB_COMMAND, 1);
  g_assert_cmpuint (row->n_retries, ==, 1);
  g_assert_cmpint (row->sent_ns, ==, 21 * MS);
  g_assert_cmpint (row->wire_ns, ==, 5 * MS);
  g_assert_false (ns_smb_row_fails (row, "Read"));
  row = nth (trace, NS_SMB_EVENT, 0);
  g_assert_cmpuint (row->message_id, ==, G_MAXUINT64);
  g_assert_cmpuint (row->layer.pid, ==, NS_PID_UNKNOWN);
}

/* Times before the trace and missing ends stay unknown. */
static void
test_what_lies_outside_of_the_trace_is_not_known (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  set_process (story, 4, 24);
  report_answer (story, 5, 30407, VC, 1, P (0), 0xc0000034);
  report_connected (story, 6, VC_OTHER, 0xc00000b5);
  story_write (story, 7, STORY_SMB, 32008, "qbqq", RX, 0, P (0), P (1));
  set_process (story, 100, 40);
  report_begin (story, 10, RX, "x", 4);
  report_begin (story, 11, RX, "y", 4);
  report_send (story, 12, VC, "Write", 2);
  trace = story_open (story, 100);

  row = nth (trace, NS_SMB_COMMAND, 0);
  g_assert_true (row->layer.opened_before_trace);
  g_assert_cmpint (row->layer.open_ns, ==, 0);
  g_assert_cmpint (row->sent_ns, ==, NS_TIME_NONE);
  g_assert_cmpint (row->wire_ns, ==, NS_UNKNOWN);
  g_assert_cmpuint (row->layer.pid, ==, NS_PID_UNKNOWN);
  g_assert_true (ns_smb_row_fails (row, "Read"));
  row = nth (trace, NS_SMB_CONNECT, 0);
  g_assert_true (row->layer.opened_before_trace);
  g_assert_cmpint (row->layer.status, ==, 0xc00000b5);
  row = nth (trace, NS_SMB_OPERATION, 0);
  g_assert_true (row->layer.opened_before_trace);
  g_assert_cmpint (row->layer.close_ns, ==, 7 * MS);
  row = nth (trace, NS_SMB_OPERATION, 1);
  g_assert_cmpint (row->layer.close_ns, ==, 11 * MS - 1);
  story_assert_text (trace, row->file, "x");
  row = nth (trace, NS_SMB_OPERATION, 2);
  g_assert_cmpint (row->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (row->n_commands, ==, 1);
  g_assert_cmpint (nth (trace, NS_SMB_COMMAND, 1)->layer.close_ns, ==, NS_TIME_OPEN);
}

/* Equal IDs on two connections, and after a reconnect with the same pointer. */
static void
test_equal_numbers_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_connection (story);
  set_process (story, 100, 40);
  report_send (story, 20, VC, "Read", 1);
  report_send (story, 21, VC_OTHER, "Write", 1);
  report_answer (story, 22, 30407, VC_OTHER, 1, P (0), 0);
  set_process (story, 4, 20);
  report_connect (story, 30, VC, SERVER);
  set_process (story, 100, 40);
  report_send (story, 31, VC, "Read", 1);
  report_answer (story, 32, 30407, VC, 1, P (0), 0);
  story_write (story, 33, STORY_SMB, 30809, "hqqdUd", 8, P (1), SESSION, TREE, "srv1", 0xc00000b5);
  trace = story_open (story, 100);

  g_assert_cmpint (nth (trace, NS_SMB_COMMAND, 1)->response_ns, ==, 22 * MS);
  g_assert_cmpint (nth (trace, NS_SMB_COMMAND, 2)->response_ns, ==, 32 * MS);
  g_assert_cmpint (nth (trace, NS_SMB_COMMAND, 0)->response_ns, ==, NS_TIME_NONE);
  g_assert_cmpint (nth (trace, NS_SMB_COMMAND, 0)->layer.close_ns, ==, 33 * MS);
  g_assert_cmpint (nth (trace, NS_SMB_COMMAND, 0)->layer.status, ==, 0xc00000b5);
  g_assert_cmpstr (nth (trace, NS_SMB_COMMAND, 0)->reason, ==, "expired");
}

/* A connection is linked only if there is one candidate. */
static void
test_two_connects_at_once_are_of_nobody (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_process (story, 4, 20);
  report_connect (story, 1, VC, SERVER);
  report_connect (story, 1.1, VC_OTHER, SERVER);
  set_process (story, 4, 60);
  report_tcp (story, 1.2, TCB, "10.0.0.5:50440", SERVER);
  report_tcp (story, 1.3, TCB + 0x1000, "10.0.0.5:50441", SERVER);
  set_process (story, 4, 24);
  report_connected (story, 6, VC, 0);
  report_connected (story, 6.1, VC_OTHER, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (nth (trace, NS_SMB_CONNECT, 0)->tcp, ==, 0);
  g_assert_cmpuint (nth (trace, NS_SMB_CONNECT, 1)->tcp, ==, 0);
  g_assert_cmpint (nth (trace, NS_SMB_CONNECT, 0)->layer.confidence, ==, -1);
  g_assert_cmpuint (nth (trace, NS_SMB_CONNECT, 0)->remote.port, ==, 445);
}

/* A connection opened before the trace is found by the address of its session. */
static void
test_a_session_leads_to_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  set_process (story, 4, 60);
  report_tcp (story, 1.2, TCB, "10.0.0.5:50440", SERVER);
  report_share (story, 2);
  set_process (story, 100, 40);
  report_send (story, 20, VC, "Read", 1);
  report_answer (story, 22, 30407, VC, 1, P (0), 0);
  trace = story_open (story, 100);

  row = nth (trace, NS_SMB_COMMAND, 0);
  g_assert_cmpuint (row->tcp, ==, 1);
  g_assert_cmpint (row->layer.confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_cmpstr (row->layer.evidence[0], ==, "session");
  story_assert_text (trace, row->server, "srv1");
}

static void
test_a_failed_connect_says_why (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  set_process (story, 4, 20);
  report_connect (story, 1, VC, SERVER);
  report_connected (story, 6, VC, 0xc00000b5);
  story_write (story, 7, STORY_SMB, 30803, "ddUSd", 4, 0xc00000b5, "srv1", SERVER, 1);
  story_write (story, 3000, STORY_SMB, 30803, "ddUSd", 1, 0xc00000be, "srv2", "10.0.0.10:445", 1);
  trace = story_open (story, 4000);

  row = nth (trace, NS_SMB_CONNECT, 0);
  story_assert_text (trace, row->server, "srv1");
  g_assert_cmpstr (row->reason, ==, "network connect");
  g_assert_true (ns_smb_row_fails (row, NULL));
  row = nth (trace, NS_SMB_CONNECT, 1);
  story_assert_text (trace, row->server, "srv2");
  g_assert_cmpint (row->layer.status, ==, 0xc00000be);
}

/* A failure event has both endpoints and so identifies one of two simultaneous connects. */
static void
test_a_failure_leads_to_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  set_process (story, 4, 20);
  report_connect (story, 1, VC, SERVER);
  report_connect (story, 1.1, VC_OTHER, SERVER);
  set_process (story, 4, 60);
  report_tcp (story, 1.2, TCB, "10.0.0.5:50440", SERVER);
  report_tcp (story, 1.3, TCB + 0x1000, "10.0.0.5:50441", SERVER);
  set_process (story, 4, 24);
  report_connected (story, 6, VC, 0);
  report_connected (story, 6.1, VC_OTHER, 0xc00000b5);
  story_write_version (story,
                       7,
                       STORY_SMB,
                       30803,
                       2,
                       "ddUdxxUd",
                       4,
                       0xc00000b5,
                       "srv1",
                       16,
                       "020001bd0a0000090000000000000000",
                       "0200c5090a0000050000000000000000", /* 10.0.0.5:50441 */
                       "instance",
                       1);
  trace = story_open (story, 100);

  g_assert_cmpuint (nth (trace, NS_SMB_CONNECT, 0)->tcp, ==, 0);
  row = nth (trace, NS_SMB_CONNECT, 1);
  g_assert_cmpstr (row->reason, ==, "network connect");
  g_assert_cmpuint (row->tcp, ==, 2);
  g_assert_cmpint (row->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpstr (row->layer.evidence[0], ==, "addresses");
}

/* Events 31001 and 31010: a refused connection has a name and a reason; the user name is not
 * stored. */
static void
test_refusals_say_why (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;
  NsString id;

  set_process (story, 4, 20);
  story_write (story,
               1,
               STORY_SMB,
               31001,
               "dddqUUU",
               10,
               0xc000006d,
               0x8009030c,
               P (0x3e7),
               "\\srv1",
               "cifs/srv1",
               "CORP\\somebody");
  story_write (story, 2, STORY_SMB, 31010, "ddUU", 12, 0xc0000022, "\\srv1\\secret", "\\a.txt");
  story_write (story, 3, STORY_SMB, 31010, "d", 12);
  story_write (story, 4, STORY_SMB, 31001, "ddd", 99, 0xc000006d, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->smb->len, ==, 3);
  row = nth (trace, NS_SMB_SESSION, 0);
  story_assert_text (trace, row->server, "srv1");
  g_assert_cmpint (row->layer.status, ==, 0xc000006d);
  g_assert_cmpstr (row->reason, ==, "initialize security context");
  g_assert_true (ns_smb_row_fails (row, NULL));
  row = nth (trace, NS_SMB_TREE, 0);
  story_assert_text (trace, row->server, "srv1");
  story_assert_text (trace, row->share, "secret");
  g_assert_cmpstr (row->reason, ==, "tree connect response");
  g_assert_cmpstr (nth (trace, NS_SMB_SESSION, 1)->reason, ==, "99");
  for (id = 1; id < ns_strings_get_size (trace->strings); id++)
    g_assert_null (strstr (ns_strings_get (trace->strings, id), "somebody"));
}

/* A server that is only known from a DNS lookup is recognized. */
static void
test_a_looked_up_server_is_known (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *op;

  set_process (story, 4, 20);
  story_write (story, 0.5, STORY_DNS, 3008, "wdqdw", "srv7", 1, P (0), 0, "10.0.0.9;");
  report_connect (story, 1, VC, SERVER);
  report_connected (story, 6, VC, 0);
  set_process (story, 100, 40);
  story_write (story, 20, STORY_SMB, 32004, "qUbb", RX, "\\SRV7\\data\\a.txt", 3, 0);
  report_send (story, 21, VC, "Read", 1);
  report_answer (story, 22, 30407, VC, 1, P (0), 0);
  trace = story_open (story, 100);

  op = nth (trace, NS_SMB_OPERATION, 0);
  story_assert_text (trace, nth (trace, NS_SMB_COMMAND, 0)->server, "srv7");
  story_assert_text (trace, op->server, "SRV7");
  story_assert_text (trace, op->share, "data");
  story_assert_text (trace, op->file, "a.txt");
}

/* Returns a message that opens @name, in hexadecimal; @flags 1: sent by the server. */
static char *
dup_create (guint64 message_id, guint flags, const char *name)
{
  GString *hex = g_string_new ("fe534d4240000100000000000500010000000000");
  gsize i;

  hex->str[2 * 16 + 1] = (char) ('0' + flags);
  g_string_append (hex, "00000000");
  for (i = 0; i < 8; i++)
    g_string_append_printf (hex, "%02x", (guint) (message_id >> (8 * i)) & 0xff);
  while (hex->len < 2 * (64 + 44))
    g_string_append (hex, "00");
  g_string_append_printf (hex, "7800%02x00", (guint) (2 * strlen (name)));
  while (hex->len < 2 * 120)
    g_string_append (hex, "00");
  for (i = 0; name[i] != '\0'; i++)
    g_string_append_printf (hex, "%02x00", (guint) (guint8) name[i]);
  return g_string_free (hex, FALSE);
}

static void
report_packet (Story *story, double ms, const char *hex)
{
  story_write (story, ms, STORY_SMB, 40000, "dSdx", 1u, SERVER, (guint) strlen (hex) / 2, hex);
}

/* The SMB message itself has the name of the file that a command opens. */
static void
test_packets_tell_names (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *asked = dup_create (1, 0, "dir\\a.txt");
  g_autofree char *answered = dup_create (2, 1, "of the server");
  g_autofree char *encrypted = dup_create (3, 0, "encrypted");
  g_autofree char *cut = dup_create (4, 0, "cut off");
  guint i;

  encrypted[1] = 'd';
  cut[2 * 125] = '\0';
  set_process (story, 4, 20);
  report_connect (story, 1, VC, SERVER);
  report_connected (story, 6, VC, 0);
  for (i = 1; i <= 4; i++)
    {
      report_send (story, 10 + i, VC, "Create", i);
      report_packet (story,
                     10.1 + i,
                     i == 1 ? asked : (i == 2 ? answered : (i == 3 ? encrypted : cut)));
      report_answer (story, 10.5 + i, 30407, VC, i, P (0), 0);
    }
  /* No command was waiting for it. */
  report_packet (story, 50, asked);
  trace = story_open (story, 100);

  story_assert_text (trace, nth (trace, NS_SMB_COMMAND, 0)->file, "dir\\a.txt");
  g_assert_cmpstr (nth (trace, NS_SMB_COMMAND, 0)->layer.evidence[0], ==, "packet");
  for (i = 1; i < 4; i++)
    g_assert_cmpuint (nth (trace, NS_SMB_COMMAND, i)->file, ==, NS_STRING_NONE);
}

static const NsPacketRow *
packet_row (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->packets->len, >, n);
  return &g_array_index (trace->packets, NsPacketRow, n);
}

/* Messages are rows of the packet table with the peer endpoint only. Encrypted messages have no
 * details. Packet captures (pcapng) cannot contain them. */
static void
test_messages_are_packets (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *asked = dup_create (7, 0, "a.txt");
  g_autofree char *answered = dup_create (7, 1, "a.txt");
  g_autofree char *encrypted = dup_create (8, 0, "a.txt");
  g_autofree char *header = g_strndup (asked, 2 * 64 - 2);
  g_autofree char *info = NULL;
  g_autofree guint8 *bytes = NULL;
  NsPacketEnds ends;
  guint n;

  encrypted[1] = 'd';
  set_process (story, 4, 20);
  report_packet (story, 10, asked);
  report_packet (story, 10, asked);
  report_packet (story, 11, answered);
  report_packet (story, 12, encrypted);
  report_packet (story, 13, header);
  trace = story_open (story, 100);

  /* Equal bytes are another message. */
  g_assert_cmpuint (trace->packets->len, ==, 3);
  g_assert_cmpuint (trace->flows->len, ==, 0);
  g_assert_false (ns_packet_row_has_frames (trace));
  g_assert_cmpint (packet_row (trace, 0)->direction, ==, -1);
  ns_packet_row_read_ends (trace, packet_row (trace, 0), &ends);
  g_assert_cmpstr (ends.protocol, ==, "SMB2");
  g_assert_true (ns_ip_is_empty (&ends.src.ip));
  g_assert_cmpuint (ends.dst.port, ==, 445);
  g_assert_cmpint (packet_row (trace, 2)->direction, ==, 1);
  ns_packet_row_read_ends (trace, packet_row (trace, 2), &ends);
  g_assert_true (ns_ip_is_empty (&ends.dst.ip));
  g_assert_cmpuint (ends.src.port, ==, 445);
  info = ns_packet_info_dup (trace, packet_row (trace, 2));
  g_assert_cmpstr (info, ==, "Create response, message 7, status 0x0");

  /* All bytes after the header are masked. */
  n = packet_row (trace, 0)->captured;
  g_assert_cmpuint (n, ==, 120 + 2 * strlen ("a.txt"));
  bytes = g_memdup2 (ns_packet_row_get_bytes (trace, packet_row (trace, 0)), n);
  g_assert_true (ns_packet_mask_apply (ns_packet_mask_get (trace), packet_row (trace, 0), bytes));
  g_assert_cmpuint (bytes[63], ==, 0);
  for (; n > 64; n--)
    g_assert_cmpuint (bytes[n - 1], ==, '*');
}

static void
report_piece (Story *story, double ms, guint64 keyword, guint of, const char *hex)
{
  story->keyword = keyword;
  story_write (story, ms, STORY_SMB, 2000, "hdx", of, (guint) strlen (hex) / 2, hex);
  story->keyword = 0;
}

/* A message in several pieces, interleaved with those of another thread. */
static void
test_packets_in_pieces (void)
{
  static const char head[] = "0100000010000000020001bd0a0000090000000000000000";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *message = dup_create (1, 0, "a.txt");
  g_autofree char *whole = NULL;
  g_autofree char *first = NULL;
  g_autofree char *other = dup_create (2, 0, "b.txt");

  whole = g_strdup_printf ("%s%02x000000%s", head, (guint) strlen (message) / 2, message);
  first = g_strndup (whole, 80);
  set_process (story, 4, 20);
  report_connect (story, 1, VC, SERVER);
  report_connected (story, 6, VC, 0);
  report_send (story, 10, VC, "Create", 1);
  report_send (story, 10.1, VC, "Create", 2);
  /* The last piece of a message whose first piece is missing. */
  report_piece (story, 11, 0x80000000, 40000, other);
  report_piece (story, 12, 0x40000000, 40000, first);
  set_process (story, 4, 21);
  report_piece (story, 12.1, 0x40000000, 40000, other);
  report_piece (story, 12.2, 0x80000000, 30406, other);
  set_process (story, 4, 20);
  report_piece (story, 13, 0x80000000, 40000, whole + 80);
  report_answer (story, 20, 30407, VC, 1, P (0), 0);
  report_answer (story, 21, 30407, VC, 2, P (0), 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet_row (trace, 0)->captured, ==, strlen (message) / 2);
  story_assert_text (trace, nth (trace, NS_SMB_COMMAND, 0)->file, "a.txt");
  g_assert_cmpuint (nth (trace, NS_SMB_COMMAND, 1)->file, ==, NS_STRING_NONE);
}

/* Payloads of any length; reads never exceed the payload, and missing fields stay unset. */
static void
test_short_and_long_payloads_are_read_as_far_as_they_go (void)
{
  static const guint ids[] = { 30103, 30104, 30105, 30106, 30108, 30203, 30204, 30403, 30406, 30407,
                               30408, 30409, 30501, 30508, 30704, 30803, 30804, 30805, 30806, 30807,
                               30808, 30809, 30822, 30830, 30831, 30832, 31001, 31010, 32004, 32008,
                               32009, 32010, 32011, 32012, 32013, 40000, 2000 };
  static const char bytes[] = "10000000020001bd0a0000090000000000000000"
                              "414243440045000000000000004600000000000000"
                              "ffffffffffffffffffffffffffffffffffffffffffff"
                              "0000000000000000000000000000000000000000000000000000000000000000";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  double ms = 1;
  guint version;
  guint i;
  guint n;

  for (version = 0; version < 6; version++)
    for (i = 0; i < G_N_ELEMENTS (ids); i++)
      for (n = 0; n < sizeof bytes; n += 14)
        {
          g_autofree char *part = g_strndup (bytes, n & ~1u);

          story_write_version (story, ms, STORY_SMB, ids[i], version, "x", part);
          ms += 0.01;
        }
  report_send (story, ms, VC, "Read", 1);
  trace = story_open (story, ms + 10);
  for (i = 0; i < trace->smb->len; i++)
    {
      const NsSmbRow *row = smb_row (trace, i);

      g_assert_cmpuint (row->parent, <=, trace->smb->len);
      g_assert_true (i == 0 || smb_row (trace, i - 1)->layer.open_ns <= row->layer.open_ns);
      g_assert_cmpint (row->layer.close_ns, >=, row->layer.open_ns);
    }
}

/* Older builds log only commands, and end a connect without naming its transport. */
static void
test_commands_stand_alone_in_older_builds (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  set_process (story, 4, 20);
  story_write (story, 1, STORY_SMB, 30203, "Spp", SERVER, VC, VC);
  report_tcp (story, 1.2, TCB, "10.0.0.5:50440", SERVER);
  story_write (story, 6, STORY_SMB, 30204, "ppd", VC, VC, 0);
  set_process (story, 100, 40);
  report_send (story, 20, VC, "Create", 1);
  report_send (story, 21, VC, "Echo", 2);
  report_send (story, 22, VC, "Frobnicate", 3);
  report_answer (story, 23, 30407, VC, 1, P (0), 0xc0000022);
  trace = story_open (story, 100);

  row = nth (trace, NS_SMB_COMMAND, 0);
  g_assert_cmpuint (row->tcp, ==, 1);
  g_assert_cmpint (row->transport, ==, NS_SMB_TCP);
  story_assert_text (trace, nth (trace, NS_SMB_COMMAND, 2)->command, "Frobnicate");
  /* The connection, the create command and an unknown command; no keep-alives. */
  g_assert_cmpuint (trace->activities->len, ==, 3);
  g_assert_cmpuint (row->layer.activity, ==, 2);
  g_assert_true (story_activity (trace, 1)->failed);
  g_assert_cmpuint (story_activity (trace, 1)->parent, ==, 1);
  g_assert_true ((story_activity (trace, 0)->layers & NS_LAYER_SMB) != 0);
}

/* Over QUIC, the transport is the only MsQuic connection to the address at that time. */
static void
test_quic_carries_it_too (void)
{
  static const char remote[] = "10.0.0.9:443";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsSmbRow *row;

  set_process (story, 4, 20);
  story_write (story, 1, STORY_SMB, 30203, "Sppd", remote, VC, VC, 4);
  story_write (story, 1.5, STORY_QUIC, 5120, "pdq", P (0xffffe00000001000), 0u, P (1));
  story_write (story,
               1.6,
               STORY_QUIC,
               5128,
               "pbx",
               P (0xffffe00000001000),
               16,
               "020001bb0a0000090000000000000000");
  story_write (story, 6, STORY_SMB, 30204, "ppdd", VC, VC, 0, 4);
  trace = story_open (story, 100);

  row = nth (trace, NS_SMB_CONNECT, 0);
  g_assert_cmpuint (row->quic, ==, 1);
  g_assert_cmpuint (row->tcp, ==, 0);
  g_assert_cmpint (row->transport, ==, NS_SMB_QUIC);
  g_assert_cmpint (row->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/smb/a-read-is-an-operation-with-its-command",
                   test_a_read_is_an_operation_with_its_command);
  g_test_add_func ("/smb/an-interim-answer-is-not-the-last",
                   test_an_interim_answer_is_not_the_last);
  g_test_add_func ("/smb/what-lies-outside-of-the-trace-is-not-known",
                   test_what_lies_outside_of_the_trace_is_not_known);
  g_test_add_func ("/smb/equal-numbers-are-told-apart", test_equal_numbers_are_told_apart);
  g_test_add_func ("/smb/two-connects-at-once-are-of-nobody",
                   test_two_connects_at_once_are_of_nobody);
  g_test_add_func ("/smb/a-session-leads-to-its-connection",
                   test_a_session_leads_to_its_connection);
  g_test_add_func ("/smb/a-failed-connect-says-why", test_a_failed_connect_says_why);
  g_test_add_func ("/smb/a-failure-leads-to-its-connection",
                   test_a_failure_leads_to_its_connection);
  g_test_add_func ("/smb/refusals-say-why", test_refusals_say_why);
  g_test_add_func ("/smb/a-looked-up-server-is-known", test_a_looked_up_server_is_known);
  g_test_add_func ("/smb/packets-tell-names", test_packets_tell_names);
  g_test_add_func ("/smb/messages-are-packets", test_messages_are_packets);
  g_test_add_func ("/smb/packets-in-pieces", test_packets_in_pieces);
  g_test_add_func ("/smb/short-and-long-payloads-are-read-as-far-as-they-go",
                   test_short_and_long_payloads_are_read_as_far_as_they_go);
  g_test_add_func ("/smb/quic-carries-it-too", test_quic_carries_it_too);
  g_test_add_func ("/smb/commands-stand-alone-in-older-builds",
                   test_commands_stand_alone_in_older_builds);
  return g_test_run ();
}
