/* Facts about TLS handshakes, by row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/tls/ns-tls.h"

#include "base/ns-map.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/trace/ns-trace-make.h"

struct _NsTlsStore
{
  GArray *facts; /* NsTlsFacts */
  NsMap *of_row; /* (table, row) → number of the facts */
};

static void
store_free (gpointer data)
{
  NsTlsStore *self = data;

  g_array_unref (self->facts);
  ns_map_free (self->of_row);
  g_free (self);
}

/**
 * ns_tls_store_make: (skip)
 * @trace: the trace that is being built
 *
 * Adds an empty store to the trace.
 */
void
ns_tls_store_make (NsTrace *trace)
{
  NsTlsStore *self = g_new0 (NsTlsStore, 1);

  self->facts = g_array_new (FALSE, FALSE, sizeof (NsTlsFacts));
  self->of_row = ns_map_new ();
  trace->tls = self;
  ns_trace_own (trace, self, store_free);
}

/**
 * ns_tls_store_add: (skip)
 * @self: a store
 * @table: a table
 * @row: a row of it
 * @facts: facts about its handshake, which replace earlier ones
 */
void
ns_tls_store_add (NsTlsStore *self, NsTableId table, NsRow row, const NsTlsFacts *facts)
{
  g_array_append_val (self->facts, *facts);
  ns_map_set (self->of_row, table, row, self->facts->len);
}

/**
 * ns_tls_store_get: (skip)
 * @self: (nullable): a store
 * @table: a table
 * @row: a row of it
 *
 * Returns: (transfer none) (nullable): facts about its handshake from events
 */
const NsTlsFacts *
ns_tls_store_get (const NsTlsStore *self, NsTableId table, NsRow row)
{
  guint32 number = self != NULL ? ns_map_get (self->of_row, table, row) : 0;

  return number != 0 ? &g_array_index (self->facts, NsTlsFacts, number - 1) : NULL;
}

/**
 * ns_tls_facts_init: (skip)
 * @facts: (out): unknown facts
 */
void
ns_tls_facts_init (NsTlsFacts *facts)
{
  *facts = (NsTlsFacts){ .cert_ns = NS_UNKNOWN, .resumed = -1 };
}

static NsRow
activity_of (const NsTrace *trace, NsTableId table, NsRow row)
{
#define ACTIVITY(rows, Type, member)                                                               \
  ((row) >= 1 && (row) <= trace->rows->len ? g_array_index (trace->rows, Type, (row) -1).member : 0)
  switch ((guint) table)
    {
    case NS_TABLE_ACTIVITIES:
      return row;
    case NS_TABLE_WEBIO:
      return ACTIVITY (webio, NsWebioRow, activity);
    case NS_TABLE_WININET:
      return ACTIVITY (wininet, NsWininetRow, activity);
    case NS_TABLE_CHROMIUM:
      return ACTIVITY (chromium, NsChromiumRow, activity);
    case NS_TABLE_DOTNET:
      return ACTIVITY (dotnet, NsDotnetRow, activity);
    case NS_TABLE_QUIC:
      return ACTIVITY (quic, NsQuicRow, layer.activity);
    default:
      return 0;
    }
#undef ACTIVITY
}

/**
 * ns_tls_get_facts:
 * @trace: a trace
 * @table: the master table, or that of a layer with handshakes
 * @row: a row of it
 * @facts: (out): facts about its handshake
 *
 * Reads facts from events, else from captured packets of its conversation.
 *
 * Returns: whether anything is known
 */
gboolean
ns_tls_get_facts (const NsTrace *trace, NsTableId table, NsRow row, NsTlsFacts *facts)
{
  const NsTlsFacts *known = ns_tls_store_get (trace->tls, table, row);
  const NsFlowInside *inside;
  NsRow activity;
  NsRow flow;

  if (known != NULL)
    {
      *facts = *known;
      return TRUE;
    }
  ns_tls_facts_init (facts);
  activity = activity_of (trace, table, row);
  if (activity == 0 || activity > trace->activities->len)
    return FALSE;
  flow = NS_ROW_AT (trace->activities, NsActivityRow, activity)->flow;
  if (flow == 0 || flow > trace->flows->len)
    return FALSE;
  inside = NS_ROW_AT (trace->flows, NsFlowRow, flow)->inside;
  if (inside == NULL)
    return FALSE;
  facts->version = inside->version;
  facts->cipher = inside->cipher;
  facts->alpn = inside->alpn;
  facts->resumed = inside->resumed;
  facts->sni = inside->sni;
  facts->subject = inside->subject;
  facts->issuer = inside->issuer;
  facts->expires = inside->expires;
  facts->alert = inside->alert;
  if (inside->alert != NS_STRING_NONE)
    facts->alert_from = inside->is_alert_of_server ? NS_TLS_FROM_SERVER : NS_TLS_FROM_CLIENT;
  if (inside->is_tls)
    facts->sources = 1 << NS_TLS_PACKETS;
  return TRUE;
}

/**
 * ns_tls_source_to_text:
 * @source: source of handshake facts
 *
 * Returns: (transfer none): its name
 */
const char *
ns_tls_source_to_text (NsTlsSource source)
{
  static const char *const texts[NS_N_TLS_SOURCES] = {
    [NS_TLS_CHROMIUM] = "Chromium",
    [NS_TLS_DOTNET] = "System.Net.Security",
    [NS_TLS_WININET] = "Microsoft-Windows-WinINet",
    [NS_TLS_WEBIO] = "Microsoft-Windows-WebIO",
    [NS_TLS_SCHANNEL] = "Schannel",
    [NS_TLS_PACKETS] = "packets",
    [NS_TLS_QUIC] = "Microsoft-Quic",
  };

  return (guint) source < NS_N_TLS_SOURCES ? texts[source] : NULL;
}
