/* Events of .NET's event sources for requests, sockets, name resolution and handshakes.
 *
 * Layouts and IDs are those of NetEventSource and HttpTelemetry in dotnet/runtime, and of
 * FrameworkEventSource. Later versions only append fields, so a payload is read as far as it goes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/tasks/ns-dotnet-event.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/trace/ns-masked.h"
#include "engine/trace/ns-url.h"

#include <math.h>
#include <string.h>

/* Maximum number of bytes in the text of an address. */
#define MAX_ADDRESS_BYTES 28

typedef struct
{
  guint16 id;
  guint8 kind; /* an NsDotnetKind */
  const char *name;
} Kind;

static const Kind http_kinds[] = {
  { 1, NS_DOTNET_REQUEST_START, "RequestStart" },
  { 2, NS_DOTNET_REQUEST_STOP, "RequestStop" },
  { 3, NS_DOTNET_REQUEST_FAILED, "RequestFailed" },
  { 4, NS_DOTNET_ESTABLISHED, "ConnectionEstablished" },
  { 5, NS_DOTNET_CLOSED, "ConnectionClosed" },
  { 6, NS_DOTNET_LEFT_QUEUE, "RequestLeftQueue" },
  { 7, NS_DOTNET_REQUEST_HEADERS_START, "RequestHeadersStart" },
  { 8, NS_DOTNET_REQUEST_HEADERS_STOP, "RequestHeadersStop" },
  { 9, NS_DOTNET_REQUEST_CONTENT_START, "RequestContentStart" },
  { 10, NS_DOTNET_REQUEST_CONTENT_STOP, "RequestContentStop" },
  { 11, NS_DOTNET_RESPONSE_HEADERS_START, "ResponseHeadersStart" },
  { 12, NS_DOTNET_RESPONSE_HEADERS_STOP, "ResponseHeadersStop" },
  { 13, NS_DOTNET_RESPONSE_CONTENT_START, "ResponseContentStart" },
  { 14, NS_DOTNET_RESPONSE_CONTENT_STOP, "ResponseContentStop" },
  { 15, NS_DOTNET_FAILED_DETAILED, "RequestFailedDetailed" },
  { 16, NS_DOTNET_REDIRECT, "Redirect" },
};

static const Kind socket_kinds[] = {
  { 1, NS_DOTNET_CONNECT_START, "ConnectStart" },
  { 2, NS_DOTNET_CONNECT_STOP, "ConnectStop" },
  { 3, NS_DOTNET_CONNECT_FAILED, "ConnectFailed" },
  { 4, NS_DOTNET_ACCEPT, "AcceptStart" },
  { 5, NS_DOTNET_ACCEPT, "AcceptStop" },
  { 6, NS_DOTNET_ACCEPT, "AcceptFailed" },
};

static const Kind name_kinds[] = {
  { 1, NS_DOTNET_RESOLUTION_START, "ResolutionStart" },
  { 2, NS_DOTNET_RESOLUTION_STOP, "ResolutionStop" },
  { 3, NS_DOTNET_RESOLUTION_FAILED, "ResolutionFailed" },
};

static const Kind security_kinds[] = {
  { 1, NS_DOTNET_HANDSHAKE_START, "HandshakeStart" },
  { 2, NS_DOTNET_HANDSHAKE_STOP, "HandshakeStop" },
  { 3, NS_DOTNET_HANDSHAKE_FAILED, "HandshakeFailed" },
};

static const Kind framework_kinds[] = {
  { 140, NS_DOTNET_GET_RESPONSE_START, "GetResponseStart" },
  { 141, NS_DOTNET_GET_RESPONSE_STOP, "GetResponseStop" },
  { 142, NS_DOTNET_GET_STREAM_START, "GetRequestStreamStart" },
  { 143, NS_DOTNET_GET_STREAM_STOP, "GetRequestStreamStop" },
};

/* clang-format off */
static const struct
{
  NsProviderId provider;
  const Kind *kinds;
  guint n_kinds;
} sources[] = {
  { NS_PROVIDER_DOTNET_HTTP, http_kinds, G_N_ELEMENTS (http_kinds) },
  { NS_PROVIDER_DOTNET_SOCKETS, socket_kinds, G_N_ELEMENTS (socket_kinds) },
  { NS_PROVIDER_DOTNET_NAMES, name_kinds, G_N_ELEMENTS (name_kinds) },
  { NS_PROVIDER_DOTNET_SECURITY, security_kinds, G_N_ELEMENTS (security_kinds) },
  { NS_PROVIDER_DOTNET_FRAMEWORK, framework_kinds, G_N_ELEMENTS (framework_kinds) },
};
/* clang-format on */

/**
 * ns_dotnet_event_name: (skip)
 * @record: an event of an EventSource
 *
 * Programs without manifests describe each event in its header, and number events in the order of
 * use.
 *
 * Returns: (nullable): its name, valid as long as the record; %NULL if its number identifies it
 */
const char *
ns_dotnet_event_name (const NsRecord *record)
{
  NsExtItem item;
  NsCursor cursor;
  const char *name;
  gsize n_bytes;
  gsize n_left;

  if (record->n_extended == 0 || !ns_record_find_item (record, NS_EXT_SCHEMA_TL, &item))
    return NULL;
  ns_cursor_init (&cursor, item.data, item.size);
  ns_cursor_u16 (&cursor);
  while ((ns_cursor_u8 (&cursor) & 0x80) != 0)
    ;
  n_left = ns_cursor_left (&cursor);
  name = ns_cursor_astr (&cursor, &n_bytes);
  /* A missing or truncated name: an unknown event. */
  return ns_cursor_ok (&cursor) && n_bytes < n_left ? name : "";
}

static guint8
find_kind (const NsRecord *record)
{
  const char *name = ns_dotnet_event_name (record);
  guint i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (sources); i++)
    if (ns_guid_equal (&record->guid, ns_catalog_get_guid (sources[i].provider)))
      for (j = 0; j < sources[i].n_kinds; j++)
        {
          const Kind *kind = &sources[i].kinds[j];

          if (name != NULL ? strcmp (kind->name, name) == 0 : kind->id == record->id)
            return kind->kind;
        }
  return NS_DOTNET_NOTHING;
}

static NsString
take_text (const NsTrace *trace, NsCursor *cursor)
{
  const guint8 *text;
  gsize n_bytes;

  if (ns_cursor_left (cursor) < 2)
    return NS_STRING_NONE;
  text = ns_cursor_wstr (cursor, &n_bytes);
  return ns_cursor_ok (cursor) ? ns_strings_add_utf16 (trace->strings, text, n_bytes)
                               : NS_STRING_NONE;
}

static NsString
take_masked (const NsTrace *trace, NsCursor *cursor)
{
  NsString text = take_text (trace, cursor);

  return text != NS_STRING_NONE ? ns_masked_text (trace, text) : NS_STRING_NONE;
}

static gint32
take_number (NsCursor *cursor)
{
  return ns_cursor_left (cursor) >= 4 ? (gint32) ns_cursor_u32 (cursor) : NS_DOTNET_NO_NUMBER;
}

static guint8
take_byte (NsCursor *cursor)
{
  return ns_cursor_left (cursor) >= 1 ? ns_cursor_u8 (cursor) : 0;
}

static void
take_id (NsDotnetEvent *self, NsCursor *cursor)
{
  self->has_id = ns_cursor_left (cursor) >= 8;
  if (self->has_id)
    self->id = ns_cursor_u64 (cursor);
}

static void
take_success (NsDotnetEvent *self, NsCursor *cursor)
{
  self->has_success = ns_cursor_left (cursor) >= 4;
  if (self->has_success)
    self->success = ns_cursor_u32 (cursor) != 0;
  take_number (cursor);
}

/* Converts milliseconds in a double; values out of range are unknown. */
static gint64
take_milliseconds (NsCursor *cursor)
{
  guint64 bits;
  double value;

  if (ns_cursor_left (cursor) < 8)
    return 0;
  bits = ns_cursor_u64 (cursor);
  memcpy (&value, &bits, sizeof value);
  if (!isfinite (value) || value < 0 || value > 1e12)
    return 0;
  return (gint64) (value * 1e6 + 0.5);
}

static void
read_payload (NsDotnetEvent *self, const NsTrace *trace, NsCursor *cursor)
{
  switch ((NsDotnetKind) self->kind)
    {
    case NS_DOTNET_REQUEST_START:
      self->text = take_text (trace, cursor);
      self->host = take_text (trace, cursor);
      self->number = take_number (cursor);
      self->path = take_text (trace, cursor);
      self->major = take_byte (cursor);
      self->minor = take_byte (cursor);
      self->policy = take_number (cursor);
      break;
    case NS_DOTNET_REQUEST_STOP:
    case NS_DOTNET_RESPONSE_HEADERS_STOP:
    case NS_DOTNET_HANDSHAKE_STOP:
      self->number = take_number (cursor);
      break;
    case NS_DOTNET_REQUEST_FAILED:
    case NS_DOTNET_FAILED_DETAILED:
      self->text = take_masked (trace, cursor);
      break;
    case NS_DOTNET_REDIRECT:
      self->text = take_text (trace, cursor);
      if (self->text != NS_STRING_NONE)
        self->text = ns_url_mask (trace, self->text);
      break;
    case NS_DOTNET_ESTABLISHED:
      self->major = take_byte (cursor);
      self->minor = take_byte (cursor);
      take_id (self, cursor);
      self->text = take_text (trace, cursor);
      self->host = take_text (trace, cursor);
      self->number = take_number (cursor);
      self->path = take_text (trace, cursor);
      break;
    case NS_DOTNET_CLOSED:
      self->major = take_byte (cursor);
      self->minor = take_byte (cursor);
      take_id (self, cursor);
      break;
    case NS_DOTNET_LEFT_QUEUE:
      self->wait_ns = take_milliseconds (cursor);
      self->major = take_byte (cursor);
      self->minor = take_byte (cursor);
      break;
    case NS_DOTNET_REQUEST_HEADERS_START:
    case NS_DOTNET_REQUEST_CONTENT_STOP:
      take_id (self, cursor);
      break;
    case NS_DOTNET_RESOLUTION_START:
    case NS_DOTNET_CONNECT_START:
      self->text = take_text (trace, cursor);
      break;
    case NS_DOTNET_CONNECT_FAILED:
      self->number = take_number (cursor);
      self->text = take_masked (trace, cursor);
      break;
    case NS_DOTNET_HANDSHAKE_START:
      self->is_server = ns_cursor_left (cursor) >= 4 && ns_cursor_u32 (cursor) != 0;
      self->text = take_text (trace, cursor);
      break;
    case NS_DOTNET_HANDSHAKE_FAILED:
      self->is_server = ns_cursor_left (cursor) >= 4 && ns_cursor_u32 (cursor) != 0;
      self->wait_ns = take_milliseconds (cursor);
      self->text = take_masked (trace, cursor);
      break;
    case NS_DOTNET_GET_RESPONSE_START:
    case NS_DOTNET_GET_STREAM_START:
      take_id (self, cursor);
      self->text = take_text (trace, cursor);
      take_success (self, cursor);
      break;
    case NS_DOTNET_GET_RESPONSE_STOP:
    case NS_DOTNET_GET_STREAM_STOP:
      take_id (self, cursor);
      take_success (self, cursor);
      self->number = take_number (cursor);
      break;
    case NS_DOTNET_NOTHING:
    case NS_DOTNET_REQUEST_HEADERS_STOP:
    case NS_DOTNET_REQUEST_CONTENT_START:
    case NS_DOTNET_RESPONSE_HEADERS_START:
    case NS_DOTNET_RESPONSE_CONTENT_START:
    case NS_DOTNET_RESPONSE_CONTENT_STOP:
    case NS_DOTNET_RESOLUTION_STOP:
    case NS_DOTNET_RESOLUTION_FAILED:
    case NS_DOTNET_CONNECT_STOP:
    case NS_DOTNET_ACCEPT:
    default:
      break;
    }
}

/**
 * ns_dotnet_event_read: (skip)
 * @self: (out): the event
 * @trace: the trace
 * @record: a record of one of the sources
 *
 * Fields beyond the end of the payload are empty; bytes after the known fields are ignored.
 *
 * Returns: %FALSE if the event is not used
 */
gboolean
ns_dotnet_event_read (NsDotnetEvent *self, const NsTrace *trace, const NsRecord *record)
{
  NsCursor cursor;

  memset (self, 0, sizeof *self);
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return FALSE;
  self->kind = find_kind (record);
  if (self->kind == NS_DOTNET_NOTHING)
    return FALSE;
  self->time_ns = record->time_ns;
  self->activity = record->activity;
  self->pid = record->pid;
  self->tid = record->tid;
  self->number = NS_DOTNET_NO_NUMBER;
  self->policy = NS_DOTNET_NO_NUMBER;
  ns_record_cursor (record, &cursor);
  read_payload (self, trace, &cursor);
  return TRUE;
}

static gboolean
is_family (const char *text, gsize n, const char *name, const char *number)
{
  return (strlen (name) == n && strncmp (text, name, n) == 0) ||
         (strlen (number) == n && strncmp (text, number, n) == 0);
}

/**
 * ns_dotnet_read_address: (skip)
 * @text: (nullable): a result of SocketAddress.ToString(): `InterNetwork:16:{1,187,203,0,113,10,…}`
 * @end: (out): the endpoint
 *
 * The bytes are those of a SOCKADDR from offset 2 on. An IPv4-mapped address becomes IPv4.
 *
 * Returns: %FALSE if it is not an IPv4 or IPv6 address
 */
gboolean
ns_dotnet_read_address (const char *text, NsEndpoint *end)
{
  const char *colon = text != NULL ? strchr (text, ':') : NULL;
  const char *at = colon != NULL ? strchr (colon, '{') : NULL;
  guint8 bytes[MAX_ADDRESS_BYTES];
  guint n = 0;

  memset (end, 0, sizeof *end);
  if (at == NULL)
    return FALSE;
  for (at++; n < MAX_ADDRESS_BYTES && g_ascii_isdigit (*at);)
    {
      guint value = 0;
      guint n_digits = 0;

      for (; g_ascii_isdigit (*at) && n_digits < 4; at++, n_digits++)
        value = value * 10 + (guint) (*at - '0');
      if (value > 255)
        return FALSE;
      bytes[n++] = (guint8) value;
      if (*at == ',')
        at++;
    }
  if (is_family (text, (gsize) (colon - text), "InterNetwork", "2") && n >= 6)
    end->ip = ns_ip_from_v4 (bytes + 2);
  else if (is_family (text, (gsize) (colon - text), "InterNetworkV6", "23") && n >= 22)
    {
      end->ip = ns_ip_from_v6 (bytes + 6);
      end->ip = ns_ip_unmapped (&end->ip);
    }
  else
    return FALSE;
  end->port = (guint16) (bytes[0] << 8 | bytes[1]);
  return TRUE;
}
