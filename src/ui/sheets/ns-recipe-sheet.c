/* Recipe window: the choice of what to record, and the profile or the commands that record it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-recipe-file.h"
#include "ui/ns-accessible.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-help.h"
#include "ui/ns-wrap.h"
#include "ui/sheets/ns-recipe-choices.h"
#include "ui/sheets/ns-recipe-sheet.h"
#include "ui/sheets/ns-recipe-steps.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>

#define PREVIEW_PX 120

struct _NsRecipeSheet
{
  GtkWindow parent_instance;

  GtkWidget *choices;
  GtkWidget *steps;
  GtkWidget *form;
  GtkWidget *how;
  GtkWidget *lacks;
  GtkWidget *wrong;
  GtkWidget *preview;
  GtkWidget *copy;
  GtkWidget *save;
  GtkWidget *save_kit;
  GtkWidget *command;
  GtkWidget *note;
  char *text; /* (nullable): the recipe; NULL if the choices are invalid */
};

G_DEFINE_FINAL_TYPE (NsRecipeSheet, ns_recipe_sheet, GTK_TYPE_WINDOW)

static NsRecipeForm
get_form (NsRecipeSheet *self)
{
  return (NsRecipeForm) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->form));
}

/* Describes who can record with a form of recipe, and what it does not record. */
static const char *
form_to_words (NsRecipeForm form)
{
  switch (form)
    {
    case NS_RECIPE_WPRP:
      return _ ("Run the commands as administrator. Call stacks are also recorded.");
    case NS_RECIPE_CLASSIC:
      return _ ("For Windows 8.1, and Windows 10 before version 1703. Run the commands as "
                "administrator; no call stacks are recorded.");
    case NS_RECIPE_NETSH:
    case NS_RECIPE_PKTMON:
      return _ ("Run the commands as administrator. Processes are recorded, but no call stacks and "
                "no modules; a profile records them.");
    case NS_RECIPE_LOGMAN:
    case NS_RECIPE_KIT:
    case NS_RECIPE_N_FORMS:
    default:
      return _ (
          "Run the commands as administrator. No call stacks are recorded; processes and modules "
          "are recorded in a separate file. A profile records everything in one file.");
    }
}

/* Shows what cannot be determined from such a recording. */
static void
show_lacks (NsRecipeSheet *self, const NsRecipeOptions *options, NsRecipeForm form)
{
  g_autofree char *lacks = ns_export_recipe_dup_lacks (options, form);
  /* Translators: a list, separated by semicolons. */
  g_autofree char *text = g_strdup_printf (_ ("It does not show: %s."), lacks);

  gtk_label_set_text (GTK_LABEL (self->lacks), text);
  gtk_widget_set_visible (self->lacks, *lacks != '\0');
}

/* Shows a warning about bodies, or a note about a choice that the form does not support. */
static void
show_note (NsRecipeSheet *self, const NsRecipeOptions *options, NsRecipeForm form)
{
  g_autofree char *packets = NULL;
  const char *text = "";

  if (options->has_content)
    text = _ (
        "Bodies contain what users typed and read: forms with passwords, messages, files. The "
        "trace also contains the cookies and sign-in tokens of requests. Anyone who has the trace "
        "can read all of it, and sign in as these users. A capture kit does not record bodies.");
  else if (options->has_no_headers && (options->layers & NS_RECIPE_LAYER (NS_RECIPE_HTTP)) != 0 &&
           !ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_NO_HEADERS))
    text = _ ("Headers of requests are still recorded: only a profile for Performance Recorder can "
              "exclude them.");
  else if (options->packet_bytes > 0)
    {
      /* Translators: a number of bytes; the command is typed so in every language. */
      packets = g_strdup_printf (_ ("With the capture kit: netstitch-record start -Packets %u"),
                                 options->packet_bytes);
      text = packets;
    }
  gtk_label_set_text (GTK_LABEL (self->note), text);
  gtk_widget_set_visible (self->note, *text != '\0');
}

static const char *
error_to_words (const GError *error, const NsRecipeOptions *options)
{
  if (error == NULL)
    return "";
  if (*options->more == '\0')
    return _ ("Choose what to record.");
  return _ ("Write a provider as NAME or NAME:KEYWORDS:LEVEL; separate several with commas.");
}

static void
update (NsRecipeSheet *self)
{
  NsRecipeForm form = get_form (self);
  NsRecipeOptions options;
  NsRecipeOptions fit;
  g_autofree char *command = NULL;
  g_autoptr (GError) error = NULL;

  ns_recipe_choices_set_form (NS_RECIPE_CHOICES (self->choices), form);
  ns_recipe_choices_get_options (NS_RECIPE_CHOICES (self->choices), &options);
  fit = options;
  ns_export_recipe_fit (&fit, form);
  g_free (self->text);
  self->text = ns_recipe_file_to_text (&fit, form, &error);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->preview)),
                            self->text != NULL ? self->text : "",
                            -1);
  gtk_label_set_text (GTK_LABEL (self->wrong), error_to_words (error, &options));
  gtk_widget_set_visible (self->wrong, error != NULL);
  gtk_label_set_text (GTK_LABEL (self->how), form_to_words (form));
  show_lacks (self, &options, form);
  show_note (self, &options, form);
  command = self->text != NULL ? ns_export_recipe_dup_command (&fit, form) : g_strdup ("");
  gtk_label_set_text (GTK_LABEL (self->command), command);
  ns_recipe_steps_set_form (self->steps, form, self->text);
  gtk_widget_set_sensitive (self->copy, self->text != NULL);
  gtk_widget_set_sensitive (self->save, self->text != NULL);
  gtk_widget_set_sensitive (self->save_kit, self->text != NULL && !options.has_content);
}

static void
asked_cb (NsRecipeSheet *self, guint form)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->form), form);
}

static void
show_error (GtkWindow *parent, const GError *error)
{
  GtkWidget *dialog = gtk_message_dialog_new (parent,
                                              GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_ERROR,
                                              GTK_BUTTONS_CLOSE,
                                              "%s",
                                              _ ("The recording profile could not be saved"));

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", error->message);
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsRecipeSheet *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (self->text != NULL && (path == NULL || !ns_recipe_file_save (path, self->text, &error)))
    show_error (GTK_WINDOW (self), error);
}

static void
save_cb (NsRecipeSheet *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save Recording Profile"),
                                                              GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Save"),
                                                              _ ("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog),
                                     get_form (self) == NS_RECIPE_WPRP ||
                                             get_form (self) == NS_RECIPE_CLASSIC
                                         ? "netstitch.wprp"
                                         : "netstitch.cmd");
  ns_file_ask (dialog, chosen_cb, self);
}

static void
kit_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsRecipeSheet *self = data;
  NsRecipeOptions options;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  ns_recipe_choices_get_options (NS_RECIPE_CHOICES (self->choices), &options);
  ns_export_recipe_fit (&options, NS_RECIPE_KIT);
  if (path == NULL || !ns_recipe_file_save_kit (path, &options, &error))
    show_error (GTK_WINDOW (self), error);
}

static void
save_kit_cb (NsRecipeSheet *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save Capture Kit"),
                                                              GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Save"),
                                                              _ ("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "netstitch-capture.zip");
  ns_file_ask (dialog, kit_chosen_cb, self);
}

static void
copy_cb (NsRecipeSheet *self)
{
  if (self->text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->text);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        NsRecipeSheet *self)
{
  if (keyval != GDK_KEY_Escape)
    return FALSE;
  gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

static GtkWidget *
paragraph_new (const char *style)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
build_result (NsRecipeSheet *self)
{
  static const char *const forms[] = { N_ ("Profile for Performance Recorder (.wprp)"),
                                       N_ ("Profile for Windows 8.1 (.wprp)"),
                                       N_ ("netsh commands"),
                                       N_ ("logman commands"),
                                       N_ ("pktmon commands"),
                                       NULL };
  GtkWidget *all = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *page = gtk_scrolled_window_new ();
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->form = ns_accessible_drop_down_new (forms, _ ("Format"));
  self->how = paragraph_new ("dim");
  self->lacks = paragraph_new ("dim");
  self->wrong = paragraph_new ("failure");
  self->note = paragraph_new ("warning-text");
  self->command = paragraph_new ("code");
  gtk_widget_set_tooltip_text (self->command, _ ("Equivalent command"));
  self->preview = gtk_text_view_new ();
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->preview), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->preview), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->preview), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->preview), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->preview), 6);
  gtk_widget_add_css_class (self->preview, "caption");
  ns_accessible_set_name (self->preview, _ ("Recipe"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->preview);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), PREVIEW_PX);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  self->copy = ns_accessible_button_new (_ ("Cop_y"));
  self->save = ns_accessible_button_new (_ ("S_ave…"));
  self->save_kit = ns_accessible_button_new (_ ("Save Capture K_it…"));
  gtk_widget_set_tooltip_text (self->save_kit,
                               _ ("An archive for the user of the Windows machine: a script to "
                                  "run, and the profiles that it uses"));
  gtk_widget_add_css_class (self->save, "suggested-action");
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (buttons), ns_help_button_new ("record"));
  gtk_box_append (GTK_BOX (buttons), self->save_kit);
  gtk_box_append (GTK_BOX (buttons), self->copy);
  gtk_box_append (GTK_BOX (buttons), self->save);
  self->steps = ns_recipe_steps_new ();
  gtk_box_append (GTK_BOX (box), self->form);
  gtk_box_append (GTK_BOX (box), self->how);
  gtk_box_append (GTK_BOX (box), self->lacks);
  gtk_box_append (GTK_BOX (box), ns_wrap_new (self->steps));
  gtk_box_append (GTK_BOX (box), self->wrong);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), self->command);
  gtk_box_append (GTK_BOX (box), self->note);
  /* With large text the page exceeds the screen height; it scrolls, so that the buttons stay
   * visible. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (page),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (page), box);
  gtk_box_append (GTK_BOX (all), page);
  gtk_box_append (GTK_BOX (all), buttons);
  return all;
}

static void
connect_all (NsRecipeSheet *self)
{
  g_signal_connect_swapped (self->choices, "changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->choices, "asked", G_CALLBACK (asked_cb), self);
  g_signal_connect_swapped (self->form, "notify::selected", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (copy_cb), self);
  g_signal_connect_swapped (self->save, "clicked", G_CALLBACK (save_cb), self);
  g_signal_connect_swapped (self->save_kit, "clicked", G_CALLBACK (save_kit_cb), self);
}

static void
ns_recipe_sheet_finalize (GObject *object)
{
  g_free (NS_RECIPE_SHEET (object)->text);
  G_OBJECT_CLASS (ns_recipe_sheet_parent_class)->finalize (object);
}

static void
ns_recipe_sheet_class_init (NsRecipeSheetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_recipe_sheet_finalize;
}

static void
ns_recipe_sheet_init (NsRecipeSheet *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->choices = ns_recipe_choices_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->choices);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), build_result (self));
  ns_sheet_set_margins (box, 12);
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("How to Record"));
  gtk_window_set_default_size (GTK_WINDOW (self), 920, 720);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  connect_all (self);
  update (self);
}

/**
 * ns_recipe_sheet_new:
 * @parent: the parent window
 * @missing: what a trace lacks, see ns_recipe_choices_add_missing(); selected in addition to the
 *   default layers; empty for nothing
 *
 * Returns: (transfer none): a window that shows how to record a trace
 */
GtkWindow *
ns_recipe_sheet_new (GtkWindow *parent, const char *missing)
{
  NsRecipeSheet *self = g_object_new (NS_TYPE_RECIPE_SHEET, NULL);

  ns_recipe_choices_add_missing (NS_RECIPE_CHOICES (self->choices), missing);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_application (GTK_WINDOW (self), gtk_window_get_application (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  return GTK_WINDOW (self);
}
