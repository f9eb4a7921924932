/* A drag-and-drop partner for window tests: accepts drops, and offers a file to drag.
 *
 * drop-here FILE FOLDER: dragging from its window carries FILE; each format of a drop is saved as a
 * file in FOLDER.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gtk/gtk.h>
#include <string.h>

static const struct
{
  const char *mime_type;
  const char *name;
} wanted[] = {
  { "text/uri-list", "uris" },
  { "text/html", "html" },
  { "text/plain;charset=utf-8", "text" },
};

typedef struct
{
  GdkDrop *drop;
  const char *folder;
  guint n_taken;
} Dropped;

static void take_next (Dropped *dropped);

static void
spliced_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Dropped *dropped = data;
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (source);
  g_autofree char *path = g_build_filename (dropped->folder, wanted[dropped->n_taken].name, NULL);

  g_output_stream_splice_finish (G_OUTPUT_STREAM (memory), result, NULL);
  g_file_set_contents (path,
                       g_memory_output_stream_get_data (memory),
                       (gssize) g_memory_output_stream_get_data_size (memory),
                       NULL);
  dropped->n_taken++;
  take_next (dropped);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = gdk_drop_read_finish (GDK_DROP (source), result, NULL, &error);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();

  if (stream == NULL)
    g_error ("%s", error->message);
  g_output_stream_splice_async (memory,
                                stream,
                                G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE |
                                    G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                G_PRIORITY_DEFAULT,
                                NULL,
                                spliced_cb,
                                data);
}

/* Reads the formats of the drop one after the other, like programs that ask for several formats. */
static void
take_next (Dropped *dropped)
{
  const char *types[] = { NULL, NULL };

  if (dropped->n_taken == G_N_ELEMENTS (wanted))
    {
      gdk_drop_finish (dropped->drop, GDK_ACTION_COPY);
      g_object_unref (dropped->drop);
      g_free (dropped);
      return;
    }
  types[0] = wanted[dropped->n_taken].mime_type;
  gdk_drop_read_async (dropped->drop, types, G_PRIORITY_DEFAULT, NULL, read_cb, dropped);
}

static gboolean
drop_cb (GtkDropTargetAsync *target, GdkDrop *drop, double x, double y, const char *folder)
{
  Dropped *dropped = g_new0 (Dropped, 1);

  dropped->drop = g_object_ref (drop);
  dropped->folder = folder;
  take_next (dropped);
  return TRUE;
}

static GdkContentProvider *
prepare_cb (GtkDragSource *source, double x, double y, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GdkFileList *list = gdk_file_list_new_from_array (&file, 1);
  GdkContentProvider *content = gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, list);

  g_boxed_free (GDK_TYPE_FILE_LIST, list);
  return content;
}

int
main (int argc, char **argv)
{
  GtkWidget *window;
  GtkWidget *label;
  GtkDropTargetAsync *target;
  GtkDragSource *source;

  if (argc != 3)
    return 2;
  gtk_init ();
  window = gtk_window_new ();
  label = gtk_label_new ("drop here");
  target = gtk_drop_target_async_new (NULL, GDK_ACTION_COPY);
  source = gtk_drag_source_new ();
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), argv[2]);
  g_signal_connect (source, "prepare", G_CALLBACK (prepare_cb), argv[1]);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (target));
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_set_title (GTK_WINDOW (window), "neighbour");
  gtk_window_set_default_size (GTK_WINDOW (window), 200, 200);
  gtk_window_present (GTK_WINDOW (window));
  while (g_list_model_get_n_items (gtk_window_get_toplevels ()) > 0)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}
