/* The distinct texts of a column of a Parquet file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-texts.h"

#include "base/ns-hash.h"

#include <string.h>

#define MIN_TEXT_BYTES 64
#define MIN_TEXTS 16
#define MIN_SLOTS 64
#define LARGE_BYTES (32 * 1024)
#define MAPPED_BYTES (256 * 1024)
/* Sizes of the cache of texts by a hash of their address, as powers of two. It grows with the
 * number of distinct texts: small tables fill little of it, and in large ones each miss reads a
 * text that is in no cache of the processor. */
#define MIN_KNOWN_BITS 6
#define MAX_KNOWN_BITS 14
#define KNOWN_STEP_BITS 2

/**
 * ns_parquet_texts_clear: (skip)
 * @self: texts
 */
void
ns_parquet_texts_clear (NsParquetTexts *self)
{
  g_clear_pointer (&self->bytes, g_free);
  g_clear_pointer (&self->ends, g_free);
  g_clear_pointer (&self->hashes, g_array_unref);
  g_clear_pointer (&self->slots, g_free);
  g_clear_pointer (&self->known, g_free);
  self->n_slots = 0;
  self->room_slots = 0;
  self->known_bits = 0;
  self->room_known_bits = 0;
}

/**
 * ns_parquet_texts_init: (skip)
 * @self: (out): an empty set, to be cleared
 */
void
ns_parquet_texts_init (NsParquetTexts *self)
{
  memset (self, 0, sizeof *self);
  /* An empty set also needs a buffer. */
  self->room_bytes = MIN_TEXT_BYTES;
  self->bytes = g_malloc (self->room_bytes);
  self->room_texts = MIN_TEXTS;
  self->ends = g_new (guint32, self->room_texts);
  self->hashes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->room_slots = MIN_SLOTS;
  self->slots = g_new (guint32, self->room_slots);
  ns_parquet_texts_reset (self, FALSE);
}

/**
 * ns_parquet_texts_reset: (skip)
 * @self: (inout): texts
 * @is_same_column: whether the next texts are of the same column, and probably as many
 *
 * Removes all texts, and keeps the memory for the next ones.
 */
void
ns_parquet_texts_reset (NsParquetTexts *self, gboolean is_same_column)
{
  self->n_bytes = 0;
  self->n_texts = 0;
  g_array_set_size (self->hashes, 0);
  self->n_added = 0;
  self->is_plain = FALSE;
  /* A table for few texts is small, and stays in the CPU caches. */
  self->n_slots = MIN_SLOTS;
  memset (self->slots, 0, self->n_slots * sizeof *self->slots);
  if (!is_same_column)
    self->known_bits = 0;
  if (self->known_bits > 0)
    memset (self->known, 0, ((gsize) 1 << self->known_bits) * sizeof *self->known);
  self->n_evicted = 0;
}

/**
 * ns_parquet_texts_get: (skip)
 * @self: texts
 * @number: number of a text
 * @n_bytes: (out): its length
 *
 * Returns: (transfer none) (array length=n_bytes): the text, valid until the next one is added
 */
const guint8 *
ns_parquet_texts_get (const NsParquetTexts *self, guint32 number, guint32 *n_bytes)
{
  guint32 begin = number > 0 ? self->ends[number - 1] : 0;

  *n_bytes = self->ends[number] - begin;
  return self->bytes + begin;
}

static void
texts_grow (NsParquetTexts *self)
{
  guint32 i;

  self->n_slots *= 2;
  if (self->n_slots > self->room_slots)
    {
      self->room_slots = self->n_slots;
      g_free (self->slots);
      self->slots = g_new (guint32, self->room_slots);
    }
  memset (self->slots, 0, self->n_slots * sizeof *self->slots);
  for (i = 0; i < self->hashes->len; i++)
    {
      guint32 at = g_array_index (self->hashes, guint32, i) & (self->n_slots - 1);

      while (self->slots[at] != 0)
        at = (at + 1) & (self->n_slots - 1);
      self->slots[at] = i + 1;
    }
}

/* Doubles a capacity until it suffices; a row group is full long before it overflows. */
static guint32
double_room (guint32 room, guint64 wanted)
{
  while (room < wanted)
    {
      if (room > G_MAXUINT32 / 2)
        g_error ("the texts of a row group are more than %u bytes", G_MAXUINT32 / 2);
      room *= 2;
    }
  return room;
}

static guint32
texts_append (NsParquetTexts *self, const char *text, guint32 n_bytes)
{
  guint64 end = (guint64) self->n_bytes + n_bytes;

  if (end > self->room_bytes)
    {
      self->room_bytes = double_room (self->room_bytes, end);
      /* A block of this size is mapped, and never copied when it grows. */
      if (self->room_bytes >= LARGE_BYTES)
        self->room_bytes = MAX (self->room_bytes, MAPPED_BYTES);
      self->bytes = g_realloc (self->bytes, self->room_bytes);
    }
  if (self->n_texts == self->room_texts)
    {
      self->room_texts = double_room (self->room_texts, (guint64) self->n_texts + 1);
      self->ends = g_renew (guint32, self->ends, self->room_texts);
    }
  memcpy (self->bytes + self->n_bytes, text, n_bytes);
  self->n_bytes = (guint32) end;
  self->ends[self->n_texts++] = self->n_bytes;
  return self->n_texts;
}

/**
 * ns_parquet_texts_add: (skip)
 * @self: texts
 * @text: (array length=n_bytes): a text
 * @n_bytes: its length
 *
 * Returns: its number, from 0
 */
guint32
ns_parquet_texts_add (NsParquetTexts *self, const char *text, guint32 n_bytes)
{
  guint32 hash;
  guint32 at;
  guint32 number;

  if (++self->n_added == NS_PARQUET_LOOK)
    self->is_plain = self->n_texts >= NS_PARQUET_MANY_IN_LOOK;
  if (self->is_plain)
    return texts_append (self, text, n_bytes) - 1;
  hash = ns_hash_bytes (ns_hash_get_key (), text, n_bytes);
  at = hash & (self->n_slots - 1);
  while ((number = self->slots[at]) != 0)
    {
      guint32 n_there;
      const guint8 *there = ns_parquet_texts_get (self, number - 1, &n_there);

      if (g_array_index (self->hashes, guint32, number - 1) == hash && n_there == n_bytes &&
          memcmp (there, text, n_bytes) == 0)
        return number - 1;
      at = (at + 1) & (self->n_slots - 1);
    }
  self->slots[at] = number = texts_append (self, text, n_bytes);
  g_array_append_val (self->hashes, hash);
  if (self->n_texts * 2 > self->n_slots)
    texts_grow (self);
  return number - 1;
}

static void
set_known_bits (NsParquetTexts *self, guint n_bits)
{
  if (self->known == NULL || n_bits > self->room_known_bits)
    {
      g_free (self->known);
      self->known = g_new (NsParquetKnownText, (gsize) 1 << n_bits);
      self->room_known_bits = n_bits;
    }
  memset (self->known, 0, ((gsize) 1 << n_bits) * sizeof *self->known);
  self->known_bits = n_bits;
  self->n_evicted = 0;
}

/**
 * ns_parquet_texts_add_lasting: (skip)
 * @self: texts
 * @text: a text whose address stays the same, and valid, until the texts are
 *   cleared or reset
 * @n_bytes: (out): its length
 *
 * Adds the text like ns_parquet_texts_add(), mostly without reading it if it was added before.
 *
 * Returns: its number, from 0
 */
guint32
ns_parquet_texts_add_lasting (NsParquetTexts *self, const char *text, guint32 *n_bytes)
{
  NsParquetKnownText *known;
  guint32 number;

  if (self->known_bits == 0)
    set_known_bits (self, MIN_KNOWN_BITS);
  known = ns_parquet_texts_get_entry (self, text);
  if (known->text != text)
    {
      self->n_evicted += known->text != NULL;
      known->text = text;
      known->n_bytes = (guint32) strlen (text);
      known->number = ns_parquet_texts_add (self, text, known->n_bytes);
    }
  number = known->number;
  *n_bytes = known->n_bytes;
  if (self->n_evicted > 1u << (self->known_bits - 2) && self->known_bits < MAX_KNOWN_BITS)
    set_known_bits (self, self->known_bits + KNOWN_STEP_BITS);
  return number;
}

/**
 * ns_parquet_texts_compare: (skip)
 * @self: texts
 * @a: number of one
 * @b: number of another one
 *
 * Returns: their order by bytes: less than, equal to or more than 0
 */
int
ns_parquet_texts_compare (const NsParquetTexts *self, guint32 a, guint32 b)
{
  guint32 n_a;
  guint32 n_b;
  const guint8 *text_a = ns_parquet_texts_get (self, a, &n_a);
  const guint8 *text_b = ns_parquet_texts_get (self, b, &n_b);
  int order = memcmp (text_a, text_b, MIN (n_a, n_b));

  return order != 0 ? order : n_a < n_b ? -1 : n_a > n_b;
}
