/* Walks over a trace: order of records, threads, time span.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"

/* With more inputs than this, none has a loader thread of its own. */
#define MAX_LOADED_AHEAD 8

static void
free_loader (gpointer data)
{
  ns_etl_loader_free (data);
}

/* Returns one loader per file. With many files, loaders have no threads: the processors are
 * shared. */
static GPtrArray *
loaders_new (NsEtlFile *self, gboolean has_time)
{
  GPtrArray *loaders = g_ptr_array_new_with_free_func (free_loader);
  guint n_parts = ns_etl_file_count_parts (self);
  guint i;

  for (i = 0; i < n_parts; i++)
    {
      const NsEtlFile *part = ns_etl_file_get_part (self, i);

      g_ptr_array_add (loaders,
                       ns_etl_loader_new (part->source,
                                          &part->layout,
                                          has_time || n_parts > MAX_LOADED_AHEAD,
                                          i > 0 ? loaders->pdata[0] : NULL));
    }
  return loaders;
}

/* Walks all records of a case, so that the report covers what only records show. */
static gboolean
parse_case (NsEtlWalk *walk, GError **error)
{
  NsEtlFile *self = walk->file;

  if (!self->is_stepped)
    {
      NsRecordFunc func = walk->func;

      walk->func = NULL;
      if (ns_etl_walk_in_file_order (walk, error) != NS_ETL_WALK_DONE)
        return FALSE;
      walk->func = func;
    }
  return ns_etl_walk_in_time_order (walk, error) == NS_ETL_WALK_DONE;
}

/* Runs the first pass over all buffers, for walks that need its results. */
static gboolean
step_through (NsEtlWalk *walk, GError **error)
{
  if (walk->file->is_stepped)
    return TRUE;
  walk->end = 0.25;
  if (ns_etl_walk_in_file_order (walk, error) != NS_ETL_WALK_DONE)
    return FALSE;
  walk->begin = walk->end;
  walk->end = 1;
  return TRUE;
}

/**
 * ns_etl_file_walk:
 * @self: a trace
 * @flags: order of the records
 * @rank: (nullable): order of two records with the same time on different processors
 * @func: (scope call): called for each record
 * @user_data: for @func
 * @progress: (nullable) (scope call): receives the progress; may stop the walk
 * @progress_data: for @progress
 * @error: return location
 *
 * Hands out every readable record of the trace; the report lists the rest afterwards. Only one walk
 * may run at a time.
 *
 * Returns: %FALSE with @error set if the medium could not be read or @progress stopped the walk;
 *   %TRUE if @func did
 */
gboolean
ns_etl_file_walk (NsEtlFile *self,
                  NsEtlWalkFlags flags,
                  NsRecordRankFunc rank,
                  NsRecordFunc func,
                  gpointer user_data,
                  NsProgressFunc progress,
                  gpointer progress_data,
                  GError **error)
{
  /* A walk in time order on two threads correlates events, which takes longer than reading. */
  const NsEtlWalkFlags slow = NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD;
  g_autoptr (GPtrArray) loaders = loaders_new (self, (flags & slow) == slow);
  NsEtlWalk walk = {
    .file = self,
    .loaders = loaders,
    .progress = progress,
    .progress_data = progress_data,
    .end = 1,
  };

  /* Duplicates between inputs are known after the first pass over all of them, and can be skipped
   * in time order only. */
  if (self->inputs != NULL && !step_through (&walk, error))
    return FALSE;
  if (self->twins != NULL)
    flags |= NS_ETL_WALK_TIME_ORDER;
  if ((flags & NS_ETL_WALK_TIME_ORDER) == 0)
    {
      walk.func = func;
      walk.user_data = user_data;
      if ((flags & NS_ETL_WALK_READ_AHEAD) != 0)
        return ns_etl_pipe_walk (&walk, ns_etl_walk_in_file_order, error) != NS_ETL_WALK_FAILED;
      return ns_etl_walk_in_file_order (&walk, error) != NS_ETL_WALK_FAILED;
    }

  /* The merge needs the first time of each buffer. */
  if (!step_through (&walk, error))
    return FALSE;
  walk.func = func;
  walk.user_data = user_data;
  walk.rank = rank;
  if ((flags & NS_ETL_WALK_READ_AHEAD) != 0)
    return ns_etl_pipe_walk (&walk, ns_etl_walk_in_time_order, error) != NS_ETL_WALK_FAILED;
  return ns_etl_walk_in_time_order (&walk, error) != NS_ETL_WALK_FAILED;
}

static gboolean
take_none (const NsRecord *record, gpointer user_data)
{
  return TRUE;
}

/* State of a walk in time order that is limited to a span. */
typedef struct
{
  const NsTimeSpan *span;
  const NsEtlWalk *walk;
  guint64 n_read; /* number of records before the span in the buffers read */
  guint64 *n_before;
  NsRecordFunc func;
  gpointer user_data;
} SpanWalk;

static gboolean
take_inside (const NsRecord *record, gpointer user_data)
{
  SpanWalk *self = user_data;

  if (record->time_ns >= self->span->end_ns)
    return FALSE;
  if (record->time_ns < self->span->begin_ns)
    {
      self->n_read++;
      return TRUE;
    }
  *self->n_before = self->walk->n_before + self->n_read;
  return self->func (record, self->user_data);
}

/**
 * ns_etl_file_walk_span:
 * @self: a trace
 * @span: the time span
 * @n_before: (out): number of records of the trace before the span; set when @func is called
 * @func: (scope call): called for each record of the span
 * @user_data: for @func
 * @progress: (nullable) (scope call): receives the progress; may stop the walk
 * @progress_data: for @progress
 * @error: return location
 *
 * Hands out, in order of time, the records of the whole trace that lie within @span. Buffers
 * without such a record are read once, by the first pass, which finds damage and the times of each
 * buffer, and are not read or expanded again. The report covers the whole trace.
 *
 * Returns: %FALSE with @error set if the medium could not be read or @progress stopped the walk;
 *   %TRUE if @func did
 */
gboolean
ns_etl_file_walk_span (NsEtlFile *self,
                       const NsTimeSpan *span,
                       guint64 *n_before,
                       NsRecordFunc func,
                       gpointer user_data,
                       NsProgressFunc progress,
                       gpointer progress_data,
                       GError **error)
{
  g_autoptr (GPtrArray) loaders = loaders_new (self, FALSE);
  NsEtlWalk walk = {
    .file = self,
    .loaders = loaders,
    .progress = progress,
    .progress_data = progress_data,
    .func = take_none,
    .end = self->is_parsed ? 0 : 0.5,
  };
  SpanWalk inside = { span, &walk, 0, n_before, func, user_data };
  guint64 n_records;
  gboolean is_good;

  *n_before = 0;
  if (!self->is_parsed &&
      !(self->inputs != NULL ? parse_case (&walk, error)
                             : ns_etl_walk_in_file_order (&walk, error) == NS_ETL_WALK_DONE))
    return FALSE;
  walk.begin = walk.end;
  walk.end = 1;
  walk.func = take_inside;
  walk.user_data = &inside;
  walk.span = span;
  n_records = self->report.n_records;
  is_good = ns_etl_walk_in_time_order (&walk, error) != NS_ETL_WALK_FAILED;
  self->report.n_records = n_records;
  return is_good;
}
