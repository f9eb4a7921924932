/* Opens the named files, and reports progress and problems.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-plain.h"
#include "cli/ns-cli.h"
#include "engine/app/wfp/ns-wfp.h"
#include "engine/open/ns-log.h"
#include "engine/trace/ns-trace-align.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>

/* Maximum number of files that are reported one by one as left out. */
#define MAX_REPORTED 20

/**
 * ns_cli_print_message:
 * @message: a message
 *
 * Writes one line to standard error, replacing control characters of @message.
 */
void
ns_cli_print_message (const char *message)
{
  g_autofree char *valid = g_utf8_make_valid (message, -1);
  g_autoptr (GString) line = NULL;

  ns_plain_make (valid);
  line = g_string_new (valid);
  ns_cli_name_input (line);
  g_printerr ("netstitch-cli: %s\n", line->str);
}

/**
 * ns_cli_report_written: (skip)
 * @cli: an export that is done
 *
 * Prints the name, number of rows and size of the written file, unless --quiet is set.
 */
void
ns_cli_report_written (const NsCli *cli)
{
  const char *path = cli->options.output;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autofree char *size = NULL;
  GStatBuf status;

  if (cli->options.is_quiet || !ns_cli_output_is_file (cli) || g_stat (path, &status) != 0)
    return;
  name = g_filename_display_name (path);
  size = g_format_size ((guint64) status.st_size);
  /* Translators: a file name, a number of rows, and a size such as “12.3 kB” */
  text = g_strdup_printf (ngettext ("wrote %s: %u row, %s", "wrote %s: %u rows, %s", cli->n_chosen),
                          name,
                          cli->n_chosen,
                          size);
  ns_cli_print_message (text);
}

/**
 * ns_cli_print_message_lines:
 * @message: a message of this program with several lines
 *
 * Prints each line like ns_cli_print_message().
 */
void
ns_cli_print_message_lines (const char *message)
{
  g_auto (GStrv) lines = g_strsplit (message, "\n", -1);
  guint i;

  for (i = 0; lines[i] != NULL; i++)
    ns_cli_print_message (lines[i]);
}

/**
 * ns_cli_progress:
 * @fraction: progress, 0 … 1
 * @cli: (type NsCli): the parsed command line
 *
 * A #NsProgressFunc.
 *
 * Returns: %FALSE if the user stopped the program
 */
gboolean
ns_cli_progress (double fraction, gpointer cli)
{
  const NsCli *self = cli;

  if (self->options.want_progress)
    g_printerr ("\r%3d %%%s", (int) (fraction * 100), fraction >= 1 ? "\n" : "");
  return !ns_cli_is_stopped ();
}

/**
 * ns_cli_report_refused:
 * @cli: the parsed command line
 * @refused: (nullable) (element-type NsEtlRefused): files
 *
 * Reports on standard error which named files are not read, and why.
 */
void
ns_cli_report_refused (NsCli *cli, const GPtrArray *refused)
{
  guint i;

  if (cli->options.is_quiet || refused == NULL)
    return;
  for (i = 0; i < MIN (refused->len, MAX_REPORTED); i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);
      const char *text = ns_etl_refused_get_reason (one, cli->options.want_redacted);
      g_autofree char *name = ns_cli_redact_dup_file (cli, one->path, one->member);
      g_autofree char *reason = ns_cli_redact_dup_reason (cli, one->path, text);
      /* Translators: a file that was named, and a reason. */
      g_autofree char *line = g_strdup_printf (_ ("%s is left out: %s"), name, reason);

      ns_cli_print_message (line);
    }
  if (i < refused->len)
    {
      g_autofree char *more =
          g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                        "%u more file is left out; info lists it",
                                        "%u more files are left out; info lists them",
                                        refused->len - i),
                           refused->len - i);

      ns_cli_print_message (more);
    }
}

/**
 * ns_cli_report_one_machine:
 * @cli: the parsed command line
 * @file: a trace of one of the machines
 *
 * If traces of several machines were named, reports on standard error that this verb shows one, and
 * how to see the others.
 */
void
ns_cli_report_one_machine (NsCli *cli, const NsEtlFile *file)
{
  g_autofree char *line = NULL;

  if (cli->options.is_quiet || !ns_etl_file_has_other_machines (file))
    return;
  /* Translators: the name of a command. */
  line = g_strdup_printf (_ ("%s shows one machine: specify only the files of another machine to "
                             "see that one; tables, events and pairs show all"),
                          cli->verb->name);
  ns_cli_print_message (line);
}

/* Returns where the damage is, as the file and the byte offset within it; (transfer full). */
static char *
dup_place (const NsCli *cli, const NsEtlFile *file, const NsEtlDamage *damage)
{
  guint64 offset = damage->offset;
  guint input = ns_etl_file_find_input_of_byte (file, &offset);
  g_autofree char *name = NULL;

  if (ns_etl_file_get_n_inputs (file) == 1)
    return g_strdup_printf (_ ("at byte %" PRIu64 ": %s"), offset, damage->what);
  name = ns_cli_redact_dup_file (cli,
                                 ns_etl_file_get_path (ns_etl_file_get_input (file, input)),
                                 NULL);
  return g_strdup_printf (_ ("%s, at byte %" PRIu64 ": %s"), name, offset, damage->what);
}

static gboolean
report_damaged (const NsCli *cli, const NsEtlFile *file)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  g_autofree char *name = NULL;
  g_autofree char *line = NULL;

  if (report->damage->len == 0)
    return FALSE;
  name = ns_cli_redact_dup_file (cli, ns_etl_file_get_path (file), NULL);
  /* Translators: the numbers count damaged places, buffers and bytes. */
  line = g_strdup_printf (_ ("%s is damaged: places: %u, buffers: %" PRIu64
                             ", bytes left out: %" PRIu64),
                          name,
                          report->damage->len,
                          report->n_damaged,
                          report->n_bytes_dropped);
  ns_cli_print_message (line);
  return TRUE;
}

/* Reports each damaged file of a case. */
static gboolean
report_damaged_inputs (const NsCli *cli, const NsEtlFile *file)
{
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  gboolean is_any = FALSE;
  guint i;

  for (i = 0; n_inputs > 1 && i < n_inputs; i++)
    is_any = report_damaged (cli, ns_etl_file_get_input (file, i)) || is_any;
  return is_any;
}

/**
 * ns_cli_report_damage:
 * @cli: the parsed command line
 * @file: a trace that was walked
 *
 * Reports on standard error what could not be read and what the session lost.
 */
void
ns_cli_report_damage (NsCli *cli, const NsEtlFile *file)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  guint i;

  if (cli->options.is_quiet || report->damage->len == 0)
    return;
  if (!report_damaged_inputs (cli, file))
    report_damaged (cli, file);
  for (i = 0; i < report->damage->len; i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);
      g_autofree char *place = NULL;

      /* Damage of companions is always listed, because the output of the records does not show
       * it. */
      if (!cli->options.is_verbose && !damage->is_beside)
        continue;
      place = dup_place (cli, file, damage);
      ns_cli_print_message (place);
    }
}

/**
 * ns_cli_find_file:
 * @cli: the parsed command line
 * @error: return location
 *
 * Opens the named files except for logs. Does not report yet what is left out.
 *
 * Returns: (transfer full) (nullable): the trace, not walked yet; %NULL with @error set if it
 *   cannot be opened
 */
NsEtlFile *
ns_cli_find_file (NsCli *cli, GError **error)
{
  g_autoptr (GPtrArray) logs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  g_autoptr (NsEtlFile) file = NULL;

  if (!ns_side_check_offsets (cli->options.offsets, error))
    return NULL;
  ns_side_split ((const char *const *) cli->options.files,
                 cli->options.is_recursive,
                 cli->options.time_columns,
                 traces,
                 logs);
  ns_wfp_take_names_file (traces);
  /* A log without a trace is opened as a trace, so that the error says what is wrong. */
  if (traces->len == 0)
    g_ptr_array_add (traces, cli->options.files[0]);
  g_ptr_array_add (traces, NULL);
  file =
      ns_etl_file_open_case ((const char *const *) traces->pdata,
                             cli->options.member,
                             cli->options.is_recursive ? NS_ETL_CASE_RECURSIVE : NS_ETL_CASE_PLAIN,
                             error);
  if (file != NULL)
    ns_log_accept_archives (file, cli->options.time_columns);
  if (file == NULL || !ns_trace_shift_inputs (file, cli->options.offsets, FALSE, error))
    return NULL;
  return g_steal_pointer (&file);
}

/**
 * ns_cli_open_file:
 * @cli: the parsed command line
 * @error: return location
 *
 * Like ns_cli_find_file(), and reports what is left out.
 *
 * Returns: (transfer full) (nullable): the trace, not walked yet; %NULL with @error set if it
 *   cannot be opened
 */
NsEtlFile *
ns_cli_open_file (NsCli *cli, GError **error)
{
  NsEtlFile *file = ns_cli_find_file (cli, error);

  if (file == NULL)
    return NULL;
  ns_cli_report_refused (cli, ns_etl_file_get_refused (file));
  ns_cli_report_one_machine (cli, file);
  return file;
}

/**
 * ns_cli_name_files:
 * @cli: the parsed command line
 * @options: (inout): options for opening a trace
 *
 * Makes @options open all named files as one trace, which has the name of the first.
 */
void
ns_cli_name_files (const NsCli *cli, NsTraceOptions *options)
{
  options->view = cli->view;
  options->member = cli->options.member;
  options->beside = (const char *const *) cli->options.files + 1;
  options->is_recursive = cli->options.is_recursive;
  options->offsets = cli->options.offsets;
  options->time_columns = cli->options.time_columns;
}
