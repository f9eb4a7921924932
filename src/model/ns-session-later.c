/* Session of a reloaded trace: reuses the row lists of the previous session, so that the widgets
 * showing them need not be created again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-later.h"
#include "model/ns-session-private.h"

/* Takes over the list of a table and cancels its running query. */
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

      /* Findings are computed in a thread and shown later. */
      ns_row_list_set_rows (list, none);
    }
  else if (had_rows)
    ns_session_get_rows (self, table);
}

/**
 * ns_session_new_reloaded:
 * @trace: (transfer full): a later load of the trace of @before
 * @file: (nullable): its file
 * @before: the previous session; loses its rows, so everything that shows them must switch to the
 *   new session
 *
 * The lists from ns_session_get_rows() are those of @before and emit the changes. Filters, orders,
 * grouping and selection are not taken over.
 *
 * Returns: (transfer full): a session that shows the whole trace
 */
NsSession *
ns_session_new_reloaded (NsTrace *trace, GFile *file, NsSession *before)
{
  NsSession *self;
  guint table;

  g_return_val_if_fail (NS_IS_SESSION (before), NULL);

  self = ns_session_new (trace, file);
  for (table = 0; table < NS_N_TABLES; table++)
    take_list (self, before, (NsTableId) table);
  return self;
}
