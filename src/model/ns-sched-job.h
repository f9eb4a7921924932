/* Reads scheduler events in a thread when the window first needs them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/system/ns-sched.h"
#include "engine/trace/ns-view-context.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_SCHED_JOB (ns_sched_job_get_type ())
G_DECLARE_FINAL_TYPE (NsSchedJob, ns_sched_job, NS, SCHED_JOB, GObject)

NsSchedJob *ns_sched_job_get (NsViewContext *view);
void ns_sched_job_watch (NsTrace *trace);

G_END_DECLS
