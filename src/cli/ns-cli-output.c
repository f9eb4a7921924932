/* The command line: where the output goes.
 *
 * Standard output, or a file that appears whole or not at all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"
#include "cli/ns-cli.h"
#include "export/ns-export-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#define BLOCK_SIZE (1u << 16)

struct _NsCliOutput
{
  NsExportFile *file; /* NULL: standard output */
  char *temporary;    /* (nullable): a copy, which a signal handler may look at */
  GString *waiting;
  gboolean is_broken; /* nobody reads any more */
};

/* The file in the making, for who ends the program at once. */
static const char *volatile unfinished;

static NsCliOutput *
get_output (NsCli *cli, GError **error)
{
  g_autoptr (NsExportFile) file = NULL;

  if (cli->output != NULL)
    return cli->output;
  if (cli->options.output != NULL)
    {
      file = ns_export_file_new (cli->options.output, error);
      if (file == NULL)
        return NULL;
    }
  cli->output = g_new0 (NsCliOutput, 1);
  if (file != NULL)
    cli->output->temporary = g_strdup (ns_export_file_get_temporary (file));
  unfinished = cli->output->temporary;
  cli->output->file = g_steal_pointer (&file);
  cli->output->waiting = g_string_sized_new (BLOCK_SIZE);
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
  is_done = ns_export_file_commit (self->file, error);
  if (is_done)
    unfinished = NULL;
  return is_done;
}

/**
 * ns_cli_output_drop:
 *
 * Throws the file in the making away, when the program ends without coming back; may be called
 * from a signal handler.
 */
void
ns_cli_output_drop (void)
{
  if (unfinished != NULL)
    unlink (unfinished);
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
