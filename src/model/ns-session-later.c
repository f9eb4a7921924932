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
