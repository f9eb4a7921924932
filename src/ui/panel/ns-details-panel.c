/* Side panel: summary, phases, call stack, links and all fields of the selected row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-job.h"
#include "model/ns-session-findings.h"
#include "model/ns-session-moment.h"
#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-section.h"
#include "ui/ns-words.h"
#include "ui/ns-wrap.h"
#include "ui/panel/ns-appearances-section.h"
#include "ui/panel/ns-content-page.h"
#include "ui/panel/ns-details-panel.h"
#include "ui/panel/ns-event-page.h"
#include "ui/panel/ns-fields-grid.h"
#include "ui/panel/ns-finding-section.h"
#include "ui/panel/ns-flame-view.h"
#include "ui/panel/ns-health-section.h"
#include "ui/panel/ns-links-grid.h"
#include "ui/panel/ns-names-section.h"
#include "ui/panel/ns-pair-section.h"
#include "ui/panel/ns-phases-bar.h"
#include "ui/panel/ns-phases-grid.h"
#include "ui/panel/ns-row-events-page.h"
#include "ui/panel/ns-stack-section.h"
#include "ui/panel/ns-stack-view.h"
#include "ui/panel/ns-summary.h"
#include "ui/panel/ns-thread-section.h"
#include "ui/table/ns-result-icon.h"

#include <glib/gi18n.h>

struct _NsDetailsPanel
{
  GtkWidget parent_instance;

  NsSession *session;
  GtkWidget *box;
  GtkWidget *mark;
  GtkWidget *title;
  GtkWidget *title_rest; /* number and name of an event */
  GtkWidget *notebook;
  GtkWidget *summary;
  GtkWidget *why;
  GtkWidget *confidence;
  GtkWidget *health; /* visible while nothing is selected */
  GtkWidget *health_section;
  GtkWidget *finding;
  GtkWidget *phases_section;
  GtkWidget *phases_of; /* operation of the phases; hidden if it is the row itself */
  GtkWidget *phases_bar;
  GtkWidget *phases_grid;
  GtkWidget *pair; /* the request as captured on the other machine */
  GtkWidget *pair_section;
  GtkWidget *stack_overview; /* compact call stack */
  GtkWidget *stack_overview_section;
  GtkWidget *thread;
  GtkWidget *thread_section;
  GtkWidget *names;
  GtkWidget *names_section;
  GtkWidget *appearances;
  GtkWidget *appearances_section;
  GtkWidget *links_section;
  GtkWidget *links_grid;
  GtkWidget *stack;
  GtkWidget *flame;
  GtkWidget *fields;
  GtkWidget *event_page; /* replaces the notebook if an event is selected */
  GtkWidget *fields_page;
  GtkWidget *headers; /* visible if the trace can hold headers */
  GtkWidget *bytes;   /* visible if the trace can hold payload */
  GtkWidget *events;
  GdkRGBA failure;         /* colour of failures */
  gboolean has_ended;      /* whether the row has ended at the playback moment */
  gboolean tells_playback; /* no row is selected, and the panel says that a playback is on */
  guint update_id;
};

G_DEFINE_FINAL_TYPE (NsDetailsPanel, ns_details_panel, GTK_TYPE_WIDGET)

static void
clear_grid (GtkWidget *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (grid)) != NULL)
    gtk_grid_remove (GTK_GRID (grid), child);
}

static GtkWidget *
label_new (const char *text, float xalign, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* Shows the phases of an operation; for a row of a layer, of the operation it is part of. */
static void
update_phases (NsDetailsPanel *self, const NsTrace *trace, NsTableId table, guint32 activity)
{
  gboolean is_there = activity < ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES);
  g_autofree char *brief = NULL;
  g_autofree char *text = NULL;

  clear_grid (self->phases_grid);
  gtk_widget_set_visible (self->phases_section, is_there);
  if (!is_there)
    return;
  brief = ns_brief_new (trace, NS_TABLE_ACTIVITIES, activity);
  /* Translators: an operation, such as “GET www.example.com · 200”. */
  text = g_strdup_printf (_ ("Part of operation %s"), brief);
  gtk_label_set_text (GTK_LABEL (self->phases_of), text);
  gtk_widget_set_visible (self->phases_of, table != NS_TABLE_ACTIVITIES);
  ns_phases_bar_set_row (NS_PHASES_BAR (self->phases_bar),
                         trace,
                         ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, activity + 1));
  ns_phases_grid_fill (GTK_GRID (self->phases_grid), self->session, activity);
}

static void
show_appearances (NsDetailsPanel *self, NsTrace *trace, NsRow packet)
{
  gtk_widget_set_visible (self->appearances_section,
                          ns_appearances_section_set_packet (NS_APPEARANCES_SECTION (
                                                                 self->appearances),
                                                             trace,
                                                             packet));
}

static void
show_pair (NsDetailsPanel *self, guint32 activity)
{
  gtk_widget_set_visible (self->pair_section,
                          ns_pair_section_set_row (NS_PAIR_SECTION (self->pair), activity));
}

static void
show_finding (NsDetailsPanel *self, NsTableId table, guint32 row)
{
  NsSession *session = table == NS_TABLE_FINDINGS ? self->session : NULL;

  gtk_widget_set_visible (self->finding, ns_finding_section_set_row (self->finding, session, row));
}

/* Adds links to related rows in other tables, and to the supporting events. */
static void
update_links (NsDetailsPanel *self, NsTrace *trace, NsTableId table, guint32 row)
{
  gboolean is_finding =
      table == NS_TABLE_FINDINGS && ns_session_finding_has_rows (self->session, row);
  guint n_links;

  clear_grid (self->links_grid);
  n_links = ns_links_grid_fill (GTK_GRID (self->links_grid), trace, table, row);
  if (n_links > 0 || is_finding)
    {
      GtkWidget *evidence = gtk_button_new_with_label (_ ("Supporting Events"));

      gtk_widget_add_css_class (evidence, "flat");
      gtk_widget_add_css_class (evidence, "link");
      gtk_widget_set_halign (evidence, GTK_ALIGN_START);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (evidence), "panel.events");
      gtk_grid_attach (GTK_GRID (self->links_grid), evidence, 1, (int) n_links, 2, 1);
    }
  gtk_widget_set_visible (self->links_section, n_links > 0 || is_finding);
}

/* Sets the title. With @rest, the title is ellipsized at its end so that the number in @rest stays
 * visible; a title without @rest ends in the outcome, so it is ellipsized in the middle. */
static void
set_title (NsDetailsPanel *self, const char *title, const char *rest)
{
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_ellipsize (GTK_LABEL (self->title),
                           rest != NULL ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->title, rest == NULL);
  gtk_label_set_text (GTK_LABEL (self->title_rest), rest != NULL ? rest : "");
  gtk_widget_set_visible (self->title_rest, rest != NULL);
}

static void
show_nothing (NsDetailsPanel *self)
{
  gboolean is_playback =
      self->session != NULL && ns_session_get_moment (self->session) != G_MAXINT64;
  gboolean begins_later = is_playback && ns_session_is_selection_hidden (self->session);
  const char *note = begins_later  ? _ ("The selected row begins later in the playback.")
                     : is_playback ? _ ("The window shows rows that began by this moment. Select a "
                                        "row or a bar to see its details here.")
                                   : _ ("Select a row or a bar to see its details here.");
  GtkWidget *instead = label_new (note, 0, "dim");

  self->tells_playback = is_playback;
  set_title (self,
             begins_later  ? _ ("Not started yet")
             : is_playback ? _ ("Playback")
                           : _ ("Nothing selected"),
             NULL);
  gtk_widget_set_tooltip_text (self->title, NULL);
  ns_summary_set_text (self->summary, note);
  gtk_label_set_text (GTK_LABEL (self->confidence), "");
  gtk_widget_set_visible (self->why, FALSE);
  gtk_widget_set_visible (self->mark, FALSE);
  gtk_widget_set_visible (self->health_section, self->session != NULL);
  show_finding (self, NS_N_TABLES, 0);
  ns_health_section_set_session (self->health, self->session);
  gtk_widget_set_visible (self->phases_section, FALSE);
  show_pair (self, G_MAXUINT32);
  gtk_widget_set_visible (self->stack_overview_section, FALSE);
  gtk_widget_set_visible (self->thread_section, FALSE);
  ns_thread_section_set_activity (NS_THREAD_SECTION (self->thread), NULL, G_MAXUINT32);
  gtk_widget_set_visible (self->names_section, FALSE);
  ns_names_section_set_name (NS_NAMES_SECTION (self->names), NULL, 0);
  show_appearances (self, NULL, 0);
  gtk_widget_set_visible (self->links_section, FALSE);
  clear_grid (self->fields);
  gtk_label_set_wrap (GTK_LABEL (instead), TRUE);
  gtk_grid_attach (GTK_GRID (self->fields), instead, 0, 0, 1, 1);
  ns_content_page_clear (NS_CONTENT_PAGE (self->headers), note);
  ns_content_page_clear (NS_CONTENT_PAGE (self->bytes), note);
  ns_row_events_page_clear (NS_ROW_EVENTS_PAGE (self->events), note);
}

/* Shows the event page if an event is selected. Returns whether it is. */
static gboolean
show_event (NsDetailsPanel *self, NsTrace *trace)
{
  const GArray *selected = ns_session_get_selected (self->session);
  guint32 event;
  gboolean is_event =
      selected->len > 0 && ns_trace_find_event (trace,
                                                ns_session_get_selected_table (self->session),
                                                g_array_index (selected, guint32, 0),
                                                &event);
  g_autofree char *title = NULL;
  g_autofree char *rest = NULL;
  g_autofree char *whole = NULL;

  gtk_widget_set_visible (self->notebook, !is_event);
  gtk_widget_set_visible (self->event_page, is_event);
  if (!is_event)
    return FALSE;
  title = ns_event_page_title (trace, event, &rest);
  whole = g_strdup_printf ("%s %s", title, rest);
  set_title (self, title, rest);
  gtk_widget_set_tooltip_text (self->title, whole);
  gtk_widget_set_tooltip_text (self->title_rest, whole);
  gtk_widget_set_visible (self->mark, FALSE);
  ns_event_page_set_event (NS_EVENT_PAGE (self->event_page), trace, event);
  return TRUE;
}

/* Shows where the time of a row went; hides the line if the trace does not record it. */
static void
update_why (NsDetailsPanel *self, const NsTrace *trace, NsTableId table, guint32 row)
{
  const NsField *field = ns_table_find_field (table, "why");
  NsFieldValue value = { .is_null = TRUE };

  if (row < ns_table_get_n_rows (trace, table) && field != NULL)
    ns_field_get (trace, field, row, &value);
  gtk_widget_set_visible (self->why, !value.is_null);
  ns_summary_set_text (self->why, value.is_null ? "" : value.v.text);
  ns_field_value_clear (&value);
}

/* Updates the sentences that name functions, after symbols have been loaded. */
static void
symbols_changed_cb (NsDetailsPanel *self)
{
  NsTrace *trace;
  guint32 activity;

  if (self->session == NULL || !self->has_ended || !gtk_widget_get_visible (self->mark))
    return;
  trace = ns_session_get_trace (self->session);
  activity = ns_session_get_activity (self->session);
  if (activity >= ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES))
    return;
  if (ns_session_get_selected_table (self->session) != NS_TABLE_ACTIVITIES)
    return;
  ns_summary_set_row (self->summary, trace, NS_TABLE_ACTIVITIES, activity);
  update_why (self, trace, NS_TABLE_ACTIVITIES, activity);
}

/* Shows a row that has not ended at the playback moment; its outcome is not shown before it
 * ends. */
static void
show_going_on (NsDetailsPanel *self)
{
  const char *note = _ ("It is still in progress at this playback position.");

  ns_summary_set_text (self->summary, note);
  gtk_label_set_text (GTK_LABEL (self->confidence), "");
  gtk_widget_set_visible (self->mark, FALSE);
  gtk_widget_set_visible (self->why, FALSE);
  gtk_widget_set_visible (self->phases_section, FALSE);
  gtk_widget_set_visible (self->thread_section, FALSE);
  gtk_widget_set_visible (self->names_section, FALSE);
  show_appearances (self, NULL, 0);
  gtk_widget_set_visible (self->links_section, FALSE);
  ns_content_page_clear (NS_CONTENT_PAGE (self->headers), note);
  ns_content_page_clear (NS_CONTENT_PAGE (self->bytes), note);
}

/* Fills the visible page; pages that are costly to fill are filled only when shown. */
static void
update_page (NsDetailsPanel *self, NsTrace *trace, NsTableId table, guint32 row)
{
  GtkNotebook *notebook = GTK_NOTEBOOK (self->notebook);
  GtkWidget *page = gtk_notebook_get_nth_page (notebook, gtk_notebook_get_current_page (notebook));

  if (page == self->fields_page)
    {
      clear_grid (self->fields);
      ns_fields_grid_fill (GTK_GRID (self->fields), self->session, table, row);
    }
  else if ((page == self->headers || page == self->bytes) && self->has_ended)
    ns_content_page_set_row (NS_CONTENT_PAGE (page), trace, table, row);
  else if (page == self->events)
    ns_row_events_page_set_row (NS_ROW_EVENTS_PAGE (page), trace, table, row);
}

static gboolean
update_cb (gpointer data)
{
  NsDetailsPanel *self = data;
  const NsActivityRow *one;
  NsTrace *trace;
  NsTableId table;
  guint32 activity;
  guint32 row;
  g_autofree char *title = NULL;

  self->update_id = 0;
  if (self->session == NULL)
    return G_SOURCE_REMOVE;
  trace = ns_session_get_trace (self->session);
  if (show_event (self, trace))
    return G_SOURCE_REMOVE;
  activity = ns_session_get_activity (self->session);
  if (ns_session_get_selected (self->session)->len == 0)
    {
      ns_stack_view_set_activity (NS_STACK_VIEW (self->stack), trace, activity);
      show_nothing (self);
      return G_SOURCE_REMOVE;
    }
  gtk_widget_set_visible (self->health_section, FALSE);
  table = ns_session_get_selected_table (self->session);
  row = g_array_index (ns_session_get_selected (self->session), guint32, 0);
  if (table == NS_TABLE_TASKS && activity == G_MAXUINT32)
    ns_stack_view_set_task (NS_STACK_VIEW (self->stack), trace, row);
  else
    ns_stack_view_set_activity (NS_STACK_VIEW (self->stack), trace, activity);
  self->has_ended = ns_session_has_ended (self->session, table, row);
  title = ns_brief_new (trace, table, row);
  set_title (self, title, NULL);
  gtk_widget_set_tooltip_text (self->title, title);
  ns_summary_set_row (self->summary, trace, table, row);
  /* NULL: no operation, G_MAXUINT32. */
  one = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, activity + 1);
  gtk_widget_set_visible (self->mark, one != NULL);
  gtk_label_set_text (GTK_LABEL (self->confidence), "");
  if (one != NULL)
    {
      g_autofree char *sure = g_strdup_printf (_ ("Joined from its layers: %s"),
                                               ns_words_get_confidence (one->confidence));

      ns_result_icon_set_row (NS_RESULT_ICON (self->mark), one);
      if (one->confidence >= 0)
        gtk_label_set_text (GTK_LABEL (self->confidence), sure);
    }
  show_finding (self, table, row);
  update_why (self, trace, table, row);
  update_phases (self, trace, table, activity);
  show_pair (self, table == NS_TABLE_ACTIVITIES && self->has_ended ? row : G_MAXUINT32);
  gtk_widget_set_visible (self->stack_overview_section,
                          ns_stack_section_set_activity (NS_STACK_SECTION (self->stack_overview),
                                                         activity));
  gtk_widget_set_visible (self->thread_section,
                          ns_thread_section_set_activity (NS_THREAD_SECTION (self->thread),
                                                          trace,
                                                          activity));
  gtk_widget_set_visible (self->names_section,
                          ns_names_section_set_name (NS_NAMES_SECTION (self->names),
                                                     trace,
                                                     table == NS_TABLE_DNS ? row + 1 : 0));
  show_appearances (self, trace, table == NS_TABLE_PACKETS ? row + 1 : 0);
  update_links (self, trace, table, row);
  if (!self->has_ended)
    show_going_on (self);
  update_page (self, trace, table, row);
  return G_SOURCE_REMOVE;
}

/* Coalesces changes of one main loop iteration into one update; skipped while the panel is not
 * mapped. */
static void
queue_update (NsDetailsPanel *self)
{
  if (self->update_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->update_id = g_idle_add (update_cb, self);
}

/* Findings arrive later than the rows; the health section lists them. */
static void
rows_changed_cb (NsDetailsPanel *self, guint table)
{
  if (table == NS_TABLE_FINDINGS && ns_session_get_selected (self->session)->len == 0)
    queue_update (self);
}

/* Updates the panel if the selected row has not ended now or had not before, and without one when a
 * playback begins or ends; other moments of a playback change nothing here. */
static void
moment_changed_cb (NsDetailsPanel *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  NsTableId table = ns_session_get_selected_table (self->session);

  ns_row_events_page_set_moment (NS_ROW_EVENTS_PAGE (self->events),
                                 ns_session_get_moment (self->session));
  if (selected->len > 0
          ? !self->has_ended ||
                !ns_session_has_ended (self->session, table, g_array_index (selected, guint32, 0))
          : self->tells_playback != (ns_session_get_moment (self->session) != G_MAXINT64))
    queue_update (self);
}

static GtkWidget *
add_section (GtkWidget *box, const char *title, GtkWidget *child)
{
  GtkWidget *expander = ns_section_new (title, child);

  gtk_widget_add_css_class (child, "section");
  gtk_box_append (GTK_BOX (box), expander);
  return expander;
}

/* Adds the stack section with the switch between parts of the path next to its title. */
static GtkWidget *
add_stack_overview_section (NsDetailsPanel *self, GtkWidget *box)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *inside = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *beside = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  g_object_bind_property (add_section (inside, _ ("Stack"), self->stack_overview),
                          "expanded",
                          beside,
                          "visible",
                          G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (beside),
                  ns_stack_section_get_parts (NS_STACK_SECTION (self->stack_overview)));
  gtk_widget_add_css_class (beside, "stack-parts");
  gtk_widget_set_halign (beside, GTK_ALIGN_END);
  gtk_widget_set_valign (beside, GTK_ALIGN_START);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), inside);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), beside);
  gtk_box_append (GTK_BOX (box), overlay);
  return overlay;
}

static GtkWidget *
grid_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  return grid;
}

static GtkWidget *
build_overview (NsDetailsPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *summary_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *phases_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->summary = ns_summary_new ();
  self->why = ns_summary_new ();
  self->pair = ns_pair_section_new ();
  self->confidence = label_new (NULL, 0, "caption");
  gtk_box_append (GTK_BOX (summary_box), self->summary);
  gtk_box_append (GTK_BOX (summary_box), self->why);
  gtk_box_append (GTK_BOX (summary_box),
                  ns_pair_section_get_sentence (NS_PAIR_SECTION (self->pair)));
  gtk_box_append (GTK_BOX (summary_box), self->confidence);
  add_section (box, _ ("Summary"), summary_box);
  self->finding = ns_finding_section_new ();
  gtk_box_append (GTK_BOX (box), self->finding);
  gtk_widget_set_visible (self->finding, FALSE);
  self->health = ns_health_section_new ();
  self->health_section = add_section (box, _ ("Trace Health"), self->health);

  self->phases_of = label_new (NULL, 0, "dim");
  gtk_label_set_wrap (GTK_LABEL (self->phases_of), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->phases_of), PANGO_WRAP_WORD_CHAR);
  gtk_box_append (GTK_BOX (phases_box), self->phases_of);
  self->phases_bar = ns_phases_bar_new ();
  self->phases_grid = grid_new ();
  gtk_box_append (GTK_BOX (phases_box), self->phases_bar);
  gtk_box_append (GTK_BOX (phases_box), ns_wrap_new (self->phases_grid));
  self->phases_section = add_section (box, _ ("Phases"), phases_box);
  self->pair_section = add_section (box, _ ("Both Ends"), self->pair);
  self->stack_overview = ns_stack_section_new ();
  self->stack_overview_section = add_stack_overview_section (self, box);
  gtk_widget_set_visible (self->stack_overview_section, FALSE);
  self->thread = ns_thread_section_new ();
  self->thread_section = add_section (box, _ ("Thread"), self->thread);
  gtk_widget_set_visible (self->thread_section, FALSE);
  self->names = ns_names_section_new ();
  self->names_section = add_section (box, _ ("Servers and Addresses"), self->names);
  gtk_widget_set_visible (self->names_section, FALSE);
  self->appearances = ns_appearances_section_new ();
  self->appearances_section = add_section (box, _ ("Appearances in the Stack"), self->appearances);
  gtk_widget_set_visible (self->appearances_section, FALSE);
  self->links_grid = grid_new ();
  self->links_section = add_section (box, _ ("Links"), self->links_grid);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  return scrolled;
}

static void
add_page (NsDetailsPanel *self, GtkWidget *page, const char *title)
{
  gtk_notebook_append_page (GTK_NOTEBOOK (self->notebook), page, gtk_label_new (title));
  ns_accessible_set_tab_name (GTK_NOTEBOOK (self->notebook), page, title);
}

static void
add_button (GtkWidget *box, const char *icon, const char *action, const char *name, const char *key)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  g_autofree char *tooltip = key != NULL ? g_strdup_printf ("%s (%s)", name, key) : NULL;

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip != NULL ? tooltip : name);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  ns_accessible_set_name (button, name);
  gtk_box_append (GTK_BOX (box), button);
}

static void
build_panel (NsDetailsPanel *self)
{
  GtkWidget *title_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->mark = ns_result_icon_new (NS_RESULT_ICON_TITLE);
  self->title = label_new (NULL, 0, NULL);
  self->title_rest = label_new (NULL, 0, NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title_rest), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->title_rest, TRUE);
  gtk_widget_add_css_class (title_row, "panel-title");
  gtk_box_append (GTK_BOX (title_row), self->mark);
  gtk_box_append (GTK_BOX (title_row), self->title);
  gtk_box_append (GTK_BOX (title_row), self->title_rest);
  add_button (title_row, "go-up-symbolic", "win.step-row(-1)", _ ("Previous row"), "Alt+↑");
  add_button (title_row, "go-down-symbolic", "win.step-row(1)", _ ("Next row"), "Alt+↓");
  add_button (title_row, "edit-copy-symbolic", "win.copy-sentence", _ ("Copy the sentence"), NULL);

  self->notebook = gtk_notebook_new ();
  gtk_widget_set_vexpand (self->notebook, TRUE);
  /* Without scrolling, the tabs would require more width than a small window has. */
  gtk_notebook_set_scrollable (GTK_NOTEBOOK (self->notebook), TRUE);
  ns_accessible_set_notebook_name (GTK_NOTEBOOK (self->notebook), _ ("Details"));
  add_page (self, build_overview (self), _ ("Overview"));
  self->stack = ns_stack_view_new ();
  g_object_bind_property (ns_stack_section_get_parts (NS_STACK_SECTION (self->stack_overview)),
                          "part",
                          ns_stack_view_get_parts (NS_STACK_VIEW (self->stack)),
                          "part",
                          G_BINDING_BIDIRECTIONAL);
  add_page (self, self->stack, _ ("Stack"));
  ns_help_set_page (self->stack, "stacks");
  self->flame = ns_flame_view_new ();
  ns_help_set_page (self->flame, "stacks");
  add_page (self, self->flame, _ ("Flame"));
  self->fields = grid_new ();
  gtk_widget_add_css_class (self->fields, "section");
  gtk_widget_add_css_class (self->fields, "page");
  self->fields_page = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->fields_page), self->fields);
  add_page (self, self->fields_page, _ ("Fields"));
  self->headers = ns_content_page_new (FALSE);
  add_page (self, self->headers, _ ("Headers"));
  self->bytes = ns_content_page_new (TRUE);
  add_page (self, self->bytes, _ ("Payload"));
  self->events = ns_row_events_page_new ();
  add_page (self, self->events, _ ("Events"));
  g_signal_connect_data (self->notebook,
                         "switch-page",
                         G_CALLBACK (queue_update),
                         self,
                         NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->box, "panel");
  gtk_box_append (GTK_BOX (self->box), title_row);
  gtk_box_append (GTK_BOX (self->box), self->notebook);
  self->event_page = ns_event_page_new ();
  gtk_widget_set_visible (self->event_page, FALSE);
  gtk_widget_set_vexpand (self->event_page, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->event_page);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

static void
ns_details_panel_dispose (GObject *object)
{
  NsDetailsPanel *self = NS_DETAILS_PANEL (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_details_panel_parent_class)->dispose (object);
}

/* Focuses the content: the buttons in the head have shortcuts of their own. */
static gboolean
ns_details_panel_grab_focus (GtkWidget *widget)
{
  NsDetailsPanel *self = NS_DETAILS_PANEL (widget);

  if (gtk_widget_get_visible (self->notebook))
    return gtk_widget_grab_focus (self->notebook);
  return gtk_widget_child_focus (self->event_page, GTK_DIR_TAB_FORWARD);
}

static void
show_page_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsDetailsPanel *self = NS_DETAILS_PANEL (widget);
  GtkWidget *page = g_str_equal (action, "panel.stack") ? self->stack : self->events;

  gtk_notebook_set_current_page (GTK_NOTEBOOK (self->notebook),
                                 gtk_notebook_page_num (GTK_NOTEBOOK (self->notebook), page));
}

/* Shows the stack page and selects a frame that is named in the summary. */
static void
show_frame_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsDetailsPanel *self = NS_DETAILS_PANEL (widget);

  show_page_cb (widget, "panel.stack", NULL);
  ns_stack_view_choose_frame (NS_STACK_VIEW (self->stack), g_variant_get_uint64 (parameter));
}

/* The summary's markup contains colours, so it is set again when they change. */
static void
ns_details_panel_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  NsDetailsPanel *self = NS_DETAILS_PANEL (widget);
  GdkRGBA failure = { 0 };

  GTK_WIDGET_CLASS (ns_details_panel_parent_class)->css_changed (widget, change);
  gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "ns_failure", &failure);
  /* The style also changes on hover, and new markup would drop a link in the middle of a click. */
  if (gdk_rgba_equal (&failure, &self->failure))
    return;
  self->failure = failure;
  queue_update (self);
}

static void
ns_details_panel_class_init (NsDetailsPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_details_panel_dispose;
  GTK_WIDGET_CLASS (klass)->grab_focus = ns_details_panel_grab_focus;
  GTK_WIDGET_CLASS (klass)->css_changed = ns_details_panel_css_changed;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "panel.events", NULL, show_page_cb);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "panel.stack", NULL, show_page_cb);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "panel.frame", "t", show_frame_cb);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_details_panel_init (NsDetailsPanel *self)
{
  build_panel (self);
  show_nothing (self);
  g_signal_connect_after (self, "map", G_CALLBACK (queue_update), NULL);
}

/**
 * ns_details_panel_set_session:
 * @self: a panel
 * @session: (nullable): session whose selection is shown
 */
void
ns_details_panel_set_session (NsDetailsPanel *self, NsSession *session)
{
  NsSymbolJob *symbols;

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  ns_stack_view_set_activity (NS_STACK_VIEW (self->stack), NULL, G_MAXUINT32);
  ns_thread_section_set_activity (NS_THREAD_SECTION (self->thread), NULL, G_MAXUINT32);
  ns_names_section_set_name (NS_NAMES_SECTION (self->names), NULL, 0);
  show_appearances (self, NULL, 0);
  ns_flame_view_set_session (NS_FLAME_VIEW (self->flame), session);
  symbols = session != NULL ? ns_symbol_job_get_for_session (session) : NULL;
  ns_stack_section_set_session (NS_STACK_SECTION (self->stack_overview), session, symbols);
  ns_stack_view_set_session (NS_STACK_VIEW (self->stack), session);
  ns_stack_view_set_symbols (NS_STACK_VIEW (self->stack), symbols);
  ns_event_page_set_symbols (NS_EVENT_PAGE (self->event_page), symbols);
  if (session != NULL)
    {
      const NsTrace *trace = ns_session_get_trace (session);

      gtk_widget_set_visible (self->headers, ns_row_content_may_have_headers (trace));
      gtk_widget_set_visible (self->bytes, ns_row_content_may_have_bytes (trace));
      g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (queue_update), self);
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
      g_signal_connect_swapped (session, "moment-changed", G_CALLBACK (moment_changed_cb), self);
      moment_changed_cb (self);
      g_signal_connect_object (symbols,
                               "changed",
                               G_CALLBACK (symbols_changed_cb),
                               self,
                               G_CONNECT_SWAPPED);
    }
  queue_update (self);
}

/**
 * ns_details_panel_set_pairing:
 * @self: a panel
 * @pairing: (nullable): pairing of the session's trace with the trace of another machine; must be
 * complete
 *
 * Sets the pairing that the pair section compares rows with.
 */
void
ns_details_panel_set_pairing (NsDetailsPanel *self, NsPairing *pairing)
{
  ns_pair_section_set_pairing (NS_PAIR_SECTION (self->pair), pairing);
  queue_update (self);
}

/**
 * ns_details_panel_stack_to_text:
 * @self: a panel
 *
 * Returns: (transfer full): the visible call stack as text
 */
char *
ns_details_panel_stack_to_text (NsDetailsPanel *self)
{
  if (gtk_widget_get_visible (self->event_page))
    return ns_event_page_stack_to_text (NS_EVENT_PAGE (self->event_page));
  return ns_stack_view_to_text (NS_STACK_VIEW (self->stack));
}

/**
 * ns_details_panel_get_event_fields:
 * @self: a panel
 *
 * Returns: (transfer none): the #NsEventFields of the event page
 */
GtkWidget *
ns_details_panel_get_event_fields (NsDetailsPanel *self)
{
  return ns_event_page_get_fields (NS_EVENT_PAGE (self->event_page));
}

/**
 * ns_details_panel_set_has_fields:
 * @self: a panel
 * @has_fields: whether the event page shows fields and bytes; %FALSE while the pane below the table
 * shows them
 */
void
ns_details_panel_set_has_fields (NsDetailsPanel *self, gboolean has_fields)
{
  if (ns_event_page_set_has_fields (NS_EVENT_PAGE (self->event_page), has_fields))
    queue_update (self);
}
