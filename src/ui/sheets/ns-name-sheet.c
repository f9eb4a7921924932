/* Dialog that asks for a label for a provider without a known name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-name-sheet.h"

#include "ui/ns-accessible.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>

#define WIDTH_PX 420

/* State of one dialog. */
typedef struct
{
  GtkWindow *window;
  GtkWidget *entry;
  GtkWidget *wrong;
  NsSession *session;
  guint row;
} Sheet;

static void
sheet_free (gpointer data)
{
  Sheet *self = data;

  g_object_unref (self->session);
  g_free (self);
}

static void
save_cb (Sheet *self)
{
  g_autoptr (GError) error = NULL;

  if (ns_session_name_provider (self->session,
                                self->row,
                                gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                                &error))
    {
      gtk_window_destroy (self->window);
      return;
    }
  gtk_label_set_text (GTK_LABEL (self->wrong), error->message);
  gtk_widget_set_visible (self->wrong, TRUE);
}

static GtkWidget *
label_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  return label;
}

static GtkWidget *
build (Sheet *self, const NsGuid *guid)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  const char *given = ns_session_get_provider_label (self->session, self->row);
  char text[NS_GUID_TEXT_SIZE];
  GtkWidget *label = label_new (ns_guid_to_text (guid, text));
  GtkWidget *note = label_new (_ ("Saved for all traces. Leave it empty to remove the name."));

  self->entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->entry), given != NULL ? given : "");
  gtk_entry_set_activates_default (GTK_ENTRY (self->entry), TRUE);
  ns_accessible_set_name (GTK_WIDGET (self->entry), _ ("Name of the provider"));
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (note, "dim");
  self->wrong = label_new (NULL);
  gtk_widget_set_visible (self->wrong, FALSE);

  ns_sheet_set_margins (box, 12);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), note);
  gtk_box_append (GTK_BOX (box), self->wrong);
  gtk_box_append (GTK_BOX (box),
                  ns_sheet_build_answers (self->window, _ ("_Save"), G_CALLBACK (save_cb), self));
  return box;
}

/**
 * ns_name_sheet_ask:
 * @parent: (nullable): the parent window
 * @session: the session of the trace
 * @row: a row of the providers table, 0-based
 *
 * Asks for a label for the provider and stores it.
 */
void
ns_name_sheet_ask (GtkWindow *parent, NsSession *session, guint row)
{
  const GArray *providers = ns_session_get_trace (session)->providers;
  Sheet *self = g_new0 (Sheet, 1);

  g_return_if_fail (row < providers->len);
  self->session = g_object_ref (session);
  self->row = row;
  self->window = ns_sheet_question_new (parent, _ ("Name of the Provider"), WIDTH_PX);
  gtk_window_set_child (self->window,
                        build (self, &g_array_index (providers, NsProviderRow, row).guid));
  g_object_set_data_full (G_OBJECT (self->window), "ns-sheet", self, sheet_free);
  gtk_window_present (self->window);
  gtk_widget_grab_focus (self->entry);
}
