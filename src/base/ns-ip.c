/* IP addresses and endpoints: comparison, hashing, text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "base/ns-ip.h"
#include "base/ns-map.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static const guint8 v4_mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static gsize
size_of (const NsIp *self)
{
  return self->family == NS_AF_INET ? 4 : self->family == NS_AF_NONE ? 0 : 16;
}

/**
 * ns_ip_from_v4:
 * @bytes: four bytes in network order
 *
 * Returns: the address
 */
NsIp
ns_ip_from_v4 (const guint8 bytes[4])
{
  NsIp ip = { NS_AF_INET, { 0 } };

  memcpy (ip.bytes, bytes, 4);
  return ip;
}

/**
 * ns_ip_from_v6:
 * @bytes: sixteen bytes in network order
 *
 * Returns: the address
 */
NsIp
ns_ip_from_v6 (const guint8 bytes[16])
{
  NsIp ip = { NS_AF_INET6, { 0 } };

  memcpy (ip.bytes, bytes, 16);
  return ip;
}

/**
 * ns_ip_is_empty:
 * @self: an address
 *
 * Returns: %TRUE if it is absent or IPv4 0.0.0.0; IPv6 `::` is not empty
 */
gboolean
ns_ip_is_empty (const NsIp *self)
{
  static const guint8 zero[4] = { 0 };

  return self->family == NS_AF_NONE ||
         (self->family == NS_AF_INET && memcmp (self->bytes, zero, 4) == 0);
}

/**
 * ns_ip_unmapped:
 * @self: an address
 *
 * Returns: the IPv4 address inside `::ffff:a.b.c.d`, else the address itself
 */
NsIp
ns_ip_unmapped (const NsIp *self)
{
  if (self->family == NS_AF_INET6 && memcmp (self->bytes, v4_mapped, sizeof v4_mapped) == 0)
    return ns_ip_from_v4 (self->bytes + 12);
  return *self;
}

/**
 * ns_ip_equal:
 * @a: an address
 * @b: another
 *
 * Returns: %TRUE if both name the same host; an IPv4-mapped IPv6 address equals the IPv4 one
 */
gboolean
ns_ip_equal (const NsIp *a, const NsIp *b)
{
  NsIp x;
  NsIp y;

  /* Fast path, taken for every record: within one family, both addresses are mapped or neither
   * is. */
  if (G_LIKELY (a->family == b->family))
    return memcmp (a->bytes, b->bytes, size_of (a)) == 0;
  x = ns_ip_unmapped (a);
  y = ns_ip_unmapped (b);
  return x.family == y.family && memcmp (x.bytes, y.bytes, size_of (&x)) == 0;
}

/**
 * ns_ip_hash:
 * @self: an address
 *
 * Returns: a hash, equal for equal addresses in this run of the program
 */
guint64
ns_ip_hash (const NsIp *self)
{
  const NsHashKey *key = ns_hash_get_key ();
  guint64 words[2] = { 0, 0 };
  guint32 v4;

  if (self->family == NS_AF_INET ||
      (self->family == NS_AF_INET6 && memcmp (self->bytes, v4_mapped, sizeof v4_mapped) == 0))
    {
      memcpy (&v4, self->bytes + (self->family == NS_AF_INET ? 0 : sizeof v4_mapped), sizeof v4);
      return ns_map_mix (v4 ^ NS_AF_INET, 0);
    }
  if (self->family != NS_AF_NONE)
    memcpy (words, self->bytes, sizeof words);
  /* Mix in the random key, so that colliding addresses cannot be precomputed. */
  words[0] = (words[0] ^ self->family ^ key->start) * key->factor;
  return ns_map_mix (words[0] ^ words[0] >> 29, words[1]);
}

/**
 * ns_ip_is_loopback:
 * @self: an address
 *
 * Returns: %TRUE for 127/8 and ::1
 */
gboolean
ns_ip_is_loopback (const NsIp *self)
{
  static const guint8 one[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
  NsIp ip = ns_ip_unmapped (self);

  return (ip.family == NS_AF_INET && ip.bytes[0] == 127) ||
         (ip.family == NS_AF_INET6 && memcmp (ip.bytes, one, 16) == 0);
}

/**
 * ns_ip_is_multicast:
 * @self: an address
 *
 * Returns: %TRUE for 224/4 and ff00::/8
 */
gboolean
ns_ip_is_multicast (const NsIp *self)
{
  NsIp ip = ns_ip_unmapped (self);

  return (ip.family == NS_AF_INET && ip.bytes[0] >> 4 == 14) ||
         (ip.family == NS_AF_INET6 && ip.bytes[0] == 0xff);
}

/**
 * ns_ip_is_broadcast:
 * @self: an address
 *
 * Returns: %TRUE for 255.255.255.255
 */
gboolean
ns_ip_is_broadcast (const NsIp *self)
{
  static const guint8 all[4] = { 255, 255, 255, 255 };

  return self->family == NS_AF_INET && memcmp (self->bytes, all, 4) == 0;
}

/* Formats an IPv4 address; printf() would take most of the time of filling a cell. */
static void
v4_to_text (const guint8 bytes[4], char *text)
{
  guint i;

  for (i = 0; i < 4; i++)
    {
      guint8 value = bytes[i];

      if (value >= 100)
        *text++ = (char) ('0' + value / 100);
      if (value >= 10)
        *text++ = (char) ('0' + value / 10 % 10);
      *text++ = (char) ('0' + value % 10);
      *text++ = i < 3 ? '.' : '\0';
    }
}

/**
 * ns_ip_to_text:
 * @self: an address
 * @text: (out): buffer for the text
 *
 * Writes `a.b.c.d` or the RFC 5952 form; an absent address gives an empty text. A Hyper-V address
 * is `hyperv:` and the ID of the virtual machine, a VSock address `vsock:` and its context ID.
 *
 * Returns: (transfer none): @text
 */
const char *
ns_ip_to_text (const NsIp *self, char text[NS_IP_TEXT_SIZE])
{
  text[0] = '\0';
  switch (self->family)
    {
    case NS_AF_INET:
      v4_to_text (self->bytes, text);
      break;
    case NS_AF_INET6:
    case NS_AF_HYPERV:
    case NS_AF_VSOCK:
      inet_ntop (AF_INET6, self->bytes, text, NS_IP_TEXT_SIZE);
      break;
    default:
      break;
    }
  return text;
}

/**
 * ns_ip_from_text:
 * @self: (out): the address
 * @text: IPv4 or IPv6 text; a zone (`%3`) is ignored
 *
 * Returns: %TRUE if @text is an address and nothing else
 */
gboolean
ns_ip_from_text (NsIp *self, const char *text)
{
  char copy[NS_IP_TEXT_SIZE];
  guint8 bytes[16];

  memset (self, 0, sizeof *self);
  if (strlen (text) >= sizeof copy)
    return FALSE;
  g_strlcpy (copy, text, sizeof copy);
  copy[strcspn (copy, "%")] = '\0';

  if (inet_pton (AF_INET, copy, bytes) == 1)
    *self = ns_ip_from_v4 (bytes);
  else if (inet_pton (AF_INET6, copy, bytes) == 1)
    *self = ns_ip_from_v6 (bytes);
  return self->family != NS_AF_NONE;
}

/**
 * ns_endpoint_is_empty:
 * @self: an endpoint
 *
 * Returns: %TRUE if it has neither address nor port
 */
gboolean
ns_endpoint_is_empty (const NsEndpoint *self)
{
  return self->port == 0 && ns_ip_is_empty (&self->ip);
}

/**
 * ns_endpoint_equal:
 * @a: an endpoint
 * @b: another
 *
 * Returns: %TRUE if address (IPv4-mapped equals IPv4) and port are equal; the zone is ignored
 */
gboolean
ns_endpoint_equal (const NsEndpoint *a, const NsEndpoint *b)
{
  return a->port == b->port && ns_ip_equal (&a->ip, &b->ip);
}

/**
 * ns_endpoint_hash:
 * @self: an endpoint
 *
 * Returns: a hash, equal for equal endpoints in this run of the program
 */
guint64
ns_endpoint_hash (const NsEndpoint *self)
{
  return ns_map_mix (ns_ip_hash (&self->ip), self->port);
}

static void
append_port (guint16 port, char *text)
{
  guint32 power = 10000;

  while (power > 1 && port < power)
    power /= 10;
  for (; power > 0; power /= 10)
    *text++ = (char) ('0' + port / power % 10);
  *text = '\0';
}

/**
 * ns_endpoint_to_text:
 * @self: an endpoint
 * @text: (out): buffer for the text
 *
 * Writes `a.b.c.d:port` or `[v6]:port`; without a port (ICMP and raw sockets have none) the address
 * alone. An empty endpoint gives an empty text.
 *
 * Returns: (transfer none): @text
 */
const char *
ns_endpoint_to_text (const NsEndpoint *self, char text[NS_IP_TEXT_SIZE])
{
  char ip[NS_IP_TEXT_SIZE];
  gboolean has_colon;
  char *end = text;
  gsize length;

  text[0] = '\0';
  if (ns_endpoint_is_empty (self))
    return text;
  length = strlen (ns_ip_to_text (&self->ip, ip));
  has_colon = memchr (ip, ':', length) != NULL;
  if (self->port == 0)
    return strcpy (text, ip);
  if (has_colon)
    *end++ = '[';
  memcpy (end, ip, MIN (length, INET6_ADDRSTRLEN));
  end += MIN (length, INET6_ADDRSTRLEN);
  if (has_colon)
    *end++ = ']';
  *end++ = ':';
  append_port (self->port, end);
  return text;
}

static gboolean
parse_port (const char *text, guint16 *port)
{
  char *end;
  gulong value = strtoul (text, &end, 10);

  if (!g_ascii_isdigit (text[0]) || *end != '\0' || value > G_MAXUINT16)
    return FALSE;
  *port = (guint16) value;
  return TRUE;
}

/**
 * ns_endpoint_from_text:
 * @self: (out): the endpoint; port 0 when the text has none
 * @text: `1.2.3.4`, `1.2.3.4:80`, `v6`, `v6%zone`, `[v6]:80` or `[v6%zone]:80`
 *
 * Returns: %TRUE if @text is an address, with or without a port
 */
gboolean
ns_endpoint_from_text (NsEndpoint *self, const char *text)
{
  char copy[NS_IP_TEXT_SIZE];
  char *colon;

  memset (self, 0, sizeof *self);
  if (strlen (text) >= sizeof copy)
    return FALSE;
  g_strlcpy (copy, text, sizeof copy);

  if (copy[0] == '[')
    {
      char *close = strchr (copy, ']');

      if (close == NULL)
        return FALSE;
      *close = '\0';
      if (close[1] == ':' && !parse_port (close + 2, &self->port))
        return FALSE;
      if (close[1] != ':' && close[1] != '\0')
        return FALSE;
      return ns_ip_from_text (&self->ip, copy + 1);
    }

  colon = strchr (copy, ':');
  if (colon != NULL && strchr (copy, '.') != NULL && strchr (colon + 1, ':') == NULL)
    {
      *colon = '\0';
      if (!parse_port (colon + 1, &self->port))
        return FALSE;
    }
  return ns_ip_from_text (&self->ip, copy);
}
