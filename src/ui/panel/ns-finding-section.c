/* Sections about a finding: the rule and its thresholds, the cost, the evidence with the most
 * expensive rows first, next steps, and what to record to find the cause.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-finding-section.h"

#include "model/ns-session-findings.h"
#include "ui/ns-accessible.h"
#include "ui/ns-section.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

#define N_SHOWN 5
/* Maximum rows in copied text. */
#define MAX_COPIED 100

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
    return g_strdup (_ ("not known"));
  cost = ns_words_duration (finding->cost_ns);
  if (finding->activities->len == 0)
    return g_steal_pointer (&cost);
  /* Translators: a duration, and a number of rows. */
  return g_strdup_printf (ngettext ("%s in %s row", "%s in %s rows", finding->activities->len),
                          cost,
                          n_rows);
}

static gboolean
add_facts (GtkWidget *box, NsSession *session, const NsFindingRow *finding)
{
  GtkWidget *grid = gtk_grid_new ();
  g_autofree char *rule = g_strdup_printf ("%s · %s", finding->title, finding->rule);
  g_autofree char *judged = ns_session_dup_judged (session, finding);
  g_autofree char *cost = dup_cost (finding);

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  add_fact (GTK_GRID (grid), 0, _ ("Rule"), rule);
  add_fact (GTK_GRID (grid),
            1,
            _ ("Criteria"),
            judged != NULL ? judged : _ ("from the first occurrence"));
  add_fact (GTK_GRID (grid), 2, _ ("Cost"), cost);
  gtk_box_append (GTK_BOX (box), grid);
  return TRUE;
}

/* Returns the start time of a row. */
static char *
dup_begin (const NsTrace *trace, const NsFindingShare *share)
{
  const NsField *field = ns_table_find_field (share->ref.table, "open_ns");
  NsFieldValue value = { .is_null = TRUE };
  char *text;

  if (field != NULL)
    ns_field_get (trace, field, share->ref.row - 1, &value);
  text = value.is_null ? g_strdup ("") : g_strdup_printf ("%.3f", (double) value.v.i / 1e9);
  ns_field_value_clear (&value);
  return text;
}

/* Creates a button that goes to a row, with its start time, short description and cost. */
static GtkWidget *
row_new (const NsTrace *trace, const NsFindingShare *share)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *brief = ns_brief_new (trace, share->ref.table, share->ref.row - 1);
  g_autofree char *cost = share->cost_ns > 0 ? ns_words_duration (share->cost_ns) : g_strdup ("");
  g_autofree char *action = g_strdup_printf ("win.go-to(('%s', uint32 %u))",
                                             ns_table_get_name (share->ref.table),
                                             share->ref.row - 1);
  g_autofree char *when = dup_begin (trace, share);
  GtkWidget *time = label_new (when, 1, "dim");
  GtkWidget *what = label_new (brief, 0, NULL);
  GtkWidget *how_long = label_new (cost, 1, "dim");

  ns_text_direction_force_ltr (time);
  gtk_box_append (GTK_BOX (line), time);
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (what, TRUE);
  ns_text_direction_force_ltr (how_long);
  gtk_box_append (GTK_BOX (line), what);
  gtk_box_append (GTK_BOX (line), how_long);
  gtk_button_set_child (GTK_BUTTON (button), line);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "evidence");
  ns_accessible_set_name (button, brief);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* Adds a line such as “7 more rows 4,962 ms”. */
static void
add_rest (GtkWidget *box, guint n_rest, gint64 rest_ns)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *count = ns_words_count (n_rest);
  g_autofree char *words =
      g_strdup_printf (ngettext ("%s more row", "%s more rows", n_rest), count);
  g_autofree char *cost = rest_ns > 0 ? ns_words_duration (rest_ns) : g_strdup ("");
  GtkWidget *what = label_new (words, 0, "dim");
  GtkWidget *how_long = label_new (cost, 1, "dim");

  gtk_widget_add_css_class (line, "evidence-rest");
  gtk_widget_set_hexpand (what, TRUE);
  ns_text_direction_force_ltr (how_long);
  gtk_box_append (GTK_BOX (line), what);
  gtk_box_append (GTK_BOX (line), how_long);
  gtk_box_append (GTK_BOX (box), line);
}

static gboolean
add_rows (GtkWidget *box, NsSession *session, const NsFindingRow *finding)
{
  const NsTrace *trace = ns_session_get_trace (session);
  g_autoptr (GArray) evidence = ns_session_list_evidence (session, finding);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *only = gtk_button_new_with_label (_ ("Only These Rows"));
  g_autofree char *all = ns_words_count (evidence->len);
  g_autofree char *words = NULL;
  GtkWidget *count;
  gint64 rest_ns = 0;
  guint n_rest = 0;
  guint n_shown = 0;
  guint i;

  words = g_strdup_printf (ngettext ("%s row", "%s rows", evidence->len), all);
  count = label_new (evidence->len > 0 ? words : "", 0, "dim");
  gtk_widget_set_hexpand (count, TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (only), "win.show-finding");
  gtk_box_append (GTK_BOX (head), count);
  gtk_box_append (GTK_BOX (head), only);
  gtk_box_append (GTK_BOX (box), head);
  for (i = 0; i < evidence->len; i++)
    {
      const NsFindingShare *share = &g_array_index (evidence, NsFindingShare, i);

      if (n_shown < N_SHOWN && share->ref.row > 0 &&
          share->ref.row <= ns_table_get_n_rows (trace, share->ref.table))
        {
          gtk_box_append (GTK_BOX (box), row_new (trace, share));
          n_shown++;
          continue;
        }
      n_rest++;
      rest_ns += share->cost_ns;
    }
  if (n_rest > 0)
    add_rest (box, n_rest, rest_ns);
  return evidence->len > 0 || finding->refs->len > 0;
}

static void
set_action (GtkWidget *button, const NsFindingStep *step)
{
  GtkActionable *actionable = GTK_ACTIONABLE (button);

  switch (step->kind)
    {
    case NS_FINDING_STEP_FILTER:
      gtk_actionable_set_action_target (actionable, "s", step->filter);
      gtk_actionable_set_action_name (actionable, "win.show-rows");
      break;
    case NS_FINDING_STEP_EVENTS:
      gtk_actionable_set_action_name (actionable, "panel.events");
      break;
    case NS_FINDING_STEP_COPY:
      gtk_actionable_set_action_name (actionable, "win.copy-finding");
      break;
    case NS_FINDING_STEP_RECIPE:
      gtk_actionable_set_action_target (actionable, "s", step->layers);
      gtk_actionable_set_action_name (actionable, "win.recipe");
      break;
    case NS_FINDING_STEP_TEXT:
    default:
      break;
    }
}

/* Creates a line for a next step, a button if the program can perform it. */
static GtkWidget *
next_step_new (const NsFindingStep *step)
{
  GtkWidget *label = label_new (step->text, 0, NULL);
  GtkWidget *button;

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  if (step->kind == NS_FINDING_STEP_TEXT)
    return label;
  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link");
  gtk_widget_add_css_class (button, "next-step");
  ns_accessible_set_name (button, step->text);
  set_action (button, step);
  return button;
}

static gboolean
add_steps (GtkWidget *box, NsSession *session, const NsFindingRow *finding)
{
  g_autoptr (GPtrArray) steps = ns_session_list_steps (session, finding);
  GtkWidget *grid = gtk_grid_new ();
  guint i;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 9);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  for (i = 0; i < steps->len; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i + 1);
      GtkWidget *number = label_new (text, 1, "dim");

      gtk_widget_set_valign (number, GTK_ALIGN_START);
      gtk_grid_attach (GTK_GRID (grid), number, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid),
                       next_step_new (g_ptr_array_index (steps, i)),
                       1,
                       (int) i,
                       1,
                       1);
    }
  gtk_box_append (GTK_BOX (box), grid);
  return steps->len > 0;
}

/* Adds what is needed to find the cause: what the trace has of it, and what is missing. */
static gboolean
add_whys (GtkWidget *box, NsSession *session, const NsFindingRow *finding)
{
  g_autoptr (GArray) whys = ns_finding_list_why (ns_session_get_trace (session), finding->rule);
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *recipe = gtk_button_new_with_label (_ ("Record What Is Missing…"));
  g_autofree char *layers =
      ns_finding_dup_missing_layers (ns_session_get_trace (session), finding->rule);
  guint i;

  gtk_grid_set_column_spacing (GTK_GRID (grid), 9);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  for (i = 0; i < whys->len; i++)
    {
      const NsFindingWhy *why = &g_array_index (whys, NsFindingWhy, i);
      GtkWidget *mark = label_new (why->is_recorded ? "✓" : "+", 0.5, NULL);
      GtkWidget *label = label_new (why->text, 0, NULL);

      gtk_widget_set_tooltip_text (mark, why->is_recorded ? _ ("Recorded") : _ ("Not recorded"));
      ns_accessible_set_name (mark, why->is_recorded ? _ ("Recorded") : _ ("Not recorded"));
      if (why->is_recorded)
        gtk_widget_add_css_class (mark, "ok-text");
      gtk_widget_set_valign (mark, GTK_ALIGN_START);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_widget_set_hexpand (label, TRUE);
      gtk_grid_attach (GTK_GRID (grid), mark, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), label, 1, (int) i, 1, 1);
    }
  gtk_widget_set_halign (recipe, GTK_ALIGN_START);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (recipe), "s", layers);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (recipe), "win.recipe");
  gtk_box_append (GTK_BOX (box), grid);
  gtk_box_append (GTK_BOX (box), recipe);
  return whys->len > 0 || *layers != '\0';
}

/* Adds a collapsible part. */
static void
add_part (GtkWidget *section, const char *title)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *expander = ns_section_new (title, box);

  gtk_widget_add_css_class (box, "section");
  gtk_box_append (GTK_BOX (section), expander);
}

typedef gboolean (*AddFunc) (GtkWidget *box, NsSession *session, const NsFindingRow *finding);

/**
 * ns_finding_section_new:
 *
 * Returns: (transfer floating): a box with empty, collapsible parts
 */
GtkWidget *
ns_finding_section_new (void)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  add_part (section, _ ("Finding"));
  add_part (section, _ ("Evidence"));
  add_part (section, _ ("What to Do Next"));
  add_part (section, _ ("To Find the Cause, Record"));
  return section;
}

/**
 * ns_finding_section_set_row:
 * @section: a widget made by ns_finding_section_new()
 * @session: (nullable): a session; %NULL clears the section
 * @row: row of the finding, 0-based
 *
 * Returns: whether there is something to show
 */
gboolean
ns_finding_section_set_row (GtkWidget *section, NsSession *session, guint32 row)
{
  static const AddFunc parts[] = { add_facts, add_rows, add_steps, add_whys };
  const NsFindingRow *finding = session != NULL ? ns_session_get_finding (session, row) : NULL;
  GtkWidget *expander = gtk_widget_get_first_child (section);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      GtkWidget *box = gtk_expander_get_child (GTK_EXPANDER (expander));
      GtkWidget *child;

      while ((child = gtk_widget_get_first_child (box)) != NULL)
        gtk_box_remove (GTK_BOX (box), child);
      gtk_widget_set_visible (expander, finding != NULL && parts[i](box, session, finding));
      expander = gtk_widget_get_next_sibling (expander);
    }
  return finding != NULL;
}

/**
 * ns_finding_section_to_text:
 * @session: a session
 * @row: row of the finding, 0-based
 * @with_evidence: whether to include the rows
 *
 * Returns: (transfer full) (nullable): sentence, cost, rule and evidence as lines; %NULL if there
 * is no such finding
 */
char *
ns_finding_section_to_text (NsSession *session, guint32 row, gboolean with_evidence)
{
  const NsFindingRow *finding = ns_session_get_finding (session, row);
  const NsTrace *trace = ns_session_get_trace (session);
  g_autoptr (GArray) evidence = NULL;
  g_autofree char *cost = NULL;
  GString *text;
  guint i;

  if (finding == NULL)
    return NULL;
  cost = dup_cost (finding);
  text = g_string_new (finding->text);
  /* Translators: what a finding cost; its rule with its number. */
  g_string_append_printf (text,
                          _ ("\nCost: %s\nRule: %s · %s"),
                          cost,
                          finding->title,
                          finding->rule);
  evidence = ns_session_list_evidence (session, finding);
  for (i = 0; with_evidence && i < evidence->len && i < MAX_COPIED; i++)
    {
      const NsFindingShare *share = &g_array_index (evidence, NsFindingShare, i);
      g_autofree char *how_long = ns_words_duration (share->cost_ns);
      g_autofree char *sentence = NULL;

      if (share->ref.row < 1 || share->ref.row > ns_table_get_n_rows (trace, share->ref.table))
        continue;
      sentence = ns_sentence_new (trace, share->ref.table, share->ref.row - 1);
      g_string_append_printf (text, "\n– %s: %s", how_long, sentence);
    }
  if (with_evidence && evidence->len > MAX_COPIED)
    g_string_append_printf (text,
                            ngettext ("\n– and %u more row",
                                      "\n– and %u more rows",
                                      evidence->len - MAX_COPIED),
                            evidence->len - MAX_COPIED);
  return g_string_free (text, FALSE);
}
