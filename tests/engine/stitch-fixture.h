/* Builds traces of queued work from short specifications, and formats their chains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

/* Process of the threads below 8, and process of the threads from 8 on. */
#define STITCH_PID 100
#define STITCH_OTHER_PID 200

/* Ticks of the fixture's clock per millisecond. */
#define STITCH_MS 10000

/* Makes a trace of the items of @script, `TIME:THREAD:EVENT ARGUMENTS…` separated by `;`.
 *
 * Times are in milliseconds. */
NsTrace *stitch_trace_new (const char *script);
NsTrace *stitch_trace_from_writer (NsEtlWriter *writer);
/* Opens the trace with a limit of the memory for stacks, in bytes; 0: the default. */
NsTrace *stitch_trace_from_writer_within (NsEtlWriter *writer, guint64 least_stack_bytes);

/* Writes the images that contain the stack frames of the fixture. stitch_trace_new() does so
 * itself. */
void stitch_images_write (NsEtlWriter *writer);
void
stitch_image_write (NsEtlWriter *writer, guint32 pid, guint64 base, guint64 size, const char *path);
void stitch_script_write (NsEtlWriter *writer, const char *script);

/* Returns the chain of the nth connection (0-based), such as `S1[1>2] |WThreadPool Worker|
 * S2[2]`. */
char *stitch_chain_to_text (const NsTrace *trace, guint n);

/* Asserts that the chains of the connections of @script, joined by `; `, are @chains. */
void stitch_assert (const char *script, const char *chains);

G_END_DECLS
