/* Reads comma-separated files: Process Monitor, Performance Monitor, and any table with a column of
 * times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_PER_MINUTE (60 * NS_TICKS_PER_SECOND)

typedef enum
{
  CELL_TIME,
  CELL_DATE,        /* with a separate time of day */
  CELL_TIME_OF_DAY, /* without a date: Process Monitor */
  CELL_ACTION,
  CELL_STATUS,
  CELL_PROCESS,
  CELL_PID,
  CELL_TID,
  CELL_SERVER,
  CELL_URL,
  CELL_PROTOCOL,
  CELL_REMOTE,
  CELL_REMOTE_PORT,
  CELL_LOCAL,
  CELL_LOCAL_PORT,
  CELL_SECONDS, /* duration */
  CELL_MS,
  CELL_PATH,
  N_CELLS,
} Cell;

/* Meaning of known column titles; if several titles of one meaning exist, the first in this list
 * counts. */
static const struct
{
  const char *title;
  Cell cell;
} titles[] = {
  { "Date & Time", CELL_TIME },
  { "Time of Day", CELL_TIME_OF_DAY },
  { "timestamp", CELL_TIME },
  { "@timestamp", CELL_TIME },
  { "datetime", CELL_TIME },
  { "date/time", CELL_TIME },
  { "date time", CELL_TIME },
  { "date and time", CELL_TIME },
  { "timecreated", CELL_TIME },
  { "time created", CELL_TIME },
  { "timegenerated", CELL_TIME },
  { "time", CELL_TIME },
  { "time_utc", CELL_TIME },
  { "utc", CELL_TIME },
  { "date", CELL_DATE },
  { "operation", CELL_ACTION },
  { "action", CELL_ACTION },
  { "event", CELL_ACTION },
  { "method", CELL_ACTION },
  { "result", CELL_STATUS },
  { "status", CELL_STATUS },
  { "level", CELL_STATUS },
  { "process name", CELL_PROCESS },
  { "process", CELL_PROCESS },
  { "image", CELL_PROCESS },
  { "program", CELL_PROCESS },
  { "pid", CELL_PID },
  { "process id", CELL_PID },
  { "tid", CELL_TID },
  { "thread id", CELL_TID },
  { "host", CELL_SERVER },
  { "server", CELL_SERVER },
  { "url", CELL_URL },
  { "protocol", CELL_PROTOCOL },
  { "dst ip", CELL_REMOTE },
  { "destination ip", CELL_REMOTE },
  { "remote address", CELL_REMOTE },
  { "destination address", CELL_REMOTE },
  { "destination", CELL_REMOTE },
  { "ip", CELL_REMOTE },
  { "remote_ip", CELL_REMOTE },
  { "dst port", CELL_REMOTE_PORT },
  { "destination port", CELL_REMOTE_PORT },
  { "remote port", CELL_REMOTE_PORT },
  { "port", CELL_REMOTE_PORT },
  { "src ip", CELL_LOCAL },
  { "source ip", CELL_LOCAL },
  { "local address", CELL_LOCAL },
  { "source address", CELL_LOCAL },
  { "local_ip", CELL_LOCAL },
  { "source", CELL_LOCAL },
  { "src port", CELL_LOCAL_PORT },
  { "source port", CELL_LOCAL_PORT },
  { "local port", CELL_LOCAL_PORT },
  { "local_port", CELL_LOCAL_PORT },
  { "duration", CELL_SECONDS },
  { "time-taken", CELL_MS },
  { "duration_ms", CELL_MS },
  { "duration (ms)", CELL_MS },
  { "path", CELL_PATH },
};

typedef struct
{
  NsSideReader *reader;
  NsSideRow titles;
  NsSideRow row;
  guint cells[N_CELLS]; /* NS_SIDE_NO_CELL: no such column */
  GByteArray *columns;  /* #NsSideColumn of each title */
  gint64 bias_min;      /* Performance Monitor: minutes to add to get UTC */
  gboolean has_bias;
} Table;

static const char *
get (const Table *self, Cell cell)
{
  return ns_side_row_get (&self->row, self->cells[cell]);
}

/* Parses `"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"`: the last number is the bias of the
 * clock. */
static void
take_perfmon_title (Table *self)
{
  const char *title = ns_side_row_get (&self->titles, 0);
  const char *last = title != NULL ? strrchr (title, '(') : NULL;
  char *end;

  self->cells[CELL_TIME] = 0;
  if (last == NULL)
    return;
  self->bias_min = strtol (last + 1, &end, 10);
  self->has_bias = end > last + 1 && *end == ')' && ABS (self->bias_min) < 24 * 60;
}

static void
note_titles (const Table *self, NsSideLog *log)
{
  g_autoptr (GStrvBuilder) columns = g_strv_builder_new ();
  guint i;

  for (i = 0; i < MIN (self->titles.begins->len, NS_SIDE_MAX_COLUMNS); i++)
    if (ns_side_row_get (&self->titles, i) != NULL)
      g_strv_builder_add (columns, ns_side_row_get (&self->titles, i));
  log->columns = g_strv_builder_end (columns);
}

static gboolean
take_titles (Table *self)
{
  NsSideLog *log = self->reader->log;
  const char *wanted;
  guint i;

  log->time_column = ns_side_dup_time_column (self->reader->options, log);
  wanted = log->time_column;

  for (i = 0; i < N_CELLS; i++)
    self->cells[i] = NS_SIDE_NO_CELL;
  if (!ns_side_row_take (&self->titles, self->reader))
    return FALSE;
  for (i = 0; i < self->titles.begins->len; i++)
    {
      guint8 column = (guint8) ns_side_secrets_find_column (self->reader->options->secrets,
                                                            ns_side_row_get (&self->titles, i));

      g_byte_array_append (self->columns, &column, 1);
    }
  if (log->kind == NS_SIDE_PERFMON)
    {
      take_perfmon_title (self);
      return TRUE;
    }
  note_titles (self, log);
  for (i = 0; i < G_N_ELEMENTS (titles); i++)
    if (self->cells[titles[i].cell] == NS_SIDE_NO_CELL)
      self->cells[titles[i].cell] = ns_side_row_find (&self->titles, titles[i].title);
  if (wanted != NULL)
    {
      self->cells[CELL_TIME] = ns_side_row_find (&self->titles, wanted);
      self->cells[CELL_DATE] = NS_SIDE_NO_CELL;
      self->cells[CELL_TIME_OF_DAY] = NS_SIDE_NO_CELL;
    }
  return self->cells[CELL_TIME] != NS_SIDE_NO_CELL ||
         self->cells[CELL_TIME_OF_DAY] != NS_SIDE_NO_CELL;
}

static gboolean
parse_stamp (const Table *self, const char *text, NsSideLine *line)
{
  return ns_side_time_parse (text,
                             self->has_bias ? NS_SIDE_CLOCK_UTC : NS_SIDE_CLOCK_LOCAL,
                             self->reader->options,
                             &line->filetime,
                             &line->uncertainty_ns);
}

static gboolean
take_time (const Table *self, NsSideLine *line)
{
  const NsSideOptions *options = self->reader->options;
  const char *time = get (self, CELL_TIME);
  const char *date = get (self, CELL_DATE);
  g_autofree char *both = NULL;

  if (time == NULL)
    return get (self, CELL_TIME_OF_DAY) != NULL &&
           ns_side_time_parse_of_day (get (self, CELL_TIME_OF_DAY),
                                      options,
                                      &line->filetime,
                                      &line->uncertainty_ns);
  if (!parse_stamp (self, time, line))
    {
      if (date == NULL)
        return FALSE;
      both = g_strconcat (date, " ", time, NULL);
      if (!parse_stamp (self, both, line))
        return FALSE;
    }
  if (self->has_bias)
    line->filetime += (guint64) (self->bias_min * TICKS_PER_MINUTE);
  return TRUE;
}

/* Returns all cells except the time, each with its title; (transfer full). */
static char *
dup_text (const Table *self)
{
  GString *text = g_string_new (NULL);
  gsize begin;
  guint i;

  for (i = 0; i < self->row.begins->len && text->len < NS_SIDE_MAX_TEXT; i++)
    {
      const char *title = ns_side_row_get (&self->titles, i);
      const char *value = ns_side_row_get (&self->row, i);

      if (value == NULL || i == self->cells[CELL_TIME] || i == self->cells[CELL_DATE] ||
          i == self->cells[CELL_TIME_OF_DAY])
        continue;
      g_string_append_printf (text,
                              "%s%s%s",
                              text->len > 0 ? ", " : "",
                              title != NULL ? title : "",
                              title != NULL ? "=" : "");
      begin = text->len;
      ns_side_secrets_append (self->reader->options->secrets,
                              text,
                              i < self->columns->len ? self->columns->data[i]
                                                     : NS_SIDE_COLUMN_PLAIN,
                              value);
      if (self->reader->log->kind == NS_SIDE_PROCMON)
        ns_side_secrets_mask_data (self->reader->options->secrets,
                                   text,
                                   begin,
                                   get (self, CELL_PATH));
    }
  if (self->reader->log->kind == NS_SIDE_PROCMON)
    ns_side_secrets_mask_commands (self->reader->options->secrets, text);
  return g_string_free (text, FALSE);
}

/* Parses the path of network operations in Process Monitor: `here:50231 -> there:443`. */
static void
take_path (const Table *self, NsSideLine *line)
{
  const char *path = get (self, CELL_PATH);
  const char *arrow = path != NULL ? strstr (path, " -> ") : NULL;
  g_autofree char *local = NULL;

  if (arrow == NULL)
    return;
  local = g_strndup (path, (gsize) (arrow - path));
  ns_endpoint_from_text (&line->local, local);
  if (!ns_endpoint_from_text (&line->remote, arrow + 4))
    line->server = arrow + 4;
}

static gboolean
is_failure (const char *status)
{
  static const char *const bad[] = { "error",   "critical", "fatal", "fail",
                                     "timeout", "denied",   "reset", "drop" };
  g_autofree char *small = NULL;
  guint32 number;
  guint i;

  if (status == NULL)
    return FALSE;
  if (ns_side_parse_u32 (status, &number))
    return number >= 400 && number < 600;
  small = g_ascii_strdown (status, -1);
  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    if (strstr (small, bad[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
take_duration (const Table *self, NsSideLine *line)
{
  const char *seconds = get (self, CELL_SECONDS);
  const char *ms = get (self, CELL_MS);
  const char *text = seconds != NULL ? seconds : ms;
  double value;
  char *end;

  if (text == NULL)
    return;
  value = g_ascii_strtod (text, &end);
  if (end > text && value >= 0 && value < 1e7)
    line->duration_ns = (gint64) (value * (seconds != NULL ? 1e9 : 1e6));
}

static void
take_row (Table *self)
{
  g_autofree char *text = NULL;
  NsSideLine line;

  if (self->row.begins->len == 0)
    return;
  ns_side_line_init (&line, self->row.line);
  if (!take_time (self, &line))
    {
      ns_side_reader_refuse (self->reader, self->row.line, N_ ("no time in the time column"));
      return;
    }
  text = dup_text (self);
  line.text = text;
  line.action = get (self, CELL_ACTION);
  line.status = get (self, CELL_STATUS);
  line.process = get (self, CELL_PROCESS);
  line.server = get (self, CELL_SERVER);
  line.url = get (self, CELL_URL);
  line.protocol = get (self, CELL_PROTOCOL);
  if (get (self, CELL_PID) != NULL)
    ns_side_parse_u32 (get (self, CELL_PID), &line.pid);
  if (get (self, CELL_TID) != NULL)
    ns_side_parse_u32 (get (self, CELL_TID), &line.tid);
  ns_side_parse_endpoint (get (self, CELL_REMOTE), get (self, CELL_REMOTE_PORT), &line.remote);
  ns_side_parse_endpoint (get (self, CELL_LOCAL), get (self, CELL_LOCAL_PORT), &line.local);
  take_path (self, &line);
  take_duration (self, &line);
  line.is_failed = is_failure (line.status);
  ns_side_reader_report (self->reader, &line);
}

/* Returns the most frequent separator in the line of titles. */
static char
find_separator (const NsSideReader *reader)
{
  static const char separators[] = ",;\t";
  const char *end = memchr (reader->at, '\n', (gsize) (reader->end - reader->at));
  guint counts[G_N_ELEMENTS (separators)] = { 0 };
  guint best = 0;
  const char *p;
  guint i;

  for (p = reader->at; p < (end != NULL ? end : reader->end); p++)
    for (i = 0; separators[i] != '\0'; i++)
      counts[i] += *p == separators[i];
  for (i = 1; separators[i] != '\0'; i++)
    if (counts[i] > counts[best])
      best = i;
  return separators[best];
}

static char *
dup_refusal (const NsSideLog *log)
{
  if (log->time_column != NULL)
    return g_strdup_printf (_ ("it has no column “%s”; specify its time column (--time-column)"),
                            log->time_column);
  return g_strdup (_ ("its time column cannot be detected; specify it (--time-column)"));
}

static gboolean
is_time (const char *text)
{
  static const NsZone zone = { 0 };
  static const NsSideOptions options = { .zone = &zone };
  guint64 filetime;
  gint64 uncertainty_ns;

  return text != NULL &&
         ns_side_time_parse (text, NS_SIDE_CLOCK_UTC, &options, &filetime, &uncertainty_ns);
}

/* Returns whether the row has a valid time in a column whose title is that of a time. */
static gboolean
has_titled_time (const NsSideRow *head, const NsSideRow *row)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (titles); i++)
    if (titles[i].cell == CELL_TIME &&
        is_time (ns_side_row_get (row, ns_side_row_find (head, titles[i].title))))
      return TRUE;
  return FALSE;
}

/* Counts the cells with times; plain numbers may mean anything and do not count. */
static guint
count_moments (const NsSideRow *row)
{
  guint n = 0;
  guint i;

  for (i = 0; i < MIN (row->begins->len, NS_SIDE_MAX_COLUMNS); i++)
    {
      const char *text = ns_side_row_get (row, i);

      n += text != NULL && strchr (text, ':') != NULL && is_time (text);
    }
  return n;
}

/**
 * ns_side_is_table: (skip)
 * @text: the beginning of a file
 *
 * Returns: whether it consists of a line of titles and a row with as many cells, one of which is a
 *   time
 */
gboolean
ns_side_is_table (const char *text)
{
  NsSideLog log = { .faults = g_array_new (FALSE, FALSE, sizeof (NsSideFault)) };
  NsSideReader reader = { .log = &log, .at = text, .end = text + strlen (text) };
  char separator = find_separator (&reader);
  gboolean is_table = FALSE;
  NsSideRow head;
  NsSideRow row;
  guint i;

  ns_side_row_init (&head, separator);
  ns_side_row_init (&row, separator);
  if (ns_side_row_take (&head, &reader) && head.begins->len > 1 &&
      ns_side_row_take (&row, &reader) && row.begins->len == head.begins->len)
    is_table =
        count_moments (&head) == 0 && (count_moments (&row) > 0 || has_titled_time (&head, &row));
  for (i = 0; i < log.faults->len; i++)
    g_free (g_array_index (log.faults, NsSideFault, i).what);
  g_array_unref (log.faults);
  ns_side_row_clear (&head);
  ns_side_row_clear (&row);
  return is_table;
}

/**
 * ns_side_read_table: (skip)
 * @self: a reader at the beginning of the file
 *
 * Reads the lines of a comma-separated file.
 */
void
ns_side_read_table (NsSideReader *self)
{
  char separator = find_separator (self);
  Table table = { .reader = self, .columns = g_byte_array_new () };

  ns_side_row_init (&table.titles, separator);
  ns_side_row_init (&table.row, separator);
  if (!take_titles (&table))
    self->log->refusal = dup_refusal (self->log);
  else
    while (!ns_side_reader_is_full (self) && ns_side_row_take (&table.row, self))
      take_row (&table);
  ns_side_row_clear (&table.titles);
  ns_side_row_clear (&table.row);
  g_byte_array_unref (table.columns);
}
