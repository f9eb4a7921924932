/* Parser of the command-line options, and their help.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-nearest.h"
#include "cli/ns-cli-help.h"
#include "cli/ns-cli.h"

/* Column in which the description of an option begins. */
#define INDENT_OF_HELP 30

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef enum
{
  KIND_FLAG,
  KIND_TEXT,
  KIND_NUMBER,
  KIND_LINES, /* text that may be given several times: one line each */
} Kind;

typedef struct
{
  const char *name;
  char letter;
  Kind kind;
  gsize at;          /* offset of the value in NsCliOptions */
  guint takes;       /* #NsCliTakes of which a verb must have one, or NOT_MCP; 0: all verbs */
  const char *value; /* marked for translation */
  const char *help;  /* marked for translation; NULL: only for the program itself */
} Option;

#define AT(member) G_STRUCT_OFFSET (NsCliOptions, member)
/* Options of all verbs but `mcp`, whose clients choose files and rows, and read all messages. */
#define NOT_MCP (~(guint) NS_CLI_TAKES_MCP)

/* clang-format off */
static const Option options[] = {
  { "format", 0, KIND_TEXT, AT (format), NS_CLI_TAKES_FORMAT,
    "text|csv|tsv|json|jsonl|markdown", N_("output format; text on a terminal, tsv in a pipe; events and dump also support list and xml") },
  { "columns", 0, KIND_TEXT, AT (columns), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_CELLS, "a,b,c|all", N_("fields to print, in this order") },
  { "fields", 0, KIND_TEXT, AT (columns), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_CELLS, "a,b,c|all", N_("the same as --columns") },
  { "filter", 0, KIND_TEXT, AT (filter), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_FILTER, "EXPR", N_("only rows that match this expression") },
  { "sort", 0, KIND_TEXT, AT (sort), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_FILTER, "FIELD[,-FIELD]", N_("sort order; - is descending") },
  { "group-by", 0, KIND_TEXT, AT (group_by), NS_CLI_TAKES_GROUPS, "a,b,c", N_("group rows by these fields and print the sums of each group") },
  { "limit", 0, KIND_NUMBER, AT (limit), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_FILTER, "N", N_("print at most N rows") },
  { "offset", 0, KIND_NUMBER, AT (offset), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_FILTER, "N", N_("skip the first N rows") },
  { "rows", 0, KIND_TEXT, AT (rows), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_AS | NS_CLI_TAKES_BYTES, "IDS", N_("only these rows, such as 3,7-9") },
  { "time", 0, KIND_TEXT, AT (time), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_LINES, "rel|iso|local|filetime|unix-ns", N_("time format") },
  { "separator", 0, KIND_TEXT, AT (separator), NS_CLI_TAKES_LINES, "TEXT", N_("separator of the values of a line; a comma by default") },
  { "row", 0, KIND_TEXT, AT (row), NS_CLI_TAKES_ROW | NS_CLI_TAKES_EVENT, "ID", N_("only this activity") },
  { "row", 0, KIND_TEXT, AT (row), NS_CLI_TAKES_BYTES, "ID", N_("only this row") },
  { "table", 0, KIND_TEXT, AT (table), NS_CLI_TAKES_BYTES | NS_CLI_TAKES_TABLE, "NAME", N_("table of the rows, by the name of a verb: activities by default; also packets and events") },
  { "raw", 0, KIND_FLAG, AT (is_raw), NS_CLI_TAKES_BYTES, NULL, N_("the bytes as transferred, by record or packet") },
  { "max-payload", 0, KIND_NUMBER, AT (max_payload), NS_CLI_TAKES_BYTES, "KIB", N_("read at most KIB of the payload of a row; 0: none") },
  { "tree", 0, KIND_FLAG, AT (want_tree), NS_CLI_TAKES_ROW, NULL, N_("one tree of the paths of all rows instead") },
  { "tree", 0, KIND_FLAG, AT (want_tree), NS_CLI_TAKES_TREE, NULL, N_("show for each name the servers queried, the responses, and the address connected to") },
  { "appearances", 0, KIND_FLAG, AT (want_appearances), NS_CLI_TAKES_APPEARANCES, NULL, N_("every appearance of a packet in the stack: component by component, where it was dropped or changed") },
  { "audit", 0, KIND_FLAG, AT (want_audit), NS_CLI_TAKES_AUDIT, NULL, N_("network use by process: hosts and ports, with bytes, times and the modules that called the network") },
  { "text", 0, KIND_FLAG, AT (want_text), NS_CLI_TAKES_AUDIT, NULL, N_("text report: summary, findings, rows, call sequence of each row, stacks") },
  { "weight", 0, KIND_TEXT, AT (weight), NS_CLI_TAKES_ROW, "count|bytes|duration|failures", N_("weight of the tree; the number of rows by default") },
  { "stack", 0, KIND_TEXT, AT (stack), NS_CLI_TAKES_ROW, "first|full|back", N_("paths of the tree: full paths by default; back: from the network call back") },
  { "single-stack", 0, KIND_TEXT, AT (single_stack), NS_CLI_TAKES_ROW | NS_CLI_TAKES_ROWS, "once|both", N_("position of a path of one stack: once, as the last, or also as the first") },
  { "tracing-frames", 0, KIND_FLAG, AT (want_tracing_frames), NS_CLI_TAKES_ROW | NS_CLI_TAKES_ROWS, NULL, N_("show the frames of event logging in stacks, too") },
  { "activity", 0, KIND_TEXT, AT (activity), NS_CLI_TAKES_EVENT, "GUID", N_("records linked to this activity id") },
  { "event", 0, KIND_TEXT, AT (event), NS_CLI_TAKES_EVENT, "N", N_("records linked to the activity of this record") },
  { "payload", 0, KIND_FLAG, AT (want_payload), NS_CLI_TAKES_PAYLOAD, NULL, N_("print payloads as hexadecimal digits, too") },
  { "payload", 0, KIND_FLAG, AT (want_payload), NS_CLI_TAKES_BODIES, NULL, N_("har: include headers and decoded bodies; secrets are hidden") },
  { "redact", 0, KIND_FLAG, AT (want_redacted), NS_CLI_TAKES_REDACT, NULL, N_("stand-ins such as server-3 for hosts, addresses, paths and users; payload, info and diff leave out data without a stand-in; exports: csv, tsv, json, jsonl, markdown, har and html") },
  { "stats", 0, KIND_FLAG, AT (want_stats), NS_CLI_TAKES_STATS, NULL, N_("session statistics of Windows, and which of them the trace file does not contain") },
  { "errors", 0, KIND_FLAG, AT (want_errors), NS_CLI_TAKES_SIGNS, NULL, N_("only records that report an error, by level or by error number") },
  { "drops", 0, KIND_FLAG, AT (want_drops), NS_CLI_TAKES_SIGNS, NULL, N_("only records that report a dropped packet, with the reason") },
  { "raw", 0, KIND_FLAG, AT (is_raw), NS_CLI_TAKES_RAW, NULL, N_("everything as recorded: endpoints not swapped, nothing left out; kernel-network: records instead of flows") },
  { "show-schema", 0, KIND_FLAG, AT (want_schema), NS_CLI_TAKES_SIGNS, NULL, N_("print records that describe other records in text output, too") },
  { "fields", 0, KIND_TEXT, AT (fields), NS_CLI_TAKES_FIELDS, "a,b,c", N_("content of a line") },
  { "as", 0, KIND_TEXT, AT (as), NS_CLI_TAKES_AS | NS_CLI_TAKES_RECIPE, "FORM", N_("file format") },
  { "width", 0, KIND_NUMBER, AT (width), NS_CLI_TAKES_SIZE, "W", N_("width of the picture") },
  { "height", 0, KIND_NUMBER, AT (height), NS_CLI_TAKES_SIZE, "H", N_("height of the picture") },
  { "provider", 0, KIND_TEXT, AT (provider), NS_CLI_TAKES_RECIPE, "NAME[:KEYWORDS[:LEVEL]][,…]", N_("providers to record; those that the tables need by default") },
  { "name", 0, KIND_TEXT, AT (name), NS_CLI_TAKES_NAME, "GUID=NAME", N_("assign a name to a provider that no trace names, permanently; without NAME remove it") },
  { "layers", 0, KIND_TEXT, AT (layers), NS_CLI_TAKES_RECIPE, "http,names,…|all", N_("what to record: http, sockets, connections, names, ldap, counters, tls, quic, browsers, office, environment, server, files, processor; all but the last three by default") },
  { "detail", 0, KIND_TEXT, AT (detail), NS_CLI_TAKES_RECIPE, "light|default|verbose", N_("amount of detail: what the rows need, also what the findings need, or everything except secrets") },
  { "packets", 0, KIND_NUMBER, AT (packets), NS_CLI_TAKES_RECIPE, "N", N_("netsh, pktmon: record packets, too, N bytes of each") },
  { "scenario", 0, KIND_TEXT, AT (scenario), NS_CLI_TAKES_RECIPE, "NAME", N_("netsh: record a scenario of it, such as InternetClient, besides") },
  { "clr", 0, KIND_FLAG, AT (want_clr), NS_CLI_TAKES_RECIPE, NULL, N_("record names of .NET functions, too") },
  { "js", 0, KIND_FLAG, AT (want_js), NS_CLI_TAKES_RECIPE, NULL, N_("record names of JavaScript functions, too") },
  { "no-headers", 0, KIND_FLAG, AT (want_no_headers), NS_CLI_TAKES_RECIPE, NULL, N_("do not record headers of requests and responses, which may contain cookies and tokens") },
  { "content", 0, KIND_FLAG, AT (want_content), NS_CLI_TAKES_RECIPE, NULL, N_("also record bodies of requests and responses, which may contain passwords, tokens and personal data") },
  { "no-stacks", 0, KIND_FLAG, AT (want_no_stacks), NS_CLI_TAKES_RECIPE, NULL, N_("record no call stacks") },
  { "to", 0, KIND_TEXT, AT (to_folder), NS_CLI_TAKES_EXTRACT, "DIR", N_("destination folder of the tables; sqlite: file of the database") },
  { "as", 0, KIND_TEXT, AT (as), NS_CLI_TAKES_EXTRACT, "parquet|sqlite|jsonl", N_("format of the tables; parquet by default") },
  { "tables", 0, KIND_TEXT, AT (tables), NS_CLI_TAKES_EXTRACT, "all|a,b", N_("tables to write; trace and failures are always written") },
  { "jobs", 0, KIND_NUMBER, AT (jobs), NS_CLI_TAKES_EXTRACT, "N", N_("number of traces read at the same time, each in its own process; 1 by default") },
  { "memory", 0, KIND_NUMBER, AT (memory), NS_CLI_TAKES_EXTRACT, "MIB", N_("memory for all jobs together; three quarters of the machine's memory by default") },
  { "resume", 0, KIND_FLAG, AT (want_resumed), NS_CLI_TAKES_EXTRACT, NULL, N_("skip traces that are already in DIR with the same logs and options; failed ones are tried again") },
  { "stacks", 0, KIND_TEXT, AT (stacks), NS_CLI_TAKES_EXTRACT, "none|keys|full", N_("keys (default): activities have keys of their first and last stack, which the table stacks resolves; full: also the frames") },
  { "redact", 0, KIND_FLAG, AT (want_redacted), NS_CLI_TAKES_EXTRACT, NULL, N_("stand-ins such as server-3 for hosts, addresses, paths and users") },
  { "from-file", 0, KIND_TEXT, AT (from_file), NS_CLI_TAKES_EXTRACT, "LIST", N_("file with names of traces and folders, one per line; -: standard input") },
  { "null", '0', KIND_FLAG, AT (has_zeros), NS_CLI_TAKES_EXTRACT, NULL, N_("names in --from-file are terminated by zero bytes, as by find -print0") },
  { "schema", 0, KIND_FLAG, AT (want_extract_schema), NS_CLI_TAKES_EXTRACT, NULL, N_("print all tables with the names and types of their columns as JSON") },
  { "no-redact", 0, KIND_FLAG, AT (want_names), NS_CLI_TAKES_MCP, NULL, N_("include the names of hosts, addresses, paths and users, and sent data in results; secrets stay hidden") },
  { "rvas", 0, KIND_TEXT, AT (rvas), NS_CLI_TAKES_RVAS, "FILE", N_("file with addresses, one hexadecimal number per line") },
  { "rva", 0, KIND_TEXT, AT (rva), NS_CLI_TAKES_RVAS, "N", N_("one address, hexadecimal") },
  { "functions", 0, KIND_FLAG, AT (want_functions), NS_CLI_TAKES_RVAS, NULL, N_("list all functions") },
  { "identity", 0, KIND_FLAG, AT (want_identity), NS_CLI_TAKES_RVAS, NULL, N_("print GUID, age and machine") },
  { "from", 0, KIND_TEXT, AT (from), NS_CLI_TAKES_SPAN, "T", N_("start: seconds since the start of the trace, or ISO 8601") },
  { "to", 0, KIND_TEXT, AT (to), NS_CLI_TAKES_SPAN, "T", N_("end: seconds since the start of the trace, or ISO 8601") },
  { "range", 0, KIND_TEXT, AT (range), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_FILTER, "NAME=FROM..TO[;…]", N_("named time ranges, in seconds, for the filter range:NAME") },
  { "geo", 0, KIND_TEXT, AT (geo), NS_CLI_TAKES_ROWS, "FILE", N_("GeoIP database (.mmdb) for the column geo") },
  { "symbols", 0, KIND_TEXT, AT (symbols), NS_CLI_TAKES_SYMBOLS, "PATH", N_("symbol path, instead of _NT_SYMBOL_PATH") },
  { "cached-only", 0, KIND_FLAG, AT (want_cached_only), NS_CLI_TAKES_SYMBOLS, NULL, N_("use only symbols that were downloaded before; search no server and no store") },
  { "compat-reference", 0, KIND_FLAG, AT (is_like_reference), NS_CLI_TAKES_ROWS | NS_CLI_TAKES_SIZE, NULL, N_("follow the rules of the Windows tool where ours differ") },
  { "manifests", 0, KIND_TEXT, AT (manifests), 0, "DIR", N_("folder with additional instrumentation manifests and .mof files") },
  { "wfp", 0, KIND_TEXT, AT (wfp_names), 0, "FILE", N_("file with names of WFP filters, as netsh wfp show state writes it; otherwise a FILE that contains them, or wfpstate.xml, filters.xml or wfpdiag.xml beside the trace or in its archive") },
  { "member", 0, KIND_TEXT, AT (member), NOT_MCP, "NAME", N_("trace to read from an archive that contains several, by its name or number") },
  { "recursive", 0, KIND_FLAG, AT (is_recursive), NOT_MCP, NULL, N_("also read traces in subfolders of a folder") },
  { "clock-offset", 0, KIND_LINES, AT (offsets), 0, "FILE=SECONDS", N_("add SECONDS to the times of a log, a capture or a trace with another clock: pfirewall.log=-1.5; can be given once per file") },
  { "time-column", 0, KIND_LINES, AT (time_columns), 0, "[FILE=]COLUMN", N_("time column of a table beside the trace, if its title does not identify it") },
  { "include-secrets", 0, KIND_FLAG, AT (want_secrets), NOT_MCP, NULL, N_("show passwords, cookies and tokens, which are hidden by default") },
  { "no-formula-guard", 0, KIND_FLAG, AT (want_formulas), NOT_MCP, NULL, N_("csv, tsv: do not put an apostrophe before texts that spreadsheets interpret as formulas") },
  { "output", 'o', KIND_TEXT, AT (output), NOT_MCP, "FILE", N_("write to this file, either completely or not at all; -: standard output") },
  { "secret-names", 0, KIND_TEXT, AT (secret_names), 0, "FILE", N_("file with names of further secrets, one per line, as used in headers, URLs, bodies, events and command lines") },
  { "thresholds", 0, KIND_TEXT, AT (thresholds), 0, "FILE", N_("file with thresholds of findings: lines such as D01.slow = 500 ms, which override those of ~/.config/netstitch/thresholds") },
  { "mode", 0, KIND_TEXT, AT (mode), NOT_MCP, "OCTAL", N_("permissions of the file; 0600 by default, 0644 makes it readable for all users") },
  { "progress", 0, KIND_FLAG, AT (want_progress), NOT_MCP, NULL, N_("show progress on standard error") },
  { "quiet", 'q', KIND_FLAG, AT (is_quiet), NOT_MCP, NULL, N_("do not report damage of the trace") },
  { "verbose", 'v', KIND_FLAG, AT (is_verbose), NOT_MCP, NULL, N_("list every damage of the trace") },
  { "help", 'h', KIND_FLAG, AT (want_help), 0, NULL, N_("print this help") },
};
/* clang-format on */

/* @takes: of a verb; 0: whether the option is one of every verb. */
static gboolean
is_taken (const Option *option, guint takes)
{
  if (takes == 0)
    return option->takes == 0 || option->takes == NOT_MCP;
  return option->takes == 0 || (option->takes & takes) != 0;
}

static const Option *
find_option (const char *name, gsize n_name, guint takes)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (options); i++)
    if (is_taken (&options[i], takes) && strlen (options[i].name) == n_name &&
        strncmp (options[i].name, name, n_name) == 0)
      return &options[i];
  return NULL;
}

static const Option *
find_letter (char letter, guint takes)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].letter != 0 && options[i].letter == letter && is_taken (&options[i], takes))
      return &options[i];
  return NULL;
}

static gboolean
store (NsCliOptions *self, const Option *option, const char *value, GError **error)
{
  gint64 *number = G_STRUCT_MEMBER_P (self, option->at);
  char **text = G_STRUCT_MEMBER_P (self, option->at);

  if (option->kind == KIND_LINES)
    {
      g_autofree char *before = *text;

      *text = before == NULL ? g_strdup (value) : g_strconcat (before, "\n", value, NULL);
      return TRUE;
    }
  if (option->kind == KIND_TEXT)
    {
      g_free (*text);
      *text = g_strdup (value);
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, (guint64 *) number, NULL))
    return ns_trace_refuse_query (error, _ ("--%s needs a number, not “%s”"), option->name, value);
  return TRUE;
}

static gboolean
refuse_option (const NsCliVerb *verb,
               const char *word,
               const char *name,
               gsize n_name,
               GError **error)
{
  g_autofree char *typed = g_strndup (name, n_name);
  NsNearest search;
  guint i;

  ns_nearest_init (&search, typed);
  for (i = 0; i < G_N_ELEMENTS (options); i++)
    if (is_taken (&options[i], verb->takes) && options[i].help != NULL)
      ns_nearest_offer (&search, options[i].name);
  if (search.best != NULL && word[1] == '-')
    return ns_trace_refuse_query (error,
                                  _ ("%s has no option %s; did you mean --%s?"),
                                  verb->name,
                                  word,
                                  search.best);
  return ns_trace_refuse_query (error, _ ("%s has no option %s; see --help"), verb->name, word);
}

/* Parses one option; its value may be in the same word or the next. */
static gboolean
take_option (NsCliOptions *self,
             const NsCliVerb *verb,
             const char *word,
             const char *next,
             gboolean *used_next,
             GError **error)
{
  gboolean is_long = word[1] == '-';
  const char *name = word + (is_long ? 2 : 1);
  const char *equals = is_long ? strchr (name, '=') : NULL;
  gsize n_name = equals != NULL ? (gsize) (equals - name) : strlen (name);
  const Option *option =
      is_long ? find_option (name, n_name, verb->takes) : find_letter (*name, verb->takes);
  const char *value = equals != NULL ? equals + 1 : NULL;

  *used_next = FALSE;
  if (option == NULL)
    return refuse_option (verb, word, name, n_name, error);
  if (!is_long && name[1] != '\0')
    value = name + 1;
  if (option->kind == KIND_FLAG)
    {
      if (value != NULL)
        return ns_trace_refuse_query (error, _ ("%s takes no value"), word);
      *(gboolean *) G_STRUCT_MEMBER_P (self, option->at) = TRUE;
      return TRUE;
    }
  if (value == NULL)
    {
      value = next;
      *used_next = TRUE;
    }
  if (value == NULL)
    return ns_trace_refuse_query (error, _ ("--%s needs a value"), option->name);
  return store (self, option, value, error);
}

/**
 * ns_cli_options_parse:
 * @self: (out): the options; clear it also on failure
 * @verb: the verb
 * @argc: number of words after the verb
 * @argv: (array length=argc): the words
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: %TRUE if the options are valid for the verb, else %FALSE with @error set
 */
gboolean
ns_cli_options_parse (NsCliOptions *self,
                      const NsCliVerb *verb,
                      int argc,
                      char *const *argv,
                      GError **error)
{
  gboolean only_files = FALSE;
  int i;

  memset (self, 0, sizeof *self);
  self->limit = -1;
  self->max_payload = -1;
  self->jobs = -1;
  self->memory = -1;
  self->width = -1;
  self->height = -1;
  self->files = g_new0 (char *, argc + 1);
  for (i = 0; i < argc; i++)
    {
      const char *word = argv[i];
      gboolean used_next;

      if (!only_files && strcmp (word, "--") == 0)
        only_files = TRUE;
      else if (only_files || word[0] != '-' || word[1] == '\0' ||
               (g_ascii_isdigit (word[1]) && find_letter (word[1], verb->takes) == NULL))
        self->files[self->n_files++] = g_strdup (word);
      else if (!take_option (self,
                             verb,
                             word,
                             i + 1 < argc ? argv[i + 1] : NULL,
                             &used_next,
                             error))
        return FALSE;
      else
        i += used_next;
    }

  if (self->want_help)
    return TRUE;
  if (self->n_files < verb->min_files)
    return ns_trace_refuse_query (error,
                                  _ ("usage: netstitch-cli %s %s"),
                                  verb->name,
                                  _ (verb->operands));
  if (self->n_files > verb->max_files)
    return ns_trace_refuse_query (error,
                                  _ ("%s: unexpected argument “%s”"),
                                  verb->name,
                                  self->files[verb->max_files]);
  return TRUE;
}

/**
 * ns_cli_options_clear:
 * @self: options
 *
 * Frees the contents of @self.
 */
void
ns_cli_options_clear (NsCliOptions *self)
{
  guint i;

  g_clear_pointer (&self->files, g_strfreev);
  for (i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].kind == KIND_TEXT || options[i].kind == KIND_LINES)
      g_clear_pointer ((char **) G_STRUCT_MEMBER_P (self, options[i].at), g_free);
}

/* Appends the list of what --compat-reference changes. */
static void
append_reference_rules (GString *text)
{
  static const char *const rules[] = {
    N_ ("a rundown overrides the state of a connection that began in the trace"),
    N_ ("retransmitted bytes count as sent"),
    N_ ("the send event of Windows 7 is left out"),
    N_ ("a thread stays when its process turns out to be another"),
    N_ ("a flow of datagrams whose close was not recorded lasts until the trace ends"),
    N_ ("the first name seen for an address is its name"),
    N_ ("a DNS server is labeled with the host name that it was queried for"),
    N_ ("a refused socket has no status"),
    N_ ("a WinINet request takes the address that a later try resolved"),
    N_ ("an answer from the cache has no address"),
  };
  guint i;

  g_string_append (text, _ ("\nEffects of --compat-reference:\n"));
  for (i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_string_append (text, "  • ");
      ns_cli_append_broken (text, _ (rules[i]), 4);
    }
}

/**
 * ns_cli_get_columns:
 *
 * Returns: the width of the terminal in characters; 0: standard output is no terminal
 */
guint
ns_cli_get_columns (void)
{
  struct winsize size;

  if (!isatty (STDOUT_FILENO))
    return 0;
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

/* Width of help without a terminal, and the minimum width. */
#define USUAL_WIDTH 100
#define LEAST_WIDTH 60

/**
 * ns_cli_append_broken: (skip)
 * @out: to append to
 * @text: words
 * @indent: column in which the current line is
 *
 * Appends @text, broken between words, and a line end; continuation lines are indented by @indent.
 */
void
ns_cli_append_broken (GString *out, const char *text, guint indent)
{
  guint columns = ns_cli_get_columns ();
  guint width = MAX (columns == 0 ? USUAL_WIDTH : columns, LEAST_WIDTH) - indent;
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint at = 0;
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      guint n = (guint) g_utf8_strlen (words[i], -1);

      if (at > 0 && at + 1 + n > width)
        {
          g_string_append_printf (out, "\n%*s", (int) indent, "");
          at = 0;
        }
      if (at > 0)
        g_string_append_c (out, ' ');
      g_string_append (out, words[i]);
      at += n + (at > 0);
    }
  g_string_append_c (out, '\n');
}

/**
 * ns_cli_options_append_help:
 * @text: to append to
 * @takes: #NsCliTakes of a verb
 *
 * Appends one line per option.
 */
void
ns_cli_options_append_help (GString *text, guint takes)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const Option *option = &options[i];
      g_autofree char *form = NULL;

      if (!is_taken (option, takes))
        continue;
      form = g_strdup_printf ("%s--%s%s%s",
                              option->letter == 'o'   ? "-o, "
                              : option->letter == 'q' ? "-q, "
                              : option->letter == 'v' ? "-v, "
                              : option->letter == 'h' ? "-h, "
                              : option->letter == '0' ? "-0, "
                                                      : "",
                              option->name,
                              option->value != NULL ? " " : "",
                              option->value != NULL ? option->value : "");
      if (strlen (form) > 26)
        g_string_append_printf (text, "  %s\n  %-26s  ", form, "");
      else
        g_string_append_printf (text, "  %-26s  ", form);
      ns_cli_append_broken (text, _ (option->help), INDENT_OF_HELP);
    }
  if (takes != 0 && find_option ("compat-reference", strlen ("compat-reference"), takes) != NULL)
    append_reference_rules (text);
}

/**
 * ns_cli_options_next:
 * @takes: #NsCliTakes of a verb
 * @at: (inout): position; start with 0
 *
 * Returns: (transfer none) (nullable): the name of the next option; %NULL: no more
 */
const char *
ns_cli_options_next (guint takes, guint *at)
{
  for (; *at < G_N_ELEMENTS (options); (*at)++)
    if (is_taken (&options[*at], takes) && options[*at].help != NULL)
      return options[(*at)++].name;
  return NULL;
}

/**
 * ns_cli_options_wants_value:
 * @word: a word of the command line
 * @takes: #NsCliTakes of a verb
 * @form: (out): form of the value
 *
 * Returns: (transfer none) (nullable): the name of the option @word if its value is the next word;
 *   else %NULL
 */
const char *
ns_cli_options_wants_value (const char *word, guint takes, const char **form)
{
  const Option *option = NULL;

  if (g_str_has_prefix (word, "--"))
    option = find_option (word + 2, strlen (word + 2), takes);
  else if (word[0] == '-' && word[1] != '\0' && word[2] == '\0')
    option = find_letter (word[1], takes);
  if (option == NULL || option->kind == KIND_FLAG)
    return NULL;
  *form = option->value;
  return option->name;
}
