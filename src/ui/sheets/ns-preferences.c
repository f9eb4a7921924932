/* Preferences window: symbols, stacks, payloads, GeoIP database, and files stored for traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-side-files.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-accessible.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-help.h"
#include "ui/ns-number-entry.h"
#include "ui/ns-settings.h"
#include "ui/ns-wrap.h"
#include "ui/sheets/ns-preferences.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>
#include <string.h>

#define MICROSOFT_HOST "msdl.microsoft.com"
/* Maximum width of a note in characters; an unwrapped label would make the window wider. */
#define NOTE_CHARS 56

struct _NsPreferences
{
  GtkWindow parent_instance;

  GtkWidget *grid;
  GtkWidget *hosts; /* a box of check buttons */
  GtkWidget *kept[NS_N_SIDE_FILES];
  int n_lines;
};

G_DEFINE_FINAL_TYPE (NsPreferences, ns_preferences, GTK_TYPE_WINDOW)

static void
add_line (NsPreferences *self, const char *text, GtkWidget *control)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_set_margin_top (label, 6);
  /* A check button has a mnemonic of its own. */
  if (!GTK_IS_CHECK_BUTTON (control))
    gtk_label_set_mnemonic_widget (GTK_LABEL (label), control);
  gtk_widget_set_hexpand (control, TRUE);
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, self->n_lines, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), control, 1, self->n_lines++, 1, 1);
}

/* Adds a line whose title is the mnemonic of the entry, which is in a box with a button. */
static void
add_entry_line (NsPreferences *self, const char *text, GtkWidget *entry, GtkWidget *box)
{
  add_line (self, text, box);
  gtk_label_set_mnemonic_widget (
      GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (self->grid), 0, self->n_lines - 1)),
      entry);
}

/* Adds a symbol server to the list that the user agreed to, or removes it. */
static void
host_toggled_cb (GtkCheckButton *button, gpointer user_data)
{
  GSettings *settings = ns_settings_get ();
  const char *host = g_object_get_data (G_OBJECT (button), "ns-host");
  g_auto (GStrv) old = g_settings_get_strv (settings, "symbol-servers");
  g_autoptr (GPtrArray) agreed = g_ptr_array_new ();
  guint i;

  for (i = 0; old[i] != NULL; i++)
    if (g_strcmp0 (old[i], host) != 0)
      g_ptr_array_add (agreed, old[i]);
  if (gtk_check_button_get_active (button))
    g_ptr_array_add (agreed, (gpointer) host);
  g_ptr_array_add (agreed, NULL);
  g_settings_set_strv (settings, "symbol-servers", (const char *const *) agreed->pdata);
  ns_settings_apply_symbols ();
}

/* Lists the servers of the symbol path, each with a check button for the user's consent. */
static void
update_hosts (NsPreferences *self)
{
  GSettings *settings = ns_settings_get ();
  g_autofree char *written = g_settings_get_string (settings, "symbol-path");
  g_autofree char *path = ns_symbol_job_dup_path (written);
  g_auto (GStrv) agreed = g_settings_get_strv (settings, "symbol-servers");
  g_autoptr (GPtrArray) hosts = ns_symbol_job_list_hosts (path);
  GtkWidget *child;
  guint i;

  while ((child = gtk_widget_get_first_child (self->hosts)) != NULL)
    gtk_box_remove (GTK_BOX (self->hosts), child);
  for (i = 0; i < hosts->len; i++)
    {
      const char *host = g_ptr_array_index (hosts, i);
      g_autofree char *text =
          g_strdup_printf (_ ("Contact %s, which then learns which modules the trace contains"),
                           host);
      GtkWidget *check = gtk_check_button_new_with_label (text);

      gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                                   g_strv_contains ((const char *const *) agreed, host));
      g_object_set_data_full (G_OBJECT (check), "ns-host", g_strdup (host), g_free);
      g_signal_connect (check, "toggled", G_CALLBACK (host_toggled_cb), NULL);
      gtk_box_append (GTK_BOX (self->hosts), check);
    }
  if (hosts->len == 0)
    {
      GtkWidget *none = gtk_label_new (_ ("The symbol path has no servers."));

      gtk_label_set_xalign (GTK_LABEL (none), 0);
      /* Aligns the text with the title of the line, which is aligned with the text of an entry. */
      gtk_widget_set_margin_top (none, 6);
      gtk_widget_set_margin_bottom (none, 6);
      gtk_widget_add_css_class (none, "dim");
      gtk_box_append (GTK_BOX (self->hosts), none);
    }
}

static void
symbols_changed_cb (NsPreferences *self)
{
  ns_settings_apply_symbols ();
  update_hosts (self);
}

/* The entry that a file chooser fills, and the kind of path that it asks for. */
typedef struct
{
  GtkWidget *entry;
  gboolean is_folder;
  gboolean is_list; /* the chosen path is prepended to the list in the entry */
} Choice;

static void
path_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  Choice *choice = data;
  const char *old = gtk_editable_get_text (GTK_EDITABLE (choice->entry));
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);
  g_autofree char *joined = NULL;

  if (path == NULL)
    {
      gtk_widget_set_tooltip_text (choice->entry, error->message);
      return;
    }
  if (choice->is_list && *old != '\0')
    joined = g_strconcat (path, ";", old, NULL);
  gtk_editable_set_text (GTK_EDITABLE (choice->entry), joined != NULL ? joined : path);
}

static void
choose_cb (GtkButton *button, Choice *choice)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (button));

  ns_file_ask (gtk_file_chooser_native_new (choice->is_folder ? _ ("Choose a Folder")
                                                              : _ ("Choose a File"),
                                            GTK_WINDOW (root),
                                            choice->is_folder
                                                ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                : GTK_FILE_CHOOSER_ACTION_OPEN,
                                            _ ("_Choose"),
                                            _ ("_Cancel")),
               path_chosen_cb,
               choice);
}

/* Returns a box with an entry and a button that opens a file chooser for it. */
static GtkWidget *
with_chooser (GtkWidget *entry, const char *name, gboolean is_folder, gboolean is_list)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *button = gtk_button_new_from_icon_name ("document-open-symbolic");
  Choice *choice = g_new0 (Choice, 1);

  choice->entry = entry;
  choice->is_folder = is_folder;
  choice->is_list = is_list;
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_tooltip_text (button, name);
  ns_accessible_set_name (button, name);
  g_signal_connect_data (button,
                         "clicked",
                         G_CALLBACK (choose_cb),
                         choice,
                         (GClosureNotify) (void (*) (void)) g_free,
                         0);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

/* Adds Microsoft's symbol server and the consent for it. No further question is asked, since the
 * note below the button says what the server learns. */
static void
use_microsoft_cb (NsPreferences *self)
{
  GSettings *settings = ns_settings_get ();
  g_autofree char *path = g_settings_get_string (settings, "symbol-path");
  g_auto (GStrv) old = g_settings_get_strv (settings, "symbol-servers");
  g_autoptr (GPtrArray) agreed = g_ptr_array_new ();
  guint i;

  if (strstr (path, MICROSOFT_HOST) == NULL)
    {
      g_autofree char *more = g_strconcat (path,
                                           *path != '\0' ? ";" : "",
                                           "srv*https://" MICROSOFT_HOST "/download/symbols",
                                           NULL);

      g_settings_set_string (settings, "symbol-path", more);
    }
  for (i = 0; old[i] != NULL; i++)
    g_ptr_array_add (agreed, old[i]);
  if (!g_strv_contains ((const char *const *) old, MICROSOFT_HOST))
    g_ptr_array_add (agreed, (gpointer) MICROSOFT_HOST);
  g_ptr_array_add (agreed, NULL);
  g_settings_set_strv (settings, "symbol-servers", (const char *const *) agreed->pdata);
  g_settings_set_boolean (settings, "symbol-cached-only", FALSE);
  symbols_changed_cb (self);
}

static void
add_microsoft (NsPreferences *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *button = ns_accessible_button_new (_ ("Use _Microsoft’s Symbol Server"));
  GtkWidget *note = gtk_label_new (
      _ ("Adds msdl.microsoft.com to the path and allows contacting it: it learns which Windows "
         "modules the trace contains, and the address of this computer."));
  GtkWidget *example = gtk_label_new (_ ("Example: /srv/symbols;srv*https://symbols.example.com"));

  gtk_widget_set_halign (button, GTK_ALIGN_START);
  g_signal_connect_object (button,
                           "clicked",
                           G_CALLBACK (use_microsoft_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (note), NOTE_CHARS);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_add_css_class (note, "dim");
  gtk_label_set_wrap (GTK_LABEL (example), TRUE);
  /* Without breaks inside the word, the label would be wider than a small screen. */
  gtk_label_set_wrap_mode (GTK_LABEL (example), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (example), 0);
  gtk_widget_add_css_class (example, "dim");
  gtk_box_append (GTK_BOX (box), example);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), note);
  gtk_grid_attach (GTK_GRID (self->grid), box, 1, self->n_lines++, 1, 1);
}

static void
ns_preferences_class_init (NsPreferencesClass *klass)
{
  ns_sheet_class_close_on_escape (GTK_WIDGET_CLASS (klass));
}

static GtkWidget *
bound_entry (NsPreferences *self, const char *key, const char *placeholder)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  /* The default width of an entry is too wide for a small screen with large text. */
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 16);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 40);
  g_settings_bind (ns_settings_get (), key, entry, "text", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (entry,
                           "changed",
                           G_CALLBACK (symbols_changed_cb),
                           self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  return entry;
}

/* Loads the GeoIP database; an invalid file marks the entry and shows the reason as tooltip. */
static void
places_changed_cb (GtkWidget *entry)
{
  g_autoptr (GError) error = NULL;

  if (ns_settings_apply_places (&error))
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, error != NULL ? error->message : NULL);
}

static GtkWidget *
places_entry (void)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Your own file (.mmdb)"));
  g_settings_bind (ns_settings_get (), "places-database", entry, "text", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_after (entry, "changed", G_CALLBACK (places_changed_cb), NULL);
  places_changed_cb (entry);
  return entry;
}

static gboolean
is_once_cb (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_boolean (value, g_strcmp0 (g_variant_get_string (variant, NULL), "once") == 0);
  return TRUE;
}

static GVariant *
once_to_text_cb (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (g_value_get_boolean (value) ? "once" : "both");
}

/* Adds the options for call stacks; views with stacks listen to the settings themselves. */
static void
add_stacks (NsPreferences *self)
{
  GtkWidget *single = ns_accessible_check_button_new (_ ("Show a single stack _once"));
  GtkWidget *tracing = ns_accessible_check_button_new (_ ("_Hide tracing frames"));

  gtk_widget_set_tooltip_text (
      single,
      _ ("A path of one stack is shown as the last stack, not also as the first"));
  gtk_widget_set_tooltip_text (tracing,
                               _ ("Frames of ntdll.dll at the end that only write the event"));
  g_settings_bind_with_mapping (ns_settings_get (),
                                "single-stack",
                                single,
                                "active",
                                G_SETTINGS_BIND_DEFAULT,
                                is_once_cb,
                                once_to_text_cb,
                                NULL,
                                NULL);
  g_settings_bind (ns_settings_get (),
                   "tracing-frames",
                   tracing,
                   "active",
                   G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_INVERT_BOOLEAN);
  add_line (self, _ ("Stacks"), single);
  gtk_grid_attach (GTK_GRID (self->grid), tracing, 1, self->n_lines++, 1, 1);
}

/* Adds the limit for payloads that are read and shown. */
static void
add_payload (NsPreferences *self)
{
  GtkWidget *size = ns_number_entry_new (1, 1024, 1);
  GtkWidget *never = ns_accessible_check_button_new (_ ("_Never load payloads"));

  g_settings_bind (ns_settings_get (), "payload-kib", size, "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (ns_settings_get (), "payload-never", never, "active", G_SETTINGS_BIND_DEFAULT);
  g_object_bind_property (never,
                          "active",
                          size,
                          "sensitive",
                          G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  gtk_widget_set_tooltip_text (size, _ ("Maximum payload of a row that is read and shown"));
  gtk_widget_set_tooltip_text (
      never,
      _ ("Sent and received data is not read; headers from event records are shown"));
  add_line (self, _ ("Maximum pa_yload size (KiB)"), size);
  gtk_grid_attach (GTK_GRID (self->grid), never, 1, self->n_lines++, 1, 1);
}

/* Adds the option to use cached symbols only, which disables the check buttons of the servers. */
static void
add_cached_only (NsPreferences *self)
{
  GtkWidget *check = ns_accessible_check_button_new (_ ("_Cached symbols only"));

  gtk_widget_set_tooltip_text (check,
                               _ ("Only previously downloaded symbols are used: no server, store "
                                  "or folder of the path is searched"));
  g_settings_bind (ns_settings_get (),
                   "symbol-cached-only",
                   check,
                   "active",
                   G_SETTINGS_BIND_DEFAULT);
  g_object_bind_property (check,
                          "active",
                          self->hosts,
                          "sensitive",
                          G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  g_signal_connect_object (check,
                           "toggled",
                           G_CALLBACK (symbols_changed_cb),
                           self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  gtk_grid_attach (GTK_GRID (self->grid), check, 1, self->n_lines++, 1, 1);
}

static const char *
get_kept_title (NsSideFiles which)
{
  return which == NS_SIDE_FILES_VIEWS ? _ ("Views and bookmarks of traces")
                                      : _ ("Downloaded symbols");
}

static void
show_kept (NsPreferences *self, NsSideFiles which)
{
  g_autofree char *folder = ns_side_files_dup_folder (which);
  guint n_files;
  g_autofree char *size = g_format_size (ns_side_files_measure (folder, &n_files));

  gtk_label_set_text (GTK_LABEL (self->kept[which]), size);
  gtk_widget_set_tooltip_text (self->kept[which], folder);
  gtk_widget_set_sensitive (gtk_widget_get_next_sibling (self->kept[which]), n_files > 0);
}

static void
clear_cb (GtkButton *button, NsPreferences *self)
{
  NsSideFiles which =
      (NsSideFiles) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "which"));
  g_autofree char *folder = ns_side_files_dup_folder (which);

  ns_side_files_clear (folder);
  show_kept (self, which);
}

/* Adds the size of each folder of stored data with a button to clear it. Traces can be opened
 * without these files. */
static void
add_kept (NsPreferences *self)
{
  guint i;

  for (i = 0; i < NS_N_SIDE_FILES; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
      GtkWidget *clear = gtk_button_new_with_label (_ ("Clear"));
      /* Translators: what is cleared: “Views and marks of traces”. */
      g_autofree char *spoken = g_strdup_printf (_ ("Clear: %s"), get_kept_title (i));

      self->kept[i] = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (self->kept[i]), 0);
      gtk_widget_set_hexpand (self->kept[i], TRUE);
      ns_accessible_set_name (clear, spoken);
      g_object_set_data (G_OBJECT (clear), "which", GUINT_TO_POINTER (i));
      g_signal_connect (clear, "clicked", G_CALLBACK (clear_cb), self);
      gtk_box_append (GTK_BOX (box), self->kept[i]);
      gtk_box_append (GTK_BOX (box), clear);
      add_line (self, get_kept_title (i), box);
      show_kept (self, (NsSideFiles) i);
    }
}

static void
build (NsPreferences *self)
{
  GtkWidget *size = ns_number_entry_new (1, 1000, 1);
  g_autofree char *path = ns_symbol_job_dup_path (NULL);
  GtkWidget *entry;
  GtkWidget *note;
  GtkWidget *help;

  self->hosts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  entry = bound_entry (self, "symbol-path", path);
  add_entry_line (self,
                  _ ("Symbol _path"),
                  entry,
                  with_chooser (entry, _ ("Add a folder to the symbol path"), TRUE, TRUE));
  add_microsoft (self);
  add_line (self, _ ("_Servers"), self->hosts);
  add_cached_only (self);
  entry = bound_entry (self, "symbol-cache-folder", _ ("The user's cache folder"));
  add_entry_line (
      self,
      _ ("_Folder for downloaded symbols"),
      entry,
      with_chooser (entry, _ ("Choose the folder for downloaded symbols"), TRUE, FALSE));
  g_settings_bind (ns_settings_get (), "symbol-cache-gib", size, "value", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (size,
                           "value-changed",
                           G_CALLBACK (symbols_changed_cb),
                           self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  add_line (self, _ ("S_ize limit in GiB"), size);
  note = gtk_label_new (_ ("No server is contacted unless you allow it here. To search again for "
                           "an open trace, use “Look Again” on its symbols page."));
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (note), NOTE_CHARS);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_add_css_class (note, "dim");
  gtk_grid_attach (GTK_GRID (self->grid), note, 1, self->n_lines++, 1, 1);
  add_stacks (self);
  add_payload (self);
  entry = places_entry ();
  add_entry_line (self,
                  _ ("GeoIP _database"),
                  entry,
                  with_chooser (entry, _ ("Choose a GeoIP database"), FALSE, FALSE));
  add_kept (self);
  help = ns_help_button_new ("symbols");
  gtk_widget_set_halign (help, GTK_ALIGN_END);
  gtk_grid_attach (GTK_GRID (self->grid), help, 1, self->n_lines++, 1, 1);
  update_hosts (self);
}

static void
ns_preferences_init (NsPreferences *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->grid = gtk_grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  ns_sheet_set_margins (self->grid, 18);
  /* The window takes its natural size if the screen is large enough, and scrolls otherwise. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), ns_wrap_new (self->grid));
  gtk_window_set_child (GTK_WINDOW (self), scrolled);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Preferences"));
  ns_help_set_page (GTK_WIDGET (self), "symbols");
  if (ns_settings_get () != NULL)
    build (self);
  else
    gtk_grid_attach (GTK_GRID (self->grid),
                     gtk_label_new (_ ("Netstitch is not installed: nothing can be saved.")),
                     0,
                     0,
                     1,
                     1);
}

/**
 * ns_preferences_new:
 * @parent: (nullable): the parent window
 *
 * Returns: (transfer none): a window; changes take effect immediately
 */
GtkWindow *
ns_preferences_new (GtkWindow *parent)
{
  return g_object_new (NS_TYPE_PREFERENCES,
                       "transient-for",
                       parent,
                       "application",
                       g_application_get_default (),
                       NULL);
}
