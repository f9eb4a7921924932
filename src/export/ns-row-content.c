/* Headers and payload bytes of a request, from the records and packets of its row. Headers are
 * recognized by their field name or first line, bytes by their field type. A packet belongs to the
 * row if it belongs to the row's connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-row-content.h"

#include "base/ns-hash.h"
#include "base/ns-secrets.h"
#include "engine/net/packets/ns-packet-frame.h"
#include "engine/net/packets/ns-packet-mask.h"
#include "engine/net/packets/ns-packet-row.h"
#include "engine/open/ns-event-read.h"
#include "export/ns-netlog-headers.h"
#include "export/ns-row-cookies.h"
#include "export/ns-row-message.h"
#include "export/ns-row-owner.h"
#include "query/ns-row-events.h"
#include "schema/ns-payload.h"
#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-frame.h"

#include <string.h>

/* Maximum length of a first line of headers. */
#define MAX_FIRST_LINE 8192

/* Keywords of WinHTTP and WinINet. */
#define KEYWORD_SEND G_GUINT64_CONSTANT (0x100000000)
#define KEYWORD_RECEIVE G_GUINT64_CONSTANT (0x200000000)

typedef struct
{
  NsRowContent *content;
  NsRowContentOptions options;
  gsize n_headers;
  GHashTable *streams; /* name → number + 1 */
  NsContentPart at;    /* the current record */
  const char *event_name;
  guint64 keyword;
  const NsRecord *record;
} Finding;

static void
part_clear (gpointer data)
{
  NsContentPart *part = data;

  g_free (part->name);
  g_free (part->cookies);
  g_free (part->data);
}

/* Returns how many bytes may be read within the limits. */
static gsize
get_left (const Finding *self, gsize n_bytes)
{
  return MIN (n_bytes, self->options.max_bytes - self->content->n_read);
}

/* Adds @n_kept of @n_all bytes. */
static gboolean
add_part (Finding *self,
          NsContentKind kind,
          const char *name,
          const guint8 *data,
          gsize n_kept,
          gsize n_all)
{
  NsContentPart part = self->at;

  if (n_all == 0)
    return TRUE;
  if (n_kept == 0 || self->content->parts->len >= self->options.max_parts)
    {
      self->content->is_cut = TRUE;
      return FALSE;
    }
  part.kind = kind;
  part.n_all = n_all;
  part.n_bytes = n_kept;
  part.name = g_strdup (name);
  part.data = g_malloc (n_kept + 1);
  memcpy (part.data, data, n_kept);
  part.data[n_kept] = 0;
  self->content->is_cut |= n_kept < n_all;
  g_array_append_val (self->content->parts, part);
  return TRUE;
}

/* Adds headers. @cookies: (transfer full) (nullable): names of the cookies in them */
static gboolean
add_headers (Finding *self,
             NsContentKind kind,
             const char *name,
             const GString *text,
             char *cookies)
{
  gsize n_kept = MIN (text->len, NS_ROW_CONTENT_MAX_HEADERS - self->n_headers);
  guint n_before = self->content->parts->len;
  gboolean goes_on;

  self->n_headers += n_kept;
  goes_on = add_part (self, kind, name, (const guint8 *) text->str, n_kept, text->len);
  if (self->content->parts->len > n_before)
    g_array_index (self->content->parts, NsContentPart, n_before).cookies = cookies;
  else
    g_free (cookies);
  return goes_on;
}

/* Returns the number of a stream, one per direction. */
static guint
get_stream (Finding *self, NsContentKind kind, const char *name)
{
  g_autofree char *key = g_strdup_printf ("%d %s", kind, name);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->streams, key));

  if (number == 0)
    {
      number = g_hash_table_size (self->streams) + 1;
      g_hash_table_insert (self->streams, g_steal_pointer (&key), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

static gboolean
add_bytes (Finding *self, NsContentKind kind, const char *name, const guint8 *data, gsize n_bytes)
{
  gsize n_kept = get_left (self, n_bytes);

  if (self->options.max_bytes == 0)
    return TRUE;
  self->content->n_read += n_kept;
  return add_part (self, kind, name, data, n_kept, n_bytes);
}

/* Returns whether a text begins like a request: `GET /path HTTP/1.1`. */
static gboolean
begins_request (const char *text, gsize length)
{
  gsize end = 0;
  gsize i = 0;

  while (end < MIN (length, MAX_FIRST_LINE) && text[end] != '\r' && text[end] != '\n')
    end++;
  while (i < end && g_ascii_isupper (text[i]))
    i++;
  return i >= 3 && i < end && text[i] == ' ' && end >= i + 10 &&
         (strncmp (text + end - 8, "HTTP/1.", 7) == 0 ||
          strncmp (text + end - 6, "HTTP/2", 6) == 0);
}

static gboolean
begins_response (const char *text, gsize length)
{
  return length >= 9 && strncmp (text, "HTTP/", 5) == 0 && memchr (text, ' ', 9) != NULL;
}

static gboolean
has_word (const char *text, const char *word)
{
  g_autofree char *low = text != NULL ? g_ascii_strdown (text, -1) : NULL;

  return low != NULL && strstr (low, word) != NULL;
}

static gboolean
has_one_of (const Finding *self, const char *field_name, const char *const *words)
{
  for (; *words != NULL; words++)
    if (has_word (self->event_name, *words) || has_word (field_name, *words))
      return TRUE;
  return FALSE;
}

/* Returns the direction if the first line does not show it: 1 in, -1 out, 0 unknown. */
static int
judge_direction (const Finding *self, const char *field_name)
{
  static const char *const in[] = { "response", "receive", "reply", NULL };
  static const char *const out[] = { "request", "send", "encrypt", NULL };

  if (has_one_of (self, field_name, in))
    return 1;
  if (has_one_of (self, field_name, out))
    return -1;
  /* Keywords of WinHTTP and WinINet show the direction. */
  if ((self->keyword & (KEYWORD_SEND | KEYWORD_RECEIVE)) == KEYWORD_RECEIVE)
    return 1;
  return (self->keyword & (KEYWORD_SEND | KEYWORD_RECEIVE)) == KEYWORD_SEND ? -1 : 0;
}

static gboolean
is_string (const NsSchemaField *field)
{
  switch (field->in_type)
    {
    case NS_IN_UNICODESTRING:
    case NS_IN_ANSISTRING:
    case NS_IN_COUNTEDSTRING:
    case NS_IN_COUNTEDANSISTRING:
    case NS_IN_NONNULLTERMINATEDSTRING:
    case NS_IN_NONNULLTERMINATEDANSISTRING:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Reads headers in the JSON parameters of a Chromium event. */
static gboolean
take_netlog (Finding *self, const NsPayloadItem *item)
{
  gboolean is_response;
  g_autofree char *found =
      ns_netlog_headers_dup ((const char *) item->data, item->size, &is_response);
  g_autoptr (GString) text = g_string_new (found);
  char *cookies;

  if (found == NULL)
    return TRUE;
  cookies = ns_row_cookies_dup_names ((const guint8 *) text->str, text->len, FALSE);
  ns_secrets_mask_tail (self->content->secrets, text, 0);
  return add_headers (self,
                      is_response ? NS_CONTENT_RESPONSE : NS_CONTENT_REQUEST,
                      self->event_name != NULL ? self->event_name : "",
                      text,
                      cookies);
}

static gboolean
take_text (Finding *self, const NsPayloadItem *item)
{
  const char *name = item->field->name != NULL ? item->field->name : "";
  g_autoptr (GString) text = NULL;
  gboolean is_response;
  gboolean is_request;

  text = g_string_new (NULL);
  ns_value_append_text (item, self->content->secrets, text);
  is_response = begins_response (text->str, text->len);
  is_request = !is_response && begins_request (text->str, text->len);
  if (!is_response && !is_request &&
      !(has_word (name, "header") && strchr (text->str, ':') != NULL))
    return TRUE;
  if (!is_request)
    is_response |= judge_direction (self, name) > 0;
  return add_headers (self,
                      is_response ? NS_CONTENT_RESPONSE : NS_CONTENT_REQUEST,
                      name,
                      text,
                      ns_row_cookies_dup_names (item->data,
                                                item->size,
                                                item->field->in_type == NS_IN_UNICODESTRING));
}

/* Returns whether a binary field is content, and not an address or key. */
static gboolean
is_content (const char *name)
{
  static const char *const words[] = { "data", "payload", "body", "fragment", "content" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (words); i++)
    if (has_word (name, words[i]))
      return TRUE;
  return FALSE;
}

/* Reads bytes. TLS data may be logged twice: by TLS and by the request. */
static gboolean
take_bytes (Finding *self, const NsPayloadItem *item)
{
  int handshake = ns_row_owner_get_handshake (self->record);
  int direction = handshake != 0 ? handshake : judge_direction (self, item->field->name);
  const char *layer = handshake != 0                       ? "handshake"
                      : has_word (self->event_name, "ssl") ? "tls"
                                                           : "";
  NsContentKind kind = direction > 0   ? NS_CONTENT_RECEIVED
                       : direction < 0 ? NS_CONTENT_SENT
                                       : NS_CONTENT_BYTES;

  self->at.stream = get_stream (self, kind, layer);
  self->at.has_seq = FALSE;
  return add_bytes (self, kind, item->field->name, item->data, item->size);
}

static gboolean
take_item (const NsPayloadItem *item, gpointer user_data)
{
  Finding *self = user_data;

  if (item->kind != NS_ITEM_VALUE || item->size == 0)
    return TRUE;
  if (item->field->in_type == NS_IN_ANSISTRING && g_strcmp0 (item->field->name, "params") == 0)
    return take_netlog (self, item);
  if (is_string (item->field))
    return take_text (self, item);
  if (item->field->in_type == NS_IN_BINARY && is_content (item->field->name) &&
      (!item->is_secret || ns_secrets_are_shown (self->content->secrets)))
    return take_bytes (self, item);
  return TRUE;
}

/* Reads a record. @owner: (nullable): other users of the connection */
static void
look_at_event (Finding *self, const NsTrace *trace, guint32 row, const NsRowOwner *owner)
{
  NsPacketFrame frame;
  NsEvent event;

  /* Records of captured packets are not decoded here. */
  if (!ns_event_read_plain (trace, row, &event) ||
      (ns_packets_find_frame (event.record, &frame) && !ns_event_read (trace, row, &event)) ||
      (owner != NULL && ns_row_owner_is_other (owner, event.record)))
    return;
  self->at =
      (NsContentPart){ .time_ns = event.record->time_ns, .table = NS_TABLE_EVENTS, .row = row };
  self->event_name = ns_event_get_name (&event);
  self->keyword = event.record->keyword;
  self->record = event.record;
  ns_payload_walk (event.schema, event.record, take_item, self);
}

static void
look_through_events (Finding *self,
                     const NsTrace *trace,
                     NsTableId table,
                     guint32 row,
                     const NsRowEvents *found)
{
  g_autoptr (NsRowOwner) owner = NULL;
  guint32 event;
  guint i;

  if (ns_trace_find_event (trace, table, row, &event))
    {
      look_at_event (self, trace, event, NULL);
      return;
    }
  /* Without keys, the records are those of a thread and may belong to other operations. */
  if (found->keys->len == 0)
    return;
  owner = ns_row_owner_new (trace, table, row);
  for (i = 0; i < found->events->len && self->content->parts->len < self->options.max_parts; i++)
    {
      const NsRowEvent *entry = &g_array_index (found->events, NsRowEvent, i);

      look_at_event (self,
                     trace,
                     entry->event,
                     ns_row_events_is_own_key (found, entry->key) ? NULL : owner);
    }
  self->content->is_cut |= found->is_cut;
}

/* Reads the headers at the begin of an unencrypted message, up to the blank line. */
static void
take_clear_headers (Finding *self, const char *name, const guint8 *data, gsize n_bytes)
{
  const char *text = (const char *) data;
  g_autoptr (GString) text_shown = NULL;
  char *cookies;
  gboolean is_response;
  gsize end = 0;

  n_bytes = get_left (self, n_bytes);
  is_response = begins_response (text, n_bytes);
  if (!is_response && !begins_request (text, n_bytes))
    return;
  while (end + 4 <= n_bytes && memcmp (data + end, "\r\n\r\n", 4) != 0)
    end++;
  text_shown = g_string_new_len (text, (gssize) (end + 4 <= n_bytes ? end + 2 : n_bytes));
  cookies = ns_row_cookies_dup_names ((const guint8 *) text_shown->str, text_shown->len, FALSE);
  ns_secrets_mask_tail (self->content->secrets, text_shown, 0);
  add_headers (self,
               is_response ? NS_CONTENT_RESPONSE : NS_CONTENT_REQUEST,
               name,
               text_shown,
               cookies);
}

/* Formats the records of a DNS message, one per line. */
static void
take_dns (Finding *self, const char *name, const NsWireFrame *frame)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize size;
  const guint8 *data = ns_wire_frame_find_dns (frame, &size);
  NsWireDns dns;

  if (data == NULL || !ns_wire_dns_parse (&dns, data, size))
    return;
  ns_wire_dns_append_message (data, size, text);
  add_headers (self, dns.is_answer ? NS_CONTENT_RESPONSE : NS_CONTENT_REQUEST, name, text, NULL);
}

/* Returns a masked copy of a packet's bytes, as a secret may begin in another packet. Compressed
 * bodies are kept for joining, and masked afterwards. %NULL: not available. */
static guint8 *
dup_frame (const NsTrace *trace, const NsPacketRow *packet, gboolean is_plain)
{
  guint8 *frame;
  const guint8 *bytes = ns_packet_row_get_bytes (trace, packet);

  if (bytes == NULL)
    return NULL;
  frame = g_malloc (packet->captured + 1);
  memcpy (frame, bytes, packet->captured);
  if (is_plain)
    ns_packet_mask_apply_plain (ns_packet_mask_get (trace), packet, frame);
  else
    ns_packet_mask_apply (ns_packet_mask_get (trace), packet, frame);
  return frame;
}

/* Reads a packet. One without payload is shown as captured if it is the row itself. */
static void
take_frame (Finding *self, const NsTrace *trace, guint32 row)
{
  const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, row);
  g_autofree guint8 *bytes = dup_frame (trace, packet, FALSE);
  NsPacketEnds ends;

  if (bytes == NULL)
    return;
  self->at = (NsContentPart){ .time_ns = packet->time_ns, .table = NS_TABLE_PACKETS, .row = row };
  ns_packet_row_read_ends (trace, packet, &ends);
  add_bytes (self,
             NS_CONTENT_BYTES,
             ends.protocol != NULL ? ends.protocol : "",
             bytes,
             packet->captured);
}

static void
take_packet (Finding *self, const NsTrace *trace, guint32 row)
{
  const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, row);
  g_autofree guint8 *bytes = dup_frame (trace, packet, TRUE);
  NsWireFrame frame;
  NsContentKind kind;
  g_autofree char *name = NULL;
  char src[NS_IP_TEXT_SIZE];
  char dst[NS_IP_TEXT_SIZE];

  if (bytes == NULL ||
      !ns_wire_frame_parse_cut (&frame,
                                bytes,
                                packet->captured,
                                packet->length,
                                ns_packet_row_get_link_type (packet)) ||
      frame.payload == NULL)
    return;
  name = g_strdup_printf ("%s → %s",
                          ns_endpoint_to_text (&frame.src, src),
                          ns_endpoint_to_text (&frame.dst, dst));
  self->at = (NsContentPart){ .time_ns = packet->time_ns, .table = NS_TABLE_PACKETS, .row = row };
  take_clear_headers (self, name, frame.payload, frame.payload_size);
  take_dns (self, name, &frame);
  kind = packet->direction > 0   ? NS_CONTENT_RECEIVED
         : packet->direction < 0 ? NS_CONTENT_SENT
                                 : NS_CONTENT_BYTES;
  self->at.has_seq = frame.protocol == NS_IP_TCP;
  self->at.seq = frame.seq;
  self->at.stream = get_stream (self, kind, name);
  add_bytes (self, kind, name, frame.payload, frame.payload_size);
}

/* Returns the connection of a row, 0: unknown. */
static NsRow
get_connection (const NsTrace *trace, NsTableId table, guint32 row)
{
  const NsField *field = ns_table_find_field (table, "tcp");
  NsFieldValue value = { .is_null = TRUE };
  NsRow tcp;

  if (table == NS_TABLE_TCP)
    return row + 1;
  if (field == NULL)
    return 0;
  ns_field_get (trace, field, row, &value);
  tcp = value.is_null ? 0 : (NsRow) value.v.u;
  ns_field_value_clear (&value);
  return tcp;
}

static void
look_through_packets (Finding *self,
                      const NsTrace *trace,
                      NsTableId table,
                      guint32 row,
                      NsTimeSpan span)
{
  NsRow tcp = get_connection (trace, table, row);
  guint32 i;

  if (self->options.max_bytes == 0)
    return;

  if (table == NS_TABLE_PACKETS)
    {
      take_packet (self, trace, row);
      if (self->content->parts->len == 0)
        take_frame (self, trace, row);
      return;
    }
  for (i = 0; tcp != 0 && i < trace->packets->len && !self->content->is_cut; i++)
    {
      const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, i);

      if (ns_packet_row_get_tcp (trace, packet) == tcp && packet->time_ns >= span.begin_ns &&
          packet->time_ns <= span.end_ns)
        take_packet (self, trace, i);
    }
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const NsContentPart *one = a;
  const NsContentPart *other = b;

  if (one->time_ns != other->time_ns)
    return one->time_ns < other->time_ns ? -1 : 1;
  return (one->row > other->row) - (one->row < other->row);
}

/**
 * ns_row_content_may_have_headers:
 * @trace: an opened trace
 *
 * Returns: whether events with headers were recorded
 */
gboolean
ns_row_content_may_have_headers (const NsTrace *trace)
{
  return trace->webio->len > 0 || trace->wininet->len > 0 || trace->http_server->len > 0 ||
         trace->chromium->len > 0 || trace->packets->len > 0;
}

/* Returns whether the event has data sent or received: events of WinHTTP and WinINet-Capture. */
static gboolean
is_kind_of_bytes (const NsGuid *provider, guint16 id)
{
  static const NsGuid webio = NS_GUID_WEBIO;
  static const NsGuid capture = NS_GUID_WININET_CAPTURE;
  static const guint16 ids[] = { 111, 122, 129, 704, 705, 709, 726 };
  guint i;

  if (ns_guid_equal (provider, &capture))
    return id >= 2001 && id <= 2004;
  if (!ns_guid_equal (provider, &webio))
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    if (ids[i] == id)
      return TRUE;
  return FALSE;
}

/**
 * ns_row_content_may_have_bytes:
 * @trace: an opened trace
 *
 * Returns: whether packets, or bytes of requests, were recorded
 */
gboolean
ns_row_content_may_have_bytes (const NsTrace *trace)
{
  guint i;

  if (trace->packets->len > 0)
    return TRUE;
  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);

      if (kind->provider < trace->providers->len &&
          is_kind_of_bytes (&g_array_index (trace->providers, NsProviderRow, kind->provider).guid,
                            kind->id))
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_row_content_find:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 * @options: limits
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Reads headers and bytes from the records and packets of a row, with secrets masked.
 *
 * Returns: (transfer full) (nullable): the contents; %NULL if stopped
 */
NsRowContent *
ns_row_content_find (const NsTrace *trace,
                     NsTableId table,
                     guint32 row,
                     const NsRowContentOptions *options,
                     NsProgressFunc progress,
                     gpointer progress_data)
{
  g_autoptr (NsRowEvents) found = ns_row_events_find (trace, table, row, progress, progress_data);
  g_autoptr (NsRowContent) self = g_new0 (NsRowContent, 1);
  g_autoptr (GHashTable) streams = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  Finding finding = { .content = self, .options = *options, .streams = streams };

  g_return_val_if_fail (options->max_bytes <= NS_ROW_CONTENT_MAX_BYTES, NULL);
  g_return_val_if_fail (options->max_decoded <= NS_ROW_CONTENT_MAX_DECODED, NULL);
  g_return_val_if_fail (options->max_parts <= NS_ROW_CONTENT_MAX_PARTS, NULL);

  self->secrets = ns_secrets_ref (trace->secrets);
  self->parts = g_array_new (FALSE, FALSE, sizeof (NsContentPart));
  g_array_set_clear_func (self->parts, part_clear);
  self->messages = g_array_new (FALSE, FALSE, sizeof (NsContentMessage));
  g_array_set_clear_func (self->messages, ns_row_message_clear);
  if (found == NULL)
    return NULL;
  look_through_events (&finding, trace, table, row, found);
  look_through_packets (&finding, trace, table, row, found->span);
  g_array_sort (self->parts, compare_parts);
  if (options->max_decoded > 0)
    ns_row_message_find_all (self, options->max_decoded);
  ns_row_message_mask_parts (self);
  return g_steal_pointer (&self);
}

/**
 * ns_row_content_free:
 * @self: (transfer full) (nullable): contents
 */
void
ns_row_content_free (NsRowContent *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->messages, g_array_unref);
  ns_secrets_unref (self->secrets);
  g_free (self);
}
