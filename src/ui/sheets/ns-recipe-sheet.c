/* How to record a trace: what is to be in it, and the profile or the commands that record it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-recipe-file.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-help.h"
#include "ui/ns-spoken.h"
#include "ui/sheets/ns-recipe-sheet.h"
#include "ui/sheets/ns-recipe-steps.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>

struct _NsRecipeSheet
{
  GtkWindow parent_instance;

  GtkWidget *question;
  GtkWidget *steps;
  GtkWidget *layers[NS_RECIPE_N_LAYERS];
  GtkWidget *stacks;
  GtkWidget *detail;
  GtkWidget *more;
  GtkWidget *form;
  GtkWidget *how;
  GtkWidget *wrong;
  GtkWidget *preview;
  GtkWidget *copy;
  GtkWidget *save;
  GtkWidget *save_kit;
  char *text; /* (nullable): what is shown, if it makes sense */
};

G_DEFINE_FINAL_TYPE (NsRecipeSheet, ns_recipe_sheet, GTK_TYPE_WINDOW)

static const struct
{
  const char *label;
  const char *tooltip;
} layer_words[NS_RECIPE_N_LAYERS] = {
  [NS_RECIPE_HTTP] = { N_ ("_Requests"), N_ ("WinHTTP, WebIO and WinINet") },
  [NS_RECIPE_SOCKETS] = { N_ ("_Sockets"), N_ ("Who opened which socket: Winsock") },
  [NS_RECIPE_CONNECTIONS] = { N_ ("_Connections"), N_ ("TCP and UDP in detail: TCPIP") },
  [NS_RECIPE_NAMES] = { N_ ("_Names"), N_ ("Which name was asked of which DNS server") },
  [NS_RECIPE_LDAP] = { N_ ("_LDAP"), N_ ("Searches in a directory") },
  [NS_RECIPE_COUNTERS] = { N_ ("_Bytes by the kernel"),
                           N_ ("What the kernel counts: little work") },
  [NS_RECIPE_TLS] = { N_ ("_TLS"), N_ ("Handshakes, versions and alerts: Schannel") },
  [NS_RECIPE_QUIC] = { N_ ("_QUIC"), N_ ("Connections of HTTP/3: MsQuic") },
  [NS_RECIPE_BROWSERS] = { N_ ("Bro_wsers"), N_ ("The network log of Chrome and Edge") },
  [NS_RECIPE_OFFICE] = { N_ ("_Office queues"), N_ ("Who queued work in Office applications") },
  [NS_RECIPE_ENVIRONMENT] = { N_ ("_Environment"),
                              N_ ("How the machine is connected: DHCP, Wi-Fi, dropped packets") },
  [NS_RECIPE_SERVER] = { N_ ("Ser_ver"), N_ ("Requests that this machine answers: HTTP.sys") },
  [NS_RECIPE_PROCESSOR] = { N_ ("_Processor"),
                            N_ ("Which thread ran or waited when: large traces") },
};

/* What people want to know, and what has to be recorded for it. */
static const struct
{
  const char *words;
  guint layers;
  NsRecipeForm form;
} questions[] = {
  { N_ ("All that the views show"), NS_RECIPE_DEFAULT_LAYERS, NS_RECIPE_WPRP },
  { N_ ("Why is a request slow?"),
    NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |
        NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES) |
        NS_RECIPE_LAYER (NS_RECIPE_TLS) | NS_RECIPE_LAYER (NS_RECIPE_QUIC),
    NS_RECIPE_WPRP },
  { N_ ("Why does a connection fail?"),
    NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) | NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) |
        NS_RECIPE_LAYER (NS_RECIPE_NAMES) | NS_RECIPE_LAYER (NS_RECIPE_TLS) |
        NS_RECIPE_LAYER (NS_RECIPE_ENVIRONMENT),
    NS_RECIPE_WPRP },
  { N_ ("Why is a name not found?"),
    NS_RECIPE_LAYER (NS_RECIPE_NAMES) | NS_RECIPE_LAYER (NS_RECIPE_ENVIRONMENT),
    NS_RECIPE_WPRP },
  { N_ ("Which code sends this?"),
    NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |
        NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES) |
        NS_RECIPE_LAYER (NS_RECIPE_LDAP) | NS_RECIPE_LAYER (NS_RECIPE_OFFICE),
    NS_RECIPE_WPRP },
  { N_ ("What is in the packets?"),
    NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES),
    NS_RECIPE_PKTMON },
};

static NsRecipeForm
get_form (NsRecipeSheet *self)
{
  return (NsRecipeForm) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->form));
}

/* Who may record so, and what is not recorded. */
static const char *
form_to_words (NsRecipeForm form)
{
  switch (form)
    {
    case NS_RECIPE_WPRP:
      return _ ("Commands are for an administrator. Call stacks are recorded, too.");
    case NS_RECIPE_CLASSIC:
      return _ ("For Windows 8.1, and Windows 10 before version 1703. Commands are for an "
                "administrator; no call stacks are recorded.");
    case NS_RECIPE_NETSH:
    case NS_RECIPE_PKTMON:
      return _ ("Commands are for an administrator. Processes are recorded, but no call stacks and "
                "no modules; a profile records them.");
    case NS_RECIPE_LOGMAN:
    case NS_RECIPE_KIT:
    case NS_RECIPE_N_FORMS:
    default:
      return _ ("Commands are for an administrator. No call stacks are recorded, and processes and "
                "modules in a file of their own; a profile records all in one.");
    }
}

/* What is ticked; holds until the entry for more providers changes. */
static NsRecipeOptions
get_options (NsRecipeSheet *self)
{
  NsRecipeOptions options = { 0 };
  guint detail = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->detail));
  guint i;

  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->layers[i])))
      options.layers |= NS_RECIPE_LAYER (i);
  options.has_stacks = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->stacks));
  options.detail = detail < NS_RECIPE_N_DETAILS ? (NsRecipeDetail) detail : NS_RECIPE_DEFAULT;
  options.more = gtk_editable_get_text (GTK_EDITABLE (self->more));
  return options;
}

static void
update (NsRecipeSheet *self)
{
  NsRecipeOptions options = get_options (self);
  g_autoptr (GError) error = NULL;
  NsRecipeForm form = get_form (self);

  g_free (self->text);
  self->text = ns_recipe_file_to_text (&options, form, &error);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->preview)),
                            self->text != NULL ? self->text : "",
                            -1);
  gtk_label_set_text (GTK_LABEL (self->wrong),
                      error == NULL ? ""
                      : *options.more == '\0'
                          ? _ ("Choose what to record.")
                          : _ ("A provider is NAME or NAME:KEYWORDS:LEVEL, several with commas "
                               "between."));
  gtk_widget_set_visible (self->wrong, error != NULL);
  gtk_label_set_text (GTK_LABEL (self->how), form_to_words (form));
  ns_recipe_steps_set_form (self->steps, form);
  gtk_widget_set_sensitive (self->copy, self->text != NULL);
  gtk_widget_set_sensitive (self->save, self->text != NULL);
  gtk_widget_set_sensitive (self->save_kit, self->text != NULL);
  gtk_widget_set_sensitive (self->stacks, ns_export_recipe_form_has_stacks (form));
  gtk_widget_set_sensitive (self->detail, form == NS_RECIPE_WPRP);
  gtk_widget_set_sensitive (self->layers[NS_RECIPE_PROCESSOR],
                            form == NS_RECIPE_WPRP || form == NS_RECIPE_CLASSIC);
}

static void
question_cb (NsRecipeSheet *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->question));
  guint i;

  if (chosen >= G_N_ELEMENTS (questions))
    return;
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->layers[i]),
                                 (questions[chosen].layers & NS_RECIPE_LAYER (i)) != 0);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->stacks), TRUE);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->form), questions[chosen].form);
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
  NsRecipeOptions options = get_options (self);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

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
heading_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "section-title");
  return label;
}

static GtkWidget *
build_choices (NsRecipeSheet *self)
{
  static const char *const details[] = { N_ ("Default: all that rows and findings need"),
                                         N_ ("Light: what rows are made of"),
                                         N_ ("Verbose: everything but secrets"),
                                         NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  const char *words[G_N_ELEMENTS (questions) + 1] = { NULL };
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_More providers"));
  guint i;

  for (i = 0; i < G_N_ELEMENTS (questions); i++)
    words[i] = questions[i].words;
  self->question = ns_spoken_drop_down_new (words, _ ("Question"));
  gtk_box_append (GTK_BOX (box), heading_new (_ ("What do you want to know?")));
  gtk_box_append (GTK_BOX (box), self->question);
  gtk_box_append (GTK_BOX (box), heading_new (_ ("What to record")));
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    {
      self->layers[i] = ns_spoken_check_button_new (_ (layer_words[i].label));
      gtk_widget_set_tooltip_text (self->layers[i], _ (layer_words[i].tooltip));
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->layers[i]),
                                   (NS_RECIPE_DEFAULT_LAYERS & NS_RECIPE_LAYER (i)) != 0);
      gtk_box_append (GTK_BOX (box), self->layers[i]);
    }
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  self->stacks = ns_spoken_check_button_new (_ ("Call s_tacks"));
  gtk_widget_set_tooltip_text (self->stacks, _ ("Which code did it: larger traces"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->stacks), TRUE);
  self->detail = ns_spoken_drop_down_new (details, _ ("Detail"));
  self->more = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->more), "My-Provider:0x10:5");
  gtk_widget_set_tooltip_text (self->more,
                               _ ("Name or GUID, keywords and level; several with commas between"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->more);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (box), self->stacks);
  gtk_box_append (GTK_BOX (box), self->detail);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->more);
  return box;
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
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->form = ns_spoken_drop_down_new (forms, _ ("Made for"));
  self->how = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->how), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->how), 0);
  gtk_label_set_selectable (GTK_LABEL (self->how), TRUE);
  gtk_widget_add_css_class (self->how, "dim");
  self->wrong = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->wrong), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->wrong), 0);
  gtk_widget_add_css_class (self->wrong, "failure");
  self->preview = gtk_text_view_new ();
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->preview), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->preview), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->preview), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->preview), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->preview), 6);
  gtk_widget_add_css_class (self->preview, "caption");
  ns_spoken_set_name (self->preview, _ ("Recipe"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->preview);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_hexpand (scrolled, TRUE);
  self->copy = ns_spoken_button_new (_ ("Cop_y"));
  self->save = ns_spoken_button_new (_ ("Sa_ve…"));
  self->save_kit = ns_spoken_button_new (_ ("Save Capture _Kit…"));
  gtk_widget_set_tooltip_text (self->save_kit,
                               _ ("An archive for whoever has the Windows machine: a script to "
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
  gtk_box_append (GTK_BOX (box), self->steps);
  gtk_box_append (GTK_BOX (box), self->wrong);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), buttons);
  return box;
}

static void
connect_all (NsRecipeSheet *self)
{
  guint i;

  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    g_signal_connect_swapped (self->layers[i], "toggled", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->question, "notify::selected", G_CALLBACK (question_cb), self);
  g_signal_connect_swapped (self->stacks, "toggled", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->detail, "notify::selected", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->form, "notify::selected", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->more, "changed", G_CALLBACK (update), self);
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

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), build_choices (self));
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
 * @parent: the window that asks
 * @more_layers: layers to tick besides those the tables need, see ns_export_recipe_parse_layers();
 *   empty for none
 *
 * Returns: (transfer none): a window that tells how to record a trace
 */
GtkWindow *
ns_recipe_sheet_new (GtkWindow *parent, const char *more_layers)
{
  NsRecipeSheet *self = g_object_new (NS_TYPE_RECIPE_SHEET, NULL);
  guint layers = 0;
  guint i;

  if (*more_layers != '\0' && ns_export_recipe_parse_layers (more_layers, &layers, NULL))
    for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
      if ((layers & NS_RECIPE_LAYER (i)) != 0)
        gtk_check_button_set_active (GTK_CHECK_BUTTON (self->layers[i]), TRUE);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_application (GTK_WINDOW (self), gtk_window_get_application (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  return GTK_WINDOW (self);
}
