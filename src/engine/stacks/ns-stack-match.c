/* Matches stacks with events.
 *
 * The first walk collects all StackWalk records, all definitions of stack keys, and all stacks in
 * extended items that have another part elsewhere. Between the walks they are resolved, joined and
 * sorted, so that the second walk only looks them up by raw time and thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match-private.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/trace/ns-event-index.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

enum
{
  STACK = 32,
  KEY_CREATE = 34,
  KEY_DELETE = 35,
  KEY_RUNDOWN = 36,
  KEY_KERNEL = 37,
  KEY_USER = 38,
};

#define GROUP_STACK_WALK 0x18

/* Event ID of Microsoft-Windows-Kernel-EventTracing for the user part of a stack. */
#define CARRIER_ID 18
#define CARRIER_OPCODE 24

static const NsGuid kernel_event_tracing = NS_GUID_KERNEL_EVENT_TRACING;
static const NsGuid thread_pool = NS_GUID_THREAD_POOL;

/* Reads addresses up to the cursor's end into the scratch array; returns their number. */
static guint
read_frames (NsStackMatch *self, NsCursor *cursor, guint frame_size)
{
  gsize n_frames = MIN (ns_cursor_left (cursor) / frame_size, NS_STACK_MAX_FRAMES);
  gsize i;

  for (i = 0; i < n_frames; i++)
    self->frames[i] = ns_cursor_ptr (cursor, frame_size);
  return (guint) n_frames;
}

/* Returns whether the record may have a stack: records written by a merge often have the time of
 * a kernel event, but never its stack. */
static gboolean
is_owner (const NsRecord *record)
{
  if ((record->flags & NS_RECORD_GROUP) != 0)
    return record->group != GROUP_STACK_WALK;
  return (record->kind == NS_RECORD_FULL32 || record->kind == NS_RECORD_FULL64) &&
         ns_guid_equal (&record->guid, &thread_pool);
}

static void
scan_definition (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsStackMatch *self = builder->stack_match;
  NsStackDefinition definition = { .raw = record->raw,
                                   .number = self->number++,
                                   .session = ns_stack_match_find_session (builder, record->ref) };
  guint n_frames;

  definition.key = ns_cursor_ptr (cursor, record->pointer_size);
  n_frames = read_frames (self, cursor, record->pointer_size);
  definition.piece = ns_stacks_add (self->pieces, 0, self->frames, n_frames);
  if (definition.piece != 0)
    g_array_append_val (self->definitions, definition);
}

static void
scan_stack_walk (NsBuilder *builder, const NsRecord *record)
{
  NsStackMatch *self = builder->stack_match;
  NsStackPart part = { .raw = record->raw, .cpu = record->cpu };
  NsStackUse use = { .is_user = record->opcode == KEY_USER };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  if (record->opcode >= KEY_CREATE && record->opcode <= KEY_RUNDOWN)
    {
      scan_definition (builder, record, &cursor);
      return;
    }
  if (record->opcode != STACK && record->opcode != KEY_KERNEL && record->opcode != KEY_USER)
    return;

  part.stamp = ns_cursor_u64 (&cursor);
  part.pid = ns_cursor_u32 (&cursor);
  part.tid = ns_cursor_u32 (&cursor);
  part.number = self->number++;
  part.session = ns_stack_match_find_session (builder, record->ref);
  part.buffer = record->ref.buffer;
  if (record->opcode == STACK)
    {
      guint n_frames = read_frames (self, &cursor, record->pointer_size);

      part.piece = ns_stacks_add (self->pieces, 0, self->frames, n_frames);
      if (part.piece != 0)
        g_array_append_val (self->parts, part);
      return;
    }
  use.key = ns_cursor_ptr (&cursor, record->pointer_size);
  use.part = part;
  if (ns_cursor_ok (&cursor))
    g_array_append_val (self->uses, use);
}

/* Finds the stack among the items of the record: returns its type, and a cursor after the match ID.
 */
static guint
find_stack_item (const NsRecord *record, NsCursor *cursor, guint64 *match)
{
  NsCursor state = { 0 };
  NsExtItem item;

  while (ns_record_next_item (record, &state, &item))
    {
      if (item.type != NS_EXT_STACK32 && item.type != NS_EXT_STACK64 &&
          item.type != NS_EXT_STACK_KEY32 && item.type != NS_EXT_STACK_KEY64)
        continue;
      ns_cursor_init (cursor, item.data, item.size);
      *match = ns_cursor_u64 (cursor);
      return ns_cursor_ok (cursor) ? item.type : 0;
    }
  return 0;
}

/* Handles a key in an item, which may be a user or a kernel key: both are looked up. */
static void
scan_inline_key (NsBuilder *builder, NsStackInline *stack, guint64 key)
{
  NsStackMatch *self = builder->stack_match;
  NsStackUse use = { .key = key,
                     .part.raw = stack->raw,
                     .part.number = stack->number,
                     .part.session = ns_stack_match_find_session (builder, stack->ref) };

  g_array_append_val (self->inlines, *stack);
  use.inline_item = self->inlines->len;
  use.is_user = TRUE;
  g_array_append_val (self->uses, use);
  use.is_user = FALSE;
  g_array_append_val (self->uses, use);
}

static void
scan_items (NsBuilder *builder, const NsRecord *record)
{
  NsStackMatch *self = builder->stack_match;
  NsStackInline stack = { .ref = record->ref,
                          .raw = record->raw,
                          .tid = record->tid,
                          .pid = record->pid };
  NsCursor cursor;
  guint n_frames;
  guint type = find_stack_item (record, &cursor, &stack.match);

  if (type == 0)
    return;
  stack.is_carrier = record->id == CARRIER_ID && record->opcode == CARRIER_OPCODE &&
                     ns_guid_equal (&record->guid, &kernel_event_tracing);
  if (type == NS_EXT_STACK_KEY32 || type == NS_EXT_STACK_KEY64)
    {
      guint64 key = ns_cursor_ptr (&cursor, type == NS_EXT_STACK_KEY32 ? 4 : 8);

      stack.number = self->number++;
      if (ns_cursor_ok (&cursor))
        scan_inline_key (builder, &stack, key);
      return;
    }
  if (stack.match == 0 && !stack.is_carrier)
    return;
  n_frames = read_frames (self, &cursor, type == NS_EXT_STACK32 ? 4 : 8);
  stack.number = self->number++;
  stack.piece = ns_stacks_add (self->pieces, 0, self->frames, n_frames);
  g_array_append_val (self->inlines, stack);
}

static void
learn_record (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) != 0 && record->n_extended > 0)
    scan_items (builder, record);
}

static void
start (NsBuilder *builder)
{
  NsStackMatch *self = g_new0 (NsStackMatch, 1);
  guint64 size = ns_etl_file_get_size (builder->trace->file);
  guint64 least = builder->options.least_stack_bytes;

  self->pieces = ns_stacks_new ();
  ns_stacks_set_size_of_trace (self->pieces, size, least);
  self->parts = g_array_new (FALSE, FALSE, sizeof (NsStackPart));
  self->uses = g_array_new (FALSE, FALSE, sizeof (NsStackUse));
  self->definitions = g_array_new (FALSE, FALSE, sizeof (NsStackDefinition));
  self->inlines = g_array_new (FALSE, FALSE, sizeof (NsStackInline));
  self->found = g_array_new (FALSE, FALSE, sizeof (NsStackFound));
  self->waiting = g_array_new (FALSE, FALSE, sizeof (NsStackWaiting));
  self->inline_stacks = ns_map_new ();
  self->frames = g_new (guint64, NS_STACK_MAX_FRAMES);
  ns_stacks_set_size_of_trace (builder->trace->stacks, size, least);
  builder->stack_match = self;
}

static void
scanned (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;

  ns_stack_match_pair_sessions (builder);
  ns_stack_match_resolve_keys (builder);
  ns_stack_match_join (builder);
  ns_stack_match_join_inline (builder);

  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->uses, g_array_unref);
  g_clear_pointer (&self->definitions, g_array_unref);
  g_clear_pointer (&self->inlines, g_array_unref);
  self->n_left_out = ns_stacks_get_n_left_out (self->pieces);
  g_clear_pointer (&self->pieces, ns_stacks_free);
}

static NsStackFound *
found_at (const NsStackMatch *self, guint i)
{
  return &g_array_index (self->found, NsStackFound, i);
}

/* Returns the index of the first stack not before that time and thread. */
static guint
lower_bound (const NsStackMatch *self, guint64 raw, guint32 tid)
{
  guint low = 0;
  guint high = self->found->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const NsStackFound *found = found_at (self, middle);

      if (found->stamp < raw || (found->stamp == raw && found->tid < tid))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns the stack of the record's own session, else of one that has stacks for its events. */
static NsStackFound *
find_exact (const NsBuilder *builder, const NsRecord *record)
{
  const NsStackMatch *self = builder->stack_match;
  guint i = lower_bound (self, record->raw, record->tid);
  NsStackFound *best = NULL;
  guint16 session = 0;

  for (; i < self->found->len && found_at (self, i)->stamp == record->raw &&
         found_at (self, i)->tid == record->tid;
       i++)
    {
      NsStackFound *found = found_at (self, i);

      if (self->n_inputs == 1)
        return found;
      if (best == NULL)
        session = ns_stack_match_find_session (builder, record->ref);
      if (found->session == session)
        return found;
      if (best == NULL && ns_stack_match_may_share (self, found->session, session))
        best = found;
    }
  return best;
}

/**
 * ns_stack_match_find_inline:
 * @builder: the builder, in its second walk
 * @record: a record of a manifest provider with extended items
 *
 * Called by the builder; in one walk always from the same thread.
 *
 * Returns: the stack among the items of @record; 0: none
 */
NsStackId
ns_stack_match_find_inline (NsBuilder *builder, const NsRecord *record)
{
  NsStackMatch *self = builder->stack_match;
  NsCursor cursor;
  guint64 match;
  guint n_frames;
  guint type = find_stack_item (record, &cursor, &match);

  if (type == 0)
    return 0;
  if (match != 0 || type == NS_EXT_STACK_KEY32 || type == NS_EXT_STACK_KEY64)
    {
      NsStackId stack = ns_map_get (self->inline_stacks, record->ref.buffer, record->ref.offset);

      if (stack != 0 || type == NS_EXT_STACK_KEY32 || type == NS_EXT_STACK_KEY64)
        return stack;
    }
  n_frames = read_frames (self, &cursor, type == NS_EXT_STACK32 ? 4 : 8);
  return ns_stacks_add (builder->trace->stacks, record->pid, self->frames, n_frames);
}

/* Returns whether the record has a stack among its items, without storing it: far more stacks
 * are counted than shown. Changes no state, since other threads may look up stacks at the same
 * time. */
static gboolean
has_inline (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 match;
  guint type = find_stack_item (record, &cursor, &match);

  if (type == 0)
    return FALSE;
  if ((match != 0 || type == NS_EXT_STACK_KEY32 || type == NS_EXT_STACK_KEY64) &&
      ns_map_get (builder->stack_match->inline_stacks, record->ref.buffer, record->ref.offset) != 0)
    return TRUE;
  if (type == NS_EXT_STACK_KEY32 || type == NS_EXT_STACK_KEY64)
    return FALSE;
  return ns_cursor_left (&cursor) >= (type == NS_EXT_STACK32 ? 4 : 8);
}

/**
 * ns_stack_match_any: (skip)
 * @record: a record
 *
 * Returns: %TRUE, for parts that may ask for the stack of any record
 */
gboolean
ns_stack_match_any (const NsRecord *record)
{
  return TRUE;
}

/**
 * ns_stack_match_find:
 * @builder: the builder, in its second walk
 * @record: a record
 *
 * Returns: the stack of @record; 0 if it has none. Always 0 for a record without a thread, since
 *   other records of the same time take precedence
 */
NsStackId
ns_stack_match_find (NsBuilder *builder, const NsRecord *record)
{
  const NsStackFound *found;

  if ((record->flags & NS_RECORD_MANIFEST) != 0)
    {
      if (record->n_extended == 0)
        return 0;
      /* Inline stacks are looked up in the thread that reads the records, which adds stacks at
       * the same time. A part may only ask for stacks that it announced. */
      g_return_val_if_fail ((record->note & NS_STACK_MATCH_LOOKED) != 0, 0);
      return record->note & ~NS_STACK_MATCH_LOOKED;
    }
  if (builder->stack_match->found->len == 0 || record->tid == NS_PID_UNKNOWN || !is_owner (record))
    return 0;
  found = find_exact (builder, record);
  return found != NULL ? found->stack : 0;
}

/* Updates counts in rows, not in NsTrace: its members share cache lines with those that the
 * correlating thread reads for each record. */
static void
count (NsBuilder *builder, const NsStackWaiting *record, NsStackId stack)
{
  NsTrace *trace = builder->trace;

  if (record->event < trace->events->len)
    g_array_index (trace->events, NsEventRow, record->event).stack = stack;
  if (record->provider < trace->providers->len)
    g_array_index (trace->providers, NsProviderRow, record->provider).n_stacks++;
  if (record->kind != 0)
    NS_ROW_AT (trace->kinds, NsKindRow, record->kind)->n_stacks++;
}

/* Gives the stack to a record without a thread: preferably of its own session, then on its
 * processor, else the first. */
static void
assign (NsBuilder *builder, NsStackFound *found)
{
  GArray *waiting = builder->stack_match->waiting;
  guint best = G_MAXUINT;
  guint most = 0;
  guint i;

  for (i = 0; i < waiting->len; i++)
    {
      const NsStackWaiting *one = &g_array_index (waiting, NsStackWaiting, i);
      guint rank = 1 + 2 * (one->session == found->session) + (one->cpu == found->cpu);

      if (rank > most &&
          ns_stack_match_may_share (builder->stack_match, one->session, found->session))
        {
          best = i;
          most = rank;
        }
    }
  if (best == G_MAXUINT)
    return;
  found->is_claimed = TRUE;
  count (builder, &g_array_index (waiting, NsStackWaiting, best), found->stack);
  g_array_remove_index (waiting, best);
}

static void
settle (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;
  guint i = lower_bound (self, self->waiting_raw, 0);

  for (; i < self->found->len && self->waiting->len > 0; i++)
    {
      NsStackFound *found = found_at (self, i);

      if (found->stamp != self->waiting_raw)
        break;
      if (!found->is_claimed)
        assign (builder, found);
    }
  g_array_set_size (self->waiting, 0);
}

static void
wait_for_stack (NsStackMatch *self, const NsRecord *record, const NsStackWaiting *waiting)
{
  guint i = lower_bound (self, record->raw, 0);

  if (i >= self->found->len || found_at (self, i)->stamp != record->raw ||
      self->waiting->len >= NS_STACK_MATCH_MAX_WAITING)
    return;
  self->waiting_raw = record->raw;
  g_array_append_val (self->waiting, *waiting);
}

/**
 * ns_stack_match_attach:
 * @builder: the builder, in its second walk
 * @record: the current record
 * @event: its row in the event table, or G_MAXUINT32
 * @kind: its row among the kinds, 1-based
 *
 * Attaches the stack to the record and counts it. A record without a thread gets a stack left over
 * at its time, once that time is past.
 *
 * Returns: the stack that certainly belongs to it, or 0; always 0 for a record without a row
 */
NsStackId
ns_stack_match_attach (NsBuilder *builder, const NsRecord *record, guint32 event, guint32 kind)
{
  NsStackMatch *self = builder->stack_match;
  NsStackWaiting waiting = { event, record->provider, kind, record->cpu, 0 };
  NsStackFound *found;
  NsStackId stack;

  if (self->waiting->len > 0 && record->raw != self->waiting_raw)
    settle (builder);
  if ((record->flags & NS_RECORD_MANIFEST) != 0 && event == G_MAXUINT32)
    {
      if (record->n_extended > 0 && has_inline (builder, record))
        count (builder, &waiting, 0);
      return 0;
    }
  if ((record->flags & NS_RECORD_MANIFEST) != 0)
    {
      stack = record->n_extended > 0 ? ns_stack_match_find_inline (builder, record) : 0;
      if (stack != 0)
        count (builder, &waiting, stack);
      return stack;
    }
  if (self->found->len == 0 || !is_owner (record))
    return 0;
  if (record->tid == NS_PID_UNKNOWN)
    {
      waiting.session = ns_stack_match_find_session (builder, record->ref);
      wait_for_stack (self, record, &waiting);
      return 0;
    }
  found = find_exact (builder, record);
  if (found == NULL)
    return 0;
  /* Two records of one thread in one tick share the stack, which is counted once. */
  if (!found->is_claimed)
    count (builder, &waiting, found->stack);
  else if (event < builder->trace->events->len)
    g_array_index (builder->trace->events, NsEventRow, event).stack = found->stack;
  found->is_claimed = TRUE;
  return found->stack;
}

static void
finish (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  if (builder->stack_match->waiting->len > 0)
    settle (builder);
  ns_stack_match_report_alone (builder);
  for (i = 0; i < trace->providers->len; i++)
    trace->n_stacks_attached += g_array_index (trace->providers, NsProviderRow, i).n_stacks;
}

/* Reports stacks left out for lack of room as damage: only a crafted file has so many. */
static void
report_left_out (const NsBuilder *builder)
{
  const NsStackMatch *self = builder->stack_match;
  guint64 n = self->n_left_out + ns_stacks_get_n_left_out (builder->trace->stacks);
  g_autofree char *what = NULL;

  if (n == 0)
    return;
  what = g_strdup_printf (
      _ ("stacks that exceed the maximum for a trace of this size; left out: %" PRIu64),
      n);
  ns_etl_file_add_damage (builder->trace->file, 0, what);
}

static void
stop (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;

  report_left_out (builder);
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->uses, g_array_unref);
  g_clear_pointer (&self->definitions, g_array_unref);
  g_clear_pointer (&self->inlines, g_array_unref);
  g_clear_pointer (&self->pieces, ns_stacks_free);
  g_array_unref (self->found);
  g_array_unref (self->waiting);
  ns_map_free (self->inline_stacks);
  g_free (self->frames);
  g_free (self->shares);
  g_clear_pointer (&builder->stack_match, g_free);
}

static const NsProviderOps ops[] = {
  { NS_GUID_STACK_WALK, .apart = scan_stack_walk },
};

const NsPart ns_stack_match_part = {
  .name = "stack-match",
  .start = start,
  .apart = learn_record,
  .learned = scanned,
  .number = finish,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
