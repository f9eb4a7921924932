/* Tests that the window and the command line agree.
 *
 * The same filter keeps the same rows, with the same totals, in every available real trace. The
 * window is represented by its session; the command line by the output of its verbs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-events.h"
#include "cli/ns-cli-list.h"
#include "model/ns-session-command.h"
#include "model/ns-trace-loader.h"

#include <string.h>

/* Every form of the filter language, with values that occur in the real traces. */
static const struct
{
  NsTableId table;
  const char *text;
} filters[] = {
  { NS_TABLE_ACTIVITIES, "" },
  { NS_TABLE_ACTIVITIES, "protocol:tcp" },
  { NS_TABLE_ACTIVITIES, "-protocol:tcp" },
  { NS_TABLE_ACTIVITIES, "status>=300" },
  { NS_TABLE_ACTIVITIES, "status:2* or status:304" },
  { NS_TABLE_ACTIVITIES, "http_status=200..299" },
  { NS_TABLE_ACTIVITIES, "http_status=304.." },
  { NS_TABLE_ACTIVITIES, "duration>1ms duration<=20ms" },
  { NS_TABLE_ACTIVITIES, "duration>0.5s" },
  { NS_TABLE_ACTIVITIES, "duration_ns<1000000" },
  { NS_TABLE_ACTIVITIES, "open>=36 open<37.5" },
  { NS_TABLE_ACTIVITIES, "sent>1kB received>1KiB" },
  { NS_TABLE_ACTIVITIES, "received>=1M" },
  { NS_TABLE_ACTIVITIES, "ip=10.0.0.0/8 or ip=157.56.0.0/16" },
  { NS_TABLE_ACTIVITIES, "ip=2001:4898::/32" },
  { NS_TABLE_ACTIVITIES, "not ip:2001*" },
  { NS_TABLE_ACTIVITIES, "port in (80, 443, 445)" },
  { NS_TABLE_ACTIVITIES, "port not in {443}" },
  { NS_TABLE_ACTIVITIES, "local_port>50000" },
  { NS_TABLE_ACTIVITIES, "url:*.htm" },
  { NS_TABLE_ACTIVITIES, "server=georgis2 -url:windir" },
  { NS_TABLE_ACTIVITIES, "url~\"hello[a-z]+[.]htm$\"" },
  { NS_TABLE_ACTIVITIES, "url!~hello" },
  { NS_TABLE_ACTIVITIES, "url contains HELLOWORLD" },
  { NS_TABLE_ACTIVITIES, "server:none" },
  { NS_TABLE_ACTIVITIES, "service:* process:none" },
  { NS_TABLE_ACTIVITIES, "accepted" },
  { NS_TABLE_ACTIVITIES, "still_open=true inferred" },
  { NS_TABLE_ACTIVITIES, "-(accepted or still_open) failed=no" },
  { NS_TABLE_ACTIVITIES, "request=0xff00000080000748" },
  { NS_TABLE_ACTIVITIES, "activity_guid:00000100-0000-0002-464d-42fb30bbcb01" },
  { NS_TABLE_ACTIVITIES, "helloworld \"GET\"" },
  { NS_TABLE_ACTIVITIES, "stack:tcpip.sys!*" },
  { NS_TABLE_HTTP_SERVER, "status=200 duration>1ms" },
  { NS_TABLE_HTTP_SERVER, "not (status=200 or failed)" },
  { NS_TABLE_KERNEL_NETWORK, "protocol:tcp received>10kB" },
  { NS_TABLE_KERNEL_NETWORK, "port!=443" },
  { NS_TABLE_PACKETS, "direction:out" },
  { NS_TABLE_PROCESSES, "name:*host.exe -pid=4" },
  { NS_TABLE_THREADS, "before_trace=true tid>1000" },
  { NS_TABLE_IMAGES, "path:system32 size>1MiB" },
  { NS_TABLE_TASKS, "running>2s" },
  { NS_TABLE_PROVIDERS, "events>=10 -kind:kernel" },
  { NS_TABLE_EVENTS, "" },
  { NS_TABLE_EVENTS, "level<=3" },
  { NS_TABLE_EVENTS, "provider_name:kernel id in (10, 11, 12)" },
  { NS_TABLE_EVENTS, "time>1s time<1500ms" },
  { NS_TABLE_EVENTS, "PID>=4 size>1000" },
  { NS_TABLE_EVENTS, "fields.Url:hello* or opcode_name=Start" },
  { NS_TABLE_EVENTS, "process:svchost stack_depth>3" },
};

G_STATIC_ASSERT (G_N_ELEMENTS (filters) == 50);

/* Row numbers, and the text of the status bar with all of them selected. */
typedef struct
{
  GString *ids;
  guint64 sent;
  guint64 received;
  gint64 duration_ns;
} Answer;

typedef struct
{
  char *path;
  NsSession *session;
  NsTrace *trace; /* as opened by the command line */
} World;

/* Number of traces in which each filter keeps some rows, but not all. */
static guint n_telling[G_N_ELEMENTS (filters)];

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  World *world = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (world->path);
  NsTrace *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);

  g_assert_no_error (error);
  world->session = ns_session_new (trace, file);
}

static void
open_world (World *world, char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  NsTraceOptions options = { 0 };

  *world = (World){ .path = path };
  world->trace = ns_trace_open (path, &options, NULL, NULL, NULL);
  g_assert_nonnull (world->trace);
  ns_trace_loader_load_async (loader, NULL, loaded_cb, world);
  while (world->session == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
close_world (World *world)
{
  g_object_unref (world->session);
  ns_trace_unref (world->trace);
  g_free (world->path);
}

static void
ask_window (const World *world, NsTableId table, const char *filter, Answer *answer)
{
  const NsField *id = ns_table_find_field (table, table == NS_TABLE_EVENTS ? "n" : "id");
  NsTrace *trace = ns_session_get_trace (world->session);
  g_autoptr (GError) error = NULL;
  NsSessionSums sums;
  const GArray *rows;
  guint i;

  if (!ns_session_set_filter (world->session, table, filter, NULL, &error))
    g_error ("“%s” of %s: %s", filter, ns_table_get_name (table), error->message);
  while (ns_session_is_busy (world->session, table))
    g_main_context_iteration (NULL, TRUE);
  rows = ns_row_list_get_rows (ns_session_get_rows (world->session, table));
  answer->ids = g_string_new (NULL);
  for (i = 0; i < rows->len; i++)
    {
      NsFieldValue value;

      ns_field_get (trace, id, g_array_index (rows, guint32, i), &value);
      ns_field_append_raw (id, &value, answer->ids);
      g_string_append_c (answer->ids, '\n');
      ns_field_value_clear (&value);
    }
  if (table == NS_TABLE_EVENTS)
    return;
  ns_session_select (world->session, table, (const guint32 *) (gpointer) rows->data, rows->len);
  ns_session_get_sums (world->session, &sums);
  answer->sent = sums.sent;
  answer->received = sums.received;
  answer->duration_ns = sums.duration_ns;
}

static gboolean
write_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static NsTrace *
open_events_cb (gpointer user_data, GError **error)
{
  const World *world = user_data;
  NsTraceOptions options = { .want_events = TRUE };

  return ns_trace_open (world->path, &options, NULL, NULL, error);
}

static void
print_events (const World *world, const char *filter, GString *output)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsEtlFile) file = ns_etl_file_open (world->path, NULL, &error);
  NsCliEvents asked = {
    .format = "tsv",
    .columns = "n",
    .filter = filter,
    .limit = -1,
    .open = open_events_cb,
    .open_data = (gpointer) world,
  };

  g_assert_no_error (error);
  g_assert_true (ns_cli_events_check (&asked, &error));
  ns_cli_events_print (&asked, file, schemas, write_cb, output, &error);
  g_assert_no_error (error);
}

/* Lists the summable columns of a table. */
static char *
list_columns (NsTableId table)
{
  static const char *const ids[] = { "sent", "received", "duration_ns" };
  GString *columns = g_string_new ("id");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    if (ns_table_find_field (table, ids[i]) != NULL)
      g_string_append_printf (columns, ",%s", ids[i]);
  return g_string_free (columns, FALSE);
}

static void
print_rows (const World *world, NsTableId table, const char *filter, GString *output)
{
  g_autofree char *columns = list_columns (table);
  g_autoptr (GError) error = NULL;
  NsCliList list = {
    .table = table,
    .format = "tsv",
    .columns = columns,
    .filter = filter,
    .limit = -1,
    .offset = -1,
  };

  ns_cli_list_print (&list, world->trace, write_cb, output, &error);
  g_assert_no_error (error);
}

/* Sums the printed rows, independently of the filter. */
static void
read_output (const char *output, Answer *answer)
{
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  g_auto (GStrv) titles = g_strsplit (lines[0], "\t", -1);
  guint i;

  answer->ids = g_string_new (NULL);
  for (i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);
      guint k;

      g_string_append_printf (answer->ids, "%s\n", cells[0]);
      for (k = 1; cells[k] != NULL; k++)
        if (strcmp (titles[k], "sent") == 0)
          answer->sent += g_ascii_strtoull (cells[k], NULL, 10);
        else if (strcmp (titles[k], "received") == 0)
          answer->received += g_ascii_strtoull (cells[k], NULL, 10);
        else
          answer->duration_ns += g_ascii_strtoll (cells[k], NULL, 10);
    }
}

static void
compare (const World *world, guint number)
{
  NsTableId table = filters[number].table;
  const char *filter = filters[number].text;
  g_autoptr (GString) output = g_string_new (NULL);
  Answer window = { 0 };
  Answer cli = { 0 };

  ask_window (world, table, filter, &window);
  if (table == NS_TABLE_EVENTS)
    print_events (world, filter, output);
  else
    print_rows (world, table, filter, output);
  read_output (output->str, &cli);
  if (strcmp (window.ids->str, cli.ids->str) != 0)
    g_error ("%s: “%s” of %s keeps other rows in the window than on the command line",
             world->path,
             filter,
             ns_table_get_name (table));
  g_assert_cmpuint (window.sent, ==, cli.sent);
  g_assert_cmpuint (window.received, ==, cli.received);
  g_assert_cmpint (window.duration_ns, ==, cli.duration_ns);
  if (window.ids->len > 0 &&
      g_list_model_get_n_items (G_LIST_MODEL (ns_session_get_rows (world->session, table))) <
          ns_table_get_n_rows (ns_session_get_trace (world->session), table))
    n_telling[number]++;
  g_string_free (window.ids, TRUE);
  g_string_free (cli.ids, TRUE);
}

/* Runs the program itself, with the command produced by "Copy as command". */
static void
compare_program (const World *world, guint number)
{
  NsTableId table = filters[number].table;
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
  g_autoptr (GArray) order =
      ns_order_parse (table, table == NS_TABLE_EVENTS ? "cpu,-n" : "-id", NULL);
  g_autoptr (GSubprocess) program = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *command = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) words = NULL;
  Answer window = { 0 };
  Answer cli = { 0 };

  g_assert_nonnull (order);
  ns_session_set_order (world->session, table, order);
  ask_window (world, table, filters[number].text, &window);
  g_ptr_array_add (fields,
                   (gpointer) ns_table_find_field (table, table == NS_TABLE_EVENTS ? "n" : "id"));
  command = ns_session_to_command (world->session, table, fields);
  g_assert_true (g_str_has_suffix (command, " --format json"));
  memcpy (command + strlen (command) - strlen ("json"), "tsv ", strlen ("json"));
  g_assert_true (g_shell_parse_argv (command, NULL, &words, &error));
  g_assert_cmpstr (words[0], ==, "netstitch-cli");
  g_free (words[0]);
  words[0] = g_strdup (g_getenv ("NETSTITCH_CLI"));
  program = g_subprocess_newv ((const char *const *) words,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                               &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (program, NULL, NULL, &output, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (program));
  read_output (output, &cli);
  g_assert_cmpstr (window.ids->str, ==, cli.ids->str);
  ns_session_set_order (world->session, table, none);
  g_string_free (window.ids, TRUE);
  g_string_free (cli.ids, TRUE);
}

static void
test_window_and_command_line_agree (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  guint n_traces = 0;
  guint n_said = 0;
  guint i;

  if (dir == NULL)
    {
      g_test_skip ("there are no real traces here");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      World world;

      if (!g_str_has_suffix (name, ".etl"))
        continue;
      open_world (&world, g_build_filename (folder, name, NULL));
      for (i = 0; i < G_N_ELEMENTS (filters); i++)
        compare (&world, i);
      compare_program (&world, n_traces % G_N_ELEMENTS (filters));
      close_world (&world);
      n_traces++;
    }
  for (i = 0; i < G_N_ELEMENTS (filters); i++)
    if (n_telling[i] > 0)
      n_said++;
    else
      g_test_message ("“%s” told no rows apart", filters[i].text);
  g_test_message ("%u traces, %u filters that tell rows apart", n_traces, n_said);
  g_assert_cmpuint (n_traces, >, 0);
  /* Filters that keep no rows agree trivially. */
  if (n_traces > 20)
    g_assert_cmpuint (n_said, >=, 45);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter-agreement/window-and-command-line-agree",
                   test_window_and_command_line_agree);
  return g_test_run ();
}
