/* Work over many items, in parts that two threads share.
 *
 * Whoever is free takes the next part, so that a thread that is held up holds up one part only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-parts.h"

#include "base/ns-meanwhile.h"

/* With fewer parts a second thread is not worth its begin. */
#define MIN_PARTS 3

typedef struct
{
  NsPartsFunc func;
  gpointer user_data;
  guint n_items;
  guint n_parts;
  gint next; /* atomic: the part that nobody has taken */
} Work;

/* Does one part; FALSE when all are taken. */
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
 * @n_items: how many items there are
 *
 * Part number n begins with item n × %NS_PARTS_ITEMS.
 *
 * Returns: how many parts that is
 */
guint
ns_parts_count (guint n_items)
{
  return n_items / NS_PARTS_ITEMS + (n_items % NS_PARTS_ITEMS != 0);
}

/**
 * ns_parts_is_worth_two:
 * @n_items: how many items there are
 *
 * Returns: whether work over so many is done sooner by two threads than by one
 */
gboolean
ns_parts_is_worth_two (guint n_items)
{
  return ns_parts_count (n_items) >= MIN_PARTS && g_get_num_processors () > 1;
}

/**
 * ns_parts_run:
 * @n_items: how many items there are
 * @is_shared: whether two threads may work at a time
 * @func: (scope call): does a part
 * @user_data: for @func
 * @progress: (nullable): told how far it is, and asked whether to go on, once at least; in the
 *   calling thread
 * @progress_data: for @progress
 *
 * Does all parts, each once and in no certain order, with a second thread where that is worth it.
 * It has ended when this returns.
 *
 * Returns: %FALSE when stopped; some parts were not done then
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
  guint done = 0; /* the last part of this thread */

  if (is_shared && ns_parts_is_worth_two (n_items))
    ns_meanwhile_begin (&meanwhile, "parts", help, &work);
  /* Asked before the first part, too: the second thread may leave none to this one. */
  do
    is_stopped =
        progress != NULL && !progress ((double) done / MAX (work.n_parts, 1), progress_data);
  while (!is_stopped && do_next (&work, 0, &done));
  if (is_stopped)
    g_atomic_int_set (&work.next, (gint) work.n_parts);
  ns_meanwhile_end (&meanwhile);
  return !is_stopped;
}
