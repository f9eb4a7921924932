/* Parses DNS messages (RFC 1035), also truncated ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"

#define MAX_POINTERS 16

/**
 * ns_wire_dns_read_name:
 * @cursor: a cursor at a name; moved behind it
 * @name: (out): the name, labels separated by dots
 *
 * Follows compression pointers, only backwards, so that malicious loops end.
 *
 * Returns: %TRUE if the name is complete
 */
gboolean
ns_wire_dns_read_name (NsCursor *cursor, char name[NS_DNS_MAX_NAME])
{
  NsCursor at = *cursor;
  gboolean jumped = FALSE;
  guint n_pointers = 0;
  gsize n = 0;

  for (;;)
    {
      gsize here = at.pos;
      guint8 length = ns_cursor_u8 (&at);
      const guint8 *label;

      if (!ns_cursor_ok (&at))
        return FALSE;
      if (length >= 0xc0)
        {
          gsize target = (gsize) (length & 0x3f) << 8 | ns_cursor_u8 (&at);

          if (!jumped)
            *cursor = at;
          jumped = TRUE;
          if (!ns_cursor_ok (&at) || target >= here || ++n_pointers > MAX_POINTERS)
            return FALSE;
          ns_cursor_seek (&at, target);
          continue;
        }
      if (length == 0)
        break;
      label = ns_cursor_take (&at, length);
      if (label == NULL || n + length + 2 > NS_DNS_MAX_NAME)
        return FALSE;
      if (n > 0)
        name[n++] = '.';
      for (; length > 0; length--, label++)
        name[n++] = (char) (g_ascii_isgraph (*label) ? *label : '?');
    }

  name[n] = '\0';
  if (!jumped)
    *cursor = at;
  return TRUE;
}

/**
 * ns_wire_dns_parse:
 * @self: (out): header and first question of the message
 * @data: (array length=size) (nullable): bytes of a DNS message, untrusted
 * @size: number of bytes
 *
 * Returns: %TRUE if there is at least one complete question
 */
gboolean
ns_wire_dns_parse (NsWireDns *self, const guint8 *data, gsize size)
{
  NsCursor cursor;
  guint16 flags;
  guint n_questions;
  guint n_answers;
  guint n_authority;
  guint n_additional;
  guint i;

  memset (self, 0, sizeof *self);
  ns_cursor_init (&cursor, data, data != NULL ? size : 0);
  self->id = ns_cursor_u16be (&cursor);
  flags = ns_cursor_u16be (&cursor);
  n_questions = ns_cursor_u16be (&cursor);
  n_answers = ns_cursor_u16be (&cursor);
  n_authority = ns_cursor_u16be (&cursor);
  n_additional = ns_cursor_u16be (&cursor);
  self->flags = flags;
  self->is_answer = (flags & 0x8000) != 0;
  self->rcode = flags & 15;
  if (!ns_cursor_ok (&cursor) || n_questions == 0 || n_questions > NS_DNS_MAX_RECORDS)
    return FALSE;

  for (i = 0; i < n_questions; i++)
    {
      char name[NS_DNS_MAX_NAME];
      guint16 type;

      if (!ns_wire_dns_read_name (&cursor, i == 0 ? self->name : name))
        return FALSE;
      type = ns_cursor_u16be (&cursor);
      ns_cursor_skip (&cursor, 2);
      if (i == 0)
        self->type = type;
    }
  if (!ns_cursor_ok (&cursor))
    return FALSE;

  self->n_answers = MIN (n_answers, NS_DNS_MAX_RECORDS);
  self->n_authority = MIN (n_authority, NS_DNS_MAX_RECORDS);
  self->n_additional = MIN (n_additional, NS_DNS_MAX_RECORDS);
  self->answers_at = cursor.pos;
  return TRUE;
}

/* Returns the mnemonic of a record type; %NULL: unknown. */
static const char *
get_type_name (guint type)
{
  static const struct
  {
    guint type;
    const char *name;
  } names[] = {
    { 1, "A" },       { 2, "NS" },     { 5, "CNAME" },  { 6, "SOA" },
    { 12, "PTR" },    { 15, "MX" },    { 16, "TXT" },   { 28, "AAAA" },
    { 33, "SRV" },    { 35, "NAPTR" }, { 43, "DS" },    { 46, "RRSIG" },
    { 48, "DNSKEY" }, { 64, "SVCB" },  { 65, "HTTPS" }, { 255, "ANY" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].type == type)
      return names[i].name;
  return NULL;
}

/**
 * ns_wire_dns_append_type:
 * @type: a DNS record type
 * @text: string to append to
 *
 * Appends the mnemonic of the type, or `TYPE` and its number (RFC 3597).
 */
void
ns_wire_dns_append_type (guint type, GString *text)
{
  const char *name = get_type_name (type);

  if (name != NULL)
    g_string_append (text, name);
  else
    g_string_append_printf (text, "TYPE%u", type);
}

/**
 * ns_wire_dns_append_rcode:
 * @rcode: a response code
 * @text: string to append to
 *
 * Appends the mnemonic of the code (RFC 6895), or `rcode` and its number.
 */
void
ns_wire_dns_append_rcode (guint rcode, GString *text)
{
  static const char *const names[] = { "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN",
                                       "NOTIMP",  "REFUSED", "YXDOMAIN", "YXRRSET",
                                       "NXRRSET", "NOTAUTH", "NOTZONE" };

  if (rcode < G_N_ELEMENTS (names))
    g_string_append (text, names[rcode]);
  else
    g_string_append_printf (text, "rcode %u", rcode);
}
