/* The table of lines from logs of other tools.
 *
 * Log lines have wall-clock times; times of the trace are relative to its start, whose wall-clock
 * time is in the trace header. A line is linked to an operation by both endpoints of the
 * connection, and the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "engine/build/ns-part.h"
#include "engine/open/ns-log.h"

/* Maximum number of operations with the same two endpoints examined for one line. */
#define MAX_CANDIDATES 64
/* Maximum time between an operation and a log line of it, as their clocks differ. */
#define SLACK_NS NS_PER_SECOND
/* Maximum distance from the trace in 100 ns ticks, so that it can be converted to ns. */
#define MAX_TICKS (NS_TIME_MAX / 100)

typedef struct
{
  NsTrace *trace;
  GString *text; /* for masking */
  GArray *rows;  /* NsLogRow, in the order of the files */
  gint64 zero_filetime;
  GArray *sources; /* NsString: names of the logs of the trace */
  guint16 log;
} Adding;

/* Key of operations: both endpoints. */
typedef struct
{
  NsEndpoint remote;
  NsEndpoint local;
} Ends;

/**
 * ns_trace_filetime_to_ns:
 * @self: a trace
 * @filetime: a time, 100 ns since 1601, UTC
 *
 * Returns: the time in ns since the start of the trace
 */
gint64
ns_trace_filetime_to_ns (const NsTrace *self, guint64 filetime)
{
  gint64 zero = self->file != NULL ? (gint64) ns_etl_file_ns_to_filetime (self->file, 0) : 0;
  gint64 ticks = (gint64) MIN (filetime, (guint64) G_MAXINT64) - zero;

  return CLAMP (ticks, -MAX_TICKS, MAX_TICKS) * 100;
}

/* Adds a text to the trace, with secrets masked. */
static NsString
add_text (Adding *self, const char *text)
{
  if (text == NULL || *text == '\0')
    return NS_STRING_NONE;
  g_string_assign (self->text, text);
  ns_secrets_mask_tail (self->trace->secrets, self->text, 0);
  return ns_strings_add (self->trace->strings, self->text->str);
}

/* Returns the name of a log. A log in a hand-over file is added with its first line. */
static NsString
get_source (Adding *self, guint log)
{
  while (self->sources->len <= log)
    {
      const NsSideLog *one = g_ptr_array_index (self->trace->logs, self->sources->len);
      g_autofree char *plain = g_filename_display_name (one->name);
      NsString source = ns_strings_add (self->trace->strings, plain);

      g_array_append_val (self->sources, source);
    }
  return g_array_index (self->sources, NsString, log);
}

static void
add_line (const NsSideLine *line, gpointer user_data)
{
  Adding *self = user_data;
  NsTrace *trace = self->trace;
  gint64 ticks = (gint64) line->filetime - self->zero_filetime;
  guint log = self->log + line->part;
  NsLogRow row = {
    .time_ns = CLAMP (ticks, -MAX_TICKS, MAX_TICKS) * 100,
    .uncertainty_ns = line->uncertainty_ns,
    .duration_ns = line->duration_ns >= 0 ? line->duration_ns : NS_UNKNOWN,
    .remote = ns_endpoint_pool_add (trace->ends, &line->remote),
    .local = ns_endpoint_pool_add (trace->ends, &line->local),
    .source = get_source (self, log),
    .text = add_text (self, line->text),
    .action = add_text (self, line->action),
    .status = add_text (self, line->status),
    .process = add_text (self, line->process),
    .server = add_text (self, line->server),
    .url = add_text (self, line->url),
    .protocol = add_text (self, line->protocol),
    .line = line->line,
    .pid = line->pid,
    .tid = line->tid,
    .log = (guint16) log,
    .confidence = -1,
    .failed = line->is_failed != FALSE,
  };

  g_array_append_val (self->rows, row);
}

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  const NsLogRow *one = a;
  const NsLogRow *other = b;

  if (one->time_ns != other->time_ns)
    return one->time_ns < other->time_ns ? -1 : 1;
  if (one->log != other->log)
    return one->log < other->log ? -1 : 1;
  return one->line < other->line ? -1 : one->line > other->line;
}

static guint
hash_ends (gconstpointer data)
{
  const Ends *ends = data;
  guint64 hash = ns_endpoint_hash (&ends->remote) * 31 + ns_endpoint_hash (&ends->local);

  return (guint) (hash ^ hash >> 32);
}

static gboolean
equal_ends (gconstpointer a, gconstpointer b)
{
  const Ends *one = a;
  const Ends *other = b;

  return ns_endpoint_equal (&one->remote, &other->remote) &&
         ns_endpoint_equal (&one->local, &other->local);
}

static gboolean
make_ends (Ends *ends, const NsEndpoint *remote, const NsEndpoint *local)
{
  if (remote->port == 0 || local->port == 0 || ns_endpoint_is_empty (remote) ||
      ns_endpoint_is_empty (local))
    return FALSE;
  ends->remote = *remote;
  ends->local = *local;
  ends->remote.scope = 0;
  ends->local.scope = 0;
  return TRUE;
}

/* Indexes the operations by both endpoints. */
static GHashTable *
index_ends (const NsTrace *trace)
{
  GHashTable *index =
      g_hash_table_new_full (hash_ends, equal_ends, g_free, (GDestroyNotify) g_array_unref);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      NsRow number = i + 1;
      GArray *rows;
      Ends ends;

      if (!make_ends (&ends, row->remote, row->local))
        continue;
      rows = g_hash_table_lookup (index, &ends);
      if (rows == NULL)
        {
          rows = g_array_new (FALSE, FALSE, sizeof (NsRow));
          g_hash_table_insert (index, g_memdup2 (&ends, sizeof ends), rows);
        }
      if (rows->len < MAX_CANDIDATES)
        g_array_append_val (rows, number);
    }
  return index;
}

/* Returns how far a time lies outside an operation, in ns; 0: inside. */
static gint64
distance (const NsTrace *trace, NsRow number, gint64 time_ns)
{
  const NsActivityRow *row = NS_ROW_AT (trace->activities, NsActivityRow, number);

  if (ns_time_is_set (row->open_ns) && time_ns < row->open_ns)
    return ns_time_between (time_ns, row->open_ns);
  if (ns_time_is_set (row->close_ns) && time_ns > row->close_ns)
    return ns_time_between (row->close_ns, time_ns);
  return 0;
}

static void
find_operation (const NsTrace *trace, GHashTable *index, NsLogRow *row)
{
  gint64 best = G_MAXINT64;
  const GArray *rows;
  Ends ends;
  guint i;

  if (!make_ends (&ends, row->remote, row->local))
    return;
  rows = g_hash_table_lookup (index, &ends);
  for (i = 0; rows != NULL && i < rows->len; i++)
    {
      NsRow number = g_array_index (rows, NsRow, i);
      gint64 apart = distance (trace, number, row->time_ns);

      if (apart <= row->uncertainty_ns + SLACK_NS && apart < best)
        {
          best = apart;
          row->activity = number;
          row->confidence =
              apart <= row->uncertainty_ns ? NS_CONFIDENCE_LIKELY : NS_CONFIDENCE_INFERRED;
        }
    }
}

static void
find_operations (NsTrace *self)
{
  g_autoptr (GHashTable) index = index_ends (self);
  guint i;

  for (i = 0; i < self->log->len; i++)
    find_operation (self, index, &g_array_index (self->log, NsLogRow, i));
}

static void
read_file (Adding *self, const char *path, const NsSideOptions *options)
{
  GPtrArray *logs = self->trace->logs;
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *plain = g_filename_display_name (name);
  NsString source = ns_strings_add (self->trace->strings, plain);

  self->log = (guint16) logs->len;
  g_array_append_val (self->sources, source);
  g_ptr_array_add (logs, ns_side_log_read (path, options, add_line, self));
}

/* Reads the log lines embedded in a hand-over file. */
static void
read_handed (Adding *self, const NsEtlFile *input, const NsSideOptions *options)
{
  GBytes *bytes = ns_etl_file_get_companion (input, NS_ETL_COMPANION_LOG);

  if (bytes != NULL)
    ns_side_handed_read (bytes,
                         ns_etl_file_get_path (input),
                         NS_ETL_COMPANION_LOG_NAME,
                         options,
                         self->trace->logs,
                         add_line,
                         self);
}

/**
 * ns_trace_has_handed_logs: (skip)
 * @file: a trace
 *
 * Returns: whether one of its files may have embedded log lines, or logs are in an archive
 */
gboolean
ns_trace_has_handed_logs (const NsEtlFile *file)
{
  guint i;

  if (ns_etl_file_get_log_archives (file) != NULL)
    return TRUE;
  for (i = 0; i < ns_etl_file_get_n_inputs (file); i++)
    if (ns_etl_file_get_companion (ns_etl_file_get_input (file, i), NS_ETL_COMPANION_LOG) != NULL)
      return TRUE;
  return FALSE;
}

/**
 * ns_trace_add_logs: (skip)
 * @self: a trace that was just built
 * @paths: (element-type filename): logs, each once
 * @options: options for opening the trace
 *
 * Reads logs, and log lines embedded in the trace's files, and makes a row of each line.
 */
void
ns_trace_add_logs (NsTrace *self, const GPtrArray *paths, const NsTraceOptions *options)
{
  const NsEtlHeader *header = ns_etl_file_get_header (self->file);
  NsSideOptions side = { .zone = &header->zone,
                         .near_filetime = ns_etl_file_ns_to_filetime (self->file, 0),
                         .offsets = options->offsets,
                         .time_columns = options->time_columns,
                         .secrets = self->secrets };
  Adding adding = { .trace = self,
                    .rows = self->log,
                    .zero_filetime = (gint64) side.near_filetime };
  guint i;

  adding.text = g_string_new (NULL);
  adding.sources = g_array_new (FALSE, FALSE, sizeof (NsString));
  for (i = 0; i < paths->len && i < NS_SIDE_MAX_LOGS; i++)
    read_file (&adding, g_ptr_array_index (paths, i), &side);
  adding.log = 0;
  ns_log_read_archives (self->file, &side, self->logs, add_line, &adding);
  for (i = 0; i < ns_etl_file_get_n_inputs (self->file); i++)
    read_handed (&adding, ns_etl_file_get_input (self->file, i), &side);
  g_array_unref (adding.sources);
  g_string_free (adding.text, TRUE);
  g_array_sort (self->log, compare_rows);
  find_operations (self);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (log, NsLogRow, NULL),
};

/* The part listens to no provider: the lines come from files beside the trace. */
const NsPart ns_log_part = {
  .name = "log",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
};
