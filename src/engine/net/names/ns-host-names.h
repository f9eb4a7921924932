/* Host names: the names of addresses, and the rows of the DNS table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/**
 * NsNameLookup:
 * @query: the name looked up; %NS_STRING_NONE or empty: only the addresses are known
 * @type: record type, 0 if unknown
 * @status: result of the query
 * @has_status: whether @status is known
 * @source: where the result comes from, as in #NsDnsRow.source; must be a string literal
 * @server: the DNS server, or %NS_STRING_NONE
 * @alias: the last canonical name, or %NS_STRING_NONE
 * @pid: process on whose behalf the query was made
 * @tid: thread that made the query, if known
 * @activity_id: activity ID of the event, or zero
 * @open_ns: when the query was made
 * @close_ns: when the response arrived: from then on the name applies to the addresses
 * @ips: (array length=n_ips) (nullable): the addresses
 * @n_ips: number of addresses
 *
 * One finished look-up of a name.
 */
typedef struct
{
  NsString query;
  guint32 type;
  guint32 status;
  gboolean has_status;
  NsDnsSource source;
  NsString server;
  NsString alias;
  guint32 pid;
  guint32 tid;
  NsGuid activity_id;
  gint64 open_ns;
  gint64 close_ns;
  const NsIp *ips;
  guint n_ips;
} NsNameLookup;

/**
 * NsNameObs:
 * @time_ns: time from which the name applies to the address
 * @pid: process that received the response; %NS_PID_UNKNOWN: any
 * @name: the name; an observation without one is ignored
 * @alias: its last canonical name, or %NS_STRING_NONE
 * @ip: the address
 * @dns: row of the DNS table that it comes from, or 0
 *
 * One observation that a name resolves to an address.
 */
typedef struct
{
  gint64 time_ns;
  guint32 pid;
  NsString name;
  NsString alias;
  NsIp ip;
  NsRow dns;
} NsNameObs;

/* Steps of the name resolution, best result first. */
typedef enum
{
  NS_NAME_NONE,
  NS_NAME_FROM_URL,     /* the URL's host, without a known look-up */
  NS_NAME_SAME_HINT,    /* same process, same name, before */
  NS_NAME_SAME_PROCESS, /* same process, before */
  NS_NAME_ANY_PROCESS,  /* another process, before: inferred */
  NS_NAME_LATER,        /* observed only later: inferred */
  NS_NAME_PSEUDO,       /* "localhost", "DNS server (…)" */
} NsNameStep;

/**
 * NsNameAnswer:
 * @server: name to show as server, or %NS_STRING_NONE
 * @alt: another name, never equal to @server, or %NS_STRING_NONE
 * @dns: row of the DNS table of the chosen observation, or 0
 * @step: how it was found
 * @inferred: the name comes from another process or a later time
 */
typedef struct
{
  NsString server;
  NsString alt;
  NsRow dns;
  NsNameStep step;
  gboolean inferred;
} NsNameAnswer;

/* Name of a peer, kept from the end of the walks until the row of the peer is written. */
typedef struct
{
  NsString server;
  NsString alt;
  NsRow dns;
  gboolean inferred;
} NsPeerName;

NsRow ns_host_names_add_lookup (NsBuilder *builder, const NsNameLookup *lookup);
NsRow ns_host_names_add_list (NsBuilder *builder, NsNameLookup *lookup, const char *list);
void ns_host_names_observe (NsBuilder *builder, const NsNameObs *obs);
void ns_host_names_resolve (NsBuilder *builder,
                            guint32 pid,
                            NsString hint,
                            const NsIp *ip,
                            gint64 time_ns,
                            NsNameAnswer *answer);
gboolean ns_host_names_is_named (NsBuilder *builder, const NsIp *ip);
void ns_host_names_note_peer (NsBuilder *builder,
                              GArray *names,
                              guint32 pid,
                              const NsIp *ip,
                              gint64 time_ns);
void ns_host_names_end_peers (NsBuilder *builder, GArray *names);
gboolean ns_host_names_find_address (NsBuilder *builder,
                                     NsString name,
                                     guint32 pid,
                                     gint64 time_ns,
                                     gint64 until_ns,
                                     NsIp *ip,
                                     NsRow *dns);
void ns_host_names_drop (NsBuilder *builder);

G_END_DECLS
