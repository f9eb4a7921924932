/* Tests the file of built-in schemas: its content, and that no changed byte causes an invalid
 * access.
 *
 * The script that makes the shipped file also makes this one, from the manifests beside this test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload.h"
#include "schema/ns-schema-data.h"

#include <string.h>
#include <zlib.h>

#define FILES "10000000-0000-0000-0000-000000000001"
#define EMPTY "10000000-0000-0000-0000-000000000002"
#define HEAD_SIZE 40

static const char *path;

static guint8 *
load (gsize *size)
{
  g_autoptr (GError) error = NULL;
  char *bytes;

  g_file_get_contents (path, &bytes, size, &error);
  g_assert_no_error (error);
  return (guint8 *) bytes;
}

static NsGuid
guid_of (const char *text)
{
  NsGuid guid;

  g_assert_true (ns_guid_from_text (&guid, text));
  return guid;
}

static NsSchemaBlock *
get_block (NsSchemaData *data, const char *guid_text)
{
  NsGuid guid = guid_of (guid_text);
  g_autoptr (GError) error = NULL;
  gint number = ns_schema_data_find (data, &guid);
  NsSchemaBlock *block;

  g_assert_cmpint (number, >=, 0);
  block = ns_schema_data_get_block (data, (guint) number, &error);
  g_assert_no_error (error);
  g_assert_nonnull (block);
  g_assert_true (block == ns_schema_data_get_block (data, (guint) number, NULL));
  return block;
}

/* Formats a schema as `NAME:IN[LENGTH]x[COUNT]{member:IN …}`, with the name of the event. */
static char *
describe (const NsSchema *schema)
{
  GString *text = g_string_new (NULL);

  if (schema == NULL)
    return g_string_free (g_string_append (text, "none"), FALSE);
  g_string_append_printf (text,
                          "%u v%u %s/%s %s %s",
                          schema->build,
                          schema->version,
                          schema->task_name,
                          schema->opcode_name,
                          schema->level_name,
                          schema->keyword_names);
  for (guint i = 0; i < schema->n_fields; i++)
    {
      const NsSchemaField *field = &schema->fields[i];

      g_string_append_printf (text,
                              "%s%s:%u",
                              i == schema->n_top ? " | " : " ",
                              field->name,
                              field->in_type);
      if (field->flags & NS_FIELD_LENGTH_REF)
        g_string_append_printf (text, "[%s]", schema->fields[field->length].name);
      if (field->flags & NS_FIELD_COUNT_REF)
        g_string_append_printf (text, "x[%s]", schema->fields[field->count].name);
      if (field->flags & NS_FIELD_STRUCT)
        g_string_append_printf (text, "{%u+%u}", field->first_member, field->n_members);
      for (guint k = 0; field->map != NULL && k < field->map->n_entries; k++)
        g_string_append_printf (text, "<%u %s>", field->map->values[k], field->map->names[k]);
    }
  return g_string_free (text, FALSE);
}

static void
assert_version (NsSchemaBlock *block, guint16 id, guint8 version, const char *expected)
{
  g_autofree char *text = describe (ns_schema_block_find_version (block, id, version));

  g_assert_cmpstr (text, ==, expected);
}

static void
test_what_manifests_say_is_found (void)
{
  g_autofree guint8 *bytes = NULL;
  g_autoptr (NsSchemaData) data = NULL;
  g_autoptr (GError) error = NULL;
  NsSchemaBlock *block;
  NsGuid nobody = guid_of ("20000000-0000-0000-0000-000000000000");
  gsize size;

  bytes = load (&size);
  data = ns_schema_data_new (bytes, size, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ns_schema_data_get_n_providers (data), ==, 2);
  g_assert_cmpstr (ns_schema_data_get_name (data, 0), ==, "Mini-Files");
  g_assert_cmpstr (ns_schema_data_get_name (data, 1), ==, "Mini-Empty");
  g_assert_cmpint (ns_schema_data_find (data, &nobody), ==, -1);
  block = get_block (data, FILES);
  /* The longer layout is used for both builds; quotation marks inside a message do not end it. */
  assert_version (block,
                  1,
                  0,
                  "200 v0 Opened/Info Error Names Number:8 Kind:8<0 Plain><1 Said \"so\">");
  assert_version (block,
                  1,
                  1,
                  "200 v0 Opened/Info Error Names Number:8 Kind:8<0 Plain><1 Said \"so\">");
  assert_version (block, 1, 2, "200 v2 Opened/Info Error (null) Text:1");
  /* The newest of two different layouts. A shortened message is no event name, so the symbol is
   * used. */
  assert_version (block, 2, 0, "200 v0 Squeezed/Info Verbose (null) New:15");
  /* Struct members follow the top-level fields; a length reference finds its field even if it is
   * written with spaces. */
  assert_version (block,
                  3,
                  1,
                  "200 v1 Opened/Start Verbose (null) Hash Size:6 Hash:14[Hash Size] Count:6 "
                  "Parts:0x[Count]{4+2} | Id:4 Name:2");
  /* The schema ends before a field of unknown length. */
  assert_version (block, 7, 9, "100 v0 (null)/Info Informational (null) Known:6");
  assert_version (block, 3, 0, "none");
  assert_version (block, 4, 0, "none");
  g_assert_cmpstr (ns_schema_block_get_keyword (block, 1), ==, "Names");
  g_assert_cmpstr (ns_schema_block_get_keyword (block, G_GUINT64_CONSTANT (1) << 63), ==, "Sizes");
  g_assert_null (ns_schema_block_get_keyword (block, 2));
  g_assert_cmpuint (ns_schema_block_get_n_events (get_block (data, EMPTY)), ==, 0);
}

static void
assert_choice (NsSchemaBlock *block,
               guint16 id,
               guint8 version,
               guint16 payload_size,
               gint build,
               gint layout,
               gboolean depends)
{
  static const guint8 payload[64] = { 0 };
  NsRecord record = { .flags = NS_RECORD_MANIFEST,
                      .id = id,
                      .version = version,
                      .pointer_size = 8,
                      .payload = payload,
                      .payload_size = payload_size };
  gboolean depends_on_payload;
  const NsSchema *schema = ns_schema_block_choose (block, &record, &depends_on_payload);

  g_assert_cmpint (depends_on_payload, ==, depends);
  g_assert_cmpint (schema == NULL ? -1 : (gint) schema->build, ==, build);
  g_assert_cmpint (schema == NULL ? -1 : schema->version, ==, layout);
}

static void
test_payloads_choose_between_layouts (void)
{
  g_autofree guint8 *bytes = NULL;
  g_autoptr (NsSchemaData) data = NULL;
  NsSchemaBlock *block;
  gsize size;

  bytes = load (&size);
  data = ns_schema_data_new (bytes, size, NULL);
  block = get_block (data, FILES);
  /* The exact version wins for any payload. */
  assert_choice (block, 1, 0, 8, 200, 0, FALSE);
  assert_choice (block, 1, 0, 3, 200, 0, FALSE);
  /* For layouts that differ by build: the one that fits the payload, else the newest. */
  assert_choice (block, 2, 0, 16, 200, 0, TRUE);
  assert_choice (block, 2, 0, 8, 100, 0, TRUE);
  assert_choice (block, 2, 0, 12, 200, 0, TRUE);
  /* For an unknown version: the nearest one that fits, else the nearest lower one, else none. */
  assert_choice (block, 1, 1, 8, 200, 0, TRUE);
  assert_choice (block, 1, 1, 2, 200, 2, TRUE);
  assert_choice (block, 1, 3, 8, 200, 0, TRUE);
  assert_choice (block, 1, 3, 3, 200, 2, TRUE);
  assert_choice (block, 3, 0, 4, 200, 1, TRUE);
  assert_choice (block, 3, 0, 5, -1, -1, TRUE);
  assert_choice (block, 4, 0, 4, -1, -1, FALSE);
}

static void
test_a_file_that_was_cut_is_refused (void)
{
  g_autofree guint8 *bytes = NULL;
  gsize size;

  bytes = load (&size);
  for (gsize n = 0; n < size; n++)
    {
      g_autofree guint8 *part = g_memdup2 (
          bytes,
          MAX (n, 1)); /* a separate block, so that a sanitizer detects reads past its end */
      g_autoptr (GError) error = NULL;
      g_autoptr (NsSchemaData) data = ns_schema_data_new (part, n, &error);

      g_assert_null (data);
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_TRUNCATED);
      g_assert_true (g_str_has_prefix (error->message, "The file of built-in schemas cannot be"));
    }
}

/* Each changed byte is detected: in the directory when the file is opened, in a block when it is
 * unpacked. The last eight bytes of the header are unused. */
static void
test_a_file_that_was_changed_is_refused (void)
{
  g_autofree guint8 *bytes = NULL;
  gsize size;

  bytes = load (&size);
  for (gsize at = 0; at < size; at++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (NsSchemaData) data = NULL;

      if (at >= HEAD_SIZE - 8 && at < HEAD_SIZE)
        continue;
      bytes[at] ^= 0x5a;
      data = ns_schema_data_new (bytes, size, &error);
      for (guint i = 0; data != NULL && error == NULL && i < 2; i++)
        ns_schema_data_get_block (data, i, &error);
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_TRUNCATED);
      bytes[at] ^= 0x5a;
    }
}

/* Reads everything in a block and decodes a payload with it. */
static void
use_up (NsSchemaBlock *block)
{
  static const guint8 payload[] = { 3, 0, 1, 2, 3, 2, 0, 7, 'a', 0, 8, 'b', 0, 9 };
  NsRecord record = { .flags = NS_RECORD_MANIFEST,
                      .pointer_size = 8,
                      .payload = payload,
                      .payload_size = sizeof payload };

  for (guint i = 0; i < ns_schema_block_get_n_events (block); i++)
    {
      g_autofree char *text = describe (ns_schema_block_get (block, i));
      g_autoptr (GString) json = g_string_new (NULL);
      gboolean depends_on_payload;

      g_assert_true (g_utf8_validate (text, -1, NULL));
      record.id = ns_schema_block_get_id (block, i);
      record.version = ns_schema_block_get_version (block, i);
      ns_payload_append_json (ns_schema_block_choose (block, &record, &depends_on_payload),
                              &record,
                              NULL,
                              json);
    }
  ns_schema_block_get_keyword (block, 4);
}

static guint8 *
unpack (const guint8 *bytes, guint number, uLongf *size)
{
  const guint8 *columns;
  guint32 head[8], place, packed, unpacked;
  z_stream stream = { 0 };
  guint8 *out;

  memcpy (head, bytes + 8, sizeof head);
  columns = bytes + HEAD_SIZE + head[1] * 16;
  memcpy (&place, columns + (head[1] + number) * 4, 4);
  memcpy (&packed, columns + (2 * head[1] + number) * 4, 4);
  memcpy (&unpacked, columns + (3 * head[1] + number) * 4, 4);
  out = g_malloc (unpacked);
  g_assert_cmpint (inflateInit (&stream), ==, Z_OK);
  stream.next_in = (Bytef *) bytes + place;
  stream.avail_in = packed;
  stream.next_out = out;
  stream.avail_out = unpacked;
  if (inflate (&stream, Z_FINISH) == Z_NEED_DICT)
    inflateSetDictionary (&stream, bytes + HEAD_SIZE + head[1] * 32 + head[2], head[3]);
  inflate (&stream, Z_FINISH);
  g_assert_cmpuint (stream.avail_out, ==, 0);
  inflateEnd (&stream);
  *size = unpacked;
  return out;
}

/* Without checksums, a modified block is accepted or refused as a whole. */
static void
test_no_byte_of_a_block_leads_astray (void)
{
  static const guint8 changes[] = { 0x01, 0x02, 0x10, 0x40, 0x80, 0xff };
  g_autofree guint8 *bytes = NULL;
  g_autofree guint8 *sound = NULL;
  guint n_taken = 0;
  guint n_refused = 0;
  uLongf size;
  gsize n;

  bytes = load (&n);
  sound = unpack (bytes, 0, &size);
  for (gsize at = 0; at < size * G_N_ELEMENTS (changes); at++)
    {
      guint8 *changed = g_memdup2 (sound, size);
      g_autoptr (GError) error = NULL;
      g_autoptr (NsSchemaBlock) block = NULL;

      changed[at / G_N_ELEMENTS (changes)] ^= changes[at % G_N_ELEMENTS (changes)];
      block = ns_schema_block_new ("Mini-Files", changed, size, &error);
      g_assert_true ((block == NULL) == (error != NULL));
      if (block != NULL)
        use_up (block);
      *(block != NULL ? &n_taken : &n_refused) += 1;
    }
  g_assert_cmpuint (n_taken, >, 100);
  g_assert_cmpuint (n_refused, >, 100);
  for (gsize cut = 0; cut < size; cut++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (NsSchemaBlock) block =
          ns_schema_block_new ("Mini-Files", g_memdup2 (sound, MAX (cut, 1)), cut, &error);

      g_assert_null (block);
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_TRUNCATED);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  path = argv[1];
  g_test_add_func ("/schema/data/found", test_what_manifests_say_is_found);
  g_test_add_func ("/schema/data/choice", test_payloads_choose_between_layouts);
  g_test_add_func ("/schema/data/cut", test_a_file_that_was_cut_is_refused);
  g_test_add_func ("/schema/data/changed", test_a_file_that_was_changed_is_refused);
  g_test_add_func ("/schema/data/block", test_no_byte_of_a_block_leads_astray);
  return g_test_run ();
}
