/* Runs one verb for the MCP server in a process of its own.
 *
 * Each call has its own process: a crash or a timeout costs one answer and not the server, and the
 * memory that a trace needs is freed with it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "base/ns-plain.h"
#include "cli/ns-cli-mcp.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PIECE (64 * 1024)
/* Maximum length of standard error, in bytes. */
#define MAX_NOTES (8 * 1024)

typedef struct
{
  NsMcpRun *run;
  GInputStream *stream; /* (unowned) */
  GString *text;
  gsize max;
  gboolean is_cut;
} ReadPipe;

struct _NsMcpRun
{
  const NsMcpCall *call; /* outlives the run */
  NsMcpAnswerFunc func;
  gpointer user_data;
  GSubprocess *process;
  GCancellable *cancellable;
  ReadPipe output;
  ReadPipe notes;
  guint timer;
  guint n_reading;
  gboolean is_late;
  gboolean is_dropped;
};

static void
free_now (NsMcpRun *self)
{
  if (self->timer != 0)
    g_source_remove (self->timer);
  g_string_free (self->output.text, TRUE);
  g_string_free (self->notes.text, TRUE);
  g_object_unref (self->process);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/**
 * ns_mcp_append_remark: (skip)
 * @json: to append to
 * @call: the call
 * @n_rows: number of rows in the answer
 * @has_more: there are further rows
 * @notes: (nullable): the verb's messages on standard error
 *
 * Appends a JSON object about an answer.
 */
void
ns_mcp_append_remark (GString *json,
                      const NsMcpCall *call,
                      guint n_rows,
                      gboolean has_more,
                      const char *notes)
{
  g_string_append_c (json, '{');
  if (call->n_rows > 0)
    g_string_append_printf (json, "\"rows\":%u,\"more\":%s", n_rows, has_more ? "true" : "false");
  if (has_more && n_rows > 0)
    g_string_append_printf (json, ",\"next_offset\":%u", call->offset + n_rows);
  if (notes != NULL && *notes != '\0')
    {
      g_string_append (json, call->n_rows > 0 ? ",\"notes\":" : "\"notes\":");
      ns_json_append_string (json, notes);
    }
  g_string_append_c (json, '}');
}

/* Truncates the text to whole lines and to the number of wanted rows; returns the number of
 * lines. */
static guint
keep_lines (const NsMcpCall *call, GString *text, gboolean is_cut, gboolean *has_more)
{
  guint n = 0;
  gsize at = 0;
  const char *end;

  *has_more = is_cut;
  while ((end = memchr (text->str + at, '\n', text->len - at)) != NULL && n < call->n_rows)
    {
      at = (gsize) (end - text->str) + 1;
      n++;
    }
  *has_more |= at < text->len;
  g_string_truncate (text, at);
  return n;
}

/* Returns the messages of the verb, with the client's names instead of paths; (transfer full). */
static char *
dup_notes (const NsMcpRun *self)
{
  g_autofree char *valid =
      g_utf8_make_valid (self->notes.text->str, (gssize) self->notes.text->len);
  g_autoptr (GString) text = g_string_new (valid);
  guint i;

  for (i = 0; self->call->paths != NULL && i + 1 < self->call->paths->len; i += 2)
    {
      /* As ns_cli_print_message() prints it. */
      g_autofree char *path = g_utf8_make_valid (g_ptr_array_index (self->call->paths, i), -1);

      ns_plain_make (path);
      g_string_replace (text, path, g_ptr_array_index (self->call->paths, i + 1), 0);
    }
  return g_strstrip (g_string_free (g_steal_pointer (&text), FALSE));
}

static void
judge (NsMcpRun *self, NsMcpAnswer *answer)
{
  g_autofree char *notes = dup_notes (self);
  gboolean is_done = g_subprocess_get_if_exited (self->process) &&
                     g_subprocess_get_exit_status (self->process) == NS_CLI_DONE;
  gboolean has_more = FALSE;
  guint n_rows = 0;

  answer->is_failed = TRUE;
  if (self->is_late)
    g_string_printf (answer->text, _ ("stopped after %d seconds"), NS_MCP_MAX_SECONDS);
  else if (!is_done && !self->output.is_cut)
    g_string_assign (answer->text,
                     *notes != '\0' ? notes : _ ("the process that read the trace was terminated"));
  else if (self->call->n_rows == 0 && self->output.is_cut)
    g_string_printf (answer->text, _ ("the answer is larger than %d bytes"), NS_MCP_MAX_BYTES);
  else
    {
      g_string_append_len (answer->text, self->output.text->str, (gssize) self->output.text->len);
      if (self->call->n_rows > 0)
        n_rows = keep_lines (self->call, answer->text, self->output.is_cut, &has_more);
      answer->is_failed = has_more && n_rows == 0;
      if (answer->is_failed)
        g_string_printf (answer->text,
                         _ ("the first row is larger than %d bytes: ask for fewer columns"),
                         NS_MCP_MAX_BYTES);
      else
        ns_mcp_append_remark (answer->remark, self->call, n_rows, has_more, notes);
    }
}

static void
end_pipe (NsMcpRun *self)
{
  NsMcpAnswer answer;

  if (--self->n_reading > 0)
    return;
  g_subprocess_wait (self->process, NULL, NULL);
  if (!self->is_dropped)
    {
      answer = (NsMcpAnswer){ g_string_new (NULL), g_string_new (NULL), FALSE };
      judge (self, &answer);
      self->func (&answer, self->user_data);
      g_string_free (answer.text, TRUE);
      g_string_free (answer.remark, TRUE);
    }
  free_now (self);
}

static void
piece_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ReadPipe *self = user_data;
  g_autoptr (GBytes) piece =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  gsize n = piece != NULL ? g_bytes_get_size (piece) : 0;
  gsize room = self->max - self->text->len;

  if (n == 0)
    {
      end_pipe (self->run);
      return;
    }
  g_string_append_len (self->text, g_bytes_get_data (piece, NULL), (gssize) MIN (n, room));
  if (n > room && !self->is_cut)
    {
      self->is_cut = TRUE;
      /* No further rows are needed. */
      if (self == &self->run->output)
        g_subprocess_force_exit (self->run->process);
    }
  g_input_stream_read_bytes_async (self->stream,
                                   PIECE,
                                   G_PRIORITY_DEFAULT,
                                   self->run->cancellable,
                                   piece_cb,
                                   self);
}

static gboolean
late_cb (gpointer user_data)
{
  NsMcpRun *self = user_data;

  self->timer = 0;
  self->is_late = TRUE;
  g_subprocess_force_exit (self->process);
  return G_SOURCE_REMOVE;
}

static void
begin_pipe (NsMcpRun *self, ReadPipe *pipe, GInputStream *stream, gsize max)
{
  pipe->run = self;
  pipe->stream = stream;
  pipe->max = max;
  self->n_reading++;
  g_input_stream_read_bytes_async (stream,
                                   PIECE,
                                   G_PRIORITY_DEFAULT,
                                   self->cancellable,
                                   piece_cb,
                                   pipe);
}

/**
 * ns_mcp_run_new: (skip)
 * @call: the call; must outlive the result
 * @func: receives the answer
 * @user_data: for @func
 * @error: return location
 *
 * Starts a process for the call, without access to symbol servers or stores.
 *
 * Returns: (nullable): the run, which frees itself after calling @func; %NULL with @error set if
 *   the process cannot be started
 */
NsMcpRun *
ns_mcp_run_new (const NsMcpCall *call, NsMcpAnswerFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  NsMcpRun *self;

  g_subprocess_launcher_unsetenv (launcher, "_NT_SYMBOL_PATH");
  process =
      g_subprocess_launcher_spawnv (launcher, (const char *const *) call->words->pdata, error);
  if (process == NULL)
    return NULL;
  self = g_new0 (NsMcpRun, 1);
  self->call = call;
  self->func = func;
  self->user_data = user_data;
  self->process = g_steal_pointer (&process);
  self->cancellable = g_cancellable_new ();
  self->output.text = g_string_new (NULL);
  self->notes.text = g_string_new (NULL);
  self->timer = g_timeout_add_seconds (NS_MCP_MAX_SECONDS, late_cb, self);
  begin_pipe (self, &self->output, g_subprocess_get_stdout_pipe (self->process), NS_MCP_MAX_BYTES);
  begin_pipe (self, &self->notes, g_subprocess_get_stderr_pipe (self->process), MAX_NOTES);
  return self;
}

/**
 * ns_mcp_run_free: (skip)
 * @self: (transfer full): a run that has not finished
 *
 * Ends the process without calling the function.
 */
void
ns_mcp_run_free (NsMcpRun *self)
{
  self->is_dropped = TRUE;
  self->call = NULL; /* freed before the process ends */
  g_subprocess_force_exit (self->process);
  g_cancellable_cancel (self->cancellable);
}
