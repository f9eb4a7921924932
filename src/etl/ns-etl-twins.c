/* Finds records that several inputs of a case contain.
 *
 * A file given twice, and overlapping files of one session, hold the same buffers, which the
 * session's numbers identify without looking at records. Two sessions that recorded the same event
 * each have a record of their own with a time of its own; they are matched by their contents, and
 * by times that differ by at most a millisecond. The record with a call stack is kept, else that of
 * the earlier input; so each record is held as long as its duplicate may still come.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-twins.h"

#include "base/ns-map.h"

#include <string.h>

/* Two sessions stamp one event within 1/WINDOWS_PER_SECOND seconds. */
#define WINDOWS_PER_SECOND 1000
/* Maximum number of remembered records of that time; beyond, the oldest are forgotten, and their
 * duplicates are handed out. */
#define MAX_SEEN (1u << 20)
#define MIN_SEEN 1024u
/* Maximum number of records with the same hash that are compared. */
#define MAX_STEPS 256
/* Maximum number of held records; beyond, the oldest are handed out early. */
#define MAX_HELD (1u << 16)
/* Kernel hook group whose records describe the session itself. */
#define GROUP_SESSION 0
/* Kernel hook group of call stacks, and its records with time and thread of another record. */
#define GROUP_STACK_WALK 0x18
#define TYPE_STACK_WALK 32
#define TYPE_STACK_KEY_KERNEL 37
#define TYPE_STACK_KEY_USER 38
#define NONE G_MAXUINT64

/* A recent record. */
typedef struct
{
  guint64 hash;
  guint64 raw;
  guint64 previous; /* previous record in the same hash bucket; NONE: no more */
  guint64 used; /* bit set of the inputs whose duplicates were found; with more inputs than bits,
                   some share a bit, and duplicates between them are not found */
  guint64 kept; /* held record that is kept for the event: this one or its duplicate */
  guint input;
} Seen;

/* A held record. */
typedef struct
{
  NsRecord record;
  NsEtlFile *part; /* its input */
  guint64 seen;    /* number of the Seen of it or of its duplicate; NONE: not compared */
  gboolean has_stack;
  gboolean is_dropped; /* its duplicate is kept */
} Held;

struct _NsEtlTwins
{
  guint n_inputs;
  guint8 *pairs; /* (array): for each pair of inputs, whether both can have recorded the same
                  * event */
  gboolean *has_pair;
  guint64 window; /* maximum distance of duplicates, in raw counts */
  guint64 seed;
  Seen *seen; /* ring buffer */
  guint64 *newest;
  guint64 first; /* number of the oldest in the ring, counted from the beginning */
  guint64 end;
  guint size;         /* size of the ring, a power of two */
  Held *held;         /* ring buffer, in order of time */
  guint64 first_held; /* counted from the beginning */
  guint64 end_held;
  guint held_size; /* a power of two */
};

/* Returns a random seed, so that nobody can craft records with colliding hashes. */
static guint64
seed_new (void)
{
  return (guint64) g_random_int () << 32 | g_random_int ();
}

static inline guint64
mix (guint64 a, guint64 b)
{
  unsigned __int128 product = (unsigned __int128) (a ^ G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) *
                              (b ^ G_GUINT64_CONSTANT (0xd1b54a32d192ed03));

  return (guint64) product ^ (guint64) (product >> 64);
}

static guint64
hash_record (const NsEtlTwins *self, const NsRecord *record)
{
  const guint8 *data = record->payload;
  gsize left = record->payload_size;
  guint64 hash = mix (self->seed ^ record->provider,
                      (guint64) record->id << 48 | (guint64) record->version << 32 |
                          (guint64) record->opcode << 24 | left);

  hash = mix (hash, (guint64) record->pid << 32 | record->tid);
  for (; left >= sizeof (guint64); left -= sizeof (guint64), data += sizeof (guint64))
    {
      guint64 word;

      memcpy (&word, data, sizeof word);
      hash = mix (hash, word);
    }
  if (left > 0)
    {
      guint64 word = 0;

      memcpy (&word, data, left);
      hash = mix (hash, word);
    }
  return hash;
}

static inline Seen *
seen_at (const NsEtlTwins *self, guint64 number)
{
  return &self->seen[number & (self->size - 1)];
}

static inline guint64 *
newest_of (const NsEtlTwins *self, guint64 hash)
{
  return &self->newest[hash & (self->size - 1)];
}

static void
remember (NsEtlTwins *self, guint64 number)
{
  Seen *seen = seen_at (self, number);
  guint64 *newest = newest_of (self, seen->hash);

  seen->previous = *newest;
  *newest = number;
}

/* Doubles the ring; out of memory, or beyond the limit, the oldest record is forgotten. */
static void
grow (NsEtlTwins *self)
{
  guint size = self->size * 2;
  Seen *seen = size <= MAX_SEEN ? g_try_new (Seen, size) : NULL;
  guint64 *newest = seen != NULL ? g_try_new (guint64, size) : NULL;
  guint64 i;

  if (newest == NULL)
    {
      g_free (seen);
      self->first++;
      return;
    }
  for (i = self->first; i < self->end; i++)
    seen[i & (size - 1)] = *seen_at (self, i);
  g_free (self->seen);
  g_free (self->newest);
  self->seen = seen;
  self->newest = newest;
  self->size = size;
  memset (self->newest, 0xff, size * sizeof *self->newest);
  for (i = self->first; i < self->end; i++)
    remember (self, i);
}

static gboolean
may_be_twins (const NsEtlTwins *self, guint a, guint b)
{
  return self->pairs[(gsize) a * self->n_inputs + b] != 0;
}

static guint
hash_pair (gconstpointer key)
{
  const NsEtlPair *pair = key;

  return pair->first << 16 ^ pair->second;
}

static gboolean
is_same_pair (gconstpointer a, gconstpointer b)
{
  const NsEtlPair *pair_a = a;
  const NsEtlPair *pair_b = b;

  return pair_a->first == pair_b->first && pair_a->second == pair_b->second;
}

/* Returns the counter of duplicates between two inputs, creating it if needed. */
static NsEtlPair *
count_for (NsEtlFile *file, guint first, guint second)
{
  NsEtlPair key = { .first = MIN (first, second), .second = MAX (first, second) };
  NsEtlPair *pair;

  if (file->pairs == NULL)
    file->pairs = g_hash_table_new_full (hash_pair, is_same_pair, g_free, NULL);
  pair = g_hash_table_lookup (file->pairs, &key);
  if (pair != NULL)
    return pair;
  pair = g_memdup2 (&key, sizeof key);
  g_hash_table_add (file->pairs, pair);
  return pair;
}

static inline Held *
held_at (const NsEtlTwins *self, guint64 number)
{
  return &self->held[number & (self->held_size - 1)];
}

/* Returns whether no more records can be held; enlarges the ring if possible. */
static gboolean
is_full (NsEtlTwins *self)
{
  guint size = self->held_size * 2;
  Held *held;
  guint64 i;

  if (self->end_held - self->first_held < self->held_size)
    return FALSE;
  held = size <= MAX_HELD ? g_try_new (Held, size) : NULL;
  if (held == NULL)
    return TRUE;
  for (i = self->first_held; i < self->end_held; i++)
    held[i & (size - 1)] = *held_at (self, i);
  g_free (self->held);
  self->held = held;
  self->held_size = size;
  return FALSE;
}

static gboolean
has_stack_item (const NsRecord *record)
{
  NsCursor state = { 0 };
  NsExtItem item;

  if (record->n_extended == 0)
    return FALSE;
  while (ns_record_next_item (record, &state, &item))
    if (item.type == NS_EXT_STACK32 || item.type == NS_EXT_STACK64 ||
        item.type == NS_EXT_STACK_KEY32 || item.type == NS_EXT_STACK_KEY64)
      return TRUE;
  return FALSE;
}

/* Keeps one of two records of the same event. */
static void
choose (NsEtlTwins *self, Seen *seen, guint64 number)
{
  Held *held = held_at (self, number);
  Held *kept = seen->kept >= self->first_held ? held_at (self, seen->kept) : NULL;

  held->is_dropped = kept == NULL ||
                     (held->has_stack != kept->has_stack ? kept->has_stack
                                                         : kept->part->number < held->part->number);
  if (held->is_dropped)
    return;
  kept->is_dropped = TRUE;
  seen->kept = number;
}

/* Returns the first held record at or after a time. */
static guint64
lower_bound (const NsEtlTwins *self, guint64 raw)
{
  guint64 low = self->first_held;
  guint64 high = self->end_held;

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;

      if (held_at (self, middle)->record.raw < raw)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Marks the record that a kernel stack record belongs to: it names that record by time and
 * thread. */
static void
note_stack (NsEtlTwins *self, const NsRecord *record, guint input)
{
  NsCursor cursor;
  guint64 stamp;
  guint32 tid;
  guint64 i;
  guint steps;

  if ((record->flags & NS_RECORD_GROUP) == 0 || record->group != GROUP_STACK_WALK ||
      (record->opcode != TYPE_STACK_WALK && record->opcode != TYPE_STACK_KEY_KERNEL &&
       record->opcode != TYPE_STACK_KEY_USER))
    return;
  ns_record_cursor (record, &cursor);
  stamp = ns_cursor_u64 (&cursor);
  ns_cursor_u32 (&cursor);
  tid = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  for (i = lower_bound (self, stamp), steps = 0; i < self->end_held && steps < MAX_STEPS;
       i++, steps++)
    {
      Held *held = held_at (self, i);

      if (held->record.raw != stamp)
        return;
      if (held->part->number != input || (held->record.flags & NS_RECORD_MANIFEST) != 0 ||
          (held->record.tid != tid && held->record.tid != NS_PID_UNKNOWN))
        continue;
      held->has_stack = TRUE;
      if (held->is_dropped && held->seen >= self->first)
        choose (self, seen_at (self, held->seen), i);
    }
}

/* Looks for a record of the same event from another input; otherwise remembers this one. */
static void
compare (NsEtlTwins *self, NsEtlFile *file, guint64 number)
{
  Held *held = held_at (self, number);
  const NsRecord *record = &held->record;
  guint input = held->part->number;
  guint64 bit = G_GUINT64_CONSTANT (1) << (input % 64);
  Seen *found = NULL;
  guint64 hash;
  guint64 i;
  guint steps = 0;

  while (self->first < self->end && record->raw > seen_at (self, self->first)->raw &&
         record->raw - seen_at (self, self->first)->raw > self->window)
    self->first++;

  hash = hash_record (self, record);
  for (i = *newest_of (self, hash); i != NONE && i >= self->first && steps < MAX_STEPS; steps++)
    {
      Seen *seen = seen_at (self, i);

      if (seen->hash == hash && (seen->used & bit) == 0 && may_be_twins (self, seen->input, input))
        {
          found = seen;
          held->seen = i;
        }
      i = seen->previous;
    }
  if (found != NULL)
    {
      found->used |= bit;
      count_for (file, found->input, input)->n_records++;
      choose (self, found, number);
      return;
    }
  if (self->end - self->first == self->size)
    grow (self);
  held->seen = self->end;
  *seen_at (self, self->end) =
      (Seen){ .hash = hash, .raw = record->raw, .input = input, .used = bit, .kept = number };
  remember (self, self->end++);
}

/**
 * ns_etl_twins_next:
 * @file: a case with possible duplicates
 * @next: (nullable): the record that comes next; %NULL: no more
 * @part: (out): the input of the record
 *
 * Must be called until it returns %NULL before @next is held.
 *
 * Returns: (transfer none) (nullable): a record that was held long enough, to be handed out; %NULL:
 *   none. It is overwritten when another record is held.
 */
const NsRecord *
ns_etl_twins_next (NsEtlFile *file, const NsRecord *next, NsEtlFile **part)
{
  NsEtlTwins *self = file->twins;

  while (self->first_held < self->end_held)
    {
      const Held *held = held_at (self, self->first_held);

      if (next != NULL &&
          (next->raw <= held->record.raw || next->raw - held->record.raw <= self->window) &&
          !is_full (self))
        return NULL;
      self->first_held++;
      *part = held->part;
      if (!held->is_dropped)
        return &held->record;
      held->part->n_duplicates++;
    }
  return NULL;
}

/**
 * ns_etl_twins_hold:
 * @file: a case with possible duplicates
 * @record: the next record of the case, in order of time
 * @part: its input
 *
 * Holds a record until it is known whether another input's record of the same event is kept
 * instead. The memory it refers to must remain valid as long, see ns_etl_twins_count_held().
 *
 * Returns: %FALSE if it can be handed out immediately
 */
gboolean
ns_etl_twins_hold (NsEtlFile *file, const NsRecord *record, NsEtlFile *part)
{
  NsEtlTwins *self = file->twins;
  gboolean is_compared = self->has_pair[part->number] &&
                         ((record->flags & NS_RECORD_GROUP) == 0 || record->group != GROUP_SESSION);
  Held *held = held_at (self, self->end_held);

  if (!is_compared && self->first_held == self->end_held)
    return FALSE;
  held->record = *record;
  held->part = part;
  held->seen = NONE;
  held->has_stack = is_compared && has_stack_item (record);
  held->is_dropped = FALSE;
  if (is_compared)
    {
      note_stack (self, record, part->number);
      compare (self, file, self->end_held);
    }
  self->end_held++;
  return TRUE;
}

/**
 * ns_etl_twins_count_held:
 * @file: a case with possible duplicates
 * @n_over: (out): number of records that are no longer held
 *
 * Returns: the number of records held since the beginning of the walk
 */
guint64
ns_etl_twins_count_held (const NsEtlFile *file, guint64 *n_over)
{
  *n_over = file->twins->first_held;
  return file->twins->end_held;
}

/**
 * ns_etl_twins_get_window:
 * @file: a trace
 *
 * Returns: maximum distance of the records of one event from two inputs, in raw counts; 0: there
 *   are none
 */
guint64
ns_etl_twins_get_window (const NsEtlFile *file)
{
  return file->twins != NULL ? file->twins->window : 0;
}

/* Gets the times of the first and the last record of an input; FALSE: it has none. */
static gboolean
get_span (const NsEtlFile *file, guint64 *first, guint64 *last)
{
  guint i;

  *first = G_MAXUINT64;
  *last = 0;
  for (i = 0; i < file->layout.n_buffers; i++)
    if (file->entries[i].n_records > 0)
      {
        *first = MIN (*first, file->entries[i].min_raw);
        *last = MAX (*last, file->entries[i].max_raw);
      }
  return *first <= *last;
}

static void
set_pair (NsEtlTwins *self, guint a, guint b)
{
  self->pairs[(gsize) a * self->n_inputs + b] = 1;
  self->pairs[(gsize) b * self->n_inputs + a] = 1;
  self->has_pair[a] = TRUE;
  self->has_pair[b] = TRUE;
}

/* Pairs the inputs of different sessions that recorded at the same time. */
static void
pair_sessions (NsEtlTwins *self, NsEtlFile *file)
{
  guint64 *spans = g_new (guint64, self->n_inputs * 2);
  guint i;
  guint k;

  for (i = 0; i < self->n_inputs; i++)
    if (!get_span (ns_etl_file_get_part (file, i), &spans[2 * i], &spans[2 * i + 1]))
      spans[2 * i] = G_MAXUINT64;
  for (i = 0; i < self->n_inputs; i++)
    for (k = 0; k < i; k++)
      if (MAX (spans[2 * i], spans[2 * k]) - MIN (self->window, MAX (spans[2 * i], spans[2 * k])) <=
              MIN (spans[2 * i + 1], spans[2 * k + 1]) &&
          !ns_etl_join_is_same_session (ns_etl_file_get_part (file, i),
                                        ns_etl_file_get_part (file, k)))
        set_pair (self, i, k);
  g_free (spans);
}

/* Returns the entry of a buffer by its 1-based number within the case, and its input. */
static const NsEtlEntry *
entry_at (NsEtlFile *file, guint32 place, guint *input)
{
  *input = ns_etl_file_find_input (file, place - 1);

  return &ns_etl_file_get_part (file, *input)
              ->entries[place - 1 - ns_etl_file_get_part (file, *input)->first_buffer];
}

static void
note_twin (NsEtlFile *file, NsEtlFile *part, guint buffer, guint other)
{
  NsEtlEntry *entry = &part->entries[buffer];
  guint64 n_records = buffer == 0 ? entry->n_records - 1 : entry->n_records;

  /* The first buffer begins with the trace header, of which each input has its own. */
  if (buffer == 0)
    entry->is_head_only = entry->n_records > 1;
  else
    entry->is_twin = TRUE;
  part->n_duplicates += n_records;
  if (n_records > 0)
    count_for (file, part->number, other)->n_in_buffers += n_records;
}

/* Looks up the buffer of another input of the same session under a key; if there is none, stores
 * this buffer there. NULL: none. */
static const NsEtlEntry *
find_other (NsEtlFile *file,
            NsMap *map,
            const NsEtlFile *part,
            guint buffer,
            guint64 more,
            guint *input)
{
  const NsEtlEntry *entry = &part->entries[buffer];
  guint64 key = entry->sequence << 16 | entry->cpu;
  guint32 place = ns_map_get (map, key, more);
  const NsEtlEntry *other;

  if (place == 0)
    {
      ns_map_set (map, key, more, part->first_buffer + buffer + 1);
      return NULL;
    }
  other = entry_at (file, place, input);
  if (*input == part->number ||
      !ns_etl_join_is_same_session (part, ns_etl_file_get_part (file, *input)))
    return NULL;
  return other;
}

/* Looks a buffer up among those of earlier inputs of the same session: by number and times, then by
 * its number alone. */
static void
match_buffer (NsEtlTwins *self, NsEtlFile *file, NsMap *map, NsEtlFile *part, guint buffer)
{
  const NsEtlEntry *entry = &part->entries[buffer];
  guint64 same =
      ns_map_mix (part->header.base_raw, (guint64) entry->n_records << 1 | (buffer == 0));
  const NsEtlEntry *other;
  guint input;

  other = find_other (file,
                      map,
                      part,
                      buffer,
                      same ^ ns_map_mix (entry->min_raw, entry->max_raw),
                      &input);
  if (other != NULL && other->min_raw == entry->min_raw && other->max_raw == entry->max_raw)
    {
      note_twin (file, part, buffer, input);
      return;
    }
  other = find_other (file, map, part, buffer, same, &input);
  if (other != NULL && buffer > 0 && other->min_raw != entry->min_raw &&
      MAX (other->min_raw, entry->min_raw) - MIN (other->min_raw, entry->min_raw) <= self->window)
    set_pair (self, input, part->number);
}

static void
match_buffers (NsEtlTwins *self, NsEtlFile *file)
{
  NsMap *map = ns_map_new ();
  guint i;
  guint k;

  for (i = 0; i < self->n_inputs; i++)
    {
      NsEtlFile *part = ns_etl_file_get_part (file, i);

      part->n_duplicates = 0;
      for (k = 0; k < part->layout.n_buffers; k++)
        if (part->entries[k].n_records > 0)
          match_buffer (self, file, map, part, k);
      part->n_step_duplicates = part->n_duplicates;
    }
  ns_map_free (map);
}

/**
 * ns_etl_twins_new:
 * @file: a case, after the first pass over all inputs
 *
 * Marks buffers that an earlier input of the same session holds, too.
 *
 * Returns: (transfer full) (nullable): state for finding events that two sessions recorded; %NULL
 *   if there can be none
 */
NsEtlTwins *
ns_etl_twins_new (NsEtlFile *file)
{
  NsEtlTwins *self = g_new0 (NsEtlTwins, 1);
  gboolean has_any = FALSE;
  guint i;

  self->n_inputs = ns_etl_file_count_parts (file);
  self->pairs = g_new0 (guint8, (gsize) self->n_inputs * self->n_inputs);
  self->has_pair = g_new0 (gboolean, self->n_inputs);
  self->window = file->parser.clock.frequency / WINDOWS_PER_SECOND;
  self->seed = seed_new ();
  pair_sessions (self, file);
  match_buffers (self, file);
  for (i = 0; i < self->n_inputs; i++)
    has_any = has_any || self->has_pair[i];
  if (!has_any)
    {
      ns_etl_twins_free (self);
      return NULL;
    }
  self->size = MIN_SEEN;
  self->seen = g_new (Seen, self->size);
  self->newest = g_new (guint64, self->size);
  self->held_size = MIN_SEEN;
  self->held = g_new (Held, self->held_size);
  memset (self->newest, 0xff, self->size * sizeof *self->newest);
  return self;
}

static void
begin_pair (gpointer key, gpointer value, gpointer user_data)
{
  ((NsEtlPair *) key)->n_records = 0;
}

/**
 * ns_etl_twins_begin:
 * @file: a case with possible duplicates
 *
 * Resets the state for a new walk.
 */
void
ns_etl_twins_begin (NsEtlFile *file)
{
  NsEtlTwins *self = file->twins;

  if (file->pairs != NULL)
    g_hash_table_foreach (file->pairs, begin_pair, NULL);
  self->first = 0;
  self->end = 0;
  self->first_held = 0;
  self->end_held = 0;
  memset (self->newest, 0xff, self->size * sizeof *self->newest);
}

static gint
compare_pairs (gconstpointer a, gconstpointer b)
{
  const NsEtlPair *pair_a = a;
  const NsEtlPair *pair_b = b;

  if (pair_a->first != pair_b->first)
    return pair_a->first < pair_b->first ? -1 : 1;
  return pair_a->second < pair_b->second ? -1 : pair_a->second > pair_b->second;
}

/**
 * ns_etl_file_list_pairs:
 * @self: a trace that was walked
 *
 * Returns: (transfer full) (element-type NsEtlPair): pairs of inputs that recorded the same events,
 *   and how many, sorted by number
 */
GArray *
ns_etl_file_list_pairs (const NsEtlFile *self)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (NsEtlPair));
  GHashTableIter iter;
  gpointer key;

  if (self->pairs == NULL)
    return pairs;
  g_hash_table_iter_init (&iter, self->pairs);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const NsEtlPair *pair = key;

      if (pair->n_records + pair->n_in_buffers > 0)
        g_array_append_vals (pairs, pair, 1);
    }
  g_array_sort (pairs, compare_pairs);
  return pairs;
}

/**
 * ns_etl_twins_free:
 * @self: (transfer full) (nullable): the state
 *
 * Frees @self.
 */
void
ns_etl_twins_free (NsEtlTwins *self)
{
  if (self == NULL)
    return;
  g_free (self->pairs);
  g_free (self->has_pair);
  g_free (self->seen);
  g_free (self->newest);
  g_free (self->held);
  g_free (self);
}
