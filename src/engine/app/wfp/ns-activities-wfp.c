/* Drops in the master table: those of connections, and those without one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "base/ns-hash.h"
#include "engine/app/wfp/ns-wfp.h"

/* Maximum number of groups of program, peer and filter with a row in the master table; further
 * drops are in the WFP table only. */
#define MAX_ROWS 100000

static gboolean
counts (const NsWfpRow *row)
{
  return row->kind <= NS_WFP_MAC_DROP;
}

static NsString
name_filter (NsBuilder *builder, const NsWfpRow *row)
{
  g_autofree char *text = NULL;

  if (!row->has_filter)
    return NS_STRING_NONE;
  if (row->filter_name != NS_STRING_NONE)
    return row->filter_name;
  text = g_strdup_printf ("filter %" G_GUINT64_FORMAT, row->filter);
  return ns_strings_add (builder->trace->strings, text);
}

static NsActivityMore *
get_more (NsBuilder *builder, NsActivityRow *row)
{
  /* The structure is not shared yet, so it may be modified. */
  if (row->more == NULL)
    row->more = ns_arena_new0 (builder->trace->arena, NsActivityMore);
  return (NsActivityMore *) row->more;
}

/* Returns whether a connection was never established, or datagrams were never sent. */
static gboolean
is_never_established (const NsTcpRow *tcp)
{
  if (tcp->is_udp)
    return tcp->sent + tcp->received == 0;
  return tcp->state == NS_TCP_CONNECT_FAIL || tcp->state == NS_TCP_CONNECT_REQUEST;
}

/* W3: marks the connection of a drop. */
static void
mark_connection (NsBuilder *builder, NsWfpRow *drop)
{
  NsTrace *trace = builder->trace;
  const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, drop->tcp);
  NsActivityRow *row;
  NsActivityMore *more;

  drop->layer.activity = tcp->activity;
  if (tcp->activity == 0 || (!counts (drop) && !drop->has_filter))
    return;
  row = NS_ROW_AT (trace->activities, NsActivityRow, tcp->activity);
  more = get_more (builder, row);
  if (counts (drop))
    more->drops += drop->count;
  if (!drop->has_filter || !is_never_established (tcp))
    return;
  if (more->blocked_by == NS_STRING_NONE)
    {
      more->blocked_by = name_filter (builder, drop);
      more->blocked_filter = drop->filter;
      more->blocked_name = drop->filter_name;
    }
  more->is_blocked = TRUE;
  row->failed = TRUE;
}

/* W4: adds a drop without a connection but with a known process to the row of its program, peer and
 * filter. */
static void
add_drop (NsBuilder *builder, GHashTable *rows, NsRow source, NsWfpRow *drop)
{
  NsTrace *trace = builder->trace;
  char peer[NS_IP_TEXT_SIZE];
  g_autofree char *key = NULL;
  gpointer known;
  NsActivityRow *row;

  ns_endpoint_to_text (&drop->remote, peer);
  key = g_strdup_printf ("%u %" G_GUINT64_FORMAT " %d %s",
                         drop->app,
                         drop->filter,
                         drop->has_filter,
                         peer);
  if (g_hash_table_lookup_extended (rows, key, NULL, &known))
    drop->layer.activity = GPOINTER_TO_UINT (known);
  else if (g_hash_table_size (rows) < MAX_ROWS)
    {
      NsActivityRow fresh;

      ns_activities_init (&fresh, NS_LAYER_WFP, NS_TABLE_WFP, source);
      fresh.pid = drop->layer.pid;
      fresh.method = ns_strings_add (trace->strings, "Drop");
      fresh.remote = ns_endpoint_pool_add (trace->ends, &drop->remote);
      fresh.local = ns_endpoint_pool_add (trace->ends, &drop->local);
      fresh.open_ns = drop->layer.open_ns;
      fresh.close_ns = drop->layer.close_ns;
      fresh.failed = TRUE;
      get_more (builder, &fresh)->blocked_by = name_filter (builder, drop);
      drop->layer.activity = ns_activities_append (builder, &fresh);
      g_hash_table_insert (rows, g_steal_pointer (&key), GUINT_TO_POINTER (drop->layer.activity));
    }
  if (drop->layer.activity == 0)
    return;
  row = NS_ROW_AT (trace->activities, NsActivityRow, drop->layer.activity);
  row->close_ns = MAX (row->close_ns, drop->layer.close_ns);
  get_more (builder, row)->drops += drop->count;
}

/**
 * ns_activities_add_wfp:
 * @builder: the builder
 *
 * Marks connections with their drops, and adds rows for outbound drops without a connection.
 */
void
ns_activities_add_wfp (NsBuilder *builder)
{
  GArray *table = builder->trace->wfp;
  g_autoptr (GHashTable) rows = NULL;
  guint i;

  if (table->len == 0)
    return;
  rows = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  for (i = 0; i < table->len; i++)
    {
      NsWfpRow *drop = &g_array_index (table, NsWfpRow, i);

      if (drop->tcp != 0)
        mark_connection (builder, drop);
      else if (counts (drop) && g_strcmp0 (drop->direction, "out") == 0 &&
               !ns_ip_is_empty (&drop->remote.ip))
        add_drop (builder, rows, i + 1, drop);
    }
}
