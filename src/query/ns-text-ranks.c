/* Ranks of texts among all texts of a column, so that sorting compares numbers.
 *
 * Texts are sorted eight bytes at a time: texts that are equal in eight bytes are sorted by the
 * next eight. The order is that of lower-case ASCII letters; texts that differ only in case are
 * ordered by their bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-text-ranks.h"

#include "base/ns-arena.h"
#include "base/ns-map.h"
#include "base/ns-meanwhile.h"
#include "base/ns-parts.h"
#include "query/ns-radix.h"

#include <string.h>

#define CHUNK_BYTES 8
/* Size below which ranges are sorted by insertion. */
#define FEW 12
/* Size above which ranges are sorted by a radix sort of their chunks. */
#define MANY 128
/* Minimum number of texts for a second thread. */
#define MANY_FOR_TWO 50000

typedef struct
{
  const char *text;
  guint64 chunk; /* bytes at the current depth; before sorting, hash of the text */
  guint32 number;
  guint32 length;
} Text;

/* Texts that are equal up to a depth and not sorted yet. */
typedef struct
{
  guint begin;
  guint end;
  guint depth;
} Range;

struct _NsTextRanks
{
  NsArena *arena;  /* copied texts */
  NsMap *by_place; /* address of a text → its number + 1 */
  guint32 *slots;  /* numbers + 1 of copied texts, by hash; 0: free */
  guint32 mask;
  guint n_made;
  GArray *texts;  /* Text, by number until sorted */
  guint64 *ranks; /* by number */
  guint64 last;
  gboolean may_repeat; /* a text may be in the set more than once */
};

/* State of one sorting thread. */
typedef struct
{
  Text *texts;
  Text *spare; /* buffer of the same size */
  NsRadixItem *items;
  GArray *waiting;   /* Range */
  gboolean is_alone; /* no other thread is sorting */
} Sorter;

G_STATIC_ASSERT (sizeof (Text) >= sizeof (NsRadixItem));

/**
 * ns_text_ranks_new: (skip)
 *
 * Returns: (transfer full): an empty set of texts
 */
NsTextRanks *
ns_text_ranks_new (void)
{
  NsTextRanks *self = g_new0 (NsTextRanks, 1);

  self->arena = ns_arena_new (64 * 1024);
  self->by_place = ns_map_new ();
  self->mask = 1023;
  self->slots = g_new0 (guint32, self->mask + 1);
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
  g_array_unref (self->texts);
  ns_arena_free (self->arena);
  g_free (self->slots);
  g_free (self->ranks);
  g_free (self);
}

/**
 * ns_text_ranks_append: (skip)
 * @self: texts
 * @text: a text that outlives @self
 * @n_bytes: its length
 *
 * Like ns_text_ranks_add(), for a text that is not in the set yet, at any address.
 *
 * Returns: its number
 */
guint
ns_text_ranks_append (NsTextRanks *self, const char *text, gsize n_bytes)
{
  Text entry = { text, 0, self->texts->len, (guint32) MIN (n_bytes, G_MAXUINT32) };

  g_array_append_val (self->texts, entry);
  return entry.number;
}

static guint64
hash_bytes (const char *text, gsize n_bytes)
{
  guint64 hash = n_bytes;
  guint64 word;

  for (; n_bytes >= sizeof word; n_bytes -= sizeof word, text += sizeof word)
    {
      memcpy (&word, text, sizeof word);
      hash = ns_map_mix (hash, word);
    }
  word = 0;
  memcpy (&word, text, n_bytes);
  return ns_map_mix (hash, word);
}

static guint32
find_slot (const NsTextRanks *self, const char *text, gsize n_bytes, guint64 hash)
{
  guint32 i = (guint32) hash & self->mask;

  for (; self->slots[i] != 0; i = (i + 1) & self->mask)
    {
      const Text *entry = &g_array_index (self->texts, Text, self->slots[i] - 1);

      if (entry->chunk == hash && entry->length == n_bytes &&
          memcmp (entry->text, text, n_bytes) == 0)
        break;
    }
  return i;
}

static void
grow_slots (NsTextRanks *self)
{
  guint32 old_mask = self->mask;
  g_autofree guint32 *old = g_steal_pointer (&self->slots);
  guint32 i;

  self->mask = old_mask * 2 + 1;
  self->slots = g_new0 (guint32, (gsize) self->mask + 1);
  for (i = 0; i <= old_mask; i++)
    if (old[i] != 0)
      {
        guint32 at = (guint32) g_array_index (self->texts, Text, old[i] - 1).chunk & self->mask;

        while (self->slots[at] != 0)
          at = (at + 1) & self->mask;
        self->slots[at] = old[i];
      }
}

/* Adds a text that does not outlive the call; it is copied once. */
static guint
add_made (NsTextRanks *self, const char *text)
{
  gsize n_bytes = strlen (text);
  guint64 hash = hash_bytes (text, n_bytes);
  guint32 slot = find_slot (self, text, n_bytes, hash);
  guint number;

  if (self->slots[slot] != 0)
    return self->slots[slot] - 1;
  number = ns_text_ranks_append (self, ns_arena_strndup (self->arena, text, n_bytes), n_bytes);
  g_array_index (self->texts, Text, number).chunk = hash;
  self->slots[slot] = number + 1;
  if (++self->n_made > self->mask / 2)
    grow_slots (self);
  return number;
}

/**
 * ns_text_ranks_add: (skip)
 * @self: texts
 * @text: a text; it must not change as long as @self, unless @is_owned
 * @is_owned: whether @text does not outlive the call
 *
 * Texts of a trace are stored once each, so equal addresses are compared instead of texts.
 *
 * Returns: its number
 */
guint
ns_text_ranks_add (NsTextRanks *self, const char *text, gboolean is_owned)
{
  guint64 place = (guint64) (gsize) text;
  guint32 number;

  if (is_owned)
    return add_made (self, text);
  number = ns_map_get (self->by_place, place, 0);
  if (number == 0)
    {
      self->may_repeat = TRUE;
      number = ns_text_ranks_append (self, text, strlen (text)) + 1;
      ns_map_set (self->by_place, place, 0, number);
    }
  return number - 1;
}

/**
 * ns_text_ranks_join: (skip)
 * @self: texts
 * @other: further texts; must outlive @self
 *
 * Adds all texts of @other, whose numbers increase.
 *
 * Returns: the increase of their numbers
 */
guint
ns_text_ranks_join (NsTextRanks *self, NsTextRanks *other)
{
  guint offset = self->texts->len;
  guint i;

  self->may_repeat |= other->texts->len > 0;
  g_array_append_vals (self->texts, other->texts->data, other->texts->len);
  for (i = offset; i < self->texts->len; i++)
    g_array_index (self->texts, Text, i).number += offset;
  return offset;
}

static inline guchar
to_lower (char c)
{
  return (guchar) (c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Converts eight bytes to lower case: bytes below 0x80 from A to Z get the lower-case bit. */
static inline guint64
to_lower_8 (guint64 word)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 low = word & ones * 0x7f;
  guint64 from_a = low + ones * (0x80 - 'A');
  guint64 past_z = low + ones * (0x80 - 'Z' - 1);

  return word | (((from_a ^ past_z) & ~word & ones * 0x80) >> 2);
}

/* Reads the chunk at a depth within the text; all texts of a range have at least that many
 * bytes. */
static inline guint64
read_chunk (const Text *text, guint depth)
{
  const char *here = text->text + depth;
  guint64 chunk = 0;
  guint n_bytes = MIN (text->length - depth, CHUNK_BYTES);
  guint i;

  if (n_bytes == CHUNK_BYTES)
    {
      memcpy (&chunk, here, sizeof chunk);
      return to_lower_8 (GUINT64_FROM_BE (chunk));
    }
  for (i = 0; i < n_bytes; i++)
    chunk |= (guint64) to_lower (here[i]) << (56 - 8 * i);
  return chunk;
}

/* Compares texts that are equal up to @depth, ignoring case. */
static int
compare_from (const Text *left, const Text *right, guint depth)
{
  const char *a = left->text + depth;
  const char *b = right->text + depth;

  while (*a != '\0' && to_lower (*a) == to_lower (*b))
    {
      a++;
      b++;
    }
  if (to_lower (*a) != to_lower (*b))
    return to_lower (*a) < to_lower (*b) ? -1 : 1;
  return strcmp (left->text, right->text);
}

static int
compare_bytes (const void *a, const void *b)
{
  return strcmp (((const Text *) a)->text, ((const Text *) b)->text);
}

static int
compare_chunks (const void *a, const void *b)
{
  guint64 left = ((const Text *) a)->chunk;
  guint64 right = ((const Text *) b)->chunk;

  return (left > right) - (left < right);
}

static void
sort_few (Text *texts, guint n_texts, guint depth)
{
  guint i;
  guint k;

  for (i = 1; i < n_texts; i++)
    {
      Text text = texts[i];

      for (k = i; k > 0 && compare_from (&texts[k - 1], &text, depth) > 0; k--)
        texts[k] = texts[k - 1];
      texts[k] = text;
    }
}

/* Sorts by chunks, together with the positions of the texts. */
static void
sort_many (Sorter *self, guint begin, guint n_texts)
{
  NsRadixItem *items = self->items + begin;
  Text *texts = self->texts + begin;
  Text *spare = self->spare + begin;
  guint i;

  for (i = 0; i < n_texts; i++)
    {
      items[i].key = texts[i].chunk;
      items[i].place = i;
    }
  ns_radix_sort (items, (NsRadixItem *) (gpointer) spare, n_texts);
  for (i = 0; i < n_texts; i++)
    spare[i] = texts[items[i].place];
  memcpy (texts, spare, sizeof *texts * n_texts);
}

/* Chunks of one range. */
typedef struct
{
  Text *texts;
  guint depth;
  guint64 different[NS_PARTS_MAX_WORKERS]; /* bits that differ between the chunks */
} Chunks;

static void
read_chunks_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Chunks *self = user_data;
  Text *texts = self->texts;
  guint64 first = read_chunk (&texts[0], self->depth);
  guint64 different = 0;
  guint i;

  for (i = begin; i < end; i++)
    {
      texts[i].chunk = read_chunk (&texts[i], self->depth);
      different |= texts[i].chunk ^ first;
    }
  self->different[worker] |= different;
}

/* Reads the chunks of a range; returns whether all are equal. */
static gboolean
read_chunks (const Sorter *self, const Range *range)
{
  Chunks chunks = { self->texts + range->begin, range->depth, { 0 } };
  guint n_texts = range->end - range->begin;

  if (self->is_alone)
    ns_parts_run (n_texts, TRUE, read_chunks_cb, &chunks, NULL, NULL);
  else
    read_chunks_cb (0, n_texts, 0, &chunks);
  return (chunks.different[0] | chunks.different[1]) == 0;
}

/* Sorts one range by the bytes at its depth, and queues ranges whose texts are equal in these. */
static void
sort_range (Sorter *self, const Range *range)
{
  Text *texts = self->texts;
  guint n_texts = range->end - range->begin;
  guint begin = range->begin;
  gboolean is_same;
  guint i;

  if (n_texts <= FEW)
    {
      sort_few (texts + range->begin, n_texts, range->depth);
      return;
    }
  is_same = read_chunks (self, range);
  if (!is_same && n_texts > MANY)
    sort_many (self, range->begin, n_texts);
  else if (!is_same)
    qsort (texts + range->begin, n_texts, sizeof *texts, compare_chunks);
  for (i = range->begin + 1; i <= range->end; i++)
    {
      gboolean has_ended = (texts[begin].chunk & 0xff) == 0;
      Range same = { begin, i, range->depth + CHUNK_BYTES };

      if (i < range->end && texts[i].chunk == texts[begin].chunk)
        continue;
      if (has_ended && i - begin > 1)
        qsort (texts + begin, i - begin, sizeof *texts, compare_bytes);
      else if (i - begin > 1)
        g_array_append_val (self->waiting, same);
      begin = i;
    }
}

static gpointer
sort_waiting (gpointer data)
{
  Sorter *self = data;

  while (self->waiting->len > 0)
    {
      Range range = g_array_index (self->waiting, Range, self->waiting->len - 1);

      g_array_set_size (self->waiting, self->waiting->len - 1);
      sort_range (self, &range);
    }
  return NULL;
}

/* Advances all queued ranges by one chunk. */
static void
sort_level (Sorter *self)
{
  g_autoptr (GArray) level = g_steal_pointer (&self->waiting);
  guint i;

  self->waiting = g_array_new (FALSE, FALSE, sizeof (Range));
  for (i = 0; i < level->len; i++)
    sort_range (self, &g_array_index (level, Range, i));
}

/* Gives about half of the queued ranges to the other thread. */
static void
share_waiting (Sorter *self, Sorter *other)
{
  g_autoptr (GArray) all = g_steal_pointer (&self->waiting);
  guint n_mine = 0;
  guint n_others = 0;
  guint i;

  self->waiting = g_array_new (FALSE, FALSE, sizeof (Range));
  for (i = 0; i < all->len; i++)
    {
      Range range = g_array_index (all, Range, i);

      if (n_mine <= n_others)
        g_array_append_val (self->waiting, range);
      else
        g_array_append_val (other->waiting, range);
      *(n_mine <= n_others ? &n_mine : &n_others) += range.end - range.begin;
    }
}

/* Sorts the texts, with two threads if there are many: ranges do not overlap. */
static void
sort_texts (Text *texts, guint n_texts)
{
  g_autofree Text *spare = n_texts > MANY ? g_new (Text, n_texts) : NULL;
  g_autofree NsRadixItem *items = n_texts > MANY ? g_new (NsRadixItem, n_texts) : NULL;
  Sorter mine = { texts, spare, items, g_array_new (FALSE, FALSE, sizeof (Range)), TRUE };
  Sorter others = { texts, spare, items, g_array_new (FALSE, FALSE, sizeof (Range)), FALSE };
  Range all = { 0, n_texts, 0 };
  NsMeanwhile meanwhile = { 0 };

  g_array_append_val (mine.waiting, all);
  if (n_texts >= MANY_FOR_TWO && g_get_num_processors () > 1)
    {
      while (mine.waiting->len == 1)
        sort_level (&mine);
      share_waiting (&mine, &others);
      mine.is_alone = FALSE;
      ns_meanwhile_begin (&meanwhile, "texts", sort_waiting, &others);
    }
  sort_waiting (&mine);
  ns_meanwhile_end (&meanwhile);
  g_array_unref (mine.waiting);
  g_array_unref (others.waiting);
}

/**
 * ns_text_ranks_sort: (skip)
 * @self: texts, all added
 *
 * Assigns each text its rank, from 1; equal texts have equal ranks.
 */
void
ns_text_ranks_sort (NsTextRanks *self)
{
  Text *texts = (Text *) (gpointer) self->texts->data;
  guint n_texts = self->texts->len;
  guint i;

  sort_texts (texts, n_texts);
  self->ranks = g_new (guint64, (gsize) n_texts + 1);
  for (i = 0; i < n_texts; i++)
    {
      const Text *before = i > 0 ? &texts[i - 1] : NULL;

      /* Equal texts were in the same ranges at all depths. */
      if (!self->may_repeat || before == NULL || before->length != texts[i].length ||
          (n_texts > FEW && before->chunk != texts[i].chunk) ||
          memcmp (before->text, texts[i].text, before->length) != 0)
        self->last++;
      self->ranks[texts[i].number] = self->last;
    }
}

/**
 * ns_text_ranks_get_last: (skip)
 * @self: texts, sorted
 *
 * Returns: the highest rank
 */
guint64
ns_text_ranks_get_last (const NsTextRanks *self)
{
  return self->last;
}

/**
 * ns_text_ranks_get: (skip)
 * @self: texts, sorted
 * @number: a number from ns_text_ranks_add()
 *
 * Returns: its rank
 */
guint64
ns_text_ranks_get (const NsTextRanks *self, guint number)
{
  return self->ranks[number];
}
