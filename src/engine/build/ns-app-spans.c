/* Spans with begin and end, nested per thread, that applications report.
 *
 * Three kinds of events make spans: TraceLogging and EventSource events with the opcodes start and
 * stop, and the ExecutionTrace events (enter, leave) of the Tcl Windows API. Events of Windows
 * manifests are handled by other parts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"

#include "base/ns-map.h"

#include <string.h>

/* Opcodes of the events that begin and end an activity (WINEVENT_OPCODE_START, _STOP). */
#define OPCODE_START 1
#define OPCODE_STOP 2

/* Maximum number of open spans of a thread searched for the one that ends. */
#define NS_APP_SPANS_MAX_STEPS 256
#define NS_APP_SPANS_MAX_DEPTH 65535
/* Maximum length of a name in bytes; Tcl commands may be whole scripts. */
#define NS_APP_SPANS_MAX_NAME 256

#define TWAPI_EXECUTION 3

/* Build state of a row. */
typedef struct
{
  guint32 outer;  /* row of the enclosing span on its thread, or 0 */
  guint32 key;    /* value that the end event must have too: number of a text, or task */
  guint16 number; /* provider */
  gboolean is_open;
} Info;

struct _NsAppSpans
{
  GArray *infos;     /* element-type Info, by row */
  NsMap *innermost;  /* open row, by (pid, tid) */
  NsMap *activities; /* open row, by activity id */
};

/* Decoded event. */
typedef struct
{
  NsString provider;
  NsString name;
  NsString detail;
  guint32 key;
  gboolean is_strict; /* its end event also ends spans that are still open inside */
} AppEvent;

static void
app_spans_start (NsBuilder *builder)
{
  NsAppSpans *self = builder->app_spans = g_new0 (NsAppSpans, 1);

  self->infos = g_array_new (FALSE, FALSE, sizeof (Info));
  self->innermost = ns_map_new ();
  self->activities = ns_map_new ();
}

static void
app_spans_stop (NsBuilder *builder)
{
  g_array_unref (builder->app_spans->infos);
  ns_map_free (builder->app_spans->innermost);
  ns_map_free (builder->app_spans->activities);
  g_clear_pointer (&builder->app_spans, g_free);
}

static Info *
info_of (const NsAppSpans *self, guint32 row)
{
  return &g_array_index (self->infos, Info, row - 1);
}

static NsSpanRow *
row_of (NsBuilder *builder, guint32 row)
{
  return NS_ROW_AT (builder->trace->spans, NsSpanRow, row);
}

static void
split_guid (const NsGuid *guid, guint64 words[2])
{
  memcpy (words, guid->bytes, sizeof guid->bytes);
}

static gboolean
is_zero (const guint64 words[2])
{
  return words[0] == 0 && words[1] == 0;
}

static void
open_span (NsBuilder *builder, const NsRecord *record, const AppEvent *event)
{
  NsAppSpans *self = builder->app_spans;
  guint32 outer = ns_map_get (self->innermost, record->pid, record->tid);
  NsSpanRow row = { .pid = record->pid,
                    .tid = record->tid,
                    .provider = event->provider,
                    .name = event->name,
                    .detail = event->detail,
                    .open_ns = record->time_ns,
                    .close_ns = NS_TIME_OPEN,
                    .parent = outer,
                    .activity_id = record->activity };
  Info info = { outer, event->key, (guint16) record->provider, TRUE };
  guint64 words[2];

  if (outer != 0)
    row.depth = MIN (row_of (builder, outer)->depth + 1, NS_APP_SPANS_MAX_DEPTH);
  g_array_append_val (builder->trace->spans, row);
  g_array_append_val (self->infos, info);
  ns_map_set (self->innermost, record->pid, record->tid, builder->trace->spans->len);
  split_guid (&record->activity, words);
  if (!is_zero (words))
    ns_map_set (self->activities, words[0], words[1], builder->trace->spans->len);
}

/* Sets the thread's innermost span to one that is open; others have ended on other threads. */
static void
settle_thread (NsAppSpans *self, guint32 pid, guint32 tid)
{
  guint32 row = ns_map_get (self->innermost, pid, tid);
  guint32 before = row;

  while (row != 0 && !info_of (self, row)->is_open)
    row = info_of (self, row)->outer;
  if (row == before)
    return;
  if (row != 0)
    ns_map_set (self->innermost, pid, tid, row);
  else
    ns_map_take (self->innermost, pid, tid);
}

static void
close_span (NsBuilder *builder, guint32 row, const NsRecord *record)
{
  NsAppSpans *self = builder->app_spans;
  NsSpanRow *span = row_of (builder, row);
  guint64 words[2];

  span->close_ns = MAX (record->time_ns, span->open_ns);
  info_of (self, row)->is_open = FALSE;
  split_guid (&span->activity_id, words);
  if (!is_zero (words) && ns_map_get (self->activities, words[0], words[1]) == row)
    ns_map_take (self->activities, words[0], words[1]);
}

static gboolean
is_same (const Info *info, const NsRecord *record, const AppEvent *event)
{
  return info->is_open && info->number == (guint16) record->provider && info->key == event->key;
}

/* Finds the span by activity ID, on any thread; else the innermost span of its kind on this
 * thread. */
static guint32
find_span (NsBuilder *builder, const NsRecord *record, const AppEvent *event)
{
  NsAppSpans *self = builder->app_spans;
  guint64 words[2];
  guint32 row;
  guint i;

  split_guid (&record->activity, words);
  row = is_zero (words) ? 0 : ns_map_get (self->activities, words[0], words[1]);
  if (row != 0 && is_same (info_of (self, row), record, event))
    return row;
  row = ns_map_get (self->innermost, record->pid, record->tid);
  for (i = 0; i < NS_APP_SPANS_MAX_STEPS && row != 0; i++)
    {
      if (is_same (info_of (self, row), record, event))
        return row;
      row = info_of (self, row)->outer;
    }
  return 0;
}

static void
end_span (NsBuilder *builder, const NsRecord *record, const AppEvent *event)
{
  NsAppSpans *self = builder->app_spans;
  guint32 row = find_span (builder, record, event);
  guint32 inner;

  if (row == 0)
    return;
  if (event->is_strict)
    for (inner = ns_map_get (self->innermost, record->pid, record->tid); inner != row && inner != 0;
         inner = info_of (self, inner)->outer)
      if (info_of (self, inner)->is_open)
        close_span (builder, inner, record);
  if (event->detail != NS_STRING_NONE)
    row_of (builder, row)->detail = event->detail;
  close_span (builder, row, record);
  settle_thread (self, row_of (builder, row)->pid, row_of (builder, row)->tid);
}

/* Returns the name without its suffix: `RequestStart` and `RequestStop` belong to one span. */
static NsString
name_without_end (NsBuilder *builder, const char *name)
{
  gsize length = strlen (name);

  if (length > 5 && g_str_has_suffix (name, "Start"))
    length -= 5;
  else if (length > 4 && g_str_has_suffix (name, "Stop"))
    length -= 4;
  return ns_strings_add_len (builder->trace->strings, name, MIN (length, NS_APP_SPANS_MAX_NAME));
}

/* Adds an event with the opcode of a start or stop, if it is of an application. */
static void
add_event (NsBuilder *builder, const NsRecord *record)
{
  const NsSchema *schema = ns_schemas_find (builder->trace->schemas, record);
  const char *name;
  AppEvent event = { .is_strict = FALSE };

  if (schema == NULL ||
      (schema->source != NS_SCHEMA_TRACELOGGING && schema->source != NS_SCHEMA_EVENTSOURCE))
    return;
  name = schema->event_name != NULL ? schema->event_name : schema->task_name;
  if (name == NULL)
    return;
  event.name = name_without_end (builder, name);
  event.key = event.name;
  if (schema->provider_name != NULL)
    event.provider = ns_strings_add (builder->trace->strings, schema->provider_name);
  if (record->opcode == OPCODE_START)
    open_span (builder, record, &event);
  else
    end_span (builder, record, &event);
}

/* Rejects records that are neither a start nor a stop, which are most. */
static void
app_spans_each (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) != 0 &&
      (record->opcode == OPCODE_START || record->opcode == OPCODE_STOP))
    add_event (builder, record);
}

static NsString
take_text (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes;
  const guint8 *text = ns_cursor_wstr (cursor, &n_bytes);

  return ns_strings_add_utf16 (builder->trace->strings, text, n_bytes);
}

static NsString
join_result (NsBuilder *builder, NsString code, NsString result)
{
  const char *code_text = ns_trace_text (builder->trace, code);
  const char *result_text = ns_trace_text (builder->trace, result);
  g_autofree char *text = NULL;

  if (code_text == NULL || *code_text == '\0')
    return NS_STRING_NONE;
  text = g_strdup_printf ("%s %s", code_text, result_text != NULL ? result_text : "");
  return ns_strings_add (builder->trace->strings, g_strchomp (text));
}

/* Truncates a command to the maximum length, at a character boundary. */
static NsString
cut_name (NsBuilder *builder, const char *text)
{
  gsize length = strlen (text);

  if (length > NS_APP_SPANS_MAX_NAME)
    for (length = NS_APP_SPANS_MAX_NAME; length > 0 && ((guchar) text[length] & 0xc0) == 0x80;)
      length--;
  return ns_strings_add_len (builder->trace->strings, text, length);
}

/* Parses Operation, Command, Code, Result, Context: NUL-terminated texts. */
static void
twapi_event (NsBuilder *builder, const NsRecord *record)
{
  AppEvent event = { .is_strict = TRUE };
  NsCursor cursor;
  NsString operation;
  NsString command;
  NsString code;
  NsString result;
  const char *text;

  if (record->opcode != TWAPI_EXECUTION || (record->flags & NS_RECORD_MANIFEST) != 0)
    return;
  ns_record_cursor (record, &cursor);
  operation = take_text (builder, &cursor);
  command = take_text (builder, &cursor);
  code = take_text (builder, &cursor);
  result = take_text (builder, &cursor);
  if (!ns_cursor_ok (&cursor) || operation == NS_STRING_NONE || command == NS_STRING_NONE)
    return;
  text = ns_trace_text (builder->trace, command);
  event.key = command;
  event.name = cut_name (builder, text);
  event.provider = ns_strings_add (builder->trace->strings, "Tcl Windows API");
  event.detail = join_result (builder, code, result);
  text = ns_trace_text (builder->trace, operation);
  if (strcmp (text, "enter") == 0 || strcmp (text, "enterstep") == 0)
    open_span (builder, record, &event);
  else if (strcmp (text, "leave") == 0 || strcmp (text, "leavestep") == 0)
    end_span (builder, record, &event);
}

/* d5b52e95-8447-40c1-b316-539894449b36, the event class of the Tcl Windows API */
static const NsProviderOps ops[] = {
  { NS_GUID_TWAPI, NULL, twapi_event },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (spans, NsSpanRow, NULL),
};

const NsPart ns_app_spans_part = {
  .name = "app-spans",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = app_spans_start,
  .each = app_spans_each,
  .stop = app_spans_stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
