/* What the panel tells of a finding below its sentence: the rule, how it was judged, what it cost,
 * and the operations it is about, the longest first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-finding-section.h"

#include "model/ns-session-findings.h"
#include "ui/ns-digits.h"
#include "ui/ns-spoken.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

#define N_SHOWN 5

static GtkWidget *
label_new (const char *text, float xalign, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_fact (GtkGrid *grid, int line, const char *name, const char *text)
{
  GtkWidget *what = label_new (name, 0, "dim");
  GtkWidget *value = label_new (text, 0, NULL);

  gtk_widget_set_valign (what, GTK_ALIGN_START);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_grid_attach (grid, what, 0, line, 1, 1);
  gtk_grid_attach (grid, value, 1, line, 1, 1);
}

static char *
dup_cost (const NsFindingRow *finding)
{
  g_autofree char *n_rows = ns_words_count (finding->activities->len);
  g_autofree char *cost = NULL;

  if (finding->cost_ns == NS_UNKNOWN)
    return g_strdup (_ ("not told"));
  cost = ns_words_duration (finding->cost_ns);
  if (finding->activities->len == 0)
    return g_steal_pointer (&cost);
  /* Translators: a length of time, and a number of rows. */
  return g_strdup_printf (ngettext ("%s in %s row", "%s in %s rows", finding->activities->len),
                          cost,
                          n_rows);
}

static void
add_facts (GtkWidget *box, const NsFindingRow *finding)
{
  GtkWidget *grid = gtk_grid_new ();
  g_autofree char *rule = g_strdup_printf ("%s · %s", finding->title, finding->rule);
  g_autofree char *judged = ns_session_dup_judged (finding);
  g_autofree char *cost = dup_cost (finding);

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  add_fact (GTK_GRID (grid), 0, _ ("Rule"), rule);
  add_fact (GTK_GRID (grid),
            1,
            _ ("Judged"),
            judged != NULL ? judged : _ ("from the first one that is seen"));
  add_fact (GTK_GRID (grid), 2, _ ("Cost"), cost);
  gtk_box_append (GTK_BOX (box), grid);
}

static gint64
get_length (const NsTrace *trace, NsRow row)
{
  const NsActivityRow *one = &g_array_index (trace->activities, NsActivityRow, row - 1);

  return ns_time_is_set (one->open_ns) && ns_time_is_set (one->close_ns)
             ? one->close_ns - one->open_ns
             : 0;
}

/* The longest rows, each put before those that are shorter; (transfer full) (element-type NsRow).
 */
static GArray *
list_longest (const NsTrace *trace, const NsFindingRow *finding)
{
  GArray *longest = g_array_new (FALSE, FALSE, sizeof (NsRow));
  guint i;

  for (i = 0; i < finding->activities->len; i++)
    {
      NsRow row = g_array_index (finding->activities, NsRow, i);
      guint at = longest->len;

      if (row < 1 || row > trace->activities->len)
        continue;
      while (at > 0 &&
             get_length (trace, g_array_index (longest, NsRow, at - 1)) < get_length (trace, row))
        at--;
      if (at == N_SHOWN)
        continue;
      g_array_insert_val (longest, at, row);
      g_array_set_size (longest, MIN (longest->len, N_SHOWN));
    }
  return longest;
}

static GtkWidget *
row_new (const NsTrace *trace, NsRow row)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *brief = ns_brief_new (trace, NS_TABLE_ACTIVITIES, row - 1);
  gint64 length_ns = get_length (trace, row);
  g_autofree char *length = length_ns > 0 ? ns_words_duration (length_ns) : g_strdup ("");
  g_autofree char *action = g_strdup_printf ("win.go-to(('activities', uint32 %u))", row - 1);
  GtkWidget *what = label_new (brief, 0, NULL);
  GtkWidget *how_long = label_new (length, 1, "dim");

  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (what, TRUE);
  ns_digits_keep_order (how_long);
  gtk_box_append (GTK_BOX (line), what);
  gtk_box_append (GTK_BOX (line), how_long);
  gtk_button_set_child (GTK_BUTTON (button), line);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "evidence");
  ns_spoken_set_name (button, brief);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
add_rows (GtkWidget *box, const NsTrace *trace, const NsFindingRow *finding)
{
  g_autoptr (GArray) longest = list_longest (trace, finding);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *title = label_new (_ ("Evidence"), 0, "section-title");
  GtkWidget *only = gtk_button_new_with_label (_ ("Only These Rows"));
  g_autofree char *all = ns_words_count (finding->activities->len);
  g_autofree char *n_rows = NULL;
  GtkWidget *count;
  guint i;

  if (finding->activities->len == 0 && finding->refs->len == 0)
    return;
  n_rows = g_strdup_printf (ngettext ("%s row", "%s rows", finding->activities->len), all);
  count = label_new (finding->activities->len > 0 ? n_rows : "", 0, "dim");
  gtk_widget_set_hexpand (count, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (only), "win.show-finding");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), count);
  gtk_box_append (GTK_BOX (head), only);
  gtk_box_append (GTK_BOX (box), head);
  for (i = 0; i < longest->len; i++)
    gtk_box_append (GTK_BOX (box), row_new (trace, g_array_index (longest, NsRow, i)));
}

/**
 * ns_finding_section_new:
 *
 * Returns: (transfer floating): a box for it
 */
GtkWidget *
ns_finding_section_new (void)
{
  return gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
}

/**
 * ns_finding_section_set_row:
 * @section: one of ns_finding_section_new()
 * @session: (nullable): a session; %NULL: nothing is to be shown
 * @row: a finding of its, 0-based
 *
 * Returns: whether there is something to show
 */
gboolean
ns_finding_section_set_row (GtkWidget *section, NsSession *session, guint32 row)
{
  const NsFindingRow *finding = session != NULL ? ns_session_get_finding (session, row) : NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (section)) != NULL)
    gtk_box_remove (GTK_BOX (section), child);
  if (finding == NULL)
    return FALSE;
  add_facts (section, finding);
  add_rows (section, ns_session_get_trace (session), finding);
  return TRUE;
}
