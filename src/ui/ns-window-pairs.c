/* The other machine of a trace: the tab of requests that both recorded, and the ways between both.
 *
 * Who the other machine is: a trace that was opened with this one as files of one case, or one in
 * another window with connections of the same ends. Both are paired in a thread once both are
 * there and this window is in front, so that opening them takes no longer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-pair-probe.h"
#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-pair-words.h"
#include "ui/sheets/ns-paired-page.h"

#include <glib/gi18n.h>
#include <string.h>

/* Where the tab stands: behind the operations and what is wrong with them. */
#define TAB_PLACE 2

struct _NsWindowPairs
{
  GPtrArray *machines; /* (element-type GFile): opened with this one as files of one case */
  GPtrArray *tried;    /* (element-type GFile): with nothing in common */
  GPtrArray *common;   /* (element-type GFile): of no case with this one, but with something */
  GPtrArray *choices;  /* (element-type GFile): as the tab lists them */
  NsPairing *pairing;  /* (nullable): made, or being made */
  GFile *file;         /* (nullable): of the other machine */
  GCancellable *job;   /* (nullable): it is being made */
  GCancellable *probe; /* (nullable): what others have in common is looked for */
  gboolean is_of_case; /* the other machine is, or the user had both paired */
  gboolean is_asked;   /* somebody waits for it */
  gboolean is_chosen;  /* the user wants this one and no other */
  guint look_id;
  GtkWidget *page; /* (nullable) */
  GtkWidget *count;
  GtkWidget *spinner;
};

static const NsPairs *
get_pairs (NsWindow *self)
{
  return self->pairs->pairing != NULL ? ns_pairing_get_pairs (self->pairs->pairing) : NULL;
}

static gboolean
has_file (GPtrArray *files, GFile *file)
{
  return g_ptr_array_find_with_equal_func (files, file, (GEqualFunc) g_file_equal, NULL);
}

static gboolean
is_in_front (NsWindow *self)
{
  return self->pairs->page != NULL && ns_trace_tabs_get_page (self->tabs) == self->pairs->page;
}

/* How many are seen at both ends. */
static void
update_count (NsWindow *self)
{
  g_autofree char *text = NULL;

  if (self->pairs->page == NULL)
    return;
  text = ns_words_count (ns_paired_page_count (NS_PAIRED_PAGE (self->pairs->page)));
  gtk_label_set_text (GTK_LABEL (self->pairs->count), text);
  gtk_widget_set_visible (self->pairs->count, get_pairs (self) != NULL);
}

/* The tab is there while there is something to say of another machine. */
static void
update_tab (NsWindow *self)
{
  NsWindowPairs *pairs = self->pairs;
  const NsPairs *found = get_pairs (self);
  gboolean is_wanted = pairs->is_of_case || (found != NULL && found->rows->len > 0);

  if (pairs->page == NULL)
    return;
  gtk_widget_set_visible (pairs->spinner, pairs->job != NULL);
  gtk_spinner_set_spinning (GTK_SPINNER (pairs->spinner), pairs->job != NULL);
  if (!is_wanted && is_in_front (self))
    ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  gtk_widget_set_visible (pairs->page, is_wanted);
  update_count (self);
}

static void
stop_probe (NsWindow *self)
{
  g_cancellable_cancel (self->pairs->probe);
  g_clear_object (&self->pairs->probe);
}

static void update_choices (NsWindow *self);

static void
show (NsWindow *self, NsPairing *pairing)
{
  if (self->pairs->page != NULL)
    ns_paired_page_set_pairing (NS_PAIRED_PAGE (self->pairs->page), pairing, self->pairs->file);
  ns_details_panel_set_pairing (NS_DETAILS_PANEL (self->panel), pairing);
  update_choices (self);
  update_tab (self);
  ns_window_update_actions (self);
}

static void
stop (NsWindow *self)
{
  stop_probe (self);
  g_cancellable_cancel (self->pairs->job);
  g_clear_object (&self->pairs->job);
  g_clear_handle_id (&self->pairs->look_id, g_source_remove);
}

static void
forget (NsWindow *self)
{
  stop (self);
  show (self, NULL);
  g_clear_object (&self->pairs->pairing);
  g_clear_object (&self->pairs->file);
  self->pairs->is_of_case = FALSE;
  self->pairs->is_asked = FALSE;
  self->pairs->is_chosen = FALSE;
  update_tab (self);
}

/* Windows with a trace that was read, but this one. */
static GPtrArray *
list_others (NsWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GPtrArray *others = g_ptr_array_new ();
  GList *at = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (; at != NULL; at = at->next)
    if (NS_IS_WINDOW (at->data) && at->data != (gpointer) self &&
        ns_window_get_trace (at->data) != NULL && ns_window_get_file (at->data) != NULL &&
        !g_file_equal (ns_window_get_file (at->data), ns_window_get_file (self)))
      g_ptr_array_add (others, at->data);
  return others;
}

static NsWindow *
find_window (NsWindow *self, GFile *file)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint i;

  for (i = 0; i < others->len; i++)
    if (g_file_equal (ns_window_get_file (g_ptr_array_index (others, i)), file))
      return g_ptr_array_index (others, i);
  return NULL;
}

static gboolean
is_of_case (NsWindow *self, NsWindow *other)
{
  return has_file (self->pairs->machines, ns_window_get_file (other)) ||
         has_file (other->pairs->machines, ns_window_get_file (self));
}

/* The next one that was not tried: those of the case first. */
static NsWindow *
find_next (NsWindow *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint round;
  guint i;

  for (round = 0; round < 2; round++)
    for (i = 0; i < others->len; i++)
      {
        NsWindow *other = g_ptr_array_index (others, i);

        if (is_of_case (self, other) == (round == 0) &&
            !has_file (self->pairs->tried, ns_window_get_file (other)) &&
            ns_pairs_check (ns_window_get_trace (self), ns_window_get_trace (other), NULL))
          return other;
      }
  return NULL;
}

/* One that the user may choose. */
typedef struct
{
  char *name;
  GFile *file;
} Choice;

static void
choice_clear (gpointer data)
{
  Choice *choice = data;

  g_free (choice->name);
  g_object_unref (choice->file);
}

static int
compare_choices (gconstpointer a, gconstpointer b)
{
  const Choice *one = a;
  const Choice *other = b;
  g_autofree char *one_uri = g_file_get_uri (one->file);
  g_autofree char *other_uri = g_file_get_uri (other->file);
  int by_name = g_utf8_collate (one->name, other->name);

  return by_name != 0 ? by_name : strcmp (one_uri, other_uri);
}

/* What is paired is among them though its window was closed. */
static GArray *
list_choices (NsWindow *self)
{
  NsWindowPairs *pairs = self->pairs;
  g_autoptr (GPtrArray) others = list_others (self);
  GArray *choices = g_array_new (FALSE, FALSE, sizeof (Choice));
  gboolean is_there = FALSE;
  guint i;

  g_array_set_clear_func (choices, choice_clear);
  for (i = 0; i < others->len; i++)
    {
      NsWindow *other = g_ptr_array_index (others, i);
      gboolean is_paired =
          pairs->file != NULL && g_file_equal (pairs->file, ns_window_get_file (other));

      is_there = is_there || is_paired;
      if (is_paired ||
          ((is_of_case (self, other) || has_file (pairs->common, ns_window_get_file (other))) &&
           ns_pairs_check (ns_window_get_trace (self), ns_window_get_trace (other), NULL)))
        {
          Choice choice = { ns_pairs_dup_machine (ns_window_get_trace (other)),
                            g_object_ref (ns_window_get_file (other)) };

          g_array_append_val (choices, choice);
        }
    }
  if (!is_there && get_pairs (self) != NULL)
    {
      Choice choice = { ns_pairing_dup_machine (pairs->pairing, 1), g_object_ref (pairs->file) };

      g_array_append_val (choices, choice);
    }
  g_array_sort (choices, compare_choices);
  return choices;
}

/* Whom the trace can be paired with. */
static void
update_choices (NsWindow *self)
{
  NsWindowPairs *pairs = self->pairs;
  g_autoptr (GArray) choices = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint chosen = GTK_INVALID_LIST_POSITION;
  guint i;

  if (pairs->page == NULL || pairs->file == NULL || ns_window_get_trace (self) == NULL)
    return;
  choices = list_choices (self);
  g_ptr_array_set_size (pairs->choices, 0);
  for (i = 0; i < choices->len; i++)
    {
      const Choice *choice = &g_array_index (choices, Choice, i);

      if (g_file_equal (choice->file, pairs->file))
        chosen = i;
      g_ptr_array_add (pairs->choices, g_object_ref (choice->file));
      g_ptr_array_add (names, choice->name);
    }
  g_ptr_array_add (names, NULL);
  ns_paired_page_set_machines (NS_PAIRED_PAGE (pairs->page),
                               (const char *const *) names->pdata,
                               chosen);
}

/* Traces whose windows went meanwhile are of no interest. */
static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autoptr (GPtrArray) found = ns_pair_probe_finish (result, NULL);
  g_autoptr (GPtrArray) others = NULL;
  guint i;

  if (found == NULL || self->pairs == NULL)
    return;
  g_clear_object (&self->pairs->probe);
  others = list_others (self);
  for (i = 0; i < others->len; i++)
    {
      NsWindow *other = g_ptr_array_index (others, i);

      if (g_ptr_array_find (found, ns_window_get_trace (other), NULL) &&
          !has_file (self->pairs->common, ns_window_get_file (other)))
        g_ptr_array_add (self->pairs->common, g_object_ref (ns_window_get_file (other)));
    }
  update_choices (self);
}

/* Whether traces that nobody said to belong to this one have something in common with it, too. */
static void
look_for_common (NsWindow *self)
{
  NsTrace *trace = ns_window_get_trace (self);
  g_autoptr (GPtrArray) others = list_others (self);
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  guint i;

  for (i = 0; i < others->len; i++)
    {
      NsWindow *other = g_ptr_array_index (others, i);

      if (!is_of_case (self, other) && !has_file (self->pairs->tried, ns_window_get_file (other)) &&
          !has_file (self->pairs->common, ns_window_get_file (other)) &&
          ns_pairs_check (trace, ns_window_get_trace (other), NULL))
        g_ptr_array_add (traces, ns_window_get_trace (other));
    }
  stop_probe (self);
  self->pairs->probe = g_cancellable_new ();
  ns_pair_probe_async (trace, traces, self->pairs->probe, probed_cb, g_object_ref (self));
}

static void begin (NsWindow *self);

/* Of several machines of one case those with something in common are shown first. */
static gboolean
is_worth_showing (NsWindow *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint i;

  if (get_pairs (self)->rows->len > 0 || self->pairs->is_chosen)
    return TRUE;
  for (i = 0; i < others->len; i++)
    {
      NsWindow *other = g_ptr_array_index (others, i);

      if (is_of_case (self, other) && !has_file (self->pairs->tried, ns_window_get_file (other)) &&
          !g_file_equal (ns_window_get_file (other), self->pairs->file) &&
          ns_pairs_check (ns_window_get_trace (self), ns_window_get_trace (other), NULL))
        return FALSE;
    }
  return self->pairs->is_of_case;
}

/* Those of one case that have nothing in common are told why; of others nothing is said. */
static void
made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  NsWindowPairs *pairs = self->pairs;
  g_autoptr (GError) error = NULL;
  gboolean is_made = ns_pairing_run_finish (NS_PAIRING (source), result, &error);

  if (pairs == NULL || NS_PAIRING (source) != pairs->pairing || pairs->job == NULL)
    return;
  g_clear_object (&pairs->job);
  if (is_made && is_worth_showing (self))
    {
      show (self, pairs->pairing);
      look_for_common (self);
      if (pairs->is_asked && is_in_front (self))
        ns_paired_page_focus (NS_PAIRED_PAGE (pairs->page));
      pairs->is_asked = FALSE;
      return;
    }
  if (!is_made && pairs->is_of_case)
    ns_window_say (self, error->message);
  g_ptr_array_add (pairs->tried, g_object_ref (pairs->file));
  forget (self);
  begin (self);
}

/* @other is %NULL when no window shows it. */
static void
begin_with (NsWindow *self, GFile *file, NsWindow *other, gboolean is_of_case)
{
  NsWindowPairs *pairs = self->pairs;

  pairs->file = g_object_ref (file);
  pairs->is_of_case = is_of_case;
  pairs->pairing = ns_pairing_new (ns_window_get_trace (self),
                                   file,
                                   other != NULL ? ns_window_get_trace (other) : NULL);
  ns_pairing_set_needs_ends (pairs->pairing, !is_of_case);
  pairs->job = g_cancellable_new ();
  update_choices (self);
  update_tab (self);
  ns_pairing_run_async (pairs->pairing, pairs->job, made_cb, g_object_ref (self));
}

static void
begin (NsWindow *self)
{
  NsWindow *other = self->pairs->pairing == NULL ? find_next (self) : NULL;

  if (other != NULL)
    begin_with (self, ns_window_get_file (other), other, is_of_case (self, other));
}

/* The user wants that one, and is told if they have nothing in common. */
static void
machine_chosen_cb (NsPairedPage *page, guint nth, NsWindow *self)
{
  NsWindowPairs *pairs = self->pairs;
  g_autoptr (GFile) file = NULL;

  if (pairs == NULL || nth >= pairs->choices->len || ns_window_get_trace (self) == NULL)
    return;
  file = g_object_ref (g_ptr_array_index (pairs->choices, nth));
  if (pairs->file != NULL && g_file_equal (file, pairs->file))
    return;
  stop (self);
  pairs->is_of_case = TRUE;
  show (self, NULL);
  g_clear_object (&pairs->pairing);
  g_clear_object (&pairs->file);
  pairs->is_chosen = TRUE;
  begin_with (self, file, find_window (self, file), TRUE);
}

static gboolean
look_cb (gpointer data)
{
  NsWindow *self = data;

  self->pairs->look_id = 0;
  if (ns_window_get_trace (self) != NULL && ns_window_get_file (self) != NULL)
    begin (self);
  return G_SOURCE_REMOVE;
}

/* Once nothing else is to be done. */
static void
look_later (NsWindow *self)
{
  if (self->pairs != NULL && self->pairs->look_id == 0 && self->pairs->pairing == NULL &&
      gtk_window_is_active (GTK_WINDOW (self)) && ns_window_get_trace (self) != NULL)
    self->pairs->look_id = g_idle_add_full (G_PRIORITY_LOW, look_cb, self, NULL);
}

/* What had nothing in common may have something now, and another one more. */
static void
try_again (NsWindow *self)
{
  g_ptr_array_set_size (self->pairs->tried, 0);
  if (get_pairs (self) != NULL && get_pairs (self)->rows->len == 0 && !self->pairs->is_chosen)
    forget (self);
  look_later (self);
  if (get_pairs (self) != NULL)
    {
      update_choices (self);
      look_for_common (self);
    }
}

/* A trace was opened or grew: every window may have another machine now. */
void
ns_window_look_for_machines (NsWindow *self)
{
  g_autoptr (GPtrArray) others = list_others (self);
  guint i;

  try_again (self);
  for (i = 0; i < others->len; i++)
    try_again (g_ptr_array_index (others, i));
}

/* @file is of another machine, and was opened with what this window shows. */
void
ns_window_add_machine (NsWindow *self, GFile *file)
{
  if (!has_file (self->pairs->machines, file))
    g_ptr_array_add (self->pairs->machines, g_object_ref (file));
}

/* The trace of the window goes. */
void
ns_window_drop_pairs (NsWindow *self)
{
  g_autoptr (GPtrArray) others = NULL;
  guint i;

  if (self->pairs == NULL)
    return;
  others = list_others (self);
  forget (self);
  g_ptr_array_set_size (self->pairs->tried, 0);
  g_ptr_array_set_size (self->pairs->common, 0);
  for (i = 0; i < others->len; i++)
    {
      NsWindow *other = g_ptr_array_index (others, i);

      if (other->pairs->file != NULL && ns_window_get_file (self) != NULL &&
          g_file_equal (other->pairs->file, ns_window_get_file (self)))
        forget (other);
    }
}

/**
 * ns_window_take_pairing:
 * @self: a window
 * @pairing: one of its trace that was made
 * @file: of the other machine
 *
 * Shows what the user had paired, its clock set by hand or not.
 */
void
ns_window_take_pairing (NsWindow *self, NsPairing *pairing, GFile *file)
{
  NsWindow *other = find_window (self, file);

  if (!ns_pairing_is_of (pairing, ns_window_get_trace (self)))
    return;
  /* What was shown is gone already where it is the same pairing. */
  stop (self);
  g_set_object (&self->pairs->pairing, pairing);
  g_set_object (&self->pairs->file, file);
  self->pairs->is_of_case = TRUE;
  self->pairs->is_chosen = TRUE;
  show (self, pairing);
  look_for_common (self);
  /* It finds the clock that was set by hand when it is in front. */
  if (other != NULL && other->pairs->file != NULL &&
      g_file_equal (other->pairs->file, ns_window_get_file (self)))
    forget (other);
}

/* Below the lanes of the timeline, as wide as these. */
static void
place_lanes (NsWindow *self)
{
  GtkWidget *lanes = ns_paired_page_get_lanes (NS_PAIRED_PAGE (self->pairs->page));
  GtkWidget *box = gtk_widget_get_parent (self->timeline);
  int bar;

  gtk_widget_measure (self->timeline_scrollbar,
                      GTK_ORIENTATION_HORIZONTAL,
                      -1,
                      NULL,
                      &bar,
                      NULL,
                      NULL);
  gtk_widget_set_margin_end (lanes, bar);
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (box)), lanes, box);
}

/* The tab of a new trace, which is not seen yet. */
void
ns_window_build_pairs (NsWindow *self)
{
  NsWindowPairs *pairs = self->pairs;
  GtkWidget *tab = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  pairs->page = ns_paired_page_new (self->session);
  g_signal_connect_object (pairs->page, "machine-chosen", G_CALLBACK (machine_chosen_cb), self, 0);
  pairs->count = gtk_label_new (NULL);
  pairs->spinner = gtk_spinner_new ();
  gtk_widget_add_css_class (pairs->count, "caption");
  gtk_box_append (GTK_BOX (tab), gtk_label_new (_ ("Paired")));
  gtk_box_append (GTK_BOX (tab), pairs->count);
  gtk_box_append (GTK_BOX (tab), pairs->spinner);
  ns_trace_tabs_insert_page (self->tabs, pairs->page, tab, TAB_PLACE, _ ("Paired"));
  ns_help_set_page (pairs->page, "compare");
  ns_paired_page_set_narrow (NS_PAIRED_PAGE (pairs->page),
                             ns_panel_frame_is_narrow (self->panel_frame));
  gtk_widget_set_visible (pairs->page, FALSE);
  place_lanes (self);
}

/* The tab has gone with those of the tables. */
void
ns_window_unbuild_pairs (NsWindow *self)
{
  self->pairs->page = NULL;
}

/* The filter of the operations has changed, or how wide the window is. */
void
ns_window_update_pairs (NsWindow *self, gboolean is_filtered)
{
  NsPairedPage *page;

  /* A playback changes the rows ten times a second. */
  if (self->pairs == NULL || self->pairs->page == NULL ||
      (is_filtered && ns_playback_bar_is_active (self->playback_bar) && !is_in_front (self)))
    return;
  page = NS_PAIRED_PAGE (self->pairs->page);
  if (is_filtered)
    ns_paired_page_update_rows (page);
  else
    ns_paired_page_set_narrow (page, ns_panel_frame_is_narrow (self->panel_frame));
  update_count (self);
}

/* Why there is nothing to go to. */
static gboolean
say_without_pairs (NsWindow *self)
{
  if (get_pairs (self) != NULL && self->pairs->job == NULL)
    return FALSE;
  self->pairs->is_asked = TRUE;
  if (self->pairs->job == NULL)
    begin (self);
  ns_window_say (self,
                 self->pairs->job != NULL
                     ? _ ("The requests of both machines are being paired…")
                     : _ ("No trace of another machine with common connections is open."));
  return TRUE;
}

static void
other_end_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint32 activity = ns_session_get_activity (self->session);
  const NsPairRow *row;
  g_autofree char *place = NULL;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  NsWindow *other;
  NsRow there;

  if (say_without_pairs (self))
    return;
  if (activity == G_MAXUINT32)
    {
      ns_window_say (self, _ ("Choose a request first: the other end is that of its row."));
      return;
    }
  row = ns_pairing_find (self->pairs->pairing, activity + 1);
  name = ns_pairing_dup_machine (self->pairs->pairing, 1);
  there = row == NULL ? 0 : row->client_machine == 0 ? row->server : row->client;
  if (there == 0)
    {
      /* Translators: the name of a computer. */
      text = g_strdup_printf (row != NULL ? _ ("The request was not seen on %s.")
                                          : _ ("The row is no request to or from %s."),
                              name);
      ns_window_say (self, text);
      return;
    }
  place = g_strdup_printf ("#table=activities;row=%u", there);
  other = find_window (self, self->pairs->file);
  if (other != NULL)
    {
      gtk_window_present (GTK_WINDOW (other));
      gtk_widget_activate_action (GTK_WIDGET (other), "win.go-to-text", "s", place);
    }
  else
    {
      g_autofree char *uri = g_file_get_uri (self->pairs->file);

      g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()),
                                      "open-at",
                                      g_variant_new ("(ss)", uri, place));
    }
}

static void
next_unpaired_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint32 activity = ns_session_get_activity (self->session);
  NsRow next;

  if (say_without_pairs (self))
    return;
  next =
      ns_pairing_find_unpaired (self->pairs->pairing, activity != G_MAXUINT32 ? activity + 1 : 0);
  if (next-- == 0)
    {
      ns_window_say (self, _ ("Each request of this trace was seen at both ends."));
      return;
    }
  if (!is_in_front (self))
    ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_session_select (self->session, NS_TABLE_ACTIVITIES, &next, 1);
}

static void
show_pairs_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  /* The tab is there while both are being paired, too. */
  if (!gtk_widget_get_visible (self->pairs->page) && say_without_pairs (self))
    return;
  ns_trace_tabs_show_page (self->tabs, self->pairs->page);
}

static const GActionEntry entries[] = {
  { "pair-other-end", other_end_cb, NULL, NULL, NULL, { 0 } },
  { "pair-next-unpaired", next_unpaired_cb, NULL, NULL, NULL, { 0 } },
  { "show-pairs", show_pairs_cb, NULL, NULL, NULL, { 0 } },
};

/* What nothing in the window wants for itself. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 || (key != GDK_KEY_j && key != GDK_KEY_J) ||
      GTK_IS_EDITABLE (focus) || ns_window_get_trace (self) == NULL)
    return FALSE;
  if (key == GDK_KEY_j)
    other_end_cb (NULL, NULL, self);
  else
    next_unpaired_cb (NULL, NULL, self);
  return TRUE;
}

/* Whether there is another machine, be it that the requests of both are still being paired. */
gboolean
ns_window_has_machine (NsWindow *self)
{
  return self->pairs != NULL && self->pairs->file != NULL;
}

/* Prepares a new window. */
void
ns_window_add_pairs (NsWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->pairs = g_new0 (NsWindowPairs, 1);
  self->pairs->machines = g_ptr_array_new_with_free_func (g_object_unref);
  self->pairs->tried = g_ptr_array_new_with_free_func (g_object_unref);
  self->pairs->common = g_ptr_array_new_with_free_func (g_object_unref);
  self->pairs->choices = g_ptr_array_new_with_free_func (g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (look_later), NULL);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* Lets go of it with the window. */
void
ns_window_free_pairs (NsWindow *self)
{
  if (self->pairs == NULL)
    return;
  stop (self);
  g_clear_object (&self->pairs->pairing);
  g_clear_object (&self->pairs->file);
  g_ptr_array_unref (self->pairs->machines);
  g_ptr_array_unref (self->pairs->tried);
  g_ptr_array_unref (self->pairs->common);
  g_ptr_array_unref (self->pairs->choices);
  g_clear_pointer (&self->pairs, g_free);
}

/* Whether the clock of the other machine is as the user said. */
gboolean
ns_window_has_clock_by_hand (NsWindow *self)
{
  return get_pairs (self) != NULL && get_pairs (self)->clock == NS_PAIRS_CLOCK_HAND;
}
