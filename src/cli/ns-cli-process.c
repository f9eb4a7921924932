/* Forked processes.
 *
 * A forked process has all libraries that the program has loaded, so it starts sooner than another
 * run of the program. It may run any code only if the program has a single thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* syscall() */

#include "config.h"

#include "cli/ns-cli-process.h"

#include "cli/ns-cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPEN_FILES "/proc/self/fd"
#define FIRST_FREE (STDERR_FILENO + 1)
/* Maximum number of descriptors that are tried if the open ones are not known. */
#define MAX_FDS 65536

/* Moves a descriptor away from the standard ones, which the user may have closed. */
static gboolean
move_up (int *fd)
{
  int moved;

  if (*fd >= FIRST_FREE)
    return TRUE;
  moved = fcntl (*fd, F_DUPFD_CLOEXEC, FIRST_FREE);
  if (moved < 0)
    return FALSE;
  close (*fd);
  *fd = moved;
  return TRUE;
}

static void
close_pipe (int fds[2])
{
  int code = errno;

  close (fds[0]);
  close (fds[1]);
  errno = code;
}

static gboolean
open_pipe (int fds[2])
{
  if (!g_unix_open_pipe (fds, FD_CLOEXEC, NULL))
    return FALSE;
  if (move_up (&fds[0]) && move_up (&fds[1]))
    return TRUE;
  close_pipe (fds);
  return FALSE;
}

/* Closes the descriptors that the system lists; %FALSE: /proc is not mounted. */
static gboolean
close_listed (void)
{
  g_autoptr (GArray) fds = g_array_new (FALSE, FALSE, sizeof (int));
  GDir *dir = g_dir_open (OPEN_FILES, 0, NULL);
  const char *name;
  guint i;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      int fd = (int) g_ascii_strtoull (name, NULL, 10);

      g_array_append_val (fds, fd);
    }
  /* Its descriptor is in the list, too. */
  g_dir_close (dir);
  for (i = 0; i < fds->len; i++)
    if (g_array_index (fds, int, i) >= FIRST_FREE)
      close (g_array_index (fds, int, i));
  return i > 0;
}

/* Closes all descriptors but the standard ones. As long as a process has the end of a pipe that
 * another one reads, that one does not see the end of its input. */
static void
close_others (void)
{
  glong n_fds;
  int fd;

#ifdef SYS_close_range
  if (syscall (SYS_close_range, (guint) FIRST_FREE, G_MAXUINT, 0) == 0)
    return;
#endif
  if (close_listed ())
    return;
  n_fds = CLAMP (sysconf (_SC_OPEN_MAX), FIRST_FREE, MAX_FDS);
  for (fd = FIRST_FREE; fd < n_fds; fd++)
    close (fd);
}

/* Ends without the handlers and buffered output of the process that it was forked from. */
G_NORETURN static void
run_forked (int input,
            int output,
            const sigset_t *signals,
            NsCliProcessFunc func,
            gpointer user_data)
{
  int status = NS_CLI_FAILED;

  if (dup2 (input, STDIN_FILENO) >= 0 && dup2 (output, STDOUT_FILENO) >= 0)
    {
      close_others ();
      ns_cli_renew_signals ();
      sigprocmask (SIG_SETMASK, signals, NULL);
      status = func (user_data);
    }
#ifdef __SANITIZE_ADDRESS__
  __lsan_do_leak_check ();
#endif
  _exit (status);
}

static gboolean
refuse (GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               _ ("cannot start another process: %s"),
               g_strerror (errno));
  return FALSE;
}

/**
 * ns_cli_process_start: (skip)
 * @self: (out): the process
 * @func: what it runs
 * @user_data: for @func
 * @error: %NS_TRACE_ERROR_OPEN: the system has no room for another process
 *
 * Forks a process. Its standard input and output are pipes, and it has no other file of this one
 * but standard error. The caller must have a single thread.
 *
 * Returns: %FALSE with @error set if it was not started
 */
gboolean
ns_cli_process_start (NsCliProcess *self, NsCliProcessFunc func, gpointer user_data, GError **error)
{
  int to[2];
  int from[2];
  sigset_t stops;
  sigset_t before;

  if (!open_pipe (to))
    return refuse (error);
  if (!open_pipe (from))
    {
      close_pipe (to);
      return refuse (error);
    }
  /* A handler that runs in the forked process must not stop this one. */
  sigemptyset (&stops);
  sigaddset (&stops, SIGINT);
  sigaddset (&stops, SIGTERM);
  sigprocmask (SIG_BLOCK, &stops, &before);
  /* If SIGCHLD is ignored, the system keeps no status. */
  signal (SIGCHLD, SIG_DFL);
  self->pid = fork ();
  if (self->pid == 0)
    run_forked (to[0], from[1], &before, func, user_data);
  sigprocmask (SIG_SETMASK, &before, NULL);
  if (self->pid < 0)
    {
      self->pid = 0;
      close_pipe (to);
      close_pipe (from);
      return refuse (error);
    }
  close (to[0]);
  close (from[1]);
  self->to = to[1];
  self->from = from[0];
  return TRUE;
}

/**
 * ns_cli_process_close_input: (skip)
 * @self: a running process
 *
 * Ends the input of the process.
 */
void
ns_cli_process_close_input (NsCliProcess *self)
{
  if (self->to >= 0)
    close (self->to);
  self->to = -1;
}

/**
 * ns_cli_process_wait: (skip)
 * @self: a running process
 *
 * Closes the pipes and waits for the end of the process.
 *
 * Returns: its status as waitpid() tells it
 */
int
ns_cli_process_wait (NsCliProcess *self)
{
  int status = 0;

  ns_cli_process_close_input (self);
  close (self->from);
  while (waitpid (self->pid, &status, 0) < 0 && errno == EINTR)
    ;
  self->pid = 0;
  return status;
}
