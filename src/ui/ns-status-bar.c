/* Status bar of a trace: sums of the selected rows, lost events, symbol progress and the clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-status-bar.h"

#include "model/ns-session-moment.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-symbols-sheet.h"

#include <glib/gi18n.h>
#include <string.h>

/* Up to this number of rows the sums are computed in the main thread. */
#define FEW_ROWS 20000

struct _NsStatusBar
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  NsSymbolJob *job;   /* of the session; (nullable) */
  GSimpleActionGroup *actions;
  GCancellable *summing; /* (nullable): of the thread that computes the sums */
  gboolean is_sum_old;   /* the playback position has changed since the thread began */
  gboolean has_no_sums;
  gboolean is_narrow;

  GtkWidget *sums;
  GtkWidget *reading; /* number of rows read so far */
  GtkWidget *losses;
  GtkWidget *losses_mark;
  NsFollowButton *follow_button;
  GtkWidget *symbols;
  GtkWidget *clock;
};

enum
{
  SIGNAL_DESCRIBE,
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

G_DEFINE_FINAL_TYPE (NsStatusBar, ns_status_bar, GTK_TYPE_BOX)

/* Shows the text up to the first three spaces, which is the number of rows, in bold. */
static void
show_first_bold (NsStatusBar *self, const char *text)
{
  const char *found = strstr (text, "   ");
  const char *rest = found != NULL ? found : text + strlen (text);
  g_autofree char *first = g_strndup (text, (gsize) (rest - text));
  g_autofree char *markup = NULL;

  markup = g_markup_printf_escaped ("<b>%s</b>%s", first, rest);
  gtk_label_set_markup (GTK_LABEL (self->sums), markup);
}

/* Returns the text for the selected rows of the table in front. */
static char *
dup_front_sums (NsStatusBar *self, const NsSessionSums *sums)
{
  char *text = NULL;

  g_signal_emit (self, signals[SIGNAL_DESCRIBE], 0, sums->n_rows, &text);
  return text != NULL ? text : ns_words_sums (sums);
}

/* Shows the sums of the table in front. If the rows are selected in another table, names that table
 * and their number instead. */
static void
show_sums (NsStatusBar *self, const NsSessionSums *sums)
{
  NsTableId table = ns_session_get_selected_table (self->session);
  gboolean is_elsewhere = sums->n_rows > 0 && table != ns_session_get_front (self->session);
  const NsSessionSums none = { 0 };
  g_autofree char *text = dup_front_sums (self, is_elsewhere ? &none : sums);

  if (is_elsewhere)
    {
      g_autofree char *front = g_steal_pointer (&text);
      g_autofree char *where = ns_words_selected_in (sums->n_rows, _ (ns_table_get_title (table)));

      text = g_strconcat (front, "   ", where, NULL);
    }
  ns_status_bar_show_message (self, text);
  if (sums->n_rows > 0)
    show_first_bold (self, text);
  gtk_widget_set_visible (self->sums, !self->has_no_sums);
}

static void
stop_summing (NsStatusBar *self)
{
  self->is_sum_old = FALSE;
  g_cancellable_cancel (self->summing);
  g_clear_object (&self->summing);
}

static void
summed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsStatusBar) self = data;
  NsSessionSums sums;

  if (!ns_session_get_sums_finish (NS_SESSION (source), result, &sums, NULL))
    return;
  g_clear_object (&self->summing);
  show_sums (self, &sums);
  if (self->is_sum_old)
    ns_status_bar_update_sums (self);
}

static void
selection_changed_cb (NsStatusBar *self)
{
  NsSessionSums sums = { .n_rows = ns_session_get_selected (self->session)->len };

  if (sums.n_rows > FEW_ROWS)
    show_sums (self, &sums);
  ns_status_bar_update_sums (self);
}

/* Updates the sums when the playback position changes, since a selected row may have ended by now.
 * Without a selection a message stays visible. A running thread is not restarted: for many rows it
 * takes longer than a tick of the playback. */
static void
moment_changed_cb (NsStatusBar *self)
{
  if (self->summing != NULL)
    self->is_sum_old = TRUE;
  else if (ns_session_get_selected (self->session)->len > 0)
    ns_status_bar_update_sums (self);
}

/* Shows how much of a damaged file was read, how many events Windows lost while recording, and how
 * many buffers are missing otherwise. */
static void
show_losses (NsStatusBar *self)
{
  const NsDamage *damage = ns_session_get_damage (self->session);
  const NsMissing *missing = &damage->missing;
  GString *text = g_string_new (NULL);

  if (damage->is_damaged && !damage->is_whole)
    g_string_append_printf (text, _ ("Partly opened: %u %% of the file"), damage->percent_read);
  if (ns_missing_has_losses (missing))
    {
      gulong n_lost = (gulong) (missing->n_events > 0 ? missing->n_events : missing->n_buffers);
      g_autofree char *n = ns_words_count (n_lost);

      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text,
                              missing->n_events > 0
                                  ? ngettext ("%s event lost", "%s events lost", n_lost)
                                  : ngettext ("%s buffer lost", "%s buffers lost", n_lost),
                              n);
    }
  if (ns_missing_has_gaps (missing))
    {
      g_autofree char *n = ns_words_count (missing->n_gap_buffers);

      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text,
                              ngettext ("%s buffer missing",
                                        "%s buffers missing",
                                        (gulong) missing->n_gap_buffers),
                              n);
    }
  gtk_label_set_text (GTK_LABEL (self->losses), text->str);
  gtk_widget_set_visible (self->losses_mark, text->len > 0);
  g_string_free (text, TRUE);
}

/* Returns which symbols are being downloaded from which server; %NULL if none are. */
static char *
dup_fetching (NsSymbolJob *job)
{
  NsSymbolModule first;
  guint n_fetching = ns_symbol_job_count_fetching (job, &first);
  g_autoptr (GUri) uri =
      first.info.reason != NULL ? g_uri_parse (first.info.reason, G_URI_FLAGS_NONE, NULL) : NULL;
  const char *host = uri != NULL && g_uri_get_host (uri) != NULL ? g_uri_get_host (uri) : "?";
  char *text = NULL;

  if (n_fetching == 1 && first.info.n_total > 0)
    /* Translators: a file, the part that was read so far, and the name of a server. */
    text = g_strdup_printf (_ ("Downloading symbols of %s: %u %% from %s"),
                            first.name,
                            (guint) (100 * first.info.n_done / first.info.n_total),
                            host);
  else if (n_fetching > 0)
    /* Translators: the second is the name of a server. */
    text = g_strdup_printf (ngettext ("Downloading symbols of %u module from %s",
                                      "Downloading symbols of %u modules from %s",
                                      n_fetching),
                            n_fetching,
                            host);
  ns_symbol_module_clear (&first);
  return text;
}

/* Updates the symbol button: a download, the share of resolved frames, or that symbol servers are
 * off. A narrow window shows it only during a download. */
static void
update_symbols (NsStatusBar *self)
{
  g_autofree char *text = NULL;
  guint n_named;
  guint n_asked;

  if (self->session == NULL)
    return;
  ns_symbol_job_count (self->job, &n_named, &n_asked);
  text = dup_fetching (self->job);
  gtk_widget_set_visible (self->symbols, text != NULL || !self->is_narrow);
  if (text == NULL && n_asked == 0)
    text = g_strdup (ns_symbol_job_is_online (self->job) ? _ ("Symbols") : _ ("Symbols · offline"));
  else if (text == NULL)
    /* Translators: the percentage of the requested frames that have names. */
    text = g_strdup_printf (ns_symbol_job_is_online (self->job) ? _ ("Symbols %u %%")
                                                                : _ ("Symbols %u %% · offline"),
                            (guint) (100.0 * n_named / n_asked));
  gtk_button_set_label (GTK_BUTTON (self->symbols), text);
}

static const char *
get_clock_title (NsWall wall)
{
  static const char *const titles[NS_N_WALLS] = {
    N_ ("Trace time"),
    N_ ("Traced machine"),
    N_ ("UTC"),
    N_ ("This machine"),
  };

  return _ (titles[wall]);
}

static void
show_clock (NsStatusBar *self)
{
  NsWall wall = ns_session_get_wall (self->session);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "clock");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (ns_wall_get_name (wall)));
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->clock), get_clock_title (wall));
}

static void
clock_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsStatusBar *self = data;
  NsWall wall;

  if (self->session != NULL && ns_wall_from_name (g_variant_get_string (state, NULL), &wall))
    ns_session_set_wall (self->session, wall);
}

static void
next_clock_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsStatusBar *self = data;
  NsWall wall;

  if (self->session == NULL)
    return;
  wall = (NsWall) ((ns_session_get_wall (self->session) + 1) % NS_N_WALLS);
  ns_session_set_wall (self->session, wall);
  ns_status_bar_show_message (self, get_clock_title (wall));
}

static void
symbols_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsStatusBar *self = data;

  if (self->session != NULL)
    gtk_window_present (
        ns_symbols_sheet_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->session));
}

static const GActionEntry entries[] = {
  { "clock", NULL, "s", "'trace'", clock_cb, { 0 } },
  { "next-clock", next_clock_cb, NULL, NULL, NULL, { 0 } },
  { "symbols", symbols_cb, NULL, NULL, NULL, { 0 } },
};

/**
 * ns_status_bar_get_actions:
 * @self: a bar
 *
 * Returns: (transfer none): the actions `clock`, `next-clock` and `symbols`, and `follow` of the
 *   follow button
 */
GActionMap *
ns_status_bar_get_actions (NsStatusBar *self)
{
  g_return_val_if_fail (NS_IS_STATUS_BAR (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_status_bar_get_follow_button:
 * @self: a bar
 *
 * Returns: (transfer none): the button that follows a growing trace
 */
NsFollowButton *
ns_status_bar_get_follow_button (NsStatusBar *self)
{
  g_return_val_if_fail (NS_IS_STATUS_BAR (self), NULL);

  return self->follow_button;
}

static void
leave_session (NsStatusBar *self)
{
  stop_summing (self);
  if (self->session == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->session);
  g_clear_object (&self->job);
}

/**
 * ns_status_bar_set_session:
 * @self: a bar
 * @session: (nullable): the session to show
 *
 * Sets the session, and updates all parts of the bar for it.
 */
void
ns_status_bar_set_session (NsStatusBar *self, NsSession *session)
{
  g_return_if_fail (NS_IS_STATUS_BAR (self));

  if (self->session == session)
    return;
  leave_session (self);
  if (session != NULL)
    {
      self->session = g_object_ref (session);
      self->job = g_object_ref (ns_symbol_job_get_for_session (session));
      g_signal_connect_swapped (session,
                                "selection-changed",
                                G_CALLBACK (selection_changed_cb),
                                self);
      g_signal_connect_swapped (session, "moment-changed", G_CALLBACK (moment_changed_cb), self);
      g_signal_connect_swapped (session, "clock-changed", G_CALLBACK (show_clock), self);
      g_signal_connect_swapped (self->job, "changed", G_CALLBACK (update_symbols), self);
      show_losses (self);
      selection_changed_cb (self);
      update_symbols (self);
      show_clock (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

/**
 * ns_status_bar_set_reading:
 * @self: a bar
 * @is_reading: whether the session has the first rows only, and more are being read
 *
 * Shows or hides the number of rows read so far.
 */
void
ns_status_bar_set_reading (NsStatusBar *self, gboolean is_reading)
{
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;
  guint n_rows;

  g_return_if_fail (NS_IS_STATUS_BAR (self));

  is_reading = is_reading && self->session != NULL;
  gtk_widget_set_visible (self->reading, is_reading);
  if (!is_reading)
    return;
  n_rows = ns_table_get_n_rows (ns_session_get_trace (self->session), NS_TABLE_ACTIVITIES);
  count = ns_words_count (n_rows);
  /* Translators: while a trace is read: the number of rows so far. */
  text = g_strdup_printf (ngettext ("Reading… %s row", "Reading… %s rows", n_rows), count);
  gtk_label_set_text (GTK_LABEL (self->reading), text);
}

/**
 * ns_status_bar_set_narrow:
 * @self: a bar
 * @is_narrow: whether space is short
 *
 * Hides the symbol button in a narrow window, except during a download.
 */
void
ns_status_bar_set_narrow (NsStatusBar *self, gboolean is_narrow)
{
  g_return_if_fail (NS_IS_STATUS_BAR (self));

  self->is_narrow = is_narrow;
  update_symbols (self);
}

/**
 * ns_status_bar_set_has_sums:
 * @self: a bar
 * @has_sums: whether to show the sums of the selected rows
 *
 * Shows or hides the sums; messages of ns_status_bar_show_message() are shown in any case.
 */
void
ns_status_bar_set_has_sums (NsStatusBar *self, gboolean has_sums)
{
  g_return_if_fail (NS_IS_STATUS_BAR (self));

  self->has_no_sums = !has_sums;
  gtk_widget_set_visible (self->sums, has_sums);
}

/**
 * ns_status_bar_show_message:
 * @self: a bar
 * @text: a message
 *
 * Shows a message in place of the sums, also as accessible name.
 */
void
ns_status_bar_show_message (NsStatusBar *self, const char *text)
{
  g_return_if_fail (NS_IS_STATUS_BAR (self));

  gtk_label_set_text (GTK_LABEL (self->sums), text);
  /* Below a call tree the sums are hidden, but messages are shown. */
  gtk_widget_set_visible (self->sums, TRUE);
  ns_accessible_set_name (self->sums, text);
}

/**
 * ns_status_bar_update_sums:
 * @self: a bar with a session
 *
 * Updates the sums after a change of the selection or of the table in front. Sums of many rows are
 * computed in a thread, and shown when it ends.
 */
void
ns_status_bar_update_sums (NsStatusBar *self)
{
  NsSessionSums sums = { 0 };

  g_return_if_fail (NS_IS_STATUS_BAR (self));

  stop_summing (self);
  if (self->session == NULL)
    return;
  if (ns_session_get_selected (self->session)->len > FEW_ROWS)
    {
      self->summing = g_cancellable_new ();
      ns_session_get_sums_async (self->session, self->summing, summed_cb, g_object_ref (self));
      return;
    }
  ns_session_get_sums (self->session, &sums);
  show_sums (self, &sums);
}

static void
ns_status_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, NS_STATUS_BAR (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_status_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_status_bar_set_session (NS_STATUS_BAR (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_status_bar_dispose (GObject *object)
{
  leave_session (NS_STATUS_BAR (object));
  G_OBJECT_CLASS (ns_status_bar_parent_class)->dispose (object);
}

static void
ns_status_bar_finalize (GObject *object)
{
  g_object_unref (NS_STATUS_BAR (object)->actions);
  G_OBJECT_CLASS (ns_status_bar_parent_class)->finalize (object);
}

static void
add_signals (void)
{
  /**
   * NsStatusBar::describe:
   * @self: the bar
   * @n_rows: the number of rows selected in the table in front
   *
   * Requests a text to show instead of the sums of the rows.
   *
   * Returns: (transfer full) (nullable): the text; %NULL to show the sums
   */
  signals[SIGNAL_DESCRIBE] = g_signal_new ("describe",
                                           NS_TYPE_STATUS_BAR,
                                           G_SIGNAL_RUN_LAST,
                                           0,
                                           NULL,
                                           NULL,
                                           NULL,
                                           G_TYPE_STRING,
                                           1,
                                           G_TYPE_UINT);
}

static void
ns_status_bar_class_init (NsStatusBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_status_bar_get_property;
  object_class->set_property = ns_status_bar_set_property;
  object_class->dispose = ns_status_bar_dispose;
  object_class->finalize = ns_status_bar_finalize;
  /**
   * NsStatusBar:session:
   *
   * The session that is shown.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  add_signals ();
  g_type_ensure (NS_TYPE_FOLLOW_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-status-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, sums);
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, reading);
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, losses);
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, losses_mark);
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, follow_button);
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, symbols);
  gtk_widget_class_bind_template_child (widget_class, NsStatusBar, clock);
}

static void
ns_status_bar_init (NsStatusBar *self)
{
  GtkMenuButton *clock;

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_action_map_add_action (
      G_ACTION_MAP (self->actions),
      g_action_map_lookup_action (ns_follow_button_get_actions (self->follow_button), "follow"));
  clock = GTK_MENU_BUTTON (self->clock);
  ns_accessible_set_menu_name (GTK_WIDGET (gtk_menu_button_get_popover (clock)), _ ("Clock"));
  ns_help_set_page (self->symbols, "symbols");
}
