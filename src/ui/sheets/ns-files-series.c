/* Header line of a series in a list of files. Clicking it collapses or expands the files of the
 * series.
 *
 * The list is rebuilt when its files change, so the collapsed state is stored on the list, by the
 * name of the series.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-files-series.h"

#include "base/ns-hash.h"
#include "ui/ns-accessible.h"

#include <glib/gi18n.h>
#include <string.h>

/* Series with more files than this start collapsed. */
#define MAX_SEEN_PARTS 8
#define MAX_LETTERS 30
/* Data key on the list: hash table from the name of a series to its collapsed state. */
#define FOLDED_KEY "ns-folded"
/* Data keys on the header line. */
#define PARTS_KEY "ns-parts"
#define NAME_KEY "ns-series"
#define LIST_KEY "ns-list"

static GHashTable *
get_folded (GtkWidget *list)
{
  GHashTable *folded = g_object_get_data (G_OBJECT (list), FOLDED_KEY);

  if (folded == NULL)
    {
      folded = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
      g_object_set_data_full (G_OBJECT (list),
                              FOLDED_KEY,
                              folded,
                              (GDestroyNotify) g_hash_table_unref);
    }
  return folded;
}

static gboolean
is_folded (GtkWidget *self)
{
  return GPOINTER_TO_INT (
      g_hash_table_lookup (get_folded (g_object_get_data (G_OBJECT (self), LIST_KEY)),
                           g_object_get_data (G_OBJECT (self), NAME_KEY)));
}

static void
update (GtkWidget *self)
{
  GtkWidget *box = gtk_button_get_child (GTK_BUTTON (self));
  GPtrArray *parts = g_object_get_data (G_OBJECT (self), PARTS_KEY);
  gboolean is_hidden = is_folded (self);
  guint i;

  for (i = 0; i < parts->len; i++)
    gtk_widget_set_visible (g_ptr_array_index (parts, i), !is_hidden);
  gtk_image_set_from_icon_name (GTK_IMAGE (gtk_widget_get_first_child (box)),
                                is_hidden ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self),
                               GTK_ACCESSIBLE_STATE_EXPANDED,
                               !is_hidden,
                               -1);
}

static void
clicked_cb (GtkWidget *self)
{
  GtkWidget *list = g_object_get_data (G_OBJECT (self), LIST_KEY);

  g_hash_table_insert (get_folded (list),
                       g_strdup (g_object_get_data (G_OBJECT (self), NAME_KEY)),
                       GINT_TO_POINTER (!is_folded (self)));
  update (self);
}

/* Returns the common prefix of all names without trailing digits and separators; the first name if
 * nothing remains. */
static char *
dup_common_name (const GPtrArray *names)
{
  const char *first = g_ptr_array_index (names, 0);
  gsize length = strlen (first);
  guint i;

  for (i = 1; i < names->len; i++)
    while (strncmp (g_ptr_array_index (names, i), first, length) != 0)
      length--;
  /* Strips trailing digits and separators, and never splits a UTF-8 character. */
  while (length > 0 && (((guchar) first[length] & 0xc0) == 0x80 ||
                        g_ascii_isdigit (first[length - 1]) || strchr ("_-. (", first[length - 1])))
    length--;
  return length > 0 ? g_strndup (first, length) : g_strdup (first);
}

static char *
describe (const NsEtlFile *file, const NsCoverageLine *series, char **name, guint *n_parts)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *note = g_string_new (NULL);
  guint n_holes = 0;
  guint i;

  for (i = 0; i < series->spans->len; i++)
    {
      const NsCoverageSpan *one = &g_array_index (series->spans, NsCoverageSpan, i);

      if (one->is_missing)
        n_holes++;
      else
        g_ptr_array_add (names, ns_etl_file_dup_input_name (file, one->input));
    }
  *n_parts = names->len;
  *name = dup_common_name (names);
  /* Translators: files of one series. */
  g_string_printf (note, ngettext ("%u part", "%u parts", names->len), names->len);
  if (n_holes > 0)
    /* Translators: how often files of a series are missing between others. */
    g_string_append_printf (note, ngettext (", %u gap", ", %u gaps", n_holes), n_holes);
  return g_string_free (note, FALSE);
}

/**
 * ns_files_series_new:
 * @list: the list that the line will be in
 * @file: a trace of several files
 * @series: a series of them with at least one file
 *
 * A series of many files starts collapsed, unless the user has expanded it before.
 *
 * Returns: (transfer floating): a button that collapses and expands the files
 */
GtkWidget *
ns_files_series_new (GtkWidget *list, const NsEtlFile *file, const NsCoverageLine *series)
{
  GtkWidget *self = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  guint n_parts;
  char *name;
  g_autofree char *note = describe (file, series, &name, &n_parts);
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *spoken = g_strdup_printf ("%s, %s", shown, note);
  GtkWidget *title = gtk_label_new (shown);
  GtkWidget *count = gtk_label_new (note);

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), MAX_LETTERS);
  gtk_widget_add_css_class (title, "strong");
  gtk_widget_add_css_class (count, "dim");
  gtk_box_append (GTK_BOX (box), gtk_image_new ());
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), count);
  gtk_button_set_child (GTK_BUTTON (self), box);
  gtk_button_set_has_frame (GTK_BUTTON (self), FALSE);
  gtk_widget_set_halign (self, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self, _ ("Show or hide its files"));
  ns_accessible_set_name (self, spoken);
  g_object_set_data (G_OBJECT (self), LIST_KEY, list);
  g_object_set_data_full (G_OBJECT (self),
                          PARTS_KEY,
                          g_ptr_array_new (),
                          (GDestroyNotify) g_ptr_array_unref);
  if (!g_hash_table_contains (get_folded (list), name))
    g_hash_table_insert (get_folded (list),
                         g_strdup (name),
                         GINT_TO_POINTER (n_parts > MAX_SEEN_PARTS));
  g_object_set_data_full (G_OBJECT (self), NAME_KEY, name, g_free);
  g_signal_connect (self, "clicked", G_CALLBACK (clicked_cb), NULL);
  update (self);
  return self;
}

/**
 * ns_files_series_add:
 * @self: the line of a series
 * @part: the widget of one of its files, which lives as long as the line
 *
 * Adds a file, which is collapsed and expanded with the series.
 */
void
ns_files_series_add (GtkWidget *self, GtkWidget *part)
{
  g_ptr_array_add (g_object_get_data (G_OBJECT (self), PARTS_KEY), part);
  gtk_widget_set_visible (part, !is_folded (self));
}
