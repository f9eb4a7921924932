/* Finds the connection that carries an LDAP operation, and the time of its response.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* One WinSock send or receive with data. */
typedef struct
{
  gint64 time_ns;
  guint64 endpoint;
  guint64 process;
  guint32 tid;
  guint32 n_bytes;
  gboolean is_send;
  NsRow winsock; /* set by ns_ldap_link_rows() */
} NsLdapTransfer;

void ns_ldap_link_rows (NsTrace *trace, GArray *transfers);

G_END_DECLS
