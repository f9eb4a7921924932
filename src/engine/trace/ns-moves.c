/* Transfers with their times, collected in time order and then sorted by row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-moves.h"

#include "base/ns-pages.h"

#include <string.h>

/* Number of transfers up to which the available memory is not checked. */
#define FEW 4096

/* Transfers of one table. Until settled they are in time order, with the numbers passed by the
 * part; then in row order, and by time for each row. */
typedef struct
{
  GArray *moves;  /* NsMove */
  GArray *rows;   /* (nullable): number → NsRow, for tables whose numbers are not row numbers */
  guint32 *first; /* (nullable): index of each row's first transfer */
  NsRow last_row;
} List;

struct _NsMoves
{
  List lists[NS_N_TABLES];
  guint max;
  guint n_moves;
  gboolean is_full;
};

/**
 * ns_moves_new: (skip)
 * @max: maximum number of transfers
 *
 * Returns: (transfer full): an empty collection
 */
NsMoves *
ns_moves_new (guint max)
{
  NsMoves *self = g_new0 (NsMoves, 1);

  self->max = max;
  return self;
}

static void
list_clear (List *list)
{
  g_clear_pointer (&list->moves, g_array_unref);
  g_clear_pointer (&list->rows, g_array_unref);
  g_clear_pointer (&list->first, g_free);
  list->last_row = 0;
}

static void
clear (NsMoves *self)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->lists); i++)
    list_clear (&self->lists[i]);
  self->n_moves = 0;
}

/**
 * ns_moves_free: (skip)
 * @self: (transfer full) (nullable): moves
 */
void
ns_moves_free (NsMoves *self)
{
  if (self == NULL)
    return;
  clear (self);
  g_free (self);
}

/* Drops all transfers: an incomplete collection would show wrong peaks. */
static void
give_up (NsMoves *self)
{
  clear (self);
  self->is_full = TRUE;
}

/* Returns whether there is memory for one more transfer; checked only when the array grows, to
 * the next power of two. */
static gboolean
has_room (GArray *moves)
{
  guint n_moves = moves->len;

  return n_moves < FEW || (n_moves & (n_moves - 1)) != 0 || ns_pages_make_room (moves, n_moves);
}

/**
 * ns_moves_note: (skip)
 * @self: (nullable): transfers being collected; %NULL: not requested
 * @table: the table of the row
 * @number: the row, or a number that ns_moves_set_row() maps to the row
 * @time_ns: time of the transfer
 * @n_bytes: size in bytes
 * @is_sent: whether they were sent, not received
 */
void
ns_moves_note (NsMoves *self,
               NsTableId table,
               guint32 number,
               gint64 time_ns,
               guint64 n_bytes,
               gboolean is_sent)
{
  List *list;
  NsMove move;

  if (self == NULL || self->is_full || n_bytes == 0)
    return;
  list = &self->lists[table];
  if (list->moves == NULL)
    list->moves = g_array_new (FALSE, FALSE, sizeof (NsMove));
  if (self->n_moves == self->max || !has_room (list->moves))
    {
      give_up (self);
      return;
    }
  move.time_ns = time_ns;
  move.n_bytes = (guint32) MIN (n_bytes, NS_MOVE_MAX_BYTES) | (is_sent ? NS_MOVE_SENT : 0);
  move.row = number;
  g_array_append_val (list->moves, move);
  self->n_moves++;
}

/**
 * ns_moves_set_row: (skip)
 * @self: (nullable): transfers being collected
 * @table: a table whose row numbers are assigned after the transfers
 * @number: the number given to ns_moves_note()
 * @row: its row
 */
void
ns_moves_set_row (NsMoves *self, NsTableId table, guint32 number, NsRow row)
{
  List *list;

  if (self == NULL || self->lists[table].moves == NULL)
    return;
  list = &self->lists[table];
  if (list->rows == NULL)
    list->rows = g_array_new (FALSE, TRUE, sizeof (NsRow));
  if (number >= list->rows->len)
    g_array_set_size (list->rows, number + 1);
  g_array_index (list->rows, NsRow, number) = row;
}

/* Maps numbers to rows; transfers without a row get row 0. */
static void
name_rows (List *list)
{
  guint i;

  for (i = 0; i < list->moves->len; i++)
    {
      NsMove *move = &g_array_index (list->moves, NsMove, i);

      if (list->rows != NULL)
        move->row = move->row < list->rows->len ? g_array_index (list->rows, NsRow, move->row) : 0;
      list->last_row = MAX (list->last_row, move->row);
    }
  g_clear_pointer (&list->rows, g_array_unref);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const NsMove *move_a = a;
  const NsMove *move_b = b;

  return move_a->time_ns < move_b->time_ns ? -1 : move_a->time_ns > move_b->time_ns;
}

/* Sorts a row's transfers by time, if some were reported late. */
static void
restore_times (NsMove *moves, guint n_moves)
{
  guint i;

  for (i = 1; i < n_moves; i++)
    if (moves[i].time_ns < moves[i - 1].time_ns)
      {
        qsort (moves, n_moves, sizeof *moves, compare_times);
        return;
      }
}

/* Sorts the transfers by row with a counting sort. */
static gboolean
list_settle (List *list)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (NsMove));
  g_autofree guint32 *next = NULL;
  guint n_moves = list->moves->len;
  gsize n_firsts;
  gsize row;
  guint i;

  name_rows (list);
  n_firsts = (gsize) list->last_row + 2;
  list->first = g_try_new0 (guint32, n_firsts + 1);
  next = g_try_new (guint32, n_firsts);
  if (list->first == NULL || next == NULL || !ns_pages_make_room (sorted, n_moves))
    return FALSE;
  for (i = 0; i < n_moves; i++)
    list->first[g_array_index (list->moves, NsMove, i).row + 1]++;
  for (row = 1; row <= n_firsts; row++)
    list->first[row] += list->first[row - 1];
  memcpy (next, list->first, sizeof *next * n_firsts);
  g_array_set_size (sorted, n_moves);
  for (i = 0; i < n_moves; i++)
    {
      const NsMove *move = &g_array_index (list->moves, NsMove, i);

      g_array_index (sorted, NsMove, next[move->row]++) = *move;
    }
  for (row = 1; row <= list->last_row; row++)
    restore_times (&g_array_index (sorted, NsMove, list->first[row]),
                   list->first[row + 1] - list->first[row]);
  g_array_unref (list->moves);
  list->moves = g_steal_pointer (&sorted);
  return TRUE;
}

/**
 * ns_moves_settle: (skip)
 * @self: (nullable): transfers, with all rows known
 *
 * Sorts the transfers for ns_moves_find(). Must be called once all transfers are noted; further
 * calls do nothing.
 */
void
ns_moves_settle (NsMoves *self)
{
  guint i;

  for (i = 0; self != NULL && i < G_N_ELEMENTS (self->lists); i++)
    if (self->lists[i].moves != NULL && self->lists[i].first == NULL &&
        !list_settle (&self->lists[i]))
      {
        give_up (self);
        return;
      }
}

/**
 * ns_moves_get_all: (skip)
 * @self: (nullable): settled transfers
 * @table: a table
 * @n_moves: (out): number of transfers
 *
 * Returns: (transfer none) (nullable) (array length=n_moves): the transfers of all rows of @table
 *   in row order; ns_moves_find() returns a part of it
 */
const NsMove *
ns_moves_get_all (const NsMoves *self, NsTableId table, guint *n_moves)
{
  const GArray *moves = self != NULL ? self->lists[table].moves : NULL;

  *n_moves = moves != NULL ? moves->len : 0;
  return *n_moves > 0 ? &g_array_index (moves, NsMove, 0) : NULL;
}

/* Returns the first transfer in [@from, @to) that is not before @time_ns. */
static guint
find_from (const List *list, guint from, guint to, gint64 time_ns)
{
  while (from < to)
    {
      guint middle = from + (to - from) / 2;

      if (g_array_index (list->moves, NsMove, middle).time_ns < time_ns)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/**
 * ns_moves_find: (skip)
 * @self: (nullable): settled transfers
 * @table: a table
 * @row: a row of it, or 0
 * @begin_ns: first time
 * @end_ns: last time
 * @n_moves: (out): number of transfers
 *
 * Returns: (transfer none) (nullable) (array length=n_moves): the transfers of the row from
 *   @begin_ns to @end_ns, in time order
 */
const NsMove *
ns_moves_find (const NsMoves *self,
               NsTableId table,
               NsRow row,
               gint64 begin_ns,
               gint64 end_ns,
               guint *n_moves)
{
  const List *list = self != NULL ? &self->lists[table] : NULL;
  guint first;
  guint behind;

  *n_moves = 0;
  if (list == NULL || list->first == NULL || row == 0 || row > list->last_row || end_ns < begin_ns)
    return NULL;
  first = find_from (list, list->first[row], list->first[row + 1], begin_ns);
  behind = end_ns == G_MAXINT64 ? list->first[row + 1]
                                : find_from (list, first, list->first[row + 1], end_ns + 1);
  *n_moves = behind - first;
  return *n_moves > 0 ? &g_array_index (list->moves, NsMove, first) : NULL;
}
