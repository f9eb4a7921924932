/* Named time ranges for the filter `range:"A"`.
 *
 * A filter is only a text and is evaluated in threads, so it looks a name up when it is evaluated:
 * in the list of its trace, and in that of the trace's view context.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-named-ranges.h"

#include "base/ns-error.h"
#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  char *name;
  NsTimeSpan span;
} Entry;

struct _NsNamedRanges
{
  GMutex lock;     /* guards the members below */
  GArray *entries; /* Entry */
};

static void
entry_clear (gpointer data)
{
  g_free (((Entry *) data)->name);
}

/**
 * ns_named_ranges_new:
 *
 * Returns: (transfer full): an empty list
 */
NsNamedRanges *
ns_named_ranges_new (void)
{
  NsNamedRanges *self = g_new0 (NsNamedRanges, 1);

  g_mutex_init (&self->lock);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, entry_clear);
  return self;
}

/**
 * ns_named_ranges_free:
 * @self: (transfer full) (nullable): a list
 */
void
ns_named_ranges_free (NsNamedRanges *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_named_ranges_set:
 * @self: a list
 * @ranges: (array length=n_ranges) (nullable): the new ranges; copied, at most %NS_NAMED_RANGES_MAX
 * @n_ranges: number of ranges
 *
 * Replaces the ranges. Running filters see the change at once.
 */
void
ns_named_ranges_set (NsNamedRanges *self, const NsNamedRange *ranges, guint n_ranges)
{
  guint i;

  g_mutex_lock (&self->lock);
  g_array_set_size (self->entries, 0);
  for (i = 0; i < MIN (n_ranges, NS_NAMED_RANGES_MAX); i++)
    {
      Entry entry = { g_strdup (ranges[i].name), ranges[i].span };

      g_array_append_val (self->entries, entry);
    }
  g_mutex_unlock (&self->lock);
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
parse_range (char *text, NsNamedRange *range)
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
 * ns_named_ranges_parse:
 * @self: a list
 * @text: `NAME=FROM..TO` in seconds since the start of a trace, several separated by semicolons
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Replaces the ranges of @self by those of a text.
 *
 * Returns: whether @text is valid
 */
gboolean
ns_named_ranges_parse (NsNamedRanges *self, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", NS_NAMED_RANGES_MAX + 1);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (NsNamedRange));
  guint i;

  if (g_strv_length (parts) > NS_NAMED_RANGES_MAX)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("there are more than %d ranges"),
                   NS_NAMED_RANGES_MAX);
      return FALSE;
    }
  for (i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *part = g_strdup (parts[i]);
      NsNamedRange range = { NULL, { 0, 0 } };

      if (!parse_range (parts[i], &range))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("“%s” is not a range: write NAME=FROM..TO, in seconds"),
                       part);
          return FALSE;
        }
      g_array_append_val (ranges, range);
    }
  ns_named_ranges_set (self, (const NsNamedRange *) (gpointer) ranges->data, ranges->len);
  return TRUE;
}

static gboolean
has_name (const Entry *entry, const char *name)
{
  return g_ascii_strcasecmp (entry->name, name) == 0;
}

/**
 * ns_named_ranges_has:
 * @self: (nullable): a list
 * @name: a name; ASCII case is ignored
 *
 * Returns: whether there is such a range
 */
gboolean
ns_named_ranges_has (NsNamedRanges *self, const char *name)
{
  gboolean has = FALSE;
  guint i;

  if (self == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  for (i = 0; !has && i < self->entries->len; i++)
    has = has_name (&g_array_index (self->entries, Entry, i), name);
  g_mutex_unlock (&self->lock);
  return has;
}

/**
 * ns_named_ranges_contain:
 * @self: (nullable): a list
 * @name: name of a range
 * @begin_ns: begin of an interval
 * @end_ns: its end
 *
 * Returns: whether the interval lies within one of the ranges of that name, ends included
 */
gboolean
ns_named_ranges_contain (NsNamedRanges *self, const char *name, gint64 begin_ns, gint64 end_ns)
{
  gboolean is_in = FALSE;
  guint i;

  if (self == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  for (i = 0; !is_in && i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      is_in = begin_ns >= entry->span.begin_ns && end_ns <= entry->span.end_ns &&
              has_name (entry, name);
    }
  g_mutex_unlock (&self->lock);
  return is_in;
}

/**
 * ns_named_ranges_add_names:
 * @self: a list
 * @names: (inout): names are added to it
 * @seen: (element-type utf8) (inout): names in lower case that are added already
 */
void
ns_named_ranges_add_names (NsNamedRanges *self, GStrvBuilder *names, GHashTable *seen)
{
  guint i;

  g_mutex_lock (&self->lock);
  for (i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (g_hash_table_add (seen, g_ascii_strdown (entry->name, -1)))
        g_strv_builder_add (names, entry->name);
    }
  g_mutex_unlock (&self->lock);
}
