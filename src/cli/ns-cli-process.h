/* Forked processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/**
 * NsCliProcess:
 * @pid: its process ID; 0: not running
 * @to: file descriptor that writes to its standard input
 * @from: file descriptor that reads from its standard output
 *
 * A forked process.
 */
typedef struct
{
  pid_t pid;
  int to;
  int from;
} NsCliProcess;

/**
 * NsCliProcessFunc: (skip)
 * @user_data: as passed to ns_cli_process_start()
 *
 * Runs in the forked process.
 *
 * Returns: the exit status
 */
typedef int (*NsCliProcessFunc) (gpointer user_data);

gboolean ns_cli_process_start (NsCliProcess *self,
                               NsCliProcessFunc func,
                               gpointer user_data,
                               GError **error);
void ns_cli_process_close_input (NsCliProcess *self);
int ns_cli_process_wait (NsCliProcess *self);

G_END_DECLS
