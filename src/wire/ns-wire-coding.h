/* Decodes HTTP content and transfer codings: gzip, deflate, br, zstd, chunked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limit of a decoded body, in bytes: a decompression bomb of a few KiB would fill the memory. */
#define NS_WIRE_CODING_MAX_BYTES (16 * 1024 * 1024)
/* Most codings applied to one body; in practice there are at most two. */
#define NS_WIRE_CODING_MAX_CODINGS 8
/* Base-2 logarithm of the largest zstd window, the limit that RFC 9659 sets for the web (8 MiB). */
#define NS_WIRE_CODING_MAX_ZSTD_WINDOW_LOG 23

/**
 * NsWireCodingEnd:
 * @NS_WIRE_CODING_WHOLE: everything is decoded
 * @NS_WIRE_CODING_CUT: the bytes end before the body does
 * @NS_WIRE_CODING_BROKEN: the bytes are not valid
 * @NS_WIRE_CODING_TOO_LARGE: the body exceeds the limit
 * @NS_WIRE_CODING_UNKNOWN: the coding is unknown; the bytes are left as they were before it
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
