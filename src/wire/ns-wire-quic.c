/* Parses the unencrypted long headers of QUIC (RFC 8999, RFC 9000 17.2).
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

/* Draft versions have the number of the draft in the last byte. */
#define VERSION_DRAFTS 0xff000000u
/* Drafts before 22 had the lengths of both connection IDs in one byte. */
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
 * @self: (out): the decoded header
 * @data: (array length=size) (nullable): payload of a UDP datagram, untrusted, possibly truncated
 * @size: number of captured bytes
 *
 * Parses a long header of version 1, version 2, a draft from 22 on, or of a Version Negotiation
 * packet.
 *
 * Returns: %TRUE if there is one, with both connection IDs complete
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
  /* In Version Negotiation the other bits of the first byte are unused (RFC 9000 17.2.1). */
  if (self->version != VERSION_NEGOTIATION &&
      ((first & FIXED_BIT) == 0 ||
       (self->version != VERSION_1 && self->version != VERSION_2 && !is_draft (self->version))))
    return FALSE;
  if (!read_id (&cursor, self->dcid) || !read_id (&cursor, self->scid))
    return FALSE;
  /* A zero version alone proves nothing: Version Negotiation has a list of at least one version. */
  if (self->version == VERSION_NEGOTIATION)
    return ns_cursor_left (&cursor) >= 4 && ns_cursor_left (&cursor) % 4 == 0 &&
           (self->dcid[0] != '\0' || self->scid[0] != '\0');
  return TRUE;
}

/**
 * ns_wire_quic_version_text:
 * @version: a version as sent
 * @text: (out): buffer for the text
 *
 * Returns: (transfer none): `1`, `2`, `draft-29`, `negotiation`, or the number in hexadecimal;
 *   maybe @text
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
