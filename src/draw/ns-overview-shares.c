/* Adds the transfers of connections to the overview strip, weighted by the rows that used them.
 *
 * A connection may serve a thousand requests with a thousand transfers; a loop over all pairs would
 * take a million steps. Instead, transfers are grouped in blocks. The sum of a range uses the
 * running totals of its blocks. For whole blocks, a row adds its factor at the first block and
 * subtracts it after the last one; a single pass applies the factors when all rows are known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-shares.h"

/* Transfers in a block; a range of up to two blocks is processed one transfer at a time. */
#define BLOCK 32

/* Running total at the start of a block, and the changes that apply from it on. */
typedef struct
{
  guint64 before; /* bytes of all previous blocks */
  double factor;  /* change of the factor of each byte */
  gint32 n_rows;  /* change of the number of rows */
} Block;

/* The transfers of one table. */
typedef struct
{
  const NsMove *moves;
  guint n_moves;
  Block *blocks[2]; /* (nullable): received and sent; one more than there are blocks */
} Shares;

struct _NsOverviewShares
{
  const NsMoves *moves;
  gint64 moment_ns;
  Shares tables[NS_N_TABLES];
};

/* Indices from @from to before @to. */
typedef struct
{
  guint from;
  guint to;
} Range;

static guint
count_bytes (const NsMove *move, guint32 direction)
{
  return (move->n_bytes & NS_MOVE_SENT) == direction ? move->n_bytes & NS_MOVE_MAX_BYTES : 0;
}

/**
 * ns_overview_shares_new: (skip)
 * @moves: (nullable): the transfers of a trace
 * @moment_ns: playback time: later transfers are not counted
 *
 * Returns: (transfer full): an object without rows; ns_overview_shares_finish() frees it
 */
NsOverviewShares *
ns_overview_shares_new (const NsMoves *moves, gint64 moment_ns)
{
  NsOverviewShares *self = g_new0 (NsOverviewShares, 1);
  guint table;

  self->moves = moves;
  self->moment_ns = moment_ns;
  for (table = 0; table < NS_N_TABLES; table++)
    self->tables[table].moves =
        ns_moves_get_all (moves, (NsTableId) table, &self->tables[table].n_moves);
  return self;
}

static Block *
need_blocks (Shares *shares, guint32 direction)
{
  Block **blocks = &shares->blocks[direction == NS_MOVE_SENT];
  guint n_blocks = shares->n_moves / BLOCK + 1;
  guint64 before = 0;
  guint i;

  if (*blocks != NULL)
    return *blocks;
  *blocks = g_new0 (Block, n_blocks + 1);
  for (i = 0; i < shares->n_moves; i++)
    {
      if (i % BLOCK == 0)
        (*blocks)[i / BLOCK].before = before;
      before += count_bytes (&shares->moves[i], direction);
    }
  if (shares->n_moves % BLOCK == 0)
    (*blocks)[n_blocks - 1].before = before;
  return *blocks;
}

static Range
find_range (const NsOverviewShares *self, NsTableId table, NsRow row, NsTimeSpan span)
{
  Range range = { 0, 0 };
  guint n_moves;
  const NsMove *moves =
      ns_moves_find (self->moves, table, row, span.begin_ns, span.end_ns, &n_moves);

  if (moves != NULL)
    {
      range.from = (guint) (moves - self->tables[table].moves);
      range.to = range.from + n_moves;
    }
  return range;
}

static gboolean
is_short (Range range)
{
  return range.to - range.from <= 2 * BLOCK;
}

static double
sum_each (const Shares *shares, Range range, guint32 direction)
{
  double sum = 0;
  guint i;

  for (i = range.from; i < range.to; i++)
    sum += count_bytes (&shares->moves[i], direction);
  return sum;
}

/* Returns the whole blocks in a long range. */
static Range
get_blocks (Range range)
{
  return (Range){ (range.from + BLOCK - 1) / BLOCK, range.to / BLOCK };
}

/**
 * ns_overview_shares_sum: (skip)
 * @self: shares
 * @table: a table
 * @row: a row of the table, or 0
 * @span: a time span
 * @direction: %NS_MOVE_SENT, or 0 for what was received
 *
 * Returns: the bytes that @row transferred in @span, whatever the playback time
 */
double
ns_overview_shares_sum (NsOverviewShares *self,
                        NsTableId table,
                        NsRow row,
                        NsTimeSpan span,
                        guint32 direction)
{
  Shares *shares = &self->tables[table];
  Range range = find_range (self, table, row, span);
  const Block *blocks;
  Range whole;

  if (is_short (range))
    return sum_each (shares, range, direction);
  blocks = need_blocks (shares, direction);
  whole = get_blocks (range);
  return (double) (blocks[whole.to].before - blocks[whole.from].before) +
         sum_each (shares, (Range){ range.from, whole.from * BLOCK }, direction) +
         sum_each (shares, (Range){ whole.to * BLOCK, range.to }, direction);
}

static void
add_each (const Shares *shares, Range range, guint32 direction, double factor, NsOverviewBins *bins)
{
  double *sums = direction == NS_MOVE_SENT ? bins->sent : bins->received;
  guint i;

  for (i = range.from; i < range.to; i++)
    {
      guint n_bytes = count_bytes (&shares->moves[i], direction);

      if (n_bytes > 0)
        sums[ns_overview_bins_at (bins, shares->moves[i].time_ns)] += factor * n_bytes;
    }
}

/**
 * ns_overview_shares_add: (skip)
 * @self: shares
 * @table: a table
 * @row: a row of the table
 * @span: a time span
 * @direction: %NS_MOVE_SENT, or 0 for what was received
 * @factor: weight of each byte
 * @bins: the strip
 *
 * Adds what @row transferred in @span, up to the playback time, to @bins. A part of it is added
 * only by ns_overview_shares_finish().
 */
void
ns_overview_shares_add (NsOverviewShares *self,
                        NsTableId table,
                        NsRow row,
                        NsTimeSpan span,
                        guint32 direction,
                        double factor,
                        NsOverviewBins *bins)
{
  Shares *shares = &self->tables[table];
  NsTimeSpan known = { span.begin_ns, MIN (span.end_ns, self->moment_ns) };
  Range range = find_range (self, table, row, known);
  Block *blocks;
  Range whole;

  if (is_short (range))
    {
      add_each (shares, range, direction, factor, bins);
      return;
    }
  blocks = need_blocks (shares, direction);
  whole = get_blocks (range);
  add_each (shares, (Range){ range.from, whole.from * BLOCK }, direction, factor, bins);
  add_each (shares, (Range){ whole.to * BLOCK, range.to }, direction, factor, bins);
  blocks[whole.from].factor += factor;
  blocks[whole.from].n_rows++;
  blocks[whole.to].factor -= factor;
  blocks[whole.to].n_rows--;
}

static void
finish_blocks (const Shares *shares, const Block *blocks, guint32 direction, NsOverviewBins *bins)
{
  guint n_blocks = shares->n_moves / BLOCK;
  gint32 n_rows = 0;
  double factor = 0;
  guint i;

  for (i = 0; i < n_blocks; i++)
    {
      n_rows += blocks[i].n_rows;
      /* Resets the sum where no row has a share, since rounding errors may remain. */
      factor = n_rows > 0 ? factor + blocks[i].factor : 0;
      if (n_rows > 0)
        add_each (shares, (Range){ i * BLOCK, (i + 1) * BLOCK }, direction, factor, bins);
    }
}

/**
 * ns_overview_shares_finish: (skip)
 * @self: (transfer full): shares of all rows
 * @bins: the strip
 */
void
ns_overview_shares_finish (NsOverviewShares *self, NsOverviewBins *bins)
{
  guint table;
  guint i;

  for (table = 0; table < NS_N_TABLES; table++)
    for (i = 0; i < 2; i++)
      {
        Shares *shares = &self->tables[table];

        if (shares->blocks[i] != NULL)
          finish_blocks (shares, shares->blocks[i], i == 1 ? NS_MOVE_SENT : 0, bins);
        g_free (shares->blocks[i]);
      }
  g_free (self);
}

/**
 * ns_overview_bins_at: (skip)
 * @self: a strip
 * @time_ns: a time
 *
 * Returns: index of the bin at @time_ns, or of the nearest one
 */
guint
ns_overview_bins_at (const NsOverviewBins *self, gint64 time_ns)
{
  double part = ((double) time_ns - (double) self->whole.begin_ns) /
                (double) (self->whole.end_ns - self->whole.begin_ns);

  return (guint) (CLAMP (part, 0, 1) * (NS_OVERVIEW_N_BINS - 1) + 0.5);
}
