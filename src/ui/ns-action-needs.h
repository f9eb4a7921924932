/* The conditions under which each action of the window is enabled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * NsActionNeeds:
 * @NS_NEEDS_TRACE: the window shows a trace
 * @NS_NEEDS_FILE: a file was opened, successfully or not
 * @NS_NEEDS_ERROR: the error page is shown: the file could not be read
 * @NS_NEEDS_ROWS: the table in front shows rows
 * @NS_NEEDS_ROW: a row of the table in front is selected
 * @NS_NEEDS_BAR: the selected row has a bar in the timeline
 * @NS_NEEDS_STACK: the selected row may have a call stack
 * @NS_NEEDS_LANES: the trace has operations
 * @NS_NEEDS_SPAN: a time span is selected
 * @NS_NEEDS_FILTER: the table in front is filtered
 * @NS_NEEDS_UNDO: a filter change of the table in front can be undone
 * @NS_NEEDS_MARKS: two bookmarks are set
 * @NS_NEEDS_TREE: the call tree is shown
 * @NS_NEEDS_GROUPS: the table in front is grouped
 * @NS_NEEDS_PLAYING: a playback is active, or its bar is visible
 * @NS_NEEDS_FINDING: a finding is selected in the table in front
 * @NS_NEEDS_STACKS: the trace has call stacks
 * @NS_NEEDS_FIND: the find bar has a search text
 * @NS_NEEDS_EARLIER: the view begins after the trace does
 * @NS_NEEDS_LATER: the view ends before the trace does
 * @NS_NEEDS_PART: the view is not the whole trace
 * @NS_NEEDS_CONVERSATION: packets of the selected row were captured
 * @NS_NEEDS_RECORD: the fields of a record are shown
 * @NS_NEEDS_NARROWED: the view is zoomed, or has filter conditions, enabled or disabled
 * @NS_NEEDS_SELECTION: a row of any table is selected
 * @NS_NEEDS_BACK: the history has an earlier view
 * @NS_NEEDS_FORWARD: the history has a later view
 * @NS_NEEDS_WHOLE: the trace was read completely
 * @NS_NEEDS_BUSY: a file is being opened
 * @NS_NEEDS_MACHINE: the trace is paired with that of another machine
 * @NS_NEEDS_ANY_FINDING: a finding is selected, whichever table is in front
 *
 * Conditions that an action depends on.
 */
typedef enum
{
  NS_NEEDS_TRACE = 1 << 0,
  NS_NEEDS_FILE = 1 << 1,
  NS_NEEDS_ERROR = 1 << 2,
  NS_NEEDS_ROWS = 1 << 3,
  NS_NEEDS_ROW = 1 << 4,
  NS_NEEDS_BAR = 1 << 5,
  NS_NEEDS_STACK = 1 << 6,
  NS_NEEDS_LANES = 1 << 7,
  NS_NEEDS_SPAN = 1 << 8,
  NS_NEEDS_FILTER = 1 << 9,
  NS_NEEDS_UNDO = 1 << 10,
  NS_NEEDS_MARKS = 1 << 11,
  NS_NEEDS_TREE = 1 << 12,
  NS_NEEDS_GROUPS = 1 << 13,
  NS_NEEDS_PLAYING = 1 << 14,
  NS_NEEDS_FINDING = 1 << 15,
  NS_NEEDS_STACKS = 1 << 16,
  NS_NEEDS_FIND = 1 << 17,
  NS_NEEDS_EARLIER = 1 << 18,
  NS_NEEDS_LATER = 1 << 19,
  NS_NEEDS_PART = 1 << 20,
  NS_NEEDS_CONVERSATION = 1 << 21,
  NS_NEEDS_RECORD = 1 << 22,
  NS_NEEDS_NARROWED = 1 << 23,
  NS_NEEDS_SELECTION = 1 << 24,
  NS_NEEDS_BACK = 1 << 25,
  NS_NEEDS_FORWARD = 1 << 26,
  NS_NEEDS_WHOLE = 1 << 27,
  NS_NEEDS_BUSY = 1 << 28,
  NS_NEEDS_MACHINE = 1 << 29,
  NS_NEEDS_ANY_FINDING = 1 << 30,
} NsActionNeeds;

NsActionNeeds ns_action_needs_find (NsSession *session);
void ns_action_needs_apply (GActionMap *map, NsActionNeeds met);

G_END_DECLS
