/* Application protocols in conversations: TLS, HTTP/1, DNS and QUIC, recognized by their bytes.
 *
 * The streams of a connection are read from the first byte on while they can add facts: for TLS
 * until the end of the handshake, for unknown protocols not at all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-content.h"

#include "wire/ns-wire-quic.h"

#include <string.h>

#define PORT_DNS 53
/* Maximum number of datagrams of a conversation that are read for QUIC; both sides have sent their
 * first packets by then. */
#define MAX_QUIC_LOOKS 32
/* TLS record types. */
#define FIRST_RECORD 20
#define LAST_RECORD 24
/* A DNS message over TCP is preceded by its length. */
#define LENGTH_BYTES 2

typedef enum
{
  CARRIES_UNKNOWN,
  CARRIES_TLS,
  CARRIES_HTTP,
  CARRIES_DNS,
} Carries;

struct _NsFlowContent
{
  NsWireOrder orders[2];
  GByteArray *messages[2]; /* DNS: a message that is not complete yet */
  NsWireHandshake *tls;
  NsWireExchanges *http;
  NsFlowAsked asked;
  NsBool is_over[2];
  guint8 carries; /* a Carries */
  guint8 n_looks;
  NsBool has_client_id; /* QUIC */
  NsBool has_server_id;
};

/* Marks connections whose streams are no longer read. */
static const NsFlowContent nothing_more;

/* A range of a stream, and its side. */
typedef struct
{
  NsFlowContent *content;
  const NsFlowPlace *place;
  guint side;
} Stretch;

static void
clear_exchanges (gpointer data)
{
  g_clear_pointer (&((NsFlowExchanges *) data)->http, ns_wire_exchanges_free);
}

/**
 * ns_flow_found_init: (skip)
 * @self: (out): an empty result
 */
void
ns_flow_found_init (NsFlowFound *self)
{
  self->exchanges = g_array_new (FALSE, FALSE, sizeof (NsFlowExchanges));
  g_array_set_clear_func (self->exchanges, clear_exchanges);
  self->questions = ns_flow_questions_new ();
}

/**
 * ns_flow_found_clear: (skip)
 * @self: a result
 *
 * Frees what it contains.
 */
void
ns_flow_found_clear (NsFlowFound *self)
{
  g_array_unref (self->exchanges);
  g_array_unref (self->questions);
}

static NsFlowContent *
get_content (NsFlowContent **self)
{
  if (*self == NULL)
    *self = g_new0 (NsFlowContent, 1);
  return *self;
}

/**
 * ns_flow_content_begin: (skip)
 * @self: (inout): the content of a connection
 * @side: the side that sends the stream
 * @seq: number of the first byte of that stream
 */
void
ns_flow_content_begin (NsFlowContent **self, guint side, guint32 seq)
{
  NsWireOrder *order;

  if (*self == &nothing_more)
    return;
  order = &get_content (self)->orders[side];
  if (!order->has_next)
    ns_wire_order_begin (order, seq);
}

static NsWireSide
wire_side (const Stretch *self)
{
  return self->side == self->place->client ? NS_WIRE_CLIENT : NS_WIRE_SERVER;
}

static gboolean
read_tls (Stretch *self, const NsWireSegment *bytes)
{
  NsFlowContent *content = self->content;

  if (content->tls == NULL)
    content->tls = ns_wire_handshake_new ();
  if (bytes->data == NULL)
    {
      ns_wire_handshake_end (content->tls, wire_side (self));
      return FALSE;
    }
  return ns_wire_handshake_feed (content->tls,
                                 wire_side (self),
                                 bytes->data,
                                 bytes->captured,
                                 bytes->time_ns,
                                 bytes->index);
}

/* Reads HTTP. After a switch to another protocol, such as by CONNECT, TLS may follow. */
static gboolean
read_http (Stretch *self, const NsWireSegment *bytes)
{
  NsFlowContent *content = self->content;
  NsWireSegment rest = *bytes;
  gsize n_used;

  if (content->http == NULL)
    content->http = ns_wire_exchanges_new ();
  if (!ns_wire_exchanges_feed (content->http, wire_side (self), bytes, &n_used))
    return FALSE;
  if (!ns_wire_exchanges_is_switched (content->http) || n_used >= bytes->size)
    return TRUE;
  content->carries = CARRIES_TLS;
  rest.size -= n_used;
  rest.captured -= MIN (n_used, rest.captured);
  rest.data = rest.captured > 0 ? bytes->data + n_used : NULL;
  return read_tls (self, &rest);
}

static gboolean
read_dns (Stretch *self, const NsWireSegment *bytes)
{
  NsFlowContent *content = self->content;
  GByteArray *whole = content->messages[self->side];
  gsize at = 0;

  if (bytes->data == NULL)
    return FALSE;
  if (whole == NULL)
    whole = content->messages[self->side] = g_byte_array_new ();
  while (at < bytes->captured)
    {
      gsize wanted = LENGTH_BYTES;
      gsize n;

      if (whole->len >= LENGTH_BYTES)
        wanted += (gsize) whole->data[0] << 8 | whole->data[1];
      n = MIN (wanted - whole->len, bytes->captured - at);
      g_byte_array_append (whole, bytes->data + at, (guint) n);
      at += n;
      if (whole->len < wanted)
        continue;
      if (whole->len > LENGTH_BYTES)
        ns_flow_questions_add (self->place->found->questions,
                               &content->asked,
                               self->place->trace,
                               &(NsFlowMessage){ .data = whole->data + LENGTH_BYTES,
                                                 .captured = whole->len - LENGTH_BYTES,
                                                 .size = whole->len,
                                                 .time_ns = bytes->time_ns,
                                                 .flow = self->place->flow,
                                                 .is_tcp = TRUE });
      else if (whole->data[0] != 0 || whole->data[1] != 0)
        continue;
      /* Ignore an empty message. */
      g_byte_array_set_size (whole, 0);
    }
  return TRUE;
}

/* Recognizes the protocol by the first byte of either stream; the HTTP parser checks more. */
static Carries
guess (const NsWireSegment *bytes)
{
  if (bytes->data[0] >= FIRST_RECORD && bytes->data[0] <= LAST_RECORD)
    return CARRIES_TLS;
  return g_ascii_isupper (bytes->data[0]) ? CARRIES_HTTP : CARRIES_UNKNOWN;
}

static gboolean
read_stretch (const NsWireSegment *bytes, gpointer user_data)
{
  Stretch *self = user_data;
  NsFlowContent *content = self->content;

  if (content->carries == CARRIES_UNKNOWN && bytes->data != NULL)
    content->carries = (guint8) guess (bytes);
  switch ((Carries) content->carries)
    {
    case CARRIES_TLS:
      return read_tls (self, bytes);
    case CARRIES_HTTP:
      return read_http (self, bytes);
    case CARRIES_DNS:
      return read_dns (self, bytes);
    default:
      return FALSE;
    }
}

/**
 * ns_flow_content_add_segment: (skip)
 * @self: (inout): the content of a connection
 * @place: conversation and sender of the packet
 * @frame: a segment with data that is not a keep-alive
 * @size: how many bytes of data it has
 */
void
ns_flow_content_add_segment (NsFlowContent **self,
                             const NsFlowPlace *place,
                             const NsWireFrame *frame,
                             gsize size)
{
  NsFlowContent *content = get_content (self);
  Stretch stretch = { .content = content, .place = place, .side = place->side };
  NsWireSegment segment = { .data = frame->payload,
                            .captured = MIN (frame->payload_size, size),
                            .size = size,
                            .seq = frame->seq + ((frame->tcp_flags & NS_TCP_SYN) != 0),
                            .time_ns = place->time_ns,
                            .index = place->packet };

  if (content == &nothing_more || content->is_over[place->side])
    return;
  if (content->carries == CARRIES_UNKNOWN &&
      (frame->src.port == PORT_DNS || frame->dst.port == PORT_DNS))
    content->carries = CARRIES_DNS;
  if (segment.captured == 0)
    segment.data = NULL;
  content->is_over[place->side] =
      !ns_wire_order_add (&content->orders[place->side], &segment, read_stretch, &stretch);
  /* HTTP exchanges are complete only at the end of the conversation. */
  if (content->is_over[0] && content->is_over[1] && content->http == NULL)
    {
      gboolean is_closed[2] = { FALSE, FALSE };

      ns_flow_content_finish (self, place, is_closed);
      *self = (NsFlowContent *) &nothing_more;
    }
}

static NsFlowInside *
get_inside (const NsFlowPlace *place)
{
  if (place->row->inside == NULL)
    {
      NsFlowInside *inside = ns_arena_new0 (place->trace->arena, NsFlowInside);

      inside->resumed = -1;
      inside->tls_begin_ns = inside->tls_end_ns = NS_TIME_NONE;
      place->row->inside = inside;
    }
  return (NsFlowInside *) place->row->inside;
}

/* Reads a QUIC header; the first header of each side has its connection ID. */
static void
read_quic (NsFlowContent *content, const NsFlowPlace *place, const NsWireFrame *frame)
{
  NsStrings *strings = place->trace->strings;
  char text[NS_WIRE_QUIC_TEXT_SIZE];
  NsFlowInside *inside;
  NsWireQuic quic;

  if (!ns_wire_quic_parse (&quic, frame->payload, frame->payload_size))
    return;
  place->row->app = NS_FLOW_APP_QUIC;
  inside = get_inside (place);
  if (inside->quic_version == NS_STRING_NONE || quic.version != 0)
    inside->quic_version = ns_strings_add (strings, ns_wire_quic_version_text (quic.version, text));
  if (place->side == place->client && !content->has_client_id)
    {
      inside->quic_dcid = ns_strings_add (strings, quic.dcid);
      content->has_client_id = TRUE;
    }
  else if (place->side != place->client && !content->has_server_id)
    {
      inside->quic_scid = ns_strings_add (strings, quic.scid);
      content->has_server_id = TRUE;
    }
}

/**
 * ns_flow_content_add_datagram: (skip)
 * @self: (inout): the content of an exchange of datagrams
 * @place: conversation and sender of the packet
 * @frame: a datagram
 */
void
ns_flow_content_add_datagram (NsFlowContent **self,
                              const NsFlowPlace *place,
                              const NsWireFrame *frame)
{
  NsFlowContent *content = get_content (self);

  if (frame->src.port == PORT_DNS || frame->dst.port == PORT_DNS)
    ns_flow_questions_add (place->found->questions,
                           &content->asked,
                           place->trace,
                           &(NsFlowMessage){ .data = frame->payload,
                                             .captured = frame->payload_size,
                                             .size = frame->wire_payload_size,
                                             .time_ns = place->time_ns,
                                             .flow = place->flow });
  else if (content->n_looks < MAX_QUIC_LOOKS && frame->payload != NULL)
    {
      content->n_looks++;
      read_quic (content, place, frame);
    }
}

static NsString
keep_text (const NsFlowPlace *place, const char *text)
{
  return text != NULL ? ns_strings_add (place->trace->strings, text) : NS_STRING_NONE;
}

static const NsString *
keep_texts (const NsFlowPlace *place, const GPtrArray *texts, guint *n)
{
  NsString *kept;
  guint i;

  *n = 0;
  if (texts == NULL)
    return NULL;
  kept = ns_arena_alloc (place->trace->arena, MAX (texts->len, 1) * sizeof *kept);
  for (i = 0; i < texts->len; i++)
    kept[i] = ns_strings_add (place->trace->strings, g_ptr_array_index (texts, i));
  *n = texts->len;
  return kept;
}

static void
keep_handshake (NsFlowContent *content, const NsFlowPlace *place)
{
  const NsWireHandshakeFacts *facts = ns_wire_handshake_get_facts (content->tls);
  NsFlowInside *inside;

  if (!facts->is_tls)
    return;
  inside = get_inside (place);
  inside->is_tls = TRUE;
  inside->sni = keep_text (place, facts->sni);
  inside->version = keep_text (place, facts->version);
  inside->cipher = keep_text (place, facts->cipher);
  inside->alpn = keep_text (place, facts->alpn);
  inside->subject = keep_text (place, facts->certificate.subject);
  inside->issuer = keep_text (place, facts->certificate.issuer);
  inside->expires = keep_text (place, facts->certificate.expires);
  inside->alert = keep_text (place, facts->alert);
  inside->alert_number = facts->alert_number;
  inside->is_alert_of_server = facts->alert_side == NS_WIRE_SERVER;
  inside->resumed = (gint8) facts->resumed;
  inside->alpn_offered = keep_texts (place, facts->alpn_offered, &inside->n_alpn_offered);
  inside->offered = keep_texts (place, facts->offered, &inside->n_offered);
  if (facts->begin_ns >= 0)
    inside->tls_begin_ns = facts->begin_ns;
  if (facts->begin_ns >= 0 && facts->end_ns >= 0)
    inside->tls_end_ns = facts->end_ns;
  place->row->app = NS_FLOW_APP_TLS;
}

static void
keep_exchanges (NsFlowContent *content, const NsFlowPlace *place)
{
  NsFlowExchanges exchanges = { .http = content->http, .flow = place->flow };
  guint n = ns_wire_exchanges_get (content->http)->len;

  if (n == 0)
    return;
  place->row->app = NS_FLOW_APP_HTTP;
  place->row->n_messages = n;
  content->http = NULL;
  g_array_append_val (place->found->exchanges, exchanges);
}

/**
 * ns_flow_content_finish: (skip)
 * @self: (inout): the content of a conversation that has ended; %NULL afterwards
 * @place: conversation and side
 * @is_closed: whether each side has closed its stream
 *
 * Writes the result into the row.
 */
void
ns_flow_content_finish (NsFlowContent **self, const NsFlowPlace *place, gboolean is_closed[2])
{
  g_autofree NsFlowContent *content = NULL;
  guint side;

  if (*self == &nothing_more)
    *self = NULL;
  content = g_steal_pointer (self);
  if (content == NULL)
    return;
  for (side = 0; side < 2; side++)
    {
      Stretch stretch = { .content = content, .place = place, .side = side };

      ns_wire_order_flush (&content->orders[side], read_stretch, &stretch);
      if (content->tls != NULL)
        ns_wire_handshake_end (content->tls, wire_side (&stretch));
      if (content->http != NULL)
        ns_wire_exchanges_end (content->http, wire_side (&stretch), is_closed[side]);
    }
  if (content->tls != NULL)
    keep_handshake (content, place);
  if (content->http != NULL)
    keep_exchanges (content, place);
  if (content->asked.n_asked > 0)
    {
      place->row->app = NS_FLOW_APP_DNS;
      place->row->n_messages = content->asked.n_asked;
    }
  for (side = 0; side < 2; side++)
    {
      ns_wire_order_clear (&content->orders[side]);
      g_clear_pointer (&content->messages[side], g_byte_array_unref);
    }
  g_clear_pointer (&content->tls, ns_wire_handshake_free);
  g_clear_pointer (&content->http, ns_wire_exchanges_free);
  ns_flow_asked_clear (&content->asked);
}
