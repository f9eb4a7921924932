/* Reads subject, issuer and expiry of an X.509 certificate (RFC 5280).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"

G_BEGIN_DECLS

/* Longest distinguished name, in bytes. */
#define NS_WIRE_X509_MAX_NAME 1024
/* Most parts of a distinguished name. */
#define NS_WIRE_X509_MAX_PARTS 32

/**
 * NsWireX509:
 * @subject: (nullable): distinguished name of the owner (RFC 4514)
 * @issuer: (nullable): distinguished name of the signer (RFC 4514)
 * @expires: (nullable): last second of validity, as `2026-01-01T12:00:00Z`
 *
 * Subject, issuer and expiry of a certificate.
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
