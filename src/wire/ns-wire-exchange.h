/* Reads HTTP/1 exchanges from the two streams of a connection, as bytes arrive (RFC 9112).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "wire/ns-wire-handshake.h"
#include "wire/ns-wire-order.h"

G_BEGIN_DECLS

/* Most exchanges kept for one connection. */
#define NS_WIRE_EXCHANGES_MAX 100000

/**
 * NsWireExchange:
 * @method: (nullable): request method; %NULL if only the response was seen
 * @target: (nullable): request target as sent
 * @host: (nullable): value of the Host field
 * @status_line: (nullable): first line of the response
 * @status: status code; 0 without a response
 * @sent: size of the request with its head in bytes, as far as known
 * @received: size of the response with its head and interim responses in bytes, as far as known
 * @announced: Content-Length of the response in bytes; -1: none
 * @request_ns: time of the first byte of the request; -1: not seen
 * @request_end_ns: time of the last byte of the request
 * @answer_ns: time of the first byte of the final response
 * @answer_end_ns: time of the last byte of the final response
 * @request_index: index of the segment with the first byte of the request, as the caller counts
 * @answer_index: index of the segment with the first byte of the final response, likewise
 * @is_request_whole: whether the request is complete, counting bytes in gaps of known length
 * @is_answer_whole: the same of the response
 *
 * A request and its final response.
 */
typedef struct
{
  char *method;
  char *target;
  char *host;
  char *status_line;
  guint status;
  guint64 sent;
  guint64 received;
  gint64 announced;
  gint64 request_ns;
  gint64 request_end_ns;
  gint64 answer_ns;
  gint64 answer_end_ns;
  guint64 request_index;
  guint64 answer_index;
  gboolean is_request_whole;
  gboolean is_answer_whole;
} NsWireExchange;

typedef struct _NsWireExchanges NsWireExchanges;

NsWireExchanges *ns_wire_exchanges_new (void);
void ns_wire_exchanges_free (NsWireExchanges *self);
gboolean ns_wire_exchanges_feed (NsWireExchanges *self,
                                 NsWireSide side,
                                 const NsWireSegment *bytes,
                                 gsize *n_used);
void ns_wire_exchanges_end (NsWireExchanges *self, NsWireSide side, gboolean is_closed);
gboolean ns_wire_exchanges_is_switched (const NsWireExchanges *self);
GArray *ns_wire_exchanges_get (const NsWireExchanges *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsWireExchanges, ns_wire_exchanges_free)

G_END_DECLS
