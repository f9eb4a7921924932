/* Reads HTTP Archives 1.2, which browsers and proxies write.
 * http://www.softwareishard.com/blog/har-12-spec/
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-json.h"
#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_MS 1e12

/* The parts of an entry that become a line. */
typedef struct
{
  GString *key;
  GString *started;
  GString *method;
  GString *url;
  GString *address;
  GString *phrase;
  GString *error;
  double ms;
  double status;
} Entry;

static void
entry_reset (Entry *self)
{
  g_string_truncate (self->started, 0);
  g_string_truncate (self->method, 0);
  g_string_truncate (self->url, 0);
  g_string_truncate (self->address, 0);
  g_string_truncate (self->phrase, 0);
  g_string_truncate (self->error, 0);
  self->ms = -1;
  self->status = 0;
}

static void
read_request (Entry *self, NsSideJson *json)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "method") == 0)
      ns_side_json_take_text (json, self->method);
    else if (strcmp (self->key->str, "url") == 0)
      ns_side_json_take_text (json, self->url);
    else
      ns_side_json_skip (json);
}

static void
read_response (Entry *self, NsSideJson *json)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "status") == 0)
      ns_side_json_take_number (json, &self->status);
    else if (strcmp (self->key->str, "statusText") == 0)
      ns_side_json_take_text (json, self->phrase);
    else if (strcmp (self->key->str, "_error") == 0)
      ns_side_json_take_text (json, self->error);
    else
      ns_side_json_skip (json);
}

static void
report_entry (Entry *self, NsSideReader *reader, guint32 number)
{
  g_autofree char *server = ns_side_dup_host (self->url->str);
  g_autofree char *status = NULL;
  g_autofree char *text = NULL;
  NsSideLine line;

  ns_side_line_init (&line, number);
  if (!ns_side_time_parse (self->started->str,
                           NS_SIDE_CLOCK_UTC,
                           reader->options,
                           &line.filetime,
                           &line.uncertainty_ns))
    {
      ns_side_reader_refuse (reader, number, N_ ("an entry without startedDateTime"));
      return;
    }
  if (self->status >= 100 && self->status < 1000)
    status = g_strdup_printf ("%d", (int) self->status);
  else if (self->error->len > 0)
    status = g_strdup (self->error->str);
  text = g_strdup_printf ("%s %s%s%s%s%s",
                          self->method->str,
                          self->url->str,
                          status != NULL ? " " : "",
                          status != NULL ? status : "",
                          self->phrase->len > 0 ? " " : "",
                          self->phrase->str);
  line.text = text;
  line.action = self->method->str;
  line.url = self->url->str;
  line.server = server;
  line.status = status;
  line.is_failed = self->status >= 400 || self->status < 100;
  if (self->ms >= 0 && self->ms < MAX_MS)
    line.duration_ns = (gint64) (self->ms * 1e6);
  if (self->address->len > 0)
    {
      /* IPv6 addresses may be in brackets. */
      gsize skipped = self->address->str[0] == '[' ? 1 : 0;
      g_autofree char *address =
          g_strndup (self->address->str + skipped, strcspn (self->address->str + skipped, "]"));

      ns_side_parse_endpoint (address, NULL, &line.remote);
    }
  ns_side_reader_report (reader, &line);
}

static void
read_entry (Entry *self, NsSideReader *reader, NsSideJson *json)
{
  guint32 number = ns_side_json_get_line (json);
  gboolean is_first = TRUE;

  entry_reset (self);
  if (!ns_side_json_enter (json, '{'))
    {
      ns_side_reader_refuse (reader,
                             number,
                             json->is_broken ? N_ ("an entry without valid JSON")
                                             : N_ ("an entry without startedDateTime"));
      return;
    }
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "startedDateTime") == 0)
      ns_side_json_take_text (json, self->started);
    else if (strcmp (self->key->str, "time") == 0)
      ns_side_json_take_number (json, &self->ms);
    else if (strcmp (self->key->str, "serverIPAddress") == 0)
      ns_side_json_take_text (json, self->address);
    else if (strcmp (self->key->str, "request") == 0)
      read_request (self, json);
    else if (strcmp (self->key->str, "response") == 0)
      read_response (self, json);
    else
      ns_side_json_skip (json);
  if (json->is_broken)
    ns_side_reader_refuse (reader,
                           ns_side_json_get_line (json),
                           N_ ("an entry without valid JSON"));
  else
    report_entry (self, reader, number);
}

static void
read_entries (Entry *self, NsSideReader *reader, NsSideJson *json)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '['))
    return;
  while (!ns_side_reader_is_full (reader) && ns_side_json_next (json, ']', &is_first))
    read_entry (self, reader, json);
}

static void
read_log (Entry *self, NsSideReader *reader, NsSideJson *json)
{
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '{'))
    return;
  while (ns_side_json_next_key (json, &is_first, self->key))
    if (strcmp (self->key->str, "entries") == 0)
      read_entries (self, reader, json);
    else
      ns_side_json_skip (json);
}

/**
 * ns_side_read_har: (skip)
 * @self: a reader at the beginning of the file
 *
 * Reads the entries of an HTTP Archive.
 */
void
ns_side_read_har (NsSideReader *self)
{
  Entry entry = { .key = g_string_new (NULL),
                  .started = g_string_new (NULL),
                  .method = g_string_new (NULL),
                  .url = g_string_new (NULL),
                  .address = g_string_new (NULL),
                  .phrase = g_string_new (NULL),
                  .error = g_string_new (NULL) };
  GString *texts[] = { entry.key,     entry.started, entry.method, entry.url,
                       entry.address, entry.phrase,  entry.error };
  gboolean is_first = TRUE;
  NsSideJson json;
  guint i;

  ns_side_json_init (&json, self->at, (gsize) (self->end - self->at));
  if (ns_side_json_enter (&json, '{'))
    while (ns_side_json_next_key (&json, &is_first, entry.key))
      {
        if (strcmp (entry.key->str, "log") == 0)
          read_log (&entry, self, &json);
        else
          ns_side_json_skip (&json);
      }
  if (json.is_broken && self->log->n_faults == 0)
    ns_side_reader_refuse (self,
                           ns_side_json_get_line (&json),
                           N_ ("the JSON ends or breaks off here"));
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    g_string_free (texts[i], TRUE);
}
