/* Splits work over many items into parts that two threads share.
 *
 * Each thread takes the next part when it is free, so a thread that is delayed delays only one
 * part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-parts.h"

#include "base/ns-meanwhile.h"

/* Minimum number of parts for which starting a second thread is worthwhile. */
#define MIN_PARTS 3

typedef struct
{
  NsPartsFunc func;
  gpointer user_data;
  guint n_items;
  guint n_parts;
  gint next; /* atomic: index of the next part to take */
} Work;

/* Processes the next part; returns FALSE if there is none. */
static gboolean
do_next (Work *work, guint worker, guint *part)
{
  guint begin;

  *part = (guint) g_atomic_int_add (&work->next, 1);
  if (*part >= work->n_parts)
    return FALSE;
  begin = *part * NS_PARTS_ITEMS;
  work->func (begin, MIN (work->n_items - begin, NS_PARTS_ITEMS) + begin, worker, work->user_data);
  return TRUE;
}

static gpointer
help (gpointer data)
{
  guint part;

  while (do_next (data, 1, &part))
    ;
  return NULL;
}

/**
 * ns_parts_count:
 * @n_items: number of items
 *
 * Part n begins with item n × %NS_PARTS_ITEMS.
 *
 * Returns: the number of parts
 */
guint
ns_parts_count (guint n_items)
{
  return n_items / NS_PARTS_ITEMS + (n_items % NS_PARTS_ITEMS != 0);
}

/**
 * ns_parts_is_worth_two:
 * @n_items: number of items
 *
 * Returns: whether two threads are faster than one
 */
gboolean
ns_parts_is_worth_two (guint n_items)
{
  return ns_parts_count (n_items) >= MIN_PARTS && g_get_num_processors () > 1;
}

/**
 * ns_parts_run:
 * @n_items: number of items
 * @is_shared: whether a second thread may be used
 * @func: (scope call): processes a part
 * @user_data: for @func
 * @progress: (nullable): reports the progress and returns whether to continue; called at least
 *   once, in the calling thread
 * @progress_data: for @progress
 *
 * Processes all parts, each once and in no particular order, with a second thread if worthwhile.
 * Returns when all are done.
 *
 * Returns: %FALSE if cancelled; some parts are then not processed
 */
gboolean
ns_parts_run (guint n_items,
              gboolean is_shared,
              NsPartsFunc func,
              gpointer user_data,
              NsProgressFunc progress,
              gpointer progress_data)
{
  Work work = { func, user_data, n_items, ns_parts_count (n_items), 0 };
  NsMeanwhile meanwhile = { 0 };
  gboolean is_stopped = FALSE;
  guint done = 0; /* last part processed by this thread */

  if (is_shared && ns_parts_is_worth_two (n_items))
    ns_meanwhile_begin (&meanwhile, "parts", help, &work);
  /* Checked before the first part, too: the second thread may take all of them. */
  do
    is_stopped =
        progress != NULL && !progress ((double) done / MAX (work.n_parts, 1), progress_data);
  while (!is_stopped && do_next (&work, 0, &done));
  if (is_stopped)
    g_atomic_int_set (&work.next, (gint) work.n_parts);
  ns_meanwhile_end (&meanwhile);
  return !is_stopped;
}
