/* The conditions under which each action of the window is enabled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-action-needs.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-state.h"
#include "model/ns-wireshark.h"

/* Actions that have none of these conditions also need a trace. */
#define WITHOUT_TRACE (NS_NEEDS_FILE | NS_NEEDS_ERROR | NS_NEEDS_BUSY)

/* The conditions of each action. Actions that are not listed are always enabled, or are enabled
 * and disabled by their part of the window. */
static const struct
{
  const char *name;
  guint needs;
} actions[] = {
  { "reload", NS_NEEDS_FILE },
  { "open-text", NS_NEEDS_FILE | NS_NEEDS_ERROR },
  { "select-all", NS_NEEDS_ROWS },
  { "copy-markdown", NS_NEEDS_ROWS },
  { "copy-json", NS_NEEDS_ROWS },
  { "only-value", NS_NEEDS_ROW },
  { "without-value", NS_NEEDS_ROW },
  { "also-value", NS_NEEDS_ROW },
  { "copy-value", NS_NEEDS_ROW },
  { "centre-row", NS_NEEDS_BAR },
  { "row-to-span", NS_NEEDS_BAR },
  { "zoom-row", NS_NEEDS_BAR },
  { "copy-stack", NS_NEEDS_STACK },
  { "next-bar", NS_NEEDS_LANES },
  { "previous-bar", NS_NEEDS_LANES },
  { "zoom-lane", NS_NEEDS_LANES },
  { "fold-lane", NS_NEEDS_LANES },
  { "pin-lane", NS_NEEDS_LANES },
  { "hide-lane", NS_NEEDS_LANES },
  { "only-lane", NS_NEEDS_LANES },
  { "without-lane", NS_NEEDS_LANES },
  { "zoom-selected-span", NS_NEEDS_SPAN },
  { "copy-filter", NS_NEEDS_FILTER },
  { "save-filter", NS_NEEDS_FILTER },
  { "undo-filter", NS_NEEDS_UNDO },
  { "marks-to-span", NS_NEEDS_MARKS },
  { "export-tree", NS_NEEDS_TREE },
  { "export-tree-to", NS_NEEDS_TREE },
  { "only-frame", NS_NEEDS_TREE },
  { "toggle-group", NS_NEEDS_GROUPS },
  { "group-remove", NS_NEEDS_GROUPS },
  { "group-move", NS_NEEDS_GROUPS },
  { "group-toggle", NS_NEEDS_GROUPS },
  { "group-edit", NS_NEEDS_GROUPS },
  { "choose-byte", NS_NEEDS_RECORD },
  { "choose-field", NS_NEEDS_RECORD },
  { "fold-field", NS_NEEDS_RECORD },
  { "whole-trace", NS_NEEDS_NARROWED },
  { "step-row", NS_NEEDS_ROWS },
  { "use-filter", NS_NEEDS_TRACE },
  { "playback", NS_NEEDS_TRACE },
  { "play", NS_NEEDS_PLAYING },
  { "play-step", NS_NEEDS_PLAYING },
  { "play-at", NS_NEEDS_PLAYING },
  { "play-speed", NS_NEEDS_PLAYING },
  { "copy-finding", NS_NEEDS_FINDING },
  { "hide-rule", NS_NEEDS_FINDING },
  { "show-rows", NS_NEEDS_TRACE },
  { "call-tree", NS_NEEDS_STACKS },
  { "find-next", NS_NEEDS_FIND },
  { "find-previous", NS_NEEDS_FIND },
  { "page-earlier", NS_NEEDS_EARLIER },
  { "page-later", NS_NEEDS_LATER },
  { "zoom-out", NS_NEEDS_PART },
  { "zoom-whole", NS_NEEDS_PART },
  { "open-in-wireshark", NS_NEEDS_CONVERSATION },
  { "files", NS_NEEDS_TRACE },
  { "add-files", NS_NEEDS_TRACE },
  { "remove-file", NS_NEEDS_TRACE },
  { "undo-remove", NS_NEEDS_TRACE },
  { "move-file", NS_NEEDS_TRACE },
  { "log-clock", NS_NEEDS_TRACE },
  { "read-log", NS_NEEDS_TRACE },
  { "find-text", NS_NEEDS_TRACE },
  { "set-filter", NS_NEEDS_TRACE },
  { "type-filter", NS_NEEDS_TRACE },
  { "take-offer", NS_NEEDS_TRACE },
  { "chip-toggle", NS_NEEDS_TRACE },
  { "chip-remove", NS_NEEDS_TRACE },
  { "chip-edit", NS_NEEDS_TRACE },
  { "chip-keep", NS_NEEDS_TRACE },
  { "chip-take", NS_NEEDS_TRACE },
  { "follow-connection", NS_NEEDS_SELECTION },
  { "follow-server", NS_NEEDS_SELECTION },
  { "follow-chain", NS_NEEDS_SELECTION },
  { "follow-process", NS_NEEDS_SELECTION },
  { "follow-process-tree", NS_NEEDS_SELECTION },
  { "back", NS_NEEDS_BACK },
  { "forward", NS_NEEDS_FORWARD },
  { "open-view", NS_NEEDS_TRACE },
  { "save-view", NS_NEEDS_TRACE },
  { "open-view-from", NS_NEEDS_TRACE },
  { "save-view-to", NS_NEEDS_TRACE },
  { "export-to", NS_NEEDS_TRACE },
  { "print", NS_NEEDS_TRACE },
  { "print-to", NS_NEEDS_TRACE },
  { "save-picture", NS_NEEDS_TRACE },
  { "save-picture-to", NS_NEEDS_TRACE },
  { "copy-sentence", NS_NEEDS_SELECTION },
  { "copy-command", NS_NEEDS_TRACE },
  { "copy-link", NS_NEEDS_TRACE },
  { "select-rows", NS_NEEDS_TRACE },
  { "sort", NS_NEEDS_TRACE },
  { "show-column", NS_NEEDS_TRACE },
  { "move-column", NS_NEEDS_TRACE },
  { "reset-columns", NS_NEEDS_TRACE },
  { "group-by", NS_NEEDS_TRACE },
  { "group-by-value", NS_NEEDS_TRACE },
  { "expand-groups", NS_NEEDS_GROUPS },
  { "fold-groups", NS_NEEDS_GROUPS },
  { "only-span", NS_NEEDS_SPAN },
  { "paste-go", NS_NEEDS_TRACE },
  { "go-to-text", NS_NEEDS_TRACE },
  { "clock", NS_NEEDS_TRACE },
  { "next-clock", NS_NEEDS_TRACE },
  { "symbols", NS_NEEDS_TRACE },
  { "nth-tab", NS_NEEDS_TRACE },
  { "toggle-tab", NS_NEEDS_TRACE },
  { "list-tabs", NS_NEEDS_TRACE },
  { "event-pane", NS_NEEDS_TRACE },
  { "timeline", NS_NEEDS_TRACE },
  { "filter-events", NS_NEEDS_TRACE },
  { "focus-filter", NS_NEEDS_TRACE },
  { "find", NS_NEEDS_TRACE },
  { "columns", NS_NEEDS_TRACE },
  { "info", NS_NEEDS_TRACE },
  { "panel", NS_NEEDS_TRACE },
  { "go-to", NS_NEEDS_TRACE },
  { "show-tab", NS_NEEDS_TRACE },
  { "next-tab", NS_NEEDS_TRACE },
  { "next-part", NS_NEEDS_TRACE },
  { "copy", NS_NEEDS_SELECTION },
  { "show-finding", NS_NEEDS_ANY_FINDING },
  { "reset-view", NS_NEEDS_TRACE },
  { "audit", NS_NEEDS_TRACE },
  { "compare", NS_NEEDS_TRACE },
  { "compare-with", NS_NEEDS_TRACE },
  { "pair", NS_NEEDS_TRACE },
  { "pair-with", NS_NEEDS_TRACE },
  { "show-operations", NS_NEEDS_TRACE },
  { "export", NS_NEEDS_WHOLE },
  { "cancel", NS_NEEDS_BUSY },
  { "pair-other-end", NS_NEEDS_MACHINE },
  { "pair-next-unpaired", NS_NEEDS_MACHINE },
  { "show-pairs", NS_NEEDS_MACHINE },
};

/* Returns whether the selected row may have a call stack. Rows of other tables than operations
 * are assumed to have one, because their stack is only looked up on demand. */
static gboolean
may_have_stack (NsSession *session)
{
  const NsTrace *trace = ns_session_get_trace (session);
  guint32 row = ns_session_get_activity (session);
  const NsActivityRow *activity;

  if (ns_session_get_selected (session)->len == 0)
    return FALSE;
  if (ns_session_get_selected_table (session) != NS_TABLE_ACTIVITIES)
    return TRUE;
  activity = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, row + 1);
  return activity != NULL && (activity->stack != 0 || activity->link != 0);
}

static gboolean
has_conditions (NsSession *session)
{
  NsFilterChips *chips = ns_session_get_chips (session, ns_session_get_front (session));

  return ns_filter_chips_get_n_chips (chips) > 0 || *ns_filter_chips_get_draft (chips) != '\0';
}

static gboolean
has_conversation (NsSession *session)
{
  const GArray *selected = ns_session_get_selected (session);

  return selected->len > 0 && ns_wireshark_has_packets (ns_session_get_trace (session),
                                                        ns_session_get_selected_table (session),
                                                        g_array_index (selected, guint32, 0));
}

static gboolean
has_rows (NsSession *session, NsTableId table)
{
  return ns_row_list_get_rows (ns_session_get_rows (session, table))->len > 0;
}

/* Returns the conditions that hold for the selection. */
static guint
find_of_selection (NsSession *session)
{
  guint32 row = ns_session_get_activity (session);
  NsTimeSpan span;
  guint met = 0;

  if (ns_session_get_selected (session)->len > 0)
    {
      met |= NS_NEEDS_SELECTION;
      if (ns_session_get_selected_table (session) == ns_session_get_front (session))
        met |= NS_NEEDS_ROW;
      if (ns_session_get_selected_table (session) == NS_TABLE_FINDINGS)
        met |= NS_NEEDS_ANY_FINDING;
    }
  if (ns_session_get_selected_finding (session) != G_MAXUINT32)
    met |= NS_NEEDS_FINDING;
  if (row != G_MAXUINT32 && ns_session_get_row_span (session, NS_TABLE_ACTIVITIES, row, &span))
    met |= NS_NEEDS_BAR;
  if (has_conversation (session))
    met |= NS_NEEDS_CONVERSATION;
  if (may_have_stack (session))
    met |= NS_NEEDS_STACK;
  span = ns_session_get_span (session);
  if (span.begin_ns < span.end_ns)
    met |= NS_NEEDS_SPAN;
  return met;
}

/* Returns the conditions that hold for the visible part of the trace. */
static guint
find_of_view (NsSession *session)
{
  NsTimeSpan visible = ns_session_get_visible (session);
  NsTimeSpan whole = ns_session_get_whole (session);
  guint met = 0;

  if (visible.begin_ns > whole.begin_ns)
    met |= NS_NEEDS_EARLIER;
  if (visible.end_ns < whole.end_ns)
    met |= NS_NEEDS_LATER;
  if (met != 0)
    met |= NS_NEEDS_PART | NS_NEEDS_NARROWED;
  if (has_conditions (session))
    met |= NS_NEEDS_NARROWED;
  return met;
}

/**
 * ns_action_needs_find:
 * @session: a session with a trace
 *
 * Returns: the conditions that @session fulfils; other parts of the window contribute the rest
 */
NsActionNeeds
ns_action_needs_find (NsSession *session)
{
  const NsTrace *trace;
  NsTableId front;
  guint met;

  g_return_val_if_fail (NS_IS_SESSION (session), 0);

  trace = ns_session_get_trace (session);
  front = ns_session_get_front (session);
  met = NS_NEEDS_TRACE | find_of_selection (session) | find_of_view (session);
  if (has_rows (session, front))
    met |= NS_NEEDS_ROWS;
  if (ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES) > 0)
    met |= NS_NEEDS_LANES;
  if (*ns_session_get_filter (session, front) != '\0')
    met |= NS_NEEDS_FILTER;
  if (ns_filter_chips_can_undo (ns_session_get_chips (session, front)))
    met |= NS_NEEDS_UNDO;
  if (trace->n_stacks_attached > 0)
    met |= NS_NEEDS_STACKS;
  if (ns_session_get_grouping (session, front)->fields->len > 0)
    met |= NS_NEEDS_GROUPS;
  return (NsActionNeeds) met;
}

/**
 * ns_action_needs_apply:
 * @map: the actions
 * @met: the conditions that hold
 *
 * Enables the actions of @map whose conditions all hold, and disables those with an unmet
 * condition. Actions without conditions do not change.
 */
void
ns_action_needs_apply (GActionMap *map, NsActionNeeds met)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      GAction *action = g_action_map_lookup_action (map, actions[i].name);
      guint needs = actions[i].needs;

      if (action == NULL)
        continue;
      if ((needs & WITHOUT_TRACE) == 0)
        needs |= NS_NEEDS_TRACE;
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), (met & needs) == needs);
    }
}
