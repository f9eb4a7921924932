/* HTTP/1 exchanges in the two streams of a connection, read as they come (RFC 9112).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "wire/ns-wire-handshake.h"
#include "wire/ns-wire-order.h"

G_BEGIN_DECLS

/* Requests of one connection that are kept, and that wait for their answers. */
#define NS_WIRE_EXCHANGES_MAX 100000

/**
 * NsWireExchange:
 * @method: (nullable): of the request; %NULL when only the answer came
 * @target: (nullable): what it asks for, as sent
 * @host: (nullable): its field Host
 * @status_line: (nullable): first line of the answer
 * @status: its number, 0 without an answer
 * @sent: bytes of the request with its head, as far as known
 * @received: bytes of the answer with its head and those of interim ones, likewise
 * @announced: bytes of the answer's body that Content-Length announces; -1: none
 * @request_ns: when its first byte came; -1: it did not
 * @request_end_ns: its last byte
 * @answer_ns: first byte of the final answer
 * @answer_end_ns: its last byte
 * @request_index: segment with its first byte, as the caller counts them
 * @answer_index: likewise
 * @is_request_whole: all of it came, or was announced
 * @is_answer_whole: likewise
 *
 * One request and its final answer.
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
