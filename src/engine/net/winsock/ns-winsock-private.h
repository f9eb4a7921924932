/* Shared by the files of the WinSock part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/net/winsock/ns-winsock-locations.h"
#include "engine/net/winsock/ns-winsock.h"
#include "engine/trace/ns-ips.h"
#include "engine/trace/ns-multi-map.h"
#include "engine/trace/ns-trace-lookup.h"

G_BEGIN_DECLS

/* Maximum number of records with one local port and peer searched: they differ in time, and those
 * further back ended long ago. */
#define NS_WINSOCK_MAX_CANDIDATES 128

enum
{
  NS_IPPROTO_TCP = 6,
  NS_IPPROTO_UDP = 17,
  NS_SOCK_STREAM = 1,
  NS_SOCK_DGRAM = 2,
  NS_SOCK_RAW = 3,
};

/* Process of a process object from a time on. */
typedef struct
{
  guint32 pid;
  gint64 from_ns;
} NsWinsockOwner;

/* Sends of one buffer that have an enter event and no exit yet. */
typedef struct
{
  guint32 n_entered;
  guint32 n_unsent; /* exits at locations that repeat an enclosing operation */
  guint64 unsent_bytes;
  gint64 unsent_ns; /* time of the last of them */
  NsWsRec *rec;
} NsWinsockSend;

/* Records are allocated in chunks, which do not move, and freed chunk by chunk as rows are written.
 */
#define NS_WINSOCK_CHUNK_BITS 10
#define NS_WINSOCK_CHUNK_SIZE (1u << NS_WINSOCK_CHUNK_BITS)
#define NS_WINSOCK_CHUNK_BYTES (NS_WINSOCK_CHUNK_SIZE * sizeof (NsWsRec))

struct _NsWinsock
{
  GPtrArray *chunks; /* chunks of NS_WINSOCK_CHUNK_SIZE NsWsRec */
  guint n_recs;
  GArray *names; /* NsPeerName, by row - 1; between the end of the walks and the writing of the
                  * rows */
  NsRow *rows;   /* by index - 1, once rows are written */
  guint n_rows;
  NsTraceRecent recent; /* recent processes that own sockets */
  NsWinsockLocations *locations;
  NsMap *by_endpoint;   /* → newest */
  NsMap *peers;         /* endpoint, peer → newest, of sockets with several peers */
  GArray *by_tcp;       /* guint32: the newest record, 0: none; by row of TCP - 1 */
  GArray *activity_ids; /* NsGuid */
  NsMap *by_opener;     /* tid → newest */
  NsMap *sends;         /* endpoint, buffer → index of pending */
  GArray *pending;      /* NsWinsockSend */
  NsMap *datagrams;     /* (tid, size), peer → newest record that sent it */
  NsEndpointPool *ends; /* borrowed from the trace */
  NsIps *ips;
  NsMultiMap *by_tuple;    /* (peer, local port) → records */
  NsMultiMap *owners;      /* process object → index of all_owners */
  GArray *all_owners;      /* NsWinsockOwner */
  NsWsRec *plain_accepted; /* newest socket that was accepted without an address */
};

/* Returns the newest record of a connection, or 0. */
static inline guint32
ns_winsock_index_by_tcp (const NsWinsock *self, NsRow tcp)
{
  return tcp != 0 && tcp <= self->by_tcp->len ? g_array_index (self->by_tcp, guint32, tcp - 1) : 0;
}

/* Returns the record of an index other than 0. */
static inline NsWsRec *
ns_winsock_rec_at (const NsWinsock *self, guint32 index)
{
  NsWsRec *chunk = self->chunks->pdata[(index - 1) >> NS_WINSOCK_CHUNK_BITS];

  return &chunk[(index - 1) & (NS_WINSOCK_CHUNK_SIZE - 1)];
}

NsWsRec *ns_winsock_append (NsWinsock *self, guint64 endpoint, guint64 process, gint64 time_ns);
void ns_winsock_index (NsWinsock *self, NsWsRec *rec);
NsWsRec *ns_winsock_newest (NsWinsock *self, guint64 endpoint, guint64 process);
NsWsRec *ns_winsock_find (NsWinsock *self, guint64 endpoint, guint64 process);
NsWsRec *ns_winsock_find_or_restore (NsBuilder *builder,
                                     guint64 endpoint,
                                     const NsRecord *record,
                                     const NsAfdEvent *event);
NsWsRec *ns_winsock_pick_peer (NsWinsock *self, NsWsRec *rec, const NsEndpoint *remote);

void ns_winsock_set_owner (NsBuilder *builder, guint64 process, guint32 pid, gint64 time_ns);
void ns_winsock_note_pid (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event);
guint32 ns_winsock_pid_of (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event);
void ns_winsock_set_pid (NsWsRec *rec, guint32 pid, NsPidSource source);
void ns_winsock_set_event_pid (NsWsRec *rec, const NsRecord *record, guint32 pid);
void ns_winsock_fill_pid (NsBuilder *builder, NsWsRec *rec);
void ns_winsock_set_tcp (NsBuilder *builder, NsWsRec *rec, NsRow tcp, NsConfidence confidence);

void ns_winsock_handle_send (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event);
void
ns_winsock_handle_receive (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event);
void
ns_winsock_handle_send_to (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event);
void ns_winsock_handle_receive_from (NsBuilder *builder,
                                     const NsRecord *record,
                                     const NsAfdEvent *event);
void ns_winsock_end_sends (NsBuilder *builder);

/* Notes a status, except "pending" and "would block". */
static inline void
ns_winsock_note_status (NsWsRec *rec, guint32 status)
{
  if (status != 0 && status != 0x103 && status != 0xc00000a3)
    rec->status = status;
}

static inline void
ns_winsock_note_data (NsWsRec *rec, gint64 time_ns)
{
  if (rec->first_data_ns == NS_TIME_NONE)
    rec->first_data_ns = time_ns;
  rec->last_data_ns = time_ns;
}

G_END_DECLS
