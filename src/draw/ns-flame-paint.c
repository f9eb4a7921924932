/* Paints a flame graph with cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-paint.h"

#include <math.h>
#include <string.h>

#define FILL_PART 0.26
#define FOUND_PART 0.85
#define FADED_ALPHA 0.35
#define MIN_TEXT_WIDTH 24.0

/* Parts of Windows that every path goes through: they step back. */
static const char *const system_modules[] = {
  "ntdll",  "kernel32", "kernelbase", "ntoskrnl", "user32",   "win32u",   "ws2_32",   "mswsock",
  "rpcrt4", "combase",  "ucrtbase",   "msvcrt",   "sechost",  "clr",      "coreclr",  "wow64",
  "afd",    "tcpip",    "netio",      "wow64cpu", "ole32",    "wow64win", "ntkrnlmp", "dnsapi",
  "webio",  "winhttp",  "wininet",    "iertutil", "schannel", "sspicli",  "ncrypt",   "crypt32",
};

/**
 * ns_flame_is_system:
 * @module: file name of an image
 *
 * Returns: %TRUE for a part of Windows that most paths go through
 */
gboolean
ns_flame_is_system (const char *module)
{
  gsize length = strcspn (module, ".");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (system_modules); i++)
    if (strlen (system_modules[i]) == length &&
        g_ascii_strncasecmp (module, system_modules[i], length) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_flame_get_role:
 * @node: a node
 *
 * Returns: the hue of its module: always the same for one name
 */
NsColorRole
ns_flame_get_role (const NsCallNode *node)
{
  /* No grey: that is the system's. */
  static const NsColorRole roles[] = {
    NS_COLOR_WINHTTP, NS_COLOR_WININET, NS_COLOR_CHROMIUM,
    NS_COLOR_LDAP,    NS_COLOR_QUIC,    NS_COLOR_DNS,
  };
  guint hash = 5381;
  const char *at;

  if (node->kind != NS_CALL_NODE_FRAME || node->module == NULL || node->is_kernel ||
      ns_flame_is_system (node->module))
    return NS_COLOR_TEXT_DIM;
  for (at = node->module; *at != '\0'; at++)
    hash = hash * 33 + (guchar) g_ascii_tolower (*at);
  return roles[hash % G_N_ELEMENTS (roles)];
}

/* A box whose edges sit on half px; very thin ones are a fill only. */
static void
paint_ground (NsPaint *paint, const NsCallNode *node, const NsFlameBox *box, double y, double alpha)
{
  double x0 = floor (box->x0) + 0.5;
  double x1 = MAX (floor (box->x1) - 0.5, x0);
  double y1 = y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale;
  NsColorRole role = ns_flame_get_role (node);
  static const double dashes[] = { 3, 2 };

  cairo_set_line_width (paint->cr, 1);
  if (x1 - x0 < 3)
    {
      ns_paint_box (paint, floor (box->x0), y, MAX (floor (box->x1), floor (box->x0) + 1), y1);
      ns_paint_color (paint, role, alpha * (FILL_PART + 0.2));
      cairo_fill (paint->cr);
      return;
    }
  ns_paint_box (paint, x0, y + 0.5, x1, y1 - 0.5);
  if (node->kind == NS_CALL_NODE_SEAM)
    {
      cairo_set_dash (paint->cr, dashes, 2, 0);
      ns_paint_color (paint, NS_COLOR_ACCENT, alpha);
      cairo_stroke (paint->cr);
      cairo_set_dash (paint->cr, NULL, 0, 0);
      return;
    }
  ns_paint_color (paint, role, alpha * FILL_PART);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, role, alpha);
  cairo_stroke (paint->cr);
}

static void
paint_found (NsPaint *paint, const NsFlameBox *box, double y)
{
  double y1 = y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale;

  ns_paint_box (paint, floor (box->x0), y, MAX (floor (box->x1), floor (box->x0) + 1), y1);
  ns_paint_color (paint, NS_COLOR_FIND, FOUND_PART);
  cairo_fill (paint->cr);
}

static void
paint_ring (NsPaint *paint, const NsFlameBox *box, double y, NsColorRole role, double width)
{
  double inset = width / 2;

  cairo_set_line_width (paint->cr, width);
  ns_paint_box (paint,
                floor (box->x0) + inset,
                y + inset,
                MAX (floor (box->x1) - inset, floor (box->x0) + inset + 1),
                y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale - inset);
  ns_paint_color (paint, role, 1);
  cairo_stroke (paint->cr);
}

/* How many rows, where the width means rows. */
static char *
dup_text (const NsFlameScene *scene, const NsFlameBox *box)
{
  const NsCallTree *tree = scene->layout->tree;
  const char *name = ns_call_tree_get_name (tree, box->node);

  if (box->node == 0 && scene->root_text != NULL)
    return g_strdup (scene->root_text);
  if (tree->weight != NS_CALL_WEIGHT_COUNT)
    return g_strdup (name);
  return g_strdup_printf ("%s · %u",
                          name,
                          g_array_index (tree->nodes, NsCallNode, box->node).total.n_rows);
}

static void
paint_text (NsPaint *paint,
            const NsFlameScene *scene,
            const NsFlameBox *box,
            double y,
            double alpha)
{
  double width = box->x1 - box->x0 - 10 * paint->scale;
  g_autofree char *text = NULL;

  if (width < MIN_TEXT_WIDTH * paint->scale || paint->n_texts >= NS_PAINT_MAX_TEXTS)
    return;
  text = dup_text (scene, box);
  ns_paint_color (paint, NS_COLOR_TEXT, alpha);
  ns_paint_text (paint,
                 paint->dense,
                 text,
                 box->x0 + 6 * paint->scale,
                 y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale / 2,
                 width);
}

static void
paint_box (NsPaint *paint, const NsFlameScene *scene, const NsFlameBox *box)
{
  const NsCallNode *node = &g_array_index (scene->layout->tree->nodes, NsCallNode, box->node);
  double y = box->level * NS_FLAME_LEVEL_HEIGHT * paint->scale - scene->top;
  gboolean is_found = scene->found != NULL && scene->found[box->node];
  double alpha = scene->found != NULL && !is_found ? FADED_ALPHA : 1;

  paint_ground (paint, node, box, y, alpha);
  if (is_found)
    paint_found (paint, box, y);
  paint_text (paint, scene, box, y, alpha);
  if (box->node == scene->selected)
    paint_ring (paint, box, y, scene->has_focus ? NS_COLOR_FOCUS : NS_COLOR_ACCENT, 2);
  else if (box->node == scene->hover)
    paint_ring (paint, box, y, NS_COLOR_TEXT_DIM, 1.5);
}

/**
 * ns_flame_paint:
 * @paint: where to paint
 * @scene: what to paint
 *
 * Paints the boxes in sight.
 */
void
ns_flame_paint (NsPaint *paint, const NsFlameScene *scene)
{
  double level_height = NS_FLAME_LEVEL_HEIGHT * paint->scale;
  guint i;

  if (scene->layout->tree == NULL)
    return;
  for (i = 0; i < scene->layout->boxes->len; i++)
    {
      const NsFlameBox *box = &g_array_index (scene->layout->boxes, NsFlameBox, i);
      double y = box->level * level_height - scene->top;

      if (y + level_height >= 0 && y < scene->height)
        paint_box (paint, scene, box);
    }
}
