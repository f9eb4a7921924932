/* Tests the XML of manifests.
 *
 * Text is read unchanged, entity expansion is refused, and memory use is limited and proportional
 * to the text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"
#include "etl/ns-etl-writer.h"
#include "schema/ns-schema-manifest.h"
#include "schema/ns-schema-xml.h"
#include "schema/ns-schema.h"

#include <string.h>

#define NO_XML "not a readable instrumentation manifest"
#define FOREIGN "it declares an encoding other than UTF-8 and UTF-16"
#define DECLARES "it declares entities or a document type"
#define MAX_LABEL_BYTES 1024

static const NsGuid provider = NS_GUID_INIT (0x0a1b2c3d, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xb);

/* Appends elements and attributes in order, as `name[a=1,b=2](child,child)`. */
static void
append_node (const NsSchemaXmlNode *node, GString *out)
{
  const NsSchemaXmlNode *child;
  guint i;

  g_string_append (out, node->name);
  for (i = 0; i < node->n_attributes; i++)
    g_string_append_printf (out,
                            "%s%s=%s",
                            i == 0 ? "[" : ",",
                            node->attributes[i].name,
                            node->attributes[i].value);
  g_string_append (out, node->n_attributes > 0 ? "]" : "");
  for (child = node->first; child != NULL; child = child->next)
    {
      g_string_append (out, child == node->first ? "(" : ",");
      append_node (child, out);
    }
  g_string_append (out, node->first != NULL ? ")" : "");
}

static void
assert_bytes (const char *xml, gsize n_bytes, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsSchemaXml) self = ns_schema_xml_new (xml, n_bytes, &error);
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_no_error (error);
  append_node (ns_schema_xml_get_root (self), out);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_reads (const char *xml, const char *expected)
{
  assert_bytes (xml, strlen (xml), expected);
}

static void
assert_refused (const char *xml, gsize n_bytes, NsTraceError code, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_schema_xml_new (xml, n_bytes, &error));
  g_assert_error (error, NS_TRACE_ERROR, (int) code);
  g_assert_cmpstr (error->message, ==, why);
}

static void
test_elements_and_attributes_are_read (void)
{
  assert_reads ("<a/>", "a");
  assert_reads (
      "<?xml version='1.0'?>\n<!-- <x> --><a b='1' c = \"2\" ><d/><win:e f:g='3'></win:e >"
      "text<![CDATA[<x>]]></a>\n<!-- -->",
      "a[b=1,c=2](d,e[f:g=3])");
  assert_reads ("<a b='&lt;&gt;&amp;&quot;&apos;'/>", "a[b=<>&\"']");
  assert_reads ("<a b='&#65;&#x42;&#xe4;-&#x1f600;'/>", "a[b=AB\xc3\xa4-\xf0\x9f\x98\x80]");
  assert_reads ("<a b='x&amp;lt;&#38;amp;&amp;#38;'/>", "a[b=x&lt;&amp;&#38;]");
  assert_reads ("<a b='1\t2\n3'/>", "a[b=1 2 3]");
  assert_reads ("<w:a xmlns:w='x' xmlns='y' w:b='1' b='2'/>", "a[w:b=1,b=2]");
  assert_reads ("\xef\xbb\xbf<a b='>'/>", "a[b=>]");
  assert_bytes ("<a/>\0\0", 6, "a");
}

/* The encoding follows from the byte order mark or the first character; the XML declaration is
 * ignored. */
static void
test_wide_characters_are_read (void)
{
  static const char little[] = "\xff\xfe<\0a\0 \0b\0=\0'\0\xe4\0'\0/\0>\0";
  static const char big[] = "\0<\0?\0x\0?\0>\0<\0a\0/\0>";

  assert_bytes (little, sizeof little - 1, "a[b=\xc3\xa4]");
  assert_bytes (little + 2, sizeof little - 3, "a[b=\xc3\xa4]");
  assert_bytes (big, sizeof big - 1, "a");
  assert_reads ("<?xml version='1.0' encoding='utf-16'?><a/>", "a");
  assert_refused ("<a b='\xe4'/>", 10, NS_TRACE_ERROR_OPEN, "it is neither UTF-8 nor UTF-16");
  assert_refused ("\xff\xfe<\0\0\xd8", 6, NS_TRACE_ERROR_OPEN, "it is neither UTF-8 nor UTF-16");
}

static void
test_other_encodings_are_refused (void)
{
  static const char *const texts[] = {
    "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
    "<?xml version=\"1.0\"\n\tencoding = \"windows-1252\"?><a/>",
    "\xef\xbb\xbf<?xml version='1.0' encoding='UTF-7'?><a/>",
    "<?xml version='1.0' encoding='EBCDIC-CP-US'?><a/>",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (texts[i], strlen (texts[i]), NS_TRACE_ERROR_LIMIT, FOREIGN);
  assert_reads ("<?xml version='1.0' encoding=\"Utf-8\" standalone='yes'?><a/>", "a");
}

/* A UTF-16 manifest as written by Windows tools, in both byte orders. */
static void
test_a_wide_manifest_is_read_in_many_pieces (void)
{
  static const char *const orders[] = { "UTF-16LE", "UTF-16BE" };
  g_autoptr (GString) xml =
      g_string_new ("\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-16\"?>\r\n<a>");
  guint n_elements = 20000;
  guint i;

  for (i = 0; i < n_elements; i++)
    g_string_append (xml, "\r\n\t<b c=\"\xc3\xa4\xf0\x9f\x98\x80\"/>");
  g_string_append (xml, "\r\n</a>");
  for (i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      gsize n_bytes;
      g_autofree char *wide =
          g_convert (xml->str, (gssize) xml->len, orders[i], "UTF-8", NULL, &n_bytes, NULL);
      g_autoptr (NsSchemaXml) self = ns_schema_xml_new (wide, n_bytes, NULL);
      const NsSchemaXmlNode *child;
      guint n = 0;

      g_assert_nonnull (self);
      for (child = ns_schema_xml_get_root (self)->first; child != NULL; child = child->next, n++)
        g_assert_cmpstr (ns_schema_xml_get (child, "c"), ==, "\xc3\xa4\xf0\x9f\x98\x80");
      g_assert_cmpuint (n, ==, n_elements);
    }
}

static void
test_what_is_no_xml_is_refused (void)
{
  static const char *const texts[] = {
    "",
    "x",
    "<",
    "<>",
    "</a>",
    "<a",
    "<a>",
    "<a></b>",
    "<a></a",
    "<a/><b/>",
    "<a/>x",
    "x<a/>",
    "<a b/>",
    "<a b=/>",
    "<a b=1/>",
    "<a b='1/>",
    "<a b='1'c='2'/>",
    "<a b='<'/>",
    "<a b='&x;'/>",
    "<a b='&#0;'/>",
    "<a b='&#x110000;'/>",
    "<a b='&#99999999999999;'/>",
    "<a b='&amp'/>",
    "<a / >",
    "<1/>",
    "<!-- <a/>",
    "<a><![CDATA[</a>",
    "<![CDATA[<a/>]]>",
    "<?a <a/>",
    "<!-->",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_test_message ("%s", texts[i]);
      assert_refused (texts[i], strlen (texts[i]), NS_TRACE_ERROR_OPEN, NO_XML);
    }
}

/* Writes ten entities, each made of ten of the previous one, and an element with @n references to
 * the last. */
static GString *
write_entities (guint n)
{
  GString *xml = g_string_new ("<!DOCTYPE a [<!ENTITY e0 'ha'>");
  guint i;
  guint k;

  for (i = 1; i < 10; i++)
    {
      g_string_append_printf (xml, "<!ENTITY e%u '", i);
      for (k = 0; k < 10; k++)
        g_string_append_printf (xml, "&e%u;", i - 1);
      g_string_append (xml, "'>");
    }
  g_string_append (xml, "]><a b='");
  for (i = 0; i < n; i++)
    g_string_append (xml, "&e9;");
  g_string_append (xml, "'/>");
  return xml;
}

static void
test_declarations_are_refused_before_they_expand (void)
{
  guint n;

  for (n = 1; n <= 4; n *= 2)
    {
      g_autoptr (GString) entities = write_entities (n);
      g_autoptr (GString) attributes = g_string_new ("<!DOCTYPE a [<!ATTLIST a");
      guint i;

      for (i = 0; i < n * 20000; i++)
        g_string_append_printf (attributes, " b%u CDATA 'x'", i);
      g_string_append (attributes, ">]><a/>");
      assert_refused (entities->str, entities->len, NS_TRACE_ERROR_LIMIT, DECLARES);
      assert_refused (attributes->str, attributes->len, NS_TRACE_ERROR_LIMIT, DECLARES);
    }
  assert_refused ("<a><!ENTITY b 'c'></a>", 22, NS_TRACE_ERROR_OPEN, NO_XML);
}

/* Text after the beginning of a DTD is never parsed. */
static void
test_nothing_is_read_behind_a_declaration (void)
{
  static const char *const texts[] = {
    "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><<<",
    "<!DOCTYPE a PUBLIC 'b' 'http://localhost/c'><<<",
    "<!DOCTYPE a><<<",
    "<!DOCTYPE a [<!ENTITY b 'c'><<<",
    "<!DOCTYPE a [<!ENTITY b '&b;'>]><a c='&b;'/>",
    "<!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///etc/passwd'> %b; <<<",
    "<!DOCTYPE a [<!ENTITY % b '<!ENTITY c \"d\">'>%b;]><a>&c;</a>",
    "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'><<<",
    "<!DOCTYPE a [<!ELEMENT a (b|c)*><<<",
    "<?xml version='1.0'?><!-- --><!DOCTYPE a [",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_test_message ("%s", texts[i]);
      assert_refused (texts[i], strlen (texts[i]), NS_TRACE_ERROR_LIMIT, DECLARES);
    }
}

/* Makes @begin, @n times @piece, then @middle, @n times @tail, then @end. */
static GString *
repeat (const char *begin, const char *piece, const char *middle, const char *tail, guint n)
{
  GString *xml = g_string_new (begin);
  guint i;

  for (i = 0; i < n; i++)
    g_string_append (xml, piece);
  g_string_append (xml, middle);
  for (i = 0; i < n; i++)
    g_string_append (xml, tail);
  return xml;
}

static void
assert_most (const char *begin,
             const char *piece,
             const char *middle,
             const char *tail,
             guint n_most,
             const char *why)
{
  g_autoptr (GString) most = repeat (begin, piece, middle, tail, n_most);
  g_autoptr (GString) more = repeat (begin, piece, middle, tail, n_most + 1);
  g_autoptr (NsSchemaXml) self = ns_schema_xml_new (most->str, most->len, NULL);

  g_assert_nonnull (self);
  assert_refused (more->str, more->len, NS_TRACE_ERROR_LIMIT, why);
}

static void
test_at_the_cap_it_is_read_and_one_more_is_refused (void)
{
  assert_most ("<a/><!--",
               "x",
               "-->",
               "",
               NS_SCHEMA_XML_MAX_BYTES - 11,
               "it is too large for a description of events");
  assert_most ("<a b='",
               "x",
               "'/>",
               "",
               NS_SCHEMA_XML_MAX_TAG_BYTES - 9,
               "an element of it is too long");
  assert_most ("",
               "<a>",
               "",
               "</a>",
               NS_SCHEMA_XML_MAX_DEPTH,
               "its elements are nested too deeply");
  assert_most ("<a>",
               "<b/>",
               "</a>",
               "",
               NS_SCHEMA_XML_MAX_ELEMENTS - 1,
               "it has too many elements");
  assert_most ("<a/>",
               " ",
               "",
               "",
               NS_SCHEMA_XML_MAX_BYTES - 4,
               "it is too large for a description of events");
}

/* Makes @begin, @n times @before, a number and @after, then @end. */
static GString *
number (const char *begin, const char *before, const char *after, guint n, const char *end)
{
  GString *xml = g_string_new (begin);
  guint i;

  for (i = 0; i < n; i++)
    g_string_append_printf (xml, "%s%u%s", before, i, after);
  g_string_append (xml, end);
  return xml;
}

static void
test_attributes_of_one_element_have_a_cap (void)
{
  static const char why[] = "one of its elements has too many attributes";
  static const char *const pieces[][2] = { { " b", "='c'" },
                                           { " xmlns:b", "='c'" },
                                           { "\n\tb", " = \">'\"" } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) most =
          number ("<a", pieces[i][0], pieces[i][1], NS_SCHEMA_XML_MAX_ATTRIBUTES, "/>");
      g_autoptr (GString) more =
          number ("<a", pieces[i][0], pieces[i][1], NS_SCHEMA_XML_MAX_ATTRIBUTES + 1, "/>");
      /* The element name is invalid: if libxml2 parsed it, it would report that error instead. */
      g_autoptr (GString) many = number ("<1", pieces[i][0], pieces[i][1], 100000, "/>");
      g_autoptr (NsSchemaXml) self = ns_schema_xml_new (most->str, most->len, NULL);

      g_assert_nonnull (self);
      assert_refused (more->str, more->len, NS_TRACE_ERROR_LIMIT, why);
      assert_refused (many->str, many->len, NS_TRACE_ERROR_LIMIT, why);
    }
  /* Text that looks like attributes in other places is not counted. */
  for (i = 0; i < 3; i++)
    {
      static const char *const around[][2] = { { "<a><!--", "--></a>" },
                                               { "<a><![CDATA[", "]]></a>" },
                                               { "<a><?b", "?></a>" } };
      g_autoptr (GString) xml = number (around[i][0], " <b", "='c'", 1000, around[i][1]);

      assert_reads (xml->str, "a");
    }
}

/* The limit is on namespaces in scope at once; siblings may have more in total. */
static void
test_name_spaces_have_a_cap (void)
{
  g_autoptr (GString) beside =
      number ("<a>", "<b xmlns:c", "='d'/>", 4 * NS_SCHEMA_XML_MAX_NAMESPACES, "</a>");
  g_autoptr (GString) within =
      number ("<a", " xmlns:c", "='d'", NS_SCHEMA_XML_MAX_NAMESPACES, "><b xmlns='e'/></a>");
  g_autoptr (NsSchemaXml) self = ns_schema_xml_new (beside->str, beside->len, NULL);

  g_assert_nonnull (self);
  assert_refused (within->str,
                  within->len,
                  NS_TRACE_ERROR_LIMIT,
                  "it declares too many namespaces");
}

/* An error discards the whole document, even after many chunks were parsed. */
static void
test_what_came_before_a_fault_is_not_taken (void)
{
  static const char *const faults[] = { "<c></a>", "<b d='1' d='2'/></a>", "&e;</a>", "", "</a>f" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (GString) xml = repeat ("<a>", "<b c='d'/>", faults[i], "", 20000);

      g_test_message ("%s", faults[i]);
      assert_refused (xml->str, xml->len, NS_TRACE_ERROR_OPEN, NO_XML);
    }
}

/* Twice the text takes at most twice the memory, whatever its content. */
static void
test_memory_is_in_proportion_to_the_text (void)
{
  static const char *const pieces[] = {
    "<b/>",          "<b><b/></b>", "<b a='' b='' c='' d='&amp;'/>",
    "<!---->",       "<?a?>",       "text &amp; text",
    "<![CDATA[x]]>",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      gsize n_first = 0;
      guint n;

      for (n = 1; n <= 4; n *= 2)
        {
          g_autoptr (GString) xml = repeat ("<a>", pieces[i], "</a>", "", n * 10000);
          g_autoptr (NsSchemaXml) self = ns_schema_xml_new (xml->str, xml->len, NULL);

          g_assert_nonnull (self);
          if (n == 1)
            n_first = ns_schema_xml_get_size (self);
          g_assert_cmpuint (ns_schema_xml_get_size (self), <=, n * n_first + 32768);
          g_assert_cmpuint (ns_schema_xml_get_size (self), <=, 16 * xml->len + 32768);
        }
    }
}

static void
note_label_cb (const NsGuid *guid, guint16 id, guint8 version, NsSchema *schema, gpointer user_data)
{
  gsize *n_most = user_data;

  *n_most = MAX (*n_most, strlen (schema->task_name));
}

/* A string costs the same memory for one reference as for many. Opcodes below a task with a long
 * name are found by both names. */
static void
test_a_long_text_is_kept_once (void)
{
  gsize n_first = 0;
  guint n;

  for (n = 1; n <= 4; n *= 2)
    {
      g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
      g_autoptr (GString) xml =
          g_string_new ("<m><events><provider name='P' guid='{0a1b2c3d-0001-0002-0304-"
                        "05060708090b}'><tasks>");
      gsize n_label = 0;
      guint i;

      for (i = 0; i < n * 500; i++)
        g_string_append_printf (xml, "<task name='t%u' message='$(string.s)'/>", i);
      g_string_append (xml, "</tasks><events>");
      for (i = 0; i < n * 500; i++)
        g_string_append_printf (xml, "<event value='%u' task='t%u'/>", i, i);
      g_string_append (xml,
                       "</events></provider></events><localization><resources><stringTable>"
                       "<string id='s' value='");
      for (i = 0; i < n * 100000; i++)
        g_string_append (xml, "\xc3\xa4");
      g_string_append (xml, "'/></stringTable></resources></localization></m>");
      g_assert_true (ns_schema_manifest_parse (pool,
                                               xml->str,
                                               xml->len,
                                               NS_SCHEMA_USER,
                                               note_label_cb,
                                               &n_label,
                                               NULL));
      g_assert_cmpuint (n_label, ==, MAX_LABEL_BYTES);
      if (n == 1)
        n_first = ns_arena_get_size (pool->arena);
      g_assert_cmpuint (ns_arena_get_size (pool->arena), <=, n * n_first + 65536);
    }
}

static gboolean
learn_cb (const NsRecord *record, gpointer user_data)
{
  ns_schemas_learn (user_data, record);
  return TRUE;
}

static void
add_piece (NsEtlWriter *writer, const NsGuid *guid, const char *xml, gsize n_bytes)
{
  static const guint8 head[] = { 1, 1, 0, 0x5b, 1, 0, 0, 0 };
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = {
    .raw = ns_etl_writer_get_base_raw (writer) + 1,
    .guid = *guid,
    .id = 65534,
    .task = 65534,
  };

  g_byte_array_append (payload, head, sizeof head);
  g_byte_array_append (payload, (const guint8 *) xml, (guint) n_bytes);
  event.payload = payload;
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

/* The report has the sender, the file offset and the reason of a refused manifest, once per
 * manifest. */
static void
test_the_report_tells_of_what_was_refused (void)
{
  static const char latin[] = "<?xml version='1.0' encoding='ISO-8859-1'?><a/>";
  const NsEtlWriterOptions options = { 0 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GString) xml = write_entities (1);
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const NsEtlReport *report;
  const NsEtlDamage *damage;
  const char *data;
  gsize n_data;

  add_piece (writer, &provider, xml->str, xml->len);
  add_piece (writer, &provider, xml->str, xml->len);
  add_piece (writer, &provider, latin, strlen (latin));
  /* A manifest without events is harmless. */
  add_piece (writer, &provider, "<a/>", 4);
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "a.etl", &error);
  g_assert_no_error (error);
  g_assert_true (
      ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, learn_cb, schemas, NULL, NULL, &error));
  report = ns_etl_file_get_report (file);
  g_assert_cmpuint (report->damage->len, ==, 0);
  ns_schemas_report_refused (schemas, file);
  g_assert_cmpuint (report->damage->len, ==, 2);
  damage = g_ptr_array_index (report->damage, 1);
  g_assert_true (g_str_has_suffix (damage->what, ": " FOREIGN));
  damage = g_ptr_array_index (report->damage, 0);
  g_assert_cmpstr (damage->what,
                   ==,
                   "the manifest that the provider {0a1b2c3d-0001-0002-0304-05060708090b} sent is "
                   "not used: " DECLARES);
  g_assert_true (damage->is_beside);
  /* The record begins before its text: record header, then chunk header. */
  data = g_bytes_get_data (bytes, &n_data);
  g_assert_cmpuint (damage->offset, <, n_data);
  g_assert_true (memcmp (data + damage->offset + 80 + 8, "<!DOCTYPE", 9) == 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/schema-xml/elements-and-attributes-are-read",
                   test_elements_and_attributes_are_read);
  g_test_add_func ("/schema-xml/wide-characters-are-read", test_wide_characters_are_read);
  g_test_add_func ("/schema-xml/other-encodings-are-refused", test_other_encodings_are_refused);
  g_test_add_func ("/schema-xml/a-wide-manifest-is-read-in-many-pieces",
                   test_a_wide_manifest_is_read_in_many_pieces);
  g_test_add_func ("/schema-xml/what-is-no-xml-is-refused", test_what_is_no_xml_is_refused);
  g_test_add_func ("/schema-xml/declarations-are-refused-before-they-expand",
                   test_declarations_are_refused_before_they_expand);
  g_test_add_func ("/schema-xml/nothing-is-read-behind-a-declaration",
                   test_nothing_is_read_behind_a_declaration);
  g_test_add_func ("/schema-xml/at-the-cap-it-is-read-and-one-more-is-refused",
                   test_at_the_cap_it_is_read_and_one_more_is_refused);
  g_test_add_func ("/schema-xml/attributes-of-one-element-have-a-cap",
                   test_attributes_of_one_element_have_a_cap);
  g_test_add_func ("/schema-xml/name-spaces-have-a-cap", test_name_spaces_have_a_cap);
  g_test_add_func ("/schema-xml/what-came-before-a-fault-is-not-taken",
                   test_what_came_before_a_fault_is_not_taken);
  g_test_add_func ("/schema-xml/memory-is-in-proportion-to-the-text",
                   test_memory_is_in_proportion_to_the_text);
  g_test_add_func ("/schema-xml/a-long-text-is-kept-once", test_a_long_text_is_kept_once);
  g_test_add_func ("/schema-xml/the-report-tells-of-what-was-refused",
                   test_the_report_tells_of_what_was_refused);
  return g_test_run ();
}
