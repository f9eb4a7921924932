/* Part of the verb `info`: captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "cli/ns-cli-info-packets.h"
#include "etl/ns-provider-guids.h"
#include "export/ns-export-cell.h"
#include "wire/ns-wire-frame.h"

#include <glib/gi18n-lib.h>

/**
 * ns_cli_info_has_packets: (skip)
 * @survey: the survey of a trace
 *
 * Returns: whether the trace has events of a packet-capturing provider
 */
gboolean
ns_cli_info_has_packets (const NsSurvey *survey)
{
  static const NsGuid wanted[] = { NS_GUID_PKTMON,
                                   NS_GUID_NDIS_PACKET_CAPTURE,
                                   NS_GUID_NDIS_WAN_CAPTURE };
  guint i;
  guint k;

  for (i = 0; i < survey->providers->len; i++)
    for (k = 0; k < G_N_ELEMENTS (wanted); k++)
      {
        const NsSurveyProvider *row = &g_array_index (survey->providers, NsSurveyProvider, i);

        if (row->n_records > 0 && ns_guid_equal (&row->guid, &wanted[k]))
          return TRUE;
      }
  return FALSE;
}

static void
append_text (GString *json, const NsPacketSurvey *self, NsString text)
{
  if (text == NS_STRING_NONE)
    g_string_append (json, "null");
  else
    ns_json_append_string (json, ns_strings_get (self->strings, text));
}

static void
append_component (GString *json, const NsPacketSurvey *self, const NsPacketComponent *component)
{
  const guint8 *mac = ns_packet_components_find_mac (self->components, component->id);
  g_autoptr (GArray) ips = ns_packet_components_list_addresses (self->components, component->id);
  char text[NS_IP_TEXT_SIZE];
  guint i;

  g_string_append_printf (json, "{\"id\": %u, \"name\": ", component->id);
  append_text (json, self, component->name);
  g_string_append (json, ", \"description\": ");
  append_text (json, self, component->description);
  g_string_append (json, ", \"mac\": ");
  if (mac != NULL)
    {
      g_string_append_c (json, '"');
      ns_wire_append_mac (mac, json);
      g_string_append_c (json, '"');
    }
  else
    g_string_append (json, "null");
  g_string_append (json, ", \"addresses\": [");
  for (i = 0; i < ips->len; i++)
    g_string_append_printf (json,
                            "%s\"%s\"",
                            i > 0 ? ", " : "",
                            ns_ip_to_text (&g_array_index (ips, NsIp, i), text));
  g_string_append (json, "]}");
}

/**
 * ns_cli_info_append_packets_json: (skip)
 * @json: to append to
 * @self: (nullable): the survey of packets; %NULL: there are none
 * @line: text that precedes each component
 *
 * Appends the value of the member `packets`.
 */
void
ns_cli_info_append_packets_json (GString *json, const NsPacketSurvey *self, const char *line)
{
  guint i;

  if (self == NULL)
    {
      g_string_append (json, "null");
      return;
    }
  g_string_append_printf (json,
                          "{\"records\": %" G_GUINT64_FORMAT ", \"packets\": %" G_GUINT64_FORMAT
                          ", \"appearances\": %" G_GUINT64_FORMAT
                          ", \"truncated\": %" G_GUINT64_FORMAT ", \"dropped\": %" G_GUINT64_FORMAT
                          ", \"lost\": %" G_GUINT64_FORMAT ", \"snap_length\": ",
                          self->n_records,
                          self->n_packets,
                          self->n_appearances,
                          self->n_truncated,
                          self->n_dropped,
                          self->n_lost);
  if (self->snap_length > 0)
    g_string_append_printf (json, "%u", self->snap_length);
  else
    g_string_append (json, "null");
  g_string_append (json, ", \"components\": [");
  for (i = 0; i < ns_packet_components_get_size (self->components); i++)
    {
      g_string_append_printf (json, "%s%s", i > 0 ? "," : "", line);
      append_component (json, self, ns_packet_components_get (self->components, i));
    }
  g_string_append (json, "]}");
}

/**
 * ns_cli_info_append_packets_people: (skip)
 * @text: to append to
 * @self: the survey of packets
 *
 * Appends one line per count.
 */
void
ns_cli_info_append_packets_people (GString *text, const NsPacketSurvey *self)
{
  const struct
  {
    const char *title;
    guint64 n;
  } lines[] = {
    { _ ("Records of packets"), self->n_records },
    { _ ("Packets"), self->n_packets },
    { _ ("Appearances of packets"), self->n_appearances },
    { _ ("Truncated packets"), self->n_truncated },
    { _ ("Bytes of a truncated packet"), self->snap_length },
    { _ ("Packets dropped"), self->n_dropped },
    { _ ("Packets lost by the capture"), self->n_lost },
    { _ ("Components of the stack"), ns_packet_components_get_size (self->components) },
  };
  guint i;

  g_string_append_c (text, '\n');
  for (i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      ns_export_cell_append_aligned (text, lines[i].title, 32, FALSE, FALSE);
      g_string_append_printf (text, "  %" G_GUINT64_FORMAT "\n", lines[i].n);
    }
}
