/* Tests bundles: rows, names, notes and view after a round trip, on a computer without symbols, and
 * from damaged archives.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-namer.h"
#include "export/ns-export-bundle.h"
#include "export/ns-view-file.h"
#include "stitch-fixture.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>

#define ROWS "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2; 30:3:NET 'S3; 40:9:NET 'S4"

static char *folder;

static char *
write_file (const char *name, const void *data, gsize size)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (
      g_file_set_contents_full (path, data, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  return path;
}

static NsTrace *
open_path (const char *path, GError **error)
{
  static const NsTraceOptions options = { .want_events = TRUE };

  return ns_trace_open (path, &options, NULL, NULL, error);
}

static NsTrace *
open_whole (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 16 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *path = NULL;

  stitch_images_write (writer);
  stitch_script_write (writer, ROWS);
  bytes = ns_etl_writer_finish (writer);
  path = write_file ("whole.etl", g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return open_path (path, NULL);
}

/* Makes every address a function of its own whose name needs escapes in the file. */
static gboolean
resolve (NsRow image, guint64 rva, gboolean is_return, NsExportSymbol *symbol, gpointer user_data)
{
  GString *name = user_data;

  g_string_printf (name, "ns::f<a,\tb>_%" G_GINT64_MODIFIER "x", rva);
  *symbol = (NsExportSymbol){ name->str, is_return ? 7 : 0, "C:\\src\\a.cpp", 44, "small > tiny" };
  return TRUE;
}

static GVariant *
view_new (guint n_notes, guint n_selected)
{
  g_autofree guint32 *selected = g_new (guint32, MAX (n_selected, 1));
  GVariantBuilder marks;
  GVariantDict dict;
  guint i;

  g_variant_dict_init (&dict, NULL);
  g_variant_builder_init (&marks, G_VARIANT_TYPE ("a(xxs)"));
  for (i = 0; i < n_notes; i++)
    g_variant_builder_add (&marks, "(xxs)", (gint64) 5, (gint64) 9, "here <it> waits");
  for (i = 0; i < n_selected; i++)
    selected[i] = 1;
  g_variant_dict_insert_value (&dict, "marks", g_variant_builder_end (&marks));
  g_variant_dict_insert (&dict, "visible", "(xx)", (gint64) 3, (gint64) 77);
  g_variant_dict_insert (&dict, "selected-table", "s", "activities");
  g_variant_dict_insert_value (
      &dict,
      "selected",
      g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, selected, n_selected, 4));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_byte_array_append (user_data, (const guint8 *) data, (guint) n_bytes);
  return TRUE;
}

static GByteArray *
try_to_pack (NsTrace *trace, GVariant *view, const guint32 *rows, gsize n_rows, GError **error)
{
  g_autoptr (GPtrArray) fields = ns_table_list_columns (NS_TABLE_ACTIVITIES);
  g_autoptr (GString) name = g_string_new (NULL);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  NsExportReport report = {
    .rows = { trace,
              NS_TABLE_ACTIVITIES,
              rows,
              n_rows,
              (const NsField *const *) fields->pdata,
              fields->len },
    .chains = { trace, resolve, name },
    .view = view,
  };

  return ns_export_bundle (&report, collect, out, error) ? g_steal_pointer (&out) : NULL;
}

static GByteArray *
pack (NsTrace *trace, const guint32 *rows, gsize n_rows)
{
  g_autoptr (GVariant) view = view_new (1, 1);
  g_autoptr (GError) error = NULL;
  GByteArray *out = try_to_pack (trace, view, rows, n_rows, &error);

  g_assert_no_error (error);
  return out;
}

static char *
chain_to_text (const NsTrace *trace, NsExportSymbolFunc func, gpointer data, guint32 row)
{
  NsExportChains chains = { trace, func, data };
  GString *text = g_string_new (NULL);

  ns_export_chain_append_json (&chains, row + 1, text);
  return g_string_free (text, FALSE);
}

static char *
read_member (const GByteArray *archive, const char *name)
{
  struct archive *reader = archive_read_new ();
  struct archive_entry *entry;
  char *text = NULL;

  archive_read_support_format_zip (reader);
  g_assert_cmpint (archive_read_open_memory (reader, archive->data, archive->len), ==, ARCHIVE_OK);
  while (text == NULL && archive_read_next_header (reader, &entry) == ARCHIVE_OK)
    if (g_strcmp0 (archive_entry_pathname (entry), name) == 0)
      {
        gsize size = (gsize) archive_entry_size (entry);

        text = g_malloc0 (size + 1);
        g_assert_cmpint (archive_read_data (reader, text, size), ==, (la_ssize_t) size);
      }
  archive_read_free (reader);
  return text;
}

static void
test_rows_names_notes_and_view_come_back (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (NsTrace) trace = open_whole ();
  g_autoptr (GByteArray) archive = pack (trace, rows, G_N_ELEMENTS (rows));
  g_autofree char *path = write_file ("hand.etl.zip", archive->data, archive->len);
  g_autoptr (GString) name = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) part = open_path (path, &error);
  g_autoptr (GVariant) sent = view_new (1, 1);
  g_autoptr (GVariant) view = NULL;
  g_autofree char *frame = NULL;
  guint32 row;

  g_assert_no_error (error);
  g_assert_cmpuint (part->activities->len, ==, G_N_ELEMENTS (rows));
  for (row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      g_autofree char *before = chain_to_text (trace, resolve, name, row);
      g_autofree char *with_spaces = NULL;
      g_autofree char *after = NULL;
      g_auto (GStrv) pieces = NULL;

      /* Tabs separate columns in the file. */
      pieces = g_strsplit (before, "\\t", -1);
      with_spaces = g_strjoinv (" ", pieces);
      after = chain_to_text (part, NULL, NULL, row);
      g_assert_cmpint (g_array_index (part->activities, NsActivityRow, row).open_ns,
                       ==,
                       g_array_index (trace->activities, NsActivityRow, row).open_ns);
      g_assert_nonnull (strstr (before, "ns::f<"));
      g_assert_cmpstr (after, ==, with_spaces);
    }
  /* Filters, sentences and call trees look up names this way. */
  g_assert_true (ns_trace_has_namer (part));
  frame = ns_trace_frame_to_name (part, STITCH_PID, 0x7ff600001045, 10 * 1000000, TRUE);
  g_assert_cmpstr (frame, ==, "app.exe!ns::f<a, b>_1045+0x7");

  view = ns_view_file_get_embedded (part);
  g_assert_nonnull (view);
  for (row = 0; row < 2; row++)
    {
      const char *key = row == 0 ? "marks" : "visible";
      g_autoptr (GVariant) one = g_variant_lookup_value (sent, key, NULL);
      g_autoptr (GVariant) two = g_variant_lookup_value (view, key, NULL);

      g_assert_true (g_variant_equal (one, two));
    }
}

/* A part with one row has other row numbers; the selection refers to the row by identity. */
static void
test_what_was_chosen_is_found_by_what_it_is (void)
{
  static const guint32 rows[] = { 1 };
  g_autoptr (NsTrace) trace = open_whole ();
  g_autoptr (GByteArray) archive = pack (trace, rows, 1);
  g_autofree char *path = write_file ("one.etl.zip", archive->data, archive->len);
  g_autoptr (NsTrace) part = open_path (path, NULL);
  g_autoptr (GVariant) view = ns_view_file_get_embedded (part);
  g_autoptr (GVariant) selected = g_variant_lookup_value (view, "selected", G_VARIANT_TYPE ("au"));
  guint32 row;

  g_assert_cmpuint (g_variant_n_children (selected), ==, 1);
  g_variant_get_child (selected, 0, "u", &row);
  g_assert_cmpint (g_array_index (part->activities, NsActivityRow, row).open_ns,
                   ==,
                   g_array_index (trace->activities, NsActivityRow, 1).open_ns);
}

static void
test_the_report_is_in_it_with_names_and_notes (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (NsTrace) trace = open_whole ();
  g_autoptr (GByteArray) archive = pack (trace, rows, 1);
  g_autofree char *page = read_member (archive, "report.html");

  g_assert_nonnull (page);
  g_assert_nonnull (strstr (page, "ns::f&lt;a,"));
  g_assert_nonnull (strstr (page, "here &lt;it&gt; waits"));
}

static gboolean
tells_damage (const NsTrace *trace)
{
  return ns_etl_file_get_report (trace->file)->damage->len > 0;
}

static gboolean
tells (const NsTrace *trace, const char *what)
{
  const GPtrArray *damage = ns_etl_file_get_report (trace->file)->damage;
  guint i;

  for (i = 0; i < damage->len; i++)
    if (strcmp (((const NsEtlDamage *) g_ptr_array_index (damage, i))->what, what) == 0)
      return damage->len == ns_etl_file_get_n_beside (trace->file);
  return FALSE;
}

/* Returns the offset of the central directory. */
static guint
find_directory (const GByteArray *archive)
{
  guint first = archive->len;
  guint at;

  for (at = 0; at + 4 <= archive->len && first == archive->len; at++)
    if (memcmp (archive->data + at, "PK\1\2", 4) == 0)
      first = at;
  return first;
}

/* A truncated archive opens with a report up to the truncation, or fails with a reason. */
static void
test_a_cut_one_opens_up_to_the_cut (void)
{
  static const guint32 rows[] = { 0, 1, 2 };
  g_autoptr (NsTrace) trace = open_whole ();
  g_autoptr (GByteArray) archive = pack (trace, rows, G_N_ELEMENTS (rows));
  guint n_opened = 0;
  guint n_named = 0;
  guint n_without_report = 0;
  guint size;

  for (size = 0; size < archive->len; size += 211)
    {
      g_autofree char *path = write_file ("cut.etl.zip", archive->data, size);
      g_autoptr (GError) error = NULL;
      g_autoptr (NsTrace) part = open_path (path, &error);

      if (part == NULL)
        {
          g_assert_nonnull (error);
          continue;
        }
      n_opened++;
      n_named += ns_embedded_labels_get_size (part->embedded_labels) > 0;
      /* The report is the last member: a truncation inside it loses no row and is reported as
       * well. */
      n_without_report += tells (part, "the hand-over is cut off: its report is missing");
      g_assert_true (tells_damage (part) || size > find_directory (archive));
    }
  g_assert_cmpuint (n_opened, >, 5);
  g_assert_cmpuint (n_without_report, >, 1);
  g_assert_cmpuint (n_named, ==, n_opened);
}

/* Writes a hand-made archive. */
static char *
write_zip (const char *names, gsize n_names, const char *view)
{
  struct archive *writer = archive_write_new ();
  g_autofree char *path = g_build_filename (folder, "made.etl.zip", NULL);
  g_autofree char *whole = g_build_filename (folder, "whole.etl", NULL);
  g_autofree char *trace = NULL;
  gsize n_trace;
  guint i;

  g_assert_true (g_file_get_contents (whole, &trace, &n_trace, NULL));
  archive_write_set_format_zip (writer);
  g_assert_cmpint (archive_write_open_filename (writer, path), ==, ARCHIVE_OK);
  for (i = 0; i < 3; i++)
    {
      struct archive_entry *entry = archive_entry_new ();
      const char *data = i == 0 ? names : i == 1 ? view : trace;
      gsize size = i == 0 ? n_names : i == 1 ? strlen (view) : n_trace;

      archive_entry_set_pathname (entry,
                                  i == 0   ? NS_ETL_COMPANION_NAMES_NAME
                                  : i == 1 ? NS_ETL_COMPANION_VIEW_NAME
                                           : "t.etl");
      archive_entry_set_filetype (entry, AE_IFREG);
      archive_entry_set_size (entry, (la_int64_t) size);
      g_assert_cmpint (archive_write_header (writer, entry), ==, ARCHIVE_OK);
      archive_write_data (writer, data, size);
      archive_entry_free (entry);
    }
  archive_write_free (writer);
  return g_steal_pointer (&path);
}

/* Invalid lines are skipped and the lines after them are read. */
static void
test_strange_names_harm_nobody (void)
{
  g_autoptr (NsTrace) trace = open_whole ();
  NsRow image = ns_trace_find_image (trace, STITCH_PID, 0x7ff600001045, 10 * 1000000);
  g_autofree char *identity = ns_embedded_labels_dup_identity (trace, image);
  g_autofree char *names = g_strdup_printf (NS_EMBEDDED_LABELS_HEAD
                                            "f\t1045\tr\t1\tnobody\n\n\t\t\t\nm\nm\ta\tb\nm\t%s\n"
                                            "f\t1045\nf\tffffffffffffffffff\tr\t0\tx\n"
                                            "f\t-1\tr\t0\tx\nf\t1045\tq\t0\tx\nf\t1045\tr\tzz\tx\n"
                                            "f\t1045\tr\t0\t\nf\t2000\tc\t2\tlater\t9\t-\t\xff\t!\n"
                                            "f\t1045\tr\t1f\tright\tx\tfile\nf\t10\tr\t0\tcut",
                                            identity);
  g_autofree char *path = write_zip (names, strlen (names), "not a view (");
  g_autoptr (NsTrace) opened = open_path (path, NULL);
  NsEmbeddedLabel name;

  g_assert_nonnull (opened);
  g_assert_null (ns_view_file_get_embedded (opened));
  g_assert_cmpuint (ns_embedded_labels_get_size (opened->embedded_labels), ==, 2);
  g_assert_cmpuint (ns_embedded_labels_count_image (opened, image), ==, 2);
  g_assert_cmpuint (ns_embedded_labels_count_image (opened, 0), ==, 0);
  g_assert_cmpuint (ns_embedded_labels_count_image (opened, G_MAXUINT32), ==, 0);
  g_assert_true (ns_trace_find_embedded_label (opened, image, 0x1045, TRUE, &name));
  g_assert_cmpstr (name.symbol, ==, "right");
  g_assert_cmpuint (name.offset, ==, 0x1f);
  g_assert_null (name.file);
  g_assert_false (ns_trace_find_embedded_label (opened, image, 0x1045, FALSE, &name));
  g_assert_true (ns_trace_find_embedded_label (opened, image, 0x2000, FALSE, &name));
  g_assert_true (g_utf8_validate (name.inlined, -1, NULL));
}

/* Control characters and line breaks in names are neutralized. */
static void
test_names_disturb_nothing (void)
{
  g_autoptr (NsTrace) trace = open_whole ();
  NsRow image = ns_trace_find_image (trace, STITCH_PID, 0x7ff600001045, 10 * 1000000);
  g_autofree char *identity = ns_embedded_labels_dup_identity (trace, image);
  g_autofree char *names =
      g_strdup_printf (NS_EMBEDDED_LABELS_HEAD
                       "m\t%s\nf\t1045\tr\t1\t\x1b[2Jf\xc2\x9b\t3\tC:\x07\t\rin\n",
                       identity);
  g_autofree char *path = write_zip (names, strlen (names), "");
  g_autoptr (NsTrace) opened = open_path (path, NULL);
  NsEmbeddedLabel name;

  g_assert_true (ns_trace_find_embedded_label (opened, image, 0x1045, TRUE, &name));
  g_assert_cmpstr (name.symbol, ==, " [2Jf  ");
  g_assert_cmpstr (name.file, ==, "C: ");
  g_assert_cmpstr (name.inlined, ==, " in");
}

/* An oversized or invalid view is reported, and the trace opens without it. */
static void
test_too_large_a_view_is_none (void)
{
  g_autoptr (NsTrace) trace = open_whole ();
  g_autofree char *view = g_strnfill (NS_ETL_MAX_VIEW_BYTES + 10, '[');
  g_autofree char *path = write_zip ("x", 1, view);
  g_autoptr (NsTrace) opened = open_path (path, NULL);

  g_assert_nonnull (opened);
  g_assert_null (opened->embedded_labels);
  g_assert_null (ns_view_file_get_embedded (opened));
  g_assert_true (tells_damage (opened));
}

static void
clean_up (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  /* Newer GLib keeps temporary files in a folder of the test, which is removed by then. */
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

static gboolean
refuse (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  guint *n_left = user_data;

  if (*n_left == 0)
    g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, "the disk is full");
  else
    --*n_left;
  return error == NULL || *error == NULL;
}

/* Any failed write is reported as the error and ends the export. */
static void
test_what_cannot_be_written_is_said (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (NsTrace) trace = open_whole ();
  NsExportReport report = { .rows = { trace, NS_TABLE_ACTIVITIES, rows, 1, NULL, 0 },
                            .chains = { trace } };
  guint n_before;

  for (n_before = 0; n_before < 100; n_before++)
    {
      g_autoptr (GError) error = NULL;
      guint n_left = n_before;

      if (ns_export_bundle (&report, refuse, &n_left, &error))
        break;
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE);
      g_assert_cmpuint (n_left, ==, 0);
    }
  g_assert_cmpuint (n_before, >, 0);
  g_assert_cmpuint (n_before, <, 100);
}

/* A view that exceeds the limit on reading drops the selection and keeps the notes. */
static void
test_no_view_is_larger_than_one_may_be (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (NsTrace) trace = open_whole ();
  g_autoptr (GVariant) selected = view_new (1, 60000);
  g_autoptr (GVariant) noted = view_new (10000, 1);
  g_autoptr (GByteArray) archive = try_to_pack (trace, selected, rows, 2, NULL);
  g_autofree char *path = write_file ("large.etl.zip", archive->data, archive->len);
  g_autoptr (NsTrace) part = open_path (path, NULL);
  g_autoptr (GVariant) view = ns_view_file_get_embedded (part);
  g_autoptr (GVariant) marks = g_variant_lookup_value (view, "marks", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_variant_n_children (marks), ==, 1);
  g_assert_null (try_to_pack (trace, noted, rows, 2, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  folder = g_dir_make_tmp ("netstitch-bundle-XXXXXX", NULL);
  g_test_add_func ("/bundle/rows-names-notes-and-view-come-back",
                   test_rows_names_notes_and_view_come_back);
  g_test_add_func ("/bundle/what-was-chosen-is-found-by-what-it-is",
                   test_what_was_chosen_is_found_by_what_it_is);
  g_test_add_func ("/bundle/the-report-is-in-it-with-names-and-notes",
                   test_the_report_is_in_it_with_names_and_notes);
  g_test_add_func ("/bundle/a-cut-one-opens-up-to-the-cut", test_a_cut_one_opens_up_to_the_cut);
  g_test_add_func ("/bundle/strange-names-harm-nobody", test_strange_names_harm_nobody);
  g_test_add_func ("/bundle/names-disturb-nothing", test_names_disturb_nothing);
  g_test_add_func ("/bundle/too-large-a-view-is-none", test_too_large_a_view_is_none);
  g_test_add_func ("/bundle/no-view-is-larger-than-one-may-be",
                   test_no_view_is_larger_than_one_may_be);
  g_test_add_func ("/bundle/what-cannot-be-written-is-said", test_what_cannot_be_written_is_said);
  status = g_test_run ();
  clean_up ();
  return status;
}
