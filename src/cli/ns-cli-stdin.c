/* The command line: a trace that comes by standard input.
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
/* How what the program holds open is reached by name. */
#define OPEN_FILES "/proc/self/fd/"

/* A file without a name, which goes with the program. */
static int
open_nameless (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "netstitch-XXXXXX", NULL);
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    unlink (path);
  return fd;
}

/* Copies what comes, as long as nobody says stop. */
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

  /* A file stands where it is read from. */
  if (fstat (STDIN_FILENO, &about) == 0 && S_ISREG (about.st_mode))
    return g_strdup_printf (OPEN_FILES "%d", STDIN_FILENO);
  fd = open_nameless ();
  if (fd >= 0 && copy_input (fd))
    return g_strdup_printf (OPEN_FILES "%d", fd);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               _ ("cannot keep standard input in %s: %s"),
               g_get_tmp_dir (),
               g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

/**
 * ns_cli_get_shown_path:
 * @path: where a trace is read from
 *
 * Returns: (transfer none): what the user called it: `-` for standard input
 */
const char *
ns_cli_get_shown_path (const char *path)
{
  return g_str_has_prefix (path, OPEN_FILES) ? "-" : path;
}

/**
 * ns_cli_name_input:
 * @line: a line for people
 *
 * Calls standard input so where @line begins with how it is reached.
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
 * @options: what was asked
 * @error: return location
 *
 * Has the file `-` mean standard input, and the output `-` standard output. What cannot be read
 * twice is kept in a file without a name first.
 *
 * Returns: %FALSE if standard input was asked for twice, or could not be kept
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
        return ns_trace_refuse_query (error, _ ("standard input holds one trace, not two"));
      is_taken = TRUE;
      path = take_input (error);
      if (path == NULL)
        return FALSE;
      g_free (options->files[i]);
      options->files[i] = path;
    }
  return TRUE;
}
