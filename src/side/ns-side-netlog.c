/* Reads netlogs of Chromium, Edge and WebView2, which record the work of their network service.
 *
 * `constants` precedes `events` and names their numbers; times of events are milliseconds since
 * `constants.timeTickOffset`, which is in milliseconds since 1970 (net/log/net_log_util.cc).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-json.h"
#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_NAMES 20000
#define MAX_MS 1e14

typedef struct
{
  NsSideReader *reader;
  GHashTable *types;  /* number → name */
  GHashTable *errors; /* number → name */
  GString *key;
  GString *url;
  GString *host;
  GString *address;
  GString *text;
  double offset_ms;
} Netlog;

/* The current event. */
typedef struct
{
  double time_ms;
  double type;
  double phase;
  double source;
  double net_error;
  gboolean has_time;
} Event;

static const char *const phases[] = { "", " begin", " end" };

static void
read_names (Netlog *self, NsSideJson *json, GHashTable *names)
{
  gboolean is_first = TRUE;
  double number;

  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    {
      g_autofree char *name = g_strdup (self->key->str);

      if (ns_side_json_take_number (json, &number) && g_hash_table_size (names) < MAX_NAMES &&
          number > -1e6 && number < 1e6)
        g_hash_table_insert (names, GINT_TO_POINTER ((int) number), g_steal_pointer (&name));
    }
}

static void
read_constants (Netlog *self, NsSideJson *json)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "logEventTypes") == 0)
      read_names (self, json, self->types);
    else if (strcmp (self->key->str, "netError") == 0)
      read_names (self, json, self->errors);
    else if (strcmp (self->key->str, "timeTickOffset") == 0)
      ns_side_json_take_number (json, &self->offset_ms);
    else
      ns_side_json_skip (json);
}

static void
read_source (Netlog *self, NsSideJson *json, Event *event)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "id") == 0)
      ns_side_json_take_number (json, &event->source);
    else
      ns_side_json_skip (json);
}

/* Takes the parameters with their text, which is short JSON. */
static void
read_params (Netlog *self, NsSideJson *json, Event *event)
{
  const char *begin;
  gboolean is_first = TRUE;

  ns_side_json_peek (json);
  begin = json->at;
  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "url") == 0)
      ns_side_json_take_text (json, self->url);
    else if (strcmp (self->key->str, "host") == 0)
      ns_side_json_take_text (json, self->host);
    else if (strcmp (self->key->str, "address") == 0 ||
             strcmp (self->key->str, "remote_address") == 0)
      ns_side_json_take_text (json, self->address);
    else if (strcmp (self->key->str, "net_error") == 0)
      ns_side_json_take_number (json, &event->net_error);
    else
      ns_side_json_skip (json);
  if (!json->is_broken)
    g_string_append_len (self->text, begin, MIN (json->at - begin, NS_SIDE_MAX_TEXT));
}

static void
report_event (Netlog *self, const Event *event, guint32 number)
{
  const char *type = event->type >= 0 && event->type < 1e6
                         ? g_hash_table_lookup (self->types, GINT_TO_POINTER ((int) event->type))
                         : NULL;
  double ms = self->offset_ms + event->time_ms;
  g_autofree char *server = NULL;
  g_autofree char *params = NULL;
  g_autofree char *text = NULL;
  guint phase = event->phase >= 0 && event->phase <= 2 ? (guint) event->phase : 0;
  NsSideLine line;

  ns_side_line_init (&line, number);
  if (!event->has_time || !(ms > 0 && ms < MAX_MS))
    {
      ns_side_reader_refuse (self->reader, number, N_ ("an event without a time"));
      return;
    }
  line.filetime = (guint64) (ms * 10000) + NS_FILETIME_UNIX_EPOCH;
  line.uncertainty_ns = NS_PER_SECOND / 1000 / 2;
  ns_side_secrets_mask_cookie (self->reader->options->secrets, self->text, type);
  params = g_utf8_make_valid (self->text->str, (gssize) self->text->len);
  text = g_strdup_printf ("%s%s%s%s",
                          type != NULL ? type : "?",
                          phases[phase],
                          *params != '\0' ? " " : "",
                          params);
  line.text = text;
  line.action = type;
  if (self->url->len > 0)
    {
      line.url = self->url->str;
      line.server = server = ns_side_dup_host (self->url->str);
    }
  else if (self->host->len > 0)
    line.server = server = strstr (self->host->str, "://") != NULL
                               ? ns_side_dup_host (self->host->str)
                               : g_strdup (self->host->str);
  if (self->address->len > 0)
    ns_endpoint_from_text (&line.remote, self->address->str);
  if (event->net_error > -1e6 && event->net_error < 0)
    {
      line.status = g_hash_table_lookup (self->errors, GINT_TO_POINTER ((int) event->net_error));
      /* ERR_IO_PENDING is no error */
      line.is_failed = (int) event->net_error != -1;
    }
  ns_side_reader_report (self->reader, &line);
}

static void
read_event (Netlog *self, NsSideJson *json)
{
  guint32 number = ns_side_json_get_line (json);
  gboolean is_first = TRUE;
  Event event = { 0 };

  event.type = -1;
  g_string_truncate (self->url, 0);
  g_string_truncate (self->host, 0);
  g_string_truncate (self->address, 0);
  g_string_truncate (self->text, 0);
  if (!ns_side_json_enter (json, '{'))
    {
      ns_side_reader_refuse (self->reader,
                             number,
                             json->is_broken ? N_ ("an event without valid JSON")
                                             : N_ ("an event without a time"));
      return;
    }
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "time") == 0)
      event.has_time = ns_side_json_take_number (json, &event.time_ms);
    else if (strcmp (self->key->str, "type") == 0)
      ns_side_json_take_number (json, &event.type);
    else if (strcmp (self->key->str, "phase") == 0)
      ns_side_json_take_number (json, &event.phase);
    else if (strcmp (self->key->str, "source") == 0)
      read_source (self, json, &event);
    else if (strcmp (self->key->str, "params") == 0)
      read_params (self, json, &event);
    else
      ns_side_json_skip (json);
  if (json->is_broken)
    ns_side_reader_refuse (self->reader,
                           ns_side_json_get_line (json),
                           N_ ("an event without valid JSON"));
  else
    report_event (self, &event, number);
}

static void
read_events (Netlog *self, NsSideJson *json)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '['))
    return;
  while (!ns_side_reader_is_full (self->reader))
    {
      if (ns_side_json_next (json, ']', &is_first))
        read_event (self, json);
      else if (!json->is_broken)
        return;
      else if (json->at < json->end)
        ns_side_reader_refuse (self->reader,
                               ns_side_json_get_line (json),
                               N_ ("an event without valid JSON"));
      /* Each event has its own line, so an error in one does not affect the next. */
      if (json->is_broken)
        {
          if (!ns_side_json_resume (json))
            return;
          is_first = TRUE;
        }
    }
}

/**
 * ns_side_read_netlog: (skip)
 * @self: a reader at the beginning of the file
 *
 * Reads the events of a Chromium netlog.
 */
void
ns_side_read_netlog (NsSideReader *self)
{
  Netlog log = { .reader = self,
                 .types = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                 .errors = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                 .key = g_string_new (NULL),
                 .url = g_string_new (NULL),
                 .host = g_string_new (NULL),
                 .address = g_string_new (NULL),
                 .text = g_string_new (NULL) };
  GString *texts[] = { log.key, log.url, log.host, log.address, log.text };
  gboolean is_first = TRUE;
  NsSideJson json;
  guint i;

  ns_side_json_init (&json, self->at, (gsize) (self->end - self->at));
  if (ns_side_json_enter (&json, '{'))
    while (ns_side_json_next_key (&json, &is_first, log.key))
      {
        if (strcmp (log.key->str, "constants") == 0)
          read_constants (&log, &json);
        else if (strcmp (log.key->str, "events") == 0)
          read_events (&log, &json);
        else
          ns_side_json_skip (&json);
      }
  if (json.is_broken && self->log->n_faults == 0)
    ns_side_reader_refuse (self,
                           ns_side_json_get_line (&json),
                           N_ ("the JSON ends or breaks off here"));
  g_hash_table_unref (log.types);
  g_hash_table_unref (log.errors);
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    g_string_free (texts[i], TRUE);
}
