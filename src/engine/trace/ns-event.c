/* One record of the table of events: interprets its header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event.h"

#include "engine/trace/ns-view-context.h"
#include "etl/ns-provider-guids.h"

static gboolean
is_manifest (const NsRecord *record)
{
  return (record->flags & NS_RECORD_MANIFEST) != 0;
}

static gboolean
is_full (const NsRecord *record)
{
  return record->kind == NS_RECORD_FULL32 || record->kind == NS_RECORD_FULL64 ||
         record->kind == NS_RECORD_INSTANCE32 || record->kind == NS_RECORD_INSTANCE64;
}

/**
 * ns_event_get_header:
 * @record: a record
 *
 * Returns: the name of its header type
 */
const char *
ns_event_get_header (const NsRecord *record)
{
  if (is_manifest (record))
    return "manifest";
  if (record->flags & NS_RECORD_GROUP)
    return "kernel";
  if (record->kind == NS_RECORD_MESSAGE)
    return "wpp";
  if (is_full (record))
    return "classic";
  return "other";
}

/**
 * ns_event_has_level:
 * @record: a record
 *
 * Returns: %TRUE if its header has a level
 */
gboolean
ns_event_has_level (const NsRecord *record)
{
  return is_manifest (record) || is_full (record);
}

/**
 * ns_event_has_cpu_times:
 * @record: a record
 *
 * Returns: %TRUE if its header has kernel and user CPU times of its thread
 */
gboolean
ns_event_has_cpu_times (const NsRecord *record)
{
  if ((record->flags & NS_RECORD_NO_CPU_TIMES) != 0)
    return FALSE;
  return is_manifest (record) || is_full (record) || record->kind == NS_RECORD_SYSTEM32 ||
         record->kind == NS_RECORD_SYSTEM64;
}

/* Names the opcodes of winmeta.xml, which manifests use without defining them. */
static const char *
get_standard_opcode (const NsRecord *record)
{
  static const char *const names[] = { "Info",      "Start", "Stop",   "DCStart", "DCStop",
                                       "Extension", "Reply", "Resume", "Suspend", "Send" };

  if (!is_manifest (record))
    return NULL;
  if (record->opcode < G_N_ELEMENTS (names))
    return names[record->opcode];
  return record->opcode == 240 ? "Receive" : NULL;
}

/**
 * ns_event_get_opcode_name:
 * @self: an event
 *
 * Returns: (nullable): the name of its opcode
 */
const char *
ns_event_get_opcode_name (const NsEvent *self)
{
  return self->schema->opcode_name != NULL ? self->schema->opcode_name
                                           : get_standard_opcode (self->record);
}

/**
 * ns_event_get_task_name:
 * @self: an event
 *
 * The only name of a TraceLogging event is also that of its task.
 *
 * Returns: (nullable): the name of its task
 */
const char *
ns_event_get_task_name (const NsEvent *self)
{
  const NsSchema *schema = self->schema;

  return schema->task_name != NULL || schema->source != NS_SCHEMA_TRACELOGGING ? schema->task_name
                                                                               : schema->event_name;
}

/* Returns a name for a PktMon event by its content, as the manifest names none of them. */
static const char *
get_packet_monitor_name (const NsRecord *record)
{
  static const NsGuid packet_monitor = NS_GUID_PKTMON;
  static const struct
  {
    guint16 id;
    const char *name;
  } names[] = {
    { 20, "Component" },
    { 30, "Component/Property" },
    { 40, "Component/Property" },
    { 60, "Component/Property" },
    { 65, "Component/Property" },
    { 66, "Component/Property" },
    { 70, "Component/Property" },
    { 75, "Component/Property" },
    { 80, "Component/Counters" },
    { 90, "Edge/Counters" },
    { 100, "Filter" },
    { 160, "Packet" },
    { 170, "Packet/Drop" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].id == record->id && is_manifest (record) &&
        ns_guid_equal (&record->guid, &packet_monitor))
      return names[i].name;
  return NULL;
}

/**
 * ns_event_get_name:
 * @self: an event
 *
 * Returns: (nullable): its name, or the best substitute
 */
const char *
ns_event_get_name (const NsEvent *self)
{
  const char *name;

  if (self->schema->event_name != NULL)
    return self->schema->event_name;
  if (self->schema->task_name != NULL)
    return self->schema->task_name;
  name = get_packet_monitor_name (self->record);
  return name != NULL ? name : self->schema->opcode_name;
}

/**
 * ns_event_get_level_name:
 * @self: an event
 *
 * Returns: (nullable): the name of its level, from winmeta.xml or its provider
 */
const char *
ns_event_get_level_name (const NsEvent *self)
{
  const char *name;

  if (!ns_event_has_level (self->record))
    return NULL;
  name = ns_schema_level_name (self->record->level);
  return name != NULL ? name : self->schema->level_name;
}

/**
 * ns_event_dup_keyword_names:
 * @self: an event
 * @schemas: the schemas of its trace
 *
 * Returns: (transfer full) (nullable): the names of its keywords, separated by bars: those of the
 *   trace or the user's manifest, else of each bit that the built-in schemas name
 */
char *
ns_event_dup_keyword_names (const NsEvent *self, const NsSchemas *schemas)
{
  g_autoptr (GString) text = NULL;
  guint64 left = self->record->keyword;

  if (!is_manifest (self->record))
    return NULL;
  if (self->schema->keyword_names != NULL && self->schema->source != NS_SCHEMA_BUILTIN)
    return g_strdup (self->schema->keyword_names);
  text = g_string_new (NULL);
  for (; left != 0; left &= left - 1)
    {
      const char *name = ns_schemas_get_keyword (schemas, &self->record->guid, left & (~left + 1));

      if (name != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "|" : "", name);
    }
  return text->len == 0 ? NULL : g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_event_get_provider_name:
 * @self: an event
 * @trace: its trace
 *
 * Returns: (nullable): the name of its provider; the user's label if no other source names it
 */
const char *
ns_event_get_provider_name (const NsEvent *self, const NsTrace *trace)
{
  const char *name = self->schema->provider_name;

  if (name == NULL)
    name = ns_schemas_get_provider_name (trace->schemas, &self->record->guid);
  if (name == NULL)
    name = ns_provider_labels_find (ns_view_context_get_labels (trace->view), &self->record->guid);
  return name;
}

/**
 * ns_event_count_frames:
 * @record: a record
 *
 * Returns: number of frames of the stacks inside the record
 */
guint
ns_event_count_frames (const NsRecord *record)
{
  NsCursor state = { NULL };
  NsExtItem item;
  guint depth = 0;

  while (ns_record_next_item (record, &state, &item))
    {
      if (item.size < 8)
        continue;
      if (item.type == NS_EXT_STACK32)
        depth += (item.size - 8) / 4;
      else if (item.type == NS_EXT_STACK64)
        depth += (item.size - 8) / 8;
    }
  return depth;
}
