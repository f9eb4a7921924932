/* The listing verbs: choose, sort and print rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-plain.h"
#include "cli/ns-cli-list.h"
#include "cli/ns-cli-time.h"
#include "cli/ns-cli.h"
#include "export/ns-export-findings.h"
#include "export/ns-export-machines.h"
#include "query/ns-finding-events.h"
#include "query/ns-query.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of characters of a filter that a message repeats. */
#define MAX_REPORTED 80

/* The options, parsed. */
typedef struct
{
  NsExportOptions options;
  GPtrArray *columns;
  NsFilter *filter;
  GArray *keys;
  GPtrArray *groups; /* %NULL: print rows */
  GArray *chosen;    /* (element-type guint32): 0-based; %NULL: all */
} Parsed;

static void
parsed_clear (Parsed *self)
{
  g_clear_pointer (&self->columns, g_ptr_array_unref);
  g_clear_pointer (&self->filter, ns_filter_free);
  g_clear_pointer (&self->keys, g_array_unref);
  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_clear_pointer (&self->chosen, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parsed, parsed_clear)

static gboolean
parse_format (const NsCliList *self, NsExportOptions *options, GError **error)
{
  options->format = self->is_terminal ? NS_EXPORT_TEXT : NS_EXPORT_TSV;
  options->line_width = self->line_width;
  options->mark = self->mark;
  /* An explicitly named format is for programs. */
  options->has_words = self->format == NULL;
  if (self->format != NULL && !ns_export_format_from_name (self->format, &options->format))
    return ns_trace_refuse_query (error, _ ("there is no format “%s”"), self->format);
  if (self->time != NULL && !ns_export_time_from_name (self->time, &options->time))
    return ns_trace_refuse_query (error, _ ("there is no time format “%s”"), self->time);
  return TRUE;
}

/* Returns the beginning of a filter, for a message; (transfer full). */
static char *
dup_begin (const char *text, gsize n_bytes)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) n_bytes);
  g_autofree char *begin = NULL;

  if (g_utf8_strlen (valid, -1) <= MAX_REPORTED)
    return g_steal_pointer (&valid);
  begin = g_utf8_substring (valid, 0, MAX_REPORTED);
  return g_strconcat (begin, "…", NULL);
}

/**
 * ns_cli_list_parse_filter:
 * @table: a table
 * @text: a filter
 * @view: (nullable): the view context, which has the named ranges
 * @error: %NS_TRACE_ERROR_QUERY: what is wrong and where
 *
 * Returns: (transfer full) (nullable): the filter; %NULL with @error set if @text is invalid
 */
NsFilter *
ns_cli_list_parse_filter (NsTableId table, const char *text, NsViewContext *view, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  NsFilterSpan where = { 0, 0 };
  g_autofree char *word = NULL;
  gsize length = strlen (text);
  NsFilter *filter = ns_filter_new (table, text, &where, &wrong);
  NsNamedRanges *ranges = view != NULL ? ns_view_context_get_ranges (view) : NULL;

  if (filter != NULL && ns_filter_find_unknown_range (filter, NULL, ranges) != NULL)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("the filter uses the range “%s”, which --range does not define"),
                   ns_filter_find_unknown_range (filter, NULL, ranges));
      ns_filter_free (filter);
      return NULL;
    }
  if (filter != NULL)
    return filter;
  where.begin = MIN (where.begin, length);
  where.end = CLAMP (where.end, where.begin, length);
  word = dup_begin (text + where.begin, where.end - where.begin);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("the filter is wrong at character %u, “%s”: %s"),
               (guint) g_utf8_strlen (text, (gssize) where.begin) + 1,
               word,
               wrong->message);
  return NULL;
}

static gboolean
parse_number (const char **text, guint32 *number)
{
  char *end;
  guint64 value;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  value = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  *number = (guint32) MIN (value, G_MAXUINT32);
  return value > 0 && value <= G_MAXUINT32;
}

/* Parses row numbers, which count from 1 like the `id` of a row. */
static gboolean
parse_rows (const char *text, guint n_rows, GArray *chosen)
{
  for (;;)
    {
      guint32 first;
      guint32 last;
      guint32 row;

      if (!parse_number (&text, &first))
        return FALSE;
      last = first;
      if (*text == '-')
        {
          text++;
          if (!parse_number (&text, &last) || last < first)
            return FALSE;
        }
      for (row = first - 1; row < last && row < n_rows; row++)
        g_array_append_val (chosen, row);
      if (*text == '\0')
        return TRUE;
      if (*text++ != ',')
        return FALSE;
    }
}

static gboolean
parse (const NsCliList *self, Parsed *parsed, GError **error)
{
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (!parse_format (self, &parsed->options, error))
    return FALSE;
  if (self->columns != NULL)
    parsed->columns = ns_export_parse_columns (self->table, self->columns, error);
  else
    parsed->columns = ns_export_list_columns (self->table, parsed->options.format);
  if (parsed->columns == NULL)
    return FALSE;
  if (self->filter != NULL)
    parsed->filter = ns_cli_list_parse_filter (self->table, self->filter, self->view, error);
  if (self->filter != NULL && parsed->filter == NULL)
    return FALSE;
  if (self->sort != NULL)
    parsed->keys = ns_order_parse (self->table, self->sort, error);
  if (self->sort != NULL && parsed->keys == NULL)
    return FALSE;
  if (self->group_by != NULL)
    parsed->groups = ns_cli_list_parse_groups (self->table, self->group_by, error);
  if (self->group_by != NULL && parsed->groups == NULL)
    return FALSE;
  if (self->rows != NULL && !parse_rows (self->rows, 0, scratch))
    return ns_trace_refuse_query (error, _ ("“%s” is not a list of rows: write 3,7-9"), self->rows);
  return TRUE;
}

static gboolean
parse_moment (const NsTrace *trace, const char *text, gint64 *time_ns, GError **error)
{
  if (text == NULL || ns_query_parse_time (trace, text, time_ns))
    return TRUE;
  return ns_trace_refuse_query (error,
                                _ ("“%s” is not a time: write seconds since the start of the "
                                   "trace, or an ISO 8601 time stamp"),
                                text);
}

static gboolean
parse_span (const NsCliList *self, const NsTrace *trace, NsTimeSpan *span, GError **error)
{
  span->begin_ns = NS_TIME_NONE;
  span->end_ns = NS_TIME_OPEN;
  return parse_moment (trace, self->from, &span->begin_ns, error) &&
         parse_moment (trace, self->to, &span->end_ns, error) &&
         ns_cli_time_check_span (span, self->from, self->to, error);
}

/* Refuses --rows without any existing row: an empty list would look like a valid answer. */
static gboolean
check_rows (const NsCliList *self, const NsTrace *trace, GError **error)
{
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_rows = ns_table_get_n_rows (trace, self->table);

  if (self->rows == NULL)
    return TRUE;
  parse_rows (self->rows, n_rows, chosen);
  if (chosen->len > 0)
    return TRUE;
  if (n_rows == 0)
    return ns_trace_refuse_query (error,
                                  _ ("there is no row %s: the table “%s” is empty"),
                                  self->rows,
                                  ns_table_get_name (self->table));
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               ngettext ("there is no row %s: the table “%s” has %u row",
                         "there is no row %s: the table “%s” has rows 1 to %u",
                         n_rows),
               self->rows,
               ns_table_get_name (self->table),
               n_rows);
  return FALSE;
}

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;

  return (left > right) - (left < right);
}

static void
keep_chosen (GArray *rows, GArray *chosen)
{
  guint n_kept = 0;
  guint i;

  g_array_sort (chosen, compare_rows);
  for (i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);

      if (g_array_binary_search (chosen, &row, compare_rows, NULL))
        g_array_index (rows, guint32, n_kept++) = row;
    }
  g_array_set_size (rows, n_kept);
}

static GArray *
choose_all (const NsCliList *self,
            const NsTrace *trace,
            const Parsed *parsed,
            const NsTimeSpan *span)
{
  NsQuery query = { self->table, parsed->filter, parsed->keys, *span, 0, 0 };
  GArray *rows = ns_query_run (&query, trace, NULL, NULL);
  g_autofree char *incomplete_reason =
      parsed->filter != NULL ? ns_filter_describe_incomplete (parsed->filter) : NULL;

  if (incomplete_reason != NULL)
    ns_cli_print_message (incomplete_reason);
  if (self->rows != NULL)
    {
      g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));

      parse_rows (self->rows, ns_table_get_n_rows (trace, self->table), chosen);
      keep_chosen (rows, chosen);
    }
  /* With groups, --limit and --offset apply to the groups. */
  if (parsed->groups != NULL)
    return rows;
  g_array_remove_range (rows, 0, (guint) CLAMP (self->offset, 0, (gint64) rows->len));
  if (self->limit >= 0 && (guint64) self->limit < rows->len)
    g_array_set_size (rows, (guint) self->limit);
  return rows;
}

static GArray *
choose (const NsCliList *self, const NsTrace *trace, const Parsed *parsed, const NsTimeSpan *span)
{
  GArray *rows = choose_all (self, trace, parsed, span);

  if (self->n_chosen != NULL)
    *self->n_chosen = rows->len;
  return rows;
}

/**
 * ns_cli_list_check:
 * @self: the options
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Checks what can be checked before a trace is opened.
 *
 * Returns: %TRUE if the options are valid, else %FALSE with @error set
 */
gboolean
ns_cli_list_check (const NsCliList *self, GError **error)
{
  g_auto (Parsed) parsed = { { 0 } };

  return parse (self, &parsed, error);
}

static gboolean
is_key (const GArray *keys, const NsField *field)
{
  guint i;

  for (i = 0; keys != NULL && i < keys->len; i++)
    if (g_array_index (keys, NsOrderKey, i).field == field)
      return TRUE;
  return FALSE;
}

/* Returns whether the field `evidence` is read; with groups, the columns are not printed. */
static gboolean
wants_evidence (const NsCliList *self, const Parsed *parsed)
{
  const NsField *evidence = ns_table_find_field (self->table, "evidence");

  if (evidence == NULL)
    return FALSE;
  return (parsed->filter != NULL && ns_filter_reads_field (parsed->filter, evidence)) ||
         is_key (parsed->keys, evidence) ||
         g_ptr_array_find (parsed->groups != NULL ? parsed->groups : parsed->columns,
                           evidence,
                           NULL);
}

/**
 * ns_cli_list_wants_evidence:
 * @self: the options, checked
 *
 * The evidence of findings needs a table of all events and a pass over it.
 *
 * Returns: %TRUE if a column, the filter, the order or a group uses the evidence
 */
gboolean
ns_cli_list_wants_evidence (const NsCliList *self)
{
  g_auto (Parsed) parsed = { { 0 } };

  return parse (self, &parsed, NULL) && wants_evidence (self, &parsed);
}

/**
 * ns_cli_list_refuse_stopped:
 * @error: (out): set to %NS_TRACE_ERROR_CANCELLED
 *
 * Returns: %FALSE
 */
gboolean
ns_cli_list_refuse_stopped (GError **error)
{
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  return FALSE;
}

static gboolean
look_for_evidence (const NsCliList *self,
                   const NsTrace *trace,
                   const Parsed *parsed,
                   GError **error)
{
  if (!wants_evidence (self, parsed) ||
      ns_finding_events_find (trace, self->progress, self->progress_data))
    return TRUE;
  return ns_cli_list_refuse_stopped (error);
}

/**
 * ns_cli_list_choose:
 * @self: the options
 * @trace: a trace
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: (transfer full) (nullable) (element-type guint32): the chosen rows, in order, 0-based;
 *   %NULL with @error set if the options are invalid
 */
GArray *
ns_cli_list_choose (const NsCliList *self, const NsTrace *trace, GError **error)
{
  g_auto (Parsed) parsed = { { 0 } };
  NsTimeSpan span;

  if (!parse (self, &parsed, error) || !parse_span (self, trace, &span, error) ||
      !check_rows (self, trace, error))
    return NULL;
  return choose (self, trace, &parsed, &span);
}

/* Returns whether findings are printed as sentences: as text without chosen columns. */
static gboolean
is_prose (const NsCliList *self, const Parsed *parsed)
{
  return self->table == NS_TABLE_FINDINGS && self->columns == NULL &&
         parsed->options.format == NS_EXPORT_TEXT;
}

/**
 * ns_cli_list_print:
 * @self: the options
 * @trace: a trace
 * @write: (scope call): receives the output
 * @write_data: for @write
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage; %NS_TRACE_ERROR_CANCELLED: the progress function
 *   stopped it; or the error of @write
 *
 * Returns: %TRUE if all rows are written, else %FALSE with @error set
 */
gboolean
ns_cli_list_print (const NsCliList *self,
                   const NsTrace *trace,
                   NsExportWriteFunc write,
                   gpointer write_data,
                   GError **error)
{
  g_auto (Parsed) parsed = { { 0 } };
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsRedact) redact = NULL;
  NsExportRows output = { trace, self->table, NULL, 0, NULL, 0 };
  NsTimeSpan span;

  if (!parse (self, &parsed, error) || !parse_span (self, trace, &span, error) ||
      !check_rows (self, trace, error) || !look_for_evidence (self, trace, &parsed, error))
    return FALSE;
  rows = choose (self, trace, &parsed, &span);
  if (parsed.groups != NULL)
    return ns_cli_list_print_groups (self,
                                     trace,
                                     rows,
                                     parsed.groups,
                                     parsed.options.format,
                                     write,
                                     write_data,
                                     error);
  output.rows = (const guint32 *) (gconstpointer) rows->data;
  output.n_rows = rows->len;
  output.fields = (const NsField *const *) parsed.columns->pdata;
  output.n_fields = parsed.columns->len;
  if (self->is_redacted)
    {
      NsRedactOptions options = { .progress = self->progress,
                                  .progress_data = self->progress_data };

      parsed.options.redact = redact = ns_redact_new (&output, &options);
      if (redact == NULL)
        return ns_cli_list_refuse_stopped (error);
    }
  if (is_prose (self, &parsed))
    return ns_export_findings (&output, &parsed.options, write, write_data, error);
  return ns_export_table (&output, &parsed.options, write, write_data, error);
}

/* State of merging the sorted rows of several machines. */
typedef struct
{
  const GArray *machines;
  const Parsed *parsed;
  const NsField *begin; /* nullable */
  GArray *rows[NS_MACHINES_MAX];
  guint next[NS_MACHINES_MAX];
} Merge;

/* Compares the next rows of two machines by a field; unknown values come last in both
 * directions. */
static int
compare_by (const Merge *self, const NsField *field, gboolean is_descending, guint a, guint b)
{
  guint row_a = g_array_index (self->rows[a], guint32, self->next[a]);
  guint row_b = g_array_index (self->rows[b], guint32, self->next[b]);
  const NsTrace *trace_a = g_array_index (self->machines, NsMachine, a).trace;
  const NsTrace *trace_b = g_array_index (self->machines, NsMachine, b).trace;
  NsFieldValue value_a;
  NsFieldValue value_b;
  int result;

  if (field->rank != NULL)
    {
      guint rank_a = field->rank (trace_a, row_a);
      guint rank_b = field->rank (trace_b, row_b);

      result = (rank_a > rank_b) - (rank_a < rank_b);
      return is_descending ? -result : result;
    }
  ns_field_get (trace_a, field, row_a, &value_a);
  ns_field_get (trace_b, field, row_b, &value_b);
  result = ns_field_value_compare (&value_a, &value_b);
  if (is_descending && !value_a.is_null && !value_b.is_null)
    result = -result;
  ns_field_value_clear (&value_a);
  ns_field_value_clear (&value_b);
  return result;
}

static gboolean
is_before (const Merge *self, guint a, guint b)
{
  const GArray *keys = self->parsed->keys;
  guint i;

  for (i = 0; keys != NULL && i < keys->len; i++)
    {
      const NsOrderKey *key = &g_array_index (keys, NsOrderKey, i);
      int result = compare_by (self, key->field, key->descending, a, b);

      if (result != 0)
        return result < 0;
    }
  return self->begin != NULL && compare_by (self, self->begin, FALSE, a, b) < 0;
}

/* Merges the sorted rows of all machines; among equal rows the machine with the lower index comes
 * first. */
static void
merge (Merge *self, GArray *rows, GByteArray *whose)
{
  for (;;)
    {
      guint8 best = NS_MACHINES_MAX;
      guint8 i;

      for (i = 0; i < self->machines->len; i++)
        if (self->next[i] < self->rows[i]->len &&
            (best == NS_MACHINES_MAX || is_before (self, i, best)))
          best = i;
      if (best == NS_MACHINES_MAX)
        return;
      g_array_append_val (rows, g_array_index (self->rows[best], guint32, self->next[best]));
      g_byte_array_append (whose, &best, 1);
      self->next[best]++;
    }
}

/* Applies --offset and --limit to the merged rows. */
static void
cut (const NsCliList *self, GArray *rows, GByteArray *whose)
{
  guint n_left_out = (guint) CLAMP (self->offset, 0, (gint64) rows->len);

  g_array_remove_range (rows, 0, n_left_out);
  g_byte_array_remove_range (whose, 0, n_left_out);
  if (self->limit >= 0 && (guint64) self->limit < rows->len)
    g_array_set_size (rows, (guint) self->limit);
  if (self->n_chosen != NULL)
    *self->n_chosen = rows->len;
}

/* Prints findings as sentences, below the name of each machine. */
static gboolean
print_prose (const NsCliList *self,
             const Merge *merged,
             NsExportWriteFunc write,
             gpointer write_data,
             GError **error)
{
  guint i;

  for (i = 0; i < merged->machines->len; i++)
    {
      const NsMachine *machine = &g_array_index (merged->machines, NsMachine, i);
      NsExportRows output = {
        .trace = machine->trace,
        .table = self->table,
        .rows = (const guint32 *) (gconstpointer) merged->rows[i]->data,
        .n_rows = merged->rows[i]->len,
        .fields = (const NsField *const *) merged->parsed->columns->pdata,
        .n_fields = merged->parsed->columns->len,
      };
      g_autofree char *name = g_utf8_make_valid (machine->name, -1);
      g_autofree char *head = NULL;

      ns_plain_make (name);
      head = g_strdup_printf ("%s%s\n\n", i > 0 ? "\n" : "", name);
      if (!write (head, strlen (head), write_data, error) ||
          !ns_export_findings (&output, &merged->parsed->options, write, write_data, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
print_merged (const NsCliList *self,
              Merge *merged,
              NsExportWriteFunc write,
              gpointer write_data,
              GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GByteArray) whose = g_byte_array_new ();
  g_autoptr (GPtrArray) columns = g_ptr_array_copy (merged->parsed->columns, NULL, NULL);
  const NsField *machine = ns_table_find_field (self->table, "machine");
  const NsTrace *traces[NS_MACHINES_MAX];
  NsExportRows output = { .trace = g_array_index (merged->machines, NsMachine, 0).trace,
                          .table = self->table };
  guint i;

  for (i = 0; i < merged->machines->len; i++)
    traces[i] = g_array_index (merged->machines, NsMachine, i).trace;
  merge (merged, rows, whose);
  cut (self, rows, whose);
  if (self->columns == NULL && machine != NULL)
    g_ptr_array_insert (columns, 0, (gpointer) machine);
  output.rows = (const guint32 *) (gconstpointer) rows->data;
  output.n_rows = rows->len;
  output.fields = (const NsField *const *) columns->pdata;
  output.n_fields = columns->len;
  return ns_export_table_of_machines (&output,
                                      traces,
                                      whose->data,
                                      &merged->parsed->options,
                                      write,
                                      write_data,
                                      error);
}

/* Refuses options that are meaningful for one machine only: row numbers, sums, pseudonyms. */
static gboolean
check_machines (const NsCliList *self, GError **error)
{
  const char *option = self->rows != NULL       ? "--rows"
                       : self->group_by != NULL ? "--group-by"
                       : self->is_redacted      ? "--redact"
                                                : NULL;

  if (option == NULL)
    return TRUE;
  return ns_trace_refuse_query (error,
                                _ ("%s is for rows of one machine, but traces of several are "
                                   "specified; specify those of one"),
                                option);
}

/**
 * ns_cli_list_print_machines:
 * @self: the options
 * @machines: (element-type NsMachine): several machines on one clock
 * @write: (scope call): receives the output
 * @write_data: for @write
 * @error: as for ns_cli_list_print()
 *
 * Prints the rows of all machines in one order: the chosen one, or that of time.
 *
 * Returns: %TRUE if all rows are written, else %FALSE with @error set
 */
gboolean
ns_cli_list_print_machines (const NsCliList *self,
                            const GArray *machines,
                            NsExportWriteFunc write,
                            gpointer write_data,
                            GError **error)
{
  g_auto (Parsed) parsed = { { 0 } };
  NsCliList all = *self;
  Merge merged = { machines, &parsed, NULL, { NULL }, { 0 } };
  const NsField *end;
  gboolean ok = TRUE;
  guint i;

  all.limit = -1;
  all.offset = -1;
  all.n_chosen = NULL;
  if (!check_machines (self, error) || !parse (self, &parsed, error))
    return FALSE;
  ns_table_find_times (self->table, &merged.begin, &end);
  for (i = 0; i < machines->len; i++)
    {
      const NsTrace *trace = g_array_index (machines, NsMachine, i).trace;
      NsTimeSpan span;

      ok = ok && parse_span (self, trace, &span, error) &&
           look_for_evidence (self, trace, &parsed, error);
      merged.rows[i] =
          ok ? choose (&all, trace, &parsed, &span) : g_array_new (FALSE, FALSE, sizeof (guint32));
    }
  if (ok && is_prose (self, &parsed))
    ok = print_prose (self, &merged, write, write_data, error);
  else if (ok)
    ok = print_merged (self, &merged, write, write_data, error);
  for (i = 0; i < machines->len; i++)
    g_array_unref (merged.rows[i]);
  return ok;
}
