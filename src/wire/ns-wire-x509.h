/* What a certificate says of its owner (RFC 5280).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"

G_BEGIN_DECLS

/* The longest text of a name, in bytes. */
#define NS_WIRE_X509_MAX_NAME 1024
/* Names have at most that many parts. */
#define NS_WIRE_X509_MAX_PARTS 32

/**
 * NsWireX509:
 * @subject: whose it is (RFC 4514); %NULL when unknown
 * @issuer: who signed it, likewise
 * @expires: its last second, `2026-01-01T12:00:00Z`; %NULL when unknown
 *
 * What is read of a certificate.
 */
typedef struct
{
  char *subject;
  char *issuer;
  char *expires;
} NsWireX509;

gboolean ns_wire_x509_parse (NsWireX509 *self, const guint8 *data, gsize size);
void ns_wire_x509_clear (NsWireX509 *self);

G_END_DECLS
