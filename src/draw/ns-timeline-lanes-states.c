/* Lanes of state changes, one for each kind of state, and one for each TCP connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "draw/ns-timeline-lanes.h"

/* Seed of the keys of state lanes. */
#define STATES_KEY 1

/* Returns the number of connection lanes below a state lane. */
static guint
count_connections (const NsStateMarks *states, guint parent)
{
  guint n = 0;
  guint i;

  for (i = 0; i < states->lanes->len; i++)
    if (g_array_index (states->lanes, NsStateLane, i).name != NULL &&
        g_array_index (states->lanes, NsStateLane, i).parent == parent)
      n++;
  return n;
}

/* Sets the text after the name: the owner of the states, and a note if not all are shown. */
static void
set_detail (NsTimelineLanes *self,
            const NsTimelineTexts *words,
            const NsStateMarks *states,
            NsLane *lane)
{
  const NsStateLane *state = &g_array_index (states->lanes, NsStateLane, lane->state);
  gboolean has_more_changes = state->n_all > state->marks->len;
  gboolean has_more_connections = lane->n_children > 0 && states->n_left_out > 0;
  g_autofree char *first = NULL;
  g_autofree char *text = NULL;

  lane->is_cut = has_more_changes || has_more_connections;
  if (words->first != NULL && has_more_changes)
    first = words->first (FALSE, state->marks->len, state->n_all);
  else if (words->first != NULL && has_more_connections)
    first = words->first (TRUE, lane->n_children, lane->n_children + states->n_left_out);
  if (state->detail != NULL && first != NULL)
    text = g_strconcat (state->detail, " ", first, NULL);
  else
    text = g_strdup (first != NULL ? first : state->detail);
  if (text != NULL)
    lane->detail = g_string_chunk_insert (self->texts, text);
}

/* Adds the lane of one kind of state, or of one connection. */
static void
emit_state (NsTimelineLanes *self,
            const NsTimelineTexts *words,
            const NsStateMarks *states,
            guint32 above,
            guint i)
{
  const NsStateLane *state = &g_array_index (states->lanes, NsStateLane, i);
  NsLane lane = { .kind = NS_LANE_STATE, .level = 1, .parent = above, .reused = -1, .state = i };

  if (state->name != NULL)
    {
      lane.level = 2;
      /* The lanes of kinds directly follow their common parent, in order. */
      lane.parent = above + 1 + state->parent;
      lane.key = ns_map_mix (STATES_KEY, state->connection);
      lane.name = g_string_chunk_insert (self->texts, state->name);
    }
  else
    {
      lane.key = STATES_KEY + 1 + i;
      lane.name = g_string_chunk_insert (self->texts, words->state_name (state->id));
      lane.n_children = count_connections (states, i);
      lane.is_folded = lane.n_children > NS_LANE_MAX_OPEN_CHILDREN;
    }
  set_detail (self, words, states, &lane);
  g_array_append_val (self->lanes, lane);
}

/**
 * ns_timeline_lanes_add_states:
 * @self: lanes being built
 * @words: texts for lanes
 * @states: state changes
 *
 * Adds the state lanes, which have marks instead of rows.
 */
void
ns_timeline_lanes_add_states (NsTimelineLanes *self,
                              const NsTimelineTexts *words,
                              NsStateMarks *states)
{
  NsLane above = { .kind = NS_LANE_STATE,
                   .parent = NS_LANE_NONE,
                   .key = STATES_KEY,
                   .reused = -1,
                   .state = G_MAXUINT };
  guint32 parent = self->lanes->len;
  guint i;

  self->states = ns_state_marks_ref (states);
  above.name = g_string_chunk_insert (self->texts, words->states);
  for (i = 0; i < states->lanes->len; i++)
    if (g_array_index (states->lanes, NsStateLane, i).name == NULL)
      above.n_children++;
  g_array_append_val (self->lanes, above);
  for (i = 0; i < states->lanes->len; i++)
    {
      emit_state (self, words, states, parent, i);
      if (g_array_index (self->lanes, NsLane, self->lanes->len - 1).is_cut)
        g_array_index (self->lanes, NsLane, parent).is_cut = TRUE;
    }
}
