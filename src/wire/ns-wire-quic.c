/* The headers of QUIC that are never encrypted (RFC 8999, RFC 9000 17.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-quic.h"

enum
{
  LONG_HEADER = 0x80,
  FIXED_BIT = 0x40,
  VERSION_NEGOTIATION = 0,
  VERSION_1 = 1,
  VERSION_2 = 0x6b3343cf, /* RFC 9369 */
};

/* The number of a draft stands in the last byte. */
#define VERSION_DRAFTS 0xff000000u
/* Drafts before 22 had the lengths of both ids in one byte. */
#define FIRST_DRAFT 22
#define LAST_DRAFT 34

static gboolean
is_draft (guint32 version)
{
  guint32 number = version & 0xff;

  return (version & ~0xffu) == VERSION_DRAFTS && number >= FIRST_DRAFT && number <= LAST_DRAFT;
}

static gboolean
read_id (NsCursor *cursor, char text[NS_WIRE_QUIC_TEXT_SIZE])
{
  static const char digits[] = "0123456789abcdef";
  gsize length = ns_cursor_u8 (cursor);
  const guint8 *id = ns_cursor_take (cursor, length);
  gsize i;

  text[0] = '\0';
  if (id == NULL || length > NS_WIRE_QUIC_MAX_ID)
    return FALSE;
  for (i = 0; i < length; i++)
    {
      text[2 * i] = digits[id[i] >> 4];
      text[2 * i + 1] = digits[id[i] & 15];
    }
  text[2 * length] = '\0';
  return TRUE;
}

/**
 * ns_wire_quic_parse:
 * @self: (out): what the header says
 * @data: (array length=size) (nullable): the payload of a UDP datagram, hostile, possibly cut
 * @size: how many bytes of it were captured
 *
 * Reads the long header of version 1, version 2, a draft from 22 on, or of a version negotiation.
 *
 * Returns: %TRUE if there is one, with both ids whole
 */
gboolean
ns_wire_quic_parse (NsWireQuic *self, const guint8 *data, gsize size)
{
  NsCursor cursor;
  guint8 first;

  memset (self, 0, sizeof *self);
  ns_cursor_init (&cursor, data, data != NULL ? size : 0);
  first = ns_cursor_u8 (&cursor);
  self->version = ns_cursor_u32be (&cursor);
  if (!ns_cursor_ok (&cursor) || (first & LONG_HEADER) == 0)
    return FALSE;
  /* In a negotiation the other bits of the first byte say nothing (RFC 9000 17.2.1). */
  if (self->version != VERSION_NEGOTIATION &&
      ((first & FIXED_BIT) == 0 ||
       (self->version != VERSION_1 && self->version != VERSION_2 && !is_draft (self->version))))
    return FALSE;
  if (!read_id (&cursor, self->dcid) || !read_id (&cursor, self->scid))
    return FALSE;
  /* Zeros are no negotiation: one lists at least one version, and nothing but versions. */
  if (self->version == VERSION_NEGOTIATION)
    return ns_cursor_left (&cursor) >= 4 && ns_cursor_left (&cursor) % 4 == 0 &&
           (self->dcid[0] != '\0' || self->scid[0] != '\0');
  return TRUE;
}

/**
 * ns_wire_quic_version_text:
 * @version: a version as sent
 * @text: (out): room for the text
 *
 * Returns: (transfer none): `1`, `2`, `draft-29`, `negotiation`, or the number in hexadecimal
 * digits
 */
const char *
ns_wire_quic_version_text (guint32 version, char text[NS_WIRE_QUIC_TEXT_SIZE])
{
  if (version == VERSION_NEGOTIATION)
    return "negotiation";
  if (version == VERSION_1)
    return "1";
  if (version == VERSION_2)
    return "2";
  if (is_draft (version))
    g_snprintf (text, NS_WIRE_QUIC_TEXT_SIZE, "draft-%u", version & 0xff);
  else
    g_snprintf (text, NS_WIRE_QUIC_TEXT_SIZE, "0x%08x", version);
  return text;
}
