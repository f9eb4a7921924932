/* Compares the trace of a session with another one, in a thread.
 *
 * The other trace is read if no window shows it. The one that was recorded earlier is the first
 * one, unless the user swaps them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-comparison.h"

#include "export/ns-export-cell.h"
#include "model/ns-fetched.h"
#include "model/ns-sched-job.h"

/* Resolution of the reported progress. */
#define N_STEPS 1000

struct _NsComparison
{
  GObject parent_instance;

  NsTrace *trace;
  GFile *file;    /* of the other trace */
  NsTrace *other; /* NULL until it is read */
  gboolean is_swapped;
  gboolean is_ours_first;
  GArray *changes; /* NsChange; NULL until the traces are compared */
  guint n_before;
  guint n_after;
  gint n_steps; /* atomic */
};

G_DEFINE_FINAL_TYPE (NsComparison, ns_comparison, G_TYPE_OBJECT)

/* Result of the thread, which writes nothing of the object but n_steps. */
typedef struct
{
  NsTrace *other;
  GArray *changes;
  gboolean is_ours_first;
  guint n_before;
  guint n_after;
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->other, ns_trace_unref);
  g_clear_pointer (&found->changes, g_array_unref);
  g_free (found);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Found, found_free)

static gboolean
progress_cb (double fraction, gpointer user_data)
{
  GTask *task = user_data;
  NsComparison *self = g_task_get_source_object (task);

  g_atomic_int_set (&self->n_steps, (gint) (fraction * N_STEPS));
  return !g_cancellable_is_cancelled (g_task_get_cancellable (task));
}

/* Opens the other trace with the options of the command line. */
static NsTrace *
open_other (NsComparison *self, GTask *task, GError **error)
{
  NsTraceOptions options = { .view = self->trace->view, .skip_calls = TRUE };

  return ns_fetched_open_trace (self->file,
                                &options,
                                progress_cb,
                                task,
                                g_task_get_cancellable (task),
                                error);
}

static guint64
get_start (const NsTrace *trace)
{
  return trace->file != NULL ? ns_etl_file_get_header (trace->file)->start_filetime : 0;
}

static void
worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  NsComparison *self = source_object;
  g_autoptr (Found) found = g_new0 (Found, 1);
  GError *error = NULL;
  const NsTrace *before;
  const NsTrace *after;

  found->other = self->other != NULL ? ns_trace_ref (self->other) : open_other (self, task, &error);
  if (found->other == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  found->is_ours_first = (get_start (self->trace) <= get_start (found->other)) != self->is_swapped;
  before = found->is_ours_first ? self->trace : found->other;
  after = found->is_ours_first ? found->other : self->trace;
  found->changes = ns_difference_new (before, after, progress_cb, task);
  found->n_before = ns_difference_count (before);
  found->n_after = ns_difference_count (after);
  if (found->changes == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  else
    g_task_return_pointer (task, g_steal_pointer (&found), found_free);
}

static void
ns_comparison_finalize (GObject *object)
{
  NsComparison *self = NS_COMPARISON (object);

  ns_trace_unref (self->trace);
  g_clear_pointer (&self->other, ns_trace_unref);
  g_clear_pointer (&self->changes, g_array_unref);
  g_object_unref (self->file);
  G_OBJECT_CLASS (ns_comparison_parent_class)->finalize (object);
}

static void
ns_comparison_class_init (NsComparisonClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_comparison_finalize;
}

static void
ns_comparison_init (NsComparison *self)
{
}

/**
 * ns_comparison_new:
 * @trace: a trace
 * @file: the file of another trace
 * @other: (nullable): the trace of @file, if it is open
 *
 * Returns: (transfer full): a comparison to be run with ns_comparison_run_async()
 */
NsComparison *
ns_comparison_new (NsTrace *trace, GFile *file, NsTrace *other)
{
  NsComparison *self = g_object_new (NS_TYPE_COMPARISON, NULL);

  self->trace = ns_trace_ref (trace);
  self->file = g_object_ref (file);
  self->other = other != NULL ? ns_trace_ref (other) : NULL;
  return self;
}

/**
 * ns_comparison_swap:
 * @self: a comparison that is not running
 *
 * Swaps the first and the second trace; the comparison has to be run again.
 */
void
ns_comparison_swap (NsComparison *self)
{
  self->is_swapped = !self->is_swapped;
  g_clear_pointer (&self->changes, g_array_unref);
}

/**
 * ns_comparison_get_fraction:
 * @self: a running comparison
 *
 * Returns: the progress of reading and comparing, 0 to 1
 */
double
ns_comparison_get_fraction (NsComparison *self)
{
  return (double) g_atomic_int_get (&self->n_steps) / N_STEPS;
}

/**
 * ns_comparison_is_ours_first:
 * @self: a finished comparison
 *
 * Returns: whether the trace of the session is the first one
 */
gboolean
ns_comparison_is_ours_first (NsComparison *self)
{
  return self->is_ours_first;
}

/**
 * ns_comparison_get_n_changes:
 * @self: a comparison
 *
 * Returns: the number of operations that differ
 */
guint
ns_comparison_get_n_changes (NsComparison *self)
{
  return self->changes != NULL ? self->changes->len : 0;
}

/**
 * ns_comparison_count_kind:
 * @self: a comparison
 * @kind: a kind of difference
 *
 * Returns: the number of differences of that kind
 */
guint
ns_comparison_count_kind (NsComparison *self, NsChangeKind kind)
{
  guint n = 0;
  guint i;

  for (i = 0; i < ns_comparison_get_n_changes (self); i++)
    n += ns_comparison_get_change (self, i)->kind == kind;
  return n;
}

/**
 * ns_comparison_count:
 * @self: a finished comparison
 * @n_before: (out): number of compared operations of the first trace
 * @n_after: (out): number of compared operations of the second trace
 */
void
ns_comparison_count (NsComparison *self, guint *n_before, guint *n_after)
{
  *n_before = self->n_before;
  *n_after = self->n_after;
}

/**
 * ns_comparison_get_change:
 * @self: a comparison
 * @nth: index of a difference, 0-based
 *
 * Returns: (transfer none): the difference
 */
const NsChange *
ns_comparison_get_change (NsComparison *self, guint nth)
{
  return &g_array_index (self->changes, NsChange, nth);
}

/**
 * ns_comparison_get_cell:
 * @self: a comparison
 * @nth: index of a difference, 0-based
 * @column: a column
 *
 * Returns: (transfer full): the content of the cell, to be cleared
 */
NsDifferenceCell
ns_comparison_get_cell (NsComparison *self, guint nth, const NsDifferenceColumn *column)
{
  const NsDifference row = { self->is_ours_first ? self->trace : self->other,
                             self->is_ours_first ? self->other : self->trace,
                             ns_comparison_get_change (self, nth) };

  return ns_difference_column_get (column, &row);
}

/**
 * ns_comparison_to_text:
 * @self: a comparison
 *
 * Returns: (transfer full): tab-separated text with one line per difference, as printed by the
 *   command line
 */
char *
ns_comparison_to_text (NsComparison *self)
{
  g_autoptr (GPtrArray) columns = ns_difference_columns_parse (NULL, NULL);
  GString *text = g_string_new (NULL);
  guint i;
  guint k;

  for (k = 0; k < columns->len; k++)
    g_string_append_printf (text,
                            "%s%s",
                            k > 0 ? "\t" : "",
                            ns_difference_column_get_id (g_ptr_array_index (columns, k)));
  g_string_append_c (text, '\n');
  for (i = 0; i < ns_comparison_get_n_changes (self); i++)
    for (k = 0; k < columns->len; k++)
      {
        g_auto (NsDifferenceCell) cell =
            ns_comparison_get_cell (self, i, g_ptr_array_index (columns, k));

        if (cell.is_number)
          g_string_append_printf (text, "%" G_GINT64_FORMAT, cell.number);
        else if (cell.text != NULL)
          ns_export_cell_append_tsv_text (text, cell.text, TRUE);
        g_string_append_c (text, k + 1 < columns->len ? '\t' : '\n');
      }
  return g_string_free (text, FALSE);
}

/**
 * ns_comparison_run_async:
 * @self: a comparison that is not running
 * @cancellable: (nullable): cancels it
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Reads the other trace if needed, and compares the two.
 */
void
ns_comparison_run_async (NsComparison *self,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, ns_comparison_run_async);
  g_atomic_int_set (&self->n_steps, 0);
  g_task_run_in_thread (task, worker);
}

/**
 * ns_comparison_run_finish:
 * @self: a comparison
 * @result: passed to the callback
 * @error: %NS_TRACE_ERROR if the other trace cannot be opened, or %G_IO_ERROR
 *
 * Returns: whether it succeeded
 */
gboolean
ns_comparison_run_finish (NsComparison *self, GAsyncResult *result, GError **error)
{
  g_autoptr (Found) found = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  found = g_task_propagate_pointer (G_TASK (result), error);
  if (found == NULL)
    return FALSE;
  g_clear_pointer (&self->other, ns_trace_unref);
  g_clear_pointer (&self->changes, g_array_unref);
  self->other = g_steal_pointer (&found->other);
  ns_sched_job_watch (self->other);
  self->changes = g_steal_pointer (&found->changes);
  self->is_ours_first = found->is_ours_first;
  self->n_before = found->n_before;
  self->n_after = found->n_after;
  return TRUE;
}
