/* The fields of browser records. Their rows are rows of the table of events, with the same fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

/* @extra of all fields: the table. */
#define OWN ((guint) NS_TABLE_CHROMIUM_EVENTS << (2 * NS_FIELD_OFFSET_BITS))

/* Reads the field of the same index of the event. */
static void
get_of_event (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsField *real = &ns_fields_events.fields[field - ns_fields_chromium_events.fields];
  guint32 event;

  if (ns_trace_find_event (trace, NS_TABLE_CHROMIUM_EVENTS, row, &event))
    real->get (trace, event, real, value);
  else
    value->is_null = TRUE;
}

#define EVENT_FIELD(id, title, tooltip, type, width, place, get, extra)                            \
  NS_FIELD (id, title, tooltip, type, width, place, get_of_event, OWN),
#define EVENT_COLUMN(id, title, tooltip, type, width, place, get, extra)                           \
  NS_COLUMN (id, title, tooltip, type, width, place, get_of_event, OWN),

static const NsField fields[] = {
#include "query/ns-fields-events-list.h"
  NS_MACHINE_COLUMN (OWN),
};

const NsFieldTable ns_fields_chromium_events = {
  .name = "chromium-events",
  .title = N_ ("Chromium Events"),
  .needs = { NS_PROVIDER_CHROME,
             NS_PROVIDER_EDGE,
             NS_PROVIDER_EDGE_BETA,
             NS_PROVIDER_EDGE_DEV,
             NS_PROVIDER_EDGE_CANARY,
             NS_PROVIDER_EDGE_INTERNAL,
             NS_PROVIDER_EDGE_WEBVIEW2 },
  .needs_else = "Chrome, Edge or WebView2",
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
};
