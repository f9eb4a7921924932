/* The columns of a table's view: which, in which order, how wide, and what their titles say.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define MIN_COLUMN_PX 24
#define WIDE_MIN_PX 120
/* Room for a time of day with microseconds. */
#define CLOCK_PX 132

/**
 * ns_table_view_get_field:
 * @column: a column of a table
 *
 * Returns: (nullable): the field it shows; %NULL for the column of marks
 */
const NsField *
ns_table_view_get_field (GtkColumnViewColumn *column)
{
  return g_object_get_data (G_OBJECT (column), "ns-field");
}

static guint
find_key (const GArray *order, const NsField *field)
{
  guint i;

  for (i = 0; i < order->len; i++)
    if (g_array_index (order, NsOrderKey, i).field == field)
      return i;
  return G_MAXUINT;
}

/**
 * ns_table_view_dup_title:
 * @self: a view
 * @field: a field of its table
 *
 * Returns: (transfer full): the title of its column; the unit gives way to the clock when moments
 *   are told by another
 */
char *
ns_table_view_dup_title (NsTableView *self, const NsField *field)
{
  static const char *const clocks[NS_N_WALLS] = { NULL, N_ ("machine"), N_ ("UTC"), N_ ("here") };
  const char *title = _ (field->title);
  const char *unit = strrchr (title, '(');
  NsWall wall = ns_session_get_wall (self->session);

  if (field->type != NS_TYPE_TIME || wall == NS_WALL_TRACE)
    return g_strdup (title);
  return g_strdup_printf ("%.*s(%s)",
                          (int) (unit != NULL ? (gsize) (unit - title) : strlen (title)),
                          title,
                          _ (clocks[wall]));
}

/* Moments by another clock take more room; they get it until the clock is the trace's again. */
void
ns_table_view_update_clock (NsTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gboolean is_wall = ns_session_get_wall (self->session) != NS_WALL_TRACE;
  int room = (int) (CLOCK_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      g_autoptr (GtkListItemFactory) factory = NULL;
      int width = gtk_column_view_column_get_fixed_width (column);
      int narrow = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-narrow"));

      if (field == NULL || field->type != NS_TYPE_TIME || width <= 0)
        continue;
      if (is_wall && width < room)
        {
          g_object_set_data (G_OBJECT (column), "ns-narrow", GINT_TO_POINTER (width));
          gtk_column_view_column_set_fixed_width (column, room);
        }
      else if (!is_wall && narrow > 0 && width == room)
        gtk_column_view_column_set_fixed_width (column, narrow);
      factory = ns_table_cell_factory_new (self->session, self->table, field);
      gtk_column_view_column_set_factory (column, factory);
    }
  ns_table_view_update_titles (self);
}

/* The title says by itself how the table is sorted. */
void
ns_table_view_update_titles (NsTableView *self)
{
  static const char *const digits[] = { "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉" };
  const GArray *order = ns_session_get_order (self->session, self->table);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      g_autofree char *plain = NULL;
      g_autofree char *title = NULL;
      guint key;

      if (field == NULL)
        continue;
      key = find_key (order, field);
      plain = ns_table_view_dup_title (self, field);
      if (key == G_MAXUINT)
        title = g_steal_pointer (&plain);
      else
        title = g_strdup_printf ("%s %s%s",
                                 plain,
                                 g_array_index (order, NsOrderKey, key).descending ? "▼" : "▲",
                                 order->len > 1 ? digits[MIN (key, 8)] : "");
      if (g_strcmp0 (gtk_column_view_column_get_title (column), title) != 0)
        gtk_column_view_column_set_title (column, title);
    }
}

/* The column that takes the room the others leave. */
static gboolean
is_wide (const NsField *field)
{
  return field != NULL && g_strcmp0 (field->id, "url") == 0;
}

/* GTK 4.8 makes rows as wide as all columns with a width, shown or not, and from right to left the
 * cells would stand beyond the window. So a column has its width only while it is shown.
 */
static void
visible_changed_cb (GtkColumnViewColumn *column)
{
  int width = gtk_column_view_column_get_fixed_width (column);

  if (gtk_column_view_column_get_visible (column))
    width = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-width"));
  else
    {
      if (width > 0)
        g_object_set_data (G_OBJECT (column), "ns-width", GINT_TO_POINTER (width));
      width = -1;
    }
  gtk_column_view_column_set_fixed_width (column, width);
}

/* The width of a column, also while it is not shown. */
static int
get_width (GtkColumnViewColumn *column)
{
  int width = gtk_column_view_column_get_fixed_width (column);

  return width > 0 ? width : GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-width"));
}

static void
add_column (NsTableView *self, const NsField *field, gboolean is_shown, int width)
{
  GtkListItemFactory *factory = ns_table_cell_factory_new (self->session, self->table, field);
  GtkColumnViewColumn *column =
      gtk_column_view_column_new (field != NULL ? _ (field->title) : "", factory);

  g_object_set_data (G_OBJECT (column), "ns-field", (gpointer) field);
  gtk_column_view_column_set_resizable (column, field != NULL);
  gtk_column_view_column_set_fixed_width (column, MAX (width, MIN_COLUMN_PX));
  gtk_column_view_column_set_visible (column, is_shown);
  if (!is_shown)
    visible_changed_cb (column);
  g_signal_connect (column, "notify::visible", G_CALLBACK (visible_changed_cb), NULL);
  gtk_column_view_column_set_expand (column, is_wide (field));
  gtk_column_view_append_column (self->view, column);
  g_object_unref (column);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const NsField *field_a = *(const NsField *const *) a;
  const NsField *field_b = *(const NsField *const *) b;
  int place_a = field_a->place != 0 ? field_a->place : 1000;
  int place_b = field_b->place != 0 ? field_b->place : 1000;

  if (place_a != place_b)
    return place_a - place_b;
  return field_a < field_b ? -1 : field_a > field_b;
}

/* What was remembered of this table: (ids in order, width, shown). */
static GVariant *
dup_remembered (NsTableView *self)
{
  GSettings *settings = ns_settings_get ();
  g_autoptr (GVariant) all = settings != NULL ? g_settings_get_value (settings, "columns") : NULL;

  if (all == NULL)
    return NULL;
  return g_variant_lookup_value (all, ns_table_get_name (self->table), G_VARIANT_TYPE ("a(sib)"));
}

/* All columns: in the order and width the user gave them, or in ours. */
void
ns_table_view_add_columns (NsTableView *self)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GVariant) remembered = dup_remembered (self);
  guint n_fields;
  const NsField *all = ns_table_get_fields (self->table, &n_fields);
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint i;

  if (self->table == NS_TABLE_ACTIVITIES)
    add_column (self, NULL, TRUE, 26);
  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (fields, (gpointer) &all[i]);
  if (remembered != NULL)
    {
      GVariantIter iter;
      const char *id;
      int width;
      gboolean is_shown;

      g_variant_iter_init (&iter, remembered);
      while (g_variant_iter_next (&iter, "(&sib)", &id, &width, &is_shown))
        {
          const NsField *field = ns_table_find_field (self->table, id);

          if (field != NULL && g_ptr_array_remove (fields, (gpointer) field))
            add_column (self, field, is_shown, CLAMP (width, MIN_COLUMN_PX, 2000));
        }
    }
  g_ptr_array_sort (fields, compare_places);
  for (i = 0; i < fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);

      add_column (self,
                  field,
                  field->is_shown && remembered == NULL,
                  (int) ((is_wide (field) ? WIDE_MIN_PX : field->width) * scale));
    }
}

/* Keeps order, width and visibility for all tables of this kind. */
void
ns_table_view_remember_columns (NsTableView *self)
{
  GSettings *settings = ns_settings_get ();
  GListModel *columns = gtk_column_view_get_columns (self->view);
  g_autoptr (GVariant) all = NULL;
  GVariantDict dict;
  GVariantBuilder builder;
  guint i;

  if (settings == NULL)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sib)"));
  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      int width;

      if (field == NULL)
        continue;
      width = get_width (column);
      g_variant_builder_add (&builder,
                             "(sib)",
                             field->id,
                             width > 0 ? width : field->width,
                             gtk_column_view_column_get_visible (column));
    }
  all = g_settings_get_value (settings, "columns");
  g_variant_dict_init (&dict, all);
  g_variant_dict_insert_value (&dict,
                               ns_table_get_name (self->table),
                               g_variant_builder_end (&builder));
  g_settings_set_value (settings, "columns", g_variant_dict_end (&dict));
}

/**
 * ns_table_view_list_columns:
 * @self: a view
 *
 * Returns: (transfer container) (element-type GtkColumnViewColumn): all its columns but the marks,
 *   in their order, shown or not
 */
GPtrArray *
ns_table_view_list_columns (NsTableView *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      GtkColumnViewColumn *column = g_list_model_get_item (columns, i);

      if (ns_table_view_get_field (column) != NULL)
        g_ptr_array_add (list, column);
      else
        g_object_unref (column);
    }
  return list;
}

/**
 * ns_table_view_list_fields:
 * @self: a view
 *
 * Returns: (transfer container) (element-type NsField): the fields shown, from left to right
 */
GPtrArray *
ns_table_view_list_fields (NsTableView *self)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (self);
  GPtrArray *fields = g_ptr_array_new ();
  guint i;

  for (i = 0; i < columns->len; i++)
    if (gtk_column_view_column_get_visible (g_ptr_array_index (columns, i)))
      g_ptr_array_add (fields, (gpointer) ns_table_view_get_field (g_ptr_array_index (columns, i)));
  return fields;
}
