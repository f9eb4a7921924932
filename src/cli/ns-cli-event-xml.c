/* Writes one record in the Windows event schema: `Event` with `System`, `EventData` and
 * `RenderingInfo`, as Event Viewer and tracerpt write it.
 *
 * Schema: https://learn.microsoft.com/windows/win32/wes/eventschema-schema.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-event-xml.h"

#include "engine/trace/ns-event.h"

/* Namespace of the element with the event class GUID of kernel and MOF events. */
#define TRACE_NAMESPACE "http://schemas.microsoft.com/win/2004/08/events/trace"

/**
 * ns_cli_xml_append_text:
 * @text: to append to
 * @value: a text, UTF-8
 *
 * Appends a text as content of an element or attribute of XML 1.0. Line ends are escaped so that
 * parsers keep them; characters that XML cannot represent at all become `\uXXXX`.
 */
void
ns_cli_xml_append_text (GString *text, const char *value)
{
  for (; *value != '\0'; value = g_utf8_next_char (value))
    {
      gunichar c = g_utf8_get_char (value);

      if (c == '&')
        g_string_append (text, "&amp;");
      else if (c == '<')
        g_string_append (text, "&lt;");
      else if (c == '>')
        g_string_append (text, "&gt;");
      else if (c == '"')
        g_string_append (text, "&quot;");
      else if (c == '\t' || c == '\n' || c == '\r' || (c >= 0x7f && c <= 0x9f))
        g_string_append_printf (text, "&#%u;", c);
      else if (c < 0x20 || c == 0xfffe || c == 0xffff)
        g_string_append_printf (text, "\\u%04x", c);
      else
        g_string_append_unichar (text, c);
    }
}

static void
append_attribute (GString *text, const char *name, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  g_string_append_printf (text, " %s=\"", name);
  ns_cli_xml_append_text (text, value);
  g_string_append_c (text, '"');
}

static void
append_element (GString *text, const char *name, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  g_string_append_printf (text, "<%s>", name);
  ns_cli_xml_append_text (text, value);
  g_string_append_printf (text, "</%s>", name);
}

static void
append_guid (GString *text, const char *name, const NsGuid *guid)
{
  char plain[NS_GUID_TEXT_SIZE];

  if (!ns_guid_is_zero (guid))
    g_string_append_printf (text, " %s=\"{%s}\"", name, ns_guid_to_text (guid, plain));
}

static void
append_column (const NsCliEvent *self, GString *text, const char *name, guint column)
{
  g_autoptr (GString) value = g_string_new (NULL);

  ns_cli_event_append_text (self, column, value);
  append_attribute (text, name, value->str);
}

static void
append_correlation (const NsCliEvent *self, GString *text)
{
  g_autoptr (GString) related = g_string_new (NULL);

  ns_cli_event_append_text (self, NS_CLI_EVENT_RELATED_ACTIVITY, related);
  if (related->len > 0)
    g_string_append_c (g_string_prepend_c (related, '{'), '}');
  g_string_append (text, "<Correlation");
  append_guid (text, "ActivityID", &self->record->activity);
  append_attribute (text, "RelatedActivityID", related->str);
  g_string_append (text, "/>");
}

/* Appends the `System` element, in the order of elements that the schema defines. */
static void
append_system (const NsCliEvent *self, const NsEvent *event, GString *text)
{
  const NsRecord *record = self->record;

  g_string_append (text, "<System><Provider");
  append_attribute (text, "Name", ns_event_get_provider_name (event, self->trace));
  append_guid (text, "Guid", &record->guid);
  g_string_append_printf (text,
                          "/><EventID>%u</EventID><Version>%u</Version><Level>%u</Level>"
                          "<Task>%u</Task><Opcode>%u</Opcode><Keywords>0x%016" G_GINT64_MODIFIER
                          "x</Keywords><TimeCreated SystemTime=\"",
                          record->id,
                          record->version,
                          record->level,
                          record->task,
                          record->opcode,
                          record->keyword);
  ns_export_time_append (text, self->trace, record->time_ns, NS_EXPORT_TIME_ISO);
  g_string_append_printf (text,
                          "\"/><EventRecordID>%" G_GUINT64_FORMAT "</EventRecordID>",
                          self->n);
  append_correlation (self, text);
  /* The schema requires both attributes; for unknown IDs Windows writes the same number. */
  g_string_append_printf (text,
                          "<Execution ProcessID=\"%u\" ThreadID=\"%u\"",
                          record->pid,
                          record->tid);
  append_column (self, text, "ProcessorID", NS_CLI_EVENT_CPU);
  append_column (self, text, "KernelTime", NS_CLI_EVENT_KERNEL_TIME);
  append_column (self, text, "UserTime", NS_CLI_EVENT_USER_TIME);
  if (record->channel != 0)
    g_string_append_printf (text, "/><Channel>%u</Channel>", record->channel);
  else
    g_string_append (text, "/><Channel/>");
  g_string_append (text, "<Computer/></System>");
}

typedef struct
{
  const NsSecrets *secrets;
  GString *text;
  guint n_open;
  const char *array; /* (nullable): name of the innermost array; its elements can be nameless */
} Structs;

static void
append_data (const Structs *self, const NsPayloadItem *item, const char *name)
{
  g_autoptr (GString) value = g_string_new (NULL);

  ns_value_append_text (item, self->secrets, value);
  g_string_append (self->text, "<Data");
  append_attribute (self->text, "Name", name);
  g_string_append_c (self->text, '>');
  ns_cli_xml_append_text (self->text, value->str);
  g_string_append (self->text, "</Data>");
}

/* Writes array elements one after the other, each with the name of the array. */
static gboolean
item_cb (const NsPayloadItem *item, gpointer user_data)
{
  Structs *self = user_data;

  switch (item->kind)
    {
    case NS_ITEM_VALUE:
      append_data (self, item, item->field->name[0] != '\0' ? item->field->name : self->array);
      break;
    case NS_ITEM_REST:
      append_data (self, item, "(bytes)");
      break;
    case NS_ITEM_STRUCT_BEGIN:
      g_string_append (self->text, "<ComplexData");
      append_attribute (self->text, "Name", item->field->name);
      g_string_append_c (self->text, '>');
      self->n_open++;
      break;
    case NS_ITEM_STRUCT_END:
      g_string_append (self->text, "</ComplexData>");
      self->n_open--;
      break;
    case NS_ITEM_ARRAY_BEGIN:
      self->array = item->field->name;
      break;
    case NS_ITEM_ARRAY_END:
    default:
      break;
    }
  return TRUE;
}

static void
append_payload (const NsCliEvent *self, GString *text)
{
  Structs structs = { .secrets = self->trace->secrets, .text = text };

  if (self->record->payload_size == 0)
    g_string_append (text, "<EventData/>");
  else if (self->schema->n_fields == 0)
    {
      g_string_append (text, "<BinaryEventData>");
      ns_cli_event_append_text (self, NS_CLI_EVENT_PAYLOAD_HEX, text);
      g_string_append (text, "</BinaryEventData>");
    }
  else
    {
      g_string_append (text, "<EventData>");
      ns_payload_walk (self->schema, self->record, item_cb, &structs);
      /* The walk stops in the middle of a structure when it reaches a cap. */
      for (; structs.n_open > 0; structs.n_open--)
        g_string_append (text, "</ComplexData>");
      g_string_append (text, "</EventData>");
    }
}

static void
append_keywords (const NsEvent *event, const NsSchemas *schemas, GString *text)
{
  g_autofree char *joined = ns_event_dup_keyword_names (event, schemas);
  g_auto (GStrv) names = joined == NULL ? NULL : g_strsplit (joined, "|", -1);

  if (names == NULL)
    return;
  g_string_append (text, "<Keywords>");
  for (guint i = 0; names[i] != NULL; i++)
    append_element (text, "Keyword", names[i]);
  g_string_append (text, "</Keywords>");
}

/* Appends the names of message, level, opcode, task and keywords that the event's layout has. */
static void
append_rendering (const NsEvent *event, const NsSchemas *schemas, GString *text)
{
  gsize begin = text->len;

  append_element (text, "Message", ns_event_get_name (event));
  append_element (text, "Level", ns_event_get_level_name (event));
  append_element (text, "Opcode", ns_event_get_opcode_name (event));
  append_element (text, "Task", ns_event_get_task_name (event));
  append_keywords (event, schemas, text);
  if (text->len == begin)
    return;
  g_string_insert (text, (gssize) begin, "<RenderingInfo Culture=\"en-US\">");
  g_string_append (text, "</RenderingInfo>");
}

/**
 * ns_cli_event_append_xml:
 * @self: a record
 * @text: to append to
 *
 * Appends the record as an `Event` element and a line end. `EventRecordID` is the record's number.
 * Payload without a layout becomes `BinaryEventData`.
 */
void
ns_cli_event_append_xml (const NsCliEvent *self, GString *text)
{
  const NsEvent event = { self->record, self->schema, self->trace->secrets };

  g_string_append (text, "<Event xmlns=\"" NS_CLI_EVENT_XML_NAMESPACE "\">");
  append_system (self, &event, text);
  append_payload (self, text);
  append_rendering (&event, self->trace->schemas, text);
  if ((self->record->flags & NS_RECORD_MANIFEST) == 0 && !ns_guid_is_zero (&self->record->guid))
    {
      char guid[NS_GUID_TEXT_SIZE];

      g_string_append_printf (text,
                              "<ExtendedTracingInfo xmlns=\"" TRACE_NAMESPACE
                              "\"><EventGuid>{%s}</EventGuid></ExtendedTracingInfo>",
                              ns_guid_to_text (&self->record->guid, guid));
    }
  g_string_append (text, "</Event>\n");
}
