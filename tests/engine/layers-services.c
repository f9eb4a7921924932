/* Scripted events of WFP, QUIC, RPC, BITS and VPN, and the helpers shared by all scripts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "layers.h"

#include <string.h>

#define HOST "10.0.0.5"

void
layers_set_process (Story *story, guint32 pid, guint32 tid)
{
  story->pid = pid;
  story->tid = tid;
  story->activity = 0;
  story->activity_high = 0;
}

static void
report_ends (Story *story,
             double ms,
             guint id,
             guint64 tcb,
             const char *local,
             const char *remote,
             guint status)
{
  story_write (story,
               ms,
               STORY_TCPIP,
               id,
               "SSdddpq",
               local,
               remote,
               status,
               story->pid,
               0,
               tcb,
               P (0));
}

void
layers_begin_tcp (Story *story, double ms, guint64 tcb, const char *local, const char *remote)
{
  story_write (story, ms, STORY_TCPIP, 1002, "pSSdd", tcb, local, remote, 2, 0);
  report_ends (story, ms + 0.01, 1031, tcb, local, remote, 0);
}

void
layers_end_tcp (Story *story,
                double ms,
                guint id,
                guint64 tcb,
                const char *local,
                const char *remote,
                guint status)
{
  report_ends (story, ms, id, tcb, local, remote, status);
}

/* Sets the stack of the next events: function number @function of the program, called from its main
 * function, called from ntdll. */
void
layers_set_stack (Story *story, guint function)
{
  story->stack[0] = LAYERS_EXE + 0x1000 + function * 0x100 + 0x1d;
  story->stack[1] = LAYERS_EXE + 0x1f0;
  story->stack[2] = LAYERS_NTDLL + 0x5aa48;
}

/* ---- QUIC: one connection with streams, and one whose handshake the server refuses ---- */

#define QUIC_CLIENT "0200d6d90a0000050000000000000000"       /* 10.0.0.5:55001 */
#define QUIC_OTHER_CLIENT "0200d6da0a0000050000000000000000" /* 10.0.0.5:55002 */
#define QUIC_SERVER "020001bbc63364080000000000000000"       /* 198.51.100.8:443 */
#define QUIC_OTHER_SERVER "020001bbc63364090000000000000000" /* 198.51.100.9:443 */

static void
report_quic_address (Story *story, double ms, guint id, guint64 connection, const char *hex)
{
  story_write (story, ms, STORY_QUIC, id, "pbx", connection, 16, hex);
}

static void
report_quic_begin (Story *story,
                   double ms,
                   guint64 connection,
                   const char *client,
                   const char *server)
{
  story_write (story, ms, STORY_QUIC, 5120, "pdq", connection, 0, connection & 0xff);
  report_quic_address (story, ms + 0.1, 5127, connection, client);
  report_quic_address (story, ms + 0.2, 5128, connection, server);
  story_write (story, ms + 0.3, STORY_QUIC, 5139, "pd", connection, 1);
  story_write (story, ms + 0.4, STORY_QUIC, 5149, "pqbx", connection, P (0), 8, "c0ffee0102030405");
  story_write (story, ms + 1, STORY_QUIC, 5132, "p", connection);
}

static void
report_datagram (Story *story,
                 double ms,
                 guint id,
                 const char *local,
                 const char *remote,
                 guint size)
{
  story_write (story,
               ms,
               STORY_TCPIP,
               id,
               "pddSSd",
               P (0xffffaa0000007000),
               1,
               size,
               local,
               remote,
               story->pid);
}

static void
report_stream (Story *story, double ms, guint64 stream, guint64 connection, guint n, guint received)
{
  layers_set_stack (story, 3);
  story_write (story, ms, STORY_QUIC, 6144, "ppqb", stream, connection, P (4 * n), 1);
  story_write (story, ms + 1, STORY_QUIC, 6161, "pqdd", stream, P (180 + n), 1, 0);
  story_write (story, ms + 40 + 30 * n, STORY_QUIC, 6159, "pqdd", stream, P (received), 1, 0);
  story_write (story, ms + 41 + 30 * n, STORY_QUIC, 6145, "p", stream);
}

void
layers_write_quic (Story *story, double ms)
{
  const guint64 connection = P (0x1f2000011);
  const guint64 refused = P (0x1f2000022);
  const guint64 stream = P (0x1f3000010);

  layers_set_process (story, 7300, 7304);
  story_write (story,
               ms + 3,
               STORY_DNS,
               3008,
               "wdqdw",
               "media.example.com",
               1,
               P (0),
               0,
               "198.51.100.8;");
  layers_set_stack (story, 1);
  report_quic_begin (story, ms + 5, connection, QUIC_CLIENT, QUIC_SERVER);
  report_datagram (story, ms + 7, 1169, HOST ":55001", "198.51.100.8:443", 1250);
  report_datagram (story, ms + 30, 1170, HOST ":55001", "198.51.100.8:443", 1250);
  story_write (story, ms + 31, STORY_QUIC, 5122, "p", connection);
  report_stream (story, ms + 40, stream, connection, 0, 65000);
  report_stream (story, ms + 100, stream + 0x100, connection, 1, 512000);
  report_stream (story, ms + 200, stream + 0x200, connection, 2, 1900);
  layers_set_stack (story, 2);
  report_quic_begin (story, ms + 320, refused, QUIC_OTHER_CLIENT, QUIC_OTHER_SERVER);
  story_write (story,
               ms + 360,
               STORY_QUIC,
               8193,
               "pda",
               refused,
               0x80410178u,
               "Received alert from peer");
  story_write (story, ms + 360.1, STORY_QUIC, 5135, "pqbb", refused, P (0x80410178), 1, 1);
  story_write (story, ms + 361, STORY_QUIC, 5121, "p", refused);
  story_write (story,
               ms + 400,
               STORY_QUIC,
               5194,
               "pqddqqdad",
               connection,
               P (23500),
               2,
               0,
               P (61234),
               P (812345),
               9,
               "CUBIC",
               0);
  story_write (story,
               ms + 400.1,
               STORY_QUIC,
               5174,
               "pqqqqqqqq",
               connection,
               P (80),
               P (5),
               P (2),
               P (700),
               P (4),
               P (1),
               P (0),
               P (0));
  story_write (story, ms + 410, STORY_QUIC, 5136, "pqb", connection, P (0x100), 0);
  story_write (story, ms + 411, STORY_QUIC, 5161, "pb", connection, 0);
  story_write (story, ms + 412, STORY_QUIC, 5121, "p", connection);
}

/* ---- RPC: calls over TCP, local calls, and one over a named pipe that does not exist ---- */

#define SVCCTL "367abb81-9844-35f1-ad32-98f038001003"
#define SPOOLSS "12345678-1234-abcd-ef00-0123456789ab"
#define LSARPC "12345778-1234-abcd-ef00-0123456789ab"

static void
report_call (Story *story,
             double ms,
             guint id,
             const char *interface,
             guint opnum,
             guint protocol,
             const char *address,
             const char *endpoint)
{
  story_write_version (story,
                       ms,
                       STORY_RPC,
                       id,
                       1,
                       "gddwwwddd",
                       interface,
                       opnum,
                       protocol,
                       address,
                       endpoint,
                       "NULL",
                       6,
                       9,
                       3);
}

static void
report_call_end (Story *story, double ms, guint id, guint status)
{
  story_write_version (story, ms, STORY_RPC, id, 1, "d", status);
}

void
layers_write_rpc (Story *story, double ms)
{
  const guint64 tcb = P (0xffffaa0000011000);
  const guint64 rx = P (0xffffd10000a00000);

  layers_set_process (story, 7400, 7404);
  layers_begin_tcp (story, ms + 1, tcb, HOST ":50741", "10.0.0.20:49667");
  layers_end_tcp (story, ms + 3, 1033, tcb, HOST ":50741", "10.0.0.20:49667", 0);
  story->activity = 0x7401;
  layers_set_stack (story, 1);
  report_call (story, ms + 10, 5, SVCCTL, 15, 1, "10.0.0.20", "49667");
  story_write (story, ms + 10.5, STORY_TCPIP, 1159, "pwdd", tcb, "", 640, 0);
  story_write (story, ms + 60, STORY_TCPIP, 1074, "pdd", tcb, 1200, 1);
  report_call_end (story, ms + 61, 7, 0);
  story->activity = 0x7402;
  layers_set_stack (story, 2);
  report_call (story, ms + 100, 5, SPOOLSS, 1, 2, "\\\\print01", "\\pipe\\spoolss");
  /* SMB opens a named pipe as a file of the share IPC$. */
  story_write (story, ms + 101, STORY_SMB, 32004, "qUbb", rx, "\\print01\\IPC$\\spoolss", 0, 0);
  story_write (story, ms + 2099, STORY_SMB, 30103, "ppp", rx, rx + 0x500, P (1));
  story_write (story, ms + 2099.1, STORY_SMB, 30104, "ppdd", rx, rx + 0x500, 3, 0xc00000beu);
  story_write_version (story,
                       ms + 2099.2,
                       STORY_SMB,
                       32010,
                       2,
                       "qbqqqq",
                       rx,
                       0,
                       P (0),
                       P (0),
                       P (0),
                       P (7));
  report_call_end (story, ms + 2100, 7, 1722);
  story->activity = 0x7403;
  layers_set_stack (story, 3);
  report_call (story, ms + 2200, 5, LSARPC, 44, 3, "NULL", "lsarpc");
  layers_set_process (story, 7408, 7412);
  story->activity = 0x7403;
  report_call (story, ms + 2201, 6, LSARPC, 44, 3, "NULL", "lsarpc");
  report_call_end (story, ms + 2209, 8, 5);
  layers_set_process (story, 7400, 7404);
  story->activity = 0x7403;
  report_call_end (story, ms + 2210, 7, 5);
}

/* ---- BITS: a download with its requests, and one that fails with HTTP 404 ---- */

#define JOB "bbbbbbbb-0001-0002-0003-000000000001"

static void
report_transfer (Story *story, double ms, const char *transfer, const char *url)
{
  story_write_version (story,
                       ms,
                       STORY_BITS,
                       59,
                       1,
                       "gwgwwqqqqq",
                       transfer,
                       "Contoso update",
                       JOB,
                       url,
                       "",
                       P (0),
                       P (500000),
                       P (500000),
                       P (0),
                       P (0));
}

static void
report_transfer_end (Story *story,
                     double ms,
                     const char *transfer,
                     const char *url,
                     guint status,
                     guint64 transferred)
{
  story_write_version (story,
                       ms,
                       STORY_BITS,
                       status == 0 ? 60 : 61,
                       1,
                       "gwgwwdqqqqwqqddqd",
                       transfer,
                       "Contoso update",
                       JOB,
                       url,
                       "",
                       status,
                       P (0),
                       P (500000),
                       P (500000),
                       transferred,
                       "",
                       P (0),
                       P (0),
                       0,
                       0,
                       P (0),
                       0);
}

static void
report_download (Story *story,
                 double ms,
                 guint n,
                 const char *url,
                 guint64 received,
                 const char *answer)
{
  const guint64 h = 0x1000 + n;
  const guint64 ptr = 0x2000 + n * 0x100;
  const guint64 connection = 0x3000 + n * 0x100;
  const guint64 socket = 0x4000 + n;

  story_request (story, ms, ptr, h, P (0x900), url);
  story_wait (story, ms + 1, ptr, h, connection);
  story_connect (story, ms + 2, h, connection, socket, "203.0.113.30:80");
  story_connected (story, ms + 14, h, connection, socket, 0);
  story_send (story, ms + 15, h, connection, socket, 310);
  story_header (story, ms + 60, ptr, answer);
  story_receive (story, ms + 120, h, connection, socket, received);
  story_request_close (story, ms + 130, ptr, h);
}

void
layers_write_bits (Story *story, double ms)
{
  static const char first[] = "aaaaaaaa-0001-0002-0003-000000000001";
  static const char second[] = "aaaaaaaa-0001-0002-0003-000000000002";
  static const char good[] = "http://download.example.com/u/setup.cab";
  static const char gone[] = "http://download.example.com/u/delta.cab";

  layers_set_process (story, 7500, 7510);
  story_write_version (story,
                       ms + 1,
                       STORY_BITS,
                       3,
                       2,
                       "wgwwd",
                       "Contoso update",
                       JOB,
                       "CONTOSO\\user",
                       "C:\\Program Files\\Contoso\\updater.exe",
                       7504);
  story_session (story, ms + 2, P (0x900));
  report_transfer (story, ms + 10, first, good);
  report_download (story,
                   ms + 20,
                   0,
                   good,
                   250000,
                   "HTTP/1.1 206 Partial Content\r\nContent-Length: 250000\r\n\r\n");
  report_download (story,
                   ms + 200,
                   1,
                   good,
                   250000,
                   "HTTP/1.1 206 Partial Content\r\nContent-Length: 250000\r\n\r\n");
  layers_set_process (story, 7500, 7510);
  report_transfer_end (story, ms + 400, first, good, 0, 500000);
  report_transfer (story, ms + 420, second, gone);
  report_download (story, ms + 430, 2, gone, 300, "HTTP/1.1 404 Not Found\r\n\r\n");
  layers_set_process (story, 7500, 7510);
  report_transfer_end (story, ms + 600, second, gone, 0x80190194u, 0);
}

/* ---- NdisWan: a VPN whose packets are captured before encapsulation ---- */

#define VPN_TO_SERVER "4500%04x1234000080060000c0a8640a0a140005"
#define VPN_TO_CLIENT "4500%04x12340000400600000a140005c0a8640a"

static void
report_vpn_packet (Story *story,
                   double ms,
                   gboolean is_in,
                   guint seq,
                   guint ack,
                   guint flags,
                   const char *data)
{
  g_autoptr (GString) hex = g_string_new ("0001020304050607080908090800");

  g_string_append_printf (hex, is_in ? VPN_TO_CLIENT : VPN_TO_SERVER, (guint) (40 + strlen (data)));
  g_string_append_printf (hex,
                          "%s%08x%08x50%02xffff00000000",
                          is_in ? "0050c351" : "c3510050",
                          seq,
                          ack,
                          flags);
  for (; *data != '\0'; data++)
    g_string_append_printf (hex, "%02x", (guint8) *data);
  story_write (story, ms, STORY_WAN, is_in ? 5002 : 5001, "wwX", "", "CONTOSO\\user", hex->str);
}

void
layers_write_vpn (Story *story, double ms)
{
  static const char request[] = "GET /intranet HTTP/1.1\r\nHost: intra.example\r\n\r\n";
  static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  const guint n_request = sizeof request - 1;
  const guint n_answer = sizeof answer - 1;

  layers_set_process (story, 7600, 7604);
  layers_begin_tcp (story, ms + 9, P (0xffffaa0000021000), "192.168.100.10:50001", "10.20.0.5:80");
  layers_set_process (story, 4, 92);
  report_vpn_packet (story, ms + 10, FALSE, 100, 0, 0x02, "");
  report_vpn_packet (story, ms + 52, TRUE, 900, 101, 0x12, "");
  report_vpn_packet (story, ms + 52.2, FALSE, 101, 901, 0x10, "");
  layers_set_process (story, 7600, 7604);
  layers_end_tcp (story,
                  ms + 52.3,
                  1033,
                  P (0xffffaa0000021000),
                  "192.168.100.10:50001",
                  "10.20.0.5:80",
                  0);
  layers_set_process (story, 4, 92);
  report_vpn_packet (story, ms + 53, FALSE, 101, 901, 0x18, request);
  report_vpn_packet (story, ms + 353, FALSE, 101, 901, 0x18, request);
  report_vpn_packet (story, ms + 402, TRUE, 901, 101 + n_request, 0x18, answer);
  report_vpn_packet (story, ms + 403, FALSE, 101 + n_request, 901 + n_answer, 0x11, "");
  report_vpn_packet (story, ms + 445, TRUE, 901 + n_answer, 102 + n_request, 0x11, "");
}

/* ---- WFP: a firewall rule blocks a program, and blocks an inbound connection attempt ---- */

#define BACKUP "\\device\\harddiskvolume3\\program files\\contoso\\backup.exe"
#define SYSTEM_SID "010100000000000512000000"
#define INBOUND 0x3900
#define OUTBOUND 0x3901

static void
report_drop (Story *story, double ms, const char *local, const char *remote, guint direction)
{
  gboolean is_in = direction == INBOUND;

  story_write (story,
               ms,
               STORY_WFP,
               1001,
               "qSSdwxdddddqh",
               P (0),
               local,
               remote,
               0,
               is_in ? "System" : BACKUP,
               SYSTEM_SID,
               0,
               0,
               0,
               direction,
               0,
               is_in ? P (66001) : P (70123),
               is_in ? 44 : 48);
}

void
layers_write_wfp (Story *story, double ms)
{
  const guint64 tcb = P (0xffffaa0000031000);
  guint i;

  layers_set_process (story, 7700, 7704);
  for (i = 0; i < 3; i++)
    {
      g_autofree char *local = g_strdup_printf (HOST ":%u", 50771 + i);
      double at = ms + 10 + i * 500;

      layers_set_stack (story, 1);
      layers_begin_tcp (story, at, tcb + i * 0x1000, local, "203.0.113.40:8443");
      report_drop (story, at + 0.5, local, "203.0.113.40:8443", OUTBOUND);
      layers_end_tcp (story,
                      at + 1,
                      1020,
                      tcb + i * 0x1000,
                      local,
                      "203.0.113.40:8443",
                      0xc0000022u);
      layers_end_tcp (story,
                      at + 1.2,
                      1034,
                      tcb + i * 0x1000,
                      local,
                      "203.0.113.40:8443",
                      0xc0000022u);
    }
  layers_set_process (story, 4, 96);
  report_drop (story, ms + 1600, HOST ":3389", "198.51.100.66:40001", INBOUND);
  report_drop (story, ms + 1700, HOST ":55777", "203.0.113.41:123", OUTBOUND);
}
