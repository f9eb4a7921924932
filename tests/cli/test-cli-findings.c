/* Tests the verb findings: it builds the tables that rules need, API calls among them, and lists
 * the events that support findings on request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define ENDPOINT P (0xffff800000001000)
#define EVENT_SEND 1003

static char *
run_verb (const char *verb, const char *trace, const char *filter, const char *columns)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                              &error,
                              g_getenv ("NETSTITCH_CLI"),
                              verb,
                              trace,
                              "--filter",
                              filter,
                              "--columns",
                              columns,
                              NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  return output;
}

static char *
run (const char *trace, const char *filter, const char *columns)
{
  return run_verb ("findings", trace, filter, columns);
}

static void
report_small_sends (Story *story)
{
  guint i;

  story_socket (story, 10, ENDPOINT, 50000, "192.0.2.1:443");
  for (i = 0; i < 60; i++)
    {
      story->stack[0] = 0x7ff700001000;
      story->stack[1] = 0x7ff700002000;
      story_socket_bytes (story, 20 + i * 0.2, EVENT_SEND, ENDPOINT, 40);
    }
}

static void
write_small_sends (const char *trace)
{
  g_autoptr (Story) story = story_new ();

  report_small_sends (story);
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, trace, NULL));
}

static void
test_small_sends_are_found_in_the_calls (void)
{
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_autofree char *output = NULL;

  write_small_sends (trace);
  output = run (trace, "id=D22", "id,verdict,count");
  /* The count is that of connections; the number of sends is in the sentence. */
  g_assert_cmpstr (output, ==, "id\tverdict\tcount\nD22\tfound\t1\n");
  g_unlink (trace);
  g_rmdir (folder);
}

/* The evidence needs the table of events; the sentence must not depend on it. */
static void
test_sentences_are_the_same_without_the_events (void)
{
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_autofree char *alone = NULL;
  g_autofree char *with_events = NULL;
  const char *text;

  write_small_sends (trace);
  alone = run (trace, "id=D22", "text");
  with_events = run (trace, "id=D22", "evidence,text");
  text = strrchr (with_events, '\t') + 1;
  g_assert_cmpstr (strchr (alone, '\n') + 1, ==, text);
  g_assert_nonnull (strstr (text, "in direct succession, from 0x7ff700001000."));
  g_unlink (trace);
  g_rmdir (folder);
}

/* The calls are read only if they are needed. */
static void
test_operations_name_the_findings_of_the_calls (void)
{
  static const char *const options[][2] = { { "id>0", "finding" },
                                            { "finding=D22", "id" },
                                            { "Finding=D22", "id" } };
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  guint i;

  write_small_sends (trace);
  for (i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *output = run_verb ("activities", trace, options[i][0], options[i][1]);

      g_assert_cmpstr (output, ==, i == 0 ? "finding\nD22\n" : "id\n1\n");
    }
  g_unlink (trace);
  g_rmdir (folder);
}

/* The trace ends with open sockets from one call stack, which is reported as a leak. */
static void
test_sockets_that_nobody_closes_are_told_of_with_their_code (void)
{
  g_autoptr (Story) story = story_new ();
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_autofree char *output = NULL;
  guint i;

  for (i = 0; i < 120; i++)
    {
      gboolean is_leaked = i % 2 == 0;
      guint64 socket = ENDPOINT + i * 0x100;

      story->stack[0] = is_leaked ? 0x7ff700001000 : 0x7ff700002000;
      story->stack[1] = 0x7ff700003000;
      story->stack[2] = 0x7ff700004000;
      story_socket (story, 10 + i * 10, socket, 50000 + i, "192.0.2.1:443");
      if (!is_leaked)
        story_socket_close (story, 15 + i * 10, socket);
    }
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, trace, NULL));
  output = run (trace, "id=D33", "verdict,count,subject,text");
  g_assert_nonnull (strstr (output, "\nfound\t60\t0x7ff700001000\t"));
  g_assert_nonnull (strstr (output, "0x7ff700001000 opened 60 sockets and closed 0;"));
  g_unlink (trace);
  g_rmdir (folder);
}

/* The events are identified by the numbers that the verb prints. */
static void
test_a_filter_by_evidence_finds_the_findings_of_a_record (void)
{
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_autofree char *printed = NULL;
  g_autofree char *by_field = NULL;
  g_autofree char *by_word = NULL;
  g_autofree char *of_none = NULL;
  g_autofree char *filter = NULL;
  guint64 n;

  write_small_sends (trace);
  printed = run (trace, "id=D22", "evidence");
  n = g_ascii_strtoull (printed + strlen ("evidence\n"), NULL, 10);
  g_assert_cmpuint (n, >, 0);
  filter = g_strdup_printf ("evidence=%" G_GUINT64_FORMAT " id=D22", n);
  by_field = run (trace, filter, "id");
  g_assert_cmpstr (by_field, ==, "id\nD22\n");
  g_free (filter);
  filter = g_strdup_printf ("%" G_GUINT64_FORMAT " id=D22", n);
  by_word = run (trace, filter, "id");
  g_assert_cmpstr (by_word, ==, "id\nD22\n");
  of_none = run (trace, "evidence=4000000", "id");
  g_assert_cmpstr (of_none, ==, "id\n");
  g_unlink (trace);
  g_rmdir (folder);
}

/* Counts the records of the event table of a trace opened for a list. */
static guint
count_events (char *file, const NsCliList *list)
{
  char *files[] = { file, NULL };
  NsCli cli = { .options = { .files = files, .n_files = 1 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace = ns_cli_open_trace_for_list (&cli, list, &error);

  g_assert_no_error (error);
  return trace->events->len;
}

static void
test_records_are_kept_for_lists_that_ask_for_evidence (void)
{
  static const struct
  {
    NsCliList list;
    gboolean is_wanted;
  } asked[] = {
    { { .columns = "id,text" }, FALSE },
    { { .columns = "id,evidence" }, TRUE },
    { { .columns = "all" }, TRUE },
    { { .format = "json" }, TRUE },
    { { .format = "json", .columns = "id" }, FALSE },
    { { .columns = "id", .filter = "verdict=found" }, FALSE },
    { { .columns = "id", .filter = "verdict=found (count>5 or evidence=7)" }, TRUE },
    { { .columns = "id", .filter = "not evidence:none" }, TRUE },
    /* A search word matches in every text column. */
    { { .columns = "id", .filter = "outlook" }, FALSE },
    { { .columns = "id", .filter = "7" }, TRUE },
    { { .columns = "id", .sort = "-cost_ns,id" }, FALSE },
    { { .columns = "id", .sort = "id,-evidence" }, TRUE },
    { { .group_by = "severity", .columns = "evidence" }, FALSE },
    { { .group_by = "severity,evidence" }, TRUE },
  };
  g_autofree char *folder = g_dir_make_tmp ("findings-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  guint i;

  write_small_sends (trace);
  for (i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      NsCliList list = asked[i].list;
      g_autoptr (GError) error = NULL;

      g_test_message ("%u", i);
      list.table = NS_TABLE_FINDINGS;
      list.limit = list.offset = -1;
      g_assert_true (ns_cli_list_check (&list, &error));
      g_assert_no_error (error);
      g_assert_cmpint (ns_cli_list_wants_evidence (&list), ==, asked[i].is_wanted);
      g_assert_cmpint (count_events (trace, &list) > 0, ==, asked[i].is_wanted);
    }
  g_unlink (trace);
  g_rmdir (folder);
}

static gboolean
write_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static gboolean
go_on_cb (double fraction, gpointer user_data)
{
  gboolean *goes_on = user_data;

  return *goes_on;
}

static void
test_who_stops_the_search_for_evidence_gets_no_list (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  NsTrace *trace;
  gboolean goes_on = FALSE;
  NsCliList list = { .table = NS_TABLE_FINDINGS,
                     .format = "tsv",
                     .columns = "evidence",
                     .filter = "id=D22",
                     .limit = -1,
                     .offset = -1,
                     .progress = go_on_cb,
                     .progress_data = &goes_on };

  story->want_events = TRUE;
  report_small_sends (story);
  trace = story_open (story, 100);
  g_assert_false (ns_cli_list_print (&list, trace, write_cb, output, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED);
  g_assert_cmpstr (output->str, ==, "");
  g_clear_error (&error);
  goes_on = TRUE;
  g_assert_true (ns_cli_list_print (&list, trace, write_cb, output, &error));
  g_assert_true (g_ascii_isdigit (output->str[strlen ("evidence\n")]));
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-findings/small-sends-are-found-in-the-calls",
                   test_small_sends_are_found_in_the_calls);
  g_test_add_func ("/cli-findings/sentences-are-the-same-without-the-events",
                   test_sentences_are_the_same_without_the_events);
  g_test_add_func ("/cli-findings/operations-name-the-findings-of-the-calls",
                   test_operations_name_the_findings_of_the_calls);
  g_test_add_func ("/cli-findings/sockets-that-nobody-closes-are-told-of-with-their-code",
                   test_sockets_that_nobody_closes_are_told_of_with_their_code);
  g_test_add_func ("/cli-findings/a-filter-by-evidence-finds-the-findings-of-a-record",
                   test_a_filter_by_evidence_finds_the_findings_of_a_record);
  g_test_add_func ("/cli-findings/records-are-kept-for-lists-that-ask-for-evidence",
                   test_records_are_kept_for_lists_that_ask_for_evidence);
  g_test_add_func ("/cli-findings/who-stops-the-search-for-evidence-gets-no-list",
                   test_who_stops_the_search_for_evidence_gets_no_list);
  return g_test_run ();
}
