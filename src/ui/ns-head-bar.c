/* The header bar of the window: title, subtitle, and the buttons of the main actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-head-bar.h"

#include "model/ns-signal.h"
#include "ui/ns-accessible.h"
#include "ui/ns-start-page.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

struct _NsHeadBar
{
  GtkBox parent_instance;

  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *open_word;
  GtkWidget *recent_button;
  GtkWidget *menu_button;
  GtkWidget *trace_buttons_start;
  GtkWidget *trace_buttons_end;
};

enum
{
  SIGNAL_MENU_CLOSED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsHeadBar, ns_head_bar, GTK_TYPE_BOX)

/**
 * ns_head_bar_set_title:
 * @self: a header bar
 * @text: (nullable): the title; %NULL for the name of the application
 *
 * Sets the title.
 */
void
ns_head_bar_set_title (NsHeadBar *self, const char *text)
{
  g_return_if_fail (NS_IS_HEAD_BAR (self));

  gtk_label_set_text (GTK_LABEL (self->title), text != NULL ? text : "Netstitch");
}

/**
 * ns_head_bar_set_subtitle:
 * @self: a header bar
 * @text: (nullable): the subtitle; %NULL for “No trace open”
 *
 * Sets the subtitle.
 */
void
ns_head_bar_set_subtitle (NsHeadBar *self, const char *text)
{
  g_return_if_fail (NS_IS_HEAD_BAR (self));

  gtk_label_set_text (GTK_LABEL (self->subtitle), text != NULL ? text : _ ("No trace open"));
}

/**
 * ns_head_bar_get_subtitle:
 * @self: a header bar
 *
 * Returns: (transfer none): the subtitle
 */
const char *
ns_head_bar_get_subtitle (NsHeadBar *self)
{
  g_return_val_if_fail (NS_IS_HEAD_BAR (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->subtitle));
}

/* Returns the duration of the trace; for a truncated trace, also the part that could be read. */
static char *
dup_length (NsSession *session)
{
  const NsDamage *damage = ns_session_get_damage (session);
  g_autofree char *end = ns_words_seconds (damage->end_ns);

  if (damage->end_ns <= damage->read_end_ns)
    return g_steal_pointer (&end);
  /* Translators: seconds that could be read of a damaged trace, and how long it was. */
  return g_strdup_printf (_ ("%.2f of %s"),
                          (double) damage->read_end_ns / (double) NS_PER_SECOND,
                          end);
}

/* Returns the duration, and the number of rows in the words of the breadcrumb bar: findings are
 * about operations. */
static char *
dup_size (NsSession *session)
{
  NsTableId front = ns_session_get_front (session);
  guint n_rows =
      ns_session_count_all (session, front == NS_TABLE_FINDINGS ? NS_TABLE_ACTIVITIES : front);
  g_autofree char *length = dup_length (session);
  g_autofree char *count = ns_words_count (n_rows);

  if (front == NS_TABLE_EVENTS)
    /* Translators: a duration and a count. */
    return g_strdup_printf (ngettext ("%s · %s event", "%s · %s events", n_rows), length, count);
  /* Translators: a duration and a count. */
  return g_strdup_printf (ngettext ("%s · %s row", "%s · %s rows", n_rows), length, count);
}

/**
 * ns_head_bar_describe:
 * @self: a header bar
 * @session: a session
 * @is_narrow: whether to omit the Windows build
 *
 * Sets the subtitle to the duration of the trace and the number of rows of the table in front,
 * which the breadcrumb bar shows, too.
 */
void
ns_head_bar_describe (NsHeadBar *self, NsSession *session, gboolean is_narrow)
{
  NsTrace *trace;
  const NsEtlHeader *header;
  g_autofree char *text = NULL;
  g_autofree char *with_build = NULL;
  g_autofree char *part = NULL;

  g_return_if_fail (NS_IS_HEAD_BAR (self));
  g_return_if_fail (NS_IS_SESSION (session));

  trace = ns_session_get_trace (session);
  header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  text = dup_size (session);
  with_build = header != NULL && header->os_build != 0 && !is_narrow
                   ? g_strdup_printf (_ ("%s · Windows build %u"), text, header->os_build)
                   : g_strdup (text);
  if (trace->is_incomplete || ns_session_get_damage (session)->is_cut)
    /* Translators: at the end of the description of a trace in the header bar. */
    part = g_strdup_printf (_ ("%s · incomplete"), with_build);
  ns_head_bar_set_subtitle (self, part != NULL ? part : with_build);
}

/**
 * ns_head_bar_set_tight:
 * @self: a header bar
 * @is_tight: whether to hide the labels beside icons
 *
 * Adapts the buttons to very narrow windows.
 */
void
ns_head_bar_set_tight (NsHeadBar *self, gboolean is_tight)
{
  g_return_if_fail (NS_IS_HEAD_BAR (self));

  gtk_widget_set_visible (self->open_word, !is_tight);
}

/**
 * ns_head_bar_set_trace:
 * @self: a header bar
 * @is_open: whether a trace is open, which shows the history buttons
 * @is_shown: whether its tables are shown, which shows the info, search, export and panel buttons
 *
 * Hides the buttons that have no effect, which leaves more room for the title.
 */
void
ns_head_bar_set_trace (NsHeadBar *self, gboolean is_open, gboolean is_shown)
{
  g_return_if_fail (NS_IS_HEAD_BAR (self));

  gtk_widget_set_visible (self->trace_buttons_start, is_open);
  gtk_widget_set_visible (self->trace_buttons_end, is_shown);
}

/**
 * ns_head_bar_focus:
 * @self: a header bar
 *
 * Focuses the menu button.
 */
void
ns_head_bar_focus (NsHeadBar *self)
{
  g_return_if_fail (NS_IS_HEAD_BAR (self));

  gtk_widget_grab_focus (self->menu_button);
}

static void
menu_closed_cb (NsHeadBar *self)
{
  g_signal_emit (self, signals[SIGNAL_MENU_CLOSED], 0);
}

static void
ns_head_bar_class_init (NsHeadBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  /**
   * NsHeadBar::menu-closed:
   * @self: the header bar
   *
   * Emitted when the main menu is closed.
   */
  signals[SIGNAL_MENU_CLOSED] = ns_signal_new (NS_TYPE_HEAD_BAR, "menu-closed", G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-head-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, title);
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, subtitle);
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, open_word);
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, recent_button);
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, menu_button);
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, trace_buttons_start);
  gtk_widget_class_bind_template_child (widget_class, NsHeadBar, trace_buttons_end);
}

static void
ns_head_bar_init (NsHeadBar *self)
{
  GtkWidget *menu;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->recent_button),
                               ns_start_page_recent_popover_new ());
  menu = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->menu_button)));
  ns_accessible_set_menu_name (menu, _ ("Menu"));
  g_signal_connect_object (menu, "closed", G_CALLBACK (menu_closed_cb), self, G_CONNECT_SWAPPED);
}
