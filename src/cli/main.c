/* The command-line program: main() and the table of verbs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"
#include "cli/ns-cli-codes.h"
#include "cli/ns-cli-help.h"
#include "cli/ns-cli-render.h"
#include "cli/ns-cli-symbols.h"
#include "cli/ns-cli.h"
#include "engine/activities/ns-chain.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>

#define LISTED (NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_ROWS | NS_CLI_TAKES_SPAN)
#define ROWS (LISTED | NS_CLI_TAKES_GROUPS | NS_CLI_TAKES_REDACT)
#define STACKS (ROWS | NS_CLI_TAKES_SYMBOLS)
#define EVENTS (LISTED | NS_CLI_TAKES_PAYLOAD | NS_CLI_TAKES_FIELDS)

/* One row per verb. Tables without a row follow these: see list_verbs(). */
/* clang-format off */
static const NsCliVerb known_verbs[] = {
  { "info", N_("FILE…"), N_("what the trace is: session, clock, span, counts, loss, providers, damage"), ns_cli_info, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_SPAN | NS_CLI_TAKES_STATS | NS_CLI_TAKES_REDACT, 1, NS_CLI_ANY_FILES },
  { "events", N_("FILE…"), N_("every record of any provider, decoded, in time order"), ns_cli_verb_events, EVENTS | NS_CLI_TAKES_GROUPS | NS_CLI_TAKES_SIGNS | NS_CLI_TAKES_RAW, 1, NS_CLI_ANY_FILES },
  { "correlate", N_("FILE… --activity GUID|--event N|--row ID"), N_("records of one activity and of all activities linked to it"), ns_cli_verb_correlate, EVENTS | NS_CLI_TAKES_EVENT, 1, NS_CLI_ANY_FILES },
  { "lanes", N_("FILE…"), N_("state changes of connections, interfaces, neighbors, address leases, Wi-Fi, reachability"), ns_cli_verb_lanes, EVENTS, 1, NS_CLI_ANY_FILES },
  { "records", N_("FILE…"), N_("one bare line a record, in time order, nothing decoded"), ns_cli_records, NS_CLI_TAKES_SPAN, 1, NS_CLI_ANY_FILES },
  { "activities", N_("FILE…"), N_("one row per network operation"), ns_cli_table, STACKS, 1, NS_CLI_ANY_FILES },
  { "dns", N_("FILE…"), N_("name resolutions; --tree: servers queried, responses, addresses connected to"), ns_cli_names, ROWS | NS_CLI_TAKES_TREE, 1, NS_CLI_ANY_FILES },
  { "tcp", N_("FILE…"), N_("TCP and UDP endpoints"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "winsock", N_("FILE…"), N_("sockets"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "webio", N_("FILE…"), N_("WinHTTP requests"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "wininet", N_("FILE…"), N_("WinINet requests"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "ldap", N_("FILE…"), N_("LDAP operations"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "urlmon", N_("FILE…"), N_("URLMon downloads"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "chromium", N_("FILE…"), N_("requests of Chromium browsers"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "chromium-events", N_("FILE…"), N_("all records written by Chromium browsers"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "dotnet", N_("FILE…"), N_("requests of .NET programs"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "http-server", N_("FILE…"), N_("requests that HTTP.sys answers"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "bits", N_("FILE…"), N_("transfers of the Background Intelligent Transfer Service"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "wfp", N_("FILE…"), N_("packets dropped by the Windows Filtering Platform, and the filter that dropped each"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "smb", N_("FILE…"), N_("operations on shared files, and the commands, connections and sessions of SMB"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "rpc", N_("FILE…"), N_("remote procedure calls, of clients and servers"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "capi2", N_("FILE…"), N_("certificate checks: chains, revocation, retrieved objects"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "quic", N_("FILE…"), N_("QUIC connections and streams, as reported by MsQuic"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "kernel-network", N_("FILE…"), N_("flows the kernel counted"), ns_cli_verb_kernel_network, ROWS | NS_CLI_TAKES_RAW, 1, NS_CLI_ANY_FILES },
  { "tasks", N_("FILE…"), N_("thread-pool tasks, timers and threads"), ns_cli_table, STACKS, 1, NS_CLI_ANY_FILES },
  { "calls", N_("FILE…"), N_("WinSock calls, enter and exit folded"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "packets", N_("FILE…"), N_("captured packets; --appearances: the stack components that saw each packet"), ns_cli_packets, ROWS | NS_CLI_TAKES_APPEARANCES, 1, NS_CLI_ANY_FILES },
  { "flows", N_("FILE…"), N_("conversations in captured packets"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "spans", N_("FILE…"), N_("activities that applications report: start, end, nesting"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "findings", N_("FILE…"), N_("problems and their causes, found by rules"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "diff", N_("A B"), N_("compare two traces request by request: missing, new, different result, slower, faster"), ns_cli_diff, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_REDACT | NS_CLI_TAKES_CELLS | NS_CLI_TAKES_FILTER | NS_CLI_TAKES_SPAN, 2, 2 },
  { "pairs", N_("A B"), N_("two machines: client requests matched with their processing on the server, clocks aligned"), ns_cli_pairs, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_REDACT, 1, NS_CLI_ANY_FILES },
  { "log", N_("FILE…"), N_("lines of log files of other tools that are opened together with the trace: IIS, Windows Firewall, syslog, HAR, netlog, Process Monitor, Performance Monitor, tables"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "processes", N_("FILE…"), N_("processes, their life spans and identity"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "threads", N_("FILE…"), N_("threads with lifetime and identity"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "images", N_("FILE…"), N_("loaded modules with lifetime and identity"), ns_cli_table, ROWS, 1, NS_CLI_ANY_FILES },
  { "providers", N_("FILE…"), N_("one row a provider"), ns_cli_providers, ROWS | NS_CLI_TAKES_NAME, 1, NS_CLI_ANY_FILES },
  { "export", N_("FILE… --as FORM"), N_("export selected rows of the master table to a file"), ns_cli_export, NS_CLI_TAKES_AS | NS_CLI_TAKES_TABLE | NS_CLI_TAKES_BODIES | NS_CLI_TAKES_REDACT | NS_CLI_TAKES_ROWS | NS_CLI_TAKES_SPAN | NS_CLI_TAKES_SYMBOLS, 1, NS_CLI_ANY_FILES },
  { "extract", N_("FILE… --to DIR"), N_("tables of many traces, each trace separately, as typed columns for DuckDB, Spark and similar tools"), ns_cli_extract, NS_CLI_TAKES_EXTRACT, 0, NS_CLI_ANY_FILES },
  { "mcp", N_("FOLDER…"), N_("a server of the Model Context Protocol on standard input and output, for agents: serves the traces in the folders"), ns_cli_mcp, NS_CLI_TAKES_MCP, 1, NS_CLI_ANY_FILES },
  { "payload", N_("FILE…"), N_("sent and received data: headers, and decoded bodies"), ns_cli_payload, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_SPAN | NS_CLI_TAKES_FILTER | NS_CLI_TAKES_BYTES | NS_CLI_TAKES_REDACT, 1, NS_CLI_ANY_FILES },
  { "report", N_("FILE… --audit|--text"), N_("network operations summarized by process and host, or as a text report"), ns_cli_verb_report, LISTED | NS_CLI_TAKES_AUDIT | NS_CLI_TAKES_SYMBOLS | NS_CLI_TAKES_REDACT, 1, NS_CLI_ANY_FILES },
  { "stacks", N_("FILE…"), N_("first, middle, last and full stack of network operations"), ns_cli_stacks, LISTED | NS_CLI_TAKES_SYMBOLS | NS_CLI_TAKES_ROW | NS_CLI_TAKES_REDACT, 1, NS_CLI_ANY_FILES },
  { "render", N_("FILE…"), N_("the timeline as a picture: --as png, svg or pdf"), ns_cli_render, NS_CLI_TAKES_AS | NS_CLI_TAKES_SIZE | NS_CLI_TAKES_SPAN, 1, NS_CLI_ANY_FILES },
  { "symbols", N_("FILE…"), N_("modules of the stacks shown, and whether their symbols are there"), ns_cli_verb_symbols, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_SYMBOLS, 1, NS_CLI_ANY_FILES },
  { "pdb", N_("FILE.pdb"), N_("contents of a PDB: symbols at addresses, functions, identity"), ns_cli_pdb, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_RVAS, 1, 1 },
  { "recipe", "", N_("create a profile for Windows Performance Recorder (.wprp) that records providers"), ns_cli_recipe, NS_CLI_TAKES_RECIPE, 0, 0 },
  { "codes", N_("[NUMBER]"), N_("meaning of an error number in every family"), ns_cli_codes_run, NS_CLI_TAKES_FORMAT, 0, 1 },
  { "dump", N_("FILE…"), N_("one line per event: time, task, opcode, fields"), ns_cli_verb_dump, NS_CLI_TAKES_FORMAT | NS_CLI_TAKES_LINES | NS_CLI_TAKES_SPAN | NS_CLI_TAKES_FIELDS | NS_CLI_TAKES_FILTER, 1, NS_CLI_ANY_FILES },
};
/* clang-format on */

#define MAX_VERBS (G_N_ELEMENTS (known_verbs) + NS_N_TABLES)

static const NsCliVerb *
find_verb (const NsCliVerb *verbs, guint n_verbs, const char *name)
{
  guint i;

  for (i = 0; i < n_verbs; i++)
    if (strcmp (verbs[i].name, name) == 0)
      return &verbs[i];
  return NULL;
}

/* Lists all verbs; every table has one. Returns how many there are. */
static guint
list_verbs (NsCliVerb verbs[MAX_VERBS])
{
  guint n = G_N_ELEMENTS (known_verbs);
  guint i;

  memcpy (verbs, known_verbs, sizeof known_verbs);
  for (i = 0; i < NS_N_TABLES; i++)
    {
      const char *about = ns_table_get_about (i);
      NsCliVerb verb = {
        .name = ns_table_get_name (i),
        .operands = N_ ("FILE…"),
        .summary = about != NULL ? about : ns_table_get_title (i),
        .run = ns_cli_table,
        .takes = ROWS,
        .min_files = 1,
        .max_files = NS_CLI_ANY_FILES,
      };

      if (find_verb (verbs, n, verb.name) == NULL)
        verbs[n++] = verb;
    }
  return n;
}

/* Applies the options about call stacks, secrets and thresholds to the view context. */
static gboolean
set_view (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  g_autoptr (NsSecrets) secrets = ns_secrets_new (options->want_secrets);
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  guint view = options->want_tracing_frames ? NS_CHAIN_VIEW_TRACING : NS_CHAIN_VIEW_DEFAULT;

  if (g_strcmp0 (options->single_stack, "both") == 0)
    view |= NS_CHAIN_VIEW_SINGLE_TWICE;
  else if (options->single_stack != NULL && strcmp (options->single_stack, "once") != 0)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("--single-stack is once or both, not “%s”"),
                   options->single_stack);
      return FALSE;
    }
  ns_view_context_set_chain_view (cli->view, (NsChainView) view);
  ns_view_context_set_guards_formulas (cli->view, !options->want_formulas);
  /* The first definition of a name wins, so the option comes before the default file. */
  if ((options->secret_names != NULL &&
       !ns_secret_names_add_file (secrets, options->secret_names, error)) ||
      !ns_secret_names_add_default_file (secrets, error))
    return FALSE;
  ns_view_context_set_secrets (cli->view, g_steal_pointer (&secrets));
  /* The last definition of a threshold wins, so the option comes after the default file. */
  if (!ns_thresholds_add_default_file (thresholds, error) ||
      (options->thresholds != NULL &&
       !ns_thresholds_add_file (thresholds, options->thresholds, error)))
    return FALSE;
  ns_view_context_set_thresholds (cli->view, g_steal_pointer (&thresholds));
  return TRUE;
}

static gboolean
set_geo (NsCli *cli, GError **error)
{
  NsGeo *geo = ns_geo_open (cli->options.geo, error);

  ns_view_context_set_geo (cli->view, geo);
  return geo != NULL;
}

static int
run_verb (NsCli *cli, int argc, char **argv)
{
  const NsCliVerb *verb = cli->verb;
  g_autoptr (GError) error = NULL;
  int status = NS_CLI_DONE;

  if (!ns_cli_options_parse (&cli->options, verb, argc, argv, &error))
    status = NS_CLI_WRONG_USAGE;
  else if (cli->options.want_help)
    status = ns_cli_help_print_verb (verb);
  else if (!set_view (cli, &error))
    {
      status = NS_CLI_WRONG_USAGE;
      ns_cli_print_message_lines (error->message);
      g_clear_error (&error);
    }
  else if (!ns_cli_check_mode (&cli->options, NULL, &error))
    status = NS_CLI_WRONG_USAGE;
  else if (cli->options.range != NULL &&
           !ns_named_ranges_parse (ns_view_context_get_ranges (cli->view),
                                   cli->options.range,
                                   &error))
    status = NS_CLI_WRONG_USAGE;
  else if (cli->options.geo != NULL && !set_geo (cli, &error))
    status = NS_CLI_FAILED;
  else if (!ns_cli_take_input (&cli->options, &error))
    status = g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY) ? NS_CLI_WRONG_USAGE
                                                                           : NS_CLI_FAILED;
  else if (!verb->run (cli, &error) || !ns_cli_commit (cli, &error))
    status = g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY) ? NS_CLI_WRONG_USAGE
                                                                           : NS_CLI_FAILED;
  else if (verb->run == ns_cli_export)
    ns_cli_report_written (cli);
  if (status == NS_CLI_DONE)
    status = cli->status;
  if (ns_cli_is_pipe_broken (cli))
    status = NS_CLI_DONE;
  else if (error != NULL)
    ns_cli_print_message (ns_cli_redact_get_message (cli, error));

  ns_cli_output_free (cli->output);
  ns_view_context_unref (cli->view);
  ns_cli_options_clear (&cli->options);
  return status;
}

int
main (int argc, char *argv[])
{
  NsCliVerb verbs[MAX_VERBS];
  guint n_verbs = list_verbs (verbs);
  const char *locale_dir;
  NsCli cli = { 0 };

#ifdef __GLIBC__
  /* A fixed threshold makes glibc map large tables: grown tables are moved without copying and
   * freed memory returns to the system, whatever was freed before. */
  mallopt (M_MMAP_THRESHOLD, 256 * 1024);
#endif
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* programs parse the output */
  /* Lets translators try out translations that are not installed. */
  locale_dir = g_getenv ("NETSTITCH_LOCALE_DIR");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  ns_cli_install_signals ();
  ns_cli_install_memory ();

  if (argc < 2)
    {
      ns_cli_print_message (_ ("usage: netstitch-cli VERB FILE… [options]; see --help"));
      return NS_CLI_WRONG_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 ||
      strcmp (argv[1], "help") == 0)
    return ns_cli_help_print_program (verbs, n_verbs);
  if (strcmp (argv[1], "--version") == 0)
    {
      g_print ("netstitch-cli %s\n", NS_VERSION);
      return NS_CLI_DONE;
    }

  if (strcmp (argv[1], "--complete") == 0)
    return ns_cli_complete (verbs, n_verbs, argc - 2, argv + 2);
  cli.verb = find_verb (verbs, n_verbs, argv[1]);
  if (cli.verb == NULL)
    return ns_cli_help_refuse_verb (verbs, n_verbs, argv[1]);
  cli.view = ns_view_context_new ();
  /* Freeing a large trace takes as long as printing some of it: printed traces are kept, in this
   * frame of the stack until the program ends. */
  exit (run_verb (&cli, argc - 2, argv + 2));
}
