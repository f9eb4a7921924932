/* A running sharkd, which is part of Wireshark and dissects packets one after another.
 *
 * tshark spends most of its time on one packet starting up. sharkd keeps running: it reads JSON-RPC
 * requests, one per line, and answers each with a line (Wireshark 4.0 and later). It is started by
 * the first request, and stopped after an idle time, after a number of requests, on failure, and
 * with its owner: it exits when its standard input is closed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-sharkd.h"

#include "base/ns-json.h"
#include "side/ns-side-json.h"

#include <signal.h>
#include <string.h>

/* Idle time after which it is stopped. */
#define IDLE_S 60
/* Number of requests after which it is restarted: it leaks some memory for each file. */
#define MAX_ASKED 500
/* Maximum length of an answer. */
#define MAX_LINE (16 * 1024 * 1024)
#define CHUNK 65536
/* Maximum length of an error message that is shown, in bytes. */
#define MAX_REPORTED 200

struct _NsSharkd
{
  gatomicrefcount n_refs;
  GMutex asking; /* held during a request; guards the members up to lock */
  GString *read; /* data after the last line */
  guint n_asked;
  guint number; /* ID of the last request */
  GMutex lock;  /* guards the members up to idle_id */
  GSubprocess *process;
  gboolean is_closed;
  guint idle_id; /* main thread only */
};

/**
 * ns_sharkd_new:
 *
 * Returns: (transfer full): an instance that is not started yet
 */
NsSharkd *
ns_sharkd_new (void)
{
  NsSharkd *self = g_new0 (NsSharkd, 1);

  /* A write to a process that has exited must fail, and not terminate this program. */
  signal (SIGPIPE, SIG_IGN);
  g_atomic_ref_count_init (&self->n_refs);
  g_mutex_init (&self->asking);
  g_mutex_init (&self->lock);
  self->read = g_string_new (NULL);
  return self;
}

/**
 * ns_sharkd_ref:
 * @self: an instance
 *
 * Returns: (transfer full): @self
 */
NsSharkd *
ns_sharkd_ref (NsSharkd *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

static void
stop (NsSharkd *self)
{
  g_autoptr (GSubprocess) process = NULL;

  g_mutex_lock (&self->lock);
  process = g_steal_pointer (&self->process);
  g_mutex_unlock (&self->lock);
  if (process != NULL)
    g_subprocess_force_exit (process);
}

/**
 * ns_sharkd_unref:
 * @self: (transfer full): an instance
 */
void
ns_sharkd_unref (NsSharkd *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  stop (self);
  g_string_free (self->read, TRUE);
  g_mutex_clear (&self->asking);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_sharkd_close:
 * @self: an instance, in the main thread
 *
 * Stops the process for good; a waiting request fails.
 */
void
ns_sharkd_close (NsSharkd *self)
{
  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_mutex_lock (&self->lock);
  self->is_closed = TRUE;
  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  g_mutex_unlock (&self->lock);
}

static gboolean
idle_cb (gpointer data)
{
  NsSharkd *self = data;

  if (!g_mutex_trylock (&self->asking))
    return G_SOURCE_CONTINUE;
  stop (self);
  g_mutex_unlock (&self->asking);
  self->idle_id = 0;
  return G_SOURCE_REMOVE;
}

/**
 * ns_sharkd_keep:
 * @self: an instance that will be used soon, in the main thread
 *
 * Restarts the idle timeout.
 */
void
ns_sharkd_keep (NsSharkd *self)
{
  g_clear_handle_id (&self->idle_id, g_source_remove);
  self->idle_id = g_timeout_add_seconds (IDLE_S, idle_cb, self);
}

static gboolean
start (NsSharkd *self, const char *program, GError **error)
{
  gboolean ok;

  g_string_truncate (self->read, 0);
  self->n_asked = 0;
  g_mutex_lock (&self->lock);
  if (self->is_closed)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "closed");
  else
    self->process =
        g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                              G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                          error,
                          program,
                          "-",
                          NULL);
  ok = self->process != NULL;
  g_mutex_unlock (&self->lock);
  return ok;
}

/* Reads a line; returns it without the line feed. */
static char *
read_line (NsSharkd *self, GCancellable *timeout, GError **error)
{
  GInputStream *stream = g_subprocess_get_stdout_pipe (self->process);
  gsize looked = 0;

  while (self->read->len <= MAX_LINE)
    {
      const char *end = memchr (self->read->str + looked, '\n', self->read->len - looked);
      char chunk[CHUNK];
      gssize n;

      if (end != NULL)
        {
          gsize size = (gsize) (end - self->read->str);
          char *line = g_strndup (self->read->str, size);

          g_string_erase (self->read, 0, (gssize) size + 1);
          return line;
        }
      looked = self->read->len;
      n = g_input_stream_read (stream, chunk, sizeof chunk, timeout, error);
      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      g_string_append_len (self->read, chunk, n);
    }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "sharkd gave no answer");
  return NULL;
}

typedef enum
{
  LINE_BROKEN,
  LINE_BESIDES, /* a message that is not an answer */
  LINE_ERROR,
  LINE_ANSWER, /* the answer to the last request; LINE_ERROR likewise */
} Line;

static Line
look_at (const NsSharkd *self, const char *line)
{
  gboolean is_error = FALSE;
  g_autoptr (GString) key = g_string_new (NULL);
  gboolean is_first = TRUE;
  double number = 0;
  NsSideJson json;

  ns_side_json_init (&json, line, strlen (line));
  if (!ns_side_json_enter (&json, '{'))
    return LINE_BROKEN;
  while (ns_side_json_next_key (&json, &is_first, key))
    {
      is_error |= strcmp (key->str, "error") == 0;
      if (strcmp (key->str, "id") == 0)
        ns_side_json_take_number (&json, &number);
      else
        ns_side_json_skip (&json);
    }
  if (json.is_broken)
    return LINE_BROKEN;
  if (number != (double) self->number)
    return LINE_BESIDES;
  return is_error ? LINE_ERROR : LINE_ANSWER;
}

/* Returns: (transfer full): the answer */
static char *
request (NsSharkd *self,
         const char *method,
         const char *parameters,
         GCancellable *timeout,
         GError **error)
{
  GOutputStream *stream = g_subprocess_get_stdin_pipe (self->process);
  g_autofree char *asked = NULL;
  char *line;

  self->number++;
  asked = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":{%s}}\n",
                           self->number,
                           method,
                           parameters);
  if (!g_output_stream_write_all (stream, asked, strlen (asked), NULL, timeout, error))
    return NULL;
  while ((line = read_line (self, timeout, error)) != NULL)
    {
      Line kind = look_at (self, line);

      if (kind == LINE_ANSWER)
        return line;
      if (kind != LINE_BESIDES)
        {
          g_autofree char *shown =
              g_utf8_make_valid (line, (gssize) MIN (strlen (line), MAX_REPORTED));

          g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "sharkd: %s", shown);
        }
      g_free (line);
      if (kind != LINE_BESIDES)
        return NULL;
    }
  return NULL;
}

static gboolean
tell (NsSharkd *self,
      const char *method,
      const char *parameters,
      GCancellable *timeout,
      GError **error)
{
  g_autofree char *line = request (self, method, parameters, timeout, error);

  return line != NULL;
}

/* Disables name resolution, like tshark -n, so that no network requests are made. */
static gboolean
report_no_names (NsSharkd *self, GCancellable *timeout, GError **error)
{
  static const char *const settings[] = { "nameres.mac_name",
                                          "nameres.transport_name",
                                          "nameres.network_name" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *parameters =
          g_strdup_printf ("\"name\":\"%s\",\"value\":\"FALSE\"", settings[i]);

      if (!tell (self, "setconf", parameters, timeout, error))
        return FALSE;
    }
  return TRUE;
}

static char *
ask (NsSharkd *self,
     const char *program,
     const char *path,
     guint number,
     GCancellable *timeout,
     GError **error)
{
  g_autoptr (GString) file = g_string_new ("\"file\":");
  g_autofree char *frame = g_strdup_printf ("\"frame\":%u,\"proto\":true", number);

  ns_json_append_string (file, path);
  if (self->n_asked++ >= MAX_ASKED)
    stop (self);
  if (self->process == NULL &&
      (!start (self, program, error) || !report_no_names (self, timeout, error)))
    return NULL;
  return tell (self, "load", file->str, timeout, error)
             ? request (self, "frame", frame, timeout, error)
             : NULL;
}

/**
 * ns_sharkd_ask:
 * @self: an instance, in any thread but the main one
 * @program: path of sharkd
 * @path: a capture file
 * @number: number of a packet in it, 1-based
 * @timeout: cancels the request and stops the process
 * @error: return location
 *
 * Dissects a packet. Requests from other threads wait until it is done.
 *
 * Returns: (transfer full) (nullable): the answer of sharkd as JSON
 */
char *
ns_sharkd_ask (NsSharkd *self,
               const char *program,
               const char *path,
               guint number,
               GCancellable *timeout,
               GError **error)
{
  char *line;

  g_mutex_lock (&self->asking);
  line = ask (self, program, path, number, timeout, error);
  if (line == NULL)
    stop (self);
  g_mutex_unlock (&self->asking);
  return line;
}
