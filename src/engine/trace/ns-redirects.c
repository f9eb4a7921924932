/* Redirects between requests.
 *
 * WinINet reports them per handle, browsers per source. WinHTTP follows a redirect within one
 * request, whose responses cannot be distinguished.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-redirects.h"

/* Maximum number of requests that begin between a redirect and its target. */
#define MAX_AHEAD 10000u

static const NsWininetRow *
get_wininet (const NsTrace *trace, NsRow row)
{
  return trace->wininet != NULL && row > 0 && row <= trace->wininet->len
             ? NS_ROW_AT (trace->wininet, NsWininetRow, row)
             : NULL;
}

static const NsChromiumRow *
get_chromium (const NsTrace *trace, NsRow row)
{
  return trace->chromium != NULL && row > 0 && row <= trace->chromium->len
             ? NS_ROW_AT (trace->chromium, NsChromiumRow, row)
             : NULL;
}

/**
 * ns_redirects_find:
 * @trace: an opened trace
 * @activity: one of its activities, 1-based
 * @table: (out): the table of requests that records redirects
 * @row: (out): the activity's request there, 1-based
 *
 * Returns: whether it has one
 */
gboolean
ns_redirects_find (const NsTrace *trace, NsRow activity, NsTableId *table, NsRow *row)
{
  const NsActivityRow *self;

  if (activity == 0 || activity > trace->activities->len)
    return FALSE;
  self = NS_ROW_AT (trace->activities, NsActivityRow, activity);
  *table = self->wininet != 0 ? NS_TABLE_WININET : NS_TABLE_CHROMIUM;
  if (self->wininet != 0)
    *row = self->wininet;
  else
    *row = self->source_table == NS_TABLE_CHROMIUM ? self->source_row : 0;
  return *row != 0;
}

/**
 * ns_redirects_get_before:
 * @trace: an opened trace
 * @table: %NS_TABLE_WININET or %NS_TABLE_CHROMIUM; other tables have no redirects
 * @row: a row of it, 1-based
 *
 * Returns: the row of the same table that redirected to this one; 0: none
 */
NsRow
ns_redirects_get_before (const NsTrace *trace, NsTableId table, NsRow row)
{
  const NsWininetRow *inet = table == NS_TABLE_WININET ? get_wininet (trace, row) : NULL;
  const NsChromiumRow *browser = table == NS_TABLE_CHROMIUM ? get_chromium (trace, row) : NULL;

  if (inet != NULL)
    return inet->redirect_from;
  return browser != NULL ? browser->redirect_from : 0;
}

/* Searches forward: the target begins when the redirected request ends, so it is one of the next
 * rows. */
static NsRow
find_wininet_after (const NsTrace *trace, NsRow from)
{
  guint end = MIN (trace->wininet->len, from + MAX_AHEAD);
  guint i;

  for (i = from; i < end; i++)
    if (g_array_index (trace->wininet, NsWininetRow, i).redirect_from == from)
      return i + 1;
  return 0;
}

/**
 * ns_redirects_get_after:
 * @trace: an opened trace
 * @table: %NS_TABLE_WININET or %NS_TABLE_CHROMIUM; other tables have no redirects
 * @row: a row of it, 1-based
 *
 * Returns: the row of the same table that this one was redirected to; 0: none
 */
NsRow
ns_redirects_get_after (const NsTrace *trace, NsTableId table, NsRow row)
{
  const NsChromiumRow *browser = table == NS_TABLE_CHROMIUM ? get_chromium (trace, row) : NULL;

  if (table == NS_TABLE_WININET && get_wininet (trace, row) != NULL)
    return find_wininet_after (trace, row);
  return browser != NULL ? browser->redirect_to : 0;
}

/**
 * ns_redirects_get_activity:
 * @trace: an opened trace
 * @table: %NS_TABLE_WININET or %NS_TABLE_CHROMIUM
 * @row: a row of it, 1-based
 *
 * Returns: the activity that shows it, 1-based; 0: none
 */
NsRow
ns_redirects_get_activity (const NsTrace *trace, NsTableId table, NsRow row)
{
  const NsWininetRow *inet = table == NS_TABLE_WININET ? get_wininet (trace, row) : NULL;
  const NsChromiumRow *browser = table == NS_TABLE_CHROMIUM ? get_chromium (trace, row) : NULL;

  if (inet != NULL)
    return inet->activity;
  return browser != NULL ? browser->activity : 0;
}
