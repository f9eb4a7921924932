/* LD_PRELOAD library that makes GTK report correct widget positions to assistive technology.
 *
 * Since GTK 4.10 the reported position is the sum, over all ancestors, of the border origin
 * relative to the parent's content. It lacks the borders and padding of all ancestors, and the
 * offset of a page in its notebook. Before 4.10 GTK reports the origin of the content.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gtk/gtk.h>

#if GTK_CHECK_VERSION(4, 10, 0)

typedef gboolean (*BoundsFunc) (GtkAccessible *self, int *x, int *y, int *width, int *height);

/* Original get_bounds functions of page objects, which are not widgets. */
static GHashTable *own_bounds;

/* Computes the origin of a widget's content relative to the content of the next ancestor that GTK
 * adds, and its size without the border. */
static gboolean
get_widget_bounds (GtkAccessible *self, int *x, int *y, int *width, int *height)
{
  GtkWidget *widget = GTK_WIDGET (self);
  graphene_point_t place = GRAPHENE_POINT_INIT_ZERO;
  g_autoptr (GtkAccessible) above = NULL;

  if (!gtk_widget_get_realized (widget))
    return FALSE;
  above = gtk_accessible_get_accessible_parent (self);
  while (above != NULL && !GTK_IS_WIDGET (above))
    {
      GtkAccessible *next = gtk_accessible_get_accessible_parent (above);

      g_object_unref (above);
      above = next;
    }
  if (above != NULL &&
      !gtk_widget_compute_point (widget, GTK_WIDGET (above), &GRAPHENE_POINT_INIT_ZERO, &place))
    return FALSE;
  *x = (int) place.x;
  *y = (int) place.y;
  *width = gtk_widget_get_width (widget);
  *height = gtk_widget_get_height (widget);
  return TRUE;
}

/* The child of a page already includes the complete offset. */
static gboolean
get_page_bounds (GtkAccessible *self, int *x, int *y, int *width, int *height)
{
  BoundsFunc get = g_hash_table_lookup (own_bounds, GSIZE_TO_POINTER (G_OBJECT_TYPE (self)));
  gboolean is_known = get != NULL && get (self, x, y, width, height);

  *x = 0;
  *y = 0;
  return is_known;
}

static void
replace_get_bounds (GType type)
{
  gpointer class = g_type_class_peek (type);
  GtkAccessibleInterface *iface =
      class != NULL ? g_type_interface_peek (class, GTK_TYPE_ACCESSIBLE) : NULL;
  g_autofree GType *children = NULL;
  guint n_children;
  guint i;

  if (iface != NULL && g_type_is_a (type, GTK_TYPE_WIDGET))
    iface->get_bounds = get_widget_bounds;
  else if (iface != NULL && iface->get_bounds != get_page_bounds)
    {
      g_hash_table_insert (own_bounds, GSIZE_TO_POINTER (type), (gpointer) iface->get_bounds);
      iface->get_bounds = get_page_bounds;
    }
  children = g_type_children (type, &n_children);
  for (i = 0; i < n_children; i++)
    replace_get_bounds (children[i]);
}

/* Runs when idle; types registered later inherit the replaced functions from their parents. */
static gboolean
replace_cb (gpointer data)
{
  /* These implement get_bounds themselves; their classes must exist before they can be changed. */
  g_type_class_ref (GTK_TYPE_STACK_PAGE);
  g_type_class_ref (GTK_TYPE_NOTEBOOK_PAGE);
  own_bounds = g_hash_table_new (NULL, NULL);
  replace_get_bounds (G_TYPE_OBJECT);
  return G_SOURCE_REMOVE;
}

static void __attribute__ ((constructor)) begin (void)
{
  /* Child processes are not affected. */
  g_unsetenv ("LD_PRELOAD");
  g_idle_add_full (G_PRIORITY_HIGH, replace_cb, NULL, NULL);
}

#endif
