/* The rows of other tables that a row names, each with a sentence and how sure it is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-spoken.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-links-grid.h"

#include <glib/gi18n.h>

/* How sure a link is, as blocks; rows below the activity know it of their own link. */
static int
get_confidence (NsTrace *trace, NsTableId table, guint32 row, NsTableId target, guint32 linked)
{
  switch (target)
    {
    case NS_TABLE_TCP:
      if (table == NS_TABLE_WINSOCK)
        return (int) g_array_index (trace->winsock, NsWinsockRow, row).tcp_confidence;
      break;
    case NS_TABLE_ACTIVITIES:
      return g_array_index (trace->activities, NsActivityRow, linked).confidence;
    default:
      break;
    }
  if (table == NS_TABLE_ACTIVITIES)
    return g_array_index (trace->activities, NsActivityRow, row).confidence;
  return -1;
}

static GtkWidget *
blocks_new (int confidence)
{
  static const char *const blocks[] = { "▯▯▯", "▮▯▯", "▮▮▯", "▮▮▮" };
  GtkWidget *label = gtk_label_new (blocks[CLAMP (confidence, 0, 3)]);
  const char *words = ns_words_get_confidence (confidence);

  gtk_widget_add_css_class (label, "dim");
  gtk_widget_set_tooltip_text (label, words);
  gtk_widget_set_halign (label, GTK_ALIGN_END);
  ns_spoken_set_name (label, words);
  return label;
}

/* The table a field names a row of. */
static gboolean
get_target (NsTableId table, const NsField *field, NsTableId *target)
{
  if (field->type != NS_TYPE_ROW)
    return FALSE;
  *target = NS_TABLE_ACTIVITIES;
  if (g_strcmp0 (field->id, "parent") == 0)
    *target = table;
  else if (g_strcmp0 (field->id, "activity") != 0 && !ns_table_from_name (field->id, target))
    return FALSE;
  return TRUE;
}

static GtkWidget *
link_new (NsTrace *trace, NsTableId target, guint32 row, int confidence)
{
  g_autofree char *sentence = ns_sentence_new (trace, target, row);
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label;

  /* Translators: a link to a row of another table, such as “TCP, row 12”. */
  text = g_strdup_printf (_ ("%s, row %" G_GUINT64_FORMAT),
                          _ (ns_table_get_title (target)),
                          (guint64) row + 1);
  shown = g_strdup_printf ("%s%s",
                           confidence == NS_CONFIDENCE_INFERRED || confidence == NS_CONFIDENCE_NAME
                               ? "≈ "
                               : "",
                           sentence != NULL ? sentence : text);
  label = gtk_label_new (shown);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_tooltip_text (button, shown);
  ns_spoken_set_name (button, shown);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.go-to");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button),
                                    "(su)",
                                    ns_table_get_name (target),
                                    row);
  return button;
}

/**
 * ns_links_grid_fill:
 * @grid: an empty grid
 * @trace: the trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Adds a line for each row of another table that the row names.
 *
 * Returns: how many
 */
guint
ns_links_grid_fill (GtkGrid *grid, NsTrace *trace, NsTableId table, guint32 row)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  int line = 0;
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      NsFieldValue value = { 0 };
      NsTableId target;
      GtkWidget *name;
      guint32 linked;
      int confidence;

      if (!get_target (table, &fields[i], &target))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      linked = value.is_null || value.v.u == 0 ? G_MAXUINT32 : (guint32) value.v.u - 1;
      ns_field_value_clear (&value);
      if (linked >= ns_table_get_n_rows (trace, target))
        continue;
      confidence = get_confidence (trace, table, row, target, linked);
      name = gtk_label_new (_ (ns_table_get_title (target)));
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_widget_add_css_class (name, "dim");
      gtk_grid_attach (grid, name, 0, line, 1, 1);
      gtk_grid_attach (grid, link_new (trace, target, linked, confidence), 1, line, 1, 1);
      if (confidence >= 0)
        gtk_grid_attach (grid, blocks_new (confidence), 2, line, 1, 1);
      line++;
    }
  return (guint) line;
}
