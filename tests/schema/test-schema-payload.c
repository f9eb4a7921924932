/* Tests payload decoding: values, arrays, structs, and payloads that are too short or too long.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "etl/ns-provider-guids.h"
#include "schema/ns-payload-mask.h"
#include "schema/ns-payload.h"
#include "schema/ns-schema-classic.h"

#include <string.h>

static void
set_payload (NsRecord *record, gconstpointer data, gsize size)
{
  record->payload = data;
  record->payload_size = (guint32) size;
}

static void
assert_json (const NsSchemaField *fields,
             guint n_fields,
             guint n_top,
             const char *payload,
             gsize size,
             const char *expected)
{
  NsSchema schema = { .n_fields = n_fields, .n_top = n_top, .fields = fields };
  g_autoptr (GString) json = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  set_payload (&record, payload, size);
  ns_payload_append_json (&schema, &record, NULL, json);
  g_assert_cmpstr (json->str, ==, expected);
}

/* The bytes of a literal without its NUL. */
#define BYTES(literal) literal, sizeof (literal) - 1

static void
test_shows_each_type_its_way (void)
{
  static const NsSchemaField fields[] = {
    { .name = "port", .in_type = NS_IN_UINT16, .out_type = NS_OUT_PORT, .count = 1 },
    { .name = "ip", .in_type = NS_IN_UINT32, .out_type = NS_OUT_IPV4, .count = 1 },
    { .name = "status", .in_type = NS_IN_INT32, .out_type = NS_OUT_NTSTATUS, .count = 1 },
    { .name = "n", .in_type = NS_IN_INT16, .count = 1 },
    { .name = "big", .in_type = NS_IN_UINT64, .count = 1 },
    { .name = "p", .in_type = NS_IN_POINTER, .count = 1 },
    { .name = "ok", .in_type = NS_IN_BOOLEAN, .count = 1 },
    { .name = "text", .in_type = NS_IN_UNICODESTRING, .count = 1 },
    { .name = "sid", .in_type = NS_IN_SID, .count = 1 },
    { .name = "when", .in_type = NS_IN_FILETIME, .count = 1 },
    { .name = "bin", .in_type = NS_IN_BINARY, .count = 1, .length = 3 },
  };

  assert_json (fields,
               G_N_ELEMENTS (fields),
               G_N_ELEMENTS (fields),
               BYTES ("\x01\xbb"
                      "\x0a\x00\x00\x01"
                      "\x05\x00\x00\xc0"
                      "\xfe\xff"
                      "\xff\xff\xff\xff\xff\xff\xff\xff"
                      "\x10\x32\x54\x76\x98\xba\x00\x00"
                      "\x01\x00\x00\x00"
                      "a\0\"\0\xe9\0\0\xd8\0\0"
                      "\x01\x02\0\0\0\0\0\x05\x20\0\0\0\x20\x02\0\0"
                      "\0\x80\x3e\xd5\xde\xb1\x9d\x01"
                      "\x0a\xff\x00"),
               "{\"port\":443,\"ip\":\"10.0.0.1\",\"status\":\"0xc0000005\",\"n\":-2,"
               "\"big\":18446744073709551615,\"p\":\"0xba9876543210\",\"ok\":true,"
               "\"text\":\"a\\\"\303\251\\ud800\",\"sid\":\"S-1-5-32-544\","
               "\"when\":\"1970-01-01T00:00:00.0000000Z\",\"bin\":\"0aff00\"}");
}

/* A SOCKADDR is formatted as an endpoint; invalid ones are shown as bytes. */
static void
test_socket_addresses_read_as_people_write_them (void)
{
  static const struct
  {
    const char *bytes;
    guint16 size;
    const char *shown;
  } cases[] = {
    { BYTES ("\x02\0\x01\xbb\xc0\x00\x02\x01\0\0\0\0\0\0\0\0"), "192.0.2.1:443" },
    { BYTES ("\x02\0\x01\xbb\xc0\x00\x02\x01"), "192.0.2.1:443" },
    { BYTES ("\x17\0\0\x50\0\0\0\0\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x09"
             "\0\0\0\0"),
      "[2001:db8::9]:80" },
    /* With its scope ID. */
    { BYTES ("\x17\0\x01\xbb\0\0\0\0\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"
             "\x05\0\0\0"),
      "[fe80::1%5]:443" },
    /* AF_UNIX: a path, an abstract name, none. */
    { BYTES ("\x01\0C:\\run\\a.sock\0\0\0"), "unix:C:\\\\run\\\\a.sock" },
    { BYTES ("\x01\0\0hidden\0\0"), "unix:@hidden" },
    { BYTES ("\x01\0"), "unix:" },
    /* Empty, truncated, an unknown family, invalid text. */
    { BYTES ("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "" },
    { BYTES ("\x02\0\x01\xbb\xc0\x00"), "020001bbc000" },
    { BYTES ("\x17\0\0\x50\0\0\0\0\x20\x01\x0d\xb8"), "170000500000000020010db8" },
    { BYTES ("\x63\0\x01\x02"), "63000102" },
    { BYTES ("\x01\0\xff\xfe"), "0100fffe" },
    { BYTES ("\x02"), "02" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const NsSchemaField field = { .name = "a",
                                    .in_type = NS_IN_BINARY,
                                    .out_type = NS_OUT_SOCKETADDRESS,
                                    .count = 1,
                                    .length = cases[i].size };
      g_autofree char *expected = g_strdup_printf ("{\"a\":\"%s\"}", cases[i].shown);

      assert_json (&field, 1, 1, cases[i].bytes, cases[i].size, expected);
    }
}

/* Manifests use one type for addresses of either family. */
static void
test_addresses_are_of_the_family_that_fits (void)
{
  static const NsSchemaField fields[] = {
    { .name = "a", .in_type = NS_IN_BINARY, .out_type = NS_OUT_IPV6, .count = 1, .length = 4 },
    { .name = "b", .in_type = NS_IN_BINARY, .out_type = NS_OUT_IPV6, .count = 1, .length = 16 },
    { .name = "c", .in_type = NS_IN_BINARY, .out_type = NS_OUT_IPV6, .count = 1, .length = 3 },
  };

  assert_json (fields,
               3,
               3,
               BYTES ("\xc0\x00\x02\x01"
                      "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x09"
                      "\x01\x02\x03"),
               "{\"a\":\"192.0.2.1\",\"b\":\"2001:db8::9\",\"c\":\"010203\"}");
}

static void
test_counts_and_lengths_come_from_fields_before (void)
{
  static const NsSchemaField fields[] = {
    { .name = "n", .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "rows",
      .flags = NS_FIELD_STRUCT | NS_FIELD_COUNT_REF,
      .count = 0,
      .first_member = 2,
      .n_members = 2 },
    { .name = "size", .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "text",
      .in_type = NS_IN_ANSISTRING,
      .flags = NS_FIELD_LENGTH_REF,
      .count = 1,
      .length = 2 },
  };

  assert_json (fields,
               4,
               2,
               BYTES ("\x02"
                      "\x02hi"
                      "\x00"),
               "{\"n\":2,\"rows\":[{\"size\":2,\"text\":\"hi\"},{\"size\":0,\"text\":\"\"}]}");
  assert_json (fields, 4, 2, BYTES ("\x00"), "{\"n\":0,\"rows\":[]}");
}

static void
test_a_short_payload_gives_what_fits (void)
{
  static const NsSchemaField fields[] = {
    { .name = "a", .in_type = NS_IN_UINT16, .count = 1 },
    { .name = "b", .in_type = NS_IN_UINT32, .count = 3 },
    { .name = "c", .in_type = NS_IN_UINT32, .count = 1 },
  };
  NsSchema schema = { .n_fields = 3, .n_top = 3, .fields = fields };
  g_autoptr (GString) json = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  set_payload (&record, BYTES ("\x01\x00\x02\x00\x00\x00\x03\x00"));
  g_assert_cmpint (ns_payload_append_json (&schema, &record, NULL, json), ==, NS_PAYLOAD_SHORT);
  g_assert_cmpstr (json->str, ==, "{\"a\":1,\"b\":[2],\"(bytes)\":\"0300\"}");
}

static void
test_a_long_payload_keeps_its_rest (void)
{
  static const NsSchemaField field = { .name = "a", .in_type = NS_IN_UINT8, .count = 1 };
  NsSchema schema = { .n_fields = 1, .n_top = 1, .fields = &field };
  g_autoptr (GString) json = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  set_payload (&record, BYTES ("\x01\xab\xcd"));
  g_assert_cmpint (ns_payload_append_json (&schema, &record, NULL, json), ==, NS_PAYLOAD_LONGER);
  g_assert_cmpstr (json->str, ==, "{\"a\":1,\"(bytes)\":\"abcd\"}");
}

static void
test_a_count_of_nothings_is_bounded (void)
{
  /* 65535 structs of 65535 empty structs. */
  static const NsSchemaField fields[] = {
    { .name = "a", .flags = NS_FIELD_STRUCT, .count = 65535, .first_member = 1, .n_members = 1 },
    { .name = "b", .flags = NS_FIELD_STRUCT, .count = 65535, .first_member = 2, .n_members = 1 },
    { .name = "c", .in_type = NS_IN_NULL, .count = 65535 },
  };
  NsSchema schema = { .n_fields = 3, .n_top = 1, .fields = fields };
  g_autoptr (GString) json = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  g_assert_cmpint (ns_payload_append_json (&schema, &record, NULL, json), ==, NS_PAYLOAD_BAD);
  g_assert_true (g_str_has_suffix (json->str, "]}]}"));
}

static void
test_a_struct_in_itself_is_bounded (void)
{
  static const NsSchemaField field = { .name = "a",
                                       .flags = NS_FIELD_STRUCT,
                                       .count = 1,
                                       .first_member = 0,
                                       .n_members = 1 };
  NsSchema schema = { .n_fields = 1, .n_top = 1, .fields = &field };
  g_autoptr (GString) json = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  g_assert_cmpint (ns_payload_append_json (&schema, &record, NULL, json), ==, NS_PAYLOAD_BAD);
}

static void
test_maps_name_their_numbers (void)
{
  static const guint32 values[] = { 1, 2, 4 };
  static const char *const names[] = { "ONE", "TWO", "FOUR" };
  static const NsSchemaMap map = { FALSE, 3, values, names };
  static const NsSchemaMap bits = { TRUE, 3, values, names };
  static const NsSchemaField fields[] = {
    { .name = "a", .map = &map, .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "b", .map = &map, .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "c", .map = &bits, .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "d", .map = &bits, .in_type = NS_IN_UINT8, .count = 1 },
  };

  assert_json (fields,
               4,
               4,
               BYTES ("\x02\x07\x05\x00"),
               "{\"a\":\"TWO\",\"b\":7,\"c\":\"ONE|FOUR\",\"d\":0}");
}

static void
test_credentials_are_not_shown (void)
{
  static const NsSchemaField fields[] = {
    { .name = "Id", .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "Domain", .in_type = NS_IN_ANSISTRING, .count = 1 },
    { .name = "Value", .in_type = NS_IN_ANSISTRING, .count = 1 },
  };
  NsSchema schema = { .n_fields = 3, .n_top = 3, .fields = fields };
  NsRecord record = { .pointer_size = 8, .id = 502 };
  g_autoptr (NsSecrets) shown = ns_secrets_new (TRUE);
  g_autoptr (GString) text = g_string_new (NULL);

  ns_guid_from_text (&record.guid, "43d1a55c-76d6-4f7e-995c-64c711e5cafe");
  set_payload (&record, BYTES ("\x01http://a:b@c\0s=1\0\xff"));
  g_assert_true (ns_payload_is_secret (&record));
  ns_payload_append_dump (&schema, &record, NULL, text);
  g_assert_cmpstr (text->str, ==, "Id 1 Domain http://\342\200\246@c Value \342\200\246");

  ns_guid_from_text (&record.guid, "7d44233d-3055-4b9c-ba64-0d47ca40a232");
  record.id = 100;
  g_string_truncate (text, 0);
  ns_payload_append_json (&schema, &record, NULL, text);
  g_assert_cmpstr (text->str,
                   ==,
                   "{\"Id\":1,\"Domain\":\"\342\200\246\",\"Value\":\"\342\200\246\","
                   "\"(bytes)\":\"\342\200\246\"}");

  g_string_truncate (text, 0);
  ns_payload_append_dump (&schema, &record, shown, text);
  g_assert_cmpstr (text->str, ==, "Id 1 Domain http://a:b@c Value s=1");
  record.id = 101;
  g_assert_false (ns_payload_is_secret (&record));
}

/* Some events have both secret and other fields; a truncated part may belong to a secret field. */
static void
test_fields_of_some_events_are_not_shown (void)
{
  static const NsSchemaField fields[] = {
    { .name = "Id", .in_type = NS_IN_UINT8, .count = 1 },
    { .name = "Endpoint", .in_type = NS_IN_ANSISTRING, .count = 1 },
    { .name = "Options", .in_type = NS_IN_ANSISTRING, .count = 1 },
  };
  static const struct
  {
    const char *guid;
    guint16 id;
    gboolean is_secret;
  } events[] = {
    { "6ad52b32-d609-4be9-ae07-ce8dae937e39", 5, TRUE },
    { "6ad52b32-d609-4be9-ae07-ce8dae937e39", 7, FALSE },
    { "988c59c5-0a1c-45b6-a555-0c62276e327d", 5, FALSE },
  };
  NsSchema schema = { .n_fields = 3, .n_top = 3, .fields = fields };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (events); i++)
    {
      NsRecord record = { .pointer_size = 8, .id = events[i].id };
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree guint8 *masked = NULL;

      ns_guid_from_text (&record.guid, events[i].guid);
      set_payload (&record,
                   BYTES ("\x01"
                          "49667\0"
                          "abc\0"
                          "\xff"));
      ns_payload_append_json (&schema, &record, NULL, text);
      masked = ns_payload_dup_masked (&schema, &record, NULL);
      g_assert_cmpint (strstr (text->str, "\"Endpoint\":\"49667\"") != NULL, ==, TRUE);
      g_assert_cmpint (strstr (text->str, "abc") == NULL, ==, events[i].is_secret);
      g_assert_cmpint (masked != NULL && memcmp (masked + 7, "***\0*", 5) == 0,
                       ==,
                       events[i].is_secret);
    }
}

/* Bytes in a binary field, or not described by any field, may contain a request. */
static void
test_secrets_among_bytes_are_not_shown (void)
{
  static const NsSchemaField fields[] = {
    { .name = "Data", .in_type = NS_IN_BINARY, .count = 1, .length = 14 },
  };
  NsSchema schema = { .n_fields = 1, .n_top = 1, .fields = fields };
  NsRecord record = { .pointer_size = 8 };
  g_autoptr (NsSecrets) shown = ns_secrets_new (TRUE);
  g_autoptr (GString) text = g_string_new (NULL);

  set_payload (&record, BYTES ("Cookie: a=b\r\n!?key=c"));
  ns_payload_append_json (&schema, &record, NULL, text);
  g_assert_cmpstr (text->str,
                   ==,
                   "{\"Data\":\"436f6f6b69653a202a2a2a0d0a21\","
                   "\"(bytes)\":\"3f6b65793d2a\"}");
  g_string_truncate (text, 0);
  ns_payload_append_json (&schema, &record, shown, text);
  g_assert_cmpstr (text->str,
                   ==,
                   "{\"Data\":\"436f6f6b69653a20613d620d0a21\","
                   "\"(bytes)\":\"3f6b65793d63\"}");
}

/* Bytes that look like a WebSocket message are masked where they may be one. */
static void
test_only_bytes_may_be_messages (void)
{
  static const NsSchemaField numbers[] = {
    { .name = "RequestId", .in_type = NS_IN_UINT64, .count = 1 },
    { .name = "HttpStatus", .in_type = NS_IN_UINT16, .count = 1 },
  };
  static const NsSchemaField bytes[] = {
    { .name = "Data", .in_type = NS_IN_BINARY, .count = 1, .length = 10 },
  };
  static const NsSchemaField array[] = {
    { .name = "Data", .in_type = NS_IN_UINT8, .count = 10, .flags = NS_FIELD_FIXED_COUNT },
  };
  static const NsSchemaField longer[] = {
    { .name = "RequestId", .in_type = NS_IN_UINT64, .count = 1 },
    { .name = "More", .in_type = NS_IN_UINT32, .count = 1 },
  };
  static const NsGuid metadata = NS_GUID_EVENT_METADATA;
  const struct
  {
    NsSchema schema;
    gboolean is_description;
    gboolean is_masked;
  } cases[] = {
    { { .n_fields = 2, .n_top = 2, .fields = numbers }, FALSE, FALSE },
    { { .n_fields = 1, .n_top = 1, .fields = bytes }, FALSE, TRUE },
    { { .n_fields = 1, .n_top = 1, .fields = array }, FALSE, TRUE },
    { { .n_fields = 2, .n_top = 2, .fields = longer }, FALSE, TRUE }, /* does not fit */
    { { .n_fields = 0 }, FALSE, TRUE },
    { { .n_fields = 1, .n_top = 1, .fields = bytes }, TRUE, FALSE },
    { { .n_fields = 0 }, TRUE, FALSE },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      NsRecord record = { .pointer_size = 8 };
      g_autofree guint8 *masked = NULL;

      if (cases[i].is_description)
        record.guid = metadata;
      set_payload (&record, BYTES ("\x41\x08\0\x80\0\0\0\xff\xc8\0"));
      masked = ns_payload_dup_masked (&cases[i].schema, &record, NULL);
      g_assert_cmpint (masked != NULL, ==, cases[i].is_masked);
    }
}

static void
test_dump_puts_braces_round_blanks (void)
{
  static const NsSchemaField fields[] = {
    { .name = "a", .in_type = NS_IN_ANSISTRING, .count = 1 },
    { .name = "b", .in_type = NS_IN_ANSISTRING, .count = 1 },
    { .name = "c", .in_type = NS_IN_UINT8, .count = 2 },
  };
  NsSchema schema = { .n_fields = 3, .n_top = 3, .fields = fields };
  g_autoptr (GString) text = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  set_payload (&record, BYTES ("x y\nz\0\0\x01\x02"));
  ns_payload_append_dump (&schema, &record, NULL, text);
  g_assert_cmpstr (text->str, ==, "a x\\ y\\nz b {} c {1 2}");
}

static void
test_text_of_a_stated_length_goes_past_a_nul (void)
{
  static const NsSchemaField fields[] = {
    { .name = "counted", .in_type = NS_IN_COUNTEDSTRING, .count = 1 },
    { .name = "fixed",
      .in_type = NS_IN_UNICODESTRING,
      .flags = NS_FIELD_FIXED_LENGTH,
      .count = 1,
      .length = 5 },
    { .name = "ansi",
      .in_type = NS_IN_ANSISTRING,
      .flags = NS_FIELD_FIXED_LENGTH,
      .count = 1,
      .length = 6 },
    { .name = "ended", .in_type = NS_IN_UNICODESTRING, .count = 1 },
    { .name = "rest", .in_type = NS_IN_NONNULLTERMINATEDANSISTRING, .count = 1 },
  };
  static const char payload[] = "\x08\0a\0\0\0\0\xd8\0\0"
                                "b\0\0\0c\0\0\0\0\0"
                                "d\0\xe9 \0\0"
                                "e\0\0\0"
                                "f\0g";
  NsSchema schema = { .n_fields = 5, .n_top = 5, .fields = fields };
  g_autoptr (GString) text = g_string_new (NULL);
  NsRecord record = { .pointer_size = 8 };

  assert_json (fields,
               5,
               5,
               BYTES (payload),
               "{\"counted\":\"a\\u0000\\ud800\",\"fixed\":\"b\\u0000c\","
               "\"ansi\":\"d\\u0000\\udce9 \",\"ended\":\"e\",\"rest\":\"f\\u0000g\"}");
  set_payload (&record, BYTES (payload));
  g_assert_cmpint (ns_payload_append_dump (&schema, &record, NULL, text), ==, NS_PAYLOAD_EXACT);
  g_assert_cmpstr (text->str,
                   ==,
                   "counted a\\u0000\\ud800 fixed b\\u0000c ansi d\\u0000\\udce9\\  ended e "
                   "rest f\\u0000g");
}

/* Decodes one list element like Tcl. */
static char *
unquote (const char *text)
{
  GString *value = g_string_new (NULL);

  if (*text == '{')
    {
      g_string_append_len (value, text + 1, (gssize) strlen (text) - 2);
      return g_string_free (value, FALSE);
    }
  for (; *text != '\0'; text++)
    if (*text != '\\')
      g_string_append_c (value, *text);
    else
      {
        text++;
        g_string_append_c (value, *text == 'n' ? '\n' : *text == 'r' ? '\r' : *text);
      }
  return g_string_free (value, FALSE);
}

static void
test_what_dump_quotes_can_be_read_back (void)
{
  static const char *const values[] = {
    "x y",  "",          "a{b",     "a}b",   "{",     "{a b}",
    "x\ny", "C:\\a b\\", "C:\\new", "a\\{b", "\"q\"", "a\r\nb{",
  };
  static const NsSchemaField field = { .name = "a", .in_type = NS_IN_ANSISTRING, .count = 1 };
  NsSchema schema = { .n_fields = 1, .n_top = 1, .fields = &field };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      NsRecord record = { .pointer_size = 8 };
      g_autofree char *value = NULL;

      set_payload (&record, (const guint8 *) values[i], strlen (values[i]) + 1);
      ns_payload_append_dump (&schema, &record, NULL, text);
      g_assert_null (strchr (text->str, '\n'));
      value = unquote (text->str + 2);
      g_assert_cmpstr (value, ==, values[i]);
    }
}

static void
test_finds_a_field_by_name (void)
{
  static const NsSchemaField fields[] = {
    { .name = "a", .in_type = NS_IN_UINT32, .count = 1 },
    { .name = "dport", .in_type = NS_IN_UINT16, .out_type = NS_OUT_PORT, .count = 1 },
  };
  NsSchema schema = { .n_fields = 2, .n_top = 2, .fields = fields };
  NsRecord record = { .pointer_size = 8 };
  NsPayloadItem item;
  guint64 value;

  set_payload (&record, BYTES ("\0\0\0\0\x01\xbb"));
  g_assert_true (ns_payload_find (&schema, &record, "dport", &item));
  g_assert_cmpuint (item.offset, ==, 4);
  g_assert_cmpuint (item.size, ==, 2);
  g_assert_true (ns_value_get_uint (&item, &value));
  g_assert_cmpuint (value, ==, 443);
  g_assert_false (ns_payload_find (&schema, &record, "sport", &item));
}

static void
test_kernel_layouts_follow_version_and_pointer_size (void)
{
  NsRecord record = { .pointer_size = 4, .opcode = 11, .version = 2, .flags = NS_RECORD_GROUP };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (NsSchemaClassic) classic = ns_schema_classic_new ();
  const NsSchema *schema;

  ns_guid_from_text (&record.guid, "9a280ac0-c8e0-11d1-84e2-00c04fb998a2");
  set_payload (&record,
               BYTES ("\x7c\x1a\0\0\x05\0\0\0\x4a\x7d\xec\x50\x0a\0\0\x02\0\x50\xc0\x01\x07\0\0\0"
                      "\x34\x12\0\0"));
  schema = ns_schema_classic_find (classic, &record);
  g_assert_nonnull (schema);
  g_assert_cmpstr (schema->event_name, ==, "TcpIp/Recv");
  g_assert_cmpint (ns_payload_append_dump (schema, &record, NULL, text), ==, NS_PAYLOAD_EXACT);
  g_assert_cmpstr (text->str,
                   ==,
                   "PID 6780 size 5 daddr 74.125.236.80 saddr 10.0.0.2 dport 80 sport 49153 "
                   "seqnum 7 connid 0x1234");

  /* In version 1 the last two are swapped. */
  record.version = 1;
  g_string_truncate (text, 0);
  ns_payload_append_dump (ns_schema_classic_find (classic, &record), &record, NULL, text);
  g_assert_true (g_str_has_suffix (text->str, "connid 0x7 seqnum 4660"));
}

static void
test_thread_pool_layouts_follow_the_length (void)
{
  static const char zeros[64] = { 0 };
  NsRecord record = { .pointer_size = 8, .opcode = 36, .group = 0x1c, .flags = NS_RECORD_GROUP };
  g_autoptr (NsSchemaClassic) classic = ns_schema_classic_new ();
  const NsSchema *schema;

  ns_guid_from_text (&record.guid, "c861d0e2-a2c1-4d36-9f9c-970bab943a12");
  g_assert_true (ns_schema_classic_depends_on_size (&record));
  set_payload (&record, zeros, 44);
  schema = ns_schema_classic_find (classic, &record);
  g_assert_cmpuint (schema->n_fields, ==, 6);
  g_assert_cmpuint (schema->fields[0].in_type, ==, NS_IN_POINTER);
  set_payload (&record, zeros, 24);
  schema = ns_schema_classic_find (classic, &record);
  g_assert_cmpuint (schema->fields[0].in_type, ==, NS_IN_HEXINT32);
  set_payload (&record, zeros, 12);
  schema = ns_schema_classic_find (classic, &record);
  g_assert_cmpuint (schema->n_fields, ==, 2);
  g_assert_cmpstr (schema->fields[0].name, ==, "TaskId");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/payload/each-type-its-way", test_shows_each_type_its_way);
  g_test_add_func ("/schema/payload/socket-addresses",
                   test_socket_addresses_read_as_people_write_them);
  g_test_add_func ("/schema/payload/addresses-of-either-family",
                   test_addresses_are_of_the_family_that_fits);
  g_test_add_func ("/schema/payload/counts-and-lengths",
                   test_counts_and_lengths_come_from_fields_before);
  g_test_add_func ("/schema/payload/short", test_a_short_payload_gives_what_fits);
  g_test_add_func ("/schema/payload/long", test_a_long_payload_keeps_its_rest);
  g_test_add_func ("/schema/payload/bounded-count", test_a_count_of_nothings_is_bounded);
  g_test_add_func ("/schema/payload/bounded-depth", test_a_struct_in_itself_is_bounded);
  g_test_add_func ("/schema/payload/maps", test_maps_name_their_numbers);
  g_test_add_func ("/schema/payload/credentials", test_credentials_are_not_shown);
  g_test_add_func ("/schema/payload/fields-of-some-events",
                   test_fields_of_some_events_are_not_shown);
  g_test_add_func ("/schema/payload/secrets-among-bytes", test_secrets_among_bytes_are_not_shown);
  g_test_add_func ("/schema/payload/messages", test_only_bytes_may_be_messages);
  g_test_add_func ("/schema/payload/dump", test_dump_puts_braces_round_blanks);
  g_test_add_func ("/schema/payload/stated-length", test_text_of_a_stated_length_goes_past_a_nul);
  g_test_add_func ("/schema/payload/dump-back", test_what_dump_quotes_can_be_read_back);
  g_test_add_func ("/schema/payload/find", test_finds_a_field_by_name);
  g_test_add_func ("/schema/classic/version", test_kernel_layouts_follow_version_and_pointer_size);
  g_test_add_func ("/schema/classic/thread-pool", test_thread_pool_layouts_follow_the_length);
  return g_test_run ();
}
