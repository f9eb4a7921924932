/* Grid of all fields of a row, one per line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-fields-grid.h"

#include "model/ns-session-moment.h"
#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"

#include <glib/gi18n.h>
#include <string.h>

static GtkWidget *
label_new (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/**
 * ns_fields_grid_fill:
 * @grid: an empty grid
 * @session: a session
 * @table: a table
 * @row: row of @table, 0-based
 *
 * Attaches a line for each field of the row that is known and not empty.
 */
void
ns_fields_grid_fill (GtkGrid *grid, NsSession *session, NsTableId table, guint32 row)
{
  NsTrace *trace = ns_session_get_trace (session);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  int line = 0;
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *spoken = NULL;
      NsFieldValue value = { 0 };
      GtkWidget *label;

      /* The stack page shows the stack. */
      if (strcmp (fields[i].id, "stack_path") == 0 ||
          !ns_session_is_known (session, table, &fields[i], row))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      if (!value.is_null)
        ns_field_append_human (&fields[i], &value, text);
      ns_field_value_clear (&value);
      if (text->len == 0)
        continue;
      label = label_new (text->str, NULL);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_widget_set_hexpand (label, TRUE);
      ns_text_direction_force_ltr (label);
      /* Translators: the accessible name of a value: its field, and the value. */
      spoken = g_strdup_printf (_ ("%s: %s"), _ (fields[i].title), text->str);
      ns_accessible_set_name (label, spoken);
      gtk_grid_attach (grid, label_new (_ (fields[i].title), "dim"), 0, line, 1, 1);
      gtk_widget_set_valign (gtk_grid_get_child_at (grid, 0, line), GTK_ALIGN_START);
      gtk_grid_attach (grid, label, 1, line++, 1, 1);
    }
}
