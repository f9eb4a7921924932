/* Card of the trace information that lists the files of a trace and the files left out, each with
 * computer, time span, events, losses and clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"
#include "model/ns-log-clocks.h"
#include "ui/sheets/ns-files-card.h"

#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-files-series.h"
#include "ui/sheets/ns-losses-card.h"

#include <glib/gi18n.h>

/* Maximum number of logs and of files left out; further ones are only counted. */
#define MAX_FILES 200
/* Maximum number of lines for files of the trace, missing files and series. */
#define MAX_LINES 400
/* Indentation of files below their series. */
#define INDENT_PX 24
/* Data keys: on the name of a file its path, on the grid the path of the file to focus next. */
#define PATH_KEY "ns-path"
#define FOCUS_KEY "ns-focus"
/* Data key on the grid: the button below it. */
#define ADD_KEY "ns-add"

enum
{
  COLUMN_FILE,
  COLUMN_MACHINE,
  COLUMN_COVERAGE,
  COLUMN_RECORDED,
  COLUMN_EVENTS,
  COLUMN_DUPLICATES,
  COLUMN_LOST,
  COLUMN_CLOCK,
  COLUMN_REMOVE,
  N_COLUMNS
};

static GtkWidget *
attach (GtkGrid *grid, int line, int column, const char *text, double xalign, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), (float) xalign);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_grid_attach (grid, label, column, line, 1, 1);
  return label;
}

static void
attach_count (GtkGrid *grid, int line, int column, guint64 number, const char *style)
{
  g_autofree char *text = ns_words_count (number);

  attach (grid, line, column, text, 1, style);
}

/* Adds the name of a file, which carries the path for actions on the focused line. */
static void
attach_name (GtkGrid *grid, int line, const char *name, const char *path, const char *style)
{
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *full_path = g_filename_display_name (path);
  GtkWidget *label = attach (grid, line, COLUMN_FILE, shown, 0, style);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), 16);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  gtk_widget_set_tooltip_text (label, full_path);
  g_object_set_data_full (G_OBJECT (label), PATH_KEY, g_strdup (path), g_free);
}

/* Makes the name of a file focusable, so that keys can remove, move and correct it. */
static void
allow_keys (GtkGrid *grid, int line)
{
  GtkWidget *label = gtk_grid_get_child_at (grid, COLUMN_FILE, line);

  /* Only selectable labels take the focus. */
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "file-name");
}

static void
attach_titles (GtkGrid *grid, gboolean is_case, gboolean has_logs)
{
  attach (grid, 0, COLUMN_FILE, _ ("File"), 0, "dim");
  attach (grid, 0, COLUMN_MACHINE, _ ("Computer"), 0, "dim");
  attach (grid, 0, COLUMN_RECORDED, _ ("Recorded"), 1, "dim");
  attach (grid, 0, COLUMN_EVENTS, _ ("Events"), 1, "dim");
  if (is_case)
    /* Translators: the title of a column: events that another file has, too. */
    attach (grid, 0, COLUMN_DUPLICATES, _ ("Duplicates"), 1, "dim");
  attach (grid, 0, COLUMN_LOST, _ ("Lost"), 1, "dim");
  if (is_case || has_logs)
    attach (grid, 0, COLUMN_CLOCK, _ ("Clock"), 0, "dim");
}

/* Finds the times of the first and last record in trace time; %FALSE if there is no record. */
static gboolean
find_span (const NsTrace *trace, const NsEtlFile *input, NsTimeSpan *span)
{
  guint64 first;
  guint64 last;

  if (!ns_etl_file_find_span (input, &first, &last))
    return FALSE;
  span->begin_ns = ns_etl_file_raw_to_ns (trace->file, first);
  span->end_ns = ns_etl_file_raw_to_ns (trace->file, last);
  return TRUE;
}

/* Formats an offset in seconds with its sign. */
static char *
offset_to_text (gint64 offset_ns)
{
  g_autofree char *seconds = ns_log_clock_offset_to_text (offset_ns);

  return offset_ns < 0 ? g_strconcat (NS_MINUS, seconds + 1, NULL)
                       : g_strconcat ("+", seconds, NULL);
}

/* Formats a clock name and the offset that is added to its times. */
static char *
describe_offset (const char *clock, gint64 offset_ns)
{
  g_autofree char *seconds = offset_to_text (offset_ns);

  if (offset_ns == 0)
    return g_strdup (clock);
  /* Translators: “wall clock”, and how many seconds are added to the times of a file. */
  return g_strdup_printf (_ ("%s, %s s"), clock, seconds);
}

/* Describes the clock of a file and how exact its times are relative to those of other files. */
static char *
describe_clock (const NsEtlFile *input, gboolean is_exact)
{
  gint64 uncertainty_ns = ns_etl_file_get_clock_uncertainty (input);
  g_autofree char *length = NULL;

  if (uncertainty_ns == 0 && !is_exact)
    return g_strdup (_ ("wall clock"));
  if (uncertainty_ns == 0)
    /* Translators: of a file: its times and those of the others are of one clock. */
    return g_strdup (_ ("the same"));
  length = ns_words_milliseconds (uncertainty_ns);
  /* Translators: the possible error of times, such as "15.625". */
  return g_strdup_printf (_ ("wall clock, ± %s ms"), length);
}

/* Adds the description of a clock as a button that opens the dialog to correct it. */
static void
attach_correct (GtkGrid *grid, int line, const char *path, const char *text, const char *tooltip)
{
  GtkWidget *button = gtk_button_new ();
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *spoken = NULL;

  /* Translators: the name of a file, and a statement about its clock. */
  spoken = g_strdup_printf (_ ("Correct the clock of %s: %s"), name, text);
  gtk_button_set_label (GTK_BUTTON (button), text);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tooltip);
  ns_accessible_set_name (button, spoken);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.log-clock");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", path);
  gtk_grid_attach (grid, button, COLUMN_CLOCK, line, 1, 1);
}

static void
attach_log_clock (GtkGrid *grid, int line, const NsSideLog *log)
{
  g_autofree char *text = describe_offset (_ ("wall clock"), log->offset_ns);

  attach_correct (grid, line, log->path, text, _ ("Shift its times, or select the time column"));
}

/* Adds the clock of a file; it can be corrected unless the other files have the same clock. */
static void
attach_input_clock (GtkGrid *grid, int line, const NsTrace *trace, guint number, GString *report)
{
  const NsEtlFile *input = ns_etl_file_get_input (trace->file, number);
  g_autofree char *path = ns_trace_dup_input_path (trace->file, number);
  g_autofree char *why = NULL;
  gboolean can_shift = ns_etl_file_can_shift (trace->file, number, &why);
  g_autofree char *clock = describe_clock (input, !can_shift);
  g_autofree char *text = describe_offset (clock, ns_etl_file_get_offset (input));
  g_autofree char *tooltip = NULL;
  const char *belongs = ns_etl_file_get_why (input);

  if (can_shift && g_utf8_validate (path, -1, NULL))
    {
      /* Translators: the reason why a file is part of the trace. */
      tooltip = belongs != NULL ? g_strdup_printf (_ ("Shift its times (%s)"), belongs)
                                : g_strdup (_ ("Shift its times"));
      attach_correct (grid, line, path, text, tooltip);
    }
  else
    {
      tooltip =
          g_strjoin ("\n", belongs != NULL ? belongs : why, belongs != NULL ? why : NULL, NULL);
      gtk_widget_set_tooltip_text (attach (grid, line, COLUMN_CLOCK, text, 0, NULL), tooltip);
    }
  if (ns_etl_file_get_offset (input) != 0)
    g_string_append_printf (report, ", %s", text);
}

static void
attach_remove (GtkGrid *grid, int line, const char *path)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *shown = g_filename_display_name (base);
  /* Translators: the name of a file. */
  g_autofree char *text =
      g_strdup_printf (_ ("Remove %s from this trace; the file is kept"), shown);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, text);
  ns_accessible_set_name (button, text);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.remove-file");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", path);
  gtk_grid_attach (grid, button, COLUMN_REMOVE, line, 1, 1);
}

static void
add_input (GtkGrid *grid, int line, const NsTrace *trace, guint number, GString *report)
{
  const NsEtlFile *input = ns_etl_file_get_input (trace->file, number);
  gboolean is_case = ns_etl_file_get_n_inputs (trace->file) > 1;
  const NsEtlHeader *header = ns_etl_file_get_header (input);
  const char *machine = ns_etl_file_get_machine ((NsEtlFile *) input);
  guint64 n_duplicates = is_case ? ns_etl_file_get_n_duplicates (input) : 0;
  guint64 n_events = ns_etl_file_get_report (input)->n_records + n_duplicates;
  g_autofree char *name = ns_etl_file_dup_input_name (trace->file, number);
  g_autofree char *events = ns_words_count (n_events);
  NsTimeSpan span;

  attach_name (grid, line, name, ns_etl_file_get_path (input), NULL);
  attach (grid, line, COLUMN_MACHINE, machine != NULL ? machine : "", 0, NULL);
  g_string_append_printf (report, "%s: %s", name, events);
  if (find_span (trace, input, &span))
    {
      g_autofree char *begin = ns_words_seconds (span.begin_ns);
      g_autofree char *end = ns_words_seconds (span.end_ns);
      g_autofree char *text = g_strdup_printf ("%s – %s", begin, end);

      attach (grid, line, COLUMN_RECORDED, text, 1, "numeric");
      gtk_grid_attach (grid, ns_losses_bar_new (trace->end_ns, span), COLUMN_COVERAGE, line, 1, 1);
      g_string_append_printf (report, " (%s)", text);
    }
  if (is_case)
    attach_input_clock (grid, line, trace, number, report);
  g_string_append_c (report, '\n');
  attach (grid, line, COLUMN_EVENTS, events, 1, NULL);
  if (is_case)
    attach_count (grid, line, COLUMN_DUPLICATES, n_duplicates, NULL);
  attach_count (grid,
                line,
                COLUMN_LOST,
                header->events_lost,
                header->events_lost > 0 ? "lost-text" : NULL);
  if (is_case && ns_etl_file_get_member (input) == NULL)
    {
      attach_remove (grid, line, ns_etl_file_get_path (input));
      allow_keys (grid, line);
    }
}

/* Adds a line for a part of a series that is missing between two files. */
static void
add_missing (GtkGrid *grid,
             int line,
             const NsTrace *trace,
             const NsCoverageSpan *hole,
             GString *report)
{
  g_autofree char *before = ns_etl_file_dup_input_name (trace->file, hole->input);
  g_autofree char *behind = ns_etl_file_dup_input_name (trace->file, hole->next);
  g_autofree char *tip = ns_coverage_dup_missing_name (before, behind);
  g_autofree char *name =
      /* Translators: two files, between which another one is missing. */
      tip != NULL ? NULL : g_strdup_printf (_ ("between %s and %s"), before, behind);
  g_autofree char *begin = ns_words_seconds (hole->span.begin_ns);
  g_autofree char *end = ns_words_seconds (hole->span.end_ns);
  g_autofree char *text = g_strdup_printf ("%s – %s", begin, end);
  GtkWidget *button = gtk_button_new_with_label (_ ("Find…"));
  /* Translators: the name of a file that is missing. */
  g_autofree char *spoken = g_strdup_printf (_ ("Find %s"), tip != NULL ? tip : name);

  attach_name (grid, line, tip != NULL ? tip : name, tip != NULL ? tip : name, "dim");
  /* Translators: of a file: it is not there. */
  attach (grid, line, COLUMN_MACHINE, _ ("missing"), 0, "warning-text");
  attach (grid, line, COLUMN_RECORDED, text, 1, "numeric");
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  ns_accessible_set_name (button, spoken);
  gtk_widget_set_tooltip_text (button, _ ("Also read it with this trace"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-files");
  gtk_grid_attach (grid, button, COLUMN_CLOCK, line, 2, 1);
  g_string_append_printf (report, "%s: %s (%s)\n", tip != NULL ? tip : name, _ ("missing"), text);
}

/* Adds a log of another tool. It uses the wall clock plus the offset set by the user. */
static void
add_log (GtkGrid *grid, int line, const NsSideLog *log, GString *report)
{
  g_autofree char *n_lines = ns_words_count (log->n_lines);
  g_autofree char *lines =
      /* Translators: lines of a log. */
      g_strdup_printf (ngettext ("%s line", "%s lines", log->n_lines), n_lines);

  attach_name (grid, line, log->name, log->path, NULL);
  attach (grid, line, COLUMN_EVENTS, lines, 1, NULL);
  if (g_utf8_validate (log->path, -1, NULL))
    attach_log_clock (grid, line, log);
  if (!log->is_embedded)
    {
      attach_remove (grid, line, log->path);
      allow_keys (grid, line);
    }
  g_string_append_printf (report, "%s: %s", log->name, lines);
  if (log->offset_ns != 0)
    {
      g_autofree char *seconds = offset_to_text (log->offset_ns);

      g_string_append_printf (report, ", %s s", seconds);
    }
  if (log->refusal != NULL || log->n_faults > 0)
    {
      const NsSideFault *first =
          log->faults->len > 0 ? &g_array_index (log->faults, NsSideFault, 0) : NULL;
      g_autofree char *why =
          log->refusal != NULL || first == NULL
              /* Translators: why a file is not read. */
              ? g_strdup_printf (_ ("left out: %s"), log->refusal)
              /* Translators: lines of a log, the first of them, and what is wrong with that. */
              : g_strdup_printf (ngettext ("%u line left out; line %u: %s",
                                           "%u lines left out; line %u: %s",
                                           log->n_faults),
                                 log->n_faults,
                                 first->line,
                                 first->what);
      GtkWidget *label = gtk_label_new (why);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_widget_add_css_class (label, "warning-text");
      gtk_grid_attach (grid, label, COLUMN_MACHINE, line, COLUMN_EVENTS - COLUMN_MACHINE, 1);
      g_string_append_printf (report, ", %s", why);
    }
  g_string_append_c (report, '\n');
}

static void
add_sums (GtkGrid *grid, int line, const NsTrace *trace)
{
  attach (grid, line, COLUMN_FILE, _ ("Total"), 0, "strong");
  attach_count (grid,
                line,
                COLUMN_EVENTS,
                trace->n_records + ns_etl_file_get_n_duplicates (trace->file),
                "strong");
  attach_count (grid,
                line,
                COLUMN_DUPLICATES,
                ns_etl_file_get_n_duplicates (trace->file),
                "strong");
  attach_count (grid,
                line,
                COLUMN_LOST,
                ns_etl_file_get_header (trace->file)->events_lost,
                "strong");
}

/* Indents a line below its series and collapses it with the series. */
static void
put_in_series (GtkGrid *grid, int line, GtkWidget *series)
{
  GtkWidget *child;
  int column;

  gtk_widget_set_margin_start (gtk_grid_get_child_at (grid, COLUMN_FILE, line), INDENT_PX);
  for (column = 0; column < N_COLUMNS && series != NULL; column++)
    if ((child = gtk_grid_get_child_at (grid, column, line)) != NULL)
      ns_files_series_add (series, child);
}

/* Adds the header line of a series with the totals of its files. */
static GtkWidget *
add_series (GtkGrid *grid, int line, const NsTrace *trace, const NsCoverageLine *series)
{
  GtkWidget *widget = ns_files_series_new (GTK_WIDGET (grid), trace->file, series);
  guint64 n_duplicates = 0;
  guint64 n_events = 0;
  guint64 n_lost = 0;
  guint i;

  for (i = 0; i < series->spans->len; i++)
    {
      const NsCoverageSpan *one = &g_array_index (series->spans, NsCoverageSpan, i);
      const NsEtlFile *input = ns_etl_file_get_input (trace->file, one->input);

      if (one->is_missing)
        continue;
      n_duplicates += ns_etl_file_get_n_duplicates (input);
      n_events += ns_etl_file_get_report (input)->n_records;
      n_lost += ns_etl_file_get_header (input)->events_lost;
    }
  gtk_grid_attach (grid, widget, COLUMN_FILE, line, COLUMN_RECORDED - COLUMN_FILE, 1);
  attach_count (grid, line, COLUMN_EVENTS, n_events + n_duplicates, NULL);
  attach_count (grid, line, COLUMN_DUPLICATES, n_duplicates, NULL);
  attach_count (grid, line, COLUMN_LOST, n_lost, n_lost > 0 ? "lost-text" : NULL);
  return widget;
}

/* Adds the files of a series in reading order; a missing file follows its predecessor. Returns the
 * next line. */
static int
add_parts (GtkGrid *grid,
           int line,
           const NsTrace *trace,
           const NsCoverageLine *series,
           GtkWidget *widget,
           GHashTable *listed,
           GString *report)
{
  guint n_inputs = ns_etl_file_get_n_inputs (trace->file);
  guint i;
  guint k;

  for (i = 0; i < n_inputs && line <= MAX_LINES; i++)
    for (k = 0; k < series->spans->len; k++)
      {
        const NsCoverageSpan *one = &g_array_index (series->spans, NsCoverageSpan, k);

        if (one->input != i)
          continue;
        if (one->is_missing)
          add_missing (grid, line, trace, one, report);
        else
          {
            add_input (grid, line, trace, i, report);
            g_hash_table_add (listed, GUINT_TO_POINTER (i));
          }
        /* Missing files stay visible when the series is collapsed. */
        put_in_series (grid, line++, one->is_missing ? NULL : widget);
      }
  return line;
}

/* Returns the series that contains a file; NULL if none does. */
static const NsCoverageLine *
find_series (const GPtrArray *lines, guint input)
{
  guint i;
  guint k;

  for (i = 0; i < lines->len; i++)
    {
      const NsCoverageLine *line = g_ptr_array_index (lines, i);

      for (k = 0; k < line->spans->len && !line->is_log && line->n_parts > 1; k++)
        if (g_array_index (line->spans, NsCoverageSpan, k).input == input)
          return line;
    }
  return NULL;
}

/* Returns the next line. */
static int
add_inputs (GtkGrid *grid, int line, const NsTrace *trace, GString *report)
{
  g_autoptr (GPtrArray) lines = ns_coverage_list (trace);
  g_autoptr (GHashTable) listed = g_hash_table_new (NULL, NULL);
  guint n_inputs = ns_etl_file_get_n_inputs (trace->file);
  guint i;

  for (i = 0; i < n_inputs && line <= MAX_LINES; i++)
    {
      const NsCoverageLine *series = find_series (lines, i);

      if (g_hash_table_contains (listed, GUINT_TO_POINTER (i)))
        continue;
      if (series != NULL)
        {
          GtkWidget *widget = add_series (grid, line, trace, series);

          line = add_parts (grid, line + 1, trace, series, widget, listed, report);
        }
      else
        add_input (grid, line++, trace, i, report);
    }
  return line;
}

static void
attach_open (GtkGrid *grid, int line, const char *path)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Open Separately"));
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "link");
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.open-uri");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", uri != NULL ? uri : "");
  gtk_grid_attach (grid, button, COLUMN_EVENTS, line, N_COLUMNS - COLUMN_EVENTS, 1);
}

static void
add_refused (GtkGrid *grid, int line, const NsEtlRefused *refused, GString *report)
{
  const char *full_path = refused->member != NULL ? refused->member : refused->path;
  g_autofree char *name = g_path_get_basename (full_path);
  /* Translators: why a file is not read. */
  g_autofree char *text = g_strdup_printf (_ ("left out: %s"), refused->reason);
  GtkWidget *label;

  attach_name (grid, line, name, refused->path, "dim");
  label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, refused->is_repeated ? "dim" : "warning-text");
  gtk_grid_attach (grid, label, COLUMN_MACHINE, line, COLUMN_EVENTS - COLUMN_MACHINE, 1);
  if (refused->is_other_machine && refused->member == NULL)
    attach_open (grid, line, refused->path);
  g_string_append_printf (report, "%s: %s\n", name, text);
}

static GtkWidget *
get_name (GtkGrid *grid, int line)
{
  GtkWidget *label = line >= 0 ? gtk_grid_get_child_at (grid, COLUMN_FILE, line) : NULL;

  return label != NULL && gtk_widget_get_focusable (label) &&
                 g_object_get_data (G_OBJECT (label), PATH_KEY) != NULL
             ? label
             : NULL;
}

/* Returns the line with the focus; -1: none. */
static int
find_line (GtkGrid *grid)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (grid));
  GtkWidget *child = root != NULL ? gtk_root_get_focus (root) : NULL;
  int column;
  int line;
  int width;
  int height;

  while (child != NULL && gtk_widget_get_parent (child) != GTK_WIDGET (grid))
    child = gtk_widget_get_parent (child);
  if (child == NULL)
    return -1;
  gtk_grid_query_child (grid, child, &column, &line, &width, &height);
  return line;
}

static const char *
get_path (GtkWidget *name)
{
  return g_object_get_data (G_OBJECT (name), PATH_KEY);
}

/* Remembers the file to focus after the list is rebuilt. */
static void
keep_focus (GtkGrid *grid, GtkWidget *name)
{
  g_object_set_data_full (G_OBJECT (grid),
                          FOCUS_KEY,
                          name != NULL ? g_strdup (get_path (name)) : NULL,
                          g_free);
}

static gboolean
restore_focus_cb (gpointer data)
{
  GtkGrid *grid = data;
  g_autofree char *path = g_object_steal_data (G_OBJECT (grid), FOCUS_KEY);
  GtkWidget *name;
  int line;

  for (line = 1; path != NULL && (name = gtk_grid_get_child_at (grid, COLUMN_FILE, line)) != NULL;
       line++)
    if (get_name (grid, line) != NULL && g_strcmp0 (get_path (name), path) == 0)
      gtk_widget_grab_focus (name);
  return G_SOURCE_REMOVE;
}

/* Runs in idle, since the page moves the focus itself after the focused widget is removed. */
static void
restore_focus (GtkGrid *grid)
{
  if (g_object_get_data (G_OBJECT (grid), FOCUS_KEY) != NULL)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE,
                     restore_focus_cb,
                     g_object_ref (grid),
                     g_object_unref);
}

static void
remove_line (GtkGrid *grid, int line)
{
  GtkWidget *next = get_name (grid, line + 1);

  keep_focus (grid, next != NULL ? next : get_name (grid, line - 1));
  gtk_widget_activate_action (GTK_WIDGET (grid),
                              "win.remove-file",
                              "s",
                              get_path (get_name (grid, line)));
}

/**
 * ns_files_card_move:
 * @grid: a list of files
 * @by: -1: up, 1: down
 *
 * Moves the file with the focus by one line.
 *
 * Returns: whether a file has the focus
 */
gboolean
ns_files_card_move (GtkGrid *grid, int by)
{
  GtkWidget *name = get_name (grid, find_line (grid));

  if (name == NULL)
    return FALSE;
  keep_focus (grid, name);
  gtk_widget_activate_action (GTK_WIDGET (grid), "win.move-file", "(si)", get_path (name), by);
  return TRUE;
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint key,
                guint code,
                GdkModifierType state,
                GtkGrid *grid)
{
  int line = find_line (grid);
  GtkWidget *name = get_name (grid, line);
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (name == NULL)
    return FALSE;
  if (modifiers == 0 && (key == GDK_KEY_Delete || key == GDK_KEY_KP_Delete))
    remove_line (grid, line);
  else if (modifiers == 0 && (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter))
    gtk_widget_activate_action (GTK_WIDGET (grid), "win.log-clock", "s", get_path (name));
  else if (modifiers == GDK_ALT_MASK && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    ns_files_card_move (grid, key == GDK_KEY_Up ? -1 : 1);
  else
    return FALSE;
  return TRUE;
}

/**
 * ns_files_card_add_controls:
 * @grid: an empty grid
 * @card: the card that contains @grid
 *
 * Adds keys that remove, correct and move the file with the focus, and a button below the list that
 * adds files.
 */
void
ns_files_card_add_controls (GtkGrid *grid, GtkBox *card)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *add = gtk_button_new_with_label (_ ("Add Files…"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (add), "win.add-files");
  gtk_widget_set_tooltip_text (add, _ ("Read further files with this trace (Shift+Ctrl+O)"));
  gtk_widget_set_halign (add, GTK_ALIGN_START);
  gtk_widget_set_margin_start (add, 12);
  gtk_widget_set_margin_bottom (add, 12);
  gtk_box_append (card, add);
  g_object_set_data (G_OBJECT (grid), ADD_KEY, add);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), grid);
  gtk_widget_add_controller (GTK_WIDGET (grid), keys);
}

static gboolean
take_focus_cb (gpointer data)
{
  GtkGrid *grid = data;
  GtkWidget *name = NULL;
  int line;

  for (line = 1; name == NULL && gtk_grid_get_child_at (grid, COLUMN_FILE, line) != NULL; line++)
    name = get_name (grid, line);
  /* A single file has no focusable name; the button takes the focus instead. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (grid)))
    return G_SOURCE_REMOVE;
  if (name != NULL)
    gtk_widget_grab_focus (name);
  else
    gtk_widget_grab_focus (g_object_get_data (G_OBJECT (grid), ADD_KEY));
  return G_SOURCE_REMOVE;
}

/**
 * ns_files_card_take_focus:
 * @grid: a visible list of files
 *
 * Moves the focus to the first file; the page scrolls to it.
 */
void
ns_files_card_take_focus (GtkGrid *grid)
{
  /* Runs in idle, after the size allocation. */
  g_idle_add_full (G_PRIORITY_LOW, take_focus_cb, g_object_ref (grid), g_object_unref);
}

/* Formats the numbers of trace files and of logs. */
static char *
count_files (guint n_inputs, guint n_logs)
{
  g_autofree char *inputs = ns_words_count (n_inputs);
  g_autofree char *logs = ns_words_count (n_logs);
  g_autofree char *files = g_strdup_printf (ngettext ("%s file", "%s files", n_inputs), inputs);

  if (n_logs == 0)
    return g_steal_pointer (&files);
  /* Translators: “1 file”, and how many logs were opened with it. */
  return g_strdup_printf (ngettext ("%s · %s log", "%s · %s logs", n_logs), files, logs);
}

/**
 * ns_files_card_fill:
 * @grid: an empty grid
 * @trace: a trace with a file
 * @report: the string to append the list to, as plain text
 *
 * Lists the files of the trace with computer, span, events, losses and clock of each. Files that
 * were opened but left out follow, each with the reason.
 *
 * Returns: (transfer full): a short text with the number of files
 */
char *
ns_files_card_fill (GtkGrid *grid, const NsTrace *trace, GString *report)
{
  const GPtrArray *refused = ns_etl_file_get_refused (trace->file);
  guint n_inputs = ns_etl_file_get_n_inputs (trace->file);
  guint n_refused = refused != NULL ? refused->len : 0;
  g_autofree char *out = ns_words_count (n_refused);
  g_autofree char *all = count_files (n_inputs, ns_trace_get_n_logs (trace));
  int line = 1;
  guint i;

  attach_titles (grid, n_inputs > 1, ns_trace_get_n_logs (trace) > 0);
  line = add_inputs (grid, line, trace, report);
  for (i = 0; i < MIN (ns_trace_get_n_logs (trace), MAX_FILES); i++)
    add_log (grid, line++, ns_trace_get_log (trace, i), report);
  if (n_inputs > 1)
    add_sums (grid, line++, trace);
  for (i = 0; i < MIN (n_refused, MAX_FILES); i++)
    add_refused (grid, line++, g_ptr_array_index (refused, i), report);
  restore_focus (grid);
  if (n_refused == 0)
    return g_steal_pointer (&all);
  /* Translators: “3 files”, and how many were not read. */
  return g_strdup_printf (ngettext ("%s · %s left out", "%s · %s left out", n_refused), all, out);
}
