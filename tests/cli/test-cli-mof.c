/* Tests that a trace with events of an unknown MOF class decodes once its `.mof` file is given.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

static const char mof[] =
    "[Guid(\"{0a1b2c3d-0001-0002-0304-05060708090a}\")] class Weather : EventTrace {};\n"
    "[Guid(\"{0a1b2c3d-0001-0002-0304-05060708090b}\"), EventVersion(1)]\n"
    "class Station : Weather {};\n"
    "[EventType{1, 2}, EventTypeName{\"Rain\", \"Sun\"}] class Report : Station\n"
    "{\n"
    "  [WmiDataId(1), Values{\"Dry\", \"Wet\"}] uint32 State;\n"
    "  [WmiDataId(2), format(\"w\")] string Place;\n"
    "};\n";

typedef struct
{
  char *folder;
  char *trace;
  char *mof;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  static const guint8 report[] = { 1, 0, 0, 0, 'Y', 0, 's', 0, 0, 0 };
  NsEtlWriterOptions options = { .base_raw = 1000000 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GBytes) file = NULL;
  NsEtlWriterFull full = { .raw = 1010000, .opcode = 2, .version = 1, .payload = payload };
  gsize size;
  const char *data;

  ns_guid_from_text (&full.guid, "0a1b2c3d-0001-0002-0304-05060708090b");
  g_byte_array_append (payload, report, sizeof report);
  ns_etl_writer_add_full (writer, &full);
  file = ns_etl_writer_finish (writer);
  data = g_bytes_get_data (file, &size);
  fixture->folder = g_dir_make_tmp ("netstitch-mof-XXXXXX", NULL);
  fixture->trace = g_build_filename (fixture->folder, "weather.etl", NULL);
  fixture->mof = g_build_filename (fixture->folder, "weather.mof", NULL);
  g_assert_true (g_file_set_contents (fixture->trace, data, (gssize) size, NULL));
  g_assert_true (g_file_set_contents (fixture->mof, mof, -1, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_unlink (fixture->trace);
  g_unlink (fixture->mof);
  g_rmdir (fixture->folder);
  g_free (fixture->trace);
  g_free (fixture->mof);
  g_free (fixture->folder);
}

/* Runs `events` and returns the line of the one record after the header. */
static char *
print (Fixture *fixture, const char *manifests, int expected_status)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *complaint = NULL;
  char *output = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                              NULL,
                              g_getenv ("NETSTITCH_CLI"),
                              "events",
                              fixture->trace,
                              "--format",
                              "jsonl",
                              "--payload",
                              "--filter",
                              "n == 1",
                              "--columns",
                              "provider,opcode,task_name,opcode_name,name,fields,schema",
                              manifests != NULL ? "--manifests" : NULL,
                              manifests,
                              NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, &complaint, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, expected_status);
  if (expected_status == 0)
    return output;
  g_free (output);
  return g_steal_pointer (&complaint);
}

static void
test_it_reads_only_with_its_classes (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *before = print (fixture, NULL, 0);
  g_autofree char *after = print (fixture, fixture->folder, 0);
  g_autofree char *single = print (fixture, fixture->mof, 0);

  g_assert_cmpstr (before,
                   ==,
                   "{\"provider\":\"0a1b2c3d-0001-0002-0304-05060708090b\",\"opcode\":2,"
                   "\"task_name\":null,\"opcode_name\":null,\"name\":null,"
                   "\"fields\":{\"(bytes)\":\"01000000590073000000\"},\"schema\":\"none\"}\n");
  g_assert_cmpstr (after,
                   ==,
                   "{\"provider\":\"0a1b2c3d-0001-0002-0304-05060708090b\",\"opcode\":2,"
                   "\"task_name\":\"Station\",\"opcode_name\":\"Sun\",\"name\":\"Station/Sun\","
                   "\"fields\":{\"State\":\"Wet\",\"Place\":\"Ys\"},\"schema\":\"user\"}\n");
  g_assert_cmpstr (single, ==, after);
}

static void
test_a_wrong_line_is_named (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *complaint = NULL;

  g_assert_true (g_file_set_contents (fixture->mof, "class A {};\nclass B : {};\n", -1, NULL));
  complaint = print (fixture, fixture->folder, 1);
  g_assert_nonnull (strstr (complaint, "weather.mof: line 2: "));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli-mof/only-with",
              Fixture,
              NULL,
              set_up,
              test_it_reads_only_with_its_classes,
              tear_down);
  g_test_add ("/cli-mof/line", Fixture, NULL, set_up, test_a_wrong_line_is_named, tear_down);
  return g_test_run ();
}
