/* The tree of a name resolution: queried servers, responses, and the address used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_NAME_LINE_NAME,
  NS_NAME_LINE_SERVER,
  NS_NAME_LINE_ADDRESS,
} NsNameLineKind;

/* State of a server or address. */
typedef enum
{
  NS_NAME_STATE_NONE,      /* address: no use recorded */
  NS_NAME_STATE_LISTED,    /* server: configured for an adapter; no query recorded */
  NS_NAME_STATE_SILENT,    /* queried, without a recorded response */
  NS_NAME_STATE_TIMED_OUT, /* the query timed out */
  NS_NAME_STATE_ANSWERED,
  NS_NAME_STATE_TRIED, /* connect without a recorded outcome */
  NS_NAME_STATE_FAILED,
  NS_NAME_STATE_CONNECTED,
} NsNameState;

/**
 * NsNameLine:
 * @dns: row of the name, 1-based
 * @text: (nullable): the name, or an address
 * @note: (nullable): for a name its record type, for a server its adapter; static or owned by the
 *   trace
 * @status: (nullable): for a name: the result as text
 * @process: (nullable): for a name: the asking process
 * @open_ns: time of the query or connect; %NS_UNKNOWN: unknown
 * @span_ns: time until the response or timeout; likewise
 * @tcp: the connection to the address, 1-based; 0: none
 * @winsock: the socket, if no connection is known
 *
 * A line of the tree: a name, followed by its servers and addresses.
 */
typedef struct
{
  NsRow dns;
  NsNameLineKind kind;
  NsNameState state;
  char *text;
  const char *note;
  char *status;
  char *process;
  gint64 open_ns;
  gint64 span_ns;
  NsRow tcp;
  NsRow winsock;
} NsNameLine;

typedef struct _NsNameTree NsNameTree;

NsNameTree *ns_name_tree_new (const NsTrace *trace);
void ns_name_tree_free (NsNameTree *self);
GArray *ns_name_tree_list (const NsNameTree *self, NsRow row);

const char *ns_name_line_kind_to_text (NsNameLineKind kind);
const char *ns_name_state_to_text (NsNameState state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsNameTree, ns_name_tree_free)

G_END_DECLS
