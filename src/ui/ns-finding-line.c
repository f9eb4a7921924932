/* The line that shows the number of rows of the selected finding; a click filters by them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-finding-line.h"

#include "model/ns-session-conditions.h"
#include "model/ns-session-findings.h"
#include "model/ns-signal.h"
#include "ui/ns-theme.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-finding-section.h"

#include <glib/gi18n.h>

/* Minimum height of the window, at the default font size, for the line to be shown. */
#define MIN_WINDOW_HEIGHT_PX 400

struct _NsFindingLine
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;

  GtkWidget *button;
};

enum
{
  SIGNAL_FILTER,
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

G_DEFINE_FINAL_TYPE (NsFindingLine, ns_finding_line, GTK_TYPE_BOX)

static void
show_message (NsFindingLine *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

/* Shows a table and sets its filter. */
static void
show_rows (NsFindingLine *self, NsTableId table, const char *filter)
{
  ns_session_show_table (self->session, table);
  g_signal_emit (self, signals[SIGNAL_FILTER], 0, filter);
}

/* Returns whether a finding is selected, whichever table is in front. */
static gboolean
is_selected (NsFindingLine *self)
{
  return self->session != NULL && ns_session_get_selected (self->session)->len > 0 &&
         ns_session_get_selected_table (self->session) == NS_TABLE_FINDINGS;
}

static gboolean
has_room (NsFindingLine *self)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));

  return window != NULL &&
         gtk_widget_get_height (window) >= MIN_WINDOW_HEIGHT_PX * ns_theme_get_scale ();
}

/* Updates the line. The rows of a selected finding are highlighted and all others are dimmed. */
static void
update (NsFindingLine *self)
{
  guint n_rows = is_selected (self) ? ns_session_count_marked (self->session) : 0;
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%s row of this finding highlighted, all others dimmed · Only these rows",
                "%s rows of this finding highlighted, all others dimmed · Only these rows",
                n_rows),
      count);

  gtk_button_set_label (GTK_BUTTON (self->button), text);
  /* A short window has no room for the line, and the details panel offers the same action. */
  gtk_widget_set_visible (self->button, n_rows > 0 && has_room (self));
}

/* Filters the table of the selected finding's rows by that finding. */
static void
show_finding_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFindingLine *self = data;
  g_autofree char *filter = NULL;
  NsTableId table;

  if (!is_selected (self))
    return;
  filter = ns_session_dup_finding_filter (self->session,
                                          g_array_index (ns_session_get_selected (self->session),
                                                         guint32,
                                                         0),
                                          &table);
  if (filter == NULL)
    show_message (self, _ ("This finding refers to no row."));
  else
    show_rows (self, table, filter);
}

/* Shows the operations that match the filter in the parameter, whichever table is in front. */
static void
show_rows_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFindingLine *self = data;

  if (self->session != NULL)
    show_rows (self, NS_TABLE_ACTIVITIES, g_variant_get_string (parameter, NULL));
}

static void
copy_finding_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_finding_line_copy (data, TRUE);
}

static void
hide_rule_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFindingLine *self = data;
  guint32 row =
      self->session != NULL ? ns_session_get_selected_finding (self->session) : G_MAXUINT32;
  const NsFindingRow *finding =
      row != G_MAXUINT32 ? ns_session_get_finding (self->session, row) : NULL;
  g_autofree char *condition = NULL;
  g_autoptr (GError) error = NULL;

  if (finding == NULL)
    return;
  condition = g_strdup_printf ("-id:%s", finding->rule);
  if (!ns_session_add_condition (self->session, condition, NULL, &error))
    show_message (self, error->message);
}

static const GActionEntry entries[] = {
  { "show-finding", show_finding_cb, NULL, NULL, NULL, { 0 } },
  { "show-rows", show_rows_cb, "s", NULL, NULL, { 0 } },
  { "copy-finding", copy_finding_cb, NULL, NULL, NULL, { 0 } },
  { "hide-rule", hide_rule_cb, NULL, NULL, NULL, { 0 } },
};

/**
 * ns_finding_line_copy:
 * @self: a finding line
 * @with_evidence: whether the records that support the finding are copied as well
 *
 * Copies the selected finding as text, if the findings are in front.
 *
 * Returns: whether a finding was copied
 */
gboolean
ns_finding_line_copy (NsFindingLine *self, gboolean with_evidence)
{
  g_autofree char *text = NULL;
  guint32 finding;

  g_return_val_if_fail (NS_IS_FINDING_LINE (self), FALSE);

  finding = self->session != NULL ? ns_session_get_selected_finding (self->session) : G_MAXUINT32;
  if (finding == G_MAXUINT32)
    return FALSE;
  text = ns_finding_section_to_text (self->session, finding, with_evidence);
  if (text == NULL)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  show_message (self, _ ("Copied"));
  return TRUE;
}

/**
 * ns_finding_line_get_actions:
 * @self: a finding line
 *
 * Returns: (transfer none): the actions on the selected finding: `show-finding`, `copy-finding`
 *   and `hide-rule`; and `show-rows`, which filters the operations
 */
GActionMap *
ns_finding_line_get_actions (NsFindingLine *self)
{
  g_return_val_if_fail (NS_IS_FINDING_LINE (self), NULL);

  return G_ACTION_MAP (self->actions);
}

static void
leave_session (NsFindingLine *self)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
}

/**
 * ns_finding_line_set_session:
 * @self: a finding line
 * @session: (nullable): the session whose findings are shown
 *
 * Sets the session.
 */
void
ns_finding_line_set_session (NsFindingLine *self, NsSession *session)
{
  g_return_if_fail (NS_IS_FINDING_LINE (self));

  if (self->session == session)
    return;
  leave_session (self);
  if (g_set_object (&self->session, session) && session != NULL)
    g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (update), self);
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

static void
ns_finding_line_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, NS_FINDING_LINE (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_finding_line_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_finding_line_set_session (NS_FINDING_LINE (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_finding_line_dispose (GObject *object)
{
  leave_session (NS_FINDING_LINE (object));
  G_OBJECT_CLASS (ns_finding_line_parent_class)->dispose (object);
}

static void
ns_finding_line_finalize (GObject *object)
{
  g_object_unref (NS_FINDING_LINE (object)->actions);
  G_OBJECT_CLASS (ns_finding_line_parent_class)->finalize (object);
}

static void
ns_finding_line_class_init (NsFindingLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_finding_line_get_property;
  object_class->set_property = ns_finding_line_set_property;
  object_class->dispose = ns_finding_line_dispose;
  object_class->finalize = ns_finding_line_finalize;
  /**
   * NsFindingLine:session:
   *
   * The session whose findings are shown.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsFindingLine::filter:
   * @self: the finding line
   * @text: the new filter of the table in front
   *
   * Emitted to set the filter.
   */
  signals[SIGNAL_FILTER] =
      ns_signal_new (NS_TYPE_FINDING_LINE, "filter", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsFindingLine::message:
   * @self: the finding line
   * @text: the message
   *
   * Emitted to show a short message to the user.
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_FINDING_LINE, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-finding-line.ui");
  gtk_widget_class_bind_template_child (widget_class, NsFindingLine, button);
}

static void
ns_finding_line_init (NsFindingLine *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
}
