/* Shared by the files of the host names part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/ns-host-names.h"
#include "engine/ns-ips.h"

G_BEGIN_DECLS

/* Questions of one name, type and process at the same time. */
#define NS_HOST_NAMES_MAX_PARALLEL 32

/* A row of the DNS table that may still get its answer; by row number. */
typedef struct
{
  NsRow older;          /* the row of the same question that was asked before */
  guint same_name : 30; /* the newest row before it that asks for the same name */
  guint is_done : 1;
  guint is_of_cache : 1; /* a look into the cache, of whose question nothing is known so far */
  guint32 tid;
} NsHostNamesPending;

/* What is kept of an #NsNameObs. */
typedef struct
{
  gint64 time_ns;
  const NsEndpoint *end; /* of the trace's ends: the address, without a port */
  guint32 pid;
  NsString name;
  NsString alias;
  NsRow dns;
} NsHostNamesObs;

/* A place in a list of observations, with what it is looked for by beside it; short, for there are
 * five for each answer. */
typedef struct
{
  gint32 about;  /* its time in steps of a millisecond: see ns-host-names */
  guint32 index; /* of obs */
} NsHostNamesEntry;

/* Observations under one key, in time order; two at least, for most keys have one and no list. How
 * many there is room for follows from their number: see ns-host-names-lists. */
typedef struct
{
  NsHostNamesEntry *entries;
  guint32 n_entries;
  guint32 last; /* atomic: how many were not later than the time it was last asked for */
} NsHostNamesList;

/* The observations of one key. */
typedef struct
{
  const NsHostNamesEntry *entries;
  guint32 n_entries;
  NsHostNamesList *list; /* %NULL when it has none */
  NsHostNamesEntry one;  /* what @entries points to then, if anything */
} NsHostNamesFound;

/* An observation that is not in the lists yet. */
typedef struct
{
  guint32 index; /* of obs */
  guint32 ip;
  NsString name; /* in lower case */
} NsHostNamesWaiting;

/* So many observations are entered together: the looks for their keys are misses of the caches in
 * a large trace, and the memory can fetch for all of them at once. */
#define NS_HOST_NAMES_MAX_WAITING 64

/* The first name of an address, and the first other one. */
typedef struct
{
  NsString names[2];
  NsString lower[2]; /* the same in lower case */
} NsHostNamesFirst;

/* The peer of a record, whose name is asked for. */
typedef struct
{
  const NsIp *ip;
  gint64 time_ns;
  guint32 pid;
} NsHostNamesPeer;

/* Instead of a process: what the DNS service found out on behalf of nobody knows whom; and all. */
#define NS_HOST_NAMES_FOR_ANYBODY ((guint64) 1 << 32)
#define NS_HOST_NAMES_OF_ALL ((guint64) 2 << 32)
/* Marks the key of a name, which has no address. */
#define NS_HOST_NAMES_BY_NAME ((guint64) 1 << 63)

/* In by_key: the rest of the number is no list, but the one observation of the key. */
#define NS_HOST_NAMES_ONE ((guint32) 1 << 31)

struct _NsNames
{
  NsIps *ips;
  GArray *obs;   /* NsHostNamesObs, in the order of their arrival */
  GArray *lists; /* NsHostNamesList */
  NsMap *by_key; /* → list, or the only observation with NS_HOST_NAMES_ONE */
  NsHostNamesWaiting waiting[NS_HOST_NAMES_MAX_WAITING]; /* to be entered in the lists */
  guint n_waiting;
  GArray *peers;     /* NsHostNamesPeer, whose names are asked for; NULL: none */
  GArray *firsts;    /* NsHostNamesFirst, by address - 1 */
  NsMap *lower;      /* name → the same in lower case */
  NsMap *servers;    /* address → pseudo-name of a DNS server */
  NsMap *aliases;    /* address, name in lower case → the newest canonical name of both */
  GArray *pending;   /* NsHostNamesPending, by row - 1 */
  NsMap *questions;  /* process and type, name → newest row */
  NsMap *named;      /* name → newest row */
  NsMap *resolving;  /* thread or activity of a resolver call → row */
  GPtrArray *values; /* GArray: results that rows share, for many ask the same */
  NsMap *by_values;  /* hash and size of results → those */
};

/* What an event says of a name server. */
typedef enum
{
  NS_HOST_NAMES_LISTED, /* an adapter is set up with it */
  NS_HOST_NAMES_ASKED,
  NS_HOST_NAMES_ANSWERED,
  NS_HOST_NAMES_TIMED_OUT,
} NsHostNamesSign;

/**
 * NsHostNamesServerEvent:
 * @type: record type that was asked for; 0: not told
 * @writer: who wrote the event
 * @client: on whose behalf; 0: not told
 * @status: of an answer
 *
 * An event of the DNS client about name servers.
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
