/* How wide the columns of a table are: as wide as what they show, within the room of the view.
 *
 * What has no text in any row needs its title only, and goes where others lack the room for their
 * texts; what has long texts takes the room that is left, and a view that is too narrow goes
 * without the columns that are wanted least.
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
/* From here on columns go only where cutting texts does not make the others fit. */
#define TIGHT_RANK 7
#define DETAILS_MIN_PX 200
#define WATERFALL_MIN_PX 150
#define WATERFALL_PX 316
/* A text is not given more than this, but by the column that takes the rest. */
#define TEXT_MAX_PX 480
/* Room for a time of day with microseconds. */
#define CLOCK_PX 132
/* Room for seconds below 1,000 with microseconds, and for one digit more. */
#define MOMENT_PX 92
#define DIGIT_PX 8
#define LAST_DIGIT_PX 18 /* behind a thin space, and room for the mark of the order */
/* Beside a text: the padding of its place, and the line to the next column. */
#define CELL_PADDING_PX 14
#define MARK_PX 20 /* of a protocol, before its text */
#define STRIPE_PX 10
#define SEVERITY_PX 30    /* a mark, and that of the order in its title */
#define MAX_LEVEL_PX 4000 /* no column uses more */
/* So many rows tell how wide the texts of a column are. */
#define N_SAMPLES 64
#define N_MEASURED 2 /* of them, those that are wide by a guess */

/* What is known of a column while the columns share the room of the view. */
typedef struct
{
  GtkColumnViewColumn *column; /* borrowed */
  const NsField *field;        /* %NULL: of groups or marks */
  int tight;                   /* before the view has to be scrolled */
  int least;                   /* before texts are cut to what tells them apart only */
  int base;
  int natural;       /* all it can use */
  guint rank;        /* columns with a rank go when there is no room, the lowest first; 0: never */
  gboolean is_empty; /* no row has a text there, and nobody asked for it */
  gboolean is_spared;
} Share;

/* The columns that take the room the others leave. */
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
 * Returns: whether the column takes the room that the others leave
 */
gboolean
ns_table_view_is_wide (const NsField *field)
{
  return is_wide (field);
}

/* GTK 4.8 makes rows as wide as all columns with a width, shown or not, and from right to left the
 * cells would stand beyond the window. So a column has its width only while it is shown.
 */
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

/* The width of a column, also while it is not shown. */
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

/* Room for the moments of the trace, px: those of a trace of days have more digits. */
static int
get_clock_room (NsTableView *self)
{
  gint64 seconds = ns_session_get_whole (self->session).end_ns / NS_PER_SECOND;
  double room = MOMENT_PX;

  if (ns_session_get_wall (self->session) != NS_WALL_TRACE)
    room = CLOCK_PX;
  else if (seconds < 1000)
    return 0; /* what the fields want is enough */
  for (; seconds >= 1000 && room < CLOCK_PX; seconds /= 10)
    room += DIGIT_PX;
  return (int) ceil (room * ns_theme_get_width_scale (GTK_WIDGET (self)));
}

/* Moments of records have one digit more than others. */
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
 * Returns: the width that the user, or the field, wants it to have, px
 */
int
ns_table_view_get_own_width (GtkColumnViewColumn *column)
{
  int width = ns_table_view_get_column_width (column);
  int own = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-own"));
  int given = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (column), "ns-given"));

  return own > 0 && width == given ? own : width;
}

/* A column is as wide as its field wants, and its title is not cut off. The title is reckoned by
 * letters, for what is ours must be the same before and after the view has its style.
 */
int
ns_table_view_get_field_width (const NsField *field, double scale)
{
  double title = TITLE_PADDING_PX + TITLE_LETTER_PX * (double) g_utf8_strlen (_ (field->title), -1);

  if (strcmp (field->id, "details") == 0)
    return (int) (DETAILS_MIN_PX * scale);
  return (int) ((is_wide (field) ? WIDE_MIN_PX : MAX (field->width, title)) * scale);
}

/* Which columns a narrow view goes without, in this order: those whose facts the panel, the title
 * of a group or another column tells as well. */
static guint
get_rank (const NsField *field)
{
  static const char *const ids[] = { "close_ns", "ip_port", "sent",   "phases",
                                     "received", "url",     "method", "protocol" };
  /* What tables of layers tell besides goes with the end. */
  static const char *const extras[] = { "attempt",
                                        "failed_phase",
                                        "http_version",
                                        "shutdown",
                                        "shutdown_by" };
  guint i;

  /* Of findings the rule goes, then how often. */
  if (field != NULL && field == ns_table_find_field (NS_TABLE_FINDINGS, "title"))
    return 1;
  if (field != NULL && field == ns_table_find_field (NS_TABLE_FINDINGS, "count"))
    return 2;
  /* Of what was dropped the other end tells more than numbers do. */
  if (field != NULL && (field == ns_table_find_field (NS_TABLE_WFP, "filter") ||
                        field == ns_table_find_field (NS_TABLE_WFP, "count")))
    return 1;
  if (field != NULL && field == ns_table_find_field (NS_TABLE_WFP, "ip_port"))
    return 0;
  for (i = 0; field != NULL && i < G_N_ELEMENTS (extras); i++)
    if (strcmp (extras[i], field->id) == 0)
      return 1;
  /* Of a connection of QUIC who it is with comes before how well it went. */
  if (field != NULL && (field == ns_table_find_field (NS_TABLE_QUIC, "packets_lost") ||
                        field == ns_table_find_field (NS_TABLE_QUIC, "rtt_us")))
    return TIGHT_RANK;
  /* Providers without a name are called by it. */
  if (field != NULL && field == ns_table_find_field (NS_TABLE_PROVIDERS, "guid"))
    return 1;
  for (i = 0; field != NULL && i < G_N_ELEMENTS (ids); i++)
    if (strcmp (ids[i], field->id) == 0)
      return i + 1;
  return 0;
}

static gboolean
is_spared (GtkColumnViewColumn *column)
{
  return g_object_get_data (G_OBJECT (column), "ns-spared") != NULL;
}

/**
 * ns_table_view_has_no_room:
 * @column: a column of a table
 *
 * Returns: whether it is not shown because the view has no room for it
 */
gboolean
ns_table_view_has_no_room (GtkColumnViewColumn *column)
{
  return is_spared (column);
}

/* The widest text of a column among rows from all over the table, px; 0: it has none. */
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
      /* The last row is one of them: it has the largest numbers. */
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

/* Measured once, so that nothing moves when rows are filtered or get names. */
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

/* Which process it is stands at the end of its text: rather a longer name as well. */
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

/* A word or two of a few there are: cut, they gain the others nothing. */
static void
share_kind (Share *share, int title, int texts)
{
  share->least = share->base = share->natural = MAX (title, texts);
}

/* Why a name was not found is what one looks for: rather a longer text, too. */
static void
share_result (Share *share, int title, int texts, int wanted)
{
  share_text (share, title, texts, wanted);
  share->base = MIN (share->natural, MAX (wanted * 3 / 2, title));
}

/* How much room a column needs, wants and can use. */
static void
begin_share (NsTableView *self, Share *share, gboolean is_short, double scale)
{
  const NsField *field = share->field;
  int own = ns_table_view_get_own_width (share->column);
  int wanted = field != NULL ? MAX (ns_table_view_get_field_width (field, scale), 24) : own;
  /* With the mark of the order, which is not to be cut off. */
  const char *words = gtk_column_view_column_get_title (share->column);
  int title;
  int texts;
  gboolean is_process = field != NULL && strcmp (field->id, "process_pid") == 0;

  share->tight = share->least = share->base = share->natural = own;
  /* What somebody made wider or narrower stays so. */
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
    if (!g_array_index (shares, Share, i).is_spared)
      sum += G_STRUCT_MEMBER (int, &g_array_index (shares, Share, i), member);
  return sum;
}

/* Goes without the columns that are wanted least until the others fit: without those that say
 * nothing as soon as a text is cut for them. */
static void
spare_columns (GArray *shares, int room)
{
  guint rank;
  guint i;

  for (i = shares->len; i > 0 && sum_shares (shares, G_STRUCT_OFFSET (Share, natural)) > room; i--)
    if (g_array_index (shares, Share, i - 1).is_empty)
      g_array_index (shares, Share, i - 1).is_spared = TRUE;
  for (rank = 1;
       rank < N_RANKS && sum_shares (shares,
                                     rank < TIGHT_RANK ? G_STRUCT_OFFSET (Share, base)
                                                       : G_STRUCT_OFFSET (Share, least)) > room;
       rank++)
    for (i = 0; i < shares->len; i++)
      if (g_array_index (shares, Share, i).rank == rank)
        g_array_index (shares, Share, i).is_spared = TRUE;
}

/* How much each column may have more than it has: what is left goes to those that can use it, and
 * a column that lacks little is not cut short by one that lacks much. */
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

          used += share->is_spared ? 0 : MIN (share->natural - share->base, level);
        }
    }
  while (used <= room && level < MAX_LEVEL_PX);
  return level - 1;
}

/* What all columns come to. */
typedef struct
{
  int base;
  int least;
  int tight;
} Sums;

/* Between two widths, by what part of the room that they differ by is missing. */
static int
shorten (int from, int to, int all_from, int all_to, int room)
{
  double part = all_from > all_to ? (double) (all_from - room) / (all_from - all_to) : 0;

  return from - (int) ceil (part * (from - to));
}

/* The room of a column; what is missing is taken from those that can be shortened, each by its
 * part. */
static int
get_width (const Share *share, int level, const Sums *all, int room)
{
  if (room >= all->base)
    return share->base + MIN (share->natural - share->base, level);
  if (room >= all->least)
    return shorten (share->base, share->least, all->base, all->least, room);
  if (room >= all->tight)
    return shorten (share->least, share->tight, all->least, all->tight, room);
  return share->base; /* it has to be scrolled in any case */
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

      has_changed |= is_spared (share->column) != share->is_spared;
      g_object_set_data (column, "ns-spared", GINT_TO_POINTER (share->is_spared));
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
  spare_columns (shares, room);
  if (apply_shares (shares, room))
    ns_table_view_update_columns (self);
}

/**
 * ns_table_view_fit_columns: (skip)
 * @self: a view that has been given its room
 *
 * Shares the room of the view among its columns, if that or the columns have changed.
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
 * @is_other: whether texts are others than they were
 *
 * Has the columns share the room anew before the next frame.
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
