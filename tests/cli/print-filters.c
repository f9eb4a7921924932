/* Prints the Wireshark display filter of each conversation of a trace: print-filters FILE.
 *
 * A line is the number of the conversation, a tab and the filter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-trace.h"
#include "query/ns-row-packets.h"

#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char *argv[])
{
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  guint32 i;

  if (argc != 2)
    g_error ("usage: print-filters FILE");
  trace = ns_trace_open (argv[1], NULL, NULL, NULL, &error);
  if (trace == NULL)
    g_error ("%s: %s", argv[1], error->message);
  for (i = 0; i < trace->flows->len; i++)
    {
      g_autofree char *filter = ns_row_packets_to_display_filter (trace, NS_TABLE_FLOWS, i);

      printf ("%u\t%s\n", i + 1, filter != NULL ? filter : "");
    }
  return EXIT_SUCCESS;
}
