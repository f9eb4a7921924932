/* URLs that a browser mentions when it does not log its network requests.
 *
 * Most browser traces lack the netlog category. URLs in other events show what was requested, and
 * roughly when, but neither the number of bytes nor the connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-url-hints.h"

#include "base/ns-map.h"
#include "engine/trace/ns-url.h"
#include "schema/ns-payload.h"

#include <string.h>

/* Minimum time between two mentions of a URL that count as two requests: a page mentions a URL
 * many times. */
#define SAME_NS (5 * NS_PER_SECOND)
#define NS_URL_HINTS_MAX 200000
/* Maximum length of a URL; longer ones are data: URLs. */
#define NS_URL_HINTS_MAX_URL 8192
/* Maximum length of event names compared. */
#define NS_URL_HINTS_MAX_NAME 200
/* Event ID of older browsers' manifest: pairs of names and values. */
#define LEGACY_ID 1
#define LEGACY_N_ARGUMENTS 3

struct _NsUrlHints
{
  GArray *hints; /* element-type NsUrlHint */
  NsMap *newest; /* (pid, url) → number of the hint */
};

/* Decoded event. */
typedef struct
{
  GString *url;
  guint32 http_status;
} UrlEvent;

/**
 * ns_url_hints_new:
 *
 * Returns: (transfer full): an empty list
 */
NsUrlHints *
ns_url_hints_new (void)
{
  NsUrlHints *self = g_new0 (NsUrlHints, 1);

  self->hints = g_array_new (FALSE, FALSE, sizeof (NsUrlHint));
  self->newest = ns_map_new ();
  return self;
}

/**
 * ns_url_hints_free:
 * @self: (transfer full): hints
 */
void
ns_url_hints_free (NsUrlHints *self)
{
  g_array_unref (self->hints);
  ns_map_free (self->newest);
  g_free (self);
}

/**
 * ns_url_hints_get:
 * @self: hints
 *
 * Returns: (transfer none) (element-type NsUrlHint): all hints, in order of first mention
 */
const GArray *
ns_url_hints_get (const NsUrlHints *self)
{
  return self->hints;
}

/* Returns whether the event has the URL of a loaded resource. */
static gboolean
is_about_a_url (const char *name)
{
  static const char *const names[] = {
    "ResourceFetcher::requestResource",
    "ThrottlingURLLoader::OnReceiveResponse",
    "Navigation StartToCommit",
    "WebContentsImpl Loading",
    "v8.run",
    "v8.compile",
    "ResourceSendRequest",
    "ResourceReceiveResponse",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      return TRUE;
  return g_str_has_prefix (name, "NavigationBodyLoader::") ||
         g_str_has_suffix (name, "MojoURLLoaderClient::OnReceiveResponse");
}

static gboolean
is_url (const char *text, gsize n_bytes)
{
  static const char *const schemes[] = { "http://", "https://", "ws://", "wss://" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (n_bytes > strlen (schemes[i]) &&
        g_ascii_strncasecmp (text, schemes[i], strlen (schemes[i])) == 0)
      return TRUE;
  return FALSE;
}

static void
take_argument (UrlEvent *event, const char *name, const char *text, gsize n_bytes)
{
  static const char *const urls[] = { "url", "Initial URL", "fileName" };
  guint i;

  /* Remove the quotes: some URLs are JSON strings. */
  if (n_bytes >= 2 && text[0] == '"' && text[n_bytes - 1] == '"')
    {
      text++;
      n_bytes -= 2;
    }
  for (i = 0; event->url->len == 0 && i < G_N_ELEMENTS (urls); i++)
    if (g_ascii_strcasecmp (name, urls[i]) == 0 && n_bytes <= NS_URL_HINTS_MAX_URL &&
        is_url (text, n_bytes))
      g_string_append_len (event->url, text, (gssize) n_bytes);
  if ((g_ascii_strcasecmp (name, "status") == 0 || g_ascii_strcasecmp (name, "statusCode") == 0) &&
      n_bytes == 3 && g_ascii_isdigit (text[0]) && g_ascii_isdigit (text[1]) &&
      g_ascii_isdigit (text[2]))
    event->http_status = (guint32) ((text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0'));
}

static gboolean
take_item (const NsPayloadItem *item, gpointer user_data)
{
  if (item->kind == NS_ITEM_VALUE && item->data != NULL &&
      (item->field->in_type == NS_IN_ANSISTRING || item->field->in_type == NS_IN_COUNTEDANSISTRING))
    take_argument (user_data,
                   item->field->name,
                   (const char *) item->data,
                   strnlen ((const char *) item->data, item->size));
  return TRUE;
}

/* Reads eight texts: name, phase, and alternating names and values of arguments. */
static gboolean
read_legacy (const NsRecord *record, UrlEvent *event)
{
  NsCursor cursor;
  g_autofree char *name = NULL;
  gsize n_bytes;
  const char *text;
  guint i;

  ns_record_cursor (record, &cursor);
  text = ns_cursor_astr (&cursor, &n_bytes);
  name = g_strndup (text != NULL ? text : "", n_bytes);
  if (!is_about_a_url (name))
    return FALSE;
  ns_cursor_astr (&cursor, &n_bytes);
  for (i = 0; i < LEGACY_N_ARGUMENTS && ns_cursor_left (&cursor) > 0; i++)
    {
      g_autofree char *argument = NULL;

      text = ns_cursor_astr (&cursor, &n_bytes);
      argument = g_strndup (text != NULL ? text : "", n_bytes);
      text = ns_cursor_astr (&cursor, &n_bytes);
      if (text != NULL)
        take_argument (event, argument, text, n_bytes);
    }
  return TRUE;
}

/* Returns whether the name in the event's TraceLogging metadata is that of an event with a URL:
 * a cheap check, as most events have none. */
static gboolean
is_described_about_a_url (const NsExtItem *item)
{
  NsCursor cursor;
  g_autofree char *name = NULL;
  const char *text;
  gsize n_bytes;

  ns_cursor_init (&cursor, item->data, item->size);
  ns_cursor_u16 (&cursor);
  while (ns_cursor_u8 (&cursor) & 0x80)
    ;
  text = ns_cursor_astr (&cursor, &n_bytes);
  if (text == NULL || n_bytes > NS_URL_HINTS_MAX_NAME)
    return FALSE;
  name = g_strndup (text, n_bytes);
  return is_about_a_url (name);
}

static gboolean
read_event (NsBuilder *builder, const NsRecord *record, UrlEvent *event)
{
  const NsSchema *schema;
  NsExtItem item;

  if (!ns_record_find_item (record, NS_EXT_SCHEMA_TL, &item))
    return record->id == LEGACY_ID && read_legacy (record, event);
  if (!is_described_about_a_url (&item))
    return FALSE;
  schema = ns_schemas_find (builder->trace->schemas, record);
  ns_payload_walk (schema, record, take_item, event);
  return TRUE;
}

static void
add_hint (NsUrlHints *self,
          NsBuilder *builder,
          const NsRecord *record,
          const char *channel,
          const UrlEvent *event)
{
  NsStrings *strings = builder->trace->strings;
  NsUrlHint hint = {
    .channel = channel,
    .pid = record->pid,
    .tid = record->tid,
    .http_status = event->http_status,
    .begin_ns = record->time_ns,
    .end_ns = record->time_ns,
    .activity_id = record->activity,
  };
  g_autofree char *server = NULL;
  g_autofree char *lower = NULL;
  guint32 number;

  hint.url =
      ns_url_mask (builder->trace, ns_strings_add_len (strings, event->url->str, event->url->len));
  number = ns_map_get (self->newest, record->pid, hint.url);
  if (number != 0)
    {
      NsUrlHint *before = &g_array_index (self->hints, NsUrlHint, number - 1);

      if (record->time_ns - before->end_ns <= SAME_NS)
        {
          before->end_ns = record->time_ns;
          if (before->http_status == 0)
            before->http_status = hint.http_status;
          return;
        }
    }
  server = ns_url_get_server (event->url->str);
  if (server == NULL || *server == '\0' || self->hints->len >= NS_URL_HINTS_MAX)
    return;
  lower = g_ascii_strdown (server, -1);
  hint.server = ns_strings_add (strings, lower);
  hint.port = ns_url_get_port (event->url->str);
  g_array_append_val (self->hints, hint);
  ns_map_set (self->newest, record->pid, hint.url, self->hints->len);
}

/**
 * ns_url_hints_event:
 * @self: hints
 * @builder: the builder
 * @record: an event of a browser outside netlog
 * @channel: the browser
 *
 * Notes the URL in the event, if any.
 */
void
ns_url_hints_event (NsUrlHints *self,
                    NsBuilder *builder,
                    const NsRecord *record,
                    const char *channel)
{
  UrlEvent event = { g_string_new (NULL), 0 };

  if (read_event (builder, record, &event) && event.url->len > 0)
    add_hint (self, builder, record, channel, &event);
  g_string_free (event.url, TRUE);
}
