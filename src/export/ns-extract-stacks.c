/* Keys of stacks: the same for the same code in all traces.
 *
 * A key is made of the modules and of the places in them, since addresses differ from boot to boot
 * and names from who has symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-hash.h"
#include "engine/ns-chain.h"
#include "query/ns-call-path.h"

/* Hexadecimal digits of SHA-256 that make a key: two of a billion stacks share one with a chance of
 * one to forty. */
#define KEY_DIGITS 16

typedef struct
{
  char *key;
  GPtrArray *frames; /* (element-type utf8): outermost first */
} Stack;

struct _NsExtractKeys
{
  const NsTrace *trace;
  GHashTable *numbers; /* stack of the trace to place in stacks, from 1 on */
  GHashTable *keys;    /* key to place, likewise */
  GPtrArray *stacks;   /* Stack */
  NsStrings *names;
  NsCallFrames *frames;
};

static void
stack_free (gpointer data)
{
  Stack *self = data;

  g_free (self->key);
  g_ptr_array_unref (self->frames);
  g_free (self);
}

/**
 * ns_extract_keys_new: (skip)
 * @trace: a trace
 *
 * Returns: (transfer full): no key yet
 */
NsExtractKeys *
ns_extract_keys_new (const NsTrace *trace)
{
  NsExtractKeys *self = g_new0 (NsExtractKeys, 1);

  self->trace = trace;
  self->numbers = g_hash_table_new (NULL, NULL);
  self->keys = g_hash_table_new (ns_hash_text, g_str_equal);
  self->stacks = g_ptr_array_new_with_free_func (stack_free);
  self->names = ns_strings_new ();
  self->frames = ns_call_frames_new (trace, self->names, NULL);
  return self;
}

/**
 * ns_extract_keys_free: (skip)
 * @self: (transfer full) (nullable): keys
 */
void
ns_extract_keys_free (NsExtractKeys *self)
{
  if (self == NULL)
    return;
  ns_call_frames_free (self->frames);
  ns_strings_free (self->names);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->keys);
  g_ptr_array_unref (self->stacks);
  g_free (self);
}

/* The trace keeps stacks from the leaf to the root. */
static Stack *
make_stack (const NsExtractKeys *self, NsStackId id, gint64 time_ns)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, id, &n_frames);
  guint32 pid = ns_stacks_get_pid (self->trace->stacks, id);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  Stack *stack = g_new0 (Stack, 1);

  stack->frames = g_ptr_array_new_with_free_func (g_free);
  while (n_frames-- > 0)
    {
      char *text = ns_trace_frame_to_text (self->trace, pid, frames[n_frames], time_ns);

      g_ptr_array_add (stack->frames, text);
      g_checksum_update (checksum, (const guchar *) text, -1);
      g_checksum_update (checksum, (const guchar *) "\n", 1);
    }
  stack->key = g_strndup (g_checksum_get_string (checksum), KEY_DIGITS);
  return stack;
}

static const char *
find_key (NsExtractKeys *self, NsStackId id, gint64 time_ns)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, GUINT_TO_POINTER (id)));
  Stack *stack;

  if (id == 0)
    return NULL;
  if (number == 0)
    {
      stack = make_stack (self, id, time_ns);
      number = GPOINTER_TO_UINT (g_hash_table_lookup (self->keys, stack->key));
      if (number != 0)
        stack_free (stack);
      else
        {
          g_ptr_array_add (self->stacks, stack);
          number = self->stacks->len;
          g_hash_table_insert (self->keys, stack->key, GUINT_TO_POINTER (number));
        }
      g_hash_table_insert (self->numbers, GUINT_TO_POINTER (id), GUINT_TO_POINTER (number));
    }
  stack = g_ptr_array_index (self->stacks, number - 1);
  return stack->key;
}

/**
 * ns_extract_keys_find: (skip)
 * @self: keys
 * @activity: row of the master table, 0-based
 * @first: (out) (nullable): key of the stack where the work began
 * @last: (out) (nullable): key of the stack of the network call
 *
 * Both are the same when the path has one stack only; they are valid as long as @self.
 */
void
ns_extract_keys_find (NsExtractKeys *self, guint activity, const char **first, const char **last)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, activity + 1);
  guint i;

  *first = *last = NULL;
  for (i = 0; chain != NULL && i < chain->elements->len; i++)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i);
      const char *key = find_key (self, element->stack, element->time_ns);

      if (key == NULL)
        continue;
      if (*first == NULL)
        *first = key;
      *last = key;
    }
}

/**
 * ns_extract_keys_dup_path: (skip)
 * @self: keys
 * @activity: row of the master table, 0-based
 *
 * Returns: (transfer full) (nullable): the way of calls that led to it, as the field stack_path
 */
char *
ns_extract_keys_dup_path (NsExtractKeys *self, guint activity)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, activity + 1);
  g_autofree char *path = NULL;

  if (chain == NULL)
    return NULL;
  path = ns_call_path_to_text (self->trace, self->frames, self->names, chain);
  return *path != '\0' ? g_steal_pointer (&path) : NULL;
}

/**
 * ns_extract_keys_get_n: (skip)
 * @self: keys
 *
 * Returns: how many different keys were found
 */
guint
ns_extract_keys_get_n (const NsExtractKeys *self)
{
  return self->stacks->len;
}

/**
 * ns_extract_keys_get: (skip)
 * @self: keys
 * @number: which, in the order in which they were found
 * @frames: (out) (transfer none) (element-type utf8): what it stands for, outermost first
 *
 * Returns: the key
 */
const char *
ns_extract_keys_get (const NsExtractKeys *self, guint number, const GPtrArray **frames)
{
  const Stack *stack = g_ptr_array_index (self->stacks, number);

  *frames = stack->frames;
  return stack->key;
}
