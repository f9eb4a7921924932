/* Section that shows the selected request as captured on the other machine: where its time went,
 * and a link to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-pair-section.h"

#include "ui/panel/ns-summary.h"
#include "ui/sheets/ns-pair-card.h"
#include "ui/sheets/ns-pair-words.h"

#include <string.h>

struct _NsPairSection
{
  GtkBox parent_instance;

  NsPairing *pairing;  /* (nullable): a complete pairing */
  GtkWidget *sentence; /* label returned by ns_pair_section_get_sentence(), placed by the caller */
  GtkWidget *card;
  guint client_machine; /* machine that sent the request shown: 0 is that of the session's trace */
};

G_DEFINE_FINAL_TYPE (NsPairSection, ns_pair_section, GTK_TYPE_BOX)

/* Goes to the other end; the link to the end already shown does nothing. */
static void
go_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  NsPairSection *self = NS_PAIR_SECTION (widget);
  gboolean is_server = strcmp (action, "pairs.go-server") == 0;

  if (is_server == (self->client_machine == 0))
    gtk_widget_activate_action (widget, "win.pair-other-end", NULL);
}

static void
ns_pair_section_dispose (GObject *object)
{
  NsPairSection *self = NS_PAIR_SECTION (object);

  g_clear_object (&self->pairing);
  g_clear_object (&self->sentence);
  G_OBJECT_CLASS (ns_pair_section_parent_class)->dispose (object);
}

static void
ns_pair_section_class_init (NsPairSectionClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_pair_section_dispose;
  gtk_widget_class_install_action (widget_class, "pairs.go-client", NULL, go_cb);
  gtk_widget_class_install_action (widget_class, "pairs.go-server", NULL, go_cb);
}

static void
ns_pair_section_init (NsPairSection *self)
{
  self->sentence = g_object_ref_sink (ns_summary_new ());
  self->card = ns_pair_card_new ();
  gtk_box_append (GTK_BOX (self), self->card);
  ns_pair_section_set_row (self, G_MAXUINT32);
}

/**
 * ns_pair_section_new:
 *
 * Returns: (transfer floating): an empty section
 */
GtkWidget *
ns_pair_section_new (void)
{
  return g_object_new (NS_TYPE_PAIR_SECTION, NULL);
}

/**
 * ns_pair_section_get_sentence:
 * @self: a section
 *
 * Returns: (transfer none): a label with the outcome of the request, to be placed by the caller
 */
GtkWidget *
ns_pair_section_get_sentence (NsPairSection *self)
{
  return self->sentence;
}

/**
 * ns_pair_section_set_pairing:
 * @self: a section
 * @pairing: (nullable): complete pairing with the trace of another machine
 *
 * Sets the pairing and clears the section until the next ns_pair_section_set_row().
 */
void
ns_pair_section_set_pairing (NsPairSection *self, NsPairing *pairing)
{
  g_set_object (&self->pairing, pairing);
  /* The shown pair belongs to the previous pairing. */
  ns_pair_section_set_row (self, G_MAXUINT32);
}

/**
 * ns_pair_section_set_row:
 * @self: a section
 * @activity: row of the activity table, 0-based; %G_MAXUINT32 clears the section
 *
 * Shows the request as captured on both machines.
 *
 * Returns: whether the operation is a request to or from the other machine
 */
gboolean
ns_pair_section_set_row (NsPairSection *self, guint32 activity)
{
  const NsPairRow *row = self->pairing != NULL && activity != G_MAXUINT32
                             ? ns_pairing_find (self->pairing, activity + 1)
                             : NULL;
  const NsPairs *pairs = row != NULL ? ns_pairing_get_pairs (self->pairing) : NULL;
  g_autofree char *text = NULL;
  char *names[2] = { NULL, NULL };
  guint i;

  for (i = 0; i < 2 && row != NULL; i++)
    names[i] = ns_pairing_dup_machine (self->pairing, i);
  if (row != NULL)
    {
      text = ns_pair_words_sentence (pairs, row, names);
      self->client_machine = row->client_machine;
    }
  ns_summary_set_text (self->sentence, text != NULL ? text : "");
  gtk_widget_set_visible (self->sentence, row != NULL);
  ns_pair_card_set (NS_PAIR_CARD (self->card), pairs, row, names);
  g_free (names[0]);
  g_free (names[1]);
  return row != NULL;
}
