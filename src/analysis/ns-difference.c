/* Differences between two traces. Requests are paired by process, method, server, shape of their
 * path, and position among such requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-difference.h"

#include "base/ns-hash.h"

#include <string.h>

/* Minimum change that is not normal variation: as a time, and as a share of the old duration. */
#define MIN_CHANGE_NS (20 * NS_PER_SECOND / 1000)
#define MIN_CHANGE_PERCENT 20
/* Maximum number of digits in a path component that is not an identifier. */
#define MAX_DIGITS 3
/* Progress steps: both traces, then their pairs. */
#define N_STEPS 3
#define ROWS_PER_NEWS 4096

/* Rows of one shape in both traces, in time order. */
typedef struct
{
  GArray *before; /* NsRow */
  GArray *after;
} Pair;

static void
pair_free (gpointer data)
{
  Pair *pair = data;

  g_array_unref (pair->before);
  g_array_unref (pair->after);
  g_free (pair);
}

const char *
ns_change_kind_to_text (NsChangeKind kind)
{
  static const char *const names[] = { "gone", "new", "other-end", "slower", "faster" };

  return names[kind];
}

/* Returns the name of a phase; NULL: no phase. */
const char *
ns_phase_to_text (NsPhase phase)
{
  static const char *const names[NS_N_PHASES] = {
    [NS_PHASE_POOL] = "pool",   [NS_PHASE_QUEUE] = "queue",     [NS_PHASE_PROXY] = "proxy",
    [NS_PHASE_DNS] = "dns",     [NS_PHASE_CONNECT] = "connect", [NS_PHASE_TLS] = "tls",
    [NS_PHASE_SEND] = "send",   [NS_PHASE_WAIT] = "wait",       [NS_PHASE_RECEIVE] = "receive",
    [NS_PHASE_OTHER] = "other",
  };

  return phase < NS_N_PHASES ? names[phase] : NULL;
}

/* Returns the begin of the path, or of query or fragment if there is no path; a query may
 * contain another URL. */
static const char *
find_path (const char *url)
{
  const char *slash = url + strcspn (url, "/?#");

  if (slash > url && slash[-1] == ':' && slash[0] == '/' && slash[1] == '/')
    url = slash + 2;
  return url + strcspn (url, "/?#");
}

/* Appends the path without its query, and with `*` in place of identifiers. */
static void
append_shape (GString *key, const char *url)
{
  const char *part = find_path (url);

  /* A URL without a path requests the root. */
  if (*part != '/' && *url != '\0')
    g_string_append_c (key, '/');
  while (*part == '/')
    {
      gsize length = 1 + strcspn (part + 1, "/?#");
      guint n_digits = 0;
      gsize i;

      for (i = 1; i < length; i++)
        n_digits += g_ascii_isdigit (part[i]) != 0;
      if (n_digits > MAX_DIGITS || (n_digits > 0 && n_digits == length - 1))
        g_string_append (key, "/*");
      else
        g_string_append_len (key, part, (gssize) length);
      part += length;
    }
}

/* Builds the key for pairing from properties that two runs of a program have in common; a
 * process ID is not one of them. */
static char *
dup_key (const NsTrace *trace, const NsActivityRow *row)
{
  const char *process =
      row->pid == NS_PID_UNKNOWN ? NULL : ns_trace_get_process_name (trace, row->pid, row->open_ns);
  GString *key = g_string_new (process);
  char text[NS_IP_TEXT_SIZE];

  g_string_append_printf (key, "\n%u\n", row->protocol);
  if (row->method != NS_STRING_NONE)
    g_string_append (key, ns_trace_text (trace, row->method));
  g_string_append_c (key, '\n');
  if (row->server > NS_STRING_EMPTY)
    g_string_append (key, ns_trace_text (trace, row->server));
  else if (!ns_ip_is_empty (&row->remote->ip))
    g_string_append (key, ns_endpoint_to_text (row->remote, text));
  g_string_append_c (key, '\n');
  if (row->url != NS_STRING_NONE)
    append_shape (key, ns_trace_text (trace, row->url));
  return g_string_free (key, FALSE);
}

static Pair *
ensure_pair (GHashTable *pairs, GPtrArray *order, char *key)
{
  Pair *pair = g_hash_table_lookup (pairs, key);

  if (pair != NULL)
    {
      g_free (key);
      return pair;
    }
  pair = g_new0 (Pair, 1);
  pair->before = g_array_new (FALSE, FALSE, sizeof (NsRow));
  pair->after = g_array_new (FALSE, FALSE, sizeof (NsRow));
  g_hash_table_insert (pairs, key, pair);
  g_ptr_array_add (order, pair);
  return pair;
}

/* Progress function of the caller. */
typedef struct
{
  NsProgressFunc func; /* (nullable) */
  gpointer data;
} Progress;

static gboolean
goes_on (const Progress *self, double fraction)
{
  return self->func == NULL || self->func (fraction, self->data);
}

/* Returns whether the operation is compared: child operations are part of their parent, and
 * those from before the trace are incomplete. */
static gboolean
is_compared (const NsActivityRow *row)
{
  return row->parent == 0 && !row->opened_before_trace;
}

/* Groups the operations by key; the table is already in time order. */
static gboolean
gather (const NsTrace *trace,
        GHashTable *pairs,
        GPtrArray *order,
        gboolean is_after,
        const Progress *progress)
{
  NsRow i;

  for (i = 1; i <= trace->activities->len; i++)
    {
      const NsActivityRow *row = NS_ROW_AT (trace->activities, NsActivityRow, i);
      Pair *pair;

      if (i % ROWS_PER_NEWS == 0 &&
          !goes_on (progress, (is_after + (double) i / trace->activities->len) / N_STEPS))
        return FALSE;
      if (!is_compared (row))
        continue;
      pair = ensure_pair (pairs, order, dup_key (trace, row));
      g_array_append_val (is_after ? pair->after : pair->before, i);
    }
  return TRUE;
}

static gint64
get_duration (const NsTrace *trace, const NsActivityRow *row)
{
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;

  return ns_time_is_set (row->open_ns) && ns_time_is_set (close_ns)
             ? MAX (close_ns - row->open_ns, 0)
             : 0;
}

static void
find_phase (const NsActivityRow *before, const NsActivityRow *after, NsChange *change)
{
  guint i;

  change->phase = NS_N_PHASES;
  for (i = 0; i < NS_N_PHASES; i++)
    {
      gint64 more_ns = MAX (ns_activity_row_get_phase (after, i), 0) -
                       MAX (ns_activity_row_get_phase (before, i), 0);
      gint64 sign = change->duration_ns < 0 ? -1 : 1;

      if (more_ns * sign > change->phase_ns * sign)
        {
          change->phase = (NsPhase) i;
          change->phase_ns = more_ns;
        }
    }
}

static void
compare_rows (const NsTrace *before, const NsTrace *after, NsChange change, GArray *changes)
{
  const NsActivityRow *old = NS_ROW_AT (before->activities, NsActivityRow, change.before);
  const NsActivityRow *new = NS_ROW_AT (after->activities, NsActivityRow, change.after);
  gint64 old_ns = get_duration (before, old);
  gint64 size_ns;

  change.duration_ns = get_duration (after, new) - old_ns;
  size_ns = ABS (change.duration_ns);
  find_phase (old, new, &change);
  if (old->failed != new->failed || old->http_status != new->http_status ||
      old->error != new->error)
    change.kind = NS_CHANGE_END;
  else if (size_ns < MIN_CHANGE_NS || size_ns < old_ns / 100 * MIN_CHANGE_PERCENT ||
           old->close_ns == NS_TIME_OPEN || new->close_ns == NS_TIME_OPEN)
    return;
  else
    change.kind = change.duration_ns > 0 ? NS_CHANGE_SLOWER : NS_CHANGE_FASTER;
  g_array_append_val (changes, change);
}

static void
compare_pair (const NsTrace *before, const NsTrace *after, const Pair *pair, GArray *changes)
{
  guint n = MAX (pair->before->len, pair->after->len);
  guint i;

  for (i = 0; i < n; i++)
    {
      NsChange change = { .phase = NS_N_PHASES };

      if (i < pair->before->len)
        change.before = g_array_index (pair->before, NsRow, i);
      if (i < pair->after->len)
        change.after = g_array_index (pair->after, NsRow, i);
      if (change.before != 0 && change.after != 0)
        {
          compare_rows (before, after, change, changes);
          continue;
        }
      change.kind = change.after == 0 ? NS_CHANGE_GONE : NS_CHANGE_NEW;
      g_array_append_val (changes, change);
    }
}

/* Sorts missing operations first, then new ones, then those with another result, then by change
 * of duration. */
static gint
compare_changes (gconstpointer a, gconstpointer b)
{
  const NsChange *left = a;
  const NsChange *right = b;
  gint64 left_ns = ABS (left->duration_ns);
  gint64 right_ns = ABS (right->duration_ns);

  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  if (left_ns != right_ns)
    return left_ns > right_ns ? -1 : 1;
  if (left->before != right->before)
    return left->before < right->before ? -1 : 1;
  return (left->after > right->after) - (left->after < right->after);
}

/**
 * ns_difference_new:
 * @before: a trace
 * @after: another trace of the same work
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Returns: (transfer full) (element-type NsChange) (nullable): the operations that differ; %NULL if
 *   stopped
 */
GArray *
ns_difference_new (const NsTrace *before,
                   const NsTrace *after,
                   NsProgressFunc progress,
                   gpointer progress_data)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (NsChange));
  g_autoptr (GHashTable) pairs =
      g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, pair_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  const Progress asked = { progress, progress_data };
  guint i;

  if (!gather (before, pairs, order, FALSE, &asked) || !gather (after, pairs, order, TRUE, &asked))
    return NULL;
  for (i = 0; i < order->len; i++)
    {
      if (i % ROWS_PER_NEWS == 0 &&
          !goes_on (&asked, (N_STEPS - 1 + (double) i / order->len) / N_STEPS))
        return NULL;
      compare_pair (before, after, g_ptr_array_index (order, i), changes);
    }
  g_array_sort (changes, compare_changes);
  return g_steal_pointer (&changes);
}

/**
 * ns_difference_count:
 * @trace: a trace
 *
 * Returns: number of its operations that are compared
 */
guint
ns_difference_count (const NsTrace *trace)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    n += is_compared (&g_array_index (trace->activities, NsActivityRow, i));
  return n;
}
