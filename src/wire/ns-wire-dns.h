/* Parses DNS messages (RFC 1035), also truncated ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "base/ns-ip.h"

G_BEGIN_DECLS

#define NS_DNS_MAX_NAME 256
#define NS_DNS_MAX_RECORDS 256
/* Prefix of the text of ns_wire_dns_append_message(). */
#define NS_WIRE_DNS_WORD "DNS "

typedef struct
{
  guint16 id;
  gboolean is_answer;
  guint16 flags;
  guint8 rcode;
  guint16 type; /* record type of the first question */
  char name[NS_DNS_MAX_NAME];
  guint n_answers; /* number of answers in the header, at most NS_DNS_MAX_RECORDS */
  guint n_authority;
  guint n_additional;
  gsize answers_at;
} NsWireDns;

gboolean ns_wire_dns_parse (NsWireDns *self, const guint8 *data, gsize size);
gboolean ns_wire_dns_read_name (NsCursor *cursor, char name[NS_DNS_MAX_NAME]);
gboolean ns_wire_dns_read_answers (const NsWireDns *self,
                                   const guint8 *data,
                                   gsize size,
                                   GArray *ips,
                                   GPtrArray *aliases,
                                   gboolean *has_type);
void ns_wire_dns_append_message (const guint8 *data, gsize size, GString *text);
void ns_wire_dns_append_rcode (guint rcode, GString *text);
void ns_wire_dns_append_type (guint type, GString *text);
void ns_wire_dns_append_value (NsCursor *message, guint16 type, guint16 length, GString *text);
void ns_wire_dns_append_info (const guint8 *data, gsize size, GString *text);

G_END_DECLS
