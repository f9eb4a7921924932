/* Icon for the severity of a finding: a shape and a colour, and a word as tooltip and accessible
 * label.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-severity-icon.h"

#include "ui/ns-theme.h"

#include <glib/gi18n.h>

#define MARK_PX 14

struct _NsSeverityIcon
{
  GtkWidget parent_instance;

  NsSeverityMark mark;
};

G_DEFINE_FINAL_TYPE (NsSeverityIcon, ns_severity_icon, GTK_TYPE_WIDGET)

static void
ns_severity_icon_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  *minimum = *natural = (int) round (MARK_PX * ns_theme_get_scale ());
}

/**
 * ns_severity_icon_paint:
 * @widget: the widget whose colours and font are used
 * @snapshot: the snapshot to draw to
 * @mark: a mark
 * @x: left edge
 * @width: available width
 * @height: available height
 *
 * Draws a mark in the middle of the available space.
 */
void
ns_severity_icon_paint (GtkWidget *widget,
                        GtkSnapshot *snapshot,
                        NsSeverityMark mark,
                        double x,
                        int width,
                        int height)
{
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  ns_theme_look_read (&look, widget);
  cr =
      gtk_snapshot_append_cairo (snapshot,
                                 &GRAPHENE_RECT_INIT ((float) x, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  ns_paint_severity (&paint, mark, x + width / 2.0, height / 2.0);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static void
ns_severity_icon_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ns_severity_icon_paint (widget,
                          snapshot,
                          NS_SEVERITY_ICON (widget)->mark,
                          0,
                          gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
}

static void
ns_severity_icon_class_init (NsSeverityIconClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = ns_severity_icon_measure;
  widget_class->snapshot = ns_severity_icon_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ns_severity_icon_init (NsSeverityIcon *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

/**
 * ns_severity_icon_get_word:
 * @mark: a mark
 *
 * Returns: the translated name of @mark; "" for %NS_SEVERITY_MARK_NONE
 */
const char *
ns_severity_icon_get_word (NsSeverityMark mark)
{
  switch (mark)
    {
    case NS_SEVERITY_MARK_PROBLEM:
      return _ ("problem");
    case NS_SEVERITY_MARK_WARNING:
      return _ ("warning");
    case NS_SEVERITY_MARK_NOTE:
      return _ ("note");
    case NS_SEVERITY_MARK_UNJUDGED:
      return _ ("could not be judged");
    case NS_SEVERITY_MARK_FINE:
      return _ ("nothing found");
    case NS_SEVERITY_MARK_NONE:
    default:
      return "";
    }
}

/**
 * ns_severity_icon_get_mark:
 * @finding: (nullable): the result of a rule
 *
 * Returns: the mark of @finding
 */
NsSeverityMark
ns_severity_icon_get_mark (const NsFindingRow *finding)
{
  if (finding == NULL)
    return NS_SEVERITY_MARK_NONE;
  if (finding->verdict == NS_VERDICT_UNJUDGED)
    return NS_SEVERITY_MARK_UNJUDGED;
  if (finding->verdict == NS_VERDICT_NOT_FOUND)
    return NS_SEVERITY_MARK_FINE;
  return finding->severity == NS_SEVERITY_PROBLEM   ? NS_SEVERITY_MARK_PROBLEM
         : finding->severity == NS_SEVERITY_WARNING ? NS_SEVERITY_MARK_WARNING
                                                    : NS_SEVERITY_MARK_NOTE;
}

/**
 * ns_severity_icon_set:
 * @self: an icon
 * @mark: the mark to show
 *
 * Changes the mark, the tooltip and the accessible label; %NS_SEVERITY_MARK_NONE hides the icon.
 */
void
ns_severity_icon_set (NsSeverityIcon *self, NsSeverityMark mark)
{
  const char *word = ns_severity_icon_get_word (mark);

  self->mark = mark;
  gtk_widget_set_visible (GTK_WIDGET (self), mark != NS_SEVERITY_MARK_NONE);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), *word != '\0' ? word : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, word, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * ns_severity_icon_new:
 * @mark: the mark to show
 *
 * Returns: (transfer floating): an icon of MARK_PX, scaled with the font
 */
GtkWidget *
ns_severity_icon_new (NsSeverityMark mark)
{
  NsSeverityIcon *self = g_object_new (NS_TYPE_SEVERITY_ICON, NULL);

  ns_severity_icon_set (self, mark);
  return GTK_WIDGET (self);
}
