/* A worker of `extract`: a process that reads one trace after the other, so that a crash costs one
 * trace only.
 *
 * A worker reads descriptions of traces from its standard input and reports the result of each on
 * its standard output.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-extract.h"

#include "base/ns-fd.h"
#include "base/ns-strings.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define KIB_PER_MIB 1024
#define HEAP_STEP_BYTES (2 * KIB_PER_MIB * KIB_PER_MIB)
#define HEAP_SPARE_BYTES (8 * HEAP_STEP_BYTES)
/* Maximum number of traces whose files are still temporary; each keeps about ten files open. */
#define MAX_WRITTEN 8

/* State of a worker process. */
typedef struct
{
  NsCli *cli;
  NsExtractTarget *target;
  GString *words;   /* bytes of standard input that are not parsed yet */
  GString *reports; /* lines that are not on standard output yet */
  GArray *written;  /* guint64: rows of each written, uncommitted trace */
  NsTrace *trace;   /* (nullable): the last one */
} Worker;

/* Adds one line; send_reports() writes it. */
static void
add_report (Worker *self, const char *word, const char *text)
{
  g_autofree char *line = g_strescape (text, NULL);

  g_string_append_printf (self->reports, "%s%s\n", word, line);
}

/* If nobody reads the reports any more, the input ends soon, too. */
static void
send_reports (Worker *self)
{
  ns_fd_write_all (STDOUT_FILENO, self->reports->str, self->reports->len);
  g_string_truncate (self->reports, 0);
}

static void
report (Worker *self, const char *word, const char *text)
{
  add_report (self, word, text);
  send_reports (self);
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

/* Reports on standard error what the tables of a trace leave out. */
static void
report_left_out (const Worker *self, const NsCliInput *input)
{
  NsCli *cli = self->cli;
  const NsEtlFile *file = self->trace->file;
  g_autofree char *line = NULL;

  if (cli->options.is_quiet)
    return;
  ns_cli_report_refused (cli, ns_etl_file_get_refused (file));
  ns_cli_report_damage (cli, file);
  ns_cli_report_logs (cli, self->trace);
  if (!ns_etl_file_has_other_machines (file))
    return;
  /* Translators: a file. */
  line = g_strdup_printf (_ ("%s contains traces of several machines, and only one of them is "
                             "extracted: put the files of each machine into an archive of its own"),
                          input->name);
  ns_cli_print_message (line);
}

/* Writes the tables of a trace. It is freed when the next one comes; the last one goes with the
 * process, as freeing a large one takes long. */
static gboolean
write_trace (Worker *self,
             const NsCliInput *input,
             const NsExtractOptions *options,
             guint64 *n_rows,
             GError **error)
{
  NsCli *cli = self->cli;
  NsTraceOptions trace_options = { .view = cli->view,
                                   .manifests = cli->options.manifests,
                                   .member = cli->options.member,
                                   .wfp_names = cli->options.wfp_names,
                                   .beside = (const char *const *) cli->options.files,
                                   .offsets = cli->options.offsets,
                                   .time_columns = cli->options.time_columns,
                                   .compat_reference = cli->options.is_like_reference,
                                   .skip_calls = FALSE };
  g_autoptr (NsExtract) extract = NULL;

  g_clear_pointer (&self->trace, ns_trace_unref);
  self->trace = ns_trace_open (input->path, &trace_options, options->progress, cli, error);
  if (self->trace == NULL || !check_size (input, options->size, error))
    return FALSE;
  report_left_out (self, input);
  extract = ns_extract_new (self->trace, options);
  return ns_extract_target_write (self->target, extract, options->id, n_rows, error);
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

      add_report (self, NS_CLI_WORKER_DONE, number);
    }
  send_reports (self);
  g_array_set_size (self->written, 0);
  return TRUE;
}

/* Returns an error's message with the name of the trace instead of its path, so that the table of
 * failures does not depend on the folder in which the program runs; (transfer full). */
static char *
name_trace (const NsCliInput *input, const char *message)
{
  g_autoptr (GString) text = g_string_new (message);

  if (*input->path != '\0')
    g_string_replace (text, input->path, input->name, 0);
  return ns_utf8_from_bytes (text->str, text->len);
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

/* Extracts one trace and reports the result. Returns %FALSE if the target cannot be written any
 * more, or the user stopped the program. */
static gboolean
take_input (Worker *self, const NsCliInput *input, GError **error)
{
  NsExtractOptions options = ns_cli_extract_get_options (self->cli, input);
  g_autoptr (GError) reason = NULL;
  guint64 n_rows = 0;
  g_autofree char *id = input->is_readable
                            ? g_strdup (input->id)
                            : ns_extract_make_id (input->path, &options.size, &reason);
  g_autofree char *text = NULL;

  if (id == NULL)
    id = g_str_has_prefix (input->id, NS_CLI_WORKER_UNREADABLE) && is_id (input->id + 1)
             ? g_strdup (input->id + 1)
             : ns_cli_extract_make_name_id (input->name);
  options.id = id;
  options.schema = ns_extract_target_get_schema (self->target);
  if (input->is_readable)
    options.size = input->size;
  if (reason == NULL && write_trace (self, input, &options, &n_rows, &reason))
    {
      g_array_append_val (self->written, n_rows);
      report (self, NS_CLI_WORKER_WRITTEN, "");
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
  text = name_trace (input, ns_cli_redact_get_message (self->cli, reason));
  if (!ns_extract_target_write_failure (self->target, &options, text, error) ||
      !commit (self, error))
    return FALSE;
  report (self, NS_CLI_WORKER_FAILED, text);
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

/**
 * ns_cli_extract_work: (skip)
 * @cli: the parsed command line, with the logs as operands and the memory of this process
 *
 * Runs a worker process: reads descriptions of traces from standard input until its end, and
 * reports on standard output.
 *
 * Returns: the exit status of the process
 */
int
ns_cli_extract_work (NsCli *cli)
{
  g_autoptr (GError) error = NULL;
  NsExtractTarget *target = ns_cli_extract_open_target (&cli->options, &error);
  Worker self = { .cli = cli, .target = target };

  if (target == NULL)
    {
      ns_cli_print_message (error->message);
      return NS_CLI_FAILED;
    }
  widen_heap ();
  limit_memory (cli->options.memory);
  self.words = g_string_new (NULL);
  self.reports = g_string_new (NULL);
  self.written = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (!read_inputs (&self, &error))
    report (&self, NS_CLI_WORKER_FATAL, error->message);
  /* The memory of the trace and of the target goes with the process. */
  ns_extract_target_close_database (target);
#ifdef __SANITIZE_ADDRESS__
  g_clear_pointer (&self.trace, ns_trace_unref);
  ns_extract_target_free (target);
#endif
  g_array_unref (self.written);
  g_string_free (self.reports, TRUE);
  g_string_free (self.words, TRUE);
  return NS_CLI_DONE;
}
