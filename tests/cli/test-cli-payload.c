/* Tests the verb payload: bytes sent and received, decoded or as recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define REQUEST "GET /a?token=alpha HTTP/1.1\r\nHost: a\r\n\r\n"
#define ANSWER                                                                                     \
  "HTTP/1.1 200 OK\r\nSet-Cookie: bravo\r\nTransfer-Encoding: chunked\r\n"                         \
  "Content-Type: text/plain; charset=UTF-16LE\r\n\r\n"

/* Writes the trace and runs the verb payload; @arguments is separated by spaces. */
static char *
run (const char *arguments, int *status)
{
  static const char body[] = "6\r\nh\0\xfc\0\xe4\0\r\n0\r\n\r\n";
  g_autoptr (Story) story = story_new ();
  g_autofree char *folder = g_dir_make_tmp ("payload-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "made.etl", NULL);
  g_auto (GStrv) given = g_strsplit (arguments, " ", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  story_tcp_connect (story, 10, P (0xffffaa0000001000), STORY_HERE, STORY_THERE);
  story_segment (story, 11, FALSE, 0, REQUEST, strlen (REQUEST));
  story_segment (story, 12, TRUE, 0, ANSWER, strlen (ANSWER));
  story_segment (story, 13, TRUE, (guint) strlen (ANSWER), body, sizeof body - 1);
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, trace, NULL));
  g_strv_builder_add_many (builder, g_getenv ("NETSTITCH_CLI"), "payload", trace, NULL);
  g_strv_builder_addv (builder, (const char **) given);
  words = g_strv_builder_end (builder);
  process = g_subprocess_newv ((const char *const *) words,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                               &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_no_error (error);
  *status = g_subprocess_get_exit_status (process);
  g_unlink (trace);
  g_rmdir (folder);
  return output;
}

static void
assert_printed (const char *arguments, const char *expected)
{
  int status;
  g_autofree char *output = run (arguments, &status);

  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (output, ==, expected);
}

static void
test_bodies_are_decoded (void)
{
  assert_printed (
      "--row 1 --format jsonl",
      "{\"row\":1,\"kind\":\"sent\",\"time_ns\":11000000,"
      "\"name\":\"10.0.0.5:50001 → 1.2.3.4:80\",\"bytes\":0,\"codings\":null,\"charset\":null,"
      "\"whole\":true,\"state\":\"decoded\",\"head\":\"GET /a?token=… HTTP/1.1\\r\\nHost: a\","
      "\"text\":null,\"hex\":\"\"}\n"
      "{\"row\":1,\"kind\":\"received\",\"time_ns\":12000000,"
      "\"name\":\"1.2.3.4:80 → 10.0.0.5:50001\",\"bytes\":16,\"codings\":\"chunked\","
      "\"charset\":\"UTF-16LE\",\"whole\":true,\"state\":\"decoded\","
      "\"head\":\"HTTP/1.1 200 OK\\r\\nSet-Cookie: …\\r\\nTransfer-Encoding: chunked\\r\\n"
      "Content-Type: text/plain; charset=UTF-16LE\",\"text\":\"hüä\",\"hex\":\"6800fc00e400\"}\n");
}

static void
test_text_is_for_people (void)
{
  assert_printed ("--format text",
                  "1  sent  0.011000 s  10.0.0.5:50001 → 1.2.3.4:80  0 → 0 bytes\n"
                  "GET /a?token=… HTTP/1.1\nHost: a\n\n\n"
                  "1  received  0.012000 s  1.2.3.4:80 → 10.0.0.5:50001  chunked  UTF-16LE"
                  "  16 → 6 bytes\n"
                  "HTTP/1.1 200 OK\nSet-Cookie: …\nTransfer-Encoding: chunked\n"
                  "Content-Type: text/plain; charset=UTF-16LE\n\nhüä\n\n");
}

static void
test_bytes_are_as_recorded_but_for_secrets (void)
{
  assert_printed ("--table packets --rows 3 --raw --format tsv",
                  "row\tkind\ttime_ns\ttable\tsource_row\tname\tbytes\thex\n"
                  "3\treceived\t13000000\tpackets\t3\t1.2.3.4:80 → 10.0.0.5:50001\t16\t"
                  "360d0a6800fc00e4000d0a300d0a0d0a\n");
}

static void
test_secrets_are_printed_only_when_asked_for (void)
{
  int status;
  g_autofree char *hidden = run ("--raw --format text", &status);
  g_autofree char *shown = run ("--raw --format text --include-secrets", &status);

  /* Eight bytes per line: "GET /a?t", "oken=alp". */
  g_assert_nonnull (strstr (hidden, "6f 6b 65 6e 3d 2a 2a 2a  oken=***\n"));
  g_assert_null (strstr (hidden, "bravo"));
  g_assert_nonnull (strstr (shown, "oken=alp\n"));
  g_assert_nonnull (strstr (shown, "Set-Cookie: bravo"));
}

static void
test_no_more_is_printed_than_is_asked_for (void)
{
  int status;
  g_autofree char *none = run ("--raw --max-payload 0 --format tsv", &status);
  g_autofree char *some =
      run ("--raw --max-payload 1 --format tsv --table packets --rows 3", &status);

  g_assert_cmpstr (none, ==, "row\tkind\ttime_ns\ttable\tsource_row\tname\tbytes\thex\n");
  g_assert_nonnull (strstr (some, "360d0a6800fc00e4000d0a300d0a0d0a"));
}

static void
test_a_table_that_is_none_is_wrong_usage (void)
{
  int status;
  g_autofree char *output = run ("--table nothing", &status);

  g_assert_cmpint (status, ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/cli-payload/bodies-are-decoded", test_bodies_are_decoded);
  g_test_add_func ("/cli-payload/text-is-for-people", test_text_is_for_people);
  g_test_add_func ("/cli-payload/bytes-are-as-recorded-but-for-secrets",
                   test_bytes_are_as_recorded_but_for_secrets);
  g_test_add_func ("/cli-payload/secrets-are-printed-only-when-asked-for",
                   test_secrets_are_printed_only_when_asked_for);
  g_test_add_func ("/cli-payload/no-more-is-printed-than-is-asked-for",
                   test_no_more_is_printed_than_is_asked_for);
  g_test_add_func ("/cli-payload/a-table-that-is-none-is-wrong-usage",
                   test_a_table_that_is_none_is_wrong_usage);
  return g_test_run ();
}
