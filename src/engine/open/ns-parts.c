/* The list of all parts of the engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/open/ns-parts.h"

#include "engine/build/ns-builder.h"

#define PART_ADDRESS(name, ...) &ns_##name##_part,

/* In call order. */
static const NsPart *const parts[] = { NS_PART_ROWS (PART_ADDRESS, PART_ADDRESS) };

/**
 * ns_trace_new_empty: (skip)
 * @file: (transfer full): its file
 * @schemas: (transfer full) (nullable): schemas of its payloads
 *
 * Creates a trace with the tables of all parts and no rows.
 *
 * Returns: (transfer full): the trace
 */
NsTrace *
ns_trace_new_empty (NsEtlFile *file, NsSchemas *schemas)
{
  NsTrace *self = ns_trace_new (file, schemas);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    ns_part_make_tables (parts[i], self);
  return self;
}

/**
 * ns_trace_build:
 * @file: (transfer full): an open trace file
 * @schemas: (transfer full): schemas of payloads; learns those in the trace
 * @options: build options
 * @progress: (nullable): called with the progress; stops the build if it returns %FALSE
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR
 *
 * Reads the whole trace and correlates it.
 *
 * Returns: (transfer full) (nullable): the trace, %NULL when it cannot be read or was cancelled
 */
NsTrace *
ns_trace_build (NsEtlFile *file,
                NsSchemas *schemas,
                const NsTraceOptions *options,
                NsProgressFunc progress,
                gpointer progress_data,
                GError **error)
{
  return ns_builder_build (file,
                           schemas,
                           parts,
                           G_N_ELEMENTS (parts),
                           options,
                           progress,
                           progress_data,
                           error);
}
