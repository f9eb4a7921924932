/* Names of ports and kinds of addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-services.h"

#include <string.h>

typedef struct
{
  guint16 port;
  const char *name;
} Service;

/* Sorted by port. */
static const Service services[] = {
  { 20, "FTP" },
  { 21, "FTP" },
  { 22, "SSH/SCP/SFTP" },
  { 23, "TELNET" },
  { 25, "SMTP" },
  { 53, "DNS" },
  { 67, "DHCP" },
  { 68, "DHCP" },
  { 80, "HTTP" },
  { 88, "Kerberos" },
  { 110, "POP3" },
  { 119, "NNTP" },
  { 123, "NTP" },
  { 135, "DCE/DHCP/DNS/WINS/DCOM" },
  { 137, "NetBIOS" },
  { 138, "NetBIOS" },
  { 139, "NetBIOS" },
  { 143, "IMAP" },
  { 161, "SNMP" },
  { 162, "SNMP" },
  { 389, "LDAP" },
  { 443, "HTTPS" },
  { 445, "AD/SMB" },
  { 464, "kpasswd" },
  { 465, "SMTPS" },
  { 500, "IPsec" },
  { 546, "DHCPv6" },
  { 547, "DHCPv6" },
  { 554, "RTSP" },
  { 563, "NNTPS" },
  { 587, "SMTP-Submit" },
  { 636, "LDAPs" },
  { 853, "DNS/TLS" },
  { 989, "FTPS" },
  { 990, "FTPS" },
  { 993, "IMAPS" },
  { 995, "POP3S" },
  { 1433, "MSSQL" },
  { 1900, "SSDP" },
  { 2555, "UPnP" },
  { 2869, "UPnP" },
  { 3268, "LDAP/AD" },
  { 3269, "LDAPs/AD" },
  { 3389, "TS/RDP" },
  { 4500, "IPsec" },
  { 5000, "UPnP" },
  { 5353, "mDNS" },
  { 5355, "LLMNR" },
  { 5985, "CIM/DMTF" },
  { 5986, "WinRM-S" },
  { 7680, "DeliveryOpt" },
  { 8080, "HTTP" },
  { 8081, "HTTP" },
  { 8443, "HTTPS" },
  { 8888, "HTTP/LocalHost" },
  { 9389, "ADWS" },
};

/* An address prefix and its kind. */
typedef struct
{
  guint8 bytes[16];
  guint8 n_bits;
  const char *kind;
} Range;

/* The first match is used: single addresses precede the ranges that contain them. */
static const Range ranges4[] = {
  { { 1, 1, 1, 1 }, 32, "Cloudflare DNS" },
  { { 1, 0, 0, 1 }, 32, "Cloudflare DNS" },
  { { 8, 8, 8, 8 }, 32, "Google DNS" },
  { { 8, 8, 4, 4 }, 32, "Google DNS" },
  { { 9, 9, 9, 9 }, 32, "Quad9 DNS" },
  { { 208, 67, 222, 222 }, 32, "OpenDNS" },
  { { 10 }, 8, "Private Network (A)" },
  { { 172, 16 }, 12, "Private Network (B)" },
  { { 192, 168 }, 16, "Private Network (C)" },
  { { 127 }, 8, "Loopback" },
  { { 169, 254 }, 16, "Link-Local" },
  { { 255, 255, 255, 255 }, 32, "Broadcast" },
  { { 224 }, 4, "Multicast" },
  { { 100, 64 }, 10, "Carrier NAT" },
  { { 192, 0, 2 }, 24, "Documentation" },
  { { 198, 51, 100 }, 24, "Documentation" },
  { { 203, 0, 113 }, 24, "Documentation" },
  { { 0 }, 8, "This Network" },
};

static const Range ranges6[] = {
  { { 0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11 }, 128, "Cloudflare DNS" },
  { { 0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x01 }, 128, "Cloudflare DNS" },
  { { 0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88 }, 128, "Google DNS" },
  { { 0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x44 }, 128, "Google DNS" },
  { { 0x26, 0x20, 0, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xfe }, 128, "Quad9 DNS" },
  { { 0x26, 0x20, 0, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9 }, 128, "Quad9 DNS" },
  { { 0x26, 0x20, 0x01, 0x19, 0, 0x35, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x35 }, 128, "OpenDNS" },
  { { 0x26, 0x20, 0, 0, 0x0c, 0xcc, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 }, 128, "OpenDNS" },
  { { 0x26, 0x20, 0, 0, 0x0c, 0xcd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 }, 128, "OpenDNS" },
  { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }, 128, "Loopback" },
  { { 0xfe, 0x80 }, 10, "Link Local" },
  { { 0xff }, 8, "Multicast" },
  { { 0xfe, 0xc0 }, 10, "Site Local" },
  { { 0xfc }, 7, "Unique Local" },
  { { 0x20, 0x01, 0x0d, 0xb8 }, 32, "Documentation" },
};

/**
 * ns_service_name:
 * @port: a port
 *
 * Returns: (nullable): the service that usually listens on it
 */
const char *
ns_service_name (guint16 port)
{
  gsize low = 0;
  gsize high = G_N_ELEMENTS (services);

  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (services[middle].port == port)
        return services[middle].name;
      if (services[middle].port < port)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static gboolean
in_range (const Range *range, const guint8 *bytes)
{
  guint n_whole = range->n_bits / 8;
  guint n_rest = range->n_bits % 8;

  if (memcmp (range->bytes, bytes, n_whole) != 0)
    return FALSE;
  return n_rest == 0 || ((range->bytes[n_whole] ^ bytes[n_whole]) >> (8 - n_rest)) == 0;
}

/**
 * ns_service_address_kind:
 * @ip: an address; may be absent
 *
 * Returns: (nullable): the kind of network that it belongs to, or the well-known server; %NULL for
 *   an ordinary global address
 */
const char *
ns_service_address_kind (const NsIp *ip)
{
  NsIp plain;
  gsize i;

  if (ip->family == NS_AF_HYPERV)
    return "Hyper-V";
  if (ns_ip_is_empty (ip))
    return NULL;
  plain = ns_ip_unmapped (ip);
  if (plain.family == NS_AF_INET)
    for (i = 0; i < G_N_ELEMENTS (ranges4); i++)
      if (in_range (&ranges4[i], plain.bytes))
        return ranges4[i].kind;
  if (plain.family == NS_AF_INET6)
    for (i = 0; i < G_N_ELEMENTS (ranges6); i++)
      if (in_range (&ranges6[i], plain.bytes))
        return ranges6[i].kind;
  return NULL;
}
