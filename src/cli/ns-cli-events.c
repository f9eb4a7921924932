/* Prints every record of a trace, decoded, in order of time: `events` and `dump`.
 *
 * Memory holds only the current record and the depths of call stacks that other records carry, so a
 * trace can be larger than memory. Only sorting, and filters that need more than the record, use
 * the table of events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-events.h"

#include "base/ns-secrets.h"
#include "cli/ns-cli-events-form.h"
#include "cli/ns-cli-list.h"
#include "cli/ns-cli-time.h"
#include "cli/ns-cli.h"
#include "engine/net/kernel/ns-kernel-ends.h"
#include "engine/net/ns-hidden.h"
#include "engine/open/ns-event-read.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-stacks.h"
#include "engine/trace/ns-trace-cache.h"
#include "query/ns-query.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Approximate size of the pieces of output, in bytes. */
#define PIECE_BYTES (256 * 1024)
#define GROUP_STACK_WALK 0x18

/* The checked options, and the state of the current walk. */
typedef struct
{
  gboolean is_dump;
  NsCliForm form;
  NsTimeSpan span;
  guint64 n_before; /* number of records before the time span */
  guint64 n_met;    /* number of records within the span */
  guint64 offset;
  guint64 limit;
  NsFilter *filter;
  GArray *keys; /* (element-type NsOrderKey) */
  gboolean is_correlation;
  gboolean is_of_event; /* print what is linked to record number @of_event */
  guint64 of_event;
  NsGuid activity;
  NsActivityIds *ids;
  guint32 tree;

  NsTrace clock; /* has file and schemas only */
  gboolean has_stack_records;
  gboolean reads_tables; /* a column needs the tables */
  gboolean hides_schema; /* omits records that describe others */
  guint64 n_hidden;
  NsMap *depths; /* owns event.depths */
  NsExportWriteFunc write;
  gpointer write_data;
  GError **error;
  gboolean failed;
} Printer;

static gboolean
find_column (const char *name, gboolean is_dump, gboolean is_correlation, guint *column)
{
  static const struct
  {
    const char *name;
    guint column;
  } others[] = {
    { "timecreated", NS_CLI_FORM_TIME_CREATED }, { "taskname", NS_CLI_EVENT_TASK_NAME },
    { "opcodename", NS_CLI_EVENT_OPCODE_NAME },  { "providername", NS_CLI_EVENT_PROVIDER_NAME },
    { "properties", NS_CLI_EVENT_FIELDS },
  };
  guint found;
  guint i;

  if (ns_cli_event_column_from_name (name, &found) &&
      (found != NS_CLI_EVENT_DEPTH || is_correlation))
    {
      *column = found;
      return TRUE;
    }
  for (i = 0; is_dump && i < G_N_ELEMENTS (others); i++)
    if (g_ascii_strcasecmp (others[i].name, name) == 0)
      {
        *column = others[i].column;
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_columns (Printer *self, const char *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  guint i;

  for (i = 0; names[i] != NULL; i++)
    {
      if (self->form.n_columns == NS_CLI_FORM_MAX_COLUMNS)
        return ns_trace_refuse_query (error, _ ("there are too many columns"));
      if (!find_column (g_strstrip (names[i]),
                        self->is_dump,
                        self->is_correlation,
                        &self->form.columns[self->form.n_columns]))
        return ns_table_refuse_field (NS_TABLE_EVENTS, names[i], error);
      self->reads_tables = self->reads_tables || ns_cli_event_column_reads_tables (
                                                     self->form.columns[self->form.n_columns]);
      self->form.n_columns++;
    }
  return TRUE;
}

static void
use_all_columns (Printer *self, gboolean has_payload)
{
  guint i;

  for (i = 0; i < NS_CLI_EVENT_N_COLUMNS; i++)
    if ((i != NS_CLI_EVENT_PAYLOAD_HEX || has_payload) &&
        (i != NS_CLI_EVENT_DEPTH || self->is_correlation))
      self->form.columns[self->form.n_columns++] = i;
}

static gboolean
is_for_eyes (const Printer *self)
{
  return self->form.kind == NS_CLI_FORM_ROWS && self->form.format == NS_EXPORT_TEXT;
}

static gboolean
choose_columns (Printer *self, const NsCliEvents *asked, GError **error)
{
  static const char *const on_screen = "time_ns,cpu,pid,tid,provider_name,name";
  static const char *const of_tree = "time_ns,depth,activity,pid,tid,provider_name,name";
  static const char *const of_dump = "timecreated,taskname,opcodename,properties";
  gboolean is_screen = is_for_eyes (self);

  if (self->form.kind == NS_CLI_FORM_EVENTS)
    return TRUE;
  /* Without chosen columns, the machine is the first one. */
  if (asked->turn != NULL && asked->columns == NULL && !parse_columns (self, "machine", error))
    return FALSE;
  if (asked->columns != NULL && strcmp (asked->columns, "all") != 0)
    return parse_columns (self, asked->columns, error);
  if (self->is_dump)
    return parse_columns (self, of_dump, error);
  if (asked->columns == NULL && is_screen)
    return parse_columns (self, self->is_correlation ? of_tree : on_screen, error) &&
           parse_columns (self, asked->signs != NULL ? asked->signs : "fields", error) &&
           (!asked->has_payload || parse_columns (self, "payload_hex", error));
  use_all_columns (self, asked->has_payload);
  return asked->signs == NULL || parse_columns (self, asked->signs, error);
}

static gboolean
parse_filter_and_order (Printer *self, const NsCliEvents *asked, GError **error)
{
  const char *text = self->hides_schema ? "is_metadata = false" : asked->filter;

  if (text != NULL)
    self->filter = ns_cli_list_parse_filter (NS_TABLE_EVENTS, text, asked->view, error);
  if (text != NULL && self->filter == NULL)
    return FALSE;
  if (asked->sort != NULL)
    self->keys = ns_order_parse (NS_TABLE_EVENTS, asked->sort, error);
  return asked->sort == NULL || self->keys != NULL;
}

static gboolean
choose_form (Printer *self, const NsCliEvents *asked, GError **error)
{
  const char *name = asked->format != NULL ? asked->format : asked->is_terminal ? "text" : "tsv";

  self->form.has_time = asked->time != NULL;
  self->form.separator = asked->separator != NULL ? asked->separator : ",";
  if (self->is_dump && (asked->format == NULL || strcmp (name, "text") == 0))
    self->form.kind = NS_CLI_FORM_LINE;
  else if (!ns_cli_form_from_name (&self->form, name))
    return ns_trace_refuse_query (error, _ ("there is no format “%s”"), name);
  if (self->form.kind == NS_CLI_FORM_XML && asked->columns == NULL)
    self->form.kind = NS_CLI_FORM_EVENTS;
  if (is_for_eyes (self))
    self->form.event.time = NS_EXPORT_TIME_REL;
  if (asked->time != NULL && !ns_export_time_from_name (asked->time, &self->form.event.time))
    return ns_trace_refuse_query (error, _ ("there is no time format “%s”"), asked->time);
  return TRUE;
}

static gboolean
check (Printer *self, const NsCliEvents *asked, GError **error)
{
  if (!choose_form (self, asked, error))
    return FALSE;
  if (asked->offset < 0)
    return ns_trace_refuse_query (error, _ ("the number of records to skip cannot be negative"));
  self->offset = (guint64) asked->offset - (asked->turn != NULL ? asked->turn->n_passed : 0);
  self->is_correlation = asked->activity != NULL || asked->event != NULL;
  if (asked->activity != NULL && !ns_guid_from_text (&self->activity, asked->activity))
    return ns_trace_refuse_query (error, _ ("“%s” is not an activity id"), asked->activity);
  self->is_of_event = asked->event != NULL;
  if (self->is_of_event &&
      !g_ascii_string_to_unsigned (asked->event, 10, 0, G_MAXUINT64, &self->of_event, NULL))
    return ns_trace_refuse_query (error, _ ("“%s” is not a record number"), asked->event);
  self->hides_schema =
      asked->hides_schema && is_for_eyes (self) && asked->filter == NULL && !self->is_correlation;
  self->limit = asked->limit < 0 ? G_MAXUINT64 : (guint64) asked->limit;
  return choose_columns (self, asked, error) && parse_filter_and_order (self, asked, error);
}

static gboolean
parse_moment (const Printer *self, const char *text, gint64 *time_ns, GError **error)
{
  if (text == NULL || ns_query_parse_time (&self->clock, text, time_ns))
    return TRUE;
  return ns_trace_refuse_query (error,
                                _ ("“%s” is not a time: write seconds since the start of the "
                                   "trace, or an ISO 8601 time stamp"),
                                text);
}

static gboolean
flush (Printer *self)
{
  if (self->form.text->len > 0 &&
      !self->write (self->form.text->str, self->form.text->len, self->write_data, self->error))
    self->failed = TRUE;
  g_string_truncate (self->form.text, 0);
  return !self->failed;
}

static gboolean
passes (Printer *self, const NsRecord *record)
{
  gboolean is_match;

  self->form.event.schema = ns_schemas_find (self->clock.schemas, record);
  if (self->ids != NULL && ns_activity_ids_get_tree (self->ids, &record->activity) != self->tree)
    return FALSE;
  if (self->filter == NULL)
    return TRUE;
  ns_event_hold (&self->clock, (guint) self->form.event.n, record, self->form.event.schema);
  is_match = ns_filter_matches (self->filter, &self->clock, (guint) self->form.event.n);
  ns_event_release (&self->clock);
  self->n_hidden += self->hides_schema && !is_match;
  return is_match;
}

static gboolean
print_cb (const NsRecord *original, gpointer user_data)
{
  Printer *self = user_data;
  g_autofree guint8 *masked = ns_hidden_dup_masked (self->clock.hidden, original);
  const NsRecord *record = original;
  NsRecord copy;

  if (self->form.n_printed >= self->limit)
    return FALSE;
  if (masked != NULL)
    {
      copy = *original;
      ns_hidden_use_copy (&copy, masked);
      record = &copy;
    }
  self->form.event.n = self->n_before + self->n_met++;
  if (!passes (self, record))
    return TRUE;
  if (self->offset > 0)
    {
      self->offset--;
      return TRUE;
    }

  self->form.event.record = record;
  ns_cli_form_append (&self->form);
  return self->form.text->len < PIECE_BYTES || flush (self);
}

static gboolean
learn_cb (const NsRecord *record, gpointer user_data)
{
  Printer *self = user_data;

  ns_schemas_learn (self->clock.schemas, record);
  ns_kernel_ends_learn (self->clock.kernel_ends, record);
  if (self->clock.hidden != NULL)
    ns_hidden_learn (self->clock.hidden, self->clock.schemas, record);
  if ((record->flags & NS_RECORD_GROUP) != 0 && record->group == GROUP_STACK_WALK)
    self->has_stack_records = TRUE;
  return TRUE;
}

/* Returns the depths of call stacks that other records carry; (transfer full). */
static NsMap *
collect_depths (const NsTrace *trace)
{
  NsMap *depths = ns_map_new ();
  guint i;

  for (i = 0; i < ns_trace_get_n_rows (trace, NS_TABLE_EVENTS); i++)
    {
      NsStackId stack = ns_trace_get_event (trace, i)->stack;
      NsRecordRef ref;
      guint n_frames = 0;

      if (stack == 0)
        continue;
      ns_stacks_get (trace->stacks, stack, &n_frames);
      if (n_frames == 0)
        continue;
      ref = ns_trace_get_event_ref (trace, i);
      ns_map_set (depths, ref.buffer, ref.offset, n_frames);
    }
  return depths;
}

static gboolean
is_in_span (const Printer *self, gint64 time_ns)
{
  return time_ns >= self->span.begin_ns &&
         (time_ns < self->span.end_ns || self->span.end_ns == NS_TIME_OPEN);
}

static gboolean
print_row (Printer *self, const NsTrace *trace, guint row)
{
  NsEvent event;

  if (!is_in_span (self, ns_trace_get_event_time (trace, row)))
    return TRUE;
  if (self->ids != NULL &&
      (!ns_event_read (trace, row, &event) ||
       ns_activity_ids_get_tree (self->ids, &event.record->activity) != self->tree))
    return TRUE;
  if (self->offset > 0)
    {
      self->offset--;
      return TRUE;
    }
  if (self->form.n_printed >= self->limit || !ns_event_read (trace, row, &event))
    return self->form.n_printed < self->limit;
  self->form.event.n = row;
  self->form.event.record = event.record;
  self->form.event.schema = event.schema;
  ns_cli_form_append (&self->form);
  return self->form.text->len < PIECE_BYTES || flush (self);
}

/* Prints through the table of events, for an order other than time, or a filter that needs the
 * whole trace. */
static gboolean
print_table (Printer *self, const NsCliEvents *asked, GError **error)
{
  NsQuery query = {
    NS_TABLE_EVENTS, self->filter, self->keys, { NS_TIME_NONE, NS_TIME_OPEN }, 0, 0
  };
  NsTrace *trace = asked->open (asked->open_data, error);
  g_autoptr (GArray) rows = NULL;
  guint i;

  if (trace == NULL)
    return FALSE;
  rows = ns_query_run (&query, trace, asked->progress, asked->progress_data);
  if (rows != NULL && self->hides_schema)
    self->n_hidden = ns_trace_get_n_rows (trace, NS_TABLE_EVENTS) - rows->len;
  self->depths = collect_depths (trace);
  self->form.event.depths = self->depths;
  self->form.event.trace = trace;
  for (i = 0; rows != NULL && i < rows->len; i++)
    if (!print_row (self, trace, g_array_index (rows, guint32, i)))
      break;
  self->form.event.trace = &self->clock;
  ns_trace_unref (trace);
  if (rows == NULL)
    g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  return rows != NULL;
}

static void
find_stacks (Printer *self, const NsCliEvents *asked)
{
  NsTrace *trace;
  guint i;

  if (!self->has_stack_records || asked->open == NULL)
    return;
  for (i = 0; i < self->form.n_columns; i++)
    if (self->form.columns[i] == NS_CLI_EVENT_STACK_DEPTH)
      break;
  trace = i < self->form.n_columns ? asked->open (asked->open_data, NULL) : NULL;
  if (trace == NULL)
    return;
  self->depths = collect_depths (trace);
  self->form.event.depths = self->depths;
  ns_trace_unref (trace);
}

static gboolean
link_cb (const NsRecord *record, gpointer user_data)
{
  Printer *self = user_data;

  if (self->is_of_event && self->form.event.n == self->of_event)
    self->activity = record->activity;
  self->form.event.n++;
  ns_activity_ids_add (self->ids, record);
  return TRUE;
}

/* Finds the activities that are linked to the wanted one. */
static gboolean
link_activities (Printer *self, GError **error)
{
  char text[NS_GUID_TEXT_SIZE];

  self->ids = ns_activity_ids_new ();
  self->form.event.ids = self->ids;
  if (!ns_etl_file_walk (self->clock.file,
                         NS_ETL_WALK_TIME_ORDER,
                         NULL,
                         link_cb,
                         self,
                         NULL,
                         NULL,
                         error))
    return FALSE;
  self->form.event.n = 0;
  ns_activity_ids_settle (self->ids);
  if (self->is_of_event && ns_guid_is_zero (&self->activity))
    return ns_trace_refuse_query (error,
                                  _ ("record %" PRIu64 " has no activity id, or is not there"),
                                  self->of_event);
  self->tree = ns_activity_ids_get_tree (self->ids, &self->activity);
  if (self->tree == 0)
    return ns_trace_refuse_query (error,
                                  _ ("no record has the activity id %s"),
                                  ns_guid_to_text (&self->activity, text));
  return TRUE;
}

/* Walks the file twice: records that describe others may follow them. */
static gboolean
walk (Printer *self, const NsCliEvents *asked, GError **error)
{
  if (self->is_correlation && !link_activities (self, error))
    return FALSE;
  if (asked->open != NULL && (self->keys != NULL || self->reads_tables ||
                              (self->filter != NULL && ns_filter_reads_tables (self->filter))))
    return print_table (self, asked, error);
  if (!ns_etl_file_walk (self->clock.file,
                         NS_ETL_WALK_FILE_ORDER,
                         NULL,
                         learn_cb,
                         self,
                         NULL,
                         NULL,
                         error))
    return FALSE;
  if (self->clock.hidden != NULL)
    ns_hidden_settle (self->clock.hidden);
  find_stacks (self, asked);
  return ns_etl_file_walk_span (self->clock.file,
                                &self->span,
                                &self->n_before,
                                print_cb,
                                self,
                                asked->progress,
                                asked->progress_data,
                                error);
}

static void
report_incomplete_reason (const NsFilter *filter)
{
  g_autofree char *incomplete_reason = ns_filter_describe_incomplete (filter);

  if (incomplete_reason != NULL)
    ns_cli_print_message (incomplete_reason);
}

static gboolean
print (Printer *self, const NsCliEvents *asked, GError **error)
{
  gboolean good;

  self->span.begin_ns = NS_TIME_NONE;
  self->span.end_ns = NS_TIME_OPEN;
  if (!parse_moment (self, asked->from, &self->span.begin_ns, error) ||
      !parse_moment (self, asked->to, &self->span.end_ns, error) ||
      !ns_cli_time_check_span (&self->span, asked->from, asked->to, error))
    return FALSE;

  self->form.text = g_string_sized_new (PIECE_BYTES * 2);
  self->form.cell = g_string_new (NULL);
  self->error = error;
  self->form.event.trace = &self->clock;
  self->form.event.is_screen = is_for_eyes (self);
  self->form.event.is_raw = asked->is_raw;
  self->form.line_width = asked->is_terminal ? ns_cli_get_columns () : 0;
  self->clock.view =
      asked->view != NULL ? ns_view_context_ref (asked->view) : ns_view_context_new ();
  self->clock.cache = ns_trace_cache_new ();
  self->clock.kernel_ends = ns_kernel_ends_new ();
  self->clock.secrets = ns_view_context_dup_secrets (self->clock.view);
  self->clock.hidden =
      ns_secrets_are_shown (self->clock.secrets) ? NULL : ns_hidden_new (self->clock.secrets);
  self->form.file = self->clock.file;
  if (asked->turn == NULL || asked->turn->is_first)
    ns_cli_form_begin (&self->form);
  else
    ns_cli_form_go_on (&self->form);
  self->form.n_printed = asked->turn != NULL ? asked->turn->n_printed : 0;
  good = walk (self, asked, error) && !self->failed;
  if (good && (asked->turn == NULL || asked->turn->is_last))
    ns_cli_form_end (&self->form);
  good = good && flush (self);
  if (self->filter != NULL)
    report_incomplete_reason (self->filter);
  if (asked->turn != NULL)
    {
      asked->turn->n_printed = self->form.n_printed;
      asked->turn->n_passed = (guint64) asked->offset - self->offset;
    }
  if (asked->n_hidden != NULL)
    *asked->n_hidden += self->n_hidden;
  if (asked->n_printed != NULL)
    *asked->n_printed = (guint64) self->form.n_printed;
  g_string_free (self->form.text, TRUE);
  g_string_free (self->form.cell, TRUE);
  g_clear_pointer (&self->depths, ns_map_free);
  g_clear_pointer (&self->clock.kernel_ends, ns_kernel_ends_free);
  g_clear_pointer (&self->clock.hidden, ns_hidden_free);
  g_clear_pointer (&self->clock.cache, ns_trace_cache_free);
  g_clear_pointer (&self->clock.secrets, ns_secrets_unref);
  g_clear_pointer (&self->clock.view, ns_view_context_unref);
  return good;
}

static void
printer_clear (Printer *self)
{
  g_clear_pointer (&self->filter, ns_filter_free);
  g_clear_pointer (&self->keys, g_array_unref);
  g_clear_pointer (&self->ids, ns_activity_ids_free);
}

static gboolean
check_only (const NsCliEvents *asked, Printer *self, GError **error)
{
  gboolean is_right = check (self, asked, error);

  printer_clear (self);
  return is_right;
}

static gboolean
check_and_print (const NsCliEvents *asked, Printer *self, GError **error)
{
  gboolean is_done = check (self, asked, error) && print (self, asked, error);

  printer_clear (self);
  return is_done;
}

/**
 * ns_cli_events_check:
 * @self: the options
 * @error: return location
 *
 * Checks what can be wrong before a trace is opened.
 *
 * Returns: %TRUE if the options are valid, else %FALSE with @error set
 */
gboolean
ns_cli_events_check (const NsCliEvents *self, GError **error)
{
  Printer printer = { 0 };

  return check_only (self, &printer, error);
}

/**
 * ns_cli_events_print:
 * @self: the options
 * @file: a trace
 * @schemas: known payload layouts; gets those of the trace
 * @write: receives the output in pieces
 * @write_data: for @write
 * @error: return location
 *
 * Prints the records of all providers.
 *
 * Returns: %TRUE if everything was written, else %FALSE with @error set
 */
gboolean
ns_cli_events_print (const NsCliEvents *self,
                     NsEtlFile *file,
                     NsSchemas *schemas,
                     NsExportWriteFunc write,
                     gpointer write_data,
                     GError **error)
{
  Printer printer = { .clock = { .file = file, .schemas = schemas },
                      .write = write,
                      .write_data = write_data };

  return check_and_print (self, &printer, error);
}

/**
 * ns_cli_dump_check:
 * @self: the options
 * @error: return location
 *
 * Checks what can be wrong before a trace is opened.
 *
 * Returns: %TRUE if the options are valid, else %FALSE with @error set
 */
gboolean
ns_cli_dump_check (const NsCliEvents *self, GError **error)
{
  Printer printer = { .is_dump = TRUE };

  return check_only (self, &printer, error);
}

/**
 * ns_cli_dump_print:
 * @self: the options
 * @file: a trace
 * @schemas: known payload layouts; gets those of the trace
 * @write: receives the output in pieces
 * @write_data: for @write
 * @error: return location
 *
 * Prints one line per record: time, task, opcode, then names and values alternately.
 *
 * Returns: %TRUE if everything was written, else %FALSE with @error set
 */
gboolean
ns_cli_dump_print (const NsCliEvents *self,
                   NsEtlFile *file,
                   NsSchemas *schemas,
                   NsExportWriteFunc write,
                   gpointer write_data,
                   GError **error)
{
  Printer printer = { .clock = { .file = file, .schemas = schemas },
                      .is_dump = TRUE,
                      .write = write,
                      .write_data = write_data };

  return check_and_print (self, &printer, error);
}
