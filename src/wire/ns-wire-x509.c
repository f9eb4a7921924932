/* Reads subject, issuer and expiry of an X.509 certificate (RFC 5280).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-x509.h"

/* Tags of DER (X.690). */
enum
{
  TAG_OID = 0x06,
  TAG_UTF8 = 0x0c,
  TAG_PRINTABLE = 0x13,
  TAG_IA5 = 0x16,
  TAG_UTC_TIME = 0x17,
  TAG_TIME = 0x18,
  TAG_SEQUENCE = 0x30,
  TAG_SET = 0x31,
  TAG_VERSION = 0xa0,
};

/* Reads one element; @body becomes a cursor over its content. */
static gboolean
read_element (NsCursor *cursor, guint8 *tag, NsCursor *body)
{
  gsize length;

  *tag = ns_cursor_u8 (cursor);
  length = ns_cursor_u8 (cursor);
  if (length == 0x81)
    length = ns_cursor_u8 (cursor);
  else if (length == 0x82)
    length = ns_cursor_u16be (cursor);
  else if (length == 0x83)
    {
      length = (gsize) ns_cursor_u8 (cursor) << 16;
      length |= ns_cursor_u16be (cursor);
    }
  else if (length >= 0x80)
    return FALSE;
  return ns_cursor_ok (cursor) && ns_cursor_sub (cursor, length, body);
}

static gboolean
read_tagged (NsCursor *cursor, guint8 tag, NsCursor *body)
{
  guint8 found;

  return read_element (cursor, &found, body) && found == tag;
}

/* Returns the short name of an attribute type (RFC 4514 3). */
static const char *
name_of_type (const NsCursor *oid)
{
  static const struct
  {
    guint8 last;
    const char *name;
  } names[] = {
    { 3, "CN" }, { 6, "C" }, { 7, "L" }, { 8, "ST" }, { 9, "STREET" }, { 10, "O" }, { 11, "OU" },
  };
  /* OID 0.9.2342.19200300.100.1, whose arcs include DC and UID (RFC 4519). */
  static const guint8 pilot[] = { 0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 0x01 };
  guint i;

  if (oid->size == 3 && oid->data[0] == 0x55 && oid->data[1] == 4)
    for (i = 0; i < G_N_ELEMENTS (names); i++)
      if (names[i].last == oid->data[2])
        return names[i].name;
  if (oid->size == sizeof pilot + 1 && memcmp (oid->data, pilot, sizeof pilot) == 0)
    return oid->data[sizeof pilot] == 25 ? "DC" : oid->data[sizeof pilot] == 1 ? "UID" : NULL;
  return NULL;
}

static void
append_oid (NsCursor oid, GString *text)
{
  guint64 value = 0;
  gboolean is_first = TRUE;

  while (ns_cursor_left (&oid) > 0)
    {
      guint8 byte = ns_cursor_u8 (&oid);

      value = value << 7 | (byte & 0x7f);
      if ((byte & 0x80) != 0)
        continue;
      if (is_first)
        g_string_append_printf (text,
                                "%u.%" G_GUINT64_FORMAT,
                                (guint) MIN (value / 40, 2),
                                value - 40 * MIN (value / 40, 2));
      else
        g_string_append_printf (text, ".%" G_GUINT64_FORMAT, value);
      is_first = FALSE;
      value = 0;
    }
}

/* Escapes special characters (RFC 4514 2.4). */
static void
append_text (const char *value, gsize size, GString *text)
{
  gsize i;

  for (i = 0; i < size; i++)
    {
      char c = value[i];

      if (strchr ("\"+,;<>\\", c) != NULL || (i == 0 && (c == '#' || c == ' ')) ||
          (i + 1 == size && c == ' '))
        g_string_append_c (text, '\\');
      g_string_append_c (text, c);
    }
}

static gboolean
is_plain (const guint8 *value, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    if (value[i] < 0x20 || value[i] == 0x7f)
      return FALSE;
  return g_utf8_validate ((const char *) value, (gssize) size, NULL);
}

/* Appends one attribute; a value that is not text is written as the hexadecimal DER bytes. */
static gboolean
append_attribute (NsCursor *set, GString *text)
{
  NsCursor pair;
  NsCursor oid;
  NsCursor value;
  const char *name;
  gsize at;
  guint8 tag;

  if (!read_tagged (set, TAG_SEQUENCE, &pair) || !read_tagged (&pair, TAG_OID, &oid))
    return FALSE;
  at = pair.pos;
  if (!read_element (&pair, &tag, &value))
    return FALSE;
  name = name_of_type (&oid);
  if (name != NULL)
    g_string_append (text, name);
  else
    append_oid (oid, text);
  g_string_append_c (text, '=');
  if (name != NULL && (tag == TAG_UTF8 || tag == TAG_PRINTABLE || tag == TAG_IA5) &&
      is_plain (value.data, value.size))
    {
      append_text ((const char *) value.data, value.size, text);
      return TRUE;
    }
  g_string_append_c (text, '#');
  for (; at < pair.pos && text->len < NS_WIRE_X509_MAX_NAME; at++)
    g_string_append_printf (text, "%02x", pair.data[at]);
  return TRUE;
}

/* Formats a distinguished name, last part first (RFC 4514 2.1). */
static char *
read_name (NsCursor *name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_parts;

  for (n_parts = 0; ns_cursor_left (name) > 0; n_parts++)
    {
      g_autoptr (GString) part = g_string_new (NULL);
      NsCursor set;

      if (n_parts == NS_WIRE_X509_MAX_PARTS || !read_tagged (name, TAG_SET, &set))
        return NULL;
      do
        {
          if (part->len > 0)
            g_string_append_c (part, '+');
          if (!append_attribute (&set, part))
            return NULL;
        }
      while (ns_cursor_left (&set) > 0 && part->len < NS_WIRE_X509_MAX_NAME);
      if (text->len > 0)
        g_string_append_c (part, ',');
      g_string_prepend (text, part->str);
      if (text->len > NS_WIRE_X509_MAX_NAME)
        return NULL;
    }
  return g_strdup (text->str);
}

/* Formats a time. UTCTime has a two-digit year: 50 to 99 mean 19xx (RFC 5280 4.1.2.5.1). */
static char *
read_time (NsCursor *cursor)
{
  NsCursor body;
  guint8 tag;
  const char *d;
  gsize n_digits;
  gsize i;

  if (!read_element (cursor, &tag, &body) || (tag != TAG_UTC_TIME && tag != TAG_TIME))
    return NULL;
  n_digits = tag == TAG_UTC_TIME ? 12 : 14;
  d = (const char *) body.data;
  if (body.size != n_digits + 1 || d[n_digits] != 'Z')
    return NULL;
  for (i = 0; i < n_digits; i++)
    if (!g_ascii_isdigit (d[i]))
      return NULL;
  if (tag == TAG_UTC_TIME)
    return g_strdup_printf ("%s%.2s-%.2s-%.2sT%.2s:%.2s:%.2sZ",
                            d[0] >= '5' ? "19" : "20",
                            d,
                            d + 2,
                            d + 4,
                            d + 6,
                            d + 8,
                            d + 10);
  return g_strdup_printf ("%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", d, d + 4, d + 6, d + 8, d + 10, d + 12);
}

/**
 * ns_wire_x509_parse:
 * @self: (out): subject, issuer and expiry; free with ns_wire_x509_clear()
 * @data: (array length=size) (nullable): a certificate in DER, untrusted, possibly truncated
 * @size: number of bytes
 *
 * A truncated certificate gives nothing, as its outermost element is incomplete.
 *
 * Returns: %TRUE if issuer, expiry and subject were reached
 */
gboolean
ns_wire_x509_parse (NsWireX509 *self, const guint8 *data, gsize size)
{
  NsCursor cursor;
  NsCursor certificate;
  NsCursor tbs;
  NsCursor body;
  NsCursor name;
  guint8 tag;

  memset (self, 0, sizeof *self);
  ns_cursor_init (&cursor, data, data != NULL ? size : 0);
  if (!read_tagged (&cursor, TAG_SEQUENCE, &certificate) ||
      !read_tagged (&certificate, TAG_SEQUENCE, &tbs) || !read_element (&tbs, &tag, &body))
    return FALSE;
  /* Version 1 omits the version number: then this was the serial number. */
  if (tag == TAG_VERSION && !read_element (&tbs, &tag, &body))
    return FALSE;
  if (!read_tagged (&tbs, TAG_SEQUENCE, &body) || !read_tagged (&tbs, TAG_SEQUENCE, &name))
    return FALSE;
  self->issuer = read_name (&name);
  if (!read_tagged (&tbs, TAG_SEQUENCE, &body) || !read_element (&body, &tag, &name))
    return FALSE;
  self->expires = read_time (&body);
  if (!read_tagged (&tbs, TAG_SEQUENCE, &name))
    return FALSE;
  self->subject = read_name (&name);
  return TRUE;
}

/**
 * ns_wire_x509_clear:
 * @self: the result of ns_wire_x509_parse()
 *
 * Frees its strings.
 */
void
ns_wire_x509_clear (NsWireX509 *self)
{
  g_clear_pointer (&self->subject, g_free);
  g_clear_pointer (&self->issuer, g_free);
  g_clear_pointer (&self->expires, g_free);
}
