/* Scripted events of .NET, SMB and TLS.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "layers.h"

#include <string.h>

#define HOST "10.0.0.5"

/* ---- .NET: requests that wait in the pool queue, wait for a connection, or are refused ---- */

#define SHOP 7100
#define SHOP_UI 7104
#define SHOP_WORKER 7120
#define SHOP_OTHER_WORKER 7124
#define SHOP_ENDPOINT P (0xffffcc0000000100)
#define SHOP_TCB P (0xffffaa0000001000)
#define SHOP_LOCAL HOST ":50001"
#define SHOP_REMOTE "203.0.113.10:443"
#define OLD_ENDPOINT P (0xffffcc0000000200)

/* Sets the activity ID of the next events to a .NET activity path. Each nibble of @bytes is one
 * path component, starting with the lowest byte: 0x2111 is 1/1/2/1. 0 clears the ID. */
static void
set_activity_path (Story *story, guint32 bytes)
{
  guint32 sum = bytes + 0x599D99ADu;

  story->activity = bytes;
  story->activity_high = bytes != 0 ? (guint64) (sum ^ story->pid) << 32 : 0;
}

static void
report_request (Story *story, double ms, guint32 path, const char *host, const char *place)
{
  set_activity_path (story, path);
  layers_set_stack (story, 7);
  story_write (story, ms, STORY_DOTNET_HTTP, 1, "wwdwbbd", "https", host, 443, place, 1, 1, 0);
}

/* Writes the events from the assigned connection to the complete response: the first byte arrives
 * after 20 ms, the last one 20 ms later. */
static void
report_answer (Story *story, double ms, guint32 path, guint status, double wait_ms)
{
  set_activity_path (story, path | 0x4000);
  story_write_version (story, ms, STORY_DOTNET_HTTP, 7, 1, "q", P (0));
  set_activity_path (story, 0);
  story_socket_bytes (story, ms + 0.3, 1003, SHOP_ENDPOINT, 412);
  story_write (story, ms + 0.4, STORY_TCPIP, 1159, "pwdd", SHOP_TCB, "", 412, 0);
  set_activity_path (story, path | 0x4000);
  story_write (story, ms + 1, STORY_DOTNET_HTTP, 8, "");
  story_write (story, ms + wait_ms, STORY_DOTNET_HTTP, 11, "");
  set_activity_path (story, 0);
  story_write (story, ms + wait_ms + 0.1, STORY_TCPIP, 1074, "pdd", SHOP_TCB, 9800, 1);
  story_socket_bytes (story, ms + wait_ms + 0.2, 1004, SHOP_ENDPOINT, 9800);
  set_activity_path (story, path | 0x4000);
  story_write_version (story, ms + wait_ms + 1, STORY_DOTNET_HTTP, 12, 1, "d", status);
  set_activity_path (story, path);
  story_write_version (story, ms + wait_ms + 20, STORY_DOTNET_HTTP, 2, 1, "d", status);
}

static void
report_new_connection (Story *story, double ms, guint32 path)
{
  set_activity_path (story, path | 0x1000);
  story_write (story, ms, STORY_DOTNET_NAMES, 1, "w", "api.example.com");
  set_activity_path (story, 0);
  story_write (story,
               ms + 0.5,
               STORY_DNS,
               3006,
               "wdqwdddd",
               "api.example.com",
               1,
               P (0),
               "",
               1,
               0,
               0,
               0);
  story_write (story,
               ms + 17,
               STORY_DNS,
               3008,
               "wdqdw",
               "api.example.com",
               1,
               P (0),
               0,
               "203.0.113.10;");
  set_activity_path (story, path | 0x1000);
  story_write (story, ms + 18, STORY_DOTNET_NAMES, 2, "");
  set_activity_path (story, path | 0x2000);
  story_write (story,
               ms + 19,
               STORY_DOTNET_SOCKETS,
               1,
               "w",
               "InterNetwork:16:{1,187,203,0,113,10,0,0,0,0,0,0,0,0}");
  set_activity_path (story, 0);
  story_socket (story, ms + 19.2, SHOP_ENDPOINT, 50001, SHOP_REMOTE);
  layers_begin_tcp (story, ms + 19.5, SHOP_TCB, SHOP_LOCAL, SHOP_REMOTE);
  layers_end_tcp (story, ms + 41, 1033, SHOP_TCB, SHOP_LOCAL, SHOP_REMOTE, 0);
  set_activity_path (story, path | 0x2000);
  story_write (story, ms + 41.5, STORY_DOTNET_SOCKETS, 2, "");
  set_activity_path (story, path | 0x3000);
  story_write (story, ms + 42, STORY_DOTNET_SECURITY, 1, "dw", 0, "api.example.com");
  story_write (story, ms + 87, STORY_DOTNET_SECURITY, 2, "d", 12288);
  set_activity_path (story, path);
  story_write_version (story,
                       ms + 88,
                       STORY_DOTNET_HTTP,
                       4,
                       1,
                       "bbqwwdw",
                       1,
                       1,
                       P (0),
                       "https",
                       "api.example.com",
                       443,
                       "203.0.113.10");
}

static void
report_refused (Story *story, double ms, guint32 path)
{
  static const char why[] = "No connection could be made because the target machine actively "
                            "refused it. (old.example.com:443)";

  report_request (story, ms, path, "old.example.com", "/v1/basket");
  set_activity_path (story, path | 0x1000);
  story_write (story,
               ms + 2,
               STORY_DOTNET_SOCKETS,
               1,
               "w",
               "InterNetwork:16:{1,187,203,0,113,11,0,0,0,0,0,0,0,0}");
  set_activity_path (story, 0);
  story_socket (story, ms + 2.2, OLD_ENDPOINT, 50002, "203.0.113.11:443");
  set_activity_path (story, path | 0x1000);
  story_write (story, ms + 33, STORY_DOTNET_SOCKETS, 3, "dw", 10061, "Connection refused");
  story_write (story, ms + 33.1, STORY_DOTNET_SOCKETS, 2, "");
  set_activity_path (story, path);
  story_write_version (story, ms + 34, STORY_DOTNET_HTTP, 3, 1, "w", why);
  story_write_version (story, ms + 34.1, STORY_DOTNET_HTTP, 2, 1, "d", (guint) -1);
}

void
layers_write_dotnet (Story *story, double ms)
{
  layers_set_process (story, SHOP, SHOP_UI);
  layers_set_stack (story, 1);
  story_write (story, ms + 5, STORY_DOTNET_TASKS, 7, "dddddd", 1, 0, 6, 0, 0, 1);
  layers_set_process (story, SHOP, SHOP_WORKER);
  layers_set_stack (story, 2);
  story_write (story, ms + 150, STORY_DOTNET_TASKS, 8, "ddd", 1, 0, 6);
  report_request (story, ms + 151, 0x11, "api.example.com", "/v2/basket");
  report_new_connection (story, ms + 152, 0x11);
  set_activity_path (story, 0x11);
  report_answer (story, ms + 241, 0x11, 200, 60);
  story->tid = SHOP_OTHER_WORKER;
  report_request (story, ms + 330, 0x12, "api.example.com", "/v2/prices?currency=EUR");
  /* The request waits because the only pooled connection is in use. */
  set_activity_path (story, 0x12);
  story_write (story, ms + 411, STORY_DOTNET_HTTP, 6, "xbb", "0000000000405440", 1, 1);
  report_answer (story, ms + 412, 0x12, 503, 400);
  report_refused (story, ms + 900, 0x13);
  layers_set_process (story, SHOP, SHOP_WORKER);
  story_write_version (story, ms + 950, STORY_DOTNET_TASKS, 9, 1, "dddd", 1, 0, 6, 0);
  /* .NET Framework logs fewer events than .NET. */
  layers_set_process (story, 7110, 7114);
  layers_set_stack (story, 3);
  story_write (story,
               ms + 1000,
               STORY_DOTNET_FRAMEWORK,
               140,
               "qw",
               P (0x7fffffff00000123),
               "https://api.example.com/v1/report");
  story_write_version (story,
                       ms + 1300,
                       STORY_DOTNET_FRAMEWORK,
                       141,
                       1,
                       "qddd",
                       P (0x7fffffff00000123),
                       0,
                       1,
                       404);
}

/* ---- SMB: a file is opened and read; the connection is lost and re-established ---- */

#define SERVER "10.0.0.9:445"
#define TREE 5
#define OTHER_TREE 6

static void
report_smb_connect (Story *story, double ms, guint64 vc, guint64 tcb, const char *local)
{
  layers_set_process (story, 4, 20);
  story_write (story, ms, STORY_SMB, 30203, "Sppd", SERVER, vc, vc + 0x77, 1);
  layers_begin_tcp (story, ms + 0.2, tcb, local, SERVER);
  layers_end_tcp (story, ms + 4, 1033, tcb, local, SERVER, 0);
  layers_set_process (story, 4, 24);
  story_write (story, ms + 5, STORY_SMB, 30204, "ppdd", vc, vc + 0x77, 0, 1);
}

static void
report_command (Story *story,
                double ms,
                guint64 vc,
                const char *name,
                guint64 message,
                guint64 session,
                guint tree)
{
  story_write (story,
               ms,
               STORY_SMB,
               30406,
               "daqqdhhdp",
               1,
               name,
               message,
               session,
               tree,
               1,
               1,
               120,
               vc);
}

static void
report_response (Story *story,
                 double ms,
                 guint64 vc,
                 const char *name,
                 guint64 message,
                 guint64 session,
                 guint tree,
                 guint status)
{
  layers_set_process (story, 4, 24);
  story_write (story,
               ms,
               STORY_SMB,
               30407,
               "aqqqdhdp",
               name,
               message,
               P (0),
               session,
               tree,
               1,
               status,
               vc);
}

static void
report_session (Story *story, double ms, guint64 vc, guint64 session)
{
  report_command (story, ms, vc, "Session setup", 1, P (0), 0);
  report_response (story, ms + 6, vc, "Session setup", 1, session, 0, 0);
  story_write_version (story,
                       ms + 6.1,
                       STORY_SMB,
                       30806,
                       2,
                       "dqdUS",
                       0,
                       session,
                       0,
                       "fs01",
                       SERVER);
  report_command (story, ms + 6.2, vc, "Tree connect", 2, session, 0);
  report_response (story, ms + 8, vc, "Tree connect", 2, session, TREE, 0);
  story_write_version (story,
                       ms + 8.1,
                       STORY_SMB,
                       30808,
                       3,
                       "dqdUSdd",
                       0,
                       session,
                       TREE,
                       "\\fs01\\projects",
                       SERVER,
                       1,
                       0);
}

static void
begin_operation (Story *story, double ms, guint64 rx, const char *file, guint major)
{
  layers_set_process (story, 7200, 7204);
  layers_set_stack (story, major + 1);
  story_write (story, ms, STORY_SMB, 32004, "qUbb", rx, file, major, 0);
}

static void
end_operation (Story *story, double ms, guint id, guint64 rx, guint64 n_bytes, guint status)
{
  layers_set_process (story, 4, 24);
  story_write (story, ms, STORY_SMB, 30104, "ppdd", rx, rx + 0x500, 3, status);
  layers_set_process (story, 7200, 7204);
  story_write_version (story,
                       ms + 0.1,
                       STORY_SMB,
                       id,
                       2,
                       "qbqqqq",
                       rx,
                       0,
                       P (0),
                       P (0),
                       n_bytes,
                       P (7));
}

#define PLAN "\\fs01\\projects\\2026\\plan.docx"
#define PAY "\\fs01\\projects\\private\\pay.xlsx"

/* Writes the fields that all operations of one command share. */
static void
report_operation (Story *story,
                  double ms,
                  double took_ms,
                  guint64 vc,
                  guint64 message,
                  guint64 session,
                  const char *file,
                  guint major,
                  guint status)
{
  const guint64 rx = P (0xffffd10000100000) + message * 0x1000;
  const char *name = major == 0 ? "Create" : "Read";

  begin_operation (story, ms, rx, file, major);
  report_command (story, ms + 0.4, vc, name, message, session, TREE);
  story_write (story, ms + 0.5, STORY_SMB, 30103, "ppp", rx, rx + 0x500, P (1));
  report_response (story, ms + took_ms - 0.5, vc, name, message, session, TREE, status);
  end_operation (story,
                 ms + took_ms - 0.2,
                 major == 0 ? 32010 : 32008,
                 rx,
                 P (major == 3 ? 65536 : 0),
                 status);
}

void
layers_write_smb (Story *story, double ms)
{
  const guint64 first = P (0xffffd10000001000);
  const guint64 second = P (0xffffd10000002000);
  const guint64 tcb = P (0xffffaa0000041000);
  const guint64 rx = P (0xffffd10000900000);
  const guint64 session = P (0x400000000011);
  const guint64 again = P (0x400000000015);
  guint i;

  report_smb_connect (story, ms + 1, first, tcb, HOST ":50440");
  report_session (story, ms + 8, first, session);
  report_operation (story, ms + 20, 9, first, 10, session, PLAN, 0, 0);
  for (i = 0; i < 3; i++)
    report_operation (story, ms + 40 + i * 15, 11, first, 11 + i, session, PLAN, 3, 0);
  /* The server does not respond; the client times out, reconnects and repeats the read. */
  begin_operation (story, ms + 200, rx, PLAN, 3);
  report_command (story, ms + 200.4, first, "Read", 20, session, TREE);
  story_write (story, ms + 200.5, STORY_SMB, 30103, "ppp", rx, rx + 0x500, P (1));
  layers_set_process (story, 4, 24);
  layers_end_tcp (story, ms + 2499, 1044, tcb, HOST ":50440", SERVER, 0xc000020du);
  story_write (story, ms + 2500, STORY_SMB, 30804, "ddUSd", 2, 0xc000020du, "fs01", SERVER, 1);
  story_write_version (story,
                       ms + 2500.1,
                       STORY_SMB,
                       30805,
                       2,
                       "dqdUS",
                       0xc000020du,
                       session,
                       0,
                       "fs01",
                       SERVER);
  story_write (story,
               ms + 2500.2,
               STORY_SMB,
               30809,
               "hqqdUd",
               8,
               P (20),
               session,
               TREE,
               "fs01",
               0xc00000b5u);
  layers_set_process (story, 7200, 7204);
  story_write (story,
               ms + 2501,
               STORY_SMB,
               30403,
               "pp",
               P (0xffffd10000700000),
               P (0xffffd10000710000));
  report_smb_connect (story, ms + 2502, second, tcb + 0x1000, HOST ":50441");
  report_session (story, ms + 2510, second, again);
  layers_set_process (story, 7200, 7204);
  report_command (story, ms + 2530, second, "Read", 5, again, TREE);
  report_response (story, ms + 2541, second, "Read", 5, again, TREE, 0);
  end_operation (story, ms + 2542, 32008, rx, P (65536), 0);
  report_operation (story, ms + 2600, 7, second, 30, again, PAY, 0, 0xc0000022u);
}

/* ---- TLS: a handshake that succeeds, and one without a certificate revocation list ---- */

#define HANDSHAKE "pqqqqwdpdddpdd"
#define TASK "{11111111-2222-3333-4444-555555555555}"
#define CRL "http://crl.example.net/issuing-ca.crl"

static void
report_handshake (Story *story,
                  double ms,
                  guint id,
                  guint64 connection,
                  const char *host,
                  guint32 result)
{
  story_write (story,
               ms,
               STORY_WEBIO,
               id,
               HANDSHAKE,
               connection,
               P (1),
               P (2),
               P (3),
               P (4),
               host,
               0,
               P (0),
               0,
               0,
               0,
               P (0),
               0,
               result);
}

static void
report_check (Story *story, double ms, guint id, const char *content)
{
  guint64 activity = story->activity;
  g_autofree char *xml = g_strdup_printf ("<A>%s<CorrelationAuxInfo TaskId=\"" TASK "\" "
                                          "SeqNumber=\"%u\"/></A>",
                                          content,
                                          id);

  story->activity = 0;
  story_write (story, ms, STORY_CAPI2, id, "w", xml);
  story->activity = activity;
}

static void
report_agreed (Story *story, double ms, const char *target, const char *subject)
{
  guint64 activity = story->activity;

  layers_set_process (story, 600, 604);
  story_write (story,
               ms,
               STORY_SCHANNEL,
               36880,
               "wwddpwww",
               "client",
               "TLS 1.3",
               0x1302,
               256,
               P (0x1234),
               target,
               "",
               subject);
  layers_set_process (story, 7800, 7804);
  story->activity = activity;
}

void
layers_write_tls (Story *story, double ms)
{
  const guint64 ok = 0x60001;
  const guint64 bad = 0x60002;

  layers_set_process (story, 7800, 7804);
  story_session (story, ms + 1, P (0x700));
  layers_set_stack (story, 1);
  story_request (story, ms + 2, P (0x61000), ok, P (0x700), "https://portal.example.com/login");
  story_wait (story, ms + 3, P (0x61000), ok, P (0x62000));
  story_connect (story, ms + 4, ok, P (0x62000), P (0x6300), "203.0.113.50:443");
  story_connected (story, ms + 20, ok, P (0x62000), P (0x6300), 0);
  report_handshake (story, ms + 21, 700, P (0x62000), "portal.example.com", 0);
  report_agreed (story, ms + 55, "portal.example.com", "CN=portal.example.com");
  report_handshake (story, ms + 56, 703, P (0x62000), "portal.example.com", 0);
  story_send (story, ms + 57, ok, P (0x62000), P (0x6300), 500);
  story_header (story, ms + 120, P (0x61000), "HTTP/1.1 200 OK\r\n\r\n");
  story_receive (story, ms + 121, ok, P (0x62000), P (0x6300), 4200);
  story_request_close (story, ms + 130, P (0x61000), ok);

  layers_set_stack (story, 2);
  story_request (story, ms + 200, P (0x71000), bad, P (0x700), "https://hr.example.com/leave");
  story_wait (story, ms + 201, P (0x71000), bad, P (0x72000));
  story_connect (story, ms + 202, bad, P (0x72000), P (0x7300), "203.0.113.51:443");
  story_connected (story, ms + 220, bad, P (0x72000), P (0x7300), 0);
  report_handshake (story, ms + 221, 700, P (0x72000), "hr.example.com", 0);
  report_check (story, ms + 250, 10, "<Certificate subjectName=\"hr.example.com\"/>");
  report_check (story, ms + 251, 40, "<Certificate subjectName=\"hr.example.com\"/>");
  report_check (story, ms + 252, 52, "<URL scheme=\"http\">" CRL "</URL>");
  report_check (story,
                ms + 3252,
                53,
                "<URL scheme=\"http\">" CRL "</URL><Result value=\"5B4\">This operation returned "
                "because the timeout period expired.</Result>");
  report_check (story,
                ms + 3253,
                41,
                "<Certificate subjectName=\"hr.example.com\"/><Result value=\"80092013\">The "
                "revocation function was unable to check revocation because the revocation server "
                "was offline.</Result>");
  report_check (story, ms + 3254, 11, "<Result value=\"80092013\"/>");
  report_handshake (story, ms + 3260, 703, P (0x72000), "hr.example.com", 0x80092013u);
  story_write (story,
               ms + 3260.2,
               STORY_WEBIO,
               713,
               "pqqdddd",
               P (0x72000),
               P (0),
               P (0),
               0,
               0,
               0x80092013u,
               0);
  story_write (story, ms + 3260.4, STORY_WEBIO, 135, "pddq", P (0x71000), 0, 12175, P (0));
  story_request_close (story, ms + 3262, P (0x71000), bad);
}
