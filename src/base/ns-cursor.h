/* Bounds-checked reader of borrowed bytes: the only way file bytes are read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

#include "base/ns-guid.h"

G_BEGIN_DECLS

/**
 * NsCursor:
 *
 * A window on untrusted bytes. A read past the end returns 0 (or %NULL) and marks the cursor as
 * failed; it stays failed. Read a whole record, then check once with ns_cursor_ok(). All integers
 * are little endian unless the name ends in `be`.
 */
typedef struct
{
  const guint8 *data;
  gsize size;
  gsize pos;
  gboolean failed;
} NsCursor;

static inline void
ns_cursor_init (NsCursor *self, const guint8 *data, gsize size)
{
  /* Adding 0 to a null pointer is undefined behaviour. */
  self->data = data != NULL ? data : (const guint8 *) "";
  self->size = size;
  self->pos = 0;
  self->failed = FALSE;
}

static inline gboolean
ns_cursor_ok (const NsCursor *self)
{
  return !self->failed;
}

static inline gsize
ns_cursor_left (const NsCursor *self)
{
  return self->failed ? 0 : self->size - self->pos;
}

/* The only pointer arithmetic on file bytes in the whole program. */
static inline const guint8 *
ns_cursor_take (NsCursor *self, gsize n_bytes)
{
  const guint8 *here;

  if (self->failed || n_bytes > self->size - self->pos)
    {
      self->failed = TRUE;
      return NULL;
    }

  here = self->data + self->pos;
  self->pos += n_bytes;
  return here;
}

static inline void
ns_cursor_skip (NsCursor *self, gsize n_bytes)
{
  ns_cursor_take (self, n_bytes);
}

/* Moves to an absolute position inside the window. */
static inline void
ns_cursor_seek (NsCursor *self, gsize pos)
{
  if (self->failed || pos > self->size)
    self->failed = TRUE;
  else
    self->pos = pos;
}

static inline guint8
ns_cursor_u8 (NsCursor *self)
{
  const guint8 *p = ns_cursor_take (self, 1);

  return p != NULL ? p[0] : 0;
}

static inline guint16
ns_cursor_u16 (NsCursor *self)
{
  const guint8 *p = ns_cursor_take (self, 2);

  return p != NULL ? (guint16) (p[0] | p[1] << 8) : 0;
}

static inline guint16
ns_cursor_u16be (NsCursor *self)
{
  const guint8 *p = ns_cursor_take (self, 2);

  return p != NULL ? (guint16) (p[0] << 8 | p[1]) : 0;
}

static inline guint32
ns_cursor_u32 (NsCursor *self)
{
  const guint8 *p = ns_cursor_take (self, 4);

  return p != NULL ? p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24 : 0;
}

static inline guint32
ns_cursor_u32be (NsCursor *self)
{
  /* The macro may evaluate its argument several times. */
  guint32 value = ns_cursor_u32 (self);

  return GUINT32_SWAP_LE_BE (value);
}

static inline guint64
ns_cursor_u64 (NsCursor *self)
{
  const guint8 *p = ns_cursor_take (self, 8);
  guint32 low;
  guint32 high;

  if (p == NULL)
    return 0;

  low = p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
  high = p[4] | (guint32) p[5] << 8 | (guint32) p[6] << 16 | (guint32) p[7] << 24;
  return low | (guint64) high << 32;
}

/**
 * ns_cursor_guid:
 * @self: a cursor
 * @guid: (out): the GUID, all zero if the window is too short
 *
 * Reads a GUID in the Windows layout (u32, u16, u16, 8 bytes).
 */
static inline void
ns_cursor_guid (NsCursor *self, NsGuid *guid)
{
  const guint8 *p = ns_cursor_take (self, sizeof guid->bytes);

  if (p != NULL)
    memcpy (guid->bytes, p, sizeof guid->bytes);
  else
    memset (guid->bytes, 0, sizeof guid->bytes);
}

/* Reads a pointer of 4 or 8 bytes, extended to 64 bits. */
static inline guint64
ns_cursor_ptr (NsCursor *self, guint pointer_size)
{
  return pointer_size == 4 ? ns_cursor_u32 (self) : ns_cursor_u64 (self);
}

const guint8 *ns_cursor_wstr (NsCursor *self, gsize *n_bytes);
const char *ns_cursor_astr (NsCursor *self, gsize *n_bytes);
gboolean ns_cursor_sub (NsCursor *self, gsize n_bytes, NsCursor *sub);

G_END_DECLS
