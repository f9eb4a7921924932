/* Tests the store of layouts: precedence, refusals, and that all sources give the same result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload.h"

#include <glib/gstdio.h>
#include <string.h>

#define PROVIDER "11111111-2222-3333-4444-555555555555"
#define METADATA "bbccf6c1-6cd1-48c4-80ff-839482e37671"

/* The payload for all descriptions below: port, count, names, state. */
static const char payload[] = "\x01\xbb"
                              "\x02"
                              "a\0\0\0b\0c\0\0\0"
                              "\x02\0\0\0";
static const char expected[] = "{\"port\":443,\"n\":2,\"names\":[\"a\",\"bc\"],\"state\":\"OPEN\"}";
static const char unmapped[] = "{\"port\":443,\"n\":2,\"names\":[\"a\",\"bc\"],\"state\":2}";

static void
put (GByteArray *bytes, guint64 value, guint size)
{
  guint i;

  for (i = 0; i < size; i++)
    {
      guint8 byte = i < 8 ? (guint8) (value >> (8 * i)) : 0;

      g_byte_array_append (bytes, &byte, 1);
    }
}

static void
patch (GByteArray *bytes, guint offset, guint32 value)
{
  guint i;

  for (i = 0; i < 4; i++)
    bytes->data[offset + i] = (guint8) (value >> (8 * i));
}

static guint32
put_wide (GByteArray *bytes, const char *text)
{
  guint32 offset = bytes->len;

  do
    put (bytes, (guint8) *text, 2);
  while (*text++ != '\0');
  return offset;
}

static void
put_guid (GByteArray *bytes, const char *text)
{
  NsGuid guid;

  ns_guid_from_text (&guid, text);
  g_byte_array_append (bytes, guid.bytes, sizeof guid.bytes);
}

typedef struct
{
  guint32 flags;
  const char *name;
  guint16 in;
  guint16 out;
  const char *map;
  guint16 count;
} Property;

/* Makes a TRACE_EVENT_INFO of event 7, version 1. */
static GByteArray *
make_event_info (const Property *properties, guint n)
{
  GByteArray *bytes = g_byte_array_new ();
  guint i;

  put_guid (bytes, PROVIDER);
  put (bytes, 0, 16);
  put (bytes, 7, 2);
  put (bytes, 1, 1);
  put (bytes, 0, 0x70 - 0x23);
  patch (bytes, 0x64, n);
  patch (bytes, 0x68, n);
  for (i = 0; i < n; i++)
    {
      put (bytes, properties[i].flags, 4);
      put (bytes, 0, 4);
      put (bytes, properties[i].in, 2);
      put (bytes, properties[i].out, 2);
      put (bytes, 0, 4);
      put (bytes, properties[i].count, 2);
      put (bytes, 0, 2 + 4);
    }
  patch (bytes, 0x34, put_wide (bytes, "Test-Provider "));
  patch (bytes, 0x44, put_wide (bytes, "Connect "));
  for (i = 0; i < n; i++)
    {
      guint32 at = 0x70 + 24 * i;

      patch (bytes, at + 4, put_wide (bytes, properties[i].name));
      if (properties[i].map != NULL)
        patch (bytes, at + 12, put_wide (bytes, properties[i].map));
    }
  return bytes;
}

static GByteArray *
make_good_event_info (void)
{
  static const Property properties[] = {
    { 0, "port", NS_IN_UINT16, NS_OUT_PORT, NULL, 1 },
    { 0, "n", NS_IN_UINT8, 0, NULL, 1 },
    { 4, "names", NS_IN_UNICODESTRING, 0, NULL, 1 },
    { 0, "state", NS_IN_UINT32, 0, "States", 1 },
  };

  return make_event_info (properties, G_N_ELEMENTS (properties));
}

static GByteArray *
make_map_info (void)
{
  GByteArray *bytes = g_byte_array_new ();
  guint32 name;

  put_guid (bytes, PROVIDER);
  put (bytes, 0, 4);
  put (bytes, 1, 4);
  put (bytes, 2, 4);
  put (bytes, 0, 4);
  put (bytes, 0, 4);
  put (bytes, 1, 4);
  put (bytes, 0, 4);
  put (bytes, 2, 4);
  name = put_wide (bytes, "States");
  patch (bytes, 16, name - 16);
  name = put_wide (bytes, "CLOSED ");
  patch (bytes, 32, name - 16);
  name = put_wide (bytes, "OPEN ");
  patch (bytes, 40, name - 16);
  return bytes;
}

static NsRecord
make_metadata (guint8 opcode, const GByteArray *bytes)
{
  NsRecord record = { .kind = NS_RECORD_FULL64, .opcode = opcode, .pointer_size = 8 };

  ns_guid_from_text (&record.guid, METADATA);
  record.provider = 1;
  record.payload = bytes->data;
  record.payload_size = bytes->len;
  return record;
}

static NsRecord
make_event (void)
{
  NsRecord record = {
    .kind = NS_RECORD_EVENT64,
    .flags = NS_RECORD_MANIFEST,
    .id = 7,
    .version = 1,
    .pointer_size = 8,
  };

  ns_guid_from_text (&record.guid, PROVIDER);
  record.provider = 2;
  record.payload = (const guint8 *) payload;
  record.payload_size = sizeof payload - 1;
  return record;
}

static void
assert_decodes (NsSchemas *schemas, const NsRecord *record, NsSchemaSource source, const char *json)
{
  const NsSchema *schema = ns_schemas_find (schemas, record);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_cmpint (schema->source, ==, source);
  g_assert_cmpint (ns_payload_append_json (schema, record, NULL, text), ==, NS_PAYLOAD_EXACT);
  g_assert_cmpstr (text->str, ==, json);
}

static void
learn (NsSchemas *schemas, guint8 opcode, GByteArray *bytes)
{
  NsRecord record = make_metadata (opcode, bytes);

  g_assert_true (ns_schemas_learn (schemas, &record));
  g_byte_array_unref (bytes);
}

static const char manifest[] =
    "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"
    "<instrumentation xmlns:win='http://manifests.microsoft.com/win/2004/08/windows/events'>"
    "<events><provider name='Test-Provider' guid='{" PROVIDER "}' symbol='T'>"
    "<tasks><task name='Connect' value='1'/></tasks>"
    "<maps><valueMap name='States'><map value='1' message='$(string.closed)'/>"
    "<map value='0x2' message='$(string.open)'/></valueMap></maps>"
    "<templates><template tid='t'>"
    "<data name='port' inType='win:UInt16' outType='win:Port'/>"
    "<data name='n' inType='win:UInt8'/>"
    "<data name='names' inType='win:UnicodeString' count='n'/>"
    "<data name='state' inType='win:UInt32' map='States'/>"
    "</template></templates>"
    "<events><event value='7' version='1' template='t' task='Connect' opcode='win:Start'/></events>"
    "</provider></events></instrumentation>"
    "<localization><resources culture='en-US'><stringTable>"
    "<string id='closed' value='CLOSED'/><string id='open' value='OPEN'/>"
    "</stringTable></resources></localization></instrumentationManifest>";

static void
send_manifest (NsSchemas *schemas, const char *xml)
{
  gsize half = strlen (xml) / 2;
  guint i;

  for (i = 0; i < 2; i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      NsRecord record = make_event ();

      put (bytes, 1, 1);
      put (bytes, 0, 2);
      put (bytes, 0x5b, 1);
      put (bytes, 2, 2);
      put (bytes, i, 2);
      g_byte_array_append (bytes,
                           (const guint8 *) xml + i * half,
                           (guint) (i == 0 ? half : strlen (xml) - half));
      record.id = 65534;
      record.payload = bytes->data;
      record.payload_size = bytes->len;
      g_assert_true (ns_schemas_learn (schemas, &record));
    }
}

/* Events that carry descriptions have built-in schemas. */
static void
test_descriptions_describe_themselves (void)
{
  static const guint8 piece[] = { 1, 1, 0, 0x5b, 2, 0, 1, 0, '<', 'a', '/', '>' };
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GByteArray) info = make_good_event_info ();
  NsRecord record = make_event ();

  record.id = 65534;
  record.task = 65534;
  record.payload = piece;
  record.payload_size = sizeof piece;
  assert_decodes (schemas,
                  &record,
                  NS_SCHEMA_BUILTIN,
                  "{\"Format\":1,\"MajorVersion\":1,\"MinorVersion\":0,\"Magic\":\"0x5b\","
                  "\"TotalChunks\":2,\"ChunkNumber\":1,\"Data\":\"<a/>\"}");
  record = make_metadata (32, info);
  g_assert_cmpint (ns_schemas_find (schemas, &record)->source, ==, NS_SCHEMA_BUILTIN);
}

static void
test_embedded_descriptions_are_learned (void)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  NsRecord record = make_event ();

  g_assert_cmpint (ns_schemas_find (schemas, &record)->source, ==, NS_SCHEMA_NONE);
  learn (schemas, 32, make_good_event_info ());
  assert_decodes (schemas, &record, NS_SCHEMA_EMBEDDED, unmapped);
  learn (schemas, 33, make_map_info ());
  assert_decodes (schemas, &record, NS_SCHEMA_EMBEDDED, expected);
  g_assert_cmpstr (ns_schemas_find (schemas, &record)->task_name, ==, "Connect");
  g_assert_cmpstr (ns_schemas_get_provider_name (schemas, &record.guid), ==, "Test-Provider");
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 0);

  /* A version newer than all known ones is decoded as the newest known one. */
  record.version = 3;
  assert_decodes (schemas, &record, NS_SCHEMA_EMBEDDED, expected);
  record.version = 0;
  g_assert_cmpint (ns_schemas_find (schemas, &record)->source, ==, NS_SCHEMA_NONE);
}

static void
send_name (NsSchemas *schemas, const char *name)
{
  g_autofree char *xml = g_strdup_printf (
      "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"
      "<instrumentation><events>"
      "<provider name='%s' guid='{43d1a55c-76d6-4f7e-995c-64c711e5cafe}' symbol='S'>"
      "<events><event value='1' version='0'/></events>"
      "</provider></events></instrumentation></instrumentationManifest>",
      name);

  send_manifest (schemas, xml);
}

/* The survey learns in the order of the file, the builder in order of time. */
static void
test_a_damaged_name_does_not_depend_on_the_order (void)
{
  static const char *const names[] = { "Damaged", "Microsoft-Windows-WinINet", "Damaged" };
  NsGuid guid;
  guint i;

  ns_guid_from_text (&guid, "43d1a55c-76d6-4f7e-995c-64c711e5cafe");
  for (i = 0; i < 2; i++)
    {
      g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);

      send_name (schemas, names[i]);
      g_assert_cmpstr (ns_schemas_get_provider_name (schemas, &guid), ==, names[i]);
      send_name (schemas, names[i + 1]);
      g_assert_cmpstr (ns_schemas_get_provider_name (schemas, &guid), ==, names[1]);
    }
}

static void
test_sent_manifests_are_joined (void)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  NsRecord record = make_event ();

  send_manifest (schemas, manifest);
  assert_decodes (schemas, &record, NS_SCHEMA_EVENTSOURCE, expected);
  g_assert_cmpstr (ns_schemas_find (schemas, &record)->opcode_name, ==, "Start");
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 0);
}

static void
test_manifests_of_the_user_are_read (void)
{
  g_autofree char *dir = g_dir_make_tmp ("ns-schema-XXXXXX", NULL);
  g_autofree char *good = g_build_filename (dir, "good.man", NULL);
  g_autofree char *bad = g_build_filename (dir, "bad.xml", NULL);
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GError) error = NULL;
  NsRecord record = make_event ();

  g_assert_true (g_file_set_contents (good, manifest, -1, NULL));
  g_assert_true (g_file_set_contents (bad, "<nothing/>", -1, NULL));
  g_assert_true (ns_schemas_add_manifests (schemas, dir, &error));
  g_assert_no_error (error);
  assert_decodes (schemas, &record, NS_SCHEMA_USER, expected);
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 1);

  /* A description in the trace takes precedence. */
  learn (schemas, 32, make_good_event_info ());
  assert_decodes (schemas, &record, NS_SCHEMA_EMBEDDED, unmapped);

  g_assert_false (ns_schemas_add_manifests (schemas, bad, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  g_unlink (good);
  g_unlink (bad);
  g_rmdir (dir);
}

/* Of three versions of an event the user describes the first, and Windows' manifest the second. */
static void
test_the_very_version_comes_before_a_lower_one (void)
{
  static const char text[] =
      "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"
      "<instrumentation><events><provider name='Microsoft-Windows-PowerShell' "
      "guid='{a0c1853b-5c40-4b15-8766-3cf1c58f985a}' symbol='P'><events>"
      "<event value='53504' version='0' symbol='E' template='T'/></events>"
      "<templates><template tid='T'><data name='Mine' inType='win:UInt64'/></template>"
      "</templates></provider></events></instrumentation></instrumentationManifest>";
  static const NsSchemaSource expected_sources[] = { NS_SCHEMA_USER,
                                                     NS_SCHEMA_BUILTIN,
                                                     NS_SCHEMA_USER };
  g_autofree char *dir = g_dir_make_tmp ("ns-schema-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (dir, "mine.man", NULL);
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GError) error = NULL;
  NsRecord record = make_event ();

  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  g_assert_true (ns_schemas_add_manifests (schemas, file, &error));
  g_assert_no_error (error);
  ns_guid_from_text (&record.guid, "a0c1853b-5c40-4b15-8766-3cf1c58f985a");
  record.id = 53504;
  for (record.version = 0; record.version < G_N_ELEMENTS (expected_sources); record.version++)
    for (guint again = 0; again < 2; again++)
      g_assert_cmpint (ns_schemas_find (schemas, &record)->source,
                       ==,
                       expected_sources[record.version]);
  g_unlink (file);
  g_rmdir (dir);
}

/* Manifests re-created by tools only have the type "binary"; for AFD the actual type is known. */
static void
test_socket_addresses_of_bare_manifests_are_known (void)
{
  static const char before[] =
      "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"
      "<instrumentation xmlns:win='http://manifests.microsoft.com/win/2004/08/windows/events'>"
      "<events><provider name='P' guid='{";
  static const char behind[] = "}' symbol='T'>"
                               "<templates><template tid='t'>"
                               "<data name='AddressLen' inType='win:UInt8'/>"
                               "<data name='Address' inType='win:Binary' length='AddressLen'/>"
                               "<data name='DLAddress' inType='win:Binary' length='2'/>"
                               "</template></templates>"
                               "<events><event value='60007' version='1' template='t'/></events>"
                               "</provider></events></instrumentation></instrumentationManifest>";
  static const guint8 bytes[] = { 8, 2, 0, 1, 0xbb, 192, 0, 2, 1, 0xaa, 0xbb };
  static const struct
  {
    const char *guid;
    const char *shown;
  } cases[] = {
    { "e53c6823-7bb8-44bb-90dc-3f86090d48a6",
      "{\"AddressLen\":8,\"Address\":\"192.0.2.1:443\",\"DLAddress\":\"aabb\"}" },
    { "2f07e2ee-15db-40f1-90ef-9d7ba282188a",
      "{\"AddressLen\":8,\"Address\":\"192.0.2.1:443\",\"DLAddress\":\"aabb\"}" },
    /* For other providers it is not. */
    { PROVIDER, "{\"AddressLen\":8,\"Address\":\"020001bbc0000201\",\"DLAddress\":\"aabb\"}" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *dir = g_dir_make_tmp ("ns-schema-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (dir, "bare.man", NULL);
      g_autofree char *xml = g_strconcat (before, cases[i].guid, behind, NULL);
      g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
      NsRecord record = make_event ();

      g_assert_true (g_file_set_contents (path, xml, -1, NULL));
      g_assert_true (ns_schemas_add_manifests (schemas, path, NULL));
      g_assert_true (ns_guid_from_text (&record.guid, cases[i].guid));
      record.id = 60007;
      record.payload = bytes;
      record.payload_size = sizeof bytes;
      assert_decodes (schemas, &record, NS_SCHEMA_USER, cases[i].shown);
      g_unlink (path);
      g_rmdir (dir);
    }
}

static void
test_entities_of_a_manifest_stay_outside (void)
{
  static const char hostile[] =
      "<!DOCTYPE m [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"
      "<instrumentationManifest><instrumentation><events><provider name='&x;' guid='{" PROVIDER
      "}'><events><event value='7' version='1'/></events></provider></events></instrumentation>"
      "</instrumentationManifest>";
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  NsRecord record = make_event ();
  const char *name;

  send_manifest (schemas, hostile);
  name = ns_schemas_get_provider_name (schemas, &record.guid);
  g_assert_true (name == NULL || name[0] == '\0');
}

/* The payload is 7 bytes shorter: TraceLogging cannot take a count from another field. */
static void
test_events_describe_themselves (void)
{
  static const char fields[] = "port\0\x86\x07"
                               "names\0\x41"
                               "inner\0\x98\x02"
                               "a\0\x04"
                               "b\0\x04"
                               "z\0\x08";
  static const char data[] = "\x01\xbb"
                             "\x02\0a\0\0\0b\0c\0\0\0"
                             "\x05\x06"
                             "\x07\0\0\0";
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GByteArray) items = g_byte_array_new ();
  NsRecord record = make_event ();
  const NsSchema *first;

  /* Traits: size, name. Description: size, tag, name, fields. */
  put (items, 0, 2);
  put (items, NS_EXT_PROV_TRAITS, 2);
  put (items, 1, 2);
  put (items, 2 + 5, 2);
  put (items, 2 + 5, 2);
  g_byte_array_append (items, (const guint8 *) "Prov", 5);
  put (items, 0, 1);
  put (items, 0, 2);
  put (items, NS_EXT_SCHEMA_TL, 2);
  put (items, 0, 2);
  put (items, 2 + 1 + 3 + sizeof fields - 1, 2);
  put (items, 2 + 1 + 3 + sizeof fields - 1, 2);
  put (items, 0, 1);
  g_byte_array_append (items, (const guint8 *) "Ev", 3);
  g_byte_array_append (items, (const guint8 *) fields, sizeof fields - 1);
  record.extended = items->data;
  record.extended_size = (guint16) items->len;
  record.n_extended = 2;
  record.payload = (const guint8 *) data;
  record.payload_size = sizeof data - 1;

  first = ns_schemas_find (schemas, &record);
  g_assert_cmpstr (first->event_name, ==, "Ev");
  g_assert_cmpstr (first->provider_name, ==, "Prov");
  assert_decodes (schemas,
                  &record,
                  NS_SCHEMA_TRACELOGGING,
                  "{\"port\":443,\"names\":[\"a\",\"bc\"],\"inner\":{\"a\":5,\"b\":6},\"z\":7}");
  g_assert_true (ns_schemas_find (schemas, &record) == first);
}

static void
test_impossible_descriptions_are_refused (void)
{
  static const Property in_itself[] = { { 1, "a", 0, 1, NULL, 1 } };
  static const Property outside[] = { { 1, "a", 1, 5, NULL, 1 }, { 0, "b", 8, 0, NULL, 1 } };
  static const Property shared[] = { { 1, "a", 2, 1, NULL, 1 },
                                     { 1, "b", 2, 1, NULL, 1 },
                                     { 0, "c", 8, 0, NULL, 1 } };
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  GByteArray *bytes;

  learn (schemas, 32, make_event_info (in_itself, 1));
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 1);
  learn (schemas, 32, make_event_info (outside, 2));
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 2);
  learn (schemas, 32, make_event_info (shared, 3));
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 3);
  bytes = make_good_event_info ();
  patch (bytes, 0x64, 0x0aaaaaab); /* multiplied by 24 it overflows to 8 */
  learn (schemas, 32, bytes);
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 4);
  bytes = make_good_event_info ();
  patch (bytes, 0x74, 0xfffffff0);
  learn (schemas, 32, bytes);
  g_assert_cmpuint (ns_schemas_get_n_rejected (schemas), ==, 5);
}

/* Sets every byte of the descriptions to several wrong values: no crash and no endless loop. */
static void
test_mutated_descriptions_do_no_harm (void)
{
  static const guint8 wrongs[] = { 0x00, 0x01, 0x07, 0x7f, 0x80, 0xff };
  g_autoptr (GByteArray) info = make_good_event_info ();
  g_autoptr (GByteArray) map = make_map_info ();
  NsRecord record = make_event ();
  guint i;
  guint k;

  for (i = 0; i < info->len + map->len; i++)
    for (k = 0; k < G_N_ELEMENTS (wrongs); k++)
      {
        g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
        g_autoptr (GString) text = g_string_new (NULL);
        GByteArray *bytes = i < info->len ? info : map;
        guint at = i < info->len ? i : i - info->len;
        guint8 was = bytes->data[at];
        NsRecord metadata;

        bytes->data[at] = wrongs[k];
        metadata = make_metadata (33, map);
        ns_schemas_learn (schemas, &metadata);
        metadata = make_metadata (32, info);
        ns_schemas_learn (schemas, &metadata);
        ns_payload_append_json (ns_schemas_find (schemas, &record), &record, NULL, text);
        g_assert_true (g_utf8_validate (text->str, (gssize) text->len, NULL));
        bytes->data[at] = was;
      }
}

static void
test_messages_keep_their_bytes (void)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  NsRecord record = make_event ();
  const NsSchema *schema;

  record.kind = NS_RECORD_MESSAGE;
  record.flags = 0;
  record.payload_size = 2;
  schema = ns_schemas_find (schemas, &record);
  g_assert_cmpint (schema->source, ==, NS_SCHEMA_WPP);
  ns_payload_append_json (schema, &record, NULL, text);
  g_assert_cmpstr (text->str, ==, "{\"(bytes)\":\"01bb\"}");
}

/* These providers have no description of their events, but a name to show instead of a GUID. */
static void
test_providers_that_nobody_describes_have_names (void)
{
  static const struct
  {
    const char *guid;
    const char *name;
  } known[] = {
    { "a019725f-cff1-47e8-8c9e-8fe2635b6388", "Microsoft-Office-Threadpool" },
    { "8736922d-e8b2-47eb-8564-23e77e728cf3", "Microsoft-Office-Events" },
    { "559a5658-8100-4d84-b756-0a47a476280c", "OfficeDispatchQueue" },
    { "a0c1853b-5c40-4b15-8766-3cf1c58f985a", "Microsoft-Windows-PowerShell" },
    { "763fd754-7086-4dfe-95eb-c01a46faf4ca", "Microsoft-Windows-DotNETRuntimePrivate" },
    { "2818ef08-6a54-396f-2244-5a6ea4a98cf0", NULL },
  };
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (known); i++)
    {
      NsGuid guid;

      g_assert_true (ns_guid_from_text (&guid, known[i].guid));
      g_assert_cmpstr (ns_schemas_get_provider_name (schemas, &guid), ==, known[i].name);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/store/embedded", test_embedded_descriptions_are_learned);
  g_test_add_func ("/schema/store/of-descriptions", test_descriptions_describe_themselves);
  g_test_add_func ("/schema/store/damaged-names", test_a_damaged_name_does_not_depend_on_the_order);
  g_test_add_func ("/schema/store/sent", test_sent_manifests_are_joined);
  g_test_add_func ("/schema/store/user", test_manifests_of_the_user_are_read);
  g_test_add_func ("/schema/store/versions", test_the_very_version_comes_before_a_lower_one);
  g_test_add_func ("/schema/store/bare-manifests",
                   test_socket_addresses_of_bare_manifests_are_known);
  g_test_add_func ("/schema/store/entities", test_entities_of_a_manifest_stay_outside);
  g_test_add_func ("/schema/store/tracelogging", test_events_describe_themselves);
  g_test_add_func ("/schema/store/impossible", test_impossible_descriptions_are_refused);
  g_test_add_func ("/schema/store/mutated", test_mutated_descriptions_do_no_harm);
  g_test_add_func ("/schema/store/known-names", test_providers_that_nobody_describes_have_names);
  g_test_add_func ("/schema/store/messages", test_messages_keep_their_bytes);
  return g_test_run ();
}
