/* Part of the verb `info`: captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-survey.h"
#include "engine/net/packets/ns-packet-survey.h"

G_BEGIN_DECLS

gboolean ns_cli_info_has_packets (const NsSurvey *survey);
void ns_cli_info_append_packets_json (GString *json, const NsPacketSurvey *self, const char *line);
void ns_cli_info_append_packets_people (GString *text, const NsPacketSurvey *self);

G_END_DECLS
