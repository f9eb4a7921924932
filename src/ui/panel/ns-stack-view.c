/* The code path of a row: stacks of several threads with the seams between them, newest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-paint.h"
#include "ui/ns-spoken.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-stack-view.h"

#include <glib/gi18n.h>

/* A stack deeper than this is cut; the rest is said to be there. */
#define NS_STACK_VIEW_MAX_FRAMES 2000

/* So many frames of the system in a row are one line. */
#define NS_STACK_VIEW_MIN_FOLD 3

/* One line of the view. */
#define NS_TYPE_STACK_LINE (ns_stack_line_get_type ())
G_DECLARE_FINAL_TYPE (NsStackLine, ns_stack_line, NS, STACK_LINE, GObject)

struct _NsStackLine
{
  GObject parent_instance;

  char *text;
  const char *style; /* CSS class */
  const char *second_style;
  gboolean is_frame; /* the rest tells where it is */
  gboolean is_return;
  guint32 pid;
  guint64 address;
  gint64 time_ns;
};

static guint line_changed;

G_DEFINE_FINAL_TYPE (NsStackLine, ns_stack_line, G_TYPE_OBJECT)

static void
ns_stack_line_finalize (GObject *object)
{
  g_free (NS_STACK_LINE (object)->text);
  G_OBJECT_CLASS (ns_stack_line_parent_class)->finalize (object);
}

static void
ns_stack_line_class_init (NsStackLineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_stack_line_finalize;
  /* The name of a frame has come. */
  line_changed = g_signal_new ("changed",
                               NS_TYPE_STACK_LINE,
                               G_SIGNAL_RUN_LAST,
                               0,
                               NULL,
                               NULL,
                               NULL,
                               G_TYPE_NONE,
                               0);
}

static void
ns_stack_line_init (NsStackLine *self)
{
}

struct _NsStackView
{
  GtkWidget parent_instance;

  NsTrace *trace; /* of what is shown; NULL: nothing */
  NsTableId table;
  guint32 row;
  gboolean is_folding;
  GtkWidget *box;
  GListStore *lines;
  NsSymbolJob *symbols; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (NsStackView, ns_stack_view, GTK_TYPE_WIDGET)

static void
add_line (NsStackView *self, char *text, const char *style, const char *second_style)
{
  g_autoptr (NsStackLine) line = g_object_new (NS_TYPE_STACK_LINE, NULL);

  line->text = text;
  line->style = style;
  line->second_style = second_style;
  g_list_store_append (self->lines, line);
}

static gboolean
is_of_system (const NsTrace *trace, guint32 pid, guint64 address, gint64 time_ns)
{
  NsRow row = ns_trace_find_image (trace, pid, address, time_ns);
  const char *name =
      row != 0 ? ns_trace_text (trace, g_array_index (trace->images, NsImageRow, row - 1).name)
               : NULL;

  return ns_trace_is_kernel_address (trace, address) || (name != NULL && ns_flame_is_system (name));
}

/* How many frames from here on belong to the system. */
static guint
count_of_system (const NsTrace *trace,
                 const NsChainElement *element,
                 const guint64 *frames,
                 guint first,
                 guint end)
{
  guint32 pid = ns_stacks_get_pid (trace->stacks, element->stack);
  guint i;

  for (i = first; i < end && is_of_system (trace, pid, frames[i], element->time_ns); i++)
    ;
  return i - first;
}

static void
add_frame (NsStackView *self,
           const NsTrace *trace,
           const NsChainElement *element,
           guint pid,
           guint64 address,
           gboolean is_return)
{
  g_autoptr (NsStackLine) line = g_object_new (NS_TYPE_STACK_LINE, NULL);
  gboolean is_named;

  line->is_frame = TRUE;
  line->is_return = is_return;
  line->pid = pid;
  line->address = address;
  line->time_ns = element->time_ns;
  if (self->symbols != NULL)
    line->text = ns_symbol_job_name_frame (self->symbols,
                                           pid,
                                           address,
                                           element->time_ns,
                                           is_return,
                                           &is_named);
  else
    line->text = ns_trace_frame_to_text (trace, pid, address, element->time_ns);
  line->style = "stack-frame";
  line->second_style = g_str_has_prefix (line->text, "0x") ? "unresolved" : NULL;
  g_list_store_append (self->lines, line);
}

/* Names that have come take the place of offsets; no line moves. */
static void
symbols_changed_cb (NsStackView *self)
{
  guint n_lines = g_list_model_get_n_items (G_LIST_MODEL (self->lines));
  guint i;

  for (i = 0; i < n_lines; i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (G_LIST_MODEL (self->lines), i);
      g_autofree char *text = NULL;
      gboolean is_named;

      if (!line->is_frame)
        continue;
      text = ns_symbol_job_name_frame (self->symbols,
                                       line->pid,
                                       line->address,
                                       line->time_ns,
                                       line->is_return,
                                       &is_named);
      if (g_strcmp0 (text, line->text) == 0)
        continue;
      g_free (line->text);
      line->text = g_steal_pointer (&text);
      g_signal_emit (line, line_changed, 0);
    }
}

/**
 * ns_stack_view_set_symbols:
 * @self: a view
 * @symbols: (nullable): who names its frames from the next stack on
 */
void
ns_stack_view_set_symbols (NsStackView *self, NsSymbolJob *symbols)
{
  if (self->symbols != NULL)
    g_signal_handlers_disconnect_by_func (self->symbols, symbols_changed_cb, self);
  g_list_store_remove_all (self->lines);
  g_clear_pointer (&self->trace, ns_trace_unref);
  g_set_object (&self->symbols, symbols);
  if (symbols != NULL)
    g_signal_connect_object (symbols,
                             "changed",
                             G_CALLBACK (symbols_changed_cb),
                             self,
                             G_CONNECT_SWAPPED);
}

static void
add_frames (NsStackView *self, const NsTrace *trace, const NsChainElement *element)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (trace->stacks, element->stack, &n_frames);
  guint pid = ns_stacks_get_pid (trace->stacks, element->stack);
  guint n_shown = MIN (n_frames, NS_STACK_VIEW_MAX_FRAMES);
  guint i;

  for (i = element->n_hidden_leaf; i < n_shown; i++)
    {
      guint n_folded = self->is_folding ? count_of_system (trace, element, frames, i, n_shown) : 0;

      if (n_folded < NS_STACK_VIEW_MIN_FOLD)
        {
          add_frame (self, trace, element, pid, frames[i], i > 0);
          continue;
        }
      add_line (self,
                g_strdup_printf (ngettext ("%u system frame", "%u system frames", n_folded),
                                 n_folded),
                "dim",
                NULL);
      i += n_folded - 1;
    }
  if (n_frames > n_shown)
    add_line (self,
              g_strdup_printf (ngettext ("%u more frame", "%u more frames", n_frames - n_shown),
                               n_frames - n_shown),
              "dim",
              NULL);
}

/* What dispatched an element, and who had queued it. */
static void
add_seam (NsStackView *self, const NsChainElement *element, const NsChainElement *before)
{
  g_autofree char *waited = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const char *kind = element->subtype != NULL && *element->subtype != '\0'
                         ? element->subtype
                         : ns_task_kind_to_text (element->kind);

  if (before->tid_enqueue != NS_PID_UNKNOWN)
    /* Translators: a seam between two stacks */
    g_string_append_printf (text, _ ("queued on thread %u"), before->tid_enqueue);
  else
    g_string_append (text, _ ("queued on an unknown thread"));
  if (element->queued_ns != NS_UNKNOWN)
    {
      waited = ns_words_duration (element->queued_ns);
      g_string_append_printf (text, _ (" · waited %s"), waited);
    }
  if (kind != NULL)
    g_string_append_printf (text, " · %s", kind);
  add_line (self, g_string_free (g_steal_pointer (&text), FALSE), "stack-seam", NULL);
  if (element->omitted > 0)
    add_line (self,
              g_strdup_printf (ngettext ("↻ %u repeated piece left out",
                                         "↻ %u repeated pieces left out",
                                         element->omitted),
                               element->omitted),
              "dim",
              NULL);
}

static void
add_element (NsStackView *self,
             const NsTrace *trace,
             const NsChainElement *element,
             gboolean is_last)
{
  /* The stack of queued work is that of the thread that queued it. */
  guint32 tid = is_last ? element->tid_run : element->tid_enqueue;

  if (tid != NS_PID_UNKNOWN)
    add_line (self, g_strdup_printf (_ ("Thread %u"), tid), "stack-thread", NULL);
  if (element->stack != 0)
    add_frames (self, trace, element);
  else
    add_line (self,
              g_strdup (ns_words_get_missing_stack (element->missing)),
              "stack-missing",
              NULL);
  if (element->truncated)
    add_line (self, g_strdup (_ ("The path goes on; it was cut here.")), "dim", NULL);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
line_changed_cb (NsStackLine *line, GtkWidget *label)
{
  gtk_label_set_text (GTK_LABEL (label), line->text);
  gtk_widget_set_tooltip_text (label, line->text);
  ns_spoken_set_row_name (label, line->text);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item),
                                        line_changed_cb,
                                        gtk_list_item_get_child (item));
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  NsStackLine *line = NS_STACK_LINE (gtk_list_item_get_item (item));
  const char *classes[] = { "stack-line", line->style, line->second_style, NULL };

  gtk_widget_set_css_classes (label, classes);
  line_changed_cb (line, label);
  g_signal_connect_object (line, "changed", G_CALLBACK (line_changed_cb), label, 0);
}

static void
show_activity (NsStackView *self)
{
  g_autoptr (NsChain) chain = NULL;
  guint i;

  if (self->row < self->trace->activities->len)
    chain = ns_chain_new_for_activity (self->trace, self->row + 1);
  if (chain == NULL || chain->elements->len == 0)
    {
      add_line (self, g_strdup (_ ("No stack is known for this row.")), "stack-missing", NULL);
      return;
    }
  for (i = chain->elements->len; i > 0; i--)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i - 1);

      add_element (self, self->trace, element, i == chain->elements->len);
      if (i > 1)
        add_seam (self, element, element - 1);
    }
}

static void
show_event (NsStackView *self)
{
  const NsEventRow *event = self->row < self->trace->events->len
                                ? &g_array_index (self->trace->events, NsEventRow, self->row)
                                : NULL;
  NsChainElement element = { .time_ns = event != NULL ? event->time_ns : 0,
                             .stack = event != NULL ? event->stack : 0 };

  if (element.stack == 0)
    add_line (self, g_strdup (_ ("This record came without a stack.")), "stack-missing", NULL);
  else
    add_frames (self, self->trace, &element);
}

static void
show (NsStackView *self)
{
  g_list_store_remove_all (self->lines);
  if (self->trace == NULL)
    return;
  if (self->table == NS_TABLE_EVENTS)
    show_event (self);
  else
    show_activity (self);
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
  show (self);
}

static void
fold_toggled_cb (NsStackView *self, GtkCheckButton *button)
{
  self->is_folding = gtk_check_button_get_active (button);
  show (self);
}

static GtkWidget *
build_controls (NsStackView *self)
{
  GtkWidget *controls = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *fold = gtk_check_button_new_with_mnemonic (_ ("_Fold system frames"));
  GtkWidget *copy = gtk_button_new_with_mnemonic (_ ("_Copy"));

  gtk_check_button_set_active (GTK_CHECK_BUTTON (fold), TRUE);
  gtk_widget_set_hexpand (fold, TRUE);
  g_signal_connect_swapped (fold, "toggled", G_CALLBACK (fold_toggled_cb), self);
  gtk_widget_set_tooltip_text (copy, _ ("Copy the stack as text, all frames"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (copy), "win.copy-stack");
  gtk_widget_add_css_class (controls, "section");
  gtk_box_append (GTK_BOX (controls), fold);
  gtk_box_append (GTK_BOX (controls), copy);
  return controls;
}

static void
ns_stack_view_dispose (GObject *object)
{
  NsStackView *self = NS_STACK_VIEW (object);

  g_clear_pointer (&self->trace, ns_trace_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  if (self->symbols != NULL)
    g_signal_handlers_disconnect_by_func (self->symbols, symbols_changed_cb, self);
  g_clear_object (&self->symbols);
  g_clear_object (&self->lines);
  G_OBJECT_CLASS (ns_stack_view_parent_class)->dispose (object);
}

static void
ns_stack_view_class_init (NsStackViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_stack_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_stack_view_init (NsStackView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *list;

  self->is_folding = TRUE;
  self->lines = g_list_store_new (NS_TYPE_STACK_LINE);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (
                                gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->lines)))),
                            factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Stack"),
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), build_controls (self));
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
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
 * @trace: (nullable): the trace; %NULL to forget it
 * @activity: which activity, 0-based; %G_MAXUINT32 for none
 *
 * Shows how the code came to make this request.
 */
void
ns_stack_view_set_activity (NsStackView *self, NsTrace *trace, guint32 activity)
{
  set_row (self, trace, NS_TABLE_ACTIVITIES, activity);
}

/**
 * ns_stack_view_set_event:
 * @self: a view
 * @trace: the trace
 * @row: row of the table of events, 0-based
 *
 * Shows the record's own stack, as module and offset.
 *
 * Returns: how many frames it has
 */
guint
ns_stack_view_set_event (NsStackView *self, NsTrace *trace, guint32 row)
{
  guint n_frames = 0;

  set_row (self, trace, NS_TABLE_EVENTS, row);
  if (row < trace->events->len)
    ns_stacks_get (trace->stacks, g_array_index (trace->events, NsEventRow, row).stack, &n_frames);
  return n_frames;
}

/**
 * ns_stack_view_to_text:
 * @self: a view
 *
 * Returns: (transfer full): what it shows, with nothing folded
 */
char *
ns_stack_view_to_text (NsStackView *self)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GListStore) all = g_list_store_new (NS_TYPE_STACK_LINE);
  GListStore *shown = self->lines;
  gboolean is_folding = self->is_folding;
  guint n_lines;
  guint i;

  self->lines = all;
  self->is_folding = FALSE;
  show (self);
  self->lines = shown;
  self->is_folding = is_folding;
  n_lines = g_list_model_get_n_items (G_LIST_MODEL (all));
  for (i = 0; i < n_lines; i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (G_LIST_MODEL (all), i);

      g_string_append_printf (text, "%s\n", line->text);
    }
  return g_string_free (text, FALSE);
}
