/* Which name servers were asked for the names of a trace, and which of them kept silent.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* Servers that are kept of one name. */
#define NS_NAME_SERVERS_MAX 64

/**
 * NsNameServer:
 * @dns: the name's row
 * @address: as text
 * @asked_ns: when it was asked first; %NS_TIME_NONE: that was not seen
 * @answered_ns: when it answered first; %NS_TIME_NONE: never
 * @timed_out_ns: when Windows gave up waiting; %NS_TIME_NONE: that was not told
 *
 * A server that was tried for a name.
 */
typedef struct
{
  NsRow dns;
  char *address;
  gint64 asked_ns;
  gint64 answered_ns;
  gint64 timed_out_ns;
} NsNameServer;

GArray *ns_name_servers_read (const NsTrace *trace,
                              NsProgressFunc progress,
                              gpointer progress_data,
                              GError **error);

G_END_DECLS
