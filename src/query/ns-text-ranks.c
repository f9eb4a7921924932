/* Places of texts among all texts of a column, so that sorting rows compares numbers.
 *
 * Texts are sorted eight bytes at a time: those that agree in eight are sorted by the next eight.
 * Order is that of the lower-case ASCII letters; texts that differ in case only follow by their
 * bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"
#include "base/ns-map.h"
#include "query/ns-text-ranks.h"

#include <string.h>

#define CHUNK_BYTES 8
/* Fewer than these are compared whole. */
#define FEW 8

typedef struct
{
  const char *text;
  guint64 chunk; /* its bytes at the depth being sorted */
  guint32 number;
} Text;

/* Texts that agree up to a depth, waiting to be sorted. */
typedef struct
{
  guint begin;
  guint end;
  gsize depth;
} Range;

struct _NsTextRanks
{
  NsArena *arena;      /* texts that were made for us */
  NsMap *by_place;     /* place of a text in memory to its number + 1 */
  GHashTable *by_text; /* the same for texts that were made for us */
  GArray *texts;       /* Text, by number until sorted */
  guint64 *ranks;      /* by number */
};

/**
 * ns_text_ranks_new: (skip)
 *
 * Returns: (transfer full): no texts yet
 */
NsTextRanks *
ns_text_ranks_new (void)
{
  NsTextRanks *self = g_new0 (NsTextRanks, 1);

  self->arena = ns_arena_new (64 * 1024);
  self->by_place = ns_map_new ();
  self->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_array_new (FALSE, FALSE, sizeof (Text));
  return self;
}

/**
 * ns_text_ranks_free: (skip)
 * @self: (transfer full) (nullable): texts
 */
void
ns_text_ranks_free (NsTextRanks *self)
{
  if (self == NULL)
    return;
  ns_map_free (self->by_place);
  g_hash_table_unref (self->by_text);
  g_array_unref (self->texts);
  ns_arena_free (self->arena);
  g_free (self->ranks);
  g_free (self);
}

/**
 * ns_text_ranks_add: (skip)
 * @self: texts
 * @text: one more; the same place in memory must always hold the same text
 * @is_owned: @text does not outlive the call
 *
 * Texts of a trace are kept once each, so that their place tells them apart without reading.
 *
 * Returns: its number
 */
guint
ns_text_ranks_add (NsTextRanks *self, const char *text, gboolean is_owned)
{
  guint64 place = (guint64) (gsize) text;
  guint32 number = is_owned ? GPOINTER_TO_UINT (g_hash_table_lookup (self->by_text, text))
                            : ns_map_get (self->by_place, place, 0);
  Text entry = { text, 0, self->texts->len };

  if (number != 0)
    return number - 1;
  number = self->texts->len + 1;
  if (is_owned)
    {
      entry.text = ns_arena_strndup (self->arena, text, strlen (text));
      g_hash_table_insert (self->by_text, (gpointer) entry.text, GUINT_TO_POINTER (number));
    }
  else
    ns_map_set (self->by_place, place, 0, number);
  g_array_append_val (self->texts, entry);
  return number - 1;
}

static int
compare_whole (const void *a, const void *b)
{
  const Text *left = a;
  const Text *right = b;
  int result = g_ascii_strcasecmp (left->text, right->text);

  return result != 0 ? result : strcmp (left->text, right->text);
}

static int
compare_chunks (const void *a, const void *b)
{
  guint64 left = ((const Text *) a)->chunk;
  guint64 right = ((const Text *) b)->chunk;

  return (left > right) - (left < right);
}

/* The depth is within the text: all of a range have at least that many bytes. */
static guint64
read_chunk (const char *text, gsize depth)
{
  guint64 chunk = 0;
  guint i;

  text += depth;
  for (i = 0; i < CHUNK_BYTES; i++)
    {
      chunk = chunk << 8 | (guint8) g_ascii_tolower (*text);
      text += *text != 0;
    }
  return chunk;
}

/* Sorts one range by the bytes at its depth, and leaves ranges that agree in these for later. */
static void
sort_range (Text *texts, const Range *range, GArray *waiting)
{
  gboolean is_same = TRUE;
  guint begin = range->begin;
  guint i;

  if (range->end - range->begin <= FEW)
    {
      qsort (texts + range->begin, range->end - range->begin, sizeof *texts, compare_whole);
      return;
    }
  for (i = range->begin; i < range->end; i++)
    {
      texts[i].chunk = read_chunk (texts[i].text, range->depth);
      is_same = is_same && texts[i].chunk == texts[range->begin].chunk;
    }
  if (!is_same)
    qsort (texts + range->begin, range->end - range->begin, sizeof *texts, compare_chunks);
  for (i = range->begin + 1; i <= range->end; i++)
    {
      gboolean has_ended = (texts[begin].chunk & 0xff) == 0;
      Range same = { begin, i, range->depth + CHUNK_BYTES };

      if (i < range->end && texts[i].chunk == texts[begin].chunk)
        continue;
      if (has_ended)
        qsort (texts + begin, i - begin, sizeof *texts, compare_whole);
      else if (i - begin > 1)
        g_array_append_val (waiting, same);
      begin = i;
    }
}

/**
 * ns_text_ranks_sort: (skip)
 * @self: texts, all added
 *
 * Gives each text its rank, from 1; equal texts get equal ranks.
 *
 * Returns: the highest rank
 */
guint64
ns_text_ranks_sort (NsTextRanks *self)
{
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Range));
  Text *texts = (Text *) (gpointer) self->texts->data;
  Range all = { 0, self->texts->len, 0 };
  guint64 rank = 0;
  guint i;

  g_array_append_val (waiting, all);
  while (waiting->len > 0)
    {
      Range range = g_array_index (waiting, Range, waiting->len - 1);

      g_array_set_size (waiting, waiting->len - 1);
      sort_range (texts, &range, waiting);
    }
  self->ranks = g_new (guint64, self->texts->len + 1);
  for (i = 0; i < self->texts->len; i++)
    {
      if (i == 0 || strcmp (texts[i].text, texts[i - 1].text) != 0)
        rank++;
      self->ranks[texts[i].number] = rank;
    }
  return rank;
}

/**
 * ns_text_ranks_get: (skip)
 * @self: texts, sorted
 * @number: of ns_text_ranks_add()
 *
 * Returns: its rank
 */
guint64
ns_text_ranks_get (const NsTextRanks *self, guint number)
{
  return self->ranks[number];
}
