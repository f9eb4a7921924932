/* Compact call stack of a row in the overview: its first lines, and a link to the stack page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/panel/ns-stack-line.h"
#include "ui/panel/ns-stack-range-switch.h"
#include "ui/panel/ns-stack-section.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum lines; the stack page has the rest. */
#define MAX_LINES 8

struct _NsStackSection
{
  GtkWidget parent_instance;

  NsSession *session;   /* (nullable) */
  NsSymbolJob *symbols; /* (nullable) */
  guint32 activity;
  GtkWidget *box;
  GtkWidget *lines;
  GtkWidget *parts; /* placed by the caller next to the section title */
};

G_DEFINE_FINAL_TYPE (NsStackSection, ns_stack_section, GTK_TYPE_WIDGET)

static const char *
get_style (const NsStackLine *line)
{
  switch (line->kind)
    {
    case NS_STACK_LINE_FRAME:
      return "stack-frame";
    case NS_STACK_LINE_THREAD_SWITCH:
      return "stack-seam";
    case NS_STACK_LINE_THREAD:
    case NS_STACK_LINE_FOLD:
    case NS_STACK_LINE_MISSING:
    case NS_STACK_LINE_NOTE:
    default:
      return "dim";
    }
}

/* Returns the markup of a line. A thread switch shows thread and wait only, because the next line
 * is the frame that queued the work. */
static char *
dup_markup (NsStackLine *line)
{
  g_autofree char *strong = NULL;
  g_autofree char *text = NULL;
  g_autofree char *bold = NULL;
  const char *found;

  if (line->kind == NS_STACK_LINE_THREAD_SWITCH && line->second != NULL &&
      line->tid != NS_PID_UNKNOWN)
    {
      strong = g_strdup (line->strong_second);
      /* Translators: a thread that queued work, and how long the work waited. */
      text = g_strdup_printf (_ ("by thread %u · %s"), line->tid, line->second);
    }
  else
    text = ns_stack_line_dup_shown (line, &bold);
  found = strong != NULL ? strstr (text, strong) : NULL;
  if (found == NULL)
    return g_markup_escape_text (text, -1);
  bold = g_strndup (text, (gsize) (found - text));
  return g_markup_printf_escaped ("%s<b>%s</b>%s", bold, strong, found + strlen (strong));
}

static GtkWidget *
line_new (NsStackLine *line)
{
  g_autofree char *markup = dup_markup (line);
  g_autofree char *all = line->second != NULL ? g_strdup_printf ("%s\n%s", line->text, line->second)
                                              : g_strdup (line->text);
  g_autofree char *tip = ns_words_tooltip (all);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  /* Code is left-to-right in every language. */
  gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (line->kind == NS_STACK_LINE_NOTE || line->kind == NS_STACK_LINE_MISSING)
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  else
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (label, tip);
  gtk_widget_add_css_class (label, "stack-line");
  gtk_widget_add_css_class (label, get_style (line));
  if (line->kind == NS_STACK_LINE_FRAME && !line->is_named)
    gtk_widget_add_css_class (label, "unresolved");
  if (line->kind == NS_STACK_LINE_THREAD_SWITCH && line->is_inferred)
    gtk_widget_add_css_class (label, "inferred");
  return label;
}

static void
whole_cb (NsStackSection *self)
{
  ns_stack_range_switch_set_range (NS_STACK_RANGE_SWITCH (self->parts), NS_STACK_RANGE_FULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "panel.stack", NULL);
}

/* Creates the link to the stack page, with the number of lines left out. */
static GtkWidget *
link_new (NsStackSection *self, guint n_more)
{
  /* Translators: lines of a call stack that are not shown here. */
  g_autofree char *more =
      g_strdup_printf (ngettext ("%u more line…", "%u more lines…", n_more), n_more);
  GtkWidget *link = gtk_button_new_with_label (n_more > 0 ? more : _ ("Whole Stack…"));

  gtk_widget_add_css_class (link, "flat");
  gtk_widget_add_css_class (link, "link");
  gtk_widget_set_halign (link, GTK_ALIGN_START);
  if (n_more > 0)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (link), "panel.stack");
  else
    g_signal_connect_object (link, "clicked", G_CALLBACK (whole_cb), self, G_CONNECT_SWAPPED);
  return link;
}

static GListStore *
list_lines (NsStackSection *self, NsStackRange part)
{
  GListStore *lines = g_list_store_new (NS_TYPE_STACK_LINE);
  NsStackLineOptions options = { .trace = ns_session_get_trace (self->session),
                                 .symbols = self->symbols,
                                 .part = part,
                                 .is_folding = TRUE,
                                 .hidden = ns_session_get_hidden_frames (self->session) };

  ns_stack_lines_add_activity (lines, &options, self->activity);
  return lines;
}

/* Adds the lines. Thread lines are skipped, because the thread switches name the threads. */
static void
fill (NsStackSection *self)
{
  g_autoptr (GListStore) lines = NULL;
  GtkWidget *child;
  guint n_shown = 0;
  guint n_more = 0;
  guint i;

  while ((child = gtk_widget_get_first_child (self->lines)) != NULL)
    gtk_box_remove (GTK_BOX (self->lines), child);
  if (self->session == NULL || self->activity == G_MAXUINT32)
    return;
  lines = list_lines (self, ns_stack_range_switch_get_range (NS_STACK_RANGE_SWITCH (self->parts)));
  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (lines)); i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (G_LIST_MODEL (lines), i);

      if (line->kind == NS_STACK_LINE_THREAD)
        continue;
      if (n_shown == MAX_LINES)
        n_more++;
      else
        gtk_box_append (GTK_BOX (self->lines), line_new (line));
      n_shown = MIN (n_shown + 1, MAX_LINES);
    }
  if (n_shown > 0)
    gtk_box_append (GTK_BOX (self->lines), link_new (self, n_more));
}

/* Returns whether the whole path has lines to show; @has_frames is set to whether it has frames. */
static gboolean
has_path (NsStackSection *self, gboolean *has_frames)
{
  g_autoptr (GListStore) lines = NULL;
  gboolean has_lines = FALSE;
  guint i;

  *has_frames = FALSE;
  if (self->session == NULL || self->activity == G_MAXUINT32)
    return FALSE;
  lines = list_lines (self, NS_STACK_RANGE_FULL);
  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (lines)); i++)
    {
      g_autoptr (NsStackLine) line = g_list_model_get_item (G_LIST_MODEL (lines), i);

      has_lines = has_lines || line->kind != NS_STACK_LINE_THREAD;
      *has_frames = *has_frames || line->kind == NS_STACK_LINE_FRAME;
    }
  return has_lines;
}

/* Shows function names loaded since, and applies changed settings. */
static void
changed_cb (NsStackSection *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

static void
ns_stack_section_dispose (GObject *object)
{
  NsStackSection *self = NS_STACK_SECTION (object);

  ns_stack_section_set_session (self, NULL, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->parts);
  G_OBJECT_CLASS (ns_stack_section_parent_class)->dispose (object);
}

static void
ns_stack_section_class_init (NsStackSectionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_stack_section_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_stack_section_init (NsStackSection *self)
{
  self->activity = G_MAXUINT32;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->parts = g_object_ref_sink (ns_stack_range_switch_new ());
  g_signal_connect_object (self->parts,
                           "notify::part",
                           G_CALLBACK (changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (self->box, "stack-section");
  gtk_box_append (GTK_BOX (self->box), self->lines);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * ns_stack_section_new:
 *
 * Returns: (transfer floating): an empty section
 */
GtkWidget *
ns_stack_section_new (void)
{
  return g_object_new (NS_TYPE_STACK_SECTION, NULL);
}

/**
 * ns_stack_section_set_session:
 * @self: a section
 * @session: (nullable): session of the rows
 * @symbols: (nullable): job that names frames
 *
 * Sets the session and clears the section.
 */
void
ns_stack_section_set_session (NsStackSection *self, NsSession *session, NsSymbolJob *symbols)
{
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_func (self->session, changed_cb, self);
  if (self->symbols != NULL)
    g_signal_handlers_disconnect_by_func (self->symbols, changed_cb, self);
  g_set_object (&self->session, session);
  g_set_object (&self->symbols, symbols);
  self->activity = G_MAXUINT32;
  if (session != NULL)
    g_signal_connect_object (session,
                             "hidden-frames-changed",
                             G_CALLBACK (changed_cb),
                             self,
                             G_CONNECT_SWAPPED);
  if (symbols != NULL)
    g_signal_connect_object (symbols, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
}

/**
 * ns_stack_section_set_activity:
 * @self: a section
 * @activity: row of the activity table, 0-based; %G_MAXUINT32 for none
 *
 * Shows the call stacks that led to this request.
 *
 * Returns: whether there are lines to show
 */
gboolean
ns_stack_section_set_activity (NsStackSection *self, guint32 activity)
{
  gboolean has_frames;
  gboolean has_lines;

  self->activity = activity;
  fill (self);
  has_lines = has_path (self, &has_frames);
  gtk_widget_set_visible (self->parts, has_frames);
  return has_lines;
}

/**
 * ns_stack_section_get_parts:
 * @self: a section
 *
 * Returns: (transfer none): the #NsStackRangeSwitch that selects the part of the path, to be placed
 * by the caller
 */
GtkWidget *
ns_stack_section_get_parts (NsStackSection *self)
{
  return self->parts;
}
