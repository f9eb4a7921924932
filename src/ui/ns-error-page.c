/* The page shown when a file cannot be opened: the reason, the bytes found in the file, and advice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-error-page.h"

#include "model/ns-file-look.h"
#include "ui/ns-words.h"
#include "ui/ns-wrap.h"

#include <glib/gi18n.h>
#include <string.h>

/* Bytes expected at NS_FILE_LOOK_OFFSET in an ETL file: the start of a system header of a 64-bit
 * trace. */
#define WANTED_BYTES "02 00 02 c0"

struct _NsErrorPage
{
  GtkBox parent_instance;

  GFile *file; /* (nullable) */
  GSimpleActionGroup *actions;

  GtkWidget *title;
  GtkWidget *text;
  GtkWidget *help;
  GtkWidget *card;
  GtkWidget *looked;
  GtkWidget *facts;
  GtkWidget *text_editor;
};

G_DEFINE_FINAL_TYPE (NsErrorPage, ns_error_page, GTK_TYPE_BOX)

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
      return _ ("a cabinet archive");
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
      return _ ("a text file; not zip, cab or pcapng");
    case NS_FILE_GUESS_NONE:
    default:
      return _ ("not zip, cab or pcapng");
    }
}

static void
add_fact (NsErrorPage *self, int line, const char *name, const char *text, gboolean is_code)
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
  gtk_grid_attach (GTK_GRID (self->facts), title, 0, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->facts), value, 1, line, 1, 1);
}

/* Returns the bytes found in hexadecimal, and as text if all are printable. */
static char *
describe_found (const NsFileLook *look)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < look->n_found; i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? " " : "", look->found[i]);
  if (look->n_found == 0)
    g_string_append (text, _ ("nothing: the file ends earlier"));
  for (i = 0; i < look->n_found && g_ascii_isprint ((char) look->found[i]); i++)
    ;
  if (look->n_found > 0 && i == look->n_found)
    g_string_append_printf (text, "  “%.*s”", (int) i, (const char *) look->found);
  return g_string_free (text, FALSE);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsErrorPage) self = user_data;
  g_autofree NsFileLook *look = ns_file_look_finish (G_FILE (source), result, NULL);
  g_autofree char *size = NULL;
  g_autofree char *n_bytes = NULL;
  g_autofree char *found = NULL;
  g_autofree char *wanted = NULL;
  GtkWidget *child;

  if (look == NULL || G_FILE (source) != self->file)
    return;
  while ((child = gtk_widget_get_first_child (self->facts)) != NULL)
    gtk_grid_remove (GTK_GRID (self->facts), child);
  n_bytes = ns_words_count (look->size);
  size = g_strdup_printf (ngettext ("%s byte", "%s bytes", (gulong) look->size), n_bytes);
  found = describe_found (look);
  wanted = g_strdup_printf (_ ("Expected at byte %d"), NS_FILE_LOOK_OFFSET);
  add_fact (self, 0, _ ("Size"), size, FALSE);
  add_fact (self, 1, wanted, WANTED_BYTES, TRUE);
  add_fact (self, 2, _ ("Found there"), found, look->n_found > 0);
  add_fact (self, 3, _ ("Detected format"), get_guess (look->guess), FALSE);
  gtk_widget_set_visible (self->card, TRUE);
}

/* Returns the error message as markup, starting with a capital letter. The path is replaced by
 * the file name in bold, because the folder is shown elsewhere. */
static char *
mark_name (NsErrorPage *self, const char *name, const char *message)
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

/* Aligns the advice with the card above it; without a card it is centred like the rest. */
static void
align_help (NsErrorPage *self, gboolean has_card)
{
  GtkWidget *link = gtk_widget_get_next_sibling (self->help);

  gtk_label_set_xalign (GTK_LABEL (self->help), has_card ? 0 : 0.5f);
  gtk_label_set_justify (GTK_LABEL (self->help), has_card ? GTK_JUSTIFY_LEFT : GTK_JUSTIFY_CENTER);
  gtk_widget_set_halign (link, has_card ? GTK_ALIGN_START : GTK_ALIGN_CENTER);
}

/**
 * ns_error_page_show:
 * @self: an error page
 * @file: the file that could not be opened
 * @error: the reason
 *
 * Shows an error. If the content of the file is the problem, its first bytes are read
 * asynchronously and then shown.
 */
void
ns_error_page_show (NsErrorPage *self, GFile *file, const GError *error)
{
  g_autofree char *shown = ns_words_file (file);
  g_autofree char *markup = NULL;
  gboolean is_strange =
      error->domain == NS_TRACE_ERROR &&
      (error->code == NS_TRACE_ERROR_NOT_A_TRACE || error->code == NS_TRACE_ERROR_TRUNCATED ||
       error->code == NS_TRACE_ERROR_ARCHIVE);

  g_return_if_fail (NS_IS_ERROR_PAGE (self));

  g_set_object (&self->file, file);
  markup = mark_name (self, shown, error->message);
  gtk_label_set_text (GTK_LABEL (self->title), ns_words_get_error_title (error));
  gtk_label_set_markup (GTK_LABEL (self->text), markup);
  gtk_label_set_text (GTK_LABEL (self->help), ns_words_get_error_help (error));
  gtk_widget_set_visible (self->card, FALSE);
  align_help (self, is_strange);
  gtk_widget_set_visible (self->text_editor, is_strange);
  if (is_strange)
    ns_file_look_async (file, NULL, looked_cb, g_object_ref (self));
}

/**
 * ns_error_page_get_text:
 * @self: an error page
 *
 * Returns: (transfer none): the reason why the file could not be opened
 */
const char *
ns_error_page_get_text (NsErrorPage *self)
{
  g_return_val_if_fail (NS_IS_ERROR_PAGE (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->text));
}

static void
open_text_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsErrorPage *self = data;
  g_autoptr (GAppInfo) editor = g_app_info_get_default_for_type ("text/plain", FALSE);
  g_autoptr (GError) error = NULL;
  GList files = { .data = self->file };

  if (self->file == NULL)
    return;
  if (editor == NULL)
    gtk_label_set_text (GTK_LABEL (self->help), _ ("No text editor is installed."));
  else if (!g_app_info_launch (editor, &files, NULL, &error))
    gtk_label_set_text (GTK_LABEL (self->help), error->message);
}

static const GActionEntry entries[] = {
  { "open-text", open_text_cb, NULL, NULL, NULL, { 0 } },
};

/**
 * ns_error_page_get_actions:
 * @self: an error page
 *
 * Returns: (transfer none): the actions of the page: `open-text`
 */
GActionMap *
ns_error_page_get_actions (NsErrorPage *self)
{
  g_return_val_if_fail (NS_IS_ERROR_PAGE (self), NULL);

  return G_ACTION_MAP (self->actions);
}

static void
ns_error_page_finalize (GObject *object)
{
  NsErrorPage *self = NS_ERROR_PAGE (object);

  g_clear_object (&self->file);
  g_object_unref (self->actions);
  G_OBJECT_CLASS (ns_error_page_parent_class)->finalize (object);
}

static void
ns_error_page_class_init (NsErrorPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ns_error_page_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-error-page.ui");
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, title);
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, text);
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, help);
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, card);
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, looked);
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, facts);
  gtk_widget_class_bind_template_child (widget_class, NsErrorPage, text_editor);
}

static void
ns_error_page_init (NsErrorPage *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_init_template (GTK_WIDGET (self));
  /* When no width is specified, NsWrap reports the height of the grid at its natural width; the
   * grid itself reports that at its minimum width, with a letter or two per line. */
  g_object_ref (self->facts);
  gtk_expander_set_child (GTK_EXPANDER (self->looked), NULL);
  gtk_expander_set_child (GTK_EXPANDER (self->looked), ns_wrap_new (self->facts));
  g_object_unref (self->facts);
}
