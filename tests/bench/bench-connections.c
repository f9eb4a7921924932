/* Measures correlation time against the number of connections.
 *
 * Doubling the connections must not take much more than twice the time.
 *
 * bench-connections [N [KINDS [HOSTS [PROCESSES]]]] measures N and 2 N connections; KINDS are
 * letters, see kinds[].
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N_DEFAULT 200000
/* Connections that are open at the same time. Keys are reused after N_KEYS connections, ports after
 * N_PORTS. */
#define N_OPEN 900
#define N_KEYS 1024
#define N_PORTS 20000
#define HALF_WAY 300

static guint n_hosts = 5000;
static guint n_processes = 40;

typedef struct
{
  guint n;
  double ms; /* open time */
  guint64 tcb;
  guint64 endpoint;
  guint64 request;
  guint64 handle;
  guint64 wire; /* connection object of WebIO */
  guint local_port;
  char *host;
  char *url;
  char *local;
  char *remote;
  char *ip;
} Connection;

/* Open, active and close events of a connection. */
typedef struct
{
  char letter;
  const char *name;
  void (*open) (Story *story, const Connection *it);
  void (*work) (Story *story, const Connection *it, double ms);
  void (*close) (Story *story, const Connection *it, double ms);
} Kind;

static void
connection_init (Connection *self, Story *story, guint n)
{
  guint key = n % N_KEYS;
  guint host = n % n_hosts;

  self->n = n;
  self->ms = n + 1;
  self->tcb = G_GUINT64_CONSTANT (0xffffaa0000000000) + key * 0x1000;
  self->endpoint = G_GUINT64_CONSTANT (0xffffbb0000000000) + key * 0x400;
  self->request = P (0x20000000) + key * 0x200;
  self->handle = P (0x100) + n;
  self->wire = P (0x30000000) + key * 0x200;
  self->local_port = 30000 + n % N_PORTS;
  self->host = g_strdup_printf ("host%u.example", host);
  self->url = g_strdup_printf ("https://%s/%u", self->host, n);
  self->ip = g_strdup_printf ("20.%u.%u.%u", host >> 16, host >> 8 & 0xff, host & 0xff);
  self->local = g_strdup_printf ("10.0.0.5:%u", self->local_port);
  self->remote = g_strdup_printf ("%s:443", self->ip);
  story->pid = 100 + n % n_processes * 4;
  story->tid = 10000 + n % (n_processes * 8) * 4;
}

static void
connection_clear (Connection *self)
{
  g_free (self->host);
  g_free (self->url);
  g_free (self->ip);
  g_free (self->local);
  g_free (self->remote);
}

static void
report_tcp_close (Story *story, const Connection *it, double ms)
{
  story->activity = 0;
  story->activity_high = 0;
  story_write (story,
               ms,
               STORY_TCPIP,
               1038,
               "AAdddp",
               it->local,
               it->remote,
               0,
               story->pid,
               1,
               it->tcb);
}

static void
open_tcp (Story *story, const Connection *it)
{
  story_tcp_connect (story, it->ms, it->tcb, it->local, it->remote);
}

static void
work_tcp (Story *story, const Connection *it, double ms)
{
  story_tcp_posted (story, ms, it->tcb, 100);
  story_write (story, ms + 0.1, STORY_TCPIP, 1074, "pdd", it->tcb, 1000, 1);
}

static void
open_socket (Story *story, const Connection *it)
{
  story->activity = 0;
  story->activity_high = 0;
  story_socket (story, it->ms, it->endpoint, it->local_port, it->remote);
  story_tcp_connect (story, it->ms + 0.3, it->tcb, it->local, it->remote);
}

static void
work_socket (Story *story, const Connection *it, double ms)
{
  work_tcp (story, it, ms);
  story_socket_bytes (story, ms + 0.2, 1003, it->endpoint, 100);
  story_socket_bytes (story, ms + 0.3, 1004, it->endpoint, 1000);
}

static void
close_socket (Story *story, const Connection *it, double ms)
{
  report_tcp_close (story, it, ms);
  story_socket_close (story, ms + 0.1, it->endpoint);
}

static void
open_named (Story *story, const Connection *it)
{
  g_autofree char *answer = g_strdup_printf ("%s;", it->ip);

  story->activity = 0;
  story->activity_high = 0;
  story_write (story, it->ms - 0.1, STORY_DNS, 3008, "wdqdw", it->host, 1, P (0), 0, answer);
  open_socket (story, it);
}

static void
open_webio (Story *story, const Connection *it)
{
  story_request (story, it->ms, it->request, it->handle, P (0x77000), it->url);
  story_wait (story, it->ms + 0.1, it->request, it->handle, it->wire);
  story_resolve (story, it->ms + 0.2, it->handle, it->wire, it->host, it->ip);
  story_connect (story, it->ms + 0.5, it->handle, it->wire, it->wire + 8, it->remote);
  story_socket (story, it->ms + 0.5, it->endpoint, it->local_port, it->remote);
  story_tcp_connect (story, it->ms + 0.75, it->tcb, it->local, it->remote);
  story_connected (story, it->ms + 0.8, it->handle, it->wire, it->wire + 8, 0);
}

static void
work_webio (Story *story, const Connection *it, double ms)
{
  story_send (story, ms, it->handle, it->wire, it->wire + 8, 100);
  work_tcp (story, it, ms + 0.2);
  story_receive (story, ms + 0.4, it->handle, it->wire, it->wire + 8, 1000);
  story_header (story, ms + 0.6, it->request, "HTTP/1.1 200 OK");
}

static void
close_webio (Story *story, const Connection *it, double ms)
{
  story_request_close (story, ms, it->request, it->handle);
  story_disconnect (story, ms + 0.1, it->handle, it->wire, it->wire + 8);
  close_socket (story, it, ms + 0.2);
}

static void
report_wininet (Story *story, const Connection *it)
{
  story->activity = it->handle << 32 | 1;
  story->activity_high = 0;
}

static void
open_wininet (Story *story, const Connection *it)
{
  report_wininet (story, it);
  story_write (story,
               it->ms,
               STORY_WININET,
               104,
               "ppccchhd",
               it->handle,
               P (8),
               "GET",
               "/",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, it->ms + 0.1, STORY_WININET, 108, "pcdh", it->handle, it->host, 443, 0);
  story_write_version (story, it->ms + 0.2, STORY_WININET, 200, 1, "pp", it->handle, P (5));
  story_write (story, it->ms + 0.3, STORY_WININET, 1007, "pa", it->request, it->url);
  story_write (story, it->ms + 0.4, STORY_WININET, 305, "cpc", it->host, it->handle, it->ip);
  story_write (story, it->ms + 0.5, STORY_WININET, 1045, "p", it->request);
  story_tcp_connect (story, it->ms + 0.6, it->tcb, it->local, it->remote);
  report_wininet (story, it);
  story_write_version (story,
                       it->ms + 0.7,
                       STORY_WININET,
                       1046,
                       1,
                       "pddAA",
                       it->request,
                       it->local_port,
                       0,
                       it->local,
                       it->remote);
}

static void
work_wininet (Story *story, const Connection *it, double ms)
{
  report_wininet (story, it);
  story_write (story, ms, STORY_WININET, 1031, "pd", it->request, 100);
  work_tcp (story, it, ms + 0.1);
  report_wininet (story, it);
  story_write (story, ms + 0.3, STORY_WININET, 1037, "pd", it->request, 1000);
}

static void
close_wininet (Story *story, const Connection *it, double ms)
{
  report_wininet (story, it);
  story_write (story, ms, STORY_WININET, 1008, "pC", it->request, "HTTP/1.1 200 OK");
  story_write (story, ms + 0.1, STORY_WININET, 105, "p", it->handle);
  report_tcp_close (story, it, ms + 0.2);
}

static void
report_datagram (Story *story, const Connection *it, double ms, guint id)
{
  story->activity = 0;
  story->activity_high = 0;
  story_write (story,
               ms,
               STORY_TCPIP,
               id,
               "pddAAd",
               it->endpoint,
               1,
               50,
               it->local,
               it->remote,
               story->pid);
}

static void
open_udp (Story *story, const Connection *it)
{
  report_datagram (story, it, it->ms, 1169);
}

static void
work_udp (Story *story, const Connection *it, double ms)
{
  report_datagram (story, it, ms, 1170);
}

static void
close_udp (Story *story, const Connection *it, double ms)
{
  report_datagram (story, it, ms, 1169);
}

static const Kind kinds[] = {
  { 't', "TCP", open_tcp, work_tcp, report_tcp_close },
  { 's', "sockets", open_socket, work_socket, close_socket },
  { 'd', "sockets with DNS", open_named, work_socket, close_socket },
  { 'w', "WinHTTP", open_webio, work_webio, close_webio },
  { 'i', "WinINet", open_wininet, work_wininet, close_wininet },
  { 'u', "UDP", open_udp, work_udp, close_udp },
};

static const Kind *
find_kind (const char *letters, guint n)
{
  char letter = letters[n % strlen (letters)];
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].letter == letter)
      return &kinds[i];
  return &kinds[0];
}

/* Makes a trace in which one connection opens, one is active and one closes in each millisecond. */
static GBytes *
make_trace (guint n_connections, const char *letters)
{
  g_autoptr (Story) story = story_new ();
  guint n;

  for (n = 0; n < n_connections + N_OPEN; n++)
    {
      Connection it;

      if (n < n_connections)
        {
          connection_init (&it, story, n);
          find_kind (letters, n)->open (story, &it);
          connection_clear (&it);
        }
      if (n >= HALF_WAY && n - HALF_WAY < n_connections)
        {
          connection_init (&it, story, n - HALF_WAY);
          find_kind (letters, it.n)->work (story, &it, n + 1.1);
          connection_clear (&it);
        }
      if (n >= N_OPEN)
        {
          connection_init (&it, story, n - N_OPEN);
          find_kind (letters, it.n)->close (story, &it, n + 1.5);
          connection_clear (&it);
        }
    }
  return ns_etl_writer_finish (story->writer);
}

/* Returns the seconds of processor time, which other processes do not influence. */
static double
measure (guint n_connections, const char *letters)
{
  g_autoptr (GBytes) bytes = make_trace (n_connections, letters);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  int fd = g_file_open_tmp ("bench-XXXXXX.etl", &path, NULL);
  clock_t begin;
  double seconds;
  NsTrace *trace;

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_true (g_file_set_contents (path, data, (gssize) size, NULL));
  g_clear_pointer (&bytes, g_bytes_unref);

  begin = clock ();
  trace = ns_trace_open (path, NULL, NULL, NULL, &error);
  seconds = (double) (clock () - begin) / CLOCKS_PER_SEC;
  g_unlink (path);
  g_assert_no_error (error);
  g_print ("%u connections: %.2f s, %" G_GUINT64_FORMAT " records, %u activities\n",
           n_connections,
           seconds,
           trace->n_records,
           trace->activities->len);
  ns_trace_unref (trace);
  return seconds;
}

int
main (int argc, char *argv[])
{
  guint n = argc > 1 ? (guint) MIN (g_ascii_strtoull (argv[1], NULL, 10), 10000000) : N_DEFAULT;
  const char *letters = argc > 2 && argv[2][0] != '\0' ? argv[2] : "tsdwiu";
  double once;
  double twice;

  if (argc > 3)
    n_hosts = (guint) CLAMP (g_ascii_strtoull (argv[3], NULL, 10), 1, 1000000);
  if (argc > 4)
    n_processes = (guint) CLAMP (g_ascii_strtoull (argv[4], NULL, 10), 1, 10000);
  once = measure (n, letters);
  twice = measure (2 * n, letters);

  g_print ("twice as many take %.2f times as long (must be at most 2.3)\n", twice / once);
  return 0;
}
