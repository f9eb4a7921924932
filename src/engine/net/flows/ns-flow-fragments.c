/* Fragments of IP packets, and the conversations that their first fragments belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-fragments.h"

#include <string.h>

/* Reassembly waits at most this long for missing fragments (RFC 1122, 3.3.2). */
#define WAIT_NS (30 * NS_PER_SECOND)
/* Number of incomplete packets that are kept, the newest ones; a power of two. */
#define MAX_SETS 4096u
/* Maximum length of an IP packet (RFC 791, 3.1). */
#define MAX_CONTENT 65535
/* Maximum number of fragments of such a packet, on a path with an MTU of 576 bytes. */
#define MAX_RANGES 256

static inline NsFlowFragments *
get_set (const NsFlowFragmentRing *self, guint32 number)
{
  return &self->sets[(number - 1) % MAX_SETS];
}

/* Returns whether the packet with this number is still in the ring. */
static inline gboolean
is_kept (const NsFlowFragmentRing *self, guint32 number)
{
  return number != 0 && self->n_begun - number < MAX_SETS;
}

static void
hash_set (const NsFlowFragments *set, guint64 *a, guint64 *b)
{
  *a = ns_ip_hash (&set->ends[0]) * 3 + ns_ip_hash (&set->ends[1]);
  *b = (guint64) set->id << 8 | set->ip_protocol;
}

static void
end_set (NsFlowFragmentRing *self, guint32 number)
{
  NsFlowFragments *set = get_set (self, number);
  guint64 a;
  guint64 b;

  self->func (set, self->func_data);
  hash_set (set, &a, &b);
  if (ns_map_get (self->known, a, b) == number)
    ns_map_take (self->known, a, b);
  g_clear_pointer (&set->waiting, g_array_unref);
  g_clear_pointer (&set->ranges, g_array_unref);
}

/**
 * ns_flow_fragment_ring_init: (skip)
 * @self: (out): no pieces
 * @func: (scope forever): called for packets that get no more fragments
 * @user_data: for @func
 */
void
ns_flow_fragment_ring_init (NsFlowFragmentRing *self, NsFlowFragmentsFunc func, gpointer user_data)
{
  *self = (NsFlowFragmentRing){ .known = ns_map_new (), .func = func, .func_data = user_data };
}

/**
 * ns_flow_fragment_ring_clear: (skip)
 * @self: pieces
 *
 * Calls the function for the packets that are left, and frees them.
 */
void
ns_flow_fragment_ring_clear (NsFlowFragmentRing *self)
{
  guint32 number = self->n_begun > MAX_SETS ? self->n_begun - MAX_SETS : 0;

  while (number++ < self->n_begun)
    end_set (self, number);
  g_clear_pointer (&self->sets, g_free);
  ns_map_free (self->known);
}

/* Returns whether the fragment lies within @set, and its captured bytes equal those captured
 * there. */
static gboolean
is_in (const NsFlowFragments *set, const NsWireFrame *frame)
{
  guint32 begin = frame->fragment_offset;
  guint32 end = begin + (guint32) frame->fragment_wire_size;
  guint i;

  if (frame->fragment_wire_size > MAX_CONTENT || end > set->size)
    return FALSE;
  for (i = 0; i < set->ranges->len; i++)
    {
      const NsFlowFragmentRange *range = &g_array_index (set->ranges, NsFlowFragmentRange, i);
      guint32 from = MAX (range->begin, begin);
      guint32 to = MIN (range->begin + range->captured, begin + (guint32) frame->fragment_size);

      if (from < to &&
          memcmp (range->data + from - range->begin, frame->fragment + from - begin, to - from) !=
              0)
        return FALSE;
    }
  return TRUE;
}

/* Returns whether @other belongs to the packet of @set, which may still get fragments. */
static gboolean
is_same (const NsFlowFragments *set, const NsFlowFragments *other)
{
  return set->id == other->id && set->ip_protocol == other->ip_protocol &&
         other->begin_ns - set->begin_ns <= WAIT_NS &&
         ns_ip_equal (&set->ends[0], &other->ends[0]) &&
         ns_ip_equal (&set->ends[1], &other->ends[1]);
}

static NsFlowFragments *
begin_set (NsFlowFragmentRing *self, const NsFlowFragments *set)
{
  guint64 a;
  guint64 b;

  if (self->sets == NULL)
    self->sets = g_new0 (NsFlowFragments, MAX_SETS);
  if (self->n_begun >= MAX_SETS)
    end_set (self, self->n_begun + 1 - MAX_SETS);
  hash_set (set, &a, &b);
  ns_map_set (self->known, a, b, ++self->n_begun);
  *get_set (self, self->n_begun) = *set;
  return get_set (self, self->n_begun);
}

/**
 * ns_flow_fragment_ring_add: (skip)
 * @self: pieces
 * @frame: a frame with a fragment
 * @time_ns: when it was captured
 *
 * Returns: (transfer none): its packet, valid until another fragment is added
 */
NsFlowFragments *
ns_flow_fragment_ring_add (NsFlowFragmentRing *self, const NsWireFrame *frame, gint64 time_ns)
{
  NsFlowFragments set = { .begin_ns = time_ns,
                          .id = frame->fragment_id,
                          .ip_protocol = frame->protocol,
                          .ends = { frame->src.ip, frame->dst.ip } };
  NsFlowFragments *old;
  guint32 number;
  guint64 a;
  guint64 b;

  hash_set (&set, &a, &b);
  number = ns_map_get (self->known, a, b);
  if (is_kept (self, number))
    {
      old = get_set (self, number);
      if (is_same (old, &set))
        {
          if (!old->is_whole)
            {
              old->is_repeat = old->is_repeat && is_kept (self, old->before) &&
                               is_in (get_set (self, old->before), frame);
              return old;
            }
          set.before = number;
          set.is_repeat = is_in (old, frame);
        }
    }
  return begin_set (self, &set);
}

/**
 * ns_flow_fragment_ring_find_key: (skip)
 * @self: pieces
 * @set: one of its packets
 *
 * Returns: (transfer none) (nullable): key of its conversation, with the sender first; %NULL: not
 *   known yet
 */
const NsFlowKey *
ns_flow_fragment_ring_find_key (const NsFlowFragmentRing *self, const NsFlowFragments *set)
{
  if (set->has_first)
    return &set->key;
  return set->is_repeat && is_kept (self, set->before) ? &get_set (self, set->before)->key : NULL;
}

/* Adds the part of @range that lies between @begin and @end, which no earlier fragment covers. */
static void
add_stretch (NsFlowFragments *self, guint at, NsFlowFragmentRange range, guint32 begin, guint32 end)
{
  guint32 from = MAX (range.begin, begin);
  guint32 to = MIN (range.end, end);
  guint32 skipped = from - range.begin;

  if (from >= to)
    return;
  range.captured -= MIN (skipped, range.captured);
  range.captured = MIN (range.captured, to - from);
  range.data = range.captured > 0 ? range.data + skipped : NULL;
  range.begin = from;
  range.end = to;
  g_array_insert_val (self->ranges, at, range);
  self->n_here += to - from;
}

/* Returns whether all fragments are known, up to the end of the packet; bytes after it do not
 * belong to it. */
static gboolean
has_all (const NsFlowFragments *self)
{
  guint32 end = 0;
  guint i;

  if (!self->has_first || self->size == 0 || self->n_here < self->size)
    return FALSE;
  for (i = 0; i < self->ranges->len && end < self->size; i++)
    {
      const NsFlowFragmentRange *range = &g_array_index (self->ranges, NsFlowFragmentRange, i);

      if (range->begin != end)
        return FALSE;
      end = range->end;
    }
  return end >= self->size;
}

/**
 * ns_flow_fragments_add: (skip)
 * @self: an IP packet
 * @frame: a frame with a fragment of it
 *
 * Where fragments overlap, the first one is used.
 *
 * Returns: whether the packet is complete now, according to the headers
 */
gboolean
ns_flow_fragments_add (NsFlowFragments *self, const NsWireFrame *frame)
{
  NsFlowFragmentRange range = { .data = frame->fragment,
                                .begin = frame->fragment_offset,
                                .end = frame->fragment_offset + (guint32) frame->fragment_wire_size,
                                .captured = (guint32) frame->fragment_size };
  guint32 begin = 0;
  guint i;

  if (self->is_whole || frame->fragment_wire_size > MAX_CONTENT || range.end > MAX_CONTENT)
    return FALSE;
  if (self->ranges == NULL)
    self->ranges = g_array_new (FALSE, FALSE, sizeof (NsFlowFragmentRange));
  if (self->ranges->len >= MAX_RANGES)
    return FALSE;
  for (i = 0; i < self->ranges->len && begin < range.end; i++)
    {
      NsFlowFragmentRange known = g_array_index (self->ranges, NsFlowFragmentRange, i);
      guint before = self->ranges->len;

      add_stretch (self, i, range, begin, known.begin);
      i += self->ranges->len - before;
      begin = known.end;
    }
  add_stretch (self, i, range, begin, MAX_CONTENT);
  if (frame->fragment_is_last && self->size == 0)
    self->size = range.end;
  self->is_whole = has_all (self);
  return self->is_whole;
}

/**
 * ns_flow_fragments_join: (skip)
 * @self: a complete IP packet
 *
 * Returns: (transfer full): its content up to the first byte that was not captured
 */
GByteArray *
ns_flow_fragments_join (const NsFlowFragments *self)
{
  GByteArray *bytes = g_byte_array_sized_new (self->size);
  guint i;

  for (i = 0; i < self->ranges->len; i++)
    {
      const NsFlowFragmentRange *range = &g_array_index (self->ranges, NsFlowFragmentRange, i);

      if (range->begin >= self->size)
        break;
      g_byte_array_append (bytes, range->data, MIN (range->captured, self->size - range->begin));
      if (range->captured < range->end - range->begin)
        break;
    }
  return bytes;
}
