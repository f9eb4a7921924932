/* Rows as trace events in JSON, which the user interface of Perfetto opens.
 *
 * Requests of one thread overlap, so each is a track of nestable asynchronous events ("b" and "e"
 * of one id) in its process, with its phases inside; stamps are microseconds since the trace began.
 * The form is the Trace Event Format, which Perfetto documents as its external JSON format.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-perfetto.h"

#include "base/ns-json.h"
#include "base/ns-map.h"

#define CHUNK (64 * 1024)

static const char *const phase_names[NS_N_PHASES] = {
  [NS_PHASE_QUEUE] = "queued",    [NS_PHASE_PROXY] = "proxy",     [NS_PHASE_DNS] = "DNS",
  [NS_PHASE_CONNECT] = "connect", [NS_PHASE_TLS] = "TLS",         [NS_PHASE_SEND] = "send",
  [NS_PHASE_WAIT] = "wait",       [NS_PHASE_RECEIVE] = "receive", [NS_PHASE_OTHER] = "other",
};

typedef struct
{
  const NsTrace *trace;
  GString *json;
  NsMap *processes; /* those that were named */
  gboolean is_first;
} Writer;

/* An event's beginning, up to where more members may follow. */
static void
begin_event (Writer *self, char kind, const NsActivityRow *row, guint id, gint64 time_ns)
{
  g_string_append (self->json, self->is_first ? "\n" : ",\n");
  self->is_first = FALSE;
  g_string_append_printf (self->json,
                          "{\"ph\":\"%c\",\"cat\":\"network\",\"id\":%u,\"pid\":%u,\"tid\":%u,"
                          "\"ts\":%" G_GINT64_FORMAT ".%03u",
                          kind,
                          id,
                          row->pid == NS_PID_UNKNOWN ? 0 : row->pid,
                          row->tid == NS_PID_UNKNOWN ? 0 : row->tid,
                          time_ns / 1000,
                          (guint) (time_ns % 1000));
}

static void
append_text (GString *json, const char *key, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  if (json->str[json->len - 1] != '{')
    g_string_append_c (json, ',');
  g_string_append_printf (json, "\"%s\":", key);
  ns_json_append_string (json, text);
}

static void
append_number (GString *json, const char *key, guint64 number)
{
  if (json->str[json->len - 1] != '{')
    g_string_append_c (json, ',');
  g_string_append_printf (json, "\"%s\":%" G_GUINT64_FORMAT, key, number);
}

/* Names a process when its first row comes. */
static void
name_process (Writer *self, const NsActivityRow *row)
{
  guint32 pid = row->pid == NS_PID_UNKNOWN ? 0 : row->pid;
  const char *name = row->pid != NS_PID_UNKNOWN
                         ? ns_trace_get_process_name (self->trace, row->pid, row->open_ns)
                         : NULL;

  if (ns_map_get (self->processes, pid, 0) != 0)
    return;
  ns_map_set (self->processes, pid, 0, 1);
  g_string_append (self->json, self->is_first ? "\n" : ",\n");
  self->is_first = FALSE;
  g_string_append_printf (self->json,
                          "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":",
                          pid);
  ns_json_append_string (self->json, name != NULL ? name : "?");
  g_string_append (self->json, "}}");
}

/* What a row is called: method and URL, else server, else the peer. */
static void
append_name (Writer *self, const NsActivityRow *row)
{
  const char *method = ns_trace_text (self->trace, row->method);
  const char *what = ns_trace_text (self->trace, row->url);
  g_autofree char *name = NULL;
  char ip[NS_IP_TEXT_SIZE];

  if (what == NULL || *what == '\0')
    what = ns_trace_text (self->trace, row->server);
  if (what == NULL || *what == '\0')
    what = ns_ip_to_text (&row->remote->ip, ip);
  name = g_strdup_printf ("%s %s", method != NULL ? method : "", what != NULL ? what : "");
  g_string_append (self->json, ",\"name\":");
  ns_json_append_string (self->json, g_strstrip (name));
}

static void
append_args (Writer *self, const NsActivityRow *row, guint id)
{
  GString *json = self->json;
  char ip[NS_IP_TEXT_SIZE];

  g_string_append (json, ",\"args\":{");
  append_number (json, "row", id);
  append_text (json, "server", ns_trace_text (self->trace, row->server));
  append_text (json, "status", ns_trace_text (self->trace, row->status));
  if (!ns_ip_is_empty (&row->remote->ip))
    {
      append_text (json, "ip", ns_ip_to_text (&row->remote->ip, ip));
      append_number (json, "port", row->remote->port);
    }
  append_number (json, "sent", row->sent);
  append_number (json, "received", row->received);
  if (row->error != 0)
    append_number (json, "error", row->error);
  g_string_append_c (json, '}');
}

/* The phases follow each other and add up to the row. */
static void
append_phases (Writer *self, const NsActivityRow *row, guint id, gint64 begin_ns, gint64 end_ns)
{
  gint64 at_ns = begin_ns;
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    {
      gint64 next_ns;

      if (ns_activity_row_get_phase (row, i) <= 0)
        continue;
      next_ns = MIN (at_ns + ns_activity_row_get_phase (row, i), end_ns);
      begin_event (self, 'b', row, id, at_ns);
      g_string_append_printf (self->json, ",\"name\":\"%s\"}", phase_names[i]);
      begin_event (self, 'e', row, id, next_ns);
      g_string_append_printf (self->json, ",\"name\":\"%s\"}", phase_names[i]);
      at_ns = next_ns;
    }
}

static void
append_row (Writer *self, const NsActivityRow *row, guint id)
{
  gint64 begin_ns = MAX (row->open_ns, 0);
  gint64 end_ns = row->close_ns == NS_TIME_OPEN ? self->trace->end_ns : row->close_ns;

  end_ns = MAX (end_ns, begin_ns);
  name_process (self, row);
  begin_event (self, 'b', row, id, begin_ns);
  append_name (self, row);
  append_args (self, row, id);
  g_string_append_c (self->json, '}');
  append_phases (self, row, id, begin_ns, end_ns);
  begin_event (self, 'e', row, id, end_ns);
  append_name (self, row);
  g_string_append_c (self->json, '}');
}

/**
 * ns_export_perfetto:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: how many
 * @write: where the text goes
 * @write_data: for @write
 * @error: what @write said
 *
 * Writes rows with a known beginning; what had not ended ends with the trace.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_perfetto (const NsTrace *trace,
                    const guint32 *rows,
                    gsize n_rows,
                    NsExportWriteFunc write,
                    gpointer write_data,
                    GError **error)
{
  g_autoptr (GString) json = g_string_new ("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  g_autoptr (NsMap) processes = ns_map_new ();
  Writer self = { trace, json, processes, TRUE };
  gsize i;

  for (i = 0; i < n_rows; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, rows[i]);

      if (row->open_ns == NS_TIME_NONE)
        continue;
      append_row (&self, row, rows[i] + 1);
      if (json->len < CHUNK)
        continue;
      if (!write (json->str, json->len, write_data, error))
        return FALSE;
      g_string_truncate (json, 0);
    }
  g_string_append (json, "\n]}\n");
  return write (json->str, json->len, write_data, error);
}
