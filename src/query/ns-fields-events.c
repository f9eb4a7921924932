/* The fields of records, read from the file on demand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/kernel/ns-kernel-ends.h"
#include "engine/open/ns-event-read.h"
#include "engine/system/ns-providers.h"
#include "engine/trace/ns-event-index.h"
#include "query/ns-event-mark.h"
#include "query/ns-field-get.h"
#include "schema/ns-payload.h"

#include <glib/gi18n-lib.h>

#define EVENT(member) NS_FIELD_AT (NS_TABLE_EVENTS, NsEventRow, member)
/* @extra of getters that read the record itself: the part that they return. */
#define PART(part) ((guint) NS_TABLE_EVENTS << (2 * NS_FIELD_OFFSET_BITS) | (part))

enum
{
  PART_CPU,
  PART_PID,
  PART_TID,
  PART_VERSION,
  PART_OPCODE,
  PART_TASK,
  PART_LEVEL,
  PART_KEYWORD,
  PART_KERNEL_TIME,
  PART_USER_TIME,
  PART_OPCODE_NAME,
  PART_TASK_NAME,
  PART_HEADER,
  PART_NAME,
  PART_SCHEMA,
  PART_IS_ERROR,
  PART_ERROR_TEXT,
  PART_IS_DROP,
  PART_DROP_SOURCE,
  PART_DROP_CODE,
  PART_DROP_REASON,
  PART_IS_METADATA,
  PART_LANE,
  PART_SUBJECT,
  PART_MARK,
  PART_LOCAL,
  PART_REMOTE,
  PART_LEVEL_NAME,
  PART_SCHEMA_BUILD,
  PART_SCHEMA_VERSION,
};

static gboolean
get_event (const NsTrace *trace, guint row, NsFieldValue *value, NsEvent *event)
{
  gboolean is_read = ns_event_read (trace, row, event);

  value->is_null = !is_read;
  return is_read;
}

static void
set_number (NsFieldValue *value, gboolean is_known, guint64 number)
{
  value->v.u = number;
  value->is_null = !is_known;
}

static void
set_guid (NsFieldValue *value, const NsGuid *guid)
{
  char text[NS_GUID_TEXT_SIZE];

  value->is_null = ns_guid_is_zero (guid);
  if (!value->is_null)
    ns_field_take_text (value, g_strdup (ns_guid_to_text (guid, text)));
}

static void
get_number (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = row;
}

static void
get_time (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (ns_event_get_held (trace, row, &event))
    ns_field_set_time (value, event.record->time_ns);
  else
    ns_field_set_time (value, ns_trace_get_event_time (trace, row));
}

static void
get_event_id (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (ns_event_get_held (trace, row, &event))
    value->v.u = event.record->id;
  else
    ns_get_u16 (trace, row, field, value);
}

/* Gets the input file by name, as records have no member for it. */
static void
get_input (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;
  NsRecordRef ref;

  value->is_null = trace->file == NULL;
  if (value->is_null)
    return;
  ref = ns_event_get_held (trace, row, &event) ? event.record->ref
                                               : ns_trace_get_event_ref (trace, row);
  ns_field_take_text (
      value,
      ns_etl_file_dup_input_name (trace->file, ns_etl_file_find_input (trace->file, ref.buffer)));
}

static const NsProviderRow *
get_provider_row (const NsTrace *trace, guint row, const NsField *field)
{
  const NsEventRow *event = ns_field_get_row (trace, row, field);

  if (event->provider >= trace->providers->len)
    return NULL;
  return &g_array_index (trace->providers, NsProviderRow, event->provider);
}

static void
get_provider (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProviderRow *provider;
  NsEvent event;

  if (ns_event_get_held (trace, row, &event))
    {
      set_guid (value, &event.record->guid);
      return;
    }
  provider = get_provider_row (trace, row, field);
  value->is_null = provider == NULL;
  if (provider != NULL)
    set_guid (value, &provider->guid);
}

static void
get_provider_name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProviderRow *provider;
  NsEvent event;

  if (ns_event_get_held (trace, row, &event))
    {
      ns_field_set_chars (value, ns_event_get_provider_name (&event, trace));
      return;
    }
  provider = get_provider_row (trace, row, field);
  ns_field_set_chars (value, provider != NULL ? ns_providers_get_name (trace, provider) : NULL);
}

static void
get_stack_depth (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsEventRow *row_data;
  guint n_frames = 0;
  NsEvent event;

  if (ns_event_get_held (trace, row, &event))
    {
      value->v.u = ns_event_count_frames (event.record);
      return;
    }
  row_data = ns_field_get_row (trace, row, field);
  if (row_data->stack != 0)
    ns_stacks_get (trace->stacks, row_data->stack, &n_frames);
  value->v.u = n_frames;
}

static void
get_part (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsRecord *record;
  gboolean is_manifest;
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  record = event.record;
  is_manifest = (record->flags & NS_RECORD_MANIFEST) != 0;
  switch (field->extra & NS_FIELD_OFFSET_MASK)
    {
    case PART_CPU:
      set_number (value, TRUE, record->cpu);
      break;
    case PART_PID:
      set_number (value, record->pid != NS_PID_UNKNOWN, record->pid);
      break;
    case PART_TID:
      set_number (value, record->tid != NS_PID_UNKNOWN, record->tid);
      break;
    case PART_VERSION:
      set_number (value, TRUE, record->version);
      break;
    case PART_OPCODE:
      set_number (value, TRUE, record->opcode);
      break;
    case PART_TASK:
      set_number (value, is_manifest, record->task);
      break;
    case PART_LEVEL:
      set_number (value, ns_event_has_level (record), record->level);
      break;
    case PART_KEYWORD:
      set_number (value, is_manifest, record->keyword);
      break;
    case PART_KERNEL_TIME:
      set_number (value, ns_event_has_cpu_times (record), record->kernel_time);
      break;
    case PART_SCHEMA_BUILD:
      set_number (value, event.schema->build != 0, event.schema->build);
      break;
    case PART_SCHEMA_VERSION:
      set_number (value, event.schema->has_version, event.schema->version);
      break;
    default:
      set_number (value, ns_event_has_cpu_times (record), record->user_time);
      break;
    }
}

static void
get_part_name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *text;
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  switch (field->extra & NS_FIELD_OFFSET_MASK)
    {
    case PART_OPCODE_NAME:
      text = ns_event_get_opcode_name (&event);
      break;
    case PART_TASK_NAME:
      text = ns_event_get_task_name (&event);
      break;
    case PART_HEADER:
      text = ns_event_get_header (event.record);
      break;
    case PART_NAME:
      text = ns_event_get_name (&event);
      break;
    case PART_LEVEL_NAME:
      text = ns_event_get_level_name (&event);
      break;
    default:
      text = ns_schema_source_to_text (event.schema->source);
      break;
    }
  ns_field_set_chars (value, text);
}

static void
get_keyword_names (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (get_event (trace, row, value, &event))
    ns_field_take_text (value, ns_event_dup_keyword_names (&event, trace->schemas));
}

static void
get_activity (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (get_event (trace, row, value, &event))
    set_guid (value, &event.record->activity);
}

static void
get_related_activity (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsGuid related;
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  value->is_null = TRUE;
  if (ns_record_get_related_activity (event.record, &related))
    set_guid (value, &related);
}

static void
get_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  value->is_null = TRUE;
  /* For streamed records, the table of processes does not exist. */
  if (trace->identity != NULL && event.record->pid != NS_PID_UNKNOWN)
    ns_field_set_chars (value,
                        ns_trace_get_process_name (trace,
                                                   event.record->pid,
                                                   event.record->time_ns));
}

static void
get_process_with_pid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *name;
  NsEvent event;

  get_process (trace, row, field, value);
  name = value->is_null ? NULL : value->v.text;
  if (!ns_event_read (trace, row, &event) || event.record->pid == NS_PID_UNKNOWN)
    return;
  ns_field_take_text (value,
                      name == NULL ? g_strdup_printf ("(%u)", event.record->pid)
                                   : g_strdup_printf ("%s (%u)", name, event.record->pid));
}

static void
get_json (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  GString *text;
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  text = g_string_new (NULL);
  ns_payload_append_json (event.schema, event.record, trace->secrets, text);
  ns_field_take_text (value, g_string_free (text, FALSE));
}

static void
get_details (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  GString *text;
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  text = g_string_new (NULL);
  ns_payload_append_dump (event.schema, event.record, trace->secrets, text);
  ns_field_take_text (value, g_string_free (text, FALSE));
}

/* Gets an endpoint of a kernel network event, whose fields are not named local and remote. */
static void
get_end (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  gboolean is_local = (field->extra & NS_FIELD_OFFSET_MASK) == PART_LOCAL;
  char text[NS_IP_TEXT_SIZE];
  NsEndpoint remote;
  NsEndpoint local;
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  value->is_null = !ns_kernel_ends_find (trace->kernel_ends, event.record, &local, &remote);
  if (!value->is_null)
    ns_field_take_text (value, g_strdup (ns_endpoint_to_text (is_local ? &local : &remote, text)));
}

/* Gets a classification of the event: a boolean, or a number. */
static void
get_sign (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  switch (field->extra & NS_FIELD_OFFSET_MASK)
    {
    case PART_IS_ERROR:
      value->v.u = ns_event_mark_is_error (&event);
      break;
    case PART_IS_DROP:
      value->v.u = ns_event_mark_get_drop_source (&event) != NULL;
      break;
    case PART_IS_METADATA:
      value->v.u = ns_event_mark_is_schema (event.record);
      break;
    default:
      value->is_null = !ns_event_mark_get_drop_code (&event, &value->v.u);
      break;
    }
}

/* Gets a classification of the event as text. */
static void
get_sign_text (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEvent event;

  if (!get_event (trace, row, value, &event))
    return;
  switch (field->extra & NS_FIELD_OFFSET_MASK)
    {
    case PART_ERROR_TEXT:
      ns_field_take_text (value, ns_event_mark_dup_error (&event));
      break;
    case PART_DROP_SOURCE:
      ns_field_set_chars (value, ns_event_mark_get_drop_source (&event));
      break;
    case PART_DROP_REASON:
      ns_field_take_text (value, ns_event_mark_dup_drop_reason (&event));
      break;
    case PART_LANE:
      ns_field_set_chars (value, ns_event_mark_get_lane (&event));
      break;
    case PART_SUBJECT:
      ns_field_take_text (value, ns_event_mark_dup_subject (&event));
      break;
    default:
      ns_field_take_text (value, ns_event_mark_dup_text (&event));
      break;
    }
}

#define EVENT_FIELD(...) NS_FIELD (__VA_ARGS__),
#define EVENT_COLUMN(...) NS_COLUMN (__VA_ARGS__),

static const NsField events_fields[] = {
#include "query/ns-fields-events-list.h"
  NS_MACHINE_COLUMN (PART (PART_MARK)),
};

const NsFieldTable ns_fields_events = {
  .name = "events",
  .title = N_ ("Events"),
  .fields = events_fields,
  .n_fields = G_N_ELEMENTS (events_fields),
};
