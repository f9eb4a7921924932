/* List of the phases of an operation, with their durations and their sum.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-layout.h"
#include "model/ns-row-phases.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-phases-bar.h"
#include "ui/panel/ns-phases-grid.h"

#include <glib/gi18n.h>

static GtkWidget *
label_new (const char *text, float xalign, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* Adds a line with @sign, the (nullable) symbol of the phase, and @part, its (nullable) share. */
static void
add_phase (GtkGrid *grid,
           int line,
           GtkWidget *sign,
           const char *name,
           gint64 length_ns,
           const char *part,
           gboolean is_sum,
           gboolean is_lower_bound)
{
  g_autofree char *length = ns_words_duration_at_least (length_ns, is_lower_bound);
  GtkWidget *name_label = label_new (name, 0, is_sum ? "section-title" : NULL);
  GtkWidget *length_label = label_new (length, 1, is_sum ? "section-title" : NULL);
  GtkWidget *part_label = label_new (part != NULL ? part : "", 1, "dim");

  gtk_widget_set_hexpand (name_label, TRUE);
  gtk_label_set_wrap (GTK_LABEL (name_label), TRUE);
  ns_text_direction_force_ltr (length_label);
  ns_text_direction_force_ltr (part_label);
  if (sign != NULL)
    gtk_grid_attach (grid, sign, 0, line, 1, 1);
  gtk_grid_attach (grid, name_label, 1, line, 1, 1);
  gtk_grid_attach (grid, length_label, 2, line, 1, 1);
  gtk_grid_attach (grid, part_label, 3, line, 1, 1);
}

/* Adds the line of a phase, or of a wait before the operation began. */
static void
add_part (GtkGrid *grid,
          int line,
          const NsBlame *blame,
          const NsActivityRow *row,
          NsBlameKind kind,
          NsPhase phase)
{
  gboolean is_phase = kind == NS_BLAME_PHASE;
  const char *plain =
      is_phase ? ns_words_get_layer_phase (row->protocol, phase) : _ ("Run time before start");
  g_autofree char *part = g_strdup_printf ("%u %%", ns_blame_get_percent (blame, kind, phase));
  gboolean has_failed = is_phase && row->failed && phase != NS_PHASE_OTHER &&
                        phase == ns_timeline_get_failed_phase (row);
  /* Translators: the phase of a request in which it failed: “Receive · failed”. */
  g_autofree char *name =
      has_failed ? g_strdup_printf (_ ("%s · failed"), plain) : g_strdup (plain);

  add_phase (grid,
             line,
             is_phase ? ns_phases_bar_new_sign (row, phase) : NULL,
             name,
             ns_blame_get_span (blame, kind, phase),
             part,
             FALSE,
             FALSE);
}

/* Adds the lines of all phases. Returns the number of lines. */
static int
add_parts (GtkGrid *grid, const NsBlame *blame, const NsActivityRow *row)
{
  int line = 0;
  guint phase;

  for (phase = 0; phase < NS_N_PHASES; phase++)
    {
      gint64 span_ns = ns_blame_get_span (blame, NS_BLAME_PHASE, (NsPhase) phase);
      gboolean is_traced =
          phase != NS_PHASE_OTHER && ns_activity_row_get_phase (row, phase) != NS_UNKNOWN;

      if (span_ns > 0 || is_traced)
        add_part (grid, line++, blame, row, NS_BLAME_PHASE, (NsPhase) phase);
      if (phase == NS_PHASE_POOL && ns_blame_get_span (blame, NS_BLAME_RUNNING, phase) > 0)
        add_part (grid, line++, blame, row, NS_BLAME_RUNNING, (NsPhase) phase);
    }
  return line;
}

/**
 * ns_phases_grid_fill:
 * @grid: an empty grid
 * @session: a session
 * @activity: row of the activity table, 0-based
 *
 * Lists the phases and their sum: the duration, counted from when the work was queued if the
 * summary counts so.
 */
void
ns_phases_grid_fill (GtkGrid *grid, NsSession *session, guint32 activity)
{
  const NsTrace *trace = ns_session_get_trace (session);
  gint64 lead_ns = 0;
  int line = 0;
  const NsActivityRow *row;
  gboolean is_open;
  NsTimeSpan span;
  NsBlame blame;

  if (!ns_session_get_row_span (session, NS_TABLE_ACTIVITIES, activity, &span))
    return;
  row = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, activity + 1);
  is_open = row->close_ns == NS_TIME_OPEN;
  if (ns_row_phases_find (session, activity, &blame))
    {
      line = add_parts (grid, &blame, row);
      lead_ns = blame.lead_ns;
    }
  else
    {
      GtkWidget *label = label_new (_ ("The trace does not distinguish the phases."), 0, "dim");

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_grid_attach (grid, label, 0, line++, 4, 1);
    }
  if (lead_ns > 0)
    add_phase (grid,
               line++,
               NULL,
               _ ("Since it was queued"),
               blame.total_ns,
               "100 %",
               TRUE,
               is_open);
  add_phase (grid,
             line,
             NULL,
             _ ("Duration"),
             span.end_ns - span.begin_ns,
             lead_ns > 0 ? NULL : "100 %",
             TRUE,
             is_open);
}
