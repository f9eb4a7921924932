/* Call tree: the code paths of many rows, merged at their common callers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"

#include "base/ns-map.h"
#include "engine/tasks/ns-pool-wait.h"
#include "query/ns-call-path.h"
#include "query/ns-row-activities.h"

#include <stdlib.h>
#include <string.h>

#define PROGRESS_ROWS 4096

static const char *const weights[] = {
  [NS_CALL_WEIGHT_COUNT] = "count",
  [NS_CALL_WEIGHT_BYTES] = "bytes",
  [NS_CALL_WEIGHT_DURATION] = "duration",
  [NS_CALL_WEIGHT_FAILURES] = "failures",
};

/* Time that the work of a path waited at one thread switch. */
typedef struct
{
  guint32 node;
  guint32 path;   /* number of the path */
  guint32 n_rows; /* number of rows with that path */
  guint32 tid;    /* thread that queued the work */
  gint64 wait_ns; /* NS_UNKNOWN: not known */
} Wait;

/* A tree while it is built: nodes in order of first occurrence. */
typedef struct
{
  const NsTrace *trace;
  const NsCallTreeOptions *options;
  NsCallFrames *frames;
  NsCallTree *tree;
  NsMap *children; /* node by parent, kind and name; 0: none, as the root is not a child */
  NsMap *leaves;   /* number in @paths + 1, by stack and link */
  GArray *paths;   /* (element-type Path) */
  GArray *waits;   /* (element-type Wait) */
  GArray *ends;    /* (element-type End) */
} Build;

/* A path that one or more rows have. */
typedef struct
{
  guint32 node; /* last node */
  guint32 n_rows;
} Path;

/* A path while it is added to the tree. */
typedef struct
{
  Build *build;
  guint32 node;
} Entry;

/* End of a row's path. */
typedef struct
{
  guint32 node;
  gint64 duration_ns; /* NS_UNKNOWN: not known */
  gboolean is_open;
} End;

/* Sort key of siblings. */
typedef struct
{
  guint32 node;
  guint32 parent;
  guint64 weight;
  const char *name;
} Sibling;

static NsCallNode *
node_at (const NsCallTree *self, guint node)
{
  return &g_array_index (self->nodes, NsCallNode, node);
}

static guint32
enter_node (Build *self, guint32 parent, const NsCallNode *like)
{
  guint64 key = (guint64) like->kind << 32 | like->name;
  guint32 node = ns_map_get (self->children, parent, key);
  NsCallNode new_node = *like;

  if (node != 0)
    return node;
  if (self->tree->nodes->len >= NS_CALL_TREE_MAX_NODES)
    {
      self->tree->is_truncated = TRUE;
      return parent;
    }
  new_node.depth = node_at (self->tree, parent)->depth + 1;
  new_node.parent = parent;
  node = self->tree->nodes->len;
  g_array_append_val (self->tree->nodes, new_node);
  ns_map_set (self->children, parent, key, node);
  self->tree->max_depth = MAX (self->tree->max_depth, new_node.depth);
  return node;
}

static NsCallNode
node_of_frame (const Build *self, const NsCallStep *step)
{
  NsCallNode node = { .kind = NS_CALL_NODE_FRAME,
                      .name = step->frame->name,
                      .tid = NS_PID_UNKNOWN,
                      .wait_ns = NS_UNKNOWN,
                      .is_kernel = ns_trace_is_kernel_address (self->trace, step->address),
                      .is_return = step->is_return,
                      .image = step->frame->image,
                      .rva = step->frame->rva };

  if (step->frame->module != NS_STRING_NONE)
    node.module = ns_trace_text (self->trace, step->frame->module);
  return node;
}

static gboolean
enter_step_cb (const NsCallStep *step, gpointer user_data)
{
  Entry *entry = user_data;
  Build *self = entry->build;
  guint32 parent = entry->node;
  NsCallNode like;

  if (step->kind == NS_CALL_NODE_FRAME)
    like = node_of_frame (self, step);
  else
    like = (NsCallNode){ .kind = step->kind,
                         .name = ns_strings_add (self->tree->names, step->text),
                         .tid = NS_PID_UNKNOWN,
                         .wait_ns = NS_UNKNOWN,
                         .missing = step->element->missing,
                         .task = step->element->kind != NS_TASK_NONE ? step->element->kind
                                                                     : NS_TASK_THREAD };
  entry->node = enter_node (self, parent, &like);
  if (step->kind == NS_CALL_NODE_THREAD_SWITCH && entry->node != parent)
    {
      Wait wait = { .node = entry->node,
                    .path = self->paths->len,
                    .tid = step->before->tid_enqueue,
                    .wait_ns = step->element->queued_ns };

      g_array_append_val (self->waits, wait);
    }
  return TRUE;
}

/* Returns the path of a row: rows of a process with the same stack and link have the same path.
 * The process, not its ID, is part of the key: after the ID is reused, the same addresses are
 * other code. */
static Path *
find_path (Build *self, guint32 row, const NsActivityRow *activity)
{
  NsRow process = ns_trace_find_process (self->trace, activity->pid, activity->open_ns);
  guint64 a = (guint64) process << 32 | activity->stack;
  guint64 b = (guint64) activity->link << 8 | (guint) activity->source_table;
  guint32 number = ns_map_get (self->leaves, a, b);

  if (number == 0)
    {
      g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, row + 1);
      Entry entry = { self, 0 };
      Path path = { 0, 0 };

      ns_call_path_walk (self->trace,
                         self->frames,
                         chain,
                         self->options->stack,
                         enter_step_cb,
                         &entry);
      path.node = entry.node;
      g_array_append_val (self->paths, path);
      number = self->paths->len;
      ns_map_set (self->leaves, a, b, number);
    }
  return &g_array_index (self->paths, Path, number - 1);
}

static void
add_sums (NsCallSums *self, const NsCallSums *other)
{
  self->n_rows += other->n_rows;
  self->n_failed += other->n_failed;
  self->n_open += other->n_open;
  self->sent += other->sent;
  self->received += other->received;
  self->duration_ns = ns_time_sum (self->duration_ns, other->duration_ns);
  self->queued_ns = ns_time_sum (self->queued_ns, other->queued_ns);
  self->pool_ns = ns_time_sum (self->pool_ns, other->pool_ns);
  self->lead_ns = ns_time_sum (self->lead_ns, other->lead_ns);
}

static NsCallSums
sums_of_row (const NsTrace *trace, const NsActivityRow *row)
{
  NsCallSums sums = { .n_rows = 1,
                      .n_failed = row->failed,
                      .n_open = row->close_ns == NS_TIME_OPEN,
                      .sent = row->sent,
                      .received = row->received };
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;

  if (ns_time_is_set (row->open_ns) && row->close_ns != NS_TIME_NONE)
    sums.duration_ns = MAX (close_ns - row->open_ns, 0);
  if (ns_activity_row_get_phase (row, NS_PHASE_QUEUE) != NS_UNKNOWN)
    sums.queued_ns = ns_activity_row_get_phase (row, NS_PHASE_QUEUE);
  sums.pool_ns = MAX (ns_pool_wait_get_total (trace, row), 0);
  sums.lead_ns = ns_pool_wait_get_lead (trace, row);
  return sums;
}

static gboolean
add_rows (Build *self,
          const guint32 *rows,
          gsize n_rows,
          NsProgressFunc progress,
          gpointer progress_data)
{
  gsize i;

  for (i = 0; i < n_rows; i++)
    {
      const NsActivityRow *activity =
          &g_array_index (self->trace->activities, NsActivityRow, rows[i]);
      NsCallSums sums = sums_of_row (self->trace, activity);
      Path *path = find_path (self, rows[i], activity);
      End end = { path->node, NS_UNKNOWN, sums.n_open > 0 };

      if (ns_time_is_set (activity->open_ns) && activity->close_ns != NS_TIME_NONE)
        end.duration_ns = sums.duration_ns;
      g_array_append_val (self->ends, end);
      path->n_rows++;
      add_sums (&node_at (self->tree, path->node)->total, &sums);
      if (progress != NULL && i % PROGRESS_ROWS == PROGRESS_ROWS - 1 &&
          !progress ((double) i / (double) n_rows, progress_data))
        return FALSE;
    }
  return TRUE;
}

static int
compare_siblings (const void *a, const void *b)
{
  const Sibling *left = a;
  const Sibling *right = b;

  if (left->parent != right->parent)
    return left->parent < right->parent ? -1 : 1;
  if (left->weight != right->weight)
    return left->weight > right->weight ? -1 : 1;
  return strcmp (left->name, right->name);
}

/* Adds the totals of nodes to their parents, from the last node to the first: parents precede
 * their children. */
static void
sum_up (NsCallTree *self)
{
  guint i;

  for (i = self->nodes->len - 1; i > 0; i--)
    {
      NsCallNode *node = node_at (self, i);
      NsCallNode *parent = node_at (self, node->parent);

      add_sums (&parent->total, &node->total);
      parent->n_inside += node->n_inside + 1;
    }
}

/* Sorts the nodes: a node precedes its descendants, and siblings are sorted by weight. Returns
 * the new index of each node. */
static guint32 *
put_in_order (NsCallTree *self)
{
  guint n = self->nodes->len;
  g_autofree Sibling *siblings = g_new (Sibling, n);
  g_autofree guint32 *place = g_new0 (guint32, n);
  g_autofree guint32 *first = g_new0 (guint32, n + 1);
  GArray *ordered = g_array_sized_new (FALSE, TRUE, sizeof (NsCallNode), n);
  guint i;
  guint j;

  for (i = 1; i < n; i++)
    siblings[i - 1] = (Sibling){ i,
                                 node_at (self, i)->parent,
                                 ns_call_tree_get_total (self, i),
                                 ns_call_tree_get_name (self, i) };
  qsort (siblings, n - 1, sizeof (Sibling), compare_siblings);
  for (i = n - 1; i > 0; i--)
    first[siblings[i - 1].parent] = i;
  /* Parents precede their children, so their indices are known. */
  for (i = 0; i < n; i++)
    {
      guint32 next = place[i] + 1;

      for (j = first[i]; j != 0 && j < n && siblings[j - 1].parent == i; j++)
        {
          place[siblings[j - 1].node] = next;
          next += node_at (self, siblings[j - 1].node)->n_inside + 1;
        }
    }
  g_array_set_size (ordered, n);
  for (i = 0; i < n; i++)
    {
      NsCallNode *node = &g_array_index (ordered, NsCallNode, place[i]);

      *node = *node_at (self, i);
      node->parent = place[node->parent];
    }
  g_array_unref (self->nodes);
  self->nodes = ordered;
  return g_steal_pointer (&place);
}

/* Sorts the rows by node, so that those of a node and its descendants are consecutive. */
static void
put_rows_in_order (NsCallTree *self, GArray *ends, const guint32 *place)
{
  guint n = self->nodes->len;
  g_autofree guint32 *next = g_new0 (guint32, n + 1);
  guint i;

  for (i = 0; i < ends->len; i++)
    g_array_index (ends, End, i).node = place[g_array_index (ends, End, i).node];
  for (i = 0; i < ends->len; i++)
    next[g_array_index (ends, End, i).node + 1]++;
  for (i = 0; i < n; i++)
    {
      next[i + 1] += next[i];
      node_at (self, i)->first_row = next[i];
    }
  g_array_set_size (self->durations, ends->len);
  g_byte_array_set_size (self->are_open, ends->len);
  for (i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);

      self->are_open->data[next[end->node]] = end->is_open ? 1 : 0;
      g_array_index (self->durations, gint64, next[end->node]++) = end->duration_ns;
    }
}

/* Compares waits by node and duration; unknown ones come first. */
static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const Wait *left = a;
  const Wait *right = b;

  if (left->node != right->node)
    return left->node < right->node ? -1 : 1;
  if (left->wait_ns != right->wait_ns)
    return left->wait_ns < right->wait_ns ? -1 : 1;
  return 0;
}

/* Returns the median, by nearest rank, of the known waits. */
static gint64
get_median_wait (const Wait *waits, guint n)
{
  guint64 n_known = 0;
  guint64 n_before = 0;
  guint i;

  for (i = 0; i < n; i++)
    if (waits[i].wait_ns != NS_UNKNOWN)
      n_known += waits[i].n_rows;
  for (i = 0; i < n; i++)
    {
      if (waits[i].wait_ns == NS_UNKNOWN)
        continue;
      n_before += waits[i].n_rows;
      if (n_before * 2 >= n_known)
        return waits[i].wait_ns;
    }
  return NS_UNKNOWN;
}

/* Returns the thread that all waits have in common, if any. */
static guint32
get_common_tid (const Wait *waits, guint n)
{
  guint i;

  for (i = 1; i < n; i++)
    if (waits[i].tid != waits[0].tid)
      return NS_PID_UNKNOWN;
  return waits[0].tid;
}

/* Sets the median wait of each thread switch, and the thread that queued the work. */
static void
settle_waits (Build *self, const guint32 *place)
{
  const Wait *all = (const Wait *) (gconstpointer) self->waits->data;
  guint first;
  guint end;
  guint i;

  for (i = 0; i < self->waits->len; i++)
    {
      Wait *wait = &g_array_index (self->waits, Wait, i);

      wait->node = place[wait->node];
      wait->n_rows = g_array_index (self->paths, Path, wait->path).n_rows;
    }
  g_array_sort (self->waits, compare_waits);
  for (first = 0; first < self->waits->len; first = end)
    {
      NsCallNode *node = &g_array_index (self->tree->nodes, NsCallNode, all[first].node);

      for (end = first + 1; end < self->waits->len && all[end].node == all[first].node; end++)
        ;
      node->wait_ns = get_median_wait (all + first, end - first);
      node->tid = get_common_tid (all + first, end - first);
    }
}

/**
 * ns_call_tree_new:
 * @trace: a trace
 * @rows: (array length=n_rows): rows of the table in @options, 0-based
 * @n_rows: number of rows
 * @options: options
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Builds a tree of the code paths of rows. Rows without a stack are below a node with the reason,
 * so the root has the totals of all rows.
 *
 * Returns: (transfer full) (nullable): the tree; %NULL if stopped
 */
NsCallTree *
ns_call_tree_new (const NsTrace *trace,
                  const guint32 *rows,
                  gsize n_rows,
                  const NsCallTreeOptions *options,
                  NsProgressFunc progress,
                  gpointer progress_data)
{
  g_autoptr (NsCallTree) self = g_new0 (NsCallTree, 1);
  g_autoptr (NsCallFrames) frames = NULL;
  g_autoptr (NsMap) children = ns_map_new ();
  g_autoptr (NsMap) leaves = ns_map_new ();
  g_autoptr (GArray) ends = g_array_sized_new (FALSE, FALSE, sizeof (End), (guint) n_rows);
  g_autoptr (GArray) paths = g_array_new (FALSE, FALSE, sizeof (Path));
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  g_autoptr (GArray) activities = NULL;
  g_autofree guint32 *place = NULL;
  NsCallNode root = { .kind = NS_CALL_NODE_ROOT, .tid = NS_PID_UNKNOWN, .wait_ns = NS_UNKNOWN };
  Build build = { trace, options, NULL, self, children, leaves, paths, waits, ends };

  self->names = ns_strings_new ();
  self->nodes = g_array_new (FALSE, FALSE, sizeof (NsCallNode));
  self->durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->are_open = g_byte_array_new ();
  self->stack = options->stack;
  self->weight = options->weight;
  self->hidden = g_strdupv ((char **) options->hidden);
  root.name = ns_strings_add (self->names, "all");
  g_array_append_val (self->nodes, root);
  frames = ns_call_frames_new (trace, self->names, options->hidden);
  build.frames = frames;
  if (options->table != NS_TABLE_ACTIVITIES)
    {
      activities = ns_row_activities_list (trace, options->table, rows, n_rows);
      rows = (const guint32 *) (gpointer) activities->data;
      n_rows = activities->len;
    }
  if (!add_rows (&build, rows, n_rows, progress, progress_data))
    return NULL;
  sum_up (self);
  place = put_in_order (self);
  put_rows_in_order (self, ends, place);
  settle_waits (&build, place);
  return g_steal_pointer (&self);
}

/**
 * ns_call_tree_free:
 * @self: (transfer full) (nullable): a tree
 */
void
ns_call_tree_free (NsCallTree *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->names, ns_strings_free);
  g_clear_pointer (&self->durations, g_array_unref);
  g_clear_pointer (&self->are_open, g_byte_array_unref);
  g_strfreev (self->hidden);
  g_free (self);
}

/**
 * ns_call_tree_get_total:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: the weight of all rows whose path contains it
 */
guint64
ns_call_tree_get_total (const NsCallTree *self, guint node)
{
  return ns_call_sums_get_weight (&node_at (self, node)->total, self->weight);
}

/**
 * ns_call_tree_get_self:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: the weight of the rows whose path ends there
 */
guint64
ns_call_tree_get_self (const NsCallTree *self, guint node)
{
  guint64 weight = ns_call_tree_get_total (self, node);
  guint end = node + 1 + node_at (self, node)->n_inside;
  guint child;

  for (child = node + 1; child < end; child += node_at (self, child)->n_inside + 1)
    weight -= ns_call_tree_get_total (self, child);
  return weight;
}

/**
 * ns_call_tree_count_open:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: number of rows whose path ends there and that have no recorded end; if there are any,
 *   the duration by ns_call_tree_get_self() is a lower bound
 */
guint
ns_call_tree_count_open (const NsCallTree *self, guint node)
{
  guint n_open = node_at (self, node)->total.n_open;
  guint end = node + 1 + node_at (self, node)->n_inside;
  guint child;

  for (child = node + 1; child < end; child += node_at (self, child)->n_inside + 1)
    n_open -= node_at (self, child)->total.n_open;
  return n_open;
}

/**
 * ns_call_tree_get_name:
 * @self: a tree
 * @node: number of a node
 *
 * Returns: (transfer none): its name
 */
const char *
ns_call_tree_get_name (const NsCallTree *self, guint node)
{
  return ns_strings_get (self->names, node_at (self, node)->name);
}

/**
 * ns_call_sums_get_weight:
 * @self: sums
 * @weight: a weight
 *
 * Returns: a number of rows, bytes or ns
 */
guint64
ns_call_sums_get_weight (const NsCallSums *self, NsCallWeight weight)
{
  switch (weight)
    {
    case NS_CALL_WEIGHT_BYTES:
      return self->sent + self->received;
    case NS_CALL_WEIGHT_DURATION:
      return (guint64) self->duration_ns;
    case NS_CALL_WEIGHT_FAILURES:
      return self->n_failed;
    case NS_CALL_WEIGHT_COUNT:
    default:
      return self->n_rows;
    }
}

/**
 * ns_call_weight_from_text:
 * @text: name of a weight
 * @weight: (out): the weight
 *
 * Returns: %TRUE if there is such a weight
 */
gboolean
ns_call_weight_from_text (const char *text, NsCallWeight *weight)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (weights); i++)
    if (strcmp (text, weights[i]) == 0)
      {
        *weight = (NsCallWeight) i;
        return TRUE;
      }
  return FALSE;
}
