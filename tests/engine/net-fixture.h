/* Builds small traces of network events for tests, and formats rows as short texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "etl/ns-etl-writer.h"

typedef enum
{
  NET_TCPIP,
  NET_AFD,
  NET_DNS,
  NET_RESOLVER,
  NET_KERNEL_NETWORK,
} NetProvider;

typedef struct
{
  NsEtlWriter *writer;
  guint8 version;
  gboolean is_32bit;
  NsViewContext *view; /* (nullable) (unowned): view options the trace is opened with */
  guint64 frame;       /* the call stack of the next events; 0: none */
} NetFixture;

/* Writes one event of a process and thread at @ms milliseconds. Each letter of @format is one
 * field: b w u of 8, 16, 32 bits; q p of 64 bits (p is a pointer); A a length-prefixed SOCKADDR (""
 * for none); s a string; i the bytes of an IP address; n a port in network order. */
void net_event (NetFixture *self,
                double ms,
                guint pid,
                guint tid,
                NetProvider provider,
                guint id,
                const char *format,
                ...);

void net_process (NetFixture *self, double ms, guint8 what, guint pid, const char *name);

void net_fixture_init (NetFixture *self);
void net_fixture_clear (NetFixture *self);
NsTrace *net_fixture_open (NetFixture *self, gboolean compat_reference);
NsTrace *net_fixture_open_default (NetFixture *self);

/* TCPIP */
void tcp_connect (NetFixture *self, double ms, guint pid, guint tid, guint64 key, const char *ends);
void tcp_outcome (NetFixture *self,
                  double ms,
                  guint id,
                  guint64 key,
                  guint pid,
                  guint status,
                  const char *ends);
void tcp_rundown (NetFixture *self, double ms, guint64 key, guint pid, const char *ends);
void tcp_posted (NetFixture *self, double ms, guint pid, guint tid, guint64 key, guint n);
void tcp_sent (NetFixture *self, double ms, guint64 key, guint sequence, guint n);
void tcp_received (NetFixture *self, double ms, guint64 key, guint n);
void udp_moved (NetFixture *self,
                double ms,
                guint tid,
                guint id,
                guint64 key,
                guint pid,
                guint n,
                const char *ends);

/* AFD: @where is `PID/TID@LOCATION`, @what is the socket as `ENDPOINT.PROCESS` in hexadecimal. */
void afd_create (NetFixture *self,
                 double ms,
                 const char *where,
                 const char *what,
                 guint type,
                 guint protocol);
void
afd_bind (NetFixture *self, double ms, const char *where, const char *what, const char *address);
void afd_connect (NetFixture *self,
                  double ms,
                  const char *where,
                  guint id,
                  const char *what,
                  const char *address);
void afd_accept (NetFixture *self,
                 double ms,
                 const char *where,
                 const char *what,
                 guint64 accepted,
                 const char *address);
void afd_data (NetFixture *self,
               double ms,
               const char *where,
               guint id,
               gboolean is_exit,
               const char *what,
               guint n,
               const char *address);
void afd_close (NetFixture *self, double ms, const char *where, const char *what);

/* Formats a table, one line per row; fields that are not set are omitted. */
char *net_tcp_text (const NsTrace *trace);
char *net_winsock_text (const NsTrace *trace);
char *net_dns_text (const NsTrace *trace);
char *net_kernel_text (const NsTrace *trace);

#define assert_rows(trace, table, expected)                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *rows_ = net_##table##_text (trace);                                           \
    g_assert_cmpstr (rows_, ==, expected);                                                         \
  }                                                                                                \
  G_STMT_END
