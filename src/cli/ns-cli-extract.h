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
 * @path: the path to open
 * @raw_name: the path below the named folder, or the path as the user wrote it
 * @name: its name in the tables: @raw_name as UTF-8
 * @id: (nullable): an ID of its contents, see ns_extract_make_id(); of its name if it is unreadable
 * @size: its size in bytes, determined with @id
 * @is_readable: @id was made of its contents
 * @is_alone: sent to an idle worker only, because a worker exited before with this trace queued
 *
 * One trace.
 */
typedef struct
{
  char *path;
  char *raw_name;
  char *name;
  char *id;
  guint64 size;
  gboolean is_readable;
  gboolean is_alone;
} NsCliInput;

void ns_cli_input_clear (NsCliInput *self);

/* ns-cli-extract-inputs.c: enumerates the traces. */
typedef struct _NsCliInputs NsCliInputs;

NsCliInputs *ns_cli_inputs_new (const NsCliOptions *options, GError **error);
const GPtrArray *ns_cli_inputs_get_logs (const NsCliInputs *self);
void ns_cli_inputs_free (NsCliInputs *self);
gboolean ns_cli_inputs_next (NsCliInputs *self, NsCliInput *input, GError **error);

/* Number of traces by result, and number of rows written. */
typedef struct
{
  guint64 n_done;
  guint64 n_failed;
  guint64 n_existing;
  guint64 n_repeated;
  guint64 n_rows;
} NsCliExtractCounts;

/* ns-cli-extract-jobs.c */
gboolean ns_cli_extract_run_jobs (NsCli *cli,
                                  NsCliInputs *inputs,
                                  NsExtractTarget *target,
                                  NsCliExtractCounts *counts,
                                  GError **error);

/* ns-cli-extract-worker.c */
int ns_cli_extract_work (NsCli *cli);

/* Before the ID of a trace that could not be read. */
#define NS_CLI_WORKER_UNREADABLE "!"

/* Reports of a worker: one line each, this prefix and a text. A trace is first "written" to
 * temporary files, which are lost if the worker exits, and "done" once these have their final
 * names. */
#define NS_CLI_WORKER_WRITTEN "written "
#define NS_CLI_WORKER_DONE "done "
#define NS_CLI_WORKER_FAILED "failed "
#define NS_CLI_WORKER_FATAL "fatal "

/* ns-cli-extract-options.c */
NsExtractTarget *ns_cli_extract_open_target (const NsCliOptions *options, GError **error);
gboolean
ns_cli_extract_parse_stacks (const NsCliOptions *options, NsExtractStacks *stacks, GError **error);
NsExtractOptions ns_cli_extract_get_options (const NsCli *cli, const NsCliInput *input);
char *ns_cli_extract_make_id (const NsCliInput *input, guint64 *size, GError **error);
char *ns_cli_extract_make_name_id (const char *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NsCliInput, ns_cli_input_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCliInputs, ns_cli_inputs_free)

G_END_DECLS
