/* Tests the redacted export of a session: its preview agrees with the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-export-job.h"
#include "model/ns-session.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  NsSession *session;
  char *folder;
} World;

static void
world_init (World *world)
{
  const NsTraceOptions options = { .want_events = TRUE };
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);

  g_assert_nonnull (trace);
  world->session = ns_session_new (trace, NULL);
  world->folder = g_dir_make_tmp ("export-XXXXXX", NULL);
}

static void
world_clear (World *world)
{
  /* No other file was left. */
  g_assert_cmpint (g_rmdir (world->folder), ==, 0);
  g_free (world->folder);
  g_object_unref (world->session);
}

static NsExportJob *
make_job (World *world, NsTableId table, const char *form)
{
  g_autoptr (GPtrArray) fields = ns_export_list_columns (table, NS_EXPORT_HTML);
  const NsSessionExport what = { .table = table,
                                 .rows = NS_SESSION_ALL_ROWS,
                                 .fields = fields,
                                 .form = form,
                                 .picture = "<svg>mail.example.com</svg>",
                                 .has_bodies = TRUE,
                                 .is_redacted = TRUE };

  return ns_export_job_new (world->session, &what);
}

static char *
make_path (World *world, const char *form)
{
  return g_strconcat (world->folder, "/rows", form, NULL);
}

typedef struct
{
  NsRedact *redact;
  GError *error;
  gboolean is_done;
} Looked;

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Looked *looked = user_data;

  looked->redact = ns_export_job_look_finish (NS_EXPORT_JOB (source), result, &looked->error);
  looked->is_done = TRUE;
}

static Looked
look (NsExportJob *job, GCancellable *cancellable)
{
  Looked looked = { NULL, NULL, FALSE };

  ns_export_job_look_async (job, cancellable, looked_cb, &looked);
  while (!looked.is_done)
    g_main_context_iteration (NULL, TRUE);
  return looked;
}

/* Counts whole words: `server-1` does not occur in `server-12`. */
static guint
count_words (const char *text, const char *word)
{
  const char *at = text;
  guint n = 0;

  while ((at = strstr (at, word)) != NULL)
    {
      at += strlen (word);
      n += !g_ascii_isdigit (*at);
    }
  return n;
}

/* Asserts that each listed pseudonym occurs as often as listed, and that no listed name occurs. */
static void
check_list (const NsRedact *redact, const char *text, const char *form)
{
  guint n_names = 0;
  guint kind;
  guint i;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    for (i = 0; i < ns_redact_get_names (redact, kind)->len; i++)
      {
        const NsRedactName *name = g_ptr_array_index (ns_redact_get_names (redact, kind), i);

        g_test_message ("%s: %s", form, name->text);
        g_assert_cmpuint (count_words (text, name->stand_in), ==, name->n_places);
        g_assert_null (strstr (text, name->text));
        n_names++;
      }
  g_assert_cmpuint (n_names, >, 10);
}

static void
test_the_list_and_the_file_agree (void)
{
  static const char *const forms[] = { ".csv", ".tsv",  ".json", ".jsonl",
                                       ".md",  ".html", ".har",  ".report.txt" };
  World world;
  guint i;

  world_init (&world);
  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (NsExportJob) job = make_job (&world, NS_TABLE_ACTIVITIES, forms[i]);
      g_autofree char *path = make_path (&world, forms[i]);
      Looked looked = look (job, NULL);
      g_autofree char *text = NULL;
      GStatBuf status;

      g_assert_no_error (looked.error);
      g_assert_true (ns_export_job_run (job, path, NULL, NULL));
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpint (g_stat (path, &status), ==, 0);
      g_assert_cmpuint (status.st_mode & 0777, ==, 0600);
      check_list (looked.redact, text, forms[i]);
      g_assert_null (strstr (text, "example"));
      ns_redact_free (looked.redact);
      g_unlink (path);
    }
  world_clear (&world);
}

/* Without selected columns a report has the status of operations, and can be read by others. */
static void
test_a_report_is_shared (void)
{
  static const char *const forms[] = { ".html", ".report.txt" };
  World world;
  guint i;

  world_init (&world);
  for (i = 0; i < 2 * G_N_ELEMENTS (forms); i++)
    {
      const char *form = forms[i / 2];
      gboolean is_shared = i % 2 != 0;
      g_autoptr (GPtrArray) fields = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_HTML);
      const NsSessionExport what = { .table = NS_TABLE_ACTIVITIES,
                                     .rows = NS_SESSION_ALL_ROWS,
                                     .fields = fields,
                                     .form = form,
                                     .has_shown_columns = is_shared,
                                     .is_shared = is_shared };
      g_autoptr (NsExportJob) job = ns_export_job_new (world.session, &what);
      g_autofree char *path = make_path (&world, form);
      g_autofree char *text = NULL;
      GStatBuf status;

      g_assert_true (ns_export_job_run (job, path, NULL, NULL));
      g_assert_cmpint (g_stat (path, &status), ==, 0);
      g_assert_cmpuint (status.st_mode & 0777, ==, is_shared ? 0644 : 0600);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpint (strstr (text, "Status") != NULL, ==, is_shared);
      g_unlink (path);
    }
  world_clear (&world);
}

static void
test_other_forms_are_refused (void)
{
  static const struct
  {
    NsTableId table;
    const char *form;
  } refused[] = {
    { NS_TABLE_ACTIVITIES, ".etl" },
    { NS_TABLE_ACTIVITIES, ".etl.zip" },
    { NS_TABLE_ACTIVITIES, ".perfetto.json" },
    { NS_TABLE_ACTIVITIES, ".speedscope.json" },
    { NS_TABLE_PACKETS, ".pcapng" },
    { NS_TABLE_PACKETS, ".csv" },
    { NS_TABLE_EVENTS, ".csv" },
    { NS_TABLE_EVENTS, ".html" },
    { NS_TABLE_TCP, ".har" },
    { NS_TABLE_EVENTS, ".parquet" },
    { NS_TABLE_PACKETS, ".sqlite" },
  };
  World world;
  guint i;

  world_init (&world);
  for (i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (NsExportJob) job = make_job (&world, refused[i].table, refused[i].form);
      g_autofree char *path = make_path (&world, refused[i].form);
      g_autoptr (GError) error = NULL;
      const NsExportForm *form = ns_export_form_from_path (refused[i].form, refused[i].table);

      g_assert_false (ns_export_form_can_redact (form, refused[i].table));
      g_assert_false (ns_export_job_run (job, path, NULL, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
    }
  world_clear (&world);
}

static NsExportJob *
make_tables_job (World *world, NsTableId table, NsSessionRows rows, gboolean is_redacted)
{
  g_autoptr (GPtrArray) fields = ns_export_list_columns (table, NS_EXPORT_HTML);
  const NsSessionExport what = { .table = table,
                                 .rows = rows,
                                 .fields = fields,
                                 .is_redacted = is_redacted };

  return ns_export_job_new (world->session, &what);
}

/* Reads and deletes a file. */
static GBytes *
take_file (const char *path)
{
  char *text;
  gsize n_bytes;

  g_assert_true (g_file_get_contents (path, &text, &n_bytes, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  return g_bytes_new_take (text, n_bytes);
}

static gboolean
holds (GBytes *bytes, const char *text)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);
  gsize length = strlen (text);
  gsize i;

  for (i = 0; i + length <= n_bytes; i++)
    if (memcmp (data + i, text, length) == 0)
      return TRUE;
  return FALSE;
}

static guint
write_tables (World *world, NsTableId table, NsSessionRows rows, const char *form, GBytes **bytes)
{
  g_autoptr (NsExportJob) job = make_tables_job (world, table, rows, FALSE);
  g_autofree char *path = make_path (world, form);

  g_assert_true (ns_export_job_run (job, path, NULL, NULL));
  g_assert_cmpfloat (ns_export_job_get_fraction (job), <=, 1);
  *bytes = take_file (path);
  return ns_export_job_get_n_rows (job);
}

/* A Parquet file has the rows of the current table, a SQLite database those of all tables. */
static void
test_tables_for_analysis (void)
{
  g_autoptr (GBytes) all = NULL;
  g_autoptr (GBytes) some = NULL;
  g_autoptr (GBytes) all_tables = NULL;
  g_autoptr (GBytes) some_tables = NULL;
  World world;
  guint n_all;
  guint n_some;

  world_init (&world);
  n_all = ns_session_export_count (world.session, NS_TABLE_ACTIVITIES, NS_SESSION_ALL_ROWS);
  g_assert_true (
      ns_session_set_filter (world.session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL));
  while (ns_session_export_count (world.session, NS_TABLE_ACTIVITIES, NS_SESSION_FILTERED_ROWS) ==
         n_all)
    g_main_context_iteration (NULL, TRUE);
  n_some = ns_session_export_count (world.session, NS_TABLE_ACTIVITIES, NS_SESSION_FILTERED_ROWS);
  g_assert_cmpuint (n_some, >, 0);
  g_assert_cmpuint (n_some, <, n_all);
  g_assert_cmpuint (
      write_tables (&world, NS_TABLE_ACTIVITIES, NS_SESSION_ALL_ROWS, ".parquet", &all),
      ==,
      n_all);
  g_assert_cmpuint (
      write_tables (&world, NS_TABLE_ACTIVITIES, NS_SESSION_FILTERED_ROWS, ".parquet", &some),
      ==,
      n_some);
  g_assert_true (holds (all, "PAR1"));
  g_assert_cmpuint (g_bytes_get_size (some), <, g_bytes_get_size (all));
  /* The rows of the table, the stacks, and more tables. */
  g_assert_cmpuint (
      write_tables (&world, NS_TABLE_EVENTS, NS_SESSION_ALL_ROWS, ".sqlite", &all_tables),
      >,
      n_all + 1);
  g_assert_cmpuint (
      write_tables (&world, NS_TABLE_ACTIVITIES, NS_SESSION_FILTERED_ROWS, ".sqlite", &some_tables),
      >,
      n_some + 1);
  g_assert_true (holds (all_tables, "SQLite format 3"));
  g_assert_true (holds (all_tables, "mail.example.com"));
  g_assert_cmpuint (g_bytes_get_size (some_tables), <, g_bytes_get_size (all_tables));
  world_clear (&world);
}

static void
test_tables_without_names (void)
{
  World world;
  g_autoptr (NsExportJob) job = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;

  world_init (&world);
  job = make_tables_job (&world, NS_TABLE_ACTIVITIES, NS_SESSION_ALL_ROWS, TRUE);
  path = make_path (&world, ".sqlite");
  g_assert_true (ns_export_job_run (job, path, NULL, NULL));
  bytes = take_file (path);
  g_assert_true (holds (bytes, "server-1"));
  g_assert_false (holds (bytes, "example"));
  world_clear (&world);
}

/* Neither a complete nor a partial file is left. */
static void
test_tables_can_be_stopped (void)
{
  static const char *const forms[] = { ".parquet", ".sqlite" };
  World world;
  guint i;

  world_init (&world);
  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (NsExportJob) job =
          make_tables_job (&world, NS_TABLE_ACTIVITIES, NS_SESSION_ALL_ROWS, FALSE);
      g_autofree char *path = make_path (&world, forms[i]);
      g_autoptr (GError) error = NULL;

      g_cancellable_cancel (cancellable);
      g_assert_false (ns_export_job_run (job, path, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  world_clear (&world);
}

/* Search cancelled by another selection, or by closing the window. */
static void
test_looking_can_be_stopped (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (NsExportJob) job = NULL;
  World world;
  Looked looked;

  world_init (&world);
  job = make_job (&world, NS_TABLE_ACTIVITIES, ".csv");
  g_cancellable_cancel (cancellable);
  looked = look (job, cancellable);
  g_assert_null (looked.redact);
  g_assert_error (looked.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_error_free (looked.error);
  world_clear (&world);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/export-job/the-list-and-the-file-agree", test_the_list_and_the_file_agree);
  g_test_add_func ("/export-job/a-report-is-shared", test_a_report_is_shared);
  g_test_add_func ("/export-job/other-forms-are-refused", test_other_forms_are_refused);
  g_test_add_func ("/export-job/looking-can-be-stopped", test_looking_can_be_stopped);
  g_test_add_func ("/export-job/tables-for-analysis", test_tables_for_analysis);
  g_test_add_func ("/export-job/tables-without-names", test_tables_without_names);
  g_test_add_func ("/export-job/tables-can-be-stopped", test_tables_can_be_stopped);
  return g_test_run ();
}
