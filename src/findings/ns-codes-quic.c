/* QUIC transport error codes (RFC 9000 20.1) with names and explanations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-codes-table.h"

#define FAILS(value, name, text)                                                                   \
  {                                                                                                \
    NS_CODE_QUIC_TRANSPORT, FALSE, (value), name, text                                             \
  }
#define NORMAL(value, name, text)                                                                  \
  {                                                                                                \
    NS_CODE_QUIC_TRANSPORT, TRUE, (value), name, text                                              \
  }

/* clang-format off */

/* Codes from 0x100 on are TLS alerts. */
static const NsCode rows[] = {
  NORMAL (0, "NO_ERROR", "no error"),
  FAILS (1, "INTERNAL_ERROR", "the side that closed it failed inside"),
  FAILS (2, "CONNECTION_REFUSED", "the server takes no connection"),
  FAILS (3, "FLOW_CONTROL_ERROR", "more data came than was allowed"),
  FAILS (4, "STREAM_LIMIT_ERROR", "more streams were opened than was allowed"),
  FAILS (5, "STREAM_STATE_ERROR", "a frame came for a stream in the wrong state"),
  FAILS (6, "FINAL_SIZE_ERROR", "data came after a stream's end"),
  FAILS (7, "FRAME_ENCODING_ERROR", "a frame is malformed"),
  FAILS (8, "TRANSPORT_PARAMETER_ERROR", "a transport parameter is malformed or missing"),
  FAILS (9, "CONNECTION_ID_LIMIT_ERROR", "more connection IDs came than was allowed"),
  FAILS (10, "PROTOCOL_VIOLATION", "the other side broke the protocol"),
  FAILS (11, "INVALID_TOKEN", "the token of the client is not valid"),
  FAILS (12, "APPLICATION_ERROR", "the application closed it during the handshake"),
  FAILS (13, "CRYPTO_BUFFER_EXCEEDED", "more data of the handshake came than fits"),
  FAILS (14, "KEY_UPDATE_ERROR", "a change of keys failed"),
  FAILS (15, "AEAD_LIMIT_REACHED", "the keys have been used for too many packets"),
  FAILS (16, "NO_VIABLE_PATH", "no way to the other side is left"),
};
/* clang-format on */

const NsCodeTable ns_codes_quic_transport = { NS_CODE_QUIC_TRANSPORT, rows, G_N_ELEMENTS (rows) };
