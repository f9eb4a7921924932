/* Requests as an HTTP Archive (HAR 1.2), the format of browsers' network panels.
 *
 * Only rows with a server URL are requests. Headers and bodies are written on request, with
 * secrets masked. If names are replaced, bodies are left out, and only headers known to be
 * impersonal are written. A phase that was not recorded is -1, HAR's value for "does not apply";
 * `connect` includes `ssl`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-har.h"

#include "base/ns-json-writer.h"
#include "base/ns-secrets.h"
#include "engine/app/bits/ns-bits.h"
#include "engine/trace/ns-redirects.h"
#include "export/ns-redact-headers.h"
#include "export/ns-row-content.h"
#include "query/ns-field-code.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CHUNK (64 * 1024)

/* Output settings. */
typedef struct
{
  const NsTrace *trace;
  const NsRowContentOptions *wanted; /* (nullable): options for headers and bodies */
  const NsRedact *redact;            /* (nullable): replaces names */
} Archive;

static const NsRowContentOptions contents = { .max_bytes = NS_EXPORT_HAR_MAX_BODY,
                                              .max_decoded = NS_EXPORT_HAR_MAX_BODY,
                                              .max_parts = NS_ROW_CONTENT_MAX_PARTS };

/* Fields of the master table in the archive that may be personal. */
static const char *const telling_fields[] = { "method", "url", "status", "ip", "process", "error" };

static void
append_key (NsJsonWriter *json, const char *key, const char *text)
{
  ns_json_add_string (json, key, text != NULL ? text : "");
}

/* Reads a field, with names replaced if requested. */
static char *
dup_field (const Archive *archive, const char *id, const char *text)
{
  NsFieldValue value = { .type = NS_TYPE_TEXT, .v.text = text != NULL ? text : "" };
  char *shown;

  if (archive->redact != NULL)
    ns_redact_apply (archive->redact, ns_table_find_field (NS_TABLE_ACTIVITIES, id), &value);
  shown = g_strdup (value.v.text);
  ns_field_value_clear (&value);
  return shown;
}

static void
append_field (NsJsonWriter *json,
              const Archive *archive,
              const char *key,
              const char *id,
              const char *text)
{
  g_autofree char *shown = dup_field (archive, id, text);

  append_key (json, key, shown);
}

/* Appends milliseconds, with a decimal point in any locale. */
static void
append_ms (NsJsonWriter *json, const char *key, gint64 span_ns)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number,
                   sizeof number,
                   "%.6f",
                   span_ns == NS_UNKNOWN ? -1.0 : (double) span_ns / 1e6);
  ns_json_add_number (json, key, "%s", number);
}

static gint64
sum_of (gint64 a, gint64 b)
{
  if (a == NS_UNKNOWN)
    return b;
  return b == NS_UNKNOWN ? a : a + b;
}

/* Appends the timings. HAR requires the time to be the sum of all timings that apply, so
 * unrecorded time counts as waiting. */
static void
append_timings (NsJsonWriter *json, const NsActivityRow *row, gint64 duration_ns)
{
  gint64 phases[NS_N_PHASES];
  gint64 wait_ns;
  gboolean is_traced = FALSE;
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    {
      phases[i] = ns_activity_row_get_phase (row, i);
      is_traced |= phases[i] != NS_UNKNOWN;
    }
  wait_ns = sum_of (phases[NS_PHASE_WAIT], phases[NS_PHASE_OTHER]);
  if (!is_traced)
    wait_ns = duration_ns;

  append_ms (json, "time", duration_ns);
  ns_json_begin_object (json, "timings");
  append_ms (json,
             "blocked",
             sum_of (phases[NS_PHASE_POOL],
                     sum_of (phases[NS_PHASE_QUEUE], phases[NS_PHASE_PROXY])));
  append_ms (json, "dns", phases[NS_PHASE_DNS]);
  append_ms (json, "connect", sum_of (phases[NS_PHASE_CONNECT], phases[NS_PHASE_TLS]));
  append_ms (json, "ssl", phases[NS_PHASE_TLS]);
  append_ms (json, "send", MAX (phases[NS_PHASE_SEND], 0));
  append_ms (json, "wait", MAX (wait_ns, 0));
  append_ms (json, "receive", MAX (phases[NS_PHASE_RECEIVE], 0));
  ns_json_end_object (json);
}

/* Returns the reason phrase of a status line, "" if it has none. */
static const char *
phrase_of (const char *line)
{
  const char *status = line != NULL ? strchr (line, ' ') : NULL;
  const char *phrase = status != NULL ? strchr (status + 1, ' ') : NULL;

  return phrase != NULL ? phrase + 1 : "";
}

static char *
version_of (const char *line)
{
  const char *space = line != NULL && g_str_has_prefix (line, "HTTP/") ? strchr (line, ' ') : NULL;

  return space != NULL ? g_strndup (line, (gsize) (space - line)) : g_strdup ("unknown");
}

/* Returns the size of a body; -1 if unknown, as HAR specifies. */
static gint64
body_size (const NsActivityRow *row, guint64 n_bytes)
{
  return n_bytes > 0 || ns_activity_row_has_bytes (row) ? (gint64) n_bytes : -1;
}

/* Appends the sizes; that of the headers is unknown for most requests. */
static void
append_sizes (NsJsonWriter *json, gint64 body)
{
  ns_json_add_number (json, "headersSize", "-1");
  ns_json_add_number (json, "bodySize", "%" G_GINT64_FORMAT, body);
}

/* Headers and body of one direction; either may be missing. */
typedef struct
{
  const char *head;    /* UTF-8 */
  const char *cookies; /* names of its cookies, each followed by a line feed */
  const NsContentMessage *body;
} Half;

/* Finds the first message of a direction that is not an informational response (1xx). */
static Half
find_half (const NsRowContent *content, NsContentKind bytes, NsContentKind headers)
{
  Half half = { NULL, NULL, NULL };
  guint i;

  for (i = 0; i < content->messages->len; i++)
    {
      const NsContentMessage *message = &g_array_index (content->messages, NsContentMessage, i);

      if (message->kind != bytes ||
          (message->head != NULL && ns_wire_http_status_of_line (message->head) / 100 == 1))
        continue;
      if (half.head == NULL)
        {
          half.head = message->head;
          half.cookies = message->cookies;
        }
      if (half.body == NULL && message->body->len > 0)
        half.body = message;
    }
  for (i = 0; i < content->parts->len && half.head == NULL; i++)
    {
      const NsContentPart *part = &g_array_index (content->parts, NsContentPart, i);

      if (part->kind == headers)
        {
          half.head = (const char *) part->data;
          half.cookies = part->cookies;
        }
    }
  return half;
}

static void
append_header (NsJsonWriter *json, const Archive *archive, const char *name, const char *value)
{
  gboolean is_kept = archive->redact == NULL || ns_redact_headers_keep_value (name, value);

  ns_json_begin_object (json, NULL);
  append_key (json, "name", name);
  append_key (json, "value", is_kept ? value : "");
  if (!is_kept)
    {
      append_key (json, "comment", _ ("left out"));
    }
  ns_json_end_object (json);
}

static void
append_headers (NsJsonWriter *json, const Archive *archive, const char *head)
{
  g_auto (GStrv) lines = g_strsplit_set (head != NULL ? head : "", "\r\n", -1);
  guint i;

  ns_json_begin_array (json, "headers");
  for (i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    {
      char *colon = strchr (lines[i], ':');
      g_autofree char *value = NULL;

      if (colon == NULL || colon == lines[i])
        continue;
      *colon = '\0';
      if (archive->redact != NULL && !ns_redact_headers_keep_name (lines[i]))
        continue;
      value = g_utf8_make_valid (g_strstrip (colon + 1), -1);
      append_header (json, archive, lines[i], value);
    }
  ns_json_end_array (json);
}

/* Returns the value of a cookie in the headers with this name, for use when secrets are shown;
 * %NULL: none. */
static char *
dup_cookie (const char *head, const char *header, const char *name)
{
  g_auto (GStrv) lines = g_strsplit_set (head != NULL ? head : "", "\r\n", -1);
  gsize n_header = strlen (header);
  gsize n_name = strlen (name);
  guint i;
  guint j;

  for (i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = NULL;

      if (g_ascii_strncasecmp (lines[i], header, n_header) != 0 || lines[i][n_header] != ':')
        continue;
      parts = g_strsplit (lines[i] + n_header + 1, ";", -1);
      for (j = 0; parts[j] != NULL; j++)
        {
          const char *part = g_strstrip (parts[j]);

          if (strncmp (part, name, n_name) == 0 && part[n_name] == '=')
            return g_utf8_make_valid (part + n_name + 1, -1);
        }
    }
  return NULL;
}

/* Appends cookies; if names are replaced none, as cookie names are often personal. */
static void
append_cookies (NsJsonWriter *json, const Archive *archive, const Half *half, const char *header)
{
  g_auto (GStrv) names =
      g_strsplit (half->cookies != NULL && archive->redact == NULL ? half->cookies : "", "\n", -1);
  guint i;

  ns_json_begin_array (json, "cookies");
  for (i = 0; names[i] != NULL && *names[i] != '\0'; i++)
    {
      g_autofree char *value = ns_secrets_are_shown (archive->trace->secrets)
                                   ? dup_cookie (half->head, header, names[i])
                                   : NULL;

      ns_json_begin_object (json, NULL);
      append_key (json, "name", names[i]);
      append_key (json, "value", value != NULL ? value : NS_SECRETS_MASK);
      ns_json_end_object (json);
    }
  ns_json_end_array (json);
}

static void
append_type (NsJsonWriter *json, const Archive *archive, const char *head)
{
  g_autofree char *type =
      head != NULL ? ns_wire_message_dup_field (head, strlen (head), "Content-Type") : NULL;
  g_autofree char *valid = type != NULL ? g_utf8_make_valid (type, -1) : NULL;

  /* If names are replaced, drop the parameters, such as a boundary. */
  if (valid != NULL && archive->redact != NULL)
    valid[strcspn (valid, "; \t")] = '\0';
  if (valid != NULL && archive->redact != NULL && !ns_redact_headers_keep_value ("accept", valid))
    g_clear_pointer (&valid, g_free);
  append_key (json, "mimeType", valid != NULL ? valid : "x-unknown");
}

static void
append_text (NsJsonWriter *json, const NsContentMessage *body)
{
  g_autofree char *packed = NULL;

  if (body->text != NULL)
    {
      append_key (json, "text", body->text);
      return;
    }
  packed = g_base64_encode (body->body->data, body->body->len);
  append_key (json, "text", packed);
  append_key (json, "encoding", "base64");
}

/* Appends the content; HAR requires its decoded size. */
static void
append_content (NsJsonWriter *json,
                const Archive *archive,
                const NsActivityRow *row,
                const Half *half)
{
  const NsContentMessage *body = half->body;

  ns_json_begin_object (json, "content");
  ns_json_add_number (json,
                      "size",
                      "%" G_GUINT64_FORMAT,
                      body != NULL ? (guint64) body->body->len : row->received);
  append_type (json, archive, half->head);
  if (body != NULL)
    ns_json_add_number (json,
                        "compression",
                        "%" G_GINT64_FORMAT,
                        (gint64) body->body->len - (gint64) body->n_coded);
  if (body != NULL && archive->redact == NULL)
    append_text (json, body);
  ns_json_end_object (json);
}

/* Appends the request body. HAR defines no encoding of request bodies: binary ones get the
 * `encoding` member that it defines for responses. */
static void
append_posted (NsJsonWriter *json, const Archive *archive, const Half *half)
{
  if (half->body == NULL || archive->redact != NULL)
    return;
  ns_json_begin_object (json, "postData");
  append_type (json, archive, half->head);
  ns_json_begin_array (json, "params");
  ns_json_end_array (json);
  append_text (json, half->body);
  ns_json_end_object (json);
}

/* Decodes a name or value of a query; returns it unchanged if the result is not text. */
static char *
dup_unescaped (const char *text, gsize n_bytes)
{
  g_autofree char *raw = g_strndup (text, n_bytes);
  g_autofree char *spaced = g_strdelimit (g_strdup (raw), "+", ' ');
  g_autofree char *plain = g_uri_unescape_string (spaced, NULL);

  return plain != NULL && g_utf8_validate (plain, -1, NULL) ? g_steal_pointer (&plain)
                                                            : g_steal_pointer (&raw);
}

/* Returns the position of the first such byte; @n_bytes: none. */
static gsize
find_byte (const char *text, char byte, gsize n_bytes)
{
  const char *at = memchr (text, byte, n_bytes);

  return at != NULL ? (gsize) (at - text) : n_bytes;
}

/* Appends the parameters of a URL's query. */
static void
append_query (NsJsonWriter *json, const char *url)
{
  const char *end = url + strcspn (url, "#");
  const char *at = memchr (url, '?', (gsize) (end - url));

  ns_json_begin_array (json, "queryString");
  for (at = at != NULL ? at + 1 : end; at < end; at++)
    {
      gsize n_part = find_byte (at, '&', (gsize) (end - at));
      gsize n_name = find_byte (at, '=', n_part);
      gsize begin = MIN (n_name + 1, n_part);
      g_autofree char *name = dup_unescaped (at, n_name);
      g_autofree char *value = dup_unescaped (at + begin, n_part - begin);

      at += n_part;
      if (n_part == 0)
        continue;
      ns_json_begin_object (json, NULL);
      append_key (json, "name", name);
      append_key (json, "value", value);
      ns_json_end_object (json);
    }
  ns_json_end_array (json);
}

/* Returns the status line; for .NET requests without one, the recorded status. */
static char *
dup_status (const Archive *archive, const NsActivityRow *row)
{
  NsRow number = ns_activity_row_get_source (row, NS_TABLE_DOTNET);
  NsString text = row->status;
  const char *line;

  if (number != 0)
    {
      const NsDotnetRow *request = NS_ROW_AT (archive->trace->dotnet, NsDotnetRow, number);

      text = request->error != NS_STRING_NONE ? request->error : text;
    }
  line = ns_trace_text (archive->trace, text);

  return archive->redact != NULL && line != NULL ? ns_redact_dup_text (archive->redact, line)
                                                 : g_strdup (line);
}

/* Returns the reason why there is no complete response; an error status is a response. */
static char *
dup_failure (const Archive *archive, const NsActivityRow *row)
{
  if (row->error_family != NS_CODE_NONE && row->error != 0)
    return ns_field_code_to_words (row->error_family, row->error);
  if ((row->failed || row->cancelled) && row->http_status == 0)
    return dup_status (archive, row);
  return NULL;
}

/* Appends the redirect URL: that of the next request, else that of the response, which may be
 * relative, as HAR allows. */
static void
append_redirect (NsJsonWriter *json, const Archive *archive, guint id, const char *head)
{
  const NsTrace *trace = archive->trace;
  g_autofree char *location = NULL;
  const char *url = NULL;
  NsRow after = 0;
  NsTableId table;
  NsRow row;

  if (ns_redirects_find (trace, id, &table, &row))
    after = ns_redirects_get_activity (trace, table, ns_redirects_get_after (trace, table, row));
  if (after != 0)
    url = ns_trace_text (trace, NS_ROW_AT (trace->activities, NsActivityRow, after)->url);
  else if (head != NULL && archive->redact == NULL)
    {
      g_autofree char *field = ns_wire_message_dup_field (head, strlen (head), "Location");

      location = field != NULL ? g_utf8_make_valid (field, -1) : NULL;
      url = location;
    }
  if (url != NULL)
    append_field (json, archive, "redirectURL", "url", url);
  else
    append_key (json, "redirectURL", "");
}

/* Appends the ID of the connection: its local port, else its remote port. */
static void
append_connection (NsJsonWriter *json, const NsActivityRow *row)
{
  guint port = row->local->port != 0 ? row->local->port : row->remote->port;

  g_autofree char *text = NULL;

  if (port == 0)
    return;
  text = g_strdup_printf ("%u", port);
  append_key (json, "connection", text);
}

static void
append_failure (NsJsonWriter *json, const char *key, const char *failure)
{
  if (failure == NULL || *failure == '\0')
    return;
  append_key (json, key, failure);
}

/* Returns the HTTP version of the status line; .NET records it separately. */
static char *
dup_version (const Archive *archive, const NsActivityRow *row, const char *line)
{
  NsRow source = ns_activity_row_get_source (row, NS_TABLE_DOTNET);
  const NsDotnetRow *dotnet =
      source != 0 ? NS_ROW_AT (archive->trace->dotnet, NsDotnetRow, source) : NULL;

  if (dotnet == NULL || dotnet->http_version == NULL)
    return version_of (line);
  return g_strconcat ("HTTP/", dotnet->http_version, NULL);
}

static void
append_entry (NsJsonWriter *json,
              const Archive *archive,
              const NsActivityRow *row,
              guint id,
              const NsRowContent *content)
{
  const NsTrace *trace = archive->trace;
  Half sent = { NULL, NULL, NULL };
  Half received = { NULL, NULL, NULL };
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;
  g_autofree char *line = dup_status (archive, row);
  g_autofree char *version = dup_version (archive, row, line);
  g_autofree char *started =
      ns_time_filetime_to_iso (ns_etl_file_ns_to_filetime (trace->file, row->open_ns), 0, TRUE);
  g_autofree char *url = dup_field (archive, "url", ns_trace_text (trace, row->url));
  g_autofree char *failure = dup_failure (archive, row);
  char ip[NS_IP_TEXT_SIZE];

  if (content != NULL)
    {
      sent = find_half (content, NS_CONTENT_SENT, NS_CONTENT_REQUEST);
      received = find_half (content, NS_CONTENT_RECEIVED, NS_CONTENT_RESPONSE);
    }
  ns_json_begin_object (json, NULL);
  append_key (json, "startedDateTime", started);
  append_timings (json, row, MAX (close_ns - row->open_ns, 0));
  ns_json_begin_object (json, "request");
  append_field (json, archive, "method", "method", ns_trace_text (trace, row->method));
  append_key (json, "url", url);
  append_key (json, "httpVersion", version);
  append_cookies (json, archive, &sent, "Cookie");
  append_headers (json, archive, sent.head);
  append_query (json, url);
  append_sizes (json, body_size (row, row->sent));
  append_posted (json, archive, &sent);
  ns_json_end_object (json);
  ns_json_begin_object (json, "response");
  ns_json_add_number (json, "status", "%u", row->http_status);
  append_key (json, "statusText", phrase_of (line));
  append_key (json, "httpVersion", version);
  append_cookies (json, archive, &received, "Set-Cookie");
  append_headers (json, archive, received.head);
  append_content (json, archive, row, &received);
  append_redirect (json, archive, id, received.head);
  append_sizes (json, body_size (row, row->received));
  append_failure (json, "_error", failure);
  append_failure (json, "comment", failure);
  ns_json_end_object (json);
  ns_json_begin_object (json, "cache");
  ns_json_end_object (json);
  if (!ns_ip_is_empty (&row->remote->ip))
    {
      append_field (json, archive, "serverIPAddress", "ip", ns_ip_to_text (&row->remote->ip, ip));
    }
  append_connection (json, row);
  append_failure (json, "comment", failure);
  append_field (json,
                archive,
                "_process",
                "process",
                ns_trace_get_process_name (trace, row->pid, row->open_ns));
  if (row->pid != NS_PID_UNKNOWN)
    ns_json_add_number (json, "_pid", "%u", row->pid);
  ns_json_add_number (json, "_row", "%u", id);
  ns_json_end_object (json);
}

/* Returns whether a row is a request: the URL of another row may be that of a file, or not be a
 * URL. */
static gboolean
is_request (const NsTrace *trace, const NsActivityRow *row)
{
  static const char *const schemes[] = { "http://", "https://", "ws://", "wss://", "ftp://" };
  const char *url = row->open_ns != NS_TIME_NONE ? ns_trace_text (trace, row->url) : NULL;
  NsRow transfer = ns_activity_row_get_source (row, NS_TABLE_BITS);
  const GArray *requests =
      transfer != 0 ? NS_ROW_AT (trace->bits, NsBitsRow, transfer)->requests : NULL;
  guint i;

  /* The requests on this connection have rows of their own. */
  if (requests != NULL && requests->len > 0)
    return FALSE;
  for (i = 0; url != NULL && i < G_N_ELEMENTS (schemes); i++)
    if (g_ascii_strncasecmp (url, schemes[i], strlen (schemes[i])) == 0)
      return strchr ("/?#", url[strlen (schemes[i])]) == NULL;
  return FALSE;
}

static void
append_head (NsJsonWriter *json, const Archive *archive)
{
  ns_json_begin_object (json, NULL);
  ns_json_begin_object (json, "log");
  append_key (json, "version", "1.2");
  ns_json_begin_object (json, "creator");
  append_key (json, "name", "Netstitch");
  append_key (json, "version", NS_VERSION);
  ns_json_end_object (json);
  if (archive->redact != NULL)
    append_key (json,
                "comment",
                _ ("Stand-ins replace names. Bodies are left out, and values of headers that may "
                   "contain personal data."));
  ns_json_begin_array (json, "pages");
  ns_json_end_array (json);
  ns_json_begin_array (json, "entries");
}

static gboolean
write_all (const Archive *archive,
           const guint32 *rows,
           gsize n_rows,
           NsExportWriteFunc write,
           gpointer write_data,
           GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  NsJsonWriter json = { .text = text };
  gsize i;

  append_head (&json, archive);
  for (i = 0; i < n_rows; i++)
    {
      const NsActivityRow *row =
          &g_array_index (archive->trace->activities, NsActivityRow, rows[i]);
      g_autoptr (NsRowContent) content = NULL;

      if (!is_request (archive->trace, row))
        continue;
      if (archive->wanted != NULL)
        content = ns_row_content_find (archive->trace,
                                       NS_TABLE_ACTIVITIES,
                                       rows[i],
                                       archive->wanted,
                                       NULL,
                                       NULL);
      ns_json_break_line (&json);
      append_entry (&json, archive, row, rows[i] + 1, content);
      if (text->len < CHUNK)
        continue;
      if (!write (text->str, text->len, write_data, error))
        return FALSE;
      g_string_truncate (text, 0);
    }
  ns_json_break_line (&json);
  ns_json_end_array (&json);
  ns_json_end_object (&json);
  ns_json_end_object (&json);
  g_string_append_c (text, '\n');
  return write (text->str, text->len, write_data, error);
}

/**
 * ns_export_har:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Writes the requests among the rows, those with a URL and a known begin.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_har (const NsTrace *trace,
               const guint32 *rows,
               gsize n_rows,
               NsExportWriteFunc write,
               gpointer write_data,
               GError **error)
{
  const Archive archive = { trace, NULL, NULL };

  return write_all (&archive, rows, n_rows, write, write_data, error);
}

/**
 * ns_export_har_with_bodies:
 * @trace: a trace with its table of events
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Like ns_export_har(), with recorded headers and bodies, decoded.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_har_with_bodies (const NsTrace *trace,
                           const guint32 *rows,
                           gsize n_rows,
                           NsExportWriteFunc write,
                           gpointer write_data,
                           GError **error)
{
  const Archive archive = { trace, &contents, NULL };

  return write_all (&archive, rows, n_rows, write, write_data, error);
}

/**
 * ns_export_har_count:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 *
 * Returns: number of requests among them, which become entries
 */
gsize
ns_export_har_count (const NsTrace *trace, const guint32 *rows, gsize n_rows)
{
  gsize n = 0;
  gsize i;

  for (i = 0; i < n_rows; i++)
    n += is_request (trace, &g_array_index (trace->activities, NsActivityRow, rows[i]));
  return n;
}

/**
 * ns_export_har_look:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @options: (nullable): further texts to examine
 *
 * Finds what is replaced if ns_export_har_redacted() writes these rows.
 *
 * Returns: (transfer full) (nullable): the stand-ins; %NULL if stopped
 */
NsRedact *
ns_export_har_look (const NsTrace *trace,
                    const guint32 *rows,
                    gsize n_rows,
                    const NsRedactOptions *options)
{
  g_autoptr (GArray) requests = g_array_new (FALSE, FALSE, sizeof (guint32));
  const NsField *fields[G_N_ELEMENTS (telling_fields)];
  NsExportRows looked_at = { .trace = trace, .table = NS_TABLE_ACTIVITIES, .fields = fields };
  gsize i;

  for (i = 0; i < n_rows; i++)
    if (is_request (trace, &g_array_index (trace->activities, NsActivityRow, rows[i])))
      g_array_append_val (requests, rows[i]);
  for (i = 0; i < G_N_ELEMENTS (telling_fields); i++)
    fields[i] = ns_table_find_field (NS_TABLE_ACTIVITIES, telling_fields[i]);
  looked_at.rows = (const guint32 *) (gpointer) requests->data;
  looked_at.n_rows = requests->len;
  looked_at.n_fields = G_N_ELEMENTS (telling_fields);
  return ns_redact_new (&looked_at, options);
}

/**
 * ns_export_har_redacted:
 * @trace: a trace, with its table of events if headers are requested
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @redact: stand-ins of ns_export_har_look()
 * @has_headers: whether to include headers known to be impersonal
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Like ns_export_har(), with personal data replaced.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_har_redacted (const NsTrace *trace,
                        const guint32 *rows,
                        gsize n_rows,
                        const NsRedact *redact,
                        gboolean has_headers,
                        NsExportWriteFunc write,
                        gpointer write_data,
                        GError **error)
{
  const Archive archive = { trace, has_headers ? &contents : NULL, redact };

  return write_all (&archive, rows, n_rows, write, write_data, error);
}
