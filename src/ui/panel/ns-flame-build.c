/* Builds the widgets of the flame graph page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/panel/ns-flame-legend.h"
#include "ui/panel/ns-flame-private.h"
#include "ui/panel/ns-hidden-frames.h"

#include <glib/gi18n.h>

/* Width of the note in characters, limited by the width of the panel. */
#define NOTE_CHARS 36

static void
stack_toggled_cb (GtkToggleButton *button, NsFlameView *self)
{
  guint i;

  for (i = 0; i < NS_CALL_N_STACKS; i++)
    if (self->stacks[i] == GTK_WIDGET (button) && gtk_toggle_button_get_active (button))
      ns_flame_view_set_stack (self, (NsCallStack) i);
}

/* Builds the toggles for the paths in the tree: whole paths from the first stack, whole paths from
 * the network call, or only the first stack. */
static GtkWidget *
build_stacks (NsFlameView *self)
{
  static const struct
  {
    NsCallStack stack;
    const char *label;
    const char *tooltip;
  } words[] = {
    { NS_CALL_STACK_FULL,
      N_ ("From first stack"),
      N_ ("Functions called from the start of the work") },
    { NS_CALL_STACK_BACK,
      N_ ("From network call"),
      N_ ("Callers of the functions that made requests") },
    { NS_CALL_STACK_FIRST,
      N_ ("First stack only"),
      N_ ("Start of the work, without later stacks") },
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  guint i;

  gtk_widget_add_css_class (box, "linked");
  for (i = 0; i < G_N_ELEMENTS (words); i++)
    {
      GtkWidget *button = gtk_toggle_button_new ();
      GtkWidget *label = gtk_label_new (_ (words[i].label));

      /* Ellipsized in a narrow window, in the middle because the labels differ at both ends. */
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
      gtk_label_set_width_chars (GTK_LABEL (label), 6);
      gtk_button_set_child (GTK_BUTTON (button), label);
      ns_accessible_set_name (button, _ (words[i].label));
      gtk_widget_set_tooltip_text (button, _ (words[i].tooltip));
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button),
                                     GTK_TOGGLE_BUTTON (self->stacks[words[0].stack]));
      self->stacks[words[i].stack] = button;
      gtk_box_append (GTK_BOX (box), button);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->stacks[self->shown]), TRUE);
  for (i = 0; i < NS_CALL_N_STACKS; i++)
    g_signal_connect (self->stacks[i], "toggled", G_CALLBACK (stack_toggled_cb), self);
  return box;
}

static void
stack_selected_cb (NsFlameView *self)
{
  static const NsCallStack stacks[] = { NS_CALL_STACK_FULL,
                                        NS_CALL_STACK_BACK,
                                        NS_CALL_STACK_FIRST };
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->stack));

  if (selected < G_N_ELEMENTS (stacks))
    ns_flame_view_set_stack (self, stacks[selected]);
}

static void
color_selected_cb (NsFlameView *self)
{
  ns_flame_area_set_color (self->area,
                           (NsFlameColor) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->color)));
  ns_flame_view_update_legend (self);
}

static void
make_controls (NsFlameView *self)
{
  static const char *const weights[] = { N_ ("Requests"),
                                         N_ ("Bytes"),
                                         N_ ("Time"),
                                         N_ ("Failures"),
                                         NULL };

  self->weight = ns_accessible_drop_down_new (weights, _ ("Meaning of the width"));
  g_signal_connect_swapped (self->weight,
                            "notify::selected",
                            G_CALLBACK (ns_flame_view_make_tree),
                            self);
  self->search = gtk_search_entry_new ();
  ns_accessible_set_name (self->search, _ ("Search frames"));
  gtk_widget_set_tooltip_text (self->search, _ ("Search frames (Ctrl+F); Enter: next match"));
  self->finds = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->finds, "caption");
  gtk_widget_add_css_class (self->finds, "finds");
  gtk_widget_set_can_target (self->finds, FALSE);
  gtk_widget_set_halign (self->finds, GTK_ALIGN_END);
  gtk_widget_set_valign (self->finds, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (ns_flame_view_find), self);
  self->hidden = ns_hidden_frames_new (TRUE);
}

/* Builds the search entry with the number of matches overlaid at its end. */
static GtkWidget *
build_search (NsFlameView *self)
{
  GtkWidget *overlay = gtk_overlay_new ();

  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->search);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->finds);
  gtk_widget_add_css_class (self->search, "flame-search");
  return overlay;
}

static void
next_find_cb (NsFlameView *self)
{
  ns_flame_area_step_find (self->area, 1);
  ns_flame_view_find (self);
}

static void
previous_find_cb (NsFlameView *self)
{
  ns_flame_area_step_find (self->area, -1);
  ns_flame_view_find (self);
}

static GtkWidget *
build_panel_controls (NsFlameView *self)
{
  static const char *const stacks[] = { N_ ("First stack at top"),
                                        N_ ("Network call at top"),
                                        N_ ("First stack only"),
                                        NULL };
  GtkWidget *controls = gtk_grid_new ();

  self->stack = ns_accessible_drop_down_new (stacks, _ ("Tree orientation"));
  g_signal_connect_swapped (self->stack, "notify::selected", G_CALLBACK (stack_selected_cb), self);
  gtk_widget_set_hexpand (self->stack, TRUE);
  gtk_widget_set_hexpand (self->search, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 8);
  gtk_grid_set_row_spacing (GTK_GRID (controls), 6);
  gtk_grid_set_column_spacing (GTK_GRID (controls), 6);
  gtk_grid_attach (GTK_GRID (controls), self->weight, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->stack, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), self->hidden, 2, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (controls), build_search (self), 0, 1, 3, 1);
  gtk_widget_set_margin_top (controls, 6);
  gtk_widget_add_css_class (controls, "flame-controls");
  return controls;
}

static GtkWidget *
caption_new (const char *text, GtkWidget *of)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_widget_add_css_class (label, "dim");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), of);
  return label;
}

/* Builds the toolbar: title, options, search, export and close. */
static GtkWidget *
build_page_controls (NsFlameView *self)
{
  static const char *const colors[] = { N_ ("Module"),
                                        N_ ("Kind of code"),
                                        N_ ("Failures"),
                                        N_ ("Waiting"),
                                        NULL };
  GtkWidget *controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *title = gtk_label_new (_ ("Call tree"));
  GtkWidget *space = gtk_label_new (NULL);
  GtkWidget *export = gtk_button_new_from_icon_name ("document-save-symbolic");
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *child;

  self->color = ns_accessible_drop_down_new (colors, _ ("Meaning of the colours"));
  g_signal_connect_swapped (self->color, "notify::selected", G_CALLBACK (color_selected_cb), self);
  gtk_widget_add_css_class (title, "section-title");
  gtk_widget_set_hexpand (space, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->search), SEARCH_CHARS);
  gtk_button_set_has_frame (GTK_BUTTON (export), FALSE);
  gtk_widget_set_tooltip_text (export, _ ("Export the tree as comma-separated values"));
  ns_accessible_set_name (export, _ ("Export the tree"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (export), "win.export-tree");
  gtk_button_set_has_frame (GTK_BUTTON (close), FALSE);
  gtk_widget_set_tooltip_text (close, _ ("Back to the table (Esc)"));
  ns_accessible_set_name (close, _ ("Back to the table"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (close), "win.call-tree");
  gtk_widget_add_css_class (controls, "call-tree-controls");
  self->wide_only_labels[0] = title;
  self->wide_only_labels[1] = caption_new (_ ("_Width"), self->weight);
  self->wide_only_labels[2] = caption_new (_ ("C_olour"), self->color);
  gtk_box_append (GTK_BOX (controls), title);
  gtk_box_append (GTK_BOX (controls), build_stacks (self));
  gtk_box_append (GTK_BOX (controls), self->wide_only_labels[1]);
  gtk_box_append (GTK_BOX (controls), self->weight);
  gtk_box_append (GTK_BOX (controls), self->wide_only_labels[2]);
  gtk_box_append (GTK_BOX (controls), self->color);
  gtk_box_append (GTK_BOX (controls), space);
  gtk_box_append (GTK_BOX (controls), build_search (self));
  gtk_box_append (GTK_BOX (controls), self->hidden);
  gtk_box_append (GTK_BOX (controls), export);
  gtk_box_append (GTK_BOX (controls), close);
  /* Children keep their natural height instead of filling the toolbar. */
  for (child = gtk_widget_get_first_child (controls); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    gtk_widget_set_valign (child, GTK_ALIGN_CENTER);
  return controls;
}

static void
show_scrollbar_cb (GtkAdjustment *adjustment, GtkWidget *scrollbar)
{
  gtk_widget_set_opacity (
      scrollbar,
      gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) ? 1 : 0);
}

/* Updates what depends on the selected or zoomed box. */
static void
chosen_cb (NsFlameView *self)
{
  ns_flame_view_update_chosen (self);
  ns_flame_view_update_crumbs (self);
  ns_flame_view_update_legend (self);
}

static GtkWidget *
build_picture (NsFlameView *self)
{
  GtkWidget *picture = gtk_overlay_new ();
  GtkAdjustment *adjustment;
  GtkWidget *scrollbar;

  self->area = ns_flame_area_new (GTK_WIDGET (self));
  adjustment = ns_flame_area_get_adjustment (self->area);
  gtk_widget_set_hexpand (GTK_WIDGET (self->area), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->area), TRUE);
  gtk_widget_add_css_class (picture, "flame");
  g_signal_connect_swapped (self->area, "chosen", G_CALLBACK (chosen_cb), self);
  scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, adjustment);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (show_scrollbar_cb), scrollbar, 0);
  /* Overlaid on the margin that the style keeps free for it, so the graph keeps its width. */
  gtk_widget_set_halign (scrollbar, GTK_ALIGN_END);
  gtk_overlay_set_child (GTK_OVERLAY (picture), GTK_WIDGET (self->area));
  gtk_overlay_add_overlay (GTK_OVERLAY (picture), scrollbar);
  return picture;
}

static void
line_chosen_cb (NsFlameView *self)
{
  guint32 node = ns_call_table_get_selected (self->table);

  if (node != NS_CALL_TABLE_NONE)
    ns_flame_area_select (self->area, node);
}

static void
line_activated_cb (NsFlameView *self)
{
  guint32 node = ns_call_table_get_selected (self->table);

  if (node != NS_CALL_TABLE_NONE)
    ns_flame_area_zoom_to (self->area, node);
}

/* Builds the pane with the graph above and the same tree as a table below. */
static GtkWidget *
build_halves (NsFlameView *self, GtkWidget *picture)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  gtk_paned_set_wide_handle (GTK_PANED (paned), TRUE);
  self->table = NS_CALL_TABLE (ns_call_table_new ());
  g_signal_connect_swapped (self->table, "chosen", G_CALLBACK (line_chosen_cb), self);
  g_signal_connect_swapped (self->table, "activated", G_CALLBACK (line_activated_cb), self);
  gtk_widget_set_size_request (GTK_WIDGET (self->table), -1, 120);
  gtk_paned_set_start_child (GTK_PANED (paned), picture);
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->table));
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  return paned;
}

static GtkWidget *
build_way (NsFlameView *self)
{
  GtkWidget *way = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->crumbs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  gtk_widget_set_overflow (self->crumbs, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (self->crumbs, TRUE);
  gtk_box_append (GTK_BOX (way), self->crumbs);
  gtk_widget_add_css_class (way, "crumbs");
  gtk_widget_add_css_class (way, "flame-way");
  if (self->is_page)
    {
      self->legend = ns_flame_legend_widget_new ();
      gtk_box_append (GTK_BOX (way), self->legend);
    }
  return way;
}

static void
make_buttons (NsFlameView *self)
{
  self->only_rows = ns_accessible_button_new (_ ("Only _These Rows"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->only_rows), "flame.only");
  gtk_widget_set_tooltip_text (
      self->only_rows,
      _ ("Filter the table by the path to the selected frame (Shift+Enter)"));
  self->function_rows = ns_accessible_button_new (_ ("Rows through This _Function"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->function_rows), "flame.function");
  gtk_widget_set_tooltip_text (self->function_rows,
                               _ ("All rows whose path includes this function"));
  self->name = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (self->name, "flame-name");
}

/* Builds the line about the selected node. */
static GtkWidget *
build_page_foot (NsFlameView *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *space = gtk_label_new (NULL);

  self->sums = gtk_label_new (NULL);
  self->no_stack = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->no_stack, "dim");
  gtk_label_set_ellipsize (GTK_LABEL (self->sums), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (self->no_stack), PANGO_ELLIPSIZE_END);
  ns_flame_view_ellipsize (self->only_rows);
  ns_flame_view_ellipsize (self->function_rows);
  gtk_widget_set_hexpand (space, TRUE);
  gtk_widget_add_css_class (self->only_rows, "inline-link");
  gtk_widget_add_css_class (self->function_rows, "inline-link");
  gtk_widget_add_css_class (foot, "flame-foot");
  gtk_box_append (GTK_BOX (foot), self->name);
  gtk_box_append (GTK_BOX (foot), self->sums);
  gtk_box_append (GTK_BOX (foot), self->only_rows);
  gtk_box_append (GTK_BOX (foot), self->function_rows);
  gtk_box_append (GTK_BOX (foot), space);
  gtk_box_append (GTK_BOX (foot), self->no_stack);
  return foot;
}

static GtkWidget *
build_card (NsFlameView *self)
{
  static const char *const words[NS_FLAME_N_SUMS] = {
    [NS_FLAME_SUM_ROWS] = N_ ("Requests"),
    [NS_FLAME_SUM_FAILED] = N_ ("Failed"),
    [NS_FLAME_SUM_DURATION] = N_ ("Time in requests"),
    [NS_FLAME_SUM_QUEUED] = N_ ("Pool wait"),
    [NS_FLAME_SUM_RECEIVED] = N_ ("Received (B)"),
  };
  GtkWidget *grid = gtk_grid_new ();
  int i;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  for (i = 0; i < NS_FLAME_N_SUMS; i++)
    {
      GtkWidget *label = gtk_label_new (_ (words[i]));

      self->values[i] = gtk_label_new (NULL);
      self->shares[i] = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_xalign (GTK_LABEL (self->values[i]), 1);
      gtk_label_set_xalign (GTK_LABEL (self->shares[i]), 1);
      gtk_widget_set_hexpand (label, TRUE);
      gtk_widget_add_css_class (self->values[i], "numeric");
      gtk_widget_add_css_class (self->shares[i], "dim");
      gtk_grid_attach (GTK_GRID (grid), label, 0, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), self->values[i], 1, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), self->shares[i], 2, i, 1, 1);
    }
  return grid;
}

/* Builds the card of the selected node and its buttons. */
static GtkWidget *
build_panel_foot (NsFlameView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *large = ns_accessible_button_new (_ ("Open _Large"));
  GtkWidget *note = gtk_label_new (
      _ ("A dashed box is a thread switch: the work continued on another thread. Enter looks "
         "inside, Backspace goes back out, arrow keys move the selection."));

  self->card = build_card (self);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "flame-card");
  gtk_box_append (GTK_BOX (card), self->name);
  gtk_box_append (GTK_BOX (card), self->card);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (large), "win.call-tree");
  gtk_widget_set_tooltip_text (large,
                               _ ("Flame graph and call tree over the whole window (Ctrl+T)"));
  gtk_widget_add_css_class (self->only_rows, "suggested-action");
  gtk_widget_add_css_class (foot, "flame-controls");
  gtk_box_append (GTK_BOX (buttons), self->only_rows);
  gtk_box_append (GTK_BOX (buttons), large);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  /* GTK 4.8 measures the height before the width of the panel is known. */
  gtk_label_set_max_width_chars (GTK_LABEL (note), NOTE_CHARS);
  gtk_widget_add_css_class (note, "caption");
  gtk_box_append (GTK_BOX (foot), card);
  gtk_box_append (GTK_BOX (foot), buttons);
  gtk_box_append (GTK_BOX (foot), self->function_rows);
  gtk_box_append (GTK_BOX (foot), note);
  gtk_widget_set_halign (self->function_rows, GTK_ALIGN_START);
  /* The foot scrolls in a low window, so that the graph stays visible. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), foot);
  return scrolled;
}

/* Builds all widgets of the page. */
void
ns_flame_view_build (NsFlameView *self)
{
  GtkWidget *picture = build_picture (self);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, self->is_page ? 0 : 6);
  gtk_widget_add_css_class (self->box, self->is_page ? "call-tree-page" : "section");
  make_controls (self);
  make_buttons (self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (next_find_cb), self);
  g_signal_connect_swapped (self->search, "next-match", G_CALLBACK (next_find_cb), self);
  g_signal_connect_swapped (self->search, "previous-match", G_CALLBACK (previous_find_cb), self);
  gtk_box_append (GTK_BOX (self->box),
                  self->is_page ? build_page_controls (self) : build_panel_controls (self));
  gtk_box_append (GTK_BOX (self->box), build_way (self));
  gtk_box_append (GTK_BOX (self->box), self->is_page ? build_halves (self, picture) : picture);
  gtk_box_append (GTK_BOX (self->box),
                  self->is_page ? build_page_foot (self) : build_panel_foot (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  chosen_cb (self);
}
