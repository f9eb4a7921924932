/* Shared by the files of the host names part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-ips.h"

G_BEGIN_DECLS

/* Maximum number of simultaneous queries of one name, type and process that are searched. */
#define NS_HOST_NAMES_MAX_PARALLEL 32

/* Build state of a DNS row that may still get its response; by row number. */
typedef struct
{
  NsRow older;          /* previous row of the same query */
  guint same_name : 30; /* previous row with the same name */
  guint is_done : 1;
  guint is_of_cache : 1; /* a cache look-up whose query is not known yet */
  guint32 tid;
} NsHostNamesPending;

/* Fields of an #NsNameObs that are stored. */
typedef struct
{
  gint64 time_ns;
  const NsEndpoint *end; /* in the trace's endpoint pool: the address, without a port */
  guint32 pid;
  NsString name;
  NsString alias;
  NsRow dns;
} NsHostNamesObs;

/* List entry of an observation with its sort key; small, as there are five per response. */
typedef struct
{
  gint32 about;  /* time in units of 1.048576 ms, see ns-host-names-lists */
  guint32 index; /* index in @obs */
} NsHostNamesEntry;

/* Observations with one key, in time order; at least two, since most keys have one and need no
 * list. The capacity follows from the number, see ns-host-names-lists. */
typedef struct
{
  NsHostNamesEntry *entries;
  guint32 n_entries;
  guint32 last; /* atomic: number of entries not later than the last time looked up */
} NsHostNamesList;

/* Observations found for one key. */
typedef struct
{
  const NsHostNamesEntry *entries;
  guint32 n_entries;
  NsHostNamesList *list; /* %NULL: the key has no list */
  NsHostNamesEntry one;  /* the only entry, which @entries then points to */
} NsHostNamesFound;

/* An observation that is not indexed yet. */
typedef struct
{
  guint32 index; /* index in @obs */
  guint32 ip;
  NsString name; /* in lower case */
} NsHostNamesWaiting;

/* Number of observations indexed together: in a large trace the look-ups of their keys miss the
 * CPU caches, and a batch lets the memory accesses overlap. */
#define NS_HOST_NAMES_MAX_WAITING 64

/* First name of an address, and the first other name. */
typedef struct
{
  NsString names[2];
  NsString lower[2]; /* the same in lower case */
} NsHostNamesFirst;

/* A peer whose name is to be looked up. */
typedef struct
{
  const NsIp *ip;
  gint64 time_ns;
  guint32 pid;
} NsHostNamesPeer;

/* Values in place of a process: resolved by the DNS service for an unknown client, and all
 * processes. */
#define NS_HOST_NAMES_FOR_ANY_PROCESS ((guint64) 1 << 32)
#define NS_HOST_NAMES_OF_ALL ((guint64) 2 << 32)
/* Flag of a key that is a name without an address. */
#define NS_HOST_NAMES_BY_NAME ((guint64) 1 << 63)

/* Flag of a value of @by_key: the rest is the index of the only observation, not of a list. */
#define NS_HOST_NAMES_ONE ((guint32) 1 << 31)

struct _NsHostNames
{
  NsIps *ips;
  GArray *obs;   /* NsHostNamesObs, in order of arrival */
  GArray *lists; /* NsHostNamesList */
  NsMap *by_key; /* key → list, or the only observation with NS_HOST_NAMES_ONE */
  NsHostNamesWaiting waiting[NS_HOST_NAMES_MAX_WAITING]; /* not indexed yet */
  guint n_waiting;
  GArray *peers;     /* NsHostNamesPeer, pending name look-ups; NULL: none */
  GArray *firsts;    /* NsHostNamesFirst, by address - 1 */
  NsMap *lower;      /* name → the same in lower case */
  NsMap *servers;    /* address → pseudo-name of a DNS server */
  NsMap *aliases;    /* address, lower-case name → newest canonical name */
  GArray *pending;   /* NsHostNamesPending, by row - 1 */
  NsMap *questions;  /* process and type, name → newest row */
  NsMap *named;      /* name → newest row */
  NsMap *resolving;  /* thread or activity of a resolver call → row */
  GPtrArray *values; /* GArray: results shared by rows */
  NsMap *by_values;  /* hash and size of results → index of @values + 1 */
};

/* Meaning of a DNS client event about a server. */
typedef enum
{
  NS_HOST_NAMES_LISTED, /* configured for an adapter */
  NS_HOST_NAMES_ASKED,
  NS_HOST_NAMES_ANSWERED,
  NS_HOST_NAMES_TIMED_OUT,
} NsHostNamesSign;

/**
 * NsHostNamesServerEvent:
 * @type: record type of the query; 0: unknown
 * @writer: process that wrote the event
 * @client: process on whose behalf the query is made; 0: unknown
 * @status: status of a response
 *
 * A DNS client event about DNS servers.
 */
typedef struct
{
  NsString query;
  guint32 type;
  guint32 writer;
  guint32 client;
  guint32 status;
  NsString adapter;
  gint64 time_ns;
  NsHostNamesSign sign;
} NsHostNamesServerEvent;

void ns_host_names_start_lists (NsHostNames *self);
void ns_host_names_drop_lists (NsHostNames *self);
void ns_host_names_enter (NsHostNames *self, guint32 ip, NsString name, guint32 index);
void ns_host_names_enter_all (NsHostNames *self);
void ns_host_names_find_list (NsHostNames *self, guint64 a, guint64 b, NsHostNamesFound *found);
guint ns_host_names_count_until (const NsHostNames *self, NsHostNamesFound *found, gint64 time_ns);
const NsHostNamesObs *
ns_host_names_newest (NsHostNames *self, guint64 key, guint32 pid, gint64 time_ns);
const NsHostNamesObs *ns_host_names_newer_of (const NsHostNames *self,
                                              NsHostNamesFound *own,
                                              NsHostNamesFound *anybodys,
                                              gint64 time_ns);

gboolean ns_host_names_answer_from (NsBuilder *builder,
                                    const NsHostNamesObs *obs,
                                    const NsIp *ip,
                                    guint32 id,
                                    gint64 time_ns,
                                    NsNameAnswer *answer);

static inline const NsHostNamesObs *
ns_host_names_obs_at (const NsHostNames *self, const NsHostNamesFound *found, guint i)
{
  return &g_array_index (self->obs, NsHostNamesObs, found->entries[i].index);
}

NsString ns_host_names_lower (NsBuilder *builder, NsString name);
NsHostNamesFirst *ns_host_names_first_of (const NsHostNames *self, guint32 ip);
NsRow ns_host_names_append_row (NsBuilder *builder, const NsNameLookup *lookup);
void ns_host_names_answer_row (NsBuilder *builder,
                               NsRow row,
                               const NsNameLookup *lookup,
                               const char *list);
void ns_host_names_handle_dns (NsBuilder *builder, const NsRecord *record);
void ns_host_names_handle_resolver (NsBuilder *builder, const NsRecord *record);
void ns_host_names_link_row (NsBuilder *builder, NsRow row);
void ns_host_names_end_row (NsBuilder *builder, NsRow row);
void ns_host_names_note_server (NsBuilder *builder,
                                const NsHostNamesServerEvent *event,
                                const char *address);
void ns_host_names_note_servers (NsBuilder *builder,
                                 const NsHostNamesServerEvent *event,
                                 const char *list);
void ns_host_names_add_server (NsBuilder *builder, const char *list, NsString name);

G_END_DECLS
