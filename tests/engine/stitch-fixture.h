/* Builds traces of queued work from short specifications, and formats their chains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

/* The process of threads below 8; those from 8 on belong to the other one. */
#define STITCH_PID 100
#define STITCH_OTHER_PID 200

/* Raw counts of the fixture's clock in a millisecond. */
#define STITCH_MS 10000

/* Makes a trace of `TIME:THREAD:EVENT ARGUMENTS…` items with `;` between; times in milliseconds. */
NsTrace *stitch_trace_new (const char *script);
NsTrace *stitch_trace_from_writer (NsEtlWriter *writer);

/* The images that frames of the fixture's stacks lie in; stitch_trace_new() has them. */
void stitch_images_write (NsEtlWriter *writer);
void
stitch_image_write (NsEtlWriter *writer, guint32 pid, guint64 base, guint64 size, const char *path);
void stitch_script_write (NsEtlWriter *writer, const char *script);

/* The chain of the nth connection (0-based), as `S1[1>2] |WThreadPool Worker| S2[2]`. */
char *stitch_chain_to_text (const NsTrace *trace, guint n);

/* Runs a script and compares the chains of its connections, joined by `; `. */
void stitch_assert (const char *script, const char *chains);

G_END_DECLS
