/* Page of one table in the tabs of a trace, with a tab label that shows the number of rows.
 *
 * The table view is created when the page is first shown. The pages of events and packets show the
 * fields and bytes of the selected row below the table; the page of findings shows the summary of
 * the checks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-page.h"

#include "model/ns-session-findings.h"
#include "ui/ns-finding-words.h"
#include "ui/ns-severity-icon.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-events-pane.h"
#include "ui/table/ns-checks.h"

#include <glib/gi18n.h>
#include <string.h>

struct _NsTablePage
{
  GtkBox parent_instance;

  NsSession *session;
  NsTableId table;
  NsTableView *view;  /* NULL until the page is shown */
  NsEventsPane *pane; /* contains the view; NULL if the table has no fields pane */
  gboolean is_folded; /* the fields pane is hidden */
  GtkWidget *checks;  /* summary below the findings; NULL for other tables */
  GtkWidget *tab;
  GtkWidget *count; /* number of rows, in the tab */
  GtkWidget *icon;  /* severity icon, in the tab of findings; NULL for other tables */
};

enum
{
  SIGNAL_MENU,
  SIGNAL_DETAILS,
  SIGNAL_FIELDS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTablePage, ns_table_page, GTK_TYPE_BOX)

static void
menu_cb (NsTablePage *self, double x, double y)
{
  g_signal_emit (self, signals[SIGNAL_MENU], 0, x, y, self->view);
}

static void
activated_cb (NsTablePage *self)
{
  if (self->table == NS_TABLE_FINDINGS)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-finding", NULL);
  else
    g_signal_emit (self, signals[SIGNAL_DETAILS], 0);
}

static void
fields_changed_cb (NsTablePage *self)
{
  g_signal_emit (self, signals[SIGNAL_FIELDS_CHANGED], 0);
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsTablePage *self)
{
  static const struct
  {
    guint key;
    const char *action;
  } keys[] = {
    { GDK_KEY_o, "win.only-value" },    { GDK_KEY_O, "win.also-value" },
    { GDK_KEY_x, "win.without-value" }, { GDK_KEY_f, "win.zoom-row" },
    { GDK_KEY_r, "win.row-to-span" },
  };
  guint i;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  /* A finding refers to rows, not to the value of a cell. */
  if (key == GDK_KEY_o && self->table == NS_TABLE_FINDINGS)
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.show-finding", NULL);
  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key)
      return gtk_widget_activate_action (GTK_WIDGET (self), keys[i].action, NULL);
  return FALSE;
}

/* Shows the details panel when Enter is pressed on a finding; the panel has the buttons to its
 * rows. */
static gboolean
finding_key_cb (GtkEventControllerKey *controller,
                guint key,
                guint keycode,
                GdkModifierType state,
                NsTablePage *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  /* On a column title Enter sorts. */
  if (focus == NULL || strcmp (gtk_widget_get_css_name (focus), "row") != 0)
    return FALSE;
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter && key != GDK_KEY_ISO_Enter) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0 ||
      ns_session_get_selected_table (self->session) != NS_TABLE_FINDINGS ||
      ns_session_get_selected (self->session)->len == 0)
    return FALSE;
  g_signal_emit (self, signals[SIGNAL_DETAILS], 0);
  return TRUE;
}

/* Adds the summary of the checks to the page of findings. */
static void
add_checks (NsTablePage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  ns_table_view_set_fit_height (self->view);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (finding_key_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  self->checks = ns_checks_new ();
  gtk_box_append (GTK_BOX (self), self->checks);
  ns_checks_update (self->checks, self->session);
}

/* Creates the fields pane for the pages of events and packets. */
static GtkWidget *
pane_new (NsTablePage *self)
{
  GtkWidget *pane = ns_events_pane_new (self->table, GTK_WIDGET (self->view), self->session);

  self->pane = NS_EVENTS_PANE (pane);
  g_signal_connect_object (ns_events_pane_get_fields (self->pane),
                           "changed",
                           G_CALLBACK (fields_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  return pane;
}

static void
make_view (NsTablePage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  gboolean has_pane = self->table == NS_TABLE_EVENTS || self->table == NS_TABLE_PACKETS;

  self->view = ns_table_view_new (self->session, self->table);
  g_signal_connect_object (self->view, "menu", G_CALLBACK (menu_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view,
                           "activated",
                           G_CALLBACK (activated_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  gtk_box_append (GTK_BOX (self), has_pane ? pane_new (self) : GTK_WIDGET (self->view));
  if (has_pane)
    ns_events_pane_set_shown (self->pane, !self->is_folded);
  if (self->table == NS_TABLE_FINDINGS)
    add_checks (self);
}

/* Shows the list of all tables. GTK's own tab menu does not fit on a small screen and logs
 * warnings. */
static void
tab_pressed_cb (GtkGestureClick *click)
{
  gtk_widget_activate_action (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click)),
                              "win.list-tabs",
                              NULL);
}

static void
make_tab (NsTablePage *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->tab = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  self->count = gtk_label_new (NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (tab_pressed_cb), NULL);
  gtk_widget_add_controller (self->tab, GTK_EVENT_CONTROLLER (click));
  gtk_box_append (GTK_BOX (self->tab), gtk_label_new (_ (ns_table_get_title (self->table))));
  gtk_widget_add_css_class (self->count, "caption");
  gtk_box_append (GTK_BOX (self->tab), self->count);
  if (self->table == NS_TABLE_FINDINGS)
    {
      self->icon = ns_severity_icon_new (NS_SEVERITY_MARK_NONE);
      gtk_box_append (GTK_BOX (self->tab), self->icon);
    }
}

/**
 * ns_table_page_get_tab:
 * @self: a page
 *
 * Returns: (transfer none): its tab label, dimmed when the table has no rows
 */
GtkWidget *
ns_table_page_get_tab (NsTablePage *self)
{
  g_return_val_if_fail (NS_IS_TABLE_PAGE (self), NULL);

  return self->tab;
}

static void
show_whether_empty (NsTablePage *self)
{
  if (ns_table_page_may_have_rows (self))
    gtk_widget_remove_css_class (self->tab, "empty");
  else
    gtk_widget_add_css_class (self->tab, "empty");
}

/**
 * ns_table_page_set_session:
 * @self: a page
 * @session: the session of a later load of the same trace
 */
void
ns_table_page_set_session (NsTablePage *self, NsSession *session)
{
  g_return_if_fail (NS_IS_TABLE_PAGE (self));

  g_set_object (&self->session, session);
  show_whether_empty (self);
  if (self->view != NULL)
    ns_table_view_set_session (self->view, session);
  if (self->pane != NULL)
    ns_events_pane_set_session (self->pane, session);
}

/**
 * ns_table_page_may_have_rows:
 * @self: a page
 *
 * Returns: whether its table has rows in the trace; always %TRUE for findings, which are computed
 *   later
 */
gboolean
ns_table_page_may_have_rows (NsTablePage *self)
{
  g_return_val_if_fail (NS_IS_TABLE_PAGE (self), FALSE);

  return self->table == NS_TABLE_FINDINGS ||
         ns_table_get_n_rows (ns_session_get_trace (self->session), self->table) > 0;
}

/**
 * ns_table_page_peek_view:
 * @self: a page
 *
 * Returns: (transfer none) (nullable): the view of its table, if it was created
 */
NsTableView *
ns_table_page_peek_view (NsTablePage *self)
{
  g_return_val_if_fail (NS_IS_TABLE_PAGE (self), NULL);

  return self->view;
}

/**
 * ns_table_page_ensure_view:
 * @self: a page
 *
 * Returns: (transfer none): the view of its table, created if needed
 */
NsTableView *
ns_table_page_ensure_view (NsTablePage *self)
{
  g_return_val_if_fail (NS_IS_TABLE_PAGE (self), NULL);

  if (self->view == NULL)
    make_view (self);
  return self->view;
}

/**
 * ns_table_page_peek_fields:
 * @self: a page
 *
 * Returns: (transfer none) (nullable): the fields of the selected record, if the fields pane is
 *   shown
 */
GtkWidget *
ns_table_page_peek_fields (NsTablePage *self)
{
  g_return_val_if_fail (NS_IS_TABLE_PAGE (self), NULL);

  return self->pane != NULL && !self->is_folded ? ns_events_pane_get_fields (self->pane) : NULL;
}

/**
 * ns_table_page_set_folded:
 * @self: a page
 * @is_folded: whether to hide the fields and bytes of the selected record
 */
void
ns_table_page_set_folded (NsTablePage *self, gboolean is_folded)
{
  g_return_if_fail (NS_IS_TABLE_PAGE (self));

  self->is_folded = is_folded;
  if (self->pane != NULL)
    ns_events_pane_set_shown (self->pane, !is_folded);
}

/* Updates the severity icon of the tab and the summary of the checks. */
static void
show_findings (NsTablePage *self)
{
  static const NsSeverityMark marks[] = { [NS_SEVERITY_INFO] = NS_SEVERITY_MARK_NOTE,
                                          [NS_SEVERITY_WARNING] = NS_SEVERITY_MARK_WARNING,
                                          [NS_SEVERITY_PROBLEM] = NS_SEVERITY_MARK_PROBLEM };
  NsFindingSums sums;
  gboolean is_known = ns_session_sum_findings (self->session, &sums);

  ns_severity_icon_set (NS_SEVERITY_ICON (self->icon),
                        is_known && sums.n_findings > 0 ? marks[sums.worst]
                                                        : NS_SEVERITY_MARK_NONE);
  if (self->checks != NULL)
    ns_checks_update (self->checks, self->session);
}

/* Returns the number of shown rows; with a filter also the number of all rows. */
static char *
dup_count (NsTablePage *self, gboolean is_playback)
{
  gboolean is_filtered = *ns_session_get_filter (self->session, self->table) != '\0';
  g_autofree char *shown = ns_words_count (ns_session_count_rows (self->session, self->table));
  g_autofree char *all = ns_words_count (ns_session_count_all (self->session, self->table));

  if (self->table == NS_TABLE_FINDINGS && !is_filtered)
    return ns_finding_words_count (self->session);
  /* Rows after the playback position are not counted. */
  if (!is_filtered || is_playback)
    return g_steal_pointer (&shown);
  /* Translators: in a tab: how many rows a filter leaves, of how many. */
  return g_strdup_printf (_ ("%s of %s"), shown, all);
}

/**
 * ns_table_page_show_count:
 * @self: a page
 * @is_known: whether the number of rows is known
 * @is_playback: whether the trace is played back
 *
 * Updates the number of rows in the tab, and the severity icon of findings.
 */
void
ns_table_page_show_count (NsTablePage *self, gboolean is_known, gboolean is_playback)
{
  g_autofree char *count = NULL;

  g_return_if_fail (NS_IS_TABLE_PAGE (self));

  count = is_known ? dup_count (self, is_playback) : g_strdup ("…");
  gtk_label_set_text (GTK_LABEL (self->count), count);
  if (self->table == NS_TABLE_FINDINGS)
    show_findings (self);
}

static void
ns_table_page_dispose (GObject *object)
{
  NsTablePage *self = NS_TABLE_PAGE (object);

  g_clear_object (&self->session);
  g_clear_object (&self->tab);
  G_OBJECT_CLASS (ns_table_page_parent_class)->dispose (object);
}

static void
ns_table_page_class_init (NsTablePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_table_page_dispose;
  /**
   * NsTablePage::menu:
   * @self: the page
   * @x: horizontal position in @view
   * @y: vertical position in @view
   * @view: its table
   *
   * Emitted when the context menu of the rows is requested.
   */
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       NS_TYPE_TABLE_PAGE,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       3,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE,
                                       NS_TYPE_TABLE_VIEW);
  /**
   * NsTablePage::details:
   * @self: the page
   *
   * Emitted when the details of the selected row are requested.
   */
  signals[SIGNAL_DETAILS] = g_signal_new ("details",
                                          NS_TYPE_TABLE_PAGE,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
  /**
   * NsTablePage::fields-changed:
   * @self: the page
   *
   * Emitted when the fields pane shows another record or has another selection.
   */
  signals[SIGNAL_FIELDS_CHANGED] = g_signal_new ("fields-changed",
                                                 NS_TYPE_TABLE_PAGE,
                                                 G_SIGNAL_RUN_LAST,
                                                 0,
                                                 NULL,
                                                 NULL,
                                                 NULL,
                                                 G_TYPE_NONE,
                                                 0);
}

static void
ns_table_page_init (NsTablePage *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

/**
 * ns_table_page_new:
 * @session: the session
 * @table: the table
 *
 * Returns: (transfer floating): a page whose view is not created yet
 */
NsTablePage *
ns_table_page_new (NsSession *session, NsTableId table)
{
  NsTablePage *self = g_object_new (NS_TYPE_TABLE_PAGE, NULL);

  self->session = g_object_ref (session);
  self->table = table;
  make_tab (self);
  show_whether_empty (self);
  return self;
}
