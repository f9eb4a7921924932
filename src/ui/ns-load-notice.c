/* Sends a desktop notification when a long load ends while the user works in another window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-load-notice.h"

#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Shorter loads send no notification, because the user is assumed to be waiting. */
#define NOTIFY_AFTER_S 10

struct _NsLoadNotice
{
  GObject parent_instance;

  GtkApplicationWindow *window; /* not referenced: the window owns this object */
  gint64 began_us;              /* monotonic time at the start of the load */
  gboolean is_sent;
};

G_DEFINE_FINAL_TYPE (NsLoadNotice, ns_load_notice, G_TYPE_OBJECT)

/* Returns the minimum duration of a load that sends a notification. Tests set
 * NETSTITCH_NOTIFY_AFTER_MS to shorten it. */
static gint64
get_min_duration_us (void)
{
  const char *wanted_ms = g_getenv ("NETSTITCH_NOTIFY_AFTER_MS");

  return wanted_ms != NULL ? g_ascii_strtoll (wanted_ms, NULL, 10) * 1000
                           : (gint64) NOTIFY_AFTER_S * G_USEC_PER_SEC;
}

/* Returns whether the window or one of its dialogs is active. */
static gboolean
is_in_front (NsLoadNotice *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self->window));
  GtkWindow *front = gtk_application_get_active_window (application);

  if (front == NULL || !gtk_window_is_active (front))
    return FALSE;
  while (front != NULL && front != GTK_WINDOW (self->window))
    front = gtk_window_get_transient_for (front);
  return front != NULL;
}

static char *
dup_id (NsLoadNotice *self)
{
  return g_strdup_printf ("loaded-%u", gtk_application_window_get_id (self->window));
}

/* Data of a pending notification. */
typedef struct
{
  NsLoadNotice *notice;
  GtkApplicationWindow *window;
  GNotification *notification;
} PendingNotification;

/* Handles the reply of the notification server: sends the notification if there is a server. */
static void
asked_cb (GObject *bus, GAsyncResult *result, gpointer data)
{
  PendingNotification *pending = data;
  g_autoptr (GVariant) answer = NULL;

  answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);
  if (answer != NULL && pending->notice->is_sent)
    {
      g_autofree char *id = dup_id (pending->notice);

      g_application_send_notification (g_application_get_default (), id, pending->notification);
    }
  g_object_unref (pending->notice);
  g_object_unref (pending->window);
  g_object_unref (pending->notification);
  g_free (pending);
}

/* Sends a notification if a notification server is running. Without one, as on a plain window
 * manager, GIO would print a warning to stderr. */
static void
send_if_shown (NsLoadNotice *self, GNotification *notification)
{
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
  PendingNotification *pending;

  if (bus == NULL)
    return;
  self->is_sent = TRUE;
  pending = g_new (PendingNotification, 1);
  pending->notice = g_object_ref (self);
  pending->window = g_object_ref (self->window);
  pending->notification = g_object_ref (notification);
  g_dbus_connection_call (bus,
                          "org.freedesktop.Notifications",
                          "/org/freedesktop/Notifications",
                          "org.freedesktop.Notifications",
                          "GetServerInformation",
                          NULL,
                          G_VARIANT_TYPE ("(ssss)"),
                          G_DBUS_CALL_FLAGS_NONE,
                          -1,
                          NULL,
                          asked_cb,
                          pending);
}

/**
 * ns_load_notice_end:
 * @self: a load notice
 * @file: the file
 * @is_open: whether the file was opened
 * @body: the summary of the trace, or the error
 *
 * Sends a notification if the load took long and the window is not active.
 */
void
ns_load_notice_end (NsLoadNotice *self, GFile *file, gboolean is_open, const char *body)
{
  g_autofree char *shown = ns_words_file (file);
  g_autofree char *title = NULL;
  g_autoptr (GNotification) notification = NULL;

  g_return_if_fail (NS_IS_LOAD_NOTICE (self));

  if (g_get_monotonic_time () - self->began_us < get_min_duration_us () || is_in_front (self))
    return;
  title = is_open ? g_strdup_printf (_ ("%s is open"), shown)
                  : g_strdup_printf (_ ("%s could not be opened"), shown);
  notification = g_notification_new (title);
  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification,
                                                "app.present-window",
                                                "u",
                                                gtk_application_window_get_id (self->window));
  send_if_shown (self, notification);
}

/**
 * ns_load_notice_withdraw:
 * @self: a load notice
 *
 * Withdraws the notification once the user looks at the window.
 */
void
ns_load_notice_withdraw (NsLoadNotice *self)
{
  g_autofree char *id = NULL;

  g_return_if_fail (NS_IS_LOAD_NOTICE (self));

  if (!self->is_sent)
    return;
  self->is_sent = FALSE;
  id = dup_id (self);
  g_application_withdraw_notification (g_application_get_default (), id);
}

static void
active_cb (NsLoadNotice *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self->window)))
    ns_load_notice_withdraw (self);
}

/**
 * ns_load_notice_begin:
 * @self: a load notice
 *
 * Starts the clock of a load.
 */
void
ns_load_notice_begin (NsLoadNotice *self)
{
  g_return_if_fail (NS_IS_LOAD_NOTICE (self));

  self->began_us = g_get_monotonic_time ();
  ns_load_notice_withdraw (self);
}

static void
ns_load_notice_class_init (NsLoadNoticeClass *klass)
{
}

static void
ns_load_notice_init (NsLoadNotice *self)
{
}

/**
 * ns_load_notice_new:
 * @window: the window that owns the load notice
 *
 * Returns: (transfer full): a load notice for files opened in @window
 */
NsLoadNotice *
ns_load_notice_new (GtkApplicationWindow *window)
{
  NsLoadNotice *self = g_object_new (NS_TYPE_LOAD_NOTICE, NULL);

  self->window = window;
  g_signal_connect_object (window,
                           "notify::is-active",
                           G_CALLBACK (active_cb),
                           self,
                           G_CONNECT_SWAPPED);
  return self;
}
