/* Colours of a flame graph, and the legend that explains them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-look.h"

#include "base/ns-hash.h"

#include <string.h>

#define FILL_PART 0.26
/* Maximum share of the colour in a fill, which keeps the contrast of the text. */
#define FULL_PART 0.55

/* Total width of the boxes of a module. */
typedef struct
{
  const char *name;
  NsColorRole role;
  double area;
} Module;

static const NsCallNode *
node_at (const NsCallTree *tree, guint32 node)
{
  return &g_array_index (tree->nodes, NsCallNode, node);
}

/* Returns the colour of the module's family; system modules are grey. */
static NsColorRole
get_module_role (const NsFlameLayout *layout, guint32 node)
{
  static const NsColorRole roles[NS_FLAME_N_FAMILIES] = {
    NS_COLOR_WINHTTP, NS_COLOR_WININET, NS_COLOR_CHROMIUM,
    NS_COLOR_LDAP,    NS_COLOR_QUIC,    NS_COLOR_DNS,
  };
  guint8 family = ns_flame_layout_get_family (layout, node);

  return family != NS_FLAME_NO_FAMILY ? roles[family] : NS_COLOR_TEXT_DIM;
}

static NsFlameLegendKind
get_kind (const NsCallTree *tree, guint32 node)
{
  const NsCallNode *at = node_at (tree, node);

  if (at->kind != NS_CALL_NODE_FRAME)
    return NS_FLAME_LEGEND_SYSTEM;
  if (at->is_kernel)
    return NS_FLAME_LEGEND_KERNEL;
  if (at->module != NULL && ns_call_is_system (at->module))
    return NS_FLAME_LEGEND_SYSTEM;
  return strchr (ns_call_tree_get_name (tree, node), '!') != NULL ? NS_FLAME_LEGEND_APPLICATION
                                                                  : NS_FLAME_LEGEND_UNNAMED;
}

static NsFlameLook
look_of_kind (NsFlameLegendKind kind)
{
  switch (kind)
    {
    case NS_FLAME_LEGEND_APPLICATION:
      return (NsFlameLook){ NS_COLOR_WINHTTP, FILL_PART, FALSE };
    case NS_FLAME_LEGEND_KERNEL:
      return (NsFlameLook){ NS_COLOR_LDAP, FILL_PART, FALSE };
    case NS_FLAME_LEGEND_UNNAMED:
      return (NsFlameLook){ NS_COLOR_LOST, FILL_PART / 2, FALSE };
    case NS_FLAME_LEGEND_THREAD_SWITCH:
      return (NsFlameLook){ NS_COLOR_ACCENT, 0, TRUE };
    case NS_FLAME_LEGEND_FOUND:
      return (NsFlameLook){ NS_COLOR_FIND, 1, FALSE };
    case NS_FLAME_LEGEND_SYSTEM:
    case NS_FLAME_LEGEND_MODULES:
    case NS_FLAME_LEGEND_NONE:
    case NS_FLAME_LEGEND_HALF:
    case NS_FLAME_LEGEND_ALL:
    default:
      return (NsFlameLook){ NS_COLOR_TEXT_DIM, FILL_PART / 2, FALSE };
    }
}

/* Returns the look for a share of 0 to 1: of rows that failed, or of waiting time. */
static NsFlameLook
look_of_part (NsFlameColor color, double part)
{
  if (part <= 0)
    return look_of_kind (NS_FLAME_LEGEND_NONE);
  return (NsFlameLook){ color == NS_FLAME_COLOR_FAILURES ? NS_COLOR_FAILURE : NS_COLOR_WARNING,
                        0.1 + MIN (part, 1) * (FULL_PART - 0.1),
                        FALSE };
}

/**
 * ns_flame_get_waited_part:
 * @sums: totals of a node
 *
 * Returns: the share of waiting for pool threads and inside libraries, 0 to 1, in the time since
 *   the work was queued
 */
double
ns_flame_get_waited_part (const NsCallSums *sums)
{
  double whole = (double) sums->duration_ns + (double) sums->lead_ns;

  return whole > 0 ? MIN (((double) sums->pool_ns + (double) sums->queued_ns) / whole, 1) : 0;
}

static double
get_part (const NsCallSums *sums, NsFlameColor color)
{
  if (color == NS_FLAME_COLOR_FAILURES)
    return sums->n_rows > 0 ? (double) sums->n_failed / sums->n_rows : 0;
  return ns_flame_get_waited_part (sums);
}

/**
 * ns_flame_get_look:
 * @layout: a layout of a tree
 * @node: a node
 * @color: what the colours show
 *
 * Returns: the look of its box
 */
NsFlameLook
ns_flame_get_look (const NsFlameLayout *layout, guint32 node, NsFlameColor color)
{
  const NsCallTree *tree = layout->tree;
  const NsCallNode *at = node_at (tree, node);
  NsColorRole role;

  if (at->kind == NS_CALL_NODE_THREAD_SWITCH)
    return look_of_kind (NS_FLAME_LEGEND_THREAD_SWITCH);
  switch (color)
    {
    case NS_FLAME_COLOR_KIND:
      return look_of_kind (get_kind (tree, node));
    case NS_FLAME_COLOR_FAILURES:
    case NS_FLAME_COLOR_WAITING:
      return look_of_part (color, get_part (&at->total, color));
    case NS_FLAME_COLOR_MODULE:
    case NS_FLAME_N_COLORS:
    default:
      role = get_module_role (layout, node);
      return role == NS_COLOR_TEXT_DIM ? look_of_kind (NS_FLAME_LEGEND_SYSTEM)
                                       : (NsFlameLook){ role, FILL_PART, FALSE };
    }
}

static void
line_clear (gpointer data)
{
  g_free (((NsFlameLegendLine *) data)->modules);
}

static void
add_line (GArray *lines, NsFlameLegendKind kind, NsFlameLook look, char *modules)
{
  NsFlameLegendLine line = { kind, look, modules };

  g_array_append_val (lines, line);
}

static int
compare_modules (gconstpointer a, gconstpointer b)
{
  const Module *left = a;
  const Module *right = b;

  if (left->area != right->area)
    return left->area > right->area ? -1 : 1;
  return g_ascii_strcasecmp (left->name, right->name);
}

/* Returns the modules that have boxes, the widest first. */
static GArray *
list_modules (const NsFlameLayout *layout)
{
  GArray *modules = g_array_new (FALSE, FALSE, sizeof (Module));
  g_autoptr (GHashTable) by_name = g_hash_table_new (ns_hash_text, g_str_equal);
  guint i;

  for (i = 0; i < layout->boxes->len; i++)
    {
      const NsFlameBox *box = &g_array_index (layout->boxes, NsFlameBox, i);
      const NsCallNode *node = node_at (layout->tree, box->node);
      Module new_module = { node->module, get_module_role (layout, box->node), 0 };
      guint number;

      if (new_module.role == NS_COLOR_TEXT_DIM)
        continue;
      number = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, node->module));
      if (number == 0)
        {
          g_array_append_val (modules, new_module);
          number = modules->len;
          g_hash_table_insert (by_name, (char *) node->module, GUINT_TO_POINTER (number));
        }
      g_array_index (modules, Module, number - 1).area += box->x1 - box->x0;
    }
  g_array_sort (modules, compare_modules);
  return modules;
}

/* Returns names without extensions, as in `outlook, olmapi32`, with an ellipsis if there are
 * more. */
static char *
join_modules (const GArray *modules, NsColorRole role)
{
  GString *text = g_string_new (NULL);
  guint n = 0;
  guint i;

  for (i = 0; i < modules->len; i++)
    {
      const Module *module = &g_array_index (modules, Module, i);
      const char *dot = strrchr (module->name, '.');

      if (module->role != role || n++ > NS_FLAME_LEGEND_MAX_MODULES)
        continue;
      if (n > NS_FLAME_LEGEND_MAX_MODULES)
        g_string_append (text, " …");
      else
        g_string_append_printf (text,
                                "%s%.*s",
                                n > 1 ? ", " : "",
                                (int) (dot != NULL && dot != module->name
                                           ? dot - module->name
                                           : (gssize) strlen (module->name)),
                                module->name);
    }
  return g_string_free (text, FALSE);
}

static void
add_modules (GArray *lines, const NsFlameLayout *layout)
{
  g_autoptr (GArray) modules = list_modules (layout);
  guint64 used = 0;
  guint n_hues = 0;
  guint i;

  for (i = 0; i < modules->len && n_hues < NS_FLAME_LEGEND_MAX_HUES; i++)
    {
      NsColorRole role = g_array_index (modules, Module, i).role;

      if (used & G_GUINT64_CONSTANT (1) << role)
        continue;
      used |= G_GUINT64_CONSTANT (1) << role;
      n_hues++;
      add_line (lines,
                NS_FLAME_LEGEND_MODULES,
                (NsFlameLook){ role, FILL_PART, FALSE },
                join_modules (modules, role));
    }
}

/* Returns whether any box is of that kind. */
static gboolean
has_kind (const NsFlameLayout *layout, NsFlameLegendKind kind)
{
  guint i;

  for (i = 0; i < layout->boxes->len; i++)
    {
      guint32 node = g_array_index (layout->boxes, NsFlameBox, i).node;
      NsCallNodeKind of_node = node_at (layout->tree, node)->kind;

      if (kind == NS_FLAME_LEGEND_THREAD_SWITCH
              ? of_node == NS_CALL_NODE_THREAD_SWITCH
              : of_node == NS_CALL_NODE_FRAME && get_kind (layout->tree, node) == kind)
        return TRUE;
    }
  return FALSE;
}

static void
add_kind (GArray *lines, const NsFlameLayout *layout, NsFlameLegendKind kind)
{
  if (has_kind (layout, kind))
    add_line (lines, kind, look_of_kind (kind), NULL);
}

/**
 * ns_flame_legend_new:
 * @layout: a layout
 * @color: what the colours show
 * @has_finds: whether a search is active
 *
 * Omits lines for colours that the graph does not have.
 *
 * Returns: (transfer full) (element-type NsFlameLegendLine): the lines of the legend
 */
GArray *
ns_flame_legend_new (const NsFlameLayout *layout, NsFlameColor color, gboolean has_finds)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (NsFlameLegendLine));

  g_array_set_clear_func (lines, line_clear);
  if (layout->tree == NULL || layout->boxes->len == 0)
    return lines;
  if (color == NS_FLAME_COLOR_MODULE)
    {
      add_modules (lines, layout);
      if (has_kind (layout, NS_FLAME_LEGEND_SYSTEM) || has_kind (layout, NS_FLAME_LEGEND_KERNEL))
        add_line (lines, NS_FLAME_LEGEND_SYSTEM, look_of_kind (NS_FLAME_LEGEND_SYSTEM), NULL);
    }
  else if (color == NS_FLAME_COLOR_KIND)
    {
      add_kind (lines, layout, NS_FLAME_LEGEND_APPLICATION);
      add_kind (lines, layout, NS_FLAME_LEGEND_UNNAMED);
      add_kind (lines, layout, NS_FLAME_LEGEND_SYSTEM);
      add_kind (lines, layout, NS_FLAME_LEGEND_KERNEL);
    }
  else
    {
      add_line (lines, NS_FLAME_LEGEND_NONE, look_of_part (color, 0), NULL);
      add_line (lines, NS_FLAME_LEGEND_HALF, look_of_part (color, 0.5), NULL);
      add_line (lines, NS_FLAME_LEGEND_ALL, look_of_part (color, 1), NULL);
    }
  add_kind (lines, layout, NS_FLAME_LEGEND_THREAD_SWITCH);
  if (has_finds)
    add_line (lines, NS_FLAME_LEGEND_FOUND, look_of_kind (NS_FLAME_LEGEND_FOUND), NULL);
  return lines;
}
