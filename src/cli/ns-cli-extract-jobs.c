/* Worker processes of `extract`, each of which reads one trace at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"
#include "base/ns-hash.h"
#include "cli/ns-cli-extract.h"
#include "cli/ns-cli-process.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_JOBS 1024
/* Maximum number of failures that are reported one by one. */
#define MAX_REPORTED 20
/* Share of the machine's memory that all jobs may use. */
#define MEMORY_PARTS 4
#define MEMORY_PARTS_TAKEN 3
#define BYTES_PER_MIB (1024 * 1024)
/* Small traces are sent ahead, so that a worker need not wait for the next one: at most MAX_AHEAD
 * per worker, of at most MAX_AHEAD_BYTES each. */
#define MAX_AHEAD 2
#define MAX_AHEAD_BYTES BYTES_PER_MIB
/* Their descriptions fit into the smallest pipe: a worker reads none while it writes a report,
 * which may be longer than its pipe. */
#define MAX_AHEAD_NAME_BYTES 900

typedef struct _Jobs Jobs;

/* One worker process and the traces sent to it. */
typedef struct
{
  Jobs *jobs;
  NsCliProcess process;
  guint source;      /* waits for its output */
  GString *output;   /* the begin of a line, without its end yet */
  GQueue inputs;     /* (element-type NsCliInput): oldest first, until reported */
  guint n_unwritten; /* the last of @inputs, not reported as written or failed yet */
} Job;

struct _Jobs
{
  NsCli *cli;
  NsCliInputs *inputs;
  NsExtractTarget *target;
  NsCliExtractCounts *counts;
  GHashTable *seen; /* (element-type utf8): IDs of traces seen so far */
  char *options;    /* see describe_options() */
  GMainLoop *loop;
  Job *list;
  guint n_jobs;
  GQueue waiting; /* (element-type NsCliInput): not sent to a worker yet */
  gint64 begin_us;
  GError *error;
  gboolean has_all_inputs; /* all inputs were handed out */
};

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

static void
append_option (GString *text, const char *name, const char *value)
{
  if (value != NULL)
    g_string_append_printf (text, "%s=%s\n", name, value);
}

/* Returns a text that stands for all that the rows depend on other than the trace; of files that
 * are no logs, it has the names; (transfer full) (nullable): %NULL: the defaults. */
static char *
describe_options (const NsCliOptions *options, const GPtrArray *logs)
{
  GString *text = g_string_new (NULL);
  g_autofree char *id = identify_logs (options, logs);

  append_option (text, "logs", id);
  append_option (text, "manifests", options->manifests);
  append_option (text, "member", options->member);
  append_option (text, "redact", options->want_redacted ? "yes" : NULL);
  append_option (text, "reference", options->is_like_reference ? "yes" : NULL);
  append_option (text, "secret-names", options->secret_names);
  append_option (text, "secrets", options->want_secrets ? "yes" : NULL);
  append_option (text, "stacks", options->stacks);
  append_option (text, "tables", options->tables);
  append_option (text, "thresholds", options->thresholds);
  append_option (text, "wfp", options->wfp_names);
  return g_string_free (text, text->len == 0);
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
count_failure (Jobs *self, const NsCliInput *input, const char *reason)
{
  const char *name = input->name;
  g_autofree char *line = NULL;

  ns_extract_target_replace_failure (self->target, input->path, input->id);
  self->counts->n_failed++;
  if (self->cli->options.is_quiet || self->counts->n_failed > MAX_REPORTED)
    return;
  if (self->counts->n_failed == MAX_REPORTED)
    line = g_strdup (_ ("further failures are listed only in the table of failures"));
  else if (g_str_has_prefix (reason, name))
    line = g_strdup (reason);
  else
    line = g_strdup_printf ("%s: %s", name, reason);
  ns_cli_print_message (line);
}

static void
input_free (gpointer data)
{
  ns_cli_input_clear (data);
  g_free (data);
}

/* @status: of the process that read the trace, see waitpid(). */
static void
report_end (Job *self, const NsCliInput *input, int status)
{
  Jobs *jobs = self->jobs;
  NsExtractOptions options = ns_cli_extract_get_options (jobs->cli, input);
  g_autofree char *reason = NULL;
  GError *error = NULL;

  if (WIFSIGNALED (status))
    reason = g_strdup_printf (_ ("the process that read it was terminated by signal %d (%s)"),
                              WTERMSIG (status),
                              g_strsignal (WTERMSIG (status)));
  else
    reason = g_strdup_printf (_ ("the process that read it exited with status %d; the trace may "
                                 "need more memory than the %s available to each job"),
                              WEXITSTATUS (status),
                              "--memory");
  options.id = input->id;
  options.size = input->size;
  if (!ns_extract_target_write_failure (jobs->target, &options, reason, &error))
    stop (jobs, error);
  else
    count_failure (jobs, input, reason);
}

/* Waits for the exit of a worker. Returns its status, see waitpid(). */
static int
end_process (Job *self)
{
  g_source_remove (self->source);
  g_string_truncate (self->output, 0);
  return ns_cli_process_wait (&self->process);
}

/* Handles the exit of a worker. If it still has traces, a single trace counts as failed; several
 * are queued again, each for a worker of its own, to find the one that ends the process. */
static void
handle_exit (Job *self)
{
  int status = end_process (self);
  NsCliInput *input;
  GList *i;

  for (i = self->inputs.head; i != NULL; i = i->next)
    ns_extract_target_remove_remains (self->jobs->target, ((NsCliInput *) i->data)->id);
  if (self->inputs.length == 1)
    {
      input = g_queue_pop_head (&self->inputs);
      report_end (self, input, status);
      input_free (input);
    }
  while ((input = g_queue_pop_tail (&self->inputs)) != NULL)
    {
      input->is_alone = TRUE;
      g_queue_push_head (&self->jobs->waiting, input);
    }
  self->n_unwritten = 0;
}

static void
take_done (Job *self, const NsCliInput *input, const char *n_rows)
{
  self->jobs->counts->n_done++;
  self->jobs->counts->n_rows += g_ascii_strtoull (n_rows, NULL, 10);
  ns_extract_target_store_options (self->jobs->target, input->id, self->jobs->options);
  ns_extract_target_replace_failure (self->jobs->target, input->path, NULL);
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
    count_failure (self->jobs, input, text);
  else
    stop (self->jobs, g_error_new_literal (NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, text));
  if (input != NULL)
    input_free (input);
}

static void
take_lines (Job *self)
{
  char *begin = self->output->str;
  char *end;

  while ((end = strchr (begin, '\n')) != NULL && self->jobs->error == NULL)
    {
      *end = '\0';
      take_line (self, begin);
      begin = end + 1;
    }
  g_string_erase (self->output, 0, begin - self->output->str);
}

static void fill_jobs (Jobs *self);

static gboolean
output_cb (gint fd, GIOCondition condition, gpointer user_data)
{
  Job *self = user_data;
  char piece[4096];
  gssize n_bytes = read (fd, piece, sizeof piece);

  if (n_bytes < 0 && errno == EINTR)
    return G_SOURCE_CONTINUE;
  if (n_bytes > 0)
    {
      g_string_append_len (self->output, piece, n_bytes);
      take_lines (self);
    }
  else
    handle_exit (self);
  report_progress (self->jobs);
  fill_jobs (self->jobs);
  return G_SOURCE_CONTINUE; /* unless it was removed */
}

/* Runs in the worker: with the same options, but the logs as operands, and its share of the
 * memory. */
static int
work_cb (gpointer user_data)
{
  const Job *self = user_data;
  const GPtrArray *logs = ns_cli_inputs_get_logs (self->jobs->inputs);
  g_autofree char **files = g_new0 (char *, logs->len + 1);
  NsCli cli = *self->jobs->cli;
  guint i;

  for (i = 0; i < logs->len; i++)
    files[i] = g_ptr_array_index (logs, i);
  cli.options.files = files;
  cli.options.n_files = logs->len;
  cli.options.memory = get_memory_mib (&cli.options) / self->jobs->n_jobs;
  cli.options.want_progress = FALSE;
  return ns_cli_extract_work (&cli);
}

static gboolean
start (Job *self, GError **error)
{
  ns_extract_target_close_database (self->jobs->target);
  if (!ns_cli_process_start (&self->process, work_cb, self, error))
    return FALSE;
  self->source = g_unix_fd_add (self->process.from, G_IO_IN | G_IO_HUP, output_cb, self);
  return TRUE;
}

/* Sends a trace to the worker. The ID of an unreadable trace is marked: the worker repeats the
 * attempt and reports the error. */
static gboolean
send_input (const Job *self, const NsCliInput *input)
{
  g_autofree char *size = g_strdup_printf ("%" G_GUINT64_FORMAT, input->size);
  g_autofree char *id =
      g_strconcat (input->is_readable ? "" : NS_CLI_WORKER_UNREADABLE, input->id, NULL);
  const char *const words[] = { input->path, input->name, id, size };
  g_autoptr (GString) bytes = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (words); i++)
    g_string_append_len (bytes, words[i], (gssize) strlen (words[i]) + 1);
  return ns_fd_write_all (self->process.to, bytes->str, bytes->len);
}

static gboolean
refuse_to_send (GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_WRITE,
               _ ("cannot write to the process that reads traces: %s"),
               g_strerror (errno));
  return FALSE;
}

/* Sends a trace to a worker, which is started if needed. If the worker has exited, an idle one is
 * replaced immediately; the trace for a busy one is queued again until the exit is handled. */
static gboolean
send_trace (Job *self, NsCliInput *input, GError **error)
{
  gboolean is_idle = self->inputs.length == 0;

  /* It was to exit, but another worker lost its traces. */
  if (self->process.pid != 0 && self->process.to < 0)
    end_process (self);
  if (self->process.pid == 0 && !start (self, error))
    return FALSE;
  if (!send_input (self, input))
    {
      if (errno != EPIPE)
        return refuse_to_send (error);
      if (!is_idle)
        {
          g_queue_push_head (&self->jobs->waiting, input);
          self->n_unwritten = MAX_AHEAD;
          return TRUE;
        }
      end_process (self);
      if (!start (self, error))
        return FALSE;
      if (!send_input (self, input))
        return refuse_to_send (error);
    }
  self->n_unwritten = is_idle ? 1 : self->n_unwritten + 1;
  g_queue_push_tail (&self->inputs, input);
  return TRUE;
}

/* Skips traces that were named before, or (when resuming) extracted before with the same options.
 */
static gboolean
is_new (Jobs *self, NsCliInput *input)
{
  g_autoptr (GError) reason = NULL;
  gboolean is_there;
  g_autofree char *line = NULL;

  input->id = ns_cli_extract_make_id (input, &input->size, &reason);
  input->is_readable = reason == NULL;
  /* Inputs that cannot be read may have the same name in several folders. */
  if (!input->is_readable && g_hash_table_contains (self->seen, input->id))
    {
      g_free (input->id);
      input->id = ns_cli_extract_make_name_id (input->path);
    }
  is_there = self->cli->options.want_resumed &&
             ns_extract_target_has (self->target, input->id, self->options);
  if (!g_hash_table_add (self->seen, g_strdup (input->id)))
    {
      self->counts->n_repeated++;
      line = g_strdup_printf (_ ("%s is the same trace as an earlier one; it is extracted once"),
                              input->name);
      if (!self->cli->options.is_quiet && self->counts->n_repeated <= MAX_REPORTED)
        ns_cli_print_message (line);
      return FALSE;
    }
  self->counts->n_existing += is_there;
  if (!is_there && input->is_readable)
    ns_extract_target_expect_options (self->target, input->id, self->options);
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

  return self->n_unwritten < MAX_AHEAD && strlen (input->path) <= MAX_AHEAD_NAME_BYTES &&
         strlen (input->name) <= MAX_AHEAD_NAME_BYTES && !last->is_alone &&
         last->size <= MAX_AHEAD_BYTES && !input->is_alone && input->size <= MAX_AHEAD_BYTES;
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

/* Lets idle workers exit that get no more traces: they keep the memory of their last one. */
static void
end_idle_jobs (Jobs *self)
{
  guint i;

  for (i = 0; i < self->n_jobs && self->has_all_inputs && self->waiting.length == 0; i++)
    if (self->list[i].process.pid != 0 && self->list[i].inputs.length == 0)
      ns_cli_process_close_input (&self->list[i].process);
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
  end_idle_jobs (self);
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

      if (job->process.pid == 0)
        continue;
      if (job->inputs.length > 0)
        kill (job->process.pid, SIGTERM);
      ns_cli_process_close_input (&job->process);
    }
  for (i = 0; i < self->n_jobs; i++)
    {
      Job *job = &self->list[i];

      if (job->process.pid != 0)
        end_process (job);
      g_queue_clear_full (&job->inputs, input_free);
      g_string_free (job->output, TRUE);
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
 * Extracts all traces in worker processes. They are forked, so the caller must have a single
 * thread, and no code of this file may start another one.
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
  self.options = describe_options (&cli->options, ns_cli_inputs_get_logs (inputs));
  self.loop = g_main_loop_new (NULL, FALSE);
  self.list = g_new0 (Job, n_jobs);
  if (ns_cli_get_stop_fd () >= 0)
    stop_source = g_unix_fd_add (ns_cli_get_stop_fd (), G_IO_IN, stopped_cb, &self);
  for (i = 0; i < n_jobs; i++)
    self.list[i] = (Job){ .jobs = &self, .output = g_string_new (NULL) };
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
  g_free (self.options);
  g_free (self.list);
  if (self.error == NULL)
    return TRUE;
  g_propagate_error (error, self.error);
  return FALSE;
}
