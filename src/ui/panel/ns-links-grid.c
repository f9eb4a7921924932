/* Grid of the rows in other tables that a row is linked to, each with a short description and its
 * confidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-links.h"
#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-confidence-indicator.h"
#include "ui/panel/ns-links-grid.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

static GtkWidget *
blocks_new (int confidence)
{
  GtkWidget *blocks = ns_confidence_indicator_new ();

  ns_confidence_indicator_set_confidence (blocks, confidence);
  gtk_widget_set_tooltip_text (blocks, ns_words_get_confidence (confidence));
  return blocks;
}

static GtkWidget *
link_new (NsTrace *trace, NsTableId target, guint32 row, int confidence, const char *title)
{
  g_autofree char *sentence = ns_sentence_new (trace, target, row);
  g_autofree char *brief = ns_brief_new (trace, target, row);
  gboolean is_guess = confidence == NS_CONFIDENCE_INFERRED || confidence == NS_CONFIDENCE_NAME;
  g_autofree char *shown = g_strconcat (is_guess ? "≈ " : "", brief, NULL);
  g_autofree char *hint = g_strconcat (is_guess ? "≈ " : "", sentence, NULL);
  g_autofree char *spoken = g_strdup_printf ("%s: %s", title, shown);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = gtk_label_new (shown);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  ns_text_direction_force_ltr (label);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_hexpand (button, TRUE);
  gtk_widget_set_tooltip_text (button, hint);
  ns_accessible_set_name (button, spoken);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.go-to");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button),
                                    "(su)",
                                    ns_table_get_name (target),
                                    row);
  return button;
}

/**
 * ns_links_grid_attach:
 * @grid: a grid
 * @line: line of the grid
 * @title: relation of the linked row to the shown row
 * @trace: the trace
 * @table: a table
 * @row: row of @table, 0-based
 * @confidence: an #NsConfidence, or %NS_LINK_NOT_JUDGED
 *
 * Adds a line: title, link to the row, and confidence.
 */
void
ns_links_grid_attach (GtkGrid *grid,
                      int line,
                      const char *title,
                      NsTrace *trace,
                      NsTableId table,
                      guint32 row,
                      int confidence)
{
  GtkWidget *name = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_add_css_class (name, "dim");
  gtk_grid_attach (grid, name, 0, line, 1, 1);
  gtk_grid_attach (grid, link_new (trace, table, row, confidence, title), 1, line, 1, 1);
  if (confidence >= 0)
    gtk_grid_attach (grid, blocks_new (confidence), 2, line, 1, 1);
}

/* Texts for the names of evidence used by the layers. */
static const struct
{
  const char *name;
  const char *words;
} evidences[] = {
  { "activity", N_ ("same activity ID") },
  { "address and port", N_ ("same address and port at that time") },
  { "addresses", N_ ("same addresses and ports at that time") },
  { "connecting thread", N_ ("connected on the same thread") },
  { "exchange", N_ ("same SMB client exchange") },
  { "key", N_ ("same connection pointer") },
  { "only call", N_ ("only call of this procedure at that time") },
  { "only connect", N_ ("only connect to this address at that time") },
  { "only handshake", N_ ("only TLS handshake at that time") },
  { "pipe and thread", N_ ("same thread and pipe name") },
  { "session", N_ ("address of the session") },
  { "thread", N_ ("same thread at that time") },
  { "url", N_ ("same URL at that time") },
};

static const char *
find_words (const char *name)
{
  guint i;

  for (i = 0; name != NULL && i < G_N_ELEMENTS (evidences); i++)
    if (strcmp (name, evidences[i].name) == 0)
      return evidences[i].words;
  return NULL;
}

/* Describes the evidence for a link. */
static char *
describe_evidence (const NsRowLink *link)
{
  const char *words;

  if ((words = find_words (link->evidence)) != NULL)
    return g_strdup (_ (words));
  /* Translators: the title of a column, and a pointer. */
  if (link->key != NULL)
    return g_strdup_printf (_ ("same %s: 0x%" PRIx64), _ (link->key->title), link->value);
  switch (link->confidence)
    {
    case NS_CONFIDENCE_CERTAIN:
      return g_strdup (_ ("component of the row"));
    case NS_CONFIDENCE_LIKELY:
      return g_strdup (_ ("same addresses or name at that time"));
    case NS_CONFIDENCE_INFERRED:
      return g_strdup (_ ("same thread or process, near in time"));
    case NS_CONFIDENCE_NAME:
      return g_strdup (_ ("same name or address only"));
    default:
      return NULL;
    }
}

static void
add_link (GtkGrid *grid, NsTrace *trace, const NsRowLink *link, int line)
{
  g_autofree char *evidence = describe_evidence (link);
  GtkWidget *note;

  ns_links_grid_attach (grid,
                        line,
                        _ (link->title != NULL ? link->title : ns_table_get_title (link->target)),
                        trace,
                        link->target,
                        link->row,
                        link->confidence);
  if (evidence == NULL)
    return;
  note = gtk_label_new (evidence);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (note, evidence);
  gtk_widget_set_margin_start (note, 3);
  gtk_widget_add_css_class (note, "caption");
  gtk_grid_attach (grid, note, 1, line + 1, 2, 1);
}

/**
 * ns_links_grid_fill:
 * @grid: an empty grid
 * @trace: the trace
 * @table: a table
 * @row: row of @table, 0-based
 *
 * Adds two lines for each linked row: the link with its confidence, and the evidence.
 *
 * Returns: number of lines added
 */
guint
ns_links_grid_fill (GtkGrid *grid, NsTrace *trace, NsTableId table, guint32 row)
{
  g_autoptr (GArray) links = ns_row_links_list (trace, table, row);
  guint i;

  for (i = 0; i < links->len; i++)
    add_link (grid, trace, &g_array_index (links, NsRowLink, i), (int) i * 2);
  return links->len * 2;
}
