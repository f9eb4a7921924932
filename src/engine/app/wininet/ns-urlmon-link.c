/* Links URLMon downloads with their WinINet requests (correlation 6.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wininet/ns-urlmon-link.h"
#include "engine/trace/ns-interval-index.h"

#include <string.h>

/* Maximum time from the start of the download to its request. */
#define SEND_WINDOW_NS (5 * NS_PER_SECOND)

/* Hashes the URL without its fragment; case is ignored in scheme and host. */
static guint64
hash_url (const char *url)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  const char *host = strstr (url, "://");
  const char *path = host != NULL ? strchr (host + 3, '/') : NULL;
  const char *p;

  for (p = url; *p != '\0' && *p != '#'; p++)
    {
      char c = path != NULL && p >= path ? *p : g_ascii_tolower (*p);

      hash = (hash ^ (guint8) c) * G_GUINT64_CONSTANT (0x100000001b3);
    }
  return hash;
}

static const char *
url_of (const NsTrace *trace, NsString url)
{
  const char *text = ns_trace_text (trace, url);

  return text != NULL ? text : "";
}

/* Returns the first request with the URL within the window, preferably of the same thread. */
static NsRow
find_request (const NsTrace *trace,
              const NsIntervalIndex *requests,
              const NsUrlmonRow *download,
              const guint8 *taken)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  NsRow first = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (!ns_time_is_set (download->open_ns))
    return 0;
  lives = ns_interval_index_get (requests,
                                 download->pid,
                                 hash_url (url_of (trace, download->url)),
                                 &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, download->open_ns - 1);
       i < n_lives && n_left > 0;
       i++, n_left--)
    {
      NsRow row = lives[i].row;

      if (lives[i].open_ns > download->open_ns + SEND_WINDOW_NS)
        break;
      if (taken[row])
        continue;
      if (NS_ROW_AT (trace->wininet, NsWininetRow, row)->tid == download->tid)
        return row;
      if (first == 0)
        first = row;
    }
  return first;
}

/**
 * ns_urlmon_link_rows: (skip)
 * @trace: a trace whose WinINet requests are written
 *
 * Sets the request of each download.
 */
void
ns_urlmon_link_rows (NsTrace *trace)
{
  g_autofree guint8 *taken = g_new0 (guint8, (gsize) trace->wininet->len + 1);
  NsIntervalIndex requests;
  guint i;

  ns_interval_index_init (&requests);
  for (i = 0; i < trace->wininet->len; i++)
    {
      const NsWininetRow *row = &g_array_index (trace->wininet, NsWininetRow, i);

      ns_interval_index_add (&requests,
                             row->pid,
                             hash_url (url_of (trace, row->url)),
                             i + 1,
                             row->open_ns);
    }
  ns_interval_index_settle (&requests);
  for (i = 0; i < trace->urlmon->len; i++)
    {
      NsUrlmonRow *row = &g_array_index (trace->urlmon, NsUrlmonRow, i);

      row->wininet = find_request (trace, &requests, row, taken);
      if (row->wininet == 0)
        continue;
      taken[row->wininet] = TRUE;
      row->confidence = NS_ROW_AT (trace->wininet, NsWininetRow, row->wininet)->tid == row->tid
                            ? NS_CONFIDENCE_LIKELY
                            : NS_CONFIDENCE_INFERRED;
    }
  ns_interval_index_clear (&requests);
}
