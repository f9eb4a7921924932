/* Tests saving and restoring the view of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-view-file.h"
#include "model/ns-log-clocks.h"
#include "model/ns-losses.h"
#include "model/ns-pair-clock.h"

#include <glib/gstdio.h>
#include <string.h>

static NsTrace *
open_sample (const char *path)
{
  NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_open (path, &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

static GVariant *
view_new (gint64 begin_ns)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "filter", "s", "failed=true");
  g_variant_dict_insert (&dict, "begin", "x", begin_ns);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static void
test_a_view_comes_back (void)
{
  g_autoptr (GVariant) view = view_new (42);
  g_autoptr (GVariant) back = NULL;
  g_autoptr (GError) error = NULL;
  const char *filter = NULL;
  gint64 begin_ns = 0;

  g_assert_null (ns_view_file_read ("one"));
  g_assert_true (ns_view_file_write ("one", view, &error));
  g_assert_no_error (error);
  back = ns_view_file_read ("one");
  g_assert_nonnull (back);
  g_assert_true (g_variant_lookup (back, "filter", "&s", &filter));
  g_assert_cmpstr (filter, ==, "failed=true");
  g_assert_true (g_variant_lookup (back, "begin", "x", &begin_ns));
  g_assert_cmpint (begin_ns, ==, 42);
  g_assert_null (ns_view_file_read ("other"));
  ns_view_file_forget ("one");
  g_assert_null (ns_view_file_read ("one"));
}

#define MAX_BYTES (1 << 20)

static void
test_a_view_is_so_long_only (void)
{
  g_autoptr (GVariant) view = view_new (42);
  g_autofree char *path =
      g_build_filename (g_get_user_state_dir (), "netstitch", "views", "long.view", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GVariant) longest = NULL;
  gsize size;

  g_assert_true (ns_view_file_write ("long", view, NULL));
  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  text = g_realloc (text, MAX_BYTES + 1);
  memset (text + size, ' ', MAX_BYTES + 1 - size);
  g_assert_true (g_file_set_contents (path, text, MAX_BYTES, NULL));
  longest = ns_view_file_read ("long");
  g_assert_nonnull (longest);
  g_assert_true (g_file_set_contents (path, text, MAX_BYTES + 1, NULL));
  g_assert_null (ns_view_file_read ("long"));
  ns_view_file_forget ("long");
}

static void
test_what_is_no_view_is_none (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "netstitch", "views", NULL);
  g_autofree char *path = g_build_filename (folder, "bad.view", NULL);
  static const char *const texts[] = {
    "", "not a view", "{'version': <2>}", "{'filter': <'x'>}", "[1, 2]", "{'version': <'1'>}",
  };
  guint i;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_assert_null (ns_view_file_read ("bad"));
    }
}

static void
test_a_copy_is_the_same_trace (void)
{
  const char *path = g_getenv ("NETSTITCH_SAMPLE");
  g_autofree char *copy = g_build_filename (g_get_user_state_dir (), "other name.etl", NULL);
  g_autofree char *bytes = NULL;
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *cut = NULL;
  NsTrace *trace = open_sample (path);
  gsize length;

  one = ns_view_file_identify (trace);
  ns_trace_unref (trace);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_cmpint (g_mkdir_with_parents (g_get_user_state_dir (), 0700), ==, 0);
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) length, NULL));
  trace = open_sample (copy);
  two = ns_view_file_identify (trace);
  ns_trace_unref (trace);
  g_assert_cmpstr (one, ==, two);
  /* A truncated trace is another one: its rows have other numbers. */
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) length / 2, NULL));
  trace = open_sample (copy);
  cut = ns_view_file_identify (trace);
  ns_trace_unref (trace);
  g_assert_cmpstr (one, !=, cut);
}

/* Writes a capture of one packet of two bytes, dated like the sample. */
static char *
write_capture (void)
{
  static const guint32 words[] = { 0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1, 1524477600, 0, 2, 2 };
  guint8 bytes[sizeof words + 2] = { 0 };
  char *path = g_build_filename (g_get_user_state_dir (), "beside.pcap", NULL);

  memcpy (bytes, words, sizeof words);
  g_assert_cmpint (g_mkdir_with_parents (g_get_user_state_dir (), 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, (const char *) bytes, sizeof bytes, NULL));
  return path;
}

static NsTrace *
open_beside (const char *capture, const char *offsets)
{
  const char *const beside[] = { capture, NULL };
  NsTraceOptions options = { .beside = beside, .offsets = offsets };
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);

  g_assert_nonnull (trace);
  return trace;
}

static void
test_corrected_clocks_are_kept_with_the_view (void)
{
  g_autofree char *capture = write_capture ();
  NsTrace *plain = open_beside (capture, NULL);
  NsTrace *moved = open_beside (capture, "beside.pcap=3600.5");
  g_autofree char *key = ns_view_file_identify (plain);
  g_autofree char *other = ns_view_file_identify (moved);
  g_autofree char *listed = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *wanted = NULL;
  g_autofree char *expected = g_strdup_printf ("%s=3600.5\n", capture);
  g_autofree char *said = g_strdup_printf ("%s=0\n", capture);
  NsLogClock changed = { capture, 0, NULL };
  g_auto (GVariantDict) view = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) kept = NULL;

  /* The times changed, but it is still the same trace. */
  g_assert_cmpint (plain->end_ns, !=, moved->end_ns);
  g_assert_cmpstr (key, ==, other);
  ns_log_clocks_list (moved, NULL, &listed, &columns);
  g_assert_cmpstr (listed, ==, expected);
  g_free (listed);
  g_free (columns);
  ns_log_clocks_list (moved, &changed, &listed, &columns);
  g_assert_cmpstr (listed, ==, said);

  g_assert_null (ns_log_clocks_find_inputs (plain, NULL));
  ns_log_clocks_save (moved, &view);
  kept = g_variant_ref_sink (g_variant_dict_end (&view));
  g_assert_true (ns_view_file_write (key, kept, NULL));
  wanted = ns_log_clocks_find_inputs (plain, NULL);
  g_assert_cmpstr (wanted, ==, expected);
  g_assert_null (ns_log_clocks_find_inputs (moved, NULL));
  /* Explicit clock settings override stored ones. */
  g_assert_null (ns_log_clocks_find_inputs (plain, said));
  ns_trace_unref (plain);
  ns_trace_unref (moved);
}

/* In either order of the two traces. */
static void
test_a_clock_set_by_hand_is_kept_with_both_traces (void)
{
  NsTrace *one = open_sample (g_getenv ("NETSTITCH_SAMPLE"));
  NsTrace *other = open_sample (g_getenv ("NETSTITCH_SAMPLE"));
  NsTrace *third = open_sample (g_getenv ("NETSTITCH_SAMPLE"));
  const gint64 said_ns = -1690000123;
  gint64 kept_ns = 0;

  /* Traces of other machines have other numbers of records. */
  other->n_records += 1;
  third->n_records += 2;
  g_assert_false (ns_pair_clock_read (one, other, &kept_ns));
  ns_pair_clock_write (one, other, &said_ns);
  g_assert_true (ns_pair_clock_read (one, other, &kept_ns));
  g_assert_cmpint (kept_ns, ==, said_ns);
  g_assert_true (ns_pair_clock_read (other, one, &kept_ns));
  g_assert_cmpint (kept_ns, ==, -said_ns);
  g_assert_false (ns_pair_clock_read (one, third, &kept_ns));
  g_assert_false (ns_pair_clock_read (third, other, &kept_ns));
  ns_pair_clock_write (other, one, NULL);
  g_assert_false (ns_pair_clock_read (one, other, &kept_ns));
  ns_trace_unref (one);
  ns_trace_unref (other);
  ns_trace_unref (third);
}

static void
test_a_trace_that_tells_of_no_loss_has_none (void)
{
  NsTrace *trace = open_sample (g_getenv ("NETSTITCH_SAMPLE"));
  g_autoptr (GArray) moments = ns_losses_find (trace);

  g_assert_cmpuint (moments->len, ==, 0);
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-view-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-file/a-view-comes-back", test_a_view_comes_back);
  g_test_add_func ("/view-file/a-view-is-so-long-only", test_a_view_is_so_long_only);
  g_test_add_func ("/view-file/what-is-no-view-is-none", test_what_is_no_view_is_none);
  g_test_add_func ("/view-file/a-copy-is-the-same-trace", test_a_copy_is_the_same_trace);
  g_test_add_func ("/view-file/corrected-clocks-are-kept-with-the-view",
                   test_corrected_clocks_are_kept_with_the_view);
  g_test_add_func ("/view-file/a-clock-set-by-hand-is-kept-with-both-traces",
                   test_a_clock_set_by_hand_is_kept_with_both_traces);
  g_test_add_func ("/view-file/a-trace-that-tells-of-no-loss-has-none",
                   test_a_trace_that_tells_of_no_loss_has_none);
  return g_test_run ();
}
