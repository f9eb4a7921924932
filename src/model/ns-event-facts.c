/* Decodes one event record into fields, with the bytes of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-event-facts.h"

#include "engine/open/ns-event-read.h"
#include "engine/trace/ns-event-index.h"
#include "export/ns-export-time.h"
#include "model/ns-event-header.h"
#include "query/ns-filter.h"
#include "schema/ns-payload-mask.h"
#include "schema/ns-payload.h"

#include <string.h>

static void
fact_clear (gpointer data)
{
  NsEventFact *fact = data;

  g_free (fact->name);
  g_free (fact->value);
}

static gboolean
add_fact (NsEventFacts *self, const NsEventFact *fact)
{
  if (self->facts->len >= NS_EVENT_MAX_FACTS)
    {
      NsEventFact dropped = *fact;

      fact_clear (&dropped);
      self->is_cut = TRUE;
      return FALSE;
    }
  g_array_append_vals (self->facts, fact, 1);
  return TRUE;
}

static void
add_header (NsEventFacts *self, const NsRecord *record)
{
  NsHeaderField fields[NS_HEADER_MAX_FIELDS];
  guint n_fields = ns_event_header_list (record, fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      GString *value = g_string_new (NULL);
      NsEventFact fact = { .type = ns_event_header_get_type (&fields[i]),
                           .offset = fields[i].offset,
                           .size = fields[i].size,
                           .part = NS_EVENT_PART_HEADER };

      ns_event_header_append_value (&fields[i], self->bytes, self->n_bytes, value);
      fact.name = g_strdup (g_dgettext (GETTEXT_PACKAGE, fields[i].name));
      fact.value = g_string_free (value, FALSE);
      add_fact (self, &fact);
    }
}

static char *
item_to_text (const NsExtItem *item, const NsSecrets *secrets)
{
  GString *text = g_string_new (NULL);
  NsSchemaField field = { .in_type = NS_IN_BINARY };
  NsPayloadItem value = { .kind = NS_ITEM_VALUE,
                          .field = &field,
                          .data = item->data,
                          .size = item->size,
                          .pointer_size = 8 };

  switch (item->type)
    {
    case NS_EXT_RELATED_ACTIVITY:
    case NS_EXT_CONTROL_GUID:
      if (item->size == sizeof (NsGuid))
        field.in_type = NS_IN_GUID;
      break;
    case NS_EXT_SID:
      field.in_type = NS_IN_SID;
      break;
    case NS_EXT_TS_ID:
      if (item->size == 4)
        field.in_type = NS_IN_UINT32;
      break;
    case NS_EXT_EVENT_KEY:
    case NS_EXT_PROCESS_START_KEY:
      if (item->size == 8)
        field.in_type = NS_IN_HEXINT64;
      break;
    default:
      break;
    }
  ns_value_append_text (&value, secrets, text);
  return g_string_free (text, FALSE);
}

static void
add_items (NsEventFacts *self, const NsEvent *event)
{
  const NsRecord *record = event->record;
  NsCursor state = { NULL };
  NsExtItem item;

  while (ns_record_next_item (record, &state, &item))
    {
      NsEventFact fact = { .type = "",
                           .offset = (guint32) (item.data - record->header),
                           .size = item.size,
                           .part = NS_EVENT_PART_ITEM };

      fact.name = g_strdup (ns_event_header_get_item_name (item.type));
      fact.value = item_to_text (&item, event->secrets);
      if (!add_fact (self, &fact))
        return;
    }
}

static const char *
type_to_text (const NsSchemaField *field)
{
  static const char *const names[] = {
    [NS_IN_UNICODESTRING] = "unicode string",
    [NS_IN_ANSISTRING] = "ansi string",
    [NS_IN_INT8] = "int8",
    [NS_IN_UINT8] = "uint8",
    [NS_IN_INT16] = "int16",
    [NS_IN_UINT16] = "uint16",
    [NS_IN_INT32] = "int32",
    [NS_IN_UINT32] = "uint32",
    [NS_IN_INT64] = "int64",
    [NS_IN_UINT64] = "uint64",
    [NS_IN_FLOAT] = "float",
    [NS_IN_DOUBLE] = "double",
    [NS_IN_BOOLEAN] = "boolean",
    [NS_IN_BINARY] = "binary",
    [NS_IN_GUID] = "GUID",
    [NS_IN_POINTER] = "pointer",
    [NS_IN_FILETIME] = "file time",
    [NS_IN_SYSTEMTIME] = "system time",
    [NS_IN_SID] = "SID",
    [NS_IN_HEXINT32] = "hex32",
    [NS_IN_HEXINT64] = "hex64",
    [NS_IN_COUNTEDSTRING] = "unicode string",
    [NS_IN_COUNTEDANSISTRING] = "ansi string",
    [NS_IN_COUNTEDBINARY] = "binary",
  };

  if (field->flags & NS_FIELD_STRUCT)
    return "struct";
  if (field->in_type == NS_IN_BINARY && field->out_type == NS_OUT_SOCKETADDRESS)
    return "socket address";
  if (field->in_type == NS_IN_BINARY &&
      (field->out_type == NS_OUT_IPV4 || field->out_type == NS_OUT_IPV6))
    return "IP address";
  if (field->in_type < G_N_ELEMENTS (names))
    return names[field->in_type] != NULL ? names[field->in_type] : "";
  switch (field->in_type)
    {
    case NS_IN_WBEM_COUNTEDSTRING:
    case NS_IN_REVERSEDCOUNTEDSTRING:
    case NS_IN_NONNULLTERMINATEDSTRING:
      return "unicode string";
    case NS_IN_WBEM_COUNTEDANSISTRING:
    case NS_IN_REVERSEDCOUNTEDANSISTRING:
    case NS_IN_NONNULLTERMINATEDANSISTRING:
      return "ansi string";
    case NS_IN_UNICODECHAR:
      return "unicode character";
    case NS_IN_ANSICHAR:
      return "ansi character";
    case NS_IN_SIZET:
      return "size";
    case NS_IN_HEXDUMP:
      return "binary";
    case NS_IN_WBEMSID:
      return "SID";
    case NS_IN_BOOL8:
      return "boolean";
    case NS_IN_POINTERS_TO_END:
      return "pointers";
    default:
      return "";
    }
}

/* State of the iteration over the fields, with the open structs and arrays. */
typedef struct
{
  NsEventFacts *facts;
  const NsSecrets *secrets;
  GArray *open; /* guint: indexes of their facts */
} Taking;

static void
close_bracket (Taking *taking, const NsPayloadItem *item)
{
  guint which;
  NsEventFact *fact;

  if (taking->open->len == 0)
    return;
  which = g_array_index (taking->open, guint, taking->open->len - 1);
  g_array_set_size (taking->open, taking->open->len - 1);
  fact = &g_array_index (taking->facts->facts, NsEventFact, which);
  fact->size = taking->facts->payload_at + item->offset - fact->offset;
}

static gboolean
take_item (const NsPayloadItem *item, gpointer user_data)
{
  Taking *taking = user_data;
  NsEventFacts *self = taking->facts;
  NsEventFact fact = { .offset = self->payload_at + item->offset,
                       .depth = item->depth,
                       .part = NS_EVENT_PART_FIELD };
  GString *text;

  if (item->kind == NS_ITEM_REST)
    return TRUE;
  if (item->kind == NS_ITEM_ARRAY_END || item->kind == NS_ITEM_STRUCT_END)
    {
      close_bracket (taking, item);
      return TRUE;
    }
  fact.name = g_strdup (item->field->name != NULL ? item->field->name : "");
  fact.type = item->kind == NS_ITEM_ARRAY_BEGIN ? "array" : type_to_text (item->field);
  text = g_string_new (NULL);
  if (item->kind == NS_ITEM_VALUE)
    {
      fact.size = item->size;
      ns_value_append_text (item, taking->secrets, text);
    }
  fact.value = g_string_free (text, FALSE);
  if (!add_fact (self, &fact))
    return FALSE;
  if (item->kind != NS_ITEM_VALUE)
    {
      guint which = self->facts->len - 1;

      g_array_append_val (taking->open, which);
    }
  return TRUE;
}

static void
add_fields (NsEventFacts *self, const NsEvent *event)
{
  Taking taking = { self, event->secrets, g_array_new (FALSE, FALSE, sizeof (guint)) };
  NsPayloadResult result = ns_payload_walk (event->schema, event->record, take_item, &taking);

  self->is_short = result == NS_PAYLOAD_SHORT;
  self->is_bad = result == NS_PAYLOAD_BAD;
  self->is_exact = result == NS_PAYLOAD_EXACT;
  g_array_unref (taking.open);
}

/* Limits all facts to the record, whatever the layout says, and marks their bytes. */
static void
note_known (NsEventFacts *self)
{
  guint i;

  for (i = 0; i < self->facts->len; i++)
    {
      NsEventFact *fact = &g_array_index (self->facts, NsEventFact, i);

      fact->offset = MIN (fact->offset, self->n_bytes);
      fact->size = MIN (fact->size, self->n_bytes - fact->offset);
      memset (self->known + fact->offset, 1, fact->size);
    }
  /* Terminators of strings count as used, although they are not part of the value. */
  for (i = self->payload_at; i < self->n_bytes; i++)
    self->n_used += self->is_exact || self->known[i];
}

/**
 * ns_event_facts_new:
 * @trace: a trace
 * @row: row of the table of events, 0-based
 *
 * Returns: (transfer full) (nullable): the decoded record; %NULL if it can no longer be read
 */
NsEventFacts *
ns_event_facts_new (const NsTrace *trace, guint32 row)
{
  g_autofree guint8 *masked = NULL;
  NsEventFacts *self;
  NsEvent event;

  if (!ns_event_read (trace, row, &event))
    return NULL;
  self = g_new0 (NsEventFacts, 1);
  self->row = row;
  self->n_bytes = event.record->size;
  self->bytes = g_memdup2 (event.record->header, self->n_bytes);
  self->payload_at = (guint32) (event.record->payload - event.record->header);
  masked = ns_payload_dup_masked (event.schema, event.record, event.secrets);
  if (masked != NULL)
    memcpy (self->bytes + self->payload_at, masked, event.record->payload_size);
  self->header_size = event.record->header_size;
  self->source = event.schema->source;
  self->version = event.schema->has_version ? event.schema->version : event.record->version;
  self->build = event.schema->build;
  self->is_classic = (event.record->flags & NS_RECORD_MANIFEST) == 0;
  self->is_in_file = ns_etl_file_find_offset (trace->file, event.record->ref, &self->file_offset);
  self->known = g_new0 (guint8, MAX (self->n_bytes, 1));
  self->facts = g_array_new (FALSE, FALSE, sizeof (NsEventFact));
  g_array_set_clear_func (self->facts, fact_clear);
  add_header (self, event.record);
  add_items (self, &event);
  add_fields (self, &event);
  note_known (self);
  return self;
}

/**
 * ns_event_facts_free:
 * @self: (transfer full) (nullable): facts
 */
void
ns_event_facts_free (NsEventFacts *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  g_free (self->bytes);
  g_free (self->known);
  g_free (self);
}

/**
 * ns_event_facts_find:
 * @self: facts
 * @byte: offset of a byte in the record
 *
 * Returns: the innermost fact that contains the byte, or %NS_EVENT_FACT_NONE
 */
guint
ns_event_facts_find (const NsEventFacts *self, guint32 byte)
{
  guint found = NS_EVENT_FACT_NONE;
  guint depth = 0;
  guint i;

  for (i = 0; i < self->facts->len; i++)
    {
      const NsEventFact *fact = &g_array_index (self->facts, NsEventFact, i);

      if (byte < fact->offset || byte - fact->offset >= fact->size)
        continue;
      if (found == NS_EVENT_FACT_NONE || fact->depth >= depth)
        {
          found = i;
          depth = fact->depth;
        }
    }
  return found;
}

/**
 * ns_event_facts_step:
 * @self: facts
 * @fact: the current fact, or %NS_EVENT_FACT_NONE
 * @is_forward: whether to go forwards rather than backwards
 *
 * Returns: the next fact that has bytes; @fact if there is none
 */
guint
ns_event_facts_step (const NsEventFacts *self, guint fact, gboolean is_forward)
{
  guint i = fact;

  if (self->facts->len == 0)
    return NS_EVENT_FACT_NONE;
  if (fact >= self->facts->len)
    i = is_forward ? G_MAXUINT : self->facts->len;
  for (;;)
    {
      i = is_forward ? i + 1 : i - 1;
      if (i >= self->facts->len)
        return fact;
      if (g_array_index (self->facts, NsEventFact, i).size > 0)
        return i;
    }
}

/**
 * ns_event_facts_to_filter:
 * @self: facts
 * @fact: index of a fact
 *
 * Returns: (transfer full) (nullable): a filter for events with the same value in this field; %NULL
 *   if it is not a payload field or cannot be used in a filter
 */
char *
ns_event_facts_to_filter (const NsEventFacts *self, guint fact)
{
  const NsEventFact *chosen =
      fact < self->facts->len ? &g_array_index (self->facts, NsEventFact, fact) : NULL;
  g_autofree char *text = NULL;
  NsFilter *filter;

  if (self->is_packet || chosen == NULL || chosen->part != NS_EVENT_PART_FIELD ||
      *chosen->value == '\0' || chosen->depth > 0)
    return NULL;
  text = ns_filter_from_payload (chosen->name, chosen->value);
  filter = ns_filter_new (NS_TABLE_EVENTS, text, NULL, NULL);
  if (filter == NULL)
    return NULL;
  ns_filter_free (filter);
  return g_steal_pointer (&text);
}

/**
 * ns_event_time_to_text:
 * @trace: a trace
 * @row: row of the table of events, 0-based
 *
 * Returns: (transfer full): the time of the event, in the time zone of the traced machine
 */
char *
ns_event_time_to_text (const NsTrace *trace, guint32 row)
{
  GString *text = g_string_new (NULL);

  if (row < trace->events->len)
    ns_export_time_append (text, trace, ns_trace_get_event_time (trace, row), NS_EXPORT_TIME_LOCAL);
  return g_string_free (text, FALSE);
}
