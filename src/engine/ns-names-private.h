/* What the files of the names part share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/ns-ips.h"
#include "engine/ns-names.h"

G_BEGIN_DECLS

/* Questions of one name, type and process at the same time. */
#define NS_NAMES_MAX_PARALLEL 32

/* A row of the DNS table that may still get its answer; by row number. */
typedef struct
{
  NsRow older;          /* the row of the same question that was asked before */
  guint same_name : 30; /* the newest row before it that asks for the same name */
  guint is_done : 1;
  guint is_of_cache : 1; /* a look into the cache, of whose question nothing is known so far */
  guint32 tid;
} NsNamesPending;

/* What is kept of an #NsNameObs. */
typedef struct
{
  gint64 time_ns;
  const NsEndpoint *end; /* of the trace's ends: the address, without a port */
  guint32 pid;
  NsString name;
  NsString alias;
  NsRow dns;
} NsNamesObs;

/* A place in a list of observations, with what it is looked for by beside it; short, for there are
 * five for each answer. */
typedef struct
{
  gint32 about;  /* its time in steps of a millisecond: see ns-names */
  guint32 index; /* of obs */
} NsNamesEntry;

/* Observations under one key, in time order; two at least, for most keys have one and no list. How
 * many there is room for follows from their number: see ns-names-lists. */
typedef struct
{
  NsNamesEntry *entries;
  guint32 n_entries;
  guint32 last; /* atomic: how many were not later than the time it was last asked for */
} NsNamesList;

/* The observations of one key. */
typedef struct
{
  const NsNamesEntry *entries;
  guint32 n_entries;
  NsNamesList *list; /* %NULL when it has none */
  NsNamesEntry one;  /* what @entries points to then, if anything */
} NsNamesFound;

/* An observation that is not in the lists yet. */
typedef struct
{
  guint32 index; /* of obs */
  guint32 ip;
  NsString name; /* in lower case */
} NsNamesWaiting;

/* So many observations are entered together: the looks for their keys are misses of the caches in
 * a large trace, and the memory can fetch for all of them at once. */
#define NS_NAMES_MAX_WAITING 64

/* The first name of an address, and the first other one. */
typedef struct
{
  NsString names[2];
  NsString lower[2]; /* the same in lower case */
} NsNamesFirst;

/* The peer of a record, whose name is asked for. */
typedef struct
{
  const NsIp *ip;
  gint64 time_ns;
  guint32 pid;
} NsNamesPeer;

/* Instead of a process: what the DNS service found out on behalf of nobody knows whom; and all. */
#define NS_NAMES_FOR_ANYBODY ((guint64) 1 << 32)
#define NS_NAMES_OF_ALL ((guint64) 2 << 32)
/* Marks the key of a name, which has no address. */
#define NS_NAMES_BY_NAME ((guint64) 1 << 63)

/* In by_key: the rest of the number is no list, but the one observation of the key. */
#define NS_NAMES_ONE ((guint32) 1 << 31)

struct _NsNames
{
  NsIps *ips;
  GArray *obs;   /* NsNamesObs, in the order of their arrival */
  GArray *lists; /* NsNamesList */
  NsMap *by_key; /* → list, or the only observation with NS_NAMES_ONE */
  NsNamesWaiting waiting[NS_NAMES_MAX_WAITING]; /* to be entered in the lists */
  guint n_waiting;
  GArray *peers;     /* NsNamesPeer, whose names are asked for; NULL: none */
  GArray *firsts;    /* NsNamesFirst, by address - 1 */
  NsMap *lower;      /* name → the same in lower case */
  NsMap *servers;    /* address → pseudo-name of a DNS server */
  NsMap *aliases;    /* address, name in lower case → the newest canonical name of both */
  GArray *pending;   /* NsNamesPending, by row - 1 */
  NsMap *questions;  /* process and type, name → newest row */
  NsMap *named;      /* name → newest row */
  NsMap *resolving;  /* thread or activity of a resolver call → row */
  GPtrArray *values; /* GArray: results that rows share, for many ask the same */
  NsMap *by_values;  /* hash and size of results → those */
};

/* What an event says of a name server. */
typedef enum
{
  NS_NAMES_LISTED, /* an adapter is set up with it */
  NS_NAMES_ASKED,
  NS_NAMES_ANSWERED,
  NS_NAMES_TIMED_OUT,
} NsNamesSign;

/**
 * NsNamesServerEvent:
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
  NsNamesSign sign;
} NsNamesServerEvent;

void ns_names_start_lists (NsNames *self);
void ns_names_drop_lists (NsNames *self);
void ns_names_enter (NsNames *self, guint32 ip, NsString name, guint32 index);
void ns_names_enter_all (NsNames *self);
void ns_names_find_list (NsNames *self, guint64 a, guint64 b, NsNamesFound *found);
guint ns_names_count_until (const NsNames *self, NsNamesFound *found, gint64 time_ns);
const NsNamesObs *ns_names_newest (NsNames *self, guint64 key, guint32 pid, gint64 time_ns);
const NsNamesObs *
ns_names_newer_of (const NsNames *self, NsNamesFound *own, NsNamesFound *anybodys, gint64 time_ns);

gboolean ns_names_answer_from (NsBuilder *builder,
                               const NsNamesObs *obs,
                               const NsIp *ip,
                               guint32 id,
                               gint64 time_ns,
                               NsNameAnswer *answer);

static inline const NsNamesObs *
ns_names_obs_at (const NsNames *self, const NsNamesFound *found, guint i)
{
  return &g_array_index (self->obs, NsNamesObs, found->entries[i].index);
}

NsString ns_names_lower (NsBuilder *builder, NsString name);
NsNamesFirst *ns_names_first_of (const NsNames *self, guint32 ip);
NsRow ns_names_append_row (NsBuilder *builder, const NsNameLookup *lookup);
void
ns_names_answer_row (NsBuilder *builder, NsRow row, const NsNameLookup *lookup, const char *list);
void ns_names_handle_dns (NsBuilder *builder, const NsRecord *record);
void ns_names_handle_resolver (NsBuilder *builder, const NsRecord *record);
void ns_names_link_row (NsBuilder *builder, NsRow row);
void ns_names_end_row (NsBuilder *builder, NsRow row);
void
ns_names_note_server (NsBuilder *builder, const NsNamesServerEvent *event, const char *address);
void ns_names_note_servers (NsBuilder *builder, const NsNamesServerEvent *event, const char *list);
void ns_names_add_server (NsBuilder *builder, const char *list, NsString name);

G_END_DECLS
