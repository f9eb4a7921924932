/* Reads payloads of Microsoft-Windows-TCPIP; all layouts are converted to one structure.
 *
 * Layouts are those of the provider's manifests of Windows 7 to 11: later versions append only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/tcpip/ns-tcpip-payload.h"

#include "wire/ns-sockaddr.h"

#include <string.h>

/* Size of the fields SRtt to CongestionState of a send event, version 3 and later. */
#define BEFORE_UNACKNOWLEDGED (7 * 4)

static void
read_ends (NsCursor *cursor, NsTcpipEvent *event)
{
  event->has_local = ns_sockaddr_take_counted (cursor, &event->local);
  event->has_remote = ns_sockaddr_take_counted (cursor, &event->remote);
}

/* Reads Endpoints, Status, ProcessId, Compartment and Tcb. */
static void
read_outcome (NsCursor *cursor, guint pointer_size, NsTcpipEvent *event)
{
  read_ends (cursor, event);
  event->status = ns_cursor_u32 (cursor);
  event->pid = ns_cursor_u32 (cursor);
  ns_cursor_u32 (cursor);
  event->key = ns_cursor_ptr (cursor, pointer_size);
}

static void
read_send (NsCursor *cursor, const NsRecord *record, NsTcpipEvent *event)
{
  guint n_between = 0;

  event->key = ns_cursor_ptr (cursor, record->pointer_size);
  event->network_window = ns_cursor_u32 (cursor);
  event->peer_window = ns_cursor_u32 (cursor);
  event->n_bytes = ns_cursor_u32 (cursor);
  event->sequence = ns_cursor_u32 (cursor);
  event->has_sequence = ns_cursor_ok (cursor);
  if (record->version >= 3 && ns_cursor_left (cursor) >= BEFORE_UNACKNOWLEDGED + 4)
    {
      ns_cursor_skip (cursor, BEFORE_UNACKNOWLEDGED);
      event->unacknowledged = ns_cursor_u32 (cursor);
      event->has_unacknowledged = TRUE;
    }
  if (record->version >= 5 && event->has_unacknowledged)
    {
      /* SndMax to MaxRcvBuf */
      n_between = 4 * 4;
      if (ns_cursor_left (cursor) > n_between)
        {
          ns_cursor_skip (cursor, n_between);
          read_ends (cursor, event);
        }
    }
}

static void
read_old_send (NsCursor *cursor, guint pointer_size, NsTcpipEvent *event)
{
  event->key = ns_cursor_ptr (cursor, pointer_size);
  ns_cursor_skip (cursor, 3 * 4); /* Cwnd, SSThresh, RttSample */
  event->n_bytes = ns_cursor_u32 (cursor);
  event->sequence = ns_cursor_u32 (cursor);
  event->has_sequence = ns_cursor_ok (cursor);
}

static void
read_datagram (NsCursor *cursor, guint pointer_size, NsTcpipEvent *event)
{
  event->key = ns_cursor_ptr (cursor, pointer_size);
  ns_cursor_u32 (cursor); /* NumMessages */
  event->n_bytes = ns_cursor_u32 (cursor);
  read_ends (cursor, event);
  event->pid = ns_cursor_u32 (cursor);
}

static void
read_name (NsCursor *cursor, guint pointer_size, NsTcpipEvent *event)
{
  read_ends (cursor, event);
  event->key = ns_cursor_ptr (cursor, pointer_size);
  ns_cursor_ptr (cursor, pointer_size); /* NameResContext */
  event->name = ns_cursor_wstr (cursor, &event->name_bytes);
  event->status = ns_cursor_u32 (cursor);
}

/* Reads a summary. DataBytesOut includes retransmitted bytes, as in RFC 4898. The old version
 * ends before the times. */
static void
read_summary (NsCursor *cursor, guint pointer_size, NsTcpipEvent *event)
{
  guint32 slow_start_window;
  guint64 out;
  guint i;

  event->key = ns_cursor_ptr (cursor, pointer_size);
  out = ns_cursor_u64 (cursor);
  event->total_received = ns_cursor_u64 (cursor);
  event->n_segments = ns_cursor_u64 (cursor);
  ns_cursor_skip (cursor, 3 * 8 + 3 * 4); /* DataSegmentsIn … DupAcksIn */
  event->retransmitted_bytes = ns_cursor_u32 (cursor);
  event->total_sent = out - MIN (out, event->retransmitted_bytes);
  ns_cursor_skip (cursor, 4 * 4); /* Timeouts … MaxSsthresh */
  slow_start_window = ns_cursor_u32 (cursor);
  event->network_window = ns_cursor_u32 (cursor);
  event->network_window = MAX (event->network_window, slow_start_window);
  for (i = 0; i < G_N_ELEMENTS (event->limited_ms); i++)
    {
      ns_cursor_u32 (cursor); /* SndLimTrans… */
      event->limited_ms[i] = ns_cursor_u32 (cursor);
      ns_cursor_u64 (cursor); /* SndLimBytes… */
    }
  ns_cursor_skip (cursor, 8 + 4); /* ConnectionTimeMs, Timestamps */
  event->rtt_us = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, 2 * 4); /* MinRttUs, MaxRttUs */
  event->syn_retransmits = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, 2 * 4); /* CongestionAlgorithm, State */
  read_ends (cursor, event);
  ns_cursor_skip (cursor, 4 * 4); /* CWnd … RcvBuf */
  event->peer_window = ns_cursor_u32 (cursor);
}

static void
read_state (NsCursor *cursor, guint pointer_size, NsTcpipEvent *event)
{
  ns_cursor_u32 (cursor);
  event->state = ns_cursor_u32 (cursor);
  ns_cursor_u32 (cursor);
  event->key = ns_cursor_ptr (cursor, pointer_size);
}

/* Reads the layouts that several events share. */
static gboolean
read_common (NsCursor *cursor, const NsRecord *record, NsTcpipEvent *event)
{
  switch (record->id)
    {
    case NS_TCPIP_REQUEST_CONNECT:
    case NS_TCPIP_CONNECT_RST:
    case NS_TCPIP_TERMINATED_RST:
    case NS_TCPIP_TERMINATED_SYN:
    case NS_TCPIP_SYN_RETRANSMIT:
    case NS_TCPIP_DATA_RETRANSMIT:
      event->key = ns_cursor_ptr (cursor, record->pointer_size);
      read_ends (cursor, event);
      return TRUE;

    case NS_TCPIP_ACCEPT_NO_ROUTE:
    case NS_TCPIP_ACCEPT_COMPLETE:
    case NS_TCPIP_CONNECT_INSPECT_FAIL:
    case NS_TCPIP_CONNECT_NO_ROUTE:
    case NS_TCPIP_CONNECT_PROCEEDING:
    case NS_TCPIP_CONNECT_COMPLETE:
    case NS_TCPIP_CONNECT_FAILURE:
    case NS_TCPIP_CLOSE:
    case NS_TCPIP_ABORT:
    case NS_TCPIP_ABORT_COMPLETE:
    case NS_TCPIP_DISCONNECT_COMPLETE:
    case NS_TCPIP_SHUTDOWN:
    case NS_TCPIP_CONNECT_TIMEOUT:
    case NS_TCPIP_RTO_TIMEOUT:
    case NS_TCPIP_KEEPALIVE_TIMEOUT:
    case NS_TCPIP_ZERO_WINDOW_TIMEOUT:
    case NS_TCPIP_FIN_WAIT_2_TIMEOUT:
    case NS_TCPIP_SYSTEM_ABORT:
      read_outcome (cursor, record->pointer_size, event);
      return TRUE;

    default:
      return FALSE;
    }
}

static gboolean
read_special (NsCursor *cursor, const NsRecord *record, NsTcpipEvent *event)
{
  guint pointer_size = record->pointer_size;

  switch (record->id)
    {
    case NS_TCPIP_INSPECT_CONNECT_COMPLETE:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      event->status = ns_cursor_u32 (cursor);
      return TRUE;
    case NS_TCPIP_SYN_SEND:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      event->sequence = ns_cursor_u32 (cursor);
      event->has_sequence = ns_cursor_ok (cursor);
      return TRUE;
    case NS_TCPIP_STATE_CHANGE:
      read_state (cursor, pointer_size, event);
      return TRUE;
    case NS_TCPIP_SEND_OLD:
      read_old_send (cursor, pointer_size, event);
      return TRUE;
    case NS_TCPIP_RECEIVE:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      event->n_bytes = ns_cursor_u32 (cursor);
      return TRUE;
    case NS_TCPIP_RECEIVE_REQUEST:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      ns_cursor_skip (cursor, 2 * (gsize) pointer_size); /* Delivery, Request */
      event->n_bytes = (guint32) MIN (ns_cursor_ptr (cursor, pointer_size), G_MAXUINT32);
      return TRUE;
    case NS_TCPIP_BLACK_HOLE:
    case NS_TCPIP_BLACK_HOLE_EXIT:
    case NS_TCPIP_BLACK_HOLE_FAILED:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      event->n_bytes = ns_cursor_u32 (cursor);
      event->full_bytes = ns_cursor_u32 (cursor);
      return TRUE;
    case NS_TCPIP_ZERO_WINDOW:
    case NS_TCPIP_ZERO_WINDOW_END:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      return TRUE;
    case NS_TCPIP_SEND_POSTED:
    case NS_TCPIP_SEND_TRANSMITTED:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      event->name = ns_cursor_wstr (cursor, &event->name_bytes); /* Injected */
      event->n_bytes = ns_cursor_u32 (cursor);
      return TRUE;
    case NS_TCPIP_UDP_SEND:
    case NS_TCPIP_UDP_RECEIVE:
      read_datagram (cursor, pointer_size, event);
      return TRUE;
    case NS_TCPIP_RUNDOWN:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      read_ends (cursor, event);
      event->state = ns_cursor_u32 (cursor);
      event->pid = ns_cursor_u32 (cursor);
      return TRUE;
    case NS_TCPIP_SEND:
      read_send (cursor, record, event);
      return TRUE;
    case NS_TCPIP_INSPECT_WITH_NAME:
      read_name (cursor, pointer_size, event);
      return TRUE;
    case NS_TCPIP_UDP_CLOSE:
      event->has_local = ns_sockaddr_take_counted (cursor, &event->local);
      event->status = ns_cursor_u32 (cursor);
      event->key = ns_cursor_ptr (cursor, pointer_size);
      return TRUE;
    case NS_TCPIP_RETRANSMIT_ROUND:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      event->unacknowledged = ns_cursor_u32 (cursor);
      event->has_unacknowledged = ns_cursor_ok (cursor);
      return TRUE;
    case NS_TCPIP_RETRANSMIT_ROUND_OLD:
      event->key = ns_cursor_ptr (cursor, pointer_size);
      /* Cwnd to SeqNo */
      ns_cursor_skip (cursor, 5 * 4);
      event->unacknowledged = ns_cursor_u32 (cursor);
      event->has_unacknowledged = ns_cursor_ok (cursor);
      return TRUE;
    case NS_TCPIP_SUMMARY:
    case NS_TCPIP_SUMMARY_OLD:
      read_summary (cursor, pointer_size, event);
      return TRUE;
    default:
      return FALSE;
    }
}

/**
 * ns_tcpip_event_read:
 * @record: a record of the provider
 * @event: (out): its fields; those that a short payload lacks are 0
 *
 * Reads one event.
 *
 * Returns: %TRUE if the event is used and identifies its connection
 */
gboolean
ns_tcpip_event_read (const NsRecord *record, NsTcpipEvent *event)
{
  NsCursor cursor;

  memset (event, 0, sizeof *event);
  ns_record_cursor (record, &cursor);
  if (!read_common (&cursor, record, event) && !read_special (&cursor, record, event))
    return FALSE;
  return event->key != 0;
}
