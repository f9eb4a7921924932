/* Call stack of a row: the stacks of all threads involved with the thread switches between them,
 * newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/panel/ns-hidden-frames.h"
#include "ui/panel/ns-stack-cell.h"
#include "ui/panel/ns-stack-line.h"
#include "ui/panel/ns-stack-menu.h"
#include "ui/panel/ns-stack-range-switch.h"
#include "ui/panel/ns-stack-reason.h"
#include "ui/panel/ns-stack-symbols.h"
#include "ui/panel/ns-stack-view.h"

#include <glib/gi18n.h>

struct _NsStackView
{
  GtkWidget parent_instance;

  NsTrace *trace; /* trace of the shown row; NULL without one */
  NsTableId table;
  guint32 row;
  gboolean is_folding;
  GHashTable *unfolded; /* keys of expanded folds */
  GtkWidget *box;
  GtkWidget *parts; /* the #NsStackRangeSwitch */
  GtkWidget *list;
  GtkWidget *menu;
  GtkSingleSelection *selection;
  GListStore *lines;
  NsSymbolJob *symbols; /* (nullable) */
  GtkWidget *foot;      /* symbol progress */
  NsSession *session;   /* (nullable): has the hidden frames */
  GtkWidget *hidden;
};

G_DEFINE_FINAL_TYPE (NsStackView, ns_stack_view, GTK_TYPE_WIDGET)

static gboolean
is_nothing_selected (NsStackView *self)
{
  return self->session != NULL && ns_session_get_selected (self->session)->len == 0;
}

static void
add_lines (NsStackView *self, GListStore *lines, const NsStackLineOptions *options)
{
  if (is_nothing_selected (self))
    ns_stack_lines_add_note (lines, _ ("Select a row or a bar to see its call stack."));
  else if (self->table == NS_TABLE_EVENTS)
    ns_stack_lines_add_event (lines, options, self->row);
  else if (self->table == NS_TABLE_TASKS)
    ns_stack_lines_add_task (lines, options, self->row);
  else
    ns_stack_lines_add_activity (lines, options, self->row);
}

static void
show (NsStackView *self)
{
  NsStackLineOptions options = { .trace = self->trace,
                                 .symbols = self->symbols,
                                 .part = ns_stack_range_switch_get_range (
                                     NS_STACK_RANGE_SWITCH (self->parts)),
                                 .is_folding = self->is_folding,
                                 .unfolded = self->unfolded };
  g_autoptr (GHashTable) reasons = ns_stack_reasons_new (self->symbols);
  g_autoptr (GListStore) made = g_list_store_new (NS_TYPE_STACK_LINE);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_object_unref);
  guint i;

  options.reasons = reasons;
  if (self->session != NULL)
    options.hidden = ns_session_get_hidden_frames (self->session);
  if (self->trace != NULL)
    add_lines (self, made, &options);
  /* The list is replaced in one step, with complete lines. */
  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (made)); i++)
    g_ptr_array_add (lines, g_list_model_get_item (G_LIST_MODEL (made), i));
  g_list_store_splice (self->lines,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->lines)),
                       lines->pdata,
                       lines->len);
}

/* Replaces offsets by names loaded since; no line is added or removed. */
static void
symbols_changed_cb (NsStackView *self)
{
  g_autoptr (GHashTable) reasons = ns_stack_reasons_new (self->symbols);
  guint n_lines = g_list_model_get_n_items (G_LIST_MODEL (self->lines));
  guint i;

  for (i = 0; i < n_lines; i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (G_LIST_MODEL (self->lines), i);

      ns_stack_line_update (line, self->trace, self->symbols, reasons);
    }
}

/**
 * ns_stack_view_set_symbols:
 * @self: a view
 * @symbols: (nullable): job that names frames, from the next stack on
 */
void
ns_stack_view_set_symbols (NsStackView *self, NsSymbolJob *symbols)
{
  if (self->symbols != NULL)
    g_signal_handlers_disconnect_by_func (self->symbols, symbols_changed_cb, self);
  g_list_store_remove_all (self->lines);
  g_clear_pointer (&self->trace, ns_trace_unref);
  g_set_object (&self->symbols, symbols);
  ns_stack_symbols_set_job (NS_STACK_SYMBOLS (self->foot), symbols);
  if (symbols != NULL)
    g_signal_connect_object (symbols,
                             "changed",
                             G_CALLBACK (symbols_changed_cb),
                             self,
                             G_CONNECT_SWAPPED);
}

/**
 * ns_stack_view_set_session:
 * @self: a view
 * @session: (nullable): session whose hidden frames are skipped
 */
void
ns_stack_view_set_session (NsStackView *self, NsSession *session)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_func (self->session, show, self);
  g_set_object (&self->session, session);
  if (session != NULL)
    g_signal_connect_object (session,
                             "hidden-frames-changed",
                             G_CALLBACK (show),
                             self,
                             G_CONNECT_SWAPPED);
  ns_hidden_frames_set_session (NS_HIDDEN_FRAMES (self->hidden), session);
}

/* Applies changed stack settings. */
static void
view_changed_cb (NsStackView *self)
{
  ns_settings_apply_stacks ();
  show (self);
}

static void
set_row (NsStackView *self, NsTrace *trace, NsTableId table, guint32 row)
{
  if (trace != NULL)
    ns_trace_ref (trace);
  g_clear_pointer (&self->trace, ns_trace_unref);
  self->trace = trace;
  self->table = table;
  self->row = row;
  g_hash_table_remove_all (self->unfolded);
  gtk_widget_set_visible (self->parts, table != NS_TABLE_EVENTS);
  gtk_widget_set_visible (self->foot, table != NS_TABLE_EVENTS);
  show (self);
}

static NsStackLine *
get_selected (NsStackView *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

static void
toggle_fold (NsStackView *self)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  NsStackLine *line = get_selected (self);

  if (line == NULL || line->kind != NS_STACK_LINE_FOLD)
    return;
  if (!g_hash_table_remove (self->unfolded, ns_stack_line_get_key (line)))
    g_hash_table_add (self->unfolded, ns_stack_line_get_key (line));
  show (self);
  gtk_single_selection_set_selected (self->selection, position);
}

/* Filters for rows through the selected frame, or for all other rows. */
static void
filter_by_frame (NsStackView *self, gboolean is_without)
{
  NsStackLine *line = get_selected (self);
  g_autofree char *filter =
      line != NULL && self->trace != NULL ? ns_stack_line_dup_filter (line, self->trace) : NULL;
  g_autofree char *text = NULL;

  if (filter == NULL)
    return;
  text = is_without ? g_strdup_printf ("-%s", filter) : g_strdup (filter);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.add-condition", "s", text);
}

static void
only_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  filter_by_frame (NS_STACK_VIEW (widget), FALSE);
}

static void
without_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  filter_by_frame (NS_STACK_VIEW (widget), TRUE);
}

/* Hides frames like the selected one. */
static void
hide_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsStackView *self = NS_STACK_VIEW (widget);
  NsStackLine *line = get_selected (self);
  g_autofree char *module = NULL;
  g_autofree char *pattern = NULL;

  if (line == NULL || self->trace == NULL || self->session == NULL)
    return;
  if (g_str_equal (action, "stack.hide-module"))
    {
      module = ns_stack_line_dup_module (line, self->trace);
      pattern = module != NULL ? g_strdup_printf ("%s!*", module) : NULL;
    }
  else
    pattern = ns_stack_line_dup_function (line, self->trace);
  if (pattern != NULL)
    ns_session_hide_frames (self->session, pattern);
}

static void
why_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  ns_help_show (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, "stacks#missing");
}

/* Shows the events that support the row. */
static void
events_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "panel.events", NULL);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ns_stack_view_copy_frame (NS_STACK_VIEW (widget));
}

static void
show_part_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsStackView *self = NS_STACK_VIEW (widget);
  int part = g_variant_get_int32 (parameter);

  if (part >= 0 && part < NS_N_STACK_RANGES)
    ns_stack_range_switch_set_range (NS_STACK_RANGE_SWITCH (self->parts), (NsStackRange) part);
}

static void
activate_cb (NsStackView *self, guint position)
{
  NsStackLine *line;

  gtk_single_selection_set_selected (self->selection, position);
  line = get_selected (self);
  if (line != NULL && line->kind == NS_STACK_LINE_FOLD)
    toggle_fold (self);
  else
    filter_by_frame (self, FALSE);
}

/* Selects the line at a position. GtkListView has no function for it, so the picked cell is
 * used. */
static gboolean
select_at (NsStackView *self, double x, double y)
{
  GtkWidget *picked = gtk_widget_pick (self->list, x, y, GTK_PICK_DEFAULT);
  gpointer position = NULL;

  for (; picked != NULL && picked != self->list; picked = gtk_widget_get_parent (picked))
    if ((position = g_object_get_data (G_OBJECT (picked), NS_STACK_CELL_ITEM)) != NULL)
      break;
  if (position == NULL)
    return FALSE;
  gtk_single_selection_set_selected (self->selection, gtk_list_item_get_position (position));
  return TRUE;
}

static void
popup_menu (NsStackView *self, double x, double y)
{
  NsStackLine *line = get_selected (self);
  gboolean is_frame = line != NULL && line->kind == NS_STACK_LINE_FRAME;
  gboolean can_hide = is_frame && self->session != NULL;
  g_autofree char *module = is_frame ? ns_stack_line_dup_module (line, self->trace) : NULL;
  g_autofree char *filter = NULL;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "stack.only", is_frame);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "stack.without", is_frame);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "stack.hide-function", can_hide);
  gtk_widget_action_set_enabled (GTK_WIDGET (self),
                                 "stack.hide-module",
                                 can_hide && module != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self),
                                 "stack.events",
                                 line != NULL && self->table != NS_TABLE_EVENTS);
  filter = is_frame ? ns_stack_line_dup_filter (line, self->trace) : NULL;
  ns_stack_menu_popup (self->menu, self->session, filter, (int) x, (int) y);
}

static void
menu_cb (GtkGestureClick *click, int n_press, double x, double y, NsStackView *self)
{
  if (select_at (self, x, y))
    popup_menu (self, x, y);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        NsStackView *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  if (keyval >= GDK_KEY_1 && keyval < GDK_KEY_1 + NS_N_STACK_RANGES &&
      self->table != NS_TABLE_EVENTS)
    {
      ns_stack_range_switch_set_range (NS_STACK_RANGE_SWITCH (self->parts),
                                       (NsStackRange) (keyval - GDK_KEY_1));
      return TRUE;
    }
  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0))
    {
      /* Opens at the top of the list: GTK 4.8 does not report the position of a line. */
      popup_menu (self, 30, 30);
      return TRUE;
    }
  if (keyval == GDK_KEY_space)
    {
      toggle_fold (self);
      return TRUE;
    }
  return FALSE;
}

static void
fold_toggled_cb (NsStackView *self, GtkToggleButton *button)
{
  self->is_folding = gtk_toggle_button_get_active (button);
  g_hash_table_remove_all (self->unfolded);
  show (self);
}

static GtkWidget *
build_controls (NsStackView *self)
{
  GtkWidget *controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *space = gtk_label_new (NULL);
  GtkWidget *fold = gtk_toggle_button_new ();
  GtkWidget *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_button_set_icon_name (GTK_BUTTON (fold), "view-conceal-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (fold), FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (fold), TRUE);
  gtk_widget_set_tooltip_text (fold, _ ("Fold system frames"));
  ns_accessible_set_name (fold, _ ("Fold system frames"));
  g_signal_connect_swapped (fold, "toggled", G_CALLBACK (fold_toggled_cb), self);
  gtk_button_set_has_frame (GTK_BUTTON (copy), FALSE);
  gtk_widget_set_tooltip_text (copy, _ ("Copy the stack as text, all frames (Shift+Ctrl+C)"));
  ns_accessible_set_name (copy, _ ("Copy the stack"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (copy), "win.copy-stack");
  gtk_widget_set_hexpand (space, TRUE);
  gtk_widget_add_css_class (controls, "stack-controls");
  self->parts = ns_stack_range_switch_new ();
  g_signal_connect_object (self->parts, "notify::part", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (controls), self->parts);
  gtk_box_append (GTK_BOX (controls), space);
  self->hidden = ns_hidden_frames_new (FALSE);
  gtk_box_append (GTK_BOX (controls), self->hidden);
  gtk_box_append (GTK_BOX (controls), fold);
  gtk_box_append (GTK_BOX (controls), copy);
  return controls;
}

static void
build_menu (NsStackView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->menu = ns_stack_menu_new ();
  gtk_widget_set_parent (self->menu, self->list);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (menu_cb), self, 0);
  gtk_widget_add_controller (self->list, GTK_EVENT_CONTROLLER (click));
}

static GtkWidget *
build_list (NsStackView *self)
{
  GtkListItemFactory *factory = ns_stack_cell_factory_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->lines)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (self->selection), factory);
  ns_accessible_set_name (self->list, _ ("Stack"));
  /* Code is left-to-right in every language. */
  gtk_widget_set_direction (self->list, GTK_TEXT_DIR_LTR);
  g_signal_connect_object (self->list,
                           "activate",
                           G_CALLBACK (activate_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, 0);
  gtk_widget_add_controller (self->list, keys);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static void
ns_stack_view_dispose (GObject *object)
{
  NsStackView *self = NS_STACK_VIEW (object);

  g_clear_pointer (&self->trace, ns_trace_unref);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  if (self->symbols != NULL)
    g_signal_handlers_disconnect_by_func (self->symbols, symbols_changed_cb, self);
  g_clear_object (&self->symbols);
  g_clear_object (&self->session);
  g_clear_object (&self->lines);
  g_clear_pointer (&self->unfolded, g_hash_table_unref);
  G_OBJECT_CLASS (ns_stack_view_parent_class)->dispose (object);
}

static void
ns_stack_view_class_init (NsStackViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_stack_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "stack.only", NULL, only_cb);
  gtk_widget_class_install_action (widget_class, "stack.without", NULL, without_cb);
  gtk_widget_class_install_action (widget_class, "stack.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "stack.events", NULL, events_cb);
  gtk_widget_class_install_action (widget_class, "stack.part", "i", show_part_cb);
  gtk_widget_class_install_action (widget_class, "stack.hide-function", NULL, hide_cb);
  gtk_widget_class_install_action (widget_class, "stack.hide-module", NULL, hide_cb);
  gtk_widget_class_install_action (widget_class, "stack.why", NULL, why_cb);
}

static void
listen_to_settings (NsStackView *self)
{
  GSettings *settings = ns_settings_get ();

  if (settings == NULL)
    return;
  ns_settings_apply_stacks ();
  g_signal_connect_object (settings,
                           "changed::single-stack",
                           G_CALLBACK (view_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings,
                           "changed::tracing-frames",
                           G_CALLBACK (view_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

static void
ns_stack_view_init (NsStackView *self)
{
  self->is_folding = TRUE;
  self->unfolded = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->lines = g_list_store_new (NS_TYPE_STACK_LINE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), build_controls (self));
  gtk_box_append (GTK_BOX (self->box), build_list (self));
  self->foot = ns_stack_symbols_new ();
  gtk_box_append (GTK_BOX (self->box), self->foot);
  build_menu (self);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  listen_to_settings (self);
}

/**
 * ns_stack_view_new:
 *
 * Returns: (transfer floating): an empty view
 */
GtkWidget *
ns_stack_view_new (void)
{
  return g_object_new (NS_TYPE_STACK_VIEW, NULL);
}

/**
 * ns_stack_view_set_activity:
 * @self: a view
 * @trace: (nullable): the trace; %NULL clears the view
 * @activity: row of the activity table, 0-based; %G_MAXUINT32 for none
 *
 * Shows the call stacks that led to this request.
 */
void
ns_stack_view_set_activity (NsStackView *self, NsTrace *trace, guint32 activity)
{
  set_row (self, trace, NS_TABLE_ACTIVITIES, activity);
}

/**
 * ns_stack_view_set_task:
 * @self: a view
 * @trace: the trace
 * @row: row of the task table, 0-based
 *
 * Shows the call stacks that led to the queueing of the task.
 */
void
ns_stack_view_set_task (NsStackView *self, NsTrace *trace, guint32 row)
{
  set_row (self, trace, NS_TABLE_TASKS, row);
}

/**
 * ns_stack_view_set_event:
 * @self: a view
 * @trace: the trace
 * @row: row of the event table, 0-based
 *
 * Shows the stack of the event itself.
 *
 * Returns: number of frames
 */
guint
ns_stack_view_set_event (NsStackView *self, NsTrace *trace, guint32 row)
{
  guint n_frames = 0;

  set_row (self, trace, NS_TABLE_EVENTS, row);
  if (row < ns_trace_get_n_rows (trace, NS_TABLE_EVENTS))
    ns_stacks_get (trace->stacks, ns_trace_get_event (trace, row)->stack, &n_frames);
  return n_frames;
}

/**
 * ns_stack_view_to_text:
 * @self: a view
 *
 * Returns: (transfer full): the call stack as text, without folds
 */
char *
ns_stack_view_to_text (NsStackView *self)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GListStore) all = g_list_store_new (NS_TYPE_STACK_LINE);
  NsStackLineOptions options = { .trace = self->trace,
                                 .symbols = self->symbols,
                                 .part = ns_stack_range_switch_get_range (
                                     NS_STACK_RANGE_SWITCH (self->parts)) };
  guint i;

  if (self->trace != NULL)
    add_lines (self, all, &options);
  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (all)); i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (G_LIST_MODEL (all), i);

      g_string_append (text, line->text);
      if (line->second != NULL)
        g_string_append_printf (text, "\n  %s", line->second);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/**
 * ns_stack_view_copy_frame:
 * @self: a view
 *
 * Copies the selected line to the clipboard.
 *
 * Returns: whether a line was selected
 */
gboolean
ns_stack_view_copy_frame (NsStackView *self)
{
  NsStackLine *line = get_selected (self);

  if (line == NULL)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), line->text);
  return TRUE;
}

/* Frame to select once the lines have been laid out. */
typedef struct
{
  NsStackView *view;
  guint64 address;
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_object_unref (choice->view);
  g_free (choice);
}

/* Focuses a line. GTK 4.8 has no function for it, and focusing the list would focus its first
 * line. */
static void
focus_line (NsStackView *self, guint position)
{
  GtkWidget *row;

  for (row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *cell = gtk_widget_get_first_child (row);
      gpointer item = cell != NULL ? g_object_get_data (G_OBJECT (cell), NS_STACK_CELL_ITEM) : NULL;

      if (item != NULL && gtk_list_item_get_position (item) == position)
        gtk_widget_grab_focus (row);
    }
}

static gboolean
choose_cb (gpointer data)
{
  Choice *choice = data;
  NsStackView *self = choice->view;
  GListModel *lines = self->lines != NULL ? G_LIST_MODEL (self->lines) : NULL;
  guint i;

  /* NULL after dispose. */
  for (i = 0; lines != NULL && i < g_list_model_get_n_items (lines); i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (lines, i);

      if (line->kind != NS_STACK_LINE_FRAME || line->address != choice->address)
        continue;
      gtk_single_selection_set_selected (self->selection, i);
      gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", i);
      focus_line (self, i);
      break;
    }
  return G_SOURCE_REMOVE;
}

/**
 * ns_stack_view_choose_frame:
 * @self: a view
 * @address: address of the frame
 *
 * Shows the whole path, selects the frame and scrolls to it once the lines have been laid out.
 */
void
ns_stack_view_choose_frame (NsStackView *self, guint64 address)
{
  Choice *choice = g_new (Choice, 1);

  choice->view = g_object_ref (self);
  choice->address = address;
  ns_stack_range_switch_set_range (NS_STACK_RANGE_SWITCH (self->parts), NS_STACK_RANGE_FULL);
  g_idle_add_full (G_PRIORITY_LOW, choose_cb, choice, choice_free);
}

/**
 * ns_stack_view_get_parts:
 * @self: a view
 *
 * Returns: (transfer none): the #NsStackRangeSwitch that selects the part of the path
 */
GtkWidget *
ns_stack_view_get_parts (NsStackView *self)
{
  return self->parts;
}
