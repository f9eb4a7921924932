/* The command line: where the output goes.
 *
 * Standard output, or a file that appears whole or not at all.
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
  char *temporary;    /* (nullable): a copy, which a signal handler may look at */
  GString *waiting;
  gboolean is_terminal;
  gboolean is_broken; /* nobody reads any more */
};

/* The file in the making, for who ends the program at once. */
static const char *volatile unfinished;
/* Who stops the program, in whatever thread, finds either no file or a program that ends well. */
enum
{
  WRITING,
  NAMING, /* too late to stop */
  DROPPED
};
static gint phase = WRITING;

/**
 * ns_cli_check_mode:
 * @options: what was asked
 * @mode: (inout) (optional): permission bits of the output file, left as they are unless asked for
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: whether `--mode` makes sense
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
                                  _ ("--mode wants permissions such as 0600 or 0644, not “%s”"),
                                  text);
  if (options->output == NULL && options->to_folder == NULL)
    return ns_trace_refuse_query (error, _ ("--mode is of a file: say which with --output"));
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

/* A tab, and marks that texts in languages written from the right hold. */
static gboolean
is_harmless (gunichar c)
{
  return c == '\t' || c == 0x200e || c == 0x200f;
}

/* What the terminal obeys is not printed, whatever text of the trace it stands in, and in whatever
 * form: who wants every byte writes to a file. */
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
 * @n_bytes: how many
 * @cli: (type NsCli): what was asked
 * @error: return location
 *
 * Returns: %FALSE if it could not be written
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
 * @cli: what was asked
 *
 * Returns: %TRUE if a person looks at the output
 */
gboolean
ns_cli_is_terminal (const NsCli *cli)
{
  return cli->options.output == NULL && isatty (STDOUT_FILENO);
}

/**
 * ns_cli_wants_marks:
 * @cli: what was asked
 *
 * Returns: whether rows stand out by color: on a terminal that knows how, unless `NO_COLOR` is set
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
 * @mark: how what comes next stands out
 * @cli: (type NsCli): what was asked
 * @error: return location
 *
 * A #NsExportMarkFunc for terminals.
 *
 * Returns: %FALSE if it could not be written
 */
gboolean
ns_cli_write_mark (NsExportMark mark, gpointer cli, GError **error)
{
  /* Select Graphic Rendition of ECMA-48. */
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
 * @cli: what was asked
 * @error: return location
 *
 * Ends the output: what waits is written, and a file appears under its name.
 *
 * Returns: %FALSE if it could not be written
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
  /* Where another thread is being stopped, this one ends with it. */
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
 * @cli: what was asked
 *
 * Returns: whether what was written stands in a file that was named
 */
gboolean
ns_cli_output_is_file (const NsCli *cli)
{
  return cli->output != NULL && cli->output->file != NULL;
}

/**
 * ns_cli_output_drop:
 *
 * Throws the file in the making away, when the program ends without coming back; may be called
 * from a signal handler.
 *
 * Returns: %FALSE if the file is getting its name, or has it: the program shall end as it is about
 * to
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
 * @cli: what was asked
 *
 * Returns: %TRUE if the reader of the output has gone, which is no fault
 */
gboolean
ns_cli_is_pipe_broken (const NsCli *cli)
{
  return cli->output != NULL && cli->output->is_broken;
}

/**
 * ns_cli_output_free:
 * @self: (transfer full) (nullable): an output; a file not ended is thrown away
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

/* Gets readable when it is: for who waits for something else. */
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
 * Ctrl+C ends the work at the next chance, the second time at once; no half file stays. A pipe
 * without a reader, and a file that may not become larger, are told by the write that meets them.
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
 * ns_cli_is_stopped:
 *
 * Returns: whether the user said stop
 */
gboolean
ns_cli_is_stopped (void)
{
  return is_stopped != 0;
}

/**
 * ns_cli_get_stop_fd:
 *
 * Returns: a descriptor that gets readable, and stays so, when the user says stop; -1: there is
 * none
 */
int
ns_cli_get_stop_fd (void)
{
  return stop_pipe[0];
}
