/* Undoes the codings of HTTP bodies: gzip, deflate, br, zstd, chunked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a body may become: a bomb of a few KiB would fill the memory. */
#define NS_WIRE_CODING_MAX_BYTES (16 * 1024 * 1024)
/* Codings on top of one another; nobody uses more than two. */
#define NS_WIRE_CODING_MAX_CODINGS 8
/* What zstd may keep to look back into, as a power of two: as much as RFC 9659 allows on the web.
 */
#define NS_WIRE_CODING_MAX_ZSTD_WINDOW_LOG 23

/**
 * NsWireCodingEnd:
 * @NS_WIRE_CODING_WHOLE: all is decoded
 * @NS_WIRE_CODING_CUT: the bytes end before the body does
 * @NS_WIRE_CODING_BROKEN: bytes that mean nothing
 * @NS_WIRE_CODING_TOO_LARGE: it goes on past the cap
 * @NS_WIRE_CODING_UNKNOWN: a coding that is not known; the bytes are as they were before it
 *
 * How far decoding got.
 */
typedef enum
{
  NS_WIRE_CODING_WHOLE,
  NS_WIRE_CODING_CUT,
  NS_WIRE_CODING_BROKEN,
  NS_WIRE_CODING_TOO_LARGE,
  NS_WIRE_CODING_UNKNOWN,
} NsWireCodingEnd;

NsWireCodingEnd ns_wire_coding_undo (GByteArray *bytes, const char *codings, gsize max_bytes);
const char *ns_wire_coding_guess (const guint8 *data, gsize size);
gsize ns_wire_coding_get_chunk_begin (const guint8 *data, gsize size);
NsWireCodingEnd ns_wire_coding_skip_chunks (const guint8 *data, gsize size, gsize *used);

G_END_DECLS
