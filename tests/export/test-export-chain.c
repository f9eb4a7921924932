/* Tests stitched stacks as JSON and as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-chain.h"
#include "stitch-fixture.h"

#include <string.h>

#define A3 "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; "

static void
assert_json_has (const NsExportChains *chains, const char *const parts[])
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  ns_export_chain_append_json (chains, 1, text);
  for (i = 0; parts[i] != NULL; i++)
    if (strstr (text->str, parts[i]) == NULL)
      g_error ("%s\nhas no %s", text->str, parts[i]);
}

static void
test_json_has_columns_and_elements (void)
{
  static const char *const parts[] = {
    "{\"id\":1,\"first\":[\"app.exe+0xf010\",\"app.exe+0x1045\",\"app.exe+0x1123\"],\"middle\":[],",
    ",\"last\":[\"app.exe+0xf010\",\"app.exe+0x2045\",\"app.exe+0x2123\"],\"full\":[",
    "{\"seam\":\"> Pool Thread: WThreadPool Worker, TID Exec (below): 2\"},",
    "{\"kind\":null,\"subtype\":null,\"label\":null,\"tid_enqueue\":1,\"tid_run\":2,"
    "\"queued_ns\":null,\"omitted\":0,",
    "{\"kind\":\"WThreadPool\",\"subtype\":\"Worker\",\"label\":null,\"tid_enqueue\":null,"
    "\"tid_run\":2,\"queued_ns\":11000000,",
    "{\"address\":\"0x7ff600002123\",\"module\":\"app.exe\",\"rva\":\"0x2123\",\"symbol\":null,"
    "\"offset\":null,\"file\":null,\"line\":null,\"kernel\":false}]}]}",
    NULL
  };
  NsTrace *trace = stitch_trace_new (A3 "22:2:NET 'S2");
  NsExportChains chains = { .trace = trace };

  assert_json_has (&chains, parts);
  ns_trace_unref (trace);
}

static void
test_middle_stacks_are_lists_of_their_own (void)
{
  static const char *const parts[] = {
    "\"middle\":[[\"app.exe+0xf010\",\"app.exe+0x2045\",\"app.exe+0x2123\"],"
    "[\"app.exe+0xf010\",\"app.exe+0x3045\",\"app.exe+0x3123\"]],\"last\"",
    NULL
  };
  NsTrace *trace = stitch_trace_new (A3 "22:2:WE B y 'S2; 23:2:WX A x; 30:3:WD B y; 31:3:WS B y; "
                                        "32:3:WE C z 'S3; 33:4:WD C z; 34:4:WS C z; 35:4:NET 'S4");
  NsExportChains chains = { .trace = trace };

  assert_json_has (&chains, parts);
  ns_trace_unref (trace);
}

static void
test_one_stack_and_none (void)
{
  static const char *const one[] = {
    "{\"id\":1,\"first\":null,\"middle\":null,\"last\":[\"app.exe+0xf010\"",
    NULL
  };
  static const char *const none[] = { "\"first\":null,\"middle\":null,\"last\":null,\"full\":null,",
                                      "\"missing\":\"not enabled\",\"hidden\":0,\"frames\":[]}]}",
                                      NULL };
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");
  NsExportChains chains = { .trace = trace };

  assert_json_has (&chains, one);
  ns_trace_unref (trace);
  trace = stitch_trace_new ("10:1:NET");
  chains.trace = trace;
  assert_json_has (&chains, none);
  ns_trace_unref (trace);
}

static void
test_one_stack_may_be_the_first_too (void)
{
  static const char *const both[] = {
    "{\"id\":1,\"first\":[\"app.exe+0xf010\",\"app.exe+0x1045\",\"app.exe+0x1123\"],"
    "\"middle\":null,\"last\":[\"app.exe+0xf010\"",
    NULL
  };
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");
  NsExportChains chains = { .trace = trace };

  ns_view_context_set_chain_view (trace->view, NS_CHAIN_VIEW_SINGLE_TWICE);
  assert_json_has (&chains, both);
  ns_trace_unref (trace);
}

static gboolean
resolve_cb (NsRow image,
            guint64 rva,
            gboolean is_return,
            NsExportSymbol *symbol,
            gpointer user_data)
{
  if (rva != 0x1123)
    return FALSE;
  symbol->symbol = "Queue::Push \"it\"";
  symbol->offset = 0x1f;
  symbol->file = "c:\\src\\queue.cpp";
  symbol->line = 12;
  return TRUE;
}

static void
test_symbols_take_their_place (void)
{
  static const char *const parts[] = {
    "\"app.exe!Queue::Push \\\"it\\\"+0x1f\"]",
    "\"symbol\":\"Queue::Push "
    "\\\"it\\\"\",\"offset\":31,\"file\":\"c:\\\\src\\\\queue.cpp\",\"line\":12",
    "\"app.exe+0x1045\"",
    NULL
  };
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");
  NsExportChains chains = { trace, resolve_cb, NULL };
  g_autoptr (GString) text = g_string_new (NULL);

  assert_json_has (&chains, parts);
  ns_export_chain_append_text (&chains, 1, text);
  g_assert_cmpstr (text->str,
                   ==,
                   "1\n    app.exe+0xf010\n    app.exe+0x1045\n"
                   "    app.exe!Queue::Push \"it\"+0x1f\n");
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export-chain/json-has-columns-and-elements",
                   test_json_has_columns_and_elements);
  g_test_add_func ("/export-chain/middle-stacks-are-lists-of-their-own",
                   test_middle_stacks_are_lists_of_their_own);
  g_test_add_func ("/export-chain/one-stack-and-none", test_one_stack_and_none);
  g_test_add_func ("/export-chain/one-stack-may-be-the-first-too",
                   test_one_stack_may_be_the_first_too);
  g_test_add_func ("/export-chain/symbols-take-their-place", test_symbols_take_their_place);
  return g_test_run ();
}
