/* The code responsible for an operation: the first frame of its stack outside Windows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of queuing stacks searched, nearest first, besides the root: tables compute this
 * for each row that becomes visible. */
#define NS_CODE_ORIGIN_MAX_STACKS 64

/**
 * NsCodeOrigin:
 * @address: address of the frame; 0: there is no stack
 * @is_return: whether it is a return address
 * @image: row of the image that holds it; 0: not known
 * @is_windows: all frames of the stack are Windows code
 * @pid: its process
 * @tid: its thread; %NS_PID_UNKNOWN if not known
 * @time_ns: time of the stack
 */
typedef struct
{
  guint64 address;
  gboolean is_return;
  NsRow image;
  gboolean is_windows;
  guint32 pid;
  guint32 tid;
  gint64 time_ns;
} NsCodeOrigin;

NsCodeOrigin
ns_code_origin_find (const NsTrace *trace, NsStackId stack, guint32 pid, gint64 time_ns);
NsCodeOrigin ns_code_origin_find_for_activity (const NsTrace *trace, guint activity);

G_END_DECLS
