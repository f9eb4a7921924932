/* Searches the shown rows for a text and steps through the matches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-finder.h"

#include "query/ns-filter-stack.h"
#include "query/ns-filter-text.h"
#include "query/ns-filter.h"

/* Number of rows between two checks for cancellation. */
#define LOOK_ROWS 1024

/* A match: the row and its position among the searched rows. */
typedef struct
{
  guint32 row;
  guint32 position;
  gint64 time_ns; /* NS_TIME_NONE if not known */
} Hit;

struct _NsFinder
{
  GObject parent_instance;

  char *text;
  char *filter; /* used instead of the text, for related rows; may be NULL */
  NsTableId table;
  GArray *hits;      /* guint32 rows, in the order shown */
  GArray *positions; /* guint32 */
  GArray *times;     /* gint64 */
  guint current;     /* G_MAXUINT if none */
  gboolean is_capped;
  GCancellable *searching;
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsFinder, ns_finder, G_TYPE_OBJECT)

/* A running search, with references to its input. */
typedef struct
{
  NsTrace *trace;
  NsTableId table;
  GArray *rows;
  GPtrArray *fields;
  char *text;
  NsFilter *filter;      /* used instead of fields and text */
  NsFilterStack *frames; /* for a table whose rows have call stacks */
  gboolean is_capped;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  ns_trace_unref (search->trace);
  g_array_unref (search->rows);
  g_ptr_array_unref (search->fields);
  g_free (search->text);
  ns_filter_free (search->filter);
  ns_filter_stack_free (search->frames);
  g_free (search);
}

static gboolean
frame_has (const char *frame, gconstpointer text)
{
  return ns_filter_text_contains (frame, text);
}

/* Returns whether a cell contains @text, also with an ASCII hyphen for the minus sign. */
static gboolean
is_shown (GString *shown, const char *text)
{
  if (ns_filter_text_contains (shown->str, text))
    return TRUE;
  if (!g_str_has_prefix (shown->str, NS_MINUS))
    return FALSE;
  g_string_overwrite (g_string_erase (shown, 0, (gssize) strlen (NS_MINUS) - 1), 0, "-");
  return ns_filter_text_contains (shown->str, text);
}

/* Returns whether a cell of the row, or a frame of its call stack, contains the text. */
static gboolean
row_has (const Search *search, guint32 row, GString *text)
{
  guint i;

  if (search->filter != NULL)
    return ns_filter_matches (search->filter, search->trace, row);

  for (i = 0; i < search->fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (search->fields, i);
      NsFieldValue value = { 0 };
      gboolean is_null;

      ns_field_get (search->trace, field, row, &value);
      is_null = value.is_null;
      g_string_truncate (text, 0);
      if (!is_null)
        ns_field_append_human (field, &value, text);
      ns_field_value_clear (&value);
      if (!is_null && is_shown (text, search->text))
        return TRUE;
    }
  return search->frames != NULL &&
         ns_filter_stack_matches (search->frames, search->trace, row, frame_has, search->text);
}

/* Returns the field with the start time of a row. */
static const NsField *
find_begin (NsTableId table)
{
  static const char *const ids[] = { "open_ns",   "time_ns", "start_ns",
                                     "create_ns", "load_ns", "first_ns" };
  const NsField *field = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids) && field == NULL; i++)
    field = ns_table_find_field (table, ids[i]);
  return field;
}

static gint64
read_begin (const Search *search, const NsField *begin, guint32 row)
{
  NsFieldValue value = { 0 };
  gint64 time_ns = NS_TIME_NONE;

  if (begin == NULL)
    return time_ns;
  ns_field_get (search->trace, begin, row, &value);
  if (!value.is_null)
    time_ns = value.v.i;
  ns_field_value_clear (&value);
  return time_ns;
}

static void
search_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Search *search = task_data;
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autoptr (GString) text = g_string_new (NULL);
  const NsField *begin = find_begin (search->table);
  guint i;

  for (i = 0; i < search->rows->len; i++)
    {
      Hit hit = { g_array_index (search->rows, guint32, i), i, 0 };

      if (i % LOOK_ROWS == 0 && g_task_return_error_if_cancelled (task))
        return;
      if (!row_has (search, hit.row, text))
        continue;
      if (hits->len == NS_FINDER_MAX_HITS)
        {
          search->is_capped = TRUE;
          break;
        }
      hit.time_ns = read_begin (search, begin, hit.row);
      g_array_append_val (hits, hit);
    }
  g_task_return_pointer (task, g_steal_pointer (&hits), (GDestroyNotify) g_array_unref);
}

static void
searched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsFinder *self = NS_FINDER (source);
  GTask *task = G_TASK (result);
  Search *search = g_task_get_task_data (task);
  g_autoptr (GArray) hits = NULL;
  gboolean is_wanted = self->searching == g_task_get_cancellable (task);
  guint i;

  hits = g_task_propagate_pointer (task, NULL);
  if (hits == NULL || !is_wanted)
    return;
  g_clear_object (&self->searching);
  g_array_set_size (self->hits, 0);
  g_array_set_size (self->positions, 0);
  g_array_set_size (self->times, 0);
  for (i = 0; i < hits->len; i++)
    {
      const Hit *hit = &g_array_index (hits, Hit, i);

      g_array_append_val (self->hits, hit->row);
      g_array_append_val (self->positions, hit->position);
      if (ns_time_is_set (hit->time_ns))
        g_array_append_val (self->times, hit->time_ns);
    }
  self->is_capped = search->is_capped;
  self->current = G_MAXUINT;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
ns_finder_finalize (GObject *object)
{
  NsFinder *self = NS_FINDER (object);

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  g_array_unref (self->hits);
  g_array_unref (self->positions);
  g_array_unref (self->times);
  g_free (self->text);
  g_free (self->filter);
  G_OBJECT_CLASS (ns_finder_parent_class)->finalize (object);
}

static void
ns_finder_class_init (NsFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_finder_finalize;

  /**
   * NsFinder::changed:
   * @self: the finder
   *
   * Emitted when the search text or the results changed.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          NS_TYPE_FINDER,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
}

static void
ns_finder_init (NsFinder *self)
{
  self->text = g_strdup ("");
  self->hits = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->positions = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->current = G_MAXUINT;
}

/**
 * ns_finder_new:
 *
 * Returns: (transfer full): a finder without a search
 */
NsFinder *
ns_finder_new (void)
{
  return g_object_new (NS_TYPE_FINDER, NULL);
}

/**
 * ns_finder_clear:
 * @self: a finder
 *
 * Cancels the search and clears its results.
 */
void
ns_finder_clear (NsFinder *self)
{
  g_return_if_fail (NS_IS_FINDER (self));

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  g_free (self->text);
  self->text = g_strdup ("");
  g_clear_pointer (&self->filter, g_free);
  g_array_set_size (self->hits, 0);
  g_array_set_size (self->positions, 0);
  g_array_set_size (self->times, 0);
  self->current = G_MAXUINT;
  self->is_capped = FALSE;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Starts a search and cancels the previous one. */
static void
start (NsFinder *self, Search *search)
{
  g_autoptr (GTask) task = NULL;

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  self->table = search->table;
  self->searching = g_cancellable_new ();
  task = g_task_new (self, self->searching, searched_cb, NULL);
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_worker);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static Search *
search_new (NsTrace *trace, NsTableId table, const GArray *rows, const char *text)
{
  Search *search = g_new0 (Search, 1);

  search->trace = ns_trace_ref (trace);
  search->table = table;
  search->rows = g_array_ref ((GArray *) rows);
  search->fields = g_ptr_array_new ();
  search->text = g_strdup (text);
  return search;
}

/**
 * ns_finder_search:
 * @self: a finder
 * @trace: the trace
 * @table: the table of the rows
 * @rows: (element-type guint32): the shown rows, in order
 * @fields: (element-type NsField): the shown columns
 * @text: the text to find, case-insensitive; an empty text finds nothing
 *
 * Searches the cells and the call stacks of the rows in a thread. Emits #NsFinder::changed at the
 * end.
 */
void
ns_finder_search (NsFinder *self,
                  NsTrace *trace,
                  NsTableId table,
                  const GArray *rows,
                  const GPtrArray *fields,
                  const char *text)
{
  g_autofree char *copy = g_strdup (text);
  Search *search;
  guint i;

  g_return_if_fail (NS_IS_FINDER (self));

  if (*copy == '\0')
    {
      ns_finder_clear (self);
      return;
    }
  g_clear_pointer (&self->filter, g_free);
  g_free (self->text);
  self->text = g_steal_pointer (&copy);
  search = search_new (trace, table, rows, self->text);
  for (i = 0; i < fields->len; i++)
    g_ptr_array_add (search->fields, g_ptr_array_index (fields, i));
  if (table == NS_TABLE_ACTIVITIES)
    search->frames = ns_filter_stack_new ();
  start (self, search);
}

/**
 * ns_finder_search_matching:
 * @self: a finder
 * @trace: the trace
 * @table: the table of the rows
 * @rows: (element-type guint32): the shown rows, in order
 * @text: the text entered by the user
 * @filter: a filter that matches rows related to @text
 *
 * Searches for rows that match @filter, where @text itself does not occur in the rows.
 */
void
ns_finder_search_matching (NsFinder *self,
                           NsTrace *trace,
                           NsTableId table,
                           const GArray *rows,
                           const char *text,
                           const char *filter)
{
  g_autofree char *text_copy = g_strdup (text);
  g_autofree char *filter_copy = g_strdup (filter);
  NsFilter *parsed = ns_filter_new (table, filter, NULL, NULL);
  Search *search;

  g_return_if_fail (NS_IS_FINDER (self));

  if (parsed == NULL)
    {
      ns_finder_clear (self);
      return;
    }
  g_free (self->filter);
  self->filter = g_steal_pointer (&filter_copy);
  g_free (self->text);
  self->text = g_steal_pointer (&text_copy);
  search = search_new (trace, table, rows, self->text);
  search->filter = parsed;
  start (self, search);
}

/**
 * ns_finder_get_filter:
 * @self: a finder
 *
 * Returns: (nullable): the filter used for the search; %NULL if the text is searched for
 */
const char *
ns_finder_get_filter (NsFinder *self)
{
  return self->filter;
}

/**
 * ns_finder_get_text:
 * @self: a finder
 *
 * Returns: the search text; empty without a search
 */
const char *
ns_finder_get_text (NsFinder *self)
{
  return self->text;
}

/**
 * ns_finder_get_table:
 * @self: a finder
 *
 * Returns: the searched table
 */
NsTableId
ns_finder_get_table (NsFinder *self)
{
  return self->table;
}

/**
 * ns_finder_is_busy:
 * @self: a finder
 *
 * Returns: whether a search is running
 */
gboolean
ns_finder_is_busy (NsFinder *self)
{
  return self->searching != NULL;
}

/**
 * ns_finder_is_capped:
 * @self: a finder
 *
 * Returns: whether there are more matches than it keeps
 */
gboolean
ns_finder_is_capped (NsFinder *self)
{
  return self->is_capped;
}

/**
 * ns_finder_get_hits:
 * @self: a finder
 *
 * Returns: (element-type guint32): the matching rows, in the order shown
 */
const GArray *
ns_finder_get_hits (NsFinder *self)
{
  return self->hits;
}

/**
 * ns_finder_get_times:
 * @self: a finder
 *
 * Returns: (element-type gint64): the known start times of the matching rows
 */
const GArray *
ns_finder_get_times (NsFinder *self)
{
  return self->times;
}

/**
 * ns_finder_get_current:
 * @self: a finder
 *
 * Returns: the index of the current match, 0-based; %G_MAXUINT if none
 */
guint
ns_finder_get_current (NsFinder *self)
{
  return self->current;
}

static gboolean
show_current (NsFinder *self, guint current, guint32 *row)
{
  self->current = current;
  *row = g_array_index (self->hits, guint32, current);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return TRUE;
}

/**
 * ns_finder_go:
 * @self: a finder
 * @by: 1 or −1
 * @row: (out): the row of the match
 *
 * Moves to the next or previous match; after the last one comes the first.
 *
 * Returns: whether there is a match
 */
gboolean
ns_finder_go (NsFinder *self, int by, guint32 *row)
{
  guint n_hits = self->hits->len;

  if (n_hits == 0)
    return FALSE;
  if (self->current == G_MAXUINT)
    return show_current (self, by > 0 ? 0 : n_hits - 1, row);
  return show_current (self, (self->current + n_hits + (by > 0 ? 1u : n_hits - 1)) % n_hits, row);
}

/**
 * ns_finder_start_at:
 * @self: a finder
 * @position: a position among the shown rows
 * @row: (out): the row of the match
 *
 * Moves to the first match at or after @position.
 *
 * Returns: whether there is a match
 */
gboolean
ns_finder_start_at (NsFinder *self, guint position, guint32 *row)
{
  guint low = 0;
  guint high = self->positions->len;

  if (high == 0)
    return FALSE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->positions, guint32, middle) < position)
        low = middle + 1;
      else
        high = middle;
    }
  return show_current (self, low < self->positions->len ? low : 0, row);
}

/**
 * ns_finder_is_in:
 * @text: the text of a cell
 * @wanted: the search text
 *
 * Returns: whether @text contains @wanted, case-insensitive
 */
gboolean
ns_finder_is_in (const char *text, const char *wanted)
{
  return ns_filter_text_contains (text, wanted);
}
