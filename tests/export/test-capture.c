/* Tests reading the capture kit's output: a zip with a trace, a manifest and process lists.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-trace-lookup.h"
#include "etl/ns-etl-writer.h"
#include "export/ns-export-zip.h"

#include <string.h>

#define MANIFEST                                                                                   \
  "netstitch-capture: 1\r\ncomputer: DESK-7\r\nwindows: Microsoft Windows 11 Pro 22631.4317\r\n"   \
  "mode: file\r\nevents-lost: 3\r\nno colon\r\nempty: \r\n"

static gboolean
collect (const char *data, gsize n_bytes, gpointer bytes, GError **error)
{
  g_byte_array_append (bytes, (const guint8 *) data, (guint) n_bytes);
  return TRUE;
}

static GBytes *
make_trace (void)
{
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = 4096 });
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + 1000, .pid = 77 };

  ns_etl_writer_add_event (writer, &event);
  return ns_etl_writer_finish (writer);
}

/* Opens an archive in the form of the kit; files that are %NULL are missing. */
static NsTrace *
open_with (const char *manifest,
           const char *at_start,
           const char *at_stop,
           gboolean has_packets,
           GError **error_out)
{
  static const NsTraceOptions options = { 0 };
  const struct
  {
    const char *name;
    const char *text;
  } files[] = {
    { "processes-start.csv", at_start },
    { "processes-stop.csv", at_stop },
    { "manifest.txt", manifest },
  };
  g_autoptr (GByteArray) zip_bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (NsExportZip) zip = ns_export_zip_new (collect, zip_bytes, 1000000000, &error);
  g_autoptr (GBytes) trace_bytes = make_trace ();
  g_autoptr (GBytes) bytes = NULL;
  NsEtlFile *file;
  NsTrace *trace;
  guint i;

  g_assert_true (ns_export_zip_add (zip,
                                    "trace.etl",
                                    g_bytes_get_data (trace_bytes, NULL),
                                    g_bytes_get_size (trace_bytes),
                                    &error));
  for (i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i].text != NULL)
      g_assert_true (
          ns_export_zip_add (zip, files[i].name, files[i].text, strlen (files[i].text), &error));
  if (has_packets)
    g_assert_true (ns_export_zip_add (zip,
                                      "packets.etl",
                                      g_bytes_get_data (trace_bytes, NULL),
                                      g_bytes_get_size (trace_bytes),
                                      &error));
  g_assert_true (ns_export_zip_close (zip, &error));
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&zip_bytes));
  file = ns_etl_file_open_bytes (bytes, "kit.zip", error_out);
  if (file == NULL)
    return NULL;
  trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static NsTrace *
open_capture (const char *manifest, const char *at_start, const char *at_stop)
{
  return open_with (manifest, at_start, at_stop, FALSE, NULL);
}

static char *
list_processes (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->processes->len; i++)
    {
      const NsProcessRow *row = &g_array_index (trace->processes, NsProcessRow, i);

      g_string_append_printf (text,
                              "%u %s%s%s\n",
                              row->pid,
                              ns_trace_text (trace, row->name),
                              row->from_list ? " listed" : "",
                              row->before_trace ? " before" : "");
    }
  return g_string_free (text, FALSE);
}

static void
test_the_manifest_is_read (void)
{
  NsTrace *trace = open_capture (MANIFEST, NULL, NULL);

  g_assert_nonnull (trace->capture);
  g_assert_cmpstr (ns_capture_kit_get (trace->capture, "computer"), ==, "DESK-7");
  g_assert_cmpstr (ns_capture_kit_get (trace->capture, "windows"),
                   ==,
                   "Microsoft Windows 11 Pro 22631.4317");
  /* The loss is in the manifest, not in the trace. */
  g_assert_cmpuint (ns_capture_kit_get_events_lost (trace->capture), ==, 3);
  g_assert_cmpuint (ns_etl_file_get_header (trace->file)->events_lost, ==, 3);
  g_assert_null (ns_capture_kit_get (trace->capture, "no colon"));
  ns_trace_unref (trace);
}

/* A kit with packets has two traces; that of the providers is opened. */
static void
test_packets_may_lie_beside (void)
{
  g_autoptr (GError) error = NULL;
  NsTrace *trace = open_with (MANIFEST, NULL, NULL, TRUE, &error);

  g_assert_no_error (error);
  g_assert_nonnull (trace->capture);
  ns_trace_unref (trace);
  g_assert_null (open_with ("Some-Other: 1\n", NULL, NULL, TRUE, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER);
}

/* The trace has an event of process 77 but not its name. */
static void
test_names_come_from_the_lists (void)
{
  NsTrace *trace = open_capture (MANIFEST,
                                 "\xef\xbb\xbfpid,name,start\r\n"
                                 "77,OUTLOOK,2001-01-01T00:00:00.0000000+01:00\r\n"
                                 "4,System,\r\n",
                                 "pid,name,start\r\n"
                                 "77,OUTLOOK,2001-01-01T00:00:00.0000000+01:00\r\n"
                                 "80,late,\r\n");
  g_autofree char *text = list_processes (trace);

  g_assert_cmpstr (text,
                   ==,
                   "77 OUTLOOK listed before\n"
                   "4 System listed before\n"
                   "80 late listed before\n");
  ns_trace_unref (trace);
}

/* Other archives may contain files of these names. */
static void
test_other_manifests_are_not_ours (void)
{
  static const char *const others[] = { "",
                                        "Manifest-Version: 1.0\n",
                                        "netstitch-capture: 2\n",
                                        "\xff\xfe\x01",
                                        "computer: A\nnetstitch-capture: 1x\n" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (others); i++)
    {
      NsTrace *trace = open_capture (others[i], "1,a,\n", NULL);

      g_assert_null (trace->capture);
      g_assert_cmpuint (trace->processes->len, ==, 0);
      ns_trace_unref (trace);
    }
}

/* Invalid lines of a list are skipped. */
static void
test_bad_lines_are_left_out (void)
{
  g_autoptr (GString) lines =
      g_string_new ("1\n,,\n-5,a,\n4294967296,b,\nx,c,\n9,,\n12,good,never\n");
  g_autofree char *text = NULL;
  NsTrace *trace;

  g_string_append (lines, "13,");
  while (lines->len < 4000)
    g_string_append_c (lines, 'n');
  g_string_append (lines, ",\n14,last,");
  trace = open_capture (MANIFEST, lines->str, NULL);
  text = list_processes (trace);
  g_assert_cmpstr (text, ==, "12 good listed before\n14 last listed before\n");
  ns_trace_unref (trace);
}

/* At most as many processes are read as Windows can have. */
static void
test_lists_have_a_cap (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  NsTrace *trace;
  guint n_processes;
  guint i;

  for (i = 0; i < 70000; i++)
    g_string_append_printf (lines, "%u,p,\n", i);
  trace = open_capture (MANIFEST, lines->str, NULL);
  ns_capture_kit_get_processes (trace->capture, &n_processes);
  g_assert_cmpuint (n_processes, ==, 65536);
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capture/the-manifest-is-read", test_the_manifest_is_read);
  g_test_add_func ("/capture/packets-may-lie-beside", test_packets_may_lie_beside);
  g_test_add_func ("/capture/names-come-from-the-lists", test_names_come_from_the_lists);
  g_test_add_func ("/capture/other-manifests-are-not-ours", test_other_manifests_are_not_ours);
  g_test_add_func ("/capture/bad-lines-are-left-out", test_bad_lines_are_left_out);
  g_test_add_func ("/capture/lists-have-a-cap", test_lists_have_a_cap);
  return g_test_run ();
}
