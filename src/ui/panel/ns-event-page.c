/* The page of one record: its facts, its stack, its fields and its bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-event-page.h"

#include "ui/ns-spoken.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-stack-view.h"

#include <glib/gi18n.h>

#define MAX_FACTS_PX 210
#define STACK_PX 160

struct _NsEventPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *grid;
  GtkWidget *fields;
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
  gtk_grid_attach (GTK_GRID (self->grid), name, 0, *line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), value, 1, (*line)++, 1, 1);
}

static void
show_facts (NsEventPage *self, NsTrace *trace, guint32 row)
{
  static const char *const ids[] = { "time_ns",          "process_pid", "tid",
                                     "provider_name",    "name",        "id",
                                     "version",          "opcode_name", "level",
                                     "keyword",          "cpu",         "activity",
                                     "related_activity", "header",      "schema" };
  GtkWidget *child;
  int line = 0;
  guint i;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const NsField *field = ns_table_find_field (NS_TABLE_EVENTS, ids[i]);
      g_autofree char *text = field_to_text (trace, row, ids[i]);

      if (field != NULL)
        add_line (self, &line, _ (field->title), text);
      if (i == 0)
        {
          g_autofree char *clock = ns_event_time_to_text (trace, row);

          add_line (self, &line, _ ("Wall clock"), clock);
        }
    }
}

static void
show_stack (NsEventPage *self, NsTrace *trace, guint32 row)
{
  guint n_frames = ns_stack_view_set_event (NS_STACK_VIEW (self->stack), trace, row);
  g_autofree char *title =
      n_frames > 0
          ? g_strdup_printf (ngettext ("Stack · %u frame", "Stack · %u frames", n_frames), n_frames)
          : g_strdup (_ ("Stack · none"));

  gtk_expander_set_label (GTK_EXPANDER (self->stack_section), title);
  ns_spoken_set_name (self->stack_section, title);
}

static GtkWidget *
section_new (const char *title, GtkWidget *child, gboolean is_open)
{
  GtkWidget *expander = gtk_expander_new (title);

  gtk_expander_set_child (GTK_EXPANDER (expander), child);
  gtk_expander_set_expanded (GTK_EXPANDER (expander), is_open);
  ns_spoken_set_name (expander, title);
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

static void
ns_event_page_init (NsEventPage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 3);
  gtk_widget_add_css_class (self->grid, "section");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MAX_FACTS_PX);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->grid);
  gtk_box_append (GTK_BOX (self->box), section_new (_ ("Event"), scrolled, TRUE));

  self->stack = ns_stack_view_new ();
  gtk_widget_set_size_request (self->stack, -1, STACK_PX);
  self->stack_section = section_new (_ ("Stack"), self->stack, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->stack_section);

  self->fields = ns_event_fields_new ();
  gtk_widget_set_vexpand (self->fields, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->fields);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
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
 * @row: row of the table of events, 0-based
 */
void
ns_event_page_set_event (NsEventPage *self, NsTrace *trace, guint32 row)
{
  show_facts (self, trace, row);
  show_stack (self, trace, row);
  ns_event_fields_set_facts (NS_EVENT_FIELDS (self->fields), ns_event_facts_new (trace, row));
}

/**
 * ns_event_page_title:
 * @trace: the trace
 * @row: row of the table of events, 0-based
 *
 * Returns: (transfer full): provider, number and name
 */
char *
ns_event_page_title (NsTrace *trace, guint32 row)
{
  g_autofree char *provider = field_to_text (trace, row, "provider_name");
  g_autofree char *id = field_to_text (trace, row, "id");
  g_autofree char *name = field_to_text (trace, row, "name");

  if (*name == '\0')
    return g_strdup_printf ("%s %s", provider, id);
  return g_strdup_printf ("%s %s · %s", provider, id, name);
}

/**
 * ns_event_page_stack_to_text:
 * @self: a page
 *
 * Returns: (transfer full): the stack shown
 */
char *
ns_event_page_stack_to_text (NsEventPage *self)
{
  return ns_stack_view_to_text (NS_STACK_VIEW (self->stack));
}

/**
 * ns_event_page_choose_byte:
 * @self: a page
 * @byte: a byte of the record
 *
 * Chooses a byte, and the field that has it.
 */
void
ns_event_page_choose_byte (NsEventPage *self, guint32 byte)
{
  ns_event_fields_choose_byte (NS_EVENT_FIELDS (self->fields), byte);
}

/**
 * ns_event_page_choose_field:
 * @self: a page
 * @name: name of a field; the first of this name is chosen
 */
void
ns_event_page_choose_field (NsEventPage *self, const char *name)
{
  const NsEventFacts *facts = ns_event_fields_get_facts (NS_EVENT_FIELDS (self->fields));
  guint i;

  for (i = 0; facts != NULL && i < facts->facts->len; i++)
    if (g_strcmp0 (g_array_index (facts->facts, NsEventFact, i).name, name) == 0)
      {
        ns_event_fields_choose (NS_EVENT_FIELDS (self->fields), i);
        return;
      }
}

/**
 * ns_event_page_get_state:
 * @self: a page
 *
 * Returns: (transfer floating): `(uussuu)`: bytes and facts of the record, name, value, first byte
 *   and size of the chosen one
 */
GVariant *
ns_event_page_get_state (NsEventPage *self)
{
  const NsEventFacts *facts = ns_event_fields_get_facts (NS_EVENT_FIELDS (self->fields));
  guint chosen = ns_event_fields_get_chosen (NS_EVENT_FIELDS (self->fields));
  const NsEventFact *fact = facts != NULL && chosen < facts->facts->len
                                ? &g_array_index (facts->facts, NsEventFact, chosen)
                                : NULL;

  return g_variant_new ("(uussuu)",
                        facts != NULL ? facts->n_bytes : 0,
                        facts != NULL ? facts->facts->len : 0,
                        fact != NULL ? fact->name : "",
                        fact != NULL ? fact->value : "",
                        fact != NULL ? fact->offset : 0,
                        fact != NULL ? fact->size : 0);
}

/**
 * ns_event_page_set_symbols:
 * @self: a page
 * @symbols: (nullable): who names the frames of stacks
 */
void
ns_event_page_set_symbols (NsEventPage *self, NsSymbolJob *symbols)
{
  ns_stack_view_set_symbols (NS_STACK_VIEW (self->stack), symbols);
}
