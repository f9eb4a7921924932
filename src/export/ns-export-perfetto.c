/* Rows as JSON trace events for the Perfetto UI.
 *
 * Requests of one thread overlap, so each is a track of nestable asynchronous events in its
 * process, which contains its phases; so is each lower-layer row, once. Flow arrows connect the
 * layers. Arrows bind to thread slices, so both ends have a slice of zero length. Time stamps are
 * microseconds since the trace's start. The format is the Trace Event Format.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-perfetto.h"

#include "base/ns-json-writer.h"
#include "base/ns-map.h"
#include "query/ns-field-text.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>

#define CHUNK (64 * 1024)

static const char *const phase_names[NS_N_PHASES] = {
  [NS_PHASE_POOL] = "pool wait", [NS_PHASE_QUEUE] = "queued",    [NS_PHASE_PROXY] = "proxy",
  [NS_PHASE_DNS] = "DNS",        [NS_PHASE_CONNECT] = "connect", [NS_PHASE_TLS] = "TLS",
  [NS_PHASE_SEND] = "send",      [NS_PHASE_WAIT] = "wait",       [NS_PHASE_RECEIVE] = "receive",
  [NS_PHASE_OTHER] = "other",
};

typedef struct
{
  const NsTrace *trace;
  NsJsonWriter json;
  NsMap *processes; /* processes with a name event */
  NsMap *threads;   /* threads with a name event */
  NsMap *chosen;    /* numbers of the chosen rows */
  NsMap *lower;     /* lower-layer rows that are already written */
  guint n_flows;
} Writer;

/* A row of any table: process, thread and time. */
typedef struct
{
  NsTableId table;
  NsRow row;
  guint32 pid;
  guint32 tid;
  gint64 begin_ns;
  gint64 end_ns;
} Slice;

static void
begin_object (Writer *self)
{
  ns_json_break_line (&self->json);
  ns_json_begin_object (&self->json, NULL);
}

static guint32
known_id (guint32 id)
{
  return id == NS_PID_UNKNOWN ? 0 : id;
}

/* Begins an event; the caller may add further members. */
static void
begin_timed (Writer *self, char kind, const Slice *slice, gint64 time_ns)
{
  const char phase[] = { kind, '\0' };

  begin_object (self);
  ns_json_add_string (&self->json, "ph", phase);
  ns_json_add_number (&self->json, "pid", "%u", known_id (slice->pid));
  ns_json_add_number (&self->json, "tid", "%u", known_id (slice->tid));
  ns_json_add_number (&self->json,
                      "ts",
                      "%" G_GINT64_FORMAT ".%03u",
                      time_ns / 1000,
                      (guint) (time_ns % 1000));
}

/* Begins an event of a row. Rows of the master table are identified by number, those of other
 * tables by table and number. */
static void
begin_event (Writer *self, char kind, const Slice *slice, gint64 time_ns)
{
  g_autofree char *id = NULL;

  begin_timed (self, kind, slice, time_ns);
  if (slice->table == NS_TABLE_ACTIVITIES)
    {
      ns_json_add_string (&self->json, "cat", "network");
      ns_json_add_number (&self->json, "id", "%u", slice->row);
      return;
    }
  id = g_strdup_printf ("%s-%u", ns_table_get_name (slice->table), slice->row);
  ns_json_add_string (&self->json, "cat", ns_table_get_name (slice->table));
  ns_json_add_string (&self->json, "id", id);
}

static void
add_text (NsJsonWriter *json, const char *key, const char *text)
{
  if (text != NULL && *text != '\0')
    ns_json_add_string (json, key, text);
}

static void
add_row_number (Writer *self, guint row)
{
  ns_json_begin_object (&self->json, "args");
  ns_json_add_number (&self->json, "row", "%u", row);
  ns_json_end_object (&self->json);
}

static void
append_metadata (Writer *self, const char *kind, const Slice *slice, const char *name)
{
  begin_object (self);
  ns_json_add_string (&self->json, "ph", "M");
  ns_json_add_string (&self->json, "name", kind);
  ns_json_add_number (&self->json, "pid", "%u", known_id (slice->pid));
  ns_json_add_number (&self->json, "tid", "%u", known_id (slice->tid));
  ns_json_begin_object (&self->json, "args");
  ns_json_add_string (&self->json, "name", name);
  ns_json_end_object (&self->json);
  ns_json_end_object (&self->json);
}

static char *
dup_thread_name (const NsTrace *trace, const Slice *slice)
{
  NsRow row = ns_trace_find_thread (trace, slice->tid, slice->begin_ns);
  const NsThreadRow *thread = row > 0 ? NS_ROW_AT (trace->threads, NsThreadRow, row) : NULL;
  const char *name = thread != NULL ? ns_trace_text (trace, thread->name) : NULL;

  return name != NULL && *name != '\0' ? g_strdup (name)
                                       : g_strdup_printf (_ ("Thread %u"), slice->tid);
}

/* Names a process and a thread at their first slice. */
static void
name_thread (Writer *self, const Slice *slice)
{
  if (ns_map_get (self->processes, known_id (slice->pid), 0) == 0)
    {
      const char *name = slice->pid != NS_PID_UNKNOWN
                             ? ns_trace_get_process_name (self->trace, slice->pid, slice->begin_ns)
                             : NULL;

      ns_map_set (self->processes, known_id (slice->pid), 0, 1);
      append_metadata (self, "process_name", slice, name != NULL ? name : "?");
    }
  if (slice->tid != NS_PID_UNKNOWN &&
      ns_map_get (self->threads, known_id (slice->pid), slice->tid) == 0)
    {
      g_autofree char *name = dup_thread_name (self->trace, slice);

      ns_map_set (self->threads, known_id (slice->pid), slice->tid, 1);
      append_metadata (self, "thread_name", slice, name);
    }
}

/* Appends the title of a row: method and URL, else server, else peer. */
static void
append_name (Writer *self, const NsActivityRow *row)
{
  const char *method = ns_method_to_text (ns_trace_text (self->trace, row->method));
  const char *what = ns_trace_text (self->trace, row->url);
  g_autofree char *name = NULL;
  char ip[NS_IP_TEXT_SIZE];

  if (what == NULL || *what == '\0')
    what = ns_trace_text (self->trace, row->server);
  if (what == NULL || *what == '\0')
    what = ns_ip_to_text (&row->remote->ip, ip);
  name = g_strdup_printf ("%s %s", method, what != NULL ? what : "");
  ns_json_add_string (&self->json, "name", g_strstrip (name));
}

static void
append_args (Writer *self, const NsActivityRow *row, guint id)
{
  NsJsonWriter *json = &self->json;
  char ip[NS_IP_TEXT_SIZE];

  ns_json_begin_object (json, "args");
  ns_json_add_number (json, "row", "%u", id);
  add_text (json, "server", ns_trace_text (self->trace, row->server));
  add_text (json, "status", ns_trace_text (self->trace, row->status));
  if (!ns_ip_is_empty (&row->remote->ip))
    {
      add_text (json, "ip", ns_ip_to_text (&row->remote->ip, ip));
      ns_json_add_number (json, "port", "%u", row->remote->port);
    }
  ns_json_add_number (json, "sent", "%" G_GUINT64_FORMAT, (guint64) row->sent);
  ns_json_add_number (json, "received", "%" G_GUINT64_FORMAT, (guint64) row->received);
  if (row->error != 0)
    ns_json_add_number (json, "error", "%" G_GUINT64_FORMAT, (guint64) row->error);
  ns_json_end_object (json);
}

/* Appends the phases, which are contiguous and add up to the row's duration. */
static void
append_phases (Writer *self, const NsActivityRow *row, const Slice *slice)
{
  gint64 at_ns = slice->begin_ns;
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    {
      gint64 next_ns;

      if (ns_activity_row_get_phase (row, i) <= 0)
        continue;
      next_ns = MIN (at_ns + ns_activity_row_get_phase (row, i), slice->end_ns);
      begin_event (self, 'b', slice, at_ns);
      ns_json_add_string (&self->json, "name", phase_names[i]);
      ns_json_end_object (&self->json);
      begin_event (self, 'e', slice, next_ns);
      ns_json_add_string (&self->json, "name", phase_names[i]);
      ns_json_end_object (&self->json);
      at_ns = next_ns;
    }
}

static void
set_span (Slice *self, const NsTrace *trace, gint64 open_ns, gint64 close_ns)
{
  self->begin_ns = MAX (open_ns, 0);
  self->end_ns = MAX (close_ns == NS_TIME_OPEN ? trace->end_ns : close_ns, self->begin_ns);
}

static gboolean
get_activity (const NsTrace *trace, NsRow number, Slice *slice)
{
  const NsActivityRow *row = NS_ROW_AT (trace->activities, NsActivityRow, number);

  *slice = (Slice){ NS_TABLE_ACTIVITIES, number, row->pid, row->tid, 0, 0 };
  set_span (slice, trace, row->open_ns, row->close_ns);
  return row->open_ns != NS_TIME_NONE;
}

static gboolean
get_number (const NsTrace *trace, const Slice *slice, const char *id, gint64 *number)
{
  const NsField *field = ns_table_find_field (slice->table, id);
  NsFieldValue value;
  gboolean is_known;

  if (field == NULL)
    return FALSE;
  ns_field_get (trace, field, slice->row - 1, &value);
  is_known = !value.is_null;
  if (is_known)
    *number = value.v.i;
  ns_field_value_clear (&value);
  return is_known;
}

/* Reads a lower-layer row; unknown process and thread are those of @upper. */
static gboolean
get_lower (const NsTrace *trace, NsTableId table, NsRow row, const Slice *upper, Slice *slice)
{
  gint64 open_ns;
  gint64 close_ns = NS_TIME_OPEN;
  gint64 pid = upper->pid;
  gint64 tid = NS_PID_UNKNOWN;

  *slice = (Slice){ table, row, upper->pid, upper->tid, 0, 0 };
  if (!get_number (trace, slice, "open_ns", &open_ns))
    return FALSE;
  get_number (trace, slice, "close_ns", &close_ns);
  get_number (trace, slice, "pid", &pid);
  if (!get_number (trace, slice, "tid", &tid))
    get_number (trace, slice, "tid_open", &tid);
  if (tid != NS_PID_UNKNOWN || pid != upper->pid)
    slice->tid = (guint32) tid;
  slice->pid = (guint32) pid;
  set_span (slice, trace, open_ns, close_ns);
  return TRUE;
}

/* Appends a row, unless it is already written for another one. */
static void
append_lower (Writer *self, const Slice *slice)
{
  g_autofree char *brief = NULL;
  const char *layer = g_dgettext (GETTEXT_PACKAGE, ns_table_get_title (slice->table));
  g_autofree char *name = NULL;
  guint i;

  if (ns_map_get (self->lower, slice->table, slice->row) != 0)
    return;
  ns_map_set (self->lower, slice->table, slice->row, 1);
  brief = ns_brief_new (self->trace, slice->table, slice->row - 1);
  name = g_strdup_printf ("%s: %s", layer, brief);
  name_thread (self, slice);
  for (i = 0; i < 2; i++)
    {
      begin_event (self, i == 0 ? 'b' : 'e', slice, i == 0 ? slice->begin_ns : slice->end_ns);
      add_text (&self->json, "name", name);
      if (i == 0)
        add_row_number (self, slice->row);
      ns_json_end_object (&self->json);
    }
}

/* Appends an end of an arrow, with the slice that it binds to. */
static void
append_arrow_end (Writer *self, const Slice *slice, char kind, gint64 time_ns)
{
  const char *layer = g_dgettext (GETTEXT_PACKAGE, ns_table_get_title (slice->table));

  begin_timed (self, 'X', slice, time_ns);
  ns_json_add_number (&self->json, "dur", "0");
  ns_json_add_string (&self->json, "cat", "layer");
  add_text (&self->json, "name", layer);
  add_row_number (self, slice->row);
  ns_json_end_object (&self->json);
  begin_timed (self, kind, slice, time_ns);
  ns_json_add_string (&self->json, "cat", "layer");
  ns_json_add_string (&self->json, "name", "layer");
  ns_json_add_number (&self->json, "id", "%u", self->n_flows);
  if (kind == 'f')
    ns_json_add_string (&self->json, "bp", "e");
  ns_json_end_object (&self->json);
}

/* Appends an arrow from the begin of the upper row to that of the lower one. */
static void
append_arrow (Writer *self, const Slice *upper, const Slice *lower)
{
  if (upper->tid == NS_PID_UNKNOWN || lower->tid == NS_PID_UNKNOWN)
    return;
  self->n_flows++;
  append_arrow_end (self, upper, 's', upper->begin_ns);
  append_arrow_end (self, lower, 'f', MAX (upper->begin_ns, lower->begin_ns));
}

/* Appends the lower layers of a row, each with an arrow from the layer above. If the row itself
 * is a socket or connection, it is not repeated. */
static void
append_layers (Writer *self, const NsActivityRow *row, const Slice *slice)
{
  const NsLayerSet transport = NS_LAYER_TCP | NS_LAYER_UDP;
  gboolean is_socket = (row->protocol & (transport | NS_LAYER_WINSOCK)) != 0;
  const struct
  {
    NsTableId table;
    NsRow row;
    gboolean is_below_socket;
  } layers[] = {
    { NS_TABLE_DNS, row->dns, FALSE },
    { NS_TABLE_WINSOCK, is_socket ? 0 : row->winsock, FALSE },
    { NS_TABLE_TCP, (row->protocol & transport) != 0 ? 0 : row->tcp, TRUE },
  };
  Slice upper = *slice;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      Slice lower;

      if (layers[i].row == 0 ||
          !get_lower (self->trace, layers[i].table, layers[i].row, slice, &lower))
        continue;
      append_lower (self, &lower);
      append_arrow (self, layers[i].is_below_socket ? &upper : slice, &lower);
      if (layers[i].table == NS_TABLE_WINSOCK)
        {
          upper = lower;
          upper.begin_ns = MAX (slice->begin_ns, lower.begin_ns);
        }
    }
}

static void
append_row (Writer *self, const NsActivityRow *row, const Slice *slice)
{
  Slice parent;

  name_thread (self, slice);
  begin_event (self, 'b', slice, slice->begin_ns);
  append_name (self, row);
  append_args (self, row, slice->row);
  ns_json_end_object (&self->json);
  append_phases (self, row, slice);
  begin_event (self, 'e', slice, slice->end_ns);
  append_name (self, row);
  ns_json_end_object (&self->json);
  append_layers (self, row, slice);
  if (row->parent != 0 && ns_map_get (self->chosen, row->parent, 0) != 0 &&
      get_activity (self->trace, row->parent, &parent))
    append_arrow (self, &parent, slice);
}

/**
 * ns_export_perfetto:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the master table, 0-based
 * @n_rows: number of rows
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Writes rows with a known begin, and their lower layers; open rows end with the trace.
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
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (NsMap) processes = ns_map_new ();
  g_autoptr (NsMap) threads = ns_map_new ();
  g_autoptr (NsMap) chosen = ns_map_new ();
  g_autoptr (NsMap) lower = ns_map_new ();
  Writer self = { trace, { .text = text }, processes, threads, chosen, lower, 0 };
  gsize i;

  ns_json_begin_object (&self.json, NULL);
  ns_json_add_string (&self.json, "displayTimeUnit", "ns");
  ns_json_begin_array (&self.json, "traceEvents");
  for (i = 0; i < n_rows; i++)
    ns_map_set (chosen, rows[i] + 1, 0, 1);
  for (i = 0; i < n_rows; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, rows[i]);
      Slice slice;

      if (!get_activity (trace, rows[i] + 1, &slice))
        continue;
      append_row (&self, row, &slice);
      if (text->len < CHUNK)
        continue;
      if (!write (text->str, text->len, write_data, error))
        return FALSE;
      g_string_truncate (text, 0);
    }
  ns_json_break_line (&self.json);
  ns_json_end_array (&self.json);
  ns_json_end_object (&self.json);
  g_string_append_c (text, '\n');
  return write (text->str, text->len, write_data, error);
}
