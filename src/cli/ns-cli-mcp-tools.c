/* The tools of the MCP server, and the command lines that they run.
 *
 * An argument of a client is checked against these tables or becomes the value of one option:
 * nothing else reaches the command line of the worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "cli/ns-cli-mcp.h"
#include "export/ns-redact.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum length of one argument, in bytes. */
#define MAX_TEXT_BYTES (16 * 1024)
#define MAX_OFFSET G_MAXINT32
/* Maximum payload of a row, in KiB. */
#define MAX_PAYLOAD_KIB "64"

typedef enum
{
  ARGUMENT_FILE,
  ARGUMENT_OTHER,
  ARGUMENT_BESIDE,
  ARGUMENT_TABLE,
  ARGUMENT_NUMBER,
  ARGUMENT_ROW,
  ARGUMENT_ROWS,
  ARGUMENT_FILTER,
  ARGUMENT_COLUMNS,
  ARGUMENT_SORT,
  ARGUMENT_FROM,
  ARGUMENT_TO,
  ARGUMENT_MEMBER,
  ARGUMENT_LIMIT,
  ARGUMENT_OFFSET,
  N_ARGUMENTS,
} ArgumentId;

typedef enum
{
  KIND_TEXT,
  KIND_WHOLE, /* a whole number */
  KIND_CODE,  /* a number, or a text that contains one */
  KIND_NAMES, /* an array of strings, parsed into one text with a line each */
} Kind;

typedef struct
{
  const char *name;
  Kind kind;
  const char *option;      /* %NULL: not an option */
  const char *description; /* for agents, not for people: not translated */
} Argument;

static const Argument arguments[N_ARGUMENTS] = {
  [ARGUMENT_FILE] = { "file", KIND_TEXT, NULL, "trace, as the tool files lists it" },
  [ARGUMENT_OTHER] = { "other",
                       KIND_TEXT,
                       NULL,
                       "the trace to compare with, as the tool files lists it" },
  [ARGUMENT_BESIDE] = { "beside",
                        KIND_NAMES,
                        NULL,
                        "more files that are read with it as one trace: others of that computer "
                        "or of another one, as the tool files lists them, and logs" },
  [ARGUMENT_TABLE] = { "table", KIND_TEXT, NULL, "name of a table" },
  [ARGUMENT_NUMBER] = { "number", KIND_CODE, NULL, "error number, decimal or hexadecimal with 0x" },
  [ARGUMENT_ROW] = { "row", KIND_WHOLE, "row", "only the row with this id" },
  [ARGUMENT_ROWS] = { "rows", KIND_TEXT, "rows", "only rows with these ids, such as 3,7-9" },
  [ARGUMENT_FILTER] = { "filter",
                        KIND_TEXT,
                        "filter",
                        "only rows of which this is true, such as: process:outlook status>=400" },
  [ARGUMENT_COLUMNS] = { "columns",
                         KIND_TEXT,
                         "columns",
                         "fields with commas between, or all; the usual ones by default" },
  [ARGUMENT_SORT] = { "sort", KIND_TEXT, "sort", "fields with commas between, - for descending" },
  [ARGUMENT_FROM] = { "from",
                      KIND_TEXT,
                      "from",
                      "start: seconds since the start of the trace, or ISO 8601" },
  [ARGUMENT_TO] = { "to",
                    KIND_TEXT,
                    "to",
                    "end: seconds since the start of the trace, or ISO 8601" },
  [ARGUMENT_MEMBER] = { "member",
                        KIND_TEXT,
                        "member",
                        "trace to read from an archive that contains several, by its name or "
                        "its number from 1" },
  [ARGUMENT_LIMIT] = { "limit", KIND_WHOLE, NULL, "print at most N rows" },
  [ARGUMENT_OFFSET] = { "offset", KIND_WHOLE, "offset", "skip the first N rows" },
};

#define BIT(name) (1u << ARGUMENT_##name)
#define PAGE (BIT (LIMIT) | BIT (OFFSET))
#define SPAN (BIT (FROM) | BIT (TO))
#define CHOICE (BIT (FILE) | BIT (BESIDE) | BIT (MEMBER) | BIT (FILTER) | BIT (SORT) | SPAN | PAGE)
#define LISTING (CHOICE | BIT (ROWS) | BIT (COLUMNS))

typedef struct
{
  const char *name;
  const char *description;
  guint takes; /* bits of #ArgumentId */
  guint needs;
  const char *more; /* (nullable): further words of the command line, separated by spaces */
  gboolean is_one;  /* the answer is one object */
} Tool;

/* clang-format off */
static const Tool tools[] = {
  { "files", "Lists the Windows network traces that this server may read.", PAGE, 0, NULL, FALSE },
  { "info", "What a trace is: clock, span, counts of events, what was lost, providers, damage.",
    BIT (FILE) | BIT (BESIDE) | BIT (MEMBER) | SPAN, BIT (FILE), "", TRUE },
  { "activities", "Network operations (requests, connections, look-ups), a row each, with times in nanoseconds since the start of the trace, phases, bytes, status.",
    LISTING, BIT (FILE), "--cached-only", FALSE },
  { "table", "Rows of another table: name resolutions, TCP connections, sockets, requests of each library, processes and so on.",
    LISTING | BIT (TABLE), BIT (FILE) | BIT (TABLE), "", FALSE },
  { "findings", "What went wrong and why, by rules over the rows, with advice; each says whether it was found or cannot be judged.",
    LISTING, BIT (FILE), "", FALSE },
  { "stacks", "Call stacks of network operations: where the work began, through which thread pools it went, and the network call.",
    CHOICE | BIT (ROW), BIT (FILE), "--cached-only", FALSE },
  { "payload", "What was sent and received by operations: kinds, codings and lengths of messages, with headers and bodies where this server shows names.",
    CHOICE | BIT (ROW) | BIT (ROWS) | BIT (TABLE), BIT (FILE), "--max-payload " MAX_PAYLOAD_KIB, FALSE },
  { "diff", "Compares two traces operation by operation: gone, new, slower, faster, other status. row_a and row_b are ids of activities.",
    BIT (FILE) | BIT (OTHER) | BIT (FILTER) | BIT (COLUMNS) | BIT (SORT) | SPAN | PAGE, BIT (FILE) | BIT (OTHER), "", FALSE },
  { "codes", "What an error number means in every family: Win32, HRESULT, NTSTATUS, WinSock, WinHTTP, HTTP and so on.",
    BIT (NUMBER), BIT (NUMBER), "", FALSE },
};
/* clang-format on */

static gboolean
is_redacted (const NsCli *cli)
{
  return !cli->options.want_names;
}

static gboolean
is_table_reported (const NsCli *cli, NsTableId table)
{
  return !is_redacted (cli) || ns_redact_is_possible (table);
}

static void
append_tables (const NsCli *cli, GString *json)
{
  gboolean is_first = TRUE;
  NsTableId table;

  g_string_append (json, ",\"enum\":[");
  for (table = 0; table < NS_N_TABLES; table++)
    {
      if (!is_table_reported (cli, table))
        continue;
      g_string_append (json, is_first ? "" : ",");
      ns_json_append_string (json, ns_table_get_name (table));
      is_first = FALSE;
    }
  g_string_append_c (json, ']');
}

static void
append_argument (const NsCli *cli, ArgumentId id, GString *json)
{
  const Argument *argument = &arguments[id];

  ns_json_append_string (json, argument->name);
  g_string_append (json, ":{\"type\":");
  g_string_append (json,
                   argument->kind == KIND_TEXT    ? "\"string\""
                   : argument->kind == KIND_WHOLE ? "\"integer\""
                   : argument->kind == KIND_NAMES ? "\"array\",\"items\":{\"type\":\"string\"}"
                                                  : "[\"string\",\"integer\"]");
  g_string_append (json, ",\"description\":");
  ns_json_append_string (json, argument->description);
  if (id == ARGUMENT_LIMIT)
    g_string_append_printf (json,
                            ",\"minimum\":1,\"maximum\":%d,\"default\":%d",
                            NS_MCP_MAX_ROWS,
                            NS_MCP_USUAL_ROWS);
  else if (id == ARGUMENT_ROW)
    g_string_append (json, ",\"minimum\":1");
  else if (id == ARGUMENT_OFFSET)
    g_string_append (json, ",\"minimum\":0");
  else if (id == ARGUMENT_TABLE)
    append_tables (cli, json);
  g_string_append_c (json, '}');
}

static void
append_schema (const NsCli *cli, const Tool *tool, GString *json)
{
  const char *comma = "";
  guint id;

  g_string_append (json, "{\"type\":\"object\",\"properties\":{");
  for (id = 0; id < N_ARGUMENTS; id++)
    {
      if ((tool->takes & 1u << id) == 0)
        continue;
      g_string_append (json, comma);
      append_argument (cli, id, json);
      comma = ",";
    }
  g_string_append (json, "},\"required\":[");
  comma = "";
  for (id = 0; id < N_ARGUMENTS; id++)
    {
      if ((tool->needs & 1u << id) == 0)
        continue;
      g_string_append (json, comma);
      ns_json_append_string (json, arguments[id].name);
      comma = ",";
    }
  g_string_append (json, "],\"additionalProperties\":false}");
}

/**
 * ns_mcp_tools_append_list: (skip)
 * @cli: the options of the server
 * @json: to append to
 *
 * Appends the result of `tools/list`.
 */
void
ns_mcp_tools_append_list (const NsCli *cli, GString *json)
{
  guint i;

  g_string_append (json, "{\"tools\":[");
  for (i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_string_append (json, i == 0 ? "{\"name\":" : ",{\"name\":");
      ns_json_append_string (json, tools[i].name);
      g_string_append (json, ",\"description\":");
      ns_json_append_string (json, tools[i].description);
      g_string_append (json, ",\"inputSchema\":");
      append_schema (cli, &tools[i], json);
      g_string_append (json, ",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}");
    }
  g_string_append (json, "]}");
}

static const Tool *
find_tool (const char *name)
{
  guint i;

  for (i = 0; name != NULL && i < G_N_ELEMENTS (tools); i++)
    if (strcmp (tools[i].name, name) == 0)
      return &tools[i];
  return NULL;
}

static gboolean
find_argument (const Tool *tool, const char *name, ArgumentId *id)
{
  for (*id = 0; *id < N_ARGUMENTS; (*id)++)
    if ((tool->takes & 1u << *id) != 0 && strcmp (arguments[*id].name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
check_number (ArgumentId id, const char *text, GError **error)
{
  guint64 least = id == ARGUMENT_OFFSET ? 0 : 1;
  guint64 most = id == ARGUMENT_LIMIT ? NS_MCP_MAX_ROWS : MAX_OFFSET;

  if (g_ascii_string_to_unsigned (text, 10, least, most, NULL, NULL))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("%s must be a whole number from %u to %u"),
               arguments[id].name,
               (guint) least,
               (guint) most);
  return FALSE;
}

/* Returns whether the token is a whole number as JSON writes it. */
static gboolean
is_whole (const NsJsonDoc *request, const NsJsonToken *token)
{
  const char *begin = request->text + token->begin;
  gsize n = token->end - token->begin;

  if (token->type != NS_JSON_PRIMITIVE)
    return FALSE;
  if (*begin == '-')
    {
      begin++;
      n--;
    }
  return n > 0 && strspn (begin, "0123456789") >= n;
}

/* Returns: (transfer full) (nullable): the strings of an array, one per line; %NULL: an element is
 * no string, or contains a line end */
static char *
dup_names (const NsJsonDoc *request, guint list)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  guint at;

  if (request->tokens[list].type != NS_JSON_ARRAY)
    return NULL;
  for (at = ns_json_doc_first (request, list); at != NS_JSON_NONE;
       at = ns_json_doc_after (request, list, at))
    {
      g_autofree char *name =
          request->tokens[at].type == NS_JSON_STRING ? ns_json_doc_dup_string (request, at) : NULL;

      if (name == NULL || strchr (name, '\n') != NULL)
        return NULL;
      g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", name);
    }
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

/* Stores the value of an argument in @texts, which is indexed by #ArgumentId. */
static gboolean
take_argument (const Tool *tool,
               const NsJsonDoc *request,
               guint key,
               guint value,
               char **texts,
               GError **error)
{
  g_autofree char *name = ns_json_doc_dup_string (request, key);
  const NsJsonToken *token = &request->tokens[value];
  ArgumentId id;

  if (!find_argument (tool, name, &id))
    return ns_trace_refuse_query (error,
                                  _ ("the tool %s takes no argument “%.100s”"),
                                  tool->name,
                                  name);
  if (texts[id] != NULL)
    return ns_trace_refuse_query (error, _ ("%s is specified twice"), arguments[id].name);
  if (token->end - token->begin > MAX_TEXT_BYTES)
    return ns_trace_refuse_query (error, _ ("%s is too long"), arguments[id].name);
  if (arguments[id].kind == KIND_WHOLE && token->type != NS_JSON_PRIMITIVE)
    return ns_trace_refuse_query (error, _ ("%s is not a number"), arguments[id].name);
  if (arguments[id].kind == KIND_TEXT && token->type != NS_JSON_STRING)
    return ns_trace_refuse_query (error, _ ("%s is not a string"), arguments[id].name);
  if (arguments[id].kind == KIND_NAMES)
    {
      texts[id] = dup_names (request, value);
      return texts[id] != NULL ||
             ns_trace_refuse_query (error, _ ("%s is not a list of strings"), arguments[id].name);
    }
  if (arguments[id].kind == KIND_CODE && token->type != NS_JSON_STRING &&
      !is_whole (request, token))
    return ns_trace_refuse_query (error,
                                  _ ("%s is neither a string nor a whole number"),
                                  arguments[id].name);
  texts[id] = ns_json_doc_dup_string (request, value);
  if (id == ARGUMENT_COLUMNS && texts[id][strspn (texts[id], " ,")] == '\0')
    return ns_trace_refuse_query (error, _ ("%s names no field"), arguments[id].name);
  return arguments[id].kind != KIND_WHOLE || check_number (id, texts[id], error);
}

static gboolean
take_arguments (const Tool *tool,
                const NsJsonDoc *request,
                guint object,
                char **texts,
                GError **error)
{
  guint key;
  guint id;

  if (object != NS_JSON_NONE && request->tokens[object].type != NS_JSON_OBJECT)
    return ns_trace_refuse_query (error, _ ("the arguments of a tool must be an object"));
  for (key = ns_json_doc_first (request, object); key != NS_JSON_NONE;)
    {
      guint value = ns_json_doc_after (request, object, key);

      if (value == NS_JSON_NONE || !take_argument (tool, request, key, value, texts, error))
        return FALSE;
      key = ns_json_doc_after (request, object, value);
    }
  for (id = 0; id < N_ARGUMENTS; id++)
    if ((tool->needs & 1u << id) != 0 && texts[id] == NULL)
      return ns_trace_refuse_query (error,
                                    _ ("the tool %s needs %s"),
                                    tool->name,
                                    arguments[id].name);
  return TRUE;
}

static void
add (GPtrArray *words, const char *word)
{
  g_ptr_array_add (words, g_strdup (word));
}

static void
add_option (GPtrArray *words, const char *name, const char *value)
{
  if (value != NULL)
    g_ptr_array_add (words, g_strdup_printf ("--%s=%s", name, value));
}

static gboolean
add_file (const NsCli *cli, NsMcpCall *call, const char *name, GError **error)
{
  g_autoptr (GError) reason = NULL;
  char *path = ns_mcp_files_find (cli, name, &reason);

  if (path == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  g_ptr_array_add (call->paths, path);
  g_ptr_array_add (call->paths, g_strdup (name));
  add (call->words, path);
  return TRUE;
}

/* Adds files; @lines: (nullable): names, one per line. */
static gboolean
add_files (const NsCli *cli, NsMcpCall *call, const char *lines, GError **error)
{
  g_auto (GStrv) names = g_strsplit (lines != NULL ? lines : "", "\n", -1);
  guint i;

  for (i = 0; names[i] != NULL; i++)
    if (!add_file (cli, call, names[i], error))
      return FALSE;
  return TRUE;
}

/* Adds the verb and its operands. Options of the output form and its limits follow at the end. */
static gboolean
add_verb (const NsCli *cli, const Tool *tool, char **texts, NsMcpCall *call, GError **error)
{
  gboolean has_verb = strcmp (tool->name, "table") == 0;
  const char *table = texts[ARGUMENT_TABLE];
  NsTableId id;

  if (table != NULL && (!ns_table_from_name (table, &id) || !is_table_reported (cli, id)))
    return ns_trace_refuse_query (
        error,
        is_redacted (cli)
            ? _ ("there is no table “%.100s”, or it cannot be shown without names (--no-redact)")
            : _ ("there is no table “%.100s”"),
        table);
  add (call->words, "/proc/self/exe");
  add (call->words, has_verb ? table : tool->name);
  if (!has_verb)
    add_option (call->words, "table", table);
  return TRUE;
}

static void
add_options (const NsCli *cli, const Tool *tool, char **texts, NsMcpCall *call)
{
  g_auto (GStrv) more = g_strsplit (tool->more, " ", -1);
  guint i;

  add (call->words, "--format=jsonl");
  for (i = 0; more[i] != NULL; i++)
    if (*more[i] != '\0')
      add (call->words, more[i]);
  for (i = 0; i < N_ARGUMENTS; i++)
    if (arguments[i].option != NULL)
      add_option (call->words, arguments[i].option, texts[i]);
  if (call->n_rows > 0 && (tool->takes & BIT (LIMIT)) != 0)
    {
      /* One extra row shows whether there are more. */
      g_autofree char *limit = g_strdup_printf ("%u", call->n_rows + 1);

      add_option (call->words, "limit", limit);
    }
  if (is_redacted (cli) && (tool->takes & BIT (FILE)) != 0)
    add (call->words, "--redact");
  ns_mcp_options_pass (cli, call->words);
  add (call->words, "--");
}

static gboolean
make_call (const NsCli *cli, const Tool *tool, char **texts, NsMcpCall *call, GError **error)
{
  const char *limit = texts[ARGUMENT_LIMIT];
  const char *offset = texts[ARGUMENT_OFFSET];

  call->n_rows = tool->is_one    ? 0
                 : limit != NULL ? (guint) g_ascii_strtoull (limit, NULL, 10)
                                 : NS_MCP_USUAL_ROWS;
  call->offset = offset != NULL ? (guint) g_ascii_strtoull (offset, NULL, 10) : 0;
  if (tool->more == NULL)
    return TRUE;
  call->words = g_ptr_array_new_with_free_func (g_free);
  call->paths = g_ptr_array_new_with_free_func (g_free);
  if (!add_verb (cli, tool, texts, call, error))
    return FALSE;
  add_options (cli, tool, texts, call);
  if ((texts[ARGUMENT_FILE] != NULL && !add_file (cli, call, texts[ARGUMENT_FILE], error)) ||
      !add_files (cli, call, texts[ARGUMENT_BESIDE], error) ||
      (texts[ARGUMENT_OTHER] != NULL && !add_file (cli, call, texts[ARGUMENT_OTHER], error)))
    return FALSE;
  if (texts[ARGUMENT_NUMBER] != NULL)
    add (call->words, texts[ARGUMENT_NUMBER]);
  g_ptr_array_add (call->words, NULL);
  return TRUE;
}

/**
 * ns_mcp_tools_parse: (skip)
 * @cli: the options of the server
 * @request: a request
 * @params: token of its parameters, or %NS_JSON_NONE
 * @call: (out): the call; clear it also on failure
 * @error: %NS_TRACE_ERROR_QUERY: there is no such tool or argument; %NS_TRACE_ERROR_OPEN: there is
 *   no such file
 *
 * Returns: %FALSE with @error set if the request is invalid
 */
gboolean
ns_mcp_tools_parse (const NsCli *cli,
                    const NsJsonDoc *request,
                    guint params,
                    NsMcpCall *call,
                    GError **error)
{
  guint at = ns_json_doc_get (request, params, "name");
  g_autofree char *name = ns_json_doc_dup_string (request, at);
  const Tool *tool = find_tool (name);
  char *texts[N_ARGUMENTS] = { NULL };
  gboolean is_done;
  guint i;

  *call = (NsMcpCall){ NULL, NULL, 0, 0 };
  if (tool == NULL)
    return ns_trace_refuse_query (error, _ ("there is no tool “%.100s”"), name != NULL ? name : "");
  is_done = take_arguments (tool,
                            request,
                            ns_json_doc_get (request, params, "arguments"),
                            texts,
                            error) &&
            make_call (cli, tool, texts, call, error);
  for (i = 0; i < N_ARGUMENTS; i++)
    g_free (texts[i]);
  return is_done;
}

/**
 * ns_mcp_call_clear: (skip)
 * @self: a call
 *
 * Frees the contents of @self.
 */
void
ns_mcp_call_clear (NsMcpCall *self)
{
  g_clear_pointer (&self->words, g_ptr_array_unref);
  g_clear_pointer (&self->paths, g_ptr_array_unref);
}
