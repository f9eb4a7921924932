/* Reads HTTP/1 exchanges from the two streams of a connection, as bytes arrive (RFC 9112).
 *
 * Message heads are buffered until complete. Of bodies only the length is tracked, so bytes missing
 * from the capture do no harm where their number is known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-exchange.h"

#include "wire/ns-wire-http.h"
#include "wire/ns-wire-message.h"

#include <string.h>

/* Longest method name accepted; real ones are short words in capitals. */
#define MAX_METHOD 32
/* Longest request target or status line kept, in bytes. */
#define MAX_TARGET 8192
/* Longest chunk size accepted, in hexadecimal digits. */
#define MAX_DIGITS 16

/* State of the parser of one stream: what the next byte belongs to. */
typedef enum
{
  IN_HEAD,
  IN_BODY, /* @left more bytes to come */
  IN_CHUNK_SIZE,
  IN_CHUNK_REST, /* rest of the line with the size */
  IN_CHUNK,
  IN_CHUNK_END,
  IN_TRAILER,
  IN_TRAILER_REST, /* rest of a line that is not empty */
  UNTIL_END,
  IS_OVER,
} Place;

typedef struct
{
  GByteArray *head;
  Place place;
  guint64 left;
  guint n_digits;
  gint64 begin_ns; /* first byte of the message */
  guint64 begin_index;
  guint64 n_bytes; /* of the message, and of interim (1xx) responses before it */
  guint exchange;  /* exchange of the message, 1-based; 0: none yet */
} Stream;

struct _NsWireExchanges
{
  Stream streams[2];
  GArray *exchanges; /* (element-type NsWireExchange) */
  guint n_answered;  /* exchanges that have a response or had one */
  gboolean is_switched;
};

static void
clear_exchange (gpointer data)
{
  NsWireExchange *exchange = data;

  g_free (exchange->method);
  g_free (exchange->target);
  g_free (exchange->host);
  g_free (exchange->status_line);
}

/**
 * ns_wire_exchanges_new:
 *
 * Returns: (transfer full): a reader for one connection, before its first byte
 */
NsWireExchanges *
ns_wire_exchanges_new (void)
{
  NsWireExchanges *self = g_new0 (NsWireExchanges, 1);
  guint i;

  for (i = 0; i < 2; i++)
    self->streams[i].head = g_byte_array_new ();
  self->exchanges = g_array_new (FALSE, FALSE, sizeof (NsWireExchange));
  g_array_set_clear_func (self->exchanges, clear_exchange);
  return self;
}

/**
 * ns_wire_exchanges_free:
 * @self: (transfer full): a reader
 *
 * Frees the reader and its exchanges.
 */
void
ns_wire_exchanges_free (NsWireExchanges *self)
{
  guint i;

  for (i = 0; i < 2; i++)
    g_byte_array_unref (self->streams[i].head);
  g_array_unref (self->exchanges);
  g_free (self);
}

static NsWireExchange *
exchange_at (const NsWireExchanges *self, guint number)
{
  return &g_array_index (self->exchanges, NsWireExchange, number - 1);
}

static guint
add_exchange (NsWireExchanges *self)
{
  NsWireExchange exchange = { .announced = -1,
                              .request_ns = -1,
                              .request_end_ns = -1,
                              .answer_ns = -1,
                              .answer_end_ns = -1 };

  if (self->exchanges->len >= NS_WIRE_EXCHANGES_MAX)
    return 0;
  g_array_append_val (self->exchanges, exchange);
  return self->exchanges->len;
}

/* Returns whether the bytes may begin a message; more bytes may disprove it. */
static gboolean
may_begin (NsWireSide side, const guint8 *data, gsize size)
{
  static const char answer[] = "HTTP/1.";
  gsize i;

  if (side == NS_WIRE_SERVER)
    return memcmp (data, answer, MIN (size, sizeof answer - 1)) == 0;
  for (i = 0; i < size && i <= MAX_METHOD; i++)
    {
      if (data[i] == ' ')
        return i > 0;
      if (!g_ascii_isupper (data[i]) && data[i] != '-' && data[i] != '_')
        return FALSE;
    }
  return i <= MAX_METHOD;
}

/* Returns the target in a line like `GET /path HTTP/1.1`, and its length; %NULL: no request
 * line. */
static const char *
find_target (const char *head, gsize size, gsize *length)
{
  static const char behind[] = " HTTP/1.";
  const char *end = memchr (head, '\n', size);
  const char *target = memchr (head, ' ', size);
  const char *version;

  if (end == NULL || target == NULL || target > end)
    return NULL;
  target++;
  version = memchr (target, ' ', (gsize) (end - target));
  if (version == NULL || version == target || (gsize) (end - version) < sizeof behind - 1 ||
      memcmp (version, behind, sizeof behind - 1) != 0)
    return NULL;
  *length = (gsize) (version - target);
  return target;
}

static gboolean
is_request_line (const char *head, gsize size)
{
  gsize length;

  return find_target (head, size, &length) != NULL;
}

static gboolean
read_request_line (NsWireExchange *exchange, const char *head, gsize size)
{
  gsize length;
  const char *target = find_target (head, size, &length);

  if (target == NULL)
    return FALSE;
  exchange->method = g_strndup (head, (gsize) (target - head) - 1);
  exchange->target = g_utf8_make_valid (target, (gssize) MIN (length, MAX_TARGET));
  return TRUE;
}

static void
begin_next (Stream *stream)
{
  g_byte_array_set_size (stream->head, 0);
  stream->place = IN_HEAD;
  stream->n_bytes = 0;
  stream->exchange = 0;
}

static void
end_message (NsWireExchanges *self, NsWireSide side, const NsWireSegment *bytes)
{
  Stream *stream = &self->streams[side];
  NsWireExchange *exchange = exchange_at (self, stream->exchange);

  if (side == NS_WIRE_CLIENT)
    {
      exchange->sent = stream->n_bytes;
      exchange->request_end_ns = bytes->time_ns;
      exchange->is_request_whole = TRUE;
    }
  else
    {
      exchange->received = stream->n_bytes;
      exchange->answer_end_ns = bytes->time_ns;
      exchange->is_answer_whole = TRUE;
    }
  begin_next (stream);
}

static void
begin_request (NsWireExchanges *self, const NsWireSegment *bytes, gboolean is_whole)
{
  Stream *stream = &self->streams[NS_WIRE_CLIENT];
  const char *head = (const char *) stream->head->data;
  gsize size = stream->head->len;
  NsWireExchange *exchange;
  guint64 length = 0;

  stream->exchange = add_exchange (self);
  if (stream->exchange == 0)
    {
      stream->place = IS_OVER;
      return;
    }
  exchange = exchange_at (self, stream->exchange);
  if (!read_request_line (exchange, head, size))
    {
      g_array_set_size (self->exchanges, self->exchanges->len - 1);
      stream->place = IS_OVER;
      return;
    }
  exchange->host = ns_wire_message_dup_field (head, size, "Host");
  exchange->request_ns = stream->begin_ns;
  exchange->request_index = stream->begin_index;
  exchange->sent = stream->n_bytes;
  exchange->request_end_ns = bytes->time_ns;
  if (!is_whole)
    return;
  if (ns_wire_message_is_chunked (head, size))
    stream->place = IN_CHUNK_SIZE;
  else if (ns_wire_message_read_length (head, size, &length) && length > 0)
    {
      stream->left = length;
      stream->place = IN_BODY;
    }
  else
    end_message (self, NS_WIRE_CLIENT, bytes);
  stream->n_digits = 0;
}

/* Determines where the body of a response ends (RFC 9112 6.3). */
static void
begin_body (NsWireExchanges *self, NsWireExchange *exchange, const NsWireSegment *bytes)
{
  Stream *stream = &self->streams[NS_WIRE_SERVER];
  const char *head = (const char *) stream->head->data;
  gsize size = stream->head->len;
  gboolean is_connect = g_strcmp0 (exchange->method, "CONNECT") == 0;
  gboolean is_tunnel = exchange->status == 101 || (is_connect && exchange->status / 100 == 2);
  guint64 length = 0;

  stream->n_digits = 0;
  if (is_tunnel || exchange->status == 204 || exchange->status == 304 ||
      g_strcmp0 (exchange->method, "HEAD") == 0)
    {
      end_message (self, NS_WIRE_SERVER, bytes);
      self->is_switched = is_tunnel;
    }
  else if (ns_wire_message_is_chunked (head, size))
    stream->place = IN_CHUNK_SIZE;
  else if (!ns_wire_message_read_length (head, size, &length))
    stream->place = UNTIL_END;
  else
    {
      exchange->announced = (gint64) length;
      stream->left = length;
      stream->place = IN_BODY;
      if (length == 0)
        end_message (self, NS_WIRE_SERVER, bytes);
    }
}

static void
begin_answer (NsWireExchanges *self, const NsWireSegment *bytes, gboolean is_whole)
{
  Stream *stream = &self->streams[NS_WIRE_SERVER];
  g_autoptr (GString) line = g_string_new (NULL);
  NsWireExchange *exchange;
  guint status;

  ns_wire_http_append_first_line (stream->head->data, stream->head->len, line);
  status = ns_wire_http_status_of_line (line->str);
  if (status < 100)
    {
      stream->place = IS_OVER;
      return;
    }
  if (status < 200 && status != 101)
    {
      /* The bytes of interim responses count with the final response. */
      g_byte_array_set_size (stream->head, 0);
      return;
    }
  stream->exchange =
      self->n_answered < self->exchanges->len ? self->n_answered + 1 : add_exchange (self);
  if (stream->exchange == 0)
    {
      stream->place = IS_OVER;
      return;
    }
  self->n_answered = stream->exchange;
  exchange = exchange_at (self, stream->exchange);
  exchange->status = status;
  exchange->status_line = g_string_free (g_steal_pointer (&line), FALSE);
  exchange->answer_ns = stream->begin_ns;
  exchange->answer_index = stream->begin_index;
  exchange->answer_end_ns = bytes->time_ns;
  exchange->received = stream->n_bytes;
  if (is_whole)
    begin_body (self, exchange, bytes);
}

static gboolean
is_head_whole (const GByteArray *head)
{
  const guint8 *end = head->data + head->len;

  return (head->len >= 2 && end[-1] == '\n' && end[-2] == '\n') ||
         (head->len >= 3 && end[-1] == '\n' && end[-2] == '\r' && end[-3] == '\n');
}

/* Reads up to the end of the line; each byte is copied once. */
static gsize
read_head (NsWireExchanges *self,
           NsWireSide side,
           const guint8 *data,
           gsize size,
           const NsWireSegment *bytes)
{
  Stream *stream = &self->streams[side];
  GByteArray *head = stream->head;
  const guint8 *end = memchr (data, '\n', size);
  gsize n = end != NULL ? (gsize) (end - data) + 1 : size;

  /* Empty lines before a message are ignored (RFC 9112 2.2). */
  if (head->len == 0 && (data[0] == '\r' || data[0] == '\n'))
    return 1;
  if (head->len == 0)
    {
      stream->begin_ns = bytes->time_ns;
      stream->begin_index = bytes->index;
    }
  if (head->len + n > NS_WIRE_MESSAGE_MAX_HEAD)
    {
      stream->place = IS_OVER;
      return 0;
    }
  g_byte_array_append (head, data, (guint) n);
  if (!may_begin (side, head->data, head->len) ||
      (end != NULL && memchr (head->data, '\n', head->len) == head->data + head->len - 1 &&
       side == NS_WIRE_CLIENT && !is_request_line ((const char *) head->data, head->len)))
    {
      stream->place = IS_OVER;
      return 0;
    }
  stream->n_bytes += n;
  if (is_head_whole (head))
    {
      if (side == NS_WIRE_CLIENT)
        begin_request (self, bytes, TRUE);
      else
        begin_answer (self, bytes, TRUE);
    }
  return n;
}

static void
end_chunk_size (Stream *stream)
{
  stream->place = stream->left > 0 ? IN_CHUNK : IN_TRAILER;
  if (stream->n_digits == 0 || stream->n_digits > MAX_DIGITS)
    stream->place = IS_OVER;
}

/* Uses the complete lines of a head that a gap cuts: its first line and the fields up to the
 * gap. */
static void
end_with_gap (NsWireExchanges *self, NsWireSide side, const NsWireSegment *bytes)
{
  Stream *stream = &self->streams[side];
  GByteArray *head = stream->head;

  if (stream->place == IN_HEAD && head->len > 0)
    {
      while (head->len > 0 && head->data[head->len - 1] != '\n')
        g_byte_array_set_size (head, head->len - 1);
      if (head->len > 0 && side == NS_WIRE_CLIENT)
        begin_request (self, bytes, FALSE);
      else if (head->len > 0)
        begin_answer (self, bytes, FALSE);
    }
  stream->place = IS_OVER;
}

/* Reads one byte of chunk sizes, chunk ends or trailer fields. */
static void
read_chunk_line (NsWireExchanges *self, NsWireSide side, guint8 byte, const NsWireSegment *bytes)
{
  Stream *stream = &self->streams[side];
  int digit = g_ascii_xdigit_value ((char) byte);

  stream->n_bytes++;
  switch (stream->place)
    {
    case IN_CHUNK_SIZE:
      if (digit >= 0)
        {
          stream->left = (stream->n_digits == 0 ? 0 : stream->left << 4) | (guint) digit;
          stream->n_digits += stream->n_digits <= MAX_DIGITS;
        }
      else if (byte == '\n')
        end_chunk_size (stream);
      else
        stream->place = IN_CHUNK_REST;
      break;
    case IN_CHUNK_REST:
      if (byte == '\n')
        end_chunk_size (stream);
      break;
    case IN_CHUNK_END:
      if (byte == '\n')
        {
          stream->place = IN_CHUNK_SIZE;
          stream->n_digits = 0;
        }
      else if (byte != '\r')
        stream->place = IS_OVER;
      break;
    case IN_TRAILER:
      if (byte == '\n')
        end_message (self, side, bytes);
      else if (byte != '\r')
        stream->place = IN_TRAILER_REST;
      break;
    default:
      if (byte == '\n')
        stream->place = IN_TRAILER;
    }
}

/* Counts bytes of a body. */
static gsize
skip_body (NsWireExchanges *self, NsWireSide side, gsize size, const NsWireSegment *bytes)
{
  Stream *stream = &self->streams[side];
  gsize n = stream->place == UNTIL_END ? size : (gsize) MIN (size, stream->left);
  NsWireExchange *exchange = exchange_at (self, stream->exchange);

  stream->n_bytes += n;
  stream->left -= stream->place == UNTIL_END ? 0 : n;
  if (side == NS_WIRE_CLIENT)
    {
      exchange->sent = stream->n_bytes;
      exchange->request_end_ns = bytes->time_ns;
    }
  else
    {
      exchange->received = stream->n_bytes;
      exchange->answer_end_ns = bytes->time_ns;
    }
  if (stream->place == UNTIL_END || stream->left > 0)
    return n;
  if (stream->place == IN_CHUNK)
    stream->place = IN_CHUNK_END;
  else
    end_message (self, side, bytes);
  return n;
}

/**
 * ns_wire_exchanges_feed:
 * @self: a reader
 * @side: sender of the bytes
 * @bytes: the next bytes of that stream, untrusted; without data: a gap in the capture
 * @n_used: (out): number of bytes read; fewer than given if the connection switches protocols, see
 *   ns_wire_exchanges_is_switched()
 *
 * Reads the next bytes. Bytes of both sides must be fed in the order of their arrival.
 *
 * Returns: whether further bytes of that stream are of use
 */
gboolean
ns_wire_exchanges_feed (NsWireExchanges *self,
                        NsWireSide side,
                        const NsWireSegment *bytes,
                        gsize *n_used)
{
  Stream *stream = &self->streams[side];
  gsize at = 0;

  while (at < bytes->size && stream->place != IS_OVER)
    {
      gboolean is_body = stream->place == IN_BODY || stream->place == IN_CHUNK ||
                         (stream->place == UNTIL_END && bytes->data != NULL);

      if (self->is_switched && stream->place == IN_HEAD)
        break;
      if (is_body)
        at += skip_body (self, side, bytes->size - at, bytes);
      else if (bytes->data == NULL)
        end_with_gap (self, side, bytes);
      else if (stream->place == IN_HEAD)
        at += read_head (self, side, bytes->data + at, bytes->size - at, bytes);
      else
        read_chunk_line (self, side, bytes->data[at++], bytes);
    }
  *n_used = at;
  return stream->place != IS_OVER;
}

/**
 * ns_wire_exchanges_end:
 * @self: a reader
 * @side: sender whose stream ends
 * @is_closed: whether the sender closed it, which completes a response of unknown length
 *
 * Ends one stream.
 */
void
ns_wire_exchanges_end (NsWireExchanges *self, NsWireSide side, gboolean is_closed)
{
  Stream *stream = &self->streams[side];

  if (stream->place == UNTIL_END && is_closed)
    exchange_at (self, stream->exchange)->is_answer_whole = TRUE;
  stream->place = IS_OVER;
}

/**
 * ns_wire_exchanges_is_switched:
 * @self: a reader
 *
 * Returns: whether both streams switched to another protocol, after CONNECT or status 101
 */
gboolean
ns_wire_exchanges_is_switched (const NsWireExchanges *self)
{
  return self->is_switched;
}

/**
 * ns_wire_exchanges_get:
 * @self: a reader
 *
 * Returns: (transfer none) (element-type NsWireExchange): the exchanges so far, in the order of
 *   their requests
 */
GArray *
ns_wire_exchanges_get (const NsWireExchanges *self)
{
  return self->exchanges;
}
