/* Page of the events that support the selected row, and how they were found.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-row-events-page.h"

#include "model/ns-row-job.h"
#include "model/ns-row-list.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _NsRowEventsPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *how;
  GtkWidget *spinner;
  NsRowList *rows; /* indexes of entries of @found */
  NsTrace *trace;
  NsTableId table;
  guint32 row;
  NsRowEvents *found;
  gint64 moment_ns; /* playback moment; later events are not listed */
  guint n_shown;
  GCancellable *job;
};

G_DEFINE_FINAL_TYPE (NsRowEventsPage, ns_row_events_page, GTK_TYPE_WIDGET)

static void
append_field (GString *text, const NsTrace *trace, guint32 event, const char *id)
{
  const NsField *field = ns_table_find_field (NS_TABLE_EVENTS, id);
  NsFieldValue value = { 0 };

  if (field == NULL)
    return;
  ns_field_get (trace, field, event, &value);
  if (!value.is_null)
    {
      if (text->len > 0)
        g_string_append (text, "  ");
      ns_field_append_human (field, &value, text);
    }
  ns_field_value_clear (&value);
}

static const NsRowEvent *
get_entry (NsRowEventsPage *self, GtkListItem *item)
{
  guint32 which = ns_row_item_get_row (NS_ROW_ITEM (gtk_list_item_get_item (item)));

  if (self->found == NULL || which >= self->found->events->len)
    return NULL;
  return &g_array_index (self->found->events, NsRowEvent, which);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *cell = gtk_inscription_new (NULL);

  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_widget_add_css_class (cell, "row-event");
  gtk_list_item_set_child (item, cell);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, NsRowEventsPage *self)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  const NsRowEvent *entry = get_entry (self, item);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *tooltip = NULL;

  if (entry == NULL)
    return;
  append_field (text, self->trace, entry->event, "time_ns");
  append_field (text, self->trace, entry->event, "id");
  append_field (text, self->trace, entry->event, "name");
  append_field (text, self->trace, entry->event, "provider_name");
  gtk_inscription_set_text (GTK_INSCRIPTION (cell), text->str);
  if (entry->key < self->found->keys->len)
    {
      const NsRowKey *key = &g_array_index (self->found->keys, NsRowKey, entry->key);

      tooltip = g_strdup_printf (_ ("%s\nHas %s 0x%" PRIx64),
                                 text->str,
                                 _ (key->field->title),
                                 key->value);
    }
  else if (self->found->keys->len > 0)
    tooltip = g_strdup_printf (_ ("%s\nHas the same activity ID"), text->str);
  else if (self->table == NS_TABLE_FINDINGS)
    tooltip = g_strdup_printf (_ ("%s\nBelongs to a row of this finding"), text->str);
  else
    tooltip = g_strdup_printf (_ ("%s\nWritten by the same thread"), text->str);
  gtk_widget_set_tooltip_text (cell, tooltip);
  ns_accessible_set_row_name (cell, tooltip);
}

static void
activate_cb (GtkListView *list, guint position, NsRowEventsPage *self)
{
  if (self->found == NULL || position >= self->found->events->len)
    return;
  gtk_widget_activate_action (GTK_WIDGET (self),
                              "win.go-to",
                              "(su)",
                              ns_table_get_name (NS_TABLE_EVENTS),
                              g_array_index (self->found->events, NsRowEvent, position).event);
}

static char *
keys_to_text (const NsRowEvents *found)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < found->keys->len; i++)
    {
      const NsRowKey *key = &g_array_index (found->keys, NsRowKey, i);

      g_string_append_printf (text,
                              "%s%s 0x%" G_GINT64_MODIFIER "x",
                              i > 0 ? ", " : "",
                              _ (key->field->title),
                              key->value);
    }
  return g_string_free (text, FALSE);
}

/* Describes how the events of a finding were found: through its rows. */
static char *
how_found_rows (const NsRowEvents *found, const char *n_events, const char *n_looked_at)
{
  if (found->is_cut)
    return g_strdup_printf (
        _ ("First %s records that belong to the rows of this finding; there may be more."),
        n_events);
  return g_strdup_printf (ngettext ("%s record that belongs to the rows of this finding. All %s "
                                    "records of the trace were searched.",
                                    "%s records that belong to the rows of this finding. All %s "
                                    "records of the trace were searched.",
                                    found->events->len),
                          n_events,
                          n_looked_at);
}

/* Describes events found by thread, for a row without keys. */
static char *
how_found_thread (const NsRowEvents *found, const char *n_events)
{
  return g_strdup_printf (
      found->is_cut ? _ ("First %s records that thread %u of process %u wrote while the row was "
                         "open. The row has no key, so some of them may be unrelated.")
                    : ngettext ("%s record that thread %u of process %u wrote while the row was "
                                "open. The row has no key, so it may be unrelated.",
                                "%s records that thread %u of process %u wrote while the row was "
                                "open. The row has no key, so some of them may be unrelated.",
                                found->events->len),
      n_events,
      found->tid,
      found->pid);
}

/* Describes how the events were found, because this limits what they prove. */
static char *
how_found (const NsRowEvents *found, NsTableId table)
{
  g_autofree char *n_events = ns_words_count (found->events->len);
  g_autofree char *n_looked_at = ns_words_count (found->n_looked_at);
  g_autofree char *keys = keys_to_text (found);

  if (table == NS_TABLE_FINDINGS)
    return how_found_rows (found, n_events, n_looked_at);
  if (found->keys->len == 0 && found->tid == NS_PID_UNKNOWN)
    return g_strdup (_ ("This row has no key and no thread that identifies its records."));
  if (found->keys->len == 0)
    return how_found_thread (found, n_events);
  return g_strdup_printf (
      found->is_cut ? _ ("First %s records with a field that contains a key of the row: %s. %s "
                         "records written while it was open were searched; there may be more.")
                    : ngettext ("%s record with a field that contains a key of the row: %s. All %s "
                                "records written while it was open were searched.",
                                "%s records with a field that contains a key of the row: %s. All "
                                "%s records written while it was open were searched.",
                                found->events->len),
      n_events,
      keys,
      n_looked_at);
}

static gboolean
is_recorded (NsRowEventsPage *self, guint which)
{
  guint32 event = g_array_index (self->found->events, NsRowEvent, which).event;

  return event < ns_trace_get_n_rows (self->trace, NS_TABLE_EVENTS) &&
         ns_trace_get_event_time (self->trace, event) <= self->moment_ns;
}

static void
show_list (NsRowEventsPage *self)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 0; self->found != NULL && i < self->found->events->len; i++)
    if (is_recorded (self, i))
      g_array_append_val (rows, i);
  self->n_shown = rows->len;
  ns_row_list_set_rows (self->rows, none);
  ns_row_list_set_rows (self->rows, rows);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsRowEventsPage) self = user_data;
  g_autoptr (NsRowEvents) found = ns_row_job_find_events_finish (result, NULL);
  g_autofree char *how = NULL;

  /* The answer is for a row that is no longer shown. */
  if (found == NULL || self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    return;
  g_clear_object (&self->job);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  gtk_widget_set_visible (self->spinner, FALSE);
  self->found = g_steal_pointer (&found);
  show_list (self);
  how = how_found (self->found, self->table);
  gtk_label_set_text (GTK_LABEL (self->how), how);
}

static void
ns_row_events_page_dispose (GObject *object)
{
  NsRowEventsPage *self = NS_ROW_EVENTS_PAGE (object);

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->found, ns_row_events_free);
  g_clear_pointer (&self->trace, ns_trace_unref);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (ns_row_events_page_parent_class)->dispose (object);
}

static void
ns_row_events_page_class_init (NsRowEventsPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_row_events_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_row_events_page_init (NsRowEventsPage *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkSingleSelection *selection;
  GtkWidget *list;

  self->moment_ns = G_MAXINT64;
  self->rows = ns_row_list_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_selected (selection, GTK_INVALID_LIST_POSITION);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (selection), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (list), TRUE);
  g_signal_connect (list, "activate", G_CALLBACK (activate_cb), self);
  ns_accessible_set_name (GTK_WIDGET (list), _ ("Events of the row"));
  gtk_widget_add_css_class (list, "row-events");

  self->spinner = gtk_spinner_new ();
  self->how = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->how), 0);
  gtk_label_set_wrap (GTK_LABEL (self->how), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->how), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (self->how, TRUE);
  gtk_box_append (GTK_BOX (head), self->spinner);
  gtk_box_append (GTK_BOX (head), self->how);
  gtk_widget_add_css_class (head, "row-events-head");

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), head);
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * ns_row_events_page_new:
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
ns_row_events_page_new (void)
{
  return g_object_new (NS_TYPE_ROW_EVENTS_PAGE, NULL);
}

/**
 * ns_row_events_page_clear:
 * @self: a page
 * @note: text shown instead of events
 *
 * Cancels a running search and shows only @note.
 */
void
ns_row_events_page_clear (NsRowEventsPage *self, const char *note)
{
  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->found, ns_row_events_free);
  show_list (self);
  g_clear_pointer (&self->trace, ns_trace_unref);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_label_set_text (GTK_LABEL (self->how), note);
}

/**
 * ns_row_events_page_set_row:
 * @self: a page
 * @trace: the trace
 * @table: a table
 * @row: row of @table, 0-based
 *
 * Starts a search for the events of a row and shows them when the search ends.
 */
void
ns_row_events_page_set_row (NsRowEventsPage *self, NsTrace *trace, NsTableId table, guint32 row)
{
  if (self->trace == trace && self->table == table && self->row == row)
    return;
  ns_row_events_page_clear (self, "");
  self->trace = ns_trace_ref (trace);
  self->table = table;
  self->row = row;
  self->job = g_cancellable_new ();
  gtk_label_set_text (GTK_LABEL (self->how), _ ("Looking for the records of this row…"));
  gtk_widget_set_visible (self->spinner, TRUE);
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  ns_row_job_find_events_async (trace, table, row, self->job, found_cb, g_object_ref (self));
}

/**
 * ns_row_events_page_set_moment:
 * @self: a page
 * @moment_ns: later events are not listed; %G_MAXINT64 lists all
 */
void
ns_row_events_page_set_moment (NsRowEventsPage *self, gint64 moment_ns)
{
  guint n_recorded = 0;
  guint i;

  self->moment_ns = moment_ns;
  for (i = 0; self->found != NULL && i < self->found->events->len; i++)
    n_recorded += is_recorded (self, i);
  if (n_recorded != self->n_shown)
    show_list (self);
}
