/* State of the build, freed when the trace is complete.
 *
 * There are two walks over the records. The first, in file order, collects data about the whole
 * trace (processes, threads, images, stacks, start addresses of pool threads); the second, in time
 * order, correlates.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-part.h"
#include "engine/trace/ns-trace-make.h"

G_BEGIN_DECLS

/* State of each part, in the member with the part's name; the part creates, changes and frees
 * it. */
#define PART_TYPE(name, Type) typedef struct _##Type Type;
#define NO_TYPE(name)
NS_PART_ROWS (PART_TYPE, NO_TYPE)
#undef PART_TYPE
#undef NO_TYPE

#define PART_STATE(name, Type) Type *name;
#define NO_STATE(name)
struct _NsBuilder
{
  NsTrace *trace;
  NsTraceOptions options;
  NS_PART_ROWS (PART_STATE, NO_STATE)
};
#undef PART_STATE
#undef NO_STATE

NsTrace *ns_builder_build (NsEtlFile *file,
                           NsSchemas *schemas,
                           const NsPart *const *parts,
                           guint n_parts,
                           const NsTraceOptions *options,
                           NsProgressFunc progress,
                           gpointer progress_data,
                           GError **error);

G_END_DECLS
