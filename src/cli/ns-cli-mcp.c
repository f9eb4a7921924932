/* The verb `mcp`: a Model Context Protocol server on standard input and output.
 *
 * A message is a line of JSON (JSON-RPC 2.0; modelcontextprotocol.io, "Transports", stdio). Calls
 * about traces run one after the other, each in a process of its own (ns-cli-mcp-run.c); all other
 * requests are answered immediately, even during a call. The server writes nothing but its answers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-check.h"
#include "base/ns-json.h"
#include "cli/ns-cli-mcp.h"

#include <errno.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_MESSAGE_BYTES (1024 * 1024)
#define MAX_ID_BYTES 256
/* Maximum number of queued calls; the server stops reading while there are so many. */
#define MAX_WAITING 64
#define PIECE (64 * 1024)

/* Error codes of JSON-RPC 2.0, section 5.1. */
enum
{
  ERROR_PARSE = -32700,
  ERROR_REQUEST = -32600,
  ERROR_METHOD = -32601,
  ERROR_PARAMS = -32602,
  ERROR_INTERNAL = -32603,
};

/* Supported versions of the protocol, newest last. */
static const char *const versions[] = { "2024-11-05", "2025-03-26", "2025-06-18" };

typedef struct
{
  char *id; /* request ID as JSON */
  NsMcpCall call;
} Waiting;

typedef struct
{
  NsCli *cli;
  GMainLoop *loop;
  GString *input;      /* the line read so far */
  gboolean is_skipped; /* the line is too long: skip the rest of it */
  guint source;        /* source ID of standard input; 0: not reading now */
  gboolean has_ended;  /* end of input */
  GQueue waiting;      /* Waiting; the first one is running while @run is set */
  NsMcpRun *run;
  NsJsonDoc *doc;
} Server;

static void begin_next (Server *self);
static gboolean input_cb (gint fd, GIOCondition condition, gpointer user_data);

static void
waiting_free (gpointer data)
{
  Waiting *self = data;

  g_free (self->id);
  ns_mcp_call_clear (&self->call);
  g_free (self);
}

/* Writes one line; quits if the client does not read any more. */
static void
put_line (Server *self, const GString *line)
{
  if (fwrite (line->str, 1, line->len, stdout) != line->len || fputc ('\n', stdout) == EOF ||
      fflush (stdout) != 0)
    g_main_loop_quit (self->loop);
}

static GString *
begin_answer (const char *id)
{
  GString *line = g_string_new ("{\"jsonrpc\":\"2.0\",\"id\":");

  g_string_append (line, id);
  return line;
}

/* Appends a string. Messages that quote the beginning of a name may end within a character. */
static void
append_text (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  ns_json_append_string (json, valid);
}

static void
send_error (Server *self, const char *id, int code, const char *message)
{
  g_autoptr (GString) line = begin_answer (id);

  g_string_append_printf (line, ",\"error\":{\"code\":%d,\"message\":", code);
  append_text (line, message);
  g_string_append (line, "}}");
  put_line (self, line);
}

static void
send_result (Server *self, const char *id, const char *result)
{
  g_autoptr (GString) line = begin_answer (id);

  g_string_append (line, ",\"result\":");
  g_string_append (line, result);
  g_string_append_c (line, '}');
  put_line (self, line);
}

static void
append_content (GString *line, const char *text)
{
  g_string_append (line, "{\"type\":\"text\",\"text\":");
  append_text (line, text);
  g_string_append_c (line, '}');
}

static void
send_answer (Server *self, const char *id, const NsMcpAnswer *answer)
{
  g_autoptr (GString) line = begin_answer (id);

  g_string_append (line, ",\"result\":{\"content\":[");
  append_content (line, answer->text->str);
  if (answer->remark->len > 0)
    {
      g_string_append_c (line, ',');
      append_content (line, answer->remark->str);
    }
  g_string_append_printf (line, "],\"isError\":%s}}", answer->is_failed ? "true" : "false");
  put_line (self, line);
}

static void
read_on (Server *self)
{
  if (self->source == 0 && !self->has_ended)
    self->source = g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, input_cb, self);
}

static void
answer_cb (const NsMcpAnswer *answer, gpointer user_data)
{
  Server *self = user_data;
  Waiting *first = g_queue_pop_head (&self->waiting);

  self->run = NULL;
  send_answer (self, first->id, answer);
  waiting_free (first);
  begin_next (self);
}

static void
fail_first (Server *self, const char *message)
{
  Waiting *first = g_queue_pop_head (&self->waiting);

  send_error (self, first->id, ERROR_INTERNAL, message);
  waiting_free (first);
}

static void
begin_next (Server *self)
{
  while (self->run == NULL && !g_queue_is_empty (&self->waiting))
    {
      g_autoptr (GError) error = NULL;
      Waiting *first = g_queue_peek_head (&self->waiting);

      self->run = ns_mcp_run_new (&first->call, answer_cb, self, &error);
      if (self->run == NULL)
        fail_first (self, error->message);
    }
  if (self->run == NULL && self->has_ended)
    g_main_loop_quit (self->loop);
  else if (g_queue_get_length (&self->waiting) < MAX_WAITING)
    read_on (self);
}

static void
initialize (Server *self, const char *id, guint params)
{
  guint at = ns_json_doc_get (self->doc, params, "protocolVersion");
  g_autofree char *wanted = ns_json_doc_dup_string (self->doc, at);
  const char *version = versions[G_N_ELEMENTS (versions) - 1];
  g_autoptr (GString) json = g_string_new (NULL);
  guint i;

  if (wanted == NULL || self->doc->tokens[at].type != NS_JSON_STRING)
    {
      send_error (self, id, ERROR_PARAMS, "protocolVersion is missing");
      return;
    }
  for (i = 0; i < G_N_ELEMENTS (versions); i++)
    if (strcmp (versions[i], wanted) == 0)
      version = versions[i];
  g_string_printf (json,
                   "{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},\"serverInfo\":"
                   "{\"name\":\"netstitch\",\"version\":\"%s\"},\"instructions\":",
                   version,
                   NS_VERSION);
  ns_json_append_string (
      json,
      self->cli->options.want_names
          ? "Windows network traces. Begin with files and info, then findings, then activities. "
            "Passwords and tokens are hidden."
          : "Windows network traces. Begin with files and info, then findings, then activities. "
            "Hosts, addresses, paths and users have stand-ins such as server-3, the same in all "
            "answers about a trace; filters see the real names.");
  g_string_append_c (json, '}');
  send_result (self, id, json->str);
}

static void
call_tool (Server *self, const char *id, guint params)
{
  g_auto (NsMcpCall) call = { NULL, NULL, 0, 0 };
  g_autoptr (GError) error = NULL;
  Waiting *waiting;

  if (params == NS_JSON_NONE || self->doc->tokens[params].type != NS_JSON_OBJECT)
    {
      send_error (self, id, ERROR_PARAMS, "params is no object");
      return;
    }
  if (!ns_mcp_tools_parse (self->cli, self->doc, params, &call, &error))
    {
      send_error (self, id, ERROR_PARAMS, error->message);
      return;
    }
  if (call.words == NULL)
    {
      NsMcpAnswer answer = { g_string_new (NULL), g_string_new (NULL), FALSE };

      ns_mcp_files_list (self->cli, &call, &answer);
      send_answer (self, id, &answer);
      g_string_free (answer.text, TRUE);
      g_string_free (answer.remark, TRUE);
      return;
    }
  waiting = g_new0 (Waiting, 1);
  waiting->id = g_strdup (id);
  waiting->call = call;
  call = (NsMcpCall){ NULL, NULL, 0, 0 };
  g_queue_push_tail (&self->waiting, waiting);
  begin_next (self);
}

/* Returns a request ID as it was written; (transfer full); %NULL: not an ID. */
static char *
dup_id (const NsJsonDoc *doc, guint token)
{
  const NsJsonToken *id = &doc->tokens[token];
  const char *begin = doc->text + id->begin;
  gsize n = id->end - id->begin;

  if (n > MAX_ID_BYTES)
    return NULL;
  if (id->type == NS_JSON_STRING)
    return g_strdup_printf ("\"%.*s\"", (int) n, begin);
  if (id->type == NS_JSON_PRIMITIVE && (*begin == '-' || g_ascii_isdigit (*begin)))
    return g_strndup (begin, n);
  return NULL;
}

/* Cancels a call; cancelled requests get no answer. */
static void
cancel (Server *self, guint params)
{
  guint at = ns_json_doc_get (self->doc, params, "requestId");
  g_autofree char *id = at != NS_JSON_NONE ? dup_id (self->doc, at) : NULL;
  GList *link;

  for (link = self->waiting.head; id != NULL && link != NULL; link = link->next)
    {
      Waiting *waiting = link->data;

      if (strcmp (waiting->id, id) != 0)
        continue;
      if (link == self->waiting.head && self->run != NULL)
        ns_mcp_run_free (g_steal_pointer (&self->run));
      g_queue_delete_link (&self->waiting, link);
      waiting_free (waiting);
      begin_next (self);
      return;
    }
}

static void
take_request (Server *self, const char *id, const char *method, guint params)
{
  g_autoptr (GString) json = NULL;

  if (strcmp (method, "initialize") == 0)
    initialize (self, id, params);
  else if (strcmp (method, "ping") == 0)
    send_result (self, id, "{}");
  else if (strcmp (method, "tools/list") == 0)
    {
      json = g_string_new (NULL);
      ns_mcp_tools_append_list (self->cli, json);
      send_result (self, id, json->str);
    }
  else if (strcmp (method, "tools/call") == 0)
    call_tool (self, id, params);
  else
    send_error (self, id, ERROR_METHOD, "there is no such method");
}

static void
take_message (Server *self, const char *text, gsize n_bytes)
{
  NsJsonDoc *doc = self->doc;
  g_autofree char *version = NULL;
  g_autofree char *method = NULL;
  g_autofree char *id = NULL;
  guint id_at;
  guint at;

  if (!ns_json_check (text, n_bytes) || !ns_json_doc_parse (doc, text, n_bytes))
    {
      send_error (self, "null", ERROR_PARSE, "this is no JSON, or more than is read");
      return;
    }
  id_at = ns_json_doc_get (doc, 0, "id");
  id = id_at != NS_JSON_NONE ? dup_id (doc, id_at) : NULL;
  version = ns_json_doc_dup_string (doc, ns_json_doc_get (doc, 0, "jsonrpc"));
  at = ns_json_doc_get (doc, 0, "method");
  if (at != NS_JSON_NONE && doc->tokens[at].type == NS_JSON_STRING)
    method = ns_json_doc_dup_string (doc, at);
  /* A response, although this server sends no requests. */
  if (method == NULL && g_strcmp0 (version, "2.0") == 0 &&
      (ns_json_doc_get (doc, 0, "result") != NS_JSON_NONE ||
       ns_json_doc_get (doc, 0, "error") != NS_JSON_NONE))
    return;
  if (g_strcmp0 (version, "2.0") != 0 || method == NULL || (id_at != NS_JSON_NONE && id == NULL))
    send_error (self,
                id != NULL ? id : "null",
                ERROR_REQUEST,
                "this is no request of JSON-RPC 2.0");
  else if (id != NULL)
    take_request (self, id, method, ns_json_doc_get (doc, 0, "params"));
  else if (strcmp (method, "notifications/cancelled") == 0)
    cancel (self, ns_json_doc_get (doc, 0, "params"));
}

static void
take_line (Server *self)
{
  if (self->is_skipped)
    send_error (self, "null", ERROR_REQUEST, "the message is too long");
  else if (strspn (self->input->str, " \t\r") < self->input->len)
    take_message (self, self->input->str, self->input->len);
  self->is_skipped = FALSE;
  g_string_truncate (self->input, 0);
}

static void
take_piece (Server *self, const char *piece, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      const char *end = memchr (piece, '\n', n_bytes);
      gsize n = end != NULL ? (gsize) (end - piece) : n_bytes;

      if (self->input->len + n > MAX_MESSAGE_BYTES)
        self->is_skipped = TRUE;
      else
        g_string_append_len (self->input, piece, (gssize) n);
      if (end != NULL)
        {
          take_line (self);
          n++;
        }
      piece += n;
      n_bytes -= n;
    }
}

static gboolean
input_cb (gint fd, GIOCondition condition, gpointer user_data)
{
  Server *self = user_data;
  g_autofree char *piece = g_malloc (PIECE);
  ssize_t n = read (fd, piece, PIECE);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (n > 0)
    {
      take_piece (self, piece, (gsize) n);
      if (g_queue_get_length (&self->waiting) < MAX_WAITING)
        return G_SOURCE_CONTINUE;
      self->source = 0;
      return G_SOURCE_REMOVE;
    }
  self->source = 0;
  self->has_ended = TRUE;
  if (self->input->len > 0 || self->is_skipped)
    take_line (self);
  begin_next (self);
  return G_SOURCE_REMOVE;
}

static gboolean
stopped_cb (gint fd, GIOCondition condition, gpointer user_data)
{
  Server *self = user_data;

  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

/**
 * ns_cli_mcp:
 * @cli: the parsed command line, with folders
 * @error: return location
 *
 * Answers requests until the end of input, or until the client stops reading.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_mcp (NsCli *cli, GError **error)
{
  Server self = { .cli = cli };
  guint stop_source = 0;

  if (!ns_mcp_options_check (cli, error))
    return FALSE;
  self.loop = g_main_loop_new (NULL, FALSE);
  self.input = g_string_new (NULL);
  self.doc = g_new (NsJsonDoc, 1);
  if (ns_cli_get_stop_fd () >= 0)
    stop_source = g_unix_fd_add (ns_cli_get_stop_fd (), G_IO_IN, stopped_cb, &self);
  read_on (&self);
  g_main_loop_run (self.loop);
  if (self.source != 0)
    g_source_remove (self.source);
  if (stop_source != 0)
    g_source_remove (stop_source);
  if (self.run != NULL)
    ns_mcp_run_free (self.run);
  g_queue_clear_full (&self.waiting, waiting_free);
  g_string_free (self.input, TRUE);
  g_free (self.doc);
  g_main_loop_unref (self.loop);
  return TRUE;
}
