/* The tables of error codes: one per family, each sorted by value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "findings/ns-codes.h"

G_BEGIN_DECLS

typedef struct
{
  NsCodeFamily family;
  const NsCode *rows;
  guint n_rows;
} NsCodeTable;

extern const NsCodeTable ns_codes_chromium;
extern const NsCodeTable ns_codes_dns;
extern const NsCodeTable ns_codes_hresult;
extern const NsCodeTable ns_codes_http;
extern const NsCodeTable ns_codes_ldap;
extern const NsCodeTable ns_codes_ntstatus;
extern const NsCodeTable ns_codes_quic;
extern const NsCodeTable ns_codes_quic_transport;
extern const NsCodeTable ns_codes_tls;
extern const NsCodeTable ns_codes_win32;

/* All tables, in the order in which they are listed. */
#define NS_CODES_N_TABLES 10
extern const NsCodeTable *const ns_codes_tables[NS_CODES_N_TABLES];

G_END_DECLS
