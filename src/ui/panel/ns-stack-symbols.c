/* Progress of symbol loading: the running download, and how many modules have symbols.
 *
 * Placed below the stack, so that changes here move no frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-stack-symbols.h"

#include <glib/gi18n.h>

/* Maximum height of the module list: five modules. */
#define MODULES_PX 122

struct _NsStackSymbols
{
  GtkWidget parent_instance;

  NsSymbolJob *job; /* (nullable) */
  GtkWidget *box;
  GtkWidget *progress; /* running download */
  GtkWidget *file;
  GtkWidget *percent;
  GtkWidget *bar;
  GtkWidget *foot; /* summary of all modules */
  GtkWidget *count;
  GtkWidget *retry;
  GtkWidget *shown; /* toggle that shows the list */
  GtkWidget *modules;
  GtkStringList *lines; /* one per module: state, name and reason */
};

/* Parts of a line of the list, separated by tabs. */
enum
{
  PART_STATE,
  PART_NAME,
  PART_REASON,
  N_PARTS,
};

/* Icon, label and reason of each module state; the tooltip has the whole reason. Themes draw
 * “dialog-question” like a missing character, so it is not used. */
static const struct
{
  const char *icon;
  const char *words;
  const char *reason; /* (nullable) */
} states[] = {
  [NS_MODULE_WAITING] = { "content-loading-symbolic", N_ ("waiting"), NULL },
  [NS_MODULE_SEARCHING] = { "content-loading-symbolic", N_ ("reading"), NULL },
  [NS_MODULE_DOWNLOADING] = { "content-loading-symbolic", N_ ("reading"), NULL },
  [NS_MODULE_FOUND] = { "object-select-symbolic", N_ ("named"), NULL },
  [NS_MODULE_NOT_FOUND] = { "action-unavailable-symbolic",
                            N_ ("no PDB"),
                            N_ ("not found in the symbol path") },
  [NS_MODULE_NO_MATCH] = { "dialog-warning-symbolic",
                           N_ ("no match"),
                           N_ ("PDB of another build") },
  [NS_MODULE_NO_IDENTITY] = { "action-unavailable-symbolic",
                              N_ ("no debug ID"),
                              N_ ("its PDB cannot be identified") },
  [NS_MODULE_REFUSED] = { "dialog-warning-symbolic", N_ ("refused"), N_ ("not allowed") },
  [NS_MODULE_FAILED] = { "dialog-warning-symbolic", N_ ("failed"), N_ ("PDB not readable") },
};

G_DEFINE_FINAL_TYPE (NsStackSymbols, ns_stack_symbols, GTK_TYPE_WIDGET)

static gboolean
is_failed (NsModuleState state)
{
  return state == NS_MODULE_NOT_FOUND || state == NS_MODULE_NO_MATCH ||
         state == NS_MODULE_REFUSED || state == NS_MODULE_FAILED;
}

static void
show_progress (NsStackSymbols *self, const NsSymbolModule *module, guint n_done, guint n_modules)
{
  g_autofree char *text = NULL;
  g_autofree char *percent = NULL;
  double part = module->info.n_total > 0
                    ? CLAMP ((double) module->info.n_done / (double) module->info.n_total, 0, 1)
                    : 0;

  /* Translators: a file of symbols, how many modules are done with, of how many. */
  text = g_strdup_printf (ngettext ("Reading %s · %u of %u module",
                                    "Reading %s · %u of %u modules",
                                    n_modules),
                          module->pdb != NULL ? module->pdb : module->name,
                          n_done,
                          n_modules);
  percent = module->info.n_total > 0 ? g_strdup_printf (_ ("%u %%"), (guint) (100 * part))
                                     : g_strdup ("");
  gtk_label_set_text (GTK_LABEL (self->file), text);
  gtk_label_set_text (GTK_LABEL (self->percent), percent);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), part);
}

/* Replaces only lines that changed, so that the list does not scroll. */
static void
update_lines (NsStackSymbols *self, GPtrArray *modules)
{
  guint n_lines = g_list_model_get_n_items (G_LIST_MODEL (self->lines));
  guint n_modules = modules != NULL ? modules->len : 0;
  guint i;

  for (i = 0; i < n_modules; i++)
    {
      const NsSymbolModule *module = g_ptr_array_index (modules, i);
      /* The name is from the trace file, which may contain any character. */
      g_autofree char *name = g_strdelimit (g_strdup (module->name), "\t", ' ');
      g_autofree char *line =
          g_strdup_printf ("%u\t%s\t%s",
                           (guint) module->info.state,
                           name,
                           module->info.state != NS_MODULE_FOUND && module->info.reason != NULL
                               ? module->info.reason
                               : "");
      const char *added[] = { line, NULL };

      if (i >= n_lines || g_strcmp0 (gtk_string_list_get_string (self->lines, i), line) != 0)
        gtk_string_list_splice (self->lines, i, i < n_lines ? 1 : 0, added);
    }
  if (n_lines > n_modules)
    gtk_string_list_splice (self->lines, n_modules, n_lines - n_modules, NULL);
}

static void
update (NsStackSymbols *self)
{
  g_autoptr (GPtrArray) modules = self->job != NULL ? ns_symbol_job_list_modules (self->job) : NULL;
  guint n_modules = modules != NULL ? modules->len : 0;
  const NsSymbolModule *reading = NULL;
  g_autofree char *count = NULL;
  guint n_named = 0;
  guint n_done = 0;
  guint n_failed = 0;
  guint i;

  for (i = 0; i < n_modules; i++)
    {
      const NsSymbolModule *module = g_ptr_array_index (modules, i);

      n_named += module->info.state == NS_MODULE_FOUND ? 1 : 0;
      n_failed += is_failed (module->info.state) ? 1 : 0;
      n_done += module->info.state != NS_MODULE_WAITING &&
                        module->info.state != NS_MODULE_SEARCHING &&
                        module->info.state != NS_MODULE_DOWNLOADING
                    ? 1
                    : 0;
      if (reading == NULL && module->info.state == NS_MODULE_DOWNLOADING)
        reading = module;
    }
  if (reading != NULL)
    show_progress (self, reading, n_done, n_modules);
  gtk_widget_set_visible (self->progress, reading != NULL);
  /* Translators: of all modules in stacks, how many have symbols. */
  count = g_strdup_printf (_ ("%u of %u named"), n_named, n_modules);
  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_widget_set_visible (self->retry, n_failed > 0);
  gtk_widget_set_visible (self->foot, n_modules > 0);
  gtk_widget_set_visible (self->modules,
                          n_modules > 0 &&
                              gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->shown)));
  update_lines (self, modules);
}

static void
setup_module_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  guint i;

  gtk_box_append (GTK_BOX (box), gtk_image_new ());
  for (i = PART_NAME; i <= N_PARTS; i++)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label),
                               i == PART_NAME ? PANGO_ELLIPSIZE_MIDDLE
                               : i == N_PARTS ? PANGO_ELLIPSIZE_END
                                              : PANGO_ELLIPSIZE_NONE);
      /* The reason wraps to a second line in a narrow panel. */
      gtk_label_set_wrap (GTK_LABEL (label), i == N_PARTS);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_lines (GTK_LABEL (label), i == N_PARTS ? 2 : -1);
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_widget_add_css_class (box, "module-line");
  gtk_list_item_set_child (item, box);
}

/* Sets name, state and reason, each with a fixed share of the width, so that they form columns. */
static void
bind_module_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const char *line = gtk_string_object_get_string (gtk_list_item_get_item (item));
  g_auto (GStrv) parts = g_strsplit (line, "\t", N_PARTS);
  guint state = (guint) g_ascii_strtoull (parts[PART_STATE], NULL, 10);
  const char *words = _ (states[state].words);
  const char *reason = states[state].reason != NULL ? _ (states[state].reason) : "";
  const char *texts[] = { parts[PART_NAME], words, reason };
  static const int widths[] = { 12, 10, 4 };
  GtkWidget *child = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  g_autofree char *spoken =
      g_strjoin (", ", parts[PART_NAME], words, *reason != '\0' ? reason : NULL, NULL);
  g_autofree char *tip = NULL;
  g_autofree char *tooltip = g_strjoin ("\n",
                                        parts[PART_NAME],
                                        *parts[PART_REASON] != '\0' ? parts[PART_REASON] : NULL,
                                        NULL);
  guint i;

  gtk_image_set_from_icon_name (GTK_IMAGE (child), states[state].icon);
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      child = gtk_widget_get_next_sibling (child);
      gtk_label_set_text (GTK_LABEL (child), texts[i]);
      gtk_label_set_width_chars (GTK_LABEL (child), widths[i]);
      gtk_label_set_max_width_chars (GTK_LABEL (child), widths[i]);
      gtk_widget_set_hexpand (child, i == 2);
    }
  gtk_widget_add_css_class (gtk_widget_get_prev_sibling (child), "strong");
  gtk_widget_add_css_class (child, "dim");
  tip = ns_words_tooltip (tooltip);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), tip);
  ns_accessible_set_row_name (gtk_list_item_get_child (item), spoken);
}

/* Searches again for the symbols of a module, like the dialog of symbols does. */
static void
module_activated_cb (NsStackSymbols *self, guint position)
{
  if (self->job != NULL)
    ns_symbol_job_retry_module (self->job, position);
}

static void
stop_cb (NsStackSymbols *self)
{
  if (self->job != NULL)
    ns_symbol_job_stop (self->job);
}

static void
retry_cb (NsStackSymbols *self)
{
  if (self->job != NULL)
    ns_symbol_job_retry (self->job);
}

static void
build_progress (NsStackSymbols *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *stop = gtk_button_new_with_label (_ ("Stop"));

  self->progress = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  self->file = gtk_label_new (NULL);
  self->percent = gtk_label_new (NULL);
  self->bar = gtk_progress_bar_new ();
  gtk_label_set_xalign (GTK_LABEL (self->file), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->file), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->file, TRUE);
  gtk_widget_add_css_class (self->percent, "dim");
  gtk_button_set_has_frame (GTK_BUTTON (stop), FALSE);
  ns_accessible_set_name (self->bar, _ ("Symbols"));
  g_signal_connect_object (stop, "clicked", G_CALLBACK (stop_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (line), self->file);
  gtk_box_append (GTK_BOX (line), self->percent);
  gtk_box_append (GTK_BOX (line), stop);
  gtk_box_append (GTK_BOX (self->progress), line);
  gtk_box_append (GTK_BOX (self->progress), self->bar);
  gtk_widget_add_css_class (self->progress, "stack-foot");
}

static void
build_modules (NsStackSymbols *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkNoSelection *none;
  GtkWidget *list;

  self->lines = gtk_string_list_new (NULL);
  none = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->lines)));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_module_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_module_cb), NULL);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (none), factory);
  ns_accessible_set_name (list, _ ("Modules"));
  g_signal_connect_object (list,
                           "activate",
                           G_CALLBACK (module_activated_cb),
                           self,
                           G_CONNECT_SWAPPED);
  self->modules = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->modules),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->modules), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->modules), MODULES_PX);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->modules), list);
}

static void
build_foot (NsStackSymbols *self)
{
  GtkWidget *list = gtk_button_new_with_label (_ ("List…"));

  self->foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->count = gtk_label_new (NULL);
  self->retry = gtk_button_new_with_label (_ ("Retry Failed"));
  self->shown = gtk_toggle_button_new_with_label (_ ("Modules"));
  gtk_button_set_has_frame (GTK_BUTTON (self->shown), FALSE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->shown), TRUE);
  gtk_widget_set_tooltip_text (self->shown, _ ("Show the symbol status of each module"));
  gtk_widget_add_css_class (self->shown, "strong");
  g_signal_connect_object (self->shown, "toggled", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (self->count, "dim");
  gtk_label_set_xalign (GTK_LABEL (self->count), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->count), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->count, TRUE);
  gtk_widget_set_tooltip_text (list, _ ("Symbols of the modules in stacks"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (list), "win.symbols");
  g_signal_connect_object (self->retry, "clicked", G_CALLBACK (retry_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->foot), self->shown);
  gtk_box_append (GTK_BOX (self->foot), self->count);
  gtk_box_append (GTK_BOX (self->foot), self->retry);
  gtk_box_append (GTK_BOX (self->foot), list);
  gtk_widget_add_css_class (self->foot, "stack-foot");
}

static void
ns_stack_symbols_dispose (GObject *object)
{
  NsStackSymbols *self = NS_STACK_SYMBOLS (object);

  ns_stack_symbols_set_job (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->lines);
  G_OBJECT_CLASS (ns_stack_symbols_parent_class)->dispose (object);
}

static void
ns_stack_symbols_class_init (NsStackSymbolsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_stack_symbols_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_stack_symbols_init (NsStackSymbols *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  build_progress (self);
  build_foot (self);
  build_modules (self);
  gtk_box_append (GTK_BOX (self->box), self->progress);
  gtk_box_append (GTK_BOX (self->box), self->foot);
  gtk_box_append (GTK_BOX (self->box), self->modules);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  update (self);
}

/**
 * ns_stack_symbols_new:
 *
 * Returns: (transfer floating): a widget that is invisible until a module is requested
 */
GtkWidget *
ns_stack_symbols_new (void)
{
  return g_object_new (NS_TYPE_STACK_SYMBOLS, NULL);
}

/**
 * ns_stack_symbols_set_job:
 * @self: the widget
 * @job: (nullable): job that names the frames of the trace
 *
 * Shows the progress of this job.
 */
void
ns_stack_symbols_set_job (NsStackSymbols *self, NsSymbolJob *job)
{
  if (self->job == job)
    return;
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_func (self->job, update, self);
  g_set_object (&self->job, job);
  if (job != NULL)
    g_signal_connect_object (job, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (self->box != NULL)
    update (self);
}
