/* LDAP operations in the master table: children of the connection that carries them.
 *
 * The bytes stay with the connection, so that nothing is counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

static NsRow
connection_of (const NsTrace *trace, const NsLdapRow *op)
{
  NsRow activity = 0;

  if (op->winsock != 0)
    activity = NS_ROW_AT (trace->winsock, NsWinsockRow, op->winsock)->activity;
  if (activity == 0 && op->tcp != 0)
    activity = NS_ROW_AT (trace->tcp, NsTcpRow, op->tcp)->activity;
  return activity;
}

/* Marks the connection's row as LDAP. */
static void
annotate (NsBuilder *builder, NsRow activity, NsRow op)
{
  NsActivityRow *row = NS_ROW_AT (builder->trace->activities, NsActivityRow, activity);

  row->layers |= NS_LAYER_LDAP;
  if (row->ldap != 0)
    return;
  row->ldap = op;
  row->method = ns_strings_add (builder->trace->strings, "LDAP search");
}

static void
add_row (NsBuilder *builder, NsRow source, NsLdapRow *op)
{
  NsRow parent = connection_of (builder->trace, op);
  NsActivityRow row;

  if (parent != 0)
    annotate (builder, parent, source);
  ns_activities_init (&row, NS_LAYER_LDAP, NS_TABLE_LDAP, source);
  row.parent = parent;
  row.ldap = source;
  row.activity_id = ns_trace_keep_guid (builder->trace, &op->activity_id);
  row.pid = op->pid;
  row.tid = op->tid;
  row.server = op->server;
  row.method = ns_strings_add (builder->trace->strings, "search");
  row.status = op->status;
  row.failed = op->status != NS_STRING_NONE;
  row.remote = ns_endpoint_pool_add (builder->trace->ends, &op->remote);
  row.open_ns = op->open_ns;
  row.close_ns = op->close_ns;
  row.stack = op->stack;
  row.link = op->link;
  row.confidence = op->winsock != 0 ? (gint8) op->confidence : -1;
  op->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_ldap:
 * @builder: the builder
 *
 * Adds a row for each LDAP operation below the row of its connection.
 */
void
ns_activities_add_ldap (NsBuilder *builder)
{
  guint i;

  for (i = 0; i < builder->trace->ldap->len; i++)
    add_row (builder, i + 1, &g_array_index (builder->trace->ldap, NsLdapRow, i));
}
