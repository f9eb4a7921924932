/* Dialog that corrects the clock of a log or of a trace file: an offset and, for tables, the time
 * column.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-log-sheet.h"

#include "ui/ns-accessible.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>

#define WIDTH_PX 420
#define WIDTH_CHARS 48

typedef struct
{
  GtkWindow *window;
  GtkWidget *offset;
  GtkWidget *column; /* NULL if the file has no columns to choose from */
  GtkWidget *wrong;
  char *path;
  char *time_column;
  char **columns;
} Sheet;

static void
sheet_free (gpointer data)
{
  Sheet *self = data;

  g_free (self->path);
  g_free (self->time_column);
  g_strfreev (self->columns);
  g_free (self);
}

/* Returns the chosen time column; "" for the first entry, which means that its title identifies
 * it. */
static const char *
get_column (const Sheet *self)
{
  guint chosen =
      self->column != NULL ? gtk_drop_down_get_selected (GTK_DROP_DOWN (self->column)) : 0;

  return chosen > 0 && chosen != GTK_INVALID_LIST_POSITION ? self->columns[chosen - 1] : "";
}

static void
save_cb (Sheet *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->offset));
  GtkWindow *parent = gtk_window_get_transient_for (self->window);
  g_autofree char *wrong = NULL;
  gint64 offset_ns = 0;

  if (*text == '\0' || ns_log_clock_parse_offset (text, &offset_ns))
    {
      gtk_widget_activate_action (GTK_WIDGET (parent),
                                  "win.read-log",
                                  "(sxs)",
                                  self->path,
                                  offset_ns,
                                  get_column (self));
      gtk_window_destroy (self->window);
      return;
    }
  wrong = g_strdup_printf (_ ("“%s” is not a number of seconds, such as -1.5"), text);
  gtk_label_set_text (GTK_LABEL (self->wrong), wrong);
  gtk_widget_set_visible (self->wrong, TRUE);
  gtk_widget_grab_focus (self->offset);
}

static GtkWidget *
label_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  return label;
}

/* Returns a wrapped label of fixed width. Without it, the window would be as high as the text needs
 * at its minimum width. */
static GtkWidget *
paragraph_new (const char *text, const char *style)
{
  GtkWidget *label = label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
column_new (const Sheet *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  GtkWidget *column;
  guint chosen = 0;
  guint i;

  /* Translators: which column of a table holds the times. */
  gtk_string_list_append (list, _ ("Detected by its title"));
  for (i = 0; self->columns[i] != NULL; i++)
    {
      gtk_string_list_append (list, self->columns[i]);
      if (chosen == 0 && self->time_column != NULL &&
          g_ascii_strcasecmp (self->columns[i], self->time_column) == 0)
        chosen = i + 1;
    }
  column = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&list)), NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (column), chosen);
  gtk_widget_set_hexpand (column, TRUE);
  ns_accessible_set_drop_down_name (GTK_DROP_DOWN (column), _ ("Time column"));
  return column;
}

static GtkWidget *
build_fields (Sheet *self, gint64 offset_ns)
{
  GtkWidget *grid = gtk_grid_new ();
  g_autofree char *seconds = ns_log_clock_offset_to_text (offset_ns);

  self->offset = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->offset), seconds);
  gtk_entry_set_activates_default (GTK_ENTRY (self->offset), TRUE);
  gtk_widget_set_hexpand (self->offset, TRUE);
  ns_accessible_set_name (self->offset, _ ("Seconds to add to its times"));
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), label_new (_ ("Seconds to add to its times")), 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->offset, 1, 0, 1, 1);
  if (self->columns == NULL)
    return grid;
  self->column = column_new (self);
  gtk_grid_attach (GTK_GRID (grid), label_new (_ ("Time column")), 0, 2, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->column, 1, 2, 1, 1);
  return grid;
}

static GtkWidget *
build (Sheet *self, const NsLogClock *clock)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *fields = build_fields (self, clock->offset_ns);
  GtkWidget *note =
      paragraph_new (_ ("The trace is read again. The entries are saved with its view."), "dim");

  self->wrong = paragraph_new (NULL, "warning-text");
  gtk_widget_set_visible (self->wrong, FALSE);
  gtk_grid_attach (GTK_GRID (fields), self->wrong, 0, 1, 2, 1);
  ns_sheet_set_margins (box, 12);
  if (clock->is_unknown)
    gtk_box_append (GTK_BOX (box),
                    paragraph_new (_ ("No column title identifies the time column: no lines are "
                                      "read until you select it."),
                                   NULL));
  gtk_box_append (GTK_BOX (box), fields);
  gtk_box_append (GTK_BOX (box), note);
  gtk_box_append (
      GTK_BOX (box),
      ns_sheet_build_answers (self->window, _ ("_Read Again"), G_CALLBACK (save_cb), self));
  return box;
}

/**
 * ns_log_sheet_ask:
 * @parent: a window of a trace
 * @clock: the clock of a log or of a trace file
 * @columns: (nullable) (array zero-terminated=1): the columns of a table that may hold the times
 *
 * Asks for an offset and, with @columns, for the time column. The window of the trace then reads
 * all files again with these settings.
 */
void
ns_log_sheet_ask (GtkWindow *parent, const NsLogClock *clock, char **columns)
{
  g_autofree char *base = g_path_get_basename (clock->path);
  g_autofree char *name = g_filename_display_name (base);
  /* Translators: the name of a file. */
  g_autofree char *title = g_strdup_printf (_ ("Clock of %s"), name);
  Sheet *self = g_new0 (Sheet, 1);

  self->path = g_strdup (clock->path);
  self->time_column = g_strdup (clock->time_column);
  self->columns = g_strdupv (columns);
  self->window = ns_sheet_question_new (parent, title, WIDTH_PX);
  gtk_window_set_child (self->window, build (self, clock));
  g_object_set_data_full (G_OBJECT (self->window), "ns-sheet", self, sheet_free);
  gtk_window_present (self->window);
  gtk_widget_grab_focus (clock->is_unknown ? self->column : self->offset);
}
