/* Tests event classes given by the user as MOF: every type, precedence, and damaged text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload.h"
#include "schema/ns-schema-mof.h"

#include <glib/gstdio.h>
#include <string.h>

#define EVENT_CLASS "0a1b2c3d-0001-0002-0304-05060708090b"
#define TCP_IP "9a280ac0-c8e0-11d1-84e2-00c04fb998a2"

static const char above[] =
    "#pragma namespace(\"\\\\\\\\.\\\\Root\\\\WMI\")\n"
    "[Dynamic: ToInstance, Description(\"a\" \"b\") : amended,\n"
    " Guid(\"{0a1b2c3d-0001-0002-0304-05060708090a}\")] // the provider\n"
    "class Weather : EventTrace { };\n"
    "[dynamic, guid(\"{" EVENT_CLASS "}\"), DisplayName(\"Station\"), EventVersion(2)]\n"
    "class WeatherStation : Weather {};\n";

static const char every_type[] =
    "[Dynamic, EventType{1, 2}, EventTypeName{\"Rain\", \"Sun\"}]\n"
    "class Report : WeatherStation\n"
    "{\n"
    "  [WmiDataId(2)] sint8 i8;\n"
    "  [WmiDataId(1), format(\"x\")] uint8 u8;\n"
    "  [WmiDataId(3)] uint16 u16;  [WmiDataId(4)] sint16 i16;\n"
    "  [WmiDataId(5)] uint32 u32;  [WmiDataId(6)] sint32 i32;\n"
    "  [WmiDataId(7)] uint64 u64;  [WmiDataId(8)] sint64 i64;\n"
    "  [WmiDataId(9), pointer] uint32 p;\n"
    "  [WmiDataId(10)] string a;\n"
    "  [WmiDataId(11), format(\"w\"), StringTermination(\"NullTerminated\")] string w;\n"
    "  [WmiDataId(12), StringTermination(\"Counted\"), format(\"w\")] string cw;\n"
    "  [WmiDataId(13), StringTermination(\"ReverseCounted\")] string ra;\n"
    "  [WmiDataId(14), extension(\"Guid\")] object g;\n"
    "  [WmiDataId(15), extension(\"Sid\")] object sid;\n"
    "  [WmiDataId(16), extension(\"IPAddrV4\")] object ip4;\n"
    "  [WmiDataId(17), extension(\"IPAddr\")] object ip;\n"
    "  [WmiDataId(18), extension(\"IPAddrV6\")] object ip6;\n"
    "  [WmiDataId(19), extension(\"Port\")] object port;\n"
    "  [WmiDataId(20), extension(\"Variant\")] object v;\n"
    "  [WmiDataId(21)] boolean yes;\n"
    "  [WmiDataId(22)] char16 c;\n"
    "  [WmiDataId(23)] uint16 two[2];\n"
    "  [WmiDataId(24)] uint8 n;\n"
    "  [WmiDataId(25), WmiSizeIs(\"n\")] uint16 counted[];\n"
    "  [WmiDataId(26), MAX(3)] char16 text[];\n"
    "  [WmiDataId(27), Values{\"Dry\", \"Wet\"}, ValueMap{\"4\", \"0x5\"}] uint32 state;\n"
    "  [WmiDataId(28), BitMap{\"0\", \"3\"}, BitValues{\"Low\", \"High\"}] uint8 flags;\n"
    "  [WmiDataId(29), StringTermination(\"NotCounted\")] string rest;\n"
    "  boolean Ignored = true;\n"
    "  uint32 Method([in] uint32 a);\n"
    "};\n"
    "instance of Weather { Name = \"x\"; };\n";

static const guint8
    every_byte[] = {
      0xfe, 0xfe, 2,    0,    0xfd, 0xff, 4,   0,   0,    0,    0xfb, 0xff, 0xff, 0xff, /* u8 … i32
                                                                                         */
      6,    0,    0,    0,    0,    0,    0,   0,   0xf9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xff,                                                                          /* u64, i64 */
      0x10, 0,    0,    0,    0,    0,    0,   0,   'a',  0,    'w',  0,    0,    0, /* p, a, w */
      4,    0,    'c',  0,    'w',  0,    0,   2,   'r',  'a',                       /* cw, ra */
      0x3d, 0x2c, 0x1b, 0x0a, 1,    0,    2,   0,   3,    4,    5,    6,    7,    8,    9,
      0x0a,                                                              /* g */
      0,    0,    0,    0,    10,   0,    0,   1,   10,   0,    0,    2, /* sid, ip4, ip */
      0x20, 1,    0x0d, 0xb8, 0,    0,    0,   0,   0,    0,    0,    0,    0,    0,    0,
      1,    1,    0xbb,                                                        /* ip6, port */
      2,    0,    0,    0,    0xab, 0xcd, 1,   0,   0,    0,    'Z',  0,       /* v, yes, c */
      7,    0,    8,    0,    1,    9,    0,   't', 0,    'x',  0,    0,    0, /* two, n, counted,
                                                                                  text */
      5,    0,    0,    0,    9,    'e',  'n', 'd', /* state, flags, rest */
    };

static const char every_value[] =
    "{\"u8\":\"0xfe\",\"i8\":-2,\"u16\":2,\"i16\":-3,\"u32\":4,\"i32\":-5,\"u64\":6,\"i64\":-7,"
    "\"p\":\"0x10\",\"a\":\"a\",\"w\":\"w\",\"cw\":\"cw\",\"ra\":\"ra\","
    "\"g\":\"0a1b2c3d-0001-0002-0304-05060708090a\",\"sid\":\"\",\"ip4\":\"10.0.0.1\","
    "\"ip\":\"10.0.0.2\",\"ip6\":\"2001:db8::1\",\"port\":443,\"v\":\"abcd\",\"yes\":true,"
    "\"c\":\"Z\",\"two\":[7,8],\"n\":1,\"counted\":[9],\"text\":\"tx\",\"state\":\"Wet\","
    "\"flags\":\"Low|High\",\"rest\":\"end\"}";

static NsRecord
make_record (const char *guid, guint8 opcode, guint8 version, const guint8 *data, gsize n)
{
  NsRecord record = { .kind = NS_RECORD_FULL64,
                      .pointer_size = 8,
                      .opcode = opcode,
                      .version = version,
                      .payload = data,
                      .payload_size = (guint32) n };

  ns_guid_from_text (&record.guid, guid);
  return record;
}

/* Loads the text as a user's file; returns %NULL if it is refused. */
static NsSchemas *
load (const char *text, gssize n_bytes, char **message)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autofree char *dir = g_dir_make_tmp ("netstitch-mof-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "Weather.MOF", NULL);
  g_autoptr (GError) error = NULL;
  gboolean is_good;

  g_assert_true (g_file_set_contents (path, text, n_bytes, NULL));
  is_good = ns_schemas_add_manifests (schemas, dir, &error);
  g_assert_cmpint (is_good, ==, error == NULL);
  if (message != NULL)
    *message = error != NULL ? g_strdup (strstr (error->message, "line ")) : NULL;
  g_unlink (path);
  g_rmdir (dir);
  return is_good ? g_steal_pointer (&schemas) : NULL;
}

static void
test_every_type_has_its_bytes (void)
{
  g_autofree char *text = g_strconcat (above, every_type, NULL);
  g_autoptr (NsSchemas) before = ns_schemas_new (NULL);
  g_autoptr (NsSchemas) schemas = load (text, -1, NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  NsRecord record = make_record (EVENT_CLASS, 2, 2, every_byte, sizeof every_byte);
  const NsSchema *schema;

  g_assert_cmpint (ns_schemas_find (before, &record)->source, ==, NS_SCHEMA_NONE);
  g_assert_cmpuint (ns_schemas_find (before, &record)->n_fields, ==, 0);
  g_assert_nonnull (schemas);
  schema = ns_schemas_find (schemas, &record);
  g_assert_cmpint (schema->source, ==, NS_SCHEMA_USER);
  g_assert_cmpstr (schema->provider_name, ==, "Weather");
  g_assert_cmpstr (schema->task_name, ==, "Station");
  g_assert_cmpstr (schema->opcode_name, ==, "Sun");
  g_assert_cmpstr (schema->event_name, ==, "Station/Sun");
  g_assert_cmpint (ns_payload_append_json (schema, &record, NULL, json), ==, NS_PAYLOAD_EXACT);
  g_assert_cmpstr (json->str, ==, every_value);
}

static void
test_utf16_is_read_likewise (void)
{
  g_autofree char *text = g_strconcat (above, every_type, NULL);
  g_autoptr (GString) wide = g_string_new_len ("\xff\xfe", 2);
  g_autoptr (NsSchemas) schemas = NULL;
  NsRecord record = make_record (EVENT_CLASS, 1, 2, every_byte, sizeof every_byte);
  const char *p;

  for (p = text; *p != '\0'; p++)
    {
      g_string_append_c (wide, *p);
      g_string_append_c (wide, '\0');
    }
  schemas = load (wide->str, (gssize) wide->len, NULL);
  g_assert_nonnull (schemas);
  g_assert_cmpuint (ns_schemas_find (schemas, &record)->n_fields, ==, 29);
}

/* For kernel classes, the user's layout applies to its own version only. */
static void
test_versions_find_their_layout (void)
{
  static const char text[] =
      "[Guid(\"{" TCP_IP "}\"), EventVersion(9)] class Tcp : EventTrace {};"
      "[EventType(10), EventTypeName(\"Mine\")] class Tcp_9 : Tcp { [WmiDataId(1)] uint8 x; };"
      "[Guid(\"{" EVENT_CLASS "}\"), EventVersion(1)] class A : EventTrace {};"
      "[EventType(3)] class A_1 : A { [WmiDataId(1)] uint8 old; };"
      "[Guid(\"{" EVENT_CLASS "}\"), EventVersion(4)] class B : EventTrace {};"
      "[EventType(3)] class B_4 : B { [WmiDataId(1)] uint8 young; };";
  g_autoptr (NsSchemas) schemas = load (text, -1, NULL);
  NsRecord tcp = make_record (TCP_IP, 10, 2, every_byte, 1);
  NsRecord record = make_record (EVENT_CLASS, 3, 3, every_byte, 1);

  g_assert_nonnull (schemas);
  g_assert_cmpint (ns_schemas_find (schemas, &tcp)->source, ==, NS_SCHEMA_BUILTIN);
  tcp.version = 9;
  g_assert_cmpstr (ns_schemas_find (schemas, &tcp)->opcode_name, ==, "Mine");
  g_assert_cmpstr (ns_schemas_find (schemas, &record)->fields[0].name, ==, "old");
  record.version = 5;
  g_assert_cmpstr (ns_schemas_find (schemas, &record)->fields[0].name, ==, "young");
  record.version = 0;
  g_assert_cmpuint (ns_schemas_find (schemas, &record)->n_fields, ==, 0);
}

static void
test_errors_name_the_line (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "", "line 1: no class has an event type" },
    { "\n\n[a", "line 3: \"]\" is missing" },
    { "/*\n\n", "line 1: an unterminated comment" },
    { "\n[a(\"b\n\")]", "line 2: an unterminated string" },
    { "class A {\n uint8;\n};", "line 2: the name of a property is missing" },
    { "\n[EventType(1)]\nclass A {};", "line 3: an event class without a GUID in a base class" },
    { "[Guid(\"{x}\"), EventType(1)] class A {};", "line 1: an invalid GUID" },
    { "[Guid(\"{" TCP_IP "}\"), EventType(256)] class A {};", "line 1: an invalid event type" },
    { "[Guid(\"{" TCP_IP "}\"), EventType(1)] class A {\n[WmiDataId(1)] int x; };",
      "line 2: an unknown type" },
    { "[Guid(\"{" TCP_IP "}\"), EventType(1)] class A {\n[WmiDataId(1)] object x; };",
      "line 2: an object without an extension" },
    { "[Guid(\"{" TCP_IP "}\"), EventType(1)] class A {\n[WmiDataId(1)] uint8 x[]; };",
      "line 2: an array without a size" },
    { "[Guid(\"{" TCP_IP
      "}\"), EventType(1)] class A\n{ [WmiDataId(1), WmiSizeIs(\"x\")] uint8 x[]; };",
      "line 2: an array without a preceding property for its size" },
    { "\n[EventType(1)] class A : B {}; class B : A {};",
      "line 2: too many base classes of a class" },
    { "x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
      "line 1: brackets nested too deeply" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *message = NULL;

      g_assert_null (load (cases[i].text, -1, &message));
      g_assert_cmpstr (message, ==, cases[i].message);
    }
}

static void
count_cb (const NsGuid *event_class,
          guint8 opcode,
          guint8 version,
          NsSchema *schema,
          gpointer user_data)
{
  ++*(guint *) user_data;
}

/* Parses, and asserts that there is either a result or an error. */
static gboolean
parse (const char *text, gsize n_bytes)
{
  g_autofree char *block = g_memdup2 (text, n_bytes);
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GError) error = NULL;
  guint n = 0;
  gboolean is_good = ns_schema_mof_parse (pool, block, n_bytes, count_cb, &n, &error);

  g_assert_cmpint (is_good, ==, error == NULL);
  g_assert_true (!is_good || n > 0);
  g_assert_true (is_good || g_str_has_prefix (error->message, "line "));
  return is_good;
}

static void
test_damage_ends_in_words (void)
{
  static const char values[] = "\0\"\\[{;9\xff";
  g_autofree char *text = g_strconcat (above, every_type, NULL);
  gsize n_bytes = strlen (text);
  gsize n_refused = 0;
  gsize i;
  guint j;

  g_assert_true (parse (text, n_bytes));
  for (i = 0; i < n_bytes; i++)
    {
      char was = text[i];

      n_refused += !parse (text, i);
      for (j = 0; j < sizeof values - 1; j++)
        {
          text[i] = values[j];
          n_refused += !parse (text, n_bytes);
        }
      text[i] = was;
    }
  g_assert_cmpuint (n_refused, >, n_bytes);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/mof/types", test_every_type_has_its_bytes);
  g_test_add_func ("/schema/mof/utf16", test_utf16_is_read_likewise);
  g_test_add_func ("/schema/mof/versions", test_versions_find_their_layout);
  g_test_add_func ("/schema/mof/lines", test_errors_name_the_line);
  g_test_add_func ("/schema/mof/damage", test_damage_ends_in_words);
  return g_test_run ();
}
