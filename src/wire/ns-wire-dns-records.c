/* Formats DNS messages and their resource records as text, in zone file syntax (RFC 1035, 2782,
 * 3596, 9460).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"

/* TC, the truncation bit: the message did not fit into a datagram (RFC 1035, 4.1.1). */
#define FLAG_TRUNCATED 0x0200

enum
{
  TYPE_A = 1,
  TYPE_NS = 2,
  TYPE_CNAME = 5,
  TYPE_SOA = 6,
  TYPE_PTR = 12,
  TYPE_MX = 15,
  TYPE_TXT = 16,
  TYPE_AAAA = 28,
  TYPE_SRV = 33,
  TYPE_DNAME = 39,
  TYPE_OPT = 41,
  TYPE_SVCB = 64,
  TYPE_HTTPS = 65,
  TYPE_ANY = 255,
};

/* SvcParamKeys of SVCB and HTTPS records (RFC 9460). */
enum
{
  KEY_MANDATORY = 0,
  KEY_ALPN = 1,
  KEY_NO_DEFAULT_ALPN = 2,
  KEY_PORT = 3,
  KEY_IPV4_HINT = 4,
  KEY_ECH = 5,
  KEY_IPV6_HINT = 6,
};

static void
append_name (NsCursor *message, GString *text)
{
  char name[NS_DNS_MAX_NAME];

  if (ns_wire_dns_read_name (message, name))
    g_string_append (text, *name != '\0' ? name : ".");
  else
    g_string_append (text, "?");
}

static void
append_ip (const guint8 *bytes, gboolean is_v6, GString *text)
{
  NsIp ip = is_v6 ? ns_ip_from_v6 (bytes) : ns_ip_from_v4 (bytes);
  char buffer[NS_IP_TEXT_SIZE];

  g_string_append (text, ns_ip_to_text (&ip, buffer));
}

/* Appends a character string: a length byte and its bytes; non-printable bytes become `\DDD`. */
static gboolean
append_text (NsCursor *data, GString *text)
{
  guint8 length = ns_cursor_u8 (data);
  const guint8 *bytes = ns_cursor_take (data, length);
  guint i;

  for (i = 0; bytes != NULL && i < length; i++)
    if (bytes[i] == '"' || bytes[i] == '\\')
      g_string_append_printf (text, "\\%c", bytes[i]);
    else if (bytes[i] >= ' ' && bytes[i] < 0x7f)
      g_string_append_c (text, (char) bytes[i]);
    else
      g_string_append_printf (text, "\\%03u", bytes[i]);
  return bytes != NULL;
}

static void
append_texts (NsCursor *data, GString *text)
{
  while (ns_cursor_left (data) > 0 && ns_cursor_ok (data))
    {
      g_string_append (text, " \"");
      append_text (data, text);
      g_string_append_c (text, '"');
    }
}

static void
append_hints (NsCursor *value, gboolean is_v6, GString *text)
{
  const guint8 *bytes;
  gboolean is_first = TRUE;

  while ((bytes = ns_cursor_take (value, is_v6 ? 16 : 4)) != NULL)
    {
      g_string_append_c (text, is_first ? '=' : ',');
      append_ip (bytes, is_v6, text);
      is_first = FALSE;
    }
}

static void
append_protocols (NsCursor *value, GString *text)
{
  gboolean is_first = TRUE;

  while (ns_cursor_left (value) > 0 && ns_cursor_ok (value))
    {
      g_string_append_c (text, is_first ? '=' : ',');
      append_text (value, text);
      is_first = FALSE;
    }
}

static const char *
get_key_name (guint16 key)
{
  static const char *const names[] = { "mandatory", "alpn", "no-default-alpn", "port",
                                       "ipv4hint",  "ech",  "ipv6hint" };

  return key < G_N_ELEMENTS (names) ? names[key] : NULL;
}

static void
append_keys (NsCursor *value, GString *text)
{
  gboolean is_first = TRUE;

  while (ns_cursor_left (value) >= 2)
    {
      guint16 key = ns_cursor_u16be (value);
      const char *name = get_key_name (key);

      g_string_append_c (text, is_first ? '=' : ',');
      if (name != NULL)
        g_string_append (text, name);
      else
        g_string_append_printf (text, "key%u", key);
      is_first = FALSE;
    }
}

static void
append_parameter (guint16 key, NsCursor *value, GString *text)
{
  switch (key)
    {
    case KEY_MANDATORY:
      g_string_append (text, " mandatory");
      append_keys (value, text);
      break;
    case KEY_ALPN:
      g_string_append (text, " alpn");
      append_protocols (value, text);
      break;
    case KEY_NO_DEFAULT_ALPN:
      g_string_append (text, " no-default-alpn");
      break;
    case KEY_PORT:
      g_string_append_printf (text, " port=%u", ns_cursor_u16be (value));
      break;
    case KEY_IPV4_HINT:
      g_string_append (text, " ipv4hint");
      append_hints (value, FALSE, text);
      break;
    case KEY_ECH:
      g_string_append (text, " ech");
      break;
    case KEY_IPV6_HINT:
      g_string_append (text, " ipv6hint");
      append_hints (value, TRUE, text);
      break;
    default:
      g_string_append_printf (text, " key%u", key);
      break;
    }
}

/* Appends an SVCB or HTTPS record: priority, target, parameters. */
static void
append_service (NsCursor *message, gsize end, GString *text)
{
  g_string_append_printf (text, " %u ", ns_cursor_u16be (message));
  append_name (message, text);
  while (ns_cursor_ok (message) && message->pos + 4 <= end)
    {
      guint16 key = ns_cursor_u16be (message);
      guint16 length = ns_cursor_u16be (message);
      const guint8 *bytes = ns_cursor_take (message, length);
      NsCursor value;

      if (bytes == NULL || message->pos > end)
        return;
      ns_cursor_init (&value, bytes, length);
      append_parameter (key, &value, text);
    }
}

static void
append_server (NsCursor *message, GString *text)
{
  guint16 priority = ns_cursor_u16be (message);
  guint16 weight = ns_cursor_u16be (message);
  guint16 port = ns_cursor_u16be (message);

  g_string_append_printf (text, " %u %u %u ", priority, weight, port);
  append_name (message, text);
}

/* Appends an SOA record: primary server, mailbox, serial, and four times. */
static void
append_authority (NsCursor *message, GString *text)
{
  guint i;

  g_string_append_c (text, ' ');
  append_name (message, text);
  g_string_append_c (text, ' ');
  append_name (message, text);
  for (i = 0; i < 5; i++)
    g_string_append_printf (text, " %u", ns_cursor_u32be (message));
}

/* Appends RDATA. @message: a cursor at it; compressed names may point to any earlier offset. */
static void
append_data (NsCursor *message, guint16 type, guint16 length, GString *text)
{
  gsize end = message->pos + length;
  NsCursor data;

  switch (type)
    {
    case TYPE_MX:
      g_string_append_printf (text, " %u ", ns_cursor_u16be (message));
      append_name (message, text);
      break;
    case TYPE_SOA:
      append_authority (message, text);
      break;
    case TYPE_TXT:
      ns_cursor_init (&data, message->data + message->pos, length);
      append_texts (&data, text);
      break;
    case TYPE_SRV:
      append_server (message, text);
      break;
    case TYPE_SVCB:
    case TYPE_HTTPS:
      append_service (message, end, text);
      break;
    case TYPE_NS:
    case TYPE_CNAME:
    case TYPE_PTR:
    case TYPE_DNAME:
      g_string_append_c (text, ' ');
      append_name (message, text);
      break;
    default:
      g_string_append_printf (text, " (%u bytes)", length);
      break;
    }
}

static gboolean
is_address (guint16 type, guint16 length)
{
  return (type == TYPE_A && length == 4) || (type == TYPE_AAAA && length == 16);
}

static void
append_record (NsCursor *message, guint16 type, guint16 length, GString *text)
{
  if (is_address (type, length))
    {
      append_ip (message->data + message->pos, type == TYPE_AAAA, text);
      return;
    }
  ns_wire_dns_append_type (type, text);
  append_data (message, type, length, text);
}

/* Reads one record and moves @cursor behind it. */
static gboolean
take_record (NsCursor *cursor,
             char name[NS_DNS_MAX_NAME],
             guint16 *type,
             guint32 *ttl,
             NsCursor *data,
             guint16 *length)
{
  if (!ns_wire_dns_read_name (cursor, name))
    return FALSE;
  *type = ns_cursor_u16be (cursor);
  ns_cursor_skip (cursor, 2);
  *ttl = ns_cursor_u32be (cursor);
  *length = ns_cursor_u16be (cursor);
  *data = *cursor;
  ns_cursor_skip (cursor, *length);
  /* Names may point backwards, but reading must not go past this record. */
  data->size = cursor->pos;
  return ns_cursor_ok (cursor);
}

/* Appends the answers separated by commas: addresses bare, other records with type and data. Stops
 * where the message is truncated. */
static void
append_answers (const NsWireDns *self, const guint8 *data, gsize size, GString *text)
{
  NsCursor cursor;
  guint i;

  ns_cursor_init (&cursor, data, size);
  ns_cursor_seek (&cursor, self->answers_at);
  for (i = 0; i < self->n_answers; i++)
    {
      char name[NS_DNS_MAX_NAME];
      NsCursor record;
      guint32 ttl;
      guint16 length;
      guint16 type;

      if (!take_record (&cursor, name, &type, &ttl, &record, &length))
        return;
      if (i > 0)
        g_string_append (text, ", ");
      append_record (&record, type, length, text);
    }
}

/**
 * ns_wire_dns_read_answers:
 * @self: a parsed message
 * @data: (array length=size): the bytes of the message
 * @size: number of bytes
 * @ips: (element-type NsIp): receives the addresses
 * @aliases: (element-type utf8): receives the canonical names; the caller frees them
 * @has_type: (out): whether a record of the queried type is among the answers
 *
 * Returns: whether all answers could be read
 */
gboolean
ns_wire_dns_read_answers (const NsWireDns *self,
                          const guint8 *data,
                          gsize size,
                          GArray *ips,
                          GPtrArray *aliases,
                          gboolean *has_type)
{
  NsCursor cursor;
  guint i;

  *has_type = FALSE;
  ns_cursor_init (&cursor, data, size);
  ns_cursor_seek (&cursor, self->answers_at);
  for (i = 0; i < self->n_answers; i++)
    {
      char name[NS_DNS_MAX_NAME];
      NsCursor record;
      guint32 ttl;
      guint16 length;
      guint16 type;

      if (!take_record (&cursor, name, &type, &ttl, &record, &length))
        return FALSE;
      *has_type |= type == self->type || self->type == TYPE_ANY;
      if (is_address (type, length))
        {
          const guint8 *bytes = record.data + record.pos;
          NsIp ip = type == TYPE_A ? ns_ip_from_v4 (bytes) : ns_ip_from_v6 (bytes);

          g_array_append_val (ips, ip);
        }
      else if (type == TYPE_CNAME && ns_wire_dns_read_name (&record, name))
        g_ptr_array_add (aliases, g_strdup (name));
    }
  return TRUE;
}

/* Appends the records of a section, one a line. An OPT record is EDNS, so only its size is
 * shown. */
static gboolean
append_section (NsCursor *cursor, const char *section, guint n_records, GString *text)
{
  guint i;

  for (i = 0; i < n_records; i++)
    {
      char name[NS_DNS_MAX_NAME];
      NsCursor record;
      guint32 ttl;
      guint16 length;
      guint16 type;

      if (!take_record (cursor, name, &type, &ttl, &record, &length))
        return FALSE;
      g_string_append_printf (text, "%s: ", section);
      if (type == TYPE_OPT)
        {
          g_string_append_printf (text, "OPT (%u bytes)\r\n", length);
          continue;
        }
      g_string_append_printf (text, "%s %u ", *name != '\0' ? name : ".", ttl);
      if (is_address (type, length))
        g_string_append (text, type == TYPE_A ? "A " : "AAAA ");
      append_record (&record, type, length, text);
      g_string_append (text, "\r\n");
    }
  return TRUE;
}

static void
append_flags (const NsWireDns *dns, GString *text)
{
  static const struct
  {
    guint16 bit;
    const char *name;
  } flags[] = { { 0x0400, "authoritative" },      { 0x0200, "cut" },
                { 0x0100, "recursion desired" },  { 0x0080, "recursion available" },
                { 0x0020, "authenticated data" }, { 0x0010, "checking disabled" } };
  const char *before = ": ";
  guint i;

  for (i = 0; i < G_N_ELEMENTS (flags); i++)
    if ((dns->flags & flags[i].bit) != 0)
      {
        g_string_append_printf (text, "%s%s", before, flags[i].name);
        before = ", ";
      }
}

/**
 * ns_wire_dns_append_message:
 * @data: (array length=size) (nullable): bytes of a DNS message
 * @size: number of bytes
 * @text: string to append to
 *
 * Appends the whole message as lines like those of HTTP headers: first kind, ID and flags, then
 * `Question`, `Answer`, `Authority` and `Additional` with name, time to live, type and data in zone
 * file syntax.
 */
void
ns_wire_dns_append_message (const guint8 *data, gsize size, GString *text)
{
  NsCursor cursor;
  NsWireDns dns;

  if (!ns_wire_dns_parse (&dns, data, size))
    {
      g_string_append (text, NS_WIRE_DNS_WORD "message, cut\r\n");
      return;
    }
  g_string_append_printf (text,
                          NS_WIRE_DNS_WORD "%s 0x%04x",
                          dns.is_answer ? "answer" : "query",
                          dns.id);
  if (dns.is_answer)
    {
      g_string_append_c (text, ' ');
      ns_wire_dns_append_rcode (dns.rcode, text);
    }
  append_flags (&dns, text);
  g_string_append_printf (text, "\r\nQuestion: %s ", dns.name);
  ns_wire_dns_append_type (dns.type, text);
  g_string_append (text, "\r\n");
  ns_cursor_init (&cursor, data, size);
  ns_cursor_seek (&cursor, dns.answers_at);
  if (!append_section (&cursor, "Answer", dns.n_answers, text) ||
      !append_section (&cursor, "Authority", dns.n_authority, text) ||
      !append_section (&cursor, "Additional", dns.n_additional, text))
    g_string_append (text, "Rest: not in the trace\r\n");
}

/**
 * ns_wire_dns_append_info:
 * @data: (array length=size) (nullable): bytes of a DNS message
 * @size: number of bytes
 * @text: string to append to
 *
 * Appends `query A name` or `answer A name: answers`, and the response code of a failure.
 */
void
ns_wire_dns_append_info (const guint8 *data, gsize size, GString *text)
{
  NsWireDns dns;
  gsize begin;

  if (!ns_wire_dns_parse (&dns, data, size))
    {
      g_string_append (text, "DNS message, cut");
      return;
    }

  g_string_append (text, dns.is_answer ? "answer " : "query ");
  ns_wire_dns_append_type (dns.type, text);
  g_string_append_printf (text, " %s", dns.name);
  if (dns.rcode != 0)
    {
      g_string_append_c (text, ' ');
      ns_wire_dns_append_rcode (dns.rcode, text);
    }
  if (dns.is_answer && (dns.flags & FLAG_TRUNCATED) != 0)
    g_string_append (text, " (truncated)");
  else if (dns.is_answer && dns.rcode == 0 && dns.n_answers == 0)
    g_string_append (text, ": no records");
  if (dns.n_answers == 0)
    return;
  begin = text->len;
  g_string_append (text, ": ");
  append_answers (&dns, data, size, text);
  if (text->len == begin + 2)
    g_string_truncate (text, begin);
}

/**
 * ns_wire_dns_append_value:
 * @message: the message, at the RDATA of a record
 * @type: record type
 * @length: length of the RDATA in bytes
 * @text: string to append to
 *
 * Appends the data as in a list of answers. The position of the cursor is undefined afterwards.
 */
void
ns_wire_dns_append_value (NsCursor *message, guint16 type, guint16 length, GString *text)
{
  if (length <= ns_cursor_left (message))
    append_record (message, type, length, text);
}
