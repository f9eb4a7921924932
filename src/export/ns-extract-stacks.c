/* Keys of stacks, which are equal for equal code in all traces. A key is computed from the modules
 * and the positions in them, since addresses differ between boots, and names depend on the
 * available symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "engine/activities/ns-chain.h"
#include "engine/tasks/ns-runs.h"
#include "engine/trace/ns-methods.h"
#include "query/ns-call-path.h"

/* Number of hexadecimal digits of SHA-256 in a key: among a billion stacks, the probability that
 * two have the same key is one in forty. */
#define KEY_DIGITS 16

/* Approximate maximum size of cached paths. */
#define MAX_KEPT_BYTES (64u * 1024 * 1024)
/* Values of @lasting and @lasting_names: whether names depend on the time at which the stack was
 * taken. */
#define IS_LASTING 1
#define IS_OF_ITS_TIME 2

typedef struct
{
  char *key;
  GPtrArray *frames; /* (element-type utf8): outermost first */
} Stack;

struct _NsExtractKeys
{
  const NsTrace *trace;
  GHashTable *numbers; /* stack of the trace → index in @stacks, from 1 */
  GHashTable *keys;    /* key → index in @stacks, from 1 */
  GPtrArray *stacks;   /* Stack */
  NsStrings *names;
  NsCallFrames *frames;
  GHashTable *lasting;  /* stack of the trace → IS_LASTING or IS_OF_ITS_TIME */
  NsMap *lasting_names; /* the same for an address and a process */
  GHashTable *paths;    /* (element-type Path): by their parts */
  gsize kept_bytes;
  GArray *making;      /* guint64: parts of the current path */
  GHashTable *without; /* values of rows without queued work, by source: NsExtractPath */
};

/* A path, and the parts that determine its text. */
typedef struct
{
  guint64 *parts;
  guint n_parts;
  char *text; /* NULL: none */
} Path;

static guint
path_hash (gconstpointer data)
{
  const Path *self = data;

  return ns_hash_bytes (ns_hash_get_key (),
                        (const char *) self->parts,
                        self->n_parts * sizeof *self->parts);
}

static gboolean
path_equal (gconstpointer a, gconstpointer b)
{
  const Path *one = a;
  const Path *other = b;

  return one->n_parts == other->n_parts &&
         memcmp (one->parts, other->parts, one->n_parts * sizeof *one->parts) == 0;
}

static void
path_free (gpointer data)
{
  Path *self = data;

  g_free (self->parts);
  g_free (self->text);
  g_free (self);
}

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
 * Returns: (transfer full): an empty set of keys
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
  self->lasting = g_hash_table_new (NULL, NULL);
  self->lasting_names = ns_map_new ();
  self->paths = g_hash_table_new_full (path_hash, path_equal, path_free, NULL);
  self->making = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->without = g_hash_table_new_full (NULL, NULL, NULL, g_free);
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
  g_hash_table_unref (self->lasting);
  ns_map_free (self->lasting_names);
  g_hash_table_unref (self->paths);
  g_array_unref (self->making);
  g_hash_table_unref (self->without);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->keys);
  g_ptr_array_unref (self->stacks);
  g_free (self);
}

/* Builds key and frames of a stack, which the trace stores from the leaf to the root. */
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

/* Returns whether at most one image or method was ever at an address. */
static gboolean
find_lasting_name (const NsTrace *trace, guint32 pid, guint64 address)
{
  if (trace->methods->len > 0 && (ns_methods_find (trace, pid, address, 0) != NULL ||
                                  ns_methods_find (trace, pid, address - 1, 0) != NULL))
    return FALSE;
  return ns_trace_find_image (trace, pid, address, -NS_TIME_MAX) ==
         ns_trace_find_image (trace, pid, address, NS_TIME_MAX);
}

/* Returns whether the names of all frames are the same at any time. Many stacks have the same
 * outer frames. */
static gboolean
has_lasting_names (const NsExtractKeys *self, NsStackId id)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, id, &n_frames);
  guint32 pid = ns_stacks_get_pid (self->trace->stacks, id);
  guint i;

  for (i = 0; i < n_frames; i++)
    {
      guint32 known = ns_map_get (self->lasting_names, frames[i], pid);

      if (known == 0)
        {
          known = find_lasting_name (self->trace, pid, frames[i]) ? IS_LASTING : IS_OF_ITS_TIME;
          ns_map_set (self->lasting_names, frames[i], pid, known);
        }
      if (known != IS_LASTING)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_lasting (NsExtractKeys *self, NsStackId id)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->lasting, GUINT_TO_POINTER (id)));

  if (known == 0)
    {
      known = has_lasting_names (self, id) ? IS_LASTING : IS_OF_ITS_TIME;
      g_hash_table_insert (self->lasting, GUINT_TO_POINTER (id), GUINT_TO_POINTER (known));
    }
  return known == IS_LASTING;
}

/* Lists the parts that determine the text of a path; %FALSE: the text also depends on times. */
static gboolean
list_parts (NsExtractKeys *self, const NsChain *chain)
{
  guint i;

  g_array_set_size (self->making, 0);
  for (i = 0; i < chain->elements->len; i++)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i);
      const guint64 parts[] = { (guint64) element->stack << 32 | element->n_hidden_leaf,
                                (guint64) element->kind << 32 | (guint) element->missing,
                                (guint64) (guintptr) element->subtype };

      if (element->stack != 0 && !is_lasting (self, element->stack))
        return FALSE;
      g_array_append_vals (self->making, parts, G_N_ELEMENTS (parts));
    }
  return TRUE;
}

static char *
make_path (const NsExtractKeys *self, const NsChain *chain)
{
  g_autofree char *path = ns_call_path_to_text (self->trace, self->frames, self->names, chain);

  return *path != '\0' ? g_steal_pointer (&path) : NULL;
}

/* Returns whether the text is kept, and depends on nothing but the parts of the path. */
static gboolean
find_path (NsExtractKeys *self, const NsChain *chain, NsExtractPath *path)
{
  gboolean has_parts = list_parts (self, chain);
  Path parts = { (guint64 *) (gpointer) self->making->data, self->making->len, NULL };
  const Path *known = has_parts ? g_hash_table_lookup (self->paths, &parts) : NULL;
  Path *kept;

  if (known != NULL)
    {
      path->text = known->text;
      return TRUE;
    }
  path->text = path->owned = make_path (self, chain);
  if (!has_parts || self->kept_bytes >= MAX_KEPT_BYTES)
    return FALSE;
  kept = g_new0 (Path, 1);
  kept->n_parts = parts.n_parts;
  kept->parts = g_memdup2 (parts.parts, parts.n_parts * sizeof *parts.parts);
  kept->text = g_steal_pointer (&path->owned);
  self->kept_bytes += sizeof *kept + parts.n_parts * sizeof *parts.parts +
                      (kept->text != NULL ? strlen (kept->text) : 0);
  g_hash_table_add (self->paths, kept);
  return TRUE;
}

static void
find_keys (NsExtractKeys *self, const NsChain *chain, NsExtractPath *path)
{
  guint i;

  for (i = 0; i < chain->elements->len; i++)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i);
      const char *key = find_key (self, element->stack, element->time_ns);

      if (key == NULL)
        continue;
      if (path->first == NULL)
        path->first = key;
      path->last = key;
    }
}

/* Returns what determines the values of a row without queued work, if the names of its stack are
 * lasting; %NULL: the row has queued work. */
static gpointer
get_source (const NsExtractKeys *self, const NsActivityRow *row)
{
  if (ns_runs_is_link (self->trace->runs, row->link))
    return NULL;
  /* No trace has so many stacks that numbers from the end are those of stacks. */
  return GUINT_TO_POINTER (row->stack != 0 ? row->stack : G_MAXUINT32 - row->source_table);
}

static void
find_values (NsExtractKeys *self, NsRow activity, gpointer source, NsExtractPath *path)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, activity);

  *path = (NsExtractPath){ .first_thread = NS_PID_UNKNOWN };
  if (chain == NULL)
    return;
  path->first_thread = ns_chain_get_first_thread (chain);
  find_keys (self, chain, path);
  if (find_path (self, chain, path) && source != NULL)
    g_hash_table_insert (self->without, source, g_memdup2 (path, sizeof *path));
}

/**
 * ns_extract_keys_find: (skip)
 * @self: keys
 * @activities: (array length=n_activities): rows of the master table, 0-based
 * @n_activities: number of @activities
 * @paths: (out caller-allocates) (array length=n_activities): values derived from their stacks;
 *   keys, and texts without an owner, are valid as long as @self
 */
void
ns_extract_keys_find (NsExtractKeys *self,
                      const guint32 *activities,
                      guint n_activities,
                      NsExtractPath *paths)
{
  guint i;

  for (i = 0; i < n_activities; i++)
    {
      const NsActivityRow *row =
          &g_array_index (self->trace->activities, NsActivityRow, activities[i]);
      gpointer source = get_source (self, row);
      const NsExtractPath *known =
          source != NULL ? g_hash_table_lookup (self->without, source) : NULL;

      if (known != NULL)
        paths[i] = *known;
      else
        find_values (self, activities[i] + 1, source, &paths[i]);
    }
}

/**
 * ns_extract_keys_get_n: (skip)
 * @self: keys
 *
 * Returns: number of different keys found
 */
guint
ns_extract_keys_get_n (const NsExtractKeys *self)
{
  return self->stacks->len;
}

/**
 * ns_extract_keys_get: (skip)
 * @self: keys
 * @number: index of a key, in the order in which they were found
 * @frames: (out) (transfer none) (element-type utf8): frames of the stack, outermost first
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
