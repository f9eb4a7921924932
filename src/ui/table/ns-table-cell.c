/* Table cell widget: one field of a row, or one total of a group, on one line.
 *
 * GTK creates about 200 row widgets for a list, whatever its height. A cell therefore reads and
 * lays out its text when it is first drawn, and cells out of view are not drawn. This way, sorting
 * a million rows costs only as much as updating the visible rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"
#include "model/ns-finder.h"
#include "model/ns-session-moment.h"
#include "ui/ns-accessible.h"
#include "ui/ns-severity-icon.h"
#include "ui/ns-theme.h"
#include "ui/table/ns-result-icon.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>
#include <string.h>

/* Font size of monospace text, relative to the other cells. */
#define CODE_SCALE 0.9
#define INDENT_PX 15
/* Padding of GTK's cell around this widget, as in the style sheet. */
#define PADDING_PX 6
#define GROUND_ALPHA 0.035f
#define MARK_PX 14
#define GAP_PX 6
#define STRIPE_PX 4

/* State shared by the cells of a column. */
typedef struct
{
  NsSession *session;
  NsTableId table;
  NsColumnKind kind;
  const NsField *field; /* for NS_COLUMN_FIELD */
  char *found;          /* the search text */
  gboolean is_short;    /* URLs are shown without the server, which has its own column */
  guint font_hash;      /* hash of the font that was measured */
  int line_px;          /* line height; 0: not measured yet */
} Column;

struct _NsTableCell
{
  GtkWidget parent_instance;

  Column *column;      /* borrowed from the factory, which the view owns */
  GtkListItem *item;   /* borrowed; it owns the cell */
  PangoLayout *layout; /* NULL until the text is read */
  gboolean is_found;
  gboolean is_skipped; /* was out of view when GTK drew it */
};

G_DEFINE_FINAL_TYPE (NsTableCell, ns_table_cell, GTK_TYPE_WIDGET)

/* Scales a design length to the font size of the desktop. */
static int
px (guint measure)
{
  return (int) round (measure * ns_theme_get_scale ());
}

static NsRowItem *
get_item (NsTableCell *self)
{
  return self->item != NULL ? gtk_list_item_get_item (self->item) : NULL;
}

/**
 * ns_table_cell_get_row:
 * @self: a cell
 *
 * Returns: the row it shows, 0-based in its table; %NS_ROW_NOT_A_ROW if it shows a group
 */
guint32
ns_table_cell_get_row (NsTableCell *self)
{
  NsRowItem *item = get_item (self);

  return item != NULL ? ns_row_item_get_row (item) : NS_ROW_NOT_A_ROW;
}

/**
 * ns_table_cell_get_group:
 * @self: a cell
 *
 * Returns: (nullable): the group it shows
 */
const NsGroup *
ns_table_cell_get_group (NsTableCell *self)
{
  NsRowItem *item = get_item (self);

  return item != NULL ? ns_row_item_get_group (item) : NULL;
}

/**
 * ns_table_cell_is_right:
 * @kind: what a column shows
 * @field: (nullable): the field, if it shows one
 *
 * Returns: whether its cells and its title are right-aligned
 */
gboolean
ns_table_cell_is_right (NsColumnKind kind, const NsField *field)
{
  if (kind == NS_COLUMN_FIELD)
    return field != NULL && ns_table_cell_is_numeric (field);
  return kind >= NS_COLUMN_COUNT && kind != NS_COLUMN_PHASES;
}

static gboolean
is_right (const Column *column)
{
  return ns_table_cell_is_right (column->kind, column->field);
}

static GString *
read_text (NsTableCell *self)
{
  const Column *column = self->column;
  const NsGroup *group = ns_table_cell_get_group (self);
  guint32 row = ns_table_cell_get_row (self);
  GString *text = g_string_sized_new (32);

  if (group != NULL)
    ns_table_group_append_cell (column->session,
                                column->table,
                                column->kind,
                                column->field,
                                group,
                                text);
  else if (row == NS_ROW_NOT_A_ROW)
    return text;
  else if (ns_waterfall_is_field (column->table, column->field))
    return text; /* painted as a bar */
  else if (column->kind == NS_COLUMN_FIELD)
    {
      const char *unknown =
          ns_field_get_unknown (ns_session_get_trace (column->session), column->field);

      ns_table_cell_append_text (column->session, column->table, column->field, row, text);
      if (column->is_short)
        ns_table_cell_cut_server (column->session, column->table, row, text);
      if (text->len == 0 && unknown != NULL)
        g_string_append (text, _ (unknown));
    }
  else
    ns_table_group_append_row (column->session, column->table, column->kind, row, text);
  ns_table_cell_keep_one_line (text);
  return text;
}

static char *
dup_sentence (NsTableCell *self)
{
  const NsGroup *group = ns_table_cell_get_group (self);
  guint32 row = ns_table_cell_get_row (self);

  if (group != NULL)
    return ns_table_group_dup_sentence (self->column->session, self->column->table, group);
  if (row == NS_ROW_NOT_A_ROW)
    return NULL;
  if (!ns_session_has_ended (self->column->session, self->column->table, row))
    return g_strdup (_ ("It is still in progress at this playback position."));
  return ns_sentence_new (ns_session_get_trace (self->column->session), self->column->table, row);
}

/* Sets the accessible name: the row as a sentence in its first cell, else title and value. */
static void
speak (NsTableCell *self, const char *text)
{
  const Column *column = self->column;
  GtkWidget *cell_widget = gtk_widget_get_parent (GTK_WIDGET (self));
  const char *title =
      column->field != NULL ? _ (column->field->title) : ns_table_group_get_title (column->kind);
  g_autofree char *sentence = NULL;
  g_autofree char *spoken = NULL;

  if (cell_widget != NULL && gtk_widget_get_prev_sibling (cell_widget) == NULL)
    sentence = dup_sentence (self);

  /* Translators: a cell of a table as screen readers announce it: its title and its value. */
  if (title != NULL)
    spoken = g_strdup_printf (_ ("%s: %s"), title, text);
  ns_accessible_set_cell_name (GTK_WIDGET (self),
                               spoken != NULL ? spoken : text,
                               sentence != NULL ? sentence : text);
}

/* Returns whether the cell is bold: names of outermost groups, and all cells of the total. */
static gboolean
is_strong (NsTableCell *self)
{
  const NsGroup *group = ns_table_cell_get_group (self);

  return group != NULL && group->depth == 0 &&
         (self->column->kind == NS_COLUMN_GROUP ||
          ns_table_group_is_total (self->column->session, self->column->table, group));
}

/* Returns whether the cell shows structured event data, which is set in monospace. */
static gboolean
is_code (NsTableCell *self)
{
  const NsField *field = self->column->field;

  return field != NULL && (strcmp (field->id, "details") == 0 || field->type == NS_TYPE_OBJECT);
}

static void
ensure_layout (NsTableCell *self)
{
  g_autoptr (GString) text = NULL;
  PangoAttrList *attributes;

  if (self->layout != NULL)
    return;
  text = read_text (self);
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text->str);
  pango_layout_set_ellipsize (self->layout,
                              ns_table_cell_get_ellipsis (self->column->field, text->str));
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (is_strong (self))
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  if (is_code (self))
    {
      pango_attr_list_insert (attributes, pango_attr_family_new ("monospace"));
      pango_attr_list_insert (attributes, pango_attr_scale_new (CODE_SCALE));
    }
  pango_layout_set_attributes (self->layout, attributes);
  pango_attr_list_unref (attributes);
  self->is_found = self->column->found != NULL && *self->column->found != '\0' && text->len > 0 &&
                   ns_finder_is_in (text->str, self->column->found);
  speak (self, text->str);
}

/* Returns whether the row of the cell is inside the visible part of the list. */
static gboolean
is_in_view (NsTableCell *self)
{
  GtkWidget *cell_widget = gtk_widget_get_parent (GTK_WIDGET (self));
  GtkWidget *row = cell_widget != NULL ? gtk_widget_get_parent (cell_widget) : NULL;
  GtkWidget *list = row != NULL ? gtk_widget_get_parent (row) : NULL;
  double x;
  double y;

  if (list == NULL || !gtk_widget_translate_coordinates (row, list, 0, 0, &x, &y))
    return TRUE;
  return y < gtk_widget_get_height (list) && y + gtk_widget_get_height (row) > 0;
}

/* Paints the phases as a bar over the whole cell, for a row or for the totals of a group. */
static void
paint_phases (NsTableCell *self, GtkSnapshot *snapshot)
{
  const NsTrace *trace = ns_session_get_trace (self->column->session);
  const NsGroup *group = ns_table_cell_get_group (self);
  const NsActivityRow *one =
      ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, ns_table_cell_get_row (self) + 1);
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  NsActivityRow shown = { 0 };
  NsTimelineMetrics metrics;
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  if (group != NULL)
    ns_sums_to_activity (&group->sums, &shown);
  else if (one != NULL)
    shown = *one;
  if (shown.close_ns <= shown.open_ns)
    return;
  ns_theme_look_read (&look, GTK_WIDGET (self));
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  ns_timeline_metrics_init (&metrics, paint.scale);
  ns_timeline_paint_phases (&paint, &metrics, &shown, trace->end_ns, 0, width, height / 2);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static gboolean
is_mirrored (NsTableCell *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* Returns whether the cell is marked with the colour of its process. */
static gboolean
has_process_color (const Column *column)
{
  return (column->table == NS_TABLE_EVENTS || column->table == NS_TABLE_CHROMIUM_EVENTS) &&
         column->field != NULL &&
         (strcmp (column->field->id, "process") == 0 ||
          strcmp (column->field->id, "process_pid") == 0);
}

static void
paint_process (NsTableCell *self, GtkSnapshot *snapshot, const char *name)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  float height = (float) gtk_widget_get_height (GTK_WIDGET (self));
  GdkRGBA color;

  if (gtk_style_context_lookup_color (context,
                                      ns_color_role_get_name (ns_palette_get_process_role (name)),
                                      &color))
    gtk_snapshot_append_color (
        snapshot,
        &color,
        &GRAPHENE_RECT_INIT (
            (float) (is_mirrored (self) ? gtk_widget_get_width (GTK_WIDGET (self)) - STRIPE_PX : 0),
            2,
            STRIPE_PX,
            height - 4));
}

/* Returns whether the column shows the severity as an icon, with its word as a tooltip. */
static gboolean
is_severity (const Column *column)
{
  return column->table == NS_TABLE_FINDINGS && column->field != NULL &&
         strcmp (column->field->id, "severity") == 0;
}

/* Returns whether the row reserves space for the protocol icon: rows and nested groups do. */
static gboolean
has_mark_place (NsTableCell *self, const NsGroup *group)
{
  return self->column->table == NS_TABLE_ACTIVITIES && (group == NULL || group->depth > 0);
}

/* Returns the left inset of the text: indentation, expander, icon and colour stripe. */
static double
get_left (NsTableCell *self)
{
  const Column *column = self->column;
  const NsGroup *group = ns_table_cell_get_group (self);

  if (column->kind == NS_COLUMN_GROUP)
    {
      const NsGrouping *grouping = ns_session_get_grouping (column->session, column->table);
      guint depth = group != NULL ? group->depth : grouping->fields->len;

      return px (depth * INDENT_PX + (has_mark_place (self, group) ? 2 : 1) * (MARK_PX + GAP_PX));
    }
  if (column->table == NS_TABLE_ACTIVITIES && column->field != NULL &&
      strcmp (column->field->id, "protocol") == 0)
    return px (MARK_PX + GAP_PX);
  return has_process_color (column) && group == NULL ? STRIPE_PX + GAP_PX : 0;
}

/* Mirrors the left edge of an icon in right-to-left layouts. */
static double
mirror (NsTableCell *self, double x)
{
  return is_mirrored (self) ? gtk_widget_get_width (GTK_WIDGET (self)) - px (MARK_PX) - x : x;
}

static void
paint_icon (NsTableCell *self,
            GtkSnapshot *snapshot,
            NsMarkKind kind,
            const NsActivityRow *activity,
            double x)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  double left = mirror (self, x);

  ns_result_icon_paint (GTK_WIDGET (self), snapshot, kind, activity, left, px (MARK_PX), height);
}

static void
paint_before_text (NsTableCell *self, GtkSnapshot *snapshot, double left)
{
  const Column *column = self->column;
  const NsGroup *group = ns_table_cell_get_group (self);
  guint32 row = ns_table_cell_get_row (self);
  const NsActivityRow *activity =
      ns_trace_get_row (ns_session_get_trace (column->session), NS_TABLE_ACTIVITIES, row + 1);
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  if (group != NULL)
    {
      if (column->kind != NS_COLUMN_GROUP ||
          ns_table_group_is_total (column->session, column->table, group))
        return;
      if (has_mark_place (self, group))
        left -= px (MARK_PX + GAP_PX);
      /* Groups with several protocols have no common icon. */
      if (has_mark_place (self, group) && group->sums.protocol != 0)
        {
          NsActivityRow shown = { 0 };

          ns_sums_to_activity (&group->sums, &shown);
          paint_icon (self, snapshot, NS_RESULT_ICON_PROTOCOL, &shown, left);
        }
      ns_result_icon_paint_arrow (GTK_WIDGET (self),
                                  snapshot,
                                  mirror (self, left - px (MARK_PX + GAP_PX)),
                                  px (MARK_PX),
                                  height,
                                  group->is_open);
      return;
    }
  if (is_severity (column))
    ns_severity_icon_paint (GTK_WIDGET (self),
                            snapshot,
                            ns_severity_icon_get_mark (
                                ns_session_get_finding (column->session, row)),
                            mirror (self, 0),
                            px (MARK_PX),
                            height);
  if (has_process_color (column) && *pango_layout_get_text (self->layout) != '\0')
    paint_process (self, snapshot, pango_layout_get_text (self->layout));
  if (column->kind == NS_COLUMN_END && column->table != NS_TABLE_ACTIVITIES &&
      ns_session_has_failed (column->session, column->table, row))
    paint_icon (self, snapshot, NS_RESULT_ICON_END, &(NsActivityRow){ .failed = TRUE }, 0);
  if (column->table != NS_TABLE_ACTIVITIES || activity == NULL)
    return;
  if (column->kind == NS_COLUMN_END ? ns_session_has_ended (column->session, column->table, row)
                                    : left > 0)
    paint_icon (self,
                snapshot,
                column->kind == NS_COLUMN_END ? NS_RESULT_ICON_END : NS_RESULT_ICON_PROTOCOL,
                activity,
                MAX (left - px (MARK_PX + GAP_PX), 0));
}

/* Returns the alignment of the text. In right-to-left layouts Pango swaps it for lines without
 * left-to-right letters, such as addresses. */
static PangoAlignment
get_alignment (NsTableCell *self)
{
  PangoLayoutLine *line = pango_layout_get_line_readonly (self->layout, 0);

  if (is_right (self->column))
    return PANGO_ALIGN_RIGHT;
  if (!is_mirrored (self) || line == NULL || line->resolved_dir == PANGO_DIRECTION_LTR)
    return PANGO_ALIGN_LEFT;
  return PANGO_ALIGN_RIGHT;
}

static void
paint_text (NsTableCell *self, GtkSnapshot *snapshot, double left)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  double room = MAX (gtk_widget_get_width (GTK_WIDGET (self)) - left, 0);
  GdkRGBA color;
  int width;
  int height;

  pango_layout_set_width (self->layout, (int) (room * PANGO_SCALE));
  pango_layout_set_alignment (self->layout, get_alignment (self));
  pango_layout_get_pixel_size (self->layout, &width, &height);
  gtk_style_context_get_color (context, &color);
  if (self->column->kind == NS_COLUMN_FAILED &&
      !g_ascii_isdigit (*pango_layout_get_text (self->layout)))
    gtk_style_context_lookup_color (context, "ns_failure", &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot,
      &GRAPHENE_POINT_INIT ((float) (is_mirrored (self) ? 0 : left),
                            (float) ((gtk_widget_get_height (GTK_WIDGET (self)) - height) / 2)));
  gtk_snapshot_append_layout (snapshot, self->layout, &color);
  gtk_snapshot_restore (snapshot);
}

/* Paints the background of a group row over the padding of GTK's cell, so that cells join. The
 * translucent text colour turns `base` into `base-alt`, also on a selected row. */
static void
paint_ground (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  color.alpha = GROUND_ALPHA;
  gtk_snapshot_append_color (snapshot,
                             &color,
                             &GRAPHENE_RECT_INIT (-PADDING_PX,
                                                  0,
                                                  (float) gtk_widget_get_width (widget) +
                                                      2 * PADDING_PX,
                                                  (float) gtk_widget_get_height (widget)));
}

static void
ns_table_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsTableCell *self = NS_TABLE_CELL (widget);
  double left;
  GdkRGBA color;

  self->is_skipped = !is_in_view (self);
  if (self->is_skipped || self->item == NULL)
    return;
  ensure_layout (self);
  if (ns_table_cell_get_group (self) != NULL && ns_table_cell_get_group (self)->depth == 0)
    paint_ground (widget, snapshot);
  if (self->column->kind == NS_COLUMN_PHASES)
    {
      paint_phases (self, snapshot);
      return;
    }
  if (ns_waterfall_is_field (self->column->table, self->column->field))
    {
      ns_waterfall_paint_cell (widget,
                               snapshot,
                               self->column->session,
                               ns_table_cell_get_row (self),
                               ns_table_cell_get_group (self));
      return;
    }
  left = get_left (self);
  if (self->is_found &&
      gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "ns_find", &color))
    gtk_snapshot_append_color (snapshot,
                               &color,
                               &GRAPHENE_RECT_INIT (0,
                                                    0,
                                                    (float) gtk_widget_get_width (widget),
                                                    (float) gtk_widget_get_height (widget)));
  paint_before_text (self, snapshot, left);
  if (!is_severity (self->column) || ns_table_cell_get_group (self) != NULL)
    paint_text (self, snapshot, left);
}

/* Requests the line height of the font; the width is set by the column. */
static void
ns_table_cell_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  Column *column = NS_TABLE_CELL (widget)->column;
  int size = px (MARK_PX);

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      if (column->line_px == 0)
        {
          PangoFontMetrics *metrics =
              pango_context_get_metrics (gtk_widget_get_pango_context (widget), NULL, NULL);

          column->line_px = PANGO_PIXELS_CEIL (pango_font_metrics_get_height (metrics));
          pango_font_metrics_unref (metrics);
        }
      size = column->line_px;
    }
  *minimum = size;
  *natural = size;
}

static void
ns_table_cell_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  NsTableCell *self = NS_TABLE_CELL (widget);
  const PangoFontDescription *font;

  GTK_WIDGET_CLASS (ns_table_cell_parent_class)->css_changed (widget, change);
  font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  /* Selecting a row changes its style, but not its font. */
  if (self->column != NULL && self->column->font_hash != pango_font_description_hash (font))
    {
      self->column->font_hash = pango_font_description_hash (font);
      self->column->line_px = 0;
    }
  g_clear_object (&self->layout);
  gtk_widget_queue_draw (widget);
}

static void
ns_table_cell_dispose (GObject *object)
{
  g_clear_object (&NS_TABLE_CELL (object)->layout);
  G_OBJECT_CLASS (ns_table_cell_parent_class)->dispose (object);
}

static void
ns_table_cell_class_init (NsTableCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_table_cell_dispose;
  widget_class->snapshot = ns_table_cell_snapshot;
  widget_class->measure = ns_table_cell_measure;
  widget_class->css_changed = ns_table_cell_css_changed;
}

static void
ns_table_cell_init (NsTableCell *self)
{
}

/**
 * ns_table_cell_update:
 * @self: a cell
 *
 * Discards the layout after a change of the data; the text is read again when the cell is drawn.
 */
void
ns_table_cell_update (NsTableCell *self)
{
  g_clear_object (&self->layout);
  if (is_in_view (self))
    gtk_widget_queue_draw (GTK_WIDGET (self));
  else
    self->is_skipped = TRUE;
}

/**
 * ns_table_cell_come_into_view:
 * @self: a cell that is now visible
 *
 * Draws the cell if it was skipped because it was out of view.
 */
void
ns_table_cell_come_into_view (NsTableCell *self)
{
  if (self->is_skipped)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  NsTableCell *cell = g_object_new (NS_TYPE_TABLE_CELL, NULL);

  cell->column = column;
  cell->item = item;
  /* Digit groups would be reordered in a right-to-left cell. */
  if (is_right (column))
    gtk_widget_set_direction (GTK_WIDGET (cell), GTK_TEXT_DIR_LTR);
  /* In GTK 4.8 the cell would handle clicks as well as the row: with Ctrl, both toggle the row. */
  gtk_list_item_set_selectable (item, FALSE);
  gtk_list_item_set_child (item, GTK_WIDGET (cell));
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  ns_table_cell_update (NS_TABLE_CELL (gtk_list_item_get_child (item)));
}

/* Clears the pointer to the list item: the cell may outlive it briefly. */
static void
teardown_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  if (gtk_list_item_get_child (item) != NULL)
    NS_TABLE_CELL (gtk_list_item_get_child (item))->item = NULL;
}

static void
column_free (gpointer data)
{
  Column *column = data;

  g_object_unref (column->session);
  g_free (column->found);
  g_free (column);
}

/**
 * ns_table_cell_factory_set_short:
 * @factory: a factory of cells with URLs
 * @is_short: whether to omit the server
 *
 * Existing cells must be updated by the caller.
 */
void
ns_table_cell_factory_set_short (GtkListItemFactory *factory, gboolean is_short)
{
  Column *column = g_object_get_data (G_OBJECT (factory), "ns-column");

  column->is_short = is_short;
}

/**
 * ns_table_cell_factory_set_found:
 * @factory: a factory of cells
 * @text: (nullable): the search text to highlight; the caller updates existing cells
 */
void
ns_table_cell_factory_set_found (GtkListItemFactory *factory, const char *text)
{
  Column *column = g_object_get_data (G_OBJECT (factory), "ns-column");

  g_free (column->found);
  column->found = g_strdup (text);
}

/**
 * ns_table_cell_factory_set_session:
 * @factory: a factory of cells
 * @session: the session whose rows the cells show; the caller updates existing cells
 */
void
ns_table_cell_factory_set_session (GtkListItemFactory *factory, NsSession *session)
{
  Column *column = g_object_get_data (G_OBJECT (factory), "ns-column");

  g_set_object (&column->session, session);
}

/**
 * ns_table_cell_factory_new:
 * @session: the session
 * @table: the table
 * @kind: what the column shows
 * @field: (nullable): the field, of a column of a field
 *
 * Returns: (transfer full): a factory of cells
 */
GtkListItemFactory *
ns_table_cell_factory_new (NsSession *session,
                           NsTableId table,
                           NsColumnKind kind,
                           const NsField *field)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Column *column = g_new0 (Column, 1);

  column->session = g_object_ref (session);
  column->table = table;
  column->kind = kind;
  column->field = field;
  g_object_set_data_full (G_OBJECT (factory), "ns-column", column, column_free);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), column);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), column);
  g_signal_connect (factory, "teardown", G_CALLBACK (teardown_cb), column);
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
  return self->column->field;
}

/**
 * ns_table_cell_get_position:
 * @self: a cell
 *
 * Returns: the position of its row in the list
 */
guint
ns_table_cell_get_position (NsTableCell *self)
{
  return self->item != NULL ? gtk_list_item_get_position (self->item) : GTK_INVALID_LIST_POSITION;
}

/**
 * ns_table_cell_is_on_arrow:
 * @self: a cell
 * @x: a horizontal position in the cell
 *
 * Returns: whether a click there expands or collapses its group
 */
gboolean
ns_table_cell_is_on_arrow (NsTableCell *self, double x)
{
  return self->column->kind == NS_COLUMN_GROUP && ns_table_cell_get_group (self) != NULL &&
         (is_mirrored (self) ? gtk_widget_get_width (GTK_WIDGET (self)) - x : x) < get_left (self);
}

/**
 * ns_table_cell_dup_cut_text:
 * @self: a cell
 *
 * Returns: (transfer full) (nullable): the full text for a tooltip, if the text is ellipsized or
 *   shown as an icon
 */
char *
ns_table_cell_dup_cut_text (NsTableCell *self)
{
  if (self->layout != NULL && is_severity (self->column) && ns_table_cell_get_group (self) == NULL)
    return g_strdup (ns_severity_icon_get_word (ns_severity_icon_get_mark (
        ns_session_get_finding (self->column->session, ns_table_cell_get_row (self)))));
  if (self->layout == NULL || !pango_layout_is_ellipsized (self->layout))
    return NULL;
  return g_strdup (pango_layout_get_text (self->layout));
}
