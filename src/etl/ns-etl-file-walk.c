/* Walking over a trace: in which order, with whose help, and how much of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"

/* Of more inputs than this none is read by a thread of its own. */
#define MAX_LOADED_AHEAD 8

static void
free_loader (gpointer data)
{
  ns_etl_loader_free (data);
}

/* One for each file. Many files share what a machine has of processors. */
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

/* So that all is known of the inputs of a case, also what can be read of them only as records. */
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

/* Has each buffer looked at once, before a walk that needs to know them. */
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
 * @flags: in which order
 * @rank: (nullable): which of two records of the same time on two processors goes first
 * @func: (scope call): called for each record
 * @user_data: for @func
 * @progress: (nullable) (scope call): told now and then; may stop the walk
 * @progress_data: for @progress
 * @error: return location
 *
 * Hands out every record of the trace that can be read. What cannot is in the report afterwards.
 * One walk at a time; several one after another are fine.
 *
 * Returns: %FALSE if the medium could not be read or @progress said stop; not if @func did
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
  /* What walks in time order on two threads correlates, which takes longer than to read. */
  const NsEtlWalkFlags slow = NS_ETL_WALK_TIME_ORDER | NS_ETL_WALK_READ_AHEAD;
  g_autoptr (GPtrArray) loaders = loaders_new (self, (flags & slow) == slow);
  NsEtlWalk walk = {
    .file = self,
    .loaders = loaders,
    .progress = progress,
    .progress_data = progress_data,
    .end = 1,
  };

  /* Whether inputs of a case hold the same is known when all have been stepped through, and found
   * in the order of time only. */
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

  /* The merge must know where each buffer begins in time. */
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

/* A walk in the order of time that begins and ends with a span. */
typedef struct
{
  const NsTimeSpan *span;
  const NsEtlWalk *walk;
  guint64 n_read; /* of the buffers that are read, those before the span */
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
 * @span: the time asked for
 * @n_before: (out): how many records of the trace lie before the span: set when @func is called
 * @func: (scope call): called for each record of the span
 * @user_data: for @func
 * @progress: (nullable) (scope call): told now and then; may stop the walk
 * @progress_data: for @progress
 * @error: return location
 *
 * Hands out, in the order of time, the records that a walk over the whole trace would hand out
 * between the ends of @span. Buffers without such a record are read once, by the first walk over
 * the trace, which tells what is wrong with it and when each buffer begins and ends, and are
 * neither read nor expanded again. The report is that of the whole trace.
 *
 * Returns: %FALSE if the medium could not be read or @progress said stop; not if @func did
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
