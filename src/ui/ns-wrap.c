/* Container for a grid of wrapping labels, which reports the height at its natural width.
 *
 * A GtkGrid that is measured without a width reports the height at its minimum width, with a letter
 * or two in each line. Since GTK 4.18 boxes and windows use that as its minimum height at any
 * width.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-wrap.h"

struct _NsWrap
{
  GtkWidget parent_instance;

  GtkWidget *child;
};

G_DEFINE_FINAL_TYPE (NsWrap, ns_wrap, GTK_TYPE_WIDGET)

/* Returns the smallest width at which the child is not higher than @height; at most its natural
 * width. */
static void
find_width (GtkWidget *child, int height, int *minimum, int *natural)
{
  int least;
  int most;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, natural, NULL, NULL);
  most = *natural;
  while (least < most)
    {
      int width = least + (most - least) / 2;
      int needed;

      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &needed, NULL, NULL, NULL);
      if (needed <= height)
        most = width;
      else
        least = width + 1;
    }
  *minimum = least;
}

static void
ns_wrap_measure (GtkWidget *widget,
                 GtkOrientation orientation,
                 int for_size,
                 int *minimum,
                 int *natural,
                 int *minimum_baseline,
                 int *natural_baseline)
{
  NsWrap *self = NS_WRAP (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL && for_size >= 0)
    {
      find_width (self->child, for_size, minimum, natural);
      return;
    }
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size < 0)
    gtk_widget_measure (self->child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &for_size, NULL, NULL);
  gtk_widget_measure (self->child,
                      orientation,
                      for_size,
                      minimum,
                      natural,
                      minimum_baseline,
                      natural_baseline);
}

static void
ns_wrap_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (NS_WRAP (widget)->child, width, height, baseline, NULL);
}

static GtkSizeRequestMode
ns_wrap_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ns_wrap_dispose (GObject *object)
{
  g_clear_pointer (&NS_WRAP (object)->child, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_wrap_parent_class)->dispose (object);
}

static void
ns_wrap_class_init (NsWrapClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_wrap_dispose;
  GTK_WIDGET_CLASS (klass)->measure = ns_wrap_measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = ns_wrap_size_allocate;
  GTK_WIDGET_CLASS (klass)->get_request_mode = ns_wrap_get_request_mode;
}

static void
ns_wrap_init (NsWrap *self)
{
}

/**
 * ns_wrap_new:
 * @child: a grid of wrapping labels
 *
 * Returns: (transfer floating): a container for @child that reports the height at the natural width
 *   of @child if it is measured without a width
 */
GtkWidget *
ns_wrap_new (GtkWidget *child)
{
  NsWrap *self = g_object_new (NS_TYPE_WRAP, NULL);

  self->child = child;
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
