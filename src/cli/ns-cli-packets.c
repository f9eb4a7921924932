/* The verb `packets`: lists captured packets; --appearances lists the points of the network stack
 * that recorded each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-rows.h"
#include "cli/ns-cli.h"
#include "engine/net/packets/ns-packet-appearances.h"
#include "engine/net/packets/ns-packet-components.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>

static const char *const columns[] = { "packet",         "time_ns",  "after_ns",    "interface",
                                       "interface_name", "edge",     "direction",   "link_type",
                                       "length",         "captured", "dropped",     "drop_reason",
                                       "changed",        "shown",    "description", NULL };

static void
add_text (NsCliRows *rows, const char *text)
{
  if (text == NULL)
    ns_cli_rows_add_null (rows);
  else
    ns_cli_rows_add_text (rows, text);
}

/* Adds the name of the edge, or else its number. */
static void
add_edge (NsCliRows *rows, const NsTrace *trace, const NsPacketAppearance *one)
{
  const char *name = ns_trace_text (trace,
                                    ns_packet_components_get_edge_name (trace->packet_components,
                                                                        one->interface,
                                                                        one->edge));
  char number[12];

  g_snprintf (number, sizeof number, "%u", one->edge);
  add_text (rows, name != NULL && *name != '\0' ? name : one->edge != 0 ? number : NULL);
}

static gboolean
print_one (NsCliRows *rows,
           const NsTrace *trace,
           const NsPacketAppearances *all,
           const NsPacketAppearance *one,
           gint64 first_ns,
           GError **error)
{
  const NsPacketComponent *component =
      one->is_pktmon ? ns_packet_components_find (trace->packet_components, one->interface) : NULL;

  ns_cli_rows_add_number (rows, one->packet);
  ns_cli_rows_add_number (rows, (guint64) MAX (one->time_ns, 0));
  ns_cli_rows_add_number (rows, (guint64) MAX (one->time_ns - first_ns, 0));
  ns_cli_rows_add_number (rows, one->interface);
  add_text (rows, ns_packet_appearances_get_name (trace, all, one));
  add_edge (rows, trace, one);
  add_text (rows, one->direction > 0 ? "in" : one->direction < 0 ? "out" : NULL);
  ns_cli_rows_add_number (rows, one->link_type);
  ns_cli_rows_add_number (rows, one->length);
  ns_cli_rows_add_number (rows, one->captured);
  ns_cli_rows_add_boolean (rows, one->is_drop);
  add_text (rows, one->is_drop ? ns_strings_get (all->strings, one->reason) : NULL);
  ns_cli_rows_add_boolean (rows, one->is_changed);
  ns_cli_rows_add_boolean (rows, one->is_row);
  add_text (rows,
            component != NULL && component->description != NS_STRING_NONE
                ? ns_trace_text (trace, component->description)
                : NULL);
  return ns_cli_rows_end_row (rows, error);
}

/* Returns the index of the first appearance of @packet; the list is sorted by packet. */
static guint
find_first (const NsPacketAppearances *all, NsRow packet)
{
  guint low = 0;
  guint high = all->list->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (all->list, NsPacketAppearance, middle).packet < packet)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
print_appearances (NsCli *cli,
                   const NsTrace *trace,
                   const NsPacketAppearances *all,
                   const GArray *chosen,
                   NsExportFormat format,
                   GError **error)
{
  g_autoptr (NsCliRows) rows = ns_cli_rows_new (cli->view, format, columns, ns_cli_write, cli);
  guint i;
  guint k;

  for (i = 0; i < chosen->len; i++)
    {
      NsRow packet = g_array_index (chosen, guint32, i) + 1;
      guint first = find_first (all, packet);

      for (k = first; k < all->list->len; k++)
        {
          const NsPacketAppearance *one = &g_array_index (all->list, NsPacketAppearance, k);

          if (one->packet != packet)
            break;
          if (!print_one (rows,
                          trace,
                          all,
                          one,
                          g_array_index (all->list, NsPacketAppearance, first).time_ns,
                          error))
            return FALSE;
        }
    }
  if (all->is_cut && !cli->options.is_quiet)
    ns_cli_print_message (_ ("The trace has more appearances of packets than are listed."));
  return ns_cli_rows_finish (rows, FALSE, error);
}

/**
 * ns_cli_packets:
 * @cli: the parsed command line
 * @error: return location
 *
 * Lists packets, or every record of the chosen packets.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_packets (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_PACKETS);
  g_autoptr (NsPacketAppearances) all = NULL;
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;
  NsExportFormat format;

  if (!options->want_appearances || options->want_redacted)
    return ns_cli_print_table (cli, NS_TABLE_PACKETS, options->format, error);
  if (options->columns != NULL || options->group_by != NULL)
    return ns_trace_refuse_query (error, "%s", _ ("appearances do not support columns and groups"));
  if (!ns_cli_rows_get_format (cli, &format, error) || !ns_cli_list_check (&list, error))
    return FALSE;
  trace = ns_cli_open_trace (cli, NS_TABLE_PACKETS, error);
  if (trace == NULL)
    return FALSE;
  rows = ns_cli_list_choose (&list, trace, error);
  if (ns_trace_get_n_rows (trace, NS_TABLE_PACKETS) == 0 && !options->is_quiet)
    {
      g_autofree char *why = ns_table_describe_empty (trace, NS_TABLE_PACKETS, NULL);

      ns_cli_print_message (why);
    }
  if (rows != NULL)
    all = ns_packet_appearances_read (trace,
                                      rows->len == 1 ? g_array_index (rows, guint32, 0) + 1 : 0,
                                      ns_cli_progress,
                                      cli,
                                      error);
  return all != NULL && print_appearances (cli, trace, all, rows, format, error);
}
