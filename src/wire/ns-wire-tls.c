/* Recognizes TLS records and reads server name and ALPN of a Client Hello (RFC 8446).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tls.h"

#define MAX_EXTENSIONS 64

enum
{
  RECORD_ALERT = 21,
  RECORD_HANDSHAKE = 22,
  HANDSHAKE_CLIENT_HELLO = 1,
  EXTENSION_SERVER_NAME = 0,
  EXTENSION_ALPN = 16,
};

/**
 * ns_wire_tls_is_record:
 * @data: (array length=size) (nullable): first bytes of a TCP payload
 * @size: number of bytes
 *
 * Returns: %TRUE if they begin like a TLS record
 */
gboolean
ns_wire_tls_is_record (const guint8 *data, gsize size)
{
  return data != NULL && size >= 5 && data[0] >= 20 && data[0] <= 24 && data[1] == 3 &&
         data[2] <= 4;
}

static guint32
read_u24be (NsCursor *cursor)
{
  guint32 high = ns_cursor_u8 (cursor);

  return high << 16 | ns_cursor_u16be (cursor);
}

/* Copies a name; non-printable characters become `?`. */
static void
copy_name (char out[NS_TLS_MAX_NAME], const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i < MIN (size, NS_TLS_MAX_NAME - 1); i++)
    out[i] = (char) (g_ascii_isgraph (data[i]) ? data[i] : '?');
  out[i] = '\0';
}

static void
read_extension (NsWireHello *self, guint16 type, NsCursor *body)
{
  const guint8 *name;
  gsize length;

  if (type == EXTENSION_SERVER_NAME)
    {
      ns_cursor_skip (body, 3); /* list length, name type */
      length = ns_cursor_u16be (body);
      name = ns_cursor_take (body, length);
      if (name != NULL)
        copy_name (self->server_name, name, length);
    }
  else if (type == EXTENSION_ALPN)
    {
      ns_cursor_skip (body, 2);
      length = ns_cursor_u8 (body);
      name = ns_cursor_take (body, length);
      if (name != NULL)
        copy_name (self->alpn, name, length);
    }
}

/**
 * ns_wire_tls_parse_hello:
 * @self: (out): the decoded Client Hello; fields it does not have are empty
 * @data: (array length=size) (nullable): bytes of a TLS record, untrusted, possibly truncated
 * @size: number of bytes
 *
 * Returns: %TRUE if it is a Client Hello
 */
gboolean
ns_wire_tls_parse_hello (NsWireHello *self, const guint8 *data, gsize size)
{
  NsCursor cursor;
  guint i;

  memset (self, 0, sizeof *self);
  if (!ns_wire_tls_is_record (data, size) || data[0] != RECORD_HANDSHAKE)
    return FALSE;
  ns_cursor_init (&cursor, data, size);
  ns_cursor_skip (&cursor, 5);
  if (ns_cursor_u8 (&cursor) != HANDSHAKE_CLIENT_HELLO)
    return FALSE;
  read_u24be (&cursor);
  ns_cursor_skip (&cursor, 2 + 32);                    /* version, random */
  ns_cursor_skip (&cursor, ns_cursor_u8 (&cursor));    /* session id */
  ns_cursor_skip (&cursor, ns_cursor_u16be (&cursor)); /* cipher suites */
  ns_cursor_skip (&cursor, ns_cursor_u8 (&cursor));    /* compression */
  ns_cursor_u16be (&cursor);                           /* length of the extensions */
  for (i = 0; i < MAX_EXTENSIONS && ns_cursor_left (&cursor) >= 4; i++)
    {
      guint16 type = ns_cursor_u16be (&cursor);
      gsize length = ns_cursor_u16be (&cursor);
      NsCursor body;

      if (!ns_cursor_sub (&cursor, length, &body))
        break;
      read_extension (self, type, &body);
    }
  return TRUE;
}

/**
 * ns_wire_tls_append_info:
 * @data: (array length=size): bytes of a TLS record
 * @size: number of bytes
 * @text: string to append to
 *
 * Appends the kind of an unencrypted handshake message or alert.
 *
 * Returns: %FALSE if nothing was appended
 */
gboolean
ns_wire_tls_append_info (const guint8 *data, gsize size, GString *text)
{
  NsWireHello hello;

  if (ns_wire_tls_parse_hello (&hello, data, size))
    {
      g_string_append (text, "Client Hello");
      if (hello.server_name[0] != '\0')
        g_string_append_printf (text, " %s", hello.server_name);
      if (hello.alpn[0] != '\0')
        g_string_append_printf (text, " (%s)", hello.alpn);
      return TRUE;
    }
  if (size >= 7 && data[0] == RECORD_ALERT && data[4] == 2)
    {
      g_string_append_printf (text, "Alert %u", data[6]);
      return TRUE;
    }
  if (size >= 6 && data[0] == RECORD_HANDSHAKE && data[5] == 2)
    {
      g_string_append (text, "Server Hello");
      return TRUE;
    }
  return FALSE;
}
