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
  guint same_name : 31; /* the newest row before it that asks for the same name */
  guint is_done : 1;
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

/* Observations under one key, in time order; two at least, for most keys have one and no list. */
typedef struct
{
  NsNamesEntry *entries;
  guint32 n_entries;
  guint32 n_alloc;
} NsNamesList;

/* In by_key: the rest of the number is no list, but the one observation of the key. */
#define NS_NAMES_ONE ((guint32) 1 << 31)

struct _NsNames
{
  NsIps *ips;
  GArray *obs;      /* NsNamesObs, in the order of their arrival */
  GArray *lists;    /* NsNamesList */
  NsMap *by_key;    /* → list, or the only observation with NS_NAMES_ONE */
  NsMap *first_two; /* address, 0 or 1 → index of its first, and first otherwise named, obs + 1 */
  NsMap *lower;     /* name → the same in lower case */
  NsMap *servers;   /* address → pseudo-name of a DNS server */
  GArray *pending;  /* NsNamesPending, by row - 1 */
  NsMap *questions; /* process and type, name → newest row */
  NsMap *named;     /* name → newest row */
  NsMap *resolving; /* thread or activity of a resolver call → row */
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

NsString ns_names_lower (NsBuilder *builder, NsString name);
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
