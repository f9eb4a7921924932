/* The verb `extract`: shared types of its parts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli.h"
#include "export/ns-extract-write.h"

G_BEGIN_DECLS

/**
 * NsCliInput:
 * @path: where it is
 * @name: what the tables call it: its path below the folder that was named, or as it was named
 * @id: (nullable): its identity, see ns_extract_make_id(); made of its name when it cannot be read
 * @size: its length in bytes, with @id
 * @is_readable: whether it could be read for @id
 * @is_alone: a process reads it that has nothing else to lose
 *
 * One trace.
 */
typedef struct
{
  char *path;
  char *name;
  char *id;
  guint64 size;
  gboolean is_readable;
  gboolean is_alone;
} NsCliInput;

void ns_cli_input_clear (NsCliInput *self);

/* ns-cli-extract-inputs.c: enumerates the traces, however many. */
typedef struct _NsCliInputs NsCliInputs;

NsCliInputs *ns_cli_inputs_new (const NsCliOptions *options, GError **error);
const GPtrArray *ns_cli_inputs_get_logs (const NsCliInputs *self);
void ns_cli_inputs_free (NsCliInputs *self);
gboolean ns_cli_inputs_next (NsCliInputs *self, NsCliInput *input, GError **error);

/* Results by number of traces, and the rows written. */
typedef struct
{
  guint64 n_done;
  guint64 n_failed;
  guint64 n_there;
  guint64 n_repeated;
  guint64 n_rows;
} NsCliExtractCounts;

/* ns-cli-extract-jobs.c */
gboolean ns_cli_extract_run_jobs (NsCli *cli,
                                  NsCliInputs *inputs,
                                  NsExtractTarget *target,
                                  NsCliExtractCounts *counts,
                                  GError **error);

/* What a worker says of a trace, a line each; the rest of the line goes with it. A trace is written
 * before it is done: then its files have no names yet, and are lost with the worker. */
#define NS_CLI_WORKER_WRITTEN "written "
#define NS_CLI_WORKER_DONE "done "
#define NS_CLI_WORKER_FAILED "failed "
#define NS_CLI_WORKER_FATAL "fatal "

gboolean
ns_cli_extract_parse_stacks (const NsCliOptions *options, NsExtractStacks *stacks, GError **error);
NsExtractOptions ns_cli_extract_get_options (const NsCli *cli, const NsCliInput *input);
char *ns_cli_extract_make_id (const NsCliInput *input, guint64 *size, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsCliInput, ns_cli_input_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCliInputs, ns_cli_inputs_free)

G_END_DECLS
