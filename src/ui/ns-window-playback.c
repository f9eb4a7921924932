/* Playing a trace back: a moment goes through it, and the tables and the timeline show what had
 * begun by then.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-moment.h"
#include "ui/ns-spoken.h"
#include "ui/ns-window-filter.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <math.h>

#define TICK_MS 100
/* An arrow key, and a page key, move the moment by such a part of the trace. */
#define PLACE_STEP 0.005
#define PLACE_PAGE 0.05
/* Where the moment stands in a view that was turned over to it: so many parts from the edge. */
#define PAGE_EDGE 10
/* Tables of so many rows are limited while it plays, also those that nobody looks at. */
#define MAX_PLAYED_ROWS 50000

/* What is looked at, and what takes no time; the rest when it pauses. Findings have their rows when
 * they have been looked for, which is not done here. */
static gboolean
is_played (NsWindow *self, NsTableId table)
{
  guint n_found;
  gboolean is_bad;

  if (table == NS_TABLE_FINDINGS && !ns_session_count_findings (self->session, &n_found, &is_bad))
    return FALSE;
  return !self->playback.is_playing || table == self->table || table == NS_TABLE_ACTIVITIES ||
         ns_table_get_n_rows (ns_session_get_trace (self->session), table) <= MAX_PLAYED_ROWS;
}

/* What a tab can tell while a trace is played back. */
NsWindowPlayed
ns_window_get_played (NsWindow *self, NsTableId table)
{
  gboolean is_busy = ns_session_is_busy (self->session, table);

  if (self->playback_id == 0)
    return is_busy ? NS_WINDOW_PLAYED_UNKNOWN : NS_WINDOW_PLAYED_KNOWN;
  if (self->playback.is_playing && is_played (self, table))
    return is_busy ? NS_WINDOW_PLAYED_SOON : NS_WINDOW_PLAYED_KNOWN;
  return is_busy || self->played_ns[table] != self->playback.time_ns ? NS_WINDOW_PLAYED_UNKNOWN
                                                                     : NS_WINDOW_PLAYED_KNOWN;
}

static void
limit_table (NsWindow *self, NsTableId table)
{
  g_autofree char *own = ns_filter_chips_to_filter (self->chips[table]);
  g_autofree char *text = ns_playback_dup_filter (&self->playback, table, own);

  /* A slow answer is waited for: asking again would drop it. */
  if (ns_session_is_busy (self->session, table))
    return;
  self->played_ns[table] = self->playback.time_ns;
  ns_session_set_filter (self->session, table, text, NULL, NULL);
  ns_window_update_tab (self, table);
}

static void
limit_tables (NsWindow *self)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (is_played (self, (NsTableId) table))
      limit_table (self, (NsTableId) table);
}

static gboolean
is_in_view (NsWindow *self, gint64 time_ns)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);

  return time_ns >= visible.begin_ns && time_ns <= visible.end_ns;
}

/* Turns the view over to the moment, as a page is turned; that is no step to go back over. */
static void
turn_view (NsWindow *self, gboolean is_forward)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  NsTimeSpan whole = ns_session_get_whole (self->session);
  gint64 length_ns = visible.end_ns - visible.begin_ns;
  gint64 before_ns = is_forward ? length_ns / PAGE_EDGE : length_ns - length_ns / PAGE_EDGE;
  gint64 begin_ns;

  if (is_in_view (self, self->playback.time_ns))
    return;
  begin_ns = CLAMP (self->playback.time_ns - before_ns, whole.begin_ns, whole.end_ns - length_ns);
  self->is_going = TRUE;
  ns_session_set_visible (self->session, (NsTimeSpan){ begin_ns, begin_ns + length_ns });
  self->is_going = FALSE;
}

static void
show_place (NsWindow *self, const char *time)
{
  gtk_label_set_text (GTK_LABEL (self->playback_time), time);
  gtk_range_set_value (GTK_RANGE (self->playback_place),
                       (double) self->playback.time_ns / (double) NS_PER_SECOND);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->playback_place),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  time,
                                  -1);
}

static void
show_moment (NsWindow *self)
{
  GActionMap *map = G_ACTION_MAP (self);
  /* Translators: seconds; each event is a moment of its own. */
  g_autofree char *time =
      g_strdup_printf (_ ("%.6f s"), (double) self->playback.time_ns / (double) NS_PER_SECOND);
  GAction *play = g_action_map_lookup_action (map, "play");

  limit_tables (self);
  ns_session_set_moment (self->session, self->playback.time_ns);
  ns_timeline_set_moment (NS_TIMELINE (self->timeline), self->playback.time_ns);
  show_place (self, time);
  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (self->play_button)),
                 self->playback.is_playing ? "media-playback-pause-symbolic"
                                           : "media-playback-start-symbolic") != 0)
    gtk_button_set_icon_name (GTK_BUTTON (self->play_button),
                              self->playback.is_playing ? "media-playback-pause-symbolic"
                                                        : "media-playback-start-symbolic");
  g_simple_action_set_state (G_SIMPLE_ACTION (play),
                             g_variant_new_boolean (self->playback.is_playing));
}

static gboolean
tick_cb (gpointer data)
{
  NsWindow *self = data;
  gint64 now_us = g_get_monotonic_time ();
  gboolean was_in_view = is_in_view (self, self->playback.time_ns);

  ns_playback_advance (&self->playback, now_us - self->playback_ticked_us);
  self->playback_ticked_us = now_us;
  /* Who looks elsewhere while it plays stays there. */
  if (was_in_view)
    turn_view (self, TRUE);
  show_moment (self);
  return G_SOURCE_CONTINUE;
}

/* Shows all again. */
void
ns_window_stop_playback (NsWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "playback");
  guint table;

  if (self->playback_id == 0)
    return;
  g_clear_handle_id (&self->playback_id, g_source_remove);
  self->playback.is_playing = FALSE;
  /* It goes on in the later reading: who has the focus in the bar keeps it. */
  gtk_widget_set_visible (self->playback_bar, self->is_swapping);
  ns_window_update_parts (self);
  ns_session_set_moment (self->session, G_MAXINT64);
  ns_timeline_set_moment (NS_TIMELINE (self->timeline), G_MAXINT64);
  for (table = 0; table < NS_N_TABLES; table++)
    {
      g_autofree char *own = ns_filter_chips_to_filter (self->chips[table]);

      ns_session_set_filter (self->session, (NsTableId) table, own, NULL, NULL);
    }
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (FALSE));
  ns_window_update_actions (self);
}

/* Puts the moment into the trace that is shown; the speed stays as it was chosen. */
static void
start (NsWindow *self, gint64 time_ns)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "playback");
  NsTimeSpan whole = ns_session_get_whole (self->session);
  double begin = (double) whole.begin_ns / (double) NS_PER_SECOND;
  double end = (double) whole.end_ns / (double) NS_PER_SECOND;
  double speed = self->playback.speed;

  ns_playback_init (&self->playback, whole);
  ns_playback_set_speed (&self->playback, speed);
  ns_playback_go (&self->playback, time_ns);
  gtk_range_set_range (GTK_RANGE (self->playback_place), begin, MAX (end, begin + 1e-6));
  gtk_range_set_increments (GTK_RANGE (self->playback_place),
                            (end - begin) * PLACE_STEP,
                            (end - begin) * PLACE_PAGE);
  self->playback_ticked_us = g_get_monotonic_time ();
  self->playback_id = g_timeout_add (TICK_MS, tick_cb, self);
  gtk_widget_set_visible (self->playback_bar, TRUE);
  ns_window_update_parts (self);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (TRUE));
  ns_window_update_actions (self);
}

static void
playback_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  if (!g_variant_get_boolean (state))
    {
      ns_window_stop_playback (self);
      return;
    }
  if (self->session == NULL || self->playback_id != 0)
    return;
  start (self, ns_session_get_visible (self->session).begin_ns);
  gtk_widget_grab_focus (self->play_button);
  show_moment (self);
}

/* Goes on with a playback in a later reading of the trace, which may be longer. */
void
ns_window_resume_playback (NsWindow *self, const NsPlayback *playback)
{
  start (self, playback->time_ns);
  self->playback.is_playing = playback->is_playing;
  show_moment (self);
}

static void
play_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  if (self->playback_id == 0)
    return;
  self->playback.is_playing = g_variant_get_boolean (state);
  if (self->playback.is_playing && self->playback.time_ns >= self->playback.whole.end_ns)
    ns_playback_go (&self->playback, self->playback.whole.begin_ns);
  if (self->playback.is_playing)
    turn_view (self, TRUE);
  show_moment (self);
}

static void
step_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->playback_id == 0)
    return;
  if (!ns_playback_step (&self->playback,
                         ns_session_get_trace (self->session),
                         g_variant_get_int32 (parameter)))
    ns_window_say (self, _ ("No event is left in that direction"));
  turn_view (self, g_variant_get_int32 (parameter) > 0);
  show_moment (self);
}

static void
at_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->playback_id == 0)
    return;
  ns_playback_go (&self->playback, g_variant_get_int64 (parameter));
  turn_view (self, TRUE);
  show_moment (self);
}

/* Somebody drew the moment elsewhere, or moved it by keys. */
static gboolean
place_cb (GtkRange *place, GtkScrollType scroll, double value, NsWindow *self)
{
  if (self->playback_id == 0)
    return TRUE;
  ns_playback_go (&self->playback, (gint64) round (value * (double) NS_PER_SECOND));
  turn_view (self, TRUE);
  show_moment (self);
  return TRUE;
}

static void
show_speed (NsWindow *self, const char *speed)
{
  g_autofree char *label = g_strdup_printf ("× %s", speed);
  /* Translators: the name of a button; %s is a number with a sign: "× 10". */
  g_autofree char *name = g_strdup_printf (_ ("Speed %s"), label);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->playback_speed), label);
  ns_spoken_set_name (self->playback_speed, name);
  gtk_widget_set_tooltip_text (self->playback_speed, name);
}

static void
speed_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  ns_playback_set_speed (&self->playback,
                         g_ascii_strtod (g_variant_get_string (state, NULL), NULL));
  show_speed (self, g_variant_get_string (state, NULL));
  g_simple_action_set_state (action, state);
}

static const GActionEntry entries[] = {
  { "playback", NULL, NULL, "false", playback_cb, { 0 } },
  { "play", NULL, NULL, "false", play_cb, { 0 } },
  { "play-step", step_cb, "i", NULL, NULL, { 0 } },
  { "play-at", at_cb, "x", NULL, NULL, { 0 } },
  { "play-speed", NULL, "s", "'1'", speed_cb, { 0 } },
};

static GtkWidget *
button_new (const char *icon, const char *action, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, name);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  ns_spoken_set_name (button, name);
  return button;
}

static GtkWidget *
speeds_new (void)
{
  static const char *const speeds[] = { "0.1", "0.5", "1", "2", "10", "100", "1000" };
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (speeds); i++)
    {
      g_autofree char *label = g_strdup_printf ("× %s", speeds[i]);
      g_autofree char *action = g_strdup_printf ("win.play-speed::%s", speeds[i]);

      g_menu_append (menu, label, action);
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  ns_spoken_set_menu_name (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button))),
                           _ ("Speed"));
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  return button;
}

/* Time goes from left to right in every language. */
static GtkWidget *
place_new (NsWindow *self)
{
  GtkWidget *place = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.01);

  gtk_widget_set_direction (place, GTK_TEXT_DIR_LTR);
  gtk_widget_set_hexpand (place, TRUE);
  ns_spoken_set_name (place, _ ("Moment"));
  g_signal_connect (place, "change-value", G_CALLBACK (place_cb), self);
  return place;
}

/* Adds the actions to a new window, and the bar. */
void
ns_window_add_playback (NsWindow *self)
{
  GtkBox *bar = GTK_BOX (self->playback_bar);

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  self->playback.speed = 1;
  self->play_button = button_new ("media-playback-start-symbolic", "win.play", _ ("Play or pause"));
  self->playback_time = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->playback_time), 1);
  gtk_label_set_width_chars (GTK_LABEL (self->playback_time), 12);
  self->playback_place = place_new (self);
  self->playback_speed = speeds_new ();
  show_speed (self, "1");
  gtk_box_append (bar,
                  button_new ("media-skip-backward-symbolic",
                              "win.play-step(-1)",
                              _ ("To the event before")));
  gtk_box_append (bar, self->play_button);
  gtk_box_append (bar,
                  button_new ("media-skip-forward-symbolic",
                              "win.play-step(1)",
                              _ ("To the next event")));
  gtk_box_append (bar, self->playback_speed);
  gtk_box_append (bar, self->playback_place);
  gtk_box_append (bar, self->playback_time);
  gtk_box_append (bar,
                  button_new ("window-close-symbolic", "win.playback", _ ("End playing back")));
}
