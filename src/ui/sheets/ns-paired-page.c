/* Table of the requests that the window's trace has in common with that of another machine.
 *
 * All times are on the clock of the window's trace. The filter of the operations table applies
 * here, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-paired-page.h"

#include "model/ns-session-moment.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-lines-view.h"
#include "ui/sheets/ns-pair-lanes-view.h"
#include "ui/sheets/ns-pair-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum width of the text in place of an empty table, in characters. */
#define EMPTY_CHARS 60

typedef enum
{
  COLUMN_REQUEST,
  COLUMN_SERVER,
  COLUMN_CLIENT_QUEUE, /* the phases, in the order of NsPairPhase */
  COLUMN_NETWORK_OUT,
  COLUMN_SERVER_QUEUE,
  COLUMN_SERVER_WORK,
  COLUMN_NETWORK_BACK,
  COLUMN_NETWORK, /* out and back in one column, in narrow windows */
  COLUMN_TOTAL,
  COLUMN_START,
  COLUMN_PAIR,
  N_COLUMNS,
} ColumnId;

struct _NsPairedPage
{
  GtkBox parent_instance;

  NsSession *session;
  NsPairing *pairing;        /* NULL until a pairing is finished */
  const NsPairs *pairs;      /* owned by @pairing */
  char *names[2];            /* names of the two machines */
  GArray *lines;             /* (element-type guint32): indices of the visible rows in @pairs */
  guint n_paired;            /* visible rows that both machines recorded */
  gint64 medians[N_COLUMNS]; /* over the paired rows; NS_UNKNOWN: none */
  gboolean is_narrow;
  gboolean is_setting_selection; /* the selection is being set by code, not by the user */
  NsLinesView *list;
  GtkWidget *machines;          /* a drop-down with the other machines */
  GtkWidget *chooser;           /* @machines and its label; hidden if there is only one */
  gboolean is_setting_machines; /* @machines is being set by code, not by the user */
  GtkWidget *lanes; /* lanes of both machines; placed outside the page, near the timeline */
  GtkWidget *table; /* the list and the notes below it */
  GtkWidget *clock_note;
  GtkWidget *rows_note;
  GtkWidget *pair_window_button;
  GtkWidget *placeholder; /* replaces @table if it has no rows */
  GtkWidget *why;
  GtkWidget *help; /* a button below @why */
};

enum
{
  SIGNAL_MACHINE_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsPairedPage, ns_paired_page, GTK_TYPE_BOX)

static const NsPairRow *
get_row (NsPairedPage *self, guint line)
{
  return &g_array_index (self->pairs->rows, NsPairRow, g_array_index (self->lines, guint32, line));
}

/* Returns the value of a numeric column; NS_UNKNOWN: none. */
static gint64
get_number (const NsPairs *pairs, const NsPairRow *row, guint column)
{
  if (column == COLUMN_TOTAL)
    return ns_pair_words_get_total (pairs, row);
  if (column == COLUMN_START)
    return row->open_ns;
  if (column == COLUMN_PAIR)
    return ns_pair_words_get_confidence (pairs, row);
  if (column == COLUMN_NETWORK)
    return row->phases[NS_PAIR_NETWORK_OUT] == NS_UNKNOWN ||
                   row->phases[NS_PAIR_NETWORK_BACK] == NS_UNKNOWN
               ? NS_UNKNOWN
               : ns_time_sum (row->phases[NS_PAIR_NETWORK_OUT], row->phases[NS_PAIR_NETWORK_BACK]);
  return row->phases[column - COLUMN_CLIENT_QUEUE];
}

static char *
dup_known (gint64 time_ns)
{
  return time_ns != NS_UNKNOWN ? ns_words_milliseconds (time_ns) : g_strdup ("");
}

static char *
dup_median_cell (NsPairedPage *self, guint column)
{
  g_autofree char *count = NULL;

  if (column >= COLUMN_CLIENT_QUEUE && column <= COLUMN_TOTAL)
    return dup_known (self->medians[column]);
  if (column != COLUMN_REQUEST)
    return g_strdup ("");
  count = ns_words_count (self->n_paired);
  /* Translators: at the foot of a table of requests; how many of them were seen at both ends. */
  return g_strdup_printf (_ ("Median of %s paired"), count);
}

static char *
dup_cell (gpointer data, guint line, guint column)
{
  NsPairedPage *self = data;
  const NsPairRow *row;

  if (line == NS_LINES_FOOT)
    return dup_median_cell (self, column);
  row = get_row (self, line);
  switch ((ColumnId) column)
    {
    case COLUMN_REQUEST:
      return ns_pair_words_request (self->pairs->traces[row->client_machine], row->client);
    case COLUMN_SERVER:
      return ns_pair_words_end (self->pairs, self->names, !row->client_machine, row->server);
    case COLUMN_TOTAL:
      return ns_words_at_least (ns_words_milliseconds (get_number (self->pairs, row, column)),
                                row->duration_ns == NS_UNKNOWN);
    case COLUMN_START:
      return ns_pair_words_start (row);
    case COLUMN_PAIR:
      return g_strdup (ns_pair_words_get_sure (self->pairs, row));
    case COLUMN_NETWORK:
      return dup_known (get_number (self->pairs, row, column));
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

static int
compare_lines (gpointer data, guint column, guint line, guint other)
{
  NsPairedPage *self = data;

  if (column < COLUMN_CLIENT_QUEUE)
    {
      g_autofree char *a = dup_cell (data, line, column);
      g_autofree char *b = dup_cell (data, other, column);

      return g_utf8_collate (a, b);
    }
  else
    {
      gint64 a = get_number (self->pairs, get_row (self, line), column);
      gint64 b = get_number (self->pairs, get_row (self, other), column);

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

static int
get_blocks (gpointer data, guint line)
{
  NsPairedPage *self = data;

  return line == NS_LINES_FOOT
             ? NS_LINES_NO_BLOCKS
             : MAX (ns_pair_words_get_confidence (self->pairs, get_row (self, line)), 0);
}

static const NsLinesSource source = { dup_cell, compare_lines, dup_spoken, get_blocks };

/* Returns the row in the window's trace; 0: only the other machine recorded the request. */
static NsRow
get_own (const NsPairRow *row)
{
  return row->client_machine == 0 ? row->client : row->server;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const gint64 *one = a;
  const gint64 *other = b;

  return (*one > *other) - (*one < *other);
}

/* Computes the medians over the requests that both machines recorded. */
static void
find_medians (NsPairedPage *self)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint column;
  guint i;

  for (column = COLUMN_CLIENT_QUEUE; column <= COLUMN_TOTAL; column++)
    {
      g_array_set_size (numbers, 0);
      for (i = 0; i < self->lines->len; i++)
        {
          const NsPairRow *row = get_row (self, i);
          gint64 number = row->server != 0 ? get_number (self->pairs, row, column) : NS_UNKNOWN;

          if (number != NS_UNKNOWN && (column != COLUMN_TOTAL || row->duration_ns != NS_UNKNOWN))
            g_array_append_val (numbers, number);
        }
      g_array_sort (numbers, compare_numbers);
      self->medians[column] = numbers->len > 0
                                  ? (g_array_index (numbers, gint64, (numbers->len - 1) / 2) / 2 +
                                     g_array_index (numbers, gint64, numbers->len / 2) / 2)
                                  : NS_UNKNOWN;
    }
}

/* Collects the rows that match the filter; those of the other machine only without a filter. */
static void
choose_lines (NsPairedPage *self)
{
  const GArray *shown =
      ns_row_list_get_rows (ns_session_get_rows (self->session, NS_TABLE_ACTIVITIES));
  guint n_all = ns_session_get_trace (self->session)->activities->len;
  gboolean is_filtered = *ns_session_get_filter (self->session, NS_TABLE_ACTIVITIES) != '\0';
  g_autofree guint8 *marks = g_new0 (guint8, (gsize) n_all + 1);
  guint32 i;

  for (i = 0; i < shown->len; i++)
    if (g_array_index (shown, guint32, i) < n_all)
      marks[g_array_index (shown, guint32, i) + 1] = 1;
  marks[0] = !is_filtered;
  g_array_set_size (self->lines, 0);
  self->n_paired = 0;
  for (i = 0; i < self->pairs->rows->len; i++)
    {
      const NsPairRow *row = &g_array_index (self->pairs->rows, NsPairRow, i);

      if (!marks[MIN (get_own (row), n_all)])
        continue;
      g_array_append_val (self->lines, i);
      self->n_paired += row->server != 0;
    }
}

/* Sets the text of a note. In a narrow window it is ellipsized to one line and has a tooltip. */
static void
show_note (NsPairedPage *self, GtkWidget *note, const char *text)
{
  gtk_label_set_text (GTK_LABEL (note), text);
  gtk_label_set_wrap (GTK_LABEL (note), !self->is_narrow);
  gtk_label_set_ellipsize (GTK_LABEL (note),
                           self->is_narrow ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_tooltip_text (note, self->is_narrow ? text : NULL);
}

static void
show_notes (NsPairedPage *self)
{
  g_autofree char *clock = ns_pair_words_clock_note (self->pairs, self->names, self->is_narrow);
  g_autofree char *rows = ns_pair_words_rows_note (self->pairs, self->names, self->lines);

  show_note (self, self->clock_note, clock);
  show_note (self, self->rows_note, rows);
}

/* Shows the lanes, which are outside of the page, only while it is mapped and wide enough. */
static void
place_lanes (NsPairedPage *self)
{
  gtk_widget_set_visible (self->lanes,
                          gtk_widget_get_mapped (GTK_WIDGET (self)) && !self->is_narrow &&
                              self->pairs != NULL && self->lines->len > 0);
}

/* Rebuilds the lanes, or removes them if there are no pairs; lanes point into the pairs. */
static void
show_lanes (NsPairedPage *self)
{
  g_autofree char *offset = NULL;

  if (self->pairs == NULL || self->lines->len == 0)
    ns_pair_lanes_view_set_lanes (NS_PAIR_LANES_VIEW (self->lanes), NULL);
  else
    {
      const char *const names[] = { self->names[0], self->names[1] };
      const char *notes[] = { _ ("reference clock"), NULL };

      notes[1] = offset = ns_pair_words_correction (self->pairs);
      ns_pair_lanes_view_set_lanes (
          NS_PAIR_LANES_VIEW (self->lanes),
          ns_pair_lanes_new (self->pairs,
                             (const guint32 *) (gpointer) self->lines->data,
                             self->lines->len,
                             names,
                             notes));
    }
  place_lanes (self);
}

static void
show_chosen (NsPairedPage *self)
{
  guint line = ns_lines_view_get_chosen (self->list);

  ns_pair_lanes_view_choose (NS_PAIR_LANES_VIEW (self->lanes),
                             self->pairs != NULL && line < self->lines->len
                                 ? g_array_index (self->lines, guint32, line)
                                 : NS_PAIR_LANES_NONE);
}

/* Selects the line of a clicked bar. */
static void
bar_chosen_cb (NsPairedPage *self, guint row)
{
  guint line;

  for (line = 0; line < self->lines->len; line++)
    if (g_array_index (self->lines, guint32, line) == row)
      ns_lines_view_choose (self->list, line);
}

/* Selects the line of the operation that is selected in the session. */
static void
follow_selection (NsPairedPage *self)
{
  guint32 activity = ns_session_get_activity (self->session);
  guint chosen = ns_lines_view_get_chosen (self->list);
  guint line;

  if (self->pairs == NULL || activity == G_MAXUINT32 || self->is_setting_selection)
    return;
  if (chosen < self->lines->len && get_own (get_row (self, chosen)) == activity + 1)
    return;
  for (line = 0; line < self->lines->len; line++)
    if (get_own (get_row (self, line)) == activity + 1)
      break;
  self->is_setting_selection = TRUE;
  ns_lines_view_choose (self->list, line < self->lines->len ? line : NS_LINES_NONE);
  self->is_setting_selection = FALSE;
  show_chosen (self);
}

/* Selects the operation of the selected line in the session. */
static void
chosen_cb (NsPairedPage *self)
{
  guint line = ns_lines_view_get_chosen (self->list);
  guint32 row;

  if (self->is_setting_selection || self->pairs == NULL || line >= self->lines->len)
    return;
  show_chosen (self);
  row = get_own (get_row (self, line));
  if (row-- == 0)
    return;
  self->is_setting_selection = TRUE;
  ns_session_select (self->session, NS_TABLE_ACTIVITIES, &row, 1);
  self->is_setting_selection = FALSE;
}

static void
activated_cb (GtkColumnView *view, guint position, NsPairedPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.pair-other-end", NULL);
}

/* Sets the text and the button of the placeholder. The target is set before the action name, since
 * GTK checks the action with the current target when its name is set. */
static void
offer (NsPairedPage *self, const char *why, const char *title, const char *action, GVariant *target)
{
  GtkActionable *help = GTK_ACTIONABLE (self->help);

  gtk_label_set_text (GTK_LABEL (self->why), why);
  gtk_button_set_label (GTK_BUTTON (help), title);
  gtk_actionable_set_action_name (help, NULL);
  gtk_actionable_set_action_target_value (help, target);
  gtk_actionable_set_action_name (help, action);
}

/* Shows the table, or a placeholder with the reason why it has no rows. */
static void
show_nothing (NsPairedPage *self)
{
  g_autofree char *why = NULL;

  gtk_widget_set_visible (self->table, self->lines->len > 0);
  gtk_widget_set_visible (self->placeholder, self->lines->len == 0);
  if (self->pairs->rows->len == 0)
    {
      why = ns_pair_words_nothing (self->pairs, self->names);
      offer (self, why, _ ("Files of This Case…"), "win.files", NULL);
    }
  else if (ns_session_get_moment (self->session) != G_MAXINT64)
    offer (self,
           _ ("No such row has started at this playback position."),
           _ ("End Playback"),
           "win.playback",
           NULL);
  else
    offer (self,
           _ ("No row matches the filter."),
           _ ("Show All Rows"),
           "win.set-filter",
           g_variant_new_string (""));
}

/**
 * ns_paired_page_update_rows:
 * @self: a page
 *
 * Updates the rows to the filter of the operations.
 */
void
ns_paired_page_update_rows (NsPairedPage *self)
{
  if (self->pairs == NULL)
    return;
  self->is_setting_selection = TRUE;
  ns_lines_view_clear (self->list);
  choose_lines (self);
  find_medians (self);
  ns_lines_view_fill (self->list, self->lines->len);
  ns_lines_view_choose (self->list, NS_LINES_NONE);
  self->is_setting_selection = FALSE;
  show_nothing (self);
  show_lanes (self);
  show_notes (self);
  follow_selection (self);
}

/**
 * ns_paired_page_set_pairing:
 * @self: a page
 * @pairing: (nullable): a finished pairing of the window's trace
 * @file: (nullable): the trace file of the other machine
 *
 * Shows the paired requests, or the reason why there are none.
 */
void
ns_paired_page_set_pairing (NsPairedPage *self, NsPairing *pairing, GFile *file)
{
  guint i;

  self->pairs = NULL;
  self->is_setting_selection = TRUE;
  ns_lines_view_clear (self->list);
  self->is_setting_selection = FALSE;
  g_array_set_size (self->lines, 0);
  self->n_paired = 0;
  show_lanes (self);
  g_set_object (&self->pairing, pairing);
  for (i = 0; i < 2; i++)
    {
      g_free (self->names[i]);
      self->names[i] = pairing != NULL ? ns_pairing_dup_machine (pairing, i) : NULL;
    }
  gtk_widget_set_visible (self->table, TRUE);
  gtk_widget_set_visible (self->placeholder, FALSE);
  if (pairing == NULL)
    return;
  self->pairs = ns_pairing_get_pairs (pairing);
  if (file != NULL)
    {
      g_autofree char *uri = g_file_get_uri (file);

      gtk_actionable_set_action_target (GTK_ACTIONABLE (self->pair_window_button), "s", uri);
    }
  ns_paired_page_update_rows (self);
}

static gboolean
has_machines (const NsPairedPage *self, const char *const *names)
{
  GListModel *list = gtk_drop_down_get_model (GTK_DROP_DOWN (self->machines));
  guint n = list != NULL ? g_list_model_get_n_items (list) : 0;
  guint i;

  for (i = 0; i < n && names[i] != NULL; i++)
    if (strcmp (gtk_string_list_get_string (GTK_STRING_LIST (list), i), names[i]) != 0)
      return FALSE;
  return i == n && names[i] == NULL;
}

/**
 * ns_paired_page_set_machines:
 * @self: a page
 * @names: (array zero-terminated=1): the machines that the window's trace can be paired with
 * @chosen: the index of the machine that it is paired with
 *
 * Sets the entries of the machine chooser, which is visible if there are several.
 */
void
ns_paired_page_set_machines (NsPairedPage *self, const char *const *names, guint chosen)
{
  self->is_setting_machines = TRUE;
  /* Keeps an unchanged model: the drop-down may be notifying about a new selection. */
  if (!has_machines (self, names))
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new (names);

      gtk_drop_down_set_model (GTK_DROP_DOWN (self->machines), G_LIST_MODEL (list));
    }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->machines), chosen);
  self->is_setting_machines = FALSE;
  gtk_widget_set_visible (self->chooser, g_strv_length ((char **) names) > 1);
}

/**
 * ns_paired_page_set_narrow:
 * @self: a page
 * @is_narrow: whether both network phases share a column
 */
void
ns_paired_page_set_narrow (NsPairedPage *self, gboolean is_narrow)
{
  self->is_narrow = is_narrow;
  place_lanes (self);
  ns_lines_view_show_column (self->list, COLUMN_NETWORK, is_narrow);
  ns_lines_view_show_column (self->list, COLUMN_NETWORK_OUT, !is_narrow);
  ns_lines_view_show_column (self->list, COLUMN_NETWORK_BACK, !is_narrow);
  if (self->pairs != NULL)
    show_notes (self);
}

/**
 * ns_paired_page_count:
 * @self: a page
 *
 * Returns: the number of visible requests that both machines recorded
 */
guint
ns_paired_page_count (NsPairedPage *self)
{
  return self->n_paired;
}

/**
 * ns_paired_page_get_lanes:
 * @self: a page
 *
 * Returns: (transfer none): the lanes of both machines, to be placed in a box near the timeline;
 * they are visible while the page is mapped, and are removed from the box when it is disposed
 */
GtkWidget *
ns_paired_page_get_lanes (NsPairedPage *self)
{
  return self->lanes;
}

/**
 * ns_paired_page_focus:
 * @self: a page
 *
 * Returns: whether the table took the focus
 */
gboolean
ns_paired_page_focus (NsPairedPage *self)
{
  return gtk_widget_grab_focus (ns_lines_view_get_widget (self->list));
}

static void
ns_paired_page_dispose (GObject *object)
{
  NsPairedPage *self = NS_PAIRED_PAGE (object);

  self->pairs = NULL;
  if (self->lanes != NULL && gtk_widget_get_parent (self->lanes) != NULL)
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (self->lanes)), self->lanes);
  g_clear_object (&self->lanes);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_object (&self->pairing);
  G_OBJECT_CLASS (ns_paired_page_parent_class)->dispose (object);
}

static void
ns_paired_page_finalize (GObject *object)
{
  NsPairedPage *self = NS_PAIRED_PAGE (object);

  ns_lines_view_free (self->list);
  g_array_unref (self->lines);
  g_free (self->names[0]);
  g_free (self->names[1]);
  G_OBJECT_CLASS (ns_paired_page_parent_class)->finalize (object);
}

static void
ns_paired_page_class_init (NsPairedPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_paired_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_paired_page_finalize;
  /* The user chose another machine; the parameter is its index in the list of machines. */
  signals[SIGNAL_MACHINE_CHOSEN] = g_signal_new ("machine-chosen",
                                                 G_TYPE_FROM_CLASS (klass),
                                                 G_SIGNAL_RUN_LAST,
                                                 0,
                                                 NULL,
                                                 NULL,
                                                 NULL,
                                                 G_TYPE_NONE,
                                                 1,
                                                 G_TYPE_UINT);
}

static void
machine_cb (NsPairedPage *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->machines));

  if (!self->is_setting_machines && chosen != GTK_INVALID_LIST_POSITION)
    g_signal_emit (self, signals[SIGNAL_MACHINE_CHOSEN], 0, chosen);
}

static GtkWidget *
build_chooser (NsPairedPage *self)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("Other _machine:"));

  self->machines = gtk_drop_down_new (NULL, NULL);
  ns_accessible_set_drop_down_name (GTK_DROP_DOWN (self->machines), _ ("Other machine"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->machines);
  g_signal_connect_swapped (self->machines, "notify::selected", G_CALLBACK (machine_cb), self);
  self->chooser = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (self->chooser), label);
  gtk_box_append (GTK_BOX (self->chooser), self->machines);
  gtk_widget_set_margin_start (self->chooser, 12);
  gtk_widget_set_margin_end (self->chooser, 12);
  gtk_widget_set_margin_top (self->chooser, 3);
  gtk_widget_set_margin_bottom (self->chooser, 3);
  gtk_widget_set_visible (self->chooser, FALSE);
  return self->chooser;
}

static GtkWidget *
note_new (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "caption");
  return label;
}

static GtkWidget *
build_notes (NsPairedPage *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *notes = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  self->clock_note = note_new ();
  self->rows_note = note_new ();
  gtk_box_append (GTK_BOX (notes), self->clock_note);
  gtk_box_append (GTK_BOX (notes), self->rows_note);
  gtk_widget_set_hexpand (notes, TRUE);
  self->pair_window_button = gtk_button_new_with_mnemonic (_ ("_Both Ends…"));
  gtk_widget_set_valign (self->pair_window_button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->pair_window_button,
                               _ ("Show a chart, and set the clock manually"));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->pair_window_button), "s", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->pair_window_button), "win.pair-with");
  gtk_box_append (GTK_BOX (row), notes);
  gtk_box_append (GTK_BOX (row), self->pair_window_button);
  gtk_widget_set_margin_start (row, 12);
  gtk_widget_set_margin_end (row, 12);
  gtk_widget_set_margin_top (row, 6);
  gtk_widget_set_margin_bottom (row, 6);
  return row;
}

static GtkWidget *
build_placeholder (NsPairedPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->why = gtk_label_new (NULL);
  self->help = gtk_button_new ();
  gtk_label_set_wrap (GTK_LABEL (self->why), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->why), EMPTY_CHARS);
  gtk_label_set_justify (GTK_LABEL (self->why), GTK_JUSTIFY_CENTER);
  gtk_widget_set_halign (self->help, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->why);
  gtk_box_append (GTK_BOX (box), self->help);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_vexpand (box, TRUE);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_visible (box, FALSE);
  return box;
}

static NsLinesView *
build_list (NsPairedPage *self)
{
  const NsLinesColumn columns[N_COLUMNS] = {
    [COLUMN_REQUEST] = { _ ("Request"), 172, FALSE, FALSE, TRUE },
    [COLUMN_SERVER] = { _ ("Served By"), 146, FALSE },
    [COLUMN_CLIENT_QUEUE] = { _ ("Client Queue"), 92, TRUE },
    [COLUMN_NETWORK_OUT] = { _ ("Network Out"), 94, TRUE },
    [COLUMN_SERVER_QUEUE] = { _ ("Server Queue"), 96, TRUE },
    [COLUMN_SERVER_WORK] = { _ ("Server Work"), 92, TRUE },
    [COLUMN_NETWORK_BACK] = { _ ("Network Back"), 100, TRUE },
    [COLUMN_NETWORK] = { _ ("Network"), 80, TRUE },
    [COLUMN_TOTAL] = { _ ("Total (ms)"), 80, TRUE },
    [COLUMN_START] = { _ ("Start (s)"), 92, TRUE },
    [COLUMN_PAIR] = { _ ("Pair"), 56, FALSE, TRUE },
  };
  NsLinesView *list =
      ns_lines_view_new (_ ("Requests at both ends"), columns, N_COLUMNS, &source, self);

  ns_lines_view_set_has_foot (list);
  return list;
}

static void
ns_paired_page_init (NsPairedPage *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->list = build_list (self);
  ns_lines_view_show_column (self->list, COLUMN_NETWORK, FALSE);
  g_signal_connect_object (ns_lines_view_get_selection (self->list),
                           "notify::selected-item",
                           G_CALLBACK (chosen_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ns_lines_view_get_widget (self->list),
                           "activate",
                           G_CALLBACK (activated_cb),
                           self,
                           0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled),
                                 ns_lines_view_get_widget (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  self->table = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->lanes = g_object_ref_sink (ns_pair_lanes_view_new ());
  gtk_widget_set_visible (self->lanes, FALSE);
  g_signal_connect (self, "map", G_CALLBACK (place_lanes), NULL);
  g_signal_connect_after (self, "unmap", G_CALLBACK (place_lanes), NULL);
  g_signal_connect_object (self->lanes,
                           "chosen",
                           G_CALLBACK (bar_chosen_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->table), scrolled);
  gtk_box_append (GTK_BOX (self->table), build_notes (self));
  self->placeholder = build_placeholder (self);
  gtk_box_append (GTK_BOX (self), build_chooser (self));
  gtk_box_append (GTK_BOX (self), self->table);
  gtk_box_append (GTK_BOX (self), self->placeholder);
}

/**
 * ns_paired_page_new:
 * @session: the session of the window
 *
 * Returns: (transfer floating): an empty page
 */
GtkWidget *
ns_paired_page_new (NsSession *session)
{
  NsPairedPage *self = g_object_new (NS_TYPE_PAIRED_PAGE, NULL);

  self->session = g_object_ref (session);
  ns_pair_lanes_view_set_session (NS_PAIR_LANES_VIEW (self->lanes), session);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (follow_selection), self);
  return GTK_WIDGET (self);
}
