/* Preview of an export without names: the number of replaced names of each kind, and each name with
 * its replacement.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-redact-box.h"
#include "ui/table/ns-table-dress.h"

#include <glib/gi18n.h>

/* Maximum number of listed names per kind. */
#define MAX_LINES 3000
#define LIST_HEIGHT 186

struct _NsRedactBox
{
  GtkBox parent_instance;

  GtkWidget *counts;
  GtkWidget *scroller;
  GListStore *lines; /* (element-type NsRedactLine) */

  GCancellable *cancellable; /* (nullable): set while a search runs */
  char *left_out;            /* (nullable): a sentence about what the export omits */
};

enum
{
  LOOKED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsRedactBox, ns_redact_box, GTK_TYPE_BOX)

/* A name and its replacement. */
#define NS_TYPE_REDACT_LINE (ns_redact_line_get_type ())
G_DECLARE_FINAL_TYPE (NsRedactLine, ns_redact_line, NS, REDACT_LINE, GObject)

struct _NsRedactLine
{
  GObject parent_instance;

  char *texts[3]; /* by column: name, replacement, number of occurrences */
};

G_DEFINE_FINAL_TYPE (NsRedactLine, ns_redact_line, G_TYPE_OBJECT)

static void
ns_redact_line_finalize (GObject *object)
{
  NsRedactLine *self = NS_REDACT_LINE (object);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->texts); i++)
    g_free (self->texts[i]);
  G_OBJECT_CLASS (ns_redact_line_parent_class)->finalize (object);
}

static void
ns_redact_line_class_init (NsRedactLineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_redact_line_finalize;
}

static void
ns_redact_line_init (NsRedactLine *self)
{
}

static char *
dup_count (NsRedactKind kind, guint n)
{
  switch (kind)
    {
    case NS_REDACT_SERVER:
      return g_strdup_printf (ngettext ("%u host", "%u hosts", n), n);
    case NS_REDACT_ADDRESS:
      return g_strdup_printf (ngettext ("%u address", "%u addresses", n), n);
    case NS_REDACT_PATH:
      return g_strdup_printf (ngettext ("%u path", "%u paths", n), n);
    case NS_REDACT_USER:
      return g_strdup_printf (ngettext ("%u user", "%u users", n), n);
    case NS_REDACT_TEXT:
    case NS_N_REDACT_KINDS:
    default:
      return g_strdup_printf (ngettext ("%u other text", "%u other texts", n), n);
    }
}

/* Formats the number of names of each kind, such as "3 hosts, 1 address". */
static char *
dup_counts (const NsRedact *redact)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint kind;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    {
      guint n = ns_redact_get_names (redact, kind)->len;
      g_autofree char *count = dup_count (kind, n);

      if (n > 0)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", count);
    }
  return g_strdup (text->len > 0 ? text->str : _ ("nothing"));
}

static void
show_counts (NsRedactBox *self, const NsRedact *redact)
{
  g_autofree char *counts = dup_counts (redact);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_cut = FALSE;
  guint n_names = 0;
  guint kind;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    {
      is_cut |= ns_redact_get_names (redact, kind)->len > MAX_LINES;
      n_names += ns_redact_get_names (redact, kind)->len;
    }
  /* Translators: how many of each kind, such as “3 hosts, 1 address”. */
  g_string_printf (
      text,
      _ ("Replaced: %s. Times, sizes, codes and the names of programs and modules are kept."),
      counts);
  if (self->left_out != NULL)
    g_string_append_printf (text, " %s", self->left_out);
  if (is_cut)
    {
      g_autofree char *most = ns_words_count (MAX_LINES);

      g_string_append_c (text, ' ');
      /* Translators: how many. */
      g_string_append_printf (text, _ ("The first %s of each kind are listed."), most);
    }
  gtk_label_set_text (GTK_LABEL (self->counts), text->str);
  gtk_widget_set_visible (self->scroller, n_names > 0);
}

static void
show_lines (NsRedactBox *self, const NsRedact *redact)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_object_unref);
  guint kind;
  guint i;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    {
      const GPtrArray *names = ns_redact_get_names (redact, kind);

      for (i = 0; i < MIN (names->len, MAX_LINES); i++)
        {
          const NsRedactName *name = g_ptr_array_index (names, i);
          NsRedactLine *line = g_object_new (NS_TYPE_REDACT_LINE, NULL);

          line->texts[0] = g_strdup (name->text);
          line->texts[1] = g_strdup (name->stand_in);
          line->texts[2] = ns_words_count (name->n_places);
          g_ptr_array_add (lines, line);
        }
    }
  g_list_store_splice (self->lines,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->lines)),
                       lines->pdata,
                       lines->len);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsRedactBox) self = data;
  g_autoptr (NsRedact) redact = ns_export_job_look_finish (NS_EXPORT_JOB (source), result, NULL);

  /* The search was cancelled, or the window was closed. */
  if (redact == NULL || self->lines == NULL)
    return;
  g_clear_object (&self->cancellable);
  show_counts (self, redact);
  show_lines (self, redact);
  g_signal_emit (self, signals[LOOKED], 0);
}

static void
ns_redact_box_dispose (GObject *object)
{
  NsRedactBox *self = NS_REDACT_BOX (object);

  ns_redact_box_stop (self);
  g_clear_object (&self->lines);
  g_clear_pointer (&self->left_out, g_free);
  G_OBJECT_CLASS (ns_redact_box_parent_class)->dispose (object);
}

static void
ns_redact_box_class_init (NsRedactBoxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_redact_box_dispose;

  /**
   * NsRedactBox::looked:
   *
   * Emitted when the search is complete and its result is shown.
   */
  signals[LOOKED] = g_signal_new ("looked",
                                  NS_TYPE_REDACT_BOX,
                                  G_SIGNAL_RUN_LAST,
                                  0,
                                  NULL,
                                  NULL,
                                  NULL,
                                  G_TYPE_NONE,
                                  0);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean is_number = GPOINTER_TO_UINT (data) == 2;

  gtk_label_set_xalign (GTK_LABEL (label), is_number ? 1 : 0);
  ns_text_direction_force_ltr (label);
  gtk_label_set_ellipsize (GTK_LABEL (label),
                           is_number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  NsRedactLine *line = NS_REDACT_LINE (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);
  const char *text = line->texts[GPOINTER_TO_UINT (data)];
  /* Translators: a name in the trace, and what is written in its place. */
  g_autofree char *spoken = g_strdup_printf (_ ("%s becomes %s"), line->texts[0], line->texts[1]);

  ns_accessible_set_cell_name (label, text, spoken);
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, text);
}

static void
add_column (GtkWidget *view, guint column, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) made = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (column));
  made = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (made, column == 0);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (view), made);
}

static void
ns_redact_box_init (NsRedactBox *self)
{
  GtkWidget *view;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->lines = g_list_store_new (NS_TYPE_REDACT_LINE);
  self->counts = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->counts), 0);
  gtk_label_set_wrap (GTK_LABEL (self->counts), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->counts), 50);
  view = gtk_column_view_new (
      GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->lines)))));
  ns_table_apply_style (GTK_COLUMN_VIEW (view), 1u << 2);
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (view), _ ("Replaced names"));
  add_column (view, 0, _ ("In the Trace"));
  add_column (view, 1, _ ("In the File"));
  add_column (view, 2, _ ("Count"));
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), view);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller), LIST_HEIGHT);
  gtk_box_append (GTK_BOX (self), self->counts);
  gtk_box_append (GTK_BOX (self), self->scroller);
}

/**
 * ns_redact_box_new:
 *
 * Returns: (transfer floating): an empty box
 */
GtkWidget *
ns_redact_box_new (void)
{
  return g_object_new (NS_TYPE_REDACT_BOX, NULL);
}

/**
 * ns_redact_box_is_looking:
 * @self: a box
 *
 * Returns: whether a search is running
 */
gboolean
ns_redact_box_is_looking (NsRedactBox *self)
{
  return self->cancellable != NULL;
}

/**
 * ns_redact_box_stop:
 * @self: a box
 *
 * Cancels the search.
 */
void
ns_redact_box_stop (NsRedactBox *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/**
 * ns_redact_box_look:
 * @self: a box
 * @job: the export to preview
 * @left_out: (nullable): a sentence about what the export omits
 *
 * Searches for the names that @job would replace, and shows them when the search is complete.
 */
void
ns_redact_box_look (NsRedactBox *self, NsExportJob *job, const char *left_out)
{
  ns_redact_box_stop (self);
  g_free (self->left_out);
  self->left_out = g_strdup (left_out);
  self->cancellable = g_cancellable_new ();
  gtk_label_set_text (GTK_LABEL (self->counts), _ ("Searching for names to replace…"));
  g_list_store_remove_all (self->lines);
  ns_export_job_look_async (job, self->cancellable, looked_cb, g_object_ref (self));
}
