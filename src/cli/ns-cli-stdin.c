/* Reads a trace from standard input.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fd.h"
#include "cli/ns-cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SIZE (1u << 16)
/* Path prefix of the process's open file descriptors. */
#define OPEN_FILES "/proc/self/fd/"

/* Opens an unlinked temporary file, which disappears with the program. */
static int
open_nameless (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "netstitch-XXXXXX", NULL);
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    unlink (path);
  return fd;
}

/* Copies standard input until its end or until the user stops the program. */
static gboolean
copy_input (int to)
{
  g_autofree char *block = g_malloc (BLOCK_SIZE);

  for (;;)
    {
      gssize n_read = read (STDIN_FILENO, block, BLOCK_SIZE);

      if (n_read == 0)
        return TRUE;
      if (n_read < 0 && errno == EINTR && !ns_cli_is_stopped ())
        continue;
      if (n_read < 0 || !ns_fd_write_all (to, block, (gsize) n_read))
        return FALSE;
    }
}

static char *
take_input (GError **error)
{
  struct stat about;
  int fd;

  /* A redirected file is read in place. */
  if (fstat (STDIN_FILENO, &about) == 0 && S_ISREG (about.st_mode))
    return g_strdup_printf (OPEN_FILES "%d", STDIN_FILENO);
  fd = open_nameless ();
  if (fd >= 0 && copy_input (fd))
    return g_strdup_printf (OPEN_FILES "%d", fd);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               _ ("cannot store standard input in %s: %s"),
               g_get_tmp_dir (),
               g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

/**
 * ns_cli_get_shown_path:
 * @path: path of a trace
 *
 * Returns: (transfer none): the path as the user gave it: `-` for standard input
 */
const char *
ns_cli_get_shown_path (const char *path)
{
  return g_str_has_prefix (path, OPEN_FILES) ? "-" : path;
}

/**
 * ns_cli_name_input:
 * @line: (inout): a message
 *
 * Replaces the path of standard input at the beginning of @line by its name.
 */
void
ns_cli_name_input (GString *line)
{
  gsize n = strlen (OPEN_FILES);

  if (!g_str_has_prefix (line->str, OPEN_FILES))
    return;
  n += strspn (line->str + n, "0123456789");
  g_string_erase (line, 0, (gssize) n);
  g_string_prepend (line, _ ("standard input"));
}

/**
 * ns_cli_take_input:
 * @options: (inout): the options
 * @error: return location
 *
 * Makes the file `-` mean standard input, and the output `-` standard output. Input that cannot be
 * read twice is first copied to an unlinked temporary file.
 *
 * Returns: %FALSE with @error set if standard input was named twice or could not be copied
 */
gboolean
ns_cli_take_input (NsCliOptions *options, GError **error)
{
  gboolean is_taken = FALSE;
  guint i;

  if (g_strcmp0 (options->output, "-") == 0)
    g_clear_pointer (&options->output, g_free);
  for (i = 0; i < options->n_files; i++)
    {
      char *path;

      if (strcmp (options->files[i], "-") != 0)
        continue;
      if (is_taken)
        return ns_trace_refuse_query (error, _ ("standard input can provide only one trace"));
      is_taken = TRUE;
      path = take_input (error);
      if (path == NULL)
        return FALSE;
      g_free (options->files[i]);
      options->files[i] = path;
    }
  return TRUE;
}
