/* Reads the table of log lines in a hand-over, which holds the lines of any number of logs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Prefix that keeps spreadsheets from treating a text as a formula. */
#define GUARD '\''
/* Maximum duration and uncertainty: four months. */
#define MAX_LENGTH_NS (NS_PER_SECOND * 10000000)

typedef enum
{
  CELL_TIME,
  CELL_UNCERTAINTY,
  CELL_SOURCE,
  CELL_KIND,
  CELL_LINE,
  CELL_ACTION,
  CELL_STATUS,
  CELL_PROCESS,
  CELL_PID,
  CELL_TID,
  CELL_PROTOCOL,
  CELL_SERVER,
  CELL_URL,
  CELL_IP,
  CELL_PORT,
  CELL_LOCAL_IP,
  CELL_LOCAL_PORT,
  CELL_DURATION,
  CELL_FAILED,
  CELL_TEXT,
  N_CELLS,
} Cell;

static const char *const titles[N_CELLS] = {
  [CELL_TIME] = "time_utc",
  [CELL_UNCERTAINTY] = "uncertainty_ns",
  [CELL_SOURCE] = "source",
  [CELL_KIND] = "kind",
  [CELL_LINE] = "line",
  [CELL_ACTION] = "action",
  [CELL_STATUS] = "status",
  [CELL_PROCESS] = "process",
  [CELL_PID] = "pid",
  [CELL_TID] = "tid",
  [CELL_PROTOCOL] = "protocol",
  [CELL_SERVER] = "server",
  [CELL_URL] = "url",
  [CELL_IP] = "ip",
  [CELL_PORT] = "port",
  [CELL_LOCAL_IP] = "local_ip",
  [CELL_LOCAL_PORT] = "local_port",
  [CELL_DURATION] = "duration_ns",
  [CELL_FAILED] = "failed",
  [CELL_TEXT] = "text",
};

typedef struct
{
  NsSideReader reader;
  NsSideRow row;
  guint cells[N_CELLS]; /* NS_SIDE_NO_CELL: no such column */
  const char *path;     /* the file or archive of the table */
  GPtrArray *logs;
  GHashTable *parts; /* kind and source → 1-based index in @logs */
  NsSideLog *table;  /* collects errors that belong to no log */
} Table;

/* Returns the text of a cell without the prefix that protects against formulas. */
static const char *
get (const Table *self, Cell cell)
{
  const char *text = ns_side_row_get (&self->row, self->cells[cell]);

  return text != NULL && text[0] == GUARD && strchr ("=+-@\t\r'", text[1]) != NULL ? text + 1
                                                                                   : text;
}

static NsSideLog *
make_log (const Table *self, const char *name, NsSideKind kind)
{
  NsSideLog *log = ns_side_log_new (name, kind);

  log->path = g_build_filename (self->path, name, NULL);
  log->is_embedded = TRUE;
  if (!ns_side_find_offset (self->reader.options->offsets, log->path, &log->offset_ns))
    log->offset_ns = 0;
  return log;
}

/* Finds or adds the log of a line. Returns: %FALSE: too many logs */
static gboolean
find_part (Table *self, const char *source, const char *kind, guint *part)
{
  g_autofree char *key = g_strconcat (kind != NULL ? kind : "", "\n", source, NULL);
  gpointer found = g_hash_table_lookup (self->parts, key);

  if (found != NULL)
    {
      *part = GPOINTER_TO_UINT (found) - 1;
      return TRUE;
    }
  if (self->logs->len >= NS_SIDE_MAX_LOGS)
    return FALSE;
  *part = self->logs->len;
  g_ptr_array_add (self->logs, make_log (self, source, ns_side_kind_from_text (kind)));
  g_hash_table_insert (self->parts, g_steal_pointer (&key), GUINT_TO_POINTER (*part + 1));
  return TRUE;
}

static void
take_length (const char *text, gint64 *length_ns)
{
  guint64 value;

  if (text != NULL && g_ascii_string_to_unsigned (text, 10, 0, MAX_LENGTH_NS, &value, NULL))
    *length_ns = (gint64) value;
}

static void
take_row (Table *self)
{
  const char *time = get (self, CELL_TIME);
  const char *source = get (self, CELL_SOURCE);
  const char *failed = get (self, CELL_FAILED);
  NsSideLine line;

  self->reader.log = self->table;
  ns_side_line_init (&line, self->row.line);
  if (source == NULL || !find_part (self, source, get (self, CELL_KIND), &line.part))
    {
      ns_side_reader_refuse (&self->reader,
                             self->row.line,
                             source == NULL ? N_ ("no log name") : N_ ("too many logs"));
      return;
    }
  self->reader.log = g_ptr_array_index (self->logs, line.part);
  if (time == NULL || !ns_side_time_parse (time,
                                           NS_SIDE_CLOCK_UTC,
                                           self->reader.options,
                                           &line.filetime,
                                           &line.uncertainty_ns))
    {
      ns_side_reader_refuse (&self->reader, self->row.line, N_ ("no time in the time column"));
      return;
    }
  take_length (get (self, CELL_UNCERTAINTY), &line.uncertainty_ns);
  take_length (get (self, CELL_DURATION), &line.duration_ns);
  ns_side_parse_u32 (get (self, CELL_LINE), &line.line);
  ns_side_parse_u32 (get (self, CELL_PID), &line.pid);
  ns_side_parse_u32 (get (self, CELL_TID), &line.tid);
  line.text = get (self, CELL_TEXT) != NULL ? get (self, CELL_TEXT) : "";
  line.action = get (self, CELL_ACTION);
  line.status = get (self, CELL_STATUS);
  line.process = get (self, CELL_PROCESS);
  line.protocol = get (self, CELL_PROTOCOL);
  line.server = get (self, CELL_SERVER);
  line.url = get (self, CELL_URL);
  ns_side_parse_endpoint (get (self, CELL_IP), get (self, CELL_PORT), &line.remote);
  ns_side_parse_endpoint (get (self, CELL_LOCAL_IP), get (self, CELL_LOCAL_PORT), &line.local);
  line.is_failed = failed != NULL && strcmp (failed, "true") == 0;
  ns_side_reader_report (&self->reader, &line);
}

static void
take_rows (Table *self)
{
  guint32 n_rows = 0;

  while (n_rows++ < NS_SIDE_MAX_LINES && ns_side_row_take (&self->row, &self->reader))
    {
      if (self->row.begins->len > 0)
        take_row (self);
      self->reader.log = self->table;
    }
  if (self->reader.at < self->reader.end)
    ns_side_reader_refuse (&self->reader, self->reader.line, N_ ("too many lines in one log"));
}

static gboolean
take_titles (Table *self)
{
  guint i;

  if (!ns_side_row_take (&self->row, &self->reader))
    return FALSE;
  for (i = 0; i < N_CELLS; i++)
    self->cells[i] = ns_side_row_find (&self->row, titles[i]);
  return self->cells[CELL_TIME] != NS_SIDE_NO_CELL && self->cells[CELL_SOURCE] != NS_SIDE_NO_CELL &&
         self->cells[CELL_KIND] != NS_SIDE_NO_CELL;
}

/**
 * ns_side_handed_read:
 * @bytes: a file that accompanies a trace
 * @path: path of the archive
 * @name: its name in the archive
 * @options: how to read it
 * @logs: (element-type NsSideLog): receives the logs of the lines
 * @func: (scope call): called for each line, in the order of the file; its member `part` is the
 *   index in @logs
 * @user_data: for @func
 *
 * Reads lines that were handed over. Does nothing if the file is no such table.
 */
void
ns_side_handed_read (GBytes *bytes,
                     const char *path,
                     const char *name,
                     const NsSideOptions *options,
                     GPtrArray *logs,
                     NsSideLineFunc func,
                     gpointer user_data)
{
  Table self = { .reader = { .options = options, .func = func, .user_data = user_data },
                 .path = path,
                 .logs = logs };
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);
  char *copy = g_malloc (n_bytes + 1);
  g_autofree char *text = NULL;
  gsize n_text;

  if (n_bytes > 0)
    memcpy (copy, data, n_bytes);
  copy[n_bytes] = '\0';
  text = ns_side_text_from_bytes (copy, n_bytes, &n_text);
  self.reader.at = text;
  self.reader.end = text + n_text;
  self.table = make_log (&self, name, NS_SIDE_CSV);
  self.reader.log = self.table;
  self.parts = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  ns_side_row_init (&self.row, ',');
  if (take_titles (&self))
    take_rows (&self);
  ns_side_row_clear (&self.row);
  g_hash_table_unref (self.parts);
  if (self.table->n_faults > 0 && logs->len <= NS_SIDE_MAX_LOGS)
    g_ptr_array_add (logs, self.table);
  else
    ns_side_log_free (self.table);
}
