/* The fields of browser records. Their rows are rows of the table of events, with the same fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_FIELDS 128u

/* Copies of the fields of the table of events, with other getters; filled once. */
static NsField own_fields[MAX_FIELDS];
static guint n_own_fields;

static void
get_of_event (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsField *real = &ns_fields_events.fields[field - own_fields];
  guint32 event;

  if (ns_trace_find_event (trace, NS_TABLE_CHROMIUM_EVENTS, row, &event))
    real->get (trace, event, real, value);
  else
    value->is_null = TRUE;
}

/**
 * ns_fields_make_chromium_events: (skip)
 * @n_fields: (out): number of fields
 *
 * Returns: the fields of browser records
 */
const NsField *
ns_fields_make_chromium_events (guint *n_fields)
{
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      g_assert (ns_fields_events.n_fields <= MAX_FIELDS);
      memcpy (own_fields, ns_fields_events.fields, ns_fields_events.n_fields * sizeof *own_fields);
      for (guint i = 0; i < ns_fields_events.n_fields; i++)
        {
          own_fields[i].get = get_of_event;
          own_fields[i].extra = (guint) NS_TABLE_CHROMIUM_EVENTS << (2 * NS_FIELD_OFFSET_BITS);
        }
      n_own_fields = ns_fields_events.n_fields;
      g_once_init_leave (&is_made, 1);
    }
  *n_fields = n_own_fields;
  return own_fields;
}

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
  .list_fields = ns_fields_make_chromium_events,
};
