/* Microsoft-Windows-LDAP-Client: operations.
 *
 * The provider logs the request of a search only (event 30); the connection that carries it and the
 * time of the response are derived from the WinSock sends and receives around it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/app/ldap/ns-ldap-link.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-masked.h"

enum
{
  LDAP_SEARCH = 30,
  LDAP_SERVER_DOWN = 8,
  LDAP_NETWORK_ERROR = 21,
  LDAP_API_ERROR = 28,
  LDAP_ERROR = 29,
};

enum
{
  AFD_SEND = 1003,
  AFD_RECEIVE = 1004,
  AFD_SEND_TO = 1007,
  AFD_RECEIVE_FROM = 1009,
  AFD_SEND_MESSAGE = 1013,
  AFD_RECEIVE_MESSAGE = 1015,
};

struct _NsLdap
{
  GArray *transfers; /* element-type NsLdapTransfer, from the first operation on */
  NsMap *newest;     /* (pid, tid) → row */
};

static void
ldap_start (NsBuilder *builder)
{
  NsLdap *self = builder->ldap = g_new0 (NsLdap, 1);

  self->transfers = g_array_new (FALSE, FALSE, sizeof (NsLdapTransfer));
  self->newest = ns_map_new ();
}

static void
ldap_stop (NsBuilder *builder)
{
  g_array_unref (builder->ldap->transfers);
  ns_map_free (builder->ldap->newest);
  g_clear_pointer (&builder->ldap, g_free);
}

static NsString
take_text (NsBuilder *builder, NsCursor *cursor)
{
  gsize n;
  const guint8 *text = ns_cursor_wstr (cursor, &n);

  return ns_strings_add_utf16 (builder->trace->strings, text, n);
}

static GArray *
split_attributes (NsBuilder *builder, NsString list)
{
  const char *text = ns_trace_text (builder->trace, list);
  g_auto (GStrv) parts = text != NULL ? g_strsplit_set (text, ",; ", -1) : NULL;
  GArray *attributes = g_array_new (FALSE, FALSE, sizeof (NsString));
  guint i;

  for (i = 0; parts != NULL && parts[i] != NULL; i++)
    {
      NsString attribute = ns_strings_add (builder->trace->strings, parts[i]);

      if (parts[i][0] != '\0')
        g_array_append_val (attributes, attribute);
    }
  return attributes;
}

static void
add_search (NsBuilder *builder, const NsRecord *record)
{
  NsLdapRow row = { .open_ns = record->time_ns, .close_ns = NS_TIME_OPEN, .tid = record->tid };
  NsCursor cursor;
  guint32 pid;

  ns_record_cursor (record, &cursor);
  row.scope = ns_cursor_u32 (&cursor);
  row.filter = ns_masked_text (builder->trace, take_text (builder, &cursor));
  row.base = take_text (builder, &cursor);
  row.attributes = split_attributes (builder, take_text (builder, &cursor));
  pid = ns_cursor_u32 (&cursor);
  row.pid = ns_cursor_ok (&cursor) && pid != 0 ? pid : record->pid;
  row.activity_id = record->activity;
  row.stack = ns_stack_match_find (builder, record);
  row.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row.link);

  g_array_append_val (builder->trace->ldap, row);
  ns_map_set (builder->ldap->newest, row.pid, row.tid, builder->trace->ldap->len);
}

static void
ldap_event (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  const char *text;
  NsRow number;
  gsize n;

  switch (record->id)
    {
    case LDAP_SEARCH:
      add_search (builder, record);
      break;
    case LDAP_SERVER_DOWN:
    case LDAP_NETWORK_ERROR:
    case LDAP_API_ERROR:
    case LDAP_ERROR:
      number = ns_map_get (builder->ldap->newest, record->pid, record->tid);
      if (number == 0)
        break;
      ns_record_cursor (record, &cursor);
      text = ns_cursor_astr (&cursor, &n);
      NS_ROW_AT (builder->trace->ldap, NsLdapRow, number)->status =
          ns_strings_add_len (builder->trace->strings, text, n);
      break;
    default:
      break;
    }
}

/* Collects sends and receives once an operation exists that they may belong to. */
static void
afd_event (NsBuilder *builder, const NsRecord *record)
{
  NsLdapTransfer transfer = { .time_ns = record->time_ns, .tid = record->tid };
  gboolean is_exit;
  NsCursor cursor;

  if (builder->trace->ldap->len == 0)
    return;
  ns_record_cursor (record, &cursor);
  is_exit = ns_cursor_u32 (&cursor) != 0;
  switch (record->id)
    {
    case AFD_SEND:
    case AFD_RECEIVE:
    case AFD_RECEIVE_FROM:
    case AFD_RECEIVE_MESSAGE:
      if (!is_exit)
        return;
      break;
    case AFD_SEND_TO:
    case AFD_SEND_MESSAGE:
      if (is_exit)
        return;
      break;
    default:
      return;
    }

  transfer.is_send =
      record->id == AFD_SEND || record->id == AFD_SEND_TO || record->id == AFD_SEND_MESSAGE;
  ns_cursor_u32 (&cursor);
  transfer.process = ns_cursor_ptr (&cursor, record->pointer_size);
  transfer.endpoint = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_u32 (&cursor);
  ns_cursor_ptr (&cursor, record->pointer_size);
  transfer.n_bytes = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor) && transfer.n_bytes > 0)
    g_array_append_val (builder->ldap->transfers, transfer);
}

/* Links the operations, once the rows of sockets are written. */
static void
ldap_gather (NsBuilder *builder)
{
  if (builder->trace->ldap->len > 0)
    ns_ldap_link_rows (builder->trace, builder->ldap->transfers);
}

static const NsProviderOps ldap_ops[] = {
  { NS_GUID_LDAP_CLIENT, .correlate = ldap_event, .has_stack = ns_stack_match_any },
  { NS_GUID_WINSOCK_AFD, NULL, afd_event },
};

static void
clear_ldap (gpointer data)
{
  g_clear_pointer (&((NsLdapRow *) data)->attributes, g_array_unref);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (ldap, NsLdapRow, clear_ldap),
};

const NsPart ns_ldap_part = {
  .name = "ldap",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = ldap_start,
  .write = ldap_gather,
  .stop = ldap_stop,
  .ops = ldap_ops,
  .n_ops = G_N_ELEMENTS (ldap_ops),
};
