/* When a trace tells that events were lost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-losses.h"

/* The provider of the records RT_LostEvent, RT_LostBuffer and RT_LostFile, by which a session
 * tells of its losses (Microsoft, "RT_LostEvent class"). */
static const NsGuid lost_event =
    NS_GUID_INIT (0x6a399ae0, 0x4bc6, 0x4de9, 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e);

static guint
find_provider (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (row->n_events > 0 && ns_guid_equal (&row->guid, &lost_event))
        return i;
    }
  return G_MAXUINT;
}

/**
 * ns_losses_find:
 * @trace: a trace that was opened with its events
 *
 * Returns: (transfer full) (element-type gint64): the moments of the records that tell of lost
 *   events, ns, earliest first: what is lost was lost before them
 */
GArray *
ns_losses_find (const NsTrace *trace)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint provider = find_provider (trace);
  guint i;

  if (provider == G_MAXUINT)
    return moments;
  for (i = 0; i < trace->events->len && moments->len < NS_LOSSES_MAX; i++)
    {
      const NsEventRow *event = &g_array_index (trace->events, NsEventRow, i);

      if (event->provider == provider)
        g_array_append_val (moments, event->time_ns);
    }
  return moments;
}
