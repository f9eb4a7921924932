/* BITS transfers in the master table: parents of the requests that WinHTTP made for them.
 *
 * The bytes stay with the requests, so that nothing is counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/bits/ns-bits.h"
#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-url.h"

static void
index_transfers (const NsTrace *trace, NsIntervalIndex *transfers)
{
  guint i;

  ns_interval_index_init (transfers);
  for (i = 0; i < trace->bits->len; i++)
    {
      const NsBitsRow *row = &g_array_index (trace->bits, NsBitsRow, i);

      if (row->url != NS_STRING_NONE)
        ns_interval_index_add (transfers,
                               row->layer.pid,
                               ns_url_hash_bare (ns_trace_text (trace, row->url)),
                               i + 1,
                               row->layer.open_ns);
    }
  ns_interval_index_settle (transfers);
}

/* Returns the newest transfer of the process with that URL that was open. */
static NsRow
find_transfer (const NsTrace *trace, const NsIntervalIndex *transfers, const NsWebioRow *request)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (request->url == NS_STRING_NONE || !ns_time_is_set (request->open_ns))
    return 0;
  lives = ns_interval_index_get (transfers,
                                 request->pid,
                                 ns_url_hash_bare (ns_trace_text (trace, request->url)),
                                 &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, request->open_ns); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsBitsRow *row = NS_ROW_AT (trace->bits, NsBitsRow, lives[i - 1].row);

      if (request->open_ns <= row->layer.close_ns &&
          ns_url_is_same_bare (ns_trace_text (trace, row->url),
                               ns_trace_text (trace, request->url)))
        return lives[i - 1].row;
    }
  return 0;
}

static void
link_requests (const NsTrace *trace)
{
  NsIntervalIndex transfers;
  guint i;

  index_transfers (trace, &transfers);
  for (i = 0; i < trace->webio->len; i++)
    {
      const NsWebioRow *request = &g_array_index (trace->webio, NsWebioRow, i);
      NsRow number = find_transfer (trace, &transfers, request);
      NsRow web = i + 1;
      NsBitsRow *row;

      if (number == 0)
        continue;
      row = NS_ROW_AT (trace->bits, NsBitsRow, number);
      if (row->requests == NULL)
        row->requests = g_array_new (FALSE, FALSE, sizeof (NsRow));
      g_array_append_val (row->requests, web);
      row->layer.confidence = NS_CONFIDENCE_LIKELY;
      row->layer.evidence[0] = "url";
    }
  ns_interval_index_clear (&transfers);
}

/* Makes the rows of a request, one per connection in sequence, children of the transfer. */
static void
adopt (NsBuilder *builder, NsRow number, NsRow parent)
{
  NsTrace *trace = builder->trace;
  const NsWebioRow *request = NS_ROW_AT (trace->webio, NsWebioRow, number);
  guint i;

  for (i = request->activity; i != 0 && i <= trace->activities->len; i++)
    {
      NsActivityRow *row = NS_ROW_AT (trace->activities, NsActivityRow, i);

      if (row->source_table != NS_TABLE_WEBIO || row->source_row != number)
        break;
      row->parent = parent;
      row->layers |= NS_LAYER_BITS;
      if (row->tcp != 0)
        NS_ROW_AT (trace->tcp, NsTcpRow, row->tcp)->owner |= NS_LAYER_BITS;
    }
}

static void
add_row (NsBuilder *builder, NsRow source, NsBitsRow *transfer)
{
  NsActivityRow row;
  guint i;

  ns_activities_init (&row, NS_LAYER_BITS, NS_TABLE_BITS, source);
  row.pid = transfer->layer.pid;
  row.tid = transfer->layer.tid;
  row.method = ns_strings_add (builder->trace->strings, "Download");
  row.url = transfer->url;
  row.server = transfer->server;
  row.open_ns = transfer->layer.open_ns;
  row.close_ns = transfer->layer.close_ns;
  row.opened_before_trace = transfer->layer.opened_before_trace;
  row.stack = transfer->layer.stack;
  row.link = transfer->layer.link;
  row.confidence = transfer->layer.confidence;
  if (transfer->requests == NULL && transfer->transferred != NS_BITS_UNKNOWN)
    row.received = transfer->transferred;
  /* BITS has success codes other than 0. */
  if (transfer->layer.status >= 0x80000000)
    ns_activities_set_error (&row, (guint32) transfer->layer.status, NS_CODE_HRESULT);
  transfer->layer.activity = ns_activities_append (builder, &row);
  for (i = 0; transfer->requests != NULL && i < transfer->requests->len; i++)
    adopt (builder, g_array_index (transfer->requests, NsRow, i), transfer->layer.activity);
}

/**
 * ns_activities_add_bits:
 * @builder: the builder
 *
 * Adds a row for each transfer, as parent of the rows of its requests.
 */
void
ns_activities_add_bits (NsBuilder *builder)
{
  GArray *table = builder->trace->bits;
  guint i;

  if (table->len == 0)
    return;
  link_requests (builder->trace);
  for (i = 0; i < table->len; i++)
    add_row (builder, i + 1, &g_array_index (table, NsBitsRow, i));
}
