/* Builds small traces of network events for tests, and formats rows as short texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "net-fixture.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"

#include <stdlib.h>
#include <string.h>

static const NsGuid providers[] = {
  NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a),
  NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6),
  NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d),
  NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56),
  NS_GUID_INIT (0x7dd42a49, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88),
};

static void
add_number (GByteArray *bytes, guint64 value, guint n_bytes)
{
  guint i;

  for (i = 0; i < n_bytes; i++)
    {
      guint8 byte = (guint8) (value >> (8 * i));

      g_byte_array_append (bytes, &byte, 1);
    }
}

static void
add_port (GByteArray *bytes, guint port)
{
  add_number (bytes, (port & 0xff) << 8 | port >> 8, 2);
}

static void
add_sockaddr (GByteArray *bytes, const char *text)
{
  static const guint8 zero[16] = { 0 };
  NsEndpoint endpoint;

  if (text[0] == '\0')
    {
      add_number (bytes, 0, 4);
      return;
    }
  g_assert_true (ns_endpoint_from_text (&endpoint, text));
  add_number (bytes, endpoint.ip.family == NS_AF_INET ? 16 : 28, 4);
  add_number (bytes, endpoint.ip.family, 2);
  add_port (bytes, endpoint.port);
  if (endpoint.ip.family == NS_AF_INET)
    {
      g_byte_array_append (bytes, endpoint.ip.bytes, 4);
      g_byte_array_append (bytes, zero, 8);
      return;
    }
  add_number (bytes, 0, 4);
  g_byte_array_append (bytes, endpoint.ip.bytes, 16);
  add_number (bytes, 0, 4);
}

static void
add_text (GByteArray *bytes, const char *text)
{
  for (; *text != '\0'; text++)
    add_number (bytes, (guint8) *text, 2);
  add_number (bytes, 0, 2);
}

static void
add_ip (GByteArray *bytes, const char *text)
{
  NsIp ip;

  g_assert_true (ns_ip_from_text (&ip, text));
  g_byte_array_append (bytes, ip.bytes, ip.family == NS_AF_INET ? 4 : 16);
}

static void
add_field (const NetFixture *self, GByteArray *bytes, char letter, va_list *args)
{
  switch (letter)
    {
    case 'b':
      add_number (bytes, va_arg (*args, guint), 1);
      break;
    case 'w':
      add_number (bytes, va_arg (*args, guint), 2);
      break;
    case 'u':
      add_number (bytes, va_arg (*args, guint), 4);
      break;
    case 'q':
      add_number (bytes, va_arg (*args, guint64), 8);
      break;
    case 'p':
      add_number (bytes, va_arg (*args, guint64), self->is_32bit ? 4 : 8);
      break;
    case 'n':
      add_port (bytes, va_arg (*args, guint));
      break;
    case 'A':
      add_sockaddr (bytes, va_arg (*args, const char *));
      break;
    case 's':
      add_text (bytes, va_arg (*args, const char *));
      break;
    case 'i':
      add_ip (bytes, va_arg (*args, const char *));
      break;
    default:
      g_assert_not_reached ();
    }
}

void
net_event (NetFixture *self,
           double ms,
           guint pid,
           guint tid,
           NetProvider provider,
           guint id,
           const char *format,
           ...)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { 0 };
  va_list args;

  va_start (args, format);
  for (; *format != '\0'; format++)
    add_field (self, payload, *format, &args);
  va_end (args);

  event.raw = ns_etl_writer_get_base_raw (self->writer) + (guint64) (ms * 10000 + 0.5);
  event.guid = providers[provider];
  event.id = (guint16) id;
  event.version = self->version;
  event.pid = pid;
  event.tid = tid;
  event.payload = payload;
  event.is_32bit = self->is_32bit;
  event.stack = &self->frame;
  event.n_stack = self->frame != 0;
  g_assert_true (ns_etl_writer_add_event (self->writer, &event));
}

/* Writes a kernel process event; @what is its opcode: 1 start, 2 end, 3 rundown at trace start. */
void
net_process (NetFixture *self, double ms, guint8 what, guint pid, const char *name)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { 0 };

  add_number (payload, 0xfff00000 + pid, 8); /* UniqueProcessKey */
  add_number (payload, pid, 4);
  add_number (payload, 4, 4); /* parent */
  add_number (payload, 1, 4); /* session */
  add_number (payload, 0, 4); /* exit status */
  add_number (payload, 0, 8); /* directory table */
  add_number (payload, 0, 4); /* flags */
  add_number (payload, 0, 4); /* no SID */
  g_byte_array_append (payload, (const guint8 *) name, (guint) strlen (name) + 1);
  add_text (payload, name);
  add_text (payload, "");
  add_text (payload, "");
  record.raw = ns_etl_writer_get_base_raw (self->writer) + (guint64) (ms * 10000 + 0.5);
  record.group = 3;
  record.opcode = what;
  record.version = 4;
  record.payload = payload;
  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
}

void
net_fixture_init (NetFixture *self)
{
  NsEtlWriterOptions options = { 0 };

  memset (self, 0, sizeof *self);
  self->writer = ns_etl_writer_new (&options);
}

/* Frees the fixture, including events that were never opened as a trace. */
void
net_fixture_clear (NetFixture *self)
{
  g_clear_pointer (&self->writer, ns_etl_writer_free);
}

/* Opens the written events as a trace and empties the fixture. */
NsTrace *
net_fixture_open (NetFixture *self, gboolean compat_reference)
{
  NsTraceOptions options = { .view = self->view, .compat_reference = compat_reference };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (self->writer);
  NsEtlFile *file = ns_etl_file_open_bytes (bytes, "test.etl", &error);
  NsTrace *trace;

  g_clear_pointer (&self->writer, ns_etl_writer_free);
  g_assert_no_error (error);
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

NsTrace *
net_fixture_open_default (NetFixture *self)
{
  return net_fixture_open (self, FALSE);
}

/* Splits `LOCAL>REMOTE`; each part may be empty. */
static void
split_ends (const char *ends, char **local, char **remote)
{
  const char *arrow = strchr (ends, '>');

  g_assert_nonnull (arrow);
  *local = g_strndup (ends, (gsize) (arrow - ends));
  *remote = g_strdup (arrow + 1);
}

void
tcp_connect (NetFixture *self, double ms, guint pid, guint tid, guint64 key, const char *ends)
{
  g_autofree char *local = NULL;
  g_autofree char *remote = NULL;

  split_ends (ends, &local, &remote);
  net_event (self, ms, pid, tid, NET_TCPIP, 1002, "pAAuu", key, local, remote, 2, 0);
}

void
tcp_outcome (NetFixture *self,
             double ms,
             guint id,
             guint64 key,
             guint pid,
             guint status,
             const char *ends)
{
  g_autofree char *local = NULL;
  g_autofree char *remote = NULL;

  split_ends (ends, &local, &remote);
  net_event (self, ms, 4, 9, NET_TCPIP, id, "AAuuup", local, remote, status, pid, 1, key);
}

void
tcp_rundown (NetFixture *self, double ms, guint64 key, guint pid, const char *ends)
{
  g_autofree char *local = NULL;
  g_autofree char *remote = NULL;

  split_ends (ends, &local, &remote);
  net_event (self, ms, 4, 4, NET_TCPIP, 1300, "pAAuu", key, local, remote, 4, pid);
}

void
tcp_posted (NetFixture *self, double ms, guint pid, guint tid, guint64 key, guint n)
{
  net_event (self, ms, pid, tid, NET_TCPIP, 1159, "psuu", key, "", n, 0);
}

void
tcp_sent (NetFixture *self, double ms, guint64 key, guint sequence, guint n)
{
  net_event (self, ms, 0, 0, NET_TCPIP, 1332, "puuuuuuu", key, 1, 2, n, sequence, 3, 4, 5);
}

void
tcp_received (NetFixture *self, double ms, guint64 key, guint n)
{
  net_event (self, ms, 0, 0, NET_TCPIP, 1074, "puu", key, n, 0);
}

void
udp_moved (NetFixture *self,
           double ms,
           guint tid,
           guint id,
           guint64 key,
           guint pid,
           guint n,
           const char *ends)
{
  g_autofree char *local = NULL;
  g_autofree char *remote = NULL;

  split_ends (ends, &local, &remote);
  net_event (self, ms, pid, tid, NET_TCPIP, id, "puuAAu", key, 1, n, local, remote, pid);
}

typedef struct
{
  guint pid;
  guint tid;
  guint location;
  guint64 endpoint;
  guint64 process;
} Afd;

static Afd
parse_afd (const char *where, const char *what)
{
  Afd afd = { 0 };
  char *end;

  afd.pid = (guint) strtoul (where, &end, 10);
  afd.tid = (guint) strtoul (end + 1, &end, 10);
  afd.location = *end == '@' ? (guint) strtoul (end + 1, NULL, 10) : 0;
  afd.endpoint = strtoul (what, &end, 16);
  afd.process = strtoul (end + 1, NULL, 16);
  return afd;
}

void
afd_create (NetFixture *self,
            double ms,
            const char *where,
            const char *what,
            guint type,
            guint protocol)
{
  Afd afd = parse_afd (where, what);

  net_event (self,
             ms,
             afd.pid,
             afd.tid,
             NET_AFD,
             1000,
             "uuppuuupu",
             0,
             afd.location,
             afd.process,
             afd.endpoint,
             2,
             type,
             protocol,
             (guint64) 0,
             0);
}

void
afd_bind (NetFixture *self, double ms, const char *where, const char *what, const char *address)
{
  Afd afd = parse_afd (where, what);

  net_event (self,
             ms,
             afd.pid,
             afd.tid,
             NET_AFD,
             1030,
             "uuppuA",
             1,
             afd.location,
             afd.process,
             afd.endpoint,
             0,
             address);
}

void
afd_connect (NetFixture *self,
             double ms,
             const char *where,
             guint id,
             const char *what,
             const char *address)
{
  Afd afd = parse_afd (where, what);

  net_event (self,
             ms,
             afd.pid,
             afd.tid,
             NET_AFD,
             id,
             "uupppuuA",
             0,
             afd.location,
             afd.process,
             afd.endpoint,
             (guint64) 0,
             0,
             0,
             address);
}

void
afd_accept (NetFixture *self,
            double ms,
            const char *where,
            const char *what,
            guint64 accepted,
            const char *address)
{
  Afd afd = parse_afd (where, what);

  net_event (self,
             ms,
             afd.pid,
             afd.tid,
             NET_AFD,
             1027,
             "uupppuuApu",
             1,
             afd.location,
             afd.process,
             afd.endpoint,
             (guint64) 0,
             0,
             0,
             address,
             accepted,
             0);
}

void
afd_data (NetFixture *self,
          double ms,
          const char *where,
          guint id,
          gboolean is_exit,
          const char *what,
          guint n,
          const char *address)
{
  Afd afd = parse_afd (where, what);

  net_event (self,
             ms,
             afd.pid,
             afd.tid,
             NET_AFD,
             id,
             "uuppupuuA",
             is_exit,
             afd.location,
             afd.process,
             afd.endpoint,
             1,
             (guint64) 0xb0,
             n,
             0,
             address);
}

void
afd_close (NetFixture *self, double ms, const char *where, const char *what)
{
  Afd afd = parse_afd (where, what);

  net_event (self,
             ms,
             afd.pid,
             afd.tid,
             NET_AFD,
             1001,
             "uuppu",
             1,
             afd.location,
             afd.process,
             afd.endpoint,
             0);
}

static void
add_id (GString *text, const char *name, guint32 id)
{
  if (id != NS_PID_UNKNOWN)
    g_string_append_printf (text, " %s %u", name, id);
}

static void
add_count (GString *text, const char *name, guint64 n)
{
  if (n != 0)
    g_string_append_printf (text, " %s %" G_GUINT64_FORMAT, name, n);
}

static void
add_time (GString *text, const char *name, gint64 time_ns)
{
  if (ns_time_is_set (time_ns))
    g_string_append_printf (text, " %s %g", name, (double) time_ns / 1e6);
}

static void
add_string (GString *text, const NsTrace *trace, const char *name, NsString string)
{
  if (string != NS_STRING_NONE)
    g_string_append_printf (text, " %s %s", name, ns_trace_text (trace, string));
}

static void
add_ends (GString *text, const NsEndpoint *local, const NsEndpoint *remote)
{
  char far_end[NS_IP_TEXT_SIZE];

  ns_endpoint_to_text (remote, far_end);
  g_string_append_printf (text, " :%u>%s", local->port, far_end);
}

char *
net_tcp_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *row = &g_array_index (trace->tcp, NsTcpRow, i);

      g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", row->tcb);
      add_ends (text, row->local, row->remote);
      add_id (text, "pid", row->pid);
      add_id (text, "tid", row->tid);
      add_count (text, "posted", row->posted);
      add_count (text, "sent", row->sent);
      add_count (text, "received", row->received);
      add_count (text, "again", row->extra->retransmits);
      add_count (text, "bytes", row->extra->retransmitted_bytes);
      add_time (text, "open", row->open_ns);
      add_time (text, "shutdown", row->shutdown_ns);
      add_time (text, "close", row->close_ns);
      if (row->status != 0)
        g_string_append_printf (text, " status %x", row->status);
      add_string (text, trace, "server", row->server);
      add_string (text, trace, "alt", row->server_alt);
      if ((row->owner & NS_LAYER_WINSOCK) != 0)
        g_string_append (text, " socket");
      g_string_append_printf (text, " %s\n", ns_tcp_state_to_text (row->state));
    }
  return g_string_free (text, FALSE);
}

char *
net_winsock_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *row = &g_array_index (trace->winsock, NsWinsockRow, i);

      g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", row->endpoint);
      add_ends (text, row->local, row->remote);
      add_id (text, "pid", row->pid);
      add_id (text, "tid", row->tid_open);
      add_count (text, "sent", row->sent);
      add_count (text, "received", row->received);
      add_time (text, "open", row->open_ns);
      add_time (text, "close", row->close_ns);
      if (row->status != 0)
        g_string_append_printf (text, " status %x", row->status);
      add_count (text, "tcp", row->tcp);
      if (row->accepted)
        g_string_append (text, " accepted");
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

char *
net_dns_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  char ip[NS_IP_TEXT_SIZE];
  guint i;
  guint j;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (trace->dns, NsDnsRow, i);

      g_string_append_printf (text, "%s type %u", ns_trace_text (trace, row->query), row->type);
      if (row->has_status)
        g_string_append_printf (text, " status %u", row->status);
      for (j = 0; row->addresses != NULL && j < row->addresses->len; j++)
        g_string_append_printf (text,
                                " %s",
                                ns_ip_to_text (&g_array_index (row->addresses, NsIp, j), ip));
      for (j = 0; row->aliases != NULL && j < row->aliases->len; j++)
        g_string_append_printf (text,
                                " =%s",
                                ns_trace_text (trace, g_array_index (row->aliases, NsString, j)));
      add_string (text, trace, "from", row->server);
      add_id (text, "pid", row->pid);
      add_time (text, "open", row->open_ns);
      add_time (text, "close", row->close_ns);
      g_string_append_printf (text, " %s\n", ns_dns_source_to_text (row->source));
    }
  return g_string_free (text, FALSE);
}

char *
net_kernel_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->kernel_network->len; i++)
    {
      const NsKernelNetworkRow *row = &g_array_index (trace->kernel_network, NsKernelNetworkRow, i);

      g_string_append (text, row->is_udp ? "UDP" : "TCP");
      add_ends (text, &row->local, &row->remote);
      add_id (text, "pid", row->pid);
      add_count (text, "sent", row->sent);
      add_count (text, "received", row->received);
      add_count (text, "again", row->retransmits);
      add_count (text, "connects", row->n_connects);
      add_count (text, "disconnects", row->n_disconnects);
      add_time (text, "open", row->open_ns);
      add_time (text, "close", row->close_ns);
      add_count (text, "tcp", row->tcp);
      g_string_append (text, row->inferred ? " inferred\n" : "\n");
    }
  return g_string_free (text, FALSE);
}
