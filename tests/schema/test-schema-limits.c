/* Tests the limits of event descriptions.
 *
 * The limit itself is accepted, one more is refused.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-payload.h"
#include "schema/ns-schema-manifest.h"
#include "schema/ns-schema-mof.h"
#include "schema/ns-schema-pool.h"
#include "schema/ns-schema-sent.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GUID "{0a1b2c3d-0001-0002-0304-05060708090b}"
#define EVENT_CLASS "[Guid(\"" GUID "\"), EventType(1)] class A { "
#define NO_EVENT "line 1: no class has an event type"
#define MAX_CLASSES 4096
#define MAX_PROPERTIES 65536
#define MAX_QUALIFIERS 64
#define MAX_VALUES 1048576
#define MAX_NESTING 64
#define MAX_ELEMENTS 65535
#define MAX_WORD_BYTES 65536
#define MAX_XML_BYTES (9 * 1024 * 1024)
#define MAX_SENT_BYTES (16 * 1024 * 1024)
#define MAX_WAITING_BYTES (64 * 1024 * 1024)
#define MAX_PIECES 1000
#define MAX_FILES 4096
#define MAX_ABOVE 16
#define MAX_LABEL_BYTES 1024
#define PIECE_BYTES 65000
#define MAX_LATE_EVENTS 20000

/* Counts the map entries of the described events. */
static void
note_mof_cb (const NsGuid *event_class,
             guint8 opcode,
             guint8 version,
             NsSchema *schema,
             gpointer user_data)
{
  guint i;

  for (i = 0; i < schema->n_fields; i++)
    if (schema->fields[i].map != NULL)
      *(guint *) user_data += schema->fields[i].map->n_entries;
}

static void
note_manifest_cb (const NsGuid *provider,
                  guint16 id,
                  guint8 version,
                  NsSchema *schema,
                  gpointer user_data)
{
  note_mof_cb (provider, 0, version, schema, user_data);
}

/* Parses @begin, @n times @piece, then @end, and asserts the error message, or success for NULL. */
static void
assert_mof (const char *begin, const char *piece, guint n, const char *end, const char *message)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GString) text = g_string_new (begin);
  g_autoptr (GError) error = NULL;
  guint n_entries = 0;

  while (n-- > 0)
    g_string_append (text, piece);
  g_string_append (text, end);
  ns_schema_mof_parse (pool, text->str, text->len, note_mof_cb, &n_entries, &error);
  if (message == NULL)
    g_assert_no_error (error);
  else
    g_assert_cmpstr (error->message, ==, message);
}

static void
test_classes_are_bounded (void)
{
  assert_mof ("", "class A {};", MAX_CLASSES, "", NO_EVENT);
  assert_mof ("", "class A {};", MAX_CLASSES + 1, "", "line 1: too many classes");
  assert_mof ("class A { ", "uint8 a;", MAX_PROPERTIES, "};", NO_EVENT);
  assert_mof ("class A { ", "uint8 a;", MAX_PROPERTIES + 1, "};", "line 1: too many properties");
  assert_mof ("[a", ",a", MAX_QUALIFIERS - 1, "] class A {};", NO_EVENT);
  assert_mof ("[a", ",a", MAX_QUALIFIERS, "] class A {};", "line 1: too many qualifiers");
  assert_mof ("[a{1", ",1", MAX_VALUES - 1, "}] class A {};", NO_EVENT);
  assert_mof ("[a{1", ",1", MAX_VALUES, "}] class A {};", "line 1: too many values");
  assert_mof (EVENT_CLASS, "[WmiDataId(1)] uint8 a;", NS_SCHEMA_MAX_FIELDS, "};", NULL);
  assert_mof (EVENT_CLASS,
              "[WmiDataId(1)] uint8 a;",
              NS_SCHEMA_MAX_FIELDS + 1,
              "};",
              "line 1: too many properties");
}

static void
test_words_are_bounded (void)
{
  g_autofree char *most = g_strdup_printf ("uint8 x[%d]; };", MAX_ELEMENTS);
  g_autofree char *more = g_strdup_printf ("uint8 x[%d]; };", MAX_ELEMENTS + 1);

  assert_mof ("class ", "a", MAX_WORD_BYTES, " {};", NO_EVENT);
  assert_mof ("class ", "a", MAX_WORD_BYTES + 1, " {};", "line 1: a string that is too long");
  assert_mof ("[a(\"", "a", MAX_WORD_BYTES - 1, "\\x41\")] class A {};", NO_EVENT);
  assert_mof ("[a(\"",
              "a",
              MAX_WORD_BYTES,
              "\\x41\")] class A {};",
              "line 1: an invalid character");
  assert_mof (EVENT_CLASS, "", 0, most, NULL);
  assert_mof (EVENT_CLASS, "", 0, more, "line 1: an invalid array size");
  assert_mof ("", " ", NS_SCHEMA_MOF_MAX_BYTES, "", NO_EVENT);
  assert_mof ("", " ", NS_SCHEMA_MOF_MAX_BYTES + 1, "", "line 1: the file is too large");
  assert_mof ("x = ", "(", MAX_NESTING, "", "line 1: \";\" is missing");
  assert_mof ("x = ", "(", MAX_NESTING + 1, "", "line 1: brackets nested too deeply");
}

/* Writes a class with @n_properties, and @n_classes event classes that inherit them. */
static GString *
write_derived_classes (const char *property, guint n_properties, guint n_classes)
{
  GString *text = g_string_new ("[Guid(\"" GUID "\")] class A { ");
  guint i;

  for (i = 0; i < n_properties; i++)
    g_string_append_printf (text, "%s a%u;", property, i);
  g_string_append (text, "};");
  for (i = 0; i < n_classes; i++)
    g_string_append_printf (text, "[EventType(1)] class B%u : A {};", i);
  return text;
}

/* Two thousand properties inherited by two thousand classes are a short text, but large schemas. */
static void
test_what_is_inherited_counts (void)
{
  const guint n_derived = 512;
  const guint n_properties = NS_SCHEMA_MOF_MAX_FIELDS / n_derived;
  g_autoptr (GString) most = write_derived_classes ("uint8", n_properties, n_derived);
  g_autoptr (GString) more = write_derived_classes ("uint8", n_properties, n_derived + 1);

  assert_mof (most->str, "", 0, "", NULL);
  assert_mof (more->str, "", 0, "", "line 1: too many properties in all classes");
}

static void
test_a_class_has_so_many_above_only (void)
{
  g_autoptr (GString) text = g_string_new (EVENT_CLASS "};");
  guint i;

  g_string_append (text, "[EventType(1)] class A1 : A {};");
  for (i = 2; i < MAX_ABOVE; i++)
    g_string_append_printf (text, "[EventType(1)] class A%u : A%u {};", i, i - 1);
  assert_mof (text->str, "", 0, "", NULL);
  g_string_append_printf (text, "[EventType(1)] class A%u : A%u {};", i, i - 1);
  assert_mof (text->str, "", 0, "", "line 1: too many base classes of a class");
  /* A class that is its own ancestor must not cause an endless loop. */
  assert_mof ("[EventType(1)] class A : A {};",
              "",
              0,
              "",
              "line 1: too many base classes of a class");
}

static guint n_told;

static void
check_counter_cb (const NsGuid *event_class,
                  guint8 opcode,
                  guint8 version,
                  NsSchema *schema,
                  gpointer user_data)
{
  guint i;

  n_told++;
  g_assert_cmpuint (schema->n_fields, ==, 1001);
  for (i = 1; i < schema->n_fields; i++)
    {
      g_assert_true ((schema->fields[i].flags & NS_FIELD_COUNT_REF) != 0);
      g_assert_cmpuint (schema->fields[i].count, ==, 0);
    }
}

/* The count of an array is the first property with the given name, in any case, however many lie
 * between. Tests a thousand arrays in each of a hundred classes. */
static void
test_arrays_find_what_counts_them (void)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GString) text = g_string_new ("[Guid(\"" GUID "\")] class A {"
                                           "[WmiDataId(1)] uint32 Count;");
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 0; i < 1000; i++)
    g_string_append_printf (text, "[WmiDataId(%u), WmiSizeIs(\"cOUNT\")] uint8 a%u[];", i + 2, i);
  g_string_append (text, "};");
  for (i = 0; i < 100; i++)
    g_string_append_printf (text, "[EventType(1)] class B%u : A {};", i);
  n_told = 0;
  g_assert_true (ns_schema_mof_parse (pool, text->str, text->len, check_counter_cb, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_told, ==, 100);
}

static void
check_label_cb (const NsGuid *event_class,
                guint8 opcode,
                guint8 version,
                NsSchema *schema,
                gpointer user_data)
{
  g_assert_cmpuint (strlen (schema->task_name), ==, MAX_LABEL_BYTES);
  g_assert_cmpuint (strlen (schema->event_name), ==, MAX_LABEL_BYTES + 2);
  n_told++;
}

/* A class has one name, which is part of the name of each of its events. */
static void
test_what_a_class_is_called_is_so_long_only (void)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;

  for (n = MAX_LABEL_BYTES; n <= MAX_LABEL_BYTES + 1; n++)
    {
      g_string_assign (text, "[Guid(\"" GUID "\"), DisplayName(\"");
      while (n + strlen ("[Guid(\"" GUID "\"), DisplayName(\"") > text->len)
        g_string_append_c (text, 'a');
      g_string_append (text, "\"), EventType(1), EventTypeName(\"b\")] class A {};");
      n_told = 0;
      g_assert_true (ns_schema_mof_parse (pool, text->str, text->len, check_label_cb, NULL, NULL));
      g_assert_cmpuint (n_told, ==, 1);
    }
}

/* Many small files together can exhaust the shared memory limit. */
static void
test_events_have_so_much_memory_only (void)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GString) text = g_string_new (EVENT_CLASS "};[Guid(\"" GUID "\"), EventType{1");
  g_autoptr (GError) error = NULL;
  guint n_entries = 0;
  guint i;

  /* Most of it is already used; two and a half files still fit. */
  ns_arena_alloc (pool->arena,
                  NS_SCHEMA_POOL_MAX_BYTES - 5 * MAX_LATE_EVENTS / 2 * sizeof (NsSchema));
  for (i = 1; i < MAX_LATE_EVENTS; i++)
    g_string_append (text, ",1");
  g_string_append (text, "}] class B {};");
  for (i = 0; !ns_schema_pool_is_full (pool) && error == NULL; i++)
    ns_schema_mof_parse (pool, text->str, text->len, note_mof_cb, &n_entries, &error);
  g_assert_cmpuint (i, >, 1);
  if (error == NULL)
    ns_schema_mof_parse (pool, text->str, text->len, note_mof_cb, &n_entries, &error);
  g_assert_cmpstr (error->message, ==, "line 1: too many events for the memory limit");
}

static void
test_maps_are_bounded (void)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GString) mof = g_string_new (EVENT_CLASS "[WmiDataId(1), Values{\"a\"");
  g_autoptr (GString) xml =
      g_string_new ("<instrumentationManifest><instrumentation><events>"
                    "<provider name='P' guid='" GUID "' symbol='T'><maps><valueMap name='M'>");
  guint n_entries = 0;
  guint i;

  for (i = 0; i < NS_SCHEMA_MAX_MAP_ENTRIES; i++)
    {
      g_string_append (mof, ",\"a\"");
      g_string_append_printf (xml, "<map value='%u' message='$(string.a)'/>", i);
    }
  g_string_append (mof, "}] uint32 a; };");
  g_string_append (xml,
                   "<map value='99999' message='$(string.a)'/></valueMap></maps><templates>"
                   "<template tid='t'><data name='a' inType='win:UInt32' map='M'/></template>"
                   "</templates><events><event value='7' template='t'/></events></provider>"
                   "</events></instrumentation><localization><resources culture='en-US'>"
                   "<stringTable><string id='a' value='A'/></stringTable></resources>"
                   "</localization></instrumentationManifest>");
  g_assert_true (ns_schema_mof_parse (pool, mof->str, mof->len, note_mof_cb, &n_entries, NULL));
  g_assert_cmpuint (n_entries, ==, NS_SCHEMA_MAX_MAP_ENTRIES);
  n_entries = 0;
  g_assert_true (ns_schema_manifest_parse (pool,
                                           xml->str,
                                           xml->len,
                                           NS_SCHEMA_USER,
                                           note_manifest_cb,
                                           &n_entries,
                                           NULL));
  g_assert_cmpuint (n_entries, ==, NS_SCHEMA_MAX_MAP_ENTRIES);
}

/* Makes a manifest of one event, padded with comments. */
static GString *
new_manifest (gsize n_bytes)
{
  static const char begin[] = "<instrumentationManifest><instrumentation><events>"
                              "<provider name='P' guid='" GUID "' symbol='T'>"
                              "<events><event value='7'/></events></provider></events>"
                              "</instrumentation></instrumentationManifest>";
  const gsize n_comment = 1 << 20;
  GString *xml = g_string_new (begin);

  while (n_bytes - xml->len >= 2 * n_comment)
    {
      gsize at = xml->len;

      g_string_set_size (xml, at + n_comment);
      memset (xml->str + at, 'c', n_comment);
      memcpy (xml->str + at, "<!--", 4);
      memcpy (xml->str + xml->len - 3, "-->", 3);
    }
  while (xml->len < n_bytes)
    g_string_append_c (xml, ' ');
  return xml;
}

static void
test_a_manifest_is_so_long_only (void)
{
  gsize more;

  for (more = 0; more < 2; more++)
    {
      g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
      g_autoptr (GString) xml = new_manifest (MAX_XML_BYTES + more);
      guint n_entries = 0;

      g_assert_cmpint (ns_schema_manifest_parse (pool,
                                                 xml->str,
                                                 xml->len,
                                                 NS_SCHEMA_USER,
                                                 note_manifest_cb,
                                                 &n_entries,
                                                 NULL),
                       ==,
                       more == 0);
    }
}

static void
assert_not_loaded (const char *path, const char *why)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autofree char *message = g_strdup_printf ("%s: %s", path, why);
  g_autoptr (GError) error = NULL;
  guint64 n_rejected = 0;
  guint n_entries = 0;

  g_assert_false (ns_schema_manifest_load (pool,
                                           path,
                                           note_manifest_cb,
                                           note_mof_cb,
                                           &n_entries,
                                           &n_rejected,
                                           &error));
  g_assert_cmpstr (error->message, ==, message);
}

/* An invalid file and an unreadable file have different messages. */
static void
test_why_a_file_is_no_manifest_is_said (void)
{
  g_autofree char *folder = g_dir_make_tmp ("limits-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.man", NULL);

  assert_not_loaded (path, g_strerror (ENOENT));
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_not_loaded (path, "this is not a file but a pipe or a device");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_true (g_file_set_contents_full (path, "x", 1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  assert_not_loaded (path, "not a readable instrumentation manifest");
  g_assert_cmpint (truncate (path, MAX_XML_BYTES), ==, 0);
  assert_not_loaded (path, "not a readable instrumentation manifest");
  g_assert_cmpint (truncate (path, MAX_XML_BYTES + 1), ==, 0);
  assert_not_loaded (path, "the file is too large for a description of events");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* In a folder with too many files, only the first ones are read. */
static void
test_a_folder_has_so_many_manifests_only (void)
{
  g_autofree char *folder = g_dir_make_tmp ("limits-XXXXXX", NULL);
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GError) error = NULL;
  guint64 n_rejected = 0;
  guint n_entries = 0;
  guint i;

  for (i = 0; i <= MAX_FILES; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.man", folder, i);

      g_assert_true (g_file_set_contents_full (path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    }
  g_assert_false (ns_schema_manifest_load (pool,
                                           folder,
                                           note_manifest_cb,
                                           note_mof_cb,
                                           &n_entries,
                                           &n_rejected,
                                           &error));
  g_assert_cmpuint (n_rejected, ==, MAX_FILES);
  for (i = 0; i <= MAX_FILES; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.man", folder, i);

      g_unlink (path);
    }
  g_rmdir (folder);
}

/* Sends piece @number of @total of a manifest of process @pid, and returns whether it was kept. */
static gboolean
send_piece (NsSchemaSent *sent, guint32 pid, guint total, guint number, gsize n_bytes)
{
  g_autofree guint8 *payload = g_malloc0 (8 + n_bytes);
  NsRecord record = { .pid = pid,
                      .id = 65534,
                      .payload = payload,
                      .payload_size = (guint32) (8 + n_bytes) };
  g_autoptr (GString) xml = NULL;
  gboolean is_kept;

  payload[0] = 1;
  payload[3] = 0x5b;
  payload[4] = (guint8) total;
  payload[5] = (guint8) (total >> 8);
  payload[6] = (guint8) number;
  payload[7] = (guint8) (number >> 8);
  is_kept = ns_schema_sent_add (sent, &record, &xml);
  if (xml != NULL)
    g_string_free (g_steal_pointer (&xml), TRUE);
  return is_kept;
}

/* Returns the number of bytes of one manifest that are kept before a piece is refused. */
static gsize
send_until_refused (NsSchemaSent *sent, guint32 pid)
{
  gsize n_kept = 0;
  guint i;

  for (i = 0; i < MAX_PIECES - 1 && send_piece (sent, pid, MAX_PIECES, i, PIECE_BYTES); i++)
    n_kept += PIECE_BYTES;
  return n_kept;
}

static void
test_sent_manifests_are_bounded (void)
{
  g_autoptr (NsSchemaSent) sent = ns_schema_sent_new ();
  g_autoptr (NsSchemaSent) waiting = ns_schema_sent_new ();
  const guint n_pieces = MAX_SENT_BYTES / PIECE_BYTES;
  gsize n_waiting = 0;
  guint32 pid;
  guint i;

  g_assert_true (send_piece (sent, 1, MAX_PIECES, 0, 1));
  g_assert_false (send_piece (sent, 2, MAX_PIECES + 1, 0, 1));
  g_assert_cmpuint (send_until_refused (sent, 3), ==, n_pieces * PIECE_BYTES);
  /* Manifests that are all incomplete share a limit on waiting bytes. */
  for (pid = 1; n_waiting + PIECE_BYTES <= MAX_WAITING_BYTES; pid++)
    for (i = 0; i < n_pieces && n_waiting + PIECE_BYTES <= MAX_WAITING_BYTES; i++)
      {
        g_assert_true (send_piece (waiting, pid, MAX_PIECES, i, PIECE_BYTES));
        n_waiting += PIECE_BYTES;
      }
  g_assert_false (send_piece (waiting, pid, MAX_PIECES, 0, PIECE_BYTES));
}

static void
test_a_pool_is_full_some_day (void)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GString) xml = new_manifest (1000);
  guint n_entries = 0;

  ns_arena_alloc (pool->arena, NS_SCHEMA_POOL_MAX_BYTES / 2);
  g_assert_true (ns_schema_manifest_parse (pool,
                                           xml->str,
                                           xml->len,
                                           NS_SCHEMA_USER,
                                           note_manifest_cb,
                                           &n_entries,
                                           NULL));
  ns_arena_alloc (pool->arena, NS_SCHEMA_POOL_MAX_BYTES / 2);
  g_assert_true (ns_schema_pool_is_full (pool));
  g_assert_false (ns_schema_manifest_parse (pool,
                                            xml->str,
                                            xml->len,
                                            NS_SCHEMA_USER,
                                            note_manifest_cb,
                                            &n_entries,
                                            NULL));
}

/* A SID has at most fifteen subauthorities; one with more is invalid. */
static void
test_a_sid_has_so_many_parts_only (void)
{
  static const NsSchemaField field = { .name = "a", .in_type = NS_IN_SID, .count = 1 };
  NsSchema schema = { .n_fields = 1, .n_top = 1, .fields = &field };
  guint8 payload[8 + 4 * 16] = { 1 };
  NsRecord record = { .pointer_size = 8, .payload = payload };
  g_autoptr (GString) json = g_string_new (NULL);

  payload[1] = 15;
  record.payload_size = 8 + 4 * 15;
  g_assert_cmpint (ns_payload_append_json (&schema, &record, NULL, json), ==, NS_PAYLOAD_EXACT);
  payload[1] = 16;
  record.payload_size = 8 + 4 * 16;
  g_assert_cmpint (ns_payload_append_json (&schema, &record, NULL, json), ==, NS_PAYLOAD_BAD);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema-limits/classes-are-bounded", test_classes_are_bounded);
  g_test_add_func ("/schema-limits/words-are-bounded", test_words_are_bounded);
  g_test_add_func ("/schema-limits/what-is-inherited-counts", test_what_is_inherited_counts);
  g_test_add_func ("/schema-limits/a-class-has-so-many-above-only",
                   test_a_class_has_so_many_above_only);
  g_test_add_func ("/schema-limits/arrays-find-what-counts-them",
                   test_arrays_find_what_counts_them);
  g_test_add_func ("/schema-limits/what-a-class-is-called-is-so-long-only",
                   test_what_a_class_is_called_is_so_long_only);
  g_test_add_func ("/schema-limits/events-have-so-much-memory-only",
                   test_events_have_so_much_memory_only);
  g_test_add_func ("/schema-limits/maps-are-bounded", test_maps_are_bounded);
  g_test_add_func ("/schema-limits/a-manifest-is-so-long-only", test_a_manifest_is_so_long_only);
  g_test_add_func ("/schema-limits/why-a-file-is-no-manifest-is-said",
                   test_why_a_file_is_no_manifest_is_said);
  g_test_add_func ("/schema-limits/a-folder-has-so-many-manifests-only",
                   test_a_folder_has_so_many_manifests_only);
  g_test_add_func ("/schema-limits/sent-manifests-are-bounded", test_sent_manifests_are_bounded);
  g_test_add_func ("/schema-limits/a-pool-is-full-some-day", test_a_pool_is_full_some_day);
  g_test_add_func ("/schema-limits/a-sid-has-so-many-parts-only",
                   test_a_sid_has_so_many_parts_only);
  return g_test_run ();
}
