/* A cell of a table: one field of one row, on one line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-finder.h"
#include "ui/ns-spoken.h"
#include "ui/table/ns-mark.h"
#include "ui/table/ns-table-cell.h"

#include <glib/gi18n.h>

/* What the cells of a column have in common. */
typedef struct
{
  NsSession *session;
  NsTrace *trace;
  NsTableId table;
  const NsField *field; /* NULL: how the row ended, as a mark */
} Column;

struct _NsTableCell
{
  GtkWidget parent_instance;

  GtkWidget *mark;
  GtkWidget *text;
  const NsField *field;
  guint32 row;
  guint position;
};

G_DEFINE_FINAL_TYPE (NsTableCell, ns_table_cell, GTK_TYPE_WIDGET)

static void
ns_table_cell_dispose (GObject *object)
{
  NsTableCell *self = NS_TABLE_CELL (object);

  g_clear_pointer (&self->mark, gtk_widget_unparent);
  g_clear_pointer (&self->text, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_table_cell_parent_class)->dispose (object);
}

static void
ns_table_cell_class_init (NsTableCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_table_cell_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
ns_table_cell_init (NsTableCell *self)
{
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              6);
}

/**
 * ns_table_cell_is_numeric:
 * @field: a field
 *
 * Returns: whether its values stand right
 */
gboolean
ns_table_cell_is_numeric (const NsField *field)
{
  switch (field->type)
    {
    case NS_TYPE_UINT:
    case NS_TYPE_INT:
    case NS_TYPE_BYTES:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
      return TRUE;
    case NS_TYPE_TEXT:
    case NS_TYPE_HEX:
    case NS_TYPE_BOOL:
    case NS_TYPE_IP:
    case NS_TYPE_GUID:
    case NS_TYPE_LIST:
    case NS_TYPE_OBJECT:
    default:
      return FALSE;
    }
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  NsTableCell *cell = g_object_new (NS_TYPE_TABLE_CELL, NULL);

  cell->field = column->field;
  if (column->field == NULL)
    cell->mark = ns_mark_new (NS_MARK_END);
  else if (column->table == NS_TABLE_ACTIVITIES && g_strcmp0 (column->field->id, "protocol") == 0)
    cell->mark = ns_mark_new (NS_MARK_PROTOCOL);
  if (cell->mark != NULL)
    gtk_widget_set_parent (cell->mark, GTK_WIDGET (cell));
  if (column->field != NULL)
    {
      cell->text = gtk_inscription_new (NULL);
      gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell->text),
                                         GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
      gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell->text), 1);
      gtk_inscription_set_nat_chars (GTK_INSCRIPTION (cell->text), 8);
      gtk_inscription_set_xalign (GTK_INSCRIPTION (cell->text),
                                  ns_table_cell_is_numeric (column->field) ? 1 : 0);
      /* Groups of digits would change places where words are read from the right. */
      if (ns_table_cell_is_numeric (column->field))
        gtk_widget_set_direction (cell->text, GTK_TEXT_DIR_LTR);
      gtk_widget_set_hexpand (cell->text, TRUE);
      gtk_widget_set_valign (cell->text, GTK_ALIGN_CENTER);
      gtk_widget_set_parent (cell->text, GTK_WIDGET (cell));
    }
  gtk_list_item_set_child (item, GTK_WIDGET (cell));
}

/**
 * ns_table_cell_mark_found:
 * @self: a cell
 * @text: (nullable): what is looked for
 *
 * Lights the cell up if it shows @text.
 */
void
ns_table_cell_mark_found (NsTableCell *self, const char *text)
{
  const char *shown =
      self->text != NULL ? gtk_inscription_get_text (GTK_INSCRIPTION (self->text)) : NULL;

  if (text != NULL && *text != '\0' && shown != NULL && ns_finder_is_in (shown, text))
    gtk_widget_add_css_class (GTK_WIDGET (self), "found");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "found");
}

/**
 * ns_table_cell_factory_set_found:
 * @factory: a factory of cells
 * @text: (nullable): what is looked for, for cells to come
 */
void
ns_table_cell_factory_set_found (GtkListItemFactory *factory, const char *text)
{
  g_object_set_data_full (G_OBJECT (factory), "ns-found", g_strdup (text), g_free);
}

/* A cell is one line, whatever the text holds. */
static void
keep_one_line (GString *text)
{
  gsize i;

  for (i = 0; i < text->len; i++)
    if (g_ascii_iscntrl (text->str[i]))
      text->str[i] = ' ';
}

/* The row is read as its sentence, a cell as its title and value. */
static void
speak (NsTableCell *cell, const Column *column, const char *text)
{
  GtkWidget *place = gtk_widget_get_parent (GTK_WIDGET (cell));
  g_autofree char *sentence = NULL;
  g_autofree char *spoken = NULL;

  if (place != NULL && gtk_widget_get_prev_sibling (place) == NULL)
    sentence = ns_sentence_new (column->trace, column->table, cell->row);

  /* Translators: a cell of a table as it is spoken: its title and its value. */
  if (column->field != NULL)
    spoken = g_strdup_printf (_ ("%s: %s"), _ (column->field->title), text);
  ns_spoken_set_cell_name (GTK_WIDGET (cell),
                           spoken != NULL ? spoken : text,
                           sentence != NULL ? sentence : text);
}

/**
 * ns_table_cell_append_text:
 * @session: a session
 * @field: a field of one of its tables
 * @row: a row of that table, 0-based
 * @text: what to append to
 *
 * Appends what a cell shows: one line, moments by the clock of the session.
 */
void
ns_table_cell_append_text (NsSession *session, const NsField *field, guint32 row, GString *text)
{
  NsTrace *trace = ns_session_get_trace (session);
  NsWall wall = ns_session_get_wall (session);
  NsFieldValue value = { 0 };

  ns_field_get (trace, field, row, &value);
  if (!value.is_null && value.type == NS_TYPE_TIME && ns_time_is_set (value.v.i) &&
      wall != NS_WALL_TRACE)
    ns_wall_append (wall, trace, value.v.i, text);
  else if (!value.is_null)
    ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  keep_one_line (text);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  NsTableCell *cell = NS_TABLE_CELL (gtk_list_item_get_child (item));
  g_autoptr (GString) text = NULL;

  cell->row = ns_row_item_get_row (NS_ROW_ITEM (gtk_list_item_get_item (item)));
  cell->position = gtk_list_item_get_position (item);
  if (cell->mark != NULL)
    ns_mark_set_row (NS_MARK (cell->mark),
                     &g_array_index (column->trace->activities, NsActivityRow, cell->row));
  if (column->field == NULL)
    {
      speak (cell, column, "");
      return;
    }
  text = g_string_sized_new (32);
  ns_table_cell_append_text (column->session, column->field, cell->row, text);
  gtk_inscription_set_text (GTK_INSCRIPTION (cell->text), text->str);
  ns_table_cell_mark_found (cell, g_object_get_data (G_OBJECT (factory), "ns-found"));
  speak (cell, column, text->str);
}

static void
column_free (gpointer data, GClosure *closure)
{
  Column *column = data;

  g_object_unref (column->session);
  ns_trace_unref (column->trace);
  g_free (column);
}

/**
 * ns_table_cell_factory_new:
 * @session: the session
 * @table: the table
 * @field: (nullable): the field; %NULL for how the row ended
 *
 * Returns: (transfer full): a factory of cells
 */
GtkListItemFactory *
ns_table_cell_factory_new (NsSession *session, NsTableId table, const NsField *field)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Column *column = g_new0 (Column, 1);

  column->session = g_object_ref (session);
  column->trace = ns_trace_ref (ns_session_get_trace (session));
  column->table = table;
  column->field = field;
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), column);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind_cb), column, column_free, 0);
  return factory;
}

/**
 * ns_table_cell_get_field:
 * @self: a cell
 *
 * Returns: (nullable): the field it shows
 */
const NsField *
ns_table_cell_get_field (NsTableCell *self)
{
  return self->field;
}

/**
 * ns_table_cell_get_row:
 * @self: a cell
 *
 * Returns: the row it shows, 0-based in its table
 */
guint32
ns_table_cell_get_row (NsTableCell *self)
{
  return self->row;
}

/**
 * ns_table_cell_get_position:
 * @self: a cell
 *
 * Returns: where its row stands in the view
 */
guint
ns_table_cell_get_position (NsTableCell *self)
{
  return self->position;
}
