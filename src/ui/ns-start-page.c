/* Page of a window without a trace: open a file, recent files, and how to record a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-start-page.h"

#include "ui/ns-help.h"
#include "ui/ns-recent.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum number of recent files shown. */
#define NS_START_MAX_RECENT 8

struct _NsStartPage
{
  GtkWidget parent_instance;

  GtkWidget *scrolled;
  GtkWidget *recent_box;
  GtkWidget *recent;
  GtkWidget *clear;
  GtkWidget *full;
  GtkWidget *light;
  GtkWidget *packets;
  GtkWidget *pktmon;
  GtkWidget *start_command;
  GtkWidget *stop_command;
  GtkWidget *copy_start;
  GtkWidget *copy_stop;
  GtkWidget *answers;
  GtkWidget *kit;
  GtkWidget *start_step;
  GtkWidget *do_step;
  GtkWidget *stop_step;
};

G_DEFINE_FINAL_TYPE (NsStartPage, ns_start_page, GTK_TYPE_WIDGET)

static gboolean
is_trace (GtkRecentInfo *info)
{
  return g_strcmp0 (gtk_recent_info_get_mime_type (info), "application/x-etl") == 0 ||
         gtk_recent_info_has_application (info, "Netstitch");
}

static int
compare_visits (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_visited ((GtkRecentInfo *) b),
                              gtk_recent_info_get_visited ((GtkRecentInfo *) a));
}

/* Returns the traces among the recent files, newest first. */
static GList *
list_recent (void)
{
  GList *all = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  GList *list = NULL;
  GList *at;

  for (at = all; at != NULL; at = at->next)
    if (is_trace (at->data))
      list = g_list_prepend (list, gtk_recent_info_ref (at->data));
  g_list_free_full (all, (GDestroyNotify) gtk_recent_info_unref);
  return g_list_sort (list, compare_visits);
}

static char *
place_of (GtkRecentInfo *info)
{
  g_autoptr (GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (info));
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);

  if (path == NULL)
    return folder != NULL ? g_file_get_parse_name (folder) : g_strdup ("");
  if (g_str_has_prefix (path, home) && (path[length] == '/' || path[length] == '\0'))
    return g_strdup_printf ("~%s", path + length);
  return g_steal_pointer (&path);
}

/* Formats the time of the last visit as “today 14:40”, “yesterday” or a date. */
static char *
dup_visit (GDateTime *visit)
{
  g_autoptr (GDateTime) local = g_date_time_to_local (visit);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) yesterday = g_date_time_add_days (now, -1);
  g_autofree char *day = g_date_time_format (local, "%F");
  g_autofree char *today = g_date_time_format (now, "%F");
  g_autofree char *day_before = g_date_time_format (yesterday, "%F");

  if (strcmp (day, today) == 0)
    /* Translators: a time of this day, as strftime() has it. */
    return g_date_time_format (local, _ ("today %H:%M"));
  if (strcmp (day, day_before) == 0)
    return g_strdup (_ ("yesterday"));
  return g_date_time_format (local, "%x");
}

static GtkWidget *
recent_row_new (GtkRecentInfo *info)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new (gtk_recent_info_get_display_name (info));
  g_autofree char *place = place_of (info);
  gboolean is_damaged;
  g_autofree char *facts = ns_recent_dup_facts (gtk_recent_info_get_uri (info), &is_damaged);
  GtkWidget *facts_label = gtk_label_new (facts);
  GtkWidget *damaged_label = gtk_label_new (_ ("partly opened"));
  GtkWidget *place_label = gtk_label_new (place);
  g_autofree char *when = dup_visit (gtk_recent_info_get_visited (info));
  GtkWidget *when_label = gtk_label_new (when);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (place_label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (place_label), PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (place_label, "caption");
  gtk_widget_add_css_class (when_label, "caption");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), name);
  gtk_box_append (GTK_BOX (texts), place_label);
  gtk_label_set_xalign (GTK_LABEL (facts_label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (facts_label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (facts_label, "caption");
  gtk_widget_set_visible (facts_label, facts != NULL);
  gtk_box_append (GTK_BOX (texts), facts_label);
  gtk_label_set_xalign (GTK_LABEL (damaged_label), 0);
  gtk_widget_add_css_class (damaged_label, "caption");
  gtk_widget_add_css_class (damaged_label, "warning-text");
  gtk_widget_set_visible (damaged_label, is_damaged);
  gtk_box_append (GTK_BOX (texts), damaged_label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("text-x-generic-symbolic"));
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), when_label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "app.open-uri");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", gtk_recent_info_get_uri (info));
  return row;
}

static guint
fill_recent (GtkWidget *list)
{
  GList *recent = list_recent ();
  GtkWidget *child;
  GList *at;
  guint n_rows = 0;

  while ((child = gtk_widget_get_first_child (list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), child);
  for (at = recent; at != NULL && n_rows < NS_START_MAX_RECENT; at = at->next, n_rows++)
    gtk_list_box_append (GTK_LIST_BOX (list), recent_row_new (at->data));
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
  return n_rows;
}

static void
recent_changed_cb (NsStartPage *self)
{
  gtk_widget_set_visible (self->recent_box, fill_recent (self->recent) > 0);
}

static void
clear_cb (NsStartPage *self)
{
  GList *recent = list_recent ();
  GList *at;

  ns_recent_forget ();
  for (at = recent; at != NULL; at = at->next)
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (),
                                    gtk_recent_info_get_uri (at->data),
                                    NULL);
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
}

/* Questions that each kind of recording answers; "Not:" marks those that it does not. */
static const char *const light_answers[] = { N_ ("Which process contacted which server"),
                                             N_ ("Time per phase: DNS, connect, server"),
                                             N_ ("Which connection was reused, refused or reset"),
                                             N_ ("Not: contents of the packets"),
                                             NULL };
static const char *const full_answers[] = { N_ ("Which code in which process caused a request"),
                                            N_ ("Time per phase: pool, DNS, connect, TLS, server"),
                                            N_ ("Which connection was reused, refused or reset"),
                                            N_ ("What was lost while recording"),
                                            N_ ("Not: contents of the packets"),
                                            NULL };
static const char *const packets_answers[] = { N_ ("Which process contacted which server"),
                                               N_ ("Time per phase: DNS, connect, server"),
                                               N_ ("Which connection was reused, refused or reset"),
                                               N_ ("Contents of the packets"),
                                               NULL };
static const char *const pktmon_answers[] = { N_ ("Contents of the packets"),
                                              N_ ("Which packets were dropped, and why"),
                                              N_ ("Not: which code in which process caused them"),
                                              NULL };

static void
show_answers (NsStartPage *self, const char *const *answers)
{
  GtkWidget *child;
  guint i;

  while ((child = gtk_widget_get_first_child (self->answers)) != NULL)
    gtk_box_remove (GTK_BOX (self->answers), child);
  for (i = 0; answers[i] != NULL; i++)
    {
      GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      gboolean is_answered = !g_str_has_prefix (answers[i], "Not:");
      GtkWidget *image = gtk_image_new_from_icon_name (is_answered ? "object-select-symbolic"
                                                                   : "window-close-symbolic");
      GtkWidget *label = gtk_label_new (_ (answers[i]));

      gtk_image_set_pixel_size (GTK_IMAGE (image), 14);
      gtk_widget_add_css_class (image, is_answered ? "ok-mark" : "dim");
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 50);
      if (!is_answered)
        gtk_widget_add_css_class (label, "dim");
      gtk_widget_add_css_class (line, "answer");
      gtk_box_append (GTK_BOX (line), image);
      gtk_box_append (GTK_BOX (line), label);
      gtk_box_append (GTK_BOX (self->answers), line);
    }
}

static void
recipe_cb (NsStartPage *self)
{
  const char *start =
      "netsh trace start scenario=InternetClient report=no tracefile=C:\\client.etl";
  const char *stop = "netsh trace stop";
  const char *const *answers = light_answers;
  gboolean is_full = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->full));

  if (is_full)
    {
      start = "wpr -start netstitch.wprp -filemode";
      stop = "wpr -stop C:\\client.etl";
      answers = full_answers;
    }
  else if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->packets)))
    {
      start = "netsh trace start scenario=InternetClient capture=yes report=no "
              "tracefile=C:\\client.etl";
      answers = packets_answers;
    }
  else if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->pktmon)))
    {
      start = "pktmon start --capture --file-name C:\\client.etl";
      stop = "pktmon stop";
      answers = pktmon_answers;
    }
  /* WPR needs the profile netstitch.wprp, so its steps begin with getting it. */
  gtk_widget_set_visible (self->kit, is_full);
  gtk_label_set_text (GTK_LABEL (self->start_step), is_full ? "2" : "1");
  gtk_label_set_text (GTK_LABEL (self->do_step), is_full ? "3" : "2");
  gtk_label_set_text (GTK_LABEL (self->stop_step), is_full ? "4" : "3");
  gtk_label_set_text (GTK_LABEL (self->start_command), start);
  gtk_label_set_text (GTK_LABEL (self->stop_command), stop);
  show_answers (self, answers);
}

static void
copy_start_cb (NsStartPage *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          gtk_label_get_text (GTK_LABEL (self->start_command)));
}

static void
copy_stop_cb (NsStartPage *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          gtk_label_get_text (GTK_LABEL (self->stop_command)));
}

static void
ns_start_page_dispose (GObject *object)
{
  NsStartPage *self = NS_START_PAGE (object);

  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (ns_start_page_parent_class)->dispose (object);
}

static void
ns_start_page_class_init (NsStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_start_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, scrolled);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, recent_box);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, recent);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, clear);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, full);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, light);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, kit);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, start_step);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, do_step);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, stop_step);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, packets);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, pktmon);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, start_command);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, stop_command);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, copy_start);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, copy_stop);
  gtk_widget_class_bind_template_child (widget_class, NsStartPage, answers);
}

static void
ns_start_page_init (NsStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (),
                           "changed",
                           G_CALLBACK (recent_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->clear, "clicked", G_CALLBACK (clear_cb), self);
  g_signal_connect_swapped (self->full, "toggled", G_CALLBACK (recipe_cb), self);
  g_signal_connect_swapped (self->light, "toggled", G_CALLBACK (recipe_cb), self);
  g_signal_connect_swapped (self->packets, "toggled", G_CALLBACK (recipe_cb), self);
  g_signal_connect_swapped (self->pktmon, "toggled", G_CALLBACK (recipe_cb), self);
  g_signal_connect_swapped (self->copy_start, "clicked", G_CALLBACK (copy_start_cb), self);
  g_signal_connect_swapped (self->copy_stop, "clicked", G_CALLBACK (copy_stop_cb), self);
  recipe_cb (self);
  recent_changed_cb (self);
}

static void
popover_shown_cb (GtkWidget *popover, GtkWidget *list)
{
  if (fill_recent (list) == 0)
    {
      GtkWidget *label = gtk_label_new (_ ("No trace was opened yet."));

      gtk_widget_set_margin_start (label, 12);
      gtk_widget_set_margin_end (label, 12);
      gtk_widget_set_margin_top (label, 6);
      gtk_widget_set_margin_bottom (label, 6);
      gtk_list_box_append (GTK_LIST_BOX (list), label);
    }
}

/**
 * ns_start_page_recent_popover_new:
 *
 * Returns: (transfer floating): a popover with the recent traces
 */
GtkWidget *
ns_start_page_recent_popover_new (void)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_widget_set_size_request (list, 360, -1);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "recent");
  gtk_popover_set_child (GTK_POPOVER (popover), list);
  ns_help_set_popover_page (popover, NULL);
  g_signal_connect (popover, "show", G_CALLBACK (popover_shown_cb), list);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (gtk_popover_popdown), popover);
  return popover;
}
