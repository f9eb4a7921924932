/* Connects of the SMB client and their failures, sessions and shares, and events that name a
 * server.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"
#include "engine/stacks/ns-stack-match.h"

#include "wire/ns-sockaddr.h"

#include <string.h>

/* Maximum time from a failed connect to the event with its reason. */
#define REASON_NS NS_PER_SECOND

static guint32
add_vc (NsBuilder *builder, guint64 endpoint)
{
  NsSmb *self = builder->smb;
  NsSmbVc vc = { .open_ns = NS_TIME_NONE,
                 .done_ns = NS_TIME_OPEN,
                 .until_ns = NS_TIME_OPEN,
                 .tid = NS_PID_UNKNOWN,
                 .confidence = -1,
                 .transport = NS_SMB_N_TRANSPORTS };

  g_array_append_val (self->vcs, vc);
  ns_map_set (self->vc_of, endpoint, 0, self->vcs->len);
  return self->vcs->len;
}

/* Returns the connection of a VcEndpoint; one that is first mentioned while in use is from
 * before the trace. */
guint32
ns_smb_get_vc (NsBuilder *builder, guint64 endpoint)
{
  guint32 vc = endpoint != 0 ? ns_map_get (builder->smb->vc_of, endpoint, 0) : 0;

  return vc != 0 || endpoint == 0 ? vc : add_vc (builder, endpoint);
}

void
ns_smb_set_transport (NsSmbRow *row, NsSmbVc *vc, guint32 type)
{
  if (type < NS_SMB_N_TRANSPORTS)
    row->transport = vc->transport = (guint8) type;
}

void
ns_smb_event_begin_connect (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsCursor cursor;
  NsEndpoint remote = { 0 };
  guint64 endpoint;
  guint32 before;
  guint32 type;
  guint32 number;
  NsSmbRow *row;
  NsSmbVc *vc;

  ns_record_cursor (record, &cursor);
  ns_sockaddr_take_counted (&cursor, &remote);
  endpoint = ns_smb_take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_smb_take_pointer (&cursor, record); /* kernel socket */
  type = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    type = NS_SMB_N_TRANSPORTS;

  number = add_vc (builder, endpoint);
  before = ns_map_swap (self->vc_of_tid, record->tid, 0, number);
  if (before != 0)
    ns_smb_vc (builder, before)->until_ns = record->time_ns;
  row = ns_smb_add_row (builder, record, NS_SMB_CONNECT);
  row->remote = remote;
  row->connection = endpoint;
  row->layer.stack = ns_stack_match_find (builder, record);
  vc = ns_smb_vc (builder, number);
  vc->remote = remote;
  vc->open_ns = record->time_ns;
  vc->tid = record->tid;
  vc->row = ns_smb_last_row (builder);
  ns_smb_set_transport (row, vc, type);
  ns_smb_extra (builder, ns_smb_last_row (builder))->vc = number;
}

void
ns_smb_event_end_connect (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 endpoint;
  guint32 number;
  gint64 status;
  guint32 type;
  NsSmbRow *row;
  NsSmbVc *vc;

  ns_record_cursor (record, &cursor);
  endpoint = ns_smb_take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_smb_take_pointer (&cursor, record);
  status = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    status = NS_UNKNOWN;
  type = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    type = NS_SMB_N_TRANSPORTS;

  number = ns_map_get (builder->smb->vc_of, endpoint, 0);
  if (number == 0 || ns_smb_vc (builder, number)->row == 0 ||
      ns_smb_vc (builder, number)->done_ns != NS_TIME_OPEN)
    {
      number = add_vc (builder, endpoint);
      row = ns_smb_add_row (builder, record, NS_SMB_CONNECT);
      ns_smb_set_before_trace (row);
      row->connection = endpoint;
      ns_smb_vc (builder, number)->row = ns_smb_last_row (builder);
      ns_smb_extra (builder, ns_smb_last_row (builder))->vc = number;
    }
  vc = ns_smb_vc (builder, number);
  row = ns_smb_row (builder, vc->row);
  vc->done_ns = record->time_ns;
  row->layer.close_ns = record->time_ns;
  row->layer.status = status;
  ns_smb_set_transport (row, vc, type);
}

/* Splits a name: `\srv1\data` is a share, `srv1` a server. */
static void
split_name (NsBuilder *builder, NsSmbName *name)
{
  NsStrings *strings = builder->trace->strings;
  g_autofree char *text = NULL;
  char *share;

  if (name->server == NS_STRING_NONE)
    return;
  text = g_strdup (ns_strings_get (strings, name->server));
  share = text + strspn (text, "\\");
  name->server = NS_STRING_NONE;
  if (*share == '\0')
    return;
  {
    char *server = share;
    char *rest;

    share = strchr (server, '\\');
    if (share != NULL)
      *share++ = '\0';
    rest = share != NULL ? strchr (share, '\\') : NULL;
    if (rest != NULL)
      *rest = '\0';
    name->server = ns_strings_add (strings, server);
    if (share != NULL && *share != '\0')
      name->share = ns_strings_add (strings, share);
  }
}

void
ns_smb_event_take_session (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_tree = record->id == SMB_SHARE_LOST || record->id == SMB_SHARE_THERE;
  NsSmbName name = { .time_ns = record->time_ns };
  NsCursor cursor;
  gint64 status;
  NsSmbRow *row;
  NsRow number;

  ns_record_cursor (record, &cursor);
  status = ns_cursor_u32 (&cursor);
  name.session = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  name.tree = ns_cursor_u32 (&cursor);
  name.server = ns_smb_take_text (builder, &cursor);
  ns_sockaddr_take_counted (&cursor, &name.remote);
  split_name (builder, &name);

  row = ns_smb_add_row (builder, record, is_tree ? NS_SMB_TREE : NS_SMB_SESSION);
  number = ns_smb_last_row (builder);
  row->layer.close_ns = record->time_ns;
  row->layer.status = status;
  row->session = name.session;
  row->tree = is_tree ? name.tree : 0;
  row->server = name.server;
  row->share = name.share;
  row->remote = name.remote;
  if (record->id == SMB_SESSION_LOST || record->id == SMB_SHARE_LOST)
    {
      row->reason = "lost";
      ns_smb_extra (builder, number)->is_lost = TRUE;
    }
  if (record->id == SMB_SHARE_THERE && record->version >= 4)
    {
      guint32 type = ns_cursor_u32 (&cursor);

      if (ns_cursor_ok (&cursor) && type < NS_SMB_N_TRANSPORTS)
        row->transport = (guint8) type;
    }
  if (record->version >= 3)
    {
      guint32 is_signed = ns_cursor_u32 (&cursor);
      guint32 is_encrypted;

      row->is_signed = ns_cursor_ok (&cursor) ? is_signed != 0 : -1;
      is_encrypted = ns_cursor_u32 (&cursor);
      row->is_encrypted = ns_cursor_ok (&cursor) ? is_encrypted != 0 : -1;
    }
  if (!is_tree)
    name.share = NS_STRING_NONE;
  g_array_append_val (builder->smb->names, name);
}

/* Returns the reason as text, else as number. */
static const char *
report_reason (NsBuilder *builder, guint32 reason)
{
  const char *text = ns_smb_reason_to_text (reason);
  g_autofree char *number = NULL;

  if (text != NULL || reason == 0)
    return text;
  number = g_strdup_printf ("%u", reason);
  return ns_trace_text (builder->trace, ns_strings_add (builder->trace->strings, number));
}

/* Handles events 31001 and 31010: a refused session or share. The user is not stored. */
void
ns_smb_event_take_refusal (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_tree = record->id == SMB_TREE_REFUSED;
  NsSmbName name = { .time_ns = record->time_ns };
  NsCursor cursor;
  guint32 reason;
  gint64 status;
  NsSmbRow *row;

  ns_record_cursor (record, &cursor);
  reason = ns_cursor_u32 (&cursor);
  status = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  if (!is_tree)
    ns_cursor_skip (&cursor, 4 + 8); /* SecurityStatus, LogonId */
  name.server = ns_smb_take_text (builder, &cursor);
  split_name (builder, &name);
  row = ns_smb_add_row (builder, record, is_tree ? NS_SMB_TREE : NS_SMB_SESSION);
  row->layer.close_ns = record->time_ns;
  row->layer.status = status;
  row->server = name.server;
  row->share = name.share;
  row->reason = report_reason (builder, reason);
}

/* Returns the most recently failed connect to an address, within the time limit. */
static NsSmbVc *
find_failure (NsBuilder *builder, const NsEndpoint *remote, gint64 time_ns)
{
  guint n_left = NS_SMB_MAX_OLDER;
  guint i;

  for (i = builder->smb->vcs->len; i > 0 && n_left > 0; i--, n_left--)
    {
      NsSmbVc *vc = ns_smb_vc (builder, i);
      const NsSmbRow *row = vc->row != 0 ? ns_smb_row (builder, vc->row) : NULL;

      if (row == NULL || row->reason != NULL || !ns_endpoint_equal (&vc->remote, remote))
        continue;
      if (vc->done_ns == NS_TIME_OPEN ||
          (row->layer.status > 0 && time_ns - vc->done_ns <= REASON_NS))
        return vc;
    }
  return NULL;
}

static void
report_failure (NsBuilder *builder,
                const NsRecord *record,
                const NsSmbName *name,
                guint32 reason,
                gint64 status)
{
  NsSmbVc *vc = find_failure (builder, &name->remote, record->time_ns);
  NsSmbRow *row;

  if (vc == NULL)
    {
      guint32 number = add_vc (builder, 0);

      row = ns_smb_add_row (builder, record, NS_SMB_CONNECT);
      row->remote = name->remote;
      row->layer.close_ns = record->time_ns;
      row->layer.status = status;
      ns_smb_extra (builder, ns_smb_last_row (builder))->vc = number;
      vc = ns_smb_vc (builder, number);
      vc->remote = name->remote;
      vc->row = ns_smb_last_row (builder);
    }
  else
    row = ns_smb_row (builder, vc->row);
  row->server = name->server;
  row->reason = report_reason (builder, reason);
  vc->local = name->local;
  vc->named_ns = record->time_ns;
}

static void
take_both_ends (NsCursor *cursor, NsSmbName *name)
{
  guint32 n_bytes = ns_cursor_u32 (cursor);

  ns_sockaddr_take (cursor, n_bytes, &name->remote);
  ns_sockaddr_take (cursor, n_bytes, &name->local);
}

/* Handles events with the name of an address's server. */
void
ns_smb_event_take_name (NsBuilder *builder, const NsRecord *record)
{
  NsSmbName name = { .time_ns = record->time_ns };
  guint32 reason = 0;
  gint64 status = NS_UNKNOWN;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  switch (record->id)
    {
    case SMB_SELECTED_INTERFACE:
      name.server = ns_smb_take_text (builder, &cursor);
      ns_sockaddr_take_counted (&cursor, &name.local);
      ns_sockaddr_take_counted (&cursor, &name.remote);
      break;
    case SMB_CONNECTION_CHOSEN:
    case SMB_CONNECTION_THERE:
    case SMB_CONNECTION_THERE_TOO:
      if (record->id == SMB_CONNECTION_CHOSEN ||
          record->version >= (record->id == SMB_CONNECTION_THERE ? 2 : 3))
        name.server = ns_smb_take_text (builder, &cursor);
      else
        name.server = ns_smb_take_ansi (builder, &cursor);
      ns_cursor_u32 (&cursor); /* ConnectionType */
      ns_sockaddr_take_counted (&cursor, &name.remote);
      ns_sockaddr_take_counted (&cursor, &name.local);
      break;
    default:
      reason = ns_cursor_u32 (&cursor);
      status = ns_cursor_u32 (&cursor);
      if (record->id == SMB_DISCONNECTED && record->version >= 2)
        ns_smb_take_text (builder, &cursor); /* InstanceName */
      name.server = ns_smb_take_text (builder, &cursor);
      if (record->id == SMB_CONNECT_FAILED_TOO ||
          (record->id == SMB_CONNECT_FAILED && record->version >= 2))
        take_both_ends (&cursor, &name);
      else
        ns_sockaddr_take_counted (&cursor, &name.remote);
      break;
    }
  split_name (builder, &name);
  name.share = NS_STRING_NONE;
  if (ns_endpoint_is_empty (&name.remote))
    return;
  if (record->id == SMB_CONNECT_FAILED)
    report_failure (builder, record, &name, reason, status);
  if (name.server != NS_STRING_NONE)
    g_array_append_val (builder->smb->names, name);
}
