/* Menu button with the saved filters of a table: named filters, kept in the settings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-saved-button.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"

#include <glib/gi18n.h>

/* Maximum number of filters listed. */
#define MAX_SAVED 200

struct _NsSavedButton
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;

  GtkWidget *button;
  GtkWidget *word;
};

enum
{
  SIGNAL_USE,
  SIGNAL_MESSAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_SESSION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsSavedButton, ns_saved_button, GTK_TYPE_BOX)

/* Returns the table in front. */
static NsTableId
get_table (NsSavedButton *self)
{
  return self->session != NULL ? ns_session_get_front (self->session) : NS_TABLE_ACTIVITIES;
}

/* Copies all saved filters except the one of this name for the table in front. */
static void
copy_others (NsSavedButton *self, const char *name, GVariantBuilder *builder)
{
  g_autoptr (GVariant) all = g_settings_get_value (ns_settings_get (), "saved-filters");
  GVariantIter iter;
  const char *table;
  const char *old;
  const char *text;

  g_variant_builder_init (builder, G_VARIANT_TYPE ("a(sss)"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s&s)", &table, &old, &text))
    if (g_strcmp0 (table, ns_table_get_name (get_table (self))) != 0 || g_strcmp0 (old, name) != 0)
      g_variant_builder_add (builder, "(sss)", table, old, text);
}

static void
save_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsSavedButton *self = data;
  g_autofree char *name = g_strstrip (g_variant_dup_string (parameter, NULL));
  const char *text;
  GVariantBuilder builder;

  if (self->session == NULL || ns_settings_get () == NULL)
    return;
  text = ns_session_get_filter (self->session, get_table (self));
  if (*text == '\0')
    return;
  copy_others (self, *name != '\0' ? name : text, &builder);
  g_variant_builder_add (&builder,
                         "(sss)",
                         ns_table_get_name (get_table (self)),
                         *name != '\0' ? name : text,
                         text);
  g_settings_set_value (ns_settings_get (), "saved-filters", g_variant_builder_end (&builder));
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, _ ("Filter saved"));
}

static void
forget_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GVariantBuilder builder;

  if (ns_settings_get () == NULL)
    return;
  copy_others (data, g_variant_get_string (parameter, NULL), &builder);
  g_settings_set_value (ns_settings_get (), "saved-filters", g_variant_builder_end (&builder));
}

static void
use_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsSavedButton *self = data;
  GSettings *settings = ns_settings_get ();
  const char *wanted = g_variant_get_string (parameter, NULL);
  g_autoptr (GVariant) all = NULL;
  GVariantIter iter;
  const char *table;
  const char *name;
  const char *text;

  if (settings == NULL)
    return;
  all = g_settings_get_value (settings, "saved-filters");
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s&s)", &table, &name, &text))
    if (g_strcmp0 (table, ns_table_get_name (get_table (self))) == 0 &&
        g_strcmp0 (name, wanted) == 0)
      {
        g_signal_emit (self, signals[SIGNAL_USE], 0, text);
        return;
      }
}

static const GActionEntry entries[] = {
  { "save-filter", save_filter_cb, "s", NULL, NULL, { 0 } },
  { "forget-filter", forget_filter_cb, "s", NULL, NULL, { 0 } },
  { "use-filter", use_filter_cb, "s", NULL, NULL, { 0 } },
};

static GtkWidget *
line_new (const char *name, const char *text)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *use = gtk_button_new ();
  GtkWidget *forget = gtk_button_new_from_icon_name ("window-close-symbolic");
  GtkWidget *label = gtk_label_new (name);
  g_autofree char *spoken = g_strdup_printf (_ ("Delete “%s”"), name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_button_set_child (GTK_BUTTON (use), label);
  ns_accessible_set_name (use, name);
  gtk_button_set_has_frame (GTK_BUTTON (use), FALSE);
  gtk_widget_set_hexpand (use, TRUE);
  gtk_widget_set_tooltip_text (use, text);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (use), "win.use-filter");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (use), "s", name);
  gtk_button_set_has_frame (GTK_BUTTON (forget), FALSE);
  gtk_widget_set_tooltip_text (forget, spoken);
  ns_accessible_set_name (GTK_WIDGET (forget), spoken);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (forget), "win.forget-filter");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (forget), "s", name);
  gtk_box_append (GTK_BOX (line), use);
  gtk_box_append (GTK_BOX (line), forget);
  return line;
}

static void
name_entered_cb (GtkEntry *entry, GtkWidget *popover)
{
  gtk_widget_activate_action (GTK_WIDGET (entry),
                              "win.save-filter",
                              "s",
                              gtk_editable_get_text (GTK_EDITABLE (entry)));
  gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
save_clicked_cb (GtkWidget *entry)
{
  g_signal_emit_by_name (entry, "activate");
}

static void
add_saved_lines (NsSavedButton *self, GtkWidget *box)
{
  GSettings *settings = ns_settings_get ();
  g_autoptr (GVariant) all =
      settings != NULL ? g_settings_get_value (settings, "saved-filters") : NULL;
  GVariantIter iter;
  const char *table;
  const char *name;
  const char *text;
  guint n_lines = 0;

  if (all == NULL)
    return;
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&s&s)", &table, &name, &text) && n_lines < MAX_SAVED)
    if (g_strcmp0 (table, ns_table_get_name (get_table (self))) == 0)
      {
        gtk_box_append (GTK_BOX (box), line_new (name, text));
        n_lines++;
      }
  if (n_lines == 0)
    {
      GtkWidget *none = gtk_label_new (_ ("No filter is saved for this table yet."));

      gtk_widget_add_css_class (none, "dim");
      gtk_box_append (GTK_BOX (box), none);
    }
}

/* Creates the popover, each time that it is opened. */
static void
create_popover (GtkMenuButton *button, gpointer data)
{
  NsSavedButton *self = data;
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *save = gtk_button_new_with_label (_ ("Save"));

  add_saved_lines (self, lines);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), lines);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 360);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Name for this filter"));
  ns_accessible_set_name (GTK_WIDGET (entry), _ ("Name for this filter"));
  gtk_widget_set_hexpand (entry, TRUE);
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered_cb), popover);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (save_clicked_cb), entry);
  gtk_box_append (GTK_BOX (row), entry);
  gtk_box_append (GTK_BOX (row), save);
  gtk_widget_set_sensitive (row,
                            self->session != NULL &&
                                *ns_session_get_filter (self->session, get_table (self)) != '\0');
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), row);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  /* GTK would give the focus to the first focusable widget of the popover. */
  g_signal_connect_swapped (popover, "map", G_CALLBACK (gtk_widget_grab_focus), entry);
  ns_help_set_popover_page (popover, "filter");
  gtk_menu_button_set_popover (button, popover);
}

/**
 * ns_saved_button_get_actions:
 * @self: a button
 *
 * Returns: (transfer none): the actions `save-filter`, `forget-filter` and `use-filter`, which take
 *   the name of a filter as parameter
 */
GActionMap *
ns_saved_button_get_actions (NsSavedButton *self)
{
  g_return_val_if_fail (NS_IS_SAVED_BUTTON (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_saved_button_set_session:
 * @self: a button
 * @session: (nullable): the session whose filter can be saved
 *
 * Sets the session. Without one nothing can be saved.
 */
void
ns_saved_button_set_session (NsSavedButton *self, NsSession *session)
{
  g_return_if_fail (NS_IS_SAVED_BUTTON (self));

  if (g_set_object (&self->session, session))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

/**
 * ns_saved_button_set_narrow:
 * @self: a button
 * @is_narrow: whether space is short
 *
 * Hides the label beside the icon, or shows it again.
 */
void
ns_saved_button_set_narrow (NsSavedButton *self, gboolean is_narrow)
{
  g_return_if_fail (NS_IS_SAVED_BUTTON (self));

  gtk_widget_set_visible (self->word, !is_narrow);
}

static void
ns_saved_button_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, NS_SAVED_BUTTON (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_saved_button_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_saved_button_set_session (NS_SAVED_BUTTON (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_saved_button_dispose (GObject *object)
{
  g_clear_object (&NS_SAVED_BUTTON (object)->session);
  G_OBJECT_CLASS (ns_saved_button_parent_class)->dispose (object);
}

static void
ns_saved_button_finalize (GObject *object)
{
  g_object_unref (NS_SAVED_BUTTON (object)->actions);
  G_OBJECT_CLASS (ns_saved_button_parent_class)->finalize (object);
}

static void
ns_saved_button_class_init (NsSavedButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_saved_button_get_property;
  object_class->set_property = ns_saved_button_set_property;
  object_class->dispose = ns_saved_button_dispose;
  object_class->finalize = ns_saved_button_finalize;
  /**
   * NsSavedButton:session:
   *
   * The session whose filter can be saved.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsSavedButton::use:
   * @self: the button
   * @text: the text of the filter
   *
   * Emitted when the user chooses a saved filter for the table in front.
   */
  signals[SIGNAL_USE] = g_signal_new ("use",
                                      NS_TYPE_SAVED_BUTTON,
                                      G_SIGNAL_RUN_LAST,
                                      0,
                                      NULL,
                                      NULL,
                                      NULL,
                                      G_TYPE_NONE,
                                      1,
                                      G_TYPE_STRING);
  /**
   * NsSavedButton::message:
   * @self: the button
   * @text: the message to show to the user
   */
  signals[SIGNAL_MESSAGE] = g_signal_new ("message",
                                          NS_TYPE_SAVED_BUTTON,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-saved-button.ui");
  gtk_widget_class_bind_template_child (widget_class, NsSavedButton, button);
  gtk_widget_class_bind_template_child (widget_class, NsSavedButton, word);
}

static void
ns_saved_button_init (NsSavedButton *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->button),
                                         create_popover,
                                         self,
                                         NULL);
}
