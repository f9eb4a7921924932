/* Fuzz target: a few events that carry and use event descriptions.
 *
 * Each record is a type byte, a u16 length and that many bytes: event descriptions, map
 * descriptions, chunks of embedded manifests, self-describing (TraceLogging) events, classic
 * events, plain events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "schema/ns-payload.h"

#include <string.h>

enum
{
  EVENT_INFO,
  MAP_INFO,
  SENT,
  SELF_DESCRIBED,
  CLASSIC,
  PLAIN,
  N_KINDS,
};

static const NsGuid metadata_class =
    NS_GUID_INIT (0xbbccf6c1, 0x6cd1, 0x48c4, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71);

static void
decode (NsSchemas *schemas, const NsRecord *record)
{
  const NsSchema *schema = ns_schemas_find (schemas, record);
  g_autoptr (GString) text = g_string_new (NULL);

  ns_payload_append_json (schema, record, NULL, text);
  g_assert_true (g_utf8_validate (text->str, (gssize) text->len, NULL));
  g_string_truncate (text, 0);
  ns_payload_append_dump (schema, record, NULL, text);
  g_assert_null (strchr (text->str, '\n'));
}

static void
run_self_described (NsSchemas *schemas, NsRecord *record, NsCursor *cursor)
{
  record->flags = NS_RECORD_MANIFEST;
  record->n_extended = ns_cursor_u8 (cursor) % 8;
  record->extended_size = MIN (ns_cursor_u16 (cursor), (guint16) ns_cursor_left (cursor));
  record->extended = ns_cursor_take (cursor, record->extended_size);
  record->payload_size = (guint32) ns_cursor_left (cursor);
  record->payload = ns_cursor_take (cursor, record->payload_size);
  if (ns_cursor_ok (cursor))
    decode (schemas, record);
}

static void
run_classic (NsSchemas *schemas, NsRecord *record, NsCursor *cursor)
{
  record->group = ns_cursor_u8 (cursor);
  record->guid = *ns_record_group_guid (record->group);
  record->opcode = ns_cursor_u8 (cursor);
  record->version = ns_cursor_u8 (cursor);
  record->flags = NS_RECORD_GROUP;
  record->payload_size = (guint32) ns_cursor_left (cursor);
  record->payload = ns_cursor_take (cursor, record->payload_size);
  if (ns_cursor_ok (cursor))
    decode (schemas, record);
}

static void
run (NsSchemas *schemas, guint8 kind, NsCursor *cursor)
{
  NsRecord record = { .kind = NS_RECORD_EVENT64 };

  record.pointer_size = kind & 0x80 ? 4 : 8;
  record.payload_size = (guint32) cursor->size;
  record.payload = cursor->data;
  switch ((kind & 0x7f) % N_KINDS)
    {
    case EVENT_INFO:
    case MAP_INFO:
      record.kind = NS_RECORD_FULL64;
      record.guid = metadata_class;
      record.opcode = (kind & 0x7f) % N_KINDS == EVENT_INFO ? 32 : 33;
      ns_schemas_learn (schemas, &record);
      break;
    case SENT:
      record.flags = NS_RECORD_MANIFEST;
      record.id = 65534;
      ns_schemas_learn (schemas, &record);
      break;
    case SELF_DESCRIBED:
      run_self_described (schemas, &record, cursor);
      break;
    case CLASSIC:
      run_classic (schemas, &record, cursor);
      break;
    default:
      record.flags = NS_RECORD_MANIFEST;
      ns_cursor_guid (cursor, &record.guid);
      record.id = ns_cursor_u16 (cursor);
      record.version = ns_cursor_u8 (cursor);
      record.payload_size = (guint32) ns_cursor_left (cursor);
      record.payload = ns_cursor_take (cursor, record.payload_size);
      if (ns_cursor_ok (cursor))
        decode (schemas, &record);
      break;
    }
}

/* Called by libFuzzer. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  NsCursor cursor;

  ns_cursor_init (&cursor, data, size);
  while (ns_cursor_left (&cursor) >= 3)
    {
      guint8 kind = ns_cursor_u8 (&cursor);
      gsize n = MIN (ns_cursor_u16 (&cursor), ns_cursor_left (&cursor));
      NsCursor inside;

      if (!ns_cursor_sub (&cursor, n, &inside))
        break;
      run (schemas, kind, &inside);
    }
  return 0;
}
