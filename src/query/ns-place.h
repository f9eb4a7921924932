/* Jump targets in copied text: a time, a view, or rows that contain it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter.h"

G_BEGIN_DECLS

/* Maximum length of a text. */
#define NS_PLACE_MAX_BYTES 4096

typedef enum
{
  NS_PLACE_LINK, /* `#t=12.104s+1.2s;table=activities;row=7` */
  NS_PLACE_TIME,
  NS_PLACE_ROWS,
} NsPlaceKind;

/* Kind of target in rows. */
typedef enum
{
  NS_PLACE_URL,
  NS_PLACE_HOST,
  NS_PLACE_IP,
  NS_PLACE_ENDPOINT, /* address and port */
  NS_PLACE_NUMBER,   /* a process, a thread, a status, an error, a port */
  NS_PLACE_HEX,      /* a handle, an error, a code address */
  NS_PLACE_CODE,     /* the name of an error */
  NS_PLACE_FRAME,
  NS_PLACE_GUID,
  NS_PLACE_TEXT,
} NsPlaceSort;

typedef struct
{
  NsPlaceKind kind;
  NsPlaceSort sort;
  char *text;      /* without surrounding characters */
  char *host;      /* for a URL, without port */
  guint64 number;  /* NUMBER, HEX; LINK: row number from 1, 0: none */
  NsTimeSpan span; /* LINK: visible span, empty: unchanged; TIME: begins there */
  gboolean has_table;
  NsTableId table; /* LINK */
} NsPlace;

NsPlace *ns_place_new (const NsTrace *trace, const char *text);
void ns_place_free (NsPlace *self);
guint ns_place_get_n_steps (const NsPlace *self);
char *ns_place_to_filter (const NsPlace *self, const NsTrace *trace, NsTableId table, guint step);
char *ns_place_link_to_text (NsTimeSpan visible, NsTableId table, guint64 number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPlace, ns_place_free)

G_END_DECLS
