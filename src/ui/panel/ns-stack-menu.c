/* Context menu of a frame: filters with row counts, copying, hiding.
 *
 * Changing the model of an open popover drops the focus, so the menu opens only after the rows are
 * counted, or without counts after PATIENCE_MS.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-filter-chips.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-stack-menu.h"

#include <glib/gi18n.h>

/* Maximum delay of the menu while rows are counted. */
#define PATIENCE_MS 150

/* State of a menu. */
typedef struct
{
  GtkWidget *menu;
  GMenu *rows;            /* the items with counts */
  GCancellable *counting; /* (nullable) */
  guint patience_id;
} Menu;

/* A running count; the menu may be destroyed before it ends. */
typedef struct
{
  GWeakRef menu;
  GCancellable *cancellable;
  NsFilterChips *chips;
  guint n_shown;
} Count;

static void
count_free (Count *count)
{
  g_weak_ref_clear (&count->menu);
  g_object_unref (count->cancellable);
  ns_filter_chips_free (count->chips);
  g_free (count);
}

static Menu *
get_menu (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "ns-menu");
}

static void
stop_counting (Menu *self)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
}

static void
menu_free (gpointer data)
{
  Menu *self = data;

  stop_counting (self);
  g_object_unref (self->rows);
  g_free (self);
}

/* Adds an item with @count, the (nullable) number of rows that the filter would show. */
static void
add_item (GMenu *rows, const char *label, const char *count, const char *action)
{
  /* Translators: an entry of a menu, and how many rows it would show. */
  g_autofree char *text =
      count != NULL ? g_strdup_printf (_ ("%s\342\200\203%s"), label, count) : g_strdup (label);

  g_menu_append (rows, text, action);
}

static void
fill (Menu *self, const guint *n_through, guint n_shown)
{
  g_autofree char *through = n_through != NULL ? ns_words_count (*n_through) : NULL;
  g_autofree char *without = n_through != NULL ? ns_words_count (n_shown - *n_through) : NULL;

  g_menu_remove_all (self->rows);
  add_item (self->rows, _ ("_Only Rows through This Frame"), through, "stack.only");
  add_item (self->rows, _ ("_Without Rows through It"), without, "stack.without");
}

static void
show (Menu *self)
{
  stop_counting (self);
  /* The user may have changed to another page meanwhile. */
  if (gtk_widget_get_mapped (gtk_widget_get_parent (self->menu)))
    gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Count *count = data;
  g_autoptr (GtkWidget) widget = g_weak_ref_get (&count->menu);
  Menu *self = widget != NULL ? get_menu (widget) : NULL;

  if (self != NULL && self->counting == count->cancellable &&
      ns_filter_chips_count_finish (count->chips, result, NULL))
    {
      guint n_chips = ns_filter_chips_get_n_chips (count->chips);
      guint n_through = ns_filter_chips_get_chip (count->chips, n_chips - 1)->n_rows;

      if (n_through <= count->n_shown)
        fill (self, &n_through, count->n_shown);
      show (self);
    }
  count_free (count);
}

static gboolean
patience_ended_cb (gpointer data)
{
  Menu *self = data;

  self->patience_id = 0;
  show (self);
  return G_SOURCE_REMOVE;
}

/* Starts to count the shown rows whose path contains the frame. */
static void
start_counting (Menu *self, NsSession *session, const char *filter)
{
  Count *count = g_new0 (Count, 1);

  self->counting = g_cancellable_new ();
  g_weak_ref_init (&count->menu, self->menu);
  count->cancellable = g_object_ref (self->counting);
  count->n_shown = ns_session_count_rows (session, NS_TABLE_ACTIVITIES);
  count->chips = ns_filter_chips_new (NS_TABLE_ACTIVITIES);
  ns_filter_chips_set_text (count->chips,
                            ns_session_get_filter (session, NS_TABLE_ACTIVITIES),
                            NULL,
                            NULL);
  ns_filter_chips_add (count->chips, filter, NULL);
  ns_filter_chips_count_async (count->chips,
                               ns_session_get_trace (session),
                               self->counting,
                               counted_cb,
                               count);
  self->patience_id = g_timeout_add (PATIENCE_MS, patience_ended_cb, self);
}

/**
 * ns_stack_menu_new:
 *
 * The items use actions of the group `stack`.
 *
 * Returns: (transfer floating): a menu without an arrow
 */
GtkWidget *
ns_stack_menu_new (void)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) copies = g_menu_new ();
  g_autoptr (GMenu) hide = g_menu_new ();
  g_autoptr (GMenuItem) copy = g_menu_item_new (_ ("_Copy Frame"), "stack.copy");
  Menu *self = g_new0 (Menu, 1);

  self->rows = g_menu_new ();
  fill (self, NULL, 0);
  /* Shows the shortcut; the window handles it and copies from the focused widget. */
  g_menu_item_set_attribute (copy, "accel", "s", "<Control>c");
  g_menu_append_item (copies, copy);
  g_menu_append (copies, _ ("Copy _Stack as Text"), "win.copy-stack");
  g_menu_append (copies, _ ("Show the Related _Events"), "stack.events");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (self->rows));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copies));
  g_menu_append (hide, _ ("_Hide This Function"), "stack.hide-function");
  g_menu_append (hide, _ ("Hide Its _Module"), "stack.hide-module");
  g_menu_append_section (menu, _ ("Hide frames like this"), G_MENU_MODEL (hide));
  self->menu = ns_accessible_menu_new (G_MENU_MODEL (menu));
  g_object_set_data_full (G_OBJECT (self->menu), "ns-menu", self, menu_free);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  return self->menu;
}

/**
 * ns_stack_menu_popup:
 * @menu: a menu made by ns_stack_menu_new()
 * @session: (nullable): session whose rows are counted
 * @filter: (nullable): filter for the rows through the frame; %NULL without a frame
 * @x: position in the parent
 * @y: position in the parent
 *
 * Opens the menu, with counts if they are ready within a short delay.
 */
void
ns_stack_menu_popup (GtkWidget *menu, NsSession *session, const char *filter, int x, int y)
{
  Menu *self = get_menu (menu);

  stop_counting (self);
  fill (self, NULL, 0);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &(GdkRectangle){ x, y, 1, 1 });
  if (session != NULL && filter != NULL)
    start_counting (self, session, filter);
  else
    show (self);
}
