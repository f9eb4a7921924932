/* Tests the resolution of stack frames by symbols on the command line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-symbols.h"
#include "engine/trace/ns-namer.h"
#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "query/ns-filter.h"
#include "stitch-fixture.h"

#define ROW "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2"

/* Makes a trace with a debug ID event that names the PDB of app.exe. */
static NsTrace *
new_trace (void)
{
  NsTrace *trace = stitch_trace_new (ROW);
  NsGuid guid = NS_TEST_PDB_GUID;

  for (guint i = 0; i < trace->images->len; i++)
    {
      NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);

      if (g_strcmp0 (ns_trace_text (trace, image->name), "app.exe") != 0)
        continue;
      image->pdb = ns_strings_add (trace->strings, "D:\\build\\app.pdb");
      image->guid = guid;
      image->age = NS_TEST_PDB_AGE;
      image->has_guid = TRUE;
    }
  return trace;
}

static char *
describe (NsTrace *trace, char *path)
{
  NsCli cli = { .options = { .symbols = path } };
  g_autoptr (NsCliSymbols) symbols = ns_cli_symbols_new (&cli, trace);
  NsExportChains chains = { trace, ns_cli_symbols_resolve, symbols };
  GString *text = g_string_new (NULL);

  ns_export_chain_append_json (&chains, 1, text);
  return g_string_free (text, FALSE);
}

static void
test_frames_have_names (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  NsTrace *trace = new_trace ();
  g_autofree char *text = NULL;

  ns_test_folder_write_pdb (folder, "app.pdb");
  text = describe (trace, folder->root);
  g_assert_nonnull (strstr (text, "\"app.exe!outer::work+0x35\""));
  g_assert_nonnull (strstr (text,
                            "\"rva\":\"0x1045\",\"symbol\":\"outer::work\",\"offset\":53,"
                            "\"file\":\"C:\\\\src\\\\a.cpp\",\"line\":44"));
  /* Addresses without a nearby symbol are unchanged. */
  g_assert_nonnull (strstr (text, "\"app.exe+0x1123\""));
  ns_trace_unref (trace);
}

static void
test_wrong_symbols_name_nothing (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  NsTrace *trace = new_trace ();
  g_autofree char *text = NULL;

  ns_test_folder_write_other_pdb (folder, "app.pdb");
  text = describe (trace, folder->root);
  g_assert_null (strstr (text, "app.exe!"));
  g_assert_nonnull (strstr (text, "\"app.exe+0x1045\""));
  ns_trace_unref (trace);
}

static void
test_filters_and_sentences_use_them (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  NsTrace *trace = new_trace ();
  NsCli cli = { .options = { .symbols = folder->root } };
  g_autoptr (NsFilter) filter =
      ns_filter_new (NS_TABLE_ACTIVITIES, "stack:app.exe!outer::*", NULL, NULL);
  g_autofree char *frame = NULL;

  ns_test_folder_write_pdb (folder, "app.pdb");
  g_assert_false (ns_filter_matches (filter, trace, 0));
  g_clear_pointer (&filter, ns_filter_free);
  ns_cli_symbols_give (&cli, trace);
  filter = ns_filter_new (NS_TABLE_ACTIVITIES, "stack:app.exe!outer::*", NULL, NULL);
  g_assert_true (ns_filter_matches (filter, trace, 0));
  frame = ns_trace_frame_to_name (trace, STITCH_PID, 0x7ff600001045, 10 * 1000000, TRUE);
  g_assert_cmpstr (frame, ==, "app.exe!outer::work+0x35");
  ns_trace_unref (trace);
}

static void
add_event (NsEtlWriter *writer, const NsGuid *provider, guint16 id, const GByteArray *payload)
{
  NsEtlWriterEvent event = {
    .raw = ns_etl_writer_get_base_raw (writer),
    .guid = *provider,
    .id = id,
    .version = 1,
    .pid = STITCH_PID,
    .tid = 1,
    .payload = payload,
  };

  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static void
assert_filter (const NsTrace *trace, const char *text, gboolean is_match)
{
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, NULL);

  g_assert_nonnull (filter);
  g_assert_cmpint (ns_filter_matches (filter, trace, 0), ==, is_match);
}

/* Two frames of the path are in JIT-compiled code. */
static void
test_managed_and_script_frames_have_names (void)
{
  static const NsEtlWriterOptions options = { 0 };
  static const NsGuid clr =
      NS_GUID_INIT (0xe13c0d23, 0xccbc, 0x4e12, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4);
  static const NsGuid script =
      NS_GUID_INIT (0x57277741, 0x3638, 0x4a4b, 0xbd, 0xba, 0x0a, 0xc6, 0xe4, 0x5d, 0xa5, 0x6c);
  NsEtlWriter *writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) method = g_byte_array_new ();
  g_autoptr (GByteArray) function = g_byte_array_new ();
  g_autoptr (GByteArray) source = g_byte_array_new ();
  g_autofree char *text = NULL;
  NsTrace *trace;

  stitch_script_write (writer, ROW);
  ns_etl_bytes_zero (method, 16);
  ns_etl_bytes_u64 (method, 0x7ff600001040);
  ns_etl_bytes_u32 (method, 0x20);
  ns_etl_bytes_zero (method, 8);
  ns_etl_bytes_wstr (method, "Shop.Cart");
  ns_etl_bytes_wstr (method, "Pay");
  add_event (writer, &clr, 143, method);
  ns_etl_bytes_zero (function, 8);
  ns_etl_bytes_u64 (function, 0x7ff600001120);
  ns_etl_bytes_u64 (function, 0x20);
  ns_etl_bytes_zero (function, 8);
  ns_etl_bytes_u64 (function, 5);
  ns_etl_bytes_u32 (function, 12);
  ns_etl_bytes_u32 (function, 1);
  ns_etl_bytes_wstr (function, "total");
  add_event (writer, &script, 9, function);
  ns_etl_bytes_u64 (source, 5);
  ns_etl_bytes_zero (source, 12);
  ns_etl_bytes_wstr (source, "https://shop.example.com/cart.js");
  add_event (writer, &script, 41, source);
  trace = stitch_trace_from_writer (writer);
  text = describe (trace, (char *) "");
  g_assert_nonnull (strstr (text, "\"Shop.Cart.Pay+0x5\""));
  g_assert_nonnull (strstr (text, "\"total (cart.js:12)\""));
  g_assert_nonnull (strstr (text,
                            "\"module\":\"cart.js\",\"rva\":null,\"symbol\":\"total\","
                            "\"offset\":3,\"file\":\"https://shop.example.com/cart.js\","
                            "\"line\":12"));
  assert_filter (trace, "stack:Shop.Cart.Pay", TRUE);
  assert_filter (trace, "stack:\"total (cart.js:12)\"", TRUE);
  assert_filter (trace, "stack:cart.js!*", TRUE);
  assert_filter (trace, "stack:Shop.Cart.Other", FALSE);
  ns_trace_unref (trace);
  ns_etl_writer_free (writer);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("_NT_SYMBOL_PATH");
  g_unsetenv ("_NT_ALT_SYMBOL_PATH");
  g_test_add_func ("/cli-symbols/frames-have-names", test_frames_have_names);
  g_test_add_func ("/cli-symbols/wrong-symbols-name-nothing", test_wrong_symbols_name_nothing);
  g_test_add_func ("/cli-symbols/filters-and-sentences-use-them",
                   test_filters_and_sentences_use_them);
  g_test_add_func ("/cli-symbols/managed-and-script-frames-have-names",
                   test_managed_and_script_frames_have_names);
  return g_test_run ();
}
