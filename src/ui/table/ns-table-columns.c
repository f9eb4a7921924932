/* Columns of a table view: visibility, order, stored widths and titles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"
#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/table/ns-sort-mark.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-private.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>
#include <string.h>

#define MIN_COLUMN_PX 24
#define MAX_COLUMN_PX 2000
#define END_PX 26

/* Data attached to a column. */
typedef struct
{
  NsColumnKind kind;
  const NsField *field;
  gboolean is_wanted; /* enabled by the user; a grouping may still hide it */
} About;

static About *
get_about (GtkColumnViewColumn *column)
{
  return g_object_get_data (G_OBJECT (column), "ns-about");
}

/**
 * ns_table_view_get_field:
 * @column: a column of a table
 *
 * Returns: (nullable): the field it shows; %NULL for icons and for the columns of groups
 */
const NsField *
ns_table_view_get_field (GtkColumnViewColumn *column)
{
  return get_about (column)->field;
}

/* Returns what a column shows. */
NsColumnKind
ns_table_view_get_kind (GtkColumnViewColumn *column)
{
  return get_about (column)->kind;
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
 * Returns: (transfer full): the title of its column; when times are not relative to the trace, the
 *   name of the clock replaces the unit
 */
char *
ns_table_view_dup_title (NsTableView *self, const NsField *field)
{
  static const char *const clocks[NS_N_WALLS] = { NULL, N_ ("machine"), N_ ("UTC"), N_ ("here") };
  const char *title = ns_waterfall_get_title (field);
  const char *unit = strrchr (title, '(');
  NsWall wall = ns_session_get_wall (self->session);

  if (field->type != NS_TYPE_TIME || wall == NS_WALL_TRACE)
    return g_strdup (title);
  return g_strdup_printf ("%.*s(%s)",
                          (int) (unit != NULL ? (gsize) (unit - title) : strlen (title)),
                          title,
                          _ (clocks[wall]));
}

/* Returns the sort arrow for the default order: events by time; findings by severity, then by cost.
 * %NULL once the user has sorted the table. */
static const char *
get_natural_mark (NsTableView *self, const NsField *field)
{
  if (ns_session_get_order (self->session, self->table)->len > 0)
    return NULL;
  if (self->table == NS_TABLE_EVENTS && strcmp (field->id, "time_ns") == 0)
    return NS_SORT_MARK_UP;
  if (self->table == NS_TABLE_FINDINGS && strcmp (field->id, "severity") == 0)
    return NS_SORT_MARK_UP "₁";
  if (self->table == NS_TABLE_FINDINGS && strcmp (field->id, "cost_ns") == 0)
    return NS_SORT_MARK_DOWN "₂";
  return NULL;
}

/* Returns whether the column is too narrow for a title: it shows only icons. */
static gboolean
has_no_words (NsTableView *self, const NsField *field)
{
  return self->table == NS_TABLE_FINDINGS && strcmp (field->id, "severity") == 0;
}

static char *
dup_field_title (NsTableView *self, const NsField *field)
{
  static const char *const digits[] = { "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉" };
  const GArray *order = ns_session_get_order (self->session, self->table);
  guint key = find_key (order, field);
  const char *mark = get_natural_mark (self, field);
  g_autofree char *title =
      has_no_words (self, field) ? g_strdup ("") : ns_table_view_dup_title (self, field);

  if (mark != NULL)
    return g_strdup_printf ("%s%s%s", title, *title != '\0' ? " " : "", mark);
  if (key == G_MAXUINT)
    return g_steal_pointer (&title);
  return g_strdup_printf ("%s %s%s",
                          title,
                          g_array_index (order, NsOrderKey, key).descending ? NS_SORT_MARK_DOWN
                                                                            : NS_SORT_MARK_UP,
                          order->len > 1 ? digits[MIN (key, 8)] : "");
}

static char *
dup_group_title (const NsGrouping *grouping, NsColumnKind kind)
{
  GString *title = g_string_new (NULL);
  NsGroupOrder order;
  guint i;

  for (i = 0; kind == NS_COLUMN_GROUP && i < grouping->fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (grouping->fields, i);

      g_string_append_printf (title, "%s%s", i > 0 ? " › " : "", _ (field->title));
    }
  if (kind != NS_COLUMN_GROUP)
    g_string_append (title, ns_table_group_get_title (kind));
  if (ns_table_group_get_order (kind, NULL, &order) && order == grouping->order)
    g_string_append (title, grouping->descending ? " " NS_SORT_MARK_DOWN : " " NS_SORT_MARK_UP);
  return g_string_free (title, FALSE);
}

/* Paints the sort arrows in the accent colour. */
void
ns_table_view_tint_titles (NsTableView *self)
{
  ns_sort_mark_tint (GTK_COLUMN_VIEW (self->view));
}

/* Updates the titles, which include the sort arrow. */
void
ns_table_view_update_titles (NsTableView *self)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gboolean has_changed = FALSE;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const About *about = get_about (column);
      g_autofree char *title = NULL;

      if (about->kind == NS_COLUMN_END)
        continue;
      title = about->kind == NS_COLUMN_FIELD ? dup_field_title (self, about->field)
                                             : dup_group_title (grouping, about->kind);
      if (g_strcmp0 (gtk_column_view_column_get_title (column), title) == 0)
        continue;
      gtk_column_view_column_set_title (column, title);
      has_changed = TRUE;
    }
  /* The sort arrow makes a title wider. */
  if (has_changed)
    ns_table_view_queue_fit (self, FALSE);
  ns_table_view_tint_titles (self);
}

static void
update_cell (NsTableCell *cell, gpointer data)
{
  ns_table_cell_update (cell);
}

/* Updates the cells after the user has renamed something. */
void
ns_table_view_update_names (NsTableView *self)
{
  ns_table_view_for_each_cell (self, update_cell, NULL);
}

/* Updates the cells that depend on thread activity once that is read. */
void
ns_table_view_update_threads (NsTableView *self, NsTrace *trace)
{
  if (trace == ns_session_get_trace (self->session))
    ns_table_view_for_each_cell (self, update_cell, NULL);
}

/* Returns whether the group columns replace the column of @field: it is part of the grouping, or it
 * is the duration or the failure. */
static gboolean
is_shown_by_groups (const NsGrouping *grouping, const NsField *field)
{
  return g_ptr_array_find (grouping->fields, field, NULL) ||
         strcmp (field->id, "duration_ns") == 0 || strcmp (field->id, "failed") == 0;
}

static gboolean
is_shown (NsTableView *self, const About *about, gboolean is_hidden)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);
  gboolean has_groups = grouping->fields->len > 0;

  switch (about->kind)
    {
    case NS_COLUMN_FIELD:
      return about->is_wanted && !is_hidden &&
             !(has_groups && is_shown_by_groups (grouping, about->field));
    case NS_COLUMN_END:
      return !has_groups;
    case NS_COLUMN_PHASES:
      return has_groups && self->table == NS_TABLE_ACTIVITIES;
    case NS_COLUMN_FAILED:
      return has_groups && ns_table_find_field (self->table, "failed") != NULL;
    case NS_COLUMN_TOTAL:
    case NS_COLUMN_MEDIAN:
    case NS_COLUMN_P95:
    case NS_COLUMN_LONGEST:
      return has_groups && ns_table_find_field (self->table, "duration_ns") != NULL;
    case NS_COLUMN_GROUP:
    case NS_COLUMN_COUNT:
    case NS_N_COLUMN_KINDS:
    default:
      return has_groups;
    }
}

/* Returns whether a column is shown when the view is wide enough. */
gboolean
ns_table_view_wants_column (NsTableView *self, GtkColumnViewColumn *column)
{
  return is_shown (self, get_about (column), FALSE);
}

/* Shows the group columns in a grouped table and the columns chosen by the user otherwise. */
void
ns_table_view_update_columns (NsTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_visible (column,
                                          is_shown (self,
                                                    get_about (column),
                                                    ns_table_view_has_no_room (column)));
    }
  ns_table_view_update_titles (self);
  ns_table_view_prepare_titles (self);
}

/* Updates titles, cells and widths after a change of the clock: times of day are wider. */
void
ns_table_view_update_clock (NsTableView *self)
{
  ns_table_view_queue_fit (self, TRUE);
  ns_table_view_for_each_cell (self, update_cell, NULL);
  ns_table_view_update_titles (self);
}

static GtkColumnViewColumn *
find_field_column (NsTableView *self, const char *id)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);

      if (field != NULL && strcmp (field->id, id) == 0)
        return column; /* owned by the view */
    }
  return NULL;
}

/* Omits the server from URLs while the server column is visible. */
static void
update_urls (NsTableView *self)
{
  const NsField *field = ns_table_cell_get_server (self->table);
  GtkColumnViewColumn *server = field != NULL ? find_field_column (self, field->id) : NULL;
  GtkColumnViewColumn *url = find_field_column (self, "url");

  if (server == NULL || url == NULL)
    return;
  ns_table_cell_factory_set_short (gtk_column_view_column_get_factory (url),
                                   gtk_column_view_column_get_visible (server));
  ns_table_view_for_each_cell (self, update_cell, NULL);
}

static void
add_column (NsTableView *self,
            NsColumnKind kind,
            const NsField *field,
            gboolean is_wanted,
            int width)
{
  GtkListItemFactory *factory = ns_table_cell_factory_new (self->session, self->table, kind, field);
  GtkColumnViewColumn *column =
      gtk_column_view_column_new (field != NULL ? _ (field->title) : "", factory);
  About *about = g_new0 (About, 1);

  about->kind = kind;
  about->field = field;
  about->is_wanted = is_wanted;
  g_object_set_data_full (G_OBJECT (column), "ns-about", about, g_free);
  gtk_column_view_column_set_resizable (column, kind != NS_COLUMN_END);
  gtk_column_view_column_set_fixed_width (column, MAX (width, MIN_COLUMN_PX));
  gtk_column_view_column_set_visible (column, is_shown (self, about, FALSE));
  if (!gtk_column_view_column_get_visible (column))
    ns_table_view_column_visible_cb (column);
  g_signal_connect (column, "notify::visible", G_CALLBACK (ns_table_view_column_visible_cb), NULL);
  if (field != NULL && field == ns_table_cell_get_server (self->table))
    g_signal_connect_swapped (column, "notify::visible", G_CALLBACK (update_urls), self);
  gtk_column_view_column_set_expand (column, ns_table_view_is_wide (field));
  gtk_column_view_append_column (self->view, column);
  g_object_unref (column);
}

/* Returns the default position of a finding column, from 1; 0 for columns hidden by default. */
static int
get_finding_place (const NsField *field)
{
  static const char *const ids[] = { "severity", "text", "cost_ns", "count", "title" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    if (ns_table_find_field (NS_TABLE_FINDINGS, ids[i]) == field)
      return (int) i + 1;
  return 0;
}

static gboolean
is_of_findings (const NsField *field)
{
  guint n_fields;
  const NsField *all = ns_table_get_fields (NS_TABLE_FINDINGS, &n_fields);

  return field >= all && field < all + n_fields;
}

/* Returns the default position of a column: the waterfall follows the shown columns and precedes
 * the hidden ones. */
static int
get_place (const NsField *field)
{
  if (is_of_findings (field))
    return get_finding_place (field) != 0 ? get_finding_place (field) : 1000;
  if (field->place != 0)
    return field->place;
  return ns_waterfall_is_field (NS_TABLE_ACTIVITIES, field) ? 999 : 1000;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const NsField *field_a = *(const NsField *const *) a;
  const NsField *field_b = *(const NsField *const *) b;
  int place_a = get_place (field_a);
  int place_b = get_place (field_b);

  if (place_a != place_b)
    return place_a - place_b;
  return field_a < field_b ? -1 : field_a > field_b;
}

/* Returns whether the field is the input file of a row and the trace has several input files. */
static gboolean
is_of_case (NsTableView *self, const NsField *field)
{
  const NsEtlFile *file = ns_session_get_trace (self->session)->file;

  return strcmp (field->id, "input") == 0 && file != NULL && ns_etl_file_get_n_inputs (file) > 1;
}

/* Returns whether the column of @field is shown by default. */
static gboolean
is_ours (NsTableView *self, const NsField *field)
{
  if (self->table == NS_TABLE_FINDINGS)
    return get_finding_place (field) != 0;
  if (is_of_case (self, field))
    return TRUE;
  return field->is_shown || ns_waterfall_is_field (self->table, field);
}

/* Returns the stored columns of this table: (field id, width, shown), in order. */
static GVariant *
dup_remembered (NsTableView *self)
{
  GSettings *settings = ns_settings_get ();
  g_autoptr (GVariant) all = settings != NULL ? g_settings_get_value (settings, "columns") : NULL;

  if (all == NULL)
    return NULL;
  return g_variant_lookup_value (all, ns_table_get_name (self->table), G_VARIANT_TYPE ("a(sib)"));
}

static void
add_group_columns (NsTableView *self, double scale)
{
  /* Width for “≥ 12,345.678” in bold, in pixels. */
  static const int widths[NS_N_COLUMN_KINDS] = {
    [NS_COLUMN_GROUP] = 288,  [NS_COLUMN_COUNT] = 66,    [NS_COLUMN_FAILED] = 66,
    [NS_COLUMN_PHASES] = 168, [NS_COLUMN_TOTAL] = 126,   [NS_COLUMN_MEDIAN] = 102,
    [NS_COLUMN_P95] = 114,    [NS_COLUMN_LONGEST] = 114,
  };
  guint kind;

  for (kind = NS_COLUMN_GROUP; kind < NS_N_COLUMN_KINDS; kind++)
    add_column (self, (NsColumnKind) kind, NULL, TRUE, (int) (widths[kind] * scale));
}

/* Adds all columns in the stored order and width, or in the default ones. */
void
ns_table_view_add_columns (NsTableView *self)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GVariant) remembered = dup_remembered (self);
  guint n_fields;
  const NsField *all = ns_table_get_fields (self->table, &n_fields);
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint i;

  if (ns_session_table_has_failures (self->table))
    add_column (self, NS_COLUMN_END, NULL, TRUE, (int) (END_PX * ns_theme_get_scale ()));
  add_group_columns (self, scale);
  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (fields, (gpointer) &all[i]);
  if (remembered != NULL)
    {
      GVariantIter iter;
      const char *id;
      int width;
      gboolean is_wanted;

      g_variant_iter_init (&iter, remembered);
      while (g_variant_iter_next (&iter, "(&sib)", &id, &width, &is_wanted))
        {
          const NsField *field = ns_table_find_field (self->table, id);

          if (field != NULL && g_ptr_array_remove (fields, (gpointer) field))
            add_column (self,
                        NS_COLUMN_FIELD,
                        field,
                        is_wanted,
                        CLAMP (width, MIN_COLUMN_PX, MAX_COLUMN_PX));
        }
    }
  g_ptr_array_sort (fields, compare_places);
  for (i = 0; i < fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);

      add_column (self,
                  NS_COLUMN_FIELD,
                  field,
                  is_ours (self, field) && remembered == NULL,
                  ns_table_view_get_field_width (field, scale));
    }
  update_urls (self);
}

/* Lists the default columns in the format in which columns are stored. */
static GVariant *
list_ours (NsTableView *self)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint n_fields;
  const NsField *all = ns_table_get_fields (self->table, &n_fields);
  GVariantBuilder builder;
  guint i;

  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (fields, (gpointer) &all[i]);
  g_ptr_array_sort (fields, compare_places);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sib)"));
  for (i = 0; i < n_fields; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);

      g_variant_builder_add (&builder,
                             "(sib)",
                             field->id,
                             MAX (ns_table_view_get_field_width (field, scale), MIN_COLUMN_PX),
                             is_ours (self, field));
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static GVariant *
list_now (NsTableView *self)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (self);
  GVariantBuilder builder;
  guint i;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sib)"));
  for (i = 0; i < columns->len; i++)
    {
      GtkColumnViewColumn *column = g_ptr_array_index (columns, i);
      const About *about = get_about (column);

      g_variant_builder_add (&builder,
                             "(sib)",
                             about->field->id,
                             ns_table_view_get_own_width (column),
                             about->is_wanted);
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/* Stores order, width and visibility for all tables of this kind; removes the entry if they are the
 * default. */
void
ns_table_view_remember_columns (NsTableView *self)
{
  GSettings *settings = ns_settings_get ();
  const char *name = ns_table_get_name (self->table);
  g_autoptr (GVariant) all = NULL;
  g_autoptr (GVariant) now = NULL;
  g_autoptr (GVariant) ours = NULL;
  GVariantDict dict;

  if (settings == NULL || self->has_pushed_columns)
    return;
  now = list_now (self);
  ours = list_ours (self);
  all = g_settings_get_value (settings, "columns");
  g_variant_dict_init (&dict, all);
  if (g_variant_equal (now, ours))
    g_variant_dict_remove (&dict, name);
  else
    g_variant_dict_insert_value (&dict, name, now);
  g_settings_set_value (settings, "columns", g_variant_dict_end (&dict));
}

/* Applies a list of columns; @columns: a(sib): field id, width (0: default) and whether it is
 * shown, in order. Columns not in the list follow, hidden. */
static void
arrange_columns (NsTableView *self, GVariant *columns)
{
  g_autoptr (GPtrArray) list = ns_table_view_list_columns (self);
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  guint insert_at = g_list_model_get_n_items (gtk_column_view_get_columns (self->view)) - list->len;
  GVariantIter iter;
  const char *id;
  int width;
  gboolean is_wanted;
  guint i;

  for (i = 0; i < list->len; i++)
    {
      g_object_set_data (g_ptr_array_index (list, i), "ns-asked", NULL);
      g_object_set_data (g_ptr_array_index (list, i), "ns-given", NULL);
      get_about (g_ptr_array_index (list, i))->is_wanted = FALSE;
    }
  g_variant_iter_init (&iter, columns);
  while (g_variant_iter_next (&iter, "(&sib)", &id, &width, &is_wanted))
    {
      GtkColumnViewColumn *column = find_field_column (self, id);

      if (column == NULL)
        continue;
      if (width == 0)
        width = ns_table_view_get_field_width (ns_table_view_get_field (column), scale);
      get_about (column)->is_wanted = is_wanted;
      ns_table_view_set_column_width (column, CLAMP (width, MIN_COLUMN_PX, MAX_COLUMN_PX));
      gtk_column_view_insert_column (self->view, insert_at++, column);
    }
  ns_table_view_update_columns (self);
  ns_table_view_update_clock (self);
}

/**
 * ns_table_view_push_columns:
 * @self: a view
 * @columns: `a(sib)`: field id, width (0: default) and whether it is shown, in order
 *
 * Shows other columns until ns_table_view_pop_columns() is called. They are not stored.
 */
void
ns_table_view_push_columns (NsTableView *self, GVariant *columns)
{
  self->has_pushed_columns = TRUE;
  arrange_columns (self, columns);
}

/**
 * ns_table_view_pop_columns:
 * @self: a view
 *
 * Restores the user's columns after ns_table_view_push_columns().
 */
void
ns_table_view_pop_columns (NsTableView *self)
{
  g_autoptr (GVariant) remembered = dup_remembered (self);
  g_autoptr (GVariant) ours = list_ours (self);

  if (self->has_pushed_columns)
    arrange_columns (self, remembered != NULL ? remembered : ours);
  self->has_pushed_columns = FALSE;
}

/**
 * ns_table_view_reset_columns:
 * @self: a view
 *
 * Restores the default columns and removes the stored ones.
 */
void
ns_table_view_reset_columns (NsTableView *self)
{
  g_autoptr (GVariant) ours = list_ours (self);

  self->has_pushed_columns = FALSE;
  arrange_columns (self, ours);
  ns_table_view_remember_columns (self);
}

/**
 * ns_table_view_is_column_shown:
 * @column: a column of a field
 *
 * Returns: whether the column is enabled
 */
gboolean
ns_table_view_is_column_shown (GtkColumnViewColumn *column)
{
  return get_about (column)->is_wanted;
}

/**
 * ns_table_view_show_column:
 * @self: a view
 * @column: one of its columns, of a field
 * @is_wanted: whether to show it
 */
void
ns_table_view_show_column (NsTableView *self, GtkColumnViewColumn *column, gboolean is_wanted)
{
  get_about (column)->is_wanted = is_wanted;
  /* A column enabled by the user is never hidden for lack of space. */
  g_object_set_data (G_OBJECT (column), "ns-asked", GINT_TO_POINTER (is_wanted));
  g_object_set_data (G_OBJECT (column), "ns-spared", NULL);
  ns_table_view_update_columns (self);
  ns_table_view_queue_fit (self, FALSE);
  ns_table_view_remember_columns (self);
}

static guint
find_column (GListModel *columns, GtkColumnViewColumn *wanted)
{
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (column == wanted)
        return i;
    }
  return G_MAXUINT;
}

/* Moves a column to @position among all columns, visible or not. */
static void
place_column (NsTableView *self, GtkColumnViewColumn *column, guint position)
{
  gtk_column_view_insert_column (self->view, position, column);
  ns_table_view_remember_columns (self);
  ns_table_view_prepare_titles (self);
}

/**
 * ns_table_view_move_column:
 * @self: a view
 * @column: one of its columns, of a field
 * @by: 1 towards the end, −1 towards the start; hidden columns are skipped
 */
void
ns_table_view_move_column (NsTableView *self, GtkColumnViewColumn *column, int by)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint n_columns = g_list_model_get_n_items (columns);
  guint from = find_column (columns, column);
  guint to = from;

  while (from < n_columns)
    {
      g_autoptr (GtkColumnViewColumn) other = NULL;

      to += (guint) by;
      if (to >= n_columns)
        return;
      other = g_list_model_get_item (columns, to);
      if (ns_table_view_get_kind (other) != NS_COLUMN_FIELD)
        return;
      if (gtk_column_view_column_get_visible (other))
        break;
    }
  place_column (self, column, to);
}

/**
 * ns_table_view_widen_column:
 * @self: a view
 * @column: one of its columns
 * @by: change of the width, in pixels
 */
void
ns_table_view_widen_column (NsTableView *self, GtkColumnViewColumn *column, int by)
{
  ns_table_view_set_column_width (column,
                                  CLAMP (ns_table_view_get_column_width (column) + by,
                                         MIN_COLUMN_PX,
                                         MAX_COLUMN_PX));
  ns_table_view_remember_columns (self);
}

/**
 * ns_table_view_list_columns:
 * @self: a view
 *
 * Returns: (transfer container) (element-type GtkColumnViewColumn): the columns of its fields, in
 *   order, visible or not
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
 * Returns: (transfer container) (element-type NsField): the fields of the enabled columns, in
 *   order, without the waterfall, which has no text
 */
GPtrArray *
ns_table_view_list_fields (NsTableView *self)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (self);
  GPtrArray *fields = g_ptr_array_new ();
  guint i;

  for (i = 0; i < columns->len; i++)
    if (ns_table_view_is_column_shown (g_ptr_array_index (columns, i)) &&
        !ns_waterfall_is_field (self->table,
                                ns_table_view_get_field (g_ptr_array_index (columns, i))))
      g_ptr_array_add (fields, (gpointer) ns_table_view_get_field (g_ptr_array_index (columns, i)));
  return fields;
}
