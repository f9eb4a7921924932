/* Named time ranges of a session, which filters can refer to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"
#include "model/ns-session-ranges.h"

#include <string.h>

/**
 * ns_session_set_ranges:
 * @self: a session
 * @ranges: (array length=n_ranges): named time spans
 * @n_ranges: number of ranges
 *
 * Defines the ranges for filters such as `range:"A"`; runs the filters with a range again.
 */
void
ns_session_set_ranges (NsSession *self, const NsNamedRange *ranges, guint n_ranges)
{
  guint table;

  g_return_if_fail (NS_IS_SESSION (self));

  ns_named_ranges_set (self->trace->ranges, ranges, n_ranges);
  for (table = 0; table < NS_N_TABLES; table++)
    if (strstr (self->views[table].filter, "range") != NULL)
      ns_session_query (self, (NsTableId) table);
}
