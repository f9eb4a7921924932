/* Window that lists the state of the symbols of each module, with actions to search for missing
 * ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/sheets/ns-sheet.h"
#include "ui/sheets/ns-symbols-sheet.h"
#include "ui/table/ns-table-dress.h"

#include <glib/gi18n.h>

struct _NsSymbolsSheet
{
  GtkWindow parent_instance;

  NsSymbolJob *job;
  GtkWidget *summary;
  GtkWidget *again;
  GtkWidget *stop;
  GtkWidget *missing;
  GtkStringList *lines; /* one per module: its parts, separated by tabs */
};

/* Parts of a line. */
enum
{
  PART_MODULE,
  PART_STATE,
  PART_AGAIN,
  PART_DETAIL,
  N_PARTS,
};

G_DEFINE_FINAL_TYPE (NsSymbolsSheet, ns_symbols_sheet, GTK_TYPE_WINDOW)

static const char *
state_to_words (NsModuleState state)
{
  switch (state)
    {
    case NS_MODULE_FOUND:
      return _ ("Found");
    case NS_MODULE_SEARCHING:
      return _ ("Looking…");
    case NS_MODULE_DOWNLOADING:
      return _ ("Downloading…");
    case NS_MODULE_NOT_FOUND:
      return _ ("Not found");
    case NS_MODULE_NO_MATCH:
      return _ ("Not matching");
    case NS_MODULE_NO_IDENTITY:
      return _ ("No debug ID");
    case NS_MODULE_REFUSED:
      return _ ("Refused");
    case NS_MODULE_FAILED:
      return _ ("Failed");
    case NS_MODULE_WAITING:
    default:
      return _ ("Waiting");
    }
}

/* Returns whether another search for the symbols of a module may succeed. */
static gboolean
can_look_again (NsModuleState state)
{
  switch (state)
    {
    case NS_MODULE_NOT_FOUND:
    case NS_MODULE_NO_MATCH:
    case NS_MODULE_REFUSED:
    case NS_MODULE_FAILED:
    case NS_MODULE_WAITING:
      return TRUE;
    case NS_MODULE_SEARCHING:
    case NS_MODULE_DOWNLOADING:
    case NS_MODULE_FOUND:
    case NS_MODULE_NO_IDENTITY:
    default:
      return FALSE;
    }
}

static gboolean
is_running (NsModuleState state)
{
  return state == NS_MODULE_SEARCHING || state == NS_MODULE_DOWNLOADING;
}

/* Returns whether the only known function names of a module are those stored in the trace. */
static gboolean
is_embedded (const NsSymbolModule *module)
{
  return module->n_embedded > 0 && module->info.state != NS_MODULE_FOUND &&
         !is_running (module->info.state);
}

static char *
module_to_line (const NsSymbolModule *module)
{
  const char *detail = module->info.reason;
  g_autofree char *done = g_format_size (module->info.n_done);
  g_autofree char *total = g_format_size (module->info.n_total);
  g_autofree char *progress = NULL;
  g_autofree char *carried =
      /* Translators: how many functions of a module have a name in the file of the trace. */
      g_strdup_printf (ngettext ("%u function name embedded in the trace",
                                 "%u function names embedded in the trace",
                                 module->n_embedded),
                       module->n_embedded);

  if (is_embedded (module))
    detail = carried;
  if (module->info.state == NS_MODULE_FOUND && module->info.file != NULL)
    detail = module->info.file;
  if (module->info.state == NS_MODULE_DOWNLOADING && module->info.n_total > 0)
    detail = progress =
        /* Translators: bytes so far, bytes in all, and the address of a server. */
        g_strdup_printf (_ ("%s of %s from %s"), done, total, detail != NULL ? detail : "?");
  return g_strdup_printf ("%s\t%s\t%s\t%s",
                          module->name,
                          is_embedded (module) ? _ ("In the trace")
                                               : state_to_words (module->info.state),
                          can_look_again (module->info.state) ? "again" : "",
                          detail != NULL ? detail : "");
}

/* Describes the sources that are searched for symbols. */
static const char *
reach_to_words (NsSymbolJob *job)
{
  if (ns_symbol_job_is_cached_only (job))
    return _ ("only cached symbols are used");
  return ns_symbol_job_is_online (job) ? _ ("servers are contacted") : _ ("offline");
}

/* Formats the number of modules with symbols and of those with function names in the trace. */
static char *
dup_summary (NsSymbolJob *job, guint n_found, guint n_embedded, guint n_modules)
{
  g_autofree char *found = g_strdup_printf (ngettext ("%u of %u module has symbols",
                                                      "%u of %u modules have symbols",
                                                      n_modules),
                                            n_found,
                                            n_modules);
  g_autofree char *carried =
      /* Translators: a number of modules. */
      g_strdup_printf (ngettext ("function names of %u embedded in the trace",
                                 "function names of %u embedded in the trace",
                                 n_embedded),
                       n_embedded);

  if (n_embedded == 0)
    return g_strdup_printf ("%s · %s", found, reach_to_words (job));
  return g_strdup_printf ("%s · %s · %s", found, carried, reach_to_words (job));
}

static void
update (NsSymbolsSheet *self)
{
  g_autoptr (GPtrArray) modules = ns_symbol_job_list_modules (self->job);
  guint n_lines = g_list_model_get_n_items (G_LIST_MODEL (self->lines));
  g_autofree char *missing = ns_symbol_job_list_missing (self->job);
  g_autofree char *summary = NULL;
  guint n_found = 0;
  guint n_embedded = 0;
  guint n_running = 0;
  guint n_failed = 0;
  guint i;

  for (i = 0; i < modules->len; i++)
    {
      const NsSymbolModule *module = g_ptr_array_index (modules, i);
      g_autofree char *line = module_to_line (module);
      const char *added[] = { line, NULL };

      n_found += module->info.state == NS_MODULE_FOUND ? 1 : 0;
      n_embedded += is_embedded (module) ? 1 : 0;
      n_running += is_running (module->info.state) ? 1 : 0;
      n_failed += can_look_again (module->info.state) ? 1 : 0;
      /* Replaces only changed lines, so that the list keeps its scroll position. */
      if (i >= n_lines || g_strcmp0 (gtk_string_list_get_string (self->lines, i), line) != 0)
        gtk_string_list_splice (self->lines, i, i < n_lines ? 1 : 0, added);
    }
  if (n_lines > modules->len)
    gtk_string_list_splice (self->lines, modules->len, n_lines - modules->len, NULL);
  summary = dup_summary (self->job, n_found, n_embedded, modules->len);
  gtk_label_set_text (GTK_LABEL (self->summary), summary);
  gtk_widget_set_sensitive (self->again, n_failed > 0);
  gtk_widget_set_sensitive (self->stop, n_running > 0);
  gtk_widget_set_sensitive (self->missing, *missing != '\0');
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  const char *line = gtk_string_object_get_string (gtk_list_item_get_item (item));
  g_auto (GStrv) parts = g_strsplit (line, "\t", N_PARTS);
  const char *text = parts[GPOINTER_TO_INT (user_data)];
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *spoken =
      g_strjoin (" ", parts[PART_MODULE], parts[PART_STATE], parts[PART_DETAIL], NULL);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, *text != '\0' ? text : NULL);
  ns_accessible_set_cell_name (label, text, spoken);
}

static void
again_cb (GtkWidget *button, GtkListItem *item)
{
  NsSymbolsSheet *self = NS_SYMBOLS_SHEET (gtk_widget_get_root (button));

  ns_symbol_job_retry_module (self->job, gtk_list_item_get_position (item));
}

static void
setup_again_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("view-refresh-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (again_cb), item, 0);
  gtk_list_item_set_child (item, button);
}

static void
bind_again_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  const char *line = gtk_string_object_get_string (gtk_list_item_get_item (item));
  g_auto (GStrv) parts = g_strsplit (line, "\t", N_PARTS);
  GtkWidget *button = gtk_list_item_get_child (item);
  /* Translators: of the symbols of a module, whose name follows. */
  g_autofree char *text = g_strdup_printf (_ ("Look again for %s"), parts[PART_MODULE]);
  gboolean can_be = *parts[PART_AGAIN] != '\0';

  /* Hides an unusable button by opacity, so that all rows keep the same height. */
  gtk_widget_set_opacity (button, can_be ? 1 : 0);
  gtk_widget_set_sensitive (button, can_be);
  gtk_widget_set_tooltip_text (button, can_be ? text : NULL);
  ns_accessible_set_name (GTK_WIDGET (button), can_be ? text : "");
}

static void
activated_cb (GtkColumnView *view, guint position, NsSymbolsSheet *self)
{
  ns_symbol_job_retry_module (self->job, position);
}

static void
add_column (GtkWidget *view, const char *title, int part, int width)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gboolean is_again = part == PART_AGAIN;
  GtkColumnViewColumn *column;

  g_signal_connect (factory, "setup", G_CALLBACK (is_again ? setup_again_cb : setup_cb), NULL);
  g_signal_connect (factory,
                    "bind",
                    G_CALLBACK (is_again ? bind_again_cb : bind_cb),
                    GINT_TO_POINTER (part));
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_resizable (column, TRUE);
  if (width > 0)
    gtk_column_view_column_set_fixed_width (column, width);
  else
    gtk_column_view_column_set_expand (column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (view), column);
  g_object_unref (column);
}

static void
retry_cb (NsSymbolsSheet *self)
{
  ns_symbol_job_retry (self->job);
}

static void
stop_cb (NsSymbolsSheet *self)
{
  ns_symbol_job_stop (self->job);
}

static void
copy_missing_cb (NsSymbolsSheet *self)
{
  g_autofree char *text = ns_symbol_job_list_missing (self->job);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gtk_label_set_text (GTK_LABEL (self->summary), _ ("The list of missing symbols was copied."));
}

static void
folder_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsSymbolsSheet *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (path == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->summary), error->message);
      return;
    }
  ns_settings_add_symbol_folder (path);
  ns_symbol_job_retry (self->job);
}

static void
add_folder_cb (NsSymbolsSheet *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Add a Folder of Symbols"),
                                                              GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                                              _ ("_Add"),
                                                              _ ("_Cancel"));

  ns_file_ask (dialog, folder_chosen_cb, self);
}

static GtkWidget *
add_button (NsSymbolsSheet *self, GtkWidget *box, const char *label, GCallback callback)
{
  GtkWidget *button = ns_accessible_button_new (label);

  g_signal_connect_object (button, "clicked", callback, self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static void
ns_symbols_sheet_dispose (GObject *object)
{
  NsSymbolsSheet *self = NS_SYMBOLS_SHEET (object);

  g_clear_object (&self->job);
  g_clear_object (&self->lines);
  G_OBJECT_CLASS (ns_symbols_sheet_parent_class)->dispose (object);
}

static void
ns_symbols_sheet_class_init (NsSymbolsSheetClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_symbols_sheet_dispose;
  ns_sheet_class_close_on_escape (GTK_WIDGET_CLASS (klass));
}

static void
ns_symbols_sheet_init (NsSymbolsSheet *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *view;

  self->lines = gtk_string_list_new (NULL);
  view = gtk_column_view_new (
      GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->lines)))));
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (view), _ ("Modules"));
  ns_table_apply_style (GTK_COLUMN_VIEW (view), 0);
  add_column (view, _ ("Module"), PART_MODULE, 200);
  add_column (view, _ ("State"), PART_STATE, 110);
  add_column (view, _ ("File or reason"), PART_DETAIL, 0);
  add_column (view, _ ("Again"), PART_AGAIN, 70);
  g_signal_connect_object (view, "activate", G_CALLBACK (activated_cb), self, 0);
  self->again = add_button (self, buttons, _ ("_Look Again"), G_CALLBACK (retry_cb));
  self->stop = add_button (self, buttons, _ ("_Stop"), G_CALLBACK (stop_cb));
  add_button (self, buttons, _ ("_Add Folder…"), G_CALLBACK (add_folder_cb));
  self->missing =
      add_button (self, buttons, _ ("_Copy List of Missing"), G_CALLBACK (copy_missing_cb));
  self->summary = ns_sheet_build_list (GTK_WINDOW (self), view, buttons, "symbols");
  gtk_window_set_title (GTK_WINDOW (self), _ ("Symbols"));
  gtk_window_set_default_size (GTK_WINDOW (self), 780, 520);
}

/**
 * ns_symbols_sheet_new:
 * @parent: the window of the trace
 * @session: the session of the trace
 *
 * Returns: (transfer none): a window that lists the modules of the call stacks
 */
GtkWindow *
ns_symbols_sheet_new (GtkWindow *parent, NsSession *session)
{
  NsSymbolsSheet *self = g_object_new (NS_TYPE_SYMBOLS_SHEET,
                                       "transient-for",
                                       parent,
                                       "destroy-with-parent",
                                       TRUE,
                                       "application",
                                       gtk_window_get_application (parent),
                                       NULL);

  self->job = g_object_ref (ns_symbol_job_get_for_session (session));
  g_signal_connect_object (self->job, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  ns_symbol_job_request_all (self->job);
  return GTK_WINDOW (self);
}
