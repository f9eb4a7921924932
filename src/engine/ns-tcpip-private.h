/* Shared by the files of the TCPIP part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/ns-ips.h"
#include "engine/ns-multi-map.h"
#include "engine/ns-tcpip-payload.h"
#include "engine/ns-tcpip.h"

G_BEGIN_DECLS

/* Under one key of a list stand records that differ in what the key leaves out; who looks further
 * back than this would find only those that ended long ago. */
#define NS_TCP_MAX_CANDIDATES 128

/* What most records have nothing of: kept apart, for there are millions of records. */
typedef struct
{
  guint64 retransmitted_bytes;
  guint32 retransmits;
  guint32 syn_retransmits;
  guint32 data_retransmits;   /* event 1187, for where no send event is */
  guint32 retransmit_rounds;  /* events 1351 and 1077, likewise */
  guint32 kernel_retransmits; /* what the kernel itself has counted, for where it is more */
  guint64 kernel_retransmitted_bytes;
  gint64 rtt_us;
  gint64 total_sent;
  gint64 total_received;
  gint64 ended_ns; /* its state became "closed"; what that means is told by another event */
  guint32 rx_tid;  /* of the newest datagram received and not yet matched */
  guint32 rx_bytes;
  guint64 n_segments;  /* of a summary: with data, out; 0: none told */
  guint32 total_again; /* of a summary: bytes */
  gint64 idle_ns;      /* before the bytes that nothing came after; 0: not so long */
  gint64 resumed_ns;   /* when they went out */
  /* Of a full segment that is sent again: when it was first and last, its first byte, how often;
   * whether something smaller went out meanwhile, and before the last time. */
  gint64 again_from_ns;
  gint64 again_ns;
  guint32 again_seq;
  guint16 n_full_again;
  NsBool has_small_sent;
  NsBool has_small_between;
  NsBool is_cut_smaller; /* its first byte went out in a smaller segment */
  NsGuid activity_id;    /* of the event that opened it */
} NsTcpMore;

/* Segments with more than this are full, even on tunnels; those of Ethernet have as many bytes; and
 * a send may hold several of them. */
#define NS_TCP_FULL_BYTES 1000
#define NS_TCP_USUAL_BYTES 1460
#define NS_TCP_MAX_BYTES 65535

/* Records stand in chunks, which do not move, and go one by one when the rows are written. */
#define NS_TCP_CHUNK_BITS 10
#define NS_TCP_CHUNK_SIZE (1u << NS_TCP_CHUNK_BITS)
#define NS_TCP_CHUNK_BYTES (NS_TCP_CHUNK_SIZE * sizeof (NsTcpRec))

/* Bytes that a program has given to be sent, and that were not sent yet. */
typedef struct
{
  guint32 n_bytes; /* 0: it is not in use */
  guint32 row;     /* whose; when not in use: the next of those */
  gint64 since_ns;
} NsTcpUnsent;

/* Data still on its way when the program closes is told after the close. */
#define NS_TCP_LATE_NS NS_PER_SECOND

struct _NsTcpip
{
  const NsTcpOwner *owner; /* who finds connections of its own */
  GPtrArray *chunks;       /* of NS_TCP_CHUNK_SIZE NsTcpRec each */
  guint n_recs;
  GArray *rare_fields; /* NsTcpMore */
  GArray *names; /* NsPeerName, by row - 1; from the end of the walks until the rows are written */
  NsMap *by_key; /* key, is_udp → newest */
  NsMap *peers;  /* UDP endpoint, (peer, local port) → newest */
  NsEndpointPool *ends; /* the trace's */
  NsIps *ips;
  NsMultiMap *by_tuple;  /* (peer, local port) → rows */
  NsMultiMap *by_remote; /* peer, process or NS_TCP_ANY_PROCESS → rows */
  NsMultiMap *by_local;  /* process, local port → rows */
  gboolean has_new_sends;
  gboolean keeps_thread; /* also when the process turns out to be another */
  NsMap *sequences;      /* row → a sequence number that it sent; where packets are captured */
  NsMap *anomalies;      /* row → number of its row in tcp_anomalies */
  NsMap *unsent_of;      /* row → number of what it has not sent yet */
  GArray *unsent;        /* NsTcpUnsent */
  guint32 unused_unsent; /* 0: none */
  guint32 max_unsent;    /* with so many those of ended connections are looked for */
  NsTcpRec *last_rx;     /* the datagram received last and not yet matched */
};

/* No process id is as large. */
#define NS_TCP_ANY_PROCESS ((guint64) 1 << 32)

/* The record of a row that is not 0. */
static inline NsTcpRec *
ns_tcpip_rec_at (const NsTcpip *self, NsRow row)
{
  NsTcpRec *chunk = self->chunks->pdata[(row - 1) >> NS_TCP_CHUNK_BITS];

  return &chunk[(row - 1) & (NS_TCP_CHUNK_SIZE - 1)];
}

/* What a record has of the rest; not to be kept beyond the next record that gets one. */
static inline const NsTcpMore *
ns_tcpip_peek_more (const NsTcpip *self, const NsTcpRec *rec)
{
  return &g_array_index (self->rare_fields, NsTcpMore, rec->more);
}

NsTcpMore *ns_tcpip_get_more (NsTcpip *self, NsTcpRec *rec);
void ns_tcpip_set_activity_id (NsTcpip *self, NsTcpRec *rec, const NsGuid *activity_id);
NsTcpRec *ns_tcpip_append (NsTcpip *self, guint64 key, gboolean is_udp, gint64 time_ns);
void ns_tcpip_index (NsTcpip *self, NsTcpRec *rec);

NsTcpRec *ns_tcpip_newest (NsTcpip *self, guint64 key, gboolean is_udp);
NsTcpRec *ns_tcpip_open_rec (NsTcpip *self, guint64 key, gboolean is_udp, guint32 sure_pid);
NsTcpRec *ns_tcpip_shut_rec (NsTcpip *self, guint64 key, gboolean is_udp, guint32 sure_pid);
NsTcpRec *ns_tcpip_restore (NsTcpip *self, const NsTcpipEvent *event, gint64 time_ns, guint32 alt);
void ns_tcpip_ensure_pid (NsTcpip *self, NsTcpRec *rec, guint32 pid);
void ns_tcpip_mark_open (NsTcpip *self,
                         NsTcpRec *rec,
                         NsTcpState state,
                         guint32 pid,
                         guint32 tid,
                         const NsTcpipEvent *event);
void ns_tcpip_mark_close (NsTcpip *self,
                          NsTcpRec *rec,
                          NsTcpState state,
                          guint32 pid,
                          gint64 time_ns,
                          const NsEndpoint *remote);

void
ns_tcpip_handle_datagram (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *fields);
void
ns_tcpip_handle_udp_close (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event);
void ns_tcpip_drop_chunk (NsTcpip *self, guint chunk);
void
ns_tcpip_handle_anomaly (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event);
void ns_tcpip_note_limits (NsBuilder *builder, const NsTcpRec *rec, const NsTcpipEvent *event);
void
ns_tcpip_note_flight (NsBuilder *builder, NsTcpRec *rec, gint64 time_ns, const NsTcpipEvent *event);
void ns_tcpip_note_posted (NsTcpip *self, const NsTcpRec *rec, gint64 time_ns, guint32 n_bytes);
void ns_tcpip_note_sent (NsBuilder *builder, const NsTcpRec *rec, gint64 time_ns, guint32 n_bytes);
void ns_tcpip_note_full_again (NsBuilder *builder, NsTcpRec *rec, gint64 time_ns, guint32 sequence);
void ns_tcpip_note_smaller (NsBuilder *builder,
                            NsTcpRec *rec,
                            const NsTcpipEvent *event,
                            gboolean is_again);
void ns_tcpip_note_heard (NsBuilder *builder, NsTcpRec *rec, gint64 time_ns);
void ns_tcpip_finish_anomalies (NsBuilder *builder);
void ns_tcpip_drop_anomalies (NsTcpip *self);
void ns_tcpip_drop_lookups (NsTcpip *self);
void ns_tcpip_name_recs (NsBuilder *builder);
void ns_tcpip_write_rows (NsBuilder *builder);

/* Whoever changes an end of a record lets it be indexed next. */
static inline void
ns_tcpip_set_local (NsTcpip *self, NsTcpRec *rec, const NsEndpoint *end)
{
  rec->local = ns_endpoint_pool_add (self->ends, end);
  rec->has_new_ends = TRUE;
}

static inline void
ns_tcpip_set_remote (NsTcpip *self, NsTcpRec *rec, const NsEndpoint *end)
{
  rec->remote = ns_endpoint_pool_add (self->ends, end);
  rec->has_new_ends = TRUE;
}

/* 0 is Idle: not the process that an event works for. */
static inline guint32
ns_tcpip_known_pid (guint32 pid)
{
  return pid == 0 ? NS_PID_UNKNOWN : pid;
}

G_END_DECLS
