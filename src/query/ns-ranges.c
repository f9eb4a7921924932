/* Named ranges of time, for the filter `range:"A"`.
 *
 * Filters are made from text alone and run in threads; who marks ranges in a trace tells them here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-ranges.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A range of a trace; of all traces when that is 0. */
typedef struct
{
  guint64 serial;
  char *name;
  NsTimeSpan span;
} Entry;

static GMutex lock;
static GArray *entries; /* Entry; (nullable) */

static void
entry_clear (gpointer data)
{
  g_free (((Entry *) data)->name);
}

/* Under the lock. */
static void
replace (guint64 serial, const NsRange *ranges, guint n_ranges)
{
  guint i;

  if (entries == NULL)
    {
      entries = g_array_new (FALSE, FALSE, sizeof (Entry));
      g_array_set_clear_func (entries, entry_clear);
    }
  for (i = entries->len; i-- > 0;)
    if (g_array_index (entries, Entry, i).serial == serial)
      g_array_remove_index (entries, i);
  for (i = 0; i < MIN (n_ranges, NS_RANGES_MAX); i++)
    {
      Entry entry = { serial, g_strdup (ranges[i].name), ranges[i].span };

      g_array_append_val (entries, entry);
    }
}

/**
 * ns_ranges_set:
 * @trace: (nullable): a trace; %NULL for all traces
 * @ranges: (array length=n_ranges) (nullable): its ranges
 * @n_ranges: how many; 0 forgets those it had
 *
 * Says what the names of ranges mean. Filters that run see it at once.
 */
void
ns_ranges_set (const NsTrace *trace, const NsRange *ranges, guint n_ranges)
{
  g_mutex_lock (&lock);
  replace (trace != NULL ? trace->serial : 0, ranges, n_ranges);
  g_mutex_unlock (&lock);
}

static gboolean
parse_seconds (const char *text, gint64 *time_ns)
{
  char *end;
  double seconds = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0' || !(seconds > -9e9 && seconds < 9e9))
    return FALSE;
  *time_ns = (gint64) (seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5));
  return TRUE;
}

static gboolean
parse_range (char *text, NsRange *range)
{
  char *equals = strrchr (text, '=');
  char *dots = equals != NULL ? strstr (equals, "..") : NULL;

  if (dots == NULL || equals == text)
    return FALSE;
  *equals = '\0';
  *dots = '\0';
  range->name = g_strstrip (text);
  return parse_seconds (equals + 1, &range->span.begin_ns) &&
         parse_seconds (dots + 2, &range->span.end_ns) &&
         range->span.begin_ns <= range->span.end_ns;
}

/**
 * ns_ranges_parse:
 * @text: `NAME=FROM..TO`, in seconds since the start of a trace; more of them behind semicolons
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Says what the names of ranges mean in all traces.
 *
 * Returns: whether @text makes sense
 */
gboolean
ns_ranges_parse (const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", NS_RANGES_MAX + 1);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (NsRange));
  guint i;

  if (g_strv_length (parts) > NS_RANGES_MAX)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("there are more than %d ranges"),
                   NS_RANGES_MAX);
      return FALSE;
    }
  for (i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *part = g_strdup (parts[i]);
      NsRange range = { NULL, { 0, 0 } };

      if (!parse_range (parts[i], &range))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("“%s” is no range: NAME=FROM..TO is, in seconds"),
                       part);
          return FALSE;
        }
      g_array_append_val (ranges, range);
    }
  ns_ranges_set (NULL, (const NsRange *) (gpointer) ranges->data, ranges->len);
  return TRUE;
}

static gboolean
is_of (const Entry *entry, const NsTrace *trace)
{
  return entry->serial == 0 || (trace != NULL && entry->serial == trace->serial);
}

static gboolean
is_meant (const Entry *entry, const NsTrace *trace, const char *name)
{
  return is_of (entry, trace) && g_ascii_strcasecmp (entry->name, name) == 0;
}

/**
 * ns_ranges_list_names:
 * @trace: (nullable): a trace
 *
 * Returns: (transfer full): the names of its ranges and of those of all traces, each once
 */
char **
ns_ranges_list_names (const NsTrace *trace)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  guint i;

  g_mutex_lock (&lock);
  for (i = 0; entries != NULL && i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (is_of (entry, trace) && g_hash_table_add (seen, g_ascii_strdown (entry->name, -1)))
        g_strv_builder_add (names, entry->name);
    }
  g_mutex_unlock (&lock);
  return g_strv_builder_end (names);
}

/**
 * ns_ranges_has:
 * @trace: (nullable): a trace
 * @name: a name; the case of its ASCII letters does not matter
 *
 * Returns: whether there is such a range
 */
gboolean
ns_ranges_has (const NsTrace *trace, const char *name)
{
  gboolean has = FALSE;
  guint i;

  g_mutex_lock (&lock);
  for (i = 0; !has && entries != NULL && i < entries->len; i++)
    has = is_meant (&g_array_index (entries, Entry, i), trace, name);
  g_mutex_unlock (&lock);
  return has;
}

/**
 * ns_ranges_contain:
 * @trace: a trace
 * @name: of a range
 * @begin_ns: when something began
 * @end_ns: when it ended
 *
 * Returns: whether it began and ended in such a range, its ends included
 */
gboolean
ns_ranges_contain (const NsTrace *trace, const char *name, gint64 begin_ns, gint64 end_ns)
{
  gboolean contains = FALSE;
  guint i;

  g_mutex_lock (&lock);
  for (i = 0; !contains && entries != NULL && i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      contains = begin_ns >= entry->span.begin_ns && end_ns <= entry->span.end_ns &&
                 is_meant (entry, trace, name);
    }
  g_mutex_unlock (&lock);
  return contains;
}
