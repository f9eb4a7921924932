/* Follow the connection, the server, the chain or the process of a row: a filter with a name, one
 * step in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-follow-job.h"
#include "ui/ns-window-filter.h"

#include <glib/gi18n.h>

static const struct
{
  const char *action;
  NsFollow what;
} follows[] = {
  { "follow-connection", NS_FOLLOW_CONNECTION },
  { "follow-server", NS_FOLLOW_SERVER },
  { "follow-chain", NS_FOLLOW_CHAIN },
};

#define PROCESS_ACTION "follow-process"
#define TREE_ACTION "follow-process-tree"

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

/* The number of the chip of what is followed, if a table has it. */
static gboolean
find_followed (NsWindow *self, NsTableId table, guint *index)
{
  NsFilterChips *chips = ns_session_get_chips (self->session, table);

  for (*index = 0; *index < ns_filter_chips_get_n_chips (chips); (*index)++)
    if (g_strcmp0 (ns_filter_chips_get_chip (chips, *index)->name, self->followed) == 0)
      return TRUE;
  return FALSE;
}

static void
apply_chips (NsWindow *self, NsTableId table)
{
  g_autofree char *text = ns_filter_chips_to_filter (ns_session_get_chips (self->session, table));

  ns_session_set_filter (self->session, table, text, NULL, NULL);
}

/* Nothing is followed any more; what has been stays where it is. */
void
ns_window_forget_followed (NsWindow *self)
{
  g_cancellable_cancel (self->spreading);
  g_clear_object (&self->spreading);
  g_clear_pointer (&self->followed, g_free);
}

/* Takes the chip of what is followed away from all tables that have it. */
static void
drop_followed (NsWindow *self)
{
  NsTableId table;
  guint index;

  for (table = 0; self->followed != NULL && table < NS_N_TABLES; table++)
    if (find_followed (self, table, &index))
      {
        ns_filter_chips_remove (ns_session_get_chips (self->session, table), index);
        apply_chips (self, table);
      }
  ns_window_forget_followed (self);
}

/* The conditions of the table in front changed: where its chip of what is followed was taken away,
 * those of all other tables go, too.
 */
void
ns_window_check_followed (NsWindow *self)
{
  guint index;

  if (self->followed != NULL && !find_followed (self, self->table, &index))
    drop_followed (self);
}

/* Whether it still is: nobody has gone back meanwhile. */
static gboolean
is_followed (NsWindow *self)
{
  NsTableId table;
  guint index;

  for (table = 0; self->session != NULL && self->followed != NULL && table < NS_N_TABLES; table++)
    if (find_followed (self, table, &index))
      return TRUE;
  return FALSE;
}

/* A chip of what is followed for one more table; its own conditions can be had back by undo. */
static void
set_followed (NsWindow *self, NsTableId table, const char *filter)
{
  ns_filter_chips_set_named (ns_session_get_chips (self->session, table), filter, self->followed);
  apply_chips (self, table);
  if (table == self->table)
    ns_window_show_chips (self);
}

static void
events_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autofree char *filter = ns_follow_job_find_events_finish (result, NULL);
  guint index;

  /* Stopped, or there are none that can be listed: the filter by process stays. */
  if (filter == NULL || !is_followed (self) || !find_followed (self, NS_TABLE_EVENTS, &index))
    return;
  set_followed (self, NS_TABLE_EVENTS, filter);
  ns_window_amend (self);
}

static void
tables_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autoptr (NsFollowTables) found = ns_follow_job_find_finish (result, NULL);
  NsTableId table;
  guint index;

  if (found == NULL || !is_followed (self))
    return;
  for (table = 0; table < NS_N_TABLES; table++)
    if (found->filters[table] != NULL && !find_followed (self, table, &index))
      set_followed (self, table, found->filters[table]);
  ns_window_amend (self);
  if (!self->follows_process)
    ns_follow_job_find_events_async (ns_session_get_trace (self->session),
                                     found->rows,
                                     self->spreading,
                                     events_found_cb,
                                     g_object_ref (self));
}

/* Shows what is followed in the table in front, and what belongs to it in all others: @operations
 * are those of the master table, @pid the process, if it is one.
 */
static void
follow_everywhere (NsWindow *self,
                   const char *filter,
                   const char *name,
                   const char *operations,
                   guint32 pid)
{
  drop_followed (self);
  ns_window_set_named_filter (self, filter, name);
  if (operations == NULL)
    return;
  self->followed = g_strdup (name);
  self->follows_process = pid != NS_PID_UNKNOWN;
  self->spreading = g_cancellable_new ();
  ns_follow_job_find_async (ns_session_get_trace (self->session),
                            operations,
                            pid,
                            self->spreading,
                            tables_found_cb,
                            g_object_ref (self));
}

/* Calls and packets are followed among their like. Returns whether there is anything to follow. */
static gboolean
follow_rows (NsWindow *self, guint32 activity)
{
  NsTrace *trace = ns_session_get_trace (self->session);
  NsTableId table = ns_session_get_selected_table (self->session);
  const GArray *selected = ns_session_get_selected (self->session);
  guint32 row = selected->len > 0 ? g_array_index (selected, guint32, 0) : G_MAXUINT32;
  g_autofree char *filter = ns_follow_rows_to_filter (trace, table, row);
  g_autofree char *operations = NULL;
  g_autofree char *name = NULL;

  if (filter == NULL)
    return FALSE;
  name = activity < trace->activities->len ? dup_name (trace, NS_FOLLOW_CONNECTION, activity)
                                           : g_strdup (filter);
  if (activity < trace->activities->len)
    operations = ns_follow_to_filter (trace, NS_FOLLOW_CONNECTION, activity);
  ns_window_show_table (self, table);
  follow_everywhere (self, filter, name, operations, NS_PID_UNKNOWN);
  ns_session_select (self->session, table, &row, 1);
  return TRUE;
}

static void
follow (NsWindow *self, NsFollow what)
{
  NsTrace *trace = ns_session_get_trace (self->session);
  guint32 row = ns_session_get_activity (self->session);
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;

  if (what == NS_FOLLOW_CONNECTION && follow_rows (self, row))
    return;
  if (row < trace->activities->len)
    filter = ns_follow_to_filter (trace, what, row);
  if (filter == NULL)
    {
      ns_window_say (self, _ ("This row has nothing to follow."));
      return;
    }
  name = dup_name (trace, what, row);
  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  follow_everywhere (self, filter, name, filter, NS_PID_UNKNOWN);
  ns_session_select (self->session, NS_TABLE_ACTIVITIES, &row, 1);
}

/* The process of the selected row, which may be one of processes itself; %G_MAXUINT32: not known.
 */
static guint32
find_process (NsWindow *self)
{
  NsTrace *trace = ns_session_get_trace (self->session);
  const GArray *selected = ns_session_get_selected (self->session);
  guint32 row = ns_session_get_activity (self->session);
  const NsActivityRow *activity;

  if (ns_session_get_selected_table (self->session) == NS_TABLE_PROCESSES && selected->len > 0)
    return g_array_index (selected, guint32, 0);
  if (row >= trace->activities->len)
    return G_MAXUINT32;
  activity = &g_array_index (trace->activities, NsActivityRow, row);
  if (activity->pid == NS_PID_UNKNOWN)
    return G_MAXUINT32;
  /* 0, unknown, becomes that. */
  return ns_trace_find_process (trace, activity->pid, activity->open_ns) - 1;
}

static void
follow_process_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTrace *trace = ns_session_get_trace (self->session);
  gboolean has_children = g_str_equal (g_action_get_name (G_ACTION (action)), TREE_ACTION);
  guint32 process = find_process (self);
  const NsProcessRow *one;
  g_autofree char *filter = NULL;
  g_autofree char *name = NULL;

  if (process >= trace->processes->len)
    {
      ns_window_say (self, _ ("This row has nothing to follow."));
      return;
    }
  one = &g_array_index (trace->processes, NsProcessRow, process);
  filter = ns_follow_process_to_filter (trace, process, has_children);
  /* Translators: the name of a process, and its number. */
  name = g_strdup_printf (has_children ? _ ("%s (%u) and what it started") : _ ("%s (%u)"),
                          one->name != NS_STRING_NONE ? ns_trace_text (trace, one->name) : "",
                          one->pid);
  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  follow_everywhere (self, filter, name, filter, one->pid);
}

static void
follow_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  guint i;

  for (i = 0; i < G_N_ELEMENTS (follows); i++)
    if (g_str_equal (follows[i].action, name))
      follow (data, follows[i].what);
}

/* Switches what needs a selected row. */
void
ns_window_enable_filter_follow (NsWindow *self, gboolean has_row)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (follows); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), follows[i].action);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), has_row);
    }
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                            PROCESS_ACTION)),
                               has_row);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                   g_action_map_lookup_action (G_ACTION_MAP (self), TREE_ACTION)),
                               has_row);
}

/* Adds the actions to a new window. */
void
ns_window_add_filter_follow (NsWindow *self)
{
  static const GActionEntry of_processes[] = {
    { PROCESS_ACTION, follow_process_cb, NULL, NULL, NULL, { 0 } },
    { TREE_ACTION, follow_process_cb, NULL, NULL, NULL, { 0 } },
  };
  guint i;

  g_action_map_add_action_entries (G_ACTION_MAP (self),
                                   of_processes,
                                   G_N_ELEMENTS (of_processes),
                                   self);

  for (i = 0; i < G_N_ELEMENTS (follows); i++)
    {
      g_autoptr (GSimpleAction) action = g_simple_action_new (follows[i].action, NULL);

      g_signal_connect (action, "activate", G_CALLBACK (follow_cb), self);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
}
