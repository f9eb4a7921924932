/* Column widths: as wide as the content needs, within the width of the view.
 *
 * A column without text in any row gets the width of its title and is hidden first when others lack
 * space. Columns with long texts take the remaining space. A view that is too narrow hides columns
 * by rank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-theme.h"
#include "ui/table/ns-table-private.h"
#include "ui/table/ns-text-guess.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define TITLE_PADDING_PX 14
#define TITLE_LETTER_PX 6.8
#define WIDE_MIN_PX 108
#define TIGHT_MIN_PX 72
#define N_RANKS 10
/* Columns of this rank and above are hidden only when shortening texts does not make the others
 * fit. */
#define TIGHT_RANK 7
#define DETAILS_MIN_PX 200
#define WATERFALL_MIN_PX 150
#define WATERFALL_PX 316
/* Maximum width of a text column, except for those that take the remaining space. */
#define TEXT_MAX_PX 480
/* Width of a time of day with microseconds. */
#define CLOCK_PX 132
/* Width of seconds below 1,000 with microseconds, and of each further digit. */
#define MOMENT_PX 92
#define DIGIT_PX 8
#define LAST_DIGIT_PX 18 /* thin space and digit, with space for the sort arrow */
/* Padding of a cell and the line to the next column. */
#define CELL_PADDING_PX 14
#define MARK_PX 20 /* protocol icon before the text */
#define STRIPE_PX 10
#define SEVERITY_PX 30    /* severity icon, with the sort arrow in the title */
#define MAX_LEVEL_PX 4000 /* upper limit of the space added to a column */
/* Number of rows sampled to find the width of the texts in a column. */
#define N_SAMPLES 64
#define N_MEASURED 2 /* number of them measured with Pango: the widest by estimate */

/* A column during the layout. */
typedef struct
{
  GtkColumnViewColumn *column; /* borrowed */
  const NsField *field;        /* NULL for icons and the columns of groups */
  int tight;                   /* minimum before the view scrolls */
  int least;                   /* minimum before texts lose their distinguishing part */
  int base;
  int natural;       /* maximum that the column can use */
  guint rank;        /* columns with the lowest rank are hidden first; 0: never */
  gboolean is_empty; /* no sampled row has a text, and the user did not enable it */
  gboolean is_hidden;
} Share;

/* Returns whether the column takes the remaining space. */
static gboolean
is_wide (const NsField *field)
{
  return field != NULL &&
         (g_strcmp0 (field->id, "url") == 0 || g_strcmp0 (field->id, "details") == 0 ||
          field == ns_table_find_field (NS_TABLE_FINDINGS, "text"));
}

/**
 * ns_table_view_is_wide:
 * @field: (nullable): the field of a column
 *
 * Returns: whether the column takes the space that the others leave
 */
gboolean
ns_table_view_is_wide (const NsField *field)
{
  return is_wide (field);
}

/* Clears the fixed width of hidden columns. GTK 4.8 includes hidden columns with a fixed width in
 * the row width; in right-to-left layouts the cells would then be outside the window. */
void
ns_table_view_column_visible_cb (GtkColumnViewColumn *column)
{
  int width = gtk_column_view_column_get_fixed_width (column);

  if (gtk_column_view_column_get_visible (column))
    width = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-width"));
  else
    {
      if (width > 0)
        g_object_set_data (G_OBJECT (column), "ns-width", GINT_TO_POINTER (width));
      width = -1;
    }
  gtk_column_view_column_set_fixed_width (column, width);
}

/* Returns the width of a column, also while it is hidden. */
int
ns_table_view_get_column_width (GtkColumnViewColumn *column)
{
  int width = gtk_column_view_column_get_fixed_width (column);

  return width > 0 ? width : GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-width"));
}

void
ns_table_view_set_column_width (GtkColumnViewColumn *column, int width)
{
  g_object_set_data (G_OBJECT (column), "ns-width", GINT_TO_POINTER (width));
  if (gtk_column_view_column_get_visible (column))
    gtk_column_view_column_set_fixed_width (column, width);
}

/* Returns the width for times of the trace, in pixels; traces that last for days have more digits.
 * 0 if the default width suffices. */
static int
get_clock_room (NsTableView *self)
{
  gint64 seconds = ns_session_get_whole (self->session).end_ns / NS_PER_SECOND;
  double room = MOMENT_PX;

  if (ns_session_get_wall (self->session) != NS_WALL_TRACE)
    room = CLOCK_PX;
  else if (seconds < 1000)
    return 0; /* the default width of the field suffices */
  for (; seconds >= 1000 && room < CLOCK_PX; seconds /= 10)
    room += DIGIT_PX;
  return (int) ceil (room * ns_theme_get_width_scale (GTK_WIDGET (self)));
}

/* Returns the additional width for times of events, which have one more digit. */
static int
get_last_digit_room (NsTableView *self, const NsField *field)
{
  if (ns_session_get_wall (self->session) != NS_WALL_TRACE || strcmp (field->id, "time_ns") != 0)
    return 0;
  return (int) ceil (LAST_DIGIT_PX * ns_theme_get_width_scale (GTK_WIDGET (self)));
}

/**
 * ns_table_view_get_own_width:
 * @column: a column of a table
 *
 * Returns: the width set by the user, or else the default of the field, in pixels
 */
int
ns_table_view_get_own_width (GtkColumnViewColumn *column)
{
  int width = ns_table_view_get_column_width (column);
  int own = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-own"));
  int given = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-given"));

  return own > 0 && width == given ? own : width;
}

/* Returns the default width of a field, at least that of its title. The title width is computed
 * from its number of letters, so that it does not depend on the style, which is not loaded at
 * first. */
int
ns_table_view_get_field_width (const NsField *field, double scale)
{
  double title = TITLE_PADDING_PX + TITLE_LETTER_PX * (double) g_utf8_strlen (_ (field->title), -1);

  if (strcmp (field->id, "details") == 0)
    return (int) (DETAILS_MIN_PX * scale);
  return (int) ((is_wide (field) ? WIDE_MIN_PX : MAX (field->width, title)) * scale);
}

/* Returns the rank of a column: narrow views hide columns of rank 1 first, then 2 and so on. These
 * are the columns whose content is also in the details panel, in the group title or in another
 * column. */
static guint
get_rank (const NsField *field)
{
  static const char *const ids[] = { "close_ns", "ip_port", "sent",   "phases",
                                     "received", "url",     "method", "protocol" };
  /* Secondary fields of the layer tables, hidden together with the end time. */
  static const char *const extras[] = { "attempt",
                                        "failed_phase",
                                        "http_version",
                                        "shutdown",
                                        "shutdown_by" };
  guint i;

  /* In findings the rule is hidden first, then the count. */
  if (field != NULL && field == ns_table_find_field (NS_TABLE_FINDINGS, "title"))
    return 1;
  if (field != NULL && field == ns_table_find_field (NS_TABLE_FINDINGS, "count"))
    return 2;
  /* For dropped packets the remote endpoint matters more than filter and count. */
  if (field != NULL && (field == ns_table_find_field (NS_TABLE_WFP, "filter") ||
                        field == ns_table_find_field (NS_TABLE_WFP, "count")))
    return 1;
  if (field != NULL && field == ns_table_find_field (NS_TABLE_WFP, "ip_port"))
    return 0;
  for (i = 0; field != NULL && i < G_N_ELEMENTS (extras); i++)
    if (strcmp (extras[i], field->id) == 0)
      return 1;
  /* For QUIC connections the peer matters more than packet loss and round-trip time. */
  if (field != NULL && (field == ns_table_find_field (NS_TABLE_QUIC, "packets_lost") ||
                        field == ns_table_find_field (NS_TABLE_QUIC, "rtt_us")))
    return TIGHT_RANK;
  /* Providers without a name show their GUID as the name. */
  if (field != NULL && field == ns_table_find_field (NS_TABLE_PROVIDERS, "guid"))
    return 1;
  for (i = 0; field != NULL && i < G_N_ELEMENTS (ids); i++)
    if (strcmp (ids[i], field->id) == 0)
      return i + 1;
  return 0;
}

static gboolean
is_hidden (GtkColumnViewColumn *column)
{
  return g_object_get_data (G_OBJECT (column), "ns-spared") != NULL;
}

/**
 * ns_table_view_has_no_room:
 * @column: a column of a table
 *
 * Returns: whether the column is hidden because the view is too narrow
 */
gboolean
ns_table_view_has_no_room (GtkColumnViewColumn *column)
{
  return is_hidden (column);
}

/* Returns the width of the widest text among sampled rows, in pixels; 0 if there is no text. */
static int
measure_texts (NsTableView *self, const NsField *field, gboolean is_short)
{
  guint n_rows = ns_session_count_all (self->session, self->table);
  guint n_samples = MIN (n_rows, N_SAMPLES);
  guint guesses[N_MEASURED] = { 0 };
  g_autoptr (GString) text = g_string_sized_new (64);
  g_autoptr (PangoLayout) layout = NULL;
  int widest = 0;
  guint i;

  for (i = 0; i < n_samples; i++)
    {
      /* The samples include the last row, which has the largest numbers. */
      guint32 row = (guint32) ((guint64) i * (n_rows - 1) / MAX (n_samples - 1, 1));
      guint guess;
      guint k = 0;
      int width;

      g_string_truncate (text, 0);
      ns_table_cell_append_text (self->session, self->table, field, row, text);
      if (is_short)
        ns_table_cell_cut_server (self->session, self->table, row, text);
      guess = ns_text_guess_width (text->str);
      while (k < N_MEASURED && guesses[k] >= guess)
        k++;
      if (k == N_MEASURED)
        continue;
      memmove (guesses + k + 1, guesses + k, (N_MEASURED - 1 - k) * sizeof *guesses);
      guesses[k] = guess;
      if (layout == NULL)
        layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->view), NULL);
      pango_layout_set_text (layout, text->str, -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
      widest = MAX (widest, width);
    }
  return widest;
}

/* Returns the text width of a column. It is measured once, so that the columns do not move when
 * rows are filtered or renamed. */
static int
get_texts (NsTableView *self, GtkColumnViewColumn *column, const NsField *field, gboolean is_short)
{
  int known = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-texts"));

  if (known == 0)
    {
      known = measure_texts (self, field, is_short) + 1;
      g_object_set_data (G_OBJECT (column), "ns-texts", GINT_TO_POINTER (known));
    }
  return known - 1;
}

/* Sets the widths of a process column. The process ID is at the end of its text, so it is shortened
 * less than others. */
static void
share_process (Share *share, int title, int texts, int wanted)
{
  share->natural = MAX (title, texts);
  share->base = share->least = MIN (share->natural, MAX (wanted * 5 / 4, title));
}

static void
share_text (Share *share, int title, int texts, int wanted)
{
  share->natural = MAX (title, texts);
  share->base = MIN (share->natural, MAX (wanted, title));
  share->least = MIN (share->base, MAX (wanted * 4 / 5, title));
}

/* Sets the widths of a column with short keywords, which are never shortened. */
static void
share_kind (Share *share, int title, int texts)
{
  share->least = share->base = share->natural = MAX (title, texts);
}

/* Sets the widths of a result column: error texts matter, so it gets more space than other
 * texts. */
static void
share_result (Share *share, int title, int texts, int wanted)
{
  share_text (share, title, texts, wanted);
  share->base = MIN (share->natural, MAX (wanted * 3 / 2, title));
}

/* Computes minimum, preferred and maximum width of a column. */
static void
begin_share (NsTableView *self, Share *share, gboolean is_short, double scale)
{
  const NsField *field = share->field;
  int own = ns_table_view_get_own_width (share->column);
  int wanted = field != NULL ? MAX (ns_table_view_get_field_width (field, scale), 24) : own;
  /* Includes the sort arrow, which must not be cut off. */
  const char *words = gtk_column_view_column_get_title (share->column);
  int title;
  int texts;
  gboolean is_process = field != NULL && strcmp (field->id, "process_pid") == 0;

  share->tight = share->least = share->base = share->natural = own;
  /* Keep a width set by the user. */
  if (field == NULL || own != wanted)
    return;
  if (g_object_get_data (G_OBJECT (share->column), "ns-asked") == NULL)
    share->rank = get_rank (field);
  if (field == ns_table_find_field (NS_TABLE_FINDINGS, "severity"))
    {
      share->tight = share->least = share->base = share->natural = (int) (SEVERITY_PX * scale);
      return;
    }
  if (ns_waterfall_is_field (self->table, field))
    {
      share->natural = (int) (WATERFALL_PX * scale);
      share->tight = share->least = share->base = (int) (WATERFALL_MIN_PX * scale);
      return;
    }
  title =
      (int) (scale * (TITLE_PADDING_PX +
                      TITLE_LETTER_PX *
                          (double) g_utf8_strlen (words != NULL ? words : _ (field->title), -1)));
  texts = get_texts (self, share->column, field, is_short && strcmp (field->id, "url") == 0);
  if (texts > 0)
    texts += CELL_PADDING_PX;
  if (texts > 0 && strcmp (field->id, "protocol") == 0)
    texts += (int) (MARK_PX * ns_theme_get_scale ());
  if (texts > 0 && is_process)
    texts += STRIPE_PX;
  if (field->type == NS_TYPE_TIME && texts > 0)
    texts = MAX (texts, get_clock_room (self) + get_last_digit_room (self, field));
  share->is_empty = texts == 0 && g_object_get_data (G_OBJECT (share->column), "ns-asked") == NULL;
  if (texts == 0)
    share->least = share->base = share->natural = title;
  else if (ns_table_cell_is_numeric (field))
    {
      share->least = share->base = MAX (title, texts);
      share->natural = MIN (MAX (share->base, wanted), share->base + DIGIT_PX);
    }
  else if (field == ns_table_find_field (NS_TABLE_DNS, "status_text"))
    share_result (share, title, MIN (texts, (int) (TEXT_MAX_PX * scale)), wanted);
  else if (is_process)
    share_process (share, title, texts, wanted);
  else if (strcmp (field->id, "kind") == 0)
    share_kind (share, title, texts);
  else
    share_text (share, title, MIN (texts, (int) (TEXT_MAX_PX * scale)), wanted);
  share->tight = share->least;
  if (texts > 0 && !ns_table_cell_is_numeric (field) && field->type != NS_TYPE_TIME)
    share->tight = MIN (share->least, MAX (title, (int) (TIGHT_MIN_PX * scale)));
}

static int
sum_shares (const GArray *shares, gsize member)
{
  int sum = 0;
  guint i;

  for (i = 0; i < shares->len; i++)
    if (!g_array_index (shares, Share, i).is_hidden)
      sum += G_STRUCT_MEMBER (int, &g_array_index (shares, Share, i), member);
  return sum;
}

/* Hides columns until the others fit: first the empty columns, as soon as any text is shortened;
 * then by rank. */
static void
hide_columns (GArray *shares, int room)
{
  guint rank;
  guint i;

  for (i = shares->len; i > 0 && sum_shares (shares, G_STRUCT_OFFSET (Share, natural)) > room; i--)
    if (g_array_index (shares, Share, i - 1).is_empty)
      g_array_index (shares, Share, i - 1).is_hidden = TRUE;
  for (rank = 1;
       rank < N_RANKS && sum_shares (shares,
                                     rank < TIGHT_RANK ? G_STRUCT_OFFSET (Share, base)
                                                       : G_STRUCT_OFFSET (Share, least)) > room;
       rank++)
    for (i = 0; i < shares->len; i++)
      if (g_array_index (shares, Share, i).rank == rank)
        g_array_index (shares, Share, i).is_hidden = TRUE;
}

/* Returns the maximum space that each column gets on top of its base width. Every column gets the
 * same limit, so columns that need little are satisfied first. */
static int
find_level (const GArray *shares, int room)
{
  int level = 0;
  int used;
  guint i;

  do
    {
      level++;
      used = 0;
      for (i = 0; i < shares->len; i++)
        {
          const Share *share = &g_array_index (shares, Share, i);

          used += share->is_hidden ? 0 : MIN (share->natural - share->base, level);
        }
    }
  while (used <= room && level < MAX_LEVEL_PX);
  return level - 1;
}

/* Sums over all visible columns. */
typedef struct
{
  int base;
  int least;
  int tight;
} Sums;

/* Interpolates a width between @from and @to in proportion to the missing space. */
static int
shorten (int from, int to, int all_from, int all_to, int room)
{
  double part = all_from > all_to ? (double) (all_from - room) / (all_from - all_to) : 0;

  return from - (int) ceil (part * (from - to));
}

/* Returns the width of a column. Missing space is taken from all columns that can be shortened, in
 * proportion. */
static int
get_width (const Share *share, int level, const Sums *all, int room)
{
  if (room >= all->base)
    return share->base + MIN (share->natural - share->base, level);
  if (room >= all->least)
    return shorten (share->base, share->least, all->base, all->least, room);
  if (room >= all->tight)
    return shorten (share->least, share->tight, all->least, all->tight, room);
  return share->base; /* the view scrolls in any case */
}

static gboolean
apply_shares (GArray *shares, int room)
{
  const Sums all = { sum_shares (shares, G_STRUCT_OFFSET (Share, base)),
                     sum_shares (shares, G_STRUCT_OFFSET (Share, least)),
                     sum_shares (shares, G_STRUCT_OFFSET (Share, tight)) };
  int level = find_level (shares, room - all.base);
  gboolean has_changed = FALSE;
  guint i;

  for (i = 0; i < shares->len; i++)
    {
      Share *share = &g_array_index (shares, Share, i);
      GObject *column = G_OBJECT (share->column);
      int own = ns_table_view_get_own_width (share->column);
      int width = get_width (share, level, &all, room);

      has_changed |= is_hidden (share->column) != share->is_hidden;
      g_object_set_data (column, "ns-spared", GINT_TO_POINTER (share->is_hidden));
      if (share->field == NULL || ns_table_view_get_column_width (share->column) == width)
        continue;
      g_object_set_data (column, "ns-own", GINT_TO_POINTER (own));
      g_object_set_data (column, "ns-given", GINT_TO_POINTER (width));
      ns_table_view_set_column_width (share->column, width);
    }
  return has_changed;
}

static void
fit (NsTableView *self, int room)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  g_autoptr (GArray) shares = g_array_new (FALSE, TRUE, sizeof (Share));
  double scale = ns_theme_get_width_scale (GTK_WIDGET (self));
  gboolean is_short = FALSE;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      Share share = { .column = column, .field = field };

      if (!ns_table_view_wants_column (self, column))
        continue;
      is_short |= field != NULL && field == ns_table_cell_get_server (self->table);
      g_array_append_val (shares, share);
    }
  for (i = 0; i < shares->len; i++)
    begin_share (self, &g_array_index (shares, Share, i), is_short, scale);
  hide_columns (shares, room);
  if (apply_shares (shares, room))
    ns_table_view_update_columns (self);
}

/**
 * ns_table_view_fit_columns: (skip)
 * @self: a view with its size allocated
 *
 * Lays out the columns if the width of the view or the set of columns changed.
 */
void
ns_table_view_fit_columns (NsTableView *self)
{
  int room = gtk_widget_get_width (self->scrolled);

  if (room <= 0 || (room == self->fitted_px && !self->is_fit_due))
    return;
  self->fitted_px = room;
  self->is_fit_due = FALSE;
  fit (self, room);
}

/**
 * ns_table_view_queue_fit: (skip)
 * @self: a view
 * @is_other: whether the texts changed and must be measured again
 *
 * Queues a layout of the columns before the next frame.
 */
void
ns_table_view_queue_fit (NsTableView *self, gboolean is_other)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; is_other && i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      g_object_set_data (G_OBJECT (column), "ns-texts", NULL);
    }
  self->is_fit_due = TRUE;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
