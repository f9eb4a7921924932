/* Requests of the WinINet part: creation, chains by key, look-up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/app/wininet/ns-wininet-state.h"
#include "engine/catalog/ns-wininet-events.h"

static NsWininetRequest *
nth (const NsWininet *self, guint32 number)
{
  return number != 0 ? self->requests->pdata[number - 1] : NULL;
}

static void
clear_span (NsWininetSpan *span)
{
  span->begin_ns = NS_TIME_NONE;
  span->end_ns = NS_TIME_NONE;
}

/**
 * ns_wininet_add:
 * @self: the part
 * @record: the event that shows that it exists
 * @handle: its handle, 0 if unknown
 * @method: its verb, or %NS_STRING_NONE
 *
 * Returns: (transfer none): a new request
 */
NsWininetRequest *
ns_wininet_add (NsWininet *self, const NsRecord *record, guint64 handle, NsString method)
{
  NsWininetRequest *request = ns_arena_new0 (self->arena, NsWininetRequest);

  request->row = self->requests->len + 1;
  request->handle = handle;
  request->act8 = ns_guid_low (&record->activity);
  request->activity_id = record->activity;
  request->remote = &ns_endpoint_pool_none;
  request->pid = record->pid;
  request->tid_send = NS_PID_UNKNOWN;
  request->tid_connect = NS_PID_UNKNOWN;
  request->stack_tid = record->tid;
  request->open_ns = record->time_ns;
  request->answer_ns = NS_TIME_OPEN;
  request->close_ns = NS_TIME_OPEN;
  request->connected_ns = NS_TIME_NONE;
  request->sent_ns = NS_TIME_NONE;
  request->method = method;
  request->reused = -1;
  clear_span (&request->dns);
  clear_span (&request->connect);
  request->served_ns = NS_TIME_NONE;
  clear_span (&request->proxy);
  clear_span (&request->tls);
  clear_span (&request->send);
  clear_span (&request->receive);
  request->older_handle = nth (self, ns_map_get (self->by_handle, record->pid, handle));
  g_ptr_array_add (self->requests, request);
  ns_map_set (self->by_handle, record->pid, handle, self->requests->len);
  if (request->act8 != 0)
    ns_map_set (self->by_activity, record->pid, request->act8, self->requests->len);
  return request;
}

/**
 * ns_wininet_find:
 * @self: the part
 * @record: an event
 *
 * Returns: (transfer none) (nullable): the newest request with the event's activity ID
 */
NsWininetRequest *
ns_wininet_find (const NsWininet *self, const NsRecord *record)
{
  guint64 act8 = ns_guid_low (&record->activity);

  return act8 != 0 ? nth (self, ns_map_get (self->by_activity, record->pid, act8)) : NULL;
}

/**
 * ns_wininet_find_handle:
 * @self: the part
 * @record: an event
 * @handle: the request handle in the event
 * @context: its context, 0: none
 *
 * Returns: (transfer none) (nullable): the newest open request with that handle that has this
 *   context, or has neither context nor request object yet
 */
NsWininetRequest *
ns_wininet_find_handle (const NsWininet *self,
                        const NsRecord *record,
                        guint64 handle,
                        guint64 context)
{
  NsWininetRequest *request = nth (self, ns_map_get (self->by_handle, record->pid, handle));
  guint i;

  if (handle == 0)
    return NULL;
  for (i = 0; request != NULL && i < NS_WININET_MAX_LOOK_BACK; i++, request = request->older_handle)
    if (request->open_ns <= record->time_ns && record->time_ns <= request->close_ns &&
        (request->context == context || (request->context == 0 && request->request == 0)))
      return request;
  return NULL;
}

/**
 * ns_wininet_find_any:
 * @self: the part
 * @record: an event
 * @handle_or_pointer: handle or object in the event
 *
 * Returns: (transfer none) (nullable): the request
 */
NsWininetRequest *
ns_wininet_find_any (const NsWininet *self, const NsRecord *record, guint64 handle_or_pointer)
{
  NsWininetRequest *request = ns_wininet_find (self, record);

  if (request != NULL || handle_or_pointer == 0)
    return request;
  request = nth (self, ns_map_get (self->by_pointer, record->pid, handle_or_pointer));
  if (request == NULL)
    request = nth (self, ns_map_get (self->by_handle, record->pid, handle_or_pointer));
  return request != NULL && request->close_ns == NS_TIME_OPEN ? request : NULL;
}

/**
 * ns_wininet_set_pointer:
 * @self: the part
 * @request: a request
 * @pointer: its request object
 */
void
ns_wininet_set_pointer (NsWininet *self, NsWininetRequest *request, guint64 pointer)
{
  if (pointer == 0)
    return;
  request->request = pointer;
  ns_map_set (self->by_pointer, request->pid, pointer, request->row);
}

/**
 * ns_wininet_take_text:
 * @builder: the builder
 * @cursor: at 8-bit text of known length
 * @n_bytes: its length
 *
 * Returns: the text up to its NUL, if any; %NS_STRING_NONE if it is truncated
 */
NsString
ns_wininet_take_text (NsBuilder *builder, NsCursor *cursor, gsize n_bytes)
{
  const guint8 *text = ns_cursor_take (cursor, n_bytes);

  return text != NULL ? ns_strings_add_len (builder->trace->strings, (const char *) text, n_bytes)
                      : NS_STRING_NONE;
}

/* Prefetches the record of an event: nearly all events have the activity ID of their request,
 * and the first ones another key. */
void
ns_wininet_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsWininet *self = builder->wininet;
  guint64 act8 = ns_guid_low (&record->activity);
  NsCursor cursor;
  guint32 number;

  if (is_near)
    {
      number = act8 != 0 ? ns_map_get (self->by_activity, record->pid, act8) : 0;
      if (number != 0)
        ns_fetch (self->requests->pdata[number - 1], sizeof (NsWininetRequest));
      return;
    }
  if (act8 != 0)
    ns_map_expect (self->by_activity, record->pid, act8);
  if (record->id != NS_WININET_REQUEST_HANDLE_CREATED &&
      record->id != NS_WININET_SEND_REQUEST_START)
    return;
  ns_record_cursor (record, &cursor);
  ns_map_expect (record->id == NS_WININET_REQUEST_HANDLE_CREATED ? self->by_handle
                                                                 : self->by_pointer,
                 record->pid,
                 ns_cursor_ptr (&cursor, record->pointer_size));
}
