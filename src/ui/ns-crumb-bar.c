/* The breadcrumb bar: the whole trace, the zoom, each filter condition, and the number of rows that
 * remain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-crumb-bar.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Delay after which the bar shows that a filter is still running. */
#define LATE_MS 300

struct _NsCrumbBar
{
  GtkBox parent_instance;

  NsSession *session;  /* (nullable) */
  gboolean is_reading; /* the file is still being read */
  NsTimeSpan visible;  /* the span that the crumbs show */
  NsTableId counted;   /* the table that the row count shows */
  guint late_id;       /* source ID of late_cb(), 0 when not pending */
  gboolean is_late;

  GtkWidget *box;
  GtkWidget *final_text; /* shown while the file is read: the time up to which rows are final */
  GtkWidget *late_spinner;
  GtkWidget *count;
  GtkWidget *undo_button;
};

enum
{
  SIGNAL_NOTE,
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

G_DEFINE_FINAL_TYPE (NsCrumbBar, ns_crumb_bar, GTK_TYPE_BOX)

static NsTableId
get_table (NsCrumbBar *self)
{
  return ns_session_get_front (self->session);
}

static void
add_crumb (NsCrumbBar *self,
           const char *icon,
           const char *text,
           const char *dim,
           const char *action)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  GtkWidget *label = gtk_label_new (NULL);
  g_autofree char *markup = g_markup_printf_escaped ("%s %s", text, dim);

  if (gtk_widget_get_first_child (self->box) != NULL)
    gtk_box_append (GTK_BOX (self->box), gtk_label_new ("›"));
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  if (icon != NULL)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "crumb");
  gtk_widget_set_tooltip_text (button, text);
  ns_accessible_set_name (button, gtk_label_get_text (GTK_LABEL (label)));
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (self->box), button);
}

/* Shows the time up to which rows are final; events read later may still change the rows after
 * it. */
static void
update_final (NsCrumbBar *self)
{
  gint64 frontier_ns = ns_session_get_frontier (self->session);
  g_autofree char *text = NULL;

  /* Translators: seconds. */
  text = g_strdup_printf (_ ("Rows are final up to %.1f s; later rows may still change"),
                          (double) frontier_ns / 1e9);
  gtk_label_set_text (GTK_LABEL (self->final_text), text);
  gtk_widget_set_visible (self->final_text, self->is_reading && frontier_ns > 0);
}

/* Adds the first crumb: the whole trace, or the part read so far. */
static void
add_whole (NsCrumbBar *self)
{
  gboolean is_events = get_table (self) == NS_TABLE_EVENTS;
  /* Findings are about operations, so for findings the crumb counts operations. */
  guint n_all = ns_session_count_all (self->session,
                                      get_table (self) == NS_TABLE_FINDINGS ? NS_TABLE_ACTIVITIES
                                                                            : get_table (self));
  g_autofree char *all = ns_words_count (n_all);
  g_autofree char *so_far = NULL;

  /* Translators: a count of rows. */
  so_far = g_strdup_printf (_ ("%s so far"), all);
  add_crumb (self,
             NULL,
             is_events ? _ ("All events") : _ ("Whole trace"),
             self->is_reading ? so_far : all,
             "win.whole-trace");
}

static void
add_zoom (NsCrumbBar *self, NsTimeSpan visible)
{
  int n_digits = (int) ns_words_count_digits (visible.end_ns - visible.begin_ns);
  g_autofree char *span = g_strdup_printf ("%.*f\342\200\211–\342\200\211%.*f s",
                                           n_digits,
                                           (double) visible.begin_ns / 1e9,
                                           n_digits,
                                           (double) visible.end_ns / 1e9);

  add_crumb (self, "zoom-in-symbolic", span, _ ("zoom"), "win.chip-keep(uint32 0)");
}

static void
add_conditions (NsCrumbBar *self)
{
  NsFilterChips *chips = ns_session_get_chips (self->session, get_table (self));
  guint i;

  for (i = 0; i < ns_filter_chips_get_n_chips (chips); i++)
    {
      const NsFilterChip *chip = ns_filter_chips_get_chip (chips, i);
      g_autofree char *count = chip->is_counted ? ns_words_count (chip->n_rows) : g_strdup ("…");
      g_autofree char *action = g_strdup_printf ("win.chip-keep(uint32 %u)", i + 1);

      if (chip->is_on)
        add_crumb (self, NULL, ns_filter_chip_get_label (chip), count, action);
    }
  if (*ns_filter_chips_get_settled (chips) != '\0')
    add_crumb (self, NULL, ns_filter_chips_get_settled (chips), "", "win.focus-filter");
}

/* Rebuilds the crumbs: the whole trace, the zoom, and each condition. */
static void
update_crumbs (NsCrumbBar *self)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  self->visible = visible;
  add_whole (self);
  if (visible.begin_ns != whole.begin_ns || visible.end_ns != whole.end_ns)
    add_zoom (self, visible);
  add_conditions (self);
  gtk_widget_add_css_class (gtk_widget_get_last_child (self->box), "last");
}

/* Appends the number of distinct values per grouping level: “ · 4 processes · 24 servers”. */
static void
append_group_counts (NsCrumbBar *self, GString *text)
{
  const NsGroups *groups =
      ns_row_list_get_groups (ns_session_get_rows (self->session, get_table (self)));
  const GPtrArray *fields = ns_session_get_grouping (self->session, get_table (self))->fields;
  guint i;

  /* The groups still belong to the previous grouping until the new one is computed. */
  if (groups == NULL || groups->n_fields != fields->len)
    return;
  for (i = 0; i < fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);
      g_autofree char *words = NULL;
      guint n_values;

      if (!ns_groups_count_values (groups,
                                   ns_session_get_trace (self->session),
                                   field,
                                   i,
                                   &n_values))
        continue;
      words = ns_words_values (field, n_values);
      g_string_append_printf (text, " · %s", words);
    }
}

/* Appends the number of rows or events, and how many of them match the filter. */
static void
append_count (NsCrumbBar *self, guint n_all, GString *text)
{
  guint n_shown = ns_row_list_get_rows (ns_session_get_rows (self->session, get_table (self)))->len;
  gboolean is_events = get_table (self) == NS_TABLE_EVENTS;
  g_autofree char *all = ns_words_count (n_all);
  g_autofree char *shown = ns_words_count (n_shown);

  if (*ns_session_get_filter (self->session, get_table (self)) == '\0')
    g_string_append_printf (text,
                            is_events ? ngettext ("%s event", "%s events", n_all)
                                      : ngettext ("%s row", "%s rows", n_all),
                            all);
  else
    g_string_append_printf (text,
                            is_events ? ngettext ("%s of %s event", "%s of %s events", n_all)
                                      : ngettext ("%s of %s row", "%s of %s rows", n_all),
                            shown,
                            all);
}

/* Appends “8 findings · 4,821 rows”, the same count as on the tab. */
static void
append_findings (NsCrumbBar *self, guint n_all, GString *text)
{
  guint n_shown = ns_row_list_get_rows (ns_session_get_rows (self->session, get_table (self)))->len;
  guint n_rows = ns_session_count_all (self->session, NS_TABLE_ACTIVITIES);
  g_autofree char *all = ns_words_count (n_all);
  g_autofree char *shown = ns_words_count (n_shown);
  g_autofree char *rows = ns_words_count (n_rows);

  if (*ns_session_get_filter (self->session, get_table (self)) == '\0')
    g_string_append_printf (text, ngettext ("%s finding", "%s findings", n_all), all);
  else
    g_string_append_printf (text,
                            ngettext ("%s of %s finding", "%s of %s findings", n_all),
                            shown,
                            all);
  g_string_append (text, " · ");
  g_string_append_printf (text, ngettext ("%s row", "%s rows", n_rows), rows);
}

static void
append_note (NsCrumbBar *self, GString *text)
{
  g_autofree char *note = NULL;

  g_signal_emit (self, signals[SIGNAL_NOTE], 0, &note);
  if (note != NULL)
    g_string_append_printf (text, " · %s", note);
}

static gboolean
late_cb (gpointer data)
{
  NsCrumbBar *self = data;

  self->late_id = 0;
  self->is_late = TRUE;
  ns_crumb_bar_update (self);
  return G_SOURCE_REMOVE;
}

/* Shows the spinner only after LATE_MS, because most filters finish earlier. */
static void
watch_wait (NsCrumbBar *self)
{
  if (!ns_session_is_busy (self->session, get_table (self)))
    {
      g_clear_handle_id (&self->late_id, g_source_remove);
      self->is_late = FALSE;
    }
  else if (!self->is_late && self->late_id == 0)
    self->late_id = g_timeout_add (LATE_MS, late_cb, self);
  gtk_widget_set_visible (self->late_spinner, self->is_late);
  gtk_spinner_set_spinning (GTK_SPINNER (self->late_spinner), self->is_late);
}

/* Appends the progress text of a running filter: the number of rows to search. The table still
 * lists the rows of the previous filter. */
static void
append_wait (NsCrumbBar *self, guint n_all, GString *text)
{
  g_autofree char *all = ns_words_count (n_all);

  /* The number of findings is not known before the rules have run. */
  if (get_table (self) == NS_TABLE_FINDINGS && n_all == 0)
    {
      g_string_append (text, _ ("Looking for findings…"));
      return;
    }
  g_string_append_printf (text,
                          get_table (self) == NS_TABLE_EVENTS
                              ? ngettext ("Searching %s event…", "Searching %s events…", n_all)
                              : ngettext ("Searching %s row…", "Searching %s rows…", n_all),
                          all);
}

static void
show_count (NsCrumbBar *self)
{
  guint n_all = ns_session_count_all (self->session, get_table (self));
  gboolean is_busy = ns_session_is_busy (self->session, get_table (self));
  g_autoptr (GString) text = g_string_new (NULL);

  watch_wait (self);
  /* Until LATE_MS have passed the old text stays, because the table still lists the same rows. */
  if (is_busy && !self->is_late && self->counted == get_table (self))
    return;
  self->counted = get_table (self);
  if (is_busy)
    append_wait (self, n_all, text);
  else
    {
      if (get_table (self) == NS_TABLE_FINDINGS)
        append_findings (self, n_all, text);
      else
        append_count (self, n_all, text);
      append_group_counts (self, text);
      append_note (self, text);
    }
  ns_accessible_set_status (self->count, text->str);
}

/**
 * ns_crumb_bar_update:
 * @self: a breadcrumb bar
 *
 * Updates the bar; also to be called when the result of #NsCrumbBar::note has changed.
 */
void
ns_crumb_bar_update (NsCrumbBar *self)
{
  NsFilterChips *chips;

  g_return_if_fail (NS_IS_CRUMB_BAR (self));

  if (self->session == NULL)
    return;
  chips = ns_session_get_chips (self->session, get_table (self));
  show_count (self);
  gtk_widget_set_visible (self->undo_button, ns_filter_chips_has_filtered (chips));
  update_final (self);
  update_crumbs (self);
}

static void
table_changed_cb (NsCrumbBar *self, guint table)
{
  if (table == get_table (self))
    ns_crumb_bar_update (self);
}

static void
spans_changed_cb (NsCrumbBar *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);

  if (visible.begin_ns != self->visible.begin_ns || visible.end_ns != self->visible.end_ns)
    ns_crumb_bar_update (self);
}

/**
 * ns_crumb_bar_set_reading:
 * @self: a breadcrumb bar
 * @is_reading: whether the file is still being read
 *
 * Sets whether the counts are preliminary.
 */
void
ns_crumb_bar_set_reading (NsCrumbBar *self, gboolean is_reading)
{
  g_return_if_fail (NS_IS_CRUMB_BAR (self));

  self->is_reading = is_reading;
  ns_crumb_bar_update (self);
}

/**
 * ns_crumb_bar_set_narrow:
 * @self: a breadcrumb bar
 * @is_narrow: whether to use the short button label
 *
 * Sets whether the window is narrow.
 */
void
ns_crumb_bar_set_narrow (NsCrumbBar *self, gboolean is_narrow)
{
  g_return_if_fail (NS_IS_CRUMB_BAR (self));

  gtk_button_set_label (GTK_BUTTON (self->undo_button),
                        is_narrow ? _ ("Undo") : _ ("Undo last filter"));
}

static void
leave_session (NsCrumbBar *self)
{
  g_clear_handle_id (&self->late_id, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
}

/**
 * ns_crumb_bar_set_session:
 * @self: a breadcrumb bar
 * @session: (nullable): the session to show
 *
 * Sets the session.
 */
void
ns_crumb_bar_set_session (NsCrumbBar *self, NsSession *session)
{
  g_return_if_fail (NS_IS_CRUMB_BAR (self));

  if (self->session == session)
    return;
  leave_session (self);
  if (g_set_object (&self->session, session) && session != NULL)
    {
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (table_changed_cb), self);
      g_signal_connect_swapped (session, "conditions-changed", G_CALLBACK (table_changed_cb), self);
      g_signal_connect_swapped (session,
                                "conditions-counted",
                                G_CALLBACK (ns_crumb_bar_update),
                                self);
      g_signal_connect_swapped (session, "notify::front", G_CALLBACK (ns_crumb_bar_update), self);
      g_signal_connect_swapped (session, "spans-changed", G_CALLBACK (spans_changed_cb), self);
      ns_crumb_bar_update (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

static void
ns_crumb_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, NS_CRUMB_BAR (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_crumb_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    ns_crumb_bar_set_session (NS_CRUMB_BAR (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_crumb_bar_dispose (GObject *object)
{
  leave_session (NS_CRUMB_BAR (object));
  G_OBJECT_CLASS (ns_crumb_bar_parent_class)->dispose (object);
}

static void
ns_crumb_bar_class_init (NsCrumbBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_crumb_bar_get_property;
  object_class->set_property = ns_crumb_bar_set_property;
  object_class->dispose = ns_crumb_bar_dispose;
  /**
   * NsCrumbBar:session:
   *
   * The session that the bar shows.
   */
  properties[PROP_SESSION] =
      g_param_spec_object ("session",
                           NULL,
                           NULL,
                           NS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsCrumbBar::note:
   * @self: the breadcrumb bar
   *
   * Requests a note about the rows, which the bar appends to their count.
   *
   * Returns: (transfer full) (nullable): a short text
   */
  signals[SIGNAL_NOTE] = g_signal_new ("note",
                                       NS_TYPE_CRUMB_BAR,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_STRING,
                                       0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-crumb-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsCrumbBar, box);
  gtk_widget_class_bind_template_child (widget_class, NsCrumbBar, final_text);
  gtk_widget_class_bind_template_child (widget_class, NsCrumbBar, late_spinner);
  gtk_widget_class_bind_template_child (widget_class, NsCrumbBar, count);
  gtk_widget_class_bind_template_child (widget_class, NsCrumbBar, undo_button);
}

static void
ns_crumb_bar_init (NsCrumbBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
