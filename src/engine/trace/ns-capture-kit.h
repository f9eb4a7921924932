/* Files of the capture kit beside a trace: recording settings and lists of processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

typedef struct _NsCaptureKit NsCaptureKit;

/**
 * NsCaptureKitProcess:
 * @pid: process ID
 * @name: (transfer none): image name as Windows lists it, without `.exe`
 * @start_filetime: start time, in ticks of 100 ns since 1601; 0: not known
 * @is_late: the process is only in the list taken at the end
 *
 * A process that ran when the recording was started, or when it was stopped.
 */
typedef struct
{
  guint32 pid;
  const char *name;
  guint64 start_filetime;
  gboolean is_late;
} NsCaptureKitProcess;

NsCaptureKit *ns_capture_kit_new (const NsEtlFile *file);
NsCaptureKit *ns_capture_kit_parse (GBytes *manifest, GBytes *start, GBytes *stop);
void ns_capture_kit_free (NsCaptureKit *self);
const char *ns_capture_kit_get (const NsCaptureKit *self, const char *key);
guint ns_capture_kit_get_n_facts (const NsCaptureKit *self);
const char *ns_capture_kit_get_fact (const NsCaptureKit *self, guint i, const char **key);
guint64 ns_capture_kit_get_events_lost (const NsCaptureKit *self);
const NsCaptureKitProcess *
ns_capture_kit_get_processes (const NsCaptureKit *self, guint *n_processes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCaptureKit, ns_capture_kit_free)

G_END_DECLS
