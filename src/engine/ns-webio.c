/* Microsoft-Windows-WebIO: WinHTTP sessions, requests, connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-webio.h"

/**
 * ns_webio_by_window:
 * @builder: the builder
 * @tcp: record of the TCP side, 1-based
 * @pid: process
 * @tid: thread that connected
 * @begin_ns: creation of the socket
 * @end_ns: its connect
 *
 * Ties @tcp to the newest open socket of the process that was started by the same thread in that
 * time, both ends included.
 *
 * Returns: whether one was found
 */
gboolean
ns_webio_by_window (NsBuilder *builder G_GNUC_UNUSED,
                    NsRow tcp G_GNUC_UNUSED,
                    guint32 pid G_GNUC_UNUSED,
                    guint32 tid G_GNUC_UNUSED,
                    gint64 begin_ns G_GNUC_UNUSED,
                    gint64 end_ns G_GNUC_UNUSED)
{
  return FALSE;
}

/**
 * ns_webio_by_address:
 * @builder: the builder
 * @tcp: record of the TCP side, 1-based
 * @remote: its remote end
 * @pid: process
 * @tid: thread of the event; %NS_PID_UNKNOWN when it says nothing
 *
 * Ties @tcp to the newest socket of the process that is connecting on the thread to that address;
 * without a thread only a socket already tied counts.
 *
 * Returns: whether one was found
 */
gboolean
ns_webio_by_address (NsBuilder *builder G_GNUC_UNUSED,
                     NsRow tcp G_GNUC_UNUSED,
                     const NsEndpoint *remote G_GNUC_UNUSED,
                     guint32 pid G_GNUC_UNUSED,
                     guint32 tid G_GNUC_UNUSED)
{
  return FALSE;
}

/**
 * ns_webio_ensure:
 * @builder: the builder
 * @pid: process of the send or receive
 * @tid: its thread
 * @tcp: record of the TCP side, 1-based
 * @time_ns: now
 * @tx_bytes: bytes posted, 0 for a receive
 *
 * Ties the TCP record to the connection that is sending or receiving on this thread, keeps the
 * bytes for Windows versions whose WebIO does not count them, and learns the address of a
 * connection from before the trace.
 *
 * Returns: whether the record belongs to a request
 */
gboolean
ns_webio_ensure (NsBuilder *builder G_GNUC_UNUSED,
                 guint32 pid G_GNUC_UNUSED,
                 guint32 tid G_GNUC_UNUSED,
                 NsRow tcp G_GNUC_UNUSED,
                 gint64 time_ns G_GNUC_UNUSED,
                 guint64 tx_bytes G_GNUC_UNUSED)
{
  return FALSE;
}

/**
 * ns_webio_has_send_counts:
 * @builder: the builder
 *
 * Returns: whether this Windows tells the bytes of each send, so that TCP need not be asked
 */
gboolean
ns_webio_has_send_counts (const NsBuilder *builder G_GNUC_UNUSED)
{
  return FALSE;
}

const NsPart ns_webio_part = {
  .name = "webio",
};
