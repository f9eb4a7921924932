/* Sections about one event: the operation and connection it belongs to, and its process.
 *
 * A job looks up the rows; the process from the event itself is shown with them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-event-owners.h"

#include "model/ns-row-job.h"
#include "model/ns-row-links.h"
#include "ui/ns-section.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-links-grid.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _NsEventOwners
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *grid;
  GtkWidget *process;
  NsTrace *trace;
  guint32 event;
  GCancellable *job;
};

G_DEFINE_FINAL_TYPE (NsEventOwners, ns_event_owners, GTK_TYPE_WIDGET)

static void
clear_grid (NsEventOwners *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
}

static GtkWidget *
label_new (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_words (NsEventOwners *self, int line, const char *name, const char *text)
{
  GtkWidget *words = label_new (text, NULL);

  gtk_widget_set_hexpand (words, TRUE);
  if (name != NULL)
    gtk_grid_attach (GTK_GRID (self->grid), label_new (name, "dim"), 0, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid),
                   words,
                   name != NULL ? 1 : 0,
                   line,
                   name != NULL ? 2 : 3,
                   1);
}

static void
add_link (NsEventOwners *self, int line, NsTableId table, guint32 row, int confidence)
{
  ns_links_grid_attach (GTK_GRID (self->grid),
                        line,
                        table == NS_TABLE_ACTIVITIES
                            ? _ ("Row")
                            : _ (ns_row_links_get_title (self->trace, table, row)),
                        self->trace,
                        table,
                        row,
                        confidence);
}

/* Describes the evidence for the first link. */
static char *
describe_reason (const NsEventRowLink *link)
{
  switch (link->reason)
    {
    case NS_EVENT_ROW_KEY:
      /* Translators: the title of a column, and a pointer. */
      return g_strdup_printf (_ ("same %s: 0x%" PRIx64), _ (link->key->title), link->value);
    case NS_EVENT_ROW_ACTIVITY:
      return g_strdup (_ ("same activity ID"));
    case NS_EVENT_ROW_ADDRESSES:
    default:
      return g_strdup (_ ("same addresses, while the connection was open"));
    }
}

static int
get_confidence (const NsEventRowLink *link)
{
  return link->reason == NS_EVENT_ROW_ADDRESSES ? NS_CONFIDENCE_LIKELY : NS_CONFIDENCE_CERTAIN;
}

static gboolean
has_connection (const NsEventRows *found)
{
  guint i;

  for (i = 0; i < found->links->len; i++)
    {
      NsTableId table = g_array_index (found->links, NsEventRowLink, i).table;

      if (table == NS_TABLE_TCP || table == NS_TABLE_KERNEL_NETWORK)
        return TRUE;
    }
  return FALSE;
}

/* Adds the connection of the operation if the event itself does not link to one. */
static int
add_connection (NsEventOwners *self, int line, guint32 activity)
{
  g_autoptr (GArray) links = ns_row_links_list (self->trace, NS_TABLE_ACTIVITIES, activity);
  guint i;

  for (i = 0; i < links->len; i++)
    {
      const NsRowLink *link = &g_array_index (links, NsRowLink, i);

      if (link->target != NS_TABLE_TCP)
        continue;
      add_link (self, line, link->target, link->row, MAX (link->confidence, 0));
      return line + 1;
    }
  return line;
}

static void
show_rows (NsEventOwners *self, const NsEventRows *found)
{
  g_autofree char *reason = NULL;
  int line = 0;
  guint i;

  clear_grid (self);
  if (found->links->len == 0)
    {
      add_words (
          self,
          0,
          NULL,
          _ ("The data of this event does not identify an operation or connection of this trace."));
      return;
    }
  if (found->activity != G_MAXUINT32)
    add_link (self,
              line++,
              NS_TABLE_ACTIVITIES,
              found->activity,
              get_confidence (&g_array_index (found->links, NsEventRowLink, 0)));
  for (i = 0; i < found->links->len; i++)
    {
      const NsEventRowLink *link = &g_array_index (found->links, NsEventRowLink, i);

      add_link (self, line++, link->table, link->row, get_confidence (link));
    }
  if (found->activity != G_MAXUINT32 && !has_connection (found))
    line = add_connection (self, line, found->activity);
  reason = describe_reason (&g_array_index (found->links, NsEventRowLink, 0));
  add_words (self, line, _ ("Why"), reason);
}

static char *
dup_process (const NsTrace *trace, guint32 pid, gint64 time_ns)
{
  const char *name = ns_trace_get_process_name (trace, pid, time_ns);

  return name != NULL ? g_strdup_printf ("%s (%u)", name, pid) : g_strdup_printf ("(%u)", pid);
}

/* Shows the process. The event header names the process in whose context the event was written,
 * which is not always the owner. */
static void
show_process (NsEventOwners *self, const NsEventRows *found)
{
  g_autofree char *writer = NULL;
  g_autofree char *owner = NULL;
  g_autofree char *bold = NULL;
  g_autofree char *text = NULL;

  if (found->pid == NS_PID_UNKNOWN && found->owner_pid == NS_PID_UNKNOWN)
    {
      gtk_label_set_text (GTK_LABEL (self->process), _ ("The event does not specify it."));
      return;
    }
  if (found->pid != NS_PID_UNKNOWN)
    writer = dup_process (self->trace, found->pid, found->time_ns);
  if (found->owner_pid != NS_PID_UNKNOWN)
    owner = dup_process (self->trace, found->owner_pid, found->time_ns);
  bold = g_markup_printf_escaped ("<b>%s</b>", owner != NULL ? owner : writer);
  if (owner == NULL)
    /* Translators: a process. */
    text = g_strdup_printf (_ ("%s, from the event header."), bold);
  else if (writer == NULL)
    /* Translators: a process. */
    text = g_strdup_printf (
        _ ("%s, the owner of the row it belongs to; the event header does not specify it."),
        bold);
  else if (found->pid == found->owner_pid)
    /* Translators: a process. */
    text = g_strdup_printf (
        _ ("%s, from the event header; matches the owner of the row it belongs to."),
        bold);
  else
    {
      g_autofree char *other = g_markup_escape_text (writer, -1);

      /* Translators: the owner of a row; the process that an event header names. */
      text = g_strdup_printf (
          _ ("%s, the owner of the row it belongs to. The event header names %s: the event was "
             "written in its context, by the kernel or for another process."),
          bold,
          other);
    }
  gtk_label_set_markup (GTK_LABEL (self->process), text);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsEventOwners) self = user_data;
  g_autoptr (NsEventRows) found = ns_row_job_find_rows_finish (result, NULL);

  /* The answer is for an event that is no longer shown. */
  if (self->job == NULL || g_task_get_cancellable (G_TASK (result)) != self->job)
    return;
  g_clear_object (&self->job);
  if (found == NULL)
    {
      clear_grid (self);
      add_words (self, 0, NULL, _ ("The file no longer contains this event."));
      return;
    }
  show_rows (self, found);
  show_process (self, found);
}

static GtkWidget *
section_new (const char *title, GtkWidget *child)
{
  gtk_widget_add_css_class (child, "section");
  return ns_section_new (title, child);
}

/* Clears the sections and cancels a running search. */
static void
clear (NsEventOwners *self)
{
  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->trace, ns_trace_unref);
  clear_grid (self);
  gtk_label_set_text (GTK_LABEL (self->process), "");
}

static void
ns_event_owners_dispose (GObject *object)
{
  NsEventOwners *self = NS_EVENT_BELONGS (object);

  if (self->box != NULL)
    clear (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_event_owners_parent_class)->dispose (object);
}

static void
ns_event_owners_class_init (NsEventOwnersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_event_owners_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_event_owners_init (NsEventOwners *self)
{
  self->grid = gtk_grid_new ();
  gtk_widget_add_css_class (self->grid, "belongs");
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 3);
  self->process = label_new (NULL, NULL);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), section_new (_ ("Belongs to"), self->grid));
  gtk_box_append (GTK_BOX (self->box), section_new (_ ("Process"), self->process));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * ns_event_owners_new:
 *
 * Returns: (transfer floating): empty sections
 */
GtkWidget *
ns_event_owners_new (void)
{
  return g_object_new (NS_TYPE_EVENT_BELONGS, NULL);
}

/**
 * ns_event_owners_set_event:
 * @self: the sections
 * @trace: the trace
 * @event: row of the event table, 0-based
 *
 * Starts a search for the rows that an event belongs to and shows them when the search ends.
 */
void
ns_event_owners_set_event (NsEventOwners *self, NsTrace *trace, guint32 event)
{
  if (self->trace == trace && self->event == event)
    return;
  clear (self);
  self->trace = ns_trace_ref (trace);
  self->event = event;
  add_words (self, 0, NULL, _ ("Searching for the rows it belongs to…"));
  self->job = g_cancellable_new ();
  ns_row_job_find_rows_async (trace, event, self->job, found_cb, g_object_ref (self));
}
