/* A session of a trace that was read again, with more in it: it goes on with the lists of rows of
 * the session before, so that who shows them need not be made anew.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-later.h"
#include "model/ns-session-private.h"

/* Takes the list of a table over. What the session before computed is not waited for. */
static void
take_list (NsSession *self, NsSession *before, NsTableId table)
{
  NsSessionView *from = &before->views[table];
  NsSessionView *to = &self->views[table];
  NsRowList *list = from->rows;
  gboolean had_rows = from->has_rows;

  g_cancellable_cancel (from->job);
  g_clear_object (&from->job);
  from->rows = to->rows;
  from->has_rows = FALSE;
  to->rows = list;
  if (table == NS_TABLE_FINDINGS)
    {
      g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));

      /* They are looked for in a thread, and shown then. */
      ns_row_list_set_rows (list, none);
    }
  else if (had_rows)
    ns_session_get_rows (self, table);
}

/**
 * ns_session_new_later:
 * @trace: (transfer full): a later reading of the trace of @before
 * @file: (nullable): where it came from
 * @before: the session before; has no rows afterwards, and whoever showed them must turn to the
 *   new one
 *
 * The lists that ns_session_get_rows() returns are those of @before, and tell of what has changed
 * in them. Filters, orders, groups and what was chosen stay behind.
 *
 * Returns: (transfer full): a session that shows all of it
 */
NsSession *
ns_session_new_later (NsTrace *trace, GFile *file, NsSession *before)
{
  NsSession *self;
  guint table;

  g_return_val_if_fail (NS_IS_SESSION (before), NULL);

  self = ns_session_new (trace, file);
  for (table = 0; table < NS_N_TABLES; table++)
    take_list (self, before, (NsTableId) table);
  return self;
}

/* A file that was read in part tells how long all of it is, if its recording was ended. */
static gint64
find_duration (const NsTrace *trace)
{
  const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  guint64 filetimes;

  if (!trace->is_incomplete || header == NULL || header->end_filetime <= header->start_filetime)
    return 0;
  filetimes = header->end_filetime - header->start_filetime;
  return filetimes < G_MAXINT64 / 100 ? (gint64) filetimes * 100 : 0;
}

/* Where reading has come to, if it is known how much there is to read. */
void
ns_session_find_frontier (NsSession *self)
{
  gint64 end_ns = find_duration (self->trace);

  if (end_ns <= self->whole.end_ns)
    return;
  self->frontier_ns = self->whole.end_ns;
  self->whole.end_ns = end_ns;
}

/**
 * ns_session_get_frontier:
 * @self: a session
 *
 * Returns: until when the trace was read, 0 if all of it was
 */
gint64
ns_session_get_frontier (NsSession *self)
{
  return self->frontier_ns;
}

/**
 * ns_session_get_first_view:
 * @self: a session
 *
 * Returns: what is in view at first: all that was read, and so much of what was not that a word
 * about it fits
 */
NsTimeSpan
ns_session_get_first_view (NsSession *self)
{
  NsTimeSpan view = self->whole;

  if (self->frontier_ns > 0)
    view.end_ns = MIN (view.end_ns, self->frontier_ns + self->frontier_ns / 4);
  return view;
}

/**
 * ns_session_get_set:
 * @self: a session
 * @table: a table
 *
 * What depends on which rows are shown, and not on their order, need not be made anew while this
 * stays the same.
 *
 * Returns: another number after each filter
 */
guint
ns_session_get_set (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), 0);
  g_return_val_if_fail (table < NS_N_TABLES, 0);

  return self->views[table].set;
}
