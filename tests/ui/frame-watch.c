/* LD_PRELOAD library that measures the latency of a selection in frames.
 *
 * It logs in which frame the timeline and the table are redrawn, with checksums, and when rows are
 * selected. Each line is `choice`, `frame`, `timeline` or `table`, and a checksum of the drawing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gtk/gtk.h>
#include <stdio.h>

#define WATCH_FILE "NETSTITCH_FRAME_WATCH_FILE"
/* If set, the window uses a right-to-left layout. */
#define WATCH_RTL "NETSTITCH_FRAME_WATCH_RTL"

typedef void (*SnapshotFunc) (GtkWidget *widget, GtkSnapshot *snapshot);

static FILE *watch_log;
static SnapshotFunc timeline_snapshot;
static SnapshotFunc table_snapshot;
static gboolean has_hooks;

static guint64
sum_of (GskRenderNode *node, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  guint64 sum = G_GUINT64_CONSTANT (14695981039346656037);
  const guint8 *data;
  gsize n_bytes;
  gsize i;

  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  data = cairo_image_surface_get_data (surface);
  n_bytes = (gsize) cairo_image_surface_get_stride (surface) * (gsize) height;
  for (i = 0; data != NULL && i < n_bytes; i++)
    sum = (sum ^ data[i]) * G_GUINT64_CONSTANT (1099511628211);
  cairo_surface_destroy (surface);
  return sum;
}

static void
watch_snapshot (const char *name, SnapshotFunc draw, GtkWidget *widget, GtkSnapshot *snapshot)
{
  GtkSnapshot *own = gtk_snapshot_new ();
  GskRenderNode *node;

  draw (widget, own);
  node = gtk_snapshot_free_to_node (own);
  if (node == NULL)
    return;
  fprintf (watch_log,
           "%s %016" G_GINT64_MODIFIER "x\n",
           name,
           sum_of (node, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  gtk_snapshot_append_node (snapshot, node);
  gsk_render_node_unref (node);
}

static void
watch_timeline (GtkWidget *widget, GtkSnapshot *snapshot)
{
  watch_snapshot ("timeline", timeline_snapshot, widget, snapshot);
}

static void
watch_table (GtkWidget *widget, GtkSnapshot *snapshot)
{
  watch_snapshot ("table", table_snapshot, widget, snapshot);
}

static gboolean
write_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  fprintf (watch_log, "%s\n", (const char *) data);
  return TRUE;
}

static gboolean
hook (const char *type_name, const char *signal, const char *line)
{
  GType type = g_type_from_name (type_name);

  if (type == 0 || g_type_class_peek (type) == NULL)
    return FALSE;
  g_signal_add_emission_hook (g_signal_lookup (signal, type), 0, write_cb, (gpointer) line, NULL);
  return TRUE;
}

static GtkWidgetClass *
peek_class (const char *name)
{
  GType type = g_type_from_name (name);

  return type != 0 ? g_type_class_peek (type) : NULL;
}

/* The widget classes do not exist before the first window and the first trace. */
static gint
wait_and_watch (GPollFD *fds, guint n_fds, gint timeout_ms)
{
  GtkWidgetClass *timeline = peek_class ("NsTimeline");
  GtkWidgetClass *table = peek_class ("NsTableView");

  if (!has_hooks && timeline != NULL && table != NULL &&
      hook ("NsSession", "selection-changed", "choice"))
    {
      hook ("GdkFrameClock", "after-paint", "frame");
      timeline_snapshot = timeline->snapshot;
      timeline->snapshot = watch_timeline;
      table_snapshot = table->snapshot;
      table->snapshot = watch_table;
      has_hooks = TRUE;
      if (g_getenv (WATCH_RTL) != NULL)
        gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
    }
  return g_poll (fds, n_fds, timeout_ms);
}

static void __attribute__ ((constructor)) begin (void)
{
  const char *path = g_getenv (WATCH_FILE);

  if (path == NULL || (watch_log = fopen (path, "we")) == NULL)
    return;
  setvbuf (watch_log, NULL, _IOLBF, 0);
  /* Child processes are not watched. */
  g_unsetenv (WATCH_FILE);
  g_unsetenv ("LD_PRELOAD");
  g_main_context_set_poll_func (NULL, wait_and_watch);
}
