/* What the files of the names part share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/ns-ips.h"
#include "engine/ns-names.h"

G_BEGIN_DECLS

/* A row of the DNS table that may still get its answer; by row number. */
typedef struct
{
  NsRow older; /* the row of the same question that was asked before */
  guint32 tid;
  gboolean is_done;
} NsNamesPending;

/* A place in a list of observations, with what it is looked for by beside it. */
typedef struct
{
  gint64 time_ns;
  guint32 index; /* of obs */
} NsNamesEntry;

/* Observations under one key, in time order; most lists have one or two. */
typedef struct
{
  NsNamesEntry *entries;
  guint32 n_entries;
  guint32 n_alloc;
} NsNamesList;

struct _NsNames
{
  NsIps *ips;
  GArray *obs;      /* NsNameObs, in the order of their arrival */
  GArray *lists;    /* NsNamesList */
  NsMap *by_key;    /* → list */
  NsMap *first_two; /* address, 0 or 1 → index of its first, and first otherwise named, obs + 1 */
  NsMap *lower;     /* name → the same in lower case */
  NsMap *servers;   /* address → pseudo-name of a DNS server */
  GArray *pending;  /* NsNamesPending, by row - 1 */
  NsMap *questions; /* process and type, name → newest row */
  NsMap *resolving; /* thread or activity of a resolver call → row */
};

NsString ns_names_lower (NsBuilder *builder, NsString name);
NsRow ns_names_append_row (NsBuilder *builder, const NsNameLookup *lookup);
void
ns_names_answer_row (NsBuilder *builder, NsRow row, const NsNameLookup *lookup, const char *list);
void ns_names_handle_dns (NsBuilder *builder, const NsRecord *record);
void ns_names_handle_resolver (NsBuilder *builder, const NsRecord *record);
void ns_names_add_server (NsBuilder *builder, const char *list, NsString name);

G_END_DECLS
