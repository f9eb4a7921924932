/* The tree of a name resolution: servers asked, answers, and the answer used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_NAME_LINE_NAME,
  NS_NAME_LINE_SERVER,
  NS_NAME_LINE_ADDRESS,
} NsNameLineKind;

/* What a line says of its server or address. */
typedef enum
{
  NS_NAME_STATE_NONE,   /* of an address: nothing was seen to use it */
  NS_NAME_STATE_LISTED, /* an adapter is set up with the server; that it was asked was not seen */
  NS_NAME_STATE_SILENT, /* asked, and never heard of */
  NS_NAME_STATE_TIMED_OUT, /* Windows gave up waiting for it */
  NS_NAME_STATE_ANSWERED,
  NS_NAME_STATE_TRIED, /* whether the address was reached is not known */
  NS_NAME_STATE_FAILED,
  NS_NAME_STATE_CONNECTED,
} NsNameState;

/**
 * NsNameLine:
 * @dns: row of the name, 1-based
 * @text: (nullable): the name, or an address
 * @note: (nullable): of a name its record type, of a server its adapter; static or of the trace
 * @status: (nullable): of a name: what came of it, in words
 * @process: (nullable): of a name: who asked
 * @open_ns: when it was asked or connected to; %NS_UNKNOWN: not known
 * @span_ns: until the answer, or until waiting ended; likewise
 * @tcp: the connection to the address, 1-based; 0: none
 * @winsock: the socket, where no connection is known
 *
 * One line of the tree: a name, and below it its servers and its addresses.
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
