/* Columns of the differences between two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-difference-cells.h"
#include "engine/tasks/ns-pool-wait.h"

#include "base/ns-nearest.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  CELL_CHANGE,
  CELL_FIELD, /* field of the first trace's row, else of the second's */
  CELL_ROW,
  CELL_DURATION,
  CELL_DELTA,
  CELL_PHASE,
  CELL_PHASE_DELTA,
  CELL_STATUS,
  CELL_DELTA_OF_PHASE,
} CellKind;

struct _NsDifferenceColumn
{
  const char *id;
  const char *title;
  CellKind kind;
  gboolean is_after; /* the cell is that of the second trace */
  NsPhase phase;
};

/* Number of default columns; the deltas of all phases follow them. */
#define N_DEFAULT 14

static const NsDifferenceColumn columns[] = {
  { "change", N_ ("Change"), CELL_CHANGE, FALSE, 0 },
  { "process", N_ ("Process"), CELL_FIELD, FALSE, 0 },
  { "method", N_ ("Method"), CELL_FIELD, FALSE, 0 },
  { "server", N_ ("Server"), CELL_FIELD, FALSE, 0 },
  { "url", N_ ("URL"), CELL_FIELD, FALSE, 0 },
  { "row_a", N_ ("Row before"), CELL_ROW, FALSE, 0 },
  { "row_b", N_ ("Row after"), CELL_ROW, TRUE, 0 },
  { "duration_a_ns", N_ ("Before (ms)"), CELL_DURATION, FALSE, 0 },
  { "duration_b_ns", N_ ("After (ms)"), CELL_DURATION, TRUE, 0 },
  { "delta_ns", N_ ("Difference (ms)"), CELL_DELTA, FALSE, 0 },
  { "phase", N_ ("Phase"), CELL_PHASE, FALSE, 0 },
  { "phase_delta_ns", N_ ("Phase (ms)"), CELL_PHASE_DELTA, FALSE, 0 },
  { "status_a", N_ ("Status before"), CELL_STATUS, FALSE, 0 },
  { "status_b", N_ ("Status after"), CELL_STATUS, TRUE, 0 },
  { "pool_delta_ns", N_ ("Pool Wait (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_POOL },
  { "queue_delta_ns", N_ ("Queue (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_QUEUE },
  { "proxy_delta_ns", N_ ("Proxy (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_PROXY },
  { "dns_delta_ns", N_ ("DNS (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_DNS },
  { "connect_delta_ns", N_ ("Connect (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_CONNECT },
  { "tls_delta_ns", N_ ("TLS (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_TLS },
  { "send_delta_ns", N_ ("Send (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_SEND },
  { "wait_delta_ns", N_ ("Wait (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_WAIT },
  { "receive_delta_ns", N_ ("Receive (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_RECEIVE },
  { "other_delta_ns", N_ ("Other (ms)"), CELL_DELTA_OF_PHASE, FALSE, NS_PHASE_OTHER },
  { "ip", N_ ("Address"), CELL_FIELD, FALSE, 0 },
};

/**
 * ns_difference_column_find:
 * @id: name of a column
 *
 * Returns: (transfer none) (nullable): the column
 */
const NsDifferenceColumn *
ns_difference_column_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (strcmp (columns[i].id, id) == 0)
      return &columns[i];
  return NULL;
}

/**
 * ns_difference_column_refuse:
 * @id: an unknown column name
 * @error: return location
 *
 * Returns: %FALSE, with an %NS_TRACE_ERROR_QUERY that names the nearest column
 */
gboolean
ns_difference_column_refuse (const char *id, GError **error)
{
  NsNearest search;

  ns_nearest_init (&search, id);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    ns_nearest_offer (&search, columns[i].id);
  if (search.best != NULL)
    return ns_trace_refuse_query (error,
                                  _ ("there is no column “%s”; did you mean “%s”?"),
                                  id,
                                  search.best);
  return ns_trace_refuse_query (error,
                                _ ("there is no column “%s”; netstitch-cli diff --help lists them"),
                                id);
}

/**
 * ns_difference_columns_parse:
 * @text: (nullable): column names separated by commas, or "all"; %NULL for the defaults
 * @error: %NS_TRACE_ERROR_QUERY for an unknown column
 *
 * Returns: (transfer container) (element-type NsDifferenceColumn) (nullable): the columns, in that
 *   order
 */
GPtrArray *
ns_difference_columns_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  g_auto (GStrv) ids = NULL;

  if (text == NULL || strcmp (text, "all") == 0)
    {
      guint n_columns = text == NULL ? N_DEFAULT : G_N_ELEMENTS (columns);

      for (guint i = 0; i < n_columns; i++)
        g_ptr_array_add (chosen, (gpointer) &columns[i]);
      return g_steal_pointer (&chosen);
    }
  ids = g_strsplit (text, ",", -1);
  for (guint i = 0; ids[i] != NULL; i++)
    {
      const NsDifferenceColumn *column = ns_difference_column_find (g_strstrip (ids[i]));

      if (column == NULL)
        {
          ns_difference_column_refuse (ids[i], error);
          return NULL;
        }
      g_ptr_array_add (chosen, (gpointer) column);
    }
  return g_steal_pointer (&chosen);
}

/**
 * ns_difference_column_get_id:
 * @self: a column
 *
 * Returns: (transfer none): its stable name
 */
const char *
ns_difference_column_get_id (const NsDifferenceColumn *self)
{
  return self->id;
}

static NsDifferenceCell
make_text (char *text)
{
  return (NsDifferenceCell){ .text = text };
}

static NsDifferenceCell
make_number (gboolean is_known, gint64 number)
{
  return (NsDifferenceCell){ .number = is_known ? number : 0, .is_number = is_known };
}

/* Formats a field of the master table; NULL: unknown. */
static char *
dup_value (const NsTrace *trace, const char *id, NsRow row)
{
  return row != 0 ? ns_field_dup_raw (trace, ns_table_find_field (NS_TABLE_ACTIVITIES, id), row - 1)
                  : NULL;
}

/* Formats the result: HTTP status, or the error. */
static char *
dup_status (const NsTrace *trace, NsRow row)
{
  g_autofree char *status = dup_value (trace, "http_status", row);

  return status != NULL ? g_steal_pointer (&status) : dup_value (trace, "error", row);
}

static NsDifferenceCell
get_duration (const NsTrace *trace, NsRow row)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "duration_ns");
  NsFieldValue value;
  NsDifferenceCell cell;

  if (row == 0)
    return make_number (FALSE, 0);
  ns_field_get (trace, field, row - 1, &value);
  cell = make_number (!value.is_null, value.v.i);
  cell.is_lower_bound = cell.is_number && value.is_lower_bound;
  return cell;
}

/* Returns the change of the duration; unknown if neither operation has a recorded end. */
static NsDifferenceCell
get_delta (const NsDifference *diff)
{
  NsDifferenceCell before = get_duration (diff->before, diff->change->before);
  NsDifferenceCell after = get_duration (diff->after, diff->change->after);
  gboolean is_known =
      before.is_number && after.is_number && !(before.is_lower_bound && after.is_lower_bound);
  NsDifferenceCell cell = make_number (is_known, diff->change->duration_ns);

  cell.is_lower_bound = is_known && after.is_lower_bound;
  cell.is_upper_bound = is_known && before.is_lower_bound;
  return cell;
}

/* Returns the duration of a phase; the pool phase includes waits before the operation. */
static gint64
get_phase (const NsTrace *trace, NsRow activity, NsPhase phase)
{
  const NsActivityRow *row = NS_ROW_AT (trace->activities, NsActivityRow, activity);

  return phase == NS_PHASE_POOL ? ns_pool_wait_get_total (trace, row)
                                : ns_activity_row_get_phase (row, phase);
}

/* Returns the change of a phase; a missing phase counts as 0. */
static NsDifferenceCell
get_delta_of_phase (const NsDifference *diff, NsPhase phase)
{
  const NsChange *change = diff->change;
  gint64 before_ns;
  gint64 after_ns;

  if (change->before == 0 || change->after == 0)
    return make_number (FALSE, 0);
  before_ns = get_phase (diff->before, change->before, phase);
  after_ns = get_phase (diff->after, change->after, phase);
  return make_number (TRUE, MAX (after_ns, 0) - MAX (before_ns, 0));
}

/**
 * ns_difference_column_get_title:
 * @self: a column
 *
 * Returns: (transfer none): its title, marked for translation
 */
const char *
ns_difference_column_get_title (const NsDifferenceColumn *self)
{
  return self->title;
}

/**
 * ns_difference_column_is_time:
 * @self: a column
 *
 * Returns: whether its numbers are nanoseconds
 */
gboolean
ns_difference_column_is_time (const NsDifferenceColumn *self)
{
  return g_str_has_suffix (self->id, "_ns");
}

/**
 * ns_difference_column_get:
 * @self: a column
 * @diff: an operation that differs
 *
 * Returns: (transfer full): its cell, to be cleared with ns_difference_cell_clear()
 */
NsDifferenceCell
ns_difference_column_get (const NsDifferenceColumn *self, const NsDifference *diff)
{
  const NsChange *change = diff->change;
  const NsTrace *trace = self->is_after ? diff->after : diff->before;
  NsRow row = self->is_after ? change->after : change->before;
  gboolean has_phase = change->phase != NS_N_PHASES;

  switch (self->kind)
    {
    case CELL_CHANGE:
      return make_text (g_strdup (ns_change_kind_to_text (change->kind)));
    case CELL_FIELD:
      return make_text (row != 0 ? dup_value (diff->before, self->id, row)
                                 : dup_value (diff->after, self->id, change->after));
    case CELL_ROW:
      return make_number (row != 0, row);
    case CELL_DURATION:
      return get_duration (trace, row);
    case CELL_DELTA:
      return get_delta (diff);
    case CELL_PHASE:
      return make_text (has_phase ? g_strdup (ns_phase_to_text (change->phase)) : NULL);
    case CELL_PHASE_DELTA:
      return make_number (has_phase, change->phase_ns);
    case CELL_STATUS:
      return make_text (dup_status (trace, row));
    case CELL_DELTA_OF_PHASE:
    default:
      return get_delta_of_phase (diff, self->phase);
    }
}

/**
 * ns_difference_cell_compare:
 * @self: a cell
 * @other: a cell of the same column
 * @is_descending: whether the largest comes first
 *
 * Sorts like the tables: unknown values come last in either direction, and the case of letters is
 * ignored.
 *
 * Returns: less than, equal to or more than 0
 */
int
ns_difference_cell_compare (const NsDifferenceCell *self,
                            const NsDifferenceCell *other,
                            gboolean is_descending)
{
  gboolean is_known = self->is_number || self->text != NULL;
  gboolean is_other_known = other->is_number || other->text != NULL;
  int order;

  if (!is_known || !is_other_known)
    return is_other_known - is_known;
  if (self->is_number)
    order = (self->number > other->number) - (self->number < other->number);
  else
    order = g_ascii_strcasecmp (self->text, other->text);
  if (order == 0 && !self->is_number)
    order = strcmp (self->text, other->text);
  return is_descending ? -order : order;
}

/**
 * ns_difference_cell_clear:
 * @self: a cell
 */
void
ns_difference_cell_clear (NsDifferenceCell *self)
{
  g_clear_pointer (&self->text, g_free);
}
