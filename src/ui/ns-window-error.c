/* A file that was refused: why, what stood in it, and what to do next.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-file-look.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/ns-wrap.h"

#include <glib/gi18n.h>
#include <string.h>

/* The first record of a trace says so: a system header, 64 bits. */
#define WANTED_BYTES "02 00 02 c0"

static const char *
get_guess (NsFileGuess guess)
{
  switch (guess)
    {
    case NS_FILE_GUESS_EMPTY:
      return _ ("the file is empty");
    case NS_FILE_GUESS_ZIP:
      return _ ("a zip archive");
    case NS_FILE_GUESS_CAB:
      return _ ("a cabinet");
    case NS_FILE_GUESS_7Z:
      return _ ("a 7z archive");
    case NS_FILE_GUESS_GZIP:
      return _ ("a gzip archive");
    case NS_FILE_GUESS_PCAPNG:
      return _ ("a packet capture (pcapng)");
    case NS_FILE_GUESS_PCAP:
      return _ ("a packet capture (pcap)");
    case NS_FILE_GUESS_EVTX:
      return _ ("an event log (evtx)");
    case NS_FILE_GUESS_TEXT:
      return _ ("a text; no zip, no cab, no pcapng");
    case NS_FILE_GUESS_NONE:
    default:
      return _ ("no zip, no cab, no pcapng");
    }
}

static void
add_fact (NsWindow *self, int line, const char *name, const char *text, gboolean is_code)
{
  GtkWidget *title = gtk_label_new (name);
  GtkWidget *value = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_widget_add_css_class (title, "dim");
  if (is_code)
    gtk_widget_add_css_class (value, "code");
  gtk_grid_attach (GTK_GRID (self->error_facts), title, 0, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->error_facts), value, 1, line, 1, 1);
}

/* The bytes, and as text what of them is text. */
static char *
describe_found (const NsFileLook *look)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < look->n_found; i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? " " : "", look->found[i]);
  if (look->n_found == 0)
    g_string_append (text, _ ("nothing: the file ends before"));
  for (i = 0; i < look->n_found && g_ascii_isprint ((char) look->found[i]); i++)
    ;
  if (look->n_found > 0 && i == look->n_found)
    g_string_append_printf (text, "  “%.*s”", (int) i, (const char *) look->found);
  return g_string_free (text, FALSE);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autofree NsFileLook *look = ns_file_look_finish (G_FILE (source), result, NULL);
  g_autofree char *size = NULL;
  g_autofree char *n_bytes = NULL;
  g_autofree char *found = NULL;
  g_autofree char *wanted = NULL;
  GtkWidget *child;

  if (look == NULL || G_FILE (source) != self->file)
    return;
  while ((child = gtk_widget_get_first_child (self->error_facts)) != NULL)
    gtk_grid_remove (GTK_GRID (self->error_facts), child);
  n_bytes = ns_words_count (look->size);
  size = g_strdup_printf (ngettext ("%s byte", "%s bytes", (gulong) look->size), n_bytes);
  found = describe_found (look);
  wanted = g_strdup_printf (_ ("Wanted at byte %d"), NS_FILE_LOOK_OFFSET);
  add_fact (self, 0, _ ("Size"), size, FALSE);
  add_fact (self, 1, wanted, WANTED_BYTES, TRUE);
  add_fact (self, 2, _ ("Found there"), found, look->n_found > 0);
  add_fact (self, 3, _ ("Other guesses"), get_guess (look->guess), FALSE);
  gtk_widget_set_visible (self->error_card, TRUE);
}

/* What the reader said of the file, as a sentence; its name stands out, and where it lies is not
 * told again. */
static char *
mark_name (NsWindow *self, const char *name, const char *message)
{
  g_autofree char *path = g_file_get_path (self->file);
  const char *found = path != NULL ? strstr (message, path) : NULL;
  g_autofree char *before = NULL;
  g_autofree char *first = NULL;
  const char *rest;

  if (found == message)
    return g_markup_printf_escaped ("<b>%s</b>%s", name, message + strlen (path));
  rest = *message != '\0' ? g_utf8_next_char (message) : message;
  first = g_utf8_strup (message, rest - message);
  if (found == NULL)
    return g_markup_printf_escaped ("%s%s", first, rest);
  before = g_strndup (rest, (gsize) (found - rest));
  return g_markup_printf_escaped ("%s%s<b>%s</b>%s", first, before, name, found + strlen (path));
}

/* The facts are texts that wrap: as high as they are wide. */
void
ns_window_add_error (NsWindow *self)
{
  GtkExpander *expander =
      GTK_EXPANDER (gtk_widget_get_ancestor (self->error_facts, GTK_TYPE_EXPANDER));

  g_object_ref (self->error_facts);
  gtk_expander_set_child (expander, NULL);
  gtk_expander_set_child (expander, ns_wrap_new (self->error_facts));
  g_object_unref (self->error_facts);
}

/* What helps begins where the card above it does; without a card it is centred like the rest. */
static void
align_help (NsWindow *self, gboolean has_card)
{
  GtkWidget *link = gtk_widget_get_next_sibling (self->error_help);

  gtk_label_set_xalign (GTK_LABEL (self->error_help), has_card ? 0 : 0.5f);
  gtk_label_set_justify (GTK_LABEL (self->error_help),
                         has_card ? GTK_JUSTIFY_LEFT : GTK_JUSTIFY_CENTER);
  gtk_widget_set_halign (link, has_card ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
}

/* Shows the page of a file that could not be opened. */
void
ns_window_show_error (NsWindow *self, const GError *error)
{
  g_autofree char *shown = ns_words_file (self->file);
  g_autofree char *subtitle = g_strdup_printf (_ ("%s could not be opened"), shown);
  g_autofree char *markup = mark_name (self, shown, error->message);
  gboolean is_strange =
      error->domain == NS_TRACE_ERROR &&
      (error->code == NS_TRACE_ERROR_NOT_A_TRACE || error->code == NS_TRACE_ERROR_TRUNCATED ||
       error->code == NS_TRACE_ERROR_ARCHIVE);

  gtk_label_set_text (GTK_LABEL (self->error_title), ns_words_get_error_title (error));
  gtk_label_set_markup (GTK_LABEL (self->error_text), markup);
  gtk_label_set_text (GTK_LABEL (self->error_help), ns_words_get_error_help (error));
  gtk_label_set_text (GTK_LABEL (self->title), "Netstitch");
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle);
  gtk_widget_set_visible (self->error_card, FALSE);
  align_help (self, is_strange);
  gtk_widget_set_visible (self->error_text_editor, is_strange);
  if (is_strange)
    ns_file_look_async (self->file, NULL, looked_cb, g_object_ref (self));
  ns_window_show_page (self, "error");
}
