/* The filter of the table in front: its conditions as chips, the filter entry, and saved filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-filter-bar.h"

#include "model/ns-session-conditions.h"
#include "model/ns-session-followed.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-chip.h"
#include "ui/ns-filter-entry.h"
#include "ui/ns-help.h"
#include "ui/ns-saved-button.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* Delay between the last key press and the filter run. */
#define FILTER_DELAY_MS 150

#define TREE_ACTION "follow-process-tree"

struct _NsFilterBar
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  guint filter_id;
  gboolean is_setting; /* the entry is changed by code, not by the user */
  gboolean is_held;    /* updates are suspended until ns_filter_bar_resume() */
  gboolean is_due;     /* a filter run was pending when updates were suspended */
  guint n_named;       /* number of addresses with a function name at the last filter run */
  char *other_text;    /* (nullable): text of another focused entry at the last filter change */

  GtkWidget *box;
  GtkWidget *chip_scrolled;
  GtkWidget *chip_box;
  GtkWidget *entry;
  GtkWidget *clear_button;
  NsSavedButton *saved_button;
};

enum
{
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

G_DEFINE_FINAL_TYPE (NsFilterBar, ns_filter_bar, GTK_TYPE_BOX)

/* Returns the chips of the table in front, NULL without a session. */
static NsFilterChips *
get_chips (NsFilterBar *self)
{
  return self->session != NULL
             ? ns_session_get_chips (self->session, ns_session_get_front (self->session))
             : NULL;
}

static gboolean
has_error (NsFilterBar *self)
{
  return gtk_widget_has_css_class (self->box, "error");
}

/* Shows a syntax error in the entry, or clears it if error is NULL. */
static void
show_error (NsFilterBar *self, const NsFilterSpan *where, const GError *error)
{
  if (error != NULL)
    gtk_widget_add_css_class (self->box, "error");
  else
    gtk_widget_remove_css_class (self->box, "error");
  ns_filter_entry_set_error (NS_FILTER_ENTRY (self->entry),
                             error != NULL ? where : NULL,
                             error != NULL ? error->message : NULL);
}

static void
set_entry_text (NsFilterBar *self, const char *text)
{
  g_clear_handle_id (&self->filter_id, g_source_remove);
  self->is_setting = TRUE;
  ns_filter_entry_set_text (NS_FILTER_ENTRY (self->entry), text);
  self->is_setting = FALSE;
}

/* Updates the chips. Widgets are reused, so that only a removed chip loses the focus. */
static void
update_chips (NsFilterBar *self)
{
  NsFilterChips *chips = get_chips (self);
  guint n_chips = chips != NULL ? ns_filter_chips_get_n_chips (chips) : 0;
  gboolean had_focus = gtk_widget_get_focus_child (self->chip_box) != NULL;
  GtkWidget *child;

  ns_chip_fill_box (GTK_BOX (self->chip_box), chips);
  gtk_widget_set_visible (self->chip_scrolled, n_chips > 0);
  if (had_focus && gtk_widget_get_focus_child (self->chip_box) == NULL)
    {
      child = gtk_widget_get_last_child (self->chip_box);
      gtk_widget_grab_focus (child != NULL ? child : self->entry);
    }
}

/* Shows the clear button while there is a filter. The entry takes its focus when it is hidden. */
static void
update_clear (NsFilterBar *self)
{
  NsFilterChips *chips = get_chips (self);
  gboolean is_clear = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0' &&
                      (chips == NULL || ns_filter_chips_get_n_chips (chips) == 0);

  if (is_clear && gtk_widget_has_focus (self->clear_button))
    gtk_widget_grab_focus (self->entry);
  gtk_widget_set_visible (self->clear_button, !is_clear);
}

/* Runs the counts that were deferred until the rows of the table are known. */
static void
rows_changed_cb (NsFilterBar *self, guint table)
{
  if (table == ns_session_get_front (self->session))
    ns_session_count_due (self->session);
}

/* Shows the conditions of the table in front, and the draft in the entry. */
static void
show_conditions (NsFilterBar *self)
{
  ns_filter_entry_set_table (NS_FILTER_ENTRY (self->entry),
                             ns_session_get_trace (self->session),
                             ns_session_get_front (self->session));
  set_entry_text (self, ns_filter_chips_get_draft (get_chips (self)));
  show_error (self, NULL, NULL);
  update_chips (self);
  ns_session_count_conditions (self->session);
  update_clear (self);
}

static void
counted_cb (NsFilterBar *self)
{
  if (!self->is_held)
    update_chips (self);
}

static void
conditions_changed_cb (NsFilterBar *self, guint table, guint how)
{
  if (self->is_held || table != ns_session_get_front (self->session))
    return;
  if (how != NS_CONDITIONS_TYPED)
    {
      show_conditions (self);
      return;
    }
  show_error (self, NULL, NULL);
  update_clear (self);
}

/* Runs filters with stack conditions again when more functions have been resolved. */
static void
symbols_changed_cb (NsFilterBar *self)
{
  guint n_named;
  guint n_asked;

  if (self->session == NULL)
    return;
  ns_symbol_job_count (ns_symbol_job_get_for_session (self->session), &n_named, &n_asked);
  if (n_named == self->n_named)
    return;
  self->n_named = n_named;
  ns_session_names_changed (self->session);
  ns_session_count_conditions (self->session);
}

static void
show_message (NsFilterBar *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

/* Applies the changed conditions to the rows. */
static void
apply (NsFilterBar *self, NsConditionsChange how)
{
  GtkWidget *other = ns_filter_entry_find_other_text (NS_FILTER_ENTRY (self->entry));
  g_autoptr (GError) error = NULL;

  g_free (self->other_text);
  self->other_text = other != NULL ? g_strdup (gtk_editable_get_text (GTK_EDITABLE (other))) : NULL;
  if (!ns_session_apply_conditions (self->session,
                                    ns_session_get_front (self->session),
                                    how,
                                    &error))
    show_message (self, error->message);
}

/* Applies the text of the entry; a syntax error leaves the rows unchanged. */
static void
apply_entry (NsFilterBar *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GError) error = NULL;
  NsFilterSpan where = { 0 };

  g_clear_handle_id (&self->filter_id, g_source_remove);
  if (self->session == NULL)
    return;
  if (ns_filter_chips_set_draft (get_chips (self), text, &where, &error))
    apply (self, NS_CONDITIONS_TYPED);
  else
    show_error (self, &where, error);
}

/* Turns the text of the entry into chips. */
static void
take_draft (NsFilterBar *self)
{
  NsFilterChips *chips = get_chips (self);
  gboolean has_more;

  apply_entry (self);
  if (chips == NULL || has_error (self))
    return;
  has_more = strcmp (ns_filter_chips_get_draft (chips), ns_filter_chips_get_settled (chips)) != 0;
  if (!ns_filter_chips_take_draft (chips, NULL, NULL))
    return;
  /* The last word, which may still have become a field name, becomes a text search. */
  if (has_more)
    apply (self, NS_CONDITIONS_SET);
  else
    ns_session_conditions_changed (self->session,
                                   ns_session_get_front (self->session),
                                   NS_CONDITIONS_PUT);
}

static gboolean
filter_timeout_cb (gpointer data)
{
  NsFilterBar *self = data;

  self->filter_id = 0;
  apply_entry (self);
  return G_SOURCE_REMOVE;
}

static void
entry_changed_cb (NsFilterBar *self)
{
  if (self->is_setting)
    return;
  update_clear (self);
  g_clear_handle_id (&self->filter_id, g_source_remove);
  self->filter_id = g_timeout_add (FILTER_DELAY_MS, filter_timeout_cb, self);
}

static void
edit_chip (NsFilterBar *self, guint index)
{
  g_autofree char *text = NULL;

  apply_entry (self);
  if (self->session == NULL || has_error (self))
    return;
  text = ns_filter_chips_edit (get_chips (self), index);
  if (text == NULL)
    return;
  apply (self, NS_CONDITIONS_SET);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

/* Reverts text that is not applied yet or has an error. Returns whether it did. */
static gboolean
revert_entry (NsFilterBar *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  NsFilterChips *chips = get_chips (self);

  if (chips == NULL || (self->filter_id == 0 && !has_error (self)) ||
      strcmp (text, ns_filter_chips_get_draft (chips)) == 0)
    return FALSE;
  set_entry_text (self, ns_filter_chips_get_draft (chips));
  show_error (self, NULL, NULL);
  update_clear (self);
  return TRUE;
}

/* Handles Ctrl+Z, and Backspace and Left at the start of the entry: edit or focus a chip. */
static gboolean
entry_key_cb (GtkEventControllerKey *controller,
              guint key,
              guint keycode,
              GdkModifierType state,
              NsFilterBar *self)
{
  NsFilterChips *chips = get_chips (self);
  guint n_chips = chips != NULL ? ns_filter_chips_get_n_chips (chips) : 0;
  GtkEditable *entry = GTK_EDITABLE (self->entry);

  /* The undo-filter action is disabled, so its accelerator is handled here. */
  if (key == GDK_KEY_z && (state & gtk_accelerator_get_default_mod_mask ()) == GDK_CONTROL_MASK)
    return revert_entry (self);
  if (n_chips == 0 || gtk_editable_get_position (entry) != 0 ||
      gtk_editable_get_selection_bounds (entry, NULL, NULL) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)))
    return FALSE;
  if (key == GDK_KEY_BackSpace)
    {
      edit_chip (self, n_chips - 1);
      return TRUE;
    }
  if (key == GDK_KEY_Left)
    return gtk_widget_grab_focus (gtk_widget_get_last_child (self->chip_box));
  return FALSE;
}

/**
 * ns_filter_bar_set_text:
 * @self: a filter bar
 * @text: a filter expression
 *
 * Replaces all conditions of the table in front. If @text has a syntax error, it is shown in the
 * entry and the conditions do not change.
 */
void
ns_filter_bar_set_text (NsFilterBar *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  NsFilterSpan where = { 0 };

  g_return_if_fail (NS_IS_FILTER_BAR (self));

  if (self->session == NULL)
    return;
  if (ns_filter_chips_set_text (get_chips (self), text, &where, &error))
    {
      apply (self, NS_CONDITIONS_SET);
      return;
    }
  set_entry_text (self, text);
  show_error (self, &where, error);
}

static void
set_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_filter_bar_set_text (data, g_variant_get_string (parameter, NULL));
}

/* Undoes typing in another focused entry, if its text has changed since the last filter change. */
static gboolean
undo_other_text (NsFilterBar *self)
{
  GtkWidget *other = ns_filter_entry_find_other_text (NS_FILTER_ENTRY (self->entry));

  return other != NULL &&
         g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (other)), self->other_text) != 0 &&
         gtk_widget_activate_action (other, "text.undo", NULL);
}

static void
undo_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFilterChips *chips = get_chips (data);

  if (chips == NULL || undo_other_text (data) || revert_entry (data))
    return;
  if (ns_filter_chips_undo (chips))
    apply (data, NS_CONDITIONS_SET);
}

/* Applies a change to the chip whose index is the parameter. */
static void
change_chips (NsFilterBar *self,
              void (*change) (NsFilterChips *chips, guint number),
              GVariant *parameter)
{
  NsFilterChips *chips = get_chips (self);

  if (chips == NULL)
    return;
  change (chips, g_variant_get_uint32 (parameter));
  apply (self, NS_CONDITIONS_SET);
}

static void
chip_toggle_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  change_chips (data, ns_filter_chips_toggle, parameter);
}

static void
chip_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  change_chips (data, ns_filter_chips_remove, parameter);
}

static void
chip_keep_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  change_chips (data, ns_filter_chips_keep, parameter);
}

static void
chip_edit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  edit_chip (data, g_variant_get_uint32 (parameter));
}

static void
chip_take_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  take_draft (data);
}

/* Sets the text of the entry as if it had been typed. */
static void
type_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  set_entry_text (data, g_variant_get_string (parameter, NULL));
  apply_entry (data);
}

/* Selects a completion by its index. */
static void
take_offer_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_filter_entry_take_offer (NS_FILTER_ENTRY (NS_FILTER_BAR (data)->entry),
                              g_variant_get_uint32 (parameter));
}

static void
whole_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFilterBar *self = data;

  if (self->session == NULL)
    return;
  ns_session_set_visible (self->session, ns_session_get_whole (self->session));
  ns_filter_bar_set_text (self, "");
}

static void
follow_row_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const struct
  {
    const char *action;
    NsFollow what;
  } follows[] = {
    { "follow-connection", NS_FOLLOW_CONNECTION },
    { "follow-server", NS_FOLLOW_SERVER },
    { "follow-chain", NS_FOLLOW_CHAIN },
  };
  NsFilterBar *self = data;
  const char *name = g_action_get_name (G_ACTION (action));
  g_autoptr (GError) error = NULL;
  guint i = 0;

  while (!g_str_equal (follows[i].action, name))
    i++;
  if (self->session != NULL && !ns_session_follow_row (self->session, follows[i].what, &error))
    show_message (self, error->message);
}

static void
follow_process_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFilterBar *self = data;
  gboolean has_children = g_str_equal (g_action_get_name (G_ACTION (action)), TREE_ACTION);
  g_autoptr (GError) error = NULL;

  if (self->session != NULL && !ns_session_follow_process (self->session, has_children, &error))
    show_message (self, error->message);
}

static const GActionEntry entries[] = {
  { "set-filter", set_filter_cb, "s", NULL, NULL, { 0 } },
  { "undo-filter", undo_filter_cb, NULL, NULL, NULL, { 0 } },
  { "chip-toggle", chip_toggle_cb, "u", NULL, NULL, { 0 } },
  { "chip-remove", chip_remove_cb, "u", NULL, NULL, { 0 } },
  { "chip-edit", chip_edit_cb, "u", NULL, NULL, { 0 } },
  { "chip-keep", chip_keep_cb, "u", NULL, NULL, { 0 } },
  { "chip-take", chip_take_cb, NULL, NULL, NULL, { 0 } },
  { "type-filter", type_filter_cb, "s", NULL, NULL, { 0 } },
  { "take-offer", take_offer_cb, "u", NULL, NULL, { 0 } },
  { "whole-trace", whole_trace_cb, NULL, NULL, NULL, { 0 } },
  { "follow-connection", follow_row_cb, NULL, NULL, NULL, { 0 } },
  { "follow-server", follow_row_cb, NULL, NULL, NULL, { 0 } },
  { "follow-chain", follow_row_cb, NULL, NULL, NULL, { 0 } },
  { "follow-process", follow_process_cb, NULL, NULL, NULL, { 0 } },
  { TREE_ACTION, follow_process_cb, NULL, NULL, NULL, { 0 } },
};

/**
 * ns_filter_bar_get_actions:
 * @self: a filter bar
 *
 * Returns: (transfer none): the actions `set-filter`, `type-filter`, `take-offer`, `undo-filter`,
 *   `whole-trace`, `chip-take` (the text becomes chips), other `chip-…` (for the chip of an index),
 *   `follow-…` (filter by the selected row), and those of saved filters
 */
GActionMap *
ns_filter_bar_get_actions (NsFilterBar *self)
{
  g_return_val_if_fail (NS_IS_FILTER_BAR (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_filter_bar_get_entry:
 * @self: a filter bar
 *
 * Returns: (transfer none): the filter entry, to focus it
 */
GtkWidget *
ns_filter_bar_get_entry (NsFilterBar *self)
{
  g_return_val_if_fail (NS_IS_FILTER_BAR (self), NULL);

  return self->entry;
}

/**
 * ns_filter_bar_escape:
 * @self: a filter bar
 *
 * Closes the list of completions. Without one, reverts the text of the entry if it has an error:
 * then the entry shows the conditions that the rows match.
 *
 * Returns: whether it did either
 */
gboolean
ns_filter_bar_escape (NsFilterBar *self)
{
  g_return_val_if_fail (NS_IS_FILTER_BAR (self), FALSE);

  return ns_filter_entry_popdown (NS_FILTER_ENTRY (self->entry)) ||
         (has_error (self) && revert_entry (self));
}

/**
 * ns_filter_bar_set_narrow:
 * @self: a filter bar
 * @is_narrow: whether to use short labels
 *
 * Sets whether the window is narrow.
 */
void
ns_filter_bar_set_narrow (NsFilterBar *self, gboolean is_narrow)
{
  g_return_if_fail (NS_IS_FILTER_BAR (self));

  ns_saved_button_set_narrow (self->saved_button, is_narrow);
  g_object_set (self->entry,
                "placeholder-text",
                is_narrow ? _ ("Add a filter")
                          : _ ("Add a filter: process:outlook status>=400 stack:olmapi32!*"),
                NULL);
}

/* Disconnects from the current session. */
static void
leave_session (NsFilterBar *self)
{
  g_clear_handle_id (&self->filter_id, g_source_remove);
  if (self->session == NULL)
    return;
  g_signal_handlers_disconnect_by_data (ns_symbol_job_get_for_session (self->session), self);
  g_signal_handlers_disconnect_by_data (self->session, self);
  ns_session_stop_counting (self->session);
  ns_session_forget_followed (self->session);
  if (!self->is_held)
    ns_filter_entry_set_table (NS_FILTER_ENTRY (self->entry),
                               NULL,
                               ns_session_get_front (self->session));
  g_clear_object (&self->session);
}

/**
 * ns_filter_bar_set_session:
 * @self: a filter bar
 * @session: (nullable): the session whose tables are filtered
 */
void
ns_filter_bar_set_session (NsFilterBar *self, NsSession *session)
{
  g_return_if_fail (NS_IS_FILTER_BAR (self));

  if (self->session == session)
    return;
  leave_session (self);
  ns_saved_button_set_session (self->saved_button, session);
  if (g_set_object (&self->session, session) && session != NULL)
    {
      self->n_named = 0;
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
      g_signal_connect_swapped (session, "notify::front", G_CALLBACK (show_conditions), self);
      g_signal_connect_swapped (session,
                                "conditions-changed",
                                G_CALLBACK (conditions_changed_cb),
                                self);
      g_signal_connect_swapped (session, "conditions-counted", G_CALLBACK (counted_cb), self);
      g_signal_connect_swapped (ns_symbol_job_get_for_session (session),
                                "changed",
                                G_CALLBACK (symbols_changed_cb),
                                self);
      if (!self->is_held)
        show_conditions (self);
      symbols_changed_cb (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

/**
 * ns_filter_bar_hold:
 * @self: a filter bar
 *
 * Suspends updates while the trace is read again. The text being typed and the focus are kept.
 */
void
ns_filter_bar_hold (NsFilterBar *self)
{
  g_return_if_fail (NS_IS_FILTER_BAR (self));

  self->is_held = TRUE;
  self->is_due = self->filter_id != 0;
}

/**
 * ns_filter_bar_resume:
 * @self: a suspended filter bar, whose new session has the conditions of the old one
 *
 * Resumes updates and applies pending text to the new session.
 */
void
ns_filter_bar_resume (NsFilterBar *self)
{
  const char *text;

  g_return_if_fail (NS_IS_FILTER_BAR (self));

  self->is_held = FALSE;
  if (self->session == NULL)
    return;
  ns_filter_entry_set_table (NS_FILTER_ENTRY (self->entry),
                             ns_session_get_trace (self->session),
                             ns_session_get_front (self->session));
  update_chips (self);
  ns_session_count_conditions (self->session);
  update_clear (self);
  text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  if (self->is_due)
    entry_changed_cb (self);
  else if (strcmp (text, ns_filter_chips_get_draft (get_chips (self))) != 0)
    apply_entry (self);
}

static void
ns_filter_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, NS_FILTER_BAR (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_filter_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_filter_bar_set_session (NS_FILTER_BAR (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_filter_bar_dispose (GObject *object)
{
  leave_session (NS_FILTER_BAR (object));
  G_OBJECT_CLASS (ns_filter_bar_parent_class)->dispose (object);
}

static void
ns_filter_bar_finalize (GObject *object)
{
  g_object_unref (NS_FILTER_BAR (object)->actions);
  g_free (NS_FILTER_BAR (object)->other_text);
  G_OBJECT_CLASS (ns_filter_bar_parent_class)->finalize (object);
}

static void
ns_filter_bar_class_init (NsFilterBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_filter_bar_get_property;
  object_class->set_property = ns_filter_bar_set_property;
  object_class->dispose = ns_filter_bar_dispose;
  object_class->finalize = ns_filter_bar_finalize;
  /**
   * NsFilterBar:session:
   *
   * The session whose tables are filtered.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsFilterBar::message:
   * @self: the filter bar
   * @text: the message
   *
   * Emitted to show a short message to the user.
   */
  signals[SIGNAL_MESSAGE] = g_signal_new ("message",
                                          NS_TYPE_FILTER_BAR,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_STRING);
  g_type_ensure (NS_TYPE_FILTER_ENTRY);
  g_type_ensure (NS_TYPE_SAVED_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-filter-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsFilterBar, box);
  gtk_widget_class_bind_template_child (widget_class, NsFilterBar, chip_scrolled);
  gtk_widget_class_bind_template_child (widget_class, NsFilterBar, chip_box);
  gtk_widget_class_bind_template_child (widget_class, NsFilterBar, entry);
  gtk_widget_class_bind_template_child (widget_class, NsFilterBar, clear_button);
  gtk_widget_class_bind_template_child (widget_class, NsFilterBar, saved_button);
}

/* Adds the actions of saved filters to those of the bar. */
static void
take_saved_actions (NsFilterBar *self)
{
  GActionMap *saved = ns_saved_button_get_actions (self->saved_button);
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (saved));
  guint i;

  for (i = 0; names[i] != NULL; i++)
    g_action_map_add_action (G_ACTION_MAP (self->actions),
                             g_action_map_lookup_action (saved, names[i]));
}

static void
ns_filter_bar_init (NsFilterBar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  take_saved_actions (self);
  g_signal_connect_swapped (self->saved_button, "use", G_CALLBACK (ns_filter_bar_set_text), self);
  g_signal_connect_swapped (self->saved_button, "message", G_CALLBACK (show_message), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (entry_changed_cb), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (take_draft), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), self);
  gtk_widget_add_controller (self->entry, keys);
  ns_help_set_page (self->box, "filter");
}
