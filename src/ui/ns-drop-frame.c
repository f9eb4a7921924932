/* A drop target for files, which shows a hint over the content of the window during a drag.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-drop-frame.h"

#include "model/ns-signal.h"

struct _NsDropFrame
{
  GtkBox parent_instance;

  GtkWidget *overlay;
  GtkWidget *drop_here;
};

enum
{
  SIGNAL_DROPPED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

enum
{
  PROP_0,
  PROP_CONTENT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsDropFrame, ns_drop_frame, GTK_TYPE_BOX)

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, NsDropFrame *self)
{
  GdkFileList *list = g_value_get_boxed (value);
  g_autoptr (GSList) files = list != NULL ? gdk_file_list_get_files (list) : NULL;
  g_autoptr (GPtrArray) dropped = g_ptr_array_new ();
  GSList *at;

  gtk_widget_set_visible (self->drop_here, FALSE);
  for (at = files; at != NULL; at = at->next)
    g_ptr_array_add (dropped, at->data);
  if (dropped->len > 0)
    g_signal_emit (self, signals[SIGNAL_DROPPED], 0, dropped);
  return dropped->len > 0;
}

/* Accepts file lists, but not drags that start in this application, such as rows. */
static gboolean
accept_cb (GtkDropTarget *target, GdkDrop *offered, NsDropFrame *self)
{
  return gdk_drop_get_drag (offered) == NULL &&
         gdk_content_formats_contain_gtype (gdk_drop_get_formats (offered), GDK_TYPE_FILE_LIST);
}

static GdkDragAction
enter_cb (GtkDropTarget *target, double x, double y, NsDropFrame *self)
{
  gtk_widget_set_visible (self->drop_here, TRUE);
  return GDK_ACTION_COPY;
}

static void
leave_cb (GtkDropTarget *target, NsDropFrame *self)
{
  gtk_widget_set_visible (self->drop_here, FALSE);
}

/**
 * ns_drop_frame_watch:
 * @self: a drop frame
 * @widget: the window that contains @self
 *
 * Accepts files dropped anywhere on @widget.
 */
void
ns_drop_frame_watch (NsDropFrame *self, GtkWidget *widget)
{
  GtkDropTarget *drop;

  g_return_if_fail (NS_IS_DROP_FRAME (self));

  drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_object (drop, "accept", G_CALLBACK (accept_cb), self, 0);
  g_signal_connect_object (drop, "drop", G_CALLBACK (drop_cb), self, 0);
  g_signal_connect_object (drop, "enter", G_CALLBACK (enter_cb), self, 0);
  g_signal_connect_object (drop, "leave", G_CALLBACK (leave_cb), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drop));
}

static void
ns_drop_frame_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  NsDropFrame *self = NS_DROP_FRAME (object);

  if (id == PROP_CONTENT)
    g_value_set_object (value, gtk_overlay_get_child (GTK_OVERLAY (self->overlay)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_drop_frame_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  NsDropFrame *self = NS_DROP_FRAME (object);

  if (id == PROP_CONTENT)
    gtk_overlay_set_child (GTK_OVERLAY (self->overlay), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_drop_frame_class_init (NsDropFrameClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_drop_frame_get_property;
  object_class->set_property = ns_drop_frame_set_property;
  /**
   * NsDropFrame:content:
   *
   * The child below the drop hint.
   */
  properties[PROP_CONTENT] = g_param_spec_object ("content",
                                                  NULL,
                                                  NULL,
                                                  GTK_TYPE_WIDGET,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  /**
   * NsDropFrame::dropped:
   * @self: the drop frame
   * @files: (element-type GFile): the dropped files, at least one
   *
   * Emitted when files are dropped.
   */
  signals[SIGNAL_DROPPED] =
      ns_signal_new (NS_TYPE_DROP_FRAME, "dropped", G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-drop-frame.ui");
  gtk_widget_class_bind_template_child (widget_class, NsDropFrame, overlay);
  gtk_widget_class_bind_template_child (widget_class, NsDropFrame, drop_here);
}

static void
ns_drop_frame_init (NsDropFrame *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
