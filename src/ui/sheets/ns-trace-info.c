/* Trace information page: header, files, providers, losses and damage of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-losses.h"
#include "model/ns-sched-job.h"
#include "model/ns-session-view.h"
#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/ns-words.h"
#include "ui/ns-wrap.h"
#include "ui/sheets/ns-files-card.h"
#include "ui/sheets/ns-info-facts.h"
#include "ui/sheets/ns-info-pages.h"
#include "ui/sheets/ns-losses-card.h"
#include "ui/sheets/ns-name-sheet.h"
#include "ui/sheets/ns-questions-card.h"
#include "ui/sheets/ns-recipe-card.h"
#include "ui/sheets/ns-trace-info.h"
#include "ui/table/ns-table-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* Maximum number of listed stuck threads and of damaged places; further threads are only
 * counted. */
#define NS_TRACE_INFO_MAX_STUCK 12
#define NS_TRACE_INFO_MAX_DAMAGE 100
/* Minimum width for two columns. */
#define NARROW_PX 1000
#define LEFT_PX 540

struct _NsTraceInfo
{
  GtkWidget parent_instance;

  NsSession *session;
  gboolean is_due; /* the content is outdated and is filled when the page is mapped */
  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *columns; /* two columns; stacked in a narrow window */
  GtkWidget *top;     /* verdict and facts; stacked in a narrow window */
  GtkWidget *verdict_mark;
  GtkWidget *verdict;
  GtkWidget *answers;
  GtkWidget *facts;
  GtkWidget *questions;
  GtkWidget *recipe;
  GtkWidget *providers;
  GtkWidget *providers_title;
  GtkWidget *name;     /* button that names the selected provider */
  GtkWidget *switcher; /* page switch for traces of several files */
  GtkWidget *files;
  GtkWidget *files_card;
  GtkWidget *files_note;
  GtkWidget *losses;
  GtkWidget *losses_card;
  GtkWidget *processors; /* losses per processor */
  GtkWidget *processors_note;
  GtkWidget *stuck; /* hint at possible deadlocks */
  GString *report;  /* the content as plain text, for the clipboard */
  guint fit_id;
};

G_DEFINE_FINAL_TYPE (NsTraceInfo, ns_trace_info, GTK_TYPE_WIDGET)

static GtkWidget *
label_new (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_fact (NsTraceInfo *self, GtkWidget *grid, int *line, const char *name, const char *text)
{
  GtkWidget *value = label_new (text, NULL);

  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_grid_attach (GTK_GRID (grid), label_new (name, "dim"), 0, *line, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), value, 1, (*line)++, 1, 1);
  g_string_append_printf (self->report, "%s: %s\n", name, text);
}

static void
clear_grid (GtkWidget *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (grid)) != NULL)
    gtk_grid_remove (GTK_GRID (grid), child);
}

/* Adds the function names and the view state that were handed over with the trace. */
static void
add_companions (NsTraceInfo *self, int *line)
{
  gboolean has_view;
  guint n_names = ns_session_count_embedded (self->session, &has_view);
  g_autofree char *n = ns_words_count (n_names);
  g_autofree char *names =
      /* Translators: how many names of functions came along with a trace. */
      g_strdup_printf (ngettext ("%s function name", "%s function names", n_names), n);
  g_autoptr (GString) text = g_string_new (n_names > 0 ? names : NULL);

  if (has_view)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", _ ("view and notes"));
  if (text->len > 0)
    add_fact (self, self->facts, line, _ ("Embedded"), text->str);
}

static void
add_header_facts (NsTraceInfo *self, NsTrace *trace, int *line)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  g_autofree char *recorded = ns_info_facts_dup_recorded (trace);
  g_autofree char *session = ns_info_facts_dup_session (trace);
  g_autofree char *kit = ns_info_facts_dup_capture_kit (trace);
  g_autofree char *size = g_format_size (ns_etl_file_get_given_size (trace->file));
  g_autofree char *n_events = ns_words_count (trace->n_records);
  g_autofree char *n_stacks = ns_words_count (trace->n_stacks_attached);
  const char *machine = ns_etl_file_get_machine (trace->file);
  g_autofree char *amount =
      g_strdup_printf (_ ("%s · %s events · %s with a stack"), size, n_events, n_stacks);
  g_autofree char *system =
      g_strdup_printf (ngettext ("Windows %u.%u, build %u, %u processor, %u-bit",
                                 "Windows %u.%u, build %u, %u processors, %u-bit",
                                 header->n_processors),
                       header->os_major,
                       header->os_minor,
                       header->os_build,
                       header->n_processors,
                       header->pointer_size * 8);

  add_fact (self, self->facts, line, _ ("Recorded"), recorded);
  add_fact (self, self->facts, line, _ ("Session"), session);
  add_fact (self, self->facts, line, _ ("Written to"), header->log_file);
  add_fact (self, self->facts, line, _ ("Size"), amount);
  if (machine != NULL)
    add_fact (self, self->facts, line, _ ("Name"), machine);
  if (!ns_etl_file_is_capture (trace->file))
    add_fact (self, self->facts, line, _ ("Computer"), system);
  if (kit != NULL)
    add_fact (self, self->facts, line, _ ("Capture kit"), kit);
  add_companions (self, line);
}

/* Adds a count unless it is zero. */
static void
add_count (NsTraceInfo *self, int *line, const char *name, guint64 number)
{
  g_autofree char *text = ns_words_count (number);

  if (number == 0)
    return;
  add_fact (self, self->losses, line, name, text);
}

static void
add_losses (NsTraceInfo *self, NsTrace *trace)
{
  const NsMissing *missing = &ns_session_get_damage (self->session)->missing;
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint n_damage = report != NULL && report->damage != NULL ? report->damage->len : 0;
  int line = 0;
  guint i;

  clear_grid (self->losses);
  add_count (self, &line, _ ("Events lost while recording"), missing->n_events);
  add_count (self, &line, _ ("Buffers lost while recording"), missing->n_buffers);
  if (ns_missing_has_gaps (missing))
    add_count (self, &line, _ ("Buffers missing in the file"), missing->n_gap_buffers);
  add_count (self,
             &line,
             _ ("Events that could not be decoded"),
             ns_losses_count_undecodable (trace));
  if (report != NULL)
    {
      add_count (self, &line, _ ("Events out of order"), report->n_out_of_order);
      add_count (self, &line, _ ("Damaged buffers"), report->n_damaged);
      add_count (self, &line, _ ("Bytes not read because of damage"), report->n_bytes_dropped);
    }
  for (i = 0; i < MIN (n_damage, NS_TRACE_INFO_MAX_DAMAGE); i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);
      g_autofree char *offset = ns_words_byte (trace, damage->offset);
      g_autofree char *place = g_strdup_printf (_ ("Byte %s"), offset);

      add_fact (self, self->losses, &line, place, damage->what);
    }
  gtk_widget_set_visible (self->losses_card, line > 0);
  ns_info_pages_update (self->switcher);
}

/* Lists threads that waited until the end of the trace. This is only a hint: idle threads look the
 * same as deadlocked ones. */
static void
update_stuck (NsTraceInfo *self, NsTrace *trace)
{
  const GArray *stuck = ns_sched_get_stuck (trace);
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  gtk_widget_set_visible (self->stuck, stuck != NULL && stuck->len > 0);
  if (stuck == NULL || stuck->len == 0)
    return;
  for (i = 0; i < MIN (stuck->len, NS_TRACE_INFO_MAX_STUCK); i++)
    {
      const NsSchedStuck *one = &g_array_index (stuck, NsSchedStuck, i);
      const char *name = ns_trace_get_process_name (trace, one->pid, one->since_ns);
      g_autofree char *since = ns_words_seconds (one->since_ns);

      /* Translators: a thread, its process, a time of the trace */
      g_string_append_printf (text,
                              _ ("%sthread %u of %s (since %s)"),
                              i > 0 ? ", " : "",
                              one->tid,
                              name != NULL ? name : "?",
                              since);
    }
  if (stuck->len > NS_TRACE_INFO_MAX_STUCK)
    g_string_append_printf (text, _ (" and %u more"), stuck->len - NS_TRACE_INFO_MAX_STUCK);
  g_string_prepend (text, _ ("Possibly stuck threads, which waited until the end of the trace: "));
  gtk_label_set_text (GTK_LABEL (self->stuck), text->str);
}

static void
ready_cb (NsTraceInfo *self, NsTrace *trace)
{
  if (self->session != NULL && ns_session_get_trace (self->session) == trace)
    update_stuck (self, trace);
}

/* Requests the stuck threads when the page is mapped, since finding them takes time. */
static void
map_cb (NsTraceInfo *self)
{
  if (self->session != NULL)
    ready_cb (self, ns_session_get_trace (self->session));
}

static void
show_mark (NsTraceInfo *self, gboolean is_good)
{
  gtk_image_set_from_icon_name (GTK_IMAGE (self->verdict_mark),
                                is_good ? "object-select-symbolic" : "dialog-warning-symbolic");
  gtk_widget_remove_css_class (self->verdict_mark, is_good ? "warning-text" : "ok-mark");
  gtk_widget_add_css_class (self->verdict_mark, is_good ? "ok-mark" : "warning-text");
}

static void
update_verdict (NsTraceInfo *self, NsTrace *trace)
{
  const NsDamage *damage = ns_session_get_damage (self->session);
  g_autofree char *missing = ns_info_facts_dup_missing (trace);
  gboolean is_good = FALSE;
  const char *text;

  if (damage->is_damaged)
    text = damage->is_whole ? _ ("The trace is intact; files that accompany it are damaged.")
                            : _ ("The file is damaged; the readable part is shown.");
  else if (ns_missing_has_losses (&damage->missing))
    text = _ ("Events were lost while recording: some rows may be incomplete.");
  else if (missing != NULL)
    text = missing;
  else if (ns_missing_has_gaps (&damage->missing))
    text = _ ("Buffers are missing in the file: some rows may be incomplete.");
  else if (ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES) == 0)
    text = _ ("The trace contains no network activity; its events are listed in the Events tab.");
  else
    {
      text = _ ("Nothing is missing: no losses and no damage.");
      is_good = TRUE;
    }
  gtk_label_set_text (GTK_LABEL (self->verdict), text);
  show_mark (self, is_good);
  g_string_append_printf (self->report, "%s\n", text);
}

static GtkWidget *
card_new (const char *title, GtkWidget *child, GtkWidget **title_label, GtkWidget **note_label)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = label_new (title, NULL);
  GtkWidget *note = label_new (NULL, "card-note");

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (head, "card-title");
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_wrap (GTK_LABEL (label), FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (note), FALSE);
  gtk_box_append (GTK_BOX (head), label);
  gtk_box_append (GTK_BOX (head), note);
  gtk_box_append (GTK_BOX (card), head);
  gtk_box_append (GTK_BOX (card), GTK_IS_GRID (child) ? ns_wrap_new (child) : child);
  if (title_label != NULL)
    *title_label = label;
  if (note_label != NULL)
    *note_label = note;
  return card;
}

static GtkWidget *
grid_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_widget_add_css_class (grid, "dense");
  gtk_widget_set_margin_start (grid, 12);
  gtk_widget_set_margin_end (grid, 12);
  gtk_widget_set_margin_top (grid, 9);
  gtk_widget_set_margin_bottom (grid, 12);
  return grid;
}

static void
copy_cb (NsTraceInfo *self)
{
  g_autofree char *text = NULL;

  /* The hint is computed later than the rest of the report. */
  if (gtk_widget_get_visible (self->stuck))
    text =
        g_strdup_printf ("%s%s\n", self->report->str, gtk_label_get_text (GTK_LABEL (self->stuck)));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          text != NULL ? text : self->report->str);
}

/* Returns the selected provider; %FALSE if not exactly one is selected, or if it has a name from
 * another source than the user. */
static gboolean
get_provider (NsTraceInfo *self, guint *row)
{
  const GArray *selected;

  if (self->session == NULL || ns_session_get_selected_table (self->session) != NS_TABLE_PROVIDERS)
    return FALSE;
  selected = ns_session_get_selected (self->session);
  if (selected->len != 1)
    return FALSE;
  *row = g_array_index (selected, guint32, 0);
  return ns_session_can_name_provider (self->session, *row);
}

static void
selection_changed_cb (NsTraceInfo *self)
{
  guint row;

  gtk_widget_set_sensitive (self->name, get_provider (self, &row));
}

static void
name_cb (NsTraceInfo *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  guint row;

  if (get_provider (self, &row))
    ns_name_sheet_ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->session, row);
}

static GtkWidget *
build_name_button (NsTraceInfo *self)
{
  self->name = gtk_button_new_with_label (_ ("Name Provider…"));
  gtk_widget_set_halign (self->name, GTK_ALIGN_START);
  gtk_widget_set_margin_start (self->name, 12);
  gtk_widget_set_margin_top (self->name, 9);
  gtk_widget_set_margin_bottom (self->name, 12);
  gtk_widget_set_sensitive (self->name, FALSE);
  gtk_widget_set_tooltip_text (self->name,
                               _ ("Name for the selected provider, if no trace names it"));
  g_signal_connect_swapped (self->name, "clicked", G_CALLBACK (name_cb), self);
  return self->name;
}

static GtkWidget *
build_title (NsTraceInfo *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *back = gtk_button_new ();
  GtkWidget *back_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = gtk_label_new (_ ("Trace information"));
  GtkWidget *recipe = gtk_button_new_with_label (_ ("How to Record…"));
  GtkWidget *copy = gtk_button_new ();
  GtkWidget *copy_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (back_box), gtk_image_new_from_icon_name ("go-previous-symbolic"));
  gtk_box_append (GTK_BOX (back_box), gtk_label_new (_ ("Back to the Trace")));
  gtk_button_set_child (GTK_BUTTON (back), back_box);
  gtk_button_set_has_frame (GTK_BUTTON (back), FALSE);
  ns_accessible_set_name (back, _ ("Back to the Trace"));
  gtk_box_append (GTK_BOX (copy_box), gtk_image_new_from_icon_name ("edit-copy-symbolic"));
  gtk_box_append (GTK_BOX (copy_box), gtk_label_new (_ ("Copy as Text")));
  gtk_button_set_child (GTK_BUTTON (copy), copy_box);
  ns_accessible_set_name (copy, _ ("Copy as Text"));
  gtk_widget_add_css_class (recipe, "suggested-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "win.info");
  self->title = title;
  gtk_widget_add_css_class (title, "page-heading");
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_valign (title, GTK_ALIGN_CENTER);
  self->switcher = ns_info_pages_new ();
  gtk_widget_set_hexpand (self->switcher, TRUE);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_cb), self);
  gtk_box_append (GTK_BOX (row), back);
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), self->switcher);
  gtk_widget_set_tooltip_text (
      recipe,
      _ ("Choose what to record, and create a profile or commands for it"));
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (recipe), "win.recipe::");
  gtk_box_append (GTK_BOX (row), ns_help_button_new ("health"));
  gtk_box_append (GTK_BOX (row), copy);
  gtk_box_append (GTK_BOX (row), recipe);
  return row;
}

static GtkWidget *
build_files (NsTraceInfo *self)
{
  self->files = grid_new ();
  gtk_widget_add_css_class (self->files, "files");
  gtk_widget_set_hexpand (self->files, TRUE);
  self->files_card = card_new (_ ("Files"), self->files, NULL, &self->files_note);
  ns_files_card_add_controls (GTK_GRID (self->files), GTK_BOX (self->files_card));
  return self->files_card;
}

/* Fills the list of files. It is above the columns for a case of several files, below them
 * otherwise. */
static void
update_files (NsTraceInfo *self, NsTrace *trace)
{
  GtkWidget *content = gtk_widget_get_parent (self->files_card);
  gboolean is_case = ns_etl_file_get_n_inputs (trace->file) > 1 ||
                     ns_trace_get_n_logs (trace) > 0 ||
                     ns_etl_file_get_refused (trace->file) != NULL;
  g_autofree char *note = NULL;

  clear_grid (self->files);
  note = ns_files_card_fill (GTK_GRID (self->files), trace, self->report);
  gtk_label_set_text (GTK_LABEL (self->files_note), note);
  ns_info_pages_set_case (self->switcher, is_case);
  gtk_box_reorder_child_after (GTK_BOX (content),
                               is_case ? self->columns : self->files_card,
                               is_case ? self->files_card : self->columns);
}

static void
ns_trace_info_dispose (GObject *object)
{
  NsTraceInfo *self = NS_TRACE_INFO (object);

  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  if (self->report != NULL)
    g_string_free (self->report, TRUE);
  self->report = NULL;
  G_OBJECT_CLASS (ns_trace_info_parent_class)->dispose (object);
}

/* The limit grows with the text size. */
static gboolean
is_narrow (NsTraceInfo *self, int width)
{
  return width < (int) (NARROW_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
}

static gboolean
fit_cb (gpointer data)
{
  NsTraceInfo *self = data;
  GtkOrientation orientation = is_narrow (self, gtk_widget_get_width (GTK_WIDGET (self)))
                                   ? GTK_ORIENTATION_VERTICAL
                                   : GTK_ORIENTATION_HORIZONTAL;

  self->fit_id = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->top), orientation);
  /* Hides the title in a narrow window to leave room for the buttons. */
  gtk_widget_set_visible (self->title, orientation == GTK_ORIENTATION_HORIZONTAL);
  return G_SOURCE_REMOVE;
}

/* Changes the orientation in idle, since it cannot change during allocation. */
static void
ns_trace_info_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsTraceInfo *self = NS_TRACE_INFO (widget);
  gboolean is_below =
      gtk_orientable_get_orientation (GTK_ORIENTABLE (self->columns)) == GTK_ORIENTATION_VERTICAL;

  gtk_widget_allocate (self->box, width, height, baseline, NULL);
  if (is_narrow (self, width) != is_below && self->fit_id == 0)
    self->fit_id = g_idle_add (fit_cb, self);
}

static void
ns_trace_info_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  gtk_widget_measure (NS_TRACE_INFO (widget)->box,
                      orientation,
                      for_size,
                      minimum,
                      natural,
                      minimum_baseline,
                      natural_baseline);
}

static void
ns_trace_info_map (GtkWidget *widget)
{
  NsTraceInfo *self = NS_TRACE_INFO (widget);

  GTK_WIDGET_CLASS (ns_trace_info_parent_class)->map (widget);
  if (self->is_due)
    ns_trace_info_set_session (self, self->session);
}

static void
ns_trace_info_class_init (NsTraceInfoClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_trace_info_dispose;
  GTK_WIDGET_CLASS (klass)->size_allocate = ns_trace_info_size_allocate;
  GTK_WIDGET_CLASS (klass)->measure = ns_trace_info_measure;
  GTK_WIDGET_CLASS (klass)->map = ns_trace_info_map;
}

static void
ns_trace_info_init (NsTraceInfo *self)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *questions;
  GtkWidget *providers;
  GtkWidget *processors;
  GtkWidget *losses;
  GtkWidget *add;

  self->report = g_string_new (NULL);
  self->columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->top = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->verdict_mark = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (self->verdict_mark), (int) (32 * ns_theme_get_scale ()));
  self->verdict = label_new (NULL, "section-title");
  self->answers = label_new (NULL, "dim");
  gtk_widget_add_css_class (self->answers, "dense");
  gtk_box_append (GTK_BOX (words), self->verdict);
  gtk_box_append (GTK_BOX (words), self->answers);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (head), self->verdict_mark);
  gtk_box_append (GTK_BOX (head), words);
  gtk_widget_set_valign (head, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_start (head, 18);
  gtk_widget_set_margin_top (head, 12);
  gtk_widget_set_margin_bottom (head, 12);
  gtk_box_append (GTK_BOX (self->top), head);
  self->facts = grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (self->facts), 0);
  self->questions = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->questions), 9);
  gtk_widget_add_css_class (self->questions, "questions");
  self->recipe = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_widget_add_css_class (self->recipe, "card");
  gtk_widget_add_css_class (self->recipe, "recipe-card");
  self->losses = grid_new ();
  self->processors = grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (self->processors), 0);
  self->providers = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_size_request (self->providers, -1, 300);

  gtk_widget_add_css_class (card, "card");
  /* The facts take their natural width, the verdict the rest. */
  gtk_widget_set_hexpand (self->facts, FALSE);
  gtk_widget_set_valign (self->facts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->top), ns_wrap_new (self->facts));
  gtk_box_append (GTK_BOX (card), self->top);
  self->stuck = label_new (NULL, NULL);
  gtk_label_set_selectable (GTK_LABEL (self->stuck), TRUE);
  gtk_widget_set_visible (self->stuck, FALSE);
  gtk_widget_set_margin_start (self->stuck, 12);
  gtk_widget_set_margin_end (self->stuck, 12);
  gtk_widget_set_margin_bottom (self->stuck, 12);
  gtk_box_append (GTK_BOX (card), self->stuck);
  g_signal_connect_after (self, "map", G_CALLBACK (map_cb), NULL);
  g_signal_connect_object (ns_sched_job_get (ns_settings_get_view ()),
                           "ready",
                           G_CALLBACK (ready_cb),
                           self,
                           G_CONNECT_SWAPPED);
  questions = card_new (_ ("Questions this trace can answer"), self->questions, NULL, &add);
  gtk_label_set_text (GTK_LABEL (add), _ ("add to recording"));
  gtk_box_append (GTK_BOX (left), questions);
  providers = card_new (_ ("Providers seen"), self->providers, &self->providers_title, NULL);
  gtk_box_append (GTK_BOX (providers), build_name_button (self));
  gtk_box_append (GTK_BOX (right), providers);
  processors = card_new (_ ("Losses and coverage per processor"),
                         self->processors,
                         NULL,
                         &self->processors_note);
  gtk_box_append (GTK_BOX (right), processors);
  gtk_box_append (GTK_BOX (left), self->recipe);
  self->losses_card = card_new (_ ("Losses and damage"), self->losses, NULL, NULL);
  /* This box has the visibility of the page; the card inside is visible only if there are losses or
   * damage. */
  losses = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (losses), self->losses_card);
  gtk_box_append (GTK_BOX (left), losses);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_widget_set_hexpand (left, FALSE);
  gtk_widget_set_size_request (left, LEFT_PX, -1);
  gtk_box_append (GTK_BOX (self->columns), left);
  gtk_box_append (GTK_BOX (self->columns), right);
  gtk_box_append (GTK_BOX (content), build_title (self));
  gtk_box_append (GTK_BOX (content), card);
  gtk_box_append (GTK_BOX (content), build_files (self));
  gtk_box_append (GTK_BOX (content), self->columns);
  ns_info_pages_add (self->switcher, NS_INFO_QUESTIONS, left);
  ns_info_pages_add (self->switcher, NS_INFO_QUESTIONS, questions);
  ns_info_pages_add (self->switcher, NS_INFO_QUESTIONS, self->recipe);
  ns_info_pages_add (self->switcher, NS_INFO_FILES, self->files_card);
  ns_info_pages_add (self->switcher, NS_INFO_PROVIDERS, right);
  ns_info_pages_add (self->switcher, NS_INFO_PROVIDERS, providers);
  ns_info_pages_add (self->switcher, NS_INFO_LOSSES, left);
  ns_info_pages_add (self->switcher, NS_INFO_LOSSES, right);
  ns_info_pages_add (self->switcher, NS_INFO_LOSSES, losses);
  ns_info_pages_add (self->switcher, NS_INFO_LOSSES, processors);
  gtk_widget_set_margin_start (content, 12);
  gtk_widget_set_margin_end (content, 12);
  gtk_widget_set_margin_top (content, 9);
  gtk_widget_set_margin_bottom (content, 12);

  self->box = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->box), content);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/* Sorts providers by number of events unless the user has chosen another order. */
static void
order_providers (NsSession *session)
{
  g_autoptr (GArray) order = NULL;

  if (ns_session_get_order (session, NS_TABLE_PROVIDERS)->len > 0)
    return;
  order = ns_order_parse (NS_TABLE_PROVIDERS, "-events", NULL);
  if (order != NULL)
    ns_session_set_order (session, NS_TABLE_PROVIDERS, order);
}

/**
 * ns_trace_info_set_session:
 * @self: a page
 * @session: (nullable): the session of the trace to describe
 */
void
ns_trace_info_set_session (NsTraceInfo *self, NsSession *session)
{
  GtkWidget *child;
  NsTrace *trace;
  g_autofree char *answers = NULL;
  g_autofree char *adds = NULL;
  g_autofree char *layers = NULL;
  g_autofree char *lost = NULL;
  g_autofree char *title = NULL;
  int line = 0;

  while ((child = gtk_widget_get_first_child (self->providers)) != NULL)
    gtk_box_remove (GTK_BOX (self->providers), child);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  selection_changed_cb (self);
  if (session == NULL)
    return;
  g_signal_connect_object (session,
                           "selection-changed",
                           G_CALLBACK (selection_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  /* Fills a hidden page when it is mapped, so that opening a trace does not wait for it. */
  self->is_due = !gtk_widget_get_mapped (GTK_WIDGET (self));
  if (self->is_due)
    return;
  trace = ns_session_get_trace (session);
  g_string_truncate (self->report, 0);
  clear_grid (self->facts);
  if (trace->file == NULL)
    return;
  update_verdict (self, trace);
  add_header_facts (self, trace, &line);
  clear_grid (self->questions);
  answers =
      ns_questions_card_fill (GTK_GRID (self->questions), trace, self->report, &adds, &layers);
  ns_recipe_card_fill (self->recipe, adds, layers, ns_info_facts_find_rate (trace));
  gtk_label_set_text (GTK_LABEL (self->answers), answers);
  update_files (self, trace);
  add_losses (self, trace);
  clear_grid (self->processors);
  lost = ns_losses_card_fill (GTK_GRID (self->processors),
                              trace,
                              &ns_session_get_damage (self->session)->missing,
                              self->report);
  gtk_label_set_text (GTK_LABEL (self->processors_note), lost);
  gtk_widget_set_visible (self->stuck, FALSE);
  /* Translators: a title and a number, which is less than the title. */
  title = g_strdup_printf (_ ("Providers seen  <span weight=\"normal\" alpha=\"80%%\">%u</span>"),
                           ns_trace_get_n_rows (trace, NS_TABLE_PROVIDERS));
  gtk_label_set_markup (GTK_LABEL (self->providers_title), title);
  order_providers (session);
  child = GTK_WIDGET (ns_table_view_new (session, NS_TABLE_PROVIDERS));
  gtk_widget_set_vexpand (child, TRUE);
  g_signal_connect_swapped (child, "activated", G_CALLBACK (name_cb), self);
  gtk_box_append (GTK_BOX (self->providers), child);
}

/**
 * ns_trace_info_move_file:
 * @self: a page
 * @by: -1: up, 1: down
 *
 * Moves the file with the focus by one line.
 *
 * Returns: whether a file has the focus
 */
gboolean
ns_trace_info_move_file (NsTraceInfo *self, int by)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self)) &&
         ns_files_card_move (GTK_GRID (self->files), by);
}

/**
 * ns_trace_info_show_files:
 * @self: a visible page
 *
 * Shows the files of the trace and moves the focus to the first one.
 */
void
ns_trace_info_show_files (NsTraceInfo *self)
{
  ns_info_pages_show (self->switcher, NS_INFO_FILES);
  ns_files_card_take_focus (GTK_GRID (self->files));
}

/**
 * ns_trace_info_show_nth:
 * @self: a page
 * @nth: index of a page of the switcher, from 0
 *
 * Shows one of the pages for traces of several files.
 *
 * Returns: whether the trace information is visible
 */
gboolean
ns_trace_info_show_nth (NsTraceInfo *self, guint nth)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return FALSE;
  ns_info_pages_show (self->switcher, nth);
  return TRUE;
}
