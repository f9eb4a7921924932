/* The verb `extract`: writes the tables of many traces as typed columns.
 *
 * Worker processes, started with --worker, read the traces, so a crash costs one trace only. A
 * worker reads names from its standard input and reports the result of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-extract.h"

#include "side/ns-side.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define KIB_PER_MIB 1024
#define HEAP_STEP_BYTES (2 * KIB_PER_MIB * KIB_PER_MIB)
#define HEAP_SPARE_BYTES (8 * HEAP_STEP_BYTES)
/* Tables are as confidential as traces: only the user can read them unless asked otherwise. */
#define PRIVATE 0600
/* Maximum number of traces whose files are still temporary; each keeps about ten files open. */
#define MAX_WRITTEN 8

/* State of a worker process. */
typedef struct
{
  NsCli *cli;
  NsExtractTarget *target;
  GString *words;  /* bytes of standard input that are not parsed yet */
  GArray *written; /* guint64: rows of each written, uncommitted trace */
} Worker;

static gboolean
parse_tables (const NsCliOptions *options, guint32 *tables, GError **error)
{
  g_auto (GStrv) names = g_strsplit (options->tables != NULL ? options->tables : "all", ",", -1);
  guint i;

  *tables = 0;
  for (i = 0; names[i] != NULL; i++)
    {
      NsExtractTableId id;

      if (strcmp (names[i], "all") == 0)
        *tables |= (1u << NS_EXTRACT_N_TABLES) - 1;
      else if (ns_extract_table_from_name (names[i], &id))
        *tables |= 1u << id;
      else
        return ns_trace_refuse_query (error,
                                      _ ("there is no table “%s”; --schema lists them"),
                                      names[i]);
    }
  return TRUE;
}

static NsExtractTarget *
open_target (const NsCliOptions *options, GError **error)
{
  NsExtractForm form = NS_EXTRACT_PARQUET;
  guint32 tables;
  guint mode = PRIVATE;

  if (options->as != NULL && !ns_extract_form_from_name (options->as, &form))
    {
      ns_trace_refuse_query (error, _ ("--as is parquet, sqlite or jsonl, not “%s”"), options->as);
      return NULL;
    }
  if (options->to_folder == NULL)
    {
      ns_trace_refuse_query (error,
                             _ ("specify the destination folder of the tables with --to DIR"));
      return NULL;
    }
  if (!parse_tables (options, &tables, error) || !ns_cli_check_mode (options, &mode, error))
    return NULL;
  return ns_extract_target_new (form, options->to_folder, tables, mode, error);
}

/* Prints one line of a worker; send_reports() flushes it. */
static void
add_report (const char *word, const char *text)
{
  g_autofree char *line = g_strescape (text, NULL);

  printf ("%s%s\n", word, line);
}

static void
send_reports (void)
{
  fflush (stdout);
}

static void
report (const char *word, const char *text)
{
  add_report (word, text);
  send_reports ();
}

static gboolean
check_size (const NsCliInput *input, guint64 size, GError **error)
{
  GStatBuf status;

  if (g_stat (input->path, &status) == 0 && (guint64) status.st_size == size)
    return TRUE;
  g_set_error_literal (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_OPEN,
                       _ ("it was written to while it was read; try again when it is complete"));
  return FALSE;
}

static gboolean
write_trace (NsCli *cli,
             const NsCliInput *input,
             const NsExtractOptions *options,
             NsExtractTarget *target,
             guint64 *n_rows,
             GError **error)
{
  NsTraceOptions trace_options = { .view = cli->view,
                                   .manifests = cli->options.manifests,
                                   .member = cli->options.member,
                                   .wfp_names = cli->options.wfp_names,
                                   .beside = (const char *const *) cli->options.files,
                                   .offsets = cli->options.offsets,
                                   .time_columns = cli->options.time_columns,
                                   .compat_reference = cli->options.is_like_reference,
                                   .skip_calls = FALSE };
  g_autoptr (NsTrace) trace =
      ns_trace_open (input->path, &trace_options, options->progress, cli, error);
  g_autoptr (NsExtract) extract = NULL;

  if (trace == NULL || !check_size (input, options->size, error))
    return FALSE;
  extract = ns_extract_new (trace, options);
  return ns_extract_target_write (target, extract, options->id, n_rows, error);
}

/* Renames the files of all written traces to their final names and reports the number of rows of
 * each trace. */
static gboolean
commit (Worker *self, GError **error)
{
  guint i;

  if (!ns_extract_target_commit (self->target, error))
    return FALSE;
  for (i = 0; i < self->written->len; i++)
    {
      g_autofree char *number =
          g_strdup_printf ("%" G_GUINT64_FORMAT, g_array_index (self->written, guint64, i));

      add_report (NS_CLI_WORKER_DONE, number);
    }
  send_reports ();
  g_array_set_size (self->written, 0);
  return TRUE;
}

/* Extracts one trace and reports the result. Returns %FALSE if the target cannot be written any
 * more, or the user stopped the program. */
static gboolean
take_input (Worker *self, const NsCliInput *input, GError **error)
{
  NsExtractOptions options = ns_cli_extract_get_options (self->cli, input);
  g_autoptr (GError) reason = NULL;
  guint64 n_rows = 0;
  g_autofree char *id = input->is_readable ? g_strdup (input->id)
                                           : ns_cli_extract_make_id (input, &options.size, &reason);

  options.id = id;
  if (input->is_readable)
    options.size = input->size;
  if (reason == NULL && write_trace (self->cli, input, &options, self->target, &n_rows, &reason))
    {
      g_array_append_val (self->written, n_rows);
      report (NS_CLI_WORKER_WRITTEN, "");
      return TRUE;
    }
  if (g_error_matches (reason, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE) ||
      g_error_matches (reason, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED))
    {
      /* The traces before this one are complete. */
      commit (self, NULL);
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  if (!ns_extract_target_write_failure (self->target, &options, reason->message, error) ||
      !commit (self, error))
    return FALSE;
  report (NS_CLI_WORKER_FAILED, reason->message);
  return TRUE;
}

/* Reads a word that ends with a zero byte; (transfer full); %NULL: end of input. */
static char *
read_word (Worker *self)
{
  for (;;)
    {
      const char *end = memchr (self->words->str, '\0', self->words->len);
      char piece[4096];
      gssize n_bytes;

      if (end != NULL)
        {
          char *word = g_strdup (self->words->str);

          g_string_erase (self->words, 0, end - self->words->str + 1);
          return word;
        }
      n_bytes = read (STDIN_FILENO, piece, sizeof piece);
      if (n_bytes < 0 && errno == EINTR && !ns_cli_is_stopped ())
        continue;
      if (n_bytes <= 0)
        return NULL;
      g_string_append_len (self->words, piece, n_bytes);
    }
}

/* Returns whether the word has the form of an ID. IDs become names of files and folders, so nothing
 * else is accepted. */
static gboolean
is_id (const char *word)
{
  gsize i;

  for (i = 0; g_ascii_isxdigit (word[i]); i++)
    ;
  return i == NS_EXTRACT_ID_DIGITS && word[i] == '\0';
}

/* Reads the description of one trace from standard input. Without a valid ID, take_input() makes
 * one. Returns %FALSE at the end of input. */
static gboolean
read_input (Worker *self, NsCliInput *input)
{
  g_autofree char *size = NULL;

  input->path = read_word (self);
  input->name = read_word (self);
  input->id = read_word (self);
  size = read_word (self);
  if (size == NULL)
    return FALSE;
  input->size = g_ascii_strtoull (size, NULL, 10);
  input->is_readable = is_id (input->id);
  return TRUE;
}

/* Returns whether another trace can be read without waiting. */
static gboolean
has_next (const Worker *self)
{
  GPollFD words = { STDIN_FILENO, G_IO_IN, 0 };

  return self->words->len > 0 || (g_poll (&words, 1, 0) > 0 && (words.revents & G_IO_IN) != 0);
}

/* Limits the data of this process. Sanitizers map far more than they use, so their builds have no
 * limit. */
static void
limit_memory (gint64 mib)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  struct rlimit limit;

  if (mib <= 0 || getrlimit (RLIMIT_DATA, &limit) != 0)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, (rlim_t) mib * KIB_PER_MIB * KIB_PER_MIB);
  setrlimit (RLIMIT_DATA, &limit);
#endif
}

/* Grows the heap in large steps. Page by page, a large trace would need tens of thousands of system
 * calls, each of which blocks the other threads. */
static void
widen_heap (void)
{
#ifdef __GLIBC__
  mallopt (M_TOP_PAD, HEAP_STEP_BYTES);
  mallopt (M_TRIM_THRESHOLD, HEAP_SPARE_BYTES);
#endif
}

/* Reads traces until the end of input. Small traces are committed in batches, so that one flush to
 * disk serves all of a batch. */
static gboolean
read_inputs (Worker *self, GError **error)
{
  for (;;)
    {
      g_auto (NsCliInput) input = { NULL };

      if (!read_input (self, &input))
        return commit (self, error);
      if (!take_input (self, &input, error))
        return FALSE;
      if ((self->written->len >= MAX_WRITTEN || !has_next (self)) && !commit (self, error))
        return FALSE;
    }
}

static gboolean
work (NsCli *cli, NsExtractTarget *target)
{
  Worker self = { .cli = cli, .target = target };
  g_autoptr (GError) fatal = NULL;

  widen_heap ();
  limit_memory (cli->options.memory);
  self.words = g_string_new (NULL);
  self.written = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (!read_inputs (&self, &fatal))
    report (NS_CLI_WORKER_FATAL, fatal->message);
  g_array_unref (self.written);
  g_string_free (self.words, TRUE);
  return TRUE;
}

static void
report_counts (const NsCli *cli, const NsCliExtractCounts *counts)
{
  g_autofree char *line = NULL;

  if (cli->options.is_quiet)
    return;
  /* Translators: numbers of traces, and of rows of tables. */
  line = g_strdup_printf (_ ("traces extracted: %" PRIu64 ", failed: %" PRIu64
                             ", already present: %" PRIu64 ", specified twice: %" PRIu64
                             "; rows: %" PRIu64),
                          counts->n_done,
                          counts->n_failed,
                          counts->n_there,
                          counts->n_repeated,
                          counts->n_rows);
  ns_cli_print_message (line);
}

static gboolean
check_logs (const NsCliOptions *options, const NsCliInputs *inputs, GError **error)
{
  if (!ns_side_check_offsets (options->offsets, error))
    return FALSE;
  if (options->from_file == NULL && ns_cli_inputs_get_logs (inputs)->len == options->n_files)
    return ns_trace_refuse_query (
        error,
        _ ("%s is a log file, not a trace; specify the trace that it belongs to as well"),
        options->files[0]);
  return TRUE;
}

/**
 * ns_cli_extract:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `extract`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_extract (NsCli *cli, GError **error)
{
  g_autoptr (NsExtractTarget) target = NULL;
  g_autoptr (NsCliInputs) inputs = NULL;
  NsCliExtractCounts counts = { 0 };
  NsExtractStacks stacks;

  if (cli->options.want_extract_schema)
    {
      g_autofree char *json = ns_extract_schema_to_json ();

      return ns_cli_write (json, strlen (json), cli, error);
    }
  if (cli->options.n_files == 0 && cli->options.from_file == NULL && !cli->options.is_worker)
    return ns_trace_refuse_query (error,
                                  _ ("usage: netstitch-cli %s %s"),
                                  cli->verb->name,
                                  _ (cli->verb->operands));
  if (!ns_cli_extract_parse_stacks (&cli->options, &stacks, error))
    return FALSE;
  if (!cli->options.is_worker)
    {
      inputs = ns_cli_inputs_new (&cli->options, error);
      if (inputs == NULL || !check_logs (&cli->options, inputs, error))
        return FALSE;
    }
  target = open_target (&cli->options, error);
  if (target == NULL)
    return FALSE;
  if (cli->options.is_worker)
    return work (cli, target);
  if (!ns_cli_extract_run_jobs (cli, inputs, target, &counts, error))
    return FALSE;
  report_counts (cli, &counts);
  if (counts.n_failed > 0)
    cli->status = NS_CLI_PARTLY;
  return TRUE;
}
