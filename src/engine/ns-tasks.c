/* Thread pools: who queued what, and what a thread is executing at a moment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_tasks_part = {
  .name = "tasks",
};
