/* Tab with the requests that this machine and another one recorded, and actions that go from one
 * machine to the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-paired-tab.h"

#include "model/ns-session-state.h"
#include "model/ns-signal.h"
#include "ui/ns-help.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-paired-page.h"

#include <glib/gi18n.h>

/* Position of the tab, after the operations and the findings. */
#define TAB_PLACE 2

struct _NsPairedTab
{
  GObject parent_instance;

  NsOtherMachine *machine;
  NsTraceTabs *tabs;  /* unowned; outlives the tab */
  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  GPtrArray *choices; /* (element-type GFile): in the order of the page's machine chooser */
  NsPairedPage *page; /* (nullable) */
  GtkWidget *count;
  GtkWidget *spinner;
};

enum
{
  SIGNAL_MESSAGE,
  SIGNAL_GO,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsPairedTab, ns_paired_tab, G_TYPE_OBJECT)

static void
show_message (NsPairedTab *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static gboolean
is_in_front (NsPairedTab *self)
{
  return self->page != NULL && ns_trace_tabs_get_page (self->tabs) == GTK_WIDGET (self->page);
}

/* Shows the number of paired requests in the tab. */
static void
update_count (NsPairedTab *self)
{
  g_autofree char *text = ns_words_count (ns_paired_page_count (self->page));

  gtk_label_set_text (GTK_LABEL (self->count), text);
  gtk_widget_set_visible (self->count, ns_other_machine_get_pairs (self->machine) != NULL);
}

/* Shows the tab while the case has a trace of another machine, or pairs exist. */
static void
update_tab (NsPairedTab *self)
{
  gboolean is_wanted = ns_other_machine_is_wanted (self->machine);
  gboolean is_busy = ns_other_machine_is_busy (self->machine);

  gtk_widget_set_visible (self->spinner, is_busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), is_busy);
  if (!is_wanted && is_in_front (self))
    ns_trace_tabs_show_table (self->tabs, NS_TABLE_ACTIVITIES);
  gtk_widget_set_visible (GTK_WIDGET (self->page), is_wanted);
  update_count (self);
}

/* Updates the list of machines that the trace can be paired with. */
static void
update_choices (NsPairedTab *self)
{
  GFile *file = ns_other_machine_get_file (self->machine);
  g_autoptr (GArray) choices = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  guint chosen = GTK_INVALID_LIST_POSITION;
  guint i;

  if (file == NULL || !ns_other_machine_has_trace (self->machine))
    return;
  choices = ns_other_machine_list_choices (self->machine);
  g_ptr_array_set_size (self->choices, 0);
  for (i = 0; i < choices->len; i++)
    {
      const NsMachineChoice *choice = &g_array_index (choices, NsMachineChoice, i);

      if (g_file_equal (choice->file, file))
        chosen = i;
      g_ptr_array_add (self->choices, g_object_ref (choice->file));
      g_ptr_array_add (names, choice->name);
    }
  g_ptr_array_add (names, NULL);
  ns_paired_page_set_machines (self->page, (const char *const *) names->pdata, chosen);
}

static void
changed_cb (NsPairedTab *self)
{
  if (self->page == NULL)
    return;
  update_choices (self);
  update_tab (self);
}

static void
shown_cb (NsPairedTab *self, NsPairing *pairing, gboolean is_asked)
{
  if (self->page == NULL)
    return;
  ns_paired_page_set_pairing (self->page, pairing, ns_other_machine_get_file (self->machine));
  changed_cb (self);
  if (is_asked && is_in_front (self))
    ns_paired_page_focus (self->page);
}

static void
machine_chosen_cb (NsPairedTab *self, guint nth)
{
  g_autoptr (GFile) file = NULL;

  if (nth >= self->choices->len)
    return;
  file = g_object_ref (g_ptr_array_index (self->choices, nth));
  ns_other_machine_choose (self->machine, file);
}

/* Returns %FALSE if pairs are available; otherwise reports why not, after starting the pairing if
 * it was not started. */
static gboolean
report_no_pairs (NsPairedTab *self)
{
  if (ns_other_machine_get_pairs (self->machine) != NULL &&
      !ns_other_machine_is_busy (self->machine))
    return FALSE;
  show_message (self,
                ns_other_machine_ask (self->machine)
                    ? _ ("The requests of both machines are being paired…")
                    : _ ("No trace of another machine with common connections is open."));
  return TRUE;
}

static void
other_end_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsPairedTab *self = data;
  guint32 activity = ns_session_get_activity (self->session);
  NsPairing *pairing;
  const NsPairRow *row;
  g_autofree char *place = NULL;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  NsRow there;

  if (report_no_pairs (self))
    return;
  if (activity == G_MAXUINT32)
    {
      show_message (self, _ ("Select a request first to go to its other end."));
      return;
    }
  pairing = ns_other_machine_get_pairing (self->machine);
  row = ns_pairing_find (pairing, activity + 1);
  name = ns_pairing_dup_machine (pairing, 1);
  there = row == NULL ? 0 : row->client_machine == 0 ? row->server : row->client;
  if (there == 0)
    {
      /* Translators: the name of a computer. */
      text = g_strdup_printf (row != NULL ? _ ("The request was not seen on %s.")
                                          : _ ("The row is not a request to or from %s."),
                              name);
      show_message (self, text);
      return;
    }
  place = g_strdup_printf ("#table=activities;row=%u", there);
  g_signal_emit (self, signals[SIGNAL_GO], 0, ns_other_machine_get_file (self->machine), place);
}

static void
next_unpaired_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsPairedTab *self = data;
  guint32 activity = ns_session_get_activity (self->session);
  NsRow next;

  if (report_no_pairs (self))
    return;
  next = ns_pairing_find_unpaired (ns_other_machine_get_pairing (self->machine),
                                   activity != G_MAXUINT32 ? activity + 1 : 0);
  if (next-- == 0)
    {
      show_message (self, _ ("Each request of this trace was seen at both ends."));
      return;
    }
  if (!is_in_front (self))
    ns_trace_tabs_show_table (self->tabs, NS_TABLE_ACTIVITIES);
  ns_session_select (self->session, NS_TABLE_ACTIVITIES, &next, 1);
}

static void
show_pairs_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsPairedTab *self = data;

  /* The tab is also visible while the pairing is running. */
  if (!gtk_widget_get_visible (GTK_WIDGET (self->page)) && report_no_pairs (self))
    return;
  ns_trace_tabs_show_page (self->tabs, GTK_WIDGET (self->page));
}

static const GActionEntry entries[] = {
  { "pair-other-end", other_end_cb, NULL, NULL, NULL, { 0 } },
  { "pair-next-unpaired", next_unpaired_cb, NULL, NULL, NULL, { 0 } },
  { "show-pairs", show_pairs_cb, NULL, NULL, NULL, { 0 } },
};

/* Handles J and Shift+J unless the focus is in a text entry. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsPairedTab *self)
{
  GtkWidget *window = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 || (key != GDK_KEY_j && key != GDK_KEY_J) ||
      GTK_IS_EDITABLE (focus) || !ns_other_machine_has_trace (self->machine))
    return FALSE;
  if (key == GDK_KEY_j)
    other_end_cb (NULL, NULL, self);
  else
    next_unpaired_cb (NULL, NULL, self);
  return TRUE;
}

/**
 * ns_paired_tab_watch_keys:
 * @self: a tab
 * @window: the window that contains the tabs
 *
 * Adds the shortcuts J (go to the other end) and Shift+J (select the next unpaired request) to
 * @window.
 */
void
ns_paired_tab_watch_keys (NsPairedTab *self, GtkWidget *window)
{
  GtkEventController *keys;

  g_return_if_fail (NS_IS_PAIRED_TAB (self));

  keys = gtk_event_controller_key_new ();
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, 0);
  gtk_widget_add_controller (window, keys);
}

/**
 * ns_paired_tab_get_actions:
 * @self: a tab
 *
 * Returns: (transfer none): the action map: `show-pairs` shows the tab, `pair-other-end` goes to
 * the selected request in the trace of the other machine, `pair-next-unpaired` selects the next
 * request that only one machine recorded
 */
GActionMap *
ns_paired_tab_get_actions (NsPairedTab *self)
{
  g_return_val_if_fail (NS_IS_PAIRED_TAB (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_paired_tab_set_session:
 * @self: a tab
 * @session: (nullable): the session that the tabs show
 */
void
ns_paired_tab_set_session (NsPairedTab *self, NsSession *session)
{
  g_return_if_fail (NS_IS_PAIRED_TAB (self));

  g_set_object (&self->session, session);
}

/**
 * ns_paired_tab_build:
 * @self: a tab with a session, and without a page
 * @is_narrow: whether the window is narrow
 *
 * Adds its page to the tabs; the page is hidden until another machine is available.
 *
 * Returns: (transfer none): the lanes of both machines, to be placed near the timeline
 */
GtkWidget *
ns_paired_tab_build (NsPairedTab *self, gboolean is_narrow)
{
  GtkWidget *tab;
  GtkWidget *page;

  g_return_val_if_fail (NS_IS_PAIRED_TAB (self), NULL);

  tab = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  page = ns_paired_page_new (self->session);
  self->page = NS_PAIRED_PAGE (page);
  g_signal_connect_object (page,
                           "machine-chosen",
                           G_CALLBACK (machine_chosen_cb),
                           self,
                           G_CONNECT_SWAPPED);
  self->count = gtk_label_new (NULL);
  self->spinner = gtk_spinner_new ();
  gtk_widget_add_css_class (self->count, "caption");
  gtk_box_append (GTK_BOX (tab), gtk_label_new (_ ("Paired")));
  gtk_box_append (GTK_BOX (tab), self->count);
  gtk_box_append (GTK_BOX (tab), self->spinner);
  ns_trace_tabs_insert_page (self->tabs, page, tab, TAB_PLACE, _ ("Paired"));
  ns_help_set_page (page, "compare");
  ns_paired_page_set_narrow (self->page, is_narrow);
  gtk_widget_set_visible (page, FALSE);
  return ns_paired_page_get_lanes (self->page);
}

/**
 * ns_paired_tab_forget_page:
 * @self: a tab
 *
 * Drops the page, which is destroyed with those of the tables.
 */
void
ns_paired_tab_forget_page (NsPairedTab *self)
{
  g_return_if_fail (NS_IS_PAIRED_TAB (self));

  self->page = NULL;
}

/**
 * ns_paired_tab_update_rows:
 * @self: a tab
 * @is_playback: whether the trace is played back, which changes the rows ten times a second
 *
 * Updates the rows after a change of the filter. During playback, only a visible page is updated.
 */
void
ns_paired_tab_update_rows (NsPairedTab *self, gboolean is_playback)
{
  g_return_if_fail (NS_IS_PAIRED_TAB (self));

  if (self->page == NULL || (is_playback && !is_in_front (self)))
    return;
  ns_paired_page_update_rows (self->page);
  update_count (self);
}

/**
 * ns_paired_tab_set_narrow:
 * @self: a tab
 * @is_narrow: whether the window is narrow
 */
void
ns_paired_tab_set_narrow (NsPairedTab *self, gboolean is_narrow)
{
  g_return_if_fail (NS_IS_PAIRED_TAB (self));

  if (self->page == NULL)
    return;
  ns_paired_page_set_narrow (self->page, is_narrow);
  update_count (self);
}

static void
ns_paired_tab_dispose (GObject *object)
{
  NsPairedTab *self = NS_PAIRED_TAB (object);

  g_clear_object (&self->session);
  g_clear_object (&self->machine);
  G_OBJECT_CLASS (ns_paired_tab_parent_class)->dispose (object);
}

static void
ns_paired_tab_finalize (GObject *object)
{
  NsPairedTab *self = NS_PAIRED_TAB (object);

  g_object_unref (self->actions);
  g_ptr_array_unref (self->choices);
  G_OBJECT_CLASS (ns_paired_tab_parent_class)->finalize (object);
}

static void
ns_paired_tab_class_init (NsPairedTabClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_paired_tab_dispose;
  object_class->finalize = ns_paired_tab_finalize;
  /**
   * NsPairedTab::message:
   * @self: the tab
   * @text: the text of a transient message to the user
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_PAIRED_TAB, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsPairedTab::go:
   * @self: the tab
   * @file: the trace file of the other machine
   * @place: the jump target in that trace
   *
   * Requests to show the other end of a request.
   */
  signals[SIGNAL_GO] =
      ns_signal_new (NS_TYPE_PAIRED_TAB, "go", G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_STRING);
}

static void
ns_paired_tab_init (NsPairedTab *self)
{
  self->choices = g_ptr_array_new_with_free_func (g_object_unref);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
}

/**
 * ns_paired_tab_new:
 * @machine: the other machine
 * @tabs: the tabs to add the page to; must outlive the tab
 *
 * Returns: (transfer full): a tab without a session
 */
NsPairedTab *
ns_paired_tab_new (NsOtherMachine *machine, NsTraceTabs *tabs)
{
  NsPairedTab *self = g_object_new (NS_TYPE_PAIRED_TAB, NULL);

  self->machine = g_object_ref (machine);
  self->tabs = tabs;
  g_signal_connect_object (machine, "shown", G_CALLBACK (shown_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (machine, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  return self;
}
