/* Pinned and hidden lanes, bookmarks and the grouping of the lanes, and how a view saves them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-private.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Maximum number of bookmarks, and of lane marks, also when a view file is read. */
#define MAX_MARKS 10000
#define WANTED_KEY "ns-wanted-bookmark"

/* Distance within which a new bookmark counts as an existing one. */
#define BOOKMARK_PX 4
/* Maximum length of a bookmark label. */
#define MAX_MARK_CHARS 100
#define MENU_RESOURCE "/org/netstitch/Netstitch/lanes-menu.ui"

static const char *const grouping_names[] = {
  [NS_LANES_BY_PROCESS] = "process",   [NS_LANES_BY_SERVER] = "server",
  [NS_LANES_BY_PROTOCOL] = "protocol", [NS_LANES_BY_THREAD] = "thread",
  [NS_LANES_BY_ACTIVITY] = "activity",
};

/* Returns the text left of the ruler: the grouping of the lanes. */
const char *
ns_timeline_get_corner (NsTimeline *self)
{
  if (self->building != NULL)
    return _ ("sorting rows into lanes…");
  switch (self->grouping)
    {
    case NS_LANES_BY_SERVER:
      return _ ("server › process › connection ▾");
    case NS_LANES_BY_PROTOCOL:
      return _ ("protocol › server › connection ▾");
    case NS_LANES_BY_THREAD:
      return _ ("thread › server › connection ▾");
    case NS_LANES_BY_ACTIVITY:
      return _ ("activity id › server › connection ▾");
    case NS_LANES_BY_PROCESS:
    case NS_N_LANE_GROUPINGS:
    default:
      return _ ("process › server › connection ▾");
    }
}

static NsLaneMark *
find_mark (NsTimeline *self, guint64 key, NsLaneKind kind)
{
  guint i;

  for (i = 0; i < self->lane_marks->len; i++)
    {
      NsLaneMark *mark = &g_array_index (self->lane_marks, NsLaneMark, i);

      if (mark->key == key && mark->kind == kind)
        return mark;
    }
  return NULL;
}

/* Applies the lane marks to the lanes. */
static void
apply_marks (NsTimeline *self)
{
  guint32 focused = NS_LANE_NONE;
  guint place = NS_LANE_NONE;

  if (self->lanes == NULL)
    return;
  if (self->focus_lane < self->lanes->shown->len)
    focused = g_array_index (self->lanes->shown, guint32, self->focus_lane);
  ns_timeline_lanes_mark (self->lanes, self->lane_marks);
  /* Pinning moves lanes; the focus stays on the same lane. If that lane is hidden, the one that
   * moves to its index gets the focus. */
  if (focused != NS_LANE_NONE)
    place = ns_timeline_lanes_find_shown (self->lanes, focused);
  if (place != NS_LANE_NONE)
    self->focus_lane = place;
  else if (self->focus_lane >= self->lanes->shown->len)
    self->focus_lane = MAX (self->lanes->shown->len, 1) - 1;
  ns_timeline_update_adjustment (self);
  ns_timeline_queue_list (self);
  g_signal_emit_by_name (self, "marks-changed");
}

static NsLaneMark *
ensure_focused_mark (NsTimeline *self)
{
  const NsLane *lane;
  NsLaneMark *mark;
  NsLaneMark fresh = { 0 };

  if (self->lanes == NULL || self->focus_lane >= self->lanes->shown->len)
    return NULL;
  lane = ns_timeline_lanes_get (self->lanes,
                                g_array_index (self->lanes->shown, guint32, self->focus_lane));
  mark = find_mark (self, lane->key, lane->kind);
  if (mark != NULL || self->lane_marks->len >= MAX_MARKS)
    return mark;
  fresh.key = lane->key;
  fresh.kind = lane->kind;
  g_array_append_val (self->lane_marks, fresh);
  return &g_array_index (self->lane_marks, NsLaneMark, self->lane_marks->len - 1);
}

static void
show_hidden (NsTimeline *self)
{
  guint i;

  for (i = 0; i < self->lane_marks->len; i++)
    g_array_index (self->lane_marks, NsLaneMark, i).is_hidden = FALSE;
}

static int
compare_bookmarks (gconstpointer a, gconstpointer b)
{
  const NsTimelineMark *one = a;
  const NsTimelineMark *two = b;

  if (one->begin_ns != two->begin_ns)
    return one->begin_ns < two->begin_ns ? -1 : 1;
  return one->end_ns < two->end_ns ? -1 : one->end_ns > two->end_ns;
}

static void
clear_bookmark (gpointer data)
{
  g_clear_pointer (&((NsTimelineMark *) data)->text, g_free);
}

/* Returns an empty array of bookmarks. */
GArray *
ns_timeline_marks_new (void)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (NsTimelineMark));

  g_array_set_clear_func (marks, clear_bookmark);
  return marks;
}

static NsTimelineMark *
get_bookmark (NsTimeline *self, guint nth)
{
  return &g_array_index (self->bookmarks, NsTimelineMark, nth);
}

/* Returns the time for a new bookmark: the selected span, or else the start of the selected row,
 * the time at the pointer, or the middle of the visible time. */
static NsTimelineMark
find_wanted (NsTimeline *self)
{
  guint32 row = ns_session_get_activity (self->session);
  NsTimeSpan span = ns_session_get_span (self->session);
  NsTimelineMark mark = { 0 };

  if (span.begin_ns < span.end_ns)
    {
      mark.begin_ns = span.begin_ns;
      mark.end_ns = span.end_ns;
      return mark;
    }
  if (row != G_MAXUINT32 &&
      ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    mark.begin_ns = span.begin_ns;
  else if (self->has_pointer && !ns_timeline_is_head (self, self->pointer_x))
    mark.begin_ns =
        ns_timeline_layout_time_at (&self->layout, ns_timeline_get_plot_x (self, self->pointer_x));
  else
    mark.begin_ns = self->layout.begin_ns + (self->layout.end_ns - self->layout.begin_ns) / 2;
  mark.end_ns = mark.begin_ns;
  return mark;
}

static gboolean
is_near (NsTimeline *self, gint64 one_ns, gint64 other_ns)
{
  double x = ns_timeline_layout_x_at (&self->layout, one_ns);

  return one_ns == other_ns ||
         fabs (ns_timeline_layout_x_at (&self->layout, other_ns) - x) <= BOOKMARK_PX;
}

/* Returns the index of the bookmark at a time, or G_MAXUINT. */
static guint
find_bookmark (NsTimeline *self, const NsTimelineMark *wanted)
{
  guint i;

  for (i = 0; i < self->bookmarks->len; i++)
    if (is_near (self, get_bookmark (self, i)->begin_ns, wanted->begin_ns) &&
        is_near (self, get_bookmark (self, i)->end_ns, wanted->end_ns))
      return i;
  return G_MAXUINT;
}

static void
add_bookmark (NsTimeline *self, const NsTimelineMark *wanted)
{
  if (self->bookmarks->len >= MAX_MARKS)
    return;
  g_array_append_vals (self->bookmarks, wanted, 1);
  g_array_sort (self->bookmarks, compare_bookmarks);
}

/* Adds a bookmark, or removes the existing one at that time. */
static void
toggle_bookmark (NsTimeline *self)
{
  NsTimelineMark wanted = find_wanted (self);
  guint at = find_bookmark (self, &wanted);

  if (at != G_MAXUINT)
    g_array_remove_index (self->bookmarks, at);
  else
    add_bookmark (self, &wanted);
}

/* Sets the label of the bookmark at a time; adds the bookmark if there is none. */
static gboolean
name_bookmark (NsTimeline *self, const NsTimelineMark *wanted, const char *text)
{
  guint at;

  if (self->session == NULL || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  if (find_bookmark (self, wanted) == G_MAXUINT)
    add_bookmark (self, wanted);
  at = find_bookmark (self, wanted);
  if (at == G_MAXUINT)
    return FALSE;
  g_free (get_bookmark (self, at)->text);
  get_bookmark (self, at)->text =
      *text != '\0' ? g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), MAX_MARK_CHARS))
                    : NULL;
  g_signal_emit_by_name (self, "marks-changed");
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/**
 * ns_timeline_name_bookmark:
 * @self: a timeline with a session
 * @text: the label; empty for none
 *
 * Sets the label of the bookmark at the selected span, the selected row, the pointer or the middle
 * of the visible time; adds the bookmark if there is none.
 *
 * Returns: %TRUE if the label was set
 */
gboolean
ns_timeline_name_bookmark (NsTimeline *self, const char *text)
{
  NsTimelineMark wanted;

  if (self->session == NULL)
    return FALSE;
  wanted = find_wanted (self);
  return name_bookmark (self, &wanted, text);
}

/* Returns the bookmark whose flag is at a position of the ruler, or NULL. */
const NsTimelineMark *
ns_timeline_mark_at (NsTimeline *self, double x, double y)
{
  guint i;

  if (y < self->metrics.overview || y >= ns_timeline_get_top (self))
    return NULL;
  for (i = 0; i < self->bookmarks->len; i++)
    {
      double flag =
          ns_timeline_from_plot_x (self,
                                   ns_timeline_layout_x_at (&self->layout,
                                                            get_bookmark (self, i)->begin_ns));

      if (x >= flag - 3 && x <= flag + 14 * self->metrics.scale)
        return get_bookmark (self, i);
    }
  return NULL;
}

/* Selects the span from the bookmark before the middle of the visible time to the next one, or
 * else from the first to the last bookmark. */
static void
select_between_bookmarks (NsTimeline *self)
{
  gint64 middle = self->layout.begin_ns + (self->layout.end_ns - self->layout.begin_ns) / 2;
  NsTimeSpan span = { 0, 0 };
  guint i;

  if (self->bookmarks->len < 2)
    return;
  span.begin_ns = get_bookmark (self, 0)->begin_ns;
  span.end_ns = get_bookmark (self, self->bookmarks->len - 1)->begin_ns;
  for (i = 0; i + 1 < self->bookmarks->len; i++)
    if (get_bookmark (self, i)->begin_ns <= middle && get_bookmark (self, i + 1)->begin_ns > middle)
      {
        span.begin_ns = get_bookmark (self, i)->begin_ns;
        span.end_ns = get_bookmark (self, i + 1)->begin_ns;
      }
  if (span.begin_ns < span.end_ns)
    ns_session_set_span (self->session, span);
}

/* Uses the time from when the popover opened, since the pointer has moved to the popover. */
static void
name_entered_cb (GtkEntry *entry, GtkPopover *popover)
{
  NsTimeline *self = NS_TIMELINE (gtk_widget_get_parent (GTK_WIDGET (popover)));
  const NsTimelineMark *wanted = g_object_get_data (G_OBJECT (popover), WANTED_KEY);

  name_bookmark (self, wanted, gtk_editable_get_text (GTK_EDITABLE (entry)));
  gtk_popover_popdown (popover);
}

static void menu_closed_cb (GtkPopover *menu);

/* Opens a popover for the label of the bookmark. */
static void
ask_name (NsTimeline *self)
{
  NsTimelineMark wanted = find_wanted (self);
  guint at = find_bookmark (self, &wanted);
  const char *old = at != G_MAXUINT ? get_bookmark (self, at)->text : NULL;
  double x =
      CLAMP (ns_timeline_layout_x_at (&self->layout, wanted.begin_ns), 0, self->layout.width);
  GdkRectangle place = { (int) ns_timeline_from_plot_x (self, x),
                         (int) self->metrics.overview,
                         1,
                         (int) self->metrics.ruler };
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Bookmark label"));
  gtk_entry_set_max_length (GTK_ENTRY (entry), MAX_MARK_CHARS);
  gtk_editable_set_text (GTK_EDITABLE (entry), old != NULL ? old : "");
  ns_accessible_set_name (GTK_WIDGET (entry), _ ("Bookmark label"));
  g_object_set_data_full (G_OBJECT (popover),
                          WANTED_KEY,
                          g_memdup2 (&wanted, sizeof wanted),
                          g_free);
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered_cb), popover);
  gtk_popover_set_child (GTK_POPOVER (popover), entry);
  ns_help_set_popover_page (popover, "timeline");
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &place);
  g_signal_connect (popover, "closed", G_CALLBACK (menu_closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
step_bookmark (NsTimeline *self)
{
  gint64 middle = self->layout.begin_ns + (self->layout.end_ns - self->layout.begin_ns) / 2;
  gint64 wanted;
  guint i;

  if (self->bookmarks->len == 0)
    return;
  wanted = get_bookmark (self, 0)->begin_ns;
  for (i = 0; i < self->bookmarks->len; i++)
    /* The tolerance of 1 px allows for rounding of the middle. */
    if (ns_timeline_layout_x_at (&self->layout, get_bookmark (self, i)->begin_ns) >
        ns_timeline_layout_x_at (&self->layout, middle) + 1)
      {
        wanted = get_bookmark (self, i)->begin_ns;
        break;
      }
  ns_timeline_layout_pan (&self->layout,
                          ns_timeline_layout_x_at (&self->layout, wanted) - self->layout.width / 2);
  ns_timeline_apply_layout (self);
}

/* Runs a command that concerns bookmarks or marks of lanes. */
void
ns_timeline_mark (NsTimeline *self, NsTimelineCommand command)
{
  NsLaneMark *mark = NULL;

  switch (command)
    {
    case NS_TIMELINE_PIN:
      mark = ensure_focused_mark (self);
      if (mark != NULL)
        mark->is_pinned = !mark->is_pinned;
      break;
    case NS_TIMELINE_HIDE:
      mark = ensure_focused_mark (self);
      if (mark != NULL)
        mark->is_hidden = TRUE;
      break;
    case NS_TIMELINE_SHOW_HIDDEN:
      show_hidden (self);
      break;
    case NS_TIMELINE_BOOKMARK:
      toggle_bookmark (self);
      break;
    case NS_TIMELINE_MARKS_TO_SPAN:
      select_between_bookmarks (self);
      return;
    case NS_TIMELINE_NAME_BOOKMARK:
      ask_name (self);
      return;
    case NS_TIMELINE_NEXT_BOOKMARK:
    default:
      step_bookmark (self);
      return;
    }
  apply_marks (self);
}

/**
 * ns_timeline_get_n_hidden:
 * @self: a timeline
 *
 * Returns: number of hidden lanes, without the descendants of those
 */
guint
ns_timeline_get_n_hidden (NsTimeline *self)
{
  return self->lanes != NULL ? self->lanes->n_hidden : 0;
}

/**
 * ns_timeline_get_n_bookmarks:
 * @self: a timeline
 *
 * Returns: number of bookmarks
 */
guint
ns_timeline_get_n_bookmarks (NsTimeline *self)
{
  return self->bookmarks->len;
}

GArray *
ns_timeline_list_ranges (NsTimeline *self)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (NsNamedRange));
  guint i;

  for (i = 0; i < self->bookmarks->len; i++)
    {
      const NsTimelineMark *mark = get_bookmark (self, i);
      NsNamedRange range = { mark->text, { mark->begin_ns, mark->end_ns } };

      if (mark->text != NULL && mark->begin_ns < mark->end_ns)
        g_array_append_val (ranges, range);
    }
  return ranges;
}

/**
 * ns_timeline_set_grouping:
 * @self: a timeline
 * @name: `process`, `server`, `protocol`, `thread` or `activity`
 *
 * Returns: %TRUE if @name is a grouping
 */
gboolean
ns_timeline_set_grouping (NsTimeline *self, const char *name)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (grouping_names); i++)
    if (g_strcmp0 (grouping_names[i], name) == 0)
      break;
  if (i == G_N_ELEMENTS (grouping_names))
    return FALSE;
  if (self->grouping == (NsLaneGrouping) i)
    return TRUE;
  self->grouping = (NsLaneGrouping) i;
  self->focus_lane = 0;
  if (self->session != NULL)
    ns_timeline_build_lanes (self);
  return TRUE;
}

/**
 * ns_timeline_get_grouping:
 * @self: a timeline
 *
 * Returns: the name of the grouping, see ns_timeline_set_grouping()
 */
const char *
ns_timeline_get_grouping (NsTimeline *self)
{
  return grouping_names[self->grouping];
}

static void
menu_closed_cb (GtkPopover *menu)
{
  ns_accessible_menu_drop (GTK_WIDGET (menu));
}

/* Opens the menu of groupings left of the ruler. */
void
ns_timeline_popup_corner (NsTimeline *self)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (MENU_RESOURCE);
  GMenuModel *model = G_MENU_MODEL (gtk_builder_get_object (builder, "lanes_menu"));
  GtkWidget *menu = ns_accessible_menu_new (model);
  double edge =
      ns_timeline_get_head_x (self, ns_timeline_is_mirrored (self) ? self->names_width : 0);
  GdkRectangle place = { (int) edge + 12,
                         (int) self->metrics.overview,
                         (int) self->names_width - 24,
                         (int) self->metrics.ruler };

  gtk_widget_set_parent (menu, GTK_WIDGET (self));
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &place);
  g_signal_connect (menu, "closed", G_CALLBACK (menu_closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

/**
 * ns_timeline_save_marks:
 * @self: a timeline
 * @dict: receives the settings
 *
 * Writes the marks, the bookmarks and the options of the lanes for ns_timeline_restore_marks().
 */
void
ns_timeline_save_marks (NsTimeline *self, GVariantDict *dict)
{
  GVariantBuilder lanes;
  GVariantBuilder marks;
  guint i;

  g_variant_builder_init (&lanes, G_VARIANT_TYPE ("a(tubb)"));
  for (i = 0; i < self->lane_marks->len; i++)
    {
      const NsLaneMark *mark = &g_array_index (self->lane_marks, NsLaneMark, i);

      if (mark->is_hidden || mark->is_pinned)
        g_variant_builder_add (&lanes,
                               "(tubb)",
                               mark->key,
                               (guint32) mark->kind,
                               mark->is_hidden,
                               mark->is_pinned);
    }
  g_variant_dict_insert_value (dict, "lanes", g_variant_builder_end (&lanes));
  g_variant_dict_insert (dict, "lanes-by", "s", ns_timeline_get_grouping (self));
  g_variant_dict_insert (dict, "keep-filtered", "b", self->keeps_filtered);
  g_variant_dict_insert (dict, "pack-lanes", "b", !self->is_unpacked);
  g_variant_dict_insert (dict, "state-lanes", "b", self->shows_states);
  g_variant_dict_insert (dict, "cpu-strip", "b", self->shows_cpu);
  g_variant_builder_init (&marks, G_VARIANT_TYPE ("a(xxs)"));
  for (i = 0; i < self->bookmarks->len; i++)
    g_variant_builder_add (&marks,
                           "(xxs)",
                           get_bookmark (self, i)->begin_ns,
                           get_bookmark (self, i)->end_ns,
                           get_bookmark (self, i)->text != NULL ? get_bookmark (self, i)->text
                                                                : "");
  g_variant_dict_insert_value (dict, "marks", g_variant_builder_end (&marks));
}

/* Adds a bookmark from a view file. It is moved to the end of the trace if the trace is a
 * shorter part of the original one. */
static void
take_bookmark (NsTimeline *self, gint64 begin_ns, gint64 end_ns, const char *text)
{
  NsTimeSpan whole = self->layout.whole;
  NsTimelineMark mark = { CLAMP (begin_ns, whole.begin_ns, whole.end_ns),
                          CLAMP (end_ns, whole.begin_ns, whole.end_ns),
                          NULL };

  if (end_ns < begin_ns)
    return;
  if (*text != '\0' && g_utf8_strlen (text, -1) <= MAX_MARK_CHARS)
    mark.text = g_strdup (text);
  g_array_append_val (self->bookmarks, mark);
}

static void
read_bookmarks (NsTimeline *self, GVariant *view)
{
  g_autoptr (GVariant) marks = g_variant_lookup_value (view, "marks", G_VARIANT_TYPE ("a(xxs)"));
  gsize i;

  for (i = 0; marks != NULL && i < MIN (g_variant_n_children (marks), MAX_MARKS); i++)
    {
      const char *text;
      gint64 begin_ns;
      gint64 end_ns;

      g_variant_get_child (marks, i, "(xx&s)", &begin_ns, &end_ns, &text);
      take_bookmark (self, begin_ns, end_ns, text);
    }
  g_array_sort (self->bookmarks, compare_bookmarks);
}

static void
read_lanes (NsTimeline *self, GVariant *view)
{
  g_autoptr (GVariant) lanes = g_variant_lookup_value (view, "lanes", G_VARIANT_TYPE ("a(tubb)"));
  gsize i;

  if (lanes == NULL)
    return;
  for (i = 0; i < MIN (g_variant_n_children (lanes), MAX_MARKS); i++)
    {
      NsLaneMark mark = { 0 };
      guint32 kind;

      g_variant_get_child (lanes, i, "(tubb)", &mark.key, &kind, &mark.is_hidden, &mark.is_pinned);
      mark.kind = (NsLaneKind) kind;
      g_array_append_val (self->lane_marks, mark);
    }
}

/**
 * ns_timeline_restore_marks:
 * @self: a timeline with a session
 * @view: (nullable): settings of type `a{sv}`; %NULL resets all marks and options
 */
void
ns_timeline_restore_marks (NsTimeline *self, GVariant *view)
{
  const char *grouping = "process";
  gboolean keeps_filtered = FALSE;
  gboolean packs = TRUE;
  gboolean shows_states = FALSE;
  gboolean shows_cpu = TRUE;

  g_array_set_size (self->lane_marks, 0);
  g_array_set_size (self->bookmarks, 0);
  if (view != NULL)
    {
      g_variant_lookup (view, "lanes-by", "&s", &grouping);
      g_variant_lookup (view, "keep-filtered", "b", &keeps_filtered);
      g_variant_lookup (view, "pack-lanes", "b", &packs);
      g_variant_lookup (view, "state-lanes", "b", &shows_states);
      g_variant_lookup (view, "cpu-strip", "b", &shows_cpu);
      read_lanes (self, view);
      read_bookmarks (self, view);
    }
  ns_timeline_set_grouping (self, grouping);
  ns_timeline_set_keeps_filtered (self, keeps_filtered);
  ns_timeline_set_packs (self, packs);
  ns_timeline_set_shows_states (self, shows_states);
  ns_timeline_set_shows_cpu (self, shows_cpu);
  apply_marks (self);
}
