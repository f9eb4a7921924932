/* Shared by the files of the TCPIP part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/net/tcpip/ns-tcpip-payload.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/trace/ns-ips.h"
#include "engine/trace/ns-multi-map.h"

G_BEGIN_DECLS

/* Maximum number of records searched under one key: records under it differ in what the key omits,
 * and those further back ended long ago. */
#define NS_TCP_MAX_CANDIDATES 128

/* Rare values of a record, allocated separately as there are millions of records. */
typedef struct
{
  guint64 retransmitted_bytes;
  guint32 retransmits;
  guint32 syn_retransmits;
  guint32 data_retransmits;   /* event 1187, used if there are no send events */
  guint32 retransmit_rounds;  /* events 1351 and 1077, likewise */
  guint32 kernel_retransmits; /* kernel's own count, used if it is higher */
  guint64 kernel_retransmitted_bytes;
  gint64 rtt_us;
  gint64 total_sent;
  gint64 total_received;
  gint64 ended_ns; /* its state became "closed"; another event has the reason */
  guint32 rx_tid;  /* thread of the newest received datagram not matched yet */
  guint32 rx_bytes;
  guint64 n_segments;  /* from a summary: data segments sent; 0: none recorded */
  guint32 total_again; /* from a summary: retransmitted bytes */
  gint64 idle_ns; /* time without data before bytes that got no response; 0: below the threshold */
  gint64 resumed_ns; /* when those bytes were sent */
  /* A full segment that is retransmitted: first and last time, first sequence number and count;
   * whether smaller segments were sent meanwhile, and before the last time. */
  gint64 again_from_ns;
  gint64 again_ns;
  guint32 again_seq;
  guint16 n_full_again;
  NsBool has_small_sent;
  NsBool has_small_between;
  NsBool is_cut_smaller; /* its first byte was retransmitted in a smaller segment */
  NsGuid activity_id;    /* activity ID of the opening event */
} NsTcpMore;

/* Minimum size of a full segment, even in tunnels; the Ethernet maximum; and the maximum size of
 * a send, which may hold several segments. */
#define NS_TCP_FULL_BYTES 1000
#define NS_TCP_USUAL_BYTES 1460
#define NS_TCP_MAX_BYTES 65535

/* Records are allocated in chunks, which do not move, and freed chunk by chunk as rows are written.
 */
#define NS_TCP_CHUNK_BITS 10
#define NS_TCP_CHUNK_SIZE (1u << NS_TCP_CHUNK_BITS)
#define NS_TCP_CHUNK_BYTES (NS_TCP_CHUNK_SIZE * sizeof (NsTcpRec))

/* Bytes posted by a program and not sent yet. */
typedef struct
{
  guint32 n_bytes; /* 0: unused entry */
  guint32 row;     /* its connection; in an unused entry the next unused one */
  gint64 since_ns;
} NsTcpUnsent;

/* Maximum time after the close at which events of data in flight are logged. */
#define NS_TCP_LATE_NS NS_PER_SECOND

struct _NsTcpip
{
  const NsTcpOwner *owner; /* links connections with the requests of the layer above */
  GPtrArray *chunks;       /* chunks of NS_TCP_CHUNK_SIZE NsTcpRec */
  guint n_recs;
  GArray *rare_fields; /* NsTcpMore */
  GArray *names; /* NsPeerName, by row - 1; between the end of the walks and the writing of the
                  * rows */
  NsMap *by_key; /* key, is_udp → newest */
  NsMap *peers;  /* UDP endpoint, (peer, local port) → newest */
  NsEndpointPool *ends; /* borrowed from the trace */
  NsIps *ips;
  NsMultiMap *by_tuple;  /* (peer, local port) → rows */
  NsMultiMap *by_remote; /* peer, process or NS_TCP_ANY_PROCESS → rows */
  NsMultiMap *by_local;  /* process, local port → rows */
  gboolean has_new_sends;
  gboolean keeps_thread; /* keep the thread even if the process changes */
  NsMap *sequences;      /* row → a sequence number that it sent; if packets are captured */
  NsMap *anomalies;      /* row → number of its row in tcp_anomalies */
  NsMap *unsent_of;      /* row → its entry in @unsent */
  GArray *unsent;        /* NsTcpUnsent */
  guint32 unused_unsent; /* 0: none */
  guint32 max_unsent;    /* size of @unsent at which those of ended connections are dropped */
  NsTcpRec *last_rx;     /* newest received datagram not matched yet */
};

/* Larger than any process ID. */
#define NS_TCP_ANY_PROCESS ((guint64) 1 << 32)

/* Returns the record of a row other than 0. */
static inline NsTcpRec *
ns_tcpip_rec_at (const NsTcpip *self, NsRow row)
{
  NsTcpRec *chunk = self->chunks->pdata[(row - 1) >> NS_TCP_CHUNK_BITS];

  return &chunk[(row - 1) & (NS_TCP_CHUNK_SIZE - 1)];
}

/* Returns the rare values of a record; valid until the next record gets any. */
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

/* Sets the endpoint and marks the record for indexing. */
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

/* Process 0 is Idle, which an event is never on behalf of. */
static inline guint32
ns_tcpip_known_pid (guint32 pid)
{
  return pid == 0 ? NS_PID_UNKNOWN : pid;
}

G_END_DECLS
