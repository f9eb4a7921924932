/* Opening a trace: its files and logs, what goes along with them, and what is made of their
 * records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"
#include "engine/ns-carried-names.h"
#include "engine/ns-log.h"
#include "engine/ns-trace-align.h"
#include "engine/ns-trace.h"

#include <glib/gi18n-lib.h>

/* What goes along with the trace tells more of it, and changes none of its rows. */
static void
take_companions (NsTrace *self)
{
  GBytes *names = ns_etl_file_get_companion (self->file, NS_ETL_COMPANION_NAMES);

  if (names != NULL && ns_carried_names_is_one (names))
    {
      self->carried = ns_carried_names_new (self, names);
      if (self->carried == NULL)
        ns_etl_file_add_beside (
            self->file,
            NULL,
            _ ("there is no memory for the names that go along with the trace"));
    }
  ns_etl_file_tell_companions (self->file);
  ns_schemas_tell_refused (self->schemas, self->file);
}

/* Logs that are opened beside a trace are added to @logs. */
static NsEtlFile *
open_file (const char *path, const NsTraceOptions *options, GPtrArray *logs, GError **error)
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
                 logs);
  if (traces->len == 0)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("%s is a log and no trace; name the trace that it goes along with, too"),
                   path);
      return NULL;
    }
  g_ptr_array_add (traces, NULL);
  file = ns_etl_file_open_case ((const char *const *) traces->pdata,
                                options->member,
                                options->is_recursive ? NS_ETL_CASE_RECURSIVE : NS_ETL_CASE_PLAIN,
                                error);
  if (file == NULL ||
      !ns_trace_shift_inputs (file, options->offsets, options->is_one_of_several, error))
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
 * @path: a trace, a container with traces, or a folder with such
 * @options: (nullable): how to open it
 * @progress: (nullable): told how far it is, and asked whether to go on
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
 * @path: a trace, a container with traces, or a folder with such
 * @options: (nullable): how to open it
 * @alignment: (nullable): where its times lie on the clock of another machine
 * @progress: (nullable): told how far it is, and asked whether to go on
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR
 *
 * As ns_trace_open(), with all times by another clock.
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
  g_autoptr (NsSchemas) schemas = ns_schemas_new ();
  g_autoptr (GPtrArray) logs = g_ptr_array_new_with_free_func (g_free);
  gboolean is_incomplete = FALSE;
  NsEtlFile *file;
  NsTrace *trace;

  if (options == NULL)
    options = &defaults;
  if (options->manifests != NULL && !ns_schemas_add_manifests (schemas, options->manifests, error))
    return NULL;
  file = open_file (path, options, logs, error);
  if (file == NULL)
    return NULL;
  if (alignment != NULL)
    ns_etl_file_align (file, alignment);
  if (options->max_bytes > 0)
    is_incomplete = ns_etl_file_use_prefix (file, options->max_bytes);
  trace =
      ns_builder_build (file, g_steal_pointer (&schemas), options, progress, progress_data, error);
  if (trace == NULL)
    return NULL;
  trace->is_incomplete = is_incomplete;
  take_companions (trace);
  add_logs (trace, logs, options);
  return trace;
}
