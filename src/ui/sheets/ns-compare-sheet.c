/* Window that compares the trace of its parent window with another trace, request by request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-window.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-compare-list.h"
#include "ui/sheets/ns-compare-sheet.h"
#include "ui/sheets/ns-other-trace.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>
#include <string.h>

/* Update interval of the progress text. */
#define PROGRESS_MS 100

struct _NsCompareSheet
{
  GtkWindow parent_instance;

  NsTrace *trace; /* the trace of the parent window */
  GFile *ours;
  GFile *file; /* (nullable): the file of the other trace */
  NsComparison *comparison;
  GCancellable *job; /* (nullable): set while the comparison runs */
  guint progress_id;
  NsCompareList *list;
  GtkWidget *summary;
  GtkWidget *copy;
  GtkWidget *focus; /* (nullable): weak; had the focus when the comparison began */
};

G_DEFINE_FINAL_TYPE (NsCompareSheet, ns_compare_sheet, GTK_TYPE_WINDOW)

static void
update_actions (NsCompareSheet *self)
{
  const NsChange *chosen = self->job == NULL ? ns_compare_list_get_chosen (self->list) : NULL;
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget,
                                 "compare.go-before",
                                 chosen != NULL && chosen->before != 0);
  gtk_widget_action_set_enabled (widget, "compare.go-after", chosen != NULL && chosen->after != 0);
  gtk_widget_action_set_enabled (widget,
                                 "compare.swap",
                                 self->comparison != NULL && self->job == NULL);
  gtk_widget_set_sensitive (self->copy,
                            self->job == NULL && self->comparison != NULL &&
                                ns_comparison_get_n_changes (self->comparison) > 0);
}

static char *
dup_name (GFile *file)
{
  return file != NULL ? ns_words_file (file) : g_strdup ("?");
}

static void
append_count (NsCompareSheet *self, NsChangeKind kind, GString *text)
{
  guint n = ns_comparison_count_kind (self->comparison, kind);
  g_autofree char *count = ns_words_count (n);

  if (n == 0)
    return;
  if (text->len > 0)
    g_string_append (text, " · ");
  /* Translators: how operations differ (“Slower”), and how many. */
  g_string_append_printf (text, _ ("%s: %s"), ns_compare_list_get_change_word (kind), count);
}

static char *
dup_result (NsCompareSheet *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  guint n_before;
  guint n_after;
  guint kind;

  for (kind = NS_CHANGE_GONE; kind <= NS_CHANGE_FASTER; kind++)
    append_count (self, (NsChangeKind) kind, text);
  if (text->len > 0)
    return g_strdup (text->str);
  if (g_file_equal (self->file, self->ours))
    return g_strdup (_ ("This is the same trace: there are no differences."));
  ns_comparison_count (self->comparison, &n_before, &n_after);
  if (n_before == 0 && n_after == 0)
    return g_strdup (_ ("Neither trace has network operations to compare."));
  before = ns_words_count (n_before);
  after = ns_words_count (n_after);
  /* Translators: how many operations there are in one and the other trace. */
  return g_strdup_printf (_ ("No differences: %s operations before, %s after."), before, after);
}

static void
show (NsCompareSheet *self)
{
  gboolean is_ours_first = ns_comparison_is_ours_first (self->comparison);
  g_autofree char *before = dup_name (is_ours_first ? self->ours : self->file);
  g_autofree char *after = dup_name (is_ours_first ? self->file : self->ours);
  g_autofree char *result = dup_result (self);
  g_autofree char *text = NULL;

  ns_compare_list_show (self->list, self->comparison);
  /* Translators: names of two files, and a sentence. */
  text = g_strdup_printf (_ ("Before: %s · After: %s\n%s"), before, after, result);
  gtk_label_set_text (GTK_LABEL (self->summary), text);
}

/* A removed line and a disabled button lose the keyboard focus. Gives it back to the button, else
 * to the list. */
static void
restore_focus (NsCompareSheet *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && gtk_widget_get_mapped (focus) && gtk_widget_is_sensitive (focus))
    return;
  if (self->focus == NULL || !gtk_widget_get_mapped (self->focus) ||
      !gtk_widget_grab_focus (self->focus))
    gtk_widget_grab_focus (ns_compare_list_get_view (self->list));
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsCompareSheet) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_made = ns_comparison_run_finish (NS_COMPARISON (source), result, &error);

  /* The sheet was closed, or another trace was chosen, before the comparison finished. */
  if (NS_COMPARISON (source) != self->comparison || self->job == NULL)
    return;
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_object (&self->job);
  if (is_made)
    show (self);
  else
    gtk_label_set_text (GTK_LABEL (self->summary), error->message);
  update_actions (self);
  restore_focus (self);
}

static gboolean
progress_cb (gpointer data)
{
  NsCompareSheet *self = data;
  g_autofree char *name = dup_name (self->file);
  /* Translators: name of a file, and the part that was read and compared. */
  g_autofree char *text = g_strdup_printf (_ ("Comparing with %s · %.0f %%"),
                                           name,
                                           100 * ns_comparison_get_fraction (self->comparison));

  gtk_label_set_text (GTK_LABEL (self->summary), text);
  return G_SOURCE_CONTINUE;
}

/* Starts the comparison and removes the results of the previous one from the list. */
static void
start (NsCompareSheet *self)
{
  g_set_weak_pointer (&self->focus, gtk_window_get_focus (GTK_WINDOW (self)));
  ns_compare_list_show (self->list, NULL);
  self->job = g_cancellable_new ();
  g_clear_handle_id (&self->progress_id, g_source_remove);
  self->progress_id = g_timeout_add (PROGRESS_MS, progress_cb, self);
  progress_cb (self);
  update_actions (self);
  ns_comparison_run_async (self->comparison, self->job, made_cb, g_object_ref (self));
}

static void
compare_with (gpointer sheet, GFile *file)
{
  NsCompareSheet *self = sheet;

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_set_object (&self->file, file);
  g_clear_object (&self->comparison);
  self->comparison = ns_comparison_new (self->trace, file, ns_other_trace_find (sheet, file));
  start (self);
}

static void
choose_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ns_other_trace_choose (GTK_WINDOW (widget), _ ("Compare With"), _ ("_Compare"), compare_with);
}

static void
with_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  compare_with (widget, file);
}

static void
swap_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  NsCompareSheet *self = NS_COMPARE_SHEET (widget);

  if (self->comparison == NULL || self->job != NULL)
    return;
  ns_comparison_swap (self->comparison);
  start (self);
}

/* Shows a row in the window of its trace. Opens a window if the trace has none. */
static void
go_to (NsCompareSheet *self, gboolean is_after)
{
  const NsChange *chosen = ns_compare_list_get_chosen (self->list);
  NsRow row = chosen == NULL ? 0 : is_after ? chosen->after : chosen->before;
  gboolean is_ours = ns_comparison_is_ours_first (self->comparison) != is_after;
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));

  if (row == 0)
    return;
  /* A followed file has grown, which may have renumbered its rows. */
  if (is_ours && ns_window_get_trace (NS_WINDOW (parent)) != self->trace)
    {
      gtk_label_set_text (GTK_LABEL (self->summary),
                          _ ("The trace has changed since it was compared. Compare it again."));
      return;
    }
  ns_other_trace_go_to (GTK_WINDOW (self), is_ours ? NULL : self->file, row);
}

static void
go_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  go_to (NS_COMPARE_SHEET (widget), strcmp (name, "compare.go-after") == 0);
}

/* Goes to the row in the trace of the parent window, or in the other trace if the operation exists
 * only there. */
static void
activated_cb (GtkColumnView *view, guint position, NsCompareSheet *self)
{
  const NsChange *chosen = ns_compare_list_get_chosen (self->list);
  gboolean is_ours_first = ns_comparison_is_ours_first (self->comparison);

  if (chosen != NULL)
    go_to (self, is_ours_first ? chosen->before == 0 : chosen->after != 0);
}

static void
copy_cb (NsCompareSheet *self)
{
  g_autofree char *text = ns_comparison_to_text (self->comparison);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
ns_compare_sheet_dispose (GObject *object)
{
  NsCompareSheet *self = NS_COMPARE_SHEET (object);

  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_weak_pointer (&self->focus);
  gtk_window_set_child (GTK_WINDOW (self), NULL);
  g_clear_object (&self->comparison);
  g_clear_object (&self->ours);
  g_clear_object (&self->file);
  g_clear_pointer (&self->trace, ns_trace_unref);
  G_OBJECT_CLASS (ns_compare_sheet_parent_class)->dispose (object);
}

static void
ns_compare_sheet_finalize (GObject *object)
{
  NsCompareSheet *self = NS_COMPARE_SHEET (object);

  ns_compare_list_free (self->list);
  G_OBJECT_CLASS (ns_compare_sheet_parent_class)->finalize (object);
}

static void
ns_compare_sheet_class_init (NsCompareSheetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_compare_sheet_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_compare_sheet_finalize;
  ns_sheet_class_close_on_escape (widget_class);
  gtk_widget_class_install_action (widget_class, "compare.with", "s", with_cb);
  gtk_widget_class_install_action (widget_class, "compare.choose", NULL, choose_cb);
  gtk_widget_class_install_action (widget_class, "compare.swap", NULL, swap_cb);
  gtk_widget_class_install_action (widget_class, "compare.go-before", NULL, go_cb);
  gtk_widget_class_install_action (widget_class, "compare.go-after", NULL, go_cb);
}

static GtkWidget *
build_buttons (NsCompareSheet *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *with = ns_other_trace_button_new (GTK_WINDOW (self),
                                               _ ("Compare _With"),
                                               _ ("Compare with"),
                                               "compare.with",
                                               "compare.choose");

  gtk_box_append (GTK_BOX (buttons), with);
  gtk_box_append (GTK_BOX (buttons), ns_sheet_button_new (_ ("E_xchange"), "compare.swap"));
  gtk_box_append (GTK_BOX (buttons),
                  ns_sheet_button_new (_ ("Go to _Before"), "compare.go-before"));
  gtk_box_append (GTK_BOX (buttons), ns_sheet_button_new (_ ("Go to _After"), "compare.go-after"));
  self->copy = ns_accessible_button_new (_ ("_Copy as Table"));
  g_signal_connect_object (self->copy, "clicked", G_CALLBACK (copy_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (buttons), self->copy);
  return buttons;
}

static void
ns_compare_sheet_init (NsCompareSheet *self)
{
  self->list = ns_compare_list_new ();
  g_signal_connect_object (ns_compare_list_get_selection (self->list),
                           "notify::selected-item",
                           G_CALLBACK (update_actions),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ns_compare_list_get_view (self->list),
                           "activate",
                           G_CALLBACK (activated_cb),
                           self,
                           0);
  self->summary = ns_sheet_build_list (GTK_WINDOW (self),
                                       ns_compare_list_get_view (self->list),
                                       build_buttons (self),
                                       "compare");
  gtk_label_set_label (GTK_LABEL (self->summary), _ ("Choose a trace to compare with."));
  gtk_window_set_title (GTK_WINDOW (self), _ ("Compare Traces"));
  gtk_window_set_default_size (GTK_WINDOW (self), 1100, 560);
  update_actions (self);
}

/**
 * ns_compare_sheet_show:
 * @parent: the window of the trace
 * @session: a session with a file
 * @file: (nullable): the trace to compare with; %NULL: the only other open trace, else a file
 *   that the user chooses
 *
 * Shows a window that lists the differences between two traces.
 */
void
ns_compare_sheet_show (GtkWindow *parent, NsSession *session, GFile *file)
{
  NsCompareSheet *self = ns_other_trace_sheet_new (NS_TYPE_COMPARE_SHEET, parent);

  self->trace = ns_trace_ref (ns_session_get_trace (session));
  self->ours = g_object_ref (ns_session_get_file (session));
  ns_other_trace_begin (GTK_WINDOW (self), self->ours, file, compare_with, "compare.choose");
}
