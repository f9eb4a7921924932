/* Counts the rows that each filter condition of the table in front leaves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-conditions.h"
#include "model/ns-session-private.h"

/* A running count, with a reference to its session. */
typedef struct
{
  NsSession *session;
  NsTableId table;
  GCancellable *cancellable;
} Counting;

static void
counted (NsSession *self, NsTableId table)
{
  if (self->front == table)
    g_signal_emit_by_name (self, "conditions-counted");
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Counting *counting = user_data;
  NsSession *self = counting->session;

  if (self->counting == counting->cancellable &&
      ns_filter_chips_count_finish (self->views[counting->table].chips, result, NULL))
    counted (self, counting->table);
  g_object_unref (counting->cancellable);
  g_object_unref (self);
  g_free (counting);
}

static gboolean
are_counted (const NsFilterChips *chips)
{
  guint i;

  for (i = 0; i < ns_filter_chips_get_n_chips (chips); i++)
    if (!ns_filter_chips_get_chip (chips, i)->is_counted)
      return FALSE;
  return TRUE;
}

/**
 * ns_session_stop_counting:
 * @self: a session
 *
 * Cancels the count.
 */
void
ns_session_stop_counting (NsSession *self)
{
  g_return_if_fail (NS_IS_SESSION (self));

  self->is_count_due = FALSE;
  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
}

/**
 * ns_session_count_conditions:
 * @self: a session
 *
 * Counts the rows that each condition of the table in front leaves, in a thread, unless they are
 * known. While a query is running, the count is deferred to ns_session_count_due(), because the
 * query often provides one of the counts.
 */
void
ns_session_count_conditions (NsSession *self)
{
  NsSessionView *view;
  Counting *counting;

  g_return_if_fail (NS_IS_SESSION (self));

  view = &self->views[self->front];
  ns_session_stop_counting (self);
  self->is_count_due = view->job != NULL;
  if (self->is_count_due || are_counted (view->chips))
    return;
  self->counting = g_cancellable_new ();
  counting = g_new0 (Counting, 1);
  counting->session = g_object_ref (self);
  counting->table = self->front;
  counting->cancellable = g_object_ref (self->counting);
  ns_filter_chips_count_async (view->chips, self->trace, self->counting, counted_cb, counting);
}

/**
 * ns_session_count_due:
 * @self: a session
 *
 * Starts a deferred count once the rows of the table in front are known.
 */
void
ns_session_count_due (NsSession *self)
{
  NsSessionView *view;

  g_return_if_fail (NS_IS_SESSION (self));

  view = &self->views[self->front];
  if (!self->is_count_due || view->job != NULL)
    return;
  ns_filter_chips_take_count (view->chips, ns_session_count_rows (self, self->front));
  counted (self, self->front);
  ns_session_count_conditions (self);
}
