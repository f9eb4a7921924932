/* Worker processes of `extract`, each of which reads one trace at a time.
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
/* Maximum number of failures that are reported one by one. */
#define MAX_REPORTED 20
/* Share of the machine's memory that all jobs may use. */
#define MEMORY_PARTS 4
#define MEMORY_PARTS_TAKEN 3
#define BYTES_PER_MIB (1024 * 1024)
/* Readers of partitioned tables skip folders whose names begin with a dot. */
#define LOGS_FOLDER ".logs"
/* Small traces are sent ahead, so that a worker need not wait for the next one: at most MAX_AHEAD
 * per worker, of at most MAX_AHEAD_BYTES each. */
#define MAX_AHEAD 2
#define MAX_AHEAD_BYTES BYTES_PER_MIB

typedef struct _Jobs Jobs;

/* One worker process and the traces sent to it. */
typedef struct
{
  Jobs *jobs;
  GSubprocess *process; /* NULL: not running */
  GDataInputStream *output;
  GQueue inputs;       /* (element-type NsCliInput): oldest first, until reported */
  guint n_unwritten;   /* the last of @inputs, not reported as written or failed yet */
  gboolean is_reading; /* a read of its next line is pending */
} Job;

struct _Jobs
{
  NsCli *cli;
  NsCliInputs *inputs;
  NsExtractTarget *target;
  NsCliExtractCounts *counts;
  GHashTable *seen; /* (element-type utf8): IDs of traces seen so far */
  GPtrArray *words; /* (element-type utf8): command line of a worker */
  char *logs;       /* ID of the logs that are read with each trace; NULL: none */
  GMainLoop *loop;
  Job *list;
  guint n_jobs;
  GQueue waiting; /* (element-type NsCliInput): not sent to a worker yet */
  gint64 begin_us;
  GError *error;
  gboolean has_all_inputs; /* all inputs were handed out */
};

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

/* Appends the logs as operands, which a worker reads with each trace. */
static void
add_logs (GPtrArray *words, const GPtrArray *logs)
{
  guint i;

  g_ptr_array_add (words, g_strdup ("--"));
  for (i = 0; i < logs->len; i++)
    g_ptr_array_add (words, g_strdup (g_ptr_array_index (logs, i)));
}

/* Returns a checksum of all that determines the logs' lines and times; (transfer full). */
static char *
identify_logs (const NsCliOptions *options, const GPtrArray *logs)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *const given[] = { options->offsets, options->time_columns };
  guint i;

  for (i = 0; i < logs->len; i++)
    {
      char *path = g_ptr_array_index (logs, i);
      NsCliInput log = { .path = path, .name = path };
      guint64 size;
      g_autofree char *id = ns_cli_extract_make_id (&log, &size, NULL);
      g_autofree char *name = g_path_get_basename (path);

      g_checksum_update (sum, (const guchar *) id, -1);
      g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
    }
  for (i = 0; i < G_N_ELEMENTS (given); i++)
    g_checksum_update (sum,
                       (const guchar *) (given[i] != NULL ? given[i] : ""),
                       given[i] != NULL ? (gssize) strlen (given[i]) + 1 : 1);
  return logs->len > 0 ? g_strdup (g_checksum_get_string (sum)) : NULL;
}

/* Returns the path of the file that stores the ID of the logs an extracted trace was read with. A
 * trace without logs has no such file. */
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

/* Stores the ID of the logs the trace was read with. If that fails, the next run extracts the trace
 * again. */
static void
store_logs (const Jobs *self, const NsCliInput *input)
{
  g_autofree char *path = get_logs_path (self, input->id);
  g_autofree char *folder = g_path_get_dirname (path);

  if (self->logs == NULL)
    {
      g_unlink (path);
      return;
    }
  g_mkdir_with_parents (folder, 0700);
  g_file_set_contents (path, self->logs, -1, NULL);
}

/* Builds the command line of a worker: the same options without the traces. */
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
  g_printerr (_ ("traces: %" PRIu64 ", %.1f per second "),
              n,
              (double) n * G_USEC_PER_SEC / (double) took_us);
}

static void
count_failure (Jobs *self, const char *name, const char *reason)
{
  g_autofree char *line = NULL;

  self->counts->n_failed++;
  if (self->cli->options.is_quiet || self->counts->n_failed > MAX_REPORTED)
    return;
  line = self->counts->n_failed < MAX_REPORTED
             ? g_strdup_printf ("%s: %s", name, reason)
             : g_strdup (_ ("further failures are listed only in the table of failures"));
  ns_cli_print_message (line);
}

static void
input_free (gpointer data)
{
  ns_cli_input_clear (data);
  g_free (data);
}

static void
report_end (Job *self, const NsCliInput *input)
{
  Jobs *jobs = self->jobs;
  NsExtractOptions options = ns_cli_extract_get_options (jobs->cli, input);
  g_autofree char *reason = NULL;
  GError *error = NULL;

  if (g_subprocess_get_if_signaled (self->process))
    reason = g_strdup_printf (_ ("the process that read it was terminated by signal %d (%s)"),
                              g_subprocess_get_term_sig (self->process),
                              g_strsignal (g_subprocess_get_term_sig (self->process)));
  else
    reason = g_strdup_printf (_ ("the process that read it exited with status %d; the trace may "
                                 "need more memory than the %s available to each job"),
                              g_subprocess_get_exit_status (self->process),
                              "--memory");
  options.id = input->id;
  options.size = input->size;
  if (!ns_extract_target_write_failure (jobs->target, &options, reason, &error))
    stop (jobs, error);
  else
    count_failure (jobs, input->name, reason);
}

/* Handles the exit of a worker that still has traces. A single trace counts as failed; several are
 * queued again, each for a worker of its own, to find the one that ends the process. */
static void
take_end (Job *self)
{
  NsCliInput *input;
  GList *i;

  g_subprocess_wait (self->process, NULL, NULL);
  for (i = self->inputs.head; i != NULL; i = i->next)
    ns_extract_target_remove_remains (self->jobs->target, ((NsCliInput *) i->data)->id);
  if (self->inputs.length == 1)
    {
      input = g_queue_pop_head (&self->inputs);
      report_end (self, input);
      input_free (input);
    }
  while ((input = g_queue_pop_tail (&self->inputs)) != NULL)
    {
      input->is_alone = TRUE;
      g_queue_push_head (&self->jobs->waiting, input);
    }
  self->n_unwritten = 0;
  g_clear_object (&self->process);
  g_clear_object (&self->output);
}

static void
take_done (Job *self, const NsCliInput *input, const char *n_rows)
{
  self->jobs->counts->n_done++;
  self->jobs->counts->n_rows += g_ascii_strtoull (n_rows, NULL, 10);
  store_logs (self->jobs, input);
}

static void
take_line (Job *self, const char *line)
{
  g_autofree char *text =
      g_strcompress (strchr (line, ' ') != NULL ? strchr (line, ' ') + 1 : line);
  gboolean is_failed = g_str_has_prefix (line, NS_CLI_WORKER_FAILED);
  NsCliInput *input;

  if (g_str_has_prefix (line, NS_CLI_WORKER_WRITTEN) || is_failed)
    self->n_unwritten -= self->n_unwritten > 0;
  if (g_str_has_prefix (line, NS_CLI_WORKER_WRITTEN))
    return;
  input = g_queue_pop_head (&self->inputs);
  if (g_str_has_prefix (line, NS_CLI_WORKER_DONE) && input != NULL)
    take_done (self, input, text);
  else if (is_failed && input != NULL)
    count_failure (self->jobs, input->name, text);
  else
    stop (self->jobs, g_error_new_literal (NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, text));
  if (input != NULL)
    input_free (input);
}

static void fill_jobs (Jobs *self);
static void read_report (Job *self);

static void
line_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *self = user_data;
  g_autofree char *line =
      g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  self->is_reading = FALSE;
  if (line != NULL)
    take_line (self, line);
  else
    take_end (self);
  read_report (self);
  report_progress (self->jobs);
  fill_jobs (self->jobs);
}

/* Waits for the next line of a worker that has traces. */
static void
read_report (Job *self)
{
  if (self->is_reading || self->inputs.length == 0)
    return;
  self->is_reading = TRUE;
  g_data_input_stream_read_line_async (self->output, G_PRIORITY_DEFAULT, NULL, line_cb, self);
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

/* Sends a trace to the worker. An unreadable trace has no ID: the worker repeats the attempt and
 * reports the error. */
static gboolean
send_input (const Job *self, const NsCliInput *input, GError **error)
{
  GOutputStream *to = g_subprocess_get_stdin_pipe (self->process);
  g_autofree char *size = g_strdup_printf ("%" G_GUINT64_FORMAT, input->size);
  const char *const words[] = { input->path,
                                input->name,
                                input->is_readable ? input->id : "",
                                size };
  g_autoptr (GString) bytes = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (words); i++)
    g_string_append_len (bytes, words[i], (gssize) strlen (words[i]) + 1);
  return g_output_stream_write_all (to, bytes->str, bytes->len, NULL, NULL, error);
}

/* Sends a trace to a worker, which is started if needed. If the worker has exited, an idle one is
 * replaced immediately; the trace for a busy one is queued again until the exit is handled. */
static gboolean
send_trace (Job *self, NsCliInput *input, GError **error)
{
  g_autoptr (GError) ended = NULL;
  gboolean is_idle = self->inputs.length == 0;

  if (self->process == NULL && !start (self, error))
    return FALSE;
  if (!send_input (self, input, &ended))
    {
      if (!g_error_matches (ended, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
        {
          g_propagate_error (error, g_steal_pointer (&ended));
          return FALSE;
        }
      if (!is_idle)
        {
          g_queue_push_head (&self->jobs->waiting, input);
          self->n_unwritten = MAX_AHEAD;
          return TRUE;
        }
      g_subprocess_wait (self->process, NULL, NULL);
      g_clear_object (&self->process);
      g_clear_object (&self->output);
      if (!start (self, error) || !send_input (self, input, error))
        return FALSE;
    }
  self->n_unwritten = is_idle ? 1 : self->n_unwritten + 1;
  g_queue_push_tail (&self->inputs, input);
  read_report (self);
  return TRUE;
}

/* Skips traces that were named before, or (when resuming) extracted before with the same logs. */
static gboolean
is_new (Jobs *self, NsCliInput *input)
{
  g_autoptr (GError) reason = NULL;
  gboolean is_there;
  g_autofree char *line = NULL;

  input->id = ns_cli_extract_make_id (input, &input->size, &reason);
  input->is_readable = reason == NULL;
  is_there = self->cli->options.want_resumed && ns_extract_target_has (self->target, input->id) &&
             has_same_logs (self, input->id);
  if (!g_hash_table_add (self->seen, g_strdup (input->id)))
    {
      self->counts->n_repeated++;
      line = g_strdup_printf (_ ("%s is the same trace as an earlier one; it is extracted once"),
                              input->name);
      if (!self->cli->options.is_quiet && self->counts->n_repeated <= MAX_REPORTED)
        ns_cli_print_message (line);
      return FALSE;
    }
  self->counts->n_there += is_there;
  return !is_there;
}

/* Returns the next trace to extract without removing it from the queue; %NULL: no more traces, or
 * stopped. */
static NsCliInput *
look_at_next (Jobs *self)
{
  while (self->waiting.length == 0 && self->error == NULL && !self->has_all_inputs &&
         !ns_cli_is_stopped ())
    {
      NsCliInput *input = g_new0 (NsCliInput, 1);
      GError *error = NULL;

      self->has_all_inputs = !ns_cli_inputs_next (self->inputs, input, &error);
      if (error != NULL)
        stop (self, error);
      if (!self->has_all_inputs && is_new (self, input))
        g_queue_push_tail (&self->waiting, input);
      else
        input_free (input);
    }
  return self->error == NULL && !ns_cli_is_stopped () ? g_queue_peek_head (&self->waiting) : NULL;
}

/* Returns whether a busy worker may get another trace. */
static gboolean
may_send_ahead (const Job *self, const NsCliInput *input)
{
  const NsCliInput *last = g_queue_peek_tail ((GQueue *) &self->inputs);

  return self->n_unwritten < MAX_AHEAD && !last->is_alone && last->size <= MAX_AHEAD_BYTES &&
         !input->is_alone && input->size <= MAX_AHEAD_BYTES;
}

static gboolean
is_busy (const Jobs *self)
{
  guint i;

  for (i = 0; i < self->n_jobs; i++)
    if (self->list[i].inputs.length > 0)
      return TRUE;
  return FALSE;
}

/* Hands out traces: first to idle workers, then ahead to busy ones. Quits the main loop when no
 * worker is busy. */
static void
fill_jobs (Jobs *self)
{
  guint round;
  guint i;

  for (round = 0; round < MAX_AHEAD; round++)
    for (i = 0; i < self->n_jobs; i++)
      {
        Job *job = &self->list[i];
        NsCliInput *next = look_at_next (self);
        GError *error = NULL;

        if (next == NULL)
          break;
        if (round == 0 ? job->inputs.length > 0
                       : job->inputs.length == 0 || !may_send_ahead (job, next))
          continue;
        g_queue_pop_head (&self->waiting);
        if (!send_trace (job, next, &error))
          {
            input_free (next);
            stop (self, error);
          }
      }
  if (!is_busy (self))
    g_main_loop_quit (self->loop);
}

static gboolean
stopped_cb (gint fd, GIOCondition condition, gpointer user_data)
{
  Jobs *self = user_data;

  stop (self, g_error_new_literal (NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped")));
  return G_SOURCE_CONTINUE; /* removed with the others at the end */
}

/* Ends all workers: idle ones exit when their input closes, busy ones get SIGTERM. */
static void
end_jobs (Jobs *self)
{
  guint i;

  for (i = 0; i < self->n_jobs; i++)
    {
      Job *job = &self->list[i];

      if (job->process == NULL)
        continue;
      if (job->inputs.length > 0)
        g_subprocess_send_signal (job->process, SIGTERM);
      g_output_stream_close (g_subprocess_get_stdin_pipe (job->process), NULL, NULL);
    }
  for (i = 0; i < self->n_jobs; i++)
    {
      Job *job = &self->list[i];

      if (job->process == NULL)
        continue;
      g_subprocess_wait (job->process, NULL, NULL);
      g_clear_object (&job->output);
      g_clear_object (&job->process);
      g_queue_clear_full (&job->inputs, input_free);
    }
  g_queue_clear_full (&self->waiting, input_free);
}

/**
 * ns_cli_extract_run_jobs: (skip)
 * @cli: the parsed command line
 * @inputs: the traces
 * @target: where to write the tables
 * @counts: (inout): results so far
 * @error: %NS_TRACE_ERROR_WRITE: the target cannot be written
 *
 * Extracts all traces in worker processes.
 *
 * Returns: %FALSE with @error set if it was stopped
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
  for (i = 0; i < n_jobs; i++)
    self.list[i].jobs = &self;
  /* Processes take time to start, so the workers are started before the target is prepared. */
  fill_jobs (&self);
  if (self.error == NULL)
    ns_extract_target_begin (target, &self.error);
  if (self.error == NULL && is_busy (&self))
    g_main_loop_run (self.loop);
  /* The user may have stopped the program while the main loop was not running. */
  if (self.error == NULL && ns_cli_is_stopped () &&
      (!self.has_all_inputs || self.waiting.length > 0))
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
 * @cli: the parsed command line
 * @input: a trace
 *
 * Returns: the options to extract @input, without its ID
 */
NsExtractOptions
ns_cli_extract_get_options (const NsCli *cli, const NsCliInput *input)
{
  NsExtractOptions options = { .file = input->name,
                               .is_redacted = cli->options.want_redacted,
                               .progress = ns_cli_progress,
                               .progress_data = (gpointer) cli };

  /* The value was checked before. */
  ns_cli_extract_parse_stacks (&cli->options, &options.stacks, NULL);
  return options;
}

/**
 * ns_cli_extract_make_id: (skip)
 * @input: a trace
 * @size: (out): its size in bytes
 * @error: set if the trace cannot be read
 *
 * Returns: (transfer full): an ID of the trace's contents; with @error set an ID made of its name
 */
char *
ns_cli_extract_make_id (const NsCliInput *input, guint64 *size, GError **error)
{
  char *id = ns_extract_make_id (input->path, size, error);
  g_autofree char *sum = NULL;

  if (id != NULL)
    return id;
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, input->name, -1);
  return g_strndup (sum, NS_EXTRACT_ID_DIGITS);
}
