/* Output of the program: standard output, or a file that appears only when it is complete. Also the
 * signal handlers that stop the program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"
#include "base/ns-plain.h"
#include "cli/ns-cli.h"
#include "export/ns-export-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE (1u << 16)
/* U+FFFD. */
#define REPLACEMENT "\xef\xbf\xbd"

struct _NsCliOutput
{
  NsExportFile *file; /* NULL: standard output */
  char *temporary;    /* (nullable): path of the temporary file, for signal handlers */
  GString *waiting;
  gboolean is_terminal;
  gboolean is_broken; /* the reader has closed the pipe */
};

/* Path of the temporary file, for signal handlers that end the program. */
static const char *volatile unfinished;
/* State of the output file. A handler that ends the program, in any thread, either removes the
 * temporary file or lets the program finish renaming it. */
enum
{
  WRITING,
  NAMING, /* the file is being renamed: too late to stop */
  DROPPED
};
static gint phase = WRITING;

/**
 * ns_cli_check_mode:
 * @options: the options
 * @mode: (inout) (optional): permission bits of the output file; unchanged without --mode
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: %TRUE if `--mode` is valid or missing, else %FALSE with @error set
 */
gboolean
ns_cli_check_mode (const NsCliOptions *options, guint *mode, GError **error)
{
  const char *text = options->mode;
  char *end = NULL;
  guint64 bits = text != NULL && g_ascii_isdigit (*text) ? g_ascii_strtoull (text, &end, 8) : 0;

  if (text == NULL)
    return TRUE;
  if (end == NULL || *end != '\0' || bits > 0777 || (bits & 0600) != 0600)
    return ns_trace_refuse_query (error,
                                  _ ("--mode needs permissions such as 0600 or 0644, not “%s”"),
                                  text);
  if (options->output == NULL && options->to_folder == NULL)
    return ns_trace_refuse_query (error, _ ("--mode applies to a file: specify it with --output"));
  if (mode != NULL)
    *mode = (guint) bits;
  return TRUE;
}

static NsCliOutput *
get_output (NsCli *cli, GError **error)
{
  g_autoptr (NsExportFile) file = NULL;

  if (cli->output != NULL)
    return cli->output;
  if (cli->options.output != NULL)
    {
      guint mode = 0600;

      if (!ns_cli_check_mode (&cli->options, &mode, error))
        return NULL;
      file = ns_export_file_new (cli->options.output, error);
      if (file == NULL)
        return NULL;
      ns_export_file_set_mode (file, mode);
    }
  cli->output = g_new0 (NsCliOutput, 1);
  if (file != NULL)
    cli->output->temporary = g_strdup (ns_export_file_get_temporary (file));
  unfinished = cli->output->temporary;
  cli->output->file = g_steal_pointer (&file);
  cli->output->waiting = g_string_sized_new (BLOCK_SIZE);
  cli->output->is_terminal = ns_cli_is_terminal (cli);
  return cli->output;
}

static gboolean
write_out (NsCliOutput *self, const char *data, gsize n_bytes, GError **error)
{
  if (self->file != NULL)
    return ns_export_file_write (data, n_bytes, self->file, error);
  if (ns_fd_write_all (STDOUT_FILENO, data, n_bytes))
    return TRUE;
  self->is_broken = errno == EPIPE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_WRITE,
               _ ("cannot write to standard output: %s"),
               g_strerror (errno));
  return FALSE;
}

static gboolean
flush (NsCliOutput *self, GError **error)
{
  gboolean is_written = write_out (self, self->waiting->str, self->waiting->len, error);

  g_string_truncate (self->waiting, 0);
  return is_written;
}

/* Returns whether the control character is harmless: tabs, and the direction marks of right-to-left
 * text. */
static gboolean
is_harmless (gunichar c)
{
  return c == '\t' || c == 0x200e || c == 0x200f;
}

/* Appends output for a terminal: control characters of any text of the trace are replaced. Files
 * get every byte. */
static void
append_shown (GString *text, const char *data, gsize n_bytes)
{
  const char *end = data + n_bytes;

  while (data < end)
    {
      gunichar c = g_utf8_get_char_validated (data, end - data);
      gboolean is_none = c == (gunichar) -1 || c == (gunichar) -2;
      gsize n = is_none ? 1 : (gsize) (g_utf8_next_char (data) - data);
      gboolean ends_line = c == '\n' || (c == '\r' && data + 1 < end && data[1] == '\n');

      if (!ends_line && !is_harmless (c) && (is_none || ns_plain_is_disturbing (c)))
        g_string_append (text, REPLACEMENT);
      else
        g_string_append_len (text, data, (gssize) n);
      data += n;
    }
}

/**
 * ns_cli_write:
 * @data: (array length=n_bytes): a piece of the output
 * @n_bytes: its length
 * @cli: (type NsCli): the parsed command line
 * @error: return location
 *
 * A #NsExportWriteFunc.
 *
 * Returns: %FALSE with @error set if it could not be written
 */
gboolean
ns_cli_write (const char *data, gsize n_bytes, gpointer cli, GError **error)
{
  NsCliOutput *self = get_output (cli, error);

  if (self == NULL)
    return FALSE;
  if (ns_cli_is_stopped ())
    {
      g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
      return FALSE;
    }
  if (self->waiting->len + n_bytes > BLOCK_SIZE && !flush (self, error))
    return FALSE;
  if (self->is_terminal)
    {
      append_shown (self->waiting, data, n_bytes);
      return TRUE;
    }
  if (n_bytes > BLOCK_SIZE)
    return write_out (self, data, n_bytes, error);
  g_string_append_len (self->waiting, data, (gssize) n_bytes);
  return TRUE;
}

/**
 * ns_cli_is_terminal:
 * @cli: the parsed command line
 *
 * Returns: %TRUE if the output goes to a terminal
 */
gboolean
ns_cli_is_terminal (const NsCli *cli)
{
  return cli->options.output == NULL && isatty (STDOUT_FILENO);
}

/**
 * ns_cli_wants_marks:
 * @cli: the parsed command line
 *
 * Returns: whether to color rows: on a terminal that supports it, unless `NO_COLOR` is set
 */
gboolean
ns_cli_wants_marks (const NsCli *cli)
{
  const char *no_color = g_getenv ("NO_COLOR");

  return ns_cli_is_terminal (cli) && (no_color == NULL || *no_color == '\0') &&
         g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

/**
 * ns_cli_write_mark:
 * @mark: style of the text that follows
 * @cli: (type NsCli): the parsed command line
 * @error: return location
 *
 * A #NsExportMarkFunc for terminals.
 *
 * Returns: %FALSE with @error set if it could not be written
 */
gboolean
ns_cli_write_mark (NsExportMark mark, gpointer cli, GError **error)
{
  /* Select Graphic Rendition (SGR) of ECMA-48. */
  static const char *const codes[] = { [NS_EXPORT_MARK_NONE] = "\033[0m",
                                       [NS_EXPORT_MARK_HEAD] = "\033[1m",
                                       [NS_EXPORT_MARK_FAILURE] = "\033[31m",
                                       [NS_EXPORT_MARK_WARNING] = "\033[33m" };
  NsCliOutput *self = get_output (cli, error);

  if (self == NULL)
    return FALSE;
  g_string_append (self->waiting, codes[mark]);
  return TRUE;
}

/**
 * ns_cli_commit:
 * @cli: the parsed command line
 * @error: return location
 *
 * Flushes the output and gives the output file its name.
 *
 * Returns: %FALSE with @error set if it could not be written
 */
gboolean
ns_cli_commit (NsCli *cli, GError **error)
{
  NsCliOutput *self = get_output (cli, error);
  gboolean is_done;

  if (self == NULL || !flush (self, error))
    return FALSE;
  if (self->file == NULL)
    return TRUE;
  /* Another thread is ending the program: wait for that. */
  while (!g_atomic_int_compare_and_exchange (&phase, WRITING, NAMING))
    pause ();
  is_done = ns_export_file_commit (self->file, error);
  if (is_done)
    unfinished = NULL;
  else
    g_atomic_int_set (&phase, WRITING);
  return is_done;
}

/**
 * ns_cli_output_is_file:
 * @cli: the parsed command line
 *
 * Returns: whether the output is in a named file
 */
gboolean
ns_cli_output_is_file (const NsCli *cli)
{
  return cli->output != NULL && cli->output->file != NULL;
}

/**
 * ns_cli_output_drop:
 *
 * Removes the temporary file when the program ends abruptly. Async-signal-safe.
 *
 * Returns: %FALSE if the file is being renamed or has its name: the program must then finish
 */
gboolean
ns_cli_output_drop (void)
{
  if (!g_atomic_int_compare_and_exchange (&phase, WRITING, DROPPED))
    return g_atomic_int_get (&phase) == DROPPED;
  if (unfinished != NULL)
    unlink (unfinished);
  return TRUE;
}

/**
 * ns_cli_is_pipe_broken:
 * @cli: the parsed command line
 *
 * Returns: %TRUE if the reader has closed the pipe, which is no error
 */
gboolean
ns_cli_is_pipe_broken (const NsCli *cli)
{
  return cli->output != NULL && cli->output->is_broken;
}

/**
 * ns_cli_output_free:
 * @self: (transfer full) (nullable): an output; a file that was not committed is removed
 *
 * Frees @self.
 */
void
ns_cli_output_free (NsCliOutput *self)
{
  if (self == NULL)
    return;
  unfinished = NULL;
  ns_export_file_free (self->file);
  g_free (self->temporary);
  g_string_free (self->waiting, TRUE);
  g_free (self);
}

static volatile sig_atomic_t is_stopped;

/* Becomes readable on a stop, for poll loops. */
static int stop_pipe[2] = { -1, -1 };

static void
stop_cb (int signal_number)
{
  int code = errno;

  if (is_stopped)
    {
      if (!ns_cli_output_drop ())
        return;
      signal (signal_number, SIG_DFL);
      raise (signal_number);
      return;
    }
  is_stopped = 1;
  if (write (stop_pipe[1], "", 1) < 0)
    errno = code;
}

/**
 * ns_cli_install_signals:
 *
 * Installs the handlers: SIGINT and SIGTERM stop the program at the next check, the second one at
 * once, and never leave a partial file. SIGPIPE and SIGXFSZ are ignored; the failing write reports
 * the error.
 */
void
ns_cli_install_signals (void)
{
  struct sigaction stop;

  g_unix_open_pipe (stop_pipe, FD_CLOEXEC, NULL);
  memset (&stop, 0, sizeof stop);
  stop.sa_handler = stop_cb;
  sigaction (SIGINT, &stop, NULL);
  sigaction (SIGTERM, &stop, NULL);
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
}

/**
 * ns_cli_renew_signals:
 *
 * Gives a forked process a stop state of its own. The handlers stay installed; SIGINT and SIGTERM
 * are blocked meanwhile, and the pipe that the process was forked with is closed.
 */
void
ns_cli_renew_signals (void)
{
  is_stopped = 0;
  unfinished = NULL;
  g_atomic_int_set (&phase, WRITING);
  stop_pipe[0] = stop_pipe[1] = -1;
  g_unix_open_pipe (stop_pipe, FD_CLOEXEC, NULL);
}

/**
 * ns_cli_is_stopped:
 *
 * Returns: whether the user stopped the program
 */
gboolean
ns_cli_is_stopped (void)
{
  return is_stopped != 0;
}

/**
 * ns_cli_get_stop_fd:
 *
 * Returns: a file descriptor that becomes and stays readable when the user stops the program; -1:
 *   not available
 */
int
ns_cli_get_stop_fd (void)
{
  return stop_pipe[0];
}
