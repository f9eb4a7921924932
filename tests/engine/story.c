/* Fixture of the scenario tests: writes short sequences of network events as a trace and opens it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-view-context.h"

#include <string.h>

#define RAW_PER_MS 10000

static const NsGuid providers[] = {
  [STORY_WEBIO] =
      NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d),
  [STORY_WININET] =
      NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe),
  [STORY_TCPIP] =
      NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a),
  [STORY_AFD] =
      NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6),
  [STORY_DNS] =
      NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d),
  [STORY_LDAP] =
      NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc),
  [STORY_URLMON] =
      NS_GUID_INIT (0x245f975d, 0x909d, 0x49ed, 0xb8, 0xf9, 0x9a, 0x75, 0x69, 0x1d, 0x6b, 0x6b),
  [STORY_NDIS] =
      NS_GUID_INIT (0x2ed6006e, 0x4729, 0x4609, 0xb4, 0x23, 0x3e, 0xe7, 0xbc, 0xd6, 0x78, 0xef),
  [STORY_PKTMON] =
      NS_GUID_INIT (0x4d4f80d9, 0xc8bd, 0x4d73, 0xbb, 0x5b, 0x19, 0xc9, 0x04, 0x02, 0xc5, 0xac),
  [STORY_WAN] =
      NS_GUID_INIT (0xd84521f7, 0x2235, 0x4237, 0xa7, 0xc0, 0x14, 0xe3, 0xa9, 0x67, 0x62, 0x86),
  [STORY_RESOLUTION] =
      NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56),
  [STORY_HTTP_SERVER] =
      NS_GUID_INIT (0xdd5ef90a, 0x6398, 0x47a4, 0xad, 0x34, 0x4d, 0xce, 0xcd, 0xef, 0x79, 0x5f),
  [STORY_KERNEL_NETWORK] =
      NS_GUID_INIT (0x7dd42a49, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88),
  [STORY_CAPTURE] =
      NS_GUID_INIT (0xa70ff94f, 0x570b, 0x4979, 0xba, 0x5c, 0xe5, 0x9c, 0x9f, 0xea, 0xb6, 0x1b),
  [STORY_DOTNET_HTTP] =
      NS_GUID_INIT (0xd30b5633, 0x7ef1, 0x5485, 0xb4, 0xe0, 0x94, 0x97, 0x9b, 0x10, 0x20, 0x68),
  [STORY_DOTNET_SOCKETS] =
      NS_GUID_INIT (0xd5b2e7d4, 0xb6ec, 0x50ae, 0x7c, 0xde, 0xaf, 0x89, 0x42, 0x7a, 0xd2, 0x1f),
  [STORY_DOTNET_NAMES] =
      NS_GUID_INIT (0x4b326142, 0xbfb5, 0x5ed3, 0x85, 0x85, 0x77, 0x14, 0x18, 0x1d, 0x14, 0xb0),
  [STORY_DOTNET_SECURITY] =
      NS_GUID_INIT (0x7beee6b1, 0xe3fa, 0x5ddb, 0x34, 0xbe, 0x14, 0x04, 0xad, 0x0e, 0x25, 0x20),
  [STORY_DOTNET_FRAMEWORK] =
      NS_GUID_INIT (0x8e9f5090, 0x2d75, 0x4d03, 0x8a, 0x81, 0xe5, 0xaf, 0xbf, 0x85, 0xda, 0xf1),
  [STORY_DOTNET_TASKS] =
      NS_GUID_INIT (0x2e5dba47, 0xa3d2, 0x4d16, 0x8e, 0xe0, 0x66, 0x71, 0xff, 0xdc, 0xd7, 0xb5),
  [STORY_DOTNET_RUNTIME] =
      NS_GUID_INIT (0xe13c0d23, 0xccbc, 0x4e12, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4),
  [STORY_BITS] =
      NS_GUID_INIT (0xef1cc15b, 0x46c1, 0x414e, 0xbb, 0x95, 0xe7, 0x6b, 0x07, 0x7b, 0xd5, 0x1e),
  [STORY_CAPI2] =
      NS_GUID_INIT (0x5bbca4a8, 0xb209, 0x48dc, 0xa8, 0xc7, 0xb2, 0x3d, 0x3e, 0x52, 0x16, 0xfb),
  [STORY_WFP] =
      NS_GUID_INIT (0x0c478c5b, 0x0351, 0x41b1, 0x8c, 0x58, 0x4a, 0x67, 0x37, 0xda, 0x32, 0xe3),
  [STORY_SCHANNEL] =
      NS_GUID_INIT (0x1f678132, 0x5938, 0x4686, 0x9f, 0xdc, 0xc8, 0xff, 0x68, 0xf1, 0x5c, 0x85),
  [STORY_SMB] =
      NS_GUID_INIT (0x988c59c5, 0x0a1c, 0x45b6, 0xa5, 0x55, 0x0c, 0x62, 0x27, 0x6e, 0x32, 0x7d),
  [STORY_RPC] =
      NS_GUID_INIT (0x6ad52b32, 0xd609, 0x4be9, 0xae, 0x07, 0xce, 0x8d, 0xae, 0x93, 0x7e, 0x39),
  [STORY_QUIC] =
      NS_GUID_INIT (0xff15e657, 0x4f26, 0x570e, 0x88, 0xab, 0x07, 0x96, 0xb2, 0x58, 0xd1, 0x1c),
  [STORY_WINQUIC] =
      NS_GUID_INIT (0x2bcfefe5, 0x5026, 0x536b, 0x16, 0x86, 0xb2, 0x49, 0xcb, 0x49, 0xca, 0xe3),
};

static const NsGuid chrome =
    NS_GUID_INIT (0xd2d578d9, 0x2936, 0x45b6, 0xa0, 0x9f, 0x30, 0xe3, 0x27, 0x15, 0xf4, 0x2d);

Story *
story_new (void)
{
  NsEtlWriterOptions options = { .buffer_size = 0x4000 };
  Story *self = g_new0 (Story, 1);

  self->writer = ns_etl_writer_new (&options);
  self->pid = 100;
  self->tid = 40;
  return self;
}

void
story_free (Story *self)
{
  ns_etl_writer_free (self->writer);
  g_free (self);
}

static void
append_guid (GByteArray *bytes, const char *text)
{
  NsGuid guid;

  g_assert_true (ns_guid_from_text (&guid, text));
  ns_etl_bytes_data (bytes, guid.bytes, sizeof guid.bytes);
}

static void
append_addresses (GByteArray *bytes, const char *list)
{
  g_auto (GStrv) items = g_strsplit (list, ",", -1);
  gsize at = bytes->len;
  guint i;

  ns_etl_bytes_u32 (bytes, 0);
  for (i = 0; items[i] != NULL; i++)
    ns_etl_bytes_sockaddr_text (bytes, items[i]);
  ns_etl_bytes_set_u32 (bytes, at, bytes->len - (guint) at - 4);
}

static void
append_hex (GByteArray *bytes, const char *hex)
{
  gsize n = strlen (hex) / 2;
  gsize i;

  for (i = 0; i < n; i++)
    ns_etl_bytes_u8 (bytes,
                     (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4 |
                               g_ascii_xdigit_value (hex[2 * i + 1])));
}

static void
append_text (GByteArray *bytes, char kind, const char *text)
{
  switch (kind)
    {
    case 'w':
      ns_etl_bytes_wstr (bytes, text);
      break;
    case 'a':
      ns_etl_bytes_astr (bytes, text);
      break;
    case 'c':
      ns_etl_bytes_u16 (bytes, (guint16) strlen (text));
      ns_etl_bytes_data (bytes, text, strlen (text));
      break;
    case 'C':
      ns_etl_bytes_u32 (bytes, (guint32) strlen (text));
      ns_etl_bytes_data (bytes, text, strlen (text));
      break;
    case 'W':
      ns_etl_bytes_u32 (bytes, (guint32) strlen (text) + 1);
      ns_etl_bytes_wstr (bytes, text);
      break;
    case 'U':
      ns_etl_bytes_u16 (bytes, (guint16) strlen (text));
      ns_etl_bytes_wstr (bytes, text);
      g_byte_array_set_size (bytes, bytes->len - 2);
      break;
    case 'X':
      ns_etl_bytes_u32 (bytes, (guint32) strlen (text) / 2);
      append_hex (bytes, text);
      break;
    case 'x':
      append_hex (bytes, text);
      break;
    case 'g':
      append_guid (bytes, text);
      break;
    default:
      append_addresses (bytes, text);
      break;
    }
}

static GByteArray *
spell (const Story *self, const char *format, va_list args)
{
  GByteArray *bytes = g_byte_array_new ();

  for (; *format != '\0'; format++)
    switch (*format)
      {
      case ' ':
        break;
      case 'p':
        ns_etl_bytes_ptr (bytes, va_arg (args, guint64), self->is_32bit ? 4 : 8);
        break;
      case 'q':
        ns_etl_bytes_u64 (bytes, va_arg (args, guint64));
        break;
      case 'd':
        ns_etl_bytes_u32 (bytes, va_arg (args, guint));
        break;
      case 'h':
        ns_etl_bytes_u16 (bytes, (guint16) va_arg (args, guint));
        break;
      case 'b':
        ns_etl_bytes_u8 (bytes, (guint8) va_arg (args, guint));
        break;
      default:
        append_text (bytes, *format, va_arg (args, const char *));
        break;
      }
  return bytes;
}

static NsGuid
activity_of (const Story *self)
{
  guint64 halves[2] = { GUINT64_TO_LE (self->activity), GUINT64_TO_LE (self->activity_high) };
  NsGuid guid;

  memcpy (guid.bytes, halves, sizeof halves);
  return guid;
}

static void
write_event (Story *self,
             double ms,
             StoryProvider provider,
             guint id,
             guint version,
             const GByteArray *payload)
{
  NsEtlWriterEvent event = { .guid = providers[provider], .level = 4 };

  event.raw = ns_etl_writer_get_base_raw (self->writer) + (guint64) (ms * RAW_PER_MS + 0.5);
  event.id = (guint16) id;
  event.version = (guint8) version;
  event.keyword = self->keyword;
  event.pid = self->pid;
  event.tid = self->tid;
  event.cpu = self->cpu;
  event.payload = payload;
  event.is_32bit = self->is_32bit;
  event.activity = activity_of (self);
  while (event.n_stack < G_N_ELEMENTS (self->stack) && self->stack[event.n_stack] != 0)
    event.n_stack++;
  event.stack = event.n_stack > 0 ? self->stack : NULL;
  g_assert_true (ns_etl_writer_add_event (self->writer, &event));
  memset (self->stack, 0, sizeof self->stack);
}

void
story_write (Story *self, double ms, StoryProvider provider, guint id, const char *format, ...)
{
  g_autoptr (GByteArray) payload = NULL;
  va_list args;

  va_start (args, format);
  payload = spell (self, format, args);
  va_end (args);
  write_event (self, ms, provider, id, 0, payload);
}

void
story_write_version (Story *self,
                     double ms,
                     StoryProvider provider,
                     guint id,
                     guint version,
                     const char *format,
                     ...)
{
  g_autoptr (GByteArray) payload = NULL;
  va_list args;

  va_start (args, format);
  payload = spell (self, format, args);
  va_end (args);
  write_event (self, ms, provider, id, version, payload);
}

void
story_netlog (Story *self,
              double ms,
              const char *name,
              const char *phase,
              guint id,
              const char *source,
              const char *params)
{
  static const guint8 fields[] = "Phase\0\002Id\0\012source_type\0\002params\0\002";
  g_autoptr (GByteArray) description = g_byte_array_new ();
  g_autoptr (GByteArray) schema = NULL;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .guid = chrome, .level = 5, .keyword = 0x80 };

  ns_etl_bytes_data (description, fields, sizeof fields - 1);
  schema = ns_etl_writer_schema_tl (name, description);
  ns_etl_bytes_astr (payload, phase);
  ns_etl_bytes_u64 (payload, G_GUINT64_CONSTANT (0x5a17c3d200000000) | id);
  ns_etl_bytes_astr (payload, source);
  ns_etl_bytes_astr (payload, params);
  event.raw = ns_etl_writer_get_base_raw (self->writer) + (guint64) (ms * RAW_PER_MS + 0.5);
  event.pid = self->pid;
  event.tid = self->tid;
  event.activity = activity_of (self);
  event.payload = payload;
  event.schema_tl = schema;
  g_assert_true (ns_etl_writer_add_event (self->writer, &event));
}

void
story_process (Story *self, guint32 pid, const char *image, const char *command_line)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .raw = ns_etl_writer_get_base_raw (self->writer),
                              .group = 3,
                              .opcode = 3,
                              .version = 4,
                              .payload = payload };

  ns_etl_bytes_u64 (payload, 0xfff00000 + pid);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_u32 (payload, 4);
  ns_etl_bytes_u32 (payload, 1);
  ns_etl_bytes_zero (payload, 20); /* exit status, directory table, flags, no SID */
  ns_etl_bytes_astr (payload, image);
  ns_etl_bytes_wstr (payload, command_line);
  ns_etl_bytes_wstr (payload, "");
  ns_etl_bytes_wstr (payload, "");
  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
}

void
story_image (Story *self, guint32 pid, guint64 base, guint64 size, const char *path)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .raw = ns_etl_writer_get_base_raw (self->writer),
                              .kind = NS_RECORD_PERFINFO64,
                              .group = 0x14,
                              .opcode = 3,
                              .version = 3,
                              .payload = payload };

  ns_etl_bytes_u64 (payload, base);
  ns_etl_bytes_u64 (payload, size);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_zero (payload, 36);
  ns_etl_bytes_wstr (payload, path);
  g_assert_true (ns_etl_writer_add_group (self->writer, &record));
}

/* Writes the AFD events of a connecting socket: 1000 enter, 1030 exit, 1021 enter. The process
 * object is 0xbb0000 plus the PID. */
void
story_socket (Story *self, double ms, guint64 endpoint, guint local_port, const char *remote)
{
  g_autofree char *local = g_strdup_printf ("0.0.0.0:%u", local_port);
  guint64 process = 0xbb0000 + self->pid;

  story_write (self,
               ms,
               STORY_AFD,
               1000,
               "ddppdddpd",
               0,
               1002,
               process,
               endpoint,
               2,
               1,
               6,
               P (self->pid),
               0);
  story_write (self, ms + 0.1, STORY_AFD, 1030, "ddppdA", 1, 7022, process, endpoint, 0, local);
  story_write (self,
               ms + 0.2,
               STORY_AFD,
               1021,
               "ddpppddA",
               0,
               5031,
               process,
               endpoint,
               P (0),
               0,
               0,
               remote);
}

/* Writes the exit event of AFD 1003 (send) or 1004 (receive). */
void
story_socket_bytes (Story *self, double ms, guint id, guint64 endpoint, guint n_bytes)
{
  guint64 process = 0xbb0000 + self->pid;

  story_write (self,
               ms,
               STORY_AFD,
               id,
               "ddppdpdd",
               1,
               id == 1003 ? 3051 : 4116,
               process,
               endpoint,
               1,
               P (0x1000),
               n_bytes,
               0);
}

void
story_socket_close (Story *self, double ms, guint64 endpoint)
{
  story_write (self, ms, STORY_AFD, 1001, "ddppd", 1, 2001, P (0xbb0000 + self->pid), endpoint, 0);
}

static gboolean
copy_cb (const NsRecord *record, gpointer user_data)
{
  return ns_etl_writer_add_bytes (user_data,
                                  record->cpu,
                                  record->raw,
                                  record->header,
                                  record->size);
}

GBytes *
story_finish_as (Story *self, const NsEtlWriterOptions *options)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (options);
  g_autoptr (GBytes) told = ns_etl_writer_finish (self->writer);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (told, "told", NULL);

  g_assert_true (ns_etl_file_walk (file, 0, NULL, copy_cb, writer, NULL, NULL, NULL));
  return ns_etl_writer_finish (writer);
}

static void
set_thresholds (NsViewContext *view, const char *lines)
{
  NsThresholds *thresholds = ns_thresholds_new ();
  g_autoptr (GError) error = NULL;

  if (lines != NULL)
    ns_thresholds_add (thresholds, "story", lines, strlen (lines), &error);
  g_assert_no_error (error);
  ns_view_context_set_thresholds (view, thresholds);
}

NsTrace *
story_open (Story *self, double end_ms)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (NsViewContext) view = ns_view_context_new ();
  NsTraceOptions options = { .view = view,
                             .compat_reference = self->like_reference,
                             .want_events = self->want_events };
  NsEtlFile *file;
  NsTrace *trace;

  ns_view_context_set_secrets (view, ns_secrets_new (self->shows_secrets));
  set_thresholds (view, self->thresholds);
  if (self->ranges != NULL)
    g_assert_true (ns_named_ranges_parse (ns_view_context_get_ranges (view), self->ranges, NULL));
  story_write (self, end_ms, STORY_DNS, 65000, "");
  bytes = ns_etl_writer_finish (self->writer);
  file = ns_etl_file_open_bytes (bytes, "story.etl", &error);
  g_assert_no_error (error);
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (trace);
  story_assert_invariants (trace);
  return trace;
}

void
story_session (Story *self, double ms, guint64 session)
{
  self->activity = 0;
  story_write (self, ms, STORY_WEBIO, 5, "pqpqqd", session, P (1), session, P (1), P (0), 0);
}

void
story_request (Story *self, double ms, guint64 ptr, guint64 h, guint64 session, const char *url)
{
  self->activity = h;
  self->activity_high = ptr & G_MAXUINT32;
  story_write (self, ms, STORY_WEBIO, 17, "pqpqawhhd", ptr, h, session, P (1), "GET", url, 1, 1, 0);
}

void
story_wait (Story *self, double ms, guint64 ptr, guint64 h, guint64 connection)
{
  self->activity = h;
  story_write (self, ms, STORY_WEBIO, 104, "ppp", ptr, P (0xd00001), connection);
}

void
story_resolve (Story *self,
               double ms,
               guint64 h,
               guint64 connection,
               const char *host,
               const char *ips)
{
  g_auto (GStrv) items = g_strsplit (ips, ",", -1);

  self->activity = h;
  story_write (self, ms, STORY_WEBIO, 205, "pwdq", connection, host, 0, P (0));
  story_write (self,
               ms + 2,
               STORY_WEBIO,
               206,
               "pwwdA",
               connection,
               host,
               host,
               g_strv_length (items),
               ips);
}

void
story_connect (Story *self,
               double ms,
               guint64 h,
               guint64 connection,
               guint64 socket,
               const char *address)
{
  self->activity = h;
  story_write (self, ms, STORY_WEBIO, 203, "pqd", connection, socket, 0);
  story_write (self, ms, STORY_WEBIO, 200, "pqWpqd", connection, socket, address, P (51), P (0), 0);
}

void
story_connected (Story *self, double ms, guint64 h, guint64 connection, guint64 socket, guint error)
{
  self->activity = h;
  story_write (self,
               ms,
               STORY_WEBIO,
               error == 0 ? 201 : 202,
               "pqdpqd",
               connection,
               socket,
               0,
               P (51),
               P (0),
               error);
}

void
story_disconnect (Story *self, double ms, guint64 h, guint64 connection, guint64 socket)
{
  self->activity = h;
  story_write (self, ms, STORY_WEBIO, 204, "pqdd", connection, socket, 0, 0);
}

void
story_transfer (Story *self,
                double ms,
                guint id,
                guint64 h,
                guint64 connection,
                guint64 socket,
                guint64 context,
                guint64 n_bytes)
{
  self->activity = h;
  story_write (self,
               ms,
               STORY_WEBIO,
               id,
               "ppqppdq",
               connection,
               P (0x51),
               socket,
               P (0x52),
               context,
               0,
               n_bytes);
}

void
story_send (Story *self, double ms, guint64 h, guint64 connection, guint64 socket, guint64 n_bytes)
{
  story_transfer (self, ms, 213, h, connection, socket, 0x4400, 0);
  story_transfer (self, ms + 0.1, 214, h, connection, socket, 0x4400, n_bytes);
}

void
story_receive (Story *self,
               double ms,
               guint64 h,
               guint64 connection,
               guint64 socket,
               guint64 n_bytes)
{
  story_transfer (self, ms, 215, h, connection, socket, 0x4500, 0);
  story_transfer (self, ms + 0.1, 216, h, connection, socket, 0x4500, n_bytes);
}

void
story_header (Story *self, double ms, guint64 ptr, const char *headers)
{
  story_write (self, ms, STORY_WEBIO, 101, "pc", ptr, headers);
}

void
story_request_close (Story *self, double ms, guint64 ptr, guint64 h)
{
  self->activity = h;
  story_write (self, ms, STORY_WEBIO, 30, "pqqd", ptr, h, P (0), 0);
}

void
story_tcp_connect (Story *self, double ms, guint64 tcb, const char *local, const char *remote)
{
  self->activity = 0;
  self->activity_high = 0;
  story_write (self, ms, STORY_TCPIP, 1002, "pAAdd", tcb, local, remote, 2, 0);
}

void
story_tcp_posted (Story *self, double ms, guint64 tcb, guint n_bytes)
{
  self->activity = 0;
  self->activity_high = 0;
  story_write (self, ms, STORY_TCPIP, 1159, "pwdd", tcb, "", n_bytes, 0);
}

void
story_segment (Story *self, double ms, gboolean is_in, guint seq, const void *data, gsize size)
{
  /* IPv4 addresses and ports of STORY_HERE and STORY_THERE in the order of the packet headers. */
  static const char *const ends[] = { "0a00000501020304c3510050", "010203040a0000050050c351" };
  g_autoptr (GString) hex = g_string_new ("0001020304050607080908090800");
  gsize i;

  g_assert_cmpuint (size, <=, G_MAXUINT16 - 40);
  g_string_append_printf (hex, "4500%04x1234000040060000%s", (guint) size + 40, ends[is_in]);
  g_string_append_printf (hex, "%08x000000005018ffff00000000", seq + 1000);
  for (i = 0; i < size; i++)
    g_string_append_printf (hex, "%02x", ((const guint8 *) data)[i]);
  self->keyword = is_in ? G_GUINT64_CONSTANT (0x2c0000000) : G_GUINT64_CONSTANT (0x1c0000000);
  story_write (self, ms, STORY_NDIS, 1001, "ddX", 7, 7, hex->str);
  self->keyword = 0;
}

const NsActivityRow *
story_activity (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (n, <, trace->activities->len);
  return &g_array_index (trace->activities, NsActivityRow, n);
}

void
story_assert_text (const NsTrace *trace, NsString text, const char *expected)
{
  g_assert_cmpstr (ns_trace_text (trace, text), ==, expected);
}

void
story_assert_remote (const NsActivityRow *row, const char *expected)
{
  char text[NS_IP_TEXT_SIZE];

  g_assert_cmpstr (ns_endpoint_to_text (row->remote, text), ==, expected);
}

static void
assert_row_holds (const NsTrace *trace, const NsActivityRow *row, guint n)
{
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;
  gint64 sum = 0;
  gboolean known = FALSE;
  guint i;

  g_assert_cmpint (row->open_ns, !=, NS_TIME_NONE);
  g_assert_cmpint (row->open_ns, <=, close_ns);
  g_assert_true (row->url != NS_STRING_NONE || !ns_endpoint_is_empty (row->remote) ||
                 row->pid != NS_PID_UNKNOWN || row->tcp != 0);
  g_assert_cmpuint (row->parent, <=, trace->activities->len);
  g_assert_cmpuint (row->parent, !=, n + 1);
  g_assert_cmpuint (row->tcp, <=, trace->tcp->len);
  g_assert_cmpuint (row->winsock, <=, trace->winsock->len);
  g_assert_cmpuint (row->webio, <=, trace->webio->len);
  g_assert_cmpuint (row->wininet, <=, trace->wininet->len);
  g_assert_cmpuint (row->dns, <=, trace->dns->len);
  for (i = 0; i < NS_N_PHASES; i++)
    if (ns_activity_row_get_phase (row, i) != NS_UNKNOWN)
      {
        g_assert_cmpint (ns_activity_row_get_phase (row, i), >=, 0);
        sum += ns_activity_row_get_phase (row, i);
        known = TRUE;
      }
  if (known)
    g_assert_cmpint (sum, ==, close_ns - row->open_ns);
}

void
story_assert_invariants (const NsTrace *trace)
{
  gint64 before_ns = G_MININT64;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      assert_row_holds (trace, row, i);
      g_assert_cmpint (before_ns, <=, row->open_ns);
      before_ns = row->open_ns;
    }
  for (i = 0; i < trace->tcp->len; i++)
    g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, i).activity, <=, trace->activities->len);
  for (i = 0; i < trace->winsock->len; i++)
    g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, i).activity,
                      <=,
                      trace->activities->len);
}

guint
story_check_folder (const char *path, void (*check) (const char *path))
{
  g_autoptr (GDir) dir = path != NULL ? g_dir_open (path, 0, NULL) : NULL;
  const char *name;
  guint n_checked = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (!g_str_has_suffix (name, ".etl"))
        continue;
      g_test_message ("%s", name);
      check (file);
      n_checked++;
    }
  return n_checked;
}
