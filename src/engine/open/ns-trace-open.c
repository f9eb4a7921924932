/* Opens a trace: its files and logs, companion files, and tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wfp/ns-wfp.h"
#include "engine/build/ns-builder.h"
#include "engine/open/ns-log.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-trace-align.h"
#include "engine/trace/ns-trace.h"
#include "engine/trace/ns-view-context.h"

#include <glib/gi18n-lib.h>

/* Reads companion files, which add information but change no rows. */
static void
take_companions (NsTrace *self)
{
  GBytes *names = ns_etl_file_get_companion (self->file, NS_ETL_COMPANION_NAMES);

  if (names != NULL && ns_embedded_labels_is_one (names))
    {
      self->embedded_labels = ns_embedded_labels_new (self, names);
      if (self->embedded_labels == NULL)
        ns_etl_file_add_beside (self->file,
                                NULL,
                                _ ("not enough memory for the names embedded in the trace"));
    }
  ns_etl_file_report_companions (self->file);
  ns_schemas_report_refused (self->schemas, self->file);
}

static NsEtlFile *
open_traces (GPtrArray *paths, GPtrArray *traces, const NsTraceOptions *options, GError **error)
{
  NsEtlCaseFlags flags = options->is_recursive ? NS_ETL_CASE_RECURSIVE : NS_ETL_CASE_PLAIN;
  g_autoptr (GPtrArray) members = NULL;
  guint found;
  guint i;

  g_ptr_array_add (traces, NULL);
  if (options->members == NULL)
    return ns_etl_file_open_case ((const char *const *) traces->pdata,
                                  options->member,
                                  flags,
                                  error);
  members = g_ptr_array_new ();
  for (i = 0; i + 1 < traces->len; i++)
    if (g_ptr_array_find (paths, traces->pdata[i], &found))
      g_ptr_array_add (members, (gpointer) options->members[found]);
  return ns_etl_file_open_members ((const char *const *) traces->pdata,
                                   (const char *const *) members->pdata,
                                   flags | NS_ETL_CASE_MEMBERS,
                                   error);
}

/* Excludes archives whose logs belong to another trace; accepts those with logs of this one. */
static void
settle_archives (NsEtlFile *file, const NsTraceOptions *options)
{
  guint i;

  for (i = 0; options->logs_elsewhere != NULL && options->logs_elsewhere[i] != NULL; i++)
    ns_etl_file_leave_logs (file, options->logs_elsewhere[i]);
  ns_log_accept_archives (file, options->time_columns);
}

/* Files named on opening that are not traces. */
typedef struct
{
  GPtrArray *logs;       /* (element-type filename) */
  const char *wfp_names; /* list of WFP filter names; NULL: none */
} Beside;

static NsEtlFile *
refuse_without_trace (const char *path, const Beside *beside, GError **error)
{
  g_set_error (
      error,
      NS_TRACE_ERROR,
      NS_TRACE_ERROR_OPEN,
      beside->wfp_names != NULL
          ? _ ("%s contains filter names but no trace; specify the trace that it belongs to as "
               "well")
          : _ ("%s is a log file, not a trace; specify the trace that it belongs to as well"),
      path);
  return NULL;
}

static NsEtlFile *
open_file (const char *path, const NsTraceOptions *options, Beside *beside, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  g_autoptr (NsEtlFile) file = NULL;
  guint i;

  g_ptr_array_add (paths, (gpointer) path);
  for (i = 0; options->beside != NULL && options->beside[i] != NULL; i++)
    g_ptr_array_add (paths, (gpointer) options->beside[i]);
  g_ptr_array_add (paths, NULL);
  ns_side_split ((const char *const *) paths->pdata,
                 options->is_recursive,
                 options->time_columns,
                 traces,
                 beside->logs);
  beside->wfp_names = ns_wfp_take_names_file (traces);
  if (traces->len == 0)
    return refuse_without_trace (path, beside, error);
  file = open_traces (paths, traces, options, error);
  if (file == NULL)
    return NULL;
  settle_archives (file, options);
  if (!ns_trace_shift_inputs (file, options->offsets, options->is_one_of_several, error))
    return NULL;
  return g_steal_pointer (&file);
}

static void
add_logs (NsTrace *self, const GPtrArray *logs, const NsTraceOptions *options)
{
  g_autofree char *offsets = g_strdup (options->offsets);
  g_autofree char *time_columns = g_strdup (options->time_columns);
  NsTraceOptions ours = *options;

  if (logs->len == 0 && !ns_trace_has_handed_logs (self->file))
    return;
  if (options->ask_logs != NULL)
    options->ask_logs (self, &offsets, &time_columns, options->ask_logs_data);
  ours.offsets = offsets;
  ours.time_columns = time_columns;
  ns_trace_add_logs (self, logs, &ours);
}

/**
 * ns_trace_open:
 * @path: a trace, a container with traces, or a folder of them
 * @options: (nullable): options
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR
 *
 * Opens, reads and correlates a trace.
 *
 * Returns: (transfer full) (nullable): the trace
 */
NsTrace *
ns_trace_open (const char *path,
               const NsTraceOptions *options,
               NsProgressFunc progress,
               gpointer progress_data,
               GError **error)
{
  return ns_trace_open_aligned (path, options, NULL, progress, progress_data, error);
}

/**
 * ns_trace_open_aligned:
 * @path: a trace, a container with traces, or a folder of them
 * @options: (nullable): options
 * @alignment: (nullable): conversion of its times to the clock of another machine
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR
 *
 * Like ns_trace_open(), with all times converted to another machine's clock.
 *
 * Returns: (transfer full) (nullable): the trace
 */
NsTrace *
ns_trace_open_aligned (const char *path,
                       const NsTraceOptions *options,
                       const NsEtlAlignment *alignment,
                       NsProgressFunc progress,
                       gpointer progress_data,
                       GError **error)
{
  static const NsTraceOptions defaults = { 0 };
  g_autoptr (NsSchemas) schemas = NULL;
  g_autoptr (GPtrArray) logs = g_ptr_array_new_with_free_func (g_free);
  Beside beside = { .logs = logs };
  NsTraceOptions ours = options != NULL ? *options : defaults;
  gboolean is_incomplete = FALSE;
  NsEtlFile *file;
  NsTrace *trace;

  options = &ours;
  schemas =
      ns_schemas_new (options->view != NULL ? ns_view_context_get_schemas (options->view) : NULL);
  if (options->manifests != NULL && !ns_schemas_add_manifests (schemas, options->manifests, error))
    return NULL;
  file = open_file (path, options, &beside, error);
  if (file == NULL)
    return NULL;
  if (ours.wfp_names == NULL)
    ours.wfp_names = beside.wfp_names;
  if (alignment != NULL)
    ns_etl_file_align (file, alignment);
  if (options->max_bytes > 0)
    is_incomplete = ns_etl_file_use_prefix (file, options->max_bytes);
  trace =
      ns_trace_build (file, g_steal_pointer (&schemas), options, progress, progress_data, error);
  if (trace == NULL)
    return NULL;
  trace->is_incomplete = is_incomplete;
  take_companions (trace);
  add_logs (trace, logs, options);
  return trace;
}
