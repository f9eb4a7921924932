/* Tests a trace that grows while it is read.
 *
 * Its content must equal that of opening the same bytes anew.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"

#include "export/ns-export-table.h"
#include "model/ns-trace-loader.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Offset of the end time of a trace: buffer header, record header, 16 bytes into the payload. */
#define END_TIME_AT (72 + 32 + 16)
#define END_TIME_SIZE 8

/* A complete trace, and the two files that it is written to. */
typedef struct
{
  char *grown; /* path of the file that grows step by step */
  char *cold;  /* path of a file with the same bytes, opened anew */
  char *bytes;
  gsize n_bytes;
  gsize buffer_size;
} Story;

static void
story_init (Story *self)
{
  BigTraceOptions options = { .size = 2 << 20, .seed = 7, .n_cpus = 4, .n_processes = 5 };
  g_autoptr (GError) error = NULL;
  BigTraceCounts counts;
  NsEtlFile *file;

  self->grown = g_strdup_printf ("%s/grown-%d.etl", g_get_tmp_dir (), (int) getpid ());
  self->cold = g_strdup_printf ("%s/cold-%d.etl", g_get_tmp_dir (), (int) getpid ());
  big_trace_write (&options, self->cold, &counts, &error);
  g_assert_no_error (error);
  file = ns_etl_file_open (self->cold, NULL, &error);
  g_assert_no_error (error);
  self->buffer_size = ns_etl_file_get_header (file)->buffer_size;
  ns_etl_file_free (file);
  g_file_get_contents (self->cold, &self->bytes, &self->n_bytes, &error);
  g_assert_no_error (error);
}

static void
story_clear (Story *self)
{
  g_unlink (self->grown);
  g_unlink (self->cold);
  g_free (self->grown);
  g_free (self->cold);
  g_free (self->bytes);
}

static void
write_file (const char *path, const char *bytes, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes, (gssize) n_bytes, &error);
  g_assert_no_error (error);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  NsTrace **trace = data;

  *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);
  g_assert_no_error (error);
}

/* Loads a trace as a window does. */
static NsTrace *
load (const char *path, guint64 max_bytes)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  NsTrace *trace = NULL;

  ns_trace_loader_set_max_bytes (loader, max_bytes);
  ns_trace_loader_load_async (loader, NULL, loaded_cb, &trace);
  while (trace == NULL)
    g_main_context_iteration (NULL, TRUE);
  return trace;
}

static char *
dup_rows (NsTrace *trace, NsTableId table)
{
  NsExportOptions options = { .format = NS_EXPORT_JSONL };
  g_autoptr (GPtrArray) columns = ns_export_list_columns (table, NS_EXPORT_JSONL);
  NsExportRows rows = { .trace = trace,
                        .table = table,
                        .fields = (const NsField *const *) columns->pdata,
                        .n_fields = columns->len };

  return ns_export_table_to_text (&rows, &options);
}

static void
assert_same (NsTrace *followed, NsTrace *opened)
{
  const NsEtlReport *one = ns_etl_file_get_report (followed->file);
  const NsEtlReport *other = ns_etl_file_get_report (opened->file);
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      g_autofree char *rows = dup_rows (followed, (NsTableId) table);
      g_autofree char *wanted = dup_rows (opened, (NsTableId) table);

      g_assert_cmpstr (rows, ==, wanted);
    }
  g_assert_cmpuint (one->n_records, ==, other->n_records);
  g_assert_cmpuint (one->n_out_of_order, ==, other->n_out_of_order);
  g_assert_cmpuint (one->damage->len, ==, other->damage->len);
}

/* Asserts that the file with the first @n_bytes shows its complete buffers only. */
static void
assert_shows (const Story *story, const char *bytes, gsize n_bytes)
{
  g_autoptr (NsTrace) followed = NULL;
  g_autoptr (NsTrace) opened = NULL;

  write_file (story->grown, bytes, n_bytes);
  write_file (story->cold, bytes, n_bytes - n_bytes % story->buffer_size);
  followed = load (story->grown, n_bytes);
  opened = load (story->cold, 0);
  g_assert_cmpuint (opened->activities->len, >, 0);
  assert_same (followed, opened);
}

/* Four processors take turns, so a buffer has records that are older than those of the previous
 * one. */
static void
test_each_size_is_as_if_opened (void)
{
  g_autofree char *live = NULL;
  Story story;
  gsize n_bytes;

  story_init (&story);
  live = g_memdup2 (story.bytes, story.n_bytes);
  memset (live + END_TIME_AT, 0, END_TIME_SIZE);
  for (n_bytes = story.n_bytes / 2; n_bytes < story.n_bytes; n_bytes += story.buffer_size * 5 / 2)
    assert_shows (&story, live, n_bytes);
  assert_shows (&story, live, story.n_bytes);
  /* The session ends: the header is written again. */
  assert_shows (&story, story.bytes, story.n_bytes);
  story_clear (&story);
}

/* A buffer whose space is allocated on the disk before its bytes are written. */
static void
test_a_damaged_end_becomes_whole (void)
{
  g_autofree char *torn = NULL;
  Story story;
  gsize half;

  story_init (&story);
  half = story.buffer_size / 2;
  torn = g_memdup2 (story.bytes, story.n_bytes);
  memset (torn + END_TIME_AT, 0, END_TIME_SIZE);
  memset (torn + story.n_bytes - half, 0, half);
  assert_shows (&story, torn, story.n_bytes);
  memset (torn + story.n_bytes - 2 * half, 0, half);
  assert_shows (&story, torn, story.n_bytes);
  assert_shows (&story, story.bytes, story.n_bytes);
  story_clear (&story);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/each-size-is-as-if-opened", test_each_size_is_as_if_opened);
  g_test_add_func ("/growth/a-damaged-end-becomes-whole", test_a_damaged_end_becomes_whole);
  return g_test_run ();
}
