/* The command line: verbs, options and output.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-list.h"
#include "engine/trace/ns-view-context.h"

G_BEGIN_DECLS

typedef struct _NsCli NsCli;
typedef struct _NsCliOutput NsCliOutput;

/* Exit statuses. */
enum
{
  NS_CLI_DONE = 0,
  NS_CLI_FAILED = 1,
  NS_CLI_WRONG_USAGE = 2,
  NS_CLI_PARTLY = 3, /* some of many traces could not be read */
};

/* Options that a verb takes besides those that all verbs take. */
typedef enum
{
  NS_CLI_TAKES_FORMAT = 1 << 0,       /* --format */
  NS_CLI_TAKES_ROWS = 1 << 1,         /* --columns --filter --sort --limit --offset --rows --time */
  NS_CLI_TAKES_SPAN = 1 << 2,         /* --from --to */
  NS_CLI_TAKES_SYMBOLS = 1 << 3,      /* --symbols */
  NS_CLI_TAKES_ROW = 1 << 4,          /* --row */
  NS_CLI_TAKES_PAYLOAD = 1 << 5,      /* --payload */
  NS_CLI_TAKES_FIELDS = 1 << 6,       /* --fields */
  NS_CLI_TAKES_AS = 1 << 7,           /* --as */
  NS_CLI_TAKES_SIZE = 1 << 8,         /* --width --height */
  NS_CLI_TAKES_RVAS = 1 << 9,         /* --rvas --rva --functions --identity */
  NS_CLI_TAKES_FILTER = 1 << 10,      /* --filter --sort --limit --offset */
  NS_CLI_TAKES_EVENT = 1 << 11,       /* --activity --event --row */
  NS_CLI_TAKES_STATS = 1 << 13,       /* --stats */
  NS_CLI_TAKES_GROUPS = 1 << 15,      /* --group-by */
  NS_CLI_TAKES_RECIPE = 1 << 16,      /* --provider, --layers, --detail … */
  NS_CLI_TAKES_LINES = 1 << 14,       /* --separator --time */
  NS_CLI_TAKES_SIGNS = 1 << 12,       /* --errors --drops --show-schema */
  NS_CLI_TAKES_RAW = 1 << 17,         /* --raw */
  NS_CLI_TAKES_NAME = 1 << 18,        /* --name */
  NS_CLI_TAKES_TREE = 1 << 19,        /* --tree of `dns` */
  NS_CLI_TAKES_BODIES = 1 << 21,      /* --payload of requests */
  NS_CLI_TAKES_BYTES = 1 << 20,       /* --row --rows --table --raw of payloads */
  NS_CLI_TAKES_AUDIT = 1 << 23,       /* --audit */
  NS_CLI_TAKES_REDACT = 1 << 22,      /* --redact */
  NS_CLI_TAKES_CELLS = 1 << 24,       /* --columns */
  NS_CLI_TAKES_APPEARANCES = 1 << 25, /* --appearances */
  NS_CLI_TAKES_TABLE = 1 << 26,       /* --table */
  NS_CLI_TAKES_EXTRACT = 1 << 27,     /* --to --tables --jobs … */
  NS_CLI_TAKES_MCP = 1 << 28,         /* --no-redact */
} NsCliTakes;

/* The parsed options. Texts that were not given are %NULL, numbers negative. */
typedef struct
{
  char **files; /* operands after the verb */
  guint n_files;
  char *member;
  char *format;
  char *columns;
  char *filter;
  char *sort;
  char *group_by;
  char *rows;
  char *time;
  char *from;
  char *to;
  char *range;
  char *geo;
  char *separator;
  char *symbols;
  char *manifests;
  char *offsets;      /* clock offsets of logs: a line `FILE=SECONDS` for each */
  char *time_columns; /* time columns of logs: a line `FILE=COLUMN` or `COLUMN` for each */
  char *wfp_names;
  char *output;
  char *mode;
  char *row;
  char *activity;
  char *event;
  char *fields;
  char *as;
  char *rvas;
  char *rva;
  char *weight;
  char *stack;
  char *single_stack;
  char *provider;
  char *name;
  char *table;
  char *layers;
  char *detail;
  char *scenario;
  gint64 packets;
  gboolean want_no_stacks;
  gboolean want_no_headers;
  gboolean want_content;
  gboolean want_clr;
  gboolean want_js;
  gint64 limit;
  gint64 offset;
  gint64 max_payload; /* KiB */
  char *to_folder;
  char *tables;
  char *stacks;
  char *from_file;
  gint64 jobs;
  gint64 memory; /* MiB */
  gboolean want_resumed;
  gboolean want_extract_schema;
  gboolean has_zeros; /* names in the list end with zero bytes */
  gint64 width;
  gint64 height;
  gboolean want_payload;
  gboolean want_redacted;
  gboolean want_names; /* --no-redact */
  gboolean want_stats;
  gboolean want_errors;
  gboolean want_drops;
  gboolean want_schema;
  gboolean is_raw;
  gboolean is_recursive;
  gboolean want_secrets;
  gboolean want_formulas;
  char *secret_names;
  char *thresholds;
  gboolean want_functions;
  gboolean want_identity;
  gboolean want_tree;
  gboolean want_appearances;
  gboolean want_audit;
  gboolean want_text;
  gboolean want_cached_only;
  gboolean want_tracing_frames;
  gboolean is_like_reference;
  gboolean want_progress;
  gboolean is_quiet;
  gboolean is_verbose;
  gboolean want_help;
} NsCliOptions;

/**
 * NsCliRun:
 * @cli: the parsed command line
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Runs a verb; its output goes through ns_cli_write().
 *
 * Returns: %FALSE with @error set if it failed
 */
typedef gboolean (*NsCliRun) (NsCli *cli, GError **error);

/* NsCliVerb.max_files of verbs that read any number of files as one trace. */
#define NS_CLI_ANY_FILES G_MAXUINT

/* A verb: one row of the table in main.c. */
typedef struct
{
  const char *name;
  const char *operands; /* marked for translation: "FILE" */
  const char *summary;  /* marked for translation */
  NsCliRun run;
  guint takes; /* #NsCliTakes */
  guint min_files;
  guint max_files;
} NsCliVerb;

struct _NsCli
{
  const NsCliVerb *verb;
  NsViewContext *view; /* shared by all traces of the run */
  NsCliOptions options;
  NsCliOutput *output;
  GArray *printed; /* (element-type NsMachine): traces that were printed; not freed, see main.c */
  guint n_chosen;  /* number of rows or packets written */
  int status;      /* exit status if the verb succeeds */
};

/* ns-cli-options.c */
gboolean ns_cli_options_parse (NsCliOptions *self,
                               const NsCliVerb *verb,
                               int argc,
                               char *const *argv,
                               GError **error);
void ns_cli_options_clear (NsCliOptions *self);
void ns_cli_append_broken (GString *out, const char *text, guint indent);
void ns_cli_options_append_help (GString *text, guint takes);
const char *ns_cli_options_next (guint takes, guint *at);
const char *ns_cli_options_wants_value (const char *word, guint takes, const char **form);

/* ns-cli-help.c */
guint ns_cli_get_columns (void);

/* ns-cli-stdin.c */
const char *ns_cli_get_shown_path (const char *path);
void ns_cli_name_input (GString *line);
gboolean ns_cli_take_input (NsCliOptions *options, GError **error);

/* ns-cli-redact.c */
char *ns_cli_redact_dup_file (const NsCli *cli, const char *path, const char *member);
char *ns_cli_redact_dup_reason (const NsCli *cli, const char *path, const char *reason);
char *
ns_cli_redact_dup_machine (const NsCli *cli, const NsEtlFile *file, const char *name, guint number);
const char *ns_cli_redact_get_message (const NsCli *cli, const GError *error);

/* ns-cli-output.c */
gboolean ns_cli_check_mode (const NsCliOptions *options, guint *mode, GError **error);
gboolean ns_cli_write (const char *data, gsize n_bytes, gpointer cli, GError **error);
gboolean ns_cli_is_terminal (const NsCli *cli);
gboolean ns_cli_wants_marks (const NsCli *cli);
gboolean ns_cli_write_mark (NsExportMark mark, gpointer cli, GError **error);
gboolean ns_cli_commit (NsCli *cli, GError **error);
gboolean ns_cli_is_pipe_broken (const NsCli *cli);
gboolean ns_cli_output_drop (void);
gboolean ns_cli_output_is_file (const NsCli *cli);
void ns_cli_output_free (NsCliOutput *self);

/* ns-cli-open.c */
NsEtlFile *ns_cli_find_file (NsCli *cli, GError **error);
NsEtlFile *ns_cli_open_file (NsCli *cli, GError **error);
gboolean ns_cli_wants_findings (const NsCliOptions *options);
NsTrace *ns_cli_open_trace_to_draw (NsCli *cli, GError **error);
NsTrace *ns_cli_open_trace_for_report (NsCli *cli, gboolean want_events, GError **error);
NsTrace *ns_cli_open_trace (NsCli *cli, NsTableId table, GError **error);
NsTrace *ns_cli_open_trace_for_list (NsCli *cli, const NsCliList *list, GError **error);
GArray *ns_cli_open_machines (NsCli *cli, const NsCliList *list, GError **error);
GArray *ns_cli_open_machines_for_report (NsCli *cli, GError **error);
void ns_cli_name_files (const NsCli *cli, NsTraceOptions *options);
void ns_cli_report_one_machine (NsCli *cli, const NsEtlFile *file);
void ns_cli_report_logs (NsCli *cli, const NsTrace *trace);
void ns_cli_report_refused (NsCli *cli, const GPtrArray *refused);
void ns_cli_report_damage (NsCli *cli, const NsEtlFile *file);
gboolean ns_cli_progress (double fraction, gpointer cli);
void ns_cli_print_message (const char *message);
void ns_cli_report_written (const NsCli *cli);
void ns_cli_print_message_lines (const char *message);
void ns_cli_install_signals (void);
void ns_cli_renew_signals (void);
void ns_cli_install_memory (void);
gboolean ns_cli_is_stopped (void);
int ns_cli_get_stop_fd (void);

/* The verbs. */
gboolean ns_cli_info (NsCli *cli, GError **error);
gboolean ns_cli_recipe (NsCli *cli, GError **error);
gboolean ns_cli_records (NsCli *cli, GError **error);
gboolean ns_cli_verb_events (NsCli *cli, GError **error);
gboolean ns_cli_verb_correlate (NsCli *cli, GError **error);
gboolean ns_cli_verb_kernel_network (NsCli *cli, GError **error);
gboolean ns_cli_verb_lanes (NsCli *cli, GError **error);
gboolean ns_cli_verb_dump (NsCli *cli, GError **error);
gboolean ns_cli_stacks (NsCli *cli, GError **error);
gboolean ns_cli_pdb (NsCli *cli, GError **error);
gboolean ns_cli_table (NsCli *cli, GError **error);
gboolean ns_cli_names (NsCli *cli, GError **error);
gboolean ns_cli_packets (NsCli *cli, GError **error);
gboolean ns_cli_verb_report (NsCli *cli, GError **error);
gboolean ns_cli_report_audit (NsCli *cli, GError **error);
gboolean ns_cli_providers (NsCli *cli, GError **error);
gboolean ns_cli_diff (NsCli *cli, GError **error);
gboolean ns_cli_pairs (NsCli *cli, GError **error);
gboolean ns_cli_export (NsCli *cli, GError **error);
gboolean ns_cli_payload (NsCli *cli, GError **error);
gboolean ns_cli_extract (NsCli *cli, GError **error);
gboolean ns_cli_mcp (NsCli *cli, GError **error);
/* ns-cli-table.c: parts of ns_cli_table() for other verbs. */
NsCliList ns_cli_get_list (NsCli *cli, NsTableId table);
void ns_cli_report_empty (const NsCli *cli, const NsTrace *trace, NsTableId table);
gboolean ns_cli_print_table (NsCli *cli, NsTableId table, const char *format, GError **error);

G_END_DECLS
