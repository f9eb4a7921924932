/* The info bars of a window: load progress, removed files, a damaged, incomplete or changed trace,
 * and problems of configuration files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-notice-bars.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

struct _NsNoticeBars
{
  GtkBox parent_instance;

  GtkWidget *config_bar;
  GtkWidget *config_lines;
  NsLoadBar *load_bar;
  GtkWidget *removed_bar;
  GtkWidget *removed_label;
  GtkWidget *removed_button;
  GtkWidget *changed_bar;
  GtkWidget *changed_label;
  GtkWidget *read_again;
  GtkWidget *incomplete_bar;
  GtkWidget *damage_bar;
  GtkWidget *damage_label;
};

G_DEFINE_FINAL_TYPE (NsNoticeBars, ns_notice_bars, GTK_TYPE_BOX)

/* Describes a truncated file: where it ends, and what is missing. */
static char *
describe_cut (const NsTrace *trace, const NsDamage *damage)
{
  g_autofree char *n_read = ns_words_count (damage->n_read);
  g_autofree char *n_expected = ns_words_count (damage->n_expected);
  g_autofree char *size = ns_words_count (ns_etl_file_get_size (trace->file));
  g_autofree char *n_rows = ns_words_count (ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES));
  g_autofree char *end = ns_words_seconds (damage->read_end_ns);
  g_autofree char *rest = ns_words_seconds (damage->end_ns - damage->read_end_ns);
  GString *text = g_string_new (NULL);

  if (damage->n_expected >= damage->n_read)
    /* Translators: numbers; the last one is the size of the file. */
    g_string_append_printf (text,
                            _ ("The file ends at buffer %s of %s (byte %s). "),
                            n_read,
                            n_expected,
                            size);
  else
    g_string_append_printf (text, _ ("The file ends at byte %s. "), size);
  g_string_append_printf (text,
                          ngettext ("%s row up to %s is shown",
                                    "%s rows up to %s are shown",
                                    ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES)),
                          n_rows,
                          end);
  if (damage->end_ns > damage->read_end_ns)
    /* Translators: goes on after “… rows up to … are shown”; a span of time. */
    g_string_append_printf (text, _ ("; the last %s are missing"), rest);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static char *
describe_places (const NsTrace *trace, const NsDamage *damage)
{
  g_autofree char *offset = ns_words_byte (trace, damage->first->offset);

  return g_strdup_printf (ngettext ("%u damaged place, at byte %s: %s.",
                                    "%u damaged places, the first at byte %s: %s.",
                                    damage->n_places),
                          damage->n_places,
                          offset,
                          damage->first->what);
}

/* Describes damage in files that accompany a complete trace, one sentence each. */
static char *
describe_beside (const NsTrace *trace)
{
  const GPtrArray *places = ns_etl_file_get_report (trace->file)->damage;
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < places->len; i++)
    {
      const NsEtlDamage *place = g_ptr_array_index (places, i);

      g_string_append_printf (text,
                              "%s%c%s.",
                              i > 0 ? " " : "",
                              g_ascii_toupper (place->what[0]),
                              place->what + 1);
    }
  return g_string_free (text, FALSE);
}

static void
describe_damage (NsNoticeBars *self, const NsTrace *trace, const NsDamage *damage)
{
  gboolean is_cut = damage->is_cut && trace->file != NULL;
  g_autofree char *what = is_cut             ? describe_cut (trace, damage)
                          : damage->is_whole ? describe_beside (trace)
                                             : describe_places (trace, damage);
  const char *head = is_cut ? _ ("Damaged trace, opened up to the damage.")
                     : damage->is_whole
                         ? _ ("The trace is intact; files that accompany it are damaged.")
                         : _ ("Damaged trace, opened as far as it can be read.");
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b> %s", head, what);

  gtk_label_set_markup (GTK_LABEL (self->damage_label), markup);
}

static void
reveal (GtkWidget *bar, gboolean is_revealed)
{
  gtk_info_bar_set_revealed (GTK_INFO_BAR (bar), is_revealed);
}

/**
 * ns_notice_bars_set_damage:
 * @self: info bars
 * @session: a session
 *
 * Shows the damage of the trace, if there is any.
 */
void
ns_notice_bars_set_damage (NsNoticeBars *self, NsSession *session)
{
  const NsDamage *damage = ns_session_get_damage (session);

  g_return_if_fail (NS_IS_NOTICE_BARS (self));

  if (damage->is_damaged)
    describe_damage (self, ns_session_get_trace (session), damage);
  reveal (self->damage_bar, damage->is_damaged);
}

/**
 * ns_notice_bars_get_damage:
 * @self: info bars
 *
 * Returns: (transfer none): the description of the last damaged trace
 */
const char *
ns_notice_bars_get_damage (NsNoticeBars *self)
{
  g_return_val_if_fail (NS_IS_NOTICE_BARS (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->damage_label));
}

/**
 * ns_notice_bars_set_incomplete:
 * @self: info bars
 * @is_incomplete: whether the user cancelled reading the trace
 *
 * Shows or hides the bar of an incomplete trace.
 */
void
ns_notice_bars_set_incomplete (NsNoticeBars *self, gboolean is_incomplete)
{
  g_return_if_fail (NS_IS_NOTICE_BARS (self));

  reveal (self->incomplete_bar, is_incomplete);
}

/**
 * ns_notice_bars_set_change:
 * @self: info bars
 * @change: how the file has changed since it was read
 *
 * Shows or hides the bar of a changed file. The rows remain, and so do the bytes of the file while
 * it is open.
 */
void
ns_notice_bars_set_change (NsNoticeBars *self, NsFileChange change)
{
  g_return_if_fail (NS_IS_NOTICE_BARS (self));

  if (change != NS_FILE_UNCHANGED)
    {
      gtk_label_set_text (GTK_LABEL (self->changed_label),
                          change == NS_FILE_CHANGED
                              ? _ ("The file has changed on disk since it was read.")
                              : _ ("The file no longer exists. The data already read is kept."));
      gtk_widget_set_visible (self->read_again, change == NS_FILE_CHANGED);
    }
  reveal (self->changed_bar, change != NS_FILE_UNCHANGED);
}

static void
show_removed (NsNoticeBars *self, const char *text, const char *label, const char *tooltip)
{
  gtk_label_set_text (GTK_LABEL (self->removed_label), text);
  gtk_button_set_label (GTK_BUTTON (self->removed_button), label);
  gtk_widget_set_tooltip_text (self->removed_button, tooltip);
}

/**
 * ns_notice_bars_set_removed:
 * @self: info bars
 * @text: (nullable): which file was removed from the trace; %NULL when that can no longer be
 *   undone
 *
 * Shows or hides the bar that offers to undo the removal of a file.
 */
void
ns_notice_bars_set_removed (NsNoticeBars *self, const char *text)
{
  g_return_if_fail (NS_IS_NOTICE_BARS (self));

  if (text != NULL)
    show_removed (self, text, _ ("Undo"), _ ("Read it with this trace again"));
  reveal (self->removed_bar, text != NULL);
}

/**
 * ns_notice_bars_set_offer:
 * @self: info bars
 * @text: the other files that were part of the trace when it was last open
 *
 * Offers to add those files again; ns_notice_bars_set_removed() hides the offer.
 */
void
ns_notice_bars_set_offer (NsNoticeBars *self, const char *text)
{
  g_return_if_fail (NS_IS_NOTICE_BARS (self));

  show_removed (self,
                text,
                _ ("Restore Files"),
                _ ("Read the same files as when this trace was last open"));
  reveal (self->removed_bar, TRUE);
}

/**
 * ns_notice_bars_set_config_problems:
 * @self: info bars
 * @lines: the problems of the user's configuration files, one per line
 *
 * Shows the problems, or hides the bar if @lines is empty.
 */
void
ns_notice_bars_set_config_problems (NsNoticeBars *self, const char *lines)
{
  g_auto (GStrv) parts = g_strsplit (lines, "\n", -1);
  GtkWidget *child;
  guint i;

  g_return_if_fail (NS_IS_NOTICE_BARS (self));

  while ((child = gtk_widget_get_first_child (self->config_lines)) != NULL)
    gtk_box_remove (GTK_BOX (self->config_lines), child);
  for (i = 0; parts[i] != NULL; i++)
    {
      GtkWidget *label = gtk_label_new (parts[i]);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_widget_add_css_class (label, "dense");
      gtk_box_append (GTK_BOX (self->config_lines), label);
    }
  reveal (self->config_bar, *lines != '\0');
}

/**
 * ns_notice_bars_get_load_bar:
 * @self: info bars
 *
 * Returns: (transfer none): the progress bar
 */
NsLoadBar *
ns_notice_bars_get_load_bar (NsNoticeBars *self)
{
  g_return_val_if_fail (NS_IS_NOTICE_BARS (self), NULL);

  return self->load_bar;
}

static void
response_cb (GtkInfoBar *bar, int response, gpointer user_data)
{
  gtk_info_bar_set_revealed (bar, FALSE);
}

static void
ns_notice_bars_class_init (NsNoticeBarsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (NS_TYPE_LOAD_BAR);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-notice-bars.ui");
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, config_bar);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, config_lines);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, load_bar);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, removed_bar);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, removed_label);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, removed_button);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, changed_bar);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, changed_label);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, read_again);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, incomplete_bar);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, damage_bar);
  gtk_widget_class_bind_template_child (widget_class, NsNoticeBars, damage_label);
  gtk_widget_class_bind_template_callback (widget_class, response_cb);
}

static void
ns_notice_bars_init (NsNoticeBars *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ns_accessible_set_close_name (GTK_INFO_BAR (self->config_bar));
  ns_accessible_set_close_name (GTK_INFO_BAR (self->removed_bar));
  ns_accessible_set_close_name (GTK_INFO_BAR (self->changed_bar));
  ns_accessible_set_close_name (GTK_INFO_BAR (self->incomplete_bar));
  ns_accessible_set_close_name (GTK_INFO_BAR (self->damage_bar));
}
