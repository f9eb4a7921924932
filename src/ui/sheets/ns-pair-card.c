/* Card beside the list of paired requests: the phases of the selected request, the evidence for its
 * pairing, and the clock alignment of the two machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-pair-card.h"

#include "ui/ns-words.h"
#include "ui/sheets/ns-pair-view.h"

#include <glib/gi18n.h>

#define WIDTH_CHARS 40
/* Times below this are shown as 0.0 ms. */
#define NOTHING_NS 50000

enum
{
  COLUMN_SWATCH,
  COLUMN_NAME,
  COLUMN_NOTE,
  COLUMN_TIME,
  COLUMN_SHARE,
};

struct _NsPairCard
{
  GtkBox parent_instance;

  GtkWidget *request_section; /* contains the widgets about the selected request */
  GtkWidget *bar;
  GtkWidget *phases; /* a grid */
  GtkWidget *client;
  GtkWidget *server;
  GtkWidget *why;
  GtkWidget *clock_section;
  GtkWidget *clock;
  GtkWidget *ways;
};

G_DEFINE_FINAL_TYPE (NsPairCard, ns_pair_card, GTK_TYPE_BOX)

static GtkWidget *
label_new (const char *text, double xalign, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), (float) xalign);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
paragraph_new (void)
{
  GtkWidget *label = label_new (NULL, 0, "dim");

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  return label;
}

static const char *
get_phase_name (NsPairPhase phase)
{
  switch (phase)
    {
    case NS_PAIR_CLIENT_QUEUE:
      return _ ("Client queue");
    case NS_PAIR_NETWORK_OUT:
      return _ ("Network out");
    case NS_PAIR_SERVER_QUEUE:
      return _ ("Server queue");
    case NS_PAIR_SERVER_WORK:
      return _ ("Server work");
    case NS_PAIR_NETWORK_BACK:
    case NS_PAIR_N_PHASES:
    default:
      return _ ("Network back");
    }
}

/* Returns the machine that a phase belongs to; for network phases the uncertainty of their time. */
static char *
dup_note (const NsPairs *pairs, const NsPairRow *row, NsPairPhase phase, char *const names[2])
{
  g_autofree char *length = NULL;

  if (phase == NS_PAIR_CLIENT_QUEUE)
    return g_strdup (names[row->client_machine]);
  if (phase == NS_PAIR_SERVER_QUEUE || phase == NS_PAIR_SERVER_WORK)
    return g_strdup (names[!row->client_machine]);
  if (pairs->clock != NS_PAIRS_CLOCK_EXCHANGES)
    return g_strdup ("");
  length = ns_words_milliseconds (pairs->fit.uncertainty_ns);
  return g_strdup_printf (_ ("± %s ms"), length);
}

static void
attach_times (NsPairCard *self, int line, gint64 time_ns, gint64 all_ns, gboolean is_about)
{
  g_autofree char *number = ns_words_milliseconds (time_ns);
  g_autofree char *time = g_strdup_printf (_ ("%s%s ms"), is_about ? "≈ " : "", number);
  g_autofree char *share =
      g_strdup_printf (_ ("%.0f %%"), all_ns > 0 ? 100.0 * (double) time_ns / (double) all_ns : 0);

  gtk_grid_attach (GTK_GRID (self->phases),
                   label_new (time, 1, "numeric"),
                   COLUMN_TIME,
                   line,
                   1,
                   1);
  gtk_grid_attach (GTK_GRID (self->phases),
                   label_new (share, 1, "numeric"),
                   COLUMN_SHARE,
                   line,
                   1,
                   1);
}

static void
attach_name (NsPairCard *self, int line, const char *name, const char *note)
{
  GtkWidget *label = label_new (note, 0, "dim");

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_grid_attach (GTK_GRID (self->phases), label_new (name, 0, NULL), COLUMN_NAME, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->phases), label, COLUMN_NOTE, line, 1, 1);
}

/* Lists the phases and the total. Time that no phase covers has a line of its own. */
static void
fill_phases (NsPairCard *self, const NsPairs *pairs, const NsPairRow *row, char *const names[2])
{
  GtkWidget *child;
  gint64 all_ns = row->duration_ns != NS_UNKNOWN ? row->duration_ns : 0;
  gint64 rest_ns = all_ns;
  int line = 0;
  guint i;

  while ((child = gtk_widget_get_first_child (self->phases)) != NULL)
    gtk_grid_remove (GTK_GRID (self->phases), child);
  for (i = 0; i < NS_PAIR_N_PHASES; i++)
    {
      GtkWidget *swatch = ns_pair_view_new (NS_PAIR_VIEW_PHASE, (NsPairPhase) i);
      g_autofree char *note = dup_note (pairs, row, (NsPairPhase) i, names);

      g_object_ref_sink (swatch);
      if (row->phases[i] != NS_UNKNOWN)
        {
          ns_pair_view_set (NS_PAIR_VIEW (swatch), pairs, row);
          gtk_grid_attach (GTK_GRID (self->phases), swatch, COLUMN_SWATCH, line, 1, 1);
          attach_name (self, line, get_phase_name ((NsPairPhase) i), note);
          attach_times (self, line++, row->phases[i], all_ns, (row->about & (1u << i)) != 0);
          rest_ns -= row->phases[i];
        }
      g_object_unref (swatch);
    }
  if (rest_ns >= NOTHING_NS)
    {
      attach_name (self, line, _ ("Not attributed"), "");
      attach_times (self, line++, rest_ns, all_ns, FALSE);
    }
  if (row->duration_ns == NS_UNKNOWN)
    return;
  gtk_grid_attach (GTK_GRID (self->phases),
                   label_new (_ ("Total"), 0, "strong"),
                   COLUMN_NAME,
                   line,
                   1,
                   1);
  attach_times (self, line, all_ns, all_ns, FALSE);
}

static const char *
get_evidence (const NsPairConnection *connection)
{
  switch ((NsPairEvidence) connection->evidence)
    {
    case NS_PAIR_BY_SEQUENCE:
      return _ ("the same addresses, ports and initial sequence numbers");
    case NS_PAIR_BY_NAT:
      return _ ("the same initial sequence numbers; an address was translated between them");
    case NS_PAIR_BY_PAYLOAD:
      return _ ("the same bytes at the same stream offsets");
    case NS_PAIR_BY_TLS:
      return _ ("the same random numbers in the TLS handshake");
    case NS_PAIR_BY_ENDS:
    default:
      return _ ("the same addresses and ports at the same time");
    }
}

static void
fill_why (NsPairCard *self, const NsPairs *pairs, const NsPairRow *row, char *const names[2])
{
  const NsPairConnection *connection =
      row->connection != G_MAXUINT
          ? &g_array_index (pairs->connections, NsPairConnection, row->connection)
          : NULL;
  g_autofree char *text = NULL;

  gtk_button_set_label (GTK_BUTTON (self->client), names[row->client_machine]);
  gtk_button_set_label (GTK_BUTTON (self->server), names[!row->client_machine]);
  gtk_widget_set_visible (self->server, row->server != 0);
  if (row->server == 0)
    /* Translators: the name of a computer. */
    text = g_strdup_printf (_ ("It was not seen on %s."), names[!row->client_machine]);
  else if (connection != NULL)
    /* Translators: what two connections have in common, and how sure it is: “certain”. */
    text = g_strdup_printf (_ ("Same connection: %s (%s)"),
                            get_evidence (connection),
                            ns_words_get_confidence (connection->confidence));
  gtk_label_set_text (GTK_LABEL (self->why), text != NULL ? text : "");
}

static void
fill_clock (NsPairCard *self, const NsPairs *pairs, char *const names[2])
{
  g_autofree char *crossing = ns_words_count (pairs->n_crossing);
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->clock_section,
                          pairs->clock != NS_PAIRS_CLOCK_WALL &&
                              pairs->deviations[0]->len + pairs->deviations[1]->len > 0);
  ns_pair_view_set (NS_PAIR_VIEW (self->clock), pairs, NULL);
  text = pairs->n_crossing == 0
             ? g_strdup_printf (
                   /* Translators: of a plot of clocks; the name of a computer. */
                   _ ("▼ sent to %s: upper bound · △ sent back: lower bound, in ms. None "
                      "contradicts the band."),
                   names[1])
             : g_strdup_printf (
                   /* Translators: of a plot of clocks; the name of a computer, and a count. */
                   _ ("▼ sent to %s: upper bound · △ sent back: lower bound, in ms. Those that "
                      "contradict the band are red: %s"),
                   names[1],
                   crossing);
  gtk_label_set_text (GTK_LABEL (self->ways), text);
}

static GtkWidget *
add_section (GtkWidget *box, const char *title)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_box_append (GTK_BOX (section), label_new (title, 0, "strong"));
  gtk_box_append (GTK_BOX (box), section);
  return section;
}

static GtkWidget *
link_new (const char *action)
{
  GtkWidget *button = gtk_button_new ();

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
ns_pair_card_class_init (NsPairCardClass *klass)
{
}

static void
ns_pair_card_init (NsPairCard *self)
{
  GtkWidget *section;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 12);
  self->request_section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_box_append (GTK_BOX (self), self->request_section);

  section = add_section (self->request_section, _ ("Phase Breakdown"));
  self->bar = ns_pair_view_new (NS_PAIR_VIEW_REQUEST, NS_PAIR_N_PHASES);
  self->phases = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->phases), 6);
  gtk_grid_set_row_spacing (GTK_GRID (self->phases), 2);
  gtk_box_append (GTK_BOX (section), self->bar);
  gtk_box_append (GTK_BOX (section), self->phases);

  section = add_section (self->request_section, _ ("Seen on Both Machines"));
  self->client = link_new ("pairs.go-client");
  self->server = link_new ("pairs.go-server");
  self->why = paragraph_new ();
  gtk_box_append (GTK_BOX (section), self->client);
  gtk_box_append (GTK_BOX (section), self->server);
  gtk_box_append (GTK_BOX (section), self->why);

  self->clock_section = add_section (GTK_WIDGET (self), _ ("Clock Alignment"));
  self->clock = ns_pair_view_new (NS_PAIR_VIEW_CLOCK, NS_PAIR_N_PHASES);
  self->ways = paragraph_new ();
  gtk_box_append (GTK_BOX (self->clock_section), self->clock);
  gtk_box_append (GTK_BOX (self->clock_section), self->ways);
  gtk_widget_set_visible (self->request_section, FALSE);
  gtk_widget_set_visible (self->clock_section, FALSE);
}

/**
 * ns_pair_card_new:
 *
 * Returns: (transfer floating): an empty card
 */
GtkWidget *
ns_pair_card_new (void)
{
  return g_object_new (NS_TYPE_PAIR_CARD, NULL);
}

/**
 * ns_pair_card_set:
 * @self: a card
 * @pairs: (nullable): the paired requests; must outlive their use by the card
 * @row: (nullable): the selected request
 * @names: the names of the two machines; ignored without @pairs
 *
 * Shows the phases of the request and the clock alignment.
 */
void
ns_pair_card_set (NsPairCard *self,
                  const NsPairs *pairs,
                  const NsPairRow *row,
                  char *const names[2])
{
  GtkWidget *child;

  gtk_widget_set_visible (self->request_section, pairs != NULL && row != NULL);
  ns_pair_view_set (NS_PAIR_VIEW (self->bar), pairs, row);
  if (pairs != NULL && row != NULL)
    {
      fill_phases (self, pairs, row, names);
      fill_why (self, pairs, row, names);
    }
  else
    while ((child = gtk_widget_get_first_child (self->phases)) != NULL)
      gtk_grid_remove (GTK_GRID (self->phases), child);
  if (pairs != NULL)
    fill_clock (self, pairs, names);
  else
    {
      ns_pair_view_set (NS_PAIR_VIEW (self->clock), NULL, NULL);
      gtk_widget_set_visible (self->clock_section, FALSE);
    }
}
