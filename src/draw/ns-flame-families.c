/* Groups the modules of a call tree into families, each drawn in one colour.
 *
 * A family is a program and the libraries it calls, named by the outermost module on the call stack
 * that is not a system module. If the tree has code of one program only, each module is a family.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-families.h"

#include "base/ns-hash.h"
#include "draw/ns-flame-layout.h"
#include "query/ns-call-frames.h"

static const NsCallNode *
node_at (const NsCallTree *tree, guint32 node)
{
  return &g_array_index (tree->nodes, NsCallNode, node);
}

/* Returns the module of a node, or NULL for kernel code and nodes that are no frames. */
static const char *
get_module (const NsCallTree *tree, guint32 node)
{
  const NsCallNode *at = node_at (tree, node);

  return at->kind == NS_CALL_NODE_FRAME && !at->is_kernel ? at->module : NULL;
}

static guint
hash_name (gconstpointer name)
{
  return ns_hash_folded (name, strlen (name));
}

/* Returns the preferred family of a module. The hash has no per-run key, unlike those of hash
 * tables, so that a module has the same colour in every run. */
static guint
choose_family (const char *name)
{
  guint number = 5381;

  for (; *name != '\0'; name++)
    number = number * 33 + (guchar) g_ascii_tolower (*name);
  return number % NS_FLAME_N_FAMILIES;
}

static gboolean
is_same_name (gconstpointer a, gconstpointer b)
{
  return g_ascii_strcasecmp (a, b) == 0;
}

/* A module of the tree. */
typedef struct
{
  const char *name;
  guint64 weight; /* sum of the totals of the nodes whose family it names */
  gboolean is_of_system;
  guint8 family;
} Module;

typedef struct
{
  const NsCallTree *tree;
  GHashTable *numbers;  /* module name to index in @modules + 1 */
  GHashTable *pointers; /* cache of @numbers by the address of the name */
  GArray *modules;      /* (element-type Module) */
  guint32 *of_node;     /* index in @modules + 1 of each node; 0: no module, or a system module */
} Families;

static guint32
find_module (Families *self, const char *name)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->pointers, name));
  Module module = { .name = name };

  if (number == 0)
    {
      number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));
      if (number != 0)
        g_hash_table_insert (self->pointers, (char *) name, GUINT_TO_POINTER (number));
    }
  if (number == 0)
    {
      module.is_of_system = ns_call_is_system (name);
      g_array_append_val (self->modules, module);
      number = self->modules->len;
      g_hash_table_insert (self->numbers, (char *) name, GUINT_TO_POINTER (number));
      g_hash_table_insert (self->pointers, (char *) name, GUINT_TO_POINTER (number));
    }
  return g_array_index (self->modules, Module, number - 1).is_of_system ? 0 : number;
}

/* Finds the module that names the family of each node. Parents precede their children, so their
 * families are known. Returns the number of families. */
static guint
name_families (Families *self, guint32 *names)
{
  guint n_families = 0;
  guint32 i;

  for (i = 0; i < self->tree->nodes->len; i++)
    {
      const char *name = get_module (self->tree, i);
      guint32 around = i > 0 ? names[node_at (self->tree, i)->parent] : 0;
      Module *module;

      self->of_node[i] = name != NULL ? find_module (self, name) : 0;
      names[i] = around != 0 ? around : self->of_node[i];
      if (around != 0 || names[i] == 0)
        continue;
      module = &g_array_index (self->modules, Module, names[i] - 1);
      n_families += module->weight == 0 ? 1 : 0;
      module->weight += MAX (ns_call_tree_get_total (self->tree, i), 1);
    }
  return n_families;
}

static int
compare_weights (gconstpointer a, gconstpointer b)
{
  const Module *left = *(const Module *const *) a;
  const Module *right = *(const Module *const *) b;

  if (left->weight != right->weight)
    return left->weight > right->weight ? -1 : 1;
  return g_ascii_strcasecmp (left->name, right->name);
}

/* Assigns family numbers, the heaviest modules first. A module gets the same number in every
 * tree unless a heavier one has taken it. */
static void
number_families (Families *self)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  guint used = 0;
  guint i;

  for (i = 0; i < self->modules->len; i++)
    if (g_array_index (self->modules, Module, i).weight > 0)
      g_ptr_array_add (order, &g_array_index (self->modules, Module, i));
  g_ptr_array_sort (order, compare_weights);
  for (i = 0; i < order->len; i++)
    {
      Module *module = g_ptr_array_index (order, i);
      guint family = choose_family (module->name);

      while (i < NS_FLAME_N_FAMILIES && (used & 1u << family) != 0)
        family = (family + 1) % NS_FLAME_N_FAMILIES;
      used |= 1u << family;
      module->family = (guint8) family;
    }
}

/* Replaces the weights by the totals of all nodes of each module. */
static void
weigh_modules (Families *self)
{
  guint32 i;

  for (i = 0; i < self->modules->len; i++)
    g_array_index (self->modules, Module, i).weight = 0;
  for (i = 0; i < self->tree->nodes->len; i++)
    if (self->of_node[i] != 0)
      g_array_index (self->modules, Module, self->of_node[i] - 1).weight +=
          MAX (ns_call_tree_get_total (self->tree, i), 1);
}

/**
 * ns_flame_families_new:
 * @tree: a call tree
 *
 * Returns: (transfer full) (array): the family of each node, below %NS_FLAME_N_FAMILIES, or
 *   %NS_FLAME_NO_FAMILY
 */
guint8 *
ns_flame_families_new (const NsCallTree *tree)
{
  g_autofree guint32 *of_node = g_new0 (guint32, tree->nodes->len);
  g_autofree guint32 *names = g_new0 (guint32, tree->nodes->len);
  g_autoptr (GHashTable) numbers = g_hash_table_new (hash_name, is_same_name);
  g_autoptr (GHashTable) pointers = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) modules = g_array_new (FALSE, FALSE, sizeof (Module));
  Families self = { tree, numbers, pointers, modules, of_node };
  gboolean is_one_program = name_families (&self, names) < 2;
  guint8 *families = g_malloc (MAX (tree->nodes->len, 1));
  guint32 i;

  if (is_one_program)
    weigh_modules (&self);
  number_families (&self);
  for (i = 0; i < tree->nodes->len; i++)
    families[i] =
        of_node[i] == 0
            ? NS_FLAME_NO_FAMILY
            : g_array_index (modules, Module, (is_one_program ? of_node[i] : names[i]) - 1).family;
  return families;
}
