/* Fields of the headers of event records.
 *
 * Layouts: EVENT_HEADER and EVENT_TRACE_HEADER of evntcons.h and evntrace.h, TRACE_MESSAGE_* flags,
 * and the group headers as described by Geoff Chappell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-event-header.h"

#include <glib/gi18n-lib.h>

/* Option flags of a TRACE_MESSAGE record. */
#define MESSAGE_SEQUENCE 0x0001
#define MESSAGE_GUID 0x0002
#define MESSAGE_COMPONENT 0x0004
#define MESSAGE_TIMESTAMP 0x0008
#define MESSAGE_SYSTEM_INFO 0x0020

static const NsHeaderField event_fields[] = {
  { N_ ("Size"), 0, 2, NS_HEADER_UINT },
  { N_ ("Header kind"), 2, 1, NS_HEADER_HEX },
  { N_ ("Marker"), 3, 1, NS_HEADER_HEX },
  { N_ ("Flags"), 4, 2, NS_HEADER_HEX },
  { N_ ("Property"), 6, 2, NS_HEADER_HEX },
  { N_ ("Thread"), 8, 4, NS_HEADER_UINT },
  { N_ ("PID"), 12, 4, NS_HEADER_UINT },
  { N_ ("Time stamp"), 16, 8, NS_HEADER_UINT },
  { N_ ("Provider GUID"), 24, 16, NS_HEADER_GUID },
  { N_ ("ID"), 40, 2, NS_HEADER_UINT },
  { N_ ("Version"), 42, 1, NS_HEADER_UINT },
  { N_ ("Channel"), 43, 1, NS_HEADER_UINT },
  { N_ ("Level"), 44, 1, NS_HEADER_UINT },
  { N_ ("Opcode"), 45, 1, NS_HEADER_UINT },
  { N_ ("Task"), 46, 2, NS_HEADER_UINT },
  { N_ ("Keyword"), 48, 8, NS_HEADER_HEX },
  { N_ ("Kernel Time"), 56, 4, NS_HEADER_UINT },
  { N_ ("User Time"), 60, 4, NS_HEADER_UINT },
  { N_ ("Activity ID"), 64, 16, NS_HEADER_GUID },
};

static const NsHeaderField full_fields[] = {
  { N_ ("Size"), 0, 2, NS_HEADER_UINT },
  { N_ ("Header kind"), 2, 1, NS_HEADER_HEX },
  { N_ ("Marker"), 3, 1, NS_HEADER_HEX },
  { N_ ("Opcode"), 4, 1, NS_HEADER_UINT },
  { N_ ("Level"), 5, 1, NS_HEADER_UINT },
  { N_ ("Version"), 6, 2, NS_HEADER_UINT },
  { N_ ("Thread"), 8, 4, NS_HEADER_UINT },
  { N_ ("PID"), 12, 4, NS_HEADER_UINT },
  { N_ ("Time stamp"), 16, 8, NS_HEADER_UINT },
  { N_ ("Provider GUID"), 24, 16, NS_HEADER_GUID },
  { N_ ("Kernel Time"), 40, 4, NS_HEADER_UINT },
  { N_ ("User Time"), 44, 4, NS_HEADER_UINT },
  /* Only in instance headers, which are longer. */
  { N_ ("Instance"), 48, 4, NS_HEADER_UINT },
  { N_ ("Parent instance"), 52, 4, NS_HEADER_UINT },
  { N_ ("Parent GUID"), 56, 16, NS_HEADER_GUID },
};

static const NsHeaderField system_fields[] = {
  { N_ ("Version"), 0, 1, NS_HEADER_UINT },      { N_ ("Counter flags"), 1, 1, NS_HEADER_HEX },
  { N_ ("Header kind"), 2, 1, NS_HEADER_HEX },   { N_ ("Marker"), 3, 1, NS_HEADER_HEX },
  { N_ ("Size"), 4, 2, NS_HEADER_UINT },         { N_ ("Opcode"), 6, 1, NS_HEADER_UINT },
  { N_ ("Group"), 7, 1, NS_HEADER_HEX },         { N_ ("Thread"), 8, 4, NS_HEADER_UINT },
  { N_ ("PID"), 12, 4, NS_HEADER_UINT },         { N_ ("Time stamp"), 16, 8, NS_HEADER_UINT },
  { N_ ("Kernel Time"), 24, 4, NS_HEADER_UINT }, { N_ ("User Time"), 28, 4, NS_HEADER_UINT },
};

static const NsHeaderField perfinfo_fields[] = {
  { N_ ("Version"), 0, 1, NS_HEADER_UINT },    { N_ ("Counter flags"), 1, 1, NS_HEADER_HEX },
  { N_ ("Header kind"), 2, 1, NS_HEADER_HEX }, { N_ ("Marker"), 3, 1, NS_HEADER_HEX },
  { N_ ("Size"), 4, 2, NS_HEADER_UINT },       { N_ ("Opcode"), 6, 1, NS_HEADER_UINT },
  { N_ ("Group"), 7, 1, NS_HEADER_HEX },       { N_ ("Time stamp"), 8, 8, NS_HEADER_UINT },
};

static const NsHeaderField message_fields[] = {
  { N_ ("Size"), 0, 2, NS_HEADER_UINT },   { N_ ("Header kind"), 2, 1, NS_HEADER_HEX },
  { N_ ("Marker"), 3, 1, NS_HEADER_HEX },  { N_ ("Message"), 4, 2, NS_HEADER_UINT },
  { N_ ("Options"), 6, 2, NS_HEADER_HEX },
};

/* Copies the fields of a layout that end before @end. */
static guint
take_fields (const NsHeaderField *all, guint n_all, guint end, NsHeaderField *fields)
{
  guint n_fields = 0;
  guint i;

  for (i = 0; i < n_all; i++)
    if (all[i].offset + all[i].size <= end)
      fields[n_fields++] = all[i];
  return n_fields;
}

/* Lists the fields of a message header, which depend on its options. */
static guint
list_message (const NsRecord *record, NsHeaderField *fields)
{
  static const struct
  {
    guint16 option;
    guint16 not_with;
    NsHeaderField field;
  } options[] = {
    { MESSAGE_SEQUENCE, 0, { N_ ("Sequence"), 0, 4, NS_HEADER_UINT } },
    { MESSAGE_COMPONENT, 0, { N_ ("Component"), 0, 4, NS_HEADER_UINT } },
    { MESSAGE_GUID, MESSAGE_COMPONENT, { N_ ("Provider GUID"), 0, 16, NS_HEADER_GUID } },
    { MESSAGE_TIMESTAMP, 0, { N_ ("Time stamp"), 0, 8, NS_HEADER_UINT } },
    { MESSAGE_SYSTEM_INFO, 0, { N_ ("Thread"), 0, 4, NS_HEADER_UINT } },
    { MESSAGE_SYSTEM_INFO, 0, { N_ ("PID"), 0, 4, NS_HEADER_UINT } },
  };
  guint n_fields =
      take_fields (message_fields, G_N_ELEMENTS (message_fields), record->header_size, fields);
  guint at = 8;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (options); i++)
    {
      if (!(record->message_flags & options[i].option) ||
          (record->message_flags & options[i].not_with))
        continue;
      if (at + options[i].field.size > record->header_size)
        break;
      fields[n_fields] = options[i].field;
      fields[n_fields++].offset = (guint16) at;
      at += options[i].field.size;
    }
  return n_fields;
}

/**
 * ns_event_header_list:
 * @record: a record
 * @fields: (out caller-allocates): the fields of its header, in the order of their bytes
 *
 * Returns: the number of fields
 */
guint
ns_event_header_list (const NsRecord *record, NsHeaderField fields[NS_HEADER_MAX_FIELDS])
{
  guint end = MIN (record->header_size, record->size);

  switch ((NsRecordKind) record->kind)
    {
    case NS_RECORD_EVENT32:
    case NS_RECORD_EVENT64:
      return take_fields (event_fields, G_N_ELEMENTS (event_fields), end, fields);
    case NS_RECORD_FULL32:
    case NS_RECORD_FULL64:
    case NS_RECORD_INSTANCE32:
    case NS_RECORD_INSTANCE64:
      return take_fields (full_fields, G_N_ELEMENTS (full_fields), end, fields);
    case NS_RECORD_SYSTEM32:
    case NS_RECORD_SYSTEM64:
      return take_fields (system_fields, G_N_ELEMENTS (system_fields), end, fields);
    case NS_RECORD_COMPACT32:
    case NS_RECORD_COMPACT64:
      /* The system header without the thread's CPU times. */
      return take_fields (system_fields, G_N_ELEMENTS (system_fields), MIN (end, 24), fields);
    case NS_RECORD_PERFINFO32:
    case NS_RECORD_PERFINFO64:
      return take_fields (perfinfo_fields, G_N_ELEMENTS (perfinfo_fields), end, fields);
    case NS_RECORD_MESSAGE:
      return list_message (record, fields);
    case NS_RECORD_TIMED:
    case NS_RECORD_ERROR:
    case NS_RECORD_WNODE:
    default:
      return 0;
    }
}

/**
 * ns_event_header_append_value:
 * @field: a field
 * @record: (array length=record_size): the bytes of the record
 * @record_size: number of bytes
 * @text: the string to append the value to
 */
void
ns_event_header_append_value (const NsHeaderField *field,
                              const guint8 *record,
                              gsize record_size,
                              GString *text)
{
  char guid_text[NS_GUID_TEXT_SIZE];
  guint64 value = 0;
  NsCursor cursor;
  NsGuid guid;

  ns_cursor_init (&cursor, record, record_size);
  ns_cursor_seek (&cursor, field->offset);
  if (field->form == NS_HEADER_GUID)
    {
      ns_cursor_guid (&cursor, &guid);
      if (ns_cursor_ok (&cursor))
        g_string_append (text, ns_guid_to_text (&guid, guid_text));
      return;
    }
  if (field->size == 8)
    value = ns_cursor_u64 (&cursor);
  else if (field->size == 4)
    value = ns_cursor_u32 (&cursor);
  else if (field->size == 2)
    value = ns_cursor_u16 (&cursor);
  else
    value = ns_cursor_u8 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  if (field->form == NS_HEADER_HEX)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", value);
  else
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, value);
}

/**
 * ns_event_header_get_type:
 * @field: a field
 *
 * Returns: the name of its type
 */
const char *
ns_event_header_get_type (const NsHeaderField *field)
{
  switch (field->size)
    {
    case 1:
      return "uint8";
    case 2:
      return "uint16";
    case 4:
      return "uint32";
    case 8:
      return "uint64";
    default:
      return "GUID";
    }
}

/**
 * ns_event_header_get_item_name:
 * @type: type of an extended item
 *
 * Returns: its name
 */
const char *
ns_event_header_get_item_name (guint16 type)
{
  static const char *const names[] = {
    [NS_EXT_RELATED_ACTIVITY] = N_ ("Related activity"),
    [NS_EXT_SID] = N_ ("User"),
    [NS_EXT_TS_ID] = N_ ("Terminal session"),
    [NS_EXT_INSTANCE_INFO] = N_ ("Instances"),
    [NS_EXT_STACK32] = N_ ("Stack, 32 bits"),
    [NS_EXT_STACK64] = N_ ("Stack, 64 bits"),
    [NS_EXT_PEBS_INDEX] = N_ ("Sample index"),
    [NS_EXT_PMC_COUNTERS] = N_ ("Counters"),
    [NS_EXT_PSM_KEY] = N_ ("Package"),
    [NS_EXT_EVENT_KEY] = N_ ("Event key"),
    [NS_EXT_SCHEMA_TL] = N_ ("TraceLogging schema"),
    [NS_EXT_PROV_TRAITS] = N_ ("Provider traits"),
    [NS_EXT_PROCESS_START_KEY] = N_ ("Process start key"),
    [NS_EXT_CONTROL_GUID] = N_ ("Control GUID"),
    [NS_EXT_QPC_DELTA] = N_ ("Clock difference"),
    [NS_EXT_CONTAINER_ID] = N_ ("Container"),
    [NS_EXT_STACK_KEY32] = N_ ("Stack key, 32 bits"),
    [NS_EXT_STACK_KEY64] = N_ ("Stack key, 64 bits"),
  };

  if (type >= G_N_ELEMENTS (names) || names[type] == NULL)
    return _ ("Extended item");
  return _ (names[type]);
}
