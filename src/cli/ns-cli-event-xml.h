/* Writes one record in the Windows event schema.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-event.h"

G_BEGIN_DECLS

#define NS_CLI_EVENT_XML_NAMESPACE "http://schemas.microsoft.com/win/2004/08/events/event"

void ns_cli_event_append_xml (const NsCliEvent *self, GString *text);
void ns_cli_xml_append_text (GString *text, const char *value);

G_END_DECLS
