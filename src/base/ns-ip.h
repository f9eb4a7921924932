/* IP addresses and endpoints: comparison, hashing, text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Address families, with the numbers of Windows. */
enum
{
  NS_AF_NONE = 0,
  NS_AF_INET = 2,
  NS_AF_INET6 = 23,
  NS_AF_HYPERV = 34,
  NS_AF_VSOCK = 40,
};

/* An address; family 0 means absent. IPv4 uses bytes[0..3], the others 16 bytes. */
typedef struct
{
  guint16 family;
  guint8 bytes[16];
} NsIp;

/* An address with a port; scope is the IPv6 zone, which is shown but not compared. */
typedef struct
{
  NsIp ip;
  guint16 port;
  guint32 scope;
} NsEndpoint;

/* Buffer size for any text written by these functions. */
#define NS_IP_TEXT_SIZE 80

NsIp ns_ip_from_v4 (const guint8 bytes[4]);
NsIp ns_ip_from_v6 (const guint8 bytes[16]);
gboolean ns_ip_is_empty (const NsIp *self);
gboolean ns_ip_equal (const NsIp *a, const NsIp *b);
guint64 ns_ip_hash (const NsIp *self);
gboolean ns_ip_is_loopback (const NsIp *self);
gboolean ns_ip_is_multicast (const NsIp *self);
gboolean ns_ip_is_broadcast (const NsIp *self);
NsIp ns_ip_unmapped (const NsIp *self);
const char *ns_ip_to_text (const NsIp *self, char text[NS_IP_TEXT_SIZE]);
gboolean ns_ip_from_text (NsIp *self, const char *text);

gboolean ns_endpoint_is_empty (const NsEndpoint *self);
gboolean ns_endpoint_equal (const NsEndpoint *a, const NsEndpoint *b);
guint64 ns_endpoint_hash (const NsEndpoint *self);
const char *ns_endpoint_to_text (const NsEndpoint *self, char text[NS_IP_TEXT_SIZE]);
gboolean ns_endpoint_from_text (NsEndpoint *self, const char *text);

G_END_DECLS
