/* Tests stitched chains: repeated and circular ones, long ones, columns, titles, trimming, missing
 * stacks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain-images.h"
#include "engine/activities/ns-chain.h"
#include "engine/tasks/ns-runs.h"
#include "stitch-fixture.h"

#include <string.h>

#define RUNDOWN "0:1:RD 1 app0; 0:2:RD 2 ntdll; 0:3:RD 3 ntdll; "

/* Collapses @before and asserts the result. Letters are stacks, `.` is no stack, the last element
 * is the network operation; cuts appear as the number of removed elements. */
static void
assert_collapsed (const char *before, const char *after)
{
  NsChain chain = { g_array_new (FALSE, FALSE, sizeof (NsChainElement)) };
  g_autoptr (GString) text = g_string_new (NULL);
  const char *p;
  guint i;

  for (p = before; *p != '\0'; p++)
    {
      NsChainElement element = { .stack = *p == '.' ? 0 : (NsStackId) *p };

      g_array_append_val (chain.elements, element);
    }
  ns_chain_collapse (&chain);
  for (i = 0; i < chain.elements->len; i++)
    {
      const NsChainElement *element = &g_array_index (chain.elements, NsChainElement, i);

      g_string_append_c (text, element->stack == 0 ? '.' : (char) element->stack);
      if (element->omitted > 0)
        g_string_append_printf (text, "%u", element->omitted);
    }
  g_assert_cmpstr (text->str, ==, after);
  g_array_unref (chain.elements);
}

static void
test_repeated_cycles_are_left_out (void)
{
  assert_collapsed ("abcdefdefdefN", "abcdefN6");
  assert_collapsed ("abcdefdefdefghN", "abcdefg6hN");
  assert_collapsed ("aaN", "aN1");
  assert_collapsed ("aaaN", "aN2");
  assert_collapsed ("ababN", "abN2");
  assert_collapsed ("abababN", "abN4");
  assert_collapsed ("abcabcaN", "abcaN3");
  assert_collapsed ("abcbcbcaN", "abca4N");
  assert_collapsed ("aabbN", "ab1N1");
  assert_collapsed ("aabaaN", "ab1aN1");
  assert_collapsed ("abcabcxyxyN", "abcx3yN2");
  assert_collapsed ("..N", "..N");
  assert_collapsed ("a.a.N", "a.N2");
  assert_collapsed ("abN", "abN");
  assert_collapsed ("xaxbxcxN", "xaxbxcxN");
  assert_collapsed ("abcabcabdabcabcabdN", "abcabd3N9");
  assert_collapsed ("N", "N");
}

/* Limits of the search in long chains (ns-chain-collapse.c). */
#define LONG_CHAIN 2000
#define LONG_CHAIN_MAX_PERIOD 64
#define MAX_WORK 40000000

/* Returns the length after collapsing @n stacks that repeat with @period, after @n_others unique
 * stacks and before one last stack that is never removed. */
static guint
collapse (guint n_others, guint period, guint n)
{
  NsChain chain = { g_array_new (FALSE, TRUE, sizeof (NsChainElement)) };
  NsChainElement last = { .stack = 999999 };
  guint n_left;
  guint i;

  for (i = 0; i < n_others + n; i++)
    {
      NsChainElement element = { .stack =
                                     i < n_others ? 1000 + i : 10000 + (i - n_others) % period };

      g_array_append_val (chain.elements, element);
    }
  g_array_append_val (chain.elements, last);
  ns_chain_collapse (&chain);
  n_left = chain.elements->len;
  g_array_unref (chain.elements);
  return n_left;
}

static void
test_long_chains_have_short_cycles_only (void)
{
  const guint period = LONG_CHAIN_MAX_PERIOD;

  g_assert_cmpuint (collapse (LONG_CHAIN, period, 2 * period), ==, LONG_CHAIN + period + 1);
  g_assert_cmpuint (collapse (LONG_CHAIN, period + 1, 2 * (period + 1)),
                    ==,
                    LONG_CHAIN + 2 * (period + 1) + 1);
  /* In shorter chains long cycles are removed, too. */
  g_assert_cmpuint (collapse (LONG_CHAIN - 2 * (period + 1), period + 1, 2 * (period + 1)),
                    ==,
                    LONG_CHAIN - (period + 1) + 1);
}

/* The worst case: a chain of pairs, each a cycle of its own whose removal scans the whole chain.
 * Collapsing stops after MAX_WORK comparisons. */
static void
test_a_chain_costs_so_much_only (void)
{
  NsChain chain = { g_array_new (FALSE, TRUE, sizeof (NsChainElement)) };
  guint n_expected = LONG_CHAIN;
  guint64 work = 0;
  guint i;

  for (i = 0; i < LONG_CHAIN; i++)
    {
      NsChainElement element = { .stack = 1000 + i / 2 };

      g_array_append_val (chain.elements, element);
    }
  for (; work < MAX_WORK; n_expected--)
    work += (guint64) (n_expected - 1) * ((n_expected - 1) / 2);
  ns_chain_collapse (&chain);
  g_assert_cmpuint (chain.elements->len, ==, n_expected);
  g_assert_cmpuint (n_expected, >, LONG_CHAIN / 2);
  g_array_unref (chain.elements);
}

/* A callback that queues itself a thousand times is shown once. */
static void
test_a_callback_that_repeats_itself_is_shown_once (void)
{
  g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:WE A x 'S1; 11:2:WD A x; 12:2:WS A x; ");
  g_autofree char *thread_switch = NULL;
  NsTrace *trace;
  guint i;

  for (i = 0; i < 1000; i++)
    {
      guint ms = 20 + 10 * i;

      g_string_append_printf (script,
                              "%u:2:WE A x 'S2; %u:2:WX A x; %u:2:WD A x; %u:2:WS A x; ",
                              ms,
                              ms + 1,
                              ms + 2,
                              ms + 3);
    }
  g_string_append (script, "20000:2:NET 'S9");
  trace = stitch_trace_new (script->str);
  {
    g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, 1);
    const NsChainElement *elements = &g_array_index (chain->elements, NsChainElement, 0);

    g_assert_cmpuint (chain->elements->len, ==, 3);
    g_assert_cmpuint (elements[1].omitted, ==, 0);
    g_assert_cmpuint (elements[2].omitted, ==, 999);
    thread_switch = ns_chain_thread_switch_to_text (&elements[2]);
    g_assert_true (g_str_has_suffix (thread_switch, ", 999 stack(s) omitted for brevity."));
  }
  ns_trace_unref (trace);
}

/* Makes a trace of runs linked to each other; each run has a submission stack and a run stack. */
static NsTrace *
trace_of_links (guint n_runs, gboolean is_circle)
{
  NsTrace *trace = stitch_trace_new ("10:1:WE A x; 20:2:WD A x; 21:2:WS A x; 22:2:WX A x");
  guint i;

  for (i = 2; i <= n_runs; i++)
    {
      NsSubmission submission = *ns_runs_get_submission (trace->runs, 1);
      NsRun run = *ns_runs_get (trace->runs, 1);
      guint64 frame = 0x10000 + i;

      submission.link = i - 1;
      submission.stack = ns_stacks_add (trace->stacks, STITCH_PID, &frame, 1);
      g_array_append_val (trace->runs->submissions, submission);
      run.submission = trace->runs->submissions->len;
      g_array_append_val (trace->runs->runs, run);
    }
  if (is_circle)
    ns_runs_get_submission (trace->runs, 1)->link = n_runs;
  g_array_set_size (trace->runs->summaries, 0);
  ns_runs_summarize (trace->runs);
  return trace;
}

/* A long chain keeps its root and the elements next to the operation. */
static void
test_a_long_chain_keeps_its_root_and_what_is_near (void)
{
  NsTrace *trace = trace_of_links (5000, FALSE);
  g_autoptr (NsChain) chain = ns_chain_new (trace, 0, 9, 5000, 0);
  const NsChainElement *elements = &g_array_index (chain->elements, NsChainElement, 0);
  g_autofree char *thread_switch = NULL;
  guint n_frames;

  g_assert_cmpuint (chain->elements->len, ==, 4097);
  g_assert_cmpuint (elements[0].stack, ==, 0);
  g_assert_cmpuint (elements[0].omitted, ==, 0);
  g_assert_cmpuint (elements[1].omitted, ==, 904);
  g_assert_true (elements[1].truncated);
  g_assert_cmpuint (ns_stacks_get (trace->stacks, elements[1].stack, &n_frames)[0],
                    ==,
                    0x10000 + 906);
  g_assert_cmpuint (elements[4096].tid_run, ==, 9);
  thread_switch = ns_chain_thread_switch_to_text (&elements[1]);
  g_assert_true (g_str_has_suffix (thread_switch, ", 904 stack(s) omitted for brevity."));
  ns_trace_unref (trace);
}

static void
test_two_thousand_hops_are_all_there (void)
{
  NsTrace *trace = trace_of_links (2000, FALSE);
  g_autoptr (NsChain) chain = ns_chain_new (trace, 0, 9, 2000, 0);
  const NsRunSummary *summary = &g_array_index (trace->runs->summaries, NsRunSummary, 1999);

  g_assert_cmpuint (chain->elements->len, ==, 2001);
  g_assert_cmpuint (summary->n_hops, ==, 2000);
  g_assert_cmpuint (summary->n_stacks, ==, 1999);
  g_assert_cmpuint (summary->root, ==, 1);
  ns_trace_unref (trace);
}

/* Links that form a circle end where they repeat. */
static void
test_links_in_a_circle_end (void)
{
  NsTrace *trace = trace_of_links (5, TRUE);
  NsRunId run;

  for (run = 1; run <= 5; run++)
    {
      g_autoptr (NsChain) chain = ns_chain_new (trace, 0, 9, run, 0);

      g_assert_cmpuint (chain->elements->len, ==, 6);
    }
  ns_trace_unref (trace);

  trace = trace_of_links (1, TRUE);
  {
    g_autoptr (NsChain) chain = ns_chain_new (trace, 0, 9, 1, 0);

    g_assert_cmpuint (chain->elements->len, ==, 2);
  }
  ns_trace_unref (trace);
}

static void
write_row_cb (const NsChainRow *row, gpointer user_data)
{
  GString *text = user_data;

  if (text->len > 0)
    g_string_append (text, "; ");
  if (row->kind == NS_CHAIN_ROW_FRAME)
    g_string_append_printf (text, "%x", (guint) (row->address & 0xfffff));
  else
    g_string_append (text, row->text);
}

static void
assert_column (const NsTrace *trace, NsChainColumn column, const char *expected)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, 1);
  g_autoptr (GString) text = g_string_new (NULL);

  ns_chain_walk (chain, trace, column, write_row_cb, text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
assert_columns_in_view (const char *script, NsChainView view, const char *const expected[4])
{
  NsTrace *trace = stitch_trace_new (script);
  guint i;

  ns_view_context_set_chain_view (trace->view, view);
  for (i = 0; i < 4; i++)
    assert_column (trace, (NsChainColumn) i, expected[i]);
  ns_trace_unref (trace);
}

static void
assert_columns (const char *script, const char *const expected[4])
{
  assert_columns_in_view (script, NS_CHAIN_VIEW_DEFAULT, expected);
}

#define S1 "f010; 1045; 1123"
#define S2 "f010; 2045; 2123"
#define S3 "f010; 3045; 3123"

static void
test_four_columns (void)
{
  static const char *const one[] = { "One Stack >", "", S1, S1 };
  static const char *const none[] = { "", "", "", "" };
  static const char *const
      two[] = { S1, "", S2, S1 "; > Pool Thread: WThreadPool Worker, TID Exec (below): 2; " S2 };
  static const char *const three[] = {
    S1,
    "> Pool Thread: WThreadPool Worker, TID Enqueue (below): 2, TID Exec (next): 3; " S2,
    S3,
    S1 "; > Pool Thread: WThreadPool Worker, TID Enqueue (below): 2, TID Exec (next): 3; " S2
       "; > Pool Thread: WThreadPool Worker, TID Exec (below): 3; " S3
  };
  static const char *const no_first[] = {
    "Missing Stackwalk",
    "",
    S2,
    "> Thread: TID Enqueue (missing stack): 1, TID Exec (next): 2; "
    "> Pool Thread: WThreadPool Worker, TID Exec (below): 2; " S2
  };
  static const char *const no_last[] = {
    S1,
    "",
    "Missing Stackwalk",
    S1 "; > Pool Thread: WThreadPool Worker, TID Exec (missing stack): 2"
  };
  static const char *const thread[] = { S1, "", S2, S1 "; > Thread: TID Exec (below): 5; " S2 };

  assert_columns ("10:1:NET 'S1", one);
  assert_columns ("10:1:NET", none);
  assert_columns ("10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2", two);
  assert_columns ("10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:WE B y 'S2; 23:2:WX A x; "
                  "30:3:WD B y; 31:3:WS B y; 32:3:NET 'S3",
                  three);
  assert_columns ("10:1:WE A x; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2", no_first);
  assert_columns ("10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET", no_last);
  assert_columns (RUNDOWN "10:1:TC 5 app1 'S1; 20:5:NET 'S2", thread);
}

static void
test_a_single_stack_may_stand_twice (void)
{
  static const char *const twice[] = { S1, "", S1, S1 };
  static const char *const none[] = { "", "", "", "" };

  assert_columns_in_view ("10:1:NET 'S1", NS_CHAIN_VIEW_SINGLE_TWICE, twice);
  assert_columns_in_view ("10:1:NET", NS_CHAIN_VIEW_SINGLE_TWICE, none);
}

/* Asserts the number of hidden frames. One letter per frame, leaf first: n is ntdll, a the
 * application, k the kernel, ? an unknown module. */
static void
assert_hidden_in_view (const char *frames, NsChainView view, guint expected)
{
  NsTrace *trace = stitch_trace_new ("10:1:NET");
  guint64 addresses[16];
  guint n = (guint) strlen (frames);
  guint i;

  ns_view_context_set_chain_view (trace->view, view);
  for (i = 0; i < n; i++)
    addresses[i] = (frames[i] == 'n'   ? 0x7ffa00000000
                    : frames[i] == 'a' ? 0x7ff600000000
                    : frames[i] == 'k' ? 0xfffff80000000000
                                       : 0x1000) +
                   0x100 + i;
  {
    NsStackId stack = ns_stacks_add (trace->stacks, STITCH_PID, addresses, n);
    g_autoptr (NsChain) chain = ns_chain_new (trace, stack, 1, 0, 0);

    g_assert_cmpuint (g_array_index (chain->elements, NsChainElement, 0).n_hidden_leaf,
                      ==,
                      expected);
  }
  ns_trace_unref (trace);
}

static void
assert_hidden (const char *frames, guint expected)
{
  assert_hidden_in_view (frames, NS_CHAIN_VIEW_DEFAULT, expected);
}

static void
test_tracing_frames_are_hidden (void)
{
  assert_hidden ("nnnaa", 3);
  assert_hidden ("nnnnaa", 0);
  assert_hidden ("nnna", 0);
  assert_hidden ("knnnaa", 0);
  assert_hidden ("nnnna", 3);
  assert_hidden ("nnn?a?", 3);
}

static void
test_tracing_frames_may_be_shown (void)
{
  assert_hidden_in_view ("nnnaa", NS_CHAIN_VIEW_TRACING, 0);
  assert_hidden ("nnnaa", 3);
}

/* A frame without symbols is shown as module and offset, or as an address. */
static void
test_a_frame_without_a_name_is_its_place (void)
{
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");
  g_autofree char *known = ns_trace_frame_to_text (trace, STITCH_PID, 0x7ff600000123, 2000000);
  g_autofree char *unknown = ns_trace_frame_to_text (trace, STITCH_PID, 0x1000, 2000000);
  g_autofree char *of_nobody = ns_trace_frame_to_text (trace, 12345, 0x7ff600000123, 2000000);

  g_assert_cmpstr (known, ==, "app.exe+0x123");
  g_assert_cmpstr (unknown, ==, "0x1000");
  g_assert_cmpstr (of_nobody, ==, "0x7ff600000123");
  ns_trace_unref (trace);
}

static void
assert_missing (const char *script, guint element, NsStackMissing expected)
{
  NsTrace *trace = stitch_trace_new (script);
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, 1);

  g_assert_cmpint (g_array_index (chain->elements, NsChainElement, element).missing, ==, expected);
  ns_trace_unref (trace);
}

/* A stack counts as lost only if the trace lost events at that time. */
static void
test_a_stack_is_lost_where_events_were (void)
{
  static const struct
  {
    guint32 events_lost;
    guint32 buffers_lost;
    const char *script;
    NsStackMissing expected;
  } cases[] = {
    { 0, 0, "10:1:NET; 11:1:NET 'S1", NS_STACK_UNKNOWN },
    { 3, 0, "10:1:NET; 11:1:NET 'S1", NS_STACK_LOST },
    { 0, 1, "10:1:NET; 11:1:NET 'S1", NS_STACK_LOST },
    { 3, 0, "10:1:NET", NS_STACK_NOT_ENABLED },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const NsEtlWriterOptions options = { .n_processors = 16,
                                           .events_lost = cases[i].events_lost,
                                           .buffers_lost = cases[i].buffers_lost };
      g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
      g_autoptr (NsTrace) trace = NULL;
      g_autoptr (NsChain) chain = NULL;

      stitch_images_write (writer);
      stitch_script_write (writer, cases[i].script);
      trace = stitch_trace_from_writer (writer);
      chain = ns_chain_new_for_activity (trace, 1);
      g_assert_cmpint (g_array_index (chain->elements, NsChainElement, 0).missing,
                       ==,
                       cases[i].expected);
    }
}

static void
test_a_missing_stack_says_why (void)
{
  assert_missing ("10:1:NET", 0, NS_STACK_NOT_ENABLED);
  assert_missing ("10:1:NET; 11:1:NET 'S1", 0, NS_STACK_UNKNOWN);
  assert_missing ("10:1:NET 'S1", 0, NS_STACK_PRESENT);
  assert_missing ("10:1:WE A x; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2",
                  0,
                  NS_STACK_NOT_STACK_ENABLED);
  assert_missing ("9:1:WE A y 'S1; 10:1:WE A x; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2",
                  0,
                  NS_STACK_UNKNOWN);
  assert_missing ("20:2:HS c a 2; 21:2:NET 'S2", 0, NS_STACK_UNKNOWN);
}

static void
test_images_of_what_leads_to_rows_are_listed (void)
{
  NsTrace *trace = stitch_trace_new ("9:1:WE B z 'S7; 10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; "
                                     "22:2:NET 'S2; 23:2:NET 'S2");
  g_autoptr (GArray) images = ns_chain_list_images (trace);
  const NsChainImage *first = &g_array_index (images, NsChainImage, 0);

  /* Two stacks of three frames; the one of address z has no predecessor. */
  g_assert_cmpuint (images->len, ==, 1);
  g_assert_cmpuint (first->n_frames, ==, 6);
  g_assert_cmpstr (ns_trace_text (trace,
                                  g_array_index (trace->images, NsImageRow, first->image - 1).name),
                   ==,
                   "app.exe");
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chain/long-chains-have-short-cycles-only",
                   test_long_chains_have_short_cycles_only);
  g_test_add_func ("/chain/a-chain-costs-so-much-only", test_a_chain_costs_so_much_only);
  g_test_add_func ("/chain/repeated-cycles-are-left-out", test_repeated_cycles_are_left_out);
  g_test_add_func ("/chain/a-callback-that-repeats-itself-is-shown-once",
                   test_a_callback_that_repeats_itself_is_shown_once);
  g_test_add_func ("/chain/a-frame-without-a-name-is-its-place",
                   test_a_frame_without_a_name_is_its_place);
  g_test_add_func ("/chain/a-long-chain-keeps-its-root-and-what-is-near",
                   test_a_long_chain_keeps_its_root_and_what_is_near);
  g_test_add_func ("/chain/two-thousand-hops-are-all-there", test_two_thousand_hops_are_all_there);
  g_test_add_func ("/chain/links-in-a-circle-end", test_links_in_a_circle_end);
  g_test_add_func ("/chain/four-columns", test_four_columns);
  g_test_add_func ("/chain/a-single-stack-may-stand-twice", test_a_single_stack_may_stand_twice);
  g_test_add_func ("/chain/tracing-frames-may-be-shown", test_tracing_frames_may_be_shown);
  g_test_add_func ("/chain/tracing-frames-are-hidden", test_tracing_frames_are_hidden);
  g_test_add_func ("/chain/a-stack-is-lost-where-events-were",
                   test_a_stack_is_lost_where_events_were);
  g_test_add_func ("/chain/a-missing-stack-says-why", test_a_missing_stack_says_why);
  g_test_add_func ("/chain/images-of-what-leads-to-rows-are-listed",
                   test_images_of_what_leads_to_rows_are_listed);
  return g_test_run ();
}
