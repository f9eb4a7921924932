/* What an action needs to have any effect: without it, it is switched off.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

#include "model/ns-session-findings.h"
#include "model/ns-wireshark.h"
#include "ui/panel/ns-event-fields.h"

#include <string.h>

enum
{
  NEEDS_TRACE = 1 << 0,
  NEEDS_FILE = 1 << 1,          /* that was asked for, whether it could be read or not */
  NEEDS_ERROR = 1 << 2,         /* the page that says why it could not */
  NEEDS_ROWS = 1 << 3,          /* shown in the table in front */
  NEEDS_ROW = 1 << 4,           /* selected in the table in front */
  NEEDS_BAR = 1 << 5,           /* the selected row has one */
  NEEDS_STACK = 1 << 6,         /* the selected row has one */
  NEEDS_LANES = 1 << 7,         /* there are operations */
  NEEDS_SPAN = 1 << 8,          /* selected */
  NEEDS_FILTER = 1 << 9,        /* on the table in front */
  NEEDS_UNDO = 1 << 10,         /* of a filter */
  NEEDS_MARKS = 1 << 11,        /* two bookmarks */
  NEEDS_TREE = 1 << 12,         /* the call tree is in front */
  NEEDS_GROUPS = 1 << 13,       /* in the table in front */
  NEEDS_PLAYING = 1 << 14,      /* a playback is there */
  NEEDS_FINDING = 1 << 15,      /* selected in the table in front */
  NEEDS_STACKS = 1 << 16,       /* the trace has some */
  NEEDS_FIND = 1 << 17,         /* something was typed into the find bar */
  NEEDS_EARLIER = 1 << 18,      /* the view does not begin with the trace */
  NEEDS_LATER = 1 << 19,        /* nor end with it */
  NEEDS_PART = 1 << 20,         /* it is not the whole trace */
  NEEDS_CONVERSATION = 1 << 21, /* the selected row has one in captured packets */
  NEEDS_RECORD = 1 << 22,       /* taken apart, in the panel or below the events */
  NEEDS_NARROWED = 1 << 23,     /* by a zoom or by conditions, on or off */
  NEEDS_SELECTION = 1 << 24,    /* a row of any table */
  NEEDS_BACK = 1 << 25,         /* a step back */
  NEEDS_FORWARD = 1 << 26,      /* a step forward */
};

/* Others need no more than their part of the window says, or work everywhere. */
static const struct
{
  const char *name;
  guint needs;
} wants[] = {
  { "reload", NEEDS_FILE },
  { "open-text", NEEDS_FILE | NEEDS_ERROR },
  { "select-all", NEEDS_ROWS },
  { "copy-markdown", NEEDS_ROWS },
  { "copy-json", NEEDS_ROWS },
  { "only-value", NEEDS_ROW },
  { "without-value", NEEDS_ROW },
  { "also-value", NEEDS_ROW },
  { "copy-value", NEEDS_ROW },
  { "centre-row", NEEDS_BAR },
  { "row-to-span", NEEDS_BAR },
  { "zoom-row", NEEDS_BAR },
  { "copy-stack", NEEDS_STACK },
  { "next-bar", NEEDS_LANES },
  { "previous-bar", NEEDS_LANES },
  { "zoom-lane", NEEDS_LANES },
  { "fold-lane", NEEDS_LANES },
  { "pin-lane", NEEDS_LANES },
  { "hide-lane", NEEDS_LANES },
  { "only-lane", NEEDS_LANES },
  { "without-lane", NEEDS_LANES },
  { "zoom-selected-span", NEEDS_SPAN },
  { "copy-filter", NEEDS_FILTER },
  { "save-filter", NEEDS_FILTER },
  { "undo-filter", NEEDS_UNDO },
  { "marks-to-span", NEEDS_MARKS },
  { "export-tree", NEEDS_TREE },
  { "export-tree-to", NEEDS_TREE },
  { "only-frame", NEEDS_TREE },
  { "toggle-group", NEEDS_GROUPS },
  { "group-remove", NEEDS_GROUPS },
  { "group-move", NEEDS_GROUPS },
  { "group-toggle", NEEDS_GROUPS },
  { "group-edit", NEEDS_GROUPS },
  { "choose-byte", NEEDS_RECORD },
  { "choose-field", NEEDS_RECORD },
  { "fold-field", NEEDS_RECORD },
  { "whole-trace", NEEDS_NARROWED },
  { "step-row", NEEDS_ROWS },
  { "use-filter", NEEDS_TRACE },
  { "playback", NEEDS_TRACE },
  { "play", NEEDS_PLAYING },
  { "play-step", NEEDS_PLAYING },
  { "play-at", NEEDS_PLAYING },
  { "play-speed", NEEDS_PLAYING },
  { "copy-finding", NEEDS_FINDING },
  { "hide-rule", NEEDS_FINDING },
  { "show-rows", NEEDS_TRACE },
  { "call-tree", NEEDS_STACKS },
  { "find-next", NEEDS_FIND },
  { "find-previous", NEEDS_FIND },
  { "page-earlier", NEEDS_EARLIER },
  { "page-later", NEEDS_LATER },
  { "zoom-out", NEEDS_PART },
  { "zoom-whole", NEEDS_PART },
  { "open-in-wireshark", NEEDS_CONVERSATION },
  { "files", NEEDS_TRACE },
  { "add-files", NEEDS_TRACE },
  { "remove-file", NEEDS_TRACE },
  { "undo-remove", NEEDS_TRACE },
  { "move-file", NEEDS_TRACE },
  { "log-clock", NEEDS_TRACE },
  { "read-log", NEEDS_TRACE },
  { "find-text", NEEDS_TRACE },
  { "set-filter", NEEDS_TRACE },
  { "type-filter", NEEDS_TRACE },
  { "take-offer", NEEDS_TRACE },
  { "chip-toggle", NEEDS_TRACE },
  { "chip-remove", NEEDS_TRACE },
  { "chip-edit", NEEDS_TRACE },
  { "chip-keep", NEEDS_TRACE },
  { "chip-take", NEEDS_TRACE },
  { "follow-connection", NEEDS_SELECTION },
  { "follow-server", NEEDS_SELECTION },
  { "follow-chain", NEEDS_SELECTION },
  { "follow-process", NEEDS_SELECTION },
  { "follow-process-tree", NEEDS_SELECTION },
  { "back", NEEDS_BACK },
  { "forward", NEEDS_FORWARD },
  { "open-view", NEEDS_TRACE },
  { "save-view", NEEDS_TRACE },
  { "open-view-from", NEEDS_TRACE },
  { "save-view-to", NEEDS_TRACE },
  { "export-to", NEEDS_TRACE },
  { "print", NEEDS_TRACE },
  { "print-to", NEEDS_TRACE },
  { "save-picture", NEEDS_TRACE },
  { "save-picture-to", NEEDS_TRACE },
  { "copy-sentence", NEEDS_SELECTION },
  { "copy-command", NEEDS_TRACE },
  { "copy-link", NEEDS_TRACE },
  { "select-rows", NEEDS_TRACE },
  { "sort", NEEDS_TRACE },
  { "show-column", NEEDS_TRACE },
  { "move-column", NEEDS_TRACE },
  { "reset-columns", NEEDS_TRACE },
  { "group-by", NEEDS_TRACE },
  { "group-by-value", NEEDS_TRACE },
  { "expand-groups", NEEDS_GROUPS },
  { "fold-groups", NEEDS_GROUPS },
  { "only-span", NEEDS_SPAN },
  { "paste-go", NEEDS_TRACE },
  { "go-to-text", NEEDS_TRACE },
  { "clock", NEEDS_TRACE },
  { "next-clock", NEEDS_TRACE },
  { "symbols", NEEDS_TRACE },
  { "nth-tab", NEEDS_TRACE },
  { "toggle-tab", NEEDS_TRACE },
  { "list-tabs", NEEDS_TRACE },
  { "event-pane", NEEDS_TRACE },
  { "timeline", NEEDS_TRACE },
  { "filter-events", NEEDS_TRACE },
};

/* Rows of other tables tell when their stack is looked for. */
static gboolean
may_have_stack (NsWindow *self)
{
  const NsTrace *trace = ns_session_get_trace (self->session);
  guint32 row = ns_session_get_activity (self->session);
  const NsActivityRow *activity;

  if (ns_session_get_selected (self->session)->len == 0)
    return FALSE;
  if (ns_session_get_selected_table (self->session) != NS_TABLE_ACTIVITIES)
    return TRUE;
  if (row >= trace->activities->len)
    return FALSE;
  activity = &g_array_index (trace->activities, NsActivityRow, row);
  return activity->stack != 0 || activity->link != 0;
}

static gboolean
has_conditions (NsWindow *self)
{
  NsFilterChips *chips = ns_session_get_chips (self->session, ns_window_get_front (self));

  return ns_filter_chips_get_n_chips (chips) > 0 || *ns_filter_chips_get_draft (chips) != '\0';
}

static gboolean
has_record (NsWindow *self)
{
  const NsEventFacts *facts =
      ns_event_fields_get_facts (NS_EVENT_FIELDS (ns_window_get_event_fields (self)));

  return facts != NULL && facts->facts->len > 0;
}

static gboolean
has_conversation (NsSession *session)
{
  const GArray *selected = ns_session_get_selected (session);

  return selected->len > 0 && ns_wireshark_has_packets (ns_session_get_trace (session),
                                                        ns_session_get_selected_table (session),
                                                        g_array_index (selected, guint32, 0));
}

static guint
find_there (NsWindow *self, gboolean has_trace)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));
  guint there = 0;
  guint32 row;
  NsTimeSpan visible;
  NsTimeSpan whole;
  NsTimeSpan span;

  if (ns_window_get_file (self) != NULL)
    there |= NEEDS_FILE;
  if (g_strcmp0 (page, "error") == 0)
    there |= NEEDS_ERROR;
  if (!has_trace)
    return there;
  there |= NEEDS_TRACE;
  if (ns_row_list_get_rows (ns_session_get_rows (self->session, ns_window_get_front (self)))->len >
      0)
    there |= NEEDS_ROWS;
  if (ns_session_get_selected (self->session)->len > 0 &&
      ns_session_get_selected_table (self->session) == ns_window_get_front (self))
    there |= NEEDS_ROW;
  if (ns_session_get_selected (self->session)->len > 0)
    there |= NEEDS_SELECTION;
  if (ns_session_history_can_go (self->history, -1))
    there |= NEEDS_BACK;
  if (ns_session_history_can_go (self->history, 1))
    there |= NEEDS_FORWARD;
  row = ns_session_get_activity (self->session);
  if (row != G_MAXUINT32 &&
      ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    there |= NEEDS_BAR;
  if (has_conversation (self->session))
    there |= NEEDS_CONVERSATION;
  if (may_have_stack (self))
    there |= NEEDS_STACK;
  if (ns_session_get_trace (self->session)->activities->len > 0)
    there |= NEEDS_LANES;
  span = ns_session_get_span (self->session);
  if (span.begin_ns < span.end_ns)
    there |= NEEDS_SPAN;
  if (*ns_session_get_filter (self->session, ns_window_get_front (self)) != '\0')
    there |= NEEDS_FILTER;
  if (ns_filter_chips_can_undo (ns_session_get_chips (self->session, ns_window_get_front (self))))
    there |= NEEDS_UNDO;
  if (ns_timeline_get_n_bookmarks (NS_TIMELINE (self->timeline)) > 1)
    there |= NEEDS_MARKS;
  if (ns_flame_actions_is_shown (self->call_tree))
    there |= NEEDS_TREE | NEEDS_STACKS;
  if (ns_session_get_trace (self->session)->n_stacks_attached > 0)
    there |= NEEDS_STACKS;
  if (ns_session_get_selected_finding (self->session) != G_MAXUINT32)
    there |= NEEDS_FINDING;
  if (*ns_finder_get_text (ns_find_bar_get_finder (self->find_bar)) != '\0')
    there |= NEEDS_FIND;
  visible = ns_session_get_visible (self->session);
  whole = ns_session_get_whole (self->session);
  if (visible.begin_ns > whole.begin_ns)
    there |= NEEDS_EARLIER;
  if (visible.end_ns < whole.end_ns)
    there |= NEEDS_LATER;
  if ((there & (NEEDS_EARLIER | NEEDS_LATER)) != 0)
    there |= NEEDS_PART | NEEDS_NARROWED;
  if (has_conditions (self))
    there |= NEEDS_NARROWED;
  if (has_record (self))
    there |= NEEDS_RECORD;
  if (ns_session_get_grouping (self->session, ns_window_get_front (self))->fields->len > 0)
    there |= NEEDS_GROUPS;
  /* The bar stays while a later reading of the trace takes over, and who has the focus in it. */
  if (ns_playback_bar_is_active (self->playback_bar) ||
      gtk_widget_get_visible (GTK_WIDGET (self->playback_bar)))
    there |= NEEDS_PLAYING;
  return there;
}

/* Switches off what can do nothing now; the parts of the window have switched theirs before. */
void
ns_window_enable_what_works (NsWindow *self, gboolean has_trace)
{
  guint there = find_there (self, has_trace);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wants); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), wants[i].name);
      guint needs = wants[i].needs;

      if (action == NULL)
        continue;
      if ((needs & (NEEDS_FILE | NEEDS_ERROR)) == 0)
        needs |= NEEDS_TRACE;
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), (there & needs) == needs);
    }
}
