/* The command line: processes that read traces, and what becomes of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "cli/ns-cli-extract.h"

#include <gio/gio.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define MAX_JOBS 1024
/* Failures that are reported one by one. */
#define MAX_TOLD 20
/* Of the machine's memory, all jobs together. */
#define MEMORY_PARTS 4
#define MEMORY_PARTS_TAKEN 3
#define BYTES_PER_MIB (1024 * 1024)
/* Readers of tables skip folders whose names begin so. */
#define LOGS_FOLDER ".logs"

typedef struct _Jobs Jobs;

/* One process, and the trace that it is reading. */
typedef struct
{
  Jobs *jobs;
  GSubprocess *process; /* NULL: not running */
  GDataInputStream *output;
  NsCliInput input; /* path NULL: none */
} Job;

struct _Jobs
{
  NsCli *cli;
  NsCliInputs *inputs;
  NsExtractTarget *target;
  NsCliExtractCounts *counts;
  GHashTable *seen; /* (element-type utf8): identities */
  GPtrArray *words; /* (element-type utf8): command line of a worker */
  char *logs;       /* identity of the logs that are read with each trace; NULL: none */
  GMainLoop *loop;
  Job *list;
  guint n_jobs;
  guint n_running; /* that read a trace */
  gint64 begin_us;
  GError *error;
  gboolean has_all_inputs; /* there are no more */
};

static void next_input (Job *self);

static void
add_option (GPtrArray *words, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (words, g_strdup (name));
  g_ptr_array_add (words, g_strdup (value));
}

static void
add_flag (GPtrArray *words, const char *name, gboolean is_wanted)
{
  if (is_wanted)
    g_ptr_array_add (words, g_strdup (name));
}

static gint64
get_memory_mib (const NsCliOptions *options)
{
  gint64 pages = sysconf (_SC_PHYS_PAGES);
  gint64 page = sysconf (_SC_PAGESIZE);

  if (options->memory > 0)
    return options->memory;
  if (pages <= 0 || page <= 0)
    return 0;
  return pages / MEMORY_PARTS * MEMORY_PARTS_TAKEN / (BYTES_PER_MIB / page);
}

static void
add_lines (GPtrArray *words, const char *name, const char *lines)
{
  g_auto (GStrv) all = g_strsplit (lines != NULL ? lines : "", "\n", -1);
  guint i;

  for (i = 0; all[i] != NULL; i++)
    add_option (words, name, *all[i] != '\0' ? all[i] : NULL);
}

/* Logs are read with each trace. */
static void
add_logs (GPtrArray *words, const GPtrArray *logs)
{
  guint i;

  g_ptr_array_add (words, g_strdup ("--"));
  for (i = 0; i < logs->len; i++)
    g_ptr_array_add (words, g_strdup (g_ptr_array_index (logs, i)));
}

/* What the lines of the logs, and their times, are made of. */
static char *
identify_logs (const NsCliOptions *options, const GPtrArray *logs)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *const said[] = { options->offsets, options->time_columns };
  guint i;

  for (i = 0; i < logs->len; i++)
    {
      char *path = g_ptr_array_index (logs, i);
      NsCliInput log = { path, path };
      guint64 size;
      g_autofree char *id = ns_cli_extract_make_id (&log, &size, NULL);
      g_autofree char *name = g_path_get_basename (path);

      g_checksum_update (sum, (const guchar *) id, -1);
      g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
    }
  for (i = 0; i < G_N_ELEMENTS (said); i++)
    g_checksum_update (sum,
                       (const guchar *) (said[i] != NULL ? said[i] : ""),
                       said[i] != NULL ? (gssize) strlen (said[i]) + 1 : 1);
  return logs->len > 0 ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

/* Which logs a trace that is there was read with stands beside the tables; of most traces there are
 * none, and no such file. */
static char *
get_logs_path (const Jobs *self, const char *id)
{
  return g_build_filename (self->cli->options.to_folder, LOGS_FOLDER, id, NULL);
}

static gboolean
has_same_logs (const Jobs *self, const char *id)
{
  g_autofree char *path = get_logs_path (self, id);
  g_autofree char *logs = NULL;

  g_file_get_contents (path, &logs, NULL, NULL);
  return g_strcmp0 (logs, self->logs) == 0;
}

/* Where that cannot be written, the trace is read again the next time. */
static void
note_logs (const Jobs *self, const NsCliInput *input)
{
  guint64 size;
  g_autofree char *id = ns_cli_extract_make_id (input, &size, NULL);
  g_autofree char *path = get_logs_path (self, id);
  g_autofree char *folder = g_path_get_dirname (path);

  if (self->logs == NULL)
    {
      g_unlink (path);
      return;
    }
  g_mkdir_with_parents (folder, 0700);
  g_file_set_contents (path, self->logs, -1, NULL);
}

/* A worker gets the same options, but no traces. */
static GPtrArray *
make_words (const NsCli *cli, const GPtrArray *logs, guint n_jobs)
{
  const NsCliOptions *options = &cli->options;
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  gint64 memory = get_memory_mib (options) / n_jobs;
  g_autofree char *memory_text = memory > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, memory) : NULL;

  g_ptr_array_add (words, g_strdup ("/proc/self/exe"));
  g_ptr_array_add (words, g_strdup (cli->verb->name));
  g_ptr_array_add (words, g_strdup ("--worker"));
  add_option (words, "--to", options->to_folder);
  add_option (words, "--as", options->as);
  add_option (words, "--tables", options->tables);
  add_option (words, "--stacks", options->stacks);
  add_option (words, "--mode", options->mode);
  add_option (words, "--manifests", options->manifests);
  add_option (words, "--member", options->member);
  add_option (words, "--wfp", options->wfp_names);
  add_option (words, "--secret-names", options->secret_names);
  add_option (words, "--thresholds", options->thresholds);
  add_option (words, "--memory", memory_text);
  add_lines (words, "--clock-offset", options->offsets);
  add_lines (words, "--time-column", options->time_columns);
  add_flag (words, "--redact", options->want_redacted);
  add_flag (words, "--include-secrets", options->want_secrets);
  add_logs (words, logs);
  g_ptr_array_add (words, NULL);
  return words;
}

static void
stop (Jobs *self, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_clear_error (&error);
  g_main_loop_quit (self->loop);
}

static void
report_progress (const Jobs *self)
{
  guint64 n = self->counts->n_done + self->counts->n_failed;
  gint64 took_us = g_get_monotonic_time () - self->begin_us;

  if (!self->cli->options.want_progress || n == 0 || took_us <= 0)
    return;
  g_printerr ("\r");
  g_printerr (_ ("traces: %" PRIu64 ", %.1f a second "),
              n,
              (double) n * G_USEC_PER_SEC / (double) took_us);
}

static void
count_failure (Jobs *self, const char *name, const char *reason)
{
  g_autofree char *line = NULL;

  self->counts->n_failed++;
  if (self->cli->options.is_quiet || self->counts->n_failed > MAX_TOLD)
    return;
  line = self->counts->n_failed < MAX_TOLD
             ? g_strdup_printf ("%s: %s", name, reason)
             : g_strdup (_ ("further failures stand in the table of failures only"));
  ns_cli_print_message (line);
}

/* The process has ended in the middle of a trace. */
static void
take_end (Job *self)
{
  Jobs *jobs = self->jobs;
  NsExtractOptions options = ns_cli_extract_get_options (jobs->cli, &self->input);
  g_autofree char *id = ns_cli_extract_make_id (&self->input, &options.size, NULL);
  g_autofree char *reason = NULL;
  GError *error = NULL;

  g_subprocess_wait (self->process, NULL, NULL);
  if (g_subprocess_get_if_signaled (self->process))
    reason = g_strdup_printf (_ ("the process that read it was ended by signal %d (%s)"),
                              g_subprocess_get_term_sig (self->process),
                              g_strsignal (g_subprocess_get_term_sig (self->process)));
  else
    reason = g_strdup_printf (
        _ ("the process that read it ended with status %d; the trace may need more memory than %s "
           "gives each job"),
        g_subprocess_get_exit_status (self->process),
        "--memory");
  options.id = id;
  g_clear_object (&self->process);
  g_clear_object (&self->output);
  if (!ns_extract_target_write_failure (jobs->target, &options, reason, &error))
    stop (jobs, error);
  else
    count_failure (jobs, self->input.name, reason);
}

static void
take_line (Job *self, const char *line)
{
  Jobs *jobs = self->jobs;
  g_autofree char *text = NULL;

  if (g_str_has_prefix (line, NS_CLI_WORKER_DONE))
    {
      jobs->counts->n_done++;
      note_logs (jobs, &self->input);
      jobs->counts->n_rows += g_ascii_strtoull (line + strlen (NS_CLI_WORKER_DONE), NULL, 10);
      return;
    }
  text = g_strcompress (strchr (line, ' ') != NULL ? strchr (line, ' ') + 1 : line);
  if (g_str_has_prefix (line, NS_CLI_WORKER_FAILED))
    count_failure (jobs, self->input.name, text);
  else
    stop (jobs, g_error_new_literal (NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, text));
}

static void
line_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *self = user_data;
  g_autofree char *line =
      g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  if (line != NULL)
    take_line (self, line);
  else
    take_end (self);
  ns_cli_input_clear (&self->input);
  self->jobs->n_running--;
  report_progress (self->jobs);
  next_input (self);
}

static gboolean
start (Job *self, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE);

  self->process = g_subprocess_launcher_spawnv (launcher,
                                                (const char *const *) self->jobs->words->pdata,
                                                error);
  if (self->process == NULL)
    return FALSE;
  self->output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  return TRUE;
}

static gboolean
send_input (Job *self, GError **error)
{
  GOutputStream *to = g_subprocess_get_stdin_pipe (self->process);

  return g_output_stream_write_all (to,
                                    self->input.path,
                                    strlen (self->input.path) + 1,
                                    NULL,
                                    NULL,
                                    error) &&
         g_output_stream_write_all (to,
                                    self->input.name,
                                    strlen (self->input.name) + 1,
                                    NULL,
                                    NULL,
                                    error);
}

/* A process that was ended between two traces has none to lose: another one takes its place. */
static gboolean
give_input (Job *self, GError **error)
{
  g_autoptr (GError) ended = NULL;

  if (self->process == NULL && !start (self, error))
    return FALSE;
  if (send_input (self, &ended))
    return TRUE;
  if (!g_error_matches (ended, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    {
      g_propagate_error (error, g_steal_pointer (&ended));
      return FALSE;
    }
  g_subprocess_wait (self->process, NULL, NULL);
  g_clear_object (&self->process);
  g_clear_object (&self->output);
  return start (self, error) && send_input (self, error);
}

/* Skips traces that were read before with the same logs, or were named before. */
static gboolean
is_new (Jobs *self, const NsCliInput *input)
{
  guint64 size;
  g_autofree char *id = ns_cli_extract_make_id (input, &size, NULL);
  gboolean is_there = self->cli->options.want_resumed && ns_extract_target_has (self->target, id) &&
                      has_same_logs (self, id);
  g_autofree char *line = NULL;

  if (!g_hash_table_add (self->seen, g_strdup (id)))
    {
      self->counts->n_repeated++;
      line = g_strdup_printf (_ ("%s is the same trace as one before it; it is taken once"),
                              input->name);
      if (!self->cli->options.is_quiet && self->counts->n_repeated <= MAX_TOLD)
        ns_cli_print_message (line);
      return FALSE;
    }
  self->counts->n_there += is_there;
  return !is_there;
}

static void
next_input (Job *self)
{
  Jobs *jobs = self->jobs;
  GError *error = NULL;
  gboolean has_one = FALSE;

  while (jobs->error == NULL && !jobs->has_all_inputs && !has_one && !ns_cli_is_stopped ())
    {
      ns_cli_input_clear (&self->input);
      has_one = ns_cli_inputs_next (jobs->inputs, &self->input, &error);
      jobs->has_all_inputs = !has_one;
      has_one = has_one && is_new (jobs, &self->input);
    }
  if (error == NULL && has_one && !give_input (self, &error))
    has_one = FALSE;
  if (error != NULL)
    stop (jobs, error);
  else if (has_one)
    {
      jobs->n_running++;
      g_data_input_stream_read_line_async (self->output, G_PRIORITY_DEFAULT, NULL, line_cb, self);
    }
  else if (jobs->n_running == 0)
    g_main_loop_quit (jobs->loop);
}

static gboolean
stopped_cb (gint fd, GIOCondition condition, gpointer user_data)
{
  Jobs *self = user_data;

  stop (self, g_error_new_literal (NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped")));
  return G_SOURCE_CONTINUE; /* is removed with the others at the end */
}

/* At their end workers have nothing to read any more; those that are in the middle of a trace are
 * not waited for. */
static void
end_jobs (Jobs *self)
{
  guint i;

  for (i = 0; i < self->n_jobs; i++)
    {
      Job *job = &self->list[i];

      if (job->process == NULL)
        continue;
      if (job->input.path != NULL)
        g_subprocess_send_signal (job->process, SIGTERM);
      g_output_stream_close (g_subprocess_get_stdin_pipe (job->process), NULL, NULL);
      g_subprocess_wait (job->process, NULL, NULL);
      g_clear_object (&job->output);
      g_clear_object (&job->process);
      ns_cli_input_clear (&job->input);
    }
}

/**
 * ns_cli_extract_run_jobs: (skip)
 * @cli: what was asked
 * @inputs: traces
 * @target: where their tables go
 * @counts: (inout): what became of them
 * @error: %NS_TRACE_ERROR_WRITE: nothing more can be written there
 *
 * Has all traces read.
 *
 * Returns: %FALSE when it was stopped
 */
gboolean
ns_cli_extract_run_jobs (NsCli *cli,
                         NsCliInputs *inputs,
                         NsExtractTarget *target,
                         NsCliExtractCounts *counts,
                         GError **error)
{
  guint n_jobs = (guint) CLAMP (cli->options.jobs, 1, MAX_JOBS);
  Jobs self = { .cli = cli,
                .inputs = inputs,
                .target = target,
                .counts = counts,
                .n_jobs = n_jobs,
                .begin_us = g_get_monotonic_time () };
  guint stop_source = 0;
  guint i;

  self.seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self.words = make_words (cli, ns_cli_inputs_get_logs (inputs), n_jobs);
  self.logs = identify_logs (&cli->options, ns_cli_inputs_get_logs (inputs));
  self.loop = g_main_loop_new (NULL, FALSE);
  self.list = g_new0 (Job, n_jobs);
  if (ns_cli_get_stop_fd () >= 0)
    stop_source = g_unix_fd_add (ns_cli_get_stop_fd (), G_IO_IN, stopped_cb, &self);
  for (i = 0; i < n_jobs && self.error == NULL && !self.has_all_inputs; i++)
    {
      self.list[i].jobs = &self;
      next_input (&self.list[i]);
    }
  if (self.n_running > 0 && self.error == NULL)
    g_main_loop_run (self.loop);
  /* It may have been said when nothing waited for it. */
  if (self.error == NULL && ns_cli_is_stopped () && !self.has_all_inputs)
    self.error = g_error_new_literal (NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  if (stop_source != 0)
    g_source_remove (stop_source);
  end_jobs (&self);
  if (cli->options.want_progress)
    g_printerr ("\n");
  g_main_loop_unref (self.loop);
  g_hash_table_unref (self.seen);
  g_ptr_array_unref (self.words);
  g_free (self.logs);
  g_free (self.list);
  if (self.error == NULL)
    return TRUE;
  g_propagate_error (error, self.error);
  return FALSE;
}

static const char *const stack_names[] = {
  [NS_EXTRACT_STACKS_FULL] = "full",
  [NS_EXTRACT_STACKS_KEYS] = "keys",
  [NS_EXTRACT_STACKS_NONE] = "none",
};

gboolean
ns_cli_extract_parse_stacks (const NsCliOptions *options, NsExtractStacks *stacks, GError **error)
{
  guint i;

  *stacks = NS_EXTRACT_STACKS_KEYS;
  if (options->stacks == NULL)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (stack_names); i++)
    if (strcmp (stack_names[i], options->stacks) == 0)
      {
        *stacks = i;
        return TRUE;
      }
  return ns_trace_refuse_query (error,
                                _ ("--stacks is none, keys or full, not “%s”"),
                                options->stacks);
}

/**
 * ns_cli_extract_get_options: (skip)
 * @cli: what was asked
 * @input: a trace
 *
 * Returns: how it is told, but for its identity
 */
NsExtractOptions
ns_cli_extract_get_options (const NsCli *cli, const NsCliInput *input)
{
  NsExtractOptions options = { .file = input->name,
                               .is_redacted = cli->options.want_redacted,
                               .progress = ns_cli_progress,
                               .progress_data = (gpointer) cli };

  /* Was checked. */
  ns_cli_extract_parse_stacks (&cli->options, &options.stacks, NULL);
  return options;
}

/**
 * ns_cli_extract_make_id: (skip)
 * @input: a trace
 * @size: (out): its length
 * @error: why it cannot be read
 *
 * Returns: (transfer full): its identity; with @error set one that is made of its name
 */
char *
ns_cli_extract_make_id (const NsCliInput *input, guint64 *size, GError **error)
{
  char *id = ns_extract_make_id (input->path, size, error);
  g_autofree char *sum = NULL;

  if (id != NULL)
    return id;
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, input->name, -1);
  return g_strndup (sum, 32);
}
