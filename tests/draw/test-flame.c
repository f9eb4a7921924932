/* Tests the layout of flame graph boxes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-paint.h"

/* Appends one node with its depth, name and rows, in tree order. */
static void
add_node (NsCallTree *tree, guint depth, const char *name, guint n_rows)
{
  NsCallNode node = { .kind = depth == 0 ? NS_CALL_NODE_ROOT : NS_CALL_NODE_FRAME,
                      .depth = depth,
                      .name = ns_strings_add (tree->names, name),
                      .total = { .n_rows = n_rows } };
  guint i;

  for (i = tree->nodes->len; i > 0; i--)
    if (g_array_index (tree->nodes, NsCallNode, i - 1).depth + 1 == depth)
      break;
  node.parent = i > 0 ? i - 1 : 0;
  for (i = node.parent; depth > 0; i = g_array_index (tree->nodes, NsCallNode, i).parent)
    {
      g_array_index (tree->nodes, NsCallNode, i).n_inside++;
      if (i == 0)
        break;
    }
  g_array_append_val (tree->nodes, node);
  tree->max_depth = MAX (tree->max_depth, depth);
}

/* Makes the tree all 10 > a 6 > (b 4 > c 4, d 2), e 3 > b 3; one row ends at the root. */
static NsCallTree *
make_tree (void)
{
  NsCallTree *tree = g_new0 (NsCallTree, 1);

  tree->nodes = g_array_new (FALSE, TRUE, sizeof (NsCallNode));
  tree->names = ns_strings_new ();
  add_node (tree, 0, "all", 10);
  add_node (tree, 1, "a", 6);
  add_node (tree, 2, "b", 4);
  add_node (tree, 3, "c", 4);
  add_node (tree, 2, "d", 2);
  add_node (tree, 1, "e", 3);
  add_node (tree, 2, "b", 3);
  return tree;
}

static void
assert_box (const NsFlameLayout *layout, guint32 node, double x0, double x1, guint level)
{
  const NsFlameBox *box = ns_flame_layout_get_box (layout, node);

  g_assert_nonnull (box);
  g_assert_cmpfloat_with_epsilon (box->x0, x0, 1e-9);
  g_assert_cmpfloat_with_epsilon (box->x1, x1, 1e-9);
  g_assert_cmpuint (box->level, ==, level);
}

static void
test_boxes_are_as_wide_as_their_share (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLayout layout;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1000);
  g_assert_cmpuint (layout.boxes->len, ==, 7);
  g_assert_cmpuint (layout.n_levels, ==, 4);
  assert_box (&layout, 0, 0, 1000, 0);
  assert_box (&layout, 1, 0, 600, 1);
  assert_box (&layout, 2, 0, 400, 2);
  assert_box (&layout, 3, 0, 400, 3);
  assert_box (&layout, 4, 400, 600, 2);
  assert_box (&layout, 5, 600, 900, 1);
  assert_box (&layout, 6, 600, 900, 2);
  ns_flame_layout_clear (&layout);
}

static void
test_focus_takes_the_whole_width (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLayout layout;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 2, 300);
  g_assert_cmpuint (layout.boxes->len, ==, 4);
  assert_box (&layout, 0, 0, 300, 0);
  assert_box (&layout, 1, 0, 300, 1);
  assert_box (&layout, 2, 0, 300, 2);
  assert_box (&layout, 3, 0, 300, 3);
  g_assert_null (ns_flame_layout_get_box (&layout, 4));
  ns_flame_layout_clear (&layout);
}

static void
test_pointer_finds_the_box_below_it (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLayout layout;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1000);
  g_assert_cmpuint (ns_flame_layout_find (&layout, 0, 0), ==, 0);
  g_assert_cmpuint (ns_flame_layout_find (&layout, 599, 2), ==, 4);
  g_assert_cmpuint (ns_flame_layout_find (&layout, 600, 2), ==, 6);
  g_assert_cmpuint (ns_flame_layout_find (&layout, 950, 1), ==, NS_FLAME_NONE);
  g_assert_cmpuint (ns_flame_layout_find (&layout, 10, 9), ==, NS_FLAME_NONE);
  ns_flame_layout_clear (&layout);
}

static void
test_boxes_too_narrow_to_see_are_left_out (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLayout layout;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1.4);
  g_assert_nonnull (ns_flame_layout_get_box (&layout, 1));
  g_assert_nonnull (ns_flame_layout_get_box (&layout, 3));
  g_assert_null (ns_flame_layout_get_box (&layout, 4));
  g_assert_null (ns_flame_layout_get_box (&layout, 6));
  ns_flame_layout_clear (&layout);
}

static void
test_keys_walk_the_tree (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLayout layout;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1000);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 0, NS_FLAME_CHILD), ==, 1);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 1, NS_FLAME_NEXT), ==, 5);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 5, NS_FLAME_NEXT), ==, 5);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 6, NS_FLAME_BEFORE), ==, 4);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 4, NS_FLAME_PARENT), ==, 1);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 4, NS_FLAME_CHILD), ==, 4);
  ns_flame_layout_clear (&layout);
}

static void
test_search_counts_nothing_twice (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameFinds finds;
  g_autofree guint8 *found = ns_flame_search (tree, "B", &finds);
  g_autofree guint8 *all = NULL;

  g_assert_cmpuint (finds.n_found, ==, 2);
  g_assert_cmpuint (finds.weight, ==, 7);
  g_assert_true (found[2] && found[6] && !found[1]);
  all = ns_flame_search (tree, "a", &finds);
  g_assert_cmpuint (finds.n_found, ==, 2);
  g_assert_cmpuint (finds.weight, ==, 10);
  g_assert_null (ns_flame_search (tree, "", &finds));
}

static void
test_weightless_tree_shows_its_root (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLayout layout;

  tree->weight = NS_CALL_WEIGHT_FAILURES;
  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 100);
  g_assert_cmpuint (layout.boxes->len, ==, 1);
  assert_box (&layout, 0, 0, 100, 0);
  ns_flame_layout_clear (&layout);
}

/* Formats level and node of each box, as `0:0 1:1*3` where three nodes share a box. */
static char *
boxes_of (const NsCallTree *tree, guint32 focus)
{
  GString *text = g_string_new (NULL);
  NsFlameLayout layout;
  guint i;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, focus, 1000);
  for (i = 0; i < layout.boxes->len; i++)
    {
      const NsFlameBox *box = &g_array_index (layout.boxes, NsFlameBox, i);

      g_string_append_printf (text, "%s%u:%u", i > 0 ? " " : "", box->level, box->node);
      if (box->n_folded > 1)
        g_string_append_printf (text, "*%u", box->n_folded);
    }
  ns_flame_layout_clear (&layout);
  return g_string_free (text, FALSE);
}

/* Makes the tree all > three system modules > mail > two system modules > mail, and a branch of
 * four system modules with two children. */
static NsCallTree *
make_system_tree (void)
{
  static const struct
  {
    guint depth;
    guint n_rows;
    const char *module;
  } nodes[] = {
    { 0, 10, NULL },         { 1, 10, "ntdll.dll" }, { 2, 10, "kernel32.dll" },
    { 3, 10, "user32.dll" }, { 4, 8, "mail.exe" },   { 5, 8, "ntdll.dll" },
    { 6, 8, "user32.dll" },  { 7, 8, "mail.exe" },   { 4, 2, "ntdll.dll" },
    { 5, 2, "user32.dll" },  { 6, 2, "win32u.dll" }, { 7, 2, "user32.dll" },
    { 8, 1, "ntdll.dll" },   { 8, 1, "mail.exe" },
  };
  NsCallTree *tree = g_new0 (NsCallTree, 1);
  guint i;

  tree->nodes = g_array_new (FALSE, TRUE, sizeof (NsCallNode));
  tree->names = ns_strings_new ();
  for (i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      add_node (tree,
                nodes[i].depth,
                nodes[i].module != NULL ? nodes[i].module : "all",
                nodes[i].n_rows);
      g_array_index (tree->nodes, NsCallNode, i).module = nodes[i].module;
    }
  return tree;
}

static void
test_frames_of_the_system_are_one_box (void)
{
  g_autoptr (NsCallTree) tree = make_system_tree ();
  g_autofree char *all = boxes_of (tree, 0);
  g_autofree char *inside = boxes_of (tree, 1);
  g_autofree char *deeper = boxes_of (tree, 4);
  g_autofree char *four = boxes_of (tree, 8);

  g_assert_cmpstr (all, ==, "0:0 1:1*3 2:4 3:5 4:6 5:7 2:8*4 3:12 3:13");
  /* With the fold opened each node has a box. */
  g_assert_cmpstr (inside, ==, "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7 4:8*4 5:12 5:13");
  g_assert_cmpstr (four, ==, "0:0 1:1*3 2:8 3:9 4:10 5:11 6:12 6:13");
  g_assert_cmpstr (deeper, ==, "0:0 1:1*3 2:4 3:5 4:6 5:7");
}

/* Nodes inside a fold are found at its box; keyboard navigation skips them. */
static void
test_a_fold_stands_for_what_it_holds (void)
{
  g_autoptr (NsCallTree) tree = make_system_tree ();
  NsFlameLayout layout;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1000);
  assert_box (&layout, 2, 0, 1000, 1);
  assert_box (&layout, 3, 0, 1000, 1);
  assert_box (&layout, 11, 800, 1000, 2);
  g_assert_cmpuint (ns_flame_layout_get_box (&layout, 3)->node, ==, 1);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 4, NS_FLAME_PARENT), ==, 1);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 3, NS_FLAME_PARENT), ==, 0);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 1, NS_FLAME_CHILD), ==, 4);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 8, NS_FLAME_CHILD), ==, 12);
  g_assert_cmpuint (ns_flame_layout_step (&layout, 4, NS_FLAME_NEXT), ==, 8);
  ns_flame_layout_clear (&layout);
}

static NsFlameLook
look_of (const NsCallTree *tree, guint32 node, NsFlameColor color)
{
  NsFlameLayout layout;
  NsFlameLook look;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1000);
  look = ns_flame_get_look (&layout, node, color);
  ns_flame_layout_clear (&layout);
  return look;
}

static NsColorRole
role_of (const char *module)
{
  g_autoptr (NsCallTree) tree = make_tree ();

  g_array_index (tree->nodes, NsCallNode, 1).module = module;
  return look_of (tree, 1, NS_FLAME_COLOR_MODULE).role;
}

static void
test_one_module_has_one_hue_and_the_system_none (void)
{
  NsColorRole role = role_of ("Mail.dll");

  g_assert_cmpint (role, !=, NS_COLOR_TEXT_DIM);
  g_assert_cmpint (role_of ("MAIL.DLL"), ==, role);
  g_assert_cmpint (role_of ("NTDLL.dll"), ==, NS_COLOR_TEXT_DIM);
}

/* Formats the hues of the seven nodes of make_tree() for these modules; each new hue gets the next
 * letter. */
static char *
hues_of (const char *const modules[7])
{
  g_autoptr (NsCallTree) tree = make_tree ();
  GString *text = g_string_new (NULL);
  NsColorRole met[7];
  guint n_met = 0;
  guint32 i;

  for (i = 0; i < 7; i++)
    g_array_index (tree->nodes, NsCallNode, i).module = modules[i];
  for (i = 0; i < 7; i++)
    {
      NsColorRole role = look_of (tree, i, NS_FLAME_COLOR_MODULE).role;
      guint k;

      for (k = 0; k < n_met && met[k] != role; k++)
        ;
      if (k == n_met)
        met[n_met++] = role;
      g_string_append_c (text, role == NS_COLOR_TEXT_DIM ? '-' : (char) ('a' + k));
    }
  return g_string_free (text, FALSE);
}

static void
test_a_program_and_what_it_calls_have_one_hue (void)
{
  static const char *const two[7] = { NULL,      "mail.exe", "mapi.dll", "ntdll.dll",
                                      "net.dll", "calc.exe", "mapi.dll" };
  static const char *const below[7] = { NULL,       "ntdll.dll", "mail.exe", "mapi.dll",
                                        "calc.exe", "ntdll.dll", "Mail.EXE" };
  static const char *const one[7] = { NULL,      "mail.exe", "mapi.dll", "ntdll.dll",
                                      "net.dll", "mail.exe", "mapi.dll" };
  g_autofree char *of_two = hues_of (two);
  g_autofree char *of_below = hues_of (below);
  g_autofree char *of_one = hues_of (one);

  g_assert_cmpstr (of_two, ==, "-bb-bcc");
  g_assert_cmpstr (of_below, ==, "--bbc-b");
  /* A single program has a hue for each of its modules. */
  g_assert_cmpstr (of_one, ==, "-bc-dbc");
}

/* As many programs as hues: no two programs share a hue, whatever their names. */
static void
test_six_programs_have_six_hues (void)
{
  g_autoptr (NsCallTree) tree = g_new0 (NsCallTree, 1);
  guint64 met = 0;
  guint i;

  tree->nodes = g_array_new (FALSE, TRUE, sizeof (NsCallNode));
  tree->names = ns_strings_new ();
  add_node (tree, 0, "all", 7);
  for (i = 0; i < NS_FLAME_N_FAMILIES; i++)
    add_node (tree, 1, "a", 1);
  for (i = 0; i < NS_FLAME_N_FAMILIES; i++)
    {
      static const char *const names[] = { "a.exe", "g.exe", "m.exe", "s.exe", "y.exe", "b.exe" };

      g_array_index (tree->nodes, NsCallNode, i + 1).module = names[i];
    }
  for (i = 0; i < NS_FLAME_N_FAMILIES; i++)
    met |= G_GUINT64_CONSTANT (1) << look_of (tree, i + 1, NS_FLAME_COLOR_MODULE).role;
  g_assert_cmpint (__builtin_popcountll (met), ==, NS_FLAME_N_FAMILIES);
}

/* Two programs prefer the same hue. */
static void
test_the_heavier_program_keeps_its_hue (void)
{
  static const char *const names[] = {
    "b.exe", "c.exe", "d.exe", "e.exe", "f.exe", "g.exe", "h.exe"
  };
  NsColorRole wanted = role_of ("a.exe");
  guint n_tried = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (NsCallTree) tree = g_new0 (NsCallTree, 1);

      tree->nodes = g_array_new (FALSE, TRUE, sizeof (NsCallNode));
      tree->names = ns_strings_new ();
      add_node (tree, 0, "all", 6);
      add_node (tree, 1, "light", 1);
      add_node (tree, 1, "heavy", 5);
      g_array_index (tree->nodes, NsCallNode, 1).module = "a.exe";
      g_array_index (tree->nodes, NsCallNode, 2).module = names[i];
      if (role_of (names[i]) != wanted)
        continue;
      n_tried++;
      g_assert_cmpint (look_of (tree, 2, NS_FLAME_COLOR_MODULE).role, ==, wanted);
      g_assert_cmpint (look_of (tree, 1, NS_FLAME_COLOR_MODULE).role, !=, wanted);
    }
  g_assert_cmpuint (n_tried, >, 0);
}

static void
test_failures_fill_their_boxes (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  NsFlameLook none;
  NsFlameLook half;
  NsFlameLook all;

  g_array_index (tree->nodes, NsCallNode, 2).total.n_failed = 2;
  g_array_index (tree->nodes, NsCallNode, 3).total.n_failed = 4;
  none = look_of (tree, 1, NS_FLAME_COLOR_FAILURES);
  half = look_of (tree, 2, NS_FLAME_COLOR_FAILURES);
  all = look_of (tree, 3, NS_FLAME_COLOR_FAILURES);
  g_assert_cmpint (none.role, ==, NS_COLOR_TEXT_DIM);
  g_assert_cmpint (half.role, ==, NS_COLOR_FAILURE);
  g_assert_cmpint (all.role, ==, NS_COLOR_FAILURE);
  g_assert_cmpfloat (half.fill, <, all.fill);
}

static char *
legend_to_text (const NsCallTree *tree, NsFlameColor color, gboolean has_finds)
{
  NsFlameLayout layout;
  g_autoptr (GArray) lines = NULL;
  GString *text = g_string_new (NULL);
  guint i;

  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, 1000);
  lines = ns_flame_legend_new (&layout, color, has_finds);
  for (i = 0; i < lines->len; i++)
    {
      const NsFlameLegendLine *line = &g_array_index (lines, NsFlameLegendLine, i);

      g_string_append_printf (text,
                              "%s%d %s",
                              i > 0 ? "; " : "",
                              line->kind,
                              line->modules != NULL ? line->modules : "");
    }
  ns_flame_layout_clear (&layout);
  return g_string_free (text, FALSE);
}

/* The legend has only modules in the picture, the widest first. */
static void
test_a_legend_says_what_colours_mean (void)
{
  g_autoptr (NsCallTree) tree = make_tree ();
  g_autofree char *modules = NULL;
  g_autofree char *kinds = NULL;
  g_autofree char *failures = NULL;

  g_array_index (tree->nodes, NsCallNode, 1).module = "mail.dll";
  g_array_index (tree->nodes, NsCallNode, 2).module = "mail.dll";
  g_array_index (tree->nodes, NsCallNode, 3).module = "ntdll.dll";
  g_array_index (tree->nodes, NsCallNode, 4).kind = NS_CALL_NODE_THREAD_SWITCH;
  g_array_index (tree->nodes, NsCallNode, 5).kind = NS_CALL_NODE_NOTE;
  g_array_index (tree->nodes, NsCallNode, 6).is_kernel = TRUE;
  modules = legend_to_text (tree, NS_FLAME_COLOR_MODULE, TRUE);
  kinds = legend_to_text (tree, NS_FLAME_COLOR_KIND, FALSE);
  failures = legend_to_text (tree, NS_FLAME_COLOR_FAILURES, FALSE);
  g_assert_cmpstr (modules, ==, "0 mail; 2 ; 8 ; 9 ");
  g_assert_cmpstr (kinds, ==, "4 ; 2 ; 3 ; 8 ");
  g_assert_cmpstr (failures, ==, "5 ; 6 ; 7 ; 8 ");
}

/* Counts the texts painted for @n_boxes adjacent boxes, each wide enough for its name. */
static guint
count_texts (guint n_boxes)
{
  g_autoptr (NsCallTree) tree = g_new0 (NsCallTree, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1, 1);
  cairo_t *cr = cairo_create (surface);
  PangoFontDescription *font = pango_font_description_from_string ("sans 9");
  NsFlameLayout layout;
  NsPalette palette;
  NsFlameScene scene = { &layout,
                         .selected = NS_FLAME_NONE,
                         .hover = NS_FLAME_NONE,
                         .height = 100 };
  NsPaint paint = { .cr = cr,
                    .palette = &palette,
                    .dense = font,
                    .caption = font,
                    .scale = 1,
                    .layout = pango_cairo_create_layout (cr) };
  guint i;

  ns_palette_init (&palette, NS_PALETTE_LIGHT);
  tree->nodes = g_array_new (FALSE, TRUE, sizeof (NsCallNode));
  tree->names = ns_strings_new ();
  add_node (tree, 0, "all", n_boxes - 1);
  for (i = 1; i < n_boxes; i++)
    add_node (tree, 1, "a", 1);
  ns_flame_layout_init (&layout);
  ns_flame_layout_update (&layout, tree, 0, n_boxes * 100);
  ns_flame_paint (&paint, &scene);
  ns_flame_layout_clear (&layout);
  g_object_unref (paint.layout);
  pango_font_description_free (font);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return paint.n_texts;
}

static void
test_a_picture_has_so_many_texts_only (void)
{
  g_assert_cmpuint (count_texts (NS_PAINT_MAX_TEXTS - 1), ==, NS_PAINT_MAX_TEXTS - 1);
  g_assert_cmpuint (count_texts (NS_PAINT_MAX_TEXTS), ==, NS_PAINT_MAX_TEXTS);
  g_assert_cmpuint (count_texts (NS_PAINT_MAX_TEXTS + 1), ==, NS_PAINT_MAX_TEXTS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame/boxes-are-as-wide-as-their-share",
                   test_boxes_are_as_wide_as_their_share);
  g_test_add_func ("/flame/focus-takes-the-whole-width", test_focus_takes_the_whole_width);
  g_test_add_func ("/flame/pointer-finds-the-box-below-it", test_pointer_finds_the_box_below_it);
  g_test_add_func ("/flame/boxes-too-narrow-to-see-are-left-out",
                   test_boxes_too_narrow_to_see_are_left_out);
  g_test_add_func ("/flame/keys-walk-the-tree", test_keys_walk_the_tree);
  g_test_add_func ("/flame/search-counts-nothing-twice", test_search_counts_nothing_twice);
  g_test_add_func ("/flame/weightless-tree-shows-its-root", test_weightless_tree_shows_its_root);
  g_test_add_func ("/flame/frames-of-the-system-are-one-box",
                   test_frames_of_the_system_are_one_box);
  g_test_add_func ("/flame/a-fold-stands-for-what-it-holds", test_a_fold_stands_for_what_it_holds);
  g_test_add_func ("/flame/one-module-has-one-hue-and-the-system-none",
                   test_one_module_has_one_hue_and_the_system_none);
  g_test_add_func ("/flame/a-program-and-what-it-calls-have-one-hue",
                   test_a_program_and_what_it_calls_have_one_hue);
  g_test_add_func ("/flame/six-programs-have-six-hues", test_six_programs_have_six_hues);
  g_test_add_func ("/flame/the-heavier-program-keeps-its-hue",
                   test_the_heavier_program_keeps_its_hue);
  g_test_add_func ("/flame/failures-fill-their-boxes", test_failures_fill_their_boxes);
  g_test_add_func ("/flame/a-legend-says-what-colours-mean", test_a_legend_says_what_colours_mean);
  g_test_add_func ("/flame/a-picture-has-so-many-texts-only",
                   test_a_picture_has_so_many_texts_only);
  return g_test_run ();
}
