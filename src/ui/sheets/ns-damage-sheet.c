/* List of the readable and the missing parts of a damaged trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-damage-sheet.h"

#include <glib/gi18n.h>

struct _NsDamageSheet
{
  GtkWidget parent_instance;

  GtkWidget *scrolled;
  GtkWidget *list;
  GString *report; /* the list as plain text, for the clipboard */
};

G_DEFINE_FINAL_TYPE (NsDamageSheet, ns_damage_sheet, GTK_TYPE_WIDGET)

static GtkWidget *
label_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  return label;
}

/* Adds a line: a mark for readable or missing, a description and a note at the end of the line. */
static void
add_line (NsDamageSheet *self, gboolean is_good, const char *text, const char *note)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *mark =
      gtk_image_new_from_icon_name (is_good ? "object-select-symbolic" : "dialog-warning-symbolic");
  GtkWidget *label = label_new (text);
  GtkWidget *end = label_new (note);

  gtk_image_set_pixel_size (GTK_IMAGE (mark), 14);
  gtk_widget_add_css_class (mark, is_good ? "ok-mark" : "warning-text");
  /* Screen readers announce neither the colour nor the shape of the mark. */
  ns_accessible_set_name (GTK_WIDGET (mark), is_good ? _ ("read") : _ ("missing"));
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (end), 1);
  gtk_widget_add_css_class (end, "dim");
  gtk_widget_add_css_class (line, "damage-line");
  gtk_box_append (GTK_BOX (line), mark);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), end);
  gtk_box_append (GTK_BOX (self->list), line);
  g_string_append_printf (self->report, "%s %s: %s\n", is_good ? "✓" : "⚠", text, note);
}

static void
add_read (NsDamageSheet *self, const NsTrace *trace, const NsDamage *damage)
{
  guint n_all = ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES);
  g_autofree char *n_buffers = ns_words_count (damage->n_read);
  g_autofree char *n_events = ns_words_count (trace->n_records);
  g_autofree char *n_rows = ns_words_count (n_all);
  g_autofree char *end = ns_words_seconds (damage->read_end_ns);
  /* Translators: of what was read of a damaged file; both are numbers. */
  g_autofree char *buffers = g_strdup_printf (_ ("%s buffers, %s events"), n_buffers, n_events);
  g_autofree char *up_to = g_strdup_printf (_ ("up to %s"), end);
  g_autofree char *n_torn = ns_words_count (damage->n_torn);
  g_autofree char *rows = NULL;

  add_line (self, TRUE, buffers, up_to);
  if (damage->n_torn == 0)
    {
      rows = g_strdup_printf (ngettext ("%s row", "%s rows", n_all), n_rows);
      add_line (self, TRUE, rows, _ ("all with a recorded end"));
      return;
    }
  rows = g_strdup_printf (ngettext ("%s row, %s without a recorded end",
                                    "%s rows, %s without a recorded end",
                                    n_all),
                          n_rows,
                          n_torn);
  add_line (self, TRUE, rows, _ ("drawn with a torn edge"));
}

static void
add_missing (NsDamageSheet *self, const NsTrace *trace, const NsDamage *damage)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint64 n_there = report->n_buffers + report->n_empty;

  if (damage->n_expected > n_there)
    {
      guint64 n_missing = damage->n_expected - n_there;
      g_autofree char *n = ns_words_count (n_missing);
      g_autofree char *n_events = ns_words_count (damage->n_events_missing);
      g_autofree char *text =
          g_strdup_printf (ngettext ("%s buffer missing", "%s buffers missing", (gulong) n_missing),
                           n);
      g_autofree char *note = g_strdup_printf (_ ("about %s events"), n_events);

      add_line (self, FALSE, text, note);
    }
  if (damage->n_places > 0)
    {
      g_autofree char *n = ns_words_count (damage->n_places);
      g_autofree char *n_bytes = ns_words_count (report->n_bytes_dropped);
      g_autofree char *text =
          g_strdup_printf (ngettext ("%s damaged place", "%s damaged places", damage->n_places), n);
      g_autofree char *note = g_strdup_printf (_ ("%s bytes left out"), n_bytes);

      add_line (self, FALSE, text, note);
    }
  if (damage->lacks_images)
    add_line (self,
              FALSE,
              _ ("No list of modules: it is often at the end"),
              _ ("module names may be missing"));
}

static void
add_schemas (NsDamageSheet *self, const NsDamage *damage)
{
  g_autofree char *n_known = ns_words_count (damage->n_described);
  g_autofree char *n_all = ns_words_count (damage->n_providers);
  gboolean is_all = damage->n_described == damage->n_providers;
  g_autofree char *note =
      is_all ? g_strdup_printf (ngettext ("%s provider", "all %s providers", damage->n_providers),
                                n_all)
             /* Translators: both are numbers. */
             : g_strdup_printf (_ ("%s of %s providers"), n_known, n_all);

  add_line (self, is_all, _ ("Provider names and fields"), note);
}

static void
copy_cb (NsDamageSheet *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->report->str);
}

static GtkWidget *
build_buttons (NsDamageSheet *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *back = gtk_button_new_with_label (_ ("Show the Rows"));
  GtkWidget *info = gtk_button_new_with_label (_ ("Trace Information"));
  GtkWidget *copy = gtk_button_new_with_label (_ ("Copy This Report"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "win.damage");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (info), "win.info");
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_cb), self);
  gtk_box_append (GTK_BOX (row), back);
  gtk_box_append (GTK_BOX (row), info);
  gtk_box_append (GTK_BOX (row), copy);
  gtk_box_append (GTK_BOX (row), ns_help_button_new ("health"));
  gtk_widget_set_margin_top (row, 9);
  return row;
}

static void
ns_damage_sheet_dispose (GObject *object)
{
  NsDamageSheet *self = NS_DAMAGE_SHEET (object);

  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  if (self->report != NULL)
    g_string_free (self->report, TRUE);
  self->report = NULL;
  G_OBJECT_CLASS (ns_damage_sheet_parent_class)->dispose (object);
}

static void
ns_damage_sheet_class_init (NsDamageSheetClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_damage_sheet_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_damage_sheet_init (NsDamageSheet *self)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = label_new (_ ("Readable contents"));

  self->report = g_string_new (NULL);
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (title, "section-title");
  gtk_widget_add_css_class (title, "damage-line");
  gtk_box_append (GTK_BOX (content), title);
  gtk_box_append (GTK_BOX (content), self->list);
  gtk_box_append (GTK_BOX (content), build_buttons (self));
  gtk_widget_add_css_class (content, "dense");
  gtk_widget_set_margin_start (content, 12);
  gtk_widget_set_margin_end (content, 12);
  gtk_widget_set_margin_top (content, 3);
  gtk_widget_set_margin_bottom (content, 12);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), content);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

/**
 * ns_damage_sheet_set_session:
 * @self: a sheet
 * @session: (nullable): the session of the trace to describe
 *
 * Lists the readable and the missing parts. The list stays empty if the trace is not damaged.
 */
void
ns_damage_sheet_set_session (NsDamageSheet *self, NsSession *session)
{
  const NsDamage *damage = session != NULL ? ns_session_get_damage (session) : NULL;
  const NsTrace *trace;
  GtkWidget *child;

  g_return_if_fail (NS_IS_DAMAGE_SHEET (self));

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  g_string_truncate (self->report, 0);
  if (damage == NULL || !damage->is_damaged)
    return;
  trace = ns_session_get_trace (session);
  add_read (self, trace, damage);
  add_missing (self, trace, damage);
  add_schemas (self, damage);
}
