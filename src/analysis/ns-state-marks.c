/* Collects state changes recorded by events, for the lanes of a timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-state-marks.h"

#include "analysis/ns-state-tcp.h"
#include "engine/open/ns-event-read.h"
#include "engine/trace/ns-event-index.h"
#include "query/ns-event-mark.h"

#include <string.h>

#define EVENTS_BETWEEN_NEWS 4096

/* Lanes from the top: connectivity of the machine, then connections. */
static const char *const lane_ids[] = { "ncsi",  "network-profile", "wlan",     "dhcp",
                                        "media", "interface",       "neighbor", "tcp-state" };

static void
mark_clear (gpointer data)
{
  g_free (((NsStateMark *) data)->text);
}

static void
lane_clear (gpointer data)
{
  NsStateLane *lane = data;

  g_array_unref (lane->marks);
  g_free (lane->name);
  g_free (lane->detail);
}

static void
marks_clear (gpointer data)
{
  g_array_unref (((NsStateMarks *) data)->lanes);
}

/* Marks the providers whose events may be state changes. */
static guint8 *
find_providers (const NsTrace *trace)
{
  guint8 *has_states = g_new0 (guint8, MAX (trace->providers->len, 1));
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    has_states[i] =
        ns_event_mark_can_have (&g_array_index (trace->providers, NsProviderRow, i).guid) ? 1 : 0;
  return has_states;
}

static char *
dup_text (const NsEvent *event)
{
  g_autofree char *subject = ns_event_mark_dup_subject (event);
  g_autofree char *text = ns_event_mark_dup_text (event);

  if (subject == NULL || text == NULL)
    return g_strdup (text != NULL ? text : "");
  return g_strdup_printf ("%s: %s", subject, text);
}

static void
add_event (NsStateMarks *self, NsStateTcp *connections, const NsTrace *trace, guint32 row)
{
  NsEvent event;
  const char *id;
  guint i;

  if (!ns_event_read (trace, row, &event))
    return;
  id = ns_event_mark_get_lane (&event);
  ns_state_tcp_add (connections, &event, row);
  for (i = 0; id != NULL && i < self->lanes->len; i++)
    {
      NsStateLane *lane = &g_array_index (self->lanes, NsStateLane, i);

      if (strcmp (lane->id, id) == 0 && lane->n_all++ < NS_STATE_MARKS_MAX)
        {
          NsStateMark mark = { .event = row, .text = dup_text (&event) };

          mark.time_ns = ns_trace_get_event_time (trace, row);
          g_array_append_val (lane->marks, mark);
        }
    }
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const NsStateMark *one = a;
  const NsStateMark *two = b;

  if (one->time_ns != two->time_ns)
    return one->time_ns < two->time_ns ? -1 : 1;
  return one->event < two->event ? -1 : one->event > two->event;
}

/* Sorts each lane, and removes empty ones. */
static void
settle (NsStateMarks *self, NsStateTcp *connections)
{
  guint n_kinds;
  guint i;

  for (i = self->lanes->len; i-- > 0;)
    {
      NsStateLane *lane = &g_array_index (self->lanes, NsStateLane, i);

      if (lane->marks->len == 0)
        g_array_remove_index (self->lanes, i);
      else
        g_array_sort (lane->marks, compare_marks);
    }
  /* The lane of connections is the last one, and exists if any of them changed. */
  n_kinds = self->lanes->len;
  self->n_left_out = ns_state_tcp_finish (connections, self->lanes, n_kinds > 0 ? n_kinds - 1 : 0);
  for (i = n_kinds; i < self->lanes->len; i++)
    g_array_sort (g_array_index (self->lanes, NsStateLane, i).marks, compare_marks);
}

/**
 * ns_state_marks_may_be:
 * @trace: a trace
 *
 * Returns: whether a provider with state change events wrote any; otherwise there are no marks
 */
gboolean
ns_state_marks_may_be (const NsTrace *trace)
{
  g_autofree guint8 *has_states = find_providers (trace);

  return memchr (has_states, 1, trace->providers->len) != NULL;
}

/**
 * ns_state_marks_find:
 * @trace: a trace that was opened with its events
 * @progress: (scope call) (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Reads the events of the providers with state changes.
 *
 * Returns: (transfer full) (nullable): the marks; %NULL if stopped
 */
NsStateMarks *
ns_state_marks_find (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data)
{
  NsStateMarks *self = g_atomic_rc_box_new0 (NsStateMarks);
  g_autofree guint8 *has_states = find_providers (trace);
  g_autoptr (NsStateTcp) connections = ns_state_tcp_new (trace);
  guint n_events = trace->events != NULL ? trace->events->len : 0;
  guint i;

  self->lanes = g_array_new (FALSE, TRUE, sizeof (NsStateLane));
  g_array_set_clear_func (self->lanes, lane_clear);
  for (i = 0; i < G_N_ELEMENTS (lane_ids); i++)
    {
      NsStateLane lane = { .id = lane_ids[i] };

      lane.marks = g_array_new (FALSE, FALSE, sizeof (NsStateMark));
      g_array_set_clear_func (lane.marks, mark_clear);
      g_array_append_val (self->lanes, lane);
    }
  for (i = 0; i < n_events; i++)
    {
      const NsEventRow *row = ns_trace_get_event (trace, i);

      if (i % EVENTS_BETWEEN_NEWS == 0 && progress != NULL &&
          !progress ((double) i / n_events, progress_data))
        {
          ns_state_marks_unref (self);
          return NULL;
        }
      if (row->provider < trace->providers->len && has_states[row->provider])
        add_event (self, connections, trace, i);
    }
  settle (self, connections);
  return self;
}

/**
 * ns_state_marks_ref:
 * @self: marks
 *
 * Returns: (transfer full): @self
 */
NsStateMarks *
ns_state_marks_ref (NsStateMarks *self)
{
  return g_atomic_rc_box_acquire (self);
}

/**
 * ns_state_marks_unref:
 * @self: (transfer full) (nullable): marks
 */
void
ns_state_marks_unref (NsStateMarks *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, marks_clear);
}
