/* Window that pairs the requests of the parent window's trace with those of a trace of another
 * machine.
 *
 * All times are on the clock of the parent window's trace. The clock of the other trace is aligned
 * to it by packet exchanges between the machines, or by an offset that the user enters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-number-entry.h"
#include "ui/sheets/ns-pairs-sheet.h"

#include "model/ns-pairing.h"
#include "ui/ns-accessible.h"
#include "ui/ns-window.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-lines-view.h"
#include "ui/sheets/ns-other-trace.h"
#include "ui/sheets/ns-pair-card.h"
#include "ui/sheets/ns-pair-view.h"
#include "ui/sheets/ns-pair-words.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Update interval of the progress text, and the delay between the last change of the clock offset
 * and the start of a new pairing. */
#define PROGRESS_MS 100
#define CLOCK_MS 400

/* Maximum clock offset in milliseconds (11.6 days), more than any difference between time zones. */
#define MAX_CLOCK_MS 1e9

typedef enum
{
  COLUMN_REQUEST,
  COLUMN_CLIENT,
  COLUMN_SERVER,
  COLUMN_CLIENT_QUEUE, /* the phases, in the order of NsPairPhase */
  COLUMN_NETWORK_OUT,
  COLUMN_SERVER_QUEUE,
  COLUMN_SERVER_WORK,
  COLUMN_NETWORK_BACK,
  COLUMN_TOTAL,
  COLUMN_START,
  COLUMN_PAIR,
  N_COLUMNS,
} ColumnId;

struct _NsPairsSheet
{
  GtkWindow parent_instance;

  NsTrace *trace; /* the trace of the parent window */
  GFile *ours;
  GFile *file; /* (nullable): the file of the other trace */
  NsPairing *pairing;
  GCancellable *job; /* (nullable): set while the pairing runs */
  guint progress_id;
  guint clock_id;
  char *names[2]; /* names of the two machines; set by the first finished pairing */
  NsLinesView *list;
  GtkWidget *summary;
  GtkWidget *lanes; /* drawing of the selected request on both machines */
  GtkWidget *card;  /* details of the selected request, and the clock alignment */
  GtkWidget *clock;
  GtkWidget *clock_label;
  gboolean is_setting_clock; /* the clock entry is being set by code, not by the user */
};

G_DEFINE_FINAL_TYPE (NsPairsSheet, ns_pairs_sheet, GTK_TYPE_WINDOW)

static const NsPairs *
get_pairs (NsPairsSheet *self)
{
  return self->pairing != NULL ? ns_pairing_get_pairs (self->pairing) : NULL;
}

static const NsPairRow *
get_row (NsPairsSheet *self, guint line)
{
  return &g_array_index (get_pairs (self)->rows, NsPairRow, line);
}

static char *
dup_cell (gpointer data, guint line, guint column)
{
  NsPairsSheet *self = data;
  const NsPairs *pairs = get_pairs (self);
  const NsPairRow *row = get_row (self, line);

  switch ((ColumnId) column)
    {
    case COLUMN_REQUEST:
      return ns_pair_words_request (pairs->traces[row->client_machine], row->client);
    case COLUMN_CLIENT:
      return ns_pair_words_end (get_pairs (self), self->names, row->client_machine, row->client);
    case COLUMN_SERVER:
      return ns_pair_words_end (get_pairs (self), self->names, !row->client_machine, row->server);
    case COLUMN_TOTAL:
      return ns_words_at_least (ns_words_milliseconds (ns_pair_words_get_total (pairs, row)),
                                row->duration_ns == NS_UNKNOWN);
    case COLUMN_START:
      return ns_pair_words_start (row);
    case COLUMN_PAIR:
      return g_strdup (
          row->connection == G_MAXUINT
              ? ""
              : ns_words_get_confidence (
                    g_array_index (pairs->connections, NsPairConnection, row->connection)
                        .confidence));
    case COLUMN_CLIENT_QUEUE:
    case COLUMN_NETWORK_OUT:
    case COLUMN_SERVER_QUEUE:
    case COLUMN_SERVER_WORK:
    case COLUMN_NETWORK_BACK:
    case N_COLUMNS:
    default:
      return ns_pair_words_part (row, column - COLUMN_CLIENT_QUEUE);
    }
}

/* Returns the sort key of a numeric column; unknown values sort first. */
static gint64
get_number (const NsPairs *pairs, const NsPairRow *row, guint column)
{
  if (column == COLUMN_TOTAL)
    return ns_pair_words_get_total (pairs, row);
  if (column == COLUMN_START)
    return row->open_ns;
  if (column == COLUMN_PAIR)
    return row->connection == G_MAXUINT
               ? -1
               : g_array_index (pairs->connections, NsPairConnection, row->connection).confidence;
  return row->phases[column - COLUMN_CLIENT_QUEUE];
}

static int
compare_lines (gpointer data, guint column, guint line, guint other)
{
  NsPairsSheet *self = data;
  const NsPairs *pairs = get_pairs (self);

  if (column < COLUMN_CLIENT_QUEUE)
    {
      g_autofree char *a = dup_cell (data, line, column);
      g_autofree char *b = dup_cell (data, other, column);

      return g_utf8_collate (a, b);
    }
  else
    {
      gint64 a = get_number (pairs, get_row (self, line), column);
      gint64 b = get_number (pairs, get_row (self, other), column);

      return (a > b) - (a < b);
    }
}

static char *
dup_spoken (gpointer data, guint line)
{
  g_autofree char *request = dup_cell (data, line, COLUMN_REQUEST);
  g_autofree char *server = dup_cell (data, line, COLUMN_SERVER);

  return g_strconcat (request, " ", server, NULL);
}

static const NsLinesSource source = { dup_cell, compare_lines, dup_spoken, NULL };

static const NsPairRow *
get_chosen (NsPairsSheet *self)
{
  guint line = ns_lines_view_get_chosen (self->list);

  return line != NS_LINES_NONE && get_pairs (self) != NULL ? get_row (self, line) : NULL;
}

/* Shows the selected request. Clears it while a pairing runs, since the old pairs are freed. */
static void
show_chosen (NsPairsSheet *self)
{
  const NsPairs *pairs = self->job == NULL ? get_pairs (self) : NULL;
  const NsPairRow *chosen = pairs != NULL ? get_chosen (self) : NULL;

  ns_pair_card_set (NS_PAIR_CARD (self->card), pairs, chosen, self->names);
  ns_pair_view_set (NS_PAIR_VIEW (self->lanes), pairs, chosen);
  gtk_widget_set_visible (self->lanes, chosen != NULL);
  if (chosen != NULL)
    {
      g_autofree char *client =
          ns_pair_words_end (get_pairs (self), self->names, chosen->client_machine, chosen->client);
      g_autofree char *server = ns_pair_words_end (get_pairs (self),
                                                   self->names,
                                                   !chosen->client_machine,
                                                   chosen->server);

      ns_pair_view_set_names (NS_PAIR_VIEW (self->lanes), client, server);
    }
}

static void
update_actions (NsPairsSheet *self)
{
  const NsPairRow *chosen = self->job == NULL ? get_chosen (self) : NULL;
  const NsPairs *pairs = self->job == NULL ? get_pairs (self) : NULL;
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "pairs.go-client", chosen != NULL);
  gtk_widget_action_set_enabled (widget, "pairs.go-server", chosen != NULL && chosen->server != 0);
  gtk_widget_action_set_enabled (widget, "pairs.copy", pairs != NULL && pairs->rows->len > 0);
  gtk_widget_action_set_enabled (widget,
                                 "pairs.automatic",
                                 pairs != NULL && pairs->clock == NS_PAIRS_CLOCK_HAND);
  gtk_widget_set_sensitive (self->clock, pairs != NULL);
  show_chosen (self);
}

static void
show (NsPairsSheet *self)
{
  const NsPairs *pairs = get_pairs (self);
  g_autofree char *clock = ns_pair_words_clock (pairs, self->names);
  g_autofree char *rows = ns_words_count (pairs->rows->len);
  g_autofree char *paired = NULL;
  g_autofree char *text = NULL;
  guint n_paired = 0;
  guint i;

  for (i = 0; i < pairs->rows->len; i++)
    n_paired += g_array_index (pairs->rows, NsPairRow, i).server != 0;
  paired = ns_words_count (n_paired);
  /* Translators: names of two computers, two counts, and a sentence. */
  text = g_strdup_printf (_ ("%s and %s · requests: %s, seen at both: %s\n%s"),
                          self->names[0],
                          self->names[1],
                          rows,
                          paired,
                          clock);
  ns_lines_view_fill (self->list, pairs->rows->len);
  gtk_label_set_text (GTK_LABEL (self->summary), text);
  g_free (text);
  /* Translators: name of a computer; a number of milliseconds follows. */
  text = g_strdup_printf (_ ("Clock of %s ahead by (_ms):"), self->names[1]);
  gtk_label_set_text_with_mnemonic (GTK_LABEL (self->clock_label), text);
  self->is_setting_clock = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->clock),
                             (double) ns_pairing_get_ahead (self->pairing) / 1e6);
  self->is_setting_clock = FALSE;
}

static void
made_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsPairsSheet) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_made = ns_pairing_run_finish (NS_PAIRING (object), result, &error);
  guint i;

  /* The sheet was closed, or another trace was chosen, before the pairing finished. */
  if (NS_PAIRING (object) != self->pairing || self->job == NULL)
    return;
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_object (&self->job);
  if (is_made)
    {
      for (i = 0; i < 2; i++)
        {
          g_free (self->names[i]);
          self->names[i] = ns_pairing_dup_machine (self->pairing, i);
        }
      show (self);
      ns_window_take_pairing (NS_WINDOW (gtk_window_get_transient_for (GTK_WINDOW (self))),
                              self->pairing,
                              self->file);
    }
  else
    {
      gtk_label_set_text (GTK_LABEL (self->summary), error->message);
      g_clear_object (&self->pairing);
    }
  update_actions (self);
}

static gboolean
progress_cb (gpointer data)
{
  NsPairsSheet *self = data;
  g_autofree char *name = ns_words_file (self->file);
  /* Translators: name of a file, and the part that was read. */
  g_autofree char *text = g_strdup_printf (_ ("Pairing with %s · %.0f %%"),
                                           name,
                                           100 * ns_pairing_get_fraction (self->pairing));

  gtk_label_set_text (GTK_LABEL (self->summary), text);
  return G_SOURCE_CONTINUE;
}

/* Starts the pairing and removes the results of the previous one from the list. */
static void
start (NsPairsSheet *self)
{
  ns_lines_view_clear (self->list);
  self->job = g_cancellable_new ();
  g_clear_handle_id (&self->progress_id, g_source_remove);
  self->progress_id = g_timeout_add (PROGRESS_MS, progress_cb, self);
  progress_cb (self);
  update_actions (self);
  ns_pairing_run_async (self->pairing, self->job, made_cb, g_object_ref (self));
}

static void
stop (NsPairsSheet *self)
{
  if (self->job != NULL)
    g_cancellable_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_handle_id (&self->clock_id, g_source_remove);
}

static void
pair_with (gpointer sheet, GFile *file)
{
  NsPairsSheet *self = sheet;

  stop (self);
  ns_lines_view_clear (self->list);
  ns_pair_card_set (NS_PAIR_CARD (self->card), NULL, NULL, self->names);
  ns_pair_view_set (NS_PAIR_VIEW (self->lanes), NULL, NULL);
  g_set_object (&self->file, file);
  g_clear_object (&self->pairing);
  self->pairing = ns_pairing_new (self->trace, file, ns_other_trace_find (sheet, file));
  start (self);
}

static void
choose_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ns_other_trace_choose (GTK_WINDOW (widget), _ ("Pair With"), _ ("_Pair"), pair_with);
}

static void
with_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  pair_with (widget, file);
}

static gboolean
clock_cb (gpointer data)
{
  NsPairsSheet *self = data;
  gint64 offset_ns = -llround (gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->clock)) * 1e6);

  self->clock_id = 0;
  ns_pairing_set_offset (self->pairing, &offset_ns);
  start (self);
  return G_SOURCE_REMOVE;
}

static void
clock_changed_cb (NsPairsSheet *self)
{
  if (self->is_setting_clock || self->pairing == NULL || self->job != NULL)
    return;
  g_clear_handle_id (&self->clock_id, g_source_remove);
  self->clock_id = g_timeout_add (CLOCK_MS, clock_cb, self);
}

static void
automatic_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  NsPairsSheet *self = NS_PAIRS_SHEET (widget);

  g_clear_handle_id (&self->clock_id, g_source_remove);
  ns_pairing_set_offset (self->pairing, NULL);
  start (self);
}

static void
go_to (NsPairsSheet *self, gboolean is_server)
{
  const NsPairRow *chosen = get_chosen (self);
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));
  guint machine;

  if (chosen == NULL || (is_server && chosen->server == 0))
    return;
  machine = is_server ? !chosen->client_machine : chosen->client_machine;
  /* A followed file has grown, which may have renumbered its rows. */
  if (machine == 0 && ns_window_get_trace (NS_WINDOW (parent)) != self->trace)
    gtk_label_set_text (GTK_LABEL (self->summary),
                        _ ("The trace has changed since it was paired. Pair it again."));
  else
    ns_other_trace_go_to (GTK_WINDOW (self),
                          machine == 0 ? NULL : self->file,
                          is_server ? chosen->server : chosen->client);
}

static void
go_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  go_to (NS_PAIRS_SHEET (widget), strcmp (name, "pairs.go-server") == 0);
}

static void
activated_cb (GtkColumnView *view, guint position, NsPairsSheet *self)
{
  go_to (self, FALSE);
}

/* Copies all lines in their original order, cells separated by tabs. */
static void
copy_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  NsPairsSheet *self = NS_PAIRS_SHEET (widget);
  g_autoptr (GString) text = g_string_new (NULL);
  guint line;
  guint i;

  for (line = 0; line < get_pairs (self)->rows->len; line++)
    for (i = 0; i < N_COLUMNS; i++)
      {
        g_autofree char *cell = dup_cell (self, line, i);

        g_string_append (text, g_strdelimit (cell, "\t\n\r", ' '));
        g_string_append_c (text, i + 1 < N_COLUMNS ? '\t' : '\n');
      }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text->str);
}

static void
ns_pairs_sheet_dispose (GObject *object)
{
  NsPairsSheet *self = NS_PAIRS_SHEET (object);

  stop (self);
  gtk_window_set_child (GTK_WINDOW (self), NULL);
  g_clear_object (&self->pairing);
  g_clear_object (&self->ours);
  g_clear_object (&self->file);
  g_clear_pointer (&self->trace, ns_trace_unref);
  G_OBJECT_CLASS (ns_pairs_sheet_parent_class)->dispose (object);
}

static void
ns_pairs_sheet_finalize (GObject *object)
{
  NsPairsSheet *self = NS_PAIRS_SHEET (object);

  ns_lines_view_free (self->list);
  g_free (self->names[0]);
  g_free (self->names[1]);
  G_OBJECT_CLASS (ns_pairs_sheet_parent_class)->finalize (object);
}

static void
ns_pairs_sheet_class_init (NsPairsSheetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_pairs_sheet_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_pairs_sheet_finalize;
  ns_sheet_class_close_on_escape (widget_class);
  gtk_widget_class_install_action (widget_class, "pairs.with", "s", with_cb);
  gtk_widget_class_install_action (widget_class, "pairs.choose", NULL, choose_cb);
  gtk_widget_class_install_action (widget_class, "pairs.automatic", NULL, automatic_cb);
  gtk_widget_class_install_action (widget_class, "pairs.go-client", NULL, go_cb);
  gtk_widget_class_install_action (widget_class, "pairs.go-server", NULL, go_cb);
  gtk_widget_class_install_action (widget_class, "pairs.copy", NULL, copy_cb);
}

static GtkWidget *
build_buttons (NsPairsSheet *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (buttons),
                  ns_other_trace_button_new (GTK_WINDOW (self),
                                             _ ("Pair _With"),
                                             _ ("Pair with"),
                                             "pairs.with",
                                             "pairs.choose"));
  gtk_box_append (GTK_BOX (buttons), ns_sheet_button_new (_ ("Go to C_lient"), "pairs.go-client"));
  gtk_box_append (GTK_BOX (buttons), ns_sheet_button_new (_ ("Go to _Server"), "pairs.go-server"));
  gtk_box_append (GTK_BOX (buttons), ns_sheet_button_new (_ ("_Copy as Table"), "pairs.copy"));
  return buttons;
}

/* Adds the entry for the clock offset between the summary and the list. */
static void
add_clock (NsPairsSheet *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->clock_label = gtk_label_new_with_mnemonic (_ ("Clock ahead by (_ms):"));
  self->clock = ns_number_entry_new (-MAX_CLOCK_MS, MAX_CLOCK_MS, 0.1);
  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (self->clock), 0.1, 1);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (self->clock), 3);
  gtk_label_set_mnemonic_widget (GTK_LABEL (self->clock_label), self->clock);
  ns_accessible_set_name (self->clock, _ ("Milliseconds by which the other clock is ahead"));
  g_signal_connect_object (self->clock,
                           "value-changed",
                           G_CALLBACK (clock_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), self->clock_label);
  gtk_box_append (GTK_BOX (row), self->clock);
  gtk_box_append (GTK_BOX (row), ns_sheet_button_new (_ ("_Automatic"), "pairs.automatic"));
  gtk_box_insert_child_after (GTK_BOX (gtk_window_get_child (GTK_WINDOW (self))),
                              row,
                              self->summary);
}

/* Adds the drawing of the selected request above the list, and its details beside the list. */
static void
add_chosen (NsPairsSheet *self)
{
  GtkBox *box = GTK_BOX (gtk_window_get_child (GTK_WINDOW (self)));
  GtkWidget *list = gtk_widget_get_parent (ns_lines_view_get_widget (self->list));
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->lanes = ns_pair_view_new (NS_PAIR_VIEW_LANES, NS_PAIR_N_PHASES);
  gtk_widget_set_visible (self->lanes, FALSE);
  self->card = ns_pair_card_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->card);
  /* The list takes the remaining width. */
  gtk_widget_set_hexpand (scrolled, FALSE);
  g_object_ref (list);
  gtk_box_remove (box, list);
  gtk_widget_set_hexpand (list, TRUE);
  gtk_box_append (GTK_BOX (row), list);
  gtk_box_append (GTK_BOX (row), scrolled);
  g_object_unref (list);
  gtk_box_insert_child_after (box, self->lanes, gtk_widget_get_next_sibling (self->summary));
  gtk_box_insert_child_after (box, row, self->lanes);
}

static NsLinesView *
build_list (NsPairsSheet *self)
{
  const NsLinesColumn columns[N_COLUMNS] = {
    [COLUMN_REQUEST] = { _ ("Request"), 200, FALSE, FALSE, TRUE },
    [COLUMN_CLIENT] = { _ ("Sent By"), 136, FALSE },
    [COLUMN_SERVER] = { _ ("Served By"), 152, FALSE },
    [COLUMN_CLIENT_QUEUE] = { _ ("Client Queue"), 100, TRUE },
    [COLUMN_NETWORK_OUT] = { _ ("Network Out"), 100, TRUE },
    [COLUMN_SERVER_QUEUE] = { _ ("Server Queue"), 102, TRUE },
    [COLUMN_SERVER_WORK] = { _ ("Server Work"), 98, TRUE },
    [COLUMN_NETWORK_BACK] = { _ ("Network Back"), 108, TRUE },
    [COLUMN_TOTAL] = { _ ("Total (ms)"), 88, TRUE },
    [COLUMN_START] = { _ ("Start (s)"), 96, TRUE },
    [COLUMN_PAIR] = { _ ("Pair"), 72, FALSE },
  };

  return ns_lines_view_new (_ ("Requests at both ends"), columns, N_COLUMNS, &source, self);
}

static void
ns_pairs_sheet_init (NsPairsSheet *self)
{
  self->list = build_list (self);
  g_signal_connect_object (ns_lines_view_get_selection (self->list),
                           "notify::selected-item",
                           G_CALLBACK (update_actions),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ns_lines_view_get_widget (self->list),
                           "activate",
                           G_CALLBACK (activated_cb),
                           self,
                           0);
  self->summary = ns_sheet_build_list (GTK_WINDOW (self),
                                       ns_lines_view_get_widget (self->list),
                                       build_buttons (self),
                                       "compare");
  add_clock (self);
  add_chosen (self);
  gtk_label_set_label (GTK_LABEL (self->summary), _ ("Choose a trace of the other machine."));
  gtk_window_set_title (GTK_WINDOW (self), _ ("Both Ends of Requests"));
  gtk_window_set_default_size (GTK_WINDOW (self), 1280, 760);
  update_actions (self);
}

/**
 * ns_pairs_sheet_show:
 * @parent: the window of the trace
 * @session: a session with a file
 * @file: (nullable): the trace of the other machine; %NULL: the only other open trace, else a file
 *   that the user chooses
 *
 * Shows a window that pairs the requests of two machines.
 */
void
ns_pairs_sheet_show (GtkWindow *parent, NsSession *session, GFile *file)
{
  NsPairsSheet *self = ns_other_trace_sheet_new (NS_TYPE_PAIRS_SHEET, parent);

  self->trace = ns_trace_ref (ns_session_get_trace (session));
  self->ours = g_object_ref (ns_session_get_file (session));
  ns_other_trace_begin (GTK_WINDOW (self), self->ours, file, pair_with, "pairs.choose");
}
