/* Field tree of a frame: application protocols in its payload.
 *
 * Layouts: RFC 1035, RFC 8446 and 6066, RFC 9112, RFC 9000.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-handshake.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-quic.h"
#include "wire/ns-wire-smb2.h"
#include "wire/ns-wire-tls.h"
#include "wire/ns-wire-tree-private.h"

#include <string.h>

#define MAX_TLS_RECORDS 32
#define MAX_TLS_EXTENSIONS 64
#define MAX_SUITES 64
#define MAX_HTTP_LINES 128
/* Record type OPT (EDNS, RFC 6891). */
#define DNS_OPTIONS 41
/* Maximum number of bytes of a text that are shown. */
#define MAX_TEXT 512

static gsize
get_offset (const NsWireTree *self, const guint8 *data)
{
  return (gsize) (data - self->data);
}

static void
add_text (NsWireTree *self, guint depth, const char *name, gsize offset, gsize size)
{
  g_autofree char *text = NULL;

  if (!ns_wire_tree_has (self, offset, size))
    return;
  text = g_utf8_make_valid ((const char *) self->data + offset, (gssize) MIN (size, MAX_TEXT));
  ns_wire_tree_add (self, depth, name, offset, size, "%s", text);
}

/* Adds name, type and class of a question or record. @at: offset in the frame behind the name. */
static void
add_dns_head (NsWireTree *self, guint depth, const char *name, gsize begin, gsize at)
{
  g_autoptr (GString) type = g_string_new (NULL);
  guint number = (guint) ns_wire_tree_peek (self, at, 2);

  ns_wire_dns_append_type ((guint16) number, type);
  ns_wire_tree_add (self, depth, "Name", begin, at - begin, "%s", name[0] != '\0' ? name : ".");
  ns_wire_tree_add (self, depth, "Type", at, 2, "%s (%u)", type->str, number);
  /* In an OPT record the class is the UDP payload size of the sender (RFC 6891). */
  if (number == DNS_OPTIONS)
    ns_wire_tree_add_number (self, depth, "UDP payload size", at + 2, 2);
  else
    ns_wire_tree_add_hex (self, depth, "Class", at + 2, 2);
}

/* Adds a section of the message: answers, authority, additional. Returns the offset in the message
 * behind the section; 0 if it is truncated. */
static gsize
add_dns_records (NsWireTree *self, const char *title, gsize base, gsize size, gsize at, guint n)
{
  guint section;
  NsCursor cursor;
  guint i;

  if (n == 0 || at == 0)
    return at;
  section = ns_wire_tree_add (self, 1, title, base + at, 0, "%u", n);
  ns_cursor_init (&cursor, self->data + base, size);
  ns_cursor_seek (&cursor, at);
  for (i = 0; i < MIN (n, NS_DNS_MAX_RECORDS); i++)
    {
      g_autoptr (GString) value = g_string_new (NULL);
      char name[NS_DNS_MAX_NAME];
      gsize begin = cursor.pos;
      gsize name_end;
      guint16 type;
      guint16 length;
      guint32 ttl;
      NsCursor data;

      ns_wire_tree_set_size (self, section, base + begin);
      if (!ns_wire_dns_read_name (&cursor, name))
        return 0;
      name_end = base + cursor.pos;
      type = ns_cursor_u16be (&cursor);
      ns_cursor_skip (&cursor, 2);
      ttl = ns_cursor_u32be (&cursor);
      length = ns_cursor_u16be (&cursor);
      data = cursor;
      ns_cursor_skip (&cursor, length);
      if (!ns_cursor_ok (&cursor))
        return 0;
      ns_wire_dns_append_value (&data, type, length, value);
      ns_wire_tree_add (self,
                        2,
                        name[0] != '\0' ? name : ".",
                        base + begin,
                        cursor.pos - begin,
                        "%s, TTL %u",
                        value->str,
                        ttl);
      add_dns_head (self, 3, name, base + begin, name_end);
      if (type != DNS_OPTIONS)
        ns_wire_tree_add_number (self, 3, "Time to live", name_end + 4, 4);
      ns_wire_tree_add_number (self, 3, "Data length", name_end + 8, 2);
      if (length > 0)
        ns_wire_tree_add (self, 3, "Data", name_end + 10, length, "%s", value->str);
    }
  ns_wire_tree_set_size (self, section, base + cursor.pos);
  return cursor.pos;
}

/* Adds a DNS message. @n_length: size of the length field before it (DNS over TCP), or 0. */
static void
add_dns (NsWireTree *self, const guint8 *message, gsize size, gsize n_length)
{
  gsize base = get_offset (self, message);
  g_autoptr (GString) text = g_string_new (NULL);
  NsWireDns dns;
  NsCursor cursor;
  char name[NS_DNS_MAX_NAME];
  gsize at;
  guint i;

  if (!ns_wire_dns_parse (&dns, message, size))
    {
      ns_wire_tree_add (self, 0, "DNS", base - n_length, n_length + size, "cut");
      return;
    }
  ns_wire_dns_append_info (message, size, text);
  ns_wire_tree_add (self, 0, "DNS", base - n_length, n_length + size, "%s", text->str);
  if (n_length > 0)
    ns_wire_tree_add_number (self, 1, "Length", base - n_length, (guint) n_length);
  ns_wire_tree_add (self, 1, "ID", base, 2, "0x%04x", dns.id);
  g_string_truncate (text, 0);
  ns_wire_dns_append_rcode (dns.rcode, text);
  ns_wire_tree_add (self,
                    1,
                    "Flags",
                    base + 2,
                    2,
                    "%s%s%s%s%s%s",
                    dns.is_answer ? "response, " : "query",
                    dns.is_answer ? text->str : "",
                    (dns.flags & 0x0400) != 0 ? ", authoritative" : "",
                    (dns.flags & 0x0200) != 0 ? ", truncated" : "",
                    (dns.flags & 0x0100) != 0 ? ", recursion desired" : "",
                    (dns.flags & 0x0080) != 0 ? ", recursion available" : "");
  ns_wire_tree_add_number (self, 1, "Questions", base + 4, 2);
  ns_wire_tree_add_number (self, 1, "Answer records", base + 6, 2);
  ns_wire_tree_add_number (self, 1, "Authority records", base + 8, 2);
  ns_wire_tree_add_number (self, 1, "Additional records", base + 10, 2);
  ns_cursor_init (&cursor, message, size);
  ns_cursor_skip (&cursor, 12);
  for (i = 0; i < NS_DNS_MAX_RECORDS && cursor.pos < dns.answers_at; i++)
    {
      gsize begin = cursor.pos;
      gsize name_end;

      if (!ns_wire_dns_read_name (&cursor, name))
        return;
      name_end = cursor.pos;
      g_string_truncate (text, 0);
      ns_wire_dns_append_type (ns_cursor_u16be (&cursor), text);
      ns_cursor_skip (&cursor, 2);
      if (!ns_cursor_ok (&cursor))
        return;
      ns_wire_tree_add (self,
                        1,
                        "Question",
                        base + begin,
                        cursor.pos - begin,
                        "%s %s",
                        text->str,
                        name);
      add_dns_head (self, 2, name, base + begin, base + name_end);
    }
  at = add_dns_records (self, "Answers", base, size, dns.answers_at, dns.n_answers);
  at = add_dns_records (self, "Authority", base, size, at, dns.n_authority);
  add_dns_records (self, "Additional", base, size, at, dns.n_additional);
}

static const char *
get_tls_version (guint version)
{
  switch (version)
    {
    case 0x0300:
      return "SSL 3.0";
    case 0x0301:
      return "TLS 1.0";
    case 0x0302:
      return "TLS 1.1";
    case 0x0303:
      return "TLS 1.2";
    case 0x0304:
      return "TLS 1.3";
    default:
      return "unknown";
    }
}

static void
add_version (NsWireTree *self, guint depth, const char *name, gsize at)
{
  guint version = (guint) ns_wire_tree_peek (self, at, 2);

  if (ns_wire_tree_has (self, at, 2))
    ns_wire_tree_add (self, depth, name, at, 2, "%s (0x%04x)", get_tls_version (version), version);
}

static void
add_suite (NsWireTree *self, guint depth, gsize at)
{
  guint suite = (guint) ns_wire_tree_peek (self, at, 2);
  const char *name = ns_wire_cipher_name (suite);

  if (name != NULL)
    ns_wire_tree_add (self, depth, "Cipher suite", at, 2, "%s (0x%04x)", name, suite);
  else
    ns_wire_tree_add (self, depth, "Cipher suite", at, 2, "0x%04x", suite);
}

static const char *
get_extension_name (guint type)
{
  switch (type)
    {
    case 0:
      return "server_name";
    case 5:
      return "status_request";
    case 10:
      return "supported_groups";
    case 11:
      return "ec_point_formats";
    case 13:
      return "signature_algorithms";
    case 16:
      return "application_layer_protocol_negotiation";
    case 21:
      return "padding";
    case 23:
      return "extended_master_secret";
    case 35:
      return "session_ticket";
    case 41:
      return "pre_shared_key";
    case 42:
      return "early_data";
    case 43:
      return "supported_versions";
    case 45:
      return "psk_key_exchange_modes";
    case 51:
      return "key_share";
    case 0xff01:
      return "renegotiation_info";
    default:
      return "extension";
    }
}

/* Adds the dissected parts of a TLS extension: server name, ALPN, versions. */
static void
add_extension_content (NsWireTree *self, guint type, gsize at, gsize size, gboolean is_client)
{
  gsize end = at + size;
  gsize i;

  if (type == 0 && size > 5)
    add_text (self, 4, "Host name", at + 5, MIN (ns_wire_tree_peek (self, at + 3, 2), size - 5));
  else if (type == 16)
    for (i = at + 2; i < end; i += 1 + (gsize) ns_wire_tree_peek (self, i, 1))
      {
        gsize length = (gsize) ns_wire_tree_peek (self, i, 1);

        if (length > end - i - 1)
          break;
        add_text (self, 4, "Protocol", i + 1, length);
      }
  else if (type == 43 && !is_client)
    add_version (self, 4, "Version", at);
  else if (type == 43)
    for (i = at + 1; i + 2 <= end; i += 2)
      add_version (self, 4, "Version", i);
}

static void
add_extensions (NsWireTree *self, gsize at, gsize end, gboolean is_client)
{
  guint i;

  if (end < at + 2)
    return;
  ns_wire_tree_add_number (self, 3, "Extensions length", at, 2);
  at += 2;
  for (i = 0; i < MAX_TLS_EXTENSIONS && at + 4 <= end; i++)
    {
      guint type = (guint) ns_wire_tree_peek (self, at, 2);
      gsize size = (gsize) ns_wire_tree_peek (self, at + 2, 2);

      if (size > end - at - 4)
        return;
      ns_wire_tree_add (self, 3, get_extension_name (type), at, 4 + size, "extension %u", type);
      add_extension_content (self, type, at + 4, size, is_client);
      at += 4 + size;
    }
}

static void
add_random (NsWireTree *self, gsize at)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize i;

  for (i = 0; i < 32 && ns_wire_tree_has (self, at + i, 1); i++)
    g_string_append_printf (text, "%02x", self->data[at + i]);
  ns_wire_tree_add (self, 3, "Random", at, 32, "%s", text->str);
}

/* Adds a Client or Server Hello. @end: offset behind its last captured byte. */
static void
add_hello (NsWireTree *self, gsize at, gsize end, gboolean is_client)
{
  gsize length;
  gsize i;

  if (end < at + 35)
    return;
  add_version (self, 3, "Version", at);
  add_random (self, at + 2);
  length = (gsize) ns_wire_tree_peek (self, at + 34, 1);
  if (length > end - at - 35)
    return;
  ns_wire_tree_add_number (self, 3, "Session ID length", at + 34, 1);
  if (length > 0)
    ns_wire_tree_add (self, 3, "Session ID", at + 35, length, "%u bytes", (guint) length);
  at += 35 + length;
  if (end < at + 3)
    return;
  if (is_client)
    {
      length = (gsize) ns_wire_tree_peek (self, at, 2);
      ns_wire_tree_add_number (self, 3, "Cipher suites length", at, 2);
      ns_wire_tree_add (self, 3, "Cipher suites", at + 2, length, "%u", (guint) length / 2);
      for (i = 0; i < MIN (length / 2, MAX_SUITES) && at + 4 + i * 2 <= end; i++)
        add_suite (self, 4, at + 2 + i * 2);
      if (length > end - at - 2)
        return;
      at += 2 + length;
      length = (gsize) ns_wire_tree_peek (self, at, 1);
      ns_wire_tree_add_number (self, 3, "Compression methods length", at, 1);
      ns_wire_tree_add (self, 3, "Compression methods", at + 1, length, "%u", (guint) length);
      if (end < at + 1 || length > end - at - 1)
        return;
      at += 1 + length;
    }
  else
    {
      add_suite (self, 3, at);
      ns_wire_tree_add_number (self, 3, "Compression method", at + 2, 1);
      at += 3;
    }
  add_extensions (self, at, end, is_client);
}

static const char *
get_handshake_name (guint type)
{
  switch (type)
    {
    case 0:
      return "Hello Request";
    case 1:
      return "Client Hello";
    case 2:
      return "Server Hello";
    case 4:
      return "New Session Ticket";
    case 8:
      return "Encrypted Extensions";
    case 11:
      return "Certificate";
    case 12:
      return "Server Key Exchange";
    case 13:
      return "Certificate Request";
    case 14:
      return "Server Hello Done";
    case 15:
      return "Certificate Verify";
    case 16:
      return "Client Key Exchange";
    case 20:
      return "Finished";
    case 22:
      return "Certificate Status";
    default:
      return NULL;
    }
}

static void
add_handshake (NsWireTree *self, gsize at, gsize end, gboolean *is_encrypted)
{
  guint i;

  for (i = 0; i < MAX_TLS_RECORDS && at + 4 <= end; i++)
    {
      guint type = (guint) ns_wire_tree_peek (self, at, 1);
      gsize length = (gsize) ns_wire_tree_peek (self, at + 1, 3);
      const char *name = *is_encrypted ? NULL : get_handshake_name (type);
      gsize stop = MIN (at + 4 + length, end);

      if (name == NULL)
        {
          ns_wire_tree_add (self, 2, "Handshake message", at, end - at, "encrypted, or of before");
          return;
        }
      ns_wire_tree_add (self, 2, name, at, stop - at, "%u bytes", (guint) length);
      if (type == 1 || type == 2)
        add_hello (self, at + 4, stop, type == 1);
      at += 4 + length;
    }
}

static void
add_tls (NsWireTree *self, const guint8 *data, gsize size)
{
  static const char *const names[] = { "Change Cipher Spec",
                                       "Alert",
                                       "Handshake",
                                       "Application Data",
                                       "Heartbeat" };
  gsize base = get_offset (self, data);
  gboolean is_encrypted = FALSE;
  gsize at = 0;
  guint i;

  ns_wire_tree_add (self, 0, "TLS", base, size, "%s", names[data[0] - 20]);
  for (i = 0; i < MAX_TLS_RECORDS && ns_wire_tls_is_record (data + at, size - at); i++)
    {
      guint type = data[at];
      gsize length = (gsize) ns_wire_tree_peek (self, base + at + 3, 2);
      gsize end = MIN (at + 5 + length, size);

      ns_wire_tree_add (self, 1, names[type - 20], base + at, end - at, "%u bytes", (guint) length);
      add_version (self, 2, "Version", base + at + 1);
      ns_wire_tree_add_number (self, 2, "Length", base + at + 3, 2);
      if (type == 22)
        add_handshake (self, base + at + 5, base + end, &is_encrypted);
      else if (type == 21 && length == 2 && end - at == 7)
        {
          ns_wire_tree_add (self,
                            2,
                            "Level",
                            base + at + 5,
                            1,
                            "%s",
                            data[at + 5] == 2 ? "fatal" : "warning");
          ns_wire_tree_add_number (self, 2, "Description", base + at + 6, 1);
        }
      is_encrypted |= type == 20;
      if (end == size)
        return;
      at = end;
    }
  ns_wire_tree_add (self, 1, "Data", base + at, size - at, "%u bytes", (guint) (size - at));
}

static void
add_http (NsWireTree *self, const guint8 *data, gsize size)
{
  gsize base = get_offset (self, data);
  gsize at = 0;
  guint i;

  ns_wire_tree_add (self, 0, "HTTP", base, size, "%s", "");
  for (i = 0; i < MAX_HTTP_LINES && at < size; i++)
    {
      const guint8 *line = data + at;
      const guint8 *end = memchr (line, '\n', size - at);
      gsize length = end != NULL ? (gsize) (end - line) : size - at;
      gsize next = at + length + (end != NULL);
      const guint8 *colon;

      if (length > 0 && line[length - 1] == '\r')
        length--;
      if (length == 0)
        {
          at = next;
          break;
        }
      colon = i > 0 ? memchr (line, ':', length) : NULL;
      if (colon != NULL)
        {
          g_autofree char *name = g_utf8_make_valid ((const char *) line, colon - line);
          gsize skip = (gsize) (colon - line) + 1;

          while (skip < length && line[skip] == ' ')
            skip++;
          {
            g_autofree char *value = g_utf8_make_valid ((const char *) line + skip,
                                                        (gssize) MIN (length - skip, MAX_TEXT));

            ns_wire_tree_add (self, 1, name, base + at, next - at, "%s", value);
          }
        }
      else
        {
          g_autofree char *text =
              g_utf8_make_valid ((const char *) line, (gssize) MIN (length, MAX_TEXT));

          ns_wire_tree_add (self,
                            1,
                            i == 0 ? "First line" : "Line",
                            base + at,
                            next - at,
                            "%s",
                            text);
        }
      at = next;
    }
  if (at < size)
    ns_wire_tree_add (self, 1, "Body", base + at, size - at, "%u bytes", (guint) (size - at));
}

static void
add_quic (NsWireTree *self, const guint8 *data, gsize size)
{
  gsize base = get_offset (self, data);
  char version[NS_WIRE_QUIC_TEXT_SIZE];
  NsWireQuic quic;
  gsize n_dcid;

  if (!ns_wire_quic_parse (&quic, data, size))
    {
      ns_wire_tree_add (self, 0, "QUIC", base, size, "encrypted");
      return;
    }
  n_dcid = data[5];
  ns_wire_tree_add (self, 0, "QUIC", base, size, "long header");
  ns_wire_tree_add (self, 1, "First byte", base, 1, "0x%02x", data[0]);
  ns_wire_tree_add (self,
                    1,
                    "Version",
                    base + 1,
                    4,
                    "%s",
                    ns_wire_quic_version_text (quic.version, version));
  ns_wire_tree_add_number (self, 1, "Destination connection ID length", base + 5, 1);
  ns_wire_tree_add (self, 1, "Destination connection ID", base + 6, n_dcid, "%s", quic.dcid);
  ns_wire_tree_add_number (self, 1, "Source connection ID length", base + 6 + n_dcid, 1);
  ns_wire_tree_add (self,
                    1,
                    "Source connection ID",
                    base + 7 + n_dcid,
                    strlen (quic.scid) / 2,
                    "%s",
                    quic.scid);
}

/* Adds one SMB2 message of a compound, which begins at @at. */
static void
add_message (NsWireTree *self, gsize at, const NsWireSmb2 *message)
{
  const char *name = ns_wire_smb2_get_command_name (message->command);
  gsize end = message->next != 0 ? at + message->next : self->size;

  ns_wire_tree_add (self,
                    0,
                    "SMB2",
                    at,
                    end - at,
                    "%s %s",
                    name != NULL ? name : "",
                    message->is_answer ? "response" : "request");
  if (message->is_answer)
    ns_wire_tree_add (self, 1, "Status", at + 8, 4, "0x%x", message->status);
  ns_wire_tree_add (self,
                    1,
                    "Command",
                    at + 12,
                    2,
                    "%s (%u)",
                    name != NULL ? name : "unknown",
                    message->command);
  ns_wire_tree_add (self, 1, "Flags", at + 16, 4, "%s", message->is_answer ? "from server" : "");
  ns_wire_tree_add (self, 1, "Message", at + 24, 8, "%" G_GUINT64_FORMAT, message->message_id);
  if (!message->is_async)
    ns_wire_tree_add (self, 1, "Tree", at + 36, 4, "0x%x", message->tree);
  ns_wire_tree_add (self, 1, "Session", at + 40, 8, "0x%" G_GINT64_MODIFIER "x", message->session);
  if (end > at + NS_WIRE_SMB2_HEADER)
    ns_wire_tree_add (self,
                      1,
                      "Data",
                      at + NS_WIRE_SMB2_HEADER,
                      end - at - NS_WIRE_SMB2_HEADER,
                      "%u bytes",
                      (guint) (end - at - NS_WIRE_SMB2_HEADER));
}

/**
 * ns_wire_tree_add_smb2: (skip)
 * @self: a tree of a frame that consists of SMB2 messages
 *
 * Adds the messages.
 */
void
ns_wire_tree_add_smb2 (NsWireTree *self)
{
  NsWireSmb2 message;
  gsize at = 0;

  while (self->fields->len < NS_WIRE_TREE_MAX_FIELDS &&
         ns_wire_smb2_parse (&message, self->data + at, self->size - at))
    {
      add_message (self, at, &message);
      if (message.next == 0)
        return;
      at += message.next;
    }
}

/**
 * ns_wire_tree_add_payload: (skip)
 * @self: a tree with the headers of a frame
 * @frame: the frame
 *
 * Adds the payload: DNS, TLS, HTTP or QUIC, else its size only.
 */
void
ns_wire_tree_add_payload (NsWireTree *self, const NsWireFrame *frame)
{
  const char *protocol = ns_wire_frame_get_protocol (frame);
  const guint8 *dns;
  gsize n_dns;

  if (frame->payload == NULL || frame->payload_size == 0)
    return;
  dns = ns_wire_frame_find_dns (frame, &n_dns);
  if (dns != NULL)
    add_dns (self, dns, n_dns, (gsize) (dns - frame->payload));
  else if (strcmp (protocol, "TLS") == 0)
    add_tls (self, frame->payload, frame->payload_size);
  else if (strcmp (protocol, "HTTP") == 0)
    add_http (self, frame->payload, frame->payload_size);
  else if (strcmp (protocol, "QUIC") == 0)
    add_quic (self, frame->payload, frame->payload_size);
  else
    ns_wire_tree_add (self,
                      0,
                      "Data",
                      get_offset (self, frame->payload),
                      frame->payload_size,
                      "%u bytes",
                      (guint) frame->payload_size);
}
