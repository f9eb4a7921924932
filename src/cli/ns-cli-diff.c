/* The verb `diff`: compares two traces request by request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-difference-cells.h"
#include "cli/ns-cli-rows.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const NsDifferenceColumn *column;
  gboolean is_descending;
} SortKey;

static NsTrace *
open_one (NsCli *cli, guint n, GError **error)
{
  NsTraceOptions options = {
    .view = cli->view,
    .member = cli->options.member,
    .manifests = cli->options.manifests,
    .wfp_names = cli->options.wfp_names,
    .compat_reference = cli->options.is_like_reference,
    .skip_calls = !ns_cli_wants_findings (&cli->options),
  };
  NsTrace *trace = ns_trace_open (cli->options.files[n], &options, ns_cli_progress, cli, error);

  if (trace != NULL)
    ns_cli_report_damage (cli, trace->file);
  return trace;
}

/* Returns the options that choose rows of each trace: filter and span. The other options apply to
 * the differences. */
static NsCliList
get_list (NsCli *cli)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  list.sort = NULL;
  list.limit = -1;
  list.offset = 0;
  return list;
}

static GArray *
parse_sort (const char *text, GError **error)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (SortKey));
  g_auto (GStrv) ids = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; ids[i] != NULL; i++)
    {
      const char *id = g_strstrip (ids[i]);
      SortKey key = { NULL, *id == '-' };

      key.column = ns_difference_column_find (id + (*id == '-' || *id == '+'));
      if (key.column == NULL)
        {
          ns_difference_column_refuse (id + (*id == '-' || *id == '+'), error);
          return NULL;
        }
      g_array_append_val (keys, key);
    }
  return g_steal_pointer (&keys);
}

/* Returns, by 1-based row of the master table, whether filter and span choose it; (transfer full);
 * %NULL: error. */
static guint8 *
mark_rows (const NsCliList *list, const NsTrace *trace, GError **error)
{
  g_autoptr (GArray) rows = ns_cli_list_choose (list, trace, error);
  guint8 *marks =
      rows != NULL ? g_new0 (guint8, (gsize) ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES) + 1)
                   : NULL;

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    marks[g_array_index (rows, guint32, i) + 1] = 1;
  return marks;
}

/* Keeps the differences of which filter and span choose at least one side. Pairing ignores both. */
static gboolean
keep_chosen (NsCli *cli,
             const NsTrace *before,
             const NsTrace *after,
             GArray *changes,
             GError **error)
{
  NsCliList list = get_list (cli);
  g_autofree guint8 *of_before = NULL;
  g_autofree guint8 *of_after = NULL;
  guint n_kept = 0;

  if (list.filter == NULL && list.from == NULL && list.to == NULL)
    return TRUE;
  of_before = mark_rows (&list, before, error);
  if (of_before != NULL)
    of_after = mark_rows (&list, after, error);
  if (of_after == NULL)
    return FALSE;
  for (guint i = 0; i < changes->len; i++)
    {
      const NsChange *change = &g_array_index (changes, NsChange, i);

      /* Row 0 stands for a missing side and is never marked. */
      if (of_before[change->before] || of_after[change->after])
        g_array_index (changes, NsChange, n_kept++) = *change;
    }
  g_array_set_size (changes, n_kept);
  return TRUE;
}

/* The cells of one sort key, by number of the change. */
typedef struct
{
  NsDifferenceCell *cells;
  gboolean is_descending;
} Sorting;

static int
compare_cells (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Sorting *self = user_data;

  return ns_difference_cell_compare (&self->cells[*(const guint32 *) a],
                                     &self->cells[*(const guint32 *) b],
                                     self->is_descending);
}

/* Sorts by the last key first; each pass is stable. */
static void
sort_changes (const NsTrace *before, const NsTrace *after, const GArray *keys, GArray *changes)
{
  g_autofree NsChange *given = g_memdup2 (changes->data, sizeof (NsChange) * (gsize) changes->len);
  g_autofree NsDifferenceCell *cells = g_new0 (NsDifferenceCell, (gsize) changes->len + 1);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < changes->len; i++)
    g_array_append_val (order, i);
  for (guint k = keys->len; k > 0; k--)
    {
      const SortKey *key = &g_array_index (keys, SortKey, k - 1);
      Sorting sorting = { cells, key->is_descending };

      for (guint i = 0; i < changes->len; i++)
        {
          NsDifference diff = { before, after, &given[i] };

          cells[i] = ns_difference_column_get (key->column, &diff);
        }
      g_array_sort_with_data (order, compare_cells, &sorting);
      for (guint i = 0; i < changes->len; i++)
        ns_difference_cell_clear (&cells[i]);
    }
  for (guint i = 0; i < changes->len; i++)
    g_array_index (changes, NsChange, i) = given[g_array_index (order, guint32, i)];
}

static void
keep_page (const NsCliOptions *options, GArray *changes)
{
  g_array_remove_range (changes, 0, (guint) CLAMP (options->offset, 0, (gint64) changes->len));
  if (options->limit >= 0 && (guint64) options->limit < changes->len)
    g_array_set_size (changes, (guint) options->limit);
}

/* Reports no progress of the comparison: reading takes most of the time. */
static gboolean
progress_cb (double fraction, gpointer user_data)
{
  return !ns_cli_is_stopped ();
}

static void
add_cell (const NsDifferenceCell *cell, NsCliRows *rows)
{
  char number[24];

  if (!cell->is_number)
    {
      ns_cli_rows_add_text (rows, cell->text);
      return;
    }
  g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, cell->number);
  ns_cli_rows_add_json (rows, number, number);
}

/* Returns whether the column holds names. Two redacted traces use different pseudonyms, so these
 * columns stay empty. */
static gboolean
is_name (const NsDifferenceColumn *column)
{
  static const char *const ids[] = { "process", "server", "url", "ip", NULL };

  return g_strv_contains (ids, ns_difference_column_get_id (column));
}

static gboolean
print (NsCli *cli,
       NsExportFormat format,
       const GPtrArray *columns,
       const NsTrace *before,
       const NsTrace *after,
       const GArray *changes,
       GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  g_autoptr (NsCliRows) rows = NULL;

  for (guint i = 0; i < columns->len; i++)
    g_ptr_array_add (ids, (gpointer) ns_difference_column_get_id (g_ptr_array_index (columns, i)));
  g_ptr_array_add (ids, NULL);
  rows = ns_cli_rows_new (cli->view, format, (const char *const *) ids->pdata, ns_cli_write, cli);
  for (guint i = 0; i < changes->len; i++)
    {
      NsDifference diff = { before, after, &g_array_index (changes, NsChange, i) };

      for (guint k = 0; k < columns->len; k++)
        {
          const NsDifferenceColumn *column = g_ptr_array_index (columns, k);
          g_auto (NsDifferenceCell) cell = ns_difference_column_get (column, &diff);

          if (cli->options.want_redacted && is_name (column))
            ns_cli_rows_add_null (rows);
          else
            add_cell (&cell, rows);
        }
      if (!ns_cli_rows_end_row (rows, error))
        return FALSE;
    }
  return ns_cli_rows_finish (rows, FALSE, error);
}

/**
 * ns_cli_diff:
 * @cli: the parsed command line, with two files
 * @error: return location
 *
 * Runs the verb `diff`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_diff (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = get_list (cli);
  g_autoptr (GPtrArray) columns = ns_difference_columns_parse (options->columns, error);
  g_autoptr (GArray) keys = columns != NULL ? parse_sort (options->sort, error) : NULL;
  g_autoptr (NsTrace) before = NULL;
  g_autoptr (NsTrace) after = NULL;
  g_autoptr (GArray) changes = NULL;
  NsExportFormat format;

  if (keys == NULL || !ns_cli_rows_get_format (cli, &format, error) ||
      !ns_cli_list_check (&list, error))
    return FALSE;
  before = open_one (cli, 0, error);
  if (before != NULL)
    after = open_one (cli, 1, error);
  if (after == NULL)
    return FALSE;
  changes = ns_difference_new (before, after, progress_cb, NULL);
  if (changes == NULL)
    {
      g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
      return FALSE;
    }
  if (!keep_chosen (cli, before, after, changes, error))
    return FALSE;
  if (keys->len > 0)
    sort_changes (before, after, keys, changes);
  keep_page (options, changes);
  return print (cli, format, columns, before, after, changes, error);
}
