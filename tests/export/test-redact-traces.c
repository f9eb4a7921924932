/* Tests that no name in a trace appears in its redacted exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-har.h"
#include "export/ns-export-html.h"
#include "export/ns-redact.h"

#include <string.h>

/* Limits on the rows of a table and the names of a trace. */
#define MAX_ROWS 1500
#define MAX_NAMES 600
/* Shorter names occur in any text by chance. */
#define MIN_BYTES 4

static void
add_name (GHashTable *names, const char *text, gsize size)
{
  if (size >= MIN_BYTES && g_hash_table_size (names) < MAX_NAMES)
    g_hash_table_add (names, g_ascii_strdown (text, (gssize) size));
}

static void
add_url (GHashTable *names, const char *url)
{
  const char *host = strstr (url, "://");
  const char *path;

  if (host == NULL)
    {
      add_name (names, url, strlen (url));
      return;
    }
  host += strlen ("://");
  path = host + strcspn (host, "/?#");
  add_name (names, host, strcspn (host, ":/?#"));
  add_name (names, path, strlen (path));
}

static void
add_text (GHashTable *names, const char *id, const char *text)
{
  static const char *const whole[] = { "server",       "server_alt", "query", "aliases",
                                       "command_line", "user_sid",   "base",  "filter" };
  g_autofree char *copy = g_strdup (text);
  guint i;

  if (strcmp (id, "url") == 0 || strcmp (id, "origin") == 0)
    add_url (names, text);
  if (strcmp (id, "path") == 0 && strrchr (text, '\\') != NULL)
    add_name (names, text, (gsize) (strrchr (text, '\\') - text));
  for (i = 0; i < G_N_ELEMENTS (whole); i++)
    /* A command line of one word is a program name, which is kept. */
    if (strcmp (id, whole[i]) == 0 &&
        (strcmp (id, "command_line") != 0 || strpbrk (g_strchomp (copy), " \\") != NULL))
      add_name (names, text, strlen (text));
}

static void
add_value (GHashTable *names, const NsField *field, const NsFieldValue *value)
{
  char address[NS_IP_TEXT_SIZE];
  guint i;

  if (value->is_null)
    return;
  if (value->type == NS_TYPE_TEXT)
    add_text (names, field->id, value->v.text);
  for (i = 0; value->type == NS_TYPE_LIST && i < value->list->len; i++)
    add_text (names, field->id, g_ptr_array_index (value->list, i));
  if (value->type == NS_TYPE_IP && !ns_ip_is_empty (&value->v.ip) &&
      !ns_ip_is_loopback (&value->v.ip) && !ns_ip_is_multicast (&value->v.ip) &&
      !ns_ip_is_broadcast (&value->v.ip))
    add_name (names,
              ns_ip_to_text (&value->v.ip, address),
              strlen (ns_ip_to_text (&value->v.ip, address)));
}

/* Lists the names from the rows, independently of the redaction code. */
static GHashTable *
list_names (const NsTrace *trace)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  NsTableId table;
  guint row;
  guint i;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);
      guint n_rows = ns_redact_is_possible (table) ? ns_table_get_n_rows (trace, table) : 0;

      for (row = 0; row < MIN (n_rows, MAX_ROWS); row++)
        for (i = 0; i < n_fields; i++)
          {
            NsFieldValue value;

            ns_field_get (trace, &fields[i], row, &value);
            add_value (names, &fields[i], &value);
            ns_field_value_clear (&value);
          }
    }
  g_hash_table_remove (names, "localhost");
  return names;
}

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static gboolean
is_part_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

/* Returns whether @text contains a name as a separate word. */
static gboolean
has_name (const char *text, const char *name)
{
  gsize size = strlen (name);
  const char *at;

  for (at = strstr (text, name); at != NULL; at = strstr (at + 1, name))
    if ((at == text || !is_part_of_word (*name) || !is_part_of_word (at[-1])) &&
        !is_part_of_word (at[size]))
      return TRUE;
  return FALSE;
}

static void
check_text (GHashTable *names, GString *text, const char *path, const char *of)
{
  GHashTableIter iter;
  gpointer name;

  g_string_ascii_down (text);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (has_name (text->str, name))
      g_error ("%s: “%s” is among %s without names", path, (const char *) name, of);
  g_string_truncate (text, 0);
}

static void
check_table (const NsTrace *trace, NsTableId table, GHashTable *names, const char *path)
{
  g_autoptr (GPtrArray) fields = ns_export_parse_columns (table, "all", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GVariant) view = g_variant_ref_sink (
      g_variant_new_parsed ("{'marks': <[(int64 0, int64 0, 'somebody wrote this')]>}"));
  NsExportReport report = { .chains = { .trace = trace } };
  NsExportOptions options = { .format = NS_EXPORT_JSON };
  g_autoptr (NsRedact) redact = NULL;
  NsExportRows *rows = &report.rows;

  *rows = (NsExportRows){ .trace = trace,
                          .table = table,
                          .n_rows = MIN (ns_table_get_n_rows (trace, table), MAX_ROWS),
                          .fields = (const NsField *const *) fields->pdata,
                          .n_fields = fields->len };
  report.redact = redact = ns_export_html_look (&report, NULL, NULL);
  options.redact = redact;
  g_assert_true (ns_export_table (rows, &options, collect, text, NULL));
  check_text (names, text, path, ns_table_get_name (table));
  options.format = NS_EXPORT_CSV;
  g_assert_true (ns_export_table (rows, &options, collect, text, NULL));
  check_text (names, text, path, ns_table_get_name (table));
  /* Notes written by users may contain any name. */
  report.view = view;
  g_assert_true (ns_export_html (&report, collect, text, NULL));
  g_assert_null (strstr (text->str, "somebody wrote this"));
  check_text (names, text, path, "a report");
}

static void
check_har (const NsTrace *trace, GHashTable *names, const char *path)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (NsRedact) redact = NULL;
  guint32 row;

  for (row = 0; row < MIN (trace->activities->len, MAX_ROWS); row++)
    g_array_append_val (rows, row);
  redact = ns_export_har_look (trace, (const guint32 *) (gpointer) rows->data, rows->len, NULL);
  g_assert_true (ns_export_har_redacted (trace,
                                         (const guint32 *) (gpointer) rows->data,
                                         rows->len,
                                         redact,
                                         TRUE,
                                         collect,
                                         text,
                                         NULL));
  check_text (names, text, path, "an archive");
}

static guint
check_trace (const char *path)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsTrace) trace = ns_trace_open (path, &options, NULL, NULL, NULL);
  g_autoptr (GHashTable) names = NULL;
  NsTableId table;
  guint n_names;

  if (trace == NULL)
    return 0;
  names = list_names (trace);
  n_names = g_hash_table_size (names);
  for (table = 0; table < NS_N_TABLES && n_names > 0; table++)
    if (ns_redact_is_possible (table))
      check_table (trace, table, names, path);
  if (n_names > 0)
    check_har (trace, names, path);
  return n_names;
}

static guint
check_folder (const char *folder)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  guint n_names = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".etl"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        n_names += check_trace (path);
      }
  return n_names;
}

static void
test_no_name_of_the_sample_leaves (void)
{
  g_assert_cmpuint (check_trace (g_getenv ("NETSTITCH_SAMPLE")), >=, 20);
}

static void
test_no_name_of_real_traces_leaves (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *synthetic = folder != NULL ? g_build_filename (folder, "synthetic", NULL) : NULL;
  guint n_names = check_folder (folder) + check_folder (synthetic);

  if (n_names == 0)
    g_test_skip ("there are no real traces here");
  else
    g_test_message ("names: %u", n_names);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/redact-traces/sample", test_no_name_of_the_sample_leaves);
  g_test_add_func ("/redact-traces/real", test_no_name_of_real_traces_leaves);
  return g_test_run ();
}
