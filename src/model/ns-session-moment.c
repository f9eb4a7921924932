/* Playback position of a session: what was not known by then is not shown.
 *
 * Rows that begin later are filtered out (#NsPlayback). Rows that have begun but not ended show
 * only what was known when they began.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"

#include "findings/ns-codes.h"
#include "model/ns-session-private.h"

#include <string.h>

#define STATUS_CONNECTION_RESET 0xc000020d

/**
 * ns_session_set_moment:
 * @self: a session
 * @moment_ns: time up to which the trace is shown; %G_MAXINT64 for all of it
 */
void
ns_session_set_moment (NsSession *self, gint64 moment_ns)
{
  gint64 before = ns_session_get_moment (self);

  self->has_moment = moment_ns != G_MAXINT64;
  self->moment_ns = moment_ns;
  if (moment_ns != before)
    g_signal_emit_by_name (self, "moment-changed");
}

/**
 * ns_session_get_moment:
 * @self: a session
 *
 * Returns: the time up to which the trace is shown, or %G_MAXINT64
 */
gint64
ns_session_get_moment (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), G_MAXINT64);

  return self->has_moment ? self->moment_ns : G_MAXINT64;
}

/* Returns whether a connection failed. Many connections end with a reset; such a connection failed
 * only if an operation lost its response. */
static gboolean
has_connection_failed (const NsTrace *trace, const NsTcpRow *tcp)
{
  const NsActivityRow *activity = NULL;

  if (!ns_codes_is_error (NS_CODE_NTSTATUS, tcp->status))
    return FALSE;
  if (tcp->status != STATUS_CONNECTION_RESET || tcp->state == NS_TCP_CONNECT_FAIL)
    return TRUE;
  if (tcp->activity != 0)
    activity = NS_ROW_AT (trace->activities, NsActivityRow, tcp->activity);
  return activity != NULL && activity->failed && activity->error != 0;
}

/* Tables whose rows may be operations themselves, with the layer of those operations. */
static const struct
{
  NsTableId table;
  guint32 protocol;
} layers[] = {
  { NS_TABLE_WEBIO, NS_LAYER_WINHTTP },   { NS_TABLE_WININET, NS_LAYER_WININET },
  { NS_TABLE_WINSOCK, NS_LAYER_WINSOCK }, { NS_TABLE_CHROMIUM, NS_LAYER_CHROMIUM },
  { NS_TABLE_LDAP, NS_LAYER_LDAP },       { NS_TABLE_URLMON, NS_LAYER_URLMON },
  { NS_TABLE_DOTNET, NS_LAYER_DOTNET },
};

/* Returns the operation that a layer row represents. An operation that only used a socket is not
 * the operation of the socket. */
static const NsActivityRow *
find_own_operation (const NsTrace *trace, NsTableId table, guint32 row)
{
  const NsActivityRow *activity = NULL;
  NsFieldValue value;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (layers) && layers[i].table != table; i++)
    ;
  if (i == G_N_ELEMENTS (layers) || row >= ns_table_get_n_rows (trace, table))
    return NULL;
  ns_field_get (trace, ns_table_find_field (table, "activity"), row, &value);
  if (!value.is_null && value.v.u > 0 && value.v.u <= trace->activities->len)
    activity = NS_ROW_AT (trace->activities, NsActivityRow, value.v.u);
  ns_field_value_clear (&value);
  return activity != NULL && activity->protocol == layers[i].protocol ? activity : NULL;
}

/**
 * ns_session_has_failed:
 * @self: a session
 * @table: a table
 * @row: a row of it, 0-based
 *
 * An operation fails by its own status, a row of a layer with its operation, a name resolution
 * unless the name merely has no records of the requested type, a connection if an operation lost
 * its response. Rows of other tables never fail.
 *
 * Returns: whether the failure of the row is known at the playback position
 */
gboolean
ns_session_has_failed (NsSession *self, NsTableId table, guint32 row)
{
  const NsTrace *trace = ns_session_get_trace (self);
  const NsActivityRow *operation = find_own_operation (trace, table, row);
  gboolean has_failed = operation != NULL && operation->failed;

  if (table == NS_TABLE_ACTIVITIES && row < trace->activities->len)
    has_failed = g_array_index (trace->activities, NsActivityRow, row).failed;
  else if (table == NS_TABLE_DNS && row < trace->dns->len)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, row);

      has_failed = dns->has_status && ns_codes_is_error (NS_CODE_DNS, dns->status);
    }
  else if (table == NS_TABLE_TCP && row < trace->tcp->len)
    has_failed = has_connection_failed (trace, &g_array_index (trace->tcp, NsTcpRow, row));
  return has_failed && ns_session_has_ended (self, table, row);
}

/**
 * ns_session_table_has_failures:
 * @table: a table
 *
 * Returns: whether ns_session_has_failed() supports its rows
 */
gboolean
ns_session_table_has_failures (NsTableId table)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    if (layers[i].table == table)
      return TRUE;
  return table == NS_TABLE_ACTIVITIES || table == NS_TABLE_DNS || table == NS_TABLE_TCP;
}

/**
 * ns_session_has_ended:
 * @self: a session
 * @table: a table
 * @row: a row of it, 0-based
 *
 * Returns: whether the row has ended by the playback position; a row without a duration ends when
 *   it begins
 */
gboolean
ns_session_has_ended (NsSession *self, NsTableId table, guint32 row)
{
  static const char *const ends[] = { "close_ns", "end_ns", "stop_ns", "unload_ns", "last_ns" };
  NsFieldValue value = { .is_null = TRUE };
  const NsField *field = NULL;
  gboolean has_ended;
  guint i;

  if (ns_session_get_moment (self) == G_MAXINT64)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (ends) && field == NULL; i++)
    {
      field = ns_table_find_field (table, ends[i]);
      if (field != NULL && strcmp (field->id, ends[i]) != 0)
        field = NULL;
    }
  if (field == NULL)
    return TRUE;
  ns_field_get (self->trace, field, row, &value);
  has_ended = !value.is_null && value.v.i <= self->moment_ns;
  ns_field_value_clear (&value);
  return has_ended;
}

/* Returns whether a field is known only at the end of a row, as durations and byte counts are. */
static gboolean
is_of_end (const NsField *field)
{
  static const char *const ids[] = {
    "status",      "http_status",  "error",        "error_text",  "failed",
    "cancelled",   "redirected",   "from_cache",   "still_open",  "phases",
    "why",         "status_text",  "addresses",    "aliases",     "ret",
    "state",       "last_message", "abort_reason", "close_tid",   "tid_close",
    "done_tid",    "rtt_us",       "exit_code",    "drop_reason", "confidence",
    "process_end", "pending",      "life",         NULL
  };

  /* The size of an image is known when it is loaded. */
  if (strcmp (field->id, "size") == 0)
    return FALSE;
  return field->type == NS_TYPE_DURATION || field->type == NS_TYPE_BYTES ||
         field->type == NS_TYPE_COUNT || g_strv_contains (ids, field->id);
}

/**
 * ns_session_is_known:
 * @self: a session
 * @table: a table
 * @field: a field of it
 * @row: a row of it, 0-based
 *
 * Returns: whether the field is known at the playback position
 */
gboolean
ns_session_is_known (NsSession *self, NsTableId table, const NsField *field, guint32 row)
{
  NsFieldValue value = { .is_null = TRUE };
  gboolean is_later;

  if (ns_session_get_moment (self) == G_MAXINT64)
    return TRUE;
  if (field->type == NS_TYPE_TIME)
    {
      ns_field_get (self->trace, field, row, &value);
      is_later = !value.is_null && value.v.i > self->moment_ns;
      ns_field_value_clear (&value);
      return !is_later;
    }
  return !is_of_end (field) || ns_session_has_ended (self, table, row);
}
