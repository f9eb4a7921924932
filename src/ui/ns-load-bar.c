/* The progress bar shown while a trace is read, with a button that cancels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-load-bar.h"

#include <glib/gi18n.h>

/* Delay before the bar is shown, so that it does not flash for small traces. */
#define REVEAL_US (G_USEC_PER_SEC / 5)

struct _NsLoadBar
{
  GtkBox parent_instance;

  gint64 began_us;
  guint64 n_bytes; /* size of the file; 0 if not known */
  double fraction;
  gboolean is_fetching; /* the file is being copied from a remote location */
  const char *page_text;

  GtkWidget *bar;
  GtkWidget *what;
  GtkWidget *text;
  GtkWidget *progress;
  GtkWidget *cancel_button;
};

enum
{
  PROP_0,
  PROP_PAGE_TEXT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsLoadBar, ns_load_bar, GTK_TYPE_BOX)

/* Returns the progress as text: bytes read, size, and, once they can be estimated, speed and
 * remaining time. */
static char *
progress_text (NsLoadBar *self, double fraction)
{
  gint64 passed_us = g_get_monotonic_time () - self->began_us;
  g_autofree char *done = g_format_size ((guint64) (fraction * (double) self->n_bytes));
  g_autofree char *all = g_format_size (self->n_bytes);
  g_autofree char *speed = NULL;
  int left_s;

  if (self->n_bytes == 0)
    return g_strdup_printf (_ ("%.0f %%"), 100 * fraction);
  if (self->is_fetching && fraction == 0)
    return g_strdup ("");
  if (fraction < 0.05 || passed_us < G_USEC_PER_SEC)
    /* Translators: bytes read so far, and all. */
    return g_strdup_printf (_ ("%s of %s"), done, all);
  speed = g_format_size (
      (guint64) (fraction * (double) self->n_bytes / (double) passed_us * G_USEC_PER_SEC));
  left_s = (int) ((double) passed_us / fraction * (1 - fraction) / G_USEC_PER_SEC) + 1;
  /* Translators: bytes read so far, all, bytes in a second, and seconds. */
  return g_strdup_printf (_ ("%s of %s · %s/s · about %d s left"), done, all, speed, left_s);
}

/* Sets the name of the current step. @page_text is for the page shown before there is any
 * content. */
static void
set_what (NsLoadBar *self, const char *what, const char *page_text)
{
  gtk_label_set_text (GTK_LABEL (self->what), what);
  self->page_text = page_text;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE_TEXT]);
}

/* Switches between fetching and reading. Both restart the clock, because the remaining time of
 * each is estimated from its own speed. */
static void
set_fetching (NsLoadBar *self, gboolean is_fetching)
{
  self->is_fetching = is_fetching;
  self->began_us = g_get_monotonic_time ();
  set_what (self,
            is_fetching ? _ ("Fetching the file") : _ ("Reading events"),
            is_fetching ? _ ("Fetching the file…") : _ ("Reading the trace…"));
}

/**
 * ns_load_bar_begin:
 * @self: a load bar
 *
 * Starts a load. The bar is shown if the load takes longer than REVEAL_US.
 */
void
ns_load_bar_begin (NsLoadBar *self)
{
  g_return_if_fail (NS_IS_LOAD_BAR (self));

  set_fetching (self, FALSE);
  self->n_bytes = 0;
  self->fraction = 0;
  gtk_label_set_text (GTK_LABEL (self->text), "");
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
}

/**
 * ns_load_bar_end:
 * @self: a load bar
 *
 * Ends the load and hides the bar.
 */
void
ns_load_bar_end (NsLoadBar *self)
{
  g_return_if_fail (NS_IS_LOAD_BAR (self));

  gtk_info_bar_set_revealed (GTK_INFO_BAR (self->bar), FALSE);
}

/**
 * ns_load_bar_show_connecting:
 * @self: a load bar
 *
 * Shows that a remote share is being mounted, which comes before reading.
 */
void
ns_load_bar_show_connecting (NsLoadBar *self)
{
  g_return_if_fail (NS_IS_LOAD_BAR (self));

  set_what (self, _ ("Connecting…"), _ ("Connecting…"));
  gtk_info_bar_set_revealed (GTK_INFO_BAR (self->bar), TRUE);
}

/**
 * ns_load_bar_set_bytes:
 * @self: a load bar
 * @n_bytes: the size of the file; 0 if not known
 *
 * Sets the size of the file.
 */
void
ns_load_bar_set_bytes (NsLoadBar *self, guint64 n_bytes)
{
  g_return_if_fail (NS_IS_LOAD_BAR (self));

  self->n_bytes = n_bytes;
}

/**
 * ns_load_bar_get_bytes:
 * @self: a load bar
 *
 * Returns: the size of the file at the start of the load, or 0
 */
guint64
ns_load_bar_get_bytes (NsLoadBar *self)
{
  g_return_val_if_fail (NS_IS_LOAD_BAR (self), 0);

  return self->n_bytes;
}

/**
 * ns_load_bar_reveal:
 * @self: a load bar
 *
 * Shows the bar, and focuses its button if the bar was hidden.
 */
void
ns_load_bar_reveal (NsLoadBar *self)
{
  g_return_if_fail (NS_IS_LOAD_BAR (self));

  if (gtk_info_bar_get_revealed (GTK_INFO_BAR (self->bar)))
    return;
  gtk_info_bar_set_revealed (GTK_INFO_BAR (self->bar), TRUE);
  ns_load_bar_focus (self);
}

/**
 * ns_load_bar_focus:
 * @self: a load bar
 *
 * Focuses the Cancel button.
 */
void
ns_load_bar_focus (NsLoadBar *self)
{
  g_return_if_fail (NS_IS_LOAD_BAR (self));

  gtk_widget_grab_focus (self->cancel_button);
}

/**
 * ns_load_bar_set_progress:
 * @self: a load bar
 * @fraction: the part of the file that was read or fetched, 0 to 1
 * @is_fetching: whether the file is being fetched from a remote location
 *
 * Updates the progress.
 */
void
ns_load_bar_set_progress (NsLoadBar *self, double fraction, gboolean is_fetching)
{
  g_autofree char *text = NULL;

  g_return_if_fail (NS_IS_LOAD_BAR (self));

  if (self->is_fetching != is_fetching)
    set_fetching (self, is_fetching);
  self->fraction = fraction;
  text = progress_text (self, fraction);
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), fraction);
  if (g_get_monotonic_time () - self->began_us > REVEAL_US)
    ns_load_bar_reveal (self);
}

/**
 * ns_load_bar_dup_subtitle:
 * @self: a load bar
 *
 * Returns: (transfer full): the subtitle of the window during the load
 */
char *
ns_load_bar_dup_subtitle (NsLoadBar *self)
{
  g_autofree char *size = NULL;

  g_return_val_if_fail (NS_IS_LOAD_BAR (self), NULL);

  size = g_format_size (self->n_bytes);
  if (self->is_fetching)
    return self->n_bytes > 0
               /* Translators: the size of a file on a server, the part that was read so far. */
               ? g_strdup_printf (_ ("Fetching %s · %.0f %%"), size, 100 * self->fraction)
               : g_strdup (_ ("Fetching…"));
  return self->n_bytes > 0
             /* Translators: the size of the file, the part that was read. */
             ? g_strdup_printf (_ ("Reading %s · %.0f %%"), size, 100 * self->fraction)
             : g_strdup_printf (_ ("Reading · %.0f %%"), 100 * self->fraction);
}

static void
ns_load_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_PAGE_TEXT)
    g_value_set_string (value, NS_LOAD_BAR (object)->page_text);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_load_bar_class_init (NsLoadBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->get_property = ns_load_bar_get_property;
  /**
   * NsLoadBar:page-text:
   *
   * The current step, as text for the page that is shown before there is any content.
   */
  properties[PROP_PAGE_TEXT] = g_param_spec_string ("page-text",
                                                    NULL,
                                                    NULL,
                                                    NULL,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-load-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsLoadBar, bar);
  gtk_widget_class_bind_template_child (widget_class, NsLoadBar, what);
  gtk_widget_class_bind_template_child (widget_class, NsLoadBar, text);
  gtk_widget_class_bind_template_child (widget_class, NsLoadBar, progress);
  gtk_widget_class_bind_template_child (widget_class, NsLoadBar, cancel_button);
}

static void
ns_load_bar_init (NsLoadBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_fetching (self, FALSE);
}
