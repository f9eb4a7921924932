/* Requests of Chrome, Edge and WebView2: decodes netlog events and passes each to the handler of
 * its name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/trace/ns-event-index.h"

#include "schema/ns-payload.h"

#include <string.h>

#define KEYWORD_NETLOG G_GUINT64_CONSTANT (0x80)

static void
chromium_start (NsBuilder *builder)
{
  NsChromium *self = builder->chromium = g_new0 (NsChromium, 1);
  guint i;

  self->reqs = g_array_new (FALSE, TRUE, sizeof (NsChromiumReq));
  self->socks = g_array_new (FALSE, TRUE, sizeof (NsChromiumSock));
  self->sessions = g_array_new (FALSE, TRUE, sizeof (NsChromiumSession));
  self->streams = g_array_new (FALSE, TRUE, sizeof (NsChromiumStream));
  self->resolvers = g_array_new (FALSE, TRUE, sizeof (NsChromiumResolver));
  self->recents = g_array_new (FALSE, TRUE, sizeof (NsChromiumRecent));
  for (i = 0; i < NS_CHROMIUM_N_OBJECTS; i++)
    {
      self->by_id[i] = ns_map_new ();
      self->by_dep[i] = ns_map_new ();
    }
  self->recent_of = ns_map_new ();
  self->stream_of = ns_map_new ();
  self->dns_deps = ns_map_new ();
  self->groups = ns_map_new ();
  self->hints = ns_url_hints_new ();
  self->phase = g_string_new (NULL);
  self->params = g_string_new (NULL);
}

static void
chromium_stop (NsBuilder *builder)
{
  NsChromium *self = builder->chromium;
  GArray *arrays[] = { self->reqs,    self->socks,     self->sessions,
                       self->streams, self->resolvers, self->recents };
  NsMap *maps[] = { self->recent_of, self->stream_of, self->dns_deps, self->groups };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  for (i = 0; i < G_N_ELEMENTS (maps); i++)
    ns_map_free (maps[i]);
  for (i = 0; i < NS_CHROMIUM_N_OBJECTS; i++)
    {
      ns_map_free (self->by_id[i]);
      ns_map_free (self->by_dep[i]);
    }
  ns_url_hints_free (self->hints);
  g_string_free (self->phase, TRUE);
  g_string_free (self->params, TRUE);
  g_clear_pointer (&builder->chromium, g_free);
}

static const struct
{
  NsGuid guid;
  const char *name;
} channels[] = {
  { NS_GUID_CHROME, "Chrome" },           { NS_GUID_EDGE, "Edge" },
  { NS_GUID_EDGE_BETA, "Edge Beta" },     { NS_GUID_EDGE_DEV, "Edge Dev" },
  { NS_GUID_EDGE_CANARY, "Edge Canary" }, { NS_GUID_EDGE_INTERNAL, "Edge Internal" },
  { NS_GUID_EDGE_WEBVIEW2, "WebView2" },
};

static const char *
channel_of (const NsRecord *record)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (channels); i++)
    if (ns_guid_equal (&channels[i].guid, &record->guid))
      return channels[i].name;
  return channels[0].name;
}

static NsChromiumHandler
handler_of_name (const char *name)
{
  NsChromiumHandler handler = ns_chromium_find_request_handler (name);

  if (handler == NULL)
    handler = ns_chromium_find_session_handler (name);
  return handler != NULL ? handler : ns_chromium_find_socket_handler (name);
}

static void
take_text (const NsSchema *schema, const NsRecord *record, const char *name, GString *text)
{
  NsPayloadItem item;

  g_string_truncate (text, 0);
  if (ns_payload_find (schema, record, name, &item) && item.data != NULL)
    g_string_append_len (text,
                         (const char *) item.data,
                         (gssize) strnlen ((const char *) item.data, item.size));
}

static void
take_apart (NsChromiumEvent *event, const NsSchema *schema)
{
  NsChromium *state = event->state;
  NsPayloadItem item;
  guint32 recent;

  take_text (schema, event->record, "Phase", state->phase);
  event->is_begin = g_str_has_suffix (state->phase->str, "Begin");
  event->is_end = g_str_has_suffix (state->phase->str, "End");
  event->id = 0;
  if (ns_payload_find (schema, event->record, "Id", &item))
    ns_value_get_uint (&item, &event->id);

  take_text (schema, event->record, "params", state->params);
  if (!ns_json_doc_parse (&state->json, state->params->str, state->params->len))
    state->json.n_tokens = 0;
  event->dep_object = ns_json_doc_get (&state->json, 0, "source_dependency");
  if (!ns_json_doc_get_int (&state->json,
                            ns_json_doc_get (&state->json, event->dep_object, "id"),
                            &event->dep))
    event->dep = -1;

  /* The phase has been read, so its buffer is reused for the source type. */
  take_text (schema, event->record, "source_type", state->phase);
  event->source = state->phase->str;

  recent = ns_map_get (state->recent_of, event->thread, 0);
  if (recent == 0)
    {
      NsChromiumRecent empty = { 0 };

      g_array_append_val (state->recents, empty);
      recent = state->recents->len;
      ns_map_set (state->recent_of, event->thread, 0, recent);
    }
  event->recent = &g_array_index (state->recents, NsChromiumRecent, recent - 1);
}

static void
chromium_event (NsBuilder *builder, const NsRecord *record)
{
  NsChromium *self = builder->chromium;
  NsChromiumEvent event = { .builder = builder, .state = self, .record = record, .dep = -1 };
  NsChromiumHandler handler;
  const NsSchema *schema;

  if ((record->keyword & KEYWORD_NETLOG) == 0)
    {
      if (!self->has_netlog)
        ns_url_hints_event (self->hints, builder, record, channel_of (record));
      return;
    }
  schema = ns_schemas_find (builder->trace->schemas, record);
  if (schema == NULL || schema->source != NS_SCHEMA_TRACELOGGING || schema->event_name == NULL)
    return;
  self->has_netlog = TRUE;
  handler = handler_of_name (schema->event_name);
  if (handler == NULL)
    return;
  event.channel = channel_of (record);
  event.thread = (guint64) record->pid << 32 | record->tid;
  take_apart (&event, schema);
  handler (&event);
}

#define CHANNEL(name)                                                                              \
  {                                                                                                \
    .guid = name, .correlate = chromium_event, .has_stack = ns_stack_match_any                     \
  }

static const NsProviderOps chromium_ops[] = {
  CHANNEL (NS_GUID_CHROME),        CHANNEL (NS_GUID_EDGE),        CHANNEL (NS_GUID_EDGE_BETA),
  CHANNEL (NS_GUID_EDGE_DEV),      CHANNEL (NS_GUID_EDGE_CANARY), CHANNEL (NS_GUID_EDGE_INTERNAL),
  CHANNEL (NS_GUID_EDGE_WEBVIEW2),
};

/**
 * ns_chromium_is_channel: (skip)
 * @guid: a provider
 *
 * Returns: whether it is one of the browser channels
 */
gboolean
ns_chromium_is_channel (const NsGuid *guid)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (chromium_ops); i++)
    if (ns_guid_equal (guid, &chromium_ops[i].guid))
      return TRUE;
  return FALSE;
}

/* Lists the browsers' events, which have a table of their own. */
static void
chromium_list (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  g_autofree gboolean *is_browser = g_new0 (gboolean, trace->providers->len + 1);
  gboolean is_any = FALSE;
  guint32 i;

  for (i = 0; i < trace->providers->len; i++)
    {
      is_browser[i] =
          ns_chromium_is_channel (&g_array_index (trace->providers, NsProviderRow, i).guid);
      is_any = is_any || is_browser[i];
    }
  for (i = 0; is_any && i < trace->events->len; i++)
    {
      guint provider = ns_trace_get_event (trace, i)->provider;

      if (provider < trace->providers->len && is_browser[provider])
        g_array_append_val (trace->chromium_events, i);
    }
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (chromium, NsChromiumRow, NULL),
  NS_PART_TABLE (chromium_events, guint32, NULL),
};

const NsPart ns_chromium_part = {
  .name = "chromium",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = chromium_start,
  .number = ns_chromium_write_rows,
  .list = chromium_list,
  .stop = chromium_stop,
  .ops = chromium_ops,
  .n_ops = G_N_ELEMENTS (chromium_ops),
};
