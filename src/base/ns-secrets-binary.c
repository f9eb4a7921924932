/* Finds secrets in messages of binary protocols: SOCKS 5, SNMP, PostgreSQL, MQTT, TDS, NTLM.
 *
 * Protocols are recognized by their first bytes, so the data must start with the stream or
 * datagram; only NTLM messages, which other protocols carry, are searched for everywhere. All of
 * these protocols send passwords in clear text, except NTLM, whose responses allow guessing the
 * password.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include "base/ns-cursor.h"

#include <string.h>

/* PostgreSQL 3.0 startup message: protocol version and maximum size. */
#define POSTGRES_VERSION 0x30000
#define MAX_POSTGRES_START 10000
#define POSTGRES_ASKS 80877103

/* TDS login packet: type and status, sizes of its header and of its fixed part, and the offset of
 * the password's position in the fixed part. */
#define TDS_LOGIN 0x1001
#define TDS_HEAD 8
#define TDS_FIXED 94
#define TDS_PASSWORD 44

/* Masks @n_bytes at the cursor, as far as they were captured. */
static void
add_here (NsSecretFinder *self, NsCursor *cursor, gsize n_bytes)
{
  if (!ns_cursor_ok (cursor))
    return;
  n_bytes = MIN (n_bytes, ns_cursor_left (cursor));
  ns_secret_finder_add (self, cursor->pos, cursor->pos + n_bytes);
  ns_cursor_skip (cursor, n_bytes);
}

/* SOCKS 5: methods offered by the client, then user and password (RFC 1928 3, RFC 1929 2). */
static void
find_socks (NsSecretFinder *self, NsCursor *cursor)
{
  gsize n_ways;

  ns_cursor_skip (cursor, 1);
  n_ways = ns_cursor_u8 (cursor);
  ns_cursor_skip (cursor, n_ways);
  if (n_ways == 0 || ns_cursor_u8 (cursor) != 1)
    return;
  ns_cursor_skip (cursor, ns_cursor_u8 (cursor));
  add_here (self, cursor, ns_cursor_u8 (cursor));
}

/* Reads a BER length of at most four bytes; returns G_MAXSIZE for an invalid one. */
static gsize
read_length (NsCursor *cursor)
{
  guint first = ns_cursor_u8 (cursor);
  guint n_bytes = first & 0x7f;
  gsize length = 0;

  if (first < 0x80)
    return first;
  if (n_bytes == 0 || n_bytes > 4)
    return G_MAXSIZE;
  while (n_bytes-- > 0)
    length = length << 8 | ns_cursor_u8 (cursor);
  return length;
}

/* SNMP version 1 or 2c: a sequence of version, community and PDU (RFC 1157 4, RFC 1901 3). */
static void
find_snmp (NsSecretFinder *self, NsCursor *cursor)
{
  gsize n_bytes;
  gsize begin;

  ns_cursor_skip (cursor, 1);
  n_bytes = read_length (cursor);
  if (n_bytes > ns_cursor_left (cursor) || ns_cursor_u8 (cursor) != 2 ||
      ns_cursor_u8 (cursor) != 1 || ns_cursor_u8 (cursor) > 1 || ns_cursor_u8 (cursor) != 4)
    return;
  n_bytes = read_length (cursor);
  begin = cursor->pos;
  if (n_bytes >= ns_cursor_left (cursor))
    return;
  ns_cursor_skip (cursor, n_bytes);
  /* The PDU, with one of nine tags. */
  if ((ns_cursor_u8 (cursor) & 0xf0) == 0xa0)
    ns_secret_finder_add (self, begin, begin + n_bytes);
}

static guint32
read_big (NsCursor *cursor)
{
  guint32 high = ns_cursor_u16be (cursor);

  return high << 16 | ns_cursor_u16be (cursor);
}

/* PostgreSQL: parameters of the session, then the answers to the server's requests (PostgreSQL 15,
 * 55.7: StartupMessage, PasswordMessage). */
static void
find_postgres (NsSecretFinder *self, NsCursor *cursor)
{
  guint32 size = read_big (cursor);

  /* A client may first ask for TLS or GSS-API encryption, which the server declined. */
  while (size == 8 && self->size - cursor->pos > 12 && read_big (cursor) - POSTGRES_ASKS <= 1)
    size = read_big (cursor);
  if (size < 8 || size > MAX_POSTGRES_START || read_big (cursor) != POSTGRES_VERSION)
    return;
  ns_cursor_skip (cursor, size - 8);
  while (ns_cursor_left (cursor) > 5 && ns_cursor_u8 (cursor) == 'p')
    {
      size = read_big (cursor);
      if (size < 4)
        return;
      add_here (self, cursor, size - 4);
    }
}

static void
skip_text (NsCursor *cursor)
{
  ns_cursor_skip (cursor, ns_cursor_u16be (cursor));
}

/* MQTT 3.1.1 CONNECT (3.1.3): client ID, will, user and password, each present if its flag is
 * set. */
static void
find_mqtt (NsSecretFinder *self, NsCursor *cursor)
{
  guint8 flags;
  guint n = 0;

  ns_cursor_skip (cursor, 1);
  while (n++ < 3 && (ns_cursor_u8 (cursor) & 0x80) != 0)
    ;
  if (ns_cursor_u16be (cursor) != 4 || ns_cursor_left (cursor) < 8 ||
      memcmp (self->text + cursor->pos, "MQTT", 4) != 0)
    return;
  ns_cursor_skip (cursor, 4);
  if (ns_cursor_u8 (cursor) != 4)
    return;
  flags = ns_cursor_u8 (cursor);
  ns_cursor_skip (cursor, 2);
  skip_text (cursor);
  if ((flags & 0x04) != 0)
    {
      skip_text (cursor);
      skip_text (cursor);
    }
  if ((flags & 0x80) != 0)
    skip_text (cursor);
  if ((flags & 0x40) != 0)
    add_here (self, cursor, ns_cursor_u16be (cursor));
}

/* TDS LOGIN7: the password is only obfuscated ([MS-TDS] 2.2.6.4); offsets count from the end of the
 * packet header. */
static void
find_tds (NsSecretFinder *self, NsCursor *cursor)
{
  gsize begin;
  gsize n_bytes;

  if (ns_cursor_u16be (cursor) != TDS_LOGIN || ns_cursor_u16be (cursor) < TDS_HEAD + TDS_FIXED)
    return;
  ns_cursor_skip (cursor, TDS_HEAD - 4 + TDS_PASSWORD);
  begin = TDS_HEAD + (gsize) ns_cursor_u16 (cursor);
  n_bytes = 2 * (gsize) ns_cursor_u16 (cursor);
  if (!ns_cursor_ok (cursor) || begin < TDS_HEAD + TDS_FIXED || begin > self->size)
    return;
  ns_secret_finder_add (self, begin, begin + MIN (n_bytes, self->size - begin));
}

/* Masks a field of the NTLM message at @begin: length, maximum length, offset. */
static void
add_ntlm_field (NsSecretFinder *self, gsize begin, gsize at)
{
  NsCursor cursor;
  gsize n_bytes;
  gsize offset;

  ns_cursor_init (&cursor, (const guint8 *) self->text + begin, self->size - begin);
  ns_cursor_skip (&cursor, at);
  n_bytes = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2);
  offset = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || offset < NS_SECRETS_MIN_NTLM || offset > self->size - begin)
    return;
  ns_secret_finder_add (self,
                        begin + offset,
                        begin + offset + MIN (n_bytes, self->size - begin - offset));
}

/**
 * ns_secrets_find_ntlm:
 * @self: a finder without results
 *
 * Finds the responses and the session key of each AUTHENTICATE_MESSAGE ([MS-NLMP] 2.2.1.3), at any
 * position.
 */
void
ns_secrets_find_ntlm (NsSecretFinder *self)
{
  static const char begins[] = "NTLMSSP\0\3\0\0";
  static const gsize fields[] = { 12, 20, 52 };
  gsize at = 0;
  guint i;

  while (at + NS_SECRETS_MIN_NTLM < self->size)
    {
      const char *first = memchr (self->text + at, 'N', self->size - at - NS_SECRETS_MIN_NTLM);

      if (first == NULL)
        return;
      at = (gsize) (first - self->text);
      if (memcmp (first, begins, sizeof begins) == 0)
        for (i = 0; i < G_N_ELEMENTS (fields); i++)
          add_ntlm_field (self, at, fields[i]);
      at++;
    }
}

/**
 * ns_secrets_find_binary:
 * @self: a finder without results
 *
 * Finds the password, community or response in a message of a binary protocol.
 */
void
ns_secrets_find_binary (NsSecretFinder *self)
{
  NsCursor cursor;

  if (self->size < 8)
    return;
  ns_cursor_init (&cursor, (const guint8 *) self->text, self->size);
  switch ((guint8) self->text[0])
    {
    case 0x05:
      find_socks (self, &cursor);
      break;
    case 0x10:
      find_mqtt (self, &cursor);
      ns_cursor_init (&cursor, (const guint8 *) self->text, self->size);
      find_tds (self, &cursor);
      break;
    case 0x30:
      find_snmp (self, &cursor);
      break;
    case 0x00:
      find_postgres (self, &cursor);
      break;
    default:
      break;
    }
}
