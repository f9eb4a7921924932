/* Measures correlation and findings on worst-case traces.
 *
 * Doubling the events must not take much more than twice the time.
 *
 * bench-worst [N [SHAPES]] measures N and 2 N of each shape; SHAPES are names separated by commas.
 * Prints one line per shape: its name, milliseconds of processor time for N and for 2 N, ratio;
 * then the same for the findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/stitch-fixture.h"
#include "../engine/story.h"
#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "findings/ns-finding.h"

#include <string.h>
#include <time.h>

#define N_DEFAULT 20000
#define HERE "10.0.0.5:50001"
#define THERE "1.2.3.4:443"

/* Time between two events. */
static double step_ms = 0.001;

typedef struct
{
  const char *name;
  void (*tell) (Story *story, guint n);
} Shape;

static double
at (guint i)
{
  return 1 + i * step_ms;
}

static guint64
key (guint i)
{
  return G_GUINT64_CONSTANT (0xffffaa0000000000) + (guint64) i * 0x100;
}

/* One address tuple is reused again and again; its first connections never close. */
static void
report_tcp_reuse (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    story_tcp_connect (story, at (i), key (i), HERE, THERE);
  for (guint i = 0; i < n; i++)
    story_tcp_posted (story, at (n + i), key (i), 100);
}

static void
report_sockets_reuse (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_socket (story, at (i), key (0), 50001, THERE);
      story_tcp_connect (story, at (i), key (i), HERE, THERE);
      story_socket_bytes (story, at (i), 1003, key (0), 100);
    }
}

static void
report_sockets_open (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_socket (story, at (i), key (i), 50001, THERE);
      story_tcp_connect (story, at (i), key (i), HERE, THERE);
    }
  for (guint i = 0; i < n; i++)
    story_socket_bytes (story, at (n + i), 1003, key (i), 100);
}

/* One socket sends datagrams to many peers repeatedly. */
static void
report_datagrams (Story *story, guint n)
{
  guint64 process = 0xbb0000 + story->pid;

  story_write (story,
               0.5,
               STORY_AFD,
               1000,
               "ddppdddpd",
               0,
               1002,
               process,
               key (0),
               2,
               2,
               17,
               P (story->pid),
               0);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *to = g_strdup_printf ("20.1.%u.%u:53", i >> 8 & 0xff, i & 0xff);

      story_write (story,
                   at (i),
                   STORY_AFD,
                   1012,
                   "ddppdpddA",
                   0,
                   3042,
                   process,
                   key (0),
                   1,
                   P (0x1000),
                   100,
                   0,
                   to);
      story_write (story,
                   at (i),
                   STORY_TCPIP,
                   1169,
                   "pddAAdd",
                   key (0),
                   1,
                   100,
                   HERE,
                   to,
                   story->pid,
                   0);
    }
}

/* LDAP sockets that closed at once, and operations that match none of them. */
static void
report_ldap (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_socket (story, at (i), key (i), 50001, "1.2.3.4:389");
      story_socket_close (story, at (i) + 0.3, key (i));
    }
  for (guint i = 0; i < n; i++)
    {
      story->tid = 40 + i % 2;
      story_write (story,
                   at (n + i) + 5,
                   STORY_LDAP,
                   30,
                   "dwwwd",
                   2,
                   "(objectClass=*)",
                   "DC=corp,DC=example",
                   "cn,mail",
                   story->pid);
      story_socket_bytes (story, at (n + i) + 5, 1003, key (0), 100);
    }
}

/* Lookups of services, and operations on servers found by none of them. */
static void
report_ldap_services (Story *story, guint n)
{
  story_socket (story, 0.1, key (0), 50001, "1.2.3.4:389");
  for (guint i = 0; i < n; i++)
    {
      const char *name = "_ldap._tcp.dc._msdcs.corp.example";

      story_write (story, at (i), STORY_DNS, 3006, "wdqwdddd", name, 33, P (0), "", 1, 0, 0, 0);
      story_write (story,
                   at (i),
                   STORY_DNS,
                   3008,
                   "wdqdw",
                   name,
                   33,
                   P (0),
                   0,
                   "type: 33 dc1.corp.example;1.2.3.5;");
    }
  for (guint i = 0; i < n; i++)
    story_write (story,
                 at (n + i),
                 STORY_LDAP,
                 30,
                 "dwwwd",
                 2,
                 "(objectClass=*)",
                 "DC=corp,DC=example",
                 "cn,mail",
                 story->pid);
}

/* Each operation is sent by another thread while the first socket stays open. */
static void
report_ldap_sends (Story *story, guint n)
{
  story_socket (story, at (0), key (0), 50001, "1.2.3.4:389");
  for (guint i = 0; i < n; i++)
    {
      story->tid = 40;
      story_write (story,
                   at (n) + 1,
                   STORY_LDAP,
                   30,
                   "dwwwd",
                   2,
                   "(objectClass=*)",
                   "DC=corp,DC=example",
                   "cn,mail",
                   story->pid);
      story->tid = 44;
      story_socket_bytes (story, at (n) + 1, 1003, key (0), 100);
    }
}

static void
report_names_of_address (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("host%u.example", i);

      story_write (story, at (2 * i), STORY_DNS, 3006, "wdqwdddd", name, 1, P (0), "", 1, 0, 0, 0);
      story_write (story, at (2 * i + 1), STORY_DNS, 3008, "wdqdw", name, 1, P (0), 0, "1.2.3.4;");
    }
  for (guint i = 0; i < n; i++)
    story_socket (story, at (2 * n + i), key (i), 50001, THERE);
}

/* DNS queries of one name without answers, and answers without queries. */
static void
report_lookups (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story->tid = 40 + i;
      story_write (story, at (i), STORY_DNS, 3006, "wdqwdddd", "a.b", 1, P (0), "", 1, 0, 0, 0);
      story_write (story, at (i), STORY_RESOLUTION, 1000, "wwddddd", "a.b", "", 0, 0, 0, 0, 0);
    }
  for (guint i = 0; i < n; i++)
    {
      story->tid = 40 + n + i;
      story_write (story, at (n + i), STORY_DNS, 3008, "wdqdw", "a.b", 1, P (0), 0, "1.2.3.4;");
      story_write (story, at (n + i), STORY_RESOLUTION, 1001, "wdw", "a.b", 0, "1.2.3.4;");
    }
}

/* Requests with one pointer and one handle, none of them closed. */
static void
report_webio_handle (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_request (story, at (i), P (0x20000), 1, P (0x77000), "https://a.example/");
      story_wait (story, at (i), P (0x20000), 1, P (0x30000));
      story_connect (story, at (i), 1, P (0x30000), P (0x31000), THERE);
      story_send (story, at (i), 1, P (0x30000), P (0x31000), 100);
    }
}

/* One request with many connections and sockets. */
static void
report_webio_connections (Story *story, guint n)
{
  story_request (story, 0.5, P (0x20000), 1, P (0x77000), "https://a.example/");
  for (guint i = 0; i < n; i++)
    {
      story_wait (story, at (i), P (0x20000), 1, key (i));
      story_connect (story, at (i), 1, key (i), key (i) + 8, THERE);
      story_connected (story, at (i), 1, key (i), key (i) + 8, 0);
      story_tcp_connect (story, at (i), key (i), HERE, THERE);
    }
  for (guint i = 0; i < n; i++)
    {
      story_send (story, at (n + i), 1, key (i), key (i) + 8, 100);
      story_header (story, at (n + i), P (0x20000), "HTTP/1.1 200 OK");
    }
}

/* Many requests of one session wait for one connection. */
static void
report_webio_sharing (Story *story, guint n)
{
  story_session (story, 0.5, P (0x77000));
  for (guint i = 0; i < n; i++)
    {
      story_request (story, at (i), key (i), i + 1, P (0x77000), "https://a.example/");
      story_wait (story, at (i), key (i), i + 1, P (0x30000));
      story_connect (story, at (i), i + 1, P (0x30000), P (0x31000), THERE);
    }
  for (guint i = 0; i < n; i++)
    story_send (story, at (n + i), i + 1, P (0x30000), P (0x31000), 100);
}

static void
report_wininet (Story *story, guint i, guint handle)
{
  story->activity = (guint64) handle << 32 | 1;
  story_write (story,
               at (i),
               STORY_WININET,
               104,
               "ppccchhd",
               P (handle),
               P (8),
               "GET",
               "/x",
               "HTTP/1.1",
               1,
               1,
               0);
  story_write (story, at (i), STORY_WININET, 108, "pcdh", P (handle), "a.com", 443, 0);
  story_write (story, at (i), STORY_WININET, 1007, "pa", P (handle + 1), "https://a.com/x");
  story->activity = 0;
}

static void
report_wininet_handle (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    report_wininet (story, i, 12);
}

/* Equal numbers of downloads and requests, all of one URL. */
static void
report_urlmon (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_write (story, at (i), STORY_URLMON, 805, "dw", 0, "https://a.com/x");
      story_write (story, at (i), STORY_URLMON, 802, "dw", 6, "https://a.com/x");
    }
  for (guint i = 0; i < n; i++)
    report_wininet (story, n + i, 12 + i * 4);
}

/* Calls on one endpoint address that was reused many times. */
static void
report_calls (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_socket (story, at (i), key (0), 50001, THERE);
      story_socket_close (story, at (i), key (0));
    }
}

/* Packets of connections with equal endpoints. */
static void
report_packets (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    story_segment (story, at (i), i % 2, i, "x", 1);
  for (guint i = 0; i < n; i++)
    story_tcp_connect (story, at (n + i) + 5000, key (i), STORY_HERE, STORY_THERE);
}

static void
report_http_server (Story *story, guint n)
{
  story_write (story, 0.5, STORY_HTTP_SERVER, 21, "pAA", P (0xc0), "10.0.0.1:80", "10.0.0.9:610");
  for (guint i = 0; i < n; i++)
    {
      guint64 id = 0x11 + i / 2;

      story_write (story, at (i), STORY_HTTP_SERVER, 1, "qqA", id, P (0x22), "10.0.0.9:610");
      story_write (story, at (i), STORY_HTTP_SERVER, 22, "qqp", id, P (0x22), P (0xc0));
      story_write (story, at (i), STORY_HTTP_SERVER, 2, "pdw", P (0xd0), 4, "http://s:80/");
    }
}

static void
report_chromium_streams (Story *story, guint n)
{
  story_netlog (story,
                0.4,
                "QUIC_SESSION",
                "PHASE_BEGIN",
                31,
                "QUIC_SESSION",
                "{\"host\":\"q.example\",\"port\":443,\"source_dependency\":{\"id\":30}}");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *sent = g_strdup_printf (
          "{\"stream_id\":%u,\"headers\":[\":method: GET\",\":scheme: https\",\":authority: "
          "q.example\",\":path: /\"]}",
          i);
      g_autofree char *data = g_strdup_printf ("{\"stream_id\":%u,\"payload_length\":9}", i);

      story_netlog (story, at (i), "HTTP3_HEADERS_SENT", "PHASE_NONE", 31, "QUIC_SESSION", sent);
      story_netlog (story,
                    at (i),
                    "HTTP3_DATA_FRAME_RECEIVED",
                    "PHASE_NONE",
                    31,
                    "QUIC_SESSION",
                    data);
    }
}

/* A session with as many migrations as streams. */
static void
report_chromium_migrations (Story *story, guint n)
{
  report_chromium_streams (story, n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *address = g_strdup_printf ("{\"address\":\"1.2.3.%u:443\"}", i % 250 + 1);

      story_netlog (story,
                    at (n + i),
                    "SOCKET_ALIVE",
                    "PHASE_BEGIN",
                    100 + i,
                    "UDP_CLIENT_SOCKET",
                    "{\"source_dependency\":{\"id\":31}}");
      story_netlog (story, at (n + i), "SOCKET_CONNECT", "PHASE_END", 100 + i, "", address);
      story_netlog (story,
                    at (n + i),
                    "QUIC_PORT_MIGRATION_SUCCESS",
                    "PHASE_NONE",
                    31,
                    "QUIC_SESSION",
                    "{}");
    }
}

static void
report_chromium_requests (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *alive = g_strdup_printf ("{\"url\":\"https://a.example/%u\"}", i);

      story_netlog (story, at (i), "REQUEST_ALIVE", "PHASE_BEGIN", 10, "URL_REQUEST", alive);
      story_netlog (story, at (i), "URL_REQUEST_REDIRECTED", "PHASE_NONE", 10, "URL_REQUEST", "{}");
    }
}

/* Flows counted by the kernel, all with equal endpoints. */
static void
report_kernel_network (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      story_write (story,
                   at (i),
                   STORY_KERNEL_NETWORK,
                   12,
                   "dddddhhdqdddddd",
                   story->pid,
                   0,
                   0x04030201,
                   0x0500000a,
                   0,
                   0xbb01,
                   0x51c3,
                   0,
                   P (0));
      story_write (story,
                   at (i),
                   STORY_KERNEL_NETWORK,
                   13,
                   "ddddhhdq",
                   story->pid,
                   0,
                   0x04030201,
                   0x0500000a,
                   0xbb01,
                   0x51c3,
                   0,
                   P (0));
    }
}

static void
report_script (Story *story, guint n, const char *first, const char *second)
{
  g_autoptr (GString) script = g_string_new ("0:1:RD 1 exe; 0:1:RD 2 exe; 0:1:RD 3 exe");

  stitch_images_write (story->writer);
  for (guint i = 0; i < 2 * n; i++)
    {
      const char *p = i < n ? first : second;

      g_string_append_printf (script, "; %.4f:", at (i));
      for (; *p != '\0'; p++)
        if (*p == '^')
          g_string_append_printf (script, "%u", n - i % n);
        else if (*p == '#')
          g_string_append_printf (script, "%u", i % n + 1);
        else if (*p == '$')
          g_string_append_printf (script, "%.4f", at (i) + 0.0002);
        else
          g_string_append_c (script, *p);
    }
  stitch_script_write (story->writer, script->str);
}

/* Callbacks are queued first and dequeued later, in reverse order. */
static void
report_pool_pending (Story *story, guint n)
{
  report_script (story, n, "1:WE 5 #", "2:WD 5 9");
}

/* Tasks nested on one thread, then connections made inside all of them. */
static void
report_pool_nested (Story *story, guint n)
{
  report_script (story, n, "2:WE 5 #; $:2:WS 5 #", "2:HQ 5 #");
}

static void
report_pool_nested_ends (Story *story, guint n)
{
  report_script (story, n, "2:WE 5 #; $:2:WS 5 #", "2:WX 5 #");
}

/* Many timers of one queue on a thread that repeatedly ends another queue. */
static void
report_timers (Story *story, guint n)
{
  report_script (story, n, "1:TS 7 # 100; $:2:TE 7 #", "2:TN 8");
}

/* One task started by many threads. */
static void
report_task_of_threads (Story *story, guint n)
{
  report_script (story, n, "1#:WE 5 6; $:1#:WD 5 6; $:1#:WS 5 6", "1#:WX 5 6");
}

static void
report_task_of_threads_back (Story *story, guint n)
{
  report_script (story, n, "1#:WE 5 6; $:1#:WD 5 6; $:1#:WS 5 6", "1^:WX 5 6");
}

static void
report_idle (Story *story, guint n)
{
  report_script (story, n, "2:IR # 6", "2:IB");
}

static void
report_queues (Story *story, guint n)
{
  report_script (story, n, "2:QP UI 5 #", "2:QB UI 5");
}

static void
report_office (Story *story, guint n)
{
  report_script (story, n, "2:OC 5 1", "3:OD 5");
}

static void
report_actions (Story *story, guint n)
{
  report_script (story, n, "2:HQ 5 #", "3:HS 5 7");
}

static void
report_creations (Story *story, guint n)
{
  report_script (story, n, "2:TC 77 exe", "77:HQ 5 #");
}

/* Each activity is the child of the previous one. */
static void
report_activities (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      NsEtlWriterEvent event = { .id = 1, .pid = 100, .tid = 40 };
      guint32 own = n - i;
      guint32 above = n - i + 1;

      memcpy (event.activity.bytes, &own, sizeof own);
      memcpy (event.related.bytes, &above, sizeof above);
      event.guid.bytes[0] = 0x77;
      event.raw = ns_etl_writer_get_base_raw (story->writer) + 10 + i;
      g_assert_true (ns_etl_writer_add_event (story->writer, &event));
    }
}

/* Nested spans that never end, then end events that match none of them. */
static void
report_spans (Story *story, guint n)
{
  for (guint i = 0; i < 2 * n; i++)
    {
      g_autoptr (GByteArray) fields = g_byte_array_new ();
      g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl (i < n ? "a" : "b", fields);
      NsEtlWriterEvent event = { .channel = 11, .pid = 7, .tid = 70, .schema_tl = schema };

      event.guid.bytes[0] = 0x78;
      event.opcode = i < n ? 1 : 2;
      event.raw = ns_etl_writer_get_base_raw (story->writer) + 10 + i;
      g_assert_true (ns_etl_writer_add_event (story->writer, &event));
    }
}

/* Overlapping images at one address, and stacks in them. */
static void
report_images (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    stitch_image_write (story->writer, 100, 0x7ff600000000, 0x10000, "\\Windows\\a.dll");
  for (guint i = 0; i < n; i++)
    {
      story->stack[0] = 0x7ff600001000 + i % 64;
      story_tcp_connect (story, at (i), key (i), HERE, THERE);
    }
}

/* Processes with one PID, none of which ends. */
static void
report_processes (Story *story, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GByteArray) payload = g_byte_array_new ();
      NsEtlWriterGroup record = { .raw = ns_etl_writer_get_base_raw (story->writer) + 10 + i,
                                  .group = 3,
                                  .opcode = 1,
                                  .version = 4,
                                  .payload = payload };

      ns_etl_bytes_u64 (payload, key (i));
      ns_etl_bytes_u32 (payload, 100);
      ns_etl_bytes_zero (payload, 28);
      ns_etl_bytes_zero (payload, 8);
      ns_etl_bytes_astr (payload, "a.exe");
      ns_etl_bytes_zero (payload, 8);
      g_assert_true (ns_etl_writer_add_group (story->writer, &record));
    }
  for (guint i = 0; i < n; i++)
    story_tcp_connect (story, at (i) - 1, key (i), HERE, THERE);
}

/* Stacks without events, all with one time and thread, and records with that time. */
static void
report_stacks (Story *story, guint n)
{
  guint64 raw = ns_etl_writer_get_base_raw (story->writer) + 10000;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GByteArray) payload = g_byte_array_new ();
      NsEtlWriterGroup walk = { .raw = raw + 20,
                                .kind = NS_RECORD_PERFINFO64,
                                .group = 0x18,
                                .opcode = 32,
                                .version = 2,
                                .payload = payload };

      ns_etl_bytes_u64 (payload, raw);
      ns_etl_bytes_u32 (payload, story->pid);
      ns_etl_bytes_u32 (payload, story->tid);
      for (guint j = 0; j < 3; j++)
        ns_etl_bytes_u64 (payload, 0x7ff600001000 + i);
      g_assert_true (ns_etl_writer_add_group (story->writer, &walk));
      story_tcp_connect (story, 1, key (i), HERE, THERE);
    }
}

static const Shape shapes[] = {
  { "tcp-reuse", report_tcp_reuse },
  { "sockets-reuse", report_sockets_reuse },
  { "sockets-open", report_sockets_open },
  { "datagrams", report_datagrams },
  { "ldap", report_ldap },
  { "ldap-sends", report_ldap_sends },
  { "ldap-services", report_ldap_services },
  { "names-of-address", report_names_of_address },
  { "lookups", report_lookups },
  { "webio-handle", report_webio_handle },
  { "webio-connections", report_webio_connections },
  { "webio-sharing", report_webio_sharing },
  { "wininet-handle", report_wininet_handle },
  { "urlmon", report_urlmon },
  { "calls", report_calls },
  { "packets", report_packets },
  { "http-server", report_http_server },
  { "chromium-streams", report_chromium_streams },
  { "chromium-migrations", report_chromium_migrations },
  { "chromium-requests", report_chromium_requests },
  { "kernel-network", report_kernel_network },
  { "pool-pending", report_pool_pending },
  { "pool-nested", report_pool_nested },
  { "pool-nested-ends", report_pool_nested_ends },
  { "timers", report_timers },
  { "task-of-threads", report_task_of_threads },
  { "task-of-threads-back", report_task_of_threads_back },
  { "idle", report_idle },
  { "queues", report_queues },
  { "office", report_office },
  { "actions", report_actions },
  { "creations", report_creations },
  { "activities", report_activities },
  { "spans", report_spans },
  { "images", report_images },
  { "processes", report_processes },
  { "stacks", report_stacks },
};

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static double
measure (const Shape *shape, guint n, double *findings_ms)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = NULL;
  NsTraceOptions options = { 0 };
  NsEtlFile *file;
  double begin_ms;
  double open_ms;

  shape->tell (story, n);
  bytes = ns_etl_writer_finish (story->writer);
  file = ns_etl_file_open_bytes (bytes, "worst.etl", &error);
  g_assert_no_error (error);
  begin_ms = get_cpu_ms ();
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  open_ms = get_cpu_ms () - begin_ms;
  begin_ms = get_cpu_ms ();
  ns_findings_get (trace);
  *findings_ms = get_cpu_ms () - begin_ms;
  return open_ms;
}

int
main (int argc, char *argv[])
{
  guint n = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : N_DEFAULT;
  g_auto (GStrv) wanted = g_strsplit (argc > 2 ? argv[2] : "", ",", -1);

  if (argc > 3)
    step_ms = g_ascii_strtod (argv[3], NULL);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      double once;
      double twice;
      double found_once;
      double found_twice;

      if (wanted[0] != NULL && !g_strv_contains ((const char *const *) wanted, shapes[i].name))
        continue;
      once = measure (&shapes[i], n, &found_once);
      twice = measure (&shapes[i], 2 * n, &found_twice);
      g_print ("%-20s\t%.1f\t%.1f\t%.2f\t%.1f\t%.1f\t%.2f\n",
               shapes[i].name,
               once,
               twice,
               twice / once,
               found_once,
               found_twice,
               found_twice / found_once);
    }
  return 0;
}
