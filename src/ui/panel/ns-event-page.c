/* Page of one event: facts, call stack, and its fields and bytes unless the pane below the table
 * shows them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-event-page.h"

#include "ui/ns-accessible.h"
#include "ui/ns-section.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-theme.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-event-owners.h"
#include "ui/panel/ns-stack-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum height of facts and stack if the page also shows the fields. */
#define MAX_FACTS_PX 240
/* Height of the stack view in px: a base and a height per frame, for at most MAX_STACK_FRAMES; a
 * deeper stack scrolls. */
#define STACK_PX 80
#define STACK_FRAME_PX 20
#define MAX_STACK_FRAMES 14

struct _NsEventPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *scrolled;
  GtkWidget *grid;
  GtkWidget *belongs;
  GtkWidget *fields;
  gboolean has_fields;
  GtkWidget *stack_section;
  GtkWidget *stack;
};

G_DEFINE_FINAL_TYPE (NsEventPage, ns_event_page, GTK_TYPE_WIDGET)

static char *
field_to_text (NsTrace *trace, guint32 row, const char *id)
{
  const NsField *field = ns_table_find_field (NS_TABLE_EVENTS, id);
  NsFieldValue value = { 0 };
  GString *text = g_string_new (NULL);

  if (field == NULL)
    return g_string_free (text, FALSE);
  ns_field_get (trace, field, row, &value);
  if (!value.is_null)
    ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  return g_string_free (text, FALSE);
}

static void
add_line (NsEventPage *self, int *line, const char *title, const char *text)
{
  GtkWidget *name;
  GtkWidget *value;

  if (*text == '\0')
    return;
  name = gtk_label_new (title);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_valign (name, GTK_ALIGN_START);
  gtk_widget_add_css_class (name, "dim");
  value = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_hexpand (value, TRUE);
  ns_text_direction_force_ltr (value);
  gtk_grid_attach (GTK_GRID (self->grid), name, 0, *line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), value, 1, (*line)++, 1, 1);
}

/* Returns the level as number and name. */
static char *
dup_level (NsTrace *trace, guint32 row)
{
  static const char *const names[] = { NULL,           N_ ("Critical"),    N_ ("Error"),
                                       N_ ("Warning"), N_ ("Information"), N_ ("Verbose") };
  g_autofree char *level = field_to_text (trace, row, "level");
  guint64 number;

  if (!g_ascii_string_to_unsigned (level, 10, 1, G_N_ELEMENTS (names) - 1, &number, NULL))
    return g_steal_pointer (&level);
  return g_strdup_printf ("%s %s", level, _ (names[number]));
}

static char *
dup_number (NsTrace *trace, guint32 row)
{
  g_autofree char *id = field_to_text (trace, row, "id");
  g_autofree char *version = field_to_text (trace, row, "version");

  /* Translators: the number of an event, and the version of its layout. */
  return g_strdup_printf (_ ("%s, version %s"), id, version);
}

static char *
dup_frames (NsTrace *trace, guint32 row)
{
  g_autofree char *depth = field_to_text (trace, row, "stack_depth");
  guint64 n_frames = g_ascii_strtoull (depth, NULL, 10);

  if (n_frames == 0)
    return g_strdup ("");
  return g_strdup_printf (ngettext ("%u frame", "%u frames", n_frames), (guint) n_frames);
}

static void
add_field (NsEventPage *self, int *line, NsTrace *trace, guint32 row, const char *id)
{
  const NsField *field = ns_table_find_field (NS_TABLE_EVENTS, id);
  g_autofree char *text = field_to_text (trace, row, id);

  if (field != NULL)
    add_line (self, line, _ (field->title), text);
}

static void
show_facts (NsEventPage *self, NsTrace *trace, guint32 row)
{
  static const char *const more[] = { "keyword", "keyword_names", "activity", "related_activity",
                                      "cpu",     "tid",           "header" };
  g_autofree char *clock = ns_event_time_to_text (trace, row);
  g_autofree char *number = dup_number (trace, row);
  g_autofree char *level = dup_level (trace, row);
  g_autofree char *frames = dup_frames (trace, row);
  GtkWidget *child;
  int line = 0;
  guint i;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  add_field (self, &line, trace, row, "time_ns");
  add_line (self, &line, _ ("Wall clock"), clock);
  add_field (self, &line, trace, row, "provider_name");
  add_field (self, &line, trace, row, "name");
  add_line (self, &line, _ ("ID"), number);
  add_field (self, &line, trace, row, "opcode_name");
  add_line (self, &line, _ ("Level"), level);
  for (i = 0; i < G_N_ELEMENTS (more); i++)
    add_field (self, &line, trace, row, more[i]);
  add_line (self, &line, _ ("Stack"), frames);
}

/* Shows the stack and sets its height from the number of frames, so that the panel scrolls as a
 * whole. */
static void
show_stack (NsEventPage *self, NsTrace *trace, guint32 row)
{
  guint n_frames = ns_stack_view_set_event (NS_STACK_VIEW (self->stack), trace, row);
  double scale = ns_theme_get_scale ();
  g_autofree char *title =
      n_frames > 0
          ? g_strdup_printf (ngettext ("Stack · %u frame", "Stack · %u frames", n_frames), n_frames)
          : g_strdup (_ ("Stack · none"));

  gtk_expander_set_label (GTK_EXPANDER (self->stack_section), title);
  ns_accessible_set_name (self->stack_section, title);
  gtk_expander_set_expanded (GTK_EXPANDER (self->stack_section), n_frames > 0 && !self->has_fields);
  gtk_widget_set_size_request (self->stack,
                               -1,
                               (int) (scale * (STACK_PX +
                                               STACK_FRAME_PX * MIN (n_frames, MAX_STACK_FRAMES))));
}

static GtkWidget *
section_new (const char *title, GtkWidget *child, gboolean is_open)
{
  GtkWidget *expander = ns_section_new (title, child);

  gtk_expander_set_expanded (GTK_EXPANDER (expander), is_open);
  return expander;
}

static void
ns_event_page_dispose (GObject *object)
{
  g_clear_pointer (&NS_EVENT_PAGE (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_event_page_parent_class)->dispose (object);
}

static void
ns_event_page_class_init (NsEventPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_event_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

/* Shows or hides the fields below facts and stack, which have a limited height next to them and
 * otherwise fill the page. */
static void
place_fields (NsEventPage *self)
{
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (self->scrolled);

  gtk_widget_set_visible (self->fields, self->has_fields);
  gtk_widget_set_vexpand (self->scrolled, !self->has_fields);
  gtk_scrolled_window_set_propagate_natural_height (scrolled, self->has_fields);
  gtk_scrolled_window_set_max_content_height (scrolled, self->has_fields ? MAX_FACTS_PX : -1);
}

static void
ns_event_page_init (NsEventPage *self)
{
  GtkWidget *sections = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 3);
  gtk_widget_add_css_class (self->grid, "section");
  gtk_box_append (GTK_BOX (sections), section_new (_ ("Event"), self->grid, TRUE));

  self->belongs = ns_event_owners_new ();
  gtk_box_append (GTK_BOX (sections), self->belongs);
  self->stack = ns_stack_view_new ();
  self->stack_section = section_new (_ ("Stack"), self->stack, FALSE);
  gtk_box_append (GTK_BOX (sections), self->stack_section);

  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), sections);
  gtk_box_append (GTK_BOX (self->box), self->scrolled);

  self->fields = ns_event_fields_new ();
  /* The page is shown only with an event, whose fields follow at once. */
  ns_event_fields_set_note (NS_EVENT_FIELDS (self->fields), "");
  gtk_widget_set_vexpand (self->fields, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->fields);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->has_fields = TRUE;
  place_fields (self);
}

/**
 * ns_event_page_new:
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
ns_event_page_new (void)
{
  return g_object_new (NS_TYPE_EVENT_PAGE, NULL);
}

/**
 * ns_event_page_set_event:
 * @self: a page
 * @trace: the trace
 * @row: row of the event table, 0-based
 */
void
ns_event_page_set_event (NsEventPage *self, NsTrace *trace, guint32 row)
{
  show_facts (self, trace, row);
  ns_event_owners_set_event (NS_EVENT_BELONGS (self->belongs), trace, row);
  show_stack (self, trace, row);
  ns_event_fields_set_facts (NS_EVENT_FIELDS (self->fields),
                             self->has_fields ? ns_event_facts_new (trace, row) : NULL);
}

/**
 * ns_event_page_title:
 * @trace: the trace
 * @row: row of the event table, 0-based
 * @rest: (out) (transfer full): number and name of the event
 *
 * Returns: (transfer full): short name of the provider
 */
char *
ns_event_page_title (NsTrace *trace, guint32 row, char **rest)
{
  g_autofree char *provider = field_to_text (trace, row, "provider_name");
  g_autofree char *id = field_to_text (trace, row, "id");
  g_autofree char *name = field_to_text (trace, row, "name");
  const char *shown = provider;

  /* Most providers share this prefix, which takes room and distinguishes nothing. */
  if (g_str_has_prefix (provider, "Microsoft-Windows-"))
    shown += strlen ("Microsoft-Windows-");
  *rest = *name == '\0' ? g_steal_pointer (&id) : g_strdup_printf ("%s · %s", id, name);
  return g_strdup (shown);
}

/**
 * ns_event_page_stack_to_text:
 * @self: a page
 *
 * Returns: (transfer full): the visible call stack as text
 */
char *
ns_event_page_stack_to_text (NsEventPage *self)
{
  return ns_stack_view_to_text (NS_STACK_VIEW (self->stack));
}

/**
 * ns_event_page_get_fields:
 * @self: a page
 *
 * Returns: (transfer none): the #NsEventFields of the page
 */
GtkWidget *
ns_event_page_get_fields (NsEventPage *self)
{
  return self->fields;
}

/**
 * ns_event_page_set_has_fields:
 * @self: a page
 * @has_fields: whether the page shows fields and bytes
 *
 * Returns: %TRUE if this changed; the event must then be set again
 */
gboolean
ns_event_page_set_has_fields (NsEventPage *self, gboolean has_fields)
{
  if (self->has_fields == has_fields)
    return FALSE;
  self->has_fields = has_fields;
  if (!has_fields)
    ns_event_fields_set_facts (NS_EVENT_FIELDS (self->fields), NULL);
  place_fields (self);
  return TRUE;
}

/**
 * ns_event_page_set_symbols:
 * @self: a page
 * @symbols: (nullable): job that names the frames of stacks
 */
void
ns_event_page_set_symbols (NsEventPage *self, NsSymbolJob *symbols)
{
  ns_stack_view_set_symbols (NS_STACK_VIEW (self->stack), symbols);
}
