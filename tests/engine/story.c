/* Short stories of network events, written as a trace and opened.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "engine/ns-builder.h"

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
};

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

static void
write_event (Story *self,
             double ms,
             StoryProvider provider,
             guint id,
             guint version,
             const GByteArray *payload)
{
  NsEtlWriterEvent event = { .guid = providers[provider], .level = 4 };
  guint64 activity[2] = { GUINT64_TO_LE (self->activity), GUINT64_TO_LE (self->activity_high) };

  event.raw = ns_etl_writer_get_base_raw (self->writer) + (guint64) (ms * RAW_PER_MS + 0.5);
  event.id = (guint16) id;
  event.version = (guint8) version;
  event.pid = self->pid;
  event.tid = self->tid;
  event.payload = payload;
  event.is_32bit = self->is_32bit;
  memcpy (event.activity.bytes, activity, sizeof activity);
  if (self->stack[0] != 0)
    {
      event.stack = self->stack;
      event.n_stack = G_N_ELEMENTS (self->stack);
    }
  g_assert_true (ns_etl_writer_add_event (self->writer, &event));
  memset (self->stack, 0, sizeof self->stack);
}

void
story_tell (Story *self, double ms, StoryProvider provider, guint id, const char *format, ...)
{
  g_autoptr (GByteArray) payload = NULL;
  va_list args;

  va_start (args, format);
  payload = spell (self, format, args);
  va_end (args);
  write_event (self, ms, provider, id, 0, payload);
}

void
story_tell_version (Story *self,
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

NsTrace *
story_open (Story *self, double end_ms)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  NsTraceOptions options = { 0 };
  NsEtlFile *file;
  NsTrace *trace;

  story_tell (self, end_ms, STORY_DNS, 65000, "");
  bytes = ns_etl_writer_finish (self->writer);
  file = ns_etl_file_open_bytes (bytes, "story.etl", &error);
  g_assert_no_error (error);
  trace = ns_builder_build (file, ns_schemas_new (), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (trace);
  story_assert_invariants (trace);
  return trace;
}

void
story_session (Story *self, double ms, guint64 session)
{
  self->activity = 0;
  story_tell (self, ms, STORY_WEBIO, 5, "pqpqqd", session, P (1), session, P (1), P (0), 0);
}

void
story_request (Story *self, double ms, guint64 ptr, guint64 h, guint64 session, const char *url)
{
  self->activity = h;
  self->activity_high = ptr & G_MAXUINT32;
  story_tell (self, ms, STORY_WEBIO, 17, "pqpqawhhd", ptr, h, session, P (1), "GET", url, 1, 1, 0);
}

void
story_wait (Story *self, double ms, guint64 ptr, guint64 h, guint64 connection)
{
  self->activity = h;
  story_tell (self, ms, STORY_WEBIO, 104, "ppp", ptr, P (0xd00001), connection);
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
  story_tell (self, ms, STORY_WEBIO, 205, "pwdq", connection, host, 0, P (0));
  story_tell (self,
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
  story_tell (self, ms, STORY_WEBIO, 203, "pqd", connection, socket, 0);
  story_tell (self, ms, STORY_WEBIO, 200, "pqWpqd", connection, socket, address, P (51), P (0), 0);
}

void
story_connected (Story *self, double ms, guint64 h, guint64 connection, guint64 socket, guint error)
{
  self->activity = h;
  story_tell (self,
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
  story_tell (self, ms, STORY_WEBIO, 204, "pqdd", connection, socket, 0, 0);
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
  story_tell (self,
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
  story_tell (self, ms, STORY_WEBIO, 101, "pc", ptr, headers);
}

void
story_request_close (Story *self, double ms, guint64 ptr, guint64 h)
{
  self->activity = h;
  story_tell (self, ms, STORY_WEBIO, 30, "pqqd", ptr, h, P (0), 0);
}

void
story_tcp_connect (Story *self, double ms, guint64 tcb, const char *local, const char *remote)
{
  self->activity = 0;
  self->activity_high = 0;
  story_tell (self, ms, STORY_TCPIP, 1002, "pAAdd", tcb, local, remote, 2, 0);
}

void
story_tcp_posted (Story *self, double ms, guint64 tcb, guint n_bytes)
{
  self->activity = 0;
  self->activity_high = 0;
  story_tell (self, ms, STORY_TCPIP, 1159, "pwdd", tcb, "", n_bytes, 0);
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

  g_assert_cmpstr (ns_endpoint_to_text (&row->remote, text), ==, expected);
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
  g_assert_true (row->url != NS_STRING_NONE || !ns_endpoint_is_empty (&row->remote) ||
                 row->pid != NS_PID_UNKNOWN || row->tcp != 0);
  g_assert_cmpuint (row->parent, <=, trace->activities->len);
  g_assert_cmpuint (row->parent, !=, n + 1);
  g_assert_cmpuint (row->tcp, <=, trace->tcp->len);
  g_assert_cmpuint (row->winsock, <=, trace->winsock->len);
  g_assert_cmpuint (row->webio, <=, trace->webio->len);
  g_assert_cmpuint (row->wininet, <=, trace->wininet->len);
  g_assert_cmpuint (row->dns, <=, trace->dns->len);
  for (i = 0; i < NS_N_PHASES; i++)
    if (row->phases[i] != NS_UNKNOWN)
      {
        g_assert_cmpint (row->phases[i], >=, 0);
        sum += row->phases[i];
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
