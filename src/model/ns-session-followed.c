/* Follows a connection, a server, a chain or a process through all tables, with a named condition
 * in each of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-followed.h"

#include "model/ns-follow-job.h"
#include "model/ns-session-conditions.h"
#include "model/ns-session-private.h"

#include <glib/gi18n.h>

static char *
dup_host (const NsTrace *trace, const NsActivityRow *row)
{
  char ip[NS_IP_TEXT_SIZE];

  if (row->server != NS_STRING_NONE)
    return g_strdup (ns_trace_text (trace, row->server));
  return g_strdup (ns_ip_to_text (&row->remote->ip, ip));
}

static char *
dup_name (const NsTrace *trace, NsFollow what, guint32 row)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  g_autofree char *host = dup_host (trace, activity);

  switch (what)
    {
    case NS_FOLLOW_CONNECTION:
      if (activity->local->port != 0)
        /* Translators: a host, its port, and the port of this machine. */
        return g_strdup_printf (_ ("Connection to %s:%u from port %u"),
                                host,
                                activity->remote->port,
                                activity->local->port);
      /* Translators: a host. */
      return g_strdup_printf (_ ("Connection to %s"), host);
    case NS_FOLLOW_SERVER:
      /* Translators: a host. */
      return g_strdup_printf (_ ("Server %s"), host);
    case NS_FOLLOW_CHAIN:
    default:
      /* Translators: the number of a row. */
      return g_strdup_printf (_ ("Chain of row %u"), row + 1);
    }
}

/* Returns whether any table still has the followed condition; the user may have gone back. */
static gboolean
is_still_followed (NsSession *self)
{
  NsTableId table;
  guint index;

  for (table = 0; table < NS_N_TABLES; table++)
    if (ns_session_find_followed (self, table, &index))
      return TRUE;
  return FALSE;
}

/* Sets the followed condition in one more table; its previous conditions can be restored with
 * undo. */
static void
set_followed (NsSession *self, NsTableId table, const char *filter)
{
  ns_filter_chips_set_named (ns_session_get_chips (self, table), filter, self->followed);
  ns_session_apply_conditions (self, table, NS_CONDITIONS_PUT, NULL);
}

static void
events_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsSession) self = user_data;
  g_autofree char *filter = ns_follow_job_find_events_finish (result, NULL);
  guint index;

  /* Cancelled, or the events cannot be listed: the filter by process is kept. */
  if (filter != NULL && ns_session_find_followed (self, NS_TABLE_EVENTS, &index))
    set_followed (self, NS_TABLE_EVENTS, filter);
}

static gboolean
take_found (NsSession *self, GAsyncResult *result, NsFollowTables **found)
{
  NsTableId table;
  guint index;

  *found = ns_follow_job_find_finish (result, NULL);
  if (*found == NULL || !is_still_followed (self))
    return FALSE;
  for (table = 0; table < NS_N_TABLES; table++)
    if ((*found)->filters[table] != NULL && !ns_session_find_followed (self, table, &index))
      set_followed (self, table, (*found)->filters[table]);
  return TRUE;
}

static void
tables_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsSession) self = user_data;
  g_autoptr (NsFollowTables) found = NULL;

  if (take_found (self, result, &found))
    ns_follow_job_find_events_async (self->trace,
                                     found->rows,
                                     self->spreading,
                                     events_found_cb,
                                     g_object_ref (self));
}

/* Process the result for a process; its events are filtered by process ID. */
static void
process_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsSession) self = user_data;
  g_autoptr (NsFollowTables) found = NULL;

  take_found (self, result, &found);
}

/* Applies the followed condition to the table in front and the matching ones to all other tables.
 * @operations: filter of the activities; @pid: the process, if one is followed. */
static gboolean
follow_everywhere (NsSession *self,
                   const char *filter,
                   const char *name,
                   const char *operations,
                   guint32 pid,
                   GError **error)
{
  ns_session_drop_followed (self);
  ns_filter_chips_set_named (self->views[self->front].chips, filter, name);
  if (!ns_session_apply_conditions (self, self->front, NS_CONDITIONS_SET, error))
    return FALSE;
  if (operations == NULL)
    return TRUE;
  self->followed = g_strdup (name);
  self->spreading = g_cancellable_new ();
  ns_follow_job_find_async (self->trace,
                            operations,
                            pid,
                            self->spreading,
                            pid != NS_PID_UNKNOWN ? process_found_cb : tables_found_cb,
                            g_object_ref (self));
  return TRUE;
}

static gboolean
set_nothing_to_follow (GError **error)
{
  g_set_error_literal (error,
                       G_IO_ERROR,
                       G_IO_ERROR_NOT_FOUND,
                       _ ("This row has nothing to follow."));
  return FALSE;
}

/* Follows calls or packets within their own table; @filter is their filter. */
static gboolean
follow_like (NsSession *self, guint32 row, const char *filter, GError **error)
{
  NsTableId table = self->selected_table;
  guint32 activity = ns_session_get_activity (self);
  g_autofree char *operations = NULL;
  g_autofree char *name = NULL;
  gboolean is_followed;

  name = activity < self->trace->activities->len
             ? dup_name (self->trace, NS_FOLLOW_CONNECTION, activity)
             : g_strdup (filter);
  if (activity < self->trace->activities->len)
    operations = ns_follow_to_filter (self->trace, NS_FOLLOW_CONNECTION, activity);
  ns_session_show_table (self, table);
  is_followed = follow_everywhere (self, filter, name, operations, NS_PID_UNKNOWN, error);
  ns_session_select (self, table, &row, 1);
  return is_followed;
}

/**
 * ns_session_follow_row:
 * @self: a session
 * @what: what to follow
 * @error: why it cannot be followed
 *
 * Shows only rows that belong to @what of the selected row, in all tables. Brings the table of
 * operations to the front, or keeps that of the selected calls or packets.
 *
 * Returns: whether there is something to follow; otherwise %G_IO_ERROR_NOT_FOUND
 */
gboolean
ns_session_follow_row (NsSession *self, NsFollow what, GError **error)
{
  guint32 selected;
  guint32 row;
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;
  gboolean is_followed;

  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  selected = self->selected->len > 0 ? g_array_index (self->selected, guint32, 0) : G_MAXUINT32;
  if (what == NS_FOLLOW_CONNECTION)
    filter = ns_follow_rows_to_filter (self->trace, self->selected_table, selected);
  if (filter != NULL)
    return follow_like (self, selected, filter, error);
  row = ns_session_get_activity (self);
  if (row < self->trace->activities->len)
    filter = ns_follow_to_filter (self->trace, what, row);
  if (filter == NULL)
    return set_nothing_to_follow (error);
  name = dup_name (self->trace, what, row);
  ns_session_show_table (self, NS_TABLE_ACTIVITIES);
  is_followed = follow_everywhere (self, filter, name, filter, NS_PID_UNKNOWN, error);
  ns_session_select (self, NS_TABLE_ACTIVITIES, &row, 1);
  return is_followed;
}

/* Returns the process of the selected row, or the selected process; %G_MAXUINT32 if not known. */
static guint32
find_process (NsSession *self)
{
  guint32 row = ns_session_get_activity (self);
  const NsActivityRow *activity;

  if (self->selected_table == NS_TABLE_PROCESSES && self->selected->len > 0)
    return g_array_index (self->selected, guint32, 0);
  if (row >= self->trace->activities->len)
    return G_MAXUINT32;
  activity = &g_array_index (self->trace->activities, NsActivityRow, row);
  if (activity->pid == NS_PID_UNKNOWN)
    return G_MAXUINT32;
  /* 0 (unknown) becomes G_MAXUINT32 */
  return ns_trace_find_process (self->trace, activity->pid, activity->open_ns) - 1;
}

/**
 * ns_session_follow_process:
 * @self: a session
 * @has_children: whether to include the processes that it started
 * @error: why it cannot be followed
 *
 * Brings the table of operations to the front, and shows only rows that belong to the process of
 * the selected row, in all tables.
 *
 * Returns: whether there is a process to follow; otherwise %G_IO_ERROR_NOT_FOUND
 */
gboolean
ns_session_follow_process (NsSession *self, gboolean has_children, GError **error)
{
  const NsProcessRow *one;
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;
  guint32 process;

  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  process = find_process (self);
  if (process >= self->trace->processes->len)
    return set_nothing_to_follow (error);
  one = &g_array_index (self->trace->processes, NsProcessRow, process);
  filter = ns_follow_process_to_filter (self->trace, process, has_children);
  /* Translators: the name of a process, and its number. */
  name = g_strdup_printf (has_children ? _ ("%s (%u) and its descendants") : _ ("%s (%u)"),
                          one->name != NS_STRING_NONE ? ns_trace_text (self->trace, one->name) : "",
                          one->pid);
  ns_session_show_table (self, NS_TABLE_ACTIVITIES);
  return follow_everywhere (self, filter, name, filter, one->pid, error);
}
