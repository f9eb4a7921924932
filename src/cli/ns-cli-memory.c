/* Ends the program with an error message when memory runs out.
 *
 * Large single allocations fail with an error. When many small allocations exhaust the memory, GLib
 * aborts; instead of a trap and a core dump, users whose trace is larger than the machine get a
 * message.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli.h"

#include "base/ns-crash-stack.h"
#include "base/ns-pages.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define ENOUGH_BYTES (4u << 20)

/* Untranslated messages of GLib and of ns_pages_new() about failed allocations. */
static const char *const signs[] = { "failed to allocate",
                                     "overflow allocating",
                                     "creating thread",
                                     "no memory for" };

/* Translated in advance: when memory runs out, gettext may fail. */
static char *last_words;

G_NORETURN static void
end (void)
{
  gssize n_written;

  ns_cli_output_drop ();
  n_written = write (STDERR_FILENO, last_words, strlen (last_words));
  _exit (n_written < 0 ? -1 : NS_CLI_FAILED);
}

static gboolean
is_about_memory (const GLogField *fields, gsize n_fields)
{
  gsize i;
  guint j;

  for (i = 0; i < n_fields; i++)
    for (j = 0; j < G_N_ELEMENTS (signs) && strcmp (fields[i].key, "MESSAGE") == 0; j++)
      if (strstr (fields[i].value, signs[j]) != NULL)
        return TRUE;
  return FALSE;
}

static GLogWriterOutput
write_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  if ((level & G_LOG_LEVEL_ERROR) == 0 || !is_about_memory (fields, n_fields))
    return g_log_writer_default (level, fields, n_fields, user_data);
  end ();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Handles fatal signals: some libraries abort or dereference NULL when an allocation fails. If
 * memory is available, another fault is the reason. */
static void
crash_cb (int signal_number)
{
  ns_cli_output_drop ();
  if (!ns_pages_have_room (ENOUGH_BYTES))
    end ();
  signal (signal_number, SIG_DFL);
  raise (signal_number);
}
#endif

/**
 * ns_cli_install_memory:
 *
 * Installs handlers that end the program with a message when memory runs out, and remove partial
 * output.
 */
void
ns_cli_install_memory (void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  struct sigaction action = { .sa_handler = crash_cb, .sa_flags = SA_ONSTACK };
#endif

  last_words = g_strconcat ("netstitch-cli: ",
                            _ ("there is not enough memory; close other programs and try again"),
                            "\n",
                            NULL);
  g_log_set_writer_func (write_cb, NULL, NULL);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  sigemptyset (&action.sa_mask);
  sigaction (SIGABRT, &action, NULL);
  sigaction (SIGSEGV, &action, NULL);
  ns_crash_stack_use ();
#endif
}
