/* A word to who does something else while a large trace is read: that it is open now, or why not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Who has waited for less is still looking. */
#define NOTIFY_AFTER_S 10

/* Nobody wants to wait in a test. */
static gint64
get_patience_us (void)
{
  const char *wanted_ms = g_getenv ("NETSTITCH_NOTIFY_AFTER_MS");

  return wanted_ms != NULL ? g_ascii_strtoll (wanted_ms, NULL, 10) * 1000
                           : (gint64) NOTIFY_AFTER_S * G_USEC_PER_SEC;
}

/* Whether the window is in front, or what it asks. */
static gboolean
is_in_front (NsWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GtkWindow *front = gtk_application_get_active_window (application);

  if (front == NULL || !gtk_window_is_active (front))
    return FALSE;
  while (front != NULL && front != GTK_WINDOW (self))
    front = gtk_window_get_transient_for (front);
  return front != NULL;
}

static char *
dup_id (NsWindow *self)
{
  return g_strdup_printf ("loaded-%u",
                          gtk_application_window_get_id (GTK_APPLICATION_WINDOW (self)));
}

/* What the window shows says it already, in short. */
static char *
dup_body (NsWindow *self, gboolean is_open)
{
  const char *found = gtk_label_get_text (GTK_LABEL (self->subtitle));

  if (!is_open)
    return g_strdup (ns_error_page_get_text (self->error_page));
  if (!ns_session_get_damage (self->session)->is_cut &&
      ns_session_get_damage (self->session)->n_places == 0)
    return g_strdup (found);
  return g_strdup_printf ("%s\n%s", found, ns_notice_bars_get_damage (self->bars));
}

/* A notification on its way. */
typedef struct
{
  NsWindow *window;
  GNotification *notification;
} Word;

/* Who shows notifications has answered, or there is nobody. */
static void
asked_cb (GObject *bus, GAsyncResult *result, gpointer data)
{
  Word *word = data;
  g_autoptr (GVariant) answer = NULL;

  answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);
  if (answer != NULL && word->window->is_notified)
    {
      g_autofree char *id = dup_id (word->window);

      g_application_send_notification (g_application_get_default (), id, word->notification);
    }
  g_object_unref (word->window);
  g_object_unref (word->notification);
  g_free (word);
}

/* Sends a notification where somebody shows them; GIO warns on standard error where nobody does,
 * as on a bare window manager. */
static void
send_if_shown (NsWindow *self, GNotification *notification)
{
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
  Word *word;

  if (bus == NULL)
    return;
  self->is_notified = TRUE;
  word = g_new (Word, 1);
  word->window = g_object_ref (self);
  word->notification = g_object_ref (notification);
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
                          word);
}

/* Says that the file is open, or could not be, if that took long and nobody looks. */
void
ns_window_notify_loaded (NsWindow *self, gboolean is_open)
{
  g_autofree char *shown = ns_words_file (self->file);
  g_autofree char *title = NULL;
  g_autofree char *body = NULL;
  g_autoptr (GNotification) notification = NULL;

  if (g_get_monotonic_time () - self->opened_us < get_patience_us () || is_in_front (self))
    return;
  title = is_open ? g_strdup_printf (_ ("%s is open"), shown)
                  : g_strdup_printf (_ ("%s could not be opened"), shown);
  body = dup_body (self, is_open);
  notification = g_notification_new (title);
  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification,
                                                "app.present-window",
                                                "u",
                                                gtk_application_window_get_id (
                                                    GTK_APPLICATION_WINDOW (self)));
  send_if_shown (self, notification);
}

/* Who looks need not be told any more. */
void
ns_window_withdraw_notification (NsWindow *self)
{
  g_autofree char *id = NULL;

  if (!self->is_notified)
    return;
  self->is_notified = FALSE;
  id = dup_id (self);
  g_application_withdraw_notification (g_application_get_default (), id);
}

static void
active_cb (NsWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)))
    ns_window_withdraw_notification (self);
}

/* Once, for a new window. */
void
ns_window_add_notify (NsWindow *self)
{
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), NULL);
}
